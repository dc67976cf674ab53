"""LossPolicy "fail" is usable: ordinary messages pass, and an error lists every loss at once."""

from typing import Any

import pytest

from mqconvert import Environment, LossError, TypedValue, convert, routes
from mqconvert.converters.messages import amqp091, amqp10, mqtt5, mqtt311

ORDINARY: dict[str, Any] = {
    "amqp-1.0": amqp10.Message(
        header=amqp10.Header(durable=True, priority=4, ttl=60_000, first_acquirer=True, delivery_count=0),
        message_annotations=[("x-opt-jms-dest", TypedValue("byte", 0))],
        properties=amqp10.Properties(
            message_id=TypedValue("string", "m-1"),
            to="/exchanges/amq.topic/orders",
            reply_to="/exchanges/amq.topic/answers",
            correlation_id=TypedValue("ulong", 7),
            content_type="application/json",
            creation_time=1_700_000_000_000,
        ),
        application_properties=[
            ("attempt", TypedValue("int", 1)),
            ("region", TypedValue("string", "eu")),
            ("test", TypedValue("boolean", False)),
            ("ratio", TypedValue("double", 0.5)),
        ],
        body=amqp10.Data([b"{}"]),
    ),
    "amqp-0.9.1": amqp091.Message(
        amqp091.BasicProperties(
            content_type="application/json",
            headers=[
                ("attempt", TypedValue("signedint", 1)),
                ("region", TypedValue("longstr", b"eu")),
                ("x-retry", TypedValue("bool", True)),
                ("since", TypedValue("timestamp", 1_700_000_000)),
            ],
            delivery_mode=2,
            priority=4,
            correlation_id="7",
            reply_to="answers",
            expiration="60000",
            message_id="m-1",
            timestamp=1_700_000_000,
            app_id="shop",
        ),
        b"{}",
        "amq.topic",
        "orders",
    ),
    "mqtt-5.0": mqtt5.Message(
        qos=1,
        retain=1,
        topic_name="orders",
        packet_identifier=9,
        payload_format_indicator=1,
        message_expiry_interval=60,
        response_topic="answers",
        correlation_data=b"7",
        user_properties=[("region", "eu"), ("x-retry", "true")],
        content_type="application/json",
        payload=b"{}",
    ),
    "mqtt-3.1.1": mqtt311.Message(qos=1, retain=1, topic_name="orders", packet_identifier=9, payload=b"{}"),
}
PAIRS = [(way.source, way.target) for way in routes() if way.source in ORDINARY and way.target in ORDINARY]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{source}-to-{target}" for source, target in PAIRS])
def test_ordinary_messages_lose_nothing(source: str, target: str) -> None:
    for profile in ("documented", "rabbitmq-4.0", "rabbitmq-4.3"):
        for environment in (Environment(), Environment(address="t")):
            done = convert(ORDINARY[source], target, profile=profile, environment=environment, on_loss="fail")
            assert done.report.lossless()


def test_one_error_lists_every_loss() -> None:
    message = amqp10.Message(
        properties=amqp10.Properties(creation_time=1, group_id="a\0", message_id=TypedValue("string", "a" * 256)),
        application_properties=[("a", TypedValue("decimal32", bytes(4))), ("b", TypedValue("char", 65))],
        body=amqp10.Data([b""]),
    )
    wanted = convert(message, "amqp-0.9.1").report.lost
    assert len(wanted) == 5
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-0.9.1", on_loss="fail")
    assert caught.value.losses == wanted
    assert caught.value.as_dict()["losses"] == [loss.as_dict() for loss in wanted]
    assert all(loss.field in str(caught.value) for loss in wanted)

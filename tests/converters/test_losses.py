"""LossPolicy "fail" is usable: ordinary messages pass; an error lists every loss, under "strict" every drop, at once."""

from typing import Any

import pytest

from mqconvert import ConversionError, Entry, Environment, LossError, TypedValue, convert, decode_all, encode_batch, routes
from mqconvert.converters.overlays import tables_in_force
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.routes import route
from tests.converters.test_laws import Case, a_result_is_well_formed

ORDINARY: dict[str, Any] = {
    "amqp-1.0": amqp10.Message(
        header=amqp10.Header(durable=True, priority=4, ttl=60_000, first_acquirer=True, delivery_count=0),
        message_annotations=[Entry("x-opt-jms-dest", "byte", 0)],
        properties=amqp10.Properties(
            message_id=TypedValue("string", "m-1"),
            to="/exchanges/amq.topic/orders",
            reply_to="/exchanges/amq.topic/answers",
            correlation_id=TypedValue("ulong", 7),
            content_type="application/json",
            creation_time=1_700_000_000_000,
        ),
        application_properties=[
            Entry("attempt", "int", 1),
            Entry("region", "string", "eu"),
            Entry("test", "boolean", False),
            Entry("ratio", "double", 0.5),
        ],
        body=amqp10.Data([b"{}"]),
    ),
    "amqp-0.9.1": amqp091.Message(
        amqp091.BasicProperties(
            content_type="application/json",
            headers=[
                Entry("attempt", "signedint", 1),
                Entry("region", "longstr", b"eu"),
                Entry("x-retry", "bool", True),
                Entry("since", "timestamp", 1_700_000_000),
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
        dup=1,
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
    "mqtt-3.1.1": mqtt311.Message(dup=1, qos=1, retain=1, topic_name="orders", packet_identifier=9, payload=b"{}"),
    "nsq": nsq.Message("orders", "shop", 1_700_000_000_000_000_000, 1, b"0123456789abcdef", body=b"{}", frame="message"),
    "phpmq": phpmq.Message(b"orders", b"{}", b"0123456789abcdef0123456789abcdef", 60, frame="dispatch"),
    "rocketmq": rocketmq.Message(
        "orders",
        b"{}",
        [("KEYS", "o-1"), ("TAGS", "eu"), ("UNIQ_KEY", "7F0000015A7E18B4AAC2000000000001"), ("region", "eu")],
        queue_id=1,
        born_timestamp=1_700_000_000_000,
        reconsume_times=0,
        producer_group="shop",
    ),
    "pulsar": pulsar.Message(
        "orders", b"{}", "shop-1", 7, 1_700_000_000_000, [("region", "eu")], partition_key="o-1", event_time=1_700_000_000_000
    ),
}
ADDRESS = Environment(address="t", clock=1)
ENVIRONMENTS = {
    # NSQ and PHPMQ have no properties, so an envelope carries them.
    "nsq": (
        Environment(address="t", payload="envelope"),
        Environment(address="t", payload="envelope", frame="message", clock=1),
    ),
    "phpmq": (Environment(address="t", payload="envelope"),),
    "rocketmq": (ADDRESS,),
}
"""The environments by target; the others accept messages with and without an address of the caller."""
PAIRS = [(way.source, way.target) for way in routes() if way.legs]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{source}-to-{target}" for source, target in PAIRS])
def test_ordinary_messages_lose_nothing(source: str, target: str) -> None:
    for profile in ("documented", "rabbitmq-4.0", "rabbitmq-4.3"):
        for environment in ENVIRONMENTS.get(target, (Environment(clock=1), ADDRESS)):
            done = convert(ORDINARY[source], target, profile=profile, environment=environment, on_loss="fail")
            assert done.report.lossless()


@pytest.mark.parametrize("source", ["nsq", "pulsar", "rocketmq"])
def test_members_of_batches_lose_nothing(source: str) -> None:
    """What belongs to the batch is dropped by rule, so that `--on-loss fail` takes batches."""
    sent = nsq.Message("orders", body=b"{}") if source == "nsq" else ORDINARY[source]
    members = decode_all(source, encode_batch([sent, sent, sent]))
    assert len(members) == 3
    for member in members:
        done = convert(member, "amqp-1.0", on_loss="fail")
        assert any(entry.field.startswith("batch") for entry in done.report.dropped)


@pytest.mark.parametrize("target", ["nsq", "phpmq"])
def test_fields_without_a_counterpart_are_dropped_without_an_envelope(target: str) -> None:
    """MAPPINGS rule 1: all application properties, and nearly all properties."""
    report = convert(ORDINARY["amqp-1.0"], target, environment=ADDRESS).report
    dropped = {entry.field.partition("[")[0] for entry in report.dropped}
    kept = {"phpmq": "header.ttl"}.get(target)
    fields = ("message_id", "to", "reply_to", "correlation_id", "content_type", "creation_time")
    named = {f"properties.{field}" for field in fields} | {
        f"header.{field}" for field in ("durable", "priority", "first_acquirer", "delivery_count", "ttl")
    } - {kept}
    assert report.lossless()
    assert dropped == named | {"application_properties", "message_annotations"}


def test_one_error_lists_every_loss() -> None:
    message = amqp10.Message(
        properties=amqp10.Properties(creation_time=1, group_id="a\0", message_id=TypedValue("string", "a" * 256)),
        application_properties=[Entry("a", "decimal32", bytes(4)), Entry("b", "char", 65)],
        body=amqp10.Data([b""]),
    )
    wanted = convert(message, "amqp-0.9.1").report.lost
    assert len(wanted) == 5
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-0.9.1", on_loss="fail")
    assert caught.value.losses == wanted
    assert caught.value.as_dict()["losses"] == [loss.as_dict() for loss in wanted]
    assert all(loss.field in str(caught.value) for loss in wanted)


def test_the_error_names_the_table_of_each_loss_on_a_route_of_two() -> None:
    message = amqp091.Message(amqp091.BasicProperties(content_encoding="gzip"), b"hi", routing_key="t")
    with pytest.raises(LossError) as caught:
        convert(message, "nsq", on_loss="fail")
    assert (
        str(caught.value)
        == "1 lost: properties.content_encoding (amqp-1.0 -> nsq): the payload means something else without it"
    )


@pytest.mark.parametrize("section", ["application_properties", "message_annotations"])
@pytest.mark.parametrize("target", ["rocketmq", "pulsar", "amqp-0.9.1"])
def test_of_equal_keys_in_a_map_of_amqp_the_first_stays(target: str, section: str) -> None:
    """decisions.md G10: AMQP 1.0 forbids them. In a list of properties of Pulsar and RocketMQ the last stays (test_hub.py)."""
    twins = [Entry("x-k", "string", str(number)) for number in (1, 2, 3)]
    message = amqp10.Message(body=amqp10.Data([b"a"]), **{section: twins})  # type: ignore[arg-type]
    done = convert(message, target, environment=Environment(address="t", clock=1))
    assert [(loss.field, loss.reason) for loss in done.report.lost] == [(f'{section}["x-k"]', "a second equal key")] * 2
    back: Any = convert(done.message, "amqp-1.0").message
    assert [entry.value for entry in back.message_annotations if entry.key == "x-k"] == ["1"]


@pytest.mark.parametrize("target", ["rocketmq", "nsq"])
def test_a_send_without_a_body_is_refused(target: str) -> None:
    """MAPPINGS rule 13: clients of RocketMQ and nsqd refuse it."""
    message = amqp10.Message(properties=amqp10.Properties(subject="s"))
    with pytest.raises(ConversionError) as caught:
        convert(message, target, environment=Environment(address="t", clock=1))
    assert (caught.value.code, caught.value.field) == ("bad_message", "body")


SEND = Environment(address="t", clock=1)
CONTRADICTIONS: dict[str, tuple[str, dict[str, tuple[str, Any]], Environment]] = {
    "a delay of a message frame": (
        "nsq", {"x-opt-delivery-delay": ("long", 5)}, Environment(address="t", frame="message", clock=1)
    ),
    "an invalid host": (
        "rocketmq", {"x-opt-rocketmq-born-host": ("string", "nohost")}, Environment(address="t", frame="record", clock=1)
    ),
    "a field of a record in a send": ("rocketmq", {"x-opt-rocketmq-store-timestamp": ("long", 5)}, SEND),
    "a compression without a chunk": ("pulsar", {"x-opt-pulsar-compression": ("string", "LZ4")}, SEND),
    "an id in a send": ("pulsar", {"x-opt-pulsar-message-id": ("string", "1:2:3:4")}, SEND),
}  # fmt: skip
"""Annotations for another kind of message than the result, and annotations of values that it cannot have."""


@pytest.mark.parametrize(
    ("target", "annotations", "environment"),
    [pytest.param(*case, id=name) for name, case in CONTRADICTIONS.items()],
)
def test_entries_that_would_make_the_result_invalid_are_lost(
    target: str, annotations: dict[str, tuple[str, Any]], environment: Environment
) -> None:
    """Every conversion gives a well-formed result."""
    entries = [Entry(key, *value) for key, value in annotations.items()]
    message = amqp10.Message(amqp10.Header(True), None, entries, body=amqp10.Data([b"a"]))
    case = Case.of(route("amqp-1.0", target, tables_in_force()), "documented", environment, message)
    assert a_result_is_well_formed(case) is None
    assert [loss.field for loss in case.report.lost] == [f'message_annotations["{key}"]' for key in annotations]


@pytest.mark.parametrize(("source", "target"), PAIRS, ids=[f"{source}-to-{target}" for source, target in PAIRS])
def test_strict_fails_with_every_field_that_does_not_arrive(source: str, target: str) -> None:
    environment = Environment(address="t", clock=1)
    done = convert(ORDINARY[source], target, environment=environment)
    told = done.report.as_dict()
    if not told["lost"] and not told["dropped"]:
        assert convert(ORDINARY[source], target, environment=environment, on_loss="strict").message == done.message
        return
    with pytest.raises(LossError) as caught:
        convert(ORDINARY[source], target, environment=environment, on_loss="strict")
    refused = caught.value.as_dict()
    assert (refused["losses"], refused.get("dropped", [])) == (told["lost"], told["dropped"])
    assert all(entry["field"] in str(caught.value) for entry in (*told["lost"], *told["dropped"]))


def test_strict_passes_a_message_that_arrives_whole_and_lists_drops_beside_losses() -> None:
    whole = mqtt5.Message(topic_name="t", qos=1, packet_identifier=7, user_properties=[("k", "v")], payload=b"hi")
    assert convert(whole, "amqp-0.9.1", on_loss="strict").report.complete()
    partly = amqp10.Message(properties=amqp10.Properties(subject="s", creation_time=1), body=amqp10.Data([b""]))
    with pytest.raises(LossError, match=r"^1 lost: properties.creation_time: .*; 1 dropped: properties.subject: ") as caught:
        convert(partly, "amqp-0.9.1", on_loss="strict")
    assert [drop.field for drop in caught.value.dropped] == ["properties.subject"]


def test_names_of_clusters_with_a_comma_are_lost_with_the_reason() -> None:
    message = pulsar.Message(
        topic="t", payload=b"a", producer_name="p", sequence_id=1, publish_time=1, replicate_to=["a,b", "c"]
    )
    [lost] = convert(message, "amqp-1.0").report.lost
    assert (lost.field, lost.rule, lost.reason) == ("replicate_to", "replicate-to-comma", "a name contains a comma")

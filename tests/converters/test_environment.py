"""Every option of the caller reaches every table of a route."""

from dataclasses import fields
from typing import Any

import pytest

from mqconvert import FRAMES, PROTOCOLS, ConversionError, Environment, convert
from mqconvert.converters.environment import addressed
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.routes import RouteConverter, _converter

GIVEN: dict[str, Any] = {
    "address": "a/b", "mqtt_exchange": "x", "payload": "envelope", "escape": True, "frame": "message", "clock": 5,
    "producer": "me", "sequence_id": 7, "max_req_timeout_ms": 9,
}  # fmt: skip
"""A value of each option other than the default."""


def test_every_option_has_a_test_value_other_than_its_default() -> None:
    assert GIVEN.keys() == {field.name for field in fields(Environment)}
    assert all(GIVEN[field.name] != field.default for field in fields(Environment))


@pytest.mark.parametrize("name", GIVEN)
def test_an_option_stays_when_the_address_changes(name: str) -> None:
    environment = addressed(Environment(**{name: GIVEN[name]}), "there")
    told = {field.name: getattr(environment, field.name) for field in fields(Environment)}
    assert told == {field.name: field.default for field in fields(Environment)} | {name: GIVEN[name], "address": "there"}


def test_an_option_reaches_every_table_of_a_route() -> None:
    """A destination in the message is the address for the next table. The other options stay as the caller gave them."""
    way: RouteConverter = _converter("mqtt-5.0", "pulsar", "documented", ())
    seen: list[Environment] = []

    def watched(function: Any) -> Any:
        def called(message: Any, environment: Environment, notes: Any) -> Any:
            seen.append(environment)
            return function(message, environment, notes)

        return called

    steps = way._steps
    try:
        way._steps = [(table, watched(function), onward) for table, function, onward in steps]
        options = {name: value for name, value in GIVEN.items() if name not in ("address", "frame")}
        way.convert(mqtt5.Message(topic_name="t", payload=b"a"), Environment(**options))
    finally:
        way._steps = steps
    told = [{field.name: getattr(environment, field.name) for field in fields(Environment)} for environment in seen]
    unset = {"address": None, "frame": None}
    assert told == [options | unset, options | unset | {"address": "t"}]


def test_an_address_with_invalid_utf8_passes_unchecked() -> None:
    """A routing key of AMQP 0.9.1 may be invalid UTF-8. The rows of the next table decide whether it is an address."""
    assert addressed(Environment(), "\udcff").address == "\udcff"
    made: Any = convert(mqtt5.Message(topic_name="t"), "pulsar", environment=Environment(clock=1)).message
    assert made.topic == "t"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        *((name, ("\ud800", b"t", 5, ["t"])) for name in ("address", "mqtt_exchange", "producer")),
        *((name, (None,)) for name in ("mqtt_exchange", "producer", "escape", "payload")),
        ("escape", ("yes", 1)),
        ("frame", ("xx", "", 3, ["send"])),
        ("clock", (-1, 2**63, 1.5, True, "0")),
        ("sequence_id", (-1, 2**64, 1.5, None)),
    ],
)
def test_invalid_values_of_the_caller_are_refused(name: str, values: tuple[Any, ...]) -> None:
    """Without the check they would be tracebacks of conversions, and an unknown frame would be ignored."""
    for value in values:
        with pytest.raises(ConversionError) as refused:
            Environment(**{name: value})
        assert (refused.value.code, refused.value.field) == ("bad_option", name)


def test_valid_values_of_the_caller_are_accepted() -> None:
    for frame in (None, *FRAMES):
        environment = Environment("\u20ac/\U0001f600", "", "envelope", True, frame, 9_223_372_036_854, "", 2**64 - 1)
        assert environment.frame == frame
        for target in ("nsq", "phpmq", "rocketmq", "pulsar") if frame in (None, "send") else ():
            convert(amqp10.Message(body=amqp10.Data([b"hi"])), target, environment=environment)


def test_the_frames_of_an_environment_are_those_of_our_protocols() -> None:
    assert tuple(dict.fromkeys(frame for protocol in PROTOCOLS.ours() for frame in protocol.frames)) == FRAMES

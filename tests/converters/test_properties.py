"""Properties of every conversion, over every message that a codec can write, every pair, every profile."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, EncodeError, Environment, convert, decode, encode, routes
from mqconvert.converters.messages import amqp10
from tests.corpus import same_form
from tests.strategies import MESSAGES
from tests.validity import faults

PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")
JUDGED = ("amqp-1.0", "amqp-0.9.1", "mqtt-5.0", "mqtt-3.1.1")
"""What validity.py judges; the brokers' ways have properties of their own in test_hub_properties.py."""
PAIRS = [(route.source, route.target) for route in routes() if {route.source, route.target} <= set(JUDGED)]
IDS = [f"{source}-to-{target}" for source, target in PAIRS]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=IDS)
@settings(max_examples=30)
@given(data=st.data())
def test_conversion_is_total_and_its_result_well_formed(source: str, target: str, profile: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[source])
    made = convert(message, target, profile=profile, environment=Environment(address="t")).message
    back = decode(target, encode(made))
    assert same_form(back) == same_form(_with_identifier(made))
    assert faults(back) == []


def _with_identifier(message: Any) -> Any:
    """The packet identifier belongs to a session; the encoder writes 1 where there is none."""
    if getattr(message, "qos", 0) and message.packet_identifier is None:
        message.packet_identifier = 1
    return message


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(("source", "target"), PAIRS, ids=IDS)
@settings(max_examples=30)
@given(data=st.data())
def test_every_field_that_was_set_is_accounted_for(source: str, target: str, profile: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[source])
    environment = Environment(address=data.draw(st.none() | st.just("t")))
    report = convert(message, target, profile=profile, environment=environment).report
    named: Counter[str] = Counter(entry.source for entry in report.applied if entry.leg == 1 and entry.source != "@address")
    for entries in (report.dropped, report.accounted, report.lost):
        named.update(entry.field for entry in entries if entry.leg == 1)
    given = Counter(set_fields(message))
    for field, times in given.items():
        whole = field.partition("[")[0]  # a row may use a whole map, such as the footer
        inside = sum(count for name, count in named.items() if name == field or name.startswith(f"{field}["))
        assert inside >= times or named[whole], (field, named)
    strangers = [name for name in named if not any(name == field or name.startswith(f"{field}[") for field in given)]
    assert set(strangers) <= empty_fields(message), strangers


def set_fields(message: Any) -> Iterator[str]:
    """The path of each field that the sender gave, as reports write it; each entry of a map by itself."""
    for path, value in _leaves(message):
        if value is None or (path in ("dup", "retain") and not value) or (path == "topic_name" and not value):
            continue
        if isinstance(value, list):
            for index, pair in enumerate(value):
                key = pair[0] if isinstance(pair, tuple) else index
                yield f"{path}[{key}]" if isinstance(key, int) else f'{path}["{key}"]'
        else:
            yield path


def empty_fields(message: Any) -> set[str]:
    """Places that rows of type `absent` speak of, and maps as a whole."""
    return {path for path, value in _leaves(message) if value is None or isinstance(value, list)}


def _leaves(message: Any) -> Iterator[tuple[str, Any]]:
    sections = {"header": amqp10.Header, "properties": amqp10.Properties} if isinstance(message, amqp10.Message) else {}
    for name in message.__slots__:
        value = getattr(message, name)
        if name in sections or name == "basic":
            value = sections[name]() if value is None else value
            yield from ((f"{name}.{part}", getattr(value, part)) for part in value.__slots__)
        else:
            yield name, value


@pytest.mark.parametrize("target", ["mqtt-5.0", "mqtt-3.1.1"])
@pytest.mark.parametrize("source", ["amqp-1.0", "amqp-0.9.1"])
@given(data=st.data())
def test_without_an_address_there_is_a_topic_or_a_clear_error(source: str, target: str, data: st.DataObject) -> None:
    made = convert(data.draw(MESSAGES[source]), target).message
    try:
        wire = encode(made)
    except EncodeError as error:
        answer = (error.field, "--address" in error.message)
    else:
        answer = ("topic_name", faults(decode(target, wire)) == [])
    assert answer == ("topic_name", True)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=10)
@given(data=st.data())
def test_to_the_same_protocol_is_the_identity(protocol: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[protocol])
    done = convert(message, protocol)
    assert done.message is message
    assert done.report.tables == ()

"""The JSON form of messages: the form of each value, and round trips."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, Entry, TypedValue, message_from_json, message_to_json
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.strategies import DEEP, DRAWN


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_messages_round_trip(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    form = json.loads(json.dumps(message_to_json(message), allow_nan=False))
    assert form["protocol"] == protocol
    # By their text: NaN is not equal to itself.
    assert repr(message_from_json(form)) == repr(message)
    assert repr(message_from_json({key: value for key, value in form.items() if key != "protocol"}, protocol)) == repr(message)


MESSAGE_FORMS = [
    (
        mqtt311.Message(topic_name="t", payload=b"hi"),
        {"protocol": "mqtt-3.1.1", "dup": 0, "qos": 0, "retain": 0, "topic_name": "t", "payload": "aGk="},
    ),
    (
        mqtt5.Message(topic_name="t", correlation_data=b"\xff", user_properties=[("a", "b")], subscription_identifiers=[1]),
        {
            "protocol": "mqtt-5.0",
            "dup": 0,
            "qos": 0,
            "retain": 0,
            "topic_name": "t",
            "correlation_data": "/w==",
            "user_properties": [["a", "b"]],
            "subscription_identifiers": [1],
            "payload": "",
        },
    ),
    (
        amqp091.Message(amqp091.BasicProperties(reply_to="\udcff"), b"", "x", "k"),
        {
            "protocol": "amqp-0.9.1",
            "basic": {"reply_to": {"base64": "/w=="}},
            "payload": "",
            "exchange": "x",
            "routing_key": "k",
        },
    ),
    (
        amqp10.Message(footer=[Entry(1, "null", None), Entry("x-k", "null", None)], body=amqp10.Data([b"a", b""])),
        {
            "protocol": "amqp-1.0",
            "body": {"data": ["YQ==", ""]},
            "footer": [
                [{"type": "ulong", "value": 1}, {"type": "null", "value": None}],
                ["x-k", {"type": "null", "value": None}],
            ],
        },
    ),
    (
        amqp10.Message(header=amqp10.Header(ttl=0), body=amqp10.AmqpSequence([[TypedValue("null", None)], []])),
        {"protocol": "amqp-1.0", "header": {"ttl": 0}, "body": {"sequence": [[{"type": "null", "value": None}], []]}},
    ),
]


@pytest.mark.parametrize(("message", "form"), MESSAGE_FORMS, ids=lambda value: type(value).__name__)
def test_messages_have_a_json_form(message: Any, form: dict[str, Any]) -> None:
    assert message_to_json(message) == form
    assert message_from_json(form) == message


@pytest.mark.parametrize("value", [7, "7"])
def test_integers_are_read_as_number_and_as_text(value: int | str) -> None:
    assert message_from_json({"header": {"ttl": value}}, "amqp-1.0") == amqp10.Message(header=amqp10.Header(ttl=7))


def test_text_bytes_are_accepted_as_base64_too() -> None:
    form = {"basic": {"type": {"base64": "aGk="}, "headers": [["k", {"type": "longstr", "base64": "aGk="}]]}}
    expected = amqp091.BasicProperties(type="hi", headers=[Entry("k", "longstr", b"hi")])
    assert message_from_json(form, "amqp-0.9.1") == amqp091.Message(expected)


def test_a_message_of_another_protocol_is_refused() -> None:
    with pytest.raises(DecodeError, match=r"a message of mqtt-5.0, not of amqp-1.0"):
        message_from_json({"protocol": "mqtt-5.0"}, "amqp-1.0")


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "value", "of", "k"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.proof
@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=DEEP)
@given(data=st.data())
def test_random_json_is_read_or_refused(protocol: str, data: st.DataObject) -> None:
    names = [*PROTOCOLS[protocol].message.__dataclass_fields__, "protocol", "nothing"]
    form = data.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=4) | JSON)
    try:
        message = message_from_json(form, protocol)
    except DecodeError:
        return
    assert repr(message_from_json(message_to_json(message))) == repr(message)


def test_an_unknown_protocol_is_named() -> None:
    with pytest.raises(DecodeError, match=r"^one of amqp-1\.0, .*, pulsar, not 'mqtt' \(field protocol\)$"):
        message_from_json({"protocol": "mqtt", "topic_name": "t"})
    with pytest.raises(DecodeError, match=r"^missing: one of amqp-1\.0, .*, pulsar \(field protocol\)$"):
        message_from_json({"topic_name": "t"})


def test_the_text_of_a_message_is_no_message() -> None:
    with pytest.raises(DecodeError, match=r"^expected a message as a JSON object, got str$"):
        message_from_json('{"protocol": "nsq"}')

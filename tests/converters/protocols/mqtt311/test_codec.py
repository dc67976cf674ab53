"""MQTT 3.1.1: a PUBLISH is that of MQTT 5.0 without properties. The tests of MQTT 5.0 run with both codecs."""

from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given

from mqconvert import DecodeError, decode, encode
from mqconvert.converters.protocols.mqtt5 import codec as mqtt5
from mqconvert.converters.protocols.mqtt5.message import Message as Message5
from mqconvert.converters.protocols.mqtt311 import codec as mqtt311
from mqconvert.converters.protocols.mqtt311.message import Message
from tests.refusals import unread
from tests.strategies import MESSAGES


@pytest.mark.parametrize(
    ("message", "wire"),
    [
        (Message(topic_name="a/b", packet_identifier=10, qos=1, payload=b"hi"), "32090003612f62000a6869"),  # figure 3.11
        (Message(topic_name="a/b", packet_identifier=10, qos=2, dup=1, retain=1), "3d070003612f62000a"),
        (Message(topic_name="a/b"), "30050003612f62"),
    ],
)
def test_messages_have_the_bytes_of_the_specification(message: Message, wire: str) -> None:
    assert mqtt311.encode(message).hex() == wire
    assert mqtt311.decode(bytes.fromhex(wire)) == message


@given(MESSAGES["mqtt-3.1.1"])
def test_a_message_without_properties_is_one_byte_longer_in_mqtt5(message: Any) -> None:
    ours, theirs = encode(message), encode(Message5(**asdict(message)))
    head, inside = len(mqtt5.varint(len(theirs))) + 1, theirs.rindex(b"\0" + message.payload)
    body = theirs[head:inside] + theirs[inside + 1 :]
    assert ours == theirs[:1] + mqtt5.varint(len(body)) + body


def test_bytes_of_properties_are_payload() -> None:
    made: Any = decode("mqtt-3.1.1", mqtt5.encode(Message5(topic_name="t", content_type="a", payload=b"hi")))
    assert made.payload == b"\x04\x03\0\x01ahi"


def test_messages_are_read_one_by_one_up_to_an_error() -> None:
    wire = mqtt311.encode(Message(topic_name="t", payload=b"1"))
    found: Any = mqtt311.decode_each(wire * 2 + b"\x40\x02\0\x01")
    assert [next(found).payload, next(found).payload] == [b"1", b"1"]
    with pytest.raises(DecodeError) as caught:
        next(found)
    assert (caught.value.kind, caught.value.offset) == ("bad_packet", 2 * len(wire))
    assert len(mqtt311.decode_all(wire * 3)) == 3


def test_an_empty_topic_and_trailing_bytes_are_refused() -> None:
    assert unread(mqtt311.decode, "30020000") == ("bad_topic", 0, None)
    assert unread(mqtt311.decode, "30050003612f6200") == ("trailing_bytes", 7, None)

"""Every codec: what it writes it reads back, and any bytes are answered or refused with a DecodeError."""

from contextlib import nullcontext, suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, EncodeError, TypedValue, convert, decode, decode_all, encode
from mqconvert.converters.messages import amqp091, amqp10, mqtt5, mqtt311
from tests.strategies import MESSAGES

STRICT_SENDERS = {"rocketmq"}
"""Protocols in which clients may not send all that brokers store: names of topics, sizes."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_round_trip(protocol: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[protocol])
    assert decode(protocol, encode(message)) == message


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_mutated_bytes(protocol: str, data: st.DataObject) -> None:
    wire = bytearray(encode(data.draw(MESSAGES[protocol])))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    _answered(protocol, bytes(wire))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(wire=st.binary(max_size=200))
def test_random_bytes(protocol: str, wire: bytes) -> None:
    _answered(protocol, wire)


def _answered(protocol: str, wire: bytes) -> None:
    try:
        messages = decode_all(protocol, wire)
    except DecodeError:
        return
    for message in messages:
        with suppress(EncodeError) if protocol in STRICT_SENDERS else nullcontext():
            encode(message)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_truncated(protocol: str, data: st.DataObject) -> None:
    wire = encode(data.draw(MESSAGES[protocol]))
    cut = wire[: data.draw(st.integers(0, len(wire) - 1))]
    if protocol == "amqp-1.0":
        _answered(protocol, cut)  # sections do not delimit a message: a prefix may be one
        return
    with pytest.raises(DecodeError):
        decode(protocol, cut)


BOMB = 200

MALFORMED = {
    "amqp10-list-bomb": ("amqp-1.0", "005377" + "c0ff01" * BOMB, "nesting"),
    "amqp10-described-bomb": ("amqp-1.0", "005377" + "0040" * 300, "nesting"),
    "amqp10-huge-binary": ("amqp-1.0", "005375b0ffffffff", "truncated"),
    "amqp10-huge-count": ("amqp-1.0", "005377d000000008ffffffff40404040", "bad_count"),
    "amqp10-zero-width-array": ("amqp-1.0", "005377f000000005ffffffff40", "bad_count"),
    "amqp10-odd-map": ("amqp-1.0", "005377c102014000"[:14], "bad_count"),
    "amqp10-bad-utf8": ("amqp-1.0", "005377a102fffe", "bad_utf8"),
    "amqp10-bad-symbol": ("amqp-1.0", "005377a302c3a9", "bad_symbol"),
    "amqp10-order": ("amqp-1.0", "005375a0017800537045", "section_order"),
    "amqp10-two-values": ("amqp-1.0", "0053774000537740", "section_order"),
    "amqp10-unknown-section": ("amqp-1.0", "00537940", "unknown_section"),
    "amqp10-unknown-type": ("amqp-1.0", "0053773f", "unknown_type"),
    "amqp10-wrong-field-type": ("amqp-1.0", "005370c0030141"[:12] + "5001", "wrong_type"),
    "amqp10-empty": ("amqp-1.0", "", "truncated"),
    "amqp091-huge-frame": ("amqp-0.9.1", "020001ffffffff", "truncated"),
    "amqp091-huge-body": ("amqp-0.9.1", "0200010000000e003c0000ffffffffffffffff0000ce", "truncated"),
    "amqp091-frame-end": ("amqp-0.9.1", "0200010000000e003c0000000000000000000000cd", "truncated"),
    "amqp091-bad-end": ("amqp-0.9.1", "0200010000000e003c00000000000000000000000000", "bad_frame"),
    "amqp091-flags": ("amqp-0.9.1", "0200010000000e003c000000000000000000000001"[:38] + "0001ce", "bad_flags"),
    "amqp091-heartbeat": ("amqp-0.9.1", "08000000000000ce", "bad_frame"),
    "mqtt-varint": ("mqtt-5.0", "30ffffffffff01", "bad_varint"),
    "mqtt-utf8": ("mqtt-5.0", "30040001ff00", "bad_utf8"),
    "mqtt-nul": ("mqtt-5.0", "300400010000", "bad_utf8"),
    "mqtt-wildcard": ("mqtt-5.0", "300400012b00", "bad_topic"),
    "mqtt-no-topic": ("mqtt-5.0", "3003000000", "bad_topic"),
    "mqtt-qos-3": ("mqtt-5.0", "36060001740001000000"[:20], "bad_flags"),
    "mqtt-other-packet": ("mqtt-5.0", "c000", "bad_packet"),
    "mqtt-unknown-property": ("mqtt-5.0", "300600017402ff00", "unknown_property"),
    "mqtt-wildcard-in-response-topic": ("mqtt-5.0", "300a00017404080001236869", "bad_topic"),
    "mqtt-twice": ("mqtt-5.0", "30080001740401000101", "repeated_property"),
    "mqtt-trailing": ("mqtt-5.0", "300400017400ff", "trailing_bytes"),
}


@pytest.mark.parametrize(("protocol", "wire", "kind"), MALFORMED.values(), ids=list(MALFORMED))
def test_malformed(protocol: str, wire: str, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode(protocol, bytes.fromhex(wire))
    assert caught.value.kind == kind
    assert caught.value.offset is not None


@pytest.mark.parametrize(
    ("wire", "value"),
    [
        ("5600", TypedValue("boolean", False)),
        ("41", TypedValue("boolean", True)),
        ("43", TypedValue("uint", 0)),
        ("5205", TypedValue("uint", 5)),
        ("7000000005", TypedValue("uint", 5)),
        ("44", TypedValue("ulong", 0)),
        ("800000000000000005", TypedValue("ulong", 5)),
        ("54ff", TypedValue("int", -1)),
        ("71ffffffff", TypedValue("int", -1)),
        ("55ff", TypedValue("long", -1)),
        ("723fc00000", TypedValue("float", 1.5)),
        ("823ff8000000000000", TypedValue("double", 1.5)),
        ("7300000041", TypedValue("char", 65)),
        ("8300000000000003e8", TypedValue("timestamp", 1000)),
        ("b100000001" + "61", TypedValue("string", "a")),
        ("45", TypedValue("list", [])),
        ("c0020140", TypedValue("list", [TypedValue("null", None)])),
        ("d0000000050000000140", TypedValue("list", [TypedValue("null", None)])),
        ("d10000000600000002" + "4041", TypedValue("map", [(TypedValue("null", None), TypedValue("boolean", True))])),
    ],
)
def test_amqp10_encodings(wire: str, value: TypedValue) -> None:
    assert decode("amqp-1.0", bytes.fromhex("005377" + wire)) == amqp10.Message(body=amqp10.AmqpValue(value))


@pytest.mark.parametrize("descriptor", ["005375", "0080" + "00" * 7 + "75", "00a310" + b"amqp:data:binary".hex()])
def test_amqp10_descriptors(descriptor: str) -> None:
    assert decode("amqp-1.0", bytes.fromhex(descriptor + "a00161")).body == amqp10.Data([b"a"])  # type: ignore[union-attr]


ILL: Any = 5
"""Of no type that the fields below may hold."""


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (amqp10.Message(header=amqp10.Header(priority=256)), "header.priority"),
        (amqp10.Message(application_properties=[("k", TypedValue("ubyte", -1))]), 'application_properties["k"]'),
        (amqp10.Message(properties=amqp10.Properties(content_type="é")), "properties.content_type"),
        (amqp091.Message(amqp091.BasicProperties(priority=256)), "basic.priority"),
        (amqp091.Message(amqp091.BasicProperties(app_id="a" * 256)), "basic.app_id"),
        (amqp091.Message(amqp091.BasicProperties(headers=[("k", TypedValue("long", 2**63))])), 'basic.headers["k"]'),
        (mqtt5.Message(), "topic_name"),
        (mqtt5.Message(topic_name="t", content_type="\0"), "content_type"),
        (mqtt5.Message(topic_name="t", user_properties=[("k", "a" * 65536)]), 'user_properties["k"]'),
        (amqp10.Message(body=ILL), "body"),
        (amqp091.Message(ILL), "basic"),
        (amqp091.Message(payload=ILL), "payload"),
        (mqtt5.Message(topic_name=ILL), "topic_name"),
        (mqtt5.Message(topic_name="t", payload=ILL), "payload"),
        (mqtt5.Message(topic_name="t", user_properties=ILL), "user_properties"),
        (mqtt5.Message(topic_name="t", subscription_identifiers=ILL), "subscription_identifiers"),
        (mqtt311.Message(topic_name="t", payload=ILL), "payload"),
    ],
)
def test_refused_values(message: Any, field: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode(message)
    assert caught.value.field == field


def test_amqp091_splits_bodies() -> None:
    payload = bytes(300_000)
    wire = encode(amqp091.Message(payload=payload))
    assert wire.count(b"\x03\x00\x01") == 3
    assert decode("amqp-0.9.1", wire).payload == payload  # type: ignore[union-attr]  # 0.9.1 has one


def test_nesting_is_bounded_on_writing() -> None:
    value = TypedValue("null", None)
    for _ in range(150):
        value = TypedValue("list", [value])
    with pytest.raises(EncodeError, match="nest"):
        encode(amqp10.Message(body=amqp10.AmqpValue(value)))


def test_array_elements_of_no_width_are_bounded() -> None:
    def body(count: int) -> bytes:
        return bytes.fromhex("005377f000000005") + count.to_bytes(4, "big") + b"\x40"

    assert len(decode("amqp-1.0", body(65_536)).body.value.value.values) == 65_536  # type: ignore[union-attr]  # an array
    with pytest.raises(DecodeError) as caught:
        decode("amqp-1.0", body(65_537))
    assert caught.value.code == "bad_count"


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_octets_in_other_clothes_are_read_as_bytes(kind: Any) -> None:
    wire = encode(amqp10.Message(body=amqp10.Data([b"hi"])))
    assert decode("amqp-1.0", kind(wire)) == decode_all("amqp-1.0", kind(wire))[0] == decode("amqp-1.0", wire)
    assert convert(kind(wire), "amqp-0.9.1", source="amqp-1.0").message.payload == b"hi"  # type: ignore[union-attr]

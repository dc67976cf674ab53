"""MQTT 5.0 and 3.1.1: every part of a PUBLISH by the specification (section 3.3), the refusals with places, the bounds.

In most packets below the topic is `t`: fixed header 0 and 1, topic 2 to 4, length of the properties 5, properties from 6 on.
"""

from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

import mqconvert.converters.protocols.mqtt5.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, brief
from mqconvert.converters.protocols.mqtt5 import codec as mqtt5
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.protocols.mqtt311 import codec as mqtt311
from mqconvert.converters.protocols.mqtt311.message import Message as Message311
from tests.refusals import unread, unwritten
from tests.strategies import MESSAGES

of_paho: Any = Properties  # paho has no types there
LARGEST = 268_435_455

VARINTS = {
    0: "00",
    1: "01",
    127: "7f",
    128: "8001",
    300: "ac02",
    16_383: "ff7f",
    16_384: "808001",
    2_097_151: "ffff7f",
    2_097_152: "80808001",
    LARGEST: "ffffff7f",
}
"""The numbers of table 1-1 in section 1.5.5, and 300."""


def packet(variable: bytes, first: int = 0x30) -> bytes:
    return bytes((first,)) + mqtt5.varint(len(variable)) + variable


def publish(properties: bytes | str = b"", payload: bytes = b"") -> bytes:
    raw = bytes.fromhex(properties) if isinstance(properties, str) else properties
    return packet(b"\0\1t" + mqtt5.varint(len(raw)) + raw + payload)


def having(**values: Any) -> Message:
    return Message(**{"topic_name": "t"} | values)


EACH_CODEC = pytest.mark.parametrize(
    ("codec", "message", "rest"), [(mqtt5, Message, b"\0"), (mqtt311, Message311, b"")], ids=["mqtt-5.0", "mqtt-3.1.1"]
)
"""The two protocols, and the bytes between head and payload."""


# ---- fixed header, topic name, packet identifier ------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "wire"), VARINTS.items(), ids=list(VARINTS.values()))
def test_variable_byte_integers_round_trip(value: int, wire: str) -> None:
    raw = bytes.fromhex(wire)
    assert mqtt5.varint(value) == raw
    assert mqtt5.read_varint(raw, 0, len(raw)) == (value, len(raw))
    assert mqtt5.read_varint(b"\xff" + raw + b"\0\0\0\0", 1, 9) == (value, 1 + len(raw))
    for end in range(len(raw)):  # bytes after the end are ignored
        assert unread(lambda data, end=end: mqtt5.read_varint(data, 0, end), raw) == ("truncated", end, None)


@pytest.mark.parametrize("raw", ["8080808000", "ffffffff01", "80808080"])
def test_varint_rejects_more_than_four_bytes(raw: str) -> None:
    assert unread(lambda data: mqtt5.read_varint(data, 0, len(data)), raw) == ("bad_varint", 0, None)
    assert unread(mqtt5.decode, "30" + raw + "00" * 20) == ("bad_varint", 1, None)


FLAGS = {
    (dup, qos, retain): 0x30 | dup << 3 | qos << 1 | retain
    for dup, qos, retain in [
        *[(0, 0, 0), (0, 0, 1)],
        *[(0, 1, 0), (0, 1, 1), (1, 1, 0), (1, 1, 1)],
        *[(0, 2, 0), (0, 2, 1), (1, 2, 0), (1, 2, 1)],
    ]
}
"""Section 3.3.1: no DUP with QoS 0 [MQTT-3.3.1-2], no QoS 3 [MQTT-3.3.1-4]."""


@EACH_CODEC
@pytest.mark.parametrize(("flags", "first"), FLAGS.items(), ids=[f"{first:x}" for first in FLAGS.values()])
def test_flags_round_trip(codec: ModuleType, message: type[Any], rest: bytes, flags: tuple[int, int, int], first: int) -> None:
    wire = packet(b"\0\1t" + (b"\1\2" if flags[1] else b"") + rest + b"hi", first)
    made = message(*flags, topic_name="t", packet_identifier=0x0102 if flags[1] else None, payload=b"hi")
    assert codec.decode(wire) == made
    assert codec.encode(made) == wire


@EACH_CODEC
def test_decode_rejects_other_first_bytes(codec: ModuleType, message: type[Any], rest: bytes) -> None:
    del message
    for first in {*range(256)} - {*FLAGS.values()}:
        wire = packet(b"\0\1t\0\1" + rest, first)
        kind = "bad_flags" if first >> 4 == 3 else "bad_packet"
        assert unread(codec.decode, wire) == (kind, 0, None)
        before = packet(b"\0\1t" + rest)
        assert unread(codec.decode_all, before + wire) == (kind, len(before), None)


@pytest.mark.parametrize(
    ("first", "words"), [(0x36, "QoS 3"), (0x3F, "QoS 3"), (0x38, "DUP with QoS 0"), (0x39, "DUP"), (0xC0, "packet type 12")]
)
def test_decode_errors_describe_the_first_byte(first: int, words: str) -> None:
    with pytest.raises(DecodeError, match=words):
        mqtt5.decode(packet(b"\0\1t\0\1\0", first))


@EACH_CODEC
@pytest.mark.parametrize("size", [0, 1, 122, 123, 124, 16_377, 16_378, 16_379, 16_380, 2_097_146, 2_097_150])
def test_remaining_lengths_of_every_size_round_trip(codec: ModuleType, message: type[Any], rest: bytes, size: int) -> None:
    """The sizes are around each point where the Remaining Length needs one more byte."""
    variable = b"\0\1t" + rest + b"a" * size
    length = next(bytes.fromhex(wire) for most, wire in LENGTHS.items() if len(variable) <= most)
    wire = packet(variable)
    assert len(wire) == 1 + len(length) + len(variable)
    assert codec.decode(wire) == message(topic_name="t", payload=b"a" * size)
    assert codec.encode(codec.decode(wire)) == wire


LENGTHS = {value: wire for value, wire in VARINTS.items() if value in {127, 16_383, 2_097_151, LARGEST}}

BAD_HEADS = {
    "nothing": ("", "truncated", 0),
    "no-length": ("30", "truncated", 1),
    "half-a-length": ("3080", "truncated", 2),
    "length-of-three-quarters": ("30808080", "truncated", 4),
    "one-byte-too-few": ("3004000174", "truncated", 2),
    "one-byte-too-few-behind-a-long-length": ("308001" + "00" * 127, "truncated", 3),
    "no-topic": ("3000", "truncated", 2),
    "no-topic-and-more": ("3000ffff", "truncated", 2),
    "half-a-topic-length": ("300100", "truncated", 2),
    "topic-beyond-the-packet": ("3003000274", "truncated", 2),
    "topic-beyond-the-packet-but-not-the-input": ("300300027474747474", "truncated", 2),
    "topic-not-utf8": ("3004000261ff", "bad_utf8", 4),
    "topic-with-a-surrogate": ("30050003eda080", "bad_utf8", 4),
    "topic-overlong": ("30040002c080", "bad_utf8", 4),
    "topic-with-nul": ("300400026100", "bad_utf8", 4),
    "topic-with-plus": ("30060002612b0000", "bad_topic", 2),
    "topic-with-hash": ("3006000223610000", "bad_topic", 2),
    "no-identifier": ("3203000174", "truncated", 5),
    "half-an-identifier": ("320400017401", "truncated", 5),
    "half-an-identifier-and-more": ("32040001740102", "truncated", 5),
    "identifier-0": ("32060001740000 00", "bad_value", 5),
    "identifier-0-of-qos-2": ("34060001740000 00", "bad_value", 5),
}


@pytest.mark.parametrize("codec", [mqtt5, mqtt311])
@pytest.mark.parametrize(("wire", "kind", "offset"), BAD_HEADS.values(), ids=list(BAD_HEADS))
def test_decode_rejects_malformed_fixed_headers(codec: ModuleType, wire: str, kind: str, offset: int) -> None:
    assert unread(codec.decode, wire) == (kind, offset, None)
    before = bytes.fromhex("3004 000174 00")
    if wire:
        assert unread(codec.decode_all, before + bytes.fromhex(wire)) == (kind, len(before) + offset, None)


@EACH_CODEC
def test_decode_all_reads_several_packets(codec: ModuleType, message: type[Any], rest: bytes) -> None:
    first, second = packet(b"\0\1t" + rest + b"hi"), packet(b"\0\1u\0\7" + rest, 0x32)
    made = [message(topic_name="t", payload=b"hi"), message(qos=1, topic_name="u", packet_identifier=7)]
    assert codec.decode_all(first + second) == made
    assert codec.decode_all(second) == made[1:]
    assert unread(codec.decode, first + second) == ("trailing_bytes", len(first), None)
    assert unread(codec.decode, second + b"\0") == ("trailing_bytes", len(second), None)
    assert unread(codec.decode_all, b"") == ("truncated", 0, None)
    for end in range(len(first)):
        assert unread(codec.decode, first[:end])[0] == "truncated"


@EACH_CODEC
@pytest.mark.parametrize("topic", ["t", "a/b", "/", " ", "é", "a" * 65_535, "é" * 32_767 + "a", "$SYS/a"])
def test_topics_round_trip(codec: ModuleType, message: type[Any], rest: bytes, topic: str) -> None:
    raw = topic.encode()
    wire = packet(len(raw).to_bytes(2) + raw + rest)
    assert codec.decode(wire) == message(topic_name=topic)
    assert codec.encode(message(topic_name=topic)) == wire


def test_decode_rejects_an_empty_topic_without_alias() -> None:
    assert unread(mqtt5.decode, "3003 0000 00") == ("bad_topic", 5, None)
    assert unread(mqtt5.decode, "3008 0000 05 0200000001") == ("bad_topic", 10, None)
    assert unread(mqtt311.decode, "3002 0000") == ("bad_topic", 0, None)
    assert unread(mqtt311.decode_all, "3003 000174 3002 0000") == ("bad_topic", 5, None)
    aliased = Message(topic_alias=1, payload=b"a")
    assert mqtt5.decode(bytes.fromhex("3007 0000 03 230001 61")) == aliased
    assert mqtt5.encode(aliased) == bytes.fromhex("3007 0000 03 230001 61")


# ---- properties -------------------------------------------------------------------------------------------------------

PROPERTIES: dict[str, tuple[Message, str]] = {
    "payload-format-0": (having(payload_format_indicator=0), "0100"),
    "payload-format-1": (having(payload_format_indicator=1), "0101"),
    "expiry-0": (having(message_expiry_interval=0), "0200000000"),
    "expiry": (having(message_expiry_interval=0x01020304), "0201020304"),
    "expiry-most": (having(message_expiry_interval=2**32 - 1), "02ffffffff"),
    "content-type": (having(content_type="aé"), "03000361c3a9"),
    "content-type-0": (having(content_type=""), "030000"),
    "content-type-255": (having(content_type="a" * 255), "0300ff" + "61" * 255),
    "content-type-256": (having(content_type="a" * 256), "030100" + "61" * 256),
    "content-type-65535": (having(content_type="a" * 65_535), "03ffff" + "61" * 65_535),
    "response-topic": (having(response_topic="a/é"), "080004612fc3a9"),
    "response-topic-256": (having(response_topic="a" * 256), "080100" + "61" * 256),
    "correlation-data": (having(correlation_data=b"\0\xff"), "09000200ff"),
    "correlation-data-0": (having(correlation_data=b""), "090000"),
    "correlation-data-256": (having(correlation_data=b"a" * 256), "090100" + "61" * 256),
    "correlation-data-65535": (having(correlation_data=b"a" * 65_535), "09ffff" + "61" * 65_535),
    "subscription-1": (having(subscription_identifiers=[1]), "0b01"),
    "subscription-127": (having(subscription_identifiers=[127]), "0b7f"),
    "subscription-128": (having(subscription_identifiers=[128]), "0b8001"),
    "subscription-most": (having(subscription_identifiers=[LARGEST]), "0bffffff7f"),
    "subscriptions": (having(subscription_identifiers=[300, 1, 300]), "0bac02 0b01 0bac02"),
    "topic-alias": (having(topic_alias=1), "230001"),
    "topic-alias-258": (having(topic_alias=258), "230102"),
    "topic-alias-most": (having(topic_alias=65_535), "23ffff"),
    "user": (having(user_properties=[("a", "é")]), "26000161 0002c3a9"),
    "user-empty": (having(user_properties=[("", "")]), "2600000000"),
    "user-twice": (having(user_properties=[("a", "1"), ("b", "2"), ("a", "1")]), "260001610001312600016200013226000161000131"),
    "user-name-255": (having(user_properties=[("a" * 255, "")]), "2600ff" + "61" * 255 + "0000"),
    "user-name-256": (having(user_properties=[("a" * 256, "")]), "260100" + "61" * 256 + "0000"),
    "user-value-255": (having(user_properties=[("", "a" * 255)]), "26000000ff" + "61" * 255),
    "user-value-256": (having(user_properties=[("", "a" * 256)]), "2600000100" + "61" * 256),
    "user-65535": (having(user_properties=[("a" * 65_535, "b" * 65_535)]), "26ffff" + "61" * 65_535 + "ffff" + "62" * 65_535),
    "all": (
        having(
            payload_format_indicator=1,
            message_expiry_interval=60,
            content_type="c",
            response_topic="r",
            correlation_data=b"d",
            subscription_identifiers=[1, 2],
            topic_alias=3,
            user_properties=[("a", "b"), ("c", "d")],
        ),
        "0101 020000003c 03000163 08000172 09000164 0b01 0b02 230003 26000161000162 26000163000164",
    ),
}
"""The identifiers of table 2-4 (section 3.3.2.3). The encoder writes them in this order, user properties last."""
EACH_PROPERTY = pytest.mark.parametrize(("message", "wire"), PROPERTIES.values(), ids=list(PROPERTIES))
SHORT = {name: properties for name, properties in PROPERTIES.items() if len(properties[1]) < 100}
ALONE = {name: properties for name, properties in SHORT.items() if name not in {"all", "subscriptions", "user-twice"}}
ONCE = {0x01: "0101", 0x02: "0200000001", 0x03: "03000163", 0x08: "08000172", 0x09: "09000164", 0x23: "230003"}
NAMES = {
    0x01: "payload_format_indicator",
    0x02: "message_expiry_interval",
    0x03: "content_type",
    0x08: "response_topic",
    0x09: "correlation_data",
    0x23: "topic_alias",
}


@EACH_PROPERTY
def test_properties_round_trip(message: Message, wire: str) -> None:
    assert mqtt5.decode(publish(wire)) == message
    assert mqtt5.encode(message) == publish(wire)
    message = having(**{name: getattr(message, name) for name in message.__dataclass_fields__} | {"payload": b"\2\0\0hi"})
    assert mqtt5.decode(publish(wire, b"\2\0\0hi")) == message
    careful = having(payload=b"\2\0\0hi")
    raw = bytes.fromhex(wire)
    printed.read_properties_carefully(careful, raw, 0, len(raw))
    assert careful == message


@EACH_PROPERTY
def test_paho_reads_and_writes_the_same(message: Message, wire: str) -> None:
    raw = bytes.fromhex(wire)
    raw = mqtt5.varint(len(raw)) + raw
    theirs, size = of_paho(PacketTypes.PUBLISH).unpack(raw)
    assert size == len(raw)
    names = {
        "topic_alias": "TopicAlias",
        "user_properties": "UserProperty",
        "subscription_identifiers": "SubscriptionIdentifier",
    }
    for field in NAMES.values():
        names.setdefault(field, field.title().replace("_", ""))
    for field, name in names.items():
        assert getattr(theirs, name, None) == getattr(message, field)
    theirs_again, _ = of_paho(PacketTypes.PUBLISH).unpack(theirs.pack())
    assert mqtt5.decode(packet(b"\0\1t" + theirs_again.pack())) == message


def test_decode_reads_properties_in_any_order() -> None:
    message, wire = PROPERTIES["all"]
    assert mqtt5.decode(publish("".join(reversed(wire.split())))) == having(
        **{name: getattr(message, name) for name in NAMES.values()},
        subscription_identifiers=[2, 1],
        user_properties=[("c", "d"), ("a", "b")],
    )
    assert mqtt5.encode(having(user_properties=[], subscription_identifiers=[])) == publish()
    assert mqtt5.encode(having(subscription_identifiers=(1,))) == publish("0b01")


@pytest.mark.parametrize("properties", SHORT.values(), ids=list(SHORT))
def test_decode_rejects_truncated_properties(properties: tuple[Message, str]) -> None:
    """Their length ends within a property. Further bytes of the packet make no difference."""
    _, wire = properties
    raw = bytes.fromhex(wire)
    for end in range(1, len(raw)):
        for rest in (b"", raw[end:], b"\xff" * 9, b"\0" * 9):
            if end in BETWEEN.get(wire, ()):
                assert mqtt5.decode(publish(raw[:end], rest)).payload == rest
                continue
            kind, offset, field = unread(mqtt5.decode, publish(raw[:end], rest))
            assert (kind, field) == ("truncated", None)
            assert offset is not None
            assert 6 < offset <= 6 + end
    assert unread(mqtt5.decode, packet(b"\0\1t" + mqtt5.varint(len(raw) + 1) + raw)) == ("truncated", 6, None)


BETWEEN = {
    PROPERTIES["all"][1]: (2, 7, 11, 15, 19, 21, 23, 26, 33),
    PROPERTIES["subscriptions"][1]: (3, 5),
    PROPERTIES["user-twice"][1]: (7, 14),
}
"""The offsets between the properties."""


@pytest.mark.parametrize("properties", ALONE.values(), ids=list(ALONE))
def test_errors_for_truncated_properties_have_the_offset_of_the_value(properties: tuple[Message, str]) -> None:
    raw = bytes.fromhex(properties[1])
    before = bytes.fromhex("0bac02") if raw[0] != 0x0B else b""
    for end in range(1, len(raw)):
        at = 6 + len(before) + 1
        if raw[0] == 0x0B:
            at = 6 + end
        elif raw[0] == 0x26 and end >= 3 + raw[2]:
            at += 2 + raw[2]  # the size of the value
        assert unread(mqtt5.decode, publish(before + raw[:end], b"\xff" * 9)) == ("truncated", at, None)


@pytest.mark.parametrize("identifier", ONCE)
def test_decode_rejects_repeated_properties(identifier: int) -> None:
    once, name = ONCE[identifier], NAMES[identifier]
    for between in ("", "26000161000162", "0b01"):
        at = 6 + len(once + between) // 2
        assert unread(mqtt5.decode, publish(once + between + once)) == ("repeated_property", at, name)
        for rest in ("", *SHAPES):
            again = f"{once}{between}{identifier:02x}{rest}"
            assert unread(mqtt5.decode, publish(again)) == ("repeated_property", at, name)


@pytest.mark.parametrize("identifier", sorted({*range(256)} - {*ONCE, 0x0B, 0x26}))
def test_decode_rejects_unknown_properties(identifier: int) -> None:
    """Properties of other packets are unknown, too."""
    for rest in ("", *SHAPES):
        raw = f"{identifier:02x}{rest}"
        assert unread(mqtt5.decode, publish(raw)) == ("unknown_property", 6, None)
        assert unread(mqtt5.decode, publish("2600000000 0101" + raw)) == ("unknown_property", 13, None)


SHAPES = ["01", "0001", "00000001", "000163", "000161000162"]
"""Contents after an identifier: one, two or four bytes, a string, a pair of strings."""

TRICKY = "\x0b\2" * 129
"""Text that readers with a wrong size would read as 129 subscription identifiers."""


@pytest.mark.parametrize(
    ("values", "wire"),
    [
        ({"content_type": TRICKY}, "030102" + "0b02" * 129),
        ({"response_topic": TRICKY}, "080102" + "0b02" * 129),
        ({"correlation_data": TRICKY.encode()}, "090102" + "0b02" * 129),
        ({"user_properties": [(TRICKY, "a")]}, "260102" + "0b02" * 129 + "000161"),
        ({"user_properties": [("a", TRICKY)]}, "260001610102" + "0b02" * 129),
        ({"user_properties": [(TRICKY, TRICKY)]}, ("260102" + "0b02" * 129) + ("0102" + "0b02" * 129)),
    ],
)
def test_decode_reads_text_that_looks_like_properties(values: dict[str, Any], wire: str) -> None:
    """There are more properties around the text than any wrong size could skip."""
    message = mqtt5.decode(publish("0b02" * 4 + wire + "0b02" * 8000))
    assert message == having(subscription_identifiers=[2] * 8004, **values)


BAD_PROPERTIES = {
    "payload-format-2": ("0102", "bad_value", 7, "payload_format_indicator"),
    "payload-format-255": ("0bac02 01ff", "bad_value", 10, "payload_format_indicator"),
    "topic-alias-0": ("230000", "bad_value", 7, "topic_alias"),
    "subscription-0": ("0b00", "bad_value", 6, None),
    "second-subscription-0": ("0b01 0b00", "bad_value", 8, None),
    "subscription-of-five-bytes": ("0b8080808001", "bad_varint", 7, None),
    "content-type-not-utf8": ("03000261ff", "bad_utf8", 9, None),
    "content-type-with-nul": ("0300026100", "bad_utf8", 9, None),
    "response-topic-not-utf8": ("080001ff", "bad_utf8", 9, None),
    "response-topic-with-nul": ("0800026100", "bad_utf8", 9, None),
    "response-topic-empty": ("080000", "bad_topic", 6, "response_topic"),
    "second-response-topic-empty": ("0b01 080000", "bad_topic", 8, "response_topic"),
    "response-topic-with-plus": ("080002612b", "bad_topic", 6, "response_topic"),
    "response-topic-with-hash": ("08000123", "bad_topic", 6, "response_topic"),
    "second-wildcard": ("0b01 08000123", "bad_topic", 8, "response_topic"),
    "user-name-not-utf8": ("260001ff0000", "bad_utf8", 9, None),
    "user-name-with-nul": ("260001000000", "bad_utf8", 9, None),
    "user-value-not-utf8": ("260001610001ff", "bad_utf8", 12, None),
    "user-value-with-nul": ("26000161000100", "bad_utf8", 12, None),
    "second-user-value-with-nul": ("2600000000 26000161000100", "bad_utf8", 17, None),
    "first-of-two-that-are-wrong": ("0102 26000161000100", "bad_value", 7, "payload_format_indicator"),
    "first-of-two-others": ("26000161000100 0102", "bad_utf8", 12, None),
}


@pytest.mark.parametrize(("wire", "kind", "offset", "field"), BAD_PROPERTIES.values(), ids=list(BAD_PROPERTIES))
def test_decode_rejects_malformed_properties(wire: str, kind: str, offset: int, field: str | None) -> None:
    assert unread(mqtt5.decode, publish(wire)) == (kind, offset, field)
    assert unread(mqtt5.decode, publish(wire, b"\1\1\1\1\1")) == (kind, offset, field)


@pytest.mark.parametrize(
    ("wire", "offset"),
    [
        ("3003 000174", 5),
        ("3004 000174 80", 6),
        ("3004 000174 01", 6),
        ("3005 000174 02 01", 6),
        ("3005 000174 02 01 0101", 6),
        ("3006 000174 8001 00", 7),
    ],
)
def test_decode_rejects_properties_beyond_their_packet(wire: str, offset: int) -> None:
    assert unread(mqtt5.decode, wire) == ("truncated", offset, None)


# ---- refusals of the encoder --------------------------------------------------------------------------------------------


@EACH_CODEC
@pytest.mark.parametrize("unfit", [-1, True, None, "1", 1.0])
def test_encode_rejects_invalid_flags(codec: ModuleType, message: type[Any], rest: bytes, unfit: Any) -> None:
    del rest
    for name, most in (("dup", 1), ("qos", 2), ("retain", 1)):
        for value in (unfit, most + 1):
            flags = {"qos": 1, "topic_name": "t"} | {name: value}
            assert unwritten(codec.encode, message(**flags)) == ("bad_value", name)
    assert unwritten(codec.encode, message(dup=2, qos=3, retain=2, topic_name="t")) == ("bad_value", "dup")
    assert unwritten(codec.encode, message(dup=1, qos=3, retain=2, topic_name="t")) == ("bad_value", "qos")
    assert unwritten(codec.encode, message(dup=1, qos=2, retain=2, topic_name="t")) == ("bad_value", "retain")
    assert unwritten(codec.encode, message(dup=1, topic_name="t")) == ("bad_flags", "dup")


@EACH_CODEC
@pytest.mark.parametrize("unfit", ["", "+", "a/#", "\0", "\ud800", "a" * 65_536, "é" * 32_768, b"t", None, 5])
def test_encode_rejects_invalid_topics(codec: ModuleType, message: type[Any], rest: bytes, unfit: Any) -> None:
    del rest
    assert unwritten(codec.encode, message(topic_name=unfit)) == ("bad_topic", "topic_name")
    if unfit != "" and message is Message:
        assert unwritten(codec.encode, message(topic_name=unfit, topic_alias=1)) == ("bad_topic", "topic_name")


@EACH_CODEC
def test_encode_writes_packet_identifiers_by_qos(codec: ModuleType, message: type[Any], rest: bytes) -> None:
    """With QoS 1 and 2 a missing identifier is written as 1. With QoS 0 none is written."""
    for qos, first in ((1, 0x32), (2, 0x34)):
        for identifier, raw in ((None, b"\0\1"), (1, b"\0\1"), (258, b"\1\2"), (65_535, b"\xff\xff")):
            made = message(qos=qos, topic_name="t", packet_identifier=identifier)
            assert codec.encode(made) == packet(b"\0\1t" + raw + rest, first)
        for unfit in (0, -1, 65_536, True, 1.0, "1"):
            made = message(qos=qos, topic_name="t", packet_identifier=unfit)
            assert unwritten(codec.encode, made) == ("bad_value", "packet_identifier")
    assert codec.encode(message(topic_name="t", packet_identifier=7)) == packet(b"\0\1t" + rest)


@EACH_CODEC
@pytest.mark.parametrize("unfit", ["hi", None, bytearray(b"hi"), 5])
def test_encode_rejects_invalid_payloads(codec: ModuleType, message: type[Any], rest: bytes, unfit: Any) -> None:
    del rest
    assert unwritten(codec.encode, message(topic_name="t", payload=unfit)) == ("bad_value", "payload")


def test_encode_rejects_packets_beyond_the_largest() -> None:
    properties = LARGEST - 5  # their size alone counts here, so that the test does not need 256 MiB

    def head(payload: bytes) -> bytes:
        return mqtt5.written_head(0, 0, 0, "t", 0, payload, properties).getvalue()

    assert head(b"hi").hex() == "30ffffff7f000174"
    assert unwritten(head, b"hi!") == ("too_large", "payload")


UNFIT: dict[str, list[Any]] = {
    "payload_format_indicator": [-1, 2, "1", b"\1", []],
    "message_expiry_interval": [-1, 2**32, 1.0, True, "1"],
    "content_type": ["\0", "a\0", "\ud800", "a" * 65_536, b"a", 5],
    "response_topic": ["", "\0", "\ud800", "a" * 65_536, b"a", 5, "+", "a/#"],
    "correlation_data": [b"a" * 65_536, "a", bytearray(b"a"), 5],
    "subscription_identifiers": [[0], [1, 0], [-1], [LARGEST + 1], [True], ["1"], [None], 5, {1: 2}, "1", {1}],
    "topic_alias": [0, -1, 65_536, 1.0, True, "1"],
    "user_properties": [5, True, {"abc": "d"}, "abc"],
}


@pytest.mark.parametrize(
    ("name", "value"),
    [pytest.param(name, value, id=f"{name}-{value!r:.20}") for name, unfit in UNFIT.items() for value in unfit],
)
def test_encode_rejects_invalid_properties(name: str, value: Any) -> None:
    assert unwritten(mqtt5.encode, having(**{name: value})) == ("bad_value", name)


@pytest.mark.parametrize("pair", [5, None, (), ("a",), ("a", "b", "c"), "abc"])
def test_encode_rejects_user_properties_that_are_not_pairs(pair: Any) -> None:
    assert unwritten(mqtt5.encode, having(user_properties=[pair])) == ("bad_value", "user_properties[0]")
    assert unwritten(mqtt5.encode, having(user_properties=[("a", "b"), pair])) == ("bad_value", "user_properties[1]")


@pytest.mark.parametrize("unfit", ["\0", "a\0", "\ud800", "a" * 65_536, "é" * 32_768, b"a", 5, None])
def test_encode_rejects_invalid_keys_and_values_of_pairs(unfit: Any) -> None:
    for before in ([], [("a", "b")]):
        wrong = having(user_properties=[*before, ("k", unfit)])
        assert unwritten(mqtt5.encode, wrong) == ("bad_value", 'user_properties["k"]')
        wrong = having(user_properties=[*before, (unfit, "v")])
        assert unwritten(mqtt5.encode, wrong) == ("bad_value", brief(f'user_properties["{unfit}"]'))


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (Message(), "no topic in topic_name; try the option address"),
        (Message(topic_name="#"), "contains a wildcard"),
        (having(qos=3), "not between 0 and 2"),
        (having(retain=2), "not between 0 and 1"),
        (having(user_properties=[("k", "a\0")]), "contains NUL"),
    ],
)
def test_encode_errors_describe_the_value(message: Message, words: str) -> None:
    with pytest.raises(EncodeError, match=words):
        mqtt5.encode(message)


# ---- properties of both readers -----------------------------------------------------------------------------------------


@given(MESSAGES["mqtt-5.0"])
def test_careful_readers_give_the_same_properties(message: Message) -> None:
    """A second reader reads properties that the first one refused. Both give the same for valid ones."""
    wire = mqtt5.encode(message)
    quick = mqtt5.decode(wire)
    dup, qos, retain, topic, identifier, at, end = mqtt5.read_head(wire, 0)
    size, at = mqtt5.read_varint(wire, at, end)
    careful = Message(dup, qos, retain, topic, identifier, payload=wire[at + size :])
    printed.read_properties_carefully(careful, wire, at, at + size)
    assert careful == quick


@given(MESSAGES["mqtt-5.0"])
def test_paho_reads_every_message(message: Message) -> None:
    """paho, an independent codec, reads the properties; what it writes in its own order reads back the same."""
    wire = mqtt5.encode(message)
    *_, at, _ = mqtt5.read_head(wire, 0)
    theirs, size = of_paho(PacketTypes.PUBLISH).unpack(wire[at:])
    again = packet(_head(wire, at) + theirs.pack() + wire[at + size :], wire[0])
    assert mqtt5.decode(again) == mqtt5.decode(wire)


def _head(wire: bytes, at: int) -> bytes:
    """Return topic name and packet identifier."""
    _, start = mqtt5.read_varint(wire, 1, len(wire))
    return wire[start:at]


@pytest.mark.parametrize("unfit", ["ab", ["ab"], {"ab": 1}, [["a", "b"]], [("a",)], [("a", "b", "c")], ["ab", ("c", "d")], 0])
def test_encode_rejects_user_properties_of_another_type(unfit: Any) -> None:
    code, field = unwritten(mqtt5.encode, having(user_properties=unfit))
    assert (code, str(field).partition("[")[0]) == ("bad_value", "user_properties")


@pytest.mark.parametrize(
    ("name", "unfit"),
    [("payload_format_indicator", True), ("payload_format_indicator", 1.0), ("payload_format_indicator", 2),
     ("subscription_identifiers", 0), ("subscription_identifiers", ""), ("subscription_identifiers", {1: 2})],
)  # fmt: skip
def test_encode_rejects_similar_types_as_numbers_and_lists(name: str, unfit: Any) -> None:
    assert unwritten(mqtt5.encode, having(**{name: unfit})) == ("bad_value", name)

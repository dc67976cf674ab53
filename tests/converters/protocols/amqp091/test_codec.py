"""AMQP 0.9.1: every frame, property and field type by the specification; then the refusals with their places; then the bounds.

Sections 2.3.5 (frames), 1.8.3 (methods), 4.2.5.5 (field tables) and 4.2.6.1 (properties) of the specification, and the letters
of RabbitMQ's errata page, which differ from the specification's.
"""

from collections.abc import Callable
from dataclasses import fields, replace
from decimal import Decimal
from typing import Any

import pika
import pika.data
import pika.frame
import pytest
from hypothesis import given, reject

import mqconvert.converters.protocols.amqp091.printed_codec as printed
from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.primitives import Writer
from mqconvert.converters.model.values import Decimal091, Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import codec as amqp091
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from tests.entries import entry
from tests.refusals import unread, unwritten
from tests.strategies import MESSAGES

T = TypedValue
VOID = T("void", None)
MOST = 100
"""The maximum levels of nesting: values.MAX_DEPTH, written out."""
ILL: Any = 5.5
"""A value of a type that no place below allows."""


def having(name: str, value: Any) -> BasicProperties:
    """Return properties with one property set."""
    properties = BasicProperties()
    setattr(properties, name, value)
    return properties


def frame(kind: int, raw: bytes, channel: int = 1, end: int = 0xCE) -> bytes:
    """Return a frame: type, channel, size, payload, end byte."""
    return bytes((kind,)) + channel.to_bytes(2) + len(raw).to_bytes(4) + raw + bytes((end,))


def head(properties: str = "0000", size: int = 0, class_id: int = 60, **options: int) -> bytes:
    """Return a content header frame: class, weight, body size, then flags and property list from offset 19 on."""
    return frame(2, class_id.to_bytes(2) + b"\0\0" + size.to_bytes(8) + bytes.fromhex(properties), **options)


def body(raw: bytes = b"hi", **options: int) -> bytes:
    return frame(3, raw, **options)


# ---- field tables -----------------------------------------------------------------------------------------------------

VALUES: dict[str, tuple[Any, ...]] = {
    "true": (T("bool", True), "7401", "74ff", "7402"),
    "false": (T("bool", False), "7400"),
    "byte-least": (T("byte", -128), "6280"),
    "byte-most": (T("byte", 127), "627f"),
    "unsignedbyte-0": (T("unsignedbyte", 0), "4200"),
    "unsignedbyte-most": (T("unsignedbyte", 255), "42ff"),
    "short-least": (T("short", -(2**15)), "738000"),
    "short-258": (T("short", 258), "730102", "550102"),
    "short-most": (T("short", 2**15 - 1), "737fff"),
    "unsignedshort-258": (T("unsignedshort", 258), "750102"),
    "unsignedshort-most": (T("unsignedshort", 2**16 - 1), "75ffff"),
    "signedint-least": (T("signedint", -(2**31)), "4980000000"),
    "signedint-258": (T("signedint", 258), "4900000102"),
    "signedint-most": (T("signedint", 2**31 - 1), "497fffffff"),
    "unsignedint-258": (T("unsignedint", 258), "6900000102"),
    "unsignedint-most": (T("unsignedint", 2**32 - 1), "69ffffffff"),
    "long-least": (T("long", -(2**63)), "6c8000000000000000", "4c8000000000000000"),
    "long-258": (T("long", 258), "6c0000000000000102", "4c0000000000000102"),
    "long-most": (T("long", 2**63 - 1), "6c7fffffffffffffff", "4c7fffffffffffffff"),
    "float": (T("float", 1.5), "663fc00000"),
    "double": (T("double", 1.5), "643ff8000000000000"),
    "decimal": (T("decimal", Decimal091(2, 314)), "44020000013a"),
    "decimal-0": (T("decimal", Decimal091(0, 0)), "440000000000"),
    "decimal-most": (T("decimal", Decimal091(255, 2**31 - 1)), "44ff7fffffff"),
    "decimal-least": (T("decimal", Decimal091(0, -(2**31))), "440080000000"),
    "decimal-negative": (T("decimal", Decimal091(2, -314)), "4402fffffec6"),
    "longstr": (T("longstr", b"\0\xff"), "530000000200ff"),
    "longstr-0": (T("longstr", b""), "5300000000"),
    "longstr-256": (T("longstr", b"a" * 256), "5300000100" + "61" * 256),
    "binary": (T("binary", b"\0\xff"), "780000000200ff"),
    "binary-0": (T("binary", b""), "7800000000"),
    "binary-256": (T("binary", b"a" * 256), "7800000100" + "61" * 256),
    "timestamp-0": (T("timestamp", 0), "540000000000000000"),
    "timestamp-258": (T("timestamp", 258), "540000000000000102"),
    "timestamp-most": (T("timestamp", 2**64 - 1), "54ffffffffffffffff"),
    "void": (VOID, "56"),
    "array-0": (T("array", []), "4100000000"),
    "array": (T("array", [VOID, T("byte", 1), T("longstr", b"a")]), "41 00000009 56 6201 530000000161"),
    "array-of-arrays": (T("array", [T("array", []), T("array", [VOID])]), "41 0000000b 4100000000 410000000156"),
    "array-of-tables": (T("array", [T("table", [entry("k", VOID)])]), "41 00000008 46 00000003 016b56"),
    "table-0": (T("table", []), "4600000000"),
    "table": (T("table", [entry("k", VOID), Entry("k", "byte", 1), entry("", VOID)]), "46 00000009 016b56 016b6201 0056"),
    "table-of-tables": (T("table", [Entry("a", "table", [entry("b", VOID)])]), "46 0000000a 0161 46 00000003 016256"),
    "table-of-arrays": (T("table", [Entry("a", "array", [T("bool", True)])]), "46 00000009 0161 41 00000002 7401"),
}
"""A value and its possible bytes, letter first; the encoder writes the first form."""
EACH_FORM = pytest.mark.parametrize(
    ("value", "wire"),
    [pytest.param(value, wire, id=f"{name}-{wire[:2]}") for name, (value, *forms) in VALUES.items() for wire in forms],
)
EACH_VALUE = pytest.mark.parametrize(("value", "wire"), [forms[:2] for forms in VALUES.values()], ids=list(VALUES))


def sized(raw: bytes) -> bytes:
    return len(raw).to_bytes(4) + raw


def headers(*entries: bytes) -> bytes:
    """Return flags and property list of headers only; the first entry begins at offset 6."""
    return b"\x20\x00" + sized(b"".join(entries))


@EACH_FORM
def test_decode_reads_every_field_value(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex(wire)
    read = amqp091.decode_properties(headers(b"\1k" + raw, b"\0" + raw))
    assert repr(read.headers) == repr([entry("k", value), entry("", value)])
    assert amqp091.decode_properties(headers(b"\1kA" + sized(raw + raw))).headers == [Entry("k", "array", [value, value])]
    table = headers(b"\1kF" + sized(b"\1k" + raw))
    assert amqp091.decode_properties(table).headers == [Entry("k", "table", [entry("k", value)])]


@EACH_VALUE
def test_encode_writes_every_field_value(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex(wire)
    array, table = T("array", [value, value]), T("table", [entry("k", value)])
    for key, name in ((b"\1k", "k"), (b"\1\xff", "\udcff")):  # the second key takes the slow path
        written = amqp091.encode_properties(BasicProperties(headers=[entry("a", VOID), entry(name, value)]))
        assert written == headers(b"\1aV", key + raw)
        written = amqp091.encode_properties(BasicProperties(headers=[entry(name, array), entry("a", table)]))
        assert written == headers(key + b"A" + sized(raw + raw), b"\1aF" + sized(b"\1k" + raw))


@EACH_FORM
def test_decode_rejects_values_larger_than_their_table(value: TypedValue, wire: str) -> None:
    """The size in a table or array is one byte too small, and enough bytes follow."""
    raw = b"\1k" + bytes.fromhex(wire)
    at = 6 + 3 if value.type in {"table", "array"} else 6 + len(raw) - 1  # offset of its size, or the end of the table
    short = b"\x30\x00" + (len(raw) - 1).to_bytes(4) + raw + b"\2" * 300
    assert unread(amqp091.decode_properties, short) == ("truncated", at, None)
    inner = raw[2:]
    if len(inner) == 1:
        return  # without this byte the array is empty, and valid
    at = 6 + 2 + 5 + (1 if value.type in {"table", "array"} else len(inner) - 1)
    short = headers(b"\1kA" + (len(inner) - 1).to_bytes(4) + inner + b"\1k" + b"V" * 300)
    assert unread(amqp091.decode_properties, short) == ("truncated", at, None)


@EACH_VALUE
def test_decode_rejects_truncated_values(value: TypedValue, wire: str) -> None:
    del value  # only the bytes are used
    raw = headers(b"\1k" + bytes.fromhex(wire))
    for end in {*range(min(len(raw), 40)), len(raw) - 1}:
        kind, offset, field = unread(amqp091.decode_properties, raw[:end])
        assert (kind, field) == ("truncated", None)
        assert offset == end if end < 6 else offset == 2  # the table extends beyond the end
    assert unread(amqp091.decode_properties, raw + b"\0") == ("trailing_bytes", len(raw), None)


PIKA_READS = {name: forms[:2] for name, forms in VALUES.items() if name != "timestamp-most"}  # Python's datetime cannot hold it


@pytest.mark.parametrize(("value", "wire"), PIKA_READS.values(), ids=list(PIKA_READS))
def test_pika_reads_encoded_values(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex(wire)
    theirs, end = pika.data.decode_value(raw, 0)
    assert end == len(raw)
    if value.type in NATIVE:
        assert theirs == NATIVE[value.type](value.value)


NATIVE: dict[str, Callable[[Any], Any]] = {
    **dict.fromkeys(("bool", "byte", "unsignedbyte", "short", "unsignedshort", "signedint", "unsignedint", "long"), int),
    "binary": bytes,
    "void": lambda _value: None,
}
"""pika's Python values of simple types: not text, times, decimals, compound values, or floats, which pika truncates."""


def test_pika_reads_decimals_and_tables() -> None:
    for name, value in (("decimal", "3.14"), ("decimal-negative", "-3.14")):
        raw = bytes.fromhex(VALUES[name][1])
        assert pika.data.decode_value(raw, 0) == (Decimal(value), len(raw))
    raw = bytes.fromhex(VALUES["table-of-tables"][1])
    assert pika.data.decode_value(raw, 0) == ({"a": {"b": None}}, len(raw))
    raw = bytes.fromhex(VALUES["array"][1])
    assert pika.data.decode_value(raw, 0) == ([None, 1, "a"], len(raw))


LETTERS = b"tbBsuUIilLfdDSxATFV"


@pytest.mark.parametrize("letter", sorted({*range(256)} - {*LETTERS}))
def test_decode_rejects_unknown_type_letters(letter: int) -> None:
    raw = bytes((letter,)) + b"\0" * 20
    assert unread(amqp091.decode_properties, headers(b"\1k" + raw)) == ("unknown_type", 8, None)
    assert unread(amqp091.decode_properties, headers(b"\1kA" + sized(raw))) == ("unknown_type", 13, None)


BAD_TABLES = {
    "without-size": ("2000 000000", "truncated", 5),
    "beyond-the-input": ("2000 00000001", "truncated", 2),
    "huge": ("2000 ffffffff", "truncated", 2),
    "beyond-the-input-by-one": ("2000 00000004 016b56", "truncated", 2),
    "inner-beyond-the-outer": ("2000 00000007 016b 46 00000001 0056", "truncated", 9),
    "inner-array-beyond-the-outer": ("2000 00000007 016b 41 00000001 56", "truncated", 9),
    "key-without-value": ("2000 00000002 016b", "truncated", 8),
    "key-beyond-the-table": ("2000 00000002 056b", "truncated", 8),
    "key-size-alone": ("2000 00000001 01", "truncated", 7),
    "key-beyond-the-table-but-not-the-input": ("2040 00000001 01 5656565656565656", "truncated", 7),
    "array-of-half-a-value": ("2000 0000000b 016b 41 00000002 7300 0056", "truncated", 15),
}


@pytest.mark.parametrize(("wire", "kind", "offset"), BAD_TABLES.values(), ids=list(BAD_TABLES))
def test_decode_rejects_malformed_tables(wire: str, kind: str, offset: int) -> None:
    assert unread(amqp091.decode_properties, wire) == (kind, offset, None)


@pytest.mark.parametrize("size", [0, 1, 254, 255])
def test_keys_of_every_length_round_trip(size: int) -> None:
    raw = headers(bytes((size,)) + b"k" * size + b"V")
    assert amqp091.decode_properties(raw) == BasicProperties(headers=[entry("k" * size, VOID)])
    assert amqp091.encode_properties(BasicProperties(headers=[entry("k" * size, VOID)])) == raw


# ---- properties -------------------------------------------------------------------------------------------------------

SHORT_STRINGS = {
    "content_type": 0x8000,
    "content_encoding": 0x4000,
    "correlation_id": 0x0400,
    "reply_to": 0x0200,
    "expiration": 0x0100,
    "message_id": 0x0080,
    "type": 0x0020,
    "user_id": 0x0010,
    "app_id": 0x0008,
    "cluster_id": 0x0004,
}
BYTES = {"delivery_mode": 0x1000, "priority": 0x0800}
EACH_STRING = pytest.mark.parametrize(("name", "flag"), SHORT_STRINGS.items(), ids=list(SHORT_STRINGS))
PROPERTIES: dict[str, tuple[BasicProperties, str]] = {
    "none": (BasicProperties(), "0000"),
    **{name: (having(name, "ab"), f"{flag:04x} 026162") for name, flag in SHORT_STRINGS.items()},
    "headers": (BasicProperties(headers=[entry("k", VOID)]), "2000 00000003 016b56"),
    "headers-0": (BasicProperties(headers=[]), "2000 00000000"),
    "delivery_mode": (BasicProperties(delivery_mode=2), "1000 02"),
    "delivery_mode-0": (BasicProperties(delivery_mode=0), "1000 00"),
    "delivery_mode-255": (BasicProperties(delivery_mode=255), "1000 ff"),
    "priority": (BasicProperties(priority=9), "0800 09"),
    "priority-0": (BasicProperties(priority=0), "0800 00"),
    "priority-255": (BasicProperties(priority=255), "0800 ff"),
    "timestamp-0": (BasicProperties(timestamp=0), "0040 0000000000000000"),
    "timestamp": (BasicProperties(timestamp=1_700_000_000), "0040 000000006553f100"),
    "timestamp-most": (BasicProperties(timestamp=2**64 - 1), "0040 ffffffffffffffff"),
    "all": (
        BasicProperties("a", "b", [], 1, 2, "c", "d", "e", "f", 3, "g", "h", "i", "j"),
        "fffc 0161 0162 00000000 01 02 0163 0164 0165 0166 0000000000000003 0167 0168 0169 016a",
    ),
}


def carefully(properties: BasicProperties) -> bytes:
    out = Writer()
    printed.write_properties_carefully(out, properties)
    return bytes(out.getvalue())


@pytest.mark.parametrize(("properties", "wire"), PROPERTIES.values(), ids=list(PROPERTIES))
def test_properties_round_trip(properties: BasicProperties, wire: str) -> None:
    raw = bytes.fromhex(wire)
    assert amqp091.decode_properties(raw) == properties
    assert amqp091.encode_properties(properties) == raw
    assert carefully(properties) == raw
    assert amqp091.decode(head(wire)) == Message(properties)
    assert amqp091.encode(Message(properties)) == head(wire)
    for end in range(len(raw)):
        assert unread(amqp091.decode_properties, raw[:end])[0] == "truncated"
    assert unread(amqp091.decode_properties, raw + b"\0") == ("trailing_bytes", len(raw), None)
    assert unread(amqp091.decode, head(wire + "00")) == ("trailing_bytes", 7 + 12 + len(raw), None)


@pytest.mark.parametrize("name", [name for name in PROPERTIES if name not in {"none", "all"}])
def test_decode_rejects_properties_truncated_within_a_frame(name: str) -> None:
    """The frame ends before its property list. The offset is that of the end, or of the table that reaches beyond it."""
    raw = bytes.fromhex(PROPERTIES[name][1])
    for end in range(2, len(raw)):
        wire = head(raw[:end].hex(), size=300) + body(b"\0" * 300)
        at = 21 if name.startswith("headers") else 19 + end
        assert unread(amqp091.decode, wire) == ("truncated", at, None)


@EACH_STRING
def test_short_strings_round_trip(name: str, flag: int) -> None:
    for text, raw in (("", b""), ("é" * 127 + "a", "é".encode() * 127 + b"a"), ("a\udcffb", b"a\xffb"), ("\0", b"\0")):
        properties = having(name, text)
        wire = flag.to_bytes(2) + bytes((len(raw),)) + raw
        assert amqp091.decode_properties(wire) == properties
        assert amqp091.encode_properties(properties) == wire
        assert carefully(properties) == wire
    for unfit in ("é" * 128, "a" * 256, "\ud800", "\udcff" * 256, b"a", 5, True):
        properties = having(name, unfit)
        assert unwritten(amqp091.encode, Message(properties)) == ("bad_value", f"basic.{name}")


@pytest.mark.parametrize("name", [*BYTES, "timestamp"])
def test_encode_rejects_numbers_out_of_range(name: str) -> None:
    high = 2**64 if name == "timestamp" else 256
    for unfit in (-1, high, 1.0, "1", b"1"):
        properties = having(name, unfit)
        assert unwritten(amqp091.encode, Message(properties)) == ("bad_value", f"basic.{name}")
    if name in BYTES:
        assert unwritten(amqp091.encode, Message(having(name, True))) == ("bad_value", f"basic.{name}")


@pytest.mark.parametrize("flags", range(0, 0x40, 4))
def test_all_combinations_of_the_last_properties_round_trip(flags: int) -> None:
    """All have the same text: equal values are not absent ones."""
    names = [name for name, flag in SHORT_STRINGS.items() if flag & flags]
    properties = BasicProperties()
    for name in names:
        setattr(properties, name, "x")
    raw = flags.to_bytes(2) + b"\1x" * len(names)
    assert amqp091.encode_properties(properties) == raw
    assert amqp091.decode_properties(raw) == properties


@pytest.mark.parametrize("flags", [1, 2, 3, 0x8001, 0xFFFF])
def test_decode_rejects_unknown_flags(flags: int) -> None:
    """Bit 0 announces more flags, which the Basic class lacks (section 4.2.6.1). Bit 1 is unassigned."""
    wire = f"{flags:04x}" + "00" * 30
    assert unread(amqp091.decode_properties, wire) == ("bad_flags", 0, None)
    assert unread(amqp091.decode, head(wire)) == ("bad_flags", 19, None)


def test_invalid_utf8_round_trips_beside_valid_text() -> None:
    """Invalid bytes may be in keys, names and values. Valid text beside them is unchanged."""
    wire = b"\xa0\x00" + b"\2\xc3\xa9" + sized(b"\1\xffV\2\xc3\xa9V")
    assert amqp091.decode_properties(wire) == BasicProperties("é", headers=[entry("\udcff", VOID), entry("é", VOID)])
    assert amqp091.encode_properties(amqp091.decode_properties(wire)) == wire


def test_pika_reads_and_writes_the_same_properties() -> None:
    properties, wire = PROPERTIES["all"]
    raw = bytes.fromhex(wire)
    theirs = pika.BasicProperties()
    theirs.decode(raw)
    for field in fields(BasicProperties):
        expected = getattr(properties, field.name)
        assert getattr(theirs, field.name) == ({} if field.name == "headers" else expected)
    assert b"".join(theirs.encode()) == raw


# ---- frames -----------------------------------------------------------------------------------------------------------

METHODS = {
    "publish": "003c0028 0000 0165 026b6b 03",  # reserved, exchange, routing key, bits
    "return": "003c0032 0138 02 4e4f 0165 026b6b",  # reply code and text, exchange, routing key
    "deliver": "003c003c 03746167 0000000000000001 01 0165 026b6b",
    "get-ok": "003c0047 0000000000000001 00 0165 026b6b 00000007",  # tag, redelivered, exchange, routing key, count
}
METHODS_OF_PIKA = {
    "publish": pika.spec.Basic.Publish(exchange="e", routing_key="kk", mandatory=True, immediate=True),
    "return": pika.spec.Basic.Return(312, "NO", "e", "kk"),
    "deliver": pika.spec.Basic.Deliver("tag", 1, True, "e", "kk"),
    "get-ok": pika.spec.Basic.GetOk(1, False, "e", "kk", 7),
}
EACH_METHOD = pytest.mark.parametrize("name", METHODS)


@EACH_METHOD
def test_decode_reads_every_method_with_content(name: str) -> None:
    raw = bytes.fromhex(METHODS[name])
    for channel in (0, 1, 65535):
        wire = frame(1, raw, channel=channel) + head(size=2, channel=channel) + body(channel=channel)
        assert amqp091.decode(wire) == Message(payload=b"hi", exchange="e", routing_key="kk")
    assert frame(1, raw) == pika.frame.Method(1, METHODS_OF_PIKA[name]).marshal()


@EACH_METHOD
def test_decode_rejects_methods_of_the_wrong_length(name: str) -> None:
    raw = bytes.fromhex(METHODS[name])
    after = 7 + raw.index(b"kk") + 2  # offset of the end of the routing key
    assert unread(amqp091.decode, frame(1, raw + b"\0") + head()) == ("bad_length", after, None)
    for end in range(4, len(raw)):
        kind, offset, field = unread(amqp091.decode, frame(1, raw[:end]) + head())
        assert (kind, field) == ("bad_length" if 7 + end >= after else "truncated", None)
        assert offset is not None
        assert offset <= after
    assert unread(amqp091.decode, frame(1, raw[: after - 7 - 1]) + head()) == ("truncated", after - 3, None)
    for end in range(4):
        assert unread(amqp091.decode, frame(1, raw[:end]) + head()) == ("truncated", 7, None)


@pytest.mark.parametrize(
    ("method", "offset"),
    [
        ("003c0028 0000 05 65 00 00", 13),
        ("003c0028 0000 01 65 05 00", 15),
        ("003c0032 0138 09 4e 00 00", 13),
        ("003c0032 0138 00 05 00 00", 14),
        ("003c003c 20 746167 0000000000000001 01 00 00", 11),
        ("003c003c 00 0000000000000001 01 03 00", 21),
        ("003c0047 0000000000000001 00 07 00 00000007", 20),
    ],
)
def test_decode_rejects_short_strings_beyond_their_method(method: str, offset: int) -> None:
    assert unread(amqp091.decode, frame(1, bytes.fromhex(method)) + head() * 10) == ("truncated", offset, None)


@pytest.mark.parametrize("method", ["003c001e", "0032 0028", "003c0050", "003c0029", "003d0028", "003c003b", "0000 0000"])
def test_decode_rejects_methods_without_content(method: str) -> None:
    for arguments in ("", "0000 00 00 00"):
        raw = bytes.fromhex(method + arguments)
        assert unread(amqp091.decode, frame(1, raw) + head()) == ("bad_frame", 7, None)


def test_names_with_invalid_utf8_round_trip() -> None:
    wire = frame(1, b"\0\x3c\0\x28\0\0\1\xff\2\xc3\xa9\0") + head()
    assert amqp091.decode(wire) == Message(exchange="\udcff", routing_key="é")
    assert amqp091.encode(amqp091.decode(wire)) == wire


PUBLISH = frame(1, bytes.fromhex("003c0028 0000 00 00 00"))
"""A method frame of 17 bytes."""
CONTENTS = {
    "header": (head(), b""),
    "one-body": (head(size=2) + body(), b"hi"),
    "two-bodies": (head(size=3) + body(b"h") + body(b"ii"), b"hii"),
    "empty-bodies": (head(size=2) + body(b"") + body(b"h") + body(b"") + body(b"i"), b"hi"),
    "weight": (frame(2, bytes.fromhex("003c ffff 0000000000000000 0000")), b""),
}


@pytest.mark.parametrize(("wire", "payload"), CONTENTS.values(), ids=list(CONTENTS))
def test_contents_round_trip(wire: bytes, payload: bytes) -> None:
    assert amqp091.decode(wire) == Message(payload=payload)
    assert amqp091.decode(PUBLISH + wire) == Message(payload=payload, exchange="", routing_key="")
    assert amqp091.decode_all(wire + PUBLISH + wire) == [Message(payload=payload), amqp091.decode(PUBLISH + wire)]
    for raw in (wire, PUBLISH + wire):
        for end in range(len(raw)):
            assert unread(amqp091.decode, raw[:end]) == ("truncated", end, None)
            if end:
                assert unread(amqp091.decode_all, raw + raw[:end]) == ("truncated", len(raw) + end, None)
        assert unread(amqp091.decode, raw + b"\1") == ("trailing_bytes", len(raw), None)
        assert unread(amqp091.decode, raw + raw) == ("trailing_bytes", len(raw), None)


BAD_FRAMES = {
    "nothing": (b"", "truncated", 0),
    "no-end-of-method": (PUBLISH[:-1] + b"\xcf" + head(), "bad_frame", 16),
    "no-end-of-header": (head(end=0xCD), "bad_frame", 21),
    "no-end-of-header-after-method": (PUBLISH + head(end=0), "bad_frame", 17 + 21),
    "no-end-of-body": (head(size=2) + body(end=0), "bad_frame", 22 + 9),
    "no-end-of-second-body": (head(size=4) + body() + body(end=0), "bad_frame", 22 + 10 + 9),
    "header-on-another-channel": (PUBLISH + head(channel=2), "bad_frame", 17),
    "body-on-another-channel": (head(size=2) + body(channel=2), "bad_frame", 22),
    "second-body-on-another-channel": (head(size=4) + body() + body(channel=0), "bad_frame", 32),
    "body-first": (body(), "bad_frame", 0),
    "heartbeat": (frame(8, b"", 0), "bad_frame", 0),
    "frame-of-type-0": (frame(0, b"\0" * 14), "bad_frame", 0),
    "two-methods": (PUBLISH + PUBLISH, "bad_frame", 17),
    "body-after-method": (PUBLISH + body(), "bad_frame", 17),
    "header-for-body": (head(size=14) + head(), "bad_frame", 22),
    "header-for-second-body": (head(size=16) + body() + head(), "bad_frame", 32),
    "method-for-body": (head(size=2) + PUBLISH, "bad_frame", 22),
    "header-of-13-bytes": (frame(2, bytes.fromhex("003c0000 0000000000000000 00")), "truncated", 7),
    "header-of-nothing": (PUBLISH + frame(2, b""), "truncated", 17 + 7),
    "other-class": (head(class_id=10), "bad_frame", 7),
    "class-61": (PUBLISH + head(class_id=61), "bad_frame", 17 + 7),
    "long-body": (head(size=1) + body(), "bad_length", 22),
    "long-second-body": (head(size=3) + body() + body(), "bad_length", 32),
    "missing-body": (head(size=2), "truncated", 22),
    "missing-second-body": (head(size=4) + body(), "truncated", 32),
    "huge-body": (head(size=2**64 - 1), "truncated", 22),
    "huge-body-and-a-frame": (head(size=2**63) + body(), "truncated", 32),
    "huge-frame": (bytes.fromhex("020001 ffffffff"), "truncated", 7),
}


@pytest.mark.parametrize(("wire", "kind", "offset"), BAD_FRAMES.values(), ids=list(BAD_FRAMES))
def test_decode_rejects_malformed_frames(wire: bytes, kind: str, offset: int) -> None:
    assert unread(amqp091.decode, wire) == (kind, offset, None)
    assert unread(amqp091.decode_all, wire) == (kind, offset, None)
    before = head(size=2) + body() if wire else b""  # nothing may follow a content
    assert unread(amqp091.decode_all, before + wire) == (kind, len(before) + offset, None)


STEP = 131_072 - 8
"""The payload of a body frame of frame-max: without type, channel, size and end byte."""


@pytest.mark.parametrize("size", [0, 1, STEP - 1, STEP, STEP + 1, 2 * STEP, 2 * STEP + 1])
def test_encode_splits_bodies_into_frames(size: int) -> None:
    payload = bytes(range(256)) * (size // 256 + 1)
    payload = payload[:size]
    bodies = [body(payload[at : at + STEP]) for at in range(0, size, STEP)]
    assert amqp091.encode(Message(payload=payload)) == head(size=size) + b"".join(bodies)
    assert amqp091.decode(head(size=size) + b"".join(bodies)).payload == payload
    assert all(len(raw) <= 131_072 for raw in bodies)


def test_decode_reads_a_body_of_one_large_frame() -> None:
    payload = b"a" * 1_000_000
    assert amqp091.decode(head(size=1_000_000) + body(payload)).payload == payload


@pytest.mark.parametrize(
    ("exchange", "routing_key", "method"),
    [
        ("e", "kk", "003c0028 0000 0165 026b6b 00"),
        ("e", None, "003c0028 0000 0165 00 00"),
        (None, "kk", "003c0028 0000 00 026b6b 00"),
        ("", None, "003c0028 0000 00 00 00"),
        (None, "", "003c0028 0000 00 00 00"),
        ("a" * 255, "é" * 127, "003c0028 0000 ff" + "61" * 255 + "fe" + "c3a9" * 127 + "00"),
    ],
)
def test_encode_writes_publish(exchange: str | None, routing_key: str | None, method: str) -> None:
    wire = frame(1, bytes.fromhex(method)) + head(size=2) + body()
    message = Message(payload=b"hi", exchange=exchange, routing_key=routing_key)
    assert amqp091.encode(message) == wire
    assert amqp091.decode(wire) == Message(payload=b"hi", exchange=exchange or "", routing_key=routing_key or "")


@pytest.mark.parametrize("unfit", ["a" * 256, "é" * 128, "\ud800", b"e", 5])
def test_encode_rejects_invalid_names(unfit: Any) -> None:
    assert unwritten(amqp091.encode, Message(exchange=unfit)) == ("bad_value", "exchange")
    assert unwritten(amqp091.encode, Message(routing_key=unfit)) == ("bad_value", "routing_key")


@pytest.mark.parametrize("payload", ["hi", None, bytearray(b"hi"), 5, []])
def test_encode_rejects_invalid_payloads(payload: Any) -> None:
    assert unwritten(amqp091.encode, Message(payload=payload)) == ("bad_value", "payload")


@pytest.mark.parametrize("basic", [None, 5, {}, "basic"])
def test_encode_rejects_properties_of_another_type(basic: Any) -> None:
    assert unwritten(amqp091.encode, Message(basic)) == ("wrong_type", "basic")


# ---- refusals of tables in the encoder ----------------------------------------------------------------------------------

RANGES = {
    "byte": (-(2**7), 2**7 - 1),
    "unsignedbyte": (0, 2**8 - 1),
    "short": (-(2**15), 2**15 - 1),
    "unsignedshort": (0, 2**16 - 1),
    "signedint": (-(2**31), 2**31 - 1),
    "unsignedint": (0, 2**32 - 1),
    "long": (-(2**63), 2**63 - 1),
    "timestamp": (0, 2**64 - 1),
}
UNFIT: dict[str, list[Any]] = {
    "bool": [0, 1, None, "true"],
    **{type_: [low - 1, high + 1, 1.0, True, "1", None] for type_, (low, high) in RANGES.items()},
    "float": [1, True, "1.0", 1e300, None],
    "double": [1, True, "1.0", None],
    "decimal": [
        Decimal091(-1, 0),
        Decimal091(256, 0),
        Decimal091(0, -(2**31) - 1),
        Decimal091(0, 2**31),
        (0, 0),
        Decimal(1),
        1,
        None,
    ],
    "longstr": ["a", bytearray(b"a"), None, 5],
    "binary": ["a", bytearray(b"a"), None, 5],
    "void": [0, False, "", b""],
    "array": [None, (), {}, "", 5],
    "table": [None, (), {}, "", 5],
}
EACH_UNFIT = pytest.mark.parametrize(
    ("type_", "value"),
    [pytest.param(type_, value, id=f"{type_}-{value!r:.20}") for type_, unfit in UNFIT.items() for value in unfit],
)


def of_headers(entries: Any) -> Message:
    return Message(BasicProperties(headers=entries))


def refused_at(bad: Any, kind: str, path: str = "") -> None:
    """Assert that the encoder refuses a field value in each possible place, and names the place."""
    befores: list[list[Entry]] = [[], [entry("a", VOID)], [entry("\udcff", VOID)]]  # the last key is invalid UTF-8
    for before in befores if isinstance(bad, T) else ():
        assert unwritten(amqp091.encode, of_headers([*before, entry("k", bad)])) == (kind, f'basic.headers["k"]{path}')
        inner = T("table", [*before, entry("j", bad)])
        assert unwritten(amqp091.encode, of_headers([*before, entry("k", inner)])) == (kind, f'basic.headers["k"]["j"]{path}')
    for count in (0, 1, 2):
        array = T("array", [*[VOID] * count, bad])
        assert unwritten(amqp091.encode, of_headers([entry("k", array)])) == (kind, f'basic.headers["k"][{count}]{path}')


@EACH_UNFIT
def test_encode_rejects_invalid_values(type_: str, value: Any) -> None:
    refused_at(T(type_, value), "bad_value")
    refused_at(T("array", [T("array", [T(type_, value)])]), "bad_value", "[0][0]")


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        (5, "wrong_type"),
        (None, "wrong_type"),
        ("text", "wrong_type"),
        (("byte", 1), "wrong_type"),
        (Entry("k", "byte", 1), "wrong_type"),
        (T("nonsense", 1), "unknown_type"),
        (T("shortstr", "a"), "unknown_type"),  # a type of properties, not of table fields
        (T(5, 1), "unknown_type"),  # type: ignore[arg-type]  # wrong on purpose
        (T([], 1), "unknown_type"),  # type: ignore[arg-type]  # not hashable, either
    ],
)
def test_encode_rejects_untyped_values(value: Any, kind: str) -> None:
    refused_at(value, kind)


@pytest.mark.parametrize("member", [5, None, (), VOID, ("k", VOID), "abc"])
def test_encode_rejects_invalid_entries(member: Any) -> None:
    assert unwritten(amqp091.encode, of_headers([entry("k", VOID), member])) == ("bad_value", "basic.headers[1]")
    table = T("table", [member])
    assert unwritten(amqp091.encode, of_headers([entry("k", table)])) == ("bad_value", 'basic.headers["k"][0]')


@pytest.mark.parametrize("key", [None, b"k", 5, True, "a" * 256, "é" * 128, "\ud800", "\udcff" * 256])
def test_encode_rejects_invalid_keys(key: Any) -> None:
    assert unwritten(amqp091.encode, of_headers([entry("a", VOID), entry(key, VOID)])) == (
        "bad_value",
        f'basic.headers["{key}"]',
    )


@pytest.mark.parametrize("entries", [5, {}, {"k": VOID}, "", "k", (), (("k", VOID),)])
def test_encode_rejects_headers_that_are_not_lists(entries: Any) -> None:
    assert unwritten(amqp091.encode, of_headers(entries)) == ("bad_value", "basic.headers")


@pytest.mark.parametrize(
    ("message", "words"),
    [
        (of_headers([Entry("k", "byte", 128)]), "not between -128 and 127"),
        (of_headers([Entry("k", "float", 1e300)]), "no float can hold it"),
        (of_headers([Entry("k", "nonsense", 1)]), "no field type 'nonsense'"),
        (Message(BasicProperties(type="a" * 256)), "longer than 255 bytes"),
    ],
)
def test_encode_errors_describe_the_value(message: Message, words: str) -> None:
    with pytest.raises(EncodeError, match=words):
        amqp091.encode(message)


# ---- bounds -------------------------------------------------------------------------------------------------------------

NESTS: dict[str, tuple[Callable[[bytes], bytes], Callable[[TypedValue], TypedValue], str]] = {
    "table": (lambda inner: b"F" + sized(b"\1k" + inner), lambda inner: T("table", [entry("k", inner)]), '["k"]'),
    "array": (lambda inner: b"A" + sized(inner), lambda inner: T("array", [inner]), "[0]"),
    "array-behind-another-value": (
        lambda inner: b"A" + sized(b"V" + inner),
        lambda inner: T("array", [VOID, inner]),
        "[1]",
    ),
}
EACH_NEST = pytest.mark.parametrize("name", NESTS)


def nested(name: str, levels: int) -> tuple[bytes, TypedValue]:
    raw, value = b"V", VOID
    for _ in range(levels):
        raw, value = NESTS[name][0](raw), NESTS[name][1](value)
    return raw, value


@EACH_NEST
def test_nesting_is_limited(name: str) -> None:
    """The headers count as one level, since they are a table."""
    raw, value = nested(name, MOST - 1)
    entries = [entry("k", value), entry("l", value)]
    wire = headers(b"\1k" + raw, b"\1l" + raw)
    assert amqp091.decode_properties(wire) == BasicProperties(headers=entries)
    assert amqp091.encode_properties(BasicProperties(headers=entries)) == wire
    deeper, _ = nested(name, MOST)
    innermost = deeper.index(NESTS[name][0](b"V"))  # the error has the offset of the size, after the letter
    assert unread(amqp091.decode_properties, headers(b"\1k" + deeper)) == ("nesting", 8 + innermost + 1, None)
    raw, _ = nested(name, 5000)
    assert unread(amqp091.decode_properties, headers(b"\1k" + raw))[0] == "nesting"


@EACH_NEST
def test_encode_rejects_deep_nesting(name: str) -> None:
    path = NESTS[name][2] * (MOST - 1)
    for levels in (MOST, 3 * MOST):
        _, value = nested(name, levels)
        for before in ([], [entry("\udcff", VOID)]):
            assert unwritten(amqp091.encode, of_headers([*before, entry("k", value)])) == (
                "nesting",
                f'basic.headers["k"]{path}',
            )
    _, arrays = nested(name, MOST - 2)
    properties = BasicProperties(headers=[Entry("k", "array", [arrays, T("table", [])])])
    assert amqp091.decode_properties(amqp091.encode_properties(properties)) == properties


@pytest.mark.parametrize("inner", NESTS)
@pytest.mark.parametrize("outer", NESTS)
def test_nesting_errors_have_the_offset_of_the_last_level(outer: str, inner: str) -> None:
    """Tables in arrays and arrays in tables, at the last level."""
    for levels in (MOST - 2, MOST - 1):
        raw, value = NESTS[inner][0](b"V"), NESTS[inner][1](VOID)
        for _ in range(levels):
            raw, value = NESTS[outer][0](raw), NESTS[outer][1](value)
        if levels == MOST - 2:
            assert amqp091.decode_properties(headers(b"\1k" + raw)) == BasicProperties(headers=[entry("k", value)])
            assert amqp091.encode_properties(BasicProperties(headers=[entry("k", value)])) == headers(b"\1k" + raw)
        else:
            assert unread(amqp091.decode_properties, headers(b"\1k" + raw))[0] == "nesting"
            field = 'basic.headers["k"]' + NESTS[outer][2] * (MOST - 1)
            assert unwritten(amqp091.encode, of_headers([entry("k", value)])) == ("nesting", field)


def test_encode_rejects_values_that_do_not_fit_their_bytes() -> None:
    assert unwritten(amqp091.encode, Message(BasicProperties(timestamp=True))) == ("bad_value", "basic.timestamp")
    for number in (1e300, -1e300):
        assert unwritten(amqp091.encode, of_headers([Entry("k", "float", number)])) == ("bad_value", 'basic.headers["k"]')
    assert amqp091.long_head(b"S", 2**32 - 1) == b"S\xff\xff\xff\xff"
    with pytest.raises(EncodeError) as failed:
        amqp091.long_head(b"S", 2**32)
    assert (failed.value.code, failed.value.field) == ("too_large", "")


def test_encode_writes_each_nested_table_once() -> None:
    """If an error made each outer table start again, this would take 2^100 attempts."""
    for last in (Entry("k", "byte", 999), entry("\udcff", VOID), entry("k" * 256, VOID)):
        value = T("table", [last])
        for _ in range(MOST - 2):
            value = T("table", [entry("k", value), entry("\udcff", VOID)])
        properties = BasicProperties(headers=[entry("k", value)])
        if last.key == "\udcff":
            assert amqp091.decode_properties(amqp091.encode_properties(properties)) == properties
        else:
            kind, field = unwritten(amqp091.encode, Message(properties))
            assert (kind, str(field).count("[")) == ("bad_value", MOST)


# ---- properties of both writers -----------------------------------------------------------------------------------------


@given(MESSAGES["amqp-0.9.1"])
def test_careful_writers_give_the_same_bytes(message: Message) -> None:
    """Text that is not UTF-8 makes the careful writer write the property list again."""
    basic = message.basic
    quick, careful = (amqp091.encode_properties(replace(basic, cluster_id=text)) for text in ("x", "\udcff"))
    assert quick[:-1] + b"\xff" == careful
    entries = basic.headers or []
    quick, careful = (
        amqp091.encode_properties(BasicProperties(headers=[*entries, entry(text, VOID)])) for text in ("x", "\udcff")
    )
    assert quick[:-2] + b"\xffV" == careful


@given(MESSAGES["amqp-0.9.1"])
def test_pika_reads_every_message(message: Message) -> None:
    """pika, an independent codec, reads the same frame sizes and the same flags."""
    wire = amqp091.encode(message)
    kinds: list[type] = []
    while wire:
        try:
            size, theirs = pika.frame.decode_frame(wire)
        except (OverflowError, ValueError) as error:
            if "out of range" not in str(error) and "cannot convert float" not in str(error):
                raise
            reject()  # pika reads no year after 9999, and no infinity or NaN
        assert size > 0
        kinds.append(type(theirs))
        if isinstance(theirs, pika.frame.Header):
            assert theirs.body_size == len(message.payload)
        wire = wire[size:]
    named = message.exchange is not None or message.routing_key is not None
    assert kinds[: 1 + named] == [pika.frame.Method, pika.frame.Header][1 - named :]
    assert kinds[1 + named :] == [pika.frame.Body] * (-(-len(message.payload) // STEP))

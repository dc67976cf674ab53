"""AMQP 1.0: every form of every value and section, canonical or not; then the refusals with their places; then the bounds.

All bytes are made by hand from part 1 section 1.6 (encodings) and part 3 section 3.2 (sections) of the specification. The value
of an amqp-value section has its format code at offset 3.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import proton
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.primitives import Writer
from mqconvert.converters.model.values import Array, Described, Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import codec as amqp10
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data, Header, Message, Properties
from tests.entries import entry
from tests.refusals import unread, unwritten
from tests.strategies import AMQP10_VALUES, MESSAGES

T = TypedValue
NULL = T("null", None)
MOST = 100
"""The maximum levels of nesting: values.MAX_DEPTH, written out."""
UUID = bytes(range(16))
ILL: Any = 5
"""A value of a type that no place below allows."""


def in_body(value: TypedValue) -> Message:
    return Message(body=AmqpValue(value))


def holding(section: str, value: Any) -> Message:
    """Return a message of one section."""
    message = Message()
    setattr(message, section, value)
    return message


def read_value(wire: str) -> TypedValue:
    """Decode bytes as the value of an amqp-value section."""
    body = amqp10.decode(bytes.fromhex("005377" + wire)).body
    assert body.__class__ is AmqpValue
    return body.value


def wrapped(code: int, count: int, content: bytes) -> bytes:
    """Return a list (0xc0), map (0xc1) or array (0xe0) in the smallest form for its size."""
    if len(content) < 255 and count < 256:
        return bytes((code, len(content) + 1, count)) + content
    return bytes((code + 0x10,)) + (len(content) + 4).to_bytes(4) + count.to_bytes(4) + content


# ---- values -----------------------------------------------------------------------------------------------------------

A255, A256 = "61" * 255, "61" * 256
BINARY_252, BINARY_253 = T("binary", b"a" * 252), T("binary", b"a" * 253)
WIDE_LIST = "00000103 00000001 a0fd" + "61" * 253
"""Size, count and the only element of a list of 255 bytes: one too many for a size of one byte, which includes the count."""

Forms = tuple[Any, ...]
"""A value and its forms in hex; the encoder writes the first and smallest."""

VALUES: dict[str, Forms] = {
    "null": (NULL, "40"),
    "true": (T("boolean", True), "41", "5601"),
    "false": (T("boolean", False), "42", "5600"),
    "ubyte-0": (T("ubyte", 0), "5000"),
    "ubyte-255": (T("ubyte", 255), "50ff"),
    "ushort-0": (T("ushort", 0), "600000"),
    "ushort-258": (T("ushort", 258), "600102"),
    "ushort-65535": (T("ushort", 65535), "60ffff"),
    "uint-0": (T("uint", 0), "43", "5200", "7000000000"),
    "uint-1": (T("uint", 1), "5201", "7000000001"),
    "uint-255": (T("uint", 255), "52ff", "70000000ff"),
    "uint-256": (T("uint", 256), "7000000100"),
    "uint-most": (T("uint", 2**32 - 1), "70ffffffff"),
    "ulong-0": (T("ulong", 0), "44", "5300", "800000000000000000"),
    "ulong-1": (T("ulong", 1), "5301", "800000000000000001"),
    "ulong-255": (T("ulong", 255), "53ff", "8000000000000000ff"),
    "ulong-256": (T("ulong", 256), "800000000000000100"),
    "ulong-most": (T("ulong", 2**64 - 1), "80ffffffffffffffff"),
    "byte-least": (T("byte", -128), "5180"),
    "byte-most": (T("byte", 127), "517f"),
    "short-least": (T("short", -(2**15)), "618000"),
    "short-258": (T("short", 258), "610102"),
    "short-most": (T("short", 2**15 - 1), "617fff"),
    "int-0": (T("int", 0), "5400", "7100000000"),
    "int-least": (T("int", -(2**31)), "7180000000"),
    "int--129": (T("int", -129), "71ffffff7f"),
    "int--128": (T("int", -128), "5480", "71ffffff80"),
    "int-127": (T("int", 127), "547f", "710000007f"),
    "int-128": (T("int", 128), "7100000080"),
    "int-most": (T("int", 2**31 - 1), "717fffffff"),
    "long-0": (T("long", 0), "5500", "810000000000000000"),
    "long-least": (T("long", -(2**63)), "818000000000000000"),
    "long--129": (T("long", -129), "81ffffffffffffff7f"),
    "long--128": (T("long", -128), "5580", "81ffffffffffffff80"),
    "long-127": (T("long", 127), "557f", "81000000000000007f"),
    "long-128": (T("long", 128), "810000000000000080"),
    "long-most": (T("long", 2**63 - 1), "817fffffffffffffff"),
    "float": (T("float", 1.5), "723fc00000"),
    "float-infinite": (T("float", float("-inf")), "72ff800000"),
    "double": (T("double", 1.5), "823ff8000000000000"),
    "double-infinite": (T("double", float("inf")), "827ff0000000000000"),
    "decimal32": (T("decimal32", b"\1\2\3\4"), "7401020304"),
    "decimal64": (T("decimal64", bytes(range(8))), "840001020304050607"),
    "decimal128": (T("decimal128", UUID), "94" + UUID.hex()),
    "char-0": (T("char", 0), "7300000000"),
    "char-most": (T("char", 0x10FFFF), "730010ffff"),
    "timestamp": (T("timestamp", 1000), "8300000000000003e8"),
    "timestamp-least": (T("timestamp", -(2**63)), "838000000000000000"),
    "timestamp-most": (T("timestamp", 2**63 - 1), "837fffffffffffffff"),
    "uuid": (T("uuid", UUID), "98" + UUID.hex()),
    "binary-0": (T("binary", b""), "a000", "b000000000"),
    "binary-255": (T("binary", b"a" * 255), "a0ff" + A255, "b0000000ff" + A255),
    "binary-256": (T("binary", b"a" * 256), "b000000100" + A256),
    "string-0": (T("string", ""), "a100", "b100000000"),
    "string-1": (T("string", "\0"), "a10100", "b10000000100"),
    "string-255": (T("string", "a" * 255), "a1ff" + A255, "b1000000ff" + A255),
    "string-256": (T("string", "a" * 256), "b100000100" + A256),
    "string-255-bytes-in-128-letters": (T("string", "a" + "é" * 127), "a1ff61" + "c3a9" * 127),
    "string-256-bytes-in-128-letters": (T("string", "é" * 128), "b100000100" + "c3a9" * 128),
    "symbol-0": (T("symbol", ""), "a300", "b300000000"),
    "symbol-255": (T("symbol", "a" * 255), "a3ff" + A255, "b3000000ff" + A255),
    "symbol-256": (T("symbol", "a" * 256), "b300000100" + A256),
    "list-0": (T("list", []), "45", "c00100", "d00000000400000000"),
    "list-1": (T("list", [NULL]), "c0020140", "d0000000050000000140"),
    "list-2": (T("list", [T("uint", 7), T("string", "a")]), "c0 06 02 5207 a10161", "d0 00000009 00000002 5207 a10161"),
    "list-254-bytes": (T("list", [BINARY_252]), "c0 ff 01 a0fc" + "61" * 252),
    "list-255-bytes": (T("list", [BINARY_253]), "d0" + WIDE_LIST),
    "map-0": (T("map", []), "c10100", "d10000000400000000"),
    "map-1": (T("map", [Entry(NULL, "boolean", True)]), "c103024041", "d100000006000000024041"),
    "map-2": (
        T("map", [Entry(T("symbol", "a"), "ubyte", 1), entry(T("list", []), NULL)]),
        "c1 08 04 a30161 5001 45 40",
        "d1 0000000b 00000004 a30161 5001 45 40",
    ),
    "map-254-bytes": (T("map", [Entry(NULL, "binary", b"a" * 251)]), "c1 ff 02 40 a0fb" + "61" * 251),
    "map-255-bytes": (T("map", [entry(NULL, BINARY_252)]), "d1 00000103 00000002 40 a0fc" + "61" * 252),
    "described-by-ulong": (T("described", Described(T("ulong", 1), NULL)), "00530140", "0080000000000000000140"),
    "described-by-symbol": (T("described", Described(T("symbol", "a"), T("ubyte", 2))), "00a301615002", "00b300000001615002"),
    "described-twice": (T("described", Described(NULL, T("described", Described(NULL, NULL)))), "0040004040"),
}


def of(type_: str, *values: Any, by: tuple[TypedValue, ...] = ()) -> TypedValue:
    return T("array", Array(type_, list(values), by))


ARRAYS: dict[str, Forms] = {
    "none": (of("ubyte"), "e0020050", "f0000000050000000050"),
    "none-of-uint": (of("uint"), "e0020052", "e0020043", "e0020070"),
    "none-of-null": (of("null"), "e0020040"),
    "none-of-list": (of("list"), "e00200c0", "e0020045", "e00200d0"),
    "null": (of("null", None, None), "e0020240"),
    "null-255": (of("null", *[None] * 255), "e002ff40", "f000000005000000ff40"),
    "null-256": (of("null", *[None] * 256), "f0000000050000010040"),
    "boolean": (of("boolean", True, False), "e004025601 00"),
    "true": (of("boolean", True, True), "e00402560101", "e0020241"),
    "false": (of("boolean", False), "e003015600", "e0020142"),
    "ubyte": (of("ubyte", 1, 255), "e004025001ff"),
    "ushort": (of("ushort", 1, 65535), "e00602600001ffff"),
    "uint-0": (of("uint", 0, 0), "e004025200 00", "e0020243"),
    "uint-255": (of("uint", 0, 255), "e004025200ff", "f0 0000000d 00000002 70 00000000 000000ff"),
    "uint-256": (of("uint", 0, 256), "e00a02 70 00000000 00000100"),
    "ulong-0": (of("ulong", 0), "e003015300", "e0020144"),
    "ulong-255": (of("ulong", 1, 255), "e004025301ff", "e01202 80 0000000000000001 00000000000000ff"),
    "ulong-256": (of("ulong", 1, 256), "e01202 80 0000000000000001 0000000000000100"),
    "byte": (of("byte", -128, 127), "e0040251807f"),
    "short": (of("short", -1, 258), "e0060261ffff0102"),
    "int-small": (of("int", -128, 127), "e0040254807f", "e00a02 71 ffffff80 0000007f"),
    "int--129": (of("int", -129, 1), "e00a02 71 ffffff7f 00000001"),
    "int-128": (of("int", 0, 128), "e00a02 71 00000000 00000080"),
    "long-small": (of("long", -1), "e0030155ff", "e00a01 81 ffffffffffffffff"),
    "long-128": (of("long", 128), "e00a01 81 0000000000000080"),
    "float": (of("float", 1.5), "e00601723fc00000"),
    "double": (of("double", 1.5), "e00a01823ff8000000000000"),
    "char": (of("char", 0x10FFFF), "e00601730010ffff"),
    "timestamp": (of("timestamp", -1), "e00a0183ffffffffffffffff"),
    "decimal32": (of("decimal32", b"\1\2\3\4", b"abcd"), "e00a02740102030461626364"),
    "decimal64": (of("decimal64", bytes(range(8))), "e00a01840001020304050607"),
    "decimal128": (of("decimal128", UUID), "e01201 94" + UUID.hex()),
    "uuid": (of("uuid", UUID), "e01201 98" + UUID.hex()),
    "binary": (of("binary", b"", b"a"), "e00502 a0 00 0161", "e00b02 b0 00000000 00000001 61"),
    "binary-wide": (of("binary", b"a", b"a" * 256), "f0 0000010e 00000002 b0 00000001 61 00000100" + A256),
    "string": (of("string", "é", ""), "e00602 a1 02c3a9 00", "e00c02 b1 00000002c3a9 00000000"),
    "string-wide": (of("string", "a" * 256, "a"), "f0 0000010e 00000002 b1 00000100" + A256 + "00000001 61"),
    "symbol": (of("symbol", "a", "b"), "e00602 a3 0161 0162"),
    "symbol-wide": (of("symbol", "a" * 256), "f0 00000109 00000001 b3 00000100" + A256),
    "254-bytes": (of("binary", b"a" * 252), "e0ff01 a0fc" + "61" * 252),
    "255-bytes": (of("binary", b"a" * 253), "f0 00000103 00000001 a0fd" + "61" * 253),
    "list": (
        of("list", [], [NULL]),
        "e00702 c0 0100 020140",
        "e01302 d0 0000000400000000 000000050000000140",
    ),
    "list-0": (of("list", [], []), "e00602 c0 0100 0100", "e0020245"),
    "list-wide": (
        of("list", [], [NULL], [BINARY_253]),
        "f0 0000011d 00000003 d0 0000000400000000 000000050000000140" + WIDE_LIST,
    ),
    "map": (of("map", [], [entry(NULL, NULL)]), "e00802 c1 0100 03024040", "e01402 d1 0000000400000000 00000006000000024040"),
    "map-wide": (
        of("map", [], [entry(NULL, BINARY_252)]),
        "f0 00000114 00000002 d1 0000000400000000 00000103 00000002 40 a0fc" + "61" * 252,
    ),
    "array": (of("array", Array("ubyte", [1])), "e00601 e0 03015001", "e00c01 f0 000000060000000150 01"),
    "array-wide": (
        of("array", Array("ubyte", [1]), Array("binary", [b"a" * 253])),
        "f0 00000116 00000002 f0 00000006 00000001 5001 00000103 00000001 a0fd" + "61" * 253,
    ),
    "described-elements": (of("ubyte", 1, by=(T("ulong", 1),)), "e00601 005301 5001", "e00d01 00800000000000000001 5001"),
    "elements-described-twice": (of("ubyte", 1, 2, by=(T("ulong", 1), T("symbol", "a"))), "e00b02 005301 00a30161 500102"),
    "no-described-elements": (of("null", by=(T("ulong", 1),)), "e00500 005301 40"),
}
FORMS = VALUES | {f"array-of-{name}": forms for name, forms in ARRAYS.items()}
EACH_FORM = pytest.mark.parametrize(
    ("value", "wire"),
    [pytest.param(value, wire, id=f"{name}-{wire[:2]}") for name, (value, *forms) in FORMS.items() for wire in forms],
)
EACH_VALUE = pytest.mark.parametrize(("value", "wire"), [forms[:2] for forms in FORMS.values()], ids=list(FORMS))


@EACH_FORM
def test_decode_reads_every_form_of_a_value(value: TypedValue, wire: str) -> None:
    assert read_value(wire) == value
    # -0.0 and 0.0, True and 1 are equal; their Python types and signs tell them apart.
    assert repr(read_value(wire)) == repr(value)


@EACH_VALUE
def test_encode_writes_the_smallest_form(value: TypedValue, wire: str) -> None:
    assert amqp10.encode(in_body(value)).hex() == "005377" + wire.replace(" ", "")


@EACH_FORM
def test_decode_reads_every_form_in_entries_and_lists(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex(wire)
    entries = b"\x00\x53\x72" + wrapped(0xC1, 4, b"\xa3\x01k" + raw + b"\x44" + raw)
    assert amqp10.decode(entries).message_annotations == [entry("k", value), entry(0, value)]
    properties = b"\x00\x53\x74" + wrapped(0xC1, 2, b"\xa1\x01k" + raw)
    assert amqp10.decode(properties).application_properties == [entry("k", value)]
    sequence = b"\x00\x53\x76" + wrapped(0xC0, 2, raw + raw)
    assert amqp10.decode(sequence).body == AmqpSequence([[value, value]])


@EACH_VALUE
def test_encode_writes_the_smallest_form_in_entries_and_lists(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex(wire)
    for key, small in (("k", b"\xa3\x01k"), ("k" * 256, b"\xb3\x00\x00\x01\x00" + b"k" * 256)):  # long text takes the slow path
        entries = b"\x00\x53\x72" + wrapped(0xC1, 2, small + raw)
        assert amqp10.encode(Message(message_annotations=[entry(key, value)])) == entries
    sequence = b"\x00\x53\x76" + wrapped(0xC0, 1, raw)
    assert amqp10.encode(Message(body=AmqpSequence([[value]]))) == sequence


@EACH_FORM
def test_decode_rejects_truncated_values(value: TypedValue, wire: str) -> None:
    raw = bytes.fromhex("005377" + wire)
    for end in {*range(3, min(len(raw), 40)), len(raw) - 1}:
        kind, offset, field = unread(amqp10.decode, raw[:end])
        assert (kind, field) == ("truncated", "body"), end
        assert offset in {4, end} if value.type in {"list", "map", "array"} else offset == end
    assert unread(amqp10.decode, raw + b"\x40") == ("trailing_bytes", len(raw), None)


PROTON_READS = {name: forms for name, forms in FORMS.items() if name != "array-of-elements-described-twice"}


@pytest.mark.parametrize(("value", "wire"), [forms[:2] for forms in PROTON_READS.values()], ids=list(PROTON_READS))
def test_proton_reads_encoded_values(value: TypedValue, wire: str) -> None:
    """Apache Qpid Proton, an independent codec, reads each value and writes it in its own forms."""
    theirs = proton.Data()
    theirs.decode(bytes.fromhex(wire))
    assert read_value(theirs.encode().hex()) == value


# ---- sections ---------------------------------------------------------------------------------------------------------

SECTIONS = {
    "header": (0x70, "amqp:header:list", "c0020141", Message(header=Header(durable=True))),
    "delivery_annotations": (
        0x71,
        "amqp:delivery-annotations:map",
        "c103024440",
        Message(delivery_annotations=[entry(0, NULL)]),
    ),
    "message_annotations": (0x72, "amqp:message-annotations:map", "c103024440", Message(message_annotations=[entry(0, NULL)])),
    "properties": (0x73, "amqp:properties:list", "c0050340 40a100", Message(properties=Properties(to=""))),
    "application_properties": (
        *(0x74, "amqp:application-properties:map", "c10402a10040", Message(application_properties=[entry("", NULL)])),
    ),
    "data": (0x75, "amqp:data:binary", "a00161", Message(body=Data([b"a"]))),
    "amqp-sequence": (0x76, "amqp:amqp-sequence:list", "c0020140", Message(body=AmqpSequence([[NULL]]))),
    "amqp-value": (0x77, "amqp:amqp-value:*", "40", in_body(NULL)),
    "footer": (0x78, "amqp:footer:map", "c103024440", Message(footer=[entry(0, NULL)])),
}
"""The codes of the descriptors in the order of sections (part 3 section 3.2), and a section of each."""
CODES = {name: bytes((0x00, 0x53, code)) for name, (code, *_) in SECTIONS.items()}
SECTION_BYTES = {name: CODES[name] + bytes.fromhex(value) for name, (_, _, value, _) in SECTIONS.items()}
EACH_SECTION = pytest.mark.parametrize("name", SECTIONS)


@EACH_SECTION
def test_decode_reads_every_descriptor_form_and_encode_writes_the_shortest(name: str) -> None:
    code, symbol, value, message = SECTIONS[name]
    raw = bytes.fromhex(value)
    short_symbol = b"\x00\xa3" + bytes((len(symbol),)) + symbol.encode()
    long_symbol = b"\x00\xb3" + len(symbol).to_bytes(4) + symbol.encode()
    for descriptor in (CODES[name], b"\x00\x80" + code.to_bytes(8), short_symbol, long_symbol):
        assert amqp10.decode(descriptor + raw) == message
    assert amqp10.encode(message) == CODES[name] + raw


@EACH_SECTION
def test_decode_rejects_malformed_descriptors(name: str) -> None:
    """The codes of a section and its value follow, but the descriptor is missing or not a ulong of one byte."""
    _, *after = SECTION_BYTES[name][1:]
    for form in {*range(256)} - {0x53}:
        kind, offset, field = unread(amqp10.decode, bytes((0x00, form, *after)))
        assert field is None
        if form not in {0x44, 0x80, 0xA3, 0xB3}:
            assert (kind, offset) == ("unknown_section", 1)
    for first in range(1, 256):
        assert unread(amqp10.decode, bytes((first, 0x53, *after))) == ("unknown_section", 0, None)
    raw = SECTION_BYTES["header"] + b"\x01\x53" + bytes(after)
    assert unread(amqp10.decode, raw) == ("trailing_bytes", len(SECTION_BYTES["header"]), None)
    if name == "data":  # a symbol of 0x75 bytes; 0x75 is also the code of a data section
        assert unread(amqp10.decode, b"\x00\xa3\x75" + b"\xa0\x73" + b"a" * 0x73) == ("bad_symbol", 3, None)


@pytest.mark.parametrize("size", [0, 1, 255, 256, 65_536])
def test_data_of_every_size_round_trips(size: int) -> None:
    raw = (bytes((0xA0, size)) if size < 256 else b"\xb0" + size.to_bytes(4)) + b"a" * size
    message = Message(body=Data([b"a" * size, b"a" * size]))
    assert amqp10.encode(message) == (CODES["data"] + raw) * 2
    assert amqp10.decode((CODES["data"] + raw) * 2) == message
    wide = CODES["data"] + b"\xb0" + size.to_bytes(4) + b"a" * size
    assert amqp10.decode(wide) == Message(body=Data([b"a" * size]))


@pytest.mark.parametrize("before", SECTIONS)
@EACH_SECTION
def test_decode_accepts_sections_in_order_only(before: str, name: str) -> None:
    """Section 3.2 fixes the order. Each section occurs at most once, except data and amqp-sequence, which may repeat."""
    first, second = SECTION_BYTES[before], SECTION_BYTES[name]
    bodies = {"data", "amqp-sequence", "amqp-value"}
    order = list(SECTIONS)
    if before == name and name in {"data", "amqp-sequence"}:
        body: Any = amqp10.decode(first + second + second).body
        assert body.sections == SECTIONS[name][3].body.sections * 3  # type: ignore[union-attr]  # the body is a list of sections
        assert amqp10.encode(Message(body=body)) == first + second + second
    elif order.index(before) < order.index(name) and not {before, name} <= bodies:
        assert amqp10.encode(amqp10.decode(first + second)) == first + second
    else:
        field = "body" if name in bodies else name
        assert unread(amqp10.decode, first + second) == ("section_order", len(first), field)


def test_a_message_with_all_sections_round_trips() -> None:
    names = [name for name in SECTIONS if name not in {"data", "amqp-sequence"}]
    message = Message()
    for name in names:
        field = "body" if name == "amqp-value" else name
        setattr(message, field, getattr(SECTIONS[name][3], field))
    raw = b"".join(SECTION_BYTES[name] for name in names)
    assert amqp10.decode(raw) == message
    assert amqp10.encode(message) == raw
    assert amqp10.decode_all(raw) == [message]


def test_decode_reads_sections_after_a_repeated_body() -> None:
    wire = SECTION_BYTES["data"] * 2 + SECTION_BYTES["footer"]
    assert unread(amqp10.decode, wire + SECTION_BYTES["data"]) == ("section_order", len(wire), "body")
    assert amqp10.decode(wire).footer == [entry(0, NULL)]


# ---- sections of fields -----------------------------------------------------------------------------------------------

SAMPLES: dict[int, tuple[TypedValue, str]] = {
    int(wire[:2], 16): (value, wire) for value, *forms in FORMS.values() for wire in forms if len(wire) < 80
}
"""A value and its bytes for each format code of part 1 section 1.6."""
ALL_CODES = [
    *(0x00, 0x40, 0x41, 0x42, 0x43, 0x44, 0x45, 0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x56, 0x60, 0x61, 0x70, 0x71, 0x72, 0x73),
    *(0x74, 0x80, 0x81, 0x82, 0x83, 0x84, 0x94, 0x98, 0xA0, 0xA1, 0xA3, 0xB0, 0xB1, 0xB3, 0xC0, 0xC1, 0xD0, 0xD1, 0xE0, 0xF0),
]
FIELDS = {
    "header": {
        "durable": "boolean",
        "priority": "ubyte",
        "ttl": "uint",
        "first_acquirer": "boolean",
        "delivery_count": "uint",
    },
    "properties": {
        "message_id": "*",  # ulong, uuid, binary or string (sections 3.2.11 to 3.2.14)
        "user_id": "binary",
        "to": "string",  # an address-string, as is reply-to (section 3.2.16)
        "subject": "string",
        "reply_to": "string",
        "correlation_id": "*",
        "content_type": "symbol",
        "content_encoding": "symbol",
        "absolute_expiry_time": "timestamp",
        "creation_time": "timestamp",
        "group_id": "string",
        "group_sequence": "uint",
        "reply_to_group_id": "string",
    },
}
IDS = {"ulong", "uuid", "binary", "string"}
PLACES = [
    pytest.param(section, index, name, type_, id=f"{section}.{name}")
    for section, names in FIELDS.items()
    for index, (name, type_) in enumerate(names.items())
]


def test_the_samples_cover_every_format_code() -> None:
    assert sorted(SAMPLES) == ALL_CODES


@pytest.mark.parametrize(("section", "index", "name", "type_"), PLACES)
def test_decode_checks_every_format_code_in_every_field(section: str, index: int, name: str, type_: str) -> None:
    for code in range(256):
        sample, wire = SAMPLES.get(code, (T("no format code", None), f"{code:02x}"))
        raw = CODES[section] + wrapped(0xC0, index + 1, b"\x40" * index + bytes.fromhex(wire))
        if code == 0x40:
            assert getattr(getattr(amqp10.decode(raw), section), name) is None
        elif sample.type == type_:
            assert getattr(getattr(amqp10.decode(raw), section), name) == sample.value
        elif type_ == "*" and sample.type in IDS:
            assert getattr(getattr(amqp10.decode(raw), section), name) == sample
        else:
            kind = "wrong_type" if code in SAMPLES else "unknown_type"
            assert unread(amqp10.decode, raw) == (kind, 6 + index, f"{section}.{name}")


SECTION_CLASSES: dict[str, type[Any]] = {"header": Header, "properties": Properties}


@pytest.mark.parametrize(("section", "index", "name", "type_"), PLACES)
def test_encode_checks_every_value_in_every_field(section: str, index: int, name: str, type_: str) -> None:
    for value, wire, *_ in VALUES.values():
        made = SECTION_CLASSES[section](**{name: value if type_ == "*" else value.value})
        raw = CODES[section] + wrapped(0xC0, index + 1, b"\x40" * index + bytes.fromhex(wire))
        if value.type == type_ or (type_ == "*" and value.type in IDS):
            assert amqp10.encode(holding(section, made)) == raw
        elif type_ == "*":
            assert unwritten(amqp10.encode, holding(section, made)) == ("wrong_type", f"{section}.{name}")


@pytest.mark.parametrize("section", FIELDS)
def test_decode_reads_sections_of_fields_in_every_form(section: str) -> None:
    names = list(FIELDS[section])
    values = b"".join(bytes.fromhex(SAMPLES[code][1]) for code in CODES_OF_FIELDS[section])
    whole = amqp10.decode(CODES[section] + wrapped(0xC0, len(names), values))
    assert None not in [getattr(getattr(whole, section), name) for name in names]
    wide = b"\xd0" + (len(values) + 4).to_bytes(4) + len(names).to_bytes(4) + values
    assert amqp10.decode(CODES[section] + wide) == whole
    for nothing in ("45", "c00100", "d00000000400000000", "c0020140", "c0 04 03 404040"):
        message = amqp10.decode(CODES[section] + bytes.fromhex(nothing))
        assert message == holding(section, SECTION_CLASSES[section]())
        assert amqp10.encode(message) == CODES[section] + b"\x45"
    assert amqp10.encode(whole) == CODES[section] + wrapped(0xC0, len(names), values)


CODES_OF_FIELDS = {
    "header": [0x41, 0x50, 0x43, 0x42, 0x52],
    "properties": [0x44, 0xA0, 0xA1, 0xA1, 0xA1, 0x98, 0xA3, 0xA3, 0x83, 0x83, 0xA1, 0x52, 0xA1],
}
"""The format codes of the smallest form of each field's value, with all fields set."""


@pytest.mark.parametrize(("name", "codes"), [("data", {0xA0, 0xB0}), ("amqp-sequence", {0x45, 0xC0, 0xD0})])
def test_decode_checks_every_format_code_in_a_body(name: str, codes: set[int]) -> None:
    for code in range(256):
        sample, wire = SAMPLES.get(code, (NULL, f"{code:02x}"))
        raw = CODES[name] + bytes.fromhex(wire)
        if code in codes:
            assert amqp10.decode(raw).body == (Data if name == "data" else AmqpSequence)([sample.value])
        else:
            assert unread(amqp10.decode, raw) == ("wrong_type" if code in SAMPLES else "unknown_type", 3, "body")


@pytest.mark.parametrize("size", [242, 243])
def test_sections_of_fields_use_the_wide_form_from_255_bytes(size: int) -> None:
    """Ten nulls and a group-id take 10 + 2 + 242 = 254 bytes, the maximum of the smaller form beside the count."""
    message = Message(properties=Properties(group_id="g" * size))
    head = "c0 ff 0b" if size == 242 else "d0 00000103 0000000b"
    raw = CODES["properties"] + bytes.fromhex(head) + b"\x40" * 10 + bytes((0xA1, size)) + b"g" * size
    assert amqp10.encode(message) == raw
    assert amqp10.decode(raw) == message


# ---- sections of entries ----------------------------------------------------------------------------------------------

KEYS = {
    "delivery_annotations": {"symbol", "ulong"},
    "message_annotations": {"symbol", "ulong"},
    "application_properties": {"string"},
    "footer": {"symbol", "ulong"},
}
EACH_MAP = pytest.mark.parametrize("section", KEYS)


@EACH_MAP
def test_decode_checks_every_format_code_of_a_key(section: str) -> None:
    for code in range(256):
        sample, wire = SAMPLES.get(code, (T("no format code", None), f"{code:02x}"))
        raw = CODES[section] + wrapped(0xC1, 2, bytes.fromhex(wire) + b"\x40")
        if sample.type in KEYS[section]:
            assert getattr(amqp10.decode(raw), section) == [entry(sample.value, NULL)]
        else:
            assert unread(amqp10.decode, raw) == ("wrong_type", 6, section)


@EACH_MAP
def test_encode_writes_every_key(section: str) -> None:
    for value, wire, *_ in VALUES.values():
        if value.type in KEYS[section]:
            raw = CODES[section] + wrapped(0xC1, 2, bytes.fromhex(wire) + b"\x40")
            assert amqp10.encode(holding(section, [entry(value.value, NULL)])) == raw


@EACH_MAP
def test_decode_reads_sections_of_entries_in_every_form(section: str) -> None:
    key = "a1016b" if section == "application_properties" else "a3016b"
    alone = holding(section, [entry("k", NULL)])
    assert amqp10.encode(alone) == CODES[section] + bytes.fromhex(f"c1 05 02 {key} 40")
    assert amqp10.decode(CODES[section] + bytes.fromhex(f"d1 00000008 00000002 {key} 40")) == alone
    for nothing in ("c10100", "d10000000400000000"):
        assert amqp10.decode(CODES[section] + bytes.fromhex(nothing)) == holding(section, [])
    assert amqp10.encode(holding(section, [])) == CODES[section] + b"\xc1\x01\x00"
    twice = holding(section, [entry("k", NULL), Entry("k", "ubyte", 1)])  # equal keys stay, in their order
    assert amqp10.decode(CODES[section] + bytes.fromhex(f"c1 0a 04 {key} 40 {key} 5001")) == twice
    assert amqp10.encode(twice) == CODES[section] + bytes.fromhex(f"c1 0a 04 {key} 40 {key} 5001")


@EACH_MAP
@pytest.mark.parametrize("size", [249, 250])
def test_sections_of_entries_use_the_wide_form_from_255_bytes(section: str, size: int) -> None:
    """A key takes three bytes and the head of a value two. The maximum of the smaller form is 254 bytes."""
    key = "a1016b" if section == "application_properties" else "a3016b"
    message = holding(section, [Entry("k", "string", "v" * size)])
    head = "c1 ff 02" if size == 249 else "d1 00000103 00000002"
    raw = CODES[section] + bytes.fromhex(head + key) + bytes((0xA1, size)) + b"v" * size
    assert amqp10.encode(message) == raw
    assert amqp10.decode(raw) == message


@EACH_MAP
def test_sections_of_many_entries_round_trip(section: str) -> None:
    """128 entries have a count of 256, which needs four bytes regardless of their size."""
    key = b"\xa1\x00" if section == "application_properties" else b"\xa3\x00"
    for count in (84, 85, 127, 128, 300):
        message = holding(section, [entry("", NULL)] * count)
        raw = CODES[section] + wrapped(0xC1, 2 * count, (key + b"\x40") * count)
        assert amqp10.encode(message) == raw
        assert amqp10.decode(raw) == message


# ---- refusals of the decoder --------------------------------------------------------------------------------------------

BAD_VALUES = {
    "boolean-2": ("5602", "bad_value", 4),
    "char-beyond-unicode": ("7300110000", "bad_value", 4),
    "string8-not-utf8": ("a103 61ff62", "bad_utf8", 6),
    "string32-not-utf8": ("b100000003 61ff62", "bad_utf8", 9),
    "string-of-a-surrogate": ("a104 61eda080", "bad_utf8", 6),
    "string-overlong": ("a102 c080", "bad_utf8", 5),
    "string-of-half-a-character": ("a101 c3", "bad_utf8", 5),
    "string-cut-within-a-character": ("a102 c3", "truncated", 6),
    "string32-cut-within-a-character": ("b100000002 c3", "truncated", 9),
    "symbol8-not-ascii": ("a303 61c3a9", "bad_symbol", 6),
    "symbol32-not-ascii": ("b300000003 61c3a9", "bad_symbol", 9),
    "symbol-not-ascii-and-cut": ("a303 c3a9", "truncated", 7),
    "huge-binary": ("b0ffffffff", "truncated", 8),
    "huge-string": ("b1ffffffff61", "truncated", 9),
    "nothing": ("", "truncated", 3),
    "described-by-nothing": ("00", "truncated", 4),
    "described-nothing": ("0040", "truncated", 5),
    "described-unknown": ("00403f", "unknown_type", 5),
    "descriptor-unknown": ("003f40", "unknown_type", 4),
    "list-of-unknown": ("c0 02 01 3f", "unknown_type", 6),
    "list8-more-elements-than-bytes": ("c0 02 02 40", "bad_count", 6),
    "list32-more-elements-than-bytes": ("d0 00000005 00000002 40", "bad_count", 12),
    "list32-huge-count": ("d0 00000008 ffffffff 40404040", "bad_count", 12),
    "list8-of-too-little": ("c0 03 01 4040", "bad_length", 7),
    "list8-of-too-much": ("c0 03 01 a101 61", "bad_length", 8),
    "list32-of-too-little": ("d0 00000006 00000001 4040", "bad_length", 13),
    "map8-more-elements-than-bytes": ("c1 03 04 4040", "bad_count", 6),
    "map32-more-elements-than-bytes": ("d1 00000006 00000004 4040", "bad_count", 12),
    "map8-odd": ("c1 03 01 4040", "bad_count", 6),
    "map32-odd": ("d1 00000007 00000003 404040", "bad_count", 12),
    "map8-of-too-little": ("c1 04 02 404040", "bad_length", 8),
    "map8-of-too-much": ("c1 04 02 40a101 61", "bad_length", 9),
    "map32-of-too-little": ("d1 00000007 00000002 404040", "bad_length", 14),
    "map-key-unknown": ("c1 03 02 3f40", "unknown_type", 6),
    "map-value-unknown": ("c1 03 02 403f", "unknown_type", 7),
    "array8-more-elements-than-bytes": ("e0 03 02 5001", "bad_count", 7),
    "array32-more-elements-than-bytes": ("f0 00000006 00000002 5001", "bad_count", 13),
    "array-of-too-little": ("e0 04 01 500102", "bad_length", 8),
    "array-of-too-much": ("e0 03 01 a001 61", "bad_length", 8),
    "array-of-nulls-and-more": ("e0 03 01 4040", "bad_length", 7),
    "array8-of-nothing": ("e0 01 00", "bad_length", 6),
    "array32-of-nothing": ("f0 00000004 00000000", "bad_length", 12),
    "array-of-descriptors-alone": ("e0 04 00 005301", "bad_length", 9),
    "array-of-a-descriptor-beyond-its-size": ("e0 03 00 005301 40", "bad_length", 9),
    "array-of-a-descriptor-beyond-the-input": ("e0 05 00 00b0ffffffff", "truncated", 12),
    "array-of-unknown": ("e0 03 01 3f00", "unknown_type", 6),
    "array-of-no-unknown": ("e0 02 00 3f", "unknown_type", 6),
    "array-descriptor-unknown": ("e0 04 01 003f40", "unknown_type", 7),
    "array-of-described-unknown": ("e0 05 01 005301 3f", "unknown_type", 9),
}


@pytest.mark.parametrize(("wire", "kind", "offset"), BAD_VALUES.values(), ids=list(BAD_VALUES))
def test_decode_rejects_malformed_values(wire: str, kind: str, offset: int) -> None:
    assert unread(amqp10.decode, "005377" + wire) == (kind, offset, "body")


@pytest.mark.parametrize("code", sorted({*range(256)} - {*ALL_CODES}))
def test_decode_rejects_unknown_format_codes(code: int) -> None:
    assert unread(amqp10.decode, f"005377{code:02x}" + "00" * 20) == ("unknown_type", 3, "body")


@pytest.mark.parametrize("code", [0xC0, 0xC1, 0xE0])
def test_decode_rejects_compound_values_of_the_wrong_size(code: int) -> None:
    """The size includes the count, so it is at least 1, or 4 in the larger form."""
    small, large = f"005377{code:02x}", f"005377{code + 0x10:02x}"
    assert unread(amqp10.decode, small + "0000") == ("bad_length", 4, "body")
    assert unread(amqp10.decode, small + "000040") == ("bad_length", 4, "body")
    assert unread(amqp10.decode, small + "00") == ("bad_length", 4, "body")
    assert unread(amqp10.decode, large + "0000000300000000") == ("bad_length", 4, "body")
    assert unread(amqp10.decode, small) == ("truncated", 4, "body")
    assert unread(amqp10.decode, small + "01") == ("truncated", 4, "body")
    assert unread(amqp10.decode, small + "030240") == ("truncated", 4, "body")
    assert unread(amqp10.decode, large + "000000060000000240") == ("truncated", 4, "body")
    assert unread(amqp10.decode, large + "00000004000000") == ("truncated", 11, "body")
    assert unread(amqp10.decode, large + "ffffffff00000000") == ("truncated", 4, "body")


@pytest.mark.parametrize(
    ("wire", "words"),
    [
        ("c003014040", "1 bytes left over"),
        ("c00301a10161", "1 bytes more than announced"),
        ("c0030240", "reaches 1 bytes beyond"),
        ("c0020240", "2 elements in 1 bytes"),
        ("40005370", "header cannot follow body"),
    ],
)
def test_decode_errors_describe_the_bytes(wire: str, words: str) -> None:
    with pytest.raises(DecodeError, match=words):
        amqp10.decode(bytes.fromhex("005377" + wire))


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (T("ubyte", 256), "not between 0 and 255"),
        (T("float", 1e300), "no float can hold it"),
        (T("list", ()), "not a list"),
        (T("nonsense", 1), "AMQP 1.0 has no type 'nonsense'"),
    ],
)
def test_encode_errors_describe_the_value(value: TypedValue, words: str) -> None:
    with pytest.raises(EncodeError, match=words):
        amqp10.encode(in_body(value))


BAD_SECTIONS = {
    "no-sections": ("", "truncated", 0, None),
    "no-descriptor": ("40", "unknown_section", 0, None),
    "value-after-a-section": ("00537045 40", "trailing_bytes", 4, None),
    "described-by-null": ("004040", "unknown_section", 1, None),
    "described-by-a-string": ("00a104 6e6f7065 40", "unknown_section", 1, None),
    "unknown-code": ("00536f45", "unknown_section", 1, None),
    "unknown-code-0": ("004445", "unknown_section", 1, None),
    "unknown-code-after-a-section": ("00537045 00537945", "unknown_section", 5, None),
    "described-by-null-behind-the-code-of-ulong": ("005375a00153 004075a000", "unknown_section", 7, None),
    "unknown-wide-code": ("008000000001 00000070 45", "unknown_section", 1, None),
    "unknown-symbol": ("00a304 6e6f7065 40", "unknown_section", 1, None),
    "descriptor-not-ascii": ("00a302 61ff 40", "bad_symbol", 4, None),
    "descriptor-code-missing": ("00", "truncated", 1, None),
    "descriptor-code-missing-after-a-section": ("00537045 00", "truncated", 5, None),
    "descriptor-cut": ("0053", "truncated", 2, None),
    "descriptor-cut-after-a-section": ("00537045 0053", "truncated", 6, None),
    "wide-descriptor-cut": ("0080000000", "truncated", 5, None),
    "symbol-cut": ("00a310 616d71", "truncated", 6, None),
    "no-value-after-a-symbol": ("00a310" + b"amqp:data:binary".hex(), "truncated", 19, "body"),
    "header-missing": ("005370", "truncated", 3, "header"),
    "header-is-null": ("00537040", "wrong_type", 3, "header"),
    "header-is-a-map": ("005370c10100", "wrong_type", 3, "header"),
    "header-is-a-binary": ("005370b000000000", "wrong_type", 3, "header"),
    "header-is-unknown": ("0053703f", "unknown_type", 3, "header"),
    "header8-without-room-for-the-count": ("005370 c0 00 00", "bad_length", 4, "header"),
    "header8-without-size": ("005370 c0", "truncated", 4, "header"),
    "header8-without-count": ("005370 c0 01", "truncated", 4, "header"),
    "header32-without-room-for-the-count": ("005370 d0 00000003 00000000", "bad_length", 4, "header"),
    "header8-beyond-the-input": ("005370 c0 03 01 41", "truncated", 4, "header"),
    "header32-beyond-the-input": ("005370 d0 00000006 00000001 41", "truncated", 4, "header"),
    "header-cut-within-a-field": ("005370 c0 03 02 41 50", "truncated", 8, "header"),
    "header-of-six-fields": ("005370 c0 07 06 404040404040", "bad_count", 6, "header"),
    "header32-of-six-fields": ("005370 d0 0000000a 00000006 404040404040", "bad_count", 12, "header"),
    "header-of-huge-count": ("005370 d0 00000005 ffffffff 40", "bad_count", 12, "header"),
    "header-of-more-fields-than-bytes": ("005370 c0 02 02 40", "truncated", 7, "header"),
    "header-of-too-little": ("005370 c0 03 01 4141", "bad_length", 7, "header"),
    "header-of-too-much": ("005370 c0 03 02 4150 04", "bad_length", 8, "header"),
    "header-with-boolean-2": ("005370 c0 03 01 5602", "bad_value", 7, "header"),
    "properties-of-fourteen-fields": ("005373 c0 0f 0e" + "40" * 14, "bad_count", 6, "properties"),
    "properties-of-too-much-text": ("005373 c0 05 03 4040 a101 61", "bad_length", 10, "properties"),
    "to-not-utf8": ("005373 c0 07 03 4040 a102 61ff", "bad_utf8", 11, "properties"),
    "to-not-utf8-in-a-wide-list": ("005373 d0 0000000a 00000003 4040 a102 61ff", "bad_utf8", 17, "properties"),
    "wide-to-not-utf8": ("005373 c0 0a 03 4040 b100000002 61ff", "bad_utf8", 14, "properties"),
    "to-cut-within-a-character": ("005373 c0 07 03 4040 a103 61c3", "truncated", 12, "properties"),
    "content-type-not-ascii": ("005373 c0 0b 07 404040404040 a302 61c3", "bad_symbol", 15, "properties"),
    "content-type-utf8": ("005373 c0 0c 07 404040404040 a303 61c3a9", "bad_symbol", 15, "properties"),
    "message-id-not-utf8": ("005373 c0 04 01 a101 ff", "bad_utf8", 8, "properties"),
    "data-is-a-string": ("005375a10161", "wrong_type", 3, "body"),
    "data-is-unknown": ("0053753f", "unknown_type", 3, "body"),
    "data-missing": ("005375", "truncated", 3, "body"),
    "data-cut": ("005375a00261", "truncated", 6, "body"),
    "wide-data-cut": ("005375b00000000261", "truncated", 9, "body"),
    "sequence-is-a-map": ("005376c10100", "wrong_type", 3, "body"),
    "sequence-is-unknown": ("0053763f", "unknown_type", 3, "body"),
    "sequence-missing": ("005376", "truncated", 3, "body"),
    "value-missing": ("005377", "truncated", 3, "body"),
    "two-values": ("00537740 00537740", "section_order", 4, "body"),
}


@pytest.mark.parametrize(("wire", "kind", "offset", "field"), BAD_SECTIONS.values(), ids=list(BAD_SECTIONS))
def test_decode_rejects_malformed_sections(wire: str, kind: str, offset: int, field: str | None) -> None:
    assert unread(amqp10.decode, wire) == (kind, offset, field)


BAD_ENTRIES = {
    "missing": ("", "truncated", 3),
    "null": ("40", "wrong_type", 3),
    "list": ("c00100", "wrong_type", 3),
    "list0": ("45", "wrong_type", 3),
    "array": ("e0020040", "wrong_type", 3),
    "unknown": ("3f", "unknown_type", 3),
    "map8-without-room-for-the-count": ("c1 00 00", "bad_length", 4),
    "map8-without-count": ("c1 01", "truncated", 4),
    "map32-without-room-for-the-count": ("d1 00000003 00000000", "bad_length", 4),
    "map8-beyond-the-input": ("c1 05 02 KEY", "truncated", 4),
    "map32-beyond-the-input": ("d1 00000008 00000002 KEY", "truncated", 4),
    "odd": ("c1 04 01 KEY", "bad_count", 6),
    "odd-wide": ("d1 00000007 00000001 KEY", "bad_count", 12),
    "more-elements-than-bytes": ("c1 04 04 KEY", "bad_count", 6),
    "huge-count": ("d1 00000007 fffffffe KEY", "bad_count", 12),
    "no-value": ("c1 03 02 TEXT00", "truncated", 8),
    "too-little": ("c1 06 02 KEY 40 40", "bad_length", 10),
    "too-little-text": ("c1 09 02 KEY a10161 4040", "bad_length", 12),
    "too-much-text": ("c1 06 02 KEY a101 61", "bad_length", 11),
    "too-much-beyond-the-input": ("c1 06 02 KEY a102", "bad_length", 11),
    "too-much-number": ("c1 06 02 KEY 6001 02", "bad_length", 11),
    "too-much-binary": ("c1 06 02 KEY a001 61", "bad_length", 11),
    "cut-number": ("c1 06 02 KEY 6001", "truncated", 11),
    "cut-key": ("c1 04 02 TEXT02 6b", "truncated", 9),
    "value-unknown": ("c1 05 02 KEY 3f", "unknown_type", 9),
    "value-not-utf8": ("c1 08 02 KEY a102 61ff", "bad_utf8", 12),
    "value-not-utf8-in-a-wide-map": ("d1 0000000b 00000002 KEY a102 61ff", "bad_utf8", 18),
    "wide-value-not-utf8": ("c1 0b 02 KEY b100000002 61ff", "bad_utf8", 15),
    "value-cut-within-a-character": ("c1 08 02 KEY a103 61c3", "truncated", 13),
    "value-not-ascii": ("c1 08 02 KEY a302 61ff", "bad_symbol", 12),
    "value-with-boolean-2": ("c1 06 02 KEY 5602", "bad_value", 10),
    "second-value-unknown": ("c1 09 04 KEY 40 KEY 3f", "unknown_type", 13),
}


@EACH_MAP
@pytest.mark.parametrize(("wire", "kind", "offset"), BAD_ENTRIES.values(), ids=list(BAD_ENTRIES))
def test_decode_rejects_malformed_entries(section: str, wire: str, kind: str, offset: int) -> None:
    text = "a1" if section == "application_properties" else "a3"
    raw = CODES[section] + bytes.fromhex(wire.replace("KEY", "TEXT016b").replace("TEXT", text))
    assert unread(amqp10.decode, raw) == (kind, offset, section)


SHAPES = ["", "00", "01", "0100", "0161", "01004040", "020140", "03024040", "0000000161", "000000040000000040", "00" * 17]
"""Bytes that could follow a format code."""


@pytest.mark.parametrize("code", sorted({*range(256)} - {*ALL_CODES}))
def test_decode_rejects_unknown_format_codes_in_sections(code: int) -> None:
    """The code is refused as a section, a field and an entry, regardless of the bytes after it."""
    for shape in SHAPES:
        raw = bytes((code,)) + bytes.fromhex(shape)
        for name, section in CODES.items():
            field = name if name in FIELDS or name in KEYS else "body"
            assert unread(amqp10.decode, section + raw) == ("unknown_type", 3, field)
        for name in FIELDS:
            wire = CODES[name] + wrapped(0xC0, 3, b"\x40\x40" + raw)
            field = f"{name}.{list(FIELDS[name])[2]}"
            assert unread(amqp10.decode, wire) == ("unknown_type", 8, field)
        for name in KEYS:
            key = b"\xa1\1k" if name == "application_properties" else b"\xa3\1k"
            assert unread(amqp10.decode, CODES[name] + wrapped(0xC1, 2, key + raw)) == ("unknown_type", 9, name)
            assert unread(amqp10.decode, CODES[name] + wrapped(0xC1, 2, raw + b"\x40"))[::2] == ("wrong_type", name)


@EACH_MAP
def test_decode_rejects_invalid_text_in_keys(section: str) -> None:
    text, kind = ("a1", "bad_utf8") if section == "application_properties" else ("a3", "bad_symbol")
    short, wide = bytes.fromhex(f"c10502{text}01ff40"), bytes.fromhex(f"c10802{'b' + text[1]}00000001ff40")
    assert unread(amqp10.decode, CODES[section] + short) == (kind, 8, section)
    assert unread(amqp10.decode, CODES[section] + wide) == (kind, 11, section)
    short, wide = bytes.fromhex(f"c10602{text}02c3a940"), bytes.fromhex(f"c10902{'b' + text[1]}00000002c3a940")
    if kind == "bad_utf8":
        assert amqp10.decode(CODES[section] + short).application_properties == [entry("é", NULL)]
        assert amqp10.decode(CODES[section] + wide).application_properties == [entry("é", NULL)]
    else:  # a symbol whose bytes are valid UTF-8
        assert unread(amqp10.decode, CODES[section] + short) == (kind, 8, section)
        assert unread(amqp10.decode, CODES[section] + wide) == (kind, 11, section)


# ---- bounds -------------------------------------------------------------------------------------------------------------


class Nest(NamedTuple):
    """One level around a value, as bytes and in Python; `head`: the number of bytes before the innermost value."""

    raw: Callable[[bytes], bytes]
    value: Callable[[TypedValue], TypedValue]
    head: int
    levels: int = 1


NESTS = {
    "list": Nest(lambda inner: wrapped(0xC0, 1, inner), lambda inner: T("list", [inner]), 3),
    "map-value": Nest(lambda inner: wrapped(0xC1, 2, b"\x40" + inner), lambda inner: T("map", [entry(NULL, inner)]), 3),
    "map-key": Nest(lambda inner: wrapped(0xC1, 2, inner + b"\x40"), lambda inner: T("map", [entry(inner, NULL)]), 3),
    "described": Nest(lambda inner: b"\x00\x40" + inner, lambda inner: T("described", Described(NULL, inner)), 1),
    "descriptor": Nest(lambda inner: b"\x00" + inner + b"\x40", lambda inner: T("described", Described(inner, NULL)), 1),
    "array": Nest(lambda inner: wrapped(0xE0, 1, inner), lambda inner: of(inner.type, inner.value), 3),
    "described-element": Nest(
        lambda inner: wrapped(0xE0, 1, b"\x00\x40" + inner),
        lambda inner: of(inner.type, inner.value, by=(NULL,)),
        *(3, 2),
    ),
    "descriptor-of-elements": Nest(
        lambda inner: wrapped(0xE0, 1, b"\x00" + inner + b"\x40"),
        lambda inner: of("null", None, by=(inner,)),
        *(3, 2),
    ),
}
EACH_NEST = pytest.mark.parametrize("nest", NESTS.values(), ids=list(NESTS))


def nested(nest: Nest, levels: int) -> tuple[bytes, TypedValue]:
    """Return null within this number of levels of a kind; a list adds the odd level of kinds with two levels each."""
    raw, value = b"\x40", NULL
    for _ in range(levels // nest.levels):
        raw, value = nest.raw(raw), nest.value(value)
    for _ in range(levels % nest.levels):
        raw, value = wrapped(0xC0, 1, raw), T("list", [value])
    return raw, value


@EACH_NEST
def test_nesting_in_a_value_is_limited(nest: Nest) -> None:
    raw, value = nested(nest, MOST)
    wire = CODES["amqp-value"] + raw
    assert amqp10.decode(wire) == in_body(value)
    assert amqp10.encode(in_body(value)) == wire
    for levels in (MOST + 1, 2 * MOST, 5000):
        raw, _ = nested(nest, levels)
        assert unread(amqp10.decode, CODES["amqp-value"] + raw)[::2] == ("nesting", "body")
    assert unwritten(amqp10.encode, in_body(nested(nest, MOST + 1)[1]))[0] == "nesting"


@EACH_NEST
def test_nesting_errors_have_the_offset_of_the_last_level(nest: Nest) -> None:
    """The offset is that of the first level beyond the limit. 100 described values, which have no size, contain it."""
    within = b"\x00\x40" * (MOST + 1 - nest.levels)
    wire = CODES["amqp-value"] + within + nest.raw(b"\x40")
    assert unread(amqp10.decode, wire) == ("nesting", 3 + len(within) + nest.head, "body")
    value = nest.value(NULL)
    for _ in range(MOST + 1 - nest.levels):
        value = T("described", Described(NULL, value))
    assert unwritten(amqp10.encode, in_body(value)) == ("nesting", "body")
    fits = within[2:] + nest.raw(b"\x40")
    assert amqp10.encode(amqp10.decode(CODES["amqp-value"] + fits)) == CODES["amqp-value"] + fits
    if nest.levels == 2:  # the first of the two levels is already too deep
        wire = CODES["amqp-value"] + b"\x00\x40" * MOST + nest.raw(b"\x40")
        assert unread(amqp10.decode, wire) == ("nesting", 3 + 2 * MOST + nest.head, "body")


@EACH_NEST
def test_adjacent_values_do_not_add_nesting_levels(nest: Nest) -> None:
    """Two adjacent values nest no deeper than one. An amqp-sequence section is a list and counts as a level."""
    raw, value = nested(nest, MOST - 1)
    wire = CODES["amqp-sequence"] + wrapped(0xC0, 2, raw + raw)
    message = Message(body=AmqpSequence([[value, value], [value]]))
    wire += CODES["amqp-sequence"] + wrapped(0xC0, 1, raw)
    assert amqp10.decode(wire) == message
    assert amqp10.encode(message) == wire
    deeper, too_deep = nested(nest, MOST)
    for before, values in ((b"", []), (raw, [value])):  # values after the end of a nest add no levels
        wire = CODES["amqp-sequence"] + wrapped(0xC0, 1 + len(values), before + deeper)
        assert unread(amqp10.decode, wire)[::2] == ("nesting", "body")
        assert unwritten(amqp10.encode, Message(body=AmqpSequence([[*values, too_deep]])))[0] == "nesting"


@EACH_NEST
@EACH_MAP
def test_nesting_in_entries_is_limited(section: str, nest: Nest) -> None:
    """A section of entries is a map and counts as a level. The next sections start at the first level again."""
    key = b"\xa1\x01k" if section == "application_properties" else b"\xa3\x01k"
    raw, value = nested(nest, MOST - 1)
    wire = CODES[section] + wrapped(0xC1, 4, (key + raw) * 2)
    message = holding(section, [entry("k", value), entry("k", value)])
    assert amqp10.decode(wire) == message
    assert amqp10.encode(message) == wire
    raw, _ = nested(nest, MOST)
    assert unread(amqp10.decode, CODES[section] + wrapped(0xC1, 2, key + raw))[::2] == ("nesting", section)
    if section != "footer":
        body, value = nested(nest, MOST)
        message.body = AmqpValue(value)
        assert amqp10.encode(message) == wire + CODES["amqp-value"] + body
        assert amqp10.decode(wire + CODES["amqp-value"] + body) == message


@EACH_MAP
def test_nesting_in_entries_with_long_text_is_limited(section: str) -> None:
    """Text beyond 255 bytes in a key makes the encoder write all entries again, from the first level on."""
    _, value = nested(NESTS["list"], MOST - 1)
    message = holding(section, [entry("k", value), entry("k" * 256, value)])
    assert amqp10.decode(amqp10.encode(message)) == message
    _, value = nested(NESTS["list"], MOST)
    message = holding(section, [entry("k", value), entry("k" * 256, value)])
    assert unwritten(amqp10.encode, message) == ("nesting", f'{section}["k"]' + "[0]" * (MOST - 1))


@EACH_MAP
def test_encode_rejects_deep_and_invalid_entries_of_short_text(section: str) -> None:
    """Values that are not lists and values beyond the deepest level are refused on the fast path, too."""
    unfit: Any
    for unfit in ((), {}, (("k", TypedValue("null", None)),)):
        assert unwritten(amqp10.encode, holding(section, unfit)) == ("bad_value", section)
    _, value = nested(NESTS["list"], MOST)
    assert unwritten(amqp10.encode, holding(section, [entry("k", value)])) == (
        "nesting",
        f'{section}["k"]' + "[0]" * (MOST - 1),
    )


@EACH_MAP
def test_invalid_text_is_reported_beside_a_deep_value(section: str) -> None:
    raw, _ = nested(NESTS["list"], MOST - 1)
    key = b"\xa1\x01k" if section == "application_properties" else b"\xa3\x01k"
    wire = CODES[section] + wrapped(0xC1, 4, key + raw + key + b"\xa1\x01\xff")
    assert unread(amqp10.decode, wire) == ("bad_utf8", len(wire) - 1, section)


def zeros(code: int, count: int) -> bytes:
    """Return an array of elements that have no bytes."""
    return b"\xf0" + (5).to_bytes(4) + count.to_bytes(4) + bytes((code,))


@pytest.mark.parametrize("code", [0x40, 0x41, 0x42, 0x43, 0x44, 0x45])
def test_decode_limits_elements_of_zero_width(code: int) -> None:
    """The limit is 4,096 in a message, in one array or several."""
    value = CODES["amqp-value"]
    array: Any = amqp10.decode(value + zeros(code, 4_096)).body
    assert len(array.value.value.values) == 4_096
    assert unread(amqp10.decode, value + zeros(code, 4_097)) == ("bad_count", 13, "body")
    assert unread(amqp10.decode, value + zeros(code, 0xFFFFFFFF)) == ("bad_count", 13, "body")
    halves = wrapped(0xC0, 2, zeros(code, 2_048) * 2)
    assert amqp10.decode(value + halves).body.__class__ is AmqpValue
    over = wrapped(0xC0, 2, zeros(code, 2_048) + zeros(code, 2_049))
    assert unread(amqp10.decode, value + over) == ("bad_count", 6 + 20, "body")
    entries = CODES["footer"] + wrapped(0xC1, 2, b"\x44" + zeros(code, 2_049))
    assert unread(amqp10.decode, value + zeros(code, 2_048) + entries)[::2] == ("bad_count", "footer")


def test_elements_with_a_width_are_not_limited() -> None:
    raw = b"\xf0" + (65_537 + 5).to_bytes(4) + (65_537).to_bytes(4) + b"\x50" + b"\7" * 65_537
    message = in_body(of("ubyte", *[7] * 65_537))
    assert amqp10.decode(CODES["amqp-value"] + raw) == message
    assert amqp10.encode(message) == CODES["amqp-value"] + raw


@pytest.mark.parametrize(
    ("array", "wire"),
    [
        (of("int", -1, 1000), "71 ffffffff 000003e8"),
        (of("long", -128, 0, 2**40), "81 ffffffffffffff80 0000000000000000 0000010000000000"),
        (of("uint", 0, 255, 256), "70 00000000 000000ff 00000100"),
        (of("boolean", True, False), "56 01 00"),
        (of("string", "abc", "ab\u00a1c", "a"), "a1 03 616263 05 6162c2a163 01 61"),  # its bytes repeat the code at equal steps
        (of("list", [], [NULL]), "c0 01 00 02 01 40"),
    ],
)
def test_elements_have_one_code_that_fits_all(array: Any, wire: str) -> None:
    message = in_body(array)
    assert amqp10.encode(message).hex().endswith(wire.replace(" ", ""))
    assert amqp10.decode(amqp10.encode(message)) == message


def test_encode_limits_elements_of_zero_width() -> None:
    """Only nulls have no width when written. The limit covers all sections together."""
    assert amqp10.encode(in_body(of("null", *[None] * 4_096))) == CODES["amqp-value"] + zeros(0x40, 4_096)
    assert unwritten(amqp10.encode, in_body(of("null", *[None] * 4_097))) == ("bad_count", "body")
    half, more = of("null", *[None] * 2_048), of("null", *[None] * 2_049)
    for key in ("k", "k" * 256):  # the codec writes a long key twice, but counts it once
        message = Message(application_properties=[entry("a", half), entry(key, NULL)], body=AmqpValue(half))
        assert amqp10.decode(amqp10.encode(message)) == message
        message.body = AmqpValue(more)
        assert unwritten(amqp10.encode, message) == ("bad_count", "body")


def test_encode_rejects_values_beyond_4_gib() -> None:
    """A false count stands in for values of 4 GiB."""
    assert amqp10.bad_value("binary", b"").code == amqp10.bad_value("string", "").code == "too_large"  # no other fault is left

    def counted(count: int) -> bytes:
        out = Writer()
        out.write(b"\xc0\0\0")
        amqp10._put_sizes(out, 0, 0xD0, count)
        return out.getvalue()

    assert counted(2**32 - 1).hex() == "d000000004ffffffff"
    assert unwritten(counted, 2**32) == ("too_large", "")


# ---- refusals of the encoder --------------------------------------------------------------------------------------------

RANGES = {
    "ubyte": (0, 2**8 - 1),
    "ushort": (0, 2**16 - 1),
    "uint": (0, 2**32 - 1),
    "ulong": (0, 2**64 - 1),
    "byte": (-(2**7), 2**7 - 1),
    "short": (-(2**15), 2**15 - 1),
    "int": (-(2**31), 2**31 - 1),
    "long": (-(2**63), 2**63 - 1),
    "timestamp": (-(2**63), 2**63 - 1),
    "char": (0, 0x10FFFF),
}
UNFIT: dict[str, list[Any]] = {
    "null": [0, False, ""],
    "boolean": [0, 1, None, "true"],
    **{type_: [low - 1, high + 1, 1.0, True, "1", None] for type_, (low, high) in RANGES.items()},
    "float": [1, True, "1.0", 1e300, None],
    "double": [1, True, "1.0", None],
    "decimal32": [b"\0" * 3, b"\0" * 5, "0000", None],
    "decimal64": [b"\0" * 7, b"\0" * 9, bytearray(8)],
    "decimal128": [b"\0" * 15, b"\0" * 17, 0],
    "uuid": [b"\0" * 15, b"\0" * 17, "0" * 16],
    "binary": ["a", bytearray(b"a"), None, 5],
    "string": [b"a", None, 5, "\ud800", "a" * 300 + "\udfff"],
    "symbol": [b"a", None, 5, "é", "a" * 300 + "é"],
    "list": [None, (), {}, "", 5],
    "map": [None, (), {}, 5],
    "array": [None, [], 5],
    "described": [None, NULL, 5],
}
"""Invalid values of a type, by its range or by the Python class."""
EACH_UNFIT = pytest.mark.parametrize(
    ("type_", "value"),
    [pytest.param(type_, value, id=f"{type_}-{value!r:.20}") for type_, unfit in UNFIT.items() for value in unfit],
)


@EACH_UNFIT
def test_encode_rejects_invalid_values(type_: str, value: Any) -> None:
    unfit = T(type_, value)
    assert unwritten(amqp10.encode, in_body(unfit)) == ("bad_value", "body")
    listed = Message(body=AmqpSequence([[NULL], [NULL, T("list", [NULL, unfit])]]))
    assert unwritten(amqp10.encode, listed) == ("bad_value", "body[1][1][1]")
    for section in KEYS:
        for key in ("k", "k" * 256):
            message = holding(section, [entry("a", NULL), entry(key, unfit)])
            assert unwritten(amqp10.encode, message) == ("bad_value", f'{section}["{key}"]')
    for mapped in (
        T("map", [entry(T("symbol", "k"), unfit)]),
        T("map", [entry(NULL, NULL), Entry(T("symbol", "k"), "list", [unfit])]),
    ):
        end = "" if len(mapped.value) == 1 else "[0]"
        assert unwritten(amqp10.encode, in_body(mapped)) == ("bad_value", f'body["k"]{end}')
    assert unwritten(amqp10.encode, in_body(T("map", [entry(unfit, NULL)]))) == ("bad_value", f'body["{value}"]')
    for described in (Described(unfit, NULL), Described(NULL, unfit)):
        assert unwritten(amqp10.encode, in_body(T("described", described))) == ("bad_value", "body")


@EACH_UNFIT
def test_encode_rejects_invalid_array_elements(type_: str, value: Any) -> None:
    if type_ == "described":
        return  # test_encode_rejects_invalid_arrays covers them
    assert unwritten(amqp10.encode, in_body(of(type_, value))) == ("bad_value", "body[0]")
    if type_ in SOUND:
        assert unwritten(amqp10.encode, in_body(of(type_, SOUND[type_], value))) == ("bad_value", "body[1]")
        assert unwritten(amqp10.encode, in_body(of(type_, SOUND[type_], by=(T(type_, value),)))) == ("bad_value", "body")


SOUND = {forms[0].type: forms[0].value for forms in VALUES.values()}


@pytest.mark.parametrize(
    ("array", "kind"),
    [
        (Array("described", []), "unknown_type"),
        (Array("nonsense", []), "unknown_type"),
        (Array("", [1]), "unknown_type"),
        (Array(ILL, [1]), "unknown_type"),
        (Array([], [1]), "unknown_type"),  # type: ignore[arg-type]  # not hashable, either
        (Array("uint", ()), "bad_value"),  # type: ignore[arg-type]  # a tuple, not a list
        (Array("uint", ILL), "bad_value"),
        (Array("uint", [1], []), "bad_value"),  # type: ignore[arg-type]  # a list, not a tuple
        (Array("uint", [1], (ILL,)), "wrong_type"),
        (Array("uint", [1], (T("nonsense", 1),)), "unknown_type"),
    ],
)
def test_encode_rejects_invalid_arrays(array: Array, kind: str) -> None:
    assert unwritten(amqp10.encode, in_body(T("array", array))) == (kind, "body")


NO_TYPED_VALUES: list[tuple[Any, str]] = [
    (5, "wrong_type"),
    (None, "wrong_type"),
    ("text", "wrong_type"),
    (("ubyte", 1), "wrong_type"),
    (Entry("k", "ubyte", 1), "wrong_type"),
    (T("nonsense", 1), "unknown_type"),
    (T("", 1), "unknown_type"),
    (T(ILL, 1), "unknown_type"),
    (T([], 1), "unknown_type"),  # type: ignore[arg-type]  # not hashable, either
]


@pytest.mark.parametrize(("value", "kind"), NO_TYPED_VALUES)
def test_encode_rejects_untyped_values(value: Any, kind: str) -> None:
    assert unwritten(amqp10.encode, in_body(value)) == (kind, "body")
    assert unwritten(amqp10.encode, Message(body=AmqpSequence([[NULL, value]]))) == (kind, "body[0][1]")
    assert unwritten(amqp10.encode, in_body(T("described", Described(value, NULL)))) == (kind, "body")
    assert unwritten(amqp10.encode, in_body(T("map", [Entry(value, "null", None)])))[0] == kind
    if not isinstance(value, T):
        return  # entries always have a type and a value
    assert unwritten(amqp10.encode, in_body(T("map", [entry(T("symbol", "k"), value)]))) == (kind, 'body["k"]')
    for section in KEYS:
        for key in ("k", "k" * 256):
            message = holding(section, [entry("a", NULL), entry(key, value)])
            assert unwritten(amqp10.encode, message) == (kind, f'{section}["{key}"]')


@pytest.mark.parametrize("member", [5, None, (), NULL, ("k", NULL), "abc"])
def test_encode_rejects_invalid_entries(member: Any) -> None:
    for section in KEYS:
        assert unwritten(amqp10.encode, holding(section, [entry("k", NULL), member])) == ("bad_value", f"{section}[1]")
    assert unwritten(amqp10.encode, in_body(T("map", [entry(NULL, NULL), member]))) == ("bad_value", "body[1]")


@pytest.mark.parametrize("key", [None, b"k", 1.0, True, "\ud800", "k" * 300 + "\ud800"])
def test_encode_rejects_invalid_keys(key: Any) -> None:
    for section in KEYS:
        assert unwritten(amqp10.encode, holding(section, [entry("a", NULL), entry(key, NULL)])) == (
            "bad_value",
            f'{section}["{key}"]',
        )


@pytest.mark.parametrize("key", ["é", -1, 2**64])
def test_encode_rejects_invalid_annotation_keys(key: Any) -> None:
    for section in KEYS:
        if section != "application_properties":
            assert unwritten(amqp10.encode, holding(section, [entry(key, NULL)])) == ("bad_value", f'{section}["{key}"]')
    if key.__class__ is int:
        field = f'application_properties["{key}"]'
        assert unwritten(amqp10.encode, holding("application_properties", [entry(key, NULL)])) == ("bad_value", field)


@EACH_MAP
@pytest.mark.parametrize("entries", [5, {"k": NULL}, "k", (("k", NULL), 5)])
def test_encode_rejects_sections_that_are_not_lists(section: str, entries: Any) -> None:
    assert unwritten(amqp10.encode, holding(section, entries)) == ("bad_value", section)


@pytest.mark.parametrize(("section", "index", "name", "type_"), PLACES)
def test_encode_rejects_invalid_fields(section: str, index: int, name: str, type_: str) -> None:
    """The error names the field, alone or after another one, with or without long text."""
    assert list(FIELDS[section])[index] == name
    for value in [5, "text", (1, 2)] if type_ == "*" else [value for value in UNFIT[type_] if value is not None]:
        for more in ({}, {"delivery_count": 1} if section == "header" else {"reply_to_group_id": "g" * 256}):
            made = SECTION_CLASSES[section](**(more | {name: value}))
            kind = "wrong_type" if type_ == "*" else "bad_value"
            assert unwritten(amqp10.encode, holding(section, made)) == (kind, f"{section}.{name}")
    if type_ == "*":
        for sound in (value for value, *_ in FORMS.values() if value.type not in IDS):
            made = SECTION_CLASSES[section](**{name: sound})
            assert unwritten(amqp10.encode, holding(section, made)) == ("wrong_type", f"{section}.{name}")
        for value in (T(type_, value) for type_ in sorted(IDS) for value in UNFIT[type_]):
            made = SECTION_CLASSES[section](**{name: value})
            assert unwritten(amqp10.encode, holding(section, made)) == ("bad_value", f"{section}.{name}")


def test_last_fields_with_equal_values_are_written_and_checked() -> None:
    same = Properties(group_id="g", reply_to_group_id="g")
    assert amqp10.decode(amqp10.encode(holding("properties", same))).properties == same
    for properties in (
        Properties(group_id=ILL, group_sequence=ILL),
        Properties(group_id=ILL, group_sequence=ILL, reply_to_group_id=ILL),
    ):
        assert unwritten(amqp10.encode, holding("properties", properties)) == ("bad_value", "properties.group_id")


BAD_MESSAGES: dict[str, tuple[Message, str, str]] = {
    "nothing": (Message(), "bad_count", "body"),
    "no-header": (Message(header=ILL), "wrong_type", "header"),
    "other-section": (Message(header=Properties()), "wrong_type", "header"),  # type: ignore[arg-type]  # wrong on purpose
    "no-properties": (Message(properties=ILL), "wrong_type", "properties"),
    "header-for-properties": (Message(properties=Header()), "wrong_type", "properties"),  # type: ignore[arg-type]  # wrong on purpose
    "no-body": (Message(body=ILL), "wrong_type", "body"),
    "bytes-for-a-body": (Message(body=b"a"), "wrong_type", "body"),  # type: ignore[arg-type]  # wrong on purpose
    "data-of-no-sections": (Message(body=Data([])), "bad_count", "body"),
    "header-and-data-of-no-sections": (Message(header=Header(), body=Data([])), "bad_count", "body"),
    "data-of-no-list": (Message(body=Data(ILL)), "bad_count", "body"),
    "data-of-a-tuple": (Message(body=Data((b"a",))), "bad_count", "body"),  # type: ignore[arg-type]  # wrong on purpose
    "data-of-text": (Message(body=Data(["a"])), "bad_value", "body[0]"),  # type: ignore[list-item]  # wrong on purpose
    "data-of-bytes-and-none": (Message(body=Data([b"a", b"", ILL])), "bad_value", "body[2]"),
    "sequence-of-no-sections": (Message(body=AmqpSequence([])), "bad_count", "body"),
    "sequence-of-no-list": (Message(body=AmqpSequence(ILL)), "bad_count", "body"),
    "sequence-of-no-lists": (Message(body=AmqpSequence([ILL])), "bad_value", "body[0]"),
    "sequence-of-a-list-and-none": (Message(body=AmqpSequence([[], [NULL], ILL])), "bad_value", "body[2]"),
}


@pytest.mark.parametrize(("message", "kind", "field"), BAD_MESSAGES.values(), ids=list(BAD_MESSAGES))
def test_encode_rejects_invalid_messages(message: Message, kind: str, field: str) -> None:
    assert unwritten(amqp10.encode, message) == (kind, field)


# ---- properties ---------------------------------------------------------------------------------------------------------


def content(raw: bytes) -> bytes:
    """Return the content of a list or map in a section with a short descriptor."""
    return raw[6:] if raw[3] < 0xD0 else raw[12:]


@given(MESSAGES["amqp-1.0"])
def test_careful_writers_of_fields_give_the_same_bytes(message: Message) -> None:
    """Long text at the end makes the careful writer write properties again, a delivery count the header."""
    properties = message.properties or Properties()
    short, long = (
        content(amqp10.encode(Message(properties=replace(properties, reply_to_group_id="g" * size)))) for size in (255, 256)
    )
    assert short[: -2 - 255] == long[: -5 - 256]
    header = replace(message.header or Header(), delivery_count=None, first_acquirer=None, ttl=1)
    quick, careful = (content(amqp10.encode(Message(header=replace(header, delivery_count=count)))) for count in (None, 1))
    assert quick + b"\x40\x52\x01" == careful


@given(MESSAGES["amqp-1.0"])
def test_careful_writers_of_entries_give_the_same_bytes(message: Message) -> None:
    for section in KEYS:
        entries = list(getattr(message, section) or [])
        short, long = (content(amqp10.encode(holding(section, [*entries, entry("k" * size, NULL)]))) for size in (255, 256))
        assert short[: -3 - 255] == long[: -6 - 256]


@given(AMQP10_VALUES)
def test_proton_reads_every_value(value: TypedValue) -> None:
    raw = amqp10.encode(in_body(value))
    theirs = proton.Data()
    theirs.decode(raw[3:])
    assert amqp10.encode(amqp10.decode(raw[:3] + theirs.encode())) == raw  # compare bytes, since NaN differs from NaN


ODD = {
    "durable-ubyte": ("005370c003015001", Header()),
    "priority-uint": ("005370c004024052 04", Header(priority=4)),
    "priority-long": ("005370c004024055 04", Header(priority=4)),
    "priority-boolean": ("005370c0030240 41", Header()),
    "priority-char": ("005370c007024073 00000004", Header(priority=4)),
    "ttl-ulong": ("005370c005034040 5304", Header(ttl=4)),
    "ttl-boolean": ("005370c004034040 41", Header()),
    "ttl-timestamp": ("005370c00c034040 830000000000000004", Header(ttl=4)),
    "first-acquirer-string": ("005370c008044040 40a1027474", Header()),
    "delivery-count-ushort": ("005370c008054040 4040600004", Header(delivery_count=4)),
    "message-id-symbol": ("005373c00501a3026964", Properties(message_id=T("string", "id"))),
    "correlation-id-int": ("005373c00806404040 40405404", Properties(correlation_id=T("ulong", 4))),
    "user-id-string": ("005373c0050240a10175", Properties(user_id=b"u")),
    "user-id-symbol": ("005373c0050240a30175", Properties(user_id=b"u")),
    "user-id-uuid": ("005373c013024098" + "01" * 16, Properties(user_id=b"\1" * 16)),
    "reply-to-symbol": ("005373c0080540404040a30161", Properties()),
    "content-type-string": ("005373c00a07404040404040a10161", Properties(content_type="a")),
    "content-encoding-binary": ("005373c00b0840404040404040a00161", Properties(content_encoding="a")),
    "creation-time-long": ("005373c00c0a4040404040404040405504", Properties(creation_time=4000)),
    "header-map": ("005370c10d02a3087072696f726974795204", Header(priority=4)),
    "properties-map": ("005373d10000001500000002a30c636f6e74656e742d74797065a10161", Properties(content_type="a")),
    "group-sequence-ulong": ("005373c00e0c40404040404040404040405304", Properties(group_sequence=4)),
}
"""Sections that part 3 section 3.2 forbids and RabbitMQ 4.0.5 accepts, and how it reads them."""


@pytest.mark.parametrize("name", ODD)
def test_lenient_reads_the_other_types_that_rabbitmq_accepts(name: str) -> None:
    section, wanted = ODD[name]
    data = bytes.fromhex(section) + bytes.fromhex("005375a00161")
    with pytest.raises(DecodeError, match=r"try the option lenient=true") as caught:
        amqp10.decode(data)
    assert caught.value.kind == "wrong_type"
    read = amqp10.decode(data, lenient=True)
    assert (read.header if isinstance(wanted, Header) else read.properties) == wanted
    assert amqp10.decode(amqp10.encode(read)) == read


@pytest.mark.parametrize(
    ("section", "field"),
    [
        ("005370c10602a3016b5204", "header"),
        ("005370c106025404a10176", "header"),
        ("005370c10e02a3087072696f72697479a10134", "header.priority"),
        ("005370c004024054ff", "header"),
        ("005370c007024070000003e8", "header"),
        ("005370c0050240a10134", "header.priority"),
        ("005373c009074040404040405404", "properties.content_type"),
        ("005373c0020141", "properties.message_id"),
        ("005373c00b07404040404040a102c3a9", "properties"),
    ],
)
def test_lenient_refuses_what_no_field_can_hold(section: str, field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        amqp10.decode(bytes.fromhex(section) + bytes.fromhex("005375a00161"), lenient=True)
    assert (caught.value.kind, caught.value.field) == ("wrong_type", field)


def test_lenient_reads_string_keys_of_annotations_and_leaves_out_odd_properties() -> None:
    data = bytes.fromhex("005372c10902a103782d6ba10176 005374c11508a3016ba1017640a1017641a10176a1016aa10177 005375a00161")
    with pytest.raises(DecodeError, match="try the option lenient=true"):
        amqp10.decode(data)
    read = amqp10.decode(data, lenient=True)
    assert read.message_annotations == [Entry("x-k", "string", "v")]
    assert read.application_properties == [Entry("j", "string", "w")]


PARTS = {
    "header": "005370c0020141", "delivery": "005371c10100", "annotations": "005372c10100", "properties": "005373c0020140",
    "application": "005374c10100", "data": "005375a00161", "value": "00537741", "footer": "005378c10702a30166a1017a",
}  # fmt: skip


@pytest.mark.parametrize(
    ("names", "accepted"),
    [
        ("data footer delivery", True),  # Azure Service Bus 7.15.0 for Python
        ("data header", True),
        ("footer data", True),
        ("data header data", True),
        ("application annotations value properties", True),
        ("header header data", False),
        ("properties header properties data", False),
        ("data header value", False),
        ("value header value", False),
        ("data footer data", False),
        ("data footer footer", False),
        ("data value", False),
    ],
)
def test_lenient_reads_sections_in_another_order(names: str, accepted: bool) -> None:
    data = bytes.fromhex("".join(PARTS[name] for name in names.split()))
    with pytest.raises(DecodeError) as caught:
        amqp10.decode(data)
    assert caught.value.kind == "section_order"
    if accepted:
        in_order = sorted(names.split(), key=list(PARTS).index)
        assert amqp10.decode(data, lenient=True) == amqp10.decode(bytes.fromhex("".join(PARTS[name] for name in in_order)))
        assert "try the option lenient=true" in caught.value.message
    else:
        assert unread(amqp10.decode, data, lenient=True)[0] == "section_order"


def answer(data: bytes, **options: Any) -> Message | DecodeError:
    try:
        return amqp10.decode(data, **options)
    except DecodeError as error:
        return error


@given(message=MESSAGES["amqp-1.0"], at=st.integers(0, 200), byte=st.integers(0, 255))
def test_lenient_reads_what_strict_reads_and_refuses_the_rest_with_a_place(message: Message, at: int, byte: int) -> None:
    wire = amqp10.encode(message)
    changed = wire[: at % len(wire)] + bytes((byte,)) + wire[at % len(wire) + 1 :]
    strict, lenient = answer(changed), answer(changed, lenient=True)
    if isinstance(lenient, DecodeError):
        assert isinstance(strict, DecodeError)
        assert 0 <= (lenient.offset or 0) <= len(changed)
    else:
        assert isinstance(strict, DecodeError) or repr(lenient) == repr(strict)
        assert amqp10.encode(lenient)

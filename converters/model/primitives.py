"""Read and write numbers, text and uuids in wire bytes.

Numbers and positions in a Writer are the only code with two versions: mypyc compiles the first, Python runs the second. In
place of some other functions, compiled modules call C (scripts/speed/operations.h).

Readers raise IndexError or struct.error where the bytes end. Writers raise one of `UNWRITABLE` for other values, for numbers
out of range, and for text whose size does not fit.

A `Writer` takes pieces of bytes, `write_from(out, other)` those of another one. `len(out)` is the position of the next piece.
`ended(out, last, end)` returns all bytes with two more pieces behind them, without a copy of a long payload in the Writer.
`put_u16` writes over a piece of that size, `put_size` over a piece of 4 bytes the size of what follows it, and `put_sizes`
over one of 3 bytes the head of a list, map or array of AMQP 1.0: the code (given is that for sizes of four bytes, the other is
smaller by 0x10), the size and the count of what follows it. `write_text8` and `write_text16` write the size of UTF-8 in one
byte or two, and the UTF-8. `write_coded_text16` first writes a byte, the code of a type, and `write_varied_text` that of a text
of AMQP 1.0: with a size of one byte, or larger by 0x10 with one of four. `write_pair16` writes two texts at once.
"""

import re
from functools import lru_cache
from struct import Struct
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from typing import Final

from mqconvert.converters.model.native import i16, i32, i64, u8


def _probe() -> None:
    """Do nothing: compiled functions have no `__code__`."""


_LARGE: Final = Struct(">BII").pack


def _sizes(code: i64, size: i64, count: i64) -> bytes:
    """Return the head of a list, map or array of AMQP 1.0."""
    small = size < 255 and count < 256
    return bytes((code - 0x10, size + 1, count)) if small else _LARGE(code, size + 4, count)


COMPILED = not hasattr(_probe, "__code__")  # true for mypy and mypyc (always_true)

if COMPILED:
    from librt.strings import BytesWriter as Writer
    from librt.strings import read_f32_be as read_f32
    from librt.strings import read_f64_be as read_f64
    from librt.strings import read_i16_be, read_i32_be, read_i64_be, write_i16_be, write_i32_be
    from librt.strings import write_f64_be as write_f64
    from librt.strings import write_i64_be as write_i64

    def read_i16(data: bytes, at: i64) -> i64:
        return i64(read_i16_be(data, at))

    def read_u16(data: bytes, at: i64) -> i64:
        return i64(read_i16_be(data, at)) & 0xFFFF

    def read_u32(data: bytes, at: i64) -> i64:
        return i64(read_i32_be(data, at)) & 0xFFFF_FFFF

    def read_i32(data: bytes, at: i64) -> i64:
        return i64(read_i32_be(data, at))

    def read_i64(data: bytes, at: i64) -> i64:
        return read_i64_be(data, at)

    def read_u64(data: bytes, at: i64) -> int:
        value = read_i64_be(data, at)
        return int(value) if value >= 0 else int(value) + 2**64

    def write_u8(out: Writer, value: i64) -> None:
        if value & ~0xFF:
            raise OverflowError
        out.append(u8(value))

    def write_i8(out: Writer, value: i64) -> None:
        if not -0x80 <= value < 0x80:
            raise OverflowError
        out.append(u8(value & 0xFF))

    def write_u16(out: Writer, value: i64) -> None:
        if value & ~0xFFFF:
            raise OverflowError
        write_i16_be(out, i16(value if value < 0x8000 else value - 0x1_0000))

    def write_u32(out: Writer, value: i64) -> None:
        if value & ~0xFFFF_FFFF:
            raise OverflowError
        write_i32_be(out, i32(value if value < 0x8000_0000 else value - 0x1_0000_0000))

    def write_i16(out: Writer, value: i64) -> None:
        if not -0x8000 <= value < 0x8000:
            raise OverflowError
        write_i16_be(out, i16(value))

    def write_i32(out: Writer, value: i64) -> None:
        if not -0x8000_0000 <= value < 0x8000_0000:
            raise OverflowError
        write_i32_be(out, i32(value))

    def write_u64(out: Writer, value: int) -> None:
        if 0 <= value <= 2**62 - 1:  # compared without large numbers
            write_i64(out, value)
        elif value >= 2**64 or value < 0:
            raise OverflowError
        else:
            write_i64(out, value if value < 2**63 else value - 2**64)

    def put_u16(out: Writer, place: i64, value: i64) -> None:
        out[place] = u8(value >> 8 & 255)
        out[place + 1] = u8(value & 255)

    def put_size(out: Writer, place: i64) -> None:
        size: i64 = len(out) - place - 4
        if size > 0xFFFF_FFFF:
            raise OverflowError
        put_u16(out, place, size >> 16)
        put_u16(out, place + 2, size)

    def put_sizes(out: Writer, place: i64, code: i64, count: i64) -> None:
        behind = out.getvalue()[place + 3 :]
        out.truncate(place)
        out.write(_sizes(code, len(behind), count))
        out.write(behind)

else:
    _U8, _U16, _U32, _U64 = Struct(">B"), Struct(">H"), Struct(">I"), Struct(">Q")
    _I8, _I16, _I32, _I64 = Struct(">b"), Struct(">h"), Struct(">i"), Struct(">q")
    _F32, _F64 = Struct(">f"), Struct(">d")

    def _reader(layout):
        unpack = layout.unpack_from
        return lambda data, at: unpack(data, at)[0]

    def _writer(layout):
        pack = layout.pack
        return lambda out, value: out.append(pack(value))

    read_u16, read_u32, read_u64 = _reader(_U16), _reader(_U32), _reader(_U64)
    read_i16, read_i32, read_i64 = _reader(_I16), _reader(_I32), _reader(_I64)
    read_f32, read_f64 = _reader(_F32), _reader(_F64)
    write_u8, write_u16, write_u32, write_u64 = _writer(_U8), _writer(_U16), _writer(_U32), _writer(_U64)
    write_i8, write_i16, write_i32, write_i64 = _writer(_I8), _writer(_I16), _writer(_I32), _writer(_I64)
    write_f64 = _writer(_F64)

    class Writer(list):
        """Pure Python replacement of librt's BytesWriter: a list of pieces."""

        __slots__ = ()
        write = list.append

        def getvalue(self):
            return b"".join(self)

        def truncate(self, place):
            del self[place:]

    def put_u16(out, place, value):
        out[place] = _U16.pack(value)

    def put_size(out, place):
        behind = b"".join(out[place + 1 :])
        out[place:] = _U32.pack(len(behind)), behind

    def put_sizes(out, place, code, count):
        behind = b"".join(out[place + 1 :])
        out[place:] = _sizes(code, len(behind), count), behind


UNWRITABLE: Final = (AttributeError, IndexError, KeyError, OverflowError, TypeError, ValueError, StructError)
"""The errors of writing an invalid value without checks."""
UNFIT: Final = (AttributeError, OverflowError, TypeError, ValueError, StructError)
"""The errors of writing a value that its type cannot hold: TypeError where Python calls a compiled writer."""
SIZES: Final = [bytes((size,)) for size in range(256)]
"""All single bytes."""


def digits_at(data: bytes, before: bytes, at: i64, end: i64) -> i64:
    """Return the number of the decimal digits in `data[at:end]` behind the bytes `before`, of at most 32 bytes together.

    -1 for other bytes, for no digits, for numbers of 2^62 or more, and for an `end` before `at`, such as the -1 of `find`.

    >>> digits_at(b"P02007", b"P02", 0, 6), digits_at(b"P02+07", b"P02", 0, 6), digits_at(b"P02007", b"", 3, 6)
    (7, -1, 7)
    >>> digits_at(b"007", b"", 1, -1)
    -1
    """
    return _digits(data[at:end], before) if 0 < end - at <= 32 else -1


@lru_cache(1024)  # the same sizes repeat
def _digits(data: bytes, before: bytes) -> i64:
    digits = data[len(before) :]
    number = int(digits) if digits.isdigit() and data.startswith(before) else -1
    return number if number < 2**62 else -1


_UUID: Final = re.compile(r"[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\Z")


def uuid_at(text: str, at: i64) -> bytes | None:
    """Return the 16 bytes of a uuid (RFC 9562 section 4) that takes the text from `at` to its end; None for other text.

    >>> uuid_at("550e8400-e29b-41d4-a716-446655440000", 0).hex(), uuid_at("550e8400", 0)
    ('550e8400e29b41d4a716446655440000', None)
    """
    found = _UUID.match(text, at)
    return None if found is None else bytes.fromhex(found[0].replace("-", ""))


def uuid_text(raw: bytes) -> str:
    """Return 16 bytes as a uuid in lower case.

    >>> uuid_text(bytes.fromhex("550e8400e29b41d4a716446655440000"))
    '550e8400-e29b-41d4-a716-446655440000'
    """
    text = raw.hex()
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"


def text_or_none(data: bytes) -> str | None:
    """Return the text of UTF-8; None for other bytes.

    >>> text_or_none(b"a"), text_or_none(b"\\xff")
    ('a', None)
    """
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def is_text(data: bytes, begin: i64, end: i64) -> bool:
    """Return whether these bytes of `data` are UTF-8 without NUL, which no text of MQTT has.

    >>> is_text(b"a\\0b", 2, 3), is_text(b"a\\0b", 0, 3), is_text(b"\\xff", 0, 1)
    (True, False, False)
    """
    text = text_or_none(data[begin:end])
    return text is not None and "\0" not in text


def has_only(text: str, marks: bytes) -> bool:
    """Return whether a text is ASCII and has only characters that `marks`, 256 bytes, does not have as NUL.

    >>> has_only("ab", bytes.maketrans(b"c", b"\\0")), has_only("abc", bytes.maketrans(b"c", b"\\0"))
    (True, False)
    """
    return text.isascii() and 0 not in text.encode().translate(marks)


def utf8_size(text: str) -> i64:
    """Return the number of bytes of a text in UTF-8; -1 for text with lone surrogates, which UTF-8 cannot encode.

    >>> utf8_size("\u00fc"), utf8_size("\\udcff")
    (2, -1)
    """
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        return -1


_SIZE: Final = Struct(">H").pack
_CODED_SIZE: Final = Struct(">BH").pack
_LARGE_HEAD: Final = Struct(">BI").pack
_HEADS: Final = {code: [bytes((code, size)) for size in range(256)] for code in (0xA1, 0xA3)}
"""The bytes before a string or symbol of AMQP 1.0, by code and size."""


def write_from(out: Writer, other: Writer) -> None:
    out.write(other.getvalue())


def ended(out: Writer, last: bytes, end: bytes) -> bytes:
    out.write(last)
    out.write(end)
    return out.getvalue()


def write_text8(out: Writer, text: str) -> None:
    encoded = text.encode()
    out.write(SIZES[len(encoded)])
    out.write(encoded)


def write_varied_text(out: Writer, code: i64, text: str) -> None:
    encoded = text.encode()
    try:
        out.write(_HEADS[code][len(encoded)])
    except IndexError:
        out.write(_LARGE_HEAD(code + 0x10, len(encoded)))
    out.write(encoded)


def write_varied_octets(out: Writer, code: i64, data: bytes, begin: i64, end: i64) -> None:
    write_varied_text(out, code, data[begin:end].decode())


def write_text16(out: Writer, text: str) -> None:
    encoded = text.encode()
    out.write(_SIZE(len(encoded)))
    out.write(encoded)


def write_coded_text16(out: Writer, code: i64, text: str) -> None:
    encoded = text.encode()
    out.write(_CODED_SIZE(code, len(encoded)))
    out.write(encoded)


def write_pair16(out: Writer, code: i64, key: str, value: str) -> None:
    encoded, more = key.encode(), value.encode()
    out.write(_CODED_SIZE(code, len(encoded)))
    out.write(encoded)
    out.write(_SIZE(len(more)))
    out.write(more)


__all__ = [
    "COMPILED", "SIZES", "UNFIT", "UNWRITABLE", "Writer", "digits_at", "ended", "has_only", "is_text", "put_size", "put_sizes",
    "put_u16", "read_f32", "read_f64", "read_i16", "read_i32", "read_i64", "read_u16", "read_u32", "read_u64", "text_or_none",
    "utf8_size", "uuid_at", "uuid_text", "write_coded_text16", "write_f64", "write_from", "write_i8", "write_i16", "write_i32",
    "write_i64", "write_pair16", "write_text8", "write_text16", "write_u8", "write_u16", "write_u32", "write_u64",
    "write_varied_octets", "write_varied_text",
]  # fmt: skip

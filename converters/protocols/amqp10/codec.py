"""AMQP 1.0: the encoded sections of one message (part 3 section 3.2) over the type system of part 1 section 1.6.

Only this wire form lives here: no frames, no links, no meaning of a field. The reader accepts every encoding that the
specification allows. The writer is canonical: the smallest encoding of each value, no trailing nulls, numeric descriptors.
"""

from collections.abc import Callable
from dataclasses import fields
from struct import Struct, pack
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from typing import Any, Final

import mqconvert.converters.protocols.amqp10.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import bad_entry, key_path, no_typed_value, too_deep, too_large, within
from mqconvert.converters.model.native import i64, mypyc_attr
from mqconvert.converters.model.primitives import (
    COMPILED,
    SIZES,
    UNWRITABLE,
    Writer,
    here,
    put_sizes,
    read_f64,
    read_i16,
    read_i32,
    read_i64,
    read_u16,
    read_u32,
    read_u64,
    write_coded_f64,
    write_coded_i32,
    write_coded_i64,
    write_coded_text8,
    write_coded_u8,
    write_coded_u32,
    write_coded_u64,
    write_pair8,
)
from mqconvert.converters.model.values import (
    MAX_DEPTH,
    Array,
    Described,
    Entry,
    TypedValue,
    float_of_single,
    single_of_float,
)
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES

MAX_EMPTY_ELEMENTS: Final = 4_096
"""Maximum number of array elements without bytes in a message: null, true, false, uint and ulong 0, empty list.

The size of the input does not limit them."""


@mypyc_attr(acyclic=True)
class _Room:
    """The remaining limits of a message that is read or written: levels of nesting, and array elements without bytes.

    `lenient` is the option of `decode_all`.
    """

    levels = MAX_DEPTH
    empty = MAX_EMPTY_ELEMENTS
    lenient = False


# ---- reading values (part 1 section 1.6) ----------------------------------------------------------------------------
#
# Each format code has a reader: `read(data, at, room)` returns the value and the offset of the next one. Readers do not check
# that the bytes exist. If they are missing, indexing or unpacking fails, or a slice is short and `at` lies beyond the end.
# `decode` turns all three into "truncated", which saves a check for each value.

Reader = Callable[[bytes, int, _Room], tuple[Any, int]]

_LONG: Final = Struct(">I")
_SIZE_AND_COUNT: Final = Struct(">II")
_long: Final = _LONG.unpack_from
_single: Final = Struct(">f").unpack_from


def _constant(value: object) -> Reader:
    return lambda _data, at, _room: (value, at)


def _byte(data: bytes, at: int, _room: _Room) -> tuple[int, int]:
    return data[at], at + 1


def _number(layout: str) -> Reader:
    packer = Struct(">" + layout)
    unpack, size = packer.unpack_from, packer.size
    return lambda data, at, _room: (unpack(data, at)[0], at + size)


def _read_boolean(data: bytes, at: int, _room: _Room) -> tuple[bool, int]:
    if data[at] > 1:
        raise DecodeError("bad_value", f"boolean 0x{data[at]:02x} is neither 0 nor 1", offset=at)
    return data[at] == 1, at + 1


def _read_char(data: bytes, at: int, _room: _Room) -> tuple[int, int]:
    char: int = _long(data, at)[0]
    if char > 0x10FFFF:
        raise DecodeError("bad_value", f"char 0x{char:x} is not a Unicode code point", offset=at)
    return char, at + 4


def _read_float(data: bytes, at: int, _room: _Room) -> tuple[float, int]:
    value: float = _single(data, at)[0]
    return (value if value == value else float_of_single(data[at : at + 4])), at + 4  # noqa: PLR0124 - false for NaN


def _read_binary8(data: bytes, at: int, _room: _Room) -> tuple[bytes, int]:
    end = at + 1 + data[at]
    return data[at + 1 : end], end


def _read_binary32(data: bytes, at: int, _room: _Room) -> tuple[bytes, int]:
    end = at + 4 + _long(data, at)[0]
    return data[at + 4 : end], end


def _text8(encoding: str) -> Reader:
    def read(data: bytes, at: int, _room: _Room) -> tuple[str, int]:
        end = at + 1 + data[at]
        try:
            return data[at + 1 : end].decode(encoding), end
        except UnicodeDecodeError as error:
            raise _not_text(encoding, data, at + 1 + error.start, end) from None

    return read


def _text32(encoding: str) -> Reader:
    def read(data: bytes, at: int, _room: _Room) -> tuple[str, int]:
        end = at + 4 + _long(data, at)[0]
        try:
            return data[at + 4 : end].decode(encoding), end
        except UnicodeDecodeError as error:
            raise _not_text(encoding, data, at + 4 + error.start, end) from None

    return read


def _not_text(encoding: str, data: bytes, at: int, end: int) -> DecodeError:
    if end > len(data):  # the input ends within a character
        return _truncated(len(data))
    if encoding == "ascii":
        return DecodeError("bad_symbol", "a symbol that is not ASCII", offset=at)
    return DecodeError("bad_utf8", "a string that is not UTF-8", offset=at)


def _truncated(at: int) -> DecodeError:
    return DecodeError("truncated", "the input ends within a value", offset=at)


def _read_unknown(data: bytes, at: int, _room: _Room) -> tuple[object, int]:
    raise DecodeError("unknown_type", f"0x{data[at - 1]:02x} is not a format code", offset=at - 1)


# Compound values and arrays begin with a size in bytes, which includes the following count.


def _head8(data: bytes, at: int) -> tuple[int, int, int]:
    """Return count, start and end of the content of a compound value or array with size and count of a byte each."""
    stop = at + 1 + data[at]
    if stop > len(data) or stop < at + 2:
        raise _bad_size(data, at, stop)
    return data[at + 1], at + 2, stop


def _head32(data: bytes, at: int) -> tuple[int, int, int]:
    size, count = _SIZE_AND_COUNT.unpack_from(data, at)
    stop: int = at + 4 + size
    if stop > len(data) or size < 4:
        raise _bad_size(data, at, stop)
    return count, at + 8, stop


def _bad_size(data: bytes, at: int, stop: int) -> DecodeError:
    if stop > len(data):
        return DecodeError("truncated", f"a size that reaches {stop - len(data)} bytes beyond the input", offset=at)
    return DecodeError("bad_length", "a size too small for the count", offset=at)


def _too_many(count: int, at: int, stop: int) -> DecodeError:
    return DecodeError("bad_count", f"{count} elements in {stop - at} bytes", offset=at)


def _misfit(at: int, stop: int) -> DecodeError:
    words = "bytes left over" if at < stop else "bytes more than announced"
    return DecodeError("bad_length", f"the elements do not fill their size: {abs(stop - at)} {words}", offset=min(at, stop))


def _too_deep(at: int) -> DecodeError:
    return DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)


def _read_list0(_data: bytes, at: int, _room: _Room) -> tuple[list[TypedValue], int]:
    return [], at


def _read_list8(data: bytes, at: int, room: _Room) -> tuple[list[TypedValue], int]:
    count, at, stop = _head8(data, at)
    return _values(count, data, at, stop, room)


def _read_list32(data: bytes, at: int, room: _Room) -> tuple[list[TypedValue], int]:
    count, at, stop = _head32(data, at)
    return _values(count, data, at, stop, room)


def _values(count: i64, data: bytes, at: i64, stop: i64, room: _Room) -> tuple[list[TypedValue], i64]:
    """Return the values of a list, which end at `stop`."""
    if count > stop - at:
        raise _too_many(count, at, stop)
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    values: list[TypedValue] = []
    value: Any
    compiled = COMPILED
    while count:
        count -= 1
        code: i64 = data[at]
        if compiled:
            value, at = _value(code, data, at + 1, room)
        else:
            value, at = _READ[code](data, at + 1, room)
        values.append(TypedValue(_TYPE[code], value))
    if at != stop:
        raise _misfit(at, stop)
    room.levels += 1
    return values, at


def _read_map8(data: bytes, at: int, room: _Room) -> tuple[list[Entry], int]:
    count, at, stop = _head8(data, at)
    return _entries(count, data, at, stop, room)


def _read_map32(data: bytes, at: int, room: _Room) -> tuple[list[Entry], int]:
    count, at, stop = _head32(data, at)
    return _entries(count, data, at, stop, room)


def _entries(count: i64, data: bytes, at: i64, stop: i64, room: _Room) -> tuple[list[Entry], i64]:
    """Return the entries of a map, which end at `stop`; `count` counts keys and values."""
    if count % 2 or count > stop - at:
        raise _too_many(count, at, stop)
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    entries: list[Entry] = []
    key: Any
    value: Any
    compiled = COMPILED
    while count:
        count -= 2
        code: i64 = data[at]
        inner: i64
        if compiled:
            key, at = _value(code, data, at + 1, room)
            inner = data[at]
            value, at = _value(inner, data, at + 1, room)
        else:
            key, at = _READ[code](data, at + 1, room)
            inner = data[at]
            value, at = _READ[inner](data, at + 1, room)
        entries.append(Entry(TypedValue(_TYPE[code], key), _TYPE[inner], value))
    if at != stop:
        raise _misfit(at, stop)
    room.levels += 1
    return entries, at


def _value(code: i64, data: bytes, at: i64, room: _Room) -> tuple[object, i64]:
    """Return what `_READ[code]` returns. Compiled, this saves the frequent types a call through the table."""
    if code == 0xA1 or code == 0xA3:  # noqa: PLR1714 - mypyc compiles it to two comparisons
        end: i64 = at + 1 + data[at]
        try:
            text = data[at + 1 : end].decode()
        except UnicodeDecodeError:
            return _READ[code](data, at, room)  # raises the exact error
        if code == 0xA1 or text.isascii():
            return text, end
    elif _FORM[code] == _NUMBERED:
        return _number_at(code, data, at)
    elif _FORM[code] == _ALONE:
        return _WHOLE[code - 0x40], at
    elif code == 0xC0:
        return _read_list8(data, at, room)
    elif code == 0xC1:
        return _read_map8(data, at, room)
    elif code == 0xA0:
        return _read_binary8(data, at, room)
    return _READ[code](data, at, room)


def _array(head: Callable[[bytes, int], tuple[int, int, int]]) -> Reader:
    def read(data: bytes, at: int, room: _Room) -> tuple[Array, int]:
        count, at, stop = head(data, at)
        if not room.levels:
            raise _too_deep(at)
        room.levels -= 1
        descriptors, at = _descriptors(data, at, stop, room)
        code = data[at]
        at += 1
        _check_elements(code, count, at, stop, room)
        element = _READ[code]
        values = []
        for _ in range(count):
            value, at = element(data, at, room)
            values.append(value)
        if at != stop:
            raise _misfit(at, stop)
        room.levels += 1 + len(descriptors)
        return Array(_TYPE[code], values, descriptors), at

    return read


def _descriptors(data: bytes, at: int, stop: int, room: _Room) -> tuple[tuple[TypedValue, ...], int]:
    """Return the descriptors before an array's element constructor. Each adds a level of nesting."""
    found = []
    while at < stop and data[at] == 0x00:
        if not room.levels:
            raise _too_deep(at)
        room.levels -= 1
        code = data[at + 1]
        value, at = _READ[code](data, at + 2, room)
        found.append(TypedValue(_TYPE[code], value))
    if at > len(data):
        raise _truncated(len(data))
    if at >= stop:
        raise DecodeError("bad_length", "an array without the constructor of its elements", offset=at)
    return tuple(found), at


def _check_elements(code: int, count: int, at: int, stop: int, room: _Room) -> None:
    """Refuse a count beyond the input's bytes, or beyond the limit for elements without bytes, before allocating."""
    if not _TYPE[code]:
        raise DecodeError("unknown_type", f"0x{code:02x} is not a format code", offset=at - 1)
    if code not in _NO_WIDTH:
        if count > stop - at:
            raise _too_many(count, at, stop)
        return
    room.empty -= count
    if room.empty < 0:
        raise DecodeError("bad_count", f"{count} array elements without bytes, the limit is {MAX_EMPTY_ELEMENTS}", offset=at)


def _read_described(data: bytes, at: int, room: _Room) -> tuple[Described, int]:
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    code = data[at]
    descriptor, at = _READ[code](data, at + 1, room)
    inner = data[at]
    value, at = _READ[inner](data, at + 1, room)
    room.levels += 1
    return Described(TypedValue(_TYPE[code], descriptor), TypedValue(_TYPE[inner], value)), at


_CODES: Final[dict[int, tuple[str, Reader]]] = {
    0x00: ("described", _read_described),
    0x40: ("null", _constant(None)),
    0x41: ("boolean", _constant(True)),
    0x42: ("boolean", _constant(False)),
    0x43: ("uint", _constant(0)),
    0x44: ("ulong", _constant(0)),
    0x45: ("list", _read_list0),
    0x50: ("ubyte", _byte),
    0x51: ("byte", _number("b")),
    0x52: ("uint", _byte),
    0x53: ("ulong", _byte),
    0x54: ("int", _number("b")),
    0x55: ("long", _number("b")),
    0x56: ("boolean", _read_boolean),
    0x60: ("ushort", _number("H")),
    0x61: ("short", _number("h")),
    0x70: ("uint", _number("I")),
    0x71: ("int", _number("i")),
    0x72: ("float", _read_float),
    0x73: ("char", _read_char),
    0x74: ("decimal32", _number("4s")),
    0x80: ("ulong", _number("Q")),
    0x81: ("long", _number("q")),
    0x82: ("double", _number("d")),
    0x83: ("timestamp", _number("q")),
    0x84: ("decimal64", _number("8s")),
    0x94: ("decimal128", _number("16s")),
    0x98: ("uuid", _number("16s")),
    0xA0: ("binary", _read_binary8),
    0xA1: ("string", _text8("utf-8")),
    0xA3: ("symbol", _text8("ascii")),
    0xB0: ("binary", _read_binary32),
    0xB1: ("string", _text32("utf-8")),
    0xB3: ("symbol", _text32("ascii")),
    0xC0: ("list", _read_list8),
    0xC1: ("map", _read_map8),
    0xD0: ("list", _read_list32),
    0xD1: ("map", _read_map32),
    0xE0: ("array", _array(_head8)),
    0xF0: ("array", _array(_head32)),
}
_NUMBER: Final = frozenset((0x50, 0x51, 0x52, 0x53, 0x54, 0x55, 0x60, 0x61, 0x70, 0x71, 0x80, 0x81, 0x82, 0x83))
"""The codes that `_number_at` reads."""


def _number_at(code: i64, data: bytes, at: i64) -> tuple[object, i64]:
    """Return the number after a format code, and the offset of the next value."""
    value: Any
    if code < 0x60:
        value = data[at]
        if (code == 0x54 or code == 0x55 or code == 0x51) and value > 127:  # noqa: PLR1714 - mypyc compiles it to three comparisons
            value -= 256
        return value, at + 1
    if code == 0x71:
        value = read_i32(data, at)
        return value, at + 4
    if code == 0x82:
        return read_f64(data, at), at + 8
    if code == 0x81 or code == 0x83:  # noqa: PLR1714 - as above
        value = read_i64(data, at)
        return value, at + 8
    if code == 0x70:
        value = read_u32(data, at)
        return value, at + 4
    if code == 0x80:
        return read_u64(data, at), at + 8
    value = read_u16(data, at) if code == 0x60 else read_i16(data, at)
    return value, at + 2


_WHOLE: Final[list[object]] = [None, True, False, 0, 0]
"""The values of the codes from 0x40: null, true, false, uint 0, ulong 0."""
_NO_WIDTH: Final = frozenset(range(0x40, 0x46))
# Lists by format code: an index is faster than a hash.
_TYPE: Final[list[str]] = [_CODES[code][0] if code in _CODES else "" for code in range(256)]
_READ: Final[list[Reader]] = [_CODES[code][1] if code in _CODES else _read_unknown for code in range(256)]
_NUMBERED: Final = 5
_ALONE: Final = 6
"""The forms that `_read_map` reads itself: a number, a value that is its code alone."""
_FORM: Final = bytes(_NUMBERED if code in _NUMBER else _ALONE if 0x40 <= code <= 0x44 else 0 for code in range(256))
"""The form of the codes that need no reader, 0 for others."""


# ---- reading sections (part 3 section 3.2) --------------------------------------------------------------------------
#
# A reader sets its field of the message and returns the offset of the next section. It reads short text, most numbers and nulls
# itself, and leaves other values and invalid input to the readers above.

Readers = dict[int, Reader]
"""The readers of a field, by format code."""


def _of_types(*types: str) -> Readers:
    return {code: read for code, (type_, read) in _CODES.items() if type_ in types}


def _typed(code: int) -> Reader:
    type_, read = _TYPE[code], _READ[code]

    def read_typed(data: bytes, at: int, room: _Room) -> tuple[TypedValue, int]:
        value, at = read(data, at, room)
        return TypedValue(type_, value), at

    return read_typed


# RabbitMQ 4.0 reads fields of many types that part 3 section 3.2 forbids: asked with one message for each field and type.

_Converted = Callable[[Any], Any]
"""Turns a value of another type into the field's; ValueError if the field cannot hold it."""


def _up_to(most: int) -> _Converted:
    def number(value: int) -> int:
        if not 0 <= value <= most:
            raise ValueError(value)
        return value

    return number


def _ignored(_value: object) -> None:
    """Leave a field unset, as RabbitMQ does."""


def _ascii(value: str | bytes) -> str:
    text = value if isinstance(value, str) else value.decode("ascii")
    if not text.isascii():
        raise ValueError(value)
    return text


def _id_number(value: int) -> TypedValue:
    return TypedValue("ulong", _up_to(2**64 - 1)(value))


def _of_seconds(value: int) -> int:
    """Return seconds in milliseconds: RabbitMQ takes the number as AMQP 0.9.1's timestamp, which counts seconds."""
    if not -(2**63) <= value * 1000 < 2**63:
        raise ValueError(value)
    return value * 1000


_INTEGERS: Final = ("ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "long")
_PLAIN: Final = (*_INTEGERS, "null", "boolean", "float", "double", "decimal32", "char", "timestamp", "uuid", "symbol", "binary")
_OTHER: Final[dict[str, _Converted]] = dict.fromkeys({type_ for type_, _ in _CODES.values()} - {"null"}, _ignored)
_U32: Final[dict[str, _Converted]] = dict.fromkeys(_INTEGERS, _up_to(2**32 - 1))
_ODD_ID: Final[dict[str, _Converted]] = {
    "symbol": lambda value: TypedValue("string", value),
    **dict.fromkeys(_INTEGERS, _id_number),
}
_ODD_SYMBOL: Final[dict[str, _Converted]] = {"string": _ascii, "binary": _ascii}
_ODD: Final[dict[str, dict[str, _Converted]]] = {
    "durable": _OTHER,
    "priority": {"boolean": _ignored, **dict.fromkeys((*_INTEGERS, "timestamp", "char"), _up_to(255))},
    "ttl": {"boolean": _ignored, **dict.fromkeys((*_INTEGERS, "timestamp", "char"), _up_to(2**32 - 1))},
    "first_acquirer": _OTHER,
    "delivery_count": _OTHER | _U32,
    "message_id": _ODD_ID,
    "user_id": {**_OTHER, "string": str.encode, "symbol": str.encode, "uuid": bytes},
    "to": _OTHER,
    "subject": _OTHER,
    "reply_to": _OTHER,
    "correlation_id": _ODD_ID,
    "content_type": _ODD_SYMBOL,
    "content_encoding": _ODD_SYMBOL,
    "absolute_expiry_time": _OTHER,
    "creation_time": dict.fromkeys(_INTEGERS, _of_seconds),
    "group_id": _OTHER,
    "group_sequence": _OTHER | _U32,
    "reply_to_group_id": _OTHER,
}
"""The other types of each field that the option `lenient` reads."""


def _converted(code: int, convert: _Converted, name: str) -> Reader:
    read = _READ[code]

    def read_other(data: bytes, at: int, room: _Room) -> tuple[Any, int]:
        value, end = read(data, at, room)
        if end > len(data):
            raise _truncated(len(data))
        try:
            return convert(value), end
        except ValueError:
            raise DecodeError("wrong_type", f"{name} cannot hold {_TYPE[code]} {value!r:.40}", offset=at - 1) from None

    return read_other


class _Field:
    """A section's field: its name, its readers by code, and those of other types for the option `lenient`."""

    def __init__(self, name: str, types: tuple[str, ...]) -> None:
        self.name = name
        odd = {code: _ODD[name][type_] for code, (type_, _) in _CODES.items() if type_ in _ODD[name] and type_ not in types}
        self.odd: Readers = {code: _converted(code, convert, name) for code, convert in odd.items()}
        self.readers: Readers = _of_types(*types)
        if len(types) > 1:  # several types: a message id
            self.readers = {code: _typed(code) for code in self.readers}


def _head(small: int, name: str, data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return count, start and end of a section's content, a list or map; `small` is its code with sizes of one byte."""
    code = data[at]
    if code == small:
        return _head8(data, at + 1)
    if code == small + 0x10:
        return _head32(data, at + 1)
    if code == 0x45 and small == 0xC0:
        return 0, at + 1, at + 1
    raise _wrong_type(code, at, name, odd=small == 0xC0 and code in _MAPS)


def _count_of(section: str, data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return the number of fields in a section, the offset of the first and of the next section."""
    count: i64
    stop: i64
    if data[at] == 0xC0 and at + 2 < (stop := at + 2 + data[at + 1]) <= len(data):  # the usual encoding, list8
        count, at = data[at + 2], at + 3
    else:
        count, at, stop = _head(0xC0, section, data, at)
    if count > len(_FIELDS[section]):
        raise DecodeError("bad_count", f"{count} fields; {section} has {len(_FIELDS[section])}", offset=at)
    return count, at, stop


def read_field(section: str, place: i64, code: i64, data: bytes, at: i64, room: Any) -> tuple[object, i64]:
    """Return the value of a field in any encoding, and the offset behind it."""
    field: _Field = _FIELDS[section][place]
    if code in field.readers:
        return field.readers[code](data, at + 1, room)
    if room.lenient and code in field.odd:
        return field.odd[code](data, at + 1, room)
    raise _wrong_type(code, at, f"{section}.{field.name}", odd=code in field.odd)


def _as_list(section: str, data: bytes, at: i64, room: _Room) -> tuple[bytes, i64]:
    """Return a section of fields that is a map by the symbols of their names, as RabbitMQ 4.0 reads it, as a list."""
    start: i64 = at
    entries, at = _READ[data[at]](data, at + 1, room)
    places = [field.name.replace("_", "-") for field in _FIELDS[section]]
    parts = [b"\x40"] * len(places)
    for entry in entries:
        if entry.key.type != "symbol" or entry.key.value not in places:
            raise DecodeError("wrong_type", f"{section} has no field {entry.key.value!r:.40}", offset=start)
        parts[places.index(entry.key.value)] = _WRITE[entry.type](entry.value, _Room())
    content = b"".join(parts)
    return b"\xd0" + _SIZE_AND_COUNT.pack(len(content) + 4, len(places)) + content, at


_MAPS: Final = (0xC1, 0xD1)
_FIELDS: Final[dict[str, list[_Field]]] = {
    name: [_Field(field.name, field.metadata["types"]) for field in fields(of)]
    for name, of in (("header", Header), ("properties", Properties))
}
"""The fields of the sections that are lists."""


def _read_header(data: bytes, at: i64, room: _Room) -> tuple[Header, i64]:
    made = Header()
    start: i64 = at
    stop: i64
    if room.lenient and data[at] in _MAPS:
        listed, at = _as_list("header", data, at, room)
        made, _ = _of_list(_read_header, listed, start, room)
        return made, at
    count, at, stop = _count_of("header", data, at)
    try:
        at = printed.read_header(made, data, at, count, room)
    except UnicodeError:
        _READ[data[start]](data, start + 1, room)  # raises the exact error
        raise
    if at != stop:
        raise _misfit(at, stop)
    return made, at


def _read_the_properties(data: bytes, at: i64, room: _Room) -> tuple[Properties, i64]:
    made = Properties()
    start: i64 = at
    stop: i64
    if room.lenient and data[at] in _MAPS:
        listed, at = _as_list("properties", data, at, room)
        made, _ = _of_list(_read_the_properties, listed, start, room)
        return made, at
    count, at, stop = _count_of("properties", data, at)
    try:
        at = printed.read_properties(made, data, at, count, room)
    except UnicodeError:
        _READ[data[start]](data, start + 1, room)  # raises the exact error
        raise
    if at != stop:
        raise _misfit(at, stop)
    return made, at


def _of_list(read: Callable[[bytes, i64, _Room], tuple[Any, i64]], listed: bytes, start: i64, room: _Room) -> tuple[Any, i64]:
    """Return a section from the list that a map became; errors have the offset of the map."""
    try:
        return read(listed, 0, room)
    except DecodeError as error:
        error.offset = start
        raise


def _wrong_type(code: int, at: int, field: str, *, odd: bool = False) -> DecodeError:
    if not _TYPE[code]:
        return DecodeError("unknown_type", f"0x{code:02x} is not a format code", offset=at, field=field)
    return DecodeError(
        "wrong_type", f"{field} cannot be of type {_TYPE[code]}{_LENIENT if odd else ''}", offset=at, field=field
    )


_LENIENT: Final = " (the option lenient accepts it)"


def _read_map(name: str, data: bytes, at: i64, room: _Room) -> tuple[list[Entry], i64]:
    """Return the entries of a section, and the offset of the next one."""
    symbols = name != "application_properties"
    short: i64 = 0xA3 if symbols else 0xA1
    start: i64 = at
    count: i64
    stop: i64
    mid: i64
    if data[at] == 0xC1 and at + 2 < (stop := at + 2 + data[at + 1]) <= len(data):  # the usual encoding, map8
        count, at = data[at + 2], at + 3
    else:
        count, at, stop = _head(0xC1, name, data, at)
    if count % 2 or count > stop - at:
        raise _too_many(count, at, stop)
    entries: list[Entry] = []
    key: Any  # its type differs by branch
    value: Any
    try:
        while count:
            count -= 2
            if data[at] == short:
                mid = at + 2 + data[at + 1]
                key = text = data[at + 2 : mid].decode()
                if symbols and not text.isascii():
                    _READ[data[at]](data, at + 1, room)  # raises the exact error
            elif data[at] in _KEYS[symbols]:
                key, mid = _KEYS[symbols][data[at]](data, at + 1, room)
            elif room.lenient and data[at] in _ODD_KEYS[symbols]:
                key, mid = _ODD_KEYS[symbols][data[at]](data, at + 1, room)
                if key is None:
                    _, at = _READ[data[mid]](data, mid + 1, room)
                    continue
            else:
                kinds = "symbol or ulong" if symbols else "string"
                more = _LENIENT if data[at] in _ODD_KEYS[symbols] else ""
                raise DecodeError("wrong_type", f"a key of {name} is no {kinds}{more}", offset=at)
            code: i64 = data[mid]
            form: i64 = _FORM[code]
            if code == 0xA1:
                at = mid + 2 + data[mid + 1]
                entries.append(Entry(key, "string", data[mid + 2 : at].decode()))
            elif form == _NUMBERED:
                if COMPILED:
                    value, at = _number_at(code, data, mid + 1)
                else:
                    value, at = _READ[code](data, mid + 1, room)
                entries.append(Entry(key, _TYPE[code], value))
            elif form == _ALONE:
                entries.append(Entry(key, _TYPE[code], _WHOLE[code - 0x40]))
                at = mid + 1
            else:
                room.levels = MAX_DEPTH - 1
                if COMPILED:
                    value, at = _value(code, data, mid + 1, room)
                else:
                    value, at = _READ[code](data, mid + 1, room)
                room.levels = MAX_DEPTH
                entries.append(Entry(key, _TYPE[code], value))
    except UnicodeDecodeError:
        _READ[data[start]](data, start + 1, room)  # raises the exact error
        raise
    if at != stop:
        raise _misfit(at, stop)
    return entries, at


_KEYS: Final[dict[bool, Readers]] = {True: _of_types("symbol", "ulong"), False: _of_types("string")}
"""The readers of keys: of application properties, and of the other sections of entries."""
_ODD_KEYS: Final[dict[bool, Readers]] = {
    True: {code: _converted(code, _ascii, "a key") for code in _of_types("string")},
    False: {code: _converted(code, _ignored, "a key") for code in _of_types(*_PLAIN)},
}
"""The readers of other keys with the option `lenient`. RabbitMQ leaves out application properties with such keys."""


def _read_data(message: Message, data: bytes, at: i64) -> i64:
    code: i64 = data[at]
    begin: i64
    end: i64
    if code == 0xA0:
        begin = at + 2
        end = begin + data[at + 1]
    elif code == 0xB0:
        begin = at + 5
        end = begin + read_u32(data, at + 1)
    else:
        raise _wrong_type(code, at, "body")
    body: Any = message.body
    if body is None:
        message.body = Data([data[begin:end]])
    else:
        body.sections.append(data[begin:end])
    return end


def _read_sequence(message: Message, data: bytes, at: i64, room: _Room) -> i64:
    code = data[at]
    if code not in (0x45, 0xC0, 0xD0):
        raise _wrong_type(code, at, "body")
    values, at = _READ[code](data, at + 1, room)
    body: Any = message.body
    if body is None:
        message.body = AmqpSequence([values])
    else:
        body.sections.append(values)
    return at


def _read_value(message: Message, data: bytes, at: i64, room: _Room) -> i64:
    code = data[at]
    value, at = _READ[code](data, at + 1, room)
    message.body = AmqpValue(TypedValue(_TYPE[code], value))
    return at


_DATA: Final = 0x75
_SEQUENCE: Final = 0x76
_VALUE: Final = 0x77
_SECTIONS: Final[dict[int, tuple[str, str]]] = {
    0x70: ("header", "amqp:header:list"),
    0x71: ("delivery_annotations", "amqp:delivery-annotations:map"),
    0x72: ("message_annotations", "amqp:message-annotations:map"),
    0x73: ("properties", "amqp:properties:list"),
    # Section 3.2.5 allows simple values only. Real messages also have lists, maps and arrays, which are kept.
    0x74: ("application_properties", "amqp:application-properties:map"),
    _DATA: ("body", "amqp:data:binary"),
    _SEQUENCE: ("body", "amqp:amqp-sequence:list"),
    _VALUE: ("body", "amqp:amqp-value:*"),
    0x78: ("footer", "amqp:footer:map"),
}
"""The sections by their numeric descriptor: the field of the message, and the symbolic descriptor."""
_SECTION_NAMES: Final = [name for name, _ in _SECTIONS.values()]
_SYMBOLIC: Final = {symbol: code for code, (_, symbol) in _SECTIONS.items()}
_DESCRIPTORS: Final = _of_types("ulong", "symbol")


def _read_section(code: i64, message: Message, data: bytes, at: i64, room: _Room) -> i64:
    if code == _DATA:
        return _read_data(message, data, at)
    if code == 0x70:
        message.header, at = _read_header(data, at, room)
    elif code == 0x72:
        message.message_annotations, at = _read_map("message_annotations", data, at, room)
    elif code == 0x73:
        message.properties, at = _read_the_properties(data, at, room)
    elif code == 0x74:
        message.application_properties, at = _read_map("application_properties", data, at, room)
    elif code == 0x71:
        message.delivery_annotations, at = _read_map("delivery_annotations", data, at, room)
    elif code == 0x78:
        message.footer, at = _read_map("footer", data, at, room)
    elif code == _SEQUENCE:
        return _read_sequence(message, data, at, room)
    else:
        return _read_value(message, data, at, room)
    return at


def decode(data: bytes, *, lenient: bool = False) -> Message:
    """Return the message in `data`, from the first byte to the last; any of its sections may be absent.

    `lenient` as for `decode_all`. Raises DecodeError with kind, offset and, where a section was begun, field.

    >>> decode(bytes.fromhex("005375a0026869")).body
    Data(sections=[b'hi'])
    >>> decode(bytes.fromhex("005375a0036869"))
    Traceback (most recent call last):
    mqconvert.converters.errors.DecodeError: the input ends within a value (field body, byte 7)
    """
    end: i64 = len(data)
    if not end:
        raise DecodeError("truncated", "no sections", offset=0)
    message = Message()
    room, known = _Room(), _SECTION_NAMES
    room.lenient = lenient
    at: i64 = 0
    after: i64
    code: i64
    last: i64 = 0
    field: str | None = None
    try:
        while at < end:
            field = None
            if data[at] == 0x00 and data[at + 1] == 0x53 and 0x70 <= (code := data[at + 2]) <= 0x78:  # the usual descriptor
                after = at + 3
            else:
                code, after = _descriptor(data, at, room)
            field = known[code - 0x70]
            forward = code > last
            if not forward or last >= _DATA:
                _check_order(code, last, at, message, room)
            at = _read_section(code, message, data, after, room)
            if forward:  # not so where lenient allows another order
                last = code
    except (IndexError, StructError):
        raise DecodeError("truncated", "the input ends within a value", offset=end, field=field) from None
    except DecodeError as error:
        error.field = error.field or field
        raise
    if at > end:
        raise DecodeError("truncated", "the input ends within a value", offset=end, field=field)
    return message


def decode_all(data: bytes, *, lenient: bool = False) -> list[Message]:
    """Return `[decode(data)]`: in AMQP 1.0 the surrounding transfer marks the end of a message.

    `lenient` reads fields of header and properties in the other types that RabbitMQ accepts:

    * priority, ttl, delivery count and group sequence of any integer type; ttl also of type timestamp;
    * content type and content encoding of type string or binary; user id of type string or symbol;
    * ids of type symbol as strings, and of any integer type as ulong;
    * creation time of an integer type, which counts seconds, as in RabbitMQ;
    * annotations with keys of type string;
    * header and properties as maps by the names of their fields, which RabbitMQ 4.3.5 refuses;
    * sections in another order, such as Azure's footer before its delivery annotations.

    Other fields of another type stay unset, as in RabbitMQ; so do application properties whose key is no string.

    >>> len(decode_all(bytes.fromhex("005375a0026869")))
    1
    >>> decode_all(bytes.fromhex("005370c00402405204005375a00161"), lenient=True)[0].header.priority
    4
    """
    return [decode(data, lenient=lenient)]


def _descriptor(data: bytes, at: i64, room: _Room) -> tuple[i64, i64]:
    """Return the code of the section with its descriptor at `at`, and the offset of its value."""
    if data[at] != 0x00:
        kind = "trailing_bytes" if at else "unknown_section"
        raise DecodeError(kind, f"0x{data[at]:02x} where a section is due", offset=at)
    form = data[at + 1]
    if form not in _DESCRIPTORS:
        raise DecodeError("unknown_section", "a descriptor that is neither ulong nor symbol", offset=at + 1)
    sent, after = _DESCRIPTORS[form](data, at + 2, room)
    if after > len(data):
        raise _truncated(len(data))
    code: Any = _SYMBOLIC.get(sent) or sent  # a number, or a symbol that names no section
    if code not in _SECTIONS:
        raise DecodeError("unknown_section", f"no section has the descriptor {code!r:.80}", offset=at + 1)
    return code, after


def section_at(data: bytes, at: int) -> tuple[str, int]:
    """Return the field of the section whose descriptor is at an offset, and the offset of its value."""
    code, after = _descriptor(data, at, _Room())
    return _SECTIONS[code][0], after


def _check_order(code: i64, last: i64, at: i64, message: Message, room: _Room) -> None:
    """Check the order of section 3.2. Only data and amqp-sequence may repeat, and a body has sections of one kind.

    With the option `lenient`, sections may come in any order, as in RabbitMQ, but those of a body are adjacent.
    """
    if _DATA <= last <= _VALUE and _DATA <= code <= _VALUE:
        if code != last or code == _VALUE:
            raise DecodeError("section_order", "a body of more than one kind, or two values", offset=at, field="body")
    elif code <= last:
        name, before = _SECTION_NAMES[code - 0x70], _SECTION_NAMES[last - 0x70]
        repeated = getattr(message, name) is not None
        if repeated or not room.lenient:
            words = f"{name} cannot follow {before}{'' if repeated else _LENIENT}"
            raise DecodeError("section_order", words, offset=at, field=name)


# ---- writing values -------------------------------------------------------------------------------------------------
#
# Each type has a writer: `write(value, room)` returns format code and value. An invalid value is an EncodeError. Each level
# adds its part to the field of the error, so that valid values need no path.

_NO_TYPE: Final = "AMQP 1.0 has no type"
ValueWriter = Callable[[object, _Room], bytes]

_SMALL_HEAD: Final = Struct(">BB").pack
_LARGE_HEAD: Final = Struct(">BI").pack
_SMALL_HEADS: Final = Struct(">BBB").pack
_LARGE_HEADS: Final = Struct(">BII").pack


def _bad_value(type_: str, value: object) -> EncodeError:
    return EncodeError("bad_value", AMQP10_TYPES[type_].fault(value) or f"no {type_} can hold it", field="")


def _write_null(value: object, _room: _Room) -> bytes:
    if value is not None:
        raise _bad_value("null", value)
    return b"\x40"


def _number_writer(type_: str) -> ValueWriter:
    kind, small, packed, code = _NUMBERS[type_]

    def write(value: object, _room: _Room) -> bytes:
        if type(value) is kind:
            if value in small:
                return small[value]
            try:
                return packed(code, value)
            except (StructError, OverflowError):
                pass  # out of range: _bad_value explains it
        raise _bad_value(type_, value)

    return write


def _pack_float(code: int, value: float) -> bytes:
    return SIZES[code] + single_of_float(value)


def _raw_writer(type_: str, code: int) -> ValueWriter:
    before, size = bytes((code,)), AMQP10_TYPES[type_].size

    def write(value: object, _room: _Room) -> bytes:
        if type(value) is bytes and len(value) == size:
            raw: bytes = before + value
            return raw
        raise _bad_value(type_, value)

    return write


def _write_char(value: object, _room: _Room) -> bytes:
    if AMQP10_TYPES["char"].fault(value) is not None:
        raise _bad_value("char", value)
    return _LARGE_HEAD(0x73, value)


def _small(code: int, numbers: range, zero: bytes | None = None) -> dict[int, bytes]:
    """Return the encodings of the numbers that take one byte or none."""
    table = {number: bytes((code, number & 0xFF)) for number in numbers}
    return table if zero is None else table | {0: zero}


def _write_binary(value: object, _room: _Room) -> bytes:
    if type(value) is not bytes:
        raise _bad_value("binary", value)
    return _variable(0xA0, 0xB0, value)


def _short_heads(code: int) -> list[bytes]:
    """Return the bytes before text or binary data, by its size."""
    return [bytes((code, size)) for size in range(256)]


_BINARY_HEADS: Final = _short_heads(0xA0)
_STRING_HEADS: Final = _short_heads(0xA1)
_SYMBOL_HEADS: Final = _short_heads(0xA3)
LIST_HEADS: Final = _short_heads(0xC0)[1:]
_MAP_HEADS: Final = _short_heads(0xC1)[1:]
"""Format code and size of an array, by the size of its elements. The size includes the byte of the following count."""


def _write_string(value: object, _room: _Room) -> bytes:
    if type(value) is not str:
        raise _bad_value("string", value)
    try:
        raw: bytes = value.encode()
    except UnicodeEncodeError:
        raise _bad_value("string", value) from None
    size = len(raw)
    return _STRING_HEADS[size] + raw if size < 256 else _variable(0xA1, 0xB1, raw)


def _write_symbol(value: object, _room: _Room) -> bytes:
    if type(value) is not str or not value.isascii():
        raise _bad_value("symbol", value)
    size = len(value)
    return _SYMBOL_HEADS[size] + value.encode() if size < 256 else _variable(0xA3, 0xB3, value.encode())


def _variable(small: int, large: int, raw: bytes) -> bytes:
    return _variable_head(small, large, len(raw)) + raw


def _variable_head(small: int, large: int, size: int) -> bytes:
    if size < 256:
        return _SMALL_HEAD(small, size)
    if size > 0xFFFF_FFFF:
        raise too_large()
    return _LARGE_HEAD(large, size)


def _enter(type_: str, value: object, room: _Room) -> None:
    """Enter a value one level down; EncodeError if `type_` cannot hold it."""
    if AMQP10_TYPES[type_].fault(value) is not None:
        raise _bad_value(type_, value)
    if not room.levels:
        raise too_deep()
    room.levels -= 1


def _write(typed: object, room: _Room) -> bytes:
    if type(typed) is not TypedValue:
        raise no_typed_value(typed, _NO_TYPE)
    try:
        write = _WRITE[typed.type]
    except (KeyError, TypeError):
        raise no_typed_value(typed, _NO_TYPE) from None
    return write(typed.value, room)


def _write_list(value: Any, room: _Room) -> bytes:
    if type(value) is list and not value:
        return b"\x45"
    _enter("list", value, room)
    parts: list[bytes] = []
    try:
        for item in value:
            parts.append(_write(item, room))  # noqa: PERF401 - len(parts) is the index of a failure
    except EncodeError as error:
        raise within(error, f"[{len(parts)}]") from None
    room.levels += 1
    return _wrapped(0xC0, 0xD0, len(parts), b"".join(parts))


def _write_map(value: object, room: _Room) -> bytes:
    return _map_of(value, _write, room)


def _map_of(value: Any, write_key: ValueWriter, room: _Room) -> bytes:
    _enter("map", value, room)
    parts: list[bytes] = []
    key: Any = None
    try:
        for entry in value:
            key = entry.key
            parts.append(write_key(key, room))
            parts.append(_WRITE[entry.type](entry.value, room))
    except EncodeError as error:
        raise within(error, key_path(key)) from None
    except (AttributeError, KeyError, TypeError):
        raise bad_entry(value, _WRITE, _NO_TYPE) from None
    room.levels += 1
    return _wrapped(0xC1, 0xD1, len(parts), b"".join(parts))


def _write_described(value: Any, room: _Room) -> bytes:
    _enter("described", value, room)
    raw = b"\x00" + _write(value.descriptor, room) + _write(value.value, room)
    room.levels += 1
    return raw


def _wrapped(small: int, large: int, count: int, content: bytes) -> bytes:
    """Return a compound value or array; the size includes the count (part 1 sections 1.6.22 to 1.6.24)."""
    size = len(content)
    if size < 255 and count < 256:
        return _SMALL_HEADS(small, size + 1, count) + content
    if size > 0xFFFF_FFFF - 4:
        raise too_large()
    return _LARGE_HEADS(large, size + 4, count) + content


def _write_array(value: Any, room: _Room) -> bytes:
    """Write an array with one constructor for all elements: the smallest that fits every one of them.

    Only null uses a constructor without bytes, since it has no other. Readers limit such elements: RabbitMQ rejects them, this
    reader accepts MAX_EMPTY_ELEMENTS.
    """
    _enter("array", value, room)
    elements_of = _ELEMENTS.get(value.of) if type(value.of) is str else None
    if elements_of is None:
        raise EncodeError("unknown_type", f"AMQP 1.0 has no array of {value.of!r:.80}", field="")
    if type(value.values) is not list or type(value.descriptors) is not tuple:
        raise EncodeError("bad_value", "not a list of elements and a tuple of descriptors", field="")
    head = []
    for descriptor in value.descriptors:
        if not room.levels:
            raise too_deep()
        room.levels -= 1
        head.append(b"\x00" + _write(descriptor, room))
    elements = elements_of(value.of, value.values, room)
    room.levels += 1 + len(head)
    return _wrapped(0xE0, 0xF0, len(value.values), b"".join(head) + elements)


Elements = Callable[[str, list[object], _Room], bytes]
"""The common constructor of an array's values, and their encodings after it."""


def _each(type_: str, values: list[object], room: _Room) -> list[bytes]:
    """Return each value as written by itself, with its format code."""
    write = _WRITE[type_]
    written: list[bytes] = []
    try:
        for value in values:
            written.append(write(value, room))  # noqa: PERF401 - len(written) is the index of a failure
    except EncodeError as error:
        raise within(error, f"[{len(written)}]") from None
    return written


def _null_elements(type_: str, values: list[object], room: _Room) -> bytes:
    _each(type_, values, room)
    room.empty -= len(values)
    if room.empty < 0:
        raise EncodeError("bad_count", f"more than {MAX_EMPTY_ELEMENTS} array elements without bytes", field="")
    return b"\x40"


def _boolean_elements(type_: str, values: list[Any], room: _Room) -> bytes:
    _each(type_, values, room)
    return b"\x56" + bytes(values)


def _number_elements(wide: int, layout: str, small: int | None = None) -> Elements:
    def elements(type_: str, values: list[Any], room: _Room) -> bytes:
        written = _each(type_, values, room)
        if small is not None and all(len(raw) <= 2 for raw in written):
            return bytes((small, *(value & 0xFF for value in values)))
        return bytes((wide,)) + pack(f">{len(values)}{layout}", *values)

    return elements


def _same_elements(code: int) -> Elements:
    """Return the writer of elements of a type with one encoding."""

    def elements(type_: str, values: list[object], room: _Room) -> bytes:
        return bytes((code,)) + b"".join([raw[1:] for raw in _each(type_, values, room)])

    return elements


def _variable_elements(small: int, large: int) -> Elements:
    def elements(type_: str, values: list[object], room: _Room) -> bytes:
        written = _each(type_, values, room)
        if all(raw[0] == small for raw in written):
            return bytes((small,)) + b"".join([raw[1:] for raw in written])
        wide = [raw[1:] if raw[0] == large else _LONG.pack(raw[1]) + raw[2:] for raw in written]
        return bytes((large,)) + b"".join(wide)

    return elements


def _compound_elements(small: int, large: int) -> Elements:
    def elements(type_: str, values: list[object], room: _Room) -> bytes:
        written = [raw if raw != b"\x45" else b"\xc0\x01\x00" for raw in _each(type_, values, room)]
        if all(raw[0] == small for raw in written):
            return bytes((small,)) + b"".join([raw[1:] for raw in written])
        wide = [raw[1:] if raw[0] == large else _SIZE_AND_COUNT.pack(raw[1] + 3, raw[2]) + raw[3:] for raw in written]
        return bytes((large,)) + b"".join(wide)

    return elements


_NUMBERS: Final[dict[str, tuple[type, dict[Any, bytes], Callable[..., bytes], int]]] = {
    "boolean": (bool, {True: b"\x41", False: b"\x42"}, Struct(">B?").pack, 0x56),
    "ubyte": (int, _small(0x50, range(256)), Struct(">BB").pack, 0x50),
    "ushort": (int, {}, Struct(">BH").pack, 0x60),
    "uint": (int, _small(0x52, range(256), b"\x43"), Struct(">BI").pack, 0x70),
    "ulong": (int, _small(0x53, range(256), b"\x44"), Struct(">BQ").pack, 0x80),
    "byte": (int, _small(0x51, range(-128, 128)), Struct(">Bb").pack, 0x51),
    "short": (int, {}, Struct(">Bh").pack, 0x61),
    "int": (int, _small(0x54, range(-128, 128)), Struct(">Bi").pack, 0x71),
    "long": (int, _small(0x55, range(-128, 128)), Struct(">Bq").pack, 0x81),
    "float": (float, {}, _pack_float, 0x72),
    "double": (float, {}, Struct(">Bd").pack, 0x82),
    "timestamp": (int, {}, Struct(">Bq").pack, 0x83),
}
"""By type: the class of its values, the encodings of one or two bytes, and the writer and code of all other values."""
_RAW: Final = {"decimal32": 0x74, "decimal64": 0x84, "decimal128": 0x94, "uuid": 0x98}
"""The codes of types whose values are bytes of a fixed size."""
_WRITE: Final[dict[str, ValueWriter]] = {
    **{type_: _number_writer(type_) for type_ in _NUMBERS},
    "null": _write_null,
    **{type_: _raw_writer(type_, code) for type_, code in _RAW.items()},
    "char": _write_char,
    "binary": _write_binary,
    "string": _write_string,
    "symbol": _write_symbol,
    "list": _write_list,
    "map": _write_map,
    "array": _write_array,
    "described": _write_described,
}
_ELEMENTS: Final[dict[str, Elements]] = {
    "null": _null_elements,
    "boolean": _boolean_elements,
    "ubyte": _number_elements(0x50, "B"),
    "ushort": _number_elements(0x60, "H"),
    "uint": _number_elements(0x70, "I", 0x52),
    "ulong": _number_elements(0x80, "Q", 0x53),
    "byte": _number_elements(0x51, "b"),
    "short": _number_elements(0x61, "h"),
    "int": _number_elements(0x71, "i", 0x54),
    "long": _number_elements(0x81, "q", 0x55),
    "float": _same_elements(0x72),
    "double": _number_elements(0x82, "d"),
    "char": _number_elements(0x73, "I"),
    "timestamp": _number_elements(0x83, "q"),
    "binary": _variable_elements(0xA0, 0xB0),
    "string": _variable_elements(0xA1, 0xB1),
    "symbol": _variable_elements(0xA3, 0xB3),
    "list": _compound_elements(0xC0, 0xD0),
    "map": _compound_elements(0xC1, 0xD1),
    "array": _compound_elements(0xE0, 0xF0),
    **{type_: _same_elements(code) for type_, code in _RAW.items()},
}


# ---- writing sections -----------------------------------------------------------------------------------------------
#
# Fields and entries are first written without checks: `write_coded_text8` fails for anything but text of up to 255 bytes. The
# section is then written again by its table, which handles every form and names an invalid field. Both give the same bytes.

_STRING: Final = 0xA1
_SYMBOL: Final = 0xA3
"""Format codes of text with a size of one byte."""
_NULL: Final = b"\x40"
NULLS: Final = [_NULL * count for count in range(14)]
"""Nulls for unset fields, by their number."""
_UNTRUSTED: Final = (*UNWRITABLE, EncodeError)
_ID_TYPES: Final = ("ulong", "uuid", "binary", "string")
_ID_WRITERS: Final = {type_: _WRITE[type_] for type_ in _ID_TYPES}


def _write_id(typed: object, room: _Room) -> bytes:
    if type(typed) is not TypedValue or typed.type not in _ID_TYPES:
        raise EncodeError("wrong_type", f"not one of {', '.join(_ID_TYPES)}", field="")
    return _ID_WRITERS[typed.type](typed.value, room)


def _field_writers(section: Any) -> dict[str, ValueWriter]:
    """Return the writer of each field; those of several types are ids."""
    types = {field.name: field.metadata["types"] for field in fields(section)}
    return {name: _WRITE[first] if not more else _write_id for name, (first, *more) in types.items()}


_HEADER: Final = b"\x00\x53\x70"
_HEADER_WRITERS: Final = _field_writers(Header)
_PROPERTIES: Final = b"\x00\x53\x73"
_PROPERTIES_WRITERS: Final = _field_writers(Properties)
_write_uint: Final = _WRITE["uint"]
_write_ulong: Final = _WRITE["ulong"]


def write_uint(out: Writer, value: object) -> None:
    """Write a uint, or raise one of `_UNTRUSTED`."""
    if type(value) is not int:
        raise ValueError(value)
    _write_unsigned(out, 0x43, value)


def write_id(out: Writer, typed: Any, room: Any) -> None:
    """Write a message id, or raise one of `_UNTRUSTED`."""
    known: TypedValue = typed
    type_: str = known.type
    value: Any = known.value
    if type_ == "string":
        write_coded_text8(out, _STRING, value)
    elif type_ == "uuid" and type(value) is bytes and len(value) == 16:
        out.write(b"\x98")
        out.write(value)
    elif type_ == "binary":
        write_short_binary(out, value, room)
    else:
        out.write(_ID_WRITERS[type_](value, room))


def write_short_binary(out: Writer, value: object, room: Any) -> None:
    """Write binary data, without a call for up to 255 bytes."""
    if type(value) is bytes and len(value) < 256:
        raw: bytes = value
        out.write(_BINARY_HEADS[len(raw)])
        out.write(raw)
    else:
        out.write(_write_binary(value, room))


def _write_header(out: Writer, header: object, room: _Room) -> None:
    if type(header) is not Header:
        raise EncodeError("wrong_type", "not a Header", field="")
    start: i64 = here(out)
    try:
        printed.write_header(out, header, room)
    except _UNTRUSTED:
        out.truncate(start)
        out.write(_HEADER)
        out.write(_write_fields(header, _HEADER_WRITERS, room))


def _write_properties(out: Writer, properties: object, room: _Room) -> None:
    if type(properties) is not Properties:
        raise EncodeError("wrong_type", "not a Properties", field="")
    start: i64 = here(out)
    try:
        printed.write_properties(out, properties, room)
    except _UNTRUSTED:
        out.truncate(start)
        out.write(_PROPERTIES)
        out.write(_write_fields(properties, _PROPERTIES_WRITERS, room))


def _write_fields(section: object, writers: dict[str, ValueWriter], room: _Room) -> bytes:
    """Return a section's fields without its trailing nulls (part 1 section 1.4)."""
    values: list[bytes] = []
    for name, write in writers.items():
        value = getattr(section, name)
        try:
            values.append(_NULL if value is None else write(value, room))
        except EncodeError as error:
            raise within(error, f".{name}") from None
    while values and values[-1] == _NULL:
        del values[-1]
    return _wrapped(0xC0, 0xD0, len(values), b"".join(values)) if values else b"\x45"


def _write_annotation_key(key: object, room: _Room) -> bytes:
    return _write_ulong(key, room) if type(key) is int else _write_symbol(key, room)


def _write_entries(out: Writer, descriptor: bytes, entries: object, room: _Room) -> None:
    """Write a section of entries. Keys are symbols (or numbers), and strings in application properties."""
    empty, start = room.empty, here(out)
    symbols = descriptor is not _APPLICATION_PROPERTIES
    code = _SYMBOL if symbols else _STRING
    entry: Entry
    try:
        if type(entries) is not list:
            raise _bad_value("map", entries)
        out.write(descriptor)
        place: i64 = here(out)
        out.write(b"\xc1\0\0")
        for entry in entries:
            key: str = entry.key
            if symbols and not key.isascii():
                raise _bad_value("symbol", key)
            type_: str = entry.type
            value: Any = entry.value
            if type_ == "string":
                write_pair8(out, code, key, _STRING, value)
                continue
            write_coded_text8(out, code, key)
            if type(value) is int:
                _write_integer(out, type_, value)
            elif type(value) is bool and type_ == "boolean":
                out.write(b"\x41" if value else b"\x42")
            elif type(value) is float and type_ == "double":
                write_coded_f64(out, 0x82, value)
            else:
                room.levels = MAX_DEPTH - 1
                out.write(_WRITE[type_](value, room))
                room.levels = MAX_DEPTH
        put_sizes(out, place, _MAP_HEADS, 0xD1, 2 * len(entries))
    except _UNTRUSTED:
        room.levels, room.empty = MAX_DEPTH, empty
        out.truncate(start)
        out.write(descriptor)
        out.write(_map_of(entries, _write_annotation_key if symbols else _write_string, room))


_APPLICATION_PROPERTIES: Final = b"\x00\x53\x74"


def _write_integer(out: Writer, type_: str, value: int) -> None:
    """Write a number of a given type in its shortest encoding, or raise one of UNWRITABLE."""
    if type_ == "int":
        if -0x80 <= value < 0x80:
            write_coded_u8(out, 0x54, value & 0xFF)
        else:
            write_coded_i32(out, 0x71, value)
    elif type_ == "long":
        if -0x80 <= value < 0x80:
            write_coded_u8(out, 0x55, value & 0xFF)
        else:
            write_coded_i64(out, 0x81, value)
    elif type_ == "timestamp":
        write_coded_i64(out, 0x83, value)
    elif type_ == "uint":
        _write_unsigned(out, 0x43, value)
    elif type_ == "ulong":
        _write_unsigned(out, 0x44, value)
    else:
        kind, small, packed, code = _NUMBERS[type_]
        if kind is not int:
            raise ValueError(value)
        out.write(small[value] if value in small else packed(code, value))


def _write_unsigned(out: Writer, zero: i64, value: int) -> None:
    """Write a uint or ulong; `zero` is the code of 0 of its type."""
    if 0 < value < 0x100:
        write_coded_u8(out, zero + 0xF, value)
    elif not value:
        out.write(SIZES[zero])
    elif zero == 0x43:
        write_coded_u32(out, 0x70, value)
    else:
        write_coded_u64(out, 0x80, value)


def _write_body(out: Writer, body: object, room: _Room) -> None:
    if type(body) is AmqpValue:
        out.write(b"\x00\x53\x77")
        out.write(_write(body.value, room))
        return
    if type(body) is not Data and type(body) is not AmqpSequence:
        raise EncodeError("wrong_type", "neither data, amqp-sequence nor amqp-value", field="")
    sections: Any = body.sections
    if type(sections) is not list or not sections:
        raise EncodeError("bad_count", "a body without sections", field="")
    if type(body) is AmqpSequence:
        for index, values in enumerate(sections):
            try:
                out.write(b"\x00\x53\x76")
                out.write(_write_list(values, room))
            except EncodeError as error:
                raise within(error, f"[{index}]") from None
        return
    for index, section in enumerate(sections):
        if type(section) is not bytes:
            raise within(_bad_value("binary", section), f"[{index}]")
        data: bytes = section
        size = len(data)
        out.write(b"\x00\x53\x75")
        if size < 256:
            out.write(_BINARY_HEADS[size])
        elif size <= 0xFFFF_FFFF:
            write_coded_u32(out, 0xB0, size)
        else:
            raise too_large()
        out.write(data)


def encode(message: Message) -> bytes:
    """Return the canonical bytes of a message. A section of None is left out; an empty section is written.

    Raises EncodeError for the field that cannot be written, `bad_count` for a message without any section.

    >>> encode(Message(header=Header(durable=True), body=Data([b"hi"]))).hex()
    '005370c0020141005375a0026869'
    """
    out = Writer()
    room = _Room()
    section = ""
    try:
        if message.header is not None:
            section = "header"
            _write_header(out, message.header, room)
        if message.delivery_annotations is not None:
            section = "delivery_annotations"
            _write_entries(out, b"\x00\x53\x71", message.delivery_annotations, room)
        if message.message_annotations is not None:
            section = "message_annotations"
            _write_entries(out, b"\x00\x53\x72", message.message_annotations, room)
        if message.properties is not None:
            section = "properties"
            _write_properties(out, message.properties, room)
        if message.application_properties is not None:
            section = "application_properties"
            _write_entries(out, _APPLICATION_PROPERTIES, message.application_properties, room)
        if message.body is not None:
            section = "body"
            _write_body(out, message.body, room)
        if message.footer is not None:
            section = "footer"
            _write_entries(out, b"\x00\x53\x78", message.footer, room)
    except EncodeError as error:
        raise within(error, section) from None
    if not section:
        raise EncodeError("bad_count", "a message without sections", field="body")
    return out.getvalue()

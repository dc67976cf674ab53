"""AMQP 1.0: the encoded sections of one message (part 3 section 3.2) over the type system of part 1 section 1.6.

Only this wire form lives here: no frames, no links, no meaning of a field. The reader accepts every encoding that the
specification allows. The writer is canonical: the smallest encoding of each value, no trailing nulls, numeric descriptors.
"""

from collections.abc import Callable
from functools import cache
from struct import Struct
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from typing import Any, Final

import mqconvert.converters.protocols.amqp10.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, Remedy
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import bad_entry, key_path, no_typed_value, too_deep, too_large, within
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.native import i64, mypyc_attr
from mqconvert.converters.model.primitives import (
    SIZES,
    Writer,
    ended,
    put_sizes,
    read_u32,
    write_from,
    write_u8,
    write_u32,
    write_varied_text,
)
from mqconvert.converters.model.values import MAX_DEPTH, Array, Described, Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.sections import FIRST, LAST, SECTIONS, STRINGS, SYMBOLS
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES

MAX_EMPTY_ELEMENTS: Final = 4_096
"""Maximum number of array elements without bytes in a message: null, true, false, uint and ulong 0, empty list.

The size of the input does not limit them."""


@mypyc_attr(acyclic=True)
class Room:
    """The remaining limits of a message that is read or written: levels of nesting, and array elements without bytes.

    `lenient` is the option of `decode_all`.
    """

    levels = MAX_DEPTH
    empty = MAX_EMPTY_ELEMENTS
    lenient = False


# ---- reading values (part 1 section 1.6) ----------------------------------------------------------------------------
#
# The printed functions read values; here are compound ones and errors. Nothing checks that the bytes exist. If they are
# missing, indexing or unpacking fails, or a slice is short and `at` lies beyond the end. `decode` turns all three into
# "truncated", which saves a check for each value.

_LONG: Final = Struct(">I")
_SIZE_AND_COUNT: Final = Struct(">II")


def bad_text(type_: str, data: bytes, begin: i64, end: i64) -> DecodeError:
    """Return the error of a string or symbol of other bytes, at the first of them."""
    if end > len(data):  # the input ends within a character
        return _truncated(len(data))
    try:
        data[begin:end].decode("ascii" if type_ == "symbol" else "utf-8")
    except UnicodeDecodeError as error:
        begin += error.start
    if type_ == "symbol":
        return DecodeError("bad_symbol", "a symbol that is not ASCII", offset=begin)
    return DecodeError("bad_utf8", "a string that is not UTF-8", offset=begin)


def no_boolean(octet: i64, at: i64) -> DecodeError:
    """Return the error of a boolean of a byte with another value."""
    return DecodeError("bad_value", f"boolean 0x{octet:02x} is neither 0 nor 1", offset=at)


def no_char(number: i64, at: i64) -> DecodeError:
    """Return the error of a char beyond Unicode."""
    return DecodeError("bad_value", f"char 0x{number:x} is not a Unicode code point", offset=at)


def unknown_code(code: i64, at: i64) -> DecodeError:
    """Return the error of a byte that is no format code."""
    return DecodeError("unknown_type", f"0x{code:02x} is not a format code", offset=at)


def _truncated(at: int) -> DecodeError:
    return DecodeError("truncated", "the input ends within a value", offset=at)


# Compound values and arrays begin with a size in bytes, which includes the following count.


def head8(data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return count, start and end of the content of a compound value or array with size and count of a byte each."""
    stop: i64 = at + 1 + data[at]
    if stop > len(data) or stop < at + 2:
        raise _bad_size(data, at, stop)
    return data[at + 1], at + 2, stop


def head32(data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return the same of one with size and count of four bytes each."""
    size: i64 = read_u32(data, at)
    count: i64 = read_u32(data, at + 4)
    stop: i64 = at + 4 + size
    if stop > len(data) or size < 4:
        raise _bad_size(data, at, stop)
    return count, at + 8, stop


def _bad_size(data: bytes, at: int, stop: int) -> DecodeError:
    if stop > len(data):
        return DecodeError("truncated", f"a size that reaches {stop - len(data)} bytes beyond the input", offset=at)
    return DecodeError("bad_length", "a size too small for the count", offset=at)


def _too_many(count: int, at: int, stop: int) -> DecodeError:
    return DecodeError("bad_count", f"{count} elements in {stop - at} bytes", offset=at)


def misfit(at: i64, stop: i64) -> DecodeError:
    """Return the error of values that end elsewhere than their size says."""
    left = f"{stop - at} bytes left over" if at < stop else f"{at - stop} bytes more than announced"
    return DecodeError("bad_length", f"the elements do not fill their size: {left}", offset=min(at, stop))


def _too_deep(at: int) -> DecodeError:
    return DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)


def read_list(count: i64, data: bytes, at: i64, stop: i64, room: Room) -> list[TypedValue]:
    """Return the values of a list, which end at `stop`."""
    if count > stop - at:
        raise _too_many(count, at, stop)
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    values: list[TypedValue] = []
    while count:
        count -= 1
        type_, value, at = printed.read_value(data[at], data, at + 1, room)
        values.append(TypedValue(type_, value))
    if at != stop:
        raise misfit(at, stop)
    room.levels += 1
    return values


def read_map(count: i64, data: bytes, at: i64, stop: i64, room: Room, section: str = "", short: i64 = -1) -> list[Entry]:
    """Return the entries of a map, which end at `stop`; `count` counts keys and values.

    The keys of a section have a type of their own; `short` is its usual code.
    """
    _check_entries(count, at, stop, room)
    room.levels -= 1
    key: Any
    entries: list[Entry] = []
    while count:
        count -= 2
        key, type_, value, at = read_entry(section, short, data, at, room)
        if key is not None:
            entries.append(Entry(key, type_, value))
    if at != stop:
        raise misfit(at, stop)
    room.levels += 1
    return entries


def _check_entries(count: i64, at: i64, stop: i64, room: Room) -> None:
    if count % 2 or count > stop - at:
        raise _too_many(count, at, stop)
    if not room.levels:
        raise _too_deep(at)


def read_entry(section: str, short: i64, data: bytes, at: i64, room: Room) -> tuple[Any, str, object, i64]:
    """Return key, type and value of an entry, and the offset behind it. The key is None for one that is left out."""
    mid: i64 = at
    key: Any
    text: str
    if data[at] == short:
        mid = at + 2 + data[at + 1]
        try:
            key = text = data[at + 2 : mid].decode()
        except UnicodeDecodeError:
            raise bad_text("symbol" if short == SYMBOLS else "string", data, at + 2, mid) from None
        if short == SYMBOLS and not text.isascii():
            raise bad_text("symbol", data, at + 2, mid)
    else:
        key, mid = _read_key(section, short, data, at, room)
    type_, value, after = printed.read_value(data[mid], data, mid + 1, room)
    return key, type_, value, after


def read_array(count: i64, data: bytes, at: i64, stop: i64, room: Room) -> Array:
    """Return an array of `count` elements behind their common code, which end at `stop`."""
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    descriptors, at = _descriptors(data, at, stop, room)
    code: i64 = data[at]
    at += 1
    type_ = printed.type_of_value(code)
    if not type_:
        raise unknown_code(code, at - 1)
    _check_count(code, count, at, stop, room)
    values: list[object] = []
    while count:
        count -= 1
        _, value, at = printed.read_value(code, data, at, room)
        values.append(value)
    if at != stop:
        raise misfit(at, stop)
    room.levels += 1 + len(descriptors)
    return Array(type_, values, descriptors)


def _descriptors(data: bytes, at: i64, stop: i64, room: Room) -> tuple[tuple[TypedValue, ...], i64]:
    """Return the descriptors before an array's element constructor. Each adds a level of nesting."""
    found: list[TypedValue] = []
    while at < stop and data[at] == 0x00:
        if not room.levels:
            raise _too_deep(at)
        room.levels -= 1
        type_, value, at = printed.read_value(data[at + 1], data, at + 2, room)
        found.append(TypedValue(type_, value))
    if at > len(data):
        raise _truncated(len(data))
    if at >= stop:
        raise DecodeError("bad_length", "an array without the constructor of its elements", offset=at)
    return tuple(found), at


def _check_count(code: i64, count: i64, at: i64, stop: i64, room: Room) -> None:
    """Refuse a count beyond the input's bytes, or beyond the limit for elements without bytes, before allocating."""
    if code >> 4 != 0x4:  # the codes without bytes behind them (section 1.2.1)
        if count > stop - at:
            raise _too_many(count, at, stop)
        return
    room.empty -= count
    if room.empty < 0:
        raise DecodeError("bad_count", f"{count} array elements without bytes, the limit is {MAX_EMPTY_ELEMENTS}", offset=at)


def read_described(data: bytes, at: i64, room: Room) -> tuple[Described, i64]:
    """Return the described value behind an offset, and the offset behind it."""
    if not room.levels:
        raise _too_deep(at)
    room.levels -= 1
    of, descriptor, at = printed.read_value(data[at], data, at + 1, room)
    type_, value, at = printed.read_value(data[at], data, at + 1, room)
    room.levels += 1
    return Described(TypedValue(of, descriptor), TypedValue(type_, value)), at


# ---- reading sections (part 3 section 3.2) --------------------------------------------------------------------------
#
# The printed functions read sections, and fields of their own types; here are fields of others, and what is no list of fields.

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
_OTHER: Final[dict[str, _Converted]] = dict.fromkeys(set(AMQP10_TYPES) - {"null"}, _ignored)
_U32: Final[dict[str, _Converted]] = dict.fromkeys(_INTEGERS, _up_to(2**32 - 1))
_ODD_ID: Final[dict[str, _Converted]] = {
    "symbol": lambda value: TypedValue("string", value),
    **dict.fromkeys(_INTEGERS, _id_number),
}
_ODD_SYMBOL: Final[dict[str, _Converted]] = {"string": _ascii, "binary": _ascii}
_ODD: Final[dict[str, dict[str, _Converted]]] = {
    "priority": {"boolean": _ignored, **dict.fromkeys((*_INTEGERS, "timestamp", "char"), _up_to(255))},
    "ttl": {"boolean": _ignored, **dict.fromkeys((*_INTEGERS, "timestamp", "char"), _up_to(2**32 - 1))},
    "delivery_count": _OTHER | _U32,
    "message_id": _ODD_ID,
    "user_id": {**_OTHER, "string": str.encode, "symbol": str.encode, "uuid": bytes},
    "correlation_id": _ODD_ID,
    "content_type": _ODD_SYMBOL,
    "content_encoding": _ODD_SYMBOL,
    "creation_time": dict.fromkeys(_INTEGERS, _of_seconds),
    "group_sequence": _OTHER | _U32,
}
"""The other types of fields that the option `lenient` reads; fields without a row have those of `_OTHER`."""


def _converted(data: bytes, at: i64, room: Room, convert: _Converted, name: str) -> tuple[object, i64]:
    """Return the value of another type as the option `lenient` reads it, and the offset behind it."""
    type_, value, end = printed.read_value(data[at], data, at + 1, room)
    if end > len(data):
        raise _truncated(len(data))
    try:
        return convert(value), end
    except ValueError:
        raise DecodeError("wrong_type", f"{name} cannot hold {type_} {value!r:.40}", offset=at) from None


def _head(small: i64, name: str, data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return count, start and end of a section's content, a list or map; `small` is its code with sizes of one byte."""
    code: i64 = data[at]
    if code == small:
        return head8(data, at + 1)
    if code == small + 0x10:
        return head32(data, at + 1)
    if code == 0x45 and small == 0xC0:
        return 0, at + 1, at + 1
    raise _wrong_type(code, at, name, odd=small == 0xC0 and code in _MAPS)


def count_of(section: str, most: i64, data: bytes, at: i64) -> tuple[i64, i64, i64]:
    """Return the number of fields in a section of `most`, the offset of the first and of the next section."""
    count, at, stop = _head(0xC0, section, data, at)
    if count > most:
        raise DecodeError("bad_count", f"{count} fields; {section} has {most}", offset=at)
    return count, at, stop


def read_other(section: str, place: i64, code: i64, data: bytes, at: i64, room: Room) -> tuple[object, i64]:
    """Return the value of a field of another type than its own, and the offset behind it: with the option `lenient` only."""
    name = _FIELDS[section][place]
    convert = _ODD.get(name, _OTHER).get(printed.type_of_value(code))
    if convert is not None and room.lenient:
        return _converted(data, at, room, convert, name)
    raise _wrong_type(code, at, f"{section}.{name}", odd=convert is not None)


def _read_as_list(code: i64, message: Message, data: bytes, at: i64, room: Room) -> i64:
    """Read a section of fields that is a map by the symbols of their names, as RabbitMQ 4.0 does; return its end."""
    section = _NAMES[code - FIRST]
    _, found, stop = printed.read_value(data[at], data, at + 1, room)
    entries: Any = found
    places = [name.replace("_", "-") for name in _FIELDS[section]]
    parts = [b"\x40"] * len(places)
    for entry in entries:
        if entry.key.type != "symbol" or entry.key.value not in places:
            raise DecodeError("wrong_type", f"{section} has no field {entry.key.value!r:.40}", offset=at)
        part = Writer()
        printed.write_value(part, entry.type, entry.value, Room())
        parts[places.index(entry.key.value)] = part.getvalue()
    content = b"".join(parts)
    listed = b"\xd0" + _SIZE_AND_COUNT.pack(len(content) + 4, len(places)) + content
    try:
        printed.read_section(code, message, listed, 0, room)
    except DecodeError as error:
        error.offset = at  # that of the map
        raise
    return stop


_MAPS: Final = (0xC1, 0xD1)
_FIELDS: Final = {section.name: names(section.of) for section in SECTIONS if section.of is not None}
"""The fields of the sections that are lists."""


def _wrong_type(code: int, at: int, field: str, *, odd: bool = False) -> DecodeError:
    type_ = printed.type_of_value(code)
    if not type_:
        return DecodeError("unknown_type", f"0x{code:02x} is not a format code", offset=at, field=field)
    words, remedy = f"{field} cannot be of type {type_}", _LENIENT if odd else None
    return DecodeError("wrong_type", words, offset=at, field=field, remedy=remedy, names_field=True)


_LENIENT: Final = Remedy("lenient", "true")


def read_entries(section: str, short: i64, data: bytes, at: i64, room: Room) -> tuple[list[Entry], i64]:
    """Return the entries of a section, and the offset of the next one."""
    count, at, stop = _head(0xC1, section, data, at)
    return read_map(count, data, at, stop, room, section, short), stop


def entries_at(section: str, data: bytes, at: i64, room: Room) -> tuple[i64, i64, i64]:
    """Return the number of keys and values in a section, the offset of the first and of the next section."""
    count, at, stop = _head(0xC1, section, data, at)
    _check_entries(count, at, stop, room)
    return count, at, stop


def _read_key(section: str, short: i64, data: bytes, at: i64, room: Room) -> tuple[Any, i64]:
    """Return a key in any encoding, and the offset behind it; None for one that the option `lenient` leaves out."""
    if not section:
        key_type, key, mid = printed.read_value(data[at], data, at + 1, room)
        return TypedValue(key_type, key), mid
    symbols = short == SYMBOLS
    type_ = printed.type_of_value(data[at])
    if type_ in _KEY_TYPES[symbols]:
        _, key, mid = printed.read_value(data[at], data, at + 1, room)
        return key, mid
    convert = _ODD_KEYS[symbols].get(type_)
    if convert is not None and room.lenient:
        return _converted(data, at, room, convert, "a key")
    kinds = "symbol or ulong" if symbols else "string"
    remedy = None if convert is None else _LENIENT
    raise DecodeError("wrong_type", f"a key of {section} is no {kinds}", offset=at, remedy=remedy)


_KEY_TYPES: Final = {True: ("symbol", "ulong"), False: ("string",)}
"""The types of keys: of annotations, and of application properties."""
_ODD_KEYS: Final[dict[bool, dict[str, _Converted]]] = {True: {"string": _ascii}, False: dict.fromkeys(_PLAIN, _ignored)}
"""The other types of keys that the option `lenient` reads.

RabbitMQ leaves out application properties with such keys."""


def read_body(code: i64, body: Any, data: bytes, at: i64, room: Room) -> tuple[Any, i64]:
    """Return the body with another section, `code` being its descriptor, and the offset behind that section."""
    found: Any
    first: i64 = data[at]
    if (code == _DATA and first not in (0xA0, 0xB0)) or (code == _SEQUENCE and first not in (0x45, 0xC0, 0xD0)):
        raise _wrong_type(first, at, "body")
    type_, found, at = printed.read_value(first, data, at + 1, room)
    if code == _VALUE:
        return AmqpValue(TypedValue(type_, found)), at
    if body is None:
        return Data([found]) if code == _DATA else AmqpSequence([found]), at
    body.sections.append(found)
    return body, at


_NAMES: Final = [section.name for section in SECTIONS]
_SYMBOLIC: Final = {section.symbol: section.code for section in SECTIONS}
_CODES: Final = range(FIRST, LAST + 1)
_DATA: Final = i64(_SYMBOLIC["amqp:data:binary"])
_SEQUENCE: Final = i64(_SYMBOLIC["amqp:amqp-sequence:list"])
_VALUE: Final = i64(_SYMBOLIC["amqp:amqp-value:*"])


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
    room = Room()
    room.lenient = lenient
    at: i64 = 0
    after: i64
    code: i64 = 0
    last: i64 = 0
    try:
        while at < end:
            code = 0
            if data[at] == 0x00 and data[at + 1] == 0x53 and FIRST <= (code := data[at + 2]) <= LAST:  # the usual descriptor
                after = at + 3
            else:
                code, after = descriptor(data, at, room)
            forward = code > last
            if not forward or last >= _DATA:
                _check_order(code, last, at, message, room)
            if lenient and data[after] in _MAPS and _NAMES[code - FIRST] in _FIELDS:
                at = _read_as_list(code, message, data, after, room)
            else:
                at = printed.read_section(code, message, data, after, room)
            if forward:  # not so where lenient allows another order
                last = code
        if at > end:
            raise _truncated(end)
    except (DecodeError, IndexError, StructError) as error:
        fault = error if isinstance(error, DecodeError) else _truncated(end)
        fault.field = fault.field or (_NAMES[code - FIRST] if code in _CODES else None)
        raise fault from None
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


def descriptor(data: bytes, at: i64, room: Room) -> tuple[i64, i64]:
    """Return the code of the section with its descriptor at `at`, and the offset of its value."""
    if data[at] != 0x00:
        kind = "trailing_bytes" if at else "unknown_section"
        raise DecodeError(kind, f"0x{data[at]:02x} where a section is due", offset=at)
    if printed.type_of_value(data[at + 1]) not in ("ulong", "symbol"):
        raise DecodeError("unknown_section", "a descriptor that is neither ulong nor symbol", offset=at + 1)
    _, found, after = printed.read_value(data[at + 1], data, at + 2, room)
    if after > len(data):
        raise _truncated(len(data))
    sent: Any = found
    code: Any = _SYMBOLIC.get(sent) or sent  # a number, or a symbol that names no section
    if code not in _CODES:
        raise DecodeError("unknown_section", f"no section has the descriptor {code!r:.80}", offset=at + 1)
    return code, after


def section_at(data: bytes, at: int) -> tuple[str, int]:
    """Return the field of the section whose descriptor is at an offset, and the offset of its value."""
    code, after = descriptor(data, at, Room())
    return _NAMES[code - FIRST], after


def may_follow(code: i64, last: i64) -> bool:
    """Return whether a section may follow another one.

    Section 3.2 has their order. Only data and amqp-sequence may repeat, and a body has sections of one kind.
    """
    if last < _DATA or code > _VALUE:
        return code > last
    return code == last and code != _VALUE


def _check_order(code: i64, last: i64, at: i64, message: Message, room: Room) -> None:
    """Check the order of sections, which may be any with the option `lenient`, as in RabbitMQ; parts of a body are adjacent."""
    if may_follow(code, last):
        return
    if _DATA <= last <= _VALUE and _DATA <= code <= _VALUE:
        raise DecodeError(
            "section_order", "a body of more than one kind, or two values", offset=at, field="body", names_field=True
        )
    if code <= last:
        name, before = _NAMES[code - FIRST], _NAMES[last - FIRST]
        repeated = getattr(message, name) is not None
        if repeated or not room.lenient:
            words = f"{name} cannot follow {before}"
            remedy = None if repeated else _LENIENT
            raise DecodeError("section_order", words, offset=at, field=name, remedy=remedy, names_field=True)


# ---- writing values -------------------------------------------------------------------------------------------------
#
# The printed functions write values; here are compound ones. An invalid value is an EncodeError. Each level adds its part to
# the field of the error, so that valid values need no path.

_NO_TYPE: Final = "AMQP 1.0 has no type"


def bad_value(type_: str, value: object) -> EncodeError:
    """Return the error of a value that its type cannot hold."""
    fault = AMQP10_TYPES[type_].fault(value)
    if fault is None and type(value) in (str, bytes):  # only its size is left
        return too_large()
    return EncodeError("bad_value", fault or f"no {type_} can hold it", field="")


def _enter(room: Room) -> None:
    """Enter a value one level down."""
    if not room.levels:
        raise too_deep()
    room.levels -= 1


def _write(out: Writer, typed: object, room: Room) -> None:
    if type(typed) is not TypedValue:
        raise no_typed_value(typed, _NO_TYPE)
    known: TypedValue = typed
    try:
        printed.write_value(out, known.type, known.value, room)
    except (KeyError, TypeError):
        raise no_typed_value(typed, _NO_TYPE) from None


def write_list(out: Writer, value: Any, room: Room) -> None:
    """Write a list that is not empty."""
    if type(value) is not list:
        raise bad_value("list", value)
    _enter(room)
    place: i64 = len(out)
    out.write(b"\xc0\0\0")
    count: i64 = 0
    try:
        for typed in value:
            _write(out, typed, room)
            count += 1
    except EncodeError as error:
        raise within(error, f"[{count}]") from None
    room.levels += 1
    _put_sizes(out, place, 0xD0, count)


def write_map(out: Writer, entries: Any, room: Room, keys: i64 = 0) -> None:
    """Write a map of typed keys, or the entries of a section, whose keys usually have the code `keys`."""
    if type(entries) is not list:
        raise bad_value("map", entries)
    _enter(room)
    place: i64 = len(out)
    out.write(b"\xc1\0\0")
    key: Any = None
    entry: Entry
    try:
        for entry in entries:
            key = entry.key
            if keys:
                write_entry(out, keys, key, entry.type, entry.value, room)
            else:
                _write(out, key, room)
                printed.write_value(out, entry.type, entry.value, room)
    except EncodeError as error:
        raise within(error, key_path(key)) from None
    except (AttributeError, KeyError, TypeError):
        raise bad_entry(entries, AMQP10_TYPES, _NO_TYPE) from None
    except (OverflowError, ValueError):
        raise within(bad_value("string", key), key_path(key)) from None
    room.levels += 1
    _put_sizes(out, place, 0xD1, 2 * len(entries))


def write_section(out: Writer, descriptor: i64, keys: i64, entries: Any, room: Room) -> None:
    """Write a section of entries, whose keys usually have the code `keys`."""
    out.write(b"\x00\x53")
    write_u8(out, descriptor)
    write_map(out, entries, room, keys)


def write_entry(out: Writer, code: i64, key: Any, type_: str, value: Any, room: Room) -> None:
    """Write an entry of a section without checks."""
    write_key(out, code, key, room)
    printed.write_value(out, type_, value, room)


def write_key(out: Writer, code: i64, key: Any, room: Room) -> None:
    """Write the key of an entry; `code` is the usual one of its section, that of a symbol or string."""
    if type(key) is str:
        text: str = key
        if code == SYMBOLS and not text.isascii():
            raise bad_value("symbol", text)
        write_varied_text(out, code, text)
    else:
        of = "string" if code == STRINGS else "ulong" if type(key) is int else "symbol"
        printed.write_value(out, of, key, room)


def write_entries(out: Writer, descriptor: i64, entries: Writer, count: i64) -> None:
    """Write a section with entries that were written before."""
    out.write(b"\x00\x53")
    write_u8(out, descriptor)
    place: i64 = len(out)
    out.write(b"\xc1\0\0")
    write_from(out, entries)
    put_sizes(out, place, 0xD1, 2 * count)


def write_described(out: Writer, value: Any, room: Room) -> None:
    """Write a descriptor and the value that it describes."""
    if type(value) is not Described:
        raise bad_value("described", value)
    _enter(room)
    out.write(b"\x00")
    _write(out, value.descriptor, room)
    _write(out, value.value, room)
    room.levels += 1


def _put_sizes(out: Writer, place: i64, code: i64, count: i64) -> None:
    """Put the head of a compound value or array over its place; the size includes the count (sections 1.6.22 to 1.6.24)."""
    try:
        put_sizes(out, place, code, count)
    except (OverflowError, StructError):
        raise too_large() from None


def write_array(out: Writer, value: Any, room: Room) -> None:
    """Write an array with one constructor for all elements: the smallest that fits every one of them.

    Only null uses a constructor without bytes, since it has no other. Readers limit such elements: RabbitMQ rejects them, this
    reader accepts MAX_EMPTY_ELEMENTS.
    """
    if type(value) is not Array:
        raise bad_value("array", value)
    _enter(room)
    of = value.of
    if type(of) is not str or of not in AMQP10_TYPES or of == "described":
        raise EncodeError("unknown_type", f"AMQP 1.0 has no array of {of!r:.80}", field="")
    if type(value.values) is not list or type(value.descriptors) is not tuple:
        raise EncodeError("bad_value", "not a list of elements and a tuple of descriptors", field="")
    place: i64 = len(out)
    out.write(b"\xe0\0\0")
    for descriptor in value.descriptors:
        _enter(room)
        out.write(b"\x00")
        _write(out, descriptor, room)
    _write_elements(out, of, value.values, room)
    room.levels += 1 + len(value.descriptors)
    _put_sizes(out, place, 0xF0, len(value.values))


_ALONE: Final = {0x41: b"\x56\x01", 0x42: b"\x56\x00", 0x43: b"\x52\x00", 0x44: b"\x53\x00", 0x45: b"\xc0\x01\x00"}
"""Values that are their code alone, in their smallest encoding with bytes behind the code."""
_WITH_BYTES: Final = bytes(_ALONE[code][0] if code in _ALONE else code for code in range(256))
"""The codes, those of such values replaced."""


def _write_elements(out: Writer, type_: str, values: list[object], room: Room) -> None:
    """Write the common code of elements, and their bytes behind it. The wider of a type's codes is the larger number."""
    each = Writer()
    count = 0
    try:
        for value in values:
            printed.write_value(each, type_, value, room)
            count += 1
    except EncodeError as error:
        raise within(error, f"[{count}]") from None
    if type_ == "null":
        room.empty -= len(values)
        if room.empty < 0:
            raise EncodeError("bad_count", f"more than {MAX_EMPTY_ELEMENTS} array elements without bytes", field="")
    if not values:
        out.write(SIZES[_code_of(type_)])
        return
    raw = each.getvalue()
    step = end_of(raw, 0)
    if step > 1 and raw[0] < 0xA0 and raw[::step] == raw[:1] * len(values):  # of one code and size, as most arrays are
        behind = bytearray(raw)
        del behind[::step]
        out.write(raw[:1])
        out.write(bytes(behind))
        return
    size: i64 = len(raw)
    code: i64 = 0
    end: i64
    at: i64 = 0
    while at < size:
        code = max(code, _WITH_BYTES[raw[at]])
        at = end_of(raw, at)
    out.write(SIZES[code])
    at = 0
    while at < size:
        end = end_of(raw, at)
        out.write(raw[at + 1 : end] if raw[at] == code else _widened(raw[at:end], code))
        at = end


_FIXED: Final = bytes((0, 0, 0, 0, 0, 1, 2, 4, 8, 16))
"""The bytes of a value by the first half of its code (section 1.2.1). Values of other codes begin with their size."""


def end_of(data: bytes, at: i64) -> i64:
    """Return the offset behind the value at an offset, which was read or written."""
    code: i64 = data[at]
    if not code:  # a descriptor, and the value that it describes
        return end_of(data, end_of(data, at + 1))
    if code < 0xA0:
        return at + 1 + _FIXED[code >> 4]
    return at + 5 + read_u32(data, at + 1) if code & 0x10 else at + 2 + data[at + 1]


@cache
def _code_of(type_: str) -> int:
    """Return the smallest code of a type that has bytes behind it; that of null, which has none."""
    code: int = next(code for code in (*range(0x50, 0x100), 0x40) if printed.type_of_value(code) == type_)
    return code


def _widened(raw: bytes, code: i64) -> bytes:
    """Return the bytes of an element behind a code of the same type (sections 1.2.1 and 1.6)."""
    raw = _ALONE.get(raw[0], raw)
    own: i64 = raw[0]
    if own == code:
        return raw[1:]
    if code >= 0xC0:
        return _SIZE_AND_COUNT.pack(raw[1] + 3, raw[2]) + raw[3:]
    if code >= 0xA0:
        return _LONG.pack(raw[1]) + raw[2:]
    negative = (own == 0x54 or own == 0x55) and raw[1] > 0x7F  # noqa: PLR1714 - mypyc compiles it to two comparisons
    return (b"\xff" if negative else b"\x00") * (3 if code < 0x80 else 7) + raw[1:]


# ---- writing sections -----------------------------------------------------------------------------------------------

NULLS: Final = [b"\x40" * count for count in range(max(map(len, _FIELDS.values())))]
"""Nulls for unset fields, by their number."""


_DATA_HEAD: Final = bytes((0x00, 0x53, _DATA))
_SEQUENCE_HEAD: Final = bytes((0x00, 0x53, _SEQUENCE))
_VALUE_HEAD: Final = bytes((0x00, 0x53, _VALUE))
"""The descriptors before the parts of a body."""


def check_typed(typed: object, types: tuple[str, ...]) -> None:
    """Raise EncodeError for anything but a TypedValue of one of these types."""
    if type(typed) is not TypedValue or typed.type not in types:
        raise EncodeError("wrong_type", f"not one of {', '.join(types)}", field="")


def check_class(section: object, class_: type) -> None:
    """Raise EncodeError for a section of another class."""
    if type(section) is not class_:
        raise EncodeError("wrong_type", f"not a {class_.__name__}", field="")


def write_body(out: Writer, body: object, room: Room) -> bytes:
    """Write the sections of a body, and return the octets of its last data, where most messages end: the caller writes them."""
    octets: bytes = b""
    if type(body) is AmqpValue:
        out.write(_VALUE_HEAD)
        _write(out, body.value, room)
        return octets
    if type(body) is not Data and type(body) is not AmqpSequence:
        raise EncodeError("wrong_type", "neither data, amqp-sequence nor amqp-value", field="")
    sections: Any = body.sections
    if type(sections) is not list or not sections:
        raise EncodeError("bad_count", "a body without sections", field="")
    for index, section in enumerate(sections):
        try:
            out.write(octets)
            if type(body) is Data:
                octets = write_data(out, section)
            else:
                out.write(_SEQUENCE_HEAD)
                printed.write_value(out, "list", section, room)
        except EncodeError as error:
            raise within(error, f"[{index}]") from None
    return octets


def write_data(out: Writer, value: Any) -> bytes:
    """Write the head of a section of data, and return its octets, which the caller writes."""
    if type(value) is not bytes:
        raise bad_value("binary", value)
    data: bytes = value
    size: i64 = len(data)
    out.write(_DATA_HEAD)
    if size < 256:
        out.write(b"\xa0")
        write_u8(out, size)
    else:
        out.write(b"\xb0")
        write_u32(out, size)
    return data


def encode(message: Message) -> bytes:
    """Return the canonical bytes of a message. A section of None is left out; an empty section is written.

    Raises EncodeError for the field that cannot be written, `bad_count` for a message without any section.

    >>> from mqconvert.converters.protocols.amqp10.message import Header
    >>> encode(Message(header=Header(durable=True), body=Data([b"hi"]))).hex()
    '005370c0020141005375a0026869'
    """
    out = Writer()
    return ended(out, printed.write_sections(out, message, Room()), b"")


def unwritable(error: Exception, section: str) -> EncodeError:
    """Return the error of a section that cannot be written."""
    return within(error if isinstance(error, EncodeError) else too_large(), section)  # its size does not fit 32 bits

"""AMQP 0.9.1 contents: an optional method frame, the content header frame, body frames (sections 2.3.5 and 4.2).

Field-table letters are RabbitMQ's (rabbit_binary_parser and the errata page): t b B s u I i l L f d D S x A T F V.
"""

from collections.abc import Callable, Iterator
from dataclasses import fields
from struct import Struct
from struct import error as StructError  # noqa: N812 - an exception class that its module spells in lower case
from typing import Any, Final

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.entries import bad_entry, no_typed_value, within
from mqconvert.converters.model.values import (
    MAX_DEPTH,
    Decimal091,
    Entry,
    Table,
    TypedValue,
    float_of_single,
    single_of_float,
)
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES

FRAME_MAX: Final = 131_072
"""The largest frame that is written, RabbitMQ's default; frames of any size are read."""

_BASIC: Final = 60
_METHODS: Final = {40: (2, False, 0, 1), 50: (2, True, 0, 0), 60: (0, True, 9, 0), 71: (9, False, 0, 4)}
"""Basic.Publish, Return, Deliver, GetOk: bytes, whether a short string and how many bytes stand before the exchange name
(reply code and text; consumer tag, delivery tag and redelivered), and bytes behind the routing key.
"""

# ---- frames (section 2.3.5) -------------------------------------------------------------------------------------------
#
# Readers trust the bytes to be there. Where they are not, indexing or unpacking fails, or a slice comes out short and `at`
# lies beyond the end of what held it: "truncated" either way, so that no value pays for the check.

_frame: Final = Struct(">BHI").unpack_from
_content_header = Struct(">HHQH").unpack_from
_method: Final = Struct(">HH").unpack_from
_long, _longlong = Struct(">I").unpack_from, Struct(">Q").unpack_from


def decode(data: bytes) -> Message:
    """The one content that `data` holds; DecodeError with kind and offset for anything else.

    >>> decode(bytes.fromhex("02000100 0000 0e 003c 0000 0000000000000000 0000 ce".replace(" ", ""))).payload
    b''
    """
    message, end = _content(data, 0)
    if end != len(data):
        raise DecodeError("trailing_bytes", f"{len(data) - end} bytes after the content", offset=end)
    return message


def decode_all(data: bytes) -> list[Message]:
    """Every content of a row of them, at least one; DecodeError with kind and offset for anything else."""
    return list(decode_each(data))


def decode_each(data: bytes) -> Iterator[Message]:
    """Give the messages of `decode_all` one by one."""
    message, at = _content(data, 0)
    yield message
    while at < len(data):
        message, at = _content(data, at)
        yield message


def _content(data: bytes, at: int) -> tuple[Message, int]:
    try:
        exchange = routing_key = None
        kind, channel, size = _frame(data, at)
        end = at + 7 + size
        if data[end] != 0xCE:
            raise _no_end(end)
        if kind == 1:
            exchange, routing_key = _read_method(data, at + 7, end)
            at = end + 1
            kind, same, size = _frame(data, at)
            end = at + 7 + size
            if data[end] != 0xCE:
                raise _no_end(end)
            if same != channel:
                raise _other_channel(channel, same, at)
        if kind != 2:
            raise DecodeError("bad_frame", f"a frame of type {kind} where a content header is due", offset=at)
        if size < 14:
            raise DecodeError("truncated", "a content header ends early", offset=at + 7)
        class_id, _, body_size, flags = _content_header(data, at + 7)
        if class_id != _BASIC:
            raise DecodeError("bad_frame", f"class {class_id} is not Basic", offset=at + 7)
        basic = _read_properties(data, at + 21, end, flags)
        payload, after = _read_body(data, end + 1, body_size, channel)
    except (IndexError, StructError):
        raise DecodeError("truncated", "the input ends within a frame", offset=len(data)) from None
    return Message(basic, payload, exchange, routing_key), after


def _no_end(at: int) -> DecodeError:
    return DecodeError("bad_frame", "a frame without its end byte 0xCE", offset=at)


def _other_channel(channel: int, same: int, at: int) -> DecodeError:
    return DecodeError("bad_frame", f"channel {same} within a content of channel {channel}", offset=at)


def _ends_early(what: str, at: int) -> DecodeError:
    return DecodeError("truncated", f"{what} ends early", offset=at)


def _read_body(data: bytes, at: int, missing: int, channel: int) -> tuple[bytes, int]:
    if not missing:
        return b"", at
    kind, same, size = _frame(data, at)
    end = at + 7 + size
    if size == missing and kind == 3 and same == channel and data[end] == 0xCE:
        return data[at + 7 : end], end + 1  # one frame, as nearly always
    parts: list[bytes] = []
    while missing:
        kind, same, size = _frame(data, at)
        end = at + 7 + size
        if data[end] != 0xCE:
            raise _no_end(end)
        if same != channel:
            raise _other_channel(channel, same, at)
        if kind != 3:
            raise DecodeError("bad_frame", f"a frame of type {kind} where a body is due", offset=at)
        missing -= size
        if missing < 0:
            raise DecodeError("bad_length", f"the body is {-missing} bytes longer than announced", offset=at)
        parts.append(data[at + 7 : end])
        at = end + 1
    return b"".join(parts), at


def _read_method(data: bytes, at: int, end: int) -> tuple[str, str]:
    """Exchange and routing key of the four methods that carry content."""
    if at + 4 > end:
        raise _ends_early("a method frame", at)
    class_id, method = _method(data, at)
    if class_id != _BASIC or method not in _METHODS:
        raise DecodeError("bad_frame", f"method {class_id}.{method} carries no content", offset=at)
    first, text, more, rest = _METHODS[method]
    at += 4 + first
    if text:
        _, at = _read_shortstr(data, at, end)
    exchange, at = _read_shortstr(data, at + more, end)
    routing_key, at = _read_shortstr(data, at, end)
    if at + rest != end:
        raise DecodeError("bad_length", "a method frame of the wrong length", offset=at)
    return exchange, routing_key


def _read_shortstr(data: bytes, at: int, end: int) -> tuple[str, int]:
    after = at + 1 + data[at]
    if after > end:
        raise _ends_early("a short string", at)
    return _any_text(data[at + 1 : after]), after


def _any_text(raw: bytes) -> str:
    """Short strings are bytes underneath: what is not UTF-8 is kept as lone surrogates (PEP 383), not refused."""
    return raw.decode("utf-8", "surrogateescape")


# ---- reading properties (section 4.2.6.1) -----------------------------------------------------------------------------

Text = Callable[[bytes], str]


def decode_properties(data: bytes) -> BasicProperties:
    """Property flags and property list, as they stand in a content header; DecodeError with kind and offset.

    >>> decode_properties(bytes.fromhex("100002")).delivery_mode
    2
    """
    try:
        return _read_properties(data, 2, len(data), data[0] << 8 | data[1])
    except (IndexError, StructError):
        raise _ends_early("the property list", len(data)) from None


def _read_properties(data: bytes, at: int, end: int, flags: int) -> BasicProperties:
    if flags & 0x0003:
        raise DecodeError("bad_flags", f"unknown property flags 0x{flags & 3:04x}", offset=at - 2)
    try:
        return _read_property_list(data, at, end, flags, bytes.decode)
    except UnicodeDecodeError:
        return _read_property_list(data, at, end, flags, _any_text)


def _read_property_list(data: bytes, at: int, end: int, flags: int, text: Text) -> BasicProperties:
    """The property list, in the order of its flags; straight down, since every message comes through here."""
    basic = BasicProperties()
    if flags & 0x8000:
        after = at + 1 + data[at]
        basic.content_type = text(data[at + 1 : after])
        at = after
    if flags & 0x4000:
        after = at + 1 + data[at]
        basic.content_encoding = text(data[at + 1 : after])
        at = after
    if flags & 0x2000:
        basic.headers, at = _read_table(data, at, end, text, 1)
    if flags & 0x1000:
        basic.delivery_mode = data[at]
        at += 1
    if flags & 0x0800:
        basic.priority = data[at]
        at += 1
    if flags & 0x0400:
        after = at + 1 + data[at]
        basic.correlation_id = text(data[at + 1 : after])
        at = after
    if flags & 0x0200:
        after = at + 1 + data[at]
        basic.reply_to = text(data[at + 1 : after])
        at = after
    if flags & 0x0100:
        after = at + 1 + data[at]
        basic.expiration = text(data[at + 1 : after])
        at = after
    if flags & 0x0080:
        after = at + 1 + data[at]
        basic.message_id = text(data[at + 1 : after])
        at = after
    if flags & 0x0040:
        basic.timestamp = _longlong(data, at)[0]
        at += 8
    if flags & 0x003C:
        for flag, name in _LAST_STRINGS:
            if flags & flag:
                after = at + 1 + data[at]
                setattr(basic, name, text(data[at + 1 : after]))
                at = after
    if at != end:
        if at > end:
            raise _ends_early("the property list", end)
        raise DecodeError("trailing_bytes", f"{end - at} bytes after the properties", offset=at)
    return basic


_LAST_STRINGS: Final = ((0x0020, "type"), (0x0010, "user_id"), (0x0008, "app_id"), (0x0004, "cluster_id"))

# ---- reading field tables (section 4.2.5.5) ---------------------------------------------------------------------------

_NUMBERS: Final[dict[int, tuple[str, str]]] = {
    ord("b"): ("byte", ">b"),
    ord("B"): ("unsignedbyte", ">B"),
    ord("s"): ("short", ">h"),
    ord("u"): ("unsignedshort", ">H"),
    ord("I"): ("signedint", ">i"),
    ord("i"): ("unsignedint", ">I"),
    ord("l"): ("long", ">q"),
    ord("L"): ("long", ">q"),
    ord("f"): ("float", ">f"),
    ord("d"): ("double", ">d"),
    ord("T"): ("timestamp", ">Q"),
}
Unpack = Callable[[bytes, int], tuple[Any, ...]]
_SIZED: Final[dict[int, tuple[str, Unpack, int]]] = {
    letter: (name, Struct(layout).unpack_from, 1 + Struct(layout).size)
    for letter, (name, layout) in (_NUMBERS | {ord("t"): ("bool", ">?")}).items()
}


def _unpack_float(data: bytes, at: int) -> tuple[float]:
    value: float = _single(data, at)[0]
    return (value if value == value else float_of_single(data[at : at + 4]),)  # noqa: PLR0124 - not of NaN


_single: Final = Struct(">f").unpack_from
_SIZED[ord("f")] = ("float", _unpack_float, 5)
_FIXED: Final = [_SIZED.get(letter) for letter in range(256)]
"""By letter, type, reader and size, letter included, of values of fixed size."""


def _read_table(data: bytes, at: int, end: int, text: Text, depth: int) -> tuple[Table, int]:
    if depth > MAX_DEPTH:
        raise _too_deep(at)
    stop = at + 4 + _long(data, at)[0]
    if stop > end:
        raise _ends_early("a table", at)
    at += 4
    table: Table = []
    while at < stop:
        letter_at = at + 1 + data[at]
        key = text(data[at + 1 : letter_at])
        letter = data[letter_at]
        if letter == 0x53:  # S, as below, without the call: most values are long strings
            begin = letter_at + 5
            at = begin + _long(data, letter_at + 1)[0]
            table.append(Entry(key, "longstr", data[begin:at]))
        elif (fixed := _FIXED[letter]) is not None:
            type_, unpack, size = fixed
            table.append(Entry(key, type_, unpack(data, letter_at + 1)[0]))
            at = letter_at + size
        else:
            type_, value, at = _read_value(data, letter_at, stop, text, depth)
            table.append(Entry(key, type_, value))
    if at != stop:
        raise _ends_early("a field", stop)
    return table, at


def _read_array(data: bytes, at: int, end: int, text: Text, depth: int) -> tuple[list[TypedValue], int]:
    if depth > MAX_DEPTH:
        raise _too_deep(at)
    stop = at + 4 + _long(data, at)[0]
    if stop > end:
        raise _ends_early("an array", at)
    at += 4
    values = []
    while at < stop:
        type_, value, at = _read_value(data, at, stop, text, depth)
        values.append(TypedValue(type_, value))
    if at != stop:
        raise _ends_early("a field value", stop)
    return values, at


def _too_deep(at: int) -> DecodeError:
    return DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)


def _read_value(data: bytes, at: int, end: int, text: Text, depth: int) -> tuple[str, Any, int]:
    """Type and value, and where the next one begins."""
    letter = data[at]
    if (fixed := _FIXED[letter]) is not None:
        type_, unpack, size = fixed
        return type_, unpack(data, at + 1)[0], at + size
    at += 1
    if letter in (0x53, 0x78):  # S, x
        after = at + 4 + _long(data, at)[0]
        return "longstr" if letter == 0x53 else "binary", data[at + 4 : after], after
    if letter == 0x46:  # F
        table, at = _read_table(data, at, end, text, depth + 1)
        return "table", table, at
    if letter == 0x41:  # A
        array, at = _read_array(data, at, end, text, depth + 1)
        return "array", array, at
    if letter == 0x44:  # D
        return "decimal", Decimal091(data[at], _long(data, at + 1)[0]), at + 5
    if letter == 0x56:  # V
        return "void", None, at
    raise DecodeError("unknown_type", f"field type 0x{letter:02x}", offset=at - 1)


# ---- writing ------------------------------------------------------------------------------------------------------------
#
# A writer stands behind a type. What cannot be written is an EncodeError whose field is completed on its way out, so that
# no path is put together for values that are fine.

_NO_TYPE: Final = "no field type"
Writer = Callable[[Any, int], bytes]

_FRAME, _HEADER = Struct(">BHI").pack, Struct(">BHIHHQH").pack
_NEXT: Final = Struct(">BBHI").pack
"""The end byte of a frame, and the head of the next one."""
_PUBLISH: Final = Struct(">HHH").pack(_BASIC, 40, 0)
"""Class, method and reserved-1 of a Basic.Publish."""
_LONG, _SHORT = Struct(">I").pack, Struct(">H").pack
_SIZES: Final = [bytes((size,)) for size in range(256)]


def encode(message: Message) -> bytes:
    """Content header and body frames on channel 1; Basic.Publish before them where exchange or routing key are set.

    Raises EncodeError, whose field names what cannot be written. Frames have up to FRAME_MAX bytes.

    >>> encode(Message(payload=b"hi")).hex()
    '0200010000000e003c000000000000000000020000ce030001000000026869ce'
    """
    method = b""
    if message.exchange is not None or message.routing_key is not None:
        method = _publish(message.exchange or "", message.routing_key or "")
    body = message.payload
    if body.__class__ is not bytes:
        raise EncodeError("bad_value", "not bytes", field="payload")
    basic: Any = message.basic
    if basic.__class__ is not BasicProperties:
        raise EncodeError("wrong_type", "not a BasicProperties", field="basic")
    flags, properties = _property_list(basic)
    size = len(body)
    header = _HEADER(2, 1, 14 + len(properties), _BASIC, 0, size, flags)
    if 0 < size <= FRAME_MAX - 8:  # one frame, as nearly always
        return b"".join((method, header, properties, _NEXT(0xCE, 3, 1, size), body, b"\xce"))
    frames = [method, header, properties, b"\xce"]
    for at in range(0, size, FRAME_MAX - 8):
        part = body[at : at + FRAME_MAX - 8]
        frames += (_FRAME(3, 1, len(part)), part, b"\xce")
    return b"".join(frames)


def _publish(exchange: Any, routing_key: Any) -> bytes:
    """The method frame of a Basic.Publish."""
    sizes = _SIZES
    try:
        name, key = exchange.encode(), routing_key.encode()
        method = b"".join((_PUBLISH, sizes[len(name)], name, sizes[len(key)], key, b"\0"))
    except _UNTRUSTED:
        method = b"".join((_PUBLISH, _named(exchange, "exchange"), _named(routing_key, "routing_key"), b"\0"))
    return b"".join((_FRAME(1, 1, len(method)), method, b"\xce"))


_UNTRUSTED: Final = (AttributeError, IndexError, KeyError, TypeError, ValueError, StructError, EncodeError)
_LONGLONG: Final = Struct(">Q").pack
_LONGSTRS: Final = [b"S" + _LONG(size) for size in range(256)]
"""By size, what stands before a long string of that size."""


def encode_properties(basic: BasicProperties) -> bytes:
    """Property flags and property list; EncodeError, whose field names what cannot be written.

    >>> encode_properties(BasicProperties(delivery_mode=2)).hex()
    '100002'
    """
    flags, properties = _property_list(basic)
    return _SHORT(flags) + properties


def _property_list(basic: BasicProperties) -> tuple[int, bytes]:
    """Flags and list, written straight down, trusting the properties: `sizes[...]` fails for a string of more than 255 bytes
    or a byte out of range, `value.encode` for what is no text. Then `_careful_properties` writes them again.
    """
    flags, sizes = 0, _SIZES
    parts: list[bytes] = []
    value: Any  # of another type in each line
    try:
        if (value := basic.content_type) is not None:
            flags |= 0x8000
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.content_encoding) is not None:
            flags |= 0x4000
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.headers) is not None:
            flags |= 0x2000
            parts.append(_write_table(value, 1))
        if (value := basic.delivery_mode) is not None:
            flags |= 0x1000
            parts.append(sizes[value] if value.__class__ is int and value >= 0 else _write_byte(value, 1))
        if (value := basic.priority) is not None:
            flags |= 0x0800
            parts.append(sizes[value] if value.__class__ is int and value >= 0 else _write_byte(value, 1))
        if (value := basic.correlation_id) is not None:
            flags |= 0x0400
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.reply_to) is not None:
            flags |= 0x0200
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.expiration) is not None:
            flags |= 0x0100
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.message_id) is not None:
            flags |= 0x0080
            raw = value.encode()
            parts.append(sizes[len(raw)])
            parts.append(raw)
        if (value := basic.timestamp) is not None:
            flags |= 0x0040
            parts.append(_LONGLONG(value if value.__class__ is int else None))
        if not (basic.type is basic.user_id is basic.app_id is basic.cluster_id is None):  # seldom set
            for flag, name in _LAST_STRINGS:
                if (value := getattr(basic, name)) is not None:
                    flags |= flag
                    raw = value.encode()
                    parts.append(sizes[len(raw)])
                    parts.append(raw)
    except _UNTRUSTED:
        return _careful_properties(basic)
    return flags, b"".join(parts)


def _careful_properties(basic: BasicProperties) -> tuple[int, bytes]:
    """As above, by the table of writers: every form of text, and the name of the property at fault."""
    flags, bit = 0, 0x8000
    parts: list[bytes] = []
    for name, write in _PROPERTY_WRITERS.items():
        value = getattr(basic, name)
        if value is not None:
            flags |= bit
            try:
                parts.append(write(value, 1))
            except EncodeError as error:
                raise within(error, f"basic.{name}") from None
        bit >>= 1
    return flags, b"".join(parts)


def _named(value: Any, field: str) -> bytes:
    try:
        return _write_shortstr(value, 0)
    except EncodeError as error:
        raise within(error, field) from None


def _write_shortstr(value: Any, _depth: int) -> bytes:
    try:
        raw: bytes = value.encode()
    except UnicodeEncodeError:
        raw = _escaped(value)
    except AttributeError:
        raise EncodeError("bad_value", "not text", field="") from None
    if len(raw) > 255:
        raise EncodeError("bad_value", "longer than 255 bytes", field="")
    return _SIZES[len(raw)] + raw


def _escaped(value: str) -> bytes:
    """The bytes of text that was not UTF-8 (see `_any_text`)."""
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise EncodeError("bad_value", "no text that a short string can hold", field="") from None


def _write_table(table: Any, depth: int) -> bytes:
    """Every entry once: what is written a second time at each level takes 2^100 turns where tables nest."""
    if depth > MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field="")
    if table.__class__ is not list:
        raise EncodeError("bad_value", "not a list", field="")
    sizes, longstrs, numbers = _SIZES, _LONGSTRS, _PACKED
    parts: list[bytes] = []
    key: Any = None
    entry: Entry
    try:
        for entry in table:
            key, type_, value = entry.key, entry.type, entry.value
            try:
                raw = key.encode()
                parts.append(sizes[len(raw)])
            except (AttributeError, IndexError, UnicodeEncodeError):
                raw = _write_shortstr(key, 0)  # which has every form of text, or says what is wrong
            parts.append(raw)
            if type_ == "longstr" and value.__class__ is bytes:  # as below, without the call: most values are text
                size = len(value)
                parts.append(longstrs[size] if size < 256 else _long_head(b"S", size))
                parts.append(value)
            elif type_ in numbers:  # nor here, where the class is the right one
                class_, packed, letter = numbers[type_]
                parts.append(packed(letter, value) if value.__class__ is class_ else _WRITE[type_](value, depth))
            else:
                parts.append(_WRITE[type_](value, depth))
    except EncodeError as error:
        raise within(error, f'["{key}"]') from None
    except (OverflowError, StructError):
        raise within(_bad_value(type_, value), f'["{key}"]') from None
    except (AttributeError, KeyError, TypeError):  # no entry, or none of a known type
        raise bad_entry(table, _WRITE, _NO_TYPE) from None
    raw = b"".join(parts)
    size = len(raw)
    return (_LONG(size) if size <= 0xFFFF_FFFF else _long_head(b"", size)) + raw


def _long_head(letter: bytes, size: int) -> bytes:
    """What stands before bytes of that size: a letter, where there is one, and the size."""
    if size > 0xFFFF_FFFF:
        raise EncodeError("too_large", "4 GiB or more", field="")
    return letter + _LONG(size)


def _write_array(values: Any, depth: int) -> bytes:
    if depth >= MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field="")
    if values.__class__ is not list:
        raise EncodeError("bad_value", "not a list", field="")
    parts: list[bytes] = []
    try:
        for typed in values:
            if typed.__class__ is not TypedValue:
                raise no_typed_value(typed, _NO_TYPE)
            parts.append(_WRITE[typed.type](typed.value, depth + 1))
    except EncodeError as error:
        raise within(error, f"[{len(parts)}]") from None
    except (KeyError, TypeError):
        raise within(no_typed_value(values[len(parts)], _NO_TYPE), f"[{len(parts)}]") from None
    raw = b"".join(parts)
    return _long_head(b"A", len(raw)) + raw


def _bad_value(type_: str, value: Any) -> EncodeError:
    return EncodeError("bad_value", AMQP091_TYPES[type_].fault(value) or f"no {type_} can hold it", field="")


def _number(type_: str) -> Writer:
    class_, packed, letter = _PACKED[type_]

    def write(value: Any, _depth: int) -> bytes:
        if value.__class__ is class_:
            try:
                return packed(letter, value)
            except (StructError, OverflowError):
                pass  # out of range, which _bad_value puts into words
        raise _bad_value(type_, value)

    return write


def _bytes(letter: bytes, type_: str) -> Writer:
    def write(value: Any, _depth: int) -> bytes:
        if value.__class__ is not bytes:
            raise _bad_value(type_, value)
        raw: bytes = _long_head(letter, len(value)) + value
        return raw

    return write


def _write_void(value: Any, _depth: int) -> bytes:
    if value is not None:
        raise _bad_value("void", value)
    return b"V"


def _write_decimal(value: Any, _depth: int) -> bytes:
    if AMQP091_TYPES["decimal"].fault(value) is not None:
        raise _bad_value("decimal", value)
    raw: bytes = b"D" + _SIZES[value.scale] + _LONG(value.value)
    return raw


_PACKED: Final[dict[str, tuple[type, Callable[..., bytes], bytes]]] = {
    name: (float if name in ("float", "double") else int, Struct(f">c{layout[1:]}").pack, bytes((letter,)))
    for letter, (name, layout) in _NUMBERS.items()
    if letter != ord("L")  # read as l, which is what is written
} | {
    "bool": (bool, Struct(">c?").pack, b"t"),
    "float": (float, lambda letter, value: letter + single_of_float(value), b"f"),
}
"""By type of numbers, the class of the values, their writer and the letter that it is given first."""
_WRITE: Final[dict[str, Writer]] = {
    **{name: _number(name) for name in _PACKED},
    "longstr": _bytes(b"S", "longstr"),
    "binary": _bytes(b"x", "binary"),
    "void": _write_void,
    "decimal": _write_decimal,
    "table": lambda value, depth: b"F" + _write_table(value, depth + 1),
    "array": _write_array,
}


def _write_byte(value: Any, _depth: int) -> bytes:
    if value.__class__ is not int or not 0 <= value <= 255:
        raise EncodeError("bad_value", "no value of type octet", field="")
    return _SIZES[value]


def _write_timestamp(value: Any, depth: int) -> bytes:
    return _WRITE["timestamp"](value, depth)[1:]


_DOMAINS: Final[dict[str, Writer]] = {
    "shortstr": _write_shortstr,
    "table": _write_table,
    "octet": _write_byte,
    "timestamp": _write_timestamp,
}
_PROPERTY_WRITERS: Final = {field.name: _DOMAINS[field.metadata["types"][0]] for field in fields(BasicProperties)}

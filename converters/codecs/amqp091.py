"""AMQP 0.9.1 contents: an optional method frame, the content header frame, body frames (sections 2.3.5 and 4.2).

Field-table letters are RabbitMQ's (rabbit_binary_parser and the errata page): t b B s u I i l L f d D S x A T F V.
"""

from collections.abc import Callable
from struct import Struct
from struct import error as StructError  # noqa: N812 - a class under a lower-case name
from typing import Any

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.messages.amqp091 import BasicProperties, Message
from mqconvert.converters.values import AMQP091_FIELD_TYPES, MAX_DEPTH, Decimal091, Table, TypedValue

FRAME_MAX = 131_072
"""The largest frame that is written, RabbitMQ's default; frames of any size are read."""

_FRAME = Struct(">BHI")
_HEADER = Struct(">HHQ")
_METHOD = Struct(">HH")
_SHORT, _LONG, _LONGLONG = Struct(">H"), Struct(">I"), Struct(">Q")
_BASIC = 60
_METHODS = {40: 2, 50: 2, 60: None, 71: 9}
"""Basic.Publish, Return, Deliver, GetOk: octets before the exchange name (Deliver has a consumer tag before)."""


def decode(data: bytes) -> Message:
    """The one content that `data` holds; DecodeError with kind and offset for anything else.

    >>> decode(bytes.fromhex("02000100 0000 0e 003c 0000 0000000000000000 0000 ce".replace(" ", ""))).payload
    b''
    """
    message, end = _content(data, 0)
    if end != len(data):
        raise DecodeError("trailing_bytes", f"{len(data) - end} octets after the content", offset=end)
    return message


def decode_all(data: bytes) -> list[Message]:
    """Every content of a row of them, at least one."""
    messages: list[Message] = []
    at = 0
    while at < len(data) or not messages:
        message, at = _content(data, at)
        messages.append(message)
    return messages


def encode(message: Message) -> bytes:
    """Content header and body frames on channel 1; Basic.Publish before them where exchange or routing key are set.

    >>> encode(Message(payload=b"hi")).hex()
    '0200010000000e003c000000000000000000020000ce030001000000026869ce'
    """
    frames = []
    if message.exchange is not None or message.routing_key is not None:
        names = _shortstr(message.exchange or "", "exchange") + _shortstr(message.routing_key or "", "routing_key")
        frames.append(_frame(1, _METHOD.pack(_BASIC, 40) + b"\0\0" + names + b"\0"))
    body = message.payload
    if body.__class__ is not bytes:
        raise EncodeError("bad_value", "not octets", field="payload")
    frames.append(_frame(2, _HEADER.pack(_BASIC, 0, len(body)) + encode_properties(message.basic)))
    step = FRAME_MAX - 8
    frames.extend(_frame(3, body[at : at + step]) for at in range(0, len(body), step))
    return b"".join(frames)


def _frame(kind: int, payload: bytes) -> bytes:
    return _FRAME.pack(kind, 1, len(payload)) + payload + b"\xce"


def _next_frame(data: bytes, at: int) -> tuple[int, int, int, int]:
    """Kind, channel, start and end of the payload of the frame at `at`."""
    if at + 7 > len(data):
        raise DecodeError("truncated", "a frame ends early", offset=at)
    kind, channel, size = _FRAME.unpack_from(data, at)
    end = at + 7 + size
    if end >= len(data):
        raise DecodeError("truncated", f"a frame of {size} octets ends early", offset=at)
    if data[end] != 0xCE:
        raise DecodeError("bad_frame", "a frame without its end octet 0xCE", offset=end)
    return kind, channel, at + 7, end


def _content(data: bytes, at: int) -> tuple[Message, int]:
    kind, channel, start, end = _next_frame(data, at)
    exchange = routing_key = None
    if kind == 1:
        exchange, routing_key = _method(data, start, end)
        at = end + 1
        kind, same, start, end = _next_frame(data, at)
        _check_channel(channel, same, at)
    if kind != 2:
        raise DecodeError("bad_frame", f"a frame of type {kind} where a content header is due", offset=at)
    if end - start < 14:
        raise DecodeError("truncated", "a content header ends early", offset=start)
    class_id, _, size = _HEADER.unpack_from(data, start)
    if class_id != _BASIC:
        raise DecodeError("bad_frame", f"class {class_id} is not Basic", offset=start)
    basic = _read_properties(data, start + 12, end)
    payload, after = _body(data, end + 1, size, channel)
    return Message(basic, payload, exchange, routing_key), after


def _check_channel(channel: int, same: int, at: int) -> None:
    if channel != same:
        raise DecodeError("bad_frame", f"channel {same} within a content of channel {channel}", offset=at)


def _body(data: bytes, at: int, size: int, channel: int) -> tuple[bytes, int]:
    parts = []
    missing = size
    while missing:
        kind, same, start, end = _next_frame(data, at)
        _check_channel(channel, same, at)
        if kind != 3:
            raise DecodeError("bad_frame", f"a frame of type {kind} where a body is due", offset=at)
        missing -= end - start
        if missing < 0:
            raise DecodeError("bad_length", f"the body is longer than the {size} octets announced", offset=at)
        parts.append(data[start:end])
        at = end + 1
    return parts[0] if len(parts) == 1 else b"".join(parts), at


def _method(data: bytes, at: int, end: int) -> tuple[str, str]:
    """Exchange and routing key of the four methods that carry content."""
    if at + 4 > end:
        raise DecodeError("truncated", "a method frame ends early", offset=at)
    class_id, method = _METHOD.unpack_from(data, at)
    if class_id != _BASIC or method not in _METHODS:
        raise DecodeError("bad_frame", f"method {class_id}.{method} carries no content", offset=at)
    at += 4
    skip = _METHODS[method]
    if method == 50:
        _, at = _read_shortstr(data, at + 2, end)
    elif skip is None:
        _, at = _read_shortstr(data, at, end)
        at += 9
    else:
        at += skip
    exchange, at = _read_shortstr(data, at, end)
    routing_key, at = _read_shortstr(data, at, end)
    rest = {40: 1, 50: 0, 60: 0, 71: 4}[method]
    if at + rest != end:
        raise DecodeError("bad_length", "a method frame of the wrong length", offset=at)
    return exchange, routing_key


def _read_shortstr(data: bytes, at: int, end: int) -> tuple[str, int]:
    if at >= end:
        raise DecodeError("truncated", "a short string ends early", offset=at)
    after = at + 1 + data[at]
    if after > end:
        raise DecodeError("truncated", "a short string ends early", offset=at)
    octets = data[at + 1 : after]
    try:
        return str(octets, "utf-8"), after
    except UnicodeDecodeError:
        return str(octets, "utf-8", "surrogateescape"), after


# ---- properties (section 4.2.6.1) ---------------------------------------------------------------------------------------

_NAMES = BasicProperties.__slots__
_HEADERS, _OCTETS, _TIMESTAMP = 2, (3, 4), 9


def decode_properties(data: bytes) -> BasicProperties:
    """Property flags and property list, as they stand in a content header.

    >>> decode_properties(bytes.fromhex("100002")).delivery_mode
    2
    """
    return _read_properties(data, 0, len(data))


def _read_properties(data: bytes, at: int, end: int) -> BasicProperties:
    if at + 2 > end:
        raise DecodeError("truncated", "no property flags", offset=at)
    flags = _SHORT.unpack_from(data, at)[0]
    if flags & 0x0003:
        raise DecodeError("bad_flags", f"unknown property flags 0x{flags & 3:04x}", offset=at)
    at += 2
    values: list[Any] = [None] * 14
    for index in range(14):
        if not flags & 0x8000 >> index:
            continue
        if index == _HEADERS:
            values[index], at = _read_table(data, at, end, 1)
        elif index in _OCTETS:
            if at >= end:
                raise DecodeError("truncated", "a property ends early", offset=at, field=f"basic.{_NAMES[index]}")
            values[index] = data[at]
            at += 1
        elif index == _TIMESTAMP:
            if at + 8 > end:
                raise DecodeError("truncated", "a property ends early", offset=at, field="basic.timestamp")
            values[index] = _LONGLONG.unpack_from(data, at)[0]
            at += 8
        else:
            values[index], at = _read_shortstr(data, at, end)
    if at != end:
        raise DecodeError("trailing_bytes", f"{end - at} octets after the properties", offset=at)
    return BasicProperties(*values)


def encode_properties(basic: BasicProperties) -> bytes:
    """Property flags and property list.

    >>> encode_properties(BasicProperties(delivery_mode=2)).hex()
    '100002'
    """
    flags = 0
    parts = [b""]
    for index, name in enumerate(_NAMES):
        value = getattr(basic, name)
        if value is None:
            continue
        flags |= 0x8000 >> index
        field = f"basic.{name}"
        if index == _HEADERS:
            parts.append(_table(value, field, 1))
        elif index in _OCTETS or index == _TIMESTAMP:
            parts.append(_packed("octet" if index in _OCTETS else "timestamp", value, field))
        else:
            parts.append(_shortstr(value, field))
    parts[0] = _SHORT.pack(flags)
    return b"".join(parts)


def _shortstr(value: str, field: str) -> bytes:
    try:
        octets = value.encode("utf-8", "surrogateescape")
    except (UnicodeEncodeError, AttributeError):
        raise EncodeError("bad_value", "no text that a short string can hold", field=field) from None
    if len(octets) > 255:
        raise EncodeError("bad_value", "longer than 255 octets", field=field)
    return bytes((len(octets),)) + octets


# ---- field tables (section 4.2.5.5) -----------------------------------------------------------------------------------

_NUMBERS = {
    ord("b"): ("byte", Struct(">b")),
    ord("B"): ("unsignedbyte", Struct(">B")),
    ord("s"): ("short", Struct(">h")),
    ord("u"): ("unsignedshort", Struct(">H")),
    ord("I"): ("signedint", Struct(">i")),
    ord("i"): ("unsignedint", Struct(">I")),
    ord("l"): ("long", Struct(">q")),
    ord("L"): ("long", Struct(">q")),
    ord("f"): ("float", Struct(">f")),
    ord("d"): ("double", Struct(">d")),
    ord("T"): ("timestamp", Struct(">Q")),
}
_PACKERS = {name: (bytes((letter,)), packer) for letter, (name, packer) in _NUMBERS.items() if letter != ord("L")}
_PACKERS["octet"] = (b"", Struct(">B"))


def _read_table(data: bytes, at: int, end: int, depth: int) -> tuple[Table, int]:
    at, stop = _sized(data, at, end, depth)
    table: Table = []
    while at < stop:
        key, at = _read_shortstr(data, at, stop)
        value, at = _read_value(data, at, stop, depth)
        table.append((key, value))
    return table, at


def _sized(data: bytes, at: int, end: int, depth: int) -> tuple[int, int]:
    if depth > MAX_DEPTH:
        raise DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)
    if at + 4 > end:
        raise DecodeError("truncated", "a length ends early", offset=at)
    stop = at + 4 + _LONG.unpack_from(data, at)[0]
    if stop > end:
        raise DecodeError("truncated", "a field value ends early", offset=at)
    return at + 4, stop


def _read_value(data: bytes, at: int, end: int, depth: int) -> tuple[TypedValue, int]:
    if at >= end:
        raise DecodeError("truncated", "a field value ends early", offset=at)
    letter = data[at]
    if letter in (0x53, 0x78):  # S, x
        start, stop = _sized(data, at + 1, end, 0)
        return TypedValue("longstr" if letter == 0x53 else "binary", data[start:stop]), stop
    number = _NUMBERS.get(letter)
    if number is not None:
        name, packer = number
        if at + 1 + packer.size > end:
            raise DecodeError("truncated", "a field value ends early", offset=at)
        return TypedValue(name, packer.unpack_from(data, at + 1)[0]), at + 1 + packer.size
    reader = _READERS.get(letter)
    if reader is None:
        raise DecodeError("unknown_type", f"field type 0x{letter:02x}", offset=at)
    return reader(data, at + 1, end, depth)


def _read_bool(data: bytes, at: int, end: int, _depth: int) -> tuple[TypedValue, int]:
    if at >= end:
        raise DecodeError("truncated", "a field value ends early", offset=at)
    return TypedValue("bool", data[at] != 0), at + 1


def _read_decimal(data: bytes, at: int, end: int, _depth: int) -> tuple[TypedValue, int]:
    if at + 5 > end:
        raise DecodeError("truncated", "a decimal ends early", offset=at)
    return TypedValue("decimal", Decimal091(data[at], _LONG.unpack_from(data, at + 1)[0])), at + 5


def _read_void(_data: bytes, at: int, _end: int, _depth: int) -> tuple[TypedValue, int]:
    return TypedValue("void", None), at


def _read_array(data: bytes, at: int, end: int, depth: int) -> tuple[TypedValue, int]:
    at, stop = _sized(data, at, end, depth + 1)
    values = []
    while at < stop:
        value, at = _read_value(data, at, stop, depth + 1)
        values.append(value)
    return TypedValue("array", values), at


def _read_inner_table(data: bytes, at: int, end: int, depth: int) -> tuple[TypedValue, int]:
    table, at = _read_table(data, at, end, depth + 1)
    return TypedValue("table", table), at


_READERS: dict[int, Callable[[bytes, int, int, int], tuple[TypedValue, int]]] = {
    ord("t"): _read_bool,
    ord("D"): _read_decimal,
    ord("V"): _read_void,
    ord("A"): _read_array,
    ord("F"): _read_inner_table,
}


def _table(table: Table, field: str, depth: int) -> bytes:
    if depth > MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    parts = []
    for key, value in table:
        inner = f'{field}["{key}"]'
        parts.append(_shortstr(key, inner))
        parts.append(_value(value, inner, depth))
    octets = b"".join(parts)
    return _LONG.pack(len(octets)) + octets


def _packed(type_: str, value: Any, field: str) -> bytes:
    letter, packer = _PACKERS[type_]
    try:
        return letter + packer.pack(value) if type_ != "timestamp" or field.endswith("]") else packer.pack(value)
    except (StructError, OverflowError):
        raise EncodeError("bad_value", f"no value of type {type_}", field=field) from None


def _value(typed: TypedValue, field: str, depth: int) -> bytes:
    type_, value = typed.type, typed.value
    known = AMQP091_FIELD_TYPES.get(type_)
    if known is None:
        raise EncodeError("unknown_type", f"no field type {type_}", field=field)
    fault = known.fault(value)
    if fault is not None:
        raise EncodeError("bad_value", fault, field=field)
    if type_ in ("longstr", "binary"):
        octets: bytes = value
        return (b"S" if type_ == "longstr" else b"x") + _LONG.pack(len(octets)) + octets
    if type_ in _PACKERS:
        return _packed(type_, value, field)
    if type_ == "bool":
        return b"t\x01" if value else b"t\x00"
    if type_ == "void":
        return b"V"
    if type_ == "decimal":
        return b"D" + bytes((value.scale,)) + _LONG.pack(value.value)
    if type_ == "table":
        return b"F" + _table(value, field, depth + 1)
    if depth >= MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    inner_octets = b"".join([_value(inner, f"{field}[{index}]", depth + 1) for index, inner in enumerate(value)])
    return b"A" + _LONG.pack(len(inner_octets)) + inner_octets

"""AMQP 0.9.1 contents: an optional method frame, the content header frame, body frames (sections 2.3.5 and 4.2).

Field-table letters are RabbitMQ's (rabbit_binary_parser and the errata page): t b B s u I i l L f d D S x A T F V. The grammar
of section 4.2.1 writes a short as U; AMQP-CPP does, so U is read as well.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from typing import Any, Final

import mqconvert.converters.protocols.amqp091.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.model.entries import bad_entry, no_typed_value, too_deep, too_large, within
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import (
    SIZES,
    UNFIT,
    UNWRITABLE,
    Writer,
    ended,
    put_size,
    read_i64,
    read_u16,
    read_u32,
    write_from,
    write_i64,
    write_text8,
    write_u32,
)
from mqconvert.converters.model.sequences import in_sequence, listed, one_or_error, the_only
from mqconvert.converters.model.values import (
    MAX_DEPTH,
    Entry,
    Table,
    TypedValue,
)
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES

FRAME_MAX: Final = 131_072
"""Maximum size of written body frames in bytes, RabbitMQ's default; a content header is one frame (section 4.2.6.1).

Frames of any size are read.
"""

MAX_FRAMES: Final = 1_000_000
"""Maximum number of frames of a stream, by default."""

_BASIC: Final = 60
METHODS: Final = {40: (2, False, 0, 1), 50: (2, True, 0, 0), 60: (0, True, 9, 0), 71: (9, False, 0, 4)}
"""Basic.Publish, Return, Deliver, GetOk: bytes, whether a short string and the number of bytes before the exchange name
(reply code and text; consumer tag, delivery tag and redelivered), and bytes after the routing key.
"""

# ---- frames (section 2.3.5) -------------------------------------------------------------------------------------------
#
# Readers do not check that the bytes exist. If they are missing, indexing or unpacking fails, or a slice is short and `at` lies
# beyond its end. Both become "truncated", which saves a check for each value. A frame begins with its type (1 byte), channel
# (2) and size (4). One read takes them and the byte after them.


def decode(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Message:
    """Return the one content in `data`; DecodeError with kind and offset otherwise. Options as for `decode_all`.

    >>> decode(bytes.fromhex("02000100 0000 0e 003c 0000 0000000000000000 0000 ce".replace(" ", ""))).payload
    b''
    """
    if stream:
        return the_only(_stream(data, max_frames))
    message, end = _content(data, 0)
    if end != len(data):
        raise DecodeError("trailing_bytes", f"{len(data) - end} bytes after the content", offset=end)
    return message


def decode_each(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Iterator[Message | DecodeError | None]:
    """Yield the messages of a sequence of contents, at least one, and the DecodeError of an invalid one in whole frames.

    `stream` reads all frames that one side of a connection sent, and yields None for those without a message: methods such as
    Basic.Ack, heartbeats, the protocol header. Contents of several channels may interleave. There may be no message.
    `max_frames` limits the frames of a stream.

    >>> heartbeat, ack = bytes.fromhex("08000000000000ce"), bytes.fromhex("0100010000000d003c0050000000000000000100ce")
    >>> content = encode(Message(payload=b"hi"))
    >>> [message.payload for message in decode_all(heartbeat + content + ack, stream=True)]
    [b'hi']
    """
    return _stream(data, max_frames) if stream else in_sequence(partial(one_or_error, _content, _behind_content), data)


decode_all = listed(decode_each)


def _content(data: bytes, at: i64) -> tuple[Message, i64]:
    end: i64
    size: i64
    channel: i64
    after: i64
    try:
        exchange, routing_key, at, end, size, channel = opened(data, at)
        basic = _read_properties(data, at, end, data[at - 2] << 8 | data[at - 1])
        payload, after = read_body(data, end + 1, size, channel)
    except (IndexError, StructError):
        raise DecodeError("truncated", "the input ends within a frame", offset=len(data)) from None
    return Message(basic, payload, exchange, routing_key), after


def opened(data: bytes, at: i64) -> tuple[str | None, str | None, i64, i64, i64, i64]:
    """Return what stands before the properties of the content at an offset.

    These are exchange, routing key, the offsets of the property list and of its end, the size of the body and the channel.
    Bytes that are missing raise IndexError or struct.error.
    """
    exchange = routing_key = None
    head: i64 = read_i64(data, at)
    channel: i64 = head >> 40 & 0xFFFF
    end: i64 = at + 7 + (head >> 8 & 0xFFFF_FFFF)
    if data[end] != 0xCE:
        raise _no_end(end)
    if data[at] == 1:
        exchange, routing_key = _read_method(data, at + 7, end)
        at = end + 1
        head = read_i64(data, at)
        end = at + 7 + (head >> 8 & 0xFFFF_FFFF)
        if data[end] != 0xCE:
            raise _no_end(end)
        if head >> 40 & 0xFFFF != channel:
            raise _other_channel(channel, head, at)
    if data[at] != 2:
        raise DecodeError("bad_frame", f"a frame of type {data[at]} where a content header is due", offset=at)
    return exchange, routing_key, at + 21, end, _size_in(data, at, end), channel


def _size_in(data: bytes, at: i64, end: i64) -> i64:
    """Return the size of the body, from the content header frame at an offset."""
    if end < at + 21:
        raise DecodeError("truncated", "a content header ends early", offset=at + 7)
    if data[at + 8] != _BASIC or data[at + 7]:
        raise DecodeError("bad_frame", f"class {read_u16(data, at + 7)} is not Basic", offset=at + 7)
    size: i64 = read_i64(data, at + 11)
    return size if 0 <= size < _MOST else _MOST


@dataclass(slots=True)
class _Content:
    """A content of one channel of a stream, up to its last frame so far."""

    at: int
    """The offset of its first frame."""
    exchange: str | None = None
    routing_key: str | None = None
    basic: BasicProperties | None = None
    """The properties, after the header."""
    missing: int = 0
    parts: list[bytes] = field(default_factory=list)

    def unfinished(self, channel: int) -> DecodeError:
        left = "its header" if self.basic is None else f"{self.missing} bytes of its body"
        return DecodeError("truncated", f"an unfinished message on channel {channel}: {left} missing", offset=self.at)


def _stream(data: bytes, max_frames: int) -> Iterator[Message | None]:
    """Yield the messages of one side of a connection, and None for a frame without one.

    A broken frame ends the stream, and so does a message that is unfinished at the end or before another method.
    """
    contents: dict[int, _Content] = {}
    at = frames = 0
    if data.startswith(_PROTOCOL_HEADER):
        yield None
        at = len(_PROTOCOL_HEADER)
    while at < len(data):
        frames += 1
        if frames > max_frames:
            raise LimitError("too_many", f"more than {max_frames} frames", limit="max_frames", offset=at)
        kind, channel, end = _frame(data, at)
        if kind == _HEARTBEAT:
            yield None
        elif kind == 1:
            if channel in contents:
                raise contents[channel].unfinished(channel)
            if end >= at + 11 and read_u16(data, at + 7) == _BASIC and read_u16(data, at + 9) in METHODS:
                contents[channel] = _content_of(data, at, end)
            else:
                yield None
        else:
            content = _continued(data, at, kind, end, contents.get(channel))
            contents[channel] = content
            if content.basic is not None and not content.missing:
                del contents[channel]
                yield Message(content.basic, b"".join(content.parts), content.exchange, content.routing_key)
        at = end + 1
    for channel, content in contents.items():
        raise content.unfinished(channel)


def _content_of(data: bytes, at: int, end: int) -> _Content:
    """Return the content that the method frame at `at` begins."""
    try:
        exchange, routing_key = _read_method(data, at + 7, end)
    except (IndexError, StructError):
        raise _ends_early("a method frame", end) from None
    return _Content(at, exchange, routing_key)


def _frame(data: bytes, at: int) -> tuple[int, int, int]:
    """Return type and channel of the frame at `at`, and the offset of its end byte."""
    if at + 8 > len(data):
        raise DecodeError("truncated", "the input ends within a frame", offset=at)
    if data[at] not in (1, 2, 3, _HEARTBEAT):
        raise DecodeError("unknown_frame_type", f"a frame of type {data[at]}", offset=at)
    end = at + 7 + read_u32(data, at + 3)
    if end >= len(data):
        raise DecodeError("truncated", "the input ends within a frame", offset=at)
    if data[end] != 0xCE:
        raise _no_end(end)
    return data[at], read_u16(data, at + 1), end


def _behind_content(data: bytes, at: int) -> int:
    """Return the offset behind the method, header and body frames of a content that may be invalid; DecodeError for others."""
    kind, _, end = _frame(data, at)
    if kind == 1:
        at = end + 1
        kind, _, end = _frame(data, at)
    if kind != 2:
        raise DecodeError("bad_frame", "no content header", offset=at)
    while end + 1 < len(data) and data[end + 1] == 3:
        end = _frame(data, end + 1)[2]
    return end + 1


def _continued(data: bytes, at: int, kind: int, end: int, content: _Content | None) -> _Content:
    """Return the content of a channel with a header or body frame added; a header without a method begins one."""
    if kind == 2 and (content is None or content.basic is None):
        content = _Content(at) if content is None else content
        try:
            content.missing = _size_in(data, at, end)
            content.basic = _read_properties(data, at + 21, end, data[at + 19] << 8 | data[at + 20])
        except (IndexError, StructError):
            raise _ends_early("a content header", end) from None
        return content
    if kind == 2 or content is None or content.basic is None:
        due = "a body" if kind == 2 else "a content header"
        raise DecodeError("bad_frame", f"a frame of type {kind} where {due} is due", offset=at)
    content.missing -= end - at - 7
    if content.missing < 0:
        raise DecodeError("bad_length", f"the body is {-content.missing} bytes longer than announced", offset=at)
    content.parts.append(data[at + 7 : end])
    return content


_HEARTBEAT: Final = 8
_PROTOCOL_HEADER: Final = b"AMQP\x00\x00\x09\x01"


def _no_end(at: i64) -> DecodeError:
    return DecodeError("bad_frame", "a frame without its end byte 0xCE", offset=at)


def _other_channel(channel: i64, head: i64, at: i64) -> DecodeError:
    words = f"channel {head >> 40 & 0xFFFF} within a content of channel {channel}"
    return DecodeError("bad_frame", words, offset=at)


def _ends_early(what: str, at: i64) -> DecodeError:
    return DecodeError("truncated", f"{what} ends early", offset=at)


_MOST: Final = 2**62
"""Larger body sizes are read as this one: no input reaches it, and 64 signed bits hold it."""


def read_body(data: bytes, at: i64, missing: i64, channel: i64) -> tuple[bytes, i64]:
    """Return the payload in the body frames at an offset, and the offset behind them."""
    if not missing:
        return b"", at
    head: i64 = read_i64(data, at)
    size: i64 = head >> 8 & 0xFFFF_FFFF
    end: i64 = at + 7 + size
    if size == missing and head >> 40 == 3 << 16 | channel and data[end] == 0xCE:
        return data[at + 7 : end], end + 1  # one frame holds most bodies
    parts: list[bytes] = []
    while missing:
        head = read_i64(data, at)
        size = head >> 8 & 0xFFFF_FFFF
        end = at + 7 + size
        if data[end] != 0xCE:
            raise _no_end(end)
        if head >> 40 & 0xFFFF != channel:
            raise _other_channel(channel, head, at)
        if data[at] != 3:
            raise DecodeError("bad_frame", f"a frame of type {data[at]} where a body is due", offset=at)
        missing -= size
        if missing < 0:
            raise DecodeError("bad_length", f"the body is {-missing} bytes longer than announced", offset=at)
        parts.append(data[at + 7 : end])
        at = end + 1
    return b"".join(parts), at


def _read_method(data: bytes, at: i64, end: i64) -> tuple[str, str]:
    """Return exchange and routing key of one of the four methods that carry content."""
    if at + 4 > end:
        raise _ends_early("a method frame", at)
    class_id, method = read_u16(data, at), read_u16(data, at + 2)
    if class_id != _BASIC or method not in METHODS:
        raise DecodeError("bad_frame", f"method {class_id}.{method} carries no content", offset=at)
    exchange, at = _read_shortstr(data, exchange_at(data, at, end), end)
    routing_key, at = _read_shortstr(data, at, end)
    if at + METHODS[method][3] != end:
        raise DecodeError("bad_length", "a method frame of the wrong length", offset=at)
    return exchange, routing_key


def exchange_at(data: bytes, at: i64, end: i64) -> i64:
    """Return the offset of the exchange in the method at an offset, which ends at `end`."""
    first, text, more, _ = METHODS[read_u16(data, at + 2)]
    at += 4 + first
    return more + (_read_shortstr(data, at, end)[1] if text else at)


def _read_shortstr(data: bytes, at: i64, end: i64) -> tuple[str, i64]:
    after: i64 = at + 1 + data[at]
    if after > end:
        raise _ends_early("a short string", at)
    return data[at + 1 : after].decode("utf-8", "surrogateescape"), after


# ---- reading properties (section 4.2.6.1) -----------------------------------------------------------------------------
#
# A short string may be any bytes: invalid UTF-8 becomes lone surrogates (PEP 383).


def decode_properties(data: bytes) -> BasicProperties:
    """Return the properties of a content header's flags and list; DecodeError with kind and offset.

    >>> decode_properties(bytes.fromhex("100002")).delivery_mode
    2
    """
    try:
        return _read_properties(data, 2, len(data), data[0] << 8 | data[1])
    except (IndexError, StructError):
        raise _ends_early("the property list", len(data)) from None


def _read_properties(data: bytes, at: i64, end: i64, flags: i64) -> BasicProperties:
    """Read the property list."""
    if flags & 0x0003:
        raise DecodeError("bad_flags", f"unknown property flags 0x{flags & 3:04x}", offset=at - 2)
    basic = BasicProperties()
    at = printed.read_properties(basic, data, at, end, flags)
    if at != end:
        if at > end:
            raise _ends_early("the property list", end)
        raise DecodeError("trailing_bytes", f"{end - at} bytes after the properties", offset=at)
    return basic


# ---- reading field tables (section 4.2.5.5) ---------------------------------------------------------------------------


def read_table(data: bytes, at: i64, end: i64, depth: i64) -> tuple[Table, i64]:
    """Return the field table at an offset, and the offset behind it."""
    if depth > MAX_DEPTH:
        raise _too_deep(at)
    stop: i64 = at + 4 + read_u32(data, at)
    if stop > end:
        raise _ends_early("a table", at)
    at += 4
    table: Table = []
    while at < stop:
        key, type_, value, at = read_entry(data, at, stop, depth)
        table.append(Entry(key, type_, value))
    if at != stop:
        raise _ends_early("a field", stop)
    return table, at


def read_entry(data: bytes, at: i64, end: i64, depth: i64) -> tuple[str, str, object, i64]:
    """Return key, type and value of the entry at an offset, and the offset behind it."""
    value_at: i64 = at + 1 + data[at]
    key = data[at + 1 : value_at].decode("utf-8", "surrogateescape")
    type_, value, after = printed.read_value(data[value_at], data, value_at + 1, end, depth)
    return key, type_, value, after


def read_array(data: bytes, at: i64, end: i64, depth: i64) -> tuple[list[TypedValue], i64]:
    """Return the field array at an offset, and the offset behind it."""
    if depth > MAX_DEPTH:
        raise _too_deep(at)
    stop: i64 = at + 4 + read_u32(data, at)
    if stop > end:
        raise _ends_early("an array", at)
    at += 4
    values: list[TypedValue] = []
    while at < stop:
        type_, value, at = printed.read_value(data[at], data, at + 1, stop, depth)
        values.append(TypedValue(type_, value))
    if at != stop:
        raise _ends_early("a field value", stop)
    return values, at


def _too_deep(at: i64) -> DecodeError:
    return DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)


def unknown_code(letter: i64, at: i64) -> DecodeError:
    """Return the error of a letter that stands for no type."""
    return DecodeError("unknown_type", f"unknown field type 0x{letter:02x}", offset=at)


# ---- writing ------------------------------------------------------------------------------------------------------------
#
# Writers append to one buffer without checks, and fill sizes in afterwards. An invalid value raises an EncodeError. Each level
# adds its part to the field of the error, so that valid values need no path.

_NO_TYPE: Final = "no field type"
_TYPES: Final = frozenset(name for name, type_ in AMQP091_TYPES.items() if type_.in_entries)
"""The Python types of values in tables and arrays."""

_HEADER: Final = b"\x02\x00\x01"
"""The first bytes of a content header frame on channel 1."""
_CLASS: Final = bytes((0, _BASIC, 0, 0))
"""Class and weight of a content header."""
_IN_FRAME: Final = FRAME_MAX - 8
"""The bytes of a body that one frame holds."""
_NEXT: Final = b"\xce\x03\x00\x01"
"""The end byte of a frame, and the first bytes of a body frame, up to its size."""
_END: Final = b"\xce"
_PUBLISH: Final = bytes((0, _BASIC, 0, 40, 0, 0))
"""Class, method and reserved-1 of a Basic.Publish."""


def encode(message: Message) -> bytes:
    """Return content header and body frames on channel 1, after a Basic.Publish where exchange or routing key are set.

    Raises EncodeError for the field that cannot be written. Body frames have up to FRAME_MAX bytes.

    >>> encode(Message(payload=b"hi")).hex()
    '0200010000000e003c000000000000000000020000ce030001000000026869ce'
    """
    basic: Any = message.basic
    out = Writer()
    start: i64 = begin(out, message.exchange, message.routing_key, message.payload)
    if type(basic) is not BasicProperties:
        raise EncodeError("wrong_type", "not a BasicProperties", field="basic")
    printed.write_properties(out, basic)
    return finished(out, start, message.payload)


def begin(out: Writer, exchange: object, routing_key: object, payload: object) -> i64:
    """Write what stands before the properties of a content, and return the place of the size of the content header."""
    if exchange is not None or routing_key is not None:
        _write_publish(out, "" if exchange is None else exchange, "" if routing_key is None else routing_key)
    if type(payload) is not bytes:
        raise EncodeError("bad_value", "not bytes", field="payload")
    out.write(_HEADER)
    start: i64 = len(out)
    out.write(b"\0\0\0\0")
    out.write(_CLASS)
    write_i64(out, len(payload))
    return start


def finished(out: Writer, start: i64, payload: bytes) -> bytes:
    """Return a content with what stands behind its properties: the size of the content header, and the body frames."""
    put_size(out, start)
    size: i64 = len(payload)
    at: i64 = 0
    while size - at > _IN_FRAME:
        out.write(_NEXT)
        write_u32(out, _IN_FRAME)
        out.write(payload[at : at + _IN_FRAME])
        at += _IN_FRAME
    if size:
        out.write(_NEXT)
        write_u32(out, size - at)
    return ended(out, payload[at:] if at else payload, _END)


def _write_publish(out: Writer, exchange: object, routing_key: object) -> None:
    """Write the method frame of a Basic.Publish."""
    out.write(b"\x01\x00\x01")
    start: i64 = len(out)
    out.write(b"\0\0\0\0")
    out.write(_PUBLISH)
    for name, value in (("exchange", exchange), ("routing_key", routing_key)):
        try:
            write_shortstr(out, value)
        except EncodeError as error:
            raise within(error, name) from None
    out.write(b"\0")
    put_size(out, start)
    out.write(_END)


def encode_properties(basic: BasicProperties) -> bytes:
    """Return property flags and property list; EncodeError names the field that cannot be written.

    >>> encode_properties(BasicProperties(delivery_mode=2)).hex()
    '100002'
    """
    out = Writer()
    printed.write_properties(out, basic)
    return out.getvalue()


def write_shortstr(out: Writer, value: Any) -> None:
    """Write a short string in any form of text, also of bytes that were not UTF-8; EncodeError."""
    if not isinstance(value, str):
        raise EncodeError("bad_value", "not text", field="")
    try:
        encoded = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise EncodeError("bad_value", "not valid text for a short string", field="") from None
    if len(encoded) > 255:
        raise EncodeError("bad_value", "longer than 255 bytes", field="")
    out.write(SIZES[len(encoded)])
    out.write(encoded)


def write_table(out: Writer, table: object, depth: i64) -> None:
    """Write every entry once: writing twice at each level would take 2^100 turns for nested tables."""
    if depth > MAX_DEPTH:
        raise too_deep()
    if type(table) is not list:
        raise EncodeError("bad_value", "not a list", field="")
    start: i64 = len(out)
    out.write(b"\0\0\0\0")
    key: Any = None
    entry: Entry
    try:
        for entry in table:
            key = entry.key
            write_entry(out, key, entry.type, entry.value, depth)
    except EncodeError as error:
        raise within(error, f'["{key}"]') from None
    except (AttributeError, KeyError, TypeError):  # not an entry, or one of an unknown type
        raise bad_entry(table, _TYPES, _NO_TYPE) from None
    _put_size(out, start)


def write_entry(out: Writer, key: Any, type_: str, value: Any, depth: i64) -> None:
    """Write an entry of a table."""
    try:
        write_text8(out, key)
    except UNWRITABLE:
        write_shortstr(out, key)  # raises the exact error, or writes another form of text
    printed.write_value(out, type_, value, depth)


def write_entries(out: Writer, entries: Writer) -> None:
    """Write a table with entries that were written before."""
    start: i64 = len(out)
    out.write(b"\0\0\0\0")
    write_from(out, entries)
    _put_size(out, start)


def write_array(out: Writer, values: object, depth: i64) -> None:
    """Write a field array; EncodeError names the element."""
    if depth > MAX_DEPTH:
        raise too_deep()
    if type(values) is not list:
        raise EncodeError("bad_value", "not a list", field="")
    start: i64 = len(out)
    out.write(b"\0\0\0\0")
    count = 0
    try:
        for typed in values:
            if type(typed) is not TypedValue:
                raise no_typed_value(typed, _NO_TYPE)
            printed.write_value(out, typed.type, typed.value, depth)
            count += 1
    except EncodeError as error:
        raise within(error, f"[{count}]") from None
    except (KeyError, TypeError):
        raise within(no_typed_value(values[count], _NO_TYPE), f"[{count}]") from None
    _put_size(out, start)


def _put_size(out: Writer, start: i64) -> None:
    """Put the size of a table or array over its place."""
    try:
        put_size(out, start)
    except UNFIT:
        raise too_large() from None


def bad_value(type_: str, value: object) -> EncodeError:
    """Return the error of a value that its type cannot hold."""
    return EncodeError("bad_value", AMQP091_TYPES[type_].fault(value) or f"no {type_} can hold it", field="")


LONGSTRS: Final = [b"S" + size.to_bytes(4) for size in range(256)]
"""The bytes before a long string, by its size."""


def long_head(letter: bytes, size: i64) -> bytes:
    """Return the bytes before a value of many bytes: its letter and size."""
    if size > 0xFFFF_FFFF:
        raise too_large()
    return letter + int(size).to_bytes(4)

"""PHPMQ: messages of the php-mq protocol, version 1: a header of 8 bytes, then packets, each behind a header of 32.

Numbers are ASCII digits of fixed width. Nothing separates the parts or the messages. The packets of a message may come in any
order, as for the reference server, and each exactly once. They are written in the library's order. The protocol has no batches,
responses or error messages.
"""

from collections.abc import Iterator, Mapping
from dataclasses import fields
from operator import itemgetter
from typing import Any, Final, NoReturn

import mqconvert.converters.protocols.phpmq.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.primitives import UNWRITABLE
from mqconvert.converters.model.sections import bad_address, refuse_frame, section_from_json, section_to_json
from mqconvert.converters.model.sequences import alone, listed
from mqconvert.converters.protocols.phpmq.kinds import KINDS, PACKETS, TYPES, Kind
from mqconvert.converters.protocols.phpmq.message import FRAMES, PHPMQ_TYPES, Frame, Message

MAX_CONTENT: Final = 16 * 2**20
"""Default limit of a packet's content in bytes: 29 digits could announce any number."""

_HEADER_SIZE: Final = 8
_PACKET_HEADER_SIZE: Final = 32

_BY_CODE: Final = {kind.code: kind for kind in KINDS.values()}
_BY_HEADER: Final = {kind.header: kind for kind in KINDS.values()}
_BY_CLASS: Final = {kind.of: kind for kind in KINDS.values() if kind.of is not Message}
USUAL: Final = 1024
"""The sizes of contents below this are usual."""
_DIGITS: Final = [b"%029d" % size for size in range(USUAL)]
HEADS: Final = [[b"P%02d" % code + digits for digits in _DIGITS] for code in range(len(PACKETS) + 1)]
"""The headers of packets by their type, and by the size of the content if that is a usual one."""


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, *, max_content: int = MAX_CONTENT) -> Message:
    """Return the one message (001 or 003) in `data`, which may hold others; DecodeError with kind and offset otherwise.

    Kinds: `truncated`, `bad_magic`, `bad_number`, `unsupported_version`, `unknown_type`, `packet_count`, `unknown_packet`,
    `wrong_packet`, `too_large` (a content of more than `max_content` bytes), `several_messages`, `no_message`.

    >>> decode(b"H0100103P0100000000000000000000000000003FooP0200000000000000000000000000002hiP05" + b"0" * 28 + b"260")
    phpmq.Message(queue=b'Foo', content=b'hi', ttl=60)
    """
    frame, end = _frame(data, 0, max_content)
    if end == len(data) and isinstance(frame, Message):
        return frame
    return alone(_messages(data, max_content))


def decode_each(data: bytes, *, max_content: int = MAX_CONTENT) -> Iterator[Message]:
    """Yield every message (001 and 003) in `data`, at least one; skips the other message types."""
    return map(itemgetter(1), _messages(data, max_content))


decode_all = listed(decode_each)


def encode(message: Message, *, max_content: int = MAX_CONTENT) -> bytes:
    """Return a message as its `frame`, 001 or 003; EncodeError names the field that cannot be written.

    Negative times to live are written unchanged, as by the reference library.

    >>> encode(Message(queue=b"Foo"))[:43]
    b'H0100103P0100000000000000000000000000003Foo'
    """
    pieces: list[bytes] = []
    try:
        if message.frame == "send" and not printed.has_more_than_send(message):
            pieces = [_SEND]
            printed.write_send(pieces, message)
        elif message.frame == "dispatch":
            pieces = [_DISPATCH]
            printed.write_dispatch(pieces, message)
    except UNWRITABLE:
        pieces = []
    wire = b"".join(pieces)
    return wire if 0 < len(wire) <= max_content else encode_frame(message, max_content=max_content)


_SEND: Final = KINDS["send"].header
_DISPATCH: Final = KINDS["dispatch"].header


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_each_frame(data: bytes, *, max_content: int = MAX_CONTENT) -> Iterator[Frame]:
    """Yield the messages of all types in `data`, at least one; DecodeError as for `decode`.

    >>> decode_frames(b"H0100202P0100000000000000000000000000003FooP0400000000000000000000000000001" + b"5")
    [ConsumeRequest(queue=b'Foo', count=5)]
    """
    return map(itemgetter(1), _frames(data, max_content))


decode_frames = listed(decode_each_frame)


def encode_frame(frame: object, *, max_content: int = MAX_CONTENT) -> bytes:
    """Return the bytes of a message of any type, its packets in the library's order; EncodeError names the invalid field."""
    kind = _kind_of(frame)
    parts = [kind.header]
    for code in kind.packets:
        name = PACKETS[code]
        value = getattr(frame, name)
        PHPMQ_TYPES[TYPES[name]].check(value, name)
        content: bytes = b"%d" % value if TYPES[name] == "number" else value
        if len(content) > max_content:
            raise EncodeError("too_large", f"{len(content)} bytes, the limit is {max_content} (max_content)", field=name)
        parts += b"P%02d%029d" % (code, len(content)), content
    return b"".join(parts)


def frame_to_json(frame: object) -> JsonObject:
    """Return a message of any type as JSON: its name, number and meaning, then its fields in the JSON form of messages.

    >>> from mqconvert.converters.protocols.phpmq.message import ConsumeRequest
    >>> frame_to_json(ConsumeRequest(b"Foo", 5))
    {'frame': 'consume', 'type': 2, 'meaning': 'a client wants to consume messages', 'queue': 'Foo', 'count': 5}
    """
    kind = _kind_of(frame)
    return {"frame": kind.name, "type": kind.code, "meaning": kind.meaning} | section_to_json(frame, PHPMQ_TYPES)


def frame_from_json(obj: JsonObject) -> Frame:
    """Return the message of its JSON form; `type` and `meaning` may be left out. DecodeError names the fault.

    >>> frame_from_json({"frame": "ack", "queue": "Foo", "message_id": "x"})
    Acknowledgement(queue=b'Foo', message_id=b'x')
    """
    name = obj.get("frame")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise DecodeError("unknown_type", f"expected one of {', '.join(KINDS)}", field="frame")
    for told, known in (("type", kind.code), ("meaning", kind.meaning)):
        if told in obj and (obj[told] != known or obj[told].__class__ is not type(known)):
            raise DecodeError("bad_value", f"{kind.name} has {told} {known!r}", field=told)
    members = {key: member for key, member in obj.items() if key not in ("frame", "type", "meaning")}
    needed = [PACKETS[code] for code in kind.packets]
    for field in fields(kind.of):
        if field.name in needed and field.name not in members:
            raise DecodeError("missing_field", f"{kind.name} needs it", field=field.name)
        if field.name in members and field.name not in needed:
            raise DecodeError("unknown_field", f"{kind.name} does not have it", field=field.name)
    if kind.of is Message:
        members["frame"] = kind.name
    frame: Frame = section_from_json(kind.of, members, PHPMQ_TYPES)
    return frame


# ---- headers --------------------------------------------------------------------------------------------------------


def _digits(data: bytes, at: int, size: int, name: str) -> int:
    digits = data[at : at + size]
    if not digits.isdigit():
        raise DecodeError("bad_number", f"{name} is not a number of {size} digits", offset=at)
    return int(digits)


def _begin(data: bytes, at: int, letter: bytes, size: int, name: str) -> None:
    """Check for a header of `size` bytes that begins with `letter`; DecodeError otherwise."""
    if data[at : at + 1] not in (letter, b""):
        raise DecodeError("bad_magic", f"a {name} begins with {letter.decode()}", offset=at)
    if len(data) < at + size:
        raise DecodeError("truncated", f"the input ends within a {name} header", offset=len(data))


def _refuse_header(data: bytes, at: int) -> NoReturn:
    """Raise the error of a message header that is not one of `_BY_HEADER`."""
    _begin(data, at, b"H", _HEADER_SIZE, "message")
    version = _digits(data, at + 1, 2, "version")
    type_ = _digits(data, at + 3, 3, "message type")
    count = _digits(data, at + 6, 2, "packet count")
    if version != 1:
        raise DecodeError("unsupported_version", f"version {version}; only 1 exists", offset=at + 1)
    kind = _BY_CODE.get(type_)
    if kind is None:
        raise DecodeError("unknown_type", f"unknown message type {type_}", offset=at + 3)
    wanted = len(kind.packets)
    raise DecodeError("packet_count", f"{count} packets; {kind.name} ({type_:03}) has {wanted}", offset=at + 6)


# ---- reading and writing --------------------------------------------------------------------------------------------


def _frames(data: bytes, max_content: int) -> Iterator[tuple[int, Frame]]:
    """Yield every message with its offset; DecodeError if there is none."""
    at, size = 0, len(data)
    while True:
        frame, end = _frame(data, at, max_content)
        yield at, frame
        if end == size:
            return
        at = end


def _messages(data: bytes, max_content: int) -> Iterator[tuple[int, Message]]:
    none = True
    for at, frame in _frames(data, max_content):
        if isinstance(frame, Message):
            none = False
            yield at, frame
    if none:
        raise DecodeError("no_message", "only message types 001 and 003 carry a message", offset=0)


def _frame(data: bytes, at: int, max_content: int) -> tuple[Frame, int]:
    """Return the message at `at` and the offset after it."""
    start = at + _HEADER_SIZE
    head, end = data[at:start], len(data)
    if end - at > max_content:
        end = at + max_content  # a message of so many bytes has no content over the limit
    try:
        if head == _SEND:
            message = Message()
            return message, printed.read_send(message, data, start, end)
        if head == _DISPATCH:
            message = Message(frame="dispatch")
            return message, printed.read_dispatch(message, data, start, end)
    except IndexError:  # another order, or a fault
        pass
    return _any_frame(data, at, max_content)


def _any_frame(data: bytes, at: int, max_content: int) -> tuple[Frame, int]:
    """Return the message at `at`, with its packets in any order, and the offset after it."""
    kind = _BY_HEADER.get(data[at : at + _HEADER_SIZE]) or _refuse_header(data, at)
    at += _HEADER_SIZE
    found: dict[int, Any] = {}
    for _ in kind.packets:
        code, length = _packet_header(data, at, kind, found, max_content)
        start = at + _PACKET_HEADER_SIZE
        at = start + length
        if at > len(data):
            raise DecodeError("truncated", f"a content of {length} bytes, {len(data) - start} there", offset=len(data))
        content = data[start:at]
        found[code] = _number(content, start) if TYPES[PACKETS[code]] == "number" else content
    made = kind.of(**{PACKETS[code]: found[code] for code in kind.packets})
    if kind.of is Message:
        made.frame = kind.name
    return made, at


def _packet_header(data: bytes, at: int, kind: Kind, found: Mapping[int, Any], max_content: int) -> tuple[int, int]:
    """Return packet type and content length of a packet header."""
    _begin(data, at, b"P", _PACKET_HEADER_SIZE, "packet")
    code = _digits(data, at + 1, 2, "packet type")
    length = _digits(data, at + 3, 29, "content length")
    if code not in PACKETS:
        raise DecodeError("unknown_packet", f"unknown packet type {code}", offset=at + 1)
    if length > max_content:
        raise LimitError(
            "too_large", f"a content of {length} bytes, the limit is {max_content}", limit="max_content", offset=at + 3
        )
    if code not in kind.packets or code in found:
        wanted = ", ".join(f"{packet:02}" for packet in kind.packets)
        raise DecodeError("wrong_packet", f"packet {code:02}: {kind.name} has {wanted}, each once", offset=at + 1)
    return code, length


def _number(text: bytes, at: int) -> int:
    """Return a PHP integer (64 bits, signed) from decimal text. Leading zeros are valid, as in PHP."""
    digits = text[1:] if text[:1] == b"-" else text
    if not digits.isdigit():
        raise DecodeError("bad_number", "not a decimal number", offset=at)
    digits = digits.lstrip(b"0")
    value = int(digits or b"0") if len(digits) < 20 else 2**63
    if text[:1] == b"-":
        value = -value
    if not -(2**63) <= value < 2**63:
        raise DecodeError("bad_number", "beyond 64 bits", offset=at)
    return value


def _kind_of(frame: object) -> Kind:
    """Return the message type of a frame; EncodeError if a message's fields do not fit its `frame`."""
    if not isinstance(frame, Message):
        if type(frame) not in _BY_CLASS:
            raise EncodeError("unknown_type", f"{type(frame).__name__} is not a PHPMQ frame", field="type")
        return _BY_CLASS[type(frame)]
    refuse_frame(frame, FRAMES, PHPMQ_TYPES)
    if frame.queue is None:
        raise bad_address(frame.queue, "", "queue")
    if frame.message_id is None and frame.frame == "dispatch":
        raise EncodeError("bad_value", "a dispatch (type 3) needs one", field="message_id")
    return KINDS[frame.frame]

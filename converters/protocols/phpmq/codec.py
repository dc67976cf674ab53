"""PHPMQ: messages of the php-mq protocol, version 1: a header of 8 bytes, then packets, each behind a header of 32.

Numbers are ASCII digits of fixed width. Nothing separates the parts or the messages. The packets of a message may come in any
order, as for the reference server, and each exactly once. They are written in the library's order. The protocol has no batches,
responses or error messages.
"""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any, Final, NoReturn

from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import COMPILED, digits_at, read_i64, read_u32
from mqconvert.converters.model.sections import refuse_frame, section_from_json, section_to_json
from mqconvert.converters.protocols.phpmq.message import FRAMES, PHPMQ_TYPES, Frame, Message
from mqconvert.converters.protocols.phpmq.wire import KINDS, PACKETS, TYPES, Kind

MAX_CONTENT: Final = 16 * 2**20
"""Default limit of a packet's content in bytes: 29 digits could announce any number."""

_HEADER_SIZE: Final = 8
_PACKET_HEADER_SIZE: Final = 32

_BY_CODE: Final = {kind.code: kind for kind in KINDS.values()}
_BY_HEADER: Final = {kind.header: kind for kind in KINDS.values()}
_BY_CLASS: Final = {kind.of: kind for kind in KINDS.values() if kind.of is not Message}
_NUMBERS: Final[list[bool]] = [TYPES.get(PACKETS.get(code, "")) == "number" for code in range(len(PACKETS) + 1)]
"""Whether the content of a packet is decimal text, by its type."""
_FLAGS: Final[list[bytes]] = [b"P%02d" % code for code in range(len(PACKETS) + 1)]
_BY_FLAG: Final[dict[bytes, int]] = {_FLAGS[code]: code for code in PACKETS}
_DIGITS: Final[list[bytes]] = [b"%029d" % length for length in range(1024)]
_LENGTHS: Final[dict[bytes, int]] = {digits: length for length, digits in enumerate(_DIGITS)}
"""The usual 29 digits of packet headers, looked up instead of parsed."""


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, *, max_content: int = MAX_CONTENT) -> Message:
    """Return the one message (001 or 003) in `data`, which may hold others; DecodeError with kind and offset otherwise.

    Kinds: `truncated`, `bad_magic`, `bad_number`, `unsupported_version`, `unknown_type`, `packet_count`, `unknown_packet`,
    `wrong_packet`, `too_large` (a content of more than `max_content` bytes), `several_messages`, `no_message`.

    >>> decode(b"H0100103P0100000000000000000000000000003FooP0200000000000000000000000000002hiP05" + b"0" * 28 + b"260")
    phpmq.Message(queue=b'Foo', content=b'hi', ttl=60)
    """
    if COMPILED:
        only = _only(data) if len(data) <= max_content else None
        if only is not None:
            return only
    else:  # Python looks digits up
        frame, end = _frame(data, 0, max_content)
        if end == len(data) and isinstance(frame, Message):
            return frame
    messages = _messages(data, max_content)
    at, message = next(messages)
    for at, _ in messages:
        raise DecodeError("several_messages", "a second message: decode_all returns all of them", offset=at)
    return message


_SEND_HEAD: Final[i64] = 0x4830313030313033  # H0100103
_DISPATCH_HEAD: Final[i64] = 0x4830313030333034  # H0100304
_QUEUE: Final = 0x50303130  # P010
_CONTENT: Final = 0x50303230  # P020
_MESSAGE_ID: Final = 0x50303330  # P030
_TTL: Final = 0x50303530  # P050


def _only(data: bytes) -> Message | None:
    """Return the message of a single send or dispatch in the library's order, the usual input; None for any other."""
    if len(data) < 8:
        return None
    head: i64 = read_i64(data, 0)
    if head != _SEND_HEAD and head != _DISPATCH_HEAD:  # noqa: PLR1714 - mypyc compiles it to two comparisons
        return None
    queue: i64 = _content_end(data, 8, _QUEUE)
    content: i64 = _content_end(data, queue, _CONTENT)
    last: i64 = content if head == _SEND_HEAD else _content_end(data, content, _MESSAGE_ID)
    end: i64 = _content_end(data, last, _TTL)
    if end != len(data):
        return None
    ttl: i64 = digits_at(data, last + 32, end)
    if ttl < 0:
        return None
    message_id = None if last == content else data[content + 32 : last]
    frame = "send" if last == content else "dispatch"
    return Message(data[40:queue], data[queue + 32 : content], message_id, ttl, frame)


def _content_end(data: bytes, at: i64, flag: i64) -> i64:
    """Return the offset after the packet at `at`, if it begins with `flag`, its type and the first digit 0; -1 otherwise."""
    start: i64 = at + 32
    if at < 0 or start > len(data) or read_u32(data, at) != flag:
        return -1
    length: i64 = digits_at(data, at + 4, start)
    return start + length if 0 <= length <= len(data) - start else -1


def decode_all(data: bytes, *, max_content: int = MAX_CONTENT) -> list[Message]:
    """Return every message (001 and 003) in `data`, at least one; skips the other message types."""
    return [message for _, message in _messages(data, max_content)]


def decode_each(data: bytes, *, max_content: int = MAX_CONTENT) -> Iterator[Message]:
    """Yield the messages of `decode_all` one by one."""
    for _, message in _messages(data, max_content):
        yield message


def encode(message: Message, *, max_content: int = MAX_CONTENT) -> bytes:
    """Return a message as its `frame`, 001 or 003; EncodeError names the field that cannot be written.

    Negative times to live are written unchanged, as by the reference library.

    >>> encode(Message(queue=b"Foo"))[:43]
    b'H0100103P0100000000000000000000000000003Foo'
    """
    wire = _usual(message, max_content)
    return encode_frame(message, max_content=max_content) if wire is None else wire


def _usual(message: Message, max_content: int) -> bytes | None:
    """Return the bytes of a valid message; None for others, and for messages near a limit."""
    if type(message) is not Message:
        return None
    queue: Any = message.queue
    content: Any = message.content
    message_id: Any = message.message_id
    if type(queue) is not bytes or type(content) is not bytes or type(message.ttl) is not int:
        return None
    ttl: int = message.ttl
    if len(queue) > max_content or len(content) > max_content or max_content < 20 or not -(2**63) <= ttl < 2**63:
        return None
    digits = str(ttl).encode()
    parts = [_SEND_HEADER, _FLAGS[1], _length(queue), queue, _FLAGS[2], _length(content), content]
    if message_id is not None:
        if type(message_id) is not bytes or len(message_id) > max_content:
            return None
        parts[0] = _DISPATCH_HEADER
        parts += _FLAGS[3], _length(message_id), message_id
    parts += _FLAGS[5], _length(digits), digits
    return b"".join(parts) if message.frame == ("send" if message_id is None else "dispatch") else None


_SEND_HEADER: Final = KINDS["send"].header
_DISPATCH_HEADER: Final = KINDS["dispatch"].header


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_frames(data: bytes, *, max_content: int = MAX_CONTENT) -> list[Frame]:
    """Return the messages of all types in `data`, at least one; DecodeError as for `decode`.

    >>> decode_frames(b"H0100202P0100000000000000000000000000003FooP0400000000000000000000000000001" + b"5")
    [ConsumeRequest(queue=b'Foo', count=5)]
    """
    return list(decode_each_frame(data, max_content=max_content))


def decode_each_frame(data: bytes, *, max_content: int = MAX_CONTENT) -> Iterator[Frame]:
    """Yield the frames of `decode_frames` one by one."""
    for _, frame in _frames(data, max_content):
        yield frame


def encode_frame(frame: object, *, max_content: int = MAX_CONTENT) -> bytes:
    """Return the bytes of a message of any type, its packets in the library's order; EncodeError names the invalid field."""
    kind = _kind_of(frame)
    parts = [kind.header]
    for code in kind.packets:
        name = PACKETS[code]
        value = getattr(frame, name)
        PHPMQ_TYPES[TYPES[name]].check(value, name)
        content: bytes = b"%d" % value if _NUMBERS[code] else value
        if len(content) > max_content:
            raise EncodeError("too_large", f"{len(content)} bytes, the limit is {max_content}", field=name)
        parts += _FLAGS[code], _length(content), content
    return b"".join(parts)


def _length(content: bytes) -> bytes:
    """Return the length of a content in 29 digits."""
    length = len(content)
    return _DIGITS[length] if length < 1024 else b"%029d" % length


def frame_to_json(frame: object) -> JsonObject:
    """Return a message of any type as JSON: its name, number and meaning, then its fields in the JSON form of messages.

    >>> from mqconvert.converters.protocols.phpmq.message import ConsumeRequest
    >>> frame_to_json(ConsumeRequest(b"Foo", 5))
    {'frame': 'consume', 'type': 2, 'meaning': 'a client wants to consume messages', 'queue': 'Foo', 'count': 5}
    """
    kind = _kind_of(frame)
    return {"frame": kind.name, "type": kind.code, "meaning": kind.meaning} | section_to_json(frame, PHPMQ_TYPES)


def frame_from_json(obj: object) -> Frame:
    """Return the message of its JSON form; `type` and `meaning` may be left out. DecodeError names the fault.

    >>> frame_from_json({"frame": "ack", "queue": "Foo", "message_id": "x"})
    Acknowledgement(queue=b'Foo', message_id=b'x')
    """
    if not isinstance(obj, dict):
        raise DecodeError("bad_json", "expected a frame as a JSON object")
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
    """Return the message at `at` and the offset after it. Look-ups recognise nearly all valid headers."""
    kind = _BY_HEADER.get(data[at : at + 8]) or _refuse_header(data, at)
    packets: tuple[int, ...] = kind.packets
    at, size = at + 8, len(data)
    found: list[Any] = [None, None, None, None, None, None]
    for _ in packets:
        start = at + 32
        code, length = 0, max_content
        if start <= size:
            code = _BY_FLAG.get(data[at : at + 3], 0)
            length = _LENGTHS.get(data[at + 3 : start], max_content)
        if length >= max_content or code not in packets or found[code] is not None:
            length = _checked(data, at, kind, found, max_content)
        at = start + length
        content = data[start:at]
        if len(content) < length:
            raise DecodeError("truncated", f"a content of {length} bytes, {len(content)} there", offset=len(data))
        found[code] = _number(content, start) if _NUMBERS[code] else content
    if kind.of is Message:
        return Message(found[1], found[2], found[3], found[5], kind.name), at
    return kind.of(*[found[code] for code in packets]), at


def _checked(data: bytes, at: int, kind: Kind, found: list[Any], max_content: int) -> int:
    """Return the length in a packet header that `_frame` does not recognise, or raise its error."""
    _begin(data, at, b"P", _PACKET_HEADER_SIZE, "packet")
    code = _digits(data, at + 1, 2, "packet type")
    length = _digits(data, at + 3, 29, "content length")
    if code not in PACKETS:
        raise DecodeError("unknown_packet", f"unknown packet type {code}", offset=at + 1)
    if length > max_content:
        raise LimitError(
            "too_large", f"a content of {length} bytes, the limit is {max_content}", limit="max_content", offset=at + 3
        )
    if code not in kind.packets or found[code] is not None:
        wanted = ", ".join(f"{packet:02}" for packet in kind.packets)
        raise DecodeError("wrong_packet", f"packet {code:02}: {kind.name} has {wanted}, each once", offset=at + 1)
    return length


def _number(text: bytes, at: int) -> int:
    """Return a PHP integer (64 bits, signed) from decimal text. Leading zeros are valid, as in PHP."""
    if len(text) < 19 and text.isdigit():
        return int(text)
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
        raise EncodeError("bad_topic", "no topic; name one with --address (Environment.address)", field="queue")
    if frame.message_id is None and frame.frame == "dispatch":
        raise EncodeError("bad_value", "a dispatch (type 3) needs one", field="message_id")
    return KINDS[frame.frame]

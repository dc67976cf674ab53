"""STOMP 1.2: frames of a command, headers, an empty line, a body and a NUL byte.

Lines end with LF or CR LF. The decoder reads any bytes or raises DecodeError, in time proportional to their number. Every part
has a limit.
"""

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from mqconvert.plugin import DecodeError, EncodeError, LimitError, Remedy, section_from_json, section_to_json
from mqconvert_stomp.message import (
    COMMANDS,
    FIELDS,
    FRAME_TYPES,
    MESSAGE,
    NEEDED,
    SEND,
    STOMP_TYPES,
    Control,
    Frame,
    Message,
)

MAX_BODY = 16 * 2**20
"""The default limit of a body, in bytes."""
MAX_HEADERS = 1000
"""The default limit of the headers in a frame."""
MAX_HEADER = 2**20
"""The default limit of a line without its end, in bytes."""
MAX_FRAMES = 1_000_000
"""The default limit of the frames in one input."""

LENGTH = "content-length"
_WITH_BODY = (SEND, MESSAGE, "ERROR")
_UNESCAPED = ("CONNECT", "CONNECTED")
"""Frames with unescaped headers, as in STOMP 1.0 (STOMP 1.2, Value Encoding)."""
_ENDS_OF_LINES = re.compile(rb"(?:\r?\n)*")
_ESCAPE = re.compile(rb"\\(.?)", re.DOTALL)
_CHARACTERS = {b"r": b"\r", b"n": b"\n", b"c": b":", b"\\": b"\\"}
_ESCAPES = str.maketrans({"\r": "\\r", "\n": "\\n", ":": "\\c", "\\": "\\\\"})
_BREAKS = re.compile(r"[\r\n]")
_HeaderPairs = list[tuple[str, str]]


class _Limits(NamedTuple):
    max_body: int = MAX_BODY
    max_headers: int = MAX_HEADERS
    max_header: int = MAX_HEADER
    max_frames: int = MAX_FRAMES


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, **options: Any) -> Message:
    """Return the only message (SEND or MESSAGE) in `data`, among other frames; DecodeError with kind and offset otherwise.

    `options` are those of `decode_frames`. Kinds: `truncated`, `unknown_command`, `bad_header`, `bad_utf8`, `bad_number`,
    `bad_length`, `bad_body`, `missing_field`, `too_large`, `too_many`, `several_messages`, `no_message`.

    >>> decode(b"SEND\\ndestination:/queue/a\\n\\nhi\\0").body
    b'hi'
    """
    messages = _messages(data, **options)
    _, message = next(messages)
    for at, _ in messages:
        raise DecodeError("several_messages", "a second message: decode_all returns all of them", offset=at)
    return message


def decode_all(data: bytes, **options: Any) -> list[Message]:
    """Return every message of a series of frames, at least one; skip frames without a message.

    >>> [made.body for made in decode_all(b"SEND\\ndestination:a\\n\\nhi\\0\\nSEND\\ndestination:a\\n\\nok\\0")]
    [b'hi', b'ok']
    """
    return [message for _, message in _messages(data, **options)]


def decode_each(data: bytes, **options: Any) -> Iterator[Message]:
    """Yield the messages of `decode_all` one by one."""
    return (message for _, message in _messages(data, **options))


def encode(message: Message, *, max_body: int = MAX_BODY, max_header: int = MAX_HEADER, content_length: bool = True) -> bytes:
    """Return a message as SEND or MESSAGE, by its command; EncodeError names the invalid field.

    With `content_length=False` a body without NUL gets no such header, so that ActiveMQ reads the message as text.

    >>> encode(Message(destination="/queue/a", body=b"hi"))
    b'SEND\\ndestination:/queue/a\\ncontent-length:2\\n\\nhi\\x00'
    """
    for field in ("command", *FIELDS.values()):
        value = getattr(message, field)
        if value is not None or field == "command":
            STOMP_TYPES["command" if field == "command" else "text"].check(value, field)
    STOMP_TYPES["payload"].check(message.body, "body")
    for field in NEEDED[message.command]:
        if getattr(message, field) is None:
            if field == "destination":
                raise EncodeError("bad_topic", "no destination", field=field, remedy=Remedy("address"))
            raise EncodeError("missing_field", f"a {message.command} has one", field=field)
    given = [(name, getattr(message, field)) for name, field in FIELDS.items()]
    headers = [(name, value) for name, value in given if value is not None]
    others = _checked(message.headers)
    for index, (name, _) in enumerate(others):
        if name in FIELDS and getattr(message, FIELDS[name]) is None:
            raise EncodeError("bad_property", f"the header of the field {FIELDS[name]}", field=f"headers[{index}][0]")
    if content_length or b"\0" in message.body or any(name == LENGTH for name, _ in others):
        headers.append((LENGTH, str(len(message.body))))
    return _written(message.command, headers + others, message.body, max_body, max_header)


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_frames(
    data: bytes,
    *,
    max_body: int = MAX_BODY,
    max_headers: int = MAX_HEADERS,
    max_header: int = MAX_HEADER,
    max_frames: int = MAX_FRAMES,
) -> list[Frame]:
    """Return every frame in `data`, at least one; skip line ends before and after frames.

    The limits: bytes of a body, headers of a frame, bytes of a line, frames.

    >>> decode_frames(b"ACK\\nid:5\\n\\n\\0\\n")
    [Control(command='ACK', headers=[('id', '5')], body=b'')]
    """
    return [frame for _, frame in _frames(data, _Limits(max_body, max_headers, max_header, max_frames))]


def decode_each_frame(data: bytes, **options: Any) -> Iterator[Frame]:
    """Yield the frames of `decode_frames` one by one."""
    return (frame for _, frame in _frames(data, _Limits(**options)))


def encode_frame(frame: Frame, *, max_body: int = MAX_BODY, max_header: int = MAX_HEADER, content_length: bool = True) -> bytes:
    """Return the bytes of any frame; EncodeError names the invalid field.

    >>> encode_frame(Control("ACK", [("id", "5")]))
    b'ACK\\nid:5\\n\\n\\x00'
    """
    if isinstance(frame, Message):
        return encode(frame, max_body=max_body, max_header=max_header, content_length=content_length)
    if not isinstance(frame, Control):
        raise EncodeError("unknown_command", f"{type(frame).__name__} is not a frame of STOMP", field="command")
    FRAME_TYPES["command"].check(frame.command, "command")
    STOMP_TYPES["payload"].check(frame.body, "body")
    if frame.body and frame.command not in _WITH_BODY:
        raise EncodeError("bad_body", f"{frame.command} has none", field="body")
    headers = _checked(frame.headers)
    if frame.body or any(name == LENGTH for name, _ in headers):
        headers.insert(0, (LENGTH, str(len(frame.body))))
    return _written(frame.command, headers, frame.body, max_body, max_header)


def frame_to_json(frame: Frame) -> dict[str, Any]:
    """Return a frame as JSON: its command and meaning, then its fields in the JSON form of messages.

    >>> frame_to_json(Control("ACK", [("id", "5")]))
    {'frame': 'ACK', 'meaning': 'the client has taken a message', 'headers': [['id', '5']], 'body': ''}
    """
    members = section_to_json(frame, STOMP_TYPES if isinstance(frame, Message) else FRAME_TYPES)
    return {"frame": members.pop("command"), "meaning": COMMANDS[frame.command]} | members


def frame_from_json(obj: Any) -> Frame:
    """Return the frame of a JSON object from `frame_to_json`; `meaning` is optional. DecodeError names the fault.

    >>> frame_from_json({"frame": "ACK", "headers": [["id", "5"]]})
    Control(command='ACK', headers=[('id', '5')], body=b'')
    """
    if not isinstance(obj, dict):
        raise DecodeError("bad_json", "expected a frame as a JSON object")
    command = obj.get("frame")
    if not isinstance(command, str) or command not in COMMANDS:
        raise DecodeError("unknown_command", f"one of {', '.join(COMMANDS)}", field="frame")
    if obj.get("meaning", COMMANDS[command]) != COMMANDS[command]:
        raise DecodeError("bad_value", f"{command}: {COMMANDS[command]}", field="meaning")
    if "command" in obj:
        raise DecodeError("unknown_field", "it is called frame", field="command")
    members = {name: member for name, member in obj.items() if name not in ("frame", "meaning")} | {"command": command}
    if command in (SEND, MESSAGE):
        return section_from_json(Message, members, STOMP_TYPES)
    return section_from_json(Control, members, FRAME_TYPES)


# ---- reading --------------------------------------------------------------------------------------------------------


def _messages(data: bytes, **options: Any) -> Iterator[tuple[int, Message]]:
    none = True
    for at, frame in _frames(data, _Limits(**options)):
        if isinstance(frame, Message):
            none = False
            yield at, frame
    if none:
        raise DecodeError("no_message", "only SEND and MESSAGE carry a message", offset=0)


def _frames(data: bytes, limits: _Limits) -> Iterator[tuple[int, Frame]]:
    """Yield every frame with its offset; at least one, or DecodeError."""
    at, count = _past_ends_of_lines(data, 0), 0
    while at < len(data) or not count:
        if count == limits.max_frames:
            raise LimitError("too_many", f"more than {limits.max_frames} frames", limit="max_frames", offset=at)
        frame, end = _frame(data, at, limits)
        yield at, frame
        at, count = _past_ends_of_lines(data, end), count + 1


def _past_ends_of_lines(data: bytes, at: int) -> int:
    found = _ENDS_OF_LINES.match(data, at)
    return at if found is None else found.end()


def _frame(data: bytes, start: int, limits: _Limits) -> tuple[Frame, int]:
    """Return the frame at `start` and the offset after its NUL."""
    line, at = _line(data, start, limits)
    command = line.decode("latin-1")
    if command not in COMMANDS:
        raise DecodeError("unknown_command", f"no command {command[:40]!r}", offset=start)
    headers, length, at = _headers(data, at, limits, escaped=command not in _UNESCAPED)
    end = _end_of_body(data, at, length, limits)
    body = data[at:end]
    if body and command not in _WITH_BODY:
        raise DecodeError("bad_body", f"{command} has none", offset=at)
    if command not in (SEND, MESSAGE):
        return Control(command, headers or None, body), end + 1
    return _message(command, headers, body, start), end + 1


def _line(data: bytes, at: int, limits: _Limits) -> tuple[bytes, int]:
    """Return the line at `at` without its end, and the offset after its end."""
    end = data.find(b"\n", at, at + limits.max_header + 2)
    line = data[at:end] if end >= 0 else data[at : at + limits.max_header + 2]
    if line.endswith(b"\r"):
        line = line[:-1]
    if len(line) > limits.max_header:
        raise LimitError("too_large", f"a line of more than {limits.max_header} bytes", limit="max_header", offset=at)
    if end < 0:
        raise DecodeError("truncated", "the input ends within a line", offset=len(data))
    if b"\r" in line:
        raise DecodeError("bad_header", "a CR that ends no line", offset=at + line.index(b"\r"))
    return line, end + 1


def _headers(data: bytes, at: int, limits: _Limits, *, escaped: bool) -> tuple[_HeaderPairs, int | None, int]:
    """Return the headers, the first content-length separately, and the offset of the body."""
    headers: _HeaderPairs = []
    length: int | None = None
    count = 0
    while True:
        line, after = _line(data, at, limits)
        if not line:
            return headers, length, after
        if count == limits.max_headers:
            raise LimitError("too_many", f"more than {limits.max_headers} headers", limit="max_headers", offset=at)
        count += 1
        raw, colon, rest = line.partition(b":")
        if not raw or not colon:
            raise DecodeError("bad_header", "a header is a name, a colon and a value", offset=at)
        name, value = _text(raw, at, escaped=escaped), _text(rest, at + len(raw) + 1, escaped=escaped)
        if name == LENGTH and length is None:
            if not (value.isascii() and value.isdigit() and len(value) < 20):
                raise DecodeError("bad_number", f"{LENGTH} is not a number of bytes", offset=at)
            length = int(value)
        else:
            headers.append((name, value))
        at = after


def _text(raw: bytes, at: int, *, escaped: bool) -> str:
    """Return the text of a header's name or value at an offset (STOMP 1.2, Value Encoding)."""
    try:
        text = raw.decode()
    except UnicodeDecodeError as error:
        raise DecodeError("bad_utf8", "a header that is not UTF-8", offset=at + error.start) from None
    if not escaped or b"\\" not in raw:
        return text
    for found in _ESCAPE.finditer(raw):
        if found[1] not in _CHARACTERS:
            raise DecodeError("bad_header", "an escape is one of \\r \\n \\c \\\\", offset=at + found.start())
    return _ESCAPE.sub(_character, raw).decode()


def _character(escape: re.Match[bytes]) -> bytes:
    return _CHARACTERS[escape[1]]


def _end_of_body(data: bytes, at: int, length: int | None, limits: _Limits) -> int:
    """Return the offset of the NUL after the body (STOMP 1.2, Header content-length)."""
    end = data.find(b"\0", at, at + limits.max_body + 1) if length is None else at + length
    if (end < 0 and len(data) - at > limits.max_body) or end - at > limits.max_body:
        raise LimitError("too_large", f"a body of more than {limits.max_body} bytes", limit="max_body", offset=at)
    if end < 0 or end >= len(data):
        raise DecodeError("truncated", "the input ends within a body", offset=len(data))
    if data[end] != 0:
        raise DecodeError("bad_length", f"no NUL behind a body of {length} bytes", offset=end)
    return end


def _message(command: str, headers: _HeaderPairs, body: bytes, start: int) -> Message:
    found: dict[str, str] = {}
    others: _HeaderPairs = []
    for name, value in headers:
        field = FIELDS.get(name)
        if field is None or field in found:
            others.append((name, value))
        else:
            found[field] = value
    for field in NEEDED[command]:
        if field not in found:
            raise DecodeError("missing_field", f"a {command} has one", field=field, offset=start)
    return Message(command, headers=others or None, body=body, **found)


# ---- writing --------------------------------------------------------------------------------------------------------


def _checked(headers: Any) -> _HeaderPairs:
    """Return a new list of the pairs of names and values; raise EncodeError for invalid ones."""
    pairs: _HeaderPairs = []
    if headers is not None and not isinstance(headers, list):
        raise EncodeError("bad_value", "not a list of pairs", field="headers")
    for index, pair in enumerate(headers or ()):
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise EncodeError("bad_value", "not a pair of name and value", field=f"headers[{index}]")
        for part, text in enumerate(pair):
            STOMP_TYPES["text"].check(text, f"headers[{index}][{part}]")
        if not pair[0]:
            raise EncodeError("bad_property", "a header without a name", field=f"headers[{index}][0]")
        pairs.append((pair[0], pair[1]))
    return pairs


def _written(command: str, headers: _HeaderPairs, body: bytes, max_body: int, max_header: int) -> bytes:
    if len(body) > max_body:
        raise EncodeError("too_large", f"{len(body)} bytes, the limit is {max_body} (max_body)", field="body")
    escape: Callable[[str], str] = _as_it_is if command in _UNESCAPED else _escaped
    lines = [command.encode(), *(f"{escape(name)}:{escape(value)}".encode() for name, value in headers), b"", b""]
    if max(map(len, lines)) > max_header:
        raise EncodeError("too_large", f"a header of more than {max_header} bytes (max_header)", field="headers")
    if command in _UNESCAPED and any(":" in name for name, _ in headers):
        raise EncodeError("bad_property", f"{command} has no escapes", field="headers")
    return b"%b%b\0" % (b"\n".join(lines), body)


def _escaped(text: str) -> str:
    return text.translate(_ESCAPES)


def _as_it_is(text: str) -> str:
    if _BREAKS.search(text):
        raise EncodeError("bad_property", "CONNECT and CONNECTED have no escapes", field="headers")
    return text

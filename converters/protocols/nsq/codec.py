"""NSQ: commands and frames of the TCP protocol V2, and the deflate and snappy streams that may carry them.

A client sends its magic and then commands: a line of text, some followed by bytes. The server
sends frames: a size, a type and data. Sections and names are those of the specification (TCP Protocol Spec).

The first byte distinguishes the two sides: a frame begins with the high byte of its size, a command with a letter.
"""

import json
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from operator import itemgetter
from struct import Struct, calcsize
from struct import error as struct_error
from typing import Any, Final

import mqconvert.converters.protocols.nsq.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError, Remedy
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.jsonobject import has_lone_surrogate, is_shallow
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import (
    UNWRITABLE,
    Writer,
    read_i32,
    read_u32,
    write_i32,
)
from mqconvert.converters.model.sections import bad_address, check_fields, refuse_frame, section_from_json, section_to_json
from mqconvert.converters.model.sequences import alone, listed, messages_only, one_or_error
from mqconvert.converters.model.values import MAX_DEPTH
from mqconvert.converters.protocols.limits import MAX_REQ_TIMEOUT
from mqconvert.converters.protocols.nsq.commands import (
    COMMANDS,
    DELIVERY,
    FRAMED,
    KINDS,
    LIMITS,
    MAGIC,
    Framed,
    json_document,
)
from mqconvert.converters.protocols.nsq.message import (
    FRAMES,
    MESSAGE,
    NSQ_TYPES,
    Frame,
    Magic,
    Message,
    Mpub,
    name_fault,
)
from mqconvert.converters.protocols.packages import package

MAX_DECOMPRESSED: Final = 64 * 2**20
"""Default limit of a decompressed stream in bytes."""
MAX_LINE: Final = 16384
"""Maximum length of a command's line in bytes with its line end: nsqd's read buffer."""
MAX_MSG_SIZE: Final = 64 * 2**20
MAX_BODY_SIZE: Final = 64 * 2**20
MAX_RDY_COUNT: Final = 2**63 - 1
MAX_FRAMES: Final = 1_000_000
MAX_BATCH: Final = 13_421_772
"""Default limits in bytes, or in items. The first three have the names of settings of nsqd, which has lower defaults.
`MAX_FRAMES` limits the frames of one input, `MAX_BATCH` the messages of one MPUB."""
HEAD_SIZE: Final = i64(calcsize(DELIVERY) - 4)
"""The bytes of a message frame between its size and the body."""
MAX_FRAME: Final = MAX_MSG_SIZE + HEAD_SIZE
"""Default limit of a frame in bytes, without its size field."""

_HEAD: Final = Struct(">ii")  # size, frame type
_head: Final = _HEAD.unpack_from


@dataclass(slots=True)
class Settings:
    """The options of the functions that decode.

    `direction` is C2S (commands) or S2C (frames); by default the first byte decides. `compression` is deflate or snappy for a
    session with that compression: plain up to IDENTIFY, or the response to it, and compressed from there on. Input that begins
    with neither of them nor the magic is compressed from its first byte; such a snappy stream is recognised by its identifier.
    A compressed stream may have `max_decompressed` bytes. Offsets of errors are those of the decompressed bytes.
    `check_identify` requires values in IDENTIFY within nsqd's defaults. The others are limits.
    """

    direction: str | None = None
    compression: str | None = None
    max_decompressed: int = MAX_DECOMPRESSED
    max_msg_size: int = MAX_MSG_SIZE
    max_body_size: int = MAX_BODY_SIZE
    max_rdy_count: int = MAX_RDY_COUNT
    max_req_timeout_ms: int = MAX_REQ_TIMEOUT
    check_identify: bool = True
    max_frames: int = MAX_FRAMES
    max_batch: int = MAX_BATCH


_DEFAULTS: Final = Settings()


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, **options: Any) -> Message:
    """Return the one message in `data`, which may hold other frames; DecodeError with kind and offset otherwise.

    `options` are those of `Settings`. Kinds: `truncated`, `line_too_long`, `bad_magic`, `invalid_command`,
    `invalid_params`, `bad_topic`, `bad_channel`, `bad_message`, `bad_body`, `bad_length`, `unknown_frame_type`,
    `several_messages`, `no_message`; those of `decompress` where a stream is compressed.

    >>> decode(b"PUB orders\\n\\0\\0\\0\\x02hi").body
    b'hi'
    """
    only = _usual(data, options)
    return alone(_messages(data, _settings(options))) if only is None else only


_LARGE: Final = 4
"""Commands begin with a letter, and frames of less than 64 MiB with a byte below this."""


def _usual(data: bytes, options: dict[str, Any]) -> Message | None:
    """Return the message of input that is one message frame, PUB or DPUB; None for any other input, and with options."""
    if options or not data:
        return None
    if data[0] < _LARGE:
        try:
            return printed.read_message(data, 0, len(data))
        except (IndexError, struct_error):
            return None
    message, end = _publish(data, 0, _DEFAULTS)
    return message if end == len(data) else None


def _settings(options: dict[str, Any]) -> Settings:
    return Settings(**options) if options else _DEFAULTS


def decode_all(data: bytes, **options: Any) -> list[Message]:
    """Return all messages of one side of a connection, at least one; skips commands and frames without a message.

    `options` are those of `Settings`.

    >>> [message.body for message in decode_all(b"MPUB t\\n" + bytes.fromhex("00000010 00000002 00000002 6869 00000002 6f6b"))]
    [b'hi', b'ok']
    """
    only = _usual(data, options)
    return list(messages_only(decode_each(data, **options))) if only is None else [only]


def decode_each(data: bytes, **options: object) -> Iterator[Message | DecodeError]:
    """Yield the messages of `decode_all` one by one, and the error of each member of an MPUB, or frame, that is not one."""
    return map(itemgetter(1), _messages(data, _settings(options)))


def encode(
    message: Message,
    *,
    max_msg_size: int = MAX_MSG_SIZE,
    max_body_size: int = MAX_BODY_SIZE,
    max_req_timeout_ms: int = MAX_REQ_TIMEOUT,
) -> bytes:
    """Return a message as its `frame`: a message frame, or a PUB or DPUB; EncodeError names the field at fault.

    The only message of an MPUB becomes an MPUB again. A member of a larger one becomes a PUB, since the others are missing:
    `encode_batch` joins them. The limits are settings of nsqd; EncodeError `bad_delay` for a delay outside 0 to
    `max_req_timeout_ms`.

    >>> encode(Message(topic="orders", body=b"hi"))
    b'PUB orders\\n\\x00\\x00\\x00\\x02hi'
    """
    if message.channel is not None:
        NSQ_TYPES["name"].check(message.channel, "channel")
    if message.frame == "message":
        return _encode_delivery(message, max_msg_size)
    if printed.has_more_than_pub(message) or message.frame != "send":
        refuse_frame(message, FRAMES, NSQ_TYPES)
    topic = _topic(message.topic, "topic")
    body = _body(message.body, "body", max_msg_size)
    size = len(body).to_bytes(4, "big")
    if message.defer_ms is not None:
        NSQ_TYPES["defer"].check(message.defer_ms, "defer_ms")
        if not 0 <= message.defer_ms <= max_req_timeout_ms:
            words = f"a delay of {message.defer_ms} ms, not of 0 to {max_req_timeout_ms} (max_req_timeout_ms)"
            raise EncodeError("bad_delay", words, field="defer_ms")
        return b"DPUB %b %d\n%b%b" % (topic, message.defer_ms, size, body)
    if message.batch_index is not None or message.batch_size is not None:
        _check_batch(message, "")
    if message.batch_size is not None and message.batch_size == 1 and message.batch_index == 0:
        _fits(len(body) + 8, max_body_size, "body", "max_body_size")
        return b"MPUB %b\n%b%b%b" % (topic, _HEAD.pack(len(body) + 8, 1), size, body)
    return b"".join((b"PUB ", topic, b"\n", size, body))


def encode_batch(
    messages: list[Message],
    *,
    max_msg_size: int = MAX_MSG_SIZE,
    max_body_size: int = MAX_BODY_SIZE,
    max_req_timeout_ms: int = MAX_REQ_TIMEOUT,
) -> bytes:
    """Return one MPUB of all messages, which go to one topic; EncodeError names the message that cannot be a member.

    The options are those of `encode`.

    >>> encode_batch([Message(topic="t", body=b"hi"), Message(topic="t", body=b"ok")])[:7]
    b'MPUB t\\n'
    """
    del max_req_timeout_ms  # an MPUB has no delay
    if not messages:
        raise EncodeError("bad_batch", "empty batch: give at least one message", field="")
    for index, message in enumerate(messages):
        if message.topic != messages[0].topic:
            raise EncodeError("bad_value", "a batch goes to one topic", field=f"[{index}].topic")
        for name in (*FRAMES["message"], "defer_ms"):
            if getattr(message, name) is not None:
                raise EncodeError("bad_value", "an MPUB cannot carry it", field=f"[{index}].{name}")
        if message.frame != "send":
            raise EncodeError("bad_value", "the members of an MPUB have the frame send", field=f"[{index}].frame")
        _check_batch(message, f"[{index}].")
    batch = Mpub(messages[0].topic or "", [message.body for message in messages])
    return _encode_command("MPUB", batch, max_msg_size, max_body_size)


def _check_batch(message: Message, path: str) -> None:
    for name, value in (("batch_index", message.batch_index), ("batch_size", message.batch_size)):
        if value is not None:
            NSQ_TYPES["uint"].check(value, path + name)


def _encode_delivery(message: Message, max_msg_size: int) -> bytes:
    """Write a message frame without checks; `_check_delivery` finds the fault of an invalid message."""
    body: bytes = message.body if type(message.body) is bytes else b""
    size: i64 = len(body)
    out = Writer()
    try:
        write_i32(out, size + HEAD_SIZE)
        write_i32(out, MESSAGE)
        printed.write_delivery(out, message)
    except UNWRITABLE:
        _check_delivery(message)
        raise
    if printed.has_more_than_delivery(message):
        _check_delivery(message)
    if not size:
        NSQ_TYPES["payload"].check(message.body, "body")
    if size > max_msg_size:
        _fits(size, max_msg_size, "body", "max_msg_size")
    return b"".join((out.getvalue(), body))


def _check_delivery(message: Message) -> None:
    """Raise EncodeError for an invalid field of a message frame."""
    refuse_frame(message, FRAMES, NSQ_TYPES)
    *others, last = own = FRAMES["message"]
    for name in own:
        if getattr(message, name) is None:
            raise EncodeError("bad_value", f"a message frame needs {', '.join(others)} and {last}", field=name)
    check_fields(message, NSQ_TYPES)


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_each_frame(data: bytes, **options: object) -> Iterator[Frame]:
    """Yield all commands or frames of one side of a connection, at least one; DecodeError as for `decode`.

    >>> decode_frames(b"  V2SUB orders archive\\nRDY 100\\n")
    [Magic(), Sub(topic='orders', channel='archive'), Rdy(count=100)]
    >>> decode_frames(bytes.fromhex("00000006 00000000 4f4b"))
    [Response(data=b'OK')]
    """
    for _, frame in _frames(data, _settings(options)):
        if isinstance(frame, DecodeError):
            raise frame
        yield Mpub(frame.topic, list(messages_only(frame.each()))) if isinstance(frame, _Members) else frame


decode_frames: Callable[..., list[Frame]] = listed(decode_each_frame)


def encode_frame(
    frame: object,
    *,
    max_msg_size: int = MAX_MSG_SIZE,
    max_body_size: int = MAX_BODY_SIZE,
    max_req_timeout_ms: int = MAX_REQ_TIMEOUT,
) -> bytes:
    """Return the bytes of any command or frame; EncodeError names the field at fault. The limits are those of `encode`.

    >>> from mqconvert.converters.protocols.nsq.message import Sub
    >>> encode_frame(Sub("orders", "archive"))
    b'SUB orders archive\\n'
    """
    if isinstance(frame, Message):
        return encode(frame, max_msg_size=max_msg_size, max_body_size=max_body_size, max_req_timeout_ms=max_req_timeout_ms)
    name = _name_of(frame)
    if name in COMMANDS:
        return _encode_command(name, frame, max_msg_size, max_body_size)
    return _encode_framed(FRAMED[name], frame, max_msg_size) if name in FRAMED else MAGIC


_NAMES = {kind.of: name for name, kind in KINDS.items() if kind.of is not Message}
"""The names of commands and frames by their classes; `_name_of` has those of messages."""

ERRORS = {
    "E_INVALID": "unknown command, wrong state, or parameters that are too few or wrong",
    "E_BAD_BODY": "the body's size, count or JSON is wrong",
    "E_BAD_TOPIC": "no valid name of a topic",
    "E_BAD_CHANNEL": "no valid name of a channel",
    "E_BAD_MESSAGE": "the message's size is wrong",
    "E_PUB_FAILED": "the message could not be stored",
    "E_MPUB_FAILED": "the messages could not be stored",
    "E_DPUB_FAILED": "the deferred message could not be stored",
    "E_SUB_FAILED": "the subscription failed",
    "E_FIN_FAILED": "the message is not in flight for this client",
    "E_REQ_FAILED": "the message is not in flight for this client",
    "E_TOUCH_FAILED": "the message is not in flight for this client",
    "E_AUTH_FIRST": "AUTH has to come first",
    "E_AUTH_FAILED": "asking the authorisation server failed",
    "E_AUTH_DISABLED": "the server has no authorisation",
    "E_AUTH_ERROR": "the authorisation server's answer is unusable",
    "E_UNAUTHORIZED": "not permitted",
    "E_IDENTIFY_FAILED": "no such combination of features",
    "E_BAD_PROTOCOL": "the magic is wrong",
}
"""The error codes with their meanings."""
_STAYS_OPEN = frozenset({"E_FIN_FAILED", "E_REQ_FAILED", "E_TOUCH_FAILED"})
"""After every other error the server closes the connection."""


def frame_to_json(frame: object) -> JsonObject:
    """Return a command or frame as JSON: its name and meaning, its fields in the JSON form of messages, and their content.

    >>> from mqconvert.converters.protocols.nsq.message import Error, Rdy
    >>> frame_to_json(Error(b"E_FIN_FAILED FIN 0123456789abcdef failed"))["fatal"]
    False
    >>> frame_to_json(Rdy(100))
    {'frame': 'RDY', 'meaning': 'the client is ready for so many messages', 'count': 100}
    """
    name = _name_of(frame)
    if name == "MPUB" and isinstance(frame, Message):
        frame = Mpub(frame.topic or "", [frame.body])
    return {"frame": name} | _derived(name, frame) | section_to_json(frame, NSQ_TYPES) | {"frame": name}


def frame_from_json(obj: JsonObject) -> Frame:
    """Return the frame of its JSON form. Derived members may be left out, but must agree if given. IDENTIFY and responses may
    be given as `json` alone, errors as `code` and `description`. DecodeError names the fault.

    >>> frame_from_json({"frame": "SUB", "topic": "orders", "channel": "archive"})
    Sub(topic='orders', channel='archive')
    >>> frame_from_json({"frame": "error", "code": "E_INVALID", "description": "cannot SUB in current state"})
    Error(data=b'E_INVALID cannot SUB in current state')
    """
    if not is_shallow(obj):
        raise DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}")
    name = obj.get("frame")
    if not isinstance(name, str) or name not in KINDS:
        raise DecodeError("invalid_command", f"expected one of {', '.join(KINDS)}", field="frame")
    members = {key: member for key, member in obj.items() if key not in _TOLD}
    if not members:
        members = _primary(name, obj)
    frame: Frame = section_from_json(KINDS[name].of, members, NSQ_TYPES)
    if type(frame) is Message:
        frame.frame = "message" if name == "message" else "send"
    if type(frame) is Message and _name_of(frame) != name:
        raise DecodeError("bad_value", f"the fields are those of a {_name_of(frame)}", field="frame")
    known: JsonObject = {"frame": name, **_derived(name, frame)}
    for key, told in obj.items():
        if key in _TOLD and (key not in known or json.dumps(told, sort_keys=True) != json.dumps(known[key], sort_keys=True)):
            raise DecodeError("bad_value", "does not agree with the rest of the frame", field=key)
    return frame


_TOLD = frozenset({"frame", "meaning", "frame_type", "json", "code", "description", "fatal"})
"""Members of a frame's JSON form that follow from the others."""


def _name_of(frame: object) -> str:
    """Return the name of a command or frame; EncodeError for any other object."""
    if type(frame) is not Message:
        if type(frame) not in _NAMES:
            raise EncodeError("invalid_command", f"{type(frame).__name__} is neither a command nor a frame", field="frame")
        return _NAMES[type(frame)]
    if frame.frame == "message":
        return "message"
    if frame.defer_ms is not None:
        return "DPUB"
    return "MPUB" if frame.batch_size == 1 and frame.batch_index == 0 else "PUB"


def _derived(name: str, frame: Any) -> JsonObject:
    """Return the derived members of a frame's JSON form."""
    kind = KINDS[name]
    told: JsonObject = {"meaning": kind.meaning}
    if name in FRAMED:
        told["frame_type"] = FRAMED[name].type
    document = json_document(getattr(frame, kind.document)) if kind.document else None
    if document is not None and not has_lone_surrogate(document):
        told["json"] = document
    if name == "error":
        code, blank, description = frame.data.decode("utf-8", "replace").partition(" ")
        told |= {"code": code, "fatal": code not in _STAYS_OPEN, "meaning": ERRORS.get(code, told["meaning"])}
        if blank:
            told["description"] = description
    return told


def _primary(name: str, obj: JsonObject) -> JsonObject:
    """Return the fields of a frame from its derived members."""
    field = KINDS[name].document
    if field and isinstance(obj.get("json"), dict):
        return {field: json.dumps(obj["json"], separators=(",", ":"))}
    if name == "error" and isinstance(obj.get("code"), str) and isinstance(obj.get("description", ""), str):
        return {"data": " ".join(obj[key] for key in ("code", "description") if key in obj)}
    return {}


# ---- compressed streams ---------------------------------------------------------------------------------------------

_SNAPPY_START = b"\xff\x06\0\0sNaPpY"
"""The stream identifier chunk of the snappy framing format."""
_SNAPPY_CHUNK = 65536


def decompress(data: bytes, compression: str, *, max_decompressed: int = MAX_DECOMPRESSED) -> bytes:
    """Decompress a stream of deflate (raw) or snappy (framing format) to at most `max_decompressed` bytes; it need not end.

    Kinds of DecodeError: `unknown_compression`, `bad_compression`, `bad_checksum`, `truncated`. Snappy needs
    packages of the extra `brokers`, or MqConvertError `missing_package`.

    >>> decompress(bytes.fromhex("cac80400"), "deflate")
    b'hi'
    """
    if compression == "deflate":
        return _inflate(data, max_decompressed)
    if compression == "snappy":
        return _unsnap(data, max_decompressed)
    raise DecodeError("unknown_compression", f"no compression {compression!r}: deflate or snappy", field="compression")


def _inflate(data: bytes, max_decompressed: int) -> bytes:
    inflate = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    try:
        found = inflate.decompress(data, min(max_decompressed + 1, sys.maxsize))
    except zlib.error as error:
        raise DecodeError("bad_compression", f"not a deflate stream: {error}", offset=0) from None
    if len(found) > max_decompressed:
        raise _too_much(max_decompressed)
    if inflate.unused_data:
        raise DecodeError("bad_compression", "bytes after the stream", offset=len(data) - len(inflate.unused_data))
    return found


def _unsnap(data: bytes, max_decompressed: int) -> bytes:
    """Decompress the chunks of the snappy framing format: a type, a length of three bytes (little-endian), and data."""
    if not data.startswith(_SNAPPY_START):
        kind = "truncated" if _SNAPPY_START.startswith(data) else "bad_compression"
        raise DecodeError(kind, "missing stream identifier of snappy", offset=0)
    made = bytearray()
    at = 0
    while at < len(data):
        end = at + 4 + int.from_bytes(data[at + 1 : at + 4], "little")
        if end > len(data):
            raise DecodeError("truncated", "the input ends within a chunk of snappy", offset=len(data))
        made += _snappy_chunk(data[at], data[at + 4 : end], at)
        if len(made) > max_decompressed:
            raise _too_much(max_decompressed)
        at = end
    return bytes(made)


def _snappy_chunk(type_: int, chunk: bytes, at: int) -> bytes:
    if type_ > 1:
        if type_ < 0x80 or (type_ == 0xFF and chunk != _SNAPPY_START[4:]):
            raise DecodeError("bad_compression", f"unknown snappy chunk type 0x{type_:02x}", offset=at)
        return b""  # padding, a stream identifier, or a chunk type that readers skip
    snappy = package("cramjam")
    told, packed = int.from_bytes(chunk[:4], "little"), chunk[4:]
    try:
        size = -1 if len(chunk) < 4 else len(packed) if type_ else snappy.snappy.decompress_raw_len(packed)
        if not 0 <= size <= _SNAPPY_CHUNK:
            raise DecodeError("bad_compression", "a chunk that is too short or decompresses to too many bytes", offset=at)
        part = packed if type_ else bytes(snappy.snappy.decompress_raw(packed))
    except snappy.DecompressionError as error:
        raise DecodeError("bad_compression", str(error), offset=at) from None
    found = package("google_crc32c").value(part)
    found = ((found >> 15 | found << 17) + 0xA282EAD8) & 0xFFFFFFFF  # the framing format masks its checksums
    if found != told:
        raise DecodeError("bad_checksum", f"CRC-32C 0x{told:08x} announced, 0x{found:08x} found", offset=at)
    return part


def _too_much(max_decompressed: int) -> LimitError:
    return LimitError(
        "too_large", f"more than {max_decompressed} bytes after decompression", limit="max_decompressed", offset=0
    )


# ---- reading --------------------------------------------------------------------------------------------------------


def decode_magic(data: bytes) -> Magic:
    """Return the magic, a client's first four bytes; DecodeError `bad_magic` for others."""
    if len(data) < 4 and MAGIC.startswith(data):
        raise DecodeError("truncated", "the input ends within the magic", offset=len(data))
    if data[:4] != MAGIC:
        raise DecodeError("bad_magic", 'expected the NSQ V2 magic (two spaces and "V2")', offset=0)
    if len(data) > 4:
        raise DecodeError("trailing_bytes", "bytes after the magic", offset=4)
    return Magic()


@dataclass(slots=True)
class _Members:
    """The members of an MPUB, which are read one by one: each error takes much more memory than its bytes."""

    topic: str
    data: bytes
    start: int
    stop: int
    count: int
    highest: int
    end: int
    """The offset after the command, once all members are read; the end of the data if an error hides it."""

    def each(self) -> Iterator[bytes | DecodeError]:
        """Yield the bodies of valid members and the errors of others. An error that hides the next member is the last."""
        data, at, stop = self.data, self.start, self.stop
        for _ in range(self.count):
            try:
                body, at = _sized(data, at, "bad_message", self.highest)
            except DecodeError as error:
                invalid = error
            else:
                if at > stop:
                    yield DecodeError("bad_length", "the messages are longer than the body", offset=self.start - 8)
                    return
                yield body
                continue
            yield invalid  # not while it is handled: see model/sequences.py
            size: int = read_i32(data, at) if at + 4 <= len(data) else -1
            at += 4 + size
            if size < 0 or at > min(stop, len(data)):
                return
        if at != stop:
            yield DecodeError("bad_length", "the messages are shorter than the body", offset=self.start - 8)
            return
        self.end = at


Found = Frame | DecodeError | _Members


def _frames(data: bytes, settings: Settings) -> Iterator[tuple[int, Found]]:
    """Yield every command or frame with its offset, or its error; DecodeError for no bytes at all."""
    compression, direction = settings.compression, settings.direction
    if data.startswith(_SNAPPY_START) or (compression is not None and not _begins_plain(data)):
        data = decompress(data, compression or "snappy", max_decompressed=settings.max_decompressed)
        compression = None
    if direction not in (None, "C2S", "S2C"):
        raise DecodeError("bad_option", "expected C2S or S2C", field="direction")
    # Commands begin with a letter; a valid size of a frame, at most 64 MiB, does not.
    commands = (not data or 9 <= data[0] <= 13 or 32 <= data[0] <= 126) if direction is None else direction == "C2S"
    at = 0
    if commands and data.startswith(MAGIC[:1]):
        yield 0, decode_magic(data[:4])
        at = 4
    read: Callable[[bytes, int], tuple[Found, int]] = partial(_command if commands else _frame, settings=settings)
    left = settings.max_frames
    follows: str | None = None
    while at < len(data) or not at:
        if not left:
            words = f"more than {settings.max_frames} commands or frames"
            raise LimitError("too_many", words, limit="max_frames", offset=at)
        left -= 1
        try:
            if commands and follows is None:
                frame, end = one_or_error(read, _behind_command, data, at)
            else:  # behind an agreement on compression or encryption nothing is known of an invalid command
                frame, end = read(data, at)
        except DecodeError as error:
            if follows is None or isinstance(error, LimitError):
                raise
            hint, remedy = _HINTS[follows]
            raise DecodeError(error.kind, f"{error.fault}; {hint}", offset=error.offset, remedy=remedy) from None
        yield at, frame
        at = end
        if isinstance(frame, Message):
            continue
        if isinstance(frame, _Members):
            at = frame.end
        elif not isinstance(frame, DecodeError) and (found := _agreed(frame)) is not None:
            if found == compression:
                data = _decompressed_from(data, at, found, settings.max_decompressed)
                compression = None
            else:
                follows = found


def _begins_plain(data: bytes) -> bool:
    """Return whether a session begins with plain bytes: the magic, IDENTIFY, or the response to it."""
    if data.startswith((MAGIC, b"IDENTIFY\n", b"IDENTIFY\r\n")):
        return True
    return data[4:9] == b"\0\0\0\0{" and 4 < read_i32(data, 0) <= MAX_FRAME


_COMPRESSIONS: Final = ("deflate", "snappy")
_HINTS: Final[dict[str, tuple[str, Remedy | None]]] = {
    "tls_v1": ("the session is encrypted after IDENTIFY (tls_v1)", None),
    **{name: ("the session is compressed after IDENTIFY", Remedy("compression", name)) for name in _COMPRESSIONS},
}
"""What may follow IDENTIFY and its response, by the member that agrees it, with the option that reads it."""


def _agreed(frame: Frame) -> str | None:
    """Return the member of IDENTIFY, or of the response to it, by which the rest of the session is encrypted or compressed."""
    field = KINDS[_name_of(frame)].document
    document = (json_document(getattr(frame, field)) if field else None) or {}
    return next((name for name in _HINTS if document.get(name) is True), None)


def _decompressed_from(data: bytes, at: int, compression: str, max_decompressed: int) -> bytes:
    """Return a session whose bytes from `at` on are compressed, with these decompressed."""
    try:
        return data[:at] + (decompress(data[at:], compression, max_decompressed=max_decompressed) if at < len(data) else b"")
    except DecodeError as error:
        error.offset = at + (error.offset or 0)
        raise


def _messages(data: bytes, settings: Settings) -> Iterator[tuple[int, Message | DecodeError]]:
    none = True
    for at, frame in _frames(data, settings):
        if isinstance(frame, Message | DecodeError):
            none = False
            yield at, frame
        elif isinstance(frame, _Members):
            none = False
            for index, body in enumerate(frame.each()):
                if isinstance(body, DecodeError):
                    yield at, body
                else:
                    yield at, Message(frame.topic, batch_index=index, batch_size=frame.count, body=body)
    if none:
        raise DecodeError("no_message", "no PUB, MPUB, DPUB or message frame in the input", offset=0)


_BY_TYPE: Final = {framed.type: framed.of for framed in FRAMED.values()}


def _frame(data: bytes, at: int, settings: Settings) -> tuple[Frame | DecodeError, int]:
    """Return the frame at `at`, or the error of one whose end is known, and the offset after it."""
    try:
        size, type_ = _head(data, at)
    except struct_error:
        size, type_ = _number(data, at), None
    if not 4 <= size <= settings.max_msg_size + HEAD_SIZE:
        speaks = ": this looks like HTTP" if size == 0x48545450 else ""
        raise DecodeError("bad_length", f"a frame of {size} bytes{speaks}", offset=at)
    if type_ is None:
        raise DecodeError("truncated", "the input ends within the head of a frame", offset=len(data))
    end = at + 4 + size
    if type_ not in _BY_TYPE:
        return DecodeError("unknown_frame_type", f"unknown frame type {type_}", offset=at + 4), min(end, len(data))
    if type_ == MESSAGE and size < HEAD_SIZE:
        return DecodeError("bad_message", "less than timestamp, attempts and message id", offset=at), min(end, len(data))
    if end > len(data):
        raise DecodeError("truncated", f"a frame of {size} bytes, {len(data) - at - 4} there", offset=len(data))
    if type_ == MESSAGE:
        message: Any = printed.read_message(data, at, end)  # never None, after these tests
        return message, end
    content = data[at + 8 : end]
    return _BY_TYPE[type_](content), end


_PUB: Final = 0x50554220
_DPUB: Final = 0x44505542
"""The first four bytes of a PUB and a DPUB, as numbers."""


def _publish(data: bytes, at: i64, settings: Settings) -> tuple[Message | None, i64]:
    """Return the message of a PUB or DPUB at `at`, and the offset after it; None for another command, or an invalid one."""
    message = Message()
    end: i64 = len(data)
    try:
        word: i64 = read_u32(data, at)
        if word == _PUB:
            end = printed.read_pub(message, data, at + 4, end)
        elif word == _DPUB and data[at + 4] == 0x20:
            end = printed.read_dpub(message, data, at + 5, end)
            defer: Any = message.defer_ms
            if defer > settings.max_req_timeout_ms:
                return None, at
        else:
            return None, at
    except (IndexError, UnicodeDecodeError, struct_error):
        return None, at
    return message if len(message.body) <= settings.max_msg_size else None, end


def _command(data: bytes, at: int, settings: Settings) -> tuple[Frame | _Members, int]:
    """Return the command at `at` and the offset after it."""
    message, end = _publish(data, at, settings)
    if message is not None:
        return message, end
    stop = data.find(b"\n", at, at + MAX_LINE)
    if stop < 0:
        if len(data) - at >= MAX_LINE:
            raise DecodeError("line_too_long", f"no line end within {MAX_LINE} bytes", offset=at)
        raise DecodeError("truncated", "the input ends within a line", offset=len(data))
    line = data[at : stop - 1] if stop > at and data[stop - 1] == 0x0D else data[at:stop]
    name, *parameters = line.split(b" ")
    row = _ROWS.get(name)
    if row is None:
        shown = name[:40].decode("ascii", "backslashreplace")
        raise DecodeError("invalid_command", f"no command {shown!r}", offset=at)
    word, command, forms = row
    more = len(parameters) - len(forms)
    if more < 0 and not command.optional:
        raise DecodeError("invalid_params", f"{word} needs more parameters", offset=at)
    if more > 0 and not command.more:
        raise DecodeError("invalid_params", f"{word} has no parameters", offset=at)
    made: dict[str, Any] = {}
    for (field, read, _), raw in zip(forms, parameters, strict=False):
        made[field] = read(raw, field, word, at, settings)
    if command.of is Mpub:
        return _mpub(made["topic"], data, stop + 1, settings), len(data)
    if not command.body:
        return command.of(**made), stop + 1
    kind, most = ("bad_message", settings.max_msg_size) if command.of is Message else ("bad_body", settings.max_body_size)
    body, end = _sized(data, stop + 1, kind, most)
    if command.fault is not None and (fault := command.fault(body, settings.check_identify)) is not None:
        raise DecodeError("bad_body", fault, offset=stop + 5)
    made[command.body] = body
    return command.of(**made), end


def _behind_command(data: bytes, at: int) -> int:
    """Return the offset after the command at `at`, invalid or not; DecodeError for an unknown or truncated one."""
    stop = data.find(b"\n", at, at + MAX_LINE)
    row = _ROWS.get(data[at : max(stop, at)].split(b" ")[0].rstrip(b"\r"))
    if row is not None and not row[1].body:
        return stop + 1
    size = -1 if row is None else _number(data, stop + 1)
    end = stop + 5 + size
    if size < 0 or end > len(data):
        raise DecodeError("truncated", "nobody knows where the next command begins", offset=at)
    return end


def _read_name(raw: bytes, field: str, _word: str, at: int, _settings: Settings) -> str:
    text = raw.decode("latin-1")
    fault = name_fault(text)
    if fault is not None:
        raise DecodeError("bad_channel" if field == "channel" else "bad_topic", fault, offset=at)
    return text


def _read_number(raw: bytes, field: str, word: str, at: int, settings: Settings) -> int:
    """Parse decimal digits, whose highest value an option may set; nsqd reads empty text as 0."""
    if raw and not raw.isdigit():
        raise DecodeError("invalid_params", f"{word} needs a number in digits", offset=at)
    option = LIMITS.get(field, "")
    highest: int = getattr(settings, option) if option else 2**63 - 1
    digits = raw.lstrip(b"0")
    value = int(digits or b"0") if len(digits) < 20 else highest + 1
    if value > highest:
        words = f"{word} needs a number of at most {highest}{option and f' ({option})'}"
        raise DecodeError("invalid_params", words, offset=at)
    return value


def _read_message_id(raw: bytes, _field: str, _word: str, at: int, _settings: Settings) -> bytes:
    if len(raw) != 16:
        raise DecodeError("invalid_params", f"a message id of {len(raw)} bytes, not of 16", offset=at)
    return raw


_LIMIT_OF: Final = {"bad_message": "max_msg_size", "bad_body": "max_body_size"}
"""The option whose limit a size exceeds, by the kind of the error."""


def _sized(data: bytes, at: int, kind: str, highest: int) -> tuple[bytes, int]:
    size, start = _number(data, at), at + 4
    if not 0 < size <= highest:
        raise DecodeError(kind, f"a size of {size}, not of 1 to {highest} ({_LIMIT_OF[kind]})", offset=at)
    end = start + size
    if end > len(data):
        raise DecodeError("truncated", f"{size} bytes announced, {len(data) - start} there", offset=len(data))
    return data[start:end], end


def _number(data: bytes, at: int) -> int:
    try:
        return read_i32(data, at)
    except (IndexError, struct_error):
        raise DecodeError("truncated", "the input ends within a size or count", offset=len(data)) from None


def _mpub(topic: str, data: bytes, start: int, settings: Settings) -> _Members:
    """Return the members of an MPUB. Its size must match the following bytes, although nsqd itself checks only the range."""
    size = _number(data, start)
    if not 0 < size <= settings.max_body_size:
        words = f"a body of {size} bytes, not of 1 to {settings.max_body_size} (max_body_size)"
        raise DecodeError("bad_body", words, offset=start)
    count = _number(data, start + 4)
    if not 0 < count <= (settings.max_body_size - 4) // 5:
        raise DecodeError("bad_body", f"{count} messages in {size} bytes", offset=start + 4)
    if count > settings.max_batch:
        words = f"an MPUB of {count} messages, the limit is {settings.max_batch}"
        raise LimitError("too_many", words, limit="max_batch", offset=start + 4)
    return _Members(topic, data, start + 8, start + 4 + size, count, settings.max_msg_size, len(data))


# ---- writing --------------------------------------------------------------------------------------------------------


def _topic(value: Any, field: str) -> bytes:
    fault = name_fault(value)
    if fault is not None:
        raise bad_address(value, fault, field, f"bad_{field}")
    text: str = value
    return text.encode()


def _body(value: Any, field: str, max_msg_size: int) -> bytes:
    """Return a body to publish; nsqd refuses an empty one."""
    if type(value) is not bytes:
        NSQ_TYPES["payload"].check(value, field)
    raw: bytes = value
    if not raw:
        raise EncodeError("bad_message", "nsqd refuses empty messages", field=field)
    if len(raw) > max_msg_size:
        _fits(len(raw), max_msg_size, field, "max_msg_size")
    return raw


def _fits(size: int, most: int, field: str, option: str) -> None:
    if size > most:
        raise EncodeError("too_large", f"{size} bytes, the limit is {most} ({option})", field=field)


def _encode_command(name: str, frame: Any, max_msg_size: int, max_body_size: int) -> bytes:
    _, command, forms = _ROWS[name.encode()]
    parts = [name.encode()]
    for field, _, write in forms:
        parts += b" ", write(getattr(frame, field), field)
    parts.append(b"\n")
    field = command.body
    if not field:
        return b"".join(parts)
    body: Any = getattr(frame, field)
    NSQ_TYPES[command.types[field]].check(body, field)
    if command.of is Mpub:
        return b"".join(parts + _bodies(body, max_msg_size, max_body_size))
    _fits(len(body), max_body_size, field, "max_body_size")
    fault = command.fault(body, False) if command.fault is not None else None
    if fault is not None or not body:
        raise EncodeError("bad_body", fault or f"nsqd refuses an empty {field}", field=field, names_field=fault is None)
    return b"".join((*parts, len(body).to_bytes(4, "big"), body))


def _bodies(bodies: list[bytes], max_msg_size: int, max_body_size: int) -> list[bytes]:
    """Return the body of an MPUB in parts."""
    if not bodies:
        raise EncodeError("bad_body", "empty batch: give at least one message", field="bodies")
    parts = [b""]
    for index, body in enumerate(bodies):
        if not 0 < len(body) <= max_msg_size:
            _body(body, f"bodies[{index}]", max_msg_size)
        parts += len(body).to_bytes(4, "big"), body
    size = 4 + sum(map(len, parts))
    _fits(size, max_body_size, "bodies", "max_body_size")
    parts[0] = _HEAD.pack(size, len(bodies))
    return parts


def _write_number(value: Any, field: str) -> bytes:
    NSQ_TYPES["number"].check(value, field)
    return b"%d" % value


def _write_message_id(value: Any, field: str) -> bytes:
    """Return a message id for a command's line; a blank would end the parameter."""
    NSQ_TYPES["id_octets"].check(value, field)
    raw: bytes = value
    if b" " in raw or b"\n" in raw or raw.endswith(b"\r"):
        raise EncodeError("bad_value", "a command cannot carry a blank or line end", field=field)
    return raw


def _encode_framed(framed: Framed, frame: Any, max_msg_size: int) -> bytes:
    NSQ_TYPES["longstr"].check(frame.data, "data")
    data: bytes = frame.data
    _fits(len(data), max_msg_size, "data", "max_msg_size")
    return _HEAD.pack(len(data) + 4, framed.type) + data


_FORMS: Final[dict[str, tuple[Callable[[bytes, str, str, int, Settings], object], Callable[[Any, str], bytes]]]] = {
    "name": (_read_name, _topic),
    "id_octets": (_read_message_id, _write_message_id),
    "number": (_read_number, _write_number),
    "defer": (_read_number, _write_number),
}
"""The forms of parameters by wire type: what reads one, and what writes it."""
_ROWS: Final = {
    name.encode(): (name, command, [(field, *_FORMS[command.types[field]]) for field in command.parameters])
    for name, command in COMMANDS.items()
}
"""The commands by their names, with the forms of their parameters."""

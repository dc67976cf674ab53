"""RocketMQ: remoting frames, and the messages in them: send requests, batches and stored records.

codes.py has the names and meanings of codes. All integers are big-endian, all text
is UTF-8. `decode` and `encode` are for messages, `decode_frames` and `encode_frame` for any command.
"""

import json
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields, replace
from decimal import Decimal
from functools import lru_cache
from ipaddress import IPv6Address
from operator import attrgetter
from struct import Struct, calcsize
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from typing import Any, Final, TypeVar

import mqconvert.converters.protocols.rocketmq.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError, MqConvertError, Remedy
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.jsonobject import has_lone_surrogate, json_object
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.model.primitives import (
    UNWRITABLE,
    Writer,
    put_size,
    read_i16,
    read_i32,
    read_u16,
    read_u32,
    text_or_none,
    utf8_size,
    write_i32,
    write_text16,
    write_u32,
)
from mqconvert.converters.model.sections import (
    as_frame,
    bad_address,
    check_fields,
    refuse_frame,
    section_from_json,
    section_to_json,
)
from mqconvert.converters.model.sequences import listed, the_only, unless_limit
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols.rocketmq.codes import LANGUAGES, REQUEST_CODES, RESPONSE_CODES, Code
from mqconvert.converters.protocols.rocketmq.message import (
    FIXED,
    FRAMES,
    HEADER,
    MEMBER,
    MESSAGE_MAGIC_CODE,
    MESSAGE_MAGIC_CODE_V2,
    PUSHED,
    RESPONSE_TYPE,
    ROCKETMQ_TYPES,
    RPC_ONEWAY,
    SENT,
    SYS_FLAG_BITS,
    Frame,
    Message,
    parsed_host,
    topic_fault,
)
from mqconvert.converters.protocols.rocketmq.payload import compress as compressed
from mqconvert.converters.protocols.rocketmq.payload import decompress, kind_of

MAX_FRAME_SIZE: Final = 16 * 2**20
"""Default limit of a frame in bytes, with its length field."""
MAX_DECOMPRESSED: Final = 64 * 2**20
"""Default limit of all decompressed bodies of a call in bytes."""
MAX_BODY: Final = 64 * 2**20
"""Default limit of a written body in bytes, the same as for reading.

Brokers accept 4 MiB by default, which a row of mappings/rocketmq.toml checks.
"""
MAX_PROPERTIES: Final = 2**15 - 1
"""Maximum size of a property string in bytes: stored records have its length in an int16."""

MAX_BATCH: Final = 100_000
"""Default limit of members in a batch."""

SEND_MESSAGE: Final = 10
SEND_MESSAGE_V2: Final = 310
SEND_BATCH_MESSAGE: Final = 320
PUSH_REPLY_MESSAGE_TO_CLIENT: Final = 326
"""The requests that this module names; codes.py says what each carries."""

COMPRESSED: Final = 0x1
INNER_BATCH: Final = 0xC0
"""Bits of a message's sysFlag; bits 8 to 10 are the type of the compression."""


class _Room:
    """The remaining limits of a call: decompressed bytes of all its bodies, and members of a batch."""

    __slots__ = ("batch", "left", "limit")

    def __init__(self, limit: int, batch: int) -> None:
        self.left = self.limit = limit
        self.batch = batch


_HEADER: Final = Struct(FIXED)
_HEADER_SIZE: Final = i64(calcsize(FIXED))
_SHORTEST_HEADER: Final = _HEADER_SIZE + 4
"""The bytes of a binary header with an empty remark and no extFields, whose size has 4 bytes."""


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, **options: Any) -> Message:
    """Return the one message in `data`: a send request, a response with one stored record, or the record alone.

    `options` are those of `decode_all`. DecodeError kinds: `truncated`, `frame_too_large`, `bad_length`,
    `unknown_serialize_type`, `bad_header`, `missing_field`, `bad_value`, `bad_topic` (brokers refuse it), `too_large`
    (a property string of more than 32767 bytes), `bad_utf8`, `bad_magic`, `bad_checksum`,
    `bad_compression` (also if all bodies decompress to more than `max_decompressed` bytes), `unknown_compression`,
    `no_message` (a frame without one), `several_messages`. MqConvertError `missing_package` if the package that decompresses a
    body is not installed.

    >>> decode(encode(Message(topic="t", body=b"hi", properties=[("TAGS", "a")]))).properties
    [('TAGS', 'a')]
    """
    if not options:
        room = _Room(MAX_DECOMPRESSED, MAX_BATCH)
        if data[4:5] == b"\1":  # a binary header
            bounds = _frame_bounds(data, 0, MAX_FRAME_SIZE)
            found = _lettered(data, bounds, room, False) if bounds[2] == len(data) else None
            if isinstance(found, Message) and found.topic:
                return found
        elif data[4:8] in _MAGICS:
            record, end, sys_flag, _ = _read_record(data, 0, len(data), room, False)
            if end == len(data) and sys_flag & INNER_BATCH != INNER_BATCH:
                return record
    return the_only(decode_each(data, **options))


def decode_each(
    data: bytes,
    *,
    max_frame_size: int = MAX_FRAME_SIZE,
    max_decompressed: int = MAX_DECOMPRESSED,
    max_batch: int = MAX_BATCH,
    lenient: bool = False,
) -> Iterator[Message | DecodeError]:
    """Yield every message in a sequence of frames or of stored records, at least one; skips frames without a message.

    In the place of an invalid frame, record or member is its error.

    Members of batches come one by one, also those of a record with a batch inside (0x40 and 0x80 in sysFlag), as Java's
    `MessageDecoder.decodeMessage(MessageExt, List)` gives them. `max_decompressed` limits all bodies together, `max_batch` the
    members of each batch. `lenient` accepts unknown languages and members of JSON headers in other capitals, and treats a body
    CRC of 0 on a record as unset.
    """
    room = _Room(max_decompressed, max_batch)
    if len(data) >= 8 and data[4:8] in _MAGICS:
        yield from _records(data, 0, len(data), room, lenient)
        return
    none_yet = True
    at = 0
    while at < len(data) or not at:
        bounds = _frame_bounds(data, at, max_frame_size)
        invalid: DecodeError | None = None
        try:
            found = _lettered(data, bounds, room, lenient) or _of_frame(data, bounds, room, lenient)
            for one in (found,) if isinstance(found, Message) else found:
                if isinstance(one, Message) and not one.topic:
                    invalid = DecodeError(
                        "bad_topic", "a send request without topic", offset=at, field="topic", names_field=True
                    )
                    break
                none_yet = False
                yield one
        except DecodeError as error:
            invalid = unless_limit(error)
        if invalid is not None:  # not while it is handled: see model/sequences.py
            none_yet = False
            yield invalid
        at = bounds[2]
    if none_yet:
        raise DecodeError("no_message", f"{_shown(_header(data, bounds, lenient))} carries no message", offset=0)


decode_all = listed(decode_each)


def _of_frame(data: bytes, bounds: "_Bounds", room: _Room, lenient: bool) -> Iterator[Message | DecodeError]:
    """Yield the messages in a frame whose fields have names, and the errors of its members."""
    frame = _header(data, bounds, lenient)
    fields = dict(frame.ext_fields or ())  # the last of equal names wins
    _, start, end, _ = bounds
    if frame.flag & RESPONSE_TYPE:
        # Only the caller knows the request, but no other body looks like a record (decisions.md 4).
        if start + 8 <= end and data[start + 4 : start + 8] in _MAGICS:
            yield from _records(data, start, end, room, lenient)
    elif frame.code in _RECORD_REQUESTS and start < end:
        for one in _records(data, start, end, room, lenient):
            if isinstance(one, Message):
                one.request_code = frame.code
                one.ext_fields = list(fields.items()) or None
            yield one
    elif frame.code in FIELD_NAMES:
        texts: list[str | None] = [fields.pop(name, None) for name in FIELD_NAMES[frame.code]]
        found = _sent(frame.code, texts, list(fields.items()) or None, data, start, end, room)
        yield from (found,) if isinstance(found, Message) else found


def encode(
    message: Message,
    *,
    max_body: int = MAX_BODY,
    max_frame_size: int = MAX_FRAME_SIZE,
    clock: int = 0,
    compress: str | None = None,
) -> bytes:
    """Return a message as its `frame`: a SEND_MESSAGE_V2 or the request of its `request_code`, or a stored record.

    `compress` is LZ4, ZSTD or ZLIB; by default bodies are not compressed. It sets its bits of `sys_flag`, hosts set those of
    their widths. Unset fields of the sender or the broker get their usual value: producer group DEFAULT_PRODUCER, queue 0,
    offsets 0, hosts 0.0.0.0:0, and `clock` (milliseconds since 1970) as times. A member of a batch of several is sent on its
    own: `encode_batch` joins.
    EncodeError names the field that cannot be written: an unset `topic` (`bad_topic`), a `body` of more than `max_body` bytes,
    or in a frame of more than `max_frame_size` (`too_large`), a property that the property string cannot hold (`bad_property`).

    >>> encode(Message(topic="t", body=b"hi"))[-2:]
    b'hi'
    """
    message = _timed(message, clock)
    bits = _bits(compress)
    requested: Any = message.request_code
    if requested is not None:
        ROCKETMQ_TYPES["int"].check(requested, "request_code")
        return _frame_bytes(_message_frame(message, requested, max_body, bits), max_frame_size)
    if message.frame == "record":
        if message.ext_fields is not None:
            raise EncodeError("bad_value", "the frame record has no field for it", field="ext_fields")
        return _record(message, max_body, bits)
    if message.ext_fields is None and message.batch_size is None:
        texts, body = _request_texts(message, max_body, bits)
        return _framed(_sent_header(texts), True, body, max_frame_size)
    code = SEND_MESSAGE_V2
    if message.ext_fields is not None:
        _check_pairs(message.ext_fields, "ext_fields")
        # A letter is a field of SEND_MESSAGE_V2. Beside the long names of SEND_MESSAGE it may be an application's own field.
        code = SEND_MESSAGE_V2 if {name for name, _ in message.ext_fields}.isdisjoint(_V2) else SEND_MESSAGE
    return _frame_bytes(_message_frame(message, code, max_body, bits), max_frame_size)


def _bits(compress: str | None) -> int:
    """Return the bits of sysFlag for a compression: bit 0, and its type in bits 8 to 10."""
    return 0 if compress is None else COMPRESSED | kind_of(compress) << 8


def _sent_header(texts: list[str | None]) -> bytes:
    """Return the binary header of a SEND_MESSAGE_V2 with the texts of its fields, the usual output."""
    out = Writer()
    out.write(_REQUEST)
    place: i64 = len(out)
    out.write(b"\0\0\0\0")
    for index, text in enumerate(texts):
        if text is None:
            continue
        if len(text) < 2**14:
            out.write(_HEADS[index])
            write_text16(out, text)
        else:
            raw = text.encode()
            out.write(_HEADS[index][:3])
            write_u32(out, len(raw))
            out.write(raw)
    put_size(out, place)
    return out.getvalue()


def _timed(message: Message, clock: int) -> Message:
    """Return a message with `clock` for the times that its frame has and it lacks."""
    if clock and message.frame == "record" and message.store_timestamp is None:
        message = replace(message, store_timestamp=clock)
    return replace(message, born_timestamp=clock) if clock and message.born_timestamp is None else message


def encode_batch(
    messages: Sequence[Message],
    *,
    max_body: int = MAX_BODY,
    max_frame_size: int = MAX_FRAME_SIZE,
    clock: int = 0,
    compress: str | None = None,
) -> bytes:
    """Return one SEND_BATCH_MESSAGE request of all the messages, which must agree in every field of its header.

    The options are those of `encode`.
    """
    timed = [_timed(message, clock) for message in messages]
    return _frame_bytes(_batch_frame(timed, max_body, _bits(compress)), max_frame_size)


def _message_frame(message: Message, code: int, max_body: int, bits: int) -> Frame:
    """Return the request with this code that carries a message; EncodeError for a code without one."""
    requests = _RECORD_REQUESTS if message.frame == "record" else FIELD_NAMES.keys()
    if code not in requests or (code == SEND_BATCH_MESSAGE and message.batch_size != 1):
        _check(message)
        known = ", ".join(map(str, sorted(requests - {SEND_BATCH_MESSAGE})))
        raise EncodeError("bad_value", f"no request with one {message.frame}; these are {known}", field="request_code")
    if code in _RECORD_REQUESTS:
        _check_pairs(message.ext_fields or [], "ext_fields")
        return Frame(code, ext_fields=list(message.ext_fields or ()), body=_record(message, max_body, bits))
    if message.batch_size == 1 and message.request_code is None:
        return _batch_frame([message], max_body, bits)
    texts, body = _request_texts(message, max_body, bits)
    return Frame(code, ext_fields=_named(message, code, texts), body=body)


def _batch_frame(messages: Sequence[Message], max_body: int, bits: int) -> Frame:
    """Return the SEND_BATCH_MESSAGE request of `encode_batch`, as a frame."""
    if not messages:
        raise EncodeError("no_message", "empty batch: give at least one message", field="batch_size")
    first = messages[0]
    parts: list[bytes] = []
    for index, message in enumerate(messages):
        if (message.batch_index, message.batch_size) not in ((None, None), (index, len(messages))):
            for name in ("batch_index", "batch_size"):
                if getattr(message, name) is not None:
                    ROCKETMQ_TYPES["uint"].check(getattr(message, name), name)
            problem = f"{message.batch_index} of {message.batch_size}, but it is {index} of {len(messages)}"
            raise EncodeError("bad_value", problem, field="batch_index")
        if message.request_code is not None:
            raise EncodeError("bad_value", "a batch is a SEND_BATCH_MESSAGE", field="request_code")
        if message.frame != "send":
            raise EncodeError("bad_value", "the members of a batch have the frame send", field="frame")
        if _shared(message) != _shared(first):
            name = next(name for name in _SHARED if getattr(message, name) != getattr(first, name))
            raise EncodeError("bad_value", "differs from that of the first message of the batch", field=name)
        texts, body = _request_texts(message, max_body, bits)
        text = (texts[_PROPERTY_STRING] or "").encode()
        size = _MEMBER.size + len(body) + 2 + len(text)
        parts += _MEMBER.pack(size, 0, 0, message.flag, len(body)), body, len(text).to_bytes(2, "big"), text
    texts = []
    printed.write_request(texts, first, first.batch_properties or "", bits, True)
    texts[_FLAG] = str(first.batch_flag or 0)
    return Frame(SEND_BATCH_MESSAGE, ext_fields=_named(first, SEND_BATCH_MESSAGE, texts), body=b"".join(parts))


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_each_frame(data: bytes, *, max_frame_size: int = MAX_FRAME_SIZE, lenient: bool = False) -> Iterator[Frame]:
    """Yield all frames in sequence, at least one; DecodeError as for `decode`, for the frame and its header.

    >>> [frame] = decode_frames(bytes.fromhex("0000001901000015000a00000100000001000000000000000000000000"))
    >>> frame.code, frame.language, frame.opaque
    (10, 'JAVA', 1)
    """
    at = 0
    while at < len(data) or not at:
        bounds = _frame_bounds(data, at, max_frame_size)
        frame = _header(data, bounds, lenient)
        _, body, at, _ = bounds
        frame.body = data[body:at]
        yield frame


decode_frames = listed(decode_each_frame)


def encode_frame(given: object, *, max_frame_size: int = MAX_FRAME_SIZE) -> bytes:
    """Return the bytes of any command, its header in its `serialize_type`; EncodeError names the field at fault.

    >>> encode_frame(Frame(10, language="JAVA", version=1, opaque=1)).hex()
    '0000001901000015000a00000100000001000000000000000000000000'
    """
    return _frame_bytes(_checked(given), max_frame_size)


def _checked(given: object) -> Frame:
    """Return a frame whose fields have their types. EncodeError names the first that has another."""
    frame = as_frame(given, Frame)
    if frame.serialize_type not in _SERIALIZE_TYPES:
        raise EncodeError("bad_value", "neither JSON nor ROCKETMQ", field="serialize_type")
    for name in ("code", "flag"):
        ROCKETMQ_TYPES["int"].check(getattr(frame, name), name)
    if frame.language is not None and type(frame.language) not in (str, int):
        raise EncodeError("bad_value", "neither text nor an integer", field="language")
    check_fields(frame, ROCKETMQ_TYPES)
    if frame.ext_fields is not None:
        _check_pairs(frame.ext_fields, "ext_fields")
    if not isinstance(frame.other_members, dict):
        raise EncodeError("bad_value", "not an object", field="other_members")
    if frame.other_members and frame.serialize_type == "ROCKETMQ":
        raise EncodeError("bad_value", "only a JSON header has further members", field="other_members")
    return frame


def _frame_bytes(frame: Frame, max_frame_size: int) -> bytes:
    """Return the bytes of a frame whose fields are valid."""
    binary = frame.serialize_type == "ROCKETMQ"
    return _framed(_binary_header(frame) if binary else _json_header(frame), binary, frame.body, max_frame_size)


def _framed(header: bytes, binary: bool, body: bytes, max_frame_size: int) -> bytes:
    """Return the bytes of a frame."""
    size = 8 + len(header) + len(body)
    if size > max_frame_size:
        words = f"a frame of {size} bytes, the limit is {max_frame_size} (max_frame_size)"
        raise EncodeError("too_large", words, field="body")
    if len(header) >= 2**24:
        raise EncodeError("too_large", f"a header of {len(header)} bytes, the limit is {2**24 - 1}", field="ext_fields")
    word = len(header) | 0x100_0000 if binary else len(header)  # one byte for the serialize type, three for the header's size
    return b"".join(((size - 4).to_bytes(4, "big"), word.to_bytes(4, "big"), header, body))


def frame_to_json(given: object) -> JsonObject:
    """Return a frame as JSON: codes with name (if known), number and meaning; the body in base64.

    >>> frame_to_json(Frame(3, flag=1, language="JAVA"))["meaning"]
    'request code not supported'
    """
    frame = _checked(given)
    code = _code(frame)
    written: JsonObject = {"frame": "response" if frame.response else "request", "code": frame.code}
    if code is not None:
        written |= {"code": code.name, "number": frame.code}
        if code.meaning:
            written["meaning"] = code.meaning
    if frame.oneway:
        written["oneway"] = True
    if frame.flag & ~_KNOWN_FLAGS:
        written["other_flags"] = frame.flag & ~_KNOWN_FLAGS
    written["language"] = frame.language
    if frame.other_members:
        _json_text(frame.other_members)
        written["other_members"] = frame.other_members
    return written | section_to_json(frame, ROCKETMQ_TYPES)


def frame_from_json(value: JsonObject) -> Frame:
    """Return the frame of its JSON form. Only `code` is required, a name or a number; `number` and `meaning` are ignored.

    DecodeError names the fault.

    >>> frame_from_json({"code": "HEART_BEAT", "oneway": True})
    ... # doctest: +ELLIPSIS
    rocketmq.Frame(code=34, flag=2, ext_fields=None)
    """
    kind, oneway, others = value.get("frame", "request"), value.get("oneway", False), value.get("other_members", {})
    if kind not in ("request", "response"):
        raise DecodeError("bad_value", "neither request nor response", field="frame")
    if not isinstance(oneway, bool):
        raise DecodeError("bad_json", "not a boolean", field="oneway")
    if not isinstance(others, dict):
        raise DecodeError("bad_json", "not an object", field="other_members")
    if "code" not in value:
        raise DecodeError("missing_field", "a frame needs a code", field="code", names_field=True)
    code, response = _named_or_number(value["code"], "code"), kind == "response"
    if isinstance(code, str):
        numbers = {each.name: number for number, each in (RESPONSE_CODES if response else REQUEST_CODES).items()}
        if code not in numbers:
            raise DecodeError("bad_value", f"unknown code {code[:60]!r}", field="code", names_field=True)
        code = numbers[code]
    language = value.get("language", Frame(0).language)
    if language is not None:
        language = _named_or_number(language, "language")
    flags: Any = _NUMBER.read(value.get("other_flags", 0), "other_flags", 0, ROCKETMQ_TYPES)
    flag = flags & ~_KNOWN_FLAGS | response * RESPONSE_TYPE | oneway * RPC_ONEWAY
    members = {name: member for name, member in value.items() if name not in _APART}
    made = {"code": code, "language": language, "ext_fields": None, "other_members": others}
    frame = section_from_json(Frame, members, ROCKETMQ_TYPES, others=made)
    frame.flag = flag
    return frame


_APART: Final = ("frame", "code", "number", "meaning", "oneway", "other_flags", "language", "other_members")
"""The members of a frame's JSON form that are no fields with a wire type."""


def _named_or_number(value: object, field: str) -> Any:
    """Return a code or language from its JSON form, a name or a number."""
    return (_TEXT if isinstance(value, str) else _NUMBER).read(value, field, 0, ROCKETMQ_TYPES)


_SERIALIZE_TYPES = ("JSON", "ROCKETMQ")
_KNOWN_FLAGS = RESPONSE_TYPE | RPC_ONEWAY


def _code(frame: Frame) -> Code | None:
    return (RESPONSE_CODES if frame.flag & RESPONSE_TYPE else REQUEST_CODES).get(frame.code)


def _shown(frame: Frame) -> str:
    """Return the description of a frame for an error.

    >>> _shown(Frame(34)), _shown(Frame(9999, flag=1))
    ('request 34 (HEART_BEAT)', 'response 9999')
    """
    code = _code(frame)
    kind = "response" if frame.flag & RESPONSE_TYPE else "request"
    return f"{kind} {frame.code}" if code is None else f"{kind} {frame.code} ({code.name})"


_NUMBER, _TEXT = ROCKETMQ_TYPES["int"], ROCKETMQ_TYPES["utf8"]


# ---- reading frames and their headers -------------------------------------------------------------------------------


_Bounds = tuple[i64, i64, i64, bool]
"""The offsets of a frame's header and body, its end, and whether its header is binary."""


def _frame_bounds(data: bytes, at: i64, max_frame_size: int) -> _Bounds:
    """Return the offsets in the frame at `at`.

    Lengths are checked as soon as they are read, so that a stream does not wait for the rest of an invalid frame.
    """
    there: i64 = len(data) - at
    if there < 4:
        raise DecodeError("truncated", f"a frame begins with a length of 4 bytes, {there} there", offset=at)
    length: int = read_i32(data, at)
    if length < 4:
        raise DecodeError("bad_length", f"a frame of {length} bytes after its length, the minimum is 4", offset=at)
    if length + 4 > max_frame_size:
        words = f"a frame of {length + 4} bytes, the limit is {max_frame_size} (max_frame_size)"
        raise DecodeError("frame_too_large", words, offset=at)
    if there < 8:
        raise DecodeError("truncated", f"{length} bytes announced, {there - 4} there", offset=at)
    word: i64 = read_u32(data, at + 4)
    kind: i64 = word >> 24
    header_length: i64 = word & 0xFFFFFF
    if kind > 1:
        raise DecodeError("unknown_serialize_type", f"{kind} is neither 0 (JSON) nor 1 (ROCKETMQ)", offset=at + 4)
    if header_length > length - 4:
        raise DecodeError("bad_length", f"a header of {header_length} bytes in a frame of {length}", offset=at + 4)
    if there - 4 < length:
        raise DecodeError("truncated", f"{length} bytes announced, {there - 4} there", offset=at)
    return at + 8, at + 8 + header_length, at + 4 + length, kind == 1


def _header(data: bytes, bounds: _Bounds, lenient: bool) -> Frame:
    """Return the frame without its body."""
    at, end, _, binary = bounds
    return _read_binary(data, at, end, lenient) if binary else _read_json(data, at, end, lenient)


def _binary_head(data: bytes, at: i64, end: i64, lenient: bool) -> tuple[i64, i64, i64, i64, i64, i64]:
    """Return the values before the remark of a header in RocketMQ's own serialisation, and the offset of its extFields."""
    if end - at < _SHORTEST_HEADER:
        raise DecodeError("bad_header", f"a binary header of {end - at} bytes, the minimum is {_SHORTEST_HEADER}", offset=at)
    code, language, version, opaque, flag, size = printed.read_header(data, at)
    remark: i64 = at + _HEADER_SIZE
    start: i64 = remark + size
    if size < 0 or start + 4 > end:
        raise DecodeError("bad_length", f"a remark of {size} bytes in a header of {end - at}", offset=remark - 4)
    fields_size: i64 = read_i32(data, start)
    if start + 4 + fields_size != end:
        raise DecodeError("bad_length", f"extFields of {fields_size} bytes, {end - start - 4} left for them", offset=start)
    if language >= len(LANGUAGES) and not lenient:
        raise DecodeError("bad_value", f"unknown language number {language}", offset=at + 2, field="language")
    if size and text_or_none(data[remark:start]) is None:
        raise _bad_utf8(at)
    return code, language, version, opaque, flag, start + 4


def _bad_utf8(at: int) -> DecodeError:
    return DecodeError("bad_utf8", "a text of the header is not UTF-8", offset=at)


def _read_binary(data: bytes, at: i64, end: i64, lenient: bool) -> Frame:
    """Read a header in RocketMQ's own serialisation: fixed fields, remark, pairs of name and value."""
    code, language, version, opaque, flag, start = _binary_head(data, at, end, lenient)
    remark = data[at + _HEADER_SIZE : start - 4].decode() or None
    pairs: list[tuple[str, str]] = []
    try:
        while start < end:
            name, text, start = read_pair(data, start, end)
            pairs.append((name, text))
    except UnicodeDecodeError:
        raise _bad_utf8(at) from None
    known: str | int = LANGUAGES[language] if language < len(LANGUAGES) else language
    return Frame(code, flag, known, version, opaque, remark, pairs)


def _read_fields(data: bytes, at: i64, end: i64, header: i64) -> tuple[list[str | None], dict[str, str] | None]:
    """Return the texts of the extFields with names from `_V2`, by letter, and those of the others by name.

    They must fill the rest of the header exactly. Of equal names the last one counts.
    """
    values: list[str | None] = [None] * len(_V2)
    others: dict[str, str] | None = None
    last: i64 = len(data) - 8
    try:
        while at < end:
            if at <= last:
                length, letter, size = printed.read_field(data, at)
                index: i64 = letter - _FIRST
                stop: i64 = at + 7 + size
                if length == 1 and 0 <= index <= _LAST and stop <= end:
                    values[index] = data[at + 7 : stop].decode()
                    at = stop
                    continue
            name, text, at = read_pair(data, at, end)
            if name in _V2:
                values[_V2.index(name)] = text
            else:
                others = others or {}
                others[name] = text
    except UnicodeDecodeError:
        raise _bad_utf8(header) from None
    return values, others


def read_pair(data: bytes, at: i64, end: i64) -> tuple[str, str, i64]:
    """Return one extField with a name of any length, and the offset of its end."""
    name: i64 = at + 2
    value: i64 = name + 4 + (read_i16(data, at) if name <= end else -4)
    if value < name + 4 or value > end:
        raise DecodeError("bad_length", "the name of an extField ends after the extFields", offset=at)
    stop: i64 = value + read_i32(data, value - 4)
    if stop < value or stop > end:
        raise DecodeError("bad_length", "the value of an extField ends after the extFields", offset=value - 4)
    return data[name : value - 4].decode(), data[value:stop].decode(), stop


def _read_json(data: bytes, at: int, end: int, lenient: bool) -> Frame:
    """Read a header in JSON as Java's reader does: numbers and truth values in extFields become text, null an absent value.

    `lenient` accepts other capitals in the names of members, and of a send request's fields.
    """
    members = _json_members(data, at, end)
    if lenient:
        members = _in_known_capitals(members, _HEADER_NAMES)
    pairs = _ext_fields(members.pop("extFields", None), at)
    language = _header_value(members, "language", _TEXT, at)
    if language not in LANGUAGES and language is not None and not lenient:
        words = f"language {language[:40]!r} is unknown"
        remedy = Remedy("lenient", "true")
        raise DecodeError("bad_value", words, offset=at, field="language", remedy=remedy, names_field=True)
    frame = Frame(0, language=language, ext_fields=None, serialize_type="JSON", other_members=members)
    for field, name, type_ in _MORE:
        setattr(frame, field, _header_value(members, name, type_, at))
    if lenient and pairs is not None:
        names = (*FIELD_NAMES.get(frame.code, ()), *_PUSHED)
        pairs = _in_known_capitals(pairs, {name.lower(): name for name in names})
    if pairs is not None:
        frame.ext_fields = list(pairs.items())
    return frame


T = TypeVar("T")

_JSON_NAMES: Final = (*(name for name, _ in HEADER.values()), "extFields")
_MORE: Final = [(field, name, ROCKETMQ_TYPES[type_]) for field, (name, type_) in HEADER.items() if field != "language"]
"""The members of a header but extFields and language: their fields, names and wire types."""
_HEADER_NAMES: Final[dict[str, str]] = {name.lower(): name for name in _JSON_NAMES}


def _in_known_capitals(members: dict[str, T], known: dict[str, str]) -> dict[str, T]:
    """Return members with the usual capitals in names that are `known` by lower case, unless the usual name is there, too."""
    renamed = {name: known.get(name.lower(), name) for name in members}
    return {(name if renamed[name] in members else renamed[name]): value for name, value in members.items()}


def _ext_fields(pairs: object, at: int) -> dict[str, str] | None:
    if pairs is None:
        return None
    if type(pairs) is not dict:
        raise DecodeError("bad_header", "extFields is not an object", offset=at, field="extFields", names_field=True)
    if _TEXTS.issuperset(map(type, pairs.values())):
        return pairs
    texts: dict[str, str] = {}
    for name, value in pairs.items():
        if isinstance(value, dict | list):
            words = f"{name[:40]!r} in extFields is not text"
            raise DecodeError("bad_header", words, offset=at, field="extFields", names_field=True)
        if value is not None:
            texts[name] = _java_text(value)
    return texts


def _java_text(value: Any) -> str:
    """Return a text, number or truth value as Java writes it.

    >>> _java_text(True), _java_text(1.5e30), _java_text(-7)
    ('true', '1.5E+30', '-7')
    """
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(Decimal(repr(value)) if isinstance(value, float) else value)


_TEXTS = frozenset({str})


def _header_value(members: JsonObject, name: str, type_: WireType, at: int) -> Any:
    """Return a member of a header, a text or a number; a number that is not there is 0, but for the code."""
    value = members.pop(name, None)
    fault = type_.fault(value)
    if fault is None:
        return value
    if value is not None:
        raise DecodeError("bad_header", f"{name} is {fault}", offset=at, field=name, names_field=True)
    if name != "code":
        return None if type_ is _TEXT else 0
    other = next((f" ({found[:40]!r} is there: use lenient)" for found in members if found.lower() == name), "")
    raise DecodeError("missing_field", f"missing {name}{other}", offset=at, field=name, names_field=True)


def _json_members(data: bytes, at: int, end: int) -> JsonObject:
    """Return the members of a header, which may begin with a byte order mark and have control characters in its texts."""
    try:
        text = str(data[at:end], "utf-8").removeprefix("\ufeff")
        members = json_object(text, controls=True)
    except UnicodeDecodeError as error:
        raise DecodeError("bad_utf8", "the header is not UTF-8", offset=at + error.start) from None
    except ValueError as error:
        raise DecodeError("bad_header", f"the header is {error}", offset=at) from None
    if ("\\ud" in text or "\\uD" in text) and has_lone_surrogate(members):
        raise DecodeError("bad_utf8", "a lone surrogate in the header", offset=at)
    return members


# ---- writing headers ------------------------------------------------------------------------------------------------


def _binary_header(frame: Frame) -> bytes:
    for name in ("code", "version"):
        if not -(2**15) <= getattr(frame, name) < 2**15:
            raise EncodeError("bad_value", "does not fit the binary header's int16: serialise it as JSON", field=name)
    language = LANGUAGES.index(frame.language) if frame.language in LANGUAGES else frame.language
    if not isinstance(language, int) or not 0 <= language <= 255:
        raise EncodeError("bad_value", f"none of {', '.join(LANGUAGES)}", field="language")
    remark = (frame.remark or "").encode()
    pairs: list[bytes] = []
    for name, value in frame.ext_fields or ():
        key, raw = name.encode(), value.encode()
        if len(key) >= 2**15:
            raise EncodeError("too_large", f"a name of {len(key)} bytes, the limit is 32767", field="ext_fields")
        pairs += len(key).to_bytes(2, "big"), key, len(raw).to_bytes(4, "big"), raw
    written = b"".join(pairs)
    fixed = _HEADER.pack(frame.code, language, frame.version, frame.opaque, frame.flag, len(remark))
    return b"".join((fixed, remark, len(written).to_bytes(4, "big"), written))


def _json_header(frame: Frame) -> bytes:
    """Return the header as JSON: members in alphabetical order, without blanks and nulls, like the Java encoder's."""
    pairs = None if frame.ext_fields is None else dict(frame.ext_fields)
    if pairs is not None and len(pairs) != len(frame.ext_fields or ()):
        raise EncodeError("repeated_field", "duplicate name: JSON allows each name once", field="ext_fields")
    if not frame.other_members.keys().isdisjoint(_JSON_NAMES):
        raise EncodeError("bad_value", "set the protocol's own members in their fields", field="other_members")
    if frame.language is not None:
        ROCKETMQ_TYPES["utf8"].check(frame.language, "language")
    there: JsonObject = {} if pairs is None else {"extFields": pairs}
    for field, (name, _) in HEADER.items():
        value = getattr(frame, field)
        if value is not None:
            there[name] = value
    return _json_text(there | frame.other_members)


def _json_text(members: JsonObject) -> bytes:
    """Return JSON of the members of a header, of which only the unknown ones may be values that JSON cannot hold."""
    try:
        return json.dumps(dict(sorted(members.items())), ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError, RecursionError):
        raise EncodeError("bad_value", "JSON cannot hold this value", field="other_members") from None


# ---- send requests --------------------------------------------------------------------------------------------------

_V2: Final = tuple(letter for letter, _ in SENT.values())
_FIRST: Final[i64] = ord(_V2[0])
"""The first letter; the others follow it in the alphabet."""
_LAST: Final[i64] = len(_V2) - 1
_V1: Final = tuple(name for _, name in SENT.values())
_PUSHED: Final = tuple(PUSHED.values())
FIELD_NAMES: Final[dict[int, tuple[str, ...]]] = {
    number: _V2 if code.letters else _V1 for number, code in REQUEST_CODES.items() if code.carries in ("message", "reply")
} | {PUSH_REPLY_MESSAGE_TO_CLIENT: _V1 + _PUSHED}
"""The names of a send request's fields by its code: those of SENT, then those of PUSHED."""
_RECORD_REQUESTS: Final = frozenset(number for number, code in REQUEST_CODES.items() if code.carries == "record")
"""The requests of a broker to a client with a stored record as body."""

_SHARED: Final = tuple(
    field.name
    for field in fields(Message)
    if (field.name in SENT and field.name != "flag") or field.name in ("ext_fields", "batch_flag")
)
"""The fields that all members take from the header of a batch."""
_shared: Final = attrgetter(*_SHARED)

_MEMBER: Final = Struct(MEMBER)
_SHORTEST_MEMBER: Final = _MEMBER.size + 2
"""The bytes of a member with an empty body and property string, whose size has 2 bytes."""
_INTEGER = re.compile(r"([+-]?)0*([0-9]{1,19})", re.ASCII)
"""An integer of Java, its sign and its digits without zeros: Python's `int` refuses texts of more than 4,300 digits."""


def number_at(text: str | None, bits: int, field: str) -> int | None:
    """Return the integer of 32 or 64 bits of a decimal text; an empty value is Java's null.

    DecodeError without an offset for any other text.
    """
    if not text:
        return None
    if len(text) < (10 if bits == 32 else 19) and text.isdecimal() and text.isascii():
        return int(text)
    if parts := _INTEGER.fullmatch(text):
        found = int(parts[1] + parts[2])
        if -(2 ** (bits - 1)) <= found < 2 ** (bits - 1):
            return found
    raise DecodeError("bad_value", f"{text[:40]!r} is not an integer of {bits} bits", field=field)


def truth_at(text: str | None, field: str) -> bool:
    """Return the value of true or false in any case; an empty value is Java's null.

    DecodeError without an offset for any other text.
    """
    if not text or text == "false":
        return False
    lower = text.lower()
    if lower not in ("true", "false"):
        raise DecodeError("bad_value", f"{text[:40]!r} is neither true nor false", field=field)
    return lower == "true"


Found = Message | Iterator[Message | DecodeError]
"""The one message of a send request, or the members of its batch with the errors of others."""


def _lettered(data: bytes, bounds: _Bounds, room: _Room, lenient: bool) -> Found | None:
    """Return what is in a send request with letters for names in a binary header, the usual one; None for any other frame."""
    header, body, end, binary = bounds
    if not binary:
        return None
    code, _, _, _, flag, start = _binary_head(data, header, body, lenient)
    if (code != SEND_MESSAGE_V2 and FIELD_NAMES.get(code) is not _V2) or flag & RESPONSE_TYPE:
        return None
    values, others = _read_fields(data, start, body, header)
    return _sent(code, values, list(others.items()) if others else None, data, body, end, room)


def _sent(
    code: i64, values: list[str | None], others: list[tuple[str, str]] | None, data: bytes, at: i64, end: i64, room: _Room
) -> Found:
    """Return what is in a send request with the texts of its fields in the order of FIELD_NAMES, other fields and the body."""
    topic, text = values[_TOPIC], values[_PROPERTY_STRING]
    if topic and (fault := topic_fault(topic)) is not None:
        raise DecodeError("bad_topic", fault, offset=at, field="topic")
    if text and len(text) > MAX_PROPERTIES // 4 and (length := len(text.encode())) > MAX_PROPERTIES:
        raise DecodeError("too_large", f"{length} bytes, the limit is {MAX_PROPERTIES}", offset=at, field="properties")
    message = Message(ext_fields=others)
    try:
        pushed: i64 = printed.read_request(message, values, 0, len(values))
        many = truth_at(values[_BATCH], "batch") or code == SEND_BATCH_MESSAGE
        if pushed < len(values) and not many:
            printed.read_pushed(message, values, pushed, len(values))
    except DecodeError as error:
        error.offset = at
        raise
    sys_flag = message.sys_flag
    message.sys_flag &= ~SYS_FLAG_BITS
    if many:
        return _members(message, text or None, data, at, end, room, sys_flag)
    if code != SEND_MESSAGE_V2 and REQUEST_CODES[code].carries == "reply":  # to a request of another client (RIP-16)
        message.request_code = code
    message.body = _uncompressed(data[at:end], sys_flag, room, at)
    if text:
        message.properties, message.raw_properties = parse_properties(text)
    return message


_TOPIC: Final = _V1.index("topic")
_PROPERTY_STRING: Final = _V1.index("properties")
_FLAG: Final = _V1.index("flag")
_BATCH: Final = _V1.index("batch")


def _members(
    request: Message, text: str | None, data: bytes, at: int, end: int, room: _Room, sys_flag: int
) -> Iterator[Message | DecodeError]:
    """Yield the members of a batch with the fields of `request`; flag, property string `text` and sysFlag are the batch's."""
    found = _parts(data, at, end, room)
    shared = replace(request, batch_size=len(found), batch_flag=request.flag or None)
    for index, part in enumerate(found):
        member = _member(shared, data, part, room, sys_flag)
        if isinstance(member, Message):
            member.batch_index = index
            member.batch_properties = None if index else text
        yield member


def _parts(data: bytes, at: int, end: int, room: _Room) -> list[tuple[int, int]]:
    """Return where each member of a batch begins and ends (section 6.2); one of an impossible size is the last.

    LimitError for more than `room` allows.
    """
    found: list[tuple[int, int]] = []
    while at < end:
        if len(found) == room.batch:
            raise LimitError("too_many", f"a batch of more than {room.batch} messages", limit="max_batch", offset=at)
        size: int = read_i32(data, at) if at + 4 <= end else 0
        stop = at + size if _SHORTEST_MEMBER <= size <= end - at else end
        found.append((at, stop))
        at = stop
    return found


def _member(shared: Message, data: bytes, part: tuple[int, int], room: _Room, sys_flag: int) -> Message | DecodeError:
    """Return a member of a batch with its own flag, body and properties, and the fields of `shared`; or its error."""
    at, stop = part
    if at + 4 > stop or (size := read_i32(data, at)) > stop - at:
        return DecodeError("truncated", "a member of the batch ends early", offset=at)
    if size < _SHORTEST_MEMBER:
        return DecodeError("bad_length", f"a member of {size} bytes, the minimum is {_SHORTEST_MEMBER}", offset=at)
    _, _, _, flag, length = _MEMBER.unpack_from(data, at)
    start = at + _MEMBER.size
    text = start + length + 2
    if not 0 <= length <= size - _SHORTEST_MEMBER:
        return DecodeError("bad_length", f"a body of {length} bytes in a member of {size}", offset=start - 4)
    if read_i16(data, text - 2) != stop - text:
        return DecodeError("bad_length", "the property string does not end with its member", offset=text - 2)
    try:
        properties, raw_properties = parse_properties(_text(data, text, stop))
        body = _uncompressed(data[start : text - 2], sys_flag, room, start)
    except DecodeError as error:
        return unless_limit(error)
    return replace(shared, flag=flag, body=body, properties=properties, raw_properties=raw_properties)


def _request_texts(message: Message, max_body: int, bits: int) -> tuple[list[str | None], bytes]:
    """Return the texts of a send request's fields in the order of the Java class, and its body."""
    if message.frame != "send" or printed.has_more_than_request(message):
        _check(message)
    texts: list[str | None] = []
    try:
        text = _property_string(message)
        body = _stored_body(message, max_body, bits)
        if (fault := topic_fault(message.topic)) is not None:
            raise bad_address(message.topic, fault, "topic")
        printed.write_request(texts, message, text, bits if body else 0, False)
    except FAILED:
        _check(message)
        raise
    return texts, body


def _named(message: Message, code: int, texts: list[str | None]) -> list[tuple[str, str]]:
    """Return the extFields of a send request with the names of its code, then those that it does not define."""
    names = FIELD_NAMES[code]
    if len(names) > len(texts):
        texts[_BATCH] = None
        printed.write_pushed(texts, message)
    written = [(name, text) for name, text in zip(names, texts, strict=True) if text is not None]
    for name, value in message.ext_fields or ():
        if name in names:
            raise EncodeError("bad_value", "send requests define it: set that field", field=f'ext_fields["{name}"]')
        written.append((name, value))
    return written


def sound_text(value: object, unset: str | None) -> str | None:
    """Return a text, and `unset` for an empty one if it is set; ValueError for other values and for lone surrogates."""
    if type(value) is not str:
        raise ValueError
    text: str = value
    if not text.isascii() and utf8_size(text) < 0:
        raise ValueError
    return text or unset or text


_HEADS: Final[list[bytes]] = [b"\0\1" + letter.encode() + b"\0\0" for letter in _V2]
"""The bytes of a binary header before the value of each field, up to the size of the value in two bytes."""
_REQUEST: Final = _HEADER.pack(SEND_MESSAGE_V2, LANGUAGES.index(Frame(0).language), 0, 0, 0, 0)
"""The fixed fields of a send request's binary header, without a remark."""


FAILED: Final = (*UNWRITABLE, MqConvertError)
"""The errors of writing without checks. `_check` then raises that of an invalid field, which is the first to be named."""

# ---- stored records -------------------------------------------------------------------------------------------------

_MAGICS: Final = (MESSAGE_MAGIC_CODE.to_bytes(4, "big"), MESSAGE_MAGIC_CODE_V2.to_bytes(4, "big"))


def _records(data: bytes, at: int, end: int, room: _Room, lenient: bool) -> Iterator[Message | DecodeError]:
    """Yield every record, at least one, or its error, and the members of records with a batch inside.

    An error that hides where the next record begins is the last.
    """
    while True:
        found: Iterable[Message | DecodeError]
        try:
            message, stop, sys_flag, body = _read_record(data, at, end, room, lenient)
        except DecodeError as error:
            found, stop = (unless_limit(error),), _following(data, at, end)
        else:
            found = _inner(message, sys_flag, body, room) if sys_flag & INNER_BATCH == INNER_BATCH else (message,)
        yield from found
        if stop >= end:
            return
        at = stop


def _following(data: bytes, at: int, end: int) -> int:
    """Return the end of an invalid record: that of the data unless another record begins there."""
    stop: int = at + read_i32(data, at) if at + 8 <= end else end
    return stop if at + 8 <= stop <= end - 8 and data[stop + 4 : stop + 8] in _MAGICS else end


def _inner(record: Message, sys_flag: int, start: int, room: _Room) -> Iterator[Message | DecodeError]:
    """Yield the members of the batch in a record whose body is at `start`, as Java's `MessageDecoder.decodeMessage` does.

    Offsets of errors are in the record, if its body is not compressed; else that of the body.
    """
    parts = _parts(record.body, 0, len(record.body), room)
    if not parts:
        yield DecodeError("bad_batch", "bits 0x40 and 0x80 of sysFlag mark a batch, but the body is empty", offset=start)
    for index, part in enumerate(parts):
        member = _member(record, record.body, part, room, 0)
        if isinstance(member, DecodeError):
            inside = 0 if sys_flag & COMPRESSED else member.offset or 0
            words = f"member {index} of the batch in the record: {member.message}"
            yield DecodeError("bad_batch", words, offset=start + inside)
            continue
        member.queue_offset = ((record.queue_offset or 0) + index + 2**63) % 2**64 - 2**63  # as Java adds
        yield member


def _read_record(data: bytes, at: i64, end: i64, room: _Room, lenient: bool) -> tuple[Message, i64, i64, i64]:
    """Return the record at `at`, the offset behind it, all bits of its sysFlag, and the offset of its body."""
    message = Message(frame="record")
    body, behind, topic, text, stop = record_places(message, data, at, end)
    raw = data[body:behind]
    stated: i64 = read_u32(data, at + 8)
    computed: i64 = zlib.crc32(raw) & 0x7FFF_FFFF  # records lack the highest bit; relays may write 0 instead of a checksum
    if computed != stated and raw and (stated or not lenient):
        raise DecodeError("bad_checksum", f"body CRC 0x{stated:08X} is stated, 0x{computed:08X} is right", offset=at + 8)
    message.properties, message.raw_properties = parse_properties(_text(data, text, stop))
    message.topic = _text(data, topic, text - 2)
    sys_flag: i64 = message.sys_flag
    message.body = _uncompressed(raw, sys_flag, room, body)
    message.sys_flag = sys_flag & ~SYS_FLAG_BITS
    if topic == behind + 2 and text - 2 - topic <= 127:
        message.magic = MESSAGE_MAGIC_CODE_V2
    return message, stop, sys_flag, body


def record_places(made: Message, data: bytes, at: i64, end: i64) -> tuple[i64, i64, i64, i64, i64]:
    """Read the fields before the body of the record at `at`; return where its body begins and ends, topic and property string
    begin, and the record ends.

    The length of the topic has a byte, or two with the second magic; that of the property string has two.
    """
    if at + 8 > end:
        raise DecodeError("truncated", f"a record begins with length and magic, {end - at} bytes there", offset=at)
    size: i64 = read_i32(data, at)
    magic: i64 = read_u32(data, at + 4)
    if magic != MESSAGE_MAGIC_CODE and magic != MESSAGE_MAGIC_CODE_V2:  # noqa: PLR1714 - mypyc compiles it to two comparisons
        raise DecodeError("bad_magic", f"0x{magic:08X} is not the magic of a message", offset=at + 4)
    stop: i64 = at + size
    if stop > end:
        raise DecodeError("truncated", f"a record of {size} bytes, {end - at} there", offset=at)
    wide: i64 = 1 if magic == MESSAGE_MAGIC_CODE_V2 else 0
    try:
        body: i64 = printed.read_record(made, data, at + 12, end) + 4
    except (IndexError, StructError, ValueError):
        body = stop
    if stop < body + 3 + wide:
        raise DecodeError("bad_length", f"a record of {size} bytes is too short for its fields", offset=at)
    length: i64 = read_i32(data, body - 4)
    topic: i64 = body + length + 1 + wide
    if length < 0 or topic + 2 > stop:
        raise DecodeError("bad_length", f"a body of {length} bytes in a record of {size}", offset=body - 4)
    topic_length: i64 = read_i16(data, topic - 2) if wide else data[topic - 1]
    text: i64 = topic + topic_length + 2
    if topic_length < 0 or (not wide and topic_length > 127) or text > stop:
        raise DecodeError("bad_length", f"a topic of {topic_length} bytes in a record of {size}", offset=topic - 1 - wide)
    if not topic_length:
        raise DecodeError("bad_topic", "empty topic", offset=topic - 1 - wide, field="topic")
    if read_i16(data, text - 2) != stop - text:
        raise DecodeError("bad_length", "the property string does not end with its record", offset=text - 2)
    return body, body + length, topic, text, stop


def _record(message: Message, max_body: int, bits: int) -> bytes:
    if printed.has_more_than_record(message):
        _check(message)
    try:
        return _record_bytes(message, max_body, bits)
    except FAILED:
        _check(message)
        raise


def _record_bytes(message: Message, max_body: int, bits: int) -> bytes:
    """Return a record, without checks of the fields that it does not write; `bits` are added to sysFlag."""
    if type(message.topic) is not str:
        raise TypeError("not text")
    topic, text, body = message.topic.encode(), _property_string(message).encode(), _stored_body(message, max_body, bits)
    if not topic:
        raise bad_address(message.topic, "", "topic")
    if len(topic) > 2**15 - 1:
        raise EncodeError("too_large", f"{len(topic)} bytes, the limit is 32767", field="topic")
    if message.magic not in (None, MESSAGE_MAGIC_CODE, MESSAGE_MAGIC_CODE_V2):
        raise EncodeError("bad_value", "not the magic of a message", field="magic")
    wide = len(topic) > 127 or message.magic == MESSAGE_MAGIC_CODE_V2
    out = Writer()
    write_u32(out, MESSAGE_MAGIC_CODE_V2 if wide else MESSAGE_MAGIC_CODE)
    write_u32(out, zlib.crc32(body) & 0x7FFFFFFF)
    printed.write_record(out, message, bits if body else 0)
    write_i32(out, len(body))
    fields, topic_size = out.getvalue(), len(topic).to_bytes(2 if wide else 1, "big")
    parts = (fields, body, topic_size, topic, len(text).to_bytes(2, "big"), text)
    size = 4 + sum(map(len, parts))
    return b"".join((size.to_bytes(4, "big"), *parts))


UNSET: Final = {None: 0}
"""The number in place of an unset one; KeyError or TypeError for all other values."""


@lru_cache(1024)  # the same hosts repeat
def host_text(raw: bytes) -> str:
    """Return the text of a host from the bytes of its address and port.

    >>> host_text(bytes(15) + b"\1" + bytes.fromhex("00002694"))
    '[::1]:9876'
    """
    address, port = raw[:-4], read_i32(raw, len(raw) - 4)
    if len(address) == 4:
        return f"{address[0]}.{address[1]}.{address[2]}.{address[3]}:{port}"
    ip = IPv6Address(address)
    mapped = ip.ipv4_mapped  # RFC 5952 writes IPv4 with dots; Python does from 3.13
    return f"[{ip if mapped is None else f'::ffff:{mapped}'}]:{port}"


def read_host(text: str | None, field: str) -> str | None:
    """Return the host of a header's text, which has no brackets around an IPv6 address; an empty text is Java's null.

    DecodeError without an offset for any other text.

    >>> read_host("2001:db8:0:0:0:0:0:1:9876", "born_host")
    '[2001:db8::1]:9876'
    """
    if not text:
        return None
    host, _, port = text.rpartition(":")
    parsed = parsed_host(f"[{host}]:{port}" if ":" in host and not host.startswith("[") else text)
    if parsed is None:
        raise DecodeError("bad_value", f"{text[:60]!r} is not ip:port", field=field)
    return host_text(parsed[0] + parsed[1].to_bytes(4, "big", signed=True))


def java_host(text: str, field: str) -> str:
    """Return a host as Java writes it into a header: an IPv6 address without brackets, with all its groups.

    >>> java_host("[2001:db8::1]:9876", "born_host")
    '2001:db8:0:0:0:0:0:1:9876'
    """
    found = parsed_host(text)
    if found is None:
        raise EncodeError("bad_value", "not ip:port, an IPv6 address in brackets", field=field)
    address, port = found
    if len(address) == 4:
        return text
    return ":".join([*(f"{read_u16(address, at):x}" for at in range(0, 16, 2)), str(port)])


def write_host(out: Writer, host: Any) -> None:
    """Write the bytes of a host's address and port, 0.0.0.0:0 if it is unset; ValueError for any other text."""
    found = (bytes(4), 0) if host is None else parsed_host(host)
    if found is None or (host is not None and type(host) is not str):
        raise ValueError
    address, port = found
    out.write(address)
    write_i32(out, port)


def width(host: str | None, bit: int) -> int:
    """Return the bit of sysFlag for the width of a host's address: `bit` for IPv6, else 0."""
    return bit if host is not None and host.startswith("[") else 0


# ---- property strings -----------------------------------------------------------------------------------------------


def parse_properties(text: str) -> tuple[list[tuple[str, str]] | None, str | None]:
    """Return the entries that the Java reader finds in a property string, and the string itself if they do not restore it.

    Entries without name, separator or value are dropped; the last value of equal names wins; a second separator belongs
    to the value.

    >>> parse_properties("a\\x01b\\x01c\\x02KEYS\\x01k\\x02")
    ([('a', 'b\\x01c'), ('KEYS', 'k')], None)
    >>> parse_properties("a\\x01\\x02b\\x01x")
    ([('b', 'x')], 'a\\x01\\x02b\\x01x')
    """
    if not text:
        return None, None
    entries = text.split("\x02")
    found: dict[str, str] = {}
    for entry in entries:
        name, _, value = entry.partition("\x01")
        if name and value:
            found[name] = value
    plain = len(found) == len(entries) - 1 and not entries[-1]
    return list(found.items()) or None, None if plain else text


def property_string(properties: Iterable[tuple[str, str]]) -> str:
    """Return the property string of entries; EncodeError `bad_property` for empty names and values, and for the
    separators, but \\x01 in values.

    >>> property_string([("TAGS", "a"), ("k", "v")])
    'TAGS\\x01a\\x02k\\x01v\\x02'
    """
    parts = []
    pairs: Any = properties  # each a tuple or a list
    name: str
    value: str
    for pair in pairs:
        if type(pair) is not tuple and type(pair) is not list:
            raise TypeError("not a pair of texts")
        name, value = pair
        if type(name) is not str or type(value) is not str:
            raise TypeError("not a pair of texts")
        if not name or not value or "\x01" in name or "\x02" in name or "\x02" in value:
            problem = "an empty value" if name and not value else "a separator or no name"
            raise EncodeError("bad_property", f"{problem}: property strings cannot hold it", field=f'properties["{name}"]')
        parts.append(f"{name}\x01{value}\x02")
    return "".join(parts)


def _property_string(message: Message) -> str:
    text, pairs = message.raw_properties, message.properties
    if text is None:
        if pairs is not None and not isinstance(pairs, list):
            raise TypeError("not a list of pairs of texts")
        text = property_string(pairs or ())
    length = len(text) if text.isascii() else len(text.encode())
    if length > MAX_PROPERTIES:
        field = "properties" if message.raw_properties is None else "raw_properties"
        raise EncodeError("too_large", f"{length} bytes, the limit is {MAX_PROPERTIES}", field=field)
    return text


# ---- bodies ---------------------------------------------------------------------------------------------------------


def _uncompressed(body: bytes, sys_flag: int, room: _Room, at: int) -> bytes:
    """Return the decompressed body. An empty body is never compressed."""
    if not sys_flag & COMPRESSED or not body:
        return body
    raw = decompress(sys_flag >> 8 & 7, body, room.left, room.limit, at)
    room.left -= len(raw)
    return raw


def _stored_body(message: Message, max_body: int, bits: int) -> bytes:
    """Return the body, compressed according to these bits of sysFlag."""
    body = message.body
    if type(body) is not bytes:
        raise TypeError("not bytes")
    if len(body) > max_body:
        raise EncodeError("too_large", f"{len(body)} bytes, the limit is {max_body} (max_body)", field="body")
    return compressed(bits >> 8, body) if bits and body else body


# ---- text and types -------------------------------------------------------------------------------------------------


def _check(message: Message) -> None:
    """Check that each field fits its wire type; EncodeError names the first that does not."""
    also = tuple(PUSHED) if message.request_code == PUSH_REPLY_MESSAGE_TO_CLIENT else ()
    check_fields(message, ROCKETMQ_TYPES, _check_pairs)
    refuse_frame(message, FRAMES, ROCKETMQ_TYPES, also)
    if message.sys_flag & SYS_FLAG_BITS:
        words = f"bits 0x{message.sys_flag & SYS_FLAG_BITS:X} belong to the encoding: clear them"
        raise EncodeError("bad_value", words, field="sys_flag", remedy=Remedy("compress"))


_PAIR_CLASSES = (tuple, list)


def _check_pairs(pairs: object, field: str) -> None:
    if not isinstance(pairs, list):
        raise EncodeError("bad_value", "not a list of pairs of texts", field=field)
    for index, pair in enumerate(pairs):
        if type(pair) not in _PAIR_CLASSES or len(pair) != 2:
            raise EncodeError("bad_value", "not a pair of texts", field=f"{field}[{index}]")
        name, text = pair
        fault = unicode_fault(name) or unicode_fault(text)
        if fault is not None:
            raise EncodeError("bad_value", fault, field=f'{field}["{name}"]')


def _text(data: bytes, at: int, end: int) -> str:
    try:
        return data[at:end].decode()
    except UnicodeDecodeError as error:
        raise DecodeError("bad_utf8", "a text that is not UTF-8", offset=at + error.start) from None

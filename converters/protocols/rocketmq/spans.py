"""The bytes of each place of a message of RocketMQ: a stored record, or a request with a message or a record as its body.

The fields of a header in JSON have none, and neither have those inside a compressed body.
"""

from collections.abc import Mapping

import mqconvert.converters.protocols.rocketmq.printed_codec as printed
from mqconvert.converters.model.paths import Spans, note, note_member
from mqconvert.converters.model.primitives import read_i16, read_i32, read_u16, read_u32
from mqconvert.converters.model.protocol import not_alone
from mqconvert.converters.protocols.rocketmq.codec import COMPRESSED, INNER_BATCH, PUSH_REPLY_MESSAGE_TO_CLIENT
from mqconvert.converters.protocols.rocketmq.codes import REQUEST_CODES
from mqconvert.converters.protocols.rocketmq.message import (
    MESSAGE_MAGIC_CODE,
    MESSAGE_MAGIC_CODE_V2,
    PUSHED,
    SENT,
    Message,
)

_FIXED = 17
"""Bytes of a binary header before its remark."""
_OF_BATCH = {"flag": "batch_flag", "properties": "batch_properties"}
"""The places of a batch for fields that its members have separately."""


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one record or frame in `data`. DecodeError `no_spans` for others beside it."""
    word = read_u32(data, 4)
    if word in (MESSAGE_MAGIC_CODE, MESSAGE_MAGIC_CODE_V2):
        return _record(data, 0, message)
    if read_u32(data, 0) + 4 != len(data):
        raise not_alone()
    body = 8 + (word & 0xFF_FFFF)
    found: Spans = {}
    if word >> 24:  # a header in RocketMQ's own serialisation
        if message.request_code is not None:
            found["request_code"] = 8, 10
        _header(found, data, body, message)
    if message.frame == "record":
        return found | _record(data, body, message)
    if message.batch_size is not None:
        _member(found, data, body, message)
    else:
        found["body"] = body, len(data)
    return found


def _record(data: bytes, at: int, message: Message) -> Spans:
    """Return the bytes of the fields of a stored record (section 7)."""
    found: Spans = {"magic": (at + 4, at + 8)}
    made = Message(frame="record")  # with the bits of sysFlag for the widths of its hosts, compression and batch
    printed.read_record(made, data, at + 12, len(data))
    body = printed.span_record(found, made, data, at + 12, len(data)) + 4
    end = body + read_i32(data, body - 4)
    found["body"] = body, end
    wide = read_u32(data, at + 4) == MESSAGE_MAGIC_CODE_V2
    text = end + 2 + read_i16(data, end) if wide else end + 1 + data[end]
    found["topic"] = end, text
    if made.sys_flag & INNER_BATCH != INNER_BATCH:
        _properties(found, data, text, at + read_i32(data, at), 2, message)
    elif made.sys_flag & COMPRESSED:
        del found["flag"]  # that of the member is in the compressed body
    else:
        _member(found, data, body, message)
    return found


def _member(found: Spans, data: bytes, at: int, message: Message) -> None:
    """Note the fields of the only member of a batch at `at` (section 6.2)."""
    body = at + 20
    end = body + read_i32(data, at + 16)
    found["flag"] = at + 12, at + 16
    found["body"] = body, end
    _properties(found, data, end, at + read_i32(data, at), 2, message)


def _header(found: Spans, data: bytes, end: int, message: Message) -> None:
    """Note the fields of a request, each with its name and size before it. A response has none that a message has."""
    if message.frame == "record" and message.request_code is None:
        return
    places = _places(read_u16(data, 8), message)
    at = 8 + _FIXED
    at += read_u32(data, at - 4) + 4
    while at < end:
        name = at + 2 + read_u16(data, at)
        after = name + 4 + read_u32(data, name)
        given = data[at + 2 : name].decode()
        place = places.get(given)
        if place is None:
            note_member(found, "ext_fields", given, at, after)
        elif place == "properties":
            _properties(found, data, at, after, name + 4 - at, message)
        elif place:
            note(found, place, at, after)
        at = after


def _places(code: int, message: Message) -> Mapping[str, str]:
    """Return the places of a request's fields by their names; the place of one that is no field of a message is empty."""
    if message.frame == "record":
        return {}
    column = 0 if REQUEST_CODES[code].letters else 1
    places = {names[column]: field for field, names in SENT.items()} | {SENT["batch"][column]: ""}
    places[SENT["property_string"][column]] = "properties"
    if message.batch_size is not None:
        return {name: _OF_BATCH.get(place, place) for name, place in places.items()}
    if code == PUSH_REPLY_MESSAGE_TO_CLIENT:
        return places | {name: field for field, name in PUSHED.items()}
    return places


def _properties(found: Spans, data: bytes, at: int, end: int, head: int, message: Message) -> None:
    """Note the property string, which begins `head` bytes behind `at`, and the entries that a message has of it."""
    for place in ("properties", "raw_properties"):
        if getattr(message, place) is not None:
            found[place] = at, end
    begin = at + head
    for entry in data[begin:end].split(b"\x02"):
        after = min(begin + len(entry) + 1, end)
        name, _, value = entry.partition(b"\x01")
        if name and value:
            note_member(found, "properties", name.decode(), begin, after)
        begin = after

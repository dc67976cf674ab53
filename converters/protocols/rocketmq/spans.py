"""The bytes of each place of a message of RocketMQ: a stored record, or a request with a message or a record as its body.

The fields of a header in JSON have none, and neither have those inside a compressed body.
"""

import mqconvert.converters.protocols.rocketmq.printed_codec as printed
from mqconvert.converters.model.paths import Spans, note, note_member
from mqconvert.converters.model.primitives import read_i16, read_i32, read_u16, read_u32
from mqconvert.converters.protocols.rocketmq.message import (
    MESSAGE_MAGIC_CODE,
    MESSAGE_MAGIC_CODE_V2,
    PUSHED,
    SENT,
    Message,
)

_FIELDS = {name: field for field, names in SENT.items() for name in names} | {name: field for field, name in PUSHED.items()}
"""The fields of a message by the names of a request's fields, short and long ones."""
_FIXED = 17
"""Bytes of a binary header before its remark."""


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one record or frame in `data`."""
    if _is_record(data, 0):
        return _record(data, 0, message)
    word = read_u32(data, 4)
    body = 8 + (word & 0xFF_FFFF)
    found: Spans = {}
    if word >> 24:  # a header in RocketMQ's own serialisation
        if message.request_code is not None:
            found["request_code"] = 8, 10
        _header(found, data, body, message)
    if body < len(data) and _is_record(data, body):
        return found | _record(data, body, message)
    return found | {"body": (body, len(data))}


def _is_record(data: bytes, at: int) -> bool:
    return at + 8 <= len(data) and read_u32(data, at + 4) in (MESSAGE_MAGIC_CODE, MESSAGE_MAGIC_CODE_V2)


def _record(data: bytes, at: int, message: Message) -> Spans:
    """Return the bytes of the fields of a stored record (section 7)."""
    found: Spans = {"magic": (at + 4, at + 8)}
    made = Message(frame="record")  # with the bits of sysFlag that say how wide its hosts are
    printed.read_record(made, data, at + 12, len(data))
    body = printed.span_record(found, made, data, at + 12, len(data)) + 4
    end = body + read_i32(data, body - 4)
    found["body"] = body, end
    wide = read_u32(data, at + 4) == MESSAGE_MAGIC_CODE_V2
    text = end + 2 + read_i16(data, end) if wide else end + 1 + data[end]
    found["topic"] = end, text
    _properties(found, data, text, at + read_i32(data, at), 2, message)
    return found


def _header(found: Spans, data: bytes, end: int, message: Message) -> None:
    """Note the fields of a request, each with its name and size before it."""
    at = 8 + _FIXED
    at += read_u32(data, at - 4) + 4
    while at < end:
        name = at + 2 + read_u16(data, at)
        after = name + 4 + read_u32(data, name)
        given = data[at + 2 : name].decode("utf-8", "replace")
        field = _FIELDS.get(given)
        if field == "property_string":
            _properties(found, data, at, after, name + 4 - at, message)
        elif field == "batch":
            pass  # whether the body is a batch is no field of a message
        elif field is None:
            note_member(found, "ext_fields", given, at, after)
        else:
            note(found, field, at, after)
        at = after


def _properties(found: Spans, data: bytes, at: int, end: int, head: int, message: Message) -> None:
    """Note the property string, which begins `head` bytes behind `at`: pairs of name, \\x01, value, \\x02."""
    found["raw_properties" if message.raw_properties is not None else "properties"] = at, end
    begin = at + head
    for name, _ in message.properties or ():
        stop = data.find(b"\x02", begin, end)
        after = end if stop < 0 else stop + 1
        note_member(found, "properties", name, begin, after)
        begin = after

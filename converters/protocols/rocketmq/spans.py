"""The bytes of each place of a message of RocketMQ: a stored record, or a request with a message or a record as its body.

Fields inside a compressed body have none.
"""

import re
from collections.abc import Iterator, Mapping
from struct import calcsize

import mqconvert.converters.protocols.rocketmq.printed_codec as printed
from mqconvert.converters.model.jsonobject import json_text, members_at
from mqconvert.converters.model.paths import Spans, note, path
from mqconvert.converters.model.primitives import read_i32, read_u16, read_u32
from mqconvert.converters.model.protocol import not_alone
from mqconvert.converters.protocols.rocketmq.codec import COMPRESSED, FIELD_NAMES, INNER_BATCH, read_pair, record_places
from mqconvert.converters.protocols.rocketmq.message import (
    FIXED,
    MEMBER,
    MESSAGE_MAGIC_CODE,
    MESSAGE_MAGIC_CODE_V2,
    PUSHED,
    SENT,
    Message,
)

_START, _TO_REMARK, _TO_BODY = 8, calcsize(FIXED), calcsize(MEMBER)
"""The offset of a header, the bytes of a binary one before its remark, and those of a batch's member before its body."""
_PLAIN, _ESCAPED = re.compile(b"(\x02)"), re.compile(rb"(\x02|\\u0002)|\\.")
"""The end of an entry of a property string, as it is and in JSON, where it is in group 1."""
_OF_BATCH = {"flag": "batch_flag", "property_string": "batch_properties"}
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
    if message.frame == "send" or message.request_code is not None:  # a response has no fields of a message
        _header(found, data[:body], message, binary=word >> 24 == 1)
    if message.frame == "record":
        return found | _record(data, body, message)
    if message.batch_size is not None:
        _member(found, data, body, message)
    else:
        found["body"] = body, len(data)
    return found


def _record(data: bytes, at: int, message: Message) -> Spans:
    """Return the bytes of the fields of a stored record (section 7)."""
    made = Message(frame="record")  # with the bits of sysFlag for the widths of its hosts, compression and batch
    body, behind, _, text, end = record_places(made, data, at, len(data))
    found: Spans = {"magic": (at + 4, at + 8), "body": (body, behind), "topic": (behind, text - 2)}
    printed.span_record(found, made, data, at + 12, end)
    if made.sys_flag & INNER_BATCH != INNER_BATCH:
        _properties(found, data, text - 2, text, end, message)
    elif made.sys_flag & COMPRESSED:
        del found["flag"]  # that of the member is in the compressed body
    else:
        _member(found, data, body, message)
    return found


def _member(found: Spans, data: bytes, at: int, message: Message) -> None:
    """Note the fields of the only member of a batch at `at` (section 6.2)."""
    body = at + _TO_BODY
    end = body + read_i32(data, body - 4)
    found["flag"] = body - 8, body - 4
    found["body"] = body, end
    _properties(found, data, end, end + 2, at + read_i32(data, at), message)


def _header(found: Spans, data: bytes, message: Message, *, binary: bool) -> None:
    """Note the fields of the request whose header `data` ends with, each with its name before it."""
    if binary:
        code, fields = (_START, _START + 2), _fields(data)
        places = _places(read_u16(data, _START), message)
    else:
        members = {name: where for name, *where in members_at(data, data.index(b"{", _START))}  # the last of equal names counts
        begin, value, after = members["code"]
        code, fields = (begin, after), _json_fields(data, members.get("extFields"))
        places = _places(int(data[value:after]), message)
    if message.request_code is not None:
        found["request_code"] = code
    for name, at, value, end in fields:
        place = places.get(name)
        if place is None:
            note(found, "ext_fields", at, end)
            found[path("ext_fields", name)] = at, end  # the last of equal names counts
        elif place == "property_string":
            _properties(found, data, at, value, end, message, quoted=not binary)
        elif place != "batch":
            note(found, place, at, end)


def _fields(data: bytes) -> Iterator[tuple[str, int, int, int]]:
    """Yield the fields of a binary header: the name, the offsets of the field, of its value and behind both."""
    at = _START + _TO_REMARK
    at += read_u32(data, at - 4) + 4
    while at < len(data):
        name, _, after = read_pair(data, at, len(data))
        yield name, at, at + 6 + len(name.encode()), after
        at = after


def _json_fields(data: bytes, where: list[int] | None) -> Iterator[tuple[str, int, int, int]]:
    """Yield the fields of a header in JSON like `_fields`. A field that is null is unset."""
    if where is not None and data[where[1]] == ord("{"):
        for field in members_at(data, where[1]):
            if data[field[2] : field[3]] != b"null":
                yield field


def _places(code: int, message: Message) -> Mapping[str, str]:
    """Return the places of a request's fields by their names, beside the property string and `batch` (SENT)."""
    names = FIELD_NAMES.get(code, ())
    if message.batch_size is None:
        return dict(zip(names, (*SENT, *PUSHED), strict=False))
    return {name: _OF_BATCH.get(place, place) for name, place in zip(names, SENT, strict=False)}


def _properties(found: Spans, data: bytes, at: int, value: int, end: int, message: Message, *, quoted: bool = False) -> None:
    """Note the field of the property string, whose text begins at `value`, and the entries that a message has of it."""
    for place in ("properties", "raw_properties"):
        if getattr(message, place) is not None:
            found[place] = at, end
    if quoted and data[value] == ord('"'):  # a number has no entries
        value, end = value + 1, end - 1
    ends = [separator.end() for separator in (_ESCAPED if quoted else _PLAIN).finditer(data, value, end) if separator[1]]
    for after in (*ends, end):
        raw = data[value:after]
        name, _, text = (json_text(raw) if quoted else raw.decode()).removesuffix("\x02").partition("\x01")
        if name and text:
            found[path("properties", name)] = value, after  # the last of equal names counts
        value = after

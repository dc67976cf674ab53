"""The bytes of each place of an AMQP 0.9.1 content: frames, properties behind their flags, entries of headers."""

import mqconvert.converters.protocols.amqp091.printed_codec as printed
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.paths import Spans, note_member
from mqconvert.converters.model.primitives import read_u16, read_u32
from mqconvert.converters.protocols.amqp091.codec import exchange_at
from mqconvert.converters.protocols.amqp091.message import Message


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one content in `data`; a body of several frames has those between them, too."""
    found: Spans = {}
    at, end = 0, 7 + read_u32(data, 3)
    if data[at] == 1:
        place = exchange_at(data, at + 7, end)
        for name in ("exchange", "routing_key"):
            found[name] = place, place + 1 + data[place]
            place += 1 + data[place]
        at = end + 1
        end = at + 7 + read_u32(data, at + 3)
    printed.span_properties(found, data, at + 21, end, read_u16(data, at + 19))
    _headers(found, data, message)
    if message.payload:
        found["payload"] = end + 8, len(data) - 1
    return found


def _headers(found: Spans, data: bytes, message: Message) -> None:
    if message.basic.headers is None:
        return
    at, end = found["basic.headers"]
    at += 4
    copies: dict[str, int] = {}
    for entry in message.basic.headers:
        value_at = at + 1 + data[at]
        _, _, after = printed.read_value(data[value_at], data, value_at + 1, end, 1)
        note_member(found, copies, "basic.headers", key_of(entry), at, after)
        at = after

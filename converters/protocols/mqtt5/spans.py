"""The bytes of each place of a PUBLISH of MQTT 5.0. The spans of MQTT 3.1.1 use the parts before the properties."""

from typing import Any

import mqconvert.converters.protocols.mqtt5.printed_codec as printed
from mqconvert.converters.model.paths import Spans, note, note_member
from mqconvert.converters.model.primitives import read_u16
from mqconvert.converters.protocols.mqtt5.codec import read_varint
from mqconvert.converters.protocols.mqtt5.message import Message


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one packet in `data`; a property has its identifier before it."""
    found, at = head(data)
    size, at = read_varint(data, at, len(data))
    properties: dict[str, Any] = {}
    copies: dict[str, int] = {}
    printed.span_properties(properties, data, at, at + size)
    for name, where in properties.items():
        if isinstance(where, tuple):
            found[name] = where
            continue
        for index, (begin, end) in enumerate(where):
            element = getattr(message, name)[index]
            note(found, name, begin, end)
            note_member(found, copies, name, element[0] if isinstance(element, tuple) else index, begin, end)
    found["payload"] = at + size, len(data)
    return found


def head(data: bytes) -> tuple[Spans, int]:
    """Return the bytes of the fields before the properties, and the offset behind them. One byte has three fields."""
    found: Spans = dict.fromkeys(("dup", "qos", "retain"), (0, 1))
    _, at = read_varint(data, 1, len(data))
    after = at + 2 + read_u16(data, at)
    found["topic_name"] = at, after
    if data[0] & 6:
        found["packet_identifier"] = after, after + 2
        after += 2
    return found, after

"""Readers for a broker's ill-formed answers, which our decoders refuse, and the removal of their ill-formed entries.

Text has surrogate escapes for invalid UTF-8 (PEP 383). The readers trust all lengths, since a broker wrote the bytes.
"""

import struct
from typing import Any

from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.entries import entry, pair
from tests.validity import faults


def _text(raw: bytes) -> str:
    return raw.decode("utf-8", "surrogateescape")


# ---- MQTT 5.0 ---------------------------------------------------------------------------------------------------------

SINGLE = {
    1: ("payload_format_indicator", "B"), 2: ("message_expiry_interval", ">I"), 3: ("content_type", ""),
    8: ("response_topic", ""), 9: ("correlation_data", ""), 35: ("topic_alias", ">H"),
}  # fmt: skip


def publish(wire: bytes) -> mqtt5.Message:
    """Return the message of a PUBLISH packet."""
    message = mqtt5.Message(wire[0] >> 3 & 1, wire[0] >> 1 & 3, wire[0] & 1)
    _, at = _varint(wire, 1)
    topic, at = _prefixed(wire, at)
    message.topic_name = _text(topic)
    if message.qos:
        message.packet_identifier = int.from_bytes(wire[at : at + 2])
        at += 2
    size, at = _varint(wire, at)
    end = at + size
    while at < end:
        kind, at = wire[at], at + 1
        if kind == 38:
            name, at = _prefixed(wire, at)
            value, at = _prefixed(wire, at)
            message.user_properties = [*(message.user_properties or []), (_text(name), _text(value))]
            continue
        field, layout = SINGLE[kind]
        if layout:
            setattr(message, field, struct.unpack_from(layout, wire, at)[0])
            at += struct.calcsize(layout)
        else:
            raw, at = _prefixed(wire, at)
            setattr(message, field, raw if kind == 9 else _text(raw))
    message.payload = wire[end:]
    return message


def _varint(wire: bytes, at: int) -> tuple[int, int]:
    value = shift = 0
    while True:
        value |= (wire[at] & 127) << shift
        shift, at = shift + 7, at + 1
        if wire[at - 1] < 128:
            return value, at


def _prefixed(wire: bytes, at: int) -> tuple[bytes, int]:
    end = at + 2 + int.from_bytes(wire[at : at + 2])
    return wire[at + 2 : end], end


# ---- AMQP 1.0 ---------------------------------------------------------------------------------------------------------

FIXED: dict[int, tuple[str, Any]] = {
    0x40: ("null", None), 0x41: ("boolean", True), 0x42: ("boolean", False), 0x43: ("uint", 0), 0x44: ("ulong", 0),
    0x45: ("list", []),
}  # fmt: skip
NUMBERS = {
    0x50: ("ubyte", "B"), 0x51: ("byte", "b"), 0x52: ("uint", "B"), 0x53: ("ulong", "B"), 0x54: ("int", "b"),
    0x55: ("long", "b"), 0x56: ("boolean", "?"), 0x60: ("ushort", ">H"), 0x61: ("short", ">h"), 0x70: ("uint", ">I"),
    0x71: ("int", ">i"), 0x72: ("float", ">f"), 0x73: ("char", ">I"), 0x74: ("decimal32", "4s"), 0x80: ("ulong", ">Q"),
    0x81: ("long", ">q"), 0x82: ("double", ">d"), 0x83: ("timestamp", ">q"), 0x84: ("decimal64", "8s"),
    0x94: ("decimal128", "16s"), 0x98: ("uuid", "16s"),
}  # fmt: skip
VARIABLE = {0xA0: "binary", 0xA1: "string", 0xA3: "symbol"}


def _value(code: int, wire: bytes, at: int) -> tuple[TypedValue, int]:
    if code in FIXED:
        return TypedValue(*FIXED[code]), at
    if code in NUMBERS:
        type_, layout = NUMBERS[code]
        return TypedValue(type_, struct.unpack_from(layout, wire, at)[0]), at + struct.calcsize(layout)
    width = 4 if code & 0x10 else 1
    size = int.from_bytes(wire[at : at + width])
    at += width
    end = at + size
    if code & 0xEF in VARIABLE:
        type_, raw = VARIABLE[code & 0xEF], wire[at:end]
        return TypedValue(type_, raw if type_ == "binary" else _text(raw)), end
    count = int.from_bytes(wire[at : at + width])
    at += width
    if code & 0xE0 == 0xE0:
        of = wire[at]
        parts, at = [], at + 1
        for _ in range(count):
            part, at = _value(of, wire, at)
            parts.append(part)
        return TypedValue("array", Array(parts[0].type if parts else "null", [part.value for part in parts])), end
    parts = []
    for _ in range(count):
        part, at = _value(wire[at], wire, at + 1)
        parts.append(part)
    pairs = code & 0xEF == 0xC1
    return TypedValue("map" if pairs else "list", list(map(entry, parts[::2], parts[1::2])) if pairs else parts), end


def sections(wire: bytes) -> amqp10.Message:
    """Return the message of sections whose descriptors have one byte each."""
    message = amqp10.Message()
    at = 0
    names = [*list(amqp10.Message.__dataclass_fields__)[:5], "data", "sequence", "value", "footer"]
    while at < len(wire):
        name = names[wire[at + 2] - 0x70]
        typed, at = _value(wire[at + 3], wire, at + 4)
        content = typed.value
        if name in ("header", "properties"):
            class_ = amqp10.Header if name == "header" else amqp10.Properties
            plain = [None if p.type == "null" else p if index in _ids(name) else p.value for index, p in enumerate(content)]
            setattr(message, name, class_(*plain))
        elif name in ("data", "sequence"):
            of = amqp10.Data if name == "data" else amqp10.AmqpSequence
            message.body = of([*getattr(message.body, "sections", []), content])
        elif name == "value":
            message.body = amqp10.AmqpValue(typed)
        else:
            setattr(message, name, [Entry(one.key.value, one.type, one.value) for one in content])
    return message


def _ids(section: str) -> tuple[int, ...]:
    return (0, 5) if section == "properties" else ()


# ---- removing ill-formed values ---------------------------------------------------------------------------------------


def without_ill_formed(message: Any) -> list[tuple[str, Any]]:
    """Remove from `message`, one by one, the fields and entries without which it has fewer faults; return their places.

    Of equal keys, remove the later one; of nested values, the innermost ill-formed one.
    """
    taken: list[tuple[str, Any]] = []
    sections = [name for name in message.__dataclass_fields__ if name in ("header", "properties", "basic")]
    holders = [(getattr(message, name), f"{name}.") for name in sections if getattr(message, name) is not None]
    for holder, prefix in [*holders, (message, "")]:
        for name in holder.__dataclass_fields__:
            value = getattr(holder, name)
            if isinstance(value, list):
                taken += [(f"{prefix}{name}", key) for key in _prune(message, value)]
                setattr(holder, name, value or None)
            elif value is not None and name not in ("body", "payload", "topic_name", "qos", *sections):
                before = len(faults(message))
                setattr(holder, name, None)
                if len(faults(message)) >= before:
                    setattr(holder, name, value)
                else:
                    taken.append((f"{prefix}{name}", None))
    return taken


def _prune(message: Any, entries: list[Any]) -> list[Any]:
    taken = []
    for index in reversed(range(len(entries))):
        entry, before = entries[index], len(faults(message))
        del entries[index]
        if len(faults(message)) == before:
            entries.insert(index, entry)
            continue
        inside = entry.value if isinstance(entry, TypedValue | Entry) and isinstance(entry.value, list) else []
        if inside and len(faults(message)) < before:
            entries.insert(index, entry)
            gone = _prune(message, inside)
            if len(faults(message)) < before:
                taken += [_key(entry)] * len(gone)
                continue
            del entries[index]
        taken.append(_key(entry))
    return taken


def _key(entry: Any) -> Any:
    """Return the key of an entry or a pair of texts, None for an element of a list."""
    return pair(entry)[0] if isinstance(entry, Entry | tuple) else None


def read(protocol: str, answer: dict[str, str]) -> Any:
    """Read the answer of a broker, including any error."""
    return {"amqp-1.0": sections, "mqtt-5.0": publish}[protocol](bytes.fromhex(answer["wire"]))

"""MQTT 5.0 PUBLISH packets (section 3.3): wire bytes to message and back. The codec of MQTT 3.1.1 uses parts of it."""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

import mqconvert.converters.protocols.mqtt5.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.model.primitives import (
    SIZES,
    UNWRITABLE,
    Writer,
    ended,
    utf8_size,
    write_pair16,
    write_text16,
    write_u16,
)
from mqconvert.converters.model.sections import bad_address
from mqconvert.converters.model.sequences import in_sequence, listed, one_or_error, the_only
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES

MAX_REMAINING: Final = 268_435_455
"""The largest Remaining Length (section 1.5.5)."""
MAX_FRAMES: Final = 1_000_000
"""Maximum number of packets of a stream, by default."""


def decode(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Message:
    """Return the one PUBLISH in `data`; DecodeError with kind and offset otherwise. Options as for `decode_all`.

    >>> decode(bytes.fromhex("3006000174006869"))
    ... # doctest: +ELLIPSIS
    mqtt5.Message(topic_name='t', payload=b'hi')
    """
    if stream:
        return the_only(decode_each(data, stream=True, max_frames=max_frames))
    message, end = _packet(data, 0)
    if end != len(data):
        raise DecodeError("trailing_bytes", f"{len(data) - end} bytes after the packet", offset=end)
    return message


def decode_each(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Iterator[Message | DecodeError | None]:
    """Yield the messages of a sequence of PUBLISH packets, at least one, and the DecodeError of an invalid packet.

    Other packets follow it, unless it ends behind the input or is no PUBLISH: that error is raised.

    `stream` reads all packets that one side of a connection sent, and yields None for those that are no PUBLISH. A CONNECT
    tells the version of the packets after it: those of MQTT 3.1.1 and 3.1 have no properties. There may be no message.
    `max_frames` limits the packets.

    >>> len(decode_all(bytes.fromhex("30060001740068693006000174006869")))
    2
    >>> [message.payload for message in decode_all(bytes.fromhex("c000 3006000174006869 40020001"), stream=True)]
    [b'hi']
    """
    if stream:
        return read_stream(data, 5, {5: _packet, 4: _older_packet, 3: _older_packet}, max_frames)
    return in_sequence(partial(one_or_error, _packet, behind_publish), data)


decode_all = listed(decode_each)


def encode(message: Message) -> bytes:
    """Return a PUBLISH with properties in the order of their identifiers, user properties last.

    With QoS 1 or 2 and no packet identifier, it writes 1: the session replaces it. EncodeError names the field that cannot be
    written, such as an unset `topic_name`.

    >>> encode(Message(topic_name="t", payload=b"hi")).hex()
    '3006000174006869'
    """
    identifier = checked_identifier(message.qos, message.topic_name, message.packet_identifier, message.topic_alias is not None)
    out = Writer()
    printed.write_properties(out, message)
    properties = out.getvalue()
    return packet(message.dup, message.qos, message.retain, message.topic_name, identifier, message.payload, properties)


def packet(dup: object, qos: object, retain: object, topic: str, identifier: int, payload: Any, properties: bytes) -> bytes:
    """Return a PUBLISH of values of its fields, and of properties without their size; EncodeError as for `written_head`."""
    size = varint(len(properties))
    out = written_head(dup, qos, retain, topic, identifier, payload, len(size) + len(properties))
    out.write(size)
    out.write(properties)
    octets: bytes = payload  # of that type since written_head; `ended` of a value of any type would copy it once more
    return ended(out, octets, b"")


def read_varint(data: bytes, at: i64, end: i64) -> tuple[i64, i64]:
    """Return a variable byte integer (section 1.5.5), also with unneeded bytes, and the offset after it."""
    if at + 1 < end and data[at + 1] < 0x80:  # at most 16,383: two bytes
        first: i64 = data[at]
        if first < 0x80:
            return first, at + 1
        first = first & 0x7F | data[at + 1] << 7
        return first, at + 2
    value: i64 = 0
    shift: i64 = 0
    for offset in range(at, at + 4):
        if offset >= end:
            raise DecodeError("truncated", "a variable byte integer ends early", offset=end)
        byte: i64 = data[offset]
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, offset + 1
        shift += 7
    raise DecodeError("bad_varint", "a variable byte integer of more than 4 bytes", offset=at)


def varint(value: i64) -> bytes:
    """Return the shortest variable byte integer (section 1.5.5) for a number from 0 to 268,435,455.

    >>> varint(128).hex()
    '8001'
    """
    if value < 0x80:
        return SIZES[value]
    return SIZES[value & 0x7F | 0x80] + varint(value >> 7)


PacketReader = Callable[[bytes, int], tuple[Any, int]]
"""Returns the message of the PUBLISH at an offset, and the offset after it."""

_CONNECT: Final = 1
_PUBLISH: Final = 3
_AUTH: Final = 15
_FLAGS: Final = {6: 2, 8: 2, 10: 2}
"""The flags of PUBREL, SUBSCRIBE and UNSUBSCRIBE, in MQTT 3.1 with or without DUP; others have none (section 2.1.3)."""
_NAMES: Final = {3: "MQTT 3.1", 4: "MQTT 3.1.1", 5: "MQTT 5.0"}
"""The versions by the protocol level of a CONNECT (section 3.1.2.2)."""


def read_stream(data: bytes, level: int, readers: Mapping[int, PacketReader], max_frames: int) -> Iterator[Any]:
    """Yield the messages in a sequence of control packets, errors of invalid ones, and None for a packet that is no PUBLISH.

    `readers` are those of a PUBLISH by the protocol level, which a CONNECT changes; without one it is `level`.
    """
    at = frames = 0
    while at < len(data):
        frames += 1
        if frames > max_frames:
            raise LimitError("too_many", f"more than {max_frames} packets", limit="max_frames", offset=at)
        if data[at] >> 4 == _PUBLISH:
            message, at = one_or_error(readers[level], behind_publish, data, at)
            yield message
            continue
        kind, start, end = _other_packet(data, at, level)
        if kind == _CONNECT:
            level = _level(data, start, end)
            if level not in readers:
                words = f"a CONNECT of {_NAMES.get(level, f'protocol level {level}')}: decode the stream as its version"
                raise DecodeError("unsupported_version", words, offset=at)
        yield None
        at = end


def behind_publish(data: bytes, at: int) -> int:
    """Return the offset behind a PUBLISH that may be invalid; DecodeError for another packet, or one that ends early."""
    if at >= len(data) or data[at] >> 4 != _PUBLISH:
        raise DecodeError("bad_packet", "no PUBLISH", offset=at)
    return _body(data, at)[1]


def _body(data: bytes, at: i64) -> tuple[i64, i64]:
    """Return the offsets of the variable header of the packet at an offset, and of the end of the packet."""
    length, start = read_varint(data, at + 1, len(data))
    if start + length > len(data):
        raise DecodeError("truncated", f"{length} bytes announced, {len(data) - start} there", offset=start)
    return start, start + length


def _other_packet(data: bytes, at: int, level: int) -> tuple[int, int, int]:
    """Return the type of the control packet at `at`, and the offsets of its variable header and of the next packet."""
    kind = data[at] >> 4
    if not kind or (kind == _AUTH and level < 5):
        raise DecodeError("bad_packet", f"packet type {kind} is reserved", offset=at)
    if data[at] & (7 if level == 3 and kind in _FLAGS else 15) != _FLAGS.get(kind, 0):
        raise DecodeError("bad_flags", f"a packet of type {kind} with flags {data[at] & 15}", offset=at)
    start, end = _body(data, at)
    return kind, start, end


def _level(data: bytes, at: int, end: int) -> int:
    """Return the protocol level of a CONNECT (section 3.1.2); MQTT 3.1 has the name MQIsdp. Bridges set bit 7."""
    name, after = read_text(data, at, end)
    if name not in ("MQTT", "MQIsdp") or after >= end:
        raise DecodeError("bad_packet", "a CONNECT without the protocol name MQTT and a level", offset=at)
    return data[after] & 0x7F


def read_head(data: bytes, at: i64) -> tuple[int, int, int, str, int | None, i64, i64]:
    """Return fixed header, topic name and packet identifier: dup, qos, retain, topic, identifier, next offset, end offset."""
    if at >= len(data):
        raise DecodeError("truncated", "no packet", offset=at)
    first = data[at]
    if first >> 4 != 3 or first & 6 == 6 or first & 14 == 8:
        raise _no_publish(first, at)
    dup, qos, retain = first >> 3 & 1, first >> 1 & 3, first & 1
    start, end = _body(data, at)
    topic, at = read_text(data, start, end)
    if "+" in topic or "#" in topic:
        raise DecodeError("bad_topic", "a wildcard in a topic name", offset=start)
    if not qos:
        return dup, qos, retain, topic, None, at, end
    if at + 2 > end:
        raise DecodeError("truncated", "no packet identifier", offset=at)
    identifier = data[at] << 8 | data[at + 1]
    if not identifier:
        raise DecodeError("bad_value", "packet identifier 0", offset=at)
    return dup, qos, retain, topic, identifier, at + 2, end


def _no_publish(first: int, at: i64) -> DecodeError:
    if first >> 4 != 3:
        return DecodeError("bad_packet", f"packet type {first >> 4} is not a PUBLISH", offset=at)
    return DecodeError("bad_flags", "QoS 3" if first >> 1 & 3 == 3 else "DUP with QoS 0", offset=at)


def checked_identifier(qos: object, topic: Any, identifier: Any, aliased: bool = False) -> int:
    """Return the packet identifier to write, 0 for none. EncodeError for a topic name or identifier that cannot be written."""
    fault = None if aliased and topic == "" else topic_fault(topic)
    if fault is not None:
        raise bad_address(topic, fault, "topic_name")
    if not qos:
        return 0
    if identifier is None:
        return 1
    if MQTT_TYPES["ushort"].fault(identifier) or not identifier:
        words = "not between 1 and 65535" if type(identifier) is int else "not an integer"
        raise EncodeError("bad_value", words, field="packet_identifier")
    return int(identifier)


def written_head(dup: object, qos: object, retain: object, topic: str, identifier: int, payload: object, more: int) -> Writer:
    """Return the fixed header, topic name and packet identifier, before the payload and `more` other bytes.

    EncodeError for fields of the wrong type.
    """
    if not (type(dup) is int and type(qos) is int and type(retain) is int and _in_range(dup, qos, retain)):
        raise _bad_flags(dup, qos, retain)
    if dup and not qos:
        raise EncodeError("bad_flags", "DUP with QoS 0", field="dup")
    if type(payload) is not bytes:
        raise EncodeError("bad_value", "not bytes", field="payload")
    first: int = 0x30 | dup << 3 | qos << 1 | retain
    body: bytes = payload
    size: int = 2 + utf8_size(topic) + (2 if identifier else 0) + more + len(body)
    if size > MAX_REMAINING:
        raise EncodeError("too_large", f"{size} bytes, the limit is {MAX_REMAINING}", field="payload")
    out = Writer()
    out.write(SIZES[first])
    out.write(varint(size))
    write_text16(out, topic)
    if identifier:
        write_u16(out, identifier)
    return out


def _in_range(dup: int, qos: int, retain: int) -> bool:
    return 0 <= dup <= 1 and 0 <= qos <= 2 and 0 <= retain <= 1


def _bad_flags(dup: object, qos: object, retain: object) -> EncodeError:
    flags = (("dup", "bit", dup), ("qos", "bits", qos), ("retain", "bit", retain))
    field, fault = next((name, fault) for name, type_, value in flags if (fault := MQTT_TYPES[type_].fault(value)) is not None)
    return EncodeError("bad_value", fault, field=field)


def read_text(data: bytes, at: i64, end: i64) -> tuple[str, i64]:
    """Read a UTF-8 encoded string (section 1.5.4)."""
    after: i64 = at + 2 + (data[at] << 8 | data[at + 1]) if at + 2 <= end else end + 1
    if after > end:
        end_of_bytes(data, at, end)  # raises the exact error
    try:
        text = data[at + 2 : after].decode()
    except UnicodeDecodeError:
        raise DecodeError("bad_utf8", "not valid UTF-8", offset=at + 2) from None
    if "\0" in text:
        raise DecodeError("bad_utf8", "a string contains NUL", offset=at + 2)
    return text, after


def end_of_bytes(data: bytes, at: i64, end: i64) -> i64:
    """Return the end of the string or binary data (sections 1.5.4 and 1.5.6) with its length at `at`."""
    if at + 2 > end:
        raise DecodeError("truncated", "a length ends early", offset=at)
    after: i64 = at + 2 + (data[at] << 8 | data[at + 1])
    if after > end:
        raise DecodeError("truncated", "a string ends early", offset=at)
    return after


def _packet(data: bytes, at: i64) -> tuple[Message, i64]:
    dup, qos, retain, topic, identifier, at, end = read_head(data, at)
    length, at = read_varint(data, at, end)
    stop: i64 = at + length
    if stop > end:
        raise DecodeError("truncated", "the properties end early", offset=at)
    message = Message(dup, qos, retain, topic, identifier)
    if at < stop:
        printed.read_properties(message, data, at, stop)
    if not topic and message.topic_alias is None:
        raise DecodeError("bad_topic", "neither a topic name nor a topic alias", offset=stop)
    message.payload = data[stop:end]
    return message, end


def _older_packet(data: bytes, at: i64) -> tuple[Message, i64]:
    """Return a PUBLISH of MQTT 3.1.1, which has no properties, as a message of MQTT 5.0."""
    dup, qos, retain, topic, identifier, start, end = read_head(data, at)
    if not topic:
        raise DecodeError("bad_topic", "empty topic", offset=at)
    message = Message(dup, qos, retain, topic, identifier)
    message.payload = data[start:end]
    return message, end


def repeated(field: str, at: i64) -> DecodeError:
    """Return the error of a property that must not repeat (section 3.3.2.3)."""
    return DecodeError("repeated_property", f"{field} stands twice", offset=at, field=field, names_field=True)


def unknown_tag(identifier: i64, at: i64) -> DecodeError:
    """Return the error of a property that a PUBLISH does not have."""
    return DecodeError("unknown_property", f"property 0x{identifier:02x}", offset=at)


def ends_early(at: i64) -> DecodeError:
    """Return the error of a property whose bytes are not all there."""
    return DecodeError("truncated", "a property ends early", offset=at)


def read_pair(data: bytes, at: i64, end: i64) -> tuple[tuple[str, str], i64]:
    """Return a user property, and the offset behind it."""
    name, at = read_text(data, at, end)
    value, at = read_text(data, at, end)
    return (name, value), at


def read_topic(data: bytes, at: i64, end: i64, field: str) -> tuple[str, i64]:
    """Return a topic name, and the offset behind it."""
    topic, after = read_text(data, at, end)
    if not topic or "+" in topic or "#" in topic:
        words = "a wildcard in the response topic" if topic else "empty response topic"
        raise DecodeError("bad_topic", words, offset=at - 1, field=field)
    return topic, after


def bad_number(name: str, number: i64, at: i64, field: str | None) -> DecodeError:
    """Return the error of a number that a property must not have."""
    return DecodeError("bad_value", f"{name} {number}", offset=at, field=field, names_field=True)


def encode_properties(message: Message) -> bytes:
    """Return the properties of a message behind their size; EncodeError names the field that cannot be written.

    >>> encode_properties(Message(content_type="a")).hex()
    '0403000161'
    """
    out = Writer()
    printed.write_properties(out, message)
    properties = out.getvalue()
    return varint(len(properties)) + properties


def check_alias(number: Any) -> None:
    """Raise EncodeError for a number that is no topic alias."""
    MQTT_TYPES["ushort"].check(number, "")
    if not number:
        raise EncodeError("bad_value", "topic alias 0", field="")


def write_subscription_identifiers(out: Writer, numbers: Any) -> None:
    """Write each number behind its tag; EncodeError."""
    if type(numbers) not in (list, tuple):
        raise EncodeError("bad_value", "not a list", field="subscription_identifiers")
    for number in numbers:
        MQTT_TYPES["varint"].check(number, "subscription_identifiers")
        if not number:
            raise EncodeError("bad_value", "subscription identifier 0", field="subscription_identifiers")
        out.write(b"\x0b")
        out.write(varint(number))


def write_user_properties(out: Writer, pairs: object) -> None:
    """Write each pair behind its tag, without checks; if that fails, EncodeError names the first invalid pair."""
    if type(pairs) is not list:
        raise _bad_user_property(pairs)
    pair: Any
    try:
        for pair in pairs:
            if type(pair) is not tuple:
                raise _bad_user_property(pairs)
            name, value = pair
            write_user_property(out, name, value)
    except UNWRITABLE:
        raise _bad_user_property(pairs) from None


def write_user_property(out: Writer, name: str, value: str) -> None:
    """Write a pair behind its tag, without checks but for NUL."""
    if "\0" in name or "\0" in value:
        raise ValueError
    write_pair16(out, 0x26, name, value)


def _bad_user_property(pairs: object) -> EncodeError:
    for index, pair in enumerate(pairs if type(pairs) is list else ()):
        if type(pair) is not tuple or len(pair) != 2:
            return EncodeError("bad_value", "not a pair of strings", field=f"user_properties[{index}]")
        name, value = pair
        fault = MQTT_TYPES["utf8"].fault(name) or MQTT_TYPES["utf8"].fault(value)
        if fault is not None:
            return EncodeError("bad_value", fault, field=f'user_properties["{name}"]')
    return EncodeError("bad_value", "not a list of pairs", field="user_properties")

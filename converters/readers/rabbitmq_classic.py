"""Classic queues of RabbitMQ 4.0 on disk: the store of a queue (`*.qs`) and the message store that queues share (`*.rdq`).

A queue's store (rabbit_classic_queue_store_v2.erl) has a header of 64 bytes with its version, then messages behind their size,
flags and 16 bits of their CRC-32. The message store (rabbit_msg_store.erl) has larger messages: size, id, message, 0xFF; holes
are zeros. A message is a term of Erlang (mc.erl) whose parts are bytes of its own protocol; it is written here as the broker
gives it to a consumer. Both files keep messages after they were consumed.
"""

import zlib
from collections.abc import Callable, Iterator
from mmap import mmap
from pathlib import Path
from struct import unpack_from
from typing import Any, Final

from mqconvert.converters.errors import DecodeError, MqConvertError
from mqconvert.converters.model.values import Array, Described, Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import codec as amqp091
from mqconvert.converters.protocols.amqp091.message import Message as Amqp091
from mqconvert.converters.protocols.amqp10 import codec as amqp10
from mqconvert.converters.protocols.amqp10.message import Header
from mqconvert.converters.protocols.amqp10.message import Message as Amqp10
from mqconvert.converters.protocols.mqtt5 import codec as mqtt5
from mqconvert.converters.protocols.mqtt5.message import Message as Mqtt5
from mqconvert.converters.readers import Broken, Entries, Format, Record
from mqconvert.converters.readers.erlang import term
from mqconvert.converters.readers.files import Search, mapped, only_zeros

HEADER: Final = 64
"""Bytes before the first message of a queue's store."""
TERM: Final = b"\x83h"
"""The beginning of a message: a term that is a tuple."""
MAGIC: Final = b"RCQS\2"
"""The beginning of a queue's store of version 2."""
ID: Final = 16
"""Bytes of a message's id in the message store."""

Wire = tuple[str, bytes]
"""A protocol and the bytes of a message."""


def read(path: Path) -> Entries:
    """Yield the messages of one file. A message that cannot be read is a Broken entry, and the next one follows."""
    with mapped(path) as data:
        parts = _queue_store if path.suffix == ".qs" or data[: len(MAGIC)] == MAGIC else _message_store  # a pipe has no name
        for at, part in parts(data):
            try:
                if isinstance(part, DecodeError):
                    raise part
                protocol, wire = _written(part)
            except MqConvertError as error:
                told = error if isinstance(error, DecodeError) else DecodeError("bad_value", str(error))
                yield Broken(str(path), at, DecodeError(told.code, told.message, offset=at))
                continue
            yield Record(str(path), at, protocol, wire, maybe_settled=True)


# ---- the two stores ---------------------------------------------------------------------------------------------------

Part = tuple[int, bytes | DecodeError]
"""An offset, and the term there or a fault."""


def _queue_store(data: bytes | mmap) -> Iterator[Part]:
    if data[: len(MAGIC)] != MAGIC:
        yield 0, DecodeError("bad_magic", "no store of a classic queue of version 2")
        return
    search = Search(data, TERM, 8, _kept_end, lambda at, end: _has_checksum(data, at, end))
    at = HEADER
    while at + 8 <= len(data):
        end = _kept_end(data, at)
        if end is not None and _has_checksum(data, at, end):
            yield at, data[at + 8 : end]
            at = end
            continue
        follows = end is not None and data[end + 8 : end + 8 + len(TERM)] == TERM
        behind = end if follows else search.next(at + 1)
        if behind is None and only_zeros(data, at):
            return
        yield at, _kept_fault(data, at, end)
        at = len(data) if behind is None else behind


def _kept_end(data: bytes | mmap, at: int) -> int | None:
    """Return the offset behind the message at an offset of a queue's store; None for anything else."""
    end: int = at + 8 + unpack_from(">I", data, at)[0]
    return end if at + 8 < end <= len(data) else None


def _has_checksum(data: bytes | mmap, at: int, end: int) -> bool:
    """Return whether a message of a queue's store has its checksum, or none (classic_queue_store_v2_check_crc32)."""
    flags, crc = unpack_from(">BH", data, at + 4)
    return not flags & 1 or zlib.crc32(data[at + 8 : end]) & 0xFFFF == crc


def _kept_fault(data: bytes | mmap, at: int, end: int | None) -> DecodeError:
    size, there = unpack_from(">I", data, at)[0], len(data) - at - 8
    if end is not None:
        return DecodeError("bad_checksum", "the message does not have its checksum")
    if size > there:
        return DecodeError("truncated", f"a message of {size} bytes, {there} there")
    return DecodeError("bad_length", "no message of the store")


def _message_store(data: bytes | mmap) -> Iterator[Part]:
    at = 0
    while at + 8 < len(data):
        end = _stored_end(data, at)
        if end is not None:
            yield at, data[at + 8 + ID : end - 1]
            at = end
            continue
        behind = _next(data, at)
        if any(data[at : at + 8]):
            gap = (len(data) if behind is None else behind) - at
            yield at, DecodeError("bad_length", f"{gap} bytes that are no message of the store")
        if behind is None:
            return
        at = behind


def _stored_end(data: bytes | mmap, at: int) -> int | None:
    """Return the offset behind the message at an offset of the message store; None for anything else."""
    if at + 9 + ID >= len(data):
        return None
    size: int = unpack_from(">Q", data, at)[0]
    end = at + 9 + size
    if size <= ID or end > len(data) or data[at + 8 + ID] != 0x83 or data[end - 1] != 0xFF:
        return None
    return end


def _next(data: bytes | mmap, at: int) -> int | None:
    """Return the offset of the next message of the message store behind one: messages do not begin at even steps."""
    head = data.find(b"\x83h", at + 8 + ID + 1)
    while head >= 0:
        start = head - 8 - ID
        if _stored_end(data, start) is not None:
            return start
        head = data.find(b"\x83h", head + 1)
    return None


# ---- messages (mc.erl) ------------------------------------------------------------------------------------------------


def _written(raw: bytes) -> Wire:
    """Return a stored message in its own protocol. Raises DecodeError or EncodeError for anything else."""
    match term(raw):
        case ("mc", str() as kind, content, dict() as notes) if kind in _KINDS:
            try:
                return _KINDS[kind](content, notes)
            except (ArithmeticError, AttributeError, IndexError, KeyError, TypeError, ValueError):
                raise DecodeError("bad_value", f"no message of {kind} as RabbitMQ 4.0 stores it") from None
        case ("mc", kind, *_):
            raise DecodeError("unknown_type", f"a message of an unknown protocol {kind!r:.40}")
    raise DecodeError("bad_value", "no message of RabbitMQ 4.0")


def _of_amqp091(content: Any, notes: dict[Any, Any]) -> Wire:
    """Return a message of AMQP 0.9.1, whose properties are kept as bytes, and its body in parts, last one first."""
    _, _, _, properties, _, payload = content
    basic = amqp091.decode_properties(properties)
    exchange, key = _addressed(notes)
    return "amqp-0.9.1", amqp091.encode(Amqp091(basic, b"".join(reversed(payload)), exchange, key))


def _of_amqp10(content: Any, notes: dict[Any, Any]) -> Wire:
    """Return a message of AMQP 1.0 (mc_amqp.erl): annotations are terms, the rest is kept as bytes, the header in the notes."""
    _, annotations, rest, *_ = content
    exchange, key = _addressed(notes)
    added = [Entry("x-exchange", "string", exchange), Entry("x-routing-key", "string", key)]
    head = Amqp10(
        header=Header(durable=notes.get("d") != "false", priority=notes.get("p"), ttl=notes.get("ttl")),
        message_annotations=[*(_entry(*pair) for pair in annotations), *added],
    )
    return "amqp-1.0", amqp10.encode(head) + _octets(rest)


def _of_mqtt(content: Any, _notes: dict[Any, Any]) -> Wire:
    """Return a message of MQTT (mc_mqtt.erl). Those of clients of MQTT 3.1.1 are written as MQTT 5.0, too."""
    _, retain, qos, topic, _, packet, payload, properties, *_ = content
    made = Mqtt5(
        topic_name=topic.decode(),
        qos=qos,
        retain=int(retain == "true"),
        packet_identifier=(packet if isinstance(packet, int) else 1) if qos else None,
        payload=_octets(payload),
    )
    for name, value in properties.items():
        if name == "User-Property":
            made.user_properties = [(key.decode(), text.decode()) for key, text in value]
        elif name in _PROPERTIES:
            setattr(made, *_PROPERTIES[name](value))
    return "mqtt-5.0", mqtt5.encode(made)


_KINDS: Final[dict[str, Callable[[Any, dict[Any, Any]], Wire]]] = {
    "mc_amqpl": _of_amqp091,
    "mc_amqp": _of_amqp10,
    "mc_mqtt": _of_mqtt,
}
_PROPERTIES: Final[dict[str, Callable[[Any], tuple[str, Any]]]] = {
    "Payload-Format-Indicator": lambda value: ("payload_format_indicator", int(value)),
    "Message-Expiry-Interval": lambda value: ("message_expiry_interval", int(value)),
    "Content-Type": lambda value: ("content_type", value.decode()),
    "Response-Topic": lambda value: ("response_topic", value.decode()),
    "Correlation-Data": lambda value: ("correlation_data", _octets(value)),
}
"""The properties of a PUBLISH (MQTT 5.0 section 3.3.2.3) by the names of rabbit_mqtt_packet.erl."""


def _addressed(notes: dict[Any, Any]) -> tuple[str, str]:
    """Return exchange and routing key of a message."""
    return _octets(notes.get("x", b"")).decode(), _octets((notes.get("rk") or [b""])[0]).decode()


def _octets(value: Any) -> bytes:
    """Return a binary, or a list of bytes. TypeError for a number, of which bytes() would make as many zeros."""
    if not isinstance(value, bytes | list):
        raise TypeError(value)
    return bytes(value)


_NAMES: Final = {"utf8": "string"}
"""Types of amqp10_binary_generator.erl with another name than in the specification."""


def _entry(key: Any, value: Any) -> Entry:
    typed = _typed(value)
    return Entry(_typed(key).value, typed.type, typed.value)


def _typed(value: Any) -> TypedValue:
    """Return a value of AMQP 1.0 as RabbitMQ writes it in terms: a type and a value, or true, false and null alone."""
    match value:
        case "true" | "false":
            return TypedValue("boolean", value == "true")
        case "null":
            return TypedValue("null", None)
        case ("boolean", inner):
            return TypedValue("boolean", inner == "true")
        case ("utf8" | "symbol" as type_, bytes() as raw):
            return TypedValue(_NAMES.get(type_, type_), raw.decode())
        case ("list", list() as members):
            return TypedValue("list", [_typed(each) for each in members])
        case ("map", list() as pairs):
            entries = [(_typed(key), _typed(inner)) for key, inner in pairs]
            return TypedValue("map", [Entry(key, typed.type, typed.value) for key, typed in entries])
        case ("array", type_, list() as members):
            return TypedValue("array", Array(_NAMES.get(type_, str(type_)), [_typed(each).value for each in members]))
        case ("described", descriptor, inner):
            return TypedValue("described", Described(_typed(descriptor), _typed(inner)))
        case (str() as type_, inner):
            return TypedValue(str(type_), inner)
    raise ValueError(value)


FORMAT = Format(
    "rabbitmq-classic",
    ("amqp-0.9.1", "amqp-1.0", "mqtt-5.0"),
    ("*.qs", "*.rdq"),
    read,
    (
        "rabbitmq-classic: files keep messages after they were consumed",
        "rabbitmq-classic: messages over 4 KiB are in the message store (*.rdq): read the whole folder",
    ),
)

"""The rules for well-formed messages of each protocol, a second time, written from the specifications.

This module and tests/oracle, which it asks about AMQP, share no line with the wire types and decoders: tests compare the two.
"""

import ipaddress
import string
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields
from typing import Any

from mqconvert import encode
from mqconvert.converters.protocols import protocol_of_class
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp091.codec import encode_properties
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.oracle.wellformed import utf8_fault, well_formed
from tests.oracle.wire import amqp091_view, amqp10_view


def faults(message: Any) -> list[str]:
    """Return every fault of a message, each with its place."""
    checks: dict[type, Callable[[Any], Iterator[str]]] = {
        amqp10.Message: _amqp10,
        amqp091.Message: _amqp091,
        mqtt5.Message: _mqtt5,
        mqtt311.Message: _mqtt311,
        nsq.Message: _nsq,
        phpmq.Message: _phpmq,
        rocketmq.Message: _rocketmq,
        pulsar.Message: _pulsar,
    }
    return list(checks.get(type(message), _of_wire_types)(message))


def _of_wire_types(message: Any) -> Iterator[str]:
    """Yield the faulty fields of a message of another package's protocol, by their wire types."""
    types = protocol_of_class(type(message)).types
    for field in fields(message):
        kind, value = field.metadata["types"][0], getattr(message, field.name)
        if value is not None and kind in types and types[kind].fault(value) is not None:
            yield field.name


def _utf8(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode()  # `replace` turns a surrogate into a question mark


def _twins(where: str, names: Iterable[str]) -> Iterator[str]:
    """Yield a fault for each duplicate name."""
    yield from (f"{where}: {name!r} {times} times" for name, times in Counter(names).items() if times > 1)


# ---- AMQP, on the wire: oracle/wellformed.py has the rules, expiration and delivery mode by RabbitMQ's ---------------------


def parts_of(message: Any) -> tuple[bytes, ...]:
    """Return the bytes of a message without frames: what `wire.view` reads."""
    if isinstance(message, amqp091.Message):
        return encode_properties(message.basic), message.payload
    return (encode(message),)


def _amqp10(message: amqp10.Message) -> Iterator[str]:
    _, gone = well_formed("amqp-1.0", amqp10_view(*parts_of(message)))
    yield from (f"{one.place}[{one.key!r:.80}]: {one.why}" for one in gone if one.why != "none")  # a message may lack a body


def _amqp091(message: amqp091.Message) -> Iterator[str]:
    for name in ("exchange", "routing_key"):
        if why := utf8_fault((getattr(message, name) or "").encode("utf-8", "surrogateescape"), 255):
            yield f"{name}: {why}"
    _, gone = well_formed("amqp-0.9.1", amqp091_view(*parts_of(message)))
    yield from (f"{one.place}[{one.key!r:.80}]: {one.why}" for one in gone)


# ---- MQTT 5.0 sections 1.5, 3.3; MQTT 3.1.1 section 3.3 -----------------------------------------------------------------


def _mqtt311(message: mqtt311.Message | mqtt5.Message) -> Iterator[str]:
    if message.qos not in (0, 1, 2) or message.dup not in (0, 1) or message.retain not in (0, 1):
        yield f"flags {message.dup} {message.qos} {message.retain}"
    if message.dup and not message.qos:
        yield "DUP with QoS 0"
    if (message.packet_identifier is not None) is not (message.qos > 0):
        yield "a packet identifier against the QoS"
    yield from _topic("topic_name", message.topic_name)


def _topic(where: str, topic: str) -> Iterator[str]:
    yield from _mqtt_text(where, topic)
    if not topic or set(topic) & set("+#"):
        yield f"{where}: {topic!r:.40}"


def _mqtt_text(where: str, text: str) -> Iterator[str]:
    if not _utf8(text):
        yield f"{where}: not UTF-8"
    elif len(text.encode()) > 65535:
        yield f"{where}: longer than 65535 bytes"
    if "\0" in text:
        yield f"{where}: NUL"


def _mqtt5(message: mqtt5.Message) -> Iterator[str]:
    yield from _mqtt311(message)
    if message.response_topic is not None:
        yield from _topic("response_topic", message.response_topic)
    for key, value in message.user_properties or ():
        yield from _mqtt_text("a user property's name", key)
        yield from _mqtt_text("a user property", value)
    yield from _mqtt_text("content_type", message.content_type or "")
    if len(message.correlation_data or b"") > 65535:
        yield "correlation_data: longer than 65535 bytes"
    if message.payload_format_indicator not in (None, 0, 1):
        yield f"payload_format_indicator {message.payload_format_indicator}"
    if message.payload_format_indicator == 1:
        try:
            message.payload.decode()
        except UnicodeDecodeError:
            yield "payload: not UTF-8, against its format indicator"
    if message.message_expiry_interval is not None and not 0 <= message.message_expiry_interval < 2**32:
        yield f"message_expiry_interval {message.message_expiry_interval}"
    if message.topic_alias == 0 or any(not 0 < number < 2**28 for number in message.subscription_identifiers or ()):
        yield "a topic alias or subscription identifier of 0"


# ---- the brokers: values of their fields -----------------------------------------------------------------------------

WIDTHS = {"int32": (1, 32), "int64": (1, 64), "uint16": (0, 16), "uint32": (0, 32), "uint64": (0, 64)}
"""Sign bits and bits, by the names that the definitions of Pulsar and RocketMQ use."""


def _fields(message: Any, kinds: dict[str, str]) -> Iterator[str]:
    """Yield the fields whose value does not fit their kind; `kinds` has the names of each kind in one text."""
    for kind, names in kinds.items():
        for name in names.split():
            value = getattr(message, name)
            if value is not None and not _holds(kind, value):
                yield f"{name}: {value!r:.40} as {kind}"


def _holds(kind: str, value: Any) -> bool:
    if kind in WIDTHS:
        sign, bits = WIDTHS[kind]
        low = -(1 << bits - 1) if sign else 0
        return type(value) is int and low <= value < low + (1 << bits)
    if kind == "string":
        return type(value) is str and _utf8(value)
    if kind == "pairs":
        return bool(value) and all(_holds("string", key) and _holds("string", text) for key, text in value)
    if kind.startswith("repeated "):
        return bool(value) and all(_holds(kind.removeprefix("repeated "), part) for part in value)
    return type(value) is {"bytes": bytes, "bool": bool}[kind]


def _only(message: Any, what: str, names: str) -> Iterator[str]:
    for name in names.split():
        if getattr(message, name) is not None:
            yield f"{name} of {what}"


# ---- NSQ: protocol V2, commands PUB, DPUB, MPUB and frames of type 2 -----------------------------------------------------


def _nsq(message: nsq.Message) -> Iterator[str]:
    kinds = {"int64": "timestamp", "uint16": "attempts", "bytes": "message_id body", "uint32": "batch_index batch_size"}
    yield from _fields(message, kinds)
    for name in ("topic", "channel"):
        yield from _nsq_name(name, getattr(message, name))
    of_frame = [message.timestamp is not None, message.attempts is not None, message.message_id is not None]
    if message.frame == "message":
        if not all(of_frame):
            yield "a message frame without a timestamp, attempts or id"
        if message.message_id is not None and len(message.message_id) != 16:
            yield f"message_id: {len(message.message_id)} bytes"
        yield from _only(message, "a message frame", "defer_ms batch_index batch_size")
        return
    if any(of_frame) or message.frame != "send":
        yield f"{message.frame} with a field of a message frame"
    if message.topic is None:
        yield "a publication without a topic"
    if message.channel is not None:
        yield "a publication with a channel"
    if not message.body:
        yield "body: nsqd takes none without bytes (E_BAD_MESSAGE)"
    if message.defer_ms is not None and not 0 <= message.defer_ms <= 60 * 60 * 1000:
        yield f"defer_ms {message.defer_ms}"
    member = (message.batch_index, message.batch_size)
    if member != (None, None):
        if None in member or not 0 <= member[0] < member[1]:  # type: ignore[operator]  # `None in member` is tested first
            yield f"member {member[0]} of {member[1]}"
        yield from _only(message, "an MPUB", "defer_ms")


def _nsq_name(where: str, name: str | None) -> Iterator[str]:
    if name is None:
        return
    stem = name.removesuffix("#ephemeral")
    if not stem or len(name) > 64 or set(stem) - set(string.ascii_letters + string.digits + "._-"):
        yield f"{where}: {name!r:.80}"


# ---- PHPMQ: messages 001 and 003 ----------------------------------------------------------------------------------------


def _phpmq(message: phpmq.Message) -> Iterator[str]:
    """Yield the faults. Queue names and ids may be any bytes; the frame decides the fields."""
    yield from _fields(message, {"bytes": "queue content message_id", "int64": "ttl"})
    if message.queue is None or message.ttl is None:
        yield "a queue, a content and a time to live belong to every message"
    if message.frame != ("send" if message.message_id is None else "dispatch"):
        yield f"frame {message.frame} with the id {message.message_id!r}"


# ---- RocketMQ: SEND_MESSAGE_V2 and its batches (section 6), property strings (8), stored records (9) ----------------------

SENT_ONLY = (
    "producer_group default_topic default_topic_queue_nums unit_mode max_reconsume_times broker_name ext_fields "
    "batch_index batch_size batch_properties batch_flag"
)
LONG_NAMES = {
    "producerGroup",
    "topic",
    "defaultTopic",
    "defaultTopicQueueNums",
    "queueId",
    "sysFlag",
    "bornTimestamp",
    "flag",
    "properties",
    "reconsumeTimes",
    "unitMode",
    "maxReconsumeTimes",
    "batch",
    "bname",
}
"""The field names of SEND_MESSAGE, beside which no letter of SEND_MESSAGE_V2 may occur."""
STORED_ONLY = "queue_offset physical_offset store_timestamp born_host store_host prepared_transaction_offset magic"


def _rocketmq(message: rocketmq.Message) -> Iterator[str]:
    yield from _fields(
        message,
        {
            "int32": "flag sys_flag queue_id reconsume_times default_topic_queue_nums max_reconsume_times batch_flag",
            "int64": "born_timestamp store_timestamp queue_offset physical_offset prepared_transaction_offset",
            "uint32": "batch_index batch_size",
            "string": "topic raw_properties producer_group default_topic broker_name batch_properties born_host store_host",
            "bytes": "body",
            "bool": "unit_mode",
            "pairs": "ext_fields",
        },
    )
    if message.sys_flag & 0x7F1:
        yield f"sys_flag {message.sys_flag:#x}: bits of the encoding"
    for text in (_property_string(message), message.batch_properties or ""):
        if len(text.encode("utf-8", "replace")) > 32767:
            yield "properties: more than 32767 bytes"
    if message.raw_properties is None:
        yield from _rocketmq_properties(message.properties or [])
    if message.frame == "record":
        yield from _rocketmq_record(message)
    else:
        yield from [] if message.frame == "send" else [f"frame {message.frame}"]
        yield from _rocketmq_request(message)


def _property_string(message: rocketmq.Message) -> str:
    if message.raw_properties is not None:
        return message.raw_properties
    return "".join(f"{name}\x01{value}\x02" for name, value in message.properties or ())


def _rocketmq_properties(properties: list[tuple[str, str]]) -> Iterator[str]:
    """Yield the properties that the Java reader would not find again in the string."""
    yield from _twins("properties", [name for name, _ in properties])
    for name, value in properties:
        if not name or not value or set(name) & {"\x01", "\x02"} or "\x02" in value or not _utf8(name + value):
            yield f"properties: {name!r:.40} = {value!r:.40}"


def _rocketmq_request(message: rocketmq.Message) -> Iterator[str]:
    yield from _only(message, "a stored record", STORED_ONLY)
    longest = 255 if message.topic.startswith(("%RETRY%", "%DLQ%")) else 127
    if not 1 <= len(message.topic) <= longest or set(message.topic) - set(string.ascii_letters + string.digits + "%|-_"):
        yield f"topic: {message.topic!r:.140}"
    if not 1 <= len(message.body) <= 4 * 2**20:
        yield f"body: {len(message.body)} bytes"
    for name in ("producer_group", "queue_id", "born_timestamp"):
        if getattr(message, name) is None:
            yield f"{name} is required"
    own = [name for name, _ in message.ext_fields or ()]
    yield from _twins("ext_fields", own)
    if set(own) & set("abcdefghijklmn") and (message.batch_size == 1 or set(own) & LONG_NAMES):
        yield f"ext_fields: {own}"
    member = (message.batch_index, message.batch_size)
    if member != (None, None) and (None in member or not 0 <= member[0] < member[1]):  # type: ignore[operator]  # as above
        yield f"member {member[0]} of {member[1]}"


def _rocketmq_record(message: rocketmq.Message) -> Iterator[str]:
    yield from _only(message, "a request", SENT_ONLY)
    if message.magic not in (None, 0xDAA320AB):
        yield f"magic {message.magic:#x}"
    if len(message.topic.encode("utf-8", "replace")) > 32767:
        yield "topic: more than 32767 bytes"
    for name in ("born_host", "store_host"):
        address, _, port = str(getattr(message, name)).rpartition(":")
        version = ipaddress.IPv6Address if address.startswith("[") else ipaddress.IPv4Address
        try:
            version(address.removeprefix("[").removesuffix("]"))
            good = True
        except ValueError:
            good = False
        if not good or not port.lstrip("-").isdecimal():
            yield f"{name}: {address}:{port}"


# ---- Pulsar: sections 3, 5 and 6, and MessageIdData ----------------------------------------------------------------------


def _pulsar(message: pulsar.Message) -> Iterator[str]:
    yield from _fields(
        message,
        {
            "string": "topic producer_name replicated_from partition_key encryption_algo uuid",
            "uint64": "sequence_id publish_time event_time txnid_least_bits txnid_most_bits highest_sequence_id",
            "uint32": "uncompressed_size entry_hash_min entry_hash_max redelivery_count",
            "int64": "deliver_at_time",
            "int32": "num_chunks_from_msg total_chunk_msg_size chunk_id",
            "bool": "partition_key_b64_encoded null_value null_partition_key",
            "bytes": "payload encryption_param schema_version ordering_key schema_id unknown",
            "pairs": "properties",
            "repeated string": "replicate_to",
            "repeated int32": "compacted_batch_indexes",
        },
    )
    if message.compression not in (None, "NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY"):
        yield f"compression {message.compression}"
    if message.marker_type is not None:
        yield "a control record of the broker"
    for key in message.encryption_keys or ():
        yield from _fields(key, {"string": "key", "bytes": "value", "pairs": "metadata"})
    if message.producer_name is None or message.publish_time is None:
        yield "producer_name and publish_time are required"
    if message.sequence_id is None and (message.batch is None or message.batch.sequence_id is None):
        yield "sequence_id is required"
    if message.batch is not None:
        yield from _pulsar_batch(message, message.batch)
    yield from _pulsar_delivery(message)


def _pulsar_batch(message: pulsar.Message, batch: pulsar.Batch) -> Iterator[str]:
    yield from _fields(
        batch,
        {
            "int32": "size index",
            "uint64": "sequence_id event_time",
            "string": "partition_key",
            "bool": "partition_key_b64_encoded null_partition_key null_value",
            "bytes": "ordering_key unknown",
            "pairs": "properties",
            "repeated int32": "compacted_out",
        },
    )
    whole = message.encryption_keys is not None or message.chunk_id is not None
    if batch.size < 1 or (batch.index is None) is not whole or (batch.index is not None and not 0 <= batch.index < batch.size):
        yield f"member {batch.index} of {batch.size}"
    if batch.index is not None and batch.sequence_id is None:
        yield "the sequence_id of a batch is required"


def _pulsar_delivery(message: pulsar.Message) -> Iterator[str]:
    if message.frame != "message":
        yield from [] if message.frame == "send" else [f"frame {message.frame}"]
        yield from _only(message, "a delivered message", "message_id redelivery_count broker_entry_metadata")
        return
    if message.message_id is None:
        yield "a delivered message has an id"
        return
    parts = message.message_id.split(":")
    kinds = ("uint64", "uint64", "int32", "int32")
    if len(parts) != len(kinds) or not all(_holds(kind, _number(part)) for kind, part in zip(kinds, parts, strict=True)):
        yield f"message_id {message.message_id!r}"
    if message.broker_entry_metadata is not None:
        yield from _fields(message.broker_entry_metadata, {"uint64": "broker_timestamp index", "bytes": "unknown"})


def _number(text: str) -> int | None:
    return int(text) if text.isascii() and text.removeprefix("-").isdecimal() else None

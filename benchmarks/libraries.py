"""The same work through the client libraries' codecs and plain Python glue: pika, python-qpid-proton, paho-mqtt.

For the typical message the glue gives the same result as the tables, field by field, without checks. It does not compensate for
losses of the libraries: pika reads float fields as integers, and cannot write floats (text instead).
"""

import struct
import uuid
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

from paho.mqtt import properties as paho
from paho.mqtt.packettypes import PacketTypes
from pika import BasicProperties
from pika.compat import long
from pika.frame import Body, Header, decode_frame
from proton import Message, int32, symbol

# paho's own codec has no annotations, so mypy must not check its calls.
Properties: Any = paho.Properties
VariableByteIntegers: Any = paho.VariableByteIntegers


def read_pika(wire: bytes) -> tuple[Any, bytes]:
    used, header = decode_frame(wire)
    parts = []
    at = used
    while at < len(wire):
        used, body = decode_frame(wire[at:])
        parts.append(body.fragment)
        at += used
    return header.properties, b"".join(parts)


def write_pika(properties: Any, payload: bytes) -> bytes:
    raw: bytes = Header(1, len(payload), properties).marshal() + Body(1, payload).marshal()
    return raw


def read_proton(wire: bytes) -> Any:
    message = Message()
    message.decode(wire)
    return message


def read_paho(wire: bytes) -> tuple[str, int, Any, bytes]:
    _, used = VariableByteIntegers.decode(wire[1:])
    at = 1 + used
    (size,) = struct.unpack_from(">H", wire, at)
    topic = wire[at + 2 : at + 2 + size].decode()
    at += 2 + size
    qos = wire[0] >> 1 & 3
    if qos:
        at += 2
    properties = Properties(PacketTypes.PUBLISH)
    _, used = properties.unpack(wire[at:])
    return topic, qos, properties, wire[at + used :]


def write_paho(topic: str, qos: int, properties: Any, payload: bytes) -> bytes:
    raw = topic.encode()
    head: bytes = struct.pack(">H", len(raw)) + raw + (b"\0\1" if qos else b"") + properties.pack()
    size: bytes = VariableByteIntegers.encode(len(head) + len(payload))
    return bytes((0x30 | qos << 1,)) + size + head + payload


def pika_to_proton(wire: bytes) -> bytes:
    basic, payload = read_pika(wire)
    message: Any = Message(body=payload, inferred=True)
    message.durable = basic.delivery_mode == 2
    if basic.priority is not None:
        message.priority = basic.priority
    if basic.expiration is not None:
        message.ttl = int(basic.expiration) / 1000
    message.id = uuid.UUID(basic.message_id[9:]) if basic.message_id.startswith("urn:uuid:") else basic.message_id
    message.correlation_id = basic.correlation_id
    message.reply_to = basic.reply_to
    message.content_type = basic.content_type
    if basic.timestamp is not None:
        message.creation_time = basic.timestamp
    annotations, properties = {}, {}
    for key, value in (basic.headers or {}).items():
        plain = int32(value) if value.__class__ is int else int(value) if value.__class__ is long else value
        if key.startswith("x-"):
            annotations[symbol(key)] = plain
        else:
            properties[key] = plain
    message.annotations, message.properties = annotations, properties
    raw: bytes = message.encode()
    return raw


def proton_to_pika(wire: bytes) -> bytes:
    message = read_proton(wire)
    headers = {str(key): _pika_value(value) for key, value in (message.annotations or {}).items()}
    headers.update({key: _pika_value(value) for key, value in (message.properties or {}).items()})
    properties = BasicProperties(
        content_type=message.content_type,
        headers=headers,
        delivery_mode=2 if message.durable else 1,
        priority=int(message.priority),
        correlation_id=message.correlation_id,
        reply_to=message.reply_to,
        expiration=str(int(message.ttl * 1000)),
        message_id=f"urn:uuid:{message.id}",
        timestamp=int(message.creation_time),
    )
    return write_pika(properties, bytes(message.body))


def _pika_value(value: Any) -> Any:
    if isinstance(value, float):
        return str(value)
    return long(value) if value.__class__ is int else value  # proton decodes int32 to a subclass of int


def pika_to_paho(wire: bytes) -> bytes:
    basic, payload = read_pika(wire)
    properties = Properties(PacketTypes.PUBLISH)
    properties.ContentType = basic.content_type
    properties.CorrelationData = basic.correlation_id.encode()
    properties.MessageExpiryInterval = int(basic.expiration) // 1000
    properties.UserProperty = [(key, _text(value)) for key, value in (basic.headers or {}).items()]
    return write_paho("orders/created", 1 if basic.delivery_mode == 2 else 0, properties, payload)


def _text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:.20e}" if isinstance(value, float) else str(int(value))


def paho_to_pika(wire: bytes) -> bytes:
    _, qos, properties, payload = read_paho(wire)
    known = properties.json()
    headers = [*known.get("UserProperty", ()), ("x-reply-to-topic", known["ResponseTopic"].replace("/", "."))]
    basic = BasicProperties(
        content_type=known.get("ContentType"),
        headers=dict(sorted(headers)),
        delivery_mode=2 if qos else 1,
        correlation_id=properties.CorrelationData.decode(),
        expiration=str(known["MessageExpiryInterval"] * 1000),
    )
    return write_pika(basic, payload)


def proton_to_paho(wire: bytes) -> bytes:
    message = read_proton(wire)
    properties = Properties(PacketTypes.PUBLISH)
    properties.ContentType = str(message.content_type)
    properties.CorrelationData = str(message.correlation_id).encode()
    pairs = [(str(key), _text(value)) for key, value in (message.annotations or {}).items()]
    pairs += [(key, _text(value)) for key, value in (message.properties or {}).items()]
    properties.UserProperty = pairs
    return write_paho("orders/created", 1 if message.durable else 0, properties, bytes(message.body))


def paho_to_proton(wire: bytes) -> bytes:
    _, qos, properties, payload = read_paho(wire)
    known = properties.json()
    message: Any = Message(body=payload, inferred=True)
    message.durable = bool(qos)
    message.content_type = known.get("ContentType")
    message.correlation_id = properties.CorrelationData
    message.reply_to = "/exchanges/amq.topic/" + quote(known["ResponseTopic"].replace("/", "."), safe="")
    message.ttl = known["MessageExpiryInterval"]
    pairs = known.get("UserProperty", ())
    message.annotations = {symbol(key): value for key, value in pairs if key.startswith("x-")}
    message.properties = {key: value for key, value in pairs if not key.startswith("x-")}
    raw: bytes = message.encode()
    return raw


DIRECTIONS: dict[tuple[str, str], Callable[[bytes], bytes]] = {
    ("amqp-0.9.1", "amqp-1.0"): pika_to_proton,
    ("amqp-1.0", "amqp-0.9.1"): proton_to_pika,
    ("amqp-0.9.1", "mqtt-5.0"): pika_to_paho,
    ("mqtt-5.0", "amqp-0.9.1"): paho_to_pika,
    ("amqp-1.0", "mqtt-5.0"): proton_to_paho,
    ("mqtt-5.0", "amqp-1.0"): paho_to_proton,
}
LIBRARIES = {"amqp-0.9.1": "pika", "amqp-1.0": "proton", "mqtt-5.0": "paho"}

"""What makes a message well-formed in its protocol, written down from the specifications a second time.

Shares no line with converters/values.py or the codecs: tests ask both.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mqconvert.converters.messages import amqp091, amqp10, mqtt5, mqtt311
from mqconvert.converters.values import TypedValue

INTEGERS = {
    "amqp-1.0": {
        "ubyte": (0, 8), "ushort": (0, 16), "uint": (0, 32), "ulong": (0, 64), "byte": (1, 8), "short": (1, 16),
        "int": (1, 32), "long": (1, 64), "timestamp": (1, 64),
    },
    "amqp-0.9.1": {
        "byte": (1, 8), "unsignedbyte": (0, 8), "short": (1, 16), "unsignedshort": (0, 16), "signedint": (1, 32),
        "unsignedint": (0, 32), "long": (1, 64), "timestamp": (0, 64),
    },
}  # fmt: skip
"""Sign bits and bits of every integer type."""


def faults(message: Any) -> list[str]:
    """Everything that is ill-formed in a message, each with the place where it is."""
    checks: dict[type, Callable[[Any], Iterator[str]]] = {
        amqp10.Message: _amqp10,
        amqp091.Message: _amqp091,
        mqtt5.Message: _mqtt5,
        mqtt311.Message: _mqtt311,
    }
    return list(checks[type(message)](message))


def _utf8(text: str) -> bool:
    return text == text.encode("utf-8", "replace").decode()  # a surrogate becomes a question mark


def _in_range(protocol: str, type_: str, value: object) -> bool:
    sign, bits = INTEGERS[protocol][type_]
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if sign else (0, (1 << bits) - 1)
    return type(value) is int and low <= value <= high


def _twins(where: str, keys: Iterable[Any]) -> Iterator[str]:
    seen: list[Any] = []
    for key in keys:
        if key in seen:
            yield f"{where}: the key {key!r} twice"
        seen.append(key)


# ---- AMQP 1.0: part 1 section 1.6 (types), part 3 section 3.2 (sections) ------------------------------------------------


def _amqp10(message: amqp10.Message) -> Iterator[str]:
    for name, where in (("delivery_annotations", "d"), ("message_annotations", "m"), ("footer", "f")):
        pairs = getattr(message, name) or []
        yield from _twins(name, [key for key, _ in pairs])
        for key, typed in pairs:
            if isinstance(key, str) and not key.isascii():
                yield f"{name}: a symbol that is not ASCII"
            yield from _amqp10_value(f"{where}[{key!r:.20}]", typed)
    pairs = message.application_properties or []
    yield from _twins("application_properties", [key for key, _ in pairs])
    for key, typed in pairs:
        if not _utf8(key):
            yield "application_properties: a key that is not UTF-8"
        if typed.type in ("list", "map", "array", "described"):
            yield f"application_properties: a value of type {typed.type}"
        yield from _amqp10_value(f"a[{key!r:.20}]", typed)
    yield from _amqp10_fields(message)
    body = message.body
    if isinstance(body, amqp10.AmqpValue):
        yield from _amqp10_value("body", body.value)
    elif body is not None:
        if not body.sections:
            yield "body: no sections"
        for section in body.sections:
            parts: list[TypedValue] = section if isinstance(section, list) else [TypedValue("binary", section)]
            for typed in parts:
                yield from _amqp10_value("body", typed)


HEADER = {"durable": "boolean", "priority": "ubyte", "ttl": "uint", "first_acquirer": "boolean", "delivery_count": "uint"}
PROPERTIES = {
    "user_id": "binary", "to": "string", "subject": "string", "reply_to": "string", "content_type": "symbol",
    "content_encoding": "symbol", "absolute_expiry_time": "timestamp", "creation_time": "timestamp", "group_id": "string",
    "group_sequence": "uint", "reply_to_group_id": "string",
}  # fmt: skip


def _amqp10_fields(message: amqp10.Message) -> Iterator[str]:
    for section, types in ((message.header, HEADER), (message.properties, PROPERTIES)):
        for name, type_ in types.items() if section is not None else ():
            if getattr(section, name) is not None:
                yield from _amqp10_value(name, TypedValue(type_, getattr(section, name)))
    for name in ("message_id", "correlation_id"):
        typed = getattr(message.properties, name, None)
        if typed is not None:
            if typed.type not in ("ulong", "uuid", "binary", "string"):
                yield f"{name}: of type {typed.type}"
            yield from _amqp10_value(name, typed)


def _amqp10_value(where: str, typed: TypedValue) -> Iterator[str]:
    type_, value = typed.type, typed.value
    if type_ in INTEGERS["amqp-1.0"]:
        good = _in_range("amqp-1.0", type_, value)
    elif type_ == "char":
        good = type(value) is int and 0 <= value <= 0x10FFFF
    elif type_ in ("float", "double"):
        good = type(value) is float
    elif type_ in ("uuid", "decimal32", "decimal64", "decimal128"):
        size = 16 if type_ == "uuid" else int(type_[7:]) // 8
        good = type(value) is bytes and len(value) == size
    elif type_ == "string":
        good = type(value) is str and _utf8(value)
    elif type_ == "symbol":
        good = type(value) is str and value.isascii()
    else:
        good = {"null": value is None, "boolean": type(value) is bool, "binary": type(value) is bytes}.get(type_, False)
        if type_ in ("list", "map", "array", "described"):
            good = True
            yield from _amqp10_inside(where, typed)
    if not good:
        yield f"{where}: {value!r:.40} as {type_}"


def _amqp10_inside(where: str, typed: TypedValue) -> Iterator[str]:
    value = typed.value
    if typed.type == "described":
        parts = [value.descriptor, value.value]
    elif typed.type == "map":
        yield from _twins(where, [key for key, _ in value])
        parts = [part for pair in value for part in pair]
    elif typed.type == "array":
        parts = [*value.descriptors, *(TypedValue(value.of, element) for element in value.values)]
    else:
        parts = value
    for index, part in enumerate(parts):
        yield from _amqp10_value(f"{where}[{index}]", part)


# ---- AMQP 0.9.1: section 4.2.5 and the Basic class; expiration and delivery mode as RabbitMQ takes them ------------------


def _amqp091(message: amqp091.Message) -> Iterator[str]:
    basic = message.basic
    for name in basic.__slots__:
        value = getattr(basic, name)
        if isinstance(value, str):
            yield from _shortstr(name, value)
    for name in ("exchange", "routing_key"):
        yield from _shortstr(name, getattr(message, name) or "")
    if basic.delivery_mode not in (None, 1, 2):
        yield f"delivery_mode {basic.delivery_mode}"
    if basic.priority is not None and not 0 <= basic.priority <= 255:
        yield f"priority {basic.priority}"
    if basic.timestamp is not None and not _in_range("amqp-0.9.1", "timestamp", basic.timestamp):
        yield f"timestamp {basic.timestamp}"
    if basic.expiration is not None and not basic.expiration.lstrip("+-").isdecimal():
        yield f"expiration {basic.expiration!r}"
    yield from _amqp091_value("headers", TypedValue("table", basic.headers or []))


def _shortstr(where: str, text: str) -> Iterator[str]:
    if not _utf8(text):
        yield f"{where}: not UTF-8"
    elif len(text.encode()) > 255:
        yield f"{where}: longer than 255 octets"
    if "\0" in text:
        yield f"{where}: NUL"


def _amqp091_value(where: str, typed: TypedValue) -> Iterator[str]:
    type_, value = typed.type, typed.value
    if type_ == "table":
        yield from _twins(where, [key for key, _ in value])
        for key, part in value:
            yield from _shortstr(f"{where}: a key", key)
            yield from _amqp091_value(f"{where}[{key!r:.20}]", part)
    elif type_ == "array":
        for index, part in enumerate(value):
            yield from _amqp091_value(f"{where}[{index}]", part)
    else:
        if type_ in INTEGERS["amqp-0.9.1"]:
            good = _in_range("amqp-0.9.1", type_, value)
        elif type_ == "decimal":
            good = 0 <= value.scale < 256 and 0 <= value.value < 2**32
        else:
            kinds = {"bool": bool, "float": float, "double": float, "longstr": bytes, "binary": bytes, "void": type(None)}
            good = type(value) is kinds.get(type_)
        if good and isinstance(value, float) and not math.isfinite(value):
            good = False  # RabbitMQ refuses a frame with one (DIFFERENCES B20)
        if not good:
            yield f"{where}: {value!r:.40} as {type_}"


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
        yield f"{where}: longer than 65535 octets"
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
        yield "correlation_data: longer than 65535 octets"
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

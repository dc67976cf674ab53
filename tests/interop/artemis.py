"""Deviations of Artemis 2.40.0 from our conversion between AMQP 1.0 and MQTT, as rules for docs/differences.md."""

import dataclasses
from typing import Any

from mqconvert import convert
from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.interop.delivery import Between

_SIGNS_OF_JMS = [Entry("x-opt-jms-dest", "byte", 1), Entry("x-opt-jms-msg-type", "byte", 3)]


def to_mqtt(source: amqp10.Message, target: str, key: str, now: Between) -> Any:
    """Return the message for a subscriber with QoS 1: the payload of our conversion, and the expiry in MQTT 5.0."""
    made: Any = convert(source, target).message
    common: dict[str, Any] = {"qos": 1, "topic_name": key.replace(".", "/"), "packet_identifier": Between(1, 65535)}
    if target == "mqtt-3.1.1":
        return mqtt311.Message(**common, payload=made.payload)
    return mqtt5.Message(**common, message_expiry_interval=_expiry(source, now), payload=made.payload)


def _expiry(source: amqp10.Message, now: Between) -> Any:
    """Return the expiry in seconds, cut to 32 bits. An absolute expiry time overrides a ttl."""
    ttl = source.header.ttl if source.header is not None else None
    absolute = source.properties.absolute_expiry_time if source.properties is not None else None
    if absolute is not None:
        low, high = ((absolute // 1000 - seconds) % 2**32 for seconds in (now.high + 1, now.low - 1))
        return Between(low, high)
    return None if ttl is None else Between(ttl // 1000 - (now.high - now.low) - 1, ttl // 1000 + 1)


def to_amqp(source: Any, key: str, now: Between) -> amqp10.Message:
    """Return the message for a receiver: the payload of our conversion, and fields of MQTT as application properties."""
    expiry = getattr(source, "message_expiry_interval", None)
    milliseconds = Between(now.low * 1000, now.high * 1000 + 999)
    age = (now.high - now.low + 1) * 1000
    left: Any = None if expiry is None else Between(expiry * 1000 - age, expiry * 1000)
    end: Any = None if expiry is None else Between(milliseconds.low + expiry * 1000, milliseconds.high + expiry * 1000)
    created: Any = milliseconds
    return amqp10.Message(
        header=amqp10.Header(durable=source.qos > 0 or None, priority=0, ttl=left),
        message_annotations=list(_SIGNS_OF_JMS),
        properties=amqp10.Properties(to=key, absolute_expiry_time=end, creation_time=created),
        application_properties=sorted(_properties(source), key=repr),
        body=amqp10.Data([source.payload]),
    )


def _properties(source: Any) -> list[Entry]:
    fields = {each.name: getattr(source, each.name) for each in dataclasses.fields(source)}
    pairs = fields.get("user_properties") or []
    made = [
        ("JMSXDeliveryCount", "null", None),
        ("mqtt.message.retain", "boolean", bool(source.retain)),
        ("mqtt.qos.level", "int", source.qos),
        ("mqtt.payload.format.indicator", "int", fields.get("payload_format_indicator")),
        ("mqtt.response.topic", "string", fields.get("response_topic")),
        ("mqtt.correlation.data", "binary", fields.get("correlation_data")),
        ("mqtt.content.type", "string", fields.get("content_type")),
        ("mqtt.user.property.exists", "int", len(pairs) or None),
        *((f"mqtt.ordered.user.property.{number}.{name}", "string", value) for number, (name, value) in enumerate(pairs)),
    ]
    return [Entry(name, type_, value) for name, type_, value in made if value is not None or type_ == "null"]


def carried_to_mqtt(message: amqp10.Message) -> bool:
    """Return whether Artemis delivers the message to MQTT, with the payload of our conversion."""
    body = message.body
    plain = isinstance(body, amqp10.Data) or (isinstance(body, amqp10.AmqpValue) and body.value.type in ("string", "binary"))
    return plain and all(each.type not in ("timestamp", "uuid") for each in message.application_properties or [])

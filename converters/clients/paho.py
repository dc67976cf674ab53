"""paho-mqtt's MQTTMessage with its Properties, to and from MQTT messages.

Messages of MQTT 5.0 clients have Properties, perhaps empty ones. Messages of MQTT 3.1.1 clients lack them.
"""

import copy
from typing import Any, NamedTuple

from mqconvert.converters.clients import Losses, bad_value, require, valid, wrong_message
from mqconvert.converters.engine.report import LossPolicy, Lost, OnLoss
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.model.sections import bad_address
from mqconvert.converters.protocols import Message as AnyMessage
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES
from mqconvert.converters.protocols.mqtt311 import message as mqtt311

require("paho-mqtt", "paho", (2, 0))

from paho.mqtt.client import MQTTMessage  # noqa: E402 - after the check of its version
from paho.mqtt.packettypes import PacketTypes  # noqa: E402
from paho.mqtt.properties import Properties  # noqa: E402

_PUBLISHED = [
    ("payload_format_indicator", "PayloadFormatIndicator", "byte"),
    ("message_expiry_interval", "MessageExpiryInterval", "uint"),
    ("response_topic", "ResponseTopic", "topic"),
    ("correlation_data", "CorrelationData", "binary"),
    ("content_type", "ContentType", "utf8"),
]
"""Field, paho's name of it, and its wire type."""
_RECEIVED = [*_PUBLISHED, ("topic_alias", "TopicAlias", "ushort")]
_FLAGS = {"dup": "bit", "qos": "bits", "retain": "bit"}


class ToPaho(NamedTuple):
    """The result of `to_paho`: the object of a received message, and the arguments of `client.publish(**made.publish)`.

    Only the object has the fields of the message's session: DUP and packet identifier, which `publish` sets itself; the Topic
    Alias, which holds for one connection (3.3.2.3.4); and the Subscription Identifiers, which a client must not send
    [MQTT-3.3.4-6].
    """

    message: MQTTMessage
    publish: dict[str, Any]
    lost: tuple[Lost, ...]


def from_paho(message: MQTTMessage) -> mqtt5.Message | mqtt311.Message:
    """Return the message from `on_message`: MQTT 5.0 with Properties, MQTT 3.1.1 without.

    Raises EncodeError for a value that MQTT cannot carry; its text names field and value.

    >>> given = MQTTMessage(topic=b"a/b")
    >>> given.payload, given.properties = b"body", Properties(PacketTypes.PUBLISH)
    >>> given.properties.ContentType = "text/plain"
    >>> message = from_paho(given)
    >>> message.topic_name, message.content_type, message.qos
    ('a/b', 'text/plain', 0)
    """
    if not isinstance(message, MQTTMessage):
        raise bad_value("message", message, "not paho's MQTTMessage")
    properties = message.properties
    made: Any = mqtt311.Message() if properties is None else mqtt5.Message()
    for name, type_ in _FLAGS.items():
        value = getattr(message, name)
        setattr(made, name, valid(int(value) if isinstance(value, bool) else value, name, MQTT_TYPES[type_].fault))
    made.topic_name = _topic(message)
    if made.qos:
        made.packet_identifier = valid(message.mid, "packet_identifier", MQTT_TYPES["ushort"].fault) or None
    if not isinstance(message.payload, bytes | bytearray):
        raise bad_value("payload", message.payload, "not bytes")
    made.payload = bytes(message.payload)
    if properties is not None:
        _read_properties(properties, made)
    return made  # type: ignore[no-any-return]  # one of two classes with these fields


def from_aiomqtt(message: Any) -> mqtt5.Message | mqtt311.Message:
    """Return the message from `async for message in client.messages`: aiomqtt's Message is paho's without the flag DUP.

    For the other way use `to_paho`: `await client.publish(**to_paho(message).publish)`.
    """
    try:
        given = MQTTMessage(message.mid, str(message.topic).encode())
        given.payload, given.properties = message.payload, message.properties
        given.qos, given.retain = message.qos, message.retain
    except AttributeError:
        raise bad_value("message", message, "not aiomqtt's Message") from None
    return from_paho(given)


def to_paho(message: AnyMessage, *, on_loss: OnLoss | LossPolicy = LossPolicy.REPORT) -> ToPaho:
    """Return an MQTTMessage, and the keyword arguments for `Client.publish`.

    Losses: a Payload Format Indicator above 1 and a Topic Alias of 0, which have no meaning in MQTT 5.0 and which paho refuses.
    Raises EncodeError for a message that MQTT cannot carry (one without a topic, even with a Topic Alias: convert with
    `Environment(address=...)`), LossError when `on_loss` is "fail".

    >>> made = to_paho(mqtt5.Message(topic_name="a/b", payload=b"body", content_type="text/plain"))
    >>> made.publish["topic"], made.publish["qos"], made.publish["properties"].ContentType
    ('a/b', 0, 'text/plain')
    """
    if not isinstance(message, mqtt5.Message | mqtt311.Message):
        raise wrong_message(message, "mqtt-5.0")
    losses = Losses()
    published = received = None
    if isinstance(message, mqtt5.Message):
        published = _properties(message, losses)
        received = _of_the_session(message, published, losses)
    for name, type_ in _FLAGS.items():
        valid(getattr(message, name), name, MQTT_TYPES[type_].fault)
    topic = message.topic_name
    fault = topic_fault(topic)
    if fault is not None:
        raise bad_address(topic, fault, "topic_name")
    if message.payload.__class__ is not bytes:
        raise bad_value("payload", message.payload, "not bytes")
    identifier = valid(message.packet_identifier or 0, "packet_identifier", MQTT_TYPES["ushort"].fault)
    made = MQTTMessage(identifier, topic.encode())
    made.dup, made.qos, made.retain = bool(message.dup), message.qos, bool(message.retain)
    made.payload, made.properties = message.payload, received
    publish = {"topic": topic, "payload": message.payload, "qos": message.qos, "retain": made.retain, "properties": published}
    return ToPaho(made, publish, losses.settled(on_loss))


def _topic(message: MQTTMessage) -> str:
    try:
        topic = message.topic
    except UnicodeDecodeError as error:
        raise bad_value("topic_name", error.object, "not valid UTF-8") from None
    if topic or message.properties is None or getattr(message.properties, "TopicAlias", None) is None:
        valid(topic, "topic_name", topic_fault)
    return topic


def _read_properties(properties: Properties, made: mqtt5.Message) -> None:
    if getattr(properties, "packetType", None) != PacketTypes.PUBLISH:
        raise bad_value("properties", properties, "not Properties of a PUBLISH")
    for name, paho_name, type_ in _RECEIVED:
        value = getattr(properties, paho_name, None)
        if value is None:
            continue
        if isinstance(value, bytearray):
            value = bytes(value)
        setattr(made, name, valid(value, name, MQTT_TYPES[type_].fault))
    pairs = getattr(properties, "UserProperty", None)
    if pairs is not None:
        made.user_properties = [_pair(pair, f"user_properties[{index}]") for index, pair in enumerate(pairs)]
    identifiers = getattr(properties, "SubscriptionIdentifier", None)
    if identifiers is not None:
        made.subscription_identifiers = _identifiers(identifiers)


def _pair(pair: object, field: str) -> tuple[str, str]:
    if not isinstance(pair, tuple | list) or len(pair) != 2:
        raise bad_value(field, pair, "not a pair of name and value")
    name, value = pair
    fault = MQTT_TYPES["utf8"].fault(name) or MQTT_TYPES["utf8"].fault(value)
    if fault is not None:
        raise bad_value(field, pair, fault)
    return name, value


def _identifiers(values: list[Any]) -> list[int]:
    for index, value in enumerate(values):
        valid(value, f"subscription_identifiers[{index}]", MQTT_TYPES["varint"].fault)
    return list(values)


def _properties(message: mqtt5.Message, losses: Losses) -> Properties:
    properties = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho has no types there
    for name, paho_name, type_ in _PUBLISHED:
        value = getattr(message, name)
        if value is None:
            continue
        valid(value, name, MQTT_TYPES[type_].fault)
        if name == "payload_format_indicator" and value > 1:
            losses.add(name, type_, f"paho refuses {paho_name} {value}")
        else:
            setattr(properties, paho_name, value)
    if message.user_properties is not None:
        pairs = [_pair(pair, f"user_properties[{index}]") for index, pair in enumerate(message.user_properties)]
        properties.UserProperty = pairs
    return properties


def _of_the_session(message: mqtt5.Message, published: Properties, losses: Losses) -> Properties:
    """Return the properties of the object: the published ones, Topic Alias and Subscription Identifiers."""
    alias, identifiers = message.topic_alias, message.subscription_identifiers
    properties = copy.copy(published)
    if alias is not None:
        if valid(alias, "topic_alias", MQTT_TYPES["ushort"].fault):
            properties.TopicAlias = alias
        else:
            losses.add("topic_alias", "ushort", "paho refuses TopicAlias 0")
    if identifiers is not None:
        properties.SubscriptionIdentifier = _identifiers(identifiers)
    return properties

"""The message classes, and PROTOCOLS: the one list of protocols, which every other part reads."""

import dataclasses
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from mqconvert.converters.errors import NoRouteError
from mqconvert.converters.messages import amqp091, amqp10, mqtt5, mqtt311, nsq, phpmq, pulsar, rocketmq
from mqconvert.converters.values import AMQP091_TYPES, AMQP10_TYPES, MQTT_TYPES, WireType

Message = (
    amqp10.Message | amqp091.Message | mqtt5.Message | mqtt311.Message
    | nsq.Message | phpmq.Message | rocketmq.Message | pulsar.Message
)  # fmt: skip


_COMPOSED = {"section", "annotations", "application-properties", "utf8-pairs", "varints", "data", "amqp-sequence", "amqp-value"}
"""What fields hold besides values of a protocol's wire types: sections, maps, lists and bodies."""


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """A protocol: its name everywhere, its title for people, its message class, its wire types and its codec's module.

    >>> PROTOCOLS["mqtt-5.0"].title, PROTOCOLS["mqtt-5.0"].message(topic_name="t").qos
    ('MQTT 5.0', 0)
    """

    name: str
    title: str
    message: type[Any]
    types: dict[str, WireType]
    codec: str

    def __post_init__(self) -> None:
        """LookupError for a field of a wire type that the protocol does not have."""
        for class_ in (
            self.message,
            *(field.metadata["of"] for field in dataclasses.fields(self.message) if field.metadata["of"]),
        ):
            for field in dataclasses.fields(class_):
                unknown = set(field.metadata["types"]) - self.types.keys() - _COMPOSED
                if unknown:
                    raise LookupError(f"{self.name}: {class_.__name__}.{field.name} has unknown wire type {min(unknown)!r}")

    def codec_module(self) -> Any:
        """The codec, imported on first use: some codecs need packages of an extra."""
        return _imported(self.codec)


@cache
def _imported(module: str) -> Any:
    return import_module(module)


_CODECS = "mqconvert.converters.codecs."

PROTOCOLS: dict[str, Protocol] = {
    protocol.name: protocol
    for protocol in (
        Protocol("amqp-1.0", "AMQP 1.0", amqp10.Message, AMQP10_TYPES, _CODECS + "amqp10"),
        Protocol("amqp-0.9.1", "AMQP 0.9.1", amqp091.Message, AMQP091_TYPES, _CODECS + "amqp091"),
        Protocol("mqtt-5.0", "MQTT 5.0", mqtt5.Message, MQTT_TYPES, _CODECS + "mqtt5"),
        Protocol("mqtt-3.1.1", "MQTT 3.1.1", mqtt311.Message, MQTT_TYPES, _CODECS + "mqtt311"),
        Protocol("nsq", "NSQ", nsq.Message, nsq.NSQ_TYPES, _CODECS + "nsq"),
        Protocol("phpmq", "PHPMQ", phpmq.Message, phpmq.PHPMQ_TYPES, _CODECS + "phpmq"),
        Protocol("rocketmq", "RocketMQ", rocketmq.Message, rocketmq.ROCKETMQ_TYPES, _CODECS + "rocketmq"),
        Protocol("pulsar", "Pulsar", pulsar.Message, pulsar.PULSAR_TYPES, _CODECS + "pulsar"),
    )
}

_BY_CLASS = {protocol.message: protocol for protocol in PROTOCOLS.values()}


def protocol_named(name: str) -> Protocol:
    """The protocol of that name; NoRouteError `unknown_protocol` names those that there are.

    >>> protocol_named("amqp-1.0").title
    'AMQP 1.0'
    """
    try:
        return PROTOCOLS[name]
    except (KeyError, TypeError):
        raise NoRouteError(f"unknown protocol {name!r}; known: {', '.join(PROTOCOLS)}", code="unknown_protocol") from None


def protocol_of(message: Message) -> Protocol:
    """The protocol whose message class `message` is of; NoRouteError for anything else."""
    return protocol_of_class(type(message))


def protocol_of_class(message_class: type[Any]) -> Protocol:
    """The protocol whose messages are of that class; NoRouteError for any other class.

    >>> protocol_of_class(mqtt5.Message).name
    'mqtt-5.0'
    """
    try:
        return _BY_CLASS[message_class]
    except KeyError:
        words = f"{message_class.__name__} is no message class of mqconvert"
        if hasattr(message_class, "message"):  # a Conversion
            words += ": hand over its .message"
        raise NoRouteError(words, code="unknown_protocol") from None

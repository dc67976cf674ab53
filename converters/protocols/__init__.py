"""The registry: PROTOCOLS, the one list of protocols, which every other part reads. A protocol is one folder here."""

from typing import Any

from mqconvert.converters.errors import NoRouteError
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols import amqp091, amqp10, mqtt5, mqtt311, nsq, phpmq, pulsar, rocketmq

Message = (
    amqp10.Message | amqp091.Message | mqtt5.Message | mqtt311.Message
    | nsq.Message | phpmq.Message | rocketmq.Message | pulsar.Message
)  # fmt: skip


PROTOCOLS: dict[str, Protocol] = {
    each.PROTOCOL.name: each.PROTOCOL for each in (amqp10, amqp091, mqtt5, mqtt311, nsq, phpmq, rocketmq, pulsar)
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

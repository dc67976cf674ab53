"""AMQP 0.9.1: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.amqp091.message import Message
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "amqp-0.9.1",
    "AMQP 0.9.1",
    Message,
    AMQP091_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    ends="mqconvert.converters.clients.ends.amqp091",
    description="One Basic content, with `exchange` and `routing_key` where a method frame gave them.",
    samples=Samples(places={"basic.expiration": "60000"}),
)

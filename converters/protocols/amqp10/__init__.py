"""AMQP 1.0: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "amqp-1.0",
    "AMQP 1.0",
    Message,
    AMQP10_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    ends="mqconvert.converters.clients.ends.amqp10",
    description="One message: its sections, and its body of any of the three kinds.",
)

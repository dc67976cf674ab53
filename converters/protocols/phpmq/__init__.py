"""PHPMQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.phpmq.message import PHPMQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "phpmq",
    "PHPMQ",
    Message,
    PHPMQ_TYPES,
    codec=f"{__name__}.codec",
    words=f"{__name__}.words",
    frames=("send", "dispatch", "003"),
    samples=Samples(company={"message_id": {"type": 3}}),
)

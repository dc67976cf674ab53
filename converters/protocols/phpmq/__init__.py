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
    description=(
        "A message on its way to the server (`type` 1), or from it (`type` 3, and then with a `message_id`). "
        "`ttl` is in seconds, 0 for no expiry; a message from the server has the remaining time."
    ),
    frames={"send": (), "dispatch": ("message_id",), "003": ("message_id",)},
    samples=Samples(company={"message_id": {"type": 3}}),
)

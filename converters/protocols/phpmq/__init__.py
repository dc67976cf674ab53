"""PHPMQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.phpmq.message import FRAMES, PHPMQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "phpmq",
    "PHPMQ",
    Message,
    PHPMQ_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    description=(
        "A message on its way to the server (frame `send`), or from it (`dispatch`, which has a `message_id`). "
        "`ttl` is in seconds, 0 for no expiry; a message from the server has the remaining time."
    ),
    frames=FRAMES,
    samples=Samples(company={"message_id": {"frame": "dispatch"}, "frame": {"message_id": b"1"}}),
)

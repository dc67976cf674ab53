"""STOMP 1.2 for mqconvert: message, codec, words, and the tables to and from AMQP 1.0."""

from mqconvert.plugin import Protocol, Samples
from mqconvert_stomp.message import FRAMES, STOMP_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "stomp",
    "STOMP 1.2",
    Message,
    STOMP_TYPES,
    codec=f"{__name__}.codec",
    words=f"{__name__}.words",
    ends=f"{__name__}.ends",
    tables=__name__,
    frames=FRAMES,
    description="A SEND frame of a client, or a MESSAGE frame of a server.",
    samples=Samples(
        company={"command": {"message_id": "1", "subscription": "0"}},
    ),
)

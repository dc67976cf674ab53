"""NSQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.nsq.message import NSQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "nsq",
    "NSQ",
    Message,
    NSQ_TYPES,
    codec=f"{__name__}.codec",
    words=f"{__name__}.words",
    frames=("send", "message"),
    samples=Samples(
        company={
            "batch_": {"batch_index": 0, "batch_size": 2},
            "attempts": {"timestamp": 10**18},
            "message_id": {"timestamp": 10**18},
        },
    ),
)

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
    description=(
        "One message. `timestamp`, `attempts` and `message_id` together make it a message frame, `defer_ms` a DPUB, "
        "`batch_index` and `batch_size` a member of an MPUB; with none of them it is a PUB. "
        "A message frame names no topic: `topic` and `channel` are those of the connection."
    ),
    frames={"send": ("defer_ms",), "message": ("timestamp", "attempts", "message_id")},
    samples=Samples(
        company={
            "batch_": {"batch_index": 0, "batch_size": 2},
            "attempts": {"timestamp": 10**18},
            "message_id": {"timestamp": 10**18},
        },
    ),
)

"""NSQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.nsq.message import FRAMES, NSQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

_DELIVERED = {"frame": "message", "timestamp": 10**18}

PROTOCOL = Protocol(
    "nsq",
    "NSQ",
    Message,
    NSQ_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    ends="mqconvert.converters.clients.ends.nsq",
    description=(
        "One message. With the frame `send` it is a PUB, with `defer_ms` a DPUB, with `batch_index` and `batch_size` a member "
        "of an MPUB. A message frame (`message`) has `timestamp`, `attempts` and `message_id`, and names no topic: `topic` and "
        "`channel` are those of the connection."
    ),
    frames=FRAMES,
    option_values={"direction": ("C2S", "S2C"), "compression": ("deflate", "snappy")},
    samples=Samples(
        company={
            "batch_": {"batch_index": 0, "batch_size": 2},
            **dict.fromkeys(("frame", *FRAMES["message"]), _DELIVERED),
        },
    ),
)

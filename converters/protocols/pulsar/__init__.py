"""Pulsar: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.pulsar.message import COMPRESSIONS, FRAMES, PULSAR_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

_UNKNOWN = b"\xfa\x3e\x00"
"""A protobuf field unknown to every definition: number 1007, without bytes."""
_DELIVERED = {"frame": "message", "message_id": "12:34:-1:-1"}

PROTOCOL = Protocol(
    "pulsar",
    "Pulsar",
    Message,
    PULSAR_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    ends="mqconvert.converters.clients.ends.pulsar",
    description=(
        "One message that a producer sends (frame `send`: SEND) or a broker delivers (`message`: MESSAGE with a `message_id`). "
        "`payload` is decompressed, unless the message is encrypted or a chunk: then it has the bytes on the wire. "
        "`topic` is not on the wire: it is that of the producer or subscription."
    ),
    frames=FRAMES,
    option_values={"compress": COMPRESSIONS},
    samples=Samples(
        places={"unknown": _UNKNOWN, "batch.unknown": _UNKNOWN, "broker_entry_metadata.unknown": _UNKNOWN},
        company={
            "batch.": {"batch.size": 2, "batch.index": 0},
            **dict.fromkeys(("frame", "message_id", "redelivery_count", "broker_entry_metadata."), _DELIVERED),
        },
    ),
)

"""RocketMQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.rocketmq.message import FRAMES, MESSAGE_MAGIC_CODE_V2, ROCKETMQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

_RECORD = {"frame": "record", "store_timestamp": 1_700_000_000_000}

PROTOCOL = Protocol(
    "rocketmq",
    "RocketMQ",
    Message,
    ROCKETMQ_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    words=f"{__name__}.words",
    description=(
        "One message. With the frame `send` it is a SEND_MESSAGE_V2, or the request of its `request_code` (10, 324, 325, 326); "
        "with a `batch_size` the member `batch_index` (from 0) of a SEND_BATCH_MESSAGE. A `record` is a stored record, as in a "
        "response to PULL_MESSAGE, or in the request of the `request_code` (39, 309). "
        "`body` is decompressed; `sys_flag` lacks the bits of the encoding (0x7F1)."
    ),
    frames=FRAMES,
    option_values={"compress": ("LZ4", "ZSTD", "ZLIB")},
    samples=Samples(
        places={"magic": MESSAGE_MAGIC_CODE_V2},
        company={
            "batch_": {"batch_index": 0, "batch_size": 2},
            **dict.fromkeys(("frame", *FRAMES["record"]), _RECORD),
        },
    ),
)

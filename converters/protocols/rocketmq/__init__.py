"""RocketMQ: message, codec and words."""

from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE_V2, ROCKETMQ_TYPES, Message

__all__ = ["PROTOCOL", "Message"]

_RECORD = {"store_timestamp": 1_700_000_000_000}

PROTOCOL = Protocol(
    "rocketmq",
    "RocketMQ",
    Message,
    ROCKETMQ_TYPES,
    codec=f"{__name__}.codec",
    words=f"{__name__}.words",
    description=(
        "One message. With a `request_code` (10, 324, 325, 326, 39, 309) it is that request; with a `store_timestamp` a stored "
        "record, as in a response to PULL_MESSAGE; with a `batch_size` the member `batch_index` (from 0) of a "
        "SEND_BATCH_MESSAGE; otherwise a request SEND_MESSAGE_V2. "
        "`body` is decompressed; bit 0 of `sys_flag` marks compression on the wire, bits 8 to 10 its type."
    ),
    frames={
        "send": ("max_reconsume_times", "producer_group"),
        "record": ("queue_offset", "physical_offset", "store_timestamp", "born_host", "store_host"),
    },
    samples=Samples(
        places={"magic": MESSAGE_MAGIC_CODE_V2},
        company={
            "batch_": {"batch_index": 0, "batch_size": 2},
            "queue_offset": _RECORD,
            "physical_offset": _RECORD,
            "born_host": _RECORD,
            "store_host": _RECORD,
            "prepared_transaction_offset": _RECORD,
            "magic": _RECORD,
        },
    ),
)

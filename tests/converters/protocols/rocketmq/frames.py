"""A stored message of RocketMQ, and the check of a reader's answer."""

from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.protocols.rocketmq.message import Message


def read_or_refused(read: Any, data: bytes) -> None:
    try:
        read(data)
    except DecodeError as error:
        offset = error.offset
    else:
        return
    assert offset is not None
    assert 0 <= offset <= len(data)


RECORD = Message(
    topic="t",
    body=b"hi",
    queue_id=0,
    born_timestamp=1,
    reconsume_times=0,
    queue_offset=5,
    physical_offset=-1,
    store_timestamp=2,
    born_host="192.0.2.1:3",
    store_host="[2001:db8::1]:4",
    frame="record",
)

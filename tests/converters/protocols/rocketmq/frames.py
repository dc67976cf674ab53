"""Requests of RocketMQ with chosen bodies, a stored message, and the check of a reader's answer."""

from collections.abc import Sequence
from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.protocols.rocketmq import codec
from mqconvert.converters.protocols.rocketmq.message import Frame, Message


def read_or_refused(read: Any, data: bytes) -> None:
    try:
        read(data)
    except DecodeError as error:
        offset = error.offset
    else:
        return
    assert offset is not None
    assert 0 <= offset <= len(data)


def in_request(code: int, body: bytes) -> bytes:
    """Return the request with this code, topic t, and this body."""
    [sent] = codec.decode_frames(codec.encode_batch([Message(topic="t")]))
    return codec.encode_frame(Frame(code, ext_fields=sent.ext_fields, body=body))


def batch_body(members: Sequence[Message]) -> bytes:
    """Return the body of the request that sends these messages as a batch."""
    return codec.decode_frames(codec.encode_batch(members))[0].body


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

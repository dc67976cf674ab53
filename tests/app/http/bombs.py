"""Messages of a few kB that cost much more time or memory."""

import base64

from mqconvert import encode, encode_batch
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq


def base64_text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def pulsar_bomb(members: int, batches: int = 1) -> str:
    """Return Zstd batches of empty members, each a few dozen bytes."""
    sent = pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")
    return base64_text(encode_batch([sent] * members) * batches)


def zeros(size: int) -> dict[str, str]:
    """Return messages of a few kB that decompress to `size` bytes."""
    zipped = pulsar.Message(payload=bytes(size), producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")
    return {
        "pulsar": base64_text(encode(zipped)),
        "rocketmq": base64_text(encode(rocketmq.Message(topic="t", body=bytes(size)), max_body=2**30, compress="ZSTD")),
    }

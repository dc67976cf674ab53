"""Frames of Pulsar with chosen metadata and payload, and the error of a reader."""

import struct
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import google_crc32c

from mqconvert import DecodeError
from mqconvert.converters.protocols.pulsar import codec as pulsar
from mqconvert.converters.protocols.pulsar.message import Message
from mqconvert.converters.protocols.pulsar.payload import compress

pb = pulsar.pb


def fault(read: Callable[[bytes], Any], wire: bytes) -> DecodeError | None:
    """Return the error of a reader for these bytes."""
    try:
        read(wire)
    except DecodeError as error:
        return error
    return None


def send_frame(metadata: bytes, payload: bytes, *, magic: bytes = b"\x0e\x01") -> bytes:
    """Return a SEND with these bytes as its metadata."""
    command = bytes.fromhex("0806320408011000")
    content = struct.pack(">I", len(metadata)) + metadata + payload
    section = magic + struct.pack(">I", google_crc32c.value(content)) + content if magic else content
    return struct.pack(">II", len(command) + len(section) + 4, len(command)) + command + section


PLAIN = Message(payload=b"x", producer_name="p", sequence_id=0, publish_time=1)


def plain(**other: Any) -> Message:
    """Return PLAIN with other values of some fields, of any type."""
    return replace(PLAIN, **other)


def metadata_bytes(**more: Any) -> bytes:
    raw: bytes = pb.MessageMetadata(producer_name="p", sequence_id=0, publish_time=1, **more).SerializeToString()
    return raw


def chunks_of(message: Message, size: int) -> list[Message]:
    """Return a message as chunks of `size` bytes, after compression."""
    payload, kind = message.payload, message.compression
    plain_form = kind in (None, "NONE")
    packed = payload if plain_form else compress(str(kind), payload)
    parts = [packed[at : at + size] for at in range(0, len(packed), size)] or [b""]
    shared = replace(
        message, uuid=f"{message.producer_name}-{message.sequence_id}", num_chunks_from_msg=len(parts),
        total_chunk_msg_size=len(packed), uncompressed_size=None if plain_form else len(payload),
    )  # fmt: skip
    return [replace(shared, chunk_id=index, payload=part) for index, part in enumerate(parts)]

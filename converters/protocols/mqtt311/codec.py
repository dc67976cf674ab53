"""MQTT 3.1.1 PUBLISH packets (section 3.3): like those of MQTT 5.0, without properties."""

from collections.abc import Iterator
from functools import partial

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import ended
from mqconvert.converters.model.sequences import in_sequence, listed, one_or_error, the_only
from mqconvert.converters.protocols.mqtt5.codec import (
    MAX_FRAMES,
    behind_publish,
    checked_identifier,
    read_head,
    read_stream,
    written_head,
)
from mqconvert.converters.protocols.mqtt311.message import Message


def decode(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Message:
    """Return the one PUBLISH in `data`; DecodeError with kind and offset otherwise. Options as for `decode_all`.

    >>> decode(bytes.fromhex("30050001746869")).payload
    b'hi'
    """
    if stream:
        return the_only(decode_each(data, stream=True, max_frames=max_frames))
    message, end = _packet(data, 0)
    if end != len(data):
        raise DecodeError("trailing_bytes", f"{len(data) - end} bytes after the packet", offset=end)
    return message


def decode_each(data: bytes, *, stream: bool = False, max_frames: int = MAX_FRAMES) -> Iterator[Message | DecodeError | None]:
    """Yield the messages of a sequence of PUBLISH packets, at least one. The errors and options are those of MQTT 5.0.

    DecodeError `unsupported_version` for a CONNECT of MQTT 5.0 in a stream.
    """
    publish = partial(one_or_error, _packet, behind_publish)
    return read_stream(data, 4, {4: _packet, 3: _packet}, max_frames) if stream else in_sequence(publish, data)


decode_all = listed(decode_each)


def encode(message: Message) -> bytes:
    """Return a PUBLISH. MQTT 5.0's codec has the rules for a missing packet identifier or topic. EncodeError names the field.

    >>> encode(Message(topic_name="t", payload=b"hi")).hex()
    '30050001746869'
    """
    identifier = checked_identifier(message.qos, message.topic_name, message.packet_identifier)
    out = written_head(message.dup, message.qos, message.retain, message.topic_name, identifier, message.payload, 0)
    payload: bytes = message.payload  # of that type since written_head
    return ended(out, payload, b"")


def _packet(data: bytes, at: i64) -> tuple[Message, i64]:
    dup, qos, retain, topic, identifier, start, end = read_head(data, at)
    if not topic:
        raise DecodeError("bad_topic", "empty topic", offset=at)
    return Message(dup, qos, retain, topic, identifier, data[start:end]), end

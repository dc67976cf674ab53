"""The bytes of each place of a message of Pulsar: the fields of its protobuf messages, and the payload.

Inside a compressed batch, the fields of a member have none.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from mqconvert.converters.model.fields import names
from mqconvert.converters.model.paths import Spans, note, note_member
from mqconvert.converters.model.primitives import read_u16, read_u32
from mqconvert.converters.model.protocol import not_alone
from mqconvert.converters.protocols.pulsar import pulsar_pb2
from mqconvert.converters.protocols.pulsar.codec import OF_MEMBER
from mqconvert.converters.protocols.pulsar.message import Message
from mqconvert.converters.protocols.pulsar.protobufs import field_at, unknown_fields, varint

pb: Any = pulsar_pb2

_CHECKSUM, _BROKER_ENTRY = 0x0E01, 0x0E02
_PLACES = {name: name for name in names(Message)} | {"num_messages_in_batch": "batch.size"}
"""The places of a message by the fields of metadata. Other fields are of the frame."""
_OF_BATCH = _PLACES | {name: f"batch.{name}" for name in OF_MEMBER}
"""Those by the metadata of a batch with members."""


def spans(data: bytes, message: Message) -> Spans:
    """Return the bytes of each place of the one frame or entry in `data`; a field has its tag before it.

    DecodeError `no_spans` for other frames beside it.
    """
    found: Spans = {}
    at = 0
    if read_u16(data, 0) not in (_CHECKSUM, _BROKER_ENTRY):
        if read_u32(data, 0) + 4 != len(data):
            raise not_alone()
        at = 8 + read_u32(data, 4)
        if message.frame == "message":
            _command(found, data, 8, at)
    if read_u16(data, at) == _BROKER_ENTRY:
        end = at + 6 + read_u32(data, at + 2)
        for name, _, begin, after in _fields(pb.BrokerEntryMetadata, data, at + 6, end):
            note(found, f"broker_entry_metadata.{name}", begin, after)
        at = end
    if read_u16(data, at) == _CHECKSUM:
        at += 6
    payload = at + 4 + read_u32(data, at)
    in_batch = message.batch is not None and message.batch.index is not None
    _metadata(found, pb.MessageMetadata, data, at + 4, payload, _OF_BATCH if in_batch else _PLACES)
    found["payload"] = payload, len(data)
    if in_batch and message.compression in (None, "NONE"):
        _member(found, data, payload, message)
    return found


def _command(found: Spans, data: bytes, start: int, end: int) -> None:
    """Note the fields that a CommandMessage adds."""
    for name, _, begin, after in _fields(pb.BaseCommand, data, start, end):
        if name == "message":
            _, inner = varint(data, varint(data, begin, end)[1], end)
            for field, _, first, last in _fields(pb.CommandMessage, data, inner, after):
                if field in ("message_id", "redelivery_count"):
                    note(found, field, first, last)


def _metadata(found: Spans, kind: Any, data: bytes, start: int, end: int, places: Mapping[str, str]) -> None:
    """Note the fields of metadata that have places."""
    counts: Counter[str] = Counter()
    copies: dict[str, int] = {}
    for name, elements, begin, after in _fields(kind, data, start, end):
        if name not in places:
            continue
        place = places[name]
        note(found, place, begin, after)
        for index, element in enumerate(elements, counts[name]):
            key = element.key if isinstance(element, pb.KeyValue) else index
            note_member(found, copies, place, key, begin, after)
        counts[name] += len(elements)


def _member(found: Spans, data: bytes, at: int, message: Message) -> None:
    """Note the fields of the message's place in its batch."""
    assert message.batch is not None
    for index in range(message.batch.size):
        start = at + 4
        end = start + read_u32(data, at)
        size = pb.SingleMessageMetadata.FromString(data[start:end]).payload_size
        if index == message.batch.index:
            found["payload"] = end, end + size
            _metadata(found, pb.SingleMessageMetadata, data, start, end, _PLACES)
            return
        at = end + size


def _fields(kind: Any, data: bytes, at: int, end: int) -> Iterator[tuple[str, list[Any], int, int]]:
    """Yield the fields of a protobuf message: the name, the elements of a list, and the bytes.

    The name is `unknown` for one that its definition lacks, also for one of another wire type.
    """
    while at < end:
        key, after = field_at(None, data, at, end)
        alone = kind.FromString(data[at:after])
        if unknown_fields(alone):
            yield "unknown", [], at, after
        else:
            field = kind.DESCRIPTOR.fields_by_number[key >> 3]
            yield field.name, list(getattr(alone, field.name)) if field.is_repeated else [], at, after
        at = after

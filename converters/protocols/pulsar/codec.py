"""Pulsar's binary protocol: frames of any command, and the messages in SEND and MESSAGE frames.

A frame is a size, a command in protobuf, and for SEND and MESSAGE the metadata behind a checksum, then the payload. Names in
quotes are sections of the protocol's document; pulsar.proto has every command. An entry, as brokers store it, is a frame
without size and command. Input that begins with one of its magic numbers is read as an entry.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from operator import itemgetter
from struct import Struct
from struct import error as struct_error
from typing import Any, Final

import mqconvert.converters.protocols.pulsar.printed_codec as printed
from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.model.primitives import SIZES, UNWRITABLE, read_u32
from mqconvert.converters.model.sections import as_frame, check_fields, refuse_frame, section_from_json, section_to_json
from mqconvert.converters.model.sequences import listed, several_messages, the_only, unless_limit
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar.message import (
    COMPRESSIONS,
    FRAMES,
    PROPERTIES,
    PULSAR_TYPES,
    Batch,
    BrokerEntryMetadata,
    EncryptionKey,
    Frame,
    Message,
    parse_message_id,
)
from mqconvert.converters.protocols.pulsar.payload import compress, decompress
from mqconvert.converters.protocols.pulsar.protobufs import (
    UnfinishedError,
    check_required,
    first_missing,
    from_json,
    has_bad_text,
    is_complete,
    only_unknown,
    parse,
    syntax_fault,
    to_json,
    unknown_bytes,
    unknown_fields,
)

pb = package("mqconvert.converters.protocols.pulsar.pulsar_pb2")
crc32c: Callable[[bytes], int] = package("google_crc32c").value

MAX_FRAME_SIZE: Final = 5 * 2**20 + 10 * 2**10
"""Default limit of a frame in bytes with its size field: 5 MiB for the message and 10 KiB for the rest, as in Java and Go.

A broker announces its own limit for messages in CommandConnected.max_message_size."""

MAX_DECOMPRESSED: Final = 64 * 2**20
"""Default limit of a decompressed payload in bytes."""

MAX_BATCH: Final = 100_000
"""Default limit of members in a batch. Clients send up to 1000; empty members would cost an attacker little."""

_INT: Final = Struct(">I")
_INTS: Final = Struct(">II")
_CHECKSUM_MAGIC: Final = b"\x0e\x01"
_BROKER_ENTRY_MAGIC: Final = b"\x0e\x02"
_MAGICS: Final = (_CHECKSUM_MAGIC, _BROKER_ENTRY_MAGIC)

_SUBCOMMANDS: Final[dict[int, str]] = {
    kind.number: pb.BaseCommand.DESCRIPTOR.fields_by_number[kind.number].name
    for kind in pb.BaseCommand.DESCRIPTOR.enum_types_by_name["Type"].values
}
"""The field of BaseCommand that holds a type's sub-command: the field with the type's number."""
_METADATA_CLASS: Final[Any] = pb.MessageMetadata
_SEND_CLASS: Final[Any] = pb.CommandSend
_SEND: Final[int] = pb.BaseCommand.SEND
_MESSAGE: Final[int] = pb.BaseCommand.MESSAGE


# ---- messages -------------------------------------------------------------------------------------------------------


def decode(data: bytes, **options: Any) -> Message:
    """Return the one message in `data`, which may hold other frames; DecodeError with kind and offset otherwise.

    `options` are those of `decode_all`. Kinds: those of `decode_frames`, `bad_compression`, `unknown_compression`,
    `bad_batch`, `no_message`, `several_messages`.

    >>> decode(bytes.fromhex("000000270000000808063204080110000e01cf85822f0000000c0a017010001880d095ffbc3168656c6c6f"))
    ... # doctest: +ELLIPSIS
    pulsar.Message(payload=b'hello', producer_name='p', sequence_id=0, publish_time=1700000000000)
    """
    if not options:
        frame, span, end = _frame(data, 0, MAX_FRAME_SIZE)
        if end == len(data) and isinstance(frame, Frame) and frame.metadata is not None:
            only = _message(frame, data, span)
            if only.batch is None and only.compression is None:  # the usual message, which needs no generators
                return only
    return the_only(decode_each(data, True, **options))


def decode_each(
    data: bytes,
    single: bool = False,
    *,
    max_frame_size: int = MAX_FRAME_SIZE,
    max_decompressed: int = MAX_DECOMPRESSED,
    max_batch: int = MAX_BATCH,
    join_chunks: bool = False,
) -> Iterator[Message | DecodeError]:
    """Yield the messages of a sequence of frames, at least one, or the error of a frame or member that is not one.

    It skips commands without a message, and refuses a batch over a limit before decompression. With `single`, the second member
    of a batch is an error.

    Members of batches come one by one, without those already acknowledged (ack_set) or compacted away; the first remaining
    member lists the latter (`batch.compacted_out`). A batch without remaining members is skipped. `max_decompressed` and
    `max_batch` limit each frame and all frames together; a long input raises the common limit, by 16 decompressed bytes for
    each of its bytes, or a member for each 6 bytes.

    Chunks are separate messages, whose payload is a part of the message's. `join_chunks` joins them, each message in the place
    of its last chunk; DecodeError `missing_chunk` names a chunk that is not in `data`. Encrypted chunks stay separate. Up to
    `max_batch` chunks with `max_decompressed` bytes wait for others.
    """
    raw, members = max(max_decompressed, 16 * len(data)), max(max_batch, len(data) // 6)
    limits = _Limits(max_decompressed, max_batch, raw, members)
    found = _each(data, max_frame_size, limits, single=single)
    if join_chunks:
        found = _joined_each(found, limits)
    return map(itemgetter(1), found)


decode_all = listed(decode_each)


@dataclass(slots=True)
class _Limits:
    """The limits of each frame, and what remains of those of the input: bytes of decompressed payloads, members of batches."""

    max_decompressed: int
    max_batch: int
    raw: int
    members: int

    def decompress(self, message: Message, offset: int) -> None:
        """Decompress the payload of a message; DecodeError."""
        compression = None if message.compression == "NONE" else message.compression
        if compression is not None:
            stated, most = message.uncompressed_size or 0, min(self.max_decompressed, self.raw)
            message.payload = decompress(compression, message.payload, stated, most, offset)
            message.uncompressed_size = None
            self.raw -= len(message.payload)


Found = tuple[int, Message | DecodeError]
"""The offset of a frame, and a message or an error in it."""


def _each(data: bytes, max_frame_size: int, limits: _Limits, *, single: bool) -> Iterator[Found]:
    """Yield the messages and errors of every frame. Errors in the structure of frames are raised."""
    none_yet = True
    none = "no SEND or MESSAGE"
    for at, frame, span in _frames(data, max_frame_size):
        if isinstance(frame, DecodeError):
            none_yet = False
            yield at, frame
        elif frame.metadata is not None:
            none = "every member of the batch is acknowledged or compacted away"
            found: Sequence[Message | DecodeError]
            try:
                found = _messages(frame, data, span, limits, single=single)
            except DecodeError as error:
                found = [unless_limit(error)]
            for one in found:
                none_yet = False
                yield at, one
    if none_yet:
        raise DecodeError("no_message", none, offset=0)


def encode(
    message: Message,
    *,
    producer_id: int = 0,
    consumer_id: int = 0,
    max_frame_size: int = MAX_FRAME_SIZE,
    clock: int = 0,
    compress: str | None = None,
) -> bytes:
    """Return a frame with one message, as its `frame` says: SEND or MESSAGE; EncodeError names the field at fault.

    Producer name, sequence id and publish time are required; `clock` (milliseconds since 1970) replaces an unset time.
    `compress` is LZ4, ZLIB, ZSTD, SNAPPY or NONE; by default the message's own `compression`. Encrypted messages and chunks
    keep their bytes.
    The only remaining member of a batch is written as that batch. A member of a larger one is written by itself, since the
    others are missing: `encode_batch` writes whole batches. A message with unknown fields that collide with field numbers
    of MessageMetadata is written as a batch of one, which keeps them apart.

    >>> encode(Message(payload=b"hello", producer_name="p", sequence_id=0, publish_time=1700000000000), producer_id=1).hex()
    '000000270000000808063204080110000e01cf85822f0000000c0a017010001880d095ffbc3168656c6c6f'
    """
    message = _chosen(message, clock, compress)
    metadata = _METADATA_CLASS()
    if _written(metadata, message):
        return _framed(message, metadata, message.payload, None, producer_id, consumer_id, max_frame_size)
    batch = message.batch
    if batch is not None and batch.index is not None:
        only = len(batch.compacted_out or ()) + 1 == batch.size
        if not only and message.unknown and not only_unknown(pb.MessageMetadata, message.unknown):
            message, only = replace(message, batch=replace(batch, size=1, index=0, compacted_out=None)), True
        if only:
            return encode_batch([message], producer_id=producer_id, consumer_id=consumer_id, max_frame_size=max_frame_size)
    _complete(metadata, message)
    size = None
    if batch is not None and batch.index is None:
        if not _opaque(message):
            raise EncodeError("bad_value", "only an encrypted batch or a chunk can be a complete batch", field="batch.index")
        size = batch.size
    elif batch is not None and message.sequence_id is None and batch.sequence_id is not None:
        message = replace(message, sequence_id=(batch.sequence_id + (batch.index or 0)) % 2**64)
        metadata.sequence_id = message.sequence_id
    return _framed(message, metadata, message.payload, size, producer_id, consumer_id, max_frame_size)


def _chosen(message: Message, clock: int, compression: str | None) -> Message:
    """Return a message with the publish time and the compression of the encoder's options."""
    if clock and message.publish_time is None:
        message = replace(message, publish_time=clock)
    if compression is None:
        return message
    if compression not in COMPRESSIONS:
        words = f"no compression {compression[:40]!r}: one of {', '.join(COMPRESSIONS)}"
        raise EncodeError("bad_option", words, field="compress")
    chosen = None if compression == "NONE" else compression
    return message if _opaque(message) else replace(message, compression=chosen, uncompressed_size=None)


def encode_batch(
    messages: Sequence[Message],
    *,
    producer_id: int = 0,
    consumer_id: int = 0,
    max_frame_size: int = MAX_FRAME_SIZE,
    clock: int = 0,
    compress: str | None = None,
) -> bytes:
    """Return a frame with all the messages as one batch, in their order.

    The options are those of `encode`. Members of one batch must be all its remaining members, in order. The batch's own fields
    are written again, and so are the markers of members that were compacted away (`batch.compacted_out`).
    Others make a new batch, which takes its sequence id, partition key and ordering key from the first, as in clients.
    Fields that members share on the wire (producer name, times, compression ...) must be equal: EncodeError `bad_batch`
    names the first field that differs.

    >>> two = [Message(payload=b"a", producer_name="p", sequence_id=i, publish_time=1) for i in range(2)]
    >>> [(message.payload, message.batch.index) for message in decode_all(encode_batch(two))]
    [(b'a', 0), (b'a', 1)]
    """
    if not messages:
        raise EncodeError("bad_batch", "empty batch: give at least one message", field="")
    messages = [_chosen(message, clock, compress) for message in messages]
    members = [pb.SingleMessageMetadata() for _ in messages]
    for index, message in enumerate(messages):
        _written(members[index], message, f"[{index}].")
    first = messages[0]
    gone = {place for message in messages if message.batch is not None for place in message.batch.compacted_out or ()}
    size = len(messages) + len(gone)
    left = [place for place in range(size) if place not in gone]
    if len(left) != len(messages):
        raise EncodeError("bad_batch", f"a batch of {size} has no such places", field="[0].batch.compacted_out")
    for index, message in enumerate(messages):
        _check_member(first, message, index, left[index], size)
    whole = replace(first, **_of_batch(first))
    metadata = _METADATA_CLASS()
    printed.write_metadata(metadata, whole)
    _complete(metadata, whole, "[0].batch.unknown")
    parts = [_COMPACTED_OUT] * size
    for index, (place, message, member) in enumerate(zip(left, messages, members, strict=True)):
        _add_unknown(member, message.unknown, f"[{index}].unknown")
        member.payload_size = len(message.payload)
        parts[place] = _sized_bytes(member.SerializeToString(), message.payload)
    return _framed(whole, metadata, b"".join(parts), size, producer_id, consumer_id, max_frame_size)


# ---- frames ---------------------------------------------------------------------------------------------------------


def decode_each_frame(data: bytes, *, max_frame_size: int = MAX_FRAME_SIZE) -> Iterator[Frame]:
    """Yield every frame in `data`, at least one, or the one entry; DecodeError with kind and offset otherwise.

    Kinds: `truncated`, `frame_too_large`, `bad_length`, `bad_protobuf`, `missing_field`, `bad_utf8`, `unknown_command`,
    `missing_command`, `bad_magic`, `bad_checksum`.

    >>> decode_frames(bytes.fromhex("00000009000000050812920100"))[0].command.HasField("ping")
    True
    """
    for _, frame, span in _frames(data, max_frame_size):
        if isinstance(frame, DecodeError):
            raise frame
        if frame.metadata is not None:
            check_required(frame.metadata, span[0])
            if has_bad_text(frame.metadata):
                raise syntax_fault(pb.MessageMetadata.DESCRIPTOR, data, span[0], span[1])
        yield frame


decode_frames = listed(decode_each_frame)


def encode_frame(given: object, *, max_frame_size: int = MAX_FRAME_SIZE) -> bytes:
    """Return the bytes of a frame, fields in the order of their numbers; EncodeError names the field at fault.

    >>> encode_frame(Frame(pb.BaseCommand(type="PING", ping=pb.CommandPing()))).hex()
    '00000009000000050812920100'
    """
    frame = as_frame(given, Frame)
    section = _encode_section(frame)
    if frame.command is None:
        return section
    command = _serialized(frame.command, pb.BaseCommand, "command")
    name = _SUBCOMMANDS[frame.command.type]
    if not frame.command.HasField(name):
        raise EncodeError("missing_command", f"a command of this type needs {name}", field=f"command.{name}")
    if (frame.command.type in (_SEND, _MESSAGE)) is (frame.metadata is None):
        words = "SEND and MESSAGE need it" if frame.metadata is None else "only SEND and MESSAGE have it"
        raise EncodeError("bad_value", words, field="metadata")
    return _joined_frame(command, section, max_frame_size)


def _joined_frame(command: bytes, section: bytes, limit: int, content: bytes = b"") -> bytes:
    """Return the frame of a command and the bytes after it; EncodeError `frame_too_large`."""
    total = 4 + len(command) + len(section) + len(content)
    if total + 4 > limit:
        words = f"a frame of {total + 4} bytes, the limit is {limit} (max_frame_size)"
        raise EncodeError("frame_too_large", words, field="payload" if section else "command")
    return b"".join((_INTS.pack(total, len(command)), command, section, content))


def frame_to_json(given: object) -> JsonObject:
    """Return a frame as JSON: protobuf messages by the names of their fields and enumerations, bytes in base64.

    >>> frame_to_json(decode_frames(bytes.fromhex("00000009000000050812920100"))[0])
    {'command': {'type': 'PING', 'ping': {}}}
    """
    frame = as_frame(given, Frame)
    parts = {name: to_json(part) for name in _PARTS if (part := getattr(frame, name)) is not None}
    return parts if frame.metadata is None else parts | section_to_json(frame, PULSAR_TYPES)


def frame_from_json(obj: JsonObject) -> Frame:
    """Return the frame of its JSON form. Defaults: `checksum` true, `payload` empty.

    DecodeError (`bad_json`, `bad_value`, `unknown_field`) names the place; `encode_frame` reports missing fields.

    >>> frame_from_json({"command": {"type": "PONG", "pong": {}}}).command.type == pb.BaseCommand.PONG
    True
    """
    parts = {name: from_json(class_, obj[name], name) if name in obj else None for name, class_ in _PARTS.items()}
    if "metadata" not in obj and ("payload" in obj or "checksum" in obj):
        raise DecodeError("bad_value", "a payload comes with metadata", field="metadata")
    members = {name: member for name, member in obj.items() if name not in _PARTS}
    return section_from_json(Frame, members, PULSAR_TYPES, others=parts)


_PARTS = {"command": pb.BaseCommand, "broker_entry_metadata": pb.BrokerEntryMetadata, "metadata": pb.MessageMetadata}


# ---- reading frames -------------------------------------------------------------------------------------------------

_LARGEST: Final = 2**32 + 3
"""The bytes of a frame whose size is the largest of 32 bits: a higher limit is none."""
Span = tuple[int, int]
"""A range of the input: the offsets of its first byte and of the byte after it."""


def _frames(data: bytes, limit: int) -> Iterator[tuple[int, Frame | DecodeError, Span]]:
    """Yield every frame with its offset and the span of its metadata; for a SEND or MESSAGE with an invalid section, its error.

    The fields of metadata are not checked.
    """
    at, size = 0, len(data)
    most = min(limit, _LARGEST)
    while True:
        frame, span, end = _frame(data, at, most)
        if isinstance(frame, Frame) and frame.metadata is None and frame.command is not None and has_bad_text(frame.command):
            raise syntax_fault(pb.BaseCommand.DESCRIPTOR, data, at + 8, end)
        yield at, frame, span
        if end == size:
            return
        at = end


def _frame(data: bytes, at: int, limit: int) -> tuple[Frame | DecodeError, Span, int]:
    """Return the frame at `at` or the error in its section, the span of its metadata, the offset after it ("frame format")."""
    try:
        total, command_size = printed.read_sizes(data, at)
    except (IndexError, struct_error):
        raise _bad_sizes(data, at, limit) from None
    if total + 4 > limit and not at and data[:2] in _MAGICS:
        entry = Frame(None)
        return entry, _section(entry, data, 0, len(data), limit), len(data)
    end, start = at + 4 + total, at + 8
    stop = start + command_size
    if total + 4 > limit or not stop <= end <= len(data):
        raise _bad_sizes(data, at, limit)
    command, type_ = _command(data, start, stop)
    frame = Frame(command)
    if type_ == _SEND or type_ == _MESSAGE:  # noqa: PLR1714, SIM109 - mypyc compiles it to two comparisons
        if stop == end:
            raise DecodeError("truncated", "expected metadata after a SEND or MESSAGE", offset=end)
        try:
            return frame, _section(frame, data, stop, end, limit), end
        except DecodeError as error:
            return error, (stop, end), end
    if stop != end:
        raise DecodeError("bad_length", f"{end - stop} bytes after a command that carries nothing", offset=stop)
    return frame, (end, end), end


def _bad_sizes(data: bytes, at: int, limit: int) -> DecodeError:
    """Return the error of sizes that are not all there, or that no frame can have."""
    there = len(data) - at
    unfinished = DecodeError("truncated", "the input ends within the sizes of a frame", offset=len(data))
    if there < 4:
        return unfinished
    total: int = read_u32(data, at)
    if total + 4 > limit and (there >= 8 or data[at : at + 2] not in _MAGICS):
        return DecodeError("frame_too_large", f"a frame of {total + 4} bytes, the limit is {limit} (max_frame_size)", offset=at)
    if total < 4:
        return DecodeError("bad_length", f"{total} bytes are too few for the command's size", offset=at)
    if there < 8:
        return unfinished
    if total > there - 4:
        return DecodeError("truncated", f"{total} bytes announced, {there - 4} there", offset=len(data))
    words = f"a command of {read_u32(data, at + 4)} bytes in a frame of {total}"
    return DecodeError("bad_length", words, offset=at + 4)


def _command(data: bytes, start: int, stop: int) -> tuple[object, int]:
    """Return a command, and its type."""
    command: Any = parse(pb.BaseCommand, data, start, stop)
    if not is_complete(command):
        raise _incomplete(command, data, start, stop)
    type_: int = command.type
    name = _SUBCOMMANDS[type_]
    if not command.HasField(name):
        words = f"{pb.BaseCommand.Type.Name(type_)} without {name}"
        raise DecodeError("missing_command", words, offset=start, field=f"command.{name}")
    return command, type_


def _incomplete(command: Any, data: bytes, start: int, stop: int) -> DecodeError:
    """Return the error for a missing field. An unknown type is missing, too: protobuf treats it as an unknown field."""
    missing = first_missing(command)
    if missing == "type":
        for field in unknown_fields(pb.BaseCommand.FromString(data[start:stop])):
            if field.field_number == 1 and field.wire_type == 0:
                words = f"unknown command type {field.data}"
                return DecodeError("unknown_command", words, offset=start, field="command.type")
    return DecodeError("missing_field", f"BaseCommand needs {missing}", offset=start, field=missing, names_field=True)


def _section(frame: Frame, data: bytes, at: int, end: int, limit: int) -> Span:
    """Read the bytes after the command of SEND and MESSAGE, up to `end`, into `frame`; return the span of the metadata.

    Before protocol version 6, frames have no checksum and begin with the size of the metadata.
    """
    magic = data[at : at + 2]
    if magic == _BROKER_ENTRY_MAGIC:
        stop = _sized(data, at + 2, end, "broker entry metadata")
        frame.broker_entry_metadata = parse(pb.BrokerEntryMetadata, data, at + 6, stop)
        at = stop
        if frame.command is None and at == end:
            return at, at  # broker entry metadata without a command
        magic = data[at : at + 2]
    if magic == _CHECKSUM_MAGIC:
        if at + 6 > end:
            raise DecodeError("bad_length", "the frame ends within the checksum", offset=at)
        stated: int = read_u32(data, at + 2)
        computed = crc32c(data[at + 6 : end])
        if stated != computed:
            words = f"the frame says CRC-32C {stated:08x}, its content has {computed:08x}"
            raise DecodeError("bad_checksum", words, offset=at + 2)
        at += 6
    elif at + 4 <= end and (data[at] == 0x0E or read_u32(data, at) > limit):
        raise DecodeError("bad_magic", f"neither a magic nor a size: {data[at : at + 4].hex()}", offset=at)
    else:
        frame.checksum = False
    start = at + 4
    stop = _sized(data, at, end, "metadata")
    frame.metadata = parse(_METADATA_CLASS, data, start, stop)
    frame.payload = data[stop:end]
    return start, stop


def _sized(data: bytes, at: int, end: int, what: str) -> int:
    """Return the end of the data after a size; `bad_length` where that is past the end."""
    if at + 4 > end:
        raise DecodeError("bad_length", f"the frame ends within the size of its {what}", offset=at)
    stop: int = at + 4 + read_u32(data, at)
    if stop > end:
        raise DecodeError("bad_length", f"{what} of {stop - at - 4} bytes, {end - at - 4} left in the frame", offset=at)
    return stop


# ---- reading messages -----------------------------------------------------------------------------------------------


class _BadTextError(Exception):
    """A string of the metadata that is not UTF-8; `_message` adds its offset."""


def _text(value: Any) -> str:
    """Return a text, which the runtime gives as bytes if it is not UTF-8."""
    if type(value) is bytes:
        raise _BadTextError
    text: str = value
    return text


def _texts(values: Any) -> list[str]:
    return list(map(_text, values))


def _pairs(values: Any) -> list[tuple[str, str]]:
    """Return KeyValue messages as pairs."""
    return [(_text(pair.key), _text(pair.value)) for pair in values]


def _encryption_keys(values: Any) -> list[EncryptionKey]:
    return [EncryptionKey(_text(one.key), one.value, _pairs(one.metadata) or None) for one in values]


_READERS: Final[dict[str, Callable[[Any], object]]] = {
    PROPERTIES.name: _pairs,
    "utf8": _text,
    "texts": _texts,
    "compression": COMPRESSIONS.__getitem__,
    "records": _encryption_keys,
    "ints": list,
}
"""The readers of wire types with another value in a message than in protobuf, or with text."""

READ: Final[dict[object, tuple[str, Callable[[Any], object] | None]]] = {
    known[field.name]: (field.name, _READERS.get(field.metadata["types"][0]))
    for of, into in (
        (Message, pb.MessageMetadata),
        (Message, pb.SingleMessageMetadata),
        (BrokerEntryMetadata, pb.BrokerEntryMetadata),
    )
    for known in [into.DESCRIPTOR.fields_by_name]
    for field in fields(of)
    if field.name in known
} | {pb.MessageMetadata.DESCRIPTOR.fields_by_name["num_messages_in_batch"]: ("batch", Batch)}
"""The name and the reader of each field of metadata, by its descriptor. Others are of the frame.

The batch of a message with several members, before it is opened, is one without an index.
"""
_REQUIRED: Final = tuple(field.name for field in pb.MessageMetadata.DESCRIPTOR.fields if field.is_required)
"""The fields that every message has."""
OF_MEMBER: Final = tuple(name for name in names(Batch) if name in names(Message))
"""The fields that each member of a batch has separately."""


def _messages(frame: Frame, data: bytes, span: Span, limits: _Limits, *, single: bool) -> Sequence[Message | DecodeError]:
    """Return the messages of a frame with metadata at `span`, and the errors of invalid members."""
    message = _message(frame, data, span)
    if _opaque(message):
        return [message]
    size = None if message.batch is None else message.batch.size
    if size is not None and _KAFKA in (message.properties or ()):
        words = (
            "a batch of Kafka's records (property entry.format=kafka, from KoP): read it as Kafka, or set entryFormat=pulsar"
        )
        raise DecodeError("bad_batch", words, offset=span[1], field="metadata.properties")
    most = min(limits.max_batch, limits.members)
    if size is not None and size < 1:
        raise DecodeError("bad_batch", f"a batch of {size} messages, the minimum is 1", offset=span[0])
    if size is not None and size > most:
        raise LimitError("too_many", f"a batch of {size} messages, the limit is {most}", limit="max_batch", offset=span[0])
    limits.decompress(message, span[1])
    if size is None:
        return [message]
    limits.members -= size
    return _members(message, size, _acknowledged(frame), span[1], single=single)


def _message(frame: Frame, data: bytes, span: Span) -> Message:
    """Return the message of a frame with metadata at `span`: a compressed one, or a whole batch, as it is there."""
    message, metadata, start = Message(), frame.metadata, span[0]
    try:
        _read(message, metadata)
    except _BadTextError:
        check_required(metadata, start)
        raise syntax_fault(pb.MessageMetadata.DESCRIPTOR, data, start, span[1]) from None
    lacks = message.producer_name is None or message.sequence_id is None or message.publish_time is None
    if lacks or message.properties is not None or message.encryption_keys is not None:  # these have required fields, too
        check_required(metadata, start)
    if message.unknown is not None:
        _check_compression(metadata, start)
    message.payload = frame.payload
    command = frame.command
    if command is not None and command.type == _MESSAGE:
        _received(message, command.message)
    if frame.broker_entry_metadata is not None:
        message.broker_entry_metadata = _read(BrokerEntryMetadata(), frame.broker_entry_metadata)
    return message


_KAFKA: Final = ("entry.format", "kafka")
"""The property by which Kafka-on-Pulsar (KoP) marks an entry with a batch of Kafka's records as payload."""


def _read(message: Any, metadata: Any) -> Any:
    """Copy the set fields of metadata into a message, or a part of it, with fields of the same names."""
    for field, value in metadata.ListFields():
        known = READ.get(field)
        if known is None:  # a field of the frame
            continue
        name, reader = known
        setattr(message, name, value if reader is None else reader(value))
    if unknown_fields(metadata):
        message.unknown = unknown_bytes(metadata)
    return message


def _check_compression(metadata: Any, at: int) -> None:
    """Refuse an unknown compression, which protobuf treats as an unknown field and would read as NONE."""
    number = metadata.DESCRIPTOR.fields_by_name["compression"].number
    for field in unknown_fields(metadata):
        if field.field_number == number and field.wire_type == 0:
            raise DecodeError(
                "unknown_compression", f"unknown compression {field.data}", offset=at, field="metadata.compression"
            )


def _received(message: Message, command: Any) -> None:
    """Set the fields that a CommandMessage adds: message id, redelivery count."""
    position = command.message_id
    message.frame = "message"
    message.message_id = f"{position.ledgerId}:{position.entryId}:{position.partition}:{position.batch_index}"
    if command.HasField("redelivery_count"):
        message.redelivery_count = command.redelivery_count


def _opaque(message: Message) -> bool:
    """Return whether the payload cannot be opened: it is encrypted, or a part of a message ("chunk")."""
    return bool(message.encryption_keys) or message.chunk_id is not None


_Chunks = dict[int, Message]
"""The chunks of one message that were found so far, by chunk_id."""


def _joined_each(found: Iterator[Found], limits: _Limits) -> Iterator[Found]:
    """Yield messages and errors, with chunks joined, and the error of each message that lacks a chunk.

    Chunks may come in any order, and those of several messages mixed. With a second chunk 0 the producer sends a message again;
    any other that is sent twice replaces the earlier one.
    """
    waiting: dict[tuple[str | None, str | None, int], tuple[int, _Chunks]] = {}  # each with the offset of its first chunk
    held = size = 0
    for at, one in found:
        if isinstance(one, DecodeError) or not _joinable(one):
            yield at, one
            continue
        key = one.producer_name, one.uuid, one.num_chunks_from_msg or 0
        index = one.chunk_id or 0
        first, chunks = waiting.get(key) or (at, {})
        if not index and 0 in chunks:
            if chunks[0].payload != one.payload:
                yield first, _missing(first, chunks)  # another message with that name
            held, size = held - len(chunks), size - _payloads(chunks)
            first, chunks = at, {}
        earlier = chunks.get(index)
        held, size = held + (earlier is None), size + len(one.payload) - (0 if earlier is None else len(earlier.payload))
        chunks[index] = one
        waiting[key] = first, chunks
        if len(chunks) == key[2]:
            del waiting[key]
            held, size = held - len(chunks), size - _payloads(chunks)
            yield at, _joined(one, chunks, at, limits)
        _check_waiting(held, size, limits, at)
    for first, chunks in waiting.values():
        yield first, _missing(first, chunks)


def _payloads(chunks: _Chunks) -> int:
    """Return the bytes of all payloads."""
    return sum([len(chunk.payload) for chunk in chunks.values()])


def _missing(first: int, chunks: _Chunks) -> DecodeError:
    """Return the error that names the first missing chunk; the first that is there is in the frame at `first`."""
    one = next(iter(chunks.values()))
    count = one.num_chunks_from_msg or 0
    lacking = next(index for index in range(count) if index not in chunks)
    more = count - len(chunks) - 1
    others = f" (and {more} more)" if more else ""
    words = f"chunk {lacking} of 0 to {count - 1} of the message {one.uuid!r} is missing{others}"
    return DecodeError("missing_chunk", words, offset=first, field="chunk_id")


def _joinable(message: Message) -> bool:
    """Return whether a message is a chunk that can be joined."""
    index, count = message.chunk_id, message.num_chunks_from_msg or 0
    return index is not None and 0 <= index < count and not message.encryption_keys


def _check_waiting(held: int, size: int, limits: _Limits, at: int) -> None:
    """Raise LimitError where more chunks, or more bytes of them, wait for others than the options allow."""
    if held > limits.max_batch:
        words = f"more than {limits.max_batch} chunks of messages without their last chunk"
        raise LimitError("too_many", words, limit="max_batch", offset=at)
    if size > limits.max_decompressed:
        words = f"more than {limits.max_decompressed} bytes in chunks to join"
        raise LimitError("too_large", words, limit="max_decompressed", offset=at)


def _joined(last: Message, chunks: _Chunks, at: int, limits: _Limits) -> Message | DecodeError:
    """Return the message joined from its chunks, or its error. Like clients, it takes its id from `last`, the last chunk."""
    payload = b"".join([chunks[index].payload for index in range(len(chunks))])
    if last.total_chunk_msg_size is not None and last.total_chunk_msg_size != len(payload):
        words = f"{len(chunks)} chunks of {len(payload)} bytes, {last.total_chunk_msg_size} announced"
        return DecodeError("bad_length", words, offset=at, field="total_chunk_msg_size")
    joined = replace(last, payload=payload, uuid=None, chunk_id=None, num_chunks_from_msg=None, total_chunk_msg_size=None)
    try:
        limits.decompress(joined, at)
    except DecodeError as error:
        return unless_limit(error)
    return joined


def _acknowledged(frame: Frame) -> Callable[[int], bool]:
    """Return the test for acknowledged members of a batch: those with bit 0 in the ack_set of a MESSAGE."""
    words = [] if frame.command is None or frame.command.type != _MESSAGE else list(frame.command.message.ack_set)
    if not words:
        return lambda _: False
    return lambda index: index >= 64 * len(words) or not words[index >> 6] >> (index & 63) & 1


def _members(
    whole: Message, size: int, acknowledged: Callable[[int], bool], offset: int, *, single: bool
) -> list[Message | DecodeError]:
    """Return the members of an opened batch: `whole` has the payload of all, their shared fields and those of the batch.

    In the place of an invalid member is its error; an error that hides where the next member begins is the last.
    The first lists all compacted members, so all are read before it is yielded; `single` stops at the second. Members share
    their common lists, which saves memory in large batches.
    """
    own = {name: getattr(whole, name) for name in OF_MEMBER}
    shared = {f.name: getattr(whole, f.name) for f in fields(Message) if f.name not in own and f.name != "payload"}
    position = whole.message_id and whole.message_id.rpartition(":")[0]
    members: list[Message | DecodeError] = []
    first: Batch | None = None
    compacted_out: list[int] = []
    payload, at = whole.payload, 0
    for index in range(size):
        try:
            metadata, start, at = _member_metadata(payload, at, index, offset)
        except DecodeError as error:
            members.append(error)
            break
        if metadata.compacted_out:
            compacted_out.append(index)
            continue
        if acknowledged(index):
            continue
        if members and single:
            raise several_messages(0)
        member = _member(shared, metadata, index, offset)
        members.append(member)
        if isinstance(member, DecodeError):
            continue
        member.payload = payload[start:at]
        member.batch = batch = Batch(size, index, **own)
        first = first or batch
        if position is not None:
            member.message_id = f"{position}:{index}"
    else:
        if at != len(payload):
            members.append(DecodeError("bad_batch", f"{len(payload) - at} bytes after the last member", offset=offset))
    if first is not None and compacted_out:
        first.compacted_out = compacted_out
    return members


def _member(shared: dict[str, Any], metadata: Any, index: int, offset: int) -> Message | DecodeError:
    """Return a member of a batch without its payload, or the error in its metadata."""
    if not is_complete(metadata):
        missing = first_missing(metadata)
        return DecodeError("missing_field", f"member {index}: its metadata need {missing}", offset=offset, field=missing)
    member = Message(**shared)
    try:
        _read(member, metadata)
    except _BadTextError:
        return DecodeError("bad_utf8", f"member {index}: a string is not valid UTF-8", offset=offset)
    return member


def _member_metadata(payload: bytes, at: int, index: int, offset: int) -> tuple[Any, int, int]:
    """Return the metadata of a member, at least its payload_size, and the start and the end of its payload.

    Errors give the offset of the (compressed) batch.
    """
    if at + 4 > len(payload):
        raise DecodeError("bad_batch", f"the batch ends before member {index}", offset=offset)
    start = at + 4
    stop: int = start + read_u32(payload, at)
    if stop > len(payload):
        raise DecodeError("bad_batch", f"the metadata of member {index} go past the end", offset=offset)
    try:
        metadata: Any = parse(pb.SingleMessageMetadata, payload, start, stop)
    except DecodeError as error:
        raise DecodeError(error.kind, f"member {index}: {error.message}", offset=offset, field=error.field) from None
    if not metadata.HasField("payload_size"):
        words = f"member {index}: SingleMessageMetadata needs payload_size"
        raise DecodeError("missing_field", words, offset=offset, field="payload_size")
    end = stop + metadata.payload_size
    if metadata.payload_size < 0 or end > len(payload):
        words = f"member {index}: {metadata.payload_size} bytes, {len(payload) - stop} left"
        raise DecodeError("bad_batch", words, offset=offset)
    return metadata, stop, end


# ---- writing --------------------------------------------------------------------------------------------------------


def _encode_section(frame: Frame) -> bytes:
    """Return the bytes after the command of SEND and MESSAGE, or those of an entry."""
    PULSAR_TYPES["payload"].check(frame.payload, "payload")
    PULSAR_TYPES["boolean"].check(frame.checksum, "checksum")
    head = b""
    if frame.broker_entry_metadata is not None:
        entry = _serialized(frame.broker_entry_metadata, pb.BrokerEntryMetadata, "broker_entry_metadata")
        head = _BROKER_ENTRY_MAGIC + _sized_bytes(entry)
    if frame.metadata is None:
        if frame.command is None and not head:
            raise EncodeError("missing_field", "neither a command nor metadata", field="command")
        if frame.payload:
            raise EncodeError("bad_value", "a frame without metadata has no payload", field="payload")
        return head
    metadata = _serialized(frame.metadata, pb.MessageMetadata, "metadata")
    if frame.command is None and not frame.checksum and not head:
        raise EncodeError("bad_value", "an entry begins with a magic number, so it needs a checksum", field="checksum")
    content = _sized_bytes(metadata, frame.payload)
    return b"".join((head, _CHECKSUM_MAGIC, _INT.pack(crc32c(content)), content)) if frame.checksum else head + content


def _sized_bytes(message: bytes, payload: bytes = b"") -> bytes:
    """Return a protobuf message behind its size, and a payload."""
    return b"".join((_INT.pack(len(message)), message, payload))


def _serialized(message: object, class_: Any, field: str) -> bytes:
    if not isinstance(message, class_):
        raise EncodeError("bad_value", f"not a {class_.DESCRIPTOR.name}", field=field)
    try:
        raw: bytes = message.SerializeToString()
    except UnfinishedError:
        missing = f"{field}.{first_missing(message)}"
        raise EncodeError("missing_field", f"{class_.DESCRIPTOR.name} needs it", field=missing) from None
    return raw


def pairs_fault(value: object) -> str | None:
    if type(value) is not list:
        return "not a list of pairs of texts"
    for pair in value:
        if type(pair) is not tuple or len(pair) != 2 or unicode_fault(pair[0]) or unicode_fault(pair[1]):
            return "not a list of pairs of texts"
    return None


def _check_pairs(value: object, field: str) -> None:
    fault = pairs_fault(value)
    if fault is not None:
        raise EncodeError("bad_value", fault, field=field)


def _refuse(section: object, path: str = "") -> None:
    """Raise EncodeError for the first field of a message, or a part of it, with a value that its wire type cannot hold."""
    check_fields(section, PULSAR_TYPES, _check_pairs, path)
    if isinstance(section, Message):
        _check_parts(section, path)


_ALONE: Final = {frame: [name for name in own if "." not in name] for frame, own in FRAMES.items()}
"""The fields that a frame alone can carry: entries without a command have the broker's metadata, and are encoded as a SEND."""


def _check_parts(message: Message, path: str) -> None:
    refuse_frame(message, _ALONE, PULSAR_TYPES, path=path)
    if message.frame == "message" and message.message_id is None:
        raise EncodeError("missing_field", "a MESSAGE has one", field=path + "message_id")
    for index, key in enumerate(message.encryption_keys or ()):
        _refuse(key, f"{path}encryption_keys[{index}].")
    for name, class_, part in (
        ("batch", Batch, message.batch),
        ("broker_entry_metadata", BrokerEntryMetadata, message.broker_entry_metadata),
    ):
        if part is not None and type(part) is not class_:
            raise EncodeError("bad_value", f"not a {class_.__name__}", field=path + name)
        if part is not None:
            _refuse(part, f"{path}{name}.")


def _of_batch(message: Message) -> dict[str, Any]:
    """Return the fields of a batch from its first member."""
    if message.batch is not None:
        own = {name: getattr(message.batch, name) for name in OF_MEMBER}
        return own if own["sequence_id"] is not None else own | {"sequence_id": message.sequence_id}
    taken = ("sequence_id", "partition_key", "partition_key_b64_encoded", "ordering_key")
    return {name: getattr(message, name) if name in taken else None for name in OF_MEMBER}


def _written(metadata: Any, message: Message, path: str = "") -> bool:
    """Write and check the fields of a message, or of a member at a path; return whether they are all that it has.

    EncodeError names an invalid field.
    """
    try:
        if printed.write_member(metadata, message) if path else printed.write_metadata(metadata, message):
            return True
    except (*UNWRITABLE, EncodeError):
        _refuse(message, path)
        raise
    _check_parts(message, path)
    return False


def _complete(metadata: Any, message: Message, field: str = "unknown") -> None:
    """Add the unknown fields of a message to its metadata; EncodeError for a required field that is unset."""
    _add_unknown(metadata, message.unknown, field)
    for name in _REQUIRED:
        if getattr(message, name) is None and (message.batch is None or name != "sequence_id"):
            raise EncodeError("missing_field", "required by Pulsar", field=name)


def _add_unknown(metadata: Any, unknown: bytes | None, field: str) -> None:
    if unknown:
        if not only_unknown(type(metadata), unknown):
            raise EncodeError("bad_value", "not fields that the definition does not have", field=field)
        metadata.MergeFromString(unknown)


def write_pairs(made: Any, pairs: list[tuple[str, str]]) -> None:
    """Add pairs to KeyValue messages."""
    for key, text in pairs:
        pair = made.add()
        pair.key = key
        pair.value = text


def write_keys(made: Any, keys: list[EncryptionKey]) -> None:
    """Add records to EncryptionKeys messages."""
    for index, key in enumerate(keys):
        _refuse(key, f"encryption_keys[{index}].")
        added = made.add(key=key.key, value=key.value)
        write_pairs(added.metadata, key.metadata or [])


_COMPACTED_OUT = bytes.fromhex("00000004 1800 2001")
"""The metadata of a member that was compacted away: no payload (field 3), compacted_out (field 4)."""


_SHARED = tuple(f.name for f in fields(Message) if f.name not in {*OF_MEMBER, "topic", "payload", "batch", "message_id"})


def _check_member(first: Message, message: Message, index: int, place: int, size: int) -> None:
    """Raise EncodeError unless the message `[index]` fits a batch of that size with `first` as its first remaining member."""
    path = f"[{index}]."
    if _opaque(message):
        raise EncodeError("bad_batch", "an encrypted message or a chunk cannot be a member of a batch", field=path + "payload")
    for name in _SHARED:
        if getattr(message, name) != getattr(first, name):
            raise EncodeError("bad_batch", "differs from the first member's", field=path + name)
    if _entry_of(message) != _entry_of(first):
        raise EncodeError("bad_batch", "another entry than the first member's", field=path + "message_id")
    batch, of_first = message.batch, first.batch
    if (batch is None) is not (of_first is None):
        raise EncodeError("bad_batch", "only some of the messages were members of a batch", field=path + "batch")
    if batch is not None and (batch.index != place or batch.size != size):
        words = f"member {batch.index} of {batch.size}, where {place} of {size} belongs"
        raise EncodeError("bad_batch", words, field=path + "batch.index")


def _entry_of(message: Message) -> str | None:
    return message.message_id and message.message_id.rpartition(":")[0]


def _start(number: int) -> bytes:
    """Return the bytes of a command before the size of its sub-command, the field with the number of the type."""
    raw: bytes = pb.BaseCommand(type=number).SerializeToString()
    return raw + bytes((number << 3 | 2,))


_STARTS: Final = {"send": _start(_SEND), "message": _start(_MESSAGE)}


def _framed(
    message: Message, metadata: Any, payload: bytes, size: int | None, producer_id: int, consumer_id: int, limit: int
) -> bytes:
    """Return the frame of a message, or of the batch of that size that it begins: compressed, and with a command."""
    if size is not None:
        metadata.num_messages_in_batch = size
    if message.compression is not None and message.compression != "NONE" and not _opaque(message):
        metadata.uncompressed_size = len(payload)
        payload = compress(message.compression, payload)
    ids = type(producer_id) is int and type(consumer_id) is int
    if not ids or (producer_id | consumer_id) >> 64:  # one is negative, or too large
        for name, value in (("producer_id", producer_id), ("consumer_id", consumer_id)):
            PULSAR_TYPES["ulong"].check(value, name)
    if message.frame == "send":  # a CommandSend repeats some of the metadata
        command = _SEND_CLASS()
        command.producer_id = producer_id
        printed.write_send(command, message)
        if size is not None:
            command.num_messages = size
    else:
        command = _delivery(message, size, consumer_id)
    head = b""
    if message.broker_entry_metadata is not None:
        entry = pb.BrokerEntryMetadata()
        printed.write_entry(entry, message.broker_entry_metadata)
        _add_unknown(entry, message.broker_entry_metadata.unknown, "broker_entry_metadata.unknown")
        head = _BROKER_ENTRY_MAGIC + _sized_bytes(entry.SerializeToString())
    content = _sized_bytes(_serialized(metadata, _METADATA_CLASS, "metadata"), payload)
    section = b"".join((head, _CHECKSUM_MAGIC, _INT.pack(crc32c(content))))
    raw: bytes = command.SerializeToString()
    return _joined_frame(_STARTS[message.frame] + SIZES[len(raw)] + raw, section, limit, content)


def _delivery(message: Message, size: int | None, consumer_id: int) -> Any:
    """Return a CommandMessage."""
    ledger, entry, partition, index = parse_message_id(message.message_id or "") or (0, 0, -1, -1)
    position = pb.MessageIdData(ledgerId=ledger, entryId=entry, partition=partition)  # brokers write -1, too
    delivery = pb.CommandMessage(consumer_id=consumer_id, message_id=position)
    opened = size is not None and (message.batch is None or message.batch.index is not None)
    if index != -1 and not opened:
        delivery.message_id.batch_index = index
    if message.redelivery_count is not None:
        delivery.redelivery_count = message.redelivery_count
    return delivery

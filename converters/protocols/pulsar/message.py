"""Pulsar: one message, sent by a producer or delivered by a broker: its metadata, its payload, and the delivery's fields.

Defines dataclasses and the bounds of their wire types; each field has its wire type in `wire(...)`. Fields are
named as in `MessageMetadata`, `SingleMessageMetadata` and `BrokerEntryMetadata` (pulsar.proto); `None` is a field that was not
sent; the protocol distinguishes it from a default value that was sent, but not from an empty list. Fields that address a
connection (producer and consumer ids, permits) belong to the frame, in the codec.
"""

import re
from dataclasses import dataclass
from typing import Any, Final

from mqconvert.converters.model.compound import EntriesType, ListOfType
from mqconvert.converters.model.fields import frames, shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.plain import PAYLOAD, TOPICS, BooleanType, BytesType, IntegerType, TextType, name_type
from mqconvert.converters.model.sections import RecordsType
from mqconvert.converters.model.wiretypes import wire_types

COMPRESSIONS = ("NONE", "LZ4", "ZLIB", "ZSTD", "SNAPPY")
"""The names of `CompressionType`, in the order of their numbers, from 0."""

_FRAMES: Final = ("send", "message")
"""The frames that carry a message, SEND and MESSAGE."""

_MESSAGE_ID = re.compile(r"([0-9]{1,20}):([0-9]{1,20}):(-?[0-9]{1,10}):(-?[0-9]{1,10})", re.ASCII)


def parse_message_id(text: str) -> tuple[int, int, int, int] | None:
    """Return ledger, entry, partition and batch index of a message id's text; None for any other text, as with a leading zero.

    >>> parse_message_id("321:6:-1:-1")
    (321, 6, -1, -1)
    """
    found = _MESSAGE_ID.fullmatch(text)
    if found is None:
        return None
    ledger, entry, partition, index = map(int, found.groups())
    fits = ledger < 2**64 and entry < 2**64 and all(-(2**31) <= part < 2**31 for part in (partition, index))
    return (ledger, entry, partition, index) if fits and text == f"{ledger}:{entry}:{partition}:{index}" else None


def _message_id_fault(value: object) -> str | None:
    if type(value) is not str:
        return "not text"
    return None if parse_message_id(value) else "not ledger:entry:partition:batch-index"


_INT = IntegerType("int", -(2**31), 2**31 - 1)
_UTF8 = TextType("utf8")
PROPERTIES = EntriesType("utf8-pairs", _UTF8, _UTF8, once=True)


@dataclass(slots=True)
class EncryptionKey:
    """`EncryptionKeys`: the data key as encrypted by the public key named `key`, with metadata for the key's reader."""

    key: str = wire("utf8", default="")
    value: bytes = wire("binary", default=b"")
    metadata: list[tuple[str, str]] | None = wire(PROPERTIES)

    def __repr__(self) -> str:
        return shown(self)


PULSAR_TYPES = wire_types(
    BooleanType("boolean"),
    _INT,
    IntegerType("uint", 0, 2**32 - 1),
    IntegerType("long", -(2**63), 2**63 - 1),
    IntegerType("ulong", 0, 2**64 - 1),
    _UTF8,
    TextType("topic", samples=TOPICS, empty_is_unset=True),
    BytesType("binary"),
    PAYLOAD,
    TextType("position", _message_id_fault, [("", "12:34:-1:-1")]),
    name_type("compression", COMPRESSIONS),
    name_type("frame", _FRAMES),
    ListOfType("ints", _INT, "a list of 32-bit integers", [("", [1, 2])]),
    ListOfType("texts", _UTF8, "a list of texts", [("one", ["text"]), ("two", ["text", "é"])]),
    RecordsType("records", EncryptionKey, "a list of encryption keys", [("", [EncryptionKey("k", b"v", [("m", "v")])])]),
)
"""protobuf's bool, int32, uint32, int64, uint64, string and bytes by the names of the other protocols; `ints`, `texts` and
`records` are repeated int32, string and `EncryptionKey`; a `position` is the text of a message id."""


@dataclass(slots=True)
class Batch:
    """The batch of a message, and the batch's own values of fields that every member also has.

    `size` is the number of members, `index` this one's place from 0. `index` is None for a batch that could not be opened
    (encrypted, or a chunk): the message is then the whole batch, and the other fields are None. `compacted_out` lists missing
    members; the batch on the wire has no such field.
    """

    size: int = wire("int", default=1)
    index: int | None = wire("int")
    sequence_id: int | None = wire("ulong")
    properties: list[tuple[str, str]] | None = wire(PROPERTIES)
    partition_key: str | None = wire("utf8")
    partition_key_b64_encoded: bool | None = wire("boolean")
    null_partition_key: bool | None = wire("boolean")
    ordering_key: bytes | None = wire("binary")
    event_time: int | None = wire("ulong")
    null_value: bool | None = wire("boolean")
    unknown: bytes | None = wire("binary", unset=b"")
    compacted_out: list[int] | None = wire("ints", unset=[])
    """The indexes of the members that the broker compacted, on the first remaining member."""

    def __repr__(self) -> str:
        return shown(self)


@dataclass(slots=True)
class BrokerEntryMetadata:
    """The broker's metadata on arrival: milliseconds since 1970, and the message's number in its topic."""

    broker_timestamp: int | None = wire("ulong", frame="message")
    index: int | None = wire("ulong", frame="message")
    unknown: bytes | None = wire("binary", unset=b"")

    def __repr__(self) -> str:
        return shown(self)


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """One message that a producer sends (frame `send`: SEND) or a broker delivers (`message`: MESSAGE, with a `message_id`).

    Times are milliseconds since 1970. `payload` is decompressed, unless the message is encrypted (`encryption_keys`) or a
    chunk (`chunk_id`): then it has the bytes on the wire, with `compression` and `uncompressed_size`. `topic` is not on the
    wire: it is that of the producer or subscription.
    """

    topic: str = wire("topic", default="", unset="")
    payload: bytes = wire("payload", default=b"")
    producer_name: str | None = wire("utf8")
    sequence_id: int | None = wire("ulong")
    publish_time: int | None = wire("ulong")
    properties: list[tuple[str, str]] | None = wire(PROPERTIES)
    replicated_from: str | None = wire("utf8")
    partition_key: str | None = wire("utf8")
    replicate_to: list[str] | None = wire("texts", unset=[])
    compression: str | None = wire("compression")
    """One of COMPRESSIONS, the compression that `encode` applies."""
    uncompressed_size: int | None = wire("uint")
    """The size before compression; None if `payload` determines it, as for a decompressed payload."""
    event_time: int | None = wire("ulong")
    encryption_keys: list[EncryptionKey] | None = wire("records", unset=[])
    encryption_algo: str | None = wire("utf8")
    encryption_param: bytes | None = wire("binary")
    schema_version: bytes | None = wire("binary")
    partition_key_b64_encoded: bool | None = wire("boolean")
    ordering_key: bytes | None = wire("binary")
    deliver_at_time: int | None = wire("long")
    marker_type: int | None = wire("int")
    """Set on control records (ends of transactions, replication markers), which carry no application data."""
    txnid_least_bits: int | None = wire("ulong")
    txnid_most_bits: int | None = wire("ulong")
    highest_sequence_id: int | None = wire("ulong")
    null_value: bool | None = wire("boolean")
    uuid: str | None = wire("utf8")
    num_chunks_from_msg: int | None = wire("int")
    total_chunk_msg_size: int | None = wire("int")
    chunk_id: int | None = wire("int")
    null_partition_key: bool | None = wire("boolean")
    compacted_batch_indexes: list[int] | None = wire("ints", unset=[])
    schema_id: bytes | None = wire("binary")
    entry_hash_min: int | None = wire("uint")
    entry_hash_max: int | None = wire("uint")
    unknown: bytes | None = wire("binary", unset=b"")
    """The encoded unknown fields."""
    batch: Batch | None = wire("section", of=Batch)
    # Fields of delivered messages.
    message_id: str | None = wire("position", frame="message")
    """`ledger:entry:partition:batch-index`; an unset partition or index is -1."""
    redelivery_count: int | None = wire("uint", frame="message")
    broker_entry_metadata: BrokerEntryMetadata | None = wire("section", of=BrokerEntryMetadata)
    frame: str = wire("frame", default="send", unset="send")

    def __repr__(self) -> str:
        return shown(self)


FRAMES: Final = frames(Message, _FRAMES)
"""The frames, each with the fields that it alone has."""


@dataclass(slots=True)
class Frame:
    """One frame. The protobuf messages are those of pulsar.proto, and keep unknown fields.

    `command` is a BaseCommand; None in an entry. SEND, MESSAGE and entries have `metadata` (MessageMetadata), a `payload` as
    on the wire (perhaps compressed, or a batch), and whether a `checksum` precedes them (protocol version 6 and later);
    those from brokers may have `broker_entry_metadata`.
    """

    command: Any
    metadata: Any = None
    payload: bytes = wire("payload", default=b"")
    checksum: bool = wire("boolean", default=True)
    broker_entry_metadata: Any = None


pickled_by_fields(EncryptionKey, Batch, BrokerEntryMetadata, Message, Frame)

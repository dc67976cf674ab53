"""Pulsar: every open vector, then properties, then the bounds."""

import base64
import dataclasses
import json
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import google_crc32c
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError, EncodeError, LimitError
from mqconvert.converters.json import message_from_json, message_to_json
from mqconvert.converters.protocols.calls import frame_from_json
from mqconvert.converters.protocols.pulsar import codec as pulsar
from mqconvert.converters.protocols.pulsar.message import Batch, EncryptionKey, Frame, Message
from mqconvert.converters.protocols.pulsar.protobufs import message_class
from tests.converters.protocols.pulsar.frames import PLAIN, chunks_of, fault, metadata_bytes, pb, plain, send_frame
from tests.refusals import unread, unwritten
from tests.strategies import BYTES, TEXT, pulsar_messages
from tests.vectors import tagged, vectors

WELL_FORMED = tagged("pulsar", without=("malformed",))
WITH_PAYLOAD = [case for case in WELL_FORMED if "payload" in case.values[0]["fields"]]
SENDS = [case for case in WITH_PAYLOAD if "send" in case.values[0]["tags"]]
NOT_CANONICAL = {"pulsar-odd-field-order", "pulsar-odd-type-twice"}
"""Vectors with fields in another order than the encoder's, or with duplicate fields."""
ANOTHER_SNAPPY = {"pulsar-batch-snappy-4"}
"""Vectors whose compressed bytes differ between the snappy of the C++ client and ours."""


def in_vectors_words(written: Any, descriptor: Any) -> Any:
    """Return the JSON of a protobuf message in the vectors' form: bytes as "hex:...", all integers as numbers."""
    made = {}
    for name, value in written.items():
        if name == "unknown":
            continue
        field = descriptor.fields_by_name[name]
        many = value if isinstance(value, list) else [value]
        words = [_word(field, one) for one in many]
        made[name] = words if isinstance(value, list) else words[0]
    return made


def _word(field: Any, value: Any) -> Any:
    if field.type == field.TYPE_MESSAGE:
        return in_vectors_words(value, field.message_type)
    if field.type == field.TYPE_BYTES:
        return "hex:" + base64.b64decode(value).hex()
    return int(value) if isinstance(value, str) and field.type not in (field.TYPE_STRING, field.TYPE_ENUM) else value


# ---- vectors --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("vector", WELL_FORMED)
def test_frames_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    fields = vector["fields"]
    (frame,) = pulsar.decode_frames(vector["wire"])
    written = pulsar.frame_to_json(frame)
    for name, class_ in (
        ("command", pb.BaseCommand),
        ("metadata", pb.MessageMetadata),
        ("broker_entry_metadata", pb.BrokerEntryMetadata),
    ):
        held = in_vectors_words(written[name], class_.DESCRIPTOR) if name in written else None
        assert held == fields.get(name)
    assert frame.payload.hex() == fields.get("payload", "")
    if frame.metadata is not None:
        assert frame.checksum is (fields["checksum"] is not None)
    assert pulsar.frame_from_json(json.loads(json.dumps(written, allow_nan=False))) == frame
    encoded = pulsar.encode_frame(frame)
    if vector["id"] in NOT_CANONICAL:
        assert pulsar.decode_frames(encoded) == [frame]
    else:
        assert encoded == vector["wire"]


@pytest.mark.parametrize("vector", WITH_PAYLOAD)
def test_messages_of_the_vectors_are_read(vector: dict[str, Any]) -> None:
    fields = vector["fields"]
    messages = pulsar.decode_all(vector["wire"])
    members = fields.get("messages")
    if members is None:
        (message,) = messages
        assert pulsar.decode(vector["wire"]) == message
        assert message.payload.hex() == fields.get("uncompressed", fields["payload"])
        assert message.batch is None
        _holds(message, fields["metadata"])
    else:
        there = [message.batch.index for message in messages if message.batch and message.batch.index is not None]
        assert [message.payload.hex() for message in messages] == [members[index]["payload"] for index in there]
        for message, index in zip(messages, there, strict=True):
            _holds(message, members[index]["metadata"])
            assert message.batch
            assert message.batch.size == fields["metadata"]["num_messages_in_batch"] == len(members)
            assert message.batch.sequence_id == fields["metadata"]["sequence_id"]
            assert message.producer_name == fields["metadata"]["producer_name"]
    for message in messages:
        assert message_from_json(json.loads(json.dumps(message_to_json(message)))) == message


def _holds(message: Message, metadata: dict[str, Any]) -> None:
    """Assert that a message has the metadata of a vector."""
    for name, value in metadata.items():
        if name in ("payload_size", "num_messages_in_batch", "uncompressed_size", "encryption_keys"):
            continue
        held = getattr(message, name)
        if name == "properties":
            assert held == [(pair["key"], pair["value"]) for pair in value]
        elif isinstance(held, bytes):
            assert "hex:" + held.hex() == value
        else:
            assert held == value


@pytest.mark.parametrize(
    "vector", [case for case in WITH_PAYLOAD if "consumer_view" in case.values[0]["fields"].get("truth", {})]
)
def test_messages_equal_those_of_the_real_consumer(vector: dict[str, Any]) -> None:
    seen = vector["fields"]["truth"]["consumer_view"]
    messages = pulsar.decode_all(vector["wire"])
    assert len(messages) == len(seen)
    for message, view in zip(messages, seen, strict=True):
        assert message.payload.hex() == view["data"]
        assert dict(message.properties or ()) == view["properties"]
        assert (message.partition_key or "") == view["partition_key"]
        assert (message.event_time or 0) == view["event_timestamp"]
        assert message.publish_time == view["publish_timestamp"]
        assert (message.redelivery_count or 0) == view["redelivery_count"]
        assert message.producer_name == view["producer_name"]
        assert f"({message.message_id})".replace(":", ",") == view["message_id"]


@pytest.mark.parametrize("vector", SENDS)
def test_encode_writes_the_bytes_of_the_client(vector: dict[str, Any]) -> None:
    messages = pulsar.decode_all(vector["wire"])
    producer = vector["fields"]["command"]["send"]["producer_id"]
    batch = messages[0].batch is not None
    encoded = pulsar.encode_batch(messages, producer_id=producer) if batch else pulsar.encode(messages[0], producer_id=producer)
    if vector["id"] in ANOTHER_SNAPPY:
        assert pulsar.decode_all(encoded) == messages
    elif vector["id"] != "pulsar-odd-no-checksum":
        assert encoded == vector["wire"]


@pytest.mark.parametrize("vector", tagged("pulsar", "malformed"))
def test_decode_rejects_malformed_vectors(vector: dict[str, Any]) -> None:
    kind, offset, _ = unread(pulsar.decode_all, vector["wire"])
    assert kind == vector["fields"]["error"]
    assert offset is not None


def test_streams_of_the_vectors_round_trip() -> None:
    there = [vector for vector in vectors("pulsar") if "command" in vector["fields"] and vector["id"] not in NOT_CANONICAL]
    wire = b"".join(vector["wire"] for vector in there)
    frames = pulsar.decode_frames(wire)
    assert len(frames) == len(there)
    assert b"".join(map(pulsar.encode_frame, frames)) == wire
    singly = [message for vector in there if "payload" in vector["fields"] for message in pulsar.decode_all(vector["wire"])]
    assert pulsar.decode_all(wire) == singly


@pytest.mark.parametrize("number", sorted(pb.BaseCommand.Type.values()))
def test_every_command_has_a_sub_command_of_its_number(number: int) -> None:
    field = pb.BaseCommand.DESCRIPTOR.fields_by_number[number]
    command = pb.BaseCommand(type=number)
    getattr(command, field.name).SetInParent()
    message = getattr(command, field.name)
    for part in message.DESCRIPTOR.fields:
        if part.is_required and part.type == part.TYPE_MESSAGE:
            getattr(message, part.name).SetInParent()
    with_payload = number in (pb.BaseCommand.SEND, pb.BaseCommand.MESSAGE)
    raw = command.SerializePartialToString()
    wire = struct.pack(">II", len(raw) + 4, len(raw)) + raw
    if not message.IsInitialized():
        assert unread(pulsar.decode_frames, wire)[0] == "missing_field"
    else:
        assert not with_payload
        assert pulsar.decode_frames(wire) == [Frame(command)]


# ---- properties -----------------------------------------------------------------------------------------------------


def with_checksum(wire: bytes) -> bytes:
    """Return a frame without broker entry metadata, with a correct checksum."""
    at = 8 + struct.unpack_from(">I", wire, 4)[0]
    if wire[at : at + 2] != b"\x0e\x01":
        return wire
    return wire[: at + 2] + struct.pack(">I", google_crc32c.value(wire[at + 6 :])) + wire[at + 6 :]


@given(message=pulsar_messages(), data=st.data())
def test_mutated_bytes_with_a_valid_checksum_are_read_or_refused(message: Message, data: st.DataObject) -> None:
    wire = bytearray(pulsar.encode(replace(message, broker_entry_metadata=None)))
    start = 8 + struct.unpack_from(">I", wire, 4)[0] + 6
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(start, len(wire) - 1))] = data.draw(st.integers(0, 255))
    _answered(with_checksum(bytes(wire)))


@given(metadata=st.binary(max_size=60), payload=st.binary(max_size=60))
def test_random_metadata_is_read_or_refused(metadata: bytes, payload: bytes) -> None:
    _answered(send_frame(metadata, payload))


def _value(field: Any, depth: int) -> st.SearchStrategy[Any]:
    if field.type == field.TYPE_MESSAGE:
        return _message(field.message_type, depth + 1)
    if field.type == field.TYPE_ENUM:
        return st.sampled_from(sorted(field.enum_type.values_by_number))
    return {
        field.TYPE_STRING: TEXT,
        field.TYPE_BYTES: BYTES,
        field.TYPE_BOOL: st.booleans(),
        field.TYPE_INT32: st.integers(-(2**31), 2**31 - 1),
        field.TYPE_INT64: st.integers(-(2**63), 2**63 - 1),
        field.TYPE_UINT32: st.integers(0, 2**32 - 1),
        field.TYPE_UINT64: st.integers(0, 2**64 - 1),
        field.TYPE_DOUBLE: st.floats(allow_nan=False),  # a NaN equals nothing
    }[field.type]


@st.composite
def _message(draw: st.DrawFn, descriptor: Any, depth: int = 0) -> Any:
    """Return messages of a definition with its required fields and any others, set to any values."""
    message = message_class(descriptor)()
    for field in descriptor.fields:
        if field.is_repeated:
            most = 0 if depth > 2 else 2
            getattr(message, field.name).extend(draw(st.lists(_value(field, depth), max_size=most)))
        elif field.is_required or (depth <= 2 and draw(st.booleans())):
            value = draw(_value(field, depth))
            if field.type == field.TYPE_MESSAGE:
                getattr(message, field.name).CopyFrom(value)
            else:
                setattr(message, field.name, value)
    return message


@given(data=st.data())
def test_commands_round_trip(data: st.DataObject) -> None:
    number = data.draw(st.sampled_from(sorted(pb.BaseCommand.Type.values())))
    field = pb.BaseCommand.DESCRIPTOR.fields_by_number[number]
    command = pb.BaseCommand(type=number)
    getattr(command, field.name).CopyFrom(data.draw(_message(field.message_type)))
    frame = Frame(command)
    if number in (pb.BaseCommand.SEND, pb.BaseCommand.MESSAGE):
        frame.metadata, frame.payload = data.draw(_message(pb.MessageMetadata.DESCRIPTOR)), data.draw(BYTES)
        frame.checksum = data.draw(st.booleans())
        frame.broker_entry_metadata = data.draw(st.none() | _message(pb.BrokerEntryMetadata.DESCRIPTOR))
    wire = pulsar.encode_frame(frame)
    assert pulsar.decode_frames(wire) == [frame]
    assert pulsar.frame_from_json(json.loads(json.dumps(pulsar.frame_to_json(frame), allow_nan=False))) == frame


@given(command=st.binary(max_size=60))
def test_random_commands_are_read_or_refused(command: bytes) -> None:
    wire = struct.pack(">II", len(command) + 4, len(command)) + command
    wrong = fault(pulsar.decode_frames, wire)
    if wrong is not None:
        assert wrong.offset is not None
        return
    (frame,) = pulsar.decode_frames(wire)
    assert pulsar.decode_frames(pulsar.encode_frame(frame)) == [frame]


def _answered(wire: bytes) -> None:
    wrong = fault(pulsar.decode_frames, wire) or fault(pulsar.decode_all, wire)
    if wrong is not None:
        assert wrong.offset is not None
        return
    frames, messages = pulsar.decode_frames(wire), pulsar.decode_all(wire)
    assert pulsar.decode_frames(pulsar.encode_frame(frames[0])) == frames
    assert pulsar.frame_from_json(json.loads(json.dumps(pulsar.frame_to_json(frames[0])))) == frames[0]
    for message in messages:
        assert message_from_json(message_to_json(message)) == message
        pulsar.encode(message)


@given(members=st.lists(pulsar_messages(), min_size=1, max_size=3), compression=st.sampled_from([None, "LZ4", "ZSTD"]))
def test_new_batches_round_trip(members: list[Message], compression: str | None) -> None:
    """Messages form a batch once their common fields are equal."""
    first = replace(members[0], compression=compression, uncompressed_size=None, chunk_id=None, encryption_keys=None)
    made = [
        replace(
            first, sequence_id=index, payload=member.payload, properties=member.properties, partition_key=member.partition_key,
            ordering_key=member.ordering_key, event_time=member.event_time, null_value=member.null_value, batch=None,
            partition_key_b64_encoded=member.partition_key_b64_encoded, null_partition_key=member.null_partition_key,
            unknown=member.unknown,
        )
        for index, member in enumerate(members)
    ]  # fmt: skip
    wire = pulsar.encode_batch(made)
    read = pulsar.decode_all(wire)
    position = first.message_id and first.message_id.rpartition(":")[0]
    for index, (message, member) in enumerate(zip(read, made, strict=True)):
        assert message.batch
        assert (message.batch.size, message.batch.index, message.batch.sequence_id) == (len(made), index, 0)
        assert replace(message, batch=None) == replace(member, message_id=position and f"{position}:{index}")
    assert pulsar.encode_batch(read) == wire


@given(message=pulsar_messages(), size=st.integers(1, 100), order=st.randoms())
def test_chunks_are_split_and_joined(message: Message, size: int, order: Any) -> None:
    whole = replace(
        message, chunk_id=None, encryption_keys=None, batch=None, uuid=None, sequence_id=message.sequence_id or 1,
        num_chunks_from_msg=None, total_chunk_msg_size=None, uncompressed_size=None,
    )  # fmt: skip
    chunks = [pulsar.decode(pulsar.encode(chunk)) for chunk in chunks_of(whole, size)]
    assert all(len(chunk.payload) <= size for chunk in chunks)
    rest = chunks[1:]
    order.shuffle(rest)
    for sent in ([chunks[0], *rest], [*chunks[:-1], *chunks]):  # at last, the producer sent the first ones again
        assert pulsar.decode_all(b"".join(map(pulsar.encode, sent)), join_chunks=True) == [whole]


def _chunks(payload: bytes, **other: Any) -> bytes:
    """Return the frames of a message in chunks of 2 bytes."""
    return b"".join(map(pulsar.encode, chunks_of(plain(payload=payload, **other), 2)))


def _outline(found: Iterable[Message | DecodeError]) -> list[Any]:
    """Return payloads of messages, and kinds and offsets of errors."""
    return [(one.kind, one.offset) if isinstance(one, DecodeError) else one.payload for one in found]


def test_the_option_join_chunks_joins_the_chunks_of_several_messages() -> None:
    first, second = (
        chunks_of(plain(payload=b"abcde"), 2),
        chunks_of(plain(payload=b"vwx", sequence_id=1), 2),
    )
    mixed = b"".join(map(pulsar.encode, [first[0], second[0], plain(payload=b"-"), first[1], second[1], first[2]]))
    assert len(pulsar.decode_all(mixed)) == 6
    assert _outline(pulsar.decode_all(mixed, join_chunks=True)) == [b"-", b"vwx", b"abcde"]
    assert pulsar.decode(_chunks(b"abcde" * 99, compression="ZLIB"), join_chunks=True).payload == b"abcde" * 99


def test_the_option_join_chunks_names_a_missing_chunk() -> None:
    lacking = chunks_of(plain(payload=b"abcdefgh"), 2)[::3]
    wire = pulsar.encode(plain(payload=b"-")) + b"".join(map(pulsar.encode, lacking)) + _chunks(b"vwx", sequence_id=1)
    found = list(pulsar.decode_each(wire, join_chunks=True))
    assert _outline(found) == [b"-", b"vwx", ("missing_chunk", len(pulsar.encode(plain(payload=b"-"))))]
    with pytest.raises(DecodeError, match=r"chunk 1 of 0 to 3 of the message 'p-0' is missing \(and 1 more\)"):
        pulsar.decode_all(wire, join_chunks=True)


def test_a_message_begun_again_with_another_first_chunk_does_not_hide_the_first() -> None:
    wire = pulsar.encode(chunks_of(plain(payload=b"abc"), 2)[0]) + _chunks(b"xyz")
    assert _outline(pulsar.decode_each(wire, join_chunks=True)) == [("missing_chunk", 0), b"xyz"]


def test_chunks_that_wait_for_others_are_limited() -> None:
    many = b"".join(pulsar.encode(chunks_of(plain(payload=b"abc", sequence_id=n), 2)[0]) for n in range(5))
    for option, kind in (("max_batch", "too_many"), ("max_decompressed", "too_large")):
        limits: dict[str, Any] = {option: 4}
        with pytest.raises(LimitError) as caught:
            pulsar.decode_all(many, join_chunks=True, **limits)
        assert (caught.value.kind, caught.value.limit) == (kind, option)
    bomb = _chunks(bytes(2**16), compression="ZLIB")
    whole = len(pulsar.decode_all(bomb, join_chunks=True, max_decompressed=2**16)[0].payload)
    most = max(2**16, 16 * len(bomb) * 60) // whole  # a long input raises the common limit
    assert most < 60
    with pytest.raises(LimitError, match="bytes after decompression"):
        pulsar.decode_all(bomb * 60, join_chunks=True, max_decompressed=2**16)
    with pytest.raises(LimitError, match="the limit is 65535"):
        pulsar.decode_all(bomb, join_chunks=True, max_decompressed=2**16 - 1)


# ---- omissions and refusals of the encoder ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (plain(producer_name=None), "producer_name"),
        (plain(sequence_id=None), "sequence_id"),
        (plain(publish_time=-1), "publish_time"),
        (plain(payload="x"), "payload"),
        (plain(payload=None), "payload"),
        (plain(partition_key="\ud800"), "partition_key"),
        (plain(properties=[("k", 1)]), "properties"),
        (plain(properties={"k": "v"}), "properties"),
        (plain(compression="BROTLI"), "compression"),
        (plain(replicate_to=["a", b"b"]), "replicate_to"),
        (plain(encryption_keys=[EncryptionKey("k", None)]), "encryption_keys[0].value"),  # type: ignore[arg-type]  # wrong on purpose
        (plain(encryption_keys=["k"]), "encryption_keys"),
        (plain(batch="b"), "batch"),
        (plain(batch=Batch(size=2**31)), "batch.size"),
        (plain(batch=Batch(size=2)), "batch.index"),  # without encryption or chunks, readers would take its bytes for members
        (plain(frame="message", message_id="1:2"), "message_id"),
        (plain(frame="message", message_id=f"{2**64}:2:-1:-1"), "message_id"),
        (plain(redelivery_count=1), "redelivery_count"),
        (plain(message_id="1:2:3:4"), "message_id"),
        (plain(frame="message"), "message_id"),
        (plain(frame="record"), "frame"),
        (plain(unknown=b"\x0a\x01x"), "unknown"),
        (plain(unknown=b"\xff"), "unknown"),
        (plain(payload=bytes(pulsar.MAX_FRAME_SIZE)), "payload"),
    ],
)
def test_encode_rejects_invalid_values(message: Message, field: str) -> None:
    assert unwritten(pulsar.encode, message)[1] == field


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        ([], ""),
        ([PLAIN, plain(producer_name="q")], "[1].producer_name"),
        ([PLAIN, plain(publish_time=2)], "[1].publish_time"),
        ([PLAIN, plain(chunk_id=0)], "[1].payload"),
        ([PLAIN, plain(batch=Batch(2, 1, 0))], "[1].batch"),
        ([plain(batch=Batch(3, index, 0)) for index in range(2)], "[0].batch.index"),
        ([plain(batch=Batch(2, index, 0)) for index in (1, 0)], "[0].batch.index"),
        ([PLAIN, plain(payload=1)], "[1].payload"),
        ([plain(frame="message", message_id=f"1:{entry}:-1:{entry - 2}") for entry in (2, 3)], "[1].message_id"),
    ],
)
def test_encode_batch_rejects_invalid_batches(messages: list[Message], field: str) -> None:
    assert unwritten(pulsar.encode_batch, messages)[1] == field


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (Frame(pb.BaseCommand()), "missing_field"),
        (Frame(pb.BaseCommand(type="PING")), "missing_command"),
        (Frame(pb.BaseCommand(type="FLOW", flow=pb.CommandFlow(consumer_id=1))), "missing_field"),
        (Frame(pb.BaseCommand(type="SEND", send=pb.CommandSend(producer_id=1, sequence_id=1))), "bad_value"),
        (Frame(pb.BaseCommand(type="PING", ping=pb.CommandPing()), pb.MessageMetadata()), "missing_field"),
        (Frame(None), "missing_field"),
        (Frame("PING"), "bad_value"),
    ],
)
def test_encode_frame_rejects_invalid_frames(frame: Frame, kind: str) -> None:
    assert unwritten(pulsar.encode_frame, frame)[0] == kind


def test_a_member_with_unknown_fields_that_a_message_defines_is_sent_as_a_batch_of_one() -> None:
    unknown = bytes.fromhex("6a026162")  # field 13, the encryption keys of MessageMetadata
    first = plain(batch=Batch(2, 0, 4), unknown=unknown)
    decoded = pulsar.decode_all(pulsar.encode_batch([first, plain(batch=Batch(2, 1, 4))]))
    assert decoded[0].unknown == unknown
    again = pulsar.decode(pulsar.encode(decoded[0]))
    assert again == replace(decoded[0], batch=Batch(1, 0, 4))


def test_a_member_of_a_larger_batch_is_encoded_as_a_single_message() -> None:
    members = pulsar.decode_all(pulsar.encode_batch([plain(sequence_id=5), plain(sequence_id=None)]))
    sent = [pulsar.decode(pulsar.encode(member)) for member in members]
    assert [(message.sequence_id, message.batch) for message in sent] == [(5, None), (6, None)]


def test_unknown_fields_round_trip() -> None:
    unknown = bytes.fromhex("fa3e03616263")
    message = plain(unknown=unknown, batch=Batch(1, 0, 4, unknown=unknown + unknown))
    wire = pulsar.encode(message)
    assert pulsar.decode(wire) == message
    (frame,) = pulsar.decode_frames(wire)
    assert pulsar.frame_to_json(frame)["metadata"]["unknown"] == base64.b64encode(unknown + unknown).decode()
    assert pulsar.encode_frame(pulsar.frame_from_json(pulsar.frame_to_json(frame))) == wire


def test_json_of_frames_keeps_the_bits_of_a_nan() -> None:
    (nan,) = struct.unpack(">d", bytes.fromhex("7ff8000000000001"))
    stats = pb.CommandConsumerStatsResponse(request_id=1, msgRateOut=nan)
    frame = Frame(pb.BaseCommand(type="CONSUMER_STATS_RESPONSE", consumerStatsResponse=stats))
    written = json.loads(json.dumps(pulsar.frame_to_json(frame), allow_nan=False))
    assert pulsar.encode_frame(pulsar.frame_from_json(written)) == pulsar.encode_frame(frame)


@pytest.mark.parametrize(
    ("obj", "kind", "field"),
    [
        ([], "bad_json", None),
        ({"frame": "PING"}, "unknown_field", "frame"),
        ({"command": []}, "bad_json", "command"),
        ({"command": {"type": "PING", "pong": []}}, "bad_json", "command.pong"),
        ({"command": {"type": "PUNG"}}, "bad_value", "command.type"),
        ({"command": {"type": 18}}, "bad_value", "command.type"),
        ({"command": {"typ": "PING"}}, "unknown_field", "command.typ"),
        ({"command": {"flow": {"consumer_id": -1}}}, "bad_value", "command.flow.consumer_id"),
        ({"command": {"flow": {"consumer_id": True}}}, "bad_value", "command.flow.consumer_id"),
        ({"command": {"flow": {"consumer_id": "1" * 21}}}, "bad_value", "command.flow.consumer_id"),
        ({"command": {"ack": {"message_id": [{"ledgerId": "x"}]}}}, "bad_value", "command.ack.message_id[0].ledgerId"),
        ({"command": {"ack": {"message_id": {}}}}, "bad_json", "command.ack.message_id"),
        ({"command": {"connect": {"client_version": "\ud800"}}}, "bad_value", "command.connect.client_version"),
        ({"command": {"connect": {"auth_data": "?"}}}, "bad_value", "command.connect.auth_data"),
        ({"command": {"unknown": "CBI="}}, "bad_value", "command.unknown"),
        ({"command": {"consumerStatsResponse": {"msgRateOut": "1"}}}, "bad_value", "command.consumerStatsResponse.msgRateOut"),
        ({"payload": "eA=="}, "bad_value", "metadata"),
        ({"metadata": {}, "checksum": 1}, "bad_value", "checksum"),
    ],
)
def test_frame_from_json_rejects_invalid_json(obj: Any, kind: str, field: str | None) -> None:
    with pytest.raises(DecodeError) as caught:
        frame_from_json("pulsar", obj)
    assert (caught.value.kind, caught.value.field) == (kind, field)


def test_infinite_rates_have_a_json_form() -> None:
    stats = pb.CommandConsumerStatsResponse(request_id=1, msgRateOut=float("inf"), msgRateExpired=1.5)
    frame = Frame(pb.BaseCommand(type="CONSUMER_STATS_RESPONSE", consumerStatsResponse=stats))
    written = pulsar.frame_to_json(frame)
    assert written["command"]["consumerStatsResponse"] == {"request_id": 1, "msgRateOut": "Infinity", "msgRateExpired": 1.5}
    assert pulsar.frame_from_json(written) == frame


# ---- bounds ---------------------------------------------------------------------------------------------------------


def test_an_invalid_frame_or_member_leaves_the_others() -> None:
    member, no_value, wrong_text = map(bytes.fromhex, ("000000021800", "000000070a030a016b1800", "000000051201ff1800"))
    good = pulsar.encode(plain())
    packed = send_frame(metadata_bytes(compression="ZLIB", uncompressed_size=9), b"no zlib stream")
    damaged = good[:-1] + b"?"  # its checksum is wrong
    batch = send_frame(metadata_bytes(num_messages_in_batch=4), member + no_value + wrong_text + member)
    cut = send_frame(metadata_bytes(num_messages_in_batch=3), member + b"cut")
    longer = send_frame(metadata_bytes(num_messages_in_batch=1), member * 2)
    found = pulsar.decode_each(good + packed + damaged + batch + cut + longer + good)
    assert [one.kind if isinstance(one, DecodeError) else one.payload for one in found] == [
        b"x", "bad_compression", "bad_checksum", b"", "missing_field", "bad_utf8", b"", b"", "bad_batch", b"", "bad_batch",
        b"x",
    ]  # fmt: skip


def test_a_batch_of_kafka_records_is_refused_by_the_name_of_its_property() -> None:
    wire = send_frame(
        metadata_bytes(num_messages_in_batch=2, properties=[pb.KeyValue(key="entry.format", value="kafka")]), b"k"
    )
    with pytest.raises(DecodeError, match=r"entry\.format=kafka") as caught:
        pulsar.decode(wire)
    assert (caught.value.kind, caught.value.field) == ("bad_batch", "metadata.properties")


def test_batch_size_is_limited() -> None:
    wire = send_frame(metadata_bytes(num_messages_in_batch=2**31 - 1), bytes.fromhex("000000021800") * 4)
    with pytest.raises(DecodeError, match="the limit is 100000") as caught:
        pulsar.decode_all(wire)
    assert caught.value.kind == "too_many"
    with pytest.raises(DecodeError, match="the minimum is 1") as caught:
        pulsar.decode_all(send_frame(metadata_bytes(num_messages_in_batch=0), b""))
    assert caught.value.kind == "bad_batch"
    with pytest.raises(DecodeError, match="the batch ends before member 4"):
        pulsar.decode_all(send_frame(metadata_bytes(num_messages_in_batch=99_999), bytes.fromhex("000000021800") * 4))
    with pytest.raises(DecodeError, match="bytes after the last member"):
        pulsar.decode_all(send_frame(metadata_bytes(num_messages_in_batch=3), bytes.fromhex("000000021800") * 4))


def test_members_of_many_batches_are_limited() -> None:
    packed = zlib.compress(bytes.fromhex("000000021800") * 90)
    wire = send_frame(metadata_bytes(num_messages_in_batch=90, compression="ZLIB", uncompressed_size=540), packed)
    assert len(pulsar.decode_all(wire * 11, max_batch=1000)) == 990
    with pytest.raises(DecodeError, match=r"a batch of 90 messages, the limit is 1 "):
        pulsar.decode(wire, max_batch=1)
    with pytest.raises(DecodeError, match="a batch of 90 messages, the limit is 10 ") as caught:
        pulsar.decode_all(wire * 12, max_batch=1000)
    assert caught.value.kind == "too_many"


def test_a_batch_over_the_limit_is_refused_before_it_is_decompressed() -> None:
    wire = send_frame(metadata_bytes(num_messages_in_batch=2, compression="ZLIB", uncompressed_size=12), b"no zlib stream")
    with pytest.raises(LimitError) as caught:
        pulsar.decode_all(wire, max_batch=1)
    assert caught.value.limit == "max_batch"


def test_decode_refuses_the_second_member_before_it_reads_the_third() -> None:
    member = bytes.fromhex("000000021800")
    two = send_frame(metadata_bytes(num_messages_in_batch=3), member * 2 + b"no member")
    assert unread(pulsar.decode, two)[0] == "several_messages"


def test_members_share_the_fields_of_their_batch() -> None:
    """A large list of the batch is in memory once for any number of members."""
    properties = [pb.KeyValue(key="k", value="v")] * 100
    wire = send_frame(metadata_bytes(num_messages_in_batch=4, properties=properties), bytes.fromhex("000000021800") * 4)
    messages = pulsar.decode_all(wire)
    assert len({id(message.batch.properties) for message in messages if message.batch}) == 1


def test_acknowledged_and_compacted_members_are_left_out() -> None:
    members = bytes.fromhex("000000021800" + "0000000418002001" + "000000021800")
    assert [
        message.batch and message.batch.index
        for message in pulsar.decode_all(send_frame(metadata_bytes(num_messages_in_batch=3), members))
    ] == [0, 2]
    delivery = pb.CommandMessage(consumer_id=1, message_id=pb.MessageIdData(ledgerId=1, entryId=2), ack_set=[6])
    frame = Frame(
        pb.BaseCommand(type="MESSAGE", message=delivery),
        pb.MessageMetadata.FromString(metadata_bytes(num_messages_in_batch=3)),
        members,
    )
    (message,) = pulsar.decode_all(pulsar.encode_frame(frame))
    assert message.message_id == "1:2:-1:2"
    delivery = pb.CommandMessage(consumer_id=1, message_id=pb.MessageIdData(ledgerId=1, entryId=2), ack_set=[0])
    frame.command = pb.BaseCommand(type="MESSAGE", message=delivery)
    with pytest.raises(DecodeError, match="acknowledged or compacted away") as caught:
        pulsar.decode_all(pulsar.encode_frame(frame))
    assert caught.value.kind == "no_message"


@pytest.mark.parametrize("checksum", [None, False])
def test_encode_frame_rejects_an_entry_with_an_invalid_checksum(checksum: Any) -> None:
    frame = Frame(None, pb.MessageMetadata.FromString(metadata_bytes()), b"hi", checksum=checksum)
    assert unwritten(pulsar.encode_frame, frame)[1] == "checksum"


def _with_compacted_out(*places: int, size: int) -> bytes:
    members = [pulsar.encode_batch([plain(payload=bytes([place]), sequence_id=place)]) for place in range(size)]
    parts = [pulsar.decode_frames(wire)[0].payload for wire in members]
    payload = b"".join(bytes.fromhex("0000000418002001") if place in places else part for place, part in enumerate(parts))
    return send_frame(metadata_bytes(num_messages_in_batch=size), payload)


@pytest.mark.parametrize(("places", "size"), [((1,), 3), ((0, 2), 3), ((0, 1, 3), 5), ((2,), 3)])
def test_the_first_remaining_member_reports_the_compacted_ones(places: tuple[int, ...], size: int) -> None:
    wire = _with_compacted_out(*places, size=size)
    messages = pulsar.decode_all(wire)
    assert [message.payload[0] for message in messages] == [place for place in range(size) if place not in places]
    batches = [message.batch for message in messages]
    assert [batch and batch.compacted_out for batch in batches] == [list(places), *[None] * (len(messages) - 1)]
    assert pulsar.decode_all(pulsar.encode_batch(messages)) == messages
    assert pulsar.decode_frames(pulsar.encode_batch(messages))[0].payload == pulsar.decode_frames(wire)[0].payload
    assert [pulsar.decode(pulsar.encode(message)).payload for message in messages] == [one.payload for one in messages]
    if len(messages) == 1:
        assert pulsar.decode(wire) == messages[0]
        assert pulsar.encode(messages[0]) == pulsar.encode_batch(messages)  # all members of the batch are present


@pytest.mark.parametrize("wrong", [[3], [-1], [0], [1, 2], [2**31], "1", [None]])
def test_encode_rejects_invalid_places_of_compacted_members(wrong: Any) -> None:
    messages = pulsar.decode_all(_with_compacted_out(1, size=3))
    assert messages[0].batch is not None
    messages[0].batch.compacted_out = wrong
    with pytest.raises(EncodeError) as caught:
        pulsar.encode_batch(messages)
    assert (caught.value.field or "").startswith("[0].batch.")


@pytest.mark.parametrize("name", ["LZ4", "ZLIB", "ZSTD", "SNAPPY"])
def test_the_option_compress_compresses_what_decoding_decompresses(name: str) -> None:
    message = plain(payload=b"some body" * 50)
    wire = pulsar.encode(message, compress=name)
    assert pulsar.decode(wire) == replace(message, compression=name)
    assert wire == pulsar.encode(pulsar.decode(wire))
    assert pulsar.encode(pulsar.decode(wire), compress="NONE") == pulsar.encode(message)
    batch = pulsar.encode_batch([message, message], compress=name)
    assert [(one.payload, one.compression) for one in pulsar.decode_all(batch)] == [(message.payload, name)] * 2
    chunk = chunks_of(message, 100)[0]
    assert pulsar.encode(chunk, compress=name) == pulsar.encode(chunk)
    with pytest.raises(EncodeError, match="no compression 'lz4'") as caught:
        pulsar.encode(message, compress="lz4")
    assert (caught.value.code, caught.value.field) == ("bad_option", "compress")


def test_encrypted_batches_are_passed_on() -> None:
    message = plain(
        payload=b"\0secret", compression="LZ4", uncompressed_size=99, encryption_algo="AES", encryption_param=bytes(12),
        encryption_keys=[EncryptionKey("k", b"v", [("a", "b")])], batch=Batch(7), message_id="1:2:3:4", frame="message",
    )  # fmt: skip
    assert pulsar.decode(pulsar.encode(message)) == message


@pytest.mark.parametrize("depth", [90, 101, 5000])
def test_nesting_is_limited(depth: int) -> None:
    position = b"\x08\x01\x10\x02"
    for _ in range(depth):
        position = b"\x08\x01\x10\x02\x3a" + _length(position) + position
    seek = b"\x08\x01\x10\x02\x1a" + _length(position) + position
    command = b"\x08\x1c\xe2\x01" + _length(seek) + seek
    wire = struct.pack(">II", len(command) + 4, len(command)) + command
    if depth == 90:
        assert pulsar.decode_frames(wire)
        return
    with pytest.raises(DecodeError, match="nested deeper than 100") as caught:
        pulsar.decode_frames(wire)
    assert caught.value.kind == "bad_protobuf"


def _length(raw: bytes) -> bytes:
    size, made = len(raw), bytearray()
    while size >= 0x80:
        made.append(size & 0x7F | 0x80)
        size >>= 7
    return bytes([*made, size])


@pytest.mark.parametrize(
    ("wire", "kind"),
    [
        (struct.pack(">II", 2**32 - 1, 2**32 - 1), "frame_too_large"),
        (struct.pack(">I", 3), "bad_length"),
        (struct.pack(">II", 5_253_117, 9), "frame_too_large"),
        (struct.pack(">II", 5_253_116, 9), "truncated"),
        (bytes.fromhex("00000009000000050812920100")[:-1] + b"\x02", "bad_protobuf"),
        (bytes.fromhex("0000000a00000005081292010000"), "bad_length"),
        (send_frame(b"", b"", magic=b""), "missing_field"),
        (bytes.fromhex("000000120000000808063204080110000e02ffffffff"), "bad_length"),
        (bytes.fromhex("000000120000000808063204080110000e02000000000e01"), "bad_length"),
        (bytes.fromhex("0e02"), "truncated"),
        (bytes.fromhex("0e01000000000000"), "bad_checksum"),
        (bytes.fromhex("0e0200000004080110"), "bad_length"),
        (send_frame(b"\x0a\x01\xff\x10\x00\x18\x00", b""), "bad_utf8"),
        (send_frame(metadata_bytes() + b"\x22\x06\x0a\x01\xff\x12\x01x", b""), "bad_utf8"),
        (send_frame(metadata_bytes() + b"\x3a\x01\xff", b""), "bad_utf8"),
        (send_frame(metadata_bytes() + b"\x6a\x06\x0a\x01\xff\x12\x01x", b""), "bad_utf8"),
        (send_frame(metadata_bytes(num_messages_in_batch=1), b"\0\0\0\x05\x18\x00\x12\x01\xff"), "bad_utf8"),
        (send_frame(metadata_bytes(num_messages_in_batch=1), b"\0\0\0\x02\x20\x00"), "missing_field"),
        (bytes.fromhex("0000000f0000000b0802120708" + "00" * 6), "bad_protobuf"),
        (bytes.fromhex("0000000b00000007080212030a01ff"), "bad_utf8"),
        (bytes.fromhex("0000000f0000000b081ad2010608016a01ff0f"), "bad_utf8"),
        (bytes.fromhex("000000090000000508129201009"[:-1]), "no_message"),
        (send_frame(metadata_bytes(), b"a") + send_frame(metadata_bytes(), b"b"), "several_messages"),
    ],
)  # fmt: skip
def test_decode_rejects_frames_at_the_bounds(wire: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        pulsar.decode(wire)
    assert (caught.value.kind, caught.value.offset is not None) == (kind, True)


def test_the_frame_limit_is_an_option() -> None:
    wire = send_frame(metadata_bytes(), bytes(100))
    assert len(pulsar.decode(wire, max_frame_size=len(wire)).payload) == 100
    with pytest.raises(DecodeError, match="the limit is"):
        pulsar.decode(wire, max_frame_size=len(wire) - 1)


def test_broker_entry_metadata_round_trip() -> None:
    wire = bytes.fromhex("0e02000000020801")[:-2] + bytes.fromhex("1005")
    (frame,) = pulsar.decode_frames(wire)
    assert frame.broker_entry_metadata.index == 5
    assert pulsar.encode_frame(frame) == wire
    assert unread(pulsar.decode, wire)[0] == "no_message"


def test_inconsistent_chunks_are_rejected() -> None:
    chunks = chunks_of(plain(payload=b"abc"), 2)
    with pytest.raises(DecodeError, match="2 chunks of 4 bytes, 3 announced"):
        pulsar.decode_all(b"".join(map(pulsar.encode, [chunks[0], replace(chunks[1], payload=b"cd")])), join_chunks=True)


@pytest.mark.parametrize("name", ["google.protobuf", "google_crc32c"])
def test_a_missing_package_of_the_codec_is_named(name: str) -> None:
    code = (
        f"import sys; sys.modules[{name!r}] = None\n"
        "import mqconvert\n"
        "try: mqconvert.decode('pulsar', b'')\n"
        "except mqconvert.MqConvertError as error: print(error.code, error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout.startswith("missing_package ")
    assert done.stdout.endswith("pip install 'mqconvert[brokers]'\n")


@pytest.mark.parametrize("name", [field.name for field in dataclasses.fields(Message)])
def test_encode_names_every_field_with_a_value_of_the_wrong_type(name: str) -> None:
    message = Message(topic="t", producer_name="p", sequence_id=0, publish_time=1)
    setattr(message, name, object())
    with pytest.raises(EncodeError) as caught:
        pulsar.encode(message)
    assert str(caught.value.field).startswith(name)

"""pulsar-client and a real Pulsar: we read their bytes, and they accept ours."""

import base64
import json
import random
import time
import uuid
from collections.abc import Iterable
from dataclasses import replace
from functools import partial
from typing import Any

import pulsar
import pytest
from hypothesis import strategies as st

from mqconvert import Environment, convert, decode_all, decode_frames, encode, encode_batch, encode_frame
from mqconvert.clients import from_pulsar
from mqconvert.converters.protocols.pulsar import codec
from mqconvert.converters.protocols.pulsar.message import Batch, Message
from tests.entries import by_key
from tests.hub import differences
from tests.interop.brokers.pulsar import MAX_MESSAGE_SIZE, Pulsar
from tests.interop.frames import read_back, rewritten
from tests.interop.generated import generated
from tests.interop.messages import amqp10_messages
from tests.interop.proxy import Proxy, Session
from tests.interop.pulsar_client import COMPRESSIONS, PATIENCE, Sent, recorded, send, subscribe, take, transactions

COUNT = 220
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
BODIES = st.none() | st.binary(max_size=200) | st.binary(min_size=1, max_size=20).map(lambda part: part * 200)
KEYS = st.none() | TEXT.filter(bool)
MESSAGES = st.builds(
    Sent,
    BODIES,
    st.lists(st.tuples(TEXT, TEXT), max_size=4, unique_by=lambda pair: pair[0]).map(tuple),
    KEYS,
    KEYS,
    st.none() | st.integers(1, 2**63 - 1),
)
BATCHING: dict[str, Any] = {"batching_enabled": True, "batching_max_messages": 10, "batching_max_publish_delay_ms": 1000}
TOLD = (
    "payload", "producer_name", "publish_time", "partition_key", "ordering_key", "event_time", "null_value", "message_id",
    "schema_version",
)  # fmt: skip
"""The fields of a message that pulsar-client returns unchanged."""


@pytest.fixture
def topic() -> str:
    return f"persistent://public/default/interop-{uuid.uuid4().hex[:8]}"


def frames(sessions: list[Session]) -> tuple[list[Any], list[Any]]:
    """Return every frame of the clients and of the broker."""
    sides = [[read_back("pulsar", bytes(stream)) for stream in (each.client, each.broker)] for each in sessions if each.client]
    return [frame for ours, _ in sides for frame in ours], [frame for _, theirs in sides for frame in theirs]


def named(found: Iterable[Any]) -> set[str]:
    return {codec.pb.BaseCommand.Type.Name(each.command.type) for each in found}


def opened(found: Iterable[Any], *, schema: bool = False) -> list[Message]:
    """Return the messages in frames, which encode to the same metadata and, unless compressed, payload.

    Without `schema`, skip messages that have one: the broker's own client also uses the proxy, and sends snapshots of
    transactions with a schema at any time.
    """
    messages: list[Message] = []
    for each in found:
        if each.metadata is not None and (schema or not each.metadata.HasField("schema_version")):
            members: list[Any] = decode_all("pulsar", encode_frame("pulsar", each))
            again = encode_batch(members) if members[0].batch is not None else encode(members[0])
            assert decode_all("pulsar", again) == members
            (frame,) = decode_frames("pulsar", again)
            assert frame.metadata == each.metadata
            if members[0].compression in (None, "NONE"):
                assert frame.payload == each.payload
            messages += members
    return messages


def as_sent(message: Sent) -> tuple[Any, ...]:
    ordering_key = None if message.ordering_key is None else message.ordering_key.encode()
    properties = sorted(message.properties)
    return (
        message.body or b"", message.body is None, properties, message.partition_key, ordering_key, message.event_time,
        message.deliver_at,
    )  # fmt: skip


def as_read(message: Message) -> tuple[Any, ...]:
    """Return these fields of a SEND."""
    return (
        message.payload, message.null_value or False, sorted(message.properties or []), message.partition_key,
        message.ordering_key, message.event_time, message.deliver_at_time,
    )  # fmt: skip


def check_told(delivered: list[Message], taken: list[Message], words: str) -> None:
    """Assert that the client's fields of every message equal those on the wire."""
    by_id = {each.message_id: each for each in delivered}
    assert len(by_id) == len(taken), words
    for each in taken:
        read = by_id[each.message_id]
        told = {name: getattr(each, name) for name in TOLD}
        assert told == {name: getattr(read, name) or (b"" if name == "payload" else None) for name in TOLD}, words
        assert sorted(each.properties or []) == sorted(read.properties or []), words
        places = [one.batch and (one.batch.size, one.batch.index) for one in (each, read)]
        assert places[0] == places[1], words


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_every_frame_of_a_session_round_trips(pulsar_broker: Pulsar, topic: str, fresh_seed: int, compression: str) -> None:
    words = f"SEED={fresh_seed}"
    # The C++ client cannot read its own output for an empty payload with ZLIB, and discards the message.
    strategy = MESSAGES.filter(lambda made: bool(made.body)) if compression == "ZLIB" else MESSAGES
    messages = generated("pulsar", strategy, fresh_seed, COUNT)
    soon = int(time.time() * 1000) + 1500
    delayed = [Sent(b"later %d" % number, deliver_at=soon + number) for number in range(10)]
    with recorded(pulsar_broker) as (client, sessions):
        consumer = subscribe(client, topic)
        send(client, topic, [*messages[: COUNT // 2], *delayed], compression_type=COMPRESSIONS[compression])
        send(client, topic, messages[COUNT // 2 :], compression_type=COMPRESSIONS[compression], **BATCHING)
        taken = list(map(from_pulsar, take(consumer, len(messages) + len(delayed))))
        consumer.unsubscribe()
    ours, theirs = frames(sessions)
    assert named(ours) >= {"CONNECT", "LOOKUP", "SUBSCRIBE", "FLOW", "PRODUCER", "SEND", "ACK", "UNSUBSCRIBE"}
    assert named(theirs) >= {"CONNECTED", "LOOKUP_RESPONSE", "SUCCESS", "PRODUCER_SUCCESS", "SEND_RECEIPT", "MESSAGE"}
    sent = opened(ours)
    assert sorted(map(as_read, sent), key=repr) == sorted(map(as_sent, [*messages, *delayed]), key=repr), words
    for each in sent:
        if each.deliver_at_time is not None:
            hub: Any = convert(each, "amqp-1.0").message
            assert by_key(hub.message_annotations)["x-opt-delivery-time"].value == each.deliver_at_time
            assert convert(hub, "pulsar").message.deliver_at_time == each.deliver_at_time
    assert {each.compression or "NONE" for each in sent} == {compression}
    assert {each.batch and each.batch.size for each in sent} >= {None, 10}
    check_told(opened(theirs), taken, words)


def test_a_message_in_chunks_is_joined(pulsar_broker: Pulsar, topic: str, fresh_seed: int) -> None:
    body = random.Random(fresh_seed).randbytes(5 * MAX_MESSAGE_SIZE // 2)
    with recorded(pulsar_broker) as (client, sessions):
        consumer = subscribe(client, topic)
        sent = Sent(body, (("k", "v"),), "key")
        send(client, topic, [sent], chunking_enabled=True, compression_type=COMPRESSIONS["LZ4"])
        (taken,) = take(consumer, 1)
        assert taken.data() == body
    for found in frames(sessions):
        chunks = opened(found)
        assert [each.chunk_id for each in chunks] == [0, 1, 2]
        joined = codec.decode_all(b"".join(map(codec.encode, chunks)), join_chunks=True)
        assert list(map(as_read, joined)) == [as_sent(sent)]


def test_control_frames_round_trip(pulsar_broker: Pulsar, topic: str) -> None:
    """The frames come from redelivery, seeking, a reader, a topic schema and a partitioned topic."""

    class Order(pulsar.schema.Record):  # type: ignore[misc]  # pulsar-client has no types
        number = pulsar.schema.Integer()

    schema = pulsar.schema.JsonSchema(Order)
    with recorded(pulsar_broker) as (client, sessions):
        consumer = subscribe(client, topic, schema=schema, negative_ack_redelivery_delay_ms=100)
        producer = client.create_producer(topic, schema=schema)
        producer.send(Order(number=7))
        consumer.negative_acknowledge(consumer.receive(PATIENCE * 1000))
        again = consumer.receive(PATIENCE * 1000)
        consumer.acknowledge(again)
        consumer.seek(pulsar.MessageId.earliest)
        (sought,) = take(consumer, 1)
        reader = client.create_reader(topic, pulsar.MessageId.earliest)
        assert reader.has_message_available()
        client.get_topic_partitions(topic)
        reader.close()
        told = [from_pulsar(each) for each in (again, sought)]
        consumer.close()
    ours, theirs = frames(sessions)
    assert named(ours) >= {
        "REDELIVER_UNACKNOWLEDGED_MESSAGES", "SEEK", "GET_LAST_MESSAGE_ID", "PARTITIONED_METADATA", "CLOSE_CONSUMER",
    }  # fmt: skip
    assert named(theirs) >= {"GET_LAST_MESSAGE_ID_RESPONSE", "PARTITIONED_METADATA_RESPONSE"}
    delivered = opened(theirs, schema=True)
    assert [each.redelivery_count for each in told] == [1, None]
    assert {each.redelivery_count or 0 for each in delivered} == {0, 1}
    assert {each.schema_version for each in delivered} == {bytes(8)}
    assert [json.loads(each.payload) for each in delivered] == [{"number": 7}] * len(delivered)


def test_acknowledged_members_of_a_batch_are_skipped(pulsar_broker: Pulsar, topic: str) -> None:
    """The broker sends the whole batch again, with a set of the members that were acknowledged."""
    count = 70  # more bits than one word of the set has
    with recorded(pulsar_broker) as (client, sessions):
        consumer = subscribe(client, topic, batch_index_ack_enabled=True)
        batching = BATCHING | {"batching_max_messages": count}
        send(client, topic, [Sent(b"%d" % number) for number in range(count)], **batching)
        first = [consumer.receive(PATIENCE * 1000) for _ in range(count)]
        for each in first[::3]:
            consumer.acknowledge(each)
        consumer.close()
        consumer = subscribe(client, topic, batch_index_ack_enabled=True)
        again = take(consumer, count - len(first[::3]))
        consumer.close()
    (_, second) = [each for each in frames(sessions)[1] if each.metadata is not None]
    assert second.command.message.ack_set
    left = [each.data() for at, each in enumerate(first) if at % 3]
    assert [each.data() for each in again] == left
    members: list[Any] = decode_all("pulsar", encode_frame("pulsar", second))
    assert [each.payload for each in members] == left


@pytest.mark.parametrize("batched", [False, True])
def test_messages_have_the_ids_of_their_transactions(pulsar_broker_transacting: Pulsar, topic: str, *, batched: bool) -> None:
    """The client inside the broker uses the proxy, too, and ends each transaction on the topic."""
    count = 5
    with Proxy(pulsar_broker_transacting.port["binary"], pulsar_broker_transacting.port["proxy"]) as proxy:
        told = transactions(proxy.port, topic, count, batched=batched)
    committed, aborted = (name for name, _ in told["sent"])
    assert told["received"] == [[committed, f"committed {at}"] for at in range(count)]
    ours, theirs = frames(proxy.sessions)
    assert named(ours) >= {
        "TC_CLIENT_CONNECT_REQUEST", "NEW_TXN", "ADD_PARTITION_TO_TXN", "ADD_SUBSCRIPTION_TO_TXN", "END_TXN",
        "END_TXN_ON_PARTITION", "END_TXN_ON_SUBSCRIPTION",
    }  # fmt: skip
    assert named(theirs) >= {"NEW_TXN_RESPONSE", "END_TXN_RESPONSE", "END_TXN_ON_PARTITION_RESPONSE"}
    sent, delivered = ([each for each in opened(side) if each.txnid_least_bits is not None] for side in (ours, theirs))
    assert [_transaction(each) for each in sent] == [committed] * count + [aborted] * count
    assert [(_transaction(each), each.payload.decode()) for each in delivered] == [
        (committed, f"committed {at}") for at in range(count)
    ]
    entries: list[Any] = [each.broker_entry_metadata for each in delivered]
    assert all(each.broker_timestamp for each in entries)
    assert [each.index for each in entries] == [0 if batched else at for at in range(count)]
    for number, each in enumerate([*sent, *delivered]):
        assert dict(each.properties or []) == {"transaction": _transaction(each)}
        at = number % count
        key = base64.b64encode(b"\xff%c" % at).decode() if at % 2 else "k"
        keys = (key, at % 2 == 1 or None, b"\xfe")
        assert (each.partition_key, each.partition_key_b64_encoded or None, each.ordering_key) == keys
        back: Any = convert(convert(each, "amqp-1.0").message, "pulsar").message
        assert back.txnid_most_bits is back.txnid_least_bits is None  # a transaction of that producer
        assert (back.partition_key, back.partition_key_b64_encoded or None, back.ordering_key) == keys


def _transaction(message: Message) -> str:
    return f"{message.txnid_most_bits}:{message.txnid_least_bits}"


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_converted_messages_are_stored_and_delivered(
    pulsar_broker: Pulsar, topic: str, fresh_seed: int, compression: str
) -> None:
    """A proxy replaces the messages of the client by converted AMQP 1.0 messages.

    Every other eight of them go as one batch, as the client sends them.
    """
    words = f"SEED={fresh_seed}"
    sources = generated("amqp-1.0", amqp10_messages(arrays=True), fresh_seed, COUNT)
    now = int(time.time() * 1000)
    environment = Environment(address=topic, producer="peer", clock=now)
    done = [convert(source, "pulsar", environment=environment) for source in sources]
    made = [each.message for each in done]
    waiting = [replace(each, compression=compression if each.payload else None) for each in made]  # see above on ZLIB
    put: list[Message] = []

    def ours(frame: Any) -> bytes | None:
        if frame.command.type != codec.pb.BaseCommand.SEND or frame.metadata.HasField("schema_version"):  # see `opened`
            return None
        send, count = frame.command.send, frame.metadata.num_messages_in_batch
        members = [replace(each, sequence_id=send.sequence_id) for each in waiting[len(put) : len(put) + count]]
        if frame.metadata.HasField("num_messages_in_batch"):
            places = [Batch(count, at) for at in range(count)]
            shared = partial(replace, publish_time=now, compression=compression)
            members = [shared(each, batch=place) for each, place in zip(members, places, strict=True)]
            written = encode_batch(members, producer_id=send.producer_id)
        else:
            written = encode(members[0], producer_id=send.producer_id)
        put.extend(codec.decode_all(written))
        return written

    with recorded(pulsar_broker, rewritten("pulsar", ours)) as (client, sessions):
        consumer = subscribe(client, topic)
        single, batched = ([Sent(b"%d" % number)] for number in range(2))
        for start in range(0, COUNT, 16):
            send(client, topic, single * min(8, COUNT - start))
            if start + 8 < COUNT:
                send(
                    client,
                    topic,
                    batched * min(8, COUNT - start - 8),
                    batching_enabled=True,
                    batching_max_publish_delay_ms=1000,
                )
        taken = [from_pulsar(each) for each in take(consumer, COUNT)]
    delivered = opened(frames(sessions)[1])
    check_told(delivered, taken, words)
    for source, conversion, sent, got in zip(sources, done, put, delivered, strict=True):
        added = {name: getattr(got, name) for name in ("frame", "message_id", "redelivery_count", "broker_entry_metadata")}
        assert got == replace(sent, **added), words
        back: Any = convert(got, "amqp-1.0", environment=environment).message
        allowed = {"properties.creation_time"} if sent.batch is not None else set()
        assert differences(source, back, conversion.report) <= allowed, words

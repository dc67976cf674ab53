"""The official Pulsar client and our codec, which runs in a stand-in for a broker, understand each other.

`from_pulsar` turns the client's messages into the delivered ones.
"""

import socket
import socketserver
import struct
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from queue import Queue
from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError, convert
from mqconvert.clients import from_pulsar
from mqconvert.converters.protocols.pulsar import codec as pulsar
from mqconvert.converters.protocols.pulsar.message import (
    COMPRESSIONS,
    Batch,
    BrokerEntryMetadata,
    EncryptionKey,
    Frame,
    Message,
)
from tests.converters.protocols.pulsar.frames import chunks_of

client_library = pytest.importorskip("pulsar", reason="pulsar-client has wheels for Linux only in the dev group")

pb = pulsar.pb
TOPIC = "persistent://public/default/t"
TIMEOUT = 20
CODECS = {name.upper(): kind for name, kind in client_library.CompressionType.__members__.items()}


class StandIn(socketserver.ThreadingTCPServer):
    """A broker stand-in that answers a client's handshake, gives `deliveries` to the first consumer, and keeps sent frames."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Connection)
        self.url = f"pulsar://127.0.0.1:{self.server_address[1]}"
        self.deliveries: list[bytes] = []
        self.sent: Queue[bytes] = Queue()
        self.acknowledged: Queue[Any] = Queue()
        self.faults: list[BaseException | None] = []

    def handle_error(self, *_: Any) -> None:
        self.faults.append(sys.exc_info()[1])


class Connection(socketserver.BaseRequestHandler):
    server: StandIn
    request: socket.socket

    def handle(self) -> None:
        while wire := self.read():
            (frame,) = pulsar.decode_frames(wire)
            assert pulsar.encode_frame(frame) == wire
            name = pb.BaseCommand.Type.Name(frame.command.type)
            if name == "SEND":
                self.server.sent.put(wire)
            answer = getattr(self, name.lower(), None)
            if answer is not None:
                answer(frame.command)

    def read(self) -> bytes:
        """Return one frame, or nothing after the client has disconnected."""
        wire = self.exactly(4)
        return wire and wire + self.exactly(struct.unpack(">I", wire)[0])

    def exactly(self, size: int) -> bytes:
        raw = b""
        while len(raw) < size:
            try:
                part = self.request.recv(size - len(raw))
            except ConnectionResetError:
                part = b""
            if not part:
                return b""
            raw += part
        return raw

    def answer(self, name: str, **fields: Any) -> None:
        number = pb.BaseCommand.Type.Value(name)
        field = pb.BaseCommand.DESCRIPTOR.fields_by_number[number]
        command = pb.BaseCommand(type=number, **{field.name: fields})
        self.request.sendall(pulsar.encode_frame(Frame(command)))

    def connect(self, _: Any) -> None:
        self.answer("CONNECTED", server_version="stand-in", protocol_version=21, max_message_size=5 * 2**20)

    def ping(self, _: Any) -> None:
        self.answer("PONG")

    def partitioned_metadata(self, command: Any) -> None:
        asked = command.partitionMetadata.request_id
        self.answer("PARTITIONED_METADATA_RESPONSE", request_id=asked, partitions=0, response="Success")

    def lookup(self, command: Any) -> None:
        asked = command.lookupTopic.request_id
        self.answer(
            "LOOKUP_RESPONSE", request_id=asked, response="Connect", authoritative=True, brokerServiceUrl=self.server.url
        )

    def producer(self, command: Any) -> None:
        self.answer("PRODUCER_SUCCESS", request_id=command.producer.request_id, producer_name="stand-in-1")

    def send(self, command: Any) -> None:
        send = command.send
        position = {"ledgerId": 1, "entryId": send.sequence_id}
        self.answer("SEND_RECEIPT", producer_id=send.producer_id, sequence_id=send.sequence_id, message_id=position)

    def subscribe(self, command: Any) -> None:
        self.answer("SUCCESS", request_id=command.subscribe.request_id)

    def flow(self, _: Any) -> None:
        deliveries, self.server.deliveries = self.server.deliveries, []
        for wire in deliveries:
            self.request.sendall(wire)

    def ack(self, command: Any) -> None:
        self.server.acknowledged.put(command.ack)
        if command.ack.HasField("request_id"):
            self.answer("ACK_RESPONSE", consumer_id=command.ack.consumer_id, request_id=command.ack.request_id)

    def close_producer(self, command: Any) -> None:
        self.answer("SUCCESS", request_id=command.close_producer.request_id)

    def close_consumer(self, command: Any) -> None:
        self.answer("SUCCESS", request_id=command.close_consumer.request_id)


@pytest.fixture
def broker() -> Iterator[StandIn]:
    with StandIn() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        yield server
        server.shutdown()
        thread.join(TIMEOUT)
    assert server.faults == []


@pytest.fixture
def client(broker: StandIn) -> Iterator[Any]:
    quiet = client_library.ConsoleLogger(client_library.LoggerLevel.Error)
    made = client_library.Client(broker.url, operation_timeout_seconds=TIMEOUT, logger=quiet)
    yield made
    made.close()


SINGLE = Message(
    payload=b"a compressible payload " * 20,
    producer_name="producer",
    sequence_id=7,
    publish_time=1_700_000_000_123,
    properties=[("colour", "blue"), ("中文", "🚀"), ("empty", "")],
    partition_key="key",
    ordering_key=b"\x00\x01ordering",
    event_time=1_600_000_000_456,
    message_id="12:34:-1:-1",
    frame="message",
    redelivery_count=3,
)


def received(client: Any, broker: StandIn, deliveries: list[bytes], count: int) -> list[Any]:
    """Return the messages that the client's consumer delivers for these frames of a broker."""
    broker.deliveries = deliveries
    consumer = client.subscribe(TOPIC, "subscription")
    messages = [consumer.receive(timeout_millis=TIMEOUT * 1000) for _ in range(count)]
    consumer.acknowledge(messages[-1])
    return messages


def assert_same(seen: Any, message: Message) -> None:
    """Assert that the client's message has the same content as ours."""
    assert seen.data() == message.payload
    assert seen.properties() == dict(message.properties or ())
    assert seen.partition_key() == (message.partition_key or "")
    assert seen.ordering_key() == (message.ordering_key or b"").decode("utf-8", "replace")
    assert seen.event_timestamp() == (message.event_time or 0)
    assert seen.publish_timestamp() == message.publish_time
    assert seen.redelivery_count() == (message.redelivery_count or 0)
    position = seen.message_id()
    held = f"{position.ledger_id()}:{position.entry_id()}:{position.partition()}:{position.batch_index()}"
    assert held == message.message_id
    assert from_pulsar(seen) == told(message)


def told(message: Message) -> Message:
    """Return a message with only the fields that the client provides (see the top of converters/clients/pulsar.py)."""
    return replace(
        message,
        topic=TOPIC,
        properties=sorted(message.properties or ()) or None,
        batch=message.batch and Batch(message.batch.size, message.batch.index),
        sequence_id=None,
        compression=None,
        broker_entry_metadata=None,
    )


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_the_client_reads_our_messages(client: Any, broker: StandIn, compression: str) -> None:
    message = replace(SINGLE, compression=compression, ordering_key=b"ordering")
    (seen,) = received(client, broker, [pulsar.encode(message, consumer_id=0)], 1)
    assert_same(seen, message)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_the_client_reads_our_batches(client: Any, broker: StandIn, compression: str) -> None:
    members = [
        replace(
            SINGLE, compression=compression, payload=b"member %d " % index * 30, sequence_id=7 + index, ordering_key=None,
            partition_key=f"key-{index}" if index else None, properties=[("index", str(index))], event_time=index or None,
            batch=Batch(3, index, 7), message_id=f"12:34:-1:{index}",
        )
        for index in range(3)
    ]  # fmt: skip
    seen = received(client, broker, [pulsar.encode_batch(members)], 3)
    for one, member in zip(seen, members, strict=True):
        assert_same(one, member)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_the_client_joins_our_chunks(client: Any, broker: StandIn, compression: str) -> None:
    message = replace(SINGLE, compression=compression, ordering_key=None, payload=bytes(range(256)) * 10)
    chunks = [replace(chunk, message_id=f"12:{index}:-1:-1") for index, chunk in enumerate(chunks_of(message, 100))]
    assert len(chunks) > 1
    (seen,) = received(client, broker, [pulsar.encode(chunk) for chunk in chunks], 1)
    assert seen.data() == message.payload
    assert seen.properties() == dict(message.properties or ())
    assert from_pulsar(seen) == told(replace(message, message_id=chunks[-1].message_id))


def test_the_client_reads_broker_entry_metadata(client: Any, broker: StandIn) -> None:
    entry = BrokerEntryMetadata(broker_timestamp=1_700_000_000_999, index=5)
    message = replace(SINGLE, ordering_key=None, broker_entry_metadata=entry)
    (seen,) = received(client, broker, [pulsar.encode(message)], 1)
    assert_same(seen, message)


@pytest.mark.parametrize(
    "fields",
    [
        {"ordering_key": b"\xff\xfe\x00"},
        {"schema_version": b"\x00\x00\x00\x00\x00\x00\x00\xff", "redelivery_count": None},
        {"schema_version": b"text"},
        {"null_value": True, "payload": b""},
        {"properties": None, "event_time": None, "partition_key": None, "ordering_key": None},
        {"message_id": f"{2**63 - 1}:{2**62}:7:-1", "event_time": 2**63 - 1},
    ],
)
def test_fields_of_a_client_message_are_read(client: Any, broker: StandIn, fields: dict[str, Any]) -> None:
    """The fields include bytes that the client reads as text, numbers beyond the signed range, and unset fields."""
    message = replace(SINGLE, **fields)
    (seen,) = received(client, broker, [pulsar.encode(message)], 1)
    made = from_pulsar(seen)
    assert made == told(message)
    assert not convert(made, "amqp-1.0").report.lost


def test_an_undecrypted_client_message_keeps_its_encryption_fields(client: Any, broker: StandIn) -> None:
    """A consumer may ask for such messages unchanged. Keys, algorithm and compression are then kept."""
    keys = [EncryptionKey("key", b"\x00\xff", [("a", "1")]), EncryptionKey("other", b"")]
    message = replace(
        SINGLE, encryption_keys=keys, encryption_algo="AES", encryption_param=b"\xff" * 12, ordering_key=None,
        compression="ZSTD", uncompressed_size=77,
    )  # fmt: skip
    batch = replace(message, batch=Batch(3))
    action = client_library.ConsumerCryptoFailureAction.CONSUME
    broker.deliveries = [pulsar.encode(message), pulsar.encode(batch)]
    consumer = client.subscribe(TOPIC, "subscription", crypto_failure_action=action)
    seen = [from_pulsar(consumer.receive(timeout_millis=TIMEOUT * 1000)) for _ in range(2)]
    wanted = [replace(told(one), compression="ZSTD") for one in (message, batch)]
    assert seen == wanted
    assert [pulsar.decode(pulsar.encode(replace(one, sequence_id=7))).payload for one in seen] == [message.payload] * 2


@pytest.mark.parametrize("field", ["partition_key", "properties", "producer_name"])
def test_invalid_utf8_in_a_client_message_is_reported_by_field(client: Any, broker: StandIn, field: str) -> None:
    """The client accepts text with invalid UTF-8 but raises when it is read. The error names the field."""
    value: Any = [("key", "a text")] if field == "properties" else "a text"
    (frame,) = pulsar.decode_frames(pulsar.encode(replace(SINGLE, **{field: value})))
    wire = pulsar.encode_frame(replace(frame, checksum=False)).replace(b"a text", b"a tex\xff")
    (seen,) = received(client, broker, [wire], 1)
    with pytest.raises(EncodeError) as caught:
        from_pulsar(seen)
    assert (caught.value.code, caught.value.field) == ("bad_value", field)
    assert "xff" in caught.value.message


def test_the_client_refuses_a_wrong_checksum_as_we_do(client: Any, broker: StandIn) -> None:
    """The client acknowledges an invalid message with a reason and does not deliver it."""
    wire = pulsar.encode(SINGLE)
    with pytest.raises(DecodeError) as caught:
        pulsar.decode(wire[:-1] + b"!")
    assert caught.value.kind == "bad_checksum"
    (seen,) = received(client, broker, [wire[:-1] + b"!", pulsar.encode(replace(SINGLE, payload=b"right"))], 1)
    assert seen.data() == b"right"
    refused = broker.acknowledged.get(timeout=TIMEOUT)
    assert pb.CommandAck.ValidationError.Name(refused.validation_error) == "ChecksumMismatch"


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_we_read_the_clients_messages(client: Any, broker: StandIn, compression: str) -> None:
    producer = client.create_producer(TOPIC, compression_type=CODECS[compression], batching_enabled=False)
    producer.send(b"payload " * 50, properties={"a": "1", "b": "🚀"}, partition_key="k", ordering_key="o", event_timestamp=5)
    wire = broker.sent.get(timeout=TIMEOUT)
    message = pulsar.decode(wire)
    assert (message.payload, message.partition_key, message.ordering_key) == (b"payload " * 50, "k", b"o")
    assert (dict(message.properties or ()), message.event_time) == ({"a": "1", "b": "🚀"}, 5)
    assert message.compression == (None if compression == "NONE" else compression)


@pytest.mark.parametrize("compression", COMPRESSIONS)
def test_we_read_the_clients_batches(client: Any, broker: StandIn, compression: str) -> None:
    producer = client.create_producer(
        TOPIC, compression_type=CODECS[compression], batching_enabled=True, batching_max_publish_delay_ms=60_000
    )
    for index in range(4):
        producer.send_async(b"member %d " % index * 20, lambda *_: None, properties={"i": str(index)})
    producer.flush()
    wire = broker.sent.get(timeout=TIMEOUT)
    messages = pulsar.decode_all(wire)
    assert [message.payload for message in messages] == [b"member %d " % index * 20 for index in range(4)]
    assert [message.properties for message in messages] == [[("i", str(index))] for index in range(4)]
    assert [message.batch and message.batch.index for message in messages] == [0, 1, 2, 3]
    assert pulsar.decode_all(pulsar.encode_batch(messages)) == messages

"""STOMP over live brokers: AMQP clients receive a SEND, and a subscription receives their messages, and those of STOMP.

The protocol is the package of docs/examples/mqconvert-stomp: without it (`pip install` it) these tests are skipped.
"""

import contextlib
import socket
import uuid
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import strategies as st

from mqconvert import (
    PROTOCOLS,
    DecodeError,
    Entry,
    Environment,
    TypedValue,
    convert,
    decode_frames,
    encode_frame,
    frame_from_json,
)
from mqconvert.converters.protocols.amqp091 import message as amqp091
from tests.entries import by_key
from tests.interop import messages, peers
from tests.interop.brokers import Broker
from tests.interop.figures import READ
from tests.interop.generated import generated
from tests.interop.proxy import Proxy

pytestmark = pytest.mark.skipif("stomp" not in PROTOCOLS, reason="mqconvert-stomp is not installed")

PROFILE = "rabbitmq-4.0"
OF_RABBITMQ = {
    "persistent": "true", "priority": "7", "expiration": "600000", "timestamp": "1700000000", "correlation-id": "c",
    "amqp-message-id": "m:1", "type": "t", "app-id": "g", "content-encoding": "gzip",
}  # fmt: skip
COUNT = 220
HEADERS = st.dictionaries(messages.WORDS.map("own-{}".format), messages.TEXT | st.sampled_from(["a:b\\c\r\n", " "]), max_size=4)
OF_USER = {"k": "a:b\\c\n\r", "number": "5", "x-k": "v"}


class Client:
    """A client of STOMP 1.2."""

    def __init__(self, host: str, port: int) -> None:
        self.socket = socket.create_connection((host, port), timeout=peers.PATIENCE)
        self.seen = b""
        login = [["accept-version", "1.2"], ["host", "/"], ["login", "guest"], ["passcode", "guest"]]
        assert self.ask({"frame": "CONNECT", "headers": login}).command == "CONNECTED"

    def send(self, frame: Any) -> None:
        self.socket.sendall(encode_frame("stomp", frame))

    def ask(self, form: dict[str, Any]) -> Any:
        """Send a frame of that form, and return the next one received."""
        self.send(frame_from_json("stomp", form))
        return self.take()

    def take(self) -> Any:
        (taken,) = self.several(1)
        return taken

    def several(self, count: int) -> list[Any]:
        """Return a number of frames, and assert that no more arrive."""
        while True:
            with contextlib.suppress(DecodeError):
                frames = decode_frames("stomp", self.seen)
                if len(frames) >= count:
                    assert len(frames) == count
                    self.seen = b""
                    return frames
            raw = self.socket.recv(65536)
            assert raw, self.seen
            self.seen += raw


@pytest.fixture
def client(rabbitmq_broker: Broker) -> Iterator[Client]:
    if "stomp" not in rabbitmq_broker.port:
        pytest.skip("where the broker speaks STOMP is not known")
    made = Client(rabbitmq_broker.host, rabbitmq_broker.port["stomp"])
    yield made
    made.socket.close()


def _message(key: str) -> Any:
    headers = [*OF_RABBITMQ.items(), *OF_USER.items()]
    return PROTOCOLS["stomp"].message("SEND", f"/exchange/amq.topic/{key}", "text/plain", "r-1", headers=headers, body=b"a\0b")


def test_amqp_091_receives_stomp_messages_as_the_tables_convert_them(rabbitmq_broker: Broker, client: Client) -> None:
    key = f"interop-{uuid.uuid4().hex}"
    with peers.bound_queue(rabbitmq_broker, key, "classic", key):
        client.send(_message(key))
        assert client.take().command == "RECEIPT"
        ((_, received),) = peers.consume_pika(rabbitmq_broker, key, "classic", 1)
    made: Any = convert(_message(key), "amqp-0.9.1", profile=PROFILE).message
    ours = [entry for entry in made.basic.headers if not entry.key.startswith("x-opt-stomp-")]
    # The plugin passes on two headers of the wire and the session.
    assert by_key(received.basic.headers) == by_key(ours) | {
        "content-length": TypedValue("longstr", b"3"),
        "receipt": TypedValue("longstr", b"r-1"),
    }
    made.basic.headers = received.basic.headers = None
    assert (made.basic, made.payload) == (received.basic, received.payload)


def test_amqp_10_receives_stomp_messages_as_the_tables_convert_them(rabbitmq_broker: Broker, client: Client) -> None:
    key = f"interop-{uuid.uuid4().hex}"
    with peers.bound_queue(rabbitmq_broker, key, "classic", key):
        client.send(_message(key))
        assert client.take().command == "RECEIPT"
        ((_, received),) = peers.consume_proton(rabbitmq_broker, key, "classic", 1)
    made: Any = convert(_message(key), "amqp-1.0", profile=PROFILE).message
    assert (received.header.durable, received.header.priority) == (made.header.durable, made.header.priority)
    for name in made.properties.__dataclass_fields__:
        if name != "to":  # the broker sets the destination
            assert getattr(received.properties, name) == getattr(made.properties, name), name
    annotations = [entry for entry in made.message_annotations if not entry.key.startswith("x-opt-stomp-")]
    assert set(annotations) <= set(received.message_annotations)
    assert set(made.application_properties) <= set(received.application_properties)
    assert received.body == made.body


def test_a_subscription_receives_messages_as_the_tables_convert_them(rabbitmq_broker: Broker, client: Client) -> None:
    key = f"interop-{uuid.uuid4().hex}"
    sent = amqp091.Message(
        amqp091.BasicProperties(
            content_type="text/plain",
            headers=[Entry("k", "longstr", b"a:b\n"), Entry("n", "signedint", 5)],
            delivery_mode=2,
            priority=7,
            correlation_id="c",
            expiration="600000",
            message_id="m",
            timestamp=1_700_000_000,
            type="t",
            app_id="g",
        ),
        b"a\0b",
    )
    subscribe = [["id", "0"], ["destination", f"/exchange/amq.topic/{key}"], ["ack", "auto"], ["receipt", "r"]]
    assert client.ask({"frame": "SUBSCRIBE", "headers": subscribe}).command == "RECEIPT"
    peers.publish_pika(rabbitmq_broker, [(key, sent)])
    received = client.take()
    assert (received.command, received.destination, received.subscription) == ("MESSAGE", f"/topic/{key}", "0")
    made: Any = convert(sent, "stomp", profile=PROFILE, environment=Environment(f"/topic/{key}")).message
    assert set(made.headers) <= set(received.headers)
    assert {name for name, _ in received.headers} - {name for name, _ in made.headers} <= {"redelivered"}
    assert (received.content_type, received.body) == (made.content_type, made.body)


@pytest.mark.parametrize(
    ("fixture", "prefix"), [("artemis_broker", ""), ("rabbitmq_broker", "/exchange/amq.topic/")], ids=["artemis", "rabbitmq"]
)
def test_a_subscription_receives_generated_messages(
    request: pytest.FixtureRequest, fresh_seed: int, fixture: str, prefix: str
) -> None:
    words = f"SEED={fresh_seed}"
    destination = f"{prefix}interop-{uuid.uuid4().hex}"
    message = PROTOCOLS["stomp"].message
    bodies = st.binary(max_size=100)
    made = generated("stomp", st.tuples(messages.maybe(messages.ASCII.filter(str.strip)), HEADERS, bodies), fresh_seed, COUNT)
    sources: list[Any] = [
        message("SEND", destination, kind, f"r-{number}", headers=[("number", str(number)), *headers.items()], body=body)
        for number, (kind, headers, body) in enumerate(made)
    ]
    with contextlib.ExitStack() as stack:
        proxy = stack.enter_context(Proxy(request.getfixturevalue(fixture).port["stomp"]))
        reading, writing = (Client("127.0.0.1", proxy.port) for _ in range(2))
        for each in (reading, writing):
            stack.callback(each.socket.close)
        subscribe = [["id", "0"], ["destination", destination], ["ack", "auto"], ["receipt", "r"]]
        assert reading.ask({"frame": "SUBSCRIBE", "headers": subscribe}).command == "RECEIPT"
        for source in sources:
            writing.send(source)
            assert dict(writing.take().headers) == {"receipt-id": source.receipt}
        received = {dict(each.headers)["number"]: each for each in reading.several(COUNT)}
    for source in sources:
        got = received[dict(source.headers)["number"]]
        assert set(source.headers) <= set(got.headers), words
        assert (got.command, got.content_type, got.body) == ("MESSAGE", source.content_type, source.body), words
    for session in proxy.sessions:
        for stream in (session.client, session.broker):
            for frame in decode_frames("stomp", bytes(stream)):
                assert decode_frames("stomp", encode_frame("stomp", frame)) == [frame], words
                READ["stomp"] += 1

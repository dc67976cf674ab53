"""STOMP over live brokers: AMQP clients receive a SEND, and a subscription receives their messages, and those of STOMP.

The protocol is the package of docs/examples/mqconvert-stomp: without it (`pip install` it) these tests are skipped.
"""

import contextlib
import json
import socket
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
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
    decode,
    decode_frames,
    encode,
    encode_frame,
    frame_from_json,
)
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import from_base64, to_base64
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


# ---- the end of `mqconvert move`: ends.py of the example ------------------------------------------------------------------


@pytest.fixture
def queue(rabbitmq_broker: Broker, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    if "stomp" not in rabbitmq_broker.port:
        pytest.skip("where the broker speaks STOMP is not known")
    for side in ("SOURCE", "TARGET"):
        monkeypatch.setenv(f"MQCONVERT_{side}_PASSWORD", "guest")
    name = f"move-{uuid.uuid4().hex}"
    with peers.pika_channel(rabbitmq_broker) as channel:
        channel.queue_declare(name, durable=True)
    yield name
    with peers.pika_channel(rabbitmq_broker) as channel:
        channel.queue_delete(name)


def _end(broker: Broker, queue: str, port: int | None = None) -> str:
    return f"stomp://guest@{broker.host}:{port or broker.port['stomp']}?destination=/amq/queue/{queue}"


def _move(source: str, target: str, *more: str) -> int:
    return main(["move", source, target, "--idle", "4", *more])


def _file(path: Path, given: list[Any]) -> str:
    path.write_text("".join(json.dumps({"wire": to_base64(encode(message))}) + "\n" for message in given))
    return f"stomp:{path}"


def _arrived(path: Path, protocol: str = "stomp") -> list[Any]:
    return [decode(protocol, from_base64(json.loads(line)["wire"])) for line in path.read_text().splitlines()]


def _cut(proxy: Proxy, times: int) -> None:
    for _ in range(times):
        time.sleep(0.2)
        proxy.cut()


def test_messages_move_to_a_queue_and_from_it(rabbitmq_broker: Broker, queue: str, fresh_seed: int, tmp_path: Path) -> None:
    message = PROTOCOLS["stomp"].message
    made = generated("stomp", st.tuples(HEADERS, st.binary(max_size=100)), fresh_seed, COUNT)
    given = [
        message(destination="any", receipt="r", headers=list(headers.items()) or None, body=body) for headers, body in made
    ]
    given.append(message(destination="any", body=b"x" * 200_000))
    assert _move(_file(tmp_path / "given", given), _end(rabbitmq_broker, queue)) == 0
    assert _move(_end(rabbitmq_broker, queue), f"stomp:{tmp_path / 'out'}") == 0
    arrived = _arrived(tmp_path / "out")
    assert [each.body for each in arrived] == [each.body for each in given]
    for was, now in zip(given, arrived, strict=True):
        assert set(was.headers or ()) <= set(now.headers or ())


@pytest.mark.parametrize("side", ["source", "target"])
def test_no_message_is_missing_after_cuts(rabbitmq_broker: Broker, queue: str, side: str, tmp_path: Path) -> None:
    message = PROTOCOLS["stomp"].message
    given = _file(tmp_path / "given", [message(destination="any", body=b"%d" % number) for number in range(2000)])
    with Proxy(rabbitmq_broker.port["stomp"]) as proxy:
        there = _end(rabbitmq_broker, queue, proxy.port if side == "target" else None)
        here = _end(rabbitmq_broker, queue, proxy.port if side == "source" else None)
        cutter = threading.Thread(target=_cut, args=(proxy, 3))
        if side == "target":
            cutter.start()
        assert _move(given, there, "--window", "20") == 0
        if side == "source":
            cutter.start()
        assert _move(here, f"amqp-0.9.1:{tmp_path / 'out'}", "--window", "20") == 0
        cutter.join()
    arrived = [int(each.payload) for each in _arrived(tmp_path / "out", "amqp-0.9.1")]
    assert list(dict.fromkeys(arrived)) == list(range(2000))
    assert len(arrived) <= 2000 + 3 * 20


@pytest.mark.parametrize(("queue_", "password", "words"), [("none", "guest", "NOT_FOUND"), ("none", "wrong", "Access refused")])
def test_wrong_destinations_and_passwords_are_told_once(
    rabbitmq_broker: Broker, queue: str, queue_: str, password: str, words: str,
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setenv("MQCONVERT_SOURCE_PASSWORD", password)
    assert _move(_end(rabbitmq_broker, f"{queue}-{queue_}"), f"stomp:{tmp_path / 'out'}") != 0
    assert capsys.readouterr().err.count(words) == 1

"""`mqconvert move` between real brokers and files: every field as `convert` answers, every id under kills and cuts.

RabbitMQ's own changes on delivery are in delivery.py; the sources are read twice, from two queues of one exchange, so that what
move gave is known: one goes into a file, the other to the target.
"""

import contextlib
import dataclasses
import gc
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import pytest
from pulsar import Client as PulsarClient

from mqconvert import ConversionError, Environment, convert, decode, encode
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.model.values import Decimal091, Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.converters.clients.ends.test_nsq import certificate
from tests.interop import peers, pulsar_client
from tests.interop.brokers import Broker
from tests.interop.brokers.artemis import Artemis
from tests.interop.brokers.broker import free_ports
from tests.interop.brokers.pulsar import MAX_MESSAGE_SIZE
from tests.interop.brokers.rabbitmq import RabbitMQ
from tests.interop.conftest import started
from tests.interop.delivery import compared, differences
from tests.interop.generated import generated
from tests.interop.messages import messages, mqtt5_messages
from tests.interop.proxy import Proxy, TlsProxy
from tests.interop.test_mosquitto import allowed

__all__ = ["certificate"]  # a fixture
COUNT = 300
"""Generated messages a pair."""
NAMES = ("amqp-0.9.1", "amqp-1.0")
MQTT = ("mqtt-5.0", "mqtt-3.1.1")
PAIRS_WITH_MQTT = [("mqtt-5.0", "mqtt-5.0"), ("mqtt-3.1.1", "amqp-1.0"), ("amqp-0.9.1", "mqtt-5.0")]
PAIRS = [(source, target) for source in NAMES for target in NAMES]
pytestmark = pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")

EACH_TYPE_091 = [
    TypedValue("double", 1.5),
    TypedValue("float", 0.5),
    TypedValue("decimal", Decimal091(2, 314)),
    TypedValue("bool", True),
    TypedValue("byte", -1),
    TypedValue("unsignedbyte", 200),
    TypedValue("short", -300),
    TypedValue("unsignedshort", 60000),
    TypedValue("signedint", -70000),
    TypedValue("unsignedint", 4_000_000_000),
    TypedValue("long", -(2**40)),
    TypedValue("longstr", b"text"),
    TypedValue("binary", b"\x00\xff"),
    TypedValue("timestamp", 1_700_000_000),
    TypedValue("void", None),
    TypedValue("array", [TypedValue("double", 2.5), TypedValue("longstr", b"a")]),
    TypedValue("table", [Entry("inner", "double", 3.5)]),
]
EACH_TYPE_10 = [
    TypedValue("double", 1.5),
    TypedValue("float", 0.5),
    TypedValue("boolean", True),
    TypedValue("ubyte", 200),
    TypedValue("byte", -1),
    TypedValue("ushort", 60000),
    TypedValue("short", -300),
    TypedValue("uint", 4_000_000_000),
    TypedValue("int", -70000),
    TypedValue("ulong", 2**40),
    TypedValue("long", -(2**40)),
    TypedValue("string", "text"),
    TypedValue("symbol", "sym"),
    TypedValue("binary", b"\x00\xff"),
    TypedValue("timestamp", 1_700_000_000_000),
]


def _each_type(protocol: str) -> list[Any]:
    """Return a message for each type of a header."""
    if protocol == "amqp-0.9.1":
        return [
            amqp091.Message(amqp091.BasicProperties(headers=[Entry("h", one.type, one.value)], delivery_mode=2), b"x")
            for one in EACH_TYPE_091
        ]
    return [
        amqp10.Message(
            header=amqp10.Header(durable=True),
            application_properties=[Entry("h", one.type, one.value)],
            body=amqp10.Data([b"x"]),
        )
        for one in EACH_TYPE_10
    ]


class Queues:
    """Queues `a` and `b` of one exchange, and `to`, with names of their own on a RabbitMQ."""

    def __init__(self, broker: Broker, kind: str = "classic") -> None:
        self.broker = broker
        self.kind = kind
        name = f"move-{uuid.uuid4().hex}"
        self.topic = f"{name}/topic"
        self.exchange, self.a, self.b, self.to = name, f"{name}-a", f"{name}-b", f"{name}-to"

    def declare(self) -> None:
        with peers.pika_channel(self.broker) as channel:
            channel.exchange_declare(self.exchange, "fanout", durable=True)
            for queue in (self.a, self.b, self.to):
                channel.queue_declare(queue, durable=True, arguments={"x-queue-type": self.kind})
            for queue in (self.a, self.b):
                channel.queue_bind(queue, self.exchange)

    def delete(self) -> None:
        with peers.pika_channel(self.broker) as channel:
            for queue in (self.a, self.b, self.to):
                channel.queue_delete(queue)
            channel.exchange_delete(self.exchange)

    def count(self, queue: str) -> int:
        with peers.pika_channel(self.broker) as channel:
            return int(channel.queue_declare(queue, passive=True).method.message_count)

    def end(self, protocol: str, queue: str, port: int | None = None) -> str:
        """Return the END of a queue; for MQTT, of a session with its name."""
        if protocol in MQTT:
            keys = f"topic={self.topic}/%23&client_id={queue}"
            return f"{protocol}://guest@{self.broker.host}:{port or self.broker.port['mqtt']}?{keys}"
        key = f"queue={queue}" if protocol == "amqp-0.9.1" else f"address=/queues/{queue}"
        return f"{protocol}://guest@{self.broker.host}:{port or self.broker.port['amqp']}?{key}"

    def publish(self, protocol: str, port: int | None = None) -> str:
        """Return the END of the topic, for a target."""
        return f"{protocol}://guest@{self.broker.host}:{port or self.broker.port['mqtt']}?topic={self.topic}/k"

    def subscribe(self, protocol: str, *sessions: str) -> None:
        """Make sessions, which get what is published from now on."""
        for session in sessions:
            assert main(["move", self.end(protocol, session), f"{protocol}:{os.devnull}", "--idle", "2"]) == 0

    def fill(self, protocol: str) -> str:
        """Return the END of the exchange, or topic."""
        if protocol in MQTT:
            return self.publish(protocol)
        key = f"exchange={self.exchange}&routing_key=k" if protocol == "amqp-0.9.1" else f"address=/exchanges/{self.exchange}/k"
        return f"{protocol}://guest@{self.broker.at('amqp')}?{key}"


@pytest.fixture
def queues(rabbitmq_broker: Broker) -> Iterator[Queues]:
    made = Queues(rabbitmq_broker)
    made.declare()
    yield made
    made.delete()


@pytest.fixture(autouse=True)
def _passwords(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MQCONVERT_SOURCE_PASSWORD", "guest")
    monkeypatch.setenv("MQCONVERT_TARGET_PASSWORD", "guest")


def _written(path: Path, given: list[Any]) -> Path:
    path.write_text("".join(json.dumps({"wire": to_base64(encode(message))}) + "\n" for message in given))
    return path


def _read(path: Path, protocol: str) -> list[Any]:
    return [decode(protocol, from_base64(json.loads(line)["wire"])) for line in path.read_text().splitlines()]


def _move(source: str, target: str, *more: str) -> int:
    return main(["move", source, target, "--idle", "4", *more])  # a loaded machine stalls for seconds


# ---- every field ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("source", "target"), PAIRS)
def test_what_arrives_is_what_convert_answers(
    queues: Queues, source: str, target: str, fresh_seed: int, tmp_path: Path
) -> None:
    # RabbitMQ 4.0.5 crashes on delivering some arrays and null annotations over AMQP 1.0: a way to MQTT has none of the former,
    # one over a stream none of the latter.
    drawn = generated(source, messages(source, "mqtt-5.0" if source == "amqp-1.0" else target, "stream"), fresh_seed, COUNT)
    given = _written(tmp_path / "given", _each_type(source) + drawn)
    count = len(given.read_text().splitlines())
    assert _move(f"{source}:{given}", queues.fill(source)) == 0
    assert _move(queues.end(source, queues.a), f"{source}:{tmp_path / 'sources'}") == 0
    ways = queues.end(source, queues.b), queues.end(target, queues.to)
    # A refusal closes the connection, and with it what is in flight comes twice: one at a time, nothing does.
    _move(*ways, "--profile", "rabbitmq-4.0", "--refused", str(tmp_path / "refused"), "--window", "1")
    assert _move(queues.end(target, queues.to), f"{target}:{tmp_path / 'arrived'}") == 0
    sources, arrived = _read(tmp_path / "sources", source), _read(tmp_path / "arrived", target)
    assert len(sources) == count
    # RabbitMQ refuses to route by a header CC or BCC that is no list: the drawn annotations x-cc become such headers.
    refused = _read(tmp_path / "refused", source)
    taken = [message for message in sources if message not in refused]
    assert len(refused) <= count // 4
    for was, now in zip(taken, arrived, strict=True):
        expected = was if source == target else convert(was, target, profile="rabbitmq-4.0").message
        assert not differences(compared(_delivered(expected)), compared(_delivered(now))), was


def _delivered(message: Any) -> Any:
    """Return a message without what RabbitMQ writes on delivery: addresses, sorted headers, the header section."""
    if isinstance(message, amqp091.Message):
        headers = sorted(message.basic.headers or [], key=lambda entry: entry.key.encode())
        basic = dataclasses.replace(message.basic, headers=headers or None)
        return dataclasses.replace(message, basic=basic, exchange=None, routing_key=None)
    own = ("x-exchange", "x-routing-key")
    annotations = [entry for entry in message.message_annotations or [] if entry.key not in own]
    return dataclasses.replace(message, header=None, message_annotations=annotations or None)


def test_every_type_of_a_header_survives_unchanged(queues: Queues, tmp_path: Path) -> None:
    """As an object of pika, a double 1.5 would be 1."""
    given = _each_type("amqp-0.9.1")
    assert _move(f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", queues.fill("amqp-0.9.1")) == 0
    assert _move(queues.end("amqp-0.9.1", queues.a), queues.end("amqp-0.9.1", queues.to)) == 0
    assert _move(queues.end("amqp-0.9.1", queues.to), f"amqp-0.9.1:{tmp_path / 'arrived'}") == 0
    assert [message.basic for message in _read(tmp_path / "arrived", "amqp-0.9.1")] == [message.basic for message in given]


def test_a_target_may_have_places_of_the_source(queues: Queues, tmp_path: Path) -> None:
    headers = [[Entry("tenant", "longstr", queues.to.encode())], None]
    given = [amqp091.Message(amqp091.BasicProperties(headers=one), b"x") for one in headers]
    refused = tmp_path / "refused"
    target = queues.end("amqp-1.0", '{basic.headers["tenant"]}')
    assert _move(f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", target, "--refused", str(refused)) == 1
    assert queues.count(queues.to) == 1
    assert json.loads(refused.read_text())["refused"]["field"] == 'basic.headers["tenant"]'


def test_without_keys_messages_go_where_they_came_from(queues: Queues, tmp_path: Path) -> None:
    address = f"/exchanges/{queues.exchange}/k"
    given = [
        ("amqp-0.9.1", amqp091.Message(payload=b"x", exchange=queues.exchange, routing_key="k")),
        ("amqp-1.0", amqp10.Message(properties=amqp10.Properties(to=address), body=amqp10.Data([b"x"]))),
    ]
    for protocol, message in given:
        end = f"{protocol}://guest@{queues.broker.at('amqp')}"
        assert _move(f"{protocol}:{_written(tmp_path / protocol, [message])}", end) == 0
    assert queues.count(queues.a) == 2


@pytest.mark.parametrize(("source", "target"), [("mqtt-5.0", "amqp-0.9.1"), ("mqtt-3.1.1", "amqp-1.0")])
def test_what_arrives_from_mqtt_is_what_convert_answers(
    queues: Queues, source: str, target: str, fresh_seed: int, tmp_path: Path
) -> None:
    given = generated(source, messages(source, target, "classic"), fresh_seed, COUNT)
    for message in given:
        message.topic_name = "any"
        if source == "mqtt-5.0":  # RabbitMQ refuses to route by a header CC that is no list
            pairs = [(key, value) for key, value in message.user_properties or () if key not in ("CC", "BCC")]
            message.user_properties = pairs or None
    queues.subscribe(source, queues.a, queues.b)
    assert _move(f"{source}:{_written(tmp_path / 'given', given)}", queues.fill(source)) == 0
    assert _move(queues.end(source, queues.a), f"{source}:{tmp_path / 'sources'}") == 0
    assert _move(queues.end(source, queues.b), queues.end(target, queues.to), "--profile", "rabbitmq-4.0") == 0
    assert _move(queues.end(target, queues.to), f"{target}:{tmp_path / 'arrived'}") == 0
    sources, arrived = _read(tmp_path / "sources", source), _read(tmp_path / "arrived", target)
    assert [message.payload for message in sources] == [message.payload for message in given]
    assert len(arrived) == COUNT
    for was, now in zip(sources, arrived, strict=True):
        expected = convert(was, target, profile="rabbitmq-4.0").message
        assert not differences(_timeless(_delivered(expected)), _timeless(_delivered(now))), was


def _timeless(message: Any) -> Any:
    """Return a message without its expiry, which a broker counts down between two deliveries."""
    if isinstance(message, amqp091.Message):
        return dataclasses.replace(message, basic=dataclasses.replace(message.basic, expiration=None, timestamp=None))
    if hasattr(message, "message_expiry_interval"):
        return dataclasses.replace(message, message_expiry_interval=None)
    return message


@pytest.mark.parametrize(
    ("source", "target"), [("amqp-0.9.1", "mqtt-5.0"), ("amqp-1.0", "mqtt-3.1.1"), ("mqtt-5.0", "mqtt-5.0")]
)
def test_what_arrives_at_mqtt_is_what_convert_answers(
    queues: Queues, source: str, target: str, fresh_seed: int, tmp_path: Path
) -> None:
    given = generated(source, messages(source, target, "stream"), fresh_seed, COUNT)
    for message in given:
        if source in MQTT:
            message.topic_name = "any"
    other = Queues(queues.broker)
    other.subscribe(target, other.to)
    if source in MQTT:
        queues.subscribe(source, queues.a, queues.b)
    assert _move(f"{source}:{_written(tmp_path / 'given', given)}", queues.fill(source)) == 0
    assert _move(queues.end(source, queues.a), f"{source}:{tmp_path / 'sources'}") == 0
    assert _move(queues.end(source, queues.b), other.publish(target)) == 0
    assert _move(other.end(target, other.to), f"{target}:{tmp_path / 'arrived'}") == 0
    sources, arrived = _read(tmp_path / "sources", source), _read(tmp_path / "arrived", target)
    assert len(sources) == len(arrived) == COUNT
    for was, now in zip(sources, arrived, strict=True):
        expected: Any = convert(was, target, environment=Environment(address=f"{other.topic}/k")).message
        changes = {
            "topic_name": f"{other.topic}/k",
            "qos": 1,
            "dup": 0,
            "packet_identifier": now.packet_identifier,
            "retain": now.retain,
        }
        if target == "mqtt-5.0":
            changes |= {"topic_alias": None, "subscription_identifiers": None}
        assert not differences(_timeless(dataclasses.replace(expected, **changes)), _timeless(now)), was


def test_other_brokers_are_ends_too(artemis_broker: Broker, mosquitto_broker: Broker, fresh_seed: int, tmp_path: Path) -> None:
    """AMQP 1.0 of Artemis, without a user, and MQTT 5.0 of Mosquitto, which closes without a word for a control character."""
    name = f"move-{uuid.uuid4().hex}"
    artemis = f"amqp-1.0://{artemis_broker.at('amqp')}?address={name}"
    mosquitto = f"mqtt-5.0://{mosquitto_broker.at('mqtt')}?topic={name}"
    given = generated("mqtt-5.0", mqtt5_messages().filter(allowed), fresh_seed, COUNT)
    for message in given:
        message.topic_name, message.message_expiry_interval = "any", None
    poison = mqtt5.Message(topic_name="any", user_properties=[("k", "\1")])
    file = _written(tmp_path / "given", [*given[:50], poison, *given[50:]])
    session = f"{mosquitto}&client_id={name}"
    assert _move(session, f"mqtt-5.0:{os.devnull}", "--idle", "2") == 0
    assert _move(f"mqtt-5.0:{file}", mosquitto, "--refused", str(tmp_path / "refused"), "--window", "1") == 1
    assert [message.user_properties for message in _read(tmp_path / "refused", "mqtt-5.0")] == [[("k", "\1")]]
    assert _move(session, artemis) == 0
    assert _move(artemis, f"amqp-1.0:{tmp_path / 'arrived'}") == 0
    arrived = _read(tmp_path / "arrived", "amqp-1.0")
    assert len(arrived) == COUNT
    for was, now in zip(given, arrived, strict=True):
        expected: Any = convert(dataclasses.replace(was, topic_name=name, qos=1), "amqp-1.0").message
        same = ("properties", "application_properties", "body")
        assert [repr(getattr(expected, part)) for part in same] == [repr(getattr(now, part)) for part in same]


@pytest.mark.filterwarnings("ignore:Exception ignored in. <ssl.SSLSocket")  # paho leaves it open when a certificate is invalid
@pytest.mark.parametrize("protocol", [*NAMES, "mqtt-5.0"])
def test_tls_is_checked_and_used(
    queues: Queues, protocol: str, certificate: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    given = _written(tmp_path / "given", [_numbered(protocol, number) for number in range(20)])
    if protocol in MQTT:
        queues.subscribe(protocol, queues.a)
    with TlsProxy(queues.broker.port["mqtt" if protocol in MQTT else "amqp"], certificate) as proxy:
        host, port = queues.broker.host, str(proxy.port)

        def secured(end: str) -> str:
            return re.sub(rf"@{host}:\d+", f"@localhost:{port}", end).replace(f"{protocol}://", f"{protocol}+tls://")

        there = secured(queues.publish(protocol) if protocol in MQTT else queues.end(protocol, queues.a))
        capsys.readouterr()
        assert _move(f"{protocol}:{given}", there) == 2
        told = capsys.readouterr().err
        assert "certificate" in told
        assert told.count("target:") == 1
        assert _move(f"{protocol}:{given}", f"{there}&ca={certificate}") == 0
        assert _move(f"{secured(queues.end(protocol, queues.a))}&ca={certificate}", f"{protocol}:{tmp_path / 'arrived'}") == 0
    assert list(map(_number, _read(tmp_path / "arrived", protocol))) == list(range(20))
    gc.collect()  # paho's open socket causes its warning here, where it is expected, and not in a later test


# ---- kills and cuts --------------------------------------------------------------------------------------------------------

MOVED, WINDOW, KILLS = 3000, 100, 3


@pytest.mark.parametrize(
    ("source", "target"), [*PAIRS, ("mqtt-5.0", "mqtt-5.0"), ("mqtt-3.1.1", "amqp-1.0"), ("amqp-0.9.1", "mqtt-5.0")]
)
def test_no_message_is_missing_after_kills_and_cuts(
    queues: Queues, source: str, target: str, fresh_seed: int, tmp_path: Path
) -> None:
    chance = random.Random(fresh_seed)
    given = _written(tmp_path / "given", [_numbered(source, number) for number in range(MOVED)])
    if source in MQTT:
        queues.subscribe(source, queues.a)
        assert _move(f"{source}:{given}", queues.publish(source)) == 0
    else:
        assert _move(f"{source}:{given}", queues.end(source, queues.a)) == 0
        assert queues.count(queues.a) == MOVED
    ports = [queues.broker.port["mqtt" if protocol in MQTT else "amqp"] for protocol in (source, target)]
    other = Queues(queues.broker)
    if target in MQTT:
        other.subscribe(target, queues.to)
    failures = 0
    with Proxy(ports[0]) as left, Proxy(ports[1]) as right:
        there = other.publish(target, right.port) if target in MQTT else queues.end(target, queues.to, right.port)
        command = [queues.end(source, queues.a, left.port), there]
        for _ in range(KILLS):
            with _running(*command, "--follow", "--window", str(WINDOW)) as process:
                for proxy in chance.sample([left, right], 2):
                    time.sleep(chance.uniform(0.2, 0.5))
                    proxy.cut()
                time.sleep(chance.uniform(0.2, 0.5))
                process.kill()
            failures += 3
        assert _move(*command, "--window", str(WINDOW)) == 0
    if source not in MQTT:
        assert queues.count(queues.a) == 0
    assert (
        _move(
            other.end(target, queues.to) if target in MQTT else queues.end(target, queues.to),
            f"{target}:{tmp_path / 'arrived'}",
        )
        == 0
    )
    arrived = [_number(message) for message in _read(tmp_path / "arrived", target)]
    firsts = list(dict.fromkeys(arrived))
    assert firsts == list(range(MOVED))
    assert len(arrived) - len(firsts) <= failures * WINDOW


@pytest.mark.parametrize("target", ["amqp-0.9.1", "amqp-1.0", "mqtt-5.0"])
def test_a_connection_that_stalls_is_made_anew(queues: Queues, target: str, tmp_path: Path) -> None:
    """The proxy keeps the bytes of the connections that it has, and passes those of later ones."""
    file = _written(tmp_path / "given", [_numbered("amqp-0.9.1", number) for number in range(MOVED)])
    if target in MQTT:
        queues.subscribe(target, queues.to)
    stalled = threading.Event()

    def pass_on(waiting: bytes) -> tuple[bytes, int]:
        return (b"", 0) if stalled.is_set() else (waiting, len(waiting))

    with Proxy(queues.broker.port["mqtt" if target in MQTT else "amqp"], change=pass_on) as proxy:
        there = queues.publish(target, proxy.port) if target in MQTT else queues.end(target, queues.to, proxy.port)
        with _running(f"amqp-0.9.1:{file}", there, "--timeout", "1", "--window", str(WINDOW), "--follow") as process:
            _until(lambda: bool(proxy.sessions) and len(proxy.sessions[0].client) > 20_000)
            stalled.set()
            time.sleep(1.5)
            stalled.clear()
            _until(lambda: len(proxy.sessions) > 1)
            process.send_signal(signal.SIGTERM)
            assert process.wait(peers.PATIENCE) == 0
            assert process.stderr is not None
            assert "no answer for 1 seconds" in process.stderr.read()
    assert _move(queues.end(target, queues.to), f"{target}:{tmp_path / 'arrived'}") == 0
    firsts = list(dict.fromkeys(_number(message) for message in _read(tmp_path / "arrived", target)))
    assert firsts == list(range(len(firsts)))


def test_a_half_open_source_is_found_by_its_silence(queues: Queues, tmp_path: Path) -> None:
    """The proxy passes nothing more on, as where a machine on the way has lost its state: heartbeats of 20 seconds find that.

    A broker may take longer to find it, and gives some of the messages to the connection that it still believes in.
    """
    queues.subscribe("mqtt-5.0", queues.b)
    ways = {"amqp-0.9.1": queues.a, "amqp-1.0": queues.to, "mqtt-5.0": queues.b}
    with contextlib.ExitStack() as stack:
        proxies: list[Proxy] = []
        for source, queue in ways.items():
            proxies.append(stack.enter_context(Proxy(queues.broker.port["mqtt" if source in MQTT else "amqp"])))
            move = _running(queues.end(source, queue, proxies[-1].port), f"{source}:{tmp_path / source}", "--follow")
            stack.callback(move.communicate)
            stack.callback(move.kill)
        _publish_to_each(queues, ways, [0], tmp_path)
        _until(lambda: all(_numbers_in(tmp_path / source, source) for source in ways))
        for proxy in proxies:
            proxy.silence()
        _until(lambda: all(len(proxy.sessions) == 2 for proxy in proxies), 100)
        time.sleep(2)
        _publish_to_each(queues, ways, [1, 2, 3, 4], tmp_path)
        _until(lambda: all(_numbers_in(tmp_path / source, source) & {1, 2, 3, 4} for source in ways))


def _publish_to_each(queues: Queues, ways: dict[str, str], numbers: list[int], tmp_path: Path) -> None:
    for source, queue in ways.items():
        given = _written(tmp_path / "given", [_numbered(source, number) for number in numbers])
        assert main(["move", f"{source}:{given}", queues.publish(source) if source in MQTT else queues.end(source, queue)]) == 0


def _numbers_in(path: Path, protocol: str) -> set[int]:
    """Return the numbers of the messages in a file that is still written."""
    whole = path.read_text().rpartition("\n")[0] if path.exists() else ""
    return {_number(decode(protocol, from_base64(json.loads(line)["wire"]))) for line in whole.splitlines()}


EACH = 1000
"""Messages for each kill; `make interop KILLS=10` moves 20,000 with 20 kills, and 10,000 more with 10."""
ALL = ("move", "source", "target")


@pytest.mark.parametrize(
    ("source", "target", "kinds"),
    [("amqp-0.9.1", "amqp-1.0", ALL), ("amqp-1.0", "amqp-0.9.1", ALL), ("amqp-1.0", "amqp-0.9.1", ("target", "move"))],
)
def test_no_message_is_missing_after_kills_of_move_and_brokers(
    source: str,
    target: str,
    kinds: tuple[str, ...],
    rabbitmq_broker_mortal: dict[str, Broker],
    fresh_seed: int,
    pytestconfig: pytest.Config,
    tmp_path: Path,
) -> None:
    """RabbitMQ is the end of AMQP 0.9.1, Artemis that of AMQP 1.0: both keep messages on disk, and die at any moment.

    A source that crashes gives again what it had not yet stored as settled, which is not bounded by the window.
    """
    chance, kills = random.Random(fresh_seed), int(pytestconfig.getoption("--kills"))
    victims = [kinds[number % len(kinds)] for number in range(kills)]
    chance.shuffle(victims)
    given = [_with_fields(source, number) for number in range(EACH * kills)]
    queues = Queues(rabbitmq_broker_mortal["amqp-0.9.1"])
    queues.declare()
    artemis = f"amqp-1.0://{rabbitmq_broker_mortal['amqp-1.0'].at('amqp')}?address={queues.to}"
    ends = {"amqp-0.9.1": queues.end("amqp-0.9.1", queues.to), "amqp-1.0": artemis}
    assert _move(f"{source}:{_written(tmp_path / 'given', given)}", ends[source]) == 0
    (port,) = free_ports(1)
    following = (ends[source], ends[target], "--follow", "--window", "20", "--metrics", str(port))
    process = _running(*following)
    try:
        for victim in victims:
            _until(partial(_ready, port))
            time.sleep(chance.uniform(0, 1))
            if victim == "move":
                process.kill()
                process.communicate()
                process = _running(*following)
            else:
                rabbitmq_broker_mortal[source if victim == "source" else target].crash()
        _until(partial(_ready, port))
        process.send_signal(signal.SIGTERM)
        assert process.wait(peers.PATIENCE) == 0
    finally:
        process.kill()
        process.communicate()
    assert _move(*following[:2]) == 0
    assert _move(ends[source], f"{source}:{tmp_path / 'left'}") == 0
    assert _move(ends[target], f"{target}:{tmp_path / 'arrived'}") == 0
    assert (tmp_path / "left").read_text() == ""
    arrived = _read(tmp_path / "arrived", target)
    assert list(dict.fromkeys(map(_number, arrived))) == list(range(len(given)))
    assert "source" in victims or len(arrived) - len(given) <= 20 * kills
    for message in arrived:
        assert _fields(message) == _fields(convert(given[_number(message)], target).message)


def _ready(port: int) -> bool:
    """Return whether a move has both of its ends."""
    try:
        with urlopen(f"http://127.0.0.1:{port}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


def _with_fields(protocol: str, number: int) -> Any:
    """Return a lasting message with fields of several types, and the number as its body."""
    headers = [
        Entry("n", "long", number),
        Entry("x", "double", number / 8),
        Entry("s", "longstr" if protocol == "amqp-0.9.1" else "string", "é" if protocol == "amqp-1.0" else "é".encode()),
        Entry("t", "bool" if protocol == "amqp-0.9.1" else "boolean", number % 2 == 0),
    ]
    message = _numbered(protocol, number)
    if protocol == "amqp-0.9.1":
        message.basic = dataclasses.replace(
            message.basic, headers=headers, content_type="text/plain", correlation_id=f"c{number}", message_id=f"m{number}"
        )
        return message
    properties = amqp10.Properties(
        message_id=TypedValue("string", f"m{number}"), correlation_id=TypedValue("ulong", number), content_type="text/plain"
    )
    return dataclasses.replace(message, properties=properties, application_properties=headers)


def _fields(message: Any) -> Any:
    """Return what brokers leave as it is. They add annotations, which become headers of AMQP 0.9.1; RabbitMQ sorts headers."""
    if isinstance(message, amqp10.Message):
        headers = sorted(repr(one) for one in message.application_properties or ())
        return headers, repr(message.properties and dataclasses.replace(message.properties, to=None))
    headers = sorted(repr(one) for one in message.basic.headers or () if not one.key.startswith("x-opt-"))
    return headers, repr(dataclasses.replace(message.basic, headers=None))


@pytest.fixture(scope="module")
def rabbitmq_broker_mortal() -> Iterator[dict[str, Broker]]:
    """A RabbitMQ and an Artemis that the tests kill, by their protocols."""
    with contextlib.ExitStack() as stack:
        yield {
            "amqp-0.9.1": started(lambda: stack.enter_context(RabbitMQ(max_message_size=2**27))),
            "amqp-1.0": started(lambda: stack.enter_context(Artemis(lasting=True))),
        }


def _until(good: Callable[[], bool], patience: float = 3 * peers.PATIENCE) -> None:
    deadline = time.monotonic() + patience
    while not good():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def _numbered(protocol: str, number: int) -> Any:
    if protocol in MQTT:
        message = mqtt5.Message(topic_name="any", qos=1, payload=b"%d" % number)
        return message if protocol == "mqtt-5.0" else convert(message, protocol).message
    if protocol == "amqp-0.9.1":
        return amqp091.Message(amqp091.BasicProperties(delivery_mode=2, headers=[Entry("n", "long", number)]), b"%d" % number)
    header = amqp10.Header(durable=True)
    return amqp10.Message(header, application_properties=[Entry("n", "long", number)], body=amqp10.Data([b"%d" % number]))


def _number(message: Any) -> int:
    """Return the number of a message, which is its body."""
    if isinstance(message, amqp10.Message):
        assert isinstance(message.body, amqp10.Data)
        return int(message.body.sections[0])
    return int(message.payload)


def _running(*arguments: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "mqconvert.app", "move", *arguments]
    return subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=dict(os.environ))


@pytest.mark.parametrize(("source", "target"), [("amqp-0.9.1", "amqp-1.0"), ("amqp-1.0", "amqp-0.9.1")])
def test_sigterm_settles_what_is_in_flight(queues: Queues, source: str, target: str, tmp_path: Path) -> None:
    given = _written(tmp_path / "given", [_numbered(source, number) for number in range(MOVED)])
    assert _move(f"{source}:{given}", queues.end(source, queues.a)) == 0
    command = [queues.end(source, queues.a), queues.end(target, queues.to)]
    with _running(*command, "--follow") as process:
        deadline = time.monotonic() + peers.PATIENCE
        while queues.count(queues.to) < 100 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        assert process.wait(peers.PATIENCE) == 0
    moved = queues.count(queues.to)
    assert moved >= 100
    assert moved + queues.count(queues.a) == MOVED
    assert _move(*command) == 0
    assert queues.count(queues.to) == MOVED


def test_a_kill_of_a_move_from_a_file_repeats_at_most_a_window(queues: Queues, tmp_path: Path) -> None:
    given = _written(tmp_path / "given", [_numbered("amqp-0.9.1", number) for number in range(MOVED)])
    command = [f"amqp-0.9.1:{given}", queues.end("amqp-1.0", queues.to), "--window", "50", "--state", str(tmp_path / "state")]
    with _running(*command) as process:
        deadline = time.monotonic() + peers.PATIENCE
        while queues.count(queues.to) < 200 and time.monotonic() < deadline:
            time.sleep(0.02)
        process.kill()
    assert _move(*command) == 0
    assert MOVED <= queues.count(queues.to) <= MOVED + 50


# ---- refused -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("target", NAMES)
def test_refused_messages_go_to_a_file_and_the_others_arrive(queues: Queues, target: str, tmp_path: Path) -> None:
    """An unroutable one, one of a foreign user, one that its encoder refuses; and the file is moved once they are mended."""
    good = [_numbered(target, number) for number in range(300)]
    foreign = _foreign(target)
    given = _written(tmp_path / "given", [*good[:100], foreign, *good[100:]])
    (tmp_path / "mixed").write_text(given.read_text() + '{"wire": "AAAA"}\nno json\n')
    refused = tmp_path / "refused"
    status = _move(
        f"{target}:{tmp_path / 'mixed'}",
        queues.end(target, queues.to),
        "--refused",
        str(refused),
        "--report",
        str(tmp_path / "r"),
    )
    assert status == 1
    report = json.loads((tmp_path / "r").read_text())
    assert (report["received"], report["moved"], sum(report["refused"].values())) == (303, 300, 3)
    codes = [json.loads(line)["refused"]["code"] for line in refused.read_text().splitlines()]
    assert "refused_by_target" in codes
    assert "bad_json" in codes
    assert _move(queues.end(target, queues.to), f"{target}:{tmp_path / 'arrived'}") == 0
    firsts = list(dict.fromkeys(_number(message) for message in _read(tmp_path / "arrived", target)))
    assert firsts == list(range(300))


def _foreign(protocol: str) -> Any:
    """Return a message whose user is not the one of the connection: RabbitMQ closes the channel or the session."""
    if protocol == "amqp-0.9.1":
        return amqp091.Message(amqp091.BasicProperties(user_id="other", headers=[Entry("n", "long", -1)]), b"x")
    return amqp10.Message(properties=amqp10.Properties(user_id=b"other"), body=amqp10.Data([b"x"]))


@pytest.mark.parametrize("target", NAMES)
def test_an_unroutable_message_is_refused(queues: Queues, target: str, tmp_path: Path) -> None:
    with peers.pika_channel(queues.broker) as channel:
        for queue in (queues.a, queues.b):
            channel.queue_unbind(queue, queues.exchange)
    given = _written(tmp_path / "given", [_numbered(target, 1), _numbered(target, 2)])
    refused = tmp_path / "refused"
    assert _move(f"{target}:{given}", queues.fill(target), "--refused", str(refused)) == 1
    lines = [json.loads(line) for line in refused.read_text().splitlines()]
    assert [line["refused"]["code"] for line in lines] == ["unroutable"] * 2
    assert _move(f"{target}:{refused}", queues.end(target, queues.to)) == 0  # the file is a source
    assert queues.count(queues.to) == 2


@pytest.mark.parametrize("source", NAMES)
def test_a_refused_message_stays_or_is_dead_lettered(queues: Queues, source: str, tmp_path: Path) -> None:
    with peers.pika_channel(queues.broker) as channel:
        channel.queue_declare(f"{queues.a}-dead", durable=True)
        arguments = {"x-dead-letter-exchange": "", "x-dead-letter-routing-key": f"{queues.a}-dead"}
        channel.queue_declare(f"{queues.a}-2", durable=True, arguments=arguments)
    rows = tmp_path / "rows.toml"
    given = _written(tmp_path / "given", [_numbered(source, 1), _numbered(source, 2), _numbered(source, 3)])
    assert _move(f"{source}:{given}", queues.end(source, f"{queues.a}-2")) == 0
    del rows
    missing = queues.end("amqp-0.9.1", "{basic.message_id}" if source == "amqp-0.9.1" else "{properties.subject}")
    assert _move(queues.end(source, f"{queues.a}-2"), missing) == 1
    assert queues.count(f"{queues.a}-2") == 3
    assert _move(queues.end(source, f"{queues.a}-2"), missing, "--refused", "reject") == 1
    assert (queues.count(f"{queues.a}-2"), queues.count(f"{queues.a}-dead")) == (0, 3)
    with peers.pika_channel(queues.broker) as channel:
        channel.queue_delete(f"{queues.a}-2")
        channel.queue_delete(f"{queues.a}-dead")


# ---- brokers that are not there, or refuse ---------------------------------------------------------------------------------


@pytest.mark.parametrize("protocol", NAMES)
@pytest.mark.parametrize("role", ["source", "target"])
def test_a_broken_end_is_told_once(
    queues: Queues,
    protocol: str,
    role: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = f"{protocol}:{_written(tmp_path / 'given', [_numbered(protocol, 1)])}"

    def told(end: str, *more: str) -> str:
        ends = (end, f"{protocol}:{tmp_path / 'out'}") if role == "source" else (file, end)
        assert _move(*ends, *more) == 2
        said = [line for line in capsys.readouterr().err.splitlines() if line.startswith("mqconvert: ")]
        assert len(said) == 1, said  # no summary: nothing was moved
        return said[0]

    assert "nothing-here" in told(queues.end(protocol, "nothing-here"))
    assert "refused" in told(queues.end(protocol, queues.a, port=9)).lower()
    monkeypatch.setenv(f"MQCONVERT_{role.upper()}_PASSWORD", "not-a-secret")
    assert "not-a-secret" not in told(queues.end(protocol, queues.a))


def test_a_broker_that_comes_later_is_waited_for(queues: Queues, tmp_path: Path) -> None:
    given = _written(tmp_path / "given", [_numbered("amqp-0.9.1", 1)])
    with Proxy(queues.broker.port["amqp"]) as taken:
        port = taken.port
    with _running(f"amqp-0.9.1:{given}", queues.end("amqp-1.0", queues.to, port), "--follow") as process:
        time.sleep(1.5)
        with Proxy(queues.broker.port["amqp"], port):
            deadline = time.monotonic() + peers.PATIENCE
            while not queues.count(queues.to) and time.monotonic() < deadline:
                time.sleep(0.1)
            assert queues.count(queues.to) == 1
            process.send_signal(signal.SIGTERM)
            assert process.wait(peers.PATIENCE) == 0


def test_large_messages_pass_among_small_ones(queues: Queues, tmp_path: Path) -> None:
    """Sixteen MiB are RabbitMQ's limit, and 12 MB are more than its frames and our first guesses."""
    sizes = [10, 12_000_000, 10, 12_000_000, 64_000_000, 10]
    given = [dataclasses.replace(_numbered("amqp-0.9.1", at), payload=b"x" * size) for at, size in enumerate(sizes)]
    refused = tmp_path / "refused"
    ways = (f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", queues.end("amqp-0.9.1", queues.a))
    assert _move(*ways, "--refused", str(refused)) == 1
    assert "larger than configured max size" in json.loads(refused.read_text())["refused"]["message"]
    assert _move(queues.end("amqp-0.9.1", queues.a), queues.end("amqp-1.0", queues.to)) == 0
    assert _move(queues.end("amqp-1.0", queues.to), f"amqp-1.0:{tmp_path / 'arrived'}") == 0
    arrived = _read(tmp_path / "arrived", "amqp-1.0")
    assert [len(message.body.sections[0]) for message in arrived] == [size for size in sizes if size < 16 * 2**20]


def test_a_message_of_64_mb_passes_where_the_broker_takes_it(rabbitmq_broker_mortal: dict[str, Broker], tmp_path: Path) -> None:
    queues = Queues(rabbitmq_broker_mortal["amqp-0.9.1"])
    queues.declare()
    sizes = [10, 64_000_000, 10]
    given = [dataclasses.replace(_numbered("amqp-0.9.1", at), payload=b"x" * size) for at, size in enumerate(sizes)]
    assert _move(f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", queues.end("amqp-0.9.1", queues.a)) == 0
    assert _move(queues.end("amqp-0.9.1", queues.a), queues.end("amqp-1.0", queues.to)) == 0
    assert _move(queues.end("amqp-1.0", queues.to), f"amqp-1.0:{tmp_path / 'arrived'}") == 0
    assert [len(message.body.sections[0]) for message in _read(tmp_path / "arrived", "amqp-1.0")] == sizes
    queues.delete()


# ---- NSQ -----------------------------------------------------------------------------------------------------------------


def _nsq(broker: Broker, topic: str, channel: str | None = None, port: int | None = None) -> str:
    """Return the END of a topic, or of a channel of it."""
    keys = f"topic={topic}" if channel is None else f"topic={topic}&channel={channel}"
    return f"nsq://{broker.host}:{port or broker.port['tcp']}?{keys}"


@pytest.fixture
def topic(nsqd_broker: Broker) -> str:
    """Return a topic with the channels a and b, which get what is published from now on."""
    name = f"move-{uuid.uuid4().hex[:12]}"
    for channel in ("a", "b"):
        assert main(["move", _nsq(nsqd_broker, name, channel), f"nsq:{os.devnull}", "--idle", "1"]) == 0
    return name


def _bodies(count: int) -> list[Any]:
    return [nsq.Message(topic="any", body=b"%06d" % number) for number in range(count)]


def test_what_arrives_from_and_at_nsq_is_what_convert_answers(
    nsqd_broker: Broker, topic: str, fresh_seed: int, tmp_path: Path
) -> None:
    given = generated("amqp-1.0", messages("amqp-1.0", "mqtt-5.0", "stream"), fresh_seed, COUNT)
    sent = []
    for message in given:
        with contextlib.suppress(ConversionError):  # nsqd refuses empty messages
            sent.append(convert(message, "nsq", environment=Environment(address=topic)).message.body)
    file = _written(tmp_path / "given", given)
    assert _move(f"amqp-1.0:{file}", _nsq(nsqd_broker, topic), "--refused", str(tmp_path / "refused")) in (0, 1)
    assert _move(_nsq(nsqd_broker, topic, "a"), f"nsq:{tmp_path / 'sources'}") == 0
    sources = _read(tmp_path / "sources", "nsq")
    assert [message.body for message in sources] == sent
    assert _move(_nsq(nsqd_broker, topic, "b"), f"amqp-0.9.1:{tmp_path / 'arrived'}") == 0
    for was, now in zip(sources, _read(tmp_path / "arrived", "amqp-0.9.1"), strict=True):
        was.topic, was.channel = topic, "b"
        assert now == convert(was, "amqp-0.9.1").message


@pytest.mark.parametrize("side", ["source", "target"])
def test_no_message_of_nsq_is_missing_after_cuts(nsqd_broker: Broker, topic: str, side: str, tmp_path: Path) -> None:
    given, out = _written(tmp_path / "given", _bodies(3000)), tmp_path / "out"
    with Proxy(nsqd_broker.port["tcp"]) as proxy:
        cutter = threading.Thread(target=_cut, args=(proxy, 4))
        target = proxy.port if side == "target" else None
        if side == "target":
            cutter.start()
        assert _move(f"nsq:{given}", _nsq(nsqd_broker, topic, port=target), "--window", "20") == 0
        if side == "source":
            cutter.start()
        source = proxy.port if side == "source" else None
        assert _move(_nsq(nsqd_broker, topic, "a", source), f"nsq:{out}", "--window", "20", "--idle", "8") == 0
        cutter.join()
    arrived = [message.body for message in _read(out, "nsq")]
    assert set(arrived) == {message.body for message in _bodies(3000)}
    assert len(arrived) <= 3000 + 5 * 20  # at most a window for each lost connection, and the end


def _cut(proxy: Proxy, times: int) -> None:
    for _ in range(times):
        time.sleep(0.15)
        proxy.cut()


def test_what_nsqd_refuses_goes_to_a_file(nsqd_broker: Broker, topic: str, tmp_path: Path) -> None:
    """Its limit is 1 MiB; it closes the connection, and the others arrive."""
    large = nsq.Message(topic="any", body=b"x" * 2**21)
    empty = nsq.Message(timestamp=1, attempts=1, message_id=bytes(16), frame="message")
    given = [*_bodies(40)[:20], large, *_bodies(40)[20:], empty]
    refused = tmp_path / "refused"
    assert _move(f"nsq:{_written(tmp_path / 'given', given)}", _nsq(nsqd_broker, topic), "--refused", str(refused)) == 1
    told = [json.loads(line)["refused"]["code"] for line in refused.read_text().splitlines()]
    assert sorted(told) == ["bad_message", "refused_by_target"]
    assert _move(_nsq(nsqd_broker, topic, "a"), f"nsq:{tmp_path / 'out'}") == 0
    assert {message.body for message in _read(tmp_path / "out", "nsq")} == {message.body for message in _bodies(40)}


@pytest.mark.parametrize(
    ("end", "words"), [("topic=no:topic!&channel=a", "topic: "), ("topic=t&channel=no:channel!", "channel: ")]
)
def test_wrong_names_of_nsq_are_told_once(
    nsqd_broker: Broker, end: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert _move(f"nsq://{nsqd_broker.at('tcp')}?{end}", f"nsq:{tmp_path / 'out'}") == 2
    assert words in capsys.readouterr().err


# ---- Pulsar --------------------------------------------------------------------------------------------------------------


@pytest.fixture
def pulsar_proxy(pulsar_broker: Broker) -> Iterator[Proxy]:
    """The broker redirects its clients to the proxy."""
    with Proxy(pulsar_broker.port["binary"], pulsar_broker.port["proxy"]) as proxy:
        yield proxy


def _pulsar(proxy: Proxy, topic: str, subscription: str | None = None) -> str:
    keys = f"topic={topic}" if subscription is None else f"topic={topic}&subscription={subscription}"
    return f"pulsar://127.0.0.1:{proxy.port}/?{keys}"


def _numbers(count: int) -> list[Any]:
    return [_produced(b"%06d" % number, properties=[("n", str(number))]) for number in range(count)]


def _produced(payload: bytes, **fields: Any) -> Any:
    return pulsar.Message(topic="any", payload=payload, producer_name="p", sequence_id=1, publish_time=1, **fields)


def _fresh() -> str:
    return f"move-{uuid.uuid4().hex[:12]}"


def test_what_arrives_from_and_at_pulsar_is_what_convert_answers(pulsar_proxy: Proxy, fresh_seed: int, tmp_path: Path) -> None:
    topic, refused = _fresh(), tmp_path / "refused"
    given = generated("amqp-0.9.1", messages("amqp-0.9.1", "mqtt-5.0", "stream"), fresh_seed, COUNT)
    file = _written(tmp_path / "given", given)
    assert _move(f"amqp-0.9.1:{file}", _pulsar(pulsar_proxy, topic), "--refused", str(refused)) in (0, 1)
    assert _move(_pulsar(pulsar_proxy, topic, "a"), f"pulsar:{tmp_path / 'sources'}") == 0
    sources = _read(tmp_path / "sources", "pulsar")
    left = {json.loads(line)["wire"] for line in refused.read_text().splitlines()}
    kept = [message for message in given if to_base64(encode(message)) not in left]
    assert len(kept) > COUNT / 2
    sent = [convert(message, "pulsar", environment=Environment(address=topic, clock=1)).message for message in kept]
    for was, now in zip(sent, sources, strict=True):
        for name in ("payload", "partition_key", "ordering_key", "null_value"):
            assert getattr(now, name) == getattr(was, name), name
        assert dict(now.properties or ()) == dict(was.properties or ())
        assert (now.event_time or None) == (was.event_time or None)
    assert _move(_pulsar(pulsar_proxy, topic, "b"), f"amqp-1.0:{tmp_path / 'arrived'}") == 0
    for was, now in zip(sources, _read(tmp_path / "arrived", "amqp-1.0"), strict=True):
        was.topic = f"persistent://public/default/{topic}"
        assert now == convert(was, "amqp-1.0").message


def test_part_of_a_batch_of_pulsar_is_settled(pulsar_proxy: Proxy, tmp_path: Path) -> None:
    """What `stop` keeps at the source, in the middle of a batch, comes again, and what was before it does not."""
    topic = _fresh()
    sent = [pulsar_client.Sent(b"%d" % number if number != 12 else b"") for number in range(20)]  # NSQ has no empty ones
    client = PulsarClient(f"pulsar://127.0.0.1:{pulsar_proxy.port}")
    try:
        pulsar_client.send(client, topic, sent, batching_enabled=True, batching_max_publish_delay_ms=1000)
    finally:
        client.close()
    assert _move(_pulsar(pulsar_proxy, topic, "a"), f"nsq:{tmp_path / 'some'}", "--address", "t") == 1
    some = [message.body for message in _read(tmp_path / "some", "nsq")]
    assert _move(_pulsar(pulsar_proxy, topic, "a"), f"pulsar:{tmp_path / 'rest'}") == 0
    rest = [message.payload for message in _read(tmp_path / "rest", "pulsar")]
    assert len(some) == 12
    assert [*some, *rest] == [each.body for each in sent]


@pytest.mark.parametrize("side", ["source", "target"])
def test_no_message_of_pulsar_is_missing_after_cuts(pulsar_proxy: Proxy, side: str, tmp_path: Path) -> None:
    topic, out = _fresh(), tmp_path / "out"
    given = _written(tmp_path / "given", _numbers(1000))
    cutter = threading.Thread(target=_cut, args=(pulsar_proxy, 4))
    if side == "target":
        cutter.start()
    assert _move(f"pulsar:{given}", _pulsar(pulsar_proxy, topic), "--window", "20") == 0
    if side == "source":
        cutter.start()
    assert _move(_pulsar(pulsar_proxy, topic, "a"), f"pulsar:{out}", "--window", "100") == 0
    cutter.join()
    arrived = [message.payload for message in _read(out, "pulsar")]
    assert list(dict.fromkeys(arrived)) == [message.payload for message in _numbers(1000)]  # first arrivals in order
    assert len(arrived) <= 1000 + 5 * 100


def test_a_kill_repeats_at_most_a_window_of_pulsar(pulsar_proxy: Proxy, tmp_path: Path) -> None:
    topic, out = _fresh(), tmp_path / "out"
    given = _written(tmp_path / "given", _numbers(1000))
    assert _move(f"pulsar:{given}", _pulsar(pulsar_proxy, topic)) == 0
    ends = (_pulsar(pulsar_proxy, topic, "a"), f"pulsar:{out}", "--window", "100")
    with _running(*ends) as process:
        deadline = time.monotonic() + peers.PATIENCE
        while (not out.exists() or len(out.read_bytes().splitlines()) < 300) and time.monotonic() < deadline:
            time.sleep(0.01)
        process.kill()
        process.wait(peers.PATIENCE)
    assert _move(*ends) == 0
    arrived = [message.payload for message in _read(out, "pulsar")]
    assert list(dict.fromkeys(arrived)) == [message.payload for message in _numbers(1000)]
    assert len(arrived) <= 1000 + 100


def test_what_pulsar_refuses_goes_to_a_file(pulsar_proxy: Proxy, tmp_path: Path) -> None:
    topic, refused = _fresh(), tmp_path / "refused"
    large = _produced(b"x" * (MAX_MESSAGE_SIZE + 20_000))
    keyed = _produced(b"k", partition_key="aw==", partition_key_b64_encoded=True)
    given = [*_numbers(40)[:20], large, keyed, *_numbers(40)[20:]]
    file = _written(tmp_path / "given", given)
    assert _move(f"pulsar:{file}", _pulsar(pulsar_proxy, topic), "--refused", str(refused)) == 1
    told = [json.loads(line)["refused"]["code"] for line in refused.read_text().splitlines()]
    assert sorted(told) == ["bad_value", "refused_by_target"]
    assert _move(_pulsar(pulsar_proxy, topic, "a"), f"pulsar:{tmp_path / 'out'}") == 0
    assert [message.payload for message in _read(tmp_path / "out", "pulsar")] == [each.payload for each in _numbers(40)]

"""The programs of docs/embedding.md, run unchanged against the live broker."""

import contextlib
import re
import socket
import subprocess
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest

from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop import peers
from tests.interop.brokers.broker import Broker, free_ports

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"


@contextlib.contextmanager
def running(program: str, *arguments: str) -> Iterator["subprocess.Popen[str]"]:
    process = subprocess.Popen(
        [sys.executable, str(EXAMPLES / program), *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.communicate(timeout=30)


@pytest.fixture
def name() -> str:
    return f"example-{uuid.uuid4().hex}"


def test_the_example_converts_pika_to_mqtt(rabbitmq_broker: Broker, name: str) -> None:
    headers = [Entry("n", "signedint", 1)]
    message = amqp091.Message(amqp091.BasicProperties(content_type="text/plain", headers=headers, delivery_mode=2), b"body")
    with (
        peers.bound_queue(rabbitmq_broker, name, "classic", name),
        peers.paho_subscription(rabbitmq_broker, name, f"{name}/out") as take,
    ):
        peers.publish_pika(rabbitmq_broker, [(name, message)])
        with running("pika_to_mqtt.py", rabbitmq_broker.amqp_url, rabbitmq_broker.at("mqtt"), name, f"{name}/out"):
            ((_, received),) = take(1)
    assert received.payload == b"body"
    assert (received.content_type, received.user_properties, received.qos) == ("text/plain", [("n", "1")], 1)


def test_the_example_converts_proton_to_pika(rabbitmq_broker: Broker, name: str) -> None:
    properties = [Entry("n", "ubyte", 7)]
    message = amqp10.Message(amqp10.Header(durable=True), application_properties=properties, body=amqp10.Data([b"body"]))
    with (
        peers.bound_queue(rabbitmq_broker, name, "classic", name),
        peers.bound_queue(rabbitmq_broker, f"{name}-out", "classic", f"{name}-out"),
    ):
        peers.publish_proton(rabbitmq_broker, [(name, message)])
        with running("proton_to_pika.py", rabbitmq_broker.amqp_url, f"/queues/{name}", f"{name}-out") as process:
            ((_, received),) = peers.consume_pika(rabbitmq_broker, f"{name}-out", "classic", 1)
    assert received.payload == b"body"
    assert received.basic.delivery_mode == 2
    assert Entry("n", "signedint", 7) in received.basic.headers  # pika has no type for bytes; the program reports the loss
    assert process.returncode is not None


def test_the_example_converts_mqtt_to_amqp10(rabbitmq_broker: Broker, name: str) -> None:
    message = mqtt5.Message(topic_name=f"{name}/in", qos=1, user_properties=[("k", "v")], payload=b"body")
    with peers.bound_queue(rabbitmq_broker, name, "classic", name):
        arguments = (rabbitmq_broker.at("mqtt"), f"{name}/in", rabbitmq_broker.amqp_url, f"/exchanges/{peers.EXCHANGE}/{name}")
        with running("mqtt_to_amqp10.py", *arguments) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "subscribed\n"
            peers.publish_paho(rabbitmq_broker, [("", message)])
            ((_, received),) = peers.consume_proton(rabbitmq_broker, name, "classic", 1)
    assert received.body == amqp10.Data([b"body"])
    assert received.application_properties == [Entry("k", "string", "v")]


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("pika_to_mqtt.py", ("{amqp}", "{mqtt}", "q", "t")),
        ("proton_to_pika.py", ("{amqp}", "/queues/q", "q")),
        ("mqtt_to_amqp10.py", ("{mqtt}", "t", "{amqp}", "/queues/q")),
    ],
)
def test_an_unreachable_broker_is_a_one_line_error(program: str, arguments: tuple[str, ...]) -> None:
    (port,) = free_ports(1)
    with contextlib.suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port)):
        pytest.fail("somebody listens there")
    refused(program, arguments, amqp=f"amqp://guest:guest@127.0.0.1:{port}", mqtt=f"127.0.0.1:{port}")


@pytest.mark.parametrize(
    ("program", "arguments", "reason"),
    [
        ("pika_to_mqtt.py", ("{bad_user}", "{mqtt}", "q", "t"), "no broker: ProbableAuthenticationError"),
        ("pika_to_mqtt.py", ("{amqp}", "{refusing}", "q", "t"), "no broker: Not authorized"),
        ("pika_to_mqtt.py", ("{amqp}", "{mqtt}", "nowhere", "t"), "no queue 'nowhere'"),
        ("proton_to_pika.py", ("{bad_user}", "/queues/q", "q"), "no broker: ProbableAuthenticationError"),
        ("proton_to_pika.py", ("{amqp}", "/queues/nowhere", "q"), "no address: Condition('amqp:not-found'"),
        ("mqtt_to_amqp10.py", ("{mqtt}", "t", "{bad_user}", "/exchanges/amq.topic"), "Authentication failed"),
        ("mqtt_to_amqp10.py", ("{refusing}", "t", "{amqp}", "/exchanges/amq.topic"), "no broker: Not authorized"),
        ("mqtt_to_amqp10.py", ("{mqtt}", "t", "{amqp}", "/exchanges/nowhere"), "no broker: "),
    ],
)
def test_a_refusing_broker_is_a_one_line_error(
    rabbitmq_broker: Broker, mosquitto_broker_refusing: Broker, program: str, arguments: tuple[str, ...], reason: str
) -> None:
    line = refused(
        program,
        arguments,
        amqp=rabbitmq_broker.amqp_url,
        bad_user=rabbitmq_broker.amqp_url.replace(":guest@", ":bad@"),
        mqtt=rabbitmq_broker.at("mqtt"),
        refusing=mosquitto_broker_refusing.at("mqtt"),
    )
    assert reason in line


@pytest.mark.parametrize(
    ("program", "arguments"),
    [
        ("pika_to_mqtt.py", ("amqp://h:port", "h:1883", "q", "t")),
        ("pika_to_mqtt.py", ("amqp://user@h", "h:1883", "q", "t")),
        ("pika_to_mqtt.py", ("amqp://h", "h:port", "q", "t")),
        ("pika_to_mqtt.py", ("amqp://h", "h:99999", "q", "t")),
        ("proton_to_pika.py", ("stomp://h:5672", "/queues/q", "q")),
        ("proton_to_pika.py", ("amqp://h?heartbeat=often", "/queues/q", "q")),
        ("mqtt_to_amqp10.py", ("[::1", "t", "amqp://h", "/queues/q")),
        ("mqtt_to_amqp10.py", ("h:1883", "t", "amqp://h:port", "/queues/q")),
    ],
)
def test_an_invalid_address_is_a_one_line_error(program: str, arguments: tuple[str, ...]) -> None:
    assert refused(program, arguments).startswith("no address: not ")


@pytest.mark.parametrize("program", ["pika_to_mqtt.py", "proton_to_pika.py", "mqtt_to_amqp10.py"])
def test_missing_arguments_print_the_usage(program: str) -> None:
    assert refused(program, ()).startswith(f"usage: {program} ")


def refused(program: str, arguments: tuple[str, ...], **names: str) -> str:
    """Return the one line with which a program ends: a reason and its detail."""
    filled = [part.format(**names) for part in arguments]
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / program), *filled], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 1, done
    assert re.fullmatch(r"(no broker|no address|usage): \S.*\n", done.stderr), done.stderr
    return done.stderr

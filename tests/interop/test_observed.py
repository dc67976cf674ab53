"""Artemis and RabbitMQ convert the examples of docs/differences.md between AMQP 1.0 and MQTT as documented."""

import contextlib
import uuid
from typing import Any

import proton.utils
import pytest

from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.interop import observed, peers
from tests.interop.brokers import Broker

END = amqp10.Message(body=amqp10.Data([b"end"]))
"""The message after the last one, which marks the end."""


def answers(broker: Broker) -> dict[str, Any]:
    """Return the broker's delivery for each example by title, None without one."""
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    made = {f"{name}.{number}": observed.example(number) for number in range(len(observed.EXAMPLES))}
    of_amqp = [(key, message) for key, message in made.items() if isinstance(message, amqp10.Message)]
    within = [(key, message) for key, message in of_amqp if observed.EXAMPLES[int(key.rpartition(".")[2])]["to"] == "amqp-1.0"]
    to_mqtt = [each for each in of_amqp if each not in within]
    received = dict(answer for each in within if (answer := between_amqp(broker, *each)))
    with peers.paho_subscription(broker, name, f"{name}/#".replace(".", "/")) as take:
        peers.publish_proton(broker, [*to_mqtt, (f"{name}.end", END)])
        while f"{name}.end" not in received:
            received |= dict(take(1))
    to_amqp = [each for each in made.items() if each not in of_amqp]
    for key, message in to_amqp:
        message.topic_name = key.replace(".", "/")
    with peers.proton_subscription(broker, name) as take:
        for version in ("mqtt-5.0", "mqtt-3.1.1"):
            peers.publish_paho(broker, [each for each in to_amqp if protocol_of(each[1]).name == version])
        received |= dict(take(len(to_amqp)))
    found = [received.get(key) for key in made]
    titles = [each["title"] for each in observed.EXAMPLES]
    return {title: None if one is None else observed.told(one) for title, one in zip(titles, found, strict=True)}


def between_amqp(broker: Broker, key: str, message: amqp10.Message) -> peers.Keyed | None:
    """Return the AMQP 1.0 message of a receiver, or None if the broker closes the connection."""
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    with contextlib.suppress(proton.utils.ConnectionClosed), peers.proton_subscription(broker, name) as take:
        peers.publish_proton(broker, [(f"{name}.0", message)])
        ((_, received),) = take(1)
        return key, received
    return None


@pytest.mark.parametrize("fixture", ["artemis_broker", "rabbitmq_broker"])
def test_brokers_respond_as_documented(request: pytest.FixtureRequest, fixture: str) -> None:
    broker: Broker = request.getfixturevalue(fixture)
    version, found = peers.version(broker), answers(broker)
    if request.config.getoption("--observe"):
        observed.keep(broker.name, version, found)
    known = observed.known()
    assert known["versions"][broker.name] == version
    assert {title: answer[broker.name] for title, answer in known["answers"].items()} == found

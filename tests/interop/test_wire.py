"""AMQP and MQTT on the wire: we read the bytes of clients and brokers, and they read ours.

Between client and broker, a proxy replaces each message of the client by our encoding. Other frames pass unread, since our
codecs of these protocols read only messages.
"""

import contextlib
import copy
import dataclasses
import functools
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from mqconvert import decode, encode
from mqconvert.clients import from_pika, from_proton, to_pika, to_proton
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop import peers, wire
from tests.interop.brokers import Broker
from tests.interop.brokers.rabbitmq import RabbitMQ
from tests.interop.delivery import differences, from_mqtt_to_mqtt
from tests.interop.figures import READ
from tests.interop.generated import generated
from tests.interop.messages import messages
from tests.interop.proxy import Proxy
from tests.interop.test_across import kept
from tests.interop.test_artemis import expires_soon
from tests.interop.test_mosquitto import allowed
from tests.interop.test_pairs import CONSUME, PUBLISH, SUBSCRIBE

COUNT = 100
PORTS = {"mqtt-5.0": "mqtt", "mqtt-3.1.1": "mqtt", "amqp-1.0": "amqp", "amqp-0.9.1": "amqp"}
WAYS = [
    *(
        (protocol, broker)
        for protocol in ("mqtt-5.0", "mqtt-3.1.1")
        for broker in ("mosquitto_broker", "artemis_broker", "rabbitmq_broker")
    ),
    ("amqp-1.0", "artemis_broker"),
    ("amqp-1.0", "rabbitmq_broker"),
    ("amqp-0.9.1", "rabbitmq_broker"),
]


@pytest.mark.parametrize(("protocol", "fixture"), WAYS)
def test_converted_messages_replace_those_of_a_client(
    request: pytest.FixtureRequest, fresh_seed: int, protocol: str, fixture: str
) -> None:
    words = f"SEED={fresh_seed}"
    broker: Broker = request.getfixturevalue(fixture)
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    made = [(f"{name}.{number}", each) for number, each in enumerate(plain(protocol, fresh_seed))]
    if protocol in SUBSCRIBE:
        made = [(key, dataclasses.replace(each, topic_name=key.replace(".", "/"))) for key, each in made]
    ours: list[Any] = []
    waiting = iter(made)

    def replace(raw: bytes) -> bytes:
        """Return our encoding of the client's message, after finding it in the client's bytes."""
        theirs, (_, message) = decode(protocol, raw), next(waiting)
        ours.append(as_written(message, theirs))
        assert differences(as_kept(ours[-1]), as_kept(theirs)) == [], words
        return encode(ours[-1])

    with Proxy(broker.port[PORTS[protocol]], change=wire.replaced(protocol, replace)) as proxy:
        behind = copy.copy(broker)
        behind.port = broker.port | {PORTS[protocol]: proxy.port}
        with subscription(broker, behind, protocol, name) as take:
            PUBLISH[protocol](behind, made)
            received = dict(take(COUNT))
    problems = {key: differences(delivered(one, key), as_kept(received[key])) for (key, _), one in zip(made, ours, strict=True)}
    assert {key: found for key, found in problems.items() if found} == {}, words
    raw = [
        each
        for session in proxy.sessions
        for side in (session.client, session.broker)
        for each in wire.messages(protocol, bytes(side))
    ]
    assert len(raw) == 2 * COUNT
    for each in raw:
        check_encoding(protocol, each)


def check_encoding(protocol: str, raw: bytes) -> None:
    """Assert that we encode a message to its bytes on the wire, as far as the protocol leaves no choice."""
    message = decode(protocol, raw)
    again = encode(message)
    if protocol == "mqtt-5.0":  # the order of properties is free (section 2.2.2.2)
        assert sorted(again) == sorted(raw)
    elif protocol == "amqp-1.0":  # most types have several encodings (part 1 section 1.6); ours are the shortest
        assert len(again) <= len(raw)
    else:
        assert again == raw
    assert decode(protocol, again) == message
    READ[protocol] += 1


@functools.cache
def plain(protocol: str, seed: int) -> list[Any]:
    """Return messages that the brokers deliver unchanged.

    They have no arrays in annotations: RabbitMQ refuses the shortest encoding of most of them (A26), which ours is.
    """
    target = "mqtt-5.0" if protocol == "amqp-1.0" else protocol
    made = generated(protocol, messages(protocol, target, "stream").filter(_is_plain), seed, COUNT)
    for each in made:
        if isinstance(each, amqp10.Message):  # RabbitMQ treats unset as durable
            each.header = dataclasses.replace(each.header or amqp10.Header(), durable=True)
    return made


def _is_plain(message: Any) -> bool:
    if isinstance(message, mqtt5.Message):
        return allowed(message) and expires_soon(message)
    if isinstance(message, amqp10.Message):
        return not any(each.key.startswith("x-basic-") for each in message.message_annotations or [])
    if isinstance(message, amqp091.Message):
        return not any(each.key == "BCC" for each in message.basic.headers or [])
    return True


def as_written(message: Any, theirs: Any) -> Any:
    """Return the message as written by the client."""
    if isinstance(message, amqp10.Message):
        made = from_proton(to_proton(message, on_loss="ignore").message)
        made.properties = dataclasses.replace(made.properties or amqp10.Properties(), to=theirs.properties.to)
        return made
    if isinstance(message, amqp091.Message):
        pika = to_pika(message, on_loss="fail")
        return from_pika(pika.properties, pika.body)
    return dataclasses.replace(message, packet_identifier=theirs.packet_identifier)


def delivered(message: Any, key: str) -> Any:
    """Return the message as received."""
    if isinstance(message, amqp10.Message):
        return as_kept(message)
    if isinstance(message, amqp091.Message):
        return as_kept(dataclasses.replace(message, exchange=peers.EXCHANGE, routing_key=key))
    return from_mqtt_to_mqtt(message)


def as_kept(message: Any) -> Any:
    """Return the message without the broker's changes: RabbitMQ sorts headers."""
    if isinstance(message, amqp091.Message):
        headers = message.basic.headers and sorted(message.basic.headers, key=lambda entry: entry.key.encode())
        return dataclasses.replace(message, basic=dataclasses.replace(message.basic, headers=headers))
    return kept(message) if isinstance(message, amqp10.Message) else message


@contextlib.contextmanager
def subscription(broker: Broker, behind: Broker, protocol: str, name: str) -> Iterator[Any]:
    """Subscribe to keys `name.*` behind the proxy, and yield a function that receives a number of messages."""
    if protocol in SUBSCRIBE:
        with peers.paho_subscription(behind, name, f"{name}/#".replace(".", "/"), SUBSCRIBE[protocol]) as take:
            yield take
    elif isinstance(broker, RabbitMQ):
        with peers.bound_queue(broker, name, "classic", f"{name}.#"):
            yield lambda count: CONSUME[protocol](behind, name, "classic", count)
    else:
        with peers.proton_subscription(behind, name) as take:
            yield take

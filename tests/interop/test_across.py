"""From NSQ, Pulsar and RocketMQ to AMQP 1.0 on two brokers and back, and from there to them and back: real clients all the way.

Messages return unchanged, except for reported losses and the fields that clients and brokers set.
"""

import dataclasses
import uuid
from typing import Any

import pytest

from mqconvert import Environment, convert
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.hub import differences
from tests.interop import across, delivery, peers
from tests.interop.brokers import Broker
from tests.interop.brokers.rabbitmq import RabbitMQ
from tests.interop.generated import generated
from tests.interop.messages import messages, with_body

COUNT = 100
STORES = {"nsq": "nsqd_broker", "pulsar": "pulsar_broker", "rocketmq": "rocketmq_broker"}
"""The fixture of each protocol's broker."""
HUBS = ("artemis_broker", "rabbitmq_broker")
"""The fixtures of brokers of AMQP 1.0."""
WAYS = [(protocol, store, hub) for protocol, store in STORES.items() for hub in HUBS]


class Hub:
    """A queue of AMQP 1.0 for messages there, and one for the way back."""

    def __init__(self, broker: Broker, name: str) -> None:
        self._broker = broker
        self._prefix = "/queues/" if isinstance(broker, RabbitMQ) else ""
        self._name = name

    def carried(self, messages: list[Any]) -> list[Any]:
        """Return the messages that proton received, in the order of sending; they equal the sent ones."""
        queue = f"{self._name}-{uuid.uuid4().hex[:4]}"
        if self._prefix:
            with peers.pika_channel(self._broker) as channel:
                channel.queue_declare(queue, durable=True)
        sent = peers.send_proton(self._broker, self._prefix + queue, messages)
        received = peers.receive_proton(self._broker, self._prefix + queue, len(sent))
        by_subject = {got.properties.subject: got for got in received}
        if len(by_subject) == len(sent):  # Artemis delivers by priority
            received = [by_subject[one.properties.subject] for one in sent]
        carried = list(map(kept, received))
        assert [found for one, got in zip(sent, carried, strict=True) if (found := delivery.differences(kept(one), got))] == []
        return carried


def kept(message: Any) -> Any:
    """Return the parts of a message that a broker keeps: it counts deliveries, and RabbitMQ adds the place of publishing."""
    header = dataclasses.replace(message.header or amqp10.Header(), delivery_count=None, first_acquirer=None)
    annotations = [each for each in message.message_annotations or [] if each.key not in ("x-exchange", "x-routing-key")]
    return dataclasses.replace(message, header=header, delivery_annotations=None, message_annotations=annotations)


@pytest.fixture
def name() -> str:
    return f"across-{uuid.uuid4().hex[:8]}"


@pytest.mark.parametrize(("protocol", "store", "hub"), WAYS)
def test_broker_messages_round_trip_through_amqp(
    request: pytest.FixtureRequest, name: str, fresh_seed: int, protocol: str, store: str, hub: str
) -> None:
    words = f"SEED={fresh_seed}"
    with across.client(protocol, request.getfixturevalue(store), name) as client:
        environment = Environment(address=client.topic, frame="send")
        originals = _unique(client, generated(client.protocol, client.messages, fresh_seed, COUNT))
        client.publish(originals)
        first = client.take(len(originals))
        there = [convert(each, "amqp-1.0", environment=Environment(address=client.topic)) for each in first]
        assert all(not each.report.lost for each in there), words
        carried = Hub(request.getfixturevalue(hub), name).carried([each.message for each in there])
        back = [convert(each, protocol, environment=environment).message for each in carried]
        client.publish(back)
        second = {client.key(each): each for each in client.take(len(back))}
    assert {client.key(each) for each in first} == {client.key(each) for each in originals}, words
    for one in first:
        assert _compared(client, second[client.key(one)]) == _compared(client, one), words


def _unique(client: across.Client, messages: list[Any]) -> list[Any]:
    """Return the messages, each with a key that identifies it."""
    if client.protocol == "nsq":
        return list({each.body: each for each in messages}.values())
    pairs = [[pair for pair in each.properties or [] if pair[0] != across.NUMBER] for each in messages]
    return [dataclasses.replace(each, properties=[*pairs[at], (across.NUMBER, str(at))]) for at, each in enumerate(messages)]


def _compared(client: across.Client, message: Any) -> dict[str, Any]:
    told = {field.name: getattr(message, field.name) for field in dataclasses.fields(message)}
    told["properties"] = sorted(pair for pair in told.get("properties") or [] if pair[0] not in client.added)
    return {name: value for name, value in told.items() if name not in client.stamped}


@pytest.mark.parametrize(("protocol", "store", "hub"), WAYS)
def test_amqp_messages_round_trip_through_brokers(
    request: pytest.FixtureRequest, name: str, fresh_seed: int, protocol: str, store: str, hub: str
) -> None:
    words = f"SEED={fresh_seed}"
    sources = generated("amqp-1.0", messages("amqp-1.0", "amqp-1.0", "stream"), fresh_seed, COUNT)
    if protocol == "rocketmq":
        sources = list(map(with_body, sources))
    for number, source in enumerate(sources):
        source.properties.subject = str(number)
        source.header.durable = True  # RabbitMQ treats unset as durable, and reads x-basic-* annotations
        annotations = source.message_annotations or []
        source.message_annotations = [each for each in annotations if not each.key.startswith("x-basic-")]
        source.properties.group_id = source.properties.group_id or None  # pulsar-client does not accept an empty key
    queues = Hub(request.getfixturevalue(hub), name)
    first = {each.properties.subject: each for each in queues.carried(sources)}
    with across.client(protocol, request.getfixturevalue(store), name) as client:
        environment = Environment(address=client.topic, clock=across.now(), payload=client.payload)
        there = {subject: convert(each, protocol, environment=environment) for subject, each in first.items()}
        client.publish([each.message for each in there.values()])
        taken = client.take(COUNT)
    back = [convert(each, "amqp-1.0", environment=environment).message for each in taken]
    second = {each.properties.subject: each for each in queues.carried(back)}
    for subject, one in first.items():
        assert differences(one, second[subject], there[subject].report) <= client.became, words

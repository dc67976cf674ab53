"""Each ordered pair of protocols over a live RabbitMQ: real clients receive the messages that profile rabbitmq-4.0 predicts."""

import time
import uuid
from typing import Any

import pytest
from paho.mqtt.enums import MQTTProtocolVersion

from mqconvert import message_to_json
from mqconvert.clients import to_paho
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop import peers
from tests.interop.brokers import Broker
from tests.interop.delivery import PROFILE, Between, Way, compared, differences, predicted
from tests.interop.generated import generated
from tests.interop.messages import messages

COUNT = 150
PUBLISH: dict[str, Any] = {
    "amqp-1.0": peers.publish_proton,
    "amqp-0.9.1": peers.publish_pika,
    "mqtt-5.0": peers.publish_paho,
    "mqtt-3.1.1": peers.publish_paho,
}
SUBSCRIBE = {"mqtt-5.0": MQTTProtocolVersion.MQTTv5, "mqtt-3.1.1": MQTTProtocolVersion.MQTTv311}
CONSUME: dict[str, Any] = {"amqp-1.0": peers.consume_proton, "amqp-0.9.1": peers.consume_pika}
PAIRS = [(source, target) for source in PUBLISH for target in PUBLISH if source != target]
WAYS = [(*pair, "classic") for pair in PAIRS] + [(*pair, "stream") for pair in PAIRS if pair[1] in CONSUME]


@pytest.mark.parametrize(("source", "target", "kind"), WAYS)
def test_brokers_deliver_the_predicted_messages(
    rabbitmq_broker: Broker, fresh_seed: int, source: str, target: str, kind: str, capsys: pytest.CaptureFixture[str]
) -> None:
    name = f"interop-{uuid.uuid4().hex}"
    keyed = [
        (f"{name}.{number}", message)
        for number, message in enumerate(generated(source, messages(source, target, kind), fresh_seed, COUNT))
    ]
    for key, message in keyed:
        if source in SUBSCRIBE:
            message.topic_name = key.replace(".", "/")
    started = int(time.time())
    if target in SUBSCRIBE:
        with peers.paho_subscription(rabbitmq_broker, name, f"{name}/#", SUBSCRIBE[target]) as take:
            sent = PUBLISH[source](rabbitmq_broker, keyed)
            received = dict(take(len(sent)))
    else:
        with peers.bound_queue(rabbitmq_broker, name, kind, f"{name}.#"):
            sent = PUBLISH[source](rabbitmq_broker, keyed)
            received = dict(CONSUME[target](rabbitmq_broker, name, kind, len(sent)))
    arrival = Between(started, int(time.time()) + 1)
    problems = []
    page_differs = 0
    for offset, (key, message) in enumerate(sent):
        way = Way(target, kind, peers.EXCHANGE, key, offset, arrival)
        if key not in received:
            problems.append((message, ["it was not delivered"]))
            continue
        found = differences(compared(predicted(message, way)), compared(received[key]))
        if found:
            problems.append((message, found))
        page_differs += bool(differences(compared(predicted(message, way, "documented")), compared(received[key])))
    with capsys.disabled():
        print(
            f"\n{source} -> {target}, {kind}: {len(sent)} messages, {len(problems)} disagree with {PROFILE}, "
            f"{page_differs} with the page alone, SEED={fresh_seed}"
        )
    assert not problems, "\n\n".join("\n".join([*found, f"of {message_to_json(message)}"]) for message, found in problems[:5])


def test_a_message_delivered_to_a_subscriber_can_be_published(rabbitmq_broker: Broker) -> None:
    """RabbitMQ loses client messages with a Subscription Identifier, and disconnects for a Topic Alias it did not allow."""
    name = f"interop-{uuid.uuid4().hex}"
    handed = mqtt5.Message(qos=1, topic_name=f"{name}/out", subscription_identifiers=[7], topic_alias=60000, payload=b"x")
    with (
        peers.paho_subscription(rabbitmq_broker, name, handed.topic_name) as take,
        peers.paho_client(rabbitmq_broker, f"{name}-publisher") as client,
    ):
        client.publish(**to_paho(handed).publish).wait_for_publish(peers.PATIENCE)
        ((_, received),) = take(1)
    assert (received.payload, received.subscription_identifiers, received.topic_alias) == (b"x", None, None)

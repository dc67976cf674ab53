"""ActiveMQ Artemis, an independent broker of AMQP 1.0 and MQTT: we read the messages that its clients send and receive.



Artemis converts messages only between the two protocols.
"""

import dataclasses
import time
import uuid
from typing import Any

import pytest

from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.interop import artemis as conversion
from tests.interop import peers
from tests.interop.brokers.artemis import Artemis
from tests.interop.delivery import Between, differences, from_mqtt_to_mqtt
from tests.interop.generated import generated
from tests.interop.messages import MQTT, amqp10_messages, mqtt5_messages
from tests.interop.test_pairs import SUBSCRIBE

COUNT = 220


def keyed(name: str, messages: list[Any]) -> list[peers.Keyed]:
    return [(f"{name}.{number}", message) for number, message in enumerate(messages)]


def test_proton_receives_messages_of_proton(artemis_broker: Artemis, fresh_seed: int) -> None:
    queue = f"interop-{uuid.uuid4().hex[:8]}"
    messages = generated("amqp-1.0", amqp10_messages(arrays=True), fresh_seed, COUNT)
    for number, message in enumerate(messages):
        message.properties.subject = str(number)  # Artemis delivers by priority, not in order
    sent = peers.send_proton(artemis_broker, queue, messages)
    received = {got.properties.subject: got for got in peers.receive_proton(artemis_broker, queue, COUNT)}
    problems = [differences(_kept(one), _kept(received[one.properties.subject])) for one in sent]
    assert [found for found in problems if found] == [], f"SEED={fresh_seed}"


def _kept(message: Any) -> Any:
    """Return the message as Artemis delivers it: with a header, without delivery annotations. It counts deliveries itself."""
    header = dataclasses.replace(message.header or amqp10.Header(), delivery_count=None)
    return dataclasses.replace(message, header=header, delivery_annotations=None)


def test_paho_receives_messages_of_paho(artemis_broker: Artemis, fresh_seed: int) -> None:
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    made = keyed(name, generated("mqtt-5.0", mqtt5_messages().filter(expires_soon), fresh_seed, COUNT))
    for key, message in made:
        message.topic_name = key.replace(".", "/")
    with peers.paho_subscription(artemis_broker, "subscriber", f"{name}/#".replace(".", "/")) as take:
        sent = peers.publish_paho(artemis_broker, made)
        received = dict(take(len(sent)))
    problems = {key: differences(from_mqtt_to_mqtt(message), received[key]) for key, message in sent}
    assert {key: found for key, found in problems.items() if found} == {}, f"SEED={fresh_seed}"


def expires_soon(message: Any) -> bool:
    """Return whether Artemis 2.40.0 keeps the expiry. It counts milliseconds in 32 bits, and changes or expires longer ones."""
    return (getattr(message, "message_expiry_interval", None) or 0) < 2**31 // 1000


@pytest.mark.parametrize("target", ["mqtt-5.0", "mqtt-3.1.1"])
def test_paho_receives_messages_of_proton(artemis_broker: Artemis, fresh_seed: int, target: str) -> None:
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    messages = generated("amqp-1.0", amqp10_messages(arrays=True).filter(conversion.carried_to_mqtt), fresh_seed, COUNT)
    start = int(time.time())
    with peers.paho_subscription(artemis_broker, name, f"{name}/#".replace(".", "/"), SUBSCRIBE[target]) as take:
        sent = peers.publish_proton(artemis_broker, keyed(name, messages))
        received = dict(take(COUNT))
    now = Between(start, int(time.time()))
    problems = {key: differences(conversion.to_mqtt(message, target, key, now), received[key]) for key, message in sent}
    assert {key: found for key, found in problems.items() if found} == {}, f"SEED={fresh_seed}"


@pytest.mark.parametrize("source", MQTT)
def test_proton_receives_messages_of_paho(artemis_broker: Artemis, fresh_seed: int, source: str) -> None:
    name = f"mqtt.{uuid.uuid4().hex[:8]}"
    messages = generated(source, MQTT[source]().filter(expires_soon), fresh_seed, COUNT)
    made = keyed(name, messages)
    for key, message in made:
        message.topic_name = key.replace(".", "/")
    start = int(time.time())
    with peers.proton_subscription(artemis_broker, name) as take:
        sent = peers.publish_paho(artemis_broker, made)
        received = dict(take(COUNT))
    now = Between(start, int(time.time()))
    problems = {key: differences(conversion.to_amqp(message, key, now), _ordered(received[key])) for key, message in sent}
    assert {key: found for key, found in problems.items() if found} == {}, f"SEED={fresh_seed}"


def _ordered(message: Any) -> Any:
    """Return the message with sorted application properties: Artemis writes them in the order of a Java hash table."""
    made = _kept(message)
    return dataclasses.replace(made, application_properties=sorted(made.application_properties, key=repr))

"""Mosquitto, an independent broker: our adapter gives the messages that paho publishes and receives there."""

import unicodedata

from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop import peers
from tests.interop.brokers import Broker
from tests.interop.delivery import differences, from_mqtt_to_mqtt
from tests.interop.messages import mqtt5_messages
from tests.interop.test_pairs import generated


def allowed(message: mqtt5.Message) -> bool:
    """Mosquitto refuses control characters and non-characters, as MQTT 5.0 section 1.5.4 lets it."""
    texts = [message.content_type or "", message.response_topic or "", *sum(message.user_properties or [], ())]
    return all(unicodedata.category(character) not in ("Cc", "Cn") for character in "".join(texts))


def test_paho_receives_messages_of_paho(mqtt_broker: Broker, fresh_seed: int) -> None:
    keyed = [
        (f"mosquitto.{number}", message)
        for number, message in enumerate(generated(mqtt5_messages().filter(allowed), fresh_seed))
    ]
    for key, message in keyed:
        message.topic_name = key.replace(".", "/")
    with peers.paho_subscription(mqtt_broker, "subscriber", "mosquitto/#") as take:
        sent = peers.publish_paho(mqtt_broker, keyed)
        received = dict(take(len(sent)))
    assert len(received) == len(sent), f"MQCONVERT_SEED={fresh_seed}"
    problems = {key: differences(from_mqtt_to_mqtt(message), received[key]) for key, message in sent}
    assert {key: found for key, found in problems.items() if found} == {}, f"MQCONVERT_SEED={fresh_seed}"

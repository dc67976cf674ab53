"""Mosquitto, an independent broker: our adapter gives the messages that paho publishes and receives there."""

import unicodedata

from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop import peers
from tests.interop.brokers import Broker
from tests.interop.delivery import differences, from_mqtt_to_mqtt
from tests.interop.generated import generated
from tests.interop.messages import mqtt5_messages

COUNT = 220


def allowed(message: mqtt5.Message) -> bool:
    """Return whether Mosquitto accepts the text: no control characters or non-characters (MQTT 5.0 section 1.5.4)."""
    texts = [message.content_type or "", message.response_topic or "", *sum(message.user_properties or [], ())]
    return all(unicodedata.category(character) not in ("Cc", "Cn") for character in "".join(texts))


def test_paho_receives_messages_of_paho(mosquitto_broker: Broker, fresh_seed: int) -> None:
    keyed = [
        (f"mosquitto.{number}", message)
        for number, message in enumerate(generated("mqtt-5.0", mqtt5_messages().filter(allowed), fresh_seed, COUNT))
    ]
    for key, message in keyed:
        message.topic_name = key.replace(".", "/")
    with peers.paho_subscription(mosquitto_broker, "subscriber", "mosquitto/#") as take:
        sent = peers.publish_paho(mosquitto_broker, keyed)
        received = dict(take(len(sent)))
    assert len(received) == len(sent), f"SEED={fresh_seed}"
    problems = {key: differences(from_mqtt_to_mqtt(message), received[key]) for key, message in sent}
    assert {key: found for key, found in problems.items() if found} == {}, f"SEED={fresh_seed}"

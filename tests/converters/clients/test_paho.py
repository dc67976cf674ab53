"""paho-mqtt: `from_paho` and `to_paho` agree with its Properties class, which packs and unpacks the same bytes."""

import dataclasses
from typing import Any

import aiomqtt
import pytest
from hypothesis import given
from paho.mqtt.client import MQTTMessage
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties, VariableByteIntegers

from mqconvert import EncodeError, LossError, decode
from mqconvert.clients import from_aiomqtt, from_paho, to_paho
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.strategies import mqtt5_messages, mqtt311_messages

# paho refuses U+FEFF in a property on reading, although MQTT allows it (1.5.4).
MESSAGES = mqtt5_messages().filter(lambda message: "\\ufeff" not in repr(message))


def properties(**values: Any) -> Properties:
    made = Properties(PacketTypes.PUBLISH)  # type: ignore[no-untyped-call]  # paho has no types there
    for name, value in values.items():
        setattr(made, name, value)
    return made


def given_message(**values: Any) -> MQTTMessage:
    message = MQTTMessage(topic=b"a/b")
    message.properties = properties()
    for name, value in values.items():
        setattr(message, name, value)
    return message


@given(MESSAGES)
def test_paho_sends_and_reads_the_same_bytes(message: mqtt5.Message) -> None:
    made = to_paho(message)
    assert made.lost == ()
    packed = made.message.properties.pack()  # type: ignore[union-attr]  # every message of MQTT 5.0 has properties
    read = properties()
    read.unpack(packed)  # type: ignore[no-untyped-call]  # paho has no types there
    assert from_paho(given_message(properties=read)) == from_paho(given_message(properties=made.message.properties))
    # paho writes properties in an order of its own; our decoder reads what it wrote.
    rest = b"\x00\x03a/b" + packed + message.payload
    back = decode("mqtt-5.0", b"\x30" + VariableByteIntegers.encode(len(rest)) + rest)  # type: ignore[no-untyped-call]  # paho has no types there
    assert back == mqtt5.Message(
        topic_name="a/b",
        payload_format_indicator=message.payload_format_indicator,
        message_expiry_interval=message.message_expiry_interval,
        topic_alias=message.topic_alias,
        response_topic=message.response_topic,
        correlation_data=message.correlation_data,
        user_properties=message.user_properties,
        subscription_identifiers=message.subscription_identifiers,
        content_type=message.content_type,
        payload=message.payload,
    )


@given(mqtt5_messages() | mqtt311_messages())
def test_messages_round_trip_over_paho_objects(message: mqtt5.Message | mqtt311.Message) -> None:
    made = to_paho(message)
    assert from_paho(made.message) == message
    assert made.publish["topic"] == message.topic_name
    assert made.publish["payload"] == message.payload
    assert (made.publish["qos"], int(made.publish["retain"])) == (message.qos, message.retain)
    made.message.properties = made.publish["properties"]
    session: list[str] = ["topic_alias", "subscription_identifiers"] if isinstance(message, mqtt5.Message) else []
    without: dict[str, Any] = dict.fromkeys(session)
    assert from_paho(made.message) == dataclasses.replace(message, **without)


def test_a_message_without_properties_is_mqtt_311() -> None:
    message = MQTTMessage(mid=7, topic=b"a")
    message.qos = 1
    assert from_paho(message) == mqtt311.Message(qos=1, topic_name="a", packet_identifier=7)
    assert to_paho(mqtt311.Message(topic_name="a")).publish["properties"] is None


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (mqtt5.Message(topic_name="a", payload_format_indicator=2), "payload_format_indicator"),
        (mqtt5.Message(topic_name="a", topic_alias=0), "topic_alias"),
    ],
)
def test_losses_name_their_field(message: mqtt5.Message, field: str) -> None:
    assert [lost.field for lost in to_paho(message).lost] == [field]
    with pytest.raises(LossError):
        to_paho(message, on_loss="fail")


@pytest.mark.parametrize(
    ("values", "field", "shown"),
    [
        ({"properties": properties(ContentType=5)}, "content_type", "5"),
        ({"properties": properties(ResponseTopic="a/+")}, "response_topic", "'a/+'"),
        ({"properties": properties(CorrelationData="text")}, "correlation_data", "'text'"),
        ({"properties": properties(MessageExpiryInterval=2**32)}, "message_expiry_interval", "4294967296"),
        ({"properties": properties(UserProperty=[("a", "b"), ("k", 1)])}, "user_properties[1]", "('k', 1)"),
        ({"properties": properties(UserProperty=["text"])}, "user_properties[0]", "'text'"),
        ({"properties": properties(SubscriptionIdentifier=[2**28])}, "subscription_identifiers[0]", "268435456"),
        ({"properties": Properties(PacketTypes.CONNECT)}, "properties", "Properties"),  # type: ignore[no-untyped-call]
        ({"properties": {"ContentType": "a"}}, "properties", "{'ContentType': 'a'}"),
        ({"qos": 3}, "qos", "3"),
        ({"payload": "text"}, "payload", "'text'"),
        ({"topic": b"\xff"}, "topic_name", "b'\\xff'"),
        ({"topic": b"a/#"}, "topic_name", "'a/#'"),
    ],
)
def test_from_paho_rejects_invalid_fields(values: dict[str, Any], field: str, shown: str) -> None:
    with pytest.raises(EncodeError) as raised:
        from_paho(given_message(**values))
    assert raised.value.field == field
    assert shown in raised.value.message


@pytest.mark.parametrize("identifier", [2**16, -1, "7"])
def test_invalid_packet_identifiers_are_rejected_both_ways(identifier: Any) -> None:
    given = MQTTMessage(identifier, b"a")
    given.qos = 1
    for convert in (
        lambda: from_paho(given),
        lambda: to_paho(mqtt5.Message(qos=1, topic_name="a", packet_identifier=identifier)),
    ):
        with pytest.raises(EncodeError, match=r"^packet_identifier is ") as raised:
            convert()
        assert raised.value.field == "packet_identifier"


@pytest.mark.parametrize("alias", [None, 5])
def test_the_error_for_a_missing_topic_names_the_option(alias: int | None) -> None:
    with pytest.raises(EncodeError) as raised:
        to_paho(mqtt5.Message(topic_alias=alias))
    assert raised.value.as_dict() == {
        "code": "bad_topic",
        "message": "no topic in topic_name; try the option address",
        "field": "topic_name",
        "remedy": {"option": "address"},
    }


def test_session_properties_are_not_published() -> None:
    """A client must not send Subscription Identifiers [MQTT-3.3.4-6]; a Topic Alias is valid in one connection (3.3.2.3.4)."""
    message = mqtt5.Message(topic_name="a", subscription_identifiers=[7, 8], topic_alias=5, content_type="text/plain")
    made = to_paho(message, on_loss="fail")
    assert from_paho(made.message) == message
    assert from_paho(given_message(properties=made.publish["properties"])) == mqtt5.Message(
        topic_name="a/b", content_type="text/plain"
    )
    with pytest.raises(EncodeError, match=r"^topic_alias is 65536: "):
        to_paho(mqtt5.Message(topic_name="a", topic_alias=65536))


@given(mqtt5_messages())
def test_from_aiomqtt_equals_from_paho(message: mqtt5.Message) -> None:
    given = to_paho(message).message
    received = aiomqtt.Message(given.topic, given.payload, given.qos, given.retain, given.mid, given.properties)  # type: ignore[arg-type]  # bytes
    assert from_aiomqtt(received) == dataclasses.replace(message, dup=0)

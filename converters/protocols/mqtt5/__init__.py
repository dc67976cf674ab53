"""MQTT 5.0: message and codec."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "mqtt-5.0",
    "MQTT 5.0",
    Message,
    MQTT_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    ends="mqconvert.converters.clients.ends.mqtt5",
    description="A PUBLISH. `packet_identifier` is set exactly when `qos` is 1 or 2.",
)

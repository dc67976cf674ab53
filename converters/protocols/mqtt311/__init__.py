"""MQTT 3.1.1: message and codec."""

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES
from mqconvert.converters.protocols.mqtt311.message import Message

__all__ = ["PROTOCOL", "Message"]

PROTOCOL = Protocol(
    "mqtt-3.1.1",
    "MQTT 3.1.1",
    Message,
    MQTT_TYPES,
    codec=f"{__name__}.codec",
    spans=f"{__name__}.spans",
    ends="mqconvert.converters.clients.ends.mqtt311",
    reads_all_of=("mqtt-5.0",),
    description="A PUBLISH. `packet_identifier` is set exactly when `qos` is 1 or 2.",
)

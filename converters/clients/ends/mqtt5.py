"""The ends of MQTT 5.0."""

from mqconvert.converters.clients.ends.mqtt import ends_of
from mqconvert.converters.protocols.mqtt5.message import Message

ENDS = ends_of(Message)

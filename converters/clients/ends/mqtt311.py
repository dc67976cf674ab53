"""The ends of MQTT 3.1.1."""

from mqconvert.converters.clients.ends.mqtt import ends_of
from mqconvert.converters.protocols.mqtt311.message import Message

ENDS = ends_of(Message)

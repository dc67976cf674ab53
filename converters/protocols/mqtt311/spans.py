"""The bytes of each place of a PUBLISH of MQTT 3.1.1, which is one of MQTT 5.0 without properties."""

from mqconvert.converters.model.paths import Spans
from mqconvert.converters.protocols.mqtt5.spans import head
from mqconvert.converters.protocols.mqtt311.message import Message


def spans(data: bytes, message: Message) -> Spans:  # noqa: ARG001 - the signature of all protocols
    """Return the bytes of each place of the one packet in `data`."""
    found, at = head(data)
    return found | {"payload": (at, len(data))}

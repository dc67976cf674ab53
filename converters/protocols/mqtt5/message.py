"""MQTT 5.0: one PUBLISH packet (section 3.3): fixed header, variable header, properties, payload.

Defines dataclasses only; each field has its wire type in `wire(...)`. `None` is a property that was not sent.
"""

from dataclasses import dataclass

from mqconvert.converters.model.fields import shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.protocols.mqtt5.types import SUBSCRIPTION_IDENTIFIERS, USER_PROPERTIES


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """A PUBLISH. `message_expiry_interval` in seconds; `packet_identifier` exactly when `qos` is 1 or 2.

    A property has its identifier as its tag (section 2.2.2.2).
    """

    dup: int = wire("bit", default=0, unset=0)
    qos: int = wire("bits", default=0)
    retain: int = wire("bit", default=0, unset=0)
    topic_name: str = wire("topic", default="", unset="")
    packet_identifier: int | None = wire("ushort")
    payload_format_indicator: int | None = wire("bit", tag=0x01)
    message_expiry_interval: int | None = wire("uint", tag=0x02)
    topic_alias: int | None = wire("ushort", tag=0x23)
    response_topic: str | None = wire("topic", tag=0x08)
    correlation_data: bytes | None = wire("binary", tag=0x09)
    user_properties: list[tuple[str, str]] | None = wire(USER_PROPERTIES, tag=0x26)
    subscription_identifiers: list[int] | None = wire(SUBSCRIPTION_IDENTIFIERS, tag=0x0B)
    content_type: str | None = wire("utf8", tag=0x03)
    payload: bytes = wire("payload", default=b"")

    def __repr__(self) -> str:
        return shown(self)


pickled_by_fields(Message)

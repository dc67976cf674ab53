"""MQTT 5.0: one PUBLISH packet (section 3.3): fixed header, variable header, properties, payload.

Defines dataclasses only; each field has its wire type in `wire(...)`. `None` is a property that was not sent.
"""

from dataclasses import dataclass

from mqconvert.converters.model.fields import wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.protocols.mqtt5.types import SUBSCRIPTION_IDENTIFIERS, USER_PROPERTIES


@mypyc_attr(acyclic=True)
@dataclass(init=False, slots=True)
class Message:
    """A PUBLISH. `message_expiry_interval` in seconds; `packet_identifier` exactly when `qos` is 1 or 2."""

    dup: int = wire("bit", default=0, unset=0)
    qos: int = wire("bits", default=0)
    retain: int = wire("bit", default=0, unset=0)
    topic_name: str = wire("topic", default="", unset="")
    packet_identifier: int | None = wire("ushort")
    payload_format_indicator: int | None = wire("bit")
    message_expiry_interval: int | None = wire("uint")
    topic_alias: int | None = wire("ushort")
    response_topic: str | None = wire("topic")
    correlation_data: bytes | None = wire("binary")
    user_properties: list[tuple[str, str]] | None = wire(USER_PROPERTIES)
    subscription_identifiers: list[int] | None = wire(SUBSCRIPTION_IDENTIFIERS)
    content_type: str | None = wire("utf8")
    payload: bytes = wire("payload", default=b"")

    def __init__(
        self,
        dup: int = 0,
        qos: int = 0,
        retain: int = 0,
        topic_name: str = "",
        packet_identifier: int | None = None,
        payload_format_indicator: int | None = None,
        message_expiry_interval: int | None = None,
        topic_alias: int | None = None,
        response_topic: str | None = None,
        correlation_data: bytes | None = None,
        user_properties: list[tuple[str, str]] | None = None,
        subscription_identifiers: list[int] | None = None,
        content_type: str | None = None,
        payload: bytes = b"",
    ) -> None:
        self.dup = dup
        self.qos = qos
        self.retain = retain
        self.topic_name = topic_name
        self.packet_identifier = packet_identifier
        self.payload_format_indicator = payload_format_indicator
        self.message_expiry_interval = message_expiry_interval
        self.topic_alias = topic_alias
        self.response_topic = response_topic
        self.correlation_data = correlation_data
        self.user_properties = user_properties
        self.subscription_identifiers = subscription_identifiers
        self.content_type = content_type
        self.payload = payload


pickled_by_fields(Message)

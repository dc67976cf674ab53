"""AMQP 1.0: the sections of one message (part 3 section 3.2), fields in the order of the specification.

Defines dataclasses only. Each field has its wire type in `wire(...)`, which the rule tables, the JSON form and the schemas
read. `None` is a field that was not sent.
"""

from dataclasses import dataclass

from mqconvert.converters.model.bodies import BODIES, AmqpSequence, AmqpValue, Body, Data
from mqconvert.converters.model.fields import shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.types import ANNOTATIONS, APPLICATION_PROPERTIES

__all__ = ["AmqpSequence", "AmqpValue", "Body", "Data", "Header", "Message", "Properties"]

Annotations = list[Entry]
"""Entries in wire order; a `str` key is a symbol, an `int` key a ulong (section 3.2.10)."""
ApplicationProperties = list[Entry]
"""Entries in wire order; keys are strings. Section 3.2.5 requires simple values; the codec keeps others, too."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Header:
    """Section 3.2.1. `ttl` in milliseconds."""

    durable: bool | None = wire("boolean")
    priority: int | None = wire("ubyte")
    ttl: int | None = wire("uint")
    first_acquirer: bool | None = wire("boolean")
    delivery_count: int | None = wire("uint")

    def __repr__(self) -> str:
        return shown(self)


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Properties:
    """Section 3.2.4. Times in milliseconds since 1970. The two ids are a ulong, uuid, binary or string."""

    message_id: TypedValue | None = wire("ulong", "uuid", "binary", "string")
    user_id: bytes | None = wire("binary")
    to: str | None = wire("string")
    subject: str | None = wire("string")
    reply_to: str | None = wire("string")
    correlation_id: TypedValue | None = wire("ulong", "uuid", "binary", "string")
    content_type: str | None = wire("symbol")
    content_encoding: str | None = wire("symbol")
    absolute_expiry_time: int | None = wire("timestamp")
    creation_time: int | None = wire("timestamp")
    group_id: str | None = wire("string")
    group_sequence: int | None = wire("uint")
    reply_to_group_id: str | None = wire("string")

    def __repr__(self) -> str:
        return shown(self)


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """One AMQP 1.0 message. `body` is None only for a message without the body that section 3.2 requires."""

    header: Header | None = wire("section", of=Header)
    delivery_annotations: Annotations | None = wire(ANNOTATIONS)
    message_annotations: Annotations | None = wire(ANNOTATIONS)
    properties: Properties | None = wire("section", of=Properties)
    application_properties: ApplicationProperties | None = wire(APPLICATION_PROPERTIES)
    body: Body | None = wire(*BODIES)
    footer: Annotations | None = wire(ANNOTATIONS)

    def __repr__(self) -> str:
        return shown(self)


pickled_by_fields(Header, Properties, Message)

"""AMQP 0.9.1: the content of the Basic class (section 1.8 of the protocol reference), properties in wire order.

Defines dataclasses only; each field has its wire type in `wire(...)`. `None` is a property that was not sent.
"""

from dataclasses import dataclass

from mqconvert.converters.model.fields import shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.values import Table
from mqconvert.converters.protocols.amqp091.types import TABLE


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class BasicProperties:
    """The 14 properties. `timestamp` in seconds since 1970, `expiration` decimal text in milliseconds (RabbitMQ)."""

    content_type: str | None = wire("shortstr")
    content_encoding: str | None = wire("shortstr")
    headers: Table | None = wire(TABLE)
    delivery_mode: int | None = wire("octet")
    priority: int | None = wire("octet")
    correlation_id: str | None = wire("shortstr")
    reply_to: str | None = wire("shortstr")
    expiration: str | None = wire("shortstr")
    message_id: str | None = wire("shortstr")
    timestamp: int | None = wire("timestamp")
    type: str | None = wire("shortstr")
    user_id: str | None = wire("shortstr")
    app_id: str | None = wire("shortstr")
    cluster_id: str | None = wire("shortstr")

    def __repr__(self) -> str:
        return shown(self)


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """One Basic content; `exchange` and `routing_key` only where a method frame gave them."""

    basic: BasicProperties = wire("section", of=BasicProperties, default_factory=BasicProperties)
    payload: bytes = wire("payload", default=b"")
    exchange: str | None = wire("shortstr")
    routing_key: str | None = wire("shortstr")

    def __repr__(self) -> str:
        return shown(self)


pickled_by_fields(BasicProperties, Message)

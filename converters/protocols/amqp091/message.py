"""AMQP 0.9.1: the content of the Basic class (section 1.8 of the protocol reference), properties in wire order.

Defines dataclasses only; each field has its wire type in `wire(...)`. `None` is a property that was not sent.
"""

from dataclasses import dataclass
from typing import Final

from mqconvert.converters.model.fields import wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.values import Table
from mqconvert.converters.protocols.amqp091.types import TABLE


@mypyc_attr(acyclic=True)
@dataclass(init=False, slots=True)
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

    def __init__(
        self,
        content_type: str | None = None,
        content_encoding: str | None = None,
        headers: Table | None = None,
        delivery_mode: int | None = None,
        priority: int | None = None,
        correlation_id: str | None = None,
        reply_to: str | None = None,
        expiration: str | None = None,
        message_id: str | None = None,
        timestamp: int | None = None,
        type: str | None = None,
        user_id: str | None = None,
        app_id: str | None = None,
        cluster_id: str | None = None,
    ) -> None:
        self.content_type = content_type
        self.content_encoding = content_encoding
        self.headers = headers
        self.delivery_mode = delivery_mode
        self.priority = priority
        self.correlation_id = correlation_id
        self.reply_to = reply_to
        self.expiration = expiration
        self.message_id = message_id
        self.timestamp = timestamp
        self.type = type
        self.user_id = user_id
        self.app_id = app_id
        self.cluster_id = cluster_id


_NO_BASIC: Final = BasicProperties()
"""Default of `basic`: each message gets its own object."""


@mypyc_attr(acyclic=True)
@dataclass(init=False, slots=True)
class Message:
    """One Basic content; `exchange` and `routing_key` only where a method frame gave them."""

    basic: BasicProperties = wire("section", of=BasicProperties, default_factory=BasicProperties)
    payload: bytes = wire("payload", default=b"")
    exchange: str | None = wire("shortstr")
    routing_key: str | None = wire("shortstr")

    def __init__(
        self,
        basic: BasicProperties = _NO_BASIC,
        payload: bytes = b"",
        exchange: str | None = None,
        routing_key: str | None = None,
    ) -> None:
        self.basic = BasicProperties() if basic is _NO_BASIC else basic
        self.payload = payload
        self.exchange = exchange
        self.routing_key = routing_key


pickled_by_fields(BasicProperties, Message)

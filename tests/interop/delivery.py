"""Changes by RabbitMQ 4.0 on delivery: section G of docs/differences.md.

`predicted` is our conversion with profile rabbitmq-4.0, followed by one function for each target. Every other field must equal
the result of the profile.
"""

import contextlib
import dataclasses
from typing import Any

from mqconvert import DecodeError, convert, encode
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import codec as amqp10_codec
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.entries import by_key

PROFILE = "rabbitmq-4.0"


@dataclasses.dataclass(frozen=True)
class Between:
    """Equal to any integer from `low` to `high`: a time of arrival, a packet identifier of the receiver's session."""

    low: int
    high: int

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and self.low <= other <= self.high

    def __hash__(self) -> int:
        return hash((self.low, self.high))


@dataclasses.dataclass(frozen=True)
class Way:
    """The way of a message: over a queue of `kind`, with `key`, as number `offset`, between two times in seconds."""

    target: str
    kind: str
    exchange: str
    key: str
    offset: int
    arrival: Between


def predicted(published: Any, way: Way, profile: str = PROFILE) -> Any:
    """Return the messages that the consumer should receive."""
    stored = published
    if way.kind == "stream":  # a stream stores AMQP 1.0 and converts it on delivery
        stored = convert(published, "amqp-1.0", profile=profile).message
    made = convert(stored, way.target, profile=profile).message
    return _DELIVERED[way.target](made, stored, way)


def _amqp091(made: amqp091.Message, stored: Any, way: Way) -> amqp091.Message:
    basic = made.basic
    headers = list(basic.headers or [])
    if way.kind == "stream":
        headers.append(Entry("x-stream-offset", "long", way.offset))
    # G3: sorted by key; the first of duplicate keys stays
    first: dict[str, Entry] = {}
    for entry in headers:
        first.setdefault(entry.key, entry)
    basic.headers = sorted(first.values(), key=lambda entry: entry.key.encode()) or None
    if isinstance(stored, amqp10.Message):
        basic.delivery_mode = _delivery_mode(stored, way)
        # G2: the header section is not stored; the annotation overrides the stored priority
        priority = by_key(stored.message_annotations).get("x-basic-priority")
        if priority is not None and way.kind != "stream":
            basic.priority = priority.value
    # G3: an MQTT message with an expiry gets the time of its arrival
    if isinstance(stored, mqtt5.Message) and stored.message_expiry_interval is not None:
        basic.timestamp = way.arrival  # type: ignore[assignment]  # a placeholder for a number
    made.exchange, made.routing_key = way.exchange, way.key
    return made


def _delivery_mode(stored: amqp10.Message, way: Way) -> int:
    """Return the delivery mode. An unset durability means durable, and classic queues do not store the header section (G1, G2).

    The annotation x-basic-delivery-mode counts if the header section is unset or not stored.
    """
    durable = stored.header.durable if stored.header is not None else None
    if durable is not None and way.kind == "stream":
        return 2 if durable else 1
    mode = by_key(stored.message_annotations).get("x-basic-delivery-mode")
    return 2 if mode is None else mode.value


def _amqp10(made: amqp10.Message, _stored: Any, way: Way) -> amqp10.Message:
    # G4
    header = made.header or amqp10.Header()
    made.header = dataclasses.replace(header, first_acquirer=True, delivery_count=0)
    made.message_annotations = [
        *(made.message_annotations or []),
        Entry("x-exchange", "string", way.exchange),
        Entry("x-routing-key", "string", way.key),
    ]
    if way.kind == "stream":
        made.message_annotations.append(Entry("x-stream-offset", "long", way.offset))
    return made


def _mqtt(made: Any, stored: Any, way: Way) -> Any:
    # G1: on arrival, x-basic-delivery-mode sets an unset durability
    if isinstance(stored, amqp10.Message) and (stored.header is None or stored.header.durable is None):
        made.qos = 1 if _delivery_mode(stored, way) == 2 else 0
    made.topic_name = way.key.replace(".", "/")
    made.packet_identifier = Between(1, 65535) if made.qos else None
    return made


def _mqtt5(made: mqtt5.Message, stored: Any, way: Way) -> mqtt5.Message:
    # G5: an expiry is passed on only from MQTT to MQTT
    made.message_expiry_interval = None
    return _mqtt(made, stored, way)  # type: ignore[no-any-return]  # the same object


def from_mqtt_to_mqtt(message: Any) -> Any:
    """Return the PUBLISH that a subscriber gets (MQTT 5.0 section 3.3.2).

    The broker counts the expiry down; the packet identifier is that of the receiver's session.
    """
    expiry = getattr(message, "message_expiry_interval", None)
    left = {} if expiry is None else {"message_expiry_interval": Between(expiry - 60, expiry)}
    identifier = Between(1, 65535) if message.qos else None
    return dataclasses.replace(message, packet_identifier=identifier, **left)


_DELIVERED: dict[str, Any] = {"amqp-0.9.1": _amqp091, "amqp-1.0": _amqp10, "mqtt-5.0": _mqtt5, "mqtt-3.1.1": _mqtt}


def compared(message: Any) -> Any:
    """Return a message with re-encoded AMQP sections in its payload: RabbitMQ keeps the bytes, we write canonical ones."""
    if isinstance(message, amqp10.Message) or not _holds_sections(message):
        return message
    return dataclasses.replace(message, payload=encode(amqp10_codec.decode(message.payload)))


def _holds_sections(message: Any) -> bool:
    if isinstance(message, amqp091.Message):
        return message.basic.type == "amqp-1.0"
    if isinstance(message, mqtt5.Message):
        return message.content_type == "message/vnd.rabbitmq.amqp"
    with contextlib.suppress(DecodeError):  # MQTT 3.1.1 has no such field
        amqp10_codec.decode(message.payload)
        return True
    return False


def differences(expected: Any, received: Any, path: str = "") -> list[str]:
    """Return `FIELD: predicted X, got Y` for every field that differs."""
    if (
        dataclasses.is_dataclass(expected)
        and type(expected) is type(received)
        and not isinstance(expected, Between | TypedValue)
    ):
        found = []
        for field in dataclasses.fields(expected):
            inner = f"{path}.{field.name}" if path else field.name
            found += differences(getattr(expected, field.name), getattr(received, field.name), inner)
        return found
    return [] if expected == received else [f"{path}: predicted {expected!r}, got {received!r}"]

"""The typical message of the figures, converted to each protocol.

It has ids, reply-to, content type, timestamp, priority, ttl, durable, six headers of mixed types, and a body of 256 bytes.
"""

from typing import Any

from mqconvert import convert, encode
from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message

AMQP091 = Message(
    basic=BasicProperties(
        content_type="application/json",
        headers=[
            Entry("x-source", "longstr", b"web-7"),
            Entry("attempt", "signedint", 3),
            Entry("size", "long", 1234567890),
            Entry("ratio", "double", 0.25),
            Entry("test", "bool", True),
            Entry("region", "longstr", b"eu-west-1"),
        ],
        delivery_mode=2,
        priority=5,
        correlation_id="5a1f0c9e-order-4711",
        reply_to="replies.web-7",
        expiration="60000",
        message_id="urn:uuid:550e8400-e29b-41d4-a716-446655440000",
        timestamp=1700000000,
    ),
    payload=b"x" * 256,
)
MESSAGES: dict[str, Any] = {
    "amqp-0.9.1": AMQP091,
    "amqp-1.0": convert(AMQP091, "amqp-1.0").message,
    "mqtt-5.0": convert(AMQP091, "mqtt-5.0").message,
}
MESSAGES["mqtt-5.0"].topic_name = "orders/created"  # targets of MQTT get it from the caller
MESSAGES["mqtt-5.0"].response_topic = "replies/web-7"  # only addresses of AMQP 1.0 become response topics
WIRES = {name: encode(message) for name, message in MESSAGES.items()}

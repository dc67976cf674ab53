"""pynsq's Message, to an NSQ message.

pynsq gives the fields of a message frame. A frame has no topic and channel: they belong to the reader. pynsq reads the unsigned
`attempts` as a signed number; `from_pynsq` corrects values from 32768 on.
"""

from dataclasses import fields

from mqconvert.converters.clients import bad_value, require, valid
from mqconvert.converters.protocols.nsq.message import NSQ_TYPES, Message

require("pynsq", "pynsq", (0, 9))

import nsq  # noqa: E402 - after the check of its version


def from_pynsq(message: nsq.Message, topic: str | None = None, channel: str | None = None) -> Message:
    """Return the message of a reader's handler; `topic` and `channel` are the reader's, if they are needed.

    Raises EncodeError for a value that NSQ cannot carry; its text names field and value.

    >>> message = from_pynsq(nsq.Message(b"0123456789abcdef", b"body", 1_700_000_000_000_000_000, 1), "orders")
    >>> message.topic, message.message_id, message.attempts, message.body
    ('orders', b'0123456789abcdef', 1, b'body')
    """
    if not isinstance(message, nsq.Message):
        raise bad_value("message", message, "not pynsq's Message")
    attempts = message.attempts
    if attempts.__class__ is int and -(2**15) <= attempts < 0:
        attempts += 2**16
    made = Message(topic, channel, message.timestamp, attempts, message.id, body=message.body, frame="message")
    for field in fields(made):
        value = getattr(made, field.name)
        if value is None and field.name in _NOT_TOLD:
            continue
        valid(value, field.name, NSQ_TYPES[field.metadata["types"][0]].fault)
    return made


_NOT_TOLD = {"topic", "channel", "defer_ms", "batch_index", "batch_size"}
"""The fields that a message frame lacks."""

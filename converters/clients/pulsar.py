"""pulsar-client's Message, to a Pulsar message.

A consumer hands out messages already decompressed and joined from their chunks. Where
pulsar-client knows no "not set", the value that it gives for it (0, no bytes, no properties) is taken for it.

pulsar-client does not expose these, so the message lacks them: sequence ids, `deliver_at_time`, `partition_key_b64_encoded`,
replication, transactions, `schema_id`, what the broker noted, what a batch says of itself but for its size, how the message was
compressed, and keys and algorithm of what it decrypted. Of equal property names it keeps the first, in the order of the names.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from mqconvert.converters.clients import bad_value, require
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar.message import COMPRESSIONS, Batch, EncryptionKey, Message

require("pulsar-client", "pulsar", (3, 13))

import pulsar  # noqa: E402 - only after its version is known

_TEXTS = {"topic": "topic_name", "producer_name": "producer_name", "partition_key": "partition_key"}
_BYTES = {"ordering_key": "ordering_key", "schema_version": "schema_version"}
_NUMBERS = {"publish_time": "publish_timestamp", "event_time": "event_timestamp", "redelivery_count": "redelivery_count"}
"""Field, and pulsar-client's name of it."""


def from_pulsar(message: pulsar.Message) -> Message:
    """The message that `receive()` or a listener was handed. The top of this module lists the fields that it lacks.

    Of a message that the client could not decrypt, and was told to hand out, the payload is as on the wire.
    Raises EncodeError for text that is not UTF-8, which pulsar-client does not hand out; its text names the field.

        message = from_pulsar(consumer.receive())
        done = convert(message, to="mqtt-5.0", environment=Environment(address="a/topic"))

    >>> given = pulsar.Message._wrap(pulsar._pulsar.MessageBuilder().content(b"body").property("colour", "blue").build())
    >>> message = from_pulsar(given)
    >>> message.payload, message.properties, message.partition_key, message.message_id
    (b'body', [('colour', 'blue')], None, None)
    """
    if not isinstance(message, pulsar.Message):
        raise bad_value("message", message, "not pulsar-client's Message")
    made = Message(payload=message.data())
    for name, accessor in _TEXTS.items():
        text = _text(getattr(message, accessor), name)
        if text:
            setattr(made, name, text)
    for name, accessor in _BYTES.items():
        setattr(made, name, _bytes(getattr(message, accessor)) or None)
    for name, accessor in _NUMBERS.items():
        setattr(made, name, getattr(message, accessor)() or None)
    made.properties = list(_text(message.properties, "properties").items()) or None
    made.null_value = message.has_null_value() or None
    _set_position(made, message.message_id())
    context = message.encryption_context()
    if context is not None and context.is_decryption_failed():
        _text(partial(_set_encryption, made, context), "encryption_keys")
    return made


def _text(accessor: Callable[[], Any], field: str) -> Any:
    """Return the result of an accessor; pulsar-client decodes bytes only on access."""
    try:
        return accessor()
    except UnicodeDecodeError as error:
        raise bad_value(field, error.object, "not valid UTF-8, and so not told by pulsar-client") from None


def _bytes(accessor: Callable[[], str]) -> bytes:
    """The bytes of a field that pulsar-client takes for text; where they are not UTF-8, its error holds them."""
    try:
        return accessor().encode()
    except UnicodeDecodeError as error:
        return error.object


def _set_position(made: Message, position: Any) -> None:
    """Message id and batch; only the serialized id has the number of members (`MessageIdData` of PulsarApi.proto)."""
    ledger, entry, index = position.ledger_id(), position.entry_id(), position.batch_index()
    if (ledger, entry) == (-1, -1):  # not delivered by a broker
        return
    made.message_id = f"{ledger % 2**64}:{entry % 2**64}:{position.partition()}:{index}"
    if index >= 0:
        read = package("mqconvert.converters.protocols.pulsar.pulsar_pb2").MessageIdData.FromString
        made.batch = Batch(read(position.serialize()).batch_size, index)


def _set_encryption(made: Message, context: pulsar.EncryptionContext) -> None:
    """How the payload, which is still as on the wire, was encrypted, compressed and put in a batch."""
    keys = context.keys()
    made.encryption_keys = [EncryptionKey(key.key, key.value, list(key.metadata.items()) or None) for key in keys]
    made.encryption_algo = context.algorithm() or None
    made.encryption_param = context.param() or None
    made.compression = COMPRESSIONS[int(context.compression_type())]
    made.uncompressed_size = context.uncompressed_message_size() or None
    if context.batch_size() > 0:
        made.batch = Batch(context.batch_size())

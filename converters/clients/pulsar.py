"""pulsar-client's Message, to a Pulsar message.

A consumer decompresses messages and joins their chunks. pulsar-client gives 0, no bytes or no
properties for unset fields, so such values count as unset.

pulsar-client does not expose these, so the message lacks them: sequence ids, `deliver_at_time`, `partition_key_b64_encoded`,
replication, transactions, `schema_id`, the broker's metadata, all fields of a batch but its size, the compression, and the keys
and algorithm of decrypted messages. Of duplicate property names it keeps the first; it sorts the names.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from mqconvert.converters.clients import bad_value, require
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar.message import COMPRESSIONS, Batch, EncryptionKey, Message

require("pulsar-client", "pulsar", (3, 13))

import pulsar  # noqa: E402 - after the check of its version

_TEXTS = {"topic": "topic_name", "producer_name": "producer_name", "partition_key": "partition_key"}
_BYTES = {"ordering_key": "ordering_key", "schema_version": "schema_version"}
_NUMBERS = {"publish_time": "publish_timestamp", "event_time": "event_timestamp", "redelivery_count": "redelivery_count"}
"""Field, and pulsar-client's name of it."""


def from_pulsar(message: pulsar.Message) -> Message:
    """Return the message of `receive()` or a listener. The top of this module lists the missing fields.

    The payload is as on the wire if the client could not decrypt the message and was configured to deliver it.
    Raises EncodeError for text that is not UTF-8, which pulsar-client cannot return; its text names the field.

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


def _text(accessor: Callable[[], object], field: str) -> Any:
    """Return the result of an accessor; pulsar-client decodes bytes only on access."""
    try:
        return accessor()
    except UnicodeDecodeError as error:
        raise bad_value(field, error.object, "not valid UTF-8, so pulsar-client cannot return it") from None


def _bytes(accessor: Callable[[], str]) -> bytes:
    """Return the bytes of a field that pulsar-client decodes; its UnicodeDecodeError contains bytes that are not UTF-8."""
    try:
        return accessor().encode()
    except UnicodeDecodeError as error:
        return error.object


def _set_position(made: Message, position: Any) -> None:
    """Set message id and batch; only the serialized id contains the number of members (`MessageIdData` of PulsarApi.proto)."""
    ledger, entry, index = position.ledger_id(), position.entry_id(), position.batch_index()
    if (ledger, entry) == (-1, -1):  # the id of a message that no broker has delivered
        return
    made.frame = "message"
    made.message_id = f"{ledger % 2**64}:{entry % 2**64}:{position.partition()}:{index}"
    if index >= 0:
        read = package("mqconvert.converters.protocols.pulsar.pulsar_pb2").MessageIdData.FromString
        made.batch = Batch(read(position.serialize()).batch_size, index)


def _set_encryption(made: Message, context: pulsar.EncryptionContext) -> None:
    """Set the fields for encryption, compression and batch of a payload that is still encrypted."""
    keys = context.keys()
    made.encryption_keys = [EncryptionKey(key.key, key.value, list(key.metadata.items()) or None) for key in keys]
    made.encryption_algo = context.algorithm() or None
    made.encryption_param = context.param() or None
    made.compression = COMPRESSIONS[int(context.compression_type())]
    made.uncompressed_size = context.uncompressed_message_size() or None
    if context.batch_size() > 0:
        made.batch = Batch(context.batch_size())

"""Words that only the tables of Pulsar use (decisions.md 3): deliveries, batches, lists in annotations."""

from collections.abc import Iterable
from typing import Any

from mqconvert.converters.model.bodies import AmqpValue, Body
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.words.properties import FORMS, Form, Pairs
from mqconvert.converters.protocols.amqp10.words.sections import payload_and_kind
from mqconvert.converters.protocols.amqp10.words.stated import Typed, place_in_batch, stated_in
from mqconvert.converters.protocols.pulsar.message import EncryptionKey, parse_message_id
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, condition, transform


def _lists(rows: Iterable[Iterable[object]], *types: str) -> list[TypedValue]:
    """Return each row as a list of values of these types."""
    return [TypedValue("list", [TypedValue(*part) for part in zip(types, row, strict=True)]) for row in rows]


def _rows(value: object, *types: str) -> list[tuple[Any, ...]] | None:
    """Return the rows of such lists; None for any other value. (The pairs of a map are a list as well.)"""
    if value.__class__ is not list or any(typed.__class__ is not TypedValue or typed.type != "list" for typed in value):
        return None
    if any(tuple(part.type for part in typed.value) != types for typed in value):
        return None
    return [tuple(part.value for part in typed.value) for typed in value]


@transform("pairs-to-lists", gives="list")
def pairs_to_lists(value: Pairs | None) -> list[TypedValue] | None:
    """Return each pair as a list of two strings; None without pairs.

    >>> pairs_to_lists([("a", "b")])[0].value[0]
    TypedValue(type='string', value='a')
    """
    return _lists(value, "string", "string") if value else None


def _pairs_of(value: object) -> Pairs | None:
    return _rows(value, "string", "string")


def _changed(value: list[TypedValue], gone: set[str], added: Pairs) -> Pairs | None:
    return [*(pair for pair in _pairs_of(value) or () if pair[0] not in gone), *added] or None


FORMS["pairs"] = Form("list", "list", _pairs_of, _changed, nothing="an empty list of properties; the way back gives none")


@condition("null-beside-payload")
def null_beside_payload(typed: Typed, body: Body | None) -> bool:
    """Match null_value beside a payload, or false: an empty payload with null_value becomes a body of null.

    >>> from mqconvert.converters.protocols.amqp10.message import Data
    >>> [null_beside_payload(TypedValue("boolean", True), Data([bytes])) for bytes in (b"a", b"")]
    [True, False]
    """
    null = stated_in(typed, "boolean")
    if isinstance(body, AmqpValue) and body.value.type == "null":
        return False
    return null is False or (null is True and body is not None and bool(payload_and_kind(body)[0]))


@transform("position", gives="str", passes=True)
def position(value: object) -> str | NotMine:
    """Return the text of a message id of Pulsar, in the form that the way back restores.

    >>> position("1:2:-1:-1"), position("01:2:-1:-1") is NOT_MINE, position("x") is NOT_MINE
    ('1:2:-1:-1', True, True)
    """
    numbers = parse_message_id(value) if isinstance(value, str) else None
    return NOT_MINE if numbers is None or ":".join(map(str, numbers)) != value else value


@condition("opaque")
def opaque(keys: Typed, chunk: Typed) -> bool:
    """Match batches of Pulsar with unknown members: the payload is encrypted, or a chunk.

    >>> opaque(None, TypedValue("uint", 0)), opaque(None, None)
    (True, False)
    """
    encrypted = keys is not None and keys.type == "list" and encryption_keys_of_list(keys.value) is not NOT_MINE
    return encrypted or stated_in(chunk, "count") is not None


@condition("unknown-to", str)
def unknown_to(metadata: str, typed: Typed) -> bool:
    """Match bytes of one or more fields unknown to these metadata; no bytes would not come back."""
    from mqconvert.converters.protocols.pulsar.codec import pb  # noqa: PLC0415 - rows that need it are rare
    from mqconvert.converters.protocols.pulsar.protobufs import only_unknown  # noqa: PLC0415 - rows that need it are rare

    raw = stated_in(typed, "binary")
    return bool(raw) and only_unknown(getattr(pb, metadata), raw)


@transform("member-number", gives="int", passes=True)
def member_number(value: int, own: int | None, index: int | None) -> int | NotMine:
    """Return the sequence id of a batch member without its own: the batch's plus its index.

    >>> member_number(7, None, 2), member_number(7, 5, 2) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if own is not None or index is None or value + index >= 2**64 else value + index


@condition("derived-sequence-id")
def derived_sequence_id(sequence: Typed, derived: Typed, batch: Typed, index: Typed) -> bool:
    """Match the sequence id that a batch member without its own derives from the batch.

    >>> yes, seven, one = TypedValue("boolean", True), TypedValue("ulong", 7), TypedValue("uint", 1)
    >>> [derived_sequence_id(TypedValue("ulong", number), yes, seven, one) for number in (8, 9)]
    [True, False]
    """
    if derived is None or derived.value is not True:
        return False
    first, place, number = stated_in(batch, "ulong"), stated_in(index, "count"), stated_in(sequence, "ulong")
    return first is not None and place is not None and first + place == number


@transform("position-in-batch", gives="str", passes=True, loses=True)
def position_in_batch(value: object, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> str | Partial | NotMine:
    """Return the id of a delivered message, with the place in its batch.

    >>> one = TypedValue("uint", 1)
    >>> position_in_batch("1:2:-1:-1", None, None, None, None)
    '1:2:-1:-1'
    >>> position_in_batch("1:2:-1:-1", TypedValue("uint", 0), one, None, None).reason
    'its last number: the way back gives the place in the batch'
    """
    # the frame `batch` of the table has the same condition
    found, place = position(value), None if opaque(keys, chunk) else place_in_batch(index, size, "count", 1)
    if isinstance(found, NotMine) or place is None or found.rpartition(":")[2] == str(place):
        return found
    return Partial(found, "its last number: the way back gives the place in the batch")


@transform("encryption-keys-list", gives="list")
def encryption_keys_list(value: list[Any]) -> list[TypedValue]:
    """Return each encryption key as a list of its name, its bytes, and its metadata as a map of strings.

    >>> from mqconvert.converters.protocols.pulsar.message import EncryptionKey
    >>> [part.type for part in encryption_keys_list([EncryptionKey(key="k", value=b"secret")])[0].value]
    ['string', 'binary', 'map']
    """
    metadata = ([Entry(TypedValue("string", name), "string", text) for name, text in one.metadata or ()] for one in value)
    rows = ((one.key, one.value, entries) for one, entries in zip(value, metadata, strict=True))
    return _lists(rows, "string", "binary", "map")


@transform("encryption-keys-of-list", gives="list", passes=True)
def encryption_keys_of_list(value: object) -> list[Any] | NotMine:
    """Read the keys of such a list; an empty list or any other value passes to the next row.

    >>> encryption_keys_of_list(encryption_keys_list([])) is encryption_keys_of_list("a") is NOT_MINE
    True
    """
    keys = []
    for name, raw, metadata in _rows(value, "string", "binary", "map") or ():
        if any(entry.key.type != "string" or entry.type != "string" for entry in metadata):
            return NOT_MINE
        keys.append(EncryptionKey(name, raw, [(entry.key.value, entry.value) for entry in metadata] or None))
    return keys or NOT_MINE

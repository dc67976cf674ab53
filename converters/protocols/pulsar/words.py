"""Words that only the tables of Pulsar use (MAPPINGS 3): topic domains, deliveries, batches, lists in annotations."""

from collections.abc import Callable
from typing import Any

from mqconvert.converters.model.bodies import AmqpValue, Body
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.bodies import payload_and_kind
from mqconvert.converters.protocols.amqp10.words.properties import (
    CHANGED,
    FIXED,
    IDS,
    PREFIXES,
    Pairs,
    WayBack,
    comes_back,
    is_own,
    unsaid,
)
from mqconvert.converters.protocols.amqp10.words.stated import (
    beside_field,
    stated_as,
)
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, Partial, condition, kept, transform

Typed = TypedValue | Entry | None


@transform("topic-to-durable", gives="bool")
def topic_to_durable(value: str) -> bool:
    """
    >>> topic_to_durable("non-persistent://a/b/c"), topic_to_durable("a")
    (False, True)
    """
    return not value.startswith("non-persistent:")


def _topic(address: Any, stated: Typed, to: Any) -> str:
    """The topic that the message will have: the caller's, that of the annotation, or its address."""
    if address:
        return str(address)
    if stated is not None and stated.type in ("string", "symbol"):
        return str(stated.value)
    return to or ""


@condition("durable-as-topic")
def durable_as_topic(value: Any, address: Any, stated: Typed, to: Any) -> bool:
    """What the header says is what the topic's domain says.

    >>> durable_as_topic(True, None, None, "a"), durable_as_topic(True, "non-persistent://a", None, None)
    (True, False)
    """
    return bool(value is topic_to_durable(_topic(address, stated, to)))


@condition("persistent-topic")
def persistent_topic(value: Any, address: Any, stated: Typed, to: Any) -> bool:  # noqa: ARG001 - of a value that is absent
    """The topic's domain says persistent, or nothing."""
    return topic_to_durable(_topic(address, stated, to))


@condition("no-topic-at-all")
def no_topic_at_all(value: Any, topic: Any, address: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """Neither the message nor the caller says a topic.

    >>> no_topic_at_all("a", "", None), no_topic_at_all("a", "", "t")
    (True, False)
    """
    return not topic and not address


@condition("no-topic-beside")
def no_topic_beside(value: Any, topic: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The message itself has no topic."""
    return not topic


@condition("no-text-beside")
def no_text_beside(value: Any, beside: Any) -> bool:
    """No text, and something beside it.

    >>> no_text_beside("", "a"), no_text_beside("", None)
    (True, False)
    """
    return not value and beside is not None


@condition("no-empty-beside")
def no_empty_beside(value: Any, beside: Typed) -> bool:
    """A name, and the annotation that is read beside it is not an empty string.

    >>> no_empty_beside("a", None), no_empty_beside("a", TypedValue("string", "")), no_empty_beside("", None)
    (True, False, False)
    """
    return bool(value) and (beside is None or beside.type != "string" or beside.value != "")


def stated_position(value: Any) -> str | NotMine:
    """The text of a message id, in the one form that comes back.

    >>> stated_position("1:2:-1:-1"), stated_position("01:2:-1:-1") is NOT_MINE, stated_position("x") is NOT_MINE
    ('1:2:-1:-1', True, True)
    """
    from mqconvert.converters.protocols.pulsar.message import parse_message_id  # noqa: PLC0415 - beside its only use

    numbers = parse_message_id(value) if isinstance(value, str) else None
    return NOT_MINE if numbers is None or ":".join(map(str, numbers)) != value else value


@condition("pulsar-delivery")
def pulsar_delivery(value: Any, type_: Any, frame: Any, position: Any) -> bool:  # noqa: ARG001 - the place of the type
    """A MESSAGE is to be built: the annotation of its id is there, and the caller does not ask for a SEND.

    >>> pulsar_delivery(1, "uint", None, TypedValue("string", "1:2:-1:-1")), pulsar_delivery(1, "uint", None, None)
    (True, False)
    """
    if position is None or isinstance(stated_position(position.value), NotMine):
        return False
    return frame is None or bool(frame == "message")


@transform("redelivery-beside", gives="int", passes=True, loses=True)
def redelivery_beside(value: Any, type_: str, frame: Any, position: Any, field: Any) -> int | Partial | NotMine:  # noqa: ARG001 - as its condition reads
    """
    >>> redelivery_beside(3, "uint", None, None, 5)
    3
    """
    return beside_field(stated_as(value, type_, "uint"), field)  # type: ignore[no-any-return]  # of the same type


@condition("position-of-delivery")
def position_of_delivery(value: Any, frame: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The caller does not ask for a SEND.

    >>> position_of_delivery("1:2:-1:-1", None)
    True
    """
    return frame is None or bool(frame == "message")


@condition("message-without-id")
def message_without_id(value: Any, position: Typed) -> bool:
    """The caller asks for a MESSAGE, and no annotation that can be read says its id.

    >>> message_without_id("message", None), message_without_id("message", TypedValue("string", "1:2:-1:-1"))
    (True, False)
    """
    return value == "message" and (position is None or isinstance(stated_position(position.value), NotMine))


NOTED = frozenset(
    f"x-opt-pulsar-{name}" for name in ("message-id", "redelivery-count", "broker-timestamp", "index", "broker-unknown")
)
"""Annotations of what a broker says of a message that it delivers."""


@condition("of-delivery-to-send")
def of_delivery_to_send(value: Any, key: Any, frame: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """An annotation of what only a MESSAGE holds, and the caller asks for a SEND.

    >>> of_delivery_to_send("1:2:-1:-1", "x-opt-pulsar-message-id", "send"), of_delivery_to_send(1, "x-a", "send")
    (True, False)
    """
    return frame == "send" and key in NOTED


@condition("id-of-delivery")
def id_of_delivery(value: Any, type_: Any, frame: Any, position: Any) -> bool:
    """The id of the MESSAGE itself."""
    return type_ == "string" and pulsar_delivery(value, type_, frame, position) and bool(position.value == value)


@condition("reserved-for-pulsar")
def reserved_for_pulsar(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key of application properties that would mean something else among Pulsar's properties.

    >>> reserved_for_pulsar("", "x-a"), reserved_for_pulsar("", "x-opt-pulsar-a"), reserved_for_pulsar("", "amqp-ap.k")
    (True, False, True)
    """
    if key.startswith("x-"):
        return not is_own(key, "pulsar")
    return key.startswith("amqp-") and (key in IDS or key in FIXED or key.startswith(PREFIXES))


@condition("no-annotation-of-pulsar")
def no_annotation_of_pulsar(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A text key of an annotation that would not be one again if it stood among Pulsar's properties as it is.

    >>> no_annotation_of_pulsar("", "k"), no_annotation_of_pulsar("", "x-a"), no_annotation_of_pulsar("", 1)
    (True, False, False)
    """
    return key.__class__ is str and (not key.startswith("x-") or is_own(key, "pulsar"))


@transform("pulsar-raw-list", gives="list")
def pulsar_raw_list(properties: Pairs | None, result: Message, way_back: WayBack) -> list[TypedValue] | None:
    """The properties as they were, where the table back would not make the same.

    >>> from mqconvert.converters.protocols.pulsar import message as pulsar
    >>> pulsar_raw_list([("a", "1")], Message(), lambda result: pulsar.Message(properties=[("a", "1")]))
    >>> len(pulsar_raw_list([("a", "1"), ("a", "2")], Message(), lambda result: pulsar.Message(properties=[("a", "2")])) or ())
    2
    """
    if not properties or comes_back(properties, result, way_back):
        return None
    return pairs_to_lists(properties)


@transform("pairs-to-lists", gives="list")
def pairs_to_lists(value: Pairs | None) -> list[TypedValue] | None:
    """Each pair as a list of two strings; nothing of none.

    >>> pairs_to_lists([("a", "b")])[0].value[0]
    TypedValue(type='string', value='a')
    """
    if not value:
        return None
    return [TypedValue("list", [TypedValue("string", text) for text in pair]) for pair in value]


def _pairs_of(value: Any) -> Pairs | None:
    if value.__class__ is not list:
        return None
    pairs = []
    for typed in value:
        if typed.__class__ is not TypedValue or typed.type != "list":
            return None  # the pairs of a map are a list as well
        if [part.type for part in typed.value] != ["string", "string"]:
            return None
        pairs.append((typed.value[0].value, typed.value[1].value))
    return pairs


@condition("lists-of-pairs")
def lists_of_pairs(value: Any) -> bool:
    """A list of lists of two strings.

    >>> lists_of_pairs([]), lists_of_pairs("a")
    (True, False)
    """
    return _pairs_of(value) is not None


@condition("lists-beside")
def lists_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The annotation beside it is a list of lists of two strings."""
    return beside is not None and beside.type == "list" and _pairs_of(beside.value) is not None


@condition("group-listed")
def group_listed(value: Any, listed: Typed) -> bool:
    """A property `amqp-group-id` of the list beside says this group: the message had no key for it.

    >>> listed = TypedValue("list", pairs_to_lists([("amqp-group-id", "g")]))
    >>> group_listed("g", None), group_listed("g", listed), group_listed("h", listed)
    (False, True, False)
    """
    pairs = _pairs_of(listed.value) if listed is not None and listed.type == "list" else None
    return ("amqp-group-id", value) in (pairs or ())


@transform("pairs-beside", gives="list")
def pairs_beside(value: Any, beside: TypedValue | Entry) -> Pairs | None:  # noqa: ARG001 - it replaces the value
    """
    >>> pairs_beside(None, TypedValue("list", pairs_to_lists([("a", "b")])))
    [('a', 'b')]
    """
    return _pairs_of(beside.value) or None


@transform("listed-and-said", gives="list", loses=True)
def listed_and_said(
    value: Any,  # noqa: ARG001 - it stands in the result
    beside: TypedValue | Entry,
    result: Any,
    way_back: WayBack,
    again: Callable[[Any], Any],
) -> Pairs | Partial:
    """The properties as they were, and after them what the message has got since.

    >>> from mqconvert.converters.protocols.amqp10 import message as amqp10
    >>> from mqconvert.converters.protocols.pulsar import message as pulsar
    >>> result = pulsar.Message("t", b"", properties=[("a", "2"), ("new", "3")])
    >>> listed = TypedValue("list", pairs_to_lists([("a", "1"), ("a", "2")]))
    >>> alone = pulsar.Message("t", b"", properties=[("a", "2")])
    >>> listed_and_said(None, listed, result, lambda made: amqp10.Message(), lambda hub: alone).value
    [('a', '1'), ('a', '2'), ('new', '3')]
    """
    listed = _pairs_of(beside.value) or []
    added, gone = unsaid(listed, result, "x-opt-pulsar-properties", way_back, again)
    if not added and not gone:
        return listed or Partial(None, "no properties, of which no list comes back")
    return Partial([*(pair for pair in listed if pair[0] not in gone), *added] or None, CHANGED)


@condition("null-value")
def null_value(value: Any) -> bool:
    """An amqp-value body of null."""
    return bool(value.value.type == "null")


@condition("null-beside-payload")
def null_beside_payload(value: Any, type_: str, body: Body | None) -> bool:
    """What null_value says beside a payload, or false: true of no octets is a body of null, which says so itself.

    >>> from mqconvert.converters.protocols.amqp10.message import Data
    >>> null_beside_payload(True, "boolean", Data([b"a"])), null_beside_payload(True, "boolean", Data([b""]))
    (True, False)
    """
    null = kept(stated_as(value, type_, "boolean"))
    if isinstance(body, AmqpValue) and null_value(body):
        return False
    return null is False or (null is True and body is not None and bool(payload_and_kind(body)[0]))


@condition("own-size")
def own_size(value: Any, type_: Any, compression: Typed, keys: Typed, chunk: Typed) -> bool:  # noqa: ARG001 - as its transform reads
    """The size before compression of a payload that is not compressed here: of another one the codec counts it.

    >>> own_size(5, "uint", None, None, None), own_size(5, "uint", TypedValue("string", "LZ4"), None, None)
    (True, False)
    """
    name = None if compression is None else kept(stated_compression(compression.value, compression.type))
    return name in (None, "NONE") or _opaque(keys, chunk)


@condition("null-payload")
def null_payload(value: Any, null: Any) -> bool:
    """An empty payload beside null_value = true.

    >>> null_payload(b"", True), null_payload(b"a", True)
    (True, False)
    """
    return not value and null is True


@condition("no-null-payload")
def no_null_payload(value: Any, payload: Any) -> bool:
    """A null_value that is not a null body: beside a payload, or false."""
    return not null_payload(payload, value)


@transform("null-body", gives="body")
def null_body(value: bytes) -> AmqpValue:  # noqa: ARG001 - a constant
    """
    >>> null_body(b"").value.type
    'null'
    """
    return AmqpValue(TypedValue("null", None))


@transform("delay-from-clock", gives="int", passes=True, loses=True)
def delay_from_clock(value: Any, type_: str, clock: int | None) -> int | Partial | Loss | NotMine:
    """A delay in milliseconds as a time, by the caller's clock.

    >>> delay_from_clock(500, "long", 1000).value, delay_from_clock(500, "long", None).reason
    (1500, 'a delay, and no clock to count from')
    """
    delay = kept(stated_as(value, type_, "long"))
    if delay is None:
        return NOT_MINE
    if clock is None:
        return Loss("a delay, and no clock to count from")
    if delay + clock >= 2**63:
        return Loss("a delay that no time of 64 bits can say")
    return Partial(delay + clock, "the delay itself: a time is what comes back")


def _place_in_batch(index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:
    if index is None or _opaque(keys, chunk):
        return False
    place = kept(stated_as(index.value, index.type, "count"))
    of = 1 if size is None else kept(stated_as(size.value, size.type, "count"))
    return place is not None and of is not None and 0 <= place < of


def _opaque(keys: Typed, chunk: Typed) -> bool:
    """Whether no member of a batch can be told: the payload is encrypted, or a part of one."""
    if keys is not None and keys.type == "list" and not isinstance(encryption_keys_of_list(keys.value), NotMine):
        return True
    return chunk is not None and not isinstance(stated_as(chunk.value, chunk.type, "count"), NotMine)


@condition("batch-member")
def batch_member(value: Any, type_: Any, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:  # noqa: ARG001 - as rows read
    """The message was a member of a batch, and can be one again: its place in one is there and can be read.

    >>> two = TypedValue("uint", 2)
    >>> batch_member(5, "ulong", TypedValue("uint", 1), two, None, None), batch_member(5, "ulong", two, two, None, None)
    (True, False)
    """
    return _place_in_batch(index, size, keys, chunk)


@condition("batch-member-or-whole")
def batch_member_or_whole(value: Any, type_: Any, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:
    """A member of a batch, or a whole one that could not be opened, since it is encrypted or a chunk.

    >>> batch_member_or_whole(2, "uint", None, None, None, TypedValue("uint", 0))
    True
    >>> batch_member_or_whole(2, "uint", None, None, None, None)
    False
    """
    return _opaque(keys, chunk) or batch_member(value, type_, index, size, keys, chunk)


@condition("batch-lists")
def batch_lists(value: Any, type_: Any, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:
    """A list of lists of two strings, in a message that was a member of a batch.

    >>> batch_lists([], "list", None, None, None, None), batch_lists([], "list", TypedValue("uint", 0), None, None, None)
    (False, True)
    """
    return batch_member(value, type_, index, size, keys, chunk) and _pairs_of(value) is not None


@condition("unknown-of-batch")
def unknown_of_batch(value: Any, type_: Any, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:
    """Octets of fields that metadata of a batch do not define."""
    return batch_member(value, type_, index, size, keys, chunk) and _unknown(value, type_, "MessageMetadata")


@condition("unknown-fields")
def unknown_fields(value: Any, type_: Any, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:
    """Octets of fields that the message's own metadata do not define."""
    member = batch_member(value, type_, index, size, keys, chunk)
    return _unknown(value, type_, "SingleMessageMetadata" if member else "MessageMetadata")


@condition("unknown-to-brokers")
def unknown_to_brokers(value: Any, type_: Any) -> bool:
    """Octets of fields that the metadata of brokers do not define."""
    return _unknown(value, type_, "BrokerEntryMetadata")


def _unknown(value: Any, type_: str, metadata: str) -> bool:
    from mqconvert.converters.protocols.pulsar.codec import pb  # noqa: PLC0415 - rows that need it are rare
    from mqconvert.converters.protocols.pulsar.protobufs import only_unknown  # noqa: PLC0415 - rows that need it are rare

    octets = kept(stated_as(value, type_, "binary"))
    return octets is not None and only_unknown(getattr(pb, metadata), octets)


@condition("no-number-of-batch")
def no_number_of_batch(value: Any, batch: Typed, index: Typed, size: Typed, keys: Typed, chunk: Typed) -> bool:  # noqa: ARG001 - as rows read
    """No annotations that can be read say the batch's sequence id and the place in it, which number a member as well.

    >>> no_number_of_batch(0, TypedValue("ulong", 7), TypedValue("uint", 0), None, None, None)
    False
    >>> no_number_of_batch(0, None, None, None, None, None)
    True
    """
    if batch is None or not _place_in_batch(index, size, keys, chunk):
        return True
    return isinstance(stated_as(batch.value, batch.type, "ulong"), NotMine)


@transform("member-sequence-id", gives="int", passes=True)
def member_sequence_id(value: int, own: int | None, index: int | None) -> int | NotMine:
    """The sequence id of a batch member that has none of its own: the batch's and its index.

    >>> member_sequence_id(7, None, 2), member_sequence_id(7, 5, 2) is NOT_MINE
    (9, True)
    """
    return NOT_MINE if own is not None or index is None or value + index >= 2**64 else value + index


@transform("member-without-sequence-id", gives="bool", passes=True)
def member_without_sequence_id(value: int, own: int | None, index: int | None) -> bool | NotMine:
    """True of such a member.

    >>> member_without_sequence_id(7, None, 2)
    True
    """
    return NOT_MINE if isinstance(member_sequence_id(value, own, index), NotMine) else True


@condition("derived-sequence-id")
def derived_sequence_id(
    value: Any, type_: str, derived: Typed, batch: Typed, index: Typed, size: Typed, keys: Typed, chunk: Typed
) -> bool:
    """The sequence id of a batch member that had none of its own, unchanged since.

    >>> yes, seven, one, two = TypedValue("boolean", True), TypedValue("ulong", 7), TypedValue("uint", 1), TypedValue("uint", 2)
    >>> derived_sequence_id(8, "ulong", yes, seven, one, two, None, None)
    True
    >>> derived_sequence_id(9, "ulong", yes, seven, one, two, None, None)
    False
    """
    if derived is None or derived.value is not True or batch is None or index is None:
        return False
    if not _place_in_batch(index, size, keys, chunk):
        return False
    first, place = kept(stated_as(batch.value, batch.type, "ulong")), kept(stated_as(index.value, index.type, "count"))
    return first is not None and bool(first + place == kept(stated_as(value, type_, "ulong")))


@transform("derived-of-other-type", gives="int", loses=True)
def derived_of_other_type(value: Any, type_: str) -> Loss:  # noqa: ARG001 - the member had none of its own
    """
    >>> derived_of_other_type(8, "long")
    Loss(reason='its type long: ulong comes back')
    """
    return Loss(f"its type {type_}: ulong comes back")


@condition("derived-mark")
def derived_mark(
    value: Any, type_: str, sequence: Typed, batch: Typed, index: Typed, size: Typed, keys: Typed, chunk: Typed
) -> bool:
    """The mark of such a sequence id, beside it.

    >>> seven, one, two = TypedValue("ulong", 7), TypedValue("uint", 1), TypedValue("uint", 2)
    >>> derived_mark(True, "boolean", TypedValue("ulong", 8), seven, one, two, None, None)
    True
    >>> derived_mark(True, "boolean", None, seven, one, two, None, None)
    False
    """
    if sequence is None:
        return False
    mark = TypedValue(type_, value)
    return derived_sequence_id(sequence.value, sequence.type, mark, batch, index, size, keys, chunk)


@transform("position-in-batch", gives="str", passes=True, loses=True)
def position_in_batch(
    value: Any,
    frame: Any,  # noqa: ARG001 - as its condition reads
    index: Typed,
    size: Typed,
    keys: Typed,
    chunk: Typed,
) -> str | Partial | NotMine:
    """The id of a delivered message; of a member of a batch its place in that is a part of it.

    >>> one = TypedValue("uint", 1)
    >>> position_in_batch("1:2:-1:-1", None, None, None, None, None)
    '1:2:-1:-1'
    >>> position_in_batch("1:2:-1:-1", None, TypedValue("uint", 0), one, None, None).reason
    'its last number: the place in the batch comes back'
    """
    position = stated_position(value)
    if isinstance(position, NotMine) or index is None or not _place_in_batch(index, size, keys, chunk):
        return position
    if position.rpartition(":")[2] == str(kept(stated_as(index.value, index.type, "count"))):
        return position
    return Partial(position, "its last number: the place in the batch comes back")


@transform("names-joined", gives="str", passes=True)
def names_joined(value: list[str]) -> str | NotMine:
    """Names with commas between them; a name with a comma in it is for the next row.

    >>> names_joined(["a", "b"]), names_joined(["a,b"]) is NOT_MINE
    ('a,b', True)
    """
    return NOT_MINE if any("," in name for name in value) else ",".join(value)


@transform("names-split", gives="list")
def names_split(value: str) -> list[str]:
    """
    >>> names_split("a,b")
    ['a', 'b']
    """
    return value.split(",")


@transform("string-list", gives="list")
def string_list(value: list[str]) -> list[TypedValue]:
    """
    >>> string_list(["a,b"])
    [TypedValue(type='string', value='a,b')]
    """
    return [TypedValue("string", text) for text in value]


@transform("strings-of-list", gives="list", passes=True, loses=True)
def strings_of_list(value: Any) -> list[str] | Partial | NotMine:
    """Names as they are listed where one has a comma; others come back as one text.

    >>> strings_of_list([TypedValue("string", "a,b")]), strings_of_list([TypedValue("string", "a")]).value
    (['a,b'], ['a'])
    """
    names = _plain_list(value, "string")
    if isinstance(names, NotMine) or any("," in name for name in names):
        return names
    return Partial(names, "names without a comma, which come back as one text")


def _plain_list(value: Any, type_: str) -> list[Any] | NotMine:
    """The values of a list whose items are all of that type, at least one: a field that repeats says nothing of none.

    The pairs of a map are a list as well, and are not such a list.
    """
    if (
        not value
        or value.__class__ is not list
        or any(typed.__class__ is not TypedValue or typed.type != type_ for typed in value)
    ):
        return NOT_MINE
    return [typed.value for typed in value]


@transform("int-list", gives="list")
def int_list(value: list[int]) -> list[TypedValue]:
    """
    >>> int_list([1])
    [TypedValue(type='int', value=1)]
    """
    return [TypedValue("int", number) for number in value]


@transform("ints-of-list", gives="list", passes=True)
def ints_of_list(value: Any) -> list[int] | NotMine:
    """
    >>> ints_of_list([TypedValue("int", 1)])
    [1]
    """
    return _plain_list(value, "int")


@transform("encryption-keys-list", gives="list")
def encryption_keys_list(value: list[Any]) -> list[TypedValue]:
    """Each key as a list of its name, its octets, and its metadata as a map of strings.

    >>> from mqconvert.converters.protocols.pulsar.message import EncryptionKey
    >>> [part.type for part in encryption_keys_list([EncryptionKey(key="k", value=b"secret")])[0].value]
    ['string', 'binary', 'map']
    """
    return [
        TypedValue("list", [TypedValue("string", one.key), TypedValue("binary", one.value), _metadata_map(one.metadata)])
        for one in value
    ]


def _metadata_map(metadata: Pairs | None) -> TypedValue:
    return TypedValue("map", [Entry(TypedValue("string", name), "string", text) for name, text in metadata or ()])


@transform("encryption-keys-of-list", gives="list", passes=True)
def encryption_keys_of_list(value: Any) -> list[Any] | NotMine:
    """The keys of such a list; anything else, and a list of none, is for the next row.

    >>> encryption_keys_of_list(encryption_keys_list([])) is encryption_keys_of_list("a") is NOT_MINE
    True
    """
    from mqconvert.converters.protocols.pulsar.message import EncryptionKey  # noqa: PLC0415 - beside its only use

    if value.__class__ is not list:
        return NOT_MINE
    keys = []
    for typed in value:
        if typed.type != "list" or [part.type for part in typed.value] != ["string", "binary", "map"]:
            return NOT_MINE
        name, octets, metadata = (part.value for part in typed.value)
        if any(entry.key.type != "string" or entry.type != "string" for entry in metadata):
            return NOT_MINE
        keys.append(EncryptionKey(name, octets, [(entry.key.value, entry.value) for entry in metadata] or None))
    return keys or NOT_MINE


@transform("stated-compression", gives="str", passes=True, loses=True)
def stated_compression(value: Any, type_: str) -> str | Partial | NotMine:
    """
    >>> stated_compression("ZLIB", "string"), stated_compression("RAR", "string") is NOT_MINE
    ('ZLIB', True)
    """
    from mqconvert.converters.protocols.pulsar.message import COMPRESSIONS  # noqa: PLC0415 - beside its only use

    name = stated_as(value, type_, "string")
    return name if kept(name) in COMPRESSIONS else NOT_MINE

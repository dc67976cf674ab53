"""Words that only the tables of RocketMQ use (MAPPINGS 4): its own properties, the escape of its property string, limits."""

from collections.abc import Callable
from typing import Any

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.bodies import Body, Data
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.words.bodies import body_of_kind, payload_and_kind
from mqconvert.converters.protocols.amqp10.words.properties import (
    CHANGED,
    FIXED,
    IDS,
    PREFIXES,
    Pairs,
    WayBack,
    comes_back,
    is_own,
    types_beside,
    unsaid,
)
from mqconvert.converters.protocols.amqp10.words.stated import is_text, read_as, stated_as
from mqconvert.converters.protocols.amqp10.words.textforms import base64_of, octets_of_base64
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, condition, kept, transform
from mqconvert.converters.words.conditions import text_of
from mqconvert.converters.words.shared import PLAIN, escaped, stays

Typed = TypedValue | Entry | None


@condition("legal-rocketmq-topic")
def legal_rocketmq_topic(value: Any) -> bool:
    """
    >>> legal_rocketmq_topic("a"), legal_rocketmq_topic("a/b")
    (True, False)
    """
    from mqconvert.converters.protocols.rocketmq.message import topic_fault  # noqa: PLC0415 - beside its only use

    return value.__class__ is str and topic_fault(value) is None


@condition("rocketmq-topic-as-it-is")
def rocketmq_topic_as_it_is(value: Any, escape: Any) -> bool:
    """A legal topic; where the escape is asked for, none that looks escaped already.

    >>> rocketmq_topic_as_it_is("a_2Fb", False), rocketmq_topic_as_it_is("a_2Fb", True)
    (True, False)
    """
    return legal_rocketmq_topic(value) and stays(value, escape)


@transform("escaped-rocketmq-topic", gives="str", passes=True)
def escaped_rocketmq_topic(value: str) -> str | NotMine:
    """Every octet outside a-zA-Z0-9- as `_` and two hex digits: brokers take no dot. Too long: for the next row.

    >>> escaped_rocketmq_topic("a/b.c"), escaped_rocketmq_topic("a" * 128) is NOT_MINE
    ('a_2Fb_2Ec', True)
    """
    made = escaped(value, PLAIN - frozenset(b"."))
    return made if legal_rocketmq_topic(made) else NOT_MINE


@condition("topicless")
def topicless(value: Any, address: Any, topic: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """Neither the caller nor an annotation says the topic.

    >>> topicless("a/b", None, None)
    True
    """
    return address is None and topic is None


SYSTEM_NAMES = frozenset({
    "KEYS", "TAGS", "UNIQ_KEY", "WAIT", "DELAY", "TIMER_DELAY_SEC", "TIMER_DELAY_MS", "TIMER_DELIVER_MS",
    "TIMER_ENQUEUE_MS", "TIMER_DEQUEUE_MS", "TIMER_OUT_MS", "TIMER_ROLL_TIMES", "TIMER_DEL_UNIQKEY", "TIMER_DELAY_LEVEL",
    "__SHARDINGKEY", "RETRY_TOPIC", "REAL_TOPIC", "REAL_QID", "ORIGIN_MESSAGE_ID", "RECONSUME_TIME",
    "MAX_RECONSUME_TIMES", "DLQ_ORIGIN_TOPIC", "DLQ_ORIGIN_MESSAGE_ID", "TRAN_MSG", "PGROUP", "__transactionId__",
    "TRAN_PREPARED_QUEUE_OFFSET", "TRANSACTION_CHECK_TIMES", "CHECK_IMMUNITY_TIME_IN_SECONDS", "CORRELATION_ID",
    "REPLY_TO_CLIENT", "TTL", "MSG_TYPE", "CLUSTER", "ARRIVE_TIME", "PUSH_REPLY_TIME", "MSG_REGION", "TRACE_ON",
    "TRACE_CONTEXT", "MIN_OFFSET", "MAX_OFFSET", "BUYER_ID", "INSTANCE_ID", "TRANSFER_FLAG", "CORRECTION_FLAG",
    "MQ2_FLAG", "CONSUME_START_TIME", "DUP_INFO", "EXTEND_UNIQ_INFO", "POP_CK", "POP_CK_OFFSET", "1ST_POP_TIME",
    "INNER_NUM", "INNER_BASE", "INNER_MULTI_DISPATCH", "INNER_MULTI_QUEUE_OFFSET", "PROPERTY_FORWARD_QUEUE_ID",
    "REDIRECT", "__BORNHOST", "BORN_TIMESTAMP", "__CRC32#",
})  # fmt: skip
"""Names of RocketMQ's own properties, which clients refuse to users."""


def is_system_name(name: str) -> bool:
    """A name of RocketMQ's own.

    >>> is_system_name("KEYS"), is_system_name("__RMQ.TRANSIENT.a"), is_system_name("k")
    (True, True, False)
    """
    return name in SYSTEM_NAMES or (name.startswith("__RMQ.TRANSIENT.") and name.isascii())


@condition("system-name")
def system_name(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A name of RocketMQ's own.

    >>> system_name("", "WAIT")
    True
    """
    return is_system_name(key)


@condition("reserved-for-rocketmq")
def reserved_for_rocketmq(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A key of application properties that would mean something else among RocketMQ's properties.

    >>> reserved_for_rocketmq("", "KEYS"), reserved_for_rocketmq("", "k")
    (True, False)
    """
    if key.startswith("x-"):
        return not is_own(key, "rocketmq")
    if key.startswith("amqp-"):
        return key in IDS or key in FIXED or key.startswith(PREFIXES) or key.startswith(ESCAPES)
    return is_system_name(key)


@condition("no-annotation-of-rocketmq")
def no_annotation_of_rocketmq(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """A text key of an annotation that would not be one again if it stood among RocketMQ's properties as it is.

    >>> no_annotation_of_rocketmq("", "x-opt-rocketmq-a")
    True
    """
    return key.__class__ is str and (not key.startswith("x-") or is_own(key, "rocketmq"))


@condition("rocketmq-types-beside")
def rocketmq_types_beside(value: Any, beside: Any, key: Any) -> bool:
    """As `types_beside`, but for RocketMQ's own properties, which are text.

    >>> rocketmq_types_beside("int", "5", "amqp-type.DELAY")
    False
    """
    return not is_system_name(key[len("amqp-type.") :]) and types_beside(value, beside, key)


@condition("system-annotation")
def system_annotation(value: Any, key: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """The annotation of a property of RocketMQ's own.

    >>> system_annotation("true", "x-opt-rocketmq-prop-WAIT"), system_annotation("a", "x-opt-rocketmq-prop-a")
    (True, False)
    """
    return is_system_name(key[len("x-opt-rocketmq-prop-") :])


@condition("uint-text")
def uint_text(value: Any, beside: Any) -> bool:
    """Decimal text of 32 bits without sign, and nothing beside it.

    >>> uint_text("5", None), uint_text("5", 6), uint_text("-5", None)
    (True, False, False)
    """
    return beside is None and not isinstance(read_as(value, "uint"), NotMine)


@condition("plain-long")
def plain_long(value: Any) -> bool:
    """Decimal text without sign or leading zero, of 63 bits.

    >>> plain_long("5"), plain_long("05")
    (True, False)
    """
    return not isinstance(read_plain_long(value), NotMine)


@condition("plain-int")
def plain_int(value: Any) -> bool:
    """Decimal text without sign or leading zero, of 31 bits.

    >>> plain_int("5"), plain_int("2147483648")
    (True, False)
    """
    return not isinstance(read_plain_int(value), NotMine)


def _clean(text: str) -> bool:
    return bool(text) and "\x01" not in text and "\x02" not in text


@condition("native-text")
def native_text(value: Any, beside: Any) -> bool:
    """Text that a property can be, where no annotation is for that property.

    >>> native_text("a", None), native_text("", None), native_text("a\\2", None)
    (True, False, False)
    """
    return beside is None and isinstance(value, str) and _clean(value)


@condition("native-tag")
def native_tag(value: Any, beside: Any) -> bool:
    """Such text without the separator of subscriptions.

    >>> native_tag("a||b", None)
    False
    """
    return native_text(value, beside) and "||" not in value


@condition("one-tag")
def one_tag(value: Any, beside: Any) -> bool:
    """A tag, and no property for the subject beside it.

    >>> one_tag("a", None), one_tag("a||b", None)
    (True, False)
    """
    return beside is None and "||" not in value


@transform("ttl-of-text", gives="int", passes=True)
def ttl_of_text(value: str, beside: str | None) -> int | NotMine:
    """Decimal milliseconds of 32 bits, where no other property for the ttl can be read.

    >>> ttl_of_text("5", None), ttl_of_text("5", "6") is NOT_MINE
    (5, True)
    """
    if beside is not None and not isinstance(read_as(beside, "uint"), NotMine):
        return NOT_MINE
    made: int | NotMine = read_as(value, "uint")
    return made


@transform("read-plain-int", gives="int", passes=True)
def read_plain_int(value: str) -> int | NotMine:
    """Decimal without sign or leading zero, of 31 bits.

    >>> read_plain_int("5"), read_plain_int("-5") is NOT_MINE
    (5, True)
    """
    return NOT_MINE if value.startswith("-") else read_as(value, "int")


@transform("read-plain-long", gives="int", passes=True)
def read_plain_long(value: str) -> int | NotMine:
    """Decimal without sign or leading zero, of 63 bits.

    >>> read_plain_long("5"), read_plain_long("05") is NOT_MINE
    (5, True)
    """
    return NOT_MINE if value.startswith("-") else read_as(value, "long")


@transform("stated-plain-number", gives="str", passes=True, loses=True)
def stated_plain_number(value: Any, type_: str, beside: Any, stated: str = "long") -> str | Partial | NotMine:
    """A long without sign as decimal text, where no annotation is for the property.

    >>> stated_plain_number(5, "long", None), stated_plain_number(-5, "long", None) is NOT_MINE
    ('5', True)
    """
    number = stated_as(value, type_, stated)
    plain = kept(number)
    if beside is not None or plain is None or plain < 0:
        return NOT_MINE
    return Partial(str(plain), number.reason) if isinstance(number, Partial) else str(plain)


@transform("stated-plain-int", gives="str", passes=True, loses=True)
def stated_plain_int(value: Any, type_: str, beside: Any) -> str | Partial | NotMine:
    """
    >>> stated_plain_int(5, "int", None)
    '5'
    """
    return stated_plain_number(value, type_, beside, "int")


ESCAPES = ("amqp-b64.", "amqp-b64n.")


@transform("rocketmq-escaped", gives="list", renames=True)
def rocketmq_escaped(value: Pairs) -> Pairs:
    """Property strings hold no empty name or value, no separator in a name, no end of entry in a value: base64 does.

    >>> rocketmq_escaped([("k", ""), ("", "v")])
    [('amqp-b64.k', '='), ('amqp-b64n.', '=dg==')]
    """
    return [_escaped_pair(name, text) for name, text in value]


def _escaped_pair(name: str, text: str) -> tuple[str, str]:
    if not _clean(name):
        return f"amqp-b64n.{base64_of(name.encode())}", f"={base64_of(text.encode())}"
    if not text or "\x02" in text:
        return f"amqp-b64.{name}", f"={base64_of(text.encode())}"
    return name, text


@transform("rocketmq-unescaped", gives="list", renames=True)
def rocketmq_unescaped(value: Pairs) -> Pairs:
    """
    >>> rocketmq_unescaped([("amqp-b64.k", "="), ("amqp-b64n.", "=dg=="), ("amqp-b64.k", "x")])
    [('k', ''), ('', 'v'), ('amqp-b64.k', 'x')]
    """
    return [_unescaped_pair(*pair) if pair[0].startswith(ESCAPES) else pair for pair in value]


def _unescaped_pair(name: str, text: str) -> tuple[str, str]:
    octets = octets_of_base64(text[1:]) if text.startswith("=") else None
    value = None if octets is None else text_of(octets)
    own: str | None = name[len(ESCAPES[0]) :]
    if name.startswith(ESCAPES[1]):
        octets = octets_of_base64(name[len(ESCAPES[1]) :])
        own = None if octets is None else text_of(octets)
    return (name, text) if value is None or own is None else (own, value)


@transform("rocketmq-raw-string", gives="str")
def rocketmq_raw_string(
    raw: str | None,
    properties: Pairs | None,  # noqa: ARG001 - as other rows see them, without the escapes of names and values
    message: Any,
    result: Message,
    way_back: WayBack,
) -> str | None:
    """The property string as it was, where the table back would not make the same.

    >>> from mqconvert.converters.protocols.rocketmq import message as rocketmq
    >>> sent = rocketmq.Message(properties=[("amqp-b64.a", "=")])
    >>> rocketmq_raw_string(None, [("a", "")], sent, Message(), lambda result: sent)
    >>> rocketmq_raw_string(None, [("a", "")], sent, Message(), lambda result: rocketmq.Message(properties=[]))
    'amqp-b64.a\\x01=\\x02'
    """
    if raw is not None:
        return raw
    if comes_back(message.properties or [], result, way_back):
        return None
    return "".join(f"{name}\x01{text}\x02" for name, text in message.properties or ())


@condition("string-beside")
def string_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The annotation beside it is a string."""
    return beside is not None and beside.type == "string"


@condition("count-listed")
def count_listed(value: Any, beside: Typed) -> bool:
    """A property `amqp-delivery-count` of the property string beside says this count.

    >>> count_listed(5, TypedValue("string", "amqp-delivery-count\\x015\\x02")), count_listed(5, None)
    (True, False)
    """
    if beside is None or beside.type != "string":
        return False
    return ("amqp-delivery-count", str(value)) in (parse_properties(beside.value)[0] or ())


@transform("string-and-said", gives="str", loses=True)
def string_and_said(
    value: Any,  # noqa: ARG001 - it stands in the result
    beside: TypedValue | Entry,
    result: Any,
    way_back: WayBack,
    again: Callable[[Any], Any],
) -> str | Partial:
    """The property string as it was, and after it what the message has got since: of equal names readers take the last.

    >>> from mqconvert.converters.protocols.amqp10 import message as amqp10
    >>> from mqconvert.converters.protocols.rocketmq import message as rocketmq
    >>> result = rocketmq.Message("t", b"", [("a", "2"), ("new", "3")])
    >>> alone = rocketmq.Message("t", b"", [("a", "2")])
    >>> text = TypedValue("string", "a\\x011\\x02a\\x012\\x02")
    >>> string_and_said(None, text, result, lambda made: amqp10.Message(), lambda hub: alone).value
    'a\\x011\\x02a\\x012\\x02new\\x013\\x02'
    """
    text: str = beside.value
    listed = parse_properties(text)[0] or []
    added, gone = unsaid(listed, result, "x-opt-rocketmq-properties", way_back, again)
    if not added and not gone:
        return text
    entries = [entry for entry in text.split("\x02") if entry and entry.partition("\x01")[0] not in gone]
    return Partial("".join(f"{entry}\x02" for entry in [*entries, *("\x01".join(pair) for pair in added)]), CHANGED)


@transform("parsed-properties", gives="list")
def parsed_properties(value: Any, beside: TypedValue | Entry, raw: str) -> Pairs | None:  # noqa: ARG001 - it replaces the value
    """The entries of the property string.

    >>> parsed_properties(None, TypedValue("string", ""), "a\\x011\\x02")
    [('a', '1')]
    """
    return parse_properties(raw)[0]


@transform("odd-string", gives="str")
def odd_string(value: str) -> str | None:
    """The property string itself, where its entries would not give it back.

    >>> odd_string("a\\x01b\\x02"), odd_string("a\\x01b")
    (None, 'a\\x01b')
    """
    return parse_properties(value)[1]


def parse_properties(text: str) -> tuple[Pairs | None, str | None]:
    from mqconvert.converters.protocols.rocketmq.codec import parse_properties as parsed  # noqa: PLC0415 - rows that need it are rare

    return parsed(text)


@condition("too-many-properties")
def too_many_properties(value: Any) -> bool:
    """A property string of more than 32767 octets.

    >>> too_many_properties([("k", "v" * 32767)]), too_many_properties("v")
    (True, False)
    """
    if isinstance(value, str):
        return len(value.encode()) > 32767
    return sum(len(name.encode()) + len(text.encode()) + 2 for name, text in value) > 32767


@transform("rocketmq-body-of-kind", gives="body", passes=True)
def rocketmq_body_of_kind(value: bytes, kind: str | None) -> Body | NotMine:
    """As `body_of_kind`, where an empty body is one zero octet.

    >>> rocketmq_body_of_kind(b"\\0", "empty"), rocketmq_body_of_kind(b"\\0", "empty-value-null").value.type
    (Data(sections=[b'']), 'null')
    """
    if kind is not None and kind.startswith("empty") and value == b"\0":
        return Data([b""]) if kind == "empty" else body_of_kind(b"", kind[6:] if kind[5] == "-" else None)
    return body_of_kind(value, kind)


@condition("rocketmq-says-body")
def rocketmq_says_body(value: Any, payload: Any) -> bool:
    """A body kind of RocketMQ that the payload beside it fits.

    >>> rocketmq_says_body("empty", b"\\0"), rocketmq_says_body("empty", b"a")
    (True, False)
    """
    return not isinstance(rocketmq_body_of_kind(payload, value), NotMine)


@transform("rocketmq-body-kind", gives="str", passes=True)
def rocketmq_body_kind(value: Body, annotations: list[Entry] | None) -> str | NotMine:
    """What says the kind of a body, `empty` where it is to be one zero octet: not in a message that came from RocketMQ, which
    its annotations tell, since that one was empty before.

    >>> from mqconvert.converters.protocols.amqp10.message import AmqpValue
    >>> null = AmqpValue(TypedValue("null", None))
    >>> rocketmq_body_kind(Data([b""]), None), rocketmq_body_kind(null, [Entry("k", "int", 1)])
    ('empty', 'empty-value-null')
    """
    octets, kind = payload_and_kind(value)
    if octets or any(str(entry.key).startswith("x-opt-rocketmq-") for entry in annotations or ()):
        return NOT_MINE if kind is None else kind
    return "empty" if kind is None else f"empty-{kind}"


@condition("marked-empty")
def marked_empty(value: Any, kind: str | None) -> bool:
    """No octets, and a property that says so.

    >>> marked_empty(b"", "empty-value-null"), marked_empty(b"", None)
    (True, False)
    """
    return not value and kind is not None and kind.startswith("empty")


STORED = frozenset(
    f"x-opt-rocketmq-{name}"
    for name in (
        "store-timestamp", "queue-offset", "commit-log-offset", "born-host", "store-host", "prepared-transaction-offset",
        "magic",
    )
)  # fmt: skip
"""Annotations of what only a stored record holds."""

SENT = frozenset(
    f"x-opt-rocketmq-{name}"
    for name in (
        "max-reconsume-times", "producer-group", "default-topic", "default-topic-queue-nums", "unit-mode", "broker-name",
        "batch-index", "batch-size", "batch-properties", "batch-flag",
    )
)  # fmt: skip
"""Annotations of what only a request that sends holds; beside those that begin x-opt-rocketmq-ext-."""


def _record(frame: Any, kind: Typed, stored: Typed) -> bool:
    """Whether a stored record is to be built: the caller, the annotation of the type or that of the record's time says so."""
    if frame is not None:
        return bool(frame == "record")
    if is_text(kind, "record"):
        return True
    return stored is not None and isinstance(stated_as(stored.value, stored.type, "timestamp"), int | Partial)


@condition("of-stored-record")
def of_stored_record(value: Any, type_: Any, frame: Any, kind: Typed, stored: Typed) -> bool:  # noqa: ARG001 - as rows read
    """A stored record is to be built: `kind` and `stored` are the annotations of the frame's type and of the record's time.

    >>> of_stored_record(1, "long", "record", None, None), of_stored_record(1, "long", None, None, None)
    (True, False)
    """
    return _record(frame, kind, stored)


@condition("of-request")
def of_request(value: Any, type_: Any, frame: Any, kind: Typed, stored: Typed) -> bool:  # noqa: ARG001 - as rows read
    """A request that sends is to be built: a stored record has no place for its fields.

    >>> of_request("g", "string", "send", None, None)
    True
    """
    return not _record(frame, kind, stored)


@condition("record-asked")
def record_asked(value: Any, frame: Any, kind: Typed, stored: Typed) -> bool:  # noqa: ARG001 - conditions get the value first
    """As `of-stored-record`, in rows whose value has no type of its own.

    >>> record_asked(1, None, TypedValue("string", "record"), None)
    True
    """
    return _record(frame, kind, stored)


@condition("request-asked")
def request_asked(value: Any, frame: Any, kind: Typed, stored: Typed) -> bool:  # noqa: ARG001 - conditions get the value first
    """As `of-request`, in rows whose value has no type of its own.

    >>> request_asked("g", None, None, None)
    True
    """
    return not _record(frame, kind, stored)


@condition("record-without-clock")
def record_without_clock(value: Any, frame: Any, kind: Typed, stored: Typed, clock: int | None) -> bool:  # noqa: ARG001 - as above
    """A stored record is to be built, and the caller gives no clock.

    >>> record_without_clock(1, "record", None, None, None), record_without_clock(1, "record", None, None, 5)
    (True, False)
    """
    return clock is None and _record(frame, kind, stored)


@condition("record-frame")
def record_frame(value: Any, frame: Any) -> bool:
    """The annotation of the type asks for a stored record, and the caller leaves it to that.

    >>> record_frame("record", None), record_frame("send", None), record_frame("record", "send")
    (True, False, False)
    """
    return bool(value == "record") and frame is None


@condition("of-batch-request")
def of_batch_request(
    value: Any,  # noqa: ARG001 - as rows read
    type_: Any,  # noqa: ARG001 - as rows read
    frame: Any,
    kind: Typed,
    stored: Typed,
    index: Typed,
    size: Typed,
) -> bool:
    """A request, and the message was a member of a batch: its place in it and the size are there and can be read.

    >>> place = TypedValue("uint", 0), TypedValue("uint", 2)
    >>> of_batch_request(1, "uint", None, None, None, *place), of_batch_request(1, "uint", None, None, None, None, None)
    (True, False)
    """
    if index is None or size is None:
        return False
    place, of = kept(stated_as(index.value, index.type, "uint")), kept(stated_as(size.value, size.type, "uint"))
    return place is not None and of is not None and place < of and not _record(frame, kind, stored)


@condition("of-the-other-frame")
def of_the_other_frame(value: Any, key: Any, frame: Any) -> bool:  # noqa: ARG001 - it is the key that counts
    """An annotation of what only the frame holds that the caller did not ask for.

    >>> of_the_other_frame(1, "x-opt-rocketmq-queue-offset", "send"), of_the_other_frame(1, "x-opt-rocketmq-queue-offset", None)
    (True, False)
    """
    if frame == "send":
        return key in STORED
    return frame is not None and (key in SENT or key.startswith("x-opt-rocketmq-ext-"))


EXT = "x-opt-rocketmq-ext-"


@condition("undefined-field")
def undefined_field(
    value: Any,
    type_: Any,
    frame: Any,
    kind: Typed,
    stored: Typed,
    index: Typed,
    size: Typed,
    key: str,
    annotations: list[Entry] | None,
) -> bool:
    """A field of a request that sends, but none that this defines; of letters and long names one kind may be anyone's.

    >>> undefined_field("v", "string", None, None, None, None, None, "x-opt-rocketmq-ext-k", None)
    True
    """
    from mqconvert.converters.protocols.rocketmq.codec import LONG_NAMES, SHORT_NAMES  # noqa: PLC0415 - beside its only use

    if _record(frame, kind, stored):
        return False
    own = key[len(EXT) :]
    if own not in SHORT_NAMES and own not in LONG_NAMES:
        return True
    names = {str(entry.key)[len(EXT) :] for entry in annotations or () if str(entry.key).startswith(EXT)}
    if own in SHORT_NAMES and of_batch_request(value, type_, frame, kind, stored, index, size):
        return False
    return not (names & SHORT_NAMES and names & LONG_NAMES)


@condition("known-compression")
def known_compression(value: Any, type_: Any) -> bool:
    """Bits that say of no compression, or of one that there is.

    >>> known_compression(0x301, "int"), known_compression(0x701, "int"), known_compression(0x700, "int")
    (True, False, True)
    """
    bits = kept(stated_as(value, type_, "int"))
    return bits is not None and not (bits & 1 and bits >> 8 & 7 > 3)


@condition("second-magic")
def second_magic(value: Any, type_: Any, frame: Any, kind: Typed, stored: Typed) -> bool:
    """The magic of a stored record that is not the usual one.

    >>> second_magic(0xDAA320AB, "uint", "record", None, None), second_magic(5, "uint", "record", None, None)
    (True, False)
    """
    from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE_V2  # noqa: PLC0415 - beside its only use

    return kept(stated_as(value, type_, "uint")) == MESSAGE_MAGIC_CODE_V2 and _record(frame, kind, stored)


@condition("born-host")
def born_host(value: Any, type_: Any, frame: Any, kind: Typed, stored: Typed, bits: Typed) -> bool:  # noqa: ARG001 - as rows read
    """A host of a stored record, of the kind that the bits of sysFlag say.

    >>> [born_host(host, "", "record", None, None, None) for host in ("192.0.2.1:5", "nohost", "[::1]:5", b"192.0.2.1:5")]
    [True, False, False, False]
    """
    return _record(frame, kind, stored) and _is_host(value, 0x10, bits)


@condition("store-host")
def store_host(value: Any, type_: Any, frame: Any, kind: Typed, stored: Typed, bits: Typed) -> bool:  # noqa: ARG001 - as rows read
    """The same of the host that stored it.

    >>> store_host("[::1]:5", "string", "record", None, None, TypedValue("int", 0x20))
    True
    """
    return _record(frame, kind, stored) and _is_host(value, 0x20, bits)


def _is_host(text: Any, bit: int, bits: Typed) -> bool:
    from mqconvert.converters.protocols.rocketmq.codec import host_octets  # noqa: PLC0415 - beside its only use
    from mqconvert.converters.protocols.rocketmq.message import Message as Native  # noqa: PLC0415 - beside its only use

    if not isinstance(text, str):
        return False
    known = bits is not None and known_compression(bits.value, bits.type)
    flags = (kept(stated_as(bits.value, bits.type, "int")) or 0) if known and bits is not None else 0
    try:
        host_octets(Native(born_host=text, sys_flag=flags), "born_host", bit)
    except EncodeError:
        return False
    return True

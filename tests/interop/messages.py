"""Hypothesis strategies by protocol for messages that real clients can send and RabbitMQ 4.0 accepts.

They omit values on which the broker refuses the message or crashes (see docs/differences.md): decimals, chars, uuids, NaN
and infinities in maps, arrays towards MQTT, null as an annotation (on a stream), ulongs in lists, described values in maps, a
malformed `urn:uuid:`, header names that only brokers write. A user id must be that of the connection. U+FEFF is omitted because
paho refuses it. U+0000 occurs in values of headers only: clients cannot send it elsewhere.
"""

from dataclasses import replace
from typing import Any

from hypothesis import strategies as st

from mqconvert import encode
from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.entries import entry

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff")
TEXT = st.text(CHARACTERS, max_size=20)
ASCII = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=20)
SYMBOLS = ASCII.filter(lambda text: text != "None")
"""Content types and encodings, without the text "None", which proton reads as unset."""
WORDS = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyz0123456789-._"), min_size=1, max_size=12)
BYTES = st.binary(max_size=40)
URNS = st.uuids().map(lambda made: f"urn:uuid:{made}")
EXPIRY = st.integers(600, 10**8)
"""Seconds: too long to expire during the suite, and below RabbitMQ's ten years."""
X_KEYS = WORDS.map(lambda word: f"x-{word}").filter(
    lambda key: not key.startswith(("x-basic", "x-opt", "x-death", "x-stream", "x-exchange", "x-routing-key", "x-cc"))
)
KEYS = TEXT.filter(lambda key: not key.startswith("x-") and key not in ("CC", "BCC"))
TOPICS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\ufeff+#"), min_size=1, max_size=20)


def with_body(message: amqp10.Message) -> amqp10.Message:
    """Return the message with a body, for RocketMQ: its clients refuse empty ones."""
    body = message.body
    empty = body is None or (isinstance(body, amqp10.Data) and not any(body.sections))
    empty = empty or (isinstance(body, amqp10.AmqpValue) and body.value.value in (None, "", b""))
    return replace(message, body=amqp10.Data([b"filled"])) if empty else message


def maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def typed(type_: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[TypedValue]:
    return values.map(lambda value: TypedValue(type_, value))


def entries(
    keys: st.SearchStrategy[Any],
    values: st.SearchStrategy[Any],
    others: st.SearchStrategy[Entry] | None = None,
    *,
    most: int = 4,
) -> st.SearchStrategy[list[Entry]]:
    made = st.builds(entry, keys, values)
    return st.lists(made if others is None else made | others, max_size=most, unique_by=lambda one: one.key)


def bits(count: int, *, signed: bool = False) -> st.SearchStrategy[int]:
    return st.integers(-(2 ** (count - 1)), 2 ** (count - 1) - 1) if signed else st.integers(0, 2**count - 1)


# ---- AMQP 0.9.1: messages that pika can send -----------------------------------------------------------------------------

LONGSTRS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\ufeff"), max_size=300).map(str.encode)
HEADER_SIMPLE = st.one_of(
    typed("longstr", LONGSTRS),
    typed("binary", BYTES),
    typed("bool", st.booleans()),
    typed("signedint", bits(32, signed=True)),
    typed("long", bits(64, signed=True)),
    typed("timestamp", st.integers(0, 253_402_300_799)),
    typed("void", st.none()),
)
HEADER_VALUES = st.recursive(
    HEADER_SIMPLE,
    lambda inner: typed("array", st.lists(inner, max_size=3)) | typed("table", entries(WORDS, inner, most=3)),
    max_leaves=5,
)
SPECIAL_HEADERS = st.sampled_from(
    [
        Entry("CC", "array", [TypedValue("longstr", b"nowhere")]),
        Entry("BCC", "array", [TypedValue("longstr", b"nowhere")]),
        Entry("x-reply-to-topic", "longstr", b"a.b.c"),
        Entry("x-correlation-id", "longstr", b"correlated"),
        Entry("x-message-id", "longstr", b"identified"),
    ]
)
HEADERS = entries(KEYS | X_KEYS, HEADER_VALUES, SPECIAL_HEADERS, most=5)
SECTIONS: st.SearchStrategy[amqp10.Body] = st.sampled_from(
    [
        amqp10.Data([b"octets"]),
        amqp10.AmqpValue(TypedValue("string", "text")),
        amqp10.AmqpValue(TypedValue("map", [Entry(TypedValue("symbol", "k"), "uint", 7)])),
        amqp10.AmqpSequence([[TypedValue("boolean", True)], [TypedValue("null", None)]]),
    ]
)


@st.composite
def amqp091_messages(draw: st.DrawFn) -> amqp091.Message:
    basic = amqp091.BasicProperties(
        content_type=draw(maybe(ASCII)),
        content_encoding=draw(maybe(ASCII)),
        headers=draw(maybe(HEADERS)),
        delivery_mode=draw(st.sampled_from([None, 1, 2])),
        priority=draw(maybe(bits(8))),
        correlation_id=draw(maybe(TEXT | URNS)),
        reply_to=draw(maybe(TEXT)),
        expiration=draw(maybe(EXPIRY.map(lambda seconds: str(seconds * 1000 + 7)))),
        message_id=draw(maybe(TEXT | URNS)),
        timestamp=draw(maybe(bits(40) | bits(64))),
        type=draw(maybe(TEXT)),
        user_id=draw(st.sampled_from([None, "guest"])),
        app_id=draw(maybe(TEXT)),
        cluster_id=draw(maybe(TEXT)),
    )
    return amqp091.Message(basic, draw(st.binary(max_size=100)))


@st.composite
def encoded_sections(draw: st.DrawFn) -> amqp091.Message:
    """Return a payload of AMQP 1.0 sections with its `type`, RabbitMQ's form of a structured AMQP 1.0 body."""
    message = draw(amqp091_messages())
    message.basic.type = "amqp-1.0"
    message.payload = encode(amqp10.Message(body=draw(SECTIONS)))
    return message


# ---- AMQP 1.0: messages that proton can send ------------------------------------------------------------------------------

NUMBERS = st.one_of(
    typed("boolean", st.booleans()),
    typed("ubyte", bits(8)),
    typed("ushort", bits(16)),
    typed("uint", bits(32)),
    typed("byte", bits(8, signed=True)),
    typed("short", bits(16, signed=True)),
    typed("int", bits(32, signed=True)),
    typed("long", bits(64, signed=True)),
    typed("float", st.floats(width=32, allow_nan=False, allow_infinity=False)),
    typed("double", st.floats(allow_nan=False, allow_infinity=False)),
    typed("timestamp", st.integers(0, 2**45)),
)
STRINGS = typed("string", st.text(CHARACTERS, max_size=300))
NESTED = st.one_of(NUMBERS, STRINGS, typed("symbol", ASCII), typed("binary", BYTES), typed("null", st.none()))
SIMPLE = NESTED | typed("ulong", bits(63))
ARRAYS = typed(
    "array",
    st.builds(Array, st.just("string"), st.lists(TEXT, max_size=3))
    | st.builds(Array, st.just("int"), st.lists(bits(32, signed=True))),
)
COMPOUND = st.recursive(
    NESTED,
    lambda inner: (
        typed("list", st.lists(inner, max_size=3))
        | typed(
            "map",
            st.lists(
                st.builds(entry, typed("string", TEXT) | typed("symbol", ASCII), inner),
                max_size=3,
                unique_by=lambda one: one.key.value,
            ),
        )
    ),
    max_leaves=5,
)
UUIDS = typed("uuid", st.uuids().map(lambda made: made.bytes))
IDS = st.one_of(typed("ulong", bits(64)), UUIDS, typed("binary", BYTES), typed("string", st.text(CHARACTERS, max_size=300)))
BODIES = st.one_of(
    st.builds(amqp10.Data, st.lists(BYTES, min_size=1, max_size=1)),
    st.builds(amqp10.AmqpSequence, st.lists(st.lists(COMPOUND, max_size=3), min_size=1, max_size=1)),
    st.builds(amqp10.AmqpValue, STRINGS | typed("binary", BYTES)),
    st.builds(amqp10.AmqpValue, (COMPOUND | UUIDS | ARRAYS).filter(lambda value: value.type != "null")),
)
SPECIAL_ANNOTATIONS = st.sampled_from(
    [
        Entry("x-cc", "list", [TypedValue("string", "nowhere")]),
        Entry("x-basic-type", "string", "a type"),
        Entry("x-basic-priority", "ubyte", 3),
        Entry("x-basic-delivery-mode", "ubyte", 1),
        Entry("x-basic-expiration", "string", "700000"),
        Entry("x-basic-other", "string", "kept from 0.9.1"),
        Entry("x-opt-anything", "symbol", "passed on"),
    ]
)
REPLIES = TEXT | WORDS.map(lambda word: f"/exchanges/amq.topic/{word}") | WORDS.map(lambda word: f"/queues/{word}")


@st.composite
def amqp10_messages(draw: st.DrawFn, *, arrays: bool) -> amqp10.Message:
    values = SIMPLE | COMPOUND | ARRAYS if arrays else SIMPLE | COMPOUND
    annotations = entries(X_KEYS, values, SPECIAL_ANNOTATIONS)
    header = amqp10.Header(
        durable=draw(st.sampled_from([None, True])),
        priority=draw(maybe(bits(8).filter(lambda number: number != 4))),
        ttl=draw(maybe(st.integers(600_000, 2**32 - 1))),
        first_acquirer=draw(st.sampled_from([None, True])),
        delivery_count=draw(maybe(st.integers(1, 5))),
    )
    names = TEXT | X_KEYS | st.sampled_from(["CC", "BCC", "x-basic-type", "x-message-id"])
    properties = amqp10.Properties(
        message_id=draw(maybe(IDS)),
        user_id=draw(st.sampled_from([None, b"guest"])),
        subject=draw(maybe(TEXT)),
        reply_to=draw(maybe(REPLIES)),
        correlation_id=draw(maybe(IDS)),
        content_type=draw(maybe(SYMBOLS)),
        content_encoding=draw(maybe(SYMBOLS)),
        absolute_expiry_time=draw(maybe(st.integers(2 * 10**12, 10**13))),
        creation_time=draw(maybe(st.integers(1, 2**45))),
        group_id=draw(maybe(TEXT)),
        group_sequence=draw(maybe(st.integers(1, 2**32 - 1))),
        reply_to_group_id=draw(maybe(TEXT)),
    )
    return amqp10.Message(
        header=header,
        delivery_annotations=draw(maybe(annotations)),
        message_annotations=draw(maybe(annotations)),
        properties=properties,
        application_properties=draw(maybe(entries(names, SIMPLE))),
        body=draw(BODIES),
    )


# ---- MQTT 5.0: messages that paho can send ---------------------------------------------------------------------------------

PAYLOADS = st.binary(max_size=100) | st.binary(min_size=1, max_size=10).map(lambda part: part * 60)
"""Payloads, some so long that the packet's length takes two bytes."""


@st.composite
def mqtt5_messages(draw: st.DrawFn) -> mqtt5.Message:
    names = TEXT | X_KEYS | st.sampled_from(["x-reply-to-topic", "x-correlation-id", "x-basic-type", "CC", "twice"])
    return mqtt5.Message(
        qos=draw(st.integers(0, 1)),
        topic_name="told/later",
        payload_format_indicator=draw(maybe(st.integers(0, 1))),
        message_expiry_interval=draw(maybe(EXPIRY)),
        response_topic=draw(maybe(TOPICS)),
        correlation_data=draw(maybe(BYTES | URNS.map(str.encode))),
        user_properties=draw(maybe(st.lists(st.tuples(names, TEXT), min_size=1, max_size=5))),
        content_type=draw(maybe(TEXT)),
        payload=draw(PAYLOADS),
    )


def mqtt311_messages() -> st.SearchStrategy[mqtt311.Message]:
    return st.builds(mqtt311.Message, qos=st.integers(0, 1), topic_name=st.just("told/later"), payload=PAYLOADS)


MQTT = {"mqtt-5.0": mqtt5_messages, "mqtt-3.1.1": mqtt311_messages}


def messages(source: str, target: str, kind: str) -> st.SearchStrategy[Any]:
    """Return messages of `source` that RabbitMQ delivers over a queue of `kind` to a consumer of `target`."""
    if source in MQTT:
        return MQTT[source]()
    if source == "amqp-1.0":
        made: st.SearchStrategy[Any] = amqp10_messages(arrays=target not in MQTT)
    else:
        made = st.one_of(amqp091_messages(), amqp091_messages(), encoded_sections())
    return made.filter(_no_null_annotation) if kind == "stream" else made


def _no_null_annotation(message: Any) -> bool:
    annotations = message.message_annotations if isinstance(message, amqp10.Message) else message.basic.headers
    return all(entry.type not in ("null", "void") for entry in annotations or [])

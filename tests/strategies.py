"""Hypothesis strategies for all messages that the codecs can write: all fields, all types, nested values.

They go beyond the messages of a well-behaved client. They draw these as often as plain values: equal keys, invalid UTF-8 where
the wire keeps bytes, NaN, strings around each limit of the rule tables, keys and texts that rows name, and AMQP 1.0 sections as
payloads.
"""

import fcntl
import pickle
import pkgutil
from collections.abc import Iterator
from dataclasses import fields
from functools import partial
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, ConversionError, EncodeError, convert, converters, encode, rule_tables
from mqconvert.converters.model.places import places
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.protocols.rocketmq.codec import parse_properties
from mqconvert.converters.protocols.rocketmq.message import SYSTEM_NAMES
from tests.entries import by_key, entry

Values = st.SearchStrategy[Any]


DEEP = 150
"""Examples of a random test in the deep lane; the fast lane has a fifth of them (tests/conftest.py)."""


def examples(number: int) -> settings:
    """Return settings for `number` examples in the deep lane, and for a fifth of them in the fast one."""
    return settings(max_examples=max(3, number * settings().max_examples // DEEP))


def _maybe(values: Values) -> Values:
    return st.none() | values


def _bits(bits: int, *, signed: bool = False) -> Values:
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    return st.integers(low, high) | st.sampled_from([low, high, 0, 1])


def _typed(type_: str, values: Values) -> Values:
    return values.map(lambda value: TypedValue(type_, value))


def _pairs(keys: Values, values: Values, *, most: int = 4) -> Values:
    """Return pairs, some of them with equal keys, adjacent or not."""
    return st.lists(st.tuples(keys, values) | st.tuples(st.just("x-twice"), values), max_size=most)


def _entries(keys: Values, values: Values, *, most: int = 4) -> Values:
    return _pairs(keys, values, most=most).map(lambda pairs: [entry(*pair) for pair in pairs])


# ---- texts ----------------------------------------------------------------------------------------------------------

URN = "urn:uuid:550e8400-e29b-41d4-a716-446655440000"
TELLING = [
    *("", "0", "5", "+5", "-1", "007", "4294967295", "4294967296", "315360000000", "315360000001", "5.0", "1" * 21),
    *(URN, URN.upper(), URN[:-1] + "g", URN.replace("-", ""), URN.replace("e29b-", "e2-9b")),
    *("/queues/q", "/queues/a%2Fb", "/queues/a/b", "/queues/%zz", "/exchanges/amq.topic/a.%2A", "/exchanges/amq.topic/%ff"),
    *("/exchanges/amq.topic/", "/exchanges/other/a", "/exchanges/amq.topic/a.%23", "a.b.*", "a/b", "amqp-1.0"),
    *("message/vnd.rabbitmq.amqp", "text/plain", "x-", "X-a", "é", "\U0001f430", "x-é"),
]
"""Texts that a condition or transform of the tables inspects."""
LENGTHS = (255, 256, 257, 4096, 4097, 65535, 65536)
"""Lengths around the limits of the tables and protocols."""


def _long(length: int, letter: str) -> str:
    return letter * (length // len(letter.encode()))


def _texts(*, nul: bool = True, most: int | None = None, ascii_only: bool = False) -> Values:
    characters = st.characters(
        exclude_categories=["Cs"], exclude_characters="" if nul else "\0", max_codepoint=127 if ascii_only else None
    )
    long = st.builds(_long, st.sampled_from(LENGTHS), st.sampled_from(["a", "é"]))
    chosen = st.one_of(st.text(characters, max_size=8), st.sampled_from(TELLING), long)
    kept = chosen if not ascii_only else chosen.filter(str.isascii)
    return kept if most is None else kept.filter(lambda text: len(text.encode()) <= most)


TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ASCII = st.text(st.characters(max_codepoint=127, exclude_characters="\0"), max_size=20)
STRINGS = _texts()
SYMBOLS = _texts(ascii_only=True)
MQTT_TEXTS = _texts(nul=False, most=65535)
TOPICS = MQTT_TEXTS.map(lambda text: text.replace("+", "").replace("#", "")).filter(bool)
BYTES = st.one_of(st.binary(max_size=8), STRINGS.map(str.encode), st.sampled_from([b"\xff", b"a\0b", b"\xff" * 300]))
SHORTSTRS = st.one_of(
    _texts(most=255), st.binary(max_size=8).map(lambda raw: raw.decode("utf-8", "surrogateescape"))
)  # surrogate escapes (PEP 383) for invalid UTF-8


# ---- reserved names of the protocols ----------------------------------------------------------------------------------

BROKERS = {"nsq": nsq, "phpmq": phpmq, "rocketmq": rocketmq, "pulsar": pulsar}


def _fields(class_: type[Any], prefix: str = "") -> Iterator[str]:
    for field in fields(class_):
        yield prefix + field.name.replace("_", "-")
        if field.metadata["of"] is not None:
            yield from _fields(field.metadata["of"], f"{field.name}-")


ANNOTATION_NAMES = sorted(
    {f"x-opt-{name}-{field}" for name, module in BROKERS.items() for field in (*_fields(module.Message), "type", "properties")}
    | {f"x-opt-rocketmq-{kind}-{name}" for kind in ("prop", "ext") for name in ("KEYS", "TTL", "WAIT", "a", "topic", "k")}
    | {f"x-opt-delivery-{name}" for name in ("time", "delay", "count")}
    | {"x-opt-amqp-to", "x-opt-amqp-type.k", "x-opt-partition-key", "x-basic-type", "x-cc", "x-opt-jms-dest", "x-opt-deaths"}
)
"""Keys of annotations that have, or could have, a meaning in some protocol, even if no row names them."""
_OF_AMQP = sorted(
    {
        f"amqp-{name.partition('-')[2] or name}"
        for name in _fields(amqp10.Message)
        if name.startswith(("header-", "properties-"))
    }
)
PROPERTY_NAMES = sorted(
    {*_OF_AMQP, *SYSTEM_NAMES, *ANNOTATION_NAMES, "amqp-body", "amqp-x", "amqp-b64.k", "amqp-b64n.aw==", "__RMQ.TRANSIENT.a"}
    | {f"amqp-{kind}.{name}" for kind in ("ap", "ma", "ft", "type") for name in ("k", "x-k", "", "amqp-ap.k", *_OF_AMQP[:4])}
)
"""Names of properties of RocketMQ and Pulsar that have, or could have, a meaning for some reader."""
SAID = st.sampled_from(
    [
        "5",
        "true",
        "false",
        "-1",
        "",
        "a",
        "YQ==",
        "int",
        "ulong",
        "binary",
        "value-string",
        "value-null",
        "empty",
        "data:1,2",
        "=",
        "1:2:-1:-1",
    ]
)


# ---- AMQP 1.0 -------------------------------------------------------------------------------------------------------

AMQP10_PLAIN: dict[str, Values] = {
    "null": st.none(),
    "boolean": st.booleans(),
    "ubyte": _bits(8),
    "ushort": _bits(16),
    "uint": _bits(32),
    "ulong": _bits(64),
    "byte": _bits(8, signed=True),
    "short": _bits(16, signed=True),
    "int": _bits(32, signed=True),
    "long": _bits(64, signed=True),
    "float": st.floats(width=32),
    "double": st.floats(),
    "decimal32": st.binary(min_size=4, max_size=4),
    "decimal64": st.binary(min_size=8, max_size=8),
    "decimal128": st.binary(min_size=16, max_size=16),
    "char": st.integers(0, 0x10FFFF) | st.sampled_from([0, 0xD7FF, 0xE000]),
    "timestamp": _bits(64, signed=True) | st.sampled_from([-1500, -1000, -999, 999, 1000, 1500]),
    "uuid": st.binary(min_size=16, max_size=16),
    "binary": BYTES,
    "string": STRINGS,
    "symbol": SYMBOLS,
}
AMQP10_SIMPLE = st.sampled_from(sorted(AMQP10_PLAIN)).flatmap(lambda type_: _typed(type_, AMQP10_PLAIN[type_]))
DEATH = [
    Entry(TypedValue("symbol", "queue"), "string", "q"),
    Entry(TypedValue("symbol", "reason"), "symbol", "expired"),
    Entry(TypedValue("symbol", "count"), "ulong", 2),
    Entry(TypedValue("symbol", "first-time"), "timestamp", 1_700_000_000_500),
    Entry(TypedValue("symbol", "exchange"), "string", ""),
    Entry(TypedValue("symbol", "routing-keys"), "array", Array("string", ["k"])),
]
"""One entry of RabbitMQ's `x-opt-deaths`."""


def _amqp10_compound(inner: Values) -> Values:
    lists = st.lists(inner, max_size=3)
    maps = _pairs(AMQP10_SIMPLE, inner, most=3).map(
        lambda pairs: [entry(key if isinstance(key, TypedValue) else TypedValue("string", key), value) for key, value in pairs]
    )
    plain = st.sampled_from(sorted(AMQP10_PLAIN)).flatmap(
        lambda of: st.lists(AMQP10_PLAIN[of], max_size=3).map(lambda values: Array(of, values))
    )
    of_lists = st.lists(lists, max_size=3).map(lambda values: Array("list", values))
    of_maps = st.lists(maps | st.just(DEATH), max_size=2).map(lambda values: Array("map", values))
    of_arrays = st.lists(plain, max_size=2).map(lambda values: Array("array", values))
    shared = st.tuples(plain, SYMBOLS).map(
        lambda made: Array(made[0].of, made[0].values, (TypedValue("symbol", made[1]),))
    )  # elements that share a descriptor
    described = st.tuples(_typed("symbol", SYMBOLS) | _typed("ulong", _bits(64)), inner).map(lambda pair: Described(*pair))
    return st.one_of(
        _typed("list", lists),
        _typed("map", maps),
        _typed("array", st.one_of(plain, of_lists, of_maps, of_arrays, shared)),
        _typed("described", described),
    )


AMQP10_VALUES = st.recursive(AMQP10_SIMPLE, _amqp10_compound, max_leaves=6)


def _keys_of_rows(source: str) -> list[str]:
    """Return the keys that rows of tables from a protocol name, so that examples reach each of these rows."""
    tables = (table for profile in ("documented", "rabbitmq-4.3") for table in rule_tables(profile))
    patterns = {rule.source_pattern for table in tables if table.source == source for rule in table.rules}
    return sorted(pattern.replace("*", "a") for pattern in patterns if pattern not in (None, "*"))


def _amqp10_messages(values: Values, bodies: Values) -> st.SearchStrategy[amqp10.Message]:
    plain = AMQP10_PLAIN
    ids = st.sampled_from(["ulong", "uuid", "binary", "string"]).flatmap(lambda type_: _typed(type_, plain[type_]))
    keys = st.one_of(
        st.sampled_from(_keys_of_rows("amqp-1.0")),
        st.sampled_from(ANNOTATION_NAMES),
        SYMBOLS,
        SYMBOLS.map("x-".__add__),
        _bits(64),
    )
    annotations = _entries(keys, values)
    seconds, count = _maybe(plain["timestamp"]), _maybe(_bits(32))
    string, symbol = _maybe(STRINGS), _maybe(SYMBOLS)
    header = st.builds(amqp10.Header, _maybe(st.booleans()), _maybe(_bits(8)), count, _maybe(st.booleans()), count)
    properties = st.builds(
        amqp10.Properties,
        message_id=_maybe(ids),
        user_id=_maybe(BYTES),
        to=string,
        subject=string,
        reply_to=string,
        correlation_id=_maybe(ids),
        content_type=symbol,
        content_encoding=symbol,
        absolute_expiry_time=seconds,
        creation_time=seconds,
        group_id=string,
        group_sequence=count,
        reply_to_group_id=string,
    )
    application = _entries(st.sampled_from(_keys_of_rows("amqp-1.0") + PROPERTY_NAMES) | STRINGS, values)
    return st.builds(
        amqp10.Message,
        _maybe(header),
        _maybe(annotations),
        _maybe(annotations),
        _maybe(properties),
        _maybe(application),
        bodies,
        _maybe(annotations),
    )


AMQP10_BODIES = st.one_of(
    st.builds(amqp10.Data, st.lists(BYTES, min_size=1, max_size=3)),
    st.builds(amqp10.AmqpSequence, st.lists(st.lists(AMQP10_VALUES, max_size=3), min_size=1, max_size=2)),
    st.builds(amqp10.AmqpValue, AMQP10_VALUES),
)


def amqp10_messages() -> st.SearchStrategy[amqp10.Message]:
    """Return messages with any sections, with and without a body."""
    whole = _amqp10_messages(AMQP10_VALUES, AMQP10_BODIES)
    without_body = _amqp10_messages(AMQP10_SIMPLE, st.none()).filter(
        lambda message: any(getattr(message, name) is not None for name in message.__dataclass_fields__)
    )
    return st.one_of(whole, whole, whole, without_body)


AMQP10_SECTIONS = _amqp10_messages(AMQP10_SIMPLE, AMQP10_BODIES).map(encode) | st.sampled_from(
    [
        encode(amqp10.Message(properties=amqp10.Properties(to="t", message_id=TypedValue("ulong", 1)))),
        encode(amqp10.Message(application_properties=[Entry("k", "int", 1), Entry("l", "list", [])])),
        encode(amqp10.Message(message_annotations=[Entry("x-a", "string", "a"), Entry("x-a", "null", None)])),
        encode(amqp10.Message(footer=[Entry("x-f", "boolean", True)])),
        encode(amqp10.Message(body=amqp10.AmqpValue(TypedValue("string", "a")), footer=[Entry("x-f", "uint", 1)])),
    ]
)
"""Encoded sections of AMQP 1.0, the content of payloads of type `amqp-1.0` and of legacy headers."""


# ---- AMQP 0.9.1 -----------------------------------------------------------------------------------------------------

AMQP091_PLAIN: dict[str, Values] = {
    "bool": st.booleans(),
    "byte": _bits(8, signed=True),
    "unsignedbyte": _bits(8),
    "short": _bits(16, signed=True),
    "unsignedshort": _bits(16),
    "signedint": _bits(32, signed=True),
    "unsignedint": _bits(32),
    "long": _bits(64, signed=True),
    "float": st.floats(width=32),
    "double": st.floats(),
    "decimal": st.builds(Decimal091, _bits(8), st.integers(-(2**31), 2**31 - 1)),
    "longstr": BYTES | AMQP10_SECTIONS,
    "binary": BYTES | AMQP10_SECTIONS,
    "timestamp": _bits(64) | st.sampled_from([9223372036854775, 9223372036854776]),
    "void": st.none(),
}


def _amqp091_compound(inner: Values) -> Values:
    return st.one_of(_typed("array", st.lists(inner, max_size=3)), _typed("table", _entries(SHORTSTRS, inner, most=3)))


AMQP091_VALUES = st.recursive(
    st.sampled_from(sorted(AMQP091_PLAIN)).flatmap(lambda type_: _typed(type_, AMQP091_PLAIN[type_])),
    _amqp091_compound,
    max_leaves=6,
)


def amqp091_messages() -> st.SearchStrategy[amqp091.Message]:
    """Return contents with any properties, and both exchange and routing key or neither, as in method frames."""
    text = _maybe(SHORTSTRS)
    keys = st.sampled_from(_keys_of_rows("amqp-0.9.1")) | SHORTSTRS
    basic = st.builds(
        amqp091.BasicProperties,
        content_type=text,
        content_encoding=text,
        headers=_maybe(_entries(keys, AMQP091_VALUES, most=5)),
        delivery_mode=_maybe(st.sampled_from([1, 2]) | _bits(8)),
        priority=_maybe(_bits(8)),
        correlation_id=text,
        reply_to=text,
        expiration=text | st.integers(0, 10**12).map(str),
        message_id=text,
        timestamp=_maybe(AMQP091_PLAIN["timestamp"]),
        type=text | st.just("amqp-1.0"),
        user_id=text,
        app_id=text,
        cluster_id=text,
    )
    routed = st.tuples(SHORTSTRS, SHORTSTRS) | st.just((None, None))
    payload = st.binary(max_size=50) | AMQP10_SECTIONS | st.just(bytes(200_000))
    return st.builds(lambda made, raw, names: amqp091.Message(made, raw, *names), basic, payload, routed)


# ---- MQTT -----------------------------------------------------------------------------------------------------------


def mqtt5_messages() -> st.SearchStrategy[mqtt5.Message]:
    """Return PUBLISH packets with any properties; DUP and packet identifier fit the QoS (sections 3.3.1, 3.3.2.2)."""
    keys = st.one_of(st.sampled_from(_keys_of_rows("mqtt-5.0")), MQTT_TEXTS, st.sampled_from(["x-é", "x-reply-to-topic"]))
    return st.builds(
        _mqtt5,
        qos=st.integers(0, 2),
        dup=st.booleans(),
        retain=st.integers(0, 1),
        topic_name=TOPICS,
        packet_identifier=st.integers(1, 65535),
        payload_format_indicator=_maybe(st.integers(0, 1)),
        message_expiry_interval=_maybe(_bits(32)),
        topic_alias=_maybe(st.integers(1, 65535)),
        response_topic=_maybe(TOPICS),
        correlation_data=_maybe(BYTES.filter(lambda raw: len(raw) <= 65535)),
        user_properties=_maybe(_pairs(keys, MQTT_TEXTS).filter(bool)),
        subscription_identifiers=_maybe(st.lists(st.integers(1, 268_435_455), min_size=1, max_size=3)),
        content_type=_maybe(MQTT_TEXTS),
        payload=st.binary(max_size=50) | STRINGS.map(str.encode),
    )


def _mqtt5(*, qos: int, dup: bool, packet_identifier: int, **rest: Any) -> mqtt5.Message:
    return mqtt5.Message(dup=int(dup and qos > 0), qos=qos, packet_identifier=packet_identifier if qos else None, **rest)


def mqtt311_messages() -> st.SearchStrategy[mqtt311.Message]:
    """Return the packets of MQTT 5.0 without their properties."""
    return mqtt5_messages().map(lambda m: mqtt311.Message(m.dup, m.qos, m.retain, m.topic_name, m.packet_identifier, m.payload))


# ---- NSQ, PHPMQ, RocketMQ ---------------------------------------------------------------------------------------------

NSQ_NAMES = st.from_regex(r"[.a-zA-Z0-9_-]{1,54}(#ephemeral)?", fullmatch=True)
ENVELOPES = AMQP10_SECTIONS.map(b"AMQP\x00\x01\x00\x00".__add__)
"""Payloads with a whole message: the protocol header of AMQP 1.0 and its sections (decisions.md G3)."""
NSQ_BODIES = st.binary(min_size=1, max_size=300) | ENVELOPES


def nsq_messages() -> st.SearchStrategy[nsq.Message]:
    return st.one_of(
        st.builds(lambda topic, body: nsq.Message(topic, body=body), NSQ_NAMES, NSQ_BODIES),
        st.builds(
            lambda topic, body, ms: nsq.Message(topic, defer_ms=ms, body=body), NSQ_NAMES, NSQ_BODIES, st.integers(0, 3600000)
        ),
        st.builds(lambda topic, body: nsq.Message(topic, batch_index=0, batch_size=1, body=body), NSQ_NAMES, NSQ_BODIES),
        st.builds(
            partial(nsq.Message, None, None, frame="message"),
            timestamp=_bits(64, signed=True),
            attempts=_bits(16),
            message_id=st.binary(min_size=16, max_size=16),
            body=st.binary(max_size=300) | ENVELOPES,
        ),
    )


def phpmq_messages() -> st.SearchStrategy[phpmq.Message]:
    ttl = _bits(64, signed=True)
    contents = BYTES | ENVELOPES
    sends = st.builds(phpmq.Message, BYTES, contents, st.none(), ttl)
    return sends | st.builds(phpmq.Message, BYTES, contents, BYTES, ttl, st.just("dispatch"))


ROCKETMQ_TOPICS = st.from_regex(r"[a-zA-Z0-9%|_-]{1,20}", fullmatch=True)
ROCKETMQ_SYS_FLAGS = st.sampled_from([0, 2, 4, 8, 12, 0x800, -(2**31)])  # without the bits of the encoding
_NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x01\x02"), min_size=1, max_size=20)
_FILLED = TEXT.filter(bool)


def _unless(values: st.SearchStrategy[Any], default: Any) -> st.SearchStrategy[Any]:
    return _maybe(values.filter(lambda value: value != default))


def _rocketmq_content() -> dict[str, st.SearchStrategy[Any]]:
    telling = st.tuples(st.sampled_from(PROPERTY_NAMES), SAID.filter(bool))
    properties = st.lists(st.tuples(_NAMES, _NAMES) | telling, max_size=4)  # duplicate names, too
    texts = properties.map(lambda pairs: "".join(f"{name}\x01{value}\x02" for name, value in pairs))
    odd = st.text(st.sampled_from("\x01\x02ab"), max_size=12)
    return {
        "topic": ROCKETMQ_TOPICS,
        "body": st.binary(max_size=300),
        "text": texts | odd,
        "flag": _bits(32, signed=True),
        "queue_id": _bits(32, signed=True),
        "born_timestamp": _bits(64, signed=True),
        "reconsume_times": _bits(32, signed=True),
    }


def _rocketmq(text: str, **parts: Any) -> rocketmq.Message:
    properties, raw = parse_properties(text)
    return rocketmq.Message(properties=properties, raw_properties=raw, **parts)


def rocketmq_sends() -> st.SearchStrategy[rocketmq.Message]:
    extra = st.tuples(TEXT.filter(lambda name: name not in set("abcdefghijklmn")), TEXT)
    return st.builds(
        _rocketmq,
        **_rocketmq_content(),
        sys_flag=ROCKETMQ_SYS_FLAGS,
        producer_group=_FILLED,
        default_topic=_unless(_FILLED, "TBW102"),
        default_topic_queue_nums=_unless(_bits(32, signed=True), 4),
        unit_mode=st.sampled_from([None, True]),
        max_reconsume_times=_maybe(_bits(32, signed=True)),
        broker_name=_maybe(_FILLED),
        ext_fields=_maybe(st.lists(extra, min_size=1, max_size=3, unique_by=lambda pair: pair[0])),
    )


def rocketmq_records() -> st.SearchStrategy[rocketmq.Message]:
    ports = st.integers(0, 65535)
    v4 = st.builds("{}:{}".format, st.ip_addresses(v=4), ports)
    v6 = st.builds("[{}]:{}".format, st.ip_addresses(v=6, network="2001:db8::/32"), ports)
    return st.builds(
        _rocketmq,
        **_rocketmq_content(),
        sys_flag=ROCKETMQ_SYS_FLAGS,
        queue_offset=_bits(64, signed=True),
        physical_offset=_bits(64, signed=True),
        store_timestamp=_bits(64, signed=True),
        born_host=v4 | v6,
        store_host=v4 | v6,
        prepared_transaction_offset=_unless(_bits(64, signed=True), 0),
        magic=st.sampled_from([None, rocketmq.MESSAGE_MAGIC_CODE_V2]),
        frame=st.just("record"),
    )


def rocketmq_messages() -> st.SearchStrategy[rocketmq.Message]:
    return rocketmq_sends() | rocketmq_records()


PULSAR_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "int": _bits(32, signed=True),
    "uint": _bits(32),
    "long": _bits(64, signed=True),
    "ulong": _bits(64),
    "utf8": TEXT,
    "binary": BYTES,
    "utf8-pairs": st.lists(st.tuples(TEXT, TEXT) | st.tuples(st.sampled_from(PROPERTY_NAMES), SAID), min_size=1, max_size=4),
    "texts": st.lists(TEXT, min_size=1, max_size=3),
    "ints": st.lists(_bits(32, signed=True), min_size=1, max_size=3),
}
PULSAR_UNKNOWN = st.binary(max_size=20).map(lambda raw: bytes([0xFA, 0x3E, len(raw)]) + raw)  # field 1007


def _pulsar_part(class_: type[Any], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return parts of Pulsar messages with any fields set; `given` overrides the strategies of fields."""
    parts = {
        field.name: _maybe(PULSAR_FIELDS[field.metadata["types"][0]])
        for field in fields(class_)
        if field.metadata["types"][0] in PULSAR_FIELDS
    }
    return st.builds(class_, **parts | {"unknown": _maybe(PULSAR_UNKNOWN)} | given)


_PULSAR_PLAIN = _pulsar_part(
    pulsar.Message,
    payload=st.binary(max_size=300),
    producer_name=TEXT,
    sequence_id=_bits(64),
    publish_time=_bits(64),
    compression=_maybe(st.sampled_from(pulsar.COMPRESSIONS)),
    chunk_id=st.none(),
    redelivery_count=st.none(),
    broker_entry_metadata=_maybe(_pulsar_part(pulsar.BrokerEntryMetadata)),
)
_PULSAR_KEYS = st.lists(
    st.builds(pulsar.EncryptionKey, TEXT, BYTES, _maybe(PULSAR_FIELDS["utf8-pairs"])), min_size=1, max_size=2
)
_PULSAR_BATCH = _pulsar_part(pulsar.Batch, size=st.just(1), index=st.just(0), sequence_id=_bits(64), compacted_out=st.none())
_PULSAR_UNOPENED = st.builds(pulsar.Batch, st.integers(1, 2**31 - 1))


@st.composite
def pulsar_messages(draw: st.DrawFn) -> pulsar.Message:
    """Draw a single message, a chunk, an encrypted message or a batch of one, sent or delivered."""
    kind = draw(st.sampled_from(("single", "chunk", "encrypted", "batch")))
    message: pulsar.Message = draw(_PULSAR_PLAIN)
    if kind == "batch":
        message.batch = draw(_PULSAR_BATCH)
        message.sequence_id = draw(_maybe(_bits(64)))
    elif kind != "single":
        message.chunk_id = draw(PULSAR_FIELDS["int"]) if kind == "chunk" else None
        message.encryption_keys = draw(_PULSAR_KEYS) if kind == "encrypted" else None
        message.batch = draw(_maybe(_PULSAR_UNOPENED))
    if kind in ("single", "batch") and message.compression not in (None, "NONE"):
        message.uncompressed_size = None
    if draw(st.booleans()):
        index = 0 if kind == "batch" else draw(_bits(32, signed=True))
        message.message_id = f"{draw(_bits(64))}:{draw(_bits(64))}:{draw(_bits(32, signed=True))}:{index}"
        message.redelivery_count = draw(_maybe(_bits(32)))
        message.frame = "message"
    return message


# ---- protocols of other packages ----------------------------------------------------------------------------------------


def messages_of(protocol: Protocol) -> Values:
    """Return messages with values that the wire types of their fields allow and the codec can write."""
    made = {field.name: _field(protocol, field) for field in fields(protocol.message) if field.metadata["of"] is None}
    return st.builds(protocol.message, **made).filter(_can_be_written)


def _field(protocol: Protocol, field: Any) -> Values:
    kind = field.metadata["types"][0]
    place = places(protocol)[field.name]
    if place.keys is not None and place.values is not None:
        keys = st.sampled_from([*_keys_of_rows(protocol.name), "k"])
        values = _held(protocol, place.values.name)
        return _maybe(_pairs(keys | values, values)).map(lambda pairs: pairs or None)
    known = [_typed(type_, _held(protocol, type_)) for type_ in field.metadata["types"] if type_ in protocol.types]
    values = _held(protocol, kind) if len(known) == 1 else st.one_of(known)
    return _maybe(values) if field.default is None else values


def _held(protocol: Protocol, type_: str) -> Values:
    """Return valid values of a wire type: its samples, numbers within its bounds, and text or bytes that fit."""
    wire = protocol.types[type_]
    known = [value for _, value in wire.samples if wire.fault(value) is None]
    samples = st.sampled_from(range(len(known))).map(lambda at: known[at])  # Hypothesis writes out lists, and some are long
    if wire.bounds is not None:
        return samples | st.integers(*wire.bounds)
    anything = {"str": STRINGS, "bytes": BYTES}.get(wire.kind)
    if anything is None:
        return samples
    return st.tuples(samples, anything).map(lambda pair: pair[1] if wire.fault(pair[1]) is None else pair[0])


def _can_be_written(message: Any) -> bool:
    try:
        encode(message)
    except EncodeError:
        return False
    return True


class _Messages(dict[str, Values]):
    """Strategies by the name of a protocol; those of other packages are made on demand."""

    def __missing__(self, name: str) -> Values:
        self[name] = messages_of(PROTOCOLS[name])
        return self[name]


MESSAGES = _Messages(
    {
        "amqp-1.0": amqp10_messages(),
        "amqp-0.9.1": amqp091_messages(),
        "mqtt-5.0": mqtt5_messages(),
        "mqtt-3.1.1": mqtt311_messages(),
        "nsq": nsq_messages(),
        "phpmq": phpmq_messages(),
        "rocketmq": rocketmq_messages(),
        "pulsar": pulsar_messages(),
    }
)


# ---- messages that are drawn once -------------------------------------------------------------------------------------

KEPT = 150
"""Messages of each protocol that a run draws once for all tests with `DRAWN`."""
_kept: dict[str, list[bytes]] = {}
"""Pickled messages by protocol, short ones first, as Hypothesis shrinks to the first."""


def _draw(name: str) -> list[bytes]:
    drawn: list[bytes] = []

    @settings(max_examples=KEPT, database=None, phases=[Phase.generate])
    @given(MESSAGES[name])
    def keep(message: Any) -> None:
        drawn.append(pickle.dumps(message))

    keep()
    return sorted(set(drawn), key=lambda one: (len(one), one))


def _drawn(name: str) -> Values:
    return st.deferred(lambda: st.sampled_from(_kept[name]).map(pickle.loads))


class _Drawn(dict[str, Values]):
    """Strategies by the name of a protocol; messages of other packages' protocols are drawn anew."""

    def __missing__(self, name: str) -> Values:
        return MESSAGES[name]


_NEED_PACKAGES = tuple(f"{converters.__name__}.{name}" for name in ("clients", "columns", "spark"))


def load_library(package: ModuleType = converters) -> None:
    """Import the modules of the library, but those that need other packages.

    Hypothesis draws constants of the loaded modules: a test that loads one in the middle does not draw the same again.
    """
    for found in pkgutil.iter_modules(package.__path__, f"{package.__name__}."):
        if found.name not in _NEED_PACKAGES:
            module = import_module(found.name)
            if found.ispkg:
                load_library(module)


def draw_messages(folder: Path) -> None:
    """Draw the messages of DRAWN, which the first process keeps in the folder for the others.

    A test that drew them would nest one test of Hypothesis in another.
    """
    if _kept:
        return
    with (folder / "drawn.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        file = folder / "drawn.pickle"
        if not file.exists():
            file.write_bytes(pickle.dumps({name: _draw(name) for name in MESSAGES}))
    _kept.update(pickle.loads(file.read_bytes()))


DRAWN = _Drawn({name: _drawn(name) for name in MESSAGES})
"""Messages for tests of many routes, tables and profiles: to draw a message takes ten times as long as to convert it.

Tests of codecs draw from `MESSAGES`. Each draw gives a new object, which the test may change.
"""


# ---- messages of the hub with a part of a broker's annotations ---------------------------------------------------------

_TEXTS_OF_ANNOTATIONS = [
    *("", "a", "5", "true", "é", "x" * 70, "a\x01b\x02", "message", "record", "LZ4"),
    *("1:2:-1:-1", "1:2:3:4", "127.0.0.1:5", "[::1]:5", "%RETRY%a", "t#ephemeral"),
]
_ANNOTATIONS = st.one_of(
    _typed("string", st.sampled_from(_TEXTS_OF_ANNOTATIONS)),
    _typed("symbol", st.sampled_from(["a", "5", "LZ4"])),
    _typed("boolean", st.booleans()),
    _typed("binary", st.binary(max_size=3)),
    _typed("timestamp", _bits(64, signed=True)),
    _typed("list", st.just([])),
    _typed("null", st.none()),
    st.builds(TypedValue, st.sampled_from(["ubyte", "ushort", "uint", "ulong", "int", "long"]), st.integers(0, 5)),
)
_TELLING_KEYS = [
    *("k", "", "é", "x-k", "KEYS", "TAGS", "x-opt-pulsar-a", "x-opt-rocketmq-a", "x-opt-delivery-time", "amqp-message-id"),
    *("amqp-type.k", "amqp-type.", "amqp-type.KEYS", "amqp-type.amqp-ap.x", "amqp-ap.k", "amqp-ma.k", "amqp-ft.k"),
    *("amqp-body", "amqp-durable", "amqp-to", "amqp-ttl", "amqp-b64.k", "amqp-b64n.aw=="),
]
"""Keys with a meaning among the properties of RocketMQ and Pulsar."""


@st.composite
def mixed_messages(draw: st.DrawFn, protocol: str) -> amqp10.Message:
    """Draw a broker's message converted to the hub, without some of its annotations and with others of that broker.

    Such annotations contradict one another and the rest: a batch size without an index, a host without a record.
    """
    base = draw(DRAWN[protocol])
    try:
        message = convert(base, "amqp-1.0").message
    except ConversionError:
        message = amqp10.Message(body=amqp10.Data([b"a"]))
    known = {*_keys_of_rows("amqp-1.0"), *ANNOTATION_NAMES}
    keys = sorted(key for key in known if key.startswith(("x-opt-delivery-", f"x-opt-{protocol}-")))
    annotations = by_key(message.message_annotations)
    for key in draw(st.lists(st.sampled_from(sorted(annotations) or keys), max_size=3)):
        annotations.pop(key, None)
    others = st.sampled_from(keys) | st.sampled_from(keys) | st.sampled_from(ANNOTATION_NAMES) | SYMBOLS.map("x-".__add__)
    annotations |= draw(st.dictionaries(others, _ANNOTATIONS, max_size=3))
    message.message_annotations = [entry(*pair) for pair in annotations.items()] or None
    properties = by_key(message.application_properties) | draw(
        st.just({}) | st.dictionaries(st.sampled_from(_TELLING_KEYS + PROPERTY_NAMES), _ANNOTATIONS, max_size=3)
    )
    message.application_properties = [entry(*pair) for pair in properties.items()] or None
    message.properties = draw(st.just(message.properties) | _MIXED_PROPERTIES)
    message.body = draw(st.just(message.body) | AMQP10_BODIES)
    return message


_MIXED_PROPERTIES = _maybe(
    st.builds(
        amqp10.Properties,
        message_id=_maybe(st.sampled_from([TypedValue("string", "0" * 16), TypedValue("ulong", 7)])),
        to=_maybe(st.sampled_from(["", "t", "a/b", "a_2Fb", "t#ephemeral", "non-persistent://a/b/c"])),
        subject=_maybe(st.sampled_from(["", "s", "a||b"])),
        creation_time=_maybe(AMQP10_PLAIN["timestamp"]),
        group_id=_maybe(st.sampled_from(["", "g"])),
    )
)

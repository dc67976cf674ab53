"""Hypothesis strategies: valid messages of each protocol."""

from dataclasses import fields
from typing import Any

from hypothesis import strategies as st

from mqconvert.converters.codecs.rocketmq import parse_properties
from mqconvert.converters.messages import amqp091, amqp10, mqtt5, mqtt311, nsq, phpmq, pulsar, rocketmq
from mqconvert.converters.values import Array, Decimal091, Described, TypedValue

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=20)
ASCII = st.text(st.characters(max_codepoint=127, exclude_characters="\0"), max_size=20)
OCTETS = st.binary(max_size=20)


def _bits(bits: int, *, signed: bool = False) -> st.SearchStrategy[int]:
    return st.integers(-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else st.integers(0, 2**bits - 1)


def _typed(type_: str, values: st.SearchStrategy[Any]) -> st.SearchStrategy[TypedValue]:
    return values.map(lambda value: TypedValue(type_, value))


AMQP10_PLAIN: dict[str, st.SearchStrategy[Any]] = {
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
    "float": st.floats(width=32, allow_nan=False),
    "double": st.floats(allow_nan=False),
    "decimal32": st.binary(min_size=4, max_size=4),
    "decimal64": st.binary(min_size=8, max_size=8),
    "decimal128": st.binary(min_size=16, max_size=16),
    "char": st.integers(0, 0x10FFFF),
    "timestamp": _bits(64, signed=True),
    "uuid": st.binary(min_size=16, max_size=16),
    "binary": OCTETS,
    "string": TEXT,
    "symbol": ASCII,
}
AMQP10_SIMPLE = st.one_of([_typed(type_, values) for type_, values in AMQP10_PLAIN.items()])


def _amqp10_compound(inner: st.SearchStrategy[TypedValue]) -> st.SearchStrategy[TypedValue]:
    lists = st.lists(inner, max_size=3)
    maps = st.lists(st.tuples(AMQP10_SIMPLE, inner), max_size=3, unique_by=lambda pair: repr(pair[0]))
    arrays = st.sampled_from(sorted(AMQP10_PLAIN)).flatmap(
        lambda of: st.lists(AMQP10_PLAIN[of], max_size=3).map(lambda values: Array(of, values))
    )
    nested_arrays = st.lists(lists, max_size=3).map(lambda values: Array("list", values))
    described = st.tuples(_typed("symbol", ASCII), inner).map(lambda pair: Described(*pair))
    return st.one_of(
        _typed("list", lists),
        _typed("map", maps),
        _typed("array", st.one_of(arrays, nested_arrays)),
        _typed("described", described),
    )


AMQP10_VALUES = st.recursive(AMQP10_SIMPLE, _amqp10_compound, max_leaves=6)


def _maybe(values: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.none() | values


def amqp10_messages() -> st.SearchStrategy[amqp10.Message]:
    plain = AMQP10_PLAIN
    ids = st.one_of([_typed(type_, plain[type_]) for type_ in ("ulong", "uuid", "binary", "string")])
    annotations = st.lists(st.tuples(ASCII | _bits(64), AMQP10_VALUES), max_size=3, unique_by=lambda pair: repr(pair[0]))
    header = st.builds(
        amqp10.Header,
        _maybe(st.booleans()),
        _maybe(_bits(8)),
        _maybe(_bits(32)),
        _maybe(st.booleans()),
        _maybe(_bits(32)),
    )
    texts = [_maybe(TEXT)] * 3
    properties = st.builds(
        amqp10.Properties,
        _maybe(ids),
        _maybe(OCTETS),
        *texts,
        _maybe(ids),
        _maybe(ASCII),
        _maybe(ASCII),
        _maybe(plain["timestamp"]),
        _maybe(plain["timestamp"]),
        _maybe(TEXT),
        _maybe(_bits(32)),
        _maybe(TEXT),
    )
    body = st.one_of(
        st.builds(amqp10.Data, st.lists(OCTETS, min_size=1, max_size=3)),
        st.builds(amqp10.AmqpSequence, st.lists(st.lists(AMQP10_VALUES, max_size=3), min_size=1, max_size=2)),
        st.builds(amqp10.AmqpValue, AMQP10_VALUES),
    )
    application = st.lists(st.tuples(TEXT, AMQP10_SIMPLE), max_size=4, unique_by=lambda pair: pair[0])
    return st.builds(
        amqp10.Message,
        _maybe(header),
        _maybe(annotations),
        _maybe(annotations),
        _maybe(properties),
        _maybe(application),
        body,
        _maybe(annotations),
    )


AMQP091_PLAIN: dict[str, st.SearchStrategy[Any]] = {
    "bool": st.booleans(),
    "byte": _bits(8, signed=True),
    "unsignedbyte": _bits(8),
    "short": _bits(16, signed=True),
    "unsignedshort": _bits(16),
    "signedint": _bits(32, signed=True),
    "unsignedint": _bits(32),
    "long": _bits(64, signed=True),
    "float": st.floats(width=32, allow_nan=False),
    "double": st.floats(allow_nan=False),
    "decimal": st.builds(Decimal091, _bits(8), _bits(32)),
    "longstr": OCTETS,
    "binary": OCTETS,
    "timestamp": _bits(64),
    "void": st.none(),
}


def _amqp091_compound(inner: st.SearchStrategy[TypedValue]) -> st.SearchStrategy[TypedValue]:
    tables = st.lists(st.tuples(TEXT, inner), max_size=3, unique_by=lambda pair: pair[0])
    return st.one_of(_typed("array", st.lists(inner, max_size=3)), _typed("table", tables))


AMQP091_VALUES = st.recursive(
    st.one_of([_typed(type_, values) for type_, values in AMQP091_PLAIN.items()]), _amqp091_compound, max_leaves=6
)


def amqp091_messages() -> st.SearchStrategy[amqp091.Message]:
    text = _maybe(TEXT)
    table = st.lists(st.tuples(TEXT, AMQP091_VALUES), max_size=4, unique_by=lambda pair: pair[0])
    basic = st.builds(
        amqp091.BasicProperties,
        text,
        text,
        _maybe(table),
        _maybe(st.sampled_from([1, 2])),
        _maybe(_bits(8)),
        text,
        text,
        _maybe(st.integers(0, 10**12).map(str)),
        text,
        _maybe(_bits(64)),
        text,
        text,
        text,
        text,
    )
    routed = st.tuples(TEXT, TEXT) | st.just((None, None))
    return st.builds(
        lambda made, payload, names: amqp091.Message(made, payload, *names), basic, st.binary(max_size=300), routed
    )


TOPICS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0+#"), min_size=1, max_size=20)


def mqtt5_messages() -> st.SearchStrategy[mqtt5.Message]:
    return st.builds(
        _mqtt5,
        st.integers(0, 2),
        st.booleans(),
        st.integers(0, 1),
        TOPICS,
        st.integers(1, 65535),
        _maybe(st.integers(0, 1)),
        _maybe(_bits(32)),
        _maybe(st.integers(1, 65535)),
        _maybe(TOPICS),
        _maybe(OCTETS),
        _maybe(st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=4)),
        _maybe(st.lists(st.integers(1, 268_435_455), min_size=1, max_size=3)),
        _maybe(TEXT),
        st.binary(max_size=300),
    )


def _mqtt5(qos: int, dup: bool, retain: int, topic: str, identifier: int, *rest: Any) -> mqtt5.Message:
    return mqtt5.Message(int(dup and qos > 0), qos, retain, topic, identifier if qos else None, *rest)


def mqtt311_messages() -> st.SearchStrategy[mqtt311.Message]:
    return mqtt5_messages().map(lambda m: mqtt311.Message(m.dup, m.qos, m.retain, m.topic_name, m.packet_identifier, m.payload))


NSQ_NAMES = st.from_regex(r"[.a-zA-Z0-9_-]{1,54}(#ephemeral)?", fullmatch=True)
NSQ_BODIES = st.binary(min_size=1, max_size=300)


def nsq_messages() -> st.SearchStrategy[nsq.Message]:
    return st.one_of(
        st.builds(lambda topic, body: nsq.Message(topic, body=body), NSQ_NAMES, NSQ_BODIES),
        st.builds(
            lambda topic, body, ms: nsq.Message(topic, defer_ms=ms, body=body), NSQ_NAMES, NSQ_BODIES, st.integers(0, 3600000)
        ),
        st.builds(lambda topic, body: nsq.Message(topic, batch_index=0, batch_size=1, body=body), NSQ_NAMES, NSQ_BODIES),
        st.builds(
            lambda time, attempts, id_, body: nsq.Message(timestamp=time, attempts=attempts, message_id=id_, body=body),
            _bits(64, signed=True),
            _bits(16),
            st.binary(min_size=16, max_size=16),
            st.binary(max_size=300),
        ),
    )


def phpmq_messages() -> st.SearchStrategy[phpmq.Message]:
    ttl = _bits(64, signed=True)
    sends = st.builds(lambda queue, content, ttl: phpmq.Message(1, queue, content, None, ttl), OCTETS, OCTETS, ttl)
    return sends | st.builds(lambda *parts: phpmq.Message(3, *parts), OCTETS, OCTETS, OCTETS, ttl)


ROCKETMQ_TOPICS = st.from_regex(r"[a-zA-Z0-9%|_-]{1,20}", fullmatch=True)
ROCKETMQ_SYS_FLAGS = st.sampled_from([0, 1, 2, 4, 8, 12, 0x10, 0x20, 0x30, 0x40, 0x80, 0x101, 0x201, 0x301, 0x731, 0x700])
_NAMES = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x01\x02"), min_size=1, max_size=20)
_FILLED = TEXT.filter(bool)


def _unless(values: st.SearchStrategy[Any], default: Any) -> st.SearchStrategy[Any]:
    return _maybe(values.filter(lambda value: value != default))


def _rocketmq_content() -> dict[str, st.SearchStrategy[Any]]:
    properties = st.lists(st.tuples(_NAMES, _NAMES), max_size=4, unique_by=lambda pair: pair[0])
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
        sys_flag=ROCKETMQ_SYS_FLAGS.filter(lambda flag: not flag & 1 or flag < 0x400),
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

    def hosted(bits: int) -> st.SearchStrategy[rocketmq.Message]:
        return st.builds(
            _rocketmq,
            **_rocketmq_content(),
            sys_flag=st.just(bits),
            queue_offset=_bits(64, signed=True),
            physical_offset=_bits(64, signed=True),
            store_timestamp=_bits(64, signed=True),
            born_host=v6 if bits & 0x10 else v4,
            store_host=v6 if bits & 0x20 else v4,
            prepared_transaction_offset=_unless(_bits(64, signed=True), 0),
            magic=st.sampled_from([None, rocketmq.MESSAGE_MAGIC_CODE_V2]),
        )

    return ROCKETMQ_SYS_FLAGS.filter(lambda flag: not flag & 1 or flag < 0x400).flatmap(hosted)


def rocketmq_messages() -> st.SearchStrategy[rocketmq.Message]:
    return rocketmq_sends() | rocketmq_records()


PULSAR_FIELDS: dict[str, st.SearchStrategy[Any]] = {
    "boolean": st.booleans(),
    "int": _bits(32, signed=True),
    "uint": _bits(32),
    "long": _bits(64, signed=True),
    "ulong": _bits(64),
    "utf8": TEXT,
    "binary": OCTETS,
    "utf8-pairs": st.lists(st.tuples(TEXT, TEXT), min_size=1, max_size=3),
    "texts": st.lists(TEXT, min_size=1, max_size=3),
    "ints": st.lists(_bits(32, signed=True), min_size=1, max_size=3),
}
PULSAR_UNKNOWN = st.binary(max_size=20).map(lambda octets: bytes([0xFA, 0x3E, len(octets)]) + octets)  # field 1007


def _pulsar_part(class_: type[Any], **given: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A part of a Pulsar message in which any field may be set, those of `given` as it says."""
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
    st.builds(pulsar.EncryptionKey, TEXT, OCTETS, _maybe(PULSAR_FIELDS["utf8-pairs"])), min_size=1, max_size=2
)
_PULSAR_BATCH = _pulsar_part(pulsar.Batch, size=st.just(1), index=st.just(0), sequence_id=_bits(64))
_PULSAR_UNOPENED = st.builds(pulsar.Batch, st.integers(1, 2**31 - 1))


@st.composite
def pulsar_messages(draw: st.DrawFn) -> pulsar.Message:
    """Single messages, chunks, encrypted messages and batches of one; sent and delivered."""
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
    return message


MESSAGES: dict[str, st.SearchStrategy[Any]] = {
    "amqp-1.0": amqp10_messages(),
    "amqp-0.9.1": amqp091_messages(),
    "mqtt-5.0": mqtt5_messages(),
    "mqtt-3.1.1": mqtt311_messages(),
    "nsq": nsq_messages(),
    "phpmq": phpmq_messages(),
    "rocketmq": rocketmq_messages(),
    "pulsar": pulsar_messages(),
}

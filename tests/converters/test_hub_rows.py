"""A hub case, a round trip of a vector, or a case of this file covers every row of the broker tables."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import pytest

from mqconvert import ConversionError, Entry, Environment, MqConvertError, TypedValue, convert, decode, decode_all, rule_tables
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.hub import cases
from tests.vectors import vectors

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
ENVIRONMENTS = (
    Environment(address="t", clock=1),
    Environment(clock=1),
    Environment(),
    Environment(address="a/b", escape=True, clock=1_700_000_000_000),
    Environment(address="a/b"),
    Environment(payload="envelope", escape=True, clock=1),
    Environment(frame="message", clock=1),
    Environment(frame="message"),
    Environment(frame="record", clock=1),
    Environment(frame="record"),
    Environment(frame="dispatch", clock=1),
    Environment(frame="send", clock=1),
)


def hub(**parts: Any) -> amqp10.Message:
    return amqp10.Message(body=amqp10.Data([b"a"]), **parts)


def annotated(**values: tuple[str, Any]) -> amqp10.Message:
    """Return a message with annotations; `_` in a name stands for `-`."""
    return hub(message_annotations=[Entry(key.replace("_", "-"), *value) for key, value in values.items()])


def native(protocol: str, name: str, type_: str, value: Any) -> amqp10.Message:
    return hub(message_annotations=[Entry(f"x-opt-{protocol}-{name}", type_, value)])


EVERYTHING = amqp10.Message(
    amqp10.Header(True, 5, 7, True, 2**31),
    None,
    [Entry("k", "int", 1), Entry("x-k", "int", 1), Entry("x-opt-delivery-delay", "long", 5)],
    amqp10.Properties(
        TypedValue("uuid", bytes(16)), b"u", "a/b", "a||b", "", TypedValue("ulong", 1), "t", "e", 1, -1, "g\x01", 1, "r"
    ),
    [Entry("k", "int", 1), Entry("x-k", "int", 1)],
    amqp10.AmqpValue(TypedValue("string", "a")),
    [Entry("f", "int", 1)],
)
RESERVED = [
    ("amqp-message-id", "m"), ("amqp-user-id", "YQ=="), ("amqp-to", "q"), ("amqp-subject", "s"), ("amqp-reply-to", "r"),
    ("amqp-correlation-id", "c"), ("amqp-content-type", "t"), ("amqp-content-encoding", "e"), ("amqp-group-id", "g"),
    ("amqp-absolute-expiry-time", "1"), ("amqp-creation-time", "1"), ("amqp-group-sequence", "1"), ("amqp-ttl", "1"),
    ("amqp-reply-to-group-id", "r"), ("amqp-durable", "true"), ("amqp-priority", "1"), ("amqp-first-acquirer", "true"),
    ("amqp-delivery-count", "1"), ("amqp-body", "value-string"), ("amqp-type.k", "int"), ("k", "1"), ("amqp-ap.x-k", "1"),
    ("amqp-ma.k", "1"), ("amqp-ft.k", "1"), ("x-opt-pulsar-k", "1"), ("x-opt-rocketmq-k", "1"), ("x-k", "1"),
    ("x-opt-delivery-time", "1"), ("x-opt-delivery-delay", "1"),
]  # fmt: skip
UNREADABLE = [
    ("amqp-user-id", "?"), ("amqp-content-type", "é"), ("amqp-content-encoding", "é"), ("amqp-absolute-expiry-time", "x"),
    ("amqp-priority", "x"), ("amqp-ttl", "x"), ("TTL", "x"), ("TIMER_DELIVER_MS", "x"), ("TIMER_DELAY_MS", "x"), ("DELAY", "x"),
    ("x-é", "1"),
]  # fmt: skip
_URN = "urn:uuid:00000000-0000-0000-0000-000000000000"
URNS = [(name, _URN) for name in ("UNIQ_KEY", "CORRELATION_ID", "amqp-message-id", "amqp-correlation-id")]
TWINS: Any = [Entry("k", "int", 1), Entry("k", "int", 2)]
HOMED = ("UNIQ_KEY", "TAGS", "__SHARDINGKEY", "CORRELATION_ID", "REPLY_TO_CLIENT", "TTL", "TIMER_DELIVER_MS", "TIMER_DELAY_MS",
         "DELAY", "KEYS")  # fmt: skip
"""Properties of RocketMQ with a field or annotation of their own."""
BATCH = pulsar.Batch(2, 1, 5, [("k", "v")], "p", True, True, b"o", 1, True, b"\xfa\x3e\x00")
# ruff: noqa: E501 - each message takes few lines
EXAMPLES: list[tuple[str, Any]] = [
    ("amqp-1.0", EVERYTHING),
    ("amqp-1.0", hub(message_annotations=TWINS, application_properties=TWINS, footer=TWINS)),
    ("amqp-1.0", amqp10.Message(amqp10.Header(True))),
    ("amqp-1.0", hub(delivery_annotations=[Entry("x-k", "int", 1)])),
    ("amqp-1.0", amqp10.Message(properties=amqp10.Properties(TypedValue("uuid", bytes(16)), content_encoding="e"), body=amqp10.AmqpValue(TypedValue("uint", 1)))),
    ("amqp-1.0", amqp10.Message(amqp10.Header(delivery_count=2**32 - 1), body=amqp10.AmqpValue(TypedValue("null", None)))),
    ("amqp-1.0", annotated(x_opt_delivery_time=("long", 1), x_opt_delivery_delay=("long", 1))),
    ("amqp-1.0", annotated(x_opt_delivery_time=("long", 2**60))),
    ("amqp-1.0", native("pulsar", "compression", "string", "LZ4")),
    ("amqp-1.0", native("pulsar", "uncompressed-size", "uint", 1)),
    ("amqp-1.0", annotated(x_opt_pulsar_chunk_id=("int", 0), x_opt_pulsar_compression=("string", "LZ4"), x_opt_pulsar_uncompressed_size=("uint", 1))),
    ("amqp-1.0", annotated(x_opt_pulsar_message_id=("string", "1:2:-1:-1"), x_opt_pulsar_index=("ulong", 1), x_opt_pulsar_broker_timestamp=("long", 1))),
    ("amqp-1.0", hub(application_properties=[Entry("x-é", "string", "a")])),
    ("phpmq", phpmq.Message(b"q", b"a", None, 0)),
    ("rocketmq", rocketmq.Message("t", b"a", UNREADABLE)),
    ("pulsar", pulsar.Message("t", b"a", "p", 1, 2, UNREADABLE, partition_key_b64_encoded=False, null_partition_key=False, compression="LZ4", uncompressed_size=1)),
    ("pulsar", pulsar.Message("t", b"a", "p", 1, 2, URNS, partition_key_b64_encoded=True, null_partition_key=True)),
    ("rocketmq", rocketmq.Message("t", b"a", URNS, sys_flag=4, flag=1, default_topic="d", default_topic_queue_nums=1, broker_name="b", batch_properties="k", batch_size=2, batch_index=0)),
    ("rocketmq", rocketmq.Message("t", b"\0Sw@", [("amqp-content-type", "message/vnd.rabbitmq.amqp")])),
    ("pulsar", pulsar.Message("t", b"\0Sw@", "p", 1, 2, [("amqp-content-type", "message/vnd.rabbitmq.amqp")], chunk_id=0)),
    ("pulsar", pulsar.Message("t", b"\0Sw@", "p", 1, 2, [("amqp-content-type", "message/vnd.rabbitmq.amqp")], encryption_keys=[pulsar.EncryptionKey("k", b"v")])),
    ("pulsar", pulsar.Message("t", b"\0Sw@", "p", 1, 2, [("amqp-content-type", "message/vnd.rabbitmq.amqp"), ("k", "1"), ("k", "2")])),
    ("rocketmq", rocketmq.Message("t", b"a", [("k", "1"), ("k", "2")])),
    ("amqp-1.0", amqp10.Message(properties=amqp10.Properties(creation_time=2**62, message_id=TypedValue("string", "i")))),
    ("amqp-1.0", hub(header=amqp10.Header(False, 4, 2000, False, 0), properties=amqp10.Properties(to="t", group_id="g"))),
    ("amqp-1.0", hub(header=amqp10.Header(delivery_count=1), properties=amqp10.Properties(to="good", creation_time=5))),
    *(("amqp-1.0", native("rocketmq", f"prop-{name}", "string", "5")) for name in HOMED),
    ("amqp-1.0", native("rocketmq", "prop-", "string", "5")),
    ("amqp-1.0", native("rocketmq", "prop-a\x01b", "string", "5")),
    ("amqp-1.0", annotated(x_opt_delivery_delay=("long", 3_600_001))),
    ("amqp-1.0", annotated(x_opt_delivery_delay=("long", 2**63 - 1))),
    ("amqp-1.0", annotated(x_opt_delivery_delay=("ulong", 2**63))),
    ("amqp-1.0", annotated(x_opt_delivery_time=("long", 1_700_000_000_005))),
    ("amqp-1.0", hub(properties=amqp10.Properties(to="t/t"))),
    ("amqp-1.0", hub(application_properties=[Entry("k", "string", "v" * 40_000)])),
    ("amqp-1.0", amqp10.Message(body=amqp10.Data([b"a" * (4 * 2**20 + 1)]))),
    ("amqp-1.0", hub(message_annotations=[Entry("x-opt-rocketmq-properties", "string", "k" + "v" * 40_000)])),
    ("amqp-1.0", native("rocketmq", "ext-own", "string", "v")),
    ("amqp-1.0", native("rocketmq", "store-timestamp", "string", "1700000000")),
    ("amqp-1.0", hub(header=amqp10.Header(ttl=5), message_annotations=[Entry("x-opt-rocketmq-prop-TTL", "string", "x")])),
    ("amqp-1.0", annotated(x_opt_pulsar_sequence_id=("long", 7), x_opt_pulsar_batch_sequence_id_derived=("boolean", True),
                           x_opt_pulsar_batch_sequence_id=("ulong", 7), x_opt_pulsar_batch_index=("uint", 0),
                           x_opt_pulsar_batch_size=("uint", 1))),
    ("amqp-1.0", hub(properties=amqp10.Properties(group_id="g"),
                     message_annotations=[Entry("x-opt-pulsar-partition-key", "string", "k")])),
    ("nsq", nsq.Message("t", "c", 1, 0, b"0" * 16, body=b"a", frame="message")),
    ("phpmq", phpmq.Message(b"\xff", b"a", None, -1)),
    ("phpmq", phpmq.Message(None, b"a", b"\xff", 1, frame="dispatch")),
    ("rocketmq", rocketmq.Message("t", b"a", RESERVED)),
    ("rocketmq", rocketmq.Message("t", b"a", [("amqp-to", "q"), ("amqp-creation-time", "1"), ("DELAY", "1")], born_timestamp=2,
                                  reconsume_times=-1, ext_fields=[("k", "v")], batch_flag=1, magic=rocketmq.MESSAGE_MAGIC_CODE_V2,
                                  prepared_transaction_offset=1, raw_properties="odd", unit_mode=True)),
    ("pulsar", pulsar.Message("t", b"a", "p", 1, 2, RESERVED, "r", "k", ["x"], "ZLIB", 1, 2**63,
                              [pulsar.EncryptionKey("k", b"v", [("a", "b")])], "algo", b"param", b"v", True, b"o", 1, None, 1, 1, 1,
                              True, "u", -1, -1, -1, True, [1], b"s", 1, 1, b"\xfa\x3e\x00", BATCH, "1:2:-1:-1", 1,
                              pulsar.BrokerEntryMetadata(2**63, 1, b"\xfa\x3e\x00"), "message")),
    ("pulsar", pulsar.Message("t", b"", "p", 1, 2**63, None, "r", event_time=1, uuid="u", num_chunks_from_msg=1, chunk_id=0,
                              total_chunk_msg_size=1, null_value=True, message_id="1:2:-1:-1", redelivery_count=1,
                              broker_entry_metadata=pulsar.BrokerEntryMetadata(1), frame="message")),
    ("pulsar", pulsar.Message(payload=b"a", marker_type=1)),
    ("pulsar", pulsar.Message("t", b"a", "p", 1, 2, batch=BATCH)),
    ("rocketmq", rocketmq.Message("t", b"a", born_timestamp=2, store_timestamp=3, magic=rocketmq.MESSAGE_MAGIC_CODE_V2,
                                  prepared_transaction_offset=1, frame="record")),
    ("rocketmq", rocketmq.Message("t", b"a", batch_index=0, batch_size=1, batch_flag=1)),
    ("rocketmq", rocketmq.Message("t", b"a", born_timestamp=2, request_code=325)),
    ("rocketmq", rocketmq.Message(body=b"a", born_timestamp=2)),
    ("pulsar", pulsar.Message(payload=b"a", replicate_to=["a,b", "c"])),
    ("pulsar", pulsar.Message(payload=b"a", properties=[("amqp-to", "b")])),
]  # fmt: skip


def messages() -> Iterator[tuple[str, Any]]:
    for protocol in BROKERS:
        for case in cases(protocol):
            if not case.get("error"):
                yield from ((protocol, message) for message in decode_all(protocol, bytes.fromhex(case["input"])))
        for vector in vectors(protocol):
            try:
                yield from ((protocol, message) for message in decode_all(protocol, vector["wire"]))
            except MqConvertError:
                continue  # malformed, or a frame without a message
    yield from (("amqp-1.0", decode("amqp-1.0", bytes.fromhex(case["wire"]))) for case in cases("amqp"))
    yield from EXAMPLES


@pytest.fixture(scope="module")
def fired() -> dict[str, set[str]]:
    """Return the ids of the rows that reports and errors name, by table."""
    found: dict[str, set[str]] = defaultdict(set)

    def note(message: Any, source: str, target: str, environment: Environment) -> Any:
        try:
            done = convert(message, target, environment=environment)
        except ConversionError as error:
            found[f"{source} -> {target}"].add(str(error.rule))
            return None
        report = done.report.as_dict()
        lines = [line for kind in ("applied", "dropped", "lost", "accounted") for line in report[kind]]
        found[f"{source} -> {target}"].update(line["rule"] for line in lines if "rule" in line)
        return done.message

    for source, message in messages():
        for environment in ENVIRONMENTS:
            if source == "amqp-1.0":
                for target in BROKERS:
                    made = note(message, source, target, environment)
                    if made is not None:
                        note(made, target, source, environment)
            else:
                made = note(message, source, "amqp-1.0", environment)
                if made is not None:
                    note(made, "amqp-1.0", source, environment)
    return found


TABLES = {table.name: table for table in rule_tables() if table.source in BROKERS or table.target in BROKERS}


@pytest.mark.parametrize("name", TABLES)
def test_every_row_is_covered_by_a_case(name: str, fired: dict[str, set[str]]) -> None:
    assert {rule.id for rule in TABLES[name].all_rules} - fired[name] == set()

"""The suite's own validity checks agree with real clients and servers, and find the faults of each specification."""

from typing import Any

import pytest

from mqconvert import Entry, MqConvertError, TypedValue, decode_all
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.validity import faults
from tests.vectors import vectors

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
EXCEPTIONS = ("rmq-odd-", "rmq-send-v2-emptybody", "rmq-batch-5", "pulsar-pb-message-full")
"""Handwritten vectors: empty bodies, legal but refused by clients, and all fields at once with a control record's marker."""


@pytest.mark.parametrize("protocol", BROKERS)
def test_messages_of_real_clients_and_servers_have_no_faults(protocol: str) -> None:
    found = 0
    for vector in vectors(protocol):
        if vector["id"].startswith(EXCEPTIONS):
            continue
        try:
            messages = decode_all(protocol, vector["wire"])
        except MqConvertError:
            continue  # malformed, or a frame without a message
        for message in messages:
            assert faults(message) == [], vector["id"]
            found += 1
    assert found


def _record(**parts: Any) -> rocketmq.Message:
    good: dict[str, Any] = {"frame": "record", "store_timestamp": 1, "born_host": "1.2.3.4:5", "store_host": "1.2.3.4:5"}
    return rocketmq.Message("t", b"a", **good | parts)


def _send(**parts: Any) -> rocketmq.Message:
    good: dict[str, Any] = {"topic": "t", "body": b"a", "queue_id": 0, "born_timestamp": 1, "producer_group": "g"}
    return rocketmq.Message(**good | parts)


def _pulsar(**parts: Any) -> pulsar.Message:
    good: dict[str, Any] = {"payload": b"a", "producer_name": "p", "sequence_id": 1, "publish_time": 1}
    return pulsar.Message(**good | parts)


def _delivered(**parts: Any) -> pulsar.Message:
    return _pulsar(frame="message", **parts)


GOOD = [
    nsq.Message("t", body=b"a"),
    nsq.Message("t#ephemeral", batch_index=1, batch_size=2, body=b"a"),
    nsq.Message("t", "c", 1, 1, b"0" * 16, frame="message"),
    phpmq.Message(b"", b""),
    phpmq.Message(b"\xff", b"", b"", -1, frame="dispatch"),
    _record(sys_flag=4, born_host="[::1]:5"),
    _send(topic="%RETRY%" + "t" * 248, properties=[("a", "\x01")]),
    _pulsar(batch=pulsar.Batch(2, 1, 1)),
    _pulsar(chunk_id=0, batch=pulsar.Batch(2)),
    _delivered(message_id="1:2:-1:-1", broker_entry_metadata=pulsar.BrokerEntryMetadata(1)),
]


def _basic(**parts: Any) -> amqp091.Message:
    return amqp091.Message(amqp091.BasicProperties(**parts), b"a")


TWINS = [Entry("k", "string", "a"), Entry("k", "int", 1)]
ILL = [
    amqp10.Message(footer=TWINS),
    amqp10.Message(application_properties=TWINS),
    amqp10.Message(application_properties=[Entry("k", "list", [])]),
    amqp10.Message(body=amqp10.AmqpValue(TypedValue("map", [Entry(TypedValue("int", 1), "null", None)] * 2))),
    *(_basic(**parts) for parts in ({"delivery_mode": 3}, {"expiration": "soon"}, {"app_id": "\udcff"}, {"type": "a\0"})),
    _basic(headers=[Entry("k", "bool", True)] * 2),
    _basic(headers=[Entry("k", "double", float("nan"))]),
    _basic(headers=[Entry("k", "table", [Entry("\0", "bool", True)])]),
    amqp091.Message(exchange="\udcff", routing_key=""),
    nsq.Message(body=b"a"),
    nsq.Message("t"),
    nsq.Message("t/t", body=b"a"),
    nsq.Message("#ephemeral", body=b"a"),
    nsq.Message("t" * 55 + "#ephemeral", body=b"a"),
    nsq.Message("t", "c", body=b"a"),
    nsq.Message("t", defer_ms=3_600_001, body=b"a"),
    nsq.Message("t", batch_index=1, batch_size=1, body=b"a"),
    nsq.Message("t", batch_size=1, body=b"a"),
    nsq.Message("t", defer_ms=1, batch_index=0, batch_size=1, body=b"a"),
    nsq.Message(frame="message", timestamp=1, attempts=1),
    nsq.Message(frame="message", timestamp=1, attempts=1, message_id=b"0"),
    nsq.Message(frame="message", timestamp=1, attempts=2**16, message_id=b"0" * 16),
    nsq.Message(frame="message", timestamp=1, attempts=1, message_id=b"0" * 16, defer_ms=0),
    phpmq.Message(b"q", frame="consume"),
    phpmq.Message(b"q", frame="dispatch"),
    phpmq.Message(b"q", b"", b"id"),
    phpmq.Message(),
    phpmq.Message(b"q", ttl=2**63),
    _send(topic="a/b"),
    _send(topic="t" * 128),
    _send(topic=""),
    _send(body=b""),
    _send(body=bytes(4 * 2**20 + 1)),
    _send(producer_group=None),
    _send(queue_id=2**31),
    _send(sys_flag=0x401),
    _send(queue_offset=1),
    _send(frame="message"),
    _send(ext_fields=[("a", ""), ("topic", "")]),
    _send(batch_index=0),
    _send(batch_index=2, batch_size=2),
    _send(raw_properties="k" * 32768),
    *(_send(properties=[pair]) for pair in [("", "v"), ("k", ""), ("k\x01", "v"), ("k", "v\x02"), ("k", "v" * 32767)]),
    _send(properties=[("k", "1"), ("k", "2")]),
    _record(sys_flag=0x10),
    _record(store_host="1.2.3.4"),
    _record(store_host=None),
    _record(producer_group="g"),
    _record(magic=0xDAA320A7),
    _pulsar(producer_name=None),
    _pulsar(sequence_id=None),
    _pulsar(sequence_id=-1),
    _pulsar(producer_name="\ud800"),
    _pulsar(properties=[("\ud800", "")]),
    _pulsar(compression="GZIP"),
    _pulsar(marker_type=1),
    _pulsar(replicate_to=[1]),
    _pulsar(batch=pulsar.Batch(2)),
    _pulsar(batch=pulsar.Batch(2, 2, 1)),
    _pulsar(batch=pulsar.Batch(2, 1)),
    _pulsar(chunk_id=0, batch=pulsar.Batch(2, 1, 1)),
    _pulsar(message_id="1:2:-1:-1"),
    _pulsar(frame="record"),
    _delivered(message_id=None),
    _delivered(message_id="1:2:3"),
    _delivered(message_id="1:2:-1:+1"),
    _pulsar(redelivery_count=1),
    _pulsar(broker_entry_metadata=pulsar.BrokerEntryMetadata(1)),
    _delivered(message_id="1:2:-1:-1", broker_entry_metadata=pulsar.BrokerEntryMetadata(-1)),
    _pulsar(encryption_keys=[pulsar.EncryptionKey("k", b"v", [("a", "\ud800")])]),
]


@pytest.mark.parametrize("message", GOOD, ids=lambda message: type(message).__module__.rpartition(".")[2])
def test_messages_at_the_allowed_bounds_have_no_faults(message: Any) -> None:
    assert faults(message) == []


@pytest.mark.parametrize("message", ILL, ids=lambda message: type(message).__module__.rpartition(".")[2])
def test_one_invalid_field_is_one_fault(message: Any) -> None:
    assert len(faults(message)) == 1

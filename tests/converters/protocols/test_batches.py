"""`encode_batch` joins the members that `decode_all` split, in every batch protocol, and refuses other messages."""

from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError, NoRouteError, decode_all, decode_each, encode, encode_batch
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq

BATCHES: dict[str, list[Any]] = {
    "nsq": [nsq.Message(topic="t", body=body) for body in (b"a", b"b", b"c")],
    "rocketmq": [rocketmq.Message(topic="t", body=body) for body in (b"a", b"b", b"c")],
    "pulsar": [pulsar.Message(payload=body, producer_name="p", sequence_id=0, publish_time=1) for body in (b"a", b"b", b"c")],
}

ONE: list[Any] = [
    amqp10.Message(body=amqp10.Data([b"a"])),
    amqp091.Message(payload=b"a"),
    mqtt5.Message(topic_name="t"),
    mqtt311.Message(topic_name="t"),
    phpmq.Message(queue=b"q"),
]


@pytest.mark.parametrize("name", BATCHES)
def test_batches_are_split_and_joined(name: str) -> None:
    wire = encode_batch(BATCHES[name])
    members = decode_all(name, wire)
    assert len(members) == 3
    assert encode_batch(members) == encode_batch(iter(members)) == wire
    assert [decode_all(name, encode_batch([member]))[0] for member in BATCHES[name]]


def test_encode_batch_rejects_messages_that_cannot_be_batched() -> None:
    with pytest.raises(EncodeError) as empty:
        encode_batch([])
    assert (empty.value.code, empty.value.field) == ("bad_batch", "[0]")
    with pytest.raises(EncodeError, match="a message of pulsar in a batch of nsq") as mixed:
        encode_batch([*BATCHES["nsq"], *BATCHES["pulsar"]])
    assert (mixed.value.code, mixed.value.field) == ("bad_batch", "[3]")
    for message in (mqtt5.Message(topic_name="t"), amqp10.Message(body=amqp10.Data([b""]))):
        assert encode(message)
        with pytest.raises(NoRouteError, match="has no batches") as none:
            encode_batch([message])
        assert none.value.code == "no_batches"


@pytest.mark.parametrize(
    "message", [*(messages[0] for messages in BATCHES.values()), *ONE], ids=lambda message: type(message).__module__
)
def test_decode_each_yields_messages_before_a_later_error(message: Any) -> None:
    name, wire = protocol_of(message).name, encode(message)
    assert list(decode_each(name, wire)) == decode_all(name, wire)
    if name != "amqp-1.0":  # AMQP 1.0 does not delimit messages
        assert list(decode_each(name, wire * 2)) == decode_all(name, wire) * 2
        following = decode_each(name, wire + b"no message of any protocol")
        assert [next(following)] == decode_all(name, wire)
        assert isinstance(next(following), DecodeError)


CONTENT = "02 0001 0000000e 003c 0000 0000000000000000 {} ce"
"""A content of AMQP 0.9.1 without a body, and a place for its flags."""


@pytest.mark.parametrize(
    ("name", "good", "bad", "kind"),
    [
        ("mqtt-5.0", "3006 0001 74 00 6869", "3009 0001 74 03 770000 6869", "unknown_property"),
        ("mqtt-5.0", "3006 0001 74 00 6869", "3606 0001 74 00 6869", "bad_flags"),
        ("mqtt-3.1.1", "3005 0001 74 6869", "3005 0001 23 6869", "bad_topic"),
        ("amqp-0.9.1", CONTENT.format("0000"), CONTENT.format("8000"), "truncated"),
        ("amqp-0.9.1", CONTENT.format("0000"), CONTENT.format("8000") + "03 0001 00000002 6869 ce", "truncated"),
    ],
)
def test_an_invalid_message_in_a_sequence_costs_only_itself(name: str, good: str, bad: str, kind: str) -> None:
    valid, invalid = bytes.fromhex(good), bytes.fromhex(bad)
    one = decode_all(name, valid)
    for stream in (False, *[True] * name.startswith("mqtt")):
        first, error, second = decode_each(name, valid + invalid + valid, stream=stream)
        assert [first, second] == one * 2
        assert isinstance(error, DecodeError)
        assert error.code == kind
        assert len(valid) <= (error.offset or 0) <= len(valid + invalid)
    with pytest.raises(DecodeError) as caught:
        decode_all(name, valid + invalid + valid)
    assert caught.value.code == kind


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("mqtt-5.0", "3006 0001 74 00 6869", "307f 0001 74 03 770000 6869"),
        ("mqtt-5.0", "3006 0001 74 00 6869", "c000"),
        ("amqp-0.9.1", CONTENT.format("0000"), CONTENT.format("8000").replace("0e", "0d")),
    ],
)
def test_an_error_that_hides_the_next_message_is_the_last(name: str, good: str, bad: str) -> None:
    valid = bytes.fromhex(good)
    first, error = decode_each(name, valid + bytes.fromhex(bad) + valid)
    assert [first] == decode_all(name, valid)
    assert isinstance(error, DecodeError)

"""RocketMQ's Java client and a real broker: what they put on the wire is what we read, and what we write they take."""

import uuid
from typing import Any

import pytest
from hypothesis import strategies as st

from mqconvert import decode_all, encode_frame
from mqconvert.converters.protocols.rocketmq import codec
from tests.interop.brokers import RocketMQ
from tests.interop.frames import read_back
from tests.interop.rocketmq_client import Client, Sent, Taken, recorded
from tests.interop.test_pairs import generated

COUNT = 220
TEXT = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=12).filter(str.strip)
NAMES = st.text(st.sampled_from("abcdefghijklmnopqrstuvwxyzABC-_.0123456789"), min_size=1, max_size=10)
BODIES = st.binary(min_size=1, max_size=200) | st.binary(min_size=1, max_size=20).map(lambda part: part * 200)
MESSAGES = st.builds(
    Sent,
    BODIES,
    st.lists(st.tuples(NAMES | st.sampled_from(["TAGS", "KEYS"]), TEXT), max_size=4, unique_by=lambda pair: pair[0]).map(tuple),
    st.integers(-(2**31), 2**31 - 1),
)


PULL_MESSAGE = {11, 361}
"""PULL_MESSAGE and LITE_PULL_MESSAGE."""
SENDING = {codec.SEND_MESSAGE_V2, codec.SEND_BATCH_MESSAGE}
BY_CLIENT = {"UNIQ_KEY", "WAIT", "PGROUP", "TRAN_MSG", "CLUSTER", "INSTANCE_ID"}
"""Properties that the producer adds by itself."""
ON_DELIVERY = {"MIN_OFFSET", "MAX_OFFSET"}
"""Properties that the consumer adds by itself: where the queue began and ended."""


class Stored:
    """A record, under the id that the client has for it."""

    def __init__(self, message: Any) -> None:
        self.message = message
        self.message_id = dict(message.properties)["UNIQ_KEY"]


def as_sent(message: Sent) -> tuple[Any, ...]:
    return message.body, message.flag, sorted(message.properties)


def as_asked(message: Any) -> tuple[Any, ...]:
    """The same of a message in a request."""
    return message.body, message.flag, sorted(pair for pair in message.properties if pair[0] not in BY_CLIENT)


def as_taken(message: Taken) -> dict[str, Any]:
    properties = {name: value for name, value in message.properties.items() if name not in ON_DELIVERY}
    return {name: getattr(message, name) for name in SAME} | {"properties": properties}


def as_read(message: Any) -> dict[str, Any]:
    """The same of a record; what it has not is 0 to the client."""
    known = {name: getattr(message, name) or 0 for name in SAME}
    # The client forgets that the body was compressed; we keep the bit, so that it is compressed again.
    return known | {"sys_flag": message.sys_flag & ~1, "properties": dict(message.properties)}


SAME = (
    "topic", "body", "flag", "sys_flag", "born_timestamp", "store_timestamp", "queue_id", "queue_offset", "physical_offset",
    "reconsume_times", "prepared_transaction_offset",
)  # fmt: skip


def sent_all(client: Client, topic: str, messages: list[Sent]) -> None:
    """Half of them one by one, a quarter in batches of ten, a quarter in transactions, and a few after a second."""
    count = len(messages)
    for message in messages[: count // 2]:
        client.send(topic, message)
    for start in range(count // 2, 3 * count // 4, 10):
        client.batch(topic, messages[start : min(start + 10, 3 * count // 4)])
    for message in messages[3 * count // 4 :]:
        client.transaction(topic, message)


@pytest.mark.parametrize("form", ["JSON", "ROCKETMQ"])
def test_every_frame_of_a_session_is_read_and_written(rocketmq_broker: RocketMQ, fresh_seed: int, form: str) -> None:
    topic = f"interop-{uuid.uuid4().hex[:8]}"
    messages = generated(MESSAGES, fresh_seed, COUNT)
    with recorded(rocketmq_broker, f"-Drocketmq.serialize.type={form}") as (client, sessions):
        sent_all(client, topic, messages)
        taken = client.take(topic, len(messages))
        streams = [(bytes(each.client), bytes(each.broker)) for each in sessions]
    sides = [(read_back("rocketmq", client), read_back("rocketmq", broker)) for client, broker in streams if client]
    requests = [request for ours, _ in sides for request in ours]
    assert {each.code for each in requests} >= SENDING, f"MQCONVERT_SEED={fresh_seed}"
    sent = [
        each
        for request in requests
        if request.code in SENDING
        for each in decode_all("rocketmq", encode_frame("rocketmq", request))
    ]
    assert sorted(map(as_asked, sent)) == sorted(map(as_sent, messages)), f"MQCONVERT_SEED={fresh_seed}"
    pulls = [{each.opaque for each in ours if each.code in PULL_MESSAGE} for ours, _ in sides]
    answers = [
        each for (_, theirs), asked in zip(sides, pulls, strict=True) for each in theirs if each.opaque in asked and each.body
    ]
    stored = {each.message_id: each for answer in answers for each in map(Stored, codec.decode_records(answer.body))}
    assert len(taken) == len(messages)
    for each in taken:
        told, read = as_taken(each), as_read(stored[each.message_id].message)
        different = {name: (told[name], read[name]) for name in told if told[name] != read[name]}
        assert different == {}, f"MQCONVERT_SEED={fresh_seed}"

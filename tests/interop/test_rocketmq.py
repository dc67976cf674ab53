"""RocketMQ's Java client and a real broker: we read their bytes, and they accept ours."""

import struct
import time
import uuid
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import strategies as st

from mqconvert import Environment, convert, decode_all, encode, encode_frame
from mqconvert.converters.protocols.rocketmq import codec
from mqconvert.converters.protocols.rocketmq.message import SYS_FLAG_BITS, Message
from mqconvert.converters.readers import Broken, Record, reader
from tests.entries import by_key
from tests.hub import differences
from tests.interop.brokers.rocketmq import RocketMQ
from tests.interop.frames import read_back, rewritten
from tests.interop.generated import generated
from tests.interop.messages import amqp10_messages, with_body
from tests.interop.rocketmq_client import COMPRESS_ABOVE, ROLL_BACK, Client, Sent, Taken, recorded

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
SENDING = {codec.SEND_MESSAGE, codec.SEND_MESSAGE_V2, codec.SEND_BATCH_MESSAGE}
END_TRANSACTION = 37
COMPRESSED, PREPARED, COMMITTED, ROLLED_BACK = 0x1, 0x4, 0x8, 0xC
"""Bits of sysFlag; END_TRANSACTION has the last two in commitOrRollback."""
KINDS = {"ZLIB": 3, "LZ4": 1, "ZSTD": 2}
"""Bits 8 to 10 of sysFlag, by the names of the client."""
FORMS = [("JSON", "ZLIB"), ("ROCKETMQ", "LZ4"), ("LONG", "ZSTD")]
"""Serialisation of headers and compression of bodies. LONG: in JSON, and SEND_MESSAGE with long names instead of V2."""
BY_CLIENT = {"UNIQ_KEY", "WAIT", "PGROUP", "TRAN_MSG", "CLUSTER", "INSTANCE_ID"}
"""Properties that the producer adds by itself."""
ON_DELIVERY = {"MIN_OFFSET", "MAX_OFFSET"}
"""Properties that the consumer adds: the first and last offset of the queue."""


class Stored:
    """A record with the client's id for it."""

    def __init__(self, message: Any) -> None:
        self.message = message
        self.message_id = dict(message.properties)["UNIQ_KEY"]


def as_sent(message: Sent) -> tuple[Any, ...]:
    delay = [("DELAY", str(message.level))] if message.level else []
    return message.body, message.flag, sorted([*message.properties, *delay])


def as_asked(message: Any) -> tuple[Any, ...]:
    """Return the fields of a message in a request."""
    return message.body, message.flag, sorted(pair for pair in message.properties if pair[0] not in BY_CLIENT)


def as_taken(message: Taken) -> dict[str, Any]:
    properties = {name: value for name, value in message.properties.items() if name not in ON_DELIVERY}
    known = {name: getattr(message, name) for name in SAME}
    return known | {"sys_flag": message.sys_flag & ~SYS_FLAG_BITS, "properties": properties}


def as_read(message: Any) -> dict[str, Any]:
    """Return the same fields of a record; the client reads unset ones as 0."""
    return {name: getattr(message, name) or 0 for name in SAME} | {"properties": dict(message.properties or ())}


SAME = (
    "topic", "body", "flag", "sys_flag", "born_timestamp", "store_timestamp", "queue_id", "queue_offset", "physical_offset",
    "reconsume_times", "prepared_transaction_offset",
)  # fmt: skip


def stored_records(sides: list[tuple[list[Any], list[Any]]]) -> list[Any]:
    """Return the records in responses to pulls, which the header does not identify."""
    pulls = [{each.opaque for each in ours if each.code in PULL_MESSAGE} for ours, _ in sides]
    answers = [
        each for (_, theirs), asked in zip(sides, pulls, strict=True) for each in theirs if each.opaque in asked and each.body
    ]
    return [record for answer in answers for record in read_records(answer.body)]


def commit_log(broker: RocketMQ) -> list[Any]:
    """Return the records in the broker's files, none of which is broken."""
    entries = list(reader("rocketmq-commitlog").entries(broker.folder / "store" / "commitlog"))
    assert not [str(entry) for entry in entries if isinstance(entry, Broken)]
    return [codec.decode(entry.wire) for entry in entries if isinstance(entry, Record)]


def read_records(body: bytes) -> list[Any]:
    """Return the records of a response. They encode to the same bytes, except for compressed bodies with the same content."""
    records, at = codec.decode_all(body), 0
    for record in records:
        (size,), (sys_flag,) = struct.unpack_from(">i", body, at), struct.unpack_from(">i", body, at + 36)
        again = encode(record)
        if sys_flag & COMPRESSED:
            assert codec.decode_all(again) == [record]
        else:
            assert again == body[at : at + size]
        at += size
    return records


def read_request(request: Any) -> list[Any]:
    """Return the messages of a send request, after encoding them to the same request, unless a body is compressed."""
    messages: list[Any] = decode_all("rocketmq", encode_frame("rocketmq", request))
    batch = request.code == codec.SEND_BATCH_MESSAGE
    compression = next((name for name, kind in KINDS.items() if kind == sys_flag(request) >> 8), None)
    assert (compression is not None) is bool(sys_flag(request) & COMPRESSED)
    again: Any = sending(messages if batch else messages[0], request.code, compression)
    assert dict(again.ext_fields) == dict(request.ext_fields)
    if compression is None:
        assert again.body == request.body
    return messages


def sending(given: Message | list[Message], code: int, compression: str | None = None) -> Any:
    """Return the request with this code that sends a message, or a batch of several."""
    wire = (
        codec.encode_batch(given, compress=compression)
        if isinstance(given, list)
        else codec.encode(replace(given, request_code=code), compress=compression)
    )
    return codec.decode_frames(wire)[0]


def sys_flag(request: Any) -> int:
    """Return sysFlag of a send request."""
    fields: dict[str, str] = dict(request.ext_fields)
    return int(fields.get("f") or fields["sysFlag"])


def sent_all(client: Client, topic: str, messages: list[Sent], delayed: list[Sent], undone: list[Sent]) -> None:
    """Send half of the messages singly, a quarter in batches of ten, a quarter in transactions."""
    count = len(messages)
    for message in [*delayed, *messages[: count // 2]]:
        client.send(topic, message)
    for start in range(count // 2, 3 * count // 4, 10):
        client.batch(topic, messages[start : min(start + 10, 3 * count // 4)])
    for message in [*messages[3 * count // 4 :], *undone]:
        client.transaction(topic, message)


@pytest.mark.parametrize(("form", "compression"), FORMS)
def test_every_frame_of_a_session_round_trips(rocketmq_broker: RocketMQ, fresh_seed: int, form: str, compression: str) -> None:
    words = f"SEED={fresh_seed}"
    topic = f"interop-{uuid.uuid4().hex[:8]}"
    messages = generated("rocketmq", MESSAGES, fresh_seed, COUNT)
    delayed = [Sent(b"level %d" % number, level=1) for number in range(5)]
    delayed += [Sent(b"delay %d" % number, (("TIMER_DELAY_MS", str(1000 + number)),)) for number in range(5)]
    soon = int(time.time() * 1000) + 3000
    delayed += [Sent(b"time %d" % number, (("TIMER_DELIVER_MS", str(soon + number)),)) for number in range(5)]
    undone = [Sent(b"undone %d" % number, ((ROLL_BACK, "true"),)) for number in range(5)]
    with recorded(rocketmq_broker, *options(form), f"-Drocketmq.message.compressType={compression}") as (client, sessions):
        sent_all(client, topic, messages, delayed, undone)
        taken = client.take(topic, len(messages) + len(delayed))
        streams = [(bytes(each.client), bytes(each.broker)) for each in sessions]
    sides = [(read_back("rocketmq", client), read_back("rocketmq", broker)) for client, broker in streams if client]
    requests = [request for ours, _ in sides for request in ours]
    single = codec.SEND_MESSAGE if form == "LONG" else codec.SEND_MESSAGE_V2
    assert SENDING & {each.code for each in requests} == {single, codec.SEND_BATCH_MESSAGE}, words
    sent = [each for request in requests if request.code in SENDING for each in read_request(request)]
    assert sorted(map(as_asked, sent)) == sorted(map(as_sent, [*messages, *delayed, *undone])), words
    check_marks(requests, sent, messages, undone, KINDS[compression])
    check_delays(sent, soon)
    stored = {each.message_id: each for each in map(Stored, stored_records(sides))}
    on_disk = {each.physical_offset: each for each in commit_log(rocketmq_broker)}
    assert [each.message for each in stored.values() if on_disk[each.message.physical_offset] != each.message] == [], words
    assert len(taken) == len(messages) + len(delayed)
    for each in taken:
        told, read = as_taken(each), as_read(stored[each.message_id].message)
        different = {name: (told[name], read[name]) for name in told if told[name] != read[name]}
        assert different == {}, words


def options(form: str) -> list[str]:
    """Return the settings of the client for one of FORMS."""
    if form == "LONG":
        return ["-Drocketmq.serialize.type=JSON", "-Dorg.apache.rocketmq.client.sendSmartMsg=false"]
    return [f"-Drocketmq.serialize.type={form}"]


def check_marks(requests: list[Any], sent: list[Any], messages: list[Sent], undone: list[Sent], kind: int) -> None:
    """Assert that sysFlag marks transactions and compression, and that each transaction ends with its mark."""
    in_transaction = {each.body for each in [*messages[3 * COUNT // 4 :], *undone]}
    marked = [each for each in sent if each.sys_flag & ROLLED_BACK == PREPARED]
    assert {each.body for each in marked} == in_transaction
    assert all(dict(each.properties)["TRAN_MSG"] == "true" for each in marked)
    ends = [dict(each.ext_fields)["commitOrRollback"] for each in requests if each.code == END_TRANSACTION]
    assert sorted(ends) == sorted([str(COMMITTED)] * (len(marked) - len(undone)) + [str(ROLLED_BACK)] * len(undone))
    packed = [each for each in requests if each.code in SENDING and sys_flag(each) & COMPRESSED]
    assert {sys_flag(each) >> 8 & 7 for each in packed} == {kind}
    compressed = [each for request in packed for each in read_request(request)]
    # The client compresses no batch.
    long = {each.body for each in [*messages[: COUNT // 2], *messages[3 * COUNT // 4 :]] if len(each.body) >= COMPRESS_ABOVE}
    assert {each.body for each in compressed} == long


def check_delays(sent: list[Any], soon: int) -> None:
    """Assert that the client's delay becomes an annotation of AMQP 1.0, and returns as the same property."""
    expected = [
        *(("level", "x-opt-rocketmq-delay-level", "DELAY", 1) for _ in range(5)),
        *(("delay", "x-opt-delivery-delay", "TIMER_DELAY_MS", 1000 + number) for number in range(5)),
        *(("time", "x-opt-delivery-time", "TIMER_DELIVER_MS", soon + number) for number in range(5)),
    ]
    for number, (text, annotation, name, value) in enumerate(expected):
        (message,) = [each for each in sent if each.body == b"%s %d" % (text.encode(), number % 5)]
        hub: Any = convert(message, "amqp-1.0").message
        annotations = by_key(hub.message_annotations)
        assert annotations[annotation].value == value
        assert "x-opt-rocketmq-properties" not in annotations  # each property has its own annotation
        back: Any = convert(hub, "rocketmq").message
        assert dict(back.properties)[name] == str(value)


@pytest.mark.parametrize("form", ["JSON", "ROCKETMQ", "LONG"])
def test_converted_messages_are_stored_and_delivered(rocketmq_broker: RocketMQ, fresh_seed: int, form: str) -> None:
    """A proxy replaces the messages of the client by converted AMQP 1.0 messages.

    Every third message is compressed, in turn by each kind; the last thirty are three batches.
    """
    words = f"SEED={fresh_seed}"
    topic = f"interop-{uuid.uuid4().hex[:8]}"
    now = int(time.time() * 1000)
    sources = list(map(with_body, generated("amqp-1.0", amqp10_messages(arrays=True), fresh_seed, COUNT)))
    environment = Environment(address=topic, producer="peer-producer", clock=now)
    done = [convert(source, "rocketmq", environment=environment) for source in sources]
    made = [each.message for each in done]
    kinds = (None if at % 3 else [*KINDS][at // 3 % 3] for at in range(COUNT))
    singles = COUNT - 30
    for at in range(singles, COUNT):  # members of a batch share the values of their request
        place = (at - singles) % 10
        made[at] = replace(made[at], born_timestamp=now, reconsume_times=0, batch_index=place, batch_size=10)
    waiting = iter(made)

    def ours(frame: Any) -> bytes | None:
        if frame.response or frame.code not in SENDING:
            return None
        if frame.code == codec.SEND_BATCH_MESSAGE:
            request = sending([next(waiting) for _ in range(10)], frame.code)
        else:
            request = sending(next(waiting), frame.code, next(kinds))
        return encode_frame("rocketmq", replace(frame, code=request.code, ext_fields=request.ext_fields, body=request.body))

    with recorded(rocketmq_broker, *options(form), change=rewritten("rocketmq", ours)) as (client, sessions):
        for _ in range(singles):
            client.send(topic, Sent(b"taken out"))
        for _ in range(3):
            client.batch(topic, [Sent(b"taken out")] * 10)
        taken = {each.queue_offset: each for each in client.take(topic, COUNT)}
        streams = [(bytes(each.client), bytes(each.broker)) for each in sessions]
    sides = [(read_back("rocketmq", client), read_back("rocketmq", broker)) for client, broker in streams if client]
    stored = {each.queue_offset: each for each in stored_records(sides)}
    assert len(taken) == len(stored) == COUNT, words
    for at, (source, conversion, sent) in enumerate(zip(sources, done, made, strict=True)):
        got = stored[at]
        assert as_taken(taken[at]) == as_read(got), words
        given = dict(got.properties or [])  # the broker may add none
        added = {name: value for name, value in given.items() if name in BY_BROKER}
        assert given == dict(sent.properties or []) | added, words
        assert [getattr(got, name) or 0 for name in KEPT] == [getattr(sent, name) or 0 for name in KEPT], words
        back: Any = convert(got, "amqp-1.0", environment=environment).message
        allowed = {"properties.creation_time", "header.delivery_count"} if sent.batch_size is not None else set()
        assert differences(source, back, conversion.report) <= allowed, words


KEPT = ("topic", "body", "flag", "sys_flag", "queue_id", "born_timestamp", "reconsume_times", "magic")
BY_BROKER = {"CLUSTER", "MSG_REGION", "TRACE_ON", "INNER_NUM", "UNIQ_KEY"}
"""Properties that the broker adds by itself."""

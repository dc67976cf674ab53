"""Files that real brokers write, read while they run or after they ended: the messages are those that a consumer gets."""

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from hypothesis import strategies as st

from mqconvert import decode
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.readers import Broken, Record, reader
from tests.interop.brokers import Broker
from tests.interop.generated import generated
from tests.interop.messages import messages
from tests.interop.nsq_client import publish, writer
from tests.interop.test_move import COUNT, Queues, _each_type, _move, _passwords, _read, _written, queues

__all__ = ["_passwords", "queues"]  # fixtures
PATIENCE = 30


def _until(found: Callable[[], list[Any]], count: int) -> list[Any]:
    """Return the messages once there are that many: brokers write some time after they confirm."""
    deadline = time.monotonic() + PATIENCE
    while len(made := found()) < count:
        assert time.monotonic() < deadline, f"{len(made)} of {count}"
        time.sleep(0.2)
    return made


def _records(name: str, path: Path, count: int) -> list[Any]:
    """Return the messages of files, none of which is broken."""

    def found() -> list[Any]:
        entries = list(reader(name).entries(path))
        assert not [str(entry) for entry in entries if isinstance(entry, Broken)]
        return [decode(entry.protocol, entry.wire) for entry in entries if isinstance(entry, Record)]

    return _until(found, count)


def _folder(broker: Broker, queue: str) -> Path:
    """Return the folder of a classic queue, or of a stream."""
    for named in broker.folder.rglob(".queue_name"):
        if f"QUEUE: {queue}\n" in named.read_text():
            return named.parent
    return next(path for path in broker.folder.glob("mnesia/*/stream/*") if path.name.startswith(f"__{queue}_"))


def _without_delivery(message: Any) -> Any:
    """Return a message without what RabbitMQ adds when it delivers it, and its headers in one order."""
    if isinstance(message, amqp10.Message) and message.header is not None:
        message.header.first_acquirer = message.header.delivery_count = None
    elif isinstance(message, amqp091.Message) and message.basic.headers is not None:
        message.basic.headers.sort(key=lambda entry: entry.key)  # RabbitMQ sorts them on the way, its files do not
    return message


@pytest.mark.parametrize("source", ["amqp-0.9.1", "amqp-1.0"])
def test_a_classic_queue_has_what_a_consumer_gets(queues: Queues, source: str, fresh_seed: int, tmp_path: Path) -> None:
    given = _each_type(source) + generated(source, messages(source, "mqtt-5.0", "stream"), fresh_seed, COUNT)
    for message in given:
        if isinstance(message, amqp091.Message):
            message.basic.delivery_mode = 2
        else:
            message.header = message.header or amqp10.Header()
            message.header.durable = True
    count = len(given)
    assert _move(f"{source}:{_written(tmp_path / 'given', given)}", queues.fill(source)) == 0
    stored = list(map(_without_delivery, _records("rabbitmq-classic", _folder(queues.broker, queues.b), count)))
    assert _move(queues.end(source, queues.a), f"{source}:{tmp_path / 'consumed'}") == 0
    consumed = list(map(_without_delivery, _read(tmp_path / "consumed", source)))
    assert [each for each in zip(stored, consumed, strict=True) if each[0] != each[1]] == []


def test_large_messages_are_in_the_message_store(queues: Queues, tmp_path: Path) -> None:
    ids = [uuid.uuid4().hex for _ in range(20)]
    given = [
        amqp091.Message(amqp091.BasicProperties(delivery_mode=2, message_id=id_), id_.encode() * (200 if number % 3 else 1))
        for number, id_ in enumerate(ids)
    ]
    assert _move(f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", queues.fill("amqp-0.9.1")) == 0
    store = _folder(queues.broker, queues.b).parents[1]
    payloads = {id_: id_.encode() * (200 if number % 3 else 1) for number, id_ in enumerate(ids)}

    def found() -> list[Any]:
        entries = reader("rabbitmq-classic").entries(store)
        read = [decode(entry.protocol, entry.wire) for entry in entries if isinstance(entry, Record)]
        ours = [each for each in read if isinstance(each, amqp091.Message) and each.basic.message_id in payloads]
        return list({each.basic.message_id: each for each in ours}.values())

    assert {each.basic.message_id: each.payload for each in _until(found, len(ids))} == payloads


def test_a_stream_has_what_a_consumer_gets(rabbitmq_broker: Broker, fresh_seed: int, tmp_path: Path) -> None:
    made = Queues(rabbitmq_broker, "stream")
    made.declare()
    try:
        given = _each_type("amqp-1.0") + generated("amqp-1.0", messages("amqp-1.0", "mqtt-5.0", "stream"), fresh_seed, COUNT)
        assert _move(f"amqp-1.0:{_written(tmp_path / 'given', given)}", made.fill("amqp-1.0")) == 0
        stored = _records("rabbitmq-stream", _folder(made.broker, made.a), len(given))
        ways = f"rabbitmq-stream:{_folder(made.broker, made.a)}", f"amqp-1.0:{tmp_path / 'moved'}"
        assert _move(*ways) == 0
        assert _read(tmp_path / "moved", "amqp-1.0") == stored
        for sent, read in zip(given, stored, strict=True):
            assert (read.properties, read.application_properties, read.body) == (
                sent.properties,
                sent.application_properties,
                sent.body,
            )
    finally:
        made.delete()


def test_the_answers_of_the_management_api_are_read(queues: Queues, tmp_path: Path) -> None:
    """Values of JSON tell no types: the reader takes those that pika would send for them."""
    if "management" not in queues.broker.port:
        pytest.skip("the management API of a broker from outside is not known")
    given = [
        amqp091.Message(
            amqp091.BasicProperties(
                headers=[
                    Entry("flag", "bool", True),
                    Entry("inner", "table", [Entry("n", "signedint", 5)]),
                    Entry("list", "array", [TypedValue("longstr", b"a"), TypedValue("signedint", 2)]),
                    Entry("number", "signedint", number - 1),
                    Entry("text", "longstr", "é".encode()),
                ],
                delivery_mode=2,
                message_id=f"m{number}",
                timestamp=1_700_000_000 + number,
                expiration="600000",
                content_type="text/plain",
            ),
            body,
            exchange=queues.exchange,
            routing_key="k",
        )
        for number, body in enumerate((b"text", b"\x00\xff", b""))
    ]
    assert _move(f"amqp-0.9.1:{_written(tmp_path / 'given', given)}", queues.fill("amqp-0.9.1")) == 0
    asked = {"count": 10, "ackmode": "ack_requeue_true", "encoding": "auto"}
    request = Request(
        f"http://{queues.broker.at('management')}/api/queues/%2F/{queues.a}/get",
        json.dumps(asked).encode(),
        {"content-type": "application/json", "authorization": "Basic " + to_base64(b"guest:guest")},
    )
    with urlopen(request, timeout=PATIENCE) as answer:
        (tmp_path / "got.json").write_bytes(answer.read())
    assert _move(f"rabbitmq-get:{tmp_path / 'got.json'}", f"amqp-0.9.1:{tmp_path / 'read'}") == 0
    assert list(map(_without_delivery, _read(tmp_path / "read", "amqp-0.9.1"))) == given


IN_MEMORY = 10_000
"""Messages of a topic that nsqd keeps in memory (its option mem-queue-size)."""


def test_the_files_of_nsqd_have_what_was_published(nsqd_broker: Broker, fresh_seed: int, tmp_path: Path) -> None:
    topic = f"readers-{uuid.uuid4().hex[:8]}"
    bodies = generated("nsq", st.binary(min_size=1, max_size=400), fresh_seed, COUNT)
    asyncio.run(_published(nsqd_broker.port["tcp"], topic, [b"in memory"] * IN_MEMORY + bodies))
    [file] = _until(lambda: list(nsqd_broker.folder.glob(f"{topic}.diskqueue.*[0-9].dat")), 1)
    assert [each.body for each in _records("nsqd", file, COUNT)] == bodies
    damaged = tmp_path / "orders.diskqueue.000009.dat.bad"
    raw = file.read_bytes()
    damaged.write_bytes(raw[:5] + raw[9:])  # four bytes of the first message are missing
    assert _move(f"nsqd:{damaged}", f"nsq:{tmp_path / 'rescued'}") == 1
    assert [each.body for each in _read(tmp_path / "rescued", "nsq")] == bodies[1:]


async def _published(port: int, topic: str, bodies: list[bytes]) -> None:
    async with writer(port) as made:
        for start in range(0, len(bodies), 500):
            await publish(made.mpub, topic, bodies[start : start + 500])

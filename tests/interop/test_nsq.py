"""pynsq and a real nsqd: we read their bytes, and they accept ours."""

import asyncio
import dataclasses
import json
import socket
import uuid
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import strategies as st

from mqconvert import DecodeError, Environment, convert, decode_frames, encode
from mqconvert.clients import from_pynsq
from mqconvert.converters.protocols.nsq import codec
from mqconvert.converters.protocols.nsq import message as nsq
from tests.converters.protocols.nsq.streams import compress
from tests.interop.brokers.nsqd import Nsqd
from tests.interop.frames import read_back, rewritten
from tests.interop.generated import generated
from tests.interop.messages import amqp10_messages
from tests.interop.nsq_client import AGAIN_AFTER, publish, take, writer
from tests.interop.proxy import Proxy

BODIES = st.binary(min_size=1, max_size=400)
COUNT = 220


@pytest.fixture
def topic() -> str:
    return f"interop-{uuid.uuid4().hex[:8]}"


async def published(port: int, topic: str, bodies: list[bytes]) -> None:
    """Publish half of the messages by PUB, twenty by DPUB, the others in MPUBs of ten."""
    single, batched, deferred = bodies[: len(bodies) // 2], bodies[len(bodies) // 2 : -20], bodies[-20:]
    async with writer(port) as made:
        for body in single:
            await publish(made.pub, topic, body)
        for start in range(0, len(batched), 10):
            await publish(made.mpub, topic, batched[start : start + 10])
        for number, body in enumerate(deferred):
            await publish(made.dpub, topic, 10 * number, body)


def test_every_frame_of_a_session_round_trips(nsqd_broker: Nsqd, topic: str, fresh_seed: int) -> None:
    bodies = list(dict.fromkeys(generated("nsq", BODIES, fresh_seed, COUNT)))
    again = bodies[:5]

    async def session(port: int) -> list[Any]:
        taking = asyncio.create_task(take(port, topic, len(bodies) + len(again), again=again))
        await asyncio.sleep(0.5)
        await published(port, topic, bodies)
        return await taking

    with Proxy(nsqd_broker.port["tcp"]) as proxy:
        taken = asyncio.run(session(proxy.port))
    commands = [frame for each in proxy.sessions for frame in read_back("nsq", bytes(each.client))]
    answers = [frame for each in proxy.sessions for frame in read_back("nsq", bytes(each.broker))]
    kinds = {type(each) for each in commands}
    assert kinds >= {nsq.Magic, nsq.Identify, nsq.Sub, nsq.Rdy, nsq.Message, nsq.Mpub, nsq.Fin, nsq.Touch, nsq.Req}
    assert [each.timeout_ms for each in commands if isinstance(each, nsq.Req)] == [1000 * AGAIN_AFTER] * len(again)
    single = [each for each in commands if isinstance(each, nsq.Message)]
    batched = [body for each in commands if isinstance(each, nsq.Mpub) for body in each.bodies]
    assert sorted([*(each.body for each in single), *batched]) == sorted(bodies)
    assert [each.defer_ms for each in single if each.defer_ms is not None] == [10 * number for number in range(20)]
    delivered = [each for each in answers if isinstance(each, nsq.Message)]
    assert delivered == [from_pynsq(each) for each in taken], f"SEED={fresh_seed}"
    assert sorted(each.body for each in delivered if each.attempts == 2) == sorted(again)


@pytest.mark.parametrize("compression", ["deflate", "snappy"])
def test_a_compressed_session_round_trips(nsqd_broker: Nsqd, topic: str, fresh_seed: int, compression: str) -> None:
    """Compression in pynsq fails with current tornado, so mqconvert writes the commands and nsqd the compressed responses."""
    bodies = generated("nsq", BODIES, fresh_seed, COUNT)
    with socket.create_connection((nsqd_broker.host, nsqd_broker.port["tcp"]), timeout=20) as connection:
        identify = nsq.Identify(json.dumps({"feature_negotiation": True, compression: True}).encode())
        connection.sendall(codec.encode_frame(nsq.Magic()) + codec.encode_frame(identify))
        size = int.from_bytes(connection.recv(4, socket.MSG_WAITALL), "big")
        assert json.loads(connection.recv(size, socket.MSG_WAITALL)[4:])[compression] is True
        commands: list[Any] = [
            nsq.Sub(topic, "archive"),
            nsq.Rdy(1000),
            *(nsq.Message(topic=topic, body=body) for body in bodies),
        ]
        connection.sendall(compress(b"".join(map(codec.encode_frame, commands)), compression))

        def whole(came: bytes) -> bool:
            frames = decode_frames("nsq", codec.decompress(came, compression))
            return sum(isinstance(each, nsq.Message) for each in frames) == len(bodies)

        frames = read_back("nsq", codec.decompress(until(connection, whole), compression))
    assert not [each for each in frames if isinstance(each, nsq.Error)]
    delivered = [each.body for each in frames if isinstance(each, nsq.Message)]
    assert sorted(delivered) == sorted(bodies), f"SEED={fresh_seed}"


def test_answers_to_commands_that_pynsq_does_not_send_round_trip(nsqd_broker: Nsqd, topic: str) -> None:
    """Heartbeats, errors and the end of a subscription, and names of topics and channels that nsqd forgets."""
    identify = nsq.Identify(json.dumps({"feature_negotiation": True, "heartbeat_interval": 1000}).encode())
    heartbeat = nsq.Response(b"_heartbeat_")
    with socket.create_connection((nsqd_broker.host, nsqd_broker.port["tcp"]), timeout=20) as connection:

        def asked(*commands: Any, count: int = 1, beats: bool = False) -> list[Any]:
            """Return a number of frames after these commands, with or without heartbeats."""
            connection.sendall(b"".join(map(codec.encode_frame, commands)))

            def wanted(frames: list[Any]) -> list[Any]:
                return [each for each in frames if beats or each != heartbeat]

            return wanted(read_back("nsq", until(connection, lambda came: len(wanted(decode_frames("nsq", came))) >= count)))

        (told,) = asked(nsq.Magic(), identify)
        assert json.loads(told.data)["auth_required"] is False
        name = f"{topic}#ephemeral"
        assert asked(nsq.Sub(name, "archive#ephemeral")) == [nsq.Response(b"OK")]
        assert asked(beats=True) == [heartbeat]
        found = asked(nsq.Nop(), nsq.Rdy(1), nsq.Message(topic=name, body=b"body"), count=2)
        message: Any
        (message,) = [each for each in found if isinstance(each, nsq.Message)]
        assert (message.body, message.attempts) == (b"body", 1)
        fin = nsq.Fin(message.message_id)
        (failed,) = asked(nsq.Touch(message.message_id), fin, fin)
        assert (codec.frame_to_json(failed)["code"], codec.frame_to_json(failed)["fatal"]) == ("E_FIN_FAILED", False)
        assert asked(nsq.Cls()) == [nsq.Response(b"CLOSE_WAIT")]
        (refused,) = asked(nsq.Auth(b"secret"))
        assert (codec.frame_to_json(refused)["code"], codec.frame_to_json(refused)["fatal"]) == ("E_INVALID", True)
        assert connection.recv(1) == b""


def until(connection: socket.socket, enough: Callable[[bytes], bool]) -> bytes:
    """Wait for enough bytes, and return them."""
    came = bytearray()
    while True:
        came += (more := connection.recv(65536))
        assert more, "the broker has closed"
        try:
            if enough(bytes(came)):
                return bytes(came)
        except DecodeError as error:
            if error.code != "truncated":
                raise


def test_converted_messages_are_stored_and_delivered(nsqd_broker: Nsqd, topic: str, fresh_seed: int) -> None:
    """A proxy replaces the messages of pynsq by converted AMQP 1.0 messages."""
    sources = generated("amqp-1.0", amqp10_messages(arrays=True), fresh_seed, COUNT)
    environment = Environment(address=topic, payload="envelope")
    made: list[Any] = [convert(source, "nsq", environment=environment).message for source in sources]
    waiting = iter(made)

    def ours(frame: Any) -> bytes | None:
        return encode(next(waiting)) if isinstance(frame, nsq.Message) else None

    async def session(port: int) -> list[Any]:
        async with writer(port) as write:
            for number in range(len(made)):
                await publish(write.pub, topic, b"%d" % number)
        return await take(nsqd_broker.port["tcp"], topic, len(made))

    with Proxy(nsqd_broker.port["tcp"], change=rewritten("nsq", ours)) as proxy:
        taken = [from_pynsq(each, topic) for each in asyncio.run(session(proxy.port))]
    delivered = {each.body: each for each in taken}
    for source, sent in zip(sources, made, strict=True):
        got = delivered[sent.body]
        stamped = {"timestamp": got.timestamp, "attempts": got.attempts, "message_id": got.message_id, "frame": "message"}
        assert got == dataclasses.replace(sent, **stamped), f"SEED={fresh_seed}"
        back = convert(got, "amqp-1.0", environment=environment).message
        assert back == source, f"SEED={fresh_seed}"

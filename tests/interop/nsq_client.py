"""pynsq with nsqd: publish and receive messages through a proxy."""

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import nsq

PATIENCE = 30
"""Seconds without a message before reading ends."""
AGAIN_AFTER = 1
"""Seconds until nsqd redelivers a requeued message."""


@asynccontextmanager
async def writer(port: int, **options: Any) -> AsyncIterator[nsq.Writer]:
    """Return a connected Writer; `options` are pynsq's, such as snappy=True."""
    made = nsq.Writer([f"127.0.0.1:{port}"], **options)
    async with asyncio.timeout(PATIENCE):
        while not made.conns:  # pynsq has no event for a connection
            await asyncio.sleep(0.02)
    try:
        yield made
    finally:
        for conn in list(made.conns.values()):
            conn.close()


async def publish(write: Callable[..., None], topic: str, *arguments: Any) -> None:
    """Send one PUB, MPUB or DPUB, and wait for OK; AssertionError for any other response."""
    answered: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
    write(topic, *arguments, callback=lambda _conn, data: answered.set_result(data))
    answer = await asyncio.wait_for(answered, PATIENCE)
    assert answer == b"OK", answer


async def take(port: int, topic: str, count: int, *, again: Sequence[bytes] = (), **options: Any) -> list[nsq.Message]:
    """Return this number of messages; requeue bodies in `again` the first time (REQ), touch and finish all others."""
    taken: list[nsq.Message] = []
    enough = asyncio.Event()

    def handle(message: nsq.Message) -> bool:
        taken.append(message)
        if len(taken) == count:
            enough.set()
        if message.body in again and message.attempts == 1:
            message.requeue(delay=AGAIN_AFTER, backoff=False)
            message.enable_async()
            return True
        message.touch()
        return True

    reader = nsq.Reader(
        topic=topic,
        channel="archive",
        message_handler=handle,
        nsqd_tcp_addresses=[f"127.0.0.1:{port}"],
        max_in_flight=50,
        **options,
    )
    try:
        await asyncio.wait_for(enough.wait(), PATIENCE)
        await asyncio.sleep(0.2)  # wait until the last FIN is sent
    finally:
        reader.close()
    return taken

"""A server in a thread, for tests of ends."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from typing import Any, Self

WAIT = 30
Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]


class Server:
    """Runs `talk` for each connection to `port` of 127.0.0.1, in a thread."""

    def __init__(self, talk: Talk) -> None:
        self._talk = talk
        self._started = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    def __enter__(self) -> Self:
        self._thread.start()
        assert self._started.wait(WAIT)
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._end.set)
        self._thread.join(WAIT)

    async def _serve(self) -> None:
        self._loop, self._end = asyncio.get_running_loop(), asyncio.Event()
        talks: dict[asyncio.Task[None], asyncio.StreamWriter] = {}

        def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            talks[asyncio.create_task(self._talk(reader, writer))] = writer

        server = await asyncio.start_server(connected, "127.0.0.1", 0)
        self.port: int = server.sockets[0].getsockname()[1]
        self._started.set()
        await self._end.wait()
        while accepting := asyncio.all_tasks() - {asyncio.current_task()} - talks.keys():
            await asyncio.wait(accepting)  # a closed server would leave their sockets open
        server.close()
        for talk, writer in talks.items():
            talk.cancel()
            writer.transport.abort()  # `close` waits for a peer that reads, or answers to the end of TLS
        await asyncio.sleep(0)

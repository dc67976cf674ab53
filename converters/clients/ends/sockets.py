"""Ends over a socket of our own, for protocols without a client library: an asyncio loop in the thread of `run`.

A protocol says how a connection opens, how a frame is read, and what a frame means. Work of other threads goes through Jobs.
"""

import asyncio
import ssl
from contextlib import suppress
from typing import Any

from mqconvert.converters.clients.ends import DownError, Where, Window
from mqconvert.converters.clients.ends.loops import Jobs

LARGEST = 2**16
"""Bytes of a line that are waited for, unless an end says otherwise."""


class SocketEnd:
    """One connection: `reader` and `writer`, the Window that is told, and `jobs` for what other threads ask for.

    `silence`: seconds without a frame after which it counts as lost; `limit`: the most bytes of a line; `late_tls`: the
    protocol begins TLS itself, after its first frames.
    """

    blocked = False
    silence = 25.0
    limit = LARGEST
    late_tls = False

    def __init__(self, where: Where) -> None:
        self.where = where
        self.jobs = Jobs(self._wake)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ended: asyncio.Event | None = None
        self._closing = False

    # ---- what a protocol defines

    async def negotiate(self) -> Any:
        """Negotiate, and return what `begin` needs. Raises DownError."""
        raise NotImplementedError

    def begin(self, settings: Any) -> None:
        """Subscribe, or tell the window that messages can be sent. Raises DownError."""
        raise NotImplementedError

    async def read_frame(self) -> Any:
        """Read one frame from `reader`. Raises DownError for what is none."""
        raise NotImplementedError

    async def take(self, frame: Any) -> None:
        """Do what a frame asks for. Raises DownError for one that ends the connection."""
        raise NotImplementedError

    # ---- what all have in common

    def run(self, window: Window) -> None:
        self.window = window
        try:
            asyncio.run(self._session())
        except ssl.SSLCertVerificationError as error:
            raise DownError(f"the broker's certificate is invalid: {error.verify_message}", final=True) from error
        except (OSError, EOFError) as error:
            if not self._closing:
                silent = f"nothing came for {self.silence:g} seconds" if isinstance(error, TimeoutError) else ""
                raise DownError(silent or getattr(error, "strerror", None) or "the connection was lost") from error

    def close(self) -> None:
        self._closing = True
        self.jobs.add(self._end)

    def _end(self) -> None:
        if self._ended is not None:
            self._ended.set()

    def _wake(self) -> None:
        """Have the loop do what waits; before it runs, `_session` does."""
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.jobs.work)

    async def _session(self) -> None:
        secured: dict[str, Any] = {}
        if self.where.tls is not None and not self.late_tls:
            secured = {"ssl": self.where.tls.context()}
        self.reader, self.writer = await asyncio.open_connection(self.where.host, self.where.port, limit=self.limit, **secured)
        try:
            settings = await self.negotiate()
            self._ended = asyncio.Event()
            self.begin(settings)
            self._loop = asyncio.get_running_loop()
            self.jobs.work()
            reading, ending = asyncio.ensure_future(self._read()), asyncio.ensure_future(self._ended.wait())
            done, waiting = await asyncio.wait({reading, ending}, return_when=asyncio.FIRST_COMPLETED)
            for task in waiting:
                task.cancel()
            if reading in done:
                reading.result()
        finally:
            self.jobs.close()  # the loop ends
            self.writer.close()
            with suppress(OSError):
                await asyncio.wait_for(self.writer.wait_closed(), 1)  # what was written is sent

    async def _read(self) -> None:
        while True:
            await self.take(await self.frame())

    async def frame(self) -> Any:
        """Return the next frame, within the time that a connection may be silent."""
        async with asyncio.timeout(self.silence):
            return await self.read_frame()

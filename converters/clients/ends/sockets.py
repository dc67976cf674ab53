"""Ends over a socket of our own, for protocols without a client library: an asyncio loop in the thread of `run`.

A protocol says how a connection opens, how a frame is read, and what a frame means. Work of other threads goes through Jobs.
"""

import asyncio
from contextlib import suppress
from typing import Any

from mqconvert.converters.clients.ends import DownError, Where, Window, down_by
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
        self._ended: asyncio.Future[None] | None = None
        self._begun = self._closing = False

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
        except (OSError, EOFError) as error:
            if not self._closing:
                silent = isinstance(error, TimeoutError)
                raise DownError(f"nothing came for {self.silence:g} seconds") if silent else down_by(error) from error
        except asyncio.LimitOverrunError as error:
            raise DownError(f"a line of more than {self.limit} bytes came", final=True) from error

    def close(self) -> None:
        self._closing = True
        if self._begun:
            self.jobs.add(self._end)  # after what was asked for
        elif self._loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                self._loop.call_soon_threadsafe(self._end)

    def _end(self) -> None:
        if self._ended is not None and not self._ended.done():
            self._ended.set_result(None)

    def _failed(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        """End the connection with the error of a job or timer, which asyncio would only log; `run` raises it."""
        if "handle" in context and self._ended is not None and not self._ended.done():
            self._ended.set_exception(context["exception"])
        else:
            loop.default_exception_handler(context)

    def _wake(self) -> None:
        """Have the loop do what waits; before the work begins, `_converse` does."""
        if self._begun and self._loop is not None:
            self._loop.call_soon_threadsafe(self.jobs.work)

    async def _session(self) -> None:
        """Converse until `close`, or an error."""
        self._loop = asyncio.get_running_loop()
        self._loop.set_exception_handler(self._failed)
        self._ended = self._loop.create_future()
        if self._closing:
            return
        conversing = asyncio.ensure_future(self._converse())
        done, _ = await asyncio.wait({conversing, self._ended}, return_when=asyncio.FIRST_COMPLETED)
        if conversing not in done:
            conversing.cancel()
            await asyncio.wait({conversing})
        for each in done:
            each.result()

    async def _converse(self) -> None:
        secured: dict[str, Any] = {}
        if self.where.tls is not None and not self.late_tls:
            secured = {"ssl": self.where.tls.context()}
        host, port = self.where.host, self.where.port
        async with asyncio.timeout(self.silence):
            self.reader, self.writer = await asyncio.open_connection(host, port, limit=self.limit, **secured)
        try:
            settings = await self.negotiate()
            self.begin(settings)
            self._begun = True
            self.jobs.work()
            while True:
                await self.take(await self.frame())
        finally:
            self.jobs.close()  # the loop ends
            self.writer.close()
            with suppress(OSError):
                await asyncio.wait_for(self.writer.wait_closed(), 1)  # what was written is sent

    async def frame(self) -> Any:
        """Return the next frame, within the time that a connection may be silent."""
        async with asyncio.timeout(self.silence):
            return await self.read_frame()

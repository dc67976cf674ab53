"""A proxy between client and broker that keeps every byte of both directions, and may change the client's bytes.

It is independent of protocols: a function gets the waiting bytes and returns their replacement.
"""

import asyncio
import contextlib
import socket
import ssl
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Self

Change = Callable[[bytes], tuple[bytes, int]]
"""Maps waiting bytes to their replacement, and the number of bytes replaced."""


@dataclass
class Session:
    """The bytes of one connection: the client's, before any change, and the broker's."""

    client: bytearray = field(default_factory=bytearray)
    broker: bytearray = field(default_factory=bytearray)


class Proxy:
    """Listens on `port` of 127.0.0.1 during a `with` block, and connects every client to `target`."""

    def __init__(self, target: int, port: int = 0, change: Change | None = None, answer: Change | None = None) -> None:
        self.sessions: list[Session] = []
        self._target = target
        self._changes = change, answer
        self._sockets: list[socket.socket] = []
        self._silent: set[socket.socket] = set()
        self._faults: list[Exception] = []
        self._threads: list[threading.Thread] = []
        self._server = socket.create_server(("127.0.0.1", port))
        self.port: int = self._server.getsockname()[1]

    def __enter__(self) -> Self:
        self._begin(self._accept)
        return self

    def __exit__(self, *_error: object) -> None:
        """End all sessions, and raise errors of `change` or `answer`."""
        for each in (self._server, *self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        for thread in self._threads:
            thread.join()
        for fault in self._faults:
            raise fault

    def cut(self) -> None:
        """End every connection; new ones are accepted."""
        for each in list(self._sockets):
            with contextlib.suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def silence(self) -> None:
        """Keep every connection half-open: their bytes go nowhere, and neither do their ends; new ones are passed on."""
        self._silent |= set(self._sockets)

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):  # the block has ended and closed the socket
            while True:
                client, _ = self._server.accept()
                broker = socket.create_connection(("127.0.0.1", self._target))
                for each in (client, broker):
                    each.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # clients wait for every response
                self._sockets += client, broker
                session = Session()
                self.sessions.append(session)
                change, answer = self._changes
                self._begin(self._pass, client, broker, session.client, change)
                self._begin(self._pass, broker, client, session.broker, answer)

    def _pass(self, source: socket.socket, target: socket.socket, kept: bytearray, change: Change | None) -> None:
        """Pass on bytes until one side closes, or `change` fails."""
        waiting = b""
        with contextlib.suppress(OSError):
            while came := source.recv(65536):
                if source in self._silent:
                    continue
                kept += came
                if change is None:
                    target.sendall(came)
                    continue
                waiting += came
                try:
                    made, used = change(waiting)
                except Exception as fault:  # noqa: BLE001 - raised again at the end of the block
                    self._faults.append(fault)
                    source.shutdown(socket.SHUT_RDWR)
                    break
                waiting = waiting[used:]
                target.sendall(made)
        if source in self._silent:
            return
        with contextlib.suppress(OSError):
            target.shutdown(socket.SHUT_WR)


class TlsProxy:
    """Listens on `port` of localhost with TLS during a `with` block, and passes the plain bytes to `target`."""

    def __init__(self, target: int, certificate: Path) -> None:
        self.port = 0
        self._target = target
        self._context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        self._context.load_cert_chain(certificate)
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()))

    def __enter__(self) -> Self:
        self._thread.start()
        self._ready.wait()
        return self

    def __exit__(self, *_error: object) -> None:
        self._loop.call_soon_threadsafe(self._ended.set)
        self._thread.join()

    async def _serve(self) -> None:
        self._loop, self._ended = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self._accept, "localhost", 0, ssl=self._context, family=socket.AF_INET)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._ended.wait()
        server.close()

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there, to = await asyncio.open_connection("127.0.0.1", self._target)
        try:
            await asyncio.gather(_passed(reader, to), _passed(there, writer))
        except (OSError, asyncio.CancelledError):
            pass  # one side has gone, or the block has ended
        finally:
            for one in (to, writer):
                one.close()
                with contextlib.suppress(OSError, TimeoutError):
                    await asyncio.wait_for(one.wait_closed(), 1)


async def _passed(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while came := await reader.read(65536):
        writer.write(came)
        await writer.drain()
    writer.close()

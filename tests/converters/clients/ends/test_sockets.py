"""Ends over sockets, with a small protocol of lines against a server in a thread."""

import asyncio
import threading
import time
from collections.abc import Callable

import pytest

from mqconvert.converters.clients.ends import DownError, Tls, Where
from mqconvert.converters.clients.ends.sockets import SocketEnd
from tests.app.move.test_files import Window
from tests.converters.clients.ends.servers import Server

WAIT = 30


class Lines(SocketEnd):
    """Says hello, and keeps each line; `quit` ends the connection."""

    def __init__(self, where: Where) -> None:
        super().__init__(where)
        self.lines: list[bytes] = []
        self.begun = threading.Event()

    async def negotiate(self) -> bytes:
        self.writer.write(b"hello\n")
        greeting: bytes = await self.frame()
        return greeting

    def begin(self, settings: bytes) -> None:
        self.lines.append(settings)
        self.begun.set()

    async def read_frame(self) -> bytes:
        return await self.reader.readuntil(b"\n")

    async def take(self, frame: bytes) -> None:
        if frame == b"quit\n":
            raise DownError("the server is busy", by_peer=True)
        self.lines.append(frame)

    def say(self, line: bytes) -> None:
        self.jobs.add(lambda: self.writer.write(line))


async def _echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    while line := await reader.readline():
        writer.write(line)
    writer.close()


def _until(good: Callable[[], bool]) -> None:
    deadline = time.monotonic() + WAIT
    while not good():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_what_other_threads_ask_for_is_done_in_the_loop_from_the_beginning() -> None:
    """Work that is asked for before the connection is there waits for it."""
    with Server(_echo) as server:
        end = Lines(Where("127.0.0.1", server.port))
        end.say(b"early\n")
        thread = threading.Thread(target=end.run, args=(Window(),))
        thread.start()
        assert end.begun.wait(WAIT)
        end.say(b"late\n")
        _until(lambda: len(end.lines) == 3)
        end.close()
        thread.join(WAIT)
        assert not thread.is_alive()
    assert end.lines == [b"hello\n", b"early\n", b"late\n"]


def test_what_was_asked_for_before_closing_is_sent() -> None:
    received: list[bytes] = []
    all_there = threading.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline())
        received.append(await reader.read(-1))
        all_there.set()
        writer.close()

    with Server(talk) as server:
        end = Lines(Where("127.0.0.1", server.port))
        thread = threading.Thread(target=end.run, args=(Window(),))
        thread.start()
        assert end.begun.wait(WAIT)
        end.say(b"x" * 1_000_000)
        end.close()
        thread.join(WAIT)
        assert all_there.wait(WAIT)
    assert [len(each) for each in received] == [1_000_000]


class Faulty(Lines):
    """Has a defect in a job that the loop does."""

    def begin(self, settings: bytes) -> None:
        super().begin(settings)
        asyncio.get_running_loop().call_soon(self.jobs.add, int, "no number")


def test_run_raises_the_error_of_a_job() -> None:
    with Server(_echo) as server:
        end = Faulty(Where("127.0.0.1", server.port))
        timer = threading.Timer(WAIT, end.close)
        timer.start()
        with pytest.raises(ValueError, match="no number"):
            end.run(Window())
        timer.cancel()


def test_a_server_that_does_not_answer_to_tls_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lines, "silence", 0.2)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(-1)
        writer.close()

    with Server(talk) as server, pytest.raises(DownError, match=r"nothing came for 0\.2 seconds"):
        Lines(Where("localhost", server.port, tls=Tls())).run(Window())


@pytest.mark.parametrize("early", [False, True])
def test_an_end_that_waits_for_the_greeting_is_closed(early: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lines, "silence", 10.0 * WAIT)
    greeted = threading.Event()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        greeted.set()
        await reader.read(-1)
        writer.close()

    with Server(talk) as server:
        end = Lines(Where("127.0.0.1", server.port))
        if early:
            end.close()
        thread = threading.Thread(target=end.run, args=(Window(),), daemon=True)
        thread.start()
        if not early:
            assert greeted.wait(WAIT)
            end.close()
        thread.join(WAIT)
        assert not thread.is_alive()
    assert not end.begun.is_set()


class Brief(Lines):
    """Closes as soon as it is up."""

    def begin(self, settings: bytes) -> None:
        super().begin(settings)
        self.close()


def test_an_end_that_is_closed_as_it_begins_ends() -> None:
    with Server(_echo) as server:
        end = Brief(Where("127.0.0.1", server.port))
        end.run(Window())
    assert end.lines == [b"hello\n"]


@pytest.mark.parametrize(
    ("answer", "words", "by_peer"),
    [
        (b"", "the connection was lost", False),
        (b"hello\nno end", "the connection was lost", False),
        (b"hello\nquit\n", "the server is busy", True),
        (None, "nothing came for 0.2 seconds", False),
    ],
)
def test_a_lost_connection_is_told_with_its_reason(
    answer: bytes | None, words: str, by_peer: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Lines, "silence", 0.2 if answer is None else WAIT)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readline()
        if answer is None:
            await reader.read(-1)
        else:
            writer.write(answer)
        writer.close()

    with Server(talk) as server, pytest.raises(DownError) as down:
        Lines(Where("127.0.0.1", server.port)).run(Window())
    assert (down.value.words, down.value.by_peer, down.value.final) == (words, by_peer, False)


def test_a_line_without_end_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Lines, "limit", 64)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(await reader.readline() + b"x" * 1000)
        await reader.read(-1)
        writer.close()

    with Server(talk) as server, pytest.raises(DownError, match="a line of more than 64 bytes came") as down:
        Lines(Where("127.0.0.1", server.port)).run(Window())
    assert down.value.final

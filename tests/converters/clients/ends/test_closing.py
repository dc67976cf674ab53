"""Ends of every protocol are closed while the broker does not answer: a silent server stands for one that hangs."""

import asyncio
import threading
from collections.abc import Iterator
from contextlib import suppress

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.clients.ends import Source, Target, Where, amqp10, pulsar
from tests.app.move.test_files import Window
from tests.converters.clients.ends.servers import Server

WAIT = 30
"""Seconds for the end; what clients wait for by themselves is longer in these tests."""
KEYS = {
    "amqp-0.9.1": {"queue": "q"},
    "amqp-1.0": {"address": "q"},
    "mqtt-5.0": {"topic": "t", "client_id": "c"},
    "mqtt-3.1.1": {"topic": "t", "client_id": "c"},
    "nsq": {"topic": "t", "channel": "c"},
    "pulsar": {"topic": "t", "subscription": "s"},
}
"""Protocols, with the keys of their sources; the first is that of their targets, too."""


class Silent:
    """A server that takes connections, and answers nothing until the client has closed them."""

    def __init__(self) -> None:
        self.port = 0
        self.came, self.gone = threading.Event(), threading.Event()


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[Silent]:
    monkeypatch.setattr(amqp10, "HEARTBEAT", 10 * WAIT)
    monkeypatch.setattr(pulsar, "PATIENCE", 10 * WAIT)
    silent = Silent()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        silent.came.set()
        try:
            with suppress(ConnectionResetError):
                await reader.read(-1)
        finally:
            silent.gone.set()
            writer.close()

    with Server(talk) as server:
        silent.port = server.port
        yield silent


def _made(protocol: str, role: str, port: int) -> Source | Target:
    ends, keys = PROTOCOLS[protocol].ends_module().ENDS, KEYS[protocol]
    where = Where("127.0.0.1", port)
    if role == "source":
        source: Source = ends.source(where, keys)
        return source
    name = next(iter(keys))
    target: Target = ends.target(where, ends.address({name: keys[name]}))
    return target


@pytest.mark.parametrize("early", [False, True])
@pytest.mark.parametrize("role", ["source", "target"])
@pytest.mark.parametrize("protocol", KEYS)
def test_an_end_is_closed_before_the_broker_has_answered(silent: Silent, protocol: str, role: str, early: bool) -> None:
    end = _made(protocol, role, silent.port)
    if early:
        end.close()
    errors: list[BaseException] = []

    def run() -> None:
        try:
            end.run(Window())
        except BaseException as error:  # noqa: BLE001 - the test tells it
            errors.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    if not early:
        assert silent.came.wait(WAIT)
        end.close()
    thread.join(WAIT)
    assert (thread.is_alive(), errors) == (False, [])
    assert early or silent.gone.wait(WAIT)

"""`mqconvert move` with servers that break rules, over real sockets: one line tells what is wrong, and the move ends."""

import asyncio
import json
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from pika import frame, spec

from mqconvert import Environment, convert, encode
from mqconvert.app import move
from mqconvert.app.cli import main
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5.message import Message
from tests.converters.clients.ends.fake091 import Broker
from tests.converters.clients.ends.servers import Server

SOURCES = {
    "amqp-0.9.1": "queue=q",
    "amqp-1.0": "address=q",
    "mqtt-5.0": "topic=t&client_id=c",
    "nsq": "topic=t&channel=c",
    "pulsar": "topic=t&subscription=s",
}
"""Protocols, with the keys of a source; the first one is a target's, too."""


def _ends(protocol: str, role: str, port: int, folder: Path, scheme: str = "") -> tuple[str, str]:
    """Return a broker at a port as source or target, and a file as the other end: one with a message, or a new one."""
    keys, file = SOURCES[protocol], folder / role
    broker = f"{scheme or protocol}://127.0.0.1:{port}?{keys}"
    if role == "source":
        return broker, f"{protocol}:{file}"
    message = convert(Message(topic_name="t", payload=b"hi"), protocol, environment=Environment(clock=1)).message
    file.write_text(json.dumps({"wire": to_base64(encode(message))}) + "\n")
    return f"{protocol}:{file}", f"{broker.partition('?')[0]}?{keys.partition('&')[0]}"


@pytest.fixture
def silent(monkeypatch: pytest.MonkeyPatch) -> Iterator[int]:
    """Yield the port of a server that takes connections and never answers; the command's patience is short."""
    monkeypatch.setattr(move, "PATIENCE", 1.0)

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(ConnectionResetError):
                await reader.read(-1)
        finally:
            writer.close()

    with Server(talk) as server:
        yield server.port


@pytest.mark.parametrize("role", ["source", "target"])
@pytest.mark.parametrize("protocol", SOURCES)
def test_a_broker_that_does_not_answer_is_given_up(
    silent: int, protocol: str, role: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["move", *_ends(protocol, role, silent, tmp_path)]) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert told.startswith(f"mqconvert: {role}: the broker did not answer within 1 seconds ({protocol}:")


# ---- a broker of AMQP 0.9.1 with answers of its own


def _move(tmp_path: Path, broker: Broker, *more: str, count: int = 5, meanwhile: Callable[[], bool] | None = None) -> int:
    """Move messages from a file to a broker, and return the status; SIGTERM comes once `meanwhile` holds."""
    given = tmp_path / "given"
    lines = [{"wire": to_base64(encode(amqp091.Message(amqp091.BasicProperties(), b"%d" % one)))} for one in range(count)]
    given.write_text("".join(json.dumps(line) + "\n" for line in lines))
    before = signal.getsignal(signal.SIGTERM)

    def terminate() -> None:
        while signal.getsignal(signal.SIGTERM) is before or not (meanwhile and meanwhile()):
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGTERM)

    if meanwhile is not None:
        threading.Thread(target=terminate, daemon=True).start()
    with Server(broker.talk) as server:
        return main(["move", f"amqp-0.9.1:{given}", f"amqp-0.9.1://127.0.0.1:{server.port}?queue=q", *more])


def test_a_blocked_target_does_not_hold_a_move_that_a_signal_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broker = Broker(opened=[spec.Connection.Blocked("alarm")])
    assert _move(tmp_path, broker, "--timeout", "1", meanwhile=lambda: broker.confirming) == 1
    told = capsys.readouterr().err.splitlines()
    assert told[0] == "mqconvert: stopped by a signal: the rest is still at the source"


def test_a_target_that_never_answers_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(move, "GIVE_UP", 2.0)
    monkeypatch.setattr(move, "STEADY", 0.5)
    broker = Broker(lambda _tag, _body: [])
    assert _move(tmp_path, broker, "--timeout", "1") == 1
    assert broker.connections > 1
    told = capsys.readouterr().err
    assert "target: no answer for 1 seconds" in told
    assert "5 messages sent, but not settled: at the source, and perhaps at the target, too" in told
    assert "some messages may have arrived twice" in told


def test_a_move_that_stops_tells_how_many_messages_are_at_both_ends(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The first message is returned after the others have arrived: nothing is settled, and another run repeats them."""
    returned = [
        spec.Basic.Return(312, "NO_ROUTE", "", "q"),
        frame.Header(1, 1, spec.BasicProperties()).marshal(),
        frame.Body(1, b"0").marshal(),
    ]

    def answer(tag: int, _body: bytes) -> list[Any]:
        return [*map(spec.Basic.Ack, (2, 3, 4, 5)), *returned, spec.Basic.Ack(1)] if tag == 5 else []

    assert _move(tmp_path, Broker(answer)) == 1
    told = capsys.readouterr().err
    assert "returned: NO_ROUTE" in told
    assert "4 messages sent, but not settled: at the source, and perhaps at the target, too" in told


def test_a_target_that_asks_again_is_not_silent(tmp_path: Path) -> None:
    """A full queue answers with nacks for longer than `--timeout`: the connection stays."""
    asked: list[float] = []

    def answer(tag: int, _body: bytes) -> list[Any]:
        asked.append(time.monotonic())
        return [spec.Basic.Nack(tag) if asked[-1] - asked[0] < 3 else spec.Basic.Ack(tag)]

    broker = Broker(answer)
    assert _move(tmp_path, broker, "--timeout", "1", count=1) == 0
    assert broker.connections == 1


def test_each_message_that_the_target_asks_for_again_arrives_once(tmp_path: Path) -> None:
    seen: set[bytes] = set()

    def answer(tag: int, body: bytes) -> list[Any]:
        again = body not in seen
        seen.add(body)
        return [spec.Basic.Nack(tag) if again else spec.Basic.Ack(tag)]

    broker = Broker(answer)
    assert _move(tmp_path, broker, count=20) == 0
    assert sorted(broker.bodies) == sorted([*seen, *seen])


def test_answers_about_unknown_messages_end_the_connection(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(move, "GIVE_UP", 0.2)
    broker = Broker(lambda tag, _body: [spec.Basic.Ack(tag + 7)])
    assert _move(tmp_path, broker) == 1
    assert "target: the broker answered about a message that was not sent, or twice" in capsys.readouterr().err


def test_a_broker_without_publisher_confirms_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert _move(tmp_path, Broker(capabilities={})) == 2
    [told] = capsys.readouterr().err.splitlines()
    assert told.startswith("mqconvert: target: the broker has no publisher confirms, without which messages may be lost")

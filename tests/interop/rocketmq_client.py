"""RocketMQ's Java client (java/RocketPeer.java), used over its standard input and output."""

import base64
import contextlib
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path

from tests.interop.brokers.java import compiled, java
from tests.interop.brokers.rocketmq import RocketMQ
from tests.interop.proxy import Change, Proxy, Session

_SOURCE = Path(__file__).with_name("java") / "RocketPeer.java"
COMPRESS_ABOVE = 1000
"""Minimum size of compressed bodies in bytes."""
ROLL_BACK = "roll-back"
"""The property of a message whose transaction the client rolls back; it commits the others."""


PATIENT = (
    "-Dcom.rocketmq.remoting.client.connect.timeout=20000",
    "-Dcom.rocketmq.remoting.client.closeSocketIfTimeout=false",
)
"""Timeouts for a busy machine.

By default a connection attempt ends after 3 seconds, and a heartbeat unanswered for 3 seconds closes the connection. Every
message that waits for a response then fails: "Send [3] times, still failed" (decisions.md, what real brokers do).
"""


@dataclass(frozen=True)
class Sent:
    """A message for the client to send. `level` is RocketMQ's delay level, 0 for none."""

    body: bytes
    properties: tuple[tuple[str, str], ...] = ()
    flag: int = 0
    level: int = 0

    def fields(self, topic: str) -> list[str]:
        texts = (text.encode() for pair in self.properties for text in pair)
        return [_field(topic.encode()), str(self.flag), str(self.level), _field(self.body), *map(_field, texts)]


@dataclass(frozen=True)
class Taken:
    """A message that the client received, in its own terms."""

    message_id: str
    topic: str
    flag: int
    sys_flag: int
    born_timestamp: int
    store_timestamp: int
    queue_id: int
    queue_offset: int
    physical_offset: int
    reconsume_times: int
    prepared_transaction_offset: int
    born_host: str
    body: bytes
    properties: dict[str, str]


_NUMBERS = [each.name for each in fields(Taken) if each.type is int]


class Client:
    """A producer, and a consumer for each `take`."""

    def __init__(self, names: int, *options: str) -> None:
        jars = RocketMQ.prepare()
        command = [*java(jars, "-Xmx192m", *PATIENT, *options, classes=(compiled(_SOURCE, jars),)), _SOURCE.stem]
        self._process = subprocess.Popen(
            [*command, f"127.0.0.1:{names}", str(COMPRESS_ABOVE)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._answer() == ["ready"]

    def close(self) -> None:
        self._process.kill()
        self._process.communicate()

    def send(self, topic: str, message: Sent) -> None:
        self._ask(["send", *message.fields(topic)])

    def transaction(self, topic: str, message: Sent) -> None:
        self._ask(["transaction", *message.fields(topic)])

    def batch(self, topic: str, messages: list[Sent]) -> None:
        self._ask(["batch", str(len(messages))], *(["", *each.fields(topic)] for each in messages))

    def take(self, topic: str, count: int) -> list[Taken]:
        """Return this number of messages, or those that arrive within a minute."""
        self._say(["take", _field(topic.encode()), str(count)])
        return list(self._taken())

    def _taken(self) -> Iterator[Taken]:
        while (line := self._answer())[0] == "message":
            raw = [base64.b64decode(field) for field in line[1:]]
            identity, topic, *numbers, host = (part.decode() for part in raw[:12])
            names, values = (tuple(part.decode() for part in raw[at::2]) for at in (13, 14))
            counts = dict(zip(_NUMBERS, map(int, numbers), strict=True))
            pairs = dict(zip(names, values, strict=True))
            yield Taken(identity, topic, born_host=host, body=raw[12], properties=pairs, **counts)

    def _ask(self, *lines: list[str]) -> None:
        for line in lines:
            self._say(line)
        status = self._answer()
        assert status[0] == "SEND_OK", status

    def _say(self, fields: list[str]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write("\t".join(fields) + "\n")
        self._process.stdin.flush()

    def _answer(self) -> list[str]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        assert line, "the client has ended"
        return line.rstrip("\n").split("\t")


def _field(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


@contextlib.contextmanager
def recorded(broker: RocketMQ, *options: str, change: Change | None = None) -> Iterator[tuple[Client, list[Session]]]:
    """Yield a client with recorded sessions. The name server's responses name the broker's proxy."""
    with contextlib.ExitStack() as stack:
        front = stack.enter_context(Proxy(broker.port["broker"], change=change))
        there, here = broker.at("broker").encode(), f"127.0.0.1:{front.port}".encode()
        assert len(there) == len(here), "the ports have as many digits, so that no length changes"
        names = stack.enter_context(Proxy(broker.port["names"], answer=lambda came: (came.replace(there, here), len(came))))
        client = Client(names.port, *options)
        stack.callback(client.close)
        yield client, front.sessions

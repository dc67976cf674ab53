"""pulsar-client with Pulsar: send and receive through a recording proxy."""

import contextlib
import subprocess
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pulsar

from tests.interop.brokers.java import compiled, java
from tests.interop.brokers.pulsar import Pulsar
from tests.interop.proxy import Change, Proxy, Session

_TRANSACTIONS = Path(__file__).with_name("java") / "PulsarPeer.java"
PATIENCE = 30
"""Seconds without a message after which receiving ends."""
COMPRESSIONS = {name.upper(): kind for name, kind in pulsar.CompressionType.__members__.items()}


@dataclass(frozen=True)
class Sent:
    """A message for the client to send. A `body` of None is Pulsar's null; times are milliseconds since 1970."""

    body: bytes | None
    properties: tuple[tuple[str, str], ...] = ()
    partition_key: str | None = None
    ordering_key: str | None = None
    event_time: int | None = None
    deliver_at: int | None = None

    def options(self) -> dict[str, Any]:
        return {
            "properties": dict(self.properties),
            "partition_key": self.partition_key,
            "ordering_key": self.ordering_key,
            "event_timestamp": self.event_time,
            "deliver_at": self.deliver_at,
        }


@contextlib.contextmanager
def recorded(broker: Pulsar, change: Change | None = None) -> Iterator[tuple[pulsar.Client, list[Session]]]:
    """Yield a client with recorded sessions. The broker redirects its clients to the proxy's port."""
    with Proxy(broker.port["binary"], broker.port["proxy"], change) as proxy:
        client = pulsar.Client(f"pulsar://127.0.0.1:{proxy.port}", logger=pulsar.ConsoleLogger(pulsar.LoggerLevel.Error))
        try:
            yield client, proxy.sessions
        finally:
            client.close()


def send(client: pulsar.Client, topic: str, messages: list[Sent], **options: Any) -> None:
    """Send all messages without waiting for each, so that the producer makes batches if its `options` request them."""
    results: list[pulsar.Result] = []
    producer = client.create_producer(topic, block_if_queue_full=True, **options)
    for each in messages:
        producer.send_async(each.body, lambda result, _position: results.append(result), **each.options())
    producer.flush()
    producer.close()
    end = time.monotonic() + PATIENCE
    while len(results) < len(messages) and time.monotonic() < end:
        time.sleep(0.01)
    assert results == [pulsar.Result.Ok] * len(messages)


def subscribe(client: pulsar.Client, topic: str, **options: Any) -> pulsar.Consumer:
    """Return a consumer from the first message on. Only shared consumers receive delayed messages."""
    return client.subscribe(
        topic,
        "archive",
        consumer_type=pulsar.ConsumerType.Shared,
        initial_position=pulsar.InitialPosition.Earliest,
        **options,
    )


def take(consumer: pulsar.Consumer, count: int) -> list[pulsar.Message]:
    """Return this number of messages, and acknowledge each."""
    taken = []
    for _ in range(count):
        taken.append(consumer.receive(timeout_millis=PATIENCE * 1000))
        consumer.acknowledge(taken[-1])
    return taken


def transactions(port: int, topic: str, count: int, *, batched: bool) -> dict[str, list[list[str]]]:
    """Commit a number of messages with Pulsar's Java client, the only one with transactions, and abort as many.

    Return the lines that it prints, by their first word: "sent", transaction, text; "received", transaction, text.
    """
    jars = Pulsar.prepare()
    program = java(jars, "-Xmx192m", classes=(compiled(_TRANSACTIONS, jars),))
    kind = "batched" if batched else "single"
    command = [*program, _TRANSACTIONS.stem, f"pulsar://127.0.0.1:{port}", topic, str(count), kind]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=120)
    told: dict[str, list[list[str]]] = {"sent": [], "received": []}
    for line in done.stdout.splitlines():  # skip the lines of its log
        word, *rest = line.split("\t")
        if word in told:
            told[word].append(rest)
    return told

"""`mqconvert move` and a loop written by hand with the same clients, between real brokers: `python -m benchmarks.move`.

Both move the same messages, in turns; a figure is processor time of the whole process, less that of a move of one message, by
the number of messages. It writes benchmarks/move.md, for the modules that run: `make speed` before it compiles them. It needs
the RabbitMQ of `make interop`, which speaks all three protocols.
"""

import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path
from struct import pack

from hand import QUEUE, SESSION, TARGET, TOPIC
from measure import Row, page
from typical import WIRES

from mqconvert.compiled import RUNNING
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.readers import reader
from tests.interop import peers
from tests.interop.brokers.rabbitmq import RabbitMQ

PAIRS = {
    ("amqp-0.9.1", "amqp-0.9.1"): "at least 0.9",
    ("amqp-0.9.1", "mqtt-5.0"): "at least 2",
    ("amqp-1.0", "amqp-0.9.1"): "at least 0.9",
    ("mqtt-5.0", "amqp-1.0"): "at least 0.9",
}
COUNT, ROUNDS = 10_000, 3
HERE = Path(__file__).parent


class Bench:
    """Queues and a session on a RabbitMQ."""

    def __init__(self, rabbit: RabbitMQ, folder: Path) -> None:
        self.rabbit, self.folder = rabbit, folder
        self.addresses = rabbit.at("amqp"), rabbit.at("mqtt")

    def end(self, protocol: str, queue: str, *, source: bool = False) -> str:
        if protocol == "mqtt-5.0":
            return f"{protocol}://guest@{self.rabbit.at('mqtt')}?topic={TOPIC}{f'&client_id={SESSION}' if source else ''}"
        key = "queue=" if protocol == "amqp-0.9.1" else "address=/queues/"
        return f"{protocol}://guest@{self.rabbit.at('amqp')}?{key}{queue}"

    def fill(self, source: str, target: str, count: int) -> None:
        """Put messages where the source takes them, and nothing where the target does, which somebody subscribes to."""
        with peers.pika_channel(self.rabbit) as channel:
            for queue in (QUEUE, TARGET):
                channel.queue_delete(queue)
                channel.queue_declare(queue, durable=True)
            if target == "mqtt-5.0":
                channel.queue_bind(TARGET, "amq.topic", TOPIC.replace("/", "."))
        file = self.folder / "given.jsonl"
        line = json.dumps({"wire": to_base64(WIRES[source])}) + "\n"
        if source == "mqtt-5.0":  # the session has to be there first
            self.move(self.end(source, QUEUE, source=True), f"{source}:{os.devnull}", "--idle", "0")
        file.write_text(line * count)
        self.move(f"{source}:{file}", self.end(source, QUEUE))

    def move(self, source: str, target: str, *more: str) -> float:
        """Return the processor time of the command."""
        environment = {"MQCONVERT_SOURCE_PASSWORD": "guest", "MQCONVERT_TARGET_PASSWORD": "guest"}
        command = [sys.executable, "-m", "mqconvert.app", "move", source, target, "--idle", "1", *more]
        return spent(command, environment)

    def pair(self, source: str, target: str, wanted: str) -> Row:
        best: dict[str, float] = {}
        started: dict[str, float] = {}
        for _ in range(ROUNDS):
            for name in ("move", "hand"):
                self.fill(source, target, COUNT)
                best[name] = min(best.get(name, float("inf")), self.run(name, source, target, COUNT))
                self.fill(source, target, 1)
                started[name] = min(started.get(name, float("inf")), self.run(name, source, target, 1))
        took = {name: 1e6 * (best[name] - started[name]) / COUNT for name in best}
        return Row(
            f"move, {source} to {target}",
            "the loop of benchmarks/hand.py: some fields, types of the clients, no report",
            f"{took['move']:.0f} µs to {took['hand']:.0f} µs a message",
            took["hand"] / took["move"],
            wanted,
        )

    def run(self, name: str, source: str, target: str, count: int) -> float:
        if name == "hand":
            return spent([sys.executable, str(HERE / "hand.py"), source, target, str(count), *self.addresses])
        return self.move(self.end(source, QUEUE, source=True), self.end(target, TARGET))


def spent(command: list[str], environment: dict[str, str] | None = None) -> float:
    """Return the processor time of a command, which has to succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, capture_output=True, env=os.environ | (environment or {}), timeout=300)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def memory(bench: Bench, count: int) -> int:
    """Return the peak resident set of a move of so many messages from a file to a file, in MB."""
    file = bench.folder / "many.jsonl"
    line = (json.dumps({"wire": to_base64(WIRES["amqp-1.0"])}) + "\n").encode()
    with file.open("wb") as out:
        for _ in range(count // 1000):
            out.write(line * 1000)
    command = [sys.executable, "-m", "mqconvert.app", "move", f"amqp-1.0:{file}", f"amqp-0.9.1:{os.devnull}"]
    process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"move ended with {process.returncode}")
    return usage.ru_maxrss // 1024


def stream_rate(folder: Path) -> float:
    """Return the MB of messages of 1 kB that `rabbitmq-stream` reads in a second of processor time."""
    message = b"\x00\x53\x75\xb0" + pack(">I", 1000) + bytes(1000)
    data = (pack(">I", len(message)) + message) * 200
    head = pack(">BBHIqQ", 0x50, 0, 200, 200, 0, 1)
    chunks = [head + pack(">QIIIB3x", 200 * number, zlib.crc32(data), len(data), 0, 0) + data for number in range(500)]
    (folder / "0.segment").write_bytes(b"OSIL\0\0\0\1" + b"".join(chunks))
    best = float("inf")
    for _ in range(5):
        began = time.process_time()
        count = sum(1 for _ in reader("rabbitmq-stream").entries(folder / "0.segment"))
        best = min(best, time.process_time() - began)
    return count * len(message) / best / 1e6


def rows(bench: Bench) -> list[Row]:
    made: list[Row] = []
    for (source, target), wanted in PAIRS.items():
        made.append(bench.pair(source, target, wanted))
        print(made[-1], flush=True)
    few, many = memory(bench, 100_000), memory(bench, 1_000_000)
    what = "memory of a million messages, file to file"
    made.append(Row(what, "that of 100,000", f"{many} MB to {few} MB", many / few, "at most 1.05"))
    rate = f"{stream_rate(bench.folder):.0f} MB a second of one core"
    made.append(Row("rabbitmq-stream, messages of 1 kB, not decoded", "", rate, None, "at least 100 MB"))
    return made


def main() -> None:
    with RabbitMQ() as rabbit, tempfile.TemporaryDirectory() as folder:
        text = page("Moves", rows(Bench(rabbit, Path(folder))))
    print(text)
    head = f"# What moves cost\n\nWritten by `make bench-move`, running {RUNNING}.\n"
    (HERE / "move.md").write_text(f"{head}\n{text}", encoding="utf-8")


if __name__ == "__main__":
    main()

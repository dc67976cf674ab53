"""The figures that the live suite prints at its end: times, memory, messages and frames."""

import threading
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from tests.interop.brokers.broker import STARTED

INTERVAL = 0.25
"""Seconds between two measurements of the brokers' memory."""
GENERATED: Counter[str] = Counter()
"""Generated messages by protocol."""
READ: Counter[str] = Counter()
"""Decoded and re-encoded frames of real sessions by protocol; in AMQP and MQTT only frames with a message."""


class Memory(threading.Thread):
    """Measures the resident memory of all running brokers together, and keeps the maximum."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.most = 0
        self.of_each: dict[str, int] = {}
        """Memory by broker at the time of the maximum."""
        self._end = threading.Event()

    def run(self) -> None:
        while not self._end.wait(INTERVAL):
            sizes: Counter[str] = Counter()
            for each in list(STARTED):
                sizes[each.name] += each.memory()
            if sizes.total() > self.most:
                self.most, self.of_each = sizes.total(), {name: size for name, size in sizes.items() if size}

    def end(self) -> None:
        self._end.set()
        self.join()


NONE: dict[str, Any] = {"took": {}, "memory": {}, "generated": {}, "read": {}}
"""The figures of a process that ran no test."""


def measured(memory: Memory) -> dict[str, Any]:
    """Return the figures of this process, for `lines`: a worker sends them to the process that prints."""
    took = {each.name: each.took for each in reversed(STARTED)}  # the first start of each broker counts
    return {"took": took, "memory": memory.of_each, "generated": dict(GENERATED), "read": dict(READ)}


def lines(workers: list[dict[str, Any]], seed: int, start: float) -> Iterator[str]:
    """Return the lines that the suite prints; `start` is the time.monotonic() of its beginning."""
    took, memory, generated, read = (_sum(each[name] for each in workers) for name in ("took", "memory", "generated", "read"))
    if took:
        yield f"Brokers: all starts took {took.total():.0f} s ({_listed({k: f'{v:.0f} s' for k, v in took.items()})})"
        sizes = {name: f"{size / 1e9:.1f} GB" for name, size in memory.items()}
        yield f"Memory: at most {memory.total() / 1e9:.1f} GB, resident, of all brokers together ({_listed(sizes)})"
    yield f"Messages: {generated.total():,} generated ({_listed(generated)})"
    yield f"Frames: {read.total():,} decoded and encoded again ({_listed(read)})"
    yield f"Seed: {seed}; `make interop SEED={seed}` repeats the messages. The suite took {time.monotonic() - start:.0f} s"


def _sum(figures: Iterable[dict[str, Any]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for each in figures:
        total.update(each)
    return total


def _listed(figures: dict[str, str] | Counter[str]) -> str:
    return ", ".join(f"{name} {figures[name]}" for name in sorted(figures))

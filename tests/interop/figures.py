"""The figures that the live suite prints at its end: times, memory, messages and frames."""

import threading
import time
from collections import Counter
from collections.abc import Iterator

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


def lines(memory: Memory, seed: int, start: float) -> Iterator[str]:
    """Return the lines that the suite prints; `start` is the time.monotonic() of its beginning."""
    if STARTED:
        took = {each.name: each.took for each in reversed(STARTED)}  # the first start of each broker counts
        yield f"Brokers: all up after {sum(took.values()):.0f} s ({_listed({k: f'{v:.0f} s' for k, v in took.items()})})"
        sizes = {name: f"{size / 1e9:.1f} GB" for name, size in memory.of_each.items()}
        yield f"Memory: at most {memory.most / 1e9:.1f} GB, resident, of all brokers together ({_listed(sizes)})"
    yield f"Messages: {GENERATED.total():,} generated ({_listed(GENERATED)})"
    yield f"Frames: {READ.total():,} decoded and encoded again ({_listed(READ)})"
    yield f"Seed: {seed}; `make interop SEED={seed}` repeats the messages. The suite took {time.monotonic() - start:.0f} s"


def _listed(figures: dict[str, str] | Counter[str]) -> str:
    return ", ".join(f"{name} {figures[name]}" for name in sorted(figures))

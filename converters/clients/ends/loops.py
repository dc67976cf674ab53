"""What the loops of client libraries have in common: work handed over by other threads, and a pause before another try."""

import random
from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import Any

PAUSE, LONGEST = 0.1, 30.0
"""Seconds before the first and the last of many tries."""


def pause(tries: int) -> float:
    """Return the seconds before the next try after a number of failed ones: twice as long each time, and never the same.

    >>> 0.05 <= pause(1) <= 0.15 and 15 <= pause(100) <= 45
    True
    """
    return float(min(PAUSE * 2 ** min(tries - 1, 20), LONGEST) * random.uniform(0.5, 1.5))  # noqa: S311 - no secret


class Jobs:
    """Work for a loop, from any thread, in order. `wake` asks the loop to call `work`; many jobs need one call.

    >>> done, jobs = [], Jobs(lambda: None)
    >>> jobs.add(done.append, 5)
    >>> jobs.work()
    >>> done
    [5]
    """

    def __init__(self, wake: Callable[[], None]) -> None:
        self._jobs: deque[tuple[Callable[..., object], tuple[Any, ...]]] = deque()
        self._lock = Lock()
        self._wake = wake
        self._awake = False
        self._closed = False

    def add(self, job: Callable[..., object], *arguments: object) -> None:
        with self._lock:
            self._jobs.append((job, arguments))
            if self._awake or self._closed:
                return
            self._awake = True
            self._wake()

    def work(self) -> None:
        """Do everything that waits; jobs may add others."""
        self._awake = False
        while self._jobs:
            job, arguments = self._jobs.popleft()
            job(*arguments)

    def close(self) -> None:
        """Wake the loop no more: it has ended."""
        with self._lock:
            self._closed = True

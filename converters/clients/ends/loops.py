"""What ends have in common: work handed over by other threads, messages without an answer, and a pause before another try."""

import random
from collections import deque
from collections.abc import Callable, Iterator
from threading import Lock
from typing import Any, Generic, TypeVar

T = TypeVar("T")

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


class InFlight(Generic[T]):
    """What a source has given and nobody has settled yet, in order. Tokens count messages.

    >>> given = InFlight()
    >>> [given.add(id_) for id_ in "abc"]
    [1, 2, 3]
    >>> given.up_to(2), len(given), given.is_first(3)
    (['a', 'b'], 1, True)
    """

    def __init__(self) -> None:
        self._given: deque[T] = deque()
        self._last = 0

    def __len__(self) -> int:
        return len(self._given)

    def __iter__(self) -> Iterator[T]:
        return iter(self._given)

    def add(self, one: T) -> int:
        """Add what settles a message, and return its token."""
        self._given.append(one)
        self._last += 1
        return self._last

    def up_to(self, token: int) -> list[T]:
        """Take out everything up to a token."""
        return [self._given.popleft() for _ in range(len(self._given) - (self._last - token))]

    def is_first(self, token: int) -> bool:
        return bool(self._given) and token == self._last - len(self._given) + 1

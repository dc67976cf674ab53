"""Who gets the next free worker: a queue that is fair to clients, and in which short jobs pass long ones.

A job cannot be interrupted for another one. So the last free worker is kept for quick jobs: short ones, of clients whose short
jobs were quick before. The client with the fewest workers comes next, its short jobs first, then in order of arrival. Every
fourth turn goes to the job that has waited longest, so that none waits for ever.
"""

import asyncio
import time
from collections import Counter
from dataclasses import dataclass, field

from mqconvert.app.http.work import BusyError

LONG = 2**17
"""Bytes from which a job counts as long. `explain` takes some 2 microseconds a byte."""
SLOW = 1.0
"""Seconds after which a short job was not quick."""
_REMEMBERED = 2**10
"""Clients with slow jobs to remember."""
_OLDEST = 4
"""The turn that goes to the oldest job: every fourth."""


@dataclass(eq=False, slots=True)
class Turn:
    """The turn of one job, which waits for a worker or has one. A `patient` job waits beyond the limit, and behind others."""

    client: str
    long: bool
    patient: bool
    begins: asyncio.Future[None] = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    since: float = 0.0


class Turns:
    """The turns of `size` workers, with at most `most` jobs that wait or run, and patient ones beside."""

    def __init__(self, size: int, most: int) -> None:
        self.size, self.most = size, most
        self.waiting: list[Turn] = []
        self.running: set[Turn] = set()
        self.slow: dict[str, None] = {}
        """Clients whose last short job took longer than SLOW."""
        self._given = 0

    async def take(self, client: str = "", *, long: bool = False, patient: bool = False) -> Turn:
        """Wait for a worker. Raises BusyError at the limit, unless another client has more jobs waiting: its newest gets it."""
        if not patient and sum(not turn.patient for turn in (*self.waiting, *self.running)) >= self.most:
            self._drop_for(client)
        turn = Turn(client, long, patient)
        self.waiting.append(turn)
        self._next()
        try:
            await turn.begins
        except asyncio.CancelledError:
            if turn in self.running:
                self.give(turn)
            elif turn in self.waiting:
                self.waiting.remove(turn)
            raise
        return turn

    def give(self, turn: Turn) -> None:
        """Give the worker of a turn to another."""
        self.running.remove(turn)
        if not turn.long:
            self.slow.pop(turn.client, None)
            if time.monotonic() - turn.since > SLOW:
                self.slow[turn.client] = None
                if len(self.slow) > _REMEMBERED:
                    del self.slow[next(iter(self.slow))]
        self._next()

    def _next(self) -> None:
        """Begin turns while a worker is free for one."""
        while ready := self._ready():
            self._given += 1
            if self._given % _OLDEST:
                held = Counter(turn.client for turn in self.running)
                turn = min(ready, key=lambda turn: (held[turn.client], turn.long or turn.patient))
            else:
                turn = ready[0]
            self.waiting.remove(turn)
            self.running.add(turn)
            turn.since = time.monotonic()
            turn.begins.set_result(None)

    def _ready(self) -> list[Turn]:
        """Return the waiting turns that may have one of the free workers, in order of arrival."""
        free = self.size - len(self.running)
        if not free or not self.waiting:
            return []
        if free > 1 or self.size == 1:
            return self.waiting
        late = time.monotonic() - SLOW
        slow = self.slow.keys() | {turn.client for turn in self.running if not turn.long and turn.since < late}
        return [turn for turn in self.waiting if not turn.long and turn.client not in slow]

    def _drop_for(self, client: str) -> None:
        """End the newest waiting turn of the client with most, if it has at least two more than this one."""
        waiting = [turn for turn in self.waiting if not turn.patient]
        counts = Counter(turn.client for turn in waiting)
        most = max(counts, key=counts.__getitem__, default=client)
        if counts[most] <= counts[client] + 1:
            raise BusyError
        last = [turn for turn in waiting if turn.client == most][-1]
        self.waiting.remove(last)
        last.begins.set_exception(BusyError())

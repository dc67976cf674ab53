"""The messages between source and target: each is with one of them at any moment, and settled once the target has it.

A Window knows no protocol and no file. `converters/clients/ends` has the contract of what calls it, and DESIGN its promises:
the source is settled in its own order, a lost target gets again what it has not confirmed, a lost source gives again what was
not settled.
"""

from collections import deque
from collections.abc import Callable, Iterable
from threading import RLock
from typing import Any, NamedTuple, Protocol

from mqconvert.converters.clients.ends import Address, DownError, Source, Target
from mqconvert.converters.engine.report import Report
from mqconvert.converters.errors import DeliveryError, MqConvertError, library_error

BYTES = 2**26
"""Bytes of messages in flight, or one larger message."""
FIRST = 16
"""Messages in flight at first; their number doubles while their bytes allow."""
TRIES = 2
"""Times that the target may close the connection with an error and without progress before messages go one at a time."""


class Converted(NamedTuple):
    """A message of the target's protocol, its address there, and the account of the conversion."""

    message: Any
    to: Address
    report: Report


class Account(Protocol):
    """Counts what becomes of messages."""

    def moved(self, report: Report) -> None: ...

    def refused(self, error: MqConvertError, **where: object) -> None: ...

    def note(self, words: str) -> None: ...

    def stays(self, error: MqConvertError) -> None: ...

    def broken(self, words: str, error: MqConvertError, **where: object) -> None: ...


class Refusals(Protocol):
    """What to do with a refused message."""

    def take(self, wire: Callable[[], bytes], error: MqConvertError) -> bool:
        """Return whether the source still has to refuse it; StopError and OSError leave it there."""


class StopError(Exception):
    """Raised by Refusals for a message that stays with the source, which ends the move.

    `error` is the reason, and `where` the place of the message in a file.
    """

    def __init__(self, words: str, error: MqConvertError) -> None:
        super().__init__(words)
        self.error = error
        self.where: dict[str, object] = {}


class _Entry:
    """A message in flight. `done`: it is with the target, or refused; `error` is what the source refuses it with.

    `kept`: it was refused and stays with the source, which ends the move. `sent`: it may be with the target. `where` is its
    place in a file.
    """

    __slots__ = ("converted", "done", "error", "kept", "message", "sent", "size", "token", "where", "wire")

    def __init__(self, token: object, message: Any, size: int, where: dict[str, object], wire: bytes | None = None) -> None:
        self.where = where
        self.token = token
        self.message = message
        self.size = size
        self.wire = wire
        self.converted: Converted | None = None
        self.done = self.kept = self.sent = False
        self.error: MqConvertError | None = None


class Window:
    """The entries between a source and a target, in the source's order, under one lock.

    `convert` makes the message for the target, `encode` the wire bytes of a message of the source, for refusals; `changed` is
    called, without arguments, when a caller that waits should look again.
    """

    def __init__(
        self,
        convert: Callable[[Any], Converted],
        encode: Callable[[Any], bytes],
        refusals: Refusals,
        account: Account,
        most: int,
        changed: Callable[[], None],
    ) -> None:
        self._convert = convert
        self._encode = encode
        self._refusals = refusals
        self._account = account
        self.most = most
        self._changed = changed
        self._lock = RLock()
        self._entries: deque[_Entry] = deque()
        self._first = 0  # the number of entries[0]
        self._bytes = 0
        self._source: Source | None = None
        self._target: Target | None = None
        self._allowed = min(FIRST, most)
        self._failures = 0
        self._alone_until: int | None = None
        self._alone: int | None = None
        self.stopped: StopError | OSError | None = None
        self._settled = 0
        self._expected: int | None = None
        self.answers = self.arrivals = self.delays = 0
        """Counts of answers of the target, of messages of the source, and of requests to send one again later.

        They are for callers that wait for progress.
        """

    @property
    def share(self) -> float | None:
        """The settled part of all messages that the source had at first; None where it is unknown."""
        return min(1.0, self._settled / self._expected) if self._expected else None

    # ---- the source

    def opened(self, source: Source, waiting: int | None = None) -> int:
        with self._lock:
            self._source = source
            self._expected = None if waiting is None else self._settled + waiting
            self._changed()
            return self._allowed

    def received(self, source: Source, token: object, message: Any, size: int, **where: object) -> None:
        with self._lock:
            if source is self._source and self.stopped is None:
                entry = self._add(_Entry(token, message, size, where))
                number = self._first + len(self._entries) - 1
                try:
                    entry.converted = self._convert(message)
                except Exception as error:  # noqa: BLE001 - see library_error
                    self._refuse(entry, library_error(error))
                    self._settle()
                    return
                self._send(number, entry)
                self._resize()

    def undecoded(self, source: Source, token: object, wire: bytes, error: MqConvertError, **where: object) -> None:
        with self._lock:
            if source is self._source and self.stopped is None:
                self._refuse(self._add(_Entry(token, None, len(wire), where, wire)), error)
                self._settle()

    def note(self, words: str) -> None:
        self._account.note(words)

    def broken(self, words: str, error: MqConvertError, **where: object) -> None:
        """Take what is no message, in a file."""
        with self._lock:
            self.arrivals += 1
            self._account.broken(words, error, **where)

    def source_down(self, source: Source) -> None:
        """Forget the entries of a source: the broker gives them again."""
        with self._lock:
            if source is self._source:
                self._source = None
                self._first += len(self._entries)
                self._entries.clear()
                self._bytes = 0
                self._alone = self._alone_until = None
                self._changed()

    def _add(self, entry: _Entry) -> _Entry:
        self._entries.append(entry)
        self._bytes += entry.size
        self.arrivals += 1
        return entry

    def _resize(self) -> None:
        """Let the source have more messages in flight while their bytes are few, and fewer when they are many."""
        count, allowed = len(self._entries), self._allowed
        if self._bytes > BYTES and count > 1:
            allowed = max(1, count * BYTES // self._bytes // 2)
        elif count >= allowed and allowed < self.most:
            largest = max(entry.size for entry in self._entries)
            allowed = max(1, min(self.most, 2 * allowed, BYTES // max(1, largest)))
        if allowed != self._allowed and self._source is not None:
            self._allowed = allowed
            self._source.allow(allowed)

    # ---- the target

    def up(self, target: Target) -> None:
        with self._lock:
            self._target = target
            self._alone = None
            for number, entry in enumerate(self._entries, self._first):
                self._send(number, entry)
            self._changed()

    def confirmed(self, target: Target, numbers: Iterable[int]) -> None:
        with self._lock:
            for number in numbers:
                entry = self._answered(target, number)
                if entry is not None:
                    entry.done = True
            self._settle()

    def refused(self, target: Target, number: int, error: MqConvertError) -> None:
        with self._lock:
            entry = self._answered(target, number)
            if entry is not None:
                self._refuse(entry, error)
                self._settle()

    def delayed(self, target: Target) -> None:
        with self._lock:
            self.delays += target is self._target

    def target_down(self, target: Target, error: DownError | None) -> None:
        """Note that a target is lost; the next one gets again what it has not confirmed.

        A target that closes with an error, TRIES times without progress, gets one message at a time; the message at which it
        closes again is refused with that error.
        """
        with self._lock:
            if target is not self._target:
                return
            self._target = None
            if error is not None and error.by_peer and any(not entry.done for entry in self._entries):
                self._failures += 1
                if self._alone is not None:
                    self.answers += 1
                    words = DeliveryError(f"the target closed the connection: {error.words}", code="refused_by_target")
                    self._refuse(self._entries[self._alone - self._first], words)
                    self._settle()
                elif self._failures >= TRIES:
                    self._alone_until = self._first + len(self._entries)
            self._alone = None
            self._changed()

    def _answered(self, target: Target, number: int) -> _Entry | None:
        """Return the entry of an answer; None for one of a lost target, or about a message of a lost source."""
        if target is not self._target or number < self._first:
            return None
        self.answers += 1
        self._failures = 0
        entry = self._entries[number - self._first]
        if number == self._alone:
            self._alone = None
        return None if entry.done else entry

    def _send(self, number: int, entry: _Entry) -> None:
        """Send a message, unless others have to be answered first."""
        if self._target is None or entry.done or entry.converted is None or (self.stopped and self._is_after_kept(number)):
            return
        if self._alone_until is not None:
            if number >= self._alone_until and not self._left_alone():
                self._alone_until = None
            elif self._alone is not None:
                return
            else:
                self._alone = number
        entry.sent = True
        self._target.send(number, entry.converted.message, entry.converted.to)

    def _left_alone(self) -> bool:
        """Return whether a message that has to go alone is not answered yet."""
        until = self._alone_until or 0
        return any(not entry.done for number, entry in enumerate(self._entries, self._first) if number < until)

    def _is_after_kept(self, number: int) -> bool:
        return any(entry.kept for before, entry in enumerate(self._entries, self._first) if before < number)

    # ---- both

    def _refuse(self, entry: _Entry, error: MqConvertError) -> None:
        try:
            if self._refusals.take(lambda: self._encode(entry.message) if entry.wire is None else entry.wire, error):
                entry.error = error
        except (StopError, OSError) as why:
            entry.kept = True
            entry.converted = None
            self._account.stays(error)
            if isinstance(why, StopError):
                why.where = entry.where
            self.stopped = self.stopped or why
            self.stop()
            self._changed()
            return
        entry.done = True
        entry.converted = None
        self._account.refused(error, **entry.where)

    def _settle(self) -> None:
        """Settle the messages that are done, up to the first one that is not; then send the next one that goes alone."""
        last: _Entry | None = None
        while self._entries and self._entries[0].done:
            entry = self._entries.popleft()
            self._first += 1
            self._settled += 1
            self._bytes -= entry.size
            if entry.converted is not None:
                self._account.moved(entry.converted.report)
            if entry.error is not None and self._source is not None:
                if last is not None:
                    self._source.settle(last.token)
                last = None
                self._source.reject(entry.token, entry.error.message)
            else:
                last = entry
        if last is not None and self._source is not None:
            self._source.settle(last.token)
        if not self._entries or self.stopped is not None:
            self._changed()
        if self._alone_until is not None and self._alone is None:
            self._send_alone()

    def _send_alone(self) -> None:
        alone = self._left_alone()
        for number, entry in enumerate(self._entries, self._first):
            self._send(number, entry)
            if alone and self._alone is not None:
                return

    # ---- for those who wait

    @property
    def progress(self) -> tuple[int, int]:
        """Return a value that changes with every message of the source, and every answer of the target."""
        return self.arrivals, self.answers

    def down(self, role: str, end: Any, error: DownError | None) -> bool:
        """Note that an end is lost; return whether it was up."""
        with self._lock:
            if role == "source":
                up = end is self._source
                self.source_down(end)
            else:
                up = end is self._target
                self.target_down(end, error)
            return up

    def has(self, end: Source | Target) -> bool:
        """Return whether an end is up: its connection is made, and not lost yet."""
        return end is self._source or end is self._target

    def ready(self) -> bool:
        """Return whether both ends are up."""
        return self._source is not None and self._target is not None

    def in_flight(self) -> int:
        return len(self._entries)

    def in_doubt(self) -> int:
        """Return the number of messages that may be at both ends: sent, but not settled.

        They have no answer, or are with the target, behind one that has none or stays with the source.
        """
        with self._lock:
            return sum(entry.sent and entry.converted is not None for entry in self._entries)

    @property
    def empty(self) -> bool:
        """Return whether nothing waits for the target: a message that was kept, and those after it, stay with the source."""
        with self._lock:
            return not self._entries or self._entries[0].kept

    def unanswered(self) -> bool:
        """Return whether the target is up and owes answers."""
        with self._lock:
            target = self._target
            return target is not None and not target.blocked and any(not entry.done for entry in self._entries)

    def stop(self) -> None:
        """Ask the source for no more messages."""
        with self._lock:
            if self._source is not None:
                self._source.stop()

"""A lease on the output of a run, so that two runs never write to one output at once.

A lease is a file beside the output, `.NAME.lease-N`, created exclusively. It names its holder, and its modification time is
the last heartbeat. To take over a dead lease N, a run creates N + 1, which only one run can do. A run never deletes or
renames a file that another may hold. After creating its own, it looks for others a second time: of two runs with different
numbers, at least one sees the other and gives way.

A lease is dead when its process is known to be gone (a process of the same running kernel and process namespace), or when
it had no heartbeat for `DEAD` seconds. Ages are differences of modification times of one file system, so that clocks of
different machines do not matter. Some file systems take the times from their clients: a time in the future has no age, and
is watched for `DEAD` seconds instead.
"""

import json
import os
import platform
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath

from mqconvert import JobError
from mqconvert.app.batch.storage import Storage

BEAT = 5.0
"""Seconds between two heartbeats."""

DEAD = 60.0
"""Seconds without a heartbeat after which a lease may be taken over."""

_LOOK = 1.0
"""Seconds between two looks at a lease with a time in the future."""


def beside(path: str, name: str) -> str:
    """Return a hidden path beside another one; readers of data sets skip hidden names.

    >>> beside("/lake/out", "lease-1")
    '/lake/.out.lease-1'
    """
    parent, _, own = path.rpartition("/")
    return f"{parent}/.{own}.{name}"


class Lease:
    """The lease of one run on one path, which is `qualified`."""

    def __init__(self, storage: Storage, path: str, run: str) -> None:
        self._storage = storage
        self._path = path
        self._folder = path.rpartition("/")[0] or "/"
        self._number = 0
        me = {"run": run, "host": platform.node(), "pid": os.getpid(), "process": process(os.getpid())}
        self._text = json.dumps(me | {"started": datetime.now(UTC).isoformat(timespec="seconds")})

    def acquire(self) -> None:
        """Take the lease; JobError `output_busy`, which names the run that holds it."""
        self._storage.make(self._folder)
        dead = self._dead()
        self._number = max(dead, default=0) + 1
        if not self._storage.create(self._file(self._number), self._text):
            number, self._number = self._number, 0
            raise self._busy(number)
        try:
            self._give_way(dead)
        except BaseException:
            self.release()
            raise

    def _give_way(self, dead: dict[int, str]) -> None:
        """Look for other leases a second time, and delete those that were dead the first time."""
        others = [number for number in self._numbers() if number != self._number]
        for number in others:
            text = self._storage.read(self._file(number))
            if text is not None and dead.get(number) != text:
                raise self._busy(number)
        for number in others:
            self._storage.delete(self._file(number))

    def beat(self) -> None:
        if self._number:
            self._storage.touch(self._file(self._number), self._text)

    def check(self) -> None:
        """Raise JobError `lease_lost` if another run took over because this one had stopped for too long.

        A higher number alone proves nothing: a run that starts meanwhile has one until it gives way or deletes ours.
        """
        for _ in range(100):
            if self._storage.read(self._file(self._number)) != self._text:
                break
            if max(self._numbers(), default=0) == self._number:
                return
            time.sleep(0.05)
        words = f"another run took over {self._path}: this one gave no sign of life for {DEAD:g} seconds"
        raise JobError(words, code="lease_lost")

    def release(self) -> None:
        """Delete the lease if this run still holds it."""
        number, self._number = self._number, 0
        if number and self._storage.read(self._file(number)) == self._text:
            self._storage.delete(self._file(number))

    def _file(self, number: int) -> str:
        return beside(self._path, f"lease-{number}")

    def _numbers(self) -> list[int]:
        start = PurePosixPath(self._file(0)).name[:-1]
        ends = (name.removeprefix(start) for name in self._storage.names(self._folder) if name.startswith(start))
        return [int(end) for end in ends if end.isdigit()]

    def _dead(self) -> dict[int, str]:
        """Return the dead leases of this path by their numbers; JobError `output_busy` if one is alive."""
        dead: dict[int, str] = {}
        numbers = self._numbers()
        if not numbers:
            return dead
        now = self._now()
        for number in numbers:
            text, beat = self._storage.read(self._file(number)), self._storage.modified(self._file(number))
            if text is None or beat is None:  # its owner has just released it
                continue
            if not gone(text) and (now - beat < DEAD if beat <= now + BEAT else self._beats(number, beat)):
                raise self._busy(number)
            dead[number] = text
        return dead

    def _beats(self, number: int, beat: float) -> bool:
        """Watch a lease with a time in the future; return whether it got a heartbeat."""
        end = time.monotonic() + DEAD
        while time.monotonic() < end:
            time.sleep(min(_LOOK, DEAD))
            found = self._storage.modified(self._file(number))
            if found != beat:
                return found is not None  # None: its owner has just released it
        return False

    def _now(self) -> float:
        """Return the file system's time, from a file written now."""
        probe = beside(self._path, f"probe-{os.getpid()}-{threading.get_ident()}")
        self._storage.write(probe, "")
        try:
            return self._storage.modified(probe) or 0.0
        finally:
            self._storage.delete(probe)

    def _busy(self, number: int) -> JobError:
        held = None
        for _ in range(20):  # a lease names its holder a moment after it was created
            text = self._storage.read(self._file(number))
            if (held := _holder(text)) or text is None:
                break
            time.sleep(0.05)
        who = (
            f"run {held['run']} on {held['host']}, process {held['pid']}, started {held['started']}" if held else "another run"
        )
        words = f"{self._path} is being written by {who}; a run without a heartbeat for {DEAD:g} seconds is replaced"
        return JobError(words, code="output_busy")


@contextmanager
def leased(storage: Storage, paths: list[str], run: str) -> Iterator[list[Lease]]:
    """Hold the leases on several paths, with a heartbeat."""
    leases = [Lease(storage, path, run) for path in sorted(paths)]
    ended = threading.Event()

    def beat() -> None:
        while not ended.wait(BEAT):
            for lease in leases:
                try:
                    lease.beat()
                except Exception:  # noqa: BLE001, S112 - the next beat may succeed; the final check decides
                    continue

    thread = threading.Thread(target=beat, name="mqconvert lease", daemon=True)
    try:
        for lease in leases:
            lease.acquire()
        thread.start()
        yield leases
    finally:
        ended.set()
        if thread.is_alive():
            thread.join()
        for lease in leases:
            with suppress(JobError):  # the lease dies with this process
                lease.release()


def process(pid: int) -> str | None:
    """Return text that identifies a process among all of this kernel, also dead ones; None if it is unknown."""
    space, ticks = _space(), _ticks(pid)
    return None if space is None or ticks is None else f"{space} {ticks}"


def gone(text: str) -> bool:
    """Return whether the process that wrote a lease is known to be gone."""
    held = _holder(text) or {}
    space, _, started = str(held.get("process")).rpartition(" ")
    if not started or space != _space():
        return False
    return _ticks(int(str(held["pid"]))) != started


def _holder(text: str | None) -> dict[str, object] | None:
    try:
        held = json.loads(text or "")
        return held if {"run", "host", "pid", "started"} <= held.keys() else None
    except (ValueError, AttributeError):
        return None


def _space() -> str | None:
    """Return the running kernel and the namespace of our process ids, which differs between containers of one machine."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
        return f"{boot}/{Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return None


def _ticks(pid: int) -> str | None:
    """Return the start of a process in clock ticks since boot; None if it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return None
    return None if fields[0] in {"Z", "X"} else fields[19]

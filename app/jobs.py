"""Work on lines in several processes, with results in the order of the lines: `convert --jobs N`.

Every process has one block of lines at a time. It keeps up to HELD bytes of results until the parent takes them, so memory
depends on the number of processes only.
"""

import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import islice
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess

from mqconvert.app.lines import Made, TooLong

BLOCK = 2**17
"""Bytes of lines in a block; it may exceed them by one line."""
HELD = 2**22
"""Bytes of results that a process holds."""

Lines = list[tuple[int, bytes | TooLong]]
"""Lines with their numbers, from 1."""

Work = Callable[[int, bytes | TooLong], Iterable[Made]]
"""The work on the number of a line and the line. It must pickle: not all platforms fork processes."""


def in_order(jobs: int, lines: Iterable[bytes | TooLong], work: Work) -> Generator[Made, None, None]:
    """Yield the results of `work` for all lines, in order, by `jobs` processes; several results may come as one.

    Raises ChildProcessError if a process ends by itself. Closing the iterator ends all processes.

    >>> "".join(made.output.decode() for made in in_order(2, [b"a", b"b"], _echo))
    'ab'
    """
    blocks = _blocks(lines)
    workers: list[_Worker] = []
    try:
        for block in islice(blocks, jobs):
            workers.append(_Worker(work, workers))
            workers[-1].send(block)
        busy = deque(workers)
        while busy:
            worker = busy.popleft()
            yield from worker.results()
            for block in islice(blocks, 1):
                worker.send(block)
                busy.append(worker)
    finally:
        for worker in workers:
            worker.end()


def _echo(_number: int, line: bytes | TooLong) -> Iterable[Made]:
    return [Made(line if isinstance(line, bytes) else b"")]


def _blocks(lines: Iterable[bytes | TooLong]) -> Iterator[Lines]:
    block: Lines = []
    size = 0
    for number, line in enumerate(lines, 1):
        block.append((number, line))
        size += len(line) + 1 if isinstance(line, bytes) else 1
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


class _Worker:
    """The parent's side of a process."""

    def __init__(self, work: Work, before: "list[_Worker]") -> None:
        sys.stdout.flush()  # otherwise the forked process writes the buffered text, too
        sys.stderr.flush()
        self.connection, theirs = multiprocessing.Pipe()
        ours = [*(worker.connection for worker in before), self.connection]
        self.process: BaseProcess = multiprocessing.Process(target=_run, args=(theirs, ours, work), daemon=True)
        self.process.start()
        theirs.close()

    def send(self, block: Lines) -> None:
        with self._alive():
            self.connection.send(block)

    def results(self) -> Iterator[Made]:
        with self._alive():
            yield from iter(self.connection.recv, None)

    @contextmanager
    def _alive(self) -> Iterator[None]:
        try:
            yield
        except (EOFError, OSError):
            self.process.join(1)
            raise ChildProcessError(f"a process of --jobs ended with exit status {self.process.exitcode}") from None

    def end(self) -> None:
        self.connection.close()
        self.process.terminate()
        self.process.join()


def _run(connection: Connection, ours: list[Connection], work: Work) -> None:
    """Run the process. It ends when its parent closes the connection or is gone; the parent handles Ctrl-C."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for one in ours:  # close the parent's ends: only the parent may hold them open
        one.close()
    with suppress(EOFError, OSError):
        while True:
            for made in _joined(made for number, line in connection.recv() for made in work(number, line)):
                connection.send(made)
            connection.send(None)


def _joined(results: Iterable[Made]) -> Iterator[Made]:
    """Join results, up to HELD bytes each."""
    outputs: list[bytes] = []
    told: list[str] = []
    size = failed = 0
    for made in results:
        outputs.append(made.output)
        told.append(made.told)
        failed += made.failed
        size += len(made.output) + len(made.told)
        if size >= HELD:
            yield Made(b"".join(outputs), "".join(told), failed)
            outputs, told, size, failed = [], [], 0, 0
    yield Made(b"".join(outputs), "".join(told), failed)

"""Worker processes, which keep the event loop free for other requests.

A worker does one job at a time; the kernel limits its memory. The server asks it to stop when the client disconnects or time
runs out, and kills it if it does not. It replaces a worker whose memory has grown.
"""

import asyncio
import contextlib
import logging
import multiprocessing
import os
import pickle
import resource
import select
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from multiprocessing.context import ForkServerProcess
from struct import Struct

from mqconvert import InternalError, LimitError, MqConvertError
from mqconvert.app.http import logs
from mqconvert.app.http.problems import problem_body
from mqconvert.app.http.process import give_back, resident
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.turns import LONG, Turn, Turns
from mqconvert.app.http.work import PROBLEM, EndedError, Job, Jobs, Reply

_JOB = Struct(">I")
"""The head of a job: its length. A length of 0 asks a worker to stop."""
_REPLY = Struct(">I??")
"""The head of a reply: its length, and whether to replace the worker at once, or when idle."""
_GROWN, _KEPT = 64 * 2**20, 8 * 2**20
"""Growth in bytes after which a worker is replaced: at once, and after IDLE seconds without work."""
IDLE = 5
TRIES = 3
"""Workers that a job tries, if each ends before it has read the job."""
PATIENCE = 1
"""Seconds within which a worker must stop."""
_EVERY = 0.02
"""Seconds between two checks for a stop."""

_log = logging.getLogger("mqconvert.errors")
_context = multiprocessing.get_context("forkserver")
_context.set_forkserver_preload(["mqconvert.app.http.work"])


class Pool:
    """`size` worker processes, and up to `most` waiting and running jobs; `niceness` is the priority of the workers."""

    def __init__(self, settings: Settings, size: int, most: int, niceness: int = 1) -> None:
        self.settings, self.size, self.niceness = settings, size, niceness
        self.turns = Turns(size, most)
        self._starting = 0
        self._idle: deque[_Worker] = deque()
        self._all: set[_Worker] = set()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def pids(self) -> Iterator[int]:
        return (worker.process.pid for worker in self._all if worker.process.pid is not None)

    async def run(self, job: Job, *, client: str = "", patient: bool = False) -> Reply:
        size = len(job.given.get("body", job.given.get("block", b"")))
        turn = await self.turns.take(client, long=size >= LONG, patient=patient)
        worker = None
        try:
            tries = TRIES
            while True:
                worker = await self._free()
                try:
                    async with asyncio.timeout(self.settings.work_timeout):
                        reply = await worker.ask(job)
                except ConnectionError:  # it ended before it had read the job
                    self._end(worker)
                    tries -= 1
                    if not tries:
                        raise
                else:
                    self._back(worker, turn)
                    return reply
        except TimeoutError:
            self._later(worker, turn)
            words = f"more than {self.settings.work_timeout} seconds of work; the service's limit is MQCONVERT_WORK_TIMEOUT"
            return _problem(413, LimitError("too_large", words, limit="work_timeout"))
        except (OSError, EOFError):  # a defect in a package crashed it, or an operator killed it
            _log.error({"error": "WorkerEnded", "status": worker and worker.process.exitcode, "job": job.do.__name__})
            self._drop(worker, turn)
            return _problem(500, InternalError("a worker process ended"))
        except BaseException:  # the client has disconnected
            self._later(worker, turn)
            raise

    async def _free(self) -> "_Worker":
        """Return a worker without a job: an idle one that has not ended, or a new one."""
        while self._idle:
            worker = self._idle.pop()
            if not worker.gone:
                return worker
            self._end(worker)
        return await self._started()

    async def _started(self) -> "_Worker":
        self._starting += 1
        try:
            worker = await _Worker.started(self.settings, self.niceness)
        finally:
            self._starting -= 1
        self._all.add(worker)
        return worker

    def _back(self, worker: "_Worker", turn: Turn) -> None:
        if worker.grown:
            self._end(worker)
        else:
            worker.since = time.monotonic()
            self._idle.append(worker)
        self.turns.give(turn)

    def _drop(self, worker: "_Worker | None", turn: Turn) -> None:
        if worker is not None:
            self._end(worker)
        self.turns.give(turn)

    def _end(self, worker: "_Worker") -> None:
        self._all.discard(worker)
        worker.end()

    def _later(self, worker: "_Worker | None", turn: Turn) -> None:
        """Give the turn of a worker to another job once it has stopped."""
        if worker is None or not worker.asked:
            self._drop(worker, turn)
            return
        task = asyncio.get_running_loop().create_task(self._stopped(worker, turn))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _stopped(self, worker: "_Worker", turn: Turn) -> None:
        try:
            async with asyncio.timeout(PATIENCE):
                await worker.stop()
        except (TimeoutError, OSError, EOFError, asyncio.CancelledError):
            worker.process.kill()
            self._drop(worker, turn)
        else:
            self._back(worker, turn)

    async def start(self) -> None:
        """Start every worker before the first job."""
        for _ in range(self.size):
            turn = await self.turns.take()
            try:
                if len(self._all) + self._starting < self.size:  # a job may be starting a worker
                    worker = await self._started()
                    worker.since = time.monotonic()
                    self._idle.append(worker)
            finally:
                self.turns.give(turn)

    def tidy(self) -> None:
        """End idle workers that keep too much memory, and forget those that were killed; call it about every second."""
        now = time.monotonic()
        for worker in [one for one in self._idle if one.gone or (one.kept and now - one.since > IDLE)]:
            self._idle.remove(worker)
            self._end(worker)
        multiprocessing.active_children()  # as a side effect, it reaps processes that ended

    def close(self) -> None:
        """End every worker, after the event loop."""
        for worker in self._all:
            worker.process.kill()


def _problem(status: int, error: MqConvertError) -> Reply:
    reply = Reply(problem_body(status, error.code, error.message), status, PROBLEM)
    reply.counted["refused", error.code] += 1
    return reply


class _Worker:
    """The server's side of a process."""

    def __init__(self, process: ForkServerProcess, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.process, self.reader, self.writer = process, reader, writer
        self.asked = self.grown = self.kept = False
        self.since = 0.0
        self._head: tuple[int, bool, bool] | None = None

    @classmethod
    async def started(cls, settings: Settings, niceness: int) -> "_Worker":
        ours, theirs = socket.socketpair()
        with theirs:
            process = _context.Process(target=_work, args=(theirs, settings, niceness), daemon=True)
            try:
                await asyncio.to_thread(process.start)
            except BaseException:
                ours.close()
                raise
        reader, writer = await asyncio.open_connection(sock=ours, limit=2**20)
        return cls(process, reader, writer)

    @property
    def gone(self) -> bool:
        """Whether the process has ended: the kernel has closed its side of the connection."""
        return self.reader.at_eof() or self.writer.is_closing()

    async def ask(self, job: Job) -> Reply:
        """Return the answer to a job.

        Raises ConnectionError if the process ended before it had read the job, EOFError afterwards: a Unix socket that ends
        with unread data resets its peer (unix_release_sock in Linux).
        """
        self.asked = True
        raw = pickle.dumps(job)
        self.writer.write(_JOB.pack(len(raw)) + raw)
        await self.writer.drain()
        return await self._answer()

    async def stop(self) -> None:
        """Stop the current job, and discard its answer."""
        self.writer.write(_JOB.pack(0))
        await self._answer()

    async def _answer(self) -> Reply:
        if self._head is None:  # a cancelled call may have read the head
            self._head = _REPLY.unpack(await self.reader.readexactly(_REPLY.size))
        length, self.grown, self.kept = self._head
        reply: Reply = pickle.loads(await self.reader.readexactly(length))  # noqa: S301 - from our own process
        self._head, self.asked = None, False
        return reply

    def end(self) -> None:
        """End the process once it is idle."""
        self.writer.close()


def _work(connection: socket.socket, settings: Settings, niceness: int) -> None:
    """Run a worker. It ignores signals, which the server handles, and ends with its connection."""
    for one in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(one, signal.SIG_IGN)
    logs.set_up()
    os.nice(niceness)
    resource.setrlimit(resource.RLIMIT_DATA, (settings.worker_memory, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    jobs = Jobs(settings)
    before = resident()
    with contextlib.suppress(OSError):
        while head := connection.recv(_JOB.size, socket.MSG_WAITALL):
            (length,) = _JOB.unpack(head)
            if not length:
                continue  # the stop signal followed a job
            job: Job = pickle.loads(connection.recv(length, socket.MSG_WAITALL))  # noqa: S301 - from our own server
            try:
                reply = jobs.perform(job, _check_of(connection))
            except EndedError:
                reply = Reply(b"")
            raw = pickle.dumps(reply)
            if (more := resident() - before) > _KEPT:
                give_back()
                more = resident() - before
            connection.sendall(_REPLY.pack(len(raw), more > _GROWN, more > _KEPT) + raw)
            del job, reply, raw


def _check_of(connection: socket.socket) -> Callable[[], None]:
    """Return a function that raises EndedError once the server sends the stop signal, or has gone."""
    due = time.monotonic() + _EVERY

    def check() -> None:
        nonlocal due
        if (now := time.monotonic()) >= due:
            due = now + _EVERY
            if select.select([connection], [], [], 0)[0]:
                raise EndedError

    return check

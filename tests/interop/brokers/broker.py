"""The base class of the live suite's brokers.

A broker is prepared once in a cache folder, started on free ports of 127.0.0.1 with a separate data folder, and ended by its
process ids. Each broker's own file has the rest.
"""

import abc
import contextlib
import fcntl
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar, Self

PATIENCE = 120
"""Maximum seconds for the start of a broker."""


class NoBrokerError(Exception):
    """A broker is not available; the text is the reason."""


class Broker(abc.ABC):
    """A broker that runs during a `with` block. `port` has the number of each of its `ports`."""

    name: ClassVar[str]
    version: ClassVar[str]
    """The prepared version, which docs/observed.json states beside its answers."""
    ports: ClassVar[tuple[str, ...]]
    host = "127.0.0.1"

    def __init__(self) -> None:
        self.port: dict[str, int] = {}
        self.folder = Path()
        self.took = 0.0
        """Seconds from the start of its first process until it was ready."""
        self._processes: list[subprocess.Popen[bytes]] = []
        self._ends = contextlib.ExitStack()

    @classmethod
    @abc.abstractmethod
    def prepare(cls) -> Path:
        """Prepare the broker if necessary, and return the folder; NoBrokerError if that fails."""

    @abc.abstractmethod
    def start(self, prepared: Path) -> None:
        """Start its processes with `run`."""

    def ready(self) -> bool:
        """Return whether it accepts messages, once it listens on all ports."""
        return True

    def __enter__(self) -> Self:
        prepared = self.prepare()
        start = time.monotonic()
        self.port = dict(zip(self.ports, free_ports(len(self.ports)), strict=True))
        try:
            self.folder = self._ends.enter_context(self.data(prepared))
            self.start(prepared)
            self.until(self.ready, "it is not ready")
        except BaseException:
            self._ends.close()
            raise
        self.took = time.monotonic() - start
        STARTED.append(self)
        return self

    def __exit__(self, *_error: object) -> None:
        self._ends.close()

    @contextlib.contextmanager
    def data(self, _prepared: Path) -> Iterator[Path]:
        """Return the folder of its data, deleted at its end."""
        with tempfile.TemporaryDirectory(prefix=f"mqconvert-{self.name}-", ignore_cleanup_errors=True) as folder:
            yield Path(folder)

    def run(self, *command: str | Path, listens: tuple[str, ...], env: Mapping[str, str] | None = None) -> None:
        """Start a process that listens on these ports. At the end, processes stop in reverse order."""
        output = self._ends.enter_context((self.folder / f"output-{listens[0]}").open("wb+"))
        process = subprocess.Popen(
            list(map(str, command)),
            cwd=self.folder,
            env=env if "PATH" in (env or {}) else os.environ | (env or {}),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        self._processes.append(process)
        self._last = partial(self.run, *command, listens=listens, env=env)
        self._ends.callback(_end, process)
        for name in listens:
            self.until(partial(self._listening, process, name, output.name), f"nobody listens on its port {name}")

    def crash(self) -> None:
        """Kill the process that was started last, and start it again on the same data and ports."""
        process = self._processes.pop()
        _end(process)
        self._last()
        self.until(self.ready, "it is not ready")

    def memory(self) -> int:
        """Return the resident memory of its processes in bytes, 0 after its end. Shared pages count twice."""
        return sum(_resident(pid) for process in self._processes if process.poll() is None for pid in _family(process.pid))

    def at(self, port: str) -> str:
        """Return HOST:PORT."""
        return f"{self.host}:{self.port[port]}"

    @property
    def amqp_url(self) -> str:
        return f"amqp://guest:guest@{self.at('amqp')}"

    def until(self, good: Callable[[], bool], otherwise: str) -> None:
        """Wait until the condition holds; NoBrokerError after PATIENCE seconds."""
        deadline = time.monotonic() + PATIENCE
        while not good():
            if time.monotonic() > deadline:
                raise NoBrokerError(f"{self.name}: {otherwise} after {PATIENCE} seconds")
            time.sleep(0.1)

    def _listening(self, process: "subprocess.Popen[bytes]", name: str, output: str) -> bool:
        if process.poll() is not None:
            last = Path(output).read_text(errors="replace").strip().splitlines()[-5:]
            raise NoBrokerError(f"{self.name} ended with status {process.returncode} while starting: {' / '.join(last)}")
        with contextlib.suppress(OSError), socket.create_connection((self.host, self.port[name]), timeout=1):
            return True
        return False


STARTED: list[Broker] = []
"""Every started broker in order, also those that have ended."""


def _end(process: "subprocess.Popen[bytes]") -> None:
    process.kill()  # its data are deleted, so it need not save them
    process.wait()


def _family(pid: int) -> Iterator[int]:
    """Return a process and all its descendants."""
    yield pid
    with contextlib.suppress(FileNotFoundError):  # the process has ended
        for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            yield from _family(int(child))


def _resident(pid: int) -> int:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def free_ports(count: int) -> list[int]:
    """Return ports of 127.0.0.1 without a listener."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]


def cache() -> Path:
    """Return the cache folder."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mqconvert"


def prepared(name: str, make: Callable[[Path], None]) -> Path:
    """Return the folder of that name in the cache; `make` fills a new one, also if two suites run at once."""
    folder = cache() / name
    folder.parent.mkdir(parents=True, exist_ok=True)
    with (folder.parent / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            unfinished = folder.with_suffix(".unfinished")
            shutil.rmtree(unfinished, ignore_errors=True)
            unfinished.mkdir()
            make(unfinished)
            unfinished.rename(folder)
    return folder


def installed(command: str, package: str | None = None) -> str:
    """Return the path of a command; install its Debian package if it is missing and the user is root."""
    found = shutil.which(command)
    if found is None and (os.geteuid() != 0 or shutil.which("apt-get") is None):
        raise NoBrokerError(f"{command} is not installed, and only root on Debian can install it")
    if found is None:
        run("apt-get", "update", "-q")
        run("apt-get", "install", "-qy", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300", package or command)
    return found or command


def run(*command: str | Path, cwd: Path | None = None) -> None:
    """Run a command to its end; NoBrokerError with its last lines if it fails."""
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env=os.environ | {"DEBIAN_FRONTEND": "noninteractive", "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    if done.returncode:
        last = done.stdout.strip().splitlines()[-3:]
        raise NoBrokerError(f"`{' '.join(map(str, command))}` failed: {' / '.join(last)}")

"""The service over a real socket, for tests: separate processes, ended by their ids.

Starting a service takes two seconds of processor time, so tests with the same settings share one (conftest.py).
"""

import base64
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

import httpx
import pytest

SERVICE = pytest.mark.xdist_group("service")
"""The mark of tests that share services: one test process runs all of them."""
ACCESS_LINE = {"time", "level", "client", "id", "method", "path", "status", "seconds"}
WIRE = base64.b64encode(bytes.fromhex("3006000174006869")).decode()
LINE = json.dumps({"wire": WIRE}).encode() + b"\n"
CONVERT = json.dumps({"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}).encode()
HEAD = b"POST /v1/convert HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
WHOLE = HEAD + b"content-length: %d\r\n\r\n" % len(CONVERT) + CONVERT
QUERY = "from=mqtt-5.0&to=amqp-1.0&fields=wire"
BATCH = f"POST /v1/convert/batch?{QUERY} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n".encode()


class Client(httpx.Client):
    """A client of one service, with the service's port and log."""

    def __init__(self, port: int, log: Path) -> None:
        super().__init__(base_url=f"http://127.0.0.1:{port}", timeout=30)
        self.port, self.log = port, log

    def logged(self, since: int = 0) -> list[dict[str, Any]]:
        """Return the lines of the log from a byte on."""
        return [json.loads(line) for line in self.log.read_bytes()[since:].splitlines()]


@contextmanager
def service(**settings: str) -> Iterator[Client]:
    """Start a service and yield its client. At the end, fail if the log has other lines than access lines."""
    with tempfile.TemporaryDirectory() as folder:
        log = Path(folder) / "log"
        with log.open("wb") as errors, _running(settings, errors, subprocess.PIPE) as (process, port):
            with Client(port, log) as client:
                yield client
            process.send_signal(signal.SIGTERM)
            output, _ = process.communicate(timeout=30)
        written = log.read_bytes()
        assert process.returncode in (0, -signal.SIGTERM), written
        assert b"curl -s http://127.0.0.1" in output
        assert b"Traceback" not in written, written
        lines = client.logged()
    assert [line for line in lines if line.keys() - {"cut_off"} != ACCESS_LINE] == []
    assert all(line["seconds"] >= 0 for line in lines)
    ready = {"method": "GET", "path": "/readyz", "status": 200}
    assert any(ready.items() <= line.items() for line in lines)


@contextmanager
def running(
    log: int | IO[bytes] = subprocess.DEVNULL, *, arguments: tuple[str, ...] = (), **settings: str
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    """Start a separate service, wait until it is ready, and yield its port."""
    with _running(settings, log, subprocess.DEVNULL, arguments) as started:
        yield started


@contextmanager
def _running(
    settings: dict[str, str], log: int | IO[bytes], output: int, arguments: tuple[str, ...] = ()
) -> Iterator[tuple[subprocess.Popen[bytes], int]]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    settings = {"drain_delay": "0", "workers": "1"} | settings
    environment = os.environ | {f"MQCONVERT_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", str(port), *arguments]
    process = subprocess.Popen(command, env=environment, stdout=output, stderr=log)
    try:
        poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 200"))  # every worker has started
        yield process, port
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(timeout=30)


def poll(ready: Callable[[], bool]) -> None:
    """Wait until `ready` is true."""
    for _ in range(600):
        with suppress(OSError):
            if ready():
                return
        time.sleep(0.05)
    pytest.fail("it did not come to that within 30 seconds")


def get(port: int, path: str) -> bytes:
    """Return the response to a request, with its head."""
    with socket.create_connection(("127.0.0.1", port), timeout=10) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n".encode())
        return b"".join(iter(lambda: connection.recv(65536), b""))


def in_flight(port: int, count: int) -> None:
    """Wait until this number of requests is running, including the request that asks."""
    poll(lambda: b"mqconvert_requests_in_flight %d.0" % count in get(port, "/metrics"))


def workers_of(server: int) -> list[int]:
    """Return the process ids of a service's workers."""
    return [worker for child in _children(server) for worker in _children(child)]  # one child forks the workers


def _children(process: int) -> list[int]:
    return [int(child) for file in Path(f"/proc/{process}/task").glob("*/children") for child in file.read_text().split()]


def chunk(raw: bytes) -> bytes:
    """Return a chunk of a body."""
    return b"%x\r\n%s\r\n" % (len(raw), raw)


def read_until(connection: socket.socket, words: bytes) -> bytes:
    """Return the bytes of a connection, at least up to `words`."""
    seen = b""
    while words not in seen:
        raw = connection.recv(65536)
        assert raw, seen
        seen += raw
    return seen


def answered(port: int, sent: bytes) -> bytes:
    """Return everything that comes back, until the end of the connection."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection, suppress(ConnectionError):
        connection.sendall(sent)
        while raw := connection.recv(65536):
            answer += raw
    return answer

"""The service in operation: SIGTERM in the middle of a stream, slow clients, and bounded memory."""

import base64
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack, suppress
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from tests.app.services import BATCH, LINE, SERVICE, Client, chunk, get, poll, read_until, running

pytestmark = SERVICE


def test_a_shutdown_finishes_running_requests() -> None:
    with running() as (process, port), socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(BATCH + chunk(LINE))
        read_until(connection, b'{"wire"')  # the service answers before the request ends
        process.send_signal(signal.SIGTERM)
        poll(lambda: _refused(port))
        assert process.poll() is None
        for _ in range(10):  # keep sending for half a second after the signal
            connection.sendall(chunk(LINE))
            read_until(connection, b'{"wire"')
            time.sleep(0.05)
        connection.sendall(chunk(LINE * 3) + b"0\r\n\r\n")
        rest = read_until(connection, b"0\r\n\r\n")
        assert rest.count(b'{"wire"') == 3
        assert process.wait(timeout=30) in (0, -signal.SIGTERM)


def test_a_shutdown_that_times_out_is_logged_in_lines() -> None:
    """The client neither sends nor ends its stream. The service cuts it off without a traceback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    program = f"from mqconvert.app.http import server; server.PATIENCE = 1; server.serve('127.0.0.1', {port})"
    command = [sys.executable, "-c", program]
    environment = os.environ | {"MQCONVERT_DRAIN_DELAY": "0", "MQCONVERT_WORKERS": "1"}
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
        try:
            poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 200"))
            with socket.create_connection(("127.0.0.1", port), timeout=30) as held:
                held.sendall(BATCH + chunk(LINE))
                read_until(held, b'{"wire"')
                process.send_signal(signal.SIGTERM)
                _, errors = process.communicate(timeout=30)
                assert b"0\r\n\r\n" not in held.recv(65536)
        finally:
            process.kill()
    assert process.returncode in (0, -signal.SIGTERM)
    [cut] = [line for line in map(json.loads, errors.splitlines()) if line.get("cut_off")]
    assert (cut["path"], cut["status"]) == ("/v1/convert/batch", 200)


def _refused(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=10).close()
    except ConnectionRefusedError:
        return True
    return False


def test_an_idle_connection_times_out(lavish: Client) -> None:
    with socket.create_connection(("127.0.0.1", lavish.port), timeout=20) as idle:
        idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        assert read_until(idle, b'{"status":"ok"}').startswith(b"HTTP/1.1 200")
        assert idle.recv(100) == b""


def test_accept_errors_are_one_line_of_log_a_second(tmp_path: Path) -> None:
    """Another part of the process has taken the file descriptors."""
    with (tmp_path / "log").open("wb") as log, running(log) as (process, port), ExitStack() as stack:
        there = len(list(Path(f"/proc/{process.pid}/fd").iterdir()))
        resource.prlimit(process.pid, resource.RLIMIT_NOFILE, (there + 2, there + 2))
        for _ in range(50):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        poll(lambda: (tmp_path / "log").read_text().count('"error"') >= 3)
    lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    seconds = [datetime.fromisoformat(line["time"]).timestamp() for line in lines if "error" in line]
    assert all(later - earlier > 0.99 for earlier, later in pairwise(seconds))
    assert not any("trace" in line for line in lines)


def test_the_workers_option_overrides_the_setting() -> None:
    with running(workers="1", arguments=("--workers", "2")) as (_, port):
        assert b"\nmqconvert_workers 3.0\n" in get(port, "/metrics")  # the third worker serves the tables


def test_a_log_line_has_the_time_the_client_and_the_request_id(client: Client) -> None:
    before = client.log.stat().st_size
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(b"GET /v1/routes HTTP/1.1\r\nhost: x\r\nx-request-id: mine-1\r\nconnection: close\r\n\r\n")
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert b"\r\nx-request-id: mine-1\r\n" in answer
    given = re.search(rb"\r\nx-request-id: ([0-9a-f]{16})\r\n", get(client.port, "/v1/protocols"))
    lines = client.logged(before)
    told = {line["path"]: line for line in lines}
    assert given is not None
    assert told["/v1/routes"]["id"] == "mine-1"
    assert told["/v1/protocols"]["id"] == given[1].decode()
    assert {line["client"] for line in lines} == {"127.0.0.1"}
    assert all(datetime.fromisoformat(line["time"]).tzinfo is not None for line in lines)


def test_a_slow_client_does_not_delay_others(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as slow:
        slow.sendall(BATCH + chunk(LINE[:5]))
        assert get(client.port, "/v1/protocols").startswith(b"HTTP/1.1 200")
        for at in range(5, len(LINE)):
            slow.sendall(chunk(LINE[at : at + 1]))
        slow.sendall(b"0\r\n\r\n")
        assert b'{"wire"' in read_until(slow, b"0\r\n\r\n")


@pytest.mark.parametrize(
    "raw", [b"\0\1\2\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nhost: x\r\ncontent-length: x\r\n\r\n"]
)
def test_malformed_http_gets_a_problem_response(raw: bytes, client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(raw)
        head, _, body = b"".join(iter(lambda: connection.recv(65536), b"")).partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 400 Bad Request\r\n")
        assert b"content-type: application/problem+json" in head.lower()
        assert b"content-length: %d" % len(body) in head.lower()
        assert json.loads(body)["code"] == "bad_http"
        assert get(client.port, "/healthz").startswith(b"HTTP/1.1 200")


def test_a_stream_with_malformed_chunks_is_cut_off_without_an_internal_error(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(BATCH + chunk(LINE))
        read_until(connection, b'{"wire"')
        connection.sendall(b"no size\r\n")
        assert b"0\r\n\r\n" not in b"".join(iter(lambda: connection.recv(65536), b""))
    assert b'code="internal"' not in get(client.port, "/metrics")
    assert b"Traceback" not in client.log.read_bytes()


@pytest.mark.parametrize("asked", ["HEAD /healthz", "GET /healthz", "GET /nowhere"])
def test_malformed_chunks_of_an_unread_body_do_not_change_the_response(client: Client, asked: str) -> None:
    """The response was decided before the body is read. HEAD gets no body."""
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        connection.sendall(f"{asked} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 400 Bad Request\r\n")
    assert answer.endswith(b"\r\n\r\n") is asked.startswith("HEAD")
    assert b'code="internal"' not in get(client.port, "/metrics")
    written = client.log.read_bytes()
    assert b"Traceback" not in written
    assert b"ERROR" not in written


def test_an_unread_response_takes_bounded_memory() -> None:
    with running() as (process, port), socket.create_connection(("127.0.0.1", port), timeout=2) as deaf:
        before = _resident(process.pid)
        deaf.sendall(BATCH)
        lines = LINE * 1000
        sent = 0
        with suppress(TimeoutError):  # the service stops reading when the client stops reading
            while sent < 200_000_000:
                deaf.sendall(chunk(lines))
                sent += len(lines)
        assert sent < 200_000_000
        assert _resident(process.pid) - before < 64 * 2**20
        assert get(port, "/healthz").startswith(b"HTTP/1.1 200")


def _resident(process: int) -> int:
    """Return the bytes in memory."""
    with open(f"/proc/{process}/status") as status:  # noqa: PTH123 - not a file on disk
        found = re.search(r"VmRSS:\s+(\d+) kB", status.read())
    assert found is not None
    return int(found.group(1)) * 1024


def test_a_token_guards_all_routes_but_health(guarded: Client) -> None:
    for path in ("/v1/protocols", "/metrics", "/", "/docs", "/openapi.json"):
        assert get(guarded.port, path).startswith(b"HTTP/1.1 401"), path
    for path in ("/healthz", "/readyz"):
        assert get(guarded.port, path).startswith(b"HTTP/1.1 200"), path
    basic = b"BASIC " + base64.b64encode(b"anyone:t0ken")
    bad = (
        basic[:-4],
        basic[:-5],
        b"Basic " + base64.b64encode(b"t0ken:"),
        b"Bearer t0ke",
        b"Bearer t0kenn",
        b"bearer t0ken\xff",
        b"Basic t0ken",
        b"t0ken",
        b"Bearer",
    )
    for value in (*bad, basic, b"Bearer t0ken", b"bearer t0ken", b"BEARER  t0ken"):
        with socket.create_connection(("127.0.0.1", guarded.port), timeout=10) as connection:
            connection.sendall(b"GET /v1/protocols HTTP/1.1\r\nhost: x\r\nauthorization: " + value + b"\r\n\r\n")
            status = b"HTTP/1.1 401" if value in bad else b"HTTP/1.1 200"
            assert connection.recv(65536).startswith(status), value

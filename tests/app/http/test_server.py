"""The server over real sockets: connections, malformed HTTP, and shutdown in order."""

import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from datetime import datetime
from itertools import pairwise
from pathlib import Path

import pytest

from mqconvert.app.http.guard import STALLED
from tests.app.services import (
    BATCH,
    CONVERT,
    HEAD,
    LINE,
    SERVICE,
    WHOLE,
    Client,
    answered,
    chunk,
    get,
    in_flight,
    poll,
    read_until,
    running,
    workers_of,
)

pytestmark = SERVICE


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nhost: localhost\r\n"])
def test_endless_request_heads_time_out(sent: bytes, impatient: Client) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=20) as slow:
        slow.sendall(sent)
        with suppress(ConnectionResetError):
            assert slow.recv(100) == b""


def test_idle_connections_give_way_without_a_log_line(tmp_path: Path) -> None:
    """There are more connections than file descriptors."""
    program = (
        "import resource; resource.setrlimit(resource.RLIMIT_NOFILE, (120, 120))\n"
        "from mqconvert.app.http.server import serve; import sys; serve('127.0.0.1', int(sys.argv[1]))"
    )
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    environment = os.environ | {"MQCONVERT_DRAIN_DELAY": "0", "MQCONVERT_WORKERS": "1"}
    log = tmp_path / "log"
    with log.open("wb") as errors, ExitStack() as stack:
        command = [sys.executable, "-c", program, str(port)]
        process = stack.enter_context(subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=errors))
        stack.callback(process.kill)
        poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 200"))
        for _ in range(200):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=10))
        for _ in range(3):
            assert get(port, "/healthz").startswith(b"HTTP/1.1 200")
        with socket.create_connection(("127.0.0.1", port), timeout=10) as good:
            good.sendall(WHOLE)
            assert good.recv(100).startswith(b"HTTP/1.1 200")
    assert all(json.loads(line) for line in log.read_text().splitlines())
    assert len(log.read_bytes()) < 10_000


def test_spare_places_are_for_health_and_metrics_while_every_connection_is_at_work() -> None:
    with running(max_connections="4") as (process, port), ExitStack() as stack:
        for worker in workers_of(process.pid):
            os.kill(worker, signal.SIGSTOP)
            stack.callback(os.kill, worker, signal.SIGKILL)
        for _ in range(4):
            stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)).sendall(WHOLE)
        in_flight(port, 5)
        for path in ("/healthz", "/readyz", "/metrics"):
            assert get(port, path).startswith(b"HTTP/1.1 200")
        assert get(port, "/").startswith(b"HTTP/1.1 429")


def test_stalled_bodies_give_way_to_new_connections_before_idle_ones() -> None:
    with running(max_connections="3") as (_, port), ExitStack() as stack:
        idle, *stalled = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(3)]
        idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        read_until(idle, b'{"status":"ok"}')
        for one in stalled:
            one.sendall(HEAD + b"content-length: 100\r\nexpect: 100-continue\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 100")
        time.sleep(2 * STALLED)
        for _ in range(8):
            assert get(port, "/v1/protocols").startswith(b"HTTP/1.1 200")
        stalled[0].settimeout(20)
        with suppress(ConnectionResetError):
            assert stalled[0].recv(100) == b""
        idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n")
        read_until(idle, b'{"status":"ok"}')


def test_health_responds_to_every_request_while_bodies_flood_the_service() -> None:
    """A connection that was just accepted is not closed for the next one."""
    done = threading.Event()

    def flood(port: int, stack: ExitStack) -> None:
        while not done.wait(0.002):
            one = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            with suppress(OSError):
                one.sendall(HEAD + b"content-length: 100\r\n\r\n{")

    with running(max_connections="20") as (_, port), ExitStack() as stack:
        thread = threading.Thread(target=flood, args=(port, stack))
        thread.start()
        try:
            for _ in range(100):
                assert get(port, "/healthz").startswith(b"HTTP/1.1 200")
        finally:
            done.set()
            thread.join()


def test_content_length_with_transfer_encoding_is_refused_and_closes_the_connection(client: Client) -> None:
    smuggled = b"GET /v1/protocols HTTP/1.1\r\nhost: localhost\r\n\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        both = b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
        connection.sendall(HEAD + both + smuggled)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1") == 1
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "bad_http"


def test_health_responds_between_the_chunks_of_a_body(client: Client) -> None:
    """The service handles a few small chunks at a time. A chunk of one byte costs 100 times its share of a large one."""
    head = BATCH.replace(b"host: localhost", b"host: localhost\r\nconnection: close")
    answers: list[bytes] = []
    flood = head + b"1\r\n \r\n" * 100_000 + b"0\r\n\r\n"
    thread = threading.Thread(target=lambda: answers.append(answered(client.port, flood)))
    times = [time.monotonic()]
    thread.start()
    while thread.is_alive():
        assert get(client.port, "/healthz").startswith(b"HTTP/1.1 200")
        times.append(time.monotonic())
    assert max(later - earlier for earlier, later in pairwise(times)) < (times[-1] - times[0]) / 5
    single = b"".join(chunk(LINE[at : at + 1]) for at in range(len(LINE))) * 1000
    answers.append(answered(client.port, head + single + b"0\r\n\r\n"))
    assert all(answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"0\r\n\r\n") for answer in answers)
    assert [answer.count(b'{"wire"') for answer in answers] == [0, 1000]


def test_pipelined_requests_are_all_answered_in_order(client: Client) -> None:
    requests = [HEAD + b"x-request-id: n%d\r\ncontent-length: %d\r\n\r\n" % (at, len(CONVERT)) + CONVERT for at in range(300)]
    last = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nx-request-id: n300\r\nconnection: close\r\n\r\n"
    answer = answered(client.port, b"".join((*requests, last)))
    assert re.findall(rb"^x-request-id: n(\d+)\r$", answer, re.MULTILINE) == [b"%d" % at for at in range(301)]
    assert answer.count(b"HTTP/1.1 200") == 301


@pytest.mark.parametrize(
    "lines",
    [
        b"a:\r\n" * 257,
        b"a:\r\n" * 50_000,
        b"a" * 100_000 + b": b\r\n",
        b"transfer-encoding: chunked\r\n\r\n5;" + b"a" * 100_000 + b"\r\nhello\r\n0\r\n",
        b"transfer-encoding: chunked\r\n\r\n0\r\n" + b"a: b\r\n" * 50_000,
    ],
    ids=["257 lines", "50,000 lines", "long name", "chunk extension", "trailers"],
)
def test_heads_and_trailers_are_limited(lines: bytes, client: Client) -> None:
    before = client.log.stat().st_size
    few = b"GET /healthz HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n" + b"a:\r\n" * 250 + b"\r\n"
    assert answered(client.port, few).startswith(b"HTTP/1.1 200")
    answer = answered(client.port, HEAD + lines + b"\r\n")
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400")  # a reset may overtake the response
    if b"chunked" not in lines:
        poll(lambda: b'"status": 400' in client.log.read_bytes()[before:])
    assert all(line["client"] == "127.0.0.1" and line["id"] for line in client.logged(before))


@pytest.mark.parametrize("target", ["http://localhost:1/healthz", "HTTPS://[::1]/healthz?a=b", "http://x/healthz"])
def test_absolute_targets_are_accepted(target: str, client: Client) -> None:
    """RFC 9112 section 3.2.2."""
    asked = f"GET {target} HTTP/1.1\r\nhost: other\r\nconnection: close\r\n\r\n"
    assert answered(client.port, asked.encode()).startswith(b"HTTP/1.1 200")


def test_the_host_of_an_absolute_target_counts(lavish: Client) -> None:
    """RFC 9112 section 3.2.2: the Host field is ignored. The service allows rules, and so checks the name."""
    for host, target, status in (("localhost", "http://evil.example", 403), ("evil.example", "http://localhost", 200)):
        asked = f"GET {target} HTTP/1.1\r\nhost: {host}\r\nconnection: close\r\n\r\n"
        assert answered(lavish.port, asked.encode()).startswith(b"HTTP/1.1 %d" % status)


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGHUP])
def test_readiness_fails_before_the_listener_closes(stop: signal.Signals) -> None:
    with running(drain_delay="2") as (process, port):
        process.send_signal(stop)
        poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 503"))
        assert get(port, "/healthz").startswith(b"HTTP/1.1 200")
        assert get(port, "/v1/protocols").startswith(b"HTTP/1.1 200")
        process.wait(timeout=30)


@pytest.mark.parametrize("host", ["a" * 64, "\udcff", "a..b", "999.1.1.1"])
def test_an_invalid_host_is_a_one_line_error(host: str) -> None:
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0", "--host", host]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"mqconvert: no host .+\n", done.stderr)
    assert "Errno" not in done.stderr


def test_a_port_in_use_is_reported_before_any_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", port]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"mqconvert: port {port} is in use: --port N chooses another\n"


@pytest.mark.parametrize("token", ["", "t0ken"])
def test_the_command_that_serve_prints_succeeds(token: str) -> None:
    environment = os.environ | {"MQCONVERT_TOKEN": token, "MQCONVERT_WORKERS": "1"}
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0"]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        try:
            port = int(process.stdout.readline().partition("127.0.0.1:")[2].partition(",")[0])
            printed = process.stdout.readline().strip()
            poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 200"))
            done = subprocess.run(["sh", "-c", f"{printed} --fail"], env=environment, capture_output=True, check=True)
        finally:
            process.kill()
    assert "t0ken" not in printed
    assert json.loads(done.stdout)["message"]["protocol"] == "amqp-1.0"


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
        idle.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
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


def test_a_slow_client_does_not_delay_others(client: Client) -> None:
    with socket.create_connection(("127.0.0.1", client.port), timeout=30) as slow:
        slow.sendall(BATCH + chunk(LINE[:5]))
        assert get(client.port, "/v1/protocols").startswith(b"HTTP/1.1 200")
        for at in range(5, len(LINE)):
            slow.sendall(chunk(LINE[at : at + 1]))
        slow.sendall(b"0\r\n\r\n")
        assert b'{"wire"' in read_until(slow, b"0\r\n\r\n")


@pytest.mark.parametrize(
    "raw", [b"\0\1\2\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n", b"POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: x\r\n\r\n"]
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
        connection.sendall(f"{asked} HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\nno size\r\n".encode())
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

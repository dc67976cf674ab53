"""Attacks on real service processes: the service responds within its limits, or a limit refuses the request."""

import base64
import gzip
import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path

import pytest

from mqconvert import encode, encode_batch
from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.app.services import BATCH, LINE, SERVICE, WIRE, Client, chunk, get, in_flight, poll, running, service

pytestmark = SERVICE

CONVERT = json.dumps({"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}).encode()
HEAD = b"POST /v1/convert HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
WHOLE = HEAD + b"content-length: %d\r\n\r\n" % len(CONVERT) + CONVERT


def _text(raw: bytes) -> str:
    return base64.b64encode(raw).decode()


def _pulsar_bomb(members: int, batches: int = 1) -> str:
    """Return Zstd batches of empty members, each a few dozen bytes."""
    sent = pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")
    return _text(encode_batch([sent] * members) * batches)


def _zeros(size: int) -> dict[str, str]:
    """Return messages of a few kB that decompress to `size` bytes."""
    zipped = pulsar.Message(payload=bytes(size), producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")
    return {
        "pulsar": _text(encode(zipped)),
        "rocketmq": _text(encode(rocketmq.Message(topic="t", body=bytes(size), sys_flag=0x201), max_body=2**30)),
    }


def test_every_door_refuses_a_batch_of_many_empty_members(client: Client) -> None:
    bomb = _pulsar_bomb(2000)
    assert len(bomb) < 300
    pair = {"from": "pulsar", "to": "mqtt-5.0", "address": "t"}
    for path, body in (
        ("convert", pair | {"wire": bomb}),
        ("decode", {"protocol": "pulsar", "wire": bomb}),
    ):
        answer = client.post(f"/v1/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
        assert "MQCONVERT_MAX_BATCH" in answer.json()["detail"]
    lines = json.dumps({"id": 1, "wire": bomb}) + "\n" + json.dumps({"id": 2, "wire": _pulsar_bomb(2)})
    answer = client.post("/v1/convert/batch", params=pair, content=lines)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [(line["id"], line.get("error", {}).get("code")) for line in found] == [(1, "too_many"), (2, None), (2, None)]


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_decompression_beyond_the_limit_is_refused(protocol: str, limited: Client) -> None:
    bomb = _zeros(2**20 + 1)[protocol]
    for path in ("convert", "decode"):
        choices = {"from": protocol, "to": "amqp-1.0"} if path == "convert" else {"protocol": protocol}
        answer = limited.post(f"/v1/{path}", json=choices | {"wire": bomb})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "MQCONVERT_MAX_DECOMPRESSED" in answer.json()["detail"]


def test_a_response_beyond_the_limit_is_refused_and_costs_a_batch_one_line(limited: Client) -> None:
    wire = _zeros(2**19)["pulsar"]
    pair = {"from": "pulsar", "to": "amqp-1.0"}
    for path, body in (("convert", pair | {"wire": wire}), ("decode", {"protocol": "pulsar", "wire": wire})):
        answer = limited.post(f"/v1/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "MQCONVERT_MAX_ANSWER" in answer.json()["detail"]
    lines = "\n".join(json.dumps({"wire": one}) for one in (wire, _pulsar_bomb(1)))
    answer = limited.post("/v1/convert/batch", params=pair, content=lines)
    assert [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()] == ["too_large", None]


@pytest.mark.parametrize("compression", [None, "deflate", "snappy"])
def test_frames_of_a_stream_are_limited(compression: str | None, limited: Client) -> None:
    stream = b"NOP\n" * 1001
    packed = stream if compression is None else nsq.compress(stream, compression)
    options = {} if compression is None else {"compression": compression}
    for path, body in (("frames/nsq/decode", {}), ("decode", {"protocol": "nsq"})):
        answer = limited.post(f"/v1/{path}", json=body | {"wire": _text(packed), "options": options})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
        assert "MQCONVERT_MAX_FRAMES" in answer.json()["detail"]
    shorter = nsq.compress(stream[4:], compression) if compression else stream[4:]
    answer = limited.post("/v1/frames/nsq/decode", json={"wire": _text(shorter), "options": options})
    assert len(answer.json()["frames"]) == 1000


@pytest.mark.parametrize("protocol", ["phpmq", "rocketmq", "pulsar"])
def test_frames_of_other_protocols_are_limited(protocol: str, limited: Client) -> None:
    frame = {"phpmq": {"frame": "ack", "queue": "q", "message_id": "m"}, "rocketmq": {"code": "HEART_BEAT"}}.get(
        protocol, {"command": {"type": "PING", "ping": {}}}
    )
    for number, status in ((1000, 200), (1001, 413)):
        wire = limited.post(f"/v1/frames/{protocol}/encode", json={"frames": [frame] * number}).json()["wire"]
        assert limited.post(f"/v1/frames/{protocol}/decode", json={"wire": wire}).status_code == status


def test_every_protocol_limits_the_messages_of_one_input(limited: Client) -> None:
    row = {"protocol": "mqtt-5.0", "wire": _text(base64.b64decode(WIRE) * 3)}
    answer = limited.post("/v1/decode", json=row)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
    two = row | {"wire": _text(base64.b64decode(WIRE) * 2)}
    assert len(limited.post("/v1/decode", json=two).json()["messages"]) == 2


def _converts(port: int) -> None:
    """Assert that the service converts a message."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as client:
        client.sendall(WHOLE)
        assert client.recv(100).startswith(b"HTTP/1.1 200")


def test_work_stops_when_its_client_disconnects(lavish: Client) -> None:
    """The request would take many seconds. The only worker is free again long before."""
    sent = [pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")] * 50_000
    body = json.dumps({"protocol": "pulsar", "wire": _text(encode_batch(sent))}).encode()
    lines = json.dumps({"wire": json.loads(body)["wire"]}).encode()
    target = b"POST /v1/convert/batch?from=pulsar&to=mqtt-5.0&address=t HTTP/1.1\r\nhost: x\r\n"
    for _ in range(3):
        with socket.create_connection(("127.0.0.1", lavish.port), timeout=10) as gone:
            gone.sendall(target + b"content-length: %d\r\n\r\n" % len(lines) + lines)
            in_flight(lavish.port, 2)
    in_flight(lavish.port, 1)
    _converts(lavish.port)


def test_work_on_a_stream_of_frames_stops_when_its_client_disconnects(lavish: Client) -> None:
    body = json.dumps({"wire": _text(nsq.compress(b"NOP\n" * 4_000_000, "snappy"))}).encode()
    head = b"POST /v1/frames/nsq/decode HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", lavish.port), timeout=10) as gone:
        gone.sendall(head + b"content-length: %d\r\n\r\n" % len(body) + body)
        in_flight(lavish.port, 2)
    in_flight(lavish.port, 1)
    _converts(lavish.port)


def test_health_responds_while_every_worker_is_busy(lavish: Client) -> None:
    sent = [pulsar.Message(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")] * 20_000
    line = json.dumps({"wire": _text(encode_batch(sent))}).encode() + b"\n"
    target = b"POST /v1/convert/batch?from=pulsar&to=mqtt-5.0&address=t HTTP/1.1\r\nhost: x\r\n"
    with ExitStack() as stack:
        for _ in range(3):
            busy = stack.enter_context(socket.create_connection(("127.0.0.1", lavish.port), timeout=30))
            busy.sendall(target + b"content-length: %d\r\n\r\n" % len(line) + line)
        in_flight(lavish.port, 4)
        for path in ("/healthz", "/readyz", "/metrics"):
            assert get(lavish.port, path).startswith(b"HTTP/1.1 200")
        assert b"mqconvert_requests_in_flight 4.0" in get(lavish.port, "/metrics")


def test_requests_without_their_body_take_no_worker_and_time_out(impatient: Client) -> None:
    with ExitStack() as stack:
        waiting = [stack.enter_context(socket.create_connection(("127.0.0.1", impatient.port), timeout=20)) for _ in range(8)]
        for one in waiting:
            one.sendall(HEAD + b"content-length: 100\r\n\r\n{")
        with socket.create_connection(("127.0.0.1", impatient.port), timeout=10) as good:
            good.sendall(WHOLE)
            assert good.recv(100).startswith(b"HTTP/1.1 200")
        for path in ("/", "/metrics", "/healthz"):
            assert get(impatient.port, path).startswith(b"HTTP/1.1 200")
        for one in waiting:
            answer = b"".join(iter(lambda one=one: one.recv(65536), b""))  # type: ignore[misc]
            assert answer.startswith(b"HTTP/1.1 408")
            assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "timeout"


def test_a_body_below_the_minimum_rate_is_cut_off(impatient: Client) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=0.05) as slow:
        slow.sendall(HEAD + b"content-length: 1000\r\n\r\n")
        answer = b""
        for _ in range(600):
            with suppress(TimeoutError):
                answer = slow.recv(100)
                break
            slow.sendall(b"{")
        assert answer.startswith(b"HTTP/1.1 408")


def test_a_batch_without_lines_times_out_with_an_error_line(impatient: Client) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=20) as slow:
        slow.sendall(BATCH + chunk(LINE + b'{"wi'))
        answer = b"".join(iter(lambda: slow.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 200")
        assert b'"code":"timeout"' in answer


@pytest.mark.parametrize("sent", [b"", b"GET / HTT", b"GET / HTTP/1.1\r\nhost: x\r\n"])
def test_endless_request_heads_time_out(sent: bytes, impatient: Client) -> None:
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=20) as slow:
        slow.sendall(sent)
        with suppress(ConnectionResetError):
            assert slow.recv(100) == b""


def test_unread_responses_are_cut_off(tmp_path: Path) -> None:
    """Five responses of 11 MB: the memory held for them is bounded and released."""
    wire = _zeros(4 * 2**20)["pulsar"]
    body = json.dumps({"from": "pulsar", "to": "amqp-1.0", "wire": wire}).encode()
    with (
        (tmp_path / "log").open("wb") as log,
        running(log, answer_timeout="1", max_held=str(40 * 2**20)) as (_, port),
        ExitStack() as stack,
    ):
        deaf = [stack.enter_context(socket.socket()) for _ in range(5)]
        for one in deaf:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            one.connect(("127.0.0.1", port))
            one.sendall(HEAD + b"content-length: %d\r\n\r\n" % len(body) + body)
        poll(lambda: (tmp_path / "log").read_text().count('"path": "/v1/convert"') == 5)
        lines = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
        ended = [(line["status"], line.get("cut_off", False)) for line in lines if line.get("path") == "/v1/convert"]
        assert (200, True) in ended
        assert set(ended) <= {(200, True), (429, False)}
        assert b"mqconvert_requests_in_flight 1.0" in get(port, "/metrics")


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


def test_health_responds_while_connections_wait_for_bodies() -> None:
    with running(max_connections="4") as (_, port), ExitStack() as stack:
        for _ in range(4):
            busy = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20))
            busy.sendall(HEAD + b"content-length: 100\r\nexpect: 100-continue\r\n\r\n")
            assert busy.recv(100).startswith(b"HTTP/1.1 100")
        for path in ("/healthz", "/readyz", "/metrics"):
            assert get(port, path).startswith(b"HTTP/1.1 200")
        assert get(port, "/v1/protocols").startswith(b"HTTP/1.1 429")


def test_content_length_with_transfer_encoding_is_refused_and_closes_the_connection(client: Client) -> None:
    smuggled = b"GET /v1/protocols HTTP/1.1\r\nhost: x\r\n\r\n"
    with socket.create_connection(("127.0.0.1", client.port), timeout=10) as connection:
        both = b"content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n"
        connection.sendall(HEAD + both + smuggled)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
        assert answer.startswith(b"HTTP/1.1 400")
        assert answer.count(b"HTTP/1.1") == 1
        assert json.loads(answer.partition(b"\r\n\r\n")[2])["code"] == "bad_http"


def _answered(port: int, sent: bytes) -> bytes:
    """Return everything that comes back, until the end of the connection."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection, suppress(ConnectionError):
        connection.sendall(sent)
        while raw := connection.recv(65536):
            answer += raw
    return answer


def test_health_responds_between_the_chunks_of_a_body(client: Client) -> None:
    """The service handles a few small chunks at a time. A chunk of one byte costs 100 times its share of a large one."""
    head = BATCH.replace(b"host: x", b"host: x\r\nconnection: close")
    answers: list[bytes] = []
    flood = head + b"1\r\n \r\n" * 100_000 + b"0\r\n\r\n"
    thread = threading.Thread(target=lambda: answers.append(_answered(client.port, flood)))
    times = [time.monotonic()]
    thread.start()
    while thread.is_alive():
        assert get(client.port, "/healthz").startswith(b"HTTP/1.1 200")
        times.append(time.monotonic())
    assert max(later - earlier for earlier, later in pairwise(times)) < (times[-1] - times[0]) / 5
    single = b"".join(chunk(LINE[at : at + 1]) for at in range(len(LINE))) * 1000
    answers.append(_answered(client.port, head + single + b"0\r\n\r\n"))
    assert all(answer.startswith(b"HTTP/1.1 200") and answer.endswith(b"0\r\n\r\n") for answer in answers)
    assert [answer.count(b'{"wire"') for answer in answers] == [0, 1000]


def test_pipelined_requests_are_all_answered_in_order(client: Client) -> None:
    requests = [HEAD + b"x-request-id: n%d\r\ncontent-length: %d\r\n\r\n" % (at, len(CONVERT)) + CONVERT for at in range(300)]
    last = b"GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: n300\r\nconnection: close\r\n\r\n"
    answer = _answered(client.port, b"".join((*requests, last)))
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
    few = b"GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n" + b"a:\r\n" * 250 + b"\r\n"
    assert _answered(client.port, few).startswith(b"HTTP/1.1 200")
    answer = _answered(client.port, HEAD + lines + b"\r\n")
    assert answer == b"" or answer.startswith(b"HTTP/1.1 400")  # a reset may overtake the response
    if b"chunked" not in lines:
        poll(lambda: b'"status": 400' in client.log.read_bytes()[before:])
    assert all(line["client"] == "127.0.0.1" and line["id"] for line in client.logged(before))


@pytest.mark.parametrize(
    "headers",
    [
        {"content-type": "application/json", "content-encoding": "gzip"},
        {"content-type": "text/plain"},
        {"content-type": "application/json; charset=latin-1"},
        {"content-type": "application/x-www-form-urlencoded"},
    ],
)
def test_other_media_types_are_refused(headers: dict[str, str], client: Client) -> None:
    for path in ("/v1/convert", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0"):
        answer = client.post(path, content=gzip.compress(CONVERT), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "bad_media_type")


def test_responses_about_tables_are_cached_and_compressed(client: Client) -> None:
    path = "/v1/fidelity/nsq/phpmq?back=true"
    plain = client.get(path, headers={"accept-encoding": "identity"})
    packed = client.get(path)
    assert (plain.status_code, plain.json()) == (200, packed.json())
    assert "content-encoding" not in plain.headers
    assert (packed.headers["content-encoding"], packed.headers["vary"]) == ("gzip", "accept-encoding")
    etag = packed.headers["etag"]
    assert plain.headers["etag"] == etag
    for given in (etag, etag.removeprefix("W/"), f'"x", {etag}', "*"):
        again = client.get(path, headers={"if-none-match": given})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", etag)
    assert client.get(path, headers={"if-none-match": '"x"'}).status_code == 200
    assert client.get("/v1/fidelity/nsq/phpmq", headers={"if-none-match": etag}).status_code == 200


def test_responses_are_compressed_for_clients_that_accept_gzip(client: Client) -> None:
    body = {"protocol": "mqtt-5.0", "wire": _text(base64.b64decode(WIRE) * 50)}
    plain = client.post("/v1/decode", json=body, headers={"accept-encoding": "gzip;q=0"})
    packed = client.post("/v1/decode", json=body, headers={"accept-encoding": "br, gzip;q=0.5"})
    assert (plain.json(), len(plain.json()["messages"])) == (packed.json(), 50)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])


def test_request_ids_are_accepted_or_generated(client: Client) -> None:
    assert client.get("/healthz", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    for bad in ("x" * 65, "a b", "a\tb"):
        given = client.get("/healthz", headers={"x-request-id": bad}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", given)


def test_metrics_include_the_processes(client: Client) -> None:
    client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE})
    metrics = client.get("/metrics").text
    for name in (
        "process_resident_memory_bytes",
        "process_cpu_seconds_total",
        "mqconvert_workers_resident_memory_bytes",
        "mqconvert_requests_in_flight",
    ):
        assert float(re.findall(rf"^{name} (.*)$", metrics, re.MULTILINE)[0]) > 0
    assert re.search(
        r'^mqconvert_build_info\{modules="(compiled|sources)",python="[0-9.]+",version="[^"]+"\} 1.0$', metrics, re.MULTILINE
    )


def test_metrics_are_right_with_several_workers() -> None:
    with service(workers="3") as client:
        for _ in range(9):
            assert client.post("/v1/convert", content=CONVERT, headers={"content-type": "application/json"}).status_code == 200
        metrics = client.get("/metrics").text
        assert 'mqconvert_conversions_total{source="mqtt-5.0",target="amqp-1.0"} 9.0' in metrics
        assert re.search(r"^mqconvert_workers 4.0$", metrics, re.MULTILINE)


def test_readiness_fails_before_the_listener_closes() -> None:
    with running(drain_delay="2") as (process, port):
        process.terminate()
        poll(lambda: get(port, "/readyz").startswith(b"HTTP/1.1 503"))
        assert get(port, "/healthz").startswith(b"HTTP/1.1 200")
        assert get(port, "/v1/protocols").startswith(b"HTTP/1.1 200")
        process.wait(timeout=30)


def test_cross_origin_access_is_a_setting(client: Client, guarded: Client) -> None:
    asked = {"origin": "https://a.example", "access-control-request-method": "POST"}
    answer = guarded.options("/v1/convert", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://a.example")
    assert guarded.options("/v1/convert", headers=asked | {"origin": "https://c.example"}).status_code == 400
    refused = guarded.get("/v1/protocols", headers={"origin": "https://b.example"})
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, "https://b.example")
    assert "access-control-allow-origin" not in client.get("/v1/protocols", headers=asked).headers


def test_pages_have_security_headers(client: Client) -> None:
    for path in ("/", "/docs"):
        headers = client.get(path).headers
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert (headers["x-content-type-options"], headers["referrer-policy"]) == ("nosniff", "no-referrer")
    assert client.get("/favicon.ico").status_code == 204


def test_an_unknown_setting_stops_the_service_before_it_starts() -> None:
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0"]
    environment = os.environ | {"MQCONVERT_MAXBODY": "10"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no setting MQCONVERT_MAXBODY; did you mean MQCONVERT_MAX_BODY?" in done.stderr


def test_work_beyond_the_memory_limit_of_a_worker_is_refused() -> None:
    nulls = b"\x00\x53\x77\xd0" + (500_004).to_bytes(4, "big") + (500_000).to_bytes(4, "big") + b"\x40" * 500_000
    with service(worker_memory=str(64 * 2**20)) as client:
        answer = client.post("/v1/decode", json={"protocol": "amqp-1.0", "wire": _text(nulls)})
        assert (answer.status_code, answer.json()["code"]) in ((413, "too_large"), (422, "bad_count"))
        assert client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE}).status_code == 200


def test_work_beyond_the_time_limit_is_refused(impatient: Client) -> None:
    answer = impatient.post("/v1/decode", json={"protocol": "pulsar", "wire": _pulsar_bomb(90_000, 8)})
    assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
    assert "MQCONVERT_WORK_TIMEOUT" in answer.json()["detail"]
    lines = "\n".join(
        json.dumps({"id": i, "wire": wire})
        for i, wire in enumerate([_pulsar_bomb(1), _pulsar_bomb(90_000, 8), _pulsar_bomb(1)])
    )
    params = {"from": "pulsar", "to": "mqtt-5.0", "address": "t"}
    answer = impatient.post("/v1/convert/batch", params=params, content=lines)
    assert [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()] == [None, "too_large", None]

"""Tokens, limits and timeouts before every route, and a log without message content."""

import asyncio
import base64
import json
import re
import socket
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.exceptions import HTTPException

from mqconvert.app.http.guard import STALLED, Hold, Limits
from mqconvert.app.http.metrics import Metrics
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from tests.app.http.bombs import zeros
from tests.app.http.inside import REQUEST, in_process
from tests.app.services import BATCH, CONVERT, HEAD, LINE, SERVICE, WHOLE, Client, chunk, get, in_flight, poll, running

pytestmark = SERVICE


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


def test_unread_responses_are_cut_off(tmp_path: Path) -> None:
    """Five responses of 11 MB: the memory held for them is bounded and released."""
    wire = zeros(4 * 2**20)["pulsar"]
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


def test_request_ids_are_accepted_or_generated(client: Client) -> None:
    assert client.get("/healthz", headers={"x-request-id": "abc-1"}).headers["x-request-id"] == "abc-1"
    for bad in ("x" * 65, "a b", "a\tb"):
        given = client.get("/healthz", headers={"x-request-id": bad}).headers["x-request-id"]
        assert re.fullmatch("[0-9a-f]{16}", given)


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
            connection.sendall(b"GET /v1/protocols HTTP/1.1\r\nhost: localhost\r\nauthorization: " + value + b"\r\n\r\n")
            status = b"HTTP/1.1 401" if value in bad else b"HTTP/1.1 200"
            assert connection.recv(65536).startswith(status), value


SECRET = "s3cret"
BYTES = base64.b64encode(SECRET.encode()).decode()
TOLD = {
    "protocol": "amqp-1.0",
    "message_annotations": [[SECRET, {"type": "string", "value": SECRET}]],
    "body": {"data": [BYTES]},
}
CHOICES = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": SECRET}


def test_logs_and_metrics_cover_every_request_without_content(caplog: pytest.LogCaptureFixture) -> None:
    requests: list[tuple[str, str, dict[str, Any]]] = [
        ("POST", "/v1/convert", {"json": CHOICES | {"message": TOLD}}),
        ("POST", "/v1/convert", {"json": CHOICES | {"message": TOLD, "on_loss": "fail"}}),
        ("POST", "/v1/convert", {"json": CHOICES | {"message": {"protocol": SECRET}}}),
        ("POST", "/v1/convert", {"json": CHOICES | {SECRET: SECRET}}),
        (
            "POST",
            "/v1/convert/batch",
            {"params": CHOICES, "content": json.dumps({"id": SECRET, "message": TOLD}) + f"\n{SECRET}"},
        ),
        ("POST", "/v1/encode", {"json": {"message": TOLD}}),
        ("POST", "/v1/decode", {"json": {"protocol": SECRET, "wire": SECRET}}),
        ("POST", "/v1/frames/{protocol}/decode", {"json": {"wire": BYTES}}),
        ("GET", "/v1/schemas/{protocol}", {}),
        ("GET", "/v1/rules/{source}/{target}", {"params": {"profile": SECRET}}),
        ("GET", "/healthz", {"params": {SECRET: SECRET}}),
    ]
    caplog.set_level("INFO", "mqconvert.access")

    async def ask() -> tuple[list[int], str]:
        async with in_process() as inside:
            paths = [path.format(protocol=SECRET, source=SECRET, target=SECRET) for _, path, _ in requests]
            answers = [
                await inside.request(method, path, **more) for (method, _, more), path in zip(requests, paths, strict=True)
            ]
            await inside.get(f"/{SECRET}")
            return [answer.status_code for answer in answers], (await inside.get("/metrics")).text

    statuses, metrics = asyncio.run(ask())
    assert statuses == [200, 422, 422, 422, 200, 200, 404, 404, 404, 404, 200]
    logged: list[Any] = [record.msg for record in caplog.records if record.name == "mqconvert.access"]
    told = [(method, path, status) for (method, path, _), status in zip(requests, statuses, strict=True)]
    told += [("GET", "other", 404), ("GET", "/metrics", 200)]
    assert [(line["method"], line["path"], line["status"]) for line in logged] == told
    assert all(
        line.keys() == {"client", "id", "method", "path", "status", "seconds"} and line["seconds"] > 0 for line in logged
    )
    for path, status, times in (("/v1/convert", 200, 1.0), ("/v1/convert", 422, 3.0), ("other", 404, 1.0)):
        assert f'mqconvert_request_seconds_count{{path="{path}",status="{status}"}} {times}\n' in metrics
    sums = re.findall(r'^mqconvert_request_seconds_sum\{path="/v1/convert",status="200"\} (.*)$', metrics, re.MULTILINE)
    assert [float(seconds) > 0 for seconds in sums] == [True]
    assert 'mqconvert_losses_total{rule="none",source="amqp-1.0",target="mqtt-5.0"} 2.0' in metrics
    for shown in (caplog.text, metrics):
        assert SECRET not in shown
        assert BYTES not in shown


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_a_body_at_the_limit_is_accepted_and_one_byte_more_is_refused(in_pieces: bool, more: int, status: int) -> None:
    body = json.dumps(REQUEST).encode()

    async def pieces() -> AsyncIterator[bytes]:
        yield body[:10]
        yield body[10:] + b" " * more

    async def ask() -> httpx.Response:
        content = pieces() if in_pieces else body + b" " * more
        async with in_process(Settings(max_body=len(body))) as inside:
            return await inside.post("/v1/convert", content=content, headers={"content-type": "application/json"})

    assert asyncio.run(ask()).status_code == status


def _refusal(settings: Settings, **more: Any) -> Any:
    """Return the refusal of a request by its head."""
    scope = {"type": "http", "method": "POST", "path": "/v1/convert", "headers": [], **more}
    return Limits(create_app(settings), settings, Metrics())._refused(scope)


def test_a_refusal_says_when_to_retry_or_how_to_sign_in() -> None:
    """RFC 9110 sections 10.2.3 and 11.6.1; a browser asks for a password only with the second challenge."""
    crowded = _refusal(Settings(), **{"mqconvert.crowded": True})
    assert (crowded.status_code, crowded.headers["retry-after"], crowded.headers["connection"]) == (429, "1", "close")
    challenges = _refusal(Settings(token="s")).headers.getlist("www-authenticate")
    assert challenges == ["Bearer", 'Basic realm="mqconvert: the token as password", charset="UTF-8"']


def test_a_fast_beginning_does_not_allow_a_long_stop(impatient: Client) -> None:
    """At the minimum rate of 1000 bytes a second, the body would have ten minutes."""
    with socket.create_connection(("127.0.0.1", impatient.port), timeout=20) as stalled:
        stalled.sendall(HEAD + b"content-length: 1000000\r\n\r\n{" + b" " * 600_000)
        assert stalled.recv(100).startswith(b"HTTP/1.1 408")


def test_slow_uploads_end_when_others_need_their_memory() -> None:
    with running(max_held="1000000", min_rate="1000") as (_, port), ExitStack() as stack:
        slow = [stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=20)) for _ in range(3)]
        for one, size in zip(slow, (200_000, 400_000, 300_000), strict=True):
            one.sendall(HEAD + b"content-length: 1000000\r\n\r\n{" + b" " * size)
        in_flight(port, 4)
        time.sleep(2 * STALLED)
        body = CONVERT + b" " * 200_000
        with socket.create_connection(("127.0.0.1", port), timeout=20) as good:
            good.sendall(HEAD + b"content-length: %d\r\n\r\n" % len(body) + body)
            assert good.recv(100).startswith(b"HTTP/1.1 200")
        answer = b"".join(iter(lambda: slow[1].recv(65536), b""))  # the largest
        assert answer.startswith(b"HTTP/1.1 408")
        assert b"MQCONVERT_MAX_HELD" in answer
        in_flight(port, 3)


def test_dropped_bytes_are_free_for_other_requests() -> None:
    settings = Settings()
    limits = Limits(create_app(settings), settings, Metrics())
    first, second = Hold(limits), Hold(limits)
    first.add(settings.max_held)
    with pytest.raises(HTTPException) as caught:
        second.add(1)
    assert caught.value.status_code == 429
    first.drop(settings.max_held)
    second.add(settings.max_held)
    assert (first.mine, second.mine) == (0, settings.max_held)

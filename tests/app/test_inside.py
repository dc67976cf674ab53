"""The service as an object in this process: defects, and threads, which from outside could only be waited for."""

import asyncio
import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest

from mqconvert.app.http import service
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.workers import LARGE
from mqconvert.app.lines import Answer, Options, convert_line

WIRE = "MAYAAXQAaGk="
REQUEST = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
PARAMS = {"from": "mqtt-5.0", "to": "amqp-1.0"}
PADDED = json.dumps({"wire": WIRE}).encode() + b" " * LARGE


def client() -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(create_app(Settings())), base_url="http://inside")


def wrong(*_arguments: Any, **_choices: Any) -> Any:
    raise ValueError("s3cret") from KeyError("s3cret")


def test_a_defect_is_a_problem_and_its_trace_holds_no_values(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(service, "encode", wrong)
    metrics = ""

    async def ask() -> httpx.Response:
        nonlocal metrics
        async with client() as inside:
            message = {"protocol": "mqtt-5.0", "topic_name": "s3cret"}
            answer = await inside.post("/v1/encode", json={"message": message})
            metrics = (await inside.get("/metrics")).text
            return answer

    answer = asyncio.run(ask())
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    assert answer.json()["code"] == "internal"
    assert "s3cret" not in answer.text
    [record] = [record for record in caplog.records if record.name == "mqconvert.errors"]
    logged = json.loads(record.getMessage())
    assert logged["error"] == "ValueError"
    assert logged["trace"][-1].endswith(" wrong")
    assert "s3cret" not in caplog.text + metrics
    assert 'mqconvert_errors_total{code="internal"} 1.0' in metrics
    assert 'mqconvert_request_seconds_count{path="/v1/encode",status="500"} 1.0' in metrics


def test_a_defect_within_a_batch_costs_its_line(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:

    def held(line: bytes, options: Options) -> Iterator[Answer]:
        return wrong() if b"bad" in line else convert_line(line, options)

    monkeypatch.setattr(service, "convert_line", held)

    async def ask() -> httpx.Response:
        lines = [{"id": 1, "wire": WIRE}, {"id": "bad", "wire": WIRE}, {"id": 3, "wire": WIRE}]
        async with client() as inside:
            return await inside.post("/v1/convert/batch", params=PARAMS, content="\n".join(map(json.dumps, lines)))

    found = [json.loads(line) for line in asyncio.run(ask()).text.splitlines()]
    assert [line.get("error", {}).get("code") for line in found] == [None, "internal", None]
    assert "s3cret" not in caplog.text


@pytest.mark.parametrize(
    ("named", "path", "body"),
    [
        ("converter", "/v1/convert", json.dumps(REQUEST).encode() + b" " * LARGE),
        ("decode_all", "/v1/decode", json.dumps({"protocol": "mqtt-5.0", "wire": WIRE}).encode() + b" " * LARGE),
        ("encode", "/v1/encode", b'{"message": {"protocol": "mqtt-5.0", "topic_name": "t"}}' + b" " * LARGE),
        ("decode_frames", "/v1/frames/nsq/decode", b'{"wire": "Tk9QCg=="}' + b" " * LARGE),
        ("encode_frame", "/v1/frames/nsq/encode", b'{"frames": [{"frame": "NOP"}]}' + b" " * LARGE),
        ("convert_line", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0", PADDED),
        ("fidelity", "/v1/fidelity/mqtt-5.0/amqp-1.0", b""),
    ],
)
def test_a_large_request_holds_nobody_up(monkeypatch: pytest.MonkeyPatch, named: str, path: str, body: bytes) -> None:
    """The work of the request waits until /healthz has answered: on the event loop that would be for ever."""
    real: Callable[..., Any] = getattr(service, named)
    begun, answered = threading.Event(), threading.Event()

    def held(*arguments: Any, **choices: Any) -> Any:
        begun.set()
        assert answered.wait(10), "nobody else was answered"
        return real(*arguments, **choices)

    async def ask() -> None:
        async with client() as inside:
            monkeypatch.setattr(service, named, held)
            headers = {"content-type": "application/json"}
            large = asyncio.create_task(inside.request("POST" if body else "GET", path, content=body, headers=headers))
            assert await asyncio.to_thread(begun.wait, 10)
            assert (await inside.get("/healthz")).status_code == 200
            assert not large.done()
            answered.set()
            answer = await large
            assert answer.status_code == 200
            assert "internal" not in answer.text

    asyncio.run(ask())

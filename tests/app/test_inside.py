"""The service as an object in this process: internal errors and threads, which are hard to observe from outside."""

import asyncio
import base64
import json
import re
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from mqconvert import encode
from mqconvert.app import lines
from mqconvert.app.http import work
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

WIRE = "MAYAAXQAaGk="
REQUEST = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
PARAMS = {"from": "mqtt-5.0", "to": "amqp-1.0"}


def client(settings: Settings = Settings()) -> httpx.AsyncClient:  # noqa: B008 - it is immutable
    return httpx.AsyncClient(transport=httpx.ASGITransport(create_app(settings)), base_url="http://inside")


def wrong(*_arguments: Any, **_choices: Any) -> Any:
    raise ValueError("s3cret") from KeyError("s3cret")


def test_an_internal_error_is_a_problem_without_values_in_its_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(work, "encode", wrong)
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
    assert isinstance(record.msg, dict)
    logged = record.msg
    assert logged["error"] == "ValueError"
    assert logged["trace"][-1].endswith(" wrong")
    assert "s3cret" not in caplog.text + metrics
    assert 'mqconvert_errors_total{code="internal"} 1.0' in metrics
    assert 'mqconvert_request_seconds_count{path="/v1/encode",status="500"} 1.0' in metrics


def test_an_internal_error_in_a_batch_costs_its_line(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def defective(message: Any) -> bytes:
        return wrong() if message.payload == b"bad" else encode(message)

    monkeypatch.setattr(lines, "encode", defective)

    async def ask() -> httpx.Response:
        bad = {"topic_name": "t", "payload": base64.b64encode(b"bad").decode()}
        params = PARAMS | {"to": "mqtt-3.1.1"}
        given = [{"id": 1, "wire": WIRE}, {"id": "bad", "message": bad}, {"id": 3, "wire": WIRE}]
        async with client() as inside:
            return await inside.post("/v1/convert/batch", params=params, content="\n".join(map(json.dumps, given)))

    found = [json.loads(line) for line in asyncio.run(ask()).text.splitlines()]
    assert [line.get("error", {}).get("code") for line in found] == [None, "internal", None]
    assert "s3cret" not in caplog.text


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
        async with client() as inside:
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


def test_pages_are_the_same_on_every_request() -> None:
    async def ask() -> list[str]:
        async with client() as inside:
            return [(await inside.get(path)).text for path in ("/", "/docs") * 2]

    first, second, *again = asyncio.run(ask())
    assert again == [first, second]
    assert not re.search(r"""(src|href)=["']?(https?:)?//""", first + second)


def test_overlays_are_a_setting_of_the_server(tmp_path: Path) -> None:
    """A row of an overlay acts in conversions, batches and forecasts and is listed, but only with the setting."""
    overlay = tmp_path / "mine.toml"
    row = '{ id = "mine", before = "user-property-x", from = "user_properties[mine]", to = "properties.subject" }'
    given = {"message": {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": [["mine", "v"]]}}
    overlay.write_text(f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n{row},\n]\n')

    async def ask(settings: Settings) -> dict[str, Any]:
        async with client(settings) as inside:
            converted = (await inside.post("/v1/convert", json=PARAMS | given)).json()
            batch = (await inside.post("/v1/convert/batch", params=PARAMS, json=given)).json()
            tables = (await inside.get("/v1/rules")).json()
            table = (await inside.get("/v1/rules/mqtt-5.0/amqp-1.0")).json()
            forecast = (await inside.get("/v1/fidelity/mqtt-5.0/amqp-1.0")).json()
        return {
            "convert": "mine" in [entry["rule"] for entry in converted["report"]["applied"]],
            "batch": "mine" in [entry["rule"] for entry in batch["report"]["applied"]],
            "tables": next(one["hash"] for one in tables if (one["from"], one["to"]) == ("mqtt-5.0", "amqp-1.0"))
            == converted["report"]["hash"],
            "table": "mine" in [one["id"] for one in table["rules"]] and table["hash"] == converted["report"]["hash"],
            "forecast": any("mine" in outcome["rules"] for outcome in forecast["outcomes"]),
        }

    places = ("convert", "batch", "table", "forecast")
    assert asyncio.run(ask(Settings(rules=(str(overlay),)))) == dict.fromkeys(places, True) | {"tables": True}
    assert asyncio.run(ask(Settings())) == dict.fromkeys(places, False) | {"tables": True}


@pytest.mark.parametrize("in_pieces", [False, True])
@pytest.mark.parametrize(("more", "status"), [(0, 200), (1, 413)])
def test_a_body_at_the_limit_is_accepted_and_one_byte_more_is_refused(in_pieces: bool, more: int, status: int) -> None:
    body = json.dumps(REQUEST).encode()

    async def pieces() -> AsyncIterator[bytes]:
        yield body[:10]
        yield body[10:] + b" " * more

    async def ask() -> httpx.Response:
        content = pieces() if in_pieces else body + b" " * more
        async with client(Settings(max_body=len(body))) as inside:
            return await inside.post("/v1/convert", content=content, headers={"content-type": "application/json"})

    assert asyncio.run(ask()).status_code == status


def test_lines_and_messages_at_the_limit_are_accepted_and_more_are_refused() -> None:
    line = json.dumps({"wire": WIRE}).encode()
    lines = b"\n".join((line, line + b" ", b"", line, line))

    async def ask(size: int) -> list[str | None]:
        async def pieces() -> AsyncIterator[bytes]:
            for at in range(0, len(lines), size):
                yield lines[at : at + size]

        async with client(Settings(max_line=len(line), max_messages=3)) as inside:
            answer = await inside.post("/v1/convert/batch", params=PARAMS, content=pieces())
        return [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()]

    for size in (1, 7, len(line), len(line) + 1, len(lines)):
        assert asyncio.run(ask(size)) == [None, "line_too_long", None, "too_many"], size

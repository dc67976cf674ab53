"""Every error is a problem response with its status and code."""

import asyncio
import json
from typing import Any

import httpx
import pytest

import mqconvert
from tests.app.http.inside import in_process, wrong
from tests.app.services import SERVICE, WIRE, Client

pytestmark = SERVICE


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/v1/convert", {"from": "stomp", "to": "amqp-1.0", "wire": WIRE}, 404, "unknown_protocol"),
        ("/v1/convert", {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": "!"}, 422, "bad_base64"),
        ("/v1/convert", {"from": "mqtt-5.0", "to": "amqp-1.0"}, 422, "bad_request"),
        ("/v1/convert", {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE, "rules": []}, 422, "bad_request"),
        ("/v1/decode", {"protocol": "mqtt-5.0", "wire": ""}, 422, "truncated"),
        ("/v1/encode", {"message": {"protocol": "mqtt-5.0"}}, 422, "bad_topic"),
        ("/v1/nothing", {}, 404, "not_found"),
    ],
)
def test_errors_are_problem_responses_with_their_code(
    client: Client, path: str, body: dict[str, Any], status: int, code: str
) -> None:
    answer = client.post(path, json=body)
    assert (answer.status_code, answer.headers["content-type"]) == (status, "application/problem+json")
    assert answer.json()["code"] == code


def test_http_errors_have_their_own_status_and_code(client: Client) -> None:
    answer = client.get("/v1/convert")
    assert (answer.status_code, answer.headers["allow"], answer.json()["code"]) == (405, "POST", "method_not_allowed")
    assert answer.json()["detail"] == "'/v1/convert' takes POST, not 'GET'"
    assert client.delete("/v1/protocols").json()["detail"] == "'/v1/protocols' takes GET, not 'DELETE'"
    json_type = {"content-type": "application/json"}
    answer = client.post("/v1/convert", content=b'{"from": }', headers=json_type)
    assert (answer.status_code, answer.json()["code"], answer.json()["offset"]) == (400, "bad_json", 9)
    for no_json in (b"[" * 100_000, b'{"from": "\xff"}', b"1" * 10_000):
        answer = client.post("/v1/convert", content=no_json, headers=json_type)
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_json"), no_json[:20]
    answer = client.post("/v1/convert", content=b'{"from": "mqtt-5.0"}')
    assert (answer.status_code, "application/json" in answer.json()["detail"]) == (415, True)
    answer = client.post("/v1/convert", headers=json_type)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_json")
    answer = client.post("/v1/convert", headers=json_type, content=b"[]")
    assert (answer.status_code, "expected a JSON object as body" in answer.json()["detail"]) == (422, True)
    answer = client.post("/v1/convert", content=json.dumps({"from": "x", "to": "y", "\ud800": 1}), headers=json_type)
    assert (answer.status_code, answer.json()["code"], answer.json().get("field")) == (422, "bad_request", None)
    answer = client.post("/v1/convert?profile=rabbitmq-4.0", json={"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")
    assert client.post("/v1/convert/", json={}).status_code == 404
    answer = client.post("/v1/convert/batch", params={"from": "mqtt-5.0", "to": "amqp-1.0", "bogus": "1"}, content=b"")
    assert (answer.status_code, answer.json()["field"]) == (422, "bogus")


def test_an_internal_error_is_a_problem_without_values_in_its_trace(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(mqconvert, "encode", wrong)
    metrics = ""

    async def ask() -> httpx.Response:
        nonlocal metrics
        async with in_process() as inside:
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

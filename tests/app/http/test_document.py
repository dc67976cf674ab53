"""openapi.json is checked against real responses of every route, successes and problems."""

import asyncio
import json
import subprocess
import sys
from http import HTTPStatus
from importlib.metadata import version
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.openapi.models import OpenAPI
from jsonschema import Draft202012Validator

import mqconvert
from mqconvert import PROTOCOLS, json_schema
from mqconvert.app.http.document import PROBLEMS, ROUTES
from mqconvert.app.http.pool import Pool
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings

WIRE = "MAYAAXQAaGk="
TWICE = "MAYAAXQAaGkwBgABdABoaQ=="
LOSSY = {
    "protocol": "amqp-1.0",
    "properties": {"user_id": "dQ=="},
    "message_annotations": [["y", {"type": "string", "value": "v"}]],
    "application_properties": [["k", {"type": "int", "value": 1}]],
    "body": {"value": {"type": "null", "value": None}},
}
ONE = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
LOST = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "message": LOSSY}
MQTT = {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": [["k", "v"]]}
NSQ = {"protocol": "nsq", "topic": "t", "body": "aGk="}
LINES = [{"id": [1], "wire": WIRE}, {"wire": TWICE}, {"wire": "!"}, {"id": None, "message": MQTT}]

POSTS: list[tuple[str, str, Any, int]] = [
    ("/v1/convert", "", ONE, 200),
    ("/v1/convert", "", ONE | {"to": "pulsar", "fields": ["report"]}, 200),
    ("/v1/convert", "", LOST, 200),
    ("/v1/convert", "", LOST | {"on_loss": "fail"}, 422),
    ("/v1/convert", "", ONE | {"wire": "AAAA"}, 422),
    ("/v1/convert", "", ONE | {"to": "stomp"}, 404),
    ("/v1/explain", "", ONE, 200),
    ("/v1/explain", "", LOST | {"redact": True, "options": {}}, 200),
    ("/v1/explain", "", LOST | {"on_loss": "fail"}, 422),
    ("/v1/explain", "", ONE | {"to": "stomp"}, 404),
    ("/v1/encode/batch", "", {"messages": [NSQ, NSQ]}, 200),
    ("/v1/encode/batch", "", {"messages": []}, 422),
    ("/v1/encode/batch", "", {"messages": [NSQ, MQTT]}, 422),
    ("/v1/encode/batch", "", {"messages": [MQTT]}, 404),
    ("/v1/decode", "", {"protocol": "mqtt-5.0", "wire": TWICE}, 200),
    ("/v1/decode", "", {"protocol": "mqtt-5.0", "wire": "MAYAAXQAaGk=", "spans": True}, 200),
    ("/v1/decode", "", {"protocol": "mqtt-5.0", "wire": ""}, 422),
    ("/v1/decode", "", {"protocol": "stomp", "wire": ""}, 404),
    *(
        (path, asked or path, body, status)
        for path, asked in (
            ("/v1/convert", ""),
            ("/v1/decode", ""),
            ("/v1/encode", ""),
            ("/v1/encode/batch", ""),
            ("/v1/explain", ""),
            ("/v1/recognize", ""),
            ("/v1/frames/{protocol}/decode", "/v1/frames/nsq/decode"),
            ("/v1/frames/{protocol}/encode", "/v1/frames/nsq/encode"),
        )
        for body, status in (("{", 400), ([], 415))
    ),
    ("/v1/recognize", "", {"wire": "MAYAAXQAaGk="}, 200),
    ("/v1/recognize", "", {"wire": "!"}, 422),
    ("/v1/encode", "", {"message": MQTT}, 200),
    ("/v1/encode", "", {"message": {"protocol": "stomp"}}, 422),
    ("/v1/encode", "", {"message": MQTT | {"qos": "x"}}, 422),
    ("/v1/frames/{protocol}/decode", "/v1/frames/nsq/decode", {"wire": "Tk9QCg=="}, 200),
    ("/v1/frames/{protocol}/decode", "/v1/frames/nsq/decode", {"wire": "Tk9Q"}, 422),
    ("/v1/frames/{protocol}/decode", "/v1/frames/mqtt-5.0/decode", {"wire": "Tk9Q"}, 404),
    ("/v1/frames/{protocol}/encode", "/v1/frames/nsq/encode", {"frames": [{"frame": "NOP"}]}, 200),
    ("/v1/frames/{protocol}/encode", "/v1/frames/nsq/encode", {"frames": [1]}, 422),
    ("/v1/frames/{protocol}/encode", "/v1/frames/nsq/encode", {"frames": []}, 422),
    ("/v1/frames/{protocol}/encode", "/v1/frames/mqtt-5.0/encode", {"frames": [{}]}, 404),
    ("/v1/convert/batch", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0&fields=wire,message,report", LINES, 200),
    ("/v1/convert/batch", "/v1/convert/batch?from=mqtt-5.0&to=stomp", LINES, 404),
    ("/v1/convert/batch", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0&bogus=1", LINES, 422),
    ("/v1/convert/batch", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0&to=nsq", LINES, 422),
    ("/v1/convert/batch", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0&rules=", LINES, 422),
    ("/v1/convert", "", ONE | {"rules": ""}, 403),
    ("/v1/explain", "", ONE | {"rules": ""}, 403),
]
GETS: list[tuple[str, str, int]] = [
    ("/v1/protocols", "", 200),
    ("/v1/protocols", "/v1/protocols?profile=preserve", 422),
    ("/v1/routes", "", 200),
    ("/v1/routes", "/v1/routes?profile=preserve", 422),
    ("/v1/rules", "", 200),
    ("/v1/rules", "/v1/rules?profile=none", 404),
    ("/v1/rules", "/v1/rules?profil=rabbitmq-4.0", 422),
    ("/v1/rules", "/v1/rules?profile=documented&profile=preserve", 422),
    ("/v1/rules/{source}/{target}", "/v1/rules/amqp-1.0/mqtt-5.0", 200),
    ("/v1/rules/{source}/{target}", "/v1/rules/stomp/mqtt-5.0", 404),
    ("/v1/rules/{source}/{target}", "/v1/rules/amqp-1.0/mqtt-5.0?back=true", 422),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/amqp-0.9.1?back=true", 200),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/nsq?payload=envelope", 200),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/nsq?payload=letter", 422),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/amqp-0.9.1?back=perhaps", 422),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/amqp-0.9.1?rules=preserve", 422),
    ("/v1/fidelity/{source}/{target}", "/v1/fidelity/mqtt-5.0/stomp", 404),
    *(("/v1/schemas/{protocol}", f"/v1/schemas/{protocol}", 200) for protocol in PROTOCOLS),
    ("/v1/schemas/{protocol}", "/v1/schemas/stomp", 404),
    ("/v1/schemas/{protocol}", "/v1/schemas/nsq?profile=preserve", 422),
    ("/v1/samples", "", 200),
    ("/v1/samples", "/v1/samples?profile=preserve", 422),
    ("/v1/samples/{source}/{target}", "/v1/samples/mqtt-5.0/amqp-1.0", 200),
    ("/v1/samples/{source}/{target}", "/v1/samples/mqtt-5.0/stomp", 404),
    ("/v1/samples/{source}/{target}", "/v1/samples/mqtt-5.0/amqp-1.0?back=true", 422),
    ("/healthz", "", 200),
    ("/readyz", "", 200),
    ("/metrics", "", 200),
]
DOCUMENT = create_app(Settings()).openapi()


def _ask(method: str, path: str, body: Any = None, **settings: Any) -> httpx.Response:
    async def asked() -> httpx.Response:
        chosen = Settings(**settings)
        workers = None if chosen.concurrency else Pool(chosen, 1, 0)  # a pool that accepts no job
        transport = httpx.ASGITransport(create_app(chosen, workers, workers))
        async with httpx.AsyncClient(transport=transport, base_url="http://inside") as client:
            content = "\n".join(map(json.dumps, body)) if isinstance(body, list) else body
            content = json.dumps(body) if isinstance(body, dict) else content
            kind = "application/x-ndjson" if isinstance(body, list) else "application/json"
            return await client.request(method, path, content=content, headers={"content-type": kind})

    return asyncio.run(asked())


def _check(answer: httpx.Response, path: str, status: int) -> None:
    """Assert that the answer has that status, and the media type and form of the document."""
    assert answer.status_code == status, answer.text
    operation = DOCUMENT["paths"][path][answer.request.method.lower()]
    said = operation["responses"].get(str(status), operation["responses"]["default"])
    if "$ref" in said:
        said = DOCUMENT["components"]["responses"][said["$ref"].rpartition("/")[2]]
    assert {name.lower() for name in said.get("headers", {})} <= answer.headers.keys()
    media_type = answer.headers["content-type"].partition(";")[0]
    schema = said["content"][media_type]["schema"] | {"components": DOCUMENT["components"]}
    if media_type == "application/x-ndjson":
        found = [json.loads(line) for line in answer.text.splitlines()]
    else:
        found = [answer.text if media_type == "text/plain" else answer.json()]
    if media_type == "application/problem+json":
        assert found[0]["title"] == HTTPStatus(status).phrase  # RFC 9457 section 4.2.1
    for one in found:
        Draft202012Validator(schema).validate(one)
        if isinstance(one, dict) and "message" in one:
            Draft202012Validator(json_schema(one["message"]["protocol"])).validate(one["message"])


@pytest.mark.parametrize(("path", "asked", "body", "status"), POSTS)
def test_responses_to_post_match_the_document(path: str, asked: str, body: Any, status: int) -> None:
    answer = _ask("POST", asked or path, body)
    _check(answer, path, status)
    if path == "/v1/convert/batch" and status == 200:
        assert [sorted(json.loads(line)) for line in answer.text.splitlines()] == [
            ["id", "message", "report", "wire"],
            *[["index", "message", "report", "wire"]] * 2,
            ["error"],
            ["id", "message", "report", "wire"],
        ]


@pytest.mark.parametrize(("path", "asked", "status"), GETS)
def test_responses_to_get_match_the_document(path: str, asked: str, status: int) -> None:
    _check(_ask("GET", asked or path), path, status)


def test_the_cases_cover_every_documented_response() -> None:
    seen = {(path, str(status)) for path, *_, status in (*POSTS, *GETS)}
    told = {
        (path, status)
        for path, operations in DOCUMENT["paths"].items()
        for operation in operations.values()
        for status in operation["responses"]
    }
    assert seen <= told
    anywhere = {"304", "401", "408", "413", "415", "429", "500", "501", "503", "default"}
    assert {(path, status) for path, status in told - seen if status not in anywhere} == set()


@pytest.mark.parametrize("path", ["/v1/convert", "/v1/convert/batch", "/v1/protocols", "/metrics"])
def test_unauthorized_busy_and_method_errors_match_the_document(path: str) -> None:
    method = "POST" if "convert" in path else "GET"
    _check(_ask(method, path, token="t"), path, 401)
    busy = {"/v1/convert": ONE, "/v1/convert/batch": LINES, "/v1/protocols": None}
    if path in busy:
        query = "?from=mqtt-5.0&to=amqp-1.0" if "batch" in path else ""
        _check(_ask(method, path + query, busy[path], concurrency=0), path, 429)
    wrong = _ask("PUT", path)
    assert (wrong.status_code, wrong.headers["allow"]) == (405, method)
    schema = {"$ref": "#/components/schemas/Problem", "components": DOCUMENT["components"]}
    for answer in (wrong, _ask("GET", "/nothing")):
        assert answer.headers["content-type"] == "application/problem+json"
        Draft202012Validator(schema).validate(answer.json())


def test_the_response_to_a_large_body_matches_the_document() -> None:
    for path in ("/v1/convert", "/v1/explain", "/v1/decode", "/v1/encode", "/v1/encode/batch"):
        _check(_ask("POST", path, ONE, max_body=10), path, 413)


def test_the_response_to_an_internal_error_matches_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mqconvert, "rule_tables", None)
    _check(_ask("GET", "/v1/rules"), "/v1/rules", 500)


def test_the_response_to_a_missing_package_matches_the_document(without_packages: Path) -> None:
    program = (
        "import sys; sys.path.insert(0, sys.argv.pop()); from tests.app.http.test_document import _ask, _check\n"
        "body = {'from': 'mqtt-5.0', 'to': 'pulsar', 'wire': 'MAYAAXQAaGk='}\n"
        "_check(_ask('POST', '/v1/convert', body), '/v1/convert', 501)"
    )
    subprocess.run([sys.executable, "-c", program, str(without_packages)], check=True, timeout=60)


def test_the_document_is_valid_openapi() -> None:
    OpenAPI.model_validate(DOCUMENT)
    assert DOCUMENT["info"]["version"] == version("mqconvert")
    assert DOCUMENT["components"]["securitySchemes"]["bearer"]["scheme"] == "bearer"
    assert DOCUMENT["components"]["responses"].keys() == {*map(str, PROBLEMS), "problem"}
    assert DOCUMENT["info"]["license"] == {"name": "Apache-2.0", "identifier": "Apache-2.0"}
    operations = [operation for path in DOCUMENT["paths"].values() for operation in path.values()]
    assert len({operation["operationId"] for operation in operations}) == len(operations) == len(ROUTES)
    assert {tag for operation in operations for tag in operation["tags"]} == {tag["name"] for tag in DOCUMENT["tags"]}
    assert [operation["summary"] for operation in operations if "\n" in operation["summary"]] == []
    assert DOCUMENT["paths"]["/v1/explain"]["post"]["description"].startswith("A result that cannot be encoded")
    text = json.dumps(DOCUMENT)
    assert "HTTPValidationError" not in text
    assert "x-ref" not in text
    [body] = DOCUMENT["paths"]["/v1/convert/batch"]["post"]["requestBody"]["content"].values()
    schema = body["schema"] | {"components": DOCUMENT["components"]}
    for line in (*LINES, body["example"]):
        assert Draft202012Validator(schema).is_valid(line) is (line.get("wire") != "!")
    answer = _ask("POST", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0", [body["example"]])
    assert answer.json()["wire"]


@pytest.mark.parametrize(
    ("body", "valid"),
    [
        (ONE, True),
        (ONE | {"message": MQTT}, False),
        ({"from": "mqtt-5.0", "to": "amqp-1.0"}, False),
        ({"from": "mqtt-5.0", "to": "amqp-1.0", "message": MQTT}, True),
        ({"from": "mqtt-5.0", "to": "amqp-1.0", "message": {"topic_name": "t"}}, True),
        ({"from": "mqtt-5.0", "to": "amqp-1.0", "message": MQTT | {"qos": "x"}}, False),
        (ONE | {"to": "stomp"}, False),
        (ONE | {"profile": "none"}, False),
        (ONE | {"frame": "none"}, False),
        (ONE | {"wire": "!"}, False),
        (ONE | {"wire": None}, False),
        (ONE | {"escape": 0}, False),
        (ONE | {"address": None}, True),
        (ONE | {"clock": 5.0}, True),
        (ONE | {"clock": "5"}, False),
        (ONE | {"clock": True}, False),
    ],
)
def test_the_request_schema_accepts_the_bodies_that_the_service_accepts(body: Any, valid: bool) -> None:
    schema = {"$ref": "#/components/schemas/ConvertRequest", "components": DOCUMENT["components"]}
    assert Draft202012Validator(schema).is_valid(body) is valid
    assert (_ask("POST", "/v1/convert", body).status_code == 200) is valid

"""The service over a real socket: a separate uvicorn process, ended by its process id."""

import base64
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from mqconvert import PROTOCOLS, encode, encode_batch, json_schema, message_to_json
from mqconvert.app.http.openapi import documents
from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.app.services import SERVICE, WIRE, Client, service
from tests.corpus import lines
from tests.vectors import vectors

pytestmark = SERVICE

PUBLISH = bytes.fromhex("3006000174006869")
REPOSITORY = Path(__file__).parents[2]


def test_convert_returns_wire_and_report(client: Client) -> None:
    answer = client.post("/v1/convert", json={"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE})
    assert answer.status_code == 200
    assert base64.b64decode(answer.json()["wire"]).hex() == "005370c0020142005375a0026869"
    assert answer.json()["report"]["applied"][0]["rule"] == "qos"


def test_examples_of_the_document_run(client: Client) -> None:
    document = client.get("/openapi.json").json()
    ran = 0
    for path, methods in document["paths"].items():
        body = methods.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if body is None:
            continue
        name = body["schema"]["$ref"].rpartition("/")[2]
        in_path = {part["name"]: part["schema"]["examples"][0] for part in methods["post"].get("parameters", ())}
        for example in document["components"]["schemas"][name]["examples"]:
            assert client.post(path.format(**in_path), json=example).status_code == 200
            ran += 1
    assert ran == 8


@pytest.mark.parametrize("protocol", ["nsq", "phpmq"])
def test_frames_round_trip(client: Client, protocol: str) -> None:
    """The frames come from real clients and servers, control frames too. Non-canonical ones are written in canonical form."""
    changed = 0
    for vector in vectors(protocol):
        if {"malformed", "name", "header", "packet_header", "compressed_stream"} & set(vector["tags"]):
            continue
        given = base64.b64encode(vector["wire"]).decode()
        shown = client.post(f"/v1/frames/{protocol}/decode", json={"wire": given})
        assert shown.status_code == 200, vector["id"]
        built = client.post(f"/v1/frames/{protocol}/encode", json=shown.json())
        assert built.status_code == 200, vector["id"]
        changed += built.json()["wire"] != given
    assert changed == {"nsq": 0, "phpmq": 2}[protocol]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("nsq/decode", {"wire": base64.b64encode(b"NOPE\n").decode()}, 422, "invalid_command"),
        ("nsq/decode", {"wire": "Tk9QCg==", "options": {"direction": "up"}}, 422, "bad_option"),
        ("nsq/decode", {"wire": "Tk9QCg==", "options": {"max_decompressed": 2**40}}, 422, "bad_option"),
        ("nsq/decode", {"wire": "Tk9QCg==", "options": {"colour": "red"}}, 422, "bad_option"),
        ("nsq/encode", {"frames": [{"frame": "SUB", "topic": "t", "channel": "c$"}]}, 422, "bad_value"),
        ("mqtt-5.0/decode", {"wire": WIRE}, 404, "no_frames"),
        ("stomp/decode", {"wire": WIRE}, 404, "unknown_protocol"),
    ],
)
def test_frame_routes_report_problems(client: Client, path: str, body: dict[str, Any], status: int, code: str) -> None:
    answer = client.post(f"/v1/frames/{path}", json=body)
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_committed_documents_are_current() -> None:
    folder = REPOSITORY / "openapi"
    assert {file.relative_to(folder).as_posix(): file.read_text() for file in folder.rglob("*.json")} == documents()


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_schema_route_returns_the_schema_of_the_library(client: Client, protocol: str) -> None:
    answer = client.get(f"/v1/schemas/{protocol}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/schema+json")
    assert answer.json() == json_schema(protocol)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/schemas/stomp", "unknown_protocol"),
        ("/v1/rules/stomp/amqp-1.0", "no_route"),
        ("/v1/rules?profile=none", "unknown_profile"),
        ("/v1/fidelity/amqp-1.0/stomp", "unknown_protocol"),
        ("/nothing", "not_found"),
    ],
)
def test_unknown_names_are_problems(client: Client, path: str, code: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
    assert answer.json()["code"] == code


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


def test_batch_streams_and_reports_bad_lines(client: Client) -> None:
    given = [{"id": 1, "wire": WIRE}, {"id": 2, "wire": "!"}, {"id": 3, "wire": base64.b64encode(PUBLISH * 2).decode()}]

    def pieces() -> Iterator[bytes]:
        for line in given:
            raw = json.dumps(line).encode()
            yield raw[:7]
            yield raw[7:] + b"\n"

    answer = client.post("/v1/convert/batch", params={"from": "mqtt-5.0", "to": "amqp-1.0"}, content=pieces())
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [(line["id"], line.get("index"), "error" in line) for line in found] == [
        (1, None, False),
        (2, None, True),
        (3, 0, False),
        (3, 1, False),
    ]


def test_a_line_with_values_outside_json_is_one_error_line(client: Client) -> None:
    wrong = ('{"id": NaN, "wire": "%s"}', '{"id": 1e999, "wire": "%s"}', '{"wire": "%s", "message": -Infinity}')
    given = "".join(f"{json.dumps({'id': 1, 'wire': WIRE})}\n{line % WIRE}\n" for line in wrong)
    answer = client.post("/v1/convert/batch", params={"from": "mqtt-5.0", "to": "amqp-1.0"}, content=given.encode())
    found = [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()]
    assert found == [None, "bad_json"] * 3


def test_losses_are_counted_for_every_choice_of_members(client: Client) -> None:
    lossy = {"message": {"protocol": "amqp-1.0", "message_annotations": [["y", {"type": "string", "value": "v"}]]}}
    counted = re.compile(r'^mqconvert_losses_total\{rule="none",source="amqp-1.0",target="mqtt-5.0"\} (.*)$', re.MULTILINE)

    def losses() -> float:
        return sum(map(float, counted.findall(client.get("/metrics").text)))

    before = losses()
    params = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "fields": "wire"}
    answer = client.post("/v1/convert/batch", params=params, content=json.dumps(lossy).encode())
    assert (answer.status_code, set(answer.json())) == (200, {"wire"})
    assert losses() > before


def test_http_errors_have_their_own_status_and_code(client: Client) -> None:
    answer = client.get("/v1/convert")
    assert (answer.status_code, answer.headers["allow"], answer.json()["code"]) == (405, "POST", "method_not_allowed")
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


@pytest.mark.parametrize(
    ("asked", "members"),
    [
        ([], {"wire", "report"}),
        (["wire"], {"wire"}),
        (["wire,report"], {"wire", "report"}),
        (["report", "message"], {"message", "report"}),
    ],
)
def test_batch_returns_the_requested_members(client: Client, asked: list[str], members: set[str]) -> None:
    params = {"from": "mqtt-5.0", "to": "amqp-1.0", "fields": asked}
    answer = client.post("/v1/convert/batch", params=params, content=json.dumps({"wire": WIRE}).encode())
    assert set(answer.json()) == members
    answer = client.post("/v1/convert/batch", params={**params, "fields": "wire;report"}, content=b"")
    assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


def test_samples_are_recognized_as_their_protocol(client: Client) -> None:
    samples = client.get("/v1/samples").json()
    assert {sample["message"]["protocol"] for sample in samples} == {*PROTOCOLS}
    for sample in samples:
        told = client.post("/v1/recognize", json={"wire": sample["wire"]}).json()["protocols"]
        assert told[0] == sample["message"]["protocol"]
        asked = {"protocol": told[0], "wire": sample["wire"]}
        assert client.post("/v1/decode", json=asked).json() == {"messages": [sample["message"]]}
    assert client.post("/v1/recognize", json={"wire": "aGVsbG8="}).json() == {"protocols": []}


def test_row_samples_fire_their_rows(client: Client) -> None:
    samples = client.get("/v1/samples/mqtt-5.0/amqp-1.0").json()
    assert {"qos", "retain", "message-expiry-interval"} <= samples.keys()
    for row, message in samples.items():
        asked = {"from": "mqtt-5.0", "to": "amqp-1.0", "message": message, "fields": ["report"]}
        report = client.post("/v1/convert", json=asked).json()["report"]
        entries = [entry for kind in ("applied", "dropped", "lost", "accounted") for entry in report[kind]]
        assert row in {name for entry in entries for name in (entry.get("rule"), entry.get("type_rule"))}


@pytest.mark.parametrize("path", ["/", "/rules", "/fidelity", "/docs"])
def test_pages_have_a_strict_policy_and_load_existing_files(client: Client, path: str) -> None:
    page = client.get(path)
    policy = page.headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    loaded = re.findall(r'(?:src|href)="(web/[^"]+)"|: "./(web/[^"]+)"', page.text)
    assert len(loaded) > 5
    for name in (one or other for one, other in loaded):
        answer = client.get(f"/{name}")
        assert answer.status_code == 200, name
        assert client.get(f"/{name}", headers={"if-none-match": answer.headers["etag"]}).status_code == 304
    assert client.get("/web/__init__.py").status_code == 404
    assert client.get("/web/../service.py").status_code == 404


def test_http_gives_the_answers_of_the_corpus(client: Client) -> None:
    cases = [case for case in lines("mqtt5_to_amqp10") if "page:same" in case["tags"]][:200]
    body = "\n".join(
        json.dumps({"id": case["id"], "wire": base64.b64encode(bytes.fromhex(case["input"]["wire"])).decode()})
        for case in cases
    )
    params = {"from": "mqtt-5.0", "to": "amqp-1.0", "fields": "wire"}
    answer = client.post("/v1/convert/batch", params=params, content=body.encode())
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [line["id"] for line in found] == [case["id"] for case in cases]
    assert sum("wire" in line for line in found) > 150


@pytest.mark.parametrize(
    "path",
    [
        "/v1/protocols",
        "/v1/routes",
        "/v1/rules",
        "/v1/rules/mqtt-5.0/amqp-1.0",
        "/v1/fidelity/mqtt-5.0/amqp-1.0?back=true",
        "/healthz",
        "/readyz",
        "/metrics",
        "/",
    ],
)
def test_get_routes_respond(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 200
    assert answer.content


@pytest.mark.parametrize("path", ["/healthz", "/readyz", "/", "/docs", "/metrics", "/v1/rules/mqtt-5.0/amqp-1.0"])
def test_head_is_get_without_a_body(client: Client, path: str) -> None:
    got, head = client.get(path), client.head(path)
    assert (head.status_code, head.content, head.headers["content-type"]) == (200, b"", got.headers["content-type"])
    assert client.head("/v1/convert").status_code == 405
    assert client.head("/nothing").status_code == 404


def test_metrics_count_conversions(client: Client) -> None:
    counted = re.compile(r'^mqconvert_conversions_total\{source="mqtt-3.1.1",target="mqtt-5.0"\} (.*)$', re.MULTILINE)

    def conversions() -> float:
        return sum(map(float, counted.findall(client.get("/metrics").text)))

    before = conversions()
    wire = base64.b64encode(b"0\x05\0\x01thi").decode()
    client.post("/v1/convert", json={"from": "mqtt-3.1.1", "to": "mqtt-5.0", "wire": wire})
    assert conversions() == before + 1


def test_errors_of_every_layer_are_counted_by_code(guarded: Client) -> None:
    """The library, the models, the framework, the limits and the lines of a batch each count their errors."""

    def counted() -> Counter[str]:
        found = re.findall(r'^mqconvert_errors_total\{code="(\w+)"\} (.*)$', guarded.get("/metrics").text, re.MULTILINE)
        return Counter({code: int(float(count)) for code, count in found})

    guarded.headers["authorization"] = "Bearer t0ken"
    before = counted()
    del guarded.headers["authorization"]
    assert guarded.get("/v1/protocols").status_code == 401
    guarded.headers["authorization"] = "Bearer t0ken"
    ask = {"from": "mqtt-5.0", "to": "amqp-1.0"}
    assert guarded.post("/v1/convert", json=ask | {"wire": "AAAA"}).json()["code"] == "bad_packet"
    assert guarded.post("/v1/convert", json=ask | {"bogus": 1}).json()["code"] == "bad_request"
    assert guarded.post("/v1/convert").status_code == 415
    assert guarded.post("/v1/convert", content=b"{", headers={"content-type": "application/json"}).status_code == 400
    assert guarded.get("/nothing").status_code == 404
    assert guarded.get("/v1/convert").status_code == 405
    assert guarded.post("/v1/convert", json=ask | {"wire": "A" * 300}).status_code == 413
    body = "\n".join(json.dumps({"wire": wire}) for wire in ("AAAA", WIRE, WIRE))
    guarded.post("/v1/convert/batch", params=ask, content=body.encode())
    assert counted() - before == {
        "unauthorized": 1, "bad_packet": 2, "bad_request": 1, "bad_json": 1, "not_found": 1,
        "method_not_allowed": 1, "too_large": 1, "too_many": 1, "bad_media_type": 1,
    }  # fmt: skip


def test_limits_and_token_are_settings(guarded: Client) -> None:
    assert guarded.get("/healthz").status_code == 200
    refused = guarded.get("/v1/protocols")
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
    guarded.headers["authorization"] = "Bearer t0ken"
    assert guarded.get("/v1/protocols").status_code == 200
    large = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": "A" * 300}
    assert guarded.post("/v1/convert", json=large).status_code == 413
    chunked = guarded.post("/v1/convert", content=iter([b"x" * 150, b"x" * 150]), headers={"content-type": "application/json"})
    assert (chunked.status_code, chunked.json()["code"]) == (413, "too_large")
    body = "\n".join([json.dumps({"wire": "A" * 300}), *[json.dumps({"wire": WIRE})] * 3])
    answer = guarded.post("/v1/convert/batch", params={"from": "mqtt-5.0", "to": "amqp-1.0"}, content=body.encode())
    codes = [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()]
    assert codes == ["line_too_long", None, "too_many"]


def test_limits_of_codecs_are_a_setting() -> None:
    """The limits apply to every route and every protocol that has them. Requests may only lower them."""
    sent = pulsar.Message("t", b"x" * 100, "p", 0, 1, compression="ZLIB")
    small, large = (base64.b64encode(encode(replace(sent, payload=payload))).decode() for payload in (b"x" * 100, b"x" * 101))
    pair = {"from": "pulsar", "to": "amqp-1.0"}
    with service(options="max_decompressed=100  max_frame_size=1000 max_batch=2") as client:
        assert client.post("/v1/convert", json=pair | {"wire": small}).status_code == 200
        assert client.post("/v1/decode", json={"protocol": "pulsar", "wire": small}).status_code == 200
        for path, body in (("convert", pair), ("decode", {"protocol": "pulsar"})):
            refused = client.post(f"/v1/{path}", json=body | {"wire": large})
            assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
        batch = "\n".join(json.dumps({"wire": wire}) for wire in (small, large))
        answer = client.post("/v1/convert/batch", params=pair, content=batch.encode())
        codes = [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()]
        assert codes == [None, "too_large"]

        wide = message_to_json(replace(sent, payload=bytes(1000), compression=None))
        refused = client.post("/v1/encode", json={"message": wide})
        assert (refused.status_code, refused.json()["code"]) == (422, "frame_too_large")
        back = {"from": "amqp-1.0", "to": "pulsar", "message": {"body": {"data": ["A" * 1400]}}, "address": "t"}
        assert client.post("/v1/convert", json=back).json()["code"] == "frame_too_large"
        answer = client.post(
            "/v1/convert/batch",
            params={"from": "amqp-1.0", "to": "pulsar"},
            content=json.dumps({"message": back["message"]}).encode(),
        )
        assert answer.json()["error"]["code"] == "frame_too_large"

        members = encode_batch([replace(sent, compression=None)] * 3)
        refused = client.post("/v1/decode", json={"protocol": "pulsar", "wire": base64.b64encode(members).decode()})
        assert (refused.status_code, refused.json()["code"]) == (413, "too_many")

        frames = "/v1/frames/pulsar/decode"
        shown = client.post(frames, json={"wire": small, "options": {"max_frame_size": 1000}})
        assert shown.status_code == 200
        assert client.post("/v1/frames/pulsar/encode", json=shown.json()).json()["wire"] == small
        refused = client.post(frames, json={"wire": small, "options": {"max_frame_size": 1001}})
        assert (refused.json()["code"], refused.json()["field"]) == ("bad_option", "max_frame_size")
        huge = {"frames": [shown.json()["frames"][0] | {"payload": "A" * 1400}]}
        assert client.post("/v1/frames/pulsar/encode", json=huge).json()["code"] == "frame_too_large"

        packed = base64.b64encode(nsq.compress(b"PUB t\n\0\0\0\x65" + bytes(101), "snappy")).decode()
        refused = client.post("/v1/decode", json={"protocol": "nsq", "wire": packed})
        assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
        assert client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE}).status_code == 200


def test_a_setting_may_raise_a_limit(impatient: Client) -> None:
    wire = base64.b64encode(b"NOP\n").decode()
    for limit, status in ((2**27, 200), (2**27 + 1, 422)):
        request = {"wire": wire, "options": {"max_decompressed": limit}}
        assert impatient.post("/v1/frames/nsq/decode", json=request).status_code == status


def test_a_request_waiting_for_its_client_takes_no_worker(limited: Client) -> None:
    going_on = b"POST /v1/convert/batch?from=mqtt-5.0&to=amqp-1.0 HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n"
    with socket.create_connection(("127.0.0.1", limited.port)) as held:
        held.sendall(going_on)
        asked = partial(limited.post, "/v1/convert", json={"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE})
        for _ in range(200):  # the server works on the first lines before it gives them up
            if asked().status_code == 200:
                break
            time.sleep(0.05)
        assert [asked().status_code for _ in range(5)] == [200] * 5


def test_invalid_rules_stop_the_service_before_it_starts(tmp_path: Path) -> None:
    """Without this check, a row with an unknown place would fail only at the first message of its table."""
    file = tmp_path / "mine.toml"
    file.write_text(
        '["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n  { id = "a", from = "header.nothing", to = "basic.priority" },\n]\n'
    )
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0"]
    environment = os.environ | {"MQCONVERT_RULES": str(file)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "mqconvert: mine.toml:3: row a: unknown place 'header.nothing' of amqp-1.0 [bad_table]\n"


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"MQCONVERT_MAX_BODY": "abc"}, "MQCONVERT_MAX_BODY must be a number from 1, not 'abc'"),
        ({"MQCONVERT_CONCURRENCY": "0"}, "MQCONVERT_CONCURRENCY must be a number from 1, not '0'"),
        ({"MQCONVERT_RULES": "/nope.toml"}, "/nope.toml: cannot be read"),
        ({"MQCONVERT_TOKEN": "t0ken\n"}, "MQCONVERT_TOKEN begins or ends with white space"),
        ({"MQCONVERT_TOKEN": "t0ken\udcff"}, "or has characters that a header cannot carry"),
        ({"MQCONVERT_OPTIONS": "max_colours=3"}, "MQCONVERT_OPTIONS: no option 'max_colours'; known: "),
        ({"MQCONVERT_OPTIONS": "max_batch=3 max_decompressed=many"}, "max_decompressed: expected a whole number, got 'many'"),
    ],
)
def test_invalid_settings_stop_the_service_before_it_starts(settings: dict[str, str], words: str) -> None:
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0"]
    done = subprocess.run(command, env=os.environ | settings, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert words in done.stderr
    assert "t0ken" not in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("host", ["a" * 64, "\udcff", "a..b"])
def test_an_invalid_host_is_a_one_line_error(host: str) -> None:
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0", "--host", host]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert re.fullmatch(r"mqconvert: no host .+\n", done.stderr)


def test_a_port_in_use_is_reported_before_any_address() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", str(taken.getsockname()[1])]
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Address already in use" in done.stderr


def test_payload_and_escape_are_options_of_a_request(client: Client) -> None:
    topic = b"\x00\x03a/b"
    wire = base64.b64encode(b"\x30" + bytes([len(topic) + 3]) + topic + b"\x00hi").decode()
    request = {"from": "mqtt-5.0", "to": "nsq", "wire": wire, "fields": ["wire"]}
    refused = client.post("/v1/convert", json=request)
    assert (refused.status_code, refused.json()["code"], refused.json()["rule"]) == (422, "bad_topic", "address-refused")
    escaped = client.post("/v1/convert", json=request | {"escape": True}).json()
    assert base64.b64decode(escaped["wire"]) == b"PUB a_2Fb\n\x00\x00\x00\x02hi"
    whole = client.post("/v1/convert", json=request | {"address": "t", "payload": "envelope"}).json()
    assert b"AMQP\x00\x01\x00\x00" in base64.b64decode(whole["wire"])
    chosen = {"from": "mqtt-5.0", "to": "nsq", "address": "t", "payload": "envelope", "fields": "wire"}
    lines_ = client.post("/v1/convert/batch", params=chosen, content=json.dumps({"wire": wire}) + "\n").text.splitlines()
    assert json.loads(lines_[0])["wire"] == whole["wire"]
    assert client.post("/v1/convert", json=request | {"payload": "letter"}).status_code == 422
    for wrong in ('"address": "\\ud800"', '"mqtt_exchange": "\\udcff"', '"frame": "xx"'):
        body = json.dumps(request)[:-1] + f", {wrong}}}"
        refused = client.post("/v1/convert", content=body, headers={"content-type": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_option")
    assert client.post("/v1/convert/batch", params=chosen | {"frame": "xx"}, content="{}").json()["code"] == "bad_option"


def test_the_clock_is_an_option_of_a_request_and_defaults_to_now(client: Client) -> None:
    request = {"from": "mqtt-5.0", "to": "pulsar", "wire": base64.b64encode(bytes.fromhex("3006000174006869")).decode()}
    made = client.post("/v1/convert", json=request | {"clock": 1_700_000_000_000}).json()
    assert made["message"]["publish_time"] == 1_700_000_000_000
    before = time.time_ns() // 1_000_000
    assert before <= client.post("/v1/convert", json=request).json()["message"]["publish_time"]
    chosen = {"from": "mqtt-5.0", "to": "pulsar", "fields": "message", "clock": "5"}
    answer = client.post("/v1/convert/batch", params=chosen, content=json.dumps({"wire": request["wire"]}))
    assert json.loads(answer.text)["message"]["publish_time"] == 5
    assert client.post("/v1/convert", json=request | {"clock": "soon"}).status_code == 422
    refused = client.post("/v1/convert", json=request | {"clock": -1})
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_option")
    untimed = {"protocol": "pulsar", "payload": "aGk=", "producer_name": "p", "sequence_id": 1}
    wires = [client.post("/v1/encode", json={"message": untimed, "clock": 5}).json()["wire"] for _ in range(2)]
    assert wires[0] == wires[1]
    shown = client.post("/v1/decode", json={"protocol": "pulsar", "wire": wires[0]}).json()["messages"][0]
    assert shown["publish_time"] == 5
    assert client.post("/v1/encode", json={"message": untimed}).status_code == 200

"""Settings apply to every route, and docs/service.md has them with their defaults."""

import asyncio
import base64
import json
import os
import re
import subprocess
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest

from mqconvert import CODES, encode, encode_batch, message_to_json
from mqconvert.app.codes import DOOR_CODES
from mqconvert.app.http.document import PROBLEMS
from mqconvert.app.http.settings import Settings
from mqconvert.converters.environment import options_of
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.app.http.inside import PARAMS, in_process
from tests.app.services import SERVICE, WIRE, Client, service
from tests.converters.protocols.nsq.streams import compress

pytestmark = SERVICE

PAGE = (Path(__file__).parents[3] / "docs" / "service.md").read_text()


def test_the_page_has_every_setting_with_its_default() -> None:
    told = dict(re.findall(r"^\| `MQCONVERT_(\w+)` \| (\S+) \|", PAGE, re.MULTILINE))
    assert {name.lower() for name in told} == {one.name for one in fields(Settings)}
    for one in fields(Settings):
        if isinstance(one.default, int):
            assert told[one.name.upper()] == ("off" if one.default is False else str(one.default)), one.name


def test_the_page_has_the_documented_code_and_status_of_every_limit() -> None:
    """A limit may also end or evict connections. The files beside this one test the response of each limit."""
    exceeded = dict(re.findall(r"^\| `MQCONVERT_(\w+)` \| \d+ \| [^|]+ \| ([^|]+) \|$", PAGE, re.MULTILINE))
    limits = {one.name.upper() for one in options_of(Settings) if one.kind is int} - {"WORKERS", "DRAIN_DELAY"}
    assert exceeded.keys() == limits
    for told in exceeded.values():
        if known := re.fullmatch(r"(line|\d{3}) `(\w+)`", told):
            assert known[1] == "line" or int(known[1]) in PROBLEMS
            assert known[2] in CODES.keys() | DOOR_CODES.keys()
        else:
            assert told in {"the connection ends", "a stalled or idle connection is closed", "the oldest is dropped"}


def test_the_memory_limit_is_the_sum_of_the_settings() -> None:
    limit = Settings(workers=2, worker_memory=1, max_held=10, max_cache=100, max_connections=1000)
    assert limit.memory == 128 * 2**20 + 10 + 100 + 1000 * 256 * 2**10 + 3


def test_an_unknown_setting_stops_the_service_before_it_starts() -> None:
    command = [sys.executable, "-m", "mqconvert.app", "serve", "--port", "0"]
    environment = os.environ | {"MQCONVERT_MAXBODY": "10"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "no setting MQCONVERT_MAXBODY; did you mean MQCONVERT_MAX_BODY?" in done.stderr


def test_limits_and_token_are_settings(guarded: Client) -> None:
    assert guarded.get("/healthz").status_code == 200
    refused = guarded.get("/v1/protocols")
    assert (refused.status_code, refused.json()["code"]) == (401, "unauthorized")
    assert refused.json()["detail"] == "a bearer token is required"
    wrong = guarded.get("/v1/protocols", headers={"authorization": "Bearer other"})
    assert (wrong.status_code, wrong.json()["detail"].partition(":")[0]) == (401, "the token in Authorization is wrong")
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
        assert client.post("/v1/decode", json={"protocol": "pulsar", "wire": small, "spans": True}).status_code == 200
        told: dict[str, Any] = {"protocol": "pulsar", "spans": True}
        for path, body in (("convert", pair), ("decode", {"protocol": "pulsar"}), ("decode", told)):
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

        packed = base64.b64encode(compress(b"PUB t\n\0\0\0\x65" + bytes(101), "snappy")).decode()
        refused = client.post("/v1/decode", json={"protocol": "nsq", "wire": packed})
        assert (refused.status_code, refused.json()["code"]) == (413, "too_large")
        assert client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": WIRE}).status_code == 200


def test_a_setting_may_raise_a_limit(impatient: Client) -> None:
    wire = base64.b64encode(b"NOP\n").decode()
    for limit, status in ((2**27, 200), (2**27 + 1, 422)):
        request = {"wire": wire, "options": {"max_decompressed": limit}}
        assert impatient.post("/v1/frames/nsq/decode", json=request).status_code == status


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


INVALID: list[tuple[dict[str, str], str]] = [
    ({"MQCONVERT_MAX_BODY": "abc"}, "MQCONVERT_MAX_BODY must be a number from 1, not 'abc'"),
    ({"MQCONVERT_CONCURRENCY": "0"}, "MQCONVERT_CONCURRENCY must be a number from 1, not '0'"),
    ({"MQCONVERT_RULES": "/nope.toml"}, "/nope.toml: cannot be read"),
    ({"MQCONVERT_RULES": "/dev/null"}, "MQCONVERT_RULES: /dev/null changes no table"),
    ({"MQCONVERT_WORKER_MEMORY": "1"}, "MQCONVERT_WORKER_MEMORY must be a number from 67108864, not '1'"),
    ({"MQCONVERT_WORKER_MEMORY": "9" * 15}, "MQCONVERT_WORKER_MEMORY must be a number from 67108864 to 1099511627776, not"),
    ({"MQCONVERT_WORKERS": "999999"}, "MQCONVERT_WORKERS must be a number from 1 to 1024, not '999999'"),
    ({"MQCONVERT_DRAIN_DELAY": "9" * 15}, "MQCONVERT_DRAIN_DELAY must be a number from 0 to 86400, not"),
    ({"MQCONVERT_CORS": "javascript:alert(1)"}, "MQCONVERT_CORS takes origins as browsers send them"),
    ({"MQCONVERT_CORS": "https://a.example https://b.example/"}, "not 'https://b.example/'"),
    ({"MQCONVERT_CORS": "null"}, "MQCONVERT_CORS takes origins as browsers send them"),
    ({"MQCONVERT_DOCS": "javascript:alert(1)"}, "MQCONVERT_DOCS is an address such as https://a.example/mqconvert/, not 'java"),
    ({"MQCONVERT_DOCS": "https://a.example/ https://b.example/"}, "MQCONVERT_DOCS is an address such as"),
    ({"MQCONVERT_HOSTS": "a.example:80"}, "MQCONVERT_HOSTS takes host names"),
    ({"MQCONVERT_TOKEN": "t0ken\n"}, "MQCONVERT_TOKEN begins or ends with white space"),
    ({"MQCONVERT_TOKEN": "t0ken\udcff"}, "or has characters that a header cannot carry"),
    ({"MQCONVERT_OPTIONS": "max_colours=3"}, "MQCONVERT_OPTIONS: no option 'max_colours'; known: "),
    ({"MQCONVERT_OPTIONS": "max_batch=3 max_decompressed=many"}, "max_decompressed: expected a whole number, got 'many'"),
]
"""Settings, and the words of their error."""
SERVE = """
import contextlib, io, json, os, sys
from mqconvert.app.cli import main

for settings in json.load(sys.stdin):
    os.environ.update(settings)
    with contextlib.redirect_stderr(io.StringIO()) as said:
        status = main(["serve", "--port", "0"])
    print(json.dumps([status, said.getvalue()]))
    for name in settings:
        del os.environ[name]
"""


@pytest.fixture(scope="module")
def refusals() -> list[tuple[int, str]]:
    """Return the status and the error of one process that calls `serve` with each of the invalid settings."""
    given = json.dumps([settings for settings, _ in INVALID])
    done = subprocess.run([sys.executable, "-c", SERVE], input=given, capture_output=True, text=True, timeout=60, check=True)
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("number", range(len(INVALID)), ids=lambda number: INVALID[number][1][:40])
def test_invalid_settings_stop_the_service_before_it_starts(number: int, refusals: list[tuple[int, str]]) -> None:
    status, said = refusals[number]
    assert status == 2
    assert INVALID[number][1] in said
    assert "t0ken" not in said
    assert "Traceback" not in said


def test_origins_and_hosts_are_read_from_the_environment() -> None:
    origins = "https://a.example http://[::1]:8000 moz-extension://1f-2e *"
    made = Settings.from_environment({"MQCONVERT_CORS": origins, "MQCONVERT_HOSTS": " mq.example  mq "})
    assert (made.cors, made.hosts) == (tuple(origins.split()), ("mq.example", "mq"))


def test_overlays_are_a_setting_of_the_server(tmp_path: Path) -> None:
    """A row of an overlay acts in conversions, batches and forecasts and is listed, but only with the setting."""
    overlay = tmp_path / "mine.toml"
    row = '{ id = "mine", before = "user-property-x", from = "user_properties[mine]", to = "properties.subject" }'
    given = {"message": {"protocol": "mqtt-5.0", "topic_name": "t", "user_properties": [["mine", "v"]]}}
    overlay.write_text(f'["mqtt-5.0 -> amqp-1.0"]\nrules = [\n{row},\n]\n')

    async def ask(settings: Settings) -> dict[str, Any]:
        async with in_process(settings) as inside:
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

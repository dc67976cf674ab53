"""Every route over a real socket."""

import asyncio
import base64
import gzip
import json
import re
import threading
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from typing import Any

import httpx
import pytest

from mqconvert import PROTOCOLS, json_schema
from mqconvert.app.http.service import create_app
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Jobs, Reply
from tests.app.http.bombs import base64_text
from tests.app.http.inside import PARAMS, in_process
from tests.app.services import CONVERT, SERVICE, WIRE, Client
from tests.corpus import lines
from tests.vectors import vectors

pytestmark = SERVICE


@pytest.mark.parametrize(
    ("headers", "words"),
    [
        ({"content-type": "application/json", "content-encoding": "gzip"}, "without Content-Encoding"),
        ({"content-type": "text/plain"}, "content-type is 'text/plain': send application/"),
        ({"content-type": "application/json; charset=latin-1"}, "'application/json; charset=latin-1': send application/"),
        ({"content-type": "application/x-www-form-urlencoded"}, "'application/x-www-form-urlencoded': send application/"),
    ],
)
def test_other_media_types_are_refused(headers: dict[str, str], words: str, client: Client) -> None:
    for path in ("/v1/convert", "/v1/convert/batch?from=mqtt-5.0&to=amqp-1.0"):
        answer = client.post(path, content=gzip.compress(CONVERT), headers=headers)
        assert (answer.status_code, answer.json()["code"]) == (415, "bad_media_type")
        assert words in answer.json()["detail"]


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
    body = {"protocol": "mqtt-5.0", "wire": base64_text(base64.b64decode(WIRE) * 50)}
    plain = client.post("/v1/decode", json=body, headers={"accept-encoding": "gzip;q=0"})
    packed = client.post("/v1/decode", json=body, headers={"accept-encoding": "br, gzip;q=0.5"})
    assert (plain.json(), len(plain.json()["messages"])) == (packed.json(), 50)
    assert "content-encoding" not in plain.headers
    assert packed.headers["content-encoding"] == "gzip"
    assert int(packed.headers["content-length"]) < int(plain.headers["content-length"])


def test_cross_origin_access_is_a_setting(client: Client, guarded: Client) -> None:
    asked = {"origin": "https://a.example", "access-control-request-method": "POST"}
    answer = guarded.options("/v1/convert", headers=asked)
    assert (answer.status_code, answer.headers["access-control-allow-origin"]) == (200, "https://a.example")
    assert guarded.options("/v1/convert", headers=asked | {"origin": "https://c.example"}).status_code == 400
    refused = guarded.get("/v1/protocols", headers={"origin": "https://b.example"})
    assert (refused.status_code, refused.headers["access-control-allow-origin"]) == (401, "https://b.example")
    assert "access-control-allow-origin" not in client.get("/v1/protocols", headers=asked).headers


PUBLISH = bytes.fromhex("3006000174006869")
BROKEN_OFF = bytes.fromhex("005370c00b054140")


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


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_schema_route_returns_the_schema_of_the_library(client: Client, protocol: str) -> None:
    answer = client.get(f"/v1/schemas/{protocol}")
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/schema+json")
    assert answer.json() == json_schema(protocol)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/v1/schemas/stomp", "unknown_protocol"),
        ("/v1/rules/stomp/amqp-1.0", "unknown_protocol"),
        ("/v1/rules/nsq/pulsar", "no_route"),
        ("/v1/rules?profile=none", "unknown_profile"),
        ("/v1/fidelity/amqp-1.0/stomp", "unknown_protocol"),
        ("/nothing", "not_found"),
    ],
)
def test_unknown_names_are_problems(client: Client, path: str, code: str) -> None:
    answer = client.get(path)
    assert (answer.status_code, answer.headers["content-type"]) == (404, "application/problem+json")
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


def test_samples_are_recognized_as_their_protocol(client: Client) -> None:
    samples = client.get("/v1/samples").json()
    assert {sample["message"]["protocol"] for sample in samples} == {*PROTOCOLS}
    for sample in samples:
        told = client.post("/v1/recognize", json={"wire": sample["wire"]}).json()["protocols"]
        assert told[0] == sample["message"]["protocol"]
        asked = {"protocol": told[0], "wire": sample["wire"]}
        assert client.post("/v1/decode", json=asked).json() == {"messages": [sample["message"]]}
    assert client.post("/v1/recognize", json={"wire": "aGVsbG8="}).json() == {"protocols": [], "begin": 0, "broken_off": []}
    told = client.post("/v1/recognize", json={"wire": base64.b64encode(BROKEN_OFF).decode()}).json()
    assert told == {"protocols": [], "begin": 0, "broken_off": ["amqp-1.0"]}


def test_the_message_of_a_captured_frame_is_recognized_where_it_begins(client: Client) -> None:
    headers = bytes.fromhex("00" * 12 + "08004500003000004000400600007f0000017f000001d431075b0000000100000001501801f500000000")
    for payload, known in ((bytes.fromhex("3006000174006869"), ["mqtt-5.0", "mqtt-3.1.1"]), (b"hello", [])):
        told = client.post("/v1/recognize", json={"wire": base64.b64encode(headers + payload).decode()}).json()
        assert told == {"protocols": known, "begin": 54, "broken_off": []}


def test_row_samples_fire_their_rows(client: Client) -> None:
    samples = client.get("/v1/samples/mqtt-5.0/amqp-1.0").json()
    assert {"qos", "retain", "message-expiry-interval"} <= samples.keys()
    for row, message in samples.items():
        asked = {"from": "mqtt-5.0", "to": "amqp-1.0", "message": message, "fields": ["report"]}
        report = client.post("/v1/convert", json=asked).json()["report"]
        entries = [entry for kind in ("applied", "dropped", "lost", "accounted") for entry in report[kind]]
        assert row in {name for entry in entries for name in (entry.get("rule"), entry.get("type_rule"))}


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


def test_lines_and_messages_at_the_limit_are_accepted_and_more_are_refused() -> None:
    line = json.dumps({"wire": WIRE}).encode()
    lines = b"\n".join((line, line + b" ", b"", line, line))

    async def ask(size: int) -> list[str | None]:
        async def pieces() -> AsyncIterator[bytes]:
            for at in range(0, len(lines), size):
                yield lines[at : at + size]

        async with in_process(Settings(max_line=len(line), max_messages=3)) as inside:
            answer = await inside.post("/v1/convert/batch", params=PARAMS, content=pieces())
        return [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()]

    for size in (1, 7, len(line), len(line) + 1, len(lines)):
        assert asyncio.run(ask(size)) == [None, "line_too_long", None, "too_many"], size


FORECAST = "/v1/fidelity/mqtt-5.0/amqp-0.9.1?back=true"
PATHS = [
    FORECAST,
    "/v1/fidelity/amqp-1.0/pulsar",
    "/v1/protocols",
    "/v1/routes",
    "/v1/rules",
    "/v1/rules?profile=rabbitmq-4.0",
    "/v1/rules/amqp-1.0/mqtt-5.0",
    "/v1/schemas/amqp-1.0",
    "/openapi.json",
]


def _worked(client: Client) -> float:
    """Return the processor seconds of the workers so far."""
    [seconds] = re.findall(r"^mqconvert_workers_cpu_seconds_total (.*)$", client.get("/metrics").text, re.MULTILINE)
    return float(seconds)


def test_simultaneous_forecasts_are_computed_once_while_health_responds(client: Client) -> None:
    answers: list[httpx.Response] = []
    threads = [threading.Thread(target=lambda: answers.append(client.get(FORECAST))) for _ in range(6)]
    for thread in threads:
        thread.start()
    healthy = 0
    while any(thread.is_alive() for thread in threads):
        assert client.get("/healthz").status_code == 200
        healthy += 1
    assert healthy > 0
    assert [answer.status_code for answer in answers] == [200] * 6
    assert len({answer.headers["etag"] for answer in answers}) == len({answer.content for answer in answers}) == 1
    before = _worked(client)
    for _ in range(6):
        assert client.get(FORECAST).content == answers[0].content
    assert _worked(client) == before  # no worker did any work


@pytest.mark.parametrize("path", PATHS)
def test_a_response_about_tables_is_revalidated_by_its_etag(path: str, client: Client) -> None:
    first = client.get(path)
    assert (first.status_code, first.headers["cache-control"], first.headers["vary"]) == (200, "no-cache", "accept-encoding")
    again = client.get(path, headers={"if-none-match": first.headers["etag"]})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", first.headers["etag"])
    plain = client.get(path, headers={"accept-encoding": "identity"})
    assert (plain.json(), plain.headers["etag"]) == (first.json(), first.headers["etag"])
    assert ("content-encoding" in first.headers) is (len(plain.content) >= 1024)
    assert "content-encoding" not in plain.headers


def test_a_cached_response_is_decompressed_in_small_parts() -> None:
    """A client without gzip blocks the event loop only briefly. A client that does not read takes little memory."""
    events: list[Any] = []

    async def ask() -> None:
        async def receive() -> Any:
            return {"type": "http.request"}

        async def send(event: Any) -> None:
            events.append(event)

        scope = {"type": "http", "method": "GET", "path": "/openapi.json", "query_string": b"", "headers": []}
        await create_app(Settings())(scope, receive, send)

    asyncio.run(ask())
    start, *parts = events
    sizes = [len(part["body"]) for part in parts]
    assert dict(start["headers"])[b"content-length"] == str(sum(sizes)).encode()
    assert sum(sizes) > 2**16
    assert max(sizes) <= 2**14
    assert [part["more_body"] for part in parts] == [*[True] * (len(parts) - 1), False]
    assert json.loads(b"".join(part["body"] for part in parts))["openapi"]


class _Counting(Jobs):
    """Counts its jobs, and takes a turn of the event loop for each."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self.done: Counter[str] = Counter()

    async def run(self, job: Job, *, client: str = "", patient: bool = False) -> Reply:
        await asyncio.sleep(0)
        self.done[job.do.__name__] += 1
        return await super().run(job, client=client, patient=patient)


def test_a_response_about_tables_is_computed_again_only_after_eviction() -> None:
    async def ask(max_cache: int) -> Counter[str]:
        settings = Settings(max_cache=max_cache)
        counting = _Counting(settings)
        transport = httpx.ASGITransport(create_app(settings, tables=counting))
        async with httpx.AsyncClient(transport=transport, base_url="http://inside") as inside:
            for _ in range(2):
                for path in ("/v1/routes", "/v1/protocols"):
                    answers = await asyncio.gather(*(inside.get(path) for _ in range(3)))
                    assert {answer.status_code for answer in answers} == {200}
        return counting.done

    assert asyncio.run(ask(2**20)) == {"routes": 1, "protocols": 1}
    assert asyncio.run(ask(1)) == {"routes": 2, "protocols": 2}  # no answer fits the cache; concurrent requests still share one

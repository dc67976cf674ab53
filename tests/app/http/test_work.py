"""Requests are answered within their limits, each as if it were the only one."""

import asyncio
import base64
import json
import tracemalloc
from typing import Any

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from mqconvert import encode
from mqconvert.app import lines
from mqconvert.app.http import work
from mqconvert.app.http.models import BatchQuery
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import LONGEST, PREPARED, Job, Jobs
from tests.app.http.bombs import base64_text, pulsar_bomb, zeros
from tests.app.http.inside import PARAMS, answer, in_process, wrong
from tests.app.services import SERVICE, WIRE, Client
from tests.app.test_jsontext import WITHOUT_FLOATS
from tests.converters.protocols.nsq.streams import compress

pytestmark = SERVICE


def test_every_door_refuses_a_batch_of_many_empty_members(client: Client) -> None:
    bomb = pulsar_bomb(2000)
    assert len(bomb) < 300
    pair = {"from": "pulsar", "to": "mqtt-5.0", "address": "t"}
    for path, body in (
        ("convert", pair | {"wire": bomb}),
        ("decode", {"protocol": "pulsar", "wire": bomb}),
    ):
        answer = client.post(f"/v1/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
        assert "MQCONVERT_MAX_BATCH" in answer.json()["detail"]
    lines = json.dumps({"id": 1, "wire": bomb}) + "\n" + json.dumps({"id": 2, "wire": pulsar_bomb(2)})
    answer = client.post("/v1/convert/batch", params=pair, content=lines)
    found = [json.loads(line) for line in answer.text.splitlines()]
    assert [(line["id"], line.get("error", {}).get("code")) for line in found] == [(1, "too_many"), (2, None), (2, None)]


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_decompression_beyond_the_limit_is_refused(protocol: str, limited: Client) -> None:
    bomb = zeros(2**20 + 1)[protocol]
    for path in ("convert", "decode"):
        choices = {"from": protocol, "to": "amqp-1.0"} if path == "convert" else {"protocol": protocol}
        answer = limited.post(f"/v1/{path}", json=choices | {"wire": bomb})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "MQCONVERT_MAX_DECOMPRESSED" in answer.json()["detail"]


def test_a_response_beyond_the_limit_is_refused_and_costs_a_batch_one_line(limited: Client) -> None:
    wire = zeros(2**19)["pulsar"]
    pair = {"from": "pulsar", "to": "amqp-1.0"}
    for path, body in (("convert", pair | {"wire": wire}), ("decode", {"protocol": "pulsar", "wire": wire})):
        answer = limited.post(f"/v1/{path}", json=body)
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        assert "MQCONVERT_MAX_ANSWER" in answer.json()["detail"]
    lines = "\n".join(json.dumps({"wire": one}) for one in (wire, pulsar_bomb(1)))
    answer = limited.post("/v1/convert/batch", params=pair, content=lines)
    assert [json.loads(line).get("error", {}).get("code") for line in answer.text.splitlines()] == ["too_large", None]


@pytest.mark.parametrize("compression", [None, "deflate", "snappy"])
def test_frames_of_a_stream_are_limited(compression: str | None, limited: Client) -> None:
    stream = b"NOP\n" * 1001
    packed = stream if compression is None else compress(stream, compression)
    options = {} if compression is None else {"compression": compression}
    for path, body in (("frames/nsq/decode", {}), ("decode", {"protocol": "nsq"})):
        answer = limited.post(f"/v1/{path}", json=body | {"wire": base64_text(packed), "options": options})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
        assert "MQCONVERT_MAX_FRAMES" in answer.json()["detail"]
    shorter = compress(stream[4:], compression) if compression else stream[4:]
    answer = limited.post("/v1/frames/nsq/decode", json={"wire": base64_text(shorter), "options": options})
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
    row = {"protocol": "mqtt-5.0", "wire": base64_text(base64.b64decode(WIRE) * 3)}
    answer = limited.post("/v1/decode", json=row)
    assert (answer.status_code, answer.json()["code"]) == (413, "too_many")
    two = row | {"wire": base64_text(base64.b64decode(WIRE) * 2)}
    assert len(limited.post("/v1/decode", json=two).json()["messages"]) == 2


def test_an_internal_error_in_a_batch_costs_its_line(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def defective(message: Any) -> bytes:
        return wrong() if message.payload == b"bad" else encode(message)

    monkeypatch.setattr(lines, "encode", defective)

    async def ask() -> httpx.Response:
        bad = {"topic_name": "t", "payload": base64.b64encode(b"bad").decode()}
        params = PARAMS | {"to": "mqtt-3.1.1"}
        given = [{"id": 1, "wire": WIRE}, {"id": "bad", "message": bad}, {"id": 3, "wire": WIRE}]
        async with in_process() as inside:
            return await inside.post("/v1/convert/batch", params=params, content="\n".join(map(json.dumps, given)))

    found = [json.loads(line) for line in asyncio.run(ask()).text.splitlines()]
    assert [line.get("error", {}).get("code") for line in found] == [None, "internal", None]
    assert "s3cret" not in caplog.text


MESSAGE = {"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}
OPTIONAL: dict[str, tuple[Any, ...]] = {
    "clock": (0, 1, True, 1.0, False, "1", None),
    "escape": (False, True, 0, None),
    "fields": (["wire"], ["report", "message"], [], ["wires"], "wire"),
    "options": ({}, {"max_batch": 1}, {"max_batch": True}, {"max_batch": 10**9}, {"max_body": 5}, [], 1.5),
    "address": ("a/b", "", "\ud800", None),
    "profile": ("documented", "rabbitmq-4.3", "other"),
    "on_loss": ("report", "fail", "strict", "other"),
    "rules": (None, "", "x"),
    "other": (1,),
    "message": (MESSAGE, {"topic_name": "t"}, {"topic_name": 5}, {"\ud800": 1}, None, 1),
    "wire": (WIRE, WIRE * 2, "aGk=", "aG k=", "é", "\ud800", "", 5, None, [WIRE]),
}
REQUESTS = st.fixed_dictionaries(
    {"from": st.sampled_from(["mqtt-5.0", "amqp-1.0", "other"]), "to": st.sampled_from(["amqp-1.0", "mqtt-5.0"])},
    optional={name: st.sampled_from(values) for name, values in OPTIONAL.items()},
)


@given(st.lists(REQUESTS | st.just({"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}), min_size=2, max_size=6))
def test_earlier_requests_change_no_answer(requests: list[dict[str, Any]]) -> None:
    jobs = Jobs(Settings(allow_rules=True))
    for request in requests:
        assert answer(jobs, request) == answer(Jobs(jobs.settings), request)


def test_equal_requests_share_a_pipeline() -> None:
    jobs = Jobs(Settings())
    for wire in (WIRE, "MAYAAXQAaG8="):
        assert answer(jobs, {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": wire}).status == 200
    assert answer(jobs, {"from": "mqtt-5.0", "to": "amqp-1.0", "message": MESSAGE}).status == 200
    assert len(jobs.pipelines) == 1


def test_kept_pipelines_are_bounded_in_number_and_size() -> None:
    jobs = Jobs(Settings(allow_rules=True))
    request = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
    for more in ({"address": "a" * LONGEST}, {"rules": ""}, {"options": {"max_batch": -1}}):
        answer(jobs, request | more)
        assert not jobs.pipelines
    for clock in range(PREPARED + 10):
        assert answer(jobs, request | {"clock": clock}).status == 200
    assert len(jobs.pipelines) == PREPARED


def test_members_that_nest_too_deep_get_the_same_answer_as_other_invalid_ones() -> None:
    for depth in (100, 400, 900):
        raw = b'{"from":"mqtt-5.0","to":"amqp-1.0","wire":"%b","options":%b}' % (WIRE.encode(), b"[" * depth + b"]" * depth)
        assert Jobs(Settings()).perform(Job(work.convert, {"body": raw})).status == 422


def test_each_request_without_a_clock_has_its_own_time(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = Jobs(Settings())
    request = {"from": "mqtt-5.0", "to": "rocketmq", "wire": WIRE, "fields": ["message"], "address": "t"}
    for now in (5, 6):
        monkeypatch.setattr(work, "now", lambda now=now: now)
        made = json.loads(answer(jobs, request).body)
        assert f": {now}," in json.dumps(made)
    made = json.loads(answer(jobs, request | {"clock": 7}).body)
    assert ": 7," in json.dumps(made)


@given(WITHOUT_FLOATS)
def test_both_libraries_write_the_same_bytes_for_values_without_floats(value: Any) -> None:
    written = work._json(value, floats=False)
    try:
        assert written == to_json(value)
    except ValueError:
        assert written == work._json(value)


def batch(settings: Settings, lines: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    """Return the answers of a batch."""
    block = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
    query = BatchQuery.model_validate(more)
    reply = Jobs(settings).perform(Job(work.convert_lines, {"block": block, "query": query, "left": 100}))
    assert reply.status == 200
    return [json.loads(line) for line in bytes(reply.body).splitlines()]


def test_answers_of_a_batch_are_lines_of_the_next_batch() -> None:
    there = batch(Settings(), [{"id": 1, "wire": "MAYAAXQAaGkwBgABdABobw=="}], **{"from": "mqtt-5.0", "to": "amqp-1.0"})
    back = batch(Settings(), there, **{"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t"})
    assert [(line["id"], line["index"], line["wire"]) for line in back] == [(1, 0, WIRE), (1, 1, "MAYAAXQAaG8=")]


def test_a_line_whose_answer_is_too_large_keeps_its_id() -> None:
    [answer] = batch(Settings(max_answer=300), [{"id": "a" * 20, "wire": WIRE}], **{"from": "mqtt-5.0", "to": "amqp-1.0"})
    assert (answer["id"], answer["error"]["code"]) == ("a" * 20, "too_large")


def test_an_explanation_that_repeats_a_value_is_written_up_to_the_limit_only() -> None:
    """Each of 1,000 fields went into the same 200,000 bytes."""
    properties = [[f"k{at}", {"type": "uint", "value": at}] for at in range(1000)]
    message = {"application_properties": properties, "body": {"data": [base64.b64encode(bytes(200_000)).decode()]}}
    asked = {"from": "amqp-1.0", "to": "nsq", "address": "t", "payload": "envelope", "message": message}
    tracemalloc.start()
    reply = Jobs(Settings(max_answer=2**20)).perform(Job(work.explain, {"body": json.dumps(asked).encode()}))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (reply.status, json.loads(reply.body)["code"]) == (413, "too_large")
    assert peak < 20 * 2**20


@pytest.mark.parametrize("code", ["internal", "of the client"])
def test_an_earlier_error_is_repeated_and_counted_by_a_code_of_ours(code: str) -> None:
    """Its code is text of the client: it is no label of the metrics, and no defect for the log."""
    error = {"code": code, "message": "words", "offset": 1e16}
    block = json.dumps({"id": 1, "error": error}).encode()
    query = BatchQuery.model_validate({"from": "mqtt-5.0", "to": "amqp-1.0"})
    reply = Jobs(Settings()).perform(Job(work.convert_lines, {"block": block, "query": query, "left": 100}))
    assert json.loads(reply.body) == {"id": 1, "error": error}
    assert b'"offset":1e+16' in reply.body
    assert list(reply.counted) == [("refused", "earlier_error")]


@pytest.mark.parametrize(("raw", "offset"), [(b'{"a":"\xff"}', 6), (b'{"a":}', 5)])
def test_a_body_that_is_not_json_has_the_offset_of_its_fault(raw: bytes, offset: int) -> None:
    reply = Jobs(Settings()).perform(Job(work.convert, {"body": raw}))
    assert (reply.status, json.loads(reply.body)["offset"]) == (400, offset)


def test_decode_answers_the_messages_beside_the_error_of_another(client: Client) -> None:
    wire = base64.b64encode(bytes.fromhex("c000 3006000174006869 c000 00")).decode()
    made = client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": wire, "options": {"stream": True}})
    assert made.status_code == 200
    body = made.json()
    assert [message["payload"] for message in body["messages"]] == ["aGk="]
    assert body["errors"] == [{"index": 1, "code": "bad_packet", "message": "packet type 0 is reserved", "offset": 12}]
    assert body["skipped"] == 2
    alone = client.post("/v1/decode", json={"protocol": "mqtt-5.0", "wire": "AA==", "options": {"stream": True}})
    assert (alone.status_code, alone.json()["code"]) == (422, "bad_packet")


def test_a_limit_behind_valid_messages_refuses_the_request(client: Client) -> None:
    """A route for one message holds its answer; only batches end in an error line."""
    request = {"protocol": "mqtt-5.0", "wire": base64.b64encode(bytes.fromhex("3006000174006869") * 3).decode()}
    options = {"stream": True, "max_frames": 2}
    made = client.post("/v1/decode", json=request | {"options": options})
    assert (made.status_code, made.json()["code"]) == (413, "too_many")
    assert "max_frames" in made.json()["detail"]
    given = [f"{name}={json.dumps(value)}" for name, value in options.items()]
    params = {"from": "mqtt-5.0", "to": "mqtt-3.1.1", "fields": "wire", "options": given}
    batch = client.post("/v1/convert/batch", params=params, content=json.dumps({"wire": request["wire"]}))
    lines_ = [json.loads(line) for line in batch.text.splitlines()]
    assert [line.get("error", {}).get("code") for line in lines_] == [None, None, "too_many"]


def test_a_batch_takes_options_of_the_codecs(client: Client) -> None:
    wire = base64.b64encode(bytes.fromhex("005370c00402405204005375a00161")).decode()  # a priority of type uint
    params: dict[str, Any] = {"from": "amqp-1.0", "to": "amqp-0.9.1", "fields": "message"}
    content = json.dumps({"id": 1, "wire": wire})
    assert client.post("/v1/convert/batch", params=params, content=content).json()["error"]["code"] == "wrong_type"
    made = client.post("/v1/convert/batch", params=params | {"options": ["lenient=true", "max_frames=5"]}, content=content)
    assert (made.status_code, made.json()["code"]) == (422, "bad_option")
    made = client.post("/v1/convert/batch", params=params | {"options": "lenient=true"}, content=content)
    assert made.json()["message"]["basic"]["priority"] == 4
    for wrong_ in ("lenient", "lenient=perhaps", "colour=red"):
        refused = client.post("/v1/convert/batch", params=params | {"options": wrong_}, content=content)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_option")


def test_a_batch_counts_the_frames_that_a_stream_skips(client: Client) -> None:
    wire = base64.b64encode(bytes.fromhex("c000 3006000174006869 c000")).decode()
    params = {"from": "mqtt-5.0", "to": "mqtt-3.1.1", "fields": "wire", "options": "stream=true"}
    content = "".join(json.dumps({"id": at, "wire": each}) + "\n" for at, each in enumerate((wire, "wAA=")))
    made = client.post("/v1/convert/batch", params=params, content=content)
    assert [json.loads(line) for line in made.text.splitlines()] == [
        {"id": 0, "wire": "MAUAAXRoaQ=="}, {"id": 0, "skipped": 2}, {"id": 1, "skipped": 1},
    ]  # fmt: skip


def test_frames_are_encoded_with_options(client: Client) -> None:
    frames = [{"frame": "DPUB", "topic": "t", "defer_ms": 50, "body": "aGk="}]
    for most, status in ((49, 422), (50, 200)):
        made = client.post("/v1/frames/nsq/encode", json={"frames": frames, "options": {"max_req_timeout_ms": most}})
        assert made.status_code == status


def test_convert_takes_the_one_message_of_a_stream(client: Client) -> None:
    asked = {"from": "mqtt-5.0", "to": "mqtt-3.1.1", "options": {"stream": True}}
    made = client.post("/v1/convert", json=asked | {"wire": "wAAwBgABdABoaQ=="})
    assert made.json()["wire"] == "MAUAAXRoaQ=="
    none = client.post("/v1/convert", json=asked | {"wire": "wAA="})
    assert (none.status_code, none.json()["code"]) == (422, "no_message")

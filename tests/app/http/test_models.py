"""Requests choose members and options."""

import base64
import json
import time

import pytest

from tests.app.services import SERVICE, WIRE, Client

pytestmark = SERVICE


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


def test_the_problem_of_an_answer_has_no_place(client: Client) -> None:
    given = {"from": "mqtt-5.0", "to": "nsq", "wire": WIRE}
    expected = "expected a whole number, got '5'"
    answers = [client.post("/v1/convert", json=given | {"clock": "5"})]
    answers.append(client.post("/v1/decode", json={"protocol": "nsq", "wire": "", "options": {"max_body_size": "5"}}))
    for answer, field in zip(answers, ("clock", "max_body_size"), strict=True):
        told = answer.json()
        assert (told["field"], told["detail"], told["problem"]) == (field, f"{field}: {expected}", expected)

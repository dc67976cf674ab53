"""/v1/explain and /v1/encode/batch over a real socket: the results of the library, within the limits of the service."""

import base64
import json
from typing import Any

import pytest

from mqconvert import convert, decode, decode_all, encode_batch, explained, explained_json, message_from_json
from tests.app.services import SERVICE, Client, service

pytestmark = SERVICE

PUBLISH = bytes.fromhex("3006000174006869")
ASKED = {"from": "mqtt-5.0", "to": "amqp-0.9.1", "wire": base64.b64encode(PUBLISH).decode()}
BATCHES: dict[str, list[dict[str, Any]]] = {
    "nsq": [{"protocol": "nsq", "topic": "t", "body": body} for body in ("aGk=", "b2s=", "AA==")],
    "rocketmq": [{"protocol": "rocketmq", "topic": "t", "body": body} for body in ("aGk=", "b2s=")],
    "pulsar": [
        {"protocol": "pulsar", "payload": body, "producer_name": "p", "sequence_id": 0, "publish_time": 1}
        for body in ("aGk=", "b2s=")
    ],
}


def test_the_explanation_equals_that_of_the_library(client: Client) -> None:
    message = decode("mqtt-5.0", PUBLISH)
    done = convert(message, "amqp-0.9.1")
    for redact in (False, True):
        answer = client.post("/v1/explain", json=ASKED | {"redact": redact}).json()
        assert answer == {
            "text": explained(message, done, redact=redact),
            "report": explained_json(message, done, redact=redact),
        }
    entry = client.post("/v1/explain", json=ASKED).json()["report"]["applied"][0]
    assert (entry["from"], entry["value"], entry["to"], entry["made"]) == ("qos", 0, "basic.delivery_mode", 1)


def test_an_explanation_takes_the_choices_of_a_conversion(client: Client) -> None:
    asked = {"from": "mqtt-5.0", "to": "nsq", "wire": ASKED["wire"], "address": "orders", "payload": "envelope", "clock": 5}
    assert "orders" in client.post("/v1/explain", json=asked).json()["text"]
    refused = client.post("/v1/explain", json=ASKED | {"profile": "none"})
    assert (refused.status_code, refused.json()["code"]) == (404, "unknown_profile")
    both = client.post("/v1/explain", json=ASKED | {"message": {"topic_name": "t"}})
    assert (both.status_code, both.json()["code"]) == (422, "bad_request")


def test_a_redacted_refusal_has_no_value(client: Client) -> None:
    topic = {"properties": {"to": "secret/+"}, "body": {"data": ["aGk="]}}
    asked: dict[str, Any] = {"from": "amqp-1.0", "to": "nsq", "message": topic}
    known = {"code": "bad_topic", "field": "properties.to"}
    for redact in (False, True):
        problem = client.post("/v1/explain", json=asked | {"redact": redact})
        assert (problem.status_code, problem.json() | known) == (422, problem.json())
        assert ("secret" in problem.text) is not redact
    asked = {"from": "amqp-1.0", "to": "mqtt-5.0", "message": topic, "redact": True}
    answer = client.post("/v1/explain", json=asked)
    assert (answer.status_code, "secret" in answer.text) == (200, False)


def test_a_result_that_cannot_be_encoded_is_explained_with_its_error(client: Client) -> None:
    asked = {"from": "amqp-1.0", "to": "mqtt-5.0", "message": {"body": {"data": ["aGk="]}}}
    problem = client.post("/v1/convert", json=asked)
    answer = client.post("/v1/explain", json=asked)
    assert (problem.status_code, answer.status_code) == (422, 200)
    told = answer.json()
    assert told["report"]["summary"]["arrive"] == 1
    refused = problem.json()
    known = {name: refused[name] for name in ("code", "field", "remedy")}
    assert told["error"] == known | {"code": "bad_topic", "message": refused["detail"]}
    assert "error" not in client.post("/v1/explain", json=asked | {"address": "t"}).json()


@pytest.mark.parametrize("protocol", BATCHES)
def test_messages_are_joined_to_one_batch(protocol: str, client: Client) -> None:
    forms = BATCHES[protocol]
    answer = client.post("/v1/encode/batch", json={"messages": forms, "clock": 7})
    assert answer.status_code == 200
    wire = base64.b64decode(answer.json()["wire"])
    clock = {} if protocol == "nsq" else {"clock": 7}
    assert wire == encode_batch([message_from_json(form) for form in forms], **clock)
    assert len(decode_all(protocol, wire)) == len(forms)
    again = client.post("/v1/decode", json={"protocol": protocol, "wire": answer.json()["wire"]}).json()["messages"]
    assert client.post("/v1/encode/batch", json={"messages": again}).json() == answer.json()


@pytest.mark.parametrize(
    ("messages", "status", "code", "field"),
    [
        ([BATCHES["nsq"][0], BATCHES["pulsar"][0]], 422, "bad_batch", "[1]"),
        ([BATCHES["nsq"][0], BATCHES["nsq"][0] | {"topic": "u"}], 422, "bad_value", "[1].topic"),
        ([BATCHES["nsq"][0], {"protocol": "nsq", "topic": 5}], 422, "bad_value", "[1].topic"),
        ([{"protocol": "amqp-1.0"}], 404, "no_batches", None),
        ([{"topic": "t"}], 422, "unknown_protocol", "protocol"),
        ([], 422, "bad_request", "messages"),
        ([5], 422, "bad_request", "messages[0]"),
    ],
)
def test_messages_that_cannot_be_batched_are_refused(
    messages: list[Any], status: int, code: str, field: str | None, client: Client
) -> None:
    answer = client.post("/v1/encode/batch", json={"messages": messages})
    assert (answer.status_code, answer.json()["code"], answer.json().get("field")) == (status, code, field)


def test_explain_and_batch_have_the_limits_of_the_other_routes() -> None:
    properties = [[f"k{at}", {"type": "uint", "value": at}] for at in range(200)]
    lossy = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "message": {"application_properties": properties}}
    with service(max_answer="20000", max_batch="2", max_decompressed="100") as client:
        small = client.post("/v1/explain", json=ASKED)
        assert small.status_code == 200
        wide = client.post("/v1/explain", json=lossy)
        assert (wide.status_code, wide.json()["code"], "MQCONVERT_MAX_ANSWER" in wide.json()["detail"]) == (
            413,
            "too_large",
            True,
        )
        long = BATCHES["nsq"][0] | {"body": base64.b64encode(bytes(20_000)).decode()}
        answer = client.post("/v1/encode/batch", json={"messages": [long]})
        assert (answer.status_code, answer.json()["code"]) == (413, "too_large")
        many = client.post("/v1/encode/batch", json={"messages": BATCHES["nsq"]})
        assert (many.status_code, many.json()["code"], many.json()["field"]) == (413, "too_many", "messages")
        assert "MQCONVERT_MAX_BATCH" in many.json()["detail"]
        raised = client.post("/v1/encode/batch", json={"messages": BATCHES["pulsar"], "options": {"max_frame_size": 2**40}})
        assert (raised.status_code, raised.json()["code"]) == (422, "bad_option")


def test_many_equal_keys_are_explained_in_bounded_time(client: Client) -> None:
    equal = [["k", {"type": "null", "value": None}]] * 20_000
    asked = {"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t", "message": {"application_properties": equal}}
    answer = client.post("/v1/explain", content=json.dumps(asked), headers={"content-type": "application/json"})
    assert answer.status_code == 200
    assert answer.json()["text"].count("\n") >= 20_000

"""Rules in a request: only if the service allows them, with limits on rows and time."""

import base64
import json
from typing import Any

import pytest

from mqconvert.app.http.work import REQUEST
from tests.app.services import SERVICE, Client

pytestmark = SERVICE

WIRE = base64.b64encode(bytes.fromhex("3006000174006869")).decode()
ASKED = {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE}
TO = '["mqtt-5.0 -> amqp-1.0"]\nrules = [\n%s\n]\n'
DROPPED = TO % '  { replace = "qos", to = "", as = "", via = "", note = "mine" },'
MANY = 4000
"""The limit of conftest.py."""


def rows(count: int) -> str:
    """Return an overlay with this number of rows, which are checked against one another."""
    row = '{ before = "user-property-x", id = "k-@", from = "user_properties[k@]", %s },'
    row %= 'to = "application_properties[k@]", as = "string"'
    return TO % "\n".join(row.replace("@", str(number)) for number in range(count))


def test_rules_are_refused_unless_a_setting_allows_them(client: Client) -> None:
    for answer in (
        client.post("/v1/convert", json=ASKED | {"rules": DROPPED}),
        client.post("/v1/explain", json=ASKED | {"rules": DROPPED}),
    ):
        assert (answer.status_code, answer.json()["code"]) == (403, "rules_refused")
        assert "MQCONVERT_ALLOW_RULES" in answer.json()["detail"]
    assert client.post("/v1/convert", json=ASKED).status_code == 200


def test_rules_change_a_conversion(lavish: Client) -> None:
    plain, own = (lavish.post("/v1/convert", json=ASKED | more).json() for more in ({}, {"rules": DROPPED}))
    assert (plain["message"]["header"]["durable"], own["message"].get("header", {}).get("durable")) == (False, None)
    assert [entry["note"] for entry in own["report"]["dropped"]] == ["mine"]
    assert plain["report"]["hash"] != own["report"]["hash"]
    assert "mine" in lavish.post("/v1/explain", json=ASKED | {"rules": DROPPED}).json()["text"]


def test_metrics_have_no_names_of_a_request(lavish: Client) -> None:
    """Their number would have no limit."""
    row = '  { before = "qos", id = "mine", from = "qos", when = "at-most 0", %s },'
    for refuses in ('lost = "mine"', 'error = "mine", note = "mine"'):
        answer = lavish.post("/v1/convert", json=ASKED | {"rules": TO % (row % refuses)})
        assert '"mine"' in answer.text
    metrics = lavish.get("/metrics").text
    assert "mine" not in metrics
    assert 'mqconvert_losses_total{rule="request",source="mqtt-5.0",target="amqp-1.0"} 1.0' in metrics
    assert 'mqconvert_errors_total{code="request"} 1.0' in metrics


def test_rules_come_only_in_a_json_body_that_says_so(lavish: Client) -> None:
    """A browser asks before it sends this Content-Type to another site (Fetch standard, CORS-safelisted request headers)."""
    body = json.dumps(ASKED | {"rules": DROPPED})
    for path in ("/v1/convert", "/v1/explain"):
        for headers in ({}, {"content-type": "text/plain"}, {"content-type": "application/x-www-form-urlencoded"}):
            answer = lavish.post(path, content=body, headers=headers)
            assert (answer.status_code, answer.json()["code"]) == (415, "bad_media_type")
        answer = lavish.post(path, params={"rules": DROPPED}, json=ASKED)
        assert (answer.status_code, answer.json()["code"]) == (422, "bad_request")


def test_a_batch_takes_no_rules(lavish: Client) -> None:
    query = {"from": "mqtt-5.0", "to": "amqp-1.0", "rules": DROPPED}
    answer = lavish.post("/v1/convert/batch", params=query, content=json.dumps({"wire": WIRE}))
    assert (answer.status_code, answer.json()["detail"]) == (422, "no parameter 'rules' here")


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        (TO % '  { id = "mine", from = "nowhere", to = "body" },', 3, "row mine: unknown place 'nowhere'"),
        ("rules = [", 1, "not TOML: "),
        ('title = "line 7"\n\nrules = 5', 3, "rules must be an array of rows"),
        ('extends = "/etc/passwd"', 1, "extends: not a profile"),
    ],
)
def test_invalid_rules_are_a_client_error(text: str, line: int, words: str, lavish: Client) -> None:
    answer = lavish.post("/v1/convert", json=ASKED | {"rules": text})
    told = answer.json()
    assert (answer.status_code, told["code"], told["file"], told["line"]) == (422, "bad_table", REQUEST, line)
    assert told["problem"].startswith(words)
    assert told["detail"] == f"{REQUEST}:{line}: {told['problem']}"


@pytest.mark.parametrize("between", ["},\n", "}, "])
def test_too_many_rows_are_refused_before_parsing(between: str, lavish: Client) -> None:
    """Rows count as they begin, also on one line."""
    answer = lavish.post("/v1/convert", json=ASKED | {"rules": rows(MANY + 1).replace("},\n", between)})
    told: dict[str, Any] = answer.json()
    assert (answer.status_code, told["code"], told["field"]) == (413, "too_many", "rules")
    assert "MQCONVERT_MAX_RULES" in told["detail"]


def test_slow_rules_are_stopped(impatient: Client) -> None:
    """Checking the maximum number of rows takes many times as long as the time limit of a request."""
    answer = impatient.post("/v1/convert", json=ASKED | {"rules": rows(MANY)})
    assert answer.status_code == 413
    assert answer.json()["code"] == "too_large"
    assert "MQCONVERT_WORK_TIMEOUT" in answer.json()["detail"]
    assert impatient.post("/v1/convert", json=ASKED).status_code == 200

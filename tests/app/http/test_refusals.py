"""What pydantic refuses is named with its value, in words of ours."""

import json
from typing import Any

import pytest

from mqconvert.app.http import work
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import Job, Jobs
from tests.app.http.inside import answer
from tests.app.http.test_document import _ask
from tests.app.services import WIRE


@pytest.mark.parametrize(
    ("member", "known"), [("on_loss", "'report', 'fail', 'strict' or 'ignore'"), ("payload", "'body' or 'envelope'")]
)
def test_an_invalid_choice_lists_the_valid_ones(member: str, known: str) -> None:
    reply = answer(Jobs(Settings()), {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE, member: "other"})
    assert reply.status == 422
    assert f"{member}: expected {known}, got 'other'" in bytes(reply.body).decode()


@pytest.mark.parametrize(
    ("members", "field", "words"),
    [
        ({"adress": "t"}, "adress", "no member 'adress' here (did you mean 'address'?)"),
        ({"form": "nsq"}, "form", "no member 'form' here (did you mean 'from'?)"),
        (
            {"on_loss": "faill"},
            "on_loss",
            "on_loss: expected 'report', 'fail', 'strict' or 'ignore', got 'faill' (did you mean 'fail'?)",
        ),
        ({"frame": "sned"}, "frame", "frame must be one of send, message, dispatch, record (did you mean 'send'?)"),
        ({"clock": "5"}, "clock", "clock: expected a whole number, got '5'"),
        ({"clock": True}, "clock", "clock: expected a whole number, got true"),
        ({"escape": 1}, "escape", "escape: expected true or false, got 1"),
        ({"address": ["t"]}, "address", "address: expected text, got an array"),
        ({"fields": "wire"}, "fields", "fields: expected an array, got 'wire'"),
        ({"fields": ["wire", "x"]}, "fields[1]", "fields[1]: expected 'wire', 'message' or 'report', got 'x'"),
        ({"options": []}, "options", "options: expected an object, got an empty array"),
        ({"wire": "A" * 50, "to": None}, "to", "to: expected text, got null"),
        ({"options": {"max_batch": "1e3"}}, "max_batch", "max_batch: expected a whole number, got '1e3'"),
        ({"options": {"max_batch": 10**9}}, "max_batch", "max_batch: expected a number from 0 to 1000, got 1000000000"),
    ],
)
def test_a_refused_member_is_named_with_its_value(members: dict[str, Any], field: str, words: str) -> None:
    reply = answer(Jobs(Settings()), {"from": "nsq", "to": "amqp-1.0", "wire": WIRE} | members)
    told = json.loads(reply.body)
    assert (reply.status, told["field"], told["detail"]) == (422, field, words)


def test_a_missing_member_is_named() -> None:
    told = json.loads(answer(Jobs(Settings()), {"from": "nsq", "wire": WIRE}).body)
    assert (told["field"], told["detail"]) == ("to", "member 'to' is missing")


@pytest.mark.parametrize(
    ("path", "field", "words"),
    [
        ("/v1/rules?profil=preserve", "profil", "no parameter 'profil' here (did you mean 'profile'?)"),
        ("/v1/rules?bogus=1", "bogus", "no parameter 'bogus' here"),
        (
            "/v1/fidelity/nsq/phpmq?payload=envelop",
            "payload",
            "payload: expected 'body' or 'envelope', got 'envelop' (did you mean 'envelope'?)",
        ),
        ("/v1/routes?profile=preserve", "profile", "no parameter 'profile' here"),
        ("/v1/rules?profile=preserve&profile=preserve", "profile", "profile: given 2 times, but takes one value"),
        ("/v1/fidelity/nsq/phpmq?back=maybe", "back", "back: expected true or false, got 'maybe'"),
    ],
)
def test_a_refused_parameter_is_named_with_its_value(path: str, field: str, words: str) -> None:
    told = _ask("GET", path).json()
    assert (told["status"], told["code"], told["field"], told["detail"]) == (422, "bad_request", field, words)


@pytest.mark.parametrize(
    ("query", "field", "words"),
    [
        ("from=nsq", "to", "parameter 'to' is missing"),
        ("form=nsq&to=phpmq", "form", "no parameter 'form' here (did you mean 'from'?)"),
        ("from=nsq&to=phpmq&escape=True", "escape", "escape: expected true or false, got 'True' (did you mean 'true'?)"),
        (
            "from=nsq&to=phpmq&fields=wire,raport",
            "fields[0]",
            "fields[0]: expected wire, report or message, or several with commas, got 'wire,raport' (did you mean 'report'?)",
        ),
        ("from=nsq&to=phpmq&to=pulsar", "to", "to: given 2 times, but takes one value"),
        ("from=nsq&to=phpmq&clock=1e3", "clock", "clock: expected a whole number, got '1e3'"),
        (
            "from=nsq&to=phpmq&fields=x",
            "fields[0]",
            "fields[0]: expected wire, report or message, or several with commas, got 'x'",
        ),
    ],
)
def test_a_refused_parameter_of_a_batch_is_named_with_its_value(query: str, field: str, words: str) -> None:
    told = _ask("POST", f"/v1/convert/batch?{query}", []).json()
    assert (told["status"], told["code"], told["field"], told["detail"]) == (422, "bad_request", field, words)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/v1/rules/nsq/amqp1.0", "unknown protocol 'amqp1.0' (did you mean 'amqp-1.0'?)"),
        ("/v1/schemas/mqt", "unknown protocol 'mqt' (did you mean 'mqtt'?)"),
    ],
)
def test_an_unknown_protocol_of_a_path_suggests_one(path: str, words: str) -> None:
    told = _ask("GET", path).json()
    assert (told["status"], told["code"], told["detail"].split(";")[0]) == (404, "unknown_protocol", words)


@pytest.mark.parametrize(
    ("method", "path", "words"),
    [
        ("GET", "/v1/rule", "no path '/v1/rule' here (did you mean '/v1/rules'?)"),
        ("POST", "/v1/covert", "no path '/v1/covert' here (did you mean '/v1/convert'?)"),
        ("GET", "/" + "x" * 50, f"no path '/{'x' * 39}...' here"),
    ],
)
def test_an_unknown_path_suggests_one(method: str, path: str, words: str) -> None:
    told = _ask(method, path, {} if method == "POST" else None).json()
    assert (told["status"], told["code"], told["detail"]) == (404, "not_found", words)


@pytest.mark.parametrize(
    ("sent", "words", "remedy"),
    [
        ({"from": "amqp-1.0", "to": "mqtt-5.0"}, "no topic in topic_name; try the option address", {"option": "address"}),
        (
            {"from": "amqp-1.0", "to": "nsq", "address": "a/b"},
            ": 'a/b'; try the option escape=true",
            {"option": "escape", "value": "true"},
        ),
        ({"from": "amqp-1.0", "to": "pulsar", "address": "a", "frame": "message"}, "a MESSAGE has an id", None),
    ],
)
def test_an_error_has_the_option_that_avoids_it(sent: dict[str, Any], words: str, remedy: dict[str, str] | None) -> None:
    told = json.loads(answer(Jobs(Settings()), sent | {"message": {"body": {"data": ["aGk="]}}}).body)
    assert words in told["detail"]
    assert told.get("remedy") == remedy
    assert "--" not in told["detail"]


@pytest.mark.parametrize(
    ("wire", "words", "hint"),
    [
        ("3006000174006869", "packet type 13 is not a PUBLISH", "This looks like hex, and wire is base64."),
        ("30 06 00 01 74 00 68 69", "wire is not base64: it looks like hex", None),
        ("300600017400686970", "wire is not base64: it looks like hex", None),
        ("4AAA", "packet type 14 is not a PUBLISH", None),
        ("not base64", "wire is not base64", None),
    ],
)
@pytest.mark.parametrize(
    "more", [{"from": "mqtt-5.0", "to": "amqp-1.0"}, {"protocol": "mqtt-5.0"}, {"protocol": "mqtt-5.0", "spans": True}]
)
def test_hex_in_place_of_base64_is_told(more: dict[str, Any], wire: str, words: str, hint: str | None) -> None:
    job = work.convert if "from" in more else work.decode
    told = json.loads(Jobs(Settings()).perform(Job(job, {"body": json.dumps({"wire": wire, **more}).encode()})).body)
    assert (told["detail"], told.get("hint")) == (words, hint)


def test_a_number_beyond_the_limit_of_python_is_refused_in_our_words() -> None:
    reply = Jobs(Settings()).perform(Job(work.convert, {"body": b'{"clock": ' + b"9" * 5000 + b"}"}))
    assert (reply.status, json.loads(reply.body)["detail"]) == (400, "not JSON: a number of more than 4300 digits")

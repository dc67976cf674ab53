"""Requests that share their pipeline, and waits that share their timer: the same answers as one by one."""

import asyncio
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic_core import to_json

from mqconvert.app.http import work
from mqconvert.app.http.guard import _Patience
from mqconvert.app.http.models import BatchQuery
from mqconvert.app.http.settings import Settings
from mqconvert.app.http.work import LONGEST, PREPARED, Job, Jobs, Reply
from tests.app.test_document import _ask
from tests.app.test_jsontext import WITHOUT_FLOATS

WIRE = "MAYAAXQAaGk="
MESSAGE = {"protocol": "mqtt-5.0", "topic_name": "t", "payload": "aGk="}
OPTIONAL: dict[str, tuple[Any, ...]] = {
    "clock": (0, 1, True, 1.0, False, "1", None),
    "escape": (False, True, 0, None),
    "fields": (["wire"], ["report", "message"], [], ["wires"], "wire"),
    "options": ({}, {"max_batch": 1}, {"max_batch": True}, {"max_batch": 10**9}, {"max_body": 5}, [], 1.5),
    "address": ("a/b", "", "\ud800", None),
    "profile": ("documented", "rabbitmq-4.3", "other"),
    "on_loss": ("report", "fail", "other"),
    "rules": (None, "", "x"),
    "other": (1,),
    "message": (MESSAGE, {"topic_name": "t"}, {"topic_name": 5}, {"\ud800": 1}, None, 1),
    "wire": (WIRE, WIRE * 2, "aGk=", "aG k=", "é", "\ud800", "", 5, None, [WIRE]),
}
REQUESTS = st.fixed_dictionaries(
    {"from": st.sampled_from(["mqtt-5.0", "amqp-1.0", "other"]), "to": st.sampled_from(["amqp-1.0", "mqtt-5.0"])},
    optional={name: st.sampled_from(values) for name, values in OPTIONAL.items()},
)


def body(request: dict[str, Any]) -> bytes:
    return json.dumps(request).encode()


def answer(jobs: Jobs, request: dict[str, Any]) -> Reply:
    return jobs.perform(Job("convert", {"body": body(request)}))


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
        assert Jobs(Settings()).perform(Job("convert", {"body": raw})).status == 422


@pytest.mark.parametrize(
    ("member", "known"), [("on_loss", "'report', 'fail' or 'ignore'"), ("payload", "'body' or 'envelope'")]
)
def test_an_invalid_choice_lists_the_valid_ones(member: str, known: str) -> None:
    reply = answer(Jobs(Settings()), {"from": "mqtt-5.0", "to": "amqp-1.0", "wire": WIRE, member: "other"})
    assert reply.status == 422
    assert f"{member}: expected {known}, got 'other'" in bytes(reply.body).decode()


@pytest.mark.parametrize(
    ("members", "field", "words"),
    [
        ({"adress": "t"}, "adress", "no member 'adress' here (did you mean 'address'?)"),
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
        ("/v1/rules?profil=preserve", "profil", "no parameter 'profil' here"),
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


def test_a_number_beyond_the_limit_of_python_is_refused_in_our_words() -> None:
    reply = Jobs(Settings()).perform(Job("convert", {"body": b'{"clock": ' + b"9" * 5000 + b"}"}))
    assert (reply.status, json.loads(reply.body)["detail"]) == (400, "not JSON: a number of more than 4300 digits")


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


def test_a_wait_ends_in_time_although_an_earlier_one_set_the_timer() -> None:
    async def waited() -> float:
        loop, patience = asyncio.get_running_loop(), _Patience()
        assert await patience.within(0.05, asyncio.sleep(0, "at once")) == "at once"
        await asyncio.sleep(0.1)  # without a wait, the timer ends nothing
        assert await patience.within(0.05, asyncio.sleep(0.01, "soon")) == "soon"
        start = loop.time()
        with pytest.raises(TimeoutError):
            await patience.within(0.1, asyncio.sleep(10))
        patience.end()
        await asyncio.sleep(0)
        current: Any = asyncio.current_task()
        assert not current.cancelling()
        return loop.time() - start

    assert 0.09 < asyncio.run(waited()) < 5


def test_a_wait_that_somebody_else_cancels_is_cancelled() -> None:
    async def cancelled(late: bool) -> None:
        patience = _Patience()
        task = asyncio.ensure_future(patience.within(0.05 if late else 10, asyncio.sleep(10)))
        await asyncio.sleep(0)
        if late:  # both in the same turn of the loop
            await asyncio.sleep(0.04)
            while not patience.late:
                patience._ring()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        patience.end()

    for late in (False, True):
        asyncio.run(cancelled(late))


def batch(settings: Settings, lines: list[dict[str, Any]], **more: Any) -> list[dict[str, Any]]:
    """Return the answers of a batch."""
    block = b"".join(body(line) + b"\n" for line in lines)
    query = BatchQuery.model_validate(more)
    reply = Jobs(settings).perform(Job("convert_lines", {"block": block, "query": query, "left": 100}))
    assert reply.status == 200
    return [json.loads(line) for line in bytes(reply.body).splitlines()]


def test_answers_of_a_batch_are_lines_of_the_next_batch() -> None:
    there = batch(Settings(), [{"id": 1, "wire": "MAYAAXQAaGkwBgABdABobw=="}], **{"from": "mqtt-5.0", "to": "amqp-1.0"})
    back = batch(Settings(), there, **{"from": "amqp-1.0", "to": "mqtt-5.0", "address": "t"})
    assert [(line["id"], line["index"], line["wire"]) for line in back] == [(1, 0, WIRE), (1, 1, "MAYAAXQAaG8=")]


def test_a_line_whose_answer_is_too_large_keeps_its_id() -> None:
    [answer] = batch(Settings(max_answer=300), [{"id": "a" * 20, "wire": WIRE}], **{"from": "mqtt-5.0", "to": "amqp-1.0"})
    assert (answer["id"], answer["error"]["code"]) == ("a" * 20, "too_large")

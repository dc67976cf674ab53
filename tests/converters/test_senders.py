"""Messages of real senders, most from public bug reports (`source`): what they decode and convert to, and what is reported.

A case has a `message` (JSON) or `wire` bytes, `wanted` values by dotted place (None: unset), `lost` fields, part of the bytes
as `wire_out`, an `error` code and its `reason`; with `back` the way back is exact.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Environment, LossError, MqConvertError, convert, decode, encode, message_from_json, message_to_json

CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "senders.jsonl").read_text().splitlines()]


def at(form: Any, place: str) -> Any:
    """Return the value at a dotted place of a message's JSON form; the last name may be the key of an entry."""
    for name in place.split(".", 2) if place.startswith("basic.headers.") else place.split(".", 1):
        form = form.get(name) if isinstance(form, dict) else dict(form).get(name)
        if form is None:
            return None
    return form


def outcome(case: dict[str, Any]) -> tuple[Any, Any, Any]:
    """Return the resulting message, the report of a conversion, and the error; for a loss, all three."""
    choices: dict[str, Any] = {"profile": case.get("profile", "documented"), "on_loss": case.get("on_loss", "report")}
    environment = Environment(address=None if "routing_key" in case.get("message", {}) else "t")
    try:
        message = read(case)
        done = None if "to" not in case else convert(message, case["to"], environment=environment, **choices)
    except LossError as error:
        return error.conversion.message, error.conversion.report, error
    except MqConvertError as error:
        return None, None, error
    return (message, None, None) if done is None else (done.message, done.report, None)


def read(case: dict[str, Any]) -> Any:
    if "message" in case:
        return message_from_json(case["message"])
    return decode(case["from"], bytes.fromhex(case["wire"]), **case.get("options", {}))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_messages_of_real_senders_are_read_right(case: dict[str, Any]) -> None:
    made, report, error = outcome(case)
    assert (error and error.code) == case.get("error")
    assert error is None or case.get("reason", "") in error.message
    if report is not None:
        assert sorted({lost.field for lost in report.lost}) == case.get("lost", [])
    if made is not None:
        form = message_to_json(made)
        assert {place: at(form, place) for place in case.get("wanted", {})} == case.get("wanted", {})
        assert case.get("wire_out", "") in encode(made).hex()


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES if case.get("back")])
def test_the_way_back_is_exact(case: dict[str, Any]) -> None:
    back = convert(outcome(case)[0], case["from"], environment=Environment(address="t"))
    given, made = message_to_json(read(case)), message_to_json(back.message)
    assert not back.report.lost
    assert [at(made, place) for place in PLACES] == [at(given, place) for place in PLACES]


PLACES = ("basic.headers.born", "response_topic")

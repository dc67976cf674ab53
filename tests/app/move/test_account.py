"""The account of a move: numbers that add up in every form, and metrics that Prometheus' own parser reads."""

import json
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any
from urllib.error import HTTPError

import pytest
from prometheus_client.parser import text_string_to_metric_families

from mqconvert import DecodeError, EncodeError, convert
from mqconvert.app.move.account import Account, serve_metrics
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5

RETAINED = convert(mqtt5.Message(topic_name="t", retain=1, payload=b"hi"), "amqp-0.9.1").report
LOSSY = convert(mqtt5.Message(topic_name="t", content_type="x" * 300, payload=b"hi"), "amqp-0.9.1").report
WHOLE = convert(amqp10.Message(body=amqp10.Data([b"a"])), "amqp-1.0").report


def _account(errors: str = "text") -> Account:
    account = Account(errors)
    for report in (RETAINED, RETAINED, LOSSY, WHOLE):
        account.moved(report)
    for number in range(3):
        account.refused(EncodeError("bad_topic", f"topic {number}", field="topic"))
    account.refused(EncodeError("too_large", "300 bytes", field="body"))
    return account


def test_the_numbers_are_those_of_the_reports() -> None:
    account = _account()
    made = account.as_dict()
    assert (made["received"], made["moved"], made["refused"]) == (8, 4, {"bad_topic": 3, "too_large": 1})
    reports = [RETAINED, RETAINED, LOSSY, WHOLE]
    assert made["summary"]["fields"] == sum(report.summary.fields for report in reports)
    assert sum(made["dropped_by_rule"].values()) == sum(len(report.dropped) for report in reports) > 0
    assert sum(made["lost_by_rule"].values()) == sum(len(report.lost) for report in reports) > 0
    assert json.loads(json.dumps(made)) == made


def test_the_text_has_a_line_for_each_kind_of_fate(capsys: pytest.CaptureFixture[str]) -> None:
    account = _account()
    account.broken("a file: no message", DecodeError("no_message", "no message"))
    account.lost_connection("source", "the connection was lost")
    account.lost_connection("source", "the connection was lost")
    first, fields, *others = str(account).splitlines()
    assert first == "4 of 8 messages moved; 4 refused: bad_topic 3, too_large 1; 1 broken entry in files"
    assert fields == str(account.fields)
    assert [line.partition(":")[0] for line in others] == ["values lost by row", "fields dropped by row", "connections lost"]
    assert others[-1] == "connections lost: source 2; some messages may have arrived twice"
    told = capsys.readouterr().err
    assert told.count("source: the connection was lost; trying again") == 1
    assert told.count("broken: a file: no message") == 1


def test_a_message_that_stays_with_the_source_was_received_and_not_moved() -> None:
    account = Account("json")
    account.moved(WHOLE)
    account.stays(EncodeError("bad_topic", "no topic", field="topic_name"))
    assert str(account).splitlines()[0] == "1 of 2 messages moved; 1 refused, still with the source: bad_topic 1"
    made = account.as_dict()
    assert (made["received"], made["moved"], made["refused"], made["kept"]) == (2, 1, {}, {"bad_topic": 1})


def test_the_text_names_the_most_frequent_codes() -> None:
    account = Account("json")
    for number in range(8):
        for _ in range(1000 + number):
            account.refusals[f"code_{number}"] += 1
    named = "code_7 1,007, code_6 1,006, code_5 1,005, code_4 1,004, code_3 1,003, 3 more"
    assert str(account) == f"0 of 8,028 messages moved; 8,028 refused: {named}"


def test_an_empty_account_is_one_line() -> None:
    assert str(Account()) == "0 of 0 messages moved"


@pytest.mark.parametrize("errors", ["text", "json"])
def test_the_first_error_of_each_code_is_told(errors: str, capsys: pytest.CaptureFixture[str]) -> None:
    _account(errors)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 2
    if errors == "json":
        assert [json.loads(line)["code"] for line in lines] == ["bad_topic", "too_large"]
    else:
        assert lines[0] == "mqconvert: refused: topic 0 (field topic) [bad_topic]"


def test_a_defect_of_ours_is_told_with_its_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    account = Account()
    for _ in range(2):
        account.refused(EncodeError("internal", "ZeroDivisionError: ours", field=""))
    assert capsys.readouterr().err.count("EncodeError: ZeroDivisionError: ours") == 2


# ---- metrics ------------------------------------------------------------------------------------------------------------


@contextmanager
def _served(account: Account, *, ready: bool = True) -> Iterator[str]:
    server = serve_metrics(0, account, lambda: ready, lambda: 7)
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


def _page(url: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(url) as answer:
            return answer.status, answer.read().decode()
    except HTTPError as error:
        with error:
            return error.code, error.read().decode()


def _samples(text: str) -> dict[str, dict[str, float]]:
    """Return the values by the name of the metric, and by the value of its only label."""
    found: dict[str, dict[str, float]] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found.setdefault(sample.name, {})["".join(sample.labels.values())] = sample.value
    return found


def test_prometheus_reads_the_numbers_of_the_account() -> None:
    account = _account("json")
    account.connections["target"] += 2
    account.faults += 1
    with _served(account) as url:
        samples = _samples(_page(f"{url}/metrics")[1])
    made: dict[str, Any] = account.as_dict()
    assert samples == {
        "mqconvert_move_moved_total": {"": 4},
        "mqconvert_move_broken_entries_total": {"": 1},
        "mqconvert_move_in_flight": {"": 7},
        "mqconvert_move_refused_total": made["refused"],
        "mqconvert_move_lost_total": made["lost_by_rule"],
        "mqconvert_move_dropped_total": made["dropped_by_rule"],
        "mqconvert_move_connections_lost_total": {"target": 2},
    }


def test_pages_tell_whether_the_ends_are_up() -> None:
    with _served(Account(), ready=False) as url:
        assert _page(f"{url}/healthz") == (200, "up\n")
        assert _page(f"{url}/readyz") == (503, "an end is down\n")
        assert _page(f"{url}/other")[0] == 404
    with _served(Account()) as url:
        assert _page(f"{url}/readyz") == (200, "ready\n")


def test_a_port_that_is_taken_is_an_error() -> None:
    with _served(Account()) as url, pytest.raises(OSError, match="in use"):
        serve_metrics(int(url.rpartition(":")[2]), Account(), lambda: True, lambda: 0)

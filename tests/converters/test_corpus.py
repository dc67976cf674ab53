"""Every open case of the corpus, with the answers of RabbitMQ's page, RabbitMQ 4.0 and RabbitMQ 4.3."""

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest

from mqconvert import DecodeError, Environment, Report, convert, decode, encode
from mqconvert.converters.engine.report import Dropped, Lost
from mqconvert.converters.model.paths import path
from tests.corpus import PAIRS, lines, read
from tests.oracle import wire
from tests.oracle.wellformed import well_formed
from tests.oracle.wire import View
from tests.validity import faults, parts_of

NEWEST = {case["id"]: case["expected"] for case in lines("newest")}
PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")


def wanted(case: dict[str, Any], profile: str) -> View | None:
    """Return the view of the profile's answer, or None for errors and mixed cases."""
    answer = case.get("page") if profile == "documented" else case["expected"]
    if profile == "rabbitmq-4.3":
        answer = NEWEST.get(case["id"], answer)
    if answer is None or "error" in answer or "skip" in answer:
        return None
    names = ("properties", "body") if case["target"] == "amqp-0.9.1" else ("wire",)
    return wire.view(case["target"], tuple(bytes.fromhex(answer[name]) for name in names))


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("pair", PAIRS)
def test_conversions_give_the_answers_of_the_corpus(pair: str, profile: str) -> None:
    counted: Counter[str] = Counter()
    wrong = []
    for case in lines(pair):
        try:
            message = read(case["source"], case["input"])
        except DecodeError:
            # The decoder refuses only sources that their own protocol forbids.
            assert any(tag.startswith("bad-source:") for tag in case["tags"]), case["id"]
            counted["refused"] += 1
            continue
        environment = Environment(address="t") if case["target"] == "mqtt-5.0" else Environment()
        conversion = convert(message, case["target"], profile=profile, environment=environment)
        # With any profile the result is well-formed: it can be encoded, and its own decoder accepts it.
        back = decode(case["target"], encode(conversion.message))
        assert faults(back) == []
        answer = wanted(case, profile)
        if answer is None:
            continue
        counted["compared"] += 1
        refused = {lost.field for lost in conversion.report.lost if lost.rule and lost.rule.endswith("-refused")}
        if refused:
            # The page's answers do not have the ruling on legacy headers: the result is that without the header.
            assert conversion.message == convert(without_headers(message, refused), case["target"], profile=profile).message
            counted["ruled"] += 1
            continue
        ours = wire.view(case["target"], parts_of(back))
        theirs, gone = well_formed(case["target"], answer)
        if gone:
            # Well-formedness wins: the result lacks the ill-formed entries, and the report has each of them.
            counted["ill-formed"] += 1
            wrong += [
                f"{case['id']}: {one}" for one in gone if one.place != "body" and not reported(conversion.report, *one[:2])
            ]
        if any(one.place == "body" for one in gone):
            # The bytes of an ill-formed body become a data section.
            assert ours["body"] == [("data", ("binary", message.payload))]
            theirs["body"] = ours["body"]
        if theirs != ours:
            wrong.append(case["id"])
    assert wrong == []
    assert counted["compared"] > 700, counted
    assert (counted["ruled"] > 10) is (pair == "amqp091_to_amqp10" and profile == "documented"), counted
    # The decoder refuses ill-formed MQTT, and well-formed MQTT hardly gives ill-formed results.
    assert counted["ill-formed"] >= (0 if pair.startswith("mqtt5") else 10), counted


def without_headers(message: Any, fields: set[str]) -> Any:
    """Return the message without the headers at these field paths."""
    kept = [header for header in message.basic.headers if path("basic.headers", header.key) not in fields]
    return replace(message, basic=replace(message.basic, headers=kept))


AS_FAR_AS_THE_PAGE = {
    # The page converts these to "text" without a format; RabbitMQ's code fails on them, ours writes them (E11, B20, F7).
    "rule:E11", "rule:B20", "rule:F7",
    # Decoding removes compact constructors, which RabbitMQ's parser refuses (A26); a missing body is not a fault.
    "rule:A26", "rule:A38",
    # Sections in a header or payload stay if they are well-formed, even if RabbitMQ's encoder or check of keys fails (B7, B14).
    "rule:B7", "rule:B14",
}  # fmt: skip
"""Cases in which a broker fails, but neither the page nor the target requires a loss."""


@pytest.mark.parametrize("profile", PROFILES[1:])
@pytest.mark.parametrize("pair", PAIRS)
def test_messages_that_crash_the_broker_follow_its_page_or_report_losses(pair: str, profile: str) -> None:
    """README of the corpus: convert, drop the field that cannot be converted, and report it."""
    followed = told = 0
    for case in lines(pair):
        answer = case["expected"] if profile == "rabbitmq-4.0" else NEWEST.get(case["id"], case["expected"])
        if "error" not in answer or AS_FAR_AS_THE_PAGE & set(case["tags"]):
            continue
        if any(tag.startswith("bad-source:") for tag in case["tags"]):
            continue
        try:
            message = read(case["source"], case["input"])
        except DecodeError:
            continue
        report = convert(message, case["target"], profile=profile, environment=Environment(address="t")).report
        page = convert(message, case["target"], environment=Environment(address="t")).report
        if report.lost or report.dropped:
            told += 1
        else:
            assert page.lost + page.dropped == (), case["id"]
            followed += 1
    assert followed + told > 0


def reported(report: Report, place: str, key: Any) -> bool:
    """Return whether a loss names the entry that should be at `place` (under `key` there) of the target.

    Drops count if another row had filled the place, and for RabbitMQ's own annotations, which it does not pass on.
    """
    drops = [drop for drop in report.dropped if drop.note.startswith("taken by") or "x-basic-" in drop.field]
    raw = key[1] if isinstance(key, tuple) else key
    text = raw.decode("utf-8", "surrogateescape") if isinstance(raw, bytes) else raw
    lines_: tuple[Lost | Dropped, ...] = (*report.lost, *drops)
    for line in lines_:
        aims = report.rule(line.rule, line.leg).target if line.rule else None
        if aims in (place, "@sections") or (key is not None and f'["{text}"]' in line.field):
            return True
        if "x-basic-" in line.field or (aims is None and line.field.rpartition(".")[2] == place.rpartition(".")[2]):
            return True
    return False

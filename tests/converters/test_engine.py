"""The engine: tables with mistakes are refused with file and line, rows do what DESIGN says, reports account for all."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    PROTOCOLS,
    ConversionError,
    Environment,
    LossError,
    NoRouteError,
    RuleTableError,
    TypedValue,
    check_rules,
    convert,
    decode,
    encode,
    fidelity,
    generated_source,
    routes,
    rule_tables,
)
from mqconvert.converters.messages import amqp091, amqp10, mqtt5
from tests.corpus import PAIRS, lines, read
from tests.strategies import MESSAGES

# ruff: noqa: E501 - a row stands on one line
HEAD = '["amqp-1.0 -> amqp-0.9.1"]\n'
MISTAKES = {
    "place": ('rules = [\n  { id = "a", from = "header.nothing", note = "n" },\n]', "unknown place 'header.nothing'"),
    "target": ('rules = [\n  { before = "ttl", id = "a", from = "header.ttl", when = "set", to = "basic.no" },\n]', "unknown place 'basic.no'"),
    "type": ('rules = [\n  { before = "ttl", id = "a", from = "header.ttl", type = "string", note = "n" },\n]', "unknown type 'string'"),
    "condition": ('rules = [\n  { before = "ttl", id = "a", from = "header.ttl", when = "never", note = "n" },\n]', "unknown condition"),
    "transform": ('rules = [\n  { replace = "ttl", via = "magic" },\n]', "unknown transform 'magic'"),
    "unreachable": ('rules = [\n  { after = "ttl", id = "a", from = "header.ttl", note = "n" },\n]', "never reached: ttl"),
    "duplicate": ('rules = [\n  { before = "ttl", id = "ttl", from = "header.ttl", when = "set", note = "n" },\n]', "duplicate id 'ttl'"),
    "cannot hold": ('rules = [\n  { replace = "ttl", to = "basic.priority" },\n]', "basic.priority holds octet (int), but the row gives str"),
    "column": ('rules = [\n  { replace = "ttl", wenn = "set" },\n]', "unknown column 'wenn'"),
    "no row": ('rules = [\n  { replace = "nothing", note = "n" },\n]', "no row 'nothing'"),
}  # fmt: skip


@pytest.mark.parametrize(("rows", "problem"), MISTAKES.values(), ids=list(MISTAKES))
def test_mistakes_are_refused(tmp_path: Path, rows: str, problem: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(HEAD + rows)
    with pytest.raises(RuleTableError) as caught:
        check_rules(str(file))
    assert problem in str(caught.value)
    assert str(caught.value).startswith(("mine.toml:3:", "amqp10_to_amqp091.toml:"))


@given(text=st.text(max_size=60))
def test_any_text_is_a_good_or_a_refused_overlay(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("overlay") / "any.toml"
    file.write_text(text, encoding="utf-8", errors="ignore")
    try:
        check_rules(str(file))
    except RuleTableError as error:
        assert "any.toml" in str(error)  # noqa: PT017 - a good overlay is as right as a refused one


def test_overlay_adds_replaces_removes(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        HEAD + 'remove = ["priority"]\nrules = [\n'
        '  { replace = "subject", to = "basic.headers[subject]", as = "longstr", via = "octets" },\n'
        '  { before = "ttl", id = "ttl-zero", from = "header.ttl", when = "is-zero", note = "at once" },\n]\n'
    )
    message = amqp10.Message(
        header=amqp10.Header(priority=3, ttl=0), properties=amqp10.Properties(subject="s"), body=amqp10.Data([b""])
    )
    done = convert(message, "amqp-0.9.1", rules=[str(file)])
    assert isinstance(done.message, amqp091.Message)
    assert done.message.basic == amqp091.BasicProperties(headers=[("subject", TypedValue("longstr", b"s"))])
    assert [(lost.field, lost.rule) for lost in done.report.lost] == [("header.priority", None)]
    assert [(drop.rule, drop.note) for drop in done.report.dropped] == [("ttl-zero", "at once")]


def test_drop_and_loss_are_told_apart() -> None:
    message = amqp10.Message(
        properties=amqp10.Properties(subject="s", message_id=TypedValue("string", "a" * 256)), body=amqp10.Data([b""])
    )
    report = convert(message, "amqp-0.9.1").report
    assert [(drop.rule, drop.field) for drop in report.dropped] == [("subject", "properties.subject")]
    assert [(lost.field, lost.reason) for lost in report.lost] == [("properties.message_id", "no row takes it")]


def test_loss_policy() -> None:
    message = amqp10.Message(properties=amqp10.Properties(creation_time=1), body=amqp10.Data([b""]))
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-0.9.1", on_loss="fail")
    assert [loss.reason for loss in caught.value.losses] == ["the fraction of a second"]
    assert convert(message, "amqp-0.9.1", on_loss="ignore").report.lost == ()


def test_second_equal_key_is_lost_and_the_first_stays() -> None:
    headers = [("k", TypedValue("void", None)), ("k", TypedValue("bool", True))]
    done = convert(amqp091.Message(amqp091.BasicProperties(headers=headers)), "amqp-1.0")
    assert isinstance(done.message, amqp10.Message)
    assert done.message.application_properties == [("k", TypedValue("null", None))]
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [('basic.headers["k"]', "a second equal key")]


def test_losses_inside_values_have_their_path() -> None:
    value = TypedValue("list", [TypedValue("decimal32", bytes(4)), TypedValue("boolean", True)])
    message = amqp10.Message(message_annotations=[("x-k", value)], body=amqp10.Data([b""]))
    report = convert(message, "amqp-0.9.1").report
    assert [(lost.field, lost.rule) for lost in report.lost] == [('message_annotations["x-k"][0]', "type-decimal")]


def test_addresses() -> None:
    message = amqp091.Message(exchange="x", routing_key="a.b")
    done = convert(message, "mqtt-5.0")
    assert done.message == mqtt5.Message(topic_name="a/b")
    assert [entry.rule for entry in done.report.accounted] == ["exchange"]
    given = convert(message, "mqtt-5.0", environment=Environment(address="t"))
    assert given.message == mqtt5.Message(topic_name="t")


def test_unknown_names() -> None:
    with pytest.raises(NoRouteError, match="unknown protocol"):
        convert(b"", "mqtt-5.0", source="stomp")
    with pytest.raises(NoRouteError, match="unknown profile"):
        convert(mqtt5.Message(topic_name="t"), "amqp-1.0", profile="rabbitmq-1.0")


def test_routes_join_every_pair() -> None:
    found = {(route.source, route.target): route.tables for route in routes()}
    joined = {name for pair in found for name in pair}
    assert len(found) == len(joined) * (len(joined) - 1)
    assert found["mqtt-3.1.1", "amqp-1.0"] == ["mqtt-3.1.1 -> mqtt-5.0", "mqtt-5.0 -> amqp-1.0"]
    assert found["amqp-1.0", "mqtt-5.0"] == ["amqp-1.0 -> mqtt-5.0"]


@pytest.mark.parametrize(
    ("source", "target"), [*((name, name) for name in PROTOCOLS), *((route.source, route.target) for route in routes())]
)
@given(data=st.data())
def test_conversion_is_total_and_accounts_for_every_field(source: str, target: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[source])
    profile = data.draw(st.sampled_from(["documented", "rabbitmq-4.0", "rabbitmq-4.3"]))
    try:
        done = convert(message, target, profile=profile, environment=Environment(address="t"))
    except ConversionError as error:
        assert error.rule in REFUSALS  # noqa: PT017 - what its rows refuse is as right as what they convert
        return
    assert decode(target, encode(done.message)) is not None
    if source == target:
        assert done.message is message
        return
    report = done.report
    named = {entry.source for entry in report.applied} | {entry.field for entry in report.dropped}
    named.update(entry.field for entry in report.accounted)
    named.update(lost.field for lost in report.lost)
    for field in _set_fields(message):
        assert any(name == field or name.startswith(field) for name in named), (field, named)


REFUSALS = {"control-record", "empty", "delay-refused", "to-refused", "body-refused", "properties-refused", "string-refused"}
"""Rows that refuse a message, all of them of the brokers' tables."""


def _set_fields(message: Any) -> list[str]:
    found = []
    for name in message.__slots__:
        value = getattr(message, name)
        if value is None or (name in ("dup", "retain", "flag", "sys_flag", "ttl", "topic") and not value):
            continue
        inner = getattr(value, "__slots__", None)
        if inner is not None and not isinstance(value, amqp10.Data | amqp10.AmqpSequence | amqp10.AmqpValue):
            parts = [(f"{name}.{part}", getattr(value, part)) for part in inner]
        else:
            parts = [(name, value)]
        found += [path for path, part in parts if part is not None and part != []]
    return found


@pytest.mark.parametrize("profile", ["documented", "rabbitmq-4.0", "rabbitmq-4.3"])
def test_every_row_is_fired_by_a_case(profile: str) -> None:
    fired: dict[tuple[str, str], Counter[str]] = {}
    for pair in PAIRS:
        for case in lines(pair):
            key = (case["source"], case["target"])
            counter = fired.setdefault(key, Counter())
            try:
                message = read(case["source"], case["input"])
            except Exception:  # noqa: BLE001 - sources that are refused fire no row
                continue
            address = Environment(address="t") if len(counter) % 2 else Environment()
            report = convert(message, case["target"], profile=profile, environment=address).report
            for entries in (report.applied, report.dropped, report.accounted):
                counter.update(entry.rule for entry in entries)
            counter.update(entry.type_rule for entry in report.applied if entry.type_rule)
            counter.update(entry.rule for entry in report.lost if entry.rule)
    unfired = {
        (table.name, rule.id)
        for table in rule_tables(profile)
        for rule in (*table.rules, *table.types)
        if rule.scope not in ("key", "entry")  # rows for what lies inside a value are not noted one by one
        and (table.source, table.target) in fired
        and not fired[table.source, table.target][rule.id]
    }
    assert {rule for _, rule in unfired} <= NOT_IN_THE_CORPUS, unfired


NOT_IN_THE_CORPUS = {"exchange", "routing-key", "routing-key-topic", "packet-identifier", "topic", "to-topic"}
"""Rows about where a message goes (the corpus has no addresses), each with an example of its own in this module."""


def test_generated_source_reads_and_shows_in_tracebacks() -> None:
    text = generated_source("amqp-0.9.1", "amqp-1.0")
    assert "def amqp_0_9_1_to_amqp_1_0(source, environment, notes):" in text
    assert "# message-id-uuid, amqp091_to_amqp10.toml:" in text


def test_forecast_names_drops_and_losses() -> None:
    outcomes = {(o.field, o.case): o for o in fidelity("amqp-1.0", "amqp-0.9.1").outcomes}
    assert outcomes["properties.subject", ""].outcome == "dropped"
    assert outcomes["properties.creation_time", ""].to == "basic.timestamp"
    back = {(o.field, o.type): o.outcome for o in fidelity("mqtt-5.0", "amqp-1.0", back=True).outcomes if not o.case}
    assert back["content_type", "utf8"] == "survives"
    assert back["message_expiry_interval", "uint"] == "lost"

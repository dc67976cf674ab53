"""Notes of rows that rename, move or store fields give an account of the message's own fields."""

from typing import Any

import pytest

from mqconvert import Entry, Environment, convert
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.routes import Overlay
from tests.converters.account.accounts import applied, hub, one_row


def test_a_sorting_row_reports_the_entries_that_it_moved() -> None:
    message = mqtt5.Message(topic_name="t", user_properties=[("b", "1"), ("a", "2"), ("c", "3")])
    moved = {line for line in applied(message, "amqp-0.9.1") if line[0] == "sorted"}
    assert moved == {("sorted", f'user_properties["{key}"]', f'basic.headers["{key}"]') for key in "ab"}
    in_order = mqtt5.Message(topic_name="t", user_properties=[("a", "2"), ("b", "1")])
    assert "sorted" not in {rule for rule, _, _ in applied(in_order, "amqp-0.9.1")}


@pytest.mark.parametrize("target", ["nsq", "phpmq"])
def test_a_field_lost_by_two_rows_is_in_the_envelope_once(target: str) -> None:
    """The row of the overlay loses the value. The next row only accounts for it."""
    row = 'before = "priority", id = "mine", from = "header.priority", more = true, note = "not here"'
    mine = one_row(f"amqp-1.0 -> {target}", "rules", row)
    message = hub(header=amqp10.Header(priority=4))
    report = convert(message, target, rules=mine, environment=Environment(payload="envelope", address="t")).report
    assert [entry.rule for entry in report.applied if entry.source == "header.priority"] == ["envelope"]
    assert (report.lost, report.dropped, report.accounted) == ((), (), ())


def test_each_of_several_equal_keys_is_in_the_envelope() -> None:
    twins: Any = [Entry("k", "int", 1), Entry("k", "int", 2)]
    row = 'id = "mine", from = "footer[k]", more = true, note = "not here"'
    mine = one_row("amqp-1.0 -> phpmq", "rules", row)
    report = convert(hub(footer=twins), "phpmq", rules=mine, environment=Environment(payload="envelope", address="t")).report
    assert [entry.rule for entry in report.applied if entry.source == 'footer["k"]'] == ["envelope", "envelope"]


def test_a_whole_row_that_keeps_a_part_reports_its_field_once_and_loses_the_rest() -> None:
    row = 'id = "mine", at = "properties.creation_time", via = "whole-seconds", whole = true'
    mine = one_row("nsq -> amqp-1.0", "finish", row)
    message = nsq.Message(timestamp=1_500_000_000, attempts=1, message_id=b"0" * 16, body=b"hi")
    done: Any = convert(message, "amqp-1.0", rules=mine)
    assert done.message.properties.creation_time == 1
    told = [(entry.rule, entry.source) for entry in done.report.applied if entry.target == "properties.creation_time"]
    assert told == [("creation-time", "timestamp"), ("mine", "timestamp")]
    assert [(loss.rule, loss.reason) for loss in done.report.lost] == [("mine", "the fraction of a second")]


def test_losses_of_renamed_entries_have_the_keys_of_the_message() -> None:
    """The start row of the table unescapes names, but the message has escaped ones. (The raw string would keep the value.)"""
    row = 'before = "own-x", id = "mine", from = "properties[k]", to = "properties.content_type"'
    mine = Overlay("mine.toml", f'["rocketmq -> amqp-1.0"]\nremove = ["raw-string"]\nrules = [\n  {{ {row} }},\n]\n')
    message = rocketmq.Message("t", b"a", [("amqp-b64.k", "=w6kC"), ("plain", "v")])
    report = convert(message, "amqp-1.0", rules=mine).report
    assert [(loss.rule, loss.field) for loss in report.lost] == [("mine", 'properties["amqp-b64.k"]')]


def test_renamed_entries_are_reported_by_the_keys_of_the_message() -> None:
    message = rocketmq.Message("t", b"a", [("amqp-b64.k", "="), ("amqp-type.k", "binary"), ("plain", "v")])
    told = applied(message, "amqp-1.0")
    assert {
        ("property", 'properties["amqp-b64.k"]', 'application_properties["k"]'),
        ("unescaped", 'properties["amqp-b64.k"]', 'application_properties["k"]'),
        ("type-beside", 'properties["amqp-type.k"]', 'application_properties["k"]'),
        ("property", 'properties["plain"]', 'application_properties["plain"]'),
    } <= told

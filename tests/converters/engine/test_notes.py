"""Notes of rows that rename, move or store fields give an account of the message's own fields."""

from typing import Any

import pytest

from mqconvert import Entry, Environment, convert
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from tests.converters.account.accounts import applied, hub, one_row


def test_a_sorting_row_reports_the_entries_that_it_moved() -> None:
    message = mqtt5.Message(topic_name="t", user_properties=[("b", "1"), ("a", "2"), ("c", "3")])
    moved = {line for line in applied(message, "amqp-0.9.1") if line[0] == "sorted"}
    assert moved == {("sorted", f'user_properties["{key}"]', f'basic.headers["{key}"]') for key in "ab"}
    in_order = mqtt5.Message(topic_name="t", user_properties=[("a", "2"), ("b", "1")])
    assert "sorted" not in {rule for rule, _, _ in applied(in_order, "amqp-0.9.1")}


@pytest.mark.parametrize("target", ["nsq", "phpmq"])
def test_a_field_dropped_by_two_rows_is_in_the_envelope_once(target: str) -> None:
    """The row of the overlay and the next row drop the value."""
    row = 'before = "priority-dropped", id = "mine", from = "header.priority", more = true, note = "not here"'
    mine = one_row(f"amqp-1.0 -> {target}", "rules", row)
    message = hub(header=amqp10.Header(priority=4))
    report = convert(message, target, rules=mine, environment=Environment(payload="envelope", address="t")).report
    assert [entry.rule for entry in report.applied if entry.source == "header.priority"] == ["envelope"]
    assert (report.lost, report.dropped, report.accounted) == ((), (), ())


def test_each_of_several_equal_keys_is_in_the_envelope() -> None:
    twins: Any = [Entry("k", "int", 1), Entry("k", "int", 2)]
    row = 'before = "footer", id = "mine", from = "footer[k]", more = true, note = "not here"'
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


SECTION = Rule("section", "mine.toml", 5, {}, "basic.headers", source_pattern="*", target="footer", note="gone")
OTHER = Rule("other", "mine.toml", 6, {}, "payload", target="footer", note="gone")


def test_an_empty_section_is_dropped_unless_its_own_row_lost_it() -> None:
    notes = Notes()
    notes.lost.append(("payload", "payload", "unreadable", SECTION))
    notes.empty_section(OTHER, None)
    assert notes.dropped == [(OTHER, "payload", "an empty section")]
    notes.dropped.clear()
    notes.lost.append(("payload", "payload", "unreadable", OTHER))
    notes.empty_section(OTHER, None)
    assert notes.dropped == []


def test_a_complete_copy_removes_the_losses_of_its_place_and_of_parts_of_it() -> None:
    notes = Notes()
    fields = ["body", 'body["k"]', "body[1]", "body.value", "body_type", 'headers["body"]']
    notes.lost.extend((field, "map", "", OTHER) for field in fields)
    notes.keep("body", None)
    assert [field for field, _, _, _ in notes.lost] == ["body_type", 'headers["body"]']


def test_many_notes_are_indexed_again_after_a_row_replaced_some() -> None:
    first = Rule("first", "mine.toml", 7, {}, "headers", source_pattern="*", target="properties.to")
    notes = Notes()
    notes.taken += [(first, f"k{at}", None, None) for at in range(70)]
    assert notes.came_from("headers", "k3", None)
    notes.replace({"properties.to": OTHER})
    notes.taken += [(first, f"n{at}", None, None) for at in range(70)]
    assert notes.came_from("headers", "n3", None)
    assert not notes.came_from("headers", "k3", None)


def test_equal_names_that_become_different_ones_are_told_in_order() -> None:
    row = Rule("names", "mine.toml", 8, {}, "properties")
    first = Rule("first", "mine.toml", 7, {}, "headers", source_pattern="*", target="properties")
    notes = Notes()
    notes.taken += [(first, "a", "k", None), (first, "b", "k", None)]
    notes.finished_names(row, "properties", [("k", "1"), ("k", "2")], [("x", "1"), ("y", "2")])
    told = [(rule.id, key, to_key) for rule, key, to_key, _ in notes.taken]
    assert told == [("first", "a", "x"), ("names", "a", "x"), ("first", "b", "y"), ("names", "b", "y")]

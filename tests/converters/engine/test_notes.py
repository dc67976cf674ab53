"""Notes of rows that move or store fields give an account of the message's own fields."""

from typing import Any

import pytest

from mqconvert import Entry, Environment, LossError, convert, encode
from mqconvert.converters.engine.notes import Notes, _moved
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.running import Conversion
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


SECTION = Rule("section", "mine.toml", 5, {}, "basic.headers", source_pattern="*", target="footer", note="gone")
OTHER = Rule("other", "mine.toml", 6, {}, "payload", target="footer", note="gone")


def test_an_empty_section_is_dropped_unless_its_own_row_lost_it() -> None:
    notes = Notes()
    notes.lost.append(("payload", "payload", "unreadable", SECTION))
    notes.placed({}, [(OTHER, None)], [])
    notes.settle()
    assert notes.dropped == [(OTHER, "payload", "an empty section")]
    notes.dropped.clear()
    notes.lost.append(("payload", "payload", "unreadable", OTHER))
    notes.placed({}, [(OTHER, None)], [])
    notes.settle()
    assert notes.dropped == []


def test_strict_refuses_what_a_section_in_a_header_replaces() -> None:
    """The first reader of the notes is the policy."""
    annotations = encode(amqp10.Message(message_annotations=[Entry("x-a", "int", 1)]))
    headers = [Entry("x-amqp-1.0-message-annotations", "longstr", annotations), Entry("x-b", "bool", True)]
    message = amqp091.Message(basic=amqp091.BasicProperties(headers=headers))
    with pytest.raises(LossError) as caught:
        convert(message, "amqp-1.0", on_loss="strict")
    replaced = {entry.field for entry in caught.value.dropped if entry.note == "replaced by legacy-message-annotations"}
    assert 'basic.headers["x-b"]' in replaced


def test_a_report_is_not_complete_without_an_entry_that_a_later_row_removed() -> None:
    first = Rule("first", "mine.toml", 7, {}, "basic.headers", source_pattern="*", target="footer", target_template="*")
    table = RuleTable("amqp-0.9.1", "amqp-1.0", "mine.toml", "", (), (), (), ())
    for left, complete in (([Entry("k", "int", 1)], True), ([], False)):
        notes = Notes()
        notes.taken.append((first, "k", "k", None))
        notes.finished_map(SECTION, "footer", [Entry("k", "int", 1)], left, "@constant")
        assert Conversion(amqp10.Message(), [(table, notes)], (), amqp10.Message()).report.complete() is complete


def test_many_notes_are_indexed_again_after_a_row_replaced_some() -> None:
    first = Rule("first", "mine.toml", 7, {}, "headers", source_pattern="*", target="properties.to")
    notes = Notes()
    notes.taken += [(first, f"k{at}", None, None) for at in range(70)]
    assert notes.came_from(first, "k3", None)
    notes.replace({"properties.to": OTHER})
    notes.taken += [(first, f"n{at}", None, None) for at in range(70)]
    assert notes.came_from(first, "n3", None)
    assert not notes.came_from(first, "k3", None)


def test_a_member_with_another_value_is_no_moved_one() -> None:
    one, two, other = Entry("a", "int", 1), Entry("b", "int", 2), Entry("a", "int", 9)
    assert _moved([one, two], [two, one]) == ["b", "a"]
    assert _moved([one, two], [one, two]) == []
    assert _moved([one, two], [other, two]) is None
    assert _moved([one, one], [one, one]) is None

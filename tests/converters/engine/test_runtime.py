"""Helpers of generated functions: notes of rare cases, adding entries, nested values."""

from typing import Any

import pytest

from mqconvert import Array, Entry, TypedValue
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.runtime import Inside, TypeTable, part, put_before, refused, too_late
from mqconvert.converters.words import NOT_MINE, Loss, Partial

ROW = Rule("row", "mine.toml", 3, {}, "basic.headers", source_pattern="*", target="properties.to", note="no topic")
OTHER = Rule("other", "mine.toml", 4, {}, "basic.type", target="properties.to")


def test_a_filled_place_names_the_row_that_filled_it() -> None:
    notes = Notes()
    notes.taken.append(OTHER)
    too_late(notes, ROW, 'basic.headers["k"]', "longstr", "properties.to", None, "k")
    assert notes.dropped == [(ROW, 'basic.headers["k"]', "taken by other")]
    assert notes.lost == []


def test_the_second_of_equal_keys_is_lost() -> None:
    notes = Notes()
    notes.taken.append((ROW, "k", None, None))
    too_late(notes, ROW, 'basic.headers["k"]', "longstr", "properties.to", None, "k")
    assert notes.lost == [('basic.headers["k"]', "longstr", "a second equal key", ROW)]
    assert notes.dropped == []


@pytest.mark.parametrize(
    ("answer", "stays", "reason"),
    [
        (Loss("all of it"), None, "all of it"),
        (Partial(5, "a fraction"), 5, "a fraction"),
        (NOT_MINE, None, "the row does not take this value"),
    ],
)
def test_the_part_that_a_transform_keeps_stays_and_the_rest_is_lost(answer: Any, stays: Any, reason: str) -> None:
    lost: list[Any] = []
    assert part(answer, "uint", ROW, lost) == stays
    assert lost == [("", "uint", reason, ROW)]


def test_a_refusal_shows_short_values_only() -> None:
    assert refused(ROW, "@address", "a b").as_dict()["message"] == "no topic: 'a b'"
    assert refused(ROW, "@address", "a" * 100).as_dict()["message"] == "no topic"


def test_losses_inside_a_value_get_the_path_of_the_value() -> None:
    earlier, inside = ("footer", "map", "no row takes it", None), ("[1]", "uint", "no row takes this uint", None)
    lost: list[Any] = [earlier, inside]
    put_before("application_properties", lost, 1)
    assert lost == [earlier, ("application_properties[1]", *inside[1:])]


def _as_text(value: Any, _lost: list[Any]) -> tuple[str, str, str]:
    return "row", "string", str(value)


def test_values_inside_values_go_through_their_type_rows() -> None:
    table = TypeTable({"int": _as_text, "string": _as_text})
    inside = Inside(table, table, table, "shortstr", {"bool": ("row", "boolean")})
    lost: list[Any] = []
    assert inside.items([TypedValue("int", 1), TypedValue("uint", 2)], lost) == [TypedValue("string", "1")]
    assert lost == [("[1]", "uint", "no row takes this uint", None)]
    assert inside.items([TypedValue("bool", True)], lost) == [TypedValue("boolean", True)]
    pairs = [Entry(TypedValue("int", 1), "int", 5), Entry(TypedValue("string", "1"), "int", 6)]
    lost.clear()
    assert inside.entries(pairs, lost) == [Entry("1", "string", "5")]
    assert lost == [('["1"]', "int", "a second equal key", None)]
    lost.clear()
    array = Array("int", [7], (TypedValue("symbol", "d"),))
    assert inside.array_items(array, lost) == [TypedValue("string", "7")]
    assert lost == [("", "array", "the descriptor of its elements", None)]

"""A node knows which values its row takes."""

from dataclasses import replace

import pytest

from mqconvert import PROTOCOLS, RuleTableError
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.nodes import Branch, matches, place_and_key, plain_keys
from tests.converters.engine.table_files import table


@pytest.mark.parametrize(
    ("earlier", "later", "covered"),
    [
        ("x-*", "x-a", True),
        ("*", "x-*", True),
        ("x-a", "x-a", True),
        ("x-a", "x-*", False),
        ("x-*", "y", False),
    ],
)
def test_a_row_covers_the_keys_of_its_pattern(earlier: str, later: str, *, covered: bool) -> None:
    row = '\n  {{ id = "{0}", from = "application_properties[{1}]", note = "n" }},'
    rows = row.format("a", earlier) + row.format("b", later)
    if covered:
        with pytest.raises(RuleTableError, match="row b: never reached: a"):
            build(table(rules=rows))
    else:
        assert len(build(table(rules=rows)).groups["application_properties"].branches) == 2


ROWS = """
  { id = "wide", from = "properties.message_id", type = "ulong|uuid", to = "basic.message_id", via = "to-decimal" },
  { id = "text", from = "properties.subject", to = "basic.type" },
  { id = "tested", from = "properties.to", when = "shortstr", to = "basic.app_id" },
  { id = "passing", from = "properties.group_id", to = "basic.priority", via = "read ubyte" },
  { id = "lossy", from = "properties.creation_time", to = "basic.timestamp", via = "milliseconds-to-unsigned-seconds" },
  { id = "typed", from = "application_properties[*]", type = "*", to = "basic.headers[*]" },"""


@pytest.fixture(scope="module")
def branches() -> dict[str, Branch]:
    """Return the branches of ROWS by id."""
    return {branch.rule.id: branch for group in build(table(rules=ROWS)).groups.values() for branch in group.branches}


@pytest.mark.parametrize(
    ("row", "kind", "utf8", "gives"),
    [
        ("wide", None, False, {"str"}),
        ("text", "str", True, {"str"}),
        ("lossy", "int", False, {"int"}),
        ("typed", None, False, None),
    ],
)
def test_the_python_form_of_values_is_known_where_all_types_share_one(
    branches: dict[str, Branch], row: str, kind: str | None, *, utf8: bool, gives: set[str] | None
) -> None:
    branch = branches[row]
    assert (branch.kind, branch.utf8) == (kind, utf8)
    assert branch.gives == gives if gives is not None else {"str", "bytes", "int", "bool", "float"} <= branch.gives


@pytest.mark.parametrize(
    ("row", "straight", "always"),
    [("wide", True, True), ("text", False, True), ("tested", False, False), ("passing", False, False), ("lossy", False, True)],
)
def test_a_result_goes_straight_into_its_place_if_no_test_is_needed(
    branches: dict[str, Branch], row: str, *, straight: bool, always: bool
) -> None:
    assert (branches[row].straight, branches[row].always) == (straight, always)


def test_a_row_covers_a_later_one_only_with_all_its_types_and_without_conditions(branches: dict[str, Branch]) -> None:
    wide, tested = branches["wide"], branches["tested"]
    narrow = replace(wide, types=wide.types[:1])
    assert wide.covers(narrow)
    assert not narrow.covers(wide)
    assert not tested.covers(tested)


@pytest.mark.parametrize(
    ("pattern", "key", "matched"),
    [
        (None, None, True),
        (None, "k", False),
        ("k", None, False),
        ("*", "", True),
        ("k*", "k", True),
        ("k*", "l", False),
        ("k", "k*", False),
    ],
)
def test_a_pattern_matches_a_key_or_all_keys_of_another(pattern: str | None, key: str | None, *, matched: bool) -> None:
    assert matches(pattern, key) is matched


def test_the_caller_offers_places_with_types() -> None:
    function = build(table(rules=ROWS))
    clock = function.read_places["@clock"]
    assert [type_.name for type_ in function.types_at(clock)] == ["timestamp"]
    assert [type_.name for type_ in function.types_at(function.read_places["properties.message_id"])] == [
        "ulong",
        "uuid",
        "binary",
        "string",
    ]
    assert "basic.type" not in function.read_places


def test_keys_of_field_tables_have_one_type_and_those_of_amqp10_maps_any() -> None:
    assert plain_keys(PROTOCOLS["amqp-0.9.1"]) == "shortstr"
    assert plain_keys(PROTOCOLS["amqp-1.0"]) is None


@pytest.mark.parametrize(
    ("read", "parts"),
    [
        ("footer", ("footer", None)),
        ("footer[k]", ("footer", "k")),
        ("footer[a[b]]", ("footer", "a[b]")),
        ("footer[]", ("footer", "")),
    ],
)
def test_a_read_is_a_place_or_an_entry(read: str, parts: tuple[str, str | None]) -> None:
    assert place_and_key(read) == parts

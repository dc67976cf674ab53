"""The nodes of a table contain everything that rows name, and unreachable rows are refused."""

from pathlib import Path

import pytest

from mqconvert import DecodeError, RuleTableError, check_rules, convert, message_from_json
from mqconvert.converters.engine.building import build
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp091 import message as amqp091
from tests.converters.engine.table_files import load_table, table


@pytest.mark.parametrize("constant", ["qos = 3", "dup = 2", "retain = 2"])
def test_constants_invalid_in_a_publish_are_refused(tmp_path: Path, constant: str) -> None:
    file = tmp_path / "mine.toml"
    row = f'{{ replace = "subject", set = {{ {constant} }}, to = "", note = "" }}'
    file.write_text(f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {row},\n]\n')
    with pytest.raises(RuleTableError, match=rf"{constant.split(maxsplit=1)[0]} cannot hold \d: not between 0 and [12]"):
        check_rules(str(file))
    name, _, number = constant.partition(" = ")
    with pytest.raises(DecodeError, match=r"not between 0 and [12]"):
        message_from_json({"topic_name": "t", name: int(number)}, "mqtt-5.0")


NESTED_THEN_ALL = """
  { id = "inside", type = "ulong", scope = "nested", as = "long", via = "wrapped-to-long" },
  { id = "all", type = "ulong|long", as = "long", via = "wrapped-to-long" },"""


def test_a_row_of_types_counts_as_reached_in_any_scope() -> None:
    """A row for values inside lists precedes a row for all values. The second one serves the entries of the message."""
    chains = build(table(types=NESTED_THEN_ALL)).types
    assert [branch.rule.id for branch in chains["top"]["ulong"]] == ["all"]
    assert [branch.rule.id for branch in chains["nested"]["ulong"]] == ["inside", "all"]


def test_a_row_of_types_that_no_scope_reaches_is_refused() -> None:
    rows = NESTED_THEN_ALL.replace('scope = "nested", ', "").replace("ulong|long", "ulong")
    with pytest.raises(RuleTableError, match=r"mine.toml:8: row all: never reached: inside \(mine.toml:7\)"):
        build(table(types=rows))


def _with_when(text: str) -> str:
    """Return the last applied row of a conversion by a table with a row that has this `when`."""
    row = f"{{ before = 'priority', id = 'a', from = 'basic.priority', when = '{text}', note = 'n' }},"
    overlay = Overlay("mine.toml", f'["amqp-0.9.1 -> amqp-1.0"]\nrules = [\n  {row}\n]\n')
    return convert(amqp091.Message(payload=b""), "amqp-1.0", rules=overlay).report.applied[-1].rule


@pytest.mark.parametrize("text", ["not " * 51 + "set", "not set" + " and not set" * 50])
def test_more_than_fifty_phrases_are_refused(text: str) -> None:
    with pytest.raises(RuleTableError, match=r"^mine.toml:3: row a: more than 50 phrases in one text$"):
        _with_when(text)


def test_a_text_in_quotes_holds_no_phrases() -> None:
    assert _with_when(f'is "{"not then " * 60}"') == "payload"


@pytest.mark.parametrize("text", ["not " * 50 + "set", "not set" + " and not set" * 49])
def test_fifty_phrases_are_compiled(text: str) -> None:
    assert _with_when(text) == "payload"


def test_a_row_whose_types_two_others_take_is_refused() -> None:
    rows = """
  { id = "a", type = "ulong", as = "long", via = "wrapped-to-long" },
  { id = "b", type = "long", as = "long" },
  { id = "c", type = "ulong|long", as = "long", via = "wrapped-to-long" },"""
    with pytest.raises(RuleTableError, match="row c: never reached"):
        build(table(types=rows))


def test_a_branch_has_the_types_and_keys_of_its_row() -> None:
    rows = """
  { id = "id", from = "properties.message_id", type = "ulong|uuid", to = "basic.message_id", via = "to-decimal" },
  { id = "no-ttl", from = "header.ttl", type = "absent", set = { "basic.priority" = 1 } },
  { id = "other", from = "application_properties[x-*]", type = "*", to = "basic.headers[*]" },"""
    groups = build(table(rules=rows)).groups
    (by_id,), (other,) = groups["properties.message_id"].branches, groups["application_properties"].branches
    assert [type_.name for type_ in by_id.types] == ["ulong", "uuid"]
    assert (by_id.type, by_id.target and by_id.target.path) == ("shortstr", "basic.message_id")
    assert by_id.via is not None
    assert (by_id.via.name, by_id.fits, by_id.straight) == ("to-decimal", True, True)
    assert (other.type, other.contested) == ("*", True)
    assert [branch.rule.id for branch in groups["header.ttl"].absent] == ["no-ttl"]
    assert groups["properties.subject"].branches == []


@pytest.mark.parametrize(
    ("rows", "advice"),
    [
        ('{ id = "a", from = "body", to = "payload" }', "but the row gives body; via = 'payload-bytes' makes bytes of it"),
        ('{ id = "a", from = "header.ttl", to = "basic.expiration" }', "via = 'to-decimal' makes str of it"),
    ],
)
def test_an_unfit_row_is_refused_with_a_remedy(rows: str, advice: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        build(table(rules=f"\n  {rows},"))
    assert advice in str(caught.value)


@pytest.mark.parametrize(
    ("source", "target", "when", "place", "to", "fits"),
    [
        ("mqtt-5.0", "amqp-1.0", "ascii", "content_type", "properties.content_type", True),
        ("mqtt-5.0", "amqp-1.0", "not longer-than 9", "content_type", "properties.content_type", False),
        ("amqp-1.0", "amqp-0.9.1", "shortstr", "properties.subject", "basic.type", True),
        ("amqp-1.0", "amqp-0.9.1", "ascii", "properties.subject", "basic.type", False),
    ],
)
def test_only_a_condition_that_tests_the_type_itself_saves_the_check_of_a_value(
    source: str, target: str, when: str, place: str, to: str, *, fits: bool
) -> None:
    head = f'source = "{source}"\ntarget = "{target}"\ntitle = "Rows of a test"\n'
    text = f'{head}rules = [\n  {{ id = "a", from = "{place}", when = "{when}", to = "{to}" }},\n]\n'
    (branch,) = build(load_table(text, "mine.toml")).groups[place].branches
    assert branch.fits is fits

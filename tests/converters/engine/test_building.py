"""The nodes of a table contain everything that rows name, and unreachable rows are refused."""

import pytest

from mqconvert import RuleTable, RuleTableError
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.tables import load_table

HEAD = 'source = "amqp-1.0"\ntarget = "amqp-0.9.1"\ntitle = "Rows of a test"\n'


def table(*, rules: str = "", types: str = "") -> RuleTable:
    return load_table(f"{HEAD}rules = [{rules}\n]\ntypes = [{types}\n]\n", "mine.toml")


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
        ('{ id = "a", from = "body", to = "payload" }', "but the row gives body; via = 'bare-payload' makes bytes of it"),
        (
            '{ id = "a", from = "body", to = "payload", via = "body-octets" }',
            "drops the kind of body: add a row with via = 'body-kind'",
        ),
        ('{ id = "a", from = "header.ttl", to = "basic.expiration" }', "via = 'to-decimal' makes str of it"),
    ],
)
def test_an_unfit_row_is_refused_with_a_remedy(rows: str, advice: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        build(table(rules=f"\n  {rows},"))
    assert advice in str(caught.value)


def test_a_body_becomes_bytes_beside_a_row_that_keeps_its_kind() -> None:
    kind = '{ id = "k", from = "body", more = true, to = "basic.type", via = "body-kind" }'
    made = build(
        table(rules=f'\n  {kind},\n  {{ id = "a", from = "body", to = "payload", as = "payload", via = "body-octets" }},')
    )
    assert [branch.rule.id for branch in made.groups["body"].branches] == ["k", "a"]


@pytest.mark.parametrize(
    ("source", "target", "when", "place", "to", "fits"),
    [
        ("mqtt-5.0", "amqp-1.0", "ascii", "content_type", "properties.content_type", True),
        ("mqtt-5.0", "amqp-1.0", "not longer-than 9", "content_type", "properties.content_type", False),
        ("amqp-1.0", "amqp-0.9.1", "shortstr", "properties.subject", "basic.type", True),
        ("amqp-1.0", "amqp-0.9.1", "ascii", "properties.subject", "basic.type", False),
        ("amqp-1.0", "nsq", "legal-nsq-name unless is a", "properties.to", "topic", False),
    ],
)
def test_only_a_condition_that_tests_the_type_itself_saves_the_check_of_a_value(
    source: str, target: str, when: str, place: str, to: str, *, fits: bool
) -> None:
    head = f'source = "{source}"\ntarget = "{target}"\ntitle = "Rows of a test"\n'
    text = f'{head}rules = [\n  {{ id = "a", from = "{place}", when = "{when}", to = "{to}" }},\n]\n'
    (branch,) = build(load_table(text, "mine.toml")).groups[place].branches
    assert branch.fits is fits


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

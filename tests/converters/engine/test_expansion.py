"""Shorthand of table files stands for plain rows; an error names its line."""

import pytest

from mqconvert import RuleTableError, rule_tables
from mqconvert.converters.engine.tables import load_shared, load_tables
from mqconvert.converters.overlays import Overlay
from tests.converters.engine.table_files import FLAG, FROM_HUB, SHARED, TABLE, TO_HUB, WAY, both_ways

# ruff: noqa: E501 - each row is one line

WRONG_EXPANSIONS = {
    f"{WAY}groups = 1": "t.toml:4: groups is not a table of lists of places",
    f'{WAY}groups.g = "footer"': "t.toml:4: group 'g' is not a list of places",
    f'{WAY}groups.g = ["@type", 1]': "t.toml:4: group 'g' is not a list of places",
    f'{WAY}groups.payload = ["@type"]': "t.toml:4: group 'payload' has the name of a place",
    f'{WAY}groups.header = ["@type"]': "t.toml:4: group 'header' has the name of a place",
    f'{WAY}groups.g = ["@type"]': "t.toml:4: group 'g' is read by no row",
    f'{WAY}rules = [\n  {{ id = "a", from = "payload" }},\n]\nnotes.b = "n"': "t.toml:7: a note for no row: 'b'",
    f'{WAY}rules = [\n  {{ id = "a", from = "payload", note = "n" }},\n]\nnotes.a = "n"': "t.toml:5: the row has a note, and another",
    f'{WAY}notes = "a"': "t.toml:4: notes is not a table of texts",
    f'{WAY}rules = [\n  {{ carried = "a" }},\n]': "t.toml:5: unknown column 'carried'",
    f'{WAY}rules = [\n  {{ include = "s", rows = "a" }},\n]': "t.toml:5: unknown column 'include'",
    f"{WAY}carried = []": "t.toml:4: unknown member 'carried'",
    "protocol = 1": "t.toml:1: protocol is not a text",
    'protocol = "rocketmq"': "t.toml: the file has no part [to_hub]",
    both_ways("\nsource = 'a'"): "t.toml:2: unknown member 'source'",
    both_ways(to_hub="[to_hub]\n"): "t.toml:5: to_hub has no title",
    both_ways(to_hub=TO_HUB + "more = 1\n"): "t.toml:10: unknown member 'more' in to_hub",
    both_ways(to_hub="[to_hub]\ntitle = 1\n"): "t.toml:6: title is not a text",
    both_ways(to_hub=TO_HUB.replace('"flag"', '"flags"')): "t.toml:8: no row 'flags' for carried = 'flags'",
    both_ways(to_hub=TO_HUB.replace('"flag"', '"flag to flags"')): "t.toml:8: no row 'flags' for carried = 'flag to flags'",
    both_ways(to_hub=TO_HUB.replace('"flag"', "1")): "t.toml:8: 'carried' is not an id, or two with 'to' between them",
    both_ways(to_hub=TO_HUB.replace('"flag"', '"flag", note = "n"')): "t.toml:8: column 'note' is not allowed in a row that stands",
    both_ways(to_hub=TO_HUB.replace('  { carried = "flag" },\n', "")): "t.toml:3: carried row 'flag' is put nowhere in to_hub",
    both_ways(from_hub=FROM_HUB.replace('  { carried = "flag" },\n', "")): "t.toml:3: carried row 'flag' is put nowhere in from_hub",
    both_ways(from_hub=FROM_HUB.replace("\n]", '\n  { carried = "flag" },\n]')): "t.toml:3: duplicate id 'flag'",
    both_ways(to_hub=TO_HUB.replace('carried = "flag"', 'include = "s", rows = "a"')): "t.toml:8: unknown shared file 's'; known: none",
    both_ways(row=FLAG.replace("field", "feld")): "t.toml:3: unknown column 'feld'",
    both_ways(row=FLAG + ", when = ['a']"): "t.toml:3: column 'when' is not a text",
    both_ways(row='id = "flag", field = "flag"'): "t.toml:3: a row of carried needs 'as'",
    both_ways(row=FLAG.replace('"flag",', '"Flag",', 1)): "t.toml:8: no row 'flag' for carried",
    both_ways("\ngroups.g = ['@frame']"): "t.toml:2: group 'g' is read by no row",
    both_ways() + "notes.flag = 1": "t.toml:15: the note 'flag' is neither a text nor note and cite",
    both_ways("\ngroups.topic = ['@type']"): "t.toml:2: group 'topic' has the name of a place",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"), WRONG_EXPANSIONS.items(), ids=[str(index) for index in range(len(WRONG_EXPANSIONS))]
)
def test_columns_reserved_for_the_file_are_refused_with_their_line(text: str, problem: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        load_tables(text, "t.toml")
    assert str(caught.value).startswith(problem)


WRONG_INCLUDES = {
    'include = "t", rows = "a"': "t.toml:8: unknown shared file 't'; known: s",
    'include = "s"': "t.toml:8: 'rows' is not an id",
    'include = "s", rows = "c"': "t.toml:8: no row 'c' for rows = 'c'",
    'include = "s", rows = "b to a"': "t.toml:8: 'a' comes before 'b'",
    'include = "s", rows = "a", note = "n"': "t.toml:8: column 'note' is not allowed in a row that stands for several rows",
}


@pytest.mark.parametrize(("row", "problem"), WRONG_INCLUDES.items())
def test_a_wrong_include_is_refused_with_its_line(row: str, problem: str) -> None:
    text = both_ways(to_hub=TO_HUB.replace('carried = "flag"', row))
    with pytest.raises(RuleTableError) as caught:
        load_tables(text, "t.toml", dict([load_shared(SHARED, "s.toml")]))
    assert str(caught.value).startswith(problem)


def test_one_shared_row_converts_both_ways() -> None:
    row = 'id = "flag", field = "flag", as = "int", when = "w", note = "n", cite = "c" },\n  { id = "a", field = "b", as = "string"'
    to_hub, from_hub = load_tables(
        both_ways("", row, *(part.replace('"flag"', '"flag to a"') for part in (TO_HUB, FROM_HUB))), "t.toml"
    )
    assert (to_hub.name, from_hub.name, to_hub.stem) == ("rocketmq -> amqp-1.0", "amqp-1.0 -> rocketmq", "t_to_amqp10")
    flag, a = "message_annotations[x-opt-rocketmq-flag]", "message_annotations[x-opt-rocketmq-a]"
    assert [dict(rule.columns) for rule in to_hub.rules] == [
        {"id": "flag", "from": "flag", "to": flag, "as": "int", "when": "w", "note": "n", "cite": "c"},
        {"id": "a", "from": "b", "to": a, "as": "string"},
    ]
    assert [dict(rule.columns) for rule in from_hub.rules] == [
        {"id": "flag", "from": flag, "reads": ["@type"], "to": "flag", "via": "annotation int"},
        {"id": "a", "from": a, "reads": ["@type"], "to": "b", "via": "annotation string"},
    ]
    assert [rule.where for rule in from_hub.rules] == ["t.toml:3", "t.toml:4"]


def test_a_note_may_follow_its_shared_row() -> None:
    shared = SHARED.replace(', note = "n"', "").replace("[from_hub]", 'notes.a = "m"\n[from_hub]')
    text = both_ways(to_hub=TO_HUB.replace("\n]", '\n  { include = "s", rows = "a" },\n]'))
    to_hub, _ = load_tables(text, "t.toml", dict([load_shared(shared, "s.toml")]))
    assert to_hub.row("a").note == "m"


def test_included_rows_keep_the_position_of_the_include_and_their_own_file() -> None:
    text = both_ways(to_hub=TO_HUB.replace("\n]", '\n  { include = "s", rows = "a to b" },\n]'))
    to_hub, _ = load_tables(text, "t.toml", dict([load_shared(SHARED, "s.toml")]))
    assert [(rule.id, rule.where) for rule in to_hub.rules] == [("flag", "t.toml:3"), ("a", "s.toml:4"), ("b", "s.toml:5")]


def test_an_overlay_may_define_groups() -> None:
    row = '{ before = "ttl", id = "a", from = "header.ttl", when = "same-beside", reads = ["g"], to = "basic.expiration", via = "to-decimal" },'
    text = f'groups.g = ["header.priority"]\n["{TABLE}"]\nrules = [\n{row}\n]'
    (table,) = (each for each in rule_tables(rules=Overlay("mine.toml", text)) if each.name == TABLE)
    assert table.row("a").reads == ("header.priority",)
    with pytest.raises(RuleTableError, match=r"mine.toml:1: group 'footer' has the name of a place"):
        rule_tables(rules=Overlay("mine.toml", text.replace("groups.g", "groups.footer")))


def test_notes_of_an_overlay_follow_its_rows() -> None:
    rows = f'{{ before = "ttl", id = "a", from = "header.ttl", when = "set" }},\n{{ replace = "{PRIORITY}", to = "" }},'
    text = f'["{TABLE}"]\nrules = [\n{rows}\n]\n["{TABLE}".notes]\na = "why"\n{PRIORITY} = "no room"\n'
    (table,) = (each for each in rule_tables(rules=Overlay("mine.toml", text)) if each.name == TABLE)
    assert (table.row("a").note, table.row(PRIORITY).note) == ("why", "no room")
    with pytest.raises(RuleTableError, match=r"mine.toml:7: a note for no row: 'b'"):
        rule_tables(rules=Overlay("mine.toml", text.replace("a = ", "b = ")))


PRIORITY = "priority"


def test_groups_do_not_multiply() -> None:
    """A hundred names of a group with thousands of places are refused like as many places."""
    text = f'groups.g = {["content_type"] * 10_000}\n["mqtt-5.0 -> amqp-1.0"]\nrules = [\n{{ replace = "content-type", reads = {["g"] * 100} }},\n]\n'
    with pytest.raises(RuleTableError, match=r"^mine.toml:4: .*more than 100 members"):
        rule_tables(rules=Overlay("mine.toml", text))

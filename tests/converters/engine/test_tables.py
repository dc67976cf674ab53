"""Tables from files: overlays change rows at the named positions, and shared rows keep their file."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Entry, RuleTableError, check_rules, convert, rule_tables
from mqconvert.converters.engine.files import parse_file
from mqconvert.converters.engine.tables import load_shared, overlay
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.converters.engine.table_files import HEAD, SHARED, load_table

# ruff: noqa: E501 - each row is one line


@pytest.mark.parametrize("profile", ["preserve", "documented"])
def test_an_overlay_that_is_applied_twice_is_named(profile: str) -> None:
    again = Overlay("mine.toml", 'extends = "preserve"\n')
    with pytest.raises(RuleTableError, match=r"^preserve.toml: the same overlay, applied twice$"):
        rule_tables(profile, rules=[again, *[again] * (profile == "documented")])


@pytest.mark.parametrize("text", ["", "\n \n", '# nothing\ntitle = "t"\ncites = ["c"]\nextends = "rabbitmq-4.3"\n'])
def test_an_empty_overlay_is_accepted(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    check_rules(str(file))
    profile = "rabbitmq-4.3" if "extends" in text else "documented"
    assert [table.hash for table in rule_tables(rules=[str(file)])] == [table.hash for table in rule_tables(profile)]


def test_a_table_without_its_head_is_refused() -> None:
    with pytest.raises(RuleTableError, match=r"t.toml: the table has no target"):
        load_table('source = "a"\ntitle = "t"\n', "t.toml")
    with pytest.raises(RuleTableError, match=r"t.toml:4: unknown member 'more'"):
        load_table('source = "a"\ntarget = "b"\ntitle = "t"\nmore = 1\n', "t.toml")


def test_overlays_insert_rows_at_the_named_position() -> None:
    base = load_table(
        'source = "a"\ntarget = "b"\ntitle = "t"\nrules = [\n  { id = "one", from = "p" },\n  { id = "two", from = "q", note = "n" },\n]',
        "t.toml",
    )
    text = (
        '["a -> b"]\nremove = ["one"]\nrules = [\n  { before = "two", id = "x", from = "p" },\n  { after = "two", id = "y", from = "p" },\n'
        '  { id = "z", from = "p" },\n  { replace = "two", from = "r", note = "" },\n]'
    )
    changed = overlay({("a", "b"): base}, parse_file(text, "mine.toml"))["a", "b"]
    assert [(rule.id, rule.where) for rule in changed.rules] == [
        ("x", "mine.toml:4"),
        ("two", "mine.toml:7"),
        ("y", "mine.toml:5"),
        ("z", "mine.toml:6"),
    ]
    assert (changed.row("two").source, changed.row("two").note) == ("r", None)
    assert base.row("two").note == "n"
    assert changed.hash != base.hash


def test_the_order_of_members_does_not_matter() -> None:
    """A row may name a position before a row that `remove` deletes."""
    base = load_table('source = "a"\ntarget = "b"\ntitle = "t"\nrules = [\n  { id = "one", from = "p" },\n]', "t.toml")
    rows = 'rules = [\n{ before = "one", id = "x", from = "q" },\n{ id = "one", from = "r" },\n]\n'
    for members in (f'remove = ["one"]\n{rows}', f'{rows}remove = ["one"]\n'):
        changed = overlay({("a", "b"): base}, parse_file(f'["a -> b"]\n{members}', "mine.toml"))["a", "b"]
        assert [(rule.id, rule.source) for rule in changed.rules] == [("x", "q"), ("one", "r")]


WRONG_SHARED = {
    "": "s.toml: the file has no shared",
    'shared = "s"\n[to_hub]\n': "s.toml: the file has no part [from_hub]",
    'shared = "s"\nrules = []\n': "s.toml:2: unknown member 'rules'",
    SHARED.replace("rules", "rows"): "s.toml:3: unknown member 'rows'; rows stand in start, rules, types, finish",
    SHARED.replace("flag", "Flag"): "s.toml:4: 'Flag' is not a place",
    SHARED + 'notes.c = "n"\n': "s.toml:8: a note for no row: 'c'",
    SHARED.replace("[from_hub]", 'notes.a = "n"\n[from_hub]'): "s.toml:4: the row has a note, and another one in notes",
    SHARED.replace('"n"', '"n", reads = ["g"]').replace("[to_hub]", "groups.h = []\n[to_hub]"): "s.toml:2: group 'h' is read by no row",
}  # fmt: skip


@pytest.mark.parametrize(("text", "problem"), WRONG_SHARED.items(), ids=[str(index) for index in range(len(WRONG_SHARED))])
def test_a_wrong_shared_file_is_refused_with_its_line(text: str, problem: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        load_shared(text, "s.toml")
    assert str(caught.value).startswith(problem)


CARRIED_ROW, INCLUDED_ROW = "producer-group", "priority"


def test_an_overlay_replaces_and_removes_carried_and_included_rows() -> None:
    name = "amqp-1.0 -> rocketmq"
    row = f'{{ replace = "{CARRIED_ROW}", note = "mine" }},\n{{ replace = "{INCLUDED_ROW}", to = "properties[s]" }},'
    changed = next(
        each for each in rule_tables(rules=Overlay("mine.toml", f'["{name}"]\nrules = [\n{row}\n]')) if each.name == name
    )
    assert (changed.row(CARRIED_ROW).where, changed.row(CARRIED_ROW).note) == ("mine.toml:3", "mine")
    assert (changed.row(INCLUDED_ROW).where, changed.row(INCLUDED_ROW).target_template) == ("mine.toml:4", "s")
    other = next(
        each
        for each in rule_tables(rules=Overlay("a.toml", f'["{name}"]\nremove = ["{CARRIED_ROW}", "{INCLUDED_ROW}"]'))
        if each.name == name
    )
    assert not {CARRIED_ROW, INCLUDED_ROW} & {rule.id for rule in other.rules}
    back = next(each for each in rule_tables() if each.name == "rocketmq -> amqp-1.0")
    assert {CARRIED_ROW, INCLUDED_ROW} <= {rule.id for rule in back.rules} | {INCLUDED_ROW}


@pytest.mark.parametrize(("row", "file"), [(CARRIED_ROW, "rocketmq.toml"), (INCLUDED_ROW, "hub.toml")])
def test_an_error_names_the_file_of_a_carried_or_included_row(tmp_path: Path, row: str, file: str) -> None:
    source = next(each for each in rule_tables() if each.name == "amqp-1.0 -> rocketmq").row(row).columns["from"]
    text = f'["amqp-1.0 -> rocketmq"]\nrules = [\n  {{ before = "{row}", id = "a", from = "{source}", note = "n" }},\n]\n'
    assert re.match(rf"{file}:\d+: row {row}: never reached: a \(mine.toml:3\)", refused_late(tmp_path, text))


def refused_late(tmp_path: Path, text: str) -> str:
    """Return the error of the check of an overlay file."""
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(RuleTableError) as caught:
        check_rules(str(file))
    return str(caught.value)


@given(text=st.text(max_size=60))
def test_random_overlays_load_or_are_refused(tmp_path_factory: pytest.TempPathFactory, text: str) -> None:
    file = tmp_path_factory.mktemp("overlay") / "any.toml"
    file.write_text(text, encoding="utf-8", errors="ignore")
    try:
        check_rules(str(file))
    except RuleTableError as error:
        assert "any.toml" in str(error)  # noqa: PT017 - the overlay may be valid


def test_overlays_add_replace_and_remove_rows(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(
        HEAD + 'remove = ["priority"]\nrules = [\n'
        '  { replace = "subject", to = "basic.headers[subject]", as = "longstr", via = "octets" },\n'
        '  { before = "ttl", id = "ttl-zero", from = "header.ttl", when = "not set", note = "at once" },\n]\n'
    )
    message = amqp10.Message(
        header=amqp10.Header(priority=3, ttl=0), properties=amqp10.Properties(subject="s"), body=amqp10.Data([b""])
    )
    done = convert(message, "amqp-0.9.1", rules=[str(file)])
    assert isinstance(done.message, amqp091.Message)
    assert done.message.basic == amqp091.BasicProperties(headers=[Entry("subject", "longstr", b"s")])
    assert [(lost.field, lost.rule) for lost in done.report.lost] == [("header.priority", None)]
    assert [(drop.rule, drop.note) for drop in done.report.dropped] == [("ttl-zero", "at once")]

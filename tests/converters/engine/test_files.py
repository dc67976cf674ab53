"""Table files: errors name file, line and problem, and every row knows its line."""

import re
from pathlib import Path

import pytest

from mqconvert import Entry, RuleTableError, check_rules, convert, mappings, rule_tables
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.messages import amqp091
from tests.converters.engine.table_files import HEAD, TABLE, TTL, refused, rows

# ruff: noqa: E501 - each row is one line

LAYOUT = "write rows as `rules = [{ id = ..., ... }, ...]`, each on a line of its own if they are several"

WRONG_FILES = {
    "rules = [": "mine.toml:1: not TOML: ",
    'title = "t"\nrules = [\n  { id = "a': "mine.toml:3: not TOML: ",
    "a = 1\n= 2": "mine.toml:2: not TOML: ",
    "x = " + "[" * 5000 + "]" * 5000: "mine.toml:1: not TOML: values nest too deep",
    "title = 1\nx = " + "9" * 5000: "mine.toml:2: cannot be read: a number has too many digits",
    "x = 0x" + "f" * 5000: "mine.toml:1: cannot be read: a number has too many digits",
    "x = 1\n" + "a." * 70 + "b = 1": "mine.toml:2: a key has more than 64 parts",
    "x = []\ny = " + "[" * 5000 + "]" * 5000: "mine.toml:2: not TOML: values nest too deep",
    "nothing = 1": "mine.toml:1: unknown member 'nothing'",
    "title = 1": "mine.toml:1: title is not a text",
    "cites = 1": "mine.toml:1: cites is not a list of texts",
    "cites = [1]": "mine.toml:1: cites is not a list of texts",
    "extends = 1": "mine.toml:1: extends is not a text",
    'extends = "rabbitmq-1"': "mine.toml:1: extends: not a profile: unknown profile 'rabbitmq-1'",
    '[[table]]\nfrom = "a"\nrules = [\n  { id = "a" },\n]': "in start, rules, types, finish, those of an overlay below the name of their table",
    'rules = [\n  { id = "a", from = "header.ttl" },\n]': "mine.toml:1: rules belong below the name of their table",
    '["amqp-1.0"]': "mine.toml:1: no table 'amqp-1.0' to change",
    '["amqp-1.0 -> stomp"]': "mine.toml:1: no table 'amqp-1.0 -> stomp' to change",
    '["amqp-1.0->amqp-0.9.1"]': "mine.toml:1: no table 'amqp-1.0->amqp-0.9.1' to change (did you mean 'amqp-1.0 -> amqp-0.9.1'?)",
    f'"{TABLE}" = []': f"mine.toml:1: unknown member '{TABLE}'",
    f'["{TABLE}"]\nnothing = 1': f"mine.toml:2: unknown member 'nothing' for {TABLE}",
    f'["{TABLE}"]\nrules = {{}}': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nrules = "ttl"': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nrules = [1]': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nremove = "ttl"': 'mine.toml:2: remove is not a list of ids: write remove = ["ttl"]',
    f'["{TABLE}"]\nremove = 1': "mine.toml:2: remove is not a list of ids",
    f'["{TABLE}"]\nremove = ["nothing"]': "mine.toml:2: no row 'nothing' to remove",
    f'["{TABLE}"]\nremove = ["ttl"]\nrules = [\n{{ replace = "ttl", note = "" }},\n]': "mine.toml:4: row 'ttl' is replaced and removed",
    f'["{TABLE}"]\nrules = [\n{{ replace = "ttl" }},\n]': (
        "mine.toml:3: row 'ttl' is replaced by itself: write the columns that change, such as `to`"
    ),
    f'["{TABLE}"]\nrules = [\n{{ replace = "ttl", note = "" }},\n{{ replace = "ttl", to = "" }},\n]': "mine.toml:4: row 'ttl' is replaced twice",
    f'["{TABLE}"]\nremove = ["ttl", "ttl"]': "mine.toml:2: row 'ttl' is removed twice",
    f"['{TABLE}']\nremove = [\n  'priority',\n  'tttl',\n]": "mine.toml:4: no row 'tttl' to remove (did you mean 'ttl'?)",
    f'# rows of nothing\n["{TABLE}"]\nrow = 1\n': "mine.toml:3: unknown member 'row'",
    f'["{TABLE}"]\n[[amqp]]': "mine.toml:2: unknown member 'amqp'",
    f'[["{TABLE}".rules]]\nid = "a"\nfrom = "footer[a]"': f"mine.toml:1: rows: 1, tables in arrays: 0; {LAYOUT}",
    f'["{TABLE}"]\nrules = [\n{{ id = "a",\n from = "footer[a]" }},\n]': LAYOUT,
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = "footer[a]" }}\n{{ id = "b", from = "footer[b]" }},\n]': LAYOUT,
    f'["{TABLE}"]\nrules = [\n{{ id = "a" }}\n{{ id = "b" }},\n]': "a comma is missing before this row; write rows",
    f"[{TABLE}]  # mine": f'; a name with blanks stands in quotes: ["{TABLE}"]',
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = "footer[a]", }},\n]': "mine.toml:3: not TOML: Invalid initial character for a key part (at line 3, column 33); remove the comma before }",
    f'["{TABLE}"]\nrules = [\n{{ id = a, from = "footer[a]" }},\n]': '; a text stands in quotes: "a"',
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = footer[a] }},\n]': '; a text stands in quotes: "footer[a]"',
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = "footer[a]", more = True }},\n]': "; write true",
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = "footer[a]", more = yes }},\n]': "; write true",
    f'["{TABLE}"]\nrules = [\n{{ id = "a" from = "footer[a]" }},\n]': "; a comma is missing before from",
    f'["{TABLE}"]\nrules = [\n{{ id: "a", from: "footer[a]" }},\n]': "; a column and its value have = between them",
    f'["{TABLE}"]\nrules = [\n{{ id = "a", cite = [x], from = a b }},\n]': f"column 21); {LAYOUT}",
    '["mqtt-5.0 -> pulsar"]': 'mine.toml:1: no table \'mqtt-5.0 -> pulsar\' to change: messages go through ["mqtt-5.0 -> amqp-1.0"] and ["amqp-1.0 -> pulsar"]; change one of these',
}


@pytest.mark.parametrize(("text", "problem"), WRONG_FILES.items(), ids=[str(index) for index in range(len(WRONG_FILES))])
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in refused(tmp_path, text)


def test_a_byte_order_mark_is_no_part_of_the_text(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text("\ufeff" + rows("rules", f'{TTL}, note = "n"'))
    assert check_rules(str(path)) == [TABLE]
    assert "not TOML" in refused(tmp_path, "\ufeff\ufeff")


def test_files_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    assert "mine.toml:2: cannot be read: 'utf-8' codec" in refused(tmp_path, b'title = "t"\n\xff\xfe')
    with pytest.raises(RuleTableError, match="cannot be read"):
        check_rules(str(tmp_path))
    with pytest.raises(RuleTableError, match="cannot be read"):
        check_rules("a\0b")


def test_every_line_ending_is_accepted(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(rows("rules", f'{TTL}, note = "n"').replace("\n", "\r\n").encode())
    (table,) = (table for table in rule_tables(rules=[str(file)]) if table.name == TABLE)
    assert table.row("a").where == "mine.toml:3"


def test_rows_know_their_lines_in_every_shipped_file() -> None:
    for profile in ("documented", *mappings.overlay_names()):
        for table in rule_tables(profile):
            for rule in (*table.rules, *table.types, *table.finish):
                line = mappings.read(rule.file).splitlines()[rule.line - 1]
                assert f'"{rule.id}"' in line, rule.where


HUGE = 300_000
ODD = {
    "one word and dots": "a" * HUGE + "." * 70,
    "escaped quotes": '\\"' * HUGE + "." * 70,
    "an open text": "'" + "." * 70 + '\\"' * HUGE,
    "open texts of several lines": '"""' + '\\"""' * HUGE,
    "numbers": ("1" * 499 + " ") * 600 + "9" * 600,
}


@pytest.mark.parametrize("text", ODD.values(), ids=ODD)
def test_a_wrong_file_is_refused_in_linear_time(text: str) -> None:
    """With quadratic time, each of these takes several minutes."""
    with pytest.raises(RuleTableError):
        rule_tables(rules=Overlay("mine.toml", text))


def test_dots_of_strings_and_comments_are_no_parts_of_a_key() -> None:
    dots = "a." * 100
    text = f"""# {dots}\ntitle = \'\'\'\n{dots}"\'\'\' # it's {dots}\ncites = ["{dots}\\"", \'{dots}\']\n"""
    assert rule_tables(rules=Overlay("mine.toml", text))


def test_a_line_ends_only_where_one_of_toml_does() -> None:
    row = '{ replace = "ttl", note = "a\u2028{ b\x85{ c" },'
    text = f'# \u2028 \x85\n["{TABLE}"]\nrules = [\n{row}\n{{ replace = "priority", note = "d" }},\n]\n'
    (table,) = (each for each in rule_tables(rules=Overlay("mine.toml", text)) if each.name == TABLE)
    assert [table.row(name).where for name in ("ttl", "priority")] == ["mine.toml:4", "mine.toml:5"]


def test_rows_inherit_the_columns_of_the_row_in_like() -> None:
    rows = '{ id = "a", like = "gone", from = "header.ttl" },\n{ id = "b", like = "gone", from = "header.ttl", note = "mine" },'
    text = f'like.gone = {{ before = "ttl", when = "set", note = "why" }}\n["{TABLE}"]\nrules = [\n{rows}\n]\n'
    (table,) = (each for each in rule_tables(rules=Overlay("mine.toml", text)) if each.name == TABLE)
    assert [(table.row(name).when, table.row(name).note, table.row(name).where) for name in "ab"] == [
        ("set", "why", "mine.toml:4"),
        ("set", "mine", "mine.toml:5"),
    ]
    for problem, wrong in {
        "mine.toml:4: unknown like = 'gone'; known: other": text.replace("like.gone", "like.other"),
        "mine.toml:1: like is not a table of columns by a name": text.replace("like.gone = ", "like = "),
        "mine.toml:1: no row is like 'gone'": text.replace('like = "gone", ', ""),
    }.items():
        with pytest.raises(RuleTableError, match=re.escape(problem)):
            rule_tables(rules=Overlay("mine.toml", wrong))


@pytest.mark.parametrize("name", ["a\n        raise SystemExit\n        #.toml", "a\0b", "a\u2028b", "\udcff.toml", "a\x1b[2J"])
def test_a_file_of_rules_is_named_by_one_line_of_text(name: str) -> None:
    """The generated function has the name in comments; further lines of it would be executed."""
    text = f'{HEAD}rules = [\n  {{ replace = "ttl", note = "n" }},\n]\n'
    with pytest.raises(RuleTableError) as refused:
        convert(amqp10.Message(body=amqp10.Data([b"hi"])), "amqp-0.9.1", rules=Overlay(name, text))
    assert str(refused.value) == f"{name!r}: the name of the file is not one line of text"


ROW = '{{ id = "{0}", before = "footer", from = "footer[{0}]", note = "{{ [" }}'
"""A row, with brackets in a text."""


@pytest.mark.parametrize(
    ("rows", "lines"),
    [
        ("rules = [" + ROW.format("a") + "]", [2]),
        ("rules = [ " + ROW.format("a") + ", # {\n  " + ROW.format("b") + " ]", [2, 3]),
        ("rules = [\n" + ROW.format("a") + ", " + ROW.format("b") + ",\n]", [3, 3]),
    ],
)
def test_rows_stand_anywhere_in_their_array(rows: str, lines: list[int], tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(f'["{TABLE}"]\n{rows}\n')
    table = next(table for table in rule_tables(rules=str(file)) if table.name == TABLE)
    assert [table.row(name).line for name in ("a", "b")[: len(lines)]] == lines


def test_errors_of_rows_say_what_to_write(tmp_path: Path) -> None:
    def told(columns: str, table: str = "amqp-0.9.1 -> mqtt-5.0") -> str:
        return refused(tmp_path, f'["{table}"]\nrules = [{{ id = "mine", before = "header", {columns} }}]')

    assert "did you mean basic.headers[tenant]?" in told('from = "basic.headers.tenant", to = "user_properties[t]"')
    assert "a row without 'to' drops what it takes" in told('from = "basic.headers[x-*]", to = ""')


def test_an_entry_of_any_type_becomes_an_entry_by_the_rows_of_types(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    row = '{ id = "mine", before = "header", from = "basic.headers[tenant]", to = "user_properties[t]" }'
    file.write_text(f'["amqp-0.9.1 -> mqtt-5.0"]\nrules = [{row}]\n')
    basic = amqp091.BasicProperties(headers=[Entry("tenant", "long", 5)])
    made = convert(amqp091.Message(basic), "mqtt-5.0", rules=str(file)).message
    assert made.user_properties == [("t", "5")]

"""Table files: errors name file, line and problem, and valid files are read unchanged."""

import re
from pathlib import Path

import pytest

from mqconvert import RuleTableError, check_rules, mappings, rule_tables
from mqconvert.converters.engine.files import parse_file
from mqconvert.converters.engine.paths import path
from mqconvert.converters.engine.rules import COLUMNS
from mqconvert.converters.engine.tables import load_shared, load_table, load_tables, overlay
from mqconvert.converters.routes import Overlay

# ruff: noqa: E501 - each row is one line
TABLE = "amqp-1.0 -> amqp-0.9.1"


def refused(tmp_path: Path, text: str | bytes) -> str:
    """Return the error for an overlay file, from its check and from loading, before any table is compiled."""
    file = tmp_path / "mine.toml"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(RuleTableError) as loaded:
        rule_tables(rules=str(file))
    with pytest.raises(RuleTableError) as caught:
        check_rules(str(file))
    assert str(caught.value) == str(loaded.value)
    assert caught.value.code == "bad_table"
    assert caught.value.file == "mine.toml" or caught.value.file == str(file)
    return str(caught.value).replace(str(tmp_path) + "/", "")


def rows(kind: str, row: str) -> str:
    """Return an overlay whose only row is on line 3."""
    return f'["{TABLE}"]\n{kind} = [\n  {{ {row} }},\n]\n'


TTL = 'before = "ttl", id = "a", from = "header.ttl", when = "set"'

WRONG_ROWS = {
    'id = 1, from = "header.ttl"': "column 'id' is not a text",
    'id = "A", from = "header.ttl"': "a row needs an id of lower-case letters, digits and .+_-",
    'from = "header.ttl"': "a row needs an id",
    'id = "a\\n", from = "header.ttl"': "a row needs an id",
    'id = "a", from = "header.ttl\\n"': "'header.ttl\\n' is not a place",
    'id = "a", from = "header.ttl", error = "Not a code!", note = "n"': "error = 'Not a code!' is not a code of lower-case letters",
    'id = "a", from = "header.ttl", error = "code\\n", note = "n"': "is not a code of lower-case letters",
    'id = "a"': "a row of rules needs 'from'",
    'id = "a", from = 1': "column 'from' is not a text",
    'id = "a", from = ""': "'' is not a place",
    'id = "a", from = "a b"': "'a b' is not a place",
    'id = "a", from = "application_properties[]"': "'application_properties[]' is not a place",
    'id = "a", from = "header"': "'header' is a section; name one of its fields",
    'id = "a", from = "application_properties"': "'application_properties' is a map: name a key",
    'id = "a", from = "header.ttl[k]"': "'header.ttl' is not a map",
    'id = "a", from = "@nothing"': "unknown place '@nothing' of amqp-1.0",
    f'{TTL}, type = ""': "unknown type ''",
    f'{TTL}, type = "uint|longstr"': "unknown type 'longstr' of header.ttl",
    f'{TTL}, type = "string"': "unknown type 'string' of header.ttl",
    f'{TTL}, type = "absent|uint", note = "n"': "absent must be alone, not in 'absent|uint'",
    f'{TTL}, type = "uint|*", note = "n"': "* must be alone, not in 'uint|*'",
    'id = "a", from = "header.ttl", type = "absent"': "a row of type absent has no value: it needs 'set'",
    'id = "a", from = "header.ttl", type = "absent", to = "basic.priority", set = { "basic.priority" = 1 }': "takes no 'to'",
    'id = "a", from = "header.ttl", when = ["set"]': "column 'when' is not a text",
    'id = "a", from = "header.ttl", when = ""': "unknown condition ''",
    'id = "a", from = "header.ttl", when = "set and not asci"': "unknown condition 'asci' (did you mean 'ascii'?)",
    'id = "a", from = "header.ttl", when = "at-mots 5"': "unknown condition 'at-mots 5' (did you mean 'at-most'?)",
    f'{TTL}, to = "basic.expiration", via = "to-decimel"': "unknown transform 'to-decimel' (did you mean 'to-decimal'?)",
    f"{TTL}, to = 1": "column 'to' is not a text",
    f'{TTL}, to = ""': "'' is not a place",
    f'{TTL}, to = "basic"': "'basic' is a section; name one of its fields",
    f'{TTL}, to = "basic.headers", as = "unsignedint"': "'basic.headers' is a map: name a key",
    f'{TTL}, to = "basic.priority[k]"': "'basic.priority' is not a map",
    f'{TTL}, to = "basic.headers[k]"': "basic.headers needs a type: as = ...",
    f'{TTL}, to = "basic.nothing", via = "to-decimal"': "unknown place 'basic.nothing' of amqp-0.9.1",
    f'{TTL}, to = "basic.priority", via = "to-decimal"': "basic.priority holds octet (int), but the row gives str; via = 'from-decimal' makes int of it",
    f'{TTL}, to = "@nothing"': "unknown place '@nothing' of amqp-0.9.1",
    f'{TTL}, to = "basic.headers[k]", as = "uint"': "basic.headers cannot hold type 'uint'",
    f'{TTL}, to = "basic.headers[k]", as = "longstr"': "basic.headers holds longstr (bytes), but the row gives int",
    f'{TTL}, to = "basic.priority", as = "*"': 'as = "*" needs typed entries as source, an entry as target',
    f'{TTL}, as = "long"': "'as' needs a 'to' in the message",
    f'{TTL}, to = "basic.expiration", via = "magic"': "unknown transform 'magic'",
    f'{TTL}, via = "to-decimal"': "'via' needs a 'to' in the message",
    f"{TTL}, set = 1": "column 'set' is not a table of places",
    f'{TTL}, set = {{ "basic.no" = 1 }}': "unknown place 'basic.no' in set",
    f'{TTL}, set = {{ "basic.headers" = 1 }}': "'basic.headers' is a map: name a key",
    f'{TTL}, to = "basic.headers[a\\u0000b]", as = "unsignedint"': "'basic.headers' cannot have this key: contains NUL",
    f'{TTL}, to = "basic.headers[{"k" * 256}]", as = "unsignedint"': "cannot have this key: longer than 255 bytes",
    f'{TTL}, set = {{ "basic.priority" = "x" }}': "basic.priority cannot hold 'x': not an integer",
    f'{TTL}, set = {{ "basic.priority" = 256 }}': "basic.priority cannot hold 256: not between 0 and 255",
    f'{TTL}, set = {{ "basic.priority" = 1979-05-27 }}': "not an integer",
    f'{TTL}, to = "basic.expiration", via = "to-decimal", taken = "never"': "taken = 'never' is not one of drop, next, replace",
    f'{TTL}, taken = "next"': "'taken' needs a 'to' in the message",
    f'{TTL}, more = "yes"': "column 'more' is not a true or false",
    f'{TTL}, reads = "footer"': "column 'reads' is not a list of texts",
    f'{TTL}, reads = [["footer"]]': "column 'reads' is not a list of texts",
    f'{TTL}, reads = ["nothing"]': "unknown place 'nothing' in reads",
    f'{TTL}, reads = ["header"]': "'header' is a section; name one of its fields",
    f'{TTL}, reads = ["@key"]': "unknown place '@key' in reads",
    f'{TTL}, reads = ["@result"]': "unknown place '@result' in reads",
    'id = "a", from = "@address", to = "basic.app_id", reads = ["@type"]': "unknown place '@type' in reads",
    f"{TTL}, uses = true": "'uses' needs a 'reads'",
    f'{TTL}, reads = ["header.priority"], uses = true': "'uses' is for whole fields",
    f'{TTL}, reads = ["@address"], uses = true': "'uses' is for whole fields",
    f"{TTL}, closes = [1]": "column 'closes' is not a list of texts",
    f'{TTL}, to = "@caller", taken = "next"': "'taken' needs a 'to' in the message",
    f'{TTL}, closes = ["basic"]': "'closes' needs a 'to' in the message",
    f'{TTL}, scope = "top"': "column 'scope' has no meaning in a row of rules",
    f'{TTL}, at = "basic.headers"': "column 'at' has no meaning in a row of rules",
    f"{TTL}, lost = 1": "column 'lost' is not a text",
    f'{TTL}, lost = ""': "'lost' needs a reason",
    f'{TTL}, lost = "why", to = "basic.expiration", via = "to-decimal"': "has no target: it allows no 'to'",
    f'{TTL}, lost = "why", set = {{ "basic.priority" = 1 }}': "has no target: it allows no 'set'",
    f'{TTL}, lost = "why", error = "code", note = "n"': "has no target: it allows no 'error'",
    f'{TTL}, wenn = "x"': "unknown column 'wenn'",
    'before = "nothing", id = "a", from = "header.ttl"': "no row 'nothing' to change",
    'before = "type-null", id = "a", from = "header.ttl"': "'type-null' is a row of types, not of rules",
    'before = 1, id = "a", from = "header.ttl"': "before is not an id",
    'before = "ttl", after = "ttl", id = "a", from = "header.ttl"': "a row has one of before and after",
    'replace = ["ttl"]': "replace is not an id",
    'replace = "nothing", note = "n"': "no row 'nothing' to change",
    'replace = "ttl", from = ""': "a row of rules needs 'from'",
    'replace = "ttl", id = ""': "a row needs an id",
    'replace = "ttl", id = "priority"': "duplicate id 'priority'",
    'after = "ttl", id = "a", from = "header.ttl", note = "n"': "never reached: ttl (amqp10_to_amqp091.toml:",
    'after = "application-property", id = "a", from = "application_properties[k]"': "never reached: application-property",
}

WRONG_TYPE_ROWS = {
    'id = "a", type = "char", lost = "why"': "column 'lost' has no meaning in a row of types",
    'id = "a", as = "void"': "a row of types needs 'type'",
    'id = "a", type = "nothing", as = "void"': "unknown type 'nothing' of amqp-1.0",
    'id = "a", type = "*", as = "void"': "unknown type '*' of amqp-1.0",
    'id = "a", type = "char", as = "uint"': "unknown type 'uint' of amqp-0.9.1",
    'id = "a", type = "char", as = "longstr"': "longstr cannot hold the result of the row",
    'id = "a", type = "char", as = "long", via = "magic"': "unknown transform 'magic'",
    'id = "a", type = "char", as = "long", when = "never"': "unknown condition 'never'",
    'id = "a", type = "char", as = "long", scope = "deep"': "scope = 'deep' is not one of top, nested, entry, key",
    'id = "a", type = "char", as = "long", to = "basic.priority"': "column 'to' has no meaning in a row of types",
    'id = "a", type = "char", as = "long", reads = ["footer"]': "a row of types sees a value and reads its @type, not 'footer'",
    'id = "a", type = "char", as = "long", when = "same-beside", reads = ["@type"]': "sees the value alone",
    'after = "type-null", id = "a", type = "null", as = "void"': "never reached: type-null",
}

WRONG_LAST_ROWS = {
    'id = "a", at = "basic.headers", lost = "why"': "column 'lost' has no meaning in a row of finish",
    'id = "a", via = "sorted-by-key"': "a row of finish needs 'at'",
    'id = "a", at = "basic.headers"': "a row of finish needs 'via'",
    'id = "a", at = "basic.priority", via = "sorted-by-key"': "basic.priority holds int, but sorted-by-key gives list",
    'id = "a", at = "basic.headers", via = "magic"': "unknown transform 'magic'",
    'id = "a", at = "basic.headers[k]", as = "long", when = "@value: set", via = "constant 5"': "unknown place '@value' in reads",
    'id = "a", at = "basic.nothing", via = "sorted-by-key"': "unknown place 'basic.nothing'",
    'id = "a", at = "header.ttl", via = "sorted-by-key"': "unknown place 'header.ttl' of amqp-0.9.1",
    'id = "a", at = "basic.headers", via = "sorted-by-key", reads = ["@key"]': "unknown place '@key' in reads",
}


@pytest.mark.parametrize(
    ("kind", "row", "problem"),
    [
        (kind, row, problem)
        for kind, wrong in (("rules", WRONG_ROWS), ("types", WRONG_TYPE_ROWS), ("finish", WRONG_LAST_ROWS))
        for row, problem in wrong.items()
    ],
)
def test_a_wrong_row_is_refused_with_its_line(tmp_path: Path, kind: str, row: str, problem: str) -> None:
    said = refused(tmp_path, rows(kind, row))
    assert problem in said
    assert said.startswith("mine.toml:3: ")


def test_a_row_that_hides_a_shipped_row_is_refused_at_the_hidden_row(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(rows("rules", 'before = "ttl", id = "a", from = "header.ttl", note = "n"'))
    words = r"amqp10_to_amqp091.toml:\d+: row ttl: never reached: a \(mine.toml:3\) .*; replace or remove it in mine.toml"
    with pytest.raises(RuleTableError, match=words):
        check_rules(str(file))


WRONG_FILES = {
    "rules = [": "mine.toml: not TOML: ",
    "a = 1\n= 2": "mine.toml:2: not TOML: ",
    "x = " + "[" * 5000 + "]" * 5000: "mine.toml:1: not TOML: values nest too deep",
    "title = 1\nx = " + "9" * 5000: "mine.toml:2: cannot be read: a number has too many digits",
    "x = []\ny = " + "[" * 5000 + "]" * 5000: "mine.toml:2: not TOML: values nest too deep",
    "nothing = 1": "mine.toml:1: unknown member 'nothing'",
    "title = 1": "mine.toml:1: title is not a text",
    "cites = 1": "mine.toml:1: cites is not a list of texts",
    "cites = [1]": "mine.toml:1: cites is not a list of texts",
    "extends = 1": "mine.toml:1: extends is not a text",
    'extends = "rabbitmq-1"': "mine.toml:1: extends: not a profile: unknown profile 'rabbitmq-1'",
    'rules = [\n  { id = "a", from = "header.ttl" },\n]': "mine.toml:1: rules belong below the name of their table",
    '["amqp-1.0"]': "mine.toml:1: no table 'amqp-1.0' to change",
    '["amqp-1.0 -> stomp"]': "mine.toml:1: no table 'amqp-1.0 -> stomp' to change",
    '["amqp-1.0->amqp-0.9.1"]': "mine.toml:1: no table 'amqp-1.0->amqp-0.9.1' to change",
    f'"{TABLE}" = []': f"mine.toml:1: unknown member '{TABLE}'",
    f'["{TABLE}"]\nnothing = 1': f"mine.toml:2: unknown member 'nothing' for {TABLE}",
    f'["{TABLE}"]\nrules = {{}}': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nrules = "ttl"': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nrules = [1]': "mine.toml:2: rules must be an array of rows",
    f'["{TABLE}"]\nremove = "ttl"': "mine.toml:2: remove is not a list of ids",
    f'["{TABLE}"]\nremove = 1': "mine.toml:2: remove is not a list of ids",
    f'["{TABLE}"]\nremove = ["nothing"]': "mine.toml:2: no row 'nothing' to remove",
    f'["{TABLE}"]\nremove = ["ttl"]\nrules = [\n{{ replace = "ttl", note = "" }},\n]': "mine.toml:4: row 'ttl' is replaced and removed",
    f'["{TABLE}"]\nremove = ["ttl", "ttl"]': "mine.toml:2: no row 'ttl' to remove",
    f'["{TABLE}"]\nrules = [ {{ id = "a", from = "footer[a]" }} ]': "mine.toml:2: 1 rows on 0 lines; write each row on one line",
    f'["{TABLE}"]\nrules = [\n  {{ id = "a", from = "footer[a]" }}, {{ id = "b", from = "footer[b]" }},\n]': "mine.toml:3: 2 rows",
    f'[["{TABLE}".rules]]\nid = "a"\nfrom = "footer[a]"': "mine.toml:1: 1 rows on 0 lines",
    f'["{TABLE}"]\nrules = [\n{{ id = "a", from = "footer[a]" }}, {{ id = "b", from = "footer[b]" }},\n]': "2 rows on 1 lines",
}


@pytest.mark.parametrize(("text", "problem"), WRONG_FILES.items(), ids=[str(index) for index in range(len(WRONG_FILES))])
def test_a_wrong_file_is_refused(tmp_path: Path, text: str, problem: str) -> None:
    assert problem in refused(tmp_path, text)


def test_files_that_are_not_utf8_are_refused(tmp_path: Path) -> None:
    assert "mine.toml:2: cannot be read: 'utf-8' codec" in refused(tmp_path, b'title = "t"\n\xff\xfe')
    assert "not TOML" in refused(tmp_path, "\ufeff" + rows("rules", f'{TTL}, note = "n"'))
    with pytest.raises(RuleTableError, match="cannot be read"):
        check_rules(str(tmp_path))
    with pytest.raises(RuleTableError, match="cannot be read"):
        check_rules("a\0b")


@pytest.mark.parametrize("text", ["", "\n \n", '# nothing\ntitle = "t"\ncites = ["c"]\nextends = "rabbitmq-4.3"\n'])
def test_an_empty_overlay_is_accepted(tmp_path: Path, text: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    check_rules(str(file))
    profile = "rabbitmq-4.3" if "extends" in text else "documented"
    assert [table.hash for table in rule_tables(rules=[str(file)])] == [table.hash for table in rule_tables(profile)]


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


def test_hashes_depend_on_the_active_rules_only() -> None:
    documented, broker = (
        {table.name: table.hash for table in rule_tables(profile)} for profile in ("documented", "rabbitmq-4.0")
    )
    assert documented == {table.name: table.hash for table in rule_tables()}
    assert documented[TABLE] != broker[TABLE]
    assert documented["mqtt-3.1.1 -> mqtt-5.0"] == broker["mqtt-3.1.1 -> mqtt-5.0"]


def test_paths_are_written_as_in_the_dataclasses() -> None:
    assert (path("footer", "k"), path("body", 0), path("payload", None)) == ('footer["k"]', "body[0]", "payload")


def test_every_column_is_explained() -> None:
    text = mappings.read("README.md")
    assert [column for column in COLUMNS if f"`{column}`" not in text and f"`{column} =" not in text] == []


# ---- columns that rows leave to the file ----------------------------------------------------------------------------

WAY = 'source = "mqtt-5.0"\ntarget = "amqp-1.0"\ntitle = "t"\n'
TO_HUB = '[to_hub]\ntitle = "t"\nrules = [\n  { carried = "flag" },\n]\n'
FROM_HUB = '[from_hub]\ntitle = "t"\nrules = [\n  { carried = "flag" },\n]\n'
FLAG = 'id = "flag", field = "flag", annotation = "x-opt-rocketmq-flag", as = "int"'
SHARED = 'shared = "s"\n[to_hub]\nrules = [\n  { id = "a", from = "flag", note = "n" },\n  { id = "b", from = "topic", note = "n" },\n]\n[from_hub]\n'


def both_ways(head: str = "", row: str = FLAG, to_hub: str = TO_HUB, from_hub: str = FROM_HUB) -> str:
    """Return a protocol's file whose only row for both ways is on line 3, below one line of the head."""
    return f'protocol = "rocketmq" {head}\ncarried = [\n  {{ {row} }},\n]\n{to_hub}{from_hub}'


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
    both_ways(row=FLAG + ", when_back = ['a']"): "t.toml:3: column 'when_back' is not a text",
    both_ways(row=FLAG + ", reads = 'a'"): "t.toml:3: column 'reads' is not a list of texts",
    both_ways(row=FLAG + ", via_back = 1"): "t.toml:3: column 'via_back' is not a text",
    both_ways(row='id = "flag", field = "flag"'): "t.toml:3: a row of carried needs 'as'",
    both_ways(row=FLAG + ', frame = "f"'): "t.toml:3: unknown frame 'f'; known: none",
    both_ways(row=FLAG.replace('"flag",', '"Flag",', 1)): "t.toml:8: no row 'flag' for carried",
    both_ways("\nnames = 1"): "t.toml:2: names is not a table of texts",
    both_ways("\nnames.f = 'set'"): "t.toml:2: 'f' is named by no row",
    both_ways(row=FLAG + ", when_back = '{f}'"): "t.toml:3: unknown name {f}; known: none",
    both_ways("\nnames.f = 'set and {f}'", row=FLAG + ", when_back = '{f}'"): "t.toml:4: the name {f} uses itself",
    both_ways("\nnames.f = 1"): "t.toml:2: the name 'f' is neither a text nor keys",
    both_ways("\nnames.f = { values = 'body' }"): "t.toml:2: the name 'f' is neither a text nor keys",
    both_ways("\nnames.f = ['a']"): "t.toml:2: 'f' is named by no row",
    both_ways("\ngroups.g = ['@frame']"): "t.toml:2: group 'g' is read by no row",
    both_ways() + "notes.flag = 1": "t.toml:15: the note 'flag' is neither a text nor note, cite and lost",
    both_ways("\ngroups.topic = ['@type']"): "t.toml:2: group 'topic' has the name of a place",
}  # fmt: skip


@pytest.mark.parametrize(
    ("text", "problem"), WRONG_EXPANSIONS.items(), ids=[str(index) for index in range(len(WRONG_EXPANSIONS))]
)
def test_columns_reserved_for_the_file_are_refused_with_their_line(text: str, problem: str) -> None:
    with pytest.raises(RuleTableError) as caught:
        load_tables(text, "t.toml")
    assert str(caught.value).startswith(problem)


WRONG_SHARED = {
    "": "s.toml: the file has no shared",
    'shared = "s"\n[to_hub]\n': "s.toml: the file has no part [from_hub]",
    'shared = "s"\nrules = []\n': "s.toml:2: unknown member 'rules'",
    "needs = 1\n" + SHARED: "s.toml:1: needs is not a table of texts",
    "needs.f = 1\n" + SHARED: "s.toml:1: needs is not a table of texts",
    SHARED.replace('"n"', '"n", when = "{f}"', 1): "s.toml:4: unknown name {f}: describe it under needs",
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


def test_an_include_names_what_its_file_must_define() -> None:
    text = both_ways(to_hub=TO_HUB.replace('carried = "flag"', 'include = "s", rows = "a to b"'))
    shared = 'needs.f = "a condition of topics"\n' + SHARED.replace('"topic", ', '"topic", when = "set and {f}", ')
    with pytest.raises(RuleTableError) as caught:
        load_tables(text, "t.toml", dict([load_shared(shared, "s.toml")]))
    assert str(caught.value) == "t.toml:8: row b (s.toml:6) needs names.f = ..., a condition of topics"


OWN = "x-opt-rocketmq-"


def test_one_shared_row_converts_both_ways() -> None:
    head = '\ngroups.g = ["@frame", "body"]\ngroups.own = ["message_annotations[x-*]"]\nnames.f = "g: w and not {h}"\nnames.h = "own[h]: v"'
    rows = [
        'id = "flag", field = "flag", annotation = "x-f", as = "int", frame = "f", note = "n", cite = "c"',
        'id = "a", field = "a", annotation = "x-a", as = "uint", frame = "f", when_back = "own[a], b: w", via_back = "v"',
        'id = "b", field = "b", as = "string", when = "w unless g: v", reads = ["g"]',
    ]
    run = [part.replace('"flag"', '"flag to b"') for part in (TO_HUB, FROM_HUB)]
    text = both_ways(head, " },\n  { ".join(rows), *run) + 'notes.a = "m"\n'
    to_hub, from_hub = load_tables(text, "t.toml")
    assert (to_hub.name, from_hub.name, to_hub.stem) == ("rocketmq -> amqp-1.0", "amqp-1.0 -> rocketmq", "t_to_amqp10")
    assert [dict(rule.columns) for rule in to_hub.rules] == [
        {"id": "flag", "from": "flag", "to": "message_annotations[x-f]", "as": "int", "note": "n", "cite": "c"},
        {"id": "a", "from": "a", "to": "message_annotations[x-a]", "as": "uint"},
        {
            "id": "b",
            "from": "b",
            "to": f"message_annotations[{OWN}b]",
            "as": "string",
            "when": "w unless @frame, body: v",
            "reads": ["@frame", "body"],
        },
    ]
    frame = "@frame, body: w and not message_annotations[x-h]: v"
    assert [dict(rule.columns) for rule in from_hub.rules] == [
        {"id": "flag", "from": "message_annotations[x-f]", "when": frame, "reads": ["@type"], "to": "flag", "via": "stated int"},
        {"id": "a", "from": "message_annotations[x-a]", "when": f"{frame} and message_annotations[x-a], b: w", "reads": ["@type"], "to": "a", "via": "v", "note": "m"},
        {"id": "b", "from": f"message_annotations[{OWN}b]", "reads": ["@type"], "to": "b", "via": "stated string"},
    ]  # fmt: skip
    assert [rule.where for rule in from_hub.rules] == ["t.toml:7", "t.toml:8", "t.toml:9"]


NAMED = """
groups.own = ["message_annotations[x-*]"]
names.f = "set"
names.all = { keys = "properties" }
names.sorts = { types = "properties" }
names.framed = { frame = "f|g" }
"""
ASKING = """rules = [
  { carried = "flag" },
  { id = "ttl", from = "properties[TTL]", when = "like {framed}", to = "header.ttl", via = "read uint" },
  { id = "again", from = "properties[TTL]", to = "properties.subject" },
  { id = "id", from = "properties[ID]", when = "like {all} !z", to = "properties.message_id", via = "typed-id" },
  { id = "mine", from = "properties[x-mine-*]", when = "types-beside {sorts}", to = "application_properties[*]" },
  { id = "other", from = "properties[*]", to = "own[a]" },
]
"""


def test_names_determine_the_conditions_of_rows() -> None:
    row = 'id = "flag", field = "flag", as = "int", frame = "f"'
    to_hub, _ = load_tables(both_ways(NAMED, row, TO_HUB.partition("rules")[0] + ASKING), "t.toml")
    asked = {rule.id: rule.when for rule in to_hub.rules if rule.when}
    assert asked == {
        "ttl": "like x-opt-rocketmq-flag",
        "id": "like TTL ID !x-mine-* !z",
        "mine": "types-beside TTL=uint ID=ulong|uuid|binary|string",
    }
    assert to_hub.row("other").target_template == "x-a"


def test_a_note_may_follow_its_shared_row() -> None:
    shared = SHARED.replace(', note = "n"', "").replace("[from_hub]", 'notes.a = "m"\n[from_hub]')
    text = both_ways(to_hub=TO_HUB.replace("\n]", '\n  { include = "s", rows = "a" },\n]'))
    to_hub, _ = load_tables(text, "t.toml", dict([load_shared(shared, "s.toml")]))
    assert to_hub.row("a").note == "m"


def test_included_rows_keep_the_position_of_the_include_and_their_own_file() -> None:
    text = both_ways(to_hub=TO_HUB.replace("\n]", '\n  { include = "s", rows = "a to b" },\n]'))
    to_hub, _ = load_tables(text, "t.toml", dict([load_shared(SHARED, "s.toml")]))
    assert [(rule.id, rule.where) for rule in to_hub.rules] == [("flag", "t.toml:3"), ("a", "s.toml:4"), ("b", "s.toml:5")]


CARRIED_ROW, INCLUDED_ROW = "producer-group", "p-subject"


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


def test_a_row_closes_the_section_named_by_its_as_column() -> None:
    (table,) = (each for each in rule_tables() if each.name == "amqp-0.9.1 -> amqp-1.0")
    assert table.row("legacy-footer").closes == ("footer",)
    row = '{ before = "payload", id = "a", from = "payload", to = "@sections", via = "amqp-sections", closes = ["@as"] }'
    with pytest.raises(RuleTableError, match=r"mine.toml:3: closes = \['@as'\] needs an 'as'"):
        rule_tables(rules=Overlay("mine.toml", f'["{table.name}"]\nrules = [\n{row},\n]'))

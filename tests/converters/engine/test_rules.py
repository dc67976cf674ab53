"""Rows: errors name file, line and problem, and hashes depend on the active rules."""

from pathlib import Path

import pytest

from mqconvert import NoRouteError, RuleTableError, check_rules, rule_tables
from mqconvert.converters.overlays import Overlay
from tests.converters.engine.table_files import TABLE, TTL, refused, rows

# ruff: noqa: E501 - each row is one line

WRONG_ROWS = {
    'id = 1, from = "header.ttl"': "column 'id' is not a text",
    'id = "A", from = "header.ttl"': "a row needs an id of lower-case letters, digits and .+_-",
    'from = "header.ttl"': "a row needs an id",
    'id = "a\\n", from = "header.ttl"': "a row needs an id",
    'id = "a", from = "header.ttl\\n"': "'header.ttl\\n' is not a place",
    'id = "a", from = "header.ttl", error = "Not a code!", note = "n"': "error = 'Not a code!' is not a code of lower-case letters",
    'id = "a", from = "header.ttl", error = "code\\n", note = "n"': "is not a code of lower-case letters",
    'id = "a"': "a row of rules needs 'from': a field, or \"@constant\" with 'set' for a value of your own",
    'id = "a", from = "@constant", to = "basic.type", set = { "basic.type" = "t" }': "a row from @constant has its places and values in 'set', and no to",
    'id = "a", from = "@constant"': "a row from @constant needs 'set', with places and their values",
    'id = "a", from = "@constant", set = { "basic.headers[k]" = "t" }': "'set' beside a row for a field of every message writes it",
    f"{TTL}, reads = {['footer'] * 101}": "column 'reads' has more than 100 members",
    'id = "a", from = 1': "column 'from' is not a text",
    'id = "a", from = ""': "'' is not a place",
    'id = "a", from = "a b"': "'a b' is not a place",
    'id = "a", from = "application_properties[]"': "'application_properties[]' is not a place",
    "id = 'a', from = 'application_properties[\"k\"]'": "is not a place: did you mean application_properties[k]?",
    'id = "a", from = "header"': "'header' is a section; name one of its fields",
    'id = "a", from = "application_properties"': "'application_properties' is a map: name a key, application_properties[KEY], or each, application_properties[*]",
    'id = "a", from = "header.ttl[k]"': "'header.ttl' is not a map",
    'id = "a", from = "@nothing"': "unknown place '@nothing' of amqp-1.0",
    f'{TTL}, type = ""': "unknown type ''",
    f'{TTL}, type = "uint|longstr"': "unknown type 'longstr' of header.ttl",
    f'{TTL}, type = "string"': "unknown type 'string' of header.ttl: it holds uint",
    f'{TTL}, type = "absent|uint", note = "n"': "absent must be alone, not in 'absent|uint'",
    f'{TTL}, type = "uint|*", note = "n"': "* must be alone, not in 'uint|*'",
    'id = "a", from = "header.ttl", type = "absent"': "a row of type absent has no value: it needs 'set'",
    'id = "a", from = "header.ttl", type = "absent", to = "basic.priority", set = { "basic.priority" = 1 }': "takes no 'to'",
    'id = "a", from = "header.ttl", when = ["set"]': "column 'when' is not a text",
    'id = "a", from = "header.ttl", when = ""': "unknown condition ''",
    'id = "a", from = "header.ttl", when = "set and not asci"': "unknown condition 'asci' (did you mean 'ascii'?)",
    'id = "a", from = "header.ttl", when = "at-mots 5"': "unknown condition 'at-mots 5' (did you mean 'at-most'?)",
    f'{TTL}, to = "basic.expiration", via = "to-decimel"': "unknown transform 'to-decimel' (did you mean 'to-decimal'?)",
    f'{TTL}, to = "basic.expiration", via = "one-of a b"': "unknown transform 'one-of a b': it is a condition, for the column `when`",
    'id = "a", from = "header.ttl", when = "to-decimal"': "unknown condition 'to-decimal': it is a transform, for the column `via`",
    f"{TTL}, to = 1": "column 'to' is not a text",
    f'{TTL}, to = ""': "'' is not a place",
    f'{TTL}, to = "basic"': "'basic' is a section; name one of its fields",
    f'{TTL}, to = "basic.headers", as = "unsignedint"': "'basic.headers' is a map: name a key",
    f'{TTL}, to = "basic.priority[k]"': "'basic.priority' is not a map",
    f'{TTL}, to = "basic.headers[k]"': "basic.headers needs a type: as = ..., one of bool, byte, ",
    f'{TTL}, to = "basic.nothing", via = "to-decimal"': "unknown place 'basic.nothing' of amqp-0.9.1",
    f'{TTL}, to = "basic.priority", via = "to-decimal"': "basic.priority holds octet (int), but the row gives str; without via it gives int",
    f'{TTL}, to = "@nothing"': "unknown place '@nothing' of amqp-0.9.1",
    f'{TTL}, to = "basic.headers[k]", as = "uint"': "basic.headers cannot hold type 'uint': as = ..., one of bool, byte, ",
    f'{TTL}, to = "basic.headers[k]", as = "longstr"': "basic.headers holds longstr (bytes), but the row gives int",
    f'{TTL}, to = "basic.priority", as = "*"': 'as = "*" needs typed entries as source, an entry as target',
    f'{TTL}, as = "long"': "'as' needs a 'to' in the message",
    f'{TTL}, to = "basic.expiration", via = "magic"': "unknown transform 'magic'",
    f'{TTL}, via = "to-decimal"': "'via' needs a 'to' in the message",
    f"{TTL}, set = 1": "column 'set' is not a table of places, { \"PLACE\" = VALUE }",
    f'{TTL}, set = {{ "basic.no" = 1 }}': "unknown place 'basic.no' in set",
    f'{TTL}, to = "headers.tenant"': "unknown place 'headers.tenant' of amqp-0.9.1 (did you mean 'basic.headers[tenant]'?)",
    'id = "a", from = "application_properties.a"': "unknown place 'application_properties.a' of amqp-1.0 (did you mean 'application_properties[a]'?)",
    f'{TTL}, set = {{ "basic.headers" = 1 }}': "'basic.headers' is a map: name a key",
    f'{TTL}, to = "basic.headers[a\\u0000b]", as = "unsignedint"': "'basic.headers' cannot have this key: contains NUL",
    f'{TTL}, to = "basic.headers[{"k" * 256}]", as = "unsignedint"': "cannot have this key: longer than 255 bytes",
    f'{TTL}, set = {{ "basic.priority" = "x" }}': "basic.priority cannot hold 'x': not an integer",
    f'{TTL}, set = {{ "basic.priority" = 256 }}': "basic.priority cannot hold 256: not between 0 and 255",
    f'{TTL}, set = {{ "basic.priority" = 1979-05-27 }}': "not an integer",
    f'{TTL}, to = "basic.expiration", via = "to-decimal", taken = "never"': "taken = 'never' is not one of drop, next",
    f'{TTL}, taken = "next"': "'taken' needs a 'to' in the message",
    f'{TTL}, more = "yes"': "column 'more' is not a true or false",
    f'{TTL}, reads = "footer"': "column 'reads' is not a list of texts",
    f'{TTL}, reads = [["footer"]]': "column 'reads' is not a list of texts",
    f'{TTL}, reads = ["nothing"]': "unknown place 'nothing' in reads",
    f'{TTL}, reads = ["header"]': "'header' is a section; name one of its fields",
    f'{TTL}, reads = ["@key"]': "unknown place '@key' in reads",
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
    f'{TTL}, option = "escape"': "'option' needs an 'error', which it avoids",
    f'{TTL}, error = "code", note = "n", option = "the escape"': "option = 'the escape' is neither NAME nor NAME=VALUE",
    f'{TTL}, error = "code", note = "n", option = "escap=true"': "option = 'escap=true' is no option of an Environment",
    f'{TTL}, lost = "why", to = "basic.expiration", via = "to-decimal"': "has no target: it allows no 'to'",
    f'{TTL}, lost = "why", set = {{ "basic.priority" = 1 }}': "has no target: it allows no 'set'",
    f'{TTL}, lost = "why", error = "code", note = "n"': "has no target: it allows no 'error'",
    f'{TTL}, wenn = "x"': "unknown column 'wenn' (did you mean 'when'?)",
    f'{TTL}, remove = "ttl"': "unknown column 'remove': it stands beside 'rules', as a list of ids",
    f"{TTL}, drop = true": "unknown column 'drop': a row without 'to' drops what it takes, and 'note' says why",
    f'{TTL}, if = "set"': "unknown column 'if' (did you mean 'when'?)",
    'id = "a", from = "header.ttl", note = "n", when = "equals a"': "unknown condition 'equals a'; write 'is a'",
    'id = "a", from = "header.ttl", note = "n", when = "absent"': "'absent': a row for an unset field has `type = \"absent\"`",
    'id = "a", from = "header.ttl", note = "n", when = "exists"': "'exists': rows apply to fields that are set",
    'id = "a", from = "header.ttl", note = "n", when = "starts-with a"': "unknown condition 'starts-with a'; write 'begins a'",
    'id = "a", from = "header.ttl", note = "n", when = "acme"': "unknown condition 'acme'; mappings/README.md lists the words with literals",
    'id = "a", from = "header.ttl", note = "n", when = "is a or is b"': "; instead of `or`, write a row for each",
    'id = "a", from = "basic.headers[k]", note = "n"': "unknown place 'basic.headers' of amqp-1.0: it is one of amqp-0.9.1; does the row belong below [\"amqp-0.9.1 -> amqp-1.0\"]?",
    'before = "nothing", id = "a", from = "header.ttl"': "no row 'nothing' to change; `mqconvert rules show amqp-1.0 amqp-0.9.1` lists them",
    'before = "prioritty", id = "a", from = "header.ttl"': "no row 'prioritty' to change (did you mean 'priority'?)",
    'before = "type-null", id = "a", from = "header.ttl"': "'type-null' is a row of types, not of rules",
    'before = 1, id = "a", from = "header.ttl"': "before is not an id",
    'before = "ttl", after = "ttl", id = "a", from = "header.ttl"': "a row has one of before and after",
    'replace = ["ttl"]': "replace is not an id",
    'replace = "nothing", note = "n"': "no row 'nothing' to change; `mqconvert rules show amqp-1.0 amqp-0.9.1` lists them",
    'replace = "ttl", from = ""': "a row of rules needs 'from'",
    'replace = "ttl", id = ""': "a row needs an id",
    'replace = "ttl", id = "priority"': "duplicate id 'priority'",
    'after = "ttl", id = "a", from = "header.ttl", note = "n"': "all of it; place it before ttl",
    'after = "application-property", id = "a", from = "application_properties[k]"': "never reached: application-property",
}

WRONG_TYPE_ROWS = {
    'id = "a", type = "char", lost = "why", as = "longstr"': "has no target: it allows no 'as'",
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
    'after = "type-null", id = "a", type = "null", as = "void"': "all of it; place it before type-null",
}

WRONG_LAST_ROWS = {
    'id = "a", at = "basic.headers", lost = "why"': "column 'lost' has no meaning in a row of finish",
    'id = "a", at = "basic.headers", as = "long", via = "sorted-by-key"': "column 'as' has no meaning in a row of finish",
    'id = "a", via = "sorted-by-key"': "a row of finish needs 'at'",
    'id = "a", at = "basic.headers"': "a row of finish needs 'via'",
    'id = "a", at = "basic.priority", via = "sorted-by-key"': "basic.priority holds int, but sorted-by-key gives list",
    'id = "a", at = "basic.headers", via = "magic"': "unknown transform 'magic'",
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


def test_rows_are_checked_over_the_tables_of_a_profile(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('title = "t"\n["amqp-0.9.1 -> mqtt-5.0"]\nrules = [{ replace = "header-text", note = "mine" }]\n')
    with pytest.raises(RuleTableError, match="no row 'header-text'"):
        check_rules(str(file))
    assert check_rules(file, profile="preserve") == ["amqp-0.9.1 -> mqtt-5.0"]
    with pytest.raises(NoRouteError, match="unknown profile"):
        check_rules(str(file), profile="preserved")


def test_hashes_depend_on_the_active_rules_only() -> None:
    documented, broker = (
        {table.name: table.hash for table in rule_tables(profile)} for profile in ("documented", "rabbitmq-4.0")
    )
    assert documented == {table.name: table.hash for table in rule_tables()}
    assert documented[TABLE] != broker[TABLE]
    assert documented["mqtt-3.1.1 -> mqtt-5.0"] == broker["mqtt-3.1.1 -> mqtt-5.0"]


def test_a_row_closes_the_section_named_by_its_as_column() -> None:
    (table,) = (each for each in rule_tables() if each.name == "amqp-0.9.1 -> amqp-1.0")
    assert table.row("legacy-footer").closes == ("footer",)
    row = '{ before = "payload", id = "a", from = "payload", to = "@sections", via = "amqp-sections", closes = ["@as"] }'
    with pytest.raises(RuleTableError, match=r"mine.toml:3: closes = \['@as'\] needs an 'as'"):
        rule_tables(rules=Overlay("mine.toml", f'["{table.name}"]\nrules = [\n{row},\n]'))


def test_a_table_finds_its_rows_with_a_condition_by_whole_fields() -> None:
    (table,) = (each for each in rule_tables() if each.name == "amqp-0.9.1 -> mqtt-5.0")
    rows = [row for row in table.rules if row.when is not None]
    assert [row.id for row in table.conditional["basic.expiration"]] == ["expiration"]
    assert {row for found in table.conditional.values() for row in found} == {row for row in rows if row.source_pattern is None}
    assert any(row.source_pattern for row in rows)

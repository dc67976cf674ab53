"""Words of a table that do not fit its rows are refused before any message comes, with file and line."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    PROTOCOLS,
    ConversionError,
    EncodeError,
    Entry,
    Environment,
    Route,
    RuleTable,
    RuleTableError,
    check_rules,
    convert,
    encode,
    mappings,
    rule_tables,
)
from mqconvert.converters.engine.columns import Row
from mqconvert.converters.engine.files import TableFile
from mqconvert.converters.engine.tables import overlay
from mqconvert.converters.engine.trials import vouch_for
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.places import ENTRIES, places
from mqconvert.converters.overlays import Overlay, TableSet
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.routes import RouteConverter
from mqconvert.messages import amqp091
from tests.converters.engine.table_files import TTL, refused, rows
from tests.strategies import DRAWN, examples

# ruff: noqa: E501 - each row is one line
UNFIT = {
    f'rules: {TTL.replace("set", "same-beside", 1)}, note = "n"': "condition same-beside looks at 1 more: it needs reads",
    'rules: before = "ttl", id = "a", from = "header.ttl", when = "ascii", note = "n"': "when = 'ascii' fails for header.ttl of type uint",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", when = "finite", note = "n"': "of type string",
    f'rules: {TTL}, to = "basic.reply_to", via = "uuid-to-urn"': "via = 'uuid-to-urn' fails for header.ttl of type uint",
    f'rules: {TTL}, to = "basic.headers[k]", as = "array", via = "items"': "items is a word of type rows",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", to = "basic.reply_to", '
    'via = "address-to-topic"': "transform address-to-topic looks at 1 more",
    f'rules: {TTL}, to = "basic.headers[x-*]", as = "unsignedint"': "one * in 'x-*' means the key of the source",
    'rules: before = "application-property", id = "a", from = "application_properties[y-*]", '
    'to = "basic.headers[*-*]"': "one * in '*-*'",
    'rules: before = "application-property", id = "a", from = "application_properties[*-y]", note = "n"': "at the end of a key",
    f'rules: {TTL}, to = "basic", closes = ["basic"], via = "one-amqp-section"': "'basic' is a section; name one of its fields",
    f'rules: {TTL}, to = "basic.expiration", via = "to-decimal", closes = ["no"]': "unknown place 'no' of amqp-0.9.1 in closes",
    f'rules: {TTL}, to = "basic", via = "one-amqp-section", taken = "next"': "'basic' is a section",
    'rules: before = "ttl", id = "a", from = "delivery_annotations[k]", to = "basic.headers[k]", as = "longstr", via = "annotation string"': 'looks at 1 more: it needs reads = ["@type"], and 0 are read',
    f'rules: {TTL}, to = "basic.expiration", via = "by-clock delay"': 'looks at 2 more: it needs reads = ["@type", "@clock"], and 0 are read',
    'rules: before = "application-property", id = "a", from = "application_properties[k]", to = "basic.headers[k]", as = "longstr"': 'but the row gives array; as = "*" takes values of every type',
    'types: id = "a", type = "char", when = "same-beside", as = "long"': "condition same-beside looks at 1 more",
    'types: id = "a", type = "char", via = "items", as = "array"': "items is for list, not for char",
    'types: id = "a", type = "ulong", scope = "key", as = "long"': "the keys of a table are shortstr, not long",
    'types: before = "type-ubyte", id = "a", type = "ubyte", as = "octet"': "a map of amqp-0.9.1 holds no octet: as = ..., one of ",
    'types: before = "type-string", id = "a", type = "string", when = "finite", as = "longstr", via = "octets"': "when = 'finite' fails for",
    'rules: id = "a", from = "@address[x-*]", to = "basic.headers[*]", as = "longstr", via = "octets"': "'@address' is not a map",
    'finish: id = "a", at = "basic.headers", via = "items"': "items is a word of type rows",
    'finish: id = "a", at = "basic.headers", via = "to-decimal"': "basic.headers holds list, but to-decimal gives str",
    'finish: id = "a", at = "basic.headers", via = "deaths"': "deaths does not give a list for every value",
    'finish: id = "a", at = "basic.headers", via = "address-to-topic"': "looks at 1 more",
    'finish: id = "a", at = "basic.expiration", via = "uuid-to-urn"': "via = 'uuid-to-urn' fails for header.ttl of type uint",
    'finish: id = "a", at = "basic.expiration", via = "octets"': "basic.expiration holds str, but octets gives bytes",
    'finish: id = "a", at = "basic.expiration", when = "finite", via = "to-decimal"': "when = 'finite' fails for header.ttl of type uint",
    f"finish: id = 'a', at = 'basic.expiration', via = 'constant \"{256 * 'a'}\"'": "gives for header.ttl of type uint a value that basic.expiration cannot hold: longer than 255 bytes",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", when = "ascii", to = "basic.timestamp", '
    'via = "milliseconds-to-unsigned-seconds"': "via = 'milliseconds-to-unsigned-seconds' fails for properties.reply_to of type string",
    'rules: before = "user-id", id = "a", from = "properties.user_id", to = "basic.type", via = "uuid-to-urn", more = true': "via = 'uuid-to-urn' gives for properties.user_id of type binary a value that basic.type cannot hold: longer than 255 bytes",
    'rules: id = "a", from = "@clock", type = "binary", note = "n"': "unknown type 'binary' of @clock",
    'rules: before = "footer", id = "a", from = "footer[*]", type = "absent", set = { "basic.type" = "a" }': "absent must name a field",
    f'rules: {TTL.replace("set", "same-beside", 1)}, reads = ["footer[*]"], note = "n"': "the * in 'footer[*]' means the key of",
    'rules: id = "a", from = "properties.to", type = "absent", when = "same-beside", reads = ["@type"], '
    'set = { "basic.type" = "a" }': "unknown place '@type' in reads",
    'rules: id = "a", from = "properties.to", type = "absent", when = "sections-beside", reads = ["header.ttl"], '
    'set = { "basic.type" = "a" }': "when = 'sections-beside' fails for",
    'rules: id = "a", from = "properties.to", type = "absent", to = "basic.type", via = "sorted-by-key"': "sorted-by-key needs a value, but",
    'rules: before = "user-id", id = "a", from = "properties.user_id", to = "@sections", via = "one-amqp-section"': "amqp-0.9.1 has none",
    f'rules: {TTL}, to = "basic.type", closes = ["basic"], via = "to-decimal"': "basic.type is not a section",
    'rules: before = "to", id = "a", from = "properties.to", to = "@address"': "text field of the message itself, not properties.to",
    'rules: before = "footer", id = "a", from = "footer[k]", to = "@address"': "text field of the message itself, not footer",
    'rules: before = "to", id = "a", from = "@frame", to = "@address"': "text field of the message itself, not @frame",
    'start: id = "a", at = "footer", via = "uuid-to-urn"': "uuid-to-urn does not give a list for every value",
    'start: id = "a", at = "footer", via = "entries"': "entries is a word of type rows",
    'start: id = "a", at = "footer", via = "constant 1 then to-decimal then split-by ,"': "then split-by ,' gives no entries for footer",
    'finish: id = "a", at = "basic.headers", via = "constant 1 then to-decimal then split-by ,"': "a value that basic.headers cannot hold: not entries",
    'finish: id = "a", at = "basic.headers[k]", via = "constant true"': "a row of finish sees the whole of basic.headers, and no entry",
    'finish: id = "a", at = "basic.type", via = "queue-of-address", whole = true': "queue-of-address does not give a value for every value",
    'finish: id = "a", at = "basic.type", when = "set", reads = ["properties.to"], error = "no", note = "n"': "a row of finish reads the caller's values and @message, not properties.to",
    'finish: id = "a", at = "basic.type", type = "shortstr", via = "queue-address"': "the type of a row of finish is absent or *",
    'finish: id = "a", at = "basic.priority", type = "*", via = "low-bits 8"': "via = 'low-bits 8' fails for an empty message",
    'finish: id = "a", at = "basic.priority", type = "absent", via = "constant 256"': "via = 'constant 256' gives for an empty message a value that basic.priority cannot hold: not between 0 and 255",
    'finish: id = "a", at = "basic.type", when = "begins x-", via = "octets"': "basic.type holds str, but octets gives bytes",
    f'{"rules: " + TTL}, error = "no", note = "n", to = "basic.priority"': "a row with an error has no target",
    f'{"rules: " + TTL}, error = "no"': "a row with an error has no target, and needs a note with the reason",
    'rules: id = "a", from = "properties.to", type = "absent", when = "set", set = { "basic.type" = "a" }': "set needs a value, but",
    'rules: id = "a", from = "properties.to", type = "absent", when = "is 5 and set-beside", reads = ["header.ttl"], set = { "basic.type" = "a" }': "needs a value",
    'rules: id = "a", from = "properties.to", type = "absent", to = "basic.priority", via = "choose 1 0"': "needs a value, but",
    'rules: before = "ttl", id = "a", from = "header.ttl", to = "@beside[nothing]"': "unknown place 'nothing' of amqp-1.0 in @beside[nothing]",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", to = "basic.type", via = "typed-text", '
    'reads = ["footer[k]"]': "basic.type holds no typed value",
    'rules: before = "delivery-annotations", id = "a", from = "delivery_annotations[*]", type = "ubyte|char", '
    'when = "properties-longer-than 32767"': "it is for values of other types",
    'finish: id = "a", at = "payload", via = "octets"': "via = 'octets' fails for an empty message",
}


@pytest.mark.parametrize(("row", "problem"), UNFIT.items())
def test_words_that_do_not_fit_are_refused(tmp_path: Path, row: str, problem: str) -> None:
    """By the check alone, since each trial compiles the table: the tests with `refused` load such files, too."""
    kind, _, row = row.partition(": ")
    (tmp_path / "mine.toml").write_text(rows(kind, row))
    with pytest.raises(RuleTableError) as caught:
        check_rules(tmp_path / "mine.toml")
    said = str(caught.value).removeprefix(f"{tmp_path}/")
    assert problem in said
    assert said.startswith(("mine.toml:3: row ", "mine.toml:4: row "))
    assert caught.value.code == "bad_table"


PROFILES = ["documented", *mappings.overlay_names()]
SHIPPED = {
    f"{table.stem} {table.hash}": table
    for profile in PROFILES
    for rules in ((), "preserve")[: 1 + (profile != "preserve")]
    for table in rule_tables(profile, rules)
}


@pytest.mark.proof
@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_table_passes_its_trials(name: str) -> None:
    vouch_for(SHIPPED[name])


@pytest.mark.parametrize("finish", ["", '{ id = "b", at = "basic.type", when = "is x", error = "no", note = "n" },'])
def test_rows_of_an_overlay_are_tried_beside_known_rows(finish: str) -> None:
    """A new row that sees the target last may fail for the result of any row."""
    row = '{ before = "ttl", id = "a", from = "header.ttl", when = "ascii", note = "n" },'
    text = f'["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n{row}\n]\nfinish = [\n{finish}\n]\n'
    with pytest.raises(RuleTableError, match=r"mine.toml:3: row a: when = 'ascii' fails for header.ttl of type uint"):
        rule_tables(rules=Overlay("mine.toml", text))
    last = '{ id = "a", at = "basic.type", via = "uuid-to-urn" },'
    with pytest.raises(RuleTableError, match=r"mine.toml:3: row a: via = 'uuid-to-urn' fails for \S+ of type"):
        rule_tables(rules=Overlay("mine.toml", f'["amqp-1.0 -> amqp-0.9.1"]\nfinish = [\n{last}\n{finish}\n]\n'))


def test_rows_that_fill_lists_without_keys_are_refused(tmp_path: Path) -> None:
    row = 'before = "qos", id = "a", from = "qos", to = "subscription_identifiers", as = "varint"'
    said = refused(tmp_path, rows("rules", row).replace("amqp-1.0 -> amqp-0.9.1", "mqtt-3.1.1 -> mqtt-5.0"))
    assert "no row can fill subscription_identifiers" in said


def test_rows_from_topics_to_short_strings_are_refused(tmp_path: Path) -> None:
    row = 'before = "topic", id = "a", from = "topic_name", when = "ascii", to = "basic.type", via = "to-decimal"'
    said = refused(tmp_path, rows("rules", row).replace("amqp-1.0 -> amqp-0.9.1", "mqtt-5.0 -> amqp-0.9.1"))
    assert (
        "via = 'to-decimal' gives for topic_name of type topic a value that basic.type cannot hold: longer than 255 bytes"
        in said
    )


NO_KEYS = {
    'rules: before = "subscription-identifier", id = "a", from = "subscription_identifiers[k]", note = "n"': "a list without keys",
    'rules: before = "dup", id = "a", from = "dup", when = "same-beside", reads = ["subscription_identifiers[k]"], note = "n"': "a list without keys",
}


@pytest.mark.parametrize(("row", "problem"), NO_KEYS.items())
def test_rows_that_ask_lists_without_keys_for_a_key_are_refused(tmp_path: Path, row: str, problem: str) -> None:
    kind, _, row = row.partition(": ")
    assert problem in refused(tmp_path, rows(kind, row).replace("amqp-1.0 -> amqp-0.9.1", "mqtt-5.0 -> amqp-1.0"))


def test_rows_that_put_compound_types_in_application_properties_are_refused(tmp_path: Path) -> None:
    row = (
        'before = "header", id = "a", from = "basic.headers[k]", type = "array", to = "application_properties[k]", as = "list"'
    )
    said = refused(tmp_path, rows("rules", row).replace("amqp-1.0 -> amqp-0.9.1", "amqp-0.9.1 -> amqp-1.0"))
    assert "application_properties" in said


def test_rows_that_make_an_array_from_items_are_refused(tmp_path: Path) -> None:
    """An array of AMQP 1.0 has one type for all of its elements; `items` gives a list."""
    row = 'before = "type-array", id = "a", type = "array", scope = "nested", as = "array", via = "items"'
    said = refused(tmp_path, rows("types", row).replace("amqp-1.0 -> amqp-0.9.1", "amqp-0.9.1 -> amqp-1.0"))
    assert "array cannot hold the result of the row" in said


def test_ids_that_differ_only_in_punctuation_are_distinct() -> None:
    """They become names in the generated function."""
    ids = ["t+t.l", "t-t-l", "t.t-l"]
    added = [
        f'{{ before = "ttl", id = "{name}", from = "header.ttl", when = "is {at}", note = "n" }}' for at, name in enumerate(ids)
    ]
    text = '["amqp-1.0 -> amqp-0.9.1"]\nrules = [\n' + "".join(f"  {row},\n" for row in added) + "]\n"
    for at, name in enumerate(ids):
        message = amqp10.Message(header=amqp10.Header(ttl=at), body=amqp10.Data([b""]))
        report = convert(message, "amqp-0.9.1", rules=Overlay("mine.toml", text)).report
        assert [dropped.rule for dropped in report.dropped] == [name]


def test_words_are_not_tried_on_values_that_an_earlier_row_takes(tmp_path: Path) -> None:
    """`from-decimal` raises on text that is not a number, but `when` excludes such text."""
    file = tmp_path / "mine.toml"
    row = '{ before = "type-string", id = "a", type = "string", when = "number", as = "long", via = "from-decimal" }'
    file.write_text(f'["amqp-1.0 -> amqp-0.9.1"]\ntypes = [\n  {row},\n]\n')
    assert any(rule.id == "a" for table in rule_tables(rules=[str(file)]) for rule in table.types)


@pytest.mark.parametrize(
    "row",
    [
        'from = "basic.expiration", to = "header.priority"',
        'from = "basic.headers[ttl]", type = "longstr", to = "header.priority"',
        'from = "basic.headers[ttl]", type = "longstr", to = "header.priority", when = "not is 5"',
        'from = "basic.headers[ttl]", type = "longstr", to = "header.priority", via = "text then from-decimal"',
        'from = "basic.headers[ttl]", type = "longstr", to = "header.priority", when = "not is number", via = "text then from-decimal"',
    ],
)
def test_the_advice_for_text_where_a_number_belongs_works(row: str) -> None:
    def overlay(columns: str) -> Overlay:
        return Overlay(
            "mine.toml", f'["amqp-0.9.1 -> amqp-1.0"]\nrules = [\n  {{ before = "expiration", id = "a", {columns} }},\n]\n'
        )

    headers = amqp091.BasicProperties(expiration="7", headers=[Entry("ttl", "longstr", b"7")])
    message = amqp091.Message(basic=headers)
    with pytest.raises(RuleTableError) as caught:
        convert(message, "amqp-1.0", rules=overlay(row))
    advised = re.search("when = '[^']+', via = '[^']+'", str(caught.value))
    assert advised is not None
    kept = ", ".join(column for column in row.split(", ") if not column.startswith(("when", "via")))
    done = convert(message, "amqp-1.0", rules=overlay(f"{kept}, {advised[0]}"))
    assert done.message.header is not None
    assert done.message.header.priority == 7
    assert ("a", "header.priority") in [(applied.rule, applied.target) for applied in done.report.applied]


def _row(source: str, target: str) -> st.SearchStrategy[dict[str, Any]]:
    """Return rows with plausible columns whose combination is mostly invalid."""
    here, there = places(PROTOCOLS[source]), places(PROTOCOLS[target])
    keys = st.sampled_from(["", "", "[k]", "[x-*]", "[*]"])
    texts = {
        "type": st.sampled_from([*PROTOCOLS[source].types, "absent", "*"]),
        "when": st.sampled_from(sorted(CONDITIONS)),
        "to": st.tuples(st.sampled_from([*there, "@caller"]), keys).map("".join),
        "as": st.sampled_from([*PROTOCOLS[target].types, "*"]),
        "via": st.sampled_from([*TRANSFORMS, "items", "entries"]),
        "taken": st.sampled_from(["drop", "next"]),
        "more": st.booleans(),
        "reads": st.lists(st.sampled_from([*here, "@address"]), max_size=2),
        "uses": st.booleans(),
        "closes": st.lists(st.sampled_from(list(there)), max_size=1),
        "set": st.dictionaries(st.sampled_from(list(there)), st.sampled_from([0, 1, True, "a"]), max_size=1),
    }
    start = st.tuples(st.sampled_from([*here, "@address"]), keys).map("".join)
    return st.fixed_dictionaries({"id": st.just("fuzz"), "from": start}, optional=texts)


def _row_of_types(source: str, target: str) -> st.SearchStrategy[dict[str, Any]]:
    types = st.lists(st.sampled_from([*PROTOCOLS[source].types]), min_size=1, max_size=2, unique=True).map("|".join)
    texts = {
        "when": st.sampled_from(sorted(CONDITIONS)),
        "via": st.sampled_from([*TRANSFORMS, "items", "entries", "array-items"]),
        "scope": st.sampled_from(["top", "nested", "entry", "key"]),
        "reads": st.just(["@type"]),
    }
    made = st.sampled_from([*PROTOCOLS[target].types])
    return st.fixed_dictionaries({"id": st.just("fuzz"), "type": types, "as": made}, optional=texts)


def _row_of_finish(_source: str, target: str) -> st.SearchStrategy[dict[str, Any]]:
    texts = {
        "type": st.sampled_from(["absent", "*", *PROTOCOLS[target].types]),
        "when": st.sampled_from(sorted(CONDITIONS)),
        "reads": st.lists(st.sampled_from(["@address", "@clock", "@payload", "@message"]), max_size=3),
        "whole": st.booleans(),
    }
    at = st.sampled_from([*places(PROTOCOLS[target])])
    made = st.sampled_from([{"error": "odd", "note": "n"}, *({"via": via} for via in TRANSFORMS)])
    drawn = st.tuples(st.fixed_dictionaries({"id": st.just("fuzz"), "at": at}, optional=texts), made)
    return drawn.map(lambda pair: pair[0] | pair[1])


def _row_of_start(source: str, _target: str) -> st.SearchStrategy[dict[str, Any]]:
    maps = [path for path, place in places(PROTOCOLS[source]).items() if place.kind == ENTRIES]
    at = st.sampled_from(maps or ["payload"])
    return st.fixed_dictionaries({"id": st.just("fuzz"), "at": at, "via": st.sampled_from([*TRANSFORMS, "items"])})


ROWS = {"rules": _row, "types": _row_of_types, "start": _row_of_start, "finish": _row_of_finish}


@pytest.mark.parametrize("kind", ROWS)
@pytest.mark.parametrize("table", rule_tables(), ids=lambda table: table.stem)
@examples(8)  # each compiles a table
@given(data=st.data())
def test_a_row_is_refused_or_converts(table: RuleTable, kind: str, data: st.DataObject) -> None:
    row = data.draw(ROWS[kind](table.source, table.target))
    if kind == "rules":
        same = [rule.id for rule in table.rules if rule.source == row["from"].partition("[")[0]]
        row["before"] = same[0] if same else table.rules[0].id
    elif kind == "types" and table.types:
        row["before"] = table.types[0].id
    part = TableFile("mine.toml", {table.name: {kind: [Row(row, "mine.toml", 1)]}})
    shipped = TableSet({(other.source, other.target): other for other in rule_tables()})
    try:
        changed = overlay({(table.source, table.target): table}, part)[table.source, table.target]
        vouch_for(changed)
        ready = RouteConverter(Route(table.source, table.target, (changed,)), (), shipped)
    except RuleTableError as error:
        assert error.file in ("mine.toml", *{rule.file for rule in table.all_rules})  # noqa: PT017 - the row may be valid
        return
    message = data.draw(DRAWN[table.source])
    try:
        target = ready.convert(message, Environment(address="orders")).message
    except ConversionError as error:
        refusing = changed.row(error.rule or "").error
        assert error.code == (refusing or "row_failed")  # noqa: PT017 - the row may be valid
        return
    try:
        encode(target)
    except EncodeError as error:
        assert error.field  # noqa: PT017 - encoding may succeed


def test_a_type_without_rows_may_come_inside_a_value() -> None:
    """The samples of arrays hold booleans, which no row takes here."""
    text = '["amqp-0.9.1 -> amqp-1.0"]\nremove = ["type-bool"]\n'
    assert rule_tables(rules=Overlay("mine.toml", text))

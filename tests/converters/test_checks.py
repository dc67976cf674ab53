"""Words of a table that do not fit its rows are refused before any message comes, with file and line."""

from pathlib import Path

import pytest

from mqconvert import mappings, rule_tables
from mqconvert.converters.checks import vouch_for
from tests.converters.test_rules import TTL, refused, rows

# ruff: noqa: E501 - a row stands on one line
UNFIT = {
    f'rules: {TTL.replace("set", "set-beside", 1)}, note = "n"': "condition set-beside looks at 1 more: it needs reads",
    'rules: before = "ttl", id = "a", from = "header.ttl", when = "urn-uuid", note = "n"': "condition urn-uuid cannot take",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", when = "finite", note = "n"': "of type string",
    f'rules: {TTL}, to = "basic.reply_to", via = "uuid-to-urn"': "transform uuid-to-urn cannot take a value of type uint",
    f'rules: {TTL}, to = "basic.headers[k]", as = "array", via = "items"': "items is a word of type rows",
    'rules: before = "reply-to", id = "a", from = "properties.reply_to", to = "basic.reply_to", '
    'via = "exchange-address-to-topic"': "transform exchange-address-to-topic looks at 1 more",
    f'rules: {TTL}, to = "basic.headers[x-*]", as = "unsignedint"': "one * in 'x-*' stands for the key of the source",
    'rules: before = "application-property", id = "a", from = "application_properties[y-*]", '
    'to = "basic.headers[*-*]"': "one * in '*-*'",
    'rules: before = "application-property", id = "a", from = "application_properties[*-y]", note = "n"': "at the end of a key",
    f'rules: {TTL}, to = "basic", closes = ["basic"], via = "one-amqp-section"': "cannot take a value of type uint",
    f'rules: {TTL}, to = "basic.expiration", via = "to-decimal", closes = ["no"]': "unknown place 'no' of amqp-0.9.1 in closes",
    f'rules: {TTL}, to = "@sections", via = "one-amqp-section", taken = "next"': "taken = next says nothing",
    'rules: before = "ttl", id = "t+t.l", from = "header.ttl", when = "set", note = "n" },\n'
    '  { before = "ttl", id = "t-t-l", from = "header.ttl", when = "set", note = "n"': "its id is too like 't+t.l', mine.toml:3",
    'types: id = "a", type = "char", when = "set-beside", as = "long"': "condition set-beside looks at 1 more",
    'types: id = "a", type = "char", via = "items", as = "array"': "items is for list and array, not for char",
    'types: id = "a", type = "ulong", scope = "key", as = "long"': "the keys of a table are shortstr, not long",
    'types: before = "type-string", id = "a", type = "string", when = "finite", as = "longstr", via = "octets"': "finite cannot",
    'finish: id = "a", at = "basic.headers", via = "items"': "items is a word of type rows",
    'finish: id = "a", at = "basic.headers", via = "to-decimal"': "to-decimal does not give a list for every list",
    'finish: id = "a", at = "basic.headers", via = "deaths"': "deaths does not give a list for every list",
    'finish: id = "a", at = "basic.headers", via = "exchange-address-to-topic"': "looks at 1 more",
    'rules: before = "user-id", id = "a", from = "properties.user_id", to = "basic.type", via = "uuid-to-urn"': "uuid-to-urn makes of type binary what shortstr cannot hold: longer than 255 octets",
}


@pytest.mark.parametrize(("row", "problem"), UNFIT.items())
def test_words_that_do_not_fit_are_refused(tmp_path: Path, row: str, problem: str) -> None:
    kind, _, row = row.partition(": ")
    said = refused(tmp_path, rows(kind, row))
    assert problem in said
    assert said.startswith(("mine.toml:3: row ", "mine.toml:4: row "))


@pytest.mark.parametrize("profile", ["documented", *mappings.overlay_names()])
def test_every_shipped_table_is_vouched_for(profile: str) -> None:
    for table in rule_tables(profile):
        vouch_for(table)


def test_lists_without_keys_are_not_filled(tmp_path: Path) -> None:
    row = 'before = "qos", id = "a", from = "qos", to = "subscription_identifiers", as = "varint"'
    said = refused(tmp_path, rows("rules", row).replace("amqp-1.0 -> amqp-0.9.1", "mqtt-3.1.1 -> mqtt-5.0"))
    assert "no row can fill subscription_identifiers" in said


def test_a_word_need_not_take_what_an_earlier_row_keeps_from_it(tmp_path: Path) -> None:
    """`from-decimal` raises on text that is no number, and a row with `when` keeps that from it."""
    file = tmp_path / "mine.toml"
    row = '{ before = "type-string", id = "a", type = "string", when = "number", as = "long", via = "from-decimal" }'
    file.write_text(f'["amqp-1.0 -> amqp-0.9.1"]\ntypes = [\n  {row},\n]\n')
    assert any(rule.id == "a" for table in rule_tables(rules=[str(file)]) for rule in table.types)

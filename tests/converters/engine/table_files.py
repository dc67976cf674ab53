"""Table files that tests write, and the errors that they get."""

from pathlib import Path

import pytest

from mqconvert import RuleTable, RuleTableError, check_rules, rule_tables
from mqconvert.converters.engine.tables import load_tables

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

WAY = 'source = "mqtt-5.0"\ntarget = "amqp-1.0"\ntitle = "t"\n'
TO_HUB = '[to_hub]\ntitle = "t"\nrules = [\n  { carried = "flag" },\n]\n'
FROM_HUB = '[from_hub]\ntitle = "t"\nrules = [\n  { carried = "flag" },\n]\n'
FLAG = 'id = "flag", field = "flag", as = "int"'
SHARED = 'shared = "s"\n[to_hub]\nrules = [\n  { id = "a", from = "flag", note = "n" },\n  { id = "b", from = "topic", note = "n" },\n]\n[from_hub]\n'


def both_ways(head: str = "", row: str = FLAG, to_hub: str = TO_HUB, from_hub: str = FROM_HUB) -> str:
    """Return a protocol's file whose only row for both ways is on line 3, below one line of the head."""
    return f'protocol = "rocketmq" {head}\ncarried = [\n  {{ {row} }},\n]\n{to_hub}{from_hub}'


HEAD = '["amqp-1.0 -> amqp-0.9.1"]\n'

TITLED = 'source = "amqp-1.0"\ntarget = "amqp-0.9.1"\ntitle = "Rows of a test"\n'


def load_table(text: str, name: str) -> RuleTable:
    """Return the table of a file with one table."""
    (made,) = load_tables(text, name)
    return made


def table(*, rules: str = "", types: str = "") -> RuleTable:
    return load_table(f"{TITLED}rules = [{rules}\n]\ntypes = [{types}\n]\n", "mine.toml")

"""Functions of unusual tables and an interpreter of the rows give the same; test_laws.py compares those of shipped tables."""

import json
from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from mqconvert import (
    Conversion,
    ConversionError,
    Entry,
    Environment,
    RuleTable,
    RuleTableError,
    TypedValue,
    convert,
)
from mqconvert.converters.engine.compiler import compile_table
from mqconvert.converters.engine.trials import vouch_for
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.running import Runner
from tests.converters.engine.table_files import load_table
from tests.entries import entry
from tests.interpreter import difference
from tests.strategies import examples


@lru_cache(maxsize=64)
def _runner(table: RuleTable) -> Runner:
    return Runner([(table, compile_table(table)[0], None)])


def same(table: RuleTable, message: Any, environment: Environment) -> None:
    """Assert that both give the same message and report, or refuse the message by the same row."""
    try:
        outcome: Conversion | ConversionError = _runner(table).convert(message, environment)
    except ConversionError as error:
        outcome = error
    assert difference((table,), message, environment, outcome) is None, compile_table(table)[1].text


@pytest.mark.parametrize("target", ["nsq", "rocketmq"])
def test_an_address_with_invalid_text_is_refused_even_with_escape(target: str) -> None:
    message = amqp091.Message(exchange="", routing_key="\udcff", payload=b"a")
    with pytest.raises(ConversionError) as caught:
        convert(message, target, environment=Environment(escape=True))
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "address-refused")


# ---- unusual tables: every column against every other -------------------------------------------------------------------

HEAD = 'source = "amqp-0.9.1"\ntarget = "amqp-1.0"\ntitle = "odd"\nrules = [\n'
TYPES = """]
types = [
  { id = "t-text", type = "longstr", when = "shortstr", as = "string", via = "text" },
  { id = "t-octets", type = "longstr", as = "binary" },
  { id = "t-long", type = "long", as = "int" },
  { id = "t-bool", type = "bool", lost = "of no use" },
  { id = "t-table", type = "table", as = "map", via = "entries" },
  { id = "t-key", type = "shortstr", scope = "key", when = "begins x-", as = "symbol" },
]
"""
SCALARS = ("basic.message_id", "basic.app_id", "basic.type", "basic.cluster_id")
FIELDS = ("properties.to", "properties.subject", "properties.content_type")
ENTRIES = ("application_properties[k]", "message_annotations[x-k]")


REFUSAL = {"error": "odd_value", "note": "no value of this kind"}
HEADERS = [[f"basic.headers[{key}]"] for key in ("k", "p-*", "*", "**")]
LOOKS: list[dict[str, Any]] = [
    {"when": "same-beside", "reads": ["@address"]},
    *({"when": when, "reads": HEADERS[0]} for when in ("set-beside", "not set-beside", "ascii and set-beside")),
]
"""Conditions that read more than the value, with the columns for that."""


READS: list[dict[str, Any]] = [
    {"reads": reads} for reads in (["basic.user_id"], ["payload", "@address"], *HEADERS[:1], ["basic.headers"])
]
READS += [{"reads": ["payload"], "uses": True}]


def _row(parts: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}


def _sometimes(column: str, *values: Any) -> st.SearchStrategy[dict[str, Any]]:
    return st.just({}) | st.sampled_from([{column: value} for value in values])


def _scalar_rows() -> st.SearchStrategy[dict[str, Any]]:
    to = st.sampled_from([{"to": field} for field in FIELDS] + [{"to": entry, "as": "string"} for entry in ENTRIES])
    return st.tuples(
        st.sampled_from([{"from": name} for name in (*SCALARS, "@address")]),
        to | st.sampled_from([{"note": "no counterpart"}, {"to": "@caller"}, {"type": "absent"}, REFUSAL]),
        st.sampled_from([{}, *READS]),
        st.sampled_from([{}, *({"when": name} for name in ("number", "ascii")), *LOOKS]),
    ).map(_row)


def _header_rows() -> st.SearchStrategy[dict[str, Any]]:
    text = {"type": "longstr", "via": "text"}
    to = [{"to": field} | text for field in FIELDS] + [{"to": entry, "as": "string"} | text for entry in ENTRIES]
    to += [{"to": "application_properties[*]"}, {"to": "application_properties[p-*]"}, {"to": "message_annotations[x-*]"}]
    to += [{"note": "no counterpart"}, {"to": "@caller"}, {"type": "bool", "note": "no truth"}, REFUSAL | {"type": "void|bool"}]
    looks: list[dict[str, Any]] = [{}, {}, {"when": "ascii-key", "reads": ["@key"]}]
    looks += [{"when": when, "reads": beside} for beside in HEADERS for when in ("set-beside", "not set-beside")]
    return st.tuples(
        st.sampled_from([{"from": f"basic.headers[{key}]"} for key in ("k", "x-k", "x-*", "*")]),
        st.sampled_from(to),
        st.sampled_from(looks),
    ).map(_row)


def _rows() -> st.SearchStrategy[dict[str, Any]]:
    more = st.tuples(
        _scalar_rows() | _header_rows(),
        _sometimes("more", True),
        _sometimes("taken", "next"),
        _sometimes("set", {"header.durable": True}, {"properties.subject": "c"}, {"header.priority": 7}),
    )
    return more.map(_row).filter(_sensible)


def _start_rows() -> st.SearchStrategy[dict[str, Any]]:
    return st.builds(lambda via: {"at": "basic.headers", "via": via}, st.just("sorted-by-key"))


def _finish_rows() -> st.SearchStrategy[dict[str, Any]]:
    """Return rows of finish for a field, a map or a section's field."""
    field: list[dict[str, Any]] = [{"at": name, "via": via} for name in FIELDS for via in ("queue-of-address", "replaced / .")]
    field += [{"at": name, "type": type_, "via": 'choose "true" "false"'} for name in FIELDS for type_ in ("*", "absent")]
    field += [{"at": name, "when": when} | REFUSAL for name in FIELDS for when in ("number", "ascii")]
    field += [{"at": "header.durable", "type": "absent", "via": "constant true"}]
    field += [{"at": "properties.creation_time", "type": "absent", "reads": ["@clock"], "via": "constant 1"}]
    field += [{"at": name, "via": "sorted-by-key"} for name in ("application_properties", "message_annotations")]
    return st.tuples(st.sampled_from(field), _sometimes("whole", True)).map(_row)


def _sensible(row: dict[str, Any]) -> bool:
    """Return False for most rows that loading would refuse anyway."""
    placed = "to" in row and row["to"] != "@caller"
    return placed or ("taken" not in row and ("set" in row) >= (row.get("type") == "absent"))


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{ " + ", ".join(f'"{name}" = {_toml(inner)}' for name, inner in value.items()) + " }"
    return json.dumps(value)


def _messages() -> st.SearchStrategy[amqp091.Message]:
    text = st.none() | st.sampled_from(["", "5", "a", "é", "urn:uuid:550e8400-e29b-41d4-a716-446655440000", "\udcff"])
    values = st.sampled_from(
        [
            *(TypedValue("longstr", raw) for raw in (b"a", b"\xff", b"")),
            *(TypedValue("long", number) for number in (1, 2**40)),
            TypedValue("bool", True),
            TypedValue("void", None),
            TypedValue("table", [Entry("x-a", "long", 1), Entry("x-a", "long", 2)]),
            TypedValue("table", [Entry("x-a", "long", 2**40), Entry("x-a", "long", 1), Entry("b", "long", 1)]),
        ]
    )
    headers = st.lists(st.builds(entry, st.sampled_from(["k", "x-k", "x-a", "a", "p-a", "x-é"]), values), max_size=5)
    names = {name.removeprefix("basic."): text for name in SCALARS} | {"user_id": text, "headers": headers}
    return st.builds(amqp091.Message, st.builds(amqp091.BasicProperties, **names), st.sampled_from([b"", b"body"]))


def _odd_table(
    rows: list[dict[str, Any]], start: list[dict[str, Any]] | None = None, finish: list[dict[str, Any]] | None = None
) -> RuleTable:
    def written(kind: str, listed: list[dict[str, Any]] | None) -> str:
        return "".join(f"  {_toml({'id': f'{kind}{number}'} | row)},\n" for number, row in enumerate(listed or ()))

    last = f"start = [\n{written('s', start)}]\nfinish = [\n{written('f', finish)}]\n"
    return load_table(HEAD + written("r", rows) + TYPES + last, "odd.toml")


@examples(300)
@given(
    rows=st.lists(_rows(), min_size=1, max_size=6),
    start=st.just([]) | st.lists(_start_rows(), max_size=1),
    finish=st.lists(_finish_rows(), max_size=3),
    messages=st.lists(_messages(), min_size=3, max_size=3),
    address=st.sampled_from([None, "5", "a"]),
)
def test_random_tables_equal_the_interpreter_or_are_refused(
    rows: list[dict[str, Any]],
    start: list[dict[str, Any]],
    finish: list[dict[str, Any]],
    messages: list[amqp091.Message],
    address: str | None,
) -> None:
    try:
        table = _odd_table(rows, start, finish)
        vouch_for(table)
        compile_table(table)
    except RuleTableError:
        reject()
    for message in messages:
        same(table, message, Environment(address=address, clock=5))


EACH_HEADER = {"from": "basic.headers[*]", "to": "application_properties[*]"}


def _with_headers(*headers: Entry) -> amqp091.Message:
    return amqp091.Message(amqp091.BasicProperties(headers=list(headers)), b"a")


PREPARED_TWICE = """source = "mqtt-5.0"
target = "amqp-0.9.1"
title = "odd"
rules = [
  { id = "r", from = "user_properties[*]", to = "basic.headers[*]", as = "longstr", via = "octets" },
]
start = [
  { id = "s", at = "user_properties", via = "last-of-equal-names" },
  { id = "t", at = "user_properties", via = "last-of-equal-names" },
]
"""
DISAGREEMENTS: dict[str, tuple[RuleTable, Any]] = {
    "the second start row of a place prepares the field again, and not what the first made of it": (
        load_table(PREPARED_TWICE, "odd.toml"),
        mqtt5.Message(user_properties=[("k", "1"), ("a", "2"), ("k", "3")]),
    ),
    "a longer key with ** keeps one of the two": (
        _odd_table([EACH_HEADER | {"from": "basic.headers[x-*]", "when": "set-beside", "reads": ["basic.headers[x-**]"]}]),
        _with_headers(Entry("x-k", "bool", True)),
    ),
    "an entry that only a dropping row had seen before is no second equal key where another row filled the place": (
        _odd_table(
            [
                {"from": "basic.headers[*]", "type": "longstr", "to": "properties.to", "via": "text"},
                {"from": "basic.headers[*]", "note": "no room"},
            ]
        ),
        _with_headers(Entry("k", "bool", True), Entry("x-k", "longstr", b"a"), Entry("k", "longstr", b"a")),
    ),
}
"""Tables and messages for which the compiled function and the interpreter could differ, by the reason."""


@pytest.mark.parametrize(("table", "message"), DISAGREEMENTS.values(), ids=list(DISAGREEMENTS))
def test_regressions_of_random_tables_stay_fixed(table: RuleTable, message: Any) -> None:
    same(table, message, Environment())


@pytest.mark.parametrize("source", ["message_id", "user_id"])
def test_typed_entries_alone_go_through_the_type_rows(source: str) -> None:
    row = f'{{ id = "a", from = "basic.{source}", to = "application_properties[k]", as = "*" }},\n'
    with pytest.raises(RuleTableError, match="needs typed entries"):
        compile_table(load_table(HEAD + row + TYPES, "odd.toml"))


MANY = 30_000
TWINS = {
    "equal keys": amqp091.BasicProperties(headers=[Entry("k", "bool", True)] * MANY),
    "equal sections": amqp091.BasicProperties(headers=[Entry("x-amqp-1.0-properties", "longstr", b"\0Ss\xc0\1\0")] * MANY),
}


@pytest.mark.parametrize("basic", TWINS.values(), ids=list(TWINS))
def test_conversion_time_is_linear_in_the_message_size(basic: amqp091.BasicProperties) -> None:
    """With quadratic time this test would run for many minutes."""
    report = convert(amqp091.Message(basic), "amqp-1.0").report
    assert len(report.applied) + len(report.lost) + len(report.dropped) > MANY

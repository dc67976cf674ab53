"""Rows name every key and field that their words read or write; mappings/README.md lists the exceptions."""

import ast
import re
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqconvert import ConversionError, Entry, Environment, RuleTable, TypedValue, convert, mappings, rule_tables
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import ENTRIES, places
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.sources import source_file
from tests.strategies import ANNOTATION_NAMES, BROKERS, DEEP, mixed_messages

ROOT = Path(__file__).parents[2]
TABLES = [table for profile in ("documented", *mappings.overlay_names()) for table in rule_tables(profile)]
WHOLE_MESSAGES = {"@message"}


def _beyond(table: RuleTable, rule: Rule) -> set[str]:
    """Return the messages and whole maps that a row passes to its words without using them up."""
    maps = {name for name, place in places(PROTOCOLS[table.source]).items() if place.kind == ENTRIES}
    mine = set() if rule.uses or rule in table.finish else maps
    return set(rule.reads) & (WHOLE_MESSAGES | mine)


def test_rows_that_pass_more_than_they_name_are_listed_in_the_readme() -> None:
    text = (ROOT / "mappings" / "README.md").read_text().partition("## Values that a word may see")[2]
    listed = {
        (table, row): set(re.findall("`([^`]+)`", reads))
        for table, row, reads in re.findall(r"^\| `(\w+)` \| `([\w-]+)` \| ([^|]+) \|", text, re.MULTILINE)
    }
    found = {(table.stem, rule.id): beyond for table in TABLES for rule in table.all_rules if (beyond := _beyond(table, rule))}
    assert found == listed


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | set | frozenset | tuple | list):
        for member in value:
            yield from _texts(member)


def _keys_in(module: Any) -> set[str]:
    """Return the texts of a module that look like keys, except in examples: constants in functions and module names."""
    tree = ast.parse(source_file(module).read_text())
    documented = {
        ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.Module)
    }
    written = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    held = {text for name, value in vars(module).items() if not name.startswith("__") for text in _texts(value)}
    return {text for text in (written - documented) | held if re.fullmatch(r"(x-opt|amqp)-[\w.-]+", text)}


@pytest.mark.parametrize(
    "module",
    sorted({word.function.__module__ for word in (*CONDITIONS.values(), *TRANSFORMS.values())}),
)
def test_every_key_known_to_a_word_is_in_a_row(module: str) -> None:
    named = {
        name for table in TABLES for rule in table.all_rules for name in re.findall(r"\[([^\]]+)\]", repr(dict(rule.columns)))
    }
    stems, words = {name.removesuffix("*") for name in named}, CONDITIONS.keys() | TRANSFORMS.keys()
    assert {key for key in _keys_in(sys.modules[module]) if key not in named | stems | words} <= NO_KEYS


NO_KEYS = {"amqp-1.0", "amqp-b64.", "amqp-b64n."}
"""A value, and the names made by the escape of RocketMQ's property string (mappings/README.md)."""


def _named(table: RuleTable) -> tuple[set[str], tuple[str, ...]]:
    """Return the annotation keys in rows, and the prefixes of keys that rows with patterns take."""
    texts = [
        text for rule in table.all_rules for text in (rule.columns.get("from", ""), rule.columns.get("at", ""), *rule.reads)
    ]
    keys = {found[1] for text in texts if (found := re.fullmatch(r"message_annotations\[(.+)\]", text))}
    stems = tuple(key[:-1] for key in keys if key.endswith("-*") and key.count("-") > 3)
    return keys, stems


BACK = {name: next(table for table in rule_tables() if (table.source, table.target) == ("amqp-1.0", name)) for name in BROKERS}
VALUES = [TypedValue("string", text) for text in ("message", "record", "send", "dispatch", "3", "true", "1:2:-1:-1", "")]
VALUES += [TypedValue("uint", 0), TypedValue("ubyte", 3), TypedValue("long", 5), TypedValue("boolean", True)]


def _unnamed(protocol: str) -> list[str]:
    """Return the keys of the vocabulary that no row of the table to a protocol names."""
    keys, stems = _named(BACK[protocol])
    return [name for name in ANNOTATION_NAMES if name not in keys and not name.startswith(stems)]


def _made(message: amqp10.Message, protocol: str, key: str, value: TypedValue | None, frame: str | None) -> Any:
    """Return the conversion of a message with that annotation, without the annotation's own results."""
    # With an annotation of RocketMQ, the row notes no kind for an empty body (mappings/README.md: body-kind).
    gone = (f"x-opt-{protocol}-properties", key)
    entries = [entry for entry in message.message_annotations or () if entry.key not in gone]
    entries += [Entry(f"x-opt-{protocol}-other", "int", 1)] + ([] if value is None else [Entry(key, value.type, value.value)])
    environment = Environment(address="t", clock=5, frame=frame)
    try:
        done: Any = convert(replace(message, message_annotations=entries), protocol, environment=environment)
    except ConversionError as error:
        return error.rule
    if getattr(done.message, "properties", None):
        done.message.properties = [pair for pair in done.message.properties if key not in pair[0]]
    field = path("message_annotations", key)
    return repr(done.message), [loss for loss in done.report.lost if loss.field != field]


@pytest.mark.parametrize("protocol", BROKERS)
def test_an_annotation_without_a_row_is_only_a_property(protocol: str) -> None:
    """A rule applied by a word without a row would change the frame or another field."""
    message = amqp10.Message(properties=amqp10.Properties(TypedValue("string", "m"), creation_time=7), body=amqp10.Data([b"a"]))
    assert _unnamed(protocol)
    for key in _unnamed(protocol):
        without = _made(message, protocol, key, None, None)
        for value in VALUES:
            assert _made(message, protocol, key, value, None) == without, (key, value)


@pytest.mark.proof
@pytest.mark.parametrize("protocol", BROKERS)
@settings(max_examples=DEEP)
@given(data=st.data())
def test_annotations_without_a_row_act_as_properties_only(protocol: str, data: st.DataObject) -> None:
    keys, stems = _named(BACK[protocol])
    own = st.text("abc-", max_size=8).map(f"x-opt-{protocol}-".__add__)
    key = data.draw(st.sampled_from(_unnamed(protocol)) | own)
    assume(key not in keys and not key.startswith(stems))
    message: amqp10.Message = data.draw(mixed_messages(protocol))
    frame = data.draw(st.sampled_from([None, "send"]))
    with_it = _made(message, protocol, key, data.draw(st.sampled_from(VALUES)), frame)
    assert with_it == _made(message, protocol, key, None, frame)

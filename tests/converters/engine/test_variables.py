"""The types of the variables of printed functions."""

import pytest

from mqconvert import rule_tables
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.nodes import Function
from mqconvert.converters.engine.variables import field_type, set_in
from mqconvert.converters.printed.nodes import Literal
from mqconvert.converters.printed.templates import lines


@pytest.mark.parametrize(
    ("table", "path", "kinds", "type_"),
    [
        ("nsq -> amqp-1.0", "timestamp", ["int"], "int | None"),
        ("nsq -> amqp-1.0", "timestamp", ["str", "bytes"], "Any"),
        ("nsq -> amqp-1.0", "topic", ["str"], "str | None"),
        ("amqp-1.0 -> nsq", "properties.message_id", [], "TypedValue | None"),
        ("amqp-1.0 -> nsq", "message_annotations", [], "list[Any] | None"),
        ("amqp-1.0 -> nsq", "body", ["bytes"], "Any"),
    ],
)
def test_a_field_has_a_type_where_the_compiler_gains_from_it(table: str, path: str, kinds: list[str], type_: str) -> None:
    found = _function(table)
    assert field_type(found.from_places[path], found, kinds, always=False) == type_


def test_a_field_that_is_always_set_has_its_class_alone() -> None:
    found = _function("nsq -> amqp-1.0")
    assert field_type(found.from_places["timestamp"], found, ["int"], always=True) == "int"


def _function(name: str) -> Function:
    (table,) = (table for table in rule_tables() if table.name == name)
    return build(table)


def test_variables_are_found_wherever_they_are_set() -> None:
    body = lines("""
        a = 1
        if (b := a) is not None:
            for c, d in []:
                a = 2
                e.f = a
    """)
    found = dict(set_in(body))
    assert found == {"a": Literal(1), "b": None, "c": None, "d": None}

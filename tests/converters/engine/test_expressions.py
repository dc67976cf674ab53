"""Names in generated functions: the value of each field has its own name."""

import builtins
import keyword

import pytest

from mqconvert import RuleTable, rule_tables
from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.expressions import Expressions
from mqconvert.converters.engine.names import Names
from mqconvert.converters.engine.nodes import Group
from mqconvert.converters.model.places import SCALAR, SECTION, Place


@pytest.mark.parametrize("table", rule_tables(), ids=lambda table: table.stem)
def test_each_field_value_has_its_own_variable_name(table: RuleTable) -> None:
    function = build(table)
    names = list(Expressions(function, Names(function.target.types)).locals.values())
    sections = {path for path, place in function.from_places.items() if place.kind == SECTION}
    assert len(names) == len(function.groups) == len(set(names))
    assert not set(names) & {*runtime.NAMES, *sections, *dir(builtins), *keyword.kwlist}


def test_a_field_with_a_name_in_use_gets_a_longer_name() -> None:
    function = build(rule_tables()[0])
    function.groups = {
        path: Group(place=Place(path, ("uint",), SCALAR)) for path in ("key", "notes", "a.class", "a.b", "c.b", "b")
    }
    names = Expressions(function, Names(function.target.types)).locals
    assert names == {"key": "the_key", "notes": "the_notes", "a.class": "a_class", "a.b": "b", "c.b": "c_b", "b": "the_b"}

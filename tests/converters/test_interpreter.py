"""The compiled function does what an interpreter of the rows does: same message, same report."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import Environment, Report, RuleTable, rule_tables
from mqconvert.converters.compiler import compile_table
from mqconvert.converters.report import Notes
from tests.corpus import same_form
from tests.interpreter import Interpreter
from tests.strategies import MESSAGES

PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")
TABLES = [(profile, table) for profile in PROFILES for table in rule_tables(profile) if table.source in MESSAGES]


def account(report: Report) -> Counter[tuple[Any, ...]]:
    """Every line of a report, as the interpreter writes them."""
    lines: Counter[tuple[Any, ...]] = Counter()
    lines.update(("applied", line.rule, line.source, line.target, line.type_rule) for line in report.applied)
    lines.update(("dropped", line.rule, line.field, line.note) for line in report.dropped)
    lines.update(("accounted", line.rule, line.field) for line in report.accounted)
    lines.update(("lost", line.field, line.type, line.reason, line.rule) for line in report.lost)
    return lines


def same(table: RuleTable, message: Any, environment: Environment) -> None:
    function, text = compile_table(table)
    notes = Notes()
    made = function(message, environment, notes)
    wanted = Interpreter(table, message, environment)
    assert same_form(made) == same_form(wanted.message), text
    assert account(Report([(table, notes)])) == wanted.account(), text


@pytest.mark.parametrize(("profile", "table"), TABLES, ids=[f"{table.name} {profile}" for profile, table in TABLES])
@settings(max_examples=60)
@given(data=st.data())
def test_compiled_is_interpreted(profile: str, table: RuleTable, data: st.DataObject) -> None:
    environment = Environment(address=data.draw(st.sampled_from([None, "t", "#"])))
    same(table, data.draw(MESSAGES[table.source]), environment)

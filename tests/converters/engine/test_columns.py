"""Columns: each is allowed in the rows of its kinds alone, and explained."""

import pytest

from mqconvert import RuleTableError, mappings
from mqconvert.converters.engine.columns import CARRIED, CARRIED_COLUMNS, COLUMNS, KINDS, Column, Row, check_columns

ALL = dict.fromkeys(KINDS, COLUMNS) | {CARRIED: CARRIED_COLUMNS}


def _value(column: Column) -> object:
    return column.values[0] if column.values else column.type()


def _row(kind: str, **more: object) -> Row:
    needed = {name: _value(column) for name, column in ALL[kind].items() if kind in column.needed}
    return Row(needed | more, "mine.toml", 1)


@pytest.mark.parametrize("kind", ALL)
def test_a_row_has_the_columns_of_its_kind(kind: str) -> None:
    for name, column in ALL[kind].items():
        row = _row(kind, **{name: _value(column)})
        if kind in (*column.kinds, CARRIED):
            check_columns(row, kind)
        else:
            with pytest.raises(RuleTableError, match=f"'{name}' has no meaning in a row of {kind}"):
                check_columns(row, kind)


@pytest.mark.parametrize("kind", ALL)
def test_a_row_without_a_column_that_its_kind_needs_is_refused(kind: str) -> None:
    for name in _row(kind).columns:
        row = _row(kind)
        del row.columns[name]
        with pytest.raises(RuleTableError, match=f"a row of {kind} needs '{name}'"):
            check_columns(row, kind)


def test_every_column_is_explained() -> None:
    text = mappings.read("README.md")
    assert [column for column in COLUMNS if f"`{column}`" not in text and f"`{column} =" not in text] == []

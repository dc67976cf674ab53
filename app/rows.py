"""The columns of rules as text, for pages and terminals."""

import json
from collections.abc import Iterable

from mqconvert import Rule
from mqconvert.converters.engine.columns import COLUMNS

PROSE = ("lost", "note", "cite")
"""Columns with text for people; the others contain code."""
IN_ORDER = ("id", "from", "at", *(name for name in COLUMNS if name not in ("id", "from", "at", *PROSE)), *PROSE)


def cells(rule: Rule) -> dict[str, str]:
    """Return the columns of a row as text. A row without a target gets `(dropped)`."""
    made = {name: value if name in PROSE else _written(value) for name, value in rule.columns.items()}
    if rule.drops:
        made["to"] = "(dropped)"
    return made


def columns_of(rows: Iterable[dict[str, str]]) -> tuple[str, ...]:
    present = {name for row in rows for name in row}
    return tuple(name for name in IN_ORDER if name in present)


def _written(value: object) -> str:
    """Return a value in TOML, without the quotes and brackets of a text or a list of texts."""
    if isinstance(value, dict):
        return ", ".join(f"{json.dumps(place)} = {json.dumps(constant)}" for place, constant in value.items())
    if isinstance(value, list):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value)

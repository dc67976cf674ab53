"""The pages in docs match the tables and the forecast, row by row.

The tests read the committed pages. `make check-generated` compares them with new ones, which take longer to make than all tests
of this file.
"""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from mqconvert import PROTOCOLS, RuleTable, routes, rule_tables
from mqconvert.converters.engine.columns import COLUMNS

FOLDER = Path(__file__).parents[2] / "docs"


HEADINGS = {"First": "start", "Fields": "rules", "Types of values in maps and lists": "types", "Last": "finish"}


def _value(column: str, cell: str) -> Any:
    """Return the value of a cell by its column."""
    if column in ("note", "cite"):
        return re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", cell)  # remove links
    if cell == "(dropped)":
        return None
    text = cell.removeprefix("`").removesuffix("`")
    if COLUMNS[column].type is dict:
        return tomllib.loads(f"made = {{ {text} }}")["made"]
    return {list: text.split(", "), bool: text == "true"}.get(COLUMNS[column].type, text)


def _read(text: str) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of a page by their kind, each with its columns."""
    found: dict[str, list[dict[str, Any]]] = {}
    for part in text.split("\n## ")[1:]:
        heading, *lines = part.strip().splitlines()
        cells = [[cell.replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines if line]
        columns, _, *rows = [[cell[1:-1] for cell in line] for line in cells]  # remove the space on either side
        read = [{column: _value(column, cell) for column, cell in zip(columns, row, strict=True) if cell} for row in rows]
        found[HEADINGS[heading]] = [{name: value for name, value in row.items() if value is not None} for row in read]
    return found


@pytest.mark.parametrize("table", rule_tables(), ids=lambda table: table.name)
def test_a_page_has_every_column_of_its_table(table: RuleTable) -> None:
    text = (FOLDER / "tables" / f"{table.stem}.md").read_text()
    kinds = {kind: [dict(rule.columns) for rule in getattr(table, kind)] for kind in HEADINGS.values()}
    assert _read(text) == {kind: rows for kind, rows in kinds.items() if rows}


def test_only_deliberate_omissions_are_published_as_dropped() -> None:
    for table in rule_tables():
        text = (FOLDER / "tables" / f"{table.stem}.md").read_text()
        told = re.findall(r"^\| `([^`]+)` .*\(dropped\)", text, re.MULTILINE)
        assert told == [rule.id for rule in table.rules if not ({"to", "set", "error", "lost"} & set(rule.columns))]


def test_every_pair_has_its_forecast() -> None:
    for route in routes():
        text = (FOLDER / "fidelity" / f"{route.source}.md").read_text()
        assert f"\n## {PROTOCOLS[route.source].title} to {PROTOCOLS[route.target].title}, and back\n" in text


def test_the_short_table_counts_every_field_once() -> None:
    text = (FOLDER / "fidelity.md").read_text()
    rows = [line.strip("| \n").split(" | ") for line in text.splitlines() if line.startswith("| [")]
    assert len(rows) == len(routes())
    for row in rows:
        fields, *counts, whole = map(int, row[2:])
        assert sum(counts) == fields >= whole
    assert ["[MQTT 5.0](fidelity/mqtt-5.0.md)", "MQTT 3.1.1", "14", "6", "0", "0", "8", "0", "0", "6"] in rows

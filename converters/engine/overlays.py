"""Overlays: files that change the rows of tables. Each part names its table."""

from dataclasses import replace
from typing import Any

from mqconvert.converters.engine.expansion import expand_groups, with_notes
from mqconvert.converters.engine.files import TableFile
from mqconvert.converters.engine.rules import KINDS, STEERING, Row, Rule, RuleTable, rule_of, texts


def overlay(tables: dict[tuple[str, str], RuleTable], parsed: TableFile) -> dict[tuple[str, str], RuleTable]:
    """Return the tables with an overlay's changes; each of its parts is named "SOURCE -> TARGET"."""
    result = dict(tables)
    expand_groups(parsed, {protocol for name in parsed.values for protocol in name.split(" -> ")})
    for name, part in parsed.values.items():
        words = f'{name} belong below the name of their table, such as ["amqp-1.0 -> mqtt-5.0"]'
        parsed.refuse_if(name in KINDS, words, name)
        if not isinstance(part, dict):
            parsed.refuse_if(name not in ("title", "extends", "cites"), f"unknown member {name!r}", name)
            continue
        source, arrow, target = name.partition(" -> ")
        known = ", ".join(f'"{table.name}"' for table in tables.values())
        there = arrow and (source, target) in result
        parsed.refuse_if(not there, f"no table {name!r} to change; there are {known}", name)
        result[source, target] = _changed(result[source, target], part, parsed)
    return result


def _changed(table: RuleTable, part: dict[str, Any], parsed: TableFile) -> RuleTable:
    rows = {kind: list(getattr(table, kind)) for kind in KINDS}
    parsed.refuse_unknown(part, ("remove", "notes", *KINDS), f" for {table.name}")
    removed = part.get("remove", [])
    parsed.refuse_if(not texts(removed), "remove is not a list of ids", "remove")
    # Collect removed rows first and remove them last, so that other rows can be placed before or after them.
    gone = set()
    for at, name in enumerate(removed):
        place = _position(rows, name)
        if place is None or name in removed[:at]:
            raise parsed.wrong(f"no row {name!r} to remove", f'"{name}"')
        gone.add(rows[place[0]][place[1]])
    for kind, new in with_notes(parsed, part, {kind: new for kind, new in part.items() if kind in KINDS}).items():
        for row in new:
            replaced = row.columns.get("replace")
            row.refuse_if(replaced in removed, f"row {replaced!r} is replaced and removed")
            _work_in(rows, kind, row)
    for kept in rows.values():
        kept[:] = [rule for rule in kept if rule not in gone]
    made: dict[str, Any] = {kind: tuple(kept) for kind, kept in rows.items()}
    return replace(table, **made)


def _position(rows: dict[str, list[Rule]], rule_id: str) -> tuple[str, int] | None:
    """Return the kind and the position of the row of that id."""
    positions = ((kind, at) for kind, kept in rows.items() for at, rule in enumerate(kept) if rule.id == rule_id)
    return next(positions, None)


def _work_in(rows: dict[str, list[Rule]], kind: str, row: Row) -> None:
    steering = [name for name in STEERING if name in row.columns]
    texts_only = all(isinstance(row.columns[name], str) for name in steering)
    row.refuse_if(not texts_only, f"{' and '.join(steering)} is not an id")
    row.refuse_if(len(steering) > 1, f"a row has one of {' and '.join(steering)}")
    if not steering:
        rows[kind].append(rule_of(row, kind))
        return
    name = row.columns[steering[0]]
    place = _position(rows, name)
    if place is None:
        raise row.wrong(f"no row {name!r} to change")
    at_kind, at = place
    row.refuse_if(at_kind != kind, f"{name!r} is a row of {at_kind}, not of {kind}")
    if steering == ["replace"]:
        new = dict(rows[kind][at].columns) | {name: value for name, value in row.columns.items() if name != "replace"}
        # An empty value such as `to = ""` removes a column, so that a replaced row can become a drop.
        columns = {name: value for name, value in new.items() if value != ""}
        rows[kind][at] = rule_of(Row(columns, row.file, row.line), kind)
    else:
        rows[kind].insert(at if steering == ["before"] else at + 1, rule_of(row, kind))

"""RuleTables from files: base tables, one or both ways between a protocol and the hub, and overlays that change them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mqconvert.converters.engine.columns import CARRIED, KINDS, STEERING, Row, texts
from mqconvert.converters.engine.expansion import PARTS, expand_groups, expanded, with_notes
from mqconvert.converters.engine.files import TableFile, check_head, parse_file
from mqconvert.converters.engine.rules import HUB, Rule, RuleTable, rule_of
from mqconvert.converters.errors import did_you_mean

TABLE_HEADS = ("protocol", "source", "target")
"""The members at the head of a file with tables."""


def load_tables(text: str, name: str, shared: Mapping[str, TableFile] | None = None) -> tuple[RuleTable, ...]:
    """Return the tables of a file, one or both ways; `shared` has files with rows to include, by name.

    The rows are checked against the message classes when the tables are compiled.
    """
    parsed = parse_file(text, name)
    if "protocol" in parsed.values:
        return _both_ways(parsed, shared or {})
    return (_one_way(parsed),)


def load_shared(text: str, name: str) -> tuple[str, TableFile]:
    """Return a file with shared rows, and its name for `include`."""
    parsed = parse_file(text, name)
    parsed.refuse_if("shared" not in parsed.values, "the file has no shared")
    parsed.refuse_unknown(parsed.values, ("shared", "title", "groups", *PARTS))
    parts = {part: _part(parsed, part, ("notes", *KINDS)) for part in PARTS}
    expand_groups(parsed, (HUB,))
    for part, members in parts.items():
        rows = with_notes(parsed, members, {kind: members.get(kind, []) for kind in KINDS})
        for kind, written in rows.items():
            for row in written:
                rule_of(row, kind)
        parsed.values[part] = rows
    return parsed.values["shared"], parsed


def _one_way(parsed: TableFile) -> RuleTable:
    values = parsed.values
    for key in ("source", "target", "title"):
        parsed.refuse_if(key not in values, f"the table has no {key}")
    parsed.refuse_unknown(values, ("source", "target", "title", "cites", "groups", "notes", *KINDS))
    expand_groups(parsed, (values["source"], values["target"]))
    return _table(parsed, values, (values["source"], values["target"]), {kind: values.get(kind, []) for kind in KINDS})


def _both_ways(parsed: TableFile, shared: Mapping[str, TableFile]) -> tuple[RuleTable, ...]:
    """Return the tables of a protocol's file: to the hub and from there."""
    values, protocol = parsed.values, parsed.values["protocol"]
    parsed.refuse_unknown(values, ("protocol", "groups", CARRIED, *PARTS))
    expand_groups(parsed, (HUB, protocol))
    parts = {part: _part(parsed, part, ("title", "cites", "notes", *KINDS)) for part in PARTS}
    for part, members in parts.items():
        check_head(parsed, members)
        parsed.refuse_if("title" not in members, f"{part} has no title", f"[{part}]")
    rows = {part: expanded(parsed, part, shared) for part in PARTS}
    ways = zip(PARTS, ((protocol, HUB), (HUB, protocol)), strict=True)
    return tuple(_table(parsed, parts[part], way, rows[part]) for part, way in ways)


def _part(parsed: TableFile, part: str, known: tuple[str, ...]) -> dict[str, Any]:
    members = parsed.values.get(part)
    if not isinstance(members, dict):
        raise parsed.wrong(f"the file has no part [{part}]", part)
    parsed.refuse_unknown(members, known, f" in {part}")
    return members


def _table(parsed: TableFile, members: dict[str, Any], way: tuple[str, str], rows: dict[str, list[Row]]) -> RuleTable:
    made: dict[str, Any] = {
        kind: tuple(rule_of(row, kind) for row in found) for kind, found in with_notes(parsed, members, rows).items()
    }
    cites = tuple(members.get("cites", ()))
    return RuleTable(*way, parsed.name, members["title"], cites, **made)


# ---- overlays --------------------------------------------------------------------------------------------------------


def overlay(tables: Mapping[tuple[str, str], RuleTable], parsed: TableFile) -> dict[tuple[str, str], RuleTable]:
    """Return those of the tables that an overlay changes; each of its parts is named "SOURCE -> TARGET"."""
    result: dict[tuple[str, str], RuleTable] = {}
    kind = next((name for name in (*TABLE_HEADS, "shared") if name in parsed.values), "")
    words = "is not an overlay: it belongs to the package of a protocol, and `mqconvert rules check` checks its tables"
    parsed.refuse_if(kind, f"a file with {kind!r} {words}", kind)
    expand_groups(parsed, {protocol for name in parsed.values for protocol in name.split(" -> ")})
    for name, part in parsed.values.items():
        words = f'{name} belong below the name of their table, such as ["amqp-1.0 -> mqtt-5.0"]'
        parsed.refuse_if(name in KINDS, words, name)
        if not isinstance(part, dict):
            parsed.refuse_if(name not in ("title", "extends", "cites"), f"unknown member {name!r}", name)
            continue
        source, arrow, target = name.partition(" -> ")
        known = [" -> ".join(pair) for pair in tables]
        there = arrow and (source, target) in tables
        if not there:
            raise parsed.wrong(f"no table {name!r} to change{_legs(source, target, tables) or _tables_like(name, known)}", name)
        result[source, target] = _changed(tables[source, target], part, parsed)
    return result


def _legs(source: str, target: str, tables: Mapping[tuple[str, str], RuleTable]) -> str:
    """Say through which two tables messages go that have none of their own."""
    for first, middle in tables:
        if first == source and (middle, target) in tables:
            return f': messages go through ["{source} -> {middle}"] and ["{middle} -> {target}"]; change one of these'
    return ""


def _tables_like(name: str, known: list[str]) -> str:
    listed = ", ".join(f'"{table}"' for table in known)
    return did_you_mean(name, known) or f"; there are {listed}"


def _changed(table: RuleTable, part: dict[str, Any], parsed: TableFile) -> RuleTable:
    rows = {kind: list(getattr(table, kind)) for kind in KINDS}
    parsed.refuse_unknown(part, ("remove", "notes", *KINDS), f" for {table.name}")
    removed = part.get("remove", [])
    if not texts(removed):
        example = f': write remove = ["{removed}"]' if isinstance(removed, str) else ""
        raise parsed.wrong(f"remove is not a list of ids{example}", "remove")
    # Collect removed rows first and remove them last, so that other rows can be placed before or after them.
    gone = set()
    for at, name in enumerate(removed):
        place = _position(rows, name)
        if place is None:
            raise parsed.wrong(f"no row {name!r} to remove{_row_like(name, rows, table)}", name)
        parsed.refuse_if(name in removed[:at], f"row {name!r} is removed twice", name)
        gone.add(rows[place[0]][place[1]])
    before: list[object] = []
    for kind, new in with_notes(parsed, part, {kind: new for kind, new in part.items() if kind in KINDS}).items():
        for row in new:
            if "replace" in row.columns:
                replaced = row.columns["replace"]
                row.refuse_if(replaced in removed, f"row {replaced!r} is replaced and removed")
                row.refuse_if(replaced in before, f"row {replaced!r} is replaced twice")
                before.append(replaced)
            _work_in(rows, kind, row, table)
    for kept in rows.values():
        kept[:] = [rule for rule in kept if rule not in gone]
    made: dict[str, Any] = {kind: tuple(kept) for kind, kept in rows.items()}
    return replace(table, **made)


def _position(rows: dict[str, list[Rule]], rule_id: str) -> tuple[str, int] | None:
    """Return the kind and the position of the row of that id."""
    positions = ((kind, at) for kind, kept in rows.items() for at, rule in enumerate(kept) if rule.id == rule_id)
    return next(positions, None)


def _row_like(rule_id: str, rows: dict[str, list[Rule]], table: RuleTable) -> str:
    all_ = f"; `mqconvert rules show {table.source} {table.target}` lists them"
    return did_you_mean(rule_id, (rule.id for kept in rows.values() for rule in kept)) or all_


def _work_in(rows: dict[str, list[Rule]], kind: str, row: Row, table: RuleTable) -> None:
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
        raise row.wrong(f"no row {name!r} to change{_row_like(name, rows, table)}")
    at_kind, at = place
    row.refuse_if(at_kind != kind, f"{name!r} is a row of {at_kind}, not of {kind}")
    if steering == ["replace"]:
        row.refuse_if(len(row.columns) == 1, f"row {name!r} is replaced by itself: write the columns that change, such as `to`")
        new = dict(rows[kind][at].columns) | {name: value for name, value in row.columns.items() if name != "replace"}
        # An empty value such as `to = ""` removes a column, so that a replaced row can become a drop.
        columns = {name: value for name, value in new.items() if value != ""}
        rows[kind][at] = rule_of(Row(columns, row.file, row.line), kind)
    else:
        rows[kind].insert(at if steering == ["before"] else at + 1, rule_of(row, kind))

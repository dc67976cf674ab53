"""Base tables: RuleTables from their files. A file holds one table, or both ways between a protocol and the hub."""

from collections.abc import Mapping
from typing import Any

from mqconvert.converters.engine.expansion import PARTS, expand_groups, expanded, with_names, with_notes
from mqconvert.converters.engine.files import TableFile, check_head, parse_file
from mqconvert.converters.engine.rules import CARRIED, HUB, KINDS, Row, RuleTable, rule_of


def load_tables(text: str, name: str, shared: Mapping[str, TableFile] | None = None) -> tuple[RuleTable, ...]:
    """Return the tables of a file, one or both ways; `shared` has files with rows to include, by name.

    The rows are checked against the message classes when the tables are compiled.
    """
    parsed = parse_file(text, name)
    if "protocol" in parsed.values:
        return _both_ways(parsed, shared or {})
    return (_one_way(parsed),)


def load_table(text: str, name: str) -> RuleTable:
    """Return the table of a file with one table.

    >>> load_table('source = "mqtt-5.0"\\ntarget = "nsq"\\ntitle = "To NSQ"\\nrules = []', "mine.toml").name
    'mqtt-5.0 -> nsq'
    """
    (table,) = load_tables(text, name)
    return table


def load_shared(text: str, name: str) -> tuple[str, TableFile]:
    """Return a file with shared rows, and its name for `include`."""
    parsed = parse_file(text, name)
    parsed.refuse_if(not isinstance(parsed.values.get("shared"), str), "the file has no shared")
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
        parsed.refuse_if(not isinstance(values.get(key), str), f"the table has no {key}")
    parsed.refuse_unknown(values, ("source", "target", "title", "cites", "groups", "notes", *KINDS))
    expand_groups(parsed, (values["source"], values["target"]))
    return _table(parsed, values, (values["source"], values["target"]), {kind: values.get(kind, []) for kind in KINDS})


def _both_ways(parsed: TableFile, shared: Mapping[str, TableFile]) -> tuple[RuleTable, ...]:
    """Return the tables of a protocol's file: to the hub and from there."""
    values, protocol = parsed.values, parsed.values["protocol"]
    parsed.refuse_unknown(values, ("protocol", "groups", "names", CARRIED, *PARTS))
    expand_groups(parsed, (HUB, protocol))
    parts = {part: _part(parsed, part, ("title", "cites", "notes", *KINDS)) for part in PARTS}
    for part, members in parts.items():
        check_head(parsed, members)
        parsed.refuse_if("title" not in members, f"{part} has no title", f"[{part}]")
    rows = with_names(parsed, {part: expanded(parsed, part, shared) for part in PARTS})
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

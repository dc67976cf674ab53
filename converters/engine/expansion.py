"""The shorthand of table files: groups of places, rows for both ways, shared rows, notes below.

This module expands each of them into plain rows, so that a RuleTable contains none of them. Errors name file and line.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from mqconvert.converters.engine.columns import CARRIED, KINDS, MOST_MEMBERS, Row, check_columns, texts
from mqconvert.converters.engine.files import TableFile, row_places
from mqconvert.converters.model.places import places
from mqconvert.converters.protocols import PROTOCOLS

BACK = "from_hub"
"""The part of a protocol's file with its rows of the hub's annotations."""
PARTS = ("to_hub", BACK)
"""The parts of a protocol's file: its tables to and from the hub."""

_BETWEEN = " to "
"""The separator between the first and the last id of a run of rows."""


# ---- groups ---------------------------------------------------------------------------------------------------------


def expand_groups(parsed: TableFile, protocols: Iterable[str]) -> None:
    """Replace the names of groups by their places in the columns of rows.

    A group is a named list of places. The name of a group with one place may replace that place, and `GROUP[KEY]` is that
    place with KEY for its `*`. A group cannot have the name of a place.
    """
    groups = parsed.values.pop("groups", {})
    parsed.refuse_if(not isinstance(groups, dict), "groups is not a table of lists of places", "groups")
    taken = {place for name in protocols if PROTOCOLS.is_known(name) for place in places(PROTOCOLS[name])}
    for name, members in groups.items():
        parsed.refuse_if(not texts(members), f"group {name!r} is not a list of places", f"{name} =")
        parsed.refuse_if(name in taken, f"group {name!r} has the name of a place", f"{name} =")
    used: set[str] = set()

    def keyed(found: re.Match[str]) -> str:
        """Return the place that `GROUP[KEY]` means; the text itself for an unknown group."""
        place, *more = groups.get(found[1], [""])
        if more or "*" not in place:
            return found[0]
        used.add(found[1])
        return str(place.replace("*", found[2]))

    def members_of(reads: list[str]) -> list[str]:
        """Return places, with those of groups in place of their names: no more than it takes to refuse the row."""
        used.update(groups.keys() & set(reads))
        found = (_KEYED.sub(keyed, place) for read in reads for place in groups.get(read, [read]))
        return list(islice(found, MOST_MEMBERS + 1))

    for columns in (groups, *(found[at].columns for found, at in row_places(parsed))):
        for column, value in columns.items():
            if texts(value):
                columns[column] = members_of(value)
            elif column in ("from", "to", "at") and isinstance(value, str):
                alone = members_of([value])
                columns[column] = alone[0] if len(alone) == 1 else value
    for name in groups:
        parsed.refuse_if(name not in used, f"group {name!r} is read by no row", f"{name} =")


_KEYED = re.compile(r"(?<![\w.])([a-z_]+)\[([^\[\]]+)\]")


# ---- rows for both ways, and shared ones ----------------------------------------------------------------------------


def expanded(parsed: TableFile, part: str, shared: Mapping[str, TableFile]) -> dict[str, list[Row]]:
    """Return the rows of one part of a protocol's file by kind, with all shorthand written out.

    RuleTableError for a row of both ways without a marker that places it.
    """
    carried = [_half(parsed, row, part) for row in parsed.values.get(CARRIED, ())]

    def stands_for(kind: str, row: Row) -> list[Row]:
        if "carried" in row.columns:
            return _run(carried, row, "carried")
        if "include" not in row.columns:
            return [row]
        file = shared.get(str(row.columns["include"]))
        if file is None:
            raise row.wrong(f"unknown shared file {row.columns['include']!r}; known: {', '.join(sorted(shared)) or 'none'}")
        return _run(file.values[part].get(kind, []), row, "rows")

    own = parsed.values[part]
    made = {kind: [found for row in own.get(kind, ()) for found in stands_for(kind, row)] for kind in KINDS}
    for row in carried:
        row.refuse_if(row not in made["rules"], f"carried row {row.columns['id']!r} is put nowhere in {part}")
    return made


def _run(rows: list[Row], marker: Row, column: str) -> list[Row]:
    """Return the rows of a marker `ID` or `ID to ID`."""
    wanted = marker.columns.get(column)
    other = min(marker.columns.keys() - {"include", column}, default=None)
    marker.refuse_if(other, f"column {other!r} is not allowed in a row that stands for several rows")
    if not isinstance(wanted, str):
        raise marker.wrong(f"{column!r} is not an id, or two with {_BETWEEN.strip()!r} between them")
    first, between, last = wanted.partition(_BETWEEN)
    ids = [row.columns["id"] for row in rows]
    for name in (first, last) if between else (first,):
        marker.refuse_if(name not in ids, f"no row {name!r} for {column} = {wanted!r}")
    run = rows[ids.index(first) : ids.index(last if between else first) + 1]
    marker.refuse_if(not run, f"{last!r} comes before {first!r}")
    return run


def _half(parsed: TableFile, row: Row, part: str) -> Row:
    """Return the row of one part for a row of both ways: it fills the annotation, or from there the field in its type.

    The annotation has the protocol's prefix and the row's id.
    """
    columns = row.columns
    check_columns(row, CARRIED)
    named = {"id": columns["id"]}
    annotation = f"message_annotations[x-opt-{parsed.values['protocol']}-{columns['id']}]"
    if part != BACK:
        made = named | {"from": columns["field"], "to": annotation, "as": columns["as"]}
        made |= {name: columns[name] for name in ("when", "note", "cite") if name in columns}
    else:
        made = named | {"from": annotation, "reads": ["@type"], "to": columns["field"], "via": f"annotation {columns['as']}"}
    return Row(made, row.file, row.line)


# ---- notes ----------------------------------------------------------------------------------------------------------


def with_notes(parsed: TableFile, members: Mapping[str, Any], rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """Return the rows with their notes of the part `notes`, by the ids of the rows or of those that they replace.

    A note is a text, or `{ note, cite }`.
    """
    notes = members.get("notes", {})
    parsed.refuse_if(not isinstance(notes, dict), "notes is not a table of texts", "notes")
    written = {_id(row): row for found in rows.values() for row in found}
    noted: dict[str, dict[str, str]] = {}
    for name, note in notes.items():
        columns = noted[name] = {"note": note} if isinstance(note, str) else note
        if not isinstance(columns, dict) or not columns.keys() <= {"note", "cite"} or not texts([*columns.values()]):
            raise parsed.wrong(f"the note {name!r} is neither a text nor note and cite", f"{name} =")
        parsed.refuse_if(name not in written, f"a note for no row: {name!r}", f"{name} =")
        twice = min(columns.keys() & written[name].columns.keys(), default=None)
        written[name].refuse_if(twice, f"the row has a {twice}, and another one in notes")
    return {
        kind: [Row(row.columns | noted.get(_id(row), {}), row.file, row.line) for row in found] for kind, found in rows.items()
    }


def _id(row: Row) -> str:
    return str(row.columns.get("id", row.columns.get("replace")))

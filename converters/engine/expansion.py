"""What rows may leave to the file: groups of places, rows for both ways, rows that several tables share, notes below.

Each is written out here, into the rows that the engine knows, and each problem is told with file and line. Nothing that this
module knows is left in a RuleTable.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mqconvert.converters.engine.files import TableFile
from mqconvert.converters.engine.rules import CARRIED, KINDS, Row, check_columns, refuse_lacking, texts
from mqconvert.converters.model.places import places
from mqconvert.converters.protocols import PROTOCOLS

BACK = "from_hub"
"""The part of a protocol's file with its rows of the hub's annotations."""

_LISTS = ("reads", "reads_back")
_BETWEEN = " to "
"""Between the first and the last id of a run of rows."""


# ---- groups ---------------------------------------------------------------------------------------------------------


def expand_groups(parsed: TableFile, protocols: Iterable[str]) -> None:
    """Write out the names of groups in what rows read; a group is a list of places under a name that is no place itself."""
    groups = parsed.values.pop("groups", {})
    if not isinstance(groups, dict):
        raise parsed.wrong("groups is not a table of lists of places", "groups")
    known = {protocol.name: protocol for protocol in PROTOCOLS.known()}
    names = {place for name in protocols if name in known for place in places(known[name])}
    for name, members in groups.items():
        if not texts(members):
            raise parsed.wrong(f"group {name!r} is not a list of places", f"{name} =")
        if name in names:
            raise parsed.wrong(f"group {name!r} has the name of a place", f"{name} =")
    used: set[str] = set()
    for columns in _readers(parsed):
        for column in _LISTS:
            if texts(columns.get(column)):
                used |= groups.keys() & columns[column]
                columns[column] = [place for read in columns[column] for place in groups.get(read, [read])]
    unused = [name for name in groups if name not in used]
    if unused:
        raise parsed.wrong(f"group {unused[0]!r} is read by no row", f"{unused[0]} =")


def _readers(parsed: TableFile) -> Iterator[dict[str, Any]]:
    """The columns of every row, and every frame."""
    for part in (parsed.values, *(value for value in parsed.values.values() if isinstance(value, dict))):
        for kind in (*KINDS, CARRIED):
            yield from (row.columns for row in part.get(kind, ()))
    frames = parsed.values.get("frames", {})
    yield from (frame for frame in (frames.values() if isinstance(frames, dict) else ()) if isinstance(frame, dict))


# ---- rows for both ways, and shared ones ----------------------------------------------------------------------------


class Expansion:
    """The rows of one part of a protocol's file, with what stands for others written out."""

    def __init__(self, parsed: TableFile, part: str, shared: Mapping[str, TableFile]) -> None:
        self.parsed, self.part, self.shared = parsed, part, shared
        half = _back if part == BACK else _there
        self.carried = [half(parsed, row) for row in parsed.values.get(CARRIED, ())]

    def rows(self, kind: str) -> list[Row]:
        """Those of one kind, in order; RuleTableError for a row of both ways that is put nowhere."""
        made = [found for row in self.parsed.values[self.part].get(kind, ()) for found in self._found(kind, row)]
        missing = [row for row in self.carried if kind == "rules" and row not in made]
        if missing:
            raise missing[0].wrong(f"carried row {missing[0].columns['id']!r} is put nowhere in {self.part}")
        return made

    def _found(self, kind: str, row: Row) -> list[Row]:
        if "carried" in row.columns:
            _refuse_columns(row, ("carried",))
            return _run(self.carried, row, "carried")
        if "include" not in row.columns:
            return [row]
        _refuse_columns(row, ("include", "rows"))
        file = self.shared.get(str(row.columns["include"]))
        if file is None:
            known = ", ".join(sorted(self.shared)) or "none"
            raise row.wrong(f"unknown shared file {row.columns['include']!r}; known: {known}")
        return _run(file.values[self.part].get(kind, []), row, "rows")


def _refuse_columns(row: Row, known: tuple[str, ...]) -> None:
    unknown = row.columns.keys() - set(known)
    if unknown:
        raise row.wrong(f"column {min(unknown)!r} says nothing in a row that stands for others")


def _run(rows: list[Row], marker: Row, column: str) -> list[Row]:
    """The rows that `ID` or `ID to ID` of a marker stands for."""
    wanted = marker.columns.get(column)
    if not isinstance(wanted, str):
        raise marker.wrong(f"{column!r} is not an id, or two with {_BETWEEN.strip()!r} between them")
    first, between, last = wanted.partition(_BETWEEN)
    ids = [row.columns["id"] for row in rows]
    for name in (first, last) if between else (first,):
        if name not in ids:
            raise marker.wrong(f"no row {name!r} for {column} = {wanted!r}")
    run = rows[ids.index(first) : ids.index(last if between else first) + 1]
    if not run:
        raise marker.wrong(f"{last!r} stands before {first!r}")
    return run


def _there(parsed: TableFile, row: Row) -> Row:
    """The row to the hub of a row for both ways."""
    columns = _checked(parsed, row)
    made = {
        "id": columns["id"],
        "from": columns["field"],
        "to": f"message_annotations[{columns['annotation']}]",
        "as": columns["as"],
    }
    return Row(
        made | {name: columns[name] for name in ("when", "reads", "note", "cite") if name in columns}, row.file, row.line
    )


def _back(parsed: TableFile, row: Row) -> Row:
    """The row back of a row for both ways: the field gets what the annotation says, in the type that it got there."""
    columns = _checked(parsed, row)
    frame = parsed.values["frames"][columns["frame"]] if "frame" in columns else {}
    when = columns.get("when_back", frame.get("when"))
    reads = columns.get("reads_back", frame.get("reads", []))
    made = {
        "id": columns["id"],
        "from": f"message_annotations[{columns['annotation']}]",
        **({} if when is None else {"when": when}),
        "reads": ["@type", *reads],
        "to": columns["field"],
        "via": columns.get("via_back", f"stated {columns['as']}"),
    }
    return Row(made, row.file, row.line)


def _checked(parsed: TableFile, row: Row) -> Mapping[str, Any]:
    columns, frames = row.columns, parsed.values.get("frames", {})
    check_columns(row, CARRIED)
    refuse_lacking(row, CARRIED)
    if columns.get("frame", "") not in ("", *frames):
        raise row.wrong(f"unknown frame {columns['frame']!r}; known: {', '.join(frames) or 'none'}")
    both = [column for column in ("when_back", "reads_back") if column in columns and "frame" in columns]
    if both:
        raise row.wrong(f"'frame' says what {both[0]!r} would")
    return columns


def check_frames(parsed: TableFile) -> None:
    """Refuse frames that are not a condition and what it reads, and those that no row names."""
    frames = parsed.values.get("frames", {})
    if not isinstance(frames, dict):
        raise parsed.wrong("frames is not a table of conditions and what they read", "frames")
    for name, frame in frames.items():
        if not isinstance(frame, dict) or frame.keys() != {"when", "reads"} or not isinstance(frame["when"], str):
            raise parsed.wrong(f"frame {name!r} is not a condition (when) and what it reads (reads)", f"{name} =")
        if not texts(frame["reads"]):
            raise parsed.wrong(f"frame {name!r}: reads is not a list of texts", f"{name} =")
    named = {str(row.columns.get("frame")) for row in parsed.values.get(CARRIED, ())}
    unused = [name for name in frames if name not in named]
    if unused:
        raise parsed.wrong(f"frame {unused[0]!r} is named by no row", f"{unused[0]} =")


# ---- notes ----------------------------------------------------------------------------------------------------------


def with_notes(parsed: TableFile, members: Mapping[str, Any], rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """The rows with the notes that stand by themselves, under the ids of their rows, or of those that they replace."""
    notes = members.get("notes", {})
    if not isinstance(notes, dict) or not all(isinstance(note, str) for note in notes.values()):
        raise parsed.wrong("notes is not a table of texts", "notes")
    written = {_id(row): row for found in rows.values() for row in found}
    for name in notes:
        if name not in written:
            raise parsed.wrong(f"a note for no row: {name!r}", f"{name} =")
        if "note" in written[name].columns:
            raise written[name].wrong("the row has a note, and another one stands in notes")
    return {kind: [_noted(row, notes) for row in found] for kind, found in rows.items()}


def _noted(row: Row, notes: Mapping[str, str]) -> Row:
    return Row({**row.columns, "note": notes[_id(row)]}, row.file, row.line) if _id(row) in notes else row


def _id(row: Row) -> str:
    return str(row.columns.get("id", row.columns.get("replace")))

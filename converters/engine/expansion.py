"""What rows may leave to the file: groups of places and of names, frames, rows for both ways, shared rows, notes below.

Each is written out here, into the rows that the engine knows, and each problem is told with file and line. Nothing that this
module knows is left in a RuleTable.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mqconvert.converters.engine.files import CARRIED, TableFile
from mqconvert.converters.engine.rules import HUB, KINDS, Row, texts
from mqconvert.converters.model.places import places
from mqconvert.converters.protocols import PROTOCOLS

BACK = "from_hub"
"""The part of a protocol's file with its rows of the hub's annotations."""
PARTS = ("to_hub", BACK)
"""The parts of a protocol's file: its table to the hub, and the one from there."""

_LISTS = ("reads", "when_reads", "reads_back")
_CARRIED_COLUMNS = (
    "id", "field", "annotation", "as", "when", "frame", "when_back", "via_back", "note", "cite", "reads", "reads_back"
)  # fmt: skip
_NEEDED = ("id", "field", "annotation", "as")
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
            return [framed(self.parsed, row) if "frame" in row.columns else row]
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
    asked = {"frame": columns.get("frame"), "when": columns.get("when_back"), "when_reads": columns.get("reads_back")}
    made = {
        "id": columns["id"],
        "from": f"message_annotations[{columns['annotation']}]",
        **{name: value for name, value in asked.items() if value is not None},
        "reads": ["@type"],
        "to": columns["field"],
        "via": columns.get("via_back", f"stated-{columns['as']}"),
    }
    back = Row(made, row.file, row.line)
    return framed(parsed, back) if "frame" in columns else back


def framed(parsed: TableFile, row: Row) -> Row:
    """The row with its `frame` as the condition that this stands for, or, of `not FRAME`, as what that is not."""
    columns = dict(row.columns)
    name = columns.pop("frame")
    frames = parsed.values.get("frames", {})
    frame = frames.get(str(name).removeprefix("not "))
    if frame is None:
        raise row.wrong(f"unknown frame {name!r}; known: {', '.join(frames) or 'none'}")
    test, asked = frame["when"], columns.get("when")
    joined = " unless " in f" {test}" or " and " in test
    if str(name).startswith("not "):
        test = f"unless {test}" if joined else f"not {test}"
    if " unless " in f" {test}" and " unless " in f" {asked}":
        raise row.wrong("its condition and that of its frame both have an 'unless'")
    own = columns.get("when_reads", columns.get("reads", [])) if asked is not None else []
    if " unless " in f" {test}" and asked is not None:
        columns |= {"when": f"{asked} and {test}".replace(" and unless ", " unless "), "when_reads": [*own, *frame["reads"]]}
    else:
        columns |= {"when": test if asked is None else f"{test} and {asked}", "when_reads": [*frame["reads"], *own]}
    return Row(columns, row.file, row.line)


def _checked(parsed: TableFile, row: Row) -> Mapping[str, Any]:
    columns = row.columns
    for column, value in columns.items():
        if column not in _CARRIED_COLUMNS:
            raise row.wrong(f"column {column!r} says nothing in a row of {CARRIED}")
        if not (texts(value) if column in _LISTS else isinstance(value, str)):
            raise row.wrong(f"column {column!r} is not a {'list of texts' if column in _LISTS else 'text'}")
    for column in _NEEDED:
        if column not in columns:
            raise row.wrong(f"a row of {CARRIED} needs {column!r}")
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
    named = {str(columns.get("frame")).removeprefix("not ") for columns in _readers(parsed)}
    unused = [name for name in frames if name not in named]
    if unused:
        raise parsed.wrong(f"frame {unused[0]!r} is named by no row", f"{unused[0]} =")


# ---- names of keys --------------------------------------------------------------------------------------------------


def with_names(parsed: TableFile, parts: Mapping[str, dict[str, list[Row]]]) -> dict[str, dict[str, list[Row]]]:
    """The rows of all parts with `{NAME}` in their conditions written out: keys that the file names, or that rows say.

    A name is a list of keys; or what rows of [to_hub] take of a place: `{ keys = PLACE }` their keys, with `!` those that an
    application property has again, `{ types = PLACE }` each key with the types of the field that it fills. The name of a frame
    is that of the annotations which its rows carry.
    """
    rows = parts[PARTS[0]]["rules"]
    names = {name: _carried_by(parsed, name) for name in parsed.values.get("frames", {})}
    for name, meant in parsed.values.get("names", {}).items():
        kind, place = next(iter(meant.items())) if isinstance(meant, dict) and len(meant) == 1 else ("", meant)
        if not (texts(meant) or (kind in _FROM_ROWS and isinstance(place, str))) or name in names:
            raise parsed.wrong(f"names {name!r} are not a list of keys, nor those or the types that rows take of a place", name)
        names[name] = _FROM_ROWS[kind](rows, place) if kind else meant
    used: set[str] = set()

    def named(row: Row) -> Row:
        if "{" not in str(row.columns.get("when")):
            return row
        wanted = _NAME.findall(row.columns["when"])
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise row.wrong(f"unknown names {unknown[0]!r} in its condition; known: {', '.join(names) or 'none'}")
        used.update(wanted)
        return Row(row.columns | {"when": _NAME.sub(lambda name: " ".join(names[name[1]]), row.columns["when"])}, row.file, row.line)

    made = {part: {kind: [named(row) for row in found] for kind, found in kinds.items()} for part, kinds in parts.items()}
    unused = [name for name in parsed.values.get("names", {}) if name not in used]
    if unused:
        raise parsed.wrong(f"the names {unused[0]!r} are used by no row", unused[0])
    return made


_NAME = re.compile(r"\{([a-z_]+)\}")


def _carried_by(parsed: TableFile, frame: str) -> list[str]:
    return [row.columns["annotation"] for row in parsed.values.get(CARRIED, ()) if row.columns.get("frame") == frame]


def _taken(rows: Iterable[Row], place: str) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The keys of a place that rows take, but for those of any key, with the columns of the first row of each."""
    seen = {"*"}
    for row in rows:
        source, bracket, key = str(row.columns.get("from")).partition("[")
        if source == place and bracket and key[:-1] not in seen:
            seen.add(key[:-1])
            yield key[:-1], row.columns


def _keys_taken(rows: Iterable[Row], place: str) -> list[str]:
    same = "application_properties[*]"
    return [f"!{key}" if columns.get("to") == same else key for key, columns in _taken(rows, place)]


def _types_taken(rows: Iterable[Row], place: str) -> list[str]:
    known = places(PROTOCOLS[HUB])
    there = ((key, str(columns.get("to"))) for key, columns in _taken(rows, place) if not key.endswith("*"))
    return [f"{key}={'|'.join(known[to].types if to in known else ())}" for key, to in there if "[*]" not in to]


_FROM_ROWS = {"keys": _keys_taken, "types": _types_taken}


# ---- notes ----------------------------------------------------------------------------------------------------------


def with_notes(parsed: TableFile, members: Mapping[str, Any], rows: dict[str, list[Row]]) -> dict[str, list[Row]]:
    """The rows with the notes that stand by themselves, under the ids of their rows: a note, or `{ note, cite }`."""
    notes = members.get("notes", {})
    if not isinstance(notes, dict):
        raise parsed.wrong("notes is not a table of texts", "notes")
    noted = {name: {"note": note} if isinstance(note, str) else note for name, note in notes.items()}
    for name, columns in noted.items():
        if not isinstance(columns, dict) or not columns.keys() <= {"note", "cite"} or not texts([*columns.values()]):
            raise parsed.wrong(f"the note {name!r} is neither a text nor a note and a cite", f"{name} =")
    written = {str(row.columns.get("id")): row for found in rows.values() for row in found}
    for name, columns in noted.items():
        if name not in written:
            raise parsed.wrong(f"a note for no row: {name!r}", f"{name} =")
        twice = columns.keys() & written[name].columns.keys()
        if twice:
            raise written[name].wrong(f"the row has a {min(twice)}, and another one stands in notes")
    return {kind: [_noted(row, noted) for row in found] for kind, found in rows.items()}


def _noted(row: Row, notes: Mapping[str, Mapping[str, str]]) -> Row:
    own = notes.get(str(row.columns.get("id")))
    return row if own is None else Row({**row.columns, **own}, row.file, row.line)

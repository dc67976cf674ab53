"""The shorthand of table files: groups of places and of names, frames, rows for both ways, shared rows, notes below.

This module expands each of them into plain rows, so that a RuleTable contains none of them. Errors name file and line.
"""

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

from mqconvert.converters.engine.files import TableFile, row_places
from mqconvert.converters.engine.rules import CARRIED, HUB, KINDS, MOST_CHARACTERS, MOST_MEMBERS, Row, check_columns, texts
from mqconvert.converters.model.places import places
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words.phrases import PLACES, parts_of

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
    groups, named = parsed.values.pop("groups", {}), parsed.values.get("names", {})
    parsed.refuse_if(not isinstance(groups, dict), "groups is not a table of lists of places", "groups")
    parsed.refuse_if(not isinstance(named, dict), "names is not a table of texts", "names")
    known = {protocol.name: protocol for protocol in PROTOCOLS.known()}
    taken = {place for name in protocols if name in known for place in places(known[name])}
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

    def asked(found: re.Match[str]) -> str:
        return f"{found[1] or ''}{', '.join(members_of(found[2].split(', ')))}: {found[3]}"

    for columns in (groups, *(found[at].columns for found, at in row_places(parsed)), named):
        for column, value in columns.items():
            if texts(value):
                columns[column] = members_of(value)
            elif column in ("from", "to", "at") and isinstance(value, str):
                alone = members_of([value])
                columns[column] = alone[0] if len(alone) == 1 else value
            elif isinstance(value, str) and (column in ("when", "when_back") or columns is named):
                placed = ((part, PLACES.match(part)) for part in parts_of(value))
                whole = "".join(part if found is None else asked(found) for part, found in placed)
                columns[column] = whole[: MOST_CHARACTERS + 1]
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
        run = _run(file.values[part].get(kind, []), row, "rows")
        for included in run:
            name = min(names_in(included) - parsed.values.get("names", {}).keys(), default="")
            meaning = f"names.{name} = ..., {file.values['needs'].get(name)}"
            row.refuse_if(name, f"row {included.columns['id']} ({included.file}:{included.line}) needs {meaning}")
        return run

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


def _annotation(parsed: TableFile, columns: Mapping[str, object]) -> str:
    """Return the annotation of a row for both ways; the default is the protocol's prefix and the row's id."""
    return str(columns.get("annotation", f"x-opt-{parsed.values['protocol']}-{columns['id']}"))


def _half(parsed: TableFile, row: Row, part: str) -> Row:
    """Return the row of one part for a row of both ways: it fills the annotation, or from there the field in its type."""
    columns, frames = row.columns, parsed.values.get("names", {})
    check_columns(row, CARRIED)
    frame = columns.get("frame", "")
    row.refuse_if(frame not in ("", *frames), f"unknown frame {frame!r}; known: {', '.join(frames) or 'none'}")
    annotation = f"message_annotations[{_annotation(parsed, columns)}]"
    if part != BACK:
        made = {"id": columns["id"], "from": columns["field"], "to": annotation, "as": columns["as"]}
        made |= {name: columns[name] for name in ("when", "reads", "note", "cite") if name in columns}
        return Row(made, row.file, row.line)
    asked = [f"{{{columns['frame']}}}"] if "frame" in columns else []
    asked += [columns["when_back"]] if "when_back" in columns else []
    made = {
        "id": columns["id"],
        "from": annotation,
        **({"when": " and ".join(asked)} if asked else {}),
        "reads": ["@type"],
        "to": columns["field"],
        "via": columns.get("via_back", f"stated {columns['as']}"),
    }
    return Row(made, row.file, row.line)


# ---- names in words -------------------------------------------------------------------------------------------------


def with_names(parsed: TableFile, parts: Mapping[str, dict[str, list[Row]]]) -> dict[str, dict[str, list[Row]]]:
    """Return the rows of all parts with each `{NAME}` in their words replaced."""
    meant = _names(parsed, parts[PARTS[0]]["rules"])
    used: set[str] = set()

    def written(text: str, row: Row, inside: tuple[str, ...] = ()) -> str:
        def one(found: re.Match[str]) -> str:
            name = found[1]
            used.add(name)
            row.refuse_if(name not in meant, f"unknown name {{{name}}}; known: {', '.join(meant) or 'none'}")
            row.refuse_if(name in inside, f"the name {{{name}}} uses itself")
            return written(meant[name], row, (*inside, name))

        return _NAME.sub(one, text)

    def named(row: Row) -> Row:
        words = {column: text for column in ("when", "via") if isinstance(text := row.columns.get(column), str)}
        return Row(row.columns | {column: written(text, row) for column, text in words.items()}, row.file, row.line)

    made = {part: {kind: [named(row) for row in found] for kind, found in kinds.items()} for part, kinds in parts.items()}
    for name in meant:
        parsed.refuse_if(name not in used, f"{name!r} is named by no row", f"{name} =")
    return made


_NAME = re.compile(r"\{([a-z_]+)\}")


def names_in(row: Row) -> set[str]:
    """Return the names that the words of a row mention as `{NAME}`."""
    return {name for column in ("when", "via") for name in _NAME.findall(str(row.columns.get(column)))}


def _names(parsed: TableFile, rows: Iterable[Row]) -> dict[str, str]:
    """Return the text of each name of a file: a text itself, a list of keys, or keys collected from rows.

    `{ frame = F }` lists the annotations of carried rows of that frame and, after a bar, those of other frames.
    `{ keys = PLACE }` lists the keys that rows of [to_hub] take there, with `!` those that an application property repeats.
    `{ types = PLACE }` lists each such key with the types of the field that it fills.
    """
    made = {}
    hub, carried = places(PROTOCOLS[HUB]), [row.columns for row in parsed.values.get(CARRIED, ())]
    for name, said in parsed.values.get("names", {}).items():
        kind, where = next(iter(said.items())) if isinstance(said, dict) and len(said) == 1 else ("", "")
        match kind if isinstance(where, str) else None:
            case "frame":
                found = [_annotation(parsed, row) for row in carried if row.get("frame") in where.split("|")]
            case "keys":
                taken = _taken(rows, where).items()
                found = [f"!{key}" if to == "application_properties[*]" else key for key, to in taken]
            case "types":
                fixed = {key: to for key, to in _taken(rows, where).items() if not key.endswith("*") and "[*]" not in to}
                found = [f"{key}={'|'.join(hub[to].types if to in hub else ())}" for key, to in fixed.items()]
            case _ if isinstance(said, str) or texts(said):
                found = [said] if isinstance(said, str) else said
            case _:
                raise parsed.wrong(f"the name {name!r} is neither a text nor keys", f"{name} =")
        made[name] = " ".join(found)
    return made


def _taken(rows: Iterable[Row], place: str) -> dict[str, str]:
    """Return the keys of a place that rows name, except for a star alone, with the target of the first row for each."""
    found: dict[str, str] = {}
    for row in rows:
        source, bracket, key = str(row.columns.get("from")).partition("[")
        if source == place and bracket and key != "*]":
            found.setdefault(key[:-1], str(row.columns.get("to")))
    return found


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

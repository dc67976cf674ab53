"""Finish rows as text: each gets its `reads` and, unless it makes an entry, the value at `at`."""

from mqconvert.converters.engine.nodes import ENVIRONMENT, Branch, place_and_key
from mqconvert.converters.engine.paths import path
from mqconvert.converters.engine.place_rows import PlaceRows, in_frame
from mqconvert.converters.engine.rules import CONSTANT
from mqconvert.converters.engine.source_text import Block, Lines, joined, part_kept
from mqconvert.converters.model.places import ENTRIES, Place

Source = tuple[str, str | None, str]
"""Place and key of a value that a row takes from the source, and its expression."""


def last_row(branch: Branch, rows: PlaceRows) -> Lines:
    rule, place, row = branch.rule, branch.place, rows.names.row(branch.rule)
    holder, entry = _holder(place, rows), rule.source_pattern is not None
    where = f"{holder}.{rule.source.rpartition('.')[2]}"
    value = [] if entry else [where]
    tests = [in_frame(branch)] if branch.frames else []
    tests += [f"{holder} is not None"] if holder.startswith("target.") else []
    if not entry and rule.columns.get("type") != "*":
        tests.append(f"{where} {'is' if rule.absent else 'is not'} None")
    if branch.when is not None:
        asked = [*value, *(rows.read(branch, read) for read in rule.asks)]
        tests.append(rows.names.condition(branch.when, None, asked[: branch.when.takes]))
    if rule.error is not None:
        body: Lines = [f"raise refused({row}, {rule.source!r}, {where})"]
    else:
        body = _made(branch, rows, value, holder, where)
    return [rule, *([Block(f"if {joined(tests)}:", body)] if tests else body)]


def _holder(place: Place, rows: PlaceRows) -> str:
    """Return the expression of the message or section that has a place of the target: a variable if it never changes."""
    section = None if place.section is None else rows.to_places[place.section]
    if section is None:
        return "target"
    return f"target.{section.path}" if section.default is None or rows.function.wholes else f"to_{section.path}"


def _made(branch: Branch, rows: PlaceRows, value: list[str], holder: str, where: str) -> Lines:
    """Write the call of the row's word, the note of a loss, and the assignment."""
    rule, via, row = branch.rule, branch.via, rows.names.row(branch.rule)
    assert via is not None
    whole, sources = rule.whole and rule.source_pattern is None, _sources(branch, rows)
    asked = [*value, *(rows.read(branch, read) for read in rule.reads)][: via.takes]
    lines: Lines = [f"made = {rows.names.name('via', via.name, via.function)}({', '.join(asked)})"]
    if via.loses:
        # A row that stores the whole message notes only its own loss: the message has the values that other rows lost.
        loss = f"(field, type_, made.reason, {row})"
        noted = [*_of_last(branch, rows, sources), f"late = {loss}" if whole else f"notes.lost.append({loss})"]
        lines += [*["late = None"] * whole, part_kept(via.gives, *noted, may_be_none=True)]
    seen = [read for read in rule.reads if read in ENVIRONMENT and rows.where(read) in asked]
    seen += [read for read in rule.asks if read in ENVIRONMENT and read not in rule.reads]
    other = next(iter(seen), CONSTANT)
    lines += _told(branch, row, (holder, where), sources, other)
    if whole:
        lines.append(Block("if made is not None:", [f"notes.kept_whole({row}, source)"]))
        lines += [Block("if late is not None:", ["notes.lost.append(late)"])] * via.loses
    return lines


def _of_last(branch: Branch, rows: PlaceRows, sources: list[Source]) -> Lines:
    """Write the field of a loss: the last set field that the row read, else the row's own place."""
    lines: Lines = [f"field = {branch.rule.source!r}", f"type_ = {branch.place.types[0]!r}"]
    for source, key, there in sources:
        held = rows.from_places[source]
        value = held.types[0] if key is None else held.values and held.values.name
        type_ = f"{there}.type" if value is None else repr(value)
        lines.append(Block(f"if {there} is not None:", [f"field = {path(source, key)!r}", f"type_ = {type_}"]))
    return lines


def _told(branch: Branch, row: str, target: tuple[str, str], sources: list[Source], other: str) -> Lines:
    """Write the assignment, with a note of the change and its source."""
    rule, entry, came = branch.rule, branch.rule.source_pattern, "came" if sources else "()"
    holder, where = target
    lines: Lines = ["came = []"] if sources else []
    for source, key, there in sources:
        lines.append(Block(f"if {there} is not None:", [f"came.append(({source!r}, {key!r}))"]))
    if entry is not None:
        kept = [f"notes.keep({source!r}, {key!r})" for source, key, _ in sources if rule.whole]
        put = f"set_entry({holder}, {rule.source.rpartition('.')[2]!r}, Entry({entry!r}, {rule.as_!r}, made))"
        note = f"notes.finished_entry({row}, {rule.source!r}, {entry!r}, {came}, {other!r})"
        return [*lines, Block("if made is not None:", [put, note, *kept])]
    is_map = branch.place.kind == ENTRIES
    if branch.via is not None and branch.via.renames:
        note = f"notes.finished_names({row}, {rule.source!r}, {where}, made)"
    else:
        note = f"notes.{'finished_map' if is_map else 'finished'}({row}, {rule.source!r}, {where}, made, {came}, {other!r})"
    changed = Block(f"if {'came or ' * bool(sources)}made != {where}:", [note, f"{where} = made"])
    return [*lines, *["made = made or None"] * is_map, changed]


def _sources(branch: Branch, rows: PlaceRows) -> list[Source]:
    """Return the places of the source that the row takes: entries, or whole fields for an entry."""
    found = []
    for read in branch.rule.reads:
        source, key = place_and_key(read)
        if source in rows.from_places and (key is not None or branch.rule.source_pattern is not None):
            found.append((source, key, rows.read(branch, read)))
    return found

"""Finish rows as nodes: each gets its `reads` and, unless it makes an entry, the value at `at`."""

from mqconvert.converters.engine.expressions import target_name
from mqconvert.converters.engine.names import NONE, part_kept
from mqconvert.converters.engine.nodes import ENVIRONMENT, Branch, place_and_key
from mqconvert.converters.engine.paths import path
from mqconvert.converters.engine.place_rows import PlaceRows, in_frame
from mqconvert.converters.engine.rules import CONSTANT
from mqconvert.converters.model.places import ENTRIES, Place
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Display,
    Expression,
    If,
    Name,
    Raise,
    Remark,
    Statements,
    every,
    literal,
)
from mqconvert.converters.printed.templates import assign, code, do

Source = tuple[str, str | None, Expression]
"""Place and key of a value that a row takes from the source, and its expression."""

_TARGET, _MADE = Name("target"), Name("made")
_THERE = "{0} is not None"


def last_row(branch: Branch, rows: PlaceRows) -> Statements:
    rule, place, row = branch.rule, branch.place, rows.names.row(branch.rule)
    holder, entry = _holder(place, rows), rule.source_pattern is not None
    where = Attribute(holder, rule.source.rpartition(".")[2])
    value: list[Expression] = [] if entry else [where]
    tests = [in_frame(branch)] if branch.frames else []
    tests += [code(_THERE, holder)] if isinstance(holder, Attribute) else []
    if not entry and rule.columns.get("type") != "*":
        tests.append(code("{0} is None" if rule.absent else _THERE, where))
    if branch.when is not None:
        asked = [*value, *(rows.read(branch, read) for read in rule.asks)]
        tests.append(rows.names.condition(branch.when, None, asked[: branch.when.takes]))
    if rule.error is not None:
        body: Statements = [Raise(code("refused({0}, {1}, {2})", row, literal(rule.source), where))]
    else:
        body = _made(branch, rows, value, holder, where)
    test = every(tests)
    return [Remark(rule), *(body if test is None else [If(test, tuple(body))])]


def _holder(place: Place, rows: PlaceRows) -> Expression:
    """Return the expression of the message or section that has a place of the target: a variable if it never changes."""
    section = None if place.section is None else rows.to_places[place.section]
    if section is None:
        return _TARGET
    return Attribute(_TARGET, section.path) if section.default is None or rows.function.wholes else target_name(section)


def _made(branch: Branch, rows: PlaceRows, value: list[Expression], holder: Expression, where: Expression) -> Statements:
    """Return the call of the row's word, the note of a loss, and the assignment."""
    rule, via, row = branch.rule, branch.via, rows.names.row(branch.rule)
    assert via is not None
    whole, sources = rule.whole and rule.source_pattern is None, _sources(branch, rows)
    asked = [*value, *(rows.read(branch, read) for read in rule.reads)][: via.takes]
    lines: Statements = [Assign(_MADE, Call(rows.names.word("via", via), tuple(asked)))]
    if via.loses:
        # A row that stores the whole message notes only its own loss: the message has the values that other rows lost.
        loss = code("(field, type_, made.reason, {0})", row)
        noted = [*_of_last(branch, rows, sources), assign("late", loss) if whole else do("notes.lost.append({0})", loss)]
        lines += [*[assign("late", NONE)] * whole, part_kept(via.gives, *noted, may_be_none=True)]
    seen = [read for read in rule.reads if read in ENVIRONMENT and rows.where(read) in asked]
    seen += [read for read in rule.asks if read in ENVIRONMENT and read not in rule.reads]
    lines += _told(branch, row, (holder, where), sources, next(iter(seen), CONSTANT))
    if whole:
        lines.append(If(code("made is not None"), (do("notes.kept_whole({0}, source)", row),)))
        lines += [If(code("late is not None"), (do("notes.lost.append(late)"),))] * via.loses
    return lines


def _of_last(branch: Branch, rows: PlaceRows, sources: list[Source]) -> Statements:
    """Return the field of a loss: the last set field that the row read, else the row's own place."""
    lines: Statements = [assign("field", literal(branch.rule.source)), assign("type_", literal(branch.place.types[0]))]
    for source, key, there in sources:
        held = rows.from_places[source]
        value = held.types[0] if key is None else held.values and held.values.name
        type_ = code("{0}.type", there) if value is None else literal(value)
        found = assign("field", literal(path(source, key))), assign("type_", type_)
        lines.append(If(code(_THERE, there), found))
    return lines


def _told(branch: Branch, row: Name, target: tuple[Expression, Expression], sources: list[Source], other: str) -> Statements:
    """Return the assignment, with a note of the change and its source."""
    rule, entry = branch.rule, branch.rule.source_pattern
    came = Name("came") if sources else Display("()")
    holder, where = target
    lines: Statements = [assign("came", "[]")] if sources else []
    for source, key, there in sources:
        lines.append(If(code(_THERE, there), (do("came.append(({0}, {1}))", literal(source), literal(key)),)))
    told = (row, literal(rule.source))
    if entry is not None:
        kept = [do("notes.keep({0}, {1})", literal(source), literal(key)) for source, key, _ in sources if rule.whole]
        made = code("Entry({0}, {1}, made)", literal(entry), literal(rule.as_))
        put = do("set_entry({0}, {1}, {2})", holder, literal(rule.source.rpartition(".")[2]), made)
        note = do("notes.finished_entry({0}, {1}, {2}, {3}, {4})", *told, literal(entry), came, literal(other))
        return [*lines, If(code("made is not None"), (put, note, *kept))]
    is_map = branch.place.kind == ENTRIES
    if branch.via is not None and branch.via.renames:
        note = do("notes.finished_names({0}, {1}, {2}, made)", *told, where)
    else:
        called = "notes.finished_map" if is_map else "notes.finished"
        note = do(called + "({0}, {1}, {2}, made, {3}, {4})", *told, where, came, literal(other))
    changed = code("made != {0}", where)
    if sources:
        changed = code("came or {0}", changed)
    return [*lines, *[assign("made", "made or None")] * is_map, If(changed, (note, Assign(where, _MADE)))]


def _sources(branch: Branch, rows: PlaceRows) -> list[Source]:
    """Return the places of the source that the row takes: entries, or whole fields for an entry."""
    found = []
    for read in branch.rule.reads:
        source, key = place_and_key(read)
        if source in rows.from_places and (key is not None or branch.rule.source_pattern is not None):
            found.append((source, key, rows.read(branch, read)))
    return found

"""Finish rows as nodes: each gets the value at `at` and its `reads`."""

from mqconvert.converters.engine.expressions import in_frame, target_name
from mqconvert.converters.engine.names import is_there, part_kept, refused
from mqconvert.converters.engine.nodes import ENVIRONMENT, Branch
from mqconvert.converters.engine.place_rows import PlaceRows
from mqconvert.converters.engine.rules import CONSTANT
from mqconvert.converters.model.places import ENTRIES, Place
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Expression,
    If,
    Name,
    Remark,
    Statements,
    every,
    literal,
)
from mqconvert.converters.printed.templates import code, line

_TARGET, _MADE = Name("target"), Name("made")


def last_row(branch: Branch, rows: PlaceRows, where: Expression | None = None) -> Statements:
    """Return the statements of a row for a field of the target, or for the variable `where` of its value."""
    rule, row = branch.rule, rows.names.row(branch.rule)
    holder = _TARGET if where is not None else _holder(branch.place, rows)
    where = where or Attribute(holder, branch.place.attribute)
    given = [where, *(rows.read(branch, read) for read in rule.reads)]
    kinds = [None, *rows.kinds(branch)[1:]]
    test = every(
        (
            in_frame(branch) if branch.frames else None,
            is_there(holder) if isinstance(holder, Attribute) else None,
            None if rule.columns.get("type") == "*" else code("{0} is None", where) if rule.absent else is_there(where),
            None if branch.when is None else rows.names.condition(branch.when, kinds, given[: branch.when.takes]),
        )
    )
    if rule.error is not None:
        body: Statements = [refused(row, literal(rule.source), where)]
    else:
        body = _made(branch, rows, given, where)
    return [Remark(rule), *(body if test is None else [If(test, tuple(body))])]


def _holder(place: Place, rows: PlaceRows) -> Expression:
    """Return the expression of the message or section that has a place of the target: a variable if it never changes."""
    section = None if place.section is None else rows.to_places[place.section]
    if section is None:
        return _TARGET
    return Attribute(_TARGET, section.path) if section.default is None or rows.function.wholes else target_name(section)


def _made(branch: Branch, rows: PlaceRows, given: list[Expression], where: Expression) -> Statements:
    """Return the call of the row's word, the notes of a loss and of a change, and the assignment."""
    rule, place, via, row = branch.rule, branch.place, branch.via, rows.names.row(branch.rule)
    assert via is not None
    asked = given[: via.takes]
    called = Call(rows.names.word("via", via), tuple(asked))
    kept = code("{0} or None", _MADE if via.loses else called) if place.kind == ENTRIES else called
    lines: Statements = [Assign(_MADE, called if via.loses else kept)]
    lines += part_kept(via, literal(rule.source), literal(place.types[0]), row, may_be_none=True)
    lines += [Assign(_MADE, kept)] * (via.loses and place.kind == ENTRIES)
    seen = (read for read in rule.reads if read in ENVIRONMENT and rows.where(read) in asked)
    noting = code("notes.finished_map" if place.kind == ENTRIES else "notes.finished")
    told = (row, literal(rule.source), where, literal(next(seen, CONSTANT)))
    note = line("{noting}({0}, {1}, {2}, made, {3})", *told, noting=noting)
    lines.append(If(code("made is not {0}" if via.moves else "made != {0}", where), (note, Assign(where, _MADE))))
    return [*lines, *[line("notes.kept_whole({0}, source)", row)] * rule.whole]

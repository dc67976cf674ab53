"""RuleTable -> one plain Python function: the only engine.

The function reads like handwritten code: one block for each place of the source, one branch for each row, with the row's id
and line as a comment. Its statements are nodes of converters/printed, which alone writes them; they name only what building.py
checked against the message classes and the registries. place_rows.py, type_rows.py and last_rows.py make those of the rows.
"""

import dataclasses
from collections import Counter
from pathlib import Path
from traceback import walk_tb
from types import FunctionType
from typing import NamedTuple

from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.expressions import by_key, filled_name, target_name, used_name
from mqconvert.converters.engine.last_rows import last_row
from mqconvert.converters.engine.names import NONE, Names, answered_else, is_there, part_kept
from mqconvert.converters.engine.nodes import BY_TYPE_ROWS, Branch, Function, place_and_key, typed_entries
from mqconvert.converters.engine.place_rows import PlaceRows
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.engine.type_rows import type_rows
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.places import ENTRIES, SECTION, Place
from mqconvert.converters.printed.defining import defined, show
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Do,
    Expression,
    If,
    Junction,
    Name,
    Named,
    Remark,
    Return,
    Statements,
    both,
    literal,
    nodes_in,
)
from mqconvert.converters.printed.nodes import Function as Definition
from mqconvert.converters.printed.printer import Line, Printed
from mqconvert.converters.printed.templates import code, line


class Compiler:
    """Makes the function of one table."""

    def __init__(self, function: Function, rows: PlaceRows | None = None) -> None:
        self.function, self.table = function, function.table
        self.from_places, self.to_places = function.from_places, function.to_places
        self.rows = rows or PlaceRows(function, Names(function.target.named))
        self.names = self.rows.names

    def compile(self) -> Statements:
        """Return the statements. The rows are built first, since the places they fill decide the others."""
        made = {branch.type for group in self.function.groups.values() for branch in group.branches}
        types = type_rows(self.function, self.names) if BY_TYPE_ROWS in made else []
        title = literal(f"{self.table.title}: generated from {self.table.file}.")
        body = (Do(title), *self.body())
        return [*types, Definition(_function_name(self.table), ("source", "environment", "notes"), body)]

    def body(self) -> Statements:
        """Return the statements of the function itself."""
        groups = [line for group in self.function.groups.values() for line in self.rows.group(group)]
        defaults = [line for rule in self.function.defaults for line in self.rows.default(rule)]
        build = self.build()
        return [*self.preamble(), *groups, *defaults, *build]

    def opening(self) -> Statements:
        """Return the variables of the source's sections."""
        lines: Statements = []
        for path, place in self.from_places.items():
            if place.kind == SECTION:
                section, unset = Name(path), self.names.name("EMPTY", path, empty(place.message_class))
                missing = If(code("{0} is None", section), (Assign(section, unset),))
                lines += [Assign(section, Attribute(Name("source"), path)), missing]
        return lines

    def preamble(self) -> Statements:
        lines: Statements = [line("taken = notes.taken")]
        if any(branch.frames for branch in self.function.branches):
            lines.append(line("frame = environment.frame or {0}", literal(next(iter(self.function.target.frames)))))
        lines += self.opening()
        started: set[str] = set()
        for branch in self.function.start:
            lines += self.start(branch, again=branch.place.path in started)
            started.add(branch.place.path)
        rows = (*self.table.rules, *self.table.finish)
        reads = [place_and_key(read) for rule in rows for read in rule.reads]
        for path in dict.fromkeys(path for path, key in reads if key is not None and path in self.from_places):
            lines.append(Assign(self.rows.index(path), by_key(self.from_places[path], self.rows.where(path))))
        lines += [Assign(used_name(self.from_places[path]), literal(False)) for path in self.rows.used]
        for place in map(self.to_places.__getitem__, self.rows.filled):
            start = Assign(target_name(place), literal(self.start_of(place)))
            lines += self.started_map(place) if place.kind == ENTRIES else [start]
        return [*lines, *[line("sections = {}")] * self.function.wholes]

    def started_map(self, place: Place) -> Statements:
        """Return the variables of a map of the target, or of a list of pairs, before any entry."""
        start = Assign(target_name(place), code("[]" if place.repeats or typed_entries(place) else "{}"))
        return [start, *[Assign(filled_name(place), code("set()"))] * typed_entries(place)]

    def start(self, branch: Branch, *, again: bool) -> Statements:
        """Return a row that prepares a place of the source; `again` is true if another one did before."""
        rule, place, via, row = branch.rule, branch.place, branch.via, self.names.row(branch.rule)
        assert via is not None
        name = Name(f"from_{place.name}")
        field = name if again else self.rows.held(place)
        called = Call(self.names.word("via", via), (field,))
        lines: Statements = [Remark(rule), Assign(Name("made"), Junction("and", (field, called)))]
        if place.keys is None:
            lines += part_kept(via, literal(place.path), literal(place.types[0]), row, may_be_none=True)
        elif via.loses:
            told = (row, literal(place.path), literal(self.function.types_at(place)[0].name), field)
            kept = Assign(Name("made"), code("left_out(notes, {0}, {1}, {2}, {3}, made)", *told))
            lines.append(If(both(is_there(Name("made")), answered_else(via.gives)), (kept,)))
        return [*lines, Assign(name, Name("made"))]

    def build(self) -> Statements:
        """Return the end of the function: build the target message, then apply the rows that see it last."""
        lines: Statements = []
        fields = [self.to_places[field.name] for field in dataclasses.fields(self.function.target.message)]
        made = tuple(self.section(place, lines) if place.kind == SECTION else self.final(place) for place in fields)
        message = Call(self.names.of_class(self.function.target.message), made)
        if not (self.function.wholes or self.function.finish):
            return [*lines, Return(message)]
        lines.append(Assign(Name("target"), message))
        if self.function.wholes:
            lines.append(If(Name("sections"), (line("place_sections(target, sections, {0}, notes)", self.made_by_rows()),)))
        for branch in self.function.finish:
            lines += last_row(branch, self.rows)
        return [*lines, Return(Name("target"))]

    def made_by_rows(self) -> Name:
        """Return the name of the sections that rows fill."""
        filled = frozenset(path.partition(".")[0] for path in self.rows.filled)
        return self.names.name("made_by_rows", "sections", filled)

    def section(self, place: Place, lines: Statements) -> Expression:
        """Return the variable of the section. An optional section exists only if a row filled one of its fields."""
        class_ = place.message_class
        assert class_ is not None
        parts = [self.to_places[f"{place.path}.{part.name}"] for part in dataclasses.fields(class_)]
        there = self.there(place)
        if place.default is None and there is None:
            return NONE
        while parts and parts[-1].path not in self.rows.filled:
            parts.pop()
        name = target_name(place)
        made = Assign(name, Call(self.names.of_class(class_), tuple(self.final(part) for part in parts)))
        if place.default is not None or there is None:
            lines.append(made)
        else:
            lines += [Assign(name, NONE), If(there, (made,))]
        return name

    def there(self, place: Place) -> Expression | None:
        """Return the test for a section of which rows have filled a field; None if no row does."""
        parts = [self.to_places[f"{place.path}.{part.name}"] for part in dataclasses.fields(place.message_class or object)]
        filled = [part for part in parts if part.path in self.rows.filled]
        tests = tuple(target_name(part) if part.kind == ENTRIES else is_there(target_name(part)) for part in filled)
        return Junction("or", tests) if len(tests) > 1 else next(iter(tests), None)

    def final(self, place: Place) -> Expression:
        unset = place.default if place.section is None else place.fallback
        name = target_name(place)
        if place.path not in self.rows.filled:
            return literal(b"" if place.payload else unset)
        if place.kind == ENTRIES:
            listed = place.repeats or typed_entries(place)
            return code("{0} or None" if listed else "list({0}.items()) if {0} else None", name)
        if self.start_of(place) is not unset:
            return code("{0} if {1} is None else {1}", literal(unset), name)
        return name

    def start_of(self, place: Place) -> object:
        """Return the value of a field before any row: its default, unless a row tests whether it is filled."""
        return None if place.path in self.rows.asked else place.default


def _function_name(table: RuleTable) -> str:
    return f"{table.source}_to_{table.target}".replace("-", "_").replace(".", "_")


def _filename(table: RuleTable) -> str:
    """Return the name of the table's function as a file, in tracebacks."""
    return f"<{table.name} {table.hash}>"


def row_of(error: Exception, table: RuleTable, printed: Printed, module: tuple[str, int] = ("", 0)) -> tuple[Rule, str] | None:
    """Return the row whose statement in the table's function raised the error, with its columns of that statement.

    `module` is the file of a shipped function, and the number of lines before it there.
    """
    file, before = module
    for frame, number in reversed(list(walk_tb(error.__traceback__))):
        name = frame.f_code.co_filename
        shipped = file and Path(name).as_posix().endswith(file)
        if shipped or name == _filename(table):
            lines = printed.lines[: number - before if shipped else number]
            found = next((each.row.id for each in reversed(lines) if each.row is not None and each.row.id in table.by_id), None)
            return None if found is None else (table.by_id[found], _columns(table.by_id[found], lines[-1]))
    return None


def _columns(rule: Rule, line: Line) -> str:
    """Return the columns of a row that a line comes from, as they are written."""
    test = line.statement.test if isinstance(line.statement, If) else None
    makes = test is not None and any(isinstance(node, Named) and node.name == "made" for node in nodes_in(test))
    checks = test is not None and any(isinstance(node, Named) and node.name == "fault" for node in nodes_in(test))
    columns = ("when", "via") if makes else ("when",) if test is not None and not checks else ("via",)
    return " and ".join(f"{name} = {rule.columns[name]!r}" for name in columns if name in rule.columns) or "its value"


def _last_of_most(table: RuleTable) -> Rule:
    """Return the last row, of another file if there is one, of the place with the most rows."""
    most = Counter(rule.source for rule in table.all_rules).most_common(1)[0][0]
    rows = [rule for rule in table.all_rules if rule.source == most]
    return next((rule for rule in reversed(rows) if rule.file != table.file), rows[-1])


class Compiled(NamedTuple):
    """The function of a table, and its text."""

    function: FunctionType
    printed: Printed


def compile_table(table: RuleTable) -> Compiled:
    """Return the table's function and its text. RuleTableError with file and line for an invalid row."""
    return compile_function(build(table))


def compile_function(function: Function) -> Compiled:
    """Return the function of checked rows and its text, which is in linecache, so that a traceback shows its lines.

    The text passes the wall before it runs (printed/wall.py). RuleTableError for one that does not pass.
    """
    table, compiler = function.table, Compiler(function)
    statements, printed = _printed(compiler)
    filename = _filename(table)
    show(filename, printed.text)
    return Compiled(defined(statements, printed, compiler.names.known, filename)[_function_name(table)], printed)


def printed_table(table: RuleTable) -> Printed:
    """Return the text of the table's function, for readers."""
    return _printed(Compiler(build(table)))[1]


def _printed(compiler: Compiler) -> tuple[Statements, Printed]:
    try:
        statements = compiler.compile()
        return statements, Printed(statements)
    except RecursionError:
        raise _last_of_most(compiler.table).wrong("its place has more rows than a function can nest") from None

"""RuleTable -> one plain Python function: the only engine.

The function reads like handwritten code: one block for each place of the source, one branch for each row, with the row's id
and line as a comment. It contains only names that building.py checked against the message classes and the registries, and
no raw text of a table. place_rows.py, type_rows.py and last_rows.py write the rows.
"""

import dataclasses
import linecache
import re
from collections.abc import Callable
from importlib import import_module
from traceback import walk_tb
from typing import Any

from mqconvert.compiled import function_module
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.expressions import by_key
from mqconvert.converters.engine.last_rows import last_row
from mqconvert.converters.engine.nodes import BY_TYPE_ROWS, Branch, Function, place_and_key
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.place_rows import PlaceRows
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.engine.source_text import Block, Lines, Names, part_kept, printed
from mqconvert.converters.engine.type_rows import type_rows
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.places import ENTRIES, SECTION, Place


class Compiler:
    """Writes the function of one table."""

    def __init__(self, function: Function) -> None:
        self.function, self.table = function, function.table
        self.from_places, self.to_places = function.from_places, function.to_places
        self.names = Names(function.target.named)
        self.rows = PlaceRows(function, self.names)

    def compile(self) -> str:
        """Return the text. The rows are written first, since the places they fill decide the text before and after them."""
        made = {branch.type for group in self.function.groups.values() for branch in group.branches}
        types = type_rows(self.function, self.names) if BY_TYPE_ROWS in made else []
        groups = [line for group in self.function.groups.values() for line in self.rows.group(group)]
        defaults = [line for rule in self.function.defaults for line in self.rows.default(rule)]
        build = self.build()
        name = _function_name(self.table)
        body = [*self.preamble(), *groups, *defaults, *build]
        lines: Lines = [*types, Block(f"def {name}(source, environment, notes):", body)]
        return "\n".join(printed(lines)) + "\n"

    def preamble(self) -> Lines:
        lines: Lines = [
            f'"""{self.table.title}: generated from {self.table.file}."""',
            "taken = notes.taken",
        ]
        if any(branch.frames for branch in self.function.branches):
            lines.append(f"frame = environment.frame or {next(iter(self.function.target.frames))!r}")
        for path, place in self.from_places.items():
            if place.kind == SECTION:
                empty = self.names.name("EMPTY", path, _empty(place.message_class))
                lines += [f"{path} = source.{path}", Block(f"if {path} is None:", [f"{path} = {empty}"])]
        started: set[str] = set()
        for branch in self.function.start:
            lines += self.start(branch, again=branch.place.path in started)
            started.add(branch.place.path)
        rows = (*self.table.rules, *self.table.finish)
        reads = [place_and_key(read) for rule in rows for read in (*rule.reads, *rule.asks)]
        for path in dict.fromkeys(path for path, key in reads if key is not None and path in self.from_places):
            lines.append(f"index_{path.replace('.', '_')} = {by_key(self.from_places[path], self.rows.where(path))}")
        lines += [f"used_{self.from_places[path].name} = False" for path in self.rows.used]
        for place in map(self.to_places.__getitem__, self.rows.filled):
            unset = repr(self.start_of(place))
            if place.kind == ENTRIES:
                unset = "[]" if place.repeats else "{}"
            lines.append(f"to_{place.name} = {unset}")
        return [*lines, *["sections = {}"] * self.function.wholes]

    def start(self, branch: Branch, *, again: bool) -> Lines:
        """Write a row that prepares a place of the source; `again` is true if another one did before."""
        rule, place, via, row = branch.rule, branch.place, branch.via, self.names.row(branch.rule)
        assert via is not None
        name = f"from_{place.name}"
        field = name if again else place.path if place.section else f"source.{place.path}"
        function = self.names.name("via", via.name, via.function)
        lines: Lines = [f"made = {field} and {function}({field})  # {rule.id}, {rule.where}"]
        if via.loses:
            lost = f"notes.lost.append(({place.path!r}, {place.types[0]!r}, made.reason, {row}))"
            lines.append(part_kept(via.gives, lost, may_be_none=True))
        if via.renames:
            lines.append(f"own_{place.name} = own_keys(notes, {row}, {place.path!r}, {field}, made)")
        return [*lines, f"{name} = made"]

    def build(self) -> Lines:
        """Write the end of the function: build the target message, then apply the rows that see it last."""
        lines: Lines = []
        fields = [self.to_places[field.name] for field in dataclasses.fields(self.function.target.message)]
        made = [self.section(place, lines) if place.kind == SECTION else self.final(place) for place in fields]
        lines += [
            f"target = {self.names.of_class(self.function.target.message)}(",
            *(f"    {value}," for value in made),
            ")",
        ]
        if any("@again" in rule.reads for rule in self.table.finish):
            self.names.known |= {"replace": dataclasses.replace, "Notes": Notes}
            alone = "replace(environment, address=None, escape=True)"
            lines.append(Block("def again(message):", [f"return {_function_name(self.table)}(message, {alone}, Notes())"]))
        if self.function.wholes:
            filled = frozenset(path.partition(".")[0] for path in self.rows.filled)
            made_by_rows = self.names.name("made_by_rows", "sections", filled)
            lines.append(Block("if sections:", [f"place_sections(target, sections, {made_by_rows}, notes)"]))
        for branch in self.function.finish:
            lines += last_row(branch, self.rows)
        return [*lines, "return target"]

    def section(self, place: Place, lines: Lines) -> str:
        """Return the variable of the section. An optional section exists only if a row filled one of its fields."""
        class_ = place.message_class
        assert class_ is not None
        parts = [self.to_places[f"{place.path}.{part.name}"] for part in dataclasses.fields(class_)]
        filled = [part for part in parts if part.path in self.rows.filled]
        if place.default is None and not filled:
            return "None"
        while parts and parts[-1].path not in self.rows.filled:
            parts.pop()
        name = f"to_{place.name}"
        made = [f"{name} = {self.names.of_class(class_)}(", *(f"    {self.final(part)}," for part in parts), ")"]
        if place.default is not None:
            lines += made
        else:
            tests = [f"to_{part.name}" + ("" if part.kind == ENTRIES else " is not None") for part in filled]
            lines += [f"{name} = None", Block(f"if {' or '.join(tests)}:", made)]
        return name

    def final(self, place: Place) -> str:
        unset = place.default if place.section is None else place.fallback
        if place.path not in self.rows.filled:
            return 'b""' if place.payload else repr(unset)
        if place.kind == ENTRIES:
            if place.repeats:
                return f"to_{place.name} or None"
            return f"list(to_{place.name}.{'values' if place.values is None else 'items'}()) if to_{place.name} else None"
        if self.start_of(place) is not unset:
            return f"{unset!r} if to_{place.name} is None else to_{place.name}"
        return f"to_{place.name}"

    def start_of(self, place: Place) -> object:
        """Return the value of a field before any row: its default, unless a row tests whether it is filled."""
        return None if place.path in self.rows.asked else place.default


def _empty(message_class: Any) -> object:
    """Return a section with every field unset, despite its defaults."""
    return message_class(*(None for _ in names(message_class)))


def _function_name(table: RuleTable) -> str:
    return f"{table.source}_to_{table.target}".replace("-", "_").replace(".", "_")


def _filename(table: RuleTable) -> str:
    """Return the name of the table's function as a file, in tracebacks."""
    return f"<{table.name} {table.hash}>"


_ROW = re.compile(r"# (\S+), .+:\d+$")
"""Matches the comment after the branch of a row."""


_PLACE = re.compile(r"(?<=\.toml):\d+")
"""Matches the line number of a row, which changes with every row before it."""


def without_lines(text: str) -> str:
    """Return the text of functions with the files of their rows but without line numbers.

    >>> without_lines("# content-type, mine.toml:12")
    '# content-type, mine.toml'
    """
    return _PLACE.sub("", text)


def row_of(error: Exception, table: RuleTable, text: str) -> tuple[Rule, str] | None:
    """Return the row whose lines in `text`, the table's function, raised the error, with its columns of that line."""
    module, before = function_module(without_lines(text)) or ("", 0)
    compiled = module.replace(".", "/") + ".py"
    for frame, line in reversed(list(walk_tb(error.__traceback__))):
        file = frame.f_code.co_filename
        if file in (_filename(table), compiled):
            lines = text.splitlines()[: line - before if file == compiled else line]
            found = map(_ROW.search, reversed(lines))
            rule = next((table.by_id[row[1]] for row in found if row is not None and row[1] in table.by_id), None)
            return None if rule is None else (rule, _columns(rule, lines[-1]))
    return None


def _columns(rule: Rule, line: str) -> str:
    """Return the columns of a row that a line comes from, as they are written. Long tests have a line for each part."""
    head, makes = line.partition("  # ")[0].endswith(":"), "made := " in line
    test = head or line.lstrip().startswith(("and ", "or ", "when_"))
    names = ("when", "via") if head and makes else ("when",) if test and not makes and "fault :=" not in line else ("via",)
    return " and ".join(f"{name} = {rule.columns[name]!r}" for name in names if name in rule.columns) or "its value"


def compile_table(
    table: RuleTable, way_back: Callable[[object], object] | None = None
) -> tuple[Callable[[object, object, Notes], object], str]:
    """Return the table's function and its text. The text is in linecache, so that a traceback shows its lines.

    `way_back` converts a message of the target back, for the finish rows that read `@way_back`.
    RuleTableError with file and line for an invalid row.
    """
    compiler = Compiler(build(table))
    text = compiler.compile()
    known = compiler.names.known | {"way_back": way_back}
    filename = _filename(table)
    _show(filename, text)
    found = function_module(without_lines(text))
    if found is not None:
        return import_module(found[0]).bind(known), text
    # The one exec of the project: the text was made above, from checked names alone.
    exec(compile(text, filename, "exec"), known)  # noqa: S102
    return known[_function_name(table)], text


_SHOWN_AT_ONCE = 512
_shown: dict[str, None] = {}


def _show(filename: str, text: str) -> None:
    """Put the text into linecache for tracebacks; only the texts of the last functions are kept."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    _shown.pop(filename, None)
    _shown[filename] = None
    while len(_shown) > _SHOWN_AT_ONCE:
        oldest = next(iter(_shown))
        del _shown[oldest]
        linecache.cache.pop(oldest, None)

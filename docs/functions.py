"""The functions of the shipped tables as modules: `make generate` writes converters/shipped/, which `make speed` compiles.

A review shows the effect of a change in the compiler or a row. A module has the text of the printed function, line by line.
Its `bind` finds the rows, words and checks that the text names. The module imports classes, and gives the source's places the
types of their fields, since mypyc calls methods of known types directly.
"""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from types import FunctionType
from typing import Any

from docs.generated import write_or_check
from mqconvert import PROTOCOLS, Rule, RuleTable, mappings, rule_tables
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.fused import Fuser, fuser
from mqconvert.converters.engine.nodes import RECURSIVE, typed_entries
from mqconvert.converters.engine.variables import CONTAINERS, LOCALS, field_type, set_in
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.places import ENTRIES, SECTION, TYPED, WHOLE
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Compare,
    Declare,
    Dictionary,
    Display,
    Expression,
    Function,
    Literal,
    Name,
    Operation,
    Statement,
    Statements,
    literal,
    nodes_in,
)
from mqconvert.converters.printed.printer import WIDTH, Printed
from mqconvert.converters.printed.templates import code, template
from mqconvert.converters.printed.wall import pass_wall
from mqconvert.converters.words import NAMES, Condition, Transform

FOLDER = Path(__file__).parent.parent / "converters" / "shipped"
_OBJECTS = dict.fromkeys(("made", "label", "index", "item", "value"), "Any")
"""The variables for values of several types."""
_KINDS = ("str", "bytes")
"""The Python classes among the kinds of values whose methods functions call."""
_STARTS = {literal(value) for value in (None, 0, False, b"")}
"""The first values of variables that tell no type."""
_ROOM = "mqconvert.converters"
_CALLED = {f"{_ROOM}.{module}" for module in ("engine.runtime", "model.paths", "model.entries", "model.fields", "model.plain")}
"""Compiled modules whose functions are called directly; a decorated function, as words are, has no such call."""


def tables() -> dict[str, RuleTable]:
    """Return each base table by the name of its module, and the tables that a profile changes."""
    found: dict[str, tuple[str, RuleTable]] = {}
    for profile in ("documented", *mappings.overlay_names()):
        for table in rule_tables(profile):
            found.setdefault(table.digest, (re.sub(r"\W", "_", f"{profile}_{table.stem}"), table))
    return dict(found.values())


@cache
def modules() -> dict[str, str]:
    """Return the texts of the modules by the names of their files, with the index, which finds them by the rows of a table."""
    texts: dict[str, str] = {}
    index = [
        '"""The modules by the digests of their tables, with the lines before a function: `make generate` writes this."""',
        "",
    ]
    fused = []
    index.append("MODULES = {")
    for name, table in sorted(tables().items()):
        compiler = Compiler(build(table))
        statements = compiler.compile()
        printed = Printed(statements)
        pass_wall(printed.stable, statements, compiler.names.known.keys(), table.file)
        typed = list(_typed(compiler, statements))
        head, body = _head(compiler, typed), list(_joined(Printed(typed)))
        assert len(body) == len(printed.lines), "a traceback finds the row of a line"
        texts[f"{name}.py"] = _module(head, body, typed)
        index.append(f"    {table.digest!r}: ({name!r}, {len(head)}),".replace("'", '"'))
        if found := fuser(compiler):
            texts[f"fused_{name}.py"] = _fused(found, statements[:-1])
            fused.append(f'    "{name}",')
    return texts | {"index.py": "\n".join([*index, "}", "FUSED = {", *fused, "}", ""])}


def _fused(fuser: Fuser, types: Statements) -> str:
    """Return the text of the module of a table's function from bytes to bytes."""
    function = fuser.fuse()
    statements = [*types, function]
    printed = Printed(statements)
    origins = list(fuser.origins(function))
    known = [*fuser.names.known, "Environment", "Notes", *(name for name, _, _ in origins)]
    pass_wall(printed.stable, statements, known, fuser.table.file)
    typed = [*_typed_rows(fuser, types), function]
    head = _head(fuser, typed, [origin for origin in origins if origin[1] != "builtins"])
    return _module(head, Printed(typed).stable.splitlines(), typed)


def _module(head: list[str], body: list[str], statements: Statements) -> str:
    """Return the text of a module with these lines, in which `bind` returns the last function."""
    function = statements[-1]
    assert isinstance(function, Function)
    return "\n".join([*head, *(f"    {line}" if line else "" for line in body), "", f"    return {function.name}", ""])


# ---- types --------------------------------------------------------------------------------------------------------------


def _typed(compiler: Compiler, statements: Statements) -> Iterator[Statement]:
    """Yield the functions of a table with the types of their variables, for mypyc, in as many lines (`_joined`).

    A field of another type raises a TypeError, which the converter handles like the failing call.
    """
    *rows, function = statements
    assert isinstance(function, Function)
    yield from _typed_rows(compiler, rows)
    types = dict(_locals(compiler, function))
    declared = [Declare(name, template(type_)) for name, type_ in sorted(types.items())]
    types |= dict(_fields(compiler, function))
    body = tuple(_declared(function.body[1:], types, {each.name for each in declared}))
    of = tuple(map(template, ("Source", "Environment", "Notes", "Any")))
    yield Function(function.name, function.parameters, (*declared, *body), of)


def _typed_rows(compiler: Compiler, statements: Statements) -> Iterator[Statement]:
    """Yield the functions of the type rows with the types of their values."""
    kinds: dict[str, set[str]] = {}
    for type_, name in _by_type(statements):
        kinds.setdefault(name, set()).add(compiler.function.source.named[type_].kind)
    for statement in statements:
        match statement:
            case Function(name, ("value", "lost") as parameters, body):
                of = next(iter(kinds[name])) if len(kinds[name]) == 1 else "Any"
                types = map(template, (of if of in _KINDS else "Any", "list[Any]", "tuple[Any, Any, Any]"))
                yield Function(name, parameters, body, tuple(types))
            case Assign(Name("renamed_top" as name), value):
                yield Declare(name, template("dict[str, tuple[str, str]]"), value)
            case _:
                yield statement


def _by_type(statements: Statements) -> Iterator[tuple[str, str]]:
    """Yield each source type with the name of the function that its type rows are."""
    for node in nodes_in(*statements):
        match node:
            case Call(Name("TypeTable"), (Dictionary(pairs),)):
                yield from ((key.value, name.id) for key, name in pairs if isinstance(key, Literal) and isinstance(name, Name))


def _declared(body: Sequence[Statement], types: Mapping[str, str], names: set[str]) -> Iterator[Statement]:
    """Yield statements with the type of each variable that they set first, if its value tells none; `names` have one."""
    for statement in body:
        match statement:
            case Assign(Name(name), value) if name not in names and _tells_no_type(value):
                names.add(name)
                yield Declare(name, template(CONTAINERS.get(value) or types.get(name, "Any")), value)
            case _:
                yield statement


def _tells_no_type(value: Expression) -> bool:
    return value in _STARTS or value in CONTAINERS or isinstance(value, Attribute)


def _locals(compiler: Compiler, function: Function) -> Iterator[tuple[str, str]]:
    """Yield the variables with a name of ours that are set somewhere in a function, with their types."""
    places = [group.place for group in compiler.function.groups.values()]
    pairs = any(place.kind == ENTRIES and not typed_entries(place) and place.keys is not None for place in places)
    texts = {"value": "str"} if pairs and not any(place.kind == TYPED for place in places) else {}
    known = {**LOCALS, **_OBJECTS, **texts, "target": "Message"}
    names = dict(set_in([function])).keys() - compiler.rows.locals.values()
    yield from ((name, known[name]) for name in names & known.keys())


def _fields(compiler: Compiler, function: Function) -> Iterator[tuple[str, str]]:
    """Yield the variables of sections and of fields with their types.

    A field that is not looped over stays an object, unless its methods are called or it is in arithmetic.
    """
    called, counted, asked = _uses(function)
    for path, place in compiler.from_places.items():
        if place.kind == SECTION:
            yield path, f"Of_EMPTY_{path} | None"
        elif place.kind != WHOLE and path in compiler.rows.locals:
            name = compiler.rows.locals[path]
            kinds = [*_KINDS * (name in called), *["int"] * (name in counted)]
            if place.kind != TYPED or name in asked:
                yield name, field_type(place, compiler.function, kinds, always=place.unset is not None)


def _uses(function: Function) -> tuple[set[str], set[str], set[str]]:
    """Return the variables whose methods or size a function asks for, those in arithmetic, and those whose `value` it reads."""
    called, counted, asked = set[str](), set[str](), set[str]()
    for node in nodes_in(function):
        match node:
            case Call(Attribute(Name(name))) | Call(Name("len"), (Name(name),)):
                called.add(name)
            case Compare(first, others) if others[0][0] in ("<", "<=", ">", ">="):
                counted |= {each.id for each in (first, *(other for _, other in others)) if isinstance(each, Name)}
            case Operation(Name(name), "*" | "%" | "//"):
                counted.add(name)
            case Attribute(Name(name), "value"):
                asked.add(name)
    return called, counted, asked


# ---- modules ------------------------------------------------------------------------------------------------------------


def _joined(printed: Printed) -> Iterator[str]:
    """Yield the lines of functions; declarations without a value share one, which stands in place of the docstring."""
    for declare, lines in groupby(printed.lines, lambda line: isinstance(line.statement, Declare) and not line.statement.value):
        first, *others = (line.commented(numbered=False) for line in lines)
        yield from ["; ".join([first, *map(str.strip, others)])] if declare else [first, *others]


Origin = tuple[str, str, str]
"""A name with its module and its name there, neither for a module that is imported as a whole."""


def _head(compiler: Compiler, statements: Statements, origins: Sequence[Origin] = ()) -> list[str]:
    """Return the lines before functions: imports, those of `origins` among them, and the objects that they name."""
    table, known = compiler.table, compiler.names.known
    used = {"Entry", "TypedValue", *(node.id for node in nodes_in(*statements) if isinstance(node, Name))}
    source = PROTOCOLS[table.source].message
    imports = {
        ("Any", "typing", "Any"),
        ("Notes", f"{_ROOM}.engine.notes", "Notes"),
        ("RuleTable", f"{_ROOM}.engine.rules", "RuleTable"),
        ("Environment", f"{_ROOM}.environment", "Environment"),
        _origin(source, "Source"),
        *origins,
    }
    bound: list[Statement] = []
    for name, value in known.items():
        if name not in used or name == "Notes":
            continue
        own = getattr(value, "__qualname__", "")
        called = isinstance(value, FunctionType) and value.__module__ in _CALLED and own.isidentifier()
        if called or (isinstance(value, type) and value.__module__.startswith(_ROOM)):
            imports.add(_origin(value, name))
        elif name.startswith("EMPTY_"):
            of = type(value)
            imports |= {_origin(of, f"Of_{name}"), ("empty", f"{_ROOM}.model.fields", "empty")}
            bound.append(Declare(name, Name(f"Of_{name}"), code("empty({0})", Name(f"Of_{name}"))))
        else:
            found, learned = _finding(compiler, name, value)
            imports |= {("", module, "") for module in learned}
            bound.append(Declare(name, _ANY, found))
    named = {node.id for node in nodes_in(*bound) if isinstance(node, Name)}
    imports |= {origin for name, origin in _FINDERS.items() if name in named}
    of_types = Declare("types", _ANY, code("PROTOCOLS[{0}].named", literal(table.target)))
    rows = Declare("rows", _ANY, template("table.by_id"))
    body = (rows, *[of_types] * ("types" in named), *bound)
    bind = Function("bind", ("table",), body, (Name("RuleTable"), _ANY))
    return [
        f'"""{table.name}, from {table.file}: `make generate` writes it."""',
        "",
        *_imports(imports),
        "",
        "",
        *Printed([bind]).stable.splitlines(),
        "",
    ]


_ANY = Name("Any")


def _origin(found: Any, name: str) -> Origin:
    return name, found.__module__, found.__qualname__


def _imports(origins: Iterable[Origin]) -> Iterator[str]:
    """Yield the lines that import names: whole modules one by one, and all names of another module together."""
    in_order = sorted(origins, key=lambda origin: (origin[1].startswith("mqconvert"), *origin[1:], origin[0]))
    for module, found in groupby(in_order, key=itemgetter(1)):
        names = [(own, name) for name, _, own in found]
        if ("", "") in names:
            yield f"import {module}"
        parts = [own if own == name else f"{own} as {name}" for own, name in names if own]
        line = f"from {module} import {', '.join(parts)}"
        if len(line) > WIDTH:
            yield from (f"from {module} import (", *(f"    {part}," for part in parts), ")")
        elif parts:
            yield line
        yield from (f"import {module} as {name}" for own, name in names if name and not own)


_FINDERS: dict[str, Origin] = {
    "NAMES": ("NAMES", f"{_ROOM}.engine.runtime", "NAMES"),
    "CONDITIONS": ("CONDITIONS", f"{_ROOM}.words", "CONDITIONS"),
    "TRANSFORMS": ("TRANSFORMS", f"{_ROOM}.words", "TRANSFORMS"),
    "types": ("PROTOCOLS", f"{_ROOM}.protocols", "PROTOCOLS"),
    "replace": ("replace", "dataclasses", "replace"),
}
"""The imports for the names in the expressions of `_finding`."""


def _finding(compiler: Compiler, name: str, value: object) -> tuple[Expression, set[str]]:
    """Return the expression that finds an object of a function (a row, a word, a check of a type, a set of texts).

    The modules that define a word come with it.
    """
    table, target = compiler.table, compiler.function.target
    if isinstance(value, Rule):
        row = table.row(value.id)
        fields = [name for name, each in Rule.__dataclass_fields__.items() if each.init]
        other = {name: getattr(value, name) for name in fields if getattr(value, name) != getattr(row, name)}
        found = code("rows[{0}]", literal(row.id))
        changes = tuple((field, Dictionary() if new == {} else literal(new)) for field, new in other.items())
        return Call(Name("replace"), (found,), changes) if other else found, set()
    if isinstance(value, frozenset):
        return code("frozenset({0})", Display("[]", tuple(map(literal, sorted(value))))), set()
    if NAMES.get(name) is value:
        return code("NAMES[{0}]", literal(name)), set()
    for word in _words(table):
        if word.function == value:
            words = Name("CONDITIONS" if isinstance(word, Condition) else "TRANSFORMS")
            return code("{0}[{1}].function", words, literal(word.name)), set(_homes(word))
    for type_, of_type in target.named.items():
        for check in ("fault", "key_fault"):
            if getattr(of_type, check, None) == value:
                return Attribute(code("types[{0}]", literal(type_)), check), set()
    raise LookupError(f"{table.name}: nothing finds {name}")


def _homes(word: Condition | Transform) -> Iterator[str]:
    """Yield the modules that define a word and its parts."""
    if word.parts:
        yield f"{_ROOM}.words.phrases"
        for part in word.parts:
            yield from _homes(part)
    elif word.own is None:  # a word that its expression makes
        yield f"{_ROOM}.words.{'literals' if ' ' in word.name else 'expressions'}"
    else:
        yield getattr(word.own, "func", word.own).__module__  # the reader of literals made a partial object


def _words(table: RuleTable) -> Iterator[Condition | Transform]:
    """Yield the words that rows name, and those inside them."""
    found: list[Condition | Transform] = []
    for rule in table.all_rules:
        found += [CONDITIONS[rule.when]] if rule.when else []
        found += [TRANSFORMS[rule.via]] if rule.via and rule.via not in RECURSIVE else []
    for word in found:
        yield word
        found += word.parts


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "[!_]*.py", modules(), sys.argv[1:]))

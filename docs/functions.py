"""The functions of the shipped tables as modules: `make generate` writes converters/shipped/, which `make speed` compiles.

A review shows the effect of a change in the compiler or a row. A module has the text of the printed function, line by line.
Its `bind` finds the rows, words and checks that the text names. The module imports classes, and gives the source's places the
types of their fields, since mypyc calls methods of known types directly.
"""

import re
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType
from typing import Any

from docs.generated import write_or_check
from mqconvert import PROTOCOLS, Rule, RuleTable, mappings, rule_tables
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.fused import Fuser, fuser
from mqconvert.converters.engine.nodes import RECURSIVE, typed_entries
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.places import ENTRIES, SCALAR, TYPED
from mqconvert.converters.printed.nodes import Statements
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.wall import pass_wall
from mqconvert.converters.words import NAMES, Condition, Transform

FOLDER = Path(__file__).parent.parent / "converters" / "shipped"
_FUNCTION = re.compile(r"^def (\w+)\(source, environment, notes\):$")
_ANY_FUNCTION = re.compile(r"^def (\w+)\((?:source|data: bytes), environment.*\).*:$")
_LOCALS = re.compile(
    r"\b(made|by|as_|key|label|index|item|value|type_|fault|own|late|target|came|pair|text|raw|number|renamed|lost|before)\b"
)
"""Names of functions for values of several types: any object, unless `_TYPES` has a narrower type."""
_TYPES = {
    "key": "str",
    "type_": "str",
    "as_": "str | None",
    "by": "str | None",
    "fault": "str | None",
    "text": "str",
    "raw": "bytes",
    "number": "int",
    "renamed": "tuple[str, str] | None",
    "pair": "tuple[str, str]",
    "target": "Message",
    "lost": "list[Any]",
    "before": "int",
}
_TYPE_FUNCTION = re.compile(r"^def (?:top|nested|entry|key)_(\w+)\(value, lost\):$")
_KINDS = ("str", "bytes")
"""The Python classes among the kinds of values whose methods functions call."""
_ASKED = dict.fromkeys(_KINDS, r"\b{0}\.\w+\(|\blen\({0}\)") | {"int": r"\b{0} (?:[<>*%]|//)"}
"""Matches methods of values, and comparisons and arithmetic of numbers, by the kind of the value."""
_ASSIGNED = re.compile(r"    (\w+) = (None|\[\]|\{\}|set\(\)|0|False|b''|\w+\.\w+)$")
"""Matches the first assignment of a name."""
_ASSIGNED_TYPES = {"[]": "list[Any]", "{}": "dict[Any, Any]", "set()": "set[Any]", "notes.taken": "list[Any]"}
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
        head, body = _module(compiler, printed.stable, _locals(compiler, printed.stable) | _values(compiler))
        texts[f"{name}.py"] = "\n".join([*head, *body, ""])
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
    head, body = _module(fuser, printed.stable, _values(fuser))
    imports = [
        f"import {module} as {name}" if not own else f"from {module} import {own}" + f" as {name}" * (name != own)
        for name, module, own in origins
        if module != "builtins"
    ]
    return "\n".join([*head[:2], *imports, *head[2:], *body, ""])


def _locals(compiler: Compiler, text: str) -> dict[str, str]:
    """Return the types of the source's fields that the function loops over or whose methods it calls, by variable.

    A field of another type then raises a TypeError, which the converter handles like the failing call.
    """
    found = {}
    for path, place in compiler.from_places.items():
        name = compiler.rows.locals.get(path, "")
        kinds = {type_.kind for type_ in compiler.function.types_at(place)} if place.kind == SCALAR else set()
        kind = kinds.pop() if len(kinds) == 1 else ""
        used = _ASKED.get(kind, "")
        if place.kind == ENTRIES:
            found[name] = "list[Any] | None"
        elif place.kind == TYPED and f"{name}.value" in text:
            found[name] = "TypedValue | None"
        elif used and re.search(used.format(name), text):
            found[name] = f"{kind} | None" if place.unset is None else kind
    return found


def _values(compiler: Compiler) -> dict[str, str]:
    """Return the type of `value`, if only pairs of texts have that name, and those of the values of type functions."""
    types = {f"{type_.name}()": type_.kind for type_ in compiler.function.source.named.values() if type_.kind in _KINDS}
    places = [group.place for group in compiler.function.groups.values()]
    pairs = any(place.kind == ENTRIES and not typed_entries(place) and place.keys is not None for place in places)
    return types | ({"value": "str"} if pairs and not any(place.kind == TYPED for place in places) else {})


def _module(compiler: Compiler, text: str, places: dict[str, str]) -> tuple[list[str], list[str]]:
    """Return the lines before the function's text, and the text line by line, followed by `return`."""
    table, known = compiler.table, compiler.names.known
    lines = text.splitlines()
    used = {"Entry", "TypedValue", *re.findall(r"\w+", text)}
    source = PROTOCOLS[table.source].message
    imports = {
        f"from {_ROOM}.engine.notes import Notes",
        f"from {_ROOM}.engine.rules import RuleTable",
        f"from {_ROOM}.environment import Environment",
        _import(source, source.__name__, "Source"),
    }
    bound = []
    for name, value in known.items():
        if name not in used or name == "Notes":
            continue
        own = getattr(value, "__qualname__", "")
        if isinstance(value, type) and value.__module__.startswith(_ROOM):
            imports.add(_import(value, value.__name__, name))
        elif isinstance(value, FunctionType) and value.__module__ in _CALLED and own.isidentifier():
            imports.add(_import(value, own, name))
        elif name.startswith("EMPTY_"):
            of = type(value)
            imports |= {_import(of, of.__name__, f"Of_{name}"), f"from {_ROOM}.model.fields import empty"}
            bound.append(f"    {name}: Of_{name} = empty(Of_{name})")
        else:
            found, learned = _finding(compiler, name, value)
            imports |= _IMPORTS.get(re.split(r"\W", found)[0], set()) | {f"import {module}" for module in learned}
            bound.append(f"    {name}: Any = {found}")
    asks_types = any("= types[" in line for line in bound)
    head = [
        f'"""{table.name}, from {table.file}: `make generate` writes it."""',
        "from typing import Any",
        *sorted(imports),
        "def bind(table: RuleTable) -> Any:",
        "    rows: Any = table.by_id",
        *[f"    types: Any = PROTOCOLS[{table.target!r}].named"] * asks_types,
        *bound,
    ]
    function = next(found[1] for found in map(_ANY_FUNCTION.match, lines) if found)
    return head, [*(f"    {line}" if line else "" for line in _typed(lines, known, places)), f"    return {function}"]


def _import(found: Any, own: str, name: str) -> str:
    return f"from {found.__module__} import {own}" + (f" as {name}" if name != own else "")


_IMPORTS = {
    "NAMES": {f"from {_ROOM}.engine.runtime import NAMES"},
    "CONDITIONS": {f"from {_ROOM}.words import CONDITIONS"},
    "TRANSFORMS": {f"from {_ROOM}.words import TRANSFORMS"},
    "types": {f"from {_ROOM}.protocols import PROTOCOLS"},
    "replace": {"from dataclasses import replace"},
}
"""The imports for the first names of `_finding`."""


def _finding(compiler: Compiler, name: str, value: object) -> tuple[str, set[str]]:
    """Return the expression that finds an object of a function (a row, a word, a check of a type, a set of texts).

    The modules that define a word come with it.
    """
    table, target = compiler.table, compiler.function.target
    if isinstance(value, Rule):
        row = table.row(value.id)
        fields = [name for name, each in Rule.__dataclass_fields__.items() if each.init]
        other = {name: getattr(value, name) for name in fields if getattr(value, name) != getattr(row, name)}
        changes = "".join(f", {field}={new!r}" for field, new in other.items())
        return f"replace(rows[{value.id!r}]{changes})" if other else f"rows[{value.id!r}]", set()
    if isinstance(value, frozenset):
        return f"frozenset({sorted(value)!r})", set()
    if NAMES.get(name) is value:
        return f"NAMES[{name!r}]", set()
    for word in _words(table):
        if word.function == value:
            return f"{'CONDITIONS' if isinstance(word, Condition) else 'TRANSFORMS'}[{word.name!r}].function", set(_homes(word))
    for type_, of_type in target.named.items():
        for check in ("fault", "key_fault"):
            if getattr(of_type, check, None) == value:
                return f"types[{type_!r}].{check}", set()
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


def _typed(lines: list[str], known: dict[str, Any], places: dict[str, str]) -> Iterator[str]:
    """Return the lines with annotated names; `places` has the types of the source's fields."""
    inside, declared = False, set[str]()
    for at, line in enumerate(lines):
        assigned = _ASSIGNED.match(line)
        name, value = assigned.groups() if assigned else ("", "")
        if name in declared:
            yield line
        elif _FUNCTION.match(line):
            inside = True
            yield line.replace("source, environment, notes)", "source: Source, environment: Environment, notes: Notes) -> Any")
        elif at and _FUNCTION.match(lines[at - 1]):  # the docstring
            text = "\n".join(lines[at + 1 :])
            declared = set(_LOCALS.findall(text))
            typed = ["typed: Entry"] if "for typed in " in text else []
            types = _TYPES | ({"value": places["value"]} if "value" in places else {})
            yield "    " + "; ".join([*typed, *(f"{name}: {types.get(name, 'Any')}" for name in sorted(declared))] or ["pass"])
        elif of_type := _TYPE_FUNCTION.match(line):
            kind = places.get(f"{of_type[1]}()", "Any")
            yield line.replace("(value, lost)", f"(value: {kind}, lost: list[Any]) -> tuple[Any, Any, Any]")
        elif line == "renamed_top = {":
            yield "renamed_top: dict[str, tuple[str, str]] = {"
        elif inside and value.startswith("source.") and f"EMPTY_{name}" in known:
            yield f"    {name}: Of_EMPTY_{name} | None = {value}"
            declared.add(name)
        elif inside and assigned:
            kind = _ASSIGNED_TYPES.get(value) or places.get(name, "Any")
            yield f"    {name}: {kind} = {value}"
            declared.add(name)
        else:
            yield line


if __name__ == "__main__":
    sys.exit(write_or_check(FOLDER, "[!_]*.py", modules(), sys.argv[1:]))

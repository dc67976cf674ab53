"""The functions of the shipped tables as modules for mypyc, with the same text as the interpreted ones, line by line.

When the table is loaded, `bind` gets the rows, words and checks that the text names. The module imports classes, and gives the
source's places the types of their fields, since mypyc calls methods of known types directly.
"""

import re
from collections.abc import Iterable, Iterator
from types import FunctionType
from typing import Any

from mqconvert import PROTOCOLS, mappings, rule_tables
from mqconvert.compiled import digest
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.nodes import typed_entries
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.model.places import ENTRIES, SCALAR, TYPED
from mqconvert.converters.printed.printer import Printed

_FUNCTION = re.compile(r"^def (\w+)\(source, environment, notes\):$")
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
_ASSIGNED = re.compile(r"    (\w+) = (None|\[\]|\{\}|0|False|b''|\w+\.\w+)$")
"""Matches the first assignment of a name."""
_ASSIGNED_TYPES = {"[]": "list[Any]", "{}": "dict[Any, Any]", "notes.taken": "list[Any]"}
_ROOM = "mqconvert.converters"
_CALLED = {f"{_ROOM}.{module}" for module in ("engine.runtime", "engine.paths", "model.entries", "model.fields", "model.plain")}
"""Compiled modules whose functions are called directly; a decorated function, as words are, has no such call."""


PROFILES = ("documented", *mappings.overlay_names())


def modules(profiles: Iterable[str] = PROFILES) -> Iterator[tuple[str, str, str, int]]:
    """Yield name, text, function digest and number of head lines of each module, once for tables that profiles share."""
    known: set[str] = set()
    for profile in profiles:
        for table in rule_tables(profile):
            compiler = Compiler(build(table))
            text = Printed(compiler.compile()).stable
            key = digest(text.encode())
            if key not in known:
                known.add(key)
                name = re.sub(r"\W", "_", f"shipped_{profile}_{table.stem}")
                known_names = compiler.names.known | {"way_back": None}
                head, body = _module(table, text, known_names, _locals(compiler, text) | _values(compiler))
                yield name, "\n".join([*head, *body, ""]), key, len(head)


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


def _module(table: RuleTable, text: str, known: dict[str, Any], places: dict[str, str]) -> tuple[list[str], list[str]]:
    """Return the lines before the function's text, and the text line by line, followed by `return`."""
    lines = text.splitlines()
    used = {"Entry", "TypedValue", *re.findall(r"\w+", text)}
    source = PROTOCOLS[table.source].message
    head = [
        f'"""{table.name}, written by make speed."""',
        "from typing import Any",
        f"from {_ROOM}.engine.notes import Notes",
        f"from {_ROOM}.environment import Environment",
        f"from {source.__module__} import {source.__name__} as Source",
    ]
    bound = ["def bind(known: dict[str, Any]) -> Any:"]
    for name, value in known.items():
        if name not in used or name == "Notes":
            continue
        own = getattr(value, "__qualname__", "")
        if isinstance(value, type) and value.__module__.startswith(_ROOM):
            head.append(f"from {value.__module__} import {value.__name__} as {name}")
        elif isinstance(value, FunctionType) and value.__module__ in _CALLED and own.isidentifier():
            head.append(f"from {value.__module__} import {own} as {name}")
        elif name.startswith("EMPTY_"):
            of = type(value)
            head.append(f"from {of.__module__} import {of.__name__} as Of_{name}")
            bound.append(f"    {name}: Of_{name} = known[{name!r}]")
        else:
            bound.append(f"    {name}: Any = known[{name!r}]")
    body = [f"    {line}" if line else "" for line in _typed(lines, known, places)]
    function = next(found[1] for found in map(_FUNCTION.match, lines) if found)
    return head + bound, [*body, f"    return {function}"]


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

"""The types of the variables of printed functions, for a compiler: by their names, and by what is assigned to them first."""

from collections.abc import Collection, Iterator, Sequence

from mqconvert.converters.engine.nodes import Function, kind_of
from mqconvert.converters.model.places import ENTRIES, SCALAR, TYPED, Place
from mqconvert.converters.printed.nodes import Assign, Expression, For, Name, Named, Statement, nodes_in, targets
from mqconvert.converters.printed.templates import code
from mqconvert.converters.words.phrases import HANDED

_BY_TYPE = {
    "i64": ("at", "end", "after", "value_at", "size", "count", "stop", "code", "flags", "kind", "last", "start", "place",
            "channel", "tag"),
    "int": ("number", "before", "whole"), "str": ("key", "type_", "text", HANDED), "str | None": ("as_", "by", "fault"),
    "bytes": ("raw", "octets"), "list[Any]": ("lost",), "tuple[str, str]": ("pair",), "tuple[str, str] | None": ("renamed",),
    "Entry": ("typed",), "TypedValue": ("known",), "bool": ("complete",),
}  # fmt: skip
LOCALS = {name: type_ for type_, names in _BY_TYPE.items() for name in names}
"""The types of variables with a name of ours."""
CONTAINERS: dict[Expression | None, str] = {
    code("{}"): "dict[Any, Any]",
    code("[]"): "list[Any]",
    code("set()"): "set[Any]",
    code("Keys()"): "Keys",
    code("Writer()"): "Writer",
    code("notes.taken"): "list[Any]",
}
"""The types of variables by what is assigned to them first."""


def field_type(place: Place, function: Function, kinds: Collection[str], *, always: bool) -> str:
    """Return the type of the variable of a field: as an object unless its values are of one of these `kinds`.

    `always` says that it is never None.
    """
    if place.kind == ENTRIES:
        return "list[Any] | None"
    if place.kind == TYPED:
        return "TypedValue | None"
    kind = kind_of(function.types_at(place)) if place.kind == SCALAR else None
    if kind is None or kind not in kinds:
        return "Any"
    return kind if always else f"{kind} | None"


def set_in(body: Sequence[Statement]) -> Iterator[tuple[str, Expression | None]]:
    """Yield the variables that statements set, with the value of each, the first one last; None for a part of another."""
    for node in nodes_in(*body):  # the last one first
        match node:
            case Named(name):
                yield name, None
            case Assign(Name(name), value):
                yield name, value
            case Assign() | For():
                yield from ((each.id, None) for each in targets(node) if isinstance(each, Name))

"""The `__init__` of dataclasses as text: mypyc compiles it with the class, but would leave that of `dataclasses` to Python.

A class whose decorator or fields ask for more than defaults keeps Python's own, and so does one that others inherit from: mypyc
cannot tell its constructor from theirs.
"""

import ast
from collections.abc import Iterator

_MARKS = {"slots", "eq", "repr", "unsafe_hash"}
"""Arguments of `dataclass` that do not change `__init__`."""
_DEFAULTS = ("default", "default_factory")
_MAKERS = {"wire", "field"}
"""The functions that make a field: `wire` without a default makes one with None."""


def constructors(source: str) -> dict[str, str]:
    """Return the text of the `__init__` of each plain dataclass in a module, by its name.

    >>> print(constructors('''
    ... @dataclass(slots=True)
    ... class Example:
    ...     key: str
    ...     kept: list[int] = field(default_factory=list)
    ...     size: int | None = wire("uint")
    ... ''')["Example"])
    def __init__(self, key, kept=..., size=None) -> None:
        self.key = key
        self.kept = list() if kept is ... else kept
        self.size = size
    """
    classes = [node for node in ast.parse(source).body if isinstance(node, ast.ClassDef)]
    bases = {base.id for class_ in classes for base in class_.bases if isinstance(base, ast.Name)}
    plain = (class_ for class_ in classes if class_.name not in bases)
    return {class_.name: text for class_ in plain if (text := _constructor(class_)) is not None}


def _constructor(class_: ast.ClassDef) -> str | None:
    own = {node.name for node in class_.body if isinstance(node, ast.FunctionDef)}
    if (
        not all(map(_is_generic, class_.bases))
        or own & {"__init__", "__post_init__"}
        or not any(map(_is_plain, class_.decorator_list))
    ):
        return None
    parameters, lines = ["self"], []
    for name, value in _fields(class_):
        made = {"default": value} if value is not None else {}
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in _MAKERS:
            made = {str(each.arg): each.value for each in value.keywords if each.arg in _DEFAULTS}
            if value.func.id == "wire" and not made:
                made = {"default": ast.Constant(None)}
            if any(each.arg in ("init", "kw_only") for each in value.keywords):
                return None
        default, factory = made.get("default"), made.get("default_factory")
        given = "" if default is None else f"={ast.unparse(default)}"
        parameters.append(f"{name}{given if factory is None else '=...'}")
        fresh = "" if factory is None else f"{ast.unparse(factory)}() if {name} is ... else "
        lines.append(f"    self.{name} = {fresh}{name}")
    return "\n".join([f"def __init__({', '.join(parameters)}) -> None:", *lines]) if lines else None


def _is_generic(base: ast.expr) -> bool:
    """Return whether a base class only makes a class generic."""
    return isinstance(base, ast.Subscript) and isinstance(base.value, ast.Name) and base.value.id == "Generic"


def _is_plain(decorator: ast.expr) -> bool:
    """Return whether a decorator is `dataclass`, with no argument but marks."""
    call = decorator.func if isinstance(decorator, ast.Call) else decorator
    marks = {each.arg for each in decorator.keywords} if isinstance(decorator, ast.Call) else set()
    return isinstance(call, ast.Name) and call.id == "dataclass" and marks <= _MARKS


def _fields(class_: ast.ClassDef) -> Iterator[tuple[str, ast.expr | None]]:
    for node in class_.body:
        if isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield node.target.id, node.value

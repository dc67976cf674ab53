"""Make functions of nodes: print them, let them pass the wall, and run the text. The one `exec` of the project."""

import linecache
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mqconvert.converters.printed.nodes import Expression, Function, Name, Return, Statement
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.templates import filled, uses
from mqconvert.converters.printed.wall import BUILTINS, pass_wall


def defined(statements: Sequence[Statement], printed: Printed, known: Mapping[str, Any], filename: str) -> dict[str, Any]:
    """Return the names that statements define. They see the objects in `known`, and of Python a few functions.

    `filename` names the text in tracebacks. RuleTableError for a text that does not pass the wall.
    """
    text = printed.text
    pass_wall(text, statements, known.keys(), filename)
    names = {**known, "__builtins__": BUILTINS, "__name__": __name__}
    exec(compile(text, filename, "exec"), names)  # noqa: S102 - only text that has passed the wall
    return names


def function_of(tree: Expression, known: Mapping[str, Any]) -> Callable[..., Any]:
    """Return the function of an expression with a hole for its value, and perhaps one for a value beside it.

    >>> from mqconvert.converters.printed.templates import template
    >>> function_of(template("{0} + 1"), {})(2)
    3
    """
    names = ("value", "beside") if uses(tree, "1") else ("value",)
    body = filled(tree, {str(at): Name(name) for at, name in enumerate(names)})
    function = Function("word", names, (Return(body),))
    made: Callable[..., Any] = defined([function], Printed([function]), known, "<word>")["word"]
    return made


# ---- texts for tracebacks ----------------------------------------------------------------------------------------------

_SHOWN_AT_ONCE = 512
_shown: dict[str, None] = {}


def show(filename: str, text: str) -> None:
    """Put a text into linecache for tracebacks; only the texts of the last functions are kept."""
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    _shown.pop(filename, None)
    _shown[filename] = None
    while len(_shown) > _SHOWN_AT_ONCE:
        oldest = next(iter(_shown))
        del _shown[oldest]
        linecache.cache.pop(oldest, None)

"""Values of expressions with holes, as generated functions compute them."""

from functools import cache
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.printed.defining import defined
from mqconvert.converters.printed.nodes import Expression, Function, Name, Return
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.templates import filled
from mqconvert.converters.words import Word


def value_of(tree: Expression | None, *arguments: Any) -> Any:
    """Return the value of an expression for the values of its holes."""
    assert tree is not None
    return _function(tree, len(arguments))(*arguments)


def seen(word: Word, value: Any) -> tuple[Any, ...]:
    """Return the arguments of a word for a value: its own, or that of the place that a condition looks at beside it."""
    return (value,) if word.takes == 1 else (None, value)


@cache
def _function(tree: Expression, count: int) -> Any:
    names = [f"argument_{at}" for at in range(count)]
    body = Return(filled(tree, {str(at): Name(name) for at, name in enumerate(names)}))
    function = Function("asked", tuple(names), (body,))
    return defined([function], Printed([function]), runtime.NAMES, "<test>")["asked"]

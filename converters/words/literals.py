"""Words that end in literals: `at-most 4194304`, `one-of record send`, `scale 1000`, `constant true`. What a row compares with
or makes stands in the row, and not in the name of a function.

A maker gets the text behind its name and gives the facts of the word; ValueError says what it should have been.
"""

import json
import re
from typing import Any

from mqconvert.converters.words import condition_maker, transform_maker

_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]{0,19})\Z")


def _number(text: str) -> int:
    if _NUMBER.match(text) is None:
        raise ValueError(f"{text!r} is no whole number")
    return int(text)


def _names(text: str) -> tuple[str, ...]:
    names = tuple(text.split(" "))
    if len(names) < 2 or "" in names:
        raise ValueError("it needs two names or more, with one space between them")
    return names


def _braced(text: str) -> str:
    """An expression as `inline` has it, where a brace stands for an argument."""
    return text.replace("{", "{{").replace("}", "}}")


@condition_maker("at-most")
def at_most(text: str) -> dict[str, Any]:
    """A number, and no more."""
    most = _number(text)
    return {"function": lambda value: bool(value <= most), "inline": f"{{0}} <= {most}"}


@condition_maker("at-least")
def at_least(text: str) -> dict[str, Any]:
    """A number, and no less."""
    least = _number(text)
    return {"function": lambda value: bool(value >= least), "inline": f"{{0}} >= {least}"}


@condition_maker("between")
def between(text: str) -> dict[str, Any]:
    """One of the numbers from the first to the last of two."""
    first, space, last = text.partition(" ")
    if not space:
        raise ValueError("it needs two whole numbers")
    least, most = _number(first), _number(last)
    return {"function": lambda value: bool(least <= value <= most), "inline": f"{least} <= {{0}} <= {most}"}


@condition_maker("is")
def is_number(text: str) -> dict[str, Any]:
    """That number."""
    number = _number(text)
    return {"function": lambda value: bool(value == number), "inline": f"{{0}} == {number}"}


@condition_maker("longer-than")
def longer_than(text: str) -> dict[str, Any]:
    """Text of more characters, or octets of more bytes."""
    most = _number(text)
    return {"function": lambda value: len(value) > most, "inline": f"len({{0}}) > {most}"}


@condition_maker("one-of")
def one_of(text: str) -> dict[str, Any]:
    """One of these texts."""
    names = _names(text)
    return {"function": lambda value: value in names, "inline": f"{{0}} in {_braced(repr(names))}"}


@condition_maker("none-of")
def none_of(text: str) -> dict[str, Any]:
    """None of these texts."""
    names = _names(text)
    return {"function": lambda value: value not in names, "inline": f"{{0}} not in {_braced(repr(names))}"}


@transform_maker("scale")
def scale(text: str) -> dict[str, Any]:
    """A number times another, or, with `1/` before that, by it and rounded down."""
    over = text.startswith("1/")
    by = _number(text.removeprefix("1/"))
    if by < 1:
        raise ValueError("it needs a number above 0")
    if over:
        return {"function": lambda value: value // by, "inline": f"{{0}} // {by}", "gives": "int"}
    return {"function": lambda value: value * by, "inline": f"{{0}} * {by}", "gives": "int"}


@transform_maker("add")
def add(text: str) -> dict[str, Any]:
    """A number and another."""
    more = _number(text)
    return {"function": lambda value: value + more, "inline": f"{{0}} {'-' if more < 0 else '+'} {abs(more)}", "gives": "int"}


@transform_maker("constant")
def constant(text: str) -> dict[str, Any]:
    """Whatever the value is: a number, true, false, or a text in double quotes."""
    made = json.loads(text) if text.startswith('"') else {"true": True, "false": False}.get(text)
    made = _number(text) if made is None else made
    return _always(made, {int: "int", bool: "bool", str: "str"}[type(made)])


@transform_maker("constant-octets")
def constant_octets(text: str) -> dict[str, Any]:
    """Whatever the value is: the bytes of a text in double quotes."""
    made = json.loads(text) if text.startswith('"') else None
    if made is None:
        raise ValueError("it needs a text in double quotes")
    return _always(made.encode(), "bytes")


def _always(made: Any, gives: str) -> dict[str, Any]:
    def always(value: None) -> Any:  # noqa: ARG001 - None, since rows for what is absent may have it too
        return made

    return {"function": always, "inline": _braced(repr(made)), "gives": gives}

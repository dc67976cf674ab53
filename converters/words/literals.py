"""Words that end in literals: `at-most 4194304`, `one-of record send`, `scale 1000`, `constant true`. What a row compares with
or makes stands in the row, and not in the name of a function.

A maker gets the text behind its name and gives the facts of the word; ValueError says what it should have been.
"""

import json
import re
from typing import Any

from mqconvert.converters.words import CONDITIONS, TRANSFORMS, NotMine, Partial, condition_maker, transform_maker
from mqconvert.converters.words.conditions import text_of

_DIGITS = re.compile(r"[+-]?[0-9]+\Z")
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


def _value(text: str) -> Any:
    """A number, true, false, or a text in double quotes."""
    if text.startswith('"'):
        return json.loads(text)
    return {"true": True, "false": False}.get(text) if text in ("true", "false") else _number(text)


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
def is_value(text: str) -> dict[str, Any]:
    """That number, or that name."""
    wanted = text if re.match(r"[A-Za-z]\S*\Z", text) else _value(text)
    return {"function": lambda value: bool(value == wanted), "inline": f"{{0}} == {_braced(repr(wanted))}"}


@condition_maker("number")
def number(text: str) -> dict[str, Any]:
    """Decimal text with an optional sign, in what a short string can hold; not below and not above one or two numbers."""
    bounds = [_number(bound) for bound in text.split(" ")] if text else []
    if len(bounds) > 2:
        raise ValueError("it needs two whole numbers at most")

    def holds(value: Any) -> bool:
        if len(value) > 255:
            return False
        found = value if value.__class__ is str else text_of(value)
        if found is None or _DIGITS.match(found) is None:
            return False
        return not bounds or ((decimal := int(found)) >= bounds[0] and (len(bounds) < 2 or decimal <= bounds[1]))

    facts: dict[str, Any] = {"function": holds, "samples": {"a number": "60000"} if text else {}}
    if not bounds or bounds[0] <= 0 < bounds[-1]:
        # Of fewer digits than the largest number any is within the bounds.
        digits = len(str(bounds[1])) if len(bounds) > 1 else 256
        facts["quick"] = {"str": f"len({{0}}) < {digits} and {{0}}.isascii() and {{0}}.isdecimal()"}
    return facts


@condition_maker("longer-than")
def longer_than(text: str) -> dict[str, Any]:
    """More bytes than that, of text those of its UTF-8."""
    most = _number(text)

    def longer(value: Any) -> bool:
        return len(value if value.__class__ is bytes else value.encode("utf-8", "surrogateescape")) > most

    return {"function": longer, "rare": f"len({{0}}) > {most // 4}"}


@condition_maker("begins")
def begins(text: str) -> dict[str, Any]:
    """Text with that beginning."""
    if not text:
        raise ValueError("it needs the beginning of a text")
    return {"function": lambda value: bool(value.startswith(text)), "inline": f"{{0}}.startswith({_braced(repr(text))})"}


@condition_maker("value-of")
def value_of(text: str) -> dict[str, Any]:
    """An amqp-value body that holds a value of that type."""
    if not re.match(r"[a-z0-9]+\Z", text):
        raise ValueError("it needs a type")
    return {"function": lambda value: bool(value.value.type == text), "inline": f"{{0}}.value.type == {text!r}"}


@condition_maker("one-of")
def one_of(text: str) -> dict[str, Any]:
    """One of these texts."""
    names = _names(text)
    return {"function": lambda value: value in names, "inline": f"{{0}} in {_braced(repr(names))}"}


@condition_maker("fits")
def fits(text: str) -> dict[str, Any]:
    """What is read beside the value can be taken by that transform, as the value says: the value is a type, or a kind."""
    via = TRANSFORMS.get(text)
    if via is None or via.takes != 2:
        raise ValueError(f"{text!r} is no transform of a value and what says how to read it")

    def taken(value: Any, beside: Any) -> bool:
        return beside is not None and not isinstance(via.function(beside, value), NotMine)

    return {"function": taken}


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


@transform_maker("low-bits")
def low_bits(text: str) -> dict[str, Any]:
    """The lowest bits of a number, as RabbitMQ's encoder cuts it."""
    width = _number(text)
    size = 2**width

    def lowest(value: Any) -> int | Partial:
        return int(value) if 0 <= value < size else Partial(value % size, f"more than {width} bits")

    return {"function": lowest, "gives": "int", "loses": True}


@transform_maker("whether")
def whether(text: str) -> dict[str, Any]:
    """True where a condition that looks at the value alone holds, else false."""
    asked = CONDITIONS.get(text)
    if asked is None or asked.takes > 1:
        raise ValueError(f"{text!r} is no condition of a value alone")
    return {"function": lambda value: bool(asked.function(value)), "inline": asked.inline, "gives": "bool"}


_CHOICE = re.compile(r'("(?:[^"\\]|\\.)*"|\S+) ("(?:[^"\\]|\\.)*"|\S+)\Z')


@transform_maker("choose")
def choose(text: str) -> dict[str, Any]:
    """The first of two constants for what is true or not 0, else the second."""
    found = _CHOICE.match(text)
    if found is None:
        raise ValueError("it needs two constants")
    yes, no = map(_value, found.groups())
    if type(yes) is not type(no):
        raise ValueError("its constants are of two kinds")
    fits: tuple[str, ...] = ()
    if all(each.__class__ is int and 0 <= each <= 2 for each in (yes, no)):
        fits = ("octet", "bits")
    elif all(each.__class__ is str and each.isascii() and each.isprintable() and len(each) < 256 for each in (yes, no)):
        fits = ("string", "symbol", "shortstr", "utf8")
    inline = f"{_braced(repr(yes))} if {{0}} else {_braced(repr(no))}"
    gives = type(yes).__name__
    return {"function": lambda value: yes if value else no, "inline": inline, "gives": gives, "fits": frozenset(fits)}


@transform_maker("constant")
def constant(text: str) -> dict[str, Any]:
    """Whatever the value is: a number, true, false, or a text in double quotes."""
    return _constant(_value(text))


@transform_maker("constant-octets")
def constant_octets(text: str) -> dict[str, Any]:
    """Whatever the value is: the bytes of a text in double quotes."""
    if not text.startswith('"'):
        raise ValueError("it needs a text in double quotes")
    return _constant(json.loads(text).encode())


def _constant(made: Any) -> dict[str, Any]:
    def always(value: None) -> Any:  # noqa: ARG001 - None, since rows for what is absent may have it too
        return made

    return {"function": always, "inline": _braced(repr(made)), "gives": type(made).__name__}

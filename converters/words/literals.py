"""Words that end in literals: `at-most 4194304`, `one-of record send`, `scale 1000`, `constant true`. What a row compares with
or makes stands in the row, and not in the name of a function.

A maker gets the text behind its name and gives the facts of the word; ValueError says what it should have been.
"""

import json
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.words import NOT_MINE, TRANSFORMS, NotMine, Transform, condition_maker, kept, transform_maker

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


def _stem(text: str) -> str:
    if not text:
        raise ValueError("it needs a text")
    return text


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
def is_that(text: str) -> dict[str, Any]:
    """That number, or that text."""
    known = _number(text) if _NUMBER.match(text) else _stem(text)
    return {"function": lambda value: bool(value == known), "inline": f"{{0}} == {_braced(repr(known))}"}


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


# ---- texts, bits and numbers ----------------------------------------------------------------------------------------


@condition_maker("contains")
def contains(text: str) -> dict[str, Any]:
    """Text that has this in it."""
    part = _stem(text)
    return {"function": lambda value: part in value, "inline": f"{_braced(repr(part))} in {{0}}"}


@condition_maker("outside")
def outside(text: str) -> dict[str, Any]:
    """A number, or its decimal text, that is none from the first to the last of two."""
    first, _, last = text.partition(" ")
    least, most = _number(first), _number(last)

    def beyond(value: Any) -> bool:
        if value.__class__ is str and _NUMBER.match(value):
            value = int(value)
        return value.__class__ is int and not least <= value <= most

    return {"function": beyond}


@condition_maker("holds")
def holds(text: str) -> dict[str, Any]:
    """An amqp-value body of that type."""
    type_ = _stem(text)
    return {"function": lambda value: bool(value.value.type == type_), "inline": f"{{0}}.value.type == {_braced(repr(type_))}"}


@transform_maker("lacks-prefix")
def lacks_prefix(text: str) -> dict[str, Any]:
    """False where a text begins with this, else true."""
    stem = _stem(text)
    return {
        "function": lambda value: not value.startswith(stem), "inline": f"not {{0}}.startswith({_braced(repr(stem))})", "gives": "bool"
    }  # fmt: skip


@transform_maker("lacks-suffix")
def lacks_suffix(text: str) -> dict[str, Any]:
    """False where a text ends with this, else true."""
    stem = _stem(text)
    return {
        "function": lambda value: not value.endswith(stem), "inline": f"not {{0}}.endswith({_braced(repr(stem))})", "gives": "bool"
    }  # fmt: skip


@transform_maker("joined-by")
def joined_by(text: str) -> dict[str, Any]:
    """Texts with this between them; where one of them has it inside, they are for the next row."""
    mark = _stem(text)

    def joined(value: list[str]) -> str | NotMine:
        return NOT_MINE if any(mark in part for part in value) else mark.join(value)

    return {"function": joined, "gives": "str", "passes": True}


@transform_maker("split-by")
def split_by(text: str) -> dict[str, Any]:
    """The texts that have this between them."""
    mark = _stem(text)
    return {"function": lambda value: value.split(mark), "gives": "list"}


@transform_maker("listed")
def listed(text: str) -> dict[str, Any]:
    """Values as a list of that type."""
    type_ = _stem(text)
    return {"function": lambda value: [TypedValue(type_, each) for each in value], "gives": "list"}


@transform_maker("unlisted")
def unlisted(text: str) -> dict[str, Any]:
    """The values of a list of that type, at least one; of another list, and of a map's pairs, for the next row."""
    type_ = _stem(text)

    def values(value: Any) -> list[Any] | NotMine:
        typed = value.__class__ is list and all(each.__class__ is TypedValue and each.type == type_ for each in value)
        return [each.value for each in value] if typed and value else NOT_MINE

    return {"function": values, "gives": "list", "passes": True}


# ---- what is read beside the value ----------------------------------------------------------------------------------


def _plain(beside: Any) -> Any:
    return beside.value if beside.__class__ is TypedValue else beside


@condition_maker("beside-is")
def beside_is(text: str) -> dict[str, Any]:
    """What is read beside the value is this: a text in double quotes (as a string, where it has a type), true, or false."""
    known = json.loads(text) if text.startswith('"') else {"true": True, "false": False}.get(text)
    if known is None:
        raise ValueError("it needs a text in double quotes, true, or false")

    def same(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
        if beside.__class__ is TypedValue and known.__class__ is str and beside.type != "string":
            return False
        plain = _plain(beside)
        return plain.__class__ is known.__class__ and bool(plain == known)

    return {"function": same}


@condition_maker("beside-of")
def beside_of(text: str) -> dict[str, Any]:
    """The text that is read beside the value is one of these, or the only one."""
    names = frozenset(_stem(text).split(" "))

    def found(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
        plain = _plain(beside)
        return plain.__class__ is str and plain in names

    return {"function": found}


@condition_maker("beside-begins")
def beside_begins(text: str) -> dict[str, Any]:
    """A text is read beside the value, and begins with this."""
    stem = _stem(text)
    return {"function": lambda value, beside: beside is not None and beside.startswith(stem)}  # noqa: ARG005 - as above


@condition_maker("as-beside")
def as_beside(text: str) -> dict[str, Any]:
    """The value is the number that stands behind the text that is read beside it: `as-beside send=1 dispatch=3`."""
    pairs = [pair.partition("=") for pair in _stem(text).split(" ")]
    numbers = {name: _number(number) for name, _, number in pairs}
    return {"function": lambda value, beside: beside is not None and bool(numbers.get(beside) == value)}


# ---- keys -----------------------------------------------------------------------------------------------------------


def keys_like(patterns: list[str]) -> Callable[[Any], bool | None]:
    """Whether the first of the patterns that a key is like has no `!` before it; None of a key that is like none, or no text."""
    exact: dict[str, bool] = {}
    stems: dict[str, bool] = {}
    for pattern in patterns:
        plain, wanted = pattern.removeprefix("!"), not pattern.startswith("!")
        before = plain.startswith(tuple(stems))
        if plain.endswith("*") and not before:
            stems[plain[:-1]] = wanted
        elif not before:
            exact.setdefault(plain, wanted)
    beginnings = tuple(stems)

    def like(key: Any) -> bool | None:
        if key.__class__ is not str:
            return None
        found = exact.get(key)
        if found is None and key.startswith(beginnings):
            return next(wanted for stem, wanted in stems.items() if key.startswith(stem))
        return found

    return like


@condition_maker("key-like")
def key_like(text: str) -> dict[str, Any]:
    """The key that is read beside the value is a text like one of these: the first that fits decides, and with `!` says no."""
    like = keys_like(_stem(text).split(" "))
    return {"function": lambda value, key: like(key) is True}  # noqa: ARG005 - conditions get the value first


@condition_maker("no-room")
def no_room(text: str) -> dict[str, Any]:
    """The frame that the caller asks for has no room for a key: `no-room send k x-* | record y`."""
    frames = [part.split(" ") for part in _stem(text).split(" | ")]
    kinds = {frame: keys_like(patterns) for frame, *patterns in frames}

    def lacks(value: Any, key: Any, frame: Any) -> bool:  # noqa: ARG001 - conditions get the value first
        return frame in kinds and kinds[frame](key) is True

    return {"function": lacks}


# ---- what transforms make of a value, or of what stands beside it -------------------------------------------------------


def _transform(name: str) -> Transform:
    known = TRANSFORMS.get(name)
    if known is None:
        raise ValueError(f"unknown transform {name!r}{TRANSFORMS.fault(name)}")
    return known  # type: ignore[no-any-return]  # of Words.get


@condition_maker("makes")
def makes(text: str) -> dict[str, Any]:
    """That transform can take the value, with what it reads."""
    via = _transform(text).function

    @wraps(via)
    def takes(*arguments: Any) -> bool:
        return not isinstance(via(*arguments), NotMine)

    return {"function": takes}


@condition_maker("fits")
def fits(text: str) -> dict[str, Any]:
    """That transform can take what is read beside the value by what the value says of it: a type, a kind of body."""
    via = _transform(text).function
    return {"function": lambda value, beside: beside is not None and not isinstance(via(beside, value), NotMine)}


def _of_beside(via: Transform, beside: Any) -> Any:
    """What a transform makes of a value that is read beside a row's own; one without a type of its own is a string."""
    given = [beside.value, beside.type] if beside.__class__ is TypedValue else [beside, "string"]
    return via.function(*given[: via.takes])


@condition_maker("beside-makes")
def beside_makes(text: str) -> dict[str, Any]:
    """That transform can take what is read beside the value, which is there."""
    via = _transform(text)

    def takes(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
        return beside is not None and not isinstance(_of_beside(via, beside), NotMine)

    return {"function": takes}


@condition_maker("made-by")
def made_by(text: str) -> dict[str, Any]:
    """The value, false where there is none, is what two transforms, one after the other, make of the first that is read beside
    it, is not empty, and can be taken: `made-by A then B`. With `else true` that is true where there is none.
    """
    names, otherwise, default = text.partition(" else ")
    first, _, second = names.partition(" then ")
    reader, then = _transform(first), _transform(second)
    if otherwise and default != "true":
        raise ValueError("else true, or nothing")

    def same(value: Any, *beside: Any) -> bool:
        read = (kept(_of_beside(reader, each)) for each in beside if each is not None and each != "")
        found = next((each for each in read if each is not None), None)
        made = then.function(found) if found is not None else True if otherwise else None
        return made is not None and bool((False if value is None else value) == made)

    return {"function": same}

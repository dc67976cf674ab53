"""Words that end in literals: `at-most 4194304`, `one-of record send`, `scale 1000`, `constant true`.

Readers of literals, and makers, raise ValueError with the expected form.
"""

import re
from functools import partial
from math import prod
from typing import TYPE_CHECKING, Any

from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.words import CONDITIONS, TEXTS, TRANSFORMS, transform, tree
from mqconvert.converters.words.answers import NOT_MINE, NotMine, Partial
from mqconvert.converters.words.scanning import QUOTES, literal_of, literals, words_of

if TYPE_CHECKING:
    from mqconvert.converters.printed.nodes import Expression

_DIGITS = re.compile(r"[+-]?[0-9]+\Z")
DECIMAL = re.compile(r"(?:0|-?[1-9][0-9]{0,19})\Z")
_BITS = re.compile(r"0x[0-9A-F]{1,16}\Z")
INLINED = 10
"""Maximum calls that one word writes into a function."""


def whole_number(text: str) -> int:
    """Return a decimal number, or for bits a hexadecimal one such as 0x1F."""
    if not (DECIMAL.match(text) or _BITS.match(text)):
        raise ValueError(f"{text!r} is not a whole number")
    return int(text, 0)


def _names(text: str) -> tuple[str, ...]:
    names = literals(text)
    if len(names) < 2:
        raise ValueError("it needs two names or more, with one space between them")
    if comma := next((word for word in words_of(text) if word.endswith(",")), None):
        raise ValueError(f'its names have one space between them and no comma (a name with one is "{comma}")')
    return tuple(names)


def _value(text: str) -> object:
    """Return a number, true, false, a text in double quotes, or with `b` before it the bytes of that text."""
    if text.startswith(QUOTES):
        return literal_of(text)
    return text == "true" if text in ("true", "false") else whole_number(text)


def _named(text: str) -> object:
    """Return the same, or a name."""
    return text if re.match(r"[A-Za-z][^\s\"]*\Z", text) and not text.startswith(QUOTES) else _value(text)


def some_text(text: str) -> object:
    """Return a text, which may stand in double quotes, with `b` before them as bytes."""
    if not text:
        raise ValueError("it needs a text")
    if " " in text and not text.startswith(QUOTES):
        raise ValueError("a text with a space stands in double quotes")
    return literal_of(text)


def _octets(literal: Any) -> Any:
    """Return the UTF-8 bytes of a literal text, or of each text; None for another literal.

    Values of bytes are often text, such as the long strings of AMQP 0.9.1.
    """
    try:
        if literal.__class__ is tuple:
            return tuple(text.encode("utf-8", "surrogateescape") for text in literal)
        return literal.encode("utf-8", "surrogateescape") if literal.__class__ is str else None
    except UnicodeEncodeError:
        return None  # no bytes are this text


CONDITIONS.expression("at-most", "{0} <= {literal}", "Match a number up to this one.", whole_number)
CONDITIONS.expression("at-least", "{0} >= {literal}", "Match a number from this one on.", whole_number)
CONDITIONS.others = {
    **dict.fromkeys(("equals", "equal", "eq", "==", "="), "is"),
    **dict.fromkeys(("starts-with", "startswith", "prefix", "beginswith", "begins-with"), "begins"),
    **dict.fromkeys(("ends-with", "endswith", "suffix"), "ends"),
    **dict.fromkeys(("includes", "has"), "contains"),
    **dict.fromkeys(("in", "any-of"), "one-of"),
    **dict.fromkeys(("<=", "max", "less-than"), "at-most"),
    **dict.fromkeys((">=", "min", "greater-than"), "at-least"),
}
CONDITIONS.columns = {
    **dict.fromkeys(("absent", "unset", "missing", "null"), 'a row for an unset field has `type = "absent"`'),
    **dict.fromkeys(("present", "exists", "set"), "rows apply to fields that are set, without a condition"),
}

# These match bytes, too, by the UTF-8 bytes of the text.
CONDITIONS.expression("is", "{0} == {literal}", "Match this name or constant.", _named, octets=_octets)
CONDITIONS.expression("one-of", "{0} in {literal}", "Match one of these names.", _names, octets=_octets)
CONDITIONS.expression("begins", "{0}.startswith({literal})", "Match text that begins so.", some_text, octets=_octets)
CONDITIONS.expression("ends", "{0}.endswith({literal})", "Match text that ends so.", some_text, octets=_octets)
CONDITIONS.expression("contains", "{literal} in {0}", "Match text that contains this one.", some_text, octets=_octets)
TRANSFORMS.expression("add", "{0} + {literal}", "Add a number.", whole_number, gives="int")
TRANSFORMS.expression("split-by", "{0}.split({literal})", "Split a text.", some_text, gives="list")


@CONDITIONS.maker("beside-is")
def beside_is(text: str) -> dict[str, object]:
    """Match this name or constant in the field or entry that the row reads; bytes by the UTF-8 bytes of the text.

    >>> asked = CONDITIONS["beside-is acme"].function
    >>> asked(1, "acme"), asked(1, Entry("tenant", "longstr", b"acme")), asked(1, None)
    (True, True, False)
    """
    wanted = _named(text)
    of_bytes = wanted if (made := _octets(wanted)) is None else made

    def holds(_value: object, beside: Any) -> bool:
        held = beside.value if beside.__class__ is Entry or beside.__class__ is TypedValue else beside
        return bool(held == (of_bytes if held.__class__ is bytes else wanted))

    form = "{1} == {literal}"
    return {"function": holds, "inline": tree(form, literal=wanted), "octets": tree(form, literal=of_bytes), "asks": 1}


@CONDITIONS.maker("number")
def number(text: str) -> dict[str, object]:
    """Match decimal text of at most 255 characters with an optional sign; the literals are one or two bounds."""
    bounds = [whole_number(bound) for bound in text.split(" ")] if text else []
    if len(bounds) > 2:
        raise ValueError("it needs two whole numbers at most")

    def holds(value: Any) -> bool:
        if len(value) > 255:
            return False
        found = value if value.__class__ is str else text_of(value)
        if found is None or _DIGITS.match(found) is None:
            return False
        return not bounds or ((decimal := int(found)) >= bounds[0] and (len(bounds) < 2 or decimal <= bounds[1]))

    facts: dict[str, object] = {"function": holds, "samples": {"a number": "60000"} if text else {}}
    if not bounds or bounds[0] <= 0 < bounds[-1]:
        # With fewer digits than the largest number, any number is within the bounds.
        digits = len(str(bounds[1])) if len(bounds) > 1 else 256
        facts["quick"] = {"str": tree("len({0}) < {digits} and {0}.isascii() and {0}.isdecimal()", digits=digits)}
    return facts


@CONDITIONS.maker("longer-than")
def longer_than(text: str) -> dict[str, object]:
    """Match more bytes than the literal; text counts in UTF-8."""
    most = whole_number(text)

    def longer(value: Any) -> bool:
        return len(value if value.__class__ is bytes else value.encode("utf-8", "surrogateescape")) > most

    return {"function": longer, "rare": tree("len({0}) > {most}", most=most // 4)}


@TRANSFORMS.maker("replaced")
def replaced(text: str) -> dict[str, object]:
    """Replace each occurrence of a text by another, and so on for more pairs: `replaced / . + *`."""
    names = _names(text)
    if len(names) % 2:
        raise ValueError("it needs pairs of texts")
    pairs = list(zip(names[::2], names[1::2], strict=True))

    def made(value: str) -> str:
        for old, new in pairs:
            value = value.replace(old, new)
        return value

    def inlined() -> "Expression":
        from mqconvert.converters.printed.nodes import Hole, literal  # noqa: PLC0415 - see words/__init__.py
        from mqconvert.converters.printed.templates import code  # noqa: PLC0415 - the same

        inner: Expression = Hole("0")
        for pair in pairs:
            inner = code("{0}.replace({1}, {2})", inner, *map(literal, pair))
        return inner

    grows = prod(max(1, -(-len(new) // len(old))) for old, new in pairs if old)
    return {"function": made, "inline": inlined if len(pairs) <= INLINED else None, "gives": "str", "grows": grows}


@TRANSFORMS.maker("scale")
def scale(text: str) -> dict[str, object]:
    """Multiply a number, or with `1/` divide it and round down."""
    over = text.startswith("1/")
    by = whole_number(text.removeprefix("1/"))
    if by < 1:
        raise ValueError("it needs a number above 0")
    return {"inline": tree("{0} // {by}" if over else "{0} * {by}", by=by), "gives": "int"}


def _width(text: str) -> int:
    """Return a number of bits; wider numbers do not occur."""
    if not 1 <= (width := whole_number(text)) <= 64:
        raise ValueError("it needs a number from 1 to 64")
    return width


@transform("low-bits", _width, gives="int", loses=True)
def low_bits(width: int, value: Any) -> int | Partial:
    """Keep the lowest bits of a number, as RabbitMQ's encoder does."""
    return int(value) if 0 <= value < 2**width else Partial(value % 2**width, f"more than {width} bits")


@TRANSFORMS.maker("whether")
def whether(text: str) -> dict[str, object]:
    """Return whether a condition of the value alone holds."""
    asked = CONDITIONS.known(text)
    if asked.takes > 1:
        raise ValueError(f"{text!r} is not a condition of one value")
    return {
        "function": lambda value: bool(asked.function(value)),
        "inline": lambda: asked.inline,
        "octets": lambda: asked.octets,
        "gives": "bool",
    }


_CHOICE = re.compile(r'("(?:[^"\\]|\\.)*+"|\S+) ("(?:[^"\\]|\\.)*+"|\S+)\Z', re.DOTALL)


@TRANSFORMS.maker("choose")
def choose(text: str) -> dict[str, object]:
    """Return the first of two constants for true and numbers but 0, else the second."""
    found = _CHOICE.match(text)
    if found is None:
        raise ValueError("it needs two constants")
    yes, no = map(_value, found.groups())
    if type(yes) is not type(no):
        raise ValueError("its constants are of two kinds")
    return {
        "inline": tree("{yes} if {0} else {no}", yes=yes, no=no),
        "gives": type(yes).__name__,
        "fits": _fitting(yes, no),
    }


def _fitting(*constants: Any) -> tuple[str, ...]:
    """Return wire types that hold each of these constants."""
    if all(each.__class__ is int and 0 <= each <= 2 for each in constants):
        return ("octet", "bits")
    texts = all(each.__class__ is str and each.isascii() and each.isprintable() and len(each) < 256 for each in constants)
    return TEXTS if texts else ()


@TRANSFORMS.maker("constant")
def constant(text: str) -> dict[str, object]:
    """Return a constant for any value: a number, true, false, a text in double quotes, or the bytes of one: `constant b"a"`."""
    made = _value(text)

    def always(value: None) -> object:  # noqa: ARG001 - rows for an absent value call it with None
        return made

    return {"function": always, "inline": tree("{made}", made=made), "gives": type(made).__name__, "fits": _fitting(made)}


@CONDITIONS.maker("outside")
def outside(text: str) -> dict[str, object]:
    """Match a number, or its decimal text, outside of two bounds; after one literal, the row reads the upper bound.

    >>> CONDITIONS["outside 0 255"].function("256"), CONDITIONS["outside 0"].function(5, 3600000)
    (True, False)
    """
    least, *most = (whole_number(bound) for bound in text.split(" "))
    if len(most) > 1:
        raise ValueError("it needs one or two whole numbers")
    if most:
        return {"function": partial(_outside, least, most[0])}
    return {"function": lambda value, most: _outside(least, most, value)}


def _outside(least: int, most: int, value: object) -> bool:
    if value.__class__ is str and DECIMAL.match(value):
        value = int(value)
    return value.__class__ is int and not least <= value <= most


@transform("joined-by", some_text, gives="str", passes=True)
def joined_by(mark: str, value: list[str]) -> str | NotMine:
    """Join texts with a separator; texts that contain it pass to the next row."""
    return NOT_MINE if any(mark in part for part in value) else mark.join(value)

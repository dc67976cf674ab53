"""The text of a generated function, line by line, and the objects that its names stand for.

A call costs more than what most words do. So the tables below say what is written out in place of one: INLINE, the very
expression that a word's function returns; UTF8, an expression for text that is known to be valid; QUICK, a test that ordinary
values pass, beside the call for all others; RARE, a test that ordinary values do not pass, before the call. Their tests may
be joined by `and`, but by nothing else.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.values import WireType

QUICK = {
    "string": "{0}.isascii()",
    "symbol": "{0}.isascii()",
    "shortstr": "len({0}) < 256 and {0}.isascii() and '\\0' not in {0}",
    "utf8": "len({0}) < 65536 and {0}.isascii() and '\\0' not in {0}",
    "uint": "0 <= {0} <= 4294967295",
    "unsignedint": "0 <= {0} <= 4294967295",
    "timestamp": "0 <= {0} <= 9223372036854775807",
    "ushort": "0 <= {0} <= 65535",
    "ubyte": "0 <= {0} <= 255",
    "octet": "0 <= {0} <= 255",
}
"""By target type, an expression that is true for the values that nearly every message carries, and only for values that fit:
it spares them the call of the type's `fault`."""

QUICK_CONDITIONS = {
    ("shortstr", "str"): QUICK["shortstr"],
    ("shortstr", "bytes"): "len({0}) < 256 and {0}.isascii() and 0 not in {0}",
    ("number", "str"): "len({0}) < 256 and {0}.isascii() and {0}.isdecimal()",
    ("one-section", "body"): "{0}.__class__ is Data and len({0}.sections) == 1",
}
"""By condition and kind, an expression that is true for the values that nearly every message carries, and only where the
condition is: it spares them the call."""

RARE_CONDITIONS = {
    "format-set-utf8": "{1} == 1",
    "says-text": "{0} == 1",
    "urn-uuid": "len({0}) == 45",
}
"""By condition, an expression that is false for the values that nearly every message carries, and only where the condition
is: it spares them the call."""

INLINE_CONDITIONS = {
    "ascii": "{0}.isascii()",
    "finite": "isfinite({0})",
}
INLINE_TRANSFORMS = {
    "boolean-text": "'true' if {0} else 'false'",
    "delivery-mode-to-durable": "{0} == 2",
    "delivery-mode-to-qos": "1 if {0} == 2 else 0",
    "durable-to-delivery-mode": "2 if {0} else 1",
    "durable-to-qos": "1 if {0} else 0",
    "first-section": "{0}.sections[0]",
    "from-decimal": "int({0})",
    "one-data": "Data([{0}])",
    "qos-to-delivery-mode": "2 if {0} else 1",
    "qos-to-durable": "{0} > 0",
    "seconds-to-milliseconds": "{0} * 1000",
    "seconds-to-milliseconds-text": "str({0} * 1000)",
    "to-decimal": "str({0})",
    "topic-to-routing-key-octets": "{0}.replace('/', '.').replace('+', '*').encode('utf-8', 'surrogateescape')",
}
"""By word, the expression that its function returns (a test compares them): written out in place of a call."""

QUICK_TRANSFORMS = {
    "milliseconds-to-unsigned-seconds": ("{0} >= 0 and {0} % 1000 == 0", "{0} // 1000"),
    "seconds-to-signed-milliseconds": ("{0} < 9223372036854775", "{0} * 1000"),
    "octets": ("{0}.isascii()", "{0}.encode()"),
    "text": ("{0}.isascii()", "{0}.decode()"),
}
"""By transform, an expression that is true for the values that nearly every message carries, and what is made of those: it
spares them the call."""

UTF8_TRANSFORMS = {
    "octets": "{0}.encode()",
    "topic-to-routing-key-octets": "{0}.replace('/', '.').replace('+', '*').encode()",
}
"""By transform, what it makes of text of which the type says that it is valid UTF-8: all but short strings (PEP 383)."""

PYTHON_CLASSES = ("str", "bytes", "int", "bool", "float", "list")
"""The kinds that are the names of the classes of their values."""


class FunctionText:
    """Lines at their depth, and the names they use: conditions, transforms, rows, checks of the target's types."""

    def __init__(self, types: Mapping[str, WireType]) -> None:
        self.types = types
        self.lines: list[str] = []
        self.names: dict[str, Any] = dict(runtime.NAMES)

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def name(self, prefix: str, word: str, value: Any) -> str:
        name = f"{prefix}_{word}".replace("-", "_").replace(".", "_").replace("+", "_")
        self.names[name] = value
        return name

    def row(self, rule: Rule) -> str:
        return self.name("row", rule.id, rule)

    def condition(self, word: str, kind: str | None, arguments: list[str]) -> str:
        """The test of a `when` for a value of that kind: the function's own expression where there is one, else the call."""
        if word in INLINE_CONDITIONS:
            return INLINE_CONDITIONS[word].format(*arguments)
        called = f"{self.name('when', word, CONDITIONS[word])}({', '.join(arguments)})"
        if word in RARE_CONDITIONS:
            return f"{RARE_CONDITIONS[word].format(*arguments)} and {called}"
        quick = QUICK_CONDITIONS.get((word, str(kind)))
        return called if quick is None else f"({quick.format(*arguments)} or {called})"

    def transformed(self, word: str, arguments: list[str], *, utf8: bool = False) -> str:
        """The expression of a `via`: the function's own where there is one, else the call; of `utf8` that for valid text."""
        if utf8 and word in UTF8_TRANSFORMS:
            return UTF8_TRANSFORMS[word].format(*arguments)
        if word in INLINE_TRANSFORMS:
            return INLINE_TRANSFORMS[word].format(*arguments)
        called = f"{self.name('via', word, TRANSFORMS[word].function)}({', '.join(arguments)})"
        if word not in QUICK_TRANSFORMS:
            return called
        test, made = QUICK_TRANSFORMS[word]
        return f"({made.format(*arguments)} if {test.format(*arguments)} else {called})"

    def check(
        self, depth: int, type_: str, made: str, fault: Callable[[Any], str | None] | None = None, also: str = ""
    ) -> None:
        """Say `if` with a test that is true where `made` does not fit; the name `fault` then says why."""
        name = self.name("key_fault", type_, fault) if fault else self.name("fault", type_, self.types[type_].fault)
        quick = QUICK.get(type_)
        test = f"(fault := {name}({made})) is not None"
        self.say(depth, f"if not ({also}{quick.format(made)}) and {test}:" if quick else f"if {test}:")


def begins(name: str, stem: str) -> str:
    """The test whether a text begins with `stem`, by two comparisons where that can be: neither a call nor a new text.

    >>> begins("key", "x-")
    "'x-' <= key < 'x.'"
    """
    if ord(stem[-1]) == sys.maxunicode:
        return f"{name}.startswith({stem!r})"
    return f"{stem!r} <= {name} < {stem[:-1] + chr(ord(stem[-1]) + 1)!r}"


def answered_else(gives: str, *, may_pass: bool = False) -> str:
    """The test for a transform's answer that is no value of the kind that it gives: a loss, or "not mine" where it `may_pass`.

    >>> answered_else("str")
    'made.__class__ is not str'
    """
    if gives in PYTHON_CLASSES:
        return f"made.__class__ is not {gives}"
    return "made.__class__ is Partial or made.__class__ is Loss" + " or made is NOT_MINE" * may_pass

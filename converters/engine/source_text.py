"""The text of a generated function, line by line, and the objects that its names stand for.

What is written out in place of a call stands with the words (converters/words/__init__.py) and, for the checks of wire types,
in QUICK.
"""

import re
import sys
from collections.abc import Callable, Mapping
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.values import WireType
from mqconvert.converters.words import Word

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

_LONGEST_NAME = 60
"""Characters of a word with literals that stand in the name of its function."""

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

    def word(self, prefix: str, word: Word) -> str:
        """The name of a word's function; literals behind the word's name become a part of it, where they are short."""
        if " " not in word.name:
            return self.name(prefix, word.name, word.function)
        name = re.sub(r"\W+", "_", word.name[:_LONGEST_NAME])
        while self.names.get(f"{prefix}_{name}", word.function) is not word.function:
            name += "_"
        return self.name(prefix, name, word.function)

    def row(self, rule: Rule) -> str:
        return self.name("row", rule.id, rule)

    def condition(self, word: str, kind: str | None, arguments: list[str]) -> str:
        """The test of a `when` for a value of that kind: the function's own expression where there is one, else the call."""
        known = CONDITIONS[word]
        if known.form:
            kind = None if known.form == "at" else kind
            tests = [
                self.condition(part.name, kind, [arguments[place] for place in known.places] or arguments)
                for part in known.parts
            ]
            return f"not ({tests[0]})" if known.form == "not" else " and ".join(tests)
        arguments = arguments[: known.takes]
        if known.inline is not None:
            return known.inline.format(*arguments)
        called = f"{self.word('when', known)}({', '.join(arguments)})"
        if known.rare is not None:
            return f"{known.rare.format(*arguments)} and {called}"
        quick = known.quick.get(str(kind))
        return called if quick is None else f"({quick.format(*arguments)} or {called})"

    def transformed(self, word: str, arguments: list[str], *, utf8: bool = False) -> str:
        """The expression of a `via`: the function's own where there is one, else the call; of `utf8` that for valid text."""
        known = TRANSFORMS[word]
        if utf8 and known.utf8 is not None:
            return known.utf8.format(*arguments)
        if known.inline is not None:
            return known.inline.format(*arguments)
        called = f"{self.word('via', known)}({', '.join(arguments)})"
        if known.quick is None:
            return called
        test, made = known.quick
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

"""The text of a generated function: its lines and blocks, their printer, and the objects that its names mean.

Inlined expressions are defined with the words (converters/words/__init__.py) and the wire types.
"""

import re
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.wiretypes import WireType, WireTypes
from mqconvert.converters.words import Condition, Transform

PYTHON_CLASSES = ("str", "bytes", "int", "bool", "float", "list")
"""The kinds that are the names of the classes of their values."""


@dataclass(slots=True)
class Block:
    """Lines below a head that ends in a colon and a comment with their row."""

    head: str
    body: "Sequence[Line]"
    row: Rule | None = None


Line = str | Rule | Block
"""What the printer writes: a line, a row (as a comment of its id and place), or a block."""
Lines = list[Line]


def printed(lines: Sequence[Line], depth: int = 0) -> Iterator[str]:
    """Yield the text of lines, each at its depth.

    >>> list(printed([Block("if here:", ["there = 1"])]))
    ['if here:', '    there = 1']
    """
    margin = "    " * depth
    for line in lines:
        if isinstance(line, Rule):
            yield f"{margin}# {line.id}, {line.where}"
        elif isinstance(line, Block):
            yield margin + line.head + (f"  # {line.row.id}, {line.row.where}" if line.row is not None else "")
            yield from printed(line.body, depth + 1)
        else:
            yield margin + line


def otherwise(lines: Sequence[Line]) -> Lines:
    """Return the blocks behind `if` for the other cases: further tests, or `else`; no block for no lines.

    >>> list(printed(otherwise([Block("if here:", ["there = 1"])])))
    ['elif here:', '    there = 1']
    """
    first, *others = lines or [""]
    if isinstance(first, Block) and first.head.startswith("if "):
        branches = [line for line in others if isinstance(line, Block) and line.head.startswith(("elif ", "else:"))]
        if branches == others:
            return [Block("el" + first.head, first.body, first.row), *branches]
    if isinstance(first, Rule):
        return [Block("else:", others, first)]
    return [Block("else:", lines)] if lines else []


def either(test: str, then: Sequence[Line], rest: Sequence[Line]) -> Lines:
    """Return `then` where the test holds, else `rest`."""
    return [Block(f"if {test}:", then), *otherwise(rest)]


def mentions(lines: Sequence[Line], name: str) -> bool:
    """Return whether some line has the name in it."""
    return any(re.search(rf"\b{name}\b", line) for line in printed(lines))


def joined(tests: Sequence[str]) -> str:
    """Return one test of several.

    >>> joined(["a or b"]), joined(["a or b", "c"])
    ('a or b', '(a or b) and c')
    """
    return " and ".join(f"({test})" if " or " in test and len(tests) > 1 else test for test in tests)


_LONGEST = 60
"""Characters of a word with literals that stand in the name of its function."""


class Names:
    """The objects behind the names of a generated function, and the expressions that use those names."""

    def __init__(self, types: WireTypes) -> None:
        self.types = types
        self.known: dict[str, Any] = dict(runtime.NAMES)

    def name(self, prefix: str, word: str, value: Any) -> str:
        """Return the name of an object, with the beginning of a long one; two that would have one name get two."""
        name = re.sub(r"\W+", "_", f"{prefix}_{word[:_LONGEST]}")
        while self.known.setdefault(name, value) != value:
            name += "_"
        return name

    def row(self, rule: Rule) -> str:
        return self.name("row", rule.id, rule)

    def condition(self, word: Condition, kind: str | None, arguments: list[str]) -> str:
        """Return the test of a `when` for a value of that kind: the function's expression where there is one, else the call."""
        if word.form:
            asked = [arguments[place] for place in word.places] or arguments
            tests = [self.condition(part, None if word.form == "at" else kind, asked) for part in word.parts]
            return f"not ({tests[0]})" if word.form == "not" else joined(tests)
        arguments = arguments[: word.takes]
        if word.inline is not None:
            return word.inline.format(*arguments)
        called = f"{self.name('when', word.name, word.function)}({', '.join(arguments)})"
        if word.rare is not None:
            return f"{word.rare.format(*arguments)} and {called}"
        quick = word.quick.get(str(kind))
        return called if quick is None else f"{quick.format(*arguments)} or {called}"

    def transformed(self, word: Transform, arguments: list[str], *, utf8: bool = False) -> str:
        """Return the expression of a `via`: the function's own, else the call; with `utf8` the one for valid text."""
        if utf8 and word.utf8 is not None:
            return word.utf8.format(*arguments)
        if word.inline is not None:
            return word.inline.format(*arguments)
        written = [part.inline for part in word.parts[:-1]]
        if written and None not in written:
            made = arguments
            for inline in written:
                made = [str(inline).format(*made)]
            return f"{self.name('via', word.parts[-1].name, word.parts[-1].function)}({', '.join(made)})"
        called = f"{self.name('via', word.name, word.function)}({', '.join(arguments)})"
        if word.quick is None:
            return called
        test, quickly = word.quick
        return f"{quickly.format(*arguments)} if {test.format(*arguments)} else {called}"

    def unfit(self, type_: str, made: str) -> str:
        """Return the test that is true where `made` does not fit the type; `fault` then holds the reason."""
        wanted = self.types[type_]
        return _unfit(wanted, made, self.name("fault", type_, wanted.fault))

    def unfit_key(self, entries: EntriesType, key: str, *, or_number: bool) -> str:
        """Return the same for the key of an entry; `or_number`: it may be no text."""
        assert entries.keys is not None
        name = self.name("key_fault", entries.keys.name, entries.key_fault)
        return _unfit(entries.keys, key, name, f"type({key}) is str and " * or_number)


def _unfit(type_: WireType, made: str, function: str, also: str = "") -> str:
    test = f"(fault := {function}({made})) is not None"
    if type_.quick is None:
        return test
    quick = also + type_.quick.format(made)
    return f"not {f'({quick})' if ' ' in quick else quick} and {test}"


def begins(name: str, stem: str) -> str:
    """Return the test whether a text begins with `stem`: two comparisons where possible, which need no call or new text.

    >>> begins("key", "x-")
    "'x-' <= key < 'x.'"
    """
    if ord(stem[-1]) == sys.maxunicode:
        return f"{name}.startswith({stem!r})"
    return f"{stem!r} <= {name} < {stem[:-1] + chr(ord(stem[-1]) + 1)!r}"


def of_type(types: Sequence[str]) -> str:
    """Return the test whether `type_` is one of these.

    >>> of_type(["int"]), of_type(["byte", "short"])
    ("type_ == 'int'", "type_ in {'byte', 'short'}")
    """
    return f"type_ == {types[0]!r}" if len(types) == 1 else f"type_ in {{{', '.join(map(repr, types))}}}"


def part_kept(gives: str, *noted: Line, may_be_none: bool = False) -> Block:
    """Return the block after `made = ...` of a transform that may lose: it notes the loss, and continues with the kept part.

    >>> list(printed([part_kept("str", "lost.append(made.reason)", may_be_none=True)]))[0]
    'if made is not None and type(made) is not str:'
    """
    tests = [*["made is not None"] * may_be_none, answered_else(gives)]
    return Block(f"if {joined(tests)}:", [*noted, "made = made.value if type(made) is Partial else None"])


def answered_else(gives: str, *, may_pass: bool = False) -> str:
    """Return the test for a transform's answer that is not a value: a loss, or "not mine" where it `may_pass`.

    >>> answered_else("str")
    'type(made) is not str'
    """
    if gives in PYTHON_CLASSES:
        return f"type(made) is not {gives}"
    return "type(made) is Partial or type(made) is Loss" + " or made is NOT_MINE" * may_pass

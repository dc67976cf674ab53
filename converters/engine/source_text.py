"""The text of a generated function: its lines and blocks, their printer, and the objects behind its names.

Inlined expressions are defined with the words (converters/words/__init__.py) and the wire types.
"""

import ast
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.engine import runtime
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.wiretypes import WireType, WireTypes
from mqconvert.converters.words import Condition, Transform

PYTHON_CLASSES = ("str", "bytes", "int", "bool", "float", "list")
"""The kinds that are also names of Python classes."""


@dataclass(slots=True)
class Block:
    """Indented lines below a head with a colon and a comment that names their row."""

    head: str
    body: "Sequence[Line]"
    row: Rule | None = None


Line = str | Rule | Block
"""An item of the printer: a line, a row (as a comment with its id and place), or a block."""
Lines = list[Line]


def printed(lines: Sequence[Line], depth: int = 0) -> Iterator[str]:
    """Yield the text of lines, indented by depth.

    >>> list(printed([Block("if here:", ["there = 1"])]))
    ['if here:', '    there = 1']
    """
    margin = "    " * depth
    for line in lines:
        if isinstance(line, Rule):
            yield f"{margin}# {line.id}, {line.where}"
        elif isinstance(line, Block):
            row = line.row
            # Lines break without regard to the number of the row's line, which changes with every row before it.
            comment = 0 if row is None else len(f"  # {row.id}, {row.file}")
            first, *others = folded(line.head, WIDTH - len(margin), comment)
            yield margin + first + ("" if row is None else f"  # {row.id}, {row.where}")
            yield from (margin + other for other in others)
            yield from printed(line.body, depth + 1)
        else:
            yield from (margin + part for part in folded(line, WIDTH - len(margin)))


WIDTH = 128
"""Maximum columns of a line that has a place to break."""

_MARK = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|[([{]|[)\]}]| (?=(?:and|or|if|else) )|, """)
"""Matches what decides where a line may break: a text, a bracket, a comma, and the blank before an operator in words."""

_STATEMENT = re.compile(r"(if|elif|\w+ =) (.*?)(:?)\Z")
"""Matches a statement with an expression that may get brackets."""


def folded(text: str, width: int, comment: int = 0) -> list[str]:
    """Return a statement in lines of at most that width, if it has places to break; a comment follows the first line.

    >>> folded("if here and there(a, b):", 20)
    ['if (', '    here', '    and there(a, b)', '):']
    >>> folded("taken.append((row, key))", 20)
    ['taken.append(', '    (row, key)', ')']
    """
    if len(text) + comment <= width:
        return [text]
    statement = _STATEMENT.match(text)
    parts = _parts(statement[2]) if statement else []
    if statement and len(parts) > 1:
        before, after = f"{statement[1]} (", f"){statement[3]}"
    else:
        at, end = _bracket(text)
        before, inner, after = text[:at], text[at:end], text[end:]
        parts = [inner] if len(inner) + 4 <= width else _parts(inner)
    return [before, *(f"    {line}" for part in parts for line in folded(part, width - 4)), after] if before else [text]


def _marks(text: str) -> Iterator[tuple[int, int, str]]:
    """Yield the depth, place and text of each mark; an opening bracket has the depth outside it."""
    depth = 0
    for found in _MARK.finditer(text):
        mark = found[0]
        depth -= mark in ")]}"
        yield depth, found.start(), mark
        depth += mark in "([{"


def _parts(text: str) -> list[str]:
    """Return the parts of a test, or of the content of brackets, that may stand on lines of their own.

    >>> _parts("a and (b or c)"), _parts("a and b or c"), _parts("a, b(c, d)")
    (['a', 'and (b or c)'], ['a and b', 'or c'], ['a,', 'b(c, d)'])
    """
    places = [at + len(mark) - 1 for depth, at, mark in _marks(text) if not depth and mark in (" ", ", ")]
    weakest = ([at for at in places if text.startswith(word, at + 1)] for word in (("if ", "else "), "or ", "and ", ""))
    breaks = next(filter(None, weakest), [])
    return [text[at:end].strip() for at, end in zip([0, *breaks], [*breaks, len(text)], strict=True)]


def _bracket(text: str) -> tuple[int, int]:
    """Return the bounds of the content of the widest brackets; twice 0 without any."""
    opened: list[int] = []
    widest = (0, 0)
    for _, at, mark in _marks(text):
        if mark in "([{":
            opened.append(at + 1)
        elif mark in ")]}":
            widest = max(widest, (opened.pop(), at), key=lambda bounds: bounds[1] - bounds[0])
    return widest


def otherwise(lines: Sequence[Line]) -> Lines:
    """Return the blocks after `if` for the other cases: further tests, or `else`; none without lines.

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
    """Return lines that run `then` if the test holds, else `rest`."""
    return [Block(f"if {test}:", then), *otherwise(rest)]


def mentions(lines: Sequence[Line], name: str) -> bool:
    return any(re.search(rf"\b{name}\b", line) for line in printed(lines))


def joined(tests: Sequence[str]) -> str:
    """Join several tests into one.

    >>> joined(["a or b"]), joined(["a or b", "c(d or e)"])
    ('a or b', '(a or b) and c(d or e)')
    """
    either = [len(tests) > 1 and any(part.startswith("or ") for part in _parts(test)) for test in tests]
    return " and ".join(f"({test})" if several else test for test, several in zip(tests, either, strict=True))


_OPPOSITES = {ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot}


def negated(test: str) -> str:
    """Return the opposite of a test.

    >>> negated("value is None"), negated("a < b"), negated("a.b")
    ('value is not None', 'not (a < b)', 'not a.b')
    """
    match ast.parse(test, mode="eval").body:
        case ast.Compare(left, [operator], others) if type(operator) in _OPPOSITES:
            return ast.unparse(ast.Compare(left, [_OPPOSITES[type(operator)]()], others))
        case ast.Call() | ast.Name() | ast.Attribute():
            return f"not {test}"
    return f"not ({test})"


_LONGEST = 40
"""Maximum characters of a word with literals in the name of its function."""


class Names:
    """The objects behind the names of a generated function, and the expressions that use those names."""

    def __init__(self, types: WireTypes) -> None:
        self.types = types
        self.known: dict[str, Any] = dict(runtime.NAMES)

    def name(self, prefix: str, word: str, value: object) -> str:
        """Return a unique name for an object; a long word ends with the last literal that fits, and `etc`."""
        if len(word) > _LONGEST:
            word = f"{word[: max(word.rfind(' ', 0, _LONGEST), 0) or _LONGEST]} etc"
        return self._known(re.sub(r"[\W_]+", "_", f"{prefix}_{word}").rstrip("_"), value)

    def _known(self, name: str, value: object) -> str:
        while self.known.setdefault(name, value) != value:
            name += "_"
        return name

    def row(self, rule: Rule) -> str:
        return self.name("row", rule.id, rule)

    def of_class(self, class_: Any) -> str:
        """Return the name of the class of a message, section or body."""
        return self._known(class_.__name__, class_)

    def condition(self, word: Condition, kind: str | None, arguments: list[str]) -> str:
        """Return the test of a `when` for a value of that kind: the function's expression, or else the call."""
        if word.form:
            asked = [arguments[place] for place in word.places] or arguments
            tests = [self.condition(part, None if word.form == "at" else kind, asked) for part in word.parts]
            if word.form == "or":
                return " or ".join(f"({test})" for test in tests)
            if word.form == "not":
                return negated(tests[0])
            return joined(tests)
        arguments = arguments[: word.takes]
        if word.inline is not None:
            inline = "{0}" if word.inline == "bool({0})" else word.inline  # Python tests any value
            return inline.format(*arguments)
        called = f"{self.name('when', word.name, word.function)}({', '.join(arguments)})"
        if word.rare is not None:
            return f"{word.rare.format(*arguments)} and {called}"
        quick = word.quick.get(str(kind))
        return called if quick is None else f"{quick.format(*arguments)} or {called}"

    def transformed(self, word: Transform, arguments: list[str], *, utf8: bool = False) -> str:
        """Return the expression of a `via`: the function's own, or else the call; with `utf8` that for valid text."""
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
        """Return the test for a `made` that does not fit the type; `fault` is then the reason."""
        wanted = self.types[type_]
        return _unfit(wanted, made, self.name("fault", type_, wanted.fault))

    def unfit_key(self, entries: EntriesType, key: str, *, or_number: bool) -> str:
        """Return the same test for the key of an entry; with `or_number`, the key may be a number."""
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


def common_stem(texts: Collection[str]) -> str:
    """Return the characters with which all the texts begin.

    >>> common_stem({"x-a-1", "x-a-2", "x-b"})
    'x-'
    """
    first, last = min(texts), max(texts)
    return first[: next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))]


def of_type(types: Sequence[str]) -> str:
    """Return the test whether `type_` is one of these.

    >>> of_type(["int"]), of_type(["byte", "short"])
    ("type_ == 'int'", "type_ in {'byte', 'short'}")
    """
    return f"type_ == {types[0]!r}" if len(types) == 1 else f"type_ in {{{', '.join(map(repr, types))}}}"


def part_kept(gives: str, *noted: Line, may_be_none: bool = False) -> Block:
    """Return the block after `made = ...` of a lossy transform: it notes the loss, and continues with the kept part.

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

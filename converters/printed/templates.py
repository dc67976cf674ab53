"""Templates: constant texts of ours with holes in braces, which take nodes and never text.

| call | nodes |
|---|---|
| `code("len({0}) < {most}", Name("text"), most=Literal(9))` | the expression `len(text) < 9` |
| `line("{at} = {size} + 1", at=Name("at"), size=Name("width"))` | the statement `at = width + 1` |
| `lines("while {test}:\\n    {body}", test=..., body=[...])` | all statements; `{body}` on a line of its own takes several |

A text is parsed before its holes are filled, so that a value cannot become code. Never pass a text that has a part of a table.
A hole that no argument fills stays, so that a template can be filled in steps: `code` and `lines` also take nodes with holes.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, lru_cache
from itertools import chain, repeat
from operator import is_
from textwrap import dedent
from typing import Any, TypeVar

from mqconvert.converters.printed.nodes import (
    Compare,
    Do,
    Expression,
    Hole,
    Literal,
    Name,
    Named,
    Operation,
    Statement,
    nodes_in,
)
from mqconvert.converters.printed.reading import read_template

T = TypeVar("T")
F = TypeVar("F")
Filling = Expression | Sequence[Statement]
"""What fills a hole."""
Block = str | tuple[Statement, ...]
"""A template of statements: its text, or its nodes."""


@lru_cache(maxsize=4096)
def _read(text: str) -> tuple[Statement, ...]:
    return read_template(dedent(text))


def template(text: str) -> Expression:
    """Return the tree of an expression with its holes.

    >>> template("{0}.size").of
    Hole(name='0')
    """
    match _read(text):
        case (Do(tree),):
            return tree
    raise ValueError(f"{text!r} is no expression")


def code(text: str | Expression, /, *arguments: Expression, **named: Expression) -> Expression:
    """Return an expression with its holes filled: the numbered ones by position, others by name.

    >>> from mqconvert.converters.printed.nodes import Literal
    >>> from mqconvert.converters.printed.printer import written
    >>> written(code("{0} + {more}", Name("a"), more=Literal("{1}'")))
    'a + "{1}\\'"'
    """
    return filled(template(text) if isinstance(text, str) else text, _holes(arguments) | named)


def line(text: str, /, *arguments: Expression, **named: Expression) -> Statement:
    """Return a statement with its holes filled.

    >>> from mqconvert.converters.printed.printer import Printed
    >>> print(Printed([line("a, {b} = f({0})", Name("c"), b=Name("d"))]).text, end="")
    a, d = f(c)
    """
    (statement,) = lines(text, *arguments, **named)
    return statement


def lines(text: str | Sequence[Statement], /, *arguments: Filling, **named: Filling) -> tuple[Statement, ...]:
    """Return statements with their holes filled; a hole that is a statement takes several.

    >>> from mqconvert.converters.printed.nodes import Pass
    >>> from mqconvert.converters.printed.printer import Printed
    >>> print(Printed(lines("while {size} > at: {body}", size=Name("size"), body=[Pass()])).text, end="")
    while size > at:
        pass
    """
    return filled(_read(text) if isinstance(text, str) else tuple(text), _holes(arguments) | named)


def _holes(arguments: Sequence[F]) -> dict[str, F]:
    return {str(at): each for at, each in enumerate(arguments)}


def filled(tree: T, holes: Mapping[str, Filling]) -> T:
    """Return a tree with those of its holes filled that `holes` names."""
    made: T = _filled(tree, holes.get)
    return made


def _filled(tree: Any, filling: Callable[[str, Expression], Filling]) -> Any:
    """Return a tree with each hole filled by `filling` of its name and itself, in the order of evaluation."""
    match tree:
        case Hole(name):
            found = filling(name, tree)
            if not isinstance(found, Expression):
                raise ValueError(f"{name} is a hole in an expression, which takes no statements")  # noqa: TRY004 - of a template
            return found
        case tuple():
            return _unless_same(tree, tuple(made for part in tree for made in _members(part, filling)))
    made = _rebuilt(tree, lambda part: _filled(part, filling))
    match made:
        case Compare(Literal(mine), (("is" | "is not" as sign, Literal(None | False | True as other)),)):
            return Literal((mine is other) == (sign == "is"))  # Python warns of `is` beside text or a number
    return made


def _members(part: Any, filling: Callable[[str, Expression], Filling]) -> Sequence[Any]:
    """Return what stands in place of a part of a tuple: of a hole on a line of its own, perhaps several statements."""
    match part:
        case Do(Hole(name)) if not isinstance(found := filling(name, part.value), Expression):
            if isinstance(found, str):
                raise ValueError(f"{name} is a hole, which takes nodes and no text")  # noqa: TRY004 - as above
            return found
    return (_filled(part, filling),)


def _rebuilt(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree with each part directly below it changed; the tree itself if no part changes."""
    if isinstance(tree, tuple):
        return _unless_same(tree, tuple(map(change, tree)))
    if not isinstance(tree, (Expression, Statement)):
        return tree
    class_: Any = type(tree)
    before = tuple(getattr(tree, name) for name in _initial(class_))
    after = _unless_same(before, tuple(map(change, before)))
    return tree if after is before else class_(*after)


def _unless_same(before: tuple[Any, ...], after: tuple[Any, ...]) -> tuple[Any, ...]:
    same = len(before) == len(after) and all(map(is_, before, after))
    return before if same else after


@cache
def _initial(class_: Any) -> tuple[str, ...]:
    """Return the names of the fields with which a node is made."""
    return tuple(each.name for each in fields(class_) if each.init)


def replaced(tree: T, names: Mapping[str, Expression]) -> T:
    """Return a tree with variables, or attributes of variables, replaced by other expressions.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(replaced(template("codec.read(data)"), {"codec": Name("source_codec")}))
    'source_codec.read(data)'
    """
    return exchanged(tree, {template(name): other for name, other in names.items()})


def exchanged(tree: T, others: Mapping[Expression, Expression]) -> T:
    """Return a tree with expressions replaced by others.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(exchanged(template("f(text.encode())"), {template("text.encode()"): Name("octets")}))
    'f(octets)'
    """
    made: T = _exchanged(tree, others)
    return made


def _exchanged(tree: Any, others: Mapping[Expression, Expression]) -> Any:
    found = others.get(tree) if isinstance(tree, Expression) else None
    return _rebuilt(tree, lambda part: _exchanged(part, others)) if found is None else found


def summed(tree: T) -> T:
    """Return a tree with the numbers of each sum added up.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(summed(template("at + 1 + 2")))
    'at + 3'
    """
    made: T = _summed(tree)
    return made


def _summed(tree: Any) -> Any:
    made = _rebuilt(tree, _summed)
    match made:
        case Operation(Operation(left, "+", Literal(int() as first)), "+", Literal(int() as second)):
            return Operation(left, "+", Literal(first + second))
    return made


Several = Callable[[Statement], Iterable[Statement] | None]
"""Returns the statements in place of one; None keeps it, with its blocks changed."""


def spliced(statements: Iterable[Statement], several: Several) -> tuple[Statement, ...]:
    """Return statements, and those in their blocks, each replaced by what `several` returns for it.

    >>> from mqconvert.converters.printed.nodes import Continue, Pass, While
    >>> spliced([While(Name("a"), (Pass(), Continue()))], lambda each: () if isinstance(each, Pass) else None)
    (While(test=Name(id='a'), body=(Continue(),)),)
    """
    made: list[Statement] = []
    for each in statements:
        others = several(each)
        made += [_with_blocks(each, several)] if others is None else others
    return tuple(made)


def _with_blocks(statement: Any, several: Several) -> Statement:
    class_: Any = type(statement)
    parts = {name: getattr(statement, name) for name in _initial(class_)}
    blocks = {name: part for name, part in parts.items() if isinstance(part, tuple) and part and isinstance(part[0], Statement)}
    made: Statement = replace(statement, **{name: spliced(block, several) for name, block in blocks.items()})
    return made


def uses(tree: Expression, hole: str) -> int:
    """Return how often a tree has a hole."""
    return sum(isinstance(node, Hole) and node.name == hole for node in nodes_in(tree))


def named_once(tree: Expression, name: str, value: Expression) -> Expression:
    """Return a template of a value, which is computed once, where it is used first.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(named_once(template("len({0}) < 9 and {0}.isascii()"), "text", template("typed.value")))
    'len(text := typed.value) < 9 and text.isascii()'
    """
    values: Iterator[Expression] = chain([Named(name, value)], repeat(Name(name)))
    made: Expression = _filled(tree, lambda hole, default: next(values) if hole == "0" else default)
    return made

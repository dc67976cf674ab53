"""Nodes from constant texts of ours: an expression with holes, which takes other nodes and no text.

`code("len({0}) < {most}", Name("text"), most=Literal(9))` is the tree of `len(text) < 9`. The text is parsed before it is
filled, so that a value cannot become code. Never pass a text here that has a part of a table. `lines` does so for statements.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import cache, lru_cache
from textwrap import dedent
from typing import Any, TypeVar

from mqconvert.converters.printed.nodes import (
    Assign,
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
from mqconvert.converters.printed.reading import read_module, read_template

T = TypeVar("T")


@lru_cache(maxsize=4096)
def template(text: str) -> Expression:
    """Return the tree of an expression with holes, parsed once."""
    return read_template(text)


def code(text: str, *arguments: Expression, **named: Expression) -> Expression:
    """Return a template with its holes filled: the numbered ones by position, others by name.

    >>> from mqconvert.converters.printed.nodes import Literal
    >>> from mqconvert.converters.printed.printer import written
    >>> written(code("{0} + {more}", Name("a"), more=Literal("{1}'")))
    'a + "{1}\\'"'
    """
    return filled(template(text), {str(at): each for at, each in enumerate(arguments)} | named)


def do(text: str, *arguments: Expression, **named: Expression) -> Statement:
    """Return a template as a statement."""
    return Do(code(text, *arguments, **named))


def assign(target: Expression | str, value: Expression | str, *arguments: Expression, **named: Expression) -> Statement:
    """Return the assignment of an expression, or of a template, to a place, such as a variable or several.

    >>> from mqconvert.converters.printed.printer import Printed
    >>> print(Printed([assign("(a, b)", "f({0})", Name("c"))]).text, end="")
    a, b = f(c)
    """
    place = template(target) if isinstance(target, str) else target
    return Assign(place, code(value, *arguments, **named) if isinstance(value, str) else value)


def lines(text: str, **holes: Expression | Sequence[Statement]) -> tuple[Statement, ...]:
    """Return the statements of a text, in which the variables `holes` are places for other expressions or statements.

    >>> from mqconvert.converters.printed.nodes import Pass
    >>> from mqconvert.converters.printed.printer import Printed
    >>> print(Printed(lines("while SIZE > at: BODY", SIZE=Name("size"), BODY=[Pass()])).text, end="")
    while size > at:
        pass
    """
    tree = _statements(text, frozenset(holes))
    inner = {name: tuple(each) for name, each in holes.items() if not isinstance(each, Expression)}
    made = filled(tree, {name: each for name, each in holes.items() if isinstance(each, Expression)})

    def several(statement: Statement) -> tuple[Statement, ...] | None:
        match statement:
            case Do(Hole(name)):
                return inner.get(name)
        return None

    return spliced(made, several) if inner else made


@lru_cache(maxsize=4096)
def _statements(text: str, names: frozenset[str]) -> tuple[Statement, ...]:
    return read_module(dedent(text), names)


def filled(tree: T, holes: Mapping[str, Expression]) -> T:
    """Return a tree with those of its holes filled that `holes` names."""
    made: T = _filled(tree, holes)
    return made


def _filled(tree: Any, holes: Mapping[str, Expression]) -> Any:
    if isinstance(tree, Hole):
        return holes.get(tree.name, tree)
    made = _rebuilt(tree, lambda part: _filled(part, holes))
    match made:
        case Compare(Literal(mine), (("is" | "is not" as sign, Literal(None | False | True as other)),)):
            return Literal((mine is other) == (sign == "is"))  # Python warns of `is` beside text or a number
    return made


def _rebuilt(tree: Any, change: Callable[[Any], Any]) -> Any:
    """Return a tree with each part directly below it changed; the tree itself if no part changes."""
    if isinstance(tree, tuple):
        members = tuple(change(each) for each in tree)
        return members if any(new is not old for new, old in zip(members, tree, strict=True)) else tree
    if not isinstance(tree, (Expression, Statement)):
        return tree
    class_: Any = type(tree)
    before = [getattr(tree, name) for name in _initial(class_)]
    after = [change(each) for each in before]
    return tree if all(new is old for new, old in zip(after, before, strict=True)) else class_(*after)


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


class _First(dict[str, Expression]):
    """Fills a hole with a value that gets a name on the way, and all later ones with that name."""

    def get(self, hole: str, default: Any = None) -> Any:
        found = super().get(hole, default)
        if isinstance(found, Named):
            self[hole] = Name(found.name)
        return found


def named_once(tree: Expression, name: str, value: Expression) -> Expression:
    """Return a template of a value, which is computed once, where it is used first.

    >>> from mqconvert.converters.printed.printer import written
    >>> written(named_once(template("len({0}) < 9 and {0}.isascii()"), "text", template("typed.value")))
    'len(text := typed.value) < 9 and text.isascii()'
    """
    return filled(tree, _First({"0": Named(name, value)}))

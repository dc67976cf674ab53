"""The nodes of functions: expressions and statements, as data. printer.py alone writes them.

Nodes are immutable by convention, and equal if they print alike. A `row`, the origin of a statement, is a comment and is not
compared.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, fields
from functools import cache
from keyword import iskeyword
from math import isfinite
from typing import Any, Protocol


class Row(Protocol):
    """The origin of statements: a row of a table, with its id and place."""

    @property
    def id(self) -> str: ...
    @property
    def file(self) -> str: ...
    @property
    def line(self) -> int: ...


# ---- expressions ------------------------------------------------------------------------------------------------------


class Expression:
    """A node with a value."""

    __slots__ = ()


@dataclass(slots=True, unsafe_hash=True)
class Name(Expression):
    """A variable, or an object that the function is given under this name: an ASCII identifier.

    >>> Name("a b")
    Traceback (most recent call last):
        ...
    ValueError: 'a b' is not a name
    """

    id: str

    def __post_init__(self) -> None:
        _check_name(self.id)


@dataclass(slots=True, unsafe_hash=True)
class Literal(Expression):
    """A constant: None, a boolean, a number, text or bytes; ValueError for another value.

    >>> Literal(1) == Literal(True), Literal([1])
    Traceback (most recent call last):
        ...
    ValueError: [1] is not a literal
    """

    value: Any = field(compare=False)
    hexadecimal: bool = field(default=False, compare=False, repr=False)
    """Whether a number is printed in hexadecimal."""
    text: str = field(init=False, repr=False)
    """Its text, which tells 1 from True."""

    def __post_init__(self) -> None:
        if not is_literal(self.value):
            raise ValueError(f"{self.value!r} is not a literal")
        self.text = repr(self.value)


@dataclass(slots=True, unsafe_hash=True)
class Hole(Expression):
    """A place in a template for another expression (templates.py). It cannot be printed."""

    name: str


@dataclass(slots=True, unsafe_hash=True)
class Attribute(Expression):
    of: Expression
    name: str

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(slots=True, unsafe_hash=True)
class Call(Expression):
    function: Expression
    arguments: tuple[Expression, ...] = ()
    named: tuple[tuple[str, Expression], ...] = ()
    """Arguments with a keyword."""

    def __post_init__(self) -> None:
        for name, _ in self.named:
            _check_name(name)


@dataclass(slots=True, unsafe_hash=True)
class Item(Expression):
    """An item of a map or sequence; with a Slice, a part of a sequence."""

    of: Expression
    index: Expression


@dataclass(slots=True, unsafe_hash=True)
class Slice(Expression):
    start: Expression | None
    stop: Expression | None


@dataclass(slots=True, unsafe_hash=True)
class Compare(Expression):
    """Comparisons, such as `a <= b < c`."""

    first: Expression
    others: tuple[tuple[str, Expression], ...]
    """Operators with their right sides."""


@dataclass(slots=True, unsafe_hash=True)
class Junction(Expression):
    """Two or more tests that must all hold (`and`), or one of them (`or`)."""

    word: str
    parts: tuple[Expression, ...]


@dataclass(slots=True, unsafe_hash=True)
class Not(Expression):
    of: Expression


@dataclass(slots=True, unsafe_hash=True)
class Operation(Expression):
    """Arithmetic with two operands."""

    left: Expression
    sign: str
    right: Expression


@dataclass(slots=True, unsafe_hash=True)
class Choice(Expression):
    """`then if test else other`. The fields have the order of evaluation."""

    test: Expression
    then: Expression
    other: Expression


@dataclass(slots=True, unsafe_hash=True)
class Named(Expression):
    """A value that gets a name on the way: `name := value`."""

    name: str
    value: Expression

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(slots=True, unsafe_hash=True)
class Display(Expression):
    """A tuple, list or set, by its brackets."""

    brackets: str
    members: tuple[Expression, ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class Dictionary(Expression):
    """A dict. A pair without key has the content of another dict."""

    pairs: tuple[tuple[Expression | None, Expression], ...] = ()


@dataclass(slots=True, unsafe_hash=True)
class ListOf(Expression):
    """A list from the members of another one: `[made for name in over if test]`."""

    name: str
    over: Expression
    test: Expression | None
    made: Expression

    def __post_init__(self) -> None:
        _check_name(self.name)


# ---- statements -------------------------------------------------------------------------------------------------------


class Statement:
    """A node that acts."""

    __slots__ = ()


@dataclass(slots=True, unsafe_hash=True)
class Assign(Statement):
    """`target` is a name, several names in a tuple, an attribute or an item."""

    target: Expression
    value: Expression


@dataclass(slots=True, unsafe_hash=True)
class Declare(Statement):
    """The type of a variable, for a compiler, and its value if there is one."""

    name: str
    type: Expression
    value: Expression | None = None

    def __post_init__(self) -> None:
        _check_name(self.name)


@dataclass(slots=True, unsafe_hash=True)
class Augment(Statement):
    """`target += value`, or another sign of arithmetic."""

    target: Expression
    sign: str
    value: Expression


@dataclass(slots=True, unsafe_hash=True)
class Do(Statement):
    """A call for its effect, or the docstring of a function."""

    value: Expression


@dataclass(slots=True, unsafe_hash=True)
class Return(Statement):
    value: Expression


@dataclass(slots=True, unsafe_hash=True)
class Raise(Statement):
    value: Expression
    hiding: bool = False
    """Whether it hides the error that was being handled: `from None`."""


@dataclass(slots=True, unsafe_hash=True)
class Continue(Statement):
    pass


@dataclass(slots=True, unsafe_hash=True)
class Break(Statement):
    pass


@dataclass(slots=True, unsafe_hash=True)
class Pass(Statement):
    pass


@dataclass(slots=True, unsafe_hash=True)
class If(Statement):
    test: Expression
    body: "tuple[Statement, ...]"
    other: "tuple[Statement, ...]" = ()
    row: Row | None = field(default=None, compare=False)


@dataclass(slots=True, unsafe_hash=True)
class For(Statement):
    target: Expression
    over: Expression
    body: "tuple[Statement, ...]"


@dataclass(slots=True, unsafe_hash=True)
class While(Statement):
    test: Expression
    body: "tuple[Statement, ...]"


@dataclass(slots=True, unsafe_hash=True)
class Try(Statement):
    """Statements, and those for the errors of a class, or of several, which may get a name."""

    body: "tuple[Statement, ...]"
    errors: Expression
    name: str | None
    handler: "tuple[Statement, ...]"

    def __post_init__(self) -> None:
        _check_name(self.name or "error")


@dataclass(slots=True, unsafe_hash=True)
class Function(Statement):
    name: str
    parameters: tuple[str, ...]
    body: "tuple[Statement, ...]"
    types: tuple[Expression, ...] = ()
    """The types of its parameters and of its answer, for a compiler; empty without any."""

    def __post_init__(self) -> None:
        for name in (self.name, *self.parameters):
            _check_name(name)


@dataclass(slots=True, unsafe_hash=True)
class Remark(Statement):
    """A comment with the row of the statements after it."""

    row: Row = field(compare=False)


Statements = list[Statement]


# ---- what a node may hold ---------------------------------------------------------------------------------------------


def _check_name(name: str) -> None:
    if not (name.isascii() and name.isidentifier()) or iskeyword(name):
        raise ValueError(f"{name!r} is not a name")


def is_literal(value: object) -> bool:
    """Return whether a value is None, a boolean, a finite number, text or bytes, and of no subclass.

    >>> is_literal("a"), is_literal(float("nan")), is_literal([])
    (True, False, False)
    """
    return value is None or type(value) in (bool, int, str, bytes) or (type(value) is float and isfinite(value))


def literal(value: Any) -> Expression:
    """Return the node of a constant, or of a tuple of constants.

    >>> literal(("a", 1)) == Display("()", (Literal("a"), Literal(1)))
    True
    """
    if type(value) is tuple:
        return Display("()", tuple(map(literal, value)))
    return Literal(value)


def hexadecimal(number: int) -> Literal:
    """Return the node of a number that is printed in hexadecimal.

    >>> hexadecimal(160).hexadecimal
    True
    """
    return Literal(number, hexadecimal=True)


# ---- trees ------------------------------------------------------------------------------------------------------------


@cache
def _fields(class_: Any) -> tuple[str, ...]:
    """Return the names of the fields with parts of a node."""
    return tuple(each.name for each in fields(class_) if each.init and each.compare)


def parts_of(node: object) -> Iterator[object]:
    """Yield the nodes directly below a node, in the order of evaluation."""
    if isinstance(node, tuple):
        for part in node:
            yield from parts_of(part) if isinstance(part, tuple) else (part,)
    elif isinstance(node, (Expression, Statement)):
        class_: Any = type(node)
        for name in _fields(class_):
            value = getattr(node, name)
            if isinstance(value, (Expression, Statement)):
                yield value
            elif isinstance(value, tuple):
                yield from parts_of(value)


def nodes_in(*roots: object) -> Iterator[Expression | Statement]:
    """Yield every node of trees.

    >>> sorted(node.id for node in nodes_in(Junction("or", (Name("a"), Not(Name("b"))))) if isinstance(node, Name))
    ['a', 'b']
    """
    waiting = list(roots)
    while waiting:
        node = waiting.pop()
        if isinstance(node, (Expression, Statement)):
            yield node
            waiting.extend(parts_of(node))


def mentions(roots: Iterable[object], name: str) -> bool:
    """Return whether trees use a variable."""
    return any(isinstance(node, Name) and node.id == name for node in nodes_in(*roots))


def targets(statement: Assign | For) -> tuple[Expression, ...]:
    """Return the places that a statement assigns to."""
    return statement.target.members if isinstance(statement.target, Display) else (statement.target,)


# ---- tests ------------------------------------------------------------------------------------------------------------


def conjuncts(test: Expression) -> tuple[Expression, ...]:
    """Return the parts that must all hold for a test to hold."""
    return test.parts if isinstance(test, Junction) and test.word == "and" else (test,)


def every(tests: Iterable[Expression | None]) -> Expression | None:
    """Return the test that all tests hold, None without any; a None among them asks nothing, and none is written twice.

    >>> every([Name("a"), Junction("and", (Name("a"), Name("b")))]) == Junction("and", (Name("a"), Name("b")))
    True
    """
    parts = tuple(dict.fromkeys(part for test in tests if test for part in conjuncts(test)))
    return parts[0] if len(parts) == 1 else Junction("and", parts) if parts else None


def both(*tests: Expression | None) -> Expression:
    """Return the same for tests of which at least one asks something."""
    made = every(tests)
    assert made is not None
    return made


def any_of(tests: Iterable[Expression]) -> Expression:
    """Return the test that one of the tests holds.

    >>> any_of([Name("a")])
    Name(id='a')
    """
    parts = tuple(tests)
    return parts[0] if len(parts) == 1 else Junction("or", parts)


_OPPOSITES = {"==": "!=", "!=": "==", "in": "not in", "not in": "in", "is": "is not", "is not": "is"}


def opposite(test: Expression) -> Expression:
    """Return the opposite of a test.

    >>> opposite(Compare(Name("a"), (("is", Name("b")),)))
    Compare(first=Name(id='a'), others=(('is not', Name(id='b')),))
    """
    if isinstance(test, Compare) and len(test.others) == 1 and test.others[0][0] in _OPPOSITES:
        sign, right = test.others[0]
        return Compare(test.first, ((_OPPOSITES[sign], right),))
    return Not(test)


def either(
    ways: Iterable[tuple[Expression | None, tuple[Statement, ...]]], other: tuple[Statement, ...] = ()
) -> tuple[Statement, ...]:
    """Return `if`, `elif` and `else`: the statements behind the first test that holds, or `other`. None always holds.

    >>> either([(Name("a"), (Pass(),)), (None, (Break(),))])
    (If(test=Name(id='a'), body=(Pass(),), other=(Break(),), row=None),)
    """
    for test, body in reversed([*ways]):
        other = body if test is None else (If(test, body, other),)
    return other

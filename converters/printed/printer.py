"""Write nodes as Python text: the one place that does. Literals are written with `repr`.

A line that is too wide breaks inside its widest brackets, and a long test before its operators.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Augment,
    Break,
    Call,
    Choice,
    Compare,
    Continue,
    Declare,
    Dictionary,
    Display,
    Do,
    Expression,
    For,
    Function,
    If,
    Item,
    Junction,
    ListOf,
    Literal,
    Name,
    Named,
    Not,
    Operation,
    Pass,
    Raise,
    Remark,
    Return,
    Row,
    Slice,
    Statement,
    Try,
    While,
)

WIDTH = 124
"""Maximum columns of a line that has a place to break: 128 less the margin in a module of functions."""

# ---- expressions ------------------------------------------------------------------------------------------------------

NAMED, CHOICE, OR, AND, NOT, COMPARE, BITS, COMMON_BITS, SHIFT, SUM, PRODUCT, ATOM = range(12)
"""How closely expressions bind (Python's reference, section 6.17)."""
_LEVELS = {"|": BITS, "&": COMMON_BITS, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM}
"""Of arithmetic; other signs bind as a product."""


@dataclass(slots=True)
class Group:
    """A part of a line in brackets, where the line may break; `soft` brackets are written only where it does.

    Its members have a `comma` between them, and after the last one if each has a line.
    """

    opening: str
    members: "list[Pieces]"
    closing: str
    comma: bool = True
    soft: bool = False


Pieces = list["str | Group"]
"""An expression: its text with the groups in it."""


def written(node: Expression) -> str:
    """Return the text of an expression in one line.

    >>> written(Not(Junction("or", (Name("a"), Compare(Name("b"), (("==", Literal("it's")),))))))
    'not (a or b == "it\\'s")'
    """
    return _flat(_pieces(node))


def _level(node: Expression) -> int:
    match node:
        case Named():
            return NAMED
        case Choice():
            return CHOICE
        case Junction():
            return AND if node.word == "and" else OR
        case Not():
            return NOT
        case Compare():
            return COMPARE
        case Operation():
            return _LEVELS.get(node.sign, PRODUCT)
        case Literal() if node.text.startswith("-"):
            return PRODUCT
    return ATOM


def _pieces(node: Expression, least: int = CHOICE) -> Pieces:
    """Return the pieces of an expression, in brackets if it binds less closely than `least`."""
    made = _bare(node)
    if _level(node) >= least:
        return made
    if len(made) == 1 and isinstance(made[0], Group) and made[0].soft:
        return [Group("(", made[0].members, ")", comma=False)]
    return [Group("(", [made], ")", comma=False)]


def _bare(node: Expression) -> Pieces:
    match node:
        case Name():
            return [node.id]
        case Literal():
            return [_hexadecimal(node.value) if node.hexadecimal else node.text]
        case Attribute():
            number = isinstance(node.of, Literal) and type(node.of.value) in (int, float)
            return [*_pieces(node.of, ATOM + number), f".{node.name}"]
        case Call():
            arguments = [_pieces(each, NAMED) for each in node.arguments]
            arguments += [[f"{name}=", *_pieces(each)] for name, each in node.named]
            return [*_pieces(node.function, ATOM), Group("(", arguments, ")")]
        case Item():
            inner = node.index.members if _is_several(node.index) else (node.index,)
            return [*_pieces(node.of, ATOM), Group("[", [_pieces(each) for each in inner], "]", comma=len(inner) > 1)]
        case Slice():
            start, stop = ([] if each is None else _pieces(each) for each in (node.start, node.stop))
            return [*start, ":", *stop]
        case Compare():
            made = _pieces(node.first, BITS)
            for sign, right in node.others:
                made += [f" {sign} ", *_pieces(right, BITS)]
            return made
        case Junction():
            level = AND if node.word == "and" else OR
            first, *others = (_pieces(each, level + 1) for each in node.parts)
            return [Group("(", [first, *([f"{node.word} ", *each] for each in others)], ")", comma=False, soft=True)]
        case Not():
            return ["not ", *_pieces(node.of, NOT)]
        case Operation():
            level = _level(node)
            return [*_pieces(node.left, level), f" {node.sign} ", *_pieces(node.right, level + 1)]
        case Choice():
            parts: list[Pieces] = [_pieces(node.then, OR), ["if ", *_pieces(node.test, OR)], ["else ", *_pieces(node.other)]]
            return [Group("(", parts, ")", comma=False, soft=True)]
        case Named():
            return [f"{node.name} := ", *_pieces(node.value)]
    return _display(node)


def _hexadecimal(number: int) -> str:
    """Return a number in whole bytes."""
    return f"0x{number:0{2 * max(1, (number.bit_length() + 7) // 8)}x}"


def _display(node: Expression) -> Pieces:
    match node:
        case Display():
            opening, closing = node.brackets[0], node.brackets[1]
            members = [_pieces(each) for each in node.members]
            alone = opening == "(" and len(members) == 1
            return [Group(opening, [[*members[0], ","]], closing, comma=False) if alone else Group(opening, members, closing)]
        case Dictionary():
            pairs = [["**" if key is None else "", *_pair(key), *_pieces(value)] for key, value in node.pairs]
            return [Group("{", pairs, "}")]
        case ListOf():
            tested = [] if node.test is None else [[*["if "], *_pieces(node.test, OR)]]
            parts = [_pieces(node.made), [f"for {node.name} in ", *_pieces(node.over, OR)], *tested]
            return [Group("[", parts, "]", comma=False)]
    raise ValueError(f"{type(node).__name__} cannot be printed")


def _pair(key: Expression | None) -> Pieces:
    return [] if key is None else [*_pieces(key), ": "]


def _flat(pieces: Pieces) -> str:
    made = []
    for piece in pieces:
        if isinstance(piece, str):
            made.append(piece)
            continue
        inner = (", " if piece.comma else " ").join(map(_flat, piece.members))
        made.append(inner if piece.soft else f"{piece.opening}{inner}{piece.closing}")
    return "".join(made)


def _folded(pieces: Pieces, width: int, comment: int = 0) -> list[str]:
    """Return a line in lines of at most that width, if it has places to break; a comment of that length follows the first."""
    flat = _flat(pieces)
    groups = [(len(_flat([piece])), -at) for at, piece in enumerate(pieces) if isinstance(piece, Group) and piece.members]
    if len(flat) + comment <= width or not groups:
        return [flat]
    at = -max(groups)[1]
    group = pieces[at]
    assert isinstance(group, Group)
    before, after = _flat(pieces[:at]), _flat(pieces[at + 1 :])
    if len(group.members) == 1 and not group.comma:  # brackets around one expression: break inside it
        inner = _folded(group.members[0], width - 4)
        return [f"{before}{group.opening}", *(f"    {line}" for line in inner), f"{group.closing}{after}"]
    whole = _flat([Group("", group.members, "", comma=group.comma)])
    if group.comma and len(whole) + 4 <= width:
        return [f"{before}{group.opening}", f"    {whole}", f"{group.closing}{after}"]
    lines = []
    for member in group.members:
        *firsts, last = _folded(member, width - 4)
        lines += [*(f"    {line}" for line in firsts), f"    {last}{',' * group.comma}"]
    return [f"{before}{group.opening}", *lines, f"{group.closing}{after}"]


# ---- statements -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Line:
    """A line of text with the statement that it belongs to, and the row that its comment names."""

    text: str
    statement: Statement | None = None
    row: Row | None = None

    def commented(self, *, numbered: bool) -> str:
        if self.row is None:
            return self.text
        where = f"{self.row.file}:{self.row.line}" if numbered else self.row.file
        remark = f"# {self.row.id}, {where}"
        return f"{self.text}{'  ' * bool(self.text.strip())}{remark if remark.isprintable() else ascii(remark)}"


class Printed:
    """The text of statements.

    `text` names the line of each row in its file, which changes with every row before it; `stable` does without.
    """

    def __init__(self, statements: Iterable[Statement]) -> None:
        self.lines = list(_module(statements))

    @cached_property
    def text(self) -> str:
        return "".join(f"{line.commented(numbered=True)}\n" for line in self.lines)

    @cached_property
    def stable(self) -> str:
        return "".join(f"{line.commented(numbered=False)}\n" for line in self.lines)


def _module(statements: Iterable[Statement]) -> Iterator[Line]:
    """Yield the lines of a module, with a blank line between its statements."""
    for at, statement in enumerate(statements):
        if at:
            yield Line("")
        yield from _lines([statement], "")


def _lines(statements: Sequence[Statement], margin: str) -> Iterator[Line]:
    for statement in statements:
        match statement:
            case If():
                yield from _branches(statement, margin)
            case For():
                head: Pieces = ["for ", *_several(statement.target), " in ", *_pieces(statement.over), ":"]
                yield from _laid(head, statement, margin)
                yield from _lines(statement.body, f"{margin}    ")
            case While():
                yield from _laid(["while ", *_pieces(statement.test), ":"], statement, margin)
                yield from _lines(statement.body, f"{margin}    ")
            case Try():
                yield Line(f"{margin}try:", statement)
                yield from _lines(statement.body, f"{margin}    ")
                named = f" as {statement.name}" if statement.name else ""
                yield from _laid(["except ", *_pieces(statement.errors), f"{named}:"], statement, margin)
                yield from _lines(statement.handler, f"{margin}    ")
            case Function():
                yield from _laid(_head(statement), statement, margin)
                yield from _lines(statement.body, f"{margin}    ")
            case Remark():
                yield Line(margin, statement, statement.row)
            case _:
                yield from _laid(_simple(statement), statement, margin)


def _head(function: Function) -> Pieces:
    """Return the first line of a function."""
    if not function.types:
        return [f"def {function.name}({', '.join(function.parameters)}):"]
    *types, answer = function.types
    parameters: list[Pieces] = [[f"{name}: ", *_pieces(type_)] for name, type_ in zip(function.parameters, types, strict=True)]
    return [f"def {function.name}", Group("(", parameters, ")"), " -> ", *_pieces(answer), ":"]


def _branches(branch: If, margin: str, word: str = "if") -> Iterator[Line]:
    test = _pieces(branch.test)
    yield from _laid([f"{word} ", *test, ":"], branch, margin, branch.row)
    yield from _lines(branch.body, f"{margin}    ")
    match branch.other:
        case ():
            return
        case (If() as other,):
            yield from _branches(other, margin, "elif")
        case (Remark() as remark, *others) if others:
            yield Line(f"{margin}else:", branch, remark.row)
            yield from _lines(others, f"{margin}    ")
        case others:
            yield Line(f"{margin}else:", branch)
            yield from _lines(others, f"{margin}    ")


def _laid(pieces: Pieces, statement: Statement, margin: str, row: Row | None = None) -> Iterator[Line]:
    """Yield the lines of a statement; the row is named in the first one."""
    # The comment counts without the number of the row's line, which changes with every row before it.
    comment = 0 if row is None else len(f"  # {row.id}, {row.file}")
    for at, line in enumerate(_folded(pieces, WIDTH - len(margin), comment)):
        yield Line(margin + line, statement, None if at else row)


def _is_several(node: Expression) -> TypeGuard[Display]:
    return isinstance(node, Display) and node.brackets == "()" and len(node.members) > 1


def _several(node: Expression) -> Pieces:
    """Return the names before `=` or `in`, or the values after `=` or `return`: several have brackets only where they break."""
    return [Group("(", [_pieces(each) for each in node.members], ")", soft=True)] if _is_several(node) else _pieces(node)


def _simple(statement: Statement) -> Pieces:
    match statement:
        case Assign():
            return [*_several(statement.target), " = ", *_several(statement.value)]
        case Do():
            return _pieces(statement.value)
        case Return():
            return ["return ", *_several(statement.value)]
        case Raise():
            return ["raise ", *_pieces(statement.value), " from None" if statement.hiding else ""]
        case Declare():
            made = [] if statement.value is None else [" = ", *_pieces(statement.value)]
            return [f"{statement.name}: ", *_pieces(statement.type), *made]
        case Augment():
            return [*_pieces(statement.target), f" {statement.sign}= ", *_pieces(statement.value)]
        case Break():
            return ["break"]
        case Continue():
            return ["continue"]
        case Pass():
            return ["pass"]
    raise ValueError(f"{type(statement).__name__} cannot be printed")

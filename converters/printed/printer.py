"""Write nodes as Python text: the one place that does. Literals are written with `repr`.

A line that is too wide breaks inside its widest brackets, and a long test before its operators.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeGuard

from mqconvert.converters.printed import nodes
from mqconvert.converters.printed.nodes import Expression, Row, Statement

WIDTH = 124
"""Maximum columns of a line that has a place to break: 128 less the margin in a module of functions."""

# ---- expressions ------------------------------------------------------------------------------------------------------

NAMED, CHOICE, OR, AND, NOT, COMPARE, BITS, COMMON_BITS, SHIFT, SUM, PRODUCT, ATOM = range(12)
"""How closely expressions bind (Python's reference, section 6.17)."""
_SIGNS = {"or": OR, "and": AND, "|": BITS, "&": COMMON_BITS, "<<": SHIFT, ">>": SHIFT, "+": SUM, "-": SUM}
"""Of words and signs between two expressions; other signs bind as a product."""
_LEVELS = {nodes.Named: NAMED, nodes.Choice: CHOICE, nodes.Not: NOT, nodes.Compare: COMPARE}
"""Of the other expressions that are no atoms."""


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

    >>> from mqconvert.converters.printed.nodes import Compare, Junction, Literal, Name, Not
    >>> written(Not(Junction("or", (Name("a"), Compare(Name("b"), (("==", Literal("it's")),))))))
    'not (a or b == "it\\'s")'
    """
    return _flat(_pieces(node))


def _level(node: Expression) -> int:
    match node:
        case nodes.Junction(sign) | nodes.Operation(_, sign):
            return _SIGNS.get(sign, PRODUCT)
        case nodes.Literal() if node.text.startswith("-"):
            return PRODUCT
    return _LEVELS.get(type(node), ATOM)


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
        case nodes.Name():
            return [node.id]
        case nodes.Literal():
            return [_hexadecimal(node.value) if node.hexadecimal else node.text]
        case nodes.Attribute():
            number = isinstance(node.of, nodes.Literal) and type(node.of.value) in (int, float)
            return [*_pieces(node.of, ATOM + number), f".{node.name}"]
        case nodes.Call():
            arguments = [_pieces(each, NAMED) for each in node.arguments]
            arguments += [[f"{name}=", *_pieces(each)] for name, each in node.named]
            return [*_pieces(node.function, ATOM), Group("(", arguments, ")")]
        case nodes.Item():
            inner = node.index.members if _is_several(node.index) else (node.index,)
            return [*_pieces(node.of, ATOM), Group("[", [_pieces(each) for each in inner], "]", comma=len(inner) > 1)]
        case nodes.Slice():
            start, stop = ([] if each is None else _pieces(each) for each in (node.start, node.stop))
            return [*start, ":", *stop]
        case nodes.Compare():
            made = _pieces(node.first, BITS)
            for sign, right in node.others:
                made += [f" {sign} ", *_pieces(right, BITS)]
            return made
        case nodes.Junction():
            first, *others = (_pieces(each, _level(node) + 1) for each in node.parts)
            return [Group("(", [first, *([f"{node.word} ", *each] for each in others)], ")", comma=False, soft=True)]
        case nodes.Not():
            return ["not ", *_pieces(node.of, NOT)]
        case nodes.Operation():
            level = _level(node)
            return [*_pieces(node.left, level), f" {node.sign} ", *_pieces(node.right, level + 1)]
        case nodes.Choice():
            parts: list[Pieces] = [_pieces(node.then, OR), ["if ", *_pieces(node.test, OR)], ["else ", *_pieces(node.other)]]
            return [Group("(", parts, ")", comma=False, soft=True)]
        case nodes.Named():
            return [f"{node.name} := ", *_pieces(node.value)]
    return _display(node)


def _hexadecimal(number: int) -> str:
    """Return a number in whole bytes."""
    return f"0x{number:0{2 * max(1, (number.bit_length() + 7) // 8)}x}"


def _display(node: Expression) -> Pieces:
    match node:
        case nodes.Display():
            opening, closing = node.brackets[0], node.brackets[1]
            members = [_pieces(each) for each in node.members]
            alone = opening == "(" and len(members) == 1
            return [Group(opening, [[*members[0], ","]], closing, comma=False) if alone else Group(opening, members, closing)]
        case nodes.Dictionary():
            pairs = [["**" if key is None else "", *_pair(key), *_pieces(value)] for key, value in node.pairs]
            return [Group("{", pairs, "}")]
        case nodes.ListOf():
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
            case nodes.If():
                yield from _branches(statement, margin)
            case nodes.Remark():
                yield Line(margin, statement, statement.row)
            case _:
                for head, body in _parts(statement):
                    yield from _laid(head, statement, margin)
                    yield from _lines(body, f"{margin}    ")


def _parts(statement: Statement) -> list[tuple[Pieces, Sequence[Statement]]]:
    """Return the lines of a statement, each with the statements below it."""
    match statement:
        case nodes.For(target, over, body):
            return [(["for ", *_several(target), " in ", *_pieces(over), ":"], body)]
        case nodes.While(test, body):
            return [(["while ", *_pieces(test), ":"], body)]
        case nodes.Try(body, errors, name, handler):
            return [(["try:"], body), (["except ", *_pieces(errors), f" as {name}:" if name else ":"], handler)]
        case nodes.Function(_, _, body):
            return [(_head(statement), body)]
    return [(_simple(statement), ())]


def _head(function: nodes.Function) -> Pieces:
    """Return the first line of a function."""
    if not function.types:
        return [f"def {function.name}({', '.join(function.parameters)}):"]
    *types, answer = function.types
    parameters: list[Pieces] = [[f"{name}: ", *_pieces(type_)] for name, type_ in zip(function.parameters, types, strict=True)]
    return [f"def {function.name}", Group("(", parameters, ")"), " -> ", *_pieces(answer), ":"]


def _branches(branch: nodes.If, margin: str, word: str = "if") -> Iterator[Line]:
    test = _pieces(branch.test)
    yield from _laid([f"{word} ", *test, ":"], branch, margin, branch.row)
    yield from _lines(branch.body, f"{margin}    ")
    match branch.other:
        case ():
            return
        case (nodes.If() as other,):
            yield from _branches(other, margin, "elif")
        case (nodes.Remark() as remark, *others) if others:
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


def _is_several(node: Expression) -> TypeGuard[nodes.Display]:
    return isinstance(node, nodes.Display) and node.brackets == "()" and len(node.members) > 1


def _several(node: Expression) -> Pieces:
    """Return the names before `=` or `in`, or the values after `=` or `return`: several have brackets only where they break."""
    return [Group("(", [_pieces(each) for each in node.members], ")", soft=True)] if _is_several(node) else _pieces(node)


def _simple(statement: Statement) -> Pieces:
    match statement:
        case nodes.Assign():
            return [*_several(statement.target), " = ", *_several(statement.value)]
        case nodes.Do():
            return _pieces(statement.value)
        case nodes.Return():
            return ["return ", *_several(statement.value)]
        case nodes.Raise():
            return ["raise ", *_pieces(statement.value), " from None" if statement.hiding else ""]
        case nodes.Declare():
            made = [] if statement.value is None else [" = ", *_pieces(statement.value)]
            return [f"{statement.name}: ", *_pieces(statement.type), *made]
        case nodes.Augment():
            return [*_pieces(statement.target), f" {statement.sign}= ", *_pieces(statement.value)]
        case nodes.Break() | nodes.Continue() | nodes.Pass():
            return [type(statement).__name__.lower()]
    raise ValueError(f"{type(statement).__name__} cannot be printed")

"""Read Python text into nodes: templates, which are constant texts of ours, and what the printer wrote (wall.py).

Only the kinds of nodes.py can be read. Anything else is a ValueError.
"""

import ast
import re

from mqconvert.converters.printed import nodes
from mqconvert.converters.printed.nodes import Expression, Statement

SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.LShift: "<<", ast.RShift: ">>", ast.And: "and", ast.Or: "or",
}  # fmt: skip
"""The operators, by their class in `ast`."""

BRACKETS: dict[type[ast.AST], str] = {ast.Tuple: "()", ast.List: "[]", ast.Set: "{}"}


_HOLE = re.compile(r"""('(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\{(\w+)\}""")
"""A text in quotes, which has no holes, or a name or number in braces."""
_MARK = "ø"
"""The first letter of a hole while `ast` reads it, also where it assigns: other names are ASCII."""


def read_module(text: str) -> tuple[Statement, ...]:
    """Return the trees of the statements of a module.

    >>> read_module("total += 1")[0].sign
    '+'
    """
    return _Reader(text).statements(ast.parse(text).body)


def read_template(text: str) -> tuple[Statement, ...]:
    """Return the trees of statements, in which a name or number in braces is a hole: a place for other nodes.

    >>> read_template("{total} += len({0})")[0].target
    Hole(name='total')
    """
    marked = _HOLE.sub(lambda found: found[1] or f"{_MARK}{found[2]}", text)
    return _Reader(marked, holes=True).statements(ast.parse(marked).body)


class _Reader:
    def __init__(self, text: str, *, holes: bool = False) -> None:
        self.lines = text.encode().split(b"\n")  # offsets of `ast` are those of UTF-8
        self.holes = holes

    def several(self, given: list[ast.expr]) -> tuple[Expression, ...]:
        return tuple(map(self.expression, given))

    def maybe(self, node: ast.expr | None) -> Expression | None:
        return None if node is None else self.expression(node)

    def expression(self, node: ast.expr) -> Expression:
        match node:
            case ast.Name(name) if self.holes and name.startswith(_MARK):
                return nodes.Hole(name.removeprefix(_MARK))
            case ast.Name(name):
                return nodes.Name(name)
            case ast.Set([ast.Name() | ast.Constant()]) if self.holes:
                raise ValueError("a hole has no blanks in its braces")
            case ast.Constant(value):
                return nodes.Literal(value, hexadecimal=self.lines[node.lineno - 1].startswith(b"0x", node.col_offset))
            case ast.UnaryOp(ast.USub(), ast.Constant(value)) if type(value) in (int, float):
                return nodes.Literal(-value)  # type: ignore[operator]  # a number
            case ast.Attribute(of, name):
                return nodes.Attribute(self.expression(of), name)
            case ast.Call(function, arguments, keywords) if all(each.arg is not None for each in keywords):
                named = tuple((str(each.arg), self.expression(each.value)) for each in keywords)
                return nodes.Call(self.expression(function), self.several(arguments), named)
            case ast.Subscript(of, index):
                return nodes.Item(self.expression(of), self.expression(index))
            case ast.Slice(start, stop, None):
                return nodes.Slice(self.maybe(start), self.maybe(stop))
            case ast.Compare(first, signs, others):
                pairs = zip(signs, others, strict=True)
                return nodes.Compare(
                    self.expression(first), tuple((SIGNS[type(sign)], self.expression(right)) for sign, right in pairs)
                )
            case ast.BoolOp(word, parts):
                return nodes.Junction(SIGNS[type(word)], self.several(parts))
            case ast.UnaryOp(ast.Not(), of):
                return nodes.Not(self.expression(of))
            case ast.BinOp(left, sign, right) if type(sign) in SIGNS:
                return nodes.Operation(self.expression(left), SIGNS[type(sign)], self.expression(right))
            case ast.IfExp(test, then, other):
                return nodes.Choice(self.expression(test), self.expression(then), self.expression(other))
            case ast.NamedExpr(ast.Name(name), value):
                return nodes.Named(name, self.expression(value))
            case ast.Dict(keys, values):
                pairs_of = zip(keys, values, strict=True)
                return nodes.Dictionary(tuple((self.maybe(key), self.expression(value)) for key, value in pairs_of))
            case ast.ListComp(made, [ast.comprehension(ast.Name(name), over, tests, 0)]) if len(tests) < 2:
                return nodes.ListOf(name, self.expression(over), self.maybe(next(iter(tests), None)), self.expression(made))
            case ast.Tuple(members) | ast.List(members) | ast.Set(members):
                return nodes.Display(BRACKETS[type(node)], self.several(members))
        raise ValueError(f"no node for {type(node).__name__}")

    def statements(self, given: list[ast.stmt]) -> tuple[Statement, ...]:
        return tuple(map(self.statement, given))

    def statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Assign([target], value):
                return nodes.Assign(self.expression(target), self.expression(value))
            case ast.Expr(value):
                return nodes.Do(self.expression(value))
            case ast.Return(ast.expr() as value):
                return nodes.Return(self.expression(value))
            case ast.Raise(ast.expr() as value, None | ast.Constant(None) as cause):
                return nodes.Raise(self.expression(value), hiding=cause is not None)
            case ast.AnnAssign(ast.Name(name), type_, value, 1):
                return nodes.Declare(name, self.expression(type_), self.maybe(value))
            case ast.AugAssign(target, sign, value):
                return nodes.Augment(self.expression(target), SIGNS[type(sign)], self.expression(value))
            case ast.Break():
                return nodes.Break()
            case ast.Continue():
                return nodes.Continue()
            case ast.Pass():
                return nodes.Pass()
            case ast.If(test, body, other):
                return nodes.If(self.expression(test), self.statements(body), self.statements(other))
            case ast.For(target, over, body, []):
                return nodes.For(self.expression(target), self.expression(over), self.statements(body))
            case ast.While(test, body, []):
                return nodes.While(self.expression(test), self.statements(body))
            case ast.Try(body, [ast.ExceptHandler(ast.expr() as errors, name, handler)], [], []):
                return nodes.Try(self.statements(body), self.expression(errors), name, self.statements(handler))
            case ast.FunctionDef(name, ast.arguments([], parameters, None, [], [], None, []), body, [], answer):
                types = [each.annotation for each in parameters] + [answer]
                known = tuple(self.expression(each) for each in types if each is not None)
                if len(known) in (0, len(types)) and not getattr(node, "type_params", ()):
                    return nodes.Function(name, tuple(each.arg for each in parameters), self.statements(body), known)
        raise ValueError(f"no node for {type(node).__name__}")

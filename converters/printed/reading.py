"""Read Python text into nodes: constant texts of ours (templates.py), and what the printer wrote (wall.py).

Only the kinds of nodes.py can be read. Anything else is a ValueError.
"""

import ast

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
    Hole,
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
    Return,
    Slice,
    Statement,
    Try,
    While,
)

SIGNS: dict[type[ast.AST], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Is: "is", ast.IsNot: "is not",
    ast.In: "in", ast.NotIn: "not in", ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%",
    ast.BitAnd: "&", ast.BitOr: "|", ast.LShift: "<<", ast.RShift: ">>", ast.And: "and", ast.Or: "or",
}  # fmt: skip
"""The operators, by their class in `ast`."""


def read_expression(text: str, *, holes: bool = False) -> Expression:
    """Return the tree of an expression. With `holes`, a name or number in braces is a place for another expression.

    >>> read_expression("len({0}) < 9", holes=True).first
    Call(function=Name(id='len'), arguments=(Hole(name='0'),), named=())
    """
    return _Reader(text, holes=holes).expression(ast.parse(text, mode="eval").body)


def read_module(text: str, names: frozenset[str] = frozenset()) -> tuple[Statement, ...]:
    """Return the trees of the statements of a module. Variables with one of the `names` are places for other nodes.

    >>> read_module("SUM += 1", frozenset({"SUM"}))[0].target
    Hole(name='SUM')
    """
    return _Reader(text, holes=False, names=names).statements(ast.parse(text).body)


class _Reader:
    def __init__(self, text: str, *, holes: bool, names: frozenset[str] = frozenset()) -> None:
        self.lines = text.split("\n")
        self.holes = holes
        self.names = names

    def several(self, nodes: list[ast.expr]) -> tuple[Expression, ...]:
        return tuple(map(self.expression, nodes))

    def maybe(self, node: ast.expr | None) -> Expression | None:
        return None if node is None else self.expression(node)

    def expression(self, node: ast.expr) -> Expression:
        match node:
            case ast.Set([ast.Name(name)]) if self.holes:
                return Hole(name)
            case ast.Set([ast.Constant(number)]) if self.holes:
                return Hole(str(number))
            case ast.Name(name):
                return Hole(name) if name in self.names else Name(name)
            case ast.Constant(value):
                return Literal(value, hexadecimal=self.lines[node.lineno - 1].startswith("0x", node.col_offset))
            case ast.UnaryOp(ast.USub(), ast.Constant(value)) if type(value) in (int, float):
                return Literal(-value)  # type: ignore[operator]  # a number
            case ast.Attribute(of, name):
                return Attribute(self.expression(of), name)
            case ast.Call(function, arguments, keywords) if all(each.arg is not None for each in keywords):
                named = tuple((str(each.arg), self.expression(each.value)) for each in keywords)
                return Call(self.expression(function), self.several(arguments), named)
            case ast.Subscript(of, index):
                return Item(self.expression(of), self.expression(index))
            case ast.Slice(start, stop, None):
                return Slice(self.maybe(start), self.maybe(stop))
            case ast.Compare(first, signs, others):
                pairs = zip(signs, others, strict=True)
                return Compare(
                    self.expression(first), tuple((SIGNS[type(sign)], self.expression(right)) for sign, right in pairs)
                )
            case ast.BoolOp(word, parts):
                return Junction(SIGNS[type(word)], self.several(parts))
            case ast.UnaryOp(ast.Not(), of):
                return Not(self.expression(of))
            case ast.BinOp(left, sign, right) if type(sign) in SIGNS:
                return Operation(self.expression(left), SIGNS[type(sign)], self.expression(right))
            case ast.IfExp(test, then, other):
                return Choice(self.expression(test), self.expression(then), self.expression(other))
            case ast.NamedExpr(ast.Name(name), value):
                return Named(name, self.expression(value))
            case ast.Dict(keys, values):
                pairs_of = zip(keys, values, strict=True)
                return Dictionary(tuple((self.maybe(key), self.expression(value)) for key, value in pairs_of))
            case ast.ListComp(made, [ast.comprehension(ast.Name(name), over, tests, 0)]) if len(tests) < 2:
                return ListOf(name, self.expression(over), self.maybe(next(iter(tests), None)), self.expression(made))
        return self.display(node)

    def display(self, node: ast.expr) -> Expression:
        match node:
            case ast.Tuple(members):
                return Display("()", self.several(members))
            case ast.List(members):
                return Display("[]", self.several(members))
            case ast.Set(members):
                return Display("{}", self.several(members))
        raise ValueError(f"no node for {type(node).__name__}")

    def statements(self, nodes: list[ast.stmt]) -> tuple[Statement, ...]:
        return tuple(map(self.statement, nodes))

    def statement(self, node: ast.stmt) -> Statement:
        match node:
            case ast.Assign([target], value):
                return Assign(self.expression(target), self.expression(value))
            case ast.Expr(value):
                return Do(self.expression(value))
            case ast.Return(ast.expr() as value):
                return Return(self.expression(value))
            case ast.Raise(ast.expr() as value, None):
                return Raise(self.expression(value))
            case ast.Raise(ast.expr() as value, ast.Constant(None)):
                return Raise(self.expression(value), hiding=True)
            case ast.AnnAssign(ast.Name(name), type_, value, 1):
                return Declare(name, self.expression(type_), self.maybe(value))
            case ast.AugAssign(target, sign, value):
                return Augment(self.expression(target), SIGNS[type(sign)], self.expression(value))
            case ast.Break():
                return Break()
            case ast.Continue():
                return Continue()
            case ast.Pass():
                return Pass()
            case ast.If(test, body, other):
                return If(self.expression(test), self.statements(body), self.statements(other))
            case ast.For(target, over, body, []):
                return For(self.expression(target), self.expression(over), self.statements(body))
            case ast.While(test, body, []):
                return While(self.expression(test), self.statements(body))
            case ast.Try(body, [ast.ExceptHandler(ast.expr() as errors, name, handler)], [], []):
                return Try(self.statements(body), self.expression(errors), name, self.statements(handler))
            case ast.FunctionDef(name, ast.arguments([], parameters, None, [], [], None, []), body, [], answer):
                types = [each.annotation for each in parameters] + [answer]
                known = tuple(self.expression(each) for each in types if each is not None)
                if len(known) in (0, len(types)) and not getattr(node, "type_params", ()):
                    return Function(name, tuple(each.arg for each in parameters), self.statements(body), known)
        raise ValueError(f"no node for {type(node).__name__}")

"""A mypy plugin for mypyc, which makes compiled code behave as Python does in three points, and names texts that are keys.

Fields of compiled dataclasses and arguments of public calls accept any object. A handwritten message may have a value of the
wrong type; `encode` then names the field. mypyc would refuse it earlier, with a TypeError that names nothing. Type checkers
still see the declared types.

A dataclass may be generic. mypyc compiles none that inherits from Generic, and the collector would see its objects; the plugin
removes this base, but not the type's parameters.

Plain dataclasses get the `__init__` that `dataclasses` would make (constructors.py), so that it is compiled.

`raise ... from None` hides the error that was being handled. mypyc drops `from`, so the plugin makes it
`raise ....with_traceback(None)`, which operations.py compiles to a call that hides it.

A text that is decoded into the variable `key` is a key, of which messages have the same again and again: operations.py keeps
the last ones. The plugin marks it by a step, `data[begin:end:1].decode()`.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from constructors import constructors
from mypy.errors import Errors
from mypy.fastparse import parse
from mypy.nodes import (
    ARG_POS,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    FuncDef,
    IndexExpr,
    IntExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RaiseStmt,
    SliceExpr,
    Var,
)
from mypy.options import Options
from mypy.plugin import ClassDefContext, Plugin, ReportConfigContext
from mypy.plugins.dataclasses import dataclass_class_maker_callback
from mypy.types import AnyType, CallableType, TypeOfAny

ANY = AnyType(TypeOfAny.explicit)
ROOM = "mqconvert.converters."
OPEN = (f"{ROOM}model.values.", f"{ROOM}model.bodies.", f"{ROOM}protocols.", f"{ROOM}running.")
CALLS = tuple(f"{ROOM}{name}" for name in ("protocols.calls", "running", "converting", "transcoding", "engine.report"))
"""The public functions and methods that are compiled."""
_OPTIONS = Options()


class AnyFields(Plugin):
    def get_class_decorator_hook_2(self, fullname: str) -> Callable[[ClassDefContext], bool] | None:
        return _opened if fullname == "dataclasses.dataclass" else None

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Add constructors, open the calls and change `raise`, before mypy reads annotations and names."""
        if file.fullname.startswith(ROOM):
            _change(file)
            self._construct(file)
        if file.fullname in CALLS:
            for statement in file.defs:
                if isinstance(statement, FuncDef):
                    _open_arguments(statement, 0)
                for method in statement.defs.body if isinstance(statement, ClassDef) else ():
                    if isinstance(method, FuncDef) and not method.name.startswith("_"):
                        _open_arguments(method, 1)
        return []

    def _construct(self, file: MypyFile) -> None:
        """Add `__init__` to the dataclasses of a module."""
        made = constructors(Path(file.path).read_text(encoding="utf-8"))
        for class_ in file.defs:
            if isinstance(class_, ClassDef) and class_.name in made:
                (function,) = parse(made[class_.name], file.path, file.fullname, Errors(_OPTIONS), _OPTIONS).defs
                class_.defs.body.append(function)

    def report_config_data(self, context: ReportConfigContext) -> Any:
        """Return other data on checking mypy's cache than on writing it: a cached module would keep its calls and `raise`."""
        return context.is_check if context.id.startswith(ROOM) else None


BLOCKS = ("defs", "func", "body", "else_body", "handlers", "finally_body", "bodies")
"""The attributes of statements that hold statements."""


def _change(part: Any) -> None:
    """Make each `raise ... from None` below a part of a module a call, and mark keys (see above)."""
    if isinstance(part, list | tuple):
        for one in part:
            _change(one)
    elif isinstance(part, RaiseStmt):
        none = part.from_expr
        if part.expr is not None and isinstance(none, NameExpr) and none.name == "None":
            call = CallExpr(MemberExpr(part.expr, "with_traceback"), [none], [ARG_POS], [None])
            call.set_line(part)
            call.callee.set_line(part)
            part.expr, part.from_expr = call, None
    elif isinstance(part, AssignmentStmt):
        _mark_key(part)
    elif isinstance(part, Node):
        for name in BLOCKS:
            _change(getattr(part, name, None))


def _mark_key(statement: AssignmentStmt) -> None:
    """Mark a slice of bytes that is decoded into `key`."""
    target, call = statement.lvalues[0], statement.rvalue
    if isinstance(target, NameExpr) and target.name == "key" and isinstance(call, CallExpr):
        of = call.callee.expr if isinstance(call.callee, MemberExpr) and call.callee.name == "decode" else None
        if isinstance(of, IndexExpr) and isinstance(of.index, SliceExpr) and of.index.stride is None:
            of.index.stride = IntExpr(1)


def _opened(context: ClassDefContext) -> bool:
    if context.cls.fullname.startswith(OPEN):
        _open(context.cls.defs)
        context.cls.removed_base_type_exprs.clear()  # where mypy keeps Generic
    return dataclass_class_maker_callback(context)


def _open(body: Block) -> None:
    for statement in body.body:
        if isinstance(statement, AssignmentStmt) and statement.new_syntax:
            target = statement.lvalues[0]
            if isinstance(target, NameExpr) and isinstance(target.node, Var):
                target.node.type = statement.type = ANY
        elif isinstance(statement, FuncDef) and statement.name == "__init__":
            _open_arguments(statement, 1)


def _open_arguments(function: FuncDef, first: int) -> None:
    """Let the arguments from `first` on be any object, but for `**options`."""
    if not isinstance(function.type, CallableType):
        return
    types = list(function.type.arg_types)
    for at, argument in enumerate(function.arguments[first:], first):
        if not argument.kind.is_star():
            types[at] = argument.variable.type = argument.type_annotation = ANY
    function.type = function.unanalyzed_type = function.type.copy_modified(arg_types=types)


def plugin(_version: str) -> type[Plugin]:
    return AnyFields

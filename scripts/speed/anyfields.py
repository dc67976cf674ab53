"""A mypy plugin for mypyc: fields of compiled dataclasses and arguments of public calls accept any object, as in Python.

A handwritten message may have a value of the wrong type; `encode` then names the field. mypyc would refuse it earlier, with a
TypeError that names nothing. Type checkers still see the declared types.
"""

from collections.abc import Callable
from typing import Any

from mypy.nodes import AssignmentStmt, Block, ClassDef, FuncDef, MypyFile, NameExpr, Var
from mypy.plugin import ClassDefContext, Plugin, ReportConfigContext
from mypy.plugins.dataclasses import dataclass_class_maker_callback
from mypy.types import AnyType, CallableType, TypeOfAny

ANY = AnyType(TypeOfAny.explicit)
ROOM = "mqconvert.converters."
OPEN = (f"{ROOM}model.values.", f"{ROOM}model.bodies.", f"{ROOM}protocols.", f"{ROOM}running.")
CALLS = (f"{ROOM}protocols.calls", f"{ROOM}running")
"""The public functions and methods that are compiled."""


class AnyFields(Plugin):
    def get_class_decorator_hook_2(self, fullname: str) -> Callable[[ClassDefContext], bool] | None:
        return _opened if fullname == "dataclasses.dataclass" else None

    def get_additional_deps(self, file: MypyFile) -> list[tuple[int, str, int]]:
        """Open the calls, before mypy reads their annotations."""
        if file.fullname in CALLS:
            for statement in file.defs:
                if isinstance(statement, FuncDef):
                    _open_arguments(statement, 0)
                for method in statement.defs.body if isinstance(statement, ClassDef) else ():
                    if isinstance(method, FuncDef) and not method.name.startswith("_"):
                        _open_arguments(method, 1)
        return []

    def report_config_data(self, context: ReportConfigContext) -> Any:
        """Return other data on checking mypy's cache than on writing it, for the calls: a cached module is not opened."""
        return context.is_check if context.id in CALLS else None


def _opened(context: ClassDefContext) -> bool:
    if context.cls.fullname.startswith(OPEN):
        _open(context.cls.defs)
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

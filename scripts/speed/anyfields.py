"""A mypy plugin for mypyc: fields of compiled dataclasses accept any object, as in Python.

A handwritten message may have a value of the wrong type; `encode` then names the field. mypyc would refuse it earlier, with a
TypeError. Type checkers still see the declared types.
"""

from collections.abc import Callable

from mypy.nodes import AssignmentStmt, Block, FuncDef, NameExpr, Var
from mypy.plugin import ClassDefContext, Plugin
from mypy.plugins.dataclasses import dataclass_class_maker_callback
from mypy.types import AnyType, CallableType, TypeOfAny

ANY = AnyType(TypeOfAny.explicit)
ROOM = "mqconvert.converters."
OPEN = (f"{ROOM}model.values.", f"{ROOM}model.bodies.", f"{ROOM}protocols.", f"{ROOM}running.")


class AnyFields(Plugin):
    def get_class_decorator_hook_2(self, fullname: str) -> Callable[[ClassDefContext], bool] | None:
        return _opened if fullname == "dataclasses.dataclass" else None


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
        elif isinstance(statement, FuncDef) and statement.name == "__init__" and isinstance(statement.type, CallableType):
            own, *others = statement.type.arg_types
            statement.type = statement.type.copy_modified(arg_types=[own, *(ANY for _ in others)])
            for argument in statement.arguments[1:]:
                argument.variable.type = ANY


def plugin(_version: str) -> type[Plugin]:
    return AnyFields

"""Marks for the compiler (mypyc) that the interpreter ignores, so that one source serves both.

Slices of bytes in compiled modules begin where there are bytes, or where these end: beyond, and before a slice's own end only,
mypyc 2.4 raises SystemError instead of giving none.

`make speed` compiles the modules that scripts/speed lists; mypyc reads the marks as those of `mypy_extensions`, which is not
needed at run time. No class may be `acyclic`: mypy 2.4 frees such objects through CPython's trashcan, which writes into the
header of the collector that they lack, so that deeply nested values are corrupted.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i64, mypyc_attr
else:
    i64 = int
    Class = TypeVar("Class", bound=type)

    def mypyc_attr(**_marks: Any) -> Callable[[Class], Class]:
        """Decorate a class with attributes for mypyc; gives the class back as it is."""
        return lambda class_: class_


def enter_recursion() -> None:
    """Raise RecursionError where calls nest too deep, which compiled code does not by itself (scripts/speed/operations.h)."""


def leave_recursion() -> None:
    """Do so at the end of a call that began with `enter_recursion`."""


__all__ = ["enter_recursion", "i64", "leave_recursion", "mypyc_attr"]

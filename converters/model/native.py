"""Marks for the compiler (mypyc) that the interpreter ignores, so that one source serves both.

Slices of bytes in compiled modules must begin within the bytes or at their end. Beyond it, mypyc 2.4 raises SystemError for a
slice that is not empty.

`make speed` compiles the modules that scripts/speed lists. mypyc reads the marks as those of `mypy_extensions`, without needing
that package at run time. The collector does not see objects of `acyclic` classes: those that contain themselves stay in memory.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from mypy_extensions import i16, i32, i64, mypyc_attr, u8
else:
    i16 = i32 = i64 = u8 = int
    Class = TypeVar("Class", bound=type)

    def mypyc_attr(**_marks: object) -> Callable[[Class], Class]:
        """Return the class unchanged; the arguments are attributes for mypyc."""
        return lambda class_: class_


def enter_recursion() -> None:
    """Raise RecursionError where calls nest too deep, which compiled code does not by itself (scripts/speed/operations.h)."""


def leave_recursion() -> None:
    """Do so at the end of a call that began with `enter_recursion`."""


__all__ = ["enter_recursion", "i16", "i32", "i64", "leave_recursion", "mypyc_attr", "u8"]

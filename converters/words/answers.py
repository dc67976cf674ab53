"""The answers of transforms that are no value: NOT_MINE, Loss and Partial; and how the next transform takes them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from mqconvert.converters.model.native import mypyc_attr


class NotMine:
    """The class of NOT_MINE."""

    __slots__ = ()


NOT_MINE: Final = NotMine()
"""A transform's answer to a value that is for the next row."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Loss:
    """The reason why a value is lost."""

    reason: str


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Partial:
    """The part of a value that could be kept, and the reason for the loss of the rest."""

    value: Any
    reason: str


def kept(answer: object) -> Any:
    """Return the kept value of a transform's answer: the answer itself or a Partial's value, None for a loss.

    >>> kept(5), kept(Partial(5, "its type")), kept(Loss("all of it")), kept(NOT_MINE)
    (5, 5, None, None)
    """
    if isinstance(answer, Partial):
        return answer.value
    return None if isinstance(answer, (Loss, NotMine)) else answer


class InTurn:
    """Transforms one after the other, as a transform: each gets the result of the one before, number `reader` the reads too.

    `make` returns their functions. It is called on the first call, since expressions make some of them.
    """

    __slots__ = ("_functions", "_make", "_reader")

    def __init__(self, make: Callable[[], list[Callable[..., Any]]], reader: int = 0) -> None:
        self._make = make
        self._reader = reader
        self._functions: list[Callable[..., Any]] = []

    def __call__(self, made: object, *reads: object) -> object:
        if not self._functions:
            self._functions = self._make()
        for at in range(len(self._functions)):
            made = _handed_on(self._functions[at], made, reads if at == self._reader else ())
        return made


def _handed_on(function: Callable[..., object], made: object, reads: tuple[object, ...]) -> object:
    """Return the result of the next transform. The first of two partial values gives the reason."""
    if isinstance(made, Partial):
        following = function(made.value, *reads) if reads else function(made.value)
        if isinstance(following, (Loss, NotMine)):
            return following
        return Partial(following.value if isinstance(following, Partial) else following, made.reason)
    if isinstance(made, (Loss, NotMine)):
        return made
    return function(made, *reads) if reads else function(made)  # without a list of arguments, in the usual case

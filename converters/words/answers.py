"""The answers of transforms that are no value: NOT_MINE, Loss and Partial."""

from dataclasses import dataclass
from typing import Any, Final


class NotMine:
    """The class of NOT_MINE."""

    __slots__ = ()


NOT_MINE: Final = NotMine()
"""A transform's answer to a value that is for the next row."""


@dataclass(init=False, slots=True)
class Loss:
    """The reason why a value is lost."""

    reason: str

    def __init__(self, reason: str) -> None:
        self.reason = reason


@dataclass(init=False, slots=True)
class Partial:
    """The part of a value that could be kept, and the reason for the loss of the rest."""

    value: Any
    reason: str

    def __init__(self, value: Any, reason: str) -> None:
        self.value = value
        self.reason = reason

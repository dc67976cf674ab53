"""Text in lines of a width: cells cut in the middle, words that go on below."""

from collections.abc import Iterable
from textwrap import fill
from unicodedata import combining, east_asian_width


def columns(text: str) -> int:
    """Return the columns of a terminal that a text takes: two for a wide character, none for a mark on the one before.

    >>> columns("a/b"), columns("温度"), columns("e\u0301")
    (3, 4, 1)
    """
    if text.isascii():
        return len(text)
    return sum(0 if combining(one) else 2 if east_asian_width(one) in ("W", "F") else 1 for one in text)


def cut(text: str, width: int, *, ends: bool = True) -> str:
    """Return a text of at most a width, with an ellipsis in its middle, or without both `ends` behind its beginning.

    >>> cut("amqp091_to_amqp10.toml", 15), cut("amqp091_to_amqp10.toml", 15, ends=False)
    ('amqp091…10.toml', 'amqp091_to_amq…')
    """
    if columns(text) <= width:
        return text
    behind = _beginning(text[::-1], width // 2)[::-1] if ends else ""
    return f"{_beginning(text, width - 1 - columns(behind))}…{behind}"


def _beginning(text: str, width: int) -> str:
    """Return as much of a text as a width has room for."""
    text = text[: 2 * width]
    while columns(text) > width:
        text = text[:-1]
    return text


def folded(cells: Iterable[str], width: int) -> str:
    """Return the cells of a row, but the empty ones, in lines of a width; longer ones go on below, indented.

    >>> print(folded(["retain", "", "dropped", "no counterpart"], 24))
      retain  dropped  no
          counterpart
    """
    line = "  ".join(filter(None, cells))
    return fill(line, width, initial_indent="  ", subsequent_indent=" " * 6, break_on_hyphens=False)

"""The paths of fields in reports and errors. mypyc compiles this module, since every loss writes a path."""

from typing import Final

LONGEST_KEY: Final = 256
"""Maximum characters of a key in a field path. All keys of AMQP 0.9.1 are shorter."""


def path(place: str, key: object | None) -> str:
    """Return a field path as reports write it.

    A key may have a mebibyte, and every loss inside its value repeats it: a long key is cut to its two ends with its length.

    >>> path("application_properties", "k"), path("body", 1), path("payload", None)
    ('application_properties["k"]', 'body[1]', 'payload')
    >>> len(path("footer", "k" * 2**20))
    216
    """
    if key is None:
        return place
    if isinstance(key, int):
        return f"{place}[{key}]"
    text = str(key)
    return f'{place}["{text if len(text) <= LONGEST_KEY else _bounded(text)}"]'


def printable(text: str) -> str:
    """Escape line ends and terminal control sequences in the keys of a line.

    >>> printable("a\\nb")
    'a\\\\nb'
    """
    return "".join([character if character.isprintable() else repr(character)[1:-1] for character in text])


Spans = dict[str, tuple[int, int]]
"""The bytes of each place of a message: the offsets of the first one and of the one behind them, by the place's path.

The paths of equal keys are numbered from the second one on: `headers["k"]#2`.
"""


def note_member(spans: Spans, copies: dict[str, int], place: str, key: object, begin: int, end: int) -> None:
    """Note the bytes of an entry of a map, or an element of a list; `copies` counts those of equal keys.

    >>> spans: Spans = {}
    >>> copies: dict[str, int] = {}
    >>> for begin in (5, 9):
    ...     note_member(spans, copies, "headers", "k", begin, begin + 4)
    >>> spans
    {'headers["k"]': (5, 9), 'headers["k"]#2': (9, 13)}
    """
    where = path(place, key)
    number = copies.get(where, 0) + 1
    copies[where] = number
    spans[where if number == 1 else f"{where}#{number}"] = begin, end


def note(spans: Spans, place: str, begin: int, end: int) -> None:
    """Note bytes of a place, which may have others before them."""
    first, _ = spans.get(place, (begin, end))
    spans[place] = first, end


def _bounded(key: str) -> str:
    return f"{key[:120]}...({len(key)} characters)...{key[-60:]}"

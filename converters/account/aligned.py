"""The rows of an explanation as lines of text: in aligned columns, also within a width."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap

from mqconvert.converters.account.folding import columns, cut
from mqconvert.converters.account.shown import Shown, shortened
from mqconvert.converters.model.paths import printable

Row = tuple[str, tuple[str, ...]]
"""The outcome of a row, and its cells."""

Styled = Callable[[str, str], str]
"""Returns the text of an outcome in its style; see `explained`."""

ARROW = "->"
BEFORE = f"{ARROW}  "
"""What stands before the path of a target."""


def aligned(rows: Iterable[Row], width: int | None = None, styled: Styled | None = None) -> Iterator[str]:
    """Align the columns of rows; the text of a row without a target may be longer than its column.

    In a `width`, lines of tables go first, then the ids of rows where paths would be cut beside them. Values are cut before
    paths, and longer texts continue on the next line.
    """
    joined = _joined(rows)
    listed = [tuple(map(_cell, (shortened(row[0]), *row[1:]))) for _, row in joined]
    full = [row for row in listed if len(row) > 3]
    widths = [max((columns(row[at]) for row in (listed if at < 2 else full)), default=0) for at in range(6)]
    widths[1] = max(widths[1], 10)
    if width is not None:
        listed = _fitted(listed, widths, width)
    for (outcome, _), row in zip(joined, listed, strict=True):
        field, value = map(_aligned, row[:2], widths, _PATHS_AT)
        if len(row) > 3:
            told = "  ".join(map(_aligned, row[2:], widths[2:], _PATHS_AT[2:])).rstrip()
            parts = [(told[: len(ARROW)], told[len(ARROW) :])]
        else:
            parts = [(line, "") for line in wrapped(row[2], width, 6 + columns(field + value))]
        shown = [(part if styled is None else styled(outcome, part)) + rest for part, rest in parts]
        yield f"\n{' ' * (6 + columns(field + value))}".join([f"  {field}  {value}  {shown[0]}", *shown[1:]])
        if width is not None and columns(row[1]) > widths[1] and isinstance(row[1], Shown) and row[1].parts:
            begin = 4 + columns(field)
            yield " " * begin + cut(row[1].parts, width - begin, ends=False)


def _joined(rows: Iterable[Row]) -> list[Row]:
    """Return rows; those that differ in their rule alone are one, such as an entry that a last rule puts again, in order."""
    found: list[tuple[str, tuple[str, ...], list[str]]] = []
    same: dict[tuple[str, ...], list[list[str]]] = {}
    for outcome, (*begin, by) in rows:
        alike = same.setdefault(tuple(begin[:4]), []) if len(begin) > 3 else []
        rules = next((rules for rules in alike if by not in rules), None)
        if rules is None:
            found.append((outcome, tuple(begin), [by]))
            alike.append(found[-1][2])
        else:
            rules.append(by)
    return [(outcome, (*begin, ", ".join(rules))) for outcome, begin, rules in found]


def _cell(text: str) -> str:
    """Return the text of a cell without control characters."""
    if isinstance(text, Shown):
        return Shown(printable(text), printable(text.bare), printable(text.parts))
    return printable(text)


_PATHS, _VALUES, _OUTCOME = 8, 10, 30
"""The least columns of a path, of a value, and of an outcome beside its field."""
_NARROW = 8
"""The least columns of a value where even the least paths leave no more."""


def _fitted(listed: list[tuple[str, ...]], widths: list[int], width: int) -> list[tuple[str, ...]]:
    """Return the rows that fit a width, and narrow their columns."""
    if _line(widths) > width:
        listed = [(*row[:4], *row[5:]) if len(row) > 3 else row for row in listed]
        del widths[4]
    if _line([widths[0], _VALUES, widths[2], _VALUES, widths[4]]) > width:
        listed = [row[:4] for row in listed]
        del widths[4]
    outcome = _OUTCOME if any(len(row) == 3 for row in listed) else 0
    for places, least in (((1, 3), _VALUES), ((0, 2), _PATHS), ((1, 3), _NARROW)):
        while _line(widths) > width or _line([*widths[:2], outcome]) > width:
            at = max((at for at in places if at < 2 or _line(widths) > width), key=widths.__getitem__)
            if widths[at] <= least:
                break
            widths[at] -= 1
    return listed


def _line(widths: list[int]) -> int:
    """Return the width of a line with these columns."""
    return sum(2 + one for one in widths)


_PATHS_AT = (0, None, len(BEFORE), None, None, None)
"""Where the path begins in a cell of each column; None for columns without paths."""


def _aligned(cell: str, width: int, path_at: int | None) -> str:
    """Return a cell as wide as its column: values keep the beginning, and texts and numbers not their type."""
    if isinstance(cell, Shown):
        text = cut(cell.bare if columns(cell) > width else str(cell), width, ends=False)
    else:
        text = cut(cell, width) if path_at is None else cell[:path_at] + _path(cell[path_at:], width - path_at)
    return text + " " * (width - columns(text))


_MAP = 5
"""The least columns of the name of a map before a key that is cut."""


def _path(path: str, width: int) -> str:
    """Return a path of at most a width. An entry gives up its section first, then the end of its map, then its key's middle.

    >>> for width in (36, 34, 28, 20):
    ...     print(_path('basic.headers["x-first-death-queue"]', width))
    basic.headers["x-first-death-queue"]
    headers["x-first-death-queue"]
    head…["x-first-death-queue"]
    head…["x-fir…queue"]
    """
    place, bracket, key = path.partition("[")  # the first one: names of fields have none
    if columns(path) <= width or not bracket:
        return cut(path, width)
    entry = bracket + key
    map_ = cut(place.rpartition(".")[2], max(min(_MAP, width // 4), width - columns(entry)), ends=False)
    return map_ + cut(entry, width - columns(map_))


def wrapped(text: str, width: int | None, at: int = 0) -> list[str]:
    """Return the lines of a text that begins in the column `at`, and continues below itself."""
    if width is None or at + columns(text) <= width:
        return [text.rstrip()]
    return wrap(text, max(width - at, _PATHS), break_on_hyphens=False)

"""The rows of a table file as they are written: their columns, and the check of each column by itself.

A column is one row of COLUMNS. rules.py makes checked rules of rows.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

from mqconvert.converters.errors import RuleTableError, did_you_mean

MOST_CHARACTERS = 16_384
"""Maximum length of a text in a row. Checking a row takes time in proportion to it."""

MOST_MEMBERS = 100
"""Maximum members of a list or table in a row."""

KINDS = ("start", "rules", "types", "finish")
"""The kinds of rows of a table, in the order in which they act: `start` rows prepare a place of the source, `finish` rows
see the target last, other rows call `types` rows for the values of entries."""

CARRIED = "carried"
"""The kinds of rows in a protocol's file that expand to one row for each way."""


SCOPES: dict[str, tuple[str | None, ...]] = {
    "top": (None, "top"),
    "nested": (None, "nested"),
    "entry": (None, "nested", "entry"),
    "key": ("key",),
}
"""The values of type rows by their `scope`: entries of the message itself, elements of lists, values of maps, their keys."""


class Column(NamedTuple):
    """A column: the kinds of rows that may have it, by default all of a table, and those that need it."""

    kinds: tuple[str, ...] = KINDS
    type: type = str
    """The type of its values; the members of a list are texts."""
    needed: tuple[str, ...] = ()
    beside: str = ""
    """The column that it requires in `rules`."""
    values: tuple[str, ...] = ()
    """Its values, if they are few."""
    makes: bool = False
    """Whether it is for rows of `rules` that make something, or refuse."""


COLUMNS = {
    "from": Column(("rules",), needed=("rules",)),
    "at": Column(("start", "finish"), needed=("start", "finish")),
    "type": Column(("rules", "types", "finish"), needed=("types",)),
    "when": Column(("rules", "types", "finish")),
    "to": Column(("rules",), makes=True),
    "as": Column(("rules", "types"), beside="to", makes=True),
    "via": Column(needed=("start",), beside="to", makes=True),
    "note": Column(),
    "cite": Column(),
    "set": Column(("rules",), dict, makes=True),
    "taken": Column(("rules",), beside="to", values=("drop", "next"), makes=True),
    "first": Column(("rules",), bool),
    "more": Column(("rules",), bool),
    "reads": Column(("rules", "types", "finish"), list),
    "uses": Column(("rules",), bool, beside="reads", makes=True),
    "closes": Column(("rules",), list, beside="to", makes=True),
    "scope": Column(("types",), values=tuple(SCOPES)),
    "error": Column(("rules", "finish"), makes=True),
    "option": Column(("rules", "finish")),
    "frame": Column(("rules", "finish")),
    "lost": Column(("rules", "types")),
    "whole": Column(("finish",), bool),
    "id": Column(),
    "before": Column(),
    "after": Column(),
    "replace": Column(),
}
"""Every column of a row of a table."""

CARRIED_COLUMNS = {
    "id": Column(needed=(CARRIED,)),
    "field": Column(needed=(CARRIED,)),
    "as": Column(needed=(CARRIED,)),
    "when": Column(),
    "note": Column(),
    "cite": Column(),
}
"""Every column of a `carried` row."""

STEERING = ("before", "after", "replace")
"""Columns with the position of an overlay's row; they are not part of the row."""


class Checked:
    """A part of a table file that is refused with its file and line: the file itself, a row, or the rule of a row."""

    __slots__ = ()

    def wrong(self, problem: str, word: str | None = None) -> RuleTableError:
        """Return the error that refuses it; for a file, `word` is in the line."""
        raise NotImplementedError

    def refuse_if(self, fault: object, problem: str, word: str | None = None) -> None:
        if fault:
            raise self.wrong(problem, word)


@dataclass(frozen=True, slots=True)
class Row(Checked):
    """An unchecked row and its position: in an overlay, a shared file, or as one half of a row for both ways."""

    columns: dict[str, Any]
    file: str
    line: int

    def wrong(self, problem: str, _word: str | None = None) -> RuleTableError:
        id_ = self.columns.get("id")  # any value of TOML: check_columns tells of other types
        return RuleTableError(problem, file=self.file, line=self.line, rule=id_ if isinstance(id_, str) else None)


def check_columns(written: Row, kind: str) -> None:
    """Refuse columns that rows of the kind do not have, those of a wrong type, and a row without one that its kind needs."""
    known = CARRIED_COLUMNS if kind == CARRIED else COLUMNS
    for name, value in written.columns.items():
        column = known.get(name)
        if column is None:
            fault = f"unknown column {name!r}{_MEANT.get(name) or did_you_mean(name, known)}"
        elif kind != CARRIED and kind not in column.kinds:
            fault = f"column {name!r} has no meaning in a row of {kind}"
        elif longest(value) > MOST_CHARACTERS:
            fault = f"column {name!r} has a text of more than {MOST_CHARACTERS} characters"
        elif isinstance(value, list | dict) and len(value) > MOST_MEMBERS:
            fault = f"column {name!r} has more than {MOST_MEMBERS} members"
        elif not isinstance(value, column.type) or (column.type is list and not texts(value)):
            fault = f"column {name!r} is not a {_WORDS[column.type]}"
        elif column.values and value not in column.values:
            fault = f"{name} = {value!r} is not one of {', '.join(column.values)}"
        else:
            continue
        raise written.wrong(fault)
    for name, column in known.items():
        missing = kind in column.needed and name not in written.columns
        written.refuse_if(missing, f"a row of {kind} needs {name!r}{_NEEDED.get((kind, name), '')}")


_NEEDED = {("rules", "from"): """: a field, or "@constant" with 'set' for a value of your own"""}

_MEANT = {
    "drop": ": a row without 'to' drops what it takes, and 'note' says why",
    "remove": ": it stands beside 'rules', as a list of ids",
    **dict.fromkeys(("if", "condition", "where"), " (did you mean 'when'?)"),
    **dict.fromkeys(("transform", "function", "convert"), " (did you mean 'via'?)"),
    **dict.fromkeys(("source", "field"), " (did you mean 'from'?)"),
    **dict.fromkeys(("target", "rename"), " (did you mean 'to'?)"),
}
"""Columns that people try, with what to write instead."""


def longest(value: object) -> int:
    """Return the length of the longest text in a column, its keys included."""
    if isinstance(value, dict):
        return max((longest(part) for pair in value.items() for part in pair), default=0)
    if isinstance(value, list):
        return max(map(longest, value), default=0)
    return len(value) if isinstance(value, str) else 0


def texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(member, str) for member in value)


_WORDS = {str: "text", bool: "true or false", dict: 'table of places, { "PLACE" = VALUE }', list: "list of texts"}

"""Rule and RuleTable: the checked rows of a table file as frozen objects with file and line.

A table file is data (TOML, one row a line; mappings/README.md explains every column). This module checks each row by itself.
files.py reads files, tables.py makes tables of them, building.py checks rows against the message classes, and
trials.py runs their compiled function. All of them do so on loading and raise RuleTableError with file and line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from mqconvert.compiled import digest
from mqconvert.converters.errors import Remedy, RuleTableError, did_you_mean
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.paths import path

MOST_CHARACTERS = 16_384
"""Maximum length of a text in a row. Checking a row takes time in proportion to it."""

MOST_MEMBERS = 100
"""Maximum members of a list or table in a row."""

KINDS = ("start", "rules", "types", "finish")
"""The kinds of rows of a table, in the order in which they act: `start` rows prepare a place of the source, `finish` rows
see the target last, other rows call `types` rows for the values of entries."""

CARRIED = "carried"
"""The kinds of rows in a protocol's file that expand to one row for each way."""


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


COLUMNS = {
    "from": Column(("rules",), needed=("rules",)),
    "at": Column(("start", "finish"), needed=("start", "finish")),
    "type": Column(("rules", "types", "finish"), needed=("types",)),
    "when": Column(("rules", "types", "finish")),
    "to": Column(("rules",)),
    "as": Column(("rules", "types"), beside="to"),
    "via": Column(needed=("start",), beside="to"),
    "note": Column(),
    "cite": Column(),
    "set": Column(("rules",), dict),
    "taken": Column(("rules",), beside="to", values=("drop", "next")),
    "first": Column(("rules",), bool),
    "more": Column(("rules",), bool),
    "reads": Column(("rules", "types", "finish"), list),
    "uses": Column(("rules",), bool, beside="reads"),
    "closes": Column(("rules",), list, beside="to"),
    "scope": Column(("types",), values=("top", "nested", "entry", "key")),
    "error": Column(("rules", "finish")),
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

MAKING = ("to", "as", "via", "set", "taken", "uses", "closes", "error")
"""Columns of rows that make something, or refuse."""

ACCOUNTED = ("@caller", "@address", "@beside")
"""Targets of values that set no field: for the caller, as the address of the next leg, or read by another row.

`@beside[PLACE]` names the place of that row in the source, or several separated by bars. In the report, the target of the
first one that has a target implies the value."""

CONSTANT = "@constant"
"""The source of values from the row itself. Rows with `from = "@constant"` fill places that no other row filled."""

_BAR = re.compile(r"\|(?![^\[]*\])")
"""Matches between two places of `@beside[...]`, but not in a key."""

_DOTTED = re.compile(r"^([a-z0-9_]+\.[a-z0-9_]+)\.([^\[\]]+)\Z")
"""Matches an entry of a map, written as a field of it."""
_PLACE = re.compile(r"^(@?[a-z0-9_]+(?:\.[a-z0-9_]+)?)(?:\[(.+)\])?\Z")
_ID = re.compile(r"^[a-z0-9][a-z0-9.+_-]*\Z")
_CODE = re.compile(r"^[a-z][a-z0-9_]*\Z")
_OPTION = re.compile(r"^[a-z][a-z0-9_]*(=[^\s=]+)?\Z")
"""Matches an option of the caller, perhaps with its value."""


HUB, HUB_STEM = "amqp-1.0", "amqp10"
"""The protocol that other protocols' tables convert to and from, and its name in their pages."""


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


@dataclass(frozen=True, slots=True, eq=False)
class Rule(Checked):
    """One row. `source` and `target` are places without their keys; `columns` is the row as it was written.

    >>> Rule("ttl", "mine.toml", 7, {}, "header.ttl", target="basic.expiration").where
    'mine.toml:7'
    """

    id: str
    file: str
    line: int
    columns: Mapping[str, Any]
    source: str
    source_pattern: str | None = None
    target: str | None = None
    target_template: str | None = None
    type: str = "*"
    when: str | None = None
    as_: str | None = None
    via: str | None = None
    note: str | None = None
    cite: str | None = None
    constants: Mapping[str, object] = field(default_factory=dict)
    taken: str = "drop"
    first: bool = False
    more: bool = False
    reads: tuple[str, ...] = ()
    uses: bool = False
    closes: tuple[str, ...] = ()
    scope: str | None = None
    error: str | None = None
    option: str | None = None
    frame: str | None = None
    lost: str | None = None
    whole: bool = False
    unset: bool = False
    """In a report: the row's result equals the value of an unset target."""
    accounts: bool = field(init=False, repr=False)
    """Whether the value sets no field, since it belongs to the caller's side or to a field beside it."""
    makes_something: bool = field(init=False, repr=False)
    target_key: str | None = field(init=False, repr=False)
    """The key of the target, unless it has a part of the source's."""

    def __post_init__(self) -> None:
        accounts = self.target in ACCOUNTED or self.unset
        object.__setattr__(self, "accounts", accounts)
        object.__setattr__(self, "makes_something", (self.target is not None and not accounts) or bool(self.constants))
        key = self.target_template
        object.__setattr__(self, "target_key", key if key and "*" not in key else None)

    @property
    def beside(self) -> tuple[str, ...]:
        """Return the places of the source that already carry the value, in order; empty without `@beside`.

        >>> columns = {"id": "a", "from": "b", "to": "@beside[@address|properties.to]"}
        >>> rule_of(Row(columns, "mine.toml", 1), "rules").beside
        ('@address', 'properties.to')
        """
        return tuple(_BAR.split(self.target_template)) if self.target == "@beside" and self.target_template else ()

    @property
    def remedy(self) -> Remedy | None:
        """Return the option that avoids the refusal of a row with `error`.

        >>> rule_of(Row({"id": "a", "from": "b", "error": "c", "option": "payload=envelope"}, "mine.toml", 1), "rules").remedy
        Remedy(option='payload', value='envelope')
        """
        return Remedy(*self.option.split("=", 1)) if self.option else None

    @property
    def absent(self) -> bool:
        return self.type == "absent"

    @property
    def drops(self) -> bool:
        """Return whether the row drops its value on purpose, without a field, an account or a refusal."""
        others = self.makes_something, self.accounts, self.error, self.lost
        return "from" in self.columns and not any(others)

    @property
    def section(self) -> bool:
        """Return whether the row replaces one or more whole sections."""
        return bool(self.closes) or self.target == "@sections"

    def __repr__(self) -> str:
        return f"<Rule {self.id}, {self.where}>"

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    def wrong(self, problem: str, _word: str | None = None) -> RuleTableError:
        return RuleTableError(f"row {self.id}: {problem}", file=self.file, line=self.line, rule=self.id)

    def source_path(self, key: object | None = None) -> str:
        return path(self.source, key)

    def beside_paths(self, key: object | None = None) -> list[str]:
        """Return the fields that already carry the value of `key`; `**` is the part that the `*` of the row's own key matched.

        >>> row = {"id": "type", "from": "properties[amqp-type.*]", "to": "@beside[properties[**]]"}
        >>> rule_of(Row(row, "mine.toml", 1), "rules").beside_paths("amqp-type.k")
        ['properties["k"]']
        """
        own = str(key)[len((self.source_pattern or "").removesuffix("*")) :]
        parted = (place.partition("[") for place in self.beside)
        return [path(place, template[:-1].replace("**", own) or None) for place, _, template in parted]

    def target_path(self, key: object | None = None) -> str:
        return path(str(self.target), key)

    @lru_cache(maxsize=1024)  # noqa: B019 - rows live as long as their table, and the cache is bounded
    def told(self, source: str, target: str) -> "Rule":
        """Return the row in a report's form for one filled place; `source` and `target` are places without keys."""
        return replace(self, source=source, source_pattern=None, target=target, target_template=None, constants={}, closes=())


@dataclass(frozen=True)
class RuleTable:
    """The rows that convert messages of `source` into messages of `target`, with the type rows for entries.

    >>> from mqconvert import rule_tables
    >>> next(table for table in rule_tables() if table.name == "mqtt-5.0 -> amqp-1.0").row("qos").target
    'header.durable'
    """

    source: str
    target: str
    file: str
    title: str
    cites: tuple[str, ...]
    rules: tuple[Rule, ...]
    types: tuple[Rule, ...]
    finish: tuple[Rule, ...]
    start: tuple[Rule, ...] = ()
    by_id: Mapping[str, Rule] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """RuleTableError for a duplicate row id, at its second row."""
        found: dict[str, Rule] = {}
        for rule in self.all_rules:
            if (first := found.setdefault(rule.id, rule)) is not rule:
                problem = f"duplicate id {rule.id!r}, first in {first.where}"
                raise RuleTableError(problem, file=rule.file, line=rule.line)
        object.__setattr__(self, "by_id", found)

    def __repr__(self) -> str:
        return f"<RuleTable {self.name}, {self.file}: {len(self.all_rules)} rows>"

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """Return every row in the order of application."""
        return (*self.start, *self.rules, *self.types, *self.finish)

    @property
    def name(self) -> str:
        return f"{self.source} -> {self.target}"

    @property
    def stem(self) -> str:
        """Return the name of the table in pages and snapshots: that of its file, if the file has one table.

        >>> RuleTable("amqp-1.0", "nsq", "nsq.toml", "", (), (), (), ()).stem
        'amqp10_to_nsq'
        """
        stem = self.file.removesuffix(".toml")
        if "_to_" in stem:
            return stem
        return f"{HUB_STEM}_to_{stem}" if self.source == HUB else f"{stem}_to_{HUB_STEM}"

    @cached_property
    def address_place(self) -> str | None:
        """Return the field of the source whose value is the next table's address, unless the caller gives one."""
        return next((rule.source for rule in self.rules if rule.target == "@address"), None)

    @cached_property
    def conditional(self) -> dict[str, list[Rule]]:
        """Return the rows with a condition, by the field that they take as a whole."""
        found: dict[str, list[Rule]] = {}
        for rule in self.rules:
            if rule.when is not None and rule.source_pattern is None:
                found.setdefault(rule.source, []).append(rule)
        return found

    @cached_property
    def hash(self) -> str:
        """Return eight hex digits over all active rows: base rows with the changes of overlays."""
        rows = [dict(rule.columns) for rule in self.all_rules]
        return digest(repr((self.name, [sorted(row.items()) for row in rows])).encode())[:8]

    @cached_property
    def digest(self) -> str:
        """Return the SHA-256 digest of all that the function depends on: active rows with their files, and the title."""
        rows = [(kind, rule.file, sorted(rule.columns.items())) for kind in KINDS for rule in getattr(self, kind)]
        return digest(repr((self.name, self.file, self.title, rows)).encode())

    def row(self, rule_id: str) -> Rule:
        """Return the row of that id; KeyError for an unknown one."""
        return self.by_id[rule_id]

    def as_dict(self) -> JsonObject:
        head = {"from": self.source, "to": self.target, "title": self.title, "cites": list(self.cites), "hash": self.hash}
        return head | {
            kind: [
                {"id": rule.id} | dict(rule.columns) | {"file": rule.file, "line": rule.line} for rule in getattr(self, kind)
            ]
            for kind in KINDS
        }


def rule_of(written: Row, kind: str) -> Rule:
    """Return the rule of a row of that kind; RuleTableError for a fault in the row itself."""
    row = written.columns
    check_columns(written, kind)
    written.refuse_if(not _ID.match(row.get("id", "")), "a row needs an id of lower-case letters, digits and .+_-")
    code = row.get("error", "code")
    written.refuse_if(not _CODE.match(code), f"error = {code!r} is not a code of lower-case letters, digits and _")
    _check_company(written, kind)
    source, source_key = _place(written, row.get("from", row.get("at", "value")))
    target, target_key = _place(written, row["to"]) if "to" in row else (None, None)
    lists = {name: tuple(value) for name, value in row.items() if isinstance(value, list)}
    lists["closes"] = tuple(row["as"] if closed == "@as" else closed for closed in lists.get("closes", ()))
    return Rule(
        **{_FIELDS[name]: value for name, value in (row | lists).items() if name in _FIELDS},
        file=written.file,
        line=written.line,
        columns={name: value for name, value in row.items() if name not in STEERING},
        source=source,
        source_pattern=source_key,
        target=target,
        target_template=target_key,
    )


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


_FIELDS = {name: name for name in COLUMNS if name in Rule.__dataclass_fields__} | {
    "as": "as_",
    "set": "constants",
}
"""The fields of Rule with unchanged columns, by the columns' names."""

_WORDS = {str: "text", bool: "true or false", dict: 'table of places, { "PLACE" = VALUE }', list: "list of texts"}


def _check_company(written: Row, kind: str) -> None:
    """Refuse columns without the columns that they require, or with columns that exclude them."""
    row, refuse_if = written.columns, written.refuse_if
    for name, column in COLUMNS.items() if kind == "rules" else ():
        given = row.get(column.beside, "@caller")
        lacks = column.beside and row.get(name) and (given in ("", []) or str(given).partition("[")[0] in ACCOUNTED)
        refuse_if(lacks, f"{name!r} needs a {column.beside!r} in the message; an empty text takes a column away")
    refuse_if("@as" in row.get("closes", ()) and "as" not in row, "closes = ['@as'] needs an 'as'")
    if kind == "rules" and row.get("type") == "absent":
        unfit = ("to" in row) != ("via" in row) or not (row.get("set") or "to" in row or "lost" in row)
        words = "it needs 'set', and takes no 'to' and 'via' unless both, and the word takes nothing"
        refuse_if(unfit, f"a row of type absent has no value: {words}")
    for made in MAKING if "lost" in row else ():
        refuse_if(made in row, f"a row with 'lost' has no target: it allows no {made!r}")
    refuse_if(row.get("lost") == "", "'lost' needs a reason")
    option = row.get("option", "")
    refuse_if(option and "error" not in row, "'option' needs an 'error', which it avoids")
    refuse_if(option and not _OPTION.match(option), f"option = {option!r} is neither NAME nor NAME=VALUE")
    refuse_if(kind == "finish" and ("via" in row) is ("error" in row), "a row of finish needs 'via', or 'error'")
    for read in row.get("reads", ()) if row.get("uses") else ():
        refuse_if(read.startswith("@") or "." in read, f"'uses' is for whole fields of a message, not for {read!r}")


def _place(written: Row, text: str) -> tuple[str, str | None]:
    match = _PLACE.match(text)
    if match is None:
        entry = _DOTTED.match(text)
        advice = (
            f": did you mean {entry[1]}[{entry[2]}]?" if entry else "" if text else ": a row without 'to' drops what it takes"
        )
        raise written.wrong(f"{text!r} is not a place{advice}")
    key = match.group(2)
    if key is not None and key[0] == '"' == key[-1] and len(key) > 1:  # as reports write it
        raise written.wrong(f"{text!r} is not a place: did you mean {match.group(1)}[{key[1:-1]}]?")
    return match.group(1), key

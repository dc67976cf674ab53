"""Rule and RuleTable: the checked rows of a table file as frozen objects with file and line.

A table file is data (TOML, one row a line; mappings/README.md explains every column). This module checks each row by itself,
columns.py each of its columns. files.py reads files, tables.py makes tables of them, building.py checks rows against the
message classes, and trials.py runs their compiled function. All of them do so on loading and raise RuleTableError with file
and line.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from mqconvert.compiled import digest
from mqconvert.converters.engine.columns import COLUMNS, KINDS, STEERING, Checked, Row, check_columns
from mqconvert.converters.errors import Remedy, RuleTableError
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.paths import path

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


_FIELDS = {name: name for name in COLUMNS if name in Rule.__dataclass_fields__} | {
    "as": "as_",
    "set": "constants",
}
"""The fields of Rule with unchanged columns, by the columns' names."""


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
    for made in (name for name, column in COLUMNS.items() if column.makes and "lost" in row):
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

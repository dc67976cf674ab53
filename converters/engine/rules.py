"""Rule and RuleTable: the rows of a table file as frozen objects, each vouched for, each knowing its file and line.

A table file is data (TOML, one row a line; mappings/README.md explains every column). What a row says by itself is checked
here; checks.py holds it against the messages, trials.py tries its words, all on loading: RuleTableError with file and line.
Nothing here converts anything.
"""

import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import Any

from mqconvert.converters.errors import RuleTableError

COLUMNS = {
    "from": str,
    "type": str,
    "when": str,
    "to": str,
    "as": str,
    "via": str,
    "note": str,
    "cite": str,
    "set": dict,
    "taken": str,
    "first": bool,
    "more": bool,
    "reads": list,
    "uses": bool,
    "closes": list,
    "scope": str,
    "at": str,
    "error": str,
    "whole": bool,
    "id": str,
    "before": str,
    "after": str,
    "replace": str,
}
"""Every column of a row and what it holds; the members of a list are texts."""

STEERING = ("before", "after", "replace")
"""Columns that say where an overlay's row goes; they are no part of the row."""

COLUMNS_OF = {
    "start": frozenset(("id", "at", "via", "note", "cite", *STEERING)),
    "rules": frozenset(COLUMNS) - {"scope", "at", "whole"},
    "types": frozenset(("id", "type", "when", "as", "via", "reads", "note", "cite", "scope", *STEERING)),
    "finish": frozenset(COLUMNS) - {"from", "to", "set", "taken", "first", "more", "uses", "closes", "scope"},
}
"""Columns by the kind of row."""

NEEDED = {"rules": ("from",), "types": ("type",), "start": ("at", "via"), "finish": ("at",)}
WITH = {"as": "to", "via": "to", "taken": "to", "closes": "to", "uses": "reads"}
"""Columns of `rules` that say nothing without another one."""

KINDS = ("start", "rules", "types", "finish")
"""The kinds of rows of a table, in the order in which they act: `start` rows prepare a place of the source, `finish` rows
see the target last, `types` rows are what the others call for the values of entries."""

ACCOUNTED = ("@caller", "@address", "@beside")
"""Targets of values that make no field: the caller's, the address of the next leg, used by the row of what it stands beside.
`@beside[PLACE]` names that place of the source, or several with a bar: the report says that the first of them that went
somewhere implies the value there."""

CONSTANT = "@constant"
"""Where a place comes from that a row fills with a value of its own; `from = "@constant"` are rows for what no other filled."""

LONGEST_KEY = 256
"""Characters of a key that a field path holds whole: all of AMQP 0.9.1's keys are shorter."""

_BAR = re.compile(r"\|(?![^\[]*\])")
"""Between two places of `@beside[...]`, and not in a key."""

_PLACE = re.compile(r"^(@?[a-z0-9_]+(?:\.[a-z0-9_]+)?)(?:\[(.+)\])?\Z")
_CROWDED = re.compile(r"\[\[|\[\s*\{|\}\s*,\s*\{")
"""A line with two rows, with a row behind its bracket, or with the head of a row in TOML's other form."""

_LONG_NUMBER = re.compile(r"[0-9_]{4300}")
_ID = re.compile(r"^[a-z0-9][a-z0-9.+_-]*\Z")
_CODE = re.compile(r"^[a-z][a-z0-9_]*\Z")


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
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
    constants: Mapping[str, Any] = field(default_factory=dict)
    taken: str = "drop"
    first: bool = False
    more: bool = False
    reads: tuple[str, ...] = ()
    uses: bool = False
    closes: tuple[str, ...] = ()
    scope: str | None = None
    error: str | None = None
    whole: bool = False
    unset: bool = False
    """Of a row in a report: what it made is the value that says that its target is unset."""
    implied: bool = False
    """Of a row in a report: its value made no place, and one that is there implies it."""

    @property
    def accounts(self) -> bool:
        """The value belongs to the caller's side, or to what stands beside it, and makes no field of its own."""
        return self.target in ACCOUNTED or self.unset

    @property
    def beside(self) -> tuple[str, ...]:
        """The places of the source beside which the value stands, the first that is there first; none where no row names one.

        >>> _rule({"id": "a", "from": "b", "to": "@beside[@address|properties.to]"}, "mine.toml", 1, "rules").beside
        ('@address', 'properties.to')
        """
        return tuple(_BAR.split(self.target_template)) if self.target == "@beside" and self.target_template else ()

    @property
    def absent(self) -> bool:
        return self.type == "absent"

    @property
    def makes_something(self) -> bool:
        return (self.target is not None and not self.accounts) or bool(self.constants)

    @property
    def drops(self) -> bool:
        """Whether the row leaves its value out on purpose: it makes nothing, accounts for nothing and does not refuse."""
        if "at" in self.columns or self.error is not None:
            return False
        return not (self.makes_something or self.accounts or self.as_ or (self.via and "from" not in self.columns))

    @property
    def section(self) -> bool:
        """Whether the row puts a whole section, or several, in place."""
        return bool(self.closes) or self.target == "@sections"

    @property
    def target_key(self) -> str | None:
        return self.target_template if self.target_template and "*" not in self.target_template else None

    @property
    def where(self) -> str:
        return f"{self.file}:{self.line}"

    def wrong(self, problem: str) -> RuleTableError:
        """The error that refuses the row."""
        return RuleTableError(f"row {self.id}: {problem}", file=self.file, line=self.line, rule=self.id)

    def source_path(self, key: object | None = None) -> str:
        return path(self.source, key)

    def beside_paths(self, key: object | None = None) -> list[str]:
        """The fields beside which the value of `key` stands; `**` in one is what the `*` of the row's own key stands for.

        >>> row = {"id": "type", "from": "properties[amqp-type.*]", "to": "@beside[properties[**]]"}
        >>> _rule(row, "mine.toml", 1, "rules").beside_paths("amqp-type.k")
        ['properties["k"]']
        """
        own = str(key)[len((self.source_pattern or "").removesuffix("*")) :]
        parted = (place.partition("[") for place in self.beside)
        return [path(place, template[:-1].replace("**", own) or None) for place, _, template in parted]

    def target_path(self, key: object | None = None) -> str:
        return path(str(self.target), key)

    def told(self, source: str, target: str) -> "Rule":
        """The row as a report tells it of one place that it filled: `source` and `target` are places without keys."""
        return _told(self, source, target)


@lru_cache(maxsize=1024)
def _told(rule: Rule, source: str, target: str) -> Rule:
    return replace(rule, source=source, source_pattern=None, target=target, target_template=None, constants={}, closes=())


def path(place: str, key: object | None) -> str:
    """A field path as reports write it.

    A key may have a mebibyte, and every loss inside its value begins with it: of a long one its two ends and its length stand.

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


def _bounded(key: str) -> str:
    return f"{key[:120]}...({len(key)} characters)...{key[-60:]}"


@dataclass(frozen=True)
class RuleTable:
    """The rows that convert messages of `source` into messages of `target`, with the type rows for entries.

    >>> from mqconvert import mappings
    >>> load_table(mappings.read("mqtt5_to_amqp10.toml"), "mqtt5_to_amqp10.toml").row("qos").target
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
    way_back: tuple[str, str] | None = None
    """The table that `@way_back` of a finish row calls, by its protocols."""

    @property
    def all_rules(self) -> tuple[Rule, ...]:
        """Every row, in the order in which they act."""
        return (*self.start, *self.rules, *self.types, *self.finish)

    @property
    def name(self) -> str:
        return f"{self.source} -> {self.target}"

    @cached_property
    def hash(self) -> str:
        """Eight hex digits over all that is in force: base rows and what overlays made of them."""
        import hashlib  # noqa: PLC0415 - OpenSSL, a tenth of `import mqconvert`

        rows = [dict(rule.columns) for rule in self.all_rules]
        return hashlib.sha256(repr((self.name, [sorted(row.items()) for row in rows])).encode()).hexdigest()[:8]

    def row(self, rule_id: str) -> Rule:
        """The row of that id; KeyError for none."""
        for rule in self.all_rules:
            if rule.id == rule_id:
                return rule
        raise KeyError(rule_id)

    def as_dict(self) -> dict[str, Any]:
        rows = {kind: getattr(self, kind) for kind in KINDS}
        listed = {
            kind: [{"id": rule.id} | dict(rule.columns) | {"file": rule.file, "line": rule.line} for rule in rules]
            for kind, rules in rows.items()
        }
        return {
            "from": self.source,
            "to": self.target,
            "title": self.title,
            "cites": list(self.cites),
            "hash": self.hash,
        } | listed

    def __str__(self) -> str:
        lines = [f"{self.name}  ({self.file}, {self.hash})"]
        for rule in self.all_rules:
            row = " ".join(f"{name}={value!r}" for name, value in rule.columns.items() if name != "id")
            lines.append(f"  {rule.where}  {rule.id}: {row}")
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class TableFile:
    """A parsed file: its header values, its rows with the line of each, and its text."""

    name: str
    values: dict[str, Any]
    lines: tuple[int, ...]
    text: str

    def wrong(self, problem: str, word: str | None = None) -> RuleTableError:
        """The error that refuses the file, with the first line where `word` stands."""
        lines = enumerate(self.text.splitlines() if word else (), 1)
        return RuleTableError(problem, file=self.name, line=next((at for at, line in lines if str(word) in line), None))


def _deepest_line(text: str) -> int:
    """The line in which brackets nest deepest, those within strings counted as well.

    >>> _deepest_line("a = [\\n[\\n]\\n]")
    2
    """
    depth = deepest = 0
    found = 1
    for number, line in enumerate(text.splitlines(), 1):
        for character in line:
            depth += (character in "[{") - (character in "]}")
            if depth > deepest:
                deepest, found = depth, number
    return found


def parse_file(text: str, name: str) -> TableFile:
    """TOML with one row a line: the n-th line that starts with `{` is the n-th row, which gives each row its line.

    The name stands behind rows in generated code, in reports and in logs: it must be one line of text.
    """
    if not name.isprintable():
        raise RuleTableError("the name of the file is no line of text", file=repr(name))
    try:
        values = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        at = re.search(r"line (\d+)", str(error))
        raise RuleTableError(f"not TOML: {error}", file=name, line=int(at.group(1)) if at else None) from None
    except RecursionError:
        raise RuleTableError("not TOML: values nest too deep", file=name, line=_deepest_line(text)) from None
    except ValueError:  # Python's own bound
        long = (at for at, line in enumerate(text.splitlines(), 1) if _LONG_NUMBER.search(line))
        raise RuleTableError("cannot be read: a number has too many digits", file=name, line=next(long, None)) from None
    starts = [number for number, line in enumerate(text.splitlines(), 1) if line.lstrip().startswith("{")]
    parsed = TableFile(name, values, tuple(starts), text)
    _check_head(parsed)
    count = sum(len(rows) for part in _parts(parsed) for kind in KINDS for rows in [part.get(kind, [])])
    if count != len(starts):
        crowded = next((line for line in text.splitlines() if _CROWDED.search(line)), None)
        raise parsed.wrong(f"{count} rows on {len(starts)} lines; a row stands on a line of its own, in braces", crowded)
    return parsed


def _check_head(parsed: TableFile) -> None:
    for member in ("source", "target", "title", "extends"):
        if not isinstance(parsed.values.get(member, ""), str):
            raise parsed.wrong(f"{member} is not a text", member)
    if not _texts(parsed.values.get("cites", [])):
        raise parsed.wrong("cites is not a list of texts", "cites")


def _texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(member, str) for member in value)


def _parts(parsed: TableFile) -> list[dict[str, Any]]:
    """The file itself, or the tables that an overlay touches."""
    inner = [value for value in parsed.values.values() if isinstance(value, dict)]
    for part in (parsed.values, *inner):
        for kind in KINDS:
            rows = part.get(kind, [])
            if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
                raise parsed.wrong(f"{kind} must be an array of rows", kind)
    return [parsed.values, *inner]


def load_table(text: str, name: str) -> RuleTable:
    """A base table. What its rows say is checked when the table is compiled, against the message classes."""
    parsed = parse_file(text, name)
    values = parsed.values
    for key in ("source", "target", "title"):
        if not isinstance(values.get(key), str):
            raise parsed.wrong(f"the table has no {key}")
    unknown = set(values) - {"source", "target", "title", "cites", "way_back", *KINDS}
    if unknown:
        raise parsed.wrong(f"unknown member {min(unknown)!r}", min(unknown))
    numbers = iter(parsed.lines)
    rows = {kind: tuple(_rule(row, name, next(numbers), kind) for row in values[kind]) for kind in values if kind in KINDS}
    way_back = values.get("way_back", "").partition(" -> ")
    table = RuleTable(
        values["source"],
        values["target"],
        name,
        values["title"],
        tuple(values.get("cites", ())),
        rows.get("rules", ()),
        rows.get("types", ()),
        rows.get("finish", ()),
        rows.get("start", ()),
        (way_back[0], way_back[2]) if way_back[1] else None,
    )
    _refuse_twins(table)
    return table


def _refuse_twins(table: RuleTable) -> None:
    seen: dict[str, Rule] = {}
    for rule in table.all_rules:
        if rule.id in seen:
            raise RuleTableError(f"duplicate id {rule.id!r}, first in {seen[rule.id].where}", file=rule.file, line=rule.line)
        seen[rule.id] = rule


def _rule(row: Mapping[str, Any], file: str, line: int, kind: str) -> Rule:
    def wrong(problem: str) -> RuleTableError:
        return RuleTableError(problem, file=file, line=line, rule=row.get("id"))

    for column, value in row.items():
        if column not in COLUMNS:
            raise wrong(f"unknown column {column!r}")
        if column not in COLUMNS_OF[kind]:
            raise wrong(f"column {column!r} says nothing in a row of {kind}")
        if not isinstance(value, COLUMNS[column]) or (COLUMNS[column] is list and not _texts(value)):
            raise wrong(f"column {column!r} is not a {'list of texts' if COLUMNS[column] is list else _WORDS[COLUMNS[column]]}")
    if not _ID.match(row.get("id", "")):
        raise wrong("a row needs an id of lower-case letters, digits and .+_-")
    if not _CODE.match(row.get("error", "code")):
        raise wrong(f"error = {row['error']!r} is no code of lower-case letters, digits and _")
    for needed in NEEDED[kind]:
        if needed not in row:
            raise wrong(f"a row of {kind} needs {needed!r}")
    _check_company(row, kind, wrong)
    if row.get("taken", "drop") not in ("drop", "next", "replace"):
        raise wrong(f"taken = {row['taken']!r} is none of drop, next, replace")
    if row.get("scope", "top") not in ("top", "nested", "entry", "key"):
        raise wrong(f"scope = {row['scope']!r} is none of top, nested, entry, key")
    source, source_key = _place(row.get("from", row.get("at", "value")), wrong)
    target, target_key = _place(row["to"], wrong) if "to" in row else (None, None)
    return Rule(
        id=row["id"],
        file=file,
        line=line,
        columns={name: value for name, value in row.items() if name not in STEERING},
        source=source,
        source_pattern=source_key,
        target=target,
        target_template=target_key,
        type=row.get("type", "*"),
        when=row.get("when"),
        as_=row.get("as"),
        via=row.get("via"),
        note=row.get("note"),
        cite=row.get("cite"),
        constants=row.get("set", {}),
        taken=row.get("taken", "drop"),
        first=row.get("first", False),
        more=row.get("more", False),
        reads=tuple(row.get("reads", ())),
        uses=row.get("uses", False),
        closes=tuple(row.get("closes", ())),
        scope=row.get("scope"),
        error=row.get("error"),
        whole=row.get("whole", False),
    )


_WORDS = {str: "text", bool: "true or false", dict: "table of places"}


def _check_company(row: Mapping[str, Any], kind: str, wrong: Any) -> None:
    """Columns that need others, or that have no use beside others."""
    for column, need in WITH.items() if kind == "rules" else ():
        given = row.get(need, "@caller")
        if row.get(column) and (given in ("", []) or str(given).partition("[")[0] in ACCOUNTED):
            raise wrong(f"{column!r} says nothing without a {need!r} in the message; an empty text takes a column away")
    if (
        kind == "rules"
        and row.get("type") == "absent"
        and (("to" in row) != ("via" in row) or not (row.get("set") or "to" in row))
    ):
        words = "it needs 'set', and takes no 'to' and 'via' unless both, and the word takes nothing"
        raise wrong(f"a row for what is absent has no value: {words}")
    if kind == "finish" and ("via" in row) is ("error" in row):
        raise wrong("a row of finish needs 'via', or 'error'")
    for read in row.get("reads", ()) if row.get("uses") else ():
        if read.startswith("@") or "." in read:
            raise wrong(f"'uses' counts whole fields of a message as used, and {read!r} is none")


def _place(text: str, wrong: Any) -> tuple[str, str | None]:
    match = _PLACE.match(text)
    if match is None:
        raise wrong(f"{text!r} is no place")
    return match.group(1), match.group(2)


def overlay(tables: dict[tuple[str, str], RuleTable], parsed: TableFile) -> dict[tuple[str, str], RuleTable]:
    """The tables with an overlay's rows worked in; each of its parts is named "SOURCE -> TARGET"."""
    result = dict(tables)
    numbers = iter(parsed.lines)
    for name, part in parsed.values.items():
        if name in KINDS:
            raise parsed.wrong(f'{name} stand below the name of their table, such as ["amqp-1.0 -> mqtt-5.0"]', name)
        if not isinstance(part, dict):
            if name not in ("title", "extends", "cites"):
                raise parsed.wrong(f"unknown member {name!r}", name)
            continue
        source, arrow, target = name.partition(" -> ")
        if not arrow or (source, target) not in result:
            known = ", ".join(f'"{table.name}"' for table in tables.values())
            raise parsed.wrong(f"no table {name!r} to change; there are {known}", name)
        result[source, target] = _changed(result[source, target], part, parsed, numbers)
    return result


def _changed(table: RuleTable, part: Mapping[str, Any], parsed: TableFile, numbers: Iterable[int]) -> RuleTable:
    rows = {kind: list(getattr(table, kind)) for kind in KINDS}
    unknown = set(part) - {"remove", *rows}
    if unknown:
        raise parsed.wrong(f"unknown member {min(unknown)!r} for {table.name}", min(unknown))
    removed = part.get("remove", [])
    if not _texts(removed):
        raise parsed.wrong("remove is not a list of ids", "remove")
    # What goes is known before any row comes and goes after the last: rows may stand before or after one that goes.
    gone = {_to_remove(rows, removed[:at], name, parsed) for at, name in enumerate(removed)}
    lines = iter(numbers)
    for kind in part:
        for row in part[kind] if kind != "remove" else ():
            line = next(lines)
            if row.get("replace") in removed:
                raise RuleTableError(f"row {row['replace']!r} is replaced and removed", file=parsed.name, line=line)
            _work_in(rows, kind, row, parsed.name, line)
    for kept in rows.values():
        kept[:] = [rule for rule in kept if rule not in gone]
    changed = replace(
        table,
        start=tuple(rows["start"]),
        rules=tuple(rows["rules"]),
        types=tuple(rows["types"]),
        finish=tuple(rows["finish"]),
    )
    _refuse_twins(changed)
    return changed


def _to_remove(rows: dict[str, list[Rule]], before: list[str], name: str, parsed: TableFile) -> Rule:
    for rule in (rule for kept in rows.values() for rule in kept):
        if rule.id == name and name not in before:
            return rule
    raise parsed.wrong(f"no row {name!r} to remove", f'"{name}"')


def _work_in(rows: dict[str, list[Rule]], kind: str, row: Mapping[str, Any], file: str, line: int) -> None:
    steering = [name for name in STEERING if name in row]
    if not all(isinstance(row[name], str) for name in steering):
        raise RuleTableError(f"{' and '.join(steering)} is not an id", file=file, line=line)
    if len(steering) > 1:
        raise RuleTableError(f"a row has one of {' and '.join(steering)}", file=file, line=line)
    if not steering:
        rows[kind].append(_rule(row, file, line, kind))
        return
    at_kind, at = _position(rows, row[steering[0]], file, line)
    if at_kind != kind:
        raise RuleTableError(f"{row[steering[0]]!r} is a row of {at_kind}, not of {kind}", file=file, line=line)
    if steering == ["replace"]:
        old = rows[kind][at]
        new = dict(old.columns) | {name: value for name, value in row.items() if name != "replace"}
        # `to = ""` and the like take a column away, so that a replaced row can become a drop.
        rows[kind][at] = _rule({name: value for name, value in new.items() if value != ""}, file, line, kind)
    else:
        rows[kind].insert(at if steering == ["before"] else at + 1, _rule(row, file, line, kind))


def _position(rows: dict[str, list[Rule]], rule_id: str, file: str, line: int | None) -> tuple[str, int]:
    for kind, kept in rows.items():
        for at, rule in enumerate(kept):
            if rule.id == rule_id:
                return kind, at
    raise RuleTableError(f"no row {rule_id!r} to change", file=file, line=line)

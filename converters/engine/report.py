"""The outcome of every field, built from the notes of a converter (notes.py) when somebody asks for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from mqconvert.converters.engine.notes import Notes, is_drop, told_by
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.paths import printable

if TYPE_CHECKING:
    from mqconvert.converters.engine.summary import Missing, Summary
    from mqconvert.converters.protocols import Message
    from mqconvert.converters.running import Conversion

IMPLIED = "says how it is read"
"""The default note of a value that the target implies."""

UNSET = "the same as unset"
"""The note of a value that equals the default of its place."""


class LossPolicy(StrEnum):
    """The handling of fields that do not arrive.

    `report` lists them (the default), `fail` raises one LossError with every loss, `strict` also with every field that a row
    drops, `ignore` empties the list of losses.
    """

    REPORT = "report"
    FAIL = "fail"
    STRICT = "strict"
    IGNORE = "ignore"


OnLoss = Literal["report", "fail", "strict", "ignore"]
"""The values of LossPolicy as text."""


class Applied(NamedTuple):
    """A row filled the place `target` from `source`: a field, `@constant`, or a value of the caller (`@clock`).

    `type_rule` is the row of the type table that made its value, if any. With a `note`, the row set no field, since the
    target implies the value; the note gives the reason.
    """

    rule: str
    source: str
    target: str
    leg: int
    type_rule: str | None = None
    note: str | None = None

    def as_dict(self) -> JsonObject:
        made: JsonObject = {"rule": self.rule, "from": self.source, "to": self.target, "leg": self.leg}
        if self.type_rule is not None:
            made["type_rule"] = self.type_rule
        return made if self.note is None else made | {"note": self.note}


class Dropped(NamedTuple):
    """A row without a target took the field on purpose, or the place was taken or closed; `note` gives the reason."""

    rule: str
    field: str
    note: str
    leg: int

    def as_dict(self) -> JsonObject:
        return {"rule": self.rule, "field": self.field, "note": self.note, "leg": self.leg}


class Lost(NamedTuple):
    """No row took the value, or the row `rule` could not keep all of it; `type` is its wire type."""

    field: str
    type: str
    reason: str
    rule: str | None
    leg: int

    def as_dict(self) -> JsonObject:
        known = {"field": self.field, "type": self.type, "reason": self.reason, "leg": self.leg}
        return known if self.rule is None else known | {"rule": self.rule}


class Accounted(NamedTuple):
    """Used by the caller's side instead of the message: a packet identifier, a topic used as address."""

    rule: str
    field: str
    note: str
    leg: int

    def as_dict(self) -> JsonObject:
        return {"rule": self.rule, "field": self.field, "note": self.note, "leg": self.leg}


MOST_ENTRIES, MOST_PLANS, MOST_PARTS, MOST_CHARACTERS = 128, 2, 128, 2048
"""Bounds of the memory for equal notes: their entries, the plans for each, the parts of a key, and the characters in these."""


def _few(parts: list[Any]) -> bool:
    """Return whether the parts of a key are within the bounds; they are not if the key of a map is no text and no number."""
    found = 0
    for part in parts:
        for member in part if type(part) is tuple else (part,):
            if type(member) is str:
                found += len(member)
            elif not (member is None or type(member) is int or isinstance(member, Rule)):
                return False
    return found <= MOST_CHARACTERS and len(parts) <= MOST_PARTS


class Recent(dict[tuple[object, ...], Any]):
    """What was made of equal parts before, for a number of keys."""

    __slots__ = ("_most",)

    def __init__(self, most: int) -> None:
        self._most = most

    def of(self, parts: list[Any]) -> Any:
        """Return what was made of these parts; None if nothing was."""
        try:
            return self.get(tuple(parts))
        except TypeError:  # a map has a key that is a list or a map
            return None

    def keep(self, parts: list[Any], made: object) -> None:
        if _few(parts):
            if len(self) >= self._most:
                self.clear()
            self[tuple(parts)] = made


class Entries:
    """The four lists of a report. Reports with equal tables and notes share them, as most messages of a queue do."""

    __slots__ = ("accounted", "applied", "dropped", "lost", "plans", "rows", "tables")

    def __init__(self, legs: list[tuple[RuleTable, Notes]]) -> None:
        for _, notes in legs:
            notes.settle()
        told = list(_told(legs))
        self.applied = tuple([entry for entry in told if isinstance(entry, Applied)])
        self.dropped = tuple([entry for entry in told if isinstance(entry, Dropped)])
        self.accounted = tuple([entry for entry in told if isinstance(entry, Accounted)])
        self.lost = tuple(
            [
                Lost(field, type_, reason, None if rule is None else rule.id, leg)
                for leg, (_, notes) in enumerate(legs, 1)
                for field, type_, reason, rule in notes.lost
            ]
        )
        self.tables = [table for table, _ in legs]
        """The tables whose ids are in the key, which no others get while they are here."""
        self.plans = Recent(MOST_PLANS)
        """What summary.py knows about messages with these entries, by their shapes."""
        self.rows: tuple[list[tuple[object, ...]], list[tuple[object, ...]]] | None = None
        """Drops and losses as a column has them (columns/loop.py)."""


_ENTRIES = Recent(MOST_ENTRIES)


def _entries(legs: list[tuple[RuleTable, Notes]]) -> Entries:
    """Return the entries of notes, the ones of equal notes if these are known."""
    parts: list[object] = []
    for table, notes in legs:
        parts.append(id(table))
        parts += notes.parts()
    found: Entries | None = _ENTRIES.of(parts)
    if found is None:
        found = Entries(legs)
        _ENTRIES.keep(parts, found)
    return found


def _told(legs: list[tuple[RuleTable, Notes]]) -> Iterator[Applied | Dropped | Accounted]:
    """Yield the outcome of each field that is not lost, in the order of the notes."""
    for leg, (_, notes) in enumerate(legs, 1):
        went: dict[str, str] | None = None
        for note in notes.taken:
            rule, key, to_key, type_rule = (note, None, None, None) if type(note) is Rule else note
            kind, source, target = told_by(rule)
            if note is not rule:
                source, target = rule.source_path(key), rule.target_path(to_key)
            if kind == "applied":
                yield Applied(rule.id, source, target, leg, type_rule)
            elif kind == "dropped":
                yield Dropped(rule.id, source, rule.note or "no counterpart", leg)
            else:
                implies = None
                if rule.beside:
                    went = notes.went() if went is None else went
                    besides = rule.beside_paths(key if to_key is None else to_key)
                    implies = next((went[place] for place in besides if place in went), None)
                if implies is not None:
                    yield Applied(rule.id, source, implies, leg, note=rule.note or IMPLIED)
                else:
                    yield Accounted(rule.id, source, UNSET if rule.unset else rule.note or "used by the caller's side", leg)
    for leg, (_, notes) in enumerate(legs, 1):
        for rule, field, why in notes.dropped:
            yield Dropped(rule.id, field, why, leg)


@mypyc_attr(acyclic=True)
class Report:
    """The account of one conversion: every set field is in one of the four lists, once per leg.

    `tables` names the active tables, leg by leg, and `hash` is a short hash of their rows. Its text is the summary, then a line
    for each field that does not arrive:

    >>> from mqconvert import convert
    >>> from mqconvert.messages import mqtt5
    >>> print(convert(mqtt5.Message(topic_name="t", qos=1, retain=1, payload=b"hi"), "amqp-1.0").report)
    2 of 3 fields arrive (1 unchanged, 1 changed); 1 does not: 1 by rule
    retain: dropped, no counterpart
    """

    __slots__ = ("_conversion", "_entries", "_legs", "_source")

    def __init__(self, legs: list[tuple[RuleTable, Notes]], source: Message, conversion: Conversion[Any]) -> None:
        """Take the tables with their notes, the source, and the conversion, which has the result of each table."""
        self._entries: Entries | None = None
        self._legs = legs
        self._source = source
        self._conversion = conversion

    def _messages(self) -> tuple[Message, ...]:
        """Return the source and the result of each table."""
        return (self._source, *self._conversion.between, self._conversion.message)

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(table.name for table, _ in self._legs)

    @property
    def hash(self) -> str:
        return "-".join(table.hash for table, _ in self._legs)

    @property
    def summary(self) -> Summary:
        """Return the numbers of fields that arrive and that do not, counted when asked for.

        >>> from mqconvert import convert
        >>> from mqconvert.messages import mqtt5
        >>> convert(mqtt5.Message(topic_name="t", qos=1, payload=b"hi"), "amqp-1.0").report.summary.as_dict()
        {'fields': 2, 'arrive': 2, 'unchanged': 1, 'changed': 1, 'by_rule': 0, 'lost': 0}
        """
        return self._summarized()[0]

    @property
    def entries(self) -> Entries:
        """Return the four lists at once."""
        if self._entries is None:
            self._entries = _entries(self._legs)
        return self._entries

    def _summarized(self) -> tuple[Summary, tuple[Missing, ...]]:
        from mqconvert.converters.engine.summary import summarized  # noqa: PLC0415 - many conversions need no summary

        return summarized(self.entries, self._legs, self._messages())

    def __str__(self) -> str:
        """Return the summary, a line for each field that does not arrive, and one for each of which only a part does."""
        summary, missing = self._summarized()
        whole = [f"{one}{''.join(map(self.wanted, one.notes[:1]))}" for one in missing]
        lines = dict.fromkeys(printable(f"{one.field}: lost in part, {one.reason}") for one in self._in_part(missing))
        return "\n".join([str(summary), *whole, *lines])

    def wanted(self, loss: Lost) -> str:
        """Return what rows of its field take, in brackets, for a value that none of them took; empty for other losses.

        >>> from mqconvert import convert
        >>> from mqconvert.messages import amqp091
        >>> message = amqp091.Message(routing_key="a", basic=amqp091.BasicProperties(expiration="soon"))
        >>> report = convert(message, "mqtt-5.0").report
        >>> print(report.lost[0].reason + report.wanted(report.lost[0]))
        no row takes it (row expiration takes: number 0 315360000000)
        """
        rows = self._legs[loss.leg - 1][0].conditional.get(loss.field, []) if loss.rule is None else []
        return f" ({'; '.join(f'row {row.id} takes: {row.when}' for row in rows)})" if rows else ""

    @property
    def lost_in_part(self) -> tuple[Lost, ...]:
        """Return the entries of `lost` of which the summary counts no field: another part of their value arrives.

        >>> from mqconvert import convert
        >>> from mqconvert.messages import amqp10
        >>> message = amqp10.Message(properties=amqp10.Properties(creation_time=1001), body=amqp10.Data([b"hi"]))
        >>> report = convert(message, "amqp-0.9.1").report
        >>> report.summary.lost, [(one.field, one.reason) for one in report.lost_in_part]
        (0, [('properties.creation_time', 'the fraction of a second')])
        """
        return tuple(self._in_part(self._summarized()[1])) if self.lost else ()

    def _in_part(self, missing: Iterable[Missing]) -> Iterator[Lost]:
        whole = {id(loss) for one in missing for loss in one.notes}
        yield from (loss for loss in self.lost if id(loss) not in whole)

    def rule(self, rule_id: str, leg: int) -> Rule:
        """Return the row of an entry, with its file and line; KeyError for an unknown one."""
        return self._legs[leg - 1][0].row(rule_id)

    def start_rows(self, leg: int) -> tuple[Rule, ...]:
        """Return the start rows of a leg's table."""
        return self._legs[leg - 1][0].start

    def address_place(self, leg: int) -> str | None:
        """Return the field of a leg's source whose value is the next leg's address."""
        return self._legs[leg - 1][0].address_place

    @property
    def applied(self) -> tuple[Applied, ...]:
        return self.entries.applied

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        return self.entries.dropped

    @property
    def accounted(self) -> tuple[Accounted, ...]:
        return self.entries.accounted

    @property
    def lost(self) -> tuple[Lost, ...]:
        return self.entries.lost

    def __repr__(self) -> str:
        counts = (f"{len(getattr(self, name))} {name}" for name in ("applied", "dropped", "lost", "accounted"))
        tables = f" {', '.join(self.tables)}" if self.tables else ""
        return f"<Report{tables}: {', '.join(counts)}>"

    def _repr_html_(self) -> str:
        """Return the account as a table, for notebooks."""
        rows: list[tuple[str | None, ...]] = [(each.field, "lost", each.rule, each.reason) for each in self.lost]
        rows += [(each.field, "dropped", each.rule, each.note) for each in self.dropped]
        rows += [(each.source, each.target, each.rule, each.note) for each in self.applied]
        rows += [(each.field, "elsewhere", each.rule, each.note) for each in self.accounted]
        caption = f"{self.summary} ({', '.join(self.tables)})" if self.tables else str(self.summary)
        return html_table(caption, ("field", "becomes", "row", "why"), rows)

    def lossless(self) -> bool:
        """Return whether the conversion was free of losses. Drops do not count: the way back may give another message."""
        return not any(notes.lost for _, notes in self._legs)

    def complete(self) -> bool:
        """Return whether the conversion was free of drops and losses."""
        for _, notes in self._legs:
            notes.settle()
            if notes.lost or notes.dropped:
                return False
            for note in notes.taken:
                if is_drop(note):
                    return False
        return True

    def as_dict(self) -> JsonObject:
        """Return the JSON form: the summary, four lists, the tables' names and their hash."""
        entries = self.entries
        lists: JsonObject = {
            name: [entry.as_dict() for entry in getattr(entries, name)] for name in ("applied", "dropped", "lost", "accounted")
        }
        return {"summary": self.summary.as_dict()} | lists | {"tables": list(self.tables), "hash": self.hash}


def html_table(caption: str, head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Return a table in HTML, with None as an empty cell. Control characters are escaped as in Python.

    >>> html_table("a < b", ["field"], [["x\\0"], [None]])
    '<table><caption>a &lt; b</caption><tr><th>field</th></tr><tr><td>x\\\\x00</td></tr><tr><td></td></tr></table>'
    """
    from html import escape  # noqa: PLC0415 - takes 1.5 ms, and only notebooks need it

    def shown(cell: object) -> str:
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in escape("" if cell is None else str(cell)))

    cells = ("".join(f"<td>{shown(cell)}</td>" for cell in row) for row in rows)
    titles = "".join(f"<th>{escape(title)}</th>" for title in head)
    return f"<table><caption>{escape(caption)}</caption><tr>{titles}</tr>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"

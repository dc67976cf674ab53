"""What became of every field: the notes that a converter takes, and the report that is read from them.

Converters note as little as they can (a rule, or a rule and a key); names and paths are made here, when someone asks.
"""

from collections.abc import Iterable, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from mqconvert.converters.rules import Rule, RuleTable, path

SECOND_EQUAL_KEY = "a second equal key"
"""The reason of a loss that explanations know: of equal keys the first one is taken."""


class LossPolicy(StrEnum):
    """What losses do: stand in the report (the default), raise one LossError that lists them all, or nothing."""

    REPORT = "report"
    FAIL = "fail"
    IGNORE = "ignore"


class Applied(NamedTuple):
    """A row made a field of the target; `type_rule` is the row of the type table that made its value, if one did."""

    rule: str
    source: str
    target: str
    leg: int
    type_rule: str | None = None

    def as_dict(self) -> dict[str, Any]:
        return _applied(*self)


class Dropped(NamedTuple):
    """A row without a target took the field on purpose, or the place was taken or closed; `note` says why."""

    rule: str
    field: str
    note: str
    leg: int

    def as_dict(self) -> dict[str, Any]:
        return _noted(*self)


class Lost(NamedTuple):
    """No row took the value, or the row `rule` could not keep all of it; `type` is its wire type."""

    field: str
    type: str
    reason: str
    rule: str | None
    leg: int

    def as_dict(self) -> dict[str, Any]:
        known = {"field": self.field, "type": self.type, "reason": self.reason, "leg": self.leg}
        return known if self.rule is None else known | {"rule": self.rule}


class Accounted(NamedTuple):
    """Used by the caller's side and not by the message: a packet identifier, a topic used as address."""

    rule: str
    field: str
    note: str
    leg: int

    def as_dict(self) -> dict[str, Any]:
        return _noted(*self)


def _applied(rule: str, source: str, target: str, leg: int, type_rule: str | None) -> dict[str, Any]:
    made: dict[str, Any] = {"rule": rule, "from": source, "to": target, "leg": leg}
    if type_rule is not None:
        made["type_rule"] = type_rule
    return made


def _noted(rule: str, field: str, note: str, leg: int) -> dict[str, Any]:
    return {"rule": rule, "field": field, "note": note, "leg": leg}


class Notes:
    """What one leg noted. `taken` has rule notes; `lost` and `dropped` what could not be told from a rule alone."""

    __slots__ = ("_indexed", "_origins", "_takers", "dropped", "lost", "taken")
    _takers: dict[tuple[str | None, str | None], str]
    _origins: set[tuple[str, str | None, str | None]]

    def __init__(self) -> None:
        self._indexed = 0
        self.taken: list[Any] = []
        self.lost: list[tuple[str, str, str, Rule | None]] = []
        self.dropped: list[tuple[Rule, str, str]] = []

    def replace(self, rule: Rule, places: Iterable[str], key: str | None = None, *, but_own: bool = False) -> None:
        """Rows that aimed at `places` (at one key of them, where one is given) made nothing after all: `rule` filled them.

        `but_own`: what `rule` itself noted stays.
        """
        self.replace_all(dict.fromkeys(places, rule), key, but_own=but_own)

    def replace_all(self, by: Mapping[str, Rule], key: str | None = None, *, but_own: bool = True) -> None:
        """As `replace`, for the places of several rows at once."""
        kept: list[Any] = []
        for note in self.taken:
            noted, from_key, to_key = (note, None, note.target_key) if note.__class__ is Rule else note[:3]
            rule = None
            if noted.target is not None and not noted.section and (key is None or to_key == key):
                rule = by.get(noted.target) or by.get(noted.target.partition(".")[0])
            if rule is None or (but_own and noted is rule):
                kept.append(note)
            else:
                self.dropped.append((noted, noted.source_path(from_key), f"replaced by {rule.id}"))
        self.taken[:] = kept
        self._indexed = 0

    def _index(self) -> None:
        """Which row filled which place, and from where: brought up to date by the rare rows that come too late."""
        if not self._indexed:
            self._takers, self._origins = {}, set()
        for note in self.taken[self._indexed :]:
            noted, key, to_key = (note, None, note.target_key) if note.__class__ is Rule else note[:3]
            self._takers[noted.target, to_key] = noted.id
            self._takers.update(((place, None), noted.id) for place in noted.constants)
            self._origins.add((noted.source, key, to_key))
        self._indexed = len(self.taken)

    def overrule(
        self, rule: Rule, place: str, before: list[tuple[str, str]] | None, after: list[tuple[str, str]] | None
    ) -> None:
        """`rule` put the pairs `after` at a place, where other rows had put `before`."""
        left = {name for name, _ in after or ()}
        for name in dict.fromkeys(name for name, _ in before or () if name not in left):
            self.replace(rule, (place,), name)

    def finish(self, rule: Rule, key: str | None) -> None:
        """A row that sees the target last took a value, which another row only set aside for it."""

        def aside(note: Any) -> bool:
            noted, from_key = (note, None) if note.__class__ is Rule else note[:2]
            last = noted.target == "@beside" and noted.beside is None
            return last and noted.source == rule.source and key in (None, from_key)

        self.taken[:] = [note for note in self.taken if not aside(note)]
        self.taken.append((rule, key, rule.target_template, None))
        self._indexed = 0

    def keep(self, place: str, key: str | None) -> None:
        """An entry of the target holds all of a place (of one key of it, where one is given): nothing of it is lost."""
        field = path(place, key)
        self.lost[:] = [loss for loss in self.lost if not (loss[0] == field or loss[0].startswith((f"{field}[", f"{field}.")))]

    def kept_whole(self, rule: Rule) -> None:
        """The row put the whole message in place: what the others could not convert or only accounted for stands there too."""
        from dataclasses import replace  # noqa: PLC0415 - envelopes are rare, and imports are to be light

        converted, whole = [], [field for field, _, _, _ in self.lost] + [field for _, field, _ in self.dropped]
        for note in self.taken:
            noted, key = (note, None) if note.__class__ is Rule else note[:2]
            if noted.accounts and noted.beside is None:
                whole.append(noted.source_path(key))
            else:
                converted.append(note)
        self.taken[:] = converted
        self.taken.extend(replace(rule, source=field, source_pattern=None, target=rule.source) for field in whole)
        self.lost.clear()
        self.dropped.clear()
        self._indexed = 0

    def taken_by(self, place: str, key: str | None = None) -> str:
        """The id of the row that filled a place (or a key of it), for the note of one that came too late."""
        self._index()
        return self._takers[place, key]

    def went(self) -> dict[str, str]:
        """Where each field went, by its path: what a row made that leaves nothing of the value to later ones."""
        found = {}
        for note in self.taken:
            rule = note if note.__class__ is Rule else note[0]
            if rule.makes_something and not rule.more and not rule.absent:
                if note.__class__ is Rule:
                    _, source, target = _told_by(rule)
                else:
                    source, target = rule.source_path(note[1]), rule.target_path(note[2])
                found[source] = target
        return found

    def came_from(self, place: str, key: str, to_key: str | None) -> bool:
        """Whether a row made something of the same key of the same place before."""
        self._index()
        return (place, key, to_key) in self._origins


@lru_cache(maxsize=4096)
def _told_by(rule: Rule) -> tuple[str, str, str]:
    """What a row's note says without keys: what became of the field, its path, and the path of what was made of it."""
    if rule.accounts:
        kind = "accounted"
    elif rule.makes_something:
        kind = "applied"
    else:
        kind = "nothing" if rule.absent else "dropped"
    return kind, rule.source_path(), rule.target_path(rule.target_key)


class Report:
    """The account of one conversion: every field that was set stands in one of the four lists, once a leg.

    `tables` names the tables that were in force, leg by leg, and `hash` is a short hash of their rows.
    """

    __slots__ = ("_legs",)

    def __init__(self, legs: list[tuple[RuleTable, Notes]]) -> None:
        self._legs = legs

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(table.name for table, _ in self._legs)

    @property
    def hash(self) -> str:
        return "-".join(table.hash for table, _ in self._legs)

    def rule(self, rule_id: str, leg: int) -> Rule:
        """The row that an entry names, with its file and line; KeyError for none."""
        return self._legs[leg - 1][0].row(rule_id)

    def address_place(self, leg: int) -> str | None:
        """The place of a leg's source that says where the message was sent, the next leg's address."""
        return next((rule.source for rule in self._legs[leg - 1][0].rules if rule.target == "@address"), None)

    def _by_rule(self, *kinds: str) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]], list[tuple[Any, ...]]]:
        """What rules alone tell, in the order of the notes: the members of Applied, Dropped and Accounted.

        Notes of other `kinds` are passed over; what was applied needs those that are accounted for, too.
        """
        applied: list[tuple[Any, ...]] = []
        dropped: list[tuple[Any, ...]] = []
        accounted: list[tuple[Any, ...]] = []
        for leg, (_, notes) in enumerate(self._legs, 1):
            went: dict[str, str] | None = None
            for note in notes.taken:
                rule, key, type_rule = (note if note.__class__ is Rule else note[0]), None, None
                kind, source, target = _told_by(rule)
                if kind not in kinds:
                    continue
                if note is not rule:
                    _, key, to_key, type_rule = note
                    source, target = rule.source_path(key), rule.target_path(to_key)
                if kind == "applied":
                    applied.append((rule.id, source, target, leg, type_rule))
                elif kind == "accounted":
                    if rule.beside is not None:
                        went = notes.went() if went is None else went
                        if (beside := went.get(rule.beside_path(key))) is not None:
                            applied.append((rule.id, source, beside, leg, None))
                            continue
                    accounted.append((rule.id, source, rule.note or "used by the caller's side", leg))
                elif kind == "dropped":
                    dropped.append((rule.id, source, rule.note or "no counterpart", leg))
        for leg, (_, notes) in enumerate(self._legs, 1):
            dropped.extend((rule.id, field, note, leg) for rule, field, note in notes.dropped)
        return applied, dropped, accounted

    @property
    def applied(self) -> tuple[Applied, ...]:
        return tuple(map(Applied._make, self._by_rule("applied", "accounted")[0]))

    @property
    def dropped(self) -> tuple[Dropped, ...]:
        return tuple(map(Dropped._make, self._by_rule("dropped")[1]))

    @property
    def accounted(self) -> tuple[Accounted, ...]:
        return tuple(map(Accounted._make, self._by_rule("accounted")[2]))

    @property
    def lost(self) -> tuple[Lost, ...]:
        return tuple(
            Lost(field, type_, reason, None if rule is None else rule.id, leg)
            for leg, (_, notes) in enumerate(self._legs, 1)
            for field, type_, reason, rule in notes.lost
        )

    def __repr__(self) -> str:
        lists = (f"{name}={getattr(self, name)!r}" for name in ("tables", "applied", "dropped", "lost", "accounted"))
        return f"Report({', '.join(lists)})"

    def lossless(self) -> bool:
        """Whether nothing was lost (drops that a table documents do not count)."""
        return not any(notes.lost for _, notes in self._legs)

    def as_dict(self) -> dict[str, Any]:
        """The JSON form of DESIGN: four lists, the tables' names and their hash."""
        applied, dropped, accounted = self._by_rule("applied", "dropped", "accounted")
        return {
            "applied": [_applied(*members) for members in applied],
            "dropped": [_noted(*members) for members in dropped],
            "lost": [entry.as_dict() for entry in self.lost],
            "accounted": [_noted(*members) for members in accounted],
            "tables": list(self.tables),
            "hash": self.hash,
        }

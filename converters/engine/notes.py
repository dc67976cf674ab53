"""The notes of a converter: the rows that took fields, and lost fields. report.py makes the account from them.

Converters note a rule, or a rule and a key, for speed. Names and paths are built on request.
"""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, Final

from mqconvert.converters.engine.rules import CONSTANT, Rule
from mqconvert.converters.model.bodies import BODY_TYPES
from mqconvert.converters.model.entries import key_of, keys_of
from mqconvert.converters.model.fields import names, reader
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import Entry

SECOND_EQUAL_KEY: Final = "a second equal key"
"""The reason for the loss of a duplicate key, which explanations recognise."""

Pairs = list[Any]
"""The content of a map or a list of pairs: entries, or pairs of texts."""

Note = tuple[Rule, Any, Any, str | None]
"""A row, the keys of source and target (None unless the place is a map), and the row of the type table."""


def opened(note: Any) -> Note:
    """Return a complete note: a row alone stands for its own key."""
    return note if type(note) is tuple else (note, None, note.target_key, None)


Filled = tuple[Rule, Any, str, type, Any]
"""A row that gave a section, the key of its source, the section's field, its class, and what `held` returned of it."""


def held(section: Any) -> Any:
    """Return what a section had on conversion, for notes that are told later: its keys, or the values of its fields."""
    class_: Any = type(section)
    if class_ is list:
        return keys_of(section)
    return None if class_ in BODY_TYPES else reader(class_)(section)


def _places(slot: str, class_: type, content: Any) -> list[tuple[str, object]]:
    """Return the places that were set in a section: its fields, or its entries by their keys."""
    if class_ is list:
        return [(slot, key) for key in dict.fromkeys(content)]
    if class_ in BODY_TYPES:
        return [(slot, None)]
    return [(f"{slot}.{name}", None) for name, value in zip(names(class_), content, strict=True) if value is not None]


@mypyc_attr(acyclic=True)
class Notes:
    """The notes of one leg. `taken` has rule notes. The other lists are made when somebody first asks for them."""

    __slots__ = ("_dropped", "_indexed", "_late", "_lost", "_origins", "_placed", "_takers", "taken")
    _takers: dict[tuple[str | None, str | None], str]
    _origins: set[tuple[str, str | None, str | None]]

    def __init__(self) -> None:
        self._indexed = 0
        self._late: list[tuple[Any, ...]] | None = None
        self._placed: tuple[dict[str, Rule], list[tuple[Rule, Any]], list[Filled]] | None = None
        self.taken: list[Any] = []
        self._lost: list[tuple[str, str, str, Rule | None]] | None = None
        self._dropped: list[tuple[Rule, str, str]] | None = None

    @property
    def lost(self) -> list[tuple[str, str, str, Rule | None]]:
        """Return the losses: path, wire type, reason, and the row, if one took the value."""
        if self._lost is None:
            self._lost = []
        return self._lost

    @property
    def dropped(self) -> list[tuple[Rule, str, str]]:
        """Return the drops that are no matter of the row alone: the row, the path, and the reason."""
        if self._dropped is None:
            self._dropped = []
        return self._dropped

    def replace(self, by: dict[str, Rule]) -> None:
        """Turn the notes of rows into drops if another row, that of `by`, filled their place."""
        kept: list[object] = []
        for note in self.taken:
            noted: Rule = note[0] if type(note) is tuple else note
            place: str | None = noted.target
            rule: Rule | None = None
            if place is not None:
                rule = by.get(place)
                if rule is None and (dot := place.find(".")) > 0:
                    rule = by.get(place[:dot])
            if rule is None or noted is rule or noted.section:
                kept.append(note)
            else:
                self._drop(opened(note), rule)
        if len(kept) < len(self.taken):
            self._retake(kept)

    def _drop(self, note: Note, by: Rule) -> None:
        """Note the drop of a replaced value; a replaced constant has no note."""
        if note[0].source != CONSTANT:
            self.dropped.append((note[0], note[0].source_path(note[1]), f"replaced by {by.id}"))

    def _retake(self, kept: list[object]) -> None:
        """Put other notes in place of `taken`, which generated functions hold."""
        self.taken[:] = kept
        self._indexed = 0

    def _index(self) -> None:
        """Update the index of rows by the places that they filled, for messages with many rows that come too late."""
        if not self._indexed:
            self._takers, self._origins = {}, set()
        for noted, key, to_key, _ in map(opened, self.taken[self._indexed :]):
            self._takers[noted.target, to_key] = noted.id
            if noted.makes_something and not noted.accounts:
                self._origins.add((noted.source, key, to_key))
        self._indexed = len(self.taken)

    def placed(self, by: dict[str, Rule], wholes: list[tuple[Rule, Any]], filled: "list[Filled]") -> None:
        """Note that rows, with the keys of the source, gave whole sections, which replace other values as in `replace`.

        Like the changes of a map, their places are found when the notes are read (`settle`).
        """
        self._placed = by, wholes, filled

    def _place(self, by: dict[str, Rule], wholes: list[tuple[Rule, Any]], filled: "list[Filled]") -> None:
        self.replace(by)
        told = set()
        for rule, key, slot, class_, content in filled:
            for place, to_key in _places(slot, class_, content):
                self.taken.append((rule.told(rule.source, place), key, to_key, None))
                told.add((rule, key))
        for rule, key in wholes:
            field = rule.source_path(key)
            noted = (rule, key) in told or any(lost[3] is rule and lost[0] == field for lost in self.lost)
            if not noted:
                self.dropped.append((rule, field, "an empty section"))

    # ---- rows that see the target last

    def finished(self, rule: Rule, place: str, before: Any, after: Any, other: str) -> None:
        """Note that a finish row replaced `before` by `after`; `other` is the origin of its value where nothing was."""
        self.settle()
        there = [note for note in map(opened, self.taken) if _fills(note, place)]
        if after is None:
            self._retake([note for note in self.taken if not _fills(opened(note), place)])
            for note in there:
                self._drop(note, rule)
            return
        sources = [] if before is None else [(noted.source, key) for noted, key, _, _ in there]
        # A stored message is not a constant, and kept_whole notes the other fields.
        told = [(source, key, None) for source, key in sources if not (rule.whole and source == CONSTANT)]
        self._tell(rule, place, told if told or rule.whole else [(other, None, None)])

    def finished_map(self, rule: Rule, place: str, before: Pairs | None, after: Pairs | None, other: str) -> None:
        """Note a finish row's changes to a map or a list of pairs: its changed entries, else the moved ones.

        Finding these takes longer than a conversion, so it is deferred until the notes are read (`settle`).
        """
        if self._late is None:
            self._late = []
        self._late.append((rule, place, before, None if after is None else list(after), other))

    def settle(self) -> None:
        """Record the deferred notes. Call it before reading notes, or changing those of rows that see the target last."""
        placed, self._placed = self._placed, None
        if placed is not None:
            self._place(*placed)
        late, self._late = self._late, None
        for waiting in late or ():
            self._finished_map(*waiting)

    def parts(self) -> list[object]:
        """Return parts that are equal in notes that tell the same. Moved members are told apart without `settle`."""
        late, moved = self._late, None
        if late is not None and self._placed is None and len(late) == 1:
            _, _, before, after, _ = late[0]
            moved = _moved(before, after)
        if moved is None:
            self.settle()
        parts: list[object] = [*self.taken, None, *self.lost, None, *self.dropped, None]
        if moved is not None and late is not None:
            rule, place, _, _, other = late[0]
            parts += rule, place, other, *moved, None
        return parts

    def _finished_map(self, rule: Rule, place: str, before: Pairs | None, after: Pairs | None, other: str) -> None:
        changed = _moved(before, after)
        if changed is None:
            changed = self._changed(rule, place, before, after)
        if not changed:
            return
        origins: dict[object, list[tuple[str, object]]] = {}
        for note in map(opened, self.taken):
            if _fills(note, place):
                origins.setdefault(note[2], []).append((note[0].source, note[1]))
        told = [(source, key, name) for name in changed for source, key in origins.get(name) or [(other, None)]]
        self._tell(rule, place, told)

    def _changed(self, rule: Rule, place: str, before: Pairs | None, after: Pairs | None) -> list[object]:
        """Drop the notes of keys that are gone; return the keys of changed members, else of the moved ones."""
        was, now = _with_keys(before), _with_keys(after)
        old, new = _by_key(was), _by_key(now)
        if gone := old.keys() - new.keys():
            self._retake([note for note in self.taken if not self._dropped_from(place, gone, opened(note), rule)])
        changed = [name for name in new if new[name] != old.get(name)]
        if not changed:
            there = dict(enumerate(was))
            changed = list(dict.fromkeys(pair[0] for at, pair in enumerate(now) if pair != there.get(at)))
        return changed

    def _dropped_from(self, place: str, keys: Any, note: Note, by: Rule) -> bool:
        """Drop a note of one of these keys at a place; return whether it was one."""
        if note[2] not in keys or note[0].target != place:
            return False
        self._drop(note, by)
        return True

    def _tell(self, rule: Rule, place: str, told: Iterable[tuple[str, object, object]]) -> None:
        self.taken += [(rule.told(source, place), key, to_key, None) for source, key, to_key in dict.fromkeys(told)]

    def kept_whole(self, rule: Rule, source: object) -> None:
        """Note that a row stored the whole message, which also has values that other rows dropped, lost or accounted for."""
        self.settle()
        converted, whole = [], [field for field, _, _, _ in self.lost] + [field for _, field, _ in self.dropped]
        for note in self.taken:
            noted, key, _, _ = opened(note)
            if noted.accounts or not noted.makes_something:
                whole.append(noted.source_path(key))
            else:
                converted.append(note)
        times = _times(source, whole)
        told = [field for field, said in Counter(whole).items() for _ in range(min(said, times.get(field, 1)))]
        self._retake(converted + [(rule.told(field, rule.source), None, None, None) for field in told])
        self.lost.clear()
        self.dropped.clear()

    # ---- the notes

    def taken_by(self, place: str, key: str | None = None) -> str:
        """Return the id of the row that filled a place (or a key of it), for the note of one that came too late."""
        if len(self.taken) <= _FEW:
            for at in range(len(self.taken) - 1, -1, -1):
                noted, _, to_key, _ = opened(self.taken[at])
                if to_key == key and noted.target == place:
                    return str(noted.id)
        self._index()
        return self._takers[place, key]

    def went(self) -> dict[str, str]:
        """Return the targets of each field by its path, for rows that take the whole value."""
        found = {}
        for note in self.taken:
            rule = note if type(note) is Rule else note[0]
            if rule.makes_something and not rule.more:
                if type(note) is Rule:
                    _, source, target = told_by(rule)
                else:
                    source, target = rule.source_path(note[1]), rule.target_path(note[2])
                found[source] = target
        return found

    def came_from(self, rule: Rule, key: str, to_key: str | None) -> bool:
        """Return whether this row, which makes something, or another one did so with the same key of its place before."""
        if len(self.taken) > _FEW:
            self._index()
            return (rule.source, key, to_key) in self._origins
        for note in self.taken:
            if type(note) is tuple and note[1] == key and note[2] == to_key:
                other = note[0]
                if other is rule or (other.source == rule.source and other.makes_something and not other.accounts):
                    return True
        return False


_FEW: Final = 64
"""The number of notes that are searched one by one; more of them are indexed, so that no message takes quadratic time."""


def _fills(note: Note, place: str) -> bool:
    return note[0].target == place and not note[0].accounts


def _moved(before: Pairs | None, after: Pairs | None) -> list[object] | None:
    """Return the keys of members in other places; None if more than the order changed, or if keys are equal."""
    was, now = before or [], after or []
    if len(was) != len(now):
        return None
    members = {id(member) for member in was}
    for member in now:
        if id(member) not in members:
            return None
    keys: list[object] = keys_of(now)
    if len(set(keys)) < len(keys):
        return None
    return [key for at, key in enumerate(keys) if now[at] is not was[at]]


def _with_keys(members: Pairs | None) -> list[tuple[object, object]]:
    """Return the members of a map or a list of pairs, with their keys."""
    return list(zip(keys_of(members or ()), members or (), strict=True))


def _by_key(pairs: list[tuple[object, object]]) -> dict[object, list[object]]:
    found: dict[object, list[object]] = {}
    for key, member in pairs:
        found.setdefault(key, []).append(member)
    return found


def _times(source: object, fields: list[str]) -> Counter[str]:
    """Return the number of occurrences of each field with a key, since maps may have duplicate keys."""
    found: Counter[str] = Counter()
    for place in {field.partition("[")[0] for field in fields if "[" in field}:
        section, _, name = place.rpartition(".")
        pairs = getattr(getattr(source, section) if section else source, name, None) or ()
        found.update(path(place, key_of(entry) if type(entry) in (Entry, tuple) else at) for at, entry in enumerate(pairs))
    return found


@lru_cache(maxsize=4096)
def told_by(rule: Rule) -> tuple[str, str, str]:
    """Return a row's note without keys: the outcome of the field, its path, and the path of the target."""
    kind = "accounted" if rule.accounts else "applied" if rule.makes_something else "dropped"
    return kind, rule.source_path(), rule.target_path(rule.target_key)


def is_drop(note: Any) -> bool:
    rule: Rule = note if type(note) is Rule else note[0]
    return not (rule.accounts or rule.makes_something)

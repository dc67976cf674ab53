"""Functions that generated converters call, besides conditions and transforms: notes of rare cases, and recursion."""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from mqconvert.converters import words
from mqconvert.converters.engine.notes import SECOND_EQUAL_KEY, Notes, held
from mqconvert.converters.engine.rules import Rule
from mqconvert.converters.errors import ConversionError, EncodeError
from mqconvert.converters.model.bodies import BODY_TYPES, AmqpSequence, Data
from mqconvert.converters.model.entries import by_key, key_of, keys_of
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.native import enter_recursion, leave_recursion
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.words import NOT_MINE, Loss, Partial

FAILURES: Final = (ArithmeticError, AttributeError, EncodeError, LookupError, TypeError, ValueError)
"""The errors of words for values that they are not for."""

Relative = tuple[str, str, str, Rule | None]
TypeFunction = Callable[[Any, list[Relative]], tuple[Any, Any, Any]]
"""Makes of a value the row that took it, the wire type and the value of the target; None three times for a loss."""


class TypeTable(dict[str, TypeFunction]):
    """The functions of type rows, by source type; values of a type without rows are lost."""

    def __missing__(self, type_: str) -> TypeFunction:
        def lost_type(_value: object, lost: list[Relative]) -> tuple[None, None, None]:
            lost.append(("", type_, f"no row takes this {type_}", None))
            return None, None, None

        self[type_] = lost_type
        return lost_type


def refused(rule: Rule, field: str, value: object) -> ConversionError:
    """Return the error of a refusing row: its note, with the value if it is short."""
    shown = repr(value)
    words = f"{rule.note}: {shown}" if len(shown) < 100 and value is not None else str(rule.note)
    return ConversionError(words, code=str(rule.error), field=field, rule=rule.id, remedy=rule.remedy)


def no_field(frame: str) -> str:
    """Return the reason why a row has no effect in a frame."""
    return f"the frame {frame} has no field for it"


def part(made: Any, type_: str, rule: Rule, lost: list[Relative]) -> Any:
    """Note the loss; return the part of the value that a transform could keep, or None."""
    reason = "the row does not take this value" if made is NOT_MINE else made.reason
    lost.append(("", type_, reason, rule))
    return made.value if type(made) is Partial else None


def too_late(
    notes: Notes, rule: Rule, field: str, type_: str, place: str, target_key: str | None, source_key: str | None
) -> None:
    """Note a value for a filled place: lost as a duplicate key of one map, else dropped in favour of the earlier row."""
    if source_key is not None and notes.came_from(rule, source_key, target_key):
        notes.lost.append((field, type_, SECOND_EQUAL_KEY, rule))
    else:
        notes.dropped.append((rule, field, f"taken by {notes.taken_by(place, target_key)}"))


def left_out(notes: Notes, rule: Rule, place: str, type_: str, before: list[Any], made: Any) -> Any:
    """Note the losses of a start row: each entry of a map or list of pairs that it left out, or else all of it.

    `type_` is the wire type of the values of pairs. Return the entries that stay. Of equal keys, the first count as left out.
    """
    after = made.value if type(made) is Partial else None
    gone = Counter(keys_of(before))
    gone.subtract(keys_of(after or ()))
    count = len(notes.lost)
    for entry in before:
        key = key_of(entry)
        if gone[key] > 0:
            gone[key] -= 1
            notes.lost.append((path(place, key), entry.type if type(entry) is Entry else type_, made.reason, rule))
    if len(notes.lost) == count:
        notes.lost.append((place, type_, made.reason, rule))
    return after


Wholes = dict[tuple[Rule, Any], tuple[str, object]]
"""Sections from a payload or header: by row and key, the wire type of that value and the sections as a message."""


def place_sections(target: object, wholes: Wholes, made_by_rows: frozenset[str], notes: Notes) -> None:
    """Put the sections of a payload or header in place of those that its row closes (all, if it names none).

    Sections have the order of AMQP 1.0 part 3 section 3.2. The last section of a kind stays; data or sequences are joined.
    Sections of the other rows count, even if they are empty.
    """
    slots = names(type(target))
    layers = _Layers(notes, slots)
    closed: dict[str, Rule] = {}
    first: dict[str, list[_Held]] = {}  # by the first section that their rows close
    for (rule, key), (type_, whole) in wholes.items():
        closes: tuple[str, ...] = rule.closes
        for slot in closes:
            closed[slot] = rule
        first.setdefault(closes[0] if closes else "", []).append((rule, key, type_, whole))
    for slot in slots:
        if slot in first:
            layers.lay_all(first[slot])
        if slot not in closed:
            own = getattr(target, slot)
            if own is not None or slot in made_by_rows:
                layers.lay(slot, own, None)
    if "" in first:
        layers.lay_all(first[""])
    for slot in slots:
        setattr(target, slot, layers.stands.get(slot))
    filled: list[tuple[Rule, Any, str, type, Any]] = []
    for slot, origins in layers.origins.items():
        for origin in origins:
            if origin is not None:
                section = layers.stands[slot]
                filled.append((origin[0], origin[1], slot, type(section), held(section)))
    notes.placed(closed | layers.replaced, list(wholes), filled)


_Held = tuple[Rule, Any, str, object]
"""One of the wholes: its row and key, the wire type of its value, and the sections as a message."""


class _Layers:
    """The content of each section so far, and its origins: one of the wholes, or None for the other rows."""

    __slots__ = ("notes", "origins", "replaced", "slots", "stands")

    def __init__(self, notes: Notes, slots: tuple[str, ...]) -> None:
        self.notes = notes
        self.slots = slots
        self.stands: dict[str, object] = {}
        self.origins: dict[str, list[_Held | None]] = {}
        self.replaced: dict[str, Rule] = {}

    def lay_all(self, wholes: list[_Held]) -> None:
        for origin in wholes:
            for slot in self.slots:
                value = getattr(origin[3], slot)
                if value is not None:
                    self.lay(slot, value, origin)

    def lay(self, slot: str, value: object, origin: _Held | None) -> None:
        if slot in self.stands:
            before = self.stands[slot]
            if isinstance(value, (Data, AmqpSequence)) and type(before) is type(value):
                self.stands[slot] = type(value)([*before.sections, *value.sections])
                self.origins[slot].append(origin)
                return
            for earlier in self.origins[slot]:
                if earlier is not None:
                    rule, key, type_, _ = earlier
                    reason = f"its {slot.replace('_', ' ')}: a later section takes the place"
                    self.notes.lost.append((rule.source_path(key), type_, reason, rule))
                elif origin is not None:
                    self.replaced[slot] = origin[0]
        self.stands[slot], self.origins[slot] = value, [origin]


class Inside:
    """Converts the values inside a value by the type rows of each scope; `plain_keys` is the type of keys that are text.

    `renamed` has the types whose values stay as they are: the row, and the name of the type in the target.
    """

    __slots__ = ("_entry", "_keys", "_nested", "_plain_keys", "_renamed")

    def __init__(
        self,
        nested: TypeTable,
        entry: TypeTable,
        keys: TypeTable,
        plain_keys: str | None,
        renamed: dict[str, tuple[str, str]],
    ) -> None:
        self._nested = nested
        self._renamed = renamed
        self._entry = entry
        self._keys = keys
        self._plain_keys = str(plain_keys)

    def items(self, values: list[TypedValue], lost: list[Relative]) -> list[TypedValue]:
        enter_recursion()
        try:
            return self._items(values, lost)
        finally:
            leave_recursion()

    def entries(self, given: list[Entry], lost: list[Relative]) -> list[Entry]:
        """Convert the entries of a table (text keys) or of a map (typed keys) by the key rows."""
        enter_recursion()
        try:
            return self._entries(given, lost)
        finally:
            leave_recursion()

    def _items(self, values: list[TypedValue], lost: list[Relative]) -> list[TypedValue]:
        made: list[TypedValue] = []
        renamed = self._renamed
        type_: str
        last = name = ""  # the type of the value before, and its other name
        for index, typed in enumerate(values):
            type_ = typed.type
            if type_ != last:
                last, name = type_, renamed[type_][1] if type_ in renamed else ""
            if name:
                made.append(typed if name == type_ else TypedValue(name, typed.value))
                continue
            before = len(lost)
            _, as_, value = self._nested[type_](typed.value, lost)
            if len(lost) > before:
                put_before(f"[{index}]", lost, before)
            if as_ is not None:
                made.append(TypedValue(as_, value))
        return made

    def _entries(self, given: list[Entry], lost: list[Relative]) -> list[Entry]:
        made: dict[object, Entry] = {}
        as_: str | None
        type_: str
        raw: Any  # text, or the value of a typed key
        final: Any
        for typed in given:
            plain = isinstance(typed.key, str)
            if plain:
                type_, raw = self._plain_keys, str(typed.key)
            else:
                own: TypedValue = typed.key
                type_, raw = own.type, own.value
            before = len(lost)
            _, key_type, key = self._keys[type_](raw, lost)
            if key_type is None:
                _, _, reason, rule = lost[before]
                del lost[before:]
                lost.append((_suffix(raw), typed.type, reason if rule else f"no row takes a key of type {type_}", rule))
                continue
            if len(lost) > before:
                del lost[before:]
            known = self._renamed.get(typed.type)
            if known is not None:
                as_, value = known[1], typed.value
            else:
                _, as_, value = self._entry[typed.type](typed.value, lost)
                if len(lost) > before:
                    put_before(_suffix(raw), lost, before)
                if as_ is None:
                    continue
            final = (key_type, key) if plain else key
            if final in made:
                lost.append((_suffix(raw), typed.type, SECOND_EQUAL_KEY, None))
            else:
                made[final] = Entry(TypedValue(key_type, key) if plain else key, as_, value)
        return list(made.values())

    def array_items(self, array: Array, lost: list[Relative]) -> list[TypedValue]:
        if array.descriptors:
            lost.append(("", "array", "the descriptor of its elements", None))
        return self.items([TypedValue(array.of, value) for value in array.values], lost)


def _suffix(key: object) -> str:
    return path("", key if type(key) in (str, int) else str(key))


def put_before(suffix: str, lost: list[Relative], first: int) -> None:
    """Put the path of a value before those of the losses inside it, which begin at `first`."""
    for at in range(first, len(lost)):
        deeper, type_, reason, rule = lost[at]
        lost[at] = suffix + deeper, type_, reason, rule


NAMES = words.NAMES
NAMES |= {"NOT_MINE": NOT_MINE, "BODY_TYPES": BODY_TYPES}
_CLASSES: tuple[type, ...] = (Entry, Inside, TypeTable, Loss, Partial)
_FUNCTIONS: tuple[Any, ...] = (by_key, left_out, no_field, part, path, place_sections, put_before, refused, too_late)
NAMES |= {made.__name__: made for made in (*_CLASSES, *_FUNCTIONS)}
"""The global names of generated code."""

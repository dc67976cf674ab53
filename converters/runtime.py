"""What generated converters call, besides conditions and transforms: notes of the rare cases, and recursion."""

from collections.abc import Callable
from math import isfinite
from typing import Any

from mqconvert.converters.errors import ConversionError
from mqconvert.converters.messages.amqp10 import BODY_TYPES, Data
from mqconvert.converters.report import SECOND_EQUAL_KEY, Notes
from mqconvert.converters.rules import Rule, path
from mqconvert.converters.transforms import NOT_MINE, Loss, Partial
from mqconvert.converters.values import Array, TypedValue, shortstr_fault, symbol_fault, unicode_fault, utf8_fault

_TEXTS = frozenset({"string", "symbol", "shortstr", "utf8"})
CERTAIN: dict[str, frozenset[str]] = {
    "durable-to-delivery-mode": frozenset({"octet"}),
    "qos-to-delivery-mode": frozenset({"octet"}),
    "delivery-mode-to-qos": frozenset({"bits"}),
    "durable-to-qos": frozenset({"bits"}),
    "milliseconds-to-unsigned-seconds": frozenset({"timestamp"}),
    "seconds-to-milliseconds-text": _TEXTS,
    "seconds-to-signed-milliseconds": frozenset({"timestamp"}),
    "text": frozenset({"string"}),
    "to-decimal": _TEXTS,
    "urn-to-uuid": frozenset({"uuid"}),
    "uuid-to-urn": _TEXTS,
}
"""By transform, the types that hold whatever it makes of a valid value, so that no check is written out."""

Relative = tuple[str, str, str, Rule | None]
TypeFunction = Callable[[Any, list[Relative]], tuple[str, TypedValue] | tuple[None, None]]


def _symbol_key_fault(key: Any) -> str | None:
    return None if key.__class__ is int else symbol_fault(key)


KEY_FAULTS: dict[str, Callable[[Any], str | None]] = {
    "symbol": _symbol_key_fault,
    "string": unicode_fault,
    "shortstr": shortstr_fault,
    "utf8": utf8_fault,
}


class TypeTable(dict[str, TypeFunction]):
    """The functions of the type rows, by source type; a type without rows is lost."""

    def __missing__(self, type_: str) -> TypeFunction:
        def lost_type(_value: Any, lost: list[Relative]) -> tuple[None, None]:
            lost.append(("", type_, "no row of the type table takes it", None))
            return None, None

        self[type_] = lost_type
        return lost_type


def refused(rule: Rule, field: str, value: Any) -> ConversionError:
    """The error of a row that refuses: its note says what is wrong, with the value where it is short."""
    shown = repr(value)
    words = f"{rule.note}: {shown}" if len(shown) < 100 and value is not None else str(rule.note)
    return ConversionError(words, code=str(rule.error), field=field, rule=rule.id)


def set_entry(target: Any, place: str, key: str, value: TypedValue) -> None:
    """An entry of a map of the target, in place of one of the same key."""
    kept = [pair for pair in getattr(target, place) or () if pair[0] != key]
    setattr(target, place, [*kept, (key, value)])


def flush(partial: list[Relative], field: str, lost: list[Relative]) -> None:
    """Losses inside a value, noted with the path of the value before their own."""
    lost.extend((field + suffix, type_, reason, rule) for suffix, type_, reason, rule in partial)
    partial.clear()


def part(made: Any, type_: str, rule: Rule, lost: list[Relative]) -> Any:
    """The value that a transform could keep, None where there is none; either way with a note of the loss."""
    reason = "the row does not take this value" if made is NOT_MINE else made.reason
    lost.append(("", type_, reason, rule))
    return made.value if made.__class__ is Partial else None


def too_late(
    notes: Notes, rule: Rule, field: str, type_: str, place: str, target_key: str | None, source_key: str | None
) -> None:
    """A filled place: a second equal key of the same map is lost, anything else dropped as taken by the row before."""
    if source_key is not None and notes.came_from(rule.source, source_key, target_key):
        notes.lost.append((field, type_, SECOND_EQUAL_KEY, rule))
    else:
        notes.dropped.append((rule, field, f"taken by {notes.taken_by(place, target_key)}"))


def own_keys(notes: Notes, rule: Rule, place: str, pairs: Any, renamed: Any) -> list[Any]:
    """The keys that the entries of `renamed` have in the message, whose `pairs` they are under other names."""
    keys = [key for key, _ in pairs or ()]
    notes.renamed += [
        (rule, place, key) for key, (name, _) in zip(keys, renamed or (), strict=renamed is not None) if key != name
    ]
    return keys


def replace_sections(target: Any, sections: dict[tuple[Rule, Any], Any], notes: Notes) -> None:
    """Sections that a payload or header held in place of those that the other rows made; the last row's of one kind stays."""
    by: dict[str, tuple[Rule, Any]] = {}
    for (rule, key), whole in sections.items():
        for slot in type(whole).__slots__:
            if slot in rule.closes or getattr(whole, slot) is not None:
                setattr(target, slot, getattr(whole, slot))
                by[slot] = (rule, key)
    notes.replace_all({slot: rule for slot, (rule, _) in by.items()})
    for (rule, key), whole in sections.items():
        slots = [slot for slot in type(whole).__slots__ if getattr(whole, slot) is not None]
        filled = [held for slot in slots if by[slot] == (rule, key) for held in _held(slot, getattr(whole, slot))]
        notes.put_sections(rule, key, filled, next((by[slot][0].id for slot in slots if by[slot] != (rule, key)), None))


def _held(slot: str, section: Any) -> list[tuple[str, Any]]:
    """What is set in a section: its fields, or its entries by their keys."""
    if section.__class__ is list:
        return [(slot, key) for key in dict.fromkeys(key for key, _ in section)]
    if section.__class__ in BODY_TYPES:
        return [(slot, None)]
    return [(f"{slot}.{name}", None) for name in section.__slots__ if getattr(section, name) is not None]


def recursion(
    nested: TypeTable, entry: TypeTable, keys: TypeTable
) -> tuple[Callable[..., Any], Callable[..., Any], Callable[..., Any]]:
    """`items`, `entries` and `array_items` over the nested type rows and the rows for keys."""

    def one(table: TypeTable, typed: TypedValue, suffix: str, lost: list[Relative]) -> TypedValue | None:
        inner: list[Relative] = []
        _, made = table[typed.type](typed.value, inner)
        lost.extend((suffix + deeper, type_, reason, rule) for deeper, type_, reason, rule in inner)
        return made

    def items(values: list[TypedValue], lost: list[Relative]) -> list[TypedValue]:
        made = (one(nested, typed, f"[{index}]", lost) for index, typed in enumerate(values))
        return [value for value in made if value is not None]

    def entries(pairs: list[tuple[Any, TypedValue]], lost: list[Relative]) -> list[tuple[Any, TypedValue]]:
        """A table has text keys, a map typed ones; which of them comes out is what the key rows say."""
        made: dict[Any, TypedValue] = {}
        for key, typed in pairs:
            plain = isinstance(key, str)
            type_, raw = ("shortstr", str(key)) if plain else (key.type, key.value)
            suffix = path("", raw if raw.__class__ in (str, int) else str(raw))
            inner: list[Relative] = []
            _, new_key = keys[type_](raw, inner)
            if new_key is None:
                reason = inner[0][2] if inner[0][3] is not None else f"no row takes a key of type {type_}"
                lost.append((suffix, typed.type, reason, inner[0][3]))
                continue
            value = one(entry, typed, suffix, lost)
            final = new_key if plain else new_key.value
            if value is None:
                continue
            if final in made:
                lost.append((suffix, typed.type, SECOND_EQUAL_KEY, None))
            else:
                made[final] = value
        return list(made.items())

    def array_items(array: Array, lost: list[Relative]) -> list[TypedValue]:
        if array.descriptors:
            lost.append(("", "array", "the descriptor of its elements", None))
        return items([TypedValue(array.of, value) for value in array.values], lost)

    return items, entries, array_items


NAMES: dict[str, Any] = {
    "TypedValue": TypedValue,
    "TypeTable": TypeTable,
    "NOT_MINE": NOT_MINE,
    "Loss": Loss,
    "Partial": Partial,
    "BODY_TYPES": BODY_TYPES,
    "Data": Data,
    "flush": flush,
    "isfinite": isfinite,
    "own_keys": own_keys,
    "part": part,
    "path": path,
    "recursion": recursion,
    "refused": refused,
    "replace_sections": replace_sections,
    "set_entry": set_entry,
    "too_late": too_late,
}
"""The global names of generated code."""

"""Whether a value arrives unchanged: the values of the source of a conversion beside those of its result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from json import JSONEncoder
from math import isfinite
from typing import Final

from mqconvert.converters.engine.values import NO_FORM, Values, content


class Form:
    """A value to compare. Two are equal if their JSON forms are, or if they are the same text, as bytes or not (`keys`)."""

    __slots__ = ("_field", "_json", "_value", "_values", "plain")

    def __init__(self, values: Values, field: str, value: object) -> None:
        self._values, self._field, self._value = values, field, value
        self._json: object = None
        self.plain = _plain(content(value))

    @property
    def json(self) -> object:
        """Return the JSON form: of text itself, in a tuple, of others their text; of an invalid value what equals no other."""
        if self._json is None:
            form = self._values.untyped_json(self._field, self._value)
            if form is NO_FORM:
                self._json = object()
            else:
                self._json = (form,) if type(form) is str else _written(form)
        return self._json

    @property
    def keys(self) -> tuple[object, object]:
        """Return two keys: forms with an equal first one, or an equal second one, are equal."""
        exact = type(self.plain) in _EXACT
        return (type(self.plain), self.plain) if exact else self.json, self.json


def _written(form: object) -> object:
    """Return the text of a JSON form; for one that JSON cannot hold an object that equals no other."""
    try:
        return _ENCODER.encode(form)
    except (RecursionError, TypeError, ValueError):
        return object()


_ENCODER = JSONEncoder(allow_nan=False)

_EXACT = (bytes, str, bool, int)
"""Classes of values whose equal ones have equal JSON forms in all types that are no bytes."""


def same_content(mine: object, theirs: object) -> bool | None:
    """Return whether two values without their types are equal; None if their JSON forms tell."""
    if isinstance(mine, str):
        if isinstance(theirs, str):
            return mine == theirs
        if isinstance(theirs, bytes):
            return True if _plain(mine) == theirs else None
        return False if _is_number(theirs) else None  # a number in JSON has no quotes
    if isinstance(mine, bytes):
        if isinstance(theirs, (bytes, str)):
            return True if mine == _plain(theirs) else None
        return False if _is_number(theirs) else None
    if isinstance(mine, bool) or isinstance(theirs, bool):
        return mine is theirs
    if isinstance(theirs, (bytes, str)):
        return False if _is_number(mine) else None
    if isinstance(mine, int) and isinstance(theirs, int):
        return mine == theirs
    if isinstance(mine, float) and isinstance(theirs, float):
        return True if mine == theirs and mine else None  # zero may have a sign
    return True if mine is None and theirs is None else None


def _is_number(value: object) -> bool:
    """Return whether the JSON form of a value is a number in all types: that of a large one is text."""
    if isinstance(value, float):
        return isfinite(value)
    return isinstance(value, int) and not isinstance(value, bool) and -_EXACT_INTEGER < value < _EXACT_INTEGER


_EXACT_INTEGER: Final = 2**53


def _plain(value: object) -> object:
    """Return text as bytes in UTF-8, unless it is invalid, and other values as they are."""
    if not isinstance(value, str):
        return value
    try:
        return value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return value


class Comparison:
    """Compares the values of the source at one path with those of the result at some, however many they are."""

    __slots__ = ("_counted", "_source", "_target")

    def __init__(self, source: Values, target: Values) -> None:
        self._source, self._target = source, target
        self._counted: dict[str, tuple[Counter[object], Counter[object]]] = {}

    def equal(self, field: str, values: list[object], ends: Sequence[str]) -> int:
        """Return how many of the values at a path of the source are at one of the places `ends` of the target."""
        given = _keys(Form(self._source, field, value) for value in values)
        counted = [self._keys_at(end) for end in ends]
        return max(_common(mine, [each[at] for each in counted]) for at, mine in enumerate(given))

    def _keys_at(self, end: str) -> tuple[Counter[object], Counter[object]]:
        if end not in self._counted:
            self._counted[end] = _keys(Form(self._target, end, value) for value in self._target.at(end))
        return self._counted[end]


def _keys(forms: Iterable[Form]) -> tuple[Counter[object], Counter[object]]:
    """Return how many forms have each first key, and each second one."""
    found: tuple[Counter[object], Counter[object]] = Counter(), Counter()
    for form in forms:
        for keys, key in zip(found, form.keys, strict=True):
            keys[key] += 1
    return found


def _common(given: Counter[object], others: Iterable[Counter[object]]) -> int:
    """Return how many of the given keys are also among the others. Takes time in proportion to the others."""
    found: Counter[object] = Counter()
    for other in others:
        for key in given if len(given) < len(other) else other:
            if key in given:
                found[key] += other[key]
    return sum((given & found).values())

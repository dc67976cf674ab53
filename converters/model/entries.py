"""Entries of maps and lists of pairs: their keys, and the errors of values that AMQP 1.0 and 0.9.1 cannot write."""

from collections.abc import Container, Iterable, Sequence
from typing import Any, Final

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.primitives import COMPILED, UNWRITABLE
from mqconvert.converters.model.values import MAX_DEPTH, Entry, TypedValue

FAILED: Final = (*UNWRITABLE, EncodeError)
"""The errors of writing an invalid value without checks, of which some name the fault."""


class Keys:
    """The keys of a map that is being written: a set, which compares the first ones one by one, since that takes less time.

    >>> keys = Keys()
    >>> keys.add("k")
    >>> "k" in keys, "j" in keys, len(keys)
    (True, False, 1)
    """

    __slots__ = ("_first", "_rest")

    def __init__(self) -> None:
        self._first: list[object] | None = None  # most maps stay empty
        self._rest: set[object] | None = None

    def __contains__(self, key: object) -> bool:
        first = self._first
        return first is not None and (key in first or (self._rest is not None and key in self._rest))

    def __len__(self) -> int:
        first, rest = self._first, self._rest
        return (0 if first is None else len(first)) + (0 if rest is None else len(rest))

    def add(self, key: object) -> None:
        """Add a key that is not there."""
        if self._rest is not None:
            self._rest.add(key)
            return
        if self._first is None:
            self._first = []
        if len(self._first) < _FEW:
            self._first.append(key)
        else:
            self._rest = {key}


_FEW: Final = 16
"""The keys that are compared one by one."""
if not COMPILED:
    Keys = set


def key_of(entry: Any) -> Any:
    """Return the key of an entry, or of a pair of texts.

    >>> key_of(Entry("k", "int", 1)), key_of(("k", "v"))
    ('k', 'k')
    """
    return entry.key if type(entry) is Entry else entry[0]


def keys_of(members: Sequence[Any]) -> list[object]:
    """Return the keys of entries, or of pairs of texts, in their order.

    >>> keys_of([Entry("k", "int", 1), Entry("j", "int", 2)]), keys_of([("k", "v")]), keys_of([])
    (['k', 'j'], ['k'], [])
    """
    if members and type(members[0]) is Entry:
        return [entry.key for entry in members]
    return [pair[0] for pair in members]


def by_key(entries: Iterable[Entry] | None) -> dict[object, Entry]:
    """Return entries by their keys; the last of duplicate keys, as in a dict.

    >>> by_key([Entry("k", "int", 1)])["k"].value
    1
    """
    return {entry.key: entry for entry in entries or ()}


def within(error: EncodeError, part: str) -> EncodeError:
    """Return the error with a part of the path before its field. Each level adds its part."""
    error.field = f"{part}{error.field}"
    return error


def key_path(key: object) -> str:
    """
    >>> key_path("k"), key_path(TypedValue("symbol", "k"))
    ('["k"]', '["k"]')
    """
    return f'["{key.value if type(key) is TypedValue else key}"]'


def no_typed_value(typed: object, no_type: str) -> EncodeError:
    """Return the error for a value without a type, or with an unknown one; `no_type` is the protocol's wording."""
    if type(typed) is TypedValue:
        return _unknown_type(typed.type, no_type)
    return EncodeError("wrong_type", "not a typed value", field="")


def _unknown_type(type_: object, no_type: str) -> EncodeError:
    return EncodeError("unknown_type", f"{no_type} {type_!r:.80}", field="")


def bad_entry(entries: Iterable[object], known: Container[str], no_type: str) -> EncodeError:
    """Return the error for the first member that is not an Entry, or not of a known type.

    >>> bad_entry([Entry("a", "int", 1), Entry("b", "u128", 2)], {"int"}, "no type").field
    '["b"]'
    """
    for index, entry in enumerate(entries):
        if type(entry) is not Entry:
            return EncodeError("bad_value", "not an Entry(key, type, value)", field=f"[{index}]")
        if type(entry.type) is not str or entry.type not in known:
            return within(_unknown_type(entry.type, no_type), key_path(entry.key))
    return EncodeError("bad_value", "an entry that cannot be written", field="")


def too_deep() -> EncodeError:
    """Return the error for values that nest too deep."""
    return EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field="")


def too_large() -> EncodeError:
    """Return the error for a value whose size does not fit 32 bits."""
    return EncodeError("too_large", "4 GiB or more", field="")

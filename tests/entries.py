"""Test helpers for entries: pairs of a key and a typed value, as in dicts."""

from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue


def entry(key: Any, typed: TypedValue) -> Entry:
    """Return the entry of a typed value under a key."""
    return Entry(key, typed.type, typed.value)


def pair(member: Any) -> tuple[Any, Any]:
    """Return the key and typed value of an entry; return a pair of texts unchanged."""
    return (member.key, TypedValue(member.type, member.value)) if member.__class__ is Entry else member


def by_key(members: Any) -> dict[Any, Any]:
    """Return the values of entries or pairs by key; of equal keys, the last."""
    return dict(map(pair, members or ()))

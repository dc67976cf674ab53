"""Helpers of tests for entries: pairs of a key and a typed value, as in dicts."""

from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue


def entry(key: Any, typed: TypedValue) -> Entry:
    """The entry of a typed value under a key."""
    return Entry(key, typed.type, typed.value)


def pair(member: Any) -> tuple[Any, Any]:
    """The key and the typed value of an entry; a pair of texts stays one."""
    return (member.key, TypedValue(member.type, member.value)) if member.__class__ is Entry else member


def by_key(members: Any) -> dict[Any, Any]:
    """Values of entries or pairs by key, the last one of equal keys."""
    return dict(map(pair, members or ()))

"""Values as short texts for people: at most as wide as a column, or redacted to types and sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Self

from mqconvert.converters.model.bodies import BODY_TYPES, AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.primitives import text_or_none
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue

LONGEST = 80
"""Characters of a value or a path, so that one long key does not widen every line; also members of a value."""


class Shown(str):
    """A value as text; `bare` is the text without the value's type, for narrow columns.

    `parts` are those of a compound value without any types: a line of their own where the value is cut.
    """

    __slots__ = ("bare", "parts")
    bare: str
    parts: str

    def __new__(cls, text: str, bare: str | None = None, parts: str = "") -> Self:
        made = super().__new__(cls, text)
        made.bare = text if bare is None else bare
        made.parts = parts
        return made


def shortened(text: str) -> str:
    """Return a path or value of at most LONGEST characters."""
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + "..."


def short(value: object, *, redact: bool) -> Shown:
    """Return a value with its type, at most as wide as a column; of bytes that are no text only the number."""
    if isinstance(value, TypedValue):
        return _typed(value.type, value.value, redact=redact)
    if isinstance(value, AmqpValue):
        return _typed(BODY_TYPES[AmqpValue], value.value, redact=redact)
    if isinstance(value, Data) and len(value.sections) == 1 and _text(value.sections[0], redact=redact):
        return _typed(BODY_TYPES[Data], value.sections[0], redact=redact)
    return Shown(shortened(_plain(value, redact=redact)))


def _typed(type_: str, value: object, *, redact: bool) -> Shown:
    """Return a value behind its type, which texts and numbers do without in a narrow column."""
    shown = short(value, redact=redact)
    plain = isinstance(value, TypedValue | bool | int | float | str) or (
        isinstance(value, bytes) and _text(value, redact=redact)
    )
    parts = "" if redact or not _is_compound(value) else _untyped(value)
    return Shown(shortened(f"{type_} {shown}".rstrip()), shown.bare if plain else None, parts)


def _plain(value: Any, *, redact: bool) -> str:
    """Return a value that has no type of its own."""
    if value is None:
        return ""
    if isinstance(value, bytes):
        return _text(value, redact=redact) or _counted(len(value), "byte")
    if isinstance(value, Data | AmqpSequence):
        sections = "" if len(value.sections) == 1 else f", {len(value.sections)} sections"
        unit = "byte" if isinstance(value, Data) else "value"
        return f"{BODY_TYPES[type(value)]}{sections}, {_counted(sum(map(len, value.sections)), unit)}"
    if redact:
        return f"({len(value)} characters)" if isinstance(value, str) else "(redacted)"
    return _compound(value, partial(short, redact=False)) if _is_compound(value) else repr(value)


_SHOWN = 40
"""Characters of a text in bytes that are shown."""

_BINARY = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
"""Control characters that a text does not have. It has tabs and line ends, as JSON and stack traces do."""


def _text(raw: bytes, *, redact: bool) -> str:
    """Return the beginning of a text in bytes, `''` of none; an empty text for bytes that are no text.

    >>> _text(b"one\\ntwo", redact=False), _text(b"\\0\\1", redact=False)
    ("'one\\\\ntwo'", '')
    """
    text = None if redact else text_or_none(raw)
    if text is None or _BINARY.search(text):
        return ""
    return repr(text) if len(text) <= _SHOWN else f"{text[:_SHOWN]!r}…"


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}{'' if number == 1 else 's'}"


def _is_compound(value: object) -> bool:
    """Return whether a value has other values inside, or is a record such as a decimal of AMQP 0.9.1."""
    return value is not None and not isinstance(value, bool | int | float | str | bytes | Data | AmqpSequence)


def _compound(value: Any, shown: Callable[[Any], str]) -> str:
    """Return a value with other values inside: `[int 1, int 2]`, `{'k': int 1}` for entries, pairs and records."""
    if isinstance(value, Array):
        return f"of {value.of} {_compound(value.values, shown)}"
    if isinstance(value, Described):
        return f"{shown(value.descriptor)} {shown(value.value)}"
    if isinstance(value, Decimal091):
        return f"{value.value}e-{value.scale}"
    if not isinstance(value, list):  # a record, such as Pulsar's EncryptionKey
        value = [(name, inner) for name in names(value) if (inner := getattr(value, name)) is not None]
    parts = [_pair(part, shown) if isinstance(part, Entry | tuple) else shown(part) for part in value[:LONGEST]]
    text = ", ".join(parts)
    return f"{{{text}}}" if value and isinstance(value[0], Entry | tuple) else f"[{text}]"


def _pair(pair: Entry | tuple[Any, Any], shown: Callable[[Any], str]) -> str:
    key, value = (pair.key, TypedValue(pair.type, pair.value)) if isinstance(pair, Entry) else pair
    return f"{shown(key)}: {shown(value)}"


def _untyped(value: Any) -> str:
    """Return a value without its type and those of its parts.

    >>> _untyped([TypedValue("table", [Entry("count", "long", 1), Entry("reason", "longstr", b"expired")]), None])
    "[{'count': 1, 'reason': 'expired'}, None]"
    """
    if value is None:
        return "None"
    if isinstance(value, TypedValue | AmqpValue | Array):
        return _untyped(value.values if isinstance(value, Array) else value.value)
    return shortened(_compound(value, _untyped) if _is_compound(value) else _plain(value, redact=False))

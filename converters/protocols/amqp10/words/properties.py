"""Words for the types of text properties, which the profile `preserve` writes beside them (`amqp-type.<name>`).

A property of text is a user property, a string, or a long string of AMQP 0.9.1: text, bytes of UTF-8, or an entry with them.
"""

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.textforms import read_id, read_text, text_form
from mqconvert.converters.words import CONDITIONS, NOT_MINE, TRANSFORMS, Loss, NotMine, condition, transform

_TEXTS: Final = ("string", "longstr")
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,19}\Z")


def property_text(given: Any) -> str | None:
    """Return the text of a property; None for a missing one or another value.

    >>> property_text("a"), property_text(b"a"), property_text(Entry("k", "longstr", b"a")), property_text(Entry("k", "int", 1))
    ('a', 'a', 'a', None)
    """
    if given.__class__ is Entry or given.__class__ is TypedValue:
        return text_of(given.value) if given.type in _TEXTS else None
    return text_of(given) if given.__class__ in (str, bytes) else None


@condition("property-is", str)
def property_is(wanted: str, _value: object, beside: object) -> bool:
    """Match if the property that the row reads has this text: `property-is 2`."""
    return property_text(beside) == wanted


@transform("type-beside", gives="str", passes=True)
def type_beside(value: object, type_: str) -> str | NotMine:
    """Return the type name in the property beside a value; a string needs none.

    >>> type_beside(1, "int"), type_beside([], "list"), type_beside("a", "string") is NOT_MINE
    ('int', 'amqp', True)
    """
    if type_ == "string" or isinstance(text_form(value, type_), Loss):
        return NOT_MINE
    return "amqp" if type_ in AMQP10_COMPOUND else type_


@transform("typed-text", gives="typed", passes=True)
def typed_text(value: object, beside: object) -> TypedValue | NotMine:
    """Read a text in the type beside it. Without a type, or if it does not fit, it passes to the next row.

    >>> typed_text("YQ==", "binary"), typed_text("?", "binary") is typed_text("?", None) is NOT_MINE
    (TypedValue(type='binary', value=b'a'), True)
    """
    text, name = property_text(value), property_text(beside)
    if text is None or name is None or name == "string":
        return NOT_MINE
    return read_text(text, name) or NOT_MINE


@CONDITIONS.maker("fits")
def fits(name: str) -> dict[str, object]:
    """Match if the place that the row reads is read by that transform, which has this value beside it: `fits typed-text`."""
    reader = TRANSFORMS.known(name)
    if not reader.passes or reader.takes != 2:
        raise ValueError(f"{name!r} does not read a value by another beside it")
    return {"function": partial(_is_read, reader.function)}


def _is_read(read: Callable[[object, object], object], value: object, beside: object) -> bool:
    return read(beside, value) is not NOT_MINE


@condition("seconds-beside")
def seconds_beside(value: int, beside: object) -> bool:
    """Match the whole seconds of the milliseconds, as decimal text, that the row reads.

    >>> seconds_beside(7, "7001"), seconds_beside(6, "7001"), seconds_beside(7, None)
    (True, False, False)
    """
    text = property_text(beside)
    return text is not None and _NUMBER.match(text) is not None and int(text) // 1000 == value


# ---- ids (MAPPINGS rule 9) -----------------------------------------------------------------------------------------------


@transform("typed-id", gives="typed", passes=True)
def typed_id(value: object, beside: object) -> TypedValue | NotMine:
    """Read an id, a text or bytes, in the type beside it. Without a type, or if it does not fit, it passes to the next row.

    Bytes of type binary are the id; text of type binary is its base64.

    >>> typed_id("5", "ulong"), typed_id(b"a", "binary"), typed_id("YQ==", "binary")
    (TypedValue(type='ulong', value=5), TypedValue(type='binary', value=b'a'), TypedValue(type='binary', value=b'a'))
    >>> typed_id("5", None) is typed_id("x", "ulong") is NOT_MINE
    True
    """
    name = property_text(beside)
    if name not in ("string", "ulong", "uuid", "binary"):
        return NOT_MINE
    given = value.value if value.__class__ is Entry else value
    if name == "binary" and given.__class__ is bytes:
        return TypedValue("binary", given)
    text = property_text(value)
    return NOT_MINE if text is None else read_id(text, name) or NOT_MINE

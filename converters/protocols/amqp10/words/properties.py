"""Words for the types of text properties, which the profile `preserve` writes beside them (`amqp-type.<name>`).

A property of text is a user property, a string, or a long string of AMQP 0.9.1: text, bytes of UTF-8, or an entry with them.
"""

from typing import Any

from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.textforms import read_id, read_text, text_form
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, condition, transform

_TEXTS = ("string", "longstr")


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


@condition("type-fits")
def type_fits(value: object, beside: object) -> bool:
    """Match the name of a type in which the property that the row reads has a value.

    >>> type_fits("int", "5"), type_fits("int", "x"), type_fits("string", "x")
    (True, False, False)
    """
    text, name = property_text(beside), property_text(value)
    return text is not None and name not in (None, "string") and read_text(text, str(name)) is not None


@transform("typed-text", gives="typed")
def typed_text(value: str, name: str | None) -> TypedValue:
    """Read a property's value in the type beside it, or as a string if it does not fit.

    >>> typed_text("5", "int"), typed_text("x", "int").type, typed_text("x", None).type
    (TypedValue(type='int', value=5), 'string', 'string')
    """
    return (name is not None and read_text(value, name)) or TypedValue("string", value)


@transform("typed-text-stated", gives="typed", passes=True)
def typed_text_stated(value: object, beside: object) -> TypedValue | NotMine:
    """Read like `typed-text` a text with a type beside it that fits; any other text passes to the next row.

    >>> typed_text_stated("YQ==", "binary"), typed_text_stated("?", "binary") is typed_text_stated("?", None) is NOT_MINE
    (TypedValue(type='binary', value=b'a'), True)
    """
    text, name = property_text(value), property_text(beside)
    if text is None or name is None or name == "string":
        return NOT_MINE
    return read_text(text, name) or NOT_MINE


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


@condition("id-type-fits")
def id_type_fits(value: object, beside: object) -> bool:
    """Match the name of a type in which `typed-id` reads the id that the row reads.

    >>> id_type_fits("ulong", "5"), id_type_fits("ulong", b"x"), id_type_fits("binary", b"x"), id_type_fits("binary", None)
    (True, False, True, False)
    """
    return beside is not None and typed_id(beside, value) is not NOT_MINE


@transform("octets-id-type", gives="str", passes=True)
def bytes_id_type(value: Any, type_: str) -> str | NotMine:
    """Return the type name beside an id sent as bytes, if the way back would read another type: binary, or a uuid from a URN.

    >>> bytes_id_type("a", "string"), bytes_id_type(b"a", "binary") is bytes_id_type(bytes(16), "uuid") is NOT_MINE
    ('string', True)
    """
    return NOT_MINE if type_ == "uuid" or (type_ == "binary" and value[:9].lower() != b"urn:uuid:") else type_

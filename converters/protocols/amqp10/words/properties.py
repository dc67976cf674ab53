"""Words for the types of text properties, which the profile `preserve` writes beside them."""

from typing import Any

from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.textforms import read_id, read_text, text_form
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, condition, transform


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
def type_fits(value: str, beside: str | None) -> bool:
    """Match the name of a type in which the property that the row reads has a value.

    >>> type_fits("int", "5"), type_fits("int", "x"), type_fits("string", "x")
    (True, False, False)
    """
    return beside is not None and value != "string" and read_text(beside, value) is not None


@transform("typed-text", gives="typed")
def typed_text(value: str, name: str | None) -> TypedValue:
    """Read a property's value in the type beside it, or as a string if it does not fit.

    >>> typed_text("5", "int"), typed_text("x", "int").type, typed_text("x", None).type
    (TypedValue(type='int', value=5), 'string', 'string')
    """
    return (name is not None and read_text(value, name)) or TypedValue("string", value)


@transform("typed-text-stated", gives="typed", passes=True)
def typed_text_stated(value: str, name: str | None) -> TypedValue | NotMine:
    """Read like `typed-text` a text with a type beside it that fits; any other text passes to the next row.

    >>> typed_text_stated("YQ==", "binary"), typed_text_stated("?", "binary") is typed_text_stated("?", None) is NOT_MINE
    (TypedValue(type='binary', value=b'a'), True)
    """
    return (name is not None and read_text(value, name)) or NOT_MINE


@transform("typed-id", gives="typed", passes=True)
def typed_id(value: str, name: str | None) -> TypedValue | NotMine:
    """Read an id in the type beside it; an id that does not fit passes to the next row.

    >>> typed_id("a", None), typed_id("5", "ulong"), typed_id("x", "ulong") is NOT_MINE
    (TypedValue(type='string', value='a'), TypedValue(type='ulong', value=5), True)
    """
    if name is None:
        return TypedValue("string", value)
    return (name in ("ulong", "uuid", "binary") and read_id(value, name)) or NOT_MINE


@transform("octets-id-type", gives="str", passes=True)
def bytes_id_type(value: Any, type_: str) -> str | NotMine:
    """Return the type name beside an id sent as bytes, if the way back would read another type: binary, or a uuid from a URN.

    >>> bytes_id_type("a", "string"), bytes_id_type(b"a", "binary") is bytes_id_type(bytes(16), "uuid") is NOT_MINE
    ('string', True)
    """
    return NOT_MINE if type_ == "uuid" or (type_ == "binary" and value[:9].lower() != b"urn:uuid:") else type_


@transform("typed-octets-id", gives="typed", passes=True)
def typed_bytes_id(value: bytes, name: str | None) -> TypedValue | NotMine:
    """Read an id of bytes in the type beside it. Without a type, or if it does not fit, the id passes to the next row.

    >>> typed_bytes_id(b"5", "ulong"), typed_bytes_id(b"5", None) is typed_bytes_id(b"x", "ulong") is NOT_MINE
    (TypedValue(type='ulong', value=5), True)
    """
    if name == "binary":
        return TypedValue("binary", value)
    text = text_of(value) if name in ("string", "ulong") else None
    return (text is not None and read_text(text, str(name))) or NOT_MINE

"""Words for headers as text, with their types beside them: the profile `preserve` (`amqp-type.<name>`).

Names of types are those of AMQP 1.0, so that a header has the same text and type in every protocol. `amqp091` marks a header
without a counterpart there (an array, a table, a decimal, bytes that are no text): base64 of its type letter and value, as in a
field table (AMQP 0.9.1 section 4.2.5).
"""

from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.plain import text_of
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091.codec import decode_properties, encode_properties
from mqconvert.converters.protocols.amqp091.message import BasicProperties
from mqconvert.converters.protocols.amqp10.words.properties import property_text
from mqconvert.converters.protocols.amqp10.words.textforms import bytes_of_base64, read_text, text_form
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, transform

ENCODED = "amqp091"
"""The name beside base64 of a type letter and a value."""

_NAMES = {
    "byte": "byte", "unsignedbyte": "ubyte", "short": "short", "unsignedshort": "ushort", "signedint": "int",
    "unsignedint": "uint", "long": "long", "float": "float", "double": "double", "bool": "boolean", "void": "null",
    "binary": "binary", "timestamp": "timestamp",
}  # fmt: skip
_TYPES = {name: type_ for type_, name in _NAMES.items()}

_BEFORE = b"\x20\x00"
"""The property flags of a content header with headers alone, which the size of the table and an empty key follow."""


def _encoded(value: object, type_: str) -> str:
    """Return base64 of type letter and value."""
    return to_base64(encode_properties(BasicProperties(headers=[Entry("", type_, value)]))[7:])


def _decoded(text: str) -> TypedValue | None:
    """Return the value of such base64; None for other text."""
    raw = bytes_of_base64(text)
    if raw is None:
        return None
    try:
        found = decode_properties(_BEFORE + (len(raw) + 1).to_bytes(4) + b"\0" + raw).headers or []
    except DecodeError:
        return None
    return TypedValue(found[0].type, found[0].value) if len(found) == 1 else None


def _form(value: Any, type_: str) -> tuple[str, str | Loss] | None:
    """Return the type's name and the text of a header; None for a long string that is text, which needs no type."""
    if type_ == "longstr":
        text = text_of(value)
        return None if text is not None and "\0" not in text else (ENCODED, _encoded(value, type_))
    if type_ == "timestamp":
        return ("timestamp", str(value * 1000)) if value * 1000 < 2**63 else (ENCODED, _encoded(value, type_))
    name = _NAMES.get(type_)
    return (ENCODED, _encoded(value, type_)) if name is None else (name, text_form(value, name))


@transform("header-type", gives="str", passes=True)
def header_type(value: object, type_: str) -> str | NotMine:
    """Return the type name beside a header's text; a long string that is text needs none.

    >>> header_type(1, "signedint"), header_type([], "array"), header_type(b"a", "longstr") is NOT_MINE
    ('int', 'amqp091', True)
    """
    form = _form(value, type_)
    return NOT_MINE if form is None else form[0]


@transform("header-text", gives="str", passes=True, loses=True)
def header_text(value: object, type_: str) -> str | Loss | NotMine:
    """Return a header as text: integers decimal, times in milliseconds, binaries as base64, arrays and tables as base64 of type
    letter and value. A long string that is text passes to the next row.

    >>> header_text(7, "timestamp"), header_text([], "array"), header_text(b"a", "longstr") is NOT_MINE
    ('7000', 'QQAAAAA=', True)
    """
    form = _form(value, type_)
    return NOT_MINE if form is None else form[1]


@transform("header-of-text", gives="typed", passes=True)
def header_of_text(value: object, beside: object) -> TypedValue | NotMine:
    """Read a header from its text and the type beside it; any other text passes to the next row.

    >>> header_of_text("7000", "timestamp"), header_of_text("QQAAAAA=", "amqp091")
    (TypedValue(type='timestamp', value=7), TypedValue(type='array', value=[]))
    >>> header_of_text("7001", "timestamp") is header_of_text("7", "ulong") is header_of_text("7", None) is NOT_MINE
    True
    """
    text, name = property_text(value), property_text(beside)
    if text is None or name is None:
        return NOT_MINE
    if name == ENCODED:
        return _decoded(text) or NOT_MINE
    typed = read_text(text, name) if name in _TYPES else None
    if typed is None:
        return NOT_MINE
    if name == "timestamp":
        whole = typed.value >= 0 and typed.value % 1000 == 0
        return TypedValue("timestamp", typed.value // 1000) if whole else NOT_MINE
    return TypedValue(_TYPES[name], typed.value)

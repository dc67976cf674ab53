"""The sections of a message on the wire (part 3 section 3.2), from its fields: these stand in the order of the descriptors."""

from dataclasses import fields
from typing import Any, Final, NamedTuple

from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import ANNOTATIONS, APPLICATION_PROPERTIES

FIRST: Final = 0x70
LAST: Final = 0x78
"""The numeric descriptors of the first and the last section."""
SYMBOLS: Final = 0xA3
STRINGS: Final = 0xA1
"""The usual codes of keys: a symbol, or a string, of less than 256 bytes."""
_KEYS: Final = {ANNOTATIONS.name: SYMBOLS, APPLICATION_PROPERTIES.name: STRINGS}
_FORMS: Final = {**dict.fromkeys(_KEYS, "map"), "section": "list", "data": "binary", "amqp-sequence": "list", "amqp-value": "*"}
"""The end of the symbolic descriptor, by the wire type of the field."""


class Section(NamedTuple):
    """A section: its numeric and its symbolic descriptor, and the field of the message.

    One that is a list of fields has the class `of` them, one that is a map the usual code of its `keys`. Other sections are a
    body, or a part of one.
    """

    code: int
    symbol: str
    name: str
    of: type[Any] | None = None
    keys: int = 0


SECTIONS: Final = [
    Section(
        code,
        f"amqp:{type_ if field.name == 'body' else field.name.replace('_', '-')}:{_FORMS[type_]}",
        field.name,
        field.metadata["of"],
        _KEYS.get(type_, 0),
    )
    for code, (field, type_) in zip(
        range(FIRST, LAST + 1), [(field, type_) for field in fields(Message) for type_ in field.metadata["types"]], strict=True
    )
]
"""Every section, in the order of the descriptors.

>>> [section.symbol for section in SECTIONS][4:6]
['amqp:application-properties:map', 'amqp:data:binary']
"""

"""The names from which a package of its own builds a protocol. `docs/protocol.md` shows how.

>>> from dataclasses import dataclass
>>> @dataclass(slots=True)
... class Message:
...     subject: str | None = wire("text")
...     body: bytes = wire("payload", default=b"")
>>> types = wire_types(TextType("text"), PAYLOAD)
>>> section_to_json(Message("a", b"hi"), types)
{'subject': 'a', 'body': 'aGk='}
"""

from mqconvert.converters.clients.ends import Address, DownError, Ends, Where, Window
from mqconvert.converters.clients.ends.sockets import SocketEnd
from mqconvert.converters.errors import DecodeError, DeliveryError, EncodeError, LimitError, Remedy
from mqconvert.converters.model.compound import ArrayType, EntriesType, ListOfType, ListType, MapType
from mqconvert.converters.model.fields import wire
from mqconvert.converters.model.jsonform import Schema, refuse_json
from mqconvert.converters.model.plain import (
    PAYLOAD,
    BooleanType,
    BytesType,
    FloatType,
    IntegerType,
    NullType,
    TextType,
    UuidType,
)
from mqconvert.converters.model.protocol import Protocol, Samples
from mqconvert.converters.model.sections import RecordsType, section_from_json, section_to_json
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.model.wiretypes import WireType, WireTypes, instance, wire_types
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND
from mqconvert.converters.protocols.amqp10.words.annotations import read_as
from mqconvert.converters.protocols.amqp10.words.textforms import id_text
from mqconvert.converters.readers import Broken, Format, Record
from mqconvert.converters.words import NOT_MINE, Loss, NotMine, Partial, condition, transform

__all__ = [
    "AMQP10_COMPOUND", "NOT_MINE", "PAYLOAD", "Address", "ArrayType", "BooleanType", "Broken", "BytesType", "DecodeError",
    "DeliveryError", "DownError", "EncodeError", "Ends", "EntriesType", "Entry", "FloatType", "Format", "IntegerType",
    "LimitError", "ListOfType", "ListType", "Loss", "MapType", "NotMine", "NullType", "Partial", "Protocol", "Record",
    "RecordsType", "Remedy", "Samples", "Schema", "SocketEnd", "TextType", "TypedValue", "UuidType", "Where", "Window",
    "WireType", "WireTypes", "condition", "id_text", "instance", "read_as", "refuse_json", "section_from_json",
    "section_to_json", "transform", "wire", "wire_types",
]  # fmt: skip

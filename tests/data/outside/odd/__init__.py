"""A protocol with only its own wire types: an address of four bytes, a number of 24 bits, upper-case text, numbered flags.

Its bytes are its JSON form, since only its types matter.
"""

import json
from dataclasses import dataclass
from typing import Any

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.fields import wire
from mqconvert.converters.model.jsonform import Schema, refuse_json
from mqconvert.converters.model.plain import PAYLOAD, IntegerType, TextType
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.sections import section_from_json, section_to_json
from mqconvert.converters.model.wiretypes import WireType, WireTypes, instance, wire_types


class AddressType(WireType):
    """Four bytes, in JSON as numbers separated by dots."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        def fault(value: Any) -> str | None:
            return instance(bytes, "bytes")(value) or (None if len(value) == 4 else "not four bytes")

        super().__init__(name, "bytes", fault, [("", bytes([192, 0, 2, 1])), ("of zeros", bytes(4))])
        self.size = 4

    def write(self, value: Any, _types: WireTypes) -> str:
        return ".".join(map(str, value))

    def read(self, value: Any, at: str, _depth: int, _types: WireTypes) -> Any:
        try:
            return self.held(bytes(map(int, value.split("."))), at)
        except (AttributeError, ValueError):
            refuse_json("bad_value", "not four numbers between dots", at)

    def schema(self, _types: WireTypes) -> Schema:
        return {"type": "string", "format": "ipv4"}


def _shout_fault(value: Any) -> str | None:
    return None if value.__class__ is str and value.isascii() and value == value.upper() else "not shouted"


_SHOUT = TextType("shout", _shout_fault, [("", "HEY"), ("empty", "")], limits={"pattern": "^[^a-z]*$"})
_U24 = IntegerType("u24", 0, 2**24 - 1)
_MARKS = EntriesType("marks", _SHOUT, _U24)


@dataclass(slots=True)
class Message:
    """A message with only types that no other protocol has."""

    origin: bytes | None = wire("address")
    length: int | None = wire("u24")
    label: str | None = wire("shout")
    marks: list[tuple[str, int]] | None = wire(_MARKS)
    body: bytes = wire("payload", default=b"")


PROTOCOL = Protocol("odd", "Odd", Message, wire_types(AddressType("address"), _U24, _SHOUT, PAYLOAD), codec="odd", tables="odd")


def decode(data: bytes) -> Message:
    try:
        form = json.loads(data)
    except ValueError as error:
        raise DecodeError("bad_json", str(error), offset=0) from None
    return section_from_json(Message, form, PROTOCOL.types)


def decode_all(data: bytes) -> list[Message]:
    return [decode(data)]


def encode(message: Any) -> bytes:
    for name, type_ in (("origin", "address"), ("length", "u24"), ("label", "shout")):
        value = getattr(message, name)
        fault = None if value is None else PROTOCOL.types[type_].fault(value)
        if fault is not None:
            raise EncodeError("bad_value", fault, field=name)
    return json.dumps(section_to_json(message, PROTOCOL.types)).encode()

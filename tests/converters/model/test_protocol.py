"""A protocol knows the wire types of its messages."""

from dataclasses import dataclass
from typing import Any

import pytest

from mqconvert.converters.model import fields as message_fields
from mqconvert.converters.model.plain import IntegerType
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.wiretypes import wire_types


@dataclass
class Odd:
    """A message class with a field of an unknown wire type."""

    field: int | None = message_fields.wire("u24")


@dataclass
class Holder:
    """A message class with a section that has such a field."""

    section: Odd | None = message_fields.wire("section", of=Odd)


@pytest.mark.parametrize("message", [Odd, Holder])
def test_a_field_of_an_unknown_wire_type_is_refused(message: type[Any]) -> None:
    with pytest.raises(LookupError, match=r"odd: Odd.field has unknown wire type 'u24'"):
        Protocol("odd", "Odd", message, wire_types(IntegerType("uint", 0, 1)), "nowhere")

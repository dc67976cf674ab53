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


def test_a_codec_is_imported_on_first_use_and_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mqconvert.converters.model.protocol.import_module", lambda _name: object())
    types = wire_types(IntegerType("uint", 0, 1))
    first, second = (Protocol("one", "One", Whole, types, codec=f"nowhere.{name}") for name in ("first", "second"))
    assert first.codec_module() is first.codec_module()
    assert first.codec_module() is not second.codec_module()


def test_named_types_are_those_of_values_and_of_fields() -> None:
    shape = IntegerType("u24", 0, 2**24 - 1)

    @dataclass
    class Shaped:
        field: int | None = message_fields.wire(shape)

    types = wire_types(IntegerType("uint", 0, 1))
    assert Protocol("shaped", "Shaped", Shaped, types, "nowhere").named == types | {"u24": shape}
    assert "u24" not in types


@dataclass
class Whole:
    """A message class with a field of a known wire type."""

    field: int | None = message_fields.wire("uint")

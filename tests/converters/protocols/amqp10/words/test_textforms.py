"""The text of values of any AMQP type: the forms of the standard library, and every text restores its value."""

import base64
import math
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Array, Described, TypedValue
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.protocols.amqp10.words.textforms import bytes_of_base64, id_text, read_id, read_text, text_form
from mqconvert.converters.words import Loss
from tests.strategies import AMQP10_SIMPLE, AMQP10_VALUES


@given(AMQP10_SIMPLE | AMQP10_VALUES)
def test_every_text_restores_its_value(typed: TypedValue) -> None:
    text = text_form(typed.value, typed.type)
    if isinstance(text, Loss):
        assert typed.type == "char"
        return
    name = typed.type if typed.type not in ("list", "map", "array", "described") else "amqp"
    assert repr(read_text(text, name)) == repr(typed)  # NaN is not equal to itself, and all NaNs have one text


@given(st.binary(max_size=40))
def test_binary_is_base64_and_uuids_are_those_of_the_standard_library(raw: bytes) -> None:
    assert text_form(raw, "binary") == base64.b64encode(raw).decode()
    sixteen = raw.ljust(16, b"\0")[:16]
    assert text_form(sixteen, "uuid") == str(UUID(bytes=sixteen))
    assert id_text(sixteen, "uuid") == UUID(bytes=sixteen).urn
    assert read_id(UUID(bytes=sixteen).urn, "uuid") == TypedValue("uuid", sixteen)


@given(st.floats(allow_nan=False))
def test_a_double_is_the_shortest_decimal_of_python(number: float) -> None:
    assert text_form(number, "double") == repr(number)
    read = read_text(repr(number), "double")
    assert read is not None
    assert math.copysign(1, read.value) == math.copysign(1, number)


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        (True, "boolean", "true"),
        (False, "boolean", "false"),
        (None, "null", ""),
        (-(2**63), "long", "-9223372036854775808"),
        (0x1F600, "char", "\U0001f600"),
        (0xD7FF, "char", "\ud7ff"),
        (0xE000, "char", "\ue000"),
        (0.10000000149011612, "float", "0.1"),
        (2.0**-149, "float", "1e-45"),
        (float("nan"), "double", "nan"),
        (bytes.fromhex("a0b1c2d3"), "decimal32", "a0b1c2d3"),
        ("é", "string", "é"),
        ([], "list", base64.b64encode(b"\x45").decode()),
        ([TypedValue("uint", 1)], "list", base64.b64encode(b"\xc0\x03\x01\x52\x01").decode()),
    ],
)
def test_values_have_their_text(value: Any, type_: str, text: str) -> None:
    assert text_form(value, type_) == text


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("+1", "int"),
        ("01", "int"),
        (" 1", "int"),
        ("1\n", "int"),
        ("\u0661", "int"),
        ("-1", "uint"),
        ("2147483648", "int"),
        ("True", "boolean"),
        ("x", "null"),
        ("YQ", "binary"),
        ("YR==", "binary"),
        ("0.10", "double"),
        ("1e999", "double"),
        ("1.5f", "float"),
        ("ab", "char"),
        ("A0B1C2D3", "decimal32"),
        ("a0b1c2", "decimal32"),
        ("00000000000000000000000000000000", "uuid"),
        ("é", "symbol"),
        ("AAECAw==", "amqp"),
        (base64.b64encode(b"\x52\x01").decode(), "amqp"),  # a uint has a form of its own
        ("1", "list"),
        ("1", "u128"),
    ],
)
def test_text_of_another_form_is_not_read(text: str, name: str) -> None:
    assert read_text(text, name) is None


@given(
    text=st.text(max_size=12) | st.integers().map(str) | st.floats().map(repr), name=st.sampled_from([*AMQP10_TYPES, "amqp"])
)
def test_any_text_is_read_as_a_valid_value_or_not_at_all(text: str, name: str) -> None:
    typed = read_text(text, name)
    if typed is not None:
        assert AMQP10_TYPES[typed.type].fault(typed.value) is None
        assert text_form(typed.value, typed.type) == text


def test_compound_values_are_read_under_the_name_amqp_alone() -> None:
    for typed in (
        TypedValue("described", Described(TypedValue("symbol", "d"), TypedValue("null", None))),
        TypedValue("array", Array("uint", [1, 2])),
    ):
        text = text_form(typed.value, typed.type)
        assert isinstance(text, str)
        assert read_text(text, "amqp") == typed
        assert read_text(text, typed.type) is None


@pytest.mark.parametrize("text", ["YQ", "YQ=", "YQ==\n", "YR==", "Y Q==", "é"])
def test_base64_must_be_canonical(text: str) -> None:
    assert bytes_of_base64(text) is None


def test_only_a_urn_is_the_text_of_a_uuid_as_id() -> None:
    text = str(UUID(int=1))
    assert read_id(text, "uuid") is read_id(f"URN:UUID:{text}", "uuid") is None
    assert read_id("5", "ulong") == TypedValue("ulong", 5)

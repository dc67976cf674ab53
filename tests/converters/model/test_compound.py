"""Values that contain others have a JSON form, and their nesting is limited."""

from typing import Any

import pytest

from mqconvert import PROTOCOLS, Array, Decimal091, DecodeError, Described, Entry, TypedValue, message_from_json
from mqconvert.converters.model.values import MAX_DEPTH
from mqconvert.converters.model.wiretypes import typed_to_json
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.entries import entry

DEEPEST = MAX_DEPTH + 2

AMQP10 = [
    (TypedValue("null", None), {"type": "null", "value": None}),
    (TypedValue("boolean", True), {"type": "boolean", "value": True}),
    (TypedValue("ubyte", 1), {"type": "ubyte", "value": 1}),
    (TypedValue("long", 2**53 - 1), {"type": "long", "value": 2**53 - 1}),
    (TypedValue("long", 2**53), {"type": "long", "value": "9007199254740992"}),
    (TypedValue("long", -(2**63)), {"type": "long", "value": "-9223372036854775808"}),
    (TypedValue("ulong", 2**64 - 1), {"type": "ulong", "value": "18446744073709551615"}),
    (TypedValue("timestamp", 1000), {"type": "timestamp", "value": 1000}),
    (TypedValue("char", 0x1F600), {"type": "char", "value": 0x1F600}),
    (TypedValue("float", 1.5), {"type": "float", "value": 1.5}),
    (TypedValue("double", float("inf")), {"type": "double", "value": "Infinity"}),
    (TypedValue("double", float("-inf")), {"type": "double", "value": "-Infinity"}),
    (TypedValue("double", float("nan")), {"type": "double", "value": "NaN"}),
    (TypedValue("decimal32", b"\0\1\2\3"), {"type": "decimal32", "value": "AAECAw=="}),
    (TypedValue("uuid", bytes(range(16))), {"type": "uuid", "value": "00010203-0405-0607-0809-0a0b0c0d0e0f"}),
    (TypedValue("binary", b"hi"), {"type": "binary", "value": "aGk="}),
    (TypedValue("string", "é"), {"type": "string", "value": "é"}),
    (TypedValue("symbol", "s"), {"type": "symbol", "value": "s"}),
    (TypedValue("list", [TypedValue("null", None)]), {"type": "list", "value": [{"type": "null", "value": None}]}),
    (
        TypedValue("map", [Entry(TypedValue("uint", 1), "boolean", False)]),
        {"type": "map", "value": [[{"type": "uint", "value": 1}, {"type": "boolean", "value": False}]]},
    ),
    (TypedValue("array", Array("uint", [1, 2])), {"type": "array", "of": "uint", "value": [1, 2]}),
    (
        TypedValue("array", Array("list", [[TypedValue("uint", 1)]], (TypedValue("symbol", "d"),))),
        {
            "type": "array",
            "of": "list",
            "value": [[{"type": "uint", "value": 1}]],
            "descriptors": [{"type": "symbol", "value": "d"}],
        },
    ),
    (
        TypedValue("described", Described(TypedValue("ulong", 1), TypedValue("string", "v"))),
        {"type": "described", "descriptor": {"type": "ulong", "value": 1}, "value": {"type": "string", "value": "v"}},
    ),
]
AMQP091 = [
    (TypedValue("longstr", "é".encode()), {"type": "longstr", "value": "é"}),
    (TypedValue("longstr", b"\xff"), {"type": "longstr", "base64": "/w=="}),
    (TypedValue("binary", b"hi"), {"type": "binary", "value": "aGk="}),
    (TypedValue("decimal", Decimal091(2, 314)), {"type": "decimal", "value": {"scale": 2, "value": 314}}),
    (TypedValue("timestamp", 2**64 - 1), {"type": "timestamp", "value": "18446744073709551615"}),
    (TypedValue("void", None), {"type": "void", "value": None}),
    (TypedValue("array", [TypedValue("bool", True)]), {"type": "array", "value": [{"type": "bool", "value": True}]}),
    (TypedValue("table", [Entry("k", "byte", -1)]), {"type": "table", "value": [["k", {"type": "byte", "value": -1}]]}),
]


@pytest.mark.parametrize(("typed", "form"), AMQP10, ids=lambda value: str(value)[:40])
def test_typed_values_of_amqp10_have_a_json_form(typed: TypedValue, form: dict[str, Any]) -> None:
    assert typed_to_json(typed, PROTOCOLS["amqp-1.0"].types) == form
    read = message_from_json({"body": {"value": form}}, "amqp-1.0")
    assert repr(read) == repr(amqp10.Message(body=amqp10.AmqpValue(typed)))


@pytest.mark.parametrize(("typed", "form"), AMQP091, ids=lambda value: str(value)[:40])
def test_typed_values_of_amqp091_have_a_json_form(typed: TypedValue, form: dict[str, Any]) -> None:
    assert typed_to_json(typed, PROTOCOLS["amqp-0.9.1"].types) == form
    read = message_from_json({"basic": {"headers": [["k", form]]}}, "amqp-0.9.1")
    assert read == amqp091.Message(amqp091.BasicProperties(headers=[entry("k", typed)]))


@pytest.mark.parametrize("inside", ["list", "described", "map"])
def test_nesting_is_limited(inside: str) -> None:
    form: dict[str, Any] = {"type": "null", "value": None}
    for _ in range(DEEPEST):
        if inside == "described":
            form = {"type": inside, "descriptor": {"type": "null", "value": None}, "value": form}
        else:
            form = {"type": inside, "value": [form] if inside == "list" else [[{"type": "null", "value": None}, form]]}
    with pytest.raises(DecodeError) as caught:
        message_from_json({"body": {"value": form}}, "amqp-1.0")
    assert caught.value.kind == "nesting"

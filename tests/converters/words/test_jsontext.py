"""`to-json` makes valid JSON of every value, and says what JSON has no form for."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Entry, TypedValue, message_from_json
from mqconvert.converters.engine.vocabulary import TRANSFORMS
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.values import Array, Decimal091, Described
from mqconvert.converters.words import Partial, kept
from tests.strategies import AMQP091_VALUES, AMQP10_VALUES

TO_JSON = TRANSFORMS["to-json"].function


@given(value=AMQP10_VALUES | AMQP091_VALUES)
def test_every_value_has_json(value: TypedValue) -> None:
    text = kept(TO_JSON(value.value, value.type))
    json.loads(text.encode(), parse_constant=pytest.fail)  # NaN and Infinity are no JSON


@given(
    headers=st.dictionaries(
        st.text(st.characters(exclude_categories=["Cs"]), max_size=9),
        st.recursive(
            st.text(st.characters(exclude_categories=["Cs"])) | st.booleans() | st.none() | st.integers(-(2**63), 2**63 - 1),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from("abc"), inner, max_size=3),
            max_leaves=6,
        ),
        max_size=4,
    )
)
def test_shorthand_reads_what_the_word_writes(headers: dict[str, Any]) -> None:
    message = message_from_json({"basic": {"headers": headers}}, "amqp-0.9.1")
    assert json.loads(TO_JSON(message.basic.headers, "table")) == headers


@pytest.mark.parametrize(
    ("value", "type_", "text", "reason"),
    [
        (b"\xff", "binary", '"/w=="', "bytes that are no text, here as base64"),
        (b"abc", "decimal32", '"YWJj"', "bytes that are no text, here as base64"),
        (float("inf"), "double", "null", "a number that is not finite, here as null"),
        ([Entry("a", "int", 1), Entry("a", "int", 2)], "map", '{"a":2}', "a value whose key comes again"),
        ([Entry("\udcff", "int", 1)], "table", '{"/w==":1}', "bytes that are no text, here as base64"),
        (Described(TypedValue("symbol", "url"), TypedValue("string", "a")), "described", '"a"', "a descriptor"),
        (Array("int", [1], (TypedValue("symbol", "url"),)), "array", "[1]", "a descriptor"),
        (Data([b"a", b"b"]), "data", '"ab"', "the borders of its sections"),
        (AmqpSequence([[TypedValue("int", 1)], []]), "amqp-sequence", "[1]", "the borders of its sections"),
    ],
)
def test_what_json_cannot_hold_is_told(value: object, type_: str, text: str, reason: str) -> None:
    assert TO_JSON(value, type_) == Partial(text, reason)


@pytest.mark.parametrize(
    ("value", "type_", "text"),
    [
        ([], "array", "[]"),
        (AmqpValue(TypedValue("map", [Entry(TypedValue("string", "a"), "int", 1)])), "amqp-value", '{"a":1}'),
        (AmqpSequence([[TypedValue("int", 1)]]), "amqp-sequence", "[1]"),
        ([], "table", "{}"),
        (Array("ubyte", [1, 2]), "array", "[1,2]"),
        (bytes(16), "uuid", '"00000000-0000-0000-0000-000000000000"'),
        (Decimal091(2, 314), "decimal", '"3.14"'),
        (0xE9, "char", '"é"'),
        ([Entry(TypedValue("uint", 5), "boolean", True), Entry(7, "null", None)], "map", '{"5":true,"7":null}'),
    ],
)
def test_values_without_a_loss(value: object, type_: str, text: str) -> None:
    assert TO_JSON(value, type_) == text

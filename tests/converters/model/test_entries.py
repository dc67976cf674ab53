"""Entries: their keys in order, and an error with the path of the first invalid one."""

from typing import Any

import pytest

from mqconvert import EncodeError, Entry, TypedValue, encode
from mqconvert.converters.model.entries import Keys, bad_entry, by_key, key_path, keys_of, no_typed_value, within
from mqconvert.messages import amqp091, amqp10

GOOD = Entry("k", "int", 1)


def test_keys_keep_order_and_duplicates_and_the_last_of_equal_keys_counts() -> None:
    entries = [Entry("b", "int", 1), Entry("a", "int", 2), Entry("b", "int", 3)]
    assert keys_of(entries) == ["b", "a", "b"]
    assert keys_of([("b", "1"), ("a", "2")]) == ["b", "a"]
    assert by_key(entries) == {"b": entries[2], "a": entries[1]}
    assert by_key(None) == {}


def test_keys_of_a_map_are_a_set_however_many_they_are() -> None:
    keys, wanted = Keys(), set[object]()
    for key in [f"key {number % 25}" for number in range(60)] + ["k\u00e4se", "key 2\u00e4", 7, "7"] * 2:
        assert (key in keys) is (key in wanted), key
        if key not in wanted:
            keys.add(key)
            wanted.add(key)
        assert len(keys) == len(wanted)


@pytest.mark.parametrize(
    ("wrong", "code", "field"),
    [
        (("k", TypedValue("int", 1)), "bad_value", "[1]"),
        (None, "bad_value", "[1]"),
        (Entry("x", "u128", 1), "unknown_type", '["x"]'),
        (Entry(TypedValue("symbol", "x"), "u128", 1), "unknown_type", '["x"]'),
        (Entry("x", 5, 1), "unknown_type", '["x"]'),  # type: ignore[arg-type]  # wrong on purpose
    ],
)
def test_the_first_invalid_entry_is_named(wrong: Any, code: str, field: str) -> None:
    error = bad_entry([GOOD, wrong, None], {"int"}, "no type of this protocol")
    assert isinstance(error, EncodeError)
    assert (error.code, error.field) == (code, field)


def test_each_level_adds_its_part_to_the_path() -> None:
    error = EncodeError("bad_value", "not an integer", field="[2]")
    assert within(within(error, key_path(TypedValue("symbol", "a"))), "footer").field == 'footer["a"][2]'


def test_a_value_without_a_known_type_is_refused_by_its_type() -> None:
    unknown, untyped = no_typed_value(TypedValue("u128", 1), "no type"), no_typed_value(1, "no type")
    assert (unknown.code, unknown.message) == ("unknown_type", "no type 'u128'")
    assert (untyped.code, untyped.message) == ("wrong_type", "not a typed value")
    long = no_typed_value(TypedValue("x" * 1000, 1), "no type")
    assert len(long.message) < 100


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (amqp10.Message(application_properties=[GOOD, Entry("x", "u128", 1)]), 'application_properties["x"]'),
        (amqp10.Message(footer=[GOOD, Entry("x", "list", [TypedValue("u128", 1)])]), 'footer["x"][0]'),
        (
            amqp091.Message(amqp091.BasicProperties(headers=[Entry("t", "table", [Entry("x", "u128", 1)])])),
            'basic.headers["t"]["x"]',
        ),
    ],
)
def test_encode_names_the_path_of_an_entry(message: Any, field: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode(message)
    assert (caught.value.code, caught.value.field) == ("unknown_type", field)

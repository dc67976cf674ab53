"""Annotations in the type of the table, delays and times by the caller's clock."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import TypedValue
from mqconvert.converters.engine.vocabulary import TRANSFORMS
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.words import NOT_MINE, Loss
from tests.strategies import AMQP10_SIMPLE


@pytest.mark.parametrize(
    ("kind", "value", "type_", "answer"),
    [
        ("uint", 5, "uint", 5),
        ("uint", 5, "timestamp", 5),
        ("uint", "5", "string", 5),
        ("uint", "5", "symbol", 5),
        ("uint", -5, "int", Loss("not a uint")),
        ("uint", "-5", "string", Loss("not a uint")),
        ("uint", 2**32, "ulong", Loss("not a uint")),
        ("uint", True, "boolean", Loss("not a uint")),
        ("long", -1, "timestamp", -1),
        ("long", "0", "string", 0),
        *(("int", text, "string", Loss("not an int")) for text in ("-0", "+7", "07", "-07", " 7", "7.0", "")),
        ("ulong", -1, "long", Loss("not a ulong")),
        ("long", 5.0, "double", Loss("not a long")),
        ("boolean", True, "boolean", True),
        ("boolean", "true", "string", True),
        ("boolean", 1, "uint", Loss("not a boolean")),
        ("string", "a", "symbol", "a"),
        ("string", 5, "int", Loss("not a string")),
        ("binary", "YQ==", "string", b"a"),
        ("binary", "?", "string", Loss("not a binary")),
    ],
)
def test_an_annotation_is_read_in_the_type_of_the_table(kind: str, value: Any, type_: str, answer: Any) -> None:
    assert TRANSFORMS[f"annotation {kind}"].function(value, type_) == answer


@given(typed=AMQP10_SIMPLE, kind=st.sampled_from(["int", "uint", "long", "ulong", "boolean", "string", "binary"]))
def test_what_is_read_fits_the_type(typed: TypedValue, kind: str) -> None:
    made = TRANSFORMS[f"annotation {kind}"].function(typed.value, typed.type)
    assert isinstance(made, Loss) or AMQP10_TYPES[kind].fault(made) is None


@pytest.mark.parametrize("word", ["annotation list", "annotation uuid", "read string"])
def test_other_types_are_refused(word: str) -> None:
    with pytest.raises(ValueError, match="it needs one of "):
        TRANSFORMS.known(word)


@pytest.mark.parametrize(
    ("word", "value", "clock", "answer"),
    [
        ("by-clock time", 5, 100, 105),
        ("by-clock time", 5, None, NOT_MINE),
        ("by-clock time", 2**63 - 1, 0, 2**63 - 1),
        ("by-clock time", 2**63 - 1, 1, NOT_MINE),
        ("by-clock delay 60", 130, 100, 30),
        ("by-clock delay 60", 160, 100, 60),
        ("by-clock delay 60", 161, 100, NOT_MINE),
        ("by-clock delay 60", 50, 100, 0),
        ("by-clock delay 60", 50, None, NOT_MINE),
    ],
)
def test_the_clock_turns_delays_and_times_into_each_other(word: str, value: int, clock: int | None, answer: Any) -> None:
    assert TRANSFORMS[word].function(value, "long", clock) == answer


def test_the_clock_is_for_numbers_alone() -> None:
    assert TRANSFORMS["by-clock time"].function("soon", "string", 5) == Loss("not a long")

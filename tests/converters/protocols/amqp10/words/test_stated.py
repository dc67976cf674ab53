"""Annotations in the type that the mapping states, and in others that can be read, with a loss."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.protocols.amqp10.words.stated import STATED, place_in_batch, stated_in
from mqconvert.converters.words import NOT_MINE, Loss, Partial, kept
from tests.strategies import AMQP10_SIMPLE

BACK = "its type {}: the way back gives {}"


@pytest.mark.parametrize(
    ("kind", "value", "type_", "answer"),
    [
        ("uint", 5, "uint", 5),
        ("uint", 5, "long", Partial(5, BACK.format("long", "uint"))),
        ("uint", "5", "string", Partial(5, BACK.format("string", "uint"))),
        ("uint", "5", "symbol", Partial(5, BACK.format("symbol", "uint"))),
        ("uint", -5, "int", NOT_MINE),
        ("uint", "-5", "string", NOT_MINE),
        ("uint", 2**32, "ulong", NOT_MINE),
        ("uint", True, "boolean", NOT_MINE),
        ("boolean", True, "boolean", True),
        ("boolean", "true", "string", Partial(True, BACK.format("string", "boolean"))),
        ("boolean", 1, "uint", NOT_MINE),
        ("string", "a", "string", "a"),
        ("string", "a", "symbol", Partial("a", BACK.format("symbol", "string"))),
        ("binary", "YQ==", "string", Partial(b"a", BACK.format("string", "binary"))),
        ("timestamp", -1, "timestamp", -1),
        ("time", -1, "timestamp", NOT_MINE),
        ("time", 2**63, "ulong", 2**63),
        ("time", 5, "ulong", Partial(5, BACK.format("ulong", "timestamp"))),
        ("count", -1, "int", -1),
        ("count", 1, "int", Partial(1, BACK.format("int", "uint"))),
        ("count", 2**31 - 1, "uint", 2**31 - 1),
        ("count", 2**31, "uint", NOT_MINE),
    ],
)
def test_a_value_is_read_in_the_stated_type(kind: str, value: Any, type_: str, answer: Any) -> None:
    assert TRANSFORMS[f"stated {kind}"].function(value, type_) == answer


def test_a_time_as_text_says_its_unit() -> None:
    made = TRANSFORMS["stated timestamp"].function("5", "string")
    assert made.value == 5
    assert "milliseconds; RabbitMQ writes seconds" in made.reason


@given(typed=AMQP10_SIMPLE, kind=st.sampled_from([*STATED]))
def test_what_is_read_fits_the_type(typed: TypedValue, kind: str) -> None:
    answer = STATED[kind](typed.value, typed.type)
    value = kept(answer)
    assert not isinstance(answer, Loss)
    if value is not None and kind in AMQP10_TYPES:
        assert AMQP10_TYPES[kind].fault(value) is None
        assert isinstance(answer, Partial) == (typed.type != kind)


@pytest.mark.parametrize(
    ("word", "fault"),
    [
        ("stated list", "it needs one of "),
        ("stated-beside uint list", "it needs one or two types, the last one that of the field"),
        ("read string", "it needs one of "),
    ],
)
def test_other_types_are_refused(word: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        TRANSFORMS.known(word)


def test_a_value_beside_an_unset_field_is_a_loss_unless_only_the_annotation_can_hold_it() -> None:
    beside = TRANSFORMS["stated-beside uint"].function
    assert beside(5, "uint", 7) == 5
    assert beside(5, "uint", None) == Partial(5, "the field beside it is unset: the way back sets that field")
    assert TRANSFORMS["stated-beside long uint"].function(-5, "long", None) == -5


@pytest.mark.parametrize(
    ("word", "value", "clock", "answer"),
    [
        ("by-clock time", 5, 100, Partial(105, "the delay itself: the way back gives a time")),
        ("by-clock time", 5, None, Loss("a delay, and no clock to count from")),
        ("by-clock time", 2**63 - 1, 1, Loss("a delay beyond a time of 64 bits")),
        ("by-clock delay 60", 130, 100, Partial(30, "the time itself: the way back gives a delay")),
        ("by-clock delay 60", 500, 100, Partial(60, "the time itself: the way back gives a delay")),
        ("by-clock delay 60", 50, 100, Partial(0, "the time itself: the way back gives a delay")),
        ("by-clock delay 60", 50, None, Loss("a time, and no clock to count a delay from")),
    ],
)
def test_the_clock_turns_delays_and_times_into_each_other(word: str, value: int, clock: int | None, answer: Any) -> None:
    assert TRANSFORMS[word].function(value, "long", clock) == answer


def test_the_clock_is_for_numbers_alone() -> None:
    assert TRANSFORMS["by-clock time"].function("soon", "string", 5) is NOT_MINE


@pytest.mark.parametrize(
    ("index", "size", "least", "place"),
    [(0, 2, None, 0), (1, 2, None, 1), (2, 2, None, None), (0, None, None, None), (0, None, 1, 0), (None, 2, None, None)],
)
def test_a_place_in_a_batch_is_below_its_size(
    index: int | None, size: int | None, least: int | None, place: int | None
) -> None:
    at, of = (None if number is None else TypedValue("uint", number) for number in (index, size))
    assert place_in_batch(at, of, "uint", least) == place
    literal = "" if least is None else f" {least}"
    assert CONDITIONS[f"in-batch uint{literal}"].function(at, of) is (place is not None)


def test_a_frame_is_that_of_the_caller_or_else_of_an_annotation() -> None:
    builds = CONDITIONS["builds dispatch|003 =dispatch ubyte=3"].function
    text, three = TypedValue("string", "dispatch"), TypedValue("ubyte", 3)
    assert [builds(frame, None, None) for frame in ("dispatch", "003", "send")] == [True, True, False]
    assert [builds("send", text, three), builds(None, text, None), builds(None, None, three)] == [False, True, True]
    assert builds(None, TypedValue("string", "send"), TypedValue("ubyte", 4)) is False


def test_numbers_are_stated_under_a_mask() -> None:
    assert CONDITIONS["states ubyte 1 3"].function(3, "ubyte") is True
    assert CONDITIONS["states ubyte 1 3"].function(2, "ubyte") is False
    assert CONDITIONS["states int&7 1 2"].function(8 + 2, "int") is True
    assert CONDITIONS["states int&7 1 2"].function("x", "string") is False


def test_the_value_of_a_missing_annotation_is_none() -> None:
    assert stated_in(None, "uint") is None
    assert stated_in(TypedValue("list", []), "uint") is None
    assert stated_in(TypedValue("string", "5"), "uint") == 5

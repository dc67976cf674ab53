"""Answers that are no value, and how the next transform takes them."""

from collections.abc import Callable
from typing import Any

import pytest

from mqconvert.converters.words.answers import NOT_MINE, InTurn, Loss, Partial


def double(value: int) -> int:
    return value * 2


def halved(value: int) -> Any:
    return Partial(value // 2, "the half") if value % 2 else value // 2


def small(value: int) -> Any:
    return value if value < 100 else Loss("too large")


def even(value: int) -> Any:
    return NOT_MINE if value % 2 else value


@pytest.mark.parametrize(
    ("first", "others", "given", "answer"),
    [
        (double, [double, double], 1, 8),
        (halved, [double], 5, Partial(4, "the half")),
        (double, [halved, halved], 3, Partial(1, "the half")),
        (halved, [halved], 7, Partial(1, "the half")),  # the first reason stays
        (halved, [small], 999, Loss("too large")),
        (halved, [even], 7, NOT_MINE),
        (small, [double], 100, Loss("too large")),
        (even, [double], 3, NOT_MINE),
    ],
)
def test_each_transform_gets_the_kept_part_of_the_one_before(
    first: Callable[..., Any], others: list[Callable[[Any], Any]], given: int, answer: Any
) -> None:
    assert InTurn(lambda: [first, *others])(given) == answer


def test_the_reason_of_the_first_partial_value_stays() -> None:
    made = InTurn(lambda: [lambda value: Partial(value, "first"), lambda value: Partial(value + 1, "second")])(1)
    assert made == Partial(2, "first")


def test_only_the_first_transform_gets_all_that_the_row_reads() -> None:
    assert InTurn(lambda: [lambda *given: sum(given), double])(1, 2, 3) == 12


def test_answers_are_equal_by_their_value_and_reason() -> None:
    assert Loss("a") == Loss("a") != Loss("b")
    assert Partial(1, "a") == Partial(1, "a") != Partial(2, "a")

"""Templates: constant texts with places for nodes, which never become other code."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.printed.defining import function_of
from mqconvert.converters.printed.nodes import Hole, Junction, Literal, Name, Pass, every
from mqconvert.converters.printed.printer import Printed, written
from mqconvert.converters.printed.reading import read_module
from mqconvert.converters.printed.templates import (
    assign,
    code,
    do,
    filled,
    lines,
    named_once,
    replaced,
    summed,
    template,
    uses,
)


def test_a_hole_takes_a_tree_and_never_a_text() -> None:
    made = code("{0}.replace({old}, {new})", Name("value"), old=Literal("{0}"), new=Literal("') or ('"))
    assert written(made) == """value.replace('{0}', "') or ('")"""
    assert filled(made, {"0": Name("other")}) is made
    assert uses(template("{0} if type({0}) is bytes else {0}.encode()"), "0") == 3


def test_a_value_is_computed_once_where_it_is_evaluated_first() -> None:
    made = named_once(template("{0} if type({0}) is bytes else {0}.encode()"), "raw", template("typed.value"))
    assert written(made) == "raw if type(raw := typed.value) is bytes else raw.encode()"
    assert every([]) is None
    assert every([Junction("and", (Name("a"), Name("b"))), Name("a")]) == Junction("and", (Name("a"), Name("b")))


@given(st.text() | st.binary() | st.integers())
def test_a_literal_in_a_hole_is_its_value_and_nothing_else(value: object) -> None:
    made = function_of(code("[{0}, {1}, [{1}]]", Hole("0"), Literal(value)), {})
    assert made(5) == [5, value, [value]]


@pytest.mark.parametrize(
    ("value", "answers"), [("a", (False, True)), (0, (False, True)), (None, (True, True)), (False, (False, False))]
)
def test_a_literal_that_is_compared_with_none_or_false_is_its_answer(value: object, answers: tuple[bool, bool]) -> None:
    text = "[{0} is None, {0} is not False]"
    assert written(code(text, Literal(value))) == str(list(answers))


def test_statements_of_a_body_come_in_place_of_its_variable_at_any_depth() -> None:
    body = lines("a = AT\nb = AT", AT=Name("at"))
    made = lines(
        """
        while MORE:
            try:
                BODY
            except ValueError:
                BODY
        """,
        MORE=template("at < 5"),
        BODY=body,
    )
    assert Printed(made).text == (
        "while at < 5:\n    try:\n        a = at\n        b = at\n    except ValueError:\n        a = at\n        b = at\n"
    )
    assert lines("A\nB", A=[], B=[Pass()]) == (Pass(),)


def test_values_of_a_body_stay_apart_from_the_variables_around_it() -> None:
    """A variable of an inner text with the name of an outer hole is a variable."""
    assert lines("BODY\na = AT", AT=Literal(1), BODY=lines("a = AT")) == read_module("a = AT\na = 1")


def test_statements_are_made_of_templates() -> None:
    made = assign("a", "{0} + {more}", Name("b"), more=Literal(1)), assign("c", Name("a")), do("f({0})", Name("c"))
    assert made == read_module("a = b + 1\nc = a\nf(c)")


def test_variables_and_their_attributes_are_replaced_apart() -> None:
    names = {"a": Name("x"), "b.c": Literal(5)}
    assert written(replaced(template("a.d + b.c + b.e + c(a, b)"), names)) == "x.d + 5 + b.e + c(x, b)"


@pytest.mark.parametrize(
    ("text", "sum_"),
    [("at + 1 + 2 + 3", "at + 6"), ("f(at + 1 + 2)[a + 0 + 4 :]", "f(at + 3)[a + 4:]"), ("at - 1 + 2", "at - 1 + 2")],
)
def test_only_sums_of_numbers_are_added_up(text: str, sum_: str) -> None:
    assert written(summed(template(text))) == sum_

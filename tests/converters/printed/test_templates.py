"""Templates: constant texts with places for nodes, which never become other code."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.printed.defining import function_of
from mqconvert.converters.printed.nodes import Hole, Junction, Literal, Name, Pass, every
from mqconvert.converters.printed.printer import Printed, written
from mqconvert.converters.printed.reading import read_module
from mqconvert.converters.printed.templates import (
    code,
    filled,
    line,
    lines,
    named_once,
    replaced,
    summed,
    template,
    uses,
)

SOURCES = Path(__file__).parents[3] / "converters"


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


def test_statements_of_a_body_come_in_place_of_its_hole_at_any_depth() -> None:
    body = lines("a = {0}\nb = {0}", Name("at"))
    made = lines(
        """
        while {more}:
            try:
                {body}
            except ValueError:
                {body}
        """,
        more=template("at < 5"),
        body=body,
    )
    assert Printed(made).text == (
        "while at < 5:\n    try:\n        a = at\n        b = at\n    except ValueError:\n        a = at\n        b = at\n"
    )
    assert lines("{0}\n{1}", [], [Pass()]) == (Pass(),)


def test_what_fills_a_hole_stays_as_it_is() -> None:
    """A hole of an inner text with the name of an outer one is another hole."""
    made = lines("{body}\na = {at}", at=Literal(1), body=lines("a = {at}"))
    assert lines(made, at=Literal(2)) == read_module("a = 2\na = 1")


@pytest.mark.parametrize("text", ["{0}", "a = {0}", "while a:\n    {0}"])
def test_text_fills_no_hole(text: str) -> None:
    with pytest.raises(ValueError, match="hole"):
        lines(text, "f()")  # type: ignore[arg-type]


def test_statements_fill_no_hole_of_an_expression() -> None:
    with pytest.raises(ValueError, match="body"):
        lines("f({body})", body=[Pass()])


def test_templates_are_filled_in_steps() -> None:
    made = lines("{0} = data[{at} : {at} + {size}]", Name("raw"), size=Literal(4))
    assert lines(made, at=Name("at")) == read_module("raw = data[at : at + 4]")
    assert code(code("{0} < {most}", Name("a")), most=Literal(5)) == code("{0} < {1}", Name("a"), Literal(5))


def test_statements_are_made_of_templates() -> None:
    made = (
        line("{a} = {0} + {more}", Name("b"), a=Name("a"), more=Literal(1)),
        line("c, d = {0}", Name("a")),
        line("f({0})", Name("c")),
    )
    assert made == read_module("a = b + 1\nc, d = a\nf(c)")
    for text in ("", "a\nb"):
        with pytest.raises(ValueError, match="values to unpack"):
            line(text)
    with pytest.raises(ValueError, match="no expression"):
        code("a = 1")


@pytest.mark.parametrize("call", [code, line, lines])
def test_a_hole_may_have_the_name_of_a_parameter(call: Callable[..., object]) -> None:
    assert call("{text}", text=Name("a")) == call("a")


def test_variables_and_their_attributes_are_replaced_apart() -> None:
    names = {"a": Name("x"), "b.c": Literal(5)}
    assert written(replaced(template("a.d + b.c + b.e + c(a, b)"), names)) == "x.d + 5 + b.e + c(x, b)"


@pytest.mark.parametrize(
    ("text", "sum_"),
    [("at + 1 + 2 + 3", "at + 6"), ("f(at + 1 + 2)[a + 0 + 4 :]", "f(at + 3)[a + 4:]"), ("at - 1 + 2", "at - 1 + 2")],
)
def test_only_sums_of_numbers_are_added_up(text: str, sum_: str) -> None:
    assert written(summed(template(text))) == sum_


def test_no_text_is_put_together_for_a_template() -> None:
    """Holes are filled with nodes: a template is a constant, and never text with other text in it."""
    for path in sorted([*SOURCES.rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            match node:
                case ast.Call(ast.Name("template" | "code" | "line" | "lines" | "tree"), [text, *_]):
                    for part in ast.walk(text):
                        assert not isinstance(part, ast.JoinedStr | ast.BinOp), f"{path}:{node.lineno}"
                        assert getattr(part, "attr", "") not in ("format", "join", "replace"), f"{path}:{node.lineno}"

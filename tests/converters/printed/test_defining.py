"""Functions of printed text run behind the wall alone, and tracebacks show their lines."""

import traceback

import pytest

from mqconvert import RuleTableError
from mqconvert.converters.printed.defining import defined, function_of, show
from mqconvert.converters.printed.nodes import Function, Literal, Name, Return
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.templates import code, template
from mqconvert.converters.printed.wall import BUILTINS

FUNCTION = Function("made", ("value",), (Return(code("{0} == {1}", Name("value"), Literal("a' or run()"))),))


def test_no_function_runs_before_the_wall() -> None:
    printed = Printed([FUNCTION])
    printed.lines[-1].text = "    return run()"
    ran: list[int] = []
    with pytest.raises(RuleTableError, match="refused"):
        defined([FUNCTION], printed, {"run": lambda: ran.append(1)}, "<test>")
    assert not ran


def test_functions_have_few_of_the_names_of_python() -> None:
    made = function_of(template("type({0})"), {})
    assert made.__globals__["__builtins__"] is BUILTINS
    assert not {"eval", "exec", "open", "getattr", "__import__", "compile", "globals", "vars"} & BUILTINS.keys()


def test_functions_see_the_objects_that_they_are_given() -> None:
    made = function_of(template("prefix + {0} + {1}"), {"prefix": "a"})
    assert made("b", beside="c") == "abc"
    with pytest.raises(RuleTableError, match="it names prefix"):
        function_of(template("prefix + {0}"), {})


def test_a_traceback_shows_the_last_text_of_its_name() -> None:
    """An overlay is compiled again under the name of its file, after each change of the file."""
    for body in ("{0}[5]", "{0}[7]"):
        function = Function("made", ("value",), (Return(code(body, Name("value"))),))
        printed = Printed([function])
        show("<test>", printed.text)
        with pytest.raises(IndexError) as failed:
            defined([function], printed, {}, "<test>")["made"](b"")
        assert traceback.extract_tb(failed.value.__traceback__)[-1].line == f"return {body.format('value')}"

"""No text runs but the one of the tree that was built, and no tree with names that nobody gave it."""

import pytest

from mqconvert import RuleTableError
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Do,
    Function,
    If,
    Literal,
    Name,
    Pass,
    Return,
    Statement,
)
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.templates import code
from mqconvert.converters.printed.wall import pass_wall

FUNCTION = Function("made", ("value",), (Return(code("{0} == {1}", Name("value"), Literal("a' or run()"))),))
TEXT = Printed([FUNCTION]).text


def test_the_text_of_a_tree_passes() -> None:
    pass_wall(TEXT, [FUNCTION], (), "mine.toml")


OTHERS = {
    "a literal outside its quotes": TEXT.replace('"', "'"),
    "a changed literal": TEXT.replace("run()", "ran()"),
    "another statement": TEXT + "run()\n",
    "another function": TEXT + "def run(): pass\n",
    "a default": TEXT.replace("(value)", "(value=run())"),
    "an annotation": TEXT.replace("(value)", "(value: run())"),
    "a result's annotation": TEXT.replace("):", ") -> run():"),
    "more parameters": TEXT.replace("(value)", "(value, *others)"),
    "a decorator": "@run\n" + TEXT,
    "an import": "import os\n" + TEXT,
    "a lambda": TEXT.replace("return", "return (lambda: run)() or"),
    "an f-string": TEXT.replace('"', 'f"'),
    "no Python": TEXT + "(",
    "a NUL": TEXT + "\0",
    "deep brackets": TEXT + "(" * 5000,
}


@pytest.mark.parametrize("case", OTHERS)
def test_another_text_is_refused(case: str) -> None:
    assert OTHERS[case] != TEXT
    with pytest.raises(RuleTableError, match="the function of the rules is refused: its text"):
        pass_wall(OTHERS[case], [FUNCTION], ("run", "os"), "mine.toml")


STRANGE: dict[str, Statement] = {
    "it names run": Do(Call(Name("run"))),
    "it names __import__": Do(Call(Name("__import__"), (Literal("os"),))),
    "it names eval": Assign(Name("a"), Name("eval")),
    "it asks for __class__": Do(Attribute(Literal("a"), "__class__")),
    "it asks for _private": If(Attribute(Name("known"), "_private"), (Pass(),)),
    "it asks for format": Do(Call(Attribute(Literal("{0.a}"), "format"), (Name("known"),))),
    "it calls what has no name": Do(Call(Call(Name("known")))),
    "it assigns to what is no place": Assign(Call(Name("known")), Literal(1)),
}


@pytest.mark.parametrize("fault", STRANGE)
def test_a_tree_with_what_it_was_not_given_is_refused(fault: str) -> None:
    with pytest.raises(RuleTableError, match=fault):
        pass_wall(Printed([STRANGE[fault]]).text, [STRANGE[fault]], ("known",), "mine.toml")

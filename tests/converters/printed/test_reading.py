"""Text is read into nodes that mean the same, and anything that has no node is refused."""

import ast

import pytest

from mqconvert.converters.printed.nodes import Assign, Augment, Display, Do, For, Hole, If, Literal, Name, nodes_in
from mqconvert.converters.printed.printer import Printed
from mqconvert.converters.printed.reading import read_module, read_template

STATEMENTS = """
def read(data: bytes, at: i64) -> tuple[str, i64]:
    after: i64
    size: i64 = data[at] << 8 | data[at + 1] & 0x7f
    at += 2
    while at < size:
        try:
            values.append(data[at])
        except (IndexError, ValueError) as error:
            raise ends_early(at, error) from None
        if not data[at]:
            break
        at += 1
    return 'size', at
"""


def test_statements_of_codecs_read_back_and_print_alike() -> None:
    (function,) = read_module(STATEMENTS)
    assert read_module(Printed([function]).text) == (function,)
    assert ast.dump(ast.parse(Printed([function]).text)) == ast.dump(ast.parse(STATEMENTS))


@pytest.mark.parametrize(
    "text", ["try: f()\nfinally: g()", "while a: pass\nelse: b", "a @= 1", "def f(a: int): return a", "raise A from b", "del a"]
)
def test_other_statements_are_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_module(text)


@pytest.mark.parametrize(
    "text",
    ["lambda: a", "f'{a}'", "a @ b", "~a", "-a", "a[b:c:d]", "[*a]", "f(*a)", "f(**a)", "await a", "{a: b for a in c}",
     "(a for b in c)", "[a for b in c if d if e]", "[a for b, c in d]", "1j", "..."],
)  # fmt: skip
def test_other_expressions_are_refused(text: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        read_module(text)


def test_braces_are_holes_in_templates_alone() -> None:
    assert read_template("{0}") == (Do(Hole("0")),)
    assert read_template("{most}") == (Do(Hole("most")),)
    assert read_module("{0}") == (Do(Display("{}", (Literal(0),))),)
    assert read_template("{0, 1}") == (Do(Display("{}", (Literal(0), Literal(1)))),)


def test_holes_may_stand_where_a_statement_assigns() -> None:
    """Python's own braces may not."""
    made = read_template("{0}, at = f()\n{0} += 1\nfor {0} in all_of: pass")
    assert [type(each) for each in made] == [Assign, Augment, For]
    assert [node for node in nodes_in(*made) if isinstance(node, Hole)] == [Hole("0")] * 3
    with pytest.raises(SyntaxError):
        read_module("{0} = 1")


@pytest.mark.parametrize("text", ["'{0}'", '"{0}"', "'it\\'s {0}'", "b'{0}'", "\"'{0}'\"", "'{' + '0' + '}'"])
def test_braces_in_quotes_are_text(text: str) -> None:
    assert read_template(text) == read_module(text)
    (statement,) = read_template(f"{{0}} + {text} + {{1}}")
    assert [node.name for node in nodes_in(statement) if isinstance(node, Hole)] == ["1", "0"]


@pytest.mark.parametrize(
    "text", ["def {0}(a): pass", "a.{0}", "{0} := 1", "f({0}=1)", "{0}: int = 1", "[a for {0} in b]", "{a b}"]
)
def test_a_hole_is_no_part_of_a_name(text: str) -> None:
    with pytest.raises((ValueError, SyntaxError)):
        read_template(text)


def test_variables_with_the_names_of_holes_stay() -> None:
    (statement,) = read_template("if {at}: body(at, {body})")
    assert isinstance(statement, If)
    assert [node.name for node in nodes_in(statement) if isinstance(node, Hole)] == ["body", "at"]
    assert [node.id for node in nodes_in(statement) if isinstance(node, Name)] == ["at", "body"]


def test_numbers_keep_their_base_behind_a_hole() -> None:
    (statement,) = read_template("{0} = 'é', 0x10, 16")
    assert [node.hexadecimal for node in nodes_in(statement) if isinstance(node, Literal)] == [False, True, False]


def test_a_quote_in_a_comment_ends_with_its_line() -> None:
    made = read_template("a = b  # it's {0}\n{0} = 'c'")
    assert [node for node in nodes_in(*made) if isinstance(node, Hole)] == [Hole("0")]


@pytest.mark.parametrize("text", ["{ at }", "{at }", "f({ 0})"])
def test_a_hole_with_blanks_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="blanks"):
        read_template(text)


@pytest.mark.parametrize("text", ["-5", "-1.5"])
def test_negative_numbers_are_literals(text: str) -> None:
    assert read_module(text) == (Do(Literal(ast.literal_eval(text))),)

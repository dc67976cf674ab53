"""Printed text means the tree that it was printed from, in lines of bounded width."""

import ast
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import RuleTable, rule_tables
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.printed import printer
from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Call,
    Choice,
    Compare,
    Dictionary,
    Display,
    Do,
    Expression,
    Function,
    Hole,
    If,
    Item,
    Junction,
    ListOf,
    Literal,
    Name,
    Named,
    Not,
    Operation,
    Pass,
    Remark,
    Slice,
    Statement,
    literal,
)
from mqconvert.converters.printed.printer import Printed, written
from mqconvert.converters.printed.reading import read_module
from mqconvert.converters.printed.templates import lines, template

NAMES = st.sampled_from(["a", "b", "value", "or_", "x1"]).map(Name)
CONSTANTS = (
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.binary()
)


def _larger(inner: st.SearchStrategy[Expression]) -> st.SearchStrategy[Expression]:
    several = st.lists(inner, max_size=3).map(tuple)
    two = st.lists(inner, min_size=2, max_size=3).map(tuple)
    signs = st.sampled_from(["==", "<", "in", "not in", "is", "is not"])
    return st.one_of(
        st.builds(Attribute, inner, st.just("name")),
        st.builds(Call, inner, several),
        st.builds(Call, inner, several, inner.map(lambda each: (("k", each),))),
        st.builds(Item, inner, inner | st.builds(Slice, st.none() | inner, st.none() | inner)),
        st.builds(Compare, inner, st.lists(st.tuples(signs, inner), min_size=1, max_size=2).map(tuple)),
        st.builds(Junction, st.sampled_from(["and", "or"]), two),
        st.builds(Not, inner),
        st.builds(Operation, inner, st.sampled_from(["+", "-", "*", "//", "%", "|", "&", "<<", ">>"]), inner),
        st.builds(Choice, inner, inner, inner),
        st.builds(Named, st.just("n"), inner),
        st.builds(Display, st.sampled_from(["()", "[]"]), several),
        st.builds(Display, st.just("{}"), two),
        st.builds(Dictionary, st.lists(st.tuples(st.none() | inner, inner), max_size=2).map(tuple)),
        st.builds(ListOf, st.just("each"), inner, st.none() | inner, inner),
    )


TREES = st.recursive(NAMES | CONSTANTS.map(Literal), _larger, max_leaves=12)


def _one_form(tree: Expression) -> str:
    """Return a tree with the forms that Python cannot tell apart as one: nested `and` and `or`, and negative numbers."""
    return ast.dump(ast.parse(written(tree), mode="eval"))


@given(tree=TREES)
def test_an_expression_reads_back_as_the_same_tree(tree: Expression) -> None:
    (read,) = read_module(written(tree))
    assert isinstance(read, Do)
    assert _one_form(read.value) == _one_form(tree)
    assert ast.dump(ast.parse(ast.unparse(ast.parse(written(tree))))) == ast.dump(ast.parse(written(tree)))


@given(tree=TREES, width=st.integers(10, 200))
def test_a_folded_line_means_the_same(tree: Expression, width: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        whole = Printed([If(tree, (Assign(Name("made"), tree),))]).text
        patch.setattr(printer, "WIDTH", width)
        folded = Printed([If(tree, (Assign(Name("made"), tree),))]).text
    assert ast.dump(ast.parse(folded)) == ast.dump(ast.parse(whole))


@given(value=CONSTANTS)
def test_a_literal_is_the_constant_of_the_text(value: Any) -> None:
    found = ast.literal_eval(written(literal(value)))
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize("value", [[], {}, float("nan"), float("inf"), 1j, ..., type("T", (str,), {})("a")])
def test_only_plain_constants_are_literals(value: object) -> None:
    with pytest.raises(ValueError, match="is not a literal"):
        Literal(value)


@pytest.mark.parametrize("name", ["", "a b", "class", "a.b", "é", "²", "a\n", "1a"])
def test_only_ascii_identifiers_are_names(name: str) -> None:
    for made in (Name, lambda each: Attribute(Name("a"), each), lambda each: Named(each, Name("a"))):
        with pytest.raises(ValueError, match="is not a name"):
            made(name)
    with pytest.raises(ValueError, match="is not a name"):
        Function(name, (), (Pass(),))


def test_a_hole_cannot_be_printed() -> None:
    with pytest.raises(ValueError, match="Hole cannot be printed"):
        written(Hole("0"))


@pytest.mark.parametrize(("number", "text"), [(0, "0x00"), (0x40, "0x40"), (0x100, "0x0100"), (0x8000, "0x8000")])
def test_hexadecimal_numbers_have_whole_bytes(number: int, text: str) -> None:
    assert written(Literal(number, hexadecimal=True)) == text
    assert Literal(number, hexadecimal=True) == Literal(number)


class _Row:
    id, file, line = "mine", "a\u202e.toml", 7


def test_a_comment_is_one_line_of_visible_characters() -> None:
    assert Printed([Remark(_Row()), Pass()]).text.splitlines()[0] == "'# mine, a\\u202e.toml:7'"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("append('a, b and c', ' or (')", ["append(", "    'a, b and c',", "    ' or (',", ")"]),
        ("few if small and here else many", ["number = (", "    few", "    if small and here", "    else many", ")"]),
        ("not (one and another(key))", ["number = not (", "    one", "    and another(key)", ")"]),
        ("a_very_long_name_of_a_variable", ["number = a_very_long_name_of_a_variable"]),
    ],
)
def test_lines_break_at_words_and_commas_outside_of_literals(
    text: str, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(printer, "WIDTH", 22)
    statement: Statement = Do(template(text)) if text.startswith("append") else Assign(Name("number"), template(text))
    assert Printed([statement]).text.splitlines() == lines


@pytest.mark.parametrize("table", rule_tables("preserve"), ids=lambda table: str(table.name))
def test_functions_of_tables_have_lines_of_bounded_width_and_read_back(table: RuleTable) -> None:
    statements = Compiler(build(table)).compile()
    text = Printed(statements).text
    assert [line for line in text.splitlines() if len(line.partition("  # ")[0]) > printer.WIDTH] == []
    assert Printed(read_module(text)).text.replace("\n\n", "\n").count("\n") > 0


def test_a_number_is_printed_as_its_template_writes_it() -> None:
    assert Printed(lines("if code == 0xA3: return 163")).text == "if code == 0xa3:\n    return 163\n"

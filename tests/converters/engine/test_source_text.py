"""Inlined code in generated functions gives the same results as the functions that it replaces."""

import ast
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, RuleTable, rule_tables
from mqconvert.converters.engine import runtime, source_text
from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.compiler import Compiler
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data
from mqconvert.converters.words import NOT_MINE, Condition, Transform, Word
from tests.sources import source_of

WORDS = [*CONDITIONS.values(), *TRANSFORMS.values()]
INLINE = [word for word in WORDS if word.inline is not None]
QUICK_CONDITIONS = [(word, kind) for word in CONDITIONS.values() for kind in word.quick]
RARE_CONDITIONS = [word for word in (*CONDITIONS.values(), CONDITIONS["longer-than 256"]) if word.rare is not None]
QUICK_TRANSFORMS = [word for word in TRANSFORMS.values() if word.quick is not None]
RARE_TRANSFORMS = [word for word in TRANSFORMS.values() if word.rare is not None]
UTF8_TRANSFORMS = [word for word in TRANSFORMS.values() if word.utf8 is not None]
URN = "urn:uuid:550e8400-e29b-41d4-a716-446655440000"
TEXT = st.text(max_size=300) | st.sampled_from(
    ["", "5", "+5", "\u0665", "a" * 255, "a" * 256, "é" * 128, "a\0", URN, URN + "0"]
)
BYTES = st.binary(max_size=300) | TEXT.map(lambda text: text.encode("utf-8", "surrogatepass"))
NUMBERS = st.integers(-(2**64), 2**64) | st.sampled_from(
    [0, 999, 1000, -1000, 2**63 // 1000, 2**63 // 1000 + 1, 2**63, 2**64 - 1]
)
BODIES = st.sampled_from([Data([b"a"]), Data([b"a", b"b"]), Data([]), AmqpSequence([[]]), AmqpValue(TypedValue("null", None))])
VALUES: dict[str, st.SearchStrategy[Any]] = {"str": TEXT, "bytes": BYTES, "int": NUMBERS, "body": BODIES}

INDICATORS = st.sampled_from([None, 0, 1, 2])
ARGUMENTS = {
    "longer-than 256": st.tuples(TEXT | BYTES),
    "format-set-utf8": st.tuples(BYTES, INDICATORS),
    "says-text": st.tuples(INDICATORS, BYTES),
}
"""Values for the rare conditions."""


def written(text: str, *arguments: Any) -> Any:
    """Return the value of an expression of the table, evaluated with the names of generated functions."""
    return _function(text, len(arguments))(*arguments)


@cache
def _function(text: str, count: int) -> Callable[..., Any]:
    """Return a function of the arguments, compiled once."""
    names = [f"argument_{index}" for index in range(count)]
    made: Callable[..., Any] = eval(f"lambda {', '.join(names)}: {text.format(*names)}", dict(runtime.NAMES))
    return made


def name(word: Any) -> str:
    return word.name if isinstance(word, Word) else str(word)


@pytest.mark.parametrize("word", INLINE, ids=name)
def test_an_inlined_transform_has_no_answer_but_a_value(word: Word) -> None:
    assert not (isinstance(word, Transform) and (word.passes or word.loses))


def test_inlined_tests_use_no_operator_but_and() -> None:
    """The compiler joins two tests and evaluates a common part once (type_rows.at_once)."""
    tests = [word.quick[kind] for word, kind in QUICK_CONDITIONS] + [word.quick[0] for word in QUICK_TRANSFORMS if word.quick]
    for text in [*tests, *(str(word.inline) for word in INLINE if isinstance(word, Condition))]:
        for part in text.format("value").split(" and "):
            assert not isinstance(ast.parse(part, mode="eval").body, ast.BoolOp | ast.IfExp | ast.NamedExpr)


@pytest.mark.parametrize(("word", "kind"), QUICK_CONDITIONS, ids=name)
@given(data=st.data())
def test_quick_tests_imply_their_conditions(word: Condition, kind: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    assert not written(word.quick[kind], value) or word.function(value)


@pytest.mark.parametrize("word", RARE_CONDITIONS, ids=name)
@given(data=st.data())
def test_conditions_imply_their_rare_tests(word: Condition, data: st.DataObject) -> None:
    arguments = data.draw(ARGUMENTS[word.name])
    assert written(str(word.rare), *arguments) or not word.function(*arguments)


@pytest.mark.parametrize("word", RARE_TRANSFORMS, ids=name)
@given(value=TEXT | BYTES)
def test_transforms_pass_on_the_values_that_fail_their_rare_test(word: Transform, value: str | bytes) -> None:
    assert written(str(word.rare), value) or word.function(value) is NOT_MINE


@pytest.mark.parametrize("word", QUICK_TRANSFORMS, ids=name)
@given(data=st.data())
def test_quick_transforms_equal_their_functions(word: Transform, data: st.DataObject) -> None:
    value = data.draw(VALUES[word.of or getattr(source_of(word.function).__annotations__["value"], "__name__", "body")])
    test, made = word.quick or ("", "")
    assert not written(test, value) or written(made, value) == word.function(value)


@pytest.mark.parametrize("word", UTF8_TRANSFORMS, ids=name)
@given(value=TEXT)
def test_transforms_of_valid_text_equal_their_functions(word: Transform, value: str) -> None:
    assert written(str(word.utf8), value) == word.function(value)


QUICK_TYPES = [type_ for protocol in PROTOCOLS.values() for type_ in protocol.types.values() if type_.quick is not None]


@pytest.mark.parametrize("type_", QUICK_TYPES, ids=lambda type_: type_.name)
@given(data=st.data())
def test_quick_bounds_imply_that_a_value_fits(type_: WireType, data: st.DataObject) -> None:
    value = data.draw(NUMBERS if type_.bounds else TEXT)
    assert not written(str(type_.quick), value) or type_.fault(value) is None


@pytest.mark.parametrize("table", rule_tables("preserve"), ids=lambda table: str(table.name))
def test_long_lines_are_folded_without_a_change_of_their_meaning(table: RuleTable, monkeypatch: pytest.MonkeyPatch) -> None:
    text = Compiler(build(table)).compile()
    assert [line for line in text.splitlines() if len(line.partition("  # ")[0]) > source_text.WIDTH] == []
    monkeypatch.setattr(source_text, "WIDTH", 10_000)
    whole = Compiler(build(table)).compile()
    assert whole.count("\n") <= text.count("\n")
    assert ast.dump(ast.parse(text)) == ast.dump(ast.parse(whole))


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("lost.append('a, b and c', ' or (')", ["lost.append(", "    'a, b and c',", "    ' or ('", ")"]),
        ("number = few if small and here else many", ["number = (", "    few", "    if small and here", "    else many", ")"]),
        ("if not (one and another(key)):", ["if not (", "    one", "    and another(key)", "):"]),
        ("a_very_long_name_of_a_variable = None", ["a_very_long_name_of_a_variable = None"]),
    ],
)
def test_lines_break_at_words_and_commas_outside_of_texts(text: str, lines: list[str]) -> None:
    assert source_text.folded(text, 22) == lines

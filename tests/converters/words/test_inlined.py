"""Expressions that stand in place of a call give the results of the functions that they replace."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import PROTOCOLS
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.printed.nodes import Choice, Junction, Named, conjuncts
from mqconvert.converters.printed.templates import template
from mqconvert.converters.protocols.amqp10.message import AmqpSequence, AmqpValue, Data
from mqconvert.converters.words import NOT_MINE, Condition, Transform, Word
from tests.expressions import value_of
from tests.sources import source_of
from tests.strategies import DEEP

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
LONG = st.integers(65530, 65540).map(bytes)
BYTES = st.binary(max_size=300) | TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")) | LONG
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
    "enveloped-message": st.tuples(BYTES, st.sampled_from(["body", "envelope"])),
    "urn-to-uuid": st.tuples(TEXT | BYTES),
}
"""Values for the words with a rare test."""


def name(word: Any) -> str:
    return word.name if isinstance(word, Word) else str(word)


@pytest.mark.parametrize("word", INLINE, ids=name)
def test_an_inlined_transform_has_no_answer_but_a_value(word: Word) -> None:
    assert not (isinstance(word, Transform) and (word.passes or word.loses))


def test_inlined_tests_use_no_operator_but_and() -> None:
    """The compiler joins two tests and evaluates a common part once (type_rows.at_once)."""
    tests = [word.quick[kind] for word, kind in QUICK_CONDITIONS] + [word.quick[0] for word in QUICK_TRANSFORMS if word.quick]
    for tree in [*tests, *(word.inline for word in INLINE if isinstance(word, Condition) and word.inline)]:
        assert not any(isinstance(part, Junction | Choice | Named) for part in conjuncts(tree))


@pytest.mark.parametrize(("word", "kind"), QUICK_CONDITIONS, ids=name)
@given(data=st.data())
def test_quick_tests_imply_their_conditions(word: Condition, kind: str, data: st.DataObject) -> None:
    value = data.draw(VALUES[kind])
    assert not value_of(word.quick[kind], value) or word.function(value)


@pytest.mark.parametrize("word", RARE_CONDITIONS, ids=name)
@given(data=st.data())
def test_conditions_imply_their_rare_tests(word: Condition, data: st.DataObject) -> None:
    arguments = data.draw(ARGUMENTS[word.name])
    assert value_of(word.rare, *arguments) or not word.function(*arguments)


@pytest.mark.parametrize("word", RARE_TRANSFORMS, ids=name)
@given(data=st.data())
def test_transforms_pass_on_the_values_that_fail_their_rare_test(word: Transform, data: st.DataObject) -> None:
    arguments = data.draw(ARGUMENTS[word.name])
    assert value_of(word.rare, *arguments) or word.function(*arguments) is NOT_MINE


@pytest.mark.parametrize("word", QUICK_TRANSFORMS, ids=name)
@given(data=st.data())
def test_quick_transforms_equal_their_functions(word: Transform, data: st.DataObject) -> None:
    value = data.draw(VALUES[word.of or getattr(source_of(word.function).__annotations__["value"], "__name__", "body")])
    assert word.quick is not None
    test, made = word.quick
    assert not value_of(test, value) or value_of(made, value) == word.function(value)


@pytest.mark.parametrize("word", UTF8_TRANSFORMS, ids=name)
@given(value=TEXT)
def test_transforms_of_valid_text_equal_their_functions(word: Transform, value: str) -> None:
    assert value_of(word.utf8, value) == word.function(value)


QUICK_TYPES = [type_ for protocol in PROTOCOLS.values() for type_ in protocol.types.values() if type_.quick is not None]


@pytest.mark.proof
@pytest.mark.parametrize("type_", QUICK_TYPES, ids=lambda type_: type_.name)
@settings(max_examples=DEEP)
@given(data=st.data())
def test_quick_bounds_imply_that_a_value_fits(type_: WireType, data: st.DataObject) -> None:
    value = data.draw(VALUES[type_.kind])
    assert not value_of(template(str(type_.quick)), value) or type_.fault(value) is None

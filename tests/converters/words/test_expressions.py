"""Words that are one expression: their functions give the expected answers, and so does the text in generated functions."""

from typing import Any

import pytest

from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.words import Word
from tests.expressions import seen, value_of
from tests.sources import source_of

EXPRESSIONS: dict[str, tuple[list[Any], list[Any]]] = {
    "ascii": (["a\0", b"a", "é", b"\xff"], [True, True, False, False]),
    "finite": ([0.0, -1e308, float("nan"), float("-inf")], [True, True, False, False]),
    "set": ([1, "a", 0, "", False, None], [True, True, False, False, False, False]),
    "set-beside": ([None, False, 0, b"", "x"], [False, False, True, True, True]),
    "ascii-key": (["k", "é", 5], [True, False, False]),
    "legal-topic": (["a/b", "#", ""], [True, False, False]),
    "one-section": (
        [Data([b""]), Data([b"", b""]), AmqpSequence([[]]), AmqpValue(TypedValue("null", None))],
        [True, *[False] * 3],
    ),
    "float-text": ([1.5, -0.0], ["1.50000000000000000000e+00", "-0.00000000000000000000e+00"]),
    "to-decimal": ([60000, -1], ["60000", "-1"]),
    "from-decimal": (["5", "+5", "-5"], [5, 5, -5]),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_an_expression_gives_the_expected_answers(name: str) -> None:
    values, wanted = EXPRESSIONS[name]
    word: Word = CONDITIONS.get(name) or TRANSFORMS[name]
    assert [word.function(*seen(word, value)) for value in values] == wanted
    assert [value_of(word.inline, *seen(word, value)) for value in values] == wanted


def test_every_expression_has_examples_and_a_meaning() -> None:
    words = [*CONDITIONS.values(), *TRANSFORMS.values()]
    found = {word.name: source_of(word.function).__doc__ for word in words if word.inline is not None}
    assert found.keys() == EXPRESSIONS.keys()
    assert all(found.values())

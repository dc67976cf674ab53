"""Conditions are total over every type that rows may pass, and agree with RabbitMQ's page and code."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.engine.vocabulary import CONDITIONS
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols.amqp10.message import AmqpValue, Data

TEXT_WORDS = ["shortstr", "utf8", "set"]


@pytest.mark.parametrize("word", TEXT_WORDS)
@given(value=st.text() | st.binary())
def test_conditions_of_text_accept_any_text_and_bytes(word: str, value: str | bytes) -> None:
    assert CONDITIONS[word].function(value) in (True, False)


@given(value=st.text(max_size=300) | st.text(max_size=100).map(lambda text: text * 3))
def test_conditions_agree_on_text_and_its_bytes(value: str) -> None:
    for word in ("shortstr", "utf8"):
        if not any("\ud800" <= character <= "\udfff" for character in value):
            assert CONDITIONS[word].function(value) == CONDITIONS[word].function(value.encode())


@pytest.mark.parametrize(
    ("word", "true", "false"),
    [
        ("shortstr", ["", "a" * 255], ["a" * 256, "a\0", b"\xff", "\udcff"]),
        ("finite", [0.0, -1e308], [float("nan"), float("inf")]),
        ("legal-topic", ["a"], ["", "a/+", "\0"]),
        ("one-section", [Data([b""])], [Data([b"", b""]), AmqpValue(TypedValue("null", None))]),
        ("ascii", ["a\0", b"a"], ["é", b"\xff"]),
    ],
)  # fmt: skip
def test_conditions_hold_for_their_examples(word: str, true: list[Any], false: list[Any]) -> None:
    assert [CONDITIONS[word].function(value) for value in true] == [True] * len(true)
    assert [CONDITIONS[word].function(value) for value in false] == [False] * len(false)


def test_conditions_of_another_place() -> None:
    cases: dict[str, list[Any]] = {
        "text-beside": [b"a", b"\xff"],
        "sections-beside": [b"\0Sw@", b"a"],
    }
    for word, values in cases.items():
        assert [CONDITIONS[word].function("a", beside) for beside in values] == [True, *[False] * (len(values) - 1)]

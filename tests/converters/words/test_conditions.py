"""Conditions are total over every type that a row may hand them, and mean what RabbitMQ's page and code mean by them."""

import inspect
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.engine.vocabulary import CONDITIONS
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols.amqp10.message import AmqpValue, Data

UUID = "urn:uuid:0F0F0F0F-0000-0000-0000-000000000000"
TEXT_WORDS = ["shortstr", "over-256-octets", "under-256-octets", "utf8", "urn-uuid", "utf8-without-nul", "set", "is-zero"]


@pytest.mark.parametrize("word", TEXT_WORDS)
@given(value=st.text() | st.binary())
def test_those_about_text_take_any_text_and_octets(word: str, value: str | bytes) -> None:
    assert CONDITIONS[word].function(value) in (True, False)


@given(value=st.text(max_size=30))
def test_numbers_are_what_int_reads(value: str) -> None:
    if CONDITIONS["number"].function(value):
        assert str(int(value)).lstrip("-") == (value.lstrip("+-").lstrip("0") or "0")
    if CONDITIONS["up-to-ten-years"].function(value):
        assert 0 <= int(value) <= 10 * 365 * 86_400_000


@given(value=st.text(max_size=300) | st.text(max_size=100).map(lambda text: text * 3))
def test_text_and_its_octets_are_judged_alike(value: str) -> None:
    for word in ("shortstr", "over-256-octets", "under-256-octets"):
        if not any("\ud800" <= character <= "\udfff" for character in value):
            assert CONDITIONS[word].function(value) == CONDITIONS[word].function(value.encode())


@pytest.mark.parametrize(
    ("word", "true", "false"),
    [
        ("shortstr", ["", "a" * 255], ["a" * 256, "a\0", b"\xff", "\udcff"]),
        ("over-256-octets", ["a" * 257, "é" * 129], ["a" * 256, ""]),
        ("under-256-octets", ["a" * 255, b"\xff\0"], ["a" * 256]),
        ("urn-uuid", [UUID, UUID.encode()], [UUID.upper(), UUID.replace("-", "0"), UUID + "\n", ""]),
        ("number", ["0", "-5", "+5", b"5", "0" * 255], ["", "-", "5 ", "٣", b"\xff", "0" * 256, "1_0"]),
        ("up-to-ten-years", ["0", "315360000000"], ["-1", "315360000001", "x"]),
        ("finite", [0.0, -1e308], [float("nan"), float("inf")]),
        ("octet-number", [0, 255], [256, -1, True, "1"]),
        ("legal-topic", ["a"], ["", "a/+", "\0"]),
        ("one-section", [Data([b""])], [Data([b"", b""]), AmqpValue(TypedValue("null", None))]),
        ("binary-value", [AmqpValue(TypedValue("binary", b""))], [AmqpValue(TypedValue("string", ""))]),
        ("string-value", [AmqpValue(TypedValue("string", ""))], [AmqpValue(TypedValue("binary", b""))]),
        ("begins-x", ["x-", "x-a"], ["X-a", "x", ""]),
        ("ascii", ["a\0", b"a"], ["é", b"\xff"]),
        ("ascii-under-256", ["a" * 255], ["a" * 256, "é"]),
    ],
)  # fmt: skip
def test_by_example(word: str, true: list[Any], false: list[Any]) -> None:
    assert [CONDITIONS[word].function(value) for value in true] == [True] * len(true)
    assert [CONDITIONS[word].function(value) for value in false] == [False] * len(false)


def test_words_are_spelt_like_words_and_explained() -> None:
    for word, condition in CONDITIONS.items():
        assert word == word.lower()
        assert "_" not in word
        assert inspect.getdoc(condition.function), word

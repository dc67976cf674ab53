"""Text properties: types beside values restore them."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import TypedValue
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.protocols.amqp10.words.textforms import id_text, text_form
from mqconvert.converters.words import NOT_MINE, Loss
from tests.strategies import AMQP10_VALUES


def via(word: str, *given: Any) -> Any:
    return TRANSFORMS[word].function(*given)


@given(AMQP10_VALUES)
def test_the_type_beside_a_text_restores_its_value(typed: TypedValue) -> None:
    text, beside = text_form(typed.value, typed.type), via("type-beside", typed.value, typed.type)
    if isinstance(text, Loss):
        assert beside is NOT_MINE
        return
    if beside is NOT_MINE:
        assert typed.type == "string"
        return
    assert repr(via("typed-text", text, beside)) == repr(typed)  # NaN is not equal to itself
    assert CONDITIONS.known("fits typed-text").function(beside, text)


@given(
    st.integers(0, 2**64 - 1).map(lambda number: TypedValue("ulong", number))
    | st.binary(min_size=16, max_size=16).map(lambda raw: TypedValue("uuid", raw))
    | st.binary(max_size=20).map(lambda raw: TypedValue("binary", raw))
    | st.text(max_size=20).map(lambda text: TypedValue("string", text))
)
def test_the_type_beside_an_id_restores_it(typed: TypedValue) -> None:
    assert via("typed-id", id_text(typed.value, typed.type), typed.type) == typed


@pytest.mark.parametrize(
    ("text", "name", "typed", "id_"),
    [
        ("5", None, NOT_MINE, NOT_MINE),
        ("5", "ulong", TypedValue("ulong", 5), TypedValue("ulong", 5)),
        ("5", "int", TypedValue("int", 5), NOT_MINE),
        ("x", "int", NOT_MINE, NOT_MINE),
        ("", "null", TypedValue("null", None), NOT_MINE),
        ("5", "u128", NOT_MINE, NOT_MINE),
    ],
)
def test_text_that_does_not_fit_its_type_passes_to_the_next_row(text: str, name: str | None, typed: Any, id_: Any) -> None:
    assert via("typed-text", text, name) == typed
    assert via("typed-id", text, name) == id_


@pytest.mark.parametrize(
    ("value", "beside", "holds"),
    [("int", "5", True), ("int", "x", False), ("int", None, False), ("string", "5", False), ("u128", "5", False)],
)
def test_a_name_is_a_type_if_the_text_beside_it_has_a_value_of_it(value: str, beside: str | None, holds: bool) -> None:
    assert CONDITIONS.known("fits typed-text").function(value, beside) is holds


@pytest.mark.parametrize("name", ["typed-id", "header-of-text", "decoded-body", "decoded-sections"])
def test_a_transform_that_reads_a_value_by_another_may_follow_fits(name: str) -> None:
    assert not CONDITIONS.known(f"fits {name}").function("no type", None)


@pytest.mark.parametrize("name", ["", "text", "octets", "no-word", "text-form"])
def test_any_other_word_after_fits_is_refused(name: str) -> None:
    with pytest.raises((ValueError, KeyError)):
        CONDITIONS.known(f"fits {name}")


def test_an_id_of_bytes_is_read_in_the_type_beside_it() -> None:
    assert via("typed-id", b"urn:uuid:a", "binary") == TypedValue("binary", b"urn:uuid:a")
    assert via("typed-id", b"a", "string") == TypedValue("string", "a")
    for raw, name in ((b"\xff", "string"), (b"x", "ulong"), (b"5", None), (b"5", "int")):
        assert via("typed-id", raw, name) is NOT_MINE

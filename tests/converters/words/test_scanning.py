"""Texts of words are read in linear time, and quotes keep what is in them."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.words.scanning import literal_of, literals, split_at, words_of

TEXTS = st.text() | st.sampled_from([" and ", '"', '\\" and "', "b", "{0}", "\n", "\\N{DASH}"])


@given(texts=st.lists(TEXTS, min_size=1, max_size=5))
def test_texts_in_quotes_are_not_split(texts: list[str]) -> None:
    words = [json.dumps(text) for text in texts]
    assert literals(" ".join(words)) == texts
    assert split_at(" and ".join(f"is {word}" for word in words), "and") == [f"is {word}" for word in words]


@given(text=st.text('ab "\\', max_size=30))
def test_parts_and_joints_are_the_whole_text(text: str) -> None:
    assert " b ".join(split_at(text, "b")) == text


def test_a_joint_stands_between_two_parts() -> None:
    assert split_at("a and and b", "and") == ["a", "and b"]
    assert split_at("and b", "and") == ["and b"]
    assert split_at("a  and b", "and") == ["a ", "b"]


@pytest.mark.parametrize("text", ['"a', '"a\\"', 'b"a', '"a" x', '"\\q"'])
def test_a_text_that_is_not_closed_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="double quote"):
        literal_of(text)


@pytest.mark.parametrize("text", ["", " a", "a ", "a  b"])
def test_literals_have_one_space_between_them(text: str) -> None:
    with pytest.raises(ValueError, match="one space"):
        words_of(text)


def test_bytes_are_no_texts() -> None:
    with pytest.raises(ValueError, match="is bytes"):
        literals('a b"b"')
    with pytest.raises(ValueError, match="not valid UTF-8"):
        literal_of('b"\\ud800"')

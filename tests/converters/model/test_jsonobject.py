"""JSON in wire bytes: what json.loads reads, without its extensions, up to the bound of depth."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.model.jsonobject import has_lone_surrogate, is_shallow, json_object
from mqconvert.converters.model.values import MAX_DEPTH

_LEAVES = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
_VALUES = st.recursive(_LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))


@given(st.dictionaries(st.text(), _VALUES, max_size=4), st.booleans())
def test_objects_are_read_as_the_standard_library_writes_them(value: dict[str, Any], ascii_only: bool) -> None:
    assert json_object(json.dumps(value, ensure_ascii=ascii_only)) == value


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_numbers_outside_json_are_refused(number: str) -> None:
    with pytest.raises(ValueError, match=r"^not JSON$"):
        json_object(f'{{"a": [{number}]}}')


@pytest.mark.parametrize(
    ("text", "fault"), [("", "not JSON"), ("{", "not JSON"), ("[]", "not a JSON object"), ("5", "not a JSON object")]
)
def test_other_text_is_refused_with_its_fault(text: str, fault: str) -> None:
    with pytest.raises(ValueError, match=f"^{fault}$"):
        json_object(text)


@pytest.mark.parametrize("inner", ["1", "[]"])
def test_depth_is_bounded(inner: str) -> None:
    deepest = MAX_DEPTH - (inner == "[]")
    text = '{"a":' * deepest + inner + "}" * deepest
    assert is_shallow(json_object(text))
    with pytest.raises(ValueError, match=f"nested deeper than {MAX_DEPTH}"):
        json_object('{"a":' + text + "}")


def test_recursion_errors_are_faults() -> None:
    with pytest.raises(ValueError, match="not JSON"):
        json_object('{"a":' * 50_000 + "1" + "}" * 50_000)


@given(_VALUES, st.sampled_from(["", "\ud800", "\udfff"]))
def test_lone_surrogates_are_found_at_any_depth(value: Any, more: str) -> None:
    assert has_lone_surrogate([value, {more: 1}]) is bool(more)

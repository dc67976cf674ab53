"""JSON by msgspec and by the standard library: the same values, bytes and errors. And numbers at their limits, by either."""

import json
import math
import re
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.app import jsontext
from mqconvert.app.jsontext import read_json, write_json
from mqconvert.app.lines import parsed

TEXTS = st.text(st.characters()) | st.sampled_from(["\x7f", "\ud800", "a\udcffb", "\u2028", "\\u0041", '"', "/"])
PLAIN = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
WITHOUT_FLOATS = st.recursive(
    st.none() | st.booleans() | st.integers() | TEXTS,
    lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    max_leaves=12,
)
PIECES = st.sampled_from(
    [
        *(b'"', b"{", b"}", b"[", b"]", b",", b":", b"-", b"+", b"e9", b".5", b"00", b"-0", b"9" * 25, b"1e999"),
        *(b"NaN", b"Infinity", b"true", b"\\ud800", b"\\udc00", b"\\", b"\\x", b"\0", b"\x0b", b"\x1f", b"\x7f", b"//"),
        *(b"\xed\xa0\x80", b"\xc0\x80", b"\xff"),
    ]
)


@pytest.fixture
def without_msgspec(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "fast", lambda: None)


def outcome(run: Callable[[], Any]) -> str:
    """Return the result of a call as text, which distinguishes 1, 1.0, True and -0.0; errors with their text."""
    try:
        return repr(run())
    except (ValueError, RecursionError) as error:
        return f"{type(error).__name__}: {error}"


def by_both(run: Callable[[], Any]) -> tuple[str, str]:
    """Return the results of a call with msgspec, and without."""
    with_it = outcome(run)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(jsontext, "fast", lambda: None)
        return with_it, outcome(run)


def test_msgspec_is_installed_for_the_comparison() -> None:
    assert jsontext.fast() is not None


@given(VALUES, st.lists(st.tuples(st.integers(0, 400), st.integers(0, 3), PIECES), max_size=3))
def test_msgspec_reads_and_refuses_as_the_standard_library_does(value: Any, changes: list[tuple[int, int, bytes]]) -> None:
    text = json.dumps(value).encode()
    for at, gone, piece in changes:
        at = at % (len(text) + 1)  # noqa: PLW2901 - an index within the text
        text = text[:at] + piece + text[at + gone :]
    with_it, without = by_both(lambda: read_json(text))
    assert with_it == without


@pytest.mark.parametrize(
    "form", ['{"a":1,"a":2}', '[{"b": {"a" : 1, "\\u0061":1}}]', '{"a" :"x\\":","a":2}', '{"k":"\\":","a":[{"":1, "":1}]}']
)
def test_a_key_twice_in_an_object_is_refused(form: str) -> None:
    with_it, without = by_both(lambda: read_json(form.encode()))
    assert with_it == without
    assert re.fullmatch("ValueError: the key '.?' twice in one object", with_it)


def test_a_key_in_several_objects_is_no_duplicate() -> None:
    form = b'[{"a":1,"b":{"a":"\\":"}},{"a" :2}]'
    assert by_both(lambda: read_json(form)) == (repr(json.loads(form)),) * 2


@given(VALUES)
def test_msgspec_writes_as_the_standard_library_does(value: Any) -> None:
    with_it, without = by_both(lambda: write_json(value))
    assert with_it == without
    assert json.loads(write_json(value)) == value


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS, lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner)
    )
)
def test_msgspec_writes_values_without_floats_as_the_standard_library_does(value: Any) -> None:
    with_it, without = by_both(lambda: write_json(value, floats=False))
    assert with_it == without


@pytest.mark.parametrize(
    "form", ["{}", '{"id":1,"no":2}', "[1e5, 1E-7, -0, 5e-324]", "[18446744073709551616]", '"\\ud83d\\ude00"']
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32"])
def test_every_encoding_of_json_is_read(form: str, encoding: str) -> None:
    with_it, without = by_both(lambda: read_json(form.encode(encoding)))
    assert with_it == without == repr(json.loads(form))


@pytest.mark.parametrize("depth", [10, 200, 5000, 100_000])
def test_both_readers_have_the_same_depth_limit(depth: int) -> None:
    with_it, without = by_both(lambda: len(read_json(b"[" * depth + b"]" * depth)))
    assert with_it == without


@pytest.mark.usefixtures("without_msgspec")
def test_numbers_outside_json_are_refused() -> None:
    for text in (b"NaN", b"[-Infinity]", b"1e999", b"1" * 5000):
        with pytest.raises(ValueError, match=r"number|digits"):
            read_json(text)
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(math.nan)


@pytest.mark.parametrize("fast", [jsontext.fast, lambda: None], ids=["msgspec", "json"])
@pytest.mark.parametrize("data", [b"\0\0\0\x10hi\0\0", b"\xff", b'{"a": "\xff"}'])
def test_bytes_that_are_no_text_are_refused_as_such(data: bytes, fast: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jsontext, "fast", fast)
    with pytest.raises(DecodeError, match=r"^not JSON: bytes that are no text in Unicode$"):
        parsed(data)

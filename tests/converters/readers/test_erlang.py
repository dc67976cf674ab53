"""Terms of Erlang: those of a writer of our own come back, others are refused with an offset."""

from contextlib import suppress
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.readers.erlang import Atom, term
from tests.converters.readers import written

ATOMS = st.text("abc_é", max_size=5).map(written.Atom)
PLAIN = st.one_of(st.integers(-(2**80), 2**80), st.binary(max_size=9), st.floats(allow_nan=False), ATOMS)
TERMS = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=4),
        st.lists(inner, max_size=4).map(tuple),
        st.dictionaries(PLAIN, inner, max_size=4),
    ),
    max_leaves=20,
)


@given(value=TERMS)
def test_terms_come_back(value: Any) -> None:
    assert term(written.term(value)) == value


@given(value=TERMS, at=st.floats(0, 1), octet=st.integers(0, 255))
def test_changed_terms_are_read_or_refused(value: Any, at: float, octet: int) -> None:
    raw = bytearray(written.term(value))
    raw[int(at * (len(raw) - 1))] = octet
    for each in (bytes(raw), bytes(raw[:-1])):
        with suppress(DecodeError):
            term(each)


@pytest.mark.parametrize(
    ("raw", "value"),
    [
        ("83 6b 0003 616263", [97, 98, 99]),  # a list of small numbers
        ("83 64 0002 6f6b", Atom("ok")),
        ("83 73 02 6f6b", Atom("ok")),
        ("83 76 0002 6f6b", Atom("ok")),
        ("83 69 00000001 6107", (7,)),
        ("83 6e 01 01 05", -5),
    ],
)
def test_other_encodings_of_terms(raw: str, value: Any) -> None:
    assert term(bytes.fromhex(raw)) == value


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (b"", "bad_magic"),
        (b"\x82a\1", "bad_magic"),
        (b"\x83a", "truncated"),
        (b"\x83a\1\1", "bad_length"),
        (b"\x83\x50\0\0\0\1", "unknown_type"),  # a compressed term
        (b"\x83m\0\0\0\5ab", "truncated"),
        (b"\x83t\0\0\0\1ja\1", "truncated"),  # a list is no key
        (b"\x83w\2\xff\xff", "truncated"),
        (b"\x83" + b"h\1" * 300 + b"j", "nesting"),
    ],
)
def test_other_bytes_are_refused(raw: bytes, code: str) -> None:
    with pytest.raises(DecodeError) as failed:
        term(raw)
    assert failed.value.code == code

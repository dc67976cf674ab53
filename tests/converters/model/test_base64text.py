"""Base64 is as strict as that of the standard library."""

import binascii
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.model import jsonform
from mqconvert.converters.model.base64text import from_base64, to_base64


@given(raw=st.binary(max_size=60))
def test_bytes_return_from_base64(raw: bytes) -> None:
    assert to_base64(raw) == binascii.b2a_base64(raw, newline=False).decode()
    assert jsonform.bytes_from_json(jsonform.bytes_to_json(raw), "at") == raw


@given(text=st.text("ABab09+/=-_ \n\0é", max_size=9))
def test_base64_is_as_strict_as_the_standard_library(text: str) -> None:
    try:
        expected: Any = binascii.a2b_base64(text.encode("ascii"), strict_mode=True)
    except ValueError:
        expected = ValueError
    try:
        assert from_base64(text) == expected
    except ValueError:
        assert expected is ValueError

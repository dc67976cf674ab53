"""Plain values in JSON: each returns from its form, and other forms are refused with kind and place."""

import json
import math
import struct
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.model import jsonform


@given(number=st.integers(-(2**63), 2**64 - 1))
def test_integers_return_and_doubles_hold_those_written_as_numbers(number: int) -> None:
    written = jsonform.number_to_json(number)
    assert isinstance(written, str) or int(float(written)) == number
    assert jsonform.integer_from_json(json.loads(json.dumps(written)), "at") == number


@given(bits=st.integers(0, 2**64 - 1))
def test_doubles_return_with_every_bit(bits: int) -> None:
    (value,) = struct.unpack(">d", bits.to_bytes(8, "big"))
    written = json.loads(json.dumps(jsonform.float_to_json(value), allow_nan=False))
    assert struct.pack(">d", jsonform.float_from_json(written, "double", "at")) == bits.to_bytes(8, "big")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, -0.0, 5e-324])
def test_special_doubles_return(value: float) -> None:
    written = json.loads(json.dumps(jsonform.float_to_json(value), allow_nan=False))
    assert repr(jsonform.float_from_json(written, "double", "at")) == repr(value)


@given(raw=st.binary(max_size=12))
def test_bytes_that_are_usually_text_return(raw: bytes) -> None:
    written = jsonform.byte_text_to_json(raw.decode("utf-8", "surrogateescape"))
    assert isinstance(written, dict) is (raw.decode("utf-8", "replace").encode() != raw)
    assert jsonform.byte_text_from_json(written, "at") == raw


@pytest.mark.parametrize(
    ("read", "value", "kind"),
    [
        (jsonform.array_from_json, {}, "bad_json"),
        (jsonform.bytes_from_json, 5, "bad_value"),
        (jsonform.bytes_from_json, "aGk", "bad_value"),
        (jsonform.text_from_json, b"a", "bad_json"),
        (jsonform.text_from_json, "\ud800", "bad_value"),
        (jsonform.byte_text_from_json, {"base64": "aGk=", "more": 1}, "bad_json"),
        (jsonform.integer_from_json, True, "bad_json"),
        (jsonform.integer_from_json, 1.0, "bad_json"),
        (jsonform.integer_from_json, "--1", "bad_json"),
        (jsonform.integer_from_json, "1" * 21, "bad_json"),
        (lambda value, at: jsonform.float_from_json(value, "double", at), math.inf, "bad_value"),
        (lambda value, at: jsonform.float_from_json(value, "double", at), 10**400, "bad_value"),
        (lambda value, at: jsonform.float_from_json(value, "float", at), {"bits": "7ff8000000000001"}, "bad_value"),
        (lambda value, at: jsonform.float_from_json(value, "double", at), "1.5", "bad_json"),
    ],
)
def test_other_forms_are_refused_with_kind_and_place(read: Callable[[Any, str], Any], value: Any, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        read(value, "header.ttl")
    assert (caught.value.kind, caught.value.field) == (kind, "header.ttl")

"""Numbers, text and uuids in wire bytes: the bytes of `struct` and `uuid`, in both forms of the module."""

import struct
import uuid
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.model import primitives
from mqconvert.converters.model.primitives import UNWRITABLE, Writer, digits_at, uuid_at, uuid_text

LAYOUTS = {"u8": "B", "i8": "b", "u16": "H", "i16": "h", "u32": "I", "i32": "i", "u64": "Q", "i64": "q"}
READ = [name for name in LAYOUTS if name not in ("u8", "i8")]


def _bounds(name: str) -> tuple[int, int]:
    bits = int(name[1:])
    return (0, 2**bits - 1) if name[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


def _written(function: str, *values: Any) -> bytes:
    out = Writer()
    getattr(primitives, function)(out, *values)
    return bytes(out.getvalue())


@pytest.mark.parametrize("name", LAYOUTS)
@given(data=st.data())
def test_numbers_are_written_as_struct_packs_them(name: str, data: st.DataObject) -> None:
    low, high = _bounds(name)
    value = data.draw(st.sampled_from([low, high]) | st.integers(low, high))
    assert _written(f"write_{name}", value) == struct.pack(f">{LAYOUTS[name]}", value)


@pytest.mark.parametrize("name", LAYOUTS)
def test_numbers_out_of_range_are_refused(name: str) -> None:
    low, high = _bounds(name)
    for value in (low - 1, high + 1, 2**70, -(2**70)):
        with pytest.raises(UNWRITABLE):
            _written(f"write_{name}", value)


@pytest.mark.parametrize("name", READ)
@given(wire=st.binary(min_size=8, max_size=20), at=st.integers(0, 12))
def test_numbers_are_read_as_struct_unpacks_them(name: str, wire: bytes, at: int) -> None:
    size = struct.calcsize(LAYOUTS[name])
    read = getattr(primitives, f"read_{name}")
    if at + size > len(wire):
        with pytest.raises((IndexError, struct.error)):
            read(wire, at)
    else:
        assert read(wire, at) == struct.unpack_from(f">{LAYOUTS[name]}", wire, at)[0]


@given(text=st.text(max_size=300))
def test_text_is_written_behind_its_size(text: str) -> None:
    encoded = text.encode()
    assert _written("write_text16", text) == struct.pack(">H", len(encoded)) + encoded
    assert _written("write_coded_text16", 0xB1, text) == struct.pack(">BH", 0xB1, len(encoded)) + encoded
    if len(encoded) < 256:
        assert _written("write_text8", text) == struct.pack(">B", len(encoded)) + encoded
        assert _written("write_varied_text", 0xA1, text) == struct.pack(">BB", 0xA1, len(encoded)) + encoded
    else:
        assert _written("write_varied_text", 0xA1, text) == struct.pack(">BI", 0xB1, len(encoded)) + encoded
        with pytest.raises(UNWRITABLE):
            _written("write_text8", text)


@pytest.mark.parametrize(
    ("function", "text"),
    [
        ("write_text16", "x" * 65536),
        ("write_text16", "\ud800"),
        ("write_text8", "\udfff"),
    ],
)
def test_text_that_does_not_fit_is_refused(function: str, text: str) -> None:
    with pytest.raises(UNWRITABLE):
        _written(function, text)


@given(digits=st.text("0123456789", min_size=1, max_size=34), before=st.binary(max_size=3))
def test_digits_are_read_up_to_32_and_below_2_to_62(digits: str, before: bytes) -> None:
    wire = before + digits.encode()
    value = int(digits)
    assert digits_at(wire, before, 0, len(wire)) == (value if len(digits) <= 32 and value < 2**62 else -1)


@given(wire=st.binary(min_size=1, max_size=4))
def test_other_bytes_are_not_digits(wire: bytes) -> None:
    plain = all(0x30 <= octet <= 0x39 for octet in wire)
    assert (digits_at(wire, b"", 0, len(wire)) >= 0) is plain


@given(raw=st.binary(min_size=16, max_size=16), before=st.text(max_size=9))
def test_uuids_are_written_and_read_as_python_does(raw: bytes, before: str) -> None:
    text = str(uuid.UUID(bytes=raw))
    assert uuid_text(raw) == text
    assert uuid_at(before + text, len(before)) == uuid_at(before + text.upper(), len(before)) == raw
    for wrong in (text[:-1], text + "0", text.replace("-", ""), text.replace("-", "_"), "{" + text[1:]):
        assert uuid_at(before + wrong, len(before)) is None

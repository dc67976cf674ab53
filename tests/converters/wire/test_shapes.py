"""Shapes of values of fixed sizes, and of a layout's own statements."""

from struct import calcsize, unpack_from
from struct import error as StructError  # noqa: N812 - its name in printed code

import pytest

from mqconvert.converters.printed.templates import lines
from mqconvert.converters.wire.shapes import Custom, Fixed
from tests.converters.wire.printing import Two, functions


@pytest.mark.parametrize("layout", [">BHIhiq16s", ">2sB", ">q", ">II", ">HBIx", ">2xhB"])
def test_values_of_fixed_sizes_are_those_of_struct(layout: str) -> None:
    made = functions(Fixed(name="values", layout=layout))
    data = bytes(range(0x7A, 0xBA))
    last = len(data) - calcsize(layout)
    assert [made["read_values"](data, at) for at in (0, 3, last)] == [unpack_from(layout, data, at) for at in (0, 3, last)]
    for at in (last + 1, len(data)):
        with pytest.raises((IndexError, StructError)):
            made["read_values"](data, at)


def test_lines_are_a_function_of_the_layouts_own_statements() -> None:
    body = lines("made.first = data[at]\nreturn at + 1")
    made = functions(Custom(name="read_one", words="Read.", parameters="made data at", answer="i64", of=Two, body=body))
    read = Two()
    assert made["read_one"](read, b"\0\5", 1) == 2
    assert read == Two(5)

"""Shapes of values of fixed sizes."""

from struct import calcsize, unpack_from
from struct import error as StructError  # noqa: N812 - its name in printed code

import pytest

from mqconvert.converters.wire.shapes import Fixed
from tests.converters.wire.printing import functions


@pytest.mark.parametrize("layout", [">BHIhiq16s", ">2sB", ">q", ">II", ">HBIx", ">2xhB"])
def test_values_of_fixed_sizes_are_those_of_struct(layout: str) -> None:
    made = functions(Fixed(name="values", layout=layout))
    data = bytes(range(0x7A, 0xBA))
    last = len(data) - calcsize(layout)
    assert [made["read_values"](data, at) for at in (0, 3, last)] == [unpack_from(layout, data, at) for at in (0, 3, last)]
    for at in (last + 1, len(data)):
        with pytest.raises((IndexError, StructError)):
            made["read_values"](data, at)

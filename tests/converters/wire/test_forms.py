"""Forms of wire types: a form reads at any offset what it writes, and careful writing names the fault."""

from collections.abc import Mapping
from math import isnan
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import EncodeError
from mqconvert.converters.model import primitives
from mqconvert.converters.model.plain import FloatType, IntegerType
from mqconvert.converters.model.primitives import Writer
from mqconvert.converters.model.values import float_of_single, single_of_float
from mqconvert.converters.printed.defining import defined
from mqconvert.converters.printed.nodes import Display, Function, Name, Return
from mqconvert.converters.printed.printer import Printed, written
from mqconvert.converters.printed.reading import read_module
from mqconvert.converters.printed.templates import template
from mqconvert.converters.wire.forms import FLOAT, SIZE_AT, Form, sized

TYPES = {"float": FloatType("float"), "uint": IntegerType("uint", 0, 2**32 - 1)}
UINT = Form(type="uint", read="read_u32(data, {at})", size=4, write="write_u32(out, value)", fits="value > 255")
SIZED = Form(
    type="uint",
    first="size = data[{at}]\nafter = {at} + 1 + size",
    read="data[{at} + 1 : after]",
    unsound="after > len(data)",
    careful_read="value, after = codec.read(data, {at}, {field})",
)


def _functions(form: Form, at: str = "at") -> Mapping[str, Any]:
    """Return functions that read and write a value."""
    reading = form.reading(template(at))
    made = [Function("read", ("data", "at"), (*reading.first, Return(Display("()", (reading.value, reading.after)))))]
    for name, careful in (("write", False), ("write_carefully", True)):
        made.append(Function(name, ("out", "value"), form.writing(code=0x72, careful=careful)))
    known: dict[str, Any] = {name: getattr(primitives, name) for name in primitives.__all__}
    return defined(
        made,
        Printed(made),
        known | {"float_of_single": float_of_single, "single_of_float": single_of_float, "types": TYPES},
        "<form>",
    )


@given(st.floats(width=32), st.binary(max_size=3))
def test_floats_are_those_of_struct(value: float, before: bytes) -> None:
    made, out = _functions(FLOAT, "at + 1"), Writer()
    made["write"](out, value)
    if not isnan(value):
        assert out.getvalue() == b"\x72" + pack(">f", value)
    found, after = made["read"](before + out.getvalue(), len(before))
    assert after == len(before) + 5
    assert pack(">f", found) == pack(">f", value)


@given(st.integers(0, 2**32 - 1), st.integers(0, 9))
def test_a_value_is_read_at_a_sum_of_offsets(value: int, at: int) -> None:
    made, out = _functions(UINT, "at + 2 + 1"), Writer()
    made["write"](out, value)
    assert out.getvalue() == pack(">I", value)
    assert made["read"](bytes(at + 3) + out.getvalue(), at) == (value, at + 7)


@pytest.mark.parametrize("value", [-1, 2**32, "5", None, True])
def test_careful_writing_asks_the_wire_type_for_the_fault(value: object) -> None:
    with pytest.raises(EncodeError) as failed:
        _functions(UINT)["write_carefully"](Writer(), value)
    assert failed.value.code == "bad_value"


def test_offsets_behind_a_value_are_sums_or_variables() -> None:
    assert written(UINT.reading(template("at + 1")).after) == "at + 5"
    assert written(Form(type="void", size=0).reading(template("at + 1")).after) == "at + 1"
    assert written(SIZED.reading(template("at + 1")).after) == "after"


def test_careful_reading_names_the_field() -> None:
    reading = SIZED.careful_reading(Name("at"), "some.field")
    assert reading.first == read_module("value, after = codec.read(data, at, 'some.field')")
    assert [written(reading.value), written(reading.after)] == ["value", "after"]
    assert UINT.careful_reading(Name("at"), "some.field") == UINT.reading(Name("at"))


def test_careful_reading_refuses_what_is_unsound_and_all_there() -> None:
    form = Form(
        type="octet", first="number = data[{at}]", read="number", size=1, unsound="not number", refusal="no({at}, {field})"
    )
    reading = form.careful_reading(template("at + 1"), "some.field")
    text = "number = data[at + 1]\nafter = at + 2\nif after <= end and not number: raise no(at + 1, 'some.field')"
    assert reading.first == read_module(text)
    assert [written(reading.value), written(reading.after)] == ["number", "after"]


@pytest.mark.parametrize("width", SIZE_AT)
@given(value=st.binary(max_size=255), before=st.binary(max_size=3))
def test_sized_bytes_stand_behind_their_size(width: int, value: bytes, before: bytes) -> None:
    data = before + len(value).to_bytes(width, "big") + value
    form = sized("binary", width, write="out.write(value)")
    assert _functions(form)["read"](data, len(before)) == (value, len(data))


def test_tests_of_a_form_are_optional() -> None:
    fits, unsound = UINT.fitting(), SIZED.fault()
    assert fits is not None
    assert unsound is not None
    assert [written(fits), written(unsound)] == ["value > 255", "after > len(data)"]
    assert (SIZED.fitting(), UINT.fault()) == (None, None)

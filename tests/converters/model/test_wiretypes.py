"""Values of wire types: their bounds, and the reason for refusing any other value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, TypedValue
from mqconvert.converters.model.wiretypes import WireType, instance

TYPES = [(protocol.name, wire) for protocol in PROTOCOLS.values() for wire in protocol.types.values()]


@given(value=st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary() | st.just([]) | st.just(()))
def test_faults_accept_values_of_any_class(value: Any) -> None:
    for protocol, wire in TYPES:
        fault = wire.fault(value)
        assert fault is None or fault.strip(), (protocol, wire.name)
        if wire.bounds is not None:
            fits = type(value) is int and wire.bounds[0] <= value <= wire.bounds[1]
            assert (fault is None) is fits, (protocol, wire.name)
        if wire.size is not None:
            assert (fault is None) is (type(value) is bytes and len(value) == wire.size), (protocol, wire.name)


def test_typed_values_are_equal_by_type_and_value() -> None:
    assert TypedValue("ubyte", 1) == TypedValue("ubyte", 1) != TypedValue("ushort", 1)
    assert len({TypedValue("ubyte", 1), TypedValue("ubyte", 1), TypedValue("uint", 1)}) == 2


def test_a_wire_type_without_sample_values_is_refused() -> None:
    with pytest.raises(LookupError, match="no value is known of wire type 'defer'"):
        WireType("defer", "int", instance(int, "a number"), [("", "text")])

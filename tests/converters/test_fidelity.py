"""The forecast: it can try every field of every protocol."""

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.fidelity import SAMPLES
from mqconvert.converters.places import SCALAR, places
from mqconvert.converters.values import WireType


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_every_wire_type_has_a_value_to_try(protocol: str) -> None:
    types = PROTOCOLS[protocol].types
    tried = {place.types[0] for place in places(PROTOCOLS[protocol]).values() if place.kind == SCALAR}
    assert tried
    for name in tried:
        assert any(types[name].fault(value) is None for value in _values(types[name])), name


def _values(type_: WireType) -> list[object]:
    return [value for _, value in SAMPLES.get(type_.name, (("an integer", 1),))]

"""A value of a Python type that no field has is refused by the field's name when the message is encoded, and never written."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mqconvert import EncodeError, decode, encode
from mqconvert.converters.model.places import SECTION, WHOLE, Place, places
from mqconvert.converters.protocols import PROTOCOLS
from tests.strategies import DRAWN

WRONG: list[Any] = [object(), 3.5, 1j, bytearray(b"a"), memoryview(b"a"), {"a": 1}, {1}, ("a",), range(2)]
PLACES = {
    each.name: [place for place in places(each).values() if place.kind not in (SECTION, WHOLE)] for each in PROTOCOLS.ours()
}


def _with(message: Any, place: Place, value: object) -> None:
    *sections, name = place.path.split(".")
    owner = message
    for section in sections:
        owner = getattr(owner, section)
        assume(owner is not None)
    setattr(owner, name, value)


@pytest.mark.parametrize("protocol", PLACES)
@given(data=st.data())
def test_a_value_of_a_wrong_type_is_refused_by_name(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    place = data.draw(st.sampled_from(PLACES[protocol]))
    try:
        before = decode(protocol, encode(message))
    except EncodeError:
        return  # the message is wrong already, elsewhere
    _with(message, place, data.draw(st.sampled_from(WRONG)))
    try:
        written = encode(message)
    except EncodeError as error:
        named, words = (error.field or "").removeprefix("[0]."), error.message
        assert "between" not in words
        assert named.startswith(place.path) or place.path.endswith(f".{named}"), named
    else:  # no field of this frame, such as the packet identifier at QoS 0
        assert decode(protocol, written) == before

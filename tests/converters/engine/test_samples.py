"""Sample values: every place of every protocol has some, and its protocol can hold each of them."""

import pytest

from mqconvert import PROTOCOLS, message_from_json, message_to_json
from mqconvert.converters.engine.samples import message_with, samples
from mqconvert.converters.model.places import ENTRIES, SECTION, WHOLE, places, types_at


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_place_and_type_has_valid_sample_values(name: str) -> None:
    protocol = PROTOCOLS[name]
    for place in places(protocol).values():
        if place.kind in (SECTION, WHOLE):
            continue
        key = "k" if place.kind == ENTRIES and place.types[0] != "varints" else None
        for type_ in types_at(protocol, place):
            found = list(samples(protocol, place, type_))
            assert found, (place.path, type_)
            for _, value in found:
                message = message_with(protocol, place, type_, key, value)
                # repr: NaN is not equal to itself
                assert repr(message_from_json(message_to_json(message), name)) == repr(message)


@pytest.mark.parametrize("name", PROTOCOLS)
def test_cases_of_a_type_have_unique_names(name: str) -> None:
    for type_ in PROTOCOLS[name].types:
        cases = [case for case, _ in PROTOCOLS[name].types[type_].samples]
        assert len(set(cases)) == len(cases) > 0

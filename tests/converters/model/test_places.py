"""Places come from the message classes and list everything that rows may name."""

import dataclasses

import pytest

from mqconvert import PROTOCOLS
from mqconvert.converters.model.places import BODY, ENTRIES, SCALAR, SECTION, TYPED, WHOLE, places
from mqconvert.converters.protocols.amqp10.message import Properties


@pytest.mark.parametrize("name", PROTOCOLS)
def test_every_field_is_a_place_in_the_order_of_the_class(name: str) -> None:
    expected = ["@sections"]
    for field in dataclasses.fields(PROTOCOLS[name].message):
        inner = field.metadata["of"]
        parts = [] if inner is None else [f"{field.name}.{part.name}" for part in dataclasses.fields(inner)]
        expected += [field.name, *parts]
    assert list(places(PROTOCOLS[name])) == expected


@pytest.mark.parametrize("name", PROTOCOLS)
def test_places_hold_types_of_their_protocol(name: str) -> None:
    for place in places(PROTOCOLS[name]).values():
        if place.kind in (SCALAR, TYPED):
            assert set(place.types) <= PROTOCOLS[name].types.keys()
            assert (len(place.types) > 1) is (place.kind == TYPED)


def test_places_have_the_kind_of_their_field() -> None:
    amqp10, mqtt = places(PROTOCOLS["amqp-1.0"]), places(PROTOCOLS["mqtt-5.0"])
    assert {place.kind for place in amqp10.values()} == {WHOLE, SECTION, SCALAR, TYPED, ENTRIES, BODY}
    assert amqp10["properties"].message_class is Properties
    assert (amqp10["properties.message_id"].kind, amqp10["properties.to"].section) == (TYPED, "properties")
    assert {name: place.keys and place.keys.name for name, place in mqtt.items() if place.kind == ENTRIES} == {
        "user_properties": "utf8",
        "subscription_identifiers": None,
    }


def test_places_know_their_unset_and_default_values() -> None:
    mqtt = places(PROTOCOLS["mqtt-5.0"])
    assert (mqtt["retain"].unset, mqtt["retain"].default) == (0, 0)
    assert (mqtt["qos"].unset, mqtt["qos"].default) == (None, 0)
    assert (mqtt["payload"].unset, mqtt["payload"].default) == (None, b"")
    assert (mqtt["content_type"].unset, mqtt["content_type"].default) == (None, None)
    assert mqtt["topic_name"].name == "topic_name"
    assert places(PROTOCOLS["amqp-1.0"])["properties.to"].name == "properties_to"

"""Addresses with places of the message."""

import pytest

from mqconvert import PROTOCOLS, ConversionError
from mqconvert.converters.clients.ends.templates import template
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5

MESSAGE = amqp091.Message(
    amqp091.BasicProperties(
        priority=5,
        headers=[
            Entry("tenant", "longstr", b"acme"),
            Entry("tenant", "longstr", b"second"),
            Entry('odd "] key', "longstr", b"odd"),
            Entry("n", "signedint", -7),
            Entry("yes", "bool", True),
            Entry("half", "double", 0.5),
            Entry("bytes", "binary", b"\xff"),
        ],
    ),
    routing_key="a.b",
)


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("orders/{routing_key}", "orders/a.b"),
        ('{basic.headers["tenant"]}/{basic.priority}', "acme/5"),
        ('{basic.headers["odd "] key"]}', "odd"),
        ('{basic.headers["n"]}', "-7"),
        ("{{routing_key}}-{routing_key}", "{routing_key}-a.b"),
    ],
)
def test_places_are_filled(text: str, filled: str) -> None:
    made = template(text, PROTOCOLS["amqp-0.9.1"], "topic")
    assert callable(made)
    assert made(MESSAGE) == filled


def test_ids_and_pairs_are_filled() -> None:
    ids = amqp10.Message(properties=amqp10.Properties(message_id=TypedValue("ulong", 5)))
    made = template("{properties.message_id}", PROTOCOLS["amqp-1.0"], "address")
    assert callable(made)
    assert made(ids) == "5"
    pairs = template('{user_properties["k"]}', PROTOCOLS["mqtt-5.0"], "topic")
    assert callable(pairs)
    assert pairs(mqtt5.Message(user_properties=[("k", "v")])) == "v"


@pytest.mark.parametrize("text", ["plain", "a{{b}}"])
def test_a_text_without_places_is_itself(text: str) -> None:
    assert template(text, PROTOCOLS["amqp-0.9.1"], "topic") == text.replace("{{", "{").replace("}}", "}")


@pytest.mark.parametrize(
    "place", ["basic.message_id", *(f'basic.headers["{key}"]' for key in ("none", "yes", "half", "bytes"))]
)
def test_a_message_without_the_place_is_refused(place: str) -> None:
    made = template(f"{{{place}}}", PROTOCOLS["amqp-0.9.1"], "topic")
    assert callable(made)
    with pytest.raises(ConversionError) as refused:
        made(MESSAGE)
    assert (refused.value.code, refused.value.field) == ("missing_field", place)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{routing_kay}", "did you mean 'routing_key'"),
        ("{basic}", "a section: name a field"),
        ("{basic.headers}", "a map: name a key"),
        ('{routing_key["a"]}', "not a map"),
        ("{routing_key", "a brace without its pair"),
        ("a}", "a brace without its pair"),
    ],
)
def test_wrong_templates_are_told(text: str, words: str) -> None:
    with pytest.raises(ConversionError, match=words) as told:
        template(text, PROTOCOLS["amqp-0.9.1"], "topic")
    assert told.value.code == "bad_option"

"""Fields of message classes name their wire types."""

from dataclasses import dataclass, fields

from mqconvert import PROTOCOLS
from mqconvert.converters.model.fields import frames, names, wire
from mqconvert.converters.model.plain import IntegerType
from mqconvert.messages import mqtt5

U24 = IntegerType("u24", 0, 2**24 - 1)


@dataclass
class Part:
    """A section."""

    size: int | None = wire(U24)


@dataclass
class Example:
    """A message class with a field of each kind."""

    part: Part | None = wire("section", of=Part)
    either: int | str | None = wire("uint", U24, "string")
    flag: int = wire("bit", default=0, unset=0)
    pairs: list[str] = wire("text", default_factory=list)


def test_a_field_knows_its_wire_types_its_class_and_its_unset_value() -> None:
    part, either, flag, pairs = (field.metadata for field in fields(Example))
    assert (part["of"], part["types"]) == (Part, ("section",))
    assert (either["types"], either["shapes"], either["of"], either["unset"]) == (("uint", "u24", "string"), (U24,), None, None)
    assert (flag["types"], flag["unset"]) == (("bit",), 0)
    assert pairs["shapes"] == ()


def test_defaults_are_those_of_a_dataclass() -> None:
    one, other = Example(), Example()
    assert (one.part, one.either, one.flag, one.pairs) == (None, None, 0, [])
    assert one.pairs is not other.pairs


def test_names_are_in_the_order_of_the_class() -> None:
    assert names(Example) == ("part", "either", "flag", "pairs")
    for protocol in PROTOCOLS.known():
        assert names(protocol.message) == tuple(field.name for field in fields(protocol.message))


def test_frames_have_the_fields_that_name_them() -> None:
    @dataclass
    class Delivery:
        attempts: int | None = wire("uint", frame="message")
        source: str | None = wire("text")

    @dataclass
    class Message:
        delay: int | None = wire("uint", frame="send")
        delivery: Delivery | None = wire("section", of=Delivery)
        body: bytes = wire("payload", default=b"")

    assert frames(Message, ("send", "message")) == {"send": ("delay",), "message": ("delivery.attempts",)}


def test_the_text_of_a_message_keeps_a_value_that_only_equals_the_default() -> None:
    wrong = mqtt5.Message(topic_name="t", qos=False)
    assert repr(wrong) == "mqtt5.Message(qos=False, topic_name='t')"
    assert repr(mqtt5.Message(topic_name="t", qos=0)) == "mqtt5.Message(topic_name='t')"

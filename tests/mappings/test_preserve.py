"""The overlay `preserve` (decisions.md 8.3): values that it keeps over MQTT and AMQP 0.9.1 return with their types."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import Entry, Environment, LossPolicy, TypedValue, convert
from mqconvert.converters.model.values import Array, Described
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.entries import entry

CALLER = Environment(address="t")
URN = "urn:uuid:550e8400-e29b-41d4-a716-446655440000"
PROFILES = ["documented", "rabbitmq-4.0", "rabbitmq-4.3"]


def _there_and_back(message: Any, by: str, profile: str = "documented") -> tuple[Any, Any]:
    """Return the message after the way back, and the report of the way there."""
    source = protocol_of(message).name
    there = convert(message, by, profile=profile, rules="preserve", environment=CALLER)
    back = convert(
        there.message, source, profile=profile, rules="preserve", environment=Environment(clock=1), on_loss=LossPolicy.REPORT
    )
    return back.message, there.report


def _plain(**fields: Any) -> amqp10.Message:
    return amqp10.Message(header=amqp10.Header(durable=True), body=amqp10.Data([b"a"]), **fields)


IDS = [
    TypedValue("string", "text"),
    TypedValue("string", URN),
    TypedValue("string", ""),
    TypedValue("ulong", 5),
    TypedValue("binary", b"\xff"),
    TypedValue("binary", b"text"),
    TypedValue("binary", URN.encode()),
    TypedValue("binary", URN.upper().encode()),
    TypedValue("uuid", bytes(range(16))),
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("identifier", IDS, ids=repr)
def test_a_correlation_id_round_trips_over_mqtt_with_its_type(identifier: TypedValue, profile: str) -> None:
    message = _plain(properties=amqp10.Properties(message_id=identifier, correlation_id=identifier))
    back, report = _there_and_back(message, "mqtt-5.0", profile)
    assert (back.properties.correlation_id, back.properties.message_id) == (identifier, identifier)
    assert back.message_annotations is None
    assert report.lossless()


@given(
    st.one_of(
        st.builds(TypedValue, st.just("string"), st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))),
        st.builds(TypedValue, st.just("binary"), st.binary()),
        st.builds(TypedValue, st.just("ulong"), st.integers(0, 2**64 - 1)),
        st.builds(TypedValue, st.just("uuid"), st.binary(min_size=16, max_size=16)),
    )
)
def test_correlation_ids_of_any_type_round_trip(identifier: TypedValue) -> None:
    back, _ = _there_and_back(_plain(properties=amqp10.Properties(correlation_id=identifier)), "mqtt-5.0")
    assert back.properties.correlation_id == identifier


COMPOUND = [
    TypedValue("binary", b"\xff\0"),
    TypedValue("binary", b""),
    TypedValue("list", [TypedValue("ulong", 1), TypedValue("binary", b"a")]),
    TypedValue("map", [Entry(TypedValue("symbol", "k"), "boolean", True)]),
    TypedValue("array", Array("uint", [7])),
    TypedValue("list", [TypedValue("described", Described(TypedValue("symbol", "d"), TypedValue("boolean", True)))]),
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("value", COMPOUND, ids=repr)
def test_bytes_lists_and_maps_round_trip_over_mqtt(value: TypedValue, profile: str) -> None:
    message = _plain(
        message_annotations=[entry("x-a", value)], application_properties=[entry("k", value), Entry("b", "string", "c")]
    )
    back, report = _there_and_back(message, "mqtt-5.0", profile)
    assert back.message_annotations == message.message_annotations
    assert back.application_properties == message.application_properties
    assert report.lossless()
    assert report.dropped == ()


@pytest.mark.parametrize(
    "value", [TypedValue("symbol", "s"), TypedValue("ulong", 5), TypedValue("array", Array("uint", [7]))], ids=repr
)
def test_types_of_annotations_round_trip_over_amqp091(value: TypedValue) -> None:
    message = _plain(message_annotations=[entry("x-a", value)])
    back, report = _there_and_back(message, "amqp-0.9.1")
    assert back.message_annotations == message.message_annotations
    assert report.lossless()


@pytest.mark.parametrize("value", [TypedValue("array", []), TypedValue("longstr", b"\xff")], ids=repr)
def test_headers_round_trip_over_mqtt_and_amqp10(value: TypedValue) -> None:
    headers = [entry("x-a", value), entry("a", value)]
    made: Any = amqp091.Message(amqp091.BasicProperties(headers=headers), b"p")
    for target in ("mqtt-5.0", "amqp-1.0", "amqp-0.9.1"):
        made = convert(made, target, rules="preserve", environment=CALLER).message
    assert sorted(made.basic.headers, key=lambda one: one.key) == sorted(headers, key=lambda one: one.key)


def test_a_type_without_its_value_stays_an_annotation() -> None:
    strays = [("x-opt-amqp-type.k", "binary"), ("x-opt-amqp-correlation-id-type", "ulong"), ("x-opt-amqp-type.x-b", "binary")]
    for pairs in (strays, [*strays, ("x-b", "no base64"), ("k", "?")]):
        made: Any = convert(mqtt5.Message(topic_name="t", user_properties=pairs), "amqp-1.0", rules="preserve").message
        kept = {entry.key: entry.value for entry in [*made.message_annotations, *(made.application_properties or ())]}
        assert kept == dict(pairs)


def test_numbers_are_headers_of_text() -> None:
    """MAPPINGS rule 20: the same text as in MQTT and in the brokers' properties."""
    message = amqp10.Message(
        amqp10.Header(delivery_count=2**32 - 1),
        properties=amqp10.Properties(group_sequence=2**32 - 1),
        body=amqp10.Data([b"a"]),
    )
    made: Any = convert(message, "amqp-0.9.1", rules="preserve").message
    assert [(entry.key, entry.type) for entry in made.basic.headers] == [
        ("amqp-delivery-count", "longstr"),
        ("amqp-group-sequence", "longstr"),
    ]


def test_an_address_beside_that_of_the_caller_is_kept_and_not_dropped() -> None:
    report = convert(_plain(properties=amqp10.Properties(to="q")), "mqtt-5.0", rules="preserve", environment=CALLER).report
    assert [entry.target for entry in report.applied if entry.source == "properties.to"] == ['user_properties["amqp-to"]']
    assert report.dropped == ()


BODIES = [
    amqp10.AmqpValue(TypedValue("list", [TypedValue("ulong", 1)])),
    amqp10.AmqpValue(TypedValue("null", None)),
    amqp10.AmqpSequence([[TypedValue("symbol", "s")], []]),
]


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("by", ["amqp-0.9.1", "mqtt-5.0"])
@pytest.mark.parametrize("body", BODIES, ids=repr)
def test_encoded_bodies_and_their_footer_round_trip(body: Any, by: str, profile: str) -> None:
    message = amqp10.Message(amqp10.Header(durable=True), body=body, footer=[Entry("x-f", "uint", 1)])
    back, report = _there_and_back(message, by, profile)
    assert back == message
    assert report.lossless()


def test_a_payload_of_one_data_section_stays_a_payload() -> None:
    """Neither table encodes such a body, so the bytes are the application's own."""
    payload = bytes.fromhex("005375a00161")
    message = amqp091.Message(amqp091.BasicProperties(type="amqp-1.0", delivery_mode=1), payload)
    there = convert(message, "amqp-1.0", rules="preserve").message
    assert convert(there, "amqp-0.9.1", rules="preserve").message == message


@pytest.mark.parametrize("by", ["pulsar", "rocketmq"])
@pytest.mark.parametrize("identifier", [one for one in IDS if one.value], ids=repr)
def test_types_of_ids_round_trip_over_pulsar_and_rocketmq(identifier: TypedValue, by: str) -> None:
    caller = Environment(address="t", clock=1, producer="p", sequence_id=1)
    message = _plain(properties=amqp10.Properties(message_id=identifier, correlation_id=identifier))
    there = convert(message, by, rules="preserve", environment=caller)
    back: Any = convert(there.message, "amqp-1.0", rules="preserve").message
    assert (back.properties.correlation_id, back.properties.message_id) == (identifier, identifier)
    assert back.application_properties is None
    assert there.report.lossless()


@pytest.mark.parametrize("target", ["amqp-1.0", "mqtt-5.0"])
def test_an_unknown_delivery_mode_is_reported_as_lost(target: str) -> None:
    for mode, lost in ((0, ["basic.delivery_mode"]), (1, []), (2, []), (3, ["basic.delivery_mode"])):
        message = amqp091.Message(amqp091.BasicProperties(delivery_mode=mode), b"p")
        report = convert(message, target, rules="preserve", environment=CALLER).report
        assert [one.field for one in report.lost] == lost

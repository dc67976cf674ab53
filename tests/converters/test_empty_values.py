"""An empty value means what it means on the wire: a message converts as its bytes do, whichever field is empty."""

from collections.abc import Iterator
from typing import Any

import pytest

from mqconvert import PROTOCOLS, ConversionError, Environment, TypedValue, convert, decode, encode
from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.places import BODY, ENTRIES, SECTION, TYPED, WHOLE, Place, places
from mqconvert.converters.overlays import Overlay
from mqconvert.messages import amqp091, amqp10, mqtt5, mqtt311, nsq, phpmq, pulsar, rocketmq

ORDINARY: dict[str, Any] = {
    "amqp-1.0": amqp10.Message(body=Data([b"hi"])),
    "amqp-0.9.1": amqp091.Message(payload=b"hi"),
    "amqp-0.9.1, published": amqp091.Message(payload=b"hi", exchange="x", routing_key="k"),
    "mqtt-5.0": mqtt5.Message(topic_name="t", payload=b"hi"),
    "mqtt-3.1.1": mqtt311.Message(topic_name="t", payload=b"hi"),
    "nsq": nsq.Message(topic="t", body=b"hi"),
    "nsq, message": nsq.Message(topic="t", body=b"hi", frame="message", message_id=b"0" * 16, timestamp=7, attempts=1),
    "phpmq": phpmq.Message(queue=b"q", content=b"hi"),
    "phpmq, dispatch": phpmq.Message(queue=b"q", content=b"hi", frame="dispatch", message_id=b"1"),
    "rocketmq": rocketmq.Message(topic="t", body=b"hi", born_timestamp=7),
    "rocketmq, batch": rocketmq.Message(topic="t", body=b"hi", born_timestamp=7, batch_size=1, batch_index=0),
    "rocketmq, record": rocketmq.Message(topic="t", body=b"hi", born_timestamp=7, frame="record"),
    "pulsar": pulsar.Message(topic="t", payload=b"hi", producer_name="p", sequence_id=1, publish_time=7),
    "pulsar, batch": pulsar.Message(
        topic="t",
        payload=b"hi",
        producer_name="p",
        sequence_id=1,
        publish_time=7,
        batch=pulsar.Batch(size=1, index=0, sequence_id=1),
    ),
    "pulsar, message": pulsar.Message(
        topic="t", payload=b"hi", producer_name="p", sequence_id=1, publish_time=7, frame="message", message_id="1:2:-1:-1"
    ),
}
"""Messages of each protocol, frame and form, with an ordinary value where one is due."""
EMPTY: dict[str, Any] = {"str": "", "bytes": b"", "int": 0, "float": 0.0, "bool": False, "list": []}
BODIES = [Data([b""]), AmqpValue(TypedValue("string", "")), AmqpValue(TypedValue("list", [])), AmqpSequence([[]])]
NOT_ON_THE_WIRE = {"topic": ("pulsar", "pulsar, batch", "pulsar, message", "nsq, message"), "channel": ("nsq", "nsq, message")}
"""Fields that the producer or the subscription has, and not the bytes."""
OTHERWISE = {
    ("amqp-0.9.1", "exchange"): "a method frame names both: the other one is set, too",
    ("amqp-0.9.1", "routing_key"): "a method frame names both: the other one is set, too",
    ("mqtt-5.0", "packet_identifier"): "QoS 0 has no packet identifier: no value of it is written",
    ("mqtt-3.1.1", "packet_identifier"): "QoS 0 has no packet identifier: no value of it is written",
    ("nsq", "batch_index"): "a message on its own is written as no member",
    ("nsq", "batch_size"): "a message on its own is written as no member",
    ("rocketmq", "batch_index"): "a message on its own is written as no member",
    ("rocketmq", "batch_size"): "a message on its own is written as no member",
    ("rocketmq, batch", "batch_size"): "no number of members: a message on its own is written",
    ("pulsar, batch", "batch.size"): "no number of members: a message on its own is written",
    ("pulsar", "batch.index"): "the first member of a batch gives the batch its sequence id",
    ("pulsar, message", "batch.index"): "the first member of a batch gives the batch its sequence id",
    ("rocketmq", "batch_properties"): "a message on its own is written as no member",
    ("rocketmq", "batch_flag"): "a message on its own is written as no member",
    ("rocketmq", "producer_group"): "a required name: the encoder writes DEFAULT_PRODUCER",
    ("rocketmq, batch", "producer_group"): "a required name: the encoder writes DEFAULT_PRODUCER",
    ("rocketmq", "raw_properties"): "another form of `properties`, which the report names beside them",
    ("rocketmq, batch", "raw_properties"): "another form of `properties`, which the report names beside them",
    ("rocketmq, record", "raw_properties"): "another form of `properties`, which the report names beside them",
}
"""Fields whose empty value is not on the wire, or not alone, with the reason."""


def read_back(name: str, message: Any) -> Any:
    """Return a message as its target reads it, with the fields that are not on the wire."""
    back = decode(name.partition(",")[0], encode(message))
    for field, names in NOT_ON_THE_WIRE.items():
        if name in names:
            setattr(back, field, getattr(message, field))
    return back


def with_empty(name: str, place: Place) -> Iterator[Any]:
    """Yield copies of the ordinary message with each empty value of a place, and as an empty section."""
    protocol = PROTOCOLS[name.partition(",")[0]]
    if place.kind == SECTION:
        assert place.message_class is not None
        values = [place.message_class(), empty(place.message_class)]
    elif place.kind == TYPED:
        values = [TypedValue(type_, EMPTY[protocol.types[type_].kind]) for type_ in place.types]
    else:
        values = BODIES if place.kind == BODY else [[] if place.kind == ENTRIES else EMPTY[protocol.types[place.types[0]].kind]]
    for value in values:
        message = holder = read_back(name, ORDINARY[name])
        if place.section is not None:
            holder = getattr(message, place.section)
            if holder is None:
                holder = places(protocol)[place.section].message_class()  # type: ignore[misc]
                setattr(message, place.section, holder)
        setattr(holder, place.attribute, value)
        yield message


def outcome(message: Any, target: str, profile: str) -> Any:
    try:
        done = convert(message, target, profile=profile, environment=Environment(address="t", clock=7))
    except ConversionError as error:
        return error.code, error.rule
    return done.message, done.report.as_dict()


CASES = [
    (name, path)
    for name in ORDINARY
    for path, place in places(PROTOCOLS[name.partition(",")[0]]).items()
    if place.kind != WHOLE and path != "frame" and (name, path) not in OTHERWISE
]


@pytest.mark.parametrize(("name", "path"), CASES, ids=[f"{name}: {path}" for name, path in CASES])
def test_a_message_with_an_empty_field_converts_as_its_bytes(name: str, path: str) -> None:
    """An encoder may refuse the value: then nothing on the wire is equal to it."""
    source = name.partition(",")[0]
    for message in with_empty(name, places(PROTOCOLS[source])[path]):
        try:
            back = read_back(name, message)
        except EncodeError:
            continue
        for target in PROTOCOLS:
            for profile in ("documented", "preserve") if target != source else ():
                assert outcome(message, target, profile) == outcome(back, target, profile), (target, profile)


def test_every_reason_is_about_a_field() -> None:
    assert all(path in places(PROTOCOLS[name.partition(",")[0]]) for name, path in OTHERWISE)


def test_an_empty_list_of_pulsar_is_no_list() -> None:
    """To protobuf, a repeated field without elements is an unset one."""
    message = read_back("pulsar", ORDINARY["pulsar"])
    message.replicate_to, message.encryption_keys, message.compacted_batch_indexes, message.unknown = [], [], [], b""
    message.properties = [("amqp-content-type", "message/vnd.rabbitmq.amqp")]
    message.payload = bytes.fromhex("005377a1026869")  # an amqp-value: it is opened, since no key encrypts it
    done = convert(message, "amqp-1.0")
    assert done.message.body == AmqpValue(TypedValue("string", "hi"))
    assert [entry.key for entry in done.message.message_annotations or ()] == [
        "x-opt-pulsar-sequence-id",
        "x-opt-pulsar-producer-name",
    ]
    assert (done.report.lost, done.report.dropped) == ((), ())
    assert done.report.summary.fields == 5


def test_a_row_for_an_unset_field_takes_an_empty_list_too() -> None:
    row = """{ before = "replicate-to", id = "none", from = "replicate_to", type = "absent",
      to = "application_properties[none]", as = "boolean", via = "constant true" }"""
    rows = Overlay("mine.toml", f'["pulsar -> amqp-1.0"]\nrules = [{" ".join(row.split())}]')
    message = read_back("pulsar", ORDINARY["pulsar"])
    nothing: list[str] | None
    for nothing in (None, []):
        message.replicate_to = nothing
        done = convert(message, "amqp-1.0", rules=[rows])
        assert [entry.key for entry in done.message.application_properties or ()] == ["none"]
    message.replicate_to = [""]
    assert convert(message, "amqp-1.0", rules=[rows]).message.application_properties is None

"""The tables: frames of STOMP become messages of AMQP 1.0, and round-trip."""

from pathlib import Path
from typing import Any

import pytest

from mqconvert import Entry, Environment, TypedValue, check_rules, convert, decode, encode
from mqconvert.messages import amqp10
from mqconvert_stomp import __file__ as package
from mqconvert_stomp.message import Message
from test_codec import OF_ACTIVEMQ, OF_RABBITMQ

ACTIVEMQ = str(Path(__file__).parents[1] / "activemq.toml")


def test_the_rows_of_both_tables_are_valid() -> None:
    assert check_rules(str(Path(package).with_name("stomp.toml"))) == ["stomp -> amqp-1.0", "amqp-1.0 -> stomp"]


def _string(text: str) -> TypedValue:
    return TypedValue("string", text)


def _entry(key: str, text: str) -> Entry:
    return Entry(key, "string", text)


def _to_amqp(message: Message, **more: Any) -> amqp10.Message:
    made = convert(message, "amqp-1.0", **more).message
    assert isinstance(made, amqp10.Message)
    return made


def _decoded(wire: bytes) -> Message:
    made = decode("stomp", wire)
    assert isinstance(made, Message)
    return made


def _headers(message: amqp10.Message, **more: Any) -> dict[str, str]:
    made: Any = convert(message, "stomp", environment=Environment(address="a"), **more).message
    return dict(made.headers or ())


def test_a_delivery_has_the_ids_of_server_and_sender() -> None:
    rabbit, active = (_to_amqp(_decoded(wire)) for wire in (OF_RABBITMQ, OF_ACTIVEMQ))
    assert rabbit.properties is not None
    assert active.properties is not None
    assert (rabbit.properties.message_id, active.properties.message_id) == (_string("m:1"), _string("ID:host-39-1:2:1"))
    assert _entry("x-opt-stomp-message-id", "T_0@@session-Zx_1@@1") in (rabbit.message_annotations or ())


def test_activemq_has_times_in_milliseconds_by_its_overlay() -> None:
    message = _decoded(OF_ACTIVEMQ)
    made = _to_amqp(message, rules=ACTIVEMQ)
    assert made.properties is not None
    assert (made.properties.creation_time, made.properties.absolute_expiry_time) == (1_285_693_486_217, None)
    assert _headers(made, rules=ACTIVEMQ)["timestamp"] == "1285693486217"


def test_duplicate_headers_are_lost_with_a_reason() -> None:
    wire = b"SEND\ndestination:a\nk:1\ndestination:b\nk:2\npriority:1\npriority:2\n\n\0"
    done: Any = convert(decode("stomp", wire), "amqp-1.0")
    assert done.message.application_properties == [_entry("k", "1")]
    assert (done.message.properties.to, done.message.header.priority) == ("a", 1)
    assert [(lost.field, lost.reason) for lost in done.report.lost] == [
        ('headers["destination"]', "of a header that comes again the first one counts"),
        ('headers["k"]', "a second equal key"),
        ('headers["priority"]', "a second equal key"),
    ]


@pytest.mark.parametrize("text", ["yesterday", "1700000000"])
@pytest.mark.parametrize("time", [None, 1000])
def test_a_timestamp_beside_the_creation_time_round_trips(text: str, time: int | None) -> None:
    annotation = _entry("x-opt-stomp-timestamp", text)
    sent = amqp10.Message(None, None, [annotation], amqp10.Properties(to="a", creation_time=time), body=amqp10.Data([b""]))
    done: Any = convert(sent, "stomp")
    assert done.report.lossless()
    assert [name for name, _ in done.message.headers].count("timestamp") <= 1
    back: Any = convert(decode("stomp", encode(done.message)), "amqp-1.0").message
    assert annotation in back.message_annotations
    assert back.properties == sent.properties


BODIES = [
    amqp10.Data([b"a"]),
    amqp10.Data([b"a", b"b\0"]),
    amqp10.AmqpValue(_string("é")),
    amqp10.AmqpValue(TypedValue("binary", b"a")),
    amqp10.AmqpValue(TypedValue("null", None)),
    amqp10.AmqpValue(TypedValue("list", [TypedValue("int", 1)])),
    amqp10.AmqpSequence([[TypedValue("int", 1)]]),
]


def test_a_delivery_is_sent_on_when_requested() -> None:
    made: Any = convert(_to_amqp(_decoded(OF_RABBITMQ)), "stomp", environment=Environment("/queue/b", frame="send"))
    assert (made.message.command, made.message.destination) == ("SEND", "/queue/b")
    assert dict(made.message.headers)["amqp-to"] == "/exchange/amq.topic/a.b"

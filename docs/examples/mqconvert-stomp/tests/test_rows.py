"""The tables: frames of STOMP become messages of AMQP 1.0, and round-trip."""

from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from hypothesis import assume, given

from mqconvert import ConversionError, Entry, Environment, TypedValue, check_rules, convert, decode, encode
from mqconvert.messages import amqp10
from mqconvert_stomp import __file__ as package
from mqconvert_stomp.message import FIELDS, Message
from stomp_messages import MESSAGES, PAIRS, TEXT
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


def test_every_header_that_brokers_know_is_a_field() -> None:
    headers = {
        "persistent": "true", "priority": "7", "expiration": "60000", "expires": "1700000060000", "timestamp": "1700000000",
        "correlation-id": "c", "reply-to": "/queue/r", "amqp-message-id": "m", "type": "t", "user-id": "guest", "app-id": "g",
        "content-encoding": "gzip", "x-k": "v", "k": "v",
    }  # fmt: skip
    sent = Message("SEND", "/queue/a", "text/plain", "r-1", "tx-1", headers=list(headers.items()), body=b"hi")
    done = convert(sent, "amqp-1.0")
    assert done.report.lossless()
    assert done.message == amqp10.Message(
        amqp10.Header(durable=True, priority=7, ttl=60000),
        None,
        [
            _entry("x-opt-stomp-command", "SEND"), _entry("x-basic-type", "t"), _entry("x-k", "v"),
            _entry("x-opt-stomp-receipt", "r-1"), _entry("x-opt-stomp-transaction", "tx-1"),
        ],
        amqp10.Properties(
            message_id=_string("m"), user_id=b"guest", to="/queue/a", reply_to="/queue/r", correlation_id=_string("c"),
            content_type="text/plain", content_encoding="gzip", absolute_expiry_time=1_700_000_060_000,
            creation_time=1_700_000_000_000, group_id="g",
        ),
        [_entry("k", "v")],
        amqp10.Data([b"hi"]),
    )  # fmt: skip
    assert _sorted(convert(done.message, "stomp").message) == _sorted(sent)


def _sorted(message: Any) -> Any:
    """Return the message with its headers sorted by name, since rows fill them in their own order."""
    return *(getattr(message, name) for name in ("command", *FIELDS.values(), "body")), sorted(message.headers or ())


@pytest.mark.parametrize("wire", [OF_RABBITMQ, OF_ACTIVEMQ.replace(b"expires:0\n", b"").replace(b"217\n", b"\n")])
def test_deliveries_round_trip(wire: bytes) -> None:
    message = _decoded(wire)
    done = convert(message, "amqp-1.0")
    assert done.report.lossless()
    assert _sorted(convert(done.message, "stomp").message) == _sorted(message)


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


@pytest.mark.parametrize(
    ("value", "text", "reason"),
    [
        (_string("a"), "a", None),
        (TypedValue("int", -5), "-5", "its type int: the way back gives string"),
        (TypedValue("boolean", True), "true", "its type boolean: the way back gives string"),
        (TypedValue("binary", b"a"), "YQ==", "its type binary: the way back gives string"),
        (TypedValue("null", None), "", "its type null: the way back gives string"),
        (TypedValue("list", []), None, "STOMP has no type list"),
        (TypedValue("char", 0xD800), None, "a char that is not a code point"),
    ],
)
def test_typed_values_become_text_with_a_reported_loss(value: TypedValue, text: str | None, reason: str | None) -> None:
    done: Any = convert(
        amqp10.Message(application_properties=[Entry("k", value.type, value.value)], body=amqp10.Data([b""])), "stomp"
    )
    assert dict(done.message.headers or ()).get("k") == text
    assert [(lost.field, lost.reason) for lost in done.report.lost] == (
        [] if reason is None else [('application_properties["k"]', reason)]
    )


@pytest.mark.parametrize(
    "name", [*FIELDS, "content-length", "priority", "amqp-body", "amqp-ap.k", "x-k", "x-basic-type", "x-basic-types", ""]
)
def test_properties_of_any_name_round_trip_without_setting_a_field(name: str) -> None:
    sent = amqp10.Message(application_properties=[_entry(name, "5")], body=amqp10.Data([b""]))
    made: Any = convert(sent, "stomp", environment=Environment(address="a")).message
    assert all(getattr(made, field) is None for field in FIELDS.values() if field != "destination")
    back: Any = convert(decode("stomp", encode(made)), "amqp-1.0").message
    assert back.application_properties == sent.application_properties
    assert back.header is None


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


@pytest.mark.parametrize("body", BODIES)
def test_bodies_of_every_kind_round_trip(body: Any) -> None:
    done = convert(amqp10.Message(body=body), "stomp", environment=Environment(address="a"))
    assert done.report.lossless()
    back: Any = convert(decode("stomp", encode(done.message)), "amqp-1.0").message
    assert back.body == body


def test_the_caller_chooses_the_frame() -> None:
    subscribed = amqp10.Message(
        None, None, [_entry("x-opt-stomp-subscription", "0")], amqp10.Properties(message_id=_string("m"), to="a")
    )
    subscribed.body = amqp10.Data([b"hi"])
    asked = Environment(frame="message")
    assert convert(subscribed, "stomp").message == Message(
        "SEND", "a", subscription="0", headers=[("amqp-message-id", "m")], body=b"hi"
    )
    assert convert(subscribed, "stomp", environment=asked).message == Message(
        "MESSAGE", "a", message_id="m", subscription="0", body=b"hi"
    )
    with pytest.raises(ConversionError) as caught:
        convert(amqp10.Message(body=amqp10.Data([b"hi"])), "stomp", environment=asked)
    assert (caught.value.code, caught.value.rule) == ("missing_field", "frame-incomplete")
    with pytest.raises(ConversionError) as caught:
        convert(subscribed, "stomp", environment=Environment(frame="record"))
    assert (caught.value.code, caught.value.rule) == ("bad_option", "frame-refused")


def test_a_delivery_is_sent_on_when_requested() -> None:
    made: Any = convert(_to_amqp(_decoded(OF_RABBITMQ)), "stomp", environment=Environment("/queue/b", frame="send"))
    assert (made.message.command, made.message.destination) == ("SEND", "/queue/b")
    assert dict(made.message.headers)["amqp-to"] == "/exchange/amq.topic/a.b"


@given(message=MESSAGES)
def test_messages_of_stomp_round_trip_over_amqp10(message: Message) -> None:
    names = [name for name, _ in message.headers or ()]
    assume(len(set(names)) == len(names))
    assume(not any(name in FIELDS or name in ("content-length", "expires") or name.startswith("amqp-") for name in names))
    assume((message.content_type or "").isascii())
    done = convert(message, "amqp-1.0")
    assert done.report.lossless()
    assert _sorted(convert(done.message, "stomp").message) == _sorted(message)


@given(properties=PAIRS, annotations=PAIRS, text=TEXT)
def test_strings_of_amqp10_round_trip_over_stomp(properties: list[tuple[str, str]], annotations: Any, text: str) -> None:
    sent = amqp10.Message(
        None,
        None,
        [_entry(key, value) for key, value in dict(annotations).items() if key.isascii()] or None,
        amqp10.Properties(to="a", subject=text, reply_to=text, message_id=_string(text), group_sequence=7),
        [_entry(key, value) for key, value in dict(properties).items()] or None,
        amqp10.AmqpValue(_string(text)),
    )
    done = convert(sent, "stomp")
    assert done.report.lossless()
    back: Any = convert(decode("stomp", encode(done.message)), "amqp-1.0").message
    by_key = attrgetter("key")
    wanted = [_entry("x-opt-stomp-command", "SEND"), *(sent.message_annotations or ())]
    assert sorted(back.message_annotations, key=by_key) == sorted(wanted, key=by_key)
    assert sorted(back.application_properties or (), key=by_key) == sorted(sent.application_properties or (), key=by_key)
    assert (back.properties, back.body) == (sent.properties, sent.body)

"""Sections in JSON: an error names the field, at any depth."""

import json
from typing import Any

import pytest

from mqconvert import DecodeError, EncodeError, message_from_json, message_to_json
from mqconvert.converters.model.sections import check_fields
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar


@pytest.mark.parametrize(
    ("class_", "values", "field"),
    [
        (mqtt5.Message, {"user_properties": [1]}, "user_properties"),
        (mqtt5.Message, {"payload": bytearray(b"hi")}, "payload"),
        (mqtt5.Message, {"payload": "text"}, "payload"),
        (mqtt5.Message, {"packet_identifier": "5"}, "packet_identifier"),
        (nsq.Message, {"topic": "t", "batch_size": "2", "body": b"hi"}, "batch_size"),
        (pulsar.Message, {"producer_name": "p", "sequence_id": 1, "publish_time": 1, "uuid": "u", "topic": 5}, "topic"),
        (amqp10.Message, {"body": b"octets"}, "body"),
        (amqp10.Message, {"application_properties": [("k", 1)]}, "application_properties"),
        (amqp091.Message, {"basic": amqp091.BasicProperties(priority=object())}, "basic.priority"),  # type: ignore[arg-type]
    ],
)
def test_a_message_that_its_protocol_cannot_carry_names_its_field(class_: Any, values: dict[str, Any], field: str) -> None:
    message = class_(**values)
    if class_ is mqtt5.Message:
        message.topic_name = "t"
    with pytest.raises(EncodeError) as caught:
        message_to_json(message)
    assert caught.value.field is not None
    assert caught.value.field.startswith(field)


WRONG = [
    ([], "bad_json", None),
    ({}, "unknown_protocol", "protocol"),
    ({"protocol": "stomp"}, "unknown_protocol", "protocol"),
    ({"protocol": 1}, "unknown_protocol", "protocol"),
    ({"protocol": "amqp-1.0", "header": {"nothing": 1}}, "unknown_field", "header.nothing"),
    ({"protocol": "amqp-1.0", "header": None}, "bad_json", "header"),
    ({"protocol": "amqp-1.0", "header": {"ttl": None}}, "bad_json", "header.ttl"),
    ({"protocol": "amqp-1.0", "header": {"ttl": 1.0}}, "bad_json", "header.ttl"),
    ({"protocol": "amqp-1.0", "header": {"ttl": "1e3"}}, "bad_json", "header.ttl"),
    ({"protocol": "amqp-1.0", "header": {"ttl": "²"}}, "bad_json", "header.ttl"),
    ({"protocol": "amqp-1.0", "header": {"ttl": 2**32}}, "bad_value", "header.ttl"),
    (
        {"protocol": "amqp-1.0", "properties": {"message_id": {"type": "int", "value": 1}}},
        "wrong_type",
        "properties.message_id",
    ),
    ({"protocol": "amqp-1.0", "properties": {"to": "\ud800"}}, "bad_value", "properties.to"),
    ({"protocol": "amqp-1.0", "body": {"data": ["YQ"]}}, "bad_value", "body[0]"),
    ({"protocol": "amqp-1.0", "body": {"data": [], "value": 1}}, "bad_json", "body"),
    *(
        ({"protocol": "amqp-1.0", "body": {"value": {"type": type_, "value": number}}}, "bad_value", "body")
        for type_ in ("double", "float")
        for number in (json.loads("1e999"), json.loads("NaN"), 10**400)
    ),
    ({"protocol": "amqp-1.0", "footer": [["k"]]}, "bad_json", "footer[0]"),
    ({"protocol": "amqp-1.0", "footer": [["k", {"type": "longstr", "value": ""}]]}, "unknown_type", "footer[0][1]"),
    ({"protocol": "amqp-0.9.1", "basic": {"type": "é" * 128}}, "bad_value", "basic.type"),
    ({"protocol": "mqtt-5.0", "topic_name": "a/#"}, "bad_value", "topic_name"),
    ({"protocol": "mqtt-5.0", "subscription_identifiers": [2**28]}, "bad_value", "subscription_identifiers[0]"),
]


@pytest.mark.parametrize(("form", "kind", "field"), WRONG, ids=lambda value: str(value)[:60])
def test_invalid_messages_are_refused_with_their_field(form: Any, kind: str, field: str | None) -> None:
    with pytest.raises(DecodeError) as caught:
        message_from_json(form)
    assert (caught.value.kind, caught.value.field) == (kind, field)


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (nsq.Message(topic="t", body=b"hi"), None),
        (nsq.Message(topic="a/b", body=b"hi"), "at.topic"),
        (nsq.Message(topic="t", attempts=2**16), "at.attempts"),
        (nsq.Message(topic="t", body=None), "at.body"),  # type: ignore[arg-type]
        (pulsar.Message(payload=b"hi", properties=[("k", "v")]), "at.properties"),
        (amqp10.Message(header=amqp10.Header(priority=256)), None),
    ],
)
def test_the_first_field_that_its_wire_type_cannot_hold_is_named(message: Any, field: str | None) -> None:
    def refuse(value: object, name: str) -> None:
        raise EncodeError("bad_value", f"{value}", field=name)

    types = nsq.NSQ_TYPES if isinstance(message, nsq.Message) else pulsar.PULSAR_TYPES
    if field is None:
        check_fields(message, types, refuse, "at.")
        return
    with pytest.raises(EncodeError) as caught:
        check_fields(message, types, refuse, "at.")
    assert (caught.value.code, caught.value.field) == ("bad_value", field)

"""The JSON form of messages: the form of each value, and round trips."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    PROTOCOLS,
    Array,
    Decimal091,
    DecodeError,
    Described,
    EncodeError,
    Entry,
    TypedValue,
    message_from_json,
    message_to_json,
)
from mqconvert.converters.model.values import MAX_DEPTH
from mqconvert.converters.model.wiretypes import typed_to_json
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.entries import entry
from tests.strategies import DRAWN

DEEPEST = MAX_DEPTH + 2


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_messages_round_trip(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    form = json.loads(json.dumps(message_to_json(message), allow_nan=False))
    assert form["protocol"] == protocol
    # By their text: NaN is not equal to itself.
    assert repr(message_from_json(form)) == repr(message)
    assert repr(message_from_json({key: value for key, value in form.items() if key != "protocol"}, protocol)) == repr(message)


AMQP10 = [
    (TypedValue("null", None), {"type": "null", "value": None}),
    (TypedValue("boolean", True), {"type": "boolean", "value": True}),
    (TypedValue("ubyte", 1), {"type": "ubyte", "value": 1}),
    (TypedValue("long", 2**53 - 1), {"type": "long", "value": 2**53 - 1}),
    (TypedValue("long", 2**53), {"type": "long", "value": "9007199254740992"}),
    (TypedValue("long", -(2**63)), {"type": "long", "value": "-9223372036854775808"}),
    (TypedValue("ulong", 2**64 - 1), {"type": "ulong", "value": "18446744073709551615"}),
    (TypedValue("timestamp", 1000), {"type": "timestamp", "value": 1000}),
    (TypedValue("char", 0x1F600), {"type": "char", "value": 0x1F600}),
    (TypedValue("float", 1.5), {"type": "float", "value": 1.5}),
    (TypedValue("double", float("inf")), {"type": "double", "value": "Infinity"}),
    (TypedValue("double", float("-inf")), {"type": "double", "value": "-Infinity"}),
    (TypedValue("double", float("nan")), {"type": "double", "value": "NaN"}),
    (TypedValue("decimal32", b"\0\1\2\3"), {"type": "decimal32", "value": "AAECAw=="}),
    (TypedValue("uuid", bytes(range(16))), {"type": "uuid", "value": "00010203-0405-0607-0809-0a0b0c0d0e0f"}),
    (TypedValue("binary", b"hi"), {"type": "binary", "value": "aGk="}),
    (TypedValue("string", "é"), {"type": "string", "value": "é"}),
    (TypedValue("symbol", "s"), {"type": "symbol", "value": "s"}),
    (TypedValue("list", [TypedValue("null", None)]), {"type": "list", "value": [{"type": "null", "value": None}]}),
    (
        TypedValue("map", [Entry(TypedValue("uint", 1), "boolean", False)]),
        {"type": "map", "value": [[{"type": "uint", "value": 1}, {"type": "boolean", "value": False}]]},
    ),
    (TypedValue("array", Array("uint", [1, 2])), {"type": "array", "of": "uint", "value": [1, 2]}),
    (
        TypedValue("array", Array("list", [[TypedValue("uint", 1)]], (TypedValue("symbol", "d"),))),
        {
            "type": "array",
            "of": "list",
            "value": [[{"type": "uint", "value": 1}]],
            "descriptors": [{"type": "symbol", "value": "d"}],
        },
    ),
    (
        TypedValue("described", Described(TypedValue("ulong", 1), TypedValue("string", "v"))),
        {"type": "described", "descriptor": {"type": "ulong", "value": 1}, "value": {"type": "string", "value": "v"}},
    ),
]
AMQP091 = [
    (TypedValue("longstr", "é".encode()), {"type": "longstr", "value": "é"}),
    (TypedValue("longstr", b"\xff"), {"type": "longstr", "base64": "/w=="}),
    (TypedValue("binary", b"hi"), {"type": "binary", "value": "aGk="}),
    (TypedValue("decimal", Decimal091(2, 314)), {"type": "decimal", "value": {"scale": 2, "value": 314}}),
    (TypedValue("timestamp", 2**64 - 1), {"type": "timestamp", "value": "18446744073709551615"}),
    (TypedValue("void", None), {"type": "void", "value": None}),
    (TypedValue("array", [TypedValue("bool", True)]), {"type": "array", "value": [{"type": "bool", "value": True}]}),
    (TypedValue("table", [Entry("k", "byte", -1)]), {"type": "table", "value": [["k", {"type": "byte", "value": -1}]]}),
]


@pytest.mark.parametrize(("typed", "form"), AMQP10, ids=lambda value: str(value)[:40])
def test_typed_values_of_amqp10_have_a_json_form(typed: TypedValue, form: dict[str, Any]) -> None:
    assert typed_to_json(typed, PROTOCOLS["amqp-1.0"].types) == form
    read = message_from_json({"body": {"value": form}}, "amqp-1.0")
    assert repr(read) == repr(amqp10.Message(body=amqp10.AmqpValue(typed)))


@pytest.mark.parametrize(("typed", "form"), AMQP091, ids=lambda value: str(value)[:40])
def test_typed_values_of_amqp091_have_a_json_form(typed: TypedValue, form: dict[str, Any]) -> None:
    assert typed_to_json(typed, PROTOCOLS["amqp-0.9.1"].types) == form
    read = message_from_json({"basic": {"headers": [["k", form]]}}, "amqp-0.9.1")
    assert read == amqp091.Message(amqp091.BasicProperties(headers=[entry("k", typed)]))


MESSAGE_FORMS = [
    (
        mqtt311.Message(topic_name="t", payload=b"hi"),
        {"protocol": "mqtt-3.1.1", "dup": 0, "qos": 0, "retain": 0, "topic_name": "t", "payload": "aGk="},
    ),
    (
        mqtt5.Message(topic_name="t", correlation_data=b"\xff", user_properties=[("a", "b")], subscription_identifiers=[1]),
        {
            "protocol": "mqtt-5.0",
            "dup": 0,
            "qos": 0,
            "retain": 0,
            "topic_name": "t",
            "correlation_data": "/w==",
            "user_properties": [["a", "b"]],
            "subscription_identifiers": [1],
            "payload": "",
        },
    ),
    (
        amqp091.Message(amqp091.BasicProperties(reply_to="\udcff"), b"", "x", "k"),
        {
            "protocol": "amqp-0.9.1",
            "basic": {"reply_to": {"base64": "/w=="}},
            "payload": "",
            "exchange": "x",
            "routing_key": "k",
        },
    ),
    (
        amqp10.Message(footer=[Entry(1, "null", None), Entry("x-k", "null", None)], body=amqp10.Data([b"a", b""])),
        {
            "protocol": "amqp-1.0",
            "body": {"data": ["YQ==", ""]},
            "footer": [
                [{"type": "ulong", "value": 1}, {"type": "null", "value": None}],
                ["x-k", {"type": "null", "value": None}],
            ],
        },
    ),
    (
        amqp10.Message(header=amqp10.Header(ttl=0), body=amqp10.AmqpSequence([[TypedValue("null", None)], []])),
        {"protocol": "amqp-1.0", "header": {"ttl": 0}, "body": {"sequence": [[{"type": "null", "value": None}], []]}},
    ),
]


@pytest.mark.parametrize(("message", "form"), MESSAGE_FORMS, ids=lambda value: type(value).__name__)
def test_messages_have_a_json_form(message: Any, form: dict[str, Any]) -> None:
    assert message_to_json(message) == form
    assert message_from_json(form) == message


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


@pytest.mark.parametrize("value", [7, "7"])
def test_integers_are_read_as_number_and_as_text(value: int | str) -> None:
    assert message_from_json({"header": {"ttl": value}}, "amqp-1.0") == amqp10.Message(header=amqp10.Header(ttl=7))


def test_text_bytes_are_accepted_as_base64_too() -> None:
    form = {"basic": {"type": {"base64": "aGk="}, "headers": [["k", {"type": "longstr", "base64": "aGk="}]]}}
    expected = amqp091.BasicProperties(type="hi", headers=[Entry("k", "longstr", b"hi")])
    assert message_from_json(form, "amqp-0.9.1") == amqp091.Message(expected)


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


def test_a_message_of_another_protocol_is_refused() -> None:
    with pytest.raises(DecodeError, match=r"a message of mqtt-5.0, not of amqp-1.0"):
        message_from_json({"protocol": "mqtt-5.0"}, "amqp-1.0")


@pytest.mark.parametrize("inside", ["list", "described", "map"])
def test_nesting_is_limited(inside: str) -> None:
    form: dict[str, Any] = {"type": "null", "value": None}
    for _ in range(DEEPEST):
        if inside == "described":
            form = {"type": inside, "descriptor": {"type": "null", "value": None}, "value": form}
        else:
            form = {"type": inside, "value": [form] if inside == "list" else [[{"type": "null", "value": None}, form]]}
    with pytest.raises(DecodeError) as caught:
        message_from_json({"body": {"value": form}}, "amqp-1.0")
    assert caught.value.kind == "nesting"


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "value", "of", "k"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_random_json_is_read_or_refused(protocol: str, data: st.DataObject) -> None:
    names = [*PROTOCOLS[protocol].message.__dataclass_fields__, "protocol", "nothing"]
    form = data.draw(st.dictionaries(st.sampled_from(names), JSON, max_size=4) | JSON)
    try:
        message = message_from_json(form, protocol)
    except DecodeError:
        return
    assert repr(message_from_json(message_to_json(message))) == repr(message)

"""Shorthand: plain JSON that is read in the types of the protocol's usual client, and never written."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mqconvert import DecodeError, Entry, TypedValue, json_schema, message_from_json, message_to_json
from mqconvert.clients import from_pika
from mqconvert.converters.protocols.amqp10.message import AmqpValue, Data
from mqconvert.messages import amqp10, mqtt5

NESTED = {
    "tenant": "acme",
    "n": 5,
    "big": 2**40,
    "half": 0.5,
    "yes": True,
    "none": None,
    "all": [1, "a", [None]],
    "in": {"k": 1},
}
TYPED_091 = [
    Entry("tenant", "longstr", b"acme"),
    Entry("n", "signedint", 5),
    Entry("big", "long", 2**40),
    Entry("half", "double", 0.5),
    Entry("yes", "bool", True),
    Entry("none", "void", None),
    Entry(
        "all",
        "array",
        [TypedValue("signedint", 1), TypedValue("longstr", b"a"), TypedValue("array", [TypedValue("void", None)])],
    ),
    Entry("in", "table", [Entry("k", "signedint", 1)]),
]
TYPED_10 = [
    Entry("tenant", "string", "acme"),
    Entry("n", "long", 5),
    Entry("big", "long", 2**40),
    Entry("half", "double", 0.5),
    Entry("yes", "boolean", True),
    Entry("none", "null", None),
    Entry("all", "list", [TypedValue("long", 1), TypedValue("string", "a"), TypedValue("list", [TypedValue("null", None)])]),
    Entry("in", "map", [Entry(TypedValue("string", "k"), "long", 1)]),
]


def read(form: dict[str, Any], protocol: str) -> Any:
    """Return a message whose form the schema accepts, too, and whose written form is read alike."""
    assert Draft202012Validator(json_schema(protocol)).is_valid({"protocol": protocol} | form)
    message = message_from_json(form, protocol)
    assert message_from_json(message_to_json(message)) == message
    return message


def refusal(form: dict[str, Any], protocol: str) -> tuple[str, str | None, str]:
    with pytest.raises(DecodeError) as caught:
        message_from_json(form, protocol)
    return caught.value.kind, caught.value.field, caught.value.message


def test_plain_headers_have_the_types_of_pika() -> None:
    pytest.importorskip("pika")
    from pika import BasicProperties  # noqa: PLC0415 - an extra

    message = read({"basic": {"headers": NESTED}}, "amqp-0.9.1")
    assert message.basic.headers == TYPED_091
    sent = {key: value for key, value in NESTED.items() if key != "half"}  # pika sends no floats
    assert from_pika(BasicProperties(headers=sent), b"").basic.headers == [entry for entry in TYPED_091 if entry.key != "half"]


def test_plain_properties_have_the_types_of_proton() -> None:
    assert read({"application_properties": NESTED}, "amqp-1.0").application_properties == TYPED_10
    assert read({"message_annotations": {"x-opt": 1}}, "amqp-1.0").message_annotations == [Entry("x-opt", "long", 1)]
    ids = read({"properties": {"message_id": "m", "correlation_id": 7}}, "amqp-1.0").properties
    assert ids == amqp10.Properties(message_id=TypedValue("string", "m"), correlation_id=TypedValue("ulong", 7))
    assert read({"body": {"value": {"a": 1}}}, "amqp-1.0").body == AmqpValue(
        TypedValue("map", [Entry(TypedValue("string", "a"), "long", 1)])
    )


def test_user_properties_of_mqtt_are_strings() -> None:
    assert read({"topic_name": "t", "user_properties": {"a": "b"}}, "mqtt-5.0") == mqtt5.Message(
        topic_name="t", user_properties=[("a", "b")]
    )
    assert refusal({"user_properties": {"n": 5}}, "mqtt-5.0") == (
        "bad_value",
        'user_properties["n"]',
        "integer where a string is due",
    )


@pytest.mark.parametrize(
    ("form", "protocol", "message"),
    [
        ({"topic": "t"}, "mqtt-5.0", "no field 'topic' here (did you mean 'topic_name'?)"),
        ({"headers": {"k": 5}}, "amqp-0.9.1", "no field 'headers' here (did you mean 'basic.headers'?)"),
        ({"basic": {"header": {}}}, "amqp-0.9.1", "no field 'header' here (did you mean 'headers'?)"),
        ({"value": 1}, "amqp-0.9.1", "no field 'value' here; known: basic, payload, exchange, routing_key"),
    ],
)
def test_an_unknown_field_is_told_with_the_known_ones(form: dict[str, Any], protocol: str, message: str) -> None:
    assert refusal(form, protocol)[::2] == ("unknown_field", message)


@pytest.mark.parametrize(
    ("form", "raw"),
    [
        ({"text": "hé"}, "hé".encode()),
        ({"json": {"a": [1, None], "é": 0.5}}, '{"a":[1,null],"é":0.5}'.encode()),
        ({"json": 1}, b"1"),
    ],
)
def test_payloads_may_be_text_or_json(form: dict[str, Any], raw: bytes) -> None:
    assert read({"payload": form}, "amqp-0.9.1").payload == raw
    assert read({"topic": "t", "body": form}, "nsq").body == raw
    assert read({"body": form}, "amqp-1.0").body == read({"body": {"data": [form]}}, "amqp-1.0").body == Data([raw])


@pytest.mark.parametrize(
    ("value", "entry"),
    [
        ({"type": "byte", "value": 5}, Entry("k", "byte", 5)),
        ({"type": "longstr", "base64": "/w=="}, Entry("k", "longstr", b"\xff")),
        ({"type": "gold"}, Entry("k", "table", [Entry("type", "longstr", b"gold")])),
        ({"type": "byte"}, Entry("k", "table", [Entry("type", "longstr", b"byte")])),
        (
            {"type": "byte", "value": 5, "more": True},
            Entry(
                "k", "table", [Entry("type", "longstr", b"byte"), Entry("value", "signedint", 5), Entry("more", "bool", True)]
            ),
        ),
        ({"type": 5, "value": 5}, Entry("k", "table", [Entry("type", "signedint", 5), Entry("value", "signedint", 5)])),
        ({}, Entry("k", "table", [])),
    ],
)
def test_only_a_known_type_with_its_members_is_a_typed_value(value: dict[str, Any], entry: Entry) -> None:
    assert read({"basic": {"headers": {"k": value}}}, "amqp-0.9.1").basic.headers == [entry]
    assert read({"basic": {"headers": [["k", value]]}}, "amqp-0.9.1").basic.headers == [entry]


def test_errors_show_the_accepted_form() -> None:
    kind, field, words = refusal({"basic": {"headers": {"n": {"type": "longlong", "value": 5}}}}, "amqp-0.9.1")
    assert (kind, field) == ("unknown_type", 'basic.headers["n"]')
    assert words.startswith("no type 'longlong'; known: bool, byte, ")
    assert refusal({"basic": {"headers": "a"}}, "amqp-0.9.1") == (
        "bad_json", "basic.headers", 'string where {"key": value} or [["key", value]] is due',
    )  # fmt: skip
    assert refusal({"payload": "hi"}, "amqp-0.9.1") == (
        "bad_value", "payload", 'not base64; text is {"text": "..."}, JSON is {"json": ...}',
    )  # fmt: skip
    assert refusal({"properties": {"message_id": True}}, "amqp-1.0") == (
        "bad_json", "properties.message_id",
        'boolean is no value here: expected {"type": "ulong"|"uuid"|"binary"|"string", "value": ...}',
    )  # fmt: skip
    assert refusal({"basic": {"headers": {"n": 2**63}}}, "amqp-0.9.1")[0] == "bad_value"


@pytest.mark.parametrize("wrap", [lambda inner: [inner], lambda inner: {"k": inner}], ids=["array", "object"])
def test_plain_values_nest_up_to_the_limit(wrap: Any) -> None:
    value: Any = 1
    for _ in range(150):
        value = wrap(value)
    assert refusal({"basic": {"headers": {"k": value}}}, "amqp-0.9.1")[0] == "nesting"


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "value", "k", "of"]), inner, max_size=3)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_any_json_is_a_header(value: Any) -> None:
    """But for text that has no UTF-8, and an object of an unknown type with a value."""
    try:
        read({"basic": {"headers": {"k": value}}}, "amqp-0.9.1")
        read({"application_properties": {"k": value}}, "amqp-1.0")
    except DecodeError as error:
        assert error.kind in ("bad_value", "unknown_type"), error  # noqa: PT017 - reading may succeed


@pytest.mark.parametrize(
    ("form", "protocol", "told"),
    [
        ({"user_properties": [["k", 5]]}, "mqtt-5.0", "integer where a string is due"),
        ({"qos": "one"}, "mqtt-5.0", "string where an integer is due, or a string of its digits"),
        (
            {"basic": {"headers": [["k", {"type": "decimal", "value": 5}]]}},
            "amqp-0.9.1",
            'a decimal is {"scale": 2, "value": 150}',
        ),
        ({"properties": 5}, "amqp-1.0", "integer where an object is due"),
    ],
)
def test_an_error_shows_the_form_that_is_accepted(form: dict[str, Any], protocol: str, told: str) -> None:
    assert refusal(form, protocol)[2] == told


@pytest.mark.parametrize(
    ("form", "protocol", "low", "high"),
    [
        ({"application_properties": {"k": -(2**63) - 1}}, "amqp-1.0", -(2**63), 2**63 - 1),
        ({"application_properties": {"k": 2**64}}, "amqp-1.0", 0, 2**64 - 1),
        ({"basic": {"headers": {"k": -(2**63) - 1}}}, "amqp-0.9.1", -(2**63), 2**63 - 1),
    ],
)
def test_a_number_beyond_all_types_is_told_the_bounds_of_its_sign(
    form: dict[str, Any], protocol: str, low: int, high: int
) -> None:
    with pytest.raises(DecodeError) as raised:
        message_from_json(form, protocol)
    assert (raised.value.code, raised.value.message) == ("bad_value", f"not between {low} and {high}")

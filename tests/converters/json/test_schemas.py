"""Schemas describe the JSON form: they are valid, accept all encoder output, and refuse most unreadable JSON."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from mqconvert import PROTOCOLS, DecodeError, NoRouteError, json_schema, message_from_json, message_to_json
from mqconvert.converters.protocols import FOLDERS
from tests.strategies import DEEP, DRAWN

REPOSITORY = Path(__file__).parents[3]

VALIDATORS = {name: Draft202012Validator(json_schema(name)) for name in PROTOCOLS}


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_schemas_are_valid_in_their_dialect(protocol: str) -> None:
    schema = json_schema(protocol)
    Draft202012Validator.check_schema(schema)
    assert schema["properties"]["protocol"] == {"const": protocol}
    references = {part["$ref"] for part in _parts(schema) if "$ref" in part}
    assert references <= {f"#/$defs/{name}" for name in schema["$defs"]}


@pytest.mark.parametrize("protocol", FOLDERS)
def test_compiled_modules_and_sources_have_the_committed_schemas(protocol: str) -> None:
    assert json.loads((REPOSITORY / "openapi" / "schemas" / f"{protocol}.json").read_text()) == json_schema(protocol)


def _parts(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for part in schema for found in _parts(part)]
    if not isinstance(schema, dict):
        return []
    return [schema, *(found for part in schema.values() for found in _parts(part))]


@pytest.mark.proof
@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=DEEP)
@given(data=st.data())
def test_schemas_accept_every_written_form(protocol: str, data: st.DataObject) -> None:
    form = json.loads(json.dumps(message_to_json(data.draw(DRAWN[protocol])), allow_nan=False))
    assert [error.message for error in VALIDATORS[protocol].iter_errors(form)] == []


@pytest.mark.parametrize("of", ["list", "map", "array", "described", "plain list", "plain map"])
def test_nested_values_are_validated_once_each(of: str) -> None:
    """With two alternatives per level, a validator that tries all of them would never finish 30 levels."""
    value: Any = {"type": "uint", "value": 1}
    for _ in range(30):
        value = {
            "list": {"type": "list", "value": [value]},
            "map": {"type": "map", "value": [[value, {"type": "null", "value": None}]]},
            "array": {"type": "array", "of": "list", "value": [[value]]},
            "described": {"type": "described", "descriptor": {"type": "null", "value": None}, "value": value},
            "plain list": [value],
            "plain map": {"type": "gold", "k": value},
        }[of]
    message = {"protocol": "amqp-1.0", "body": {"value": value}}
    assert VALIDATORS["amqp-1.0"].is_valid(message)
    written = message_to_json(message_from_json(message))
    assert VALIDATORS["amqp-1.0"].is_valid(written)
    assert written == message or of.startswith("plain")


BROKEN: dict[str, list[dict[str, Any]]] = {
    "amqp-1.0": [
        {"nothing": 1},
        {"header": []},
        {"header": {"nothing": 1}},
        {"header": {"ttl": -1}},
        {"header": {"ttl": 2**32}},
        {"header": {"ttl": None}},
        {"header": {"durable": 1}},
        {"properties": {"message_id": True}},
        {"properties": {"message_id": {"type": "uint", "value": 1}}},
        {"properties": {"message_id": {"type": "uuid", "value": "no"}}},
        {"properties": {"content_type": "é"}},
        {"properties": {"user_id": "not base64"}},
        {"application_properties": [["k"]]},
        {"application_properties": [["k", {"type": "longstr", "value": "a"}]]},
        {"application_properties": {"k": {"type": "string", "value": 1}}},
        {"application_properties": {"k": {"type": "longlong", "value": 1}}},
        {"application_properties": [["k", {"type": "decimal32", "value": "AA=="}]]},
        {"footer": [["k", {"type": "array", "value": []}]]},
        {"footer": [["k", {"type": "array", "of": "described", "value": []}]]},
        {"footer": [["k", {"type": "array", "of": "uint", "value": ["a"]}]]},
        {"footer": [["k", {"type": "described", "value": {"type": "null", "value": None}}]]},
        {"footer": [["k", {"type": "list", "value": [{"type": "map", "value": [[1]]}]}]]},
        {"body": {}},
        {"body": {"data": ["aGk="], "value": {"type": "null", "value": None}}},
        {"body": {"sequence": [1]}},
        {"body": {"text": 1}},
    ],
    "amqp-0.9.1": [
        {"basic": {"priority": 256}},
        {"basic": {"content_type": "a" * 256}},
        {"basic": {"headers": [["k", {"type": "decimal", "value": {"scale": 1}}]]}},
        {"basic": {"headers": [["k", {"type": "longstr", "value": "a", "base64": "YQ=="}]]}},
        {"basic": {"headers": [["k", {"type": "double", "value": "nan"}]]}},
        {"basic": {"headers": 1}},
        {"payload": 1},
        {"payload": {"text": "a", "json": 1}},
    ],
    "mqtt-5.0": [
        {"topic_name": "a/#"},
        {"topic_name": "t", "qos": 4},
        {"topic_name": "t", "content_type": "a\0"},
        {"topic_name": "t", "user_properties": [["a", 1]]},
        {"topic_name": "t", "user_properties": {"a": 1}},
        {"topic_name": "t", "subscription_identifiers": [2**28]},
    ],
    "mqtt-3.1.1": [{"topic_name": "t", "content_type": "a"}],
}
"""Forms with one fault each, which the reader and the schema both refuse."""


@pytest.mark.parametrize(
    ("protocol", "form"), [(name, form) for name, forms in BROKEN.items() for form in forms], ids=lambda value: str(value)[:60]
)
def test_schemas_refuse_messages_that_the_reader_refuses(protocol: str, form: dict[str, Any]) -> None:
    form = {"protocol": protocol} | form
    with pytest.raises(DecodeError):
        message_from_json(form)
    assert not VALIDATORS[protocol].is_valid(form)


@pytest.mark.proof
@pytest.mark.parametrize("protocol", PROTOCOLS)
@settings(max_examples=DEEP)
@given(data=st.data())
def test_valid_json_is_read_or_refused_for_documented_reasons(protocol: str, data: st.DataObject) -> None:
    form = message_to_json(data.draw(DRAWN[protocol]))
    where = data.draw(st.sampled_from([part for part in _parts(form) if part]))
    where[data.draw(st.sampled_from(sorted(where)))] = data.draw(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5)
    )
    try:
        message_from_json(form)
    except DecodeError as error:
        sayable = error.kind in ("unknown_field", "unknown_protocol", "unknown_type", "wrong_type")
        assert not (sayable and VALIDATORS[protocol].is_valid(form)), (form, error)  # noqa: PT017 - decoding may succeed


def test_unknown_protocols_are_refused() -> None:
    with pytest.raises(NoRouteError) as caught:
        json_schema("stomp")
    assert caught.value.code == "unknown_protocol"

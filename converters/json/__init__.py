"""A message as JSON and back, as the interfaces show it, and the JSON Schema of this form for other programs.

Both follow from the message classes and their wire types. `message_from_json` also checks what a schema cannot express: sizes
in bytes of UTF-8, the depth of nesting, base64 of an exact length.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from mqconvert.converters.errors import DecodeError, did_you_mean, of_protocol
from mqconvert.converters.model.jsonform import BASE64, JsonObject, Schema, object_of, ref, refuse_json
from mqconvert.converters.model.sections import refuse_field, section_from_json, section_schema, section_to_json
from mqconvert.converters.model.wiretypes import WireType, WireTypes
from mqconvert.converters.protocols import PROTOCOLS, full_name, protocol_named, protocol_of

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def message_to_json(message: Message) -> JsonObject:
    """Return the JSON form of a message, ready for `json.dumps(..., allow_nan=False)`.

    Raises EncodeError for an invalid field of a message.

    >>> from mqconvert.messages import amqp10
    >>> message_to_json(amqp10.Message(header=amqp10.Header(durable=True), body=amqp10.Data([b"hi"])))
    {'protocol': 'amqp-1.0', 'header': {'durable': True}, 'body': {'data': ['aGk=']}}
    """
    protocol = protocol_of(message)
    try:
        return {"protocol": protocol.name} | section_to_json(message, protocol.types)
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        with of_protocol(protocol.name):
            protocol.codec_module().encode(message)  # raises a more specific error, if the frame has the field
            refuse_field(message, protocol.types)
        raise


def message_from_json(value: object, protocol: str | None = None) -> Message:
    """Return the message of a JSON form; `protocol` is the default for a form without one.

    DecodeError names kind and field path (`header.ttl`, `application_properties[0][1]`) for JSON of any other form.

    >>> message_from_json({"topic_name": "t", "payload": "aGk="}, "mqtt-5.0").payload
    b'hi'
    """
    if not isinstance(value, dict):
        refuse_json("bad_json", f"expected a message as a JSON object, got {type(value).__name__}", "")
    protocol = protocol and full_name(protocol)
    name = value.get("protocol", protocol)
    if not isinstance(name, str) or name not in PROTOCOLS:
        names = f"one of {', '.join(PROTOCOLS)}"
        problem = (
            f"{names}, not {name!r:.40}{did_you_mean(name[:40], PROTOCOLS)}" if isinstance(name, str) else f"missing: {names}"
        )
        refuse_json("unknown_protocol", problem, "protocol")
    if protocol is not None and name != protocol:
        refuse_json("unknown_protocol", f"a message of {name}, not of {protocol}", "protocol")
    known = PROTOCOLS[name]
    members = {key: member for key, member in value.items() if key != "protocol"}
    try:
        message: Message = section_from_json(known.message, members, known.types)
    except DecodeError as error:
        error.protocol = known.name
        raise
    return message


def json_schema(protocol: str) -> Schema:
    """Return the schema (draft 2020-12) of one message of `protocol` in its JSON form; NoRouteError for an unknown name.

    Requests and commands that name the protocol (`--from`) also accept forms without `protocol`.

    >>> json_schema("amqp-1.0")["properties"]["header"]["properties"]["ttl"]
    {'$ref': '#/$defs/uint'}
    >>> json_schema("amqp-1.0")["$defs"]["ubyte"]["anyOf"][0]
    {'type': 'integer', 'minimum': 0, 'maximum': 255}
    """
    known = protocol_named(protocol)
    message = section_schema(known.message, known.types)
    named = {"protocol": {"const": known.name}} | message["properties"]
    return {
        "$schema": DIALECT,
        "$id": f"urn:mqconvert:schema:{known.name}",
        "title": f"{known.title} message",
        "description": known.description,
        **message,
        "properties": named,
        "required": ["protocol"],
        "$defs": _definitions(known.types),
    }


def _definitions(types: WireTypes) -> Schema:
    """Return a definition for each wire type, and `typed` for a typed value of any of them."""
    made = {name: type_.schema(types) for name, type_ in types.items()}
    typed = {f"typed.{name}": type_.typed_schema() for name, type_ in types.items()}
    return made | {"base64": object_of(base64=BASE64)} | typed | {"typed": _typed(types)}


def _typed(types: WireTypes) -> Schema:
    """Return the schema of a typed value or of the plain JSON that stands for one. A validator looks once into each."""
    kinds = sorted({type_.shorthand[0] for type_ in types.values() if type_.shorthand is not None})
    if not kinds:
        return _any(types)
    plain: Schema = {"type": kinds}
    if "array" in kinds:
        plain["items"] = ref("typed")
    if "object" in kinds:
        plain["additionalProperties"] = ref("typed")
    return {"if": {"type": "object", "anyOf": [*map(_is_typed, types.values()), _UNKNOWN]}, "then": _any(types), "else": plain}


_UNKNOWN: Schema = {"properties": {"type": {"type": "string"}}, "required": ["type", "value"], "maxProperties": 2}
"""An object of `type` and `value` is a typed value, also with an unknown type."""


def _is_typed(type_: WireType) -> Schema:
    """Return the schema of an object that has the members of a typed value: any other one is a table."""
    members = {"enum": ["type", *type_.members]}
    return {"properties": {"type": {"const": type_.name}}, "propertyNames": members, "required": ["type"], "minProperties": 2}


def _any(types: WireTypes) -> Schema:
    """Return the schema of a typed value. Each type is a condition, so that validators look once into each nested value."""
    each = [{"if": {"properties": {"type": {"const": name}}}, "then": ref(f"typed.{name}")} for name in types]
    return {"type": "object", "properties": {"type": {"enum": list(types)}}, "required": ["type"], "allOf": each}

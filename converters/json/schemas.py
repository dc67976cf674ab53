"""The JSON Schema of messages, for other programs.

Like the JSON form, it follows from the message classes and their wire types. The reader also checks what
a schema cannot express: sizes in bytes of UTF-8, the depth of nesting, base64 of an exact length.
"""

from mqconvert.converters.model.jsonform import BASE64, Schema, object_of, one_of, ref
from mqconvert.converters.model.sections import section_schema
from mqconvert.converters.model.values import Array
from mqconvert.converters.model.wiretypes import WireTypes
from mqconvert.converters.protocols import protocol_named

DIALECT = "https://json-schema.org/draft/2020-12/schema"


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
    return made | {"base64": object_of(base64=BASE64)} | typed | {"typed": _any(types)}


def _any(types: WireTypes) -> Schema:
    """Return the schema of a typed value. Arrays are separate, so that validators look only once into each nested map."""
    arrays = [name for name, type_ in types.items() if type_.of_class is Array]
    others = one_of(*(name for name in types if name not in arrays))
    if not arrays:
        return others
    return {"if": {"properties": {"type": {"const": arrays[0]}}}, "then": ref(f"typed.{arrays[0]}"), "else": others}

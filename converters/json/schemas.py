"""The JSON Schema of a protocol's messages: what `message_to_json` writes and `message_from_json` reads, for other programs.

Made from the message classes and their wire types, as the JSON form is; nothing of a protocol stands here. What a schema
cannot say (octets of UTF-8 text counted, the depth of nesting, base64 of an exact length) the reader still checks.
"""

from collections.abc import Mapping
from typing import Any

from mqconvert.converters.model.jsonform import (
    FLOATS,
    INTEGERS,
    LISTS,
    LITERALS,
    NOT_FINITE,
    OCTET_TEXT,
    OCTETS,
    TEXT,
    wire_fields,
)
from mqconvert.converters.model.places import ENTRY_KEYS
from mqconvert.converters.model.values import WireType
from mqconvert.converters.protocols import protocol_named

DIALECT = "https://json-schema.org/draft/2020-12/schema"
Schema = dict[str, Any]

_BASE64: Schema = {
    "type": "string",
    "contentEncoding": "base64",
    "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
}
_DECIMAL_TEXT = {"type": "string", "pattern": "^-?[0-9]{1,20}$"}
_LONG_OCTET_TEXT = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/base64"}]}
_OCTET_TEXT = {"anyOf": [{"type": "string", "maxLength": 255}, {"$ref": "#/$defs/base64"}]}
_LITERAL: dict[str, Schema] = {
    "boolean": {"type": "boolean"},
    "bool": {"type": "boolean"},
    "null": {"type": "null"},
    "void": {"type": "null"},
}
_PATTERNS: dict[str, Schema] = {
    "symbol": {"pattern": "^[\\u0000-\\u007f]*$"},
    "utf8": {"maxLength": 65535, "pattern": "^[^\\u0000]*$"},
    "topic": {"maxLength": 65535, "pattern": "^[^\\u0000+#]+$"},
}


def json_schema(protocol: str) -> Schema:
    """The schema (draft 2020-12) of one message of `protocol` in its JSON form; NoRouteError for an unknown name.

    A place that knows the protocol already (a request that names it, `--from`) takes forms without `protocol` too.

    >>> json_schema("amqp-1.0")["properties"]["header"]["properties"]["ttl"]
    {'$ref': '#/$defs/uint'}
    >>> json_schema("amqp-1.0")["$defs"]["ubyte"]["anyOf"][0]
    {'type': 'integer', 'minimum': 0, 'maximum': 255}
    """
    known = protocol_named(protocol)
    message = _section(known.message)
    named = {"protocol": {"const": known.name}} | message["properties"]
    return {
        "$schema": DIALECT,
        "$id": f"urn:mqconvert:schema:{known.name}",
        "title": f"{known.title} message",
        "description": (known.message.__doc__ or "").strip(),
        **message,
        "properties": named,
        "required": ["protocol"],
        "$defs": _definitions(known.types),
    }


def _section(class_: Any) -> Schema:
    """A message, or a section of one: an object with a member for each field, each of which may be left out."""
    members = {name: _field(types) if of is None else _part(types, of) for name, types, of in wire_fields(class_)}
    return {"type": "object", "properties": members, "additionalProperties": False}


def _part(types: tuple[str, ...], of: Any) -> Schema:
    return _listed(_section(of)) if types == ("records",) else _section(of)


def _field(types: tuple[str, ...]) -> Schema:
    kind = types[0]
    if kind == "utf8-pairs":
        return _listed(_pair(_ref("utf8"), _ref("utf8")))
    if kind == "annotations":
        return _listed(_pair({"anyOf": [_ref("symbol"), _one_of("symbol", "ulong")]}, _ref("typed")))
    if kind in ENTRY_KEYS:
        return _listed(_pair(_ref(ENTRY_KEYS[kind]), _ref("typed")))
    if kind in LISTS:
        return _listed(_ref(LISTS[kind]))
    if kind == "data":
        return _one_member(data=_listed(_ref("binary")), sequence=_listed(_listed(_ref("typed"))), value=_ref("typed"))
    return _ref(kind) if len(types) == 1 else _one_of(*types)


def _one_of(*types: str) -> Schema:
    """A typed value of one of these types."""
    return {"anyOf": [_ref(f"typed.{name}") for name in types]}


def _definitions(types: Mapping[str, WireType]) -> Schema:
    """One definition for each wire type, and `typed`, the typed value of any of them."""
    made = {name: _wire_type(type_, types) for name, type_ in types.items()}
    typed = {f"typed.{name}": _typed(type_) for name, type_ in types.items()}
    return made | {"base64": _object(base64=_BASE64)} | typed | {"typed": _any(types)}


def _wire_type(type_: WireType, types: Mapping[str, WireType]) -> Schema:
    """The plain form of a value, as it stands in `value` or in a field that fixes the type."""
    name = type_.name
    if name in LISTS or name == "records":
        return _listed(_ref(LISTS[name]) if name in LISTS else {"type": "object"})
    if name in OCTET_TEXT:
        return _OCTET_TEXT if type_.fault("a" * 256) and type_.fault(b"a" * 256) else _LONG_OCTET_TEXT
    if name in TEXT:
        return {"type": "string"} | (_PATTERNS.get(name, {}) if type_.fault("\0\x80") else {})
    if name in OCTETS:
        size = None if type_.size is None else -(-type_.size // 3) * 4
        return _BASE64 if size is None else _BASE64 | {"minLength": size, "maxLength": size}
    if name in LITERALS:
        return _LITERAL[name]
    if name in FLOATS:
        return {"anyOf": [{"type": "number"}, {"enum": list(NOT_FINITE)}, _object(bits=_bits(name))]}
    if type_.bounds is not None:
        low, high = type_.bounds
        return {"anyOf": [{"type": "integer", "minimum": low, "maximum": high}, _DECIMAL_TEXT]}
    if name in INTEGERS:
        return {"anyOf": [{"type": "integer"}, _DECIMAL_TEXT]}
    return _array(types) if _holds_elements(type_) else _COMPOUND[name]


def _bits(name: str) -> Schema:
    """The bits of a NaN."""
    exponent = "[7fF][fF][89a-fA-F]" if name == "float" else "[7fF][fF][fF]"
    digits = 5 if name == "float" else 13
    return {"type": "string", "pattern": f"^{exponent}[0-9a-fA-F]{{{digits}}}$"}


def _array(types: Mapping[str, WireType]) -> Schema:
    """An array of one type (AMQP 1.0): its elements have no type each, nor have arrays that are elements."""
    more = {"type": {"const": "array"}, "descriptors": _listed(_ref("typed"))}
    of = [name for name in types if name != "described"]
    return {"anyOf": [_object(more, of={"const": name}, value=_listed(_ref(name))) for name in of]}


def _typed(type_: WireType) -> Schema:
    """A value with its type, whose other members follow from it."""
    name = type_.name
    if name == "described" or _holds_elements(type_):
        return _ref(name) | {"required": ["type"]}
    const = {"const": name}
    plain = _object(type=const, value=_ref(name))
    if name == "longstr":
        return {"anyOf": [_object(type=const, value={"type": "string"}), _object(type=const, base64=_BASE64)]}
    return {"anyOf": [plain, _object(type=const, bits=_bits(name))]} if name in FLOATS else plain


def _any(types: Mapping[str, WireType]) -> Schema:
    """A typed value. Arrays stand apart: validators that try every alternative would look twice into each nested map."""
    others = _one_of(*(name for name in types if not _holds_elements(types[name])))
    if len(others["anyOf"]) == len(types):
        return others
    return {"if": {"properties": {"type": {"const": "array"}}}, "then": _ref("typed.array"), "else": others}


def _holds_elements(type_: WireType) -> bool:
    """Whether this is an array whose elements share one type; AMQP 0.9.1 calls a list array."""
    return type_.name == "array" and type_.fault([]) is not None


def _ref(name: str) -> Schema:
    return {"$ref": f"#/$defs/{name}"}


def _listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _pair(key: Schema, value: Schema) -> Schema:
    return {"type": "array", "prefixItems": [key, value], "minItems": 2, "maxItems": 2}


def _object(optional: Schema | None = None, **members: Schema) -> Schema:
    all_members = members | (optional or {})
    return {"type": "object", "properties": all_members, "required": list(members), "additionalProperties": False}


def _one_member(**members: Schema) -> Schema:
    return _object(members) | {"minProperties": 1, "maxProperties": 1}


_COMPOUND: dict[str, Schema] = {
    "shortstr": _OCTET_TEXT,
    "uuid": {"type": "string", "format": "uuid", "pattern": "^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"},
    "decimal": _object(scale={"type": "integer", "minimum": 0, "maximum": 255}, value={"type": "integer", "minimum": 0}),
    "list": _listed(_ref("typed")),
    "array": _listed(_ref("typed")),
    "map": _listed(_pair(_ref("typed"), _ref("typed"))),
    "table": _listed(_pair(_OCTET_TEXT, _ref("typed"))),
    "described": _object(type={"const": "described"}, descriptor=_ref("typed"), value=_ref("typed")),
}
"""The types whose JSON form is their own: neither text, octets, literals nor numbers."""

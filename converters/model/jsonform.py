"""Plain values in JSON: numbers, bytes, text that may be bytes, and the parts of their JSON Schemas.

The wire types (wiretypes.py, compound.py) and sections.py use them to write, read and describe JSON.
"""

import json
import math
from contextlib import suppress
from typing import Any, NoReturn

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.model.values import float_of_bits, float_of_single, nan_bits, single_of_float

NOT_FINITE = ("NaN", "Infinity", "-Infinity")
_EXACT = 2**53 - 1

JsonObject = dict[str, Any]
"""An object of JSON. Its members are `Any`: JSON from others may have any, and our own go on to `json.dumps`."""
Schema = JsonObject

BASE64: Schema = {
    "type": "string",
    "contentEncoding": "base64",
    "pattern": "^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$",
}
BYTES: Schema = BASE64 | {
    "type": ["string", "object"],
    "properties": {"text": {"type": "string"}, "json": {}},
    "additionalProperties": False,
    "minProperties": 1,
    "maxProperties": 1,
}
"""Bytes in base64, which are always written so, or as `{"text": "hi"}` or `{"json": {...}}`, which are read."""
DECIMAL_TEXT: Schema = {"type": "string", "pattern": "^-?[0-9]{1,20}$"}
BYTE_TEXT: Schema = {"anyOf": [{"type": "string"}, {"$ref": "#/$defs/base64"}]}
SHORT_BYTE_TEXT: Schema = {"anyOf": [{"type": "string", "maxLength": 255}, {"$ref": "#/$defs/base64"}]}


def refuse_json(kind: str, problem: str, field: str, *, names_field: bool = False) -> NoReturn:
    """Raise the DecodeError for invalid JSON at `field`."""
    raise DecodeError(kind, problem, field=field or None, names_field=names_field)


# ---- writing --------------------------------------------------------------------------------------------------------


def bytes_to_json(raw: bytes) -> str:
    """Return bytes as base64 (RFC 4648 section 4, with padding); TypeError for another buffer, as in compiled code."""
    if type(raw) is not bytes:
        raise TypeError("not bytes")
    return to_base64(raw)


def number_to_json(value: int) -> int | str:
    """Return an integer, as decimal text if a double would change it."""
    return value if -_EXACT <= value <= _EXACT else str(value)


def float_to_json(value: float, type_: str = "double") -> float | str | dict[str, str]:
    """Return a float as JSON: NOT_FINITE has the texts for infinities and the default NaN; another NaN is its bits.

    >>> float_to_json(1.5), float_to_json(float("nan")), float_to_json(-float("nan"), "float")
    (1.5, 'NaN', {'bits': 'ffc00000'})
    """
    if math.isfinite(value):
        return value
    if math.isnan(value):
        bits = nan_bits(type_, value)
        return "NaN" if bits is None else {"bits": bits}
    return "Infinity" if value > 0 else "-Infinity"


def byte_text_to_json(value: str) -> str | dict[str, str]:
    """Return text with surrogate escapes (PEP 383) as JSON: unchanged if it is UTF-8, else base64."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"base64": bytes_to_json(value.encode("utf-8", "surrogateescape"))}
    return value


# ---- reading: a DecodeError names the place `at` ----------------------------------------------------------


def array_from_json(value: object, at: str) -> list[Any]:
    """Return a JSON array; `bad_json` otherwise."""
    if not isinstance(value, list):
        refuse_json("bad_json", f"{json_kind(value)} where an array is due", at)
    return value


def json_kind(value: object) -> str:
    """Return the kind of a value of JSON, in the words of JSON Schema.

    >>> [json_kind(value) for value in (None, True, 5, 1.5, "a", [], {})]
    ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']
    """
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, int):
        return "integer"
    if isinstance(value, float):
        return "number"
    if isinstance(value, str):
        return "string"
    return "array" if isinstance(value, list) else "object"


def bytes_from_json(value: Any, at: str) -> bytes:
    """Return bytes from base64, from `{"text": ...}` in UTF-8 or from `{"json": ...}` without blanks; `bad_value` otherwise.

    >>> bytes_from_json({"json": {"celsius": 71.5}}, "payload")
    b'{"celsius":71.5}'
    """
    if isinstance(value, dict) and len(value) == 1:
        if "text" in value:
            return text_from_json(value["text"], at).encode()
        if "json" in value:
            return _json_bytes(value["json"], at)
    try:
        return from_base64(value)
    except (AttributeError, ValueError):
        refuse_json("bad_value", 'not base64; text is {"text": "..."}, JSON is {"json": ...}', at)


def _json_bytes(value: object, at: str) -> bytes:
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()
    except (TypeError, ValueError) as error:  # a lone surrogate, NaN, or an object of Python
        refuse_json("bad_value", f"not JSON in UTF-8: {error}", at)
    except RecursionError:
        refuse_json("nesting", "JSON nests too deep", at)


def text_from_json(value: object, at: str) -> str:
    """Return text that UTF-8 can write; `bad_json` for any other type, `bad_value` for a lone surrogate."""
    if not isinstance(value, str):
        refuse_json("bad_json", f"{json_kind(value)} where a string is due", at)
    if any(0xD800 <= ord(character) <= 0xDFFF for character in value):
        refuse_json("bad_value", "not valid UTF-8", at)
    return value


def byte_text_from_json(value: object, at: str) -> bytes:
    """Return bytes from text, or from {"base64": ...} for bytes that are not text."""
    if isinstance(value, dict) and set(value) == {"base64"}:
        return bytes_from_json(value["base64"], at)
    return text_from_json(value, at).encode()


def integer_from_json(value: object, at: str) -> int:
    """Return an integer from a number or decimal text of up to 20 characters; `bad_json` otherwise."""
    if isinstance(value, str) and len(value) <= 20 and value.lstrip("-").isascii() and value.lstrip("-").isdigit():
        with suppress(ValueError):  # such as "1-", or "--1"
            return int(value)
    if type(value) is not int:
        refuse_json("bad_json", f"{json_kind(value)} where an integer is due, or a string of its digits", at)
    return value


def float_from_json(value: object, type_: str, at: str) -> float:
    """Return a float from its JSON form; `bad_value` for a number beyond its type, `bad_json` for any other type.

    A `float` is rounded to the 32 bits that bytes hold, so that reports show the value that arrives.

    >>> float_from_json(0.1, "float", "body"), float_from_json(0.1, "double", "body")
    (0.10000000149011612, 0.1)
    """
    if isinstance(value, dict) and set(value) == {"bits"}:
        bits = value["bits"]
        nan = float_of_bits(type_, bits) if isinstance(bits, str) else None
        if nan is None:
            refuse_json("bad_value", f"not the bits of a NaN in {8 if type_ == 'float' else 16} hex digits", at)
        return nan
    if isinstance(value, str) and value in NOT_FINITE:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        refuse_json("bad_json", f"{json_kind(value)} where a number is due", at)
    try:
        number = float(value)
        if math.isfinite(number):  # `json` accepts 1e999 and NaN, which JSON forbids
            return float_of_single(single_of_float(number)) if type_ == "float" else number
    except OverflowError:
        pass
    refuse_json("bad_value", f"beyond a {type_}; infinities and NaN are text: {', '.join(NOT_FINITE)}", at)


# ---- parts of schemas -----------------------------------------------------------------------------------------------


def ref(name: str) -> Schema:
    """Return the reference to the definition of a name."""
    return {"$ref": f"#/$defs/{name}"}


def one_of(*types: str) -> Schema:
    """Return the schema of a typed value of one of these types."""
    return {"anyOf": [ref(f"typed.{name}") for name in types]}


def listed(items: Schema) -> Schema:
    """Return the schema of an array."""
    return {"type": "array", "items": items}


def keyed(values: Schema) -> Schema:
    """Return what `listed` needs to describe an object of the same entries, too."""
    return {"type": ["array", "object"], "additionalProperties": values}


def pair(key: Schema, value: Schema) -> Schema:
    """Return the schema of an array with a key and a value."""
    return {"type": "array", "prefixItems": [key, value], "minItems": 2, "maxItems": 2}


def object_of(optional: Schema | None = None, **members: Schema) -> Schema:
    """Return the schema of an object with exactly these members."""
    all_members = members | (optional or {})
    return {"type": "object", "properties": all_members, "required": list(members), "additionalProperties": False}


def one_member(**members: Schema) -> Schema:
    """Return the schema of an object with exactly one of these members."""
    return object_of(members) | {"minProperties": 1, "maxProperties": 1}

"""Helpers of words: the text of a value of any AMQP type, and the value of such a text.

Every value has one text (decisions.md 2.1), so that reading restores it.
"""

import re
from typing import Any

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.bodies import AmqpValue
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND, AMQP10_TYPES
from mqconvert.converters.words import Loss
from mqconvert.converters.words.transforms import uuid_to_urn

INTEGERS = frozenset({"ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "long", "timestamp"})
READABLE = INTEGERS | {"boolean", "binary", "uuid", "float", "double"}
"""The types whose text forms belong to no other type."""
DECIMAL = re.compile(r"-?(?:0|[1-9][0-9]{0,19})\Z")


def bytes_of_base64(text: str) -> bytes | None:
    """Return the bytes of canonical base64 text."""
    from base64 import b64decode, b64encode  # noqa: PLC0415 - keeps `import mqconvert` light

    try:
        raw = b64decode(text, validate=True)
    except ValueError:
        return None
    return raw if b64encode(raw).decode() == text else None


def text_form(value: Any, type_: str, uuid: str = "plain") -> str | Loss:
    """Return the text of a value of any type; `uuid="urn"` for ids.

    >>> text_form(True, "boolean"), text_form(-1, "int"), text_form(0.1, "double"), text_form(b"a", "binary")
    ('true', '-1', '0.1', 'YQ==')
    """
    if type_ in ("string", "symbol"):
        return str(value)
    if type_ in INTEGERS:
        return str(value)
    if type_ == "boolean":
        return "true" if value else "false"
    if type_ == "null":
        return ""
    if type_ == "binary":
        return base64_of(value)
    if type_ == "uuid":
        text = uuid_to_urn(value)
        return text if uuid == "urn" else text[9:]
    if type_ == "char":
        return Loss("a char that is no code point") if 0xD800 <= value <= 0xDFFF else chr(value)
    if type_ in ("float", "double"):
        return _float_text(value, type_)
    if type_ in ("decimal32", "decimal64", "decimal128"):
        return str(value.hex())
    return _encoded_text(value, type_)


def base64_of(raw: bytes) -> str:
    from base64 import b64encode  # noqa: PLC0415 - keeps `import mqconvert` light

    return b64encode(raw).decode()


def _float_text(value: float, type_: str) -> str | Loss:
    """Return the shortest decimal that restores the float. Every NaN has the same text: its sign and payload are lost."""
    from struct import pack, unpack  # noqa: PLC0415 - keeps `import mqconvert` light

    if value != value:  # noqa: PLR0124 - NaN differs from itself
        plain = pack(">d", value) == pack(">d", float("nan"))
        return "nan" if plain else Loss("the sign and payload of a NaN")
    if type_ == "double" or value in (float("inf"), float("-inf")):
        return repr(value)
    for digits in range(6, 10):
        number = float(f"{value:.{digits}g}")
        if abs(number) <= _LARGEST_FLOAT and unpack(">f", pack(">f", number))[0] == value:
            return repr(number)
    return repr(value)


_LARGEST_FLOAT = 3.4028235677973366e38
"""Smaller numbers round to a finite float of 32 bits."""


def _encoded_text(value: Any, type_: str) -> str | Loss:
    """Return base64 of the AMQP encoding of the value, without the section's own three bytes."""
    from mqconvert.converters.protocols.amqp10.codec import encode_body_sections  # noqa: PLC0415 - rows that need it are rare

    return base64_of(encode_body_sections(Message(body=AmqpValue(TypedValue(type_, value))))[3:])


def read_text(text: str, name: str, uuid: str = "plain") -> TypedValue | None:
    """Return the value of a text form and the name of its type; None for other text.

    >>> read_text("-1", "int"), read_text("abc", "int")
    (TypedValue(type='int', value=-1), None)
    """
    try:
        typed = _read_text(text, name, uuid)
    except (ValueError, OverflowError, DecodeError):
        return None
    if typed is None or AMQP10_TYPES[typed.type].fault(typed.value) is not None:
        return None
    return typed


def _read_text(text: str, name: str, uuid: str) -> TypedValue | None:
    if name == "null":
        return TypedValue("null", None) if not text else None
    if name in ("string", "symbol"):
        return TypedValue(name, text)
    if name == "boolean":
        return TypedValue("boolean", text == "true") if text in ("true", "false") else None
    if name in INTEGERS:
        return TypedValue(name, int(text)) if DECIMAL.match(text) else None
    if name == "binary":
        raw = bytes_of_base64(text)
        return None if raw is None else TypedValue("binary", raw)
    if name == "char":
        return TypedValue("char", ord(text)) if len(text) == 1 else None
    if name == "uuid":
        made = bytes.fromhex(text[9:].replace("-", "") if uuid == "urn" else text.replace("-", ""))
    elif name in ("decimal32", "decimal64", "decimal128"):
        made = bytes.fromhex(text)
    elif name in ("float", "double"):
        number = _single(float(text)) if name == "float" else float(text)
        return TypedValue(name, number) if _float_text(number, name) == text else None
    elif name == "amqp":
        return _read_encoded(text)
    else:
        return None
    return TypedValue(name, made) if text_form(made, name, uuid) == text else None


def _single(number: float) -> float:
    """Return the nearest float of 32 bits."""
    from struct import pack, unpack  # noqa: PLC0415 - keeps `import mqconvert` light

    return float(unpack(">f", pack(">f", number))[0])


def _read_encoded(text: str) -> TypedValue | None:
    from mqconvert.converters.protocols.amqp10.codec import decode  # noqa: PLC0415 - rows that need it are rare

    raw = bytes_of_base64(text)
    if raw is None:
        return None
    body = decode(b"\x00\x53\x77" + raw).body
    return body.value if isinstance(body, AmqpValue) and body.value.type in AMQP10_COMPOUND else None


def type_name(type_: str) -> str:
    """Return the name of a type beside a text form."""
    return "amqp" if type_ in AMQP10_COMPOUND else type_

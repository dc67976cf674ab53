"""The text of a value of any AMQP type, and the value of a text: words, and helpers of others."""

from collections.abc import Callable
from typing import Any

from mqconvert.converters.errors import DecodeError, with_article
from mqconvert.converters.model.base64text import from_base64, to_base64
from mqconvert.converters.model.bodies import AmqpValue
from mqconvert.converters.model.primitives import uuid_text
from mqconvert.converters.model.values import TypedValue, float_of_single, shortest_of_single, single_of_float
from mqconvert.converters.protocols.amqp10 import PROTOCOL
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.types import AMQP10_COMPOUND, AMQP10_TYPES
from mqconvert.converters.words import Loss, transform

INTEGERS = frozenset({"ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "long", "timestamp"})
READABLE = INTEGERS | {"boolean", "binary", "uuid", "float", "double"}
"""The types whose text forms belong to no other type."""
_DECIMALS = ("decimal32", "decimal64", "decimal128")


transform("to-base64", gives="str")(to_base64)


def bytes_of_base64(text: str) -> bytes | None:
    """Return the bytes of canonical base64 text."""
    try:
        raw = from_base64(text)
    except ValueError:
        return None
    return raw if to_base64(raw) == text else None


def _encoded_text(value: object, type_: str) -> str:
    """Return base64 of the AMQP encoding of the value, without the section's own three bytes."""
    return to_base64(PROTOCOL.codec_module().encode(Message(body=AmqpValue(TypedValue(type_, value))))[3:])


def _decoded(text: str) -> TypedValue | None:
    raw = bytes_of_base64(text)
    body = None if raw is None else PROTOCOL.codec_module().decode(b"\x00\x53\x77" + raw).body
    return body.value if isinstance(body, AmqpValue) and body.value.type in AMQP10_COMPOUND else None


_FORMS: dict[str, tuple[Callable[[Any], str | Loss], Callable[[str], object]]] = {
    **dict.fromkeys(("string", "symbol"), (str, str)),
    **dict.fromkeys(INTEGERS, (str, int)),
    **dict.fromkeys(_DECIMALS, (bytes.hex, bytes.fromhex)),
    "boolean": (lambda value: "true" if value else "false", {"true": True, "false": False}.get),
    "null": (lambda _: "", lambda _: None),
    "binary": (to_base64, bytes_of_base64),
    "uuid": (uuid_text, lambda text: bytes.fromhex(text.replace("-", ""))),
    "char": (
        lambda value: Loss("a char that is not a code point") if 0xD800 <= value <= 0xDFFF else chr(value),
        lambda text: ord(text) if len(text) == 1 else None,
    ),
    "float": (lambda each: repr(shortest_of_single(each)), lambda text: float_of_single(single_of_float(float(text)))),
    "double": (repr, float),
}
"""The writer of each type's text, and the reader, which returns None or raises ValueError for others, or reads more texts.

Types without them have the text of their encoding, which is read under the name `amqp`.
"""


@transform("text-form", gives="str", loses=True)
def text_form(value: object, type_: str) -> str | Loss:
    """Return the text of a value of any type of AMQP 1.0.

    >>> text_form(True, "boolean"), text_form(0.1, "double"), text_form(b"a", "binary"), text_form(0xD800, "char")
    ('true', '0.1', 'YQ==', Loss(reason='a char that is not a code point'))
    """
    form = _FORMS.get(type_)
    return _encoded_text(value, type_) if form is None else form[0](value)


@transform("plain-text", gives="str", loses=True)
def plain_text(value: object, type_: str) -> str | Loss:
    """Return the text of a value of a simple type; lists, maps, arrays and described values have none.

    >>> from mqconvert import Array
    >>> plain_text(True, "boolean"), plain_text(Array("int", []), "array")
    ('true', Loss(reason='an array has no text'))
    """
    return Loss(f"{with_article(type_)} has no text") if type_ in AMQP10_COMPOUND else text_form(value, type_)


@transform("id-text", gives="str", loses=True)
def id_text(value: Any, type_: str) -> str | Loss:
    """Return the text of an id; a uuid becomes a URN.

    >>> id_text(bytes(16), "uuid")
    'urn:uuid:00000000-0000-0000-0000-000000000000'
    """
    return f"urn:uuid:{uuid_text(value)}" if type_ == "uuid" else text_form(value, type_)


@transform("id-octets", gives="bytes")
def id_octets(value: Any, type_: str) -> bytes:
    """Return an id as bytes: a binary as it is, any other as its text.

    >>> id_octets(b"\\xff", "binary"), id_octets(5, "ulong")
    (b'\\xff', b'5')
    """
    if type_ == "string":  # the usual type
        return str(value).encode()
    return value if type_ == "binary" else str(id_text(value, type_)).encode()


def read_text(text: str, name: str) -> TypedValue | None:
    """Return the value of a text form and the name of its type; None for other text.

    >>> read_text("-1", "int"), read_text("abc", "int")
    (TypedValue(type='int', value=-1), None)
    """
    if name == "null":
        return None if text else TypedValue("null", None)
    if name not in _FORMS and name != "amqp":
        return None
    try:
        made = _decoded(text) if name == "amqp" else _FORMS[name][1](text)
    except (ValueError, OverflowError, DecodeError):
        return None
    if made is None or (name != "amqp" and text_form(made, name) != text):
        return None
    typed = made if isinstance(made, TypedValue) else TypedValue(name, made)
    return typed if AMQP10_TYPES[typed.type].fault(typed.value) is None else None


def read_id(text: str, name: str) -> TypedValue | None:
    """Return the id of a text of `id_text` and the name of its type; None where the text has another form."""
    if name != "uuid":
        return read_text(text, name)
    return read_text(text[9:], "uuid") if text.startswith("urn:uuid:") else None

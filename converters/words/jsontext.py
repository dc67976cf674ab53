"""The word that makes JSON of any value, for targets that hold only text and bytes."""

import json
from math import isfinite
from typing import Any, Final

from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.plain import text_of, unicode_fault
from mqconvert.converters.model.primitives import uuid_text
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry, TypedValue
from mqconvert.converters.words import Partial, transform
from mqconvert.converters.words.transforms import decimal_text

_TEXTUAL: Final = ("binary", "longstr")
"""The types of bytes that are usually text."""
_MAPS: Final = ("map", "table")
_NO_TEXT: Final = "bytes that are no text, here as base64"
_DESCRIPTOR: Final = "a descriptor"
_AGAIN: Final = "a value whose key comes again"
_BORDERS: Final = "the borders of its sections"


@transform("to-json", gives="str", loses=True)
def to_json(value: Any, type_: str) -> str | Partial:
    """Return a value of any type, or a typed body, as JSON without the names of types (RFC 8259).

    >>> to_json([Entry("queue", "longstr", b"orders"), Entry("count", "long", 2)], "table")
    '{"queue":"orders","count":2}'
    >>> to_json([TypedValue("longstr", b"\\xff")], "array")
    Partial(value='["/w=="]', reason='bytes that are no text, here as base64')
    """
    losses: list[str] = []
    made = json.dumps(_json_form(value, type_, losses), ensure_ascii=False, separators=(",", ":"))
    return Partial(made, "; ".join(dict.fromkeys(losses))) if losses else made


def _json_form(value: Any, type_: str, losses: list[str]) -> object:
    """Return what `json.dumps` takes, and append what JSON has no form for."""
    if isinstance(value, AmqpValue):
        return _json_form(value.value.value, value.value.type, losses)
    if isinstance(value, (Data, AmqpSequence)):
        return _json_of_sections(value, losses)
    if isinstance(value, Array):
        losses.extend([_DESCRIPTOR] if value.descriptors else ())
        return [_json_form(each, value.of, losses) for each in value.values]
    if isinstance(value, list):
        return _object(value, losses) if type_ in _MAPS else [_json_form(each.value, each.type, losses) for each in value]
    if isinstance(value, Described):
        losses.append(_DESCRIPTOR)
        return _json_form(value.value.value, value.value.type, losses)
    if isinstance(value, float) and not isfinite(value):
        losses.append("a number that is not finite, here as null")
        return None
    if isinstance(value, Decimal091):
        return decimal_text(value)
    if type_ == "char":
        return _json_text(chr(value), type_, losses)
    return _json_text(value, type_, losses) if isinstance(value, (bytes, str)) else value


def _json_of_sections(body: Data | AmqpSequence, losses: list[str]) -> object:
    """Return the bytes of all data sections as text, the elements of all sequences in one array."""
    losses.extend([_BORDERS] if len(body.sections) > 1 else ())
    if isinstance(body, Data):
        return _json_text(b"".join(body.sections), "binary", losses)
    return [_json_form(each.value, each.type, losses) for section in body.sections for each in section]


def _object(entries: list[Entry], losses: list[str]) -> dict[str, object]:
    made: dict[str, object] = {}
    for each in entries:
        key = each.key
        shown = _json_form(key.value, key.type, losses) if isinstance(key, TypedValue) else _json_form(key, "", losses)
        name = shown if isinstance(shown, str) else json.dumps(shown)
        losses.extend([_AGAIN] if name in made else ())
        made[name] = _json_form(each.value, each.type, losses)
    return made


def _json_text(value: bytes | str, type_: str, losses: list[str]) -> str:
    """Return text, or bytes as text."""
    if isinstance(value, bytes):
        if type_ == "uuid" and len(value) == 16:
            return uuid_text(value)
        text = text_of(value) if type_ in _TEXTUAL else None
        losses.extend([_NO_TEXT] if text is None else ())
        return to_base64(value) if text is None else text
    if unicode_fault(value) is not None:
        losses.append(_NO_TEXT)
        return to_base64(value.encode("utf-8", "surrogateescape"))
    return value

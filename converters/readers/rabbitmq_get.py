"""Messages as RabbitMQ's management API and `rabbitmqadmin get` print them: an array of JSON objects, or one a line.

JSON has fewer types than headers of AMQP 0.9.1: they are read as the types that pika would send.
"""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from mqconvert.converters.errors import DecodeError, MqConvertError
from mqconvert.converters.model.base64text import from_base64
from mqconvert.converters.model.jsonobject import STRICT
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import codec
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.readers import Broken, Entries, Format, Record

_FIELDS: Final = BasicProperties.__match_args__
_LENIENT: Final = json.JSONDecoder()
_NOT_UTF8: Final = re.compile("[\udc80-\udcff]")
"""Bytes that are not UTF-8, as `surrogateescape` keeps them."""
_SPACE: Final = re.compile(r"[\s,\[\]\ufeff]*")
"""What may stand between objects, and the byte order mark before them."""


def read(path: Path) -> Entries:
    """Yield the messages of one file. An object that is no message is a Broken entry, and the next one follows."""
    text = path.read_bytes().decode("utf-8", "surrogateescape")
    before = offset = 0
    for at, found in _objects(text):
        offset += len(text[before:at].encode("utf-8", "surrogateescape"))
        before = at
        try:
            if isinstance(found, DecodeError):
                raise found
            wire = _written(found)
        except MqConvertError as error:
            yield Broken(str(path), offset, DecodeError(error.code, str(error), offset=offset))
            continue
        yield Record(str(path), offset, "amqp-0.9.1", wire)


def _objects(text: str) -> Iterator[tuple[int, Any]]:
    """Yield each value at the top or in an array with its place, and the fault of text that is not JSON.

    Behind such text, each line that begins with an object is read for itself: so JSON lines go on.
    """
    at, depth = _behind_space(text, 0, 0)
    while at < len(text):
        found, end = _decoded(text, at)
        yield at, found
        if end is None:
            break
        at, depth = _behind_space(text, end, depth)
    else:
        if depth > 0:
            yield at, DecodeError("bad_json", "not JSON: the array does not end, so messages may be missing")
        return
    while at := text.find("\n{", at) + 1:  # no string of JSON has this in it
        line_end = text.find("\n", at)
        yield at, _decoded(text[at : line_end if line_end >= 0 else len(text)], 0)[0]


def _decoded(text: str, at: int) -> tuple[Any, int | None]:
    """Return the value at a place of a text, and the place behind it; the fault and None if there is none."""
    try:
        found, end = STRICT.raw_decode(text, at)
    except (ValueError, RecursionError) as error:
        return DecodeError("bad_json", f"not JSON: {error}"), _end(text, at)
    return DecodeError("bad_json", "not UTF-8") if _NOT_UTF8.search(text, at, end) else found, end


def _end(text: str, at: int) -> int | None:
    """Return the place behind a value that is wrong for a key twice or a number such as NaN; None for other text."""
    with suppress(ValueError, RecursionError):
        return _LENIENT.raw_decode(text, at)[1]
    return None


def _behind_space(text: str, at: int, depth: int) -> tuple[int, int]:
    """Return the place behind what may stand between objects, and the number of arrays around it; `depth` is that at `at`."""
    found = _SPACE.match(text, at)
    between = "" if found is None else found[0]
    return at + len(between), depth + between.count("[") - between.count("]")


def _written(found: Any) -> bytes:
    """Return the wire bytes of one object's message; DecodeError or EncodeError if it is none."""
    try:
        return codec.encode(_message(found))
    except RecursionError:
        raise DecodeError("nesting", "headers nest too deep", field="properties.headers") from None


def _message(given: Any) -> Message:
    """Return the message of one object. DecodeError names the member at fault."""
    if not isinstance(given, dict) or not isinstance(given.get("payload"), str):
        raise DecodeError("bad_json", "expected an object with a payload, as the management API gives")
    encoding = given.get("payload_encoding", "string")
    if encoding not in ("string", "base64"):
        raise DecodeError("bad_value", f"unknown encoding {encoding!r:.40}", field="payload_encoding")
    try:
        payload = from_base64(given["payload"]) if encoding == "base64" else given["payload"].encode()
    except ValueError:
        raise DecodeError("bad_value", f"no {encoding}", field="payload") from None
    _check_size(given.get("payload_bytes", len(payload)), len(payload))
    basic = BasicProperties()
    properties = given.get("properties") or {}  # RabbitMQ writes [] for none
    for name, value in properties.items() if isinstance(properties, dict) else ():
        if name not in _FIELDS:
            raise DecodeError("unknown_field", f"no property {name!r:.40}", field=f"properties.{name}")
        setattr(basic, name, _table(value) if name == "headers" else value)
    return Message(basic, payload, given.get("exchange"), given.get("routing_key"))


def _check_size(given: Any, size: int) -> None:
    """Raise DecodeError for a payload of another size than the API gives: that of the whole one, also where it cuts."""
    if isinstance(given, int) and given > size:
        words = f"{size} of {given} bytes: the API's `truncate` cut the payload; get the message again without it"
        raise DecodeError("truncated", words, field="payload", names_field=True)
    if given != size:
        words = f"{size} bytes, and payload_bytes says {given!r:.40}"
        raise DecodeError("bad_length", words, field="payload", names_field=True)


def _table(value: Any) -> list[Entry]:
    if not isinstance(value, dict):
        raise DecodeError("bad_value", "headers are an object", field="properties.headers")
    typed = ((key, _typed(member)) for key, member in value.items())
    return [Entry(key, one.type, one.value) for key, one in typed]


def _typed(value: Any) -> TypedValue:
    """Return a header's value in the type that pika sends for it."""
    match value:
        case None:
            return TypedValue("void", None)
        case bool():
            return TypedValue("bool", value)
        case int():
            return TypedValue("signedint" if -(2**31) <= value < 2**31 else "long", value)
        case float():
            return TypedValue("double", value)
        case str():
            return TypedValue("longstr", value.encode("utf-8", "surrogatepass"))
        case list():
            return TypedValue("array", [_typed(member) for member in value])
    return TypedValue("table", _table(value))


def looks_like(text: bytes) -> str | None:
    """Return what JSON looks like whose object, alone or first in an array, has the members of a message; None for other bytes.

    >>> looks_like(b'[{"payload": "a", "payload_encoding": "string"}]'), looks_like(b'{"payload": "a"}')
    ("the JSON of RabbitMQ's management API", None)
    """
    try:
        given = json.loads(text)
    except (ValueError, RecursionError):
        return None
    first = given[0] if isinstance(given, list) and given else given
    known = isinstance(first, dict) and {"payload", "payload_encoding"} <= first.keys()
    return "the JSON of RabbitMQ's management API" if known else None


FORMAT = Format(
    "rabbitmq-get",
    ("amqp-0.9.1",),
    ("*.json", "*.jsonl"),
    read,
    ("rabbitmq-get: JSON does not keep the types of headers; numbers are read as pika would send them",),
    looks_like,
)

"""pika's BasicProperties and body, to and from AMQP 0.9.1 messages.

pika knows fewer types of header values than AMQP 0.9.1. On reading, pika hides the sender's integer type and truncates floats:
an `int` becomes the signedint or long that pika would send for it. On writing, a number keeps its value if pika has a type for
it, and the loss of its own type is reported.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any, NamedTuple

from mqconvert.converters.clients import Losses, UnsentError, bad_value, require, valid, wrong_message
from mqconvert.converters.engine.report import LossPolicy, Lost, OnLoss
from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import MAX_DEPTH, Decimal091, Entry, Table, TypedValue
from mqconvert.converters.protocols import Message as AnyMessage
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES

require("pika", "pika", (1, 3))

import pika  # noqa: E402 - after the check of its version
from pika.compat import long  # noqa: E402

_NAMES = names(BasicProperties)
_TEXTS = [name for name in _NAMES if name not in {"headers", "delivery_mode", "priority", "timestamp"}]
_NUMBERS = {"delivery_mode": "octet", "priority": "octet", "timestamp": "timestamp"}


class ToPika(NamedTuple):
    """The result of `to_pika`: `channel.basic_publish(exchange, routing_key, made.body, made.properties)`."""

    properties: pika.BasicProperties
    body: bytes
    lost: tuple[Lost, ...]


def from_pika(properties: pika.BasicProperties | None, body: bytes | str, method: object = None) -> Message:
    """Return the message of a consumer's callback, or the message that `basic_publish` would send.

    `method` is the Basic.Deliver, GetOk, Return or Publish with exchange and routing key. None
    means empty properties, as in `basic_publish`. Raises EncodeError for a value that AMQP 0.9.1 cannot carry; its text names
    field and value.

    >>> message = from_pika(pika.BasicProperties(priority=5, headers={"n": 1, "s": "text"}), b"body")
    >>> message.basic.priority, message.basic.headers
    (5, [Entry(key='n', type='signedint', value=1), Entry(key='s', type='longstr', value=b'text')])
    """
    if properties is None:
        properties = pika.BasicProperties()
    elif not isinstance(properties, pika.BasicProperties):
        raise bad_value("basic", properties, "not pika's BasicProperties")
    basic = BasicProperties()
    _copy(properties, basic, _shortstr)
    if properties.headers is not None:
        basic.headers = _table(properties.headers, "basic.headers", 1)
    if isinstance(body, str):
        body = _bytes(body, "payload")
    elif body.__class__ is not bytes:
        raise bad_value("payload", body, "neither bytes nor text")
    if method is None:
        return Message(basic, body)
    if not (hasattr(method, "exchange") and hasattr(method, "routing_key")):
        raise bad_value("method", method, "neither pika's Basic.Deliver, GetOk, Return nor Publish")
    exchange, routing_key = _shortstr(method.exchange, "exchange"), _shortstr(method.routing_key, "routing_key")
    return Message(basic, body, exchange, routing_key)


def to_pika(message: AnyMessage, *, on_loss: OnLoss | LossPolicy = LossPolicy.REPORT) -> ToPika:
    """Return properties and body for `basic_publish`, and the losses.

    Losses: the types byte, unsignedbyte, short, unsignedshort, unsignedint and longstr that is not UTF-8 (the value is
    sent as signedint, long or binary); whole values of type float and double; timestamps after the year 9999; the second of
    equal keys. Raises EncodeError for a message that AMQP 0.9.1 cannot carry, LossError when `on_loss`
    is "fail".

    >>> headers = [Entry("f", "float", 1.5), Entry("t", "bool", True)]
    >>> made = to_pika(Message(BasicProperties(headers=headers), b"body"))
    >>> made.properties.headers, made.lost[0].field, made.lost[0].reason
    ({'t': True}, 'basic.headers["f"]', 'pika has no such type')
    """
    if not isinstance(message, Message):
        raise wrong_message(message, "amqp-0.9.1")
    losses = Losses()
    basic = message.basic
    properties = pika.BasicProperties()
    _copy(basic, properties, _pika_shortstr)
    if basic.headers is not None:
        properties.headers = _dict(basic.headers, "basic.headers", losses, 1)
    if message.payload.__class__ is not bytes:
        raise bad_value("payload", message.payload, "not bytes")
    return ToPika(properties, message.payload, losses.settled(on_loss))


def _copy(given: object, made: object, text: Callable[[object, str], object]) -> None:
    """Copy all properties but the headers to fields of the same name; `text` makes short strings."""
    for name in _TEXTS:
        value = getattr(given, name)
        if value is not None:
            setattr(made, name, text(value, f"basic.{name}"))
    for name, type_ in _NUMBERS.items():
        value = getattr(given, name)
        if value is not None:
            setattr(made, name, valid(value, f"basic.{name}", AMQP091_TYPES[type_].fault))


# ---- pika to message ---------------------------------------------------------------------------------------------------


def _shortstr(value: object, field: str) -> str:
    """Return a short string of at most 255 bytes; pika leaves bytes that are not UTF-8 unchanged."""
    if isinstance(value, bytes):
        raw = value
        text = value.decode(errors="surrogateescape")
    elif isinstance(value, str):
        raw = _bytes(value, field)
        text = raw.decode()  # of a text that is an enum's member, str() would give its name
    else:
        raise bad_value(field, value, "not text")
    if len(raw) > 255:
        raise bad_value(field, value, "longer than 255 bytes")
    return text


def _bytes(text: str, field: str, errors: str = "strict") -> bytes:
    try:
        return text.encode(errors=errors)
    except UnicodeEncodeError:
        raise bad_value(field, text, "not valid UTF-8") from None


def _table(headers: object, field: str, depth: int) -> Table:
    if not isinstance(headers, dict):
        raise bad_value(field, headers, "not a dict")
    table = []
    for key, value in headers.items():
        inner = path(field, str(key))
        typed = _typed(value, inner, depth)
        table.append(Entry(_shortstr(key, inner), typed.type, typed.value))
    return table


def _typed(value: object, field: str, depth: int) -> TypedValue:
    """Return the field value that pika writes for a Python value. The order of the checks is pika's: bool is an int."""
    if isinstance(value, str):
        return TypedValue("longstr", _bytes(value, field))
    if isinstance(value, bytes):
        return TypedValue("binary", value)
    if isinstance(value, bool):
        return TypedValue("bool", value)
    if isinstance(value, int):
        return _integer(value, field)
    if isinstance(value, Decimal):
        return TypedValue("decimal", _decimal(value, field))
    if isinstance(value, datetime):
        return _timestamp(value, field)
    if isinstance(value, dict | list) and depth >= MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    if isinstance(value, dict):
        return TypedValue("table", _table(value, field, depth + 1))
    if isinstance(value, list):
        return TypedValue("array", [_typed(item, path(field, index), depth + 1) for index, item in enumerate(value)])
    if value is None:
        return TypedValue("void", None)
    hint = ", but text or a Decimal" if isinstance(value, float) else ""
    raise bad_value(field, value, f"pika sends no {type(value).__name__}{hint}")


def _integer(value: int, field: str) -> TypedValue:
    if not -(2**63) <= value < 2**63:
        raise bad_value(field, value, "AMQP 0.9.1 has no integer of more than 64 bits with sign")
    if not isinstance(value, long) and -(2**31) <= value < 2**31:
        return TypedValue("signedint", int(value))
    return TypedValue("long", int(value))


def _decimal(value: Decimal, field: str) -> Decimal091:
    """Return scale and value without trailing zeros, as pika sends them: the value is signed (section 4.2.5.5)."""
    sign, digits, exponent = value.as_tuple()
    if not isinstance(exponent, int):
        raise bad_value(field, value, "not a finite number")
    if not any(digits):
        return Decimal091(0, 0)
    zeros = min(next(count for count, digit in enumerate(reversed(digits)) if digit), max(-exponent, 0))
    digits, exponent = digits[: len(digits) - zeros], exponent + zeros
    small = len(digits) + max(exponent, 0) <= 10
    number = int("".join(map(str, digits))) * 10 ** max(exponent, 0) if small else 2**31
    if sign:
        number = -number
    if not -(2**31) <= number < 2**31 or exponent < -255:
        raise bad_value(field, value, "a decimal is -2^31 to 2^31-1, divided by ten up to 255 times")
    return Decimal091(max(-exponent, 0), number)


def _timestamp(value: datetime, field: str) -> TypedValue:
    """Return whole seconds; pika reads a datetime without a time zone as UTC."""
    if value.tzinfo is None:
        value = value.replace(tzinfo=UTC)
    seconds = (value - _EPOCH).days * 86400 + (value - _EPOCH).seconds
    if seconds < 0:
        raise bad_value(field, value, "before 1970")
    return TypedValue("timestamp", seconds)


_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LAST = 253_402_300_799
"""The last second that a datetime holds: 9999-12-31T23:59:59Z."""


# ---- message to pika ---------------------------------------------------------------------------------------------------


def _pika_shortstr(value: object, field: str) -> str | bytes:
    """Return text, or the bytes if they are not UTF-8."""
    if not isinstance(value, str):
        raise bad_value(field, value, "not text")
    raw = _bytes(value, field, "surrogateescape")
    if len(raw) > 255:
        raise bad_value(field, value, "longer than 255 bytes")
    return _text(raw)[0]


def _dict(table: Table, field: str, losses: Losses, depth: int) -> dict[object, object]:
    places = ((path(field, str(entry.key)), entry) for entry in table)
    entries = ((_pika_shortstr(entry.key, inner), inner, entry) for inner, entry in places)
    return losses.dict_of(entries, lambda typed, inner: _value(typed, inner, losses, depth))


def _value(typed: TypedValue | Entry, field: str, losses: Losses, depth: int) -> object:
    type_, value = typed.type, typed.value
    known = AMQP091_TYPES.get(type_)
    if known is None:
        raise EncodeError("unknown_type", f"no field type {type_}", field=field)
    valid(value, field, known.fault)
    if type_ in ("table", "array") and depth >= MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    if type_ == "table":
        return _dict(value, field, losses, depth + 1)
    if type_ == "array":
        return losses.list_of(value, field, lambda typed, inner: _value(typed, inner, losses, depth + 1))
    if type_ not in _NATIVE:
        raise UnsentError("pika has no such type")
    made, sent_as = _NATIVE[type_](value)
    if sent_as != type_:
        losses.add(field, type_, f"pika sends it as {sent_as}")
    return made


def _number(value: int) -> tuple[int, str]:
    return value, "signedint" if -(2**31) <= value < 2**31 else "long"


def _text(value: bytes) -> tuple[str | bytes, str]:
    try:
        return value.decode(), "longstr"
    except UnicodeDecodeError:
        return value, "binary"


def _pika_decimal(value: Decimal091) -> tuple[Decimal, str]:
    made = Decimal((int(value.value < 0), tuple(map(int, str(abs(value.value)))), -value.scale))
    sent = _decimal(made, "")
    return made, "decimal" if sent == value else f"decimal {sent.value} of scale {sent.scale}"


def _datetime(value: int) -> tuple[datetime, str]:
    if value > _LAST:
        raise UnsentError("a datetime ends with the year 9999")
    return datetime.fromtimestamp(value, UTC), "timestamp"


_NATIVE: dict[str, Callable[[Any], tuple[object, str]]] = {
    "bool": lambda value: (value, "bool"),
    "void": lambda value: (value, "void"),
    "binary": lambda value: (value, "binary"),
    "longstr": _text,
    **dict.fromkeys(("byte", "unsignedbyte", "short", "unsignedshort", "signedint", "unsignedint"), _number),
    "long": lambda value: (long(value), "long"),
    "decimal": _pika_decimal,
    "timestamp": _datetime,
}
"""By field type: the Python value, and the type that pika sends for it."""

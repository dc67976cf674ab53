"""proton.Message (python-qpid-proton), to and from AMQP 1.0 messages, with every annotated type.

For fields that proton cannot unset, the value that it does not send means unset: durable False, priority 4 and the other
defaults of the header section, which mean the same (part 3 section 3.2.1); ttl, times and group sequence 0; an empty user id; a
content type or encoding "None", proton's value for an unset one.
"""

import math
import struct
from collections.abc import Callable
from typing import Any, NamedTuple
from uuid import UUID

from mqconvert.converters.clients import Losses, UnsentError, bad_value, require, valid, wrong_message
from mqconvert.converters.engine.report import LossPolicy, Lost, OnLoss
from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Body, Data
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import symbol_fault, unicode_fault
from mqconvert.converters.model.values import MAX_DEPTH, Array, Described, Entry, TypedValue, single_of_float
from mqconvert.converters.protocols import Message as AnyMessage
from mqconvert.converters.protocols.amqp10.message import Annotations, ApplicationProperties, Header, Message, Properties
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES

require("python-qpid-proton", "proton", (0, 39))

import proton  # noqa: E402 - after the check of its version

Writer = Callable[[str, Any, str], object]
"""Turns a value of a type at a field into the value of proton's attribute."""


class ToProton(NamedTuple):
    """The result of `to_proton`: `sender.send(made.message)`."""

    message: proton.Message
    lost: tuple[Lost, ...]


def from_proton(message: proton.Message) -> Message:
    """Return the AMQP 1.0 message that proton would send, without empty sections.

    Raises EncodeError for a value that AMQP 1.0 cannot carry, or without a type in proton; its text names field and value.

    >>> given = proton.Message(b"body", inferred=True, properties={"n": proton.ubyte(3)}, ttl=1.5)
    >>> message = from_proton(given)
    >>> message.header.ttl, message.application_properties, message.body
    (1500, [Entry(key='n', type='ubyte', value=3)], Data(sections=[b'body']))
    """
    if not isinstance(message, proton.Message):
        raise bad_value("message", message, "not proton's Message")
    header = Header(
        durable=message.durable or None,
        priority=None if message.priority == proton.Message.DEFAULT_PRIORITY else message.priority,
        ttl=_milliseconds(message.ttl, "header.ttl"),
        first_acquirer=message.first_acquirer or None,
        delivery_count=message.delivery_count or None,
    )
    properties = Properties(user_id=bytes(message.user_id) or None, group_sequence=_group_sequence(message))
    for name, attribute, _, read, _ in _PROPERTIES:
        setattr(properties, name, read(getattr(message, attribute), f"properties.{name}"))
    return Message(
        header=None if header == _NO_HEADER else header,
        delivery_annotations=_annotations(message.instructions, "delivery_annotations"),
        message_annotations=_annotations(message.annotations, "message_annotations"),
        properties=None if properties == _NO_PROPERTIES else properties,
        application_properties=_application_properties(message.properties),
        body=_body(message.body, inferred=message.inferred),
    )


def to_proton(message: AnyMessage, *, on_loss: OnLoss | LossPolicy = LossPolicy.REPORT) -> ToProton:
    """Return a proton.Message, and the losses.

    Losses: the footer; boundaries between several body sections (the contents are joined); an amqp-value of null (proton
    sends no body); ttl, times and group sequence 0 and times whose milliseconds a float of seconds cannot hold; text with NUL;
    map keys that are lists, maps, arrays or described, or equal to an earlier one in Python (1 and 1.0, "a" and symbol a);
    arrays with more than one descriptor. Raises EncodeError for a message that AMQP 1.0 cannot carry, LossError when
    `on_loss` is "fail".

    >>> made = to_proton(Message(Header(durable=True), body=Data([b"a", b"b"])))
    >>> made.message.durable, made.message.body, made.message.inferred
    (True, b'ab', True)
    >>> made.lost[0].field, made.lost[0].reason
    ('body', 'proton sends one section: 2 are joined')
    """
    if not isinstance(message, Message):
        raise wrong_message(message, "amqp-1.0")
    losses = Losses()
    made = proton.Message()
    if message.header is not None:
        _set_header(made, message.header, losses)
    if message.properties is not None:
        _set_properties(made, message.properties, losses)
    if message.delivery_annotations is not None:
        made.instructions = _annotation_dict(message.delivery_annotations, "delivery_annotations", losses)
    if message.message_annotations is not None:
        made.annotations = _annotation_dict(message.message_annotations, "message_annotations", losses)
    if message.application_properties is not None:
        keyed = [(_checked("string", entry.key, "application_properties"), entry) for entry in message.application_properties]
        made.properties = _dict(keyed, "application_properties", losses, 1)  # type: ignore[assignment]  # proton types it as None
    if message.body is not None:
        made.body, made.inferred = _proton_body(message.body, losses)
    if message.footer is not None:
        losses.add("footer", "annotations", "proton sends no footer")
    return ToProton(made, losses.settled(on_loss))


_NO_HEADER, _NO_PROPERTIES = Header(), Properties()


# ---- proton to message -------------------------------------------------------------------------------------------------


def _milliseconds(seconds: float, _field: str) -> int | None:
    return round(seconds * 1000) or None


def _group_sequence(message: proton.Message) -> int | None:
    """Return the group sequence. Proton sends 0 only beside a group id."""
    number: int = message.group_sequence
    return None if not number and message.group_id is None else number


def _text(value: str | None, field: str) -> str | None:
    return None if value is None else valid(value, field, unicode_fault)


def _symbol(value: proton.symbol, field: str) -> str | None:
    """Return None for proton's symbol "None", which means an unset value."""
    text = str(value)
    if text == "None":
        return None
    return valid(text, field, symbol_fault)


def _id(value: object, field: str) -> TypedValue | None:
    """Return an id: proton gives a ulong as a plain int, and a binary as a view into the message."""
    if value is None:
        return None
    if isinstance(value, int):
        return TypedValue("ulong", int(value))
    return _typed(value, field, 1)


def _annotations(given: object, field: str) -> Annotations | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        raise bad_value(field, given, "not a dict")
    made: Annotations = []
    for key, value in given.items():
        inner = path(field, _shown(key))
        if key.__class__ is proton.symbol:
            made.append(_entry(_checked("symbol", str(key), inner), value, inner, 1))
        elif key.__class__ is proton.ulong:
            made.append(_entry(_checked("ulong", int(key), inner), value, inner, 1))
        else:
            raise bad_value(inner, key, "an annotation's key is a symbol or a ulong")
    return made


def _entry(key: object, value: object, field: str, depth: int) -> Entry:
    typed = _typed(value, field, depth)
    return Entry(key, typed.type, typed.value)


def _application_properties(given: object) -> ApplicationProperties | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        raise bad_value("application_properties", given, "not a dict")
    made: ApplicationProperties = []
    for key, value in given.items():
        inner = path("application_properties", str(key))
        if not isinstance(key, str) or isinstance(key, proton.symbol | proton.char):
            raise bad_value(inner, key, "an application property's key is a string")
        made.append(_entry(_checked("string", str(key), inner), value, inner, 1))
    return made


def _body(given: object, *, inferred: bool) -> Body | None:
    if given is None:
        return None
    typed = _typed(given, "body", 1)
    if inferred and typed.type == "binary":
        return Data([typed.value])
    if inferred and typed.type == "list":
        return AmqpSequence([typed.value])
    return AmqpValue(typed)


def _typed(value: object, field: str, depth: int) -> TypedValue:
    """Return the value with the type that proton chooses by its exact class."""
    known = _TYPES.get(value.__class__)
    if known is not None:
        return _simple(value, *known, field)
    if depth > MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    if isinstance(value, list | tuple):
        return TypedValue("list", [_typed(item, path(field, index), depth + 1) for index, item in enumerate(value)])
    if isinstance(value, dict):
        keyed = ((_typed(key, field, depth + 1), item, path(field, _shown(key))) for key, item in value.items())
        return TypedValue("map", [_entry(key, item, inner, depth + 1) for key, item, inner in keyed])
    if isinstance(value, proton.Described):
        descriptor = _typed(value.descriptor, f"{field}.descriptor", depth + 1)
        return TypedValue("described", Described(descriptor, _typed(value.value, f"{field}.value", depth + 1)))
    if isinstance(value, proton.Array):
        return TypedValue("array", _array(value, field, depth + 1))
    raise bad_value(field, value, f"proton has no AMQP type for {type(value).__name__}")


def _simple(value: object, type_: str, plain: Callable[[object], object], field: str) -> TypedValue:
    try:
        made = plain(value)
    except (TypeError, ValueError, OverflowError):
        raise bad_value(field, value, f"no {type_} can hold it") from None
    fault = AMQP10_TYPES[type_].fault(made)
    if fault is not None:
        raise bad_value(field, value, fault)
    return TypedValue(type_, made)


def _array(value: proton.Array, field: str, depth: int) -> Array:
    of = _ARRAY_TYPES.get(value.type)
    if of is None:
        raise bad_value(field, value, "an array of a type unknown to AMQP 1.0")
    elements = [_element(item, of, path(field, index), depth) for index, item in enumerate(value.elements)]
    described = value.descriptor != proton.UNDESCRIBED
    descriptors = (_typed(value.descriptor, f"{field}.descriptor", depth),) if described else ()
    return Array(of, elements, descriptors)


def _element(value: object, of: str, field: str, depth: int) -> object:
    """Return an array's element: proton sends a plain int, str or bytes in the type of the array."""
    plain = _PLAIN_ELEMENTS.get((value.__class__, of))
    typed = _typed(value, field, depth) if plain is None else _simple(value, of, plain, field)
    if typed.type != of:
        raise bad_value(field, value, f"a {typed.type} in an array of {of}")
    return typed.value


def _checked(type_: str, value: object, field: str) -> Any:
    return valid(value, field, AMQP10_TYPES[type_].fault)


def _long(value: int) -> int:
    """Return a number that fits a long, proton's first type for a plain int; OverflowError otherwise."""
    return int.from_bytes(value.to_bytes(8, "big", signed=True), "big", signed=True)


_INTEGERS = ("ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "char", "timestamp")
_PLAIN_ELEMENTS: dict[tuple[type, str], Callable[[Any], object]] = {
    **{(int, of): _long for of in _INTEGERS},
    (str, "symbol"): str,
    (str, "binary"): str.encode,
    (bytes, "symbol"): bytes.decode,
    (bytes, "string"): bytes.decode,
}
"""Reads elements of arrays, by their class and the array's type; proton copies numbers and bytes unchanged.

It lacks elements that proton sends as another value: text in an array of chars, floats in an array of singles.
"""


# ---- message to proton -------------------------------------------------------------------------------------------------


_HEADER = {"durable": "boolean", "priority": "ubyte", "first_acquirer": "boolean", "delivery_count": "uint"}


def _set(made: proton.Message, attribute: str, write: Writer, type_: str, value: object, field: str, losses: Losses) -> None:
    """Set an attribute to a value, unless the value is unset or cannot be sent."""
    if value is not None:
        try:
            setattr(made, attribute, write(type_, value, field))
        except UnsentError as reason:
            losses.add(field, type_, str(reason))


def _set_header(made: proton.Message, header: Header, losses: Losses) -> None:
    for name, type_ in _HEADER.items():
        _set(made, name, _checked, type_, getattr(header, name), f"header.{name}", losses)
    _set(made, "ttl", _seconds, "uint", header.ttl, "header.ttl", losses)


def _set_properties(made: proton.Message, properties: Properties, losses: Losses) -> None:
    for name, attribute, type_, _, write in _PROPERTIES:
        _set(made, attribute, write, type_, getattr(properties, name), f"properties.{name}", losses)
    _set(made, "user_id", _checked, "binary", properties.user_id, "properties.user_id", losses)
    number, grouped = properties.group_sequence, properties.group_id is not None
    _set(made, "group_sequence", _checked, "uint", number, "properties.group_sequence", losses)
    if number == 0 and not grouped:
        losses.add("properties.group_sequence", "uint", "proton does not send 0")
    elif number is None and grouped:
        losses.add("properties.group_sequence", "absent", "proton sends 0 beside a group id")


def _sent_id(_type: str, typed: TypedValue, field: str) -> object:
    if typed.type not in ("ulong", "uuid", "binary", "string"):
        raise bad_value(field, typed, "neither ulong, uuid, binary nor string")
    return _NATIVE[typed.type](_checked(typed.type, typed.value, field))


def _sent_text(type_: str, value: str, field: str) -> str:
    if "\0" in _checked(type_, value, field):
        raise UnsentError("proton ends text at NUL")
    return value


def _seconds(type_: str, value: int, field: str) -> float:
    """Return the seconds that proton, which multiplies by 1000 and truncates, turns into exactly these milliseconds."""
    near = _checked(type_, value, field) / 1000
    for seconds in (near, math.nextafter(near, math.inf), math.nextafter(near, -math.inf)):
        if value and int(seconds * 1000) == value:
            return seconds
    raise UnsentError("no float of seconds holds it" if value else "proton does not send 0")


def _annotation_dict(annotations: Annotations, field: str, losses: Losses) -> dict[Any, Any]:
    keyed: list[tuple[object, Entry]] = []
    for entry in annotations:
        type_ = "symbol" if isinstance(entry.key, str) else "ulong"
        keyed.append((_NATIVE[type_](_checked(type_, entry.key, field)), entry))
    return _dict(keyed, field, losses, 1)


def _dict(keyed: list[tuple[object, Entry]], field: str, losses: Losses, depth: int) -> dict[object, object]:
    entries = ((key, path(field, _shown(key)), entry) for key, entry in keyed)
    return losses.dict_of(entries, lambda typed, inner: _native(typed, inner, losses, depth))


def _shown(key: object) -> object:
    """Return a key for a path, without the class of proton's own numbers."""
    return int(key) if isinstance(key, int) else float(key) if isinstance(key, float) else key


def _proton_body(body: Body, losses: Losses) -> tuple[Any, bool]:
    if isinstance(body, AmqpValue):
        if body.value.type == "null":
            losses.add("body", "amqp-value", "proton sends no body for null")
        return _body_value(body.value, losses), False
    if not body.sections:
        raise EncodeError("bad_count", "a body without sections", field="body")
    if len(body.sections) > 1:
        type_ = "data" if isinstance(body, Data) else "amqp-sequence"
        losses.add("body", type_, f"proton sends one section: {len(body.sections)} are joined")
    if isinstance(body, Data):
        return b"".join([_checked("binary", section, "body") for section in body.sections]), True
    items = [item for section in body.sections for item in section]
    return _body_value(TypedValue("list", items), losses), True


def _body_value(typed: TypedValue, losses: Losses) -> object:
    try:
        return _native(typed, "body", losses, 1)
    except UnsentError as reason:
        losses.add("body", typed.type, str(reason))
        return None


def _native(typed: TypedValue | Entry, field: str, losses: Losses, depth: int) -> Any:
    """Return the object that proton sends as a value of this type."""
    if typed.type not in AMQP10_TYPES:
        raise EncodeError("unknown_type", f"AMQP 1.0 has no type {typed.type!r:.80}", field=field)
    value = _checked(typed.type, typed.value, field)
    simple = _NATIVE.get(typed.type)
    if simple is not None:
        return simple(value)
    if depth > MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=field)
    if typed.type == "list":
        return losses.list_of(value, field, lambda item, inner: _native(item, inner, losses, depth + 1))
    if typed.type == "map":
        return _native_map(value, field, losses, depth)
    if typed.type == "described":
        descriptor = _native(value.descriptor, f"{field}.descriptor", losses, depth + 1)
        return proton.Described(descriptor, _native(value.value, f"{field}.value", losses, depth + 1))
    return _native_array(value, field, losses, depth)


def _native_map(entries: list[Entry], field: str, losses: Losses, depth: int) -> dict[object, object]:
    keyed = []
    for entry in entries:
        if entry.key.type in _NATIVE:
            keyed.append((_native(entry.key, field, losses, depth + 1), entry))
        else:
            losses.add(path(field, str(entry.key.value)), entry.type, f"Python has no dict key of type {entry.key.type}")
    return _dict(keyed, field, losses, depth + 1)


def _native_array(value: Array, field: str, losses: Losses, depth: int) -> proton.Array:
    number = _ARRAY_NUMBERS.get(value.of)
    if number is None:
        raise EncodeError("unknown_type", f"AMQP 1.0 has no array of {value.of!r:.80}", field=field)
    if len(value.descriptors) > 1:
        raise UnsentError("proton's arrays have one descriptor")
    items = [TypedValue(value.of, item) for item in value.values]
    elements = losses.list_of(items, field, lambda item, inner: _native(item, inner, losses, depth + 1))
    descriptors = [_native(descriptor, f"{field}.descriptor", losses, depth + 1) for descriptor in value.descriptors]
    descriptor: Any = descriptors[0] if descriptors else proton.UNDESCRIBED
    return proton.Array(descriptor, number, *elements)


def _float32(value: float) -> object:
    if value != value and single_of_float(value)[1] & 0x40 == 0:  # noqa: PLR0124 - NaN differs from itself
        raise UnsentError("proton makes a signalling NaN a quiet one")
    return proton.float32(value)


# ---- types -------------------------------------------------------------------------------------------------------------


def _single(value: float) -> float:
    """Return a number that fits a binary32 float; OverflowError for a larger one."""
    narrowed: float = struct.unpack(">f", struct.pack(">f", value))[0]
    return narrowed


_SIMPLE: list[tuple[str, type, Callable[[Any], object], Callable[[Any], object]]] = [
    ("null", type(None), lambda _: None, lambda _: None),
    ("boolean", bool, bool, bool),
    ("ubyte", proton.ubyte, int, proton.ubyte),
    ("ushort", proton.ushort, int, proton.ushort),
    ("uint", proton.uint, int, proton.uint),
    ("ulong", proton.ulong, int, proton.ulong),
    ("byte", proton.byte, int, proton.byte),
    ("short", proton.short, int, proton.short),
    ("int", proton.int32, int, proton.int32),
    ("long", int, int, int),
    ("float", proton.float32, _single, _float32),
    ("double", float, float, float),
    ("decimal32", proton.decimal32, lambda it: int(it).to_bytes(4), lambda it: proton.decimal32(int.from_bytes(it))),
    ("decimal64", proton.decimal64, lambda it: int(it).to_bytes(8), lambda it: proton.decimal64(int.from_bytes(it))),
    ("decimal128", proton.decimal128, bytes, proton.decimal128),
    ("char", proton.char, lambda it: ord(str(it)), lambda it: proton.char(chr(it))),
    ("timestamp", proton.timestamp, int, proton.timestamp),
    ("uuid", UUID, lambda it: it.bytes, lambda it: UUID(bytes=it)),
    ("binary", bytes, bytes, bytes),
    ("string", str, str, str),
    ("symbol", proton.symbol, str, proton.symbol),
]
"""The simple types of AMQP 1.0: the class of their objects in proton, and the functions from and to such objects."""
_NATIVE = {type_: make for type_, _, _, make in _SIMPLE}
_TYPES = {kind: (type_, plain) for type_, kind, plain, _ in _SIMPLE}
_TYPES |= {bytearray: ("binary", bytes), memoryview: ("binary", bytes)}

_ARRAY_NUMBERS = {name: getattr(proton.Data, name.upper()) for name in (*_NATIVE, "list", "map", "array") if name != "boolean"}
_ARRAY_NUMBERS["boolean"] = proton.Data.BOOL
"""Proton's numbers of the types, which an Array requires."""
_ARRAY_TYPES = {number: name for name, number in _ARRAY_NUMBERS.items()}

_PROPERTIES: list[tuple[str, str, str, Callable[[Any, str], object], Writer]] = [
    ("message_id", "id", "id", _id, _sent_id),
    ("correlation_id", "correlation_id", "id", _id, _sent_id),
    ("to", "address", "string", _text, _sent_text),
    ("subject", "subject", "string", _text, _sent_text),
    ("reply_to", "reply_to", "string", _text, _sent_text),
    ("group_id", "group_id", "string", _text, _sent_text),
    ("reply_to_group_id", "reply_to_group_id", "string", _text, _sent_text),
    ("content_type", "content_type", "symbol", _symbol, _sent_text),
    ("content_encoding", "content_encoding", "symbol", _symbol, _sent_text),
    ("absolute_expiry_time", "expiry_time", "timestamp", _milliseconds, _seconds),
    ("creation_time", "creation_time", "timestamp", _milliseconds, _seconds),
]
"""Properties, proton's names of them, their wire types, and the functions that read and write them."""

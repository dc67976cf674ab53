"""Protobuf messages of any definition: checked parsing, the faults of invalid bytes, the JSON form.

The official runtime parses. This module adds the offset at which bytes stop being protobuf, the name of a missing
required field, the text that is not UTF-8 (in proto2 syntax the runtime gives such text as bytes), and unknown fields. Types
here are Any because the runtime's message classes are made when they are imported.
"""

from typing import Any, Final

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.jsonform import JsonObject, array_from_json, bytes_from_json, bytes_to_json
from mqconvert.converters.model.plain import FloatType, unicode_fault
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar.message import PULSAR_TYPES

FieldDescriptor = package("google.protobuf.descriptor").FieldDescriptor
ParseError = package("google.protobuf.message").DecodeError
UnfinishedError = package("google.protobuf.message").EncodeError
"""A message lacks required fields."""
message_class = package("google.protobuf.message_factory").GetMessageClass
unknown_fields = package("google.protobuf.unknown_fields").UnknownFieldSet
"""The fields and enum values of a message that its definition lacks."""

MAX_NESTING = 100
"""The runtime's limit for nested messages and groups."""

_TYPES: Final[dict[int, WireType]] = {
    FieldDescriptor.TYPE_BOOL: PULSAR_TYPES["boolean"],
    FieldDescriptor.TYPE_INT32: PULSAR_TYPES["int"],
    FieldDescriptor.TYPE_UINT32: PULSAR_TYPES["uint"],
    FieldDescriptor.TYPE_INT64: PULSAR_TYPES["long"],
    FieldDescriptor.TYPE_UINT64: PULSAR_TYPES["ulong"],
    FieldDescriptor.TYPE_DOUBLE: FloatType("double"),
    FieldDescriptor.TYPE_STRING: PULSAR_TYPES["utf8"],
    FieldDescriptor.TYPE_BYTES: PULSAR_TYPES["binary"],
}
"""The wire types of fields, for their JSON."""

# ---- parsing --------------------------------------------------------------------------------------------------------


def parse(class_: Any, data: bytes, start: int, end: int) -> Any:
    """Parse a message of `class_` in data[start:end]; DecodeError `bad_protobuf`. Required fields and texts are not checked."""
    try:
        return class_.FromString(data[start:end])
    except ParseError:
        raise syntax_fault(class_.DESCRIPTOR, data, start, end) from None


def check_required(message: Any, offset: int) -> None:
    """Raise DecodeError `missing_field` if a message lacks a required field."""
    if not is_complete(message):
        missing = first_missing(message)
        words = f"{message.DESCRIPTOR.name} needs {missing}"
        raise DecodeError("missing_field", words, offset=offset, field=missing, names_field=True)


def is_complete(message: Any) -> bool:
    """Return whether a message has all required fields. Writing it finds out in a fraction of the time of `IsInitialized`."""
    try:
        message.SerializeToString()
    except UnfinishedError:
        return bool(message.IsInitialized())  # the runtime refuses deep nesting, too
    return True


def first_missing(message: Any) -> str | None:
    """Return the path of the first missing required field. (The runtime lists all of them, which may be megabytes.)

    >>> from mqconvert.converters.protocols.pulsar.pulsar_pb2 import CommandSeek, MessageIdData
    >>> first_missing(CommandSeek(consumer_id=1, request_id=2, message_id=MessageIdData(ledgerId=3)))
    'message_id.entryId'
    """
    for field in message.DESCRIPTOR.fields:
        if field.is_required and not message.HasField(field.name):
            return str(field.name)
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_MESSAGE:
            for index, part in enumerate(value if field.is_repeated else (value,)):
                if not part.IsInitialized():
                    return f"{field.name}{f'[{index}]' if field.is_repeated else ''}.{first_missing(part)}"
    return None


def has_bad_text(message: Any) -> bool:
    """Return whether any string of a message is not UTF-8: the runtime gives such a string as bytes."""
    for field, value in message.ListFields():
        if field.type == FieldDescriptor.TYPE_STRING:
            if bytes in map(type, value) if field.is_repeated else type(value) is bytes:
                return True
        elif field.type == FieldDescriptor.TYPE_MESSAGE and any(map(has_bad_text, value if field.is_repeated else (value,))):
            return True
    return False


def syntax_fault(descriptor: Any, data: bytes, start: int, end: int) -> DecodeError:
    """Return the first fault with its offset, in bytes that the runtime refused or that contain invalid text."""
    try:
        _walk(descriptor, data, start, end, 0)
    except DecodeError as error:
        return error
    return DecodeError("bad_protobuf", f"not a {descriptor.name}", offset=start)


def _walk(descriptor: object, data: bytes, at: int, end: int, group: int, depth: int = 0) -> int:
    """Check the fields up to `end`, or to the end of group `group`; `descriptor` is None inside unknown groups."""
    if depth > MAX_NESTING:
        raise DecodeError("bad_protobuf", f"nested deeper than {MAX_NESTING}", offset=at)
    while at < end:
        key, at = field_at(descriptor, data, at, end, group, depth)
        if key == group << 3 | 4:
            return at
    if group:
        raise DecodeError("bad_protobuf", f"group {group} does not end", offset=end)
    return at


def field_at(descriptor: object, data: bytes, begin: int, end: int, group: int = 0, depth: int = 0) -> tuple[int, int]:
    """Return the key of the field at an offset, its number and wire type, and the offset behind its value.

    >>> field_at(None, bytes.fromhex("08e807"), 0, 3)
    (8, 3)
    """
    key, at = varint(data, begin, end)
    number, wire_type = key >> 3, key & 7
    if not 0 < number < 2**29:
        raise DecodeError("bad_protobuf", f"field number {number}", offset=begin)
    if wire_type == 4 and number == group:
        return key, at
    if wire_type == 0:
        at = varint(data, at, end)[1]
    elif wire_type in (1, 5):
        at += 8 if wire_type == 1 else 4
    elif wire_type == 2:
        at = _length_delimited(descriptor, number, data, at, end, depth)
    elif wire_type == 3:
        at = _walk(None, data, at, end, number, depth + 1)
    else:
        words = "the end of a group that did not begin" if wire_type == 4 else f"unknown wire type {wire_type}"
        raise DecodeError("bad_protobuf", words, offset=begin)
    if at > end:
        raise DecodeError("bad_protobuf", f"field {number} goes past the end", offset=begin)
    return key, at


def _length_delimited(descriptor: Any, number: int, data: bytes, at: int, end: int, depth: int) -> int:
    begin = at
    size, at = varint(data, at, end)
    stop = at + size
    if stop > end:
        raise DecodeError("bad_protobuf", f"field {number} goes past the end", offset=begin)
    field = None if descriptor is None else descriptor.fields_by_number.get(number)
    if field is not None and field.type == FieldDescriptor.TYPE_MESSAGE:
        _walk(field.message_type, data, at, stop, 0, depth + 1)
    elif field is not None and field.type == FieldDescriptor.TYPE_STRING:
        try:
            str(data[at:stop], "utf-8")
        except UnicodeDecodeError as error:
            raise DecodeError("bad_utf8", "not valid UTF-8", offset=at + error.start, field=field.name) from None
    return stop


def varint(data: bytes, at: int, end: int) -> tuple[int, int]:
    """Return the varint at an offset, and the offset behind it; DecodeError for one without an end."""
    value = 0
    for index, byte in enumerate(data[at : min(at + 10, end)]):
        value |= (byte & 0x7F) << 7 * index
        if byte < 0x80:
            return value, at + index + 1
    raise DecodeError("bad_protobuf", "a varint without an end", offset=at)


# ---- unknown fields -------------------------------------------------------------------------------------------------


def unknown_bytes(message: Any) -> bytes:
    """Return the encoded `unknown_fields` of a message.

    >>> from mqconvert.converters.protocols.pulsar.pulsar_pb2 import BrokerEntryMetadata
    >>> unknown_bytes(BrokerEntryMetadata.FromString(bytes.fromhex("0801fa3e03616263"))).hex()
    'fa3e03616263'
    """
    rest = type(message)()
    rest.CopyFrom(message)
    for field, _ in message.ListFields():
        rest.ClearField(field.name)
    raw: bytes = rest.SerializePartialToString()
    return raw


# ---- JSON -----------------------------------------------------------------------------------------------------------


def to_json(message: Any) -> JsonObject:
    """Return a message as JSON: set fields by name, enumerations by name, bytes in base64, unknown fields as `unknown`.

    >>> from mqconvert.converters.protocols.pulsar.pulsar_pb2 import CommandFlow
    >>> to_json(CommandFlow(consumer_id=1, messagePermits=1000))
    {'consumer_id': 1, 'messagePermits': 1000}
    """
    written: JsonObject = {}
    for field, value in message.ListFields():
        written[field.name] = [_plain(field, one) for one in value] if field.is_repeated else _plain(field, value)
    unknown = unknown_bytes(message)
    return written | {"unknown": bytes_to_json(unknown)} if unknown else written


def _plain(field: Any, value: Any) -> object:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return to_json(value)
    if field.type == FieldDescriptor.TYPE_ENUM:
        return field.enum_type.values_by_number[value].name
    return _TYPES[field.type].write(value, PULSAR_TYPES)


def from_json(class_: Any, obj: object, path: str, depth: int = 0) -> object:
    """Return the message of `class_` from its JSON form; required fields may be missing. DecodeError names the place.

    >>> from mqconvert.converters.protocols.pulsar.pulsar_pb2 import CommandFlow
    >>> from_json(CommandFlow, {"consumer_id": 1, "messagePermits": -1}, "flow")
    Traceback (most recent call last):
      ...
    mqconvert.converters.errors.DecodeError: not between 0 and 4294967295 (field flow.messagePermits)
    """
    if not isinstance(obj, dict):
        raise DecodeError("bad_json", "not an object", field=path)
    if depth > MAX_NESTING:
        raise DecodeError("nesting", f"nested deeper than {MAX_NESTING}", field=path)
    message = class_()
    fields = class_.DESCRIPTOR.fields_by_name
    for name, value in obj.items():
        at = f"{path}.{name}"
        if name == "unknown":
            message.MergeFromString(_unknown(class_, value, at))
            continue
        field = _named(fields, name)
        if field is None:
            raise DecodeError("unknown_field", f"{class_.DESCRIPTOR.name} has no such field", field=at)
        _set(message, field, value, at, depth)
    return message


def _named(known: Any, name: object) -> Any:
    """Return the runtime's entry under a name, or None. The runtime fails on names that are not valid UTF-8."""
    return None if unicode_fault(name) else known.get(name)


def _set(message: object, field: Any, value: object, at: str, depth: int) -> None:
    if field.is_repeated:
        made = [_value(field, one, f"{at}[{index}]", depth) for index, one in enumerate(array_from_json(value, at))]
        getattr(message, field.name).extend(made)
    elif field.type == FieldDescriptor.TYPE_MESSAGE:
        getattr(message, field.name).CopyFrom(_value(field, value, at, depth))
        getattr(message, field.name).SetInParent()
    else:
        setattr(message, field.name, _value(field, value, at, depth))


def _value(field: Any, value: object, at: str, depth: int) -> object:
    if field.type == FieldDescriptor.TYPE_MESSAGE:
        return from_json(message_class(field.message_type), value, at, depth + 1)
    if field.type == FieldDescriptor.TYPE_ENUM:
        number = _named(field.enum_type.values_by_name, value)
        if number is None:
            raise DecodeError("bad_value", f"no {field.enum_type.name}: {', '.join(field.enum_type.values_by_name)}", field=at)
        return number.number
    if field.type == FieldDescriptor.TYPE_BYTES:
        return bytes_from_json(value, at)
    try:
        return _TYPES[field.type].read(value, at, 0, PULSAR_TYPES)
    except DecodeError as error:  # also for JSON of another type
        raise DecodeError("bad_value", error.message, field=error.field) from None


def _unknown(class_: Any, value: object, at: str) -> bytes:
    raw = bytes_from_json(value, at)
    if not only_unknown(class_, raw):
        raise DecodeError("bad_value", f"not fields that {class_.DESCRIPTOR.name} does not have", field=at)
    return raw


def only_unknown(class_: Any, raw: bytes) -> bool:
    """Return whether bytes consist of fields that the definition lacks."""
    try:
        return not class_.FromString(raw).ListFields()
    except ParseError:
        return False

"""AMQP 1.0: the encoded sections of one message (part 3 section 3.2) and the type system under them (part 1 section 1.6).

Every encoding that the specification allows is read; what is written is the smallest one.
"""

from collections.abc import Callable
from struct import Struct
from struct import error as StructError  # noqa: N812 - a class under a lower-case name
from typing import Any

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.messages.amqp10 import AmqpSequence, AmqpValue, Body, Data, Header, Message, Properties
from mqconvert.converters.values import AMQP10_TYPES, MAX_DEPTH, Array, Described, TypedValue

MAX_EMPTY_ELEMENTS = 65_536
"""How many elements of no width (null, true, uint 0, empty list) an array may announce: they take no octets to say."""

_SHORT, _LONG, _LONGLONG = Struct(">H"), Struct(">I"), Struct(">Q")
_long = _LONG.unpack_from

Value = tuple[TypedValue, int]

# ---- reading primitive values (part 1 section 1.6) ------------------------------------------------------------------

_FIXED: dict[int, tuple[str, Struct]] = {
    0x50: ("ubyte", Struct(">B")),
    0x51: ("byte", Struct(">b")),
    0x52: ("uint", Struct(">B")),
    0x53: ("ulong", Struct(">B")),
    0x54: ("int", Struct(">b")),
    0x55: ("long", Struct(">b")),
    0x60: ("ushort", Struct(">H")),
    0x61: ("short", Struct(">h")),
    0x70: ("uint", Struct(">I")),
    0x71: ("int", Struct(">i")),
    0x72: ("float", Struct(">f")),
    0x73: ("char", Struct(">I")),
    0x74: ("decimal32", Struct(">4s")),
    0x80: ("ulong", Struct(">Q")),
    0x81: ("long", Struct(">q")),
    0x82: ("double", Struct(">d")),
    0x83: ("timestamp", Struct(">q")),
    0x84: ("decimal64", Struct(">8s")),
    0x94: ("decimal128", Struct(">16s")),
    0x98: ("uuid", Struct(">16s")),
}
_EMPTY: dict[int, tuple[str, Any]] = {
    0x40: ("null", None),
    0x41: ("boolean", True),
    0x42: ("boolean", False),
    0x43: ("uint", 0),
    0x44: ("ulong", 0),
}
_VARIABLE = {
    0xA0: ("binary", 1),
    0xA1: ("string", 1),
    0xA3: ("symbol", 1),
    0xB0: ("binary", 4),
    0xB1: ("string", 4),
    0xB3: ("symbol", 4),
}
_COMPOUND = {
    0x45: ("list", 0),
    0xC0: ("list", 1),
    0xC1: ("map", 1),
    0xD0: ("list", 4),
    0xD1: ("map", 4),
    0xE0: ("array", 1),
    0xF0: ("array", 4),
}


def _truncated(at: int) -> DecodeError:
    return DecodeError("truncated", "a value ends early", offset=at)


def _content(code: int, data: bytes, at: int, end: int, depth: int) -> tuple[str, Any, int]:
    """Type, value and next offset of what follows a format code."""
    variable = _VARIABLE.get(code)
    if variable is not None:
        return _octets(variable[0], variable[1], data, at, end)
    fixed = _FIXED.get(code)
    if fixed is not None:
        type_, packer = fixed
        after = at + packer.size
        if after > end:
            raise _truncated(at)
        value = packer.unpack_from(data, at)[0]
        if type_ == "char" and value > 0x10FFFF:
            raise DecodeError("bad_value", f"char 0x{value:x} is no Unicode code point", offset=at)
        return type_, value, after
    empty = _EMPTY.get(code)
    if empty is not None:
        return empty[0], empty[1], at
    if code == 0x56:
        if at >= end:
            raise _truncated(at)
        if data[at] > 1:
            raise DecodeError("bad_value", f"boolean 0x{data[at]:02x}", offset=at)
        return "boolean", data[at] == 1, at + 1
    if code == 0x00:
        if depth >= MAX_DEPTH:
            raise DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)
        descriptor, at = _value(data, at, end, depth + 1)
        value, at = _value(data, at, end, depth + 1)
        return "described", Described(descriptor, value), at
    return _compound(code, data, at, end, depth)


def _octets(type_: str, width: int, data: bytes, at: int, end: int) -> tuple[str, Any, int]:
    if at + width > end:
        raise _truncated(at)
    start = at + width
    after = start + (data[at] if width == 1 else _long(data, at)[0])
    if after > end:
        raise _truncated(at)
    if type_ == "binary":
        return type_, data[start:after], after
    try:
        text = str(data[start:after], "utf-8" if type_ == "string" else "ascii")
    except UnicodeDecodeError:
        kind, words = ("bad_utf8", "UTF-8") if type_ == "string" else ("bad_symbol", "ASCII")
        raise DecodeError(kind, f"a {type_} that is not {words}", offset=start) from None
    return type_, text, after


def _value(data: bytes, at: int, end: int, depth: int) -> Value:
    if at >= end:
        raise _truncated(at)
    type_, value, at = _content(data[at], data, at + 1, end, depth)
    return TypedValue(type_, value), at


def _sized(width: int, data: bytes, at: int, end: int) -> tuple[int, int, int]:
    """Count, start and end of the elements of a list, map or array."""
    if at + 2 * width > end:
        raise _truncated(at)
    size, count = (data[at], data[at + 1]) if width == 1 else (_long(data, at)[0], _long(data, at + 4)[0])
    stop = at + width + size
    if stop > end:
        raise _truncated(at)
    if size < width:
        raise DecodeError("bad_length", "a size that leaves no room for the count", offset=at)
    return count, at + 2 * width, stop


def _compound(code: int, data: bytes, at: int, end: int, depth: int) -> tuple[str, Any, int]:
    known = _COMPOUND.get(code)
    if known is None:
        raise DecodeError("unknown_type", f"format code 0x{code:02x}", offset=at - 1)
    type_, width = known
    if not width:
        return type_, [], at
    if depth >= MAX_DEPTH:
        raise DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=at)
    if type_ == "array":
        array, after = _array(width, data, at, end, depth)
        return type_, array, after
    count, start, stop = _sized(width, data, at, end)
    if count > stop - start:
        raise DecodeError("bad_count", f"{count} elements in {stop - start} octets", offset=at)
    values, after = _run(count, data, start, stop, depth)
    if after != stop:
        raise DecodeError("bad_length", f"{stop - after} octets left over in a {type_}", offset=after)
    return type_, values if type_ == "list" else _paired(values, at), stop


def _run(count: int, data: bytes, at: int, stop: int, depth: int) -> tuple[list[TypedValue], int]:
    values = []
    for _ in range(count):
        value, at = _value(data, at, stop, depth + 1)
        values.append(value)
    return values, at


def _paired(values: list[TypedValue], at: int) -> list[tuple[TypedValue, TypedValue]]:
    if len(values) % 2:
        raise DecodeError("bad_count", f"a map of {len(values)} keys and values", offset=at)
    return list(zip(values[::2], values[1::2], strict=True))


def _array(width: int, data: bytes, at: int, end: int, depth: int) -> tuple[Array, int]:
    count, start, stop = _sized(width, data, at, end)
    begin = start
    descriptors: list[TypedValue] = []
    while start < stop and data[start] == 0x00:
        if depth + len(descriptors) >= MAX_DEPTH:
            raise DecodeError("nesting", f"values nest deeper than {MAX_DEPTH}", offset=start)
        descriptor, start = _value(data, start + 1, stop, depth + 1)
        descriptors.append(descriptor)
    if start >= stop:
        raise _truncated(start)
    code = data[start]
    start += 1
    if count > (MAX_EMPTY_ELEMENTS if code in _EMPTY or code == 0x45 else stop - start):
        raise DecodeError("bad_count", f"{count} elements in {stop - start} octets", offset=begin)
    type_ = _type_of(code, start)
    values = []
    for _ in range(count):
        _, value, start = _content(code, data, start, stop, depth + 1)
        values.append(value)
    if start != stop:
        raise DecodeError("bad_length", f"{stop - start} octets left over in an array", offset=start)
    return Array(type_, values, tuple(descriptors)), stop


def _type_of(code: int, at: int) -> str:
    for known in (_FIXED, _EMPTY, _VARIABLE, _COMPOUND):
        if code in known:
            return str(known[code][0])
    if code == 0x56:
        return "boolean"
    raise DecodeError("unknown_type", f"format code 0x{code:02x}", offset=at - 1)


# ---- reading sections (part 3 section 3.2) -------------------------------------------------------------------------

_SECTIONS = {
    0x70: "header",
    0x71: "delivery_annotations",
    0x72: "message_annotations",
    0x73: "properties",
    0x74: "application_properties",
    0x75: "data",
    0x76: "sequence",
    0x77: "value",
    0x78: "footer",
}
_SYMBOLS = {
    "amqp:header:list": 0x70,
    "amqp:delivery-annotations:map": 0x71,
    "amqp:message-annotations:map": 0x72,
    "amqp:properties:list": 0x73,
    "amqp:application-properties:map": 0x74,
    "amqp:data:binary": 0x75,
    "amqp:amqp-sequence:list": 0x76,
    "amqp:amqp-value:*": 0x77,
    "amqp:footer:map": 0x78,
}


def decode(data: bytes) -> Message:
    """The message whose sections `data` holds; DecodeError with kind and offset for anything else.

    >>> decode(bytes.fromhex("005375a0026869")).body
    Data(sections=[b'hi'])
    """
    message = Message()
    at, end, last = 0, len(data), 0
    if not end:
        raise DecodeError("truncated", "no sections", offset=0)
    while at < end:
        code, start = _descriptor(data, at, end)
        if code < last or (code == last and code not in (0x75, 0x76)):
            raise DecodeError("section_order", f"{_SECTIONS[code]} after {_SECTIONS[last]}", offset=at)
        if 0x75 <= last <= 0x77 and 0x75 <= code <= 0x77 and code != last:
            raise DecodeError("section_order", "a body of mixed kinds", offset=at)
        at = _READERS[code](message, data, start, end)
        last = code
    return message


def decode_all(data: bytes) -> list[Message]:
    """AMQP 1.0 sections do not delimit a message: always the one that `data` holds."""
    return [decode(data)]


def _descriptor(data: bytes, at: int, end: int) -> tuple[int, int]:
    if data[at] != 0x00:
        raise DecodeError("unknown_section", f"0x{data[at]:02x} where a section is due", offset=at)
    descriptor, start = _value(data, at + 1, end, 1)
    code = descriptor.value
    if descriptor.type == "symbol":
        code = _SYMBOLS.get(code)
    elif descriptor.type != "ulong":
        code = None
    if code not in _SECTIONS:
        raise DecodeError("unknown_section", "a descriptor of no section", offset=at)
    return int(code), start


_HEADER = tuple(zip(Header.__slots__, ("boolean", "ubyte", "uint", "boolean", "uint"), strict=True))
_ID = ("ulong", "uuid", "binary", "string")
_PROPERTIES = tuple(
    zip(
        Properties.__slots__,
        (
            _ID,
            "binary",
            "string",
            "string",
            "string",
            _ID,
            "symbol",
            "symbol",
            "timestamp",
            "timestamp",
            "string",
            "uint",
            "string",
        ),
        strict=True,
    )
)


def _list_start(data: bytes, at: int, end: int, name: str) -> tuple[int, int, int]:
    code = data[at] if at < end else None
    if code == 0x45:
        return 0, at + 1, at + 1
    if code not in (0xC0, 0xD0):
        raise DecodeError("wrong_type", f"the {name} section is no list", offset=at, field=name)
    return _sized(1 if code == 0xC0 else 4, data, at + 1, end)


def _fields(name: str, fields: tuple[Any, ...], data: bytes, at: int, end: int) -> tuple[list[Any], int]:
    count, at, stop = _list_start(data, at, end, name)
    if count > len(fields):
        raise DecodeError("bad_count", f"{count} fields, {name} has {len(fields)}", offset=at, field=name)
    values: list[Any] = []
    for field, wanted in fields[:count]:
        if at >= stop:
            raise _truncated(at)
        start = at
        type_, value, at = _content(data[at], data, at + 1, stop, 2)
        if type_ == "null":
            values.append(None)
        elif wanted.__class__ is tuple and type_ in wanted:
            values.append(TypedValue(type_, value))
        elif type_ == wanted:
            values.append(value)
        else:
            raise DecodeError("wrong_type", f"a {type_} in {name}.{field}", offset=start, field=f"{name}.{field}")
    if at != stop:
        raise DecodeError("bad_length", f"{stop - at} octets left over in {name}", offset=at)
    return values, stop


def _read_header(message: Message, data: bytes, at: int, end: int) -> int:
    values, at = _fields("header", _HEADER, data, at, end)
    message.header = Header(*values)
    return at


def _read_properties(message: Message, data: bytes, at: int, end: int) -> int:
    values, at = _fields("properties", _PROPERTIES, data, at, end)
    message.properties = Properties(*values)
    return at


def _entries(name: str, keys: tuple[str, ...], data: bytes, at: int, end: int) -> tuple[list[tuple[Any, TypedValue]], int]:
    code = data[at] if at < end else None
    if code not in (0xC1, 0xD1):
        raise DecodeError("wrong_type", f"the {name} section is no map", offset=at, field=name)
    count, at, stop = _sized(1 if code == 0xC1 else 4, data, at + 1, end)
    if count % 2 or count > stop - at:
        raise DecodeError("bad_count", f"a map of {count} keys and values", offset=at, field=name)
    pairs = []
    for _ in range(count // 2):
        if at >= stop:
            raise _truncated(at)
        type_, key, after = _content(data[at], data, at + 1, stop, 2)
        if type_ not in keys:
            raise DecodeError("wrong_type", f"a key of type {type_} in {name}", offset=at, field=name)
        if after >= stop:
            raise _truncated(after)
        type_, value, at = _content(data[after], data, after + 1, stop, 2)
        pairs.append((key, TypedValue(type_, value)))
    if at != stop:
        raise DecodeError("bad_length", f"{stop - at} octets left over in {name}", offset=at)
    return pairs, stop


def _annotations(name: str) -> Callable[[Message, bytes, int, int], int]:
    def read(message: Message, data: bytes, at: int, end: int) -> int:
        pairs, at = _entries(name, ("symbol", "ulong"), data, at, end)
        setattr(message, name, pairs)
        return at

    return read


def _read_application_properties(message: Message, data: bytes, at: int, end: int) -> int:
    message.application_properties, at = _entries("application_properties", ("string",), data, at, end)
    return at


def _read_data(message: Message, data: bytes, at: int, end: int) -> int:
    value, after = _value(data, at, end, 1)
    if value.type != "binary":
        raise DecodeError("wrong_type", "a data section that is no binary", offset=at, field="body")
    if message.body.__class__ is Data:
        message.body.sections.append(value.value)
    else:
        message.body = Data([value.value])
    return after


def _read_sequence(message: Message, data: bytes, at: int, end: int) -> int:
    value, after = _value(data, at, end, 1)
    if value.type != "list":
        raise DecodeError("wrong_type", "an amqp-sequence section that is no list", offset=at, field="body")
    if isinstance(message.body, AmqpSequence):
        message.body.sections.append(value.value)
    else:
        message.body = AmqpSequence([value.value])
    return after


def _read_value(message: Message, data: bytes, at: int, end: int) -> int:
    value, after = _value(data, at, end, 1)
    message.body = AmqpValue(value)
    return after


_READERS: dict[int, Callable[[Message, bytes, int, int], int]] = {
    0x70: _read_header,
    0x71: _annotations("delivery_annotations"),
    0x72: _annotations("message_annotations"),
    0x73: _read_properties,
    0x74: _read_application_properties,
    0x75: _read_data,
    0x76: _read_sequence,
    0x77: _read_value,
    0x78: _annotations("footer"),
}

# ---- writing ------------------------------------------------------------------------------------------------------------

_WIDE: dict[str, tuple[bytes, Struct]] = {
    name: (bytes((code,)), packer) for code, (name, packer) in sorted(_FIXED.items()) if code not in (0x52, 0x53, 0x54, 0x55)
}
_SMALL = {
    "uint": (b"\x52", b"\x43", 0, 255),
    "ulong": (b"\x53", b"\x44", 0, 255),
    "int": (b"\x54", b"", -128, 127),
    "long": (b"\x55", b"", -128, 127),
}
_TEXT = {"binary": (b"\xa0", b"\xb0"), "string": (b"\xa1", b"\xb1"), "symbol": (b"\xa3", b"\xb3")}


def encode(message: Message) -> bytes:
    """The sections of a message in their smallest encodings; EncodeError names the field that cannot be written.

    >>> encode(Message(body=Data([b"hi"]))).hex()
    '005375a0026869'
    """
    parts = []
    if message.header is not None:
        parts.append(b"\0\x53\x70" + _record("header", _HEADER, message.header))
    if message.delivery_annotations is not None:
        parts.append(b"\0\x53\x71" + _annotation_map("delivery_annotations", message.delivery_annotations))
    if message.message_annotations is not None:
        parts.append(b"\0\x53\x72" + _annotation_map("message_annotations", message.message_annotations))
    if message.properties is not None:
        parts.append(b"\0\x53\x73" + _record("properties", _PROPERTIES, message.properties))
    if message.application_properties is not None:
        parts.append(b"\0\x53\x74" + _property_map(message.application_properties))
    _body(parts, message.body)
    if message.footer is not None:
        parts.append(b"\0\x53\x78" + _annotation_map("footer", message.footer))
    return b"".join(parts)


def encode_body_sections(message: Message) -> bytes:
    """The body sections alone, and the footer after them where there is one."""
    return encode(Message(body=message.body, footer=message.footer))


def _body(parts: list[bytes], body: Body | None) -> None:
    if isinstance(body, Data):
        parts.extend(b"\0\x53\x75" + _plain("binary", section, f"body[{at}]") for at, section in enumerate(body.sections))
    elif isinstance(body, AmqpSequence):
        for at, section in enumerate(body.sections):
            parts.append(b"\0\x53\x76" + _write(TypedValue("list", section), f"body[{at}]", 1))
    elif isinstance(body, AmqpValue):
        parts.append(b"\0\x53\x77" + _write(body.value, "body", 1))
    elif body is not None:
        raise EncodeError("bad_value", "neither data, amqp-sequence nor amqp-value", field="body")


def _record(name: str, fields: tuple[Any, ...], section: Any) -> bytes:
    parts = []
    kept = 0
    for field, wanted in fields:
        value = getattr(section, field)
        if value is None:
            parts.append(b"\x40")
            continue
        path = f"{name}.{field}"
        if wanted.__class__ is tuple:
            if value.__class__ is not TypedValue or value.type not in wanted:
                raise EncodeError("wrong_type", f"not one of {', '.join(wanted)}", field=path)
            parts.append(_plain(value.type, value.value, path))
        else:
            parts.append(_plain(wanted, value, path))
        kept = len(parts)
    return _list(parts[:kept])


def _list(parts: list[bytes]) -> bytes:
    if not parts:
        return b"\x45"
    return _wrapped(b"\xc0", b"\xd0", len(parts), b"".join(parts))


def _wrapped(small: bytes, large: bytes, count: int, content: bytes) -> bytes:
    if len(content) < 255 and count < 256:
        return small + bytes((len(content) + 1, count)) + content
    if len(content) + 4 > 0xFFFFFFFF:
        raise EncodeError("too_large", "a value of 4 GiB or more", field="body")
    return large + _LONG.pack(len(content) + 4) + _LONG.pack(count) + content


def _annotation_map(name: str, pairs: list[tuple[str | int, TypedValue]]) -> bytes:
    parts = []
    for key, value in pairs:
        path = f'{name}["{key}"]'
        parts.append(_plain("ulong" if key.__class__ is int else "symbol", key, path))
        parts.append(_write(value, path, 2))
    return _wrapped(b"\xc1", b"\xd1", len(parts), b"".join(parts))


def _property_map(pairs: list[tuple[str, TypedValue]]) -> bytes:
    parts = []
    for key, value in pairs:
        path = f'application_properties["{key}"]'
        parts.append(_plain("string", key, path))
        parts.append(_write(value, path, 2))
    return _wrapped(b"\xc1", b"\xd1", len(parts), b"".join(parts))


def _plain(type_: str, value: Any, path: str) -> bytes:
    """A value of a type that holds no others."""
    text = _TEXT.get(type_)
    if text is not None:
        fault = AMQP10_TYPES[type_].fault(value)
        if fault is not None:
            raise EncodeError("bad_value", fault, field=path)
        octets: bytes = value if type_ == "binary" else value.encode()
        size = len(octets)
        return text[0] + bytes((size,)) + octets if size < 256 else text[1] + _LONG.pack(size) + octets
    known = AMQP10_TYPES.get(type_)
    if known is None:
        raise EncodeError("unknown_type", f"no type {type_}", field=path)
    fault = known.fault(value)
    if fault is not None:
        raise EncodeError("bad_value", fault, field=path)
    if type_ == "boolean":
        return b"\x41" if value else b"\x42"
    if type_ == "null":
        return b"\x40"
    small = _SMALL.get(type_)
    if small is not None and small[2] <= value <= small[3]:
        if value == 0 and small[1]:
            return small[1]
        return small[0] + bytes((value & 0xFF,))
    code, packer = _WIDE[type_]
    return code + _packed(packer, value, path)


def _packed(packer: Struct, value: Any, path: str) -> bytes:
    try:
        packed: bytes = packer.pack(value)
    except (StructError, OverflowError):
        raise EncodeError("bad_value", "out of range", field=path) from None
    return packed


def _write(typed: TypedValue, path: str, depth: int) -> bytes:
    type_, value = typed.type, typed.value
    if type_ not in ("list", "map", "array", "described"):
        return _plain(type_, value, path)
    if depth >= MAX_DEPTH:
        raise EncodeError("nesting", f"values nest deeper than {MAX_DEPTH}", field=path)
    fault = AMQP10_TYPES[type_].fault(value)
    if fault is not None:
        raise EncodeError("bad_value", fault, field=path)
    if type_ == "described":
        return b"\0" + _write(value.descriptor, path, depth + 1) + _write(value.value, path, depth + 1)
    if type_ == "list":
        return _list([_write(inner, f"{path}[{at}]", depth + 1) for at, inner in enumerate(value)])
    if type_ == "map":
        parts = []
        for key, inner in value:
            parts.append(_write(key, path, depth + 1))
            parts.append(_write(inner, f'{path}["{key.value}"]', depth + 1))
        return _wrapped(b"\xc1", b"\xd1", len(parts), b"".join(parts))
    return _write_array(value, path, depth)


def _write_array(array: Array, path: str, depth: int) -> bytes:
    """One constructor for all elements: the smallest that every one of them fits."""
    head = b"".join(b"\0" + _write(descriptor, path, depth + 1) for descriptor in array.descriptors)
    if array.of not in AMQP10_TYPES or array.of == "described":
        raise EncodeError("unknown_type", f"no array of {array.of}", field=path)
    written = [_write(TypedValue(array.of, value), f"{path}[{at}]", depth + 1) for at, value in enumerate(array.values)]
    code, elements = _same_constructor(array, written, path)
    return _wrapped(b"\xe0", b"\xf0", len(elements), head + code + b"".join(elements))


def _same_constructor(array: Array, written: list[bytes], path: str) -> tuple[bytes, list[bytes]]:
    codes = {element[:1] for element in written}
    if array.of == "boolean":
        return b"\x56", [b"\x01" if value else b"\x00" for value in array.values]
    if len(codes) == 1:
        return codes.pop(), [element[1:] for element in written]
    if array.of in _WIDE:
        small = _SMALL.get(array.of)
        if small and array.values and all(small[2] <= value <= small[3] for value in array.values):
            return small[0], [bytes((value & 0xFF,)) for value in array.values]
        code, packer = _WIDE[array.of]
        return code, [_packed(packer, value, path) for value in array.values]
    if array.of == "null":
        return b"\x40", [b""] * len(array.values)
    if array.of in _TEXT:
        return _TEXT[array.of][0 if not written else 1], [_large(element) for element in written]
    small_code, large_code = {"list": (0xC0, 0xD0), "map": (0xC1, 0xD1), "array": (0xE0, 0xF0)}[array.of]
    return bytes((large_code if written else small_code,)), [_large_compound(element) for element in written]


def _large(element: bytes) -> bytes:
    """The content of a variable-width value behind a length of four octets."""
    return element[1:] if element[0] >= 0xB0 else _LONG.pack(element[1]) + element[2:]


def _large_compound(element: bytes) -> bytes:
    """The content of a list, map or array behind a size and a count of four octets each."""
    if element == b"\x45":
        return _LONG.pack(4) + _LONG.pack(0)
    if element[0] in (0xC0, 0xC1, 0xE0):
        return _LONG.pack(element[1] + 3) + _LONG.pack(element[2]) + element[3:]
    return element[1:]

"""The wire forms of the three protocols as lossless trees, and the content of messages as plain tuples.

This module shares no line with the codecs of the library. It trusts only the lengths in a message, so it also reads and writes
ill-formed ones. Its forms:

* A tree keeps format codes: `(0x52, b"\\x07")` is a uint of one byte. `write_*` and `read_*` are each other's inverse.
* A view is the form for comparing two answers: place -> value, or place -> entries for maps and lists. A value is `(type,
value)`; text, decimals, uuids and floating-point numbers are their bytes.
* A view does not show absent and empty sections, sizes of encodings and trailing nulls.
"""

from collections.abc import Iterable, Iterator
from typing import Any

Node = tuple[int, Any]
"""A format code and its content: bytes, or nodes for compound values."""
View = dict[str, Any]
Typed = tuple[str, Any]


class MalformedError(Exception):
    """No message can be read from these bytes."""


# ---- AMQP 1.0 -------------------------------------------------------------------------------------------------------

DESCRIBED, NULL = 0x00, 0x40
LISTS, MAPS, ARRAYS = (0x45, 0xC0, 0xD0), (0xC1, 0xD1), (0xE0, 0xF0)
TYPES = {
    0x00: "described", 0x40: "null", 0x41: "boolean", 0x42: "boolean", 0x43: "uint", 0x44: "ulong", 0x45: "list",
    0x50: "ubyte", 0x51: "byte", 0x52: "uint", 0x53: "ulong", 0x54: "int", 0x55: "long", 0x56: "boolean", 0x60: "ushort",
    0x61: "short", 0x70: "uint", 0x71: "int", 0x72: "float", 0x73: "char", 0x74: "decimal32", 0x80: "ulong", 0x81: "long",
    0x82: "double", 0x83: "timestamp", 0x84: "decimal64", 0x94: "decimal128", 0x98: "uuid", 0xA0: "binary", 0xA1: "string",
    0xA3: "symbol", 0xB0: "binary", 0xB1: "string", 0xB3: "symbol", 0xC0: "list", 0xC1: "map", 0xD0: "list", 0xD1: "map",
    0xE0: "array", 0xF0: "array",
}  # fmt: skip
SIGNED = ("byte", "short", "int", "long", "timestamp")
UNSIGNED = ("ubyte", "ushort", "uint", "ulong", "char")
WIDTHS = {4: 0, 5: 1, 6: 2, 7: 4, 8: 8, 9: 16}
"""The size in bytes of a value of fixed width, by the upper half of its format code."""
MOST_EMPTY = 4096
"""The maximum number of zero-width elements in an array, which cost no bytes."""
FIXED = {0x41: True, 0x42: False, 0x43: 0, 0x44: 0}
HEADER = ("durable", "priority", "ttl", "first_acquirer", "delivery_count")
PROPERTIES = (
    "message_id", "user_id", "to", "subject", "reply_to", "correlation_id", "content_type", "content_encoding",
    "absolute_expiry_time", "creation_time", "group_id", "group_sequence", "reply_to_group_id",
)  # fmt: skip
SECTIONS = {
    0x70: "header", 0x71: "delivery_annotations", 0x72: "message_annotations", 0x73: "properties",
    0x74: "application_properties", 0x75: "data", 0x76: "amqp-sequence", 0x77: "amqp-value", 0x78: "footer",
}  # fmt: skip
BODY = ("data", "amqp-sequence", "amqp-value")
PLACES_OF_PAIRS = ("delivery_annotations", "message_annotations", "application_properties", "footer")
SYMBOLIC = {
    b"amqp:header:list": 0x70, b"amqp:delivery-annotations:map": 0x71, b"amqp:message-annotations:map": 0x72,
    b"amqp:properties:list": 0x73, b"amqp:application-properties:map": 0x74, b"amqp:data:binary": 0x75,
    b"amqp:amqp-sequence:list": 0x76, b"amqp:amqp-value:*": 0x77, b"amqp:footer:map": 0x78,
}  # fmt: skip


def write_value(node: Node) -> bytes:
    code, content = node
    return bytes((code,)) + _write_content(code, content)


def _write_content(code: int, content: Any) -> bytes:
    if code == DESCRIBED:
        return b"".join(map(write_value, content))
    kind = code >> 4
    if kind in WIDTHS:
        return b"" if code == 0x45 else bytes(content)
    width = 4 if code & 0x10 else 1
    if kind in (0xA, 0xB):
        return len(content).to_bytes(width) + bytes(content)
    if code in ARRAYS:
        descriptors, of, elements = content
        inside = b"".join(b"\0" + write_value(each) for each in descriptors) + bytes((of,))
        count, inside = len(elements), inside + b"".join(_write_content(of, each) for each in elements)
    else:
        count, inside = len(content), b"".join(map(write_value, content))
    return (len(inside) + width).to_bytes(width) + count.to_bytes(width) + inside


def read_value(data: bytes, at: int, depth: int = 0) -> tuple[Node, int]:
    if at >= len(data) or depth > 120:
        raise MalformedError
    content, at = _read_content(data[at], data, at + 1, depth)
    return content, at


def _read_content(code: int, data: bytes, at: int, depth: int) -> tuple[Node, int]:
    if code not in TYPES:
        raise MalformedError
    if code == DESCRIBED:
        descriptor, at = read_value(data, at, depth + 1)
        value, at = read_value(data, at, depth + 1)
        return (code, (descriptor, value)), at
    kind = code >> 4
    if kind in WIDTHS:
        end = at + WIDTHS[kind]
        if code == 0x56 and data[at:end] not in (b"\0", b"\1"):
            raise MalformedError
        return (code, [] if code == 0x45 else _slice(data, at, end)), end
    width = 4 if code & 0x10 else 1
    size = int.from_bytes(_slice(data, at, at + width))
    at += width
    if kind in (0xA, 0xB):
        return (code, _slice(data, at, at + size)), at + size
    end = at + size
    _slice(data, at, end)
    count = int.from_bytes(_slice(data, at, at + width))
    at += width
    if code in ARRAYS:
        content, at = _read_array(count, data, at, end, depth)
    else:
        content = []
        for _ in range(count):
            node, at = read_value(data, at, depth + 1)
            content.append(node)
    if at != end or (code in MAPS and count % 2):
        raise MalformedError
    return (code, content), end


def _read_array(count: int, data: bytes, at: int, end: int, depth: int) -> tuple[Any, int]:
    descriptors = []
    while at < end and data[at] == DESCRIBED:
        node, at = read_value(data, at + 1, depth + 1)
        descriptors.append(node)
    of = int.from_bytes(_slice(data, at, at + 1))
    at += 1
    if of not in TYPES or count > (MOST_EMPTY if WIDTHS.get(of >> 4) == 0 else end - at):
        raise MalformedError
    elements = []
    for _ in range(count):
        (_, content), at = _read_content(of, data, at, depth + 1)
        elements.append(content)
    return (descriptors, of, elements), at


def _slice(data: bytes, start: int, end: int) -> bytes:
    if end > len(data):
        raise MalformedError
    return data[start:end]


def write_sections(sections: Iterable[Node]) -> bytes:
    return b"".join(map(write_value, sections))


def read_sections(data: bytes) -> list[Node]:
    """Return the values of a message, without a check that they are sections."""
    found, at = [], 0
    while at < len(data):
        node, at = read_value(data, at)
        found.append(node)
    return found


def typed(node: Node) -> Typed:
    """Return the type and value, regardless of the encoding."""
    code, content = node
    return TYPES[code], _said(code, content)


def _said(code: int, content: Any) -> Any:
    type_ = TYPES[code]
    if code in FIXED:
        return FIXED[code]
    if type_ in SIGNED or type_ in UNSIGNED:
        return int.from_bytes(content, signed=type_ in SIGNED)
    if type_ in ("list", "described"):
        return tuple(map(typed, content))
    if type_ == "map":
        return tuple((typed(content[at]), typed(content[at + 1])) for at in range(0, len(content), 2))
    if type_ == "array":
        descriptors, of, elements = content
        return TYPES[of], tuple(map(typed, descriptors)), tuple(_said(of, each) for each in elements)
    return {"null": None, "boolean": content == b"\1"}.get(type_, content)


def section_name(node: Node) -> str:
    """Return the name of a section. Raises MalformedError for other values."""
    if node[0] == DESCRIBED:
        kind, descriptor = typed(node[1][0])
        code = descriptor if kind == "ulong" else SYMBOLIC.get(descriptor) if kind == "symbol" else None
        if code in SECTIONS:
            return SECTIONS[code]
    raise MalformedError


def amqp10_view(data: bytes) -> View:
    """Return the view. Places of a second section of a kind end in `#2`; `order` shows that sections are out of order."""
    return sections_view(read_sections(data))


def sections_view(sections: list[Node]) -> View:
    view: View = {}
    names: list[str] = []
    body: list[tuple[str, Any]] = []
    for node in sections:
        name, (code, content) = section_name(node), node[1][1]
        if name in BODY:
            body.append((name, typed((code, content))))
        else:
            suffix = f"#{names.count(name) + 1}" if name in names else ""
            view.update(_section_places(f"{name}{suffix}", name, code, content))
        names.append(name)
    if body:
        view["body"] = body
    ranks = [list(SECTIONS.values()).index("data" if name in BODY else name) for name in names]
    if ranks != sorted(ranks):
        view["order"] = names
    return view


def _section_places(place: str, name: str, code: int, content: Any) -> Iterator[tuple[str, Any]]:
    fields = {"header": HEADER, "properties": PROPERTIES}.get(name)
    if fields is not None and code in LISTS:
        for index, field in enumerate(content):
            if field[0] != NULL:
                yield f"{place}.{fields[index] if index < len(fields) else index}", typed(field)
    elif fields is None and code in MAPS:
        if content:
            yield place, [(typed(content[at]), typed(content[at + 1])) for at in range(0, len(content), 2)]
    else:
        yield f"{place}!", typed((code, content))


# ---- AMQP 0.9.1 -----------------------------------------------------------------------------------------------------

BASIC = (
    "content_type", "content_encoding", "headers", "delivery_mode", "priority", "correlation_id", "reply_to", "expiration",
    "message_id", "timestamp", "type", "user_id", "app_id", "cluster_id",
)  # fmt: skip
OF_BASIC = {"headers": "F", "delivery_mode": "octet", "priority": "octet", "timestamp": "T"}
LETTERS = {
    "t": "bool", "b": "byte", "B": "unsignedbyte", "s": "short", "u": "unsignedshort", "I": "signedint", "i": "unsignedint",
    "l": "long", "L": "long", "f": "float", "d": "double", "D": "decimal", "S": "longstr", "x": "binary", "A": "array",
    "T": "timestamp", "F": "table", "V": "void",
}  # fmt: skip
SIZES = {
    "t": 1, "b": 1, "B": 1, "s": 2, "u": 2, "I": 4, "i": 4, "l": 8, "L": 8, "f": 4, "d": 8, "D": 5, "T": 8, "V": 0, "octet": 1,
}  # fmt: skip
LEGACY = (b"x-amqp-1.0-properties", b"x-amqp-1.0-app-properties", b"x-amqp-1.0-message-annotations", b"x-amqp-1.0-footer")
"""Headers of RabbitMQ's old AMQP 1.0 plugin, each with an encoded section."""
Field = tuple[str, Any]
"""A letter and its content: bytes, pairs of a key and a field (F), or fields (A)."""


def write_basic(properties: Iterable[tuple[str, Any]]) -> bytes:
    """Return the property flags and list of a content header."""
    flags, content = 0, b""
    for name, value in sorted(properties, key=lambda pair: BASIC.index(pair[0])):
        flags |= 1 << 15 - BASIC.index(name)
        kind = OF_BASIC.get(name, "shortstr")
        content += bytes((len(value),)) + value if kind == "shortstr" else _write_field_content(kind, value)
    return flags.to_bytes(2) + content


def _write_field_content(letter: str, content: Any) -> bytes:
    if letter == "F":
        inside = b"".join(bytes((len(key),)) + key + write_field(field) for key, field in content)
    elif letter == "A":
        inside = b"".join(map(write_field, content))
    else:
        return (len(content).to_bytes(4) if letter in "Sx" else b"") + bytes(content)
    return len(inside).to_bytes(4) + inside


def write_field(field: Field) -> bytes:
    return field[0].encode() + _write_field_content(*field)


def read_basic(data: bytes) -> list[tuple[str, Any]]:
    flags, at = int.from_bytes(_slice(data, 0, 2)), 2
    found: list[tuple[str, Any]] = []
    for index, name in enumerate(BASIC):
        if not flags >> 15 - index & 1:
            continue
        kind = OF_BASIC.get(name, "shortstr")
        if kind == "shortstr":
            size = _slice(data, at, at + 1)[0]
            value: Any = _slice(data, at + 1, at + 1 + size)
            at += 1 + size
        else:
            value, at = _read_field_content(kind, data, at, 0)
        found.append((name, value))
    if at != len(data) or flags & 3:
        raise MalformedError
    return found


def _read_field_content(letter: str, data: bytes, at: int, depth: int) -> tuple[Any, int]:
    if letter in SIZES:
        return _slice(data, at, at + SIZES[letter]), at + SIZES[letter]
    size = int.from_bytes(_slice(data, at, at + 4))
    at += 4
    end = at + size
    inside = _slice(data, at, end)
    if letter not in LETTERS or depth > 120:
        raise MalformedError
    if letter in "Sx":
        return inside, end
    content: list[Any] = []
    while at < end:
        key = b""
        if letter == "F":
            width = data[at]
            key = _slice(data, at + 1, at + 1 + width)
            at += 1 + width
        kind = _slice(data, at, at + 1).decode("latin-1")
        value, at = _read_field_content(kind, data, at + 1, depth + 1)
        content.append((key, (kind, value)) if letter == "F" else (kind, value))
    if at != end:
        raise MalformedError
    return content, end


def said(field: Field) -> Typed:
    letter, content = field
    if letter == "t":
        return "bool", content != b"\0"
    if letter == "F":
        return "table", tuple((key, said(each)) for key, each in content)
    if letter == "A":
        return "array", tuple(map(said, content))
    if letter in "bBsuIilLT":
        return LETTERS[letter], int.from_bytes(content, signed=letter in "bsIlL")
    return LETTERS[letter], content


def amqp091_view(properties: bytes, payload: bytes) -> View:
    """Return the view. A payload of type `amqp-1.0` becomes the view of its sections, if they are readable."""
    view: View = {}
    for name, content in read_basic(properties):
        kind = OF_BASIC.get(name, "shortstr")
        if kind == "F":
            if content:
                view["basic.headers"] = [(key, said(field)) for key, field in content]
        elif kind == "shortstr":
            view[f"basic.{name}"] = kind, content
        else:
            view[f"basic.{name}"] = kind, int.from_bytes(content)
    view["payload"] = _payload(payload, encoded=view.get("basic.type") == ("shortstr", b"amqp-1.0"))
    return view


def _payload(payload: bytes, *, encoded: bool) -> Any:
    if encoded:
        try:
            return "sections", amqp10_view(payload)
        except MalformedError:
            pass
    return "bytes", payload


# ---- MQTT 5.0 -------------------------------------------------------------------------------------------------------

ONE = {
    0x01: ("payload_format_indicator", 1), 0x02: ("message_expiry_interval", 4), 0x03: ("content_type", 0),
    0x08: ("response_topic", 0), 0x09: ("correlation_data", 0), 0x23: ("topic_alias", 2),
}  # fmt: skip
USER_PROPERTY, SUBSCRIPTION = 0x26, 0x0B
AMQP_CONTENT_TYPE = b"message/vnd.rabbitmq.amqp"


def varint(number: int) -> bytes:
    made = b""
    while number > 127:
        made += bytes((number & 127 | 128,))
        number >>= 7
    return made + bytes((number,))


def write_publish(flags: int, topic: bytes, identifier: bytes, properties: Iterable[tuple[int, Any]], payload: bytes) -> bytes:
    """Return a PUBLISH; `identifier` has two bytes, or none for QoS 0. The content of a user property is a pair."""
    listed = b"".join(bytes((kind,)) + _write_property(kind, content) for kind, content in properties)
    after = len(topic).to_bytes(2) + topic + identifier + varint(len(listed)) + listed + payload
    return bytes((0x30 | flags,)) + varint(len(after)) + after


def _write_property(kind: int, content: Any) -> bytes:
    if kind == USER_PROPERTY:
        return b"".join(len(part).to_bytes(2) + part for part in content)
    if kind in ONE and not ONE[kind][1]:
        return len(content).to_bytes(2) + bytes(content)
    return bytes(content)


def read_publish(data: bytes) -> tuple[int, bytes, bytes, list[tuple[int, Any]], bytes]:
    if not data or data[0] >> 4 != 3:
        raise MalformedError
    size, at = _read_varint(data, 1)
    if at + size != len(data):
        raise MalformedError
    topic, at = _read_prefixed(data, at)
    identifier = _slice(data, at, at + (2 if data[0] & 6 else 0))
    at += len(identifier)
    size, at = _read_varint(data, at)
    end = at + size
    _slice(data, at, end)
    found: list[tuple[int, Any]] = []
    while at < end:
        kind, at = data[at], at + 1
        content: Any
        if kind == USER_PROPERTY:
            name, at = _read_prefixed(data, at)
            value, at = _read_prefixed(data, at)
            content = (name, value)
        elif kind == SUBSCRIPTION:
            number, at = _read_varint(data, at)
            content = varint(number)
        elif kind not in ONE:
            raise MalformedError
        elif ONE[kind][1]:
            content, at = _slice(data, at, at + ONE[kind][1]), at + ONE[kind][1]
        else:
            content, at = _read_prefixed(data, at)
        found.append((kind, content))
    if at != end:
        raise MalformedError
    return data[0] & 15, topic, identifier, found, data[end:]


def _read_varint(data: bytes, at: int) -> tuple[int, int]:
    value = 0
    for shift in range(0, 28, 7):
        byte = _slice(data, at, at + 1)[0]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
    raise MalformedError


def _read_prefixed(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 2 + int.from_bytes(_slice(data, at, at + 2))
    return _slice(data, at + 2, end), end


def mqtt5_view(data: bytes) -> View:
    flags, topic, _, properties, payload = read_publish(data)
    view: View = {"qos": ("bits", flags >> 1 & 3), "topic_name": ("utf8", topic)}
    view |= {name: ("bit", 1) for name, bit in (("dup", 8), ("retain", 1)) if flags & bit}
    for kind, content in properties:
        if kind == USER_PROPERTY:
            view.setdefault("user_properties", []).append((content[0], ("utf8", content[1])))
        elif kind == SUBSCRIPTION:
            view.setdefault("subscription_identifiers", []).append((b"", ("varint", _read_varint(content, 0)[0])))
        else:
            name, size = ONE[kind]
            place = f"{name}#2" if name in view else name
            view[place] = ("number", int.from_bytes(content)) if size else ("bytes", content)
    view["payload"] = _payload(payload, encoded=view.get("content_type") == ("bytes", AMQP_CONTENT_TYPE))
    return view


def view(protocol: str, parts: tuple[bytes, ...]) -> View:
    """Return the view of a message. Raises MalformedError."""
    if protocol == "amqp-0.9.1":
        return amqp091_view(*parts)
    return amqp10_view(*parts) if protocol == "amqp-1.0" else mqtt5_view(*parts)

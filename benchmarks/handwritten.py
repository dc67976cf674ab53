"""Handwritten code for one direction, AMQP 0.9.1 to AMQP 1.0, optimized for speed: the yardsticks of benchmarks/convert.py.
Both functions give the same result as the table, with the same validity checks, but no report. They are not part of the
product. They do not support the four legacy headers of the old AMQP 1.0 plugin.
"""

import re
from struct import Struct
from typing import Any

from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10.message import Data, Header, Message, Properties

URN_UUID = re.compile(r"urn:uuid:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\Z")
NUMBER = re.compile(r"[+-]?[0-9]{1,20}\Z")


class MalformedError(ValueError):
    """The bytes are not an AMQP 0.9.1 content."""


# ---- message to message ---------------------------------------------------------------------------------------------

SAME = {
    "bool": "boolean", "byte": "byte", "unsignedbyte": "ubyte", "short": "short", "unsignedshort": "ushort",
    "signedint": "int", "unsignedint": "uint", "long": "long", "float": "float", "double": "double", "binary": "binary",
    "void": "null",
}  # fmt: skip


def text(value: str | None) -> str | None:
    """Return the text of valid UTF-8, else None."""
    if value is None or value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return None
    return value


def identifier(value: str | None) -> TypedValue | None:
    if value is None:
        return None
    if len(value) == 45 and URN_UUID.match(value):
        return TypedValue("uuid", bytes.fromhex(value[9:].replace("-", "")))
    checked = text(value)
    return None if checked is None else TypedValue("string", checked)


def header_value(type_: str, value: Any) -> TypedValue | None:
    if type_ == "longstr":
        if len(value) < 256 and 0 not in value:
            try:
                return TypedValue("string", value.decode())
            except UnicodeDecodeError:
                pass
        return TypedValue("binary", value)
    if type_ in SAME:
        return TypedValue(SAME[type_], value)
    if type_ == "timestamp":
        return TypedValue("timestamp", milliseconds(value))
    if type_ == "array":
        items = [header_value(item.type, item.value) for item in value]
        return TypedValue("list", [item for item in items if item is not None])
    if type_ == "table":
        entries: dict[str, Entry] = {}
        for inner in value:
            key, made = inner.key, header_value(inner.type, inner.value)
            if made is None or text(key) is None:
                continue
            if not key.startswith("x-"):
                entries.setdefault(key, Entry(TypedValue("string", key), made.type, made.value))
            elif key.isascii():
                entries.setdefault(key, Entry(TypedValue("symbol", key), made.type, made.value))
        return TypedValue("map", list(entries.values()))
    return None


def milliseconds(seconds: int) -> int:
    made = seconds * 1000
    return made if made < 2**63 else (made + 2**63) % 2**64 - 2**63


def convert(source: Any) -> Message:
    """Return an AMQP 0.9.1 message as an AMQP 1.0 message."""
    basic = source.basic
    annotations: dict[Any, Entry] = {}
    application: dict[str, Entry] = {}
    ttl = None
    expiration = basic.expiration
    if expiration is not None and NUMBER.match(expiration):
        number = int(expiration)
        if 0 <= number < 2**32:
            ttl = number
    type_ = text(basic.type)
    if type_ is not None:
        annotations["x-basic-type"] = Entry("x-basic-type", "string", type_)
    content_type, content_encoding = basic.content_type, basic.content_encoding
    if content_type is not None and not content_type.isascii():
        content_type = None
    if content_encoding is not None and not content_encoding.isascii():
        content_encoding = None
    for typed in basic.headers or ():
        key = typed.key
        if key.startswith("x-"):
            if key.isascii() and key not in annotations:
                made = header_value(typed.type, typed.value)
                if made is not None:
                    annotations[key] = Entry(key, made.type, made.value)
        elif typed.type not in ("array", "table") and key not in application and text(key) is not None:
            made = header_value(typed.type, typed.value)
            if made is not None:
                application[key] = Entry(key, made.type, made.value)
    user_id = basic.user_id
    properties = Properties(
        identifier(basic.message_id),
        None if user_id is None else user_id.encode("utf-8", "surrogateescape"),
        None,
        None,
        text(basic.reply_to),
        identifier(basic.correlation_id),
        content_type,
        content_encoding,
        None,
        None if basic.timestamp is None else milliseconds(basic.timestamp),
        text(basic.app_id),
    )
    return Message(
        Header(basic.delivery_mode == 2, basic.priority, ttl),
        None,
        list(annotations.values()) or None,
        None if properties == Properties() else properties,
        list(application.values()) or None,
        Data([source.payload]),
    )


# ---- wire to wire -----------------------------------------------------------------------------------------------------

FRAME = Struct(">BHI").unpack_from
CONTENT = Struct(">HHQH").unpack_from
U32 = Struct(">I").unpack_from
U64 = Struct(">Q").unpack_from
PACK_U32 = Struct(">I").pack
PACK_I64 = Struct(">q").pack

CODES = {  # field letter: (bytes of the value, prefix of the value in AMQP 1.0)
    0x75: (2, b"\x60"), 0x66: (4, b"\x72"), 0x64: (8, b"\x82"), 0x62: (1, b"\x51"), 0x42: (1, b"\x50"), 0x73: (2, b"\x61"),
}  # fmt: skip


def string(raw: bytes) -> bytes:
    return bytes((0xA1, len(raw))) + raw if len(raw) < 256 else b"\xb1" + PACK_U32(len(raw)) + raw


def utf8(raw: bytes) -> bytes | None:
    """Return an AMQP 1.0 string of bytes that are UTF-8."""
    if not raw.isascii():
        try:
            raw.decode()
        except UnicodeDecodeError:
            return None
    return bytes((0xA1, len(raw))) + raw


def symbol(raw: bytes) -> bytes | None:
    return bytes((0xA3, len(raw))) + raw if raw.isascii() else None


def binary(raw: bytes) -> bytes:
    size = len(raw)
    return bytes((0xA0, size)) + raw if size < 256 else b"\xb0" + PACK_U32(size) + raw


def identifier_bytes(raw: bytes) -> bytes | None:
    if len(raw) == 45 and raw.isascii() and URN_UUID.match(raw.decode()):
        return b"\x98" + bytes.fromhex(raw[9:].decode().replace("-", ""))
    return utf8(raw)


def uint(value: int) -> bytes:
    if value < 256:
        return bytes((0x52, value)) if value else b"\x43"
    return b"\x70" + PACK_U32(value)


def composite(descriptor: bytes, fields: list[bytes | None]) -> bytes:
    while fields and fields[-1] is None:
        fields.pop()
    if not fields:
        return descriptor + b"\x45"
    raw = b"".join([field or b"\x40" for field in fields])
    return descriptor + sized(0xC0, 0xD0, len(fields), raw)


def sized(small: int, large: int, count: int, raw: bytes) -> bytes:
    size = len(raw)
    if size < 255 and count < 256:
        return bytes((small, size + 1, count)) + raw
    return bytes((large,)) + PACK_U32(size + 4) + PACK_U32(count) + raw


def convert_bytes(data: bytes) -> bytes:
    """Return the AMQP 1.0 sections of a content header frame and its body frames."""
    try:
        return _convert_bytes(data)
    except IndexError:
        raise MalformedError("truncated") from None


def _convert_bytes(data: bytes) -> bytes:
    kind, channel, size = FRAME(data, 0)
    end = 7 + size
    if kind != 2 or data[end] != 0xCE:
        raise MalformedError("frame")
    class_id, _, body_size, flags = CONTENT(data, 7)
    if class_id != 60 or flags & 3:
        raise MalformedError("content header")
    at = 21
    durable = b"\x42"
    priority = ttl = None
    annotations: dict[bytes, bytes] = {}
    application: dict[bytes, bytes] = {}
    # message-id, user-id, to, subject, reply-to, correlation-id, content type and encoding, expiry, creation time, group
    fields: list[bytes | None] = [None] * 11
    if flags & 0x8000:
        after = at + 1 + data[at]
        fields[6] = symbol(data[at + 1 : after])
        at = after
    if flags & 0x4000:
        after = at + 1 + data[at]
        fields[7] = symbol(data[at + 1 : after])
        at = after
    headers = None
    if flags & 0x2000:
        headers = at + 4
        at = headers + U32(data, at)[0]
        if at > end:
            raise MalformedError("headers")
        headers_end = at
    if flags & 0x1000:
        if data[at] == 2:
            durable = b"\x41"
        at += 1
    if flags & 0x0800:
        priority = b"\x50" + data[at : at + 1]
        at += 1
    if flags & 0x0400:
        after = at + 1 + data[at]
        fields[5] = identifier_bytes(data[at + 1 : after])
        at = after
    if flags & 0x0200:
        after = at + 1 + data[at]
        fields[4] = utf8(data[at + 1 : after])
        at = after
    if flags & 0x0100:
        after = at + 1 + data[at]
        expiration = data[at + 1 : after]
        if expiration.isascii() and NUMBER.match(expiration.decode()):
            number = int(expiration)
            if 0 <= number < 2**32:
                ttl = uint(number)
        at = after
    if flags & 0x0080:
        after = at + 1 + data[at]
        fields[0] = identifier_bytes(data[at + 1 : after])
        at = after
    if flags & 0x0040:
        fields[9] = b"\x83" + PACK_I64(milliseconds(U64(data, at)[0]))
        at += 8
    if flags & 0x0020:
        after = at + 1 + data[at]
        type_ = utf8(data[at + 1 : after])
        if type_ is not None:
            annotations[b"\xa3\x0cx-basic-type"] = type_
        at = after
    if flags & 0x0010:
        after = at + 1 + data[at]
        fields[1] = binary(data[at + 1 : after])
        at = after
    if flags & 0x0008:
        after = at + 1 + data[at]
        fields[10] = utf8(data[at + 1 : after])
        at = after
    if flags & 0x0004:
        at += 1 + data[at]
    if at != end:
        raise MalformedError("properties")
    if headers is not None:
        convert_headers(data, headers, headers_end, annotations, application)
    at += 1
    payload = []
    missing = body_size
    while missing > 0:
        kind, same, size = FRAME(data, at)
        if kind != 3 or same != channel or data[at + 7 + size] != 0xCE:
            raise MalformedError("body")
        payload.append(data[at + 7 : at + 7 + size])
        missing -= size
        at += 8 + size
    if missing or at != len(data):
        raise MalformedError("length")
    parts = [composite(b"\x00\x53\x70", [durable, priority, ttl])]
    if annotations:
        raw = b"".join([part for pair in annotations.items() for part in pair])
        parts.append(b"\x00\x53\x72" + sized(0xC1, 0xD1, 2 * len(annotations), raw))
    if fields != [None] * 11:
        parts.append(composite(b"\x00\x53\x73", fields))
    if application:
        raw = b"".join([part for pair in application.items() for part in pair])
        parts.append(b"\x00\x53\x74" + sized(0xC1, 0xD1, 2 * len(application), raw))
    parts.append(b"\x00\x53\x75" + binary(b"".join(payload)))
    return b"".join(parts)


def convert_headers(data: bytes, at: int, end: int, annotations: dict[bytes, bytes], application: dict[bytes, bytes]) -> None:
    while at < end:
        after = at + 1 + data[at]
        key = data[at + 1 : after]
        letter = data[after]
        value, at = header_bytes(data, letter, after + 1)
        if value is None:
            continue
        if key.startswith(b"x-"):
            name = symbol(key)
            if name is not None:
                annotations.setdefault(name, value)
        elif letter not in (0x41, 0x46):
            name = utf8(key)
            if name is not None:
                application.setdefault(name, value)
    if at != end:
        raise MalformedError("headers")


def header_bytes(data: bytes, letter: int, at: int) -> tuple[bytes | None, int]:
    """Return the AMQP 1.0 bytes of one field value, and the offset of the next one."""
    if letter == 0x53:
        after = at + 4 + U32(data, at)[0]
        raw = data[at + 4 : after]
        if len(raw) < 256 and 0 not in raw and utf8(raw) is not None:
            return string(raw), after
        return binary(raw), after
    if letter == 0x49:
        number = int.from_bytes(data[at : at + 4], "big", signed=True)
        return (bytes((0x54, number & 255)) if -128 <= number < 128 else b"\x71" + data[at : at + 4]), at + 4
    if letter in (0x6C, 0x4C):
        number = int.from_bytes(data[at : at + 8], "big", signed=True)
        return (bytes((0x55, number & 255)) if -128 <= number < 128 else b"\x81" + data[at : at + 8]), at + 8
    if letter == 0x74:
        return b"\x41" if data[at] else b"\x42", at + 1
    if letter in CODES:
        size, before = CODES[letter]
        return before + data[at : at + size], at + size
    if letter == 0x54:
        return b"\x83" + PACK_I64(milliseconds(U64(data, at)[0])), at + 8
    if letter == 0x69:
        return uint(U32(data, at)[0]), at + 4
    if letter == 0x78:
        after = at + 4 + U32(data, at)[0]
        return binary(data[at + 4 : after]), after
    if letter == 0x56:
        return b"\x40", at
    if letter == 0x44:
        return None, at + 5
    if letter == 0x46:
        return header_table(data, at)
    if letter == 0x41:
        return header_array(data, at)
    raise MalformedError("field type")


def header_array(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 4 + U32(data, at)[0]
    at += 4
    values = []
    while at < end:
        value, at = header_bytes(data, data[at], at + 1)
        if value is not None:
            values.append(value)
    return (sized(0xC0, 0xD0, len(values), b"".join(values)) if values else b"\x45"), end


def header_table(data: bytes, at: int) -> tuple[bytes, int]:
    end = at + 4 + U32(data, at)[0]
    at += 4
    pairs: dict[bytes, bytes] = {}
    while at < end:
        after = at + 1 + data[at]
        key = data[at + 1 : after]
        value, at = header_bytes(data, data[after], after + 1)
        name = symbol(key) if key.startswith(b"x-") else utf8(key)
        if value is not None and name is not None:
            pairs.setdefault(name, value)
    return sized(0xC1, 0xD1, 2 * len(pairs), b"".join([part for pair in pairs.items() for part in pair])), end

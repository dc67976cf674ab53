"""Files as brokers write them, built here from their documented layouts, without the readers."""

import zlib
from collections.abc import Sequence
from struct import pack
from typing import Any

TIME = 1_700_000_000_000_000_000
"""Nanoseconds since 1970."""


def nsqd(*bodies: bytes) -> bytes:
    """Return a file of go-diskqueue."""
    entries = [pack(">qH", TIME + number, 1) + b"18a7c69c3d%06d" % number + body for number, body in enumerate(bodies)]
    return b"".join(pack(">I", len(entry)) + entry for entry in entries)


def chunk(first: int, entries: Sequence[bytes], records: int | None = None, kind: int = 0) -> bytes:
    """Return a chunk of a stream (osiris_log.erl) of entries as they stand in it."""
    data = b"".join(entries)
    count = len(entries) if records is None else records
    head = pack(">BBHIqQQIII", 0x50, kind, len(entries), count, 1_700_000_000_000, 1, first, zlib.crc32(data), len(data), 7)
    return head + b"\x03\0\0\0" + b"bloom"[:3] + data + b"trailer"


def simple(message: bytes) -> bytes:
    return pack(">I", len(message)) + message


def batch(kind: int, compressed: bytes, whole: int, count: int) -> bytes:
    """Return an entry that the client compressed."""
    return pack(">BHII", 0x80 | kind << 4, count, whole, len(compressed)) + compressed


def segment(*chunks: bytes) -> bytes:
    return b"OSIL\0\0\0\1" + b"".join(chunks)


class Atom(str):
    """An atom of Erlang, to be written."""

    __slots__ = ()


def term(value: Any) -> bytes:
    """Return a term of Erlang as term_to_binary writes it."""
    return b"\x83" + _term(value)


def _term(value: Any) -> bytes:
    match value:
        case Atom():
            return b"w" + bytes((len(value.encode()),)) + value.encode()
        case bytes():
            return b"m" + pack(">I", len(value)) + value
        case float():
            return b"F" + pack(">d", value)
        case int() if 0 <= value < 256:
            return b"a" + bytes((value,))
        case int() if -(2**31) <= value < 2**31:
            return b"b" + pack(">i", value)
        case int():
            raw = abs(value).to_bytes((abs(value).bit_length() + 7) // 8, "little")
            return b"n" + bytes((len(raw), value < 0)) + raw
        case tuple():
            return b"h" + bytes((len(value),)) + b"".join(map(_term, value))
        case []:
            return b"j"
        case list():
            return b"l" + pack(">I", len(value)) + b"".join(map(_term, value)) + b"j"
        case dict():
            return b"t" + pack(">I", len(value)) + b"".join(_term(key) + _term(member) for key, member in value.items())
    raise TypeError(value)


def queue_store(*terms: bytes) -> bytes:
    """Return a `.qs` (rabbit_classic_queue_store_v2.erl); its header is 64 bytes."""
    entries = (pack(">IBHB", len(raw), 1, zlib.crc32(raw) & 0xFFFF, 0) + raw for raw in terms)
    return b"RCQS\2".ljust(64, b"\0") + b"".join(entries)


def message_store(*terms: bytes) -> bytes:
    """Return a `.rdq` (rabbit_msg_store.erl)."""
    return b"".join(pack(">Q", 16 + len(raw)) + bytes(range(16)) + raw + b"\xff" for raw in terms)


def mc(kind: str, content: Any, notes: dict[Any, Any] | None = None) -> bytes:
    """Return a message container (mc.erl) of RabbitMQ 4.0."""
    known = {Atom("id"): b"i" * 16, Atom("x"): b"ex", Atom("rk"): [b"key"], Atom("rts"): 1_795_769_444_110}
    return term((Atom("mc"), Atom(kind), content, known | (notes or {})))


def amqp091(properties: bytes, *payload: bytes) -> Any:
    protocol = Atom("rabbit_framing_amqp_0_9_1")
    return Atom("content"), 60, Atom("none"), properties, protocol, list(reversed(payload))

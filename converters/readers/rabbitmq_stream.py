"""Segments of RabbitMQ's streams (`*.segment`, osiris_log.erl): chunks of messages of AMQP 1.0.

A file begins with `OSIL` and version 1. A chunk has a header of 48 bytes, a Bloom filter, entries and a trailer; the header has
the CRC-32 of the entries. An entry is a message behind its size, or a batch that the client compressed. Where the broker was
writing, the last chunk is incomplete.
"""

import zlib
from collections.abc import Iterator
from mmap import mmap
from pathlib import Path
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from struct import unpack_from
from typing import Final, NamedTuple

from mqconvert.converters.errors import DecodeError, MqConvertError
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.readers import Broken, Entries, Format, Record
from mqconvert.converters.readers.files import Search, mapped

MAGIC: Final = b"OSIL\0\0\0\1"
HEADER: Final = 48
CHUNK: Final = 0x50
"""The first byte of a chunk: its magic 5 and version 0."""
MOST: Final = 64 * 2**20
"""The most bytes that a compressed batch may become."""


class _Chunk(NamedTuple):
    kind: int
    entries: int
    first: int
    crc: int
    data: int
    """The offset of the entries."""
    size: int
    end: int
    """The offset behind the chunk."""


def read(path: Path) -> Entries:
    """Yield the messages of one segment. A broken chunk is a Broken entry, and reading goes on at the next chunk."""
    with mapped(path) as data:
        if data[:8] != MAGIC:
            yield Broken(str(path), 0, DecodeError("bad_magic", "no segment of a stream of version 1", offset=0))
            return
        search = Search(data, CHUNK.to_bytes(), 0, _end, lambda at, _: _sound(data, at) is not None)
        at = len(MAGIC)
        while at < len(data):
            chunk = _sound(data, at)
            if chunk is not None:
                if chunk.kind == 0:  # others keep the positions of consumers
                    yield from _messages(str(path), data, chunk)
                at = chunk.end
                continue
            behind = search.next(at + 1)
            chunk = _chunk(data, at)
            if behind is None and not search.spent and (_ends(data, at) or (chunk is not None and chunk.end > len(data))):
                return
            yield Broken(str(path), at, _fault(chunk, at))
            at = len(data) if behind is None else behind


def _chunk(data: bytes | mmap, at: int) -> _Chunk | None:
    """Return the header of the chunk at an offset; None for anything else."""
    if data[at] != CHUNK or at + HEADER > len(data):
        return None
    _, kind, entries, records, _, _, first, crc, size, trailer, bloom = unpack_from(">BBHIqQQIIIB", data, at)
    if kind > 2 or entries > records or any(data[at + HEADER - 3 : at + HEADER]):  # the last three bytes are reserved
        return None
    begin = at + HEADER + bloom
    return _Chunk(kind, entries, first, crc, begin, size, begin + size + trailer)


def _end(data: bytes | mmap, at: int) -> int | None:
    """Return the offset behind the chunk at an offset; None for anything else, also if the file ends before."""
    chunk = _chunk(data, at)
    return chunk.end if chunk is not None and chunk.end <= len(data) else None


def _sound(data: bytes | mmap, at: int) -> _Chunk | None:
    """Return the header of the whole chunk at an offset whose entries have their checksum; None for anything else."""
    chunk = _chunk(data, at)
    if chunk is None or chunk.end > len(data) or zlib.crc32(data[chunk.data : chunk.data + chunk.size]) != chunk.crc:
        return None
    return chunk


def _ends(data: bytes | mmap, at: int) -> bool:
    """Return whether a file ends here: with zeros, or within a header."""
    head = data[at : at + HEADER]
    return not any(head) or (len(head) < HEADER and head[0] == CHUNK)


def _fault(chunk: _Chunk | None, at: int) -> DecodeError:
    if chunk is None:
        return DecodeError("bad_magic", "no chunk of a stream", offset=at)
    return DecodeError("bad_checksum", f"the chunk with offset {chunk.first} is broken", offset=at)


def _messages(file: str, data: bytes | mmap, chunk: _Chunk) -> Entries:
    """Yield the messages of a chunk. An entry that does not fit ends it."""
    at = chunk.data
    stop = at + chunk.size
    for _ in range(chunk.entries):
        try:
            if data[at] < 0x80:
                end = _within(at + 4 + unpack_from(">I", data, at)[0], stop)
                yield Record(file, at, "amqp-1.0", data[at + 4 : end])
            else:
                members, whole, size = unpack_from(">HII", data, at + 1)
                end = _within(at + 11 + size, stop)
                for wire in _members(data[at] >> 4 & 7, data[at + 11 : end], whole, members, at):
                    yield Record(file, at, "amqp-1.0", wire)
        except DecodeError as error:
            yield Broken(file, at, error)
        except (IndexError, StructError):
            yield Broken(file, at, DecodeError("bad_length", "an entry beyond the end of its chunk", offset=at))
            return
        at = end


def _within(end: int, stop: int) -> int:
    if end > stop:
        raise IndexError
    return end


def _members(kind: int, raw: bytes, whole: int, count: int, at: int) -> Iterator[bytes]:
    """Yield the messages of a batch that the client compressed; DecodeError if they are not there."""
    data = _decompressed(kind, raw, whole, at)
    place = 0
    for _ in range(count):
        end = place + 4 + (unpack_from(">I", data, place)[0] if place + 4 <= len(data) else len(data))
        if end > len(data):
            raise DecodeError("bad_batch", "a compressed batch ends within a message", offset=at)
        yield data[place + 4 : end]
        place = end


_CODECS: Final = {2: ("snappy", 32), 3: ("lz4", 256), 4: ("zstd", 2**15)}
"""The compressions of cramjam by their number, and the most bytes that each can make of one."""


def _decompressed(kind: int, raw: bytes, whole: int, at: int) -> bytes:
    """Return the bytes of a batch; it says itself how many, which bounds the memory."""
    if whole > MOST:
        raise DecodeError("too_large", f"a batch of {whole} bytes after decompression, the limit is {MOST}", offset=at)
    if kind == 0:
        return raw
    if kind == 1:
        return _inflated(raw, whole, at)
    if kind not in _CODECS:
        raise DecodeError("unknown_compression", f"a batch of compression {kind}", offset=at)
    name, ratio = _CODECS[kind]
    if whole > ratio * len(raw):
        raise DecodeError("bad_compression", f"{name}: {len(raw)} bytes cannot become {whole}", offset=at)
    try:
        codec = getattr(package("cramjam"), name)
    except MqConvertError as error:
        raise DecodeError("unknown_compression", f"a batch in {name}: {error.message}", offset=at) from None
    made = bytearray(whole)
    try:
        size = codec.decompress_into(raw, made)
    except Exception as error:  # noqa: BLE001 - cramjam raises errors of several classes
        raise DecodeError("bad_compression", f"{name}: {error}", offset=at) from None
    return bytes(memoryview(made)[:size])


def _inflated(raw: bytes, whole: int, at: int) -> bytes:
    try:
        return zlib.decompressobj(wbits=31).decompress(raw, whole or 1)
    except zlib.error as error:
        raise DecodeError("bad_compression", f"gzip: {error}", offset=at) from None


FORMAT = Format("rabbitmq-stream", ("amqp-1.0",), ("*.segment",), read)

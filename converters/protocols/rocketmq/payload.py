"""Compression of RocketMQ's bodies (section 7): zlib stream, LZ4 frame, zstandard frame.

Nothing states the size after decompression, so decompressors return parts, and stop at the limit.
"""

import sys
import zlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from mqconvert.converters.errors import DecodeError, EncodeError, LimitError
from mqconvert.converters.protocols.packages import package

KINDS: Final = {"LZ4": 1, "ZSTD": 2, "ZLIB": 3}
"""The types of compression in bits 8 to 10 of sysFlag."""


def kind_of(compression: str) -> int:
    """Return the type of a compression by its name in Java. EncodeError `bad_option` for another name.

    >>> kind_of("ZSTD")
    2
    """
    kind = KINDS.get(compression)
    if kind is None:
        words = f"no compression {compression[:40]!r}: one of {', '.join(KINDS)}"
        raise EncodeError("bad_option", words, field="compress")
    return kind


def compress(kind: int, body: bytes) -> bytes:
    """Return a compressed body; `kind` is the type of compression in sysFlag."""
    return _CODECS[kind][0](body)


def decompress(kind: int, body: bytes, left: int, limit: int, offset: int) -> bytes:
    """Return a decompressed body of at most `left` bytes, which remain of the call's `limit`; DecodeError otherwise.

    >>> decompress(3, compress(3, b"aaaa"), 100, 100, 0)
    b'aaaa'
    """
    if kind >= len(_CODECS):
        words = f"unknown compression type {kind} of sysFlag"
        raise DecodeError("unknown_compression", words, offset=offset, field="sys_flag")
    out = bytearray()
    try:
        for part in _CODECS[kind][1](body, left):
            out += part
            if len(out) > left:
                words = f"more than {limit} bytes in bodies after decompression"
                raise LimitError("too_large", words, limit="max_decompressed", offset=offset, field="body")
    except _WrongError as error:
        raise DecodeError("bad_compression", f"the body is not a complete {error}", offset=offset, field="body") from None
    return bytes(out)


class _WrongError(Exception):
    """A body that is not a complete stream; the text names the stream."""


def _complete(name: str, reader: Any, steps: Iterator[bytes], error: type[Exception]) -> Iterator[bytes]:
    """Yield the output of a reader step by step; _WrongError unless its stream ends with the body."""
    try:
        yield from steps
    except error:
        raise _WrongError(name) from None
    if not reader.eof or reader.unused_data:
        raise _WrongError(name)


def _zlib_parts(body: bytes, left: int) -> Iterator[bytes]:
    reader = zlib.decompressobj()
    whole = (reader.decompress(body, min(left + 1, sys.maxsize)) for _ in range(1))
    return _complete("zlib stream", reader, whole, zlib.error)


_PART = 2**18
"""Maximum output of one LZ4 step in bytes."""


def _lz4_parts(body: bytes, _left: int) -> Iterator[bytes]:
    reader = package("lz4.frame").LZ4FrameDecompressor()

    def steps() -> Iterator[bytes]:
        yield reader.decompress(body, _PART)
        while not reader.eof and not reader.needs_input:
            yield reader.decompress(b"", _PART)

    return _complete("LZ4 frame", reader, steps(), RuntimeError)


_PIECE = 256
"""Input of one zstandard step in bytes: 4 bytes can decompress to 128 KiB at once."""
_WINDOW = 2**23
"""The window that every zstandard reader supports (RFC 8878 section 3.1.1.1.2); a header may ask for much more."""


def _zstd_parts(body: bytes, _left: int) -> Iterator[bytes]:
    zstandard = package("zstandard")
    reader = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()
    steps = (reader.decompress(body[start : start + _PIECE]) for start in range(0, len(body), _PIECE))
    return _complete("zstandard frame", reader, steps, zstandard.ZstdError)


_ZLIB = (lambda body: zlib.compress(body, 5), _zlib_parts)  # the level of the Java client
_CODECS: tuple[tuple[Callable[[bytes], bytes], Callable[[bytes, int], Iterator[bytes]]], ...] = (
    _ZLIB,  # old clients leave 0
    (lambda body: bytes(package("lz4.frame").compress(body)), _lz4_parts),
    (lambda body: bytes(package("zstandard").compress(body)), _zstd_parts),
    _ZLIB,
)
"""The compressor and the decompressor by the compression type of sysFlag."""

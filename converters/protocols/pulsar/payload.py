"""Compression of Pulsar's payloads ("message metadata"): raw LZ4 block, zlib stream, zstandard frame, raw snappy block.

The metadata states the size after decompression, which limits the output.
"""

import zlib
from collections.abc import Callable

from mqconvert.converters.errors import DecodeError, LimitError
from mqconvert.converters.protocols.packages import package


def compress(name: str, payload: bytes) -> bytes:
    """Compress a payload with LZ4, ZLIB, ZSTD or SNAPPY.

    >>> decompress("LZ4", compress("LZ4", b"aaaa" * 8), 32, 100, None) == b"aaaa" * 8
    True
    """
    return _CODECS[name][0](payload)


def decompress(name: str, payload: bytes, size: int, limit: int, offset: int | None) -> bytes:
    """Decompress a payload to exactly `size` bytes; DecodeError `bad_compression` otherwise."""
    if size > limit:
        words = f"{size} bytes after decompression, the limit is {limit}"
        raise LimitError("too_large", words, limit="max_decompressed", offset=offset, field="metadata.uncompressed_size")
    try:
        raw = _CODECS[name][1](payload, size)
    except _WrongError as error:
        raise DecodeError("bad_compression", f"{name}: {error}", offset=offset, field="payload") from None
    if len(raw) != size:
        words = f"{name}: {len(raw)} bytes, the metadata say {size}"
        raise DecodeError("bad_compression", words, offset=offset, field="payload")
    return raw


class _WrongError(Exception):
    """An error of a decompressor."""


def _decompress_lz4(payload: bytes, size: int) -> bytes:
    lz4 = package("lz4.block")
    if size > 255 * len(payload):  # a compressed byte gives at most 255: refuse before allocating
        raise _WrongError(f"{len(payload)} bytes cannot hold {size}")
    try:
        return bytes(lz4.decompress(payload, uncompressed_size=size))
    except lz4.LZ4BlockError as error:
        raise _WrongError(error) from None


def _decompress_zlib(payload: bytes, size: int) -> bytes:
    """Decompress a zlib stream, which need not end: Pulsar's Java client flushes it (SYNC_FLUSH) and writes no last block."""
    decompressor = zlib.decompressobj()
    try:
        raw = decompressor.decompress(payload, size + 1)
    except zlib.error as error:
        raise _WrongError(error) from None
    if decompressor.unused_data:
        raise _WrongError("bytes after the stream")
    return raw


def _decompress_zstd(payload: bytes, size: int) -> bytes:
    zstandard = package("zstandard")
    try:
        stated = zstandard.frame_content_size(payload)
        if stated not in (-1, size):  # check before allocating the stated size
            raise _WrongError(f"the frame says {stated} bytes, the metadata {size}")
        return bytes(zstandard.ZstdDecompressor().decompress(payload, max_output_size=size or 1, allow_extra_data=False))
    except zstandard.ZstdError as error:
        raise _WrongError(error) from None


def _decompress_snappy(payload: bytes, size: int) -> bytes:
    cramjam = package("cramjam")
    try:
        stated = cramjam.snappy.decompress_raw_len(payload)
        if stated != size:  # check before allocating the stated size
            raise _WrongError(f"the block says {stated} bytes, the metadata {size}")
        return bytes(cramjam.snappy.decompress_raw(payload))
    except cramjam.DecompressionError as error:
        raise _WrongError(error) from None


_CODECS: dict[str, tuple[Callable[[bytes], bytes], Callable[[bytes, int], bytes]]] = {
    "LZ4": (lambda payload: bytes(package("lz4.block").compress(payload, store_size=False)), _decompress_lz4),
    "ZLIB": (zlib.compress, _decompress_zlib),
    "ZSTD": (lambda payload: bytes(package("zstandard").ZstdCompressor().compress(payload)), _decompress_zstd),
    "SNAPPY": (lambda payload: bytes(package("cramjam").snappy.compress_raw(payload)), _decompress_snappy),
}

"""Compressed streams of NSQ."""

import zlib

import cramjam


def compress(data: bytes, compression: str) -> bytes:
    """Return a stream of deflate, flushed like nsqd's, or of snappy."""
    if compression == "snappy":
        return bytes(cramjam.snappy.compress(data)) or b"\xff\x06\0\0sNaPpY"
    deflate = zlib.compressobj(wbits=-zlib.MAX_WBITS)
    return deflate.compress(data) + deflate.flush(zlib.Z_SYNC_FLUSH)

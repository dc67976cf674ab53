"""Compressed payloads of Pulsar: limits before memory, and errors for damaged bytes."""

import sys
import zlib
from collections.abc import Callable

import lz4.block
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError, MqConvertError
from mqconvert.converters.protocols.packages import package
from mqconvert.converters.protocols.pulsar import codec as pulsar
from tests.converters.protocols.pulsar.frames import fault, metadata_bytes, plain, send_frame


def _snappy(size: int) -> bytes:
    return bytes(package("cramjam").snappy.compress_raw(bytes(size)))


BOMBS: dict[str, Callable[[int], bytes]] = {
    "LZ4": lambda size: lz4.block.compress(bytes(size), store_size=False),
    "ZLIB": lambda size: zlib.compress(bytes(size)),
    "ZSTD": lambda size: package("zstandard").ZstdCompressor().compress(bytes(size)),
    "SNAPPY": _snappy,
}


@pytest.mark.parametrize("name", BOMBS)
def test_decompressed_size_is_limited(name: str) -> None:
    wire = send_frame(metadata_bytes(compression=name, uncompressed_size=2**20), BOMBS[name](2**20))
    assert len(pulsar.decode(wire).payload) == 2**20
    with pytest.raises(DecodeError, match="1048576 bytes after decompression, the limit is 1048575") as caught:
        pulsar.decode(wire, max_decompressed=2**20 - 1)
    assert caught.value.kind == "too_large"


@pytest.mark.parametrize("name", BOMBS)
def test_decompressed_size_of_many_frames_is_limited(name: str) -> None:
    wire = send_frame(metadata_bytes(compression=name, uncompressed_size=2**20), BOMBS[name](2**20))
    assert len(pulsar.decode_all(wire * 3, max_decompressed=3 * 2**20)) == 3
    with pytest.raises(DecodeError, match="bytes after decompression, the limit is") as caught:
        pulsar.decode_all(wire * 4, max_decompressed=3 * 2**20)
    assert caught.value.kind == "too_large"


@pytest.mark.parametrize("name", BOMBS)
@pytest.mark.parametrize("stated", [0, 1, 2**20 - 1, 2**20 + 1, 64 * 2**20, 2**32 - 1])
def test_decode_rejects_a_wrong_uncompressed_size(name: str, stated: int) -> None:
    with pytest.raises(DecodeError) as caught:
        pulsar.decode(send_frame(metadata_bytes(compression=name, uncompressed_size=stated), BOMBS[name](2**20)))
    assert caught.value.kind == ("too_large" if stated > 64 * 2**20 else "bad_compression")


@pytest.mark.parametrize("name", BOMBS)
@given(data=st.data())
def test_invalid_compressed_bytes_are_refused(name: str, data: st.DataObject) -> None:
    packed = bytearray(BOMBS[name](300))
    packed[data.draw(st.integers(0, len(packed) - 1))] = data.draw(st.integers(0, 255))
    cut = bytes(packed[: data.draw(st.integers(0, len(packed)))])
    wire = send_frame(metadata_bytes(compression=name, uncompressed_size=300), cut)
    wrong = fault(pulsar.decode, wire)
    if wrong is not None:
        assert wrong.kind == "bad_compression"
    else:
        assert len(pulsar.decode(wire).payload) == 300


@pytest.mark.parametrize("name", BOMBS)
def test_decode_rejects_bytes_after_the_compressed_data(name: str) -> None:
    wire = send_frame(metadata_bytes(compression=name, uncompressed_size=300), BOMBS[name](300) + b"\0")
    with pytest.raises(DecodeError) as caught:
        pulsar.decode(wire)
    assert caught.value.kind == "bad_compression"


def test_a_flushed_zlib_stream_without_end_is_complete() -> None:
    """Pulsar's Java client ends its streams with SYNC_FLUSH, and writes no bytes for an empty payload."""
    packer = zlib.compressobj()
    flushed = packer.compress(b"hello" * 60) + packer.flush(zlib.Z_SYNC_FLUSH)
    wire = send_frame(metadata_bytes(compression="ZLIB", uncompressed_size=300), flushed)
    assert pulsar.decode(wire).payload == b"hello" * 60
    assert pulsar.decode(send_frame(metadata_bytes(compression="ZLIB", uncompressed_size=0), b"")).payload == b""
    short = send_frame(metadata_bytes(compression="ZLIB", uncompressed_size=301), flushed)
    with pytest.raises(DecodeError, match="300 bytes, the metadata say 301"):
        pulsar.decode(short)


@pytest.mark.parametrize("name", ["lz4.block", "zstandard", "cramjam"])
def test_a_missing_compressor_is_named(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, name, None)
    codec = {"lz4.block": "LZ4", "zstandard": "ZSTD", "cramjam": "SNAPPY"}[name]
    with pytest.raises(MqConvertError, match=r"pip install 'mqconvert\[brokers\]'") as caught:
        pulsar.encode(plain(compression=codec))
    assert caught.value.code == "missing_package"

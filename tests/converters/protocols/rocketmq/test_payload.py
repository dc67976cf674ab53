"""Compressed bodies of RocketMQ: limits before memory, and errors for damaged bytes."""

import sys
import tracemalloc
import zlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.errors import DecodeError, EncodeError, MqConvertError
from mqconvert.converters.protocols.rocketmq import codec as rocketmq
from mqconvert.converters.protocols.rocketmq.message import Frame, Message
from tests.converters.protocols.rocketmq.frames import RECORD, read_or_refused
from tests.refusals import unread


def _send(sys_flag: int, body: bytes) -> bytes:
    return rocketmq.encode_frame(Frame(310, ext_fields=[("b", "t"), ("f", str(sys_flag))], body=body))


def _lz4(data: bytes) -> bytes:
    compressed: bytes = pytest.importorskip("lz4.frame").compress(data)
    return compressed


def _zstd(data: bytes) -> bytes:
    compressed: bytes = pytest.importorskip("zstandard").compress(data)
    return compressed


COMPRESSORS: dict[int, Callable[[bytes], bytes]] = {
    0x001: zlib.compress,
    0x101: _lz4,
    0x201: _zstd,
    0x301: zlib.compress,
}


@pytest.mark.parametrize("sys_flag", COMPRESSORS)
def test_decompression_bombs_stop_at_the_limit(sys_flag: int) -> None:
    wire = _send(sys_flag, COMPRESSORS[sys_flag](bytes(32 * 2**20)))
    tracemalloc.start()
    with pytest.raises(DecodeError, match="more than 1048576 bytes in bodies") as caught:
        rocketmq.decode(wire, max_decompressed=2**20)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert caught.value.kind == "too_large"
    assert peak < 16 * 2**20
    assert len(rocketmq.decode(wire, max_decompressed=32 * 2**20).body) == 32 * 2**20


def test_decompressed_size_is_limited_over_all_members() -> None:
    record = rocketmq.encode(replace(RECORD, body=bytes(2**20)), compress="ZLIB")
    send = _send(1, zlib.compress(bytes(2**20)))
    for wire in (record, send, rocketmq.encode_frame(Frame(0, flag=1, body=record))):
        assert len(rocketmq.decode_all(wire * 3, max_decompressed=3 * 2**20)) == 3
        with pytest.raises(DecodeError, match="more than 3145727 bytes in bodies") as caught:
            rocketmq.decode_all(wire * 3, max_decompressed=3 * 2**20 - 1)
        assert (caught.value.offset or 0) > 2 * len(wire)


@pytest.mark.parametrize("sys_flag", COMPRESSORS)
@pytest.mark.parametrize("damage", [lambda c: c[:-1], lambda c: c + b"x", lambda c: b"?" + c[1:], lambda _: b"x"])
def test_decode_rejects_damaged_compression(sys_flag: int, damage: Any) -> None:
    assert unread(rocketmq.decode, _send(sys_flag, damage(COMPRESSORS[sys_flag](b"some body" * 100))))[0] == "bad_compression"


@given(st.sampled_from(sorted(COMPRESSORS)), st.binary(max_size=2000), st.data())
def test_changed_compressed_bodies_are_read_or_refused(sys_flag: int, body: bytes, data: st.DataObject) -> None:
    wire = bytearray(COMPRESSORS[sys_flag](body))
    wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    read_or_refused(rocketmq.decode, _send(sys_flag, bytes(wire)))


@pytest.mark.parametrize(("name", "sys_flag"), [("LZ4", 0x101), ("ZSTD", 0x201), ("ZLIB", 0x301)])
def test_the_option_compress_sets_its_bits_and_decoding_removes_them(name: str, sys_flag: int) -> None:
    body = b"some body" * 100
    send = Message("t", body, sys_flag=4, queue_id=0, born_timestamp=1, producer_group="g")
    wire = rocketmq.encode(send, compress=name)
    [frame] = rocketmq.decode_frames(wire)
    assert (dict(frame.ext_fields or ())["f"], rocketmq.decode(wire)) == (str(4 | sys_flag), send)
    assert len(wire) < len(body)
    record = rocketmq.encode(replace(RECORD, body=body, sys_flag=4), compress=name)
    assert int.from_bytes(record[36:40], "big") == 4 | sys_flag | 0x20  # 0x20: its store host has an IPv6 address
    assert rocketmq.decode(record) == replace(RECORD, body=body, sys_flag=4)
    members = [replace(send, body=body), replace(send, body=b"")]
    batch = rocketmq.encode_batch(members, compress=name)
    assert [(one.body, one.sys_flag) for one in rocketmq.decode_all(batch)] == [(body, 4), (b"", 4)]
    [frame] = rocketmq.decode_frames(batch)
    assert dict(frame.ext_fields or ())["f"] == str(4 | sys_flag)
    empty = replace(send, body=b"")
    assert rocketmq.encode(empty, compress=name) == rocketmq.encode(empty)


@pytest.mark.parametrize("encode", [rocketmq.encode, lambda message, **more: rocketmq.encode_batch([message], **more)])
def test_an_unknown_compression_is_refused(encode: Any) -> None:
    with pytest.raises(EncodeError, match="'lz4': one of LZ4, ZSTD, ZLIB") as caught:
        encode(Message("t", b"hi"), compress="lz4")
    assert (caught.value.code, caught.value.field) == ("bad_option", "compress")


def test_the_window_claimed_by_a_header_is_not_allocated() -> None:
    pytest.importorskip("zstandard")
    frame = bytes.fromhex("28b52ffd00b8")  # a header with a window of 2 GiB, without content
    assert unread(rocketmq.decode, _send(0x201, frame))[0] == "bad_compression"


def test_the_error_for_a_missing_compressor_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    for sys_flag, module in ((0x101, "lz4.frame"), (0x201, "zstandard")):
        wire = _send(sys_flag, COMPRESSORS[sys_flag](b"body"))
        monkeypatch.setitem(sys.modules, module, None)  # None makes the import fail
        with pytest.raises(MqConvertError, match=r"pip install 'mqconvert\[brokers\]'") as caught:
            rocketmq.decode(wire)
        assert caught.value.code == "missing_package"

"""Segments of streams: compressed batches, broken chunks between good ones, and the chunk that was not finished."""

import gzip
from collections.abc import Callable
from pathlib import Path

import cramjam
import pytest

from mqconvert.converters.readers import Broken, Record, reader
from tests.converters.readers import written

MESSAGES = [b"\x00\x53\x75\xa0" + bytes((len(text),)) + text for text in (b"one", b"two", b"three")]
INNER = b"".join(map(written.simple, MESSAGES))
COMPRESSED: dict[int, Callable[[bytes], bytes]] = {
    0: bytes,
    1: gzip.compress,
    2: lambda raw: bytes(cramjam.snappy.compress(raw)),
    3: lambda raw: bytes(cramjam.lz4.compress(raw)),
    4: lambda raw: bytes(cramjam.zstd.compress(raw)),
}


def read(tmp_path: Path, raw: bytes) -> tuple[list[bytes], list[Broken]]:
    path = tmp_path / "0.segment"
    path.write_bytes(raw)
    found = list(reader("rabbitmq-stream").entries(path))
    return [entry.wire for entry in found if isinstance(entry, Record)], [entry for entry in found if isinstance(entry, Broken)]


@pytest.mark.parametrize("kind", COMPRESSED)
def test_compressed_batches_are_read(kind: int, tmp_path: Path) -> None:
    entry = written.batch(kind, COMPRESSED[kind](INNER), len(INNER), 3)
    raw = written.segment(written.chunk(0, [entry, written.simple(b"last")], records=4))
    assert read(tmp_path, raw) == ([*MESSAGES, b"last"], [])


@pytest.mark.parametrize("kind", [1, 2, 3, 4])
@pytest.mark.parametrize(
    ("raw", "whole", "count", "code"),
    [
        (b"noise", 40, 3, "bad_compression"),
        (None, 2**27, 3, "too_large"),
        (None, len(INNER), 4, "bad_batch"),
    ],
)
def test_broken_batches_are_told(kind: int, raw: bytes | None, whole: int, count: int, code: str, tmp_path: Path) -> None:
    compressed = COMPRESSED[kind](INNER) if raw is None else raw
    entries = [written.batch(kind, compressed, whole, count), written.simple(b"next")]
    found, broken = read(tmp_path, written.segment(written.chunk(0, entries, records=count + 1)))
    assert found[-1] == b"next"
    assert [each.error.code for each in broken] == [code]


def test_unknown_compressions_are_told(tmp_path: Path) -> None:
    _, broken = read(tmp_path, written.segment(written.chunk(0, [written.batch(5, b"x", 1, 1)])))
    assert [(each.position, each.error.code) for each in broken] == [(8 + 48 + 3, "unknown_compression")]


CHUNKS = [written.chunk(number, [written.simple(message)]) for number, message in enumerate(MESSAGES)]


@pytest.mark.parametrize(
    ("middle", "code"),
    [
        (CHUNKS[1][:-9] + b"\xff" + CHUNKS[1][-8:], "bad_checksum"),
        (b"\x51" + CHUNKS[1][1:], "bad_magic"),
        (b"no chunk at all", "bad_magic"),
    ],
)
def test_a_broken_chunk_is_told_and_the_next_one_read(middle: bytes, code: str, tmp_path: Path) -> None:
    found, broken = read(tmp_path, written.segment(CHUNKS[0], middle, CHUNKS[2]))
    assert found == [MESSAGES[0], MESSAGES[2]]
    assert [(each.position, each.error.code) for each in broken] == [(8 + len(CHUNKS[0]), code)]


def test_an_unfinished_chunk_at_the_end_is_no_error(tmp_path: Path) -> None:
    for size in range(1, len(CHUNKS[1])):
        assert read(tmp_path, written.segment(CHUNKS[0], CHUNKS[1][:size])) == ([MESSAGES[0]], [])


def test_an_entry_beyond_its_chunk_is_told(tmp_path: Path) -> None:
    long = written.chunk(0, [written.simple(b"ab"), b"\0\0\0\x09short"])
    found, broken = read(tmp_path, written.segment(long, CHUNKS[2]))
    assert found == [b"ab", MESSAGES[2]]
    assert [each.error.code for each in broken] == ["bad_length"]


def test_other_files_are_refused(tmp_path: Path) -> None:
    _, broken = read(tmp_path, b"OSII\0\0\0\1" + CHUNKS[0])
    assert [each.error.code for each in broken] == ["bad_magic"]


@pytest.mark.parametrize("kind", COMPRESSED)
def test_batches_that_compress_well_are_read(kind: int, tmp_path: Path) -> None:
    """A batch is not refused for becoming as large as its compression can make it."""
    large = bytes(8 * 2**20)
    whole = written.simple(large)
    raw = written.segment(written.chunk(0, [written.batch(kind, COMPRESSED[kind](whole), len(whole), 1)], records=1))
    found, broken = read(tmp_path, raw)
    assert broken == []
    assert found == [large]


def test_what_looks_like_many_large_chunks_is_given_up(tmp_path: Path) -> None:
    """Each announces the rest of the file, whose checksums together would take hours for a large file; nothing is silent."""
    head = written.chunk(0, [])[:48]
    count = 400
    heads = [head[:36] + (48 * (count - number)).to_bytes(4) + bytes(8) for number in range(1, count + 1)]
    found, broken = read(tmp_path, written.segment(*heads, CHUNKS[0]))
    assert (found, [each.position for each in broken]) == ([], [8])

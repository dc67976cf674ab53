"""The CommitLog: both magic numbers, the blank record at the end, and gaps."""

from pathlib import Path
from struct import pack

import pytest

from mqconvert import encode
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE_V2, Message
from mqconvert.converters.readers import Broken, Record, reader

PLAIN = encode(Message(topic="t", body=b"plain", frame="record"))
LONG = encode(Message(topic="t" * 200, body=b"v2", frame="record", magic=MESSAGE_MAGIC_CODE_V2))
BLANK = pack(">II", 500, 0xCBD43194)


def read(tmp_path: Path, raw: bytes) -> list[Record | Broken]:
    path = tmp_path / "00000000001073741824"
    path.write_bytes(raw)
    return list(reader("rocketmq-commitlog").entries(path))


@pytest.mark.parametrize("tail", [b"", BLANK + PLAIN, bytes(1000), b"\0\0\0"])
def test_records_are_read_up_to_the_blank_end(tail: bytes, tmp_path: Path) -> None:
    found = read(tmp_path, PLAIN + LONG + tail)
    assert [entry.wire for entry in found if isinstance(entry, Record)] == [PLAIN, LONG]
    assert len(found) == 2
    assert all(entry.maybe_settled for entry in found if isinstance(entry, Record))


def test_a_gap_is_told_and_the_next_record_found(tmp_path: Path) -> None:
    found = read(tmp_path, PLAIN + b"noise" * 3 + LONG)
    assert [type(entry) for entry in found] == [Record, Broken, Record]
    assert isinstance(found[1], Broken)
    assert (found[1].position, found[1].error.code) == (len(PLAIN), "bad_magic")


def test_a_size_beyond_the_file_is_told(tmp_path: Path) -> None:
    found = read(tmp_path, PLAIN + b"\x7f" + PLAIN[1:] + LONG)
    assert [type(entry) for entry in found] == [Record, Broken, Record]

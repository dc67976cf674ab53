"""nsqd's files: the read position beside them, and gaps between messages."""

from pathlib import Path

import pytest

from mqconvert import decode
from mqconvert.converters.readers import Broken, Record, reader
from tests.converters.readers import written

RAW = written.nsqd(b"a", b"bb", b"ccc")
SIZES = [4 + 26 + size for size in (1, 2, 3)]


def bodies(path: Path) -> list[bytes]:
    return [decode("nsq", entry.wire).body for entry in reader("nsqd").entries(path) if isinstance(entry, Record)]


@pytest.mark.parametrize(
    ("name", "meta", "wanted", "unsure"),
    [
        ("t.diskqueue.000003.dat", None, [b"a", b"bb", b"ccc"], True),
        ("t.diskqueue.000003.dat", f"2\n3,{SIZES[0]}\n3,96\n", [b"bb", b"ccc"], False),
        ("t.diskqueue.000004.dat", f"2\n3,{SIZES[0]}\n4,96\n", [b"a", b"bb", b"ccc"], False),  # not reached yet
        ("t.diskqueue.000002.dat", f"2\n3,{SIZES[0]}\n4,96\n", [b"a", b"bb", b"ccc"], True),  # read to its end
        ("t.diskqueue.000003.dat", "no numbers", [b"a", b"bb", b"ccc"], True),
        ("t.diskqueue.000003.dat.bad", f"2\n3,{SIZES[0]}\n3,96\n", [b"a", b"bb", b"ccc"], True),
        ("renamed.dat", f"2\n3,{SIZES[0]}\n3,96\n", [b"a", b"bb", b"ccc"], True),
    ],
)
def test_reading_begins_where_nsqd_stopped(
    name: str, meta: str | None, wanted: list[bytes], unsure: bool, tmp_path: Path
) -> None:
    (tmp_path / name).write_bytes(RAW)
    if meta is not None:
        (tmp_path / "t.diskqueue.meta.dat").write_text(meta)
    found = [entry for entry in reader("nsqd").entries(tmp_path / name) if isinstance(entry, Record)]
    assert bodies(tmp_path / name) == wanted
    assert {entry.maybe_settled for entry in found} == {unsure}


def test_the_frame_is_the_one_that_nsqd_sends(tmp_path: Path) -> None:
    path = tmp_path / "t.diskqueue.000000.dat"
    path.write_bytes(written.nsqd(b"hi"))
    [entry] = reader("nsqd").entries(path)
    assert isinstance(entry, Record)
    assert entry.wire == bytes.fromhex("00000020 00000002") + written.nsqd(b"hi")[4:]


@pytest.mark.parametrize("gap", [b"junk", b"\xff" * 50, bytes(64), b"\x00\x00\x00\x05short", b"0123456789abcdef" * 4])
def test_a_gap_is_told_and_the_next_message_found(gap: bytes, tmp_path: Path) -> None:
    path = tmp_path / "t.diskqueue.000000.dat.bad"
    path.write_bytes(RAW[: SIZES[0]] + gap + RAW[SIZES[0] :])
    found = list(reader("nsqd").entries(path))
    assert bodies(path) == [b"a", b"bb", b"ccc"]
    [broken] = [entry for entry in found if isinstance(entry, Broken)]
    assert (broken.position, broken.error.code) == (SIZES[0], "bad_length")
    assert str(broken) == f"{path}: byte {SIZES[0]}: {len(gap)} bytes that are no message of nsqd [bad_length]"


def test_zeros_before_noise_are_no_end(tmp_path: Path) -> None:
    path = tmp_path / "t.diskqueue.000000.dat"
    path.write_bytes(RAW + bytes(100) + b"noise")
    assert [str(entry) for entry in reader("nsqd").entries(path) if isinstance(entry, Broken)] == [
        f"{path}: byte {len(RAW)}: 105 bytes that are no message of nsqd [bad_length]"
    ]

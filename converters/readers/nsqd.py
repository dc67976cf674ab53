"""Files of nsqd's queues on disk (go-diskqueue): `TOPIC.diskqueue.NUMBER.dat`, and `.dat.bad`, which nsqd gave up reading.

An entry is a length of 4 bytes, then a message as nsqd sends it: timestamp 8, attempts 2, id 16, body. Files are written ahead
and not cut. `TOPIC.diskqueue.meta.dat` beside them has the position up to which messages were read.
"""

import re
from mmap import mmap
from pathlib import Path
from struct import pack, unpack_from
from typing import Final

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.protocols.nsq.message import MESSAGE
from mqconvert.converters.readers import Broken, Entries, Format, Record
from mqconvert.converters.readers.files import mapped, only_zeros

HEAD: Final = 26
"""Bytes of a message before its body."""
LARGEST: Final = 64 * 2**20
"""The most bytes of a message that are believed."""
_NAME: Final = re.compile(r"(.+)\.diskqueue\.(\d+)\.dat")
_META: Final = re.compile(rb"\s*-?\d+\s+(\d+),(\d+)\s+(\d+),(\d+)\s*")
_ID: Final = re.compile(rb"[0-9a-f]{16}")
_TIMES: Final = (10**18, 4 * 10**18)
"""Nanoseconds since 1970 that are believed: from 2001 to 2096."""


def read(path: Path) -> Entries:
    """Yield the messages of one file, from the position up to which they were read if that is known.

    After bytes that are no message, the next one is searched, and the gap is a Broken entry. Zeros up to the end are none.
    """
    start, known = _begin(path)
    with mapped(path) as data:
        at = min(start, len(data))
        while at < len(data):
            end = _end(data, at)
            if end is not None:
                yield Record(str(path), at, "nsq", pack(">II", end - at, MESSAGE) + data[at + 4 : end], not known)
                at = end
                continue
            behind = _next(data, at + 1)
            if behind is None and only_zeros(data, at):
                return
            gap = len(data) - at if behind is None else behind - at
            yield Broken(str(path), at, DecodeError("bad_length", f"{gap} bytes that are no message of nsqd", offset=at))
            at += gap


def _begin(path: Path) -> tuple[int, bool]:
    """Return the position of the first message that was not read, and whether that is known."""
    name = _NAME.fullmatch(path.name)
    if name is None:
        return 0, False
    meta = path.with_name(f"{name[1]}.diskqueue.meta.dat")
    found = _META.fullmatch(meta.read_bytes()[:200]) if meta.is_file() else None
    if found is None or int(name[2]) < int(found[1]):
        return 0, False
    return (int(found[2]) if int(name[2]) == int(found[1]) else 0), True


def _end(data: bytes | mmap, at: int) -> int | None:
    """Return the offset behind the message at an offset; None for anything else."""
    if at + 4 + HEAD > len(data):
        return None
    size, time = unpack_from(">iq", data, at)
    end: int = at + 4 + size
    if not HEAD <= size <= LARGEST or end > len(data) or not _TIMES[0] <= time <= _TIMES[1]:
        return None
    return end if _ID.fullmatch(data[at + 14 : at + 30]) else None


def _next(data: bytes | mmap, at: int) -> int | None:
    """Return the offset of the next message from an offset on: found by its id, which is hexadecimal."""
    found = _ID.search(data, at + 14)
    while found is not None:
        start = found.start() - 14
        if _end(data, start) is not None:
            return start
        found = _ID.search(data, found.start() + 1)
    return None


FORMAT = Format(
    "nsqd",
    ("nsq",),
    ("*.diskqueue.*[0-9].dat", "*.dat.bad"),
    read,
    ("nsqd: without TOPIC.diskqueue.meta.dat beside a file, messages that were consumed may be among its messages",),
)

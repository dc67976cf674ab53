"""RocketMQ's CommitLog: stored records one after the other, in files of a fixed size whose names are 20 digits.

A record begins with its size and a magic number. A record of the blank magic fills the rest of a file; zeros end it, too.
"""

import re
from mmap import mmap
from pathlib import Path
from struct import unpack_from
from typing import Final

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE, MESSAGE_MAGIC_CODE_V2
from mqconvert.converters.readers import Broken, Entries, Format, Record
from mqconvert.converters.readers.files import mapped

BLANK: Final = 0xCBD43194
"""The magic number of the rest of a file (CommitLog.BLANK_MAGIC_CODE)."""
LEAST: Final = 88
"""Bytes of a record without body, topic and properties."""
_MAGICS: Final = (MESSAGE_MAGIC_CODE, MESSAGE_MAGIC_CODE_V2)
_MAGIC: Final = re.compile(b"|".join(re.escape(magic.to_bytes(4)) for magic in _MAGICS))


def read(path: Path) -> Entries:
    """Yield the records of one file. After bytes that are none, the next one is searched, and the gap is a Broken entry."""
    with mapped(path) as data:
        at = 0
        while at + 8 <= len(data):
            size, magic = unpack_from(">II", data, at)
            if magic == BLANK or not size | magic:
                return
            if magic in _MAGICS and LEAST <= size <= len(data) - at:
                yield Record(str(path), at, "rocketmq", data[at : at + size], maybe_settled=True)
                at += size
                continue
            behind = _next(data, at + 1)
            yield Broken(str(path), at, DecodeError("bad_magic", f"{behind - at} bytes that are no record", offset=at))
            at = behind


def _next(data: bytes | mmap, at: int) -> int:
    """Return the offset of the next record from an offset on, or of the end."""
    found = _MAGIC.search(data, at + 4)
    return len(data) if found is None else found.start() - 4


FORMAT = Format(
    "rocketmq-commitlog",
    ("rocketmq",),
    ("[0-9]" * 20,),
    read,
    ("rocketmq-commitlog: records stay after they were consumed; consumers' positions are in other files",),
)

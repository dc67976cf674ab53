"""What readers share about files: local paths, files in memory, and the search behind what is broken.

The operating system maps files into memory: a reader asks for parts, and takes no more memory than these.
"""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path


def local_path(path: str) -> Path:
    """Return a local path of a path or `file:` URI.

    >>> local_path("file:///a b#1"), local_path("a b/c")
    (PosixPath('/a b#1'), PosixPath('a b/c'))
    """
    bare = path.removeprefix("file:")
    return Path(bare if bare == path else "/" + bare.lstrip("/"))  # Hadoop does not decode such URIs either


@contextmanager
def mapped(path: Path) -> Iterator[bytes | mmap]:
    """Give the bytes of a file. Slices of them are bytes.

    >>> with mapped(Path(__file__)) as data:
    ...     data[:3]
    b'\"\"\"'
    """
    with path.open("rb") as file:
        if not file.seek(0, 2):  # an empty file cannot be mapped
            yield b""
            return
        with mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            yield data


_BYTE = re.compile(rb"[^\0]")


def only_zeros(data: bytes | mmap, at: int) -> bool:
    """Return whether zeros alone follow from an offset on, as in files that brokers make large beforehand.

    >>> only_zeros(bytes([1, 0, 0]), 1), only_zeros(bytes([1, 0, 0]), 0)
    (True, False)
    """
    return _BYTE.search(data, at) is None


Ends = Callable[[bytes | mmap, int], int | None]
"""The offset behind the entry at an offset, as its header says; None for anything else."""
PASSES = 8
"""How often the bytes of a file may be read to check entries that turn out to be none."""


class Search:
    """Finds sound entries by a mark some bytes behind their beginning.

    Bytes may look like many large entries, each of which costs a checksum. Once these cost PASSES times the file, the search is
    `spent`, and finds nothing more: no file takes longer than in proportion to its size.
    """

    def __init__(self, data: bytes | mmap, mark: bytes, behind: int, ends: Ends, sound: Callable[[int, int], bool]) -> None:
        self._data, self._mark, self._behind, self._ends, self._sound = data, mark, behind, ends, sound
        self._left = PASSES * len(data)

    @property
    def spent(self) -> bool:
        """Whether the search was given up."""
        return self._left < 0

    def next(self, at: int) -> int | None:
        """Return the offset of the next sound entry from an offset on."""
        found = self._data.find(self._mark, at + self._behind)
        while found >= 0 and not self.spent:
            start = found - self._behind
            end = self._ends(self._data, start)
            if end is not None:
                if self._sound(start, end):
                    return start
                self._left -= end - start
            found = self._data.find(self._mark, found + 1)
        return None

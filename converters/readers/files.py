"""Files in memory, as the operating system maps them: a reader asks for parts, and takes no more memory than these."""

from collections.abc import Iterator
from contextlib import contextmanager
from mmap import ACCESS_READ, mmap
from pathlib import Path


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

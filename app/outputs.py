"""Files that appear only when they are complete."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import BinaryIO


@contextmanager
def replacing(path: Path) -> Iterator[BinaryIO]:
    """Open a file that takes the place of `path` at the end of the context, or is removed if that raises.

    It is beside `path` under a name of its own, so that it overwrites no other file and no other command writes it. Raises
    OSError with the name of `path`.
    """
    beside = path.with_name(f".mqconvert-{token_hex(8)}")
    try:
        file = beside.open("xb")
        try:
            with file:
                yield file
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
    except OSError as error:
        if error.filename == os.fspath(beside):
            error.filename, error.filename2 = os.fspath(path), None  # the only name that people know
        raise

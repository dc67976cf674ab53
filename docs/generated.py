"""Write generated files, or compare them with the committed ones."""

import re
import sys
from collections.abc import Mapping
from pathlib import Path


def write_or_check(folder: Path, pattern: str, made: Mapping[str, str | bytes], arguments: list[str]) -> int:
    """Write `made` (names below `folder` to contents) or, with --check, compare: 1 if a file differs, is missing or left over.

    All files of `folder` that match `pattern` are generated; a file that is not in `made` is left over.
    """
    contents = {name: content.encode() if isinstance(content, str) else content for name, content in made.items()}
    there = {file.relative_to(folder).as_posix() for file in folder.glob(pattern)}
    if "--check" in arguments:
        stale = sorted(str(folder / name) for name in contents.keys() | there if contents.get(name) != _content(folder / name))
        if stale:
            print(f"stale: {', '.join(stale)}; run make generate", file=sys.stderr)
        return 1 if stale else 0
    for name in there - contents.keys():
        (folder / name).unlink()
    for name, content in contents.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)
    return 0


def anchor(heading: str) -> str:
    """Return the anchor that GitHub gives a heading.

    >>> anchor("I have an archive in Parquet, and no Spark")
    'i-have-an-archive-in-parquet-and-no-spark'
    """
    return re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def _content(file: Path) -> bytes | None:
    return file.read_bytes() if file.exists() else None

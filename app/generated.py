"""Write generated files, or compare them with the committed ones."""

import sys
from collections.abc import Mapping
from pathlib import Path


def write_or_check(folder: Path, pattern: str, made: Mapping[str, str], arguments: list[str]) -> int:
    """Write `made` (names below `folder` to texts) or, with --check, compare: 1 if a file differs, is missing or left over.

    All files of `folder` that match `pattern` are generated; a file that is not in `made` is left over.
    """
    there = {file.relative_to(folder).as_posix() for file in folder.glob(pattern)}
    if "--check" in arguments:
        stale = sorted(str(folder / name) for name in made.keys() | there if made.get(name) != _text(folder / name))
        if stale:
            print(f"stale: {', '.join(stale)}; run make generate", file=sys.stderr)
        return 1 if stale else 0
    for name in there - made.keys():
        (folder / name).unlink()
    for name, text in made.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return 0


def _text(file: Path) -> str | None:
    return file.read_text(encoding="utf-8") if file.exists() else None

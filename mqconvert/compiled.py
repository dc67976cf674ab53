"""Choose compiled modules (by mypyc) or their sources, once, before the first of them is imported.

`make speed` and the distribution mqconvert-speed put compiled modules beside the sources, and `compiled.json`, which has the
digest of each source. They run unless MQCONVERT_PURE=1 is set. If one source has changed since, all are refused, since they
call one another directly.
"""

import os
import sys
from importlib.machinery import EXTENSION_SUFFIXES, SOURCE_SUFFIXES, FileFinder, ModuleSpec, PathFinder, SourceFileLoader

TYPE_CHECKING = False  # for type checkers; importing `typing` would take a fifth of the time of `import mqconvert`
if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType
    from typing import Any

FOLDER = os.path.dirname(__file__)  # noqa: PTH120 - importing pathlib takes longer than this module


def digest(data: bytes) -> str:
    """Return the SHA-256 digest of a source, as compiled.json has it, or of other bytes.

    >>> digest(b"")[:8]
    'e3b0c442'
    """
    try:
        # Python's own, as in its module random: hashlib loads OpenSSL.
        from _sha2 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415 - only compiled modules and tables need it
    except ImportError:
        try:
            from _sha256 import sha256  # type: ignore[import-not-found]  # noqa: PLC0415 - before Python 3.12
        except ImportError:
            from hashlib import sha256  # noqa: PLC0415 - for a Python without them
    found: str = sha256(data).hexdigest()
    return found


class Sources:
    """A finder that imports the modules of converters/ from their sources, even where compiled ones lie beside them.

    `make speed` puts those in place one after the other, and its manifest last.
    """

    def __init__(self) -> None:
        self.finders: dict[str, FileFinder] = {}

    def find_spec(self, name: str, path: "Sequence[str] | None", _target: "ModuleType | None" = None) -> ModuleSpec | None:
        if not name.startswith("mqconvert.converters."):
            return None
        for folder in path or ():
            finder = self.finders.get(folder)
            if finder is None:
                finder = self.finders[folder] = FileFinder(folder, (SourceFileLoader, SOURCE_SUFFIXES))
            if (found := finder.find_spec(name)) is not None:
                return found
        return None


def _manifest() -> "dict[str, Any]":
    """Return the content of compiled.json; empty if the file is missing or for another Python."""
    try:
        text = _read("compiled.json")
    except OSError:  # no manifest: nothing is compiled, or the package is in a zip file
        return {}
    import json  # noqa: PLC0415 - as in digest

    manifest: dict[str, Any] = json.loads(text)
    return manifest if manifest["suffix"] == EXTENSION_SUFFIXES[0] else {}


def _read(name: str) -> bytes:
    """Return the bytes of a file of the package."""
    with open(os.path.join(FOLDER, name), "rb") as file:  # noqa: PTH118, PTH123 - as for FOLDER
        return file.read()


def _changed(sources: dict[str, str]) -> str | None:
    """Return the first file whose digest differs from the manifest."""
    for file, known in sources.items():
        try:
            found = digest(_read(file))
        except OSError:
            return file
        if found != known:
            return file
    return None


def _in_subinterpreter() -> bool:
    """Return whether this is not the first interpreter of its process: mypyc's modules have one state for all."""
    for name in ("_interpreters", "_xxsubinterpreters"):  # from 3.13 on, and before
        try:
            interpreters = __import__(name)
        except ImportError:
            continue
        return bool(interpreters.get_current() != interpreters.get_main())
    return False


def _decide() -> str:
    """Return the description of the modules that run."""
    why = "MQCONVERT_PURE=1" if os.environ.get("MQCONVERT_PURE") == "1" else None
    manifest = _manifest() if why is None else {}
    if why is None and not manifest:
        why = "make speed compiles them"
    if why is None and PathFinder.find_spec("librt") is None:
        why = "the package librt is missing, which compiled modules need"
    if why is None and _in_subinterpreter():
        why = "they do not load in a subinterpreter"
        sys.stderr.write(f"mqconvert: the sources run, not the compiled modules: {why}\n")
    if why is None and (changed := _changed(manifest["sources"])) is not None:
        why = f"{changed} has changed since it was compiled"
        sys.stderr.write(f"mqconvert: the sources run, not the compiled modules: {why} (make speed)\n")
    if why is None:
        return "compiled modules"
    sys.meta_path.insert(0, Sources())
    return f"sources ({why})"


RUNNING = _decide()
"""The modules that run, for people; the text begins with "compiled" for compiled ones."""


def is_compiled() -> bool:
    """Return whether compiled modules run.

    >>> is_compiled() or "sources" in RUNNING
    True
    """
    return RUNNING.startswith("compiled")

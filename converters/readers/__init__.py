"""Readers of the files that brokers leave on disk: the registry of their formats, and what a reader gives.

A format is one module here: it has `FORMAT`, whose `read` yields each message of one file as wire bytes of its own protocol,
and the error of each entry that is broken. Formats of other packages are found by the entry point group `mqconvert.readers`,
whose entries name a Format; they are looked up for an unknown name or for the list of names, never on import.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from operator import attrgetter
from pathlib import Path

from mqconvert.converters.errors import ConversionError, DecodeError, did_you_mean

ENTRY_POINTS = "mqconvert.readers"
MODULES = {
    "rabbitmq-stream": "rabbitmq_stream",
    "rabbitmq-classic": "rabbitmq_classic",
    "rabbitmq-get": "rabbitmq_get",
    "nsqd": "nsqd",
    "rocketmq-commitlog": "rocketmq_commitlog",
}
"""Our formats, and the modules here whose FORMAT they are."""


@dataclass(frozen=True, slots=True)
class Record:
    """A message in a file: `wire` are its bytes in `protocol`, `position` is the offset of its entry in bytes.

    `maybe_settled`: a consumer may have had it before the file was left.
    """

    file: str
    position: int
    protocol: str
    wire: bytes
    maybe_settled: bool = False


@dataclass(frozen=True, slots=True)
class Broken:
    """An entry, or bytes between entries, that are no message; `position` is the offset in bytes."""

    file: str
    position: int
    error: DecodeError

    def __str__(self) -> str:
        return f"{self.file}: byte {self.position}: {self.error.message} [{self.error.code}]"


Entries = Iterator[Record | Broken]


@dataclass(frozen=True, slots=True)
class Format:
    """A format of files: the protocols of its messages, the patterns of its files' names in a folder, and what reads a file.

    `notes`: what people have to know about messages that are `maybe_settled`, a line each. `looks_like` returns words for bytes
    that are easily taken for another input, if they are of this format; None for others.
    """

    name: str
    protocols: tuple[str, ...]
    patterns: tuple[str, ...]
    read: Callable[[Path], Entries]
    notes: tuple[str, ...] = ()
    looks_like: Callable[[bytes], str | None] = lambda _: None

    def files(self, path: str | Path) -> list[Path]:
        """Return the files of this format at a path: itself, or those in the folder and below it, sorted by name.

        Raises FileNotFoundError if there are none.
        """
        place = Path(path)
        if place.is_file():
            return [place]
        found = sorted({file for pattern in self.patterns for file in place.rglob(pattern) if file.is_file()})
        if not found:
            what = f"there is no file of {self.name} in" if place.is_dir() else "there is no file"
            raise FileNotFoundError(f"{what} {place}")
        return found

    def entries(self, path: str | Path) -> Entries:
        """Yield the messages and broken entries of a file, or of all files in a folder. Raises OSError.

        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     _ = Path(folder, "orders.diskqueue.000000.dat").write_bytes(bytes.fromhex("0000001c18eb3a77345a46500001") +
        ...         b"018a7c69c3d66900hi")
        ...     [(entry.position, entry.wire[-2:]) for entry in reader("nsqd").entries(folder)]
        [(0, b'hi')]
        """
        for file in self.files(path):
            yield from self.read(file)


_others: dict[str, Format] = {}
_faults: dict[str, str] = {}
"""Why the formats of packages cannot be used, by the names of their entry points: nobody else has to suffer from them."""


@cache
def _complete() -> None:
    """Look up the formats of installed packages, once."""
    from importlib.metadata import entry_points  # noqa: PLC0415 - takes longer than the rest of the import

    for entry in sorted(entry_points(group=ENTRY_POINTS), key=attrgetter("name")):
        try:
            found = entry.load()
        except Exception as error:  # noqa: BLE001 - the import of a package may raise anything; `reader` tells it
            found = error
        if isinstance(found, Format) and found.name not in MODULES:
            _others[found.name] = found
        else:
            taken = "its name is there already" if isinstance(found, Format) else "no Format"
            words = str(found) if isinstance(found, Exception) else taken
            _faults[entry.name] = f"the entry point {entry.name!r} ({entry.value}): {words}"


def formats() -> tuple[str, ...]:
    """Return the names of all formats, those of installed packages last, also of those that cannot be loaded.

    >>> formats()[:2]
    ('rabbitmq-stream', 'rabbitmq-classic')
    """
    _complete()
    return (*MODULES, *_others, *_faults)


def reader(name: str) -> Format:
    """Return the format of that name. Raises ConversionError `bad_option` for an unknown one, or one that cannot be loaded.

    >>> reader("nsqd").protocols
    ('nsq',)
    >>> reader("nsq-files")
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.ConversionError: unknown format 'nsq-files'; known: rabbitmq-stream, ...
    """
    if name not in MODULES and name not in _others:
        _complete()
    if name in _faults:
        raise ConversionError(_faults[name], code="bad_option")
    if name in _others:
        return _others[name]
    if name not in MODULES:
        known = formats()
        words = f"unknown format {name!r}{did_you_mean(name, known)}; known: {', '.join(known)}"
        raise ConversionError(words, code="bad_option")
    found: Format = import_module(f"{__name__}.{MODULES[name]}").FORMAT
    return found

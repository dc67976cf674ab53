"""Files as ends of a move: JSON lines to read, with a kept position, and to append to; what brokers left; refused messages."""

import errno
import hashlib
import json
import os
import stat
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import BufferedReader, RawIOBase
from itertools import chain, pairwise
from pathlib import Path
from select import select
from threading import Condition
from typing import TYPE_CHECKING, Any, BinaryIO

from mqconvert import decode, encode
from mqconvert.app.inputs import is_piped, stored
from mqconvert.app.lines import TooLong, parsed, read_line, unbase64, written
from mqconvert.app.move.window import StopError
from mqconvert.app.outputs import replacing
from mqconvert.converters.choices import Choices
from mqconvert.converters.clients.ends import Address, DownError, Window
from mqconvert.converters.errors import DecodeError, EncodeError, MqConvertError
from mqconvert.converters.model.base64text import to_base64
from mqconvert.converters.model.primitives import text_or_none
from mqconvert.converters.pipeline import Pipeline
from mqconvert.converters.readers import Broken, Format, Record

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

HEAD = 2**16
"""Bytes at the beginning of a file that tell it from another one."""
LONGEST_LINE = 2**30
"""Bytes of a line: in base64, RabbitMQ's largest messages have 512 MiB."""
HEADS = (b'{"wire":"', b'{"raw":"')
"""The beginnings of the lines that targets and files of refused messages have."""
NAP = 0.2
"""Seconds between looks at a file that may grow."""
STANDARD = "-"
"""The name of standard input or output."""


class FileError(DownError):
    """A file cannot be read or written, as on a full disk: that ends a move, also one that follows."""


@contextmanager
def _failing(path: str | Path) -> Iterator[None]:
    """Raise FileError for an OSError of the `with` block, so that no other try is made."""
    try:
        yield
    except OSError as error:
        raise FileError(f"{path}: {error.strerror or error}", final=True) from error


class State:
    """The position up to which a file's messages are settled, kept in a file of its own. Raises OSError for another file's.

    A digest of the file's beginning tells files apart: a file may be renamed, and another one under its name is found.
    """

    def __init__(self, path: str, file: str) -> None:
        self._path = Path(path)
        self._file = Path(file)
        self.position = 0
        if self._path.exists():
            self.position = self._read()

    def _read(self) -> int:
        try:
            known = json.loads(self._path.read_bytes())
            position, digest = known["position"], known["digest"]
        except (KeyError, RecursionError, TypeError, ValueError):
            position = digest = None
        if type(position) is not int or position < 0 or not isinstance(digest, str):
            raise OSError(f"{self._path} was not written by --state")
        if self._file.stat().st_size < position or digest != self._digest(position):
            raise OSError(f"{self._path} belongs to another file than {self._file}")
        return position

    def _digest(self, position: int) -> str:
        with self._file.open("rb") as file:
            return hashlib.sha256(file.read(min(position, HEAD))).hexdigest()

    def save(self, position: int) -> None:
        """Keep a position. After a crash there is the old one or the new one. FileError if it cannot be kept."""
        with _failing(self._path), replacing(self._path) as file:
            file.write(json.dumps({"position": position, "digest": self._digest(position)}).encode())
            file.flush()
            os.fsync(file.fileno())
        self.position = position


class _Piped(RawIOBase):
    """Reads standard input or a named pipe until `ended`: nothing else wakes a thread that waits for one."""

    def __init__(self, path: str, ended: Callable[[], bool]) -> None:
        self._own = path != STANDARD
        self._number = os.open(path, os.O_RDONLY) if self._own else sys.stdin.fileno()
        self._ended = ended

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        while not self._ended():
            if select([self._number], [], [], NAP)[0]:
                return os.readv(self._number, [buffer])
        return 0

    def close(self) -> None:
        if self._own and not self.closed:
            os.close(self._number)
        super().close()


class FileSource:
    """Gives the messages of JSON lines. Tokens count them.

    With a State, a message counts as unsettled until its position is saved, so that no more than these come again after a kill.
    """

    def __init__(
        self, path: str, protocol: str, state: State | None = None, max_line: int = LONGEST_LINE, *, follow: bool = False
    ) -> None:
        self._path = path
        self._pipeline: Pipeline[None] = Pipeline(Choices(), protocol, protocol, lambda _: None)
        self._state = state
        self._max_line = max_line
        self._follow = follow and not is_piped(path)
        self._changed = Condition()
        self._given: deque[tuple[int, int]] = deque()  # a token, and the position once it is settled
        self._settled = 0 if state is None else state.position
        self._unsaved = self._count = 0
        self._from_start = self._settled == 0
        self._allowed = 1
        self._stopped = self._closed = False

    def run(self, window: Window) -> None:
        self._allowed = window.opened(self)
        with _failing(self._path):
            self._give_all(window)
        with self._changed:
            self._changed.wait_for(lambda: self._closed or not self._given)
            self._save()

    def _give_all(self, window: Window) -> None:
        with BufferedReader(_Piped(self._path, self._ended)) if is_piped(self._path) else Path(self._path).open("rb") as file:
            if self._state is not None:
                file.seek(self._settled)
            for number, (start, end, line) in enumerate(self._lines(file, self._settled), 1):
                self._give(window, start, end, line, self._place(number, start))

    def _place(self, number: int, start: int) -> dict[str, object]:
        """Return the place of a line that was read as the `number`th. Behind a kept position, only its first byte is known."""
        name = "standard input" if self._path == STANDARD else self._path
        return {"file": name, "line": number} if self._from_start else {"file": name, "position": start}

    def _lines(self, file: BinaryIO, position: int) -> Iterator[tuple[int, int, bytes | TooLong]]:
        """Yield each line between its positions. The last one may lack its end, unless the file may grow."""
        while self._may_read():
            start = position
            line = file.readline(self._max_line + 1)
            if self._follow and len(line) <= self._max_line and not line.endswith(b"\n"):
                file.seek(start)
                self._save_all()
                time.sleep(NAP)
                continue
            if not line or (self._stopped and not line.endswith(b"\n")):  # the rest of that line may be still to come
                return
            long = len(line) > self._max_line and not line.endswith(b"\n")
            position += len(line)
            while long and line and not line.endswith(b"\n"):
                line = file.readline(HEAD)  # skip a long line in pieces, to save memory
                position += len(line)
            yield start, position, TooLong(self._max_line) if long else line

    def _ended(self) -> bool:
        return self._stopped

    def _may_read(self) -> bool:
        """Wait until another message may be in flight; return False after a stop."""
        with self._changed:
            while not self._stopped and len(self._given) + self._unsaved >= self._allowed:
                if self._unsaved:
                    self._save()
                else:
                    self._changed.wait()
            return not self._stopped

    def _save_all(self) -> None:
        with self._changed:
            self._save()

    def _save(self) -> None:
        if self._unsaved and self._state is not None:
            self._state.save(self._settled)
        self._unsaved = 0

    def _give(self, window: Window, start: int, end: int, line: bytes | TooLong, place: dict[str, object]) -> None:
        try:
            found = read_line(line, self._pipeline, {}).found
        except MqConvertError as error:
            window.undecoded(self, self._next(end), _wire_in(line), error, **place)
            return
        if not found:
            self._skip(end)
        for at, message in enumerate(found, 1):
            token = self._next(end if at == len(found) else start)
            if isinstance(message, DecodeError):
                window.undecoded(self, token, _wire_in(line), message, **place)
            else:
                window.received(self, token, message, len(line) if isinstance(line, bytes) else 0, **place)

    def _next(self, position: int) -> int:
        with self._changed:
            self._count += 1
            self._given.append((self._count, position))
            return self._count

    def _skip(self, end: int) -> None:
        """Count a line without a message as settled with the message before it."""
        with self._changed:
            if self._given:
                token, _ = self._given.pop()
                self._given.append((token, end))
            else:
                self._settled = end

    def settle(self, token: object) -> None:
        last: Any = token
        with self._changed:
            while self._given and self._given[0][0] <= last:
                _, self._settled = self._given.popleft()
                self._unsaved += self._state is not None
            self._changed.notify_all()

    def reject(self, token: object, reason: str) -> None:
        """Do nothing: `--refused reject` is refused for files."""

    def allow(self, unsettled: int) -> None:
        with self._changed:
            self._allowed = unsettled
            self._changed.notify_all()

    def stop(self) -> None:
        with self._changed:
            self._stopped = True
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._stopped = self._closed = True
            self._changed.notify_all()


class StoreSource(FileSource):
    """Gives the messages of files that a broker left, those of some protocols; tells each entry that is broken.

    With a State, which is for one file, it begins at the first entry that is not before the kept position.
    """

    def __init__(self, form: Format, path: str, protocols: Sequence[str], state: State | None = None) -> None:
        super().__init__(path, protocols[0], state)
        self._format = form
        self._protocols = protocols

    def _give_all(self, window: Window) -> None:
        begin = self._settled
        for entry, then in _and_then(stored(self._format, self._path)):
            if entry.position < begin and self._state is not None:
                continue
            if not self._may_read():
                break
            self._take(window, entry, then)

    def _take(self, window: Window, entry: Record | Broken, then: int) -> None:
        if isinstance(entry, Broken):
            window.broken(str(entry), entry.error, file=entry.file, position=entry.position)
            self._skip(then)
        elif entry.protocol not in self._protocols:
            self._skip(then)
        else:
            for note in self._format.notes if entry.maybe_settled else ():
                window.note(note)
            token, place = self._next(then), {"file": entry.file, "position": entry.position}
            try:
                message = decode(entry.protocol, entry.wire)
            except MqConvertError as error:
                window.undecoded(self, token, entry.wire, error, **place)
                return
            window.received(self, token, message, len(entry.wire), **place)


def _and_then(entries: Iterator[Record | Broken]) -> Iterator[tuple[Record | Broken, int]]:
    """Yield each entry, and the position from which another run goes on behind it.

    Messages of a compressed batch have one position: only behind the last one, it is the next.
    """
    for entry, behind in pairwise(chain(entries, [None])):
        assert entry is not None
        yield entry, entry.position + (behind is None or behind.position != entry.position)


class RawLine(bytes):
    """A line without wire bytes, which a file of refused messages keeps as its text in `raw`."""


def _wire_in(line: bytes | TooLong) -> bytes:
    """Return the wire bytes of a line that is no message; the line itself if it has none."""
    if isinstance(line, TooLong):
        return b""
    try:
        given: Any = parsed(line)
        return RawLine(given["raw"].encode()) if "raw" in given else unbase64(given["wire"])
    except (AttributeError, DecodeError, KeyError, TypeError, UnicodeEncodeError):
        return line if text_or_none(line) is None else RawLine(line)


class FileTarget:
    """Appends messages as JSON lines. What came together is on the disk before one of it is confirmed."""

    blocked = False

    def __init__(self, path: str) -> None:
        self._path = path
        self._changed = Condition()
        self._waiting: list[tuple[int, Any]] = []
        self._closed = False

    def run(self, window: Window) -> None:
        with _failing(self._path), self._opened(window.note) as file:
            window.up(self)
            while waiting := self._next():
                self._write(file, window, waiting)

    def _opened(self, note: Callable[[str], None]) -> AbstractContextManager[BinaryIO]:
        return nullcontext(sys.stdout.buffer) if self._path == STANDARD else appended(self._path, note)

    def _next(self) -> list[tuple[int, Any]]:
        """Return what waits, at least one message; nothing after `close`."""
        with self._changed:
            self._changed.wait_for(lambda: self._closed or self._waiting)
            waiting, self._waiting = self._waiting, []
            return [] if self._closed else waiting

    def _write(self, file: BinaryIO, window: Window, waiting: list[tuple[int, Any]]) -> None:
        lines: list[bytes] = []
        numbers: list[int] = []
        for number, message in waiting:
            try:
                lines.append(written({"wire": to_base64(encode(message))}))
                numbers.append(number)
            except EncodeError as error:
                window.refused(self, number, error)
        store(file, b"".join(lines))
        window.confirmed(self, numbers)

    def send(self, number: int, message: Any, to: Address) -> None:  # noqa: ARG002 - a file has no addresses
        with self._changed:
            self._waiting.append((number, message))
            self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()


def appended(path: str, note: Callable[[str], None]) -> BinaryIO:
    """Open a file to append lines to, without the incomplete last line that a kill leaves.

    Another last line without a line feed is not ours: a complete one gets its line feed, any other raises OSError.
    """
    file = Path(path).open("a+b", buffering=0)  # noqa: SIM115 - the caller closes it
    size = file.seek(0, os.SEEK_END)
    end = _end_of_lines(file, size)
    file.seek(end)
    rest = file.read(size - end)
    if _is_complete(rest):
        file.write(b"\n")
    elif any(rest.startswith(head) or head.startswith(rest) for head in HEADS):
        if rest:
            file.truncate(end)
            note(f"{path}: cut an incomplete last line of {len(rest)} bytes")
    else:
        file.close()
        raise OSError(errno.EINVAL, "not a file of JSON lines, so that none are appended; name another one", path)
    file.seek(0, os.SEEK_END)
    return file


def _end_of_lines(file: BinaryIO, end: int) -> int:
    """Return the position behind the last line feed before `end`."""
    while end:
        start = max(0, end - HEAD)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return end


def _is_complete(line: bytes) -> bool:
    try:
        parsed(line)
    except DecodeError:
        return False
    return True


def store(file: BinaryIO, lines: bytes) -> None:
    """Write lines and have them on the disk, or none of them: OSError for a full disk. Pipes and devices have no disk."""
    if not lines:
        return
    keep = stat.S_ISREG(os.fstat(file.fileno()).st_mode)
    before = file.tell() if keep else 0
    try:
        left = memoryview(lines)
        while left:
            left = left[file.write(left) :]
        file.flush()
        if keep:
            os.fsync(file.fileno())
    except OSError as error:
        if keep:
            os.ftruncate(file.fileno(), before)
        raise OSError(error.errno, error.strerror, file.name) from error


class Stop:
    """`--refused stop`: the message stays with the source."""

    def take(self, wire: Callable[[], bytes], error: MqConvertError) -> bool:  # noqa: ARG002 - see Refusals
        words = "a message was refused and stays with the source: the move ends (--refused FILE sets it aside and goes on)"
        raise StopError(words, error)


class Reject:
    """`--refused reject`: the source's broker decides."""

    def take(self, wire: Callable[[], bytes], error: MqConvertError) -> bool:  # noqa: ARG002 - see Refusals
        return True


class RefusedFile:
    """`--refused FILE`: appends each refused message with the reason; the file is a source of another move."""

    def __init__(self, path: str, note: Callable[[str], None]) -> None:
        self._file = appended(path, note)

    def take(self, wire: Callable[[], bytes], error: MqConvertError) -> bool:
        try:
            raw = wire()
        except EncodeError as fault:
            raise StopError("a refused message cannot be written", fault) from error
        kept = {"raw": raw.decode().rstrip("\r\n")} if isinstance(raw, RawLine) else {"wire": to_base64(raw)}
        store(self._file, written({**kept, "refused": error.as_dict()}))
        return False

    def close(self) -> None:
        self._file.close()

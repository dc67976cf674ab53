"""The files around a run: its lease, its folder, its manifest. Rows are written by Spark itself.

Local paths use Python, all others Hadoop's file systems, which need a classic session.
"""

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JJavaError
from pyspark.sql import SparkSession

from mqconvert import JobError
from mqconvert.app.batch.failures import cause
from mqconvert.converters.readers.files import local_path

_ELSEWHERE = ("HADOOP_CONF_DIR", "YARN_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME", "PYSPARK_GATEWAY_PORT")
"""Environment variables with settings of Spark, perhaps of another default file system."""


_SCHEME = re.compile(r"([a-z][a-z0-9+.-]*):", re.IGNORECASE)


def scheme_of(path: str) -> str:
    """Return the scheme of a URI in small letters, as Hadoop reads it; empty for a path.

    >>> scheme_of("hdfs://host/a"), scheme_of("//[a]/b"), scheme_of("/a:b")
    ('hdfs', '', '')
    """
    found = _SCHEME.match(path)
    return "" if found is None else found[1].lower()


def is_local(path: str, conf: Mapping[str, str]) -> bool:
    """Return whether a path is known to be local without starting Spark; `conf` has Spark's settings."""
    scheme = scheme_of(path)
    other = "spark.hadoop.fs.defaultFS" in conf or any(name in os.environ for name in _ELSEWHERE)
    return scheme == "file" or not (scheme or other)


def local_size(paths: Iterable[str], most: int) -> int | None:
    """Return the bytes of local files and folders; None for more than `most`, or for other paths."""
    total = 0
    for path in map(local_path, paths):
        files = (Path(folder, name) for folder, _, names in os.walk(path) for name in names) if path.is_dir() else [path]
        for file in files:
            try:
                total += file.stat().st_size
            except OSError:
                return None
            if total > most:
                return None
    return total


def plain_files(paths: Iterable[str]) -> list[str] | None:
    """Return the local files that Spark reads from paths, in order; None for patterns and nested folders.

    Spark skips most hidden files (HadoopFSUtils.shouldFilterOutPathName).
    """
    found: list[str] = []
    for path in map(local_path, paths):
        try:
            entries = sorted(os.scandir(path), key=lambda entry: entry.name) if path.is_dir() else []
        except OSError:
            return None
        shown = [entry for entry in entries if not _HIDDEN.match(entry.name)]
        if not all(entry.is_file() and not _SPECIAL.match(entry.name) for entry in shown) or not (entries or path.is_file()):
            return None
        found += [entry.path for entry in shown] if entries else [str(path)]
    return list(map(os.path.abspath, found))


def nested_files(paths: Iterable[str]) -> list[str] | None:
    """Return the local files below paths that are not hidden; None for patterns, and for folders that contain themselves."""
    found: list[str] = []
    for path in map(local_path, paths):
        if not path.is_dir():
            if not path.is_file():
                return None
            found.append(str(path.absolute()))
        for folder, folders, names in os.walk(path.absolute(), followlinks=True):
            if any(Path(folder).samefile(parent) for parent in Path(folder).parents):
                return None
            folders[:] = [name for name in folders if not _HIDDEN.match(name)]
            found += [f"{folder}/{name}" for name in names if not _HIDDEN.match(name)]
    return found


GLOB = re.compile(r"[\\*?\[\]{}]")
"""Characters of patterns in Hadoop."""


def no_such_path(path: str) -> JobError:
    return JobError(f"--input {path}: there is no such path", code="bad_path")


_HIDDEN = re.compile(r"\.|_(?!.*=|metadata|common_metadata)|.*\._COPYING_$")
_SPECIAL = re.compile(r".*=|_")


@contextmanager
def _checked(words: str) -> Iterator[None]:
    """Raise errors of the file system as JobError `bad_path`; `words` say what failed."""
    try:
        yield
    except OSError as error:
        raise JobError(f"{words}: {error.strerror}", code="bad_path") from None


class Local:
    """Files of this machine and its mounted file systems. Paths are literal, also with `*` or `[`.

    Every method raises JobError `bad_path` on errors of the file system.
    """

    atomic = True
    """Whether renaming a folder is atomic; object stores copy its files one by one."""

    def qualified(self, path: str) -> str:
        """Return the canonical form of a path: absolute, without links and dots."""
        return os.path.realpath(local_path(path))

    def for_spark(self, path: str) -> str:
        """Return a qualified path that Spark reads under any default file system."""
        return f"file:{path}"

    def same_system(self, one: str, other: str) -> bool:
        """Return whether a folder can be renamed from one path to the other."""
        return _device(local_path(one)) == _device(local_path(other))

    def exists(self, path: str) -> bool:
        return os.path.lexists(local_path(path))

    def is_file(self, path: str) -> bool:
        return local_path(path).is_file()

    def names(self, folder: str) -> list[str]:
        """Return the names in a folder; an empty list if the folder does not exist."""
        with _checked(f"{folder} cannot be read"), suppress(FileNotFoundError, NotADirectoryError):
            return sorted(path.name for path in local_path(folder).iterdir())
        return []

    def make(self, path: str) -> None:
        """Make a folder and its parents."""
        with _checked(f"{path} cannot be written"):
            local_path(path).mkdir(parents=True, exist_ok=True)

    def create(self, path: str, text: str) -> bool:
        """Create a file; False if it exists."""
        with _checked(f"{path} cannot be written"), suppress(FileExistsError), local_path(path).open("x") as file:
            file.write(text)
            return True
        return False

    def touch(self, path: str, text: str) -> None:
        """Set the modification time of a file to now, if it has this text."""
        if self.read(path) == text:
            with suppress(FileNotFoundError):
                os.utime(local_path(path))

    def modified(self, path: str) -> float | None:
        """Return the modification time in seconds, by the clock of the file system; None if the file does not exist."""
        with suppress(FileNotFoundError):
            return local_path(path).stat().st_mtime
        return None

    def read(self, path: str) -> str | None:
        """Return the text of a file; None if it does not exist."""
        with _checked(f"{path} cannot be read"), suppress(FileNotFoundError, NotADirectoryError):
            return local_path(path).read_text(errors="replace")
        return None

    def write(self, path: str, text: str) -> None:
        """Write a file into a folder that exists."""
        with _checked(f"{path} cannot be written"), local_path(path).open("w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    def move(self, path: str, to: str) -> None:
        """Rename a file or folder to a free path, and make its parent folder."""
        self.make(str(local_path(to).parent))
        with _checked(f"cannot rename {path} to {to}"):
            local_path(path).rename(local_path(to))

    def delete(self, path: str) -> None:
        """Delete a file or folder if it exists."""
        found = local_path(path)
        with _checked(f"{path} cannot be deleted"):
            if found.is_dir() and not found.is_symlink():
                shutil.rmtree(found)
            else:
                found.unlink(missing_ok=True)


def _device(path: Path) -> int:
    while not path.exists():
        path = path.absolute().parent
    return path.stat().st_dev


class Hadoop:
    """Files of any file system of Hadoop, with the methods of Local.

    It calls the Java machine: PySpark has no public API for files.
    """

    def __init__(self, spark: SparkSession, path: str) -> None:
        context = spark.sparkContext
        self._hadoop: Any = context._jvm.org.apache.hadoop  # type: ignore[union-attr]  # noqa: SLF001 - see the class
        self._settings: Any = context._jsc.hadoopConfiguration()  # noqa: SLF001 - see the class
        self.atomic = self.scheme(path) in {"hdfs", "viewfs"}

    def _at(self, path: str) -> tuple[Any, Any]:
        try:
            place = self._hadoop.fs.Path(path)
            return place.getFileSystem(self._settings), place
        except Py4JJavaError as error:
            raise JobError(f"{path}: {cause(error)}", code="bad_path") from None

    def _asked(self, path: str, name: str, *arguments: object) -> Any:
        system, place = self._at(path)
        try:
            return getattr(system, name)(place, *arguments)
        except Py4JJavaError as error:
            raise JobError(f"{path}: {cause(error)}", code="bad_path") from None

    def scheme(self, path: str) -> str:
        """Return the scheme of a path's file system, or that of the default file system."""
        return str(self._at(path)[0].getUri().getScheme())

    def qualified(self, path: str) -> str:
        system, place = self._at(path)
        return str(self._hadoop.fs.Path(system.makeQualified(place).toUri().normalize()).toString()).rstrip("/")

    def for_spark(self, path: str) -> str:
        return path

    def same_system(self, one: str, other: str) -> bool:
        return bool(self._at(one)[0].equals(self._at(other)[0]))

    def exists(self, path: str) -> bool:
        return bool(self._asked(path, "exists"))

    def is_file(self, path: str) -> bool:
        return self.exists(path) and bool(self._asked(path, "getFileStatus").isFile())

    def names(self, folder: str) -> list[str]:
        if not self.exists(folder) or self.is_file(folder):
            return []
        return sorted(str(status.getPath().getName()) for status in self._asked(folder, "listStatus"))

    def empty(self, folder: str) -> list[str]:
        """Return the names of files without bytes in a folder."""
        files = [status for status in self._asked(folder, "listStatus") if status.isFile() and not status.getLen()]
        return sorted(str(status.getPath().getName()) for status in files)

    def tail(self, path: str, most: int) -> bytes:
        """Return the last bytes of a file."""
        size = int(self._asked(path, "getFileStatus").getLen())
        stream = self._asked(path, "open")
        try:
            stream.seek(max(0, size - most))
            return bytes(stream.readAllBytes())
        finally:
            stream.close()

    def make(self, path: str) -> None:
        if not self._asked(path, "mkdirs"):
            raise JobError(f"{path} cannot be written", code="bad_path")

    def create(self, path: str, text: str) -> bool:
        system, place = self._at(path)
        try:
            self._fill(system.create(place, False), text)
        except Py4JJavaError as error:
            if self.exists(path):
                return False
            raise JobError(f"{path} cannot be written: {cause(error)}", code="bad_path") from None
        return True

    def touch(self, path: str, text: str) -> None:
        """Write the file again: only then object stores, too, set its time by their own clock."""
        if self.read(path) == text:
            self.write(path, text)

    def modified(self, path: str) -> float | None:
        if not self.exists(path):
            return None
        return int(self._asked(path, "getFileStatus").getModificationTime()) / 1000

    def read(self, path: str) -> str | None:
        if not self.exists(path):
            return None
        stream = self._asked(path, "open")
        try:
            return bytes(stream.readAllBytes()).decode("utf-8", "replace")
        finally:
            stream.close()

    def write(self, path: str, text: str) -> None:
        self._fill(self._asked(path, "create", True), text)

    @staticmethod
    def _fill(out: Any, text: str) -> None:
        try:
            out.write(bytearray(text.encode()))
        finally:
            out.close()

    def move(self, path: str, to: str) -> None:
        system, place = self._at(path)
        target = self._hadoop.fs.Path(to)
        if target.getParent() is not None:
            self.make(target.getParent().toString())
        # Hadoop would move it into an existing folder.
        if self.exists(to) or not system.rename(place, target):
            raise JobError(f"cannot rename {path} to {to}", code="bad_path")

    def delete(self, path: str) -> None:
        self._asked(path, "delete", True)


Storage = Local | Hadoop
"""The file operations that a run needs."""


def storage_of(spark: SparkSession, path: str) -> Storage:
    """Return the storage of a path, by its scheme or the session's default file system."""
    scheme = scheme_of(path)
    if scheme == "file":
        return Local()
    try:
        spark.sparkContext  # noqa: B018 - a Connect session raises
    except Exception as error:
        if scheme:
            words = f"{path}: over Spark Connect the output is a local path or a table (the files are checked from here)"
            raise JobError(words, code="bad_path") from error
        return Local()
    found = Hadoop(spark, path)
    return Local() if found.scheme(path) == "file" else found

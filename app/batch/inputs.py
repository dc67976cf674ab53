"""Checks of the files of an input before Spark reads them: it would count some rows twice, or not name a faulty column."""

import re
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from mqconvert import JobError
from mqconvert.app.batch import footers
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.storage import Hadoop, Local, Storage
from mqconvert.converters.readers.files import local_path

_KINDS = (
    ("Delta", "_delta_log", re.compile(r".")),
    ("Hudi", ".hoodie", re.compile(r".")),
    ("Iceberg", "metadata", re.compile(r"(v\d+|\d+-[\da-f-]{36})(\.gz)?\.metadata\.json(\.gz)?")),
)
"""The formats of tables: the folder in the root of a table, and a pattern for the beginning of names in it."""

_READS = {
    "Delta": "--input-format delta reads the table, in a session that has it (--conf spark.jars.packages=io.delta:...)",
    "Iceberg": "--input-format iceberg reads the table, in a session that has it (--conf spark.jars.packages=org.apache...)",
    "Hudi": "write its current rows to Parquet files with Hudi, or pass a frame of them to mqconvert.app.batch.run",
}

COLUMNAR = ("parquet", "orc")


def refuse_local(job: Job, files: list[str], setting: Callable[[str], object]) -> None:
    """Check local files of an input; `setting` returns a setting of Spark.

    Raises JobError `bad_path` for files of a table, for two names of one file, for a file that is no Parquet though it should
    be, and for an empty file of a format that has no empty files; `bad_column` for columns that Spark cannot read.
    """
    refuse_tables(job.input, files, lambda _path: Local())
    seen: dict[tuple[int, int], str] = {}
    for file in files:
        try:
            found = Path(file).stat()
        except OSError:  # Spark reports it
            continue
        key = found.st_dev, found.st_ino
        if key in seen:
            words = f"{file} is the same file as {seen[key]}, so its rows would count twice: remove the link, or name it once"
            raise JobError(f"--input: {words}", code="bad_path")
        seen[key] = file
        if not found.st_size and job.input_format in COLUMNAR:
            raise empty(job, file)
    if job.input_format == "parquet":
        footers.refuse_others(files, setting)
        some = footers.different(files)
        footers.refuse(some, setting)
        footers.refuse_missing(some, "--wire-column NAME", job.wire_column)
        if job.source_column is not None:
            footers.refuse_missing(some, "--from column:NAME", job.source_column)


def refuse(
    job: Job, listed: Callable[[], list[str]], stores: Callable[[str], Storage], setting: Callable[[str], object]
) -> None:
    """Check files that a session lists, as `refuse_local`. Files elsewhere have no links, and Spark reads their footers."""
    try:
        storages = list(map(stores, job.input))
    except JobError:  # over Spark Connect
        return
    refuse_tables(job.input, (), stores)
    uris = listed()
    if all(isinstance(storage, Local) for storage in storages):
        refuse_local(job, [str(local_path(uri)) for uri in uris], setting)
        return
    storage = next(storage for storage in storages if isinstance(storage, Hadoop))
    refuse_tables(job.input, uris, stores)
    for folder in sorted({uri.rpartition("/")[0] for uri in uris} if job.input_format in COLUMNAR else ()):
        for name in storage.empty(folder):
            if f"{folder}/{name}" in uris:
                raise empty(job, f"{folder}/{name}")


def refuse_remote_columns(uris: list[str], stores: Callable[[str], Storage], setting: Callable[[str], object]) -> None:
    """Raise JobError `bad_column` for the first column that Spark cannot read, from the footers of files elsewhere."""
    for uri in uris:
        try:
            storage = stores(uri)
        except JobError:  # over Spark Connect
            return
        if isinstance(storage, Hadoop):
            footers.refuse_columns(uri, footers.of_end(partial(storage.tail, uri)), setting)


def empty(job: Job, file: str) -> JobError:
    words = (
        f"{file} has 0 bytes, so it is no {job.input_format} file, perhaps after a failed upload: write it again or delete it"
    )
    return JobError(f"--input: {words}", code="bad_path")


def refuse_tables(inputs: Iterable[str], files: Iterable[str], stores: Callable[[str], Storage]) -> None:
    """Raise JobError `bad_path` if an input or file belongs to a table of Delta, Iceberg or Hudi.

    Its folder also has files of deleted and replaced rows, and only the table knows which count.
    """
    paths = [stores(path).qualified(path) for path in inputs]
    seen: set[str] = set()
    for path in [*paths, *sorted({file.rpartition("/")[0] for file in files})]:
        for root in _above(path):
            if root in seen:
                break
            seen.add(root)
            for kind, inside, names in _KINDS:
                if any(map(names.match, _names(stores(root), f"{root}/{inside}"))):
                    words = (
                        f"--input {path} belongs to a table of {kind} ({root} has {inside}), which also keeps files of old rows"
                    )
                    raise JobError(f"{words}: {_READS[kind]}", code="bad_path")


def _above(path: str) -> Iterator[str]:
    """Yield a path and the folders above it, without partitions of tables.

    >>> list(_above("/lake/made/day=1")), list(_above("hdfs://host/lake"))
    (['/lake/made', '/lake'], ['hdfs://host/lake', 'hdfs://host'])
    """
    while path and not path.endswith((":", ":/")):
        if "=" not in path.rpartition("/")[2]:
            yield path
        path = path.rpartition("/")[0]


def _names(storage: Storage, folder: str) -> list[str]:
    try:
        return storage.names(folder)
    except JobError:  # not readable, so no table for us
        return []

"""The columns of Parquet files from their footers, read in this process: a job of Spark takes several times as long.

Files that Spark wrote name their columns themselves. For others, a few types are certain. Spark reads the rest, once for all
files with the same footer.
"""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    DataType,
    DateType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    StringType,
    StructField,
    StructType,
)

from mqconvert import JobError
from mqconvert.app.batch.failures import ANOTHER_CODEC
from mqconvert.app.terminal import PARQUET_MAGIC

_SPARK = b"org.apache.spark.sql.parquet.row.metadata"
"""The key of a footer for Spark's own schema, which Spark prefers to the columns."""

_CERTAIN: dict[tuple[str, str], DataType] = {
    ("BOOLEAN", "NONE"): BooleanType(),
    ("INT32", "NONE"): IntegerType(),
    ("INT64", "NONE"): LongType(),
    ("FLOAT", "NONE"): FloatType(),
    ("DOUBLE", "NONE"): DoubleType(),
    ("INT32", "DATE"): DateType(),
    ("BYTE_ARRAY", "NONE"): BinaryType(),
    ("BYTE_ARRAY", "STRING"): StringType(),
}
"""Spark's types for Parquet types that do not depend on settings."""


_SETTINGS = {"nanosAsLong": "spark.sql.legacy.parquet.nanosAsLong", "timeType": "spark.sql.timeType.enabled"}

_UNREADABLE: tuple[tuple[str, str, str], ...] = (
    (r"Timestamp\(.*nanoseconds", "a timestamp in nanoseconds", "nanosAsLong"),
    (r"Time\(isAdjustedToUTC=false.*(micro|nano)seconds", "TIME", "timeType"),
    (r"Time\(", "TIME", "text or a number"),
    (r"UUID", "UUID", "text"),
    (r"Float16", "FLOAT16", "float"),
    (r"Interval", "INTERVAL", "text or numbers"),
    (r"Decimal\(precision=(39|[4-9]\d|\d{3,})", "a decimal of more than 38 digits", "text"),
)
"""Patterns of Parquet types that Spark does not read, their names, and a setting with which it does, or another type."""

_CODECS = {"BROTLI", "LZO"}
"""Compressions for which Spark has no codec."""

_BEGINNINGS = (PARQUET_MAGIC, b"PARE")
"""The first bytes of Parquet files; those of the second kind have an encrypted footer."""

_JARS = ("spark.jars", "spark.jars.packages", "spark.driver.extraClassPath", "spark.executor.extraClassPath")
"""Settings that may add a codec."""


def refuse(files: Sequence[str], setting: Callable[[str], object]) -> None:
    """Raise JobError `bad_column` for a column that Spark cannot read; `files` have different footers.

    `setting` returns a setting of Spark.
    """
    for file in files:
        with suppress(OSError, pa.ArrowException):  # a file without a footer; Spark reports it
            refuse_columns(file, pq.read_metadata(file), setting)


def refuse_others(files: Iterable[str], setting: Callable[[str], object]) -> None:
    """Raise JobError `bad_path` for a file that does not begin like Parquet, unless Spark is to ignore such files."""
    if str(setting("spark.sql.files.ignoreCorruptFiles")).lower() == "true":
        return
    for file in files:
        with suppress(OSError), Path(file).open("rb") as opened:  # Spark reports a file that cannot be read
            if opened.read(4) not in _BEGINNINGS:
                words = f"--input: {file} is not a Parquet file: name its format with --input-format, or leave it out"
                raise JobError(words, code="bad_path")


def refuse_missing(files: Sequence[str], option: str, column: str) -> None:
    """Raise JobError `missing_column` if no file has a column, and no folder above one tells it (`column=value`).

    `files` have different footers. One whose footer cannot be read may have any column.
    """
    names: dict[str, None] = {}
    for file in files:
        try:
            names |= dict.fromkeys(pq.read_schema(file).names)
        except (OSError, pa.ArrowException):
            return
        names |= dict.fromkeys(part.partition("=")[0] for part in Path(file).parts[:-1] if "=" in part)
    if not names or column in names:
        return
    from mqconvert.converters.columns.arrow import column_path  # noqa: PLC0415 - see threads.py

    if column_path(list(names), column)[0] not in names:
        words = f"no column {column!r}; there are: {', '.join(names)}; {option} names another"
        raise JobError(words, code="missing_column", field=column)


def refuse_columns(file: str, footer: pq.FileMetaData, setting: Callable[[str], object]) -> None:
    """Raise JobError `bad_column`, with column, type and remedy, for a column that Spark cannot read."""
    for number in range(len(footer.schema)):
        column = footer.schema.column(number)
        for pattern, type_, remedy in _UNREADABLE:
            if re.match(pattern, str(column.logical_type), re.IGNORECASE):
                name = _SETTINGS.get(remedy)
                if name is None:
                    raise _unreadable(file, column.path, type_, f"write it as {remedy}, or leave it out")
                if str(setting(name)).lower() != "true":
                    raise _unreadable(file, column.path, type_, f"--conf {name}=true reads it, or leave it out")
                break
    for path, codec in sorted(_compressions(footer)):
        if codec in _CODECS and not any(map(setting, _JARS)):
            raise _unreadable(file, path, f"compressed with {codec}", ANOTHER_CODEC)


def of_end(end: Callable[[int], bytes]) -> pq.FileMetaData:
    """Return the footer of a file; `end` returns the last bytes of the file, up to a number of them."""
    size = int.from_bytes(end(8)[:4], "little")
    return pq.read_metadata(pa.BufferReader(end(size + 8)))


def _unreadable(file: str, column: str, type_: str, remedy: str) -> JobError:
    words = f"column {column} is {type_}, which Spark cannot read ({file}): {remedy}"
    return JobError(words, code="bad_column", field=column)


def _compressions(footer: pq.FileMetaData) -> set[tuple[str, str]]:
    """Return the columns and their compressions."""
    groups = (footer.row_group(number) for number in range(footer.num_row_groups))
    chunks = (group.column(number) for group in groups for number in range(group.num_columns))
    return {(chunk.path_in_schema, chunk.compression) for chunk in chunks}


def different(files: Sequence[str]) -> list[str]:
    """Return one file for each different footer, and every file whose footer cannot be read."""
    found: dict[str, str] = {}
    with ThreadPoolExecutor(8) as readers:
        for file, text in zip(files, readers.map(_text, files), strict=True):
            found.setdefault(text, file)
    return list(found.values())


def columns(files: Iterable[str]) -> StructType | None:
    """Return the columns of all files together; None to leave them to Spark, which may refuse the files."""
    known: dict[str, StructField] = {}
    for file in files:
        made = _columns(file)
        if made is None:
            return None
        for name, type_, metadata in ((field.name, field.dataType, field.metadata) for field in made.fields):
            if known.setdefault(name, StructField(name, type_, metadata=metadata)).dataType != type_:
                return None
    return StructType(list(known.values())) if len({name.lower() for name in known}) == len(known) else None


def _text(file: str) -> str:
    """Return a key for the columns of a file; its path if the footer cannot be read."""
    try:
        footer = pq.read_metadata(file)
    except (OSError, pa.ArrowException):
        return file
    spark = (footer.metadata or {}).get(_SPARK)
    columns = str(footer.schema).partition("\n")[2] if spark is None else spark.decode("utf-8", "replace")
    return columns + " ".join(sorted({codec for _, codec in _compressions(footer)}))


def _columns(file: str) -> StructType | None:
    try:
        footer = pq.read_metadata(file)
    except (OSError, pa.ArrowException):
        return None
    spark = (footer.metadata or {}).get(_SPARK)
    if spark is not None:
        with suppress(Exception):  # another version or an unknown type, which Spark may know
            return StructType.fromJson(json.loads(spark))
        return None
    made = []
    for number in range(len(footer.schema)):
        column = footer.schema.column(number)
        type_ = _CERTAIN.get((column.physical_type, column.logical_type.type))
        if type_ is None or column.path != column.name or column.max_repetition_level:
            return None
        made.append(StructField(column.name, type_))
    return StructType(made)

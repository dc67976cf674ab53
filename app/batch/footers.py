"""The columns of Parquet files from their footers, read in this process: a job of Spark takes several times as long.

Files that Spark wrote name their columns themselves. For others, a few types are certain. Spark reads the rest, once for all
files with the same footer.
"""

import json
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

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
    return str(footer.schema).partition("\n")[2] if spark is None else spark.decode("utf-8", "replace")


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

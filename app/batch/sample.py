"""A sample of the input, converted before the work, finds a wrong input in seconds."""

import json
import sys
from collections.abc import Sequence
from functools import reduce
from urllib.parse import unquote

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import BinaryType

from mqconvert import JobError
from mqconvert.app.batch import frames
from mqconvert.app.batch.options import FORMATS, Job
from mqconvert.converters.spark import column_at

ROWS = 1000
FILES = 10
_EXAMPLES = 5


def check(spark: SparkSession, df: DataFrame, job: Job, most: float) -> None:
    """Raise JobError `too_many_rejects` if more than the share `most` of a sample is rejected.

    The sample is the first rows of a few files, evenly spread over all. Each file is a task that ends as soon as it has its
    rows; a limit over several files would read all of them completely.
    """
    rows = _rows(spark, df, job)
    rejected = [row for row in rows if row["error"] is not None]
    if len(rejected) > most * len(rows):
        for row in rejected[:_EXAMPLES]:
            shown = {name: value for name, value in row["error"].asDict().items() if value is not None}
            print(f"rejected: {json.dumps(shown)} wire {row['head']}", file=sys.stderr)  # noqa: T201 - examples for a person
        words = f"{len(rejected)} of a sample of {len(rows)} rows are rejected, and --max-reject-share is {most:g}"
        raise JobError(words, code="too_many_rejects")


def _rows(spark: SparkSession, df: DataFrame, job: Job) -> list[Row]:
    """Return the error and the first bytes of the wire for each row of the sample."""
    files = spread(_files(df, job), FILES) if job.input and job.input_format in FORMATS else []
    each = -(-ROWS // max(1, len(files)))
    # In one partition, a limit needs no shuffle.
    parts = [_of_file(spark, df, job, file).coalesce(1).limit(each) for file in files]
    made = frames.convert(reduce(DataFrame.unionAll, parts) if parts else df, job)
    wire = frames.wire_of(made, job)
    index, error = (column_at([job.prefix + name]) for name in ("index", "error"))
    # A row with several messages counts once; its first rejected row keeps the wire.
    shown = made.where((index == 0) | (error.isNotNull() & (index.isNull() | wire.isNotNull()))).select(
        error.alias("error"), F.hex(F.substring(wire.cast(BinaryType()), 1, 32)).alias("head")
    )
    return (shown if parts else shown.limit(each)).collect()


def _files(df: DataFrame, job: Job) -> list[str]:
    found = frames.files(job)
    return list(map(unquote, df.inputFiles())) if found is None else [f"file:{file}" for file in found]


def _of_file(spark: SparkSession, df: DataFrame, job: Job, file: str) -> DataFrame:
    """Load one file with the columns of the whole input, and their values from the names of its folders."""
    path = frames.literal(file)
    if frames.LINE in df.columns:
        loaded = frames.marked(spark.read.format("text").load(path), df.schema[frames.LINE].metadata)
    elif job.input_format == "lines":
        loaded = frames.load(spark, job, [path]).withColumnRenamed("value", job.wire_column)
    else:
        loaded = frames.load(spark, job, [path], df.schema)
    folders = folder_values(file)
    columns = []
    for field in df.schema.fields:
        column = F.lit(folders.get(field.name)).cast(field.dataType)
        if field.name in loaded.columns:
            own = column_at([field.name])
            column = F.coalesce(own, column) if field.name in folders else own
        columns.append(column.alias(field.name, metadata=field.metadata))
    return loaded.select(*columns)


def folder_values(file: str) -> dict[str, str | None]:
    """Return the values that the folders of a file name, as Spark and Hive write them.

    >>> folder_values("file:/a/day=2026-01-01/p=amqp%3A/q=__HIVE_DEFAULT_PARTITION__/b=c.parquet")
    {'day': '2026-01-01', 'p': 'amqp:', 'q': None}
    """
    found = (part.partition("=") for part in file.split("/")[:-1] if "=" in part)
    return {unquote(name): None if value == "__HIVE_DEFAULT_PARTITION__" else unquote(value) for name, _, value in found}


def spread(files: Sequence[str], most: int) -> list[str]:
    """Choose some files, evenly spread.

    >>> spread("abcdefg", 3), spread("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    count = min(most, len(files))
    return [files[number * len(files) // count] for number in range(count)]

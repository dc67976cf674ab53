"""A look at a few rows before the work: an input that is not what it was said to be is found in seconds."""

import json
import sys
from collections.abc import Sequence
from urllib.parse import unquote

from pyspark.sql import DataFrame, Row, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everyone calls it

from mqconvert import MqConvertError
from mqconvert.app.batch import frames
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.session import settings
from mqconvert.converters.spark import column_at, column_path

ROWS = 1000
FILES = 10
_EXAMPLES = 5


def check(spark: SparkSession, df: DataFrame, job: Job, most: float) -> None:
    """MqConvertError `too_many_rejects` when more than this share of a sample is rejected.

    The sample is the first rows of a few files, evenly spread over all. Each file is a job of its own that ends as soon as
    it has its rows; a limit over several files would read all of them to their ends.
    """
    rows = _rows(spark, df, job)
    rejected = [row for row in rows if row["error"] is not None]
    total = len(rejected) + sum(row["index"] == 0 for row in rows)
    if len(rejected) > most * total:
        for row in rejected[:_EXAMPLES]:
            shown = {name: value for name, value in row["error"].asDict().items() if value is not None}
            print(f"rejected: {json.dumps(shown)} wire {row['head']}", file=sys.stderr)  # noqa: T201 - examples for a person
        words = f"{len(rejected)} of a sample of {total} rows are rejected, and --max-reject-share is {most:g}"
        raise MqConvertError(words, code="too_many_rejects")


def _rows(spark: SparkSession, df: DataFrame, job: Job) -> list[Row]:
    files = spread(df.inputFiles(), FILES) if job.input else []
    each = -(-ROWS // max(1, len(files)))
    parts = [_of_file(spark, df, job, file) for file in files] or [df]
    wire = column_at(column_path(df.columns, job.wire_column))
    shown = [column_at([job.prefix + name]).alias(name) for name in ("index", "error")]
    shown.append(F.hex(F.substring(wire.cast("binary"), 1, 32)).alias("head"))
    rows: list[Row] = []
    with settings(spark, {"spark.sql.execution.arrow.maxRecordsPerBatch": str(each)}):
        for part in parts:
            rows += frames.convert(part, job).select(*shown).limit(each).collect()
    return rows


def _of_file(spark: SparkSession, df: DataFrame, job: Job, file: str) -> DataFrame:
    """One file with the columns of the whole input; those of its folders' names are null."""
    path = frames.literal(unquote(file))  # a URI
    if job.input_format == "lines":
        return frames.load(spark, job, [path]).withColumnRenamed("value", job.wire_column)
    return frames.load(spark, job, [path], df.schema)


def spread(files: Sequence[str], most: int) -> list[str]:
    """Choose some files, evenly spread.

    >>> spread("abcdefg", 3), spread("ab", 3)
    (['a', 'c', 'e'], ['a', 'b'])
    """
    count = min(most, len(files))
    return [files[number * len(files) // count] for number in range(count)]

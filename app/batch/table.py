"""The output as a table of the session's catalog: created under a unique name, checked, then renamed.

The session must be able to write the format: Parquet, ORC, Delta, Iceberg. A catalog renames a table only to a free name, so it
refuses one of two concurrent runs. The status is a column without partitions: Spark's own catalog loses partitions when a table
is renamed.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from pyspark.errors import ParseException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from mqconvert import JobError
from mqconvert.app.batch.failures import cause
from mqconvert.app.batch.options import Job
from mqconvert.converters.spark import column_at


def refuse_existing(spark: SparkSession, job: Job) -> None:
    """Raise JobError `output_exists` if the table exists and may not be replaced, `bad_option` if Spark rejects its name."""
    try:
        exists = spark.catalog.tableExists(str(job.table))
    except ParseException as error:
        raise JobError(f"--output-table {job.table!r} is not the name of a table: {cause(error)}", code="bad_option") from None
    if exists and not job.overwrite:
        raise JobError(f"--output-table {job.table} exists: --overwrite replaces it", code="output_exists")


@contextmanager
def staged(spark: SparkSession, job: Job, run: str) -> Iterator[str]:
    """Yield the name of the run's own table, and drop that table at the end."""
    name = _named(str(job.table), "unfinished", run)
    try:
        yield name
    finally:
        with suppress(Exception):  # the earlier error counts; a remaining table has the run's name
            spark.sql(f"DROP TABLE IF EXISTS {name}")


def write(job: Job, made: DataFrame, name: str) -> None:
    made.write.format(job.output_format).saveAsTable(name)


def rows(spark: SparkSession, name: str, column: str, value: str) -> int:
    return spark.table(name).where(column_at([column]) == F.lit(value)).count()


def commit(spark: SparkSession, job: Job, run: str, name: str) -> None:
    """Rename the run's table to the job's; if that fails, rename the old table back."""
    refuse_existing(spark, job)
    target, aside = str(job.table), _named(str(job.table), "replaced", run)
    replaced = spark.catalog.tableExists(target)
    if replaced:
        _rename(spark, target, aside)
    try:
        _rename(spark, name, target)
    except BaseException:
        if replaced:
            _rename(spark, aside, target)
        raise
    if replaced:
        spark.sql(f"DROP TABLE {aside}")


def _rename(spark: SparkSession, name: str, to: str) -> None:
    """Rename a table. The new name omits the catalog, which Iceberg would read as a part of the namespace."""
    first, rest = _FIRST.fullmatch(to).groups()  # type: ignore[union-attr]  # the pattern matches any text
    catalog = first is not None and spark.conf.get(f"spark.sql.catalog.{first.strip('`')}", None) is not None
    spark.sql(f"ALTER TABLE {name} RENAME TO {rest if catalog else to}")


_FIRST = re.compile(r"(?:(`(?:[^`]|``)*`|[^.`]*)\.)?(.*)", re.DOTALL)
"""Matches the first part of a name, and the rest."""


def _named(table: str, what: str, run: str) -> str:
    """Return a name beside a table's.

    >>> _named("lake.converted", "unfinished", "20260102T030405-1f"), _named("`a b`", "unfinished", "1")
    ('lake.converted_unfinished_20260102T030405_1f', '`a b_unfinished_1`')
    """
    end = f"_{what}_{run.replace('-', '_')}"
    return f"{table[:-1]}{end}`" if table.endswith("`") else table + end

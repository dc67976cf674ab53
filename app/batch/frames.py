"""Data sets as frames: reading each format, converting, and the form in which each format is written."""

import re
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import ArrayType, BinaryType, DataType, LongType, MapType, StringType, StructType

from mqconvert import JobError
from mqconvert.app.batch import footers
from mqconvert.app.batch.options import VARIABLE, Job
from mqconvert.app.batch.place import CONVERTED, REJECTED, status_column
from mqconvert.app.batch.storage import GLOB, is_local, no_such_path, plain_files, storage_of
from mqconvert.converters.spark import column_at, column_path, convert_frame

READERS = {"parquet": "parquet", "orc": "orc", "jsonl": "json", "lines": "text"}
"""Spark's names for our formats."""

CORRUPT = "_corrupt_record"
"""The column for a line that is not JSON. Its wire is null, so the row is rejected."""

ADDED = ("partition", "status")

TALLY = "mqconvert tally"
"""An internal column until the write: the counts by rule of each task."""


def read(spark: SparkSession, job: Job, given: DataFrame | None = None) -> DataFrame:
    """Read the input. The columns of a stream are those of the files that exist when it starts."""
    try:
        df = _loaded(spark, job) if given is None else given
    except AnalysisException as error:
        told = error.getMessageParameters() or {}
        if error.getCondition() == "COLUMN_ALREADY_EXISTS":
            raise _same_name(told["columnName"].strip("`")) from None
        if error.getCondition() != "PATH_NOT_FOUND":
            raise
        raise no_such_path(str(told.get("path"))) from None
    except (PySparkException, Py4JJavaError) as error:
        if "CANNOT_MERGE_SCHEMAS" not in str(error):
            raise
        raise _two_types(str(error)) from None
    if job.input_format == "lines" and given is None:
        df = df.withColumnRenamed("value", job.wire_column)
    refuse_names(df.schema, sensitive=spark.conf.get("spark.sql.caseSensitive", "false") == "true")
    names = [job.prefix + name for name in ADDED]
    for name in df.columns:
        if name.lower() in map(str.lower, names):
            words = (
                f"the input has a column {name}, where the output has its own: --prefix NAME gives the new columns other names"
            )
            raise JobError(words, code="column_taken", field=name)
    if job.source_column is not None:
        _source(df, job.source_column)
    return df if job.partitions is None else df.repartition(job.partitions)


def refuse_names(type_: DataType, *, sensitive: bool = False) -> None:
    """Raise JobError `bad_column` for names of columns and fields that Spark changes or confuses.

    Hadoop's configuration carries the columns of Parquet files, and replaces `${NAME}` in them by its settings.

    >>> refuse_names(StructType().add("msg", StructType().add("a", "long").add("A", "long")), sensitive=True)
    """
    if isinstance(type_, ArrayType):
        refuse_names(type_.elementType, sensitive=sensitive)
    elif isinstance(type_, MapType):
        refuse_names(type_.keyType, sensitive=sensitive)
        refuse_names(type_.valueType, sensitive=sensitive)
    elif isinstance(type_, StructType):
        seen: set[str] = set()
        for field in type_.fields:
            name = field.name if sensitive else field.name.lower()
            if VARIABLE in name:
                words = f"the input has a column {field.name}, and Spark would replace {VARIABLE}...}} by a setting: rename it"
                raise JobError(words, code="bad_column", field=field.name)
            if name in seen:
                raise _same_name(field.name)
            seen.add(name)
            refuse_names(field.dataType, sensitive=sensitive)


def _same_name(name: str) -> JobError:
    words = f"the input has two columns {name}, perhaps in other capitals, which Spark does not distinguish: rename one of them"
    return JobError(words, code="bad_column", field=name)


def _two_types(error: str) -> JobError:
    """Return the error for parts with columns of different types; Spark gives the schemas of two such parts."""
    one, other = [*map(_types, re.findall(r'"STRUCT<(.*)>"', error)), {}, {}][:2]
    for name in one:
        if name in other and one[name] != other[name]:
            words = f"column {name} is {one[name]} in some files of the input and {other[name]} in others: convert them apart"
            return JobError(words, code="wrong_column_type", field=name)
    return JobError("files of the input have columns of different types: convert them apart", code="wrong_column_type")


def _types(struct: str) -> dict[str, str]:
    """Return the columns and types of a struct in Spark's notation.

    >>> _types("id: BIGINT, map: MAP<STRING, DECIMAL(3, 1)>, list: ARRAY<INT>")
    {'id': 'BIGINT', 'map': 'MAP<STRING, DECIMAL(3, 1)>', 'list': 'ARRAY<INT>'}
    """
    depth, parts = 0, [""]
    for character in struct:
        depth += (character in "<(") - (character in ">)")
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    columns = (part.strip().partition(": ") for part in parts)
    return {name: type_ for name, _, type_ in columns}


def load(spark: SparkSession, job: Job, paths: list[str], schema: StructType | str | None = None) -> DataFrame:
    """Load files of the input. Without a schema, the columns of Parquet and ORC files are merged."""
    reader = spark.read.format(READERS[job.input_format])
    if schema is not None:
        reader = reader.schema(schema)
    elif job.input_format in {"parquet", "orc"}:
        reader = reader.option("mergeSchema", True)
    return reader.load(paths)


def _loaded(spark: SparkSession, job: Job) -> DataFrame:
    paths = [literal(path) if GLOB.search(path) and _there(spark, path) else path for path in job.input]
    schema = None
    if job.input_format == "parquet":
        schema = _footers(spark, job, paths)
    elif job.input_format == "lines":
        schema = StructType().add("value", StringType())
    elif job.input_format == "jsonl":
        schema = load(spark, job, paths).schema
        if CORRUPT not in schema.names:
            schema = StructType([*schema.fields]).add(CORRUPT, StringType())
    if not job.stream:
        return load(spark, job, paths, schema)
    reader = spark.readStream.format(READERS[job.input_format]).schema(schema or load(spark, job, paths).schema)
    if job.files_per_batch is not None:
        reader = reader.option("maxFilesPerTrigger", job.files_per_batch)
    return reader.load(paths[0])


def _footers(spark: SparkSession, job: Job, paths: list[str]) -> StructType | None:
    """Return the merged columns of Parquet files; None if Spark has to find them (no files, or files elsewhere)."""
    found = files(job)
    if found is None:
        uris = load(spark, job, paths, StructType().add("wire", BinaryType())).inputFiles()
        found = [unquote(uri).removeprefix("file:") for uri in uris]
        if not all(uri.startswith("file:") for uri in uris):
            return None
    some = footers.different(found)
    return footers.columns(some) or load(spark, job, [literal(f"file:{file}") for file in some]).schema if some else None


def files(job: Job) -> list[str] | None:
    """Return the files of the input if they can be listed without Spark, which is slow for many files."""
    return plain_files(job.input) if all(is_local(path, job.conf) for path in job.input) else None


def literal(path: str) -> str:
    r"""Escape a path for Hadoop, where some characters mean a pattern.

    >>> print(literal("archive[1]"))
    archive\[1\]
    """
    return GLOB.sub(r"\\\g<0>", path)


def _there(spark: SparkSession, path: str) -> bool:
    """Return whether a path that looks like a pattern is the name of a file or folder."""
    try:
        return storage_of(spark, path).exists(path)
    except JobError:
        return False


def _source(df: DataFrame, column: str) -> Column:
    """Return the column of protocols; JobError `missing_column`."""
    path = column_path(df.columns, column)
    if path[0] not in df.columns:
        words = f"no column {column!r}; there are: {', '.join(df.columns)}"
        raise JobError(words, code="missing_column", field=column)
    return column_at(path)


def convert(df: DataFrame, job: Job, *, tally: bool = False) -> DataFrame:
    """Return the input with the converter's columns, the status of each row, and the partition of rejected rows."""
    made = convert_frame(
        df,
        source=job.source if job.source is not None else _source(df, str(job.source_column)),
        target=job.target,
        wire_column=job.wire_column,
        encoding=job.encoding,
        profile=job.choices.profile,
        rules=job.choices.rules,
        environment=job.choices.environment,
        on_loss=job.choices.on_loss,
        prefix=job.prefix,
        tally=TALLY if tally else None,
    )
    rejected = column_at([f"{job.prefix}error"]).isNotNull()
    added = F.when(rejected, F.spark_partition_id()), F.when(rejected, REJECTED).otherwise(CONVERTED)
    return made.withColumns({job.prefix + name: column for name, column in zip(ADDED, added, strict=True)})


def _bytes(column: Column) -> Column:
    return F.coalesce(F.sum(F.octet_length(column).cast(LongType())), F.lit(0))


def observed(df: DataFrame, job: Job, read_as: Observation | str, made_as: Observation | str) -> DataFrame:
    """Return the rows to write, counted before and after the conversion, under two names (or Observations).

    A row with several messages counts as one row.
    """
    wire = column_at(column_path(df.columns, job.wire_column))
    made = convert(df.observe(read_as, F.count(F.lit(1)).alias("read"), _bytes(wire).alias("bytes_in")), job, tally=True)
    index, converted, error = (column_at([job.prefix + name]) for name in ("index", "converted", "error"))
    counts = (
        F.count(F.when(index == 0, 1)).alias("converted"),
        F.count(error).alias("rejected"),
        F.count(converted).alias("messages"),
        _bytes(converted).alias("bytes_out"),
        # JSON text, because Spark 4.0 returns an observed list as a Java object.
        F.to_json(F.collect_list(column_at([TALLY]))).alias("tallies"),
    )
    return written(made.observe(made_as, *counts).drop(TALLY), job)


def written(df: DataFrame, job: Job) -> DataFrame:
    """Return the rows in the form of the output format.

    Lines have the converted values in base64 (or hex, like the input); a rejected row is a JSON line.
    """
    if job.table is not None or job.output_format != "lines":
        return df
    made, status = column_at([f"{job.prefix}converted"]), column_at([status_column(job)])
    text = F.lower(F.hex(made)) if job.encoding == "hex" else F.base64(made)
    return df.select(F.when(status == CONVERTED, text).otherwise(F.to_json(F.struct("*"))).alias("value"), status)

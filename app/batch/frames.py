"""Data sets as frames: reading each format, converting, and the form in which each format is written."""

import re
from collections.abc import Mapping, Sequence
from functools import partial, reduce
from urllib.parse import unquote

from py4j.protocol import Py4JJavaError
from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.streaming.readwriter import DataStreamReader
from pyspark.sql.types import ArrayType, DataType, LongType, MapType, StringType, StructType

from mqconvert import JobError, LossPolicy
from mqconvert.app.batch import changes, footers, inputs
from mqconvert.app.batch.failures import CODEC, cause
from mqconvert.app.batch.options import STORES, TABLE, TABLES, VARIABLE, Job
from mqconvert.app.batch.place import CONVERTED, REJECTED, status_column
from mqconvert.app.batch.storage import GLOB, is_local, nested_files, no_such_path, plain_files, storage_of
from mqconvert.converters.columns.arrow import column_path
from mqconvert.converters.columns.lines import CORRUPT
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.readers.files import local_path
from mqconvert.converters.spark import column_at, convert_frame, source

READERS = {"parquet": "parquet", "orc": "orc", "jsonl": "json", "lines": "text"}
"""Spark's names for our formats."""

LINE = "mqconvert line"
"""The column of JSON lines that stay text. Its metadata have the paths of the wire and of the source protocol."""

ADDED = ("partition", "status")

TALLY = "mqconvert tally"
"""An internal column until the write: the counts by rule of each task."""


def read(spark: SparkSession, job: Job, given: DataFrame | None = None, *, checked: bool = False) -> DataFrame:
    """Read the input. The columns of a stream are those of the files that exist when it starts.

    `checked` says that the files of the input are checked (inputs.py).
    """
    try:
        df = _loaded(spark, job, checked=checked) if given is None else given
    except AnalysisException as error:
        told = error.getMessageParameters() or {}
        if error.getCondition() == "COLUMN_ALREADY_EXISTS":
            raise _same_name(told["columnName"].strip("`")) from None
        if error.getCondition() == "PATH_NOT_FOUND":
            raise no_such_path(str(told.get("path"))) from None
        raise _unread(spark, job, error) from error
    except (PySparkException, Py4JJavaError) as error:
        raise _unread(spark, job, error) from error
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


def _unread(spark: SparkSession, job: Job, error: Exception) -> Exception:
    """Return the JobError for an error of Spark while it reads the columns; the error itself if there is none."""
    text = str(error)
    if "CANNOT_MERGE_SCHEMAS" in text:
        return _two_types(text)
    if job.input_format in TABLES and _NO_TABLE.search(text):
        words = f"--input-format {job.input_format}: {cause(error)}"
        return JobError(f"{words} (--conf spark.jars.packages=..., --conf spark.sql.extensions=...)", code="bad_option")
    illegal = _ILLEGAL.search(text)
    if illegal is None or job.input_format != "parquet":
        return error
    inputs.refuse_remote_columns(_listed(spark, list(job.input)), partial(storage_of, spark), partial(_setting, spark))
    words = f"a column of the input is {illegal[1]}, which Spark cannot read: write it as another type, or leave it out"
    return JobError(words, code="bad_column")


_NO_TABLE = re.compile(r"DATA_SOURCE_NOT_FOUND|TABLE_OR_VIEW_NOT_FOUND|is not a Delta table|DELTA_\w+|NoSuchTableException")
_ILLEGAL = re.compile(
    r"\[(?:PARQUET_TYPE_\w+|UNSUPPORTED_TIME_TYPE|DECIMAL_PRECISION_EXCEEDS\w*)\] (?:[^:\n]*: )?(.*?)\.? +SQLSTATE"
)
"""Matches errors for types of Parquet columns; the group is the type."""


def column_error(spark: SparkSession, error: Exception) -> JobError | None:
    """Return the error that names the column, from the footer of the file, for a compression that Spark met at work."""
    met = CODEC.search(str(error))
    if met is not None:
        try:
            inputs.refuse_remote_columns([unquote(met[1])], partial(storage_of, spark), partial(_setting, spark))
        except JobError as known:
            return known
    return None


def _setting(spark: SparkSession, name: str) -> str | None:
    return spark.conf.get(name, None)


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
    if job.input_format == "jsonl":
        reader = reader.option("allowSingleQuotes", False)
    return reader.load(paths)


def _loaded(spark: SparkSession, job: Job, *, checked: bool) -> DataFrame:
    if job.input_format in TABLES:
        return reduce(
            partial(DataFrame.unionByName, allowMissingColumns=True), [_table(spark, job, path) for path in job.input]
        )
    if job.input_format in STORES:
        return reduce(DataFrame.unionByName, [_stored(spark, job, path) for path in job.input])
    paths = _paths(spark, job)
    if not checked:
        found = nested_files(job.input) if all(is_local(path, job.conf) for path in job.input) else None
        inputs.refuse(job, lambda: found or _listed(spark, paths), partial(storage_of, spark), partial(_setting, spark))
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
    return _stream_reader(spark, job, READERS[job.input_format], schema or load(spark, job, paths).schema).load(paths[0])


def _stored(spark: SparkSession, job: Job, path: str) -> DataFrame:
    """Return the messages of files that a broker left, those of one protocol if one is named, and the broken entries."""
    if not is_local(path, job.conf):
        raise JobError(f"--input {path}: workers read files of {job.input_format} from disk: mount them", code="bad_path")
    source.register(spark)
    found = spark.read.format(source.NAME).option("reader", job.input_format).load(path)
    wanted = found if job.source is None else found.where((F.col("protocol") == job.source) | F.col("fault").isNotNull())
    return wanted.withColumnRenamed("wire", job.wire_column)


def _stream_reader(spark: SparkSession, job: Job, format_: str, schema: StructType) -> DataStreamReader:
    reader = spark.readStream.format(format_).schema(schema)
    return reader if job.files_per_batch is None else reader.option("maxFilesPerTrigger", job.files_per_batch)


def _table(spark: SparkSession, job: Job, name: str) -> DataFrame:
    """Return a table: a path with a slash, or a name in the session's catalog."""
    if "/" in name:
        return spark.read.format(job.input_format).load(name)
    if not TABLE.fullmatch(name):
        words = "is neither a path, which has a slash, nor the name of a table, such as catalog.database.table"
        raise JobError(f"--input {name!r} {words}", code="bad_path")
    return spark.table(name)


def _listed(spark: SparkSession, paths: list[str]) -> list[str]:
    """Return the files of paths as URIs, listed by Spark."""
    return list(map(unquote, spark.read.format("binaryFile").load(paths).inputFiles()))


def _footers(spark: SparkSession, job: Job, paths: list[str]) -> StructType | None:
    """Return the merged columns of Parquet files; None if Spark has to find them (no files, or files elsewhere)."""
    found = files(job)
    if found is None:
        uris = _listed(spark, paths)
        if not all(uri.startswith("file:") for uri in uris):
            return None
        found = [str(local_path(uri)) for uri in uris]
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


def _paths(spark: SparkSession, job: Job) -> list[str]:
    """Return the paths of the input for Spark: a name that looks like a pattern is escaped if it is there."""
    return [literal(path) if GLOB.search(path) and _there(spark, path) else path for path in job.input]


def _there(spark: SparkSession, path: str) -> bool:
    """Return whether a path that looks like a pattern is the name of a file or folder."""
    try:
        return storage_of(spark, path).exists(path)
    except JobError:
        return False


def keeps_lines(job: Job) -> bool:
    """Return whether JSON lines stay text, as towards text they can."""
    return job.input_format == "jsonl" and job.table is None and job.output_format in {"jsonl", "lines"}


def writer(job: Job, made: DataFrame) -> str:
    """Return Spark's name for the format of the output, which is text if the rows already are lines."""
    return READERS[job.output_format] if f"{job.prefix}index" in made.columns else "text"


def lines(spark: SparkSession, job: Job, columns: Sequence[str]) -> DataFrame:
    """Return the JSON lines of the input as text; `columns` are those that Spark would read from them."""
    paths = _paths(spark, job)
    reader = _stream_reader(spark, job, "text", StructType().add("value", StringType())) if job.stream else None
    found = {"wire": column_path(columns, job.wire_column), "source": column_path(columns, job.source_column or "")}
    df = marked(spark.read.format("text").load(paths) if reader is None else reader.load(paths[0]), found)
    return df if job.partitions is None else df.repartition(job.partitions)


def changed(spark: SparkSession, job: Job, columns: StructType) -> list[JsonObject]:
    """Return the members of JSON lines that change in the output, by column; an empty list if lines stay text."""
    if job.input_format != "jsonl" or not job.input or keeps_lines(job):
        return []
    return changes.changed(
        spark.read.format("text").load(_paths(spark, job)), columns, column_path(columns.names, job.wire_column)[0]
    )


def marked(df: DataFrame, found: Mapping[str, object]) -> DataFrame:
    """Return lines of text as the column LINE, without blank lines."""
    line = F.make_valid_utf8(column_at(["value"])).alias(LINE, metadata=dict(found))
    others = [column_at([name]) for name in df.columns if name != "value"]
    return df.where(column_at(["value"]).rlike(r"\S")).select(line, *others)


def _member(path: Sequence[str]) -> Column:
    """Return a member of JSON lines as text."""
    type_: DataType = StringType()
    for name in reversed(path):
        type_ = StructType().add(name, type_)
    return reduce(Column.getField, path, F.from_json(column_at([LINE]), type_, {"allowSingleQuotes": "false"}))  # type: ignore[arg-type]  # a StructType


def wire_of(df: DataFrame, job: Job) -> Column:
    """Return the column of wire values."""
    if LINE in df.columns:
        return _member(df.schema[LINE].metadata["wire"])
    return column_at(column_path(df.columns, job.wire_column))


def _source(df: DataFrame, column: str) -> Column:
    """Return the column of protocols; JobError `missing_column`."""
    path = column_path(df.columns, column)
    if path[0] not in df.columns and LINE in df.columns:
        return _member(df.schema[LINE].metadata["source"])
    if path[0] not in df.columns:
        words = f"no column {column!r}; there are: {', '.join(df.columns)}; --from column:NAME names another"
        raise JobError(words, code="missing_column", field=column)
    return column_at(path)


def convert(df: DataFrame, job: Job, *, tally: bool = False) -> DataFrame:
    """Return the input with the converter's columns, the status of each row, and the partition of rejected rows."""
    made = convert_frame(
        df,
        source=job.source if job.source is not None else _source(df, str(job.source_column)),
        target=job.target,
        wire_column=LINE if LINE in df.columns else job.wire_column,
        members=df.schema[LINE].metadata["wire"] if LINE in df.columns else (),
        encoding=job.encoding,
        profile=job.choices.profile,
        rules=job.choices.rules,
        environment=job.choices.environment,
        on_loss=LossPolicy(job.choices.on_loss),
        options=dict(job.choices.options),
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

    A row with several messages counts as one row, and as rejected if one of them is: its first rejected row keeps the wire.
    """
    made = convert(
        df.observe(read_as, F.count(F.lit(1)).alias("read"), _bytes(wire_of(df, job)).alias("bytes_in")), job, tally=True
    )
    index, converted, error = (column_at([job.prefix + name]) for name in ("index", "converted", "error"))
    partly = F.count(F.when(error.isNotNull() & index.isNotNull() & wire_of(df, job).isNotNull(), 1))
    counts = (
        (F.count(F.when(index == 0, 1)) - partly).alias("converted"),
        (F.count(F.when(index.isNull(), 1)) + partly).alias("rejected"),
        F.count(error).alias("rejected_messages"),
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
    if LINE in df.columns:
        line = _appended(df, status_column(job))
    elif job.table is not None or job.output_format != "lines":
        return df
    else:
        line = F.to_json(F.struct("*"))
    if job.output_format == "jsonl":
        return df.select(line.alias("value"), column_at([status_column(job)]))
    made, status = column_at([f"{job.prefix}converted"]), column_at([status_column(job)])
    text = F.lower(F.hex(made)) if job.encoding == "hex" else F.base64(made)
    return df.select(F.when(status == CONVERTED, text).otherwise(line).alias("value"), status)


def _appended(df: DataFrame, status: str) -> Column:
    """Return each line with the other columns as further members; its own members stay as they are."""
    line = F.rtrim(column_at([LINE]), F.lit(" \t\r\n"))
    start = F.substring(line, F.lit(1), F.length(line) - 1)  # without the last brace
    comma = F.when(F.trim(start, F.lit(" \t\r\n")) == "{", "").otherwise(",")
    added = F.to_json(F.struct(*(column_at([name]) for name in df.columns if name not in {LINE, status})))
    return F.concat(start, comma, F.substring(added, F.lit(2), F.length(added)))

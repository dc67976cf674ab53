"""Data sets as frames: reading each format, converting, and the form in which each format is written."""

from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everyone calls it
from pyspark.sql.types import StringType, StructType

from mqconvert import MqConvertError
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.summary import Counts
from mqconvert.converters.spark import convert_frame

READERS = {"parquet": "parquet", "orc": "orc", "jsonl": "json", "lines": "text"}
"""Spark's names of our formats."""

CORRUPT = "_corrupt_record"
"""Where Spark keeps a line that is not JSON; its wire column is null, and so the row is rejected."""

CONVERTED, REJECTED = "converted", "rejected"
ADDED = ("partition", "status")


def read(spark: SparkSession, job: Job) -> DataFrame:
    """The input: all of it, or as it comes. A stream's columns are those of the files that are there when it starts."""
    format_ = READERS[job.input_format]
    if job.input_format == "lines":
        schema = StructType().add("value", StringType())
    else:
        schema = spark.read.format(format_).load(job.input).schema
        if job.input_format == "jsonl" and CORRUPT not in schema.names:
            schema = StructType([*schema.fields]).add(CORRUPT, StringType())
    if job.stream:
        reader = spark.readStream.format(format_).schema(schema)
        if job.files_per_batch is not None:
            reader = reader.option("maxFilesPerTrigger", job.files_per_batch)
        df = reader.load(job.input)
    else:
        df = spark.read.format(format_).schema(schema).load(job.input)
    if job.input_format == "lines":
        df = df.withColumnRenamed("value", job.wire_column)
    for name in ADDED:
        if name in map(str.lower, df.columns):
            raise MqConvertError(
                f"the input has a column {name}, where the output has its own", code="column_taken", field=name
            )
    if job.source_column is not None and job.source_column not in df.columns:
        words = f"no column {job.source_column!r}; there are: {', '.join(df.columns)}"
        raise MqConvertError(words, code="missing_column", field=job.source_column)
    return df if job.partitions is None else df.repartition(job.partitions)


def convert(df: DataFrame, job: Job) -> DataFrame:
    """The input with the converter's columns, the status of each row, and the partition of a rejected one."""
    source = job.source if job.source is not None else F.col(f"`{job.source_column}`")
    made = convert_frame(
        df,
        source=source,
        target=job.target,
        wire_column=job.wire_column,
        encoding=job.encoding,
        profile=job.profile,
        rules=job.rules,
        environment=job.environment,
        on_loss=job.on_loss,
    )
    rejected = F.col("error").isNotNull()
    return made.withColumns(
        {"partition": F.when(rejected, F.spark_partition_id()), "status": F.when(rejected, REJECTED).otherwise(CONVERTED)}
    )


def read_counts(job: Job) -> list[Column]:
    """What is observed before the conversion."""
    return [F.count(F.lit(1)).alias("read"), _octets(job.wire_column).alias("bytes_in")]


def made_counts() -> list[Column]:
    """What is observed after it: a row that gave several messages counts once as a row."""
    return [
        F.count(F.when(F.col("index") == 0, 1)).alias("converted"),
        F.count(F.col("error")).alias("rejected"),
        F.count(F.col("converted")).alias("messages"),
        _octets("converted").alias("bytes_out"),
    ]


def _octets(column: str) -> Column:
    return F.coalesce(F.sum(F.octet_length(F.col(f"`{column}`")).cast("long")), F.lit(0))


def counts(read_: dict[str, int], made: dict[str, int]) -> Counts:
    return Counts(**read_, **made)


def written(df: DataFrame, job: Job) -> DataFrame:
    """The rows in the form of the output format, where that is not the frame's own.

    Lines are the converted values, base64 (or hex, when the input is), and a rejected row is a line of JSON.
    """
    if job.output_format != "lines":
        return df
    text = F.lower(F.hex("converted")) if job.encoding == "hex" else F.base64("converted")
    return df.select(
        F.when(F.col("status") == CONVERTED, text).otherwise(F.to_json(F.struct("*"))).alias("value"), F.col("status")
    )

"""The job as a function takes frames and writes folders or tables."""

import json
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqconvert import JobError, MqConvertError
from mqconvert.app.batch import run as batch_run
from tests.app.batch.runs import WIRES, archive
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_the_job_function_takes_frames_and_restores_the_session_settings(spark: SparkSession, tmp_path: Path) -> None:
    """The job takes a frame and writes a folder or a table. The settings of the session are unchanged afterwards."""
    name = "spark.sql.execution.arrow.maxRecordsPerBatch"
    before = spark.conf.get(name)
    df = spark.read.parquet(str(archive(tmp_path / "in", WIRES)))
    asked: dict[str, Any] = {"source": "mqtt-5.0", "target": "amqp-0.9.1", "max_reject_share": 0.9}
    done = batch_run(spark, input=df, output=str(tmp_path / "out"), **asked)
    assert (done.counts.read, done.counts.messages, done.counts.rejected, done.problem) == (6, 4, 3, None)
    assert json.loads((tmp_path / "out" / "_manifest.json").read_text()) == json.loads(done.as_json())
    spark.sql(f"CREATE DATABASE lake LOCATION 'file:{tmp_path}/lake'")
    for overwrite in (False, True):
        told = batch_run(spark, input=[str(tmp_path / "in")], table="lake.made", overwrite=overwrite, **asked)
        assert told.counts == done.counts
        assert spark.table("lake.made").count() == 7
    with pytest.raises(MqConvertError, match=r"--output-table lake\.made exists"):
        batch_run(spark, input=df, table="lake.made", **asked)
    assert [row["tableName"] for row in spark.sql("SHOW TABLES IN lake").collect()] == ["made"]
    assert spark.conf.get(name) == before
    spark.sql("DROP DATABASE lake CASCADE")


@pytest.mark.parametrize("name", ["x; drop table y", "123"])
def test_a_name_that_spark_cannot_parse_is_a_job_error(spark: SparkSession, name: str) -> None:
    df = spark.createDataFrame([], "wire binary")
    for overwrite in (False, True):
        with pytest.raises(JobError, match="is not the name of a table") as refused:
            batch_run(spark, source="mqtt-5.0", target="nsq", input=df, table=name, overwrite=overwrite)
        assert refused.value.code == "bad_option"


@pytest.mark.parametrize(
    ("columns", "name"),
    [
        ("wire binary, Wire string", "Wire"),
        ("wire binary, wire string", "wire"),
        ("wire binary, list array<struct<a: int, A: int>>", "A"),
        ("wire binary, `${spark.master}` string", "${spark.master}"),
        ("wire binary, map map<string, struct<`a${b}`: int>>", "a${b}"),
    ],
)
def test_names_that_spark_confuses_or_replaces_are_refused_in_frames(
    spark: SparkSession, tmp_path: Path, columns: str, name: str
) -> None:
    df = spark.createDataFrame([], columns)
    with pytest.raises(JobError) as refused:
        batch_run(spark, source="mqtt-5.0", target="nsq", input=df, output=str(tmp_path / "out"))
    assert (refused.value.code, refused.value.field) == ("bad_column", name)
    assert list(tmp_path.iterdir()) == []

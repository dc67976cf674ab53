"""Columns from the footers of Parquet files equal those from Spark."""

from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from mqconvert.app.batch import footers
from tests.app.batch.runs import BAD, PUBLISH, archive, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_columns_and_sample_take_one_job(spark: SparkSession, tmp_path: Path) -> None:
    """The driver reads the footers of any number of files, and one job reads the files of the sample."""
    for number in range(12):
        archive(tmp_path / "in" / f"{number:02}.parquet", [PUBLISH, BAD], **{f"extra{number % 3}": [1, 2]})
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup(None))
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--max-reject-share", "0.6")
    assert run(spark, *asked) == 0
    assert len(set(tracker.getJobIdsForGroup(None)) - before) == 2
    made = spark.read.parquet(str(tmp_path / "out"))
    assert {"extra0", "extra1", "extra2"} < set(made.columns)
    assert made.count() == 24


def test_columns_from_footers_equal_those_from_spark(spark: SparkSession, tmp_path: Path) -> None:
    """Columns read from footers equal those that Spark reads. Uncertain types are left to Spark."""
    certain: dict[str, list[Any]] = {
        "id": [1],
        "wire": [PUBLISH],
        "text": ["a"],
        "yes": [True],
        "number": [1.5],
        "day": [date(2026, 1, 2)],
        "a.b `c": ["d"],
    }
    small = {"small": pa.array([1], pa.int32()), "single": pa.array([1.5], pa.float32())}
    pq.write_table(pa.table(certain | small), tmp_path / "flat")
    nested = 'array(1) list, map("a", 1) map, struct(1 a, "b" b) both, cast(1 AS decimal(9, 2)) money, current_timestamp() at'
    written = spark.range(1).selectExpr("id", *(column.strip() for column in _apart(nested)))
    written.coalesce(1).write.parquet(str(tmp_path / "spark"))
    (ours,) = map(str, (tmp_path / "spark").glob("part-*"))
    for file in (str(tmp_path / "flat"), ours):
        found = footers.columns([file])
        assert found is not None
        assert spark.read.schema(found).parquet(file).schema == spark.read.parquet(file).schema
    others = {
        "time": pa.array([1], pa.timestamp("us")),
        "list": [[1]],
        "both": [{"a": 1}],
        "tiny": pa.array([1], pa.int8()),
        "unsigned": pa.array([1], pa.uint32()),
    }
    for name, values in others.items():
        pq.write_table(pa.table({name: values}), tmp_path / name)
        assert footers.columns([str(tmp_path / name)]) is None


def _apart(columns: str) -> list[str]:
    """Split columns at the commas outside brackets."""
    depth, parts = 0, [""]
    for character in columns:
        depth += (character == "(") - (character == ")")
        if character == "," and not depth:
            parts.append("")
        else:
            parts[-1] += character
    return parts


def test_ambiguous_footers_are_left_to_spark(tmp_path: Path) -> None:
    """Spark decides on a column with two types, names that differ only in case, and a file without footer."""
    columns = {"a": {"x": [1]}, "b": {"x": ["1"]}, "c": {"X": [1]}, "d": {"x": [2]}}
    for name, made in columns.items():
        pq.write_table(pa.table(made), tmp_path / name)
    (tmp_path / "broken").write_bytes(b"PAR1")
    a, b, c, d, broken = (str(tmp_path / name) for name in ("a", "b", "c", "d", "broken"))
    assert footers.columns([a, d]) == StructType().add("x", "long")
    assert [footers.columns([a, other]) for other in (b, c, broken)] == [None] * 3
    assert footers.different([a, d, b, broken, d]) == [a, b, broken]

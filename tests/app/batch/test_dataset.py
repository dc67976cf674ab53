"""A run converts a data set, accounts for every row, and publishes its output as a whole."""

import argparse
import json
import re
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from pyspark.sql import DataFrame, SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch import dataset
from mqconvert.app.batch.command import execute
from mqconvert.app.batch.options import FORMATS, add_arguments, job_of
from mqconvert.app.batch.storage import Local
from mqconvert.compiled import is_compiled
from tests.app.batch.runs import BAD, CONVERTED, LOSSY, PUBLISH, WIRES, archive, left, run, statuses, stored
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_a_data_set_is_converted_and_accounted_for(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, target, report = archive(tmp_path / "in", WIRES), tmp_path / "out", tmp_path / "report.json"
    assert run(spark, "--input", str(source), "--output", str(target), "--report", str(report), "--partitions", "2") == 0
    made = spark.read.parquet(str(target))
    assert statuses(made) == {0: "converted", 1: "converted", 2: "rejected", 3: "converted", 4: "rejected", 5: "rejected"}
    rows = {(row["id"], row["index"]): row for row in made.collect()}
    assert len(rows) == 7
    assert (rows[0, 0]["converted"], rows[0, 0]["partition"], rows[0, 0]["error"]) == (CONVERTED, None, None)
    rejected = rows[2, None]
    assert (rejected["wire"], rejected["error"]["code"], rejected["error"]["offset"] is None) == (BAD, "truncated", False)
    assert rejected["partition"] in {0, 1}
    told = json.loads(report.read_text())
    assert json.loads((target / "_manifest.json").read_text()) == told
    wanted = {"read": 6, "converted": 3, "rejected": 3, "messages": 4, "bytes_in": 3 * len(PUBLISH) + len(BAD) + len(LOSSY)}
    assert {name: told[name] for name in wanted} == wanted
    assert told["tables"].keys() == {"mqtt-5.0 -> amqp-0.9.1"}
    assert [(entry["rule"], entry["count"]) for entry in told["dropped"]] == [("retain", 1)]
    assert [(entry["type"], entry["count"]) for entry in told["lost"]] == [("utf8", 1)]
    assert told["modules"] == [{"modules": "compiled" if is_compiled() else "sources", "count": 6}]
    assert Counter({entry["code"]: entry["count"] for entry in told["errors"]}) == {"truncated": 2, "no_wire": 1}
    table = capsys.readouterr().out
    assert "retain" in table
    assert re.search(r"^(\d+ rows a second, )?\d+\.\d seconds, written to ", table, re.MULTILINE)  # a rate from 10 s on
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", "report.json"]


def test_an_invalid_message_of_a_value_is_rejected_alone(spark: SparkSession, tmp_path: Path) -> None:
    """The value counts as one rejected row, and the rejects have its wire once."""
    source, target = archive(tmp_path / "in", [PUBLISH, PUBLISH * 2 + BAD, BAD]), tmp_path / "out"
    assert run(spark, "--input", str(source), "--output", str(target), "--max-reject-share", "0.7") == 0
    made = spark.read.parquet(str(target))
    rows = sorted(
        (row["id"], -1 if row["index"] is None else row["index"], row["status"], row["wire"]) for row in made.collect()
    )
    assert rows == [
        (0, 0, "converted", PUBLISH),
        (1, 0, "converted", PUBLISH * 2 + BAD),
        (1, 1, "converted", None),
        (1, 2, "rejected", PUBLISH * 2 + BAD),
        (2, -1, "rejected", BAD),
    ]
    told = json.loads((target / "_manifest.json").read_text())
    wanted = {"read": 3, "converted": 1, "rejected": 2, "rejected_messages": 2, "messages": 3}
    assert {name: told[name] for name in wanted} == wanted


def test_a_mixed_archive_writes_its_rejects_to_another_folder(spark: SparkSession, tmp_path: Path) -> None:
    source = archive(tmp_path / "in", [PUBLISH, CONVERTED, PUBLISH], protocol=["mqtt-5.0", "amqp-0.9.1", "stomp"])
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    asked = ["--from", "column:protocol", "--to", "amqp-1.0", "--input", str(source), "--output", str(tmp_path / "out")]
    assert execute(spark, job_of(vars(parser.parse_args([*asked, "--rejects", str(tmp_path / "bad")])))) == 0
    assert {row["id"] for row in spark.read.parquet(str(tmp_path / "out")).collect()} == {0, 1}
    assert [row["error"]["code"] for row in spark.read.parquet(str(tmp_path / "bad")).collect()] == ["unknown_protocol"]
    assert len(json.loads((tmp_path / "out" / "_manifest.json").read_text())["tables"]) > 2


def test_no_rejects_and_no_rows_are_readable_data_sets(spark: SparkSession, tmp_path: Path) -> None:
    source = archive(tmp_path / "in", [])
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), "--rejects", str(tmp_path / "bad")) == 0
    assert spark.read.parquet(str(tmp_path / "out")).count() == spark.read.parquet(str(tmp_path / "bad")).count() == 0


def test_an_output_is_replaced_only_with_overwrite(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = archive(tmp_path / "in", [PUBLISH])
    arguments = ("--input", str(source), "--output", str(tmp_path / "out"))
    assert run(spark, *arguments) == 0
    archive(tmp_path / "in", [PUBLISH, BAD])
    assert run(spark, *arguments) == 2
    assert "exists: --overwrite" in capsys.readouterr().err
    assert spark.read.parquet(str(tmp_path / "out")).count() == 1
    assert run(spark, *arguments, "--overwrite") == 0
    assert spark.read.parquet(str(tmp_path / "out")).count() == 2


def test_a_rerun_after_a_crash_gives_the_same_output(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that ends between any two steps before publishing leaves nothing that blocks the next run."""
    source, target, bad = archive(tmp_path / "in", WIRES), tmp_path / "out", tmp_path / "bad"
    arguments = ("--input", str(source), "--output", str(target), "--rejects", str(bad))
    move = Local.move
    for last in (bad, target):  # crash before this path is moved into place

        def crash(storage: Any, path: str, to: str, last: Path = last) -> None:
            if to == str(last):
                raise MqConvertError("the power went", code="crash")
            move(storage, path, to)

        monkeypatch.setattr(Local, "move", crash)
        assert run(spark, *arguments) == 1
        assert not target.exists()
    monkeypatch.undo()
    assert run(spark, *arguments) == 0
    assert statuses(spark.read.parquet(str(target))) == {0: "converted", 1: "converted", 3: "converted"}
    assert spark.read.parquet(str(bad)).count() == 3
    assert sorted(path.name for path in tmp_path.iterdir()) == ["bad", "in", "out"]


def test_rows_missing_on_disk_fail_the_job(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The job counts the rows that Spark reported as written, in every format."""
    write = dataset._write

    def lose(spark: SparkSession, asked: Any, made: DataFrame, storage: Any, path: str) -> None:
        write(spark, asked, made, storage, path)
        min(Path(path, "status=converted").glob("part-*")).unlink()

    monkeypatch.setattr(dataset, "_write", lose)
    source = archive(tmp_path / "in", [PUBLISH] * 4)
    for format_ in FORMATS:
        asked = ("--input", str(source), "--output", str(tmp_path / "out"), "--output-format", format_, "--partitions", "2")
        assert run(spark, *asked) == 1
        assert "4 messages and 0 rejects were made, but 2 and 0 are stored" in capsys.readouterr().err
        assert left(tmp_path) == ["in"]


def test_the_next_run_restores_the_output_of_a_killed_overwrite(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The kill comes after moving the old output and before publishing the new one. The next run restores the old output."""
    source, target = archive(tmp_path / "in", [PUBLISH]), tmp_path / "out"
    asked = ("--input", str(source), "--output", str(target))
    assert run(spark, *asked) == 0
    killed = tmp_path / ".out.killed.unfinished"
    (killed / "replaced").mkdir(parents=True)
    (killed / "journal").write_text(json.dumps({"run": "killed", "output": str(target), "rejects": None}))
    target.rename(killed / "replaced" / "output")
    assert run(spark, *asked) == 2
    assert "exists: --overwrite" in capsys.readouterr().err
    assert left(tmp_path) == ["in", "out"]
    assert run(spark, *asked, "--overwrite") == 0
    assert stored(target) == Counter({0: 1})


def test_a_run_refused_before_it_writes_waits_for_no_task(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After a failure, tasks may still open files; a refused run has none."""
    waits: list[float] = []
    monkeypatch.setattr(dataset, "time", argparse.Namespace(sleep=waits.append, monotonic=time.monotonic))
    source = archive(tmp_path / "in", [PUBLISH] * 4)
    asked = ("--input", str(source), "--output", str(tmp_path / "out"))
    assert run(spark, *asked, "--wire-column", "body") == 2
    assert waits == []
    monkeypatch.setattr(dataset, "_write", lambda *_: 1 // 0)
    with pytest.raises(ZeroDivisionError):
        run(spark, *asked)
    assert waits == [0.1] * 20
    assert left(tmp_path) == ["in"]


def test_a_prefix_names_the_folder_of_rejects(spark: SparkSession, tmp_path: Path) -> None:
    """The prefix may have any characters. It also applies to rejects with a separate path."""
    source = archive(tmp_path / "in", [PUBLISH, BAD])
    asked = ("--input", str(source), "--output", str(tmp_path / "out"), "--rejects", str(tmp_path / "bad"))
    assert run(spark, *asked, "--prefix", "mq a/b[%]=") == 0
    assert stored(tmp_path / "out") == Counter({0: 1})
    assert stored(tmp_path / "bad") == Counter({1: 1})


@pytest.mark.parametrize(
    ("wire", "empty", "times"), [(PUBLISH, "rejected", 0), (BAD, "converted", 0), (PUBLISH, "rejected", 1)]
)
def test_an_empty_status_partition_has_the_columns_of_the_other(
    spark: SparkSession, tmp_path: Path, wire: bytes, empty: str, times: int
) -> None:
    """Its file is written without a Spark job, unless it has times, for which Spark has its own format."""
    given = f"X'{wire.hex()}' AS wire, array(1) list, cast(1 AS decimal(9, 2)) money, map('a', 1) map, struct(1 a) both"
    spark.sql(f"SELECT {given}{', current_timestamp() at' if times else ''}").write.parquet(str(tmp_path / "in"))
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--max-reject-share", "1")
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup(None))
    assert run(spark, *asked) == 0
    assert len(set(tracker.getJobIdsForGroup(None)) - before) == 2 + times  # two jobs for the sample, the others for the work
    statuses = {status: spark.read.parquet(str(tmp_path / "out" / f"status={status}")) for status in ("converted", "rejected")}
    assert statuses["converted"].schema == statuses["rejected"].schema
    assert {status: df.count() for status, df in statuses.items()} == {"converted": 1, "rejected": 1} | {empty: 0}
    assert pq.read_table(tmp_path / "out").num_rows == 1

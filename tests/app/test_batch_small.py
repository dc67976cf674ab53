"""A small batch run starts no unnecessary Spark jobs, and no Spark at all if it is refused."""

import base64
import json
import os
import shutil
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from datetime import date
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from mqconvert import MqConvertError
from mqconvert.app.batch import dataset, footers
from mqconvert.app.batch import run as batch_run
from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.session import SETTINGS, settings
from mqconvert.app.batch.storage import Local, local_size, plain_files
from mqconvert.app.cli import main
from tests.app.test_batch import BAD, PAIR, PUBLISH, archive, left, python, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def events(log: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(log.rglob("events_*")):
        yield from map(json.loads, file.read_text().splitlines())


def test_a_small_run_is_one_job_of_one_task(tmp_path: Path) -> None:
    """With three files and two processors, no job reads the columns and Java uses only its first compiler.

    Another job reads nothing: it starts the Python worker.
    """
    for number in range(3):
        archive(tmp_path / "in" / f"{number}.parquet", [PUBLISH, BAD])
    asked = ["--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--event-log", str(tmp_path / "log")]
    asked += ["--memory", "512m", "--master", "local[2]", "--conf", "spark.eventLog.compress=false"]
    process = python("-m", "mqconvert.app", "batch", *PAIR, *asked)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    seen = list(events(tmp_path / "log"))
    jobs = [event for event in seen if event["Event"] == "SparkListenerJobStart"]
    assert [[stage["Number of Tasks"] for stage in job["Stage Infos"]] for job in jobs] == [[1], [1]]
    told = [str(job["Properties"].get("spark.job.description")) for job in jobs]
    assert sum("convert mqtt-5.0 to amqp-0.9.1" in words for words in told) == 1
    (machine,) = (event for event in seen if event["Event"] == "SparkListenerEnvironmentUpdate")
    assert "-XX:TieredStopAtLevel=1" in machine["Spark Properties"]["spark.driver.defaultJavaOptions"]


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


# ---- columns by footers -------------------------------------------------------------------------------------------------


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


def test_only_small_local_inputs_have_a_known_size(tmp_path: Path) -> None:
    for number in range(3):
        (tmp_path / f"{number}").write_bytes(bytes(10))
    assert local_size([str(tmp_path)], 30) == 30
    assert local_size([f"file://{tmp_path}/1", str(tmp_path / "2")], 30) == 20
    for paths in ([str(tmp_path), str(tmp_path / "0")], [str(tmp_path / "*")], ["s3a://lake/archive"]):
        assert local_size(paths, 30) is None


def test_listed_files_equal_those_that_spark_reads(spark: SparkSession, tmp_path: Path) -> None:
    """Hidden files are skipped. Patterns and nested folders are left to Spark."""
    lake = tmp_path / "lake %41"
    for name in ("b.parquet", "a [1].parquet", "_hidden", ".hidden", "c._COPYING_"):
        archive(lake / name, [PUBLISH])
    one = archive(tmp_path / "one", [PUBLISH])
    found = plain_files([str(lake), f"file:{one}"])
    assert found == [str(lake / "a [1].parquet"), str(lake / "b.parquet"), str(one)]
    uris = spark.read.parquet(str(lake), str(one)).inputFiles()
    assert sorted(found) == sorted(unquote(urlsplit(uri).path) for uri in uris)
    for paths in ([str(tmp_path)], [f"{lake}/*"], [str(tmp_path / "none")]):
        assert plain_files(paths) is None
    for name in ("_a=1", "_metadata"):
        special = archive(lake / name, [PUBLISH])
        assert plain_files([str(lake)]) is None
        special.unlink()


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


# ---- before Spark starts ------------------------------------------------------------------------------------------------


def test_a_run_without_input_or_free_output_ends_before_spark_starts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Another run holds the output, it exists, or there is no input. The stand-in Java records calls other than `-version`."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    started = tmp_path / "started"
    java.write_text(f'#!/bin/sh\n[ "$1" = -version ] || touch {started}\necho \'openjdk version "17.0.1"\' >&2\n')
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path / "java"))
    for name in ("HADOOP_CONF_DIR", "SPARK_CONF_DIR", "SPARK_HOME"):
        monkeypatch.delenv(name, raising=False)
    source, target = archive(tmp_path / "in", [PUBLISH]), tmp_path / "out"
    first = Lease(Local(), str(target), "first")
    first.acquire()
    for stream in ([], ["--stream", "--checkpoint", str(tmp_path / "checkpoint")]):
        assert main(["batch", *PAIR, "--input", str(source), "--output", str(target), *stream]) == 1
        assert "out is being written by run first on" in capsys.readouterr().err
    first.check()
    first.release()
    assert left(tmp_path) == ["in", "java"]
    target.mkdir()
    assert main(["batch", *PAIR, "--input", str(source), "--output", str(target)]) == 2
    assert "out exists: --overwrite replaces it" in capsys.readouterr().err
    (target / "part-0").touch()
    stream = ["--stream", "--checkpoint", str(tmp_path / "checkpoint")]
    (tmp_path / "lake").mkdir()
    assert main(["batch", *PAIR, "--input", str(tmp_path / "lake"), "--output", str(target), *stream]) == 2
    assert "belongs to another stream" in capsys.readouterr().err
    shutil.rmtree(target)
    (tmp_path / "lake").rmdir()
    assert main(["batch", *PAIR, "--input", str(tmp_path / "nothing"), "--output", str(target)]) == 2
    assert "nothing: there is no such path" in capsys.readouterr().err
    assert left(tmp_path) == ["in", "java"]
    next_ = python("-m", "mqconvert.app", "batch", *PAIR, "--input", str(source), "--output", str(target))
    assert "Spark did not start" in next_.communicate(timeout=120)[1]
    assert next_.returncode == 2
    assert left(tmp_path) == ["in", "java", "started"]  # the lease is released


def test_a_run_holds_its_lease_while_spark_starts(tmp_path: Path) -> None:
    """When two runs start together, the second does not wait for the Spark of the first."""
    java = tmp_path / "java" / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text('#!/bin/sh\necho \'openjdk version "17.0.1"\' >&2\n[ "$1" = -version ] || exec sleep 600\n')
    java.chmod(0o755)
    source, target = archive(tmp_path / "in", [PUBLISH]), tmp_path / "out"
    asked = ["-m", "mqconvert.app", "batch", *PAIR, "--input", str(source), "--output", str(target)]
    runs = [python(*asked, JAVA_HOME=str(tmp_path / "java")) for _ in range(2)]
    deadline = time.monotonic() + 240
    while all(one.poll() is None for one in runs) and time.monotonic() < deadline:
        time.sleep(0.05)
    refused = [one.returncode for one in runs]
    for one in runs:
        with suppress(ProcessLookupError):
            os.killpg(one.pid, signal.SIGKILL)
    said = [one.communicate(timeout=60)[1] for one in runs]
    assert sorted(refused, key=str) == [1, None]
    assert "out is being written by run 20" in said[refused.index(1)]


# ---- two runs in one session --------------------------------------------------------------------------------------------


def test_runs_in_one_session_share_its_settings(spark: SparkSession) -> None:
    """The settings stay until the last run ends, which restores the old values. Two values are never set at once."""
    name = "spark.sql.chunkBase64String.enabled"
    before = spark.conf.get(name)
    with ExitStack() as second:
        with settings(spark, SETTINGS):
            second.enter_context(settings(spark, SETTINGS))
            with pytest.raises(MqConvertError, match="give each run its own session"), settings(spark, {name: "true"}):
                pass
        assert spark.conf.get(name) == "false"
    assert spark.conf.get(name) == before == "true"


def test_settings_that_spark_started_with_are_accepted(spark: SparkSession, tmp_path: Path) -> None:
    """Extensions and catalogs (Delta, Iceberg) are static settings that a session refuses to set again."""
    given = f"spark.sql.warehouse.dir={spark.conf.get('spark.sql.warehouse.dir')}"
    source = archive(tmp_path / "in", [PUBLISH])
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), "--conf", given) == 0


def test_an_ended_run_leaves_another_run_in_its_session_unchanged(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two threads share one session. Long base64 stays on one line in the output of the run that ends last."""
    long = PUBLISH[:1] + bytes.fromhex("8801000174") + bytes(133)
    source = archive(tmp_path / "in", [long])
    converted, reached, ended = dataset._converted, [threading.Event(), threading.Event()], threading.Event()

    def in_turn(spark: SparkSession, asked: Any, *more: Any) -> Any:
        """Let both begin before the first one converts, and the first end before the second converts."""
        second = asked.output.endswith("second")
        reached[second].set()
        assert (ended if second else reached[True]).wait(120)
        return converted(spark, asked, *more)

    monkeypatch.setattr(dataset, "_converted", in_turn)

    def convert(name: str) -> None:
        target = str(tmp_path / name)
        batch_run(spark, source="mqtt-5.0", target="amqp-0.9.1", input=str(source), output=target, output_format="lines")

    first, second = (threading.Thread(target=convert, args=(name,)) for name in ("first", "second"))
    first.start()
    assert reached[False].wait(120)
    second.start()
    first.join()
    ended.set()
    second.join()
    for name in ("first", "second"):
        (file,) = (tmp_path / name / "status=converted").glob("part-*")
        (line,) = file.read_text().splitlines()
        assert len(base64.b64decode(line, validate=True)) > 133

"""A stream has a checkpoint of its own and ends with a summary."""

import json
import os
import shutil
import signal
import threading
import time
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.app.batch.runs import WIRES, archive, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_a_checkpoint_of_another_stream_is_refused(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the checkpoint of another stream, Spark would skip rows as already written. The job refuses it with one line."""
    archive(tmp_path / "in" / "a.parquet", WIRES)
    own, other = (("--stream", "--once", "--checkpoint", str(tmp_path / name)) for name in ("own", "other"))
    paths = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"))
    assert run(spark, *paths, *own) == run(spark, *paths, *own) == 0
    assert run(spark, *paths, *other) == 2
    assert capsys.readouterr().err.endswith("other belongs to another stream\n")
    shutil.rmtree(tmp_path / "out")
    assert run(spark, *paths, *own) == 2
    assert capsys.readouterr().err.endswith(f"has batches that are not in --output {tmp_path / 'out'}\n")
    assert run(spark, *paths) == 0
    assert run(spark, *paths, *other) == 2
    assert spark.read.parquet(str(tmp_path / "out")).count() == 7


def test_a_stopped_stream_prints_its_summary(spark: SparkSession, tmp_path: Path) -> None:
    """A stream that waits for input prints its summary after SIGTERM."""
    archive(tmp_path / "in" / "a.parquet", WIRES)
    report, before = tmp_path / "report.json", signal.getsignal(signal.SIGTERM)

    def end() -> None:
        while not any(query.recentProgress for query in spark.streams.active):
            time.sleep(0.1)
        os.kill(os.getpid(), signal.SIGTERM)

    ender = threading.Thread(target=end, daemon=True)
    ender.start()
    stream = ("--stream", "--checkpoint", str(tmp_path / "checkpoint"), "--report", str(report))
    assert run(spark, "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), *stream) == 0
    ender.join()
    assert signal.getsignal(signal.SIGTERM) is before
    told = json.loads(report.read_text())
    assert (told["read"], told["converted"], told["rejected"], told["messages"]) == (6, 3, 3, 4)
    assert spark.read.parquet(str(tmp_path / "out")).count() == 7

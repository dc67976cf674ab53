"""Work in advance runs in threads, and its failures are those of the later work alone; runs without a terminal print lines."""

import re
import threading
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqconvert.app.batch import threads
from tests.app.batch.runs import PUBLISH, archive, job, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK

JOB = job("--input", "in", "--output", "out")


def finished(name: str) -> None:
    """Wait for the threads of this name."""
    for thread in threading.enumerate():
        if thread.name == name:
            thread.join(120)
            assert not thread.is_alive()


def test_modules_are_imported_in_a_thread_and_missing_ones_are_left_to_later_work(monkeypatch: pytest.MonkeyPatch) -> None:
    imported: list[tuple[str, bool]] = []

    def imports(name: str) -> None:
        imported.append((name, threading.current_thread() is threading.main_thread()))
        raise ModuleNotFoundError(name)

    monkeypatch.setattr(threads, "import_module", imports)
    threads.import_late_modules()
    finished("mqconvert imports")
    assert imported == [(name, False) for name in threads._LATE]
    assert "mqconvert.app.batch.dataset" in threads._LATE


def test_a_worker_is_started_by_one_task(spark: SparkSession) -> None:
    tracker = spark.sparkContext.statusTracker()
    before = set(tracker.getJobIdsForGroup(None))
    threads.start_worker(spark, JOB)
    finished("mqconvert worker")
    (job,) = set(tracker.getJobIdsForGroup(None)) - before
    info = tracker.getJobInfo(job)
    assert info is not None
    assert info.status == "SUCCEEDED"
    stages = [tracker.getStageInfo(stage) for stage in info.stageIds]
    assert [stage and stage.numTasks for stage in stages] == [1]


def test_a_stopped_session_is_no_error_of_the_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    raised: list[Any] = []
    monkeypatch.setattr(threading, "excepthook", raised.append)
    threads.start_worker(None, JOB)  # type: ignore[arg-type]  # as useless as a stopped session
    finished("mqconvert worker")
    assert raised == []


def test_progress_without_a_terminal_is_printed_as_lines(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(threads, "SECONDS", 0.05)
    source = archive(tmp_path / "in", [PUBLISH] * 20_000)
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out")) == 0
    said = capsys.readouterr().err.splitlines()
    assert said
    assert all(re.fullmatch(r"mqconvert: \d+ of \d+ tasks \(\d+%\), \d+ s(, about \d+ s left)?", line) for line in said)

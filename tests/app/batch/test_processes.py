"""`mqconvert batch` as whole systems: jobs with their own JVM, ended by signals, killed, started twice, short of memory."""

import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqconvert import encode
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.app.batch.runs import BAD, PAIR, PUBLISH, SMALL, WIRES, archive, batch, left, python, run, stored
from tests.on_spark import ON_SPARK

pytestmark = [pytest.mark.system, *ON_SPARK]


def at_work(process: "subprocess.Popen[str]", folder: Path) -> None:
    """Wait until the process writes rows."""
    deadline = time.monotonic() + 240
    while not list(folder.glob(".out.*.unfinished/rows/_temporary")):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_an_unreadable_input_is_a_one_line_error(tmp_path: Path) -> None:
    """The error is one line without a Java log, for every part of the input."""
    whole = archive(tmp_path / "in" / "a.parquet", WIRES).read_bytes()
    for folder in ("all", "in"):
        (tmp_path / folder).mkdir(exist_ok=True)
        (tmp_path / folder / "b.parquet").write_bytes(whole[:-1])
    runs = [[*PAIR, "--input", str(tmp_path / name), "--output", str(tmp_path / "out"), *SMALL] for name in ("all", "in")]
    # Both in one process: a Java machine is slow to start.
    code = f"from mqconvert.app.cli import main; print(*(main(['batch', *run]) for run in {runs}))"
    process = python("-c", code)
    out, err = process.communicate(timeout=300)
    assert out == "2 2\n"
    said = [line for line in err.splitlines() if not line.startswith(("NOTE: Picked up", "WARNING: Using incubator"))]
    assert len(said) == 2, err
    assert all("parquet is not a Parquet file" in line for line in said)
    assert not (tmp_path / "out").exists()


def test_an_interrupted_run_ends_in_silence(tmp_path: Path) -> None:
    """SIGINT during a run gives the exit status of an interrupt, no traceback and no output."""
    source = archive(tmp_path / "in", [PUBLISH] * 300_000)
    arguments = ["batch", *PAIR, *SMALL, "--input", str(source), "--output", str(tmp_path / "out")]
    handler = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler)"  # replace the test runner's
    process = python("-c", f"{handler}; from mqconvert.app.cli import main; raise SystemExit(main({arguments}))")
    at_work(process, tmp_path)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=120)
    assert (process.returncode, out) == (130, "")
    assert all(line.startswith(("NOTE: Picked up", "WARNING: Using incubator")) for line in err.splitlines()), err
    assert left(tmp_path) == ["in"]


def test_a_killed_stream_resumes_without_losing_or_repeating_rows(spark: SparkSession, tmp_path: Path) -> None:
    """A stream killed without warning and restarted with more input writes every row once."""
    folder, target = tmp_path / "in", tmp_path / "out"
    for number in range(30):
        wires = [PUBLISH, BAD, PUBLISH * 2]
        archive(folder / f"{number:03}.parquet", wires, file=[number] * 3)
    stream = ("--input", str(folder), "--output", str(target), "--stream", "--checkpoint", str(tmp_path / "checkpoint"))
    process = batch(*stream, "--files-per-batch", "2", "--master", "local[2]")
    log = target / "_spark_metadata"
    deadline = time.monotonic() + 240
    while len(list(log.glob("[0-9]*"))) < 3:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    archive(folder / "030.parquet", [PUBLISH], file=[30])
    done = len(list(log.glob("[0-9]*")))
    assert done < 16
    assert run(spark, *stream, "--once") == 0
    made = spark.read.parquet(str(target)).select("file", "id", "index", "status").collect()
    each = [(0, 0, "converted"), (1, None, "rejected"), (2, 0, "converted"), (2, 1, "converted")]
    wanted = [(number, *row) for number in range(30) for row in each] + [(30, 0, 0, "converted")]
    assert Counter(tuple(row) for row in made) == Counter(wanted)
    shutil.rmtree(target)


def test_the_second_of_two_runs_to_one_output_fails_at_once(spark: SparkSession, tmp_path: Path) -> None:
    """A scheduler may start a run twice. The run that exits with 0 has every row on disk; the other one names it."""
    source = archive(tmp_path / "in", [PUBLISH, BAD] * 2000)
    for turn in range(5):
        target, bad = tmp_path / f"out{turn}", tmp_path / f"bad{turn}"
        asked = ("--input", str(source), "--output", str(target), "--rejects", str(bad), "--partitions", "4")
        ends: list[int] = []
        runs = [threading.Thread(target=lambda asked=asked, ends=ends: ends.append(run(spark, *asked))) for _ in range(2)]
        for one in runs:
            one.start()
            time.sleep(0.2 * turn)
        for one in runs:
            one.join()
        assert min(ends) == 0
        assert max(ends) in {1, 2}  # 2: the other run had ended
        assert stored(target, bad) == Counter(range(4000))
    assert left(tmp_path) == sorted(["in", *(f"{name}{turn}" for name in ("bad", "out") for turn in range(5))])


def test_a_run_is_refused_while_another_lives_and_succeeds_once_it_is_killed(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run is refused while the first one lives, even when stopped. After a kill the next run succeeds."""
    source = archive(tmp_path / "in", [PUBLISH, BAD] * 20_000)
    asked = ("--input", str(source), "--output", str(tmp_path / "out"))
    first = batch(*asked)
    at_work(first, tmp_path)
    os.kill(first.pid, signal.SIGSTOP)
    assert run(spark, *asked) == 1
    said = capsys.readouterr().err
    assert "out is being written by run 20" in said
    assert f"process {first.pid}, started 20" in said
    os.killpg(first.pid, signal.SIGKILL)
    first.communicate()
    assert not (tmp_path / "out").exists()
    assert run(spark, *asked) == 0
    assert stored(tmp_path / "out") == Counter(range(40_000))
    assert left(tmp_path) == ["in", "out"]


def test_a_terminated_run_leaves_no_files(tmp_path: Path) -> None:
    source = archive(tmp_path / "in", [PUBLISH] * 100_000)
    process = batch("--input", str(source), "--output", str(tmp_path / "out"))
    at_work(process, tmp_path)
    process.terminate()
    assert process.communicate(timeout=120)[0] == ""
    assert process.returncode == 143
    assert left(tmp_path) == ["in"]


def test_a_run_terminated_while_spark_starts_leaves_no_java(tmp_path: Path) -> None:
    """A remaining Java process would block a reader of the output pipe forever."""
    source = archive(tmp_path / "in", [PUBLISH])
    (tmp_path / "tmp").mkdir()
    process = batch("--input", str(source), "--output", str(tmp_path / "out"), TMPDIR=str(tmp_path / "tmp"))
    deadline = time.monotonic() + 240
    while len(left(tmp_path / "tmp")) < 2:  # our folder, and one for PySpark's handshake with Java
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.terminate()
    process.communicate(timeout=120)
    assert process.returncode == 143


def test_the_defaults_handle_64_mb_messages_and_a_worker_failure_beside_an_unusable_python3(tmp_path: Path) -> None:
    """The defaults cover memory, task retries, event log and settings. One process checks all, since it starts slowly.

    The `python3` on its PATH cannot run the workers.
    """
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "python3").write_text("#!/bin/sh\necho 'another Python' >&2\nexit 1\n")
    (tmp_path / "bin" / "python3").chmod(0o755)
    others = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "PYSPARK_PYTHON": "python3"}
    (tmp_path / "site").mkdir()
    broken = f"""
import mqconvert.converters.columns.arrow as ours
from pathlib import Path

binary = ours.ENCODINGS["binary"]

def failing(wire):
    once = Path({str(tmp_path / "failed")!r})
    if not once.exists():
        once.touch()
        raise MemoryError
    return binary(wire)

ours.ENCODINGS["binary"] = failing
"""
    (tmp_path / "site" / "sitecustomize.py").write_text(broken)
    long = encode(Publish(topic_name="t", payload=bytes(2**26)))
    archive(tmp_path / "in", [*[PUBLISH] * 500, long, BAD, *[PUBLISH] * 500])
    asked = ["--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--event-log", str(tmp_path / "log")]
    asked += ["--conf", "spark.app.name=ours", "--conf", "spark.eventLog.compress=false", "--log-level", "error"]
    process = python("-m", "mqconvert.app", "batch", *PAIR, *asked, PYTHONPATH=str(tmp_path / "site"), **others)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert "converted            1,001 rows" in out
    assert "rejected                 1 rows" in out
    assert (tmp_path / "out" / "_manifest.json").exists()
    assert (tmp_path / "failed").exists()
    assert stored(tmp_path / "out") == Counter(range(1002))
    assert "MemoryError" in err  # of the first try, in the log
    events = "".join(file.read_text() for file in (tmp_path / "log").rglob("*") if file.is_file() and file.suffix != ".crc")
    assert '"spark.app.name":"ours"' in events
    assert re.search(r"mqconvert \S+: convert mqtt-5.0 to amqp-0.9.1", events)


def test_too_little_memory_is_reported_with_limit_and_option(tmp_path: Path) -> None:
    archive(tmp_path / "in", [PUBLISH, encode(Publish(topic_name="t", payload=bytes(2**26)))])
    process = batch("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "mqconvert: the job failed: the Java machine needs more than its 512m of memory: give more (--memory)" in err
    assert "Traceback" not in err
    assert "did not start" not in err
    assert left(tmp_path) == ["in"]

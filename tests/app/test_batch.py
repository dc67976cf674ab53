"""`mqconvert batch` on a real Spark: data sets in each format, refusals, counts, streams and crashes."""

import argparse
import base64
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from pyarrow import orc
from pyspark.sql import DataFrame, SparkSession

from mqconvert import MqConvertError, convert, decode, encode
from mqconvert.app.batch import dataset, frames, progress, sample
from mqconvert.app.batch import run as batch_run
from mqconvert.app.batch.command import execute
from mqconvert.app.batch.java import find_java
from mqconvert.app.batch.lease import Lease
from mqconvert.app.batch.options import FORMATS, add_arguments, job_of, memory
from mqconvert.app.batch.storage import Local, storage_of
from mqconvert.app.batch.summary import Counts
from mqconvert.app.cli import main
from mqconvert.compiled import is_compiled
from mqconvert.converters.choices import OPTIONS
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.on_spark import ENVIRONMENT, ON_SPARK

pytestmark = ON_SPARK

PUBLISH = bytes.fromhex("3006000174006869")
CONVERTED = encode(convert(PUBLISH, "amqp-0.9.1", source="mqtt-5.0").message)
LOSSY = encode(Publish(topic_name="t", content_type="x" * 300, retain=1, payload=b"hi"))
BAD = PUBLISH[:-1]
WIRES = [PUBLISH, PUBLISH * 2, BAD, LOSSY, None, b""]
PAIR = ("--from", "mqtt-5.0", "--to", "amqp-0.9.1")


@pytest.fixture(autouse=True)
def _no_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    """Turn progress off: on a busy machine a job takes longer than its first line of progress waits."""
    monkeypatch.setattr(progress, "SECONDS", 3600.0)


def archive(path: Path, wires: list[Any], **columns: list[Any]) -> Path:
    path.parent.mkdir(exist_ok=True)
    pq.write_table(pa.table({"id": range(len(wires)), "wire": pa.array(wires, pa.binary())} | columns), path)
    return path


def run(spark: SparkSession, *arguments: str) -> int:
    """Run the job in the session of the tests, like `command` without its own Java machine."""
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    return execute(spark, job_of(vars(parser.parse_args([*PAIR, *arguments]))))


SMALL = ["--memory", "512m", "--master", "local[1]"]


def with_defaults(defaults: Sequence[str], arguments: Sequence[str]) -> list[str]:
    """Return arguments with those options of `defaults` that they lack, since an option is given once."""
    options = zip(defaults[::2], defaults[1::2], strict=True)
    return [*(word for option in options if option[0] not in arguments for word in option), *arguments]


def batch(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return python("-m", "mqconvert.app", "batch", *with_defaults([*PAIR, *SMALL], arguments), **environment)


def python(*arguments: str, **environment: str) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | ENVIRONMENT | environment,
        start_new_session=True,
    )


def left(folder: Path) -> list[str]:
    """Return everything in a folder, hidden files too."""
    return sorted(path.name for path in folder.iterdir())


def statuses(df: DataFrame) -> dict[int, str]:
    return {row["id"]: row["status"] for row in df.select("id", "status").collect()}


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
    assert "rows a second" in table
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in", "out", "report.json"]


def test_every_input_format_converts_to_every_output_format(spark: SparkSession, tmp_path: Path) -> None:
    """Each input format converts to itself and to every other format."""
    orc.write_table(pa.table({"id": range(2), "wire": [PUBLISH, BAD]}), tmp_path / "in.orc")
    texts = [base64.b64encode(wire).decode() for wire in (PUBLISH, BAD)]
    lines = [json.dumps({"id": id_, "wire": text}) for id_, text in enumerate(texts)]
    (tmp_path / "in.jsonl").write_text("\n".join([*lines, "{no json", '{"id": 3, "wire": "*"}']) + "\n")
    (tmp_path / "in.lines").write_text(f"{PUBLISH.hex()}\n{BAD.hex()}\nno hex\n")
    for format_, *options in (["orc"], ["jsonl"], ["lines", "--encoding", "hex"]):
        arguments = ["--input", str(tmp_path / f"in.{format_}"), "--output", str(tmp_path / format_), *options]
        assert run(spark, *arguments, "--input-format", format_) == 0
    made = spark.read.orc(str(tmp_path / "orc"))
    assert statuses(made) == {0: "converted", 1: "rejected"}
    assert [row["converted"] for row in made.where("id = 0").collect()] == [CONVERTED]
    converted, rejected = (read_lines(tmp_path / "jsonl" / f"status={status}") for status in ("converted", "rejected"))
    assert [base64.b64decode(json.loads(line)["converted"]) for line in converted] == [CONVERTED]
    errors = [json.loads(line) for line in rejected]
    assert [row["error"]["code"] for row in errors] == ["truncated", "no_wire", "bad_base64"]
    assert [row.get("_corrupt_record") for row in errors] == [None, "{no json", None]
    assert read_lines(tmp_path / "lines" / "status=converted") == [CONVERTED.hex()]
    assert [json.loads(line)["error"]["code"] for line in read_lines(tmp_path / "lines" / "status=rejected")] == [
        "truncated",
        "bad_hex",
    ]


@pytest.mark.parametrize(
    "options",
    [
        ["--to", "nsq", "--payload", "envelope"],
        ["--to", "nsq", "--address", "a/b c", "--escape"],
        ["--to", "nsq", "--on-loss", "fail"],
        ["--to", "amqp-1.0", "--profile", "rabbitmq-4.0", "--mqtt-exchange", "other"],
    ],
)
def test_batch_and_convert_give_the_same_result_for_the_same_options(
    spark: SparkSession, tmp_path: Path, options: list[str]
) -> None:
    """`mqconvert batch` converts a message as `mqconvert convert` does with the same options."""
    wire = encode(Publish(topic_name="t", response_topic="answers", payload=b"hi"))
    (tmp_path / "wire").write_bytes(wire)
    source, target = archive(tmp_path / "in", [wire]), tmp_path / "out"
    status = main(["convert", "--from", "mqtt-5.0", *options, str(tmp_path / "wire"), "-o", str(tmp_path / "converted")])
    assert run(spark, *options, "--input", str(source), "--output", str(target)) == status
    (row,) = spark.read.parquet(str(target)).collect()
    assert status == (1 if row["error"] else 0)
    if status == 0:
        assert row["converted"] == (tmp_path / "converted").read_bytes()
        assert row["converted"] != encode(convert(wire, options[1], source="mqtt-5.0").message)
    else:
        assert row["error"]["code"] == "loss"


def test_a_rerun_with_the_clock_of_the_manifest_gives_the_same_output(spark: SparkSession, tmp_path: Path) -> None:
    source = archive(tmp_path / "in", [encode(Publish(topic_name="t", payload=b"hi"))])
    before = time.time_ns() // 1_000_000
    made = []
    for name in ("first", "again"):
        manifest = tmp_path / "first" / "_manifest.json"
        options = ["--clock", str(json.loads(manifest.read_text())["clock"])] if name == "again" else []
        target = tmp_path / name
        assert run(spark, "--to", "pulsar", *options, "--input", str(source), "--output", str(target)) == 0
        made.append([row["converted"] for row in spark.read.parquet(str(target)).collect()])
    assert made[0] == made[1] != [None]
    message: Any = decode("pulsar", made[0][0])
    assert message.publish_time >= before


def test_batch_takes_every_option_of_a_conversion() -> None:
    parser = argparse.ArgumentParser()
    add_arguments(parser)
    assert {one.name for one in OPTIONS} <= set(vars(parser.parse_args([*PAIR, "--input", "i", "--output", "o"])))


@pytest.mark.usefixtures("workers_without_packages")
def test_a_package_missing_on_workers_fails_the_job_with_one_line(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error names the package to install. No row is rejected, and no output is published."""
    source = archive(tmp_path / "in" / "a.parquet", WIRES).parent
    stream = ["--stream", "--once", "--checkpoint", str(tmp_path / "checkpoint")]
    for options in ([], ["--max-reject-share", "0.5"], stream):
        assert run(spark, "--from", "pulsar", "--input", str(source), "--output", str(tmp_path / "out"), *options) == 1
        said = capsys.readouterr().err
        assert said.count("\n") == 1
        assert said.endswith(" failed: No module named 'google_crc32c': pip install 'mqconvert[brokers]'\n")
        assert not list((tmp_path / "out").glob("status=*"))


def test_a_package_missing_on_the_driver_fails_before_any_work(tmp_path: Path, without_packages: Path) -> None:
    """The one-line error precedes all work. A pair that needs no package runs without it."""
    source = archive(tmp_path / "in", WIRES)
    process = batch("--from", "pulsar", "--input", str(source), "--output", "out", PYTHONPATH=str(without_packages))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert err == "mqconvert: No module named 'google_crc32c': pip install 'mqconvert[brokers]'\n"


def read_lines(folder: Path) -> list[str]:
    return [line for file in sorted(folder.glob("part-*")) for line in file.read_text().splitlines()]


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


def test_a_wrong_input_is_stopped_by_a_sample(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source, target = archive(tmp_path / "in", [b"GET / HTTP/1.1"] * 20), tmp_path / "out"
    assert run(spark, "--input", str(source), "--output", str(target), "--max-reject-share", "0.5") == 1
    said = capsys.readouterr().err
    assert said.count("rejected: {") == 5
    assert b"GET / HTTP/1.1".hex().upper() in said
    assert "20 of a sample of 20 rows" in said
    assert not target.exists()
    assert left(tmp_path) == ["in"]


def test_too_many_rejects_after_a_good_sample_fail_the_job(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sample, "ROWS", 2)
    source, target = archive(tmp_path / "in", [PUBLISH, PUBLISH, BAD, BAD, BAD]), tmp_path / "out"
    assert run(spark, "--input", str(source), "--output", str(target), "--max-reject-share", "0.5") == 1
    assert spark.read.parquet(str(target)).count() == 5


def test_an_unwritable_report_is_a_one_line_error(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The error is found after the work: the output is kept, and the run fails."""
    source, report = archive(tmp_path / "in", [PUBLISH]), tmp_path / "report.json"
    move = Local.move

    def take(storage: Any, path: str, to: str) -> None:
        report.mkdir()
        move(storage, path, to)

    monkeypatch.setattr(Local, "move", take)
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), "--report", str(report)) == 1
    assert capsys.readouterr().err == f"mqconvert: --report {report} cannot be written: Is a directory\n"
    assert spark.read.parquet(str(tmp_path / "out")).count() == 1


def test_a_mismatch_is_an_error() -> None:
    Counts(read=3, converted=2, rejected=1, messages=9).check()
    with pytest.raises(MqConvertError, match="do not add up"):
        Counts(read=3, converted=1, rejected=1).check()


def test_a_mismatch_fails_the_job(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """If a row vanished between reading and writing, the job would publish no output."""
    convert_ = frames.convert
    monkeypatch.setattr(frames, "convert", lambda df, asked, **options: convert_(df, asked, **options).where("id <> 1"))
    source, target = archive(tmp_path / "in", WIRES), tmp_path / "out"
    assert run(spark, "--input", str(source), "--output", str(target)) == 1
    assert "6 rows read, but 2 converted and 3 rejected" in capsys.readouterr().err
    assert not target.exists()


# ---- refusals -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--wire-column", "body"], "no column 'body'; there are: id, wire"),
        (["--wire-column", "id"], "column 'id' is bigint, not binary"),
        (["--from", "column:protocol"], "no column 'protocol'"),
        (["--from", "column:id"], "is bigint, not string"),
        (["--input", "/no/such/archive"], "there is no such path"),
        (["--input", "nosuch://host/archive"], 'No FileSystem for scheme "nosuch"'),
        (["--input-format", "orc"], "Malformed ORC file"),
        (["--output", "/proc/nothing/here"], "cannot be written"),
        (["--rejects", "{}/out/bad"], "--rejects {}/out/bad is inside --output {}/out"),
        (["--rejects", "{}"], "is inside --rejects {}"),
        (["--output", "{}/in/./out"], "is inside --input {}/in"),
        (["--output", "{}", "--overwrite"], "--input {}/in is inside --output {}"),
        (["--stream", "--checkpoint", "/proc/nothing/here"], "--input {}/in is a file: a stream needs a folder"),
        (["--stream", "--checkpoint", "{}/in/state"], "{}/in/state is inside --input {}/in"),
    ],
)
def test_invalid_data_sets_are_one_line_errors(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], words: str
) -> None:
    """The error is one clear line, before any work starts."""
    source = archive(tmp_path / "in", [PUBLISH])
    here = [argument.replace("{}", str(tmp_path)) for argument in arguments]
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), *here) == 2
    said = capsys.readouterr().err
    assert words.replace("{}", str(tmp_path)) in said
    assert said.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_a_number_below_its_bound_is_a_one_line_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["batch", *PAIR, "--input", "/in", "--output", "/out", "--partitions", "0"])
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert "argument --partitions: '0' is not a number from 1" in said
    assert said.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--from", "stomp"], "unknown protocol 'stomp'"),
        (["--to", "stomp"], "unknown protocol 'stomp'"),
        (["--from", "column:"], "names no column"),
        (["--profile", "no"], "unknown profile"),
        (["--rules", "/no/such/overlay.toml"], "cannot be read"),
        (["--max-reject-share", "2"], "max_reject_share must be a number from 0 to 1"),
        (["--max-reject-share", "nan"], "max_reject_share must be a number from 0 to 1"),
        (["--stream"], "needs a --checkpoint"),
        (["--checkpoint", "c"], "go with --stream"),
        (["--stream", "--checkpoint", "c", "--overwrite"], "no --rejects, no --overwrite"),
        (["--rejects", "/out"], "are the same path"),
        (["--input-format", "lines", "--encoding", "binary"], "cannot be combined with lines"),
        (["--report", "/no/such/folder/report.json"], "there is no folder"),
        (["--report", "/"], "--report / is a folder"),
        (["--memory", "much"], "takes a size"),
        (["--memory", "100m"], "too little"),
        (["--memory", "900t"], "too little memory"),
        (["--master", "sc://127.0.0.1"], "needs a classic session"),
    ],
)
def test_invalid_options_are_one_line_errors(capsys: pytest.CaptureFixture[str], arguments: list[str], words: str) -> None:
    """The error is one clear line, before a Java machine starts."""
    assert main(["batch", *with_defaults([*PAIR, "--input", "/in", "--output", "/out"], arguments)]) == 2
    said = capsys.readouterr().err
    assert words in said
    assert said.count("\n") == 1


def test_an_invalid_overlay_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mine.toml").write_text('["mqtt-5.0 -> amqp-0.9.1"]\nremove = ["nothing"]\n')
    assert main(["batch", *PAIR, "--input", "/in", "--output", "/out", "--rules", str(tmp_path / "mine.toml")]) == 2
    assert "mine.toml" in capsys.readouterr().err


def test_missing_or_old_java_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("JAVA_HOME", raising=False)
    batch = ["batch", *PAIR, "--input", "/in", "--output", "/out"]
    assert main(batch) == 2
    assert "Spark needs Java 17 or later, and neither JAVA_HOME nor PATH has one: install" in capsys.readouterr().err
    old = tmp_path / "bin" / "java"
    old.parent.mkdir()
    old.write_text("#!/bin/sh\necho 'openjdk version \"11.0.2\" 2019-01-15' >&2\n")
    old.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert main(batch) == 2
    assert f"{old} is Java 11" in capsys.readouterr().err


def test_java_is_found_on_the_path_behind_an_old_one(tmp_path: Path) -> None:
    java = find_java()
    (tmp_path / "java").symlink_to(java)
    assert find_java({"JAVA_HOME": "/nowhere", "PATH": str(tmp_path)}) == tmp_path / "java"


def test_memory_beyond_the_free_memory_is_refused() -> None:
    with pytest.raises(MqConvertError, match="512m are free"):
        memory("1g", 512 * 2**20)


# ---- streams ------------------------------------------------------------------------------------------------------------


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


# ---- protection against faults ------------------------------------------------------------------------------------------


def stored(*folders: Path) -> Counter[int]:
    """Return the ids on disk, read without Spark."""
    files = [file for folder in folders for file in folder.rglob("*.parquet") if not file.name.startswith((".", "_"))]
    return Counter(id_ for file in files for id_ in pq.read_table(file, columns=["id"])["id"].to_pylist())


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


def test_columns_missing_in_some_parts_are_kept(spark: SparkSession, tmp_path: Path) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH])
    archive(tmp_path / "in" / "b.parquet", [PUBLISH], extra=["here"])
    assert run(spark, "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out")) == 0
    made = spark.read.parquet(str(tmp_path / "out")).select("extra").collect()
    assert sorted(str(row["extra"]) for row in made) == ["None", "here"]


def test_columns_of_two_types_are_refused_by_name(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    archive(tmp_path / "in" / "a.parquet", [PUBLISH], extra=[1])
    archive(tmp_path / "in" / "b.parquet", [PUBLISH], extra=["one"])
    assert run(spark, "--input", str(tmp_path / "in"), "--output", str(tmp_path / "out")) == 2
    said = capsys.readouterr().err
    assert "column extra" in said
    assert said.count("\n") == 1


def test_all_rejected_is_a_failure_unless_allowed(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, some, none = (
        archive(tmp_path / name, wires) for name, wires in (("bad", [BAD] * 3), ("some", [BAD, PUBLISH]), ("none", []))
    )
    ends = {
        (path, share): run(spark, "--input", str(path), "--output", str(tmp_path / "out"), "--overwrite", *share)
        for path in (bad, some, none)
        for share in ((), ("--max-reject-share", "1"))
    }
    assert list(ends.values()) == [1, 0, 0, 0, 0, 0]
    assert "all 3 rows are rejected; --max-reject-share 1 accepts that" in capsys.readouterr().err


@pytest.fixture
def workers_with_a_defect(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "site").mkdir()
    broken = "from mqconvert.converters.routes import RouteConverter\n\nRouteConverter.convert = lambda *_given: 1 // 0\n"
    (tmp_path / "site" / "sitecustomize.py").write_text(broken)
    monkeypatch.setitem(spark.sparkContext.environment, "PYTHONPATH", str(tmp_path / "site"))


@pytest.mark.usefixtures("workers_with_a_defect")
def test_an_internal_error_fails_the_job(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    source = archive(tmp_path / "in", [PUBLISH, BAD])
    asked = ("--input", str(source), "--output", str(tmp_path / "out"), "--max-reject-share", "1")
    assert run(spark, *asked) == 1
    assert "1 rows met a defect of mqconvert (code internal); they are among the rejects" in capsys.readouterr().err
    assert spark.read.parquet(str(tmp_path / "out")).where("error.code = 'internal'").count() == 1


def test_a_sample_is_spread_over_the_files(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sample finds bad files at the end, also in a folder with a space in its name."""
    for number in range(10):
        archive(tmp_path / "an archive" / f"{number}.parquet", [PUBLISH if number < 5 else BAD] * 3)
    asked = ("--output", str(tmp_path / "out"), "--max-reject-share", "0.4")
    assert run(spark, "--input", str(tmp_path / "an archive"), *asked) == 1
    assert "15 of a sample of 30 rows" in capsys.readouterr().err
    assert left(tmp_path) == ["an archive"]


# ---- names and paths ----------------------------------------------------------------------------------------------------


def test_a_kafka_archive_converts_to_every_format(spark: SparkSession, tmp_path: Path) -> None:
    """The archive has columns `partition` and `status`, the wire in a struct, and names with backticks."""
    message = pa.array([{"wire": PUBLISH * 2, "k`ey.": 1}, {"wire": BAD, "k`ey.": 2}])
    columns = {"partition": [3, 4], "status": ["a", "b"], "a `b.c": [1, 2], "msg": message}
    pq.write_table(pa.table(columns), tmp_path / "in")
    for format_ in FORMATS:
        asked = (
            "--output",
            str(tmp_path / format_),
            "--output-format",
            format_,
            "--wire-column",
            "msg.wire",
            "--prefix",
            "mq_",
        )
        assert run(spark, "--input", str(tmp_path / "in"), *asked) == 0
        assert {path.name for path in (tmp_path / format_).glob("mq_*")} == {"mq_status=converted", "mq_status=rejected"}
    rows = spark.read.parquet(str(tmp_path / "parquet")).orderBy("partition", "mq_index").collect()
    assert [(row["partition"], row["status"], row["mq_index"], row["a `b.c"]) for row in rows] == [
        (3, "a", 0, 1),
        (3, "a", 1, 1),
        (4, "b", None, 2),
    ]
    assert [row["msg"]["wire"] for row in rows] == [PUBLISH * 2, None, BAD]


def test_a_prefix_names_the_folder_of_rejects(spark: SparkSession, tmp_path: Path) -> None:
    """The prefix may have any characters. It also applies to rejects with a separate path."""
    source = archive(tmp_path / "in", [PUBLISH, BAD])
    asked = ("--input", str(source), "--output", str(tmp_path / "out"), "--rejects", str(tmp_path / "bad"))
    assert run(spark, *asked, "--prefix", "mq a/b[%]=") == 0
    assert stored(tmp_path / "out") == Counter({0: 1})
    assert stored(tmp_path / "bad") == Counter({1: 1})


def test_input_columns_with_result_names_need_a_prefix(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Status", "partition", "index", "error", "report"):
        source = archive(tmp_path / name, [PUBLISH], **{name: [1]})
        assert run(spark, "--input", str(source), "--output", str(tmp_path / "out")) == 2
        assert "--prefix" in capsys.readouterr().err


def test_inputs_may_be_patterns_or_names_with_spaces_and_brackets(spark: SparkSession, tmp_path: Path) -> None:
    """Inputs are several paths expanded by the shell, names that look like patterns, and a pattern."""
    for name in ("a [1].parquet", "b{2}.parquet", "c 3.parquet", "c 4.parquet"):
        archive(tmp_path / "lake" / name, [PUBLISH])
    files = [str(tmp_path / "lake" / name) for name in ("a [1].parquet", "b{2}.parquet", "c*.parquet")]
    target = tmp_path / "out [x] y"
    for format_ in ("jsonl", "parquet"):
        asked = ("--output", str(target), "--rejects", str(tmp_path / "b{a}d"), "--output-format", format_, "--overwrite")
        assert run(spark, "--input", *files, *asked, "--max-reject-share", "0.5") == 0
    assert stored(target) == Counter({0: 4})
    assert left(tmp_path) == ["b{a}d", "lake", "out [x] y"]


def test_another_file_system_works_through_hadoop(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Leases, renaming, manifests and counted rows go through Hadoop on a file system that is not local."""
    settings = spark.sparkContext._jsc.hadoopConfiguration()
    settings.set("fs.viewfs.mounttable.lake.link./data", f"file://{tmp_path}")
    source = archive(tmp_path / "in", WIRES)
    asked = ("--input", str(source), "--output", "viewfs://lake/data/out [x]", "--rejects", "viewfs://lake/data/bad")
    for format_ in ("parquet", "jsonl"):
        assert run(spark, *asked, "--output-format", format_, "--overwrite") == 0
        told = json.loads((tmp_path / "out [x]" / "_manifest.json").read_text())
        assert (told["read"], told["messages"], told["rejected"]) == (6, 4, 3)
    assert len(read_lines(tmp_path / "out [x]" / "status=converted")) == 4
    assert len(read_lines(tmp_path / "bad")) == 3
    assert run(spark, *asked) == 2
    assert "exists: --overwrite" in capsys.readouterr().err
    lease = Lease(storage_of(spark, asked[3]), asked[3], "first")
    lease.acquire()
    lease.beat()
    assert run(spark, *asked, "--overwrite") == 1
    assert "is being written by run first" in capsys.readouterr().err
    lease.check()
    lease.release()
    assert [name for name in left(tmp_path) if not name.endswith(".crc")] == ["bad", "in", "out [x]"]


# ---- progress, and the function -----------------------------------------------------------------------------------------


def test_progress_without_a_terminal_is_printed_as_lines(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    source = archive(tmp_path / "in", [PUBLISH] * 20_000)
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out")) == 0
    said = capsys.readouterr().err.splitlines()
    assert said
    assert all(re.fullmatch(r"mqconvert: \d+ of \d+ tasks, \d+ s", line) for line in said)


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

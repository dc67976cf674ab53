"""`mqconvert batch` converts as `mqconvert convert` does, and reports failures on one line."""

import json
import time
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqconvert import convert, decode, encode
from mqconvert.app.batch.storage import Local
from mqconvert.app.cli import main
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.app.batch.runs import PUBLISH, WIRES, archive, batch, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


@pytest.mark.parametrize(
    "options",
    [
        ["--to", "nsq", "--payload", "envelope"],
        ["--to", "nsq", "--address", "a/b c", "--escape"],
        ["--to", "amqp-1.0", "--on-loss", "fail"],
        ["--to", "amqp-1.0", "--profile", "rabbitmq-4.0", "--mqtt-exchange", "other"],
    ],
)
def test_batch_and_convert_give_the_same_result_for_the_same_options(
    spark: SparkSession, tmp_path: Path, options: list[str]
) -> None:
    """`mqconvert batch` converts a message as `mqconvert convert` does with the same options."""
    wire = encode(Publish(topic_name="t", response_topic="a.b", payload=b"hi"))  # its dot is lost
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


def test_a_package_missing_on_the_driver_fails_before_any_work(tmp_path: Path, without_packages: Path) -> None:
    """The one-line error precedes all work. A pair that needs no package runs without it."""
    source = archive(tmp_path / "in", WIRES)
    process = batch("--from", "pulsar", "--input", str(source), "--output", "out", PYTHONPATH=str(without_packages))
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2
    assert err == "mqconvert: No module named 'google_crc32c': pip install 'mqconvert[brokers]'\n"


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

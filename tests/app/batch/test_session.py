"""Spark starts as small as the run, and runs in one session do not disturb each other."""

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch import dataset
from mqconvert.app.batch import run as batch_run
from mqconvert.app.batch.session import SETTINGS, settings
from tests.app.batch.runs import BAD, PAIR, PUBLISH, archive, python, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def events(log: Path) -> Iterator[dict[str, Any]]:
    for file in sorted(log.rglob("events_*")):
        yield from map(json.loads, file.read_text().splitlines())


@pytest.mark.system
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

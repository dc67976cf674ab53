"""Counts that do not add up, and too many rejects, fail the job."""

import json
import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch import frames
from mqconvert.app.batch.command import execute
from mqconvert.app.batch.summary import Counts, Summary
from tests.app.batch.runs import BAD, PUBLISH, WIRES, archive, job, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


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


def test_a_job_adds_up_the_summaries_of_its_messages(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Three plain messages of 2 fields, and one whose retain is dropped and whose content type is lost."""
    source, report = archive(tmp_path / "in", WIRES), tmp_path / "report.json"
    run(spark, "--input", str(source), "--output", str(tmp_path / "out"), "--report", str(report), "--max-reject-share", "1")
    summary = {"fields": 10, "arrive": 8, "unchanged": 4, "changed": 4, "by_rule": 1, "lost": 1}
    told = json.loads(report.read_text())
    assert (next(iter(told)), told["summary"]) == ("summary", summary)
    assert "8 of 10 fields arrive (4 unchanged, 4 changed); 2 do not: 1 by rule, 1 lost" in capsys.readouterr().out


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
    told = capsys.readouterr()
    assert "all 3 rows are rejected; --max-reject-share 1 accepts that" in told.err
    assert "no field is set" not in told.out


@pytest.mark.parametrize(
    ("read", "seconds", "rate"), [(5000, 9, ""), (5000, 10, "500 rows a second, "), (2, 13.6, "")], ids=["early", "late", "few"]
)
def test_a_rate_is_told_where_it_says_something(read: int, seconds: float, rate: str) -> None:
    summary = Summary(
        run="r", source="nsq", target="amqp-1.0", profile="documented", clock=None, tables={}, input=[], output="out",
        output_format="parquet", rejects=None, max_reject_share=None, seconds=seconds, counts=Counts(read=read, converted=read),
    )  # fmt: skip
    assert f"\n{rate}{seconds:,.1f} seconds, written to out" in str(summary)


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


def test_the_text_names_tables_and_errors_of_spark_are_json_where_they_are_asked_for(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source, asked = archive(tmp_path / "in", WIRES), ["--to", "nsq", "--address", "t"]
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out"), *asked) == 0
    out = capsys.readouterr().out
    assert re.search(r"^dropped +1  retain  .*  mqtt-5\.0 -> amqp-1\.0$", out, re.MULTILINE)
    (tmp_path / "bad.orc").write_text("no ORC")
    refused = job("--input", str(tmp_path / "bad.orc"), "--input-format", "orc", "--output", str(tmp_path / "new"))
    status = execute(spark, refused, errors="json")
    told = json.loads(capsys.readouterr().err.splitlines()[-1])
    assert (status, told["code"]) == (2, "job_failed")
    assert "Malformed ORC file" in told["message"]

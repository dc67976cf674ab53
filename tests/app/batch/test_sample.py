"""A sample finds a wrong input before the work."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqconvert.app.batch import sample
from tests.app.batch.runs import BAD, PUBLISH, archive, left, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


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


def test_a_sample_is_spread_over_the_files(spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sample finds bad files at the end, also in a folder with a space in its name."""
    for number in range(10):
        archive(tmp_path / "an archive" / f"{number}.parquet", [PUBLISH if number < 5 else BAD] * 3)
    asked = ("--output", str(tmp_path / "out"), "--max-reject-share", "0.4")
    assert run(spark, "--input", str(tmp_path / "an archive"), *asked) == 1
    assert "15 of a sample of 30 rows" in capsys.readouterr().err
    assert left(tmp_path) == ["an archive"]

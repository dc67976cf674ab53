"""Progress lines, for runs without a terminal."""

import re
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from mqconvert.app.batch import progress
from tests.app.batch.runs import PUBLISH, archive, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


def test_progress_without_a_terminal_is_printed_as_lines(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.05)
    source = archive(tmp_path / "in", [PUBLISH] * 20_000)
    assert run(spark, "--input", str(source), "--output", str(tmp_path / "out")) == 0
    said = capsys.readouterr().err.splitlines()
    assert said
    assert all(re.fullmatch(r"mqconvert: \d+ of \d+ tasks, \d+ s", line) for line in said)

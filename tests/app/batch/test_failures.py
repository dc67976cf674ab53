"""Errors of Spark are one line."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from tests.app.batch.runs import WIRES, archive, run
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK


@pytest.mark.system
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

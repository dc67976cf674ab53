"""The Spark job into tables of Delta Lake and Iceberg on Spark 4.0, for which both have releases."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mqconvert.app.batch.java import find_java
from tests.interop.brokers.broker import prepared, run
from tests.interop.brokers.java import jars

SPARK, DELTA = "4.0.1", "4.0.0"


def _pyspark() -> Path:
    """Return a folder with only that PySpark; its dependencies are installed."""

    def make(folder: Path) -> None:
        pip = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps")
        run(*pip, "--target", folder / "site", f"pyspark=={SPARK}", "py4j==0.10.9.9")

    return prepared(f"pyspark-{SPARK}", make) / "site"


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Return the output of the program, which runs once for both formats: starting Spark takes most of its time."""
    folder = tmp_path_factory.mktemp("lake")
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("lake_job.py"), jars("lake", DELTA), folder],
        cwd=folder,
        env=os.environ
        | {
            "PYTHONPATH": os.pathsep.join((str(_pyspark()), os.environ.get("PYTHONPATH", ""))),
            "JAVA_HOME": str(find_java().resolve().parent.parent),
            "PYSPARK_PYTHON": sys.executable,
        },
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


@pytest.mark.parametrize("format_", ["delta", "iceberg"])
def test_a_table_of_a_lake_format_is_made_replaced_and_refused(told: dict[str, Any], format_: str) -> None:
    table = told[format_]
    assert told["spark"] == SPARK
    assert [(account["read"], account["converted"], account["rejected"]) for account in table["accounts"]] == [(50, 45, 5)] * 2
    assert table["statuses"] == {"converted": 45, "rejected": 5}
    assert table["refused"] == "output_exists"
    assert table["tables"] == ["made"]


@pytest.mark.parametrize(("format_", "title"), [("delta", "Delta"), ("iceberg", "Iceberg")])
def test_a_table_is_read_as_such_and_refused_as_files(told: dict[str, Any], format_: str, title: str) -> None:
    """The folder of the table has 12 rows in its files, 6 of them old."""
    assert told[format_]["read"] == 6
    assert len(told[format_]["files"]) == 2
    assert all(f"belongs to a table of {title}" in words for words in told[format_]["files"])

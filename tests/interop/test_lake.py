"""The Spark job into tables of Delta Lake and Iceberg, over the Spark that both have releases for: 4.0."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from mqconvert.app.batch.java import find_java
from tests.interop.brokers.broker import prepared, run
from tests.interop.brokers.java import jars

SPARK, DELTA = "4.0.1", "4.0.0"


def _pyspark() -> Path:
    """A folder with that PySpark alone; what it needs is here already."""

    def make(folder: Path) -> None:
        pip = (sys.executable, "-m", "pip", "install", "-q", "--disable-pip-version-check", "--no-deps")
        run(*pip, "--target", folder / "site", f"pyspark=={SPARK}", "py4j==0.10.9.9")

    return prepared(f"pyspark-{SPARK}", make) / "site"


@pytest.mark.parametrize("format_", ["delta", "iceberg"])
def test_a_table_of_a_lake_format_is_made_replaced_and_refused(format_: str, tmp_path: Path) -> None:
    folder = jars("lake", DELTA)
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("lake_job.py"), folder, tmp_path, format_],
        cwd=tmp_path,
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
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["spark"] == SPARK
    assert [(account["read"], account["converted"], account["rejected"]) for account in told["told"]] == [(50, 45, 5)] * 2
    assert told["statuses"] == {"converted": 45, "rejected": 5}
    assert told["refused"] == "output_exists"
    assert told["tables"] == ["made"]

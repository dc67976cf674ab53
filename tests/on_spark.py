"""The marks and settings of tests that run Spark: one worker owns the JVM, and without Java they are skipped."""

import os
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from mqconvert.app.batch.java import find_java
from mqconvert.converters.errors import MqConvertError


def archive() -> Path | None:
    """Return the path of the archive of Spark's classes that scripts/java-archive writes for this Java and this Spark."""
    try:
        said = subprocess.run([find_java(), "-version"], capture_output=True, text=True, check=False).stderr
    except MqConvertError:
        return None
    found = re.search(r'version "([^"]+)"', said)
    return found and Path(__file__).parents[1] / "build" / f"spark-{version('pyspark')}-{found[1]}.jsa"


def _options() -> str:
    """Return the options of the JVM: tests end before better JIT code pays."""
    plain, made = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC", archive()
    quiet = "-Xlog:cds=off -Xlog:cds+dynamic=off"
    return plain if made is None or not made.exists() else f"{plain} -XX:SharedArchiveFile={made} {quiet}"


ENVIRONMENT = {
    "JDK_JAVA_OPTIONS": _options(),
    "PYSPARK_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
}
"""The environment variables of every JVM that tests start."""


def _missing() -> str | None:
    try:
        java = find_java()
    except MqConvertError as error:
        return error.message
    os.environ["JAVA_HOME"] = str(java.resolve().parent.parent)
    return None


MISSING = _missing()
ON_SPARK = [pytest.mark.xdist_group("spark"), pytest.mark.skipif(MISSING is not None, reason=MISSING or "")]

if __name__ == "__main__":
    print(archive() or "")  # noqa: T201 - scripts/java-archive reads it

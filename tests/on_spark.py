"""The marks and settings of tests that run Spark: one worker owns the JVM, and without Java they are skipped."""

import os
import sys

import pytest

from mqconvert.app.batch.java import find_java
from mqconvert.converters.errors import MqConvertError

ENVIRONMENT = {
    "JDK_JAVA_OPTIONS": "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",  # tests end before better JIT code pays
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

"""The marks of tests that run Spark: one worker owns the Java machine, and without Java they are skipped and say so."""

import pytest

from mqconvert.app.batch.java import find_java
from mqconvert.converters.errors import MqConvertError


def _missing() -> str | None:
    try:
        find_java()
    except MqConvertError as error:
        return error.message
    return None


MISSING = _missing()
ON_SPARK = [pytest.mark.xdist_group("spark"), pytest.mark.skipif(MISSING is not None, reason=MISSING or "")]

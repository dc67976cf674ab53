"""`mqconvert batch`: options in, a data set and an exit status out. Also what `spark-submit` runs, by way of __main__.py."""

import sys
from pathlib import Path
from typing import Any

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch import run, stream
from mqconvert.app.batch.options import Job, job
from mqconvert.app.batch.session import Storage, cause, session
from mqconvert.app.batch.summary import Summary

OK, FAILED, USAGE = 0, 1, 2


def command(chosen: Any) -> int:
    """Run the job that arguments ask for: 0 also with rejects, 1 when rows do not add up or too many are rejected, 2 for
    anything that is wrong before work starts.
    """
    try:
        asked = job(chosen)
        with session(chosen.master, chosen.memory) as spark:
            return execute(spark, asked)
    except MqConvertError as error:
        return _said(error.message, USAGE)
    except (PySparkException, Py4JError, OSError) as error:
        return _said(f"Spark did not start: {cause(error)}", USAGE)


def execute(spark: SparkSession, asked: Job) -> int:
    """The job in a session: checks first, then the work."""
    try:
        storage = Storage(spark)
        df = run.prepare(spark, asked, storage)
    except MqConvertError as error:
        return _said(error.message, USAGE)
    except (PySparkException, Py4JError) as error:
        return _said(cause(error), USAGE)
    try:
        done = stream.run(asked, df) if asked.stream else run.run(spark, asked, df, storage)
    except MqConvertError as error:
        return _said(error.message, FAILED)
    except (PySparkException, Py4JError) as error:
        return _said(f"the job failed: {cause(error)}", FAILED)
    return _told(asked, done)


def _told(asked: Job, done: Summary) -> int:
    print(done)  # noqa: T201 - a command line prints
    if asked.report is not None:
        try:
            Path(asked.report).write_text(done.as_json())
        except OSError as error:
            return _said(f"--report {asked.report} cannot be written: {error.strerror}", FAILED)
    counts = done.counts
    if asked.max_reject_share is not None and counts.rejected > asked.max_reject_share * counts.read:
        share = counts.rejected / counts.read
        return _said(f"{share:.2%} of the rows are rejected, and --max-reject-share is {asked.max_reject_share:g}", FAILED)
    return OK


def _said(problem: str, status: int) -> int:
    print(f"mqconvert: {problem}", file=sys.stderr)  # noqa: T201 - a command line prints
    return status

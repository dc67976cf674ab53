"""`mqconvert batch`: options in, a data set and an exit status out. `spark-submit` runs it through __main__.py."""

import json
import signal
import sys
from argparse import Namespace
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from mqconvert import MqConvertError
from mqconvert.app.batch.failures import cause, failed
from mqconvert.app.batch.held import Held, held
from mqconvert.app.batch.options import OPTIONS, Job, job_of
from mqconvert.app.batch.session import SMALL, Machine, checked, machine_status, session
from mqconvert.app.batch.storage import local_size
from mqconvert.app.batch.summary import Summary
from mqconvert.app.batch.threads import import_late_modules, progress, start_worker
from mqconvert.app.signals import end, handled
from mqconvert.app.terminal import flag
from mqconvert.converters.errors import JobError

OK, FAILED, USAGE = 0, 1, 2
BUSY = "output_busy"


def command(chosen: Namespace) -> int:
    """Run the job of the given arguments.

    Returns 0 also with rejects; 1 when the job failed, another run writes to the output, rows do not add up, too many are
    rejected, or rows met a defect; 2 for errors found before the work starts.
    """
    errors = getattr(chosen, "errors", "text")  # spark-submit has no such option
    try:
        asked = job_of(vars(chosen))
        machine = Machine(
            master=chosen.master,
            memory=chosen.memory,
            executor_memory=chosen.executor_memory,
            conf=asked.conf,
            log_level=chosen.log_level,
            event_log=chosen.event_log,
            input_bytes=None if asked.stream else local_size(asked.input, SMALL),
        )
        machine = checked(machine)
        with handled(end, signal.SIGTERM), held(asked) as before:
            import_late_modules()
            with session(machine) as spark:
                if machine.works:
                    start_worker(spark, asked)
                return execute(spark, asked, before, errors)
    except MqConvertError as error:
        return _refused(error, FAILED if error.code == BUSY else USAGE, errors)


def execute(spark: SparkSession, asked: Job, before: Held | None = None, errors: str = "text") -> int:
    """Check the job and run it in a session. `before` comes from `held`; `errors` is their form."""
    from mqconvert.app.batch.dataset import prepared  # noqa: PLC0415 - see threads.py
    from mqconvert.app.batch.frames import column_error  # noqa: PLC0415 - as above

    working, memory = False, spark.sparkContext.getConf().get("spark.driver.memory", "1g")
    try:
        with prepared(spark, asked, before=before) as work:
            working = True
            with nullcontext() if sys.stderr.isatty() or asked.stream else progress(spark):
                done = work()
            return _told(asked, done, errors)
    except MqConvertError as error:
        return _refused(error, FAILED if working or error.code == BUSY else USAGE, errors)
    except (PySparkException, Py4JError, OSError) as error:
        # Print errors of the connection before the Java machine has ended.
        lost = isinstance(error, OSError) or not isinstance(error, PySparkException)
        ended = machine_status(spark, 5.0 if lost else 0.0)
        if ended is None and (named := column_error(spark, error)) is not None:
            return _refused(named, FAILED if working else USAGE, errors)
        if working or ended is not None:
            return _refused(JobError(failed(error, ended, str(memory)), code="job_failed"), FAILED, errors)
        return _refused(JobError(cause(error), code="job_failed"), USAGE, errors)


def _told(asked: Job, done: Summary, errors: str) -> int:
    print(done)  # noqa: T201 - a command line prints
    if asked.report is not None:
        try:
            Path(asked.report).write_text(done.as_json())
        except OSError as error:
            words = f"--report {asked.report} cannot be written: {error.strerror}"
            return _refused(JobError(words, code="bad_path"), FAILED, errors)
    if done.problem is None:
        return OK
    internal = any(entry["code"] == "internal" for entry in done.errors)
    return _refused(JobError(done.problem, code="internal" if internal else "too_many_rejects"), FAILED, errors)


def _refused(error: MqConvertError, status: int, errors: str) -> int:
    words = error.fault + error.advice(partial(flag, options=OPTIONS))
    told = json.dumps(error.as_dict()) if errors == "json" else f"mqconvert: {words}"
    print(told, file=sys.stderr)  # noqa: T201 - a command line prints
    return status

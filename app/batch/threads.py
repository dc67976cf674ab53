"""Threads beside the run: imports while Java starts, a Python worker while Spark plans, and progress without a terminal."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib import import_module

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import BinaryType

from mqconvert.app.batch.options import Job

_LATE = ("pyspark.testing.utils", "pyspark.sql.classic.dataframe", "mqconvert.app.batch.dataset")
"""Modules that the process needs after Java's start. PySpark imports the first, with pandas, for its first call to Java."""

SECONDS = 10.0
"""Seconds between two progress lines. On a terminal Spark shows its own bar instead."""


def import_late_modules() -> None:
    """Start importing these modules while this process waits for Java."""

    def load() -> None:
        for name in _LATE:
            with suppress(ImportError):  # the later import reports the missing module
                import_module(name)

    threading.Thread(target=load, name="mqconvert imports").start()


def start_worker(spark: SparkSession, job: Job) -> None:
    """Start a Python worker with its imports: Spark keeps it for the first task (spark.python.worker.reuse)."""

    def convert_nothing() -> None:
        from mqconvert.converters.spark import convert_frame  # noqa: PLC0415 - see _LATE

        with suppress(Exception):  # the run reports the same error, unless Spark was stopped
            none = spark.range(0, 1, 1, 1).select(F.lit(None).cast(BinaryType()).alias("wire"))
            convert_frame(none, source=job.sources[0], target=job.target).collect()

    threading.Thread(target=convert_nothing, name="mqconvert worker", daemon=True).start()


@contextmanager
def progress(spark: SparkSession) -> Iterator[None]:
    """Print a line to standard error every `SECONDS` while the work goes on."""
    ended, start = threading.Event(), time.monotonic()

    def show() -> None:
        while not ended.wait(SECONDS):
            try:
                done, tasks = _tasks(spark)
            except Exception:  # noqa: BLE001 - the work itself reports the error
                return
            if tasks:
                took = time.monotonic() - start
                left = f", about {took / done * (tasks - done):,.0f} s left" if done else ""
                words = f"mqconvert: {done:,} of {tasks:,} tasks ({done / tasks:.0%}), {took:,.0f} s{left}"
                print(words, file=sys.stderr, flush=True)  # noqa: T201 - progress for a person or a log

    thread = threading.Thread(target=show, name="mqconvert progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join(timeout=1)


def _tasks(spark: SparkSession) -> tuple[int, int]:
    """Return the numbers of finished and of all tasks of the running stages."""
    tracker = spark.sparkContext.statusTracker()
    stages = [info for info in map(tracker.getStageInfo, tracker.getActiveStageIds()) if info is not None]
    return sum(stage.numCompletedTasks for stage in stages), sum(stage.numTasks for stage in stages)

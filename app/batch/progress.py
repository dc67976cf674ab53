"""Progress lines for runs without a terminal; on a terminal Spark shows its bar."""

import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from pyspark.sql import SparkSession

SECONDS = 10.0


@contextmanager
def told(spark: SparkSession) -> Iterator[None]:
    """Print a line to standard error every `SECONDS` while the work goes on."""
    ended, start = threading.Event(), time.monotonic()

    def tell() -> None:
        while not ended.wait(SECONDS):
            try:
                done, tasks = _tasks(spark)
            except Exception:  # noqa: BLE001 - the work itself reports the error
                return
            if tasks:
                words = f"mqconvert: {done:,} of {tasks:,} tasks, {time.monotonic() - start:,.0f} s"
                print(words, file=sys.stderr, flush=True)  # noqa: T201 - progress for a person or a log

    thread = threading.Thread(target=tell, name="mqconvert progress", daemon=True)
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

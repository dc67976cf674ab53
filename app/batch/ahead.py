"""Work in advance, in threads: imports while Java starts, and a Python worker while Spark plans the run."""

import threading
from contextlib import suppress
from importlib import import_module

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import BinaryType

from mqconvert.app.batch.options import Job

_LATE = ("pyspark.testing.utils", "pyspark.sql.classic.dataframe", "mqconvert.app.batch.dataset")
"""Modules that the process needs after Java's start. PySpark imports the first, with pandas, for its first call to Java."""


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

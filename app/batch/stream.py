"""A run over a folder that grows: Structured Streaming into one file sink, whose log makes each file count exactly once."""

import signal
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from mqconvert import MqConvertError
from mqconvert.app.batch import frames
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.session import Storage, cause
from mqconvert.app.batch.summary import Counts, Summary, summary

_POLL = 0.5


def refuse_foreign(job: Job, storage: Storage) -> None:
    """MqConvertError where output and checkpoint are not of one stream, or the input is no folder.

    The sink's log counts batches as the checkpoint does: with another one, Spark takes new batches for those that it has
    written already, and leaves them out.
    """
    log = f"{job.output}/_spark_metadata"
    if storage.is_file(job.input):
        raise MqConvertError(f"--input {job.input} is a file, and a stream reads a folder", code="bad_path")
    if not storage.exists(f"{job.checkpoint}/offsets/*"):
        if storage.exists(f"{log}/*") or storage.exists(f"{job.output}/[^_.]*"):
            words = f"--output {job.output} exists, and --checkpoint {job.checkpoint} is not the one of a stream that made it"
            raise MqConvertError(words, code="output_exists")
    elif storage.exists(f"{job.checkpoint}/commits/*") and not storage.exists(f"{log}/*"):
        words = f"--checkpoint {job.checkpoint} says what is done, and --output {job.output} does not have it"
        raise MqConvertError(words, code="bad_path")


def run(job: Job, df: DataFrame) -> Summary:
    """Convert until everything is converted (`once`), or until SIGINT or SIGTERM; the summary is of this run's part.

    MqConvertError `mismatch` when the rows of a micro-batch do not add up: the stream is stopped.
    """
    start = time.monotonic()
    made = frames.convert(df.observe("read", *frames.read_counts(job)), job).observe("made", *frames.made_counts())
    writer = (
        frames.written(made, job)
        .writeStream.format(frames.READERS[job.output_format])
        .partitionBy("status")
        .option("path", job.output)
        .option("checkpointLocation", str(job.checkpoint))
    )
    query = (writer.trigger(availableNow=True) if job.once else writer).start()
    total = Counts()
    try:
        with _told_to_end() as told:
            for counts in _batches(query, told):
                counts.check()
                total += counts
    finally:
        query.stop()
    return summary(job, total, time.monotonic() - start)


@contextmanager
def _told_to_end() -> Iterator[Event]:
    """Set by SIGINT and SIGTERM. A micro-batch that is under way is given up, and made by whoever goes on."""
    told = Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(each, lambda _signal, _frame: told.set()) for each in signals]
    try:
        yield told
    finally:
        for each, handler in zip(signals, before, strict=True):
            signal.signal(each, handler)


def _batches(query: StreamingQuery, told: Event) -> Iterator[Counts]:
    """What each micro-batch observed, until the query ends or is told to; its error is raised."""
    seen = -1
    ended = False
    while not ended:
        ended = told.wait(_POLL) or not query.isActive
        for progress in query.recentProgress:
            observed = progress.observedMetrics
            if progress.batchId > seen and "made" in observed:
                seen = progress.batchId
                yield frames.counts(observed["read"].asDict(), observed["made"].asDict())
                if sys.stderr.isatty():
                    words = f"batch {seen}: {progress.numInputRows:,} rows"
                    print(words, file=sys.stderr)  # noqa: T201 - progress on a terminal
    problem = query.exception()
    if problem is not None:
        raise MqConvertError(f"the stream failed: {cause(problem)}", code="stream_failed")

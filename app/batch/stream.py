"""A run over a growing folder: Structured Streaming into one file sink, whose log counts each file exactly once."""

import json
import signal
import sys
import time
from collections.abc import Iterator
from threading import Event

from pyspark.sql import DataFrame
from pyspark.sql.streaming.query import StreamingQuery

from mqconvert import JobError
from mqconvert.app.batch import frames
from mqconvert.app.batch.failures import cause
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.place import status_column
from mqconvert.app.batch.summary import Counts, Summary, summary
from mqconvert.app.signals import handled
from mqconvert.converters.columns.arrow import tallied, tallied_counts, tally_text

_POLL = 0.5


def run(job: Job, run_id: str, df: DataFrame) -> Summary:
    """Convert all input (`once`), or until SIGINT or SIGTERM, and return the summary of this run.

    If the rows of a micro-batch do not add up, it stops the stream and raises JobError `mismatch`.
    """
    start = time.monotonic()
    made = frames.observed(df, job, "read", "made")
    writer = (
        made.writeStream.format(frames.writer(job, made))
        .partitionBy(status_column(job))
        .option("path", job.output)
        .option("checkpointLocation", str(job.checkpoint))
    )
    query = (writer.trigger(availableNow=True) if job.once else writer).start()
    total = Counts()
    tallies: list[str] = []
    told = Event()
    try:
        # The next start repeats an interrupted micro-batch.
        with handled(lambda _signal, _frame: told.set(), signal.SIGINT, signal.SIGTERM):
            for counts, some in _batches(query, told):
                counts.check()
                total += counts
                tallies = [tally_text(tallied_counts([*tallies, *some]))]
    finally:
        query.stop()
    lines = frames.changed(df.sparkSession, job, df.schema)
    return summary(job, run_id, total, time.monotonic() - start, changed=lines, **tallied(tallies))


def _batches(query: StreamingQuery, told: Event) -> Iterator[tuple[Counts, list[str]]]:
    """Yield the counts of each micro-batch until the query ends or `told` is set; raise the error of the query."""
    seen = -1
    ended = False
    while not ended:
        ended = told.wait(_POLL) or not query.isActive
        for progress in query.recentProgress:
            observed = progress.observedMetrics
            if progress.batchId > seen and "made" in observed:
                seen = progress.batchId
                made = observed["made"].asDict()
                tallies = json.loads(made.pop("tallies"))
                yield Counts(**observed["read"].asDict(), **made), tallies
                if sys.stderr.isatty():
                    words = f"batch {seen}: {progress.numInputRows:,} rows"
                    print(words, file=sys.stderr)  # noqa: T201 - progress on a terminal
    problem = query.exception()
    if problem is not None:
        raise JobError(f"the stream failed: {cause(problem)}", code="stream_failed")

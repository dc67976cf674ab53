"""One run over a data set: converted beside the output first, counted, checked, and put in place whole.

    OUTPUT.unfinished/rows      what the one pass over the input writes, as Parquet
    OUTPUT.unfinished/output    the same in another format, where one was asked for
    OUTPUT/status=converted, OUTPUT/status=rejected, OUTPUT/_manifest.json

The manifest is written before the renaming: what stands at OUTPUT is complete, and a run that crashed left nothing there.
On object stores, where renaming is copying, the manifest is what tells that a data set is complete.
"""

import json
import sys
import time
from itertools import permutations
from typing import Any

from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everyone calls it

from mqconvert import MqConvertError
from mqconvert.app.batch import frames, stream
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.session import SETTINGS, Storage
from mqconvert.app.batch.summary import Counts, Summary, summary

MANIFEST = "_manifest.json"
SAMPLE = 1000
_EXAMPLES = 5


def prepare(spark: SparkSession, job: Job, storage: Storage) -> DataFrame:
    """Everything that Spark has to be asked before work starts; MqConvertError for the first thing that is wrong."""
    for name, value in SETTINGS.items():
        spark.conf.set(name, value)
    if not storage.exists(job.input):
        raise MqConvertError(f"--input {job.input}: there is no such path", code="bad_path")
    _refuse_nested(job, storage)
    if job.stream:
        stream.refuse_foreign(job, storage)
    else:
        _refuse_existing(job, storage)
    df = frames.read(spark, job)
    frames.convert(df, job)
    for path in (job.output, str(job.checkpoint)) if job.stream else (_unfinished(job),):
        storage.make(path)
    return df


def _refuse_nested(job: Job, storage: Storage) -> None:
    """A path inside another would be read as input by the next run, or go when the other is replaced."""
    options = {"--input": job.input, "--output": job.output, "--rejects": job.rejects, "--checkpoint": job.checkpoint}
    given = {option: path for option, path in options.items() if path is not None}
    for (inner, path), (outer, folder) in permutations(given.items(), 2):
        if (inner, outer) != ("--checkpoint", "--output") and storage.inside(path, folder):
            raise MqConvertError(f"{inner} {path} is inside {outer} {folder}", code="bad_path")


def _refuse_existing(job: Job, storage: Storage) -> None:
    if job.rejects is not None and not storage.same_system(job.output, job.rejects):
        raise MqConvertError("--rejects and --output are on different file systems", code="bad_path")
    if job.overwrite:
        return
    paths = {"--output": job.output}
    # A run that crashed between its two renames left the rejects in place, and its manifest: they are its own to replace.
    if job.rejects is not None and not storage.exists(f"{_unfinished(job)}/*/{MANIFEST}"):
        paths["--rejects"] = job.rejects
    for option, path in paths.items():
        if storage.exists(path):
            raise MqConvertError(f"{option} {path} exists: --overwrite replaces it", code="output_exists")


def run(spark: SparkSession, job: Job, df: DataFrame, storage: Storage) -> Summary:
    """Convert a data set. MqConvertError `mismatch` or `too_many_rejects` (from the sample) before anything is in place."""
    storage.delete(_unfinished(job))
    if job.max_reject_share is not None:
        check_sample(df, job, job.max_reject_share)
    start = time.monotonic()
    rows, final = f"{_unfinished(job)}/rows", f"{_unfinished(job)}/output"
    observed = Observation("read"), Observation("made")
    made = frames.convert(df.observe(observed[0], *frames.read_counts(job)), job)
    made.observe(observed[1], *frames.made_counts()).write.partitionBy("status").parquet(rows)
    counts = frames.counts(observed[0].get, observed[1].get)
    counts.check()
    _add_missing(spark, made, rows, "parquet", storage)
    stored = spark.read.schema(made.schema).parquet(rows)
    by_rule = _by_rule(stored, counts)
    if job.output_format == "parquet":
        final = rows
    else:
        format_ = frames.READERS[job.output_format]
        shown = frames.written(stored, job)
        shown.write.partitionBy("status").format(format_).save(final)
        _add_missing(spark, shown, final, format_, storage)
    done = summary(job, counts, time.monotonic() - start, **by_rule)
    storage.write(f"{final}/{MANIFEST}", done.as_json())
    _refuse_existing(job, storage)  # again: somebody else's may have come into being
    if job.rejects is not None:
        storage.delete(job.rejects)
        storage.move(f"{final}/status={frames.REJECTED}", job.rejects)
    storage.delete(job.output)
    storage.move(final, job.output)
    storage.delete(_unfinished(job))
    return done


def _unfinished(job: Job) -> str:
    return f"{job.output}.unfinished"


def _add_missing(spark: SparkSession, df: DataFrame, path: str, format_: str, storage: Storage) -> None:
    """A status that no row has is there all the same, so that whoever reads it finds no rows and not no data set."""
    for status in (frames.CONVERTED, frames.REJECTED):
        if not storage.exists(f"{path}/status={status}"):
            none = spark.createDataFrame([], df.drop("status").schema)
            none.write.format(format_).save(f"{path}/status={status}")


def check_sample(df: DataFrame, job: Job, most: float) -> None:
    """MqConvertError `too_many_rejects` when the first rows say that this input is not what it was said to be."""
    wire = F.col(f"`{job.wire_column}`")
    head = F.hex(F.substring(wire.cast("binary"), 1, 32)).alias("head")
    rows = frames.convert(df.limit(SAMPLE), job).select("index", "error", head).collect()
    rejected = [row for row in rows if row["error"] is not None]
    total = len(rejected) + sum(row["index"] == 0 for row in rows)
    if len(rejected) > most * total:
        for row in rejected[:_EXAMPLES]:
            shown = {name: value for name, value in row["error"].asDict().items() if value is not None}
            print(f"rejected: {json.dumps(shown)} wire {row['head']}", file=sys.stderr)  # noqa: T201 - examples for a person
        words = f"{len(rejected)} of the first {total} rows are rejected, and --max-reject-share is {most:g}"
        raise MqConvertError(words, code="too_many_rejects")


def _by_rule(stored: DataFrame, counts: Counts) -> dict[str, list[dict[str, Any]]]:
    """What was dropped, lost and rejected, counted in what was written: a task that ran twice is written once."""
    found: dict[str, list[dict[str, Any]]] = {}
    for name, keys in (("dropped", ("rule", "note", "leg")), ("lost", ("rule", "type", "reason", "leg"))):
        entries = stored.select(F.explode(f"report.{name}").alias("entry")).select("entry.*")
        found[name] = _tally(entries, keys)
    found["errors"] = _tally(stored.where("error is not null").select("error.*"), ("code",))
    if sum(entry["count"] for entry in found["errors"]) != counts.rejected:
        raise MqConvertError("rows do not add up: not as many rejects were written as were observed", code="mismatch")
    return found


def _tally(entries: DataFrame, keys: tuple[str, ...]) -> list[dict[str, Any]]:
    tally = entries.groupBy(*keys).count().orderBy(F.desc("count"), *keys)
    return [row.asDict() for row in tally.collect()]

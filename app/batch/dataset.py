"""One run over a data set: converted in a folder or table of its own first, counted, checked, and put in place whole.

A folder holds `status=converted`, `status=rejected` and `_manifest.json`; how it comes into place is in place.py. A table is
made under another name and renamed (table.py).
"""

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path

import pyarrow.parquet as pq
from pyarrow import orc
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everyone calls it
from pyspark.sql.types import StructType

from mqconvert import MqConvertError
from mqconvert.app.batch import frames, sample, stream, table
from mqconvert.app.batch.lease import Lease, leased
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.place import Place, refuse_existing
from mqconvert.app.batch.session import SETTINGS, settings
from mqconvert.app.batch.storage import Local, Storage, is_local, storage_of
from mqconvert.app.batch.summary import Counts, Summary, summary
from mqconvert.converters.spark import tallied

Work = Callable[[], Summary]
"""The work of a prepared run: converts, checks, puts in place. Raises MqConvertError before anything is in place."""


@dataclass(frozen=True, slots=True)
class Held:
    """A run and the leases that it holds before Spark starts. `leases` is None if only Spark can reach the output."""

    run: str
    leases: list[Lease] | None = None


def new_run() -> str:
    """Return the id of a run: the time, and some random digits."""
    return f"{time.strftime('%Y%m%dT%H%M%S', time.gmtime())}-{uuid.uuid4().hex[:8]}"


@contextmanager
def held(job: Job) -> Iterator[Held]:
    """Take the leases of a local output without Spark, so that a second run ends before it starts one.

    Raises MqConvertError `output_busy` where another run writes to the output, `bad_path`.
    """
    run = new_run()
    if job.output is None or not _local(job, job.output, job.rejects):
        yield Held(run)
        return
    storage = Local()
    if _local(job, *job.input, job.checkpoint):
        _refuse_nested(job, lambda _path: storage)
    with leased(storage, _outputs(storage, job), run) as leases:
        yield Held(run, leases)


def _local(job: Job, *paths: str | None) -> bool:
    return all(is_local(path, job.conf) for path in paths if path is not None)


@contextmanager
def prepared(spark: SparkSession, job: Job, given: DataFrame | None = None, before: Held | None = None) -> Iterator[Work]:
    """Check the job, hold its leases and its folder, and clean up at the end.

    `given` is a frame to convert in place of the job's input; `before` comes from `held`. Raises MqConvertError for the first
    fault found; `output_busy` if another run writes to the output.
    """
    before = before or Held(new_run())
    run = before.run
    with settings(spark, SETTINGS | _changed(spark, job.conf)):
        if job.output is None:
            df = _input(spark, job, given)
            table.refuse_existing(spark, job)
            yield lambda: _to_table(spark, job, run, df)
            return
        storage = storage_of(spark, job.output)
        _refuse_nested(job, lambda path: storage_of(spark, path))
        if job.rejects is not None and not storage.same_system(job.output, job.rejects):
            raise MqConvertError("--rejects and --output are on different file systems", code="bad_path")
        paths = _outputs(storage, job)
        there = before.leases if isinstance(storage, Local) else None
        with leased(storage, paths, run) if there is None else nullcontext(there) as leases:
            if job.stream:
                yield _stream(spark, job, run, storage)
            else:
                with _place(spark, storage, run, paths) as place:
                    refuse_existing(storage, job.output, job.rejects, overwrite=job.overwrite)
                    df = _input(spark, job, given)
                    storage.make(place.folder)
                    yield lambda: _to_folder(spark, job, run, df, storage, place, leases)


def _changed(spark: SparkSession, conf: Mapping[str, str]) -> dict[str, str]:
    """Return the settings of Spark SQL that the session has not yet; it started with those that cannot be set later."""
    return {
        name: value for name, value in conf.items() if name.startswith("spark.sql.") and spark.conf.get(name, None) != value
    }


def _outputs(storage: Storage, job: Job) -> list[str]:
    """Output and rejects, qualified."""
    return [storage.qualified(path) for path in (job.output, job.rejects) if path is not None]


def _input(spark: SparkSession, job: Job, given: DataFrame | None = None) -> DataFrame:
    df = frames.read(spark, job, given)
    frames.convert(df, job)
    return df


def _stream(spark: SparkSession, job: Job, run: str, storage: Storage) -> Work:
    stream.refuse_foreign(job, storage)
    df = _input(spark, job)
    for path in (job.output, job.checkpoint):
        storage.make(str(path))
    return lambda: stream.run(job, run, df)


@contextmanager
def _place(spark: SparkSession, storage: Storage, run: str, paths: list[str]) -> Iterator[Place]:
    """Give the folder of this run after removing those of killed runs; remove it at the end."""
    output, rejects = paths[0], paths[1] if len(paths) > 1 else None
    place = Place(storage, run, output, rejects, f"status={frames.REJECTED}")
    place.recover()
    ended = False
    try:
        with tagged(spark, run):
            yield place
        ended = True
    finally:
        place.end()
        for _ in range(0 if ended else _LATE):  # tasks that are being ended may still open a file
            time.sleep(0.1)
            place.end()


_LATE = 20


@contextmanager
def tagged(spark: SparkSession, run: str) -> Iterator[None]:
    """Tag the jobs of Spark, and cancel them if the run fails."""
    tag = f"mqconvert-{run}"
    spark.addTag(tag)
    try:
        yield
    except BaseException:
        with suppress(Exception):  # the Java machine may be what failed
            spark.interruptTag(tag)
        raise
    finally:
        with suppress(Exception):
            spark.removeTag(tag)
            describe(spark, None)


def describe(spark: SparkSession, words: str | None) -> None:
    """Set the description that Spark's UI shows for the next jobs; Spark Connect has none."""
    with suppress(Exception):  # Connect has no context
        spark.sparkContext.setJobDescription(words)  # type: ignore[arg-type]  # None takes it away


def _refuse_nested(job: Job, storage: Callable[[str], Storage]) -> None:
    """Reject a path inside another: the next run would read it as input, or replace it with the other.

    Raises MqConvertError `bad_path`.
    """
    options = [*(("--input", path) for path in job.input), ("--output", job.output), ("--rejects", job.rejects)]
    options.append(("--checkpoint", job.checkpoint))
    given = [(option, path, storage(path).qualified(path)) for option, path in options if path is not None]
    for (inner, path, at), (outer, folder, above) in permutations(given, 2):
        if (inner, outer) in {("--checkpoint", "--output"), ("--input", "--input")}:
            continue
        if f"{at}/".startswith(f"{above.rstrip('/')}/"):
            raise MqConvertError(f"{inner} {path} is inside {outer} {folder}", code="bad_path")


def _to_folder(
    spark: SparkSession, job: Job, run: str, df: DataFrame, storage: Storage, place: Place, leases: list[Lease]
) -> Summary:
    done = _converted(spark, job, run, df, lambda made: _write(spark, job, made, storage, place.rows))
    describe(spark, f"mqconvert {run}: count what is stored")
    folders = (f"{place.rows}/{folder}" for folder in _folders(job))
    done.counts.check_stored(*(stored(spark, storage, folder, job.output_format) for folder in folders))
    for lease in leases:
        lease.check()
    place.commit(done.as_json(), overwrite=job.overwrite)
    return done


def _to_table(spark: SparkSession, job: Job, run: str, df: DataFrame) -> Summary:
    with tagged(spark, run), table.staged(spark, job, run) as name:
        done = _converted(spark, job, run, df, lambda made: table.write(job, made, name))
        status = frames.status_column(job)
        done.counts.check_stored(*(table.rows(spark, name, status, value) for value in (frames.CONVERTED, frames.REJECTED)))
        table.commit(spark, job, run, name)
    return done


def _converted(spark: SparkSession, job: Job, run: str, df: DataFrame, write: Callable[[DataFrame], None]) -> Summary:
    """Convert and write, and compare the rows that Spark counted before and after."""
    if job.max_reject_share is not None:
        describe(spark, f"mqconvert {run}: sample")
        sample.check(spark, df, job, job.max_reject_share)
    describe(spark, f"mqconvert {run}: convert {job.source or 'mixed'} to {job.target}")
    before, after = Observation("read"), Observation("made")
    made = frames.observed(df, job, before, after)
    start = time.monotonic()
    write(made)
    seconds = time.monotonic() - start
    told = after.get
    counts = Counts(**before.get, **{name: value for name, value in told.items() if name != "tallies"})
    counts.check()
    return summary(job, run, counts, seconds, **tallied(told["tallies"]))


def _folders(job: Job) -> list[str]:
    return [f"{frames.status_column(job)}={status}" for status in (frames.CONVERTED, frames.REJECTED)]


def _write(spark: SparkSession, job: Job, made: DataFrame, storage: Storage, path: str) -> None:
    """Write the rows by status. Always write both folders, so that readers find an empty data set rather than none."""
    format_ = frames.READERS[job.output_format]
    made.write.partitionBy(frames.status_column(job)).format(format_).save(storage.for_spark(path))
    # Of nulls, so that no Python worker starts for it.
    columns = [F.lit(None).cast(column.dataType).alias(column.name) for column in made.drop(frames.status_column(job)).schema]
    for folder in _folders(job):
        if not storage.exists(f"{path}/{folder}"):
            none = spark.range(0).select(*columns)
            none.write.format(format_).save(storage.for_spark(f"{path}/{folder}"))


def stored(spark: SparkSession, storage: Storage, folder: str, format_: str) -> int:
    """Return how many rows the files of a folder hold: by their footers where they are near and have some, else read back."""
    names = [name for name in storage.names(folder) if not name.startswith((".", "_"))]
    if isinstance(storage, Local) and format_ in {"parquet", "orc"}:
        files = [Path(folder, name) for name in names]
        return sum(pq.read_metadata(file).num_rows if format_ == "parquet" else orc.ORCFile(file).nrows for file in files)
    if not names:
        return 0
    reader = spark.read.format(frames.READERS[format_] if format_ in {"parquet", "orc"} else "text")
    if format_ not in {"parquet", "orc"}:
        reader = reader.schema(StructType().add("value", "string"))
    return reader.load(frames.literal(storage.for_spark(folder))).count()

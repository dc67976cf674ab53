"""One run over a data set: convert into a separate folder or table, count, check, and publish as a whole.

A folder has `status=converted`, `status=rejected` and `_manifest.json`; place.py publishes it. A table is created under another
name and renamed (table.py).
"""

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path

import pyarrow.parquet as pq
from pyarrow import orc
from pyspark.sql import DataFrame, Observation, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name

from mqconvert.app.batch import frames, sample, stream, table
from mqconvert.app.batch.held import Held, new_run, outputs, place_of, refuse, refuse_nested, shown
from mqconvert.app.batch.lease import Lease, leased
from mqconvert.app.batch.options import Job
from mqconvert.app.batch.place import CONVERTED, REJECTED, Place, status_column, status_folder
from mqconvert.app.batch.session import SETTINGS, settings
from mqconvert.app.batch.storage import Local, Storage, storage_of
from mqconvert.app.batch.summary import Counts, Summary, summary
from mqconvert.converters.columns.arrow import tallied

Work = Callable[[], Summary]
"""The work of a prepared run: converts, checks, publishes. Raises MqConvertError before it publishes anything."""


@contextmanager
def prepared(spark: SparkSession, job: Job, given: DataFrame | None = None, before: Held | None = None) -> Iterator[Work]:
    """Check the job, hold its leases and its folder, and clean up at the end.

    `given` is a frame to convert instead of the job's input; `before` comes from `held`. Raises MqConvertError for the first
    fault found; `output_busy` if another run writes to the output.
    """
    before = before or Held(new_run())
    run = before.run
    # Static settings of Spark are set when it starts.
    changed = {
        name: value for name, value in job.conf.items() if name.startswith("spark.sql.") and spark.conf.get(name, None) != value
    }
    with settings(spark, SETTINGS | changed):
        if job.output is None:
            df = _input(spark, job, before, given)
            table.refuse_existing(spark, job)
            yield lambda: _to_table(spark, job, run, df)
            return
        storage, stores = storage_of(spark, job.output), partial(storage_of, spark)
        refuse_nested(job, stores)
        there = before.leases if isinstance(storage, Local) else None
        with leased(storage, outputs(storage, job), run) if there is None else nullcontext(there) as leases:
            refuse(job, run, storage, stores)
            if job.stream:
                df = _input(spark, job, before)
                for path in map(str, (job.output, job.checkpoint)):
                    stores(path).make(path)
                yield lambda: stream.run(job, run, df)
            else:
                with _place(spark, place_of(job, run, storage)) as place:
                    df = _input(spark, job, before, given)
                    storage.make(place.folder)
                    yield lambda: _to_folder(spark, job, run, df, storage, place, leases)


def _input(spark: SparkSession, job: Job, before: Held, given: DataFrame | None = None) -> DataFrame:
    df = frames.read(spark, job, given, checked=before.checked)
    frames.convert(df, job)
    return frames.lines(spark, job, df.columns) if given is None and frames.keeps_lines(job) else df


@contextmanager
def _place(spark: SparkSession, place: Place) -> Iterator[Place]:
    """Yield the place of this run, and remove its folder at the end."""
    ended = False
    try:
        with tagged(spark, place.run):
            yield place
        ended = True
    finally:
        writing = not ended and place.exists()
        place.end()
        for _ in range(_LATE if writing else 0):  # tasks may still open a file while they are being ended
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
        with suppress(Exception):  # the Java machine itself may have failed
            spark.interruptTag(tag)
        raise
    finally:
        with suppress(Exception):
            spark.removeTag(tag)
            describe(spark, None)


def describe(spark: SparkSession, words: str | None) -> None:
    """Set the description that Spark's UI shows for the next jobs; Spark Connect has none."""
    with suppress(Exception):  # Connect has no context
        spark.sparkContext.setJobDescription(words)  # type: ignore[arg-type]  # None removes the description


def _to_folder(
    spark: SparkSession, job: Job, run: str, df: DataFrame, storage: Storage, place: Place, leases: list[Lease]
) -> Summary:
    done = _converted(spark, job, run, df, lambda made: _write(spark, job, made, storage, place.rows))
    describe(spark, f"mqconvert {run}: count what is stored")
    folders = (f"{place.rows}/{status_folder(job, status)}" for status in (CONVERTED, REJECTED))
    done.counts.check_stored(*(stored(spark, storage, folder, job.output_format) for folder in folders))
    for lease in leases:
        lease.check()
    place.commit(done.as_json(), overwrite=job.overwrite)
    return done


def _to_table(spark: SparkSession, job: Job, run: str, df: DataFrame) -> Summary:
    with tagged(spark, run), table.staged(spark, job, run) as name:
        done = _converted(spark, job, run, df, lambda made: table.write(job, made, name))
        status = status_column(job)
        done.counts.check_stored(*(table.rows(spark, name, status, value) for value in (CONVERTED, REJECTED)))
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
    lines = frames.changed(spark, job, df.schema)
    return summary(job, run, counts, seconds, changed=lines, **tallied(json.loads(told["tallies"])))


def _write(spark: SparkSession, job: Job, made: DataFrame, storage: Storage, path: str) -> None:
    """Write the rows by status. Always write both folders, so that readers find an empty data set rather than none."""
    format_ = frames.writer(job, made)
    made.write.partitionBy(status_column(job)).format(format_).save(storage.for_spark(path))
    converted, rejected = (f"{path}/{status_folder(job, status)}" for status in (CONVERTED, REJECTED))
    for folder, other in ((converted, rejected), (rejected, converted)):
        if not (storage.exists(folder) or (isinstance(storage, Local) and format_ == "parquet" and _none_like(folder, other))):
            # Null columns need no Python worker.
            schema = made.drop(status_column(job)).schema
            none = spark.range(0).select(*(F.lit(None).cast(column.dataType).alias(column.name) for column in schema))
            none.write.format(format_).save(storage.for_spark(folder))


def _none_like(folder: str, other: str) -> bool:
    """Write an empty Parquet file with the columns of another folder; a Spark job takes several times as long.

    Return False if that is impossible: the other folder has no file, or times that PyArrow would write in another form.
    """
    for file in Path(other).glob("*.parquet"):
        columns = pq.read_metadata(file).schema
        if any(columns.column(number).physical_type == "INT96" for number in range(len(columns))):
            return False
        Path(folder).mkdir()
        pq.write_table(columns.to_arrow_schema().empty_table(), f"{folder}/part-00000.parquet", store_schema=False)
        return True
    return False


def stored(spark: SparkSession, storage: Storage, folder: str, format_: str) -> int:
    """Return the number of rows in the files of a folder: from the footers of local Parquet files, else by reading."""
    names = shown(storage, folder)
    columnar = format_ in {"parquet", "orc"}
    if isinstance(storage, Local) and columnar:
        files = [Path(folder, name) for name in names]
        return sum(pq.read_metadata(file).num_rows if format_ == "parquet" else orc.ORCFile(file).nrows for file in files)
    if not names:
        return 0
    reader = spark.read.format(format_) if columnar else spark.read.format("text").schema("value string")
    return reader.load(frames.literal(storage.for_spark(folder))).count()

"""What Spark adds: `convert_frame` beside an identity `mapInArrow` and beside the library's own loop, the three kinds of
UDF side by side, time per row as data sets grow, and the memory of a worker. `make bench-spark` writes benchmarks/spark.md.

Everything is measured in turns in one run, because machines differ and are noisy: a ratio is the median of its turns.
"""

import argparse
import os
import platform
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter

import pyarrow as pa
import pyspark
from measure import Row
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - what everyone calls it
from typical import WIRES

from mqconvert import Environment, converter, decode_all, encode
from mqconvert.app.batch.session import session
from mqconvert.converters import spark as ours

CORES = 2
PAIRS = (("amqp-0.9.1", "amqp-1.0"), ("mqtt-5.0", "amqp-0.9.1"), ("amqp-1.0", "mqtt-5.0"))
ENVIRONMENT = Environment(address="orders/created")


def seconds(run: Callable[[], object]) -> float:
    start = perf_counter()
    run()
    return perf_counter() - start


def drain(df: DataFrame) -> None:
    """Make every row and keep none."""
    df.write.format("noop").mode("overwrite").save()


def archive(spark: SparkSession, source: str, rows: int, partitions: int = CORES) -> DataFrame:
    """The typical message of a protocol, so many times, each with an id of its own beside it."""
    return spark.range(0, rows, 1, partitions).select("id", F.lit(WIRES[source]).alias("wire"))


def identity(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def library(source: str, target: str, rows: int) -> float:
    """Seconds that a process takes for the library's own loop."""
    ready = converter(source, target)
    wires = pa.array([WIRES[source]] * 10_000).to_pylist()  # as many values, not one that stays in the processor's cache

    def loop() -> None:
        for wire in islice(cycle(wires), rows):
            for message in decode_all(source, wire):
                encode(ready.convert(message, ENVIRONMENT).message)

    return seconds(loop)


def added_up(spark: SparkSession, pool: ProcessPoolExecutor, rows: int, turns: int) -> Iterator[Row]:
    """`convert_frame` beside the rate that identity and library give when their times a row are added."""
    for source, target in PAIRS:
        df = archive(spark, source, rows)
        frames = {
            report: ours.convert_frame(df, source=source, target=target, environment=ENVIRONMENT, report=report)
            for report in (False, True)
        }
        same = df.mapInArrow(identity, df.schema)
        for warm in (same, *frames.values()):
            drain(warm)
        times: dict[str, list[float]] = {"off": [], "on": [], "identity": [], "library": []}
        for _ in range(turns):
            times["identity"].append(seconds(lambda: drain(same)))  # noqa: B023 - called at once
            share = [rows // CORES] * CORES
            times["library"].append(max(pool.map(library, [source] * CORES, [target] * CORES, share)))
            times["off"].append(seconds(lambda: drain(frames[False])))  # noqa: B023 - called at once
            times["on"].append(seconds(lambda: drain(frames[True])))  # noqa: B023 - called at once
        for report, wanted in (("off", "0.85"), ("on", "stated")):
            turns_ = zip(times["identity"], times["library"], times[report], strict=True)
            ratio = statistics.median((same_ + library_) / ours_ for same_, library_, ours_ in turns_)
            rates = {name: rows / statistics.median(taken) for name, taken in times.items()}
            figure = f"{rates[report]:,.0f} rows/s to {rates['identity']:,.0f} and {rates['library']:,.0f}"
            yield Row(
                f"convert_frame {source} -> {target}, report {report}", "identity and library added up", figure, ratio, wanted
            )


def kinds(spark: SparkSession, rows: int, turns: int) -> Iterator[Row]:
    """The pickled plain UDF, the Arrow UDF and `mapInArrow`, all with a report."""
    source, target = PAIRS[0]
    df = archive(spark, source, rows)
    values = ours.Values(ours._choices([(source, target)], "documented", (), ENVIRONMENT, "report"), source, target)  # noqa: SLF001 - the plain UDF is no part of the product
    plain = F.udf(values.one, ours._answer_type(several=False), useArrow=False)  # noqa: SLF001 - as above
    frames = {
        "plain UDF, pickled": df.select(plain("wire").alias("made")),
        "Arrow UDF": df.select(ours.convert_udf(source, target)("wire").alias("made")),
        "mapInArrow": ours.convert_frame(df, source=source, target=target),
    }
    for frame in frames.values():
        drain(frame)
    times: dict[str, list[float]] = {name: [] for name in frames}
    for _ in range(turns):
        for name, frame in frames.items():
            times[name].append(seconds(lambda: drain(frame)))  # noqa: B023 - called at once
    for name, taken in times.items():
        ratio = statistics.median(one / other for one, other in zip(times["plain UDF, pickled"], taken, strict=True))
        yield Row(f"{name}, report on", "plain UDF, pickled", f"{rows / statistics.median(taken):,.0f} rows/s", ratio, "stated")


def growth(spark: SparkSession, rows: int, turns: int) -> Iterator[Row]:
    """Time per row over 1, 2 and 4 times `rows`, in turns; each beside the first of its turn."""
    source, target = PAIRS[0]
    sizes = (rows, 2 * rows, 4 * rows)
    frames = {n: ours.convert_frame(archive(spark, source, n), source=source, target=target, report=False) for n in sizes}
    drain(frames[rows])
    times: dict[int, list[float]] = {n: [] for n in sizes}
    for _ in range(turns):
        for n in sizes:
            times[n].append(seconds(lambda: drain(frames[n])) / n)  # noqa: B023 - called at once
    for n in sizes:
        ratio = statistics.median(one / other for one, other in zip(times[n], times[rows], strict=True))
        yield Row(f"{n:,} rows", f"{rows:,} rows", f"{statistics.median(times[n]) * 1e6:.1f} us a row", ratio, "0.90 to 1.10")


def memory(spark: SparkSession, rows: int) -> Row:
    """Resident memory of one Python worker that converts all rows, noted after each batch."""
    source, target = PAIRS[0]
    choices = ours._choices([(source, target)], "documented", (), ENVIRONMENT, "report", report=False)  # noqa: SLF001 - as above
    worker = ours.Rows(choices, source, target, "wire", "binary", ours.BATCH_BYTES)

    def noted(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        page = os.sysconf("SC_PAGE_SIZE")
        for batch in worker.batches(batches):
            resident = int(Path("/proc/self/statm").read_text().split()[1]) * page
            yield pa.RecordBatch.from_pydict({"rows": [batch.num_rows], "resident": [resident]})

    df = archive(spark, source, rows, 1).mapInArrow(noted, "rows long, resident long")
    found = [(row["rows"], row["resident"] / 2**20) for row in df.collect()]
    tenth = max(1, len(found) // 10)
    first, last = (statistics.median(size for _, size in part) for part in (found[tenth : 2 * tenth], found[-tenth:]))
    highest = max(size for _, size in found)
    figure = f"{first:.0f} MiB in the second tenth, {last:.0f} MiB in the last, {highest:.0f} MiB at most"
    return Row(
        f"a worker over {sum(n for n, _ in found):,} rows, report off", "its own second tenth", figure, last / first, "flat"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="rows of the comparisons")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--growth", type=int, default=1_000_000, help="rows of the smallest of three sizes")
    parser.add_argument("--growth-turns", type=int, default=3)
    parser.add_argument("--memory", type=int, default=5_000_000, help="rows that one worker converts")
    parser.add_argument("--parts", default="added-up,kinds,growth,memory", help="which comparisons to make")
    parser.add_argument("--note", default="", help="a sentence about the machine and what else ran on it")
    chosen = parser.parse_args()
    rows: list[Row] = []
    with ProcessPoolExecutor(CORES) as pool, session(f"local[{CORES}]", "1g") as spark:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        parts: dict[str, Callable[[], Iterable[Row]]] = {
            "added-up": lambda: added_up(spark, pool, chosen.rows, chosen.turns),
            "kinds": lambda: kinds(spark, chosen.rows, chosen.turns),
            "growth": lambda: growth(spark, chosen.growth, chosen.growth_turns),
            "memory": lambda: [memory(spark, chosen.memory)],
        }
        for part in chosen.parts.split(","):
            for row in parts[part]():
                print(row, file=sys.stderr)
                rows.append(row)
    head = "| what | against | measured | ratio | wanted |\n|---|---|---|---|---|"
    machine = (
        f"CPython {platform.python_version()}, PySpark {pyspark.__version__}, PyArrow {pa.__version__}, {platform.machine()}, "
        f"{CORES} cores; {chosen.rows:,} rows in {chosen.turns} turns, medians. {chosen.note}"
    )
    print("\n".join(["# Spark", "", machine.strip(), "", head, *map(str, rows)]))


if __name__ == "__main__":
    main()

"""The overhead of Spark: `make bench-spark` writes benchmarks/spark.md.

It measures `convert_frame` beside an identity `mapInArrow` and beside the library's own loop, the three kinds of UDF side by
side, time per row as data sets grow, and the memory of a worker.

All measurements alternate in one run, because machines differ and are noisy. A ratio is the median of its turns, and the
figures beside it are those of that turn. There are two ratios: one of wall-clock time (rows a second), one of the processor
time of all processes involved (microseconds a row), which other processes disturb less.
"""

import argparse
import os
import platform
import random
import re
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import suppress
from functools import partial
from itertools import cycle, islice
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
import pyspark
from measure import Row
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from typical import WIRES

from mqconvert import Environment, converter, decode, decode_all, encode
from mqconvert.app.batch.session import Machine, checked, session
from mqconvert.converters import spark as ours
from mqconvert.converters.columns import arrow

CORES = 2
PAGE = Path(__file__).with_suffix(".md")
TITLES = {
    "added-up": "What convert_frame adds",
    "kinds": "Kinds of functions",
    "growth": "Growth",
    "memory": "Memory of a worker",
    "small": "A small input",
    "copy": "An archive, beside a copy of it",
}
HEAD = "| what | against | measured | ratio | wanted |\n|---|---|---|---|---|"
PAIRS = (("amqp-0.9.1", "amqp-1.0"), ("mqtt-5.0", "amqp-0.9.1"), ("amqp-1.0", "mqtt-5.0"))
ENVIRONMENT = Environment(address="orders/created")
KEY = """A ratio is the rate reached to the one that the costs of what it is measured against give, added up; 1.00 is no cost of
its own. The library is its own loop in two processes at once. Ratio and rows a second are by the clock."""


class Cost(NamedTuple):
    """Cost of a row: wall-clock seconds, and processor seconds of this process and its children."""

    clock: float
    processor: float


def cost(run: Callable[[], object], rows: int) -> Cost:
    start, used = perf_counter(), processor_time()
    run()
    return Cost((perf_counter() - start) / rows, (processor_time() - used) / rows)


def processor_time() -> float:
    """Return processor seconds of this process and its descendants, living and ended (Linux: proc(5), /proc/PID/stat)."""
    parents, ticks = dict[int, int](), dict[int, int]()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            parents[int(folder.name)], ticks[int(folder.name)] = int(fields[1]), sum(map(int, fields[11:15]))

    def is_ours(pid: int) -> bool:
        return pid == os.getpid() or (pid in parents and is_ours(parents[pid]))

    return sum(used for pid, used in ticks.items() if is_ours(pid)) / os.sysconf("SC_CLK_TCK")


def reached(turn: tuple[float, ...]) -> float:
    """Return the rate of the first run of a turn relative to the rate by the summed costs of the others."""
    made, *others = turn
    return sum(others) / made


def median_turn(some: list[list[float]]) -> tuple[float, ...]:
    """Return the turn with the median ratio of the costs of several runs."""
    turns = sorted(zip(*some, strict=True), key=reached)
    return turns[(len(turns) - 1) // 2]


def compared(what: str, against: str, made: list[Cost], others: list[list[Cost]], wanted: str) -> Row:
    clock = median_turn([[taken.clock for taken in some] for some in (made, *others)])
    processor = median_turn([[taken.processor for taken in some] for some in (made, *others)])
    rates = [f"{1 / taken:,.0f}" for taken in clock]
    micros = [f"{taken * 1e6:.1f}" for taken in processor]
    figure = (
        f"{rates[0]} rows/s to {' and '.join(rates[1:])}; "
        f"{reached(processor):.2f} by processor time, {micros[0]} us a row to {' and '.join(micros[1:])}"
    )
    return Row(what, against, figure, reached(clock), wanted)


def drain(df: DataFrame) -> None:
    """Compute every row and keep none."""
    df.write.format("noop").mode("overwrite").save()


def in_turns(runs: dict[str, tuple[Callable[[], object], int]], turns: int) -> dict[str, list[Cost]]:
    """Return the cost of a row of every run (the run, and its number of rows), with every run once in each turn."""
    costs: dict[str, list[Cost]] = {name: [] for name in runs}
    for _ in range(turns):
        for name, (run, rows) in runs.items():
            costs[name].append(cost(run, rows))
    return costs


def archive(spark: SparkSession, source: str, rows: int, partitions: int = CORES) -> DataFrame:
    """Return the typical message of a protocol this number of times, each with a different id beside it."""
    return spark.range(0, rows, 1, partitions).select("id", F.lit(WIRES[source]).alias("wire"))


def identity(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    yield from batches


def library(source: str, target: str, rows: int) -> None:
    """Run the library's own loop, for one of two processes."""
    ready = converter(source, target)
    wires = pa.array([WIRES[source]] * 10_000).to_pylist()  # more than the processor's caches hold
    for wire in islice(cycle(wires), rows):
        for message in decode_all(source, wire):
            encode(ready.convert(message, ENVIRONMENT).message)


def added_up(spark: SparkSession, pool: ProcessPoolExecutor, rows: int, turns: int) -> Iterator[Row]:
    """Yield rows for `convert_frame` beside the rate by the summed times of identity and library."""
    for source, target in PAIRS:
        df = archive(spark, source, rows)
        frames = {
            report: ours.convert_frame(df, source=source, target=target, environment=ENVIRONMENT, report=report)
            for report in (False, True)
        }
        same = df.mapInArrow(identity, df.schema)
        for warm in (same, *frames.values()):
            drain(warm)
        shares = [source] * CORES, [target] * CORES, [rows // CORES] * CORES
        runs: dict[str, Callable[[], object]] = {
            "identity": partial(drain, same),
            "library": partial(in_two_processes, pool, shares),
            "off": partial(drain, frames[False]),
            "on": partial(drain, frames[True]),
        }
        costs = in_turns({name: (run, rows) for name, run in runs.items()}, turns)
        for report, wanted in (("off", "0.85"), ("on", "stated")):
            what = f"convert_frame {source} -> {target}, report {report}"
            both = [costs["identity"], costs["library"]]
            yield compared(what, "identity and library added up", costs[report], both, wanted)
        yield compared(f"convert_frame {source} -> {target}, report off", "identity", costs["off"], both[:1], "0.6")


def in_two_processes(pool: ProcessPoolExecutor, shares: tuple[list[str], list[str], list[int]]) -> None:
    list(pool.map(library, *shares))


def kinds(spark: SparkSession, rows: int, turns: int) -> Iterator[Row]:
    """Yield rows for the pickled plain UDF, the Arrow UDF and `mapInArrow`, all with a report."""
    source, target = PAIRS[0]
    df = archive(spark, source, rows)
    values = ours.Values(ours._work([(source, target)], "documented", (), ENVIRONMENT, "report", {}), source, target)  # noqa: SLF001 - the plain UDF is not public
    plain = F.udf(values.one, ours._answer_type(several=False), useArrow=False)  # noqa: SLF001 - as above
    frames = {
        "plain UDF, pickled": df.select(plain("wire").alias("made")),
        "Arrow UDF": df.select(ours.convert_udf(source, target)("wire").alias("made")),
        "mapInArrow": ours.convert_frame(df, source=source, target=target),
    }
    for frame in frames.values():
        drain(frame)
    costs = in_turns({name: (partial(drain, frame), rows) for name, frame in frames.items()}, turns)
    first = "plain UDF, pickled"
    for name, some in costs.items():
        yield compared(f"{name}, report on", first, some, [costs[first]], "stated")


def growth(spark: SparkSession, rows: int, turns: int) -> Iterator[Row]:
    """Yield rows for the time per row over 1, 2 and 4 times `rows`, in turns; each beside the first of its turn."""
    source, target = PAIRS[0]
    sizes = (rows, 2 * rows, 4 * rows)
    frames = {n: ours.convert_frame(archive(spark, source, n), source=source, target=target, report=False) for n in sizes}
    drain(frames[rows])
    costs = in_turns({str(n): (partial(drain, frame), n) for n, frame in frames.items()}, turns)
    for n in sizes:
        yield compared(f"{n:,} rows", f"{rows:,} rows", costs[str(n)], [costs[str(rows)]], "0.90 to 1.10")


def memory(spark: SparkSession, rows: int) -> Row:
    """Return a row for the resident memory of a Python worker that converts all rows, noted after each batch."""
    source, target = PAIRS[0]
    work = ours._work([(source, target)], "documented", (), ENVIRONMENT, "report", {}, report=False)  # noqa: SLF001 - as above
    worker = arrow.Rows(work, source, target, "wire", "binary", arrow.BATCH_BYTES)

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


def small(rows: int, turns: int) -> Iterator[Row]:
    """Yield a row for `mqconvert batch` on few rows, beside a process that starts Spark with defaults and counts one row."""
    trivial = "from mqconvert.app.batch.session import *\nwith session(checked(Machine())) as spark: spark.range(1).count()"
    with tempfile.TemporaryDirectory() as folder:
        wires = [WIRES[PAIRS[0][0]]] * rows
        pq.write_table(pa.table({"id": range(rows), "wire": wires}), f"{folder}/in.parquet")
        pair = ["--from", PAIRS[0][0], "--to", PAIRS[0][1], "--input", f"{folder}/in.parquet", "--output", f"{folder}/out"]
        runs = {
            "start": [sys.executable, "-c", trivial],
            "job": [sys.executable, "-m", "mqconvert.app", "batch", "--overwrite", *pair],
        }
        (job, used), (start, start_used) = median_pair(runs["job"], runs["start"], turns)
    figure = (
        f"{job:.1f} s to {start:.1f} s by the clock, {job - start:+.1f} s; "
        f"{used:.1f} s to {start_used:.1f} s of processor time, {used - start_used:+.1f} s"
    )
    yield Row(f"mqconvert batch over {rows:,} rows", "Spark's own start and one trivial job", figure, job / start, "+5 s")


def copy(rows: int, turns: int) -> Iterator[Row]:
    """Yield rows for `mqconvert batch` on messages of 1 kB, beside a process in which PyArrow copies the same file."""
    source, target = PAIRS[0]
    copying = (
        "import sys, pyarrow.parquet as pq\n"
        "read = pq.ParquetFile(sys.argv[1])\n"
        "with pq.ParquetWriter(sys.argv[2], read.schema_arrow) as written:\n"
        "    for batch in read.iter_batches(): written.write_batch(batch)"
    )
    with tempfile.TemporaryDirectory() as folder:
        made, out = f"{folder}/in.parquet", f"{folder}/out"
        message: Any = decode(source, WIRES[source])
        draw = random.Random(1)
        schema = pa.schema({"id": pa.int64(), "wire": pa.binary()})
        with pq.ParquetWriter(made, schema) as writer:
            for first in range(0, rows, 10_000):
                numbers = range(first, min(first + 10_000, rows))
                wires = []
                for _ in numbers:
                    message.payload = draw.randbytes(1024 - len(WIRES[source]))
                    wires.append(encode(message))
                writer.write_table(pa.table({"id": numbers, "wire": wires}, schema=schema))
        pair = ["--from", source, "--to", target, "--input", made, "--output", out, "--overwrite"]
        job = [sys.executable, "-m", "mqconvert.app", "batch", *pair]
        by_arrow = [sys.executable, "-c", copying, made, f"{out}.parquet"]
        (ours, used), (theirs, theirs_used) = median_pair(job, by_arrow, turns)
        figure = f"{ours:.1f} s to {theirs:.1f} s by the clock; {used:.1f} s to {theirs_used:.1f} s of processor time"
        yield Row(f"mqconvert batch over {rows:,} rows of 1 kB", "PyArrow copies the file", figure, theirs / ours, "stated")


def median_pair(first: list[str], second: list[str], turns: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Return seconds of two commands, by the clock and by processor time, of the turn with the median difference."""
    pairs = [(whole(first), whole(second)) for _ in range(turns)]
    return sorted(pairs, key=lambda pair: pair[0][0] - pair[1][0])[(turns - 1) // 2]


def whole(command: list[str]) -> tuple[float, float]:
    """Return wall-clock seconds and processor seconds of a command and all its descendants."""
    # A helper that adopts the JVM, which outlives its parent process.
    helper = (
        "import ctypes, os, resource, subprocess, sys\n"
        "ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)\n"  # PR_SET_CHILD_SUBREAPER
        "subprocess.run(sys.argv[1:], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)\n"
        "try:\n"
        "    while True: os.wait()\n"
        "except ChildProcessError: used = resource.getrusage(resource.RUSAGE_CHILDREN)\n"
        "print(used.ru_utime + used.ru_stime)"
    )
    start = perf_counter()
    told = subprocess.run([sys.executable, "-c", helper, *command], capture_output=True, text=True, check=True).stdout
    return perf_counter() - start, float(told)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=200_000, help="rows of the comparisons")
    parser.add_argument("--turns", type=int, default=5)
    parser.add_argument("--growth", type=int, default=1_000_000, help="rows of the smallest of three sizes")
    parser.add_argument("--growth-turns", type=int, default=3)
    parser.add_argument("--memory", type=int, default=5_000_000, help="rows that one worker converts")
    parser.add_argument("--small", type=int, default=4000, help="rows of a small input")
    parser.add_argument("--small-turns", type=int, default=3)
    parser.add_argument("--copy", type=int, default=1_000_000, help="rows of an archive beside its copy")
    parser.add_argument("--parts", default=",".join(TITLES), help="which comparisons to make; the others stay as they are")
    parser.add_argument("--note", default="", help="a sentence about the machine and what else ran on it")
    chosen = parser.parse_args()
    sections = dict(re.findall(r"^## ([^\n]+)\n\n(.+?)\n*(?=^## |\Z)", PAGE.read_text(), re.DOTALL | re.MULTILINE))
    with ProcessPoolExecutor(CORES) as pool, session(checked(Machine(master=f"local[{CORES}]", memory="1g"))) as spark:
        spark.conf.set("spark.sql.execution.arrow.maxRecordsPerBatch", "10000")
        parts: dict[str, Callable[[], Iterable[Row]]] = {
            "added-up": lambda: added_up(spark, pool, chosen.rows, chosen.turns),
            "kinds": lambda: kinds(spark, chosen.rows, chosen.turns),
            "growth": lambda: growth(spark, chosen.growth, chosen.growth_turns),
            "memory": lambda: [memory(spark, chosen.memory)],
            "small": lambda: small(chosen.small, chosen.small_turns),
            "copy": lambda: copy(chosen.copy, chosen.small_turns),
        }
        few = {"growth": chosen.growth_turns, "memory": 1, "small": chosen.small_turns, "copy": chosen.small_turns}
        turns = dict.fromkeys(TITLES, chosen.turns) | few
        for part in chosen.parts.split(","):
            rows = []
            for made in parts[part]():
                print(made, file=sys.stderr)
                rows.append(str(made))
            sections[TITLES[part]] = "\n".join([machine(turns[part], chosen.note), "", HEAD, *rows])
    found = "\n\n".join(f"## {title}\n\n{sections[title]}" for title in TITLES.values() if title in sections)
    PAGE.write_text(f"# Spark\n\n{KEY}\n\n{found}\n")


def machine(turns: int, note: str) -> str:
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()
    return (
        f"At {commit}; CPython {platform.python_version()}, PySpark {pyspark.__version__}, PyArrow {pa.__version__}, "
        f"{platform.machine()}, {CORES} cores; turns: {turns}, of which the median is shown. {note}"
    ).strip()


if __name__ == "__main__":
    main()

"""The options of `mqconvert batch`, and the checks of them that need no Java machine."""

import argparse
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, get_args

from mqconvert import PROTOCOLS, JobError
from mqconvert.app.options import OUR_PROTOCOLS, add_codec_option, add_options, codec_options, now
from mqconvert.converters.choices import OPTIONS as CONVERSION
from mqconvert.converters.choices import Choices, choices_of
from mqconvert.converters.columns import Encoding
from mqconvert.converters.environment import option, options_of
from mqconvert.converters.overlays import read_overlay
from mqconvert.converters.protocols import full_name
from mqconvert.converters.protocols.options import options_for
from mqconvert.converters.readers import MODULES, reader
from mqconvert.converters.routes import sources_of

FORMATS = ("parquet", "orc", "jsonl", "lines")
TABLES = ("delta", "iceberg")
"""Formats of tables, which need packages in the session."""
STORES = tuple(MODULES)
"""Formats of files that brokers left, which converters/spark/source.py reads."""

LOG_LEVELS = ("off", "error", "warn", "info", "debug")
COLUMN = "column:"
VARIABLE = "${"
"""The beginning of a variable, which Spark and Hadoop replace by a setting."""

TABLE = re.compile(r"(?:(?:\w+|`(?:[^`]|``)+`)(?:\.(?!$)|$))+")
"""Matches the name of a table: parts with dots between them, in backticks if they have other characters."""

_LEAST_MEMORY = 512 * 2**20  # Spark refuses less than 450 MiB
_UNITS = {"k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """The options of one run. `source` is a protocol, or None if `source_column` names the column of protocols.

    The output is a folder (`output`) or a table (`table`).
    """

    source: str | None
    source_column: str | None
    target: str
    choices: Choices
    input: tuple[str, ...]
    output: str | None = option(None, "output folder, partitioned by status", metavar="PATH")
    table: str | None = option(
        None, "output table instead of a folder (--output-format delta, ...)", metavar="NAME", flag="output-table"
    )
    input_format: str = option("parquet", "format of the input", values=(*FORMATS, *TABLES, *STORES))
    output_format: str = option(
        None,
        "format of the output (default: that of the input, else parquet); for a table any format of Spark (default: parquet)",
        metavar="|".join(FORMATS),
    )
    encoding: Encoding = option(
        None, "encoding of wire values (default: binary; base64 in jsonl and lines)", values=get_args(Encoding)
    )
    wire_column: str = option("wire", "column of wire values, or a field of a struct", metavar="NAME")
    prefix: str = option("", "prefix for the names of the new columns", metavar="NAME")
    rejects: str | None = option(None, "separate folder for rejected rows", metavar="PATH")
    overwrite: bool = option(False, "replace an existing output once the new one is complete")
    report: str | None = option(None, "also write the summary to this file as JSON", metavar="PATH")
    max_reject_share: float | None = option(
        None,
        "exit with status 1 if a larger share is rejected (0 to 1), early if a sample shows it (default: 1 if all is)",
        most=1,
        metavar="X",
    )
    stream: bool = option(False, "keep converting files that arrive in the input folder")
    checkpoint: str | None = option(None, "folder for the state of a stream", metavar="DIR")
    once: bool = option(False, "end a stream after all present files")
    files_per_batch: int | None = option(None, "maximum files of one micro-batch", least=1, metavar="N")
    partitions: int | None = option(None, "number of tasks for the input", least=1, metavar="N")
    conf: dict[str, str]

    @property
    def sources(self) -> tuple[str, ...]:
        """Return every protocol that rows may have."""
        return tuple(sources_of(self.target)) if self.source is None else (self.source,)


OPTIONS = options_of(Job)
"""The options of a job, those of a conversion first."""


def add_arguments(command: argparse.ArgumentParser) -> None:
    what = command.add_argument_group("what to convert")
    words = "protocol of the input, or column:NAME for a column with it"
    what.add_argument("--from", dest="source", required=True, metavar="P|column:NAME", help=words)
    what.add_argument("--to", dest="target", required=True, metavar="P", help=f"protocol of the output: {OUR_PROTOCOLS}")
    add_options(what, CONVERSION)
    add_codec_option(what)
    data = command.add_argument_group("data sets and run")
    words = "paths and patterns of the input, on any file system of Spark"
    data.add_argument("--input", required=True, nargs="+", action="extend", metavar="PATH", help=words)
    add_options(data, OPTIONS[len(CONVERSION) :])
    run = command.add_argument_group("Spark")
    run.add_argument("--master", help="master of Spark (default: spark-submit's, else all cores of this machine)")
    words = "memory of the local Java machine (default: a quarter of the free memory, from 2g to 8g)"
    run.add_argument("--memory", metavar="SIZE", help=words)
    run.add_argument("--executor-memory", metavar="SIZE", help="memory of each executor of a cluster (default 1g)")
    words = "setting of Spark; may be repeated"
    run.add_argument("--conf", action="append", default=[], type=_pair, metavar="KEY=VALUE", help=words)
    run.add_argument("--log-level", choices=LOG_LEVELS, default="off", help="Spark's log level on standard error (default off)")
    run.add_argument("--event-log", metavar="DIR", help="folder for Spark's event log (for its history server)")


def _pair(text: str) -> tuple[str, str]:
    """Return KEY=VALUE as a pair.

    >>> _pair("spark.ui.enabled=true")
    ('spark.ui.enabled', 'true')
    """
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise argparse.ArgumentTypeError(f"KEY=VALUE, not {text!r}")
    return key, value


def job_of(given: Mapping[str, Any]) -> Job:
    """Return the job of options by name; missing ones have their defaults. Raises MqConvertError for the first invalid one.

    Overlay files are read here, once for the whole run.
    """
    source, input_format = given["source"], given["input_format"]
    own: dict[str, Any] = {one.name: given[one.name] for one in OPTIONS[len(CONVERSION) :] if given.get(one.name) is not None}
    own |= {name: own[name].rstrip("/") for name in ("output", "rejects") if name in own}
    column = source.removeprefix(COLUMN) if source.startswith(COLUMN) else None
    own = {
        "output_format": "parquet" if own.get("table") or input_format not in FORMATS else input_format,
        "encoding": "base64" if input_format in {"jsonl", "lines"} else "binary",
    } | own
    choices = given["choices"] if "choices" in given else choices_of(given, clock=now())
    options = choices.options or tuple(codec_options(given.get("option") or ()).items())
    made = Job(
        source=full_name(source) if column is None else None,
        source_column=column,
        target=full_name(given["target"]),
        choices=replace(choices, rules=tuple(map(read_overlay, choices.rules)), options=options),
        input=tuple(given["input"]),
        conf=dict(given["conf"] or {}),
        **own,
    )
    check(made)
    return made


def check(made: Job) -> None:
    """Raise MqConvertError for the first invalid option of a job, without Spark."""
    for one in OPTIONS[len(CONVERSION) :]:
        if one.kind in (int, float):
            one.check(getattr(made, one.name))
    problems = {
        "one of --output and --output-table is needed": (made.output is None) == (made.table is None),
        "--rejects and --stream go with --output": made.table is not None and bool(made.rejects or made.stream),
        f"--output-format must be one of {', '.join(FORMATS)}": made.table is None and made.output_format not in FORMATS,
        "--from column: names no column": made.source_column == "",
        f"--output-table {made.table!r} is not the name of a table": bool(
            made.table is not None and not TABLE.fullmatch(made.table)
        ),
        f"--stream reads files that grow, not {made.input_format}": made.stream and made.input_format not in FORMATS,
        "--stream reads one folder: one --input": made.stream and len(made.input) > 1,
        "--stream needs a --checkpoint folder": made.stream and not made.checkpoint,
        "--checkpoint, --once and --files-per-batch go with --stream": not made.stream
        and bool(made.checkpoint or made.once or made.files_per_batch),
        "--stream writes one data set and goes on with it: no --rejects, no --overwrite": made.stream
        and bool(made.rejects or made.overwrite),
        "--rejects and --output are the same path": made.rejects is not None and made.rejects == made.output,
        f"--encoding binary cannot be combined with {made.input_format}": made.encoding == "binary"
        and made.input_format in {"jsonl", "lines"},
        f"--report: there is no folder {Path(made.report or '.').parent}": not Path(made.report or ".").parent.is_dir(),
        f"--report {made.report} is a folder": made.report is not None and Path(made.report).is_dir(),
    }
    for name in (made.prefix, made.wire_column, made.source_column or "", made.table or ""):
        problems[f"Spark would replace {VARIABLE}...}} in {name!r} by a setting: choose another name"] = VARIABLE in name
    for problem, there in problems.items():
        if there:
            raise JobError(problem, code="bad_option")
    if made.input_format in STORES and made.source is not None and made.source not in reader(made.input_format).protocols:
        known = ", ".join(reader(made.input_format).protocols)
        raise JobError(f"{made.input_format} has messages of {known}, not of {made.source}", code="bad_option")
    for source in made.sources:
        made.choices.converter(source, made.target)
    for protocol in {made.source or made.target, made.target}:
        PROTOCOLS[protocol].codec_module()  # raises if required packages are missing
    options_for([*((source, "decode_all") for source in made.sources), (made.target, "encode")], dict(made.choices.options))


def memory(text: str | None, available: int) -> str:
    """Return the memory of the Java machine in Spark's notation: `text`, or a default that depends on the available bytes.

    The default is a quarter of the available memory, between 2g (enough for a message of 64 MB) and 8g; three quarters if less
    than that is available. Raises JobError `bad_option` for an invalid size, `too_little_memory` where it is too little
    for Spark or more than is available.

    >>> memory("2g", 4 * 2**30), memory(None, 20 * 2**30), memory(None, 2 * 2**30)
    ('2g', '5120m', '1536m')
    """
    if text is None:
        most = max(_LEAST_MEMORY, available * 3 // 4)
        return f"{min(max(2 * 2**30, min(8 * 2**30, available // 4)), most) // 2**20}m"
    found = re.fullmatch(r"(\d+)([kmgt])", text.lower())
    if found is None:
        raise JobError(f"--memory takes a size such as 512m or 2g, not {text!r}", code="bad_option")
    size = int(found[1]) * _UNITS[found[2]]
    if size < _LEAST_MEMORY:
        raise JobError(f"--memory {text} is too little: Spark needs {_LEAST_MEMORY // 2**20}m", code="too_little_memory")
    if size > available:
        words = f"too little memory: {available // 2**20}m are free on this machine, and --memory asks for {text}"
        raise JobError(words, code="too_little_memory")
    return text.lower()


def free_memory() -> int:
    """Return the free memory of this machine or container in bytes; a very large number if it is unknown."""
    free = [2**62]
    meminfo = Path("/proc/meminfo")
    if meminfo.exists():
        free += [int(line.split()[1]) * 1024 for line in meminfo.read_text().splitlines() if line.startswith("MemAvailable:")]
    limit, used = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")
    if limit.exists() and used.exists() and (words := limit.read_text().strip()).isdigit():
        free.append(int(words) - int(used.read_text()))
    return min(free)

"""Parquet files for `convert`, `explain` and `decode`, with Arrow and without Java.

`convert` writes a row for each message, in one file. The input's columns are followed by `index`, `converted`, `report` and
`error`, which converters/columns/arrow.py describes, and by `status`, `converted` or `rejected`. The others read the values of
the column one by one. Beside the Spark job, this is the only module of `app` that imports pyarrow.
"""

import signal
import sys
import time
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from mqconvert import ConversionError, DecodeError, Summary
from mqconvert.app.inputs import is_piped, of_bytes, sample, told_by
from mqconvert.app.options import AUTO, choices_from, codec_options
from mqconvert.app.outputs import replacing
from mqconvert.app.signals import end, handled
from mqconvert.app.terminal import complain, counted_lines, several, tell_progress, with_tables
from mqconvert.converters.choices import with_codecs
from mqconvert.converters.columns.arrow import (
    ENCODINGS,
    Rows,
    column_path,
    is_bytes,
    is_text,
    new_columns,
    tallied,
    tally_text,
    wires_at,
)
from mqconvert.converters.columns.loop import Tally, ValueConverter
from mqconvert.converters.readers import Broken, Record

STATUS = "status"
_ROWS = 1000
"""Rows that are read at once."""
_BATCH = 16 * 2**20
"""Bytes of converted rows that are written at once, or one row."""


def convert_file(chosen: Namespace) -> int:
    """Convert a file, print what was lost on standard error, and return the number of rejected rows.

    Raises ConversionError `missing_column`, `wrong_column_type`, `column_taken`, `bad_option`, `not_parquet`.
    """
    with _opened(chosen) as file:
        _refuse_taken(file.schema_arrow.names)
        rows = _rows(chosen, file)
        schema = _schema(file.schema_arrow, rows)
        counted: Tally = Counter()
        done, first = _written(chosen.output, schema, rows.converted(_with_progress(file), counted))
        _tell(file.metadata.num_rows, done, first, counted, _tables(rows))
    return done["rejected"]


def source_of(chosen: Namespace, named: str, choose: str = "--from") -> str:
    """Return the protocol of the values: the one that was named, or for `auto` the one that most of the first values tell.

    `choose` is what stands before a protocol on the command line. Raises the errors of `convert_file` but `column_taken`.
    """
    if named != AUTO:
        return named
    with _opened(chosen) as file:
        return _told(chosen, file, choose)


def records(chosen: Namespace, protocol: str) -> Iterator[Record | Broken]:
    """Yield the bytes of each value, with the number of its row as position. Raises the errors of `source_of`."""
    raw = ENCODINGS[chosen.encoding]
    with _opened(chosen) as file:
        for row, value in enumerate(_values(file, chosen)):
            if value is None:
                continue
            try:
                wire = raw(value)
            except DecodeError as error:
                yield Broken(chosen.input, row, error)
            else:
                yield Record(chosen.input, row, protocol, wire)


@contextmanager
def _opened(chosen: Namespace) -> Iterator[pq.ParquetFile]:
    """Open the input, once its column of wire values is there."""
    if chosen.input == "-":
        raise ConversionError("Parquet is read from a file: name one as INPUT", code="bad_option")
    try:
        # Given its name, pq.ParquetFile would take `s3:a` for a place in the net, and refuse a name that is not UTF-8. Python
        # opens the file, since its OSError names it.
        with Path(chosen.input).open("rb") as source, pq.ParquetFile(source) as file:
            _check(file.schema_arrow, chosen)
            yield file
    except (pa.ArrowException, OSError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise  # of the machine: Arrow's own have no number
        words = " ".join(str(error).split())
        raise ConversionError(f"{chosen.input}: {words}", code="not_parquet") from None


def _rows(chosen: Namespace, file: pq.ParquetFile) -> Rows:
    """Return the work on each batch."""
    options = codec_options(chosen.option)
    source = _told(chosen, file) if chosen.source == AUTO else chosen.source
    choices, _, _ = with_codecs(choices_from(chosen), source, chosen.target, options)
    return Rows(ValueConverter(choices), source, chosen.target, chosen.wire_column, chosen.encoding, _BATCH)


def _told(chosen: Namespace, file: pq.ParquetFile, choose: str = "--from") -> str:
    """Return the protocol that most of the first values tell."""
    raw, options = ENCODINGS[chosen.encoding], codec_options(chosen.option)
    present = (value for value in _values(file, chosen) if value is not None)
    return told_by(sample(present), lambda value: of_bytes(raw(value), options, choose), chosen, choose, archive=True)


def _check(schema: pa.Schema, chosen: Namespace) -> None:
    """Raise ConversionError for a file without the column of wire values."""
    found: pa.DataType = pa.struct(list(schema))
    for name in column_path(schema.names, chosen.wire_column):
        inside = [field.name for field in found] if pa.types.is_struct(found) else []  # Arrow takes no name that is not UTF-8
        if inside.count(name) != 1:
            words = _missing(schema.names, inside.count(name), chosen.wire_column)
            raise ConversionError(words, code="missing_column", field=chosen.wire_column, names_field=True)
        found = found.field(inside.index(name)).type
    text = is_text(found)
    if not (is_bytes(found) if chosen.encoding == "binary" else text):
        words = f"column {chosen.wire_column!r} is {found}"
        if chosen.encoding != "binary":
            words += f", and --encoding {chosen.encoding} reads text"
        else:
            words += ": --encoding base64 or hex reads text" if text else ", not binary: choose with --wire-column NAME"
        raise ConversionError(words, code="wrong_column_type", field=chosen.wire_column, names_field=True)


def _missing(names: Sequence[str], times: int, column: str) -> str:
    """Return why there is no one column, which is there so many times, among the names of the columns."""
    if times:
        return f"column {column!r} is there {times} times: rename the others"
    if not names:
        return f"no column {column!r}: the file has no columns"
    return f"no column {column!r}; there are {', '.join(names)}: choose with --wire-column NAME"


def _refuse_taken(names: Sequence[str]) -> None:
    """Raise ConversionError `column_taken` for a file that has one of the new columns."""
    taken = {name.lower() for name in names} & {*(name for name, _ in new_columns(report=True)), STATUS}
    if taken:
        words = f"the file already has a column {min(taken)}: rename it, since the output has one of that name"
        raise ConversionError(words, code="column_taken", field=min(taken), names_field=True)


def _values(file: pq.ParquetFile, chosen: Namespace) -> Iterator[object]:
    """Yield the values of the column, and None for rows without one."""
    path = column_path(file.schema_arrow.names, chosen.wire_column)
    for batch in file.iter_batches(_ROWS, columns=[".".join(path)]):
        yield from wires_at(batch, path).to_pylist()


def _schema(schema: pa.Schema, rows: Rows) -> pa.Schema:
    """Return the columns of the output. All may be null: the wire of a second message is."""
    own = [field.with_nullable(True) for field in schema]
    return pa.schema(
        [*own, *map(pa.field, *zip(*new_columns(report=rows.work.report), strict=True)), pa.field(STATUS, pa.string())]
    )


def _written(output: str, schema: pa.Schema, batches: Iterator[pa.RecordBatch]) -> tuple[Counter[str], dict[str, str]]:
    """Write batches with their status to a file, which appears when it is complete, or as they come to a pipe or device.

    Return the number of rows by status, and the first error by code.
    """
    counts: Counter[str] = Counter(converted=0, rejected=0)
    first: dict[str, str] = {}
    with handled(end, signal.SIGTERM), _output(output) as file, pq.ParquetWriter(file, schema) as writer:
        for batch in batches:
            errors = batch.column("error")
            for error in errors.drop_null().to_pylist():
                first.setdefault(error["code"], f"first: {error['message']}")
            good = errors.is_null()
            status = pc.if_else(good, "converted", "rejected")
            counts.update(status.to_pylist())
            writer.write_batch(pa.RecordBatch.from_arrays([*batch.columns, status], schema=schema))
    return counts, first


def _output(name: str) -> AbstractContextManager[BinaryIO]:
    if is_piped(name):
        return nullcontext(sys.stdout.buffer) if name == "-" else Path(name).open("wb")
    return replacing(Path(name).resolve())  # of a link, the file that it names


def _with_progress(file: pq.ParquetFile) -> Iterator[pa.RecordBatch]:
    """Yield the batches of a file, and print once a second how far they are, for a terminal."""
    total, start, done, last = file.metadata.num_rows, time.monotonic(), 0, 0.0
    for batch in file.iter_batches(_ROWS):
        yield batch
        done += batch.num_rows
        took = time.monotonic() - start
        if took - last > 1 and sys.stderr.isatty():
            last = took
            tell_progress(several(done, "row"), done, took, done / total)
    if last:
        sys.stderr.write("\n")


def _tables(rows: Rows) -> list[str]:
    """Return the names of the tables through which messages go."""
    return rows.work.choices.converter(str(rows.source), rows.target).route.tables


def _tell(read: int, done: Counter[str], first: dict[str, str], counted: Tally, tables: list[str]) -> None:
    """Print the summary. Entries name their table where the route has two, and codes their first error."""
    found = tallied([tally_text(counted)])
    found["errors"] = [entry | {"first": first.get(entry["code"])} for entry in found["errors"]]
    fields = Summary(**{entry["outcome"]: entry["count"] for entry in found["fields"]})
    found |= {kind: with_tables(found[kind], tables) for kind in ("lost", "dropped")}
    values = sum(entry["count"] for entry in found["lost"])
    lost = "lost in part" if not fields.lost else "lost" if values == fields.lost else "lost, or in part"
    titles = {"skipped": "skipped", "rejected": "errors", lost: "lost", "dropped by rule": "dropped"}
    lines = [str(fields)] if done["converted"] else []
    lines += counted_lines({title: found[kind] for title, kind in titles.items()})
    words = f"{several(read, 'row')} read, {several(done['converted'], 'message')} converted, {done['rejected']:,} rejected"
    complain(words, *(["\n".join(lines)] if lines else []))

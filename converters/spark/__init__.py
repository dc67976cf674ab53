"""Conversion of whole columns on Apache Spark: frames by `mapInArrow`, columns by an Arrow UDF, and functions for SQL.

Conversion uses the same calls as the command line and the service (`decode_each`, `converter(...).convert`, `encode`). This is
the only package of the library that imports pyspark (extra `spark`), and no other module imports it.

A row becomes rows with four more columns, which `Rows.columns` describes:

* `index` (int): the message's number in the wire value, from 0; null in the row of a value without a valid message
* `converted` (binary): the wire form in the target protocol; null in a rejected row
* `report` (struct of `dropped` and `lost`, in the names of the JSON form): drops and losses; null if there are none;
  left out by `report=False`
* `error` (struct of code, message, field, rule, offset): why the row was rejected; null in a converted one

A wire value with several messages becomes one row for each, converted or rejected. Only its first row and its first rejected
row keep the wire column: repeated, it would grow with the square of the input. Every column of the result is nullable. `prefix`
goes before each of the four names, for frames that already have such columns.

Only messages are rejected. A failure of the machine (no memory, a full disk, a missing package) fails the task, and Spark
tries it again.
"""

import binascii
import gc
import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import col, udf
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, DataType, StringType, StructField, StructType

from mqconvert.compiled import is_compiled
from mqconvert.converters.account.explain import explained
from mqconvert.converters.choices import Choices
from mqconvert.converters.engine.report import LossPolicy
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment
from mqconvert.converters.errors import ConversionError, DecodeError, library_error
from mqconvert.converters.json import message_to_json
from mqconvert.converters.model.base64text import from_base64
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.protocols import PROTOCOLS, Message
from mqconvert.converters.protocols.calls import decode
from mqconvert.converters.protocols.options import NOTHING, options_for
from mqconvert.converters.routes import DOCUMENTED, Rules, listed, read_overlay, sources_of
from mqconvert.converters.spark.lines import Line, line_of
from mqconvert.converters.spark.loop import (
    Columns,
    Row,
    Tally,
    ValueConverter,
    arrow_text,
    binary,
    columns,
    error_members,
    present,
)

READ_ROWS = 1000
"""Wire values read from Arrow at once. They stay in the caches of a processor, which takes a tenth off a row."""

BATCH_BYTES = 16 * 2**20
"""Maximum bytes of converted rows in a batch. A batch that reaches it goes to Spark, and a new one begins."""

_TEXT, _INT = pa.string(), pa.int32()
_DROPPED = pa.struct({"rule": _TEXT, "field": _TEXT, "note": _TEXT, "leg": _INT})
_LOST = pa.struct({"field": _TEXT, "type": _TEXT, "reason": _TEXT, "rule": _TEXT, "leg": _INT})
REPORT = pa.struct({"dropped": pa.list_(_DROPPED), "lost": pa.list_(_LOST)})
ERROR = pa.struct({"code": _TEXT, "message": _TEXT, "field": _TEXT, "rule": _TEXT, "offset": pa.int64()})


def _base64(wire: Any) -> bytes:
    """Decode base64. Line breaks are skipped: MIME writes lines of 76 characters (RFC 2045, section 6.8)."""
    try:
        return from_base64(present(wire))
    except ValueError as error:
        joined = wire.replace("\r", "").replace("\n", "")
        if joined != wire:
            return _base64(joined)
        raise DecodeError("bad_base64", f"the wire value is not base64: {error}") from None


def _hex(wire: object) -> bytes:
    try:
        return binascii.unhexlify(present(wire))
    except ValueError as error:
        raise DecodeError("bad_hex", f"the wire value is not hex: {error}") from None


ENCODINGS: dict[str, tuple[DataType, Callable[[object], bytes]]] = {
    "binary": (BinaryType(), binary),
    "base64": (StringType(), _base64),
    "hex": (StringType(), _hex),
}
"""The encodings of a wire column: the column type, and the function that returns bytes or raises DecodeError."""

_SOURCE = "mqconvert source protocol"  # an internal column between Spark and the workers


def _columns(*, report: bool) -> list[tuple[str, object]]:
    columns = [("index", _INT), ("converted", pa.binary()), ("report", REPORT), ("error", ERROR)]
    return [column for column in columns if report or column[0] != "report"]


def column_path(names: Sequence[str], column: str) -> list[str]:
    """Return the names that lead to a column: one for a column of the frame, more for a field of a struct.

    A column of exactly this name wins; else dots separate the names, and backticks quote one that has dots itself.

    >>> column_path(["msg"], "msg.wire"), column_path(["msg.wire"], "msg.wire"), column_path(["a.b"], "`a.b`.wire")
    (['msg', 'wire'], ['msg.wire'], ['a.b', 'wire'])
    """
    if column in names:
        return [column]
    parts = re.findall(r"`((?:[^`]|``)*)`|([^.]+)", column)
    return [quoted.replace("``", "`") if quoted else plain for quoted, plain in parts] or [column]


def column_at(path: Iterable[str]) -> Column:
    """Return the column at a path; names may have any characters.

    `path` comes from `column_path`. The session must be active.
    """
    return col(".".join("`" + name.replace("`", "``") + "`" for name in path))


def _work(
    pairs: Iterable[tuple[str, str]],
    profile: str,
    rules: Rules | Iterable[Rules],
    environment: Environment,
    on_loss: str,
    options: Mapping[str, str | int | bool],
    *,
    report: bool = True,
) -> ValueConverter:
    """Check names, overlays, tables, policy and options on the driver, before a row is read."""
    choices = Choices(profile, tuple(map(read_overlay, listed(rules))), environment, on_loss, tuple(options.items()))
    ends: dict[tuple[str, str], None] = {}
    for source, target in pairs:
        choices.converter(source, target)
        ends |= {(source, "decode_all"): None, (target, "encode"): None}
    options_for(ends, options)
    return ValueConverter(choices, report)


def convert_frame(
    df: DataFrame,
    *,
    source: str | Column,
    target: str,
    wire_column: str = "wire",
    encoding: str = "binary",
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT,
    options: Mapping[str, str | int | bool] = NOTHING,
    report: bool = True,
    prefix: str = "",
    tally: str | None = None,
    batch_bytes: int = BATCH_BYTES,
    members: Sequence[str] = (),
) -> DataFrame:
    """Convert every row of a frame and return it with the columns described at the top of this module.

    `source` is a protocol's name, or a column of names for archives of several protocols. `wire_column` names the column of
    wire values, or a field of a struct (`msg.wire`). It holds bytes, or text in one of the other `encoding`s (base64, hex).
    `profile`, `rules`, `environment` and `on_loss` are those of `convert`. Overlay files are read here, on the driver.
    `options` are those of codecs (docs/options.md); each goes to every codec that has it.

    `prefix` goes before the name of each new column. `tally` names one more column: null, except in the last row of each
    partition, which has the counts of the partition by rule as JSON (see `tallied`). `batch_bytes` bounds the Arrow batches
    that go back to Spark, in bytes; a batch may exceed it by one row. With `members`, the wire column has JSON objects as text,
    and these names lead to the wire value in them; their text stays as it is, without the wire after the first message.

    A row never raises: an invalid row has an `error`. Raises NoRouteError, RuleTableError, and
    ConversionError `missing_column`, `wrong_column_type`, `column_taken` or `bad_option`. Works on classic and Spark Connect
    sessions, on batches and on streams.

        convert_frame(archive, source=F.col("protocol"), target="amqp-1.0").where("error is not null")
    """
    column = None if isinstance(source, str) else source
    pairs = [(str(source), target)] if column is None else [(name, target) for name in sources_of(target)]
    work = _work(pairs, profile, rules, environment, on_loss, options, report=report)
    if encoding not in ENCODINGS:
        raise ConversionError(f"encoding must be one of {', '.join(ENCODINGS)}", code="bad_option")
    kept = df.schema
    _check_type(kept, wire_column, ENCODINGS[encoding][0])
    if column is not None:
        df = df.withColumn(_SOURCE, column)
        _check_type(df.schema, _SOURCE, StringType())
    one = str(source) if column is None else None
    names = tuple(df.columns)
    rows = Rows(work, one, target, wire_column, encoding, batch_bytes, prefix, tally, names, tuple(members))
    made = rows.columns()
    taken = {name.lower() for name in kept.names} & {name.lower() for name in made.names}
    if taken:
        words = f"the frame already has a column {min(taken)}: prefix (--prefix) gives the new columns other names"
        raise ConversionError(words, code="column_taken", field=min(taken))
    # PySpark looks columns up by name, and would parse dots and backticks as syntax.
    plain = df.toDF(*(f"c{number}" for number in range(len(names))))
    return plain.mapInArrow(rows.batches, StructType([*_nullable(kept).fields, *made.fields]))


def _nullable(schema: StructType) -> StructType:
    """Return the same columns, and fields of structs, as nullable: the wire of a second message is null."""
    made = []
    for old in schema.fields:
        type_ = _nullable(old.dataType) if isinstance(old.dataType, StructType) else old.dataType
        made.append(StructField(old.name, type_, metadata=old.metadata))
    return StructType(made)


def _check_type(schema: StructType, column: str, wanted: DataType) -> None:
    found: DataType = schema
    for name in column_path(schema.names, column):
        if not isinstance(found, StructType) or name not in found.names:
            known = ", ".join(schema.names)
            raise ConversionError(f"no column {column!r}; there are: {known}", code="missing_column", field=column)
        found = found[name].dataType
    if not isinstance(found, type(wanted)):
        words = f"column {column!r} is {found.simpleString()}, not {wanted.simpleString()}"
        raise ConversionError(words, code="wrong_column_type", field=column)


@dataclass(frozen=True, slots=True)
class Rows:
    """The work on each batch of a frame. With `source` None, the last column has the protocol."""

    work: ValueConverter
    source: str | None
    target: str
    wire_column: str
    encoding: str
    batch_bytes: int
    prefix: str = ""
    tally: str | None = None
    names: tuple[str, ...] | None = None
    """The columns, if the batches have others."""
    members: tuple[str, ...] = ()

    def columns(self) -> StructType:
        """Return the columns that every row gets."""
        made = StructType()
        for name, type_ in _columns(report=self.work.report):
            made.add(self.prefix + name, from_arrow_type(type_))
        return made if self.tally is None else made.add(self.tally, StringType())

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """Convert batches, for `mapInArrow`. With a tally, each batch waits for the next: the last one has the counts."""
        if self.tally is None:
            yield from self._batches(batches, None)
            return
        counted: Tally = Counter()
        held = None
        for batch in self._batches(batches, counted):
            if held is not None:
                yield held.append_column(self.tally, pa.nulls(held.num_rows, _TEXT))
            held = batch
        if held is not None:
            texts = [None] * (held.num_rows - 1) + [tally_text(counted)]
            yield held.append_column(self.tally, pa.array(texts, _TEXT))

    def _batches(self, batches: Iterable[pa.RecordBatch], counted: Tally | None) -> Iterator[pa.RecordBatch]:
        """Yield batches limited in bytes, so that long messages, values with many messages and reports fit into Arrow."""
        for given in batches:
            if counted is not None:
                counted["modules", "compiled" if is_compiled() else "sources"] += given.num_rows
            with _no_collection():
                yield from self._converted(given, counted)

    def _converted(self, given: pa.RecordBatch, counted: Tally | None) -> Iterator[pa.RecordBatch]:
        batch = given if self.names is None else given.rename_columns(list(self.names))
        kept = batch if self.source is not None else batch.drop_columns([_SOURCE])
        path = column_path(kept.schema.names, self.wire_column)
        column = kept.column(path[0])
        wires = pc.struct_field(column, path[1:]) if path[1:] else column
        others = max(0, kept.nbytes - wires.nbytes) // max(1, len(wires))
        sources = repeat(self.source) if self.source is not None else batch.column(_SOURCE).to_pylist()
        values = chain.from_iterable(wires.slice(at, READ_ROWS).to_pylist() for at in range(0, len(wires), READ_ROWS))

        line = line_of(self.members, ENCODINGS[self.encoding][1])
        raw = ENCODINGS[self.encoding][1] if line is None else line.wire

        def beside(row: int | None) -> int:
            if line is not None and row is not None:
                return len(line.rest(wires[row].as_py()))
            size: int = others if row is None else max(0, kept.slice(row, 1).nbytes - wires.slice(row, 1).nbytes)
            return size

        new = _columns(report=self.work.report)
        names = [*kept.schema.names, *(self.prefix + name for name, _ in new)]
        pairs = zip(sources, values, strict=False)
        for made in columns(self.work, pairs, self.target, raw, self.batch_bytes, beside, counted):
            arrays = [_array(getattr(made, name), type_) for name, type_ in new]
            yield pa.RecordBatch.from_arrays([*_kept(kept, path, made, line), *arrays], names=names)


def _array(values: list[object], type_: pa.DataType) -> pa.Array:
    """Return values as Arrow; faster where all are equal, as most indexes and errors are."""
    if values.count(values[0]) == len(values):
        return pa.repeat(pa.scalar(values[0], type_), len(values))
    return pa.array(values, type_)


@contextmanager
def _no_collection() -> Iterator[None]:
    """Pause the garbage collector for a batch: it would visit all rows of the batch."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _kept(batch: pa.RecordBatch, path: list[str], made: Columns, line: Line | None) -> list[pa.Array]:
    """Return the frame's own columns with a value for each new row; the wire only where the row keeps it."""
    count = len(made.index)
    row = made.last - made.index.count(0) - made.index.count(None)  # the last row before this batch
    if made.last - row == count and (line is None or not any(made.error)):
        return list(batch.slice(row + 1, count).columns)
    rows, wires = [], []
    for index, keeps in zip(made.index, made.wire, strict=True):
        row += not index
        rows.append(row)
        wires.append(row if keeps else None)
    take, wires_ = pa.array(rows, pa.int64()), pa.array(wires, pa.int64())
    wire = batch.schema.get_field_index(path[0])
    return [
        line.kept(column, made)
        if line is not None and at == wire
        else _taken(column, take, wires_, path[1:] if at == wire else None)
        for at, column in enumerate(batch.columns)
    ]


def _taken(column: pa.Array, rows: pa.Array, wires: pa.Array, path: list[str] | None) -> pa.Array:
    """Return the values of `rows`, or of `wires` if `path` is that of the wire."""
    if path is None:
        return column.take(rows)
    if not path:
        return column.take(wires)
    at = column.type.get_field_index(path[0])
    parts = [_taken(part, rows, wires, path[1:] if n == at else None) for n, part in enumerate(column.flatten())]
    fields = [part.with_nullable(True) for part in column.type]
    return pa.StructArray.from_arrays(parts, fields=fields, mask=column.is_null().take(rows))


# ---- counts by rule -----------------------------------------------------------------------------------------------------

TALLIES: dict[str, tuple[str, ...]] = {
    "dropped": ("rule", "note", "leg"),
    "lost": ("rule", "type", "reason", "leg"),
    "errors": ("code",),
    "skipped": (),
    "modules": ("modules",),
    "fields": ("outcome",),
}
"""The kinds of counts, and the members of their entries. `skipped` counts frames without a message (option `stream`), `modules`
rows by `compiled` or `sources`, as their worker runs, `fields` the fields of all messages by their number in Summary."""


def tallied_counts(texts: Iterable[str]) -> Tally:
    """Add up texts of `tally_text`."""
    total: Tally = Counter()
    for text in texts:
        for *key, count in json.loads(text):
            total[tuple(key)] += count
    return total


def tally_text(counted: Tally) -> str:
    return json.dumps([[*key, count] for key, count in counted.items()])


def tallied(texts: Iterable[str]) -> dict[str, list[JsonObject]]:
    """Add up the column `tally` of `convert_frame` over all partitions, most frequent entries first.

    >>> tallied(['[["errors", "truncated", 2]]', '[["errors", "truncated", 1], ["dropped", "retain", null, 0, 1]]'])["errors"]
    [{'code': 'truncated', 'count': 3}]
    """
    found: dict[str, list[JsonObject]] = {kind: [] for kind in TALLIES}
    for (kind, *members), count in sorted(tallied_counts(texts).items(), key=lambda item: (-item[1], str(item[0]))):
        found[kind].append(dict(zip(TALLIES[kind], members, strict=True)) | {"count": count})
    return found


def convert_udf(
    source: str,
    target: str,
    *,
    several: bool = False,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT,
    options: Mapping[str, str | int | bool] = NOTHING,
) -> Callable[..., Column]:
    """Return an Arrow-optimised UDF for a column of wire values; it returns the new columns as a struct.

    Each value holds exactly one message. With `several`, it holds one or more, and the UDF returns an array of such structs,
    which SQL's `inline` turns into rows. Options and errors are those of `convert_frame`, which is faster.

        archive.select(convert_udf("mqtt-5.0", "amqp-1.0")("wire").alias("made")).select("made.converted", "made.error")
    """
    values = Values(_work([(source, target)], profile, rules, environment, on_loss, options), source, target)
    return udf(values.several if several else values.one, _answer_type(several=several), useArrow=True)


def register(
    spark: SparkSession,
    *,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT,
    options: Mapping[str, str | int | bool] = NOTHING,
) -> None:
    """Register functions for SQL; the options hold for all of them.

    * `mq_convert(wire, source, target)`: a struct of index, converted, report and error; the value holds one message
    * `mq_convert_all(wire, source, target)`: an array of such structs, one for each message of the value, for `inline`
    * `mq_decode(wire, protocol)`: the message in the JSON form, or `{"error": {...}}`
    * `mq_explain(wire, source, target)`: the outcome of every field, as text, or `{"error": {...}}`

        spark.sql("SELECT mq_convert(wire, 'amqp-0.9.1', 'mqtt-5.0').converted FROM archive")
    """
    pairs = [(source, target) for target in PROTOCOLS for source in sources_of(target)]
    values = Values(_work(pairs, profile, rules, environment, on_loss, options))
    functions: dict[str, tuple[Callable[..., Any], DataType]] = {
        "mq_convert": (values.one, _answer_type(several=False)),
        "mq_convert_all": (values.several, _answer_type(several=True)),
        "mq_decode": (values.decoded, StringType()),
        "mq_explain": (values.explained, StringType()),
    }
    for name, (function, type_) in functions.items():
        spark.udf.register(name, udf(function, type_, useArrow=True))


def _answer_type(*, several: bool) -> DataType:
    one = pa.struct(_columns(report=True))
    return from_arrow_type(pa.list_(one) if several else one)


@dataclass(frozen=True, slots=True)
class Values:
    """The functions behind the UDFs, one value at a time. `source` and `target` are their defaults."""

    work: ValueConverter
    source: str | None = None
    target: str | None = None

    def one(self, wire: object, source: object = None, target: object = None) -> Row:
        (answer,) = self.work.answers(wire, source or self.source, target or self.target, single=True)
        return answer

    def several(self, wire: object, source: object = None, target: object = None) -> list[Row]:
        return self.work.answers(wire, source or self.source, target or self.target)

    def _read(self, wire: object, protocol: Any) -> Message:
        return decode(protocol, binary(wire), **self.work.reading(protocol))

    def decoded(self, wire: object, protocol: Any) -> str:
        return _told(lambda: json.dumps(message_to_json(self._read(wire, protocol)), allow_nan=False))

    def explained(self, wire: object, source: Any, target: Any) -> str:
        def told() -> str:
            way = self.work.pipeline(source, target)
            answer = way.answer(decode(source, binary(wire), **way.reading))
            answer.result()
            done: Any = answer.conversion
            return arrow_text(explained(answer.message, done, environment=way.environment))

        return _told(told)


def _told(text: Callable[[], str]) -> str:
    """Return the text, or its error as JSON."""
    try:
        return text()
    except Exception as error:  # noqa: BLE001 - see library_error
        return json.dumps({"error": error_members(library_error(error))})

"""Conversion of whole columns on Apache Spark: frames by `mapInArrow`, columns by an Arrow UDF, and functions for SQL.

Only what Spark asks for lives here: columns in, columns out. What becomes of a message is decided by the same calls that
every other door makes (`decode_all`, `converter(...).convert`, `encode`); no field, rule or protocol is named here. This
is the only module of the library that imports pyspark (extra `spark`); nothing else imports it.

A row becomes rows with four more columns, which `Rows.columns` describes:

* `index` (int): which message of the wire value this is, from 0; null in a rejected row
* `converted` (binary): the wire form in the target protocol; null in a rejected row
* `report` (struct of `dropped` and `lost`, spelt as in the JSON form): what did not come along; left out by `report=False`
* `error` (struct of code, message, field, rule, offset): why the row was rejected; null in a converted one

A wire value that holds several messages becomes as many rows, or is rejected whole, as one row; its own wire column stays
with index 0 only, since repeating it would make a frame that grows with the square of its input.
"""

import binascii
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import repeat
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import udf
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, DataType, StringType, StructType

from mqconvert.converters.errors import ConversionError, DecodeError, MqConvertError
from mqconvert.converters.explain import explained
from mqconvert.converters.jsonform import message_to_json
from mqconvert.converters.messages import PROTOCOLS
from mqconvert.converters.report import LossPolicy
from mqconvert.converters.routes import (
    DEFAULT_ENVIRONMENT,
    DOCUMENTED,
    Conversion,
    Environment,
    RouteConverter,
    Rules,
    converter,
    decode,
    decode_all,
    encode,
    listed,
    read_overlay,
    sources_of,
)

BATCH_BYTES = 16 * 2**20
"""How many octets a batch of converted rows may reach before it is handed to Spark and the next one begun."""

_TEXT, _INT = pa.string(), pa.int32()
_DROPPED = pa.struct({"rule": _TEXT, "field": _TEXT, "note": _TEXT, "leg": _INT})
_LOST = pa.struct({"field": _TEXT, "type": _TEXT, "reason": _TEXT, "rule": _TEXT, "leg": _INT})
REPORT = pa.struct({"dropped": pa.list_(_DROPPED), "lost": pa.list_(_LOST)})
ERROR = pa.struct({"code": _TEXT, "message": _TEXT, "field": _TEXT, "rule": _TEXT, "offset": pa.int64()})

Entries = list[tuple[Any, ...]]
Answer = tuple[int | None, bytes | None, tuple[Entries, Entries] | None, dict[str, Any] | None]
"""The new columns of one row: index, converted, report (what was dropped, what was lost), error."""

Reader = Callable[[str, bytes], list[Any]]
"""What makes messages of octets: `decode_all`, or what allows for one only."""


def _binary(wire: Any) -> bytes:
    if wire.__class__ is bytes:
        return wire
    try:
        return bytes(memoryview(_there(wire)))
    except TypeError:
        words = f"the wire value is {type(wire).__name__}, not octets"
        raise DecodeError("wrong_column_type", words) from None


def _base64(wire: Any) -> bytes:
    try:
        return binascii.a2b_base64(_there(wire), strict_mode=True)
    except ValueError as error:
        raise DecodeError("bad_base64", f"the wire value is not base64: {error}") from None


def _hex(wire: Any) -> bytes:
    try:
        return binascii.unhexlify(_there(wire))
    except ValueError as error:
        raise DecodeError("bad_hex", f"the wire value is not hex: {error}") from None


def _there(wire: Any) -> Any:
    if wire is None:
        raise DecodeError("no_wire", "the wire value is null")
    return wire


ENCODINGS: dict[str, tuple[DataType, Callable[[Any], bytes]]] = {
    "binary": (BinaryType(), _binary),
    "base64": (StringType(), _base64),
    "hex": (StringType(), _hex),
}
"""How a wire column may be spelt: its type, and what makes octets of a value or raises DecodeError."""

_SOURCE = "mqconvert source protocol"  # a column of ours beside the user's, between Spark and the workers only


def _columns(*, report: bool) -> list[tuple[str, Any]]:
    """Names and Arrow types of the new columns."""
    columns = [("index", _INT), ("converted", pa.binary()), ("report", REPORT), ("error", ERROR)]
    return [column for column in columns if report or column[0] != "report"]


@dataclass(frozen=True, slots=True)
class Choices:
    """What the caller chose, as every door takes it; travels to the workers as data, overlays with their text."""

    profile: str
    rules: tuple[Rules, ...]
    environment: Environment
    on_loss: str
    report: bool

    ways: dict[tuple[str, str], RouteConverter] = field(default_factory=dict, repr=False, compare=False)
    """The converters that rows asked for so far."""

    def way(self, source: str, target: str) -> RouteConverter:
        """The converter that every door takes, with what was chosen."""
        way = self.ways.get((source, target))
        if way is None:
            way = self.ways[source, target] = converter(source, target, profile=self.profile, rules=self.rules)
        return way

    def answers(
        self, wire: Any, source: Any, target: Any, octets: Callable[[Any], bytes] = _binary, read: Reader = decode_all
    ) -> list[Answer]:
        """The rows that one value becomes: one for each of its messages, or one rejection."""
        answers: list[Answer] = []
        try:
            messages = read(source, octets(wire))
            convert = self.way(source, target).convert
            for index, message in enumerate(messages):
                done = convert(message, self.environment, self.on_loss)
                answers.append((index, encode(done.message), _report(done) if self.report else None, None))
        except Exception as error:  # noqa: BLE001 - see _error
            return [(None, None, None, _error(error))]
        return answers


def _choices(
    pairs: Iterable[tuple[str, str]],
    profile: str,
    rules: Rules | Iterable[Rules],
    environment: Environment,
    on_loss: str,
    *,
    report: bool = True,
) -> Choices:
    """Everything that can be wrong before a row is read, found on the driver: names, overlays, tables, policy."""
    if on_loss not in tuple(LossPolicy):
        raise ConversionError(f"on_loss is one of {', '.join(LossPolicy)}", code="bad_option")
    chosen = Choices(profile, tuple(map(read_overlay, listed(rules))), environment, on_loss, report)
    for source, target in pairs:
        converter(source, target, profile=profile, rules=chosen.rules)
    return chosen


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
    report: bool = True,
    batch_bytes: int = BATCH_BYTES,
) -> DataFrame:
    """Convert every row of a frame; the columns that it gets are described at the top of this module.

    `source` is a protocol's name, or a column of names for archives of several protocols. `wire_column` holds octets, or
    text in one of the other `encoding`s (base64, hex). `profile`, `rules`, `environment` and `on_loss` are those of
    `convert`; overlay files are read here, on the driver. Nothing about a row raises: what cannot be converted has an
    `error`. Raises NoRouteError, RuleTableError, and ConversionError `missing_column`, `wrong_column_type`, `column_taken`
    or `bad_option`. Works on classic and Spark Connect sessions, on batches and on streams.

        convert_frame(archive, source=F.col("protocol"), target="amqp-1.0").where("error is not null")
    """
    column = None if isinstance(source, str) else source
    pairs = [(str(source), target)] if column is None else [(way, target) for way in sources_of(target)]
    chosen = _choices(pairs, profile, rules, environment, on_loss, report=report)
    if encoding not in ENCODINGS:
        raise ConversionError(f"encoding is one of {', '.join(ENCODINGS)}", code="bad_option")
    kept = df.schema
    _check_type(kept, wire_column, ENCODINGS[encoding][0])
    if column is not None:
        df = df.withColumn(_SOURCE, column)
        _check_type(df.schema, _SOURCE, StringType())
    rows = Rows(chosen, str(source) if column is None else None, target, wire_column, encoding, batch_bytes)
    made = rows.columns()
    taken = {name.lower() for name in kept.names} & set(made.names)
    if taken:
        raise ConversionError(f"the frame has a column {min(taken)} already", code="column_taken", field=min(taken))
    return df.mapInArrow(rows.batches, StructType([*kept.fields, *made.fields]))


def _check_type(schema: StructType, column: str, wanted: DataType) -> None:
    if column not in schema.names:
        known = ", ".join(schema.names)
        raise ConversionError(f"no column {column!r}; there are: {known}", code="missing_column", field=column)
    found = schema[column].dataType
    if not isinstance(found, type(wanted)):
        words = f"column {column!r} is {found.simpleString()}, not {wanted.simpleString()}"
        raise ConversionError(words, code="wrong_column_type", field=column)


@dataclass(frozen=True, slots=True)
class Rows:
    """What a worker does to each batch of a frame. `source` None: the protocol stands in the last column."""

    choices: Choices
    source: str | None
    target: str
    wire_column: str
    encoding: str
    batch_bytes: int

    def columns(self) -> StructType:
        """The columns that every row gets."""
        made = StructType()
        for name, type_ in _columns(report=self.choices.report):
            made.add(name, from_arrow_type(type_))
        return made

    def batches(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """For `mapInArrow`. Batches are closed by octets, so that neither a long message nor a value with very many
        messages makes one that Arrow cannot hold.
        """
        answers, octets, target = self.choices.answers, ENCODINGS[self.encoding][1], self.target
        for batch in batches:
            kept = batch if self.source is not None else batch.drop_columns([_SOURCE])
            wires = batch.column(self.wire_column)
            others = (kept.nbytes - wires.nbytes) // max(1, len(wires))
            sources = repeat(self.source) if self.source is not None else batch.column(_SOURCE).to_pylist()
            made, size, row = _Made(), 0, -1
            for row, (source, wire) in enumerate(zip(sources, wires.to_pylist(), strict=False)):
                for index, converted, report, error in answers(wire, source, target, octets):
                    made.index.append(index)
                    made.converted.append(converted)
                    made.report.append(report)
                    made.error.append(error)
                    size += others + len(converted or b"") + (0 if index else len(wire or b""))
                    if size >= self.batch_bytes:
                        yield self._batch(kept, row, made)
                        made, size = _Made(), 0
            if made.index:
                yield self._batch(kept, row, made)

    def _batch(self, kept: pa.RecordBatch, last: int, made: "_Made") -> pa.RecordBatch:
        columns = made.kept(kept, kept.schema.get_field_index(self.wire_column), last)
        new = _columns(report=self.choices.report)
        names = [*kept.schema.names, *(name for name, _ in new)]
        return pa.RecordBatch.from_arrays(
            [*columns, *(pa.array(getattr(made, name), type_) for name, type_ in new)], names=names
        )


class _Made:
    """The new columns of a batch to be."""

    __slots__ = ("converted", "error", "index", "report")

    def __init__(self) -> None:
        self.index: list[int | None] = []
        self.converted: list[bytes | None] = []
        self.report: list[tuple[Entries, Entries] | None] = []
        self.error: list[dict[str, Any] | None] = []

    def kept(self, batch: pa.RecordBatch, wire: int, last: int) -> list[pa.Array]:
        """The columns that the frame had, one value for each row made, up to row `last`; column `wire` with index 0 only."""
        count = len(self.index)
        row = last - sum(not index for index in self.index)  # the row before the first that begins here
        if last - row == count:
            return list(batch.slice(row + 1, count).columns)
        rows, wires = [], []
        for index in self.index:
            row += not index
            rows.append(row)
            wires.append(None if index else row)
        take, wires_ = pa.array(rows, pa.int64()), pa.array(wires, pa.int64())
        return [column.take(wires_ if at == wire else take) for at, column in enumerate(batch.columns)]


def _decode_one(source: str, wire: bytes) -> list[Any]:
    return [decode(source, wire)]


def _error(error: Exception) -> dict[str, Any]:
    """The error struct; a defect of ours costs the row it is met in, with a word on it, and not the whole job.

    A package that a worker has not is raised: it would cost every row, and no row is to blame for it.
    """
    if isinstance(error, ImportError) or (isinstance(error, MqConvertError) and error.code == "missing_package"):
        raise error
    known = {"code": "internal", "message": f"{type(error).__name__}: {error}"}
    if isinstance(error, MqConvertError):
        known = error.as_dict()
    return {name: _text(value) if value.__class__ is str else value for name, value in known.items()}


def _report(done: Conversion) -> tuple[Entries, Entries]:
    report = done.report
    return list(map(_entry, report.dropped)), list(map(_entry, report.lost))


def _entry(members: tuple[Any, ...]) -> tuple[Any, ...]:
    """Dropped and Lost have the members of _DROPPED and _LOST, in their order."""
    return tuple([_text(member) if member.__class__ is str else member for member in members])


def _text(text: str) -> str:
    """Text that Arrow takes: octets that are no UTF-8 (see values.py) as JSON shows them, `\\udcff`."""
    return text if text.isascii() else text.encode("utf-8", "backslashreplace").decode()


def convert_udf(
    source: str,
    target: str,
    *,
    several: bool = False,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT,
) -> Callable[..., Column]:
    """An Arrow-optimised UDF for a column of wire values, which gives the new columns as a struct.

    Each value holds exactly one message. With `several`, it holds one or more and the UDF gives an array of such structs,
    which SQL's `inline` makes rows of. Options and errors are those of `convert_frame`, which is the faster way.

        archive.select(convert_udf("mqtt-5.0", "amqp-1.0")("wire").alias("made")).select("made.converted", "made.error")
    """
    values = Values(_choices([(source, target)], profile, rules, environment, on_loss), source, target)
    return udf(values.several if several else values.one, _answer_type(several=several), useArrow=True)


def register(
    spark: SparkSession,
    *,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: str = LossPolicy.REPORT,
) -> None:
    """Functions for SQL; the options hold for all of them.

    * `mq_convert(wire, source, target)`: a struct of index, converted, report and error; the value holds one message
    * `mq_convert_all(wire, source, target)`: an array of such structs, one for each message of the value, for `inline`
    * `mq_decode(wire, protocol)`: the message in the JSON form, or `{"error": {...}}`
    * `mq_explain(wire, source, target)`: what became of every field, as text, or `{"error": {...}}`

        spark.sql("SELECT mq_convert(wire, 'amqp-0.9.1', 'mqtt-5.0').converted FROM archive")
    """
    pairs = [(source, target) for target in PROTOCOLS for source in sources_of(target)]
    values = Values(_choices(pairs, profile, rules, environment, on_loss))
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
    """The functions behind the UDFs, one value at a time. `source` and `target` are theirs where the caller names none."""

    choices: Choices
    source: str | None = None
    target: str | None = None

    def one(self, wire: Any, source: Any = None, target: Any = None) -> Answer:
        (answer,) = self.choices.answers(wire, source or self.source, target or self.target, read=_decode_one)
        return answer

    def several(self, wire: Any, source: Any = None, target: Any = None) -> list[Answer]:
        return self.choices.answers(wire, source or self.source, target or self.target)

    def decoded(self, wire: Any, protocol: Any) -> str:
        try:
            return json.dumps(message_to_json(decode(protocol, _binary(wire))), allow_nan=False)
        except Exception as error:  # noqa: BLE001 - see _error
            return json.dumps({"error": _error(error)})

    def explained(self, wire: Any, source: Any, target: Any) -> str:
        try:
            message = decode(source, _binary(wire))
            choices = self.choices
            done = choices.way(source, target).convert(message, choices.environment, choices.on_loss)
            return _text(explained(message, done, environment=choices.environment))
        except Exception as error:  # noqa: BLE001 - see _error
            return json.dumps({"error": _error(error)})

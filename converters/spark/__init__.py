"""Conversion of whole columns on Apache Spark: frames by `mapInArrow`, columns by an Arrow UDF, and functions for SQL.

Conversion uses the same calls as the command line and the service (`decode_each`, `converter(...).convert`, `encode`). This is
the only package of the library that imports pyspark (extra `spark`), and no other module imports it.

Rows of results have the four columns that converters/columns/arrow.py describes. `prefix` goes before each of their names, for
frames that already have such columns. A failure of the machine fails the task, and Spark tries it again.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql.functions import col, udf
from pyspark.sql.pandas.types import from_arrow_type
from pyspark.sql.types import BinaryType, DataType, StringType, StructField, StructType

from mqconvert.converters.account.explain import explained
from mqconvert.converters.choices import Choices, Profile
from mqconvert.converters.columns import Encoding
from mqconvert.converters.columns.arrow import BATCH_BYTES, ENCODINGS, SOURCE, Rows, column_path, new_columns
from mqconvert.converters.columns.loop import Row, ValueConverter, arrow_text, binary, error_members
from mqconvert.converters.engine.report import LossPolicy, OnLoss
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment
from mqconvert.converters.errors import ConversionError, Remedy, library_error
from mqconvert.converters.json import message_to_json
from mqconvert.converters.overlays import DOCUMENTED, Rules, listed, read_overlay
from mqconvert.converters.protocols import PROTOCOLS, Message
from mqconvert.converters.protocols.calls import decode
from mqconvert.converters.protocols.options import NOTHING, options_for
from mqconvert.converters.routes import sources_of


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
    on_loss: OnLoss | LossPolicy,
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
    encoding: Encoding = "binary",
    profile: Profile | str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: OnLoss | LossPolicy = LossPolicy.REPORT,
    options: Mapping[str, str | int | bool] = NOTHING,
    report: bool = True,
    prefix: str = "",
    tally: str | None = None,
    batch_bytes: int = BATCH_BYTES,
    members: Sequence[str] = (),
) -> DataFrame:
    """Convert every row of a frame and return it with the columns that converters/columns/arrow.py describes.

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
    _check_type(kept, wire_column, BinaryType() if encoding == "binary" else StringType())
    if column is not None:
        df = df.withColumn(SOURCE, column)
        _check_type(df.schema, SOURCE, StringType())
    one = str(source) if column is None else None
    names = tuple(df.columns)
    rows = Rows(work, one, target, wire_column, encoding, batch_bytes, prefix, tally, names, tuple(members))
    made = _made(rows)
    _refuse_taken(kept, made)
    # PySpark looks columns up by name, and would parse dots and backticks as syntax.
    plain = df.toDF(*(f"c{number}" for number in range(len(names))))
    return plain.mapInArrow(rows.batches, StructType([*_nullable(kept).fields, *made.fields]))


def _refuse_taken(kept: StructType, made: StructType) -> None:
    taken = {name.lower() for name in kept.names} & {name.lower() for name in made.names}
    if taken:
        words = f"the frame already has a column {min(taken)}"
        raise ConversionError(words, code="column_taken", field=min(taken), remedy=Remedy("prefix"), names_field=True)


def _made(rows: Rows) -> StructType:
    """Return the columns that every row gets."""
    made = StructType()
    for name, type_ in new_columns(report=rows.work.report):
        made.add(rows.prefix + name, from_arrow_type(type_))
    return made if rows.tally is None else made.add(rows.tally, StringType())


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
            words = f"no column {column!r}; there are: {known}"
            raise ConversionError(words, code="missing_column", field=column, names_field=True)
        found = found[name].dataType
    if not isinstance(found, type(wanted)):
        words = f"column {column!r} is {found.simpleString()}, not {wanted.simpleString()}"
        raise ConversionError(words, code="wrong_column_type", field=column, names_field=True)


def convert_udf(
    source: str,
    target: str,
    *,
    several: bool = False,
    profile: Profile | str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: OnLoss | LossPolicy = LossPolicy.REPORT,
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
    profile: Profile | str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    on_loss: OnLoss | LossPolicy = LossPolicy.REPORT,
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
    one = pa.struct(new_columns(report=True))
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

"""Members of JSON lines that change as columns of Spark: its types hold some numbers only in part, and mixed values as text."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812 - its usual name
from pyspark.sql.types import ArrayType, DataType, DoubleType, StringType, StructType

from mqconvert.converters.model.jsonform import JsonObject


class _Integer(str):
    """The text of a number without fraction and exponent."""

    __slots__ = ()


class _Number(str):
    """The text of another number."""

    __slots__ = ()


_READER = json.JSONDecoder(parse_int=_Integer, parse_float=_Number)


def changes(type_: DataType, value: Any) -> bool:
    """Return whether a value of JSON is another one in a column of the type that Spark infers for all lines.

    >>> changes(DoubleType(), _Number("0.50")), changes(DoubleType(), _Number("0.1234567890123456789"))
    (False, True)
    """
    if value is None:
        return False
    if isinstance(type_, StructType):
        return (
            any(changes(field.dataType, value.get(field.name)) for field in type_.fields) if isinstance(value, dict) else True
        )
    if isinstance(type_, ArrayType):
        return any(changes(type_.elementType, each) for each in value) if isinstance(value, list) else True
    if isinstance(type_, DoubleType):
        return type(value) is not _Number or not _exact(value)
    return isinstance(type_, StringType) and type(value) is not str


def _exact(text: str) -> bool:
    try:
        return Decimal(text) == Decimal(repr(float(text)))
    except ArithmeticError:
        return False


def changed(lines: DataFrame, columns: StructType, wire: str) -> list[JsonObject]:
    """Return the columns that change, with their types and the numbers of rows; `lines` have the column `value`."""
    types = {field.name: field.dataType for field in columns.fields if field.name != wire and _may_change(field.dataType)}
    if not types:
        return []
    found = lines.select(F.make_valid_utf8("value").alias("value")).mapInArrow(
        partial(_counted, types), "name string, rows long"
    )
    rows = found.groupBy("name").agg(F.sum("rows").alias("rows")).orderBy("name").collect()
    return [{"column": row["name"], "type": types[row["name"]].simpleString(), "count": row["rows"]} for row in rows]


def _may_change(type_: DataType) -> bool:
    return isinstance(type_, StructType | ArrayType | DoubleType | StringType)


def _counted(types: dict[str, DataType], batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    counts: Counter[str] = Counter()
    for batch in batches:
        for line in batch.column(0).to_pylist():
            try:
                members = _READER.decode(line)
            except (ValueError, RecursionError):  # a row that is rejected
                continue
            if isinstance(members, dict):
                counts.update(name for name, type_ in types.items() if changes(type_, members.get(name)))
    yield pa.RecordBatch.from_pydict({"name": list(counts), "rows": pa.array(counts.values(), pa.int64())})

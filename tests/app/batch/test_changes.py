"""Members of JSON lines that change as columns of Spark are known beforehand, and only these."""

import json
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, BooleanType, DataType, DoubleType, LongType, StringType, StructType

from mqconvert.app.batch import changes
from tests.app.batch.runs import run
from tests.app.batch.test_lines import MEMBERS, WIRE
from tests.on_spark import ON_SPARK

pytestmark = ON_SPARK

DECIMALS = st.decimals(allow_nan=False, allow_infinity=False)
FLOATS = st.floats(allow_nan=False, allow_infinity=False)


def _changes(type_: DataType, text: str) -> bool:
    """Return whether the value of a JSON text changes, as workers read it."""
    return changes.changes(type_, changes._READER.decode(text))


@given(DECIMALS | FLOATS.map(repr).map(Decimal))
def test_fractions_that_a_double_holds_to_the_digit_stay(number: Decimal) -> None:
    """The digits of a double are those of its shortest text (as in Python and Java)."""
    text = f"{number:e}"
    written = repr(float(text))
    same = "inf" not in written and Fraction(Decimal(written)) == Fraction(number)
    assert _changes(DoubleType(), text) is not same


STRUCT = StructType().add("a", DoubleType()).add("b", ArrayType(StringType()))


@pytest.mark.parametrize(
    ("type_", "text", "changed"),
    [
        (DoubleType(), "0.10", False),
        (DoubleType(), "1e-400", True),
        (DoubleType(), "1e400", True),
        (DoubleType(), "1e99999999999999999999", True),  # beyond decimal numbers of Python
        (DoubleType(), "1", True),  # it becomes 1.0
        (DoubleType(), "null", False),
        (LongType(), "1", False),
        (BooleanType(), "true", False),
        (StringType(), '"1"', False),
        (StringType(), "1", True),  # a number among texts becomes a text
        (StringType(), '{"a": 1}', True),
        (STRUCT, '{"a": 0.5, "b": ["x", null], "c": 1}', False),
        (STRUCT, '{"a": 1, "b": ["x"]}', True),
        (STRUCT, '{"a": 0.5, "b": ["x", 2]}', True),
        (STRUCT, '{"b": "x"}', True),
        (STRUCT, "{}", False),
        (STRUCT, "5", True),
    ],
)
def test_a_value_changes_that_its_column_cannot_hold(type_: DataType, text: str, *, changed: bool) -> None:
    assert _changes(type_, text) is changed


def test_columns_that_change_towards_other_formats_are_named(
    spark: SparkSession, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "in").write_text("".join(f'{{{members},"wire":"{WIRE}","same":[1.5,{{"a":true}}]}}\n' for members in MEMBERS))
    asked = ("--input", str(tmp_path / "in"), "--output", str(tmp_path / "out"), "--input-format", "jsonl")
    assert run(spark, *asked, "--output-format", "parquet") == 0
    changed: list[Any] = json.loads((tmp_path / "out" / "_manifest.json").read_text())["changed"]
    assert {entry["column"]: entry["count"] for entry in changed} == {"price": 2, "n": 2, "mixed": 2, "dict": 2, "same": 3}
    said = capsys.readouterr().out
    assert "columns that change in parquet: dict, mixed, n, price" in said

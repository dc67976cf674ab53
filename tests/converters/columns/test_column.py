"""`transcode_column`: the bytes and errors of `transcode`, row by row, from whatever memory a column has."""

import struct
import sys
from collections.abc import Sequence
from mmap import mmap
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    ArgumentError,
    ClientLibraryError,
    Entry,
    Environment,
    MqConvertError,
    NoRouteError,
    encode,
    transcode,
    transcode_column,
)
from mqconvert.converters.columns.arrow import BATCH_BYTES, READ_ROWS
from mqconvert.converters.columns.loop import error_members
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from tests.converters.columns.batches import LOSSY, PUBLISH
from tests.converters.test_transcoding import TRIANGLE, wires

ENVIRONMENT = Environment(address="a/b")
TYPES = (pa.binary(), pa.large_binary(), pa.binary_view(), pa.dictionary(pa.int8(), pa.binary()))
NULL = {"code": "no_wire", "message": "the wire value is null", "field": None, "rule": None, "offset": None, "remedy": None}


def one_by_one(values: Sequence[bytes | None], target: str, source: str, **choices: Any) -> list[dict[str, Any]]:
    """Return the rows that `transcode` comes to."""
    rows: list[dict[str, Any]] = []
    for value in values:
        if value is None:
            rows.append({"converted": None, "error": NULL})
            continue
        try:
            made = transcode(value, target, source=source, environment=ENVIRONMENT, **choices)
            rows.append({"converted": made.wire, "error": None})
        except MqConvertError as error:
            members = error_members(error)
            if "remedy" in members:
                members["remedy"] = {"value": None} | members["remedy"]
            rows.append({"converted": None, "error": {name: members.get(name) for name in NULL}})
    return rows


def at_once(column: Any, target: str, source: str, **choices: Any) -> list[dict[str, Any]]:
    made = transcode_column(column, target, source=source, environment=ENVIRONMENT, **choices)
    made.validate(full=True)
    rows: list[dict[str, Any]] = made.to_pylist()
    return rows


@pytest.mark.parametrize(
    ("source", "target"),
    [(a, b) for a in TRIANGLE for b in TRIANGLE if a != b] + [("mqtt-5.0", "mqtt-3.1.1"), ("amqp-1.0", "phpmq")],
)
@pytest.mark.parametrize("on_loss", ["report", "strict"])
def test_messages_of_the_corpus_come_to_what_transcode_makes_of_each(source: str, target: str, on_loss: str) -> None:
    values = wires(source)
    wanted = one_by_one(values, target, source, on_loss=on_loss)
    assert on_loss == "strict" or any(row["error"] is None for row in wanted)
    assert at_once(pa.array(values), target, source, on_loss=on_loss) == wanted


@given(
    st.lists(st.sampled_from([PUBLISH, LOSSY, PUBLISH * 2, PUBLISH[:-1], b"", None]), max_size=30),
    st.sampled_from(TYPES),
    st.integers(0, 30),
    st.integers(0, 30),
)
def test_any_slice_of_any_column_of_bytes_is_read(values: list[Any], type_: pa.DataType, start: int, size: int) -> None:
    """Also one of several chunks, and of nulls with bytes behind them."""
    column = pa.array(values, type_).slice(start, size)
    wanted = one_by_one(values[start : start + size], "amqp-0.9.1", "mqtt-5.0")
    assert at_once(column, "amqp-0.9.1", "mqtt-5.0") == wanted
    chunked = pa.chunked_array([column, column.slice(1), column[:0]], type_)
    assert at_once(chunked, "amqp-0.9.1", "mqtt-5.0") == wanted + wanted[1:]


def test_a_null_with_bytes_behind_it_is_null() -> None:
    _, offsets, data = pa.array([PUBLISH, PUBLISH]).buffers()
    valid = pa.array([False, True]).buffers()[1]
    column = pa.Array.from_buffers(pa.binary(), 2, [valid, offsets, data])
    assert at_once(column, "amqp-0.9.1", "mqtt-5.0") == one_by_one([None, PUBLISH], "amqp-0.9.1", "mqtt-5.0")


def test_columns_of_one_size_and_of_nulls_are_columns_of_bytes() -> None:
    fixed = pa.array([PUBLISH, None], pa.binary(len(PUBLISH)))
    assert at_once(fixed, "amqp-1.0", "mqtt-5.0") == one_by_one([PUBLISH, None], "amqp-1.0", "mqtt-5.0")
    assert at_once(pa.nulls(2), "amqp-1.0", "mqtt-5.0") == one_by_one([None, None], "amqp-1.0", "mqtt-5.0")


def test_results_longer_than_their_values_find_room() -> None:
    headers = [Entry(f"{number}", "bool", True) for number in range(500)]
    values = [encode(amqp091.Message(basic=amqp091.BasicProperties(headers=headers)))] * 3
    made = at_once(pa.array(values), "mqtt-5.0", "amqp-0.9.1")
    assert made == one_by_one(values, "mqtt-5.0", "amqp-0.9.1")
    assert len(made[0]["converted"]) > 1.5 * len(values[0])


def test_long_columns_and_long_values_are_converted_in_parts() -> None:
    long = encode(Publish(topic_name="t", payload=bytes(BATCH_BYTES // 2 - 2**20)))
    values = [PUBLISH, b""] * READ_ROWS + [long] * 3
    made = transcode_column(pa.array(values), "amqp-0.9.1", source="mqtt-5.0")
    assert made["converted"].to_pylist() == [row["converted"] for row in one_by_one(values, "amqp-0.9.1", "mqtt-5.0")]
    assert max(chunk.nbytes for chunk in made["converted"].chunks) < 2 * BATCH_BYTES


def test_rows_that_share_a_long_value_are_converted_in_parts() -> None:
    long = encode(Publish(topic_name="t", payload=bytes(BATCH_BYTES // 2 - 2**20)))
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1, 1, 1]), pa.array([PUBLISH, long]))
    made = transcode_column(column, "amqp-0.9.1", source="mqtt-5.0")
    assert made["converted"].to_pylist() == [
        row["converted"] for row in one_by_one(column.to_pylist(), "amqp-0.9.1", "mqtt-5.0")
    ]
    assert max(chunk.nbytes for chunk in made["converted"].chunks) < 2 * BATCH_BYTES


def test_offsets_outside_the_data_are_refused() -> None:
    """PyArrow itself checks the first offset and the last."""
    for between in (99, -9):
        memory = [None, pa.py_buffer(struct.pack("=iii", 0, between, len(PUBLISH))), pa.py_buffer(PUBLISH)]
        with pytest.raises(IndexError):
            transcode_column(pa.Array.from_buffers(pa.binary(), 2, memory), "amqp-1.0", source="mqtt-5.0")


def test_a_value_beyond_2_gib_of_a_large_column_is_read() -> None:
    begin, end = 2**31 + 5, 2**31 + 5 + len(PUBLISH)
    memory = mmap(-1, end)  # pages that are never written take no memory
    memory[begin:end] = PUBLISH
    offsets = pa.py_buffer(struct.pack("=qqq", 0, begin, end))
    column = pa.Array.from_buffers(pa.large_binary(), 2, [None, offsets, pa.py_buffer(memory)])[1:]
    assert at_once(column, "amqp-1.0", "mqtt-5.0") == one_by_one([PUBLISH], "amqp-1.0", "mqtt-5.0")


@pytest.mark.parametrize("column", [[PUBLISH], PUBLISH, pa.array(["text"]), pa.array([1]), pa.table({"wire": [PUBLISH]})])
def test_anything_but_a_column_of_bytes_is_refused(column: Any) -> None:
    with pytest.raises(ArgumentError, match="expected a pyarrow"):
        transcode_column(column, "amqp-1.0", source="mqtt-5.0")


@pytest.mark.parametrize(
    ("wrong", "error", "words"),
    [
        ({"source": "amqp-7"}, NoRouteError, "amqp-7"),
        ({"on_loss": "fails"}, MqConvertError, "on_loss"),
        ({"environment": None}, ArgumentError, "environment: expected an Environment"),
        ({"source": bytearray(b"mqtt")}, ArgumentError, "source: expected the name of a protocol"),
        ({"rules": b"preserve"}, ArgumentError, "rules: expected names or paths"),
    ],
)
def test_wrong_choices_are_refused_before_a_row_is_read(wrong: Any, error: type[MqConvertError], words: str) -> None:
    with pytest.raises(error, match=words):
        transcode_column(pa.array([PUBLISH]), "amqp-1.0", **({"source": "mqtt-5.0"} | wrong))


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ClientLibraryError, match=r"pip install 'mqconvert\[parquet\]'"):
        transcode_column([], "amqp-1.0", source="mqtt-5.0")

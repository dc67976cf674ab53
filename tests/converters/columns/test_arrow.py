"""Batches of Arrow: every row has its result, beside its own columns, in bounded memory; and the counts of a partition."""

import base64
import gc
import tracemalloc
from collections import Counter
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import convert, decode, encode, encode_batch
from mqconvert.converters.choices import Choices
from mqconvert.converters.columns import arrow
from mqconvert.converters.columns.arrow import READ_ROWS, Rows, column_path, tallied, tallied_counts, tally_text
from mqconvert.converters.columns.loop import ValueConverter
from mqconvert.converters.protocols.mqtt5.message import Message as Publish
from mqconvert.converters.protocols.pulsar.message import Message as Produced
from tests.converters.columns.batches import LOSSY, PUBLISH, convert_batches


@given(st.lists(st.sampled_from([PUBLISH, PUBLISH * 3, b"", None, b"\xff", PUBLISH[:-1]]) | st.binary(max_size=8), max_size=60))
def test_no_row_is_lost_for_any_batches(wires: list[Any]) -> None:
    """Any division of input and output into batches gives the same rows in the same order."""
    made = [
        [row for batch in convert_batches(wires, batch_bytes, 7) for row in batch.drop_columns(["id"]).to_pylist()]
        for batch_bytes in (1, 40, 2**20)
    ]
    assert made[0] == made[1] == made[2]
    for batch_bytes in (1, 40, 2**20):  # without reports, whole values become bytes at once
        plain = [row for batch in convert_batches(wires, batch_bytes, 7, report=False) for row in batch.to_pylist()]
        assert [{name: row[name] for name in plain[0] if name != "id"} for row in made[0]] == [
            {name: value for name, value in row.items() if name != "id"} for row in plain
        ]
    heads = [row for row in made[0] if not row["index"]]
    assert [row["wire"] for row in heads] == wires
    for row in made[0]:
        assert (row["converted"] is None) == (row["error"] is not None)
        assert (row["index"] is not None) or row["error"]


@given(
    st.lists(st.sampled_from([PUBLISH, PUBLISH, PUBLISH, LOSSY, PUBLISH * 2, b"", None]), max_size=40),
    st.sampled_from([pa.binary(), pa.large_binary()]),
    st.integers(0, 9),
)
def test_rows_are_the_same_where_every_report_is_counted(wires: list[Any], type_: pa.DataType, start: int) -> None:
    """A message of which every field arrives needs no report, unless its numbers are counted."""
    batch = pa.RecordBatch.from_arrays([pa.array(wires, type_)], names=["wire"]).slice(start)
    made = []
    for tally in (None, "tally"):
        worker = Rows(ValueConverter(Choices()), "mqtt-5.0", "amqp-0.9.1", "wire", "binary", 2**20, tally=tally)
        rows = [row for part in worker.batches([batch]) for row in part.to_pylist()]
        made.append([{name: value for name, value in row.items() if name != "tally"} for row in rows])
    assert made[0] == made[1]


def test_rows_beyond_those_converted_at_once_stay_beside_their_results() -> None:
    wires = [PUBLISH, b"", PUBLISH * 2, None, PUBLISH[:-1]] * (READ_ROWS // 2)
    made = [row for batch in convert_batches(wires, size=len(wires)) for row in batch.to_pylist()]
    assert [row["id"] for row in made if not row["index"]] == [*range(len(wires))]
    assert [row["wire"] for row in made if not row["index"]] == wires
    assert made[6:] == [row | {"id": row["id"] + 5} for row in made[:-6]]


def test_batches_are_limited_by_bytes() -> None:
    long = bytes.fromhex("308d8020000174") + b"\0" + bytes(2**19 + 13 - 4)
    assert len(encode(decode("mqtt-5.0", long))) == len(long)
    batches = convert_batches([PUBLISH, long, PUBLISH, long, PUBLISH], batch_bytes=2**19)
    assert [batch.num_rows for batch in batches] == [2, 2, 1]
    many = convert_batches([PUBLISH * 5000], batch_bytes=2**14)
    assert sum(batch.num_rows for batch in many) == 5000
    assert max(batch.nbytes for batch in many) < 2**20


def test_repeated_columns_count_toward_the_batch_limit() -> None:
    """A long column is repeated for each message of its row: an average over the batch would not see it."""
    chosen = ValueConverter(Choices(), report=False)
    worker = Rows(chosen, "mqtt-5.0", "amqp-1.0", "wire", "binary", 2**17)
    columns = [pa.array(["x" * 20_000] + [""] * 999), pa.array([PUBLISH * 1000] + [PUBLISH] * 999, pa.binary())]
    batches = list(worker.batches([pa.RecordBatch.from_arrays(columns, names=["text", "wire"])]))
    assert sum(batch.num_rows for batch in batches) == 1999
    assert max(batch.nbytes for batch in batches) < 2 * 2**17


def test_memory_is_that_of_one_value_of_many_messages() -> None:
    """Messages are decoded one by one, so any number of such values takes the same memory."""
    members = [Produced(payload=b"", producer_name="p", sequence_id=0, publish_time=1, compression="ZSTD")] * 400
    wire = encode_batch(members)
    rows = Rows(ValueConverter(Choices(), report=True), "pulsar", "amqp-1.0", "wire", "binary", 2**13)

    def made(count: int) -> int:
        return sum(batch.num_rows for batch in rows.batches([pa.RecordBatch.from_pydict({"wire": [wire] * count})]))

    def peak(count: int) -> int:
        gc.collect()
        tracemalloc.start()
        try:
            assert made(count) == 400 * count
            return tracemalloc.get_traced_memory()[1]
        finally:
            tracemalloc.stop()

    made(1)  # build the converter first
    assert peak(4) < 1.2 * peak(1)


def test_the_tally_counts_every_row_once() -> None:
    """For any batch size, only the last row of a partition has counts, and they cover the whole partition."""
    wires = [LOSSY, b"", None, PUBLISH * 3, LOSSY * 2]
    chosen = ValueConverter(Choices(), report=True)
    for batch_bytes in (1, 2**20):
        worker = Rows(chosen, "mqtt-5.0", "amqp-0.9.1", "wire", "binary", batch_bytes, tally="tally")
        batch = pa.RecordBatch.from_arrays([pa.array(wires, pa.binary())], names=["wire"])
        texts = [row["tally"] for made in worker.batches([batch, batch]) for row in made.to_pylist()]
        assert [text is None for text in texts] == [True] * 15 + [False]
        told = tallied(text for text in texts if text is not None)
        assert {entry["code"]: entry["count"] for entry in told["errors"]} == {"truncated": 2, "no_wire": 2}
        assert [(entry["type"], entry["count"]) for entry in told["lost"]] == [("utf8", 6)]
        assert told["dropped"] == []
        # Twice three plain messages of 2 fields each, and three lossy ones with a third field.
        numbers = {"unchanged": 12, "changed": 12, "lost": 6, "by_rule": 0}
        assert {entry["outcome"]: entry["count"] for entry in told["fields"]} == numbers


@pytest.mark.parametrize("was", [True, False])
def test_no_garbage_is_collected_within_a_batch(was: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[bool] = []

    def watched(wire: str) -> bytes:
        seen.append(gc.isenabled())
        return bytes.fromhex(wire)

    monkeypatch.setitem(arrow.ENCODINGS, "hex", watched)
    before = gc.isenabled()
    (gc.enable if was else gc.disable)()
    try:
        convert_batches([PUBLISH.hex(), PUBLISH.hex()], encoding="hex")
        after = gc.isenabled()
    finally:
        (gc.enable if before else gc.disable)()
    assert (seen, after) == ([False, False], was)


def test_an_empty_report_is_null() -> None:
    retained = bytes.fromhex("3106000174006869")
    (batch,) = convert_batches([PUBLISH, retained], target="amqp-0.9.1")
    whole, dropped = batch.column("report").to_pylist()
    assert whole is None
    assert dropped["dropped"] or dropped["lost"]


def test_wires_may_be_base64_or_hex() -> None:
    for encoding, text in (("base64", base64.b64encode(PUBLISH).decode()), ("hex", PUBLISH.hex())):
        (batch,) = convert_batches([text, "é", "0", None, ""], encoding=encoding, report=False)
        assert "report" not in batch.schema.names
        codes = [row["error"] and row["error"]["code"] for row in batch.to_pylist()]
        assert codes == [None, f"bad_{encoding}", f"bad_{encoding}", "no_wire", "truncated"]


def test_base64_may_have_line_breaks() -> None:
    """MIME writes lines of 76 characters."""
    wire = encode(Publish(topic_name="t", payload=bytes(100)))
    (batch,) = convert_batches([base64.encodebytes(wire).decode(), "MAYA AXQAaGk="], encoding="base64")
    first, second = batch.to_pylist()
    assert first["converted"] == encode(convert(wire, "amqp-1.0", source="mqtt-5.0").message)
    assert second["error"]["code"] == "bad_base64"


# ---- on Spark -----------------------------------------------------------------------------------------------------------


# ---- columns of structs -------------------------------------------------------------------------------------------------


def test_further_messages_keep_a_struct_without_its_wire() -> None:
    """Of the fields of a struct, the wire alone is null in the rows of further messages; a struct that is null stays null."""
    structs: list[dict[str, Any] | None] = [{"n": 1, "in": {"wire": PUBLISH * 2, "m": "a"}}, None, {"n": 3, "in": None}]
    type_ = pa.struct({"n": pa.int32(), "in": pa.struct({"wire": pa.binary(), "m": pa.string()})})
    batch = pa.RecordBatch.from_arrays([pa.array(structs, type_), pa.array(["x", "y", "z"])], names=["s", "other"])
    rows = Rows(ValueConverter(Choices(), report=False), "mqtt-5.0", "amqp-1.0", "s.in.wire", "binary", 2**20)
    made = [row for part in rows.batches([batch]) for row in part.to_pylist()]
    assert [row["s"] for row in made] == [structs[0], {"n": 1, "in": {"wire": None, "m": "a"}}, None, structs[2]]
    assert [row["other"] for row in made] == ["x", "x", "y", "z"]
    assert [row["error"] and row["error"]["code"] for row in made] == [None, None, "no_wire", "no_wire"]


@given(st.lists(st.text("ab.` ", min_size=1), min_size=1, max_size=3))
def test_quoted_names_lead_to_their_column(names: list[str]) -> None:
    """Quoted as Spark quotes names, any names lead to a field of a struct."""
    quoted = ".".join("`" + name.replace("`", "``") + "`" for name in names)
    assert column_path([], quoted) == names


# ---- counts -------------------------------------------------------------------------------------------------------------

COUNTS = st.dictionaries(
    st.one_of(
        st.tuples(st.just("errors"), st.sampled_from(["truncated", "no_wire"])),
        st.tuples(st.just("dropped"), st.sampled_from(["retain", None]), st.none() | st.text(max_size=3), st.integers(1, 2)),
    ),
    st.integers(1, 9),
)


@given(st.lists(COUNTS, max_size=4))
def test_counts_of_partitions_add_up(partitions: list[dict[tuple[Any, ...], int]]) -> None:
    texts = [tally_text(Counter(counts)) for counts in partitions]
    total: Counter[tuple[Any, ...]] = sum((Counter(counts) for counts in partitions), Counter())
    assert tallied_counts(texts) == total
    told = tallied(texts)
    assert {(entry["code"],): entry["count"] for entry in told["errors"]} == {
        key[1:]: count for key, count in total.items() if key[0] == "errors"
    }
    counts = [entry["count"] for entry in told["dropped"]]
    assert counts == sorted(counts, reverse=True)

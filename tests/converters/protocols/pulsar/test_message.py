"""Message ids and compressions in Pulsar's messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS
from mqconvert.converters.protocols.pulsar.message import parse_message_id

TYPES = PROTOCOLS["pulsar"].named
INDEX = st.integers(-(2**31), 2**31 - 1)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**64 - 1), INDEX, INDEX)
def test_message_ids_have_four_numbers(ledger: int, entry: int, partition: int, index: int) -> None:
    assert parse_message_id(f"{ledger}:{entry}:{partition}:{index}") == (ledger, entry, partition, index)


@pytest.mark.parametrize(
    "text",
    ["", "1:2:3", "1:2:3:4:5", "1:2:3:4\n", " 1:2:3:4", "01:2:3:4", "1:2:-0:4", "-1:2:3:4", "1:2:-:4", "+1:2:3:4",
     "\u0661:2:3:4", f"{2**64}:0:0:0", f"0:{2**64}:0:0", f"0:0:{2**31}:0", f"0:0:0:{-(2**31) - 1}"],
)  # fmt: skip
def test_other_text_is_no_message_id(text: str) -> None:
    assert parse_message_id(text) is None


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [("compression", ["LZ4", "ZLIB", "ZSTD", "SNAPPY"], ["lz4", "GZIP", "", 1]), ("position", ["1:2:-1:-1"], ["1", 5, None])],
)
def test_types_of_pulsar_refuse_other_text(name: str, good: list[object], bad: list[object]) -> None:
    assert [TYPES[name].fault(value) for value in good] == [None] * len(good)
    assert all(TYPES[name].fault(value) for value in bad)

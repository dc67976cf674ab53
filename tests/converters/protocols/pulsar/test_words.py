"""Words of Pulsar's tables: message ids, sequence ids of batch members."""

from typing import Any

import pytest

from mqconvert.converters.protocols.pulsar.words import member_number, position
from mqconvert.converters.words import NOT_MINE, Loss


@pytest.mark.parametrize("text", ["1:2:-1:-1", "18446744073709551615:0:2147483647:-2147483648"])
def test_a_message_id_stays(text: str) -> None:
    assert position(text) == text


@pytest.mark.parametrize(
    "text", ["1:2:-1", "01:2:-1:-1", "1:2:-1:-1 ", "18446744073709551616:0:0:0", "1:2:2147483648:0", "-1:2:0:0", ""]
)
def test_other_text_is_no_message_id(text: str) -> None:
    assert position(text) == Loss("not a message id of Pulsar")


@pytest.mark.parametrize(
    ("value", "own", "index", "answer"),
    [(7, None, 0, 7), (7, None, 2, 9), (7, 5, 2, NOT_MINE), (7, None, None, NOT_MINE), (2**64 - 1, None, 1, NOT_MINE)],
)
def test_a_member_without_a_sequence_id_counts_from_that_of_its_batch(value: int, own: Any, index: Any, answer: Any) -> None:
    assert member_number(value, own, index) == answer

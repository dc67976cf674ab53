"""Words of Pulsar's tables: sequence ids of batch members."""

from typing import Any

import pytest

from mqconvert.converters.protocols.pulsar.words import member_number
from mqconvert.converters.words import NOT_MINE


@pytest.mark.parametrize(
    ("value", "own", "index", "answer"),
    [(7, None, 0, 7), (7, None, 2, 9), (7, 5, 2, NOT_MINE), (7, None, None, NOT_MINE), (2**64 - 1, None, 1, NOT_MINE)],
)
def test_a_member_without_a_sequence_id_counts_from_that_of_its_batch(value: int, own: Any, index: Any, answer: Any) -> None:
    assert member_number(value, own, index) == answer

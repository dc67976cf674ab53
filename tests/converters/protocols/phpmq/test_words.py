"""Words of PHPMQ's tables."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert.converters.protocols.phpmq.words import ttl_to_seconds
from mqconvert.converters.words import Partial, kept


@pytest.mark.parametrize(
    ("milliseconds", "answer"),
    [
        (0, Partial(1, "expires at once")),
        (1, Partial(1, "not whole seconds")),
        (999, Partial(1, "not whole seconds")),
        (1000, 1),
        (1001, Partial(2, "not whole seconds")),
        (2**32 - 1, Partial(4_294_968, "not whole seconds")),
    ],
)
def test_a_ttl_is_rounded_up_to_whole_seconds(milliseconds: int, answer: Any) -> None:
    assert ttl_to_seconds(milliseconds) == answer


@given(st.integers(0, 2**32 - 1))
def test_a_message_never_expires_early_nor_a_second_late(milliseconds: int) -> None:
    seconds = kept(ttl_to_seconds(milliseconds))
    assert seconds >= 1
    assert 0 <= seconds * 1000 - milliseconds <= (1000 if not milliseconds else 999)

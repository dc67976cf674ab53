"""The types of PHPMQ's messages."""

from typing import Any

import pytest

from mqconvert.converters.protocols.phpmq.message import message_type_fault


@pytest.mark.parametrize("value", [1, 3])
def test_messages_are_sent_or_dispatched(value: int) -> None:
    assert message_type_fault(value) is None


@pytest.mark.parametrize("value", [0, 2, 4, True, 1.0, "1", None])
def test_other_values_are_no_type_of_a_message(value: Any) -> None:
    assert message_type_fault(value) == "neither 1 (send) nor 3 (dispatch)"

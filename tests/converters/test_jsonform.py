"""The JSON form: what is written is read back equal, and any JSON is answered."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, message_from_json, message_to_json
from tests.strategies import MESSAGES

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_round_trip(protocol: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[protocol])
    written = json.dumps(message_to_json(message), allow_nan=False)
    assert message_from_json(json.loads(written)) == message


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data(), other=JSON)
def test_any_json_is_answered(protocol: str, data: st.DataObject, other: Any) -> None:
    written: dict[str, Any] = message_to_json(data.draw(MESSAGES[protocol]))
    written[data.draw(st.sampled_from(sorted(written)))] = other
    try:
        message_from_json(written)
    except DecodeError:
        return

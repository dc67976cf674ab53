"""Recognition: a list of the protocols whose codec reads all of the bytes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, MqConvertError, decode_all, encode
from mqconvert.converters.protocols.recognition import recognize
from tests.strategies import MESSAGES


def _reads(protocol: str, wire: bytes) -> bool:
    try:
        return bool(decode_all(protocol, wire))
    except MqConvertError:
        return False


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_messages_are_recognized_as_their_protocol(protocol: str, data: st.DataObject) -> None:
    assert protocol in recognize(encode(data.draw(MESSAGES[protocol])))


@given(wire=st.binary(max_size=40))
def test_the_answer_names_exactly_the_codecs_that_read_the_bytes(wire: bytes) -> None:
    assert recognize(wire) == [name for name in PROTOCOLS if _reads(name, wire)]


def test_a_limit_counts_for_the_codecs_that_have_it() -> None:
    wire = bytes.fromhex("4d50554220740a 00000010 00000002 00000002 6869 00000002 6f6b")  # an MPUB of two messages
    assert recognize(wire) == recognize(wire, {"max_batch": 2}) == ["nsq"]
    assert recognize(wire, {"max_batch": 1}) == []
    assert recognize(bytes.fromhex("3006000174006869"), {"max_batch": 1}) == ["mqtt-5.0", "mqtt-3.1.1"]

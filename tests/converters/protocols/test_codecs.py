"""Every codec reads its own output back, and decodes any bytes or raises a DecodeError.

The file of each codec has the tests of its forms of values and its refusals.
"""

import math
import sys
from contextlib import nullcontext, suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, EncodeError, convert, decode, decode_all, encode, messages
from mqconvert.converters.model import bodies, values
from mqconvert.converters.model.fields import names
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.strategies import DRAWN, MESSAGES

STRICT_SENDERS = {"rocketmq"}
"""Protocols whose clients may send names and sizes that brokers do not store."""


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_messages_round_trip(protocol: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[protocol])
    assert repr(decode(protocol, encode(message))) == repr(message)  # compare the repr, since NaN differs from NaN


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_mutated_bytes_are_read_or_refused(protocol: str, data: st.DataObject) -> None:
    wire = bytearray(encode(data.draw(DRAWN[protocol])))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    _answered(protocol, bytes(wire))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(wire=st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(protocol: str, wire: bytes) -> None:
    _answered(protocol, wire)


def _answered(protocol: str, wire: bytes) -> None:
    try:
        messages = decode_all(protocol, wire)
    except DecodeError:
        return
    for message in messages:
        with suppress(EncodeError) if protocol in STRICT_SENDERS else nullcontext():
            written = encode(message)
            if protocol in ONE_FORM:
                _written_as_it_was_read(protocol, message, written)


ONE_FORM = ("amqp-1.0", "amqp-0.9.1", "mqtt-5.0", "mqtt-3.1.1")
"""Protocols with one written form for each message, to which the encoder adds nothing: no compression, checksums or times."""


def _written_as_it_was_read(protocol: str, message: Any, written: bytes) -> None:
    """Assert that accepted bytes are encoded, decoded to the same message, and encoded to the same bytes again.

    Compared by their repr: NaN does not equal itself, and True equals 1.
    """
    again = decode(protocol, written)
    assert repr(again) == repr(message)
    assert encode(again) == written


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_truncated_messages_are_refused(protocol: str, data: st.DataObject) -> None:
    wire = encode(data.draw(DRAWN[protocol]))
    cut = wire[: data.draw(st.integers(0, len(wire) - 1))]
    if protocol == "amqp-1.0":
        _answered(protocol, cut)  # sections do not delimit a message: a prefix may be valid
        return
    with pytest.raises(DecodeError):
        decode(protocol, cut)


@pytest.mark.parametrize("kind", [bytearray, memoryview])
def test_decode_accepts_bytearray_and_memoryview(kind: Any) -> None:
    wire = encode(amqp10.Message(body=amqp10.Data([b"hi"])))
    assert decode("amqp-1.0", kind(wire)) == decode_all("amqp-1.0", kind(wire))[0] == decode("amqp-1.0", wire)
    assert convert(kind(wire), "amqp-0.9.1", source="amqp-1.0").message.payload == b"hi"


_NAMES = {**vars(messages), **vars(bodies), **vars(values), "inf": math.inf, "nan": math.nan, "UUID": UUID}


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_the_text_of_a_message_is_python_that_makes_it(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    made = eval(repr(message), {**vars(sys.modules[message.__class__.__module__]), **_NAMES})
    assert made.__class__ is message.__class__
    assert repr(made) == repr(message)
    assert [repr(getattr(made, name)) for name in names(made)] == [repr(getattr(message, name)) for name in names(message)]

"""Floats, including a signalling NaN, keep their bits through every codec with floats and through JSON."""

import json
import struct

import proton
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mqconvert import DecodeError, decode, encode
from mqconvert.clients import to_proton
from mqconvert.converters.json import message_from_json, message_to_json
from mqconvert.converters.model.values import TypedValue, float_of_single, single_of_float
from mqconvert.converters.protocols.amqp10.message import AmqpValue, Message

SINGLES = st.integers(0, 2**32 - 1)
DOUBLES = st.integers(0, 2**64 - 1)
SIGNALLING, QUIET = 0x7F80_0001, 0x7FC0_0000
NANS = [SIGNALLING, QUIET, 0xFF80_0001, 0xFFC0_0000, 0x7FA0_0000, 0x7FFF_FFFF]


def frames(single: bytes, double: bytes) -> dict[str, bytes]:
    """Yield messages with a float in each possible place, as (protocol, wire)."""
    return {
        "value": b"\x00\x53\x77\x72" + single,
        "array": b"\x00\x53\x77\xe0\x0a\x02\x72" + 2 * single,
        "list": b"\x00\x53\x77\xc0\x06\x01\x72" + single,
        "annotation": b"\x00\x53\x72\xc1\x0a\x02\xa3\x02x-\x72" + single,
        "property": b"\x00\x53\x74\xc1\x09\x02\xa1\x01k\x72" + single,
        "double": b"\x00\x53\x77\x82" + double,
        "doubles": b"\x00\x53\x77\xe0\x0a\x01\x82" + double,
    }


def through_json(protocol: str, wire: bytes) -> bytes:
    form = message_to_json(decode(protocol, wire))
    return encode(message_from_json(json.loads(json.dumps(form, allow_nan=False))))


@given(SINGLES, DOUBLES)
@example(SIGNALLING, 0x7FF0_0000_0000_0001)
@example(QUIET, 0x7FF8_0000_0000_0000)
@example(0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF)
def test_amqp10_keeps_every_bit_of_a_float(single: int, double: int) -> None:
    for wire in frames(single.to_bytes(4), double.to_bytes(8)).values():
        assert encode(decode("amqp-1.0", wire)) == wire
        assert through_json("amqp-1.0", wire) == wire


@given(st.floats(allow_nan=False, allow_infinity=False))
@example(0.1)
@example(3.4028235677973362e38)  # the last double that rounds down to the largest float
@example(3.4028235677973366e38)
@example(1e-46)
def test_a_float_of_json_is_the_float_that_its_bytes_hold(number: float) -> None:
    form = {"protocol": "amqp-1.0", "body": {"value": {"type": "float", "value": number}}}
    try:
        raw = struct.pack(">f", number)
    except OverflowError:
        with pytest.raises(DecodeError, match=r"beyond a float; infinities and NaN are text") as refused:
            message_from_json(form)
        assert (refused.value.code, refused.value.field) == ("bad_value", "body")
        return
    message = message_from_json(form)
    assert message == Message(body=AmqpValue(TypedValue("float", struct.unpack(">f", raw)[0])))
    assert decode("amqp-1.0", encode(message)) == message


@given(SINGLES)
@example(SIGNALLING)
def test_amqp091_keeps_every_bit_of_a_float(single: int) -> None:
    table = b"\x01kf" + single.to_bytes(4) + b"\x01aA\x00\x00\x00\x05f" + single.to_bytes(4)
    properties = b"\x20\x00" + len(table).to_bytes(4) + table
    header = b"\x00\x3c\x00\x00" + bytes(8) + properties
    wire = b"\x02\x00\x01" + len(header).to_bytes(4) + header + b"\xce"
    assert encode(decode("amqp-0.9.1", wire)) == wire
    assert through_json("amqp-0.9.1", wire) == wire


@pytest.mark.parametrize("bits", NANS, ids=hex)
def test_json_writes_the_bits_of_any_nan_but_the_default_one(bits: int) -> None:
    form = message_to_json(Message(body=AmqpValue(TypedValue("float", float_of_single(bits.to_bytes(4))))))
    plain = {"type": "float", "value": "NaN"} if bits == QUIET else {"type": "float", "bits": f"{bits:08x}"}
    assert form["body"]["value"] == plain


WRONG = [
    {"type": "float", "bits": "3fc00000"}, {"type": "float", "bits": "7f80000"}, {"type": "float", "bits": 5},
    {"type": "float", "bits": "7f8000 1"}, {"type": "double", "bits": "7f800001"},
    {"type": "float", "bits": "7f800001", "value": "NaN"},
]  # fmt: skip


@pytest.mark.parametrize("value", WRONG, ids=str)
def test_json_accepts_only_the_bits_of_a_nan(value: dict[str, object]) -> None:
    with pytest.raises(DecodeError) as refused:
        message_from_json({"protocol": "amqp-1.0", "body": {"value": value}})
    assert refused.value.field == "body"


def test_a_nan_whose_payload_needs_64_bits_becomes_the_default_nan() -> None:
    low: float = decode("amqp-1.0", bytes.fromhex("005377827ff0000000000001")).body.value.value  # type: ignore[union-attr]
    assert single_of_float(low).hex() == "7fc00000"


def test_proton_does_not_send_a_signalling_nan() -> None:
    """Proton would turn it into a quiet NaN."""
    message = Message(body=AmqpValue(TypedValue("list", [TypedValue("float", float_of_single(bytes.fromhex("7f800001")))])))
    made, losses = to_proton(message)
    assert isinstance(made, proton.Message)
    assert [loss.reason for loss in losses] == ["proton makes a signalling NaN a quiet one"]

"""The bounds of integer types, by the widths that the specifications give, and the refusal of numbers beyond them."""

from typing import Any

import pytest

from mqconvert import PROTOCOLS, DecodeError, EncodeError, Entry, decode, encode, message_from_json
from mqconvert.messages import amqp091, amqp10

WIDTHS = {
    "amqp-1.0": {
        "ubyte": "u8", "ushort": "u16", "uint": "u32", "ulong": "u64", "byte": "i8", "short": "i16", "int": "i32",
        "long": "i64", "timestamp": "i64",
    },
    "amqp-0.9.1": {
        "byte": "i8", "unsignedbyte": "u8", "short": "i16", "unsignedshort": "u16", "signedint": "i32", "unsignedint": "u32",
        "long": "i64", "timestamp": "u64", "octet": "u8",
    },
    "mqtt-5.0": {"bit": "u1", "byte": "u8", "ushort": "u16", "uint": "u32", "varint": "u28"},
    "nsq": {"long": "i64", "ushort": "u16", "uint": "u32", "number": "u63", "defer": "i64"},
    "phpmq": {"number": "i64"},
    "pulsar": {"int": "i32", "uint": "u32", "long": "i64", "ulong": "u64"},
    "rocketmq": {"int": "i32", "uint": "u32", "long": "i64", "timestamp": "i64"},
}  # fmt: skip
"""u for unsigned, i for signed, and the bits: AMQP 1.0 section 1.6, AMQP 0.9.1 section 4.2.1 with RabbitMQ's errata, MQTT 5.0
section 1.5, the tables of NSQ's and PHPMQ's commands, protobuf's scalar types, and RocketMQ's Java fields."""
OTHERS = {"amqp-1.0": {"char": (0, 0x10FFFF)}, "mqtt-5.0": {"bits": (0, 2)}}
"""Types that do not use all their bits."""


def _bounds(width: str) -> tuple[int, int]:
    bits = int(width[1:])
    return (0, 2**bits - 1) if width[0] == "u" else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)


@pytest.mark.parametrize("name", WIDTHS)
def test_integers_have_the_bounds_of_their_specification(name: str) -> None:
    found = {type_.name: type_.bounds for type_ in PROTOCOLS[name].types.values() if getattr(type_, "bounds", None)}
    assert found == {kind: _bounds(width) for kind, width in WIDTHS[name].items()} | OTHERS.get(name, {})


def _message(protocol: str, kind: str, value: int) -> Any:
    if protocol == "amqp-1.0":
        return amqp10.Message(application_properties=[Entry("k", kind, value)], body=amqp10.Data([b""]))
    return amqp091.Message(basic=amqp091.BasicProperties(headers=[Entry("k", kind, value)]))


@pytest.mark.parametrize(
    ("protocol", "kind"),
    [
        (name, kind)
        for name in ("amqp-1.0", "amqp-0.9.1")
        for kind in {**WIDTHS[name], **OTHERS.get(name, {})}
        if kind != "octet"
    ],
)
def test_bytes_and_json_hold_a_number_up_to_its_bounds(protocol: str, kind: str) -> None:
    low, high = OTHERS.get(protocol, {}).get(kind) or _bounds(WIDTHS[protocol][kind])
    for value in (low, high):
        message = _message(protocol, kind, value)
        assert decode(protocol, encode(message)) == message
    for value in (low - 1, high + 1):
        with pytest.raises(EncodeError):
            encode(_message(protocol, kind, value))
        typed = [["k", {"type": kind, "value": str(value)}]]
        place = {"application_properties": typed} if protocol == "amqp-1.0" else {"basic": {"headers": typed}}
        with pytest.raises(DecodeError) as refused:
            message_from_json({"protocol": protocol, **place})
        assert refused.value.code == "bad_value"

"""Values of plain types: bounds and faults by the specifications."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, Array, Decimal091, Described, TypedValue
from mqconvert.converters.model.plain import shortstr_fault, text_of, unicode_fault
from mqconvert.converters.model.wiretypes import WireTypes
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES

BITS = {
    "amqp-1.0": {
        "ubyte": (0, 8), "ushort": (0, 16), "uint": (0, 32), "ulong": (0, 64), "byte": (1, 8), "short": (1, 16), "int": (1, 32),
        "long": (1, 64), "timestamp": (1, 64),
    },
    "amqp-0.9.1": {
        "byte": (1, 8), "unsignedbyte": (0, 8), "short": (1, 16), "unsignedshort": (0, 16), "signedint": (1, 32),
        "unsignedint": (0, 32), "long": (1, 64), "timestamp": (0, 64), "octet": (0, 8),
    },
    "mqtt-5.0": {"bit": (0, 1), "byte": (0, 8), "ushort": (0, 16), "uint": (0, 32), "varint": (0, 28)},
    "nsq": {"long": (1, 64), "ushort": (0, 16), "uint": (0, 32), "number": (0, 63)},
    "phpmq": {"number": (1, 64)},
    "rocketmq": {"int": (1, 32), "uint": (0, 32), "long": (1, 64), "timestamp": (1, 64)},
    "pulsar": {"int": (1, 32), "uint": (0, 32), "long": (1, 64), "ulong": (0, 64)},
}  # fmt: skip
"""Sign and number of bits, by the specifications."""


@pytest.mark.parametrize(("protocol", "name"), [(protocol, name) for protocol, names in BITS.items() for name in names])
def test_bounds_are_those_of_the_specification(protocol: str, name: str) -> None:
    signed, bits = BITS[protocol][name]
    low, high = (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1) if signed else (0, 2**bits - 1)
    wire = PROTOCOLS[protocol].types[name]
    assert wire.bounds == (low, high)
    assert (wire.fault(low), wire.fault(high)) == (None, None)
    assert wire.fault(low - 1) == wire.fault(high + 1) == f"not between {low} and {high}"


@pytest.mark.parametrize("types", [AMQP10_TYPES, AMQP091_TYPES, MQTT_TYPES])
def test_booleans_are_refused_as_numbers(types: WireTypes) -> None:
    assert all(wire.fault(True) for wire in types.values() if wire.bounds is not None)


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        ("string", ["", "é", "a\0b", "a" * 70000], {"\ud800": "not valid UTF-8", b"a": "not text"}),
        ("symbol", ["", "a\0"], {"é": "not ASCII", 1: "not text"}),
        ("binary", [b"", b"\xff"], {"a": "not bytes"}),
        ("uuid", [bytes(16)], {bytes(15): "not 16 bytes", "a" * 16: "not 16 bytes"}),
        ("char", [0, 0x10FFFF], {0x110000: "not between 0 and 1114111"}),
        ("float", [1.0, float("nan")], {1: "not a number"}),
        ("null", [None], {0: "not null"}),
        ("array", [Array("uint", [])], {(): "not an array"}),
        ("described", [Described(TypedValue("null", None), TypedValue("null", None))], {(): "not a described value"}),
    ],
)
def test_amqp10_types_report_faults_of_invalid_values(name: str, good: list[Any], bad: dict[Any, str]) -> None:
    assert [AMQP10_TYPES[name].fault(value) for value in good] == [None] * len(good)
    assert {value: AMQP10_TYPES[name].fault(value) for value in bad} == bad


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "shortstr",
            ["", "a" * 255, "é" * 127],
            {"a" * 256: "longer than 255 bytes", "é" * 128: "longer than 255 bytes", "a\0": "contains NUL"},
        ),
        ("longstr", [b"", b"\0\xff"], {"a": "not bytes"}),
        (
            "decimal",
            [Decimal091(255, 2**31 - 1), Decimal091(0, -(2**31))],
            {
                Decimal091(256, 0): "out of range",
                Decimal091(0, -(2**31) - 1): "out of range",
                Decimal091(0, 2**31): "out of range",
                1: "not a decimal",
            },
        ),
        ("void", [None], {False: "not void"}),
    ],
)
def test_amqp091_types_report_faults_of_invalid_values(name: str, good: list[Any], bad: dict[Any, str]) -> None:
    assert [AMQP091_TYPES[name].fault(value) for value in good] == [None] * len(good)
    assert {value: AMQP091_TYPES[name].fault(value) for value in bad} == bad


@pytest.mark.parametrize(
    ("name", "good", "bad"),
    [
        (
            "utf8",
            ["", "a" * 65535],
            {"a" * 65536: "longer than 65535 bytes", "é" * 32768: "longer than 65535 bytes", "\0": "contains NUL"},
        ),
        (
            "topic",
            ["a", "/", "$SYS/a"],
            {"": "empty topic", "a/#": "contains a wildcard", "+": "contains a wildcard", "\ud800": "not valid UTF-8"},
        ),
        ("binary", [b"", bytes(65535)], {bytes(65536): "longer than 65535 bytes", "a": "not bytes"}),
        ("bit", [0, 1], {2: "not between 0 and 1"}),
        ("bits", [0, 2], {3: "not between 0 and 2"}),  # both QoS bits set is malformed [MQTT-3.3.1-4]
    ],
)
def test_mqtt_types_report_faults_of_invalid_values(name: str, good: list[Any], bad: dict[Any, str]) -> None:
    assert [MQTT_TYPES[name].fault(value) for value in good] == [None] * len(good)
    assert {value: MQTT_TYPES[name].fault(value) for value in bad} == bad


SURROGATES = st.text(st.characters(exclude_categories=()) | st.sampled_from("a\u00e9\u20ac\U0001f600\udcff"), max_size=300)


@given(st.binary() | SURROGATES.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_text_of_bytes_is_what_python_decodes(raw: bytes) -> None:
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = None
    assert text_of(raw) == text


@given(SURROGATES)
def test_text_fits_if_python_encodes_it(text: str) -> None:
    try:
        size = len(text.encode())
    except UnicodeEncodeError:
        assert unicode_fault(text) == shortstr_fault(text) == "not valid UTF-8"
    else:
        assert unicode_fault(text) is None
        assert (shortstr_fault(text) is None) is (size <= 255 and "\0" not in text)

"""From bytes to bytes: `transcode` answers as decode, convert and encode do, whichever function made the bytes."""

import pickle
import random
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import ldexp
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    ArgumentError,
    DecodeError,
    EncodeError,
    Entry,
    Environment,
    InternalError,
    LossError,
    LossPolicy,
    MqConvertError,
    NoRouteError,
    Report,
    RuleTable,
    Transcoded,
    convert,
    decode,
    encode,
    rule_tables,
    transcode,
)
from mqconvert.converters.choices import profiles
from mqconvert.converters.model.values import MAX_DEPTH
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5.codec import varint
from mqconvert.converters.shipped import fused_function
from mqconvert.converters.transcoding import Transcoder
from tests.converters.protocols.test_decoded_bytes import seeds
from tests.corpus import PAIRS, lines, read
from tests.fuzz import mutated

ENVIRONMENT = Environment(address="a/b")
FUSED: dict[str, tuple[str, RuleTable]] = {}
"""The tables with a function from bytes to bytes, by a name, each with the first profile that has it."""
for _profile in profiles():
    for _table in rule_tables(_profile):
        if fused_function(_table) is not None and all(_table.digest != table.digest for _, table in FUSED.values()):
            FUSED[f"{_table.name} {_profile}"] = _profile, _table
TRIANGLE = ("amqp-0.9.1", "amqp-1.0", "mqtt-5.0")
PUBLISH = bytes.fromhex("3006000174006869")


def by_objects(source: str, target: str, wire: bytes, **choices: Any) -> bytes | str:
    """Return the bytes that objects come to, or the error."""
    made = _reported(source, target, wire, **choices)
    return made if isinstance(made, str) else made[0]


def _reported(source: str, target: str, wire: bytes, **choices: Any) -> tuple[bytes, Report] | str:
    """Return the bytes that objects come to and the report, or the error."""
    try:
        converted = convert(decode(source, wire), target, environment=ENVIRONMENT, **choices)
        return encode(converted.message), converted.report
    except MqConvertError as error:
        return repr(error.as_dict())


def by_bytes(source: str, target: str, wire: bytes, **choices: Any) -> bytes | str:
    try:
        return transcode(wire, target, source=source, environment=ENVIRONMENT, **choices).wire
    except MqConvertError as error:
        return repr(error.as_dict())


@cache
def wires(source: str) -> list[bytes]:
    """Return the messages of the corpus in a protocol."""
    found = (case for pair in PAIRS for case in lines(pair) if case["source"] == source)
    made = []
    for case in found:
        try:
            made.append(encode(read(source, case["input"])))
        except DecodeError:  # ill-formed on purpose
            made.append(bytes.fromhex(case["input"]["wire"]))
    return list(dict.fromkeys(made))


def test_the_six_directions_have_a_function_of_their_own_in_every_profile() -> None:
    for profile in profiles():
        found = {table.name for table in rule_tables(profile) if fused_function(table) is not None}
        assert found == {f"{a} -> {b}" for a in TRIANGLE for b in TRIANGLE if a != b}


@pytest.mark.parametrize("target", ["amqp-1.0", "mqtt-5.0"])
@pytest.mark.parametrize("again", [0, 20, 39])
def test_the_first_of_equal_keys_counts_however_many_keys_there_are(target: str, again: int) -> None:
    keys = [f"{'x-' * (number % 2)}key {number}" for number in range(40)]
    headers = [Entry(key, "longstr", key.encode()) for key in keys] + [Entry(keys[again], "signedint", 1)]
    wire = encode(amqp091.Message(basic=amqp091.BasicProperties(headers=headers)))
    assert by_bytes("amqp-0.9.1", target, wire) == by_objects("amqp-0.9.1", target, wire)


def _deep_annotation(levels: int) -> bytes:
    """Return a message of AMQP 1.0 with an annotation of lists inside lists."""
    value = b"\x54\x01"
    for _ in range(levels):
        value = b"\xd0" + (len(value) + 4).to_bytes(4) + (1).to_bytes(4) + value
    content = b"\xa3\x06x-deep" + value
    section = b"\x00\x53\x72\xd1" + (len(content) + 4).to_bytes(4) + (2).to_bytes(4) + content
    return section + bytes.fromhex("005375a000")


def _deep_header(levels: int) -> bytes:
    """Return a content of AMQP 0.9.1 with a header of arrays inside arrays."""
    value = b"b\x01"
    for _ in range(levels):
        value = b"A" + len(value).to_bytes(4) + value
    table = b"\x06x-deep" + value
    frame = bytes.fromhex("003c0000 0000000000000000 2000") + len(table).to_bytes(4) + table
    return b"\x02\x00\x01" + len(frame).to_bytes(4) + frame + b"\xce"


@pytest.mark.parametrize("target", TRIANGLE)
@pytest.mark.parametrize(("source", "made"), [("amqp-1.0", _deep_annotation), ("amqp-0.9.1", _deep_header)])
def test_values_nest_as_deep_as_in_a_message(source: str, target: str, made: Callable[[int], bytes]) -> None:
    """The map around them counts as a level, although its entries are read and written one by one."""
    found = [by_bytes(source, target, made(levels)) for levels in range(MAX_DEPTH - 3, MAX_DEPTH + 3)]
    assert found == [by_objects(source, target, made(levels)) for levels in range(MAX_DEPTH - 3, MAX_DEPTH + 3)]
    assert isinstance(found[0], bytes)
    assert "nesting" in str(found[-1])


@pytest.mark.parametrize(("profile", "table"), FUSED.values(), ids=list(FUSED))
def test_messages_of_the_corpus_come_to_the_same_bytes_and_report(profile: str, table: RuleTable) -> None:
    """The function takes them all, and knows of those that lose nothing: another path for some kind would be seen here."""
    function = fused_function(table)
    assert function is not None
    counted: Counter[str] = Counter()
    choices: Any = {"source": table.source, "profile": profile, "environment": ENVIRONMENT}
    for wire in wires(table.source):
        wanted = _reported(table.source, table.target, wire, profile=profile)
        if isinstance(wanted, str):
            assert by_bytes(table.source, table.target, wire, profile=profile) == wanted
            counted["refused"] += 1
            continue
        made, (bytes_, report) = function(wire, ENVIRONMENT), wanted
        assert made is not None
        assert made[0] == bytes_, wire.hex()
        assert report.complete() or not made[1], wire.hex()
        counted["taken"] += 1
        counted["complete"] += report.complete()
        counted["known"] += made[1]
        if counted["taken"] % 20 == 0:
            assert transcode(wire, table.target, **choices).report.as_dict() == report.as_dict()
    assert counted["taken"] > 600, counted
    sections = table.name == "amqp-0.9.1 -> amqp-1.0"  # in headers: of those messages the function does not know it
    assert counted["complete"] >= counted["known"] >= (0.9 if sections else 1) * counted["complete"] > 200, counted


def _mutations(source: str, count: int) -> list[bytes]:
    draw = random.Random(source)
    known = seeds(source) + wires(source)
    return [mutated(draw, draw.choice(known), known) for _ in range(count)]


@pytest.mark.parametrize("source", TRIANGLE)
def test_mutated_bytes_come_to_the_same_bytes_or_error(source: str, request: pytest.FixtureRequest) -> None:
    """Whatever the codec refuses, the function refuses, also in fields that no row takes."""
    tables = [each for each in FUSED.values() if each[1].source == source]
    for at, wire in enumerate(_mutations(source, 100_000 if request.config.getoption("--deep") else 3_000)):
        profile, table = tables[at % len(tables)]
        wanted = by_objects(source, table.target, wire, profile=profile)
        assert by_bytes(source, table.target, wire, profile=profile) == wanted, (table.name, profile, wire.hex())


APART = b"\x03\x00\x01c"
"""A content type."""


@pytest.mark.parametrize("target", ["amqp-1.0", "amqp-0.9.1"])
@pytest.mark.parametrize(("between", "taken"), [(b"", True), (APART, False)])
def test_user_properties_side_by_side_are_read_in_place_and_others_by_objects(target: str, between: bytes, taken: bool) -> None:
    first, second = (b"\x26\x00\x01" + key + b"\x00\x01v" for key in (b"k", b"j"))
    properties = first + between + second
    wire = b"\x30" + bytes((4 + len(properties), 0, 1)) + b"t" + bytes((len(properties),)) + properties
    assert (Transcoder("mqtt-5.0", target).wire(wire, ENVIRONMENT) is not None) is taken
    assert transcode(wire, target, source="mqtt-5.0").wire == by_objects("mqtt-5.0", target, wire)


_OCTETS = (
    st.binary(max_size=40) | st.text(max_size=300).map(str.encode) | st.sampled_from([b"a\0", b"\xed\xa0\x80", b"12345678\xc3"])
)


@pytest.mark.parametrize("target", ["amqp-0.9.1", "amqp-1.0"])
@given(key=_OCTETS, value=_OCTETS)
def test_texts_of_user_properties_are_copied_if_they_are_texts(target: str, key: bytes, value: bytes) -> None:
    pair = b"\x26" + len(key).to_bytes(2) + key + len(value).to_bytes(2) + value
    rest = PUBLISH[2:5] + varint(len(pair)) + pair + b"hi"
    wire = b"\x30" + varint(len(rest)) + rest
    assert by_bytes("mqtt-5.0", target, wire) == by_objects("mqtt-5.0", target, wire)


@given(
    value=st.floats(allow_nan=False, allow_infinity=False)
    | st.builds(ldexp, st.integers(-(2**53), 2**53), st.integers(-80, 80))
)
def test_doubles_have_the_digits_that_python_gives_them(value: float) -> None:
    headers = [Entry("d", "double", value)]
    wire = encode(amqp091.Message(basic=amqp091.BasicProperties(headers=headers)))
    made: Any = decode("mqtt-5.0", transcode(wire, "mqtt-5.0", source="amqp-0.9.1", environment=ENVIRONMENT).wire)
    assert made.user_properties == [("d", f"{value:.20e}")]


def test_every_other_route_goes_by_objects() -> None:
    wire = transcode(PUBLISH, "nsq", source="mqtt-5.0").wire
    assert wire == encode(convert(PUBLISH, "nsq", source="mqtt-5.0").message)
    assert transcode(wire, "nsq", source="nsq").wire == wire
    assert transcode(PUBLISH, "mqtt-3.1.1", source="mqtt-5.0").report.lossless()


def test_overlays_change_the_bytes(tmp_path: Any) -> None:
    rules = tmp_path / "mine.toml"
    row = '{ before = "content-type", id = "t", from = "@constant", set = { "basic.type" = "t" } }'
    rules.write_text(f'["mqtt-5.0 -> amqp-0.9.1"]\nrules = [{row}]\n')
    done = transcode(PUBLISH, "amqp-0.9.1", source="mqtt-5.0", rules=[str(rules)])
    made: Any = decode("amqp-0.9.1", done.wire)
    assert made.basic.type == "t"


def test_a_policy_for_losses_is_that_of_convert() -> None:
    for policy in LossPolicy:
        assert transcode(PUBLISH, "amqp-1.0", source="mqtt-5.0", on_loss=policy).report.lossless()
        assert transcode(PUBLISH, "amqp-1.0", source="mqtt-5.0", on_loss=policy.value).wire[-2:] == b"hi"
    wire = encode(amqp10.Message(header=amqp10.Header(first_acquirer=True), body=amqp10.Data([b"hi"])))
    assert transcode(wire, "amqp-0.9.1", source="amqp-1.0").report.dropped
    with pytest.raises(LossError):
        transcode(wire, "amqp-0.9.1", source="amqp-1.0", on_loss="strict")
    unknown: Any = "never"
    with pytest.raises(MqConvertError, match="on_loss"):
        transcode(PUBLISH, "amqp-1.0", source="mqtt-5.0", on_loss=unknown)


@pytest.mark.parametrize("form", [bytearray, memoryview])
def test_bytes_come_in_any_form(form: Any) -> None:
    given = bytearray(PUBLISH)
    done = transcode(form(given), "amqp-1.0", source="mqtt-5.0")
    given[:] = bytes(len(given))  # the caller's buffer may change before the report is read
    assert done.report.lossless()


@pytest.mark.parametrize(
    ("changed", "error"),
    [
        ({"data": b""}, DecodeError),
        ({"data": PUBLISH + b"\0"}, DecodeError),
        ({"data": 5}, ArgumentError),
        ({"to": "no such"}, NoRouteError),
        ({"source": "no such"}, NoRouteError),
        ({"source": 5}, ArgumentError),
        ({"profile": "no such"}, NoRouteError),
        ({"rules": 5}, ArgumentError),
        ({"environment": 5}, ArgumentError),
    ],
    ids=str,
)
def test_errors_are_those_of_convert(changed: dict[str, Any], error: type[Exception]) -> None:
    arguments: dict[str, Any] = {"data": PUBLISH, "to": "amqp-1.0", "source": "mqtt-5.0"} | changed
    with pytest.raises(error):
        transcode(**arguments)


def test_a_result_that_cannot_be_written_is_an_error() -> None:
    wire = encode(amqp091.Message(payload=b"hi"))
    assert transcode(wire, "mqtt-5.0", source="amqp-0.9.1", environment=ENVIRONMENT).wire[4:7] == b"a/b"
    with pytest.raises(EncodeError, match="no topic"):
        transcode(wire, "mqtt-5.0", source="amqp-0.9.1")


def test_a_report_of_other_bytes_is_a_defect_that_is_told() -> None:
    way = Transcoder("mqtt-5.0", "amqp-1.0")
    with pytest.raises(InternalError, match="different bytes"):
        _ = Transcoded(b"other", way, PUBLISH, ENVIRONMENT, None).report


def test_a_way_is_pickled_by_its_names() -> None:
    way = pickle.loads(pickle.dumps(Transcoder("mqtt-5.0", "amqp-1.0", "rabbitmq-4.0")))
    assert way.wire(PUBLISH, ENVIRONMENT) == by_objects("mqtt-5.0", "amqp-1.0", PUBLISH, profile="rabbitmq-4.0")

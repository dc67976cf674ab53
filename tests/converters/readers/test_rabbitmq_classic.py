"""Classic queues: the three protocols of their messages, checksums, and holes of the message store."""

from pathlib import Path
from typing import Any

import pytest

from mqconvert import decode, encode
from mqconvert.converters.model.values import Array, Described, Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.readers import Broken, Record, reader
from tests.converters.readers import written
from tests.converters.readers.written import Atom, mc, message_store, queue_store

A = Atom
PLAIN = mc("mc_amqpl", written.amqp091(b"\x10\0\x02", b"first, ", b"second"))


def read(path: Path, raw: bytes) -> list[Record | Broken]:
    path.write_bytes(raw)
    return list(reader("rabbitmq-classic").entries(path))


def message(tmp_path: Path, term: bytes) -> Any:
    [entry] = read(tmp_path / "0.qs", queue_store(term))
    assert isinstance(entry, Record), entry
    return decode(entry.protocol, entry.wire)


def test_bodies_of_several_frames_are_joined(tmp_path: Path) -> None:
    assert message(tmp_path, PLAIN).payload == b"first, second"


def test_a_store_without_its_name_is_known_by_its_beginning(tmp_path: Path) -> None:
    [entry] = read(tmp_path / "piped", queue_store(PLAIN))
    assert isinstance(entry, Record), entry


VALUES = [
    ((A("utf8"), b"text"), TypedValue("string", "text")),
    ((A("symbol"), b"sym"), TypedValue("symbol", "sym")),
    ((A("ulong"), 2**40), TypedValue("ulong", 2**40)),
    ((A("byte"), -3), TypedValue("byte", -3)),
    ((A("double"), 2.5), TypedValue("double", 2.5)),
    ((A("binary"), b"ab"), TypedValue("binary", b"ab")),
    ((A("timestamp"), 1_700_000_000_000), TypedValue("timestamp", 1_700_000_000_000)),
    ((A("uuid"), bytes(range(16))), TypedValue("uuid", bytes(range(16)))),
    (A("true"), TypedValue("boolean", True)),
    ((A("boolean"), A("false")), TypedValue("boolean", False)),
    (A("null"), TypedValue("null", None)),
    ((A("list"), [(A("int"), 1), A("true")]), TypedValue("list", [TypedValue("int", 1), TypedValue("boolean", True)])),
    (
        (A("map"), [((A("utf8"), b"k"), (A("uint"), 7))]),
        TypedValue("map", [Entry(TypedValue("string", "k"), "uint", 7)]),
    ),
    ((A("array"), A("utf8"), [(A("utf8"), b"a"), (A("utf8"), b"b")]), TypedValue("array", Array("string", ["a", "b"]))),
    (
        (A("described"), (A("symbol"), b"d"), (A("int"), 1)),
        TypedValue("described", Described(TypedValue("symbol", "d"), TypedValue("int", 1))),
    ),
]


@pytest.mark.parametrize(("term", "wanted"), VALUES)
def test_annotations_of_amqp10_keep_their_types(term: Any, wanted: TypedValue, tmp_path: Path) -> None:
    rest = amqp10.Message(properties=amqp10.Properties(subject="s"), body=amqp10.Data([b"x"]))
    v1 = (A("v1"), [((A("symbol"), b"x-a"), term)], encode(rest), 0, 16, 117)
    made = message(tmp_path, mc("mc_amqp", v1, {A("p"): 5, A("ttl"): 600, A("d"): A("true")}))
    assert made.header == amqp10.Header(durable=True, priority=5, ttl=600)
    assert made.message_annotations == [
        Entry("x-a", wanted.type, wanted.value),
        Entry("x-exchange", "string", "ex"),
        Entry("x-routing-key", "string", "key"),
    ]
    assert (made.properties, made.body) == (rest.properties, rest.body)


def test_a_message_that_is_not_durable_stays_so(tmp_path: Path) -> None:
    v1: Any = (A("v1"), [], encode(amqp10.Message(body=amqp10.Data([b"x"]))), 0, 16, 117)
    assert message(tmp_path, mc("mc_amqp", v1, {A("d"): A("false")})).header == amqp10.Header(durable=False)


def test_messages_of_mqtt_are_read(tmp_path: Path) -> None:
    properties = {
        A("Content-Type"): b"text/x",
        A("Message-Expiry-Interval"): 600,
        A("Payload-Format-Indicator"): 1,
        A("Response-Topic"): b"re/ply",
        A("Correlation-Data"): b"cc",
        A("User-Property"): [(b"a", b"b")],
        A("Subscription-Identifier"): 5,
    }
    given = (A("mqtt_msg"), A("true"), 1, b"sensors/a", A("false"), 7, b"mq", properties, A("undefined"))
    assert message(tmp_path, mc("mc_mqtt", given)) == mqtt5.Message(
        qos=1,
        retain=1,
        topic_name="sensors/a",
        packet_identifier=7,
        content_type="text/x",
        message_expiry_interval=600,
        payload_format_indicator=1,
        response_topic="re/ply",
        correlation_data=b"cc",
        user_properties=[("a", "b")],
        payload=b"mq",
    )


EXPIRY = A("Message-Expiry-Interval")


@pytest.mark.parametrize(
    ("raw", "code"),
    [
        (mc("mc_stomp", 5), "unknown_type"),
        (mc("mc_amqpl", 5), "bad_value"),
        (mc("mc_amqpl", written.amqp091(b"\xff\xff")), "bad_flags"),
        (mc("mc_amqp", (A("v1"), [((A("symbol"), b"x"), (A("float8"), 1))], b"", 0, 0, 0)), "bad_value"),
        (mc("mc_amqp", (A("v1"), [], 2**100)), "bad_value"),
        (mc("mc_amqp", (A("v1"), [], b""), {A("x"): 2**100}), "bad_value"),
        (mc("mc_amqp", (A("v1"), [], b""), {A("rk"): [2**100]}), "bad_value"),
        (mc("mc_mqtt", (A("mqtt_msg"), A("true"), 0, b"t", A("false"), 7, 2**100, {})), "bad_value"),
        (mc("mc_mqtt", (A("mqtt_msg"), A("true"), 0, b"t", A("false"), 7, b"", {A("Correlation-Data"): 2**100})), "bad_value"),
        (mc("mc_mqtt", (A("mqtt_msg"), A("true"), 0, b"t", A("false"), 7, b"", {EXPIRY: float("inf")})), "bad_value"),
        (mc("mc_mqtt", (A("mqtt_msg"), A("true"), 1, b"t/#", A("false"), 7, b"", {}, A("undefined"))), "bad_value"),
        (written.term((A("other"), 5)), "bad_value"),
        (b"\x84", "bad_magic"),
    ],
)
def test_other_messages_are_told_and_the_next_one_is_read(raw: bytes, code: str, tmp_path: Path) -> None:
    broken, good = read(tmp_path / "0.qs", queue_store(raw, PLAIN))
    assert isinstance(broken, Broken)
    assert (broken.position, broken.error.offset, broken.error.code) == (64, 64, code)
    assert isinstance(good, Record)


def test_a_checksum_is_checked(tmp_path: Path) -> None:
    raw = bytearray(queue_store(PLAIN, PLAIN))
    raw[100] ^= 1
    broken, good = read(tmp_path / "0.qs", bytes(raw))
    assert isinstance(broken, Broken)
    assert broken.error.code == "bad_checksum"
    assert isinstance(good, Record)


def test_other_versions_are_refused(tmp_path: Path) -> None:
    [broken] = read(tmp_path / "0.qs", b"RCQS\3" + queue_store(PLAIN)[5:])
    assert isinstance(broken, Broken)
    assert broken.error.code == "bad_magic"


@pytest.mark.parametrize("hole", [0, 3, 8, 1000])
def test_holes_of_the_message_store_are_passed_over(hole: int, tmp_path: Path) -> None:
    raw = bytes(hole) + message_store(PLAIN) + bytes(hole) + message_store(PLAIN) + bytes(hole)
    found = read(tmp_path / "0.rdq", raw)
    assert [type(entry) for entry in found] == [Record, Record]


def test_what_is_no_message_in_the_store_is_told(tmp_path: Path) -> None:
    stored = message_store(PLAIN)
    found = read(tmp_path / "0.rdq", stored + b"junk" * 9 + stored)
    assert [type(entry) for entry in found] == [Record, Broken, Record]
    assert isinstance(found[1], Broken)
    assert (found[1].position, found[1].error.code) == (len(stored), "bad_length")


@pytest.mark.parametrize(("at", "code"), [(0, "truncated"), (3, "bad_checksum"), (6, "bad_checksum"), (20, "bad_checksum")])
@pytest.mark.parametrize("before", [0, 1])
def test_a_changed_byte_costs_one_message_of_a_queues_store(before: int, at: int, code: str, tmp_path: Path) -> None:
    """Its size included: the next message is found by its beginning and its checksum."""
    raw = bytearray(queue_store(*[PLAIN] * 4))
    place = 64 + before * (8 + len(PLAIN))
    raw[place + at] ^= 1
    found = read(tmp_path / "0.qs", bytes(raw))
    assert [type(entry) for entry in found] == [*[Record] * before, Broken, *[Record] * (3 - before)]
    broken = found[before]
    assert isinstance(broken, Broken)
    assert (broken.position, broken.error.code) == (place, code)

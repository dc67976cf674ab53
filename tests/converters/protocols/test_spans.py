"""The bytes of each place: a changed byte changes no place but those that have it."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from struct import pack
from typing import Any
from zlib import crc32

import pytest
from google_crc32c import value as crc32c
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import PROTOCOLS, DecodeError, decode, encode, encode_frame
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.fields import names
from mqconvert.converters.model.paths import Spans, path
from mqconvert.converters.model.values import Described, Entry, TypedValue
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.protocols.rocketmq.message import Frame
from tests.converters.protocols.pulsar.frames import plain
from tests.strategies import DRAWN

OURS = [protocol.name for protocol in PROTOCOLS.ours()]
SAMPLES = Path(__file__).parents[3] / "docs" / "samples"


def _places(message: Any, before: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the set fields of a message and of its sections, and their entries, with their values as text.

    Equal keys are numbered from the second one on.
    """
    for name in names(message):
        value = getattr(message, name)
        place = f"{before}{name}"
        if hasattr(value, "__dataclass_fields__") and not before and name != "body":
            yield from _places(value, f"{name}.")
        elif value is not None:
            yield place, repr(value)
            if isinstance(value, list) and value and isinstance(value[0], Entry | tuple):
                copies = Counter[str]()
                for entry in value:
                    key = key_of(entry)
                    where = path(place, key.value if isinstance(key, TypedValue) else key)
                    copies[where] += 1
                    yield where if copies[where] == 1 else f"{where}#{copies[where]}", repr(entry)


def _touched(spans: Spans, at: int) -> set[str]:
    """Return the places that have a byte, with those around them."""
    found = {place for place, (begin, end) in spans.items() if begin <= at < end}
    return found | {re.split(r"[\[.]", place)[0] for place in found}


def _following(protocol: str, message: Any, touched: set[str]) -> set[str]:
    """Return the places that bytes of others decide: how a body is compressed, and the fields inside compressed bytes."""
    if protocol == "rocketmq" and "sys_flag" in touched:
        return {"body"}
    if protocol == "pulsar" and "compression" in touched:
        return {"payload", "uncompressed_size"}
    if "payload" in touched and _packed(protocol, message):
        return set(names(message))
    return set()


def _packed(protocol: str, message: Any) -> bool:
    """Return whether a message is a member of a compressed batch."""
    return protocol == "pulsar" and message.batch is not None and message.compression not in (None, "NONE")


def _summed(protocol: str, wire: bytearray) -> bytes:
    """Return changed bytes with the checksum that they have now: nearly none would decode without."""
    if protocol == "pulsar":
        at = 8 + int.from_bytes(wire[4:8], "big")
        if wire[at : at + 2] == b"\x0e\x02":
            at += 6 + int.from_bytes(wire[at + 2 : at + 6], "big")
        if wire[at : at + 2] == b"\x0e\x01":
            wire[at + 2 : at + 6] = crc32c(bytes(wire[at + 6 :])).to_bytes(4, "big")
    if protocol == "rocketmq" and wire[4:7] == b"\xda\xa3\x20" and len(wire) > 40:
        body = 88 + sum(12 for bit in (0x10, 0x20) if wire[39] & bit)
        size = int.from_bytes(wire[body - 4 : body], "big")
        wire[8:12] = (crc32(wire[body : body + size]) & 0x7FFF_FFFF).to_bytes(4, "big")
    return bytes(wire)


def _wires(protocol: str) -> st.SearchStrategy[bytes]:
    """Return the bytes of messages of ours, and of other writers where we have vectors."""
    drawn = DRAWN[protocol].map(encode)
    return drawn | st.sampled_from(VECTORS[protocol]) if protocol in VECTORS else drawn


def _located(protocol: str, wire: bytes) -> Any:
    return decode(protocol, wire, spans=True)


def _vectors(path: Path) -> list[bytes]:
    """Return the bytes of vectors that are one message alone."""
    found = []
    for line in path.read_text(encoding="utf-8").splitlines():
        with suppress(DecodeError):
            wire = bytes.fromhex(json.loads(line).get("wire", ""))
            _located(path.stem, wire)
            found.append(wire)
    return found


VECTORS = {path.stem: _vectors(path) for path in sorted((Path(__file__).parents[2] / "data" / "vectors").glob("*.jsonl"))}


@pytest.mark.parametrize("protocol", OURS)
@given(data=st.data())
def test_a_changed_byte_changes_places_that_have_it(protocol: str, data: st.DataObject) -> None:
    wire = bytearray(data.draw(_wires(protocol)))
    before = _located(protocol, bytes(wire))
    assert repr(before.message) == repr(decode(protocol, bytes(wire)))
    assert all(0 <= begin <= end <= len(wire) for begin, end in before.spans.values())
    at = data.draw(st.integers(0, len(wire) - 1))
    wire[at] ^= data.draw(st.integers(1, 255))
    with suppress(DecodeError):
        after = _located(protocol, _summed(protocol, wire))
        if set(after.spans.items()) != set(before.spans.items()):
            return  # another size, key or type: the places are others
        was, now = dict(_places(before.message)), dict(_places(after.message))
        changed = {place for place in was | now if was.get(place) != now.get(place)}
        touched = _touched(before.spans, at)
        assert {place.partition("[")[0] for place in changed - touched} <= _following(protocol, before.message, touched)


@pytest.mark.parametrize("protocol", OURS)
@given(data=st.data())
def test_every_set_field_of_the_wire_has_bytes(protocol: str, data: st.DataObject) -> None:
    located = _located(protocol, data.draw(_wires(protocol)))
    if _packed(protocol, located.message):
        return  # the fields of a member are in the compressed payload
    assert {place for place, _ in _places(located.message)} - located.spans.keys() <= NOT_ON_THE_WIRE.get(protocol, set())


NOT_ON_THE_WIRE = {
    "amqp-0.9.1": {"payload"},
    "nsq": {"frame", "batch_index"},
    "rocketmq": {"frame", "batch_index", "batch_size"},
    "pulsar": {"frame", "topic", "batch.index", "batch.compacted_out"},
}
"""Places of the position in a batch, of the kind of frame, and of an empty body without a frame."""


# ---- examples by hand ---------------------------------------------------------------------------------------------------
#
# A message in pieces: bytes, or their hexadecimal digits, and the places that have them.

HEAD, HEADERS, PAIRS = ("dup", "qos", "retain"), "basic.headers", "user_properties"
TEXT = ("properties", "raw_properties")
"""The places of a property string without its last separator."""
EXAMPLES: list[tuple[str, list[tuple[str | bytes, *tuple[str, ...]]]]] = [
    ("amqp-0.9.1", [
        ("01 0001 0000000c 003c 0028 0000",), (b"\1e", "exchange"), (b"\2k1", "routing_key"), ("00 ce",),
        ("02 0001 0000001c 003c 0000 0000000000000002 2800",),
        ("00000009", HEADERS), ("01 61 53 00000002 6f6b", HEADERS, 'basic.headers["a"]'), ("05", "basic.priority"),
        ("ce 03 0001 00000002",), (b"hi", "payload"), ("ce",),
    ]),
    ("amqp-1.0", [
        ("00 53 70 c0 05 03", "header"), ("41", "header", "header.durable"), ("40", "header"),
        ("52 09", "header", "header.ttl"),
        ("00 53 73 c0 06 03 40 40", "properties"), ("a1 01 71", "properties", "properties.to"),
        ("00 53 74 c1 0c 04", "application_properties"),
        ("a1 01 61 54 01", "application_properties", 'application_properties["a"]'),
        ("a1 01 62 a1 01 63", "application_properties", 'application_properties["b"]'),
        ("00 53 75 a0 02 6869", "body"),
    ]),
    ("amqp-1.0", [
        ("00 53 75", "body"), ("a0 01 61", "body", "body[0]"), ("00 53 75", "body"), ("a0 02 6263", "body", "body[1]"),
    ]),
    ("mqtt-5.0", [
        ("32", *HEAD), ("1a",), ("0001 74", "topic_name"), ("0007", "packet_identifier"), ("12",),
        ("01 01", "payload_format_indicator"), ("26 0001 61 0001 62", PAIRS, 'user_properties["a"]'),
        ("26 0001 63 0001 64", PAIRS, 'user_properties["c"]'),
        ("0b 05", "subscription_identifiers", "subscription_identifiers[0]"), (b"hi", "payload"),
    ]),
    ("mqtt-3.1.1", [("32", *HEAD), ("07",), ("0001 74", "topic_name"), ("0007", "packet_identifier"), (b"hi", "payload")]),
    ("nsq", [(b"DPUB ",), (b"t", "topic"), (b" ",), (b"15", "defer_ms"), ("0a 00000002",), (b"hi", "body")]),
    ("nsq", [(b"MPUB ",), (b"t", "topic"), ("0a 0000000a",), ("00000001", "batch_size"), ("00000002",), (b"hi", "body")]),
    ("nsq", [
        ("00000020 00000002",), ("0000000000000001", "timestamp"), ("0002", "attempts"), (b"0123456789abcdef", "message_id"),
        (b"hi", "body"),
    ]),
    ("phpmq", [
        (b"H0100304", "frame"), (b"P01%029dq" % 1, "queue"), (b"P02%029dhi" % 2, "content"), (b"P03%029did" % 2, "message_id"),
        (b"P05%029d60" % 2, "ttl"),
    ]),
    ("pulsar", [
        ("00000027 00000008 0806320408011000 0e01 cf85822f 0000000c",), ("0a 01 70", "producer_name"), ("10 00", "sequence_id"),
        ("18 80d095ffbc31", "publish_time"), (b"hello", "payload"),
    ]),
    ("rocketmq", [
        ("00000062",), ("daa320a7", "magic"), (pack(">I", crc32(b"hi") & 0x7FFF_FFFF),), ("00000001", "queue_id"),
        ("00000002", "flag"), ("0000000000000003", "queue_offset"), ("0000000000000004", "physical_offset"),
        ("00000000", "sys_flag"), ("0000000000000005", "born_timestamp"), ("7f000001 00000006", "born_host"),
        ("0000000000000007", "store_timestamp"), ("7f000001 00000008", "store_host"), ("00000009", "reconsume_times"),
        ("000000000000000a", "prepared_transaction_offset"), ("00000002",), (b"hi", "body"), ("01 74", "topic"),
        ("0004", "properties"), (b"k\1v\2", "properties", 'properties["k"]'),
    ]),
    ("rocketmq", [
        ("00000049 01 000043 0136 03 0000 00000000 00000000 00000000 0000002e",), ("0001 61 00000001 67", "producer_group"),
        ("0001 62 00000001 74", "topic"), ("0001 69 00000004", "properties"), (b"k\1v\2", "properties", 'properties["k"]'),
        ("0001 6d 00000005 66616c7365",), ("0001 7a 00000000", "ext_fields", 'ext_fields["z"]'), (b"hi", "body"),
    ]),
    ("rocketmq", [
        ("00000071 00 00006b",), (b'{"code":310, "extFields":{"x":null,',), (b'"a":"g"', "producer_group"), (b", ",),
        (b'"\\u0062" : "t"', "topic"), (b",",), (b'"i":"', *TEXT),
        (b"k\\u0001v\\u0002", *TEXT, 'properties["k"]'), (b"l\\u0001w", *TEXT, 'properties["l"]'), (b'"', *TEXT),
        (b'},"language":"JAVA"}',), (b"hi", "body"),
    ]),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "pieces"), EXAMPLES)
def test_spans_are_those_of_examples_by_hand(protocol: str, pieces: list[tuple[str | bytes, *tuple[str, ...]]]) -> None:
    wire, expected = b"", dict[str, tuple[int, int]]()
    for piece, *places in pieces:
        begin = len(wire)
        wire += bytes.fromhex(piece) if isinstance(piece, str) else piece
        for place in places:
            expected[place] = expected.get(place, (begin, 0))[0], len(wire)
    assert _located(protocol, wire).spans == expected


def test_entries_of_every_type_stand_one_behind_the_other() -> None:
    values: dict[str, Any] = {
        "null": None, "boolean": True, "ubyte": 200, "byte": -1, "ushort": 60000, "short": -300, "uint": 4_000_000_000,
        "int": -70000, "ulong": 2**40, "long": -(2**40), "float": 0.5, "double": 1.5, "char": 97, "timestamp": 5,
        "uuid": bytes(16), "binary": b"x", "string": "x" * 300, "symbol": "s", "list": [], "map": [], "decimal32": bytes(4),
        "decimal64": bytes(8), "decimal128": bytes(16), "described": Described(TypedValue("ulong", 5), TypedValue("int", 5)),
    }  # fmt: skip
    message = amqp10.Message(application_properties=[Entry(name, name, value) for name, value in values.items()])
    wire = encode(amqp10.Message(application_properties=message.application_properties, body=amqp10.Data([b""])))
    located: Any = decode("amqp-1.0", wire, spans=True)
    ranges = [located.spans[path("application_properties", name)] for name in values]
    for name, (begin, _) in zip(values, ranges, strict=True):
        assert wire[begin:].startswith(b"\xa1" + bytes([len(name)]) + name.encode())
    assert [end for _, end in ranges[:-1]] == [begin for begin, _ in ranges[1:]]
    assert ranges[-1][1] == located.spans["application_properties"][1]


PAIRS_OF_EQUAL_KEYS = [("k", "a"), ("other", "b"), ("k", "c"), ("k", "d")]
ENTRIES_OF_EQUAL_KEYS = [Entry(key, "longstr", value.encode()) for key, value in PAIRS_OF_EQUAL_KEYS]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        (mqtt5.Message(topic_name="t", user_properties=PAIRS_OF_EQUAL_KEYS), "user_properties"),
        (plain(properties=PAIRS_OF_EQUAL_KEYS), "properties"),
        (amqp091.Message(basic=amqp091.BasicProperties(headers=ENTRIES_OF_EQUAL_KEYS)), "basic.headers"),
    ],
)
def test_entries_of_equal_keys_have_bytes_of_their_own(message: Any, place: str) -> None:
    wire = encode(message)
    located: Any = decode(protocol_of(message).name, wire, spans=True)
    parts = [located.spans[f'{place}["k"]{number}'] for number in ("", "#2", "#3")]
    assert [wire[begin:end][-1:] for begin, end in parts] == [b"a", b"c", b"d"]
    other, _ = located.spans[f'{place}["other"]']
    assert parts[0][1] <= other < parts[1][0] < parts[1][1] <= parts[2][0]
    assert f'{place}["k"]#4' not in located.spans


NSQ, PULSAR = encode(nsq.Message(topic="t", body=b"x")), encode(plain())
ROCKETMQ, HEARTBEAT = encode(rocketmq.Message(topic="t", body=b"x")), encode_frame("rocketmq", Frame(34))
PHPMQ = encode(phpmq.Message(queue=b"q", content=b"x"))
ACK = encode_frame("phpmq", phpmq.Acknowledgement(b"q", b"id"))
PING = bytes.fromhex("0000000900000005081292 0100".replace(" ", ""))


@pytest.mark.parametrize(
    ("protocol", "wire"),
    [
        ("nsq", b"  V2" + NSQ), ("nsq", NSQ + b"NOP\n"),
        ("phpmq", ACK + PHPMQ), ("phpmq", PHPMQ + ACK),
        ("pulsar", PING + PULSAR), ("pulsar", PULSAR + PING),
        ("rocketmq", HEARTBEAT + ROCKETMQ), ("rocketmq", ROCKETMQ + HEARTBEAT),
    ],
)  # fmt: skip
def test_other_frames_beside_the_message_are_refused(protocol: str, wire: bytes) -> None:
    decode(protocol, wire)
    with pytest.raises(DecodeError) as refused:
        decode(protocol, wire, spans=True)
    assert (refused.value.code, refused.value.protocol) == ("no_spans", protocol)


def test_options_are_refused() -> None:
    with pytest.raises(DecodeError, match="without options"):
        decode("mqtt-5.0", bytes.fromhex("3006000174006869"), spans=True, stream=True)


@pytest.mark.parametrize("protocol", VECTORS)
def test_messages_of_other_writers_have_spans(protocol: str) -> None:
    assert len(VECTORS[protocol]) > 5
    for wire in VECTORS[protocol]:
        assert all(0 <= begin <= end <= len(wire) for begin, end in _located(protocol, wire).spans.values())


def test_limits_are_no_other_options() -> None:
    sent = encode(plain(payload=bytes(100), compression="ZLIB"))
    assert decode("pulsar", sent, spans=True, max_decompressed=100).spans["payload"][1] == len(sent)
    with pytest.raises(DecodeError, match="max_decompressed"):
        decode("pulsar", sent, spans=True, max_decompressed=99)

"""The bytes of places in records and requests of RocketMQ, also of batches and unusual property strings."""

import pytest

from mqconvert import encode, encode_batch, encode_frame
from mqconvert.converters.protocols.rocketmq.codec import parse_properties
from mqconvert.converters.protocols.rocketmq.message import MESSAGE_MAGIC_CODE, Frame, Message
from tests.spans import bytes_of

CONSUME_MESSAGE_DIRECTLY = 309


def _found(wire: bytes) -> dict[str, bytes]:
    return bytes_of("rocketmq", wire)


def test_bodies_that_look_like_records_are_bodies() -> None:
    body = b"\0\0\0\x10" + MESSAGE_MAGIC_CODE.to_bytes(4, "big") + bytes(20)
    assert _found(encode(Message(topic="t", body=body)))["body"] == body


def test_places_of_a_batch_of_one_are_in_its_body() -> None:
    message = Message(topic="t", body=b"hi", flag=7, properties=[("k", "v")], batch_flag=5, batch_properties="a")
    message.batch_index, message.batch_size = 0, 1
    found = _found(encode_batch([message]))
    assert (found["body"], found["flag"], found['properties["k"]']) == (b"hi", b"\0\0\0\x07", b"k\x01v\x02")
    assert found["batch_flag"] == b"\0\x01h\0\0\0\x015"
    assert found["batch_properties"] == b"\0\x01i\0\0\0\x01a"


@pytest.mark.parametrize("compression", [{}, {"compress": "ZLIB"}])
def test_places_of_a_batch_in_a_record(compression: dict[str, str]) -> None:
    member = bytes.fromhex("0000001c 00000000 00000000 00000007 00000002".replace(" ", "")) + b"hi\0\x04k\x01v\x02"
    wire = bytearray(encode(Message(frame="record", topic="t", body=member, flag=9), **compression))
    wire[39] |= 0xC0  # the bits of sysFlag for a batch inside
    found = _found(bytes(wire))
    if not compression:
        assert (found["body"], found["flag"], found['properties["k"]']) == (b"hi", b"\0\0\0\x07", b"k\x01v\x02")
    else:
        assert found["body"].startswith(b"\x78")
        assert found.keys().isdisjoint({"flag", "properties"})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("\x02\x02a\x01b\x02", {"a": b"a\x01b\x02"}),
        ("x\x02a\x01\x02a\x01b\x02", {"a": b"a\x01b\x02"}),
        ("a\x01b\x01c\x02k\x01d", {"a": b"a\x01b\x01c\x02", "k": b"k\x01d"}),
        ("a\x01b\x02k\x01c\x02a\x01d\x02", {"a": b"a\x01d\x02", "k": b"k\x01c\x02"}),  # the last of equal names counts
    ],
)
def test_properties_of_any_string(text: str, found: dict[str, bytes]) -> None:
    properties, raw = parse_properties(text)
    for frame in ("send", "record"):
        told = _found(encode(Message("t", properties=properties, raw_properties=raw, frame=frame)))
        assert {place[12:-2]: held for place, held in told.items() if place.startswith("properties[")} == found
        assert told["properties"].endswith(text.encode())
        assert told["raw_properties"] == told["properties"]


def test_names_of_other_requests_are_extension_fields() -> None:
    record = encode(Message(frame="record", topic="t", body=b"hi"))
    fields = [("topic", "other"), ("b", "c")]
    for flag, code in ((1, 0), (0, CONSUME_MESSAGE_DIRECTLY)):
        wire = encode_frame("rocketmq", Frame(code, flag=flag, ext_fields=fields, body=record))
        found = _found(wire)
        assert found["topic"] == b"\x01t"
        assert ('ext_fields["topic"]' in found) is (not flag)

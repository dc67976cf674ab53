"""The option `stream`: what one side of a connection sent, frames without a message between the messages."""

from typing import Any

import pika
import pytest
from hypothesis import given
from hypothesis import strategies as st
from paho.mqtt import client as paho
from paho.mqtt.enums import CallbackAPIVersion

from mqconvert import DecodeError, LimitError, decode, decode_all, decode_each, encode
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311

HEARTBEAT = pika.frame.Heartbeat().marshal()
ACK = pika.frame.Method(1, pika.spec.Basic.Ack(7)).marshal()
OPEN = pika.frame.ProtocolHeader().marshal()


def content(channel: int, payload: bytes, parts: int = 1) -> list[bytes]:
    """Return the frames of a Basic.Deliver, as pika writes them."""
    method = pika.frame.Method(channel, pika.spec.Basic.Deliver("tag", 1, False, "x", f"key{channel}")).marshal()
    header = pika.frame.Header(channel, len(payload), pika.BasicProperties(app_id=str(channel))).marshal()
    step = -(-len(payload) // parts) or 1
    bodies = [pika.frame.Body(channel, payload[at : at + step]).marshal() for at in range(0, len(payload), step)]
    return [method, header, *bodies]


def read(protocol: str, data: bytes) -> tuple[list[Any], int]:
    found = decode_each(protocol, data, stream=True)
    return list(found), found.skipped


@pytest.mark.parametrize("payload", [b"", b"hi", b"long" * 9])
def test_frames_of_pika_without_a_message_are_skipped_and_counted(payload: bytes) -> None:
    data = b"".join([OPEN, HEARTBEAT, *content(1, payload, 3), ACK, HEARTBEAT])
    message = Message(BasicProperties(app_id="1"), payload, "x", "key1")
    assert read("amqp-0.9.1", data) == ([message], 4)
    assert decode("amqp-0.9.1", data, stream=True) == message
    with pytest.raises(DecodeError, match="frame"):
        decode_all("amqp-0.9.1", data)


def test_contents_of_several_channels_may_interleave() -> None:
    one, two = content(1, b"first", 2), content(2, b"second", 2)
    mixed = [one[0], two[0], two[1], one[1], HEARTBEAT, one[2], two[2], ACK[:1] + b"\0\3" + ACK[3:], two[3], one[3]]
    found, skipped = read("amqp-0.9.1", b"".join(mixed))
    assert [(made.routing_key, made.payload) for made in found] == [("key2", b"second"), ("key1", b"first")]
    assert skipped == 2


def test_a_content_without_its_method_is_a_message_of_a_stream() -> None:
    assert decode_all("amqp-0.9.1", encode(Message(payload=b"a")) + HEARTBEAT, stream=True) == [Message(payload=b"a")]


METHOD, HEADER, BODY = content(1, b"hi")
BROKEN = {
    "unfinished at the end": (METHOD + HEADER, "truncated", 0),
    "header missing": (METHOD, "truncated", 0),
    "another method before the body": (METHOD + HEADER + ACK, "truncated", 0),
    "a cut frame": (METHOD + HEADER + BODY[:-1], "truncated", len(METHOD + HEADER)),
    "a cut frame header": (b"\1\0", "truncated", 0),
    "no end byte": (HEARTBEAT[:-1] + b"\0", "bad_frame", 7),
    "unknown frame type": (b"\x05" + HEARTBEAT[1:], "unknown_frame_type", 0),
    "body without header": (BODY, "bad_frame", 0),
    "two headers": (METHOD + HEADER + HEADER, "bad_frame", len(METHOD + HEADER)),
    "body too long": (METHOD + HEADER + pika.frame.Body(1, b"long").marshal(), "bad_length", len(METHOD + HEADER)),
    "another class": (HEADER[:7] + b"\0\x32" + HEADER[9:], "bad_frame", 7),
    "a short method": (b"\1\0\1\0\0\0\7\0\x3c\0\x28\0\0\xff\xce", "truncated", 13),
    "a short delivery": (b"\1\0\1\0\0\0\5\0\x3c\0\x3c\0\xce", "truncated", 12),
    "a short header": (b"\2\0\1\0\0\0\2\0\x3c\xce", "truncated", 7),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_frame_or_unfinished_message_ends_the_stream(name: str) -> None:
    data, kind, offset = BROKEN[name]
    before = b"".join([HEARTBEAT, *content(2, b"good")])
    found, skipped = read("amqp-0.9.1", before + data)
    assert [type(one).__name__ for one in found] == ["Message", "DecodeError"]
    assert (found[1].kind, found[1].offset) == (kind, len(before) + offset)
    assert skipped >= 1
    with pytest.raises(DecodeError) as caught:
        decode_all("amqp-0.9.1", before + data, stream=True)
    assert caught.value.kind == kind


def connect(level: int) -> bytes:
    """Return the CONNECT of paho."""
    version = {4: paho.MQTTv311, 5: paho.MQTTv5, 3: paho.MQTTv31}[level]
    client = paho.Client(CallbackAPIVersion.VERSION2, "a", protocol=version)
    client._send_connect(60)
    return bytes(client._out_packet[0]["packet"])


PUBACK, PINGREQ, SUBSCRIBE = b"\x40\x02\0\1", b"\xc0\0", bytes.fromhex("8206000100017400")
OF_5 = mqtt5.Message(topic_name="t", content_type="a", payload=b"hi")
OF_311 = mqtt311.Message(topic_name="t", payload=b"hi")


def test_packets_other_than_publish_are_skipped_and_counted() -> None:
    data = PINGREQ + encode(OF_5) + PUBACK + SUBSCRIBE + encode(OF_5)
    assert read("mqtt-5.0", data) == ([OF_5, OF_5], 3)
    assert read("mqtt-3.1.1", PINGREQ + encode(OF_311) + PUBACK) == ([OF_311], 2)
    assert read("mqtt-5.0", PINGREQ) == ([], 1)
    with pytest.raises(DecodeError, match="packet type 12"):
        decode_all("mqtt-5.0", data)


@pytest.mark.parametrize("level", [3, 4])
def test_connect_fixes_the_version(level: int) -> None:
    older = mqtt5.Message(topic_name="t", payload=b"hi")
    assert read("mqtt-5.0", connect(level) + encode(OF_311)) == ([older], 1)
    assert read("mqtt-3.1.1", connect(level) + encode(OF_311)) == ([OF_311], 1)
    assert read("mqtt-5.0", connect(level) + encode(OF_311) + connect(5) + encode(OF_5)) == ([older, OF_5], 2)


@pytest.mark.parametrize("body", [b"", b"\0\4MQTT", b"\0\6MQIsdp", b"\0\4MQTX\5", b"\0\5MQTT"])
@pytest.mark.parametrize("rest", [b"", encode(OF_5)])
def test_a_connect_without_a_level_is_refused(body: bytes, rest: bytes) -> None:
    """The level is a byte of the CONNECT itself, not of what follows."""
    (error,), _ = read("mqtt-5.0", b"\x10" + bytes((len(body),)) + body + rest)
    assert error.kind in ("bad_packet", "truncated")


def test_mqtt_31_repeats_packets_with_dup() -> None:
    """MQTT 3.1 section 2.1: DUP is set when a PUBREL, SUBSCRIBE or UNSUBSCRIBE is sent again."""
    again = b"\x6a\2\0\1" + bytes((SUBSCRIBE[0] | 8,)) + SUBSCRIBE[1:]
    assert read("mqtt-3.1.1", connect(3) + again + encode(OF_311)) == ([OF_311], 3)
    (error,), _ = read("mqtt-3.1.1", connect(4) + again)
    assert error.kind == "bad_flags"


def test_mqtt_311_refuses_a_connect_of_mqtt_5() -> None:
    (error,), _ = read("mqtt-3.1.1", connect(5) + encode(OF_5))
    assert (error.kind, error.offset) == ("unsupported_version", 0)
    assert "MQTT 5.0" in error.message


@pytest.mark.parametrize(
    ("packet", "kind", "offset"),
    [
        (b"\0\0", "bad_packet", 0),
        (b"\xc1\0", "bad_flags", 0),
        (b"\x80\6\0\1\0\1t\0", "bad_flags", 0),
        (b"\x40\2\0", "truncated", 2),
        (b"\x30\4\0", "truncated", 2),
        (b"\xc0\x80\x80\x80\x80\x80", "bad_varint", 1),
        (b"\x10\4\0\2hi", "bad_packet", 2),
        (b"\x10\7\0\4MQTT\7", "unsupported_version", 0),
    ],
)
def test_a_broken_packet_ends_the_stream(packet: bytes, kind: str, offset: int) -> None:
    before = PINGREQ + encode(OF_5)
    (message, error), _ = read("mqtt-5.0", before + packet)
    assert message == OF_5
    assert (error.kind, error.offset) == (kind, len(before) + offset)


@given(st.binary(max_size=60), st.integers(0, 60))
def test_any_bytes_give_messages_or_a_decode_error(data: bytes, at: int) -> None:
    amqp, mqtt = b"".join(content(1, b"hi")), encode(OF_5)
    for protocol, wire in (("amqp-0.9.1", amqp), ("mqtt-5.0", mqtt), ("mqtt-3.1.1", encode(OF_311))):
        for mutated in (data, wire[:at] + data + wire[at:]):
            found, _ = read(protocol, mutated)
            offsets = [one.offset or 0 for one in found if isinstance(one, DecodeError)]
            assert offsets == sorted(offsets)
            assert all(0 <= offset <= len(mutated) for offset in offsets)


@pytest.mark.parametrize("data", [PINGREQ, encode(OF_5) * 2])
def test_decode_wants_one_message_of_a_stream(data: bytes) -> None:
    with pytest.raises(DecodeError) as caught:
        decode("mqtt-5.0", data, stream=True)
    assert caught.value.kind == ("no_message" if data == PINGREQ else "several_messages")


@pytest.mark.parametrize(
    ("protocol", "data"),
    [
        ("amqp-0.9.1", HEARTBEAT * 2 + b"".join(content(1, b"hi")) + HEARTBEAT),
        ("mqtt-5.0", PINGREQ * 4 + encode(OF_5) + PINGREQ),
        ("mqtt-3.1.1", PINGREQ * 4 + encode(OF_311) + PINGREQ),
    ],
)
def test_a_stream_ends_at_its_limit_of_frames(protocol: str, data: bytes) -> None:
    message, error = decode_each(protocol, data, stream=True, max_frames=5)
    assert not isinstance(message, DecodeError)
    assert isinstance(error, LimitError)
    assert (error.code, error.limit) == ("too_many", "max_frames")
    assert len(list(decode_each(protocol, data, stream=True, max_frames=6))) == 1

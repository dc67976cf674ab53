"""PHPMQ: every open vector, then properties, then the bounds."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError
from mqconvert.converters.protocols.calls import frame_from_json
from mqconvert.converters.protocols.phpmq import codec as phpmq
from mqconvert.converters.protocols.phpmq.message import (
    Acknowledgement,
    ConsumeRequest,
    DeadLetter,
    Frame,
    Message,
    Requeue,
)
from tests.refusals import unread, unwritten
from tests.strategies import BYTES, phpmq_messages
from tests.vectors import tagged, vectors

NOT_CANONICAL = {"phpmq-odd-order", "phpmq-odd-ttl-zeros"}
"""Vectors for which the encoder writes other bytes."""


def of_kind(kind: str) -> list[Any]:
    return [pytest.param(vector, id=vector["id"]) for vector in vectors("phpmq") if vector["fields"].get("kind") == kind]


@pytest.mark.parametrize("vector", of_kind("message"))
def test_messages_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    fields = vector["fields"]
    (frame,) = phpmq.decode_frames(vector["wire"])
    if vector["id"] not in NOT_CANONICAL:
        assert phpmq.encode_frame(frame) == vector["wire"]
    written = phpmq.frame_to_json(frame)
    assert phpmq.frame_from_json(json.loads(json.dumps(written))) == frame
    assert (written["frame"], written["type"]) == (fields["type_name"], fields["type"])
    for name in ("queue", "content", "message_id"):
        if name in fields:
            assert getattr(frame, name).hex() == fields[name]
    for name in ("ttl", "count"):
        if name in fields:
            assert getattr(frame, name) == fields[name]
    if isinstance(frame, Message):
        assert phpmq.decode(vector["wire"]) == frame
        return
    assert unread(phpmq.decode, vector["wire"])[0] == "no_message"


@pytest.mark.parametrize("vector", of_kind("stream"))
def test_streams_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    frames = phpmq.decode_frames(vector["wire"])
    assert b"".join(map(phpmq.encode_frame, frames)) == vector["wire"]
    assert [phpmq.frame_to_json(frame)["type"] for frame in frames] == [held["type"] for held in vector["fields"]["messages"]]
    assert phpmq.decode_all(vector["wire"]) == [frame for frame in frames if isinstance(frame, Message)]


@pytest.mark.parametrize("vector", tagged("phpmq", "malformed"))
def test_decode_rejects_malformed_vectors(vector: dict[str, Any]) -> None:
    kind, offset, _ = unread(phpmq.decode_frames, vector["wire"])
    assert kind == vector["fields"]["error"]
    assert offset is not None


NUMBERS = st.integers(-(2**63), 2**63 - 1)
FRAMES: st.SearchStrategy[Frame] = st.one_of(
    phpmq_messages(),
    st.builds(ConsumeRequest, BYTES, NUMBERS),
    st.builds(Acknowledgement, BYTES, BYTES),
    st.builds(Requeue, BYTES, BYTES, NUMBERS),
    st.builds(DeadLetter, BYTES, BYTES),
)


@given(st.lists(FRAMES, min_size=1, max_size=4))
def test_streams_round_trip(frames: list[Frame]) -> None:
    assert phpmq.decode_frames(b"".join(map(phpmq.encode_frame, frames))) == frames
    for frame in frames:
        assert phpmq.frame_from_json(json.loads(json.dumps(phpmq.frame_to_json(frame)))) == frame


@given(st.data())
def test_mutated_streams_are_read_or_refused(data: st.DataObject) -> None:
    wire = bytearray(b"".join(map(phpmq.encode_frame, data.draw(st.lists(FRAMES, min_size=1, max_size=3)))))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    try:
        frames = phpmq.decode_frames(bytes(wire))
    except DecodeError:
        return
    assert phpmq.decode_frames(b"".join(map(phpmq.encode_frame, frames))) == frames


@given(st.data())
def test_packets_come_in_any_order(data: st.DataObject) -> None:
    message = Message(b"queue", b"content", b"id", 5, "dispatch")
    wire = phpmq.encode(message)
    packets, at = [], 8
    while at < len(wire):
        end = at + 32 + int(wire[at + 3 : at + 32])
        packets.append(wire[at:end])
        at = end
    assert phpmq.decode(wire[:8] + b"".join(data.draw(st.permutations(packets)))) == message


HEAD = b"H0100202P01" + b"0" * 29


@pytest.mark.parametrize(
    ("wire", "kind", "offset"),
    [
        (b"H0100202P01" + b"9" * 29, "too_large", 11),
        (b"H0100202P01%029d" % (16 * 2**20 + 1), "too_large", 11),
        (b"H0100202P01%029d" % (16 * 2**20), "truncated", 40),
        (HEAD + b"P04%029d" % 20 + b"9" * 20, "bad_number", 72),
        (HEAD + b"P04%029d" % 1_000_000 + b"9" * 1_000_000, "bad_number", 72),
        (HEAD + b"P04%029d" % 19 + b"9223372036854775808", "bad_number", 72),
        (HEAD + b"P04%029d" % 1 + b"-", "bad_number", 72),
        (HEAD + HEAD[8:], "wrong_packet", 41),
        (HEAD[:8] + b"P01" + "٣".encode() * 14 + b"0", "bad_number", 11),
        (HEAD + b"P04%029d" % 1 + b"5X", "bad_magic", 73),
        (b"", "truncated", 0),
    ],
)
def test_decode_rejects_frames_at_the_bounds(wire: bytes, kind: str, offset: int) -> None:
    assert unread(phpmq.decode_frames, wire)[:2] == (kind, offset)


def test_the_content_limit_is_an_option() -> None:
    wire = phpmq.encode(Message(queue=b"q", content=bytes(100)))
    with pytest.raises(DecodeError, match="100 bytes, the limit is 99"):
        phpmq.decode_frames(wire, max_content=99)
    assert len(phpmq.decode_frames(wire, max_content=100)) == 1


def test_decode_rejects_several_messages() -> None:
    wire = phpmq.encode(Message(queue=b"q"))
    assert len(phpmq.decode_all(wire + phpmq.encode_frame(ConsumeRequest(b"q", 1)) + wire)) == 2
    assert unread(phpmq.decode, wire + wire)[:2] == ("several_messages", len(wire))


@pytest.mark.parametrize(
    ("frame", "field"),
    [
        (Message(), "queue"),
        (Message(b"q", frame="consume"), "frame"),
        (Message(b"q", frame="dispatch"), "message_id"),
        (Message(b"q", b"", b"id"), "message_id"),
        (Message(queue=b"q", ttl=2**63), "ttl"),
        (Message(queue=b"q", content=bytes(16 * 2**20 + 1)), "content"),
        (ConsumeRequest(b"q", 2**63), "count"),
        (object(), "type"),
    ],
)
def test_encode_frame_rejects_invalid_fields(frame: Any, field: str) -> None:
    assert unwritten(phpmq.encode_frame, frame)[1] == field


@pytest.mark.parametrize(
    ("obj", "kind", "field"),
    [
        ([], "bad_json", None),
        ({}, "unknown_type", "frame"),
        ({"frame": "ack", "queue": "q"}, "missing_field", "message_id"),
        ({"frame": "send", "queue": "q", "content": "", "message_id": "x", "ttl": 0}, "unknown_field", "message_id"),
        ({"frame": "ack", "type": 5, "queue": "q", "message_id": "x"}, "bad_value", "type"),
        ({"frame": "consume", "queue": "q", "count": "5.0"}, "bad_json", "count"),
    ],
)
def test_frame_from_json_rejects_invalid_json(obj: Any, kind: str, field: str | None) -> None:
    with pytest.raises(DecodeError) as caught:
        frame_from_json("phpmq", obj)
    assert (caught.value.kind, caught.value.field) == (kind, field)

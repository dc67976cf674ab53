"""NSQ: every open vector, then properties, then the bounds."""

import json
import zlib
from collections.abc import Iterable
from struct import pack
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import DecodeError, EncodeError, LimitError, MqConvertError
from mqconvert.converters.protocols.calls import frame_from_json
from mqconvert.converters.protocols.nsq import codec as nsq
from mqconvert.converters.protocols.nsq.commands import KINDS, MAGIC
from mqconvert.converters.protocols.nsq.message import (
    Auth,
    Cls,
    Error,
    Fin,
    Frame,
    Identify,
    Magic,
    Message,
    Mpub,
    Nop,
    Rdy,
    Req,
    Response,
    Sub,
    Touch,
    name_fault,
)
from tests.converters.protocols.nsq.streams import compress
from tests.refusals import unread, unwritten
from tests.strategies import BYTES, NSQ_BODIES, NSQ_NAMES
from tests.vectors import tagged

OF_DIALOGUE = "session_state"
"""Vectors with this tag are errors of a session; their bytes decode."""


@pytest.mark.parametrize("vector", tagged("nsq", "command", without=("malformed",)))
def test_commands_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    fields = vector["fields"]
    (frame,) = nsq.decode_frames(vector["wire"])
    assert nsq.encode_frame(frame) == vector["wire"]
    written = nsq.frame_to_json(frame)
    assert nsq.frame_from_json(json.loads(json.dumps(written))) == frame
    assert written["frame"] == fields["command"]
    for name in ("topic", "channel", "count", "timeout_ms", "defer_ms", "message_id", "json"):
        assert written.get(name) == fields.get(name)
    for name in ("body", "secret"):
        if name in fields:
            assert getattr(frame, name).hex() == fields[name]
    assert [body.hex() for body in getattr(frame, "bodies", ())] == fields.get("messages", [])


@pytest.mark.parametrize("vector", tagged("nsq", "frame", without=("malformed",)))
def test_frames_of_the_vectors_round_trip(vector: dict[str, Any]) -> None:
    fields = vector["fields"]
    (frame,) = nsq.decode_frames(vector["wire"])
    assert nsq.encode_frame(frame) == vector["wire"]
    written = nsq.frame_to_json(frame)
    assert nsq.frame_from_json(json.loads(json.dumps(written))) == frame
    assert (written["frame"], written["frame_type"]) == (fields["frame_type_name"], fields["frame_type"])
    if isinstance(frame, Message):
        held = fields["message"]
        assert (frame.timestamp, frame.attempts, frame.body.hex()) == (held["timestamp_ns"], held["attempts"], held["body"])
        assert frame.message_id == held["id"].encode()
        assert nsq.decode(vector["wire"]) == frame
        return
    assert frame.data.hex() == fields["data"]  # type: ignore[union-attr]  # the frame is a response or an error
    assert written["data"] == fields["text"]
    assert written.get("json") == fields.get("json")
    assert (written.get("code"), written.get("description")) == (fields.get("error_code"), fields.get("error_description"))
    if "fatal" in fields:
        assert written["fatal"] is fields["fatal"]


@pytest.mark.parametrize("vector", tagged("nsq", "malformed", without=("name", OF_DIALOGUE)))
def test_decode_rejects_malformed_vectors(vector: dict[str, Any]) -> None:
    limits = vector["fields"].get("limits", {})
    read: Any = nsq.decode_magic if "magic" in vector["tags"] else nsq.decode_frames
    kind, offset, _ = unread(read, vector["wire"], **limits)
    assert kind == vector["fields"]["error"]
    assert offset is not None


@pytest.mark.parametrize("vector", tagged("nsq", "malformed", OF_DIALOGUE))
def test_vectors_of_dialogue_errors_decode(vector: dict[str, Any]) -> None:
    frames = nsq.decode_frames(vector["wire"])
    assert b"".join(map(nsq.encode_frame, frames)) == vector["wire"]


@pytest.mark.parametrize("vector", tagged("nsq", "name"))
def test_only_valid_names_are_names(vector: dict[str, Any]) -> None:
    assert (name_fault(vector["wire"].decode("latin-1")) is None) is vector["fields"]["valid"]


@pytest.mark.parametrize("vector", tagged("nsq", "compressed_stream"))
def test_decode_frames_reads_compressed_streams(vector: dict[str, Any]) -> None:
    assert nsq.decompress(vector["wire"], "snappy").hex() == vector["fields"]["plain"]
    frames = nsq.decode_frames(vector["wire"])
    assert [frame.data.decode() for frame in frames] == vector["fields"]["frames"]  # type: ignore[union-attr]  # the frames are responses


def test_a_session_is_one_stream() -> None:
    """One stream holds every command vector after the magic, and every frame vector."""
    commands = [param.values[0]["wire"] for param in tagged("nsq", "command", without=("malformed",))]
    stream = b"  V2" + b"".join(commands)
    frames = nsq.decode_frames(stream)
    assert frames[0] == Magic()
    assert list(map(nsq.encode_frame, frames[1:])) == commands
    members = sum(len(frame.bodies) if isinstance(frame, Mpub) else isinstance(frame, Message) for frame in frames)
    assert len(nsq.decode_all(stream)) == members > 30
    answers = [param.values[0]["wire"] for param in tagged("nsq", "frame", without=("malformed",))]
    assert list(map(nsq.encode_frame, nsq.decode_frames(b"".join(answers)))) == answers


IDS = st.binary(min_size=16, max_size=16)
LINE_IDS = IDS.filter(lambda raw: b" " not in raw and b"\n" not in raw and raw[-1:] != b"\r")
NUMBERS = st.integers(0, 2**63 - 1)
OBJECTS = st.dictionaries(st.text(max_size=5), st.none() | st.booleans() | st.integers() | st.text(max_size=5), max_size=3)
COMMANDS: st.SearchStrategy[Frame] = st.one_of(
    st.sampled_from([Cls(), Nop()]),
    st.builds(lambda members: Identify(json.dumps(members).encode()), OBJECTS),
    st.builds(Auth, NSQ_BODIES),
    st.builds(Sub, NSQ_NAMES, NSQ_NAMES),
    st.builds(Mpub, NSQ_NAMES, st.lists(NSQ_BODIES, min_size=1, max_size=4)),
    st.builds(Rdy, NUMBERS),
    st.builds(Req, LINE_IDS, NUMBERS),
    st.sampled_from([Fin, Touch]).flatmap(lambda class_: st.builds(class_, LINE_IDS)),
    st.builds(lambda topic, ms, body: Message(topic, defer_ms=ms, body=body), NSQ_NAMES, st.integers(0, 3600000), NSQ_BODIES),
)
ANSWERS: st.SearchStrategy[Frame] = st.one_of(
    st.builds(Response, BYTES),
    st.builds(Error, BYTES),
    st.builds(
        lambda time, id_, body: Message(timestamp=time, attempts=1, message_id=id_, body=body, frame="message"),
        st.integers(-5, 2**63 - 1),
        IDS,
        BYTES,
    ),
)


@given(st.lists(COMMANDS, min_size=1, max_size=4) | st.lists(ANSWERS, min_size=1, max_size=4))
def test_streams_round_trip(frames: list[Frame]) -> None:
    wire = b"".join(map(nsq.encode_frame, frames))
    assert nsq.decode_frames(wire) == frames
    for compression in ("deflate", "snappy"):
        assert nsq.decode_frames(compress(wire, compression), compression=compression) == frames
    for frame in frames:
        assert nsq.frame_from_json(json.loads(json.dumps(nsq.frame_to_json(frame), allow_nan=False))) == frame


@given(st.data())
def test_mutated_streams_are_read_or_refused(data: st.DataObject) -> None:
    frames = data.draw(st.lists(COMMANDS, min_size=1, max_size=3) | st.lists(ANSWERS, min_size=1, max_size=3))
    wire = bytearray(b"".join(map(nsq.encode_frame, frames)))
    compression = data.draw(st.sampled_from([None, "deflate", "snappy"]))
    if compression is not None:
        wire = bytearray(compress(bytes(wire), compression))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.integers(0, 255))
    _answered(bytes(wire), compression)


@given(st.binary(max_size=200), st.sampled_from([None, "deflate", "snappy"]), st.sampled_from([None, "C2S", "S2C"]))
def test_random_bytes_are_read_or_refused(wire: bytes, compression: str | None, direction: str | None) -> None:
    _answered(wire, compression, direction)


def _answered(wire: bytes, compression: str | None, direction: str | None = None) -> None:
    try:
        frames = nsq.decode_frames(wire, compression=compression, direction=direction)
    except DecodeError:
        return
    for frame in frames:
        assert nsq.decode_frames(nsq.encode_frame(frame), direction=direction)[-1] == frame


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda x: st.lists(x) | st.dictionaries(st.text(max_size=5), x),
        max_leaves=5,
    )
)
def test_random_json_is_read_or_refused(given_json: Any) -> None:
    for obj in (given_json, {"frame": given_json}, *({"frame": name, "body": given_json} for name in KINDS)):
        try:
            frame_from_json("nsq", obj)
        except DecodeError:
            continue


@pytest.mark.parametrize(
    ("wire", "kind", "offset"),
    [
        (b"\x7f\xff\xff\xff\0\0\0\2", "bad_length", 0),
        (b"\xff\xff\xff\xff\0\0\0\2", "bad_length", 0),
        (b"PUB t\n\x7f\xff\xff\xff", "bad_message", 6),
        (b"PUB t\n\xff\xff\xff\xff", "bad_message", 6),
        (b"MPUB t\n\0\0\1\0\x7f\xff\xff\xff", "bad_body", 11),
        (b"MPUB t\n\x03\xff\xff\xff\x00\x10\0\0", "truncated", 15),
        (b"MPUB t\n\0\0\0\x0a\0\0\0\1\0\0\0\1ab", "bad_length", 7),
        (b'IDENTIFY\n\0\0\0\x0b{"a":1e999}', "bad_body", 13),
        (b'IDENTIFY\n\0\0\0\x09{"a":NaN}', "bad_body", 13),
        (b"IDENTIFY\n\0\0\1\0" + b'{"a":' * 43, "truncated", 228),
        (b"RDY " + b"9" * 16000 + b"\n", "invalid_params", 0),
        (b"RDY 9223372036854775808\n", "invalid_params", 0),
        (b"A" * 16384, "line_too_long", 0),
        (b"A" * 16383, "truncated", 16383),
        (b"DPUB t " + b"0" * 5000, "truncated", 5007),
        (b"NOP\n  V2\n", "invalid_command", 4),
        (b"", "truncated", 0),
    ],
)
def test_decode_rejects_frames_at_the_bounds(wire: bytes, kind: str, offset: int) -> None:
    assert unread(nsq.decode_frames, wire)[:2] == (kind, offset)


@pytest.mark.parametrize("name", ["meaning", "json", "data"])
def test_nested_json_of_frames_is_refused(name: str) -> None:
    nested: Any = 1
    for _ in range(900):
        nested = {"a": nested}
    with pytest.raises(DecodeError, match="nest"):
        nsq.frame_from_json({"frame": "response", name: nested})


def test_json_with_lone_surrogates_stays_bytes() -> None:
    """Go reads a lone surrogate, so it is valid, but UTF-8 output cannot contain it."""
    body = rb'{"client_id":"\ud800"}'
    written = nsq.frame_to_json(nsq.decode_frames(b"IDENTIFY\n" + len(body).to_bytes(4) + body)[0])
    assert "json" not in written
    assert nsq.frame_from_json(written) == Identify(body)


def test_nested_json_is_refused() -> None:
    body = b'{"a":' * 50_000 + b"1" + b"}" * 50_000
    with pytest.raises(DecodeError, match="not a JSON object"):
        nsq.decode_frames(b"IDENTIFY\n" + len(body).to_bytes(4, "big") + body)


@pytest.mark.parametrize("compression", ["deflate", "snappy"])
def test_decompressed_size_is_limited(compression: str) -> None:
    bomb = compress(nsq.encode_frame(Response(bytes(2 * 2**20))), compression)
    assert len(nsq.decode_frames(bomb, compression=compression)) == 1
    with pytest.raises(DecodeError, match="more than 1048576 bytes after decompression") as caught:
        nsq.decode_frames(bomb, compression=compression, max_decompressed=2**20)
    assert caught.value.kind == "too_large"


def test_frames_of_a_stream_are_limited_while_reading() -> None:
    wire = b"NOP\n" * 10 + b"no command\n"
    with pytest.raises(LimitError, match=r"more than 10 commands or frames \(max_frames\)") as caught:
        nsq.decode_frames(wire, max_frames=10)
    assert (caught.value.kind, caught.value.offset) == ("too_many", 40)
    with pytest.raises(LimitError):
        nsq.decode_all(wire, max_frames=10)
    with pytest.raises(DecodeError, match="no command"):
        nsq.decode_frames(wire, max_frames=11)
    frames = nsq.decode_each_frame(wire)
    assert [type(next(frames)) for _ in range(10)] == [Nop] * 10


def test_members_of_an_mpub_are_limited_before_reading() -> None:
    wire = b"MPUB t\n" + bytes.fromhex("00000010 00000002 00000002 6869 00000002 6f6b")
    assert len(nsq.decode_all(wire, max_batch=2)) == 2
    with pytest.raises(LimitError, match="an MPUB of 2 messages, the limit is 1") as caught:
        nsq.decode_all(wire[:15], max_batch=1)
    assert (caught.value.kind, caught.value.limit) == ("too_many", "max_batch")


@pytest.mark.parametrize(
    ("wire", "compression", "kind"),
    [
        (b"\xff\xff", "deflate", "bad_compression"),
        (zlib.compress(b"x"), "deflate", "bad_compression"),
        (b"\xff\x06\0\0", "snappy", "truncated"),
        (b"\xff\x06\0\0sNaPpX", "snappy", "bad_compression"),
        (b"\xff\x06\0\0sNaPpY\x01\x05\0\0\0\0\0\0a", "snappy", "bad_checksum"),
        (b"\xff\x06\0\0sNaPpY\x00\x09\0\0\0\0\0\0\xff\xff\xff\xff\x0f", "snappy", "bad_compression"),
        (b"\xff\x06\0\0sNaPpY\x00\x06\0\0\0\0\0\0\xff\xff", "snappy", "bad_compression"),
        (b"\xff\x06\0\0sNaPpY\x01\x03\0\0\0\0\0", "snappy", "bad_compression"),
        (b"\xff\x06\0\0sNaPpY\x02\0\0\0", "snappy", "bad_compression"),
        (b"\xff\x06\0\0sNaPpY\x01\x05\0\0\0", "snappy", "truncated"),
        (b"", "brotli", "unknown_compression"),
    ],
)
def test_decompress_rejects_malformed_streams(wire: bytes, compression: str, kind: str) -> None:
    assert unread(nsq.decompress, wire, compression=compression)[0] == kind


def test_snappy_skips_skippable_chunks() -> None:
    padding = b"\xfe\x02\0\0xx" + b"\x80\0\0\0" + b"\xff\x06\0\0sNaPpY"
    stream = compress(b"NOP\n", "snappy")
    assert nsq.decompress(stream[:10] + padding + stream[10:] + padding, "snappy") == b"NOP\n"
    assert nsq.decompress(compress(b"", "snappy"), "snappy") == b""


def test_invalid_option_values_are_refused() -> None:
    with pytest.raises(DecodeError, match="C2S or S2C"):
        nsq.decode_frames(b"NOP\n", direction="up")
    with pytest.raises(DecodeError, match="after the magic"):
        nsq.decode_magic(b"  V2NOP\n")


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = compress(b"NOP\n", "snappy")
    monkeypatch.setitem(__import__("sys").modules, "cramjam", None)
    with pytest.raises(MqConvertError, match=r"pip install 'mqconvert\[brokers\]'") as caught:
        nsq.decompress(stream, "snappy")
    assert caught.value.code == "missing_package"


@pytest.mark.parametrize(
    ("wire", "frame"),
    [
        (b"NOP\r\n", Nop()),
        (b"RDY\n", Rdy(1)),
        (b"RDY \n", Rdy(0)),
        (b"CLS now please\n", Cls()),
        (b"SUB t c more\n", Sub("t", "c")),
        (b"DPUB t  x\n\0\0\0\1a", Message("t", defer_ms=0, body=b"a")),
    ],
)
def test_decode_accepts_the_leniencies_of_nsqd(wire: bytes, frame: Frame) -> None:
    assert nsq.decode_frames(wire) == [frame]


def test_decode_finds_the_only_message_and_decode_all_every_one() -> None:
    delivered = Message(None, None, 1, 2, bytes(16), body=b"a", frame="message")
    assert nsq.decode(nsq.encode_frame(Response(b"_heartbeat_")) + nsq.encode(delivered)) == delivered
    batch = nsq.encode_batch([Message("t", body=b"a"), Message("t", body=b"b")])
    assert [(message.batch_index, message.batch_size) for message in nsq.decode_all(batch)] == [(0, 2), (1, 2)]
    assert nsq.encode_batch(nsq.decode_all(batch)) == batch
    assert nsq.encode(nsq.decode_all(batch)[1]) == b"PUB t\n\0\0\0\1b"
    assert nsq.encode(Message("t", defer_ms=5, batch_index=0, batch_size=2, body=b"a")).startswith(b"DPUB t 5\n")
    for wire, kind in ((batch, "several_messages"), (b"NOP\n", "no_message"), (b"\0\0\0\6\0\0\0\0OK", "no_message")):
        assert unread(nsq.decode, wire)[0] == kind


@pytest.mark.parametrize(
    ("message", "field"),
    [
        (Message(body=b"a"), "topic"),
        (Message("a/b", body=b"a"), "topic"),
        (Message("t"), "body"),
        (Message("t", defer_ms=3_600_001, body=b"a"), "defer_ms"),
        (Message(frame="message", timestamp=1, attempts=1, body=b"a"), "message_id"),
        (Message(frame="message", timestamp=1, attempts=1, message_id=b"short"), "message_id"),
        (Message(frame="message", timestamp=1, attempts=65536, message_id=bytes(16)), "attempts"),
        (Message(frame="message", timestamp=2**63, attempts=1, message_id=bytes(16)), "timestamp"),
        (Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), defer_ms=1), "defer_ms"),
        (Message("t", body=b"a", attempts=1), "attempts"),
        (Message("t", body=b"a", frame="record"), "frame"),
        (Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), batch_size=1), "batch_size"),
        (Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), batch_index=0), "batch_index"),
        (Message(5, frame="message", timestamp=1, attempts=1, message_id=bytes(16)), "topic"),  # type: ignore[arg-type]  # wrong on purpose
        (Message(None, "c$", frame="message", timestamp=1, attempts=1, message_id=bytes(16)), "channel"),
        (Message("t", "c$", body=b"a"), "channel"),
        (Fin(b"0123456789 bcdef"), "message_id"),
        (Mpub("t", []), "bodies"),
        (Mpub("t", [b"a", b""]), "bodies[1]"),
        (Sub("t", "c$"), "channel"),
        (Rdy(-1), "count"),
        (Identify(b"[]"), "body"),
        (Auth(b""), "secret"),
        (Message("t", body=bytes(64 * 2**20 + 1)), "body"),
        (Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), body=bytes(64 * 2**20 + 1)), "body"),
        (Mpub("t", [bytes(40 * 2**20)] * 2), "bodies"),
        (Response(bytes(64 * 2**20 + 1)), "data"),
        (object(), "frame"),
    ],
)
def test_encode_frame_rejects_invalid_fields(message: Any, field: str) -> None:
    assert unwritten(nsq.encode_frame, message)[1] == field


@pytest.mark.parametrize(
    ("messages", "field"),
    [
        ([], ""),
        ([Message("t", body=b"a"), Message("u", body=b"a")], "[1].topic"),
        ([Message("t", body=b"a"), Message("t", defer_ms=0, body=b"a")], "[1].defer_ms"),
        ([Message("t", body=b"a"), Message("t")], "bodies[1]"),
    ],
)
def test_encode_batch_rejects_invalid_batches(messages: list[Message], field: str) -> None:
    with pytest.raises(EncodeError) as caught:
        nsq.encode_batch(messages)
    assert caught.value.field == field
    assert messages or (caught.value.code, str(caught.value)) == ("bad_batch", "empty batch: give at least one message")


@pytest.mark.parametrize(
    ("obj", "field"),
    [
        ({}, "frame"),
        ({"frame": "PUB", "topic": "t", "body": "YQ==", "defer_ms": 1}, "frame"),
        ({"frame": "response", "data": "OK", "json": {}}, "json"),
        ({"frame": "error", "data": "E_INVALID x", "code": "E_BAD_TOPIC"}, "code"),
        ({"frame": "RDY", "count": 1, "meaning": "another"}, "meaning"),
        ({"frame": "RDY", "count": -1}, "count"),
        ({"frame": "NOP", "count": 1}, "count"),
    ],
)
def test_frame_from_json_rejects_invalid_json(obj: dict[str, Any], field: str) -> None:
    with pytest.raises(DecodeError) as caught:
        nsq.frame_from_json(obj)
    assert caught.value.field == field


def test_encode_writes_mpub_for_a_batch_of_one_and_pub_for_other_members() -> None:
    """The other batch protocols do the same. A batch of one differs from a single message (vector nsq-py-mpub-0)."""
    alone = Message("t", batch_index=0, batch_size=1, body=b"a")
    assert nsq.frame_from_json(nsq.frame_to_json(alone)) == Mpub("t", [b"a"])
    assert nsq.decode_frames(nsq.encode(alone)) == [Mpub("t", [b"a"])]
    assert nsq.decode(nsq.encode(alone)) == alone
    member = Message("t", batch_index=1, batch_size=2, body=b"a")
    assert nsq.frame_to_json(member)["frame"] == "PUB"
    assert nsq.frame_from_json(nsq.frame_to_json(member)) == member
    assert nsq.decode(nsq.encode(member)) == Message("t", body=b"a")
    with pytest.raises(EncodeError):
        nsq.frame_to_json(object())  # not a frame


def test_frame_from_json_accepts_short_forms() -> None:
    assert nsq.frame_from_json({"frame": "IDENTIFY", "json": {"client_id": "c"}}) == Identify(b'{"client_id":"c"}')
    assert nsq.frame_from_json({"frame": "error", "code": "E_BAD_PROTOCOL"}) == Error(b"E_BAD_PROTOCOL")


@pytest.mark.parametrize("compression", ["deflate", "snappy"])
@pytest.mark.parametrize("read", [nsq.decode, lambda data, **options: nsq.decode_all(data, **options)[0]])
def test_decode_takes_the_options_of_decode_frames(read: Any, compression: str) -> None:
    wire = b"PUB t\n\0\0\0\5hello"
    packed = compress(wire, compression)
    assert read(packed, compression=compression, max_decompressed=len(wire)) == Message("t", body=b"hello")
    assert read(wire, max_msg_size=5) == Message("t", body=b"hello")
    delivered = nsq.encode(Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), body=b"hello"))
    cases: list[tuple[bytes, dict[str, Any], str]] = [
        (packed, {"compression": compression, "max_decompressed": len(wire) - 1}, "too_large"),
        (wire, {"max_msg_size": 4}, "bad_message"),
        (delivered, {"max_msg_size": 4}, "bad_length"),
        (wire, {"direction": "S2C"}, "bad_length"),
        (wire, {"direction": "up"}, "bad_option"),
        (b"MPUB t\n\0\0\0\x0d\0\0\0\1\0\0\0\5hello", {"max_body_size": 12}, "bad_body"),
        (b"DPUB t 6\n\0\0\0\5hello", {"max_req_timeout_ms": 5}, "invalid_params"),
        (wire * 2, {"max_msg_size": 5}, "several_messages" if read is nsq.decode else ""),
    ]
    for raw, options, kind in cases:
        if kind:
            assert unread(read, raw, **options)[0] == kind
    if compression == "snappy":
        assert read(packed) == Message("t", body=b"hello")  # the identifier selects Snappy


@pytest.mark.parametrize("options", [{}, {"max_msg_size": 5}])
def test_the_error_for_a_second_message_has_its_offset(options: dict[str, Any]) -> None:
    wire = b"NOP\nPUB t\n\0\0\0\5hello"
    assert unread(nsq.decode, wire * 2, **options)[:2] == ("several_messages", len(wire) + len(b"NOP\n"))


def test_limits_apply_to_encoding() -> None:
    sent, alone = Message("t", body=b"hello"), Message("t", batch_index=0, batch_size=1, body=b"hello")
    delivered = Message(frame="message", timestamp=1, attempts=1, message_id=bytes(16), body=b"hello")
    for frame in (sent, alone, delivered, Mpub("t", [b"hello"]), Response(b"hello")):
        assert nsq.encode_frame(frame, max_msg_size=5, max_body_size=13)
        assert unwritten(nsq.encode_frame, frame, max_msg_size=4)[0] == "too_large"
    for command in (alone, Mpub("t", [b"hello"]), Auth(bytes(13)), Identify(b'{"a": "hello"}')):
        with pytest.raises(EncodeError) as caught:
            nsq.encode_frame(command, max_body_size=12)
        assert caught.value.code == "too_large"
    with pytest.raises(EncodeError) as caught:
        nsq.encode_batch([sent, sent], max_body_size=20)
    assert (caught.value.code, caught.value.field) == ("too_large", "bodies")


# ---- sessions, invalid members, delays ----------------------------------------------------------------------------------


def _session(side: str, compression: str, rest: bytes) -> bytes:
    """Return one side of a session: plain up to IDENTIFY or the response to it, then `rest` compressed."""
    document = b'{"feature_negotiation":true,"%b":true}' % compression.encode()
    opening = [MAGIC, nsq.encode_frame(Identify(document))] if side == "C2S" else [nsq.encode_frame(Response(document))]
    return b"".join([*opening, compress(rest, compression)])


REST = {
    "C2S": nsq.encode(Message("t", body=b"hi")) + nsq.encode(Message("t", body=b"ho")),
    "S2C": nsq.encode_frame(Response())
    + nsq.encode(Message(frame="message", timestamp=1, attempts=1, message_id=b"0" * 16, body=b"hi")),
}


@pytest.mark.parametrize("compression", ["deflate", "snappy"])
@pytest.mark.parametrize("side", REST)
def test_a_session_is_compressed_after_identify(side: str, compression: str) -> None:
    wire = _session(side, compression, REST[side])
    frames = nsq.decode_frames(wire, compression=compression)
    assert frames[-2:] == nsq.decode_frames(REST[side])
    assert nsq.decode_all(wire, compression=compression) == nsq.decode_all(REST[side])
    assert nsq.decode_all(compress(REST[side], compression), compression=compression) == nsq.decode_all(REST[side])
    with pytest.raises(DecodeError, match=f"compressed after IDENTIFY .*; try the option compression={compression}"):
        nsq.decode_all(wire)


def test_a_session_without_its_compression_stays_plain() -> None:
    refused = nsq.encode_frame(Response(b'{"deflate":false}')) + REST["S2C"]
    assert len(nsq.decode_all(refused, compression="deflate")) == 1
    with pytest.raises(DecodeError, match=r"encrypted after IDENTIFY \(tls_v1\)"):
        nsq.decode_all(nsq.encode_frame(Response(b'{"deflate":true,"tls_v1":true}')) + b"\x16\x03\x01\0\0\0\0\0")
    only = nsq.decode_frames(_session("S2C", "deflate", b"")[: -len(compress(b"", "deflate"))], compression="deflate")
    assert [type(frame) for frame in only] == [Response]


def test_a_session_is_compressed_once() -> None:
    """A later response that looks like the one to IDENTIFY changes nothing."""
    twice = nsq.encode_frame(Response(b'{"deflate":true}')) + REST["S2C"]
    assert len(nsq.decode_all(_session("S2C", "deflate", twice), compression="deflate")) == 1


def test_an_error_in_the_compressed_part_of_a_session_has_its_offset() -> None:
    wire = _session("C2S", "deflate", REST["C2S"])
    start = len(wire) - len(compress(REST["C2S"], "deflate"))
    assert unread(nsq.decode_all, wire[:start] + b"\xff" * 8, compression="deflate")[:2] == ("bad_compression", start)
    with pytest.raises(LimitError) as limited:
        nsq.decode_all(wire, compression="deflate", max_decompressed=len(REST["C2S"]) - 1)
    assert limited.value.limit == "max_decompressed"


def _outline(found: Iterable[Message | DecodeError]) -> list[Any]:
    """Return bodies of messages, and kinds and offsets of errors."""
    return [(one.kind, one.offset) if isinstance(one, DecodeError) else one.body for one in found]


def _mpub(members: bytes, count: int, size: int | None = None) -> bytes:
    return b"MPUB t\n" + pack(">ii", 4 + len(members) if size is None else size, count) + members


@pytest.mark.parametrize(
    ("members", "count", "found"),
    [
        (b"\0\0\0\1a" + b"\0\0\0\0" + b"\0\0\0\1b", 3, [b"a", ("bad_message", 20), b"b", b"hi"]),
        (b"\0\0\0\5large" + b"\0\0\0\1b", 2, [("bad_message", 15), b"b", b"hi"]),
        (b"\0\0\0\1a" + b"\xff\xff\xff\xff" + b"\0\0\0\1b", 3, [b"a", ("bad_message", 20)]),
        (b"\0\0\0\1a" + b"\0\0\0\1b", 1, [b"a", ("bad_length", 7)]),
        (b"\0\0\0\1a", 2, [b"a", ("bad_message", 20)]),
    ],
)
def test_an_invalid_member_of_an_mpub_leaves_the_others(members: bytes, count: int, found: list[Any]) -> None:
    wire = _mpub(members, count) + nsq.encode(Message("t", body=b"hi"))
    assert _outline(nsq.decode_each(wire, max_msg_size=4)) == found
    assert unread(nsq.decode_frames, wire, max_msg_size=4)[:2] == next(one for one in found if type(one) is tuple)


def test_a_truncated_mpub_gives_the_members_before_its_end() -> None:
    wire = _mpub(b"\0\0\0\1a" + b"\0\0\0\5", 2, 40)
    assert _outline(nsq.decode_each(wire)) == [b"a", ("truncated", len(wire))]


def test_an_invalid_frame_leaves_the_others() -> None:
    good = nsq.encode(Message(frame="message", timestamp=1, attempts=1, message_id=b"0" * 16, body=b"hi"))
    wire = good + pack(">ii", 8, 7) + b"type" + good + pack(">ii", 4, 2) + good
    first, second = len(good) + 4, 2 * len(good) + 12
    assert _outline(nsq.decode_each(wire)) == [b"hi", ("unknown_frame_type", first), b"hi", ("bad_message", second), b"hi"]
    with pytest.raises(DecodeError, match="unknown frame type 7"):
        nsq.decode_all(wire)
    with pytest.raises(DecodeError, match="unknown frame type 7"):
        list(nsq.decode_each_frame(wire))


@pytest.mark.parametrize("defer_ms", [-1, 3_600_001, 2**63 - 1])
def test_a_delay_beyond_the_limit_is_an_error_and_no_pub(defer_ms: int) -> None:
    for encoder in (nsq.encode, nsq.encode_frame):
        with pytest.raises(EncodeError, match=f"a delay of {defer_ms} ms, not of 0 to 3600000") as caught:
            encoder(Message("t", defer_ms=defer_ms, body=b"a"))
        assert (caught.value.code, caught.value.field) == ("bad_delay", "defer_ms")


def test_the_longest_delay_is_an_option() -> None:
    wire = b"DPUB t 86400000\n\0\0\0\1a"
    message = nsq.decode(wire, max_req_timeout_ms=86_400_000)
    assert nsq.encode(message, max_req_timeout_ms=86_400_000) == wire
    assert nsq.encode_frame(message, max_req_timeout_ms=86_400_000) == wire
    with pytest.raises(DecodeError, match=r"at most 3600000 \(max_req_timeout_ms\)"):
        nsq.decode(wire)


MPUB_OF_TWO = bytes.fromhex("4d50554220740a 00000010 00000002 00000002 6869 00000002 6f6b")


def _published(topic: bytes, word: bytes = b"PUB") -> bytes:
    return word + b" " + topic + b"\n" + len(b"hi").to_bytes(4) + b"hi"


@pytest.mark.parametrize(
    ("invalid", "kind"),
    [
        (_published(b"a/b"), "bad_topic"),
        (_published(b"a/b").replace(b"\n", b"\r\n", 1), "bad_topic"),
        (_published(b"t x", b"DPUB"), "invalid_params"),
        (MPUB_OF_TWO.replace(b" t\n", b" a/b\n"), "bad_topic"),
        (b"SUB a/b archive\n", "bad_topic"),
    ],
)
def test_commands_behind_an_invalid_one_are_read_where_its_end_is_known(invalid: bytes, kind: str) -> None:
    error, message = nsq.decode_each(invalid + _published(b"t"))
    assert isinstance(error, DecodeError)
    assert (error.kind, message) == (kind, Message("t", body=b"hi"))
    with pytest.raises(DecodeError) as caught:
        nsq.decode_frames(invalid + _published(b"t"))
    assert caught.value.kind == kind


@pytest.mark.parametrize("invalid", [b"XPUB t\n", _published(b"a/b")[:-1], b"PUB a/b\n\xff\xff\xff\xff", b"PUB a/b\n\0\0"])
def test_a_command_of_unknown_end_is_the_last(invalid: bytes) -> None:
    follows = _published(b"t") if invalid.startswith(b"X") else b""
    with pytest.raises(DecodeError):
        list(nsq.decode_each(_published(b"t") + invalid + follows))

"""The wire form: frames of the specification, of RabbitMQ's plugin and of ActiveMQ, and invalid frames."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mqconvert import (
    DecodeError,
    EncodeError,
    MqConvertError,
    decode,
    decode_all,
    decode_frames,
    encode,
    encode_frame,
    frame_from_json,
    frame_to_json,
)
from mqconvert_stomp.message import COMMANDS, Control, Message
from stomp_messages import MESSAGES, PAIRS

SENT = b"SEND\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\n\0"
"""STOMP 1.2, SEND."""
DELIVERED = b"MESSAGE\nsubscription:0\nmessage-id:007\ndestination:/queue/a\ncontent-type:text/plain\n\nhello queue a\0"
"""STOMP 1.2, MESSAGE."""
OF_RABBITMQ = (
    b"MESSAGE\nsubscription:0\ndestination:/exchange/amq.topic/a.b\nmessage-id:T_0@@session-Zx_1@@1\nredelivered:false\n"
    b"ack:T_0@@session-Zx_1@@1\nx-k:v\ncount:5\namqp-message-id:m\\c1\npriority:5\npersistent:true\n"
    b"content-type:text/plain\ncontent-length:3\n\na\0b\0\n"
)
"""A MESSAGE of RabbitMQ 4.0 for a subscription with acknowledgements."""
OF_ACTIVEMQ = (
    b"MESSAGE\nack:ID\\chost-1\nmessage-id:ID\\chost-39-1\\c2\\c1\ndestination:/queue/a\ntimestamp:1285693486217\n"
    b"expires:0\nsubscription:0\npersistent:true\npriority:4\nreply-to:/temp-queue/b\n\nhi\0\n"
)
"""A text message of ActiveMQ."""


@pytest.mark.parametrize(
    ("wire", "message"),
    [
        (SENT, Message("SEND", "/queue/a", "text/plain", body=b"hello queue a\n")),
        (DELIVERED, Message("MESSAGE", "/queue/a", "text/plain", None, None, "007", "0", body=b"hello queue a")),
        (
            OF_RABBITMQ,
            Message(
                "MESSAGE", "/exchange/amq.topic/a.b", "text/plain", None, None, "T_0@@session-Zx_1@@1", "0",
                "T_0@@session-Zx_1@@1",
                [("redelivered", "false"), ("x-k", "v"), ("count", "5"), ("amqp-message-id", "m:1"), ("priority", "5"),
                 ("persistent", "true")],
                b"a\0b",
            ),
        ),
        (
            OF_ACTIVEMQ,
            Message(
                "MESSAGE", "/queue/a", None, None, None, "ID:host-39-1:2:1", "0", "ID:host-1",
                [("timestamp", "1285693486217"), ("expires", "0"), ("persistent", "true"), ("priority", "4"),
                 ("reply-to", "/temp-queue/b")],
                b"hi",
            ),
        ),
    ],
)  # fmt: skip
def test_frames_that_brokers_write_are_read(wire: bytes, message: Message) -> None:
    assert decode("stomp", wire) == message
    assert decode("stomp", encode(message)) == message


def test_lines_may_end_with_cr_lf() -> None:
    head, end, body = SENT.partition(b"\n\n")
    assert decode("stomp", (head + end).replace(b"\n", b"\r\n") + body) == decode("stomp", SENT)


def test_the_first_of_duplicate_headers_counts_and_all_stay() -> None:
    message: Any = decode("stomp", b"SEND\ndestination:a\nk:1\ndestination:b\nk:2\ncontent-length:1\ncontent-length:7\n\nx\0")
    assert message.destination == "a"
    assert message.headers == [("k", "1"), ("destination", "b"), ("k", "2"), ("content-length", "7")]
    assert decode("stomp", encode(message)) == message


def test_decode_skips_line_ends_and_frames_without_a_message() -> None:
    row = b"\n\r\n" + SENT + b"\n\nRECEIPT\nreceipt-id:7\n\n\0\r\n" + DELIVERED
    messages: Any = decode_all("stomp", row)
    assert [message.command for message in messages] == ["SEND", "MESSAGE"]
    assert [frame.command for frame in decode_frames("stomp", row)] == ["SEND", "RECEIPT", "MESSAGE"]


def test_text_is_escaped_and_a_connect_is_not() -> None:
    message = Message(destination="a", headers=[("k:\n", "\\\r")])
    assert b"k\\c\\n:\\\\\\r\n" in encode(message)
    assert decode("stomp", encode(message)) == message
    connect = Control("CONNECT", [("passcode", "a:b\\c")])
    assert encode_frame("stomp", connect) == b"CONNECT\npasscode:a:b\\c\n\n\0"
    assert decode_frames("stomp", encode_frame("stomp", connect)) == [connect]


def test_content_length_is_omitted_when_requested_and_possible() -> None:
    text, raw = Message(destination="a", body=b"hi"), Message(destination="a", body=b"a\0b")
    assert encode(text, content_length=False) == b"SEND\ndestination:a\n\nhi\0"
    assert encode(raw, content_length=False) == encode(raw)


@pytest.mark.parametrize(
    ("wire", "kind", "offset"),
    [
        (b"", "truncated", 0),
        (b"\n", "truncated", 1),
        (b"SEND", "truncated", 4),
        (b"send\n\n\0", "unknown_command", 0),
        (b"SEND\ndestination:a", "truncated", 18),
        (b"SEND\ndestination:a\n\nbody", "truncated", 24),
        (b"SEND\ndestination:a\ncontent-length:5\n\nbody", "truncated", 41),
        (b"SEND\ndestination:a\ncontent-length:2\n\nbody\0", "bad_length", 39),
        (b"SEND\ndestination:a\ncontent-length:-1\n\nbody\0", "bad_number", 19),
        (b"SEND\ndestination:a\ncontent-length:" + b"9" * 30 + b"\n\nbody\0", "bad_number", 19),
        (b"SEND\nno header\n\n\0", "bad_header", 5),
        (b"SEND\n:a\n\n\0", "bad_header", 5),
        (b"SEND\ndestination:a\\tb\n\n\0", "bad_header", 18),
        (b"SEND\ndestination:a\\\n\n\0", "bad_header", 18),
        (b"SEND\ndestination:a\rb\n\n\0", "bad_header", 18),
        (b"SEND\ndestination:a\xff\n\n\0", "bad_utf8", 18),
        (b"\nSEND\n\nbody\0", "missing_field", 1),
        (b"MESSAGE\ndestination:a\nmessage-id:1\n\nbody\0", "missing_field", 0),
        (b"ACK\nid:5\n\nbody\0", "bad_body", 10),
        (b"ACK\nid:5\n\n\0", "no_message", 0),
        (SENT + SENT, "several_messages", len(SENT)),
        (SENT + b"\nAC", "truncated", len(SENT) + 3),
    ],
)
def test_invalid_frames_are_refused_with_kind_and_offset(wire: bytes, kind: str, offset: int) -> None:
    with pytest.raises(DecodeError) as caught:
        decode("stomp", wire)
    assert (caught.value.kind, caught.value.offset) == (kind, offset)


@pytest.mark.parametrize(
    ("limit", "wire", "kind"),
    [
        ({"max_body": 3}, b"SEND\ndestination:a\ncontent-length:4\n\nbody\0", "too_large"),
        ({"max_body": 3}, b"SEND\ndestination:a\n\nbody\0", "too_large"),
        ({"max_body": 3}, b"SEND\ndestination:a\n\nbody", "too_large"),
        ({"max_headers": 1}, b"SEND\ndestination:a\nk:v\n\nbody\0", "too_many"),
        ({"max_header": 12}, b"SEND\ndestination:a\n\nbody\0", "too_large"),
        ({"max_header": 12}, b"SEND\ndestination:aaaa", "too_large"),
        ({"max_frames": 1}, SENT + DELIVERED, "too_many"),
    ],
)
def test_limits_hold_and_are_named(limit: dict[str, int], wire: bytes, kind: str) -> None:
    with pytest.raises(DecodeError) as caught:
        decode_all("stomp", wire, **limit)
    assert caught.value.kind == kind
    ((name, value),) = limit.items()
    assert f"({name})" in caught.value.message
    if wire.endswith(b"\0"):
        decode_all("stomp", wire, **{name: value + 6})


WRONG: Any = 5


@pytest.mark.parametrize(
    ("message", "code", "field"),
    [
        (Message("NONE", "a"), "bad_value", "command"),
        (Message(), "bad_topic", "destination"),
        (Message("MESSAGE", "a", message_id="1"), "missing_field", "subscription"),
        (Message(destination="\ud800"), "bad_value", "destination"),
        (Message(destination="a", headers=[("", "v")]), "bad_property", "headers[0][0]"),
        (Message(destination="a", headers=[("k", "v"), ("receipt", "1")]), "bad_property", "headers[1][0]"),
        (Message(destination="a", headers=[("k", WRONG)]), "bad_value", "headers[0][1]"),
        (Message(destination="a", body=WRONG), "bad_value", "body"),
        (Control("SEND"), "bad_value", "command"),
        (Control("ACK", body=b"a"), "bad_body", "body"),
        (Control("CONNECT", [("k", "a\nb")]), "bad_property", "headers"),
        (Control("CONNECT", [("a:b", "c")]), "bad_property", "headers"),
    ],
)
def test_invalid_messages_are_refused_with_their_field(message: Any, code: str, field: str) -> None:
    with pytest.raises(EncodeError) as caught:
        encode_frame("stomp", message)
    assert (caught.value.code, caught.value.field) == (code, field)


def test_encode_refuses_frames_that_decode_would_refuse_as_too_large() -> None:
    with pytest.raises(MqConvertError, match="max_header"):
        encode(Message(destination="a" * 2**20))
    with pytest.raises(MqConvertError, match="max_body"):
        encode(Message(destination="a", body=b"four"), max_body=3)


CONTROLS = st.builds(Control, st.sampled_from([name for name in COMMANDS if name not in ("SEND", "MESSAGE", "ERROR")]))


@given(frame=MESSAGES | CONTROLS | st.builds(Control, st.just("ERROR"), PAIRS.map(lambda pairs: pairs or None), st.binary()))
def test_frames_round_trip(frame: Any) -> None:
    if frame.headers and any(name == "content-length" for name, _ in frame.headers):
        return  # control frames keep content-length on the wire only
    assert decode_frames("stomp", encode_frame("stomp", frame)) == [frame]
    assert frame_from_json("stomp", frame_to_json("stomp", frame)) == frame


@given(message=MESSAGES)
def test_messages_round_trip_and_their_prefixes_are_refused(message: Message) -> None:
    wire = encode(message)
    assert decode("stomp", wire) == message
    for cut in range(len(wire)):
        with pytest.raises(DecodeError):
            decode("stomp", wire[:cut])


@given(data=st.data())
def test_random_bytes_are_read_or_refused_with_an_offset(data: st.DataObject) -> None:
    wire = bytearray(encode(data.draw(MESSAGES)))
    for _ in range(data.draw(st.integers(1, 4))):
        wire[data.draw(st.integers(0, len(wire) - 1))] = data.draw(st.sampled_from(b"\0\n\r:\\5c") | st.integers(0, 255))
    try:
        frames = decode_frames("stomp", bytes(wire))
    except DecodeError as error:
        assert 0 <= (error.offset or 0) <= len(wire)  # noqa: PT017 - decoding may succeed
        return
    for frame in frames:
        assert decode_frames("stomp", encode_frame("stomp", frame)) == [frame]


@pytest.mark.parametrize("filling", [b"\n", b"k:v\n", b"a", b"\\n", b"SEND\ndestination:a\n\n\0"])
def test_long_random_input_is_read_in_linear_time(filling: bytes) -> None:
    many = filling * (2**18 // len(filling))
    for wire in (many, b"SEND\ndestination:" + many, b"SEND\n" + many, b"SEND\ndestination:a\n\n" + many):
        try:
            decode_all("stomp", wire, max_header=2**21, max_headers=2**20)
        except DecodeError as error:
            assert error.offset is not None  # noqa: PT017 - decoding may succeed

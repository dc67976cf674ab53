"""pynsq: `from_pynsq` turns the result of its decoder into the message that our decoder gives for the same frames."""

from dataclasses import replace
from typing import Any

import nsq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nsq import protocol

from mqconvert import EncodeError, convert, decode, encode
from mqconvert.clients import from_pynsq
from mqconvert.converters.protocols.nsq.message import Message

DELIVERED = st.builds(
    Message,
    timestamp=st.integers(-(2**63), 2**63 - 1),
    attempts=st.integers(0, 2**16 - 1),
    message_id=st.binary(min_size=16, max_size=16),
    body=st.binary(max_size=40),
    frame=st.just("message"),
)
SEEN = nsq.Message(b"0123456789abcdef", b"body", 1_700_000_000_000_000_000, 1)


def received(wire: bytes) -> nsq.Message:
    """Return the result of pynsq's connection for a frame without its size field."""
    kind, data = protocol.unpack_response(wire[4:])
    assert kind == protocol.FRAME_TYPE_MESSAGE
    return protocol.decode_message(data)


@given(DELIVERED)
def test_pynsq_reads_the_same_messages(message: Message) -> None:
    wire = encode(message)
    made = from_pynsq(received(wire))
    assert made == message == decode("nsq", wire)
    assert encode(made) == wire


@given(st.binary(min_size=1, max_size=40), st.sampled_from(["orders", "a.b_c-D#ephemeral"]))
def test_pynsq_sends_the_same_bytes(body: bytes, topic: str) -> None:
    assert protocol.pub(topic, body) == encode(Message(topic=topic, body=body))


def test_from_pynsq_takes_topic_and_channel_of_the_reader() -> None:
    made = from_pynsq(SEEN, "orders", "archive#ephemeral")
    assert (made.topic, made.channel) == ("orders", "archive#ephemeral")
    assert made == replace(from_pynsq(SEEN), topic="orders", channel="archive#ephemeral")
    done: Any = convert(made, "mqtt-5.0").message
    assert (done.topic_name, done.payload) == ("orders", b"body")


@pytest.mark.parametrize(
    ("field", "value", "shown"),
    [
        ("id", b"short", "message_id is b'short': not 16 bytes"),
        ("id", "0123456789abcdef", "message_id is '0123456789abcdef': not 16 bytes"),
        ("body", "text", "body is 'text': not bytes"),
        ("attempts", 2**16, "attempts is 65536: not between 0 and 65535"),
        ("attempts", None, "attempts is None: not "),
        ("timestamp", 1.5, "timestamp is 1.5: not "),
        ("timestamp", 2**63, f"timestamp is {2**63}: not between"),
    ],
)
def test_from_pynsq_rejects_invalid_fields(field: str, value: Any, shown: str) -> None:
    given_ = {"id": SEEN.id, "body": SEEN.body, "timestamp": SEEN.timestamp, "attempts": SEEN.attempts} | {field: value}
    with pytest.raises(EncodeError) as caught:
        from_pynsq(nsq.Message(**given_))
    assert shown in caught.value.message
    assert caught.value.field == ("message_id" if field == "id" else field)


@pytest.mark.parametrize("name", ["", "a/b", "x" * 65, b"orders"])
def test_from_pynsq_rejects_invalid_topics(name: Any) -> None:
    for names, field in (((name,), "topic"), (("orders", name), "channel")):
        with pytest.raises(EncodeError, match=f"^{field} is ") as caught:
            from_pynsq(SEEN, *names)
        assert caught.value.field == field

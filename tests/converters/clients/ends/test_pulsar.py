"""Ends of Pulsar without a broker: what pulsar-client can send, answers of messages, and a port without a server."""

from typing import Any

import pulsar
import pytest

from mqconvert.converters.clients.ends import DownError, Where
from mqconvert.converters.clients.ends import pulsar as ends
from mqconvert.converters.errors import EncodeError
from mqconvert.converters.protocols.pulsar.message import EncryptionKey, Message
from tests.app.move.test_files import Window


def test_everything_that_the_client_can_send_is_sent() -> None:
    message = Message(
        payload=b"body",
        properties=[("colour", "blue"), ("", "")],
        partition_key="k",
        ordering_key="é".encode(),
        event_time=2**53,
        deliver_at_time=5,
        replicate_to=["here"],
        sequence_id=7,
        producer_name="another",
    )
    content, made = ends.sendable(message, "t")
    assert content == b"body"
    assert made == {
        "properties": {"colour": "blue", "": ""},
        "partition_key": "k",
        "ordering_key": "é",
        "event_timestamp": 2**53,
        "deliver_at": 5,
        "replication_clusters": ["here"],
    }
    assert ends.sendable(Message(null_value=True), "t") == (None, {})


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"encryption_keys": [EncryptionKey("k", b"v")]}, "encryption_keys"),
        ({"partition_key": "aw==", "partition_key_b64_encoded": True}, "partition_key_b64_encoded"),
        ({"unknown": b"\xfa\x3e\x00"}, "unknown"),
        ({"chunk_id": 0, "uuid": "u"}, "uuid"),
        ({"chunk_id": 0}, "chunk_id"),
        ({"ordering_key": b"\xff"}, "ordering_key"),
        ({"partition_key": ""}, "partition_key"),
        ({"properties": [("a", "1"), ("a", "2")]}, "properties"),
    ],
)
def test_what_it_cannot_send_is_refused(fields: dict[str, Any], field: str) -> None:
    with pytest.raises(EncodeError) as error:
        ends.sendable(Message(**fields), "t")
    assert error.value.field == field


def test_a_message_without_a_topic_is_refused() -> None:
    with pytest.raises(EncodeError, match="name a topic for the target") as error:
        ends.sendable(Message(), "")
    assert error.value.code == "bad_topic"


def test_answers_are_confirmed_refused_or_end_the_connection() -> None:
    window = Window()
    target = ends._Target(Where("localhost", 1), (None,))
    target._window = window
    target._answered(1, pulsar.Result.Ok)
    target._answered(2, pulsar.Result.MessageTooBig)
    assert window.stored == [1]
    assert [(error.code, str(error)) for error in window.refusals] == [
        ("refused_by_target", "MessageTooBig: larger than the broker allows")
    ]
    with pytest.raises(DownError, match="Timeout") as down:
        target._answered(3, pulsar.Result.Timeout)
    assert not down.value.final


@pytest.mark.parametrize("role", ["source", "target"])
def test_a_port_without_a_server_is_told(role: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ends, "PATIENCE", 1)
    where = Where("127.0.0.1", 1)
    made = ends._Source(where, {"topic": "t", "subscription": "s"}) if role == "source" else ends._Target(where, ("t",))
    with pytest.raises(DownError) as down:
        made.run(Window())
    assert not down.value.final

"""The overlays of docs/choices.md, unchanged: each loads, does what its sentence says, and converts back."""

import re
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Environment, TypedValue, convert, decode, encode
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp10 import message as amqp10

TEXT = (Path(__file__).parents[2] / "docs" / "choices.md").read_text(encoding="utf-8")
OVERLAYS = dict(
    zip(
        ("clock", "reply-to", "empty", "limit", "ttl"),
        re.findall(r"^```toml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE),
        strict=True,
    )
)


def _made(message: amqp10.Message, to: str, choice: str) -> tuple[Any, Any]:
    """Return a message converted with the overlay, and its conversion back without one."""
    rules = [Overlay(f"{choice}.toml", OVERLAYS[choice])]
    done = convert(message, to, rules=rules, environment=Environment(address="t", clock=1_000))
    return done.message, convert(done.message, "amqp-1.0").message


def _message(body: bytes = b"a", **properties: Any) -> amqp10.Message:
    return amqp10.Message(
        header=amqp10.Header(durable=True, ttl=7), properties=amqp10.Properties(to="t", **properties), body=amqp10.Data([body])
    )


def test_publish_time_is_the_clock() -> None:
    made, _ = _made(_message(creation_time=5), "pulsar", "clock")
    assert made.publish_time == 1_000


def test_reply_to_is_a_property_of_mqconvert() -> None:
    made, _ = _made(_message(reply_to="q"), "rocketmq", "reply-to")
    assert dict(made.properties)["amqp-reply-to"] == "q"
    assert "REPLY_TO_CLIENT" not in dict(made.properties)


@pytest.mark.parametrize("body", [amqp10.Data([b""]), amqp10.AmqpValue(TypedValue("string", "")), None])
def test_an_empty_body_is_sent_empty(body: amqp10.Body | None) -> None:
    message = _message()
    message.body = body
    made, back = _made(message, "rocketmq", "empty")
    assert made.body == b""
    assert decode("rocketmq", encode(made)) is not None
    assert back.body == amqp10.Data([b""])


def test_the_length_limit_of_bodies_is_an_option_of_the_codec() -> None:
    made, back = _made(_message(bytes(2**22 + 1)), "rocketmq", "limit")
    assert len(encode(made, max_body=2**23)) > 2**22
    assert back.body.sections == [bytes(2**22 + 1)]


def test_the_time_to_live_is_a_property_of_mqconvert() -> None:
    made, _ = _made(_message(), "rocketmq", "ttl")
    assert dict(made.properties)["amqp-ttl"] == "7"
    assert "TTL" not in dict(made.properties)


def test_rows_named_by_the_page_exist() -> None:
    for named in re.findall(r"`(x-opt-[a-z]+-[a-z-]+)`", TEXT):
        if named in ("x-opt-pulsar-type", "x-opt-partition-key"):
            continue  # neither read nor written; the page gives the reason
        tables = (Path(__file__).parents[2] / "docs" / "tables").glob("*.md")  # rows leave their names to their files
        assert any(named in table.read_text(encoding="utf-8") for table in tables), named

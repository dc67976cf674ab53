"""Values as short texts."""

import pytest

from mqconvert import (
    Entry,
    TypedValue,
    explain,
)
from mqconvert.converters.account.explain import _Values
from mqconvert.converters.account.shown import short
from mqconvert.converters.model.values import Array, Described
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.pulsar import message as pulsar
from tests.converters.account.accounts import squeezed

_INT = TypedValue("int", 1)

_MAP = TypedValue("map", [Entry(TypedValue("symbol", "k"), "list", [_INT, TypedValue("string", "hush")])])


def test_the_beginning_of_long_text_in_bytes_is_shown() -> None:
    text = explain(mqtt5.Message(topic_name="t", payload=b"x" * 100), "nsq")
    assert f" '{'x' * 40}'… " in text
    assert "x" * 41 not in text


@pytest.mark.parametrize(
    ("body", "shown", "redacted"),
    [
        (amqp10.Data([b"hush"]), "data 'hush'", "data, 4 bytes"),
        (amqp10.Data([b""]), "data ''", "data, 0 bytes"),
        (amqp10.Data([b"hush\xff"]), "data, 5 bytes", None),
        (amqp10.Data([b"h", b""]), "data, 2 sections, 1 byte", None),
        (amqp10.AmqpSequence([[_INT, _INT], [_INT]]), "amqp-sequence, 2 sections, 3 values", None),
        (amqp10.AmqpValue(TypedValue("string", "hush")), "amqp-value string 'hush'", "amqp-value string (4 characters)"),
        (amqp10.AmqpValue(TypedValue("binary", b"hush")), "amqp-value binary 'hush'", "amqp-value binary 4 bytes"),
        (amqp10.AmqpValue(TypedValue("null", None)), "amqp-value null", None),
        (amqp10.AmqpValue(_MAP), "amqp-value map {symbol 'k': list [int 1, string 'hush']}", "amqp-value map (redacted)"),
        (
            amqp10.AmqpValue(TypedValue("array", Array("uint", [1, 2]))),
            "amqp-value array of uint [1, 2]",
            "amqp-value array (redacted)",
        ),
        (
            amqp10.AmqpValue(TypedValue("described", Described(TypedValue("symbol", "hush"), _INT))),
            "amqp-value described symbol 'hush' int 1",
            "amqp-value described (redacted)",
        ),
    ],
)
def test_bodies_are_shown_with_their_kind(body: amqp10.Body, shown: str, redacted: str | None) -> None:
    message = amqp10.Message(body=body)
    for redact, wanted in ((False, shown), (True, redacted or shown)):
        (line,) = [line for line in squeezed(explain(message, "amqp-0.9.1", redact=redact)) if line.startswith("body ")]
        assert line.startswith(f"body {wanted} ->")


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b'{\n\t"a": 1\r\n}', repr('{\n\t"a": 1\r\n}')),
        ("\U0001f468\u200d\U0001f469".encode(), repr("\U0001f468\u200d\U0001f469")),
        (b"a\x00", "2 bytes"),
        (b"\x1b[31m", "5 bytes"),
        ("\x85".encode(), "2 bytes"),
    ],
)
def test_text_of_several_lines_is_shown_and_control_characters_are_not(raw: bytes, shown: str) -> None:
    assert short(raw, redact=False) == shown


def test_a_record_is_shown_with_its_fields() -> None:
    message = pulsar.Message(encryption_keys=[pulsar.EncryptionKey("k", b"hush", [("m", "v")])])
    shown = "[{'key': 'k', 'value': 'hush', 'metadata': {'m': 'v'}}]"
    assert _Values(message, redact=False).next("encryption_keys", None) == shown
    assert _Values(message, redact=True).next("encryption_keys", None) == "(redacted)"

"""The live suite detects differences, and fails instead of skipping in CI. These tests need no broker."""

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.interop.brokers import Broker, NoBrokerError
from tests.interop.conftest import started
from tests.interop.delivery import Between, Way, compared, differences, predicted

WAY = Way("amqp-0.9.1", "classic", "amq.topic", "a.b", 0, Between(100, 200))


@pytest.mark.parametrize(
    ("message", "change"),
    [
        (amqp091.Message(payload=b"x"), {"payload": b"y"}),
        (amqp091.Message(), {"basic": amqp091.BasicProperties(priority=1)}),
        (amqp091.Message(), {"basic": amqp091.BasicProperties(headers=[])}),
        (amqp10.Message(), {"header": amqp10.Header()}),
        (amqp10.Message(body=amqp10.Data([b"x"])), {"body": amqp10.AmqpValue(TypedValue("binary", b"x"))}),
        (mqtt5.Message(), {"qos": 1}),
    ],
)
def test_a_difference_is_detected(message: Any, change: dict[str, Any]) -> None:
    assert differences(message, dataclasses.replace(message)) == []
    assert len(differences(message, dataclasses.replace(message, **change))) == 1


def test_a_different_type_is_a_difference() -> None:
    one, other = (amqp091.BasicProperties(headers=[Entry("k", type_, 1)]) for type_ in ("long", "signedint"))
    assert differences(one, other) == [f"headers: predicted {one.headers!r}, got {other.headers!r}"]


def test_headers_are_sorted_and_arrival_is_stamped() -> None:
    published = mqtt5.Message(topic_name="a/b", message_expiry_interval=60, user_properties=[("b", "1"), ("a", "2")])
    made = predicted(published, WAY)
    assert [entry.key for entry in made.basic.headers] == ["a", "b"]
    assert made.basic.timestamp == 150
    assert made.basic.timestamp != 201
    assert (made.exchange, made.routing_key) == ("amq.topic", "a.b")


def test_sections_in_a_payload_are_compared_by_value() -> None:
    short, long = b"\x00\x53\x77\xa1\x01x", b"\x00\x80" + bytes(7) + b"\x77\xb1\0\0\0\x01x"
    one, other = (amqp091.Message(amqp091.BasicProperties(type="amqp-1.0"), payload) for payload in (short, long))
    assert differences(one, other)
    assert differences(compared(one), compared(other)) == []


def _nothing() -> Broker:
    raise NoBrokerError("there is none")


@pytest.mark.parametrize("name", ["CI", "MQCONVERT_RABBITMQ"])
def test_a_missing_broker_skips_the_suite_unless_it_is_required(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    for variable in ("CI", "MQCONVERT_RABBITMQ"):
        monkeypatch.delenv(variable, raising=False)
    with pytest.raises(pytest.skip.Exception, match="no broker: there is none"):
        started(_nothing)
    monkeypatch.setenv(name, "1")
    with pytest.raises(pytest.fail.Exception, match="no broker: there is none"):
        started(_nothing)


def test_ci_requires_the_suite() -> None:
    root = Path(__file__).parents[2]
    assert "CI=1 make test-deep" in (root / ".ci" / "run").read_text()
    assert "\ntest-deep:" in (makefile := (root / "Makefile").read_text())
    assert " interop\n" in makefile.partition("\ntest-deep:")[2].partition("\n\n")[0]

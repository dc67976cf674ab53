"""`applied` and the result name the same places, in every leg of every route. Explanations print them correctly."""

from typing import Any

import pytest

from mqconvert import Entry, Environment, TypedValue, convert, explain
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.converters.account.accounts import applied, hub

CLOCK = 1_700_000_000_000

ORIGINS: dict[str, tuple[Any, str, dict[str, Any], set[tuple[str, str, str]]]] = {
    "the clock, and constants of finish rows": (
        hub(), "nsq", {"frame": "message", "clock": CLOCK},
        {("clock", "@clock", "timestamp"), ("frame-attempts", "@constant", "attempts"),
         ("frame-id", "@constant", "message_id")},
    ),
    "the producer": (
        hub(), "rocketmq", {"clock": CLOCK, "producer": "me"},
        {("group", "@producer", "producer_group"), ("clock", "@clock", "born_timestamp")},
    ),
    "the clock of a stored record": (
        hub(), "rocketmq", {"clock": CLOCK, "frame": "record"}, {("record-clock", "@clock", "store_timestamp")},
    ),
    "the caller's address": (hub(), "mqtt-5.0", {"address": "t"}, {("address", "@address", "topic_name")}),
    "the default of a field": (nsq.Message(body=b"a"), "amqp-1.0", {}, {("durable", "@constant", "header.durable")}),
    "what an absent field means": (hub(), "mqtt-5.0", {}, {("durable-absent", "@constant", "qos")}),
    "a constant beside a value": (
        amqp10.Message(body=amqp10.AmqpValue(TypedValue("boolean", True))), "mqtt-5.0", {},
        {("body-value", "body", "payload"), ("body-value", "@constant", "content_type")},
    ),
    "a constant in place of a value": (
        amqp10.Message(body=amqp10.AmqpValue(TypedValue("null", None))), "pulsar", {"clock": CLOCK},
        {("body-null", "body", "null_value"), ("body", "body", "payload")},
    ),
    "an entry of its own": (
        hub(header=amqp10.Header(priority=1)), "pulsar", {"clock": CLOCK},
        {("priority", "header.priority", 'properties["amqp-priority"]')},
    ),
    "no body at all": (
        amqp10.Message(amqp10.Header(True)), "nsq", {"payload": "envelope"}, {("envelope", "header.durable", "body")},
    ),
    "a name of the target's own": (
        hub(application_properties=[Entry("TAGS", "string", "v")]), "rocketmq", {"clock": CLOCK},
        {("application-property", 'application_properties["TAGS"]', 'properties["TAGS"]')},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("message", "target", "environment", "wanted"), ORIGINS.values(), ids=list(ORIGINS))
def test_applied_names_the_source_of_a_place(
    message: Any, target: str, environment: dict[str, Any], wanted: set[tuple[str, str, str]]
) -> None:
    assert wanted - applied(message, target, **environment) == set()


def test_a_value_that_means_unset_is_accounted_for_and_sets_nothing() -> None:
    message = hub(message_annotations=[Entry("x-opt-rocketmq-flag", "int", 0)])
    report = convert(message, "rocketmq", environment=Environment(clock=CLOCK)).report
    assert [(entry.rule, entry.note) for entry in report.accounted] == [("flag", "the same as unset")]
    assert "flag" not in {entry.target for entry in report.applied}


def test_sections_of_an_envelope_are_reported_field_by_field() -> None:
    message = hub(
        header=amqp10.Header(priority=1),
        properties=amqp10.Properties(subject="s"),
        application_properties=[Entry("k", "int", 1)],
    )
    sent = convert(message, "nsq", environment=Environment(payload="envelope", address="t")).message
    told = applied(sent, "amqp-1.0", payload="envelope")
    places = ("header.priority", "properties.subject", 'application_properties["k"]', "body")
    assert {line for line in told if line[0] == "envelope"} == {("envelope", "body", place) for place in places}


# ---- output of explanations -------------------------------------------------------------------------------------------


def lines(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]


def test_durability_is_not_attributed_to_bytes_of_a_body() -> None:
    messages = (
        nsq.Message(timestamp=1, attempts=1, message_id=b"0" * 16, body=b"hi", frame="message"),
        phpmq.Message(b"q", b"hi"),
        rocketmq.Message("t", b"hi", born_timestamp=1),
        pulsar.Message(payload=b"hi"),
    )
    for message in messages:
        (line,) = [line for line in lines(explain(message, "amqp-1.0")) if "-> header.durable" in line]
        assert line.startswith("@constant -> header.durable True ")

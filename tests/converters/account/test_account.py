"""`applied` and the result name the same places, in every leg of every route. Explanations print them correctly."""

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mqconvert import PAYLOADS, ConversionError, Entry, Environment, Route, TypedValue, convert, explain, mappings, routes
from mqconvert.converters.engine.paths import path
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.phpmq import message as phpmq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.routes import route as shortest
from mqconvert.converters.routes import tables_in_force
from tests.converters.account.accounts import applied, hub
from tests.entries import pair
from tests.strategies import DRAWN, mixed_messages

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
MAPS = ("annotations", "application-properties", "table", "utf8-pairs")
WAYS = {
    f"{route.source}-to-{route.target} {profile}": (route, profile)
    for profile in ("documented", *mappings.overlay_names())
    for route in routes()
    if profile == "documented" or route.legs != shortest(route.source, route.target, tables_in_force(profile)).legs
}
"""Every route, and again for each profile that changes it."""
ENVIRONMENTS = st.builds(
    Environment,
    address=st.sampled_from([None, None, "t", "a/b", "", "t#ephemeral", "non-persistent://a/b/c"]),
    mqtt_exchange=st.sampled_from(["amq.topic", "x"]),
    payload=st.sampled_from(PAYLOADS),
    escape=st.booleans(),
    frame=st.sampled_from([None, None, "send", "message", "record", "dispatch"]),
    clock=st.sampled_from([None, 0, 1_700_000_000_000]),
    producer=st.sampled_from(["mqconvert", ""]),
    sequence_id=st.sampled_from([0, 2**63]),
)


def places_set(message: Any) -> Iterator[str]:
    """Yield the places that a message sets: fields, and entries of its maps by their keys.

    A field is unset if it has its default (`wire(unset=...)`): None, and for some fields 0 or empty text.
    """
    for prefix, holder in [("", message), *((f"{name}.", section) for name, section in _sections(message))]:
        for field in fields(holder):
            value, place = getattr(holder, field.name), prefix + field.name
            if value is None or _is_section(field):
                continue
            if field.metadata["types"][0] in MAPS:
                yield from (path(place, key) for key, _ in map(pair, value))
            elif value != field.metadata["unset"]:
                yield place


def _is_section(field: Any) -> bool:
    return field.metadata["of"] is not None


def _sections(message: Any) -> list[tuple[str, Any]]:
    found = [(field.name, getattr(message, field.name)) for field in fields(message) if _is_section(field)]
    return [(name, section) for name, section in found if section is not None]


def same_places(message: Any, route: Route, profile: str, environment: Environment) -> None:
    """Assert that every leg's `applied` names exactly the places that its result sets."""
    try:
        done = convert(message, route.target, profile=profile, environment=environment)
    except ConversionError:
        return
    applied = done.report.applied
    for leg, made in enumerate((*done.between, done.message), 1):
        named = {entry.target for entry in applied if entry.leg == leg}
        assert named == set(places_set(made)), (route.legs[leg - 1].name, environment)


@pytest.mark.parametrize(("route", "profile"), WAYS.values(), ids=list(WAYS))
@settings(max_examples=25)
@given(data=st.data(), environment=ENVIRONMENTS)
def test_applied_names_exactly_the_places_that_are_set(
    route: Route, profile: str, data: st.DataObject, environment: Environment
) -> None:
    same_places(data.draw(DRAWN[route.source]), route, profile, environment)


@pytest.mark.parametrize("broker", BROKERS)
@pytest.mark.parametrize("way", [way for way in routes() if way.source == "amqp-1.0"], ids=lambda way: way.target)
@settings(max_examples=25)
@given(data=st.data(), environment=ENVIRONMENTS)
def test_applied_names_the_places_set_by_annotations_of_brokers(
    broker: str, way: Route, data: st.DataObject, environment: Environment
) -> None:
    """Messages of the hub with some of a broker's own annotations, which may contradict one another."""
    same_places(data.draw(mixed_messages(broker)), way, "documented", environment)


CLOCK = 1_700_000_000_000

ORIGINS: dict[str, tuple[amqp10.Message, str, dict[str, Any], set[tuple[str, str, str]]]] = {
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
    "the default of a field": (hub(), "phpmq", {}, {("send", "@constant", "type")}),
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
    message: amqp10.Message, target: str, environment: dict[str, Any], wanted: set[tuple[str, str, str]]
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
        nsq.Message(timestamp=1, attempts=1, message_id=b"0" * 16, body=b"hi"),
        phpmq.Message(1, b"q", b"hi"),
        rocketmq.Message("t", b"hi", born_timestamp=1),
        pulsar.Message(payload=b"hi"),
    )
    for message in messages:
        (line,) = [line for line in lines(explain(message, "amqp-1.0")) if "-> header.durable" in line]
        assert line.startswith("@constant -> header.durable True ")

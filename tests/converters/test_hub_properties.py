"""Properties of every message on the way to the hub and back, and over every route, checked by Hypothesis."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqconvert import PAYLOADS, PROTOCOLS, Environment, convert, decode, encode, routes
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.hub import BROKERS, differences, equal
from tests.strategies import DRAWN, mixed_messages
from tests.validity import faults

ADDRESS = Environment(address="t", clock=1_700_000_000_000)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_what_does_not_come_back_is_reported(protocol: str, data: st.DataObject) -> None:
    message: amqp10.Message = data.draw(DRAWN["amqp-1.0"])
    try:
        there = convert(message, protocol, environment=ADDRESS)
    except ConversionError:
        return
    back: Any = convert(there.message, "amqp-1.0", environment=ADDRESS)
    assert differences(message, back.message, there.report) == set(), (there.report, there.message, back.message)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_messages_of_brokers_become_well_formed_messages(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    assume(getattr(message, "marker_type", None) is None)
    there = convert(message, "amqp-1.0")
    assert faults(decode("amqp-1.0", encode(there.message))) == []


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_converted_messages_can_be_encoded(protocol: str, data: st.DataObject) -> None:
    message: amqp10.Message = data.draw(DRAWN["amqp-1.0"])
    try:
        there: Any = convert(message, protocol, environment=ADDRESS)
    except ConversionError:
        return
    again: Any = decode(protocol, encode(there.message))
    if protocol == "pulsar":
        again.topic = there.message.topic  # the topic is not on the wire
    assert equal(protocol, there.message, again)


@pytest.mark.parametrize("protocol", BROKERS)
@settings(max_examples=80)
@given(data=st.data())
def test_mixed_messages_are_reported_in_every_frame(protocol: str, data: st.DataObject) -> None:
    """Annotations contradict one another and the other fields. Every frame goes over the wire, there and back."""
    message: amqp10.Message = data.draw(mixed_messages(protocol))
    frame = data.draw(st.sampled_from([None, *PROTOCOLS[protocol].frames]))
    environment = Environment(address="t", escape=data.draw(st.booleans()), frame=frame, clock=5)
    try:
        there: Any = convert(message, protocol, environment=environment)
    except ConversionError:
        return  # test_properties.py covers refused conversions
    made: Any = decode(protocol, encode(there.message))
    back: Any = convert(made, "amqp-1.0", environment=environment)
    assert differences(message, back.message, there.report) == set(), (there.report, there.message, back.message)
    other = data.draw(st.sampled_from([name for name in PROTOCOLS if name not in (protocol, "amqp-1.0")]))
    try:
        further = convert(made, other, environment=Environment(address="t", escape=True, clock=5)).message
    except ConversionError:
        return
    assert faults(decode(other, encode(further))) in ([], ["body: 0 bytes"])


@pytest.mark.parametrize("route", [route for route in routes() if len(route.legs) > 1], ids=str)
@settings(max_examples=50)
@given(data=st.data(), escape=st.booleans(), payload=st.sampled_from(PAYLOADS))
def test_a_route_equals_its_tables_in_sequence(route: Any, data: st.DataObject, escape: bool, payload: str) -> None:
    environment = Environment(address="t", clock=1, escape=escape, payload=payload)
    message: Any = data.draw(DRAWN[route.source])
    made, noted, refused = message, list[dict[str, Any]](), None
    try:
        for number, leg in enumerate(route.legs, 1):
            done = convert(made, leg.target, environment=environment)
            made = done.message
            noted += [entry.as_dict() | {"leg": number} for entry in done.report.applied]
            noted += [entry.as_dict() | {"leg": number} for entry in done.report.lost]
    except ConversionError as error:
        refused = error
    if refused is not None:
        with pytest.raises(ConversionError) as caught:
            convert(message, route.target, environment=environment)
        assert caught.value.as_dict() == refused.as_dict()
        return
    whole = convert(message, route.target, environment=environment)
    assert repr(whole.message) == repr(made)
    assert {entry.leg for entry in whole.report.applied} <= set(range(1, len(route.legs) + 1))
    ours = [entry.as_dict() for entry in whole.report.applied] + [entry.as_dict() for entry in whole.report.lost]
    assert sorted(map(repr, ours)) == sorted(map(repr, noted))


def test_every_pair_of_protocols_has_a_route() -> None:
    seven = [name for name in PROTOCOLS if name != "mqtt-3.1.1"]
    found = {(route.source, route.target): route for route in routes()}
    pairs = [(source, target) for source in seven for target in seven if source != target]
    assert len(pairs) == 42
    for pair in pairs:
        tables = found[pair].tables
        assert len(tables) == (1 if "amqp-1.0" in pair or not set(pair) & set(BROKERS) else 2)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("target", list(PROTOCOLS))
@pytest.mark.parametrize("source", list(PROTOCOLS))
def test_a_message_converts_over_every_route(source: str, target: str, payload: str) -> None:
    hub = amqp10.Message(
        properties=amqp10.Properties(message_id=TypedValue("string", "m-1"), to="orders", subject="created"),
        application_properties=[Entry("k", "string", "v")],
        body=amqp10.Data([b"hello"]),
    )
    environment = Environment(address="orders", payload=payload, clock=1)
    first = convert(hub, source, environment=environment).message
    done = convert(decode(source, encode(first)), target, environment=environment)
    again: Any = convert(decode(target, encode(done.message)), "amqp-1.0", environment=environment).message
    enveloped = payload == "envelope" and ({source, target} & set(BROKERS))
    assert again.body == hub.body or (enveloped and b"hello" in again.body.sections[0])

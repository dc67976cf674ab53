"""What holds for every message on the way to the hub and back, and over every route: searched for by Hypothesis."""

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from mqconvert import PAYLOADS, PROTOCOLS, Environment, convert, decode, encode, routes
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.messages import amqp10, pulsar, rocketmq
from mqconvert.converters.values import TypedValue
from tests.hub import differences, equal
from tests.strategies import MESSAGES

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
ADDRESS = Environment(address="t", clock=1_700_000_000_000)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_there_and_back(protocol: str, data: st.DataObject) -> None:
    message = data.draw(MESSAGES[protocol])
    assume(getattr(message, "marker_type", None) is None)
    there = convert(message, "amqp-1.0")
    if any(not name.isascii() for name, _ in getattr(message, "ext_fields", None) or ()):
        assert {loss.field.partition("[")[0] for loss in there.report.lost} == {"ext_fields"}  # a symbol is ASCII
        return
    assert not there.report.lost
    refused = None
    try:
        back = convert(there.message, protocol)
    except ConversionError as error:
        refused = error.rule
    if refused is not None:
        assert refused in ("to-refused", "empty", "string-refused")  # what no broker takes was in a frame
        return
    assert not back.report.lost, (message, there.message)
    assert equal(protocol, message, back.message), (message, there.message, back.message)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_losses_are_what_does_not_come_back(protocol: str, data: st.DataObject) -> None:
    message: amqp10.Message = data.draw(MESSAGES["amqp-1.0"])
    message.delivery_annotations = None
    try:
        there = convert(message, protocol, environment=ADDRESS)
    except ConversionError:
        return
    back: Any = convert(there.message, "amqp-1.0", environment=ADDRESS)
    lost = {loss.field.partition("[")[0] for loss in there.report.lost}
    differ = differences(message, back.message, protocol)
    assert lost == differ, (there.report.lost, there.message, back.message)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_what_is_converted_can_be_encoded(protocol: str, data: st.DataObject) -> None:
    message: amqp10.Message = data.draw(MESSAGES["amqp-1.0"])
    try:
        there: Any = convert(message, protocol, environment=ADDRESS)
    except ConversionError:
        return
    again: Any = decode(protocol, encode(there.message))
    if protocol == "pulsar":
        again.topic = there.message.topic  # no topic stands on the wire
    assert equal(protocol, there.message, again)


@pytest.mark.parametrize("route", routes(), ids=str)
@given(data=st.data(), escape=st.booleans(), payload=st.sampled_from(PAYLOADS))
def test_a_route_is_its_tables_one_after_the_other(route: Any, data: st.DataObject, escape: bool, payload: str) -> None:
    environment = Environment(address="t", clock=1, escape=escape, payload=payload)
    message: Any = data.draw(MESSAGES[route.source])
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


def test_every_pair_of_the_seven_has_a_route_through_the_hub_or_its_own() -> None:
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
def test_a_message_over_every_route(source: str, target: str, payload: str) -> None:
    hub = amqp10.Message(
        properties=amqp10.Properties(message_id=TypedValue("string", "m-1"), to="orders", subject="created"),
        application_properties=[("k", TypedValue("string", "v"))],
        body=amqp10.Data([b"hello"]),
    )
    environment = Environment(address="orders", payload=payload)
    first = convert(hub, source, environment=environment).message
    done = convert(decode(source, encode(first)), target, environment=environment)
    again: Any = convert(decode(target, encode(done.message)), "amqp-1.0", environment=environment).message
    enveloped = payload == "envelope" and ({source, target} & {"nsq", "phpmq"})
    assert again.body == hub.body or (enveloped and b"hello" in again.body.sections[0])


# ---- examples that the properties found once ----------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["message_annotations", "application_properties", "footer"])
@pytest.mark.parametrize("protocol", ["rocketmq", "pulsar"])
def test_of_equal_keys_the_first_is_kept_and_the_second_is_a_loss(protocol: str, place: str) -> None:
    one, two = TypedValue("string", "one"), TypedValue("int", 2)
    message = amqp10.Message(body=amqp10.Data([b"a"]))
    setattr(message, place, [("x-k", one), ("x-k", two)])
    there = convert(message, protocol, environment=ADDRESS)
    assert [(loss.field, loss.reason) for loss in there.report.lost] == [(place, "second equal keys: x-k")]
    back: Any = convert(there.message, "amqp-1.0", environment=ADDRESS).message
    assert [pair for pair in getattr(back, place) if not pair[0].startswith("x-opt-")] == [("x-k", one)]


@pytest.mark.parametrize(("field", "value"), [
    ("sequence-id", TypedValue("ulong", 5)), ("sequence-id", TypedValue("list", [])), ("size", TypedValue("uint", 2)),
])  # fmt: skip
def test_annotations_of_a_batch_without_a_place_in_it_make_no_batch(field: str, value: TypedValue) -> None:
    message = amqp10.Message(message_annotations=[(f"x-opt-pulsar-batch-{field}", value)], body=amqp10.Data([b"a"]))
    made: Any = convert(message, "pulsar", environment=ADDRESS).message
    decoded: Any = decode("pulsar", encode(made))
    assert decoded.sequence_id == made.sequence_id == 0
    assert decoded.batch is made.batch is None


def test_names_with_commas_come_back() -> None:
    message = pulsar.Message("t", b"a", "p", 0, 1, replicate_to=["a,b", "c"])
    there = convert(message, "amqp-1.0")
    assert not there.report.lost
    assert convert(there.message, "pulsar").message == message


@pytest.mark.parametrize("field", ["queue-offset", "commit-log-offset", "prepared-transaction-offset"])
def test_what_only_a_stored_record_holds_is_no_field_of_a_request(field: str) -> None:
    annotation = (f"x-opt-rocketmq-{field}", TypedValue("long", 7))
    message = amqp10.Message(message_annotations=[annotation], body=amqp10.Data([b"a"]))
    there: Any = convert(message, "rocketmq", environment=ADDRESS)
    back: Any = convert(decode("rocketmq", encode(there.message)), "amqp-1.0", environment=ADDRESS)
    assert not there.report.lost
    assert annotation in back.message.message_annotations


def test_what_only_a_request_holds_is_no_field_of_a_stored_record() -> None:
    annotations: Any = [
        ("x-opt-rocketmq-store-timestamp", TypedValue("timestamp", 1)),
        ("x-opt-rocketmq-broker-name", TypedValue("string", "b")),
    ]
    message = amqp10.Message(message_annotations=annotations, body=amqp10.Data([b"a"]))
    there: Any = convert(message, "rocketmq", environment=ADDRESS)
    back: Any = convert(decode("rocketmq", encode(there.message)), "amqp-1.0", environment=ADDRESS)
    assert not there.report.lost
    assert all(pair in back.message.message_annotations for pair in annotations)


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_what_a_message_with_raw_properties_has_got_since_goes_on(protocol: str) -> None:
    twice = [("k", "1"), ("k", "2")]
    source: Any = pulsar.Message("t", b"a", "p", 1, 2, twice)
    if protocol == "rocketmq":
        source = rocketmq.Message("t", b"a", twice[1:], raw_properties="k\x011\x02k\x012\x02")
    hub: Any = convert(source, "amqp-1.0").message
    assert convert(hub, protocol).message.properties == source.properties  # type: ignore[union-attr]
    hub.application_properties.append(("trace", TypedValue("int", 5)))
    hub.properties.reply_to_group_id = "new"
    hub.body = amqp10.AmqpValue(TypedValue("uuid", bytes(16)))
    there = convert(hub, protocol)
    raw = f'message_annotations["x-opt-{protocol}-properties"]'
    assert [loss.field for loss in there.report.lost] == [raw]
    assert (raw, "raw-list" if protocol == "pulsar" else "raw-string") in {
        (line.source, line.rule) for line in there.report.applied
    }
    back: Any = convert(decode(protocol, encode(there.message)), "amqp-1.0").message
    assert back.application_properties == [("k", TypedValue("string", "2")), ("trace", TypedValue("int", 5))]
    assert (back.properties.reply_to_group_id, back.body) == ("new", hub.body)


@pytest.mark.parametrize(("protocol", "raw"), [("rocketmq", TypedValue("string", "")), ("pulsar", TypedValue("list", []))])
def test_empty_raw_properties_state_no_durability(protocol: str, raw: TypedValue) -> None:
    message = amqp10.Message(message_annotations=[(f"x-opt-{protocol}-properties", raw)], body=amqp10.Data([b"a"]))
    there = convert(message, protocol, environment=ADDRESS)
    assert [loss.field for loss in there.report.lost] == [f'message_annotations["x-opt-{protocol}-properties"]']
    assert convert(there.message, "amqp-1.0").message.header.durable is False  # type: ignore[union-attr]


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_the_type_of_a_value_that_changed_is_not_that_of_the_raw_properties(protocol: str) -> None:
    source: Any = PROTOCOLS[protocol].message(topic="t", properties=[("k", "5"), ("amqp-type.k", "int"), ("amqp-durable", "?")])
    hub: Any = convert(source, "amqp-1.0").message
    assert hub.application_properties[0] == ("k", TypedValue("int", 5))
    hub.application_properties[0] = ("k", TypedValue("string", "6"))
    hub.body = amqp10.Data([b"a"])
    back: Any = convert(convert(hub, protocol).message, "amqp-1.0").message
    assert ("k", TypedValue("string", "6")) in back.application_properties

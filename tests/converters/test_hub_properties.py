"""Properties of every message on the way to the hub and back, and over every route, checked by Hypothesis."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mqconvert import PAYLOADS, PROTOCOLS, Environment, convert, decode, encode, routes
from mqconvert.converters.engine.paths import path
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.entries import entry
from tests.hub import differences, equal, fields_of
from tests.strategies import DRAWN, mixed_messages
from tests.validity import faults

BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
ADDRESS = Environment(address="t", clock=1_700_000_000_000)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_messages_round_trip_over_the_hub(protocol: str, data: st.DataObject) -> None:
    message = data.draw(DRAWN[protocol])
    assume(getattr(message, "marker_type", None) is None)
    there = convert(message, "amqp-1.0")
    if any(not name.isascii() for name, _ in getattr(message, "ext_fields", None) or ()):
        assert {loss.field.partition("[")[0] for loss in there.report.lost} == {"ext_fields"}  # AMQP 1.0 symbols are ASCII
        return
    assert not there.report.lost
    refused = None
    try:
        back = convert(there.message, protocol)
    except ConversionError as error:
        refused = error.rule
    if refused is not None:
        assert refused in ("to-refused", "empty", "string-refused")  # the frame held a message that no broker accepts
        return
    assert not back.report.lost, (message, there.message)
    assert equal(protocol, message, back.message), (message, there.message, back.message)


@pytest.mark.parametrize("protocol", BROKERS)
@given(data=st.data())
def test_reported_losses_are_the_values_that_do_not_return(protocol: str, data: st.DataObject) -> None:
    message: amqp10.Message = data.draw(DRAWN["amqp-1.0"])
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


FRAMES: dict[str, list[str]] = {
    "nsq": ["message"], "phpmq": ["dispatch", "003"], "rocketmq": ["record"], "pulsar": ["message"]
}  # fmt: skip
STATED_DEFAULTS = {
    "x-opt-rocketmq-flag": 0, "x-opt-rocketmq-sys-flag": 0, "x-opt-rocketmq-batch-flag": 0, "x-opt-rocketmq-unit-mode": False,
    "x-opt-rocketmq-default-topic": "TBW102", "x-opt-rocketmq-default-topic-queue-nums": 4, "x-opt-rocketmq-broker-name": "",
    "x-opt-rocketmq-prepared-transaction-offset": 0, "x-opt-rocketmq-properties": "", "x-opt-rocketmq-batch-properties": "",
    "x-opt-pulsar-batch-properties": [],
}  # fmt: skip
"""Annotations with the defaults of a message without them: equal after defaults (decisions.md R10)."""


@pytest.mark.parametrize("protocol", BROKERS)
@settings(max_examples=80)
@given(data=st.data())
def test_losses_of_mixed_messages_are_reported(protocol: str, data: st.DataObject) -> None:
    """Annotations contradict one another and the other fields. Every frame goes over the wire, there and back."""
    message: amqp10.Message = data.draw(mixed_messages(protocol))
    frame = data.draw(st.sampled_from([None, None, "send", *FRAMES[protocol]]))
    environment = Environment(
        address=data.draw(st.sampled_from([None, "t", "t"])), escape=data.draw(st.booleans()), frame=frame, clock=5
    )
    try:
        there: Any = convert(message, protocol, environment=environment)
    except ConversionError:
        return  # test_properties.py covers refused conversions
    if not (topic := getattr(there.message, "topic", None) or getattr(there.message, "queue", None)):
        environment = replace(environment, address="t")
        there = convert(message, protocol, environment=environment)
        topic = "t"
    made: Any = decode(protocol, encode(there.message))
    if hasattr(made, "topic"):
        made.topic = topic  # the connection knows the topic, for Pulsar and for message frames of NSQ
    if hasattr(made, "channel"):
        made.channel = there.message.channel  # so with the channel: no frame has it
    back: Any = convert(made, "amqp-1.0", environment=replace(environment, frame=None))
    assert not back.report.lost
    before, after = fields_of(message), fields_of(back.message)
    for annotation in message.message_annotations or ():
        if STATED_DEFAULTS.get(str(annotation.key), ...) == annotation.value:
            before.pop(path("message_annotations", annotation.key), None)
    lost = {loss.field for loss in there.report.lost}
    gone = {field for field, value in before.items() if after.get(field) != value}
    gone -= {field for loss in there.report.lost for field in gone - lost if field in loss.reason}  # an annotation fills it
    assert gone - lost == {field for field in gone - lost if field.partition("[")[0] in lost}, there.report.lost
    assert {field for field in lost & before.keys() if field != "body"} <= gone, there.report.lost
    others = st.sampled_from([name for name in PROTOCOLS if name not in (protocol, "amqp-1.0")])
    other = data.draw(others)
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
    enveloped = payload == "envelope" and ({source, target} & {"nsq", "phpmq"})
    assert again.body == hub.body or (enveloped and b"hello" in again.body.sections[0])


# ---- fixed examples of the properties -----------------------------------------------------------------------------------


@pytest.mark.parametrize("place", ["message_annotations", "application_properties", "footer"])
@pytest.mark.parametrize("protocol", ["rocketmq", "pulsar"])
def test_the_first_of_equal_keys_is_kept_and_the_second_is_a_loss(protocol: str, place: str) -> None:
    one = Entry("x-k", "string", "one")
    message = amqp10.Message(body=amqp10.Data([b"a"]))
    setattr(message, place, [one, Entry("x-k", "int", 2)])
    there = convert(message, protocol, environment=ADDRESS)
    assert [(loss.field, loss.reason) for loss in there.report.lost] == [(place, "second equal keys: x-k")]
    back: Any = convert(there.message, "amqp-1.0", environment=ADDRESS).message
    assert [entry for entry in getattr(back, place) if not entry.key.startswith("x-opt-")] == [one]


@pytest.mark.parametrize(("field", "value"), [
    ("sequence-id", TypedValue("ulong", 5)), ("sequence-id", TypedValue("list", [])), ("size", TypedValue("uint", 2)),
])  # fmt: skip
def test_batch_annotations_without_an_index_are_ignored(field: str, value: TypedValue) -> None:
    message = amqp10.Message(message_annotations=[entry(f"x-opt-pulsar-batch-{field}", value)], body=amqp10.Data([b"a"]))
    made: Any = convert(message, "pulsar", environment=ADDRESS).message
    decoded: Any = decode("pulsar", encode(made))
    assert decoded.sequence_id == made.sequence_id == 0
    assert decoded.batch is made.batch is None


def test_names_with_commas_round_trip() -> None:
    message = pulsar.Message("t", b"a", "p", 0, 1, replicate_to=["a,b", "c"])
    there = convert(message, "amqp-1.0")
    assert not there.report.lost
    assert convert(there.message, "pulsar").message == message


@pytest.mark.parametrize("field", ["queue-offset", "commit-log-offset", "prepared-transaction-offset"])
def test_fields_of_stored_records_are_not_fields_of_requests(field: str) -> None:
    annotation = Entry(f"x-opt-rocketmq-{field}", "long", 7)
    message = amqp10.Message(message_annotations=[annotation], body=amqp10.Data([b"a"]))
    there: Any = convert(message, "rocketmq", environment=ADDRESS)
    back: Any = convert(decode("rocketmq", encode(there.message)), "amqp-1.0", environment=ADDRESS)
    assert not there.report.lost
    assert annotation in back.message.message_annotations


def test_fields_of_requests_are_not_fields_of_stored_records() -> None:
    annotations: Any = [
        Entry("x-opt-rocketmq-store-timestamp", "timestamp", 1),
        Entry("x-opt-rocketmq-broker-name", "string", "b"),
    ]
    message = amqp10.Message(message_annotations=annotations, body=amqp10.Data([b"a"]))
    there: Any = convert(message, "rocketmq", environment=ADDRESS)
    back: Any = convert(decode("rocketmq", encode(there.message)), "amqp-1.0", environment=ADDRESS)
    assert not there.report.lost
    assert all(pair in back.message.message_annotations for pair in annotations)


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_properties_added_beside_raw_properties_are_kept(protocol: str) -> None:
    twice = [("k", "1"), ("k", "2")]
    source: Any = pulsar.Message("t", b"a", "p", 1, 2, twice)
    if protocol == "rocketmq":
        source = rocketmq.Message("t", b"a", twice[1:], raw_properties="k\x011\x02k\x012\x02")
    hub: Any = convert(source, "amqp-1.0").message
    assert convert(hub, protocol, environment=ADDRESS).message.properties == source.properties  # type: ignore[union-attr]
    hub.application_properties.append(Entry("trace", "int", 5))
    hub.properties.reply_to_group_id = "new"
    hub.body = amqp10.AmqpValue(TypedValue("uuid", bytes(16)))
    there = convert(hub, protocol, environment=ADDRESS)
    raw = f'message_annotations["x-opt-{protocol}-properties"]'
    assert [loss.field for loss in there.report.lost] == [raw]
    assert (raw, "raw-list" if protocol == "pulsar" else "raw-string") in {
        (line.source, line.rule) for line in there.report.applied
    }
    back: Any = convert(decode(protocol, encode(there.message)), "amqp-1.0").message
    assert back.application_properties == [Entry("k", "string", "2"), Entry("trace", "int", 5)]
    assert (back.properties.reply_to_group_id, back.body) == ("new", hub.body)


@pytest.mark.parametrize("subject", ["x", ""])
def test_recorded_properties_that_contradict_the_message_are_replaced(subject: str) -> None:
    raw = Entry("x-opt-rocketmq-properties", "string", "amqp-subject\x015\x02")
    hub = amqp10.Message(message_annotations=[raw], properties=amqp10.Properties(subject=subject), body=amqp10.Data([b"a"]))
    there = convert(hub, "rocketmq", environment=ADDRESS)
    assert [loss.field for loss in there.report.lost] == ['message_annotations["x-opt-rocketmq-properties"]']
    back: Any = convert(decode("rocketmq", encode(there.message)), "amqp-1.0", environment=ADDRESS).message
    assert back.properties.subject == subject


@pytest.mark.parametrize(("protocol", "raw"), [("rocketmq", TypedValue("string", "")), ("pulsar", TypedValue("list", []))])
def test_empty_raw_properties_state_no_durability(protocol: str, raw: TypedValue) -> None:
    message = amqp10.Message(message_annotations=[entry(f"x-opt-{protocol}-properties", raw)], body=amqp10.Data([b"a"]))
    there = convert(message, protocol, environment=ADDRESS)
    assert [loss.field for loss in there.report.lost] == [f'message_annotations["x-opt-{protocol}-properties"]']
    assert convert(there.message, "amqp-1.0").message.header.durable is False  # type: ignore[union-attr]


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_a_changed_value_does_not_take_its_type_from_the_raw_properties(protocol: str) -> None:
    source: Any = PROTOCOLS[protocol].message(topic="t", properties=[("k", "5"), ("amqp-type.k", "int"), ("amqp-durable", "?")])
    hub: Any = convert(source, "amqp-1.0").message
    assert hub.application_properties[0] == Entry("k", "int", 5)
    hub.application_properties[0] = Entry("k", "string", "6")
    hub.body = amqp10.Data([b"a"])
    back: Any = convert(convert(hub, protocol, environment=ADDRESS).message, "amqp-1.0").message
    assert Entry("k", "string", "6") in back.application_properties


@pytest.mark.parametrize("key", ["k", "", "a\1b", "a\2b"])
@pytest.mark.parametrize("value", ["", "v", "v\2"])
def test_unencodable_properties_round_trip_without_the_raw_string(key: str, value: str) -> None:
    message = amqp10.Message(
        amqp10.Header(True), application_properties=[Entry(key, "string", value)], body=amqp10.Data([b"a"])
    )
    sent = convert(message, "rocketmq", environment=ADDRESS).message
    hub: Any = convert(decode("rocketmq", encode(sent)), "amqp-1.0").message
    assert hub.application_properties == message.application_properties
    assert {entry.key for entry in hub.message_annotations} == {"x-opt-rocketmq-queue-id", "x-opt-rocketmq-producer-group"}
    again = convert(hub, "rocketmq")
    assert not again.report.lost
    assert equal("rocketmq", sent, again.message)


def test_an_unnecessary_escape_round_trips() -> None:
    source = rocketmq.Message("t", b"a", [("amqp-b64.k", "=dg==")], queue_id=0, born_timestamp=1, producer_group="g")
    hub: Any = convert(source, "amqp-1.0").message
    assert hub.application_properties == [Entry("k", "string", "v")]
    assert Entry("x-opt-rocketmq-properties", "string", "amqp-b64.k\1=dg==\2") in hub.message_annotations
    assert convert(hub, "rocketmq").message == source


def _trip(
    protocol: str, annotations: dict[str, tuple[str, Any]], environment: Environment = ADDRESS, body: bytes = b"a"
) -> tuple[set[str], set[str], amqp10.Message]:
    """Return the lost annotations, those missing after a round trip, and the message after it."""
    entries = [Entry(key, *value) for key, value in annotations.items()]
    message = amqp10.Message(amqp10.Header(True), message_annotations=entries, body=amqp10.Data([body]))
    there = convert(message, protocol, environment=environment)
    back: Any = convert(decode(protocol, encode(there.message)), "amqp-1.0", environment=environment).message
    lost = {loss.field for loss in there.report.lost}
    gone = {f'message_annotations["{one.key}"]' for one in entries if one not in (back.message_annotations or ())}
    return lost, gone, back


DELIVERY = {"x-opt-pulsar-message-id": ("string", "1:2:-1:-1")}
FRAMED = Environment(address="t", frame="message", clock=1)
LOST: list[tuple[str, str, tuple[str, Any], Environment]] = [
    ("nsq", "x-opt-nsq-type", ("string", "message"), ADDRESS),
    ("nsq", "x-opt-nsq-attempts", ("ushort", 3), FRAMED),
    ("phpmq", "x-opt-phpmq-ttl", ("long", 5), ADDRESS),
    ("phpmq", "x-opt-phpmq-ttl", ("long", 0), ADDRESS),
    ("phpmq", "x-opt-phpmq-ttl", ("long", 4_294_967), ADDRESS),
    ("phpmq", "x-opt-phpmq-queue", ("binary", b"q"), Environment()),
    ("phpmq", "x-opt-phpmq-type", ("ubyte", 3), Environment(address="t", frame="send")),
    ("rocketmq", "x-opt-rocketmq-born-timestamp", ("timestamp", 5), ADDRESS),
    ("rocketmq", "x-opt-rocketmq-reconsume-times", ("int", 5), ADDRESS),
    ("rocketmq", "x-opt-rocketmq-topic", ("string", "q"), Environment(clock=1)),
    ("pulsar", "x-opt-pulsar-publish-time", ("ulong", 5), ADDRESS),
    ("pulsar", "x-opt-pulsar-partition-key", ("string", "g"), ADDRESS),
    ("pulsar", "x-opt-pulsar-topic", ("string", "q"), Environment(clock=1)),
    ("pulsar", "x-opt-pulsar-compression", ("symbol", "LZ4"), ADDRESS),
    ("pulsar", "x-opt-pulsar-replicate-to", ("list", [TypedValue("string", "a")]), ADDRESS),
    ("pulsar", "x-opt-pulsar-properties", ("list", []), ADDRESS),
]


@pytest.mark.parametrize(("protocol", "key", "value", "environment"), LOST)
def test_an_annotation_that_returns_changed_is_a_loss(
    protocol: str, key: str, value: tuple[str, Any], environment: Environment
) -> None:
    lost, gone, _ = _trip(protocol, {key: value}, environment)
    assert lost == gone == {f'message_annotations["{key}"]'}


def test_a_single_redelivery_count_round_trips() -> None:
    lost, gone, back = _trip("pulsar", DELIVERY | {"x-opt-pulsar-redelivery-count": ("uint", 5)})
    assert lost == gone == {'message_annotations["x-opt-pulsar-redelivery-count"]'}
    assert back.header is not None
    assert back.header.delivery_count == 5


KEPT: dict[str, tuple[str, dict[str, tuple[str, Any]], bytes]] = {
    "null beside no payload": ("pulsar", {"x-opt-pulsar-null-value": ("boolean", True)}, b""),
    "null beside a payload": ("pulsar", {"x-opt-pulsar-null-value": ("boolean", True)}, b"a"),
    "a size of what is compressed here": (
        "pulsar", {"x-opt-pulsar-compression": ("string", "LZ4"), "x-opt-pulsar-uncompressed-size": ("uint", 7)}, b"a"
    ),
    "a number of a batch that is none": (
        "pulsar",
        {
            "x-opt-pulsar-sequence-id": ("ulong", 8),
            "x-opt-pulsar-batch-sequence-id-derived": ("boolean", True),
            "x-opt-pulsar-batch-sequence-id": ("ulong", 7),
            "x-opt-pulsar-batch-index": ("uint", 1),
        },
        b"a",
    ),
    "a message id in another form": ("pulsar", {"x-opt-pulsar-message-id": ("string", "01:2:-1:-1")}, b"a"),
    **{
        f"no {name}": (
            "pulsar",
            {
                f"x-opt-pulsar-{name}": ("binary", b""),
                "x-opt-pulsar-batch-index": ("uint", 0),
                "x-opt-pulsar-batch-size": ("uint", 1),
                "x-opt-pulsar-batch-sequence-id": ("ulong", 1),
            },
            b"a",
        )
        for name in ("unknown", "batch-unknown", "broker-unknown")
    },
    "no names": ("pulsar", {"x-opt-pulsar-replicate-to": ("list", [])}, b"a"),
    "no indexes": ("pulsar", {"x-opt-pulsar-compacted-batch-indexes": ("list", [])}, b"a"),
    "a host that is not text": (
        "rocketmq",
        {"x-opt-rocketmq-store-timestamp": ("timestamp", 1), "x-opt-rocketmq-born-host": ("list", [])},
        b"a",
    ),
    **{
        f"the property {name} without its field": ("rocketmq", {f"x-opt-rocketmq-prop-{name}": ("string", "5")}, b"a")
        for name in ("UNIQ_KEY", "TAGS", "__SHARDINGKEY", "CORRELATION_ID", "REPLY_TO_CLIENT", "TTL", "TIMER_DELIVER_MS",
                     "TIMER_DELAY_MS", "DELAY", "KEYS")
    },
    "a magic number of no record": (
        "rocketmq",
        {"x-opt-rocketmq-store-timestamp": ("timestamp", 1), "x-opt-rocketmq-magic": ("uint", 5)},
        b"a",
    ),
    "seconds beyond the milliseconds of AMQP 1.0": ("phpmq", {"x-opt-phpmq-ttl": ("long", 4_294_968)}, b"a"),
    "a property string that is not a string": ("rocketmq", {"x-opt-rocketmq-properties": ("ubyte", 0)}, b"a"),
}  # fmt: skip


@pytest.mark.parametrize(("protocol", "annotations", "body"), KEPT.values(), ids=list(KEPT))
def test_an_unused_annotation_round_trips(protocol: str, annotations: dict[str, tuple[str, Any]], body: bytes) -> None:
    lost, gone, back = _trip(protocol, annotations, body=body)
    assert lost == gone == set()
    assert back.body == amqp10.Data([body])


@pytest.mark.parametrize(("frame", "stated"), [("dispatch", 3), ("003", 3), ("send", 1)])
def test_the_type_of_the_requested_frame_is_kept(frame: str, stated: int) -> None:
    message = amqp10.Message(
        amqp10.Header(True),
        message_annotations=[Entry("x-opt-phpmq-type", "ubyte", stated)],
        properties=amqp10.Properties(TypedValue("string", "m-1"), to="t"),
        body=amqp10.Data([b"a"]),
    )
    there = convert(message, "phpmq", environment=Environment(frame=frame))
    assert {loss.field for loss in there.report.lost} == ({"properties.message_id"} if stated == 1 else set())
    back: Any = convert(there.message, "amqp-1.0").message
    assert back.message_annotations == message.message_annotations


def test_an_empty_address_round_trips_through_pulsar() -> None:
    message = amqp10.Message(amqp10.Header(True), properties=amqp10.Properties(to=""), body=amqp10.Data([b"a"]))
    there = convert(message, "pulsar", environment=Environment(clock=1))
    assert not there.report.lost
    back: Any = convert(there.message, "amqp-1.0").message
    assert back.properties.to == ""


def test_a_member_without_a_sequence_id_has_none_after_a_round_trip() -> None:
    batch = pulsar.Batch(1, 0, 7)
    source = pulsar.Message("t", b"a", "p", None, 1, batch=batch)
    routed = convert(source, "amqp-0.9.1", rules=["preserve"])
    back: Any = convert(routed.message, "pulsar", rules=["preserve"]).message
    assert (back.sequence_id, back.batch, back.properties) == (None, batch, None)
    annotations = ("x-opt-pulsar-sequence-id", "long", 7), ("x-opt-pulsar-batch-sequence-id-derived", "boolean", True)
    place = ("x-opt-pulsar-batch-sequence-id", "ulong", 7), ("x-opt-pulsar-batch-index", "uint", 0)
    stated = {key: (type_, value) for key, type_, value in (*annotations, *place, ("x-opt-pulsar-batch-size", "uint", 1))}
    lost, gone, _ = _trip("pulsar", stated)
    assert lost == gone == {'message_annotations["x-opt-pulsar-sequence-id"]'}


RESERVED = {
    "amqp-message-id": ("a", "b"), "amqp-user-id": ("YQ==", "Yg=="), "amqp-to": ("q", "r"), "amqp-subject": ("a", "b"),
    "amqp-reply-to": ("a", "b"), "amqp-correlation-id": ("a", "b"), "amqp-content-type": ("a", "b"),
    "amqp-content-encoding": ("a", "b"), "amqp-absolute-expiry-time": ("1", "2"), "amqp-creation-time": ("1", "2"),
    "amqp-group-id": ("a", "b"), "amqp-group-sequence": ("1", "2"), "amqp-reply-to-group-id": ("a", "b"),
    "amqp-durable": ("true", "false"), "amqp-priority": ("1", "2"), "amqp-ttl": ("1", "2"),
    "amqp-first-acquirer": ("true", "false"), "amqp-delivery-count": ("1", "2"), "amqp-body": ("value-string", "value-binary"),
}  # fmt: skip


@pytest.mark.parametrize("topic", ["t", ""])
@pytest.mark.parametrize("name", RESERVED)
def test_a_duplicate_reserved_property_of_pulsar_is_not_lost(name: str, topic: str) -> None:
    one, two = RESERVED[name]
    for texts in ((one,), (one, two), (one, one), (two, one)):
        pairs = [(name, text) for text in texts]
        message = pulsar.Message(topic, b"a", "p", 1, 2, [*pairs[:1], ("k", "v"), *pairs[1:]])
        there = convert(message, "amqp-1.0")
        assert there.report.lost == ()
        back = convert(there.message, "pulsar")
        assert back.report.lost == ()
        assert equal("pulsar", message, back.message)


@pytest.mark.parametrize("name", RESERVED)
def test_a_duplicate_reserved_property_of_rocketmq_is_not_lost(name: str) -> None:
    one, two = RESERVED[name]
    for texts in ((one,), (one, two)):
        raw = "".join(f"{name}\x01{text}\x02" for text in texts)
        wire = encode(rocketmq.Message("t", b"a", queue_id=1, born_timestamp=2, producer_group="g", raw_properties=raw))
        message = decode("rocketmq", wire)
        there = convert(message, "amqp-1.0")
        back = convert(there.message, "rocketmq")
        assert there.report.lost == back.report.lost == ()
        assert back.message == message


EMPTY_BODIES: list[amqp10.Body] = [
    amqp10.Data([b""]), amqp10.Data([b"", b""]), amqp10.AmqpValue(TypedValue("string", "")),
    amqp10.AmqpValue(TypedValue("binary", b"")), amqp10.AmqpValue(TypedValue("null", None)),
]  # fmt: skip


@pytest.mark.parametrize("body", EMPTY_BODIES, ids=repr)
def test_a_marked_empty_body_of_rocketmq_keeps_its_marker(body: amqp10.Body) -> None:
    """decisions.md 8.9: the marker stands in the properties that the annotation lists (G4a)."""
    sent = encode(convert(amqp10.Message(body=body), "rocketmq", environment=ADDRESS).message)
    there = convert(decode("rocketmq", sent), "amqp-1.0")
    back = convert(there.message, "rocketmq")
    assert there.report.lost == back.report.lost == ()
    assert there.message.body == body  # type: ignore[union-attr]
    assert encode(back.message) == sent

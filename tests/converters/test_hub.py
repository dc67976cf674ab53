"""The tables between AMQP 1.0 and the four brokers, against an independent reading of the mapping, and round trips."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mqconvert import Environment, convert, converter, decode, decode_all, encode, encode_batch
from mqconvert.converters.errors import ConversionError, EncodeError, LossError, MqConvertError
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from mqconvert.converters.protocols.rocketmq.message import is_system_name
from tests.entries import entry
from tests.hub import cases, differences, equal, expected, seen, without_open
from tests.vectors import vectors

BROKERS = ["nsq", "phpmq", "rocketmq", "pulsar"]


def _decoded(protocol: str, case: dict[str, Any]) -> list[Any]:
    return decode_all(protocol, bytes.fromhex(case["input"]))


def _hub_cases(protocol: str) -> list[Any]:
    return [pytest.param(protocol, case, id=case["id"]) for case in cases(protocol)]


@pytest.mark.parametrize(("protocol", "case"), [case for broker in BROKERS for case in _hub_cases(broker)])
def test_vectors_convert_to_the_expected_hub_messages(protocol: str, case: dict[str, Any]) -> None:
    environment = Environment(address=case.get("address"))
    if case.get("error"):
        with pytest.raises(MqConvertError):
            [convert(message, "amqp-1.0", environment=environment) for message in _decoded(protocol, case)]
        return
    done = [convert(message, "amqp-1.0", environment=environment) for message in _decoded(protocol, case)]
    assert len(done) == len(case["expected"])
    if case["id"] == "rmq-batch-5-bin":  # the sixth member's bytes have WAIT, its properties do not
        done, case = done[:5], case | {"expected": case["expected"][:5]}
    if case["id"] == "made-pulsar-batch-compacted":  # decisions.md 3.1 requires a loss entry for a compacted member
        told = [[(loss.rule, loss.field) for loss in one.report.lost] for one in done]
        assert told == [[("compacted-out", "batch.compacted_out")], []]
        done[0] = convert(_decoded(protocol, case)[0], "amqp-1.0", environment=environment, on_loss="ignore")
    patterns = case.get("open") or [[]] * len(done)
    for conversion, wanted, opened in zip(done, case["expected"], patterns, strict=True):
        assert not conversion.report.lost
        message: Any = conversion.message
        got, right = seen(message), expected(wanted)
        if not case.get("ordered"):
            for side in (got, right):
                side["application_properties"].sort(key=repr)
        for side in (got, right):
            side["message_annotations"] = without_open(side["message_annotations"], opened)
        assert repr(got) == repr(right)


def _carried(protocol: str) -> list[Any]:
    """Return every vector that has messages, with these messages."""
    found = []
    for vector in vectors(protocol):
        if "malformed" in vector["tags"] or "error" in vector["fields"]:
            continue
        try:
            messages = decode_all(protocol, vector["wire"])
        except MqConvertError:
            continue  # the frame has no message
        if any(getattr(message, "marker_type", None) is not None for message in messages):
            continue  # a control record of Pulsar: see test_control_records_are_refused
        found.append(pytest.param(protocol, messages, id=vector["id"]))
    return found


@pytest.mark.parametrize(("protocol", "messages"), [case for broker in BROKERS for case in _carried(broker)])
def test_messages_round_trip_through_the_hub(protocol: str, messages: list[Any]) -> None:
    for message in messages:
        there = convert(message, "amqp-1.0")
        back = convert(there.message, protocol, environment=Environment(clock=0))  # frames without a time need a clock
        assert not there.report.lost
        assert not back.report.lost
        assert equal(protocol, message, back.message), (message, there.message, back.message)


@pytest.mark.parametrize(
    ("protocol", "escaped"),
    [("nsq", "a_2Fb_5Fc.d"), ("rocketmq", "a_2Fb_5Fc_2Ed"), ("phpmq", "a/b_c.d"), ("pulsar", "a/b_c.d")],
)
def test_escaped_addresses_round_trip(protocol: str, escaped: str) -> None:
    environment = Environment(escape=True, clock=1)
    message = amqp10.Message(properties=amqp10.Properties(to="a/b_c.d"), body=amqp10.Data([b"a"]))
    there: Any = convert(message, protocol, environment=environment).message
    assert (there.queue.decode() if protocol == "phpmq" else there.topic) == escaped
    back: Any = convert(there, "amqp-1.0", environment=environment).message
    assert back.properties.to == "a/b_c.d"


@pytest.mark.parametrize("protocol", ["nsq", "rocketmq"])
def test_an_illegal_address_names_rule_and_limit(protocol: str) -> None:
    message = amqp10.Message(properties=amqp10.Properties(to="a/b"), body=amqp10.Data([b"a"]))
    with pytest.raises(ConversionError, match=r"is 1 to \d+ .*--escape.*'a/b'") as caught:
        convert(message, protocol)
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("bad_topic", "to-refused", "properties.to")
    with pytest.raises(ConversionError) as caught:
        convert(mqtt5.Message(topic_name="a/b"), protocol)
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "address-refused")


@pytest.mark.parametrize("address", ["a" * 65, "/" * 43, "#ephemeral", ""])
@pytest.mark.parametrize("protocol", ["nsq", "rocketmq"])
def test_an_address_of_invalid_length_is_refused_even_with_escape(protocol: str, address: str) -> None:
    address = address.ljust(128, "a") if protocol == "rocketmq" and address else address
    message = amqp10.Message(properties=amqp10.Properties(to=address), body=amqp10.Data([b"a"]))
    with pytest.raises(ConversionError, match=r"is 1 to \d+ ") as caught:
        convert(message, protocol, environment=Environment(escape=True))
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "to-refused")
    with pytest.raises(ConversionError, match=r"is 1 to \d+ ") as caught:
        convert(message, protocol, environment=Environment(escape=True, address=address))
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "address-refused")


@pytest.mark.parametrize(
    "name", ["a_2Fb", "a_62", "a_b", "_5F", "a_2fb", "%RETRY%g", "a_2Fb#ephemeral", "a#ephemeral#ephemeral", "é"]
)
@pytest.mark.parametrize("protocol", ["nsq", "rocketmq"])
def test_a_name_that_looks_escaped_round_trips(protocol: str, name: str) -> None:
    """Legal names are escaped, too, if they would be read back as another name. No two names share a topic."""
    for environment, to in ((Environment(escape=True, clock=1), name), (Environment(escape=True, clock=1, address=name), None)):
        message = amqp10.Message(properties=amqp10.Properties(to=to), body=amqp10.Data([b"a"]))
        there: Any = convert(message, protocol, environment=environment).message
        back: Any = convert(decode(protocol, encode(there)), "amqp-1.0", environment=Environment(escape=True)).message
        assert back.properties.to == name


@pytest.mark.parametrize(
    ("protocol", "field"),
    [("nsq", "topic"), ("rocketmq", "topic"), ("phpmq", "queue"), ("mqtt-5.0", "topic_name"), ("mqtt-3.1.1", "topic_name")],
)
def test_a_missing_address_is_the_same_error_for_every_protocol(protocol: str, field: str) -> None:
    message = amqp10.Message(amqp10.Header(True), body=amqp10.Data([b"a"]))
    for payload in ("body", "envelope"):
        made = convert(message, protocol, environment=Environment(payload=payload, clock=1)).message
        with pytest.raises(EncodeError) as caught:
            encode(made)
        words = "no topic; name one with --address (Environment.address)"
        assert caught.value.as_dict() == {"code": "bad_topic", "message": words, "field": field}
    with pytest.raises(EncodeError, match="no topic; name one"):
        encode(rocketmq.Message(store_timestamp=1))


def test_the_address_of_a_topic_goes_on_to_the_next_table() -> None:
    done: Any = convert(mqtt5.Message(topic_name="orders", payload=b"a"), "nsq").message
    assert done.topic == "orders"
    routed: Any = convert(amqp091.Message(routing_key="orders", payload=b"a"), "phpmq").message
    assert routed.queue == b"orders"
    given: Any = convert(mqtt5.Message(topic_name="a", payload=b"a"), "nsq", environment=Environment(address="b")).message
    assert given.topic == "b"


ADDRESSES = {
    "mqtt-5.0": ("topic_name", "a/b", "q"), "mqtt-3.1.1": ("topic_name", "a/b", "q"), "pulsar": ("topic", "a/b", "q"),
    "nsq": ("topic", "a_2Fb", "q"), "rocketmq": ("topic", "a_2Fb", "q"), "phpmq": ("queue", b"a/b", b"q"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("carrier", "target"), [(carrier, target) for carrier in ("nsq", "phpmq") for target in ADDRESSES if carrier != target]
)
def test_the_address_of_an_envelope_goes_on_to_the_next_table(carrier: str, target: str) -> None:
    field, address, own = ADDRESSES[target]
    environment = Environment(payload="envelope", escape=True, clock=1)
    carried: Any = convert(mqtt5.Message(topic_name="a/b", payload=b"a"), carrier, environment=environment).message
    done: Any = convert(carried, target, environment=environment).message
    assert getattr(done, field) == address
    message = amqp10.Message(properties=amqp10.Properties(to="q"), body=amqp10.Data([b"a"]))
    carried = convert(message, carrier, environment=replace(environment, address="t")).message
    assert getattr(convert(carried, target, environment=environment).message, field) == own  # the message's own address


# ---- which frame to build (decisions.md R1) -------------------------------------------------------------------------------

PLAIN = amqp10.Message(
    amqp10.Header(True, delivery_count=2),
    properties=amqp10.Properties(TypedValue("string", "m-1"), to="t", creation_time=7000),
    body=amqp10.Data([b"a"]),
)
STORED = rocketmq.Message("t", b"a", [("TAGS", "x")], queue_id=3, born_timestamp=1, reconsume_times=0, queue_offset=5,
                          physical_offset=6, store_timestamp=7, born_host="10.0.0.1:1", store_host="10.0.0.2:2")  # fmt: skip
DELIVERED = pulsar.Message("t", b"a", "p", 1, 2, message_id="1:2:-1:-1", redelivery_count=3,
                           broker_entry_metadata=pulsar.BrokerEntryMetadata(4, 5))  # fmt: skip


def test_rocketmq_builds_the_requested_frame() -> None:
    record = convert(PLAIN, "rocketmq", environment=Environment(frame="record", clock=9))
    made: Any = record.message
    assert (made.store_timestamp, made.producer_group, made.born_timestamp, made.reconsume_times) == (9, None, 7000, 2)
    assert encode(made)[4:8] == bytes.fromhex("daa320a7")
    assert not record.report.lost
    sent: Any = convert(PLAIN, "rocketmq", environment=Environment(frame="send")).message
    assert sent == convert(PLAIN, "rocketmq").message
    assert sent.store_timestamp is None
    told = replace(PLAIN, message_annotations=[Entry("x-opt-rocketmq-type", "string", "record")])
    for clock, time in ((9, 9), (None, 7000)):  # without a clock, the message's own time counts
        done = convert(told, "rocketmq", environment=Environment(clock=clock))
        assert done.message.store_timestamp == time  # type: ignore[union-attr]
        assert [(loss.field, loss.rule) for loss in done.report.lost] == [
            ('message_annotations["x-opt-rocketmq-type"]', "frame-type")
        ]


def test_a_stored_record_can_be_sent_without_the_fields_of_the_broker() -> None:
    hub = convert(STORED, "amqp-1.0").message
    assert convert(hub, "rocketmq", environment=Environment(frame="record")).message == STORED
    done = convert(hub, "rocketmq", environment=Environment(frame="send", producer="me"))
    assert done.message == rocketmq.Message(
        "t", b"a", [("TAGS", "x")], queue_id=3, born_timestamp=1, reconsume_times=0, producer_group="me"
    )
    noted = ("queue-offset", "commit-log-offset", "store-timestamp", "born-host", "store-host")
    reason = "the target frame has no field for it"
    assert {(loss.field, loss.reason, loss.rule) for loss in done.report.lost} == {
        (f'message_annotations["x-opt-rocketmq-{name}"]', reason, "of-other-frame") for name in noted
    }
    assert decode("rocketmq", encode(done.message)) == done.message


def test_a_request_can_become_a_record_without_the_fields_of_the_sender() -> None:
    hub = convert(replace(sent(), ext_fields=[("k", "v")], unit_mode=True), "amqp-1.0").message
    done = convert(hub, "rocketmq", environment=Environment(frame="record"))
    assert {loss.field for loss in done.report.lost} == {
        f'message_annotations["x-opt-rocketmq-{name}"]' for name in ("producer-group", "ext-k", "unit-mode")
    }
    again: Any = decode("rocketmq", encode(done.message))
    assert (again.store_timestamp, again.body, again.topic) == (1, b"a", "t")


def sent() -> rocketmq.Message:
    return rocketmq.Message("t", b"a", queue_id=0, born_timestamp=1, reconsume_times=0, producer_group="g")


def test_pulsar_builds_the_requested_frame() -> None:
    hub: Any = convert(DELIVERED, "amqp-1.0").message
    assert convert(hub, "pulsar", environment=Environment(frame="message")).message == DELIVERED
    done = convert(hub, "pulsar", environment=Environment(frame="send"))
    made: Any = done.message
    assert (made.message_id, made.redelivery_count, made.broker_entry_metadata) == (None, None, None)
    assert dict(made.properties) == {"amqp-message-id": "1:2:-1:-1", "amqp-delivery-count": "3"}
    assert {(loss.field, loss.rule) for loss in done.report.lost} == {
        (f'message_annotations["x-opt-pulsar-{name}"]', "of-delivery") for name in ("message-id", "broker-timestamp", "index")
    }
    assert decode("pulsar", encode(made)).message_id is None  # type: ignore[union-attr]


@pytest.mark.parametrize("annotation", [None, TypedValue("string", "x"), TypedValue("int", 1)])
def test_the_error_for_a_pulsar_message_without_id_names_the_id(annotation: TypedValue | None) -> None:
    message = replace(PLAIN, message_annotations=[entry("x-opt-pulsar-message-id", annotation)] if annotation else None)
    with pytest.raises(ConversionError, match="x-opt-pulsar-message-id") as caught:
        convert(message, "pulsar", environment=Environment(frame="message"))
    assert (caught.value.code, caught.value.rule) == ("missing_field", "frame-without-id")
    assert convert(message, "pulsar", environment=Environment(frame="send")).message.message_id is None  # type: ignore[union-attr]


def test_phpmq_and_nsq_build_the_requested_frame() -> None:
    for frame in ("dispatch", "003"):
        dispatched: Any = convert(PLAIN, "phpmq", environment=Environment(frame=frame)).message
        assert (dispatched.type, dispatched.message_id) == (3, b"m-1")
        with pytest.raises(ConversionError, match="has the id") as caught:
            convert(amqp10.Message(body=PLAIN.body), "phpmq", environment=Environment(frame=frame))
        assert (caught.value.code, caught.value.rule) == ("missing_field", "frame-without-id")
    assert convert(PLAIN, "nsq", environment=Environment(frame="message")).message.timestamp == 7_000_000_000  # type: ignore[union-attr]
    assert convert(PLAIN, "nsq", environment=Environment(frame="send")).message.timestamp is None  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("protocol", "frame"), [("nsq", "record"), ("pulsar", "dispatch"), ("rocketmq", "message"), ("phpmq", "record")]
)
def test_a_frame_unknown_to_the_target_is_refused(protocol: str, frame: str) -> None:
    with pytest.raises(ConversionError, match=r"has the frames .* and send: ") as caught:
        convert(PLAIN, protocol, environment=Environment(frame=frame))
    assert (caught.value.code, caught.value.rule) == ("bad_option", "frame-refused")


# ---- delays and batches of NSQ ---------------------------------------------------------------------------------------


def _annotated(**values: Any) -> amqp10.Message:
    entries = [Entry(f"x-opt-{name.replace('_', '-')}", *value) for name, value in values.items()]
    return replace(PLAIN, message_annotations=entries)


@pytest.mark.parametrize(
    "value", [("long", 3_600_001), ("string", "3600001"), ("symbol", "-5"), ("string", "9" * 20), ("ulong", 2**63)]
)
def test_a_delay_beyond_the_limit_is_refused_as_text_too(value: tuple[str, Any]) -> None:
    with pytest.raises(ConversionError, match="0 to 3600000 milliseconds") as caught:
        convert(_annotated(delivery_delay=value), "nsq")
    assert (caught.value.code, caught.value.rule) == ("bad_delay", "delay-refused")


def test_a_delay_as_text_has_one_loss() -> None:
    done: Any = convert(_annotated(delivery_delay=("string", "5")), "nsq")
    assert done.message.defer_ms == 5
    fields = [loss.field for loss in done.report.lost]
    assert fields.count('message_annotations["x-opt-delivery-delay"]') == 1


@pytest.mark.parametrize(("late", "delay"), [(3_600_000, 3_600_000), (3_600_001, 3_600_000), (1, 1), (0, 0), (-1, 0)])
def test_a_delivery_time_gives_a_delay_of_at_most_an_hour(late: int, delay: int) -> None:
    done: Any = convert(_annotated(delivery_time=("long", 1000 + late)), "nsq", environment=Environment(clock=1000))
    assert done.message.defer_ms == delay


@pytest.mark.parametrize("name", ["delivery_delay", "delivery_time"])
@pytest.mark.parametrize("frame", [None, "message"])
def test_a_message_frame_has_no_delay(name: str, frame: str | None) -> None:
    message = _annotated(**{name: ("long", 5_000_000)}, nsq_timestamp=("long", 1))
    done = convert(message, "nsq", environment=Environment(frame=frame, clock=1))
    reasons = {loss.field: loss.reason for loss in done.report.lost}
    assert reasons[f'message_annotations["x-opt-{name.replace("_", "-")}"]'] == "the target frame has no field for it"
    assert decode("nsq", encode(done.message)).timestamp == 1  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "beside",
    [{}, {"nsq_batch_index": ("uint", 2)}, {"nsq_batch_index": ("uint", 0), "delivery_delay": ("long", 5)},
     {"nsq_batch_index": ("uint", 0), "nsq_timestamp": ("long", 5)}],
)  # fmt: skip
def test_a_place_in_a_batch_is_lost_without_a_batch(beside: dict[str, Any]) -> None:
    done: Any = convert(_annotated(nsq_batch_size=("uint", 2), **beside), "nsq")
    assert (done.message.batch_index, done.message.batch_size) == (None, None)
    lost = {loss.field for loss in done.report.lost}
    assert {
        f'message_annotations["x-opt-{name.replace("_", "-")}"]' for name in ("nsq_batch_size", *beside) if "batch" in name
    } <= lost
    member: Any = convert(_annotated(nsq_batch_size=("uint", 2), nsq_batch_index=("uint", 1)), "nsq").message
    assert (member.batch_index, member.batch_size) == (1, 2)


def test_a_compacted_member_is_reported_as_a_loss_outside_its_batch() -> None:
    """decisions.md 3.1: member skipped, loss entry."""
    first = pulsar.Message(payload=b"a", producer_name="p", sequence_id=3, publish_time=1)
    members = [replace(first, batch=pulsar.Batch(3, 1, 3, compacted_out=[0])), replace(first, batch=pulsar.Batch(3, 2, 3))]
    wire = encode_batch(members)
    done = [convert(message, "amqp-1.0") for message in decode_all("pulsar", wire)]
    assert [[(loss.field, loss.type, loss.rule) for loss in one.report.lost] for one in done] == [
        [("batch.compacted_out", "ints", "compacted-out")],
        [],
    ]
    assert "the broker has compacted these members" in done[0].report.lost[0].reason
    with pytest.raises(LossError):
        convert(decode_all("pulsar", wire)[0], "mqtt-5.0", on_loss="fail")


@pytest.mark.parametrize("value", [("string", "noon"), ("ulong", 2**63), ("list", []), ("binary", b"1"), ("string", "9" * 30)])
def test_an_unreadable_time_gives_a_pub_instead_of_a_message_frame(value: tuple[str, Any]) -> None:
    """decisions.md R1 and G2: a PUB, unless an annotation of the stated type, or readable as it, says otherwise."""
    message = replace(_annotated(nsq_timestamp=value), header=amqp10.Header(delivery_count=3))
    done: Any = convert(message, "nsq", environment=Environment(address="t", clock=5))
    assert done.message == nsq.Message("t", body=done.message.body)
    lost = {loss.field for loss in done.report.lost}
    assert {'message_annotations["x-opt-nsq-timestamp"]', "header.delivery_count"} <= lost
    asked: Any = convert(message, "nsq", environment=Environment(address="t", clock=5, frame="message"))
    assert (asked.message.timestamp, asked.message.attempts) == (7_000_000_000, 4)  # the creation time of the message
    assert 'message_annotations["x-opt-nsq-timestamp"]' in {loss.field for loss in asked.report.lost}


def test_a_readable_time_sets_the_milliseconds_too() -> None:
    message = replace(_annotated(nsq_timestamp=("string", "1999999")), properties=amqp10.Properties(to="t", creation_time=1))
    done: Any = convert(message, "nsq")
    assert done.message.timestamp == 1_999_999
    assert [loss.field for loss in done.report.lost] == ['message_annotations["x-opt-nsq-timestamp"]']
    late = replace(_annotated(nsq_timestamp=("string", "noon")), properties=amqp10.Properties(to="t", creation_time=2**62))
    with pytest.raises(ConversionError) as caught:
        convert(late, "nsq", environment=Environment(frame="message"))
    assert caught.value.code == "bad_time"


@pytest.mark.parametrize("sign", [1, -1])
def test_a_creation_time_beyond_64_bits_of_nanoseconds_is_refused(sign: int) -> None:
    last = 2**63 // 10**6
    for time in (last, last + 1):
        message = amqp10.Message(properties=amqp10.Properties(to="t", creation_time=sign * time), body=amqp10.Data([b"a"]))
        if time == last:
            done: Any = convert(message, "nsq", environment=Environment(frame="message")).message
            assert decode("nsq", encode(done)).timestamp == sign * last * 10**6  # type: ignore[union-attr]
            continue
        with pytest.raises(ConversionError) as caught:
            convert(message, "nsq", environment=Environment(frame="message"))
        assert (caught.value.code, caught.value.rule) == ("bad_time", "creation-time-refused")


def test_only_the_annotation_of_the_time_replaces_the_creation_time() -> None:
    message = replace(_annotated(nsq_type=("int", 0)), properties=amqp10.Properties(to="t", creation_time=0))
    done: Any = convert(message, "nsq", environment=Environment(clock=5, frame="message"))
    assert done.message.timestamp == 0
    assert ("creation-time", "timestamp") in {(row.rule, row.target) for row in done.report.applied}


@pytest.mark.parametrize(
    "message",
    [
        pulsar.Message(payload=b"a", producer_name="p", sequence_id=0, publish_time=1, ordering_key=2**40),  # type: ignore[arg-type]
        nsq.Message(5, timestamp=1, attempts=1, message_id=b"0" * 16, body=b"a"),  # type: ignore[arg-type]
    ],
)
def test_numbers_in_place_of_bytes_or_text_are_refused_with_their_field(message: Any) -> None:
    """They come from the caller. The codec reports them during the conversion or when encoding."""
    with pytest.raises((ConversionError, EncodeError)) as caught:
        encode(convert(message, "amqp-1.0").message)
    assert caught.value.field


def test_a_member_of_an_nsq_batch_converts_as_a_single_message() -> None:
    wire = bytes.fromhex("4d50554220740a 00000010 00000002 00000002 6869 00000002 6f6b")
    back: list[Any] = [convert(convert(one, "amqp-1.0").message, "nsq").message for one in decode_all("nsq", wire)]
    assert back == decode_all("nsq", wire)
    assert [encode(one) for one in back] == [b"PUB t\n\0\0\0\2hi", b"PUB t\n\0\0\0\2ok"]
    assert encode_batch(back) == wire


@pytest.mark.parametrize("by", ["mqtt-5.0", "amqp-0.9.1"])
def test_preserve_keeps_the_fields_that_the_tables_drop(by: str) -> None:
    message = amqp10.Message(
        amqp10.Header(True, 3, 7000, True, 2),
        properties=amqp10.Properties(TypedValue("uuid", bytes(16)), b"u", "t", "s", "q", None, "t", "e", 5, 7000, "g", 1, "r"),
        body=amqp10.Data([b"a"]),
    )
    there = convert(message, by, rules=["preserve"])
    back = convert(there.message, "amqp-1.0", rules=["preserve"])
    assert back.message == message
    plain: Any = convert(convert(message, by).message, "amqp-1.0").message
    assert plain.properties.subject is None
    assert convert(decode("mqtt-5.0", bytes.fromhex("3006000174006869")), "amqp-1.0", rules=["preserve"]).report.lossless()


@pytest.mark.parametrize("by", ["mqtt-5.0", "amqp-0.9.1"])
def test_preserve_keeps_fields_on_the_route_of_a_broker(by: str) -> None:
    message = rocketmq.Message("t", b"a", [("TAGS", "x"), ("UNIQ_KEY", "u"), ("__SHARDINGKEY", "g")], born_timestamp=7000)
    there = convert(message, by, rules=["preserve"])
    back: Any = convert(there.message, "rocketmq", rules=["preserve"]).message
    assert sorted(back.properties) == sorted(message.properties or [])
    assert (back.topic, back.born_timestamp) == ("t", 7000)


@pytest.mark.parametrize("protocol", ["pulsar", "rocketmq"])
def test_a_topic_other_than_the_address_of_the_caller_stays_an_annotation(protocol: str) -> None:
    environment = Environment(address="t")
    message = _annotated(**{f"{protocol}_topic": ("string", "other")})
    there: Any = convert(message, protocol, environment=environment)
    assert there.message.topic == "t"
    place = f'message_annotations["x-opt-{protocol}-topic"]'
    assert place not in {loss.field for loss in there.report.lost}
    back: Any = convert(there.message, "amqp-1.0", environment=environment)
    assert Entry(f"x-opt-{protocol}-topic", "string", "other") in back.message.message_annotations


@pytest.mark.parametrize(("text", "own"), [("a", 5), ("", 0), ("a\x01b", 0), ("a\x02b", 0)])
def test_unencodable_properties_get_no_reserved_name_of_rocketmq(text: str, own: int) -> None:
    ids: dict[str, Any] = {name: TypedValue("string", text) for name in ("message_id", "correlation_id")}
    texts: dict[str, Any] = dict.fromkeys(("subject", "reply_to", "group_id"), text)
    message = replace(PLAIN, properties=amqp10.Properties(to="t", creation_time=5, **ids, **texts))
    there: Any = convert(message, "rocketmq")
    assert sum(is_system_name(name.removeprefix("amqp-b64.")) for name, _ in there.message.properties) == own
    assert convert(decode("rocketmq", encode(there.message)), "amqp-1.0").message.properties == message.properties  # type: ignore[union-attr]


def test_rocketmq_refuses_more_than_four_mebibytes() -> None:
    made: Any = convert(replace(PLAIN, body=amqp10.Data([bytes(2**22)])), "rocketmq").message
    assert len(made.body) == 2**22
    with pytest.raises(ConversionError) as refused:
        convert(replace(PLAIN, body=amqp10.Data([bytes(2**22 + 1)])), "rocketmq")
    assert (refused.value.code, refused.value.rule) == ("too_large", "body-refused")


@pytest.mark.parametrize(("tags", "own"), [("a||b", True), ("a", False)])
def test_tags_come_from_their_annotation_only_if_the_subject_cannot_hold_them(tags: str, own: bool) -> None:
    made: Any = convert(_annotated(rocketmq_prop_TAGS=("string", tags)), "rocketmq").message
    assert (("TAGS", tags) in made.properties) is own


def test_tags_beside_another_subject_stay_an_annotation() -> None:
    done: Any = convert(rocketmq.Message("t", b"a", [("TAGS", "x"), ("amqp-subject", "y")], born_timestamp=1), "amqp-1.0")
    assert done.message.properties.subject == "y"
    assert Entry("x-opt-rocketmq-prop-TAGS", "string", "x") in done.message.message_annotations
    assert not done.report.dropped


@pytest.mark.parametrize("end", ["", "\2", "\2\2\2"], ids=["no separator", "a separator", "empty entries"])
def test_a_property_string_has_at_most_32767_bytes(end: str) -> None:
    """RocketMQ's clients write it with and without a separator at its end."""
    value = "v" * (32_767 - len("k\1") - len(end))
    source = rocketmq.Message("t", b"a", [("k", value)], raw_properties="k\1" + value + end, born_timestamp=1)
    read: Any = decode("rocketmq", encode(source))
    hub: Any = convert(read, "amqp-1.0").message
    assert convert(hub, "rocketmq").message == read
    longer = replace(source, properties=[("k", value + "v")], raw_properties="k\1" + value + "v" + end)
    with pytest.raises(EncodeError, match="32767"):
        encode(longer)
    with pytest.raises(ConversionError) as caught:
        convert(convert(longer, "amqp-1.0").message, "rocketmq")
    assert (caught.value.code, caught.value.rule) == ("too_large", "properties-refused" if end == "\2" else "string-refused")


@pytest.mark.parametrize("protocol", ["rocketmq", "pulsar"])
@pytest.mark.parametrize(
    "name",
    ["x-opt-{}-k", "x-opt-delivery-time", "x-opt-delivery-delay", "x-k", "k", "amqp-ap.x-k", "amqp-ma.k", "amqp-ft.k"],
)
def test_the_last_of_duplicate_properties_stays(protocol: str, name: str) -> None:
    name = name.format(protocol)
    twins = [(name, "1"), (name, "2")]
    source = (
        pulsar.Message("t", b"a", "p", 1, 2, twins)
        if protocol == "pulsar"
        else rocketmq.Message("t", b"a", twins, born_timestamp=1)
    )
    made: Any = convert(source, "amqp-1.0").message
    entries = [*(made.application_properties or []), *(made.message_annotations or []), *(made.footer or [])]
    assert [entry.value for entry in entries if entry.key in (name, name[8:])] == ["2"]


@pytest.mark.parametrize("durable", [None, False])
def test_a_topic_that_is_not_persistent_needs_no_property_for_durable(durable: bool | None) -> None:
    environment = Environment(address="non-persistent://public/default/t", clock=1)
    own = Entry("x-opt-pulsar-topic", "string", "persistent://public/default/own")
    for annotations in (None, [own]):
        message = amqp10.Message(amqp10.Header(durable), message_annotations=annotations, body=amqp10.Data([b"a"]))
        done: Any = convert(message, "pulsar", environment=environment)
        assert not done.report.lost
        assert "amqp-durable" not in dict(done.message.properties or [])
        back: Any = convert(done.message, "amqp-1.0").message
        assert not back.header.durable


def test_nsq_refuses_an_empty_message() -> None:
    empty = replace(PLAIN, body=amqp10.Data([b""]))
    with pytest.raises(ConversionError) as refused:
        convert(empty, "nsq")
    assert (refused.value.code, refused.value.rule, refused.value.field) == ("bad_message", "empty", "body")
    for environment in (Environment(payload="envelope"), Environment(frame="message")):
        back: Any = convert(convert(empty, "nsq", environment=environment).message, "amqp-1.0", environment=environment)
        assert back.message.body == empty.body


@pytest.mark.parametrize("topic", ["t", "t#ephemeral"])
def test_the_topic_of_nsq_overrides_the_address_of_the_caller(topic: str) -> None:
    done: Any = convert(nsq.Message(topic, body=b"a"), "amqp-1.0", environment=Environment(address="other"))
    assert (done.message.properties.to, done.message.header.durable) == (topic, topic == "t")
    assert done.report.dropped == ()  # reports omit unused values of the caller


UNREADABLE = {
    "priority": "256", "ttl": "-1", "first-acquirer": "yes", "delivery-count": "4294967296", "message-id": "x",
    "message-id-type": "ulong", "user-id": "?", "content-encoding": "\u00e9", "absolute-expiry-time": "+5",
    "creation-time": "", "group-sequence": "1.5",
}  # fmt: skip
"""Texts that `preserve` would not have written, by field."""


def test_annotations_not_written_by_preserve_stay_annotations() -> None:
    pairs = [(f"x-opt-amqp-{name}", text) for name, text in UNREADABLE.items()]
    message = mqtt5.Message(topic_name="t", response_topic="a/b", user_properties=[*pairs, ("x-opt-amqp-reply-to", "q")])
    done: Any = convert(message, "amqp-1.0", rules=["preserve"])
    assert done.report.lossless()
    assert done.message.header == amqp10.Header(durable=False)
    assert done.message.properties == amqp10.Properties(reply_to="/exchanges/amq.topic/a.b")  # the message's own response topic
    wanted = [Entry(name, "string", text) for name, text in message.user_properties or ()]
    assert done.message.message_annotations == wanted


@pytest.mark.parametrize(
    "name", ["pulsar-event-time", "pulsar-broker-timestamp", "rocketmq-store-timestamp", "rocketmq-born-timestamp"]
)
def test_preserve_keeps_times_of_brokers_as_times(name: str) -> None:
    message = _annotated(**{name: ("timestamp", 1_700_000_000_123)})
    there: Any = convert(message, "mqtt-5.0", rules=["preserve"], environment=Environment(address="t"))
    assert (f"x-opt-{name}", "1700000000123") in there.message.user_properties
    back: Any = convert(there.message, "amqp-1.0", rules=["preserve"])
    assert back.message.message_annotations == message.message_annotations


@pytest.mark.parametrize("profile", ["documented", "rabbitmq-4.0"])
def test_times_in_annotations_over_mqtt_are_exact_or_reported(profile: str) -> None:
    """RabbitMQ writes seconds, our reader takes milliseconds (decisions.md G2): with `preserve` both are milliseconds."""
    for protocol, field, message in (
        ("pulsar", "event_time", pulsar.Message("t", b"a", "p", 1, 2, event_time=1_700_000_000_123)),
        ("rocketmq", "store_timestamp", rocketmq.Message("t", b"a", store_timestamp=1_700_000_000_000, born_timestamp=5)),
    ):
        there = convert(message, "mqtt-5.0", profile=profile)
        back = convert(there.message, protocol, profile=profile, environment=Environment(clock=1))
        place = f'message_annotations["x-opt-{protocol}-{field.replace("_", "-")}"]'
        assert [loss.reason for loss in back.report.lost if loss.field == place and "seconds to MQTT" in loss.reason]
        kept = convert(message, "mqtt-5.0", profile=profile, rules=["preserve"]).message
        again = convert(kept, protocol, profile=profile, rules=["preserve"], environment=Environment(clock=1)).message
        assert getattr(again, field) == getattr(message, field)


def test_control_records_are_refused() -> None:
    with pytest.raises(ConversionError, match="control record") as caught:
        convert(pulsar.Message(payload=b"", marker_type=19), "amqp-1.0")
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("control_record", "control-record", "marker_type")


@pytest.mark.parametrize("protocol", BROKERS)
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("amqp")])
def test_hub_messages_round_trip(protocol: str, case: dict[str, Any]) -> None:
    message: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
    environment = Environment(address=case.get("address"), clock=1)
    losses = case["losses"][protocol]
    if losses is None:
        with pytest.raises((ConversionError, EncodeError)):
            encode(convert(message, protocol, environment=environment).message)
        return
    there: Any = convert(message, protocol, environment=environment)
    wire = encode(there.message)
    carried: Any = decode(protocol, wire)
    if protocol == "pulsar":
        carried.topic = there.message.topic  # the topic is known to the connection, not on the wire
    back: Any = convert(carried, "amqp-1.0", environment=environment)
    assert not back.report.lost
    lost = {loss.field.partition("[")[0] for loss in there.report.lost} | {
        loss.field.partition(".")[0] for loss in there.report.lost if loss.field.startswith("body")
    }
    assert set(losses) <= lost
    assert lost <= set(losses) | set(case["may"].get(protocol, ()))
    assert differences(message, back.message, protocol) <= lost


@pytest.mark.parametrize("protocol", ["nsq", "phpmq"])
@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases("amqp")])
def test_an_envelope_keeps_all_fields(protocol: str, case: dict[str, Any]) -> None:
    message: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
    environment = Environment(address=case.get("address") or "t", payload="envelope")
    there = converter("amqp-1.0", protocol).convert(message, environment)
    assert not there.report.lost
    back = convert(decode(protocol, encode(there.message)), "amqp-1.0", environment=environment)
    assert repr(back.message) == repr(message)  # compare the repr, since NaN differs from NaN
    assert not back.report.lost


UNTIMED = amqp10.Message(body=amqp10.Data([b"a"]))


@pytest.mark.parametrize(
    ("target", "frame", "field"),
    [
        ("pulsar", None, "publish_time"),
        ("rocketmq", None, "born_timestamp"),
        ("rocketmq", "record", "born_timestamp"),
        ("nsq", "message", "timestamp"),
    ],
)
def test_a_required_time_comes_from_the_message_then_the_clock_or_is_refused(
    target: str, frame: str | None, field: str
) -> None:
    environment = Environment(address="t", frame=frame)
    with pytest.raises(ConversionError, match=r"Environment\(clock=\.\.\.\), --clock") as refused:
        convert(UNTIMED, target, environment=environment)
    assert (refused.value.code, refused.value.field) == ("missing_field", field)
    unit = 10**6 if target == "nsq" else 1
    timed = replace(environment, clock=5)
    assert getattr(convert(UNTIMED, target, environment=timed).message, field) == 5 * unit
    assert getattr(convert(UNTIMED, target, environment=replace(environment, clock=0)).message, field) == 0
    own = replace(UNTIMED, properties=amqp10.Properties(creation_time=7))
    for chosen in (environment, timed):
        assert getattr(convert(own, target, environment=chosen).message, field) == 7 * unit


def test_a_stored_record_without_any_time_is_refused() -> None:
    pairs = {"type": TypedValue("string", "record"), "born-timestamp": TypedValue("timestamp", 5)}
    annotations = [entry(f"x-opt-rocketmq-{name}", value) for name, value in pairs.items()]
    with pytest.raises(ConversionError) as refused:
        convert(replace(UNTIMED, message_annotations=annotations), "rocketmq")
    assert (refused.value.code, refused.value.field) == ("missing_field", "store_timestamp")


@pytest.mark.parametrize(("target", "name"), [("nsq", "delivery-time"), ("pulsar", "delivery-delay")])
def test_a_delay_or_time_that_needs_a_clock_is_lost_without_one(target: str, name: str) -> None:
    message = replace(PLAIN, message_annotations=[Entry(f"x-opt-{name}", "long", 5)])
    reasons = [loss.reason for loss in convert(message, target).report.lost if name in loss.field]
    assert len(reasons) == 1
    assert "no clock" in reasons[0]
    assert "no clock" not in str(convert(message, target, environment=Environment(clock=0)).report.lost)


@pytest.mark.parametrize("protocol", ["nsq", "phpmq"])
@pytest.mark.parametrize(
    ("place", "field"),
    [
        *((f"{name}[k]", name) for name in ("delivery_annotations", "message_annotations", "application_properties", "footer")),
        ("header.ttl", "header"),
        ("properties.group_id", "properties"),
    ],
)
def test_a_row_after_an_envelope_changes_none_of_its_sections(protocol: str, place: str, field: str, tmp_path: Path) -> None:
    of, removed = {"nsq": ("channel", ["channel"]), "phpmq": ("ttl", ["ttl", "ttl-other"])}[protocol]
    value = "via = 'constant 5'" if place == "header.ttl" else "via = 'constant \"v\"'"
    type_ = ', as = "string"' if "[" in place else ""
    overlay = tmp_path / "more.toml"
    row = f'{{ after = "envelope", id = "more", from = "{of}", to = "{place}"{type_}, {value}, more = true }}'
    overlay.write_text(
        f'title = "More"\ncites = ["x"]\n["{protocol} -> amqp-1.0"]\nremove = {removed}\nrules = [\n  {row},\n]\n', "utf-8"
    )
    sections = {
        "header": amqp10.Header(True),
        "properties": amqp10.Properties(to="q"),
        **{name: [Entry("x-k", "int", 1)] for name in ("delivery_annotations", "message_annotations", "footer")},
        "application_properties": [Entry("x-k", "int", 1)],
    }
    message = amqp10.Message(body=amqp10.Data([b"b"]), **sections)  # type: ignore[arg-type]
    environment = Environment(address="t", payload="envelope", frame="send")
    sent: Any = convert(message, protocol, environment=environment).message
    sent = replace(sent, channel="c") if protocol == "nsq" else replace(sent, ttl=1)
    back = convert(sent, "amqp-1.0", rules=overlay, environment=environment)
    assert back.message == message
    assert ("more", "replaced by envelope") in {(drop.rule, drop.note) for drop in back.report.dropped}
    plain: Any = convert(replace(sent, **{"body" if protocol == "nsq" else "content": b"a"}), "amqp-1.0", rules=overlay)
    assert getattr(plain.message, field)

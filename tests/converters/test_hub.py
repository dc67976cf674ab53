"""The tables between AMQP 1.0 and the four brokers, against an independent reading of the mapping, and round trips."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from mqconvert import PROTOCOLS, Environment, convert, converter, decode, decode_all, encode, encode_batch
from mqconvert.converters.errors import ConversionError, EncodeError, LossError, Remedy
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq
from tests.hub import BROKERS, cases, expected, run, runs, to_hub, wanted


@pytest.mark.parametrize(
    ("protocol", "case"), [pytest.param(broker, case, id=case["id"]) for broker in BROKERS for case in cases(broker)]
)
def test_messages_of_brokers_become_the_expected_messages(protocol: str, case: dict[str, Any]) -> None:
    assert to_hub(protocol, case) == expected(case)


@pytest.mark.parametrize(("case", "one"), [pytest.param(case, one, id=name) for name, case, one in runs()])
def test_messages_of_the_hub_return_as_expected_and_report_the_rest(case: dict[str, Any], one: dict[str, Any]) -> None:
    assert run(case, one) == wanted(one)


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
    with pytest.raises(ConversionError, match=r"is 1 to \d+ .*'a/b' \(.*; try the option escape=true") as caught:
        convert(message, protocol)
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("bad_topic", "to-refused", "properties.to")
    with pytest.raises(ConversionError) as caught:
        convert(mqtt5.Message(topic_name="a/b"), protocol)
    assert (caught.value.code, caught.value.rule) == ("bad_topic", "address-refused")


@pytest.mark.parametrize(
    ("to", "remedy"), [("", None), ("/" * 128, None), ("é", Remedy("escape", "true")), ("a/b", Remedy("escape", "true"))]
)
@pytest.mark.parametrize("protocol", ["nsq", "rocketmq"])
def test_an_error_names_escape_only_where_it_helps(protocol: str, to: str, remedy: Remedy | None) -> None:
    message = amqp10.Message(properties=amqp10.Properties(to=to), body=amqp10.Data([b"a"]))
    for given in (Environment(), Environment(address=to)):
        with pytest.raises(ConversionError) as caught:
            convert(message, protocol, environment=given)
        assert (caught.value.remedy, "try" in str(caught.value)) == (remedy, remedy is not None)
    with pytest.raises(ConversionError) as empty:
        convert(mqtt5.Message(topic_name="t"), protocol)
    assert empty.value.remedy == Remedy("payload", "envelope")


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
        words = f"no topic in {field}; try the option address"
        remedy = {"option": "address"}
        assert caught.value.as_dict() == {"code": "bad_topic", "message": words, "field": field, "remedy": remedy}
    with pytest.raises(EncodeError, match="no topic in topic; try the option address"):
        encode(rocketmq.Message(store_timestamp=1, frame="record"))


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
    ("carrier", "target"), [(carrier, target) for carrier in BROKERS for target in ADDRESSES if carrier != target]
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


# ---- which frame to build ------------------------------------------------------------------------------------------------

PLAIN = amqp10.Message(
    amqp10.Header(True, delivery_count=2),
    properties=amqp10.Properties(TypedValue("string", "m-1"), to="t", creation_time=7000),
    body=amqp10.Data([b"a"]),
)


OF_FRAMES: list[tuple[str, str, str, str, Any]] = [
    ("nsq", "message", "attempts", "header.delivery_count", 3),
    ("nsq", "message", "timestamp", "properties.creation_time", 7_000_000_000),
    ("nsq", "send", "defer_ms", 'message_annotations["x-opt-delivery-delay"]', 5),
    ("phpmq", "dispatch", "message_id", "properties.message_id", b"m-1"),
    ("rocketmq", "record", "queue_offset", 'message_annotations["x-opt-rocketmq-queue-offset"]', 5),
    ("rocketmq", "send", "producer_group", 'message_annotations["x-opt-rocketmq-producer-group"]', "g"),
    ("pulsar", "message", "redelivery_count", "header.delivery_count", 2),
    ("pulsar", "message", "message_id", 'message_annotations["x-opt-pulsar-message-id"]', "1:2:-1:-1"),
]
ANNOTATIONS = [
    Entry("x-opt-delivery-delay", "long", 5), Entry("x-opt-rocketmq-queue-offset", "long", 5),
    Entry("x-opt-rocketmq-producer-group", "string", "g"), Entry("x-opt-pulsar-message-id", "string", "1:2:-1:-1"),
]  # fmt: skip


@pytest.mark.parametrize(("protocol", "frame", "field", "source", "value"), OF_FRAMES)
def test_the_caller_alone_chooses_the_frame(protocol: str, frame: str, field: str, source: str, value: Any) -> None:
    """In another frame an annotation is lost, and a general field is dropped."""
    annotations = [one for one in ANNOTATIONS if protocol == "nsq" or one.key != "x-opt-delivery-delay"]
    message = replace(PLAIN, message_annotations=annotations)
    frames = PROTOCOLS[protocol].frames
    made: Any = convert(message, protocol, environment=Environment(frame=frame, clock=1)).message
    assert getattr(made, field) == value
    decoded: Any = decode(protocol, encode(made))
    assert getattr(decoded, field) == value
    for other in frames.keys() - {frame}:
        done = convert(message, protocol, environment=Environment(frame=other, clock=1, producer="me"))
        assert getattr(done.message, field) in (None, "me")
        lost = [(loss.field, loss.reason) for loss in done.report.lost]
        dropped = [(drop.field, drop.note) for drop in done.report.dropped]
        told = (source, f"the frame {other} has no field for it")
        assert told in (lost if "[" in source else dropped)
        assert told not in (dropped if "[" in source else lost)
    sent = convert(message, protocol, environment=Environment(frame="send")).message
    assert convert(message, protocol).message == sent


@pytest.mark.parametrize("annotation", [None, Entry("x-opt-pulsar-message-id", "string", "x")])
def test_a_pulsar_message_without_id_is_refused(annotation: Entry | None) -> None:
    message = replace(PLAIN, message_annotations=[annotation] if annotation else None)
    with pytest.raises(ConversionError, match="x-opt-pulsar-message-id") as caught:
        convert(message, "pulsar", environment=Environment(frame="message"))
    assert (caught.value.code, caught.value.rule) == ("missing_field", "frame-without-id")


def test_phpmq_and_nsq_build_the_requested_frame() -> None:
    dispatched: Any = convert(PLAIN, "phpmq", environment=Environment(frame="dispatch")).message
    assert (dispatched.frame, dispatched.message_id) == ("dispatch", b"m-1")
    with pytest.raises(ConversionError, match="has the id") as caught:
        convert(amqp10.Message(body=PLAIN.body), "phpmq", environment=Environment(frame="dispatch"))
    assert (caught.value.code, caught.value.rule) == ("missing_field", "frame-without-id")
    assert convert(PLAIN, "nsq", environment=Environment(frame="message")).message.timestamp == 7_000_000_000
    assert convert(PLAIN, "nsq", environment=Environment(frame="send")).message.timestamp is None


@pytest.mark.parametrize(
    ("protocol", "frame"), [("nsq", "record"), ("pulsar", "dispatch"), ("rocketmq", "message"), ("phpmq", "record")]
)
def test_a_frame_unknown_to_the_target_is_refused(protocol: str, frame: str) -> None:
    with pytest.raises(ConversionError, match=r"has the frames .* and send: ") as caught:
        convert(PLAIN, protocol, environment=Environment(frame=frame))
    assert (caught.value.code, caught.value.rule) == ("bad_option", "frame-refused")


# ---- delays, and batches ---------------------------------------------------------------------------------------


def _annotated(**values: Any) -> amqp10.Message:
    entries = [Entry(f"x-opt-{name.replace('_', '-')}", *value) for name, value in values.items()]
    return replace(PLAIN, message_annotations=entries)


@pytest.mark.parametrize(
    "value", [("long", 3_600_001), ("string", "3600001"), ("symbol", "-5"), ("string", "9" * 20), ("ulong", 2**63)]
)
def test_a_delay_beyond_the_limit_is_refused_as_text_too(value: tuple[str, Any]) -> None:
    with pytest.raises(ConversionError, match="0 to max_req_timeout_ms milliseconds") as caught:
        convert(_annotated(delivery_delay=value), "nsq")
    assert (caught.value.code, caught.value.rule) == ("bad_delay", "delay-refused")


def test_the_limit_of_delays_is_an_option_for_delays_and_times() -> None:
    day = 24 * 3_600_000
    environment = Environment(clock=1000, max_req_timeout_ms=day)
    for late, fits in ((day, True), (day + 1, False)):
        for message in (_annotated(delivery_delay=("long", late)), _annotated(delivery_time=("long", 1000 + late))):
            if fits:
                made: Any = convert(message, "nsq", environment=environment).message
                assert made.defer_ms == late
                assert encode(made, max_req_timeout_ms=day).startswith(b"DPUB t %d\n" % day)
                continue
            with pytest.raises(ConversionError) as caught:
                convert(message, "nsq", environment=environment)
            assert caught.value.code == "bad_delay"


@pytest.mark.parametrize(("late", "delay"), [(3_600_000, 3_600_000), (1, 1), (0, 0), (-1, 0), (3_600_001, None)])
def test_a_delivery_time_gives_a_delay(late: int, delay: int | None) -> None:
    message, environment = _annotated(delivery_time=("long", 1000 + late)), Environment(clock=1000)
    if delay is None:
        with pytest.raises(ConversionError) as caught:
            convert(message, "nsq", environment=environment)
        assert (caught.value.code, caught.value.rule) == ("bad_delay", "delivery-time-refused")
        return
    done: Any = convert(message, "nsq", environment=environment)
    assert done.message.defer_ms == delay
    assert done.report.lossless()


@pytest.mark.parametrize(("target", "name"), [("nsq", "delivery-time"), ("pulsar", "delivery-delay")])
def test_a_delay_or_time_that_needs_a_clock_is_refused_without_one(target: str, name: str) -> None:
    message = replace(PLAIN, message_annotations=[Entry(f"x-opt-{name}", "long", 5)])
    with pytest.raises(ConversionError, match="try the option clock") as caught:
        convert(message, target)
    assert (caught.value.code, caught.value.rule) == ("missing_field", f"{name}-clockless")
    assert convert(message, target, environment=Environment(clock=0)).report.lossless()


@pytest.mark.parametrize(("target", "taken", "place"), [
    ("nsq", "delivery-delay", "defer_ms"), ("pulsar", "delivery-time", "deliver_at_time"),
])  # fmt: skip
def test_of_a_delay_and_a_time_the_target_drops_the_other(target: str, taken: str, place: str) -> None:
    for names in (("delivery-delay", "delivery-time"), ("delivery-time", "delivery-delay")):
        entries = [Entry(f"x-opt-{name}", "long", 5 if name == taken else 9) for name in names]
        done = convert(replace(PLAIN, message_annotations=entries), target)
        assert getattr(done.message, place) == 5
        assert {drop.field for drop in done.report.dropped} >= {
            f'message_annotations["x-opt-{name}"]' for name in names if name != taken
        }


@pytest.mark.parametrize("value", [("long", 2**63 - 1), ("timestamp", 2**63 - 1), ("ulong", 2**63), ("string", str(2**63))])
@pytest.mark.parametrize(("target", "rules"), [
    ("pulsar", ("delivery-delay-refused", "delivery-delay-over")), ("rocketmq", ("", "delay-refused")),
])  # fmt: skip
def test_a_delay_beyond_64_bits_is_refused(target: str, rules: tuple[str, str], value: tuple[str, Any]) -> None:
    """It would be delivered at once otherwise. A time beyond 64 bits is a value of another type, and lost."""
    rule = rules[int(value[1]) >= 2**63]
    for payload in ("body", "envelope"):
        environment = Environment(address="t", clock=1, payload=payload)
        if not rule:
            assert convert(_annotated(delivery_delay=value), target, environment=environment).report.lossless()
            continue
        with pytest.raises(ConversionError, match="milliseconds in 64 bits") as caught:
            convert(_annotated(delivery_delay=value), target, environment=environment)
        assert (caught.value.code, caught.value.rule) == ("bad_delay", rule)


@pytest.mark.parametrize(("target", "good", "place", "value"), [
    ("nsq", "delivery-time", "defer_ms", 5), ("pulsar", "delivery-delay", "deliver_at_time", 1009),
])  # fmt: skip
@pytest.mark.parametrize("unreadable", [("string", "soon"), ("string", "-0"), ("double", 5.0), ("boolean", True)])
def test_a_delay_or_time_that_is_unreadable_leaves_the_place_to_the_other(
    target: str, good: str, place: str, value: int, unreadable: tuple[str, Any]
) -> None:
    bad = "delivery-delay" if good == "delivery-time" else "delivery-time"
    number = value + 1000 if target == "nsq" else value - 1000
    for names in ((good, bad), (bad, good)):
        entries = [Entry(f"x-opt-{name}", *(("long", number) if name == good else unreadable)) for name in names]
        message = replace(PLAIN, message_annotations=entries)
        done = convert(message, target, environment=Environment(clock=1000))
        assert getattr(done.message, place) == value
        assert [(loss.field, loss.reason) for loss in done.report.lost] == [
            (f'message_annotations["x-opt-{bad}"]', "not a long")
        ]
        with pytest.raises(ConversionError, match="try the option clock"):
            convert(message, target)


@pytest.mark.parametrize(
    ("chunk", "lost"), [(("int", 0), []), (("string", "0"), []), (("string", "first"), ["chunk-id", "compression"])]
)
def test_only_a_chunk_by_a_readable_annotation_has_a_compression(chunk: tuple[str, Any], lost: list[str]) -> None:
    entries = [Entry("x-opt-pulsar-compression", "string", "LZ4"), Entry("x-opt-pulsar-chunk-id", *chunk)]
    done: Any = convert(replace(PLAIN, message_annotations=entries), "pulsar")
    assert done.message.compression == (None if lost else "LZ4")
    assert sorted(loss.field for loss in done.report.lost) == [f'message_annotations["x-opt-pulsar-{name}"]' for name in lost]


def test_a_compacted_member_is_reported_as_a_loss_outside_its_batch() -> None:
    """decisions.md 3: the member is skipped, and a loss."""
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


@pytest.mark.parametrize("sign", [1, -1])
def test_a_creation_time_beyond_64_bits_of_nanoseconds_is_refused(sign: int) -> None:
    last = 2**63 // 10**6
    for time in (last, last + 1):
        message = amqp10.Message(properties=amqp10.Properties(to="t", creation_time=sign * time), body=amqp10.Data([b"a"]))
        if time == last:
            done: Any = convert(message, "nsq", environment=Environment(frame="message")).message
            assert decode("nsq", encode(done)).timestamp == sign * last * 10**6
            continue
        with pytest.raises(ConversionError) as caught:
            convert(message, "nsq", environment=Environment(frame="message"))
        assert (caught.value.code, caught.value.rule) == ("bad_time", "creation-time-refused")


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


def test_rocketmq_refuses_more_than_four_mebibytes() -> None:
    made: Any = convert(replace(PLAIN, body=amqp10.Data([bytes(2**22)])), "rocketmq").message
    assert len(made.body) == 2**22
    with pytest.raises(ConversionError) as refused:
        convert(replace(PLAIN, body=amqp10.Data([bytes(2**22 + 1)])), "rocketmq")
    assert (refused.value.code, refused.value.rule) == ("too_large", "body-refused")


@pytest.mark.parametrize("apart", [{"chunk_id": 0}, {"encryption_keys": [pulsar.EncryptionKey("k", b"v")]}])
def test_the_payload_of_a_chunk_or_encrypted_message_is_never_decoded(apart: dict[str, Any]) -> None:
    properties = [("amqp-content-type", "message/vnd.rabbitmq.amqp")]
    message = pulsar.Message("t", b"\0SwT\x05", "p", 1, 2, properties, **apart)
    made: Any = convert(message, "amqp-1.0").message
    assert (made.body, made.properties.content_type) == (amqp10.Data([message.payload]), properties[0][1])


@pytest.mark.parametrize(
    ("name", "value"), [("", "v"), ("a\x01b", "v"), ("a\x02", "v"), ("MSG_TYPE", ""), ("MSG_TYPE", "a\x01b")]
)
def test_an_annotation_of_a_property_that_no_property_string_holds_is_lost(name: str, value: str) -> None:
    key = f"x-opt-rocketmq-prop-{name}"
    message = amqp10.Message(message_annotations=[Entry(key, "string", value)], body=amqp10.Data([b"a"]))
    done = convert(message, "rocketmq", environment=Environment(address="t", clock=1))
    assert decode("rocketmq", encode(done.message)).properties is None
    reported = [(loss.field, loss.reason) for loss in done.report.lost]
    assert reported == [(f'message_annotations["{key}"]', "a property string cannot hold it")]


@pytest.mark.parametrize("protocol", ["rocketmq", "pulsar"])
def test_of_equal_names_the_last_property_stays(protocol: str) -> None:
    pairs = [("k", "0"), ("x-k", "1"), ("k", "1"), ("x-k", "2"), ("k", "2")]
    source: Any = PROTOCOLS[protocol].message(topic="t", properties=pairs)
    done: Any = convert(source, "amqp-1.0")
    assert done.message.application_properties == [Entry("k", "string", "2")]
    assert done.message.message_annotations == [Entry("x-k", "string", "2")]
    lost = [(loss.field, loss.type, loss.reason, loss.rule) for loss in done.report.lost]
    reason = "a later value has its name"
    assert lost == [(f'properties["{key}"]', "utf8", reason, "equal-names") for key in ("k", "x-k", "k")]
    assert done.report.summary.lost == 3
    with pytest.raises(LossError, match=r'^3 lost: properties\["k"\]: a later value'):
        convert(source, "amqp-1.0", on_loss="fail")


@pytest.mark.parametrize(("protocol", "key", "field"), [("rocketmq", "TAGS", "subject"), ("pulsar", "amqp-to", "to")])
def test_properties_of_the_application_win_over_fields(protocol: str, key: str, field: str) -> None:
    own = [Entry(key, "string", "own")]
    message = replace(PLAIN, properties=amqp10.Properties(to="q", subject="s"), application_properties=own)
    done: Any = convert(message, protocol, environment=Environment(address="t", clock=1))
    assert dict(done.message.properties)[key] == "own"
    assert (f"properties.{field}", "taken by application-property") in {(row.field, row.note) for row in done.report.dropped}


def test_a_property_string_has_at_most_32767_bytes() -> None:
    for size, fits in ((32_764, True), (32_765, False)):
        message = replace(
            PLAIN, properties=amqp10.Properties(to="t"), application_properties=[Entry("k", "string", "v" * size)]
        )
        environment = Environment(clock=1)
        if fits:
            decode("rocketmq", encode(convert(message, "rocketmq", environment=environment).message))
            continue
        with pytest.raises(ConversionError) as caught:
            convert(message, "rocketmq", environment=environment)
        assert (caught.value.code, caught.value.rule) == ("too_large", "properties-refused")


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


def test_control_records_are_refused() -> None:
    with pytest.raises(ConversionError, match="control record") as caught:
        convert(pulsar.Message(payload=b"", marker_type=19), "amqp-1.0")
    assert (caught.value.code, caught.value.rule, caught.value.field) == ("control_record", "control-record", "marker_type")


ENVELOPES = [
    pytest.param(one["target"], case, id=name)
    for name, case, one in runs()
    if one.get("options") == {"payload": "envelope"} and "error" not in one
]


@pytest.mark.parametrize(("protocol", "case"), ENVELOPES)
def test_an_envelope_keeps_all_fields(protocol: str, case: dict[str, Any]) -> None:
    message: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
    environment = Environment(address=case.get("address") or "t", payload="envelope", clock=1_750_000_000_000)
    there = converter("amqp-1.0", protocol).convert(message, environment)
    assert there.report.lossless()
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
    with pytest.raises(ConversionError, match="try the option clock") as refused:
        convert(UNTIMED, target, environment=environment)
    assert (refused.value.code, refused.value.field) == ("missing_field", field)
    unit = 10**6 if target == "nsq" else 1
    timed = replace(environment, clock=5)
    assert getattr(convert(UNTIMED, target, environment=timed).message, field) == 5 * unit
    assert getattr(convert(UNTIMED, target, environment=replace(environment, clock=0)).message, field) == 0
    own = replace(UNTIMED, properties=amqp10.Properties(creation_time=7))
    if frame == "record":
        with pytest.raises(ConversionError) as refused:
            convert(own, target, environment=environment)
        assert (refused.value.code, refused.value.field) == ("missing_field", "store_timestamp")
    for chosen in (timed,) if frame == "record" else (environment, timed):
        assert getattr(convert(own, target, environment=chosen).message, field) == 7 * unit


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
    of, removed = {"nsq": ("channel", ["channel"]), "phpmq": ("ttl", ["ttl", "ttl-lost"])}[protocol]
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

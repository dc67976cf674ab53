"""The summary of a report: numbers of fields that arrive, unchanged or not, and of those that do not."""

from dataclasses import replace
from typing import Any

import pytest

from mqconvert import PROTOCOLS, Entry, Environment, TypedValue, convert
from mqconvert.converters.engine.report import _ENTRIES, MOST_ENTRIES, MOST_PLANS
from mqconvert.converters.engine.summary import Summary
from mqconvert.converters.overlays import Overlay
from mqconvert.messages import amqp091, amqp10, mqtt5, mqtt311, nsq, pulsar, rocketmq

CALLER = Environment(address="t", clock=1)
BODY = amqp10.Data([b"hi"])
FULL = amqp10.Message(
    amqp10.Header(durable=True, priority=4, delivery_count=2),
    properties=amqp10.Properties(TypedValue("string", "m"), content_encoding="gzip", subject="s", creation_time=1500),
    application_properties=[Entry("tenant", "string", "acme"), Entry("size", "ulong", 7), Entry("when", "char", 97)],
    body=BODY,
)
"""Eleven fields: three of the header, four of the properties, three entries, the body."""


def _told(message: Any, target: str, **options: Any) -> list[str]:
    return str(convert(message, target, **({"environment": CALLER} | options)).report).split("\n")


# ---- the sentence ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("summary", "sentence"),
    [
        (Summary(21, 3, 8, 2), "24 of 34 fields arrive (21 unchanged, 3 changed); 10 do not: 8 by rule, 2 lost"),
        (Summary(12), "all 12 fields arrive unchanged"),
        (Summary(1), "the only field arrives unchanged"),
        (Summary(9, 3), "all 12 fields arrive (9 unchanged, 3 changed)"),
        (Summary(0, 1), "the only field arrives (1 changed)"),
        (Summary(1, 0, 1), "1 of 2 fields arrives (1 unchanged); 1 does not: 1 by rule"),
        (Summary(0, 0, 0, 1), "0 of 1 field arrive; 1 does not: 1 lost"),
        (Summary(), "no field is set"),
    ],
)
def test_the_sentence_names_only_what_there_is(summary: Summary, sentence: str) -> None:
    assert str(summary) == sentence


def test_summaries_of_several_messages_add_up() -> None:
    assert Summary(1, 2, 3, 4) + Summary(10, 20, 30, 40) == Summary(11, 22, 33, 44)
    assert sum([Summary(1), Summary(lost=2)], Summary()).as_dict() == {
        "fields": 3, "arrive": 1, "unchanged": 1, "changed": 0, "by_rule": 0, "lost": 2,
    }  # fmt: skip


# ---- fields that arrive, and others, by hand --------------------------------------------------------------------------


def test_amqp10_to_amqp091() -> None:
    """Durable becomes a delivery mode, and the time loses half a second; a char has no counterpart."""
    assert _told(FULL, "amqp-0.9.1") == [
        "8 of 11 fields arrive (6 unchanged, 2 changed); 3 do not: 2 by rule, 1 lost",
        "header.delivery_count: dropped, no counterpart; true of one delivery only",
        "properties.subject: dropped, no counterpart",
        'application_properties["when"]: lost, no row takes this char',
        "properties.creation_time: lost in part, the fraction of a second",
    ]


def test_amqp10_to_mqtt5() -> None:
    """Durable becomes QoS 1, the number and the char text."""
    lines = _told(FULL, "mqtt-5.0")
    assert lines[0] == "5 of 11 fields arrive (2 unchanged, 3 changed); 6 do not: 5 by rule, 1 lost"
    assert lines[1:] == [
        "header.priority: dropped, no counterpart",
        "header.delivery_count: dropped, no counterpart; true of one delivery only",
        "properties.message_id: dropped, no counterpart",
        "properties.subject: dropped, no counterpart",
        "properties.content_encoding: lost, the payload means something else without it",
        "properties.creation_time: dropped, no counterpart",
    ]


def test_amqp10_to_nsq() -> None:
    """Only the body arrives; the payload means something else without its encoding."""
    lines = _told(FULL, "nsq")
    assert lines[0] == "1 of 11 fields arrives (1 unchanged); 10 do not: 9 by rule, 1 lost"
    assert "properties.content_encoding: lost, the payload means something else without it" in lines


def test_amqp10_to_brokers_with_properties() -> None:
    """Numbers become text in properties."""
    durable = "header.durable: dropped, the target's storage decides"
    assert _told(FULL, "pulsar") == [
        "9 of 11 fields arrive (6 unchanged, 3 changed); 2 do not: 2 by rule",
        durable,
        "header.delivery_count: dropped, the frame send has no field for it",
    ]
    assert _told(FULL, "rocketmq") == ["10 of 11 fields arrive (7 unchanged, 3 changed); 1 does not: 1 by rule", durable]


def test_amqp091_to_amqp10() -> None:
    """The user id and the header stay the same text, as bytes or not; the delivery mode becomes a truth value."""
    basic = amqp091.BasicProperties(delivery_mode=2, user_id="guest", headers=[Entry("tenant", "longstr", b"acme")])
    message = amqp091.Message(basic, b"hi", exchange="e")
    assert _told(message, "amqp-1.0") == ["all 4 fields arrive (3 unchanged, 1 changed)"]


def test_fields_of_the_callers_side_do_not_count() -> None:
    message = mqtt5.Message(topic_name="t", qos=1, packet_identifier=7, payload=b"hi")
    report = convert(message, "amqp-0.9.1").report
    assert [entry.field for entry in report.accounted] == ["topic_name", "packet_identifier"]
    assert str(report) == "all 2 fields arrive (1 unchanged, 1 changed)"


def test_messages_of_brokers() -> None:
    sent = pulsar.Message(
        topic="t", payload=b"hi", publish_time=5, properties=[("k", "v"), ("x-k", "v")], encryption_algo="a", txnid_most_bits=1
    )
    assert _told(sent, "amqp-1.0", environment=Environment()) == [
        "5 of 7 fields arrive (5 unchanged); 2 do not: 1 by rule, 1 lost",
        "encryption_algo: lost, the payload stays encrypted",
        "txnid_most_bits: dropped, a transaction of that producer",
    ]
    assert _told(nsq.Message(topic="t", body=b"hi"), "amqp-1.0", environment=Environment()) == ["all 2 fields arrive unchanged"]
    tagged = rocketmq.Message(topic="t", body=b"hi", properties=[("TAGS", "a")])
    assert _told(tagged, "amqp-1.0", environment=Environment()) == ["all 3 fields arrive unchanged"]


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_the_same_protocol_keeps_every_field(protocol: str) -> None:
    message = PROTOCOLS[protocol].message()
    summary = convert(message, protocol).report.summary
    assert summary == Summary(unchanged=summary.fields)
    assert convert(FULL, "amqp-1.0").report.summary == Summary(unchanged=11)


# ---- several tables -------------------------------------------------------------------------------------------------


def test_a_field_arrives_if_it_arrives_through_all_tables() -> None:
    message = mqtt5.Message(topic_name="t", payload=b"hi", content_type="text/plain", user_properties=[("k", "v")])
    assert _told(message, "nsq", environment=Environment()) == [
        "1 of 4 fields arrives (1 unchanged); 3 do not: 3 by rule",
        "qos: dropped, the target's storage decides",
        'user_properties["k"]: dropped, the target has no properties',
        "content_type: dropped, no counterpart",
    ]


def test_the_first_source_is_compared_with_the_last_target() -> None:
    """Durable is QoS 1 in MQTT 5.0 and 3.1.1."""
    message = mqtt311.Message(topic_name="t", qos=1, packet_identifier=1, payload=b"hi")
    assert _told(message, "mqtt-5.0", environment=Environment()) == ["all 4 fields arrive unchanged"]
    durable = amqp10.Message(amqp10.Header(durable=True), body=BODY)
    assert convert(durable, "mqtt-3.1.1", environment=CALLER).report.summary == Summary(unchanged=1, changed=1)


# ---- equal values ---------------------------------------------------------------------------------------------------


def _kept(type_: str, value: object, target: str = "rocketmq") -> bool:
    message = amqp10.Message(application_properties=[Entry("k", type_, value)], body=BODY)
    summary = convert(message, target, environment=CALLER).report.summary
    assert (summary.arrive, summary.fields) == (2, 2)
    return summary.changed == 0


def test_values_are_compared_as_json_without_their_types() -> None:
    assert _kept("string", "acme")
    assert _kept("symbol", "acme", "amqp-0.9.1")
    assert _kept("binary", b"\xff")  # base64 in both
    assert _kept("uuid", bytes(16))
    assert not _kept("uint", 7)
    assert _kept("uint", 7, "amqp-0.9.1")
    assert not _kept("boolean", True)
    assert _kept("list", [TypedValue("string", "a"), TypedValue("int", 1)], "amqp-0.9.1")


def test_the_same_text_in_bytes_is_unchanged() -> None:
    properties = amqp10.Properties(correlation_id=TypedValue("string", "c"))
    message = amqp10.Message(properties=properties, body=amqp10.AmqpValue(TypedValue("string", "hi")))
    done = convert(message, "mqtt-5.0", environment=CALLER)
    assert (done.message.correlation_data, done.message.payload) == (b"c", b"hi")
    assert done.report.summary == Summary(unchanged=2)


def test_true_is_not_one() -> None:
    message = mqtt5.Message(topic_name="t", qos=1, packet_identifier=1, payload=b"hi")
    done = convert(message, "amqp-1.0")
    assert done.message.header == amqp10.Header(durable=True)
    assert done.report.summary == Summary(unchanged=1, changed=1)


def test_a_value_that_loses_a_part_is_changed() -> None:
    inside = [TypedValue("int", 1), TypedValue("decimal32", bytes(4))]
    message = amqp10.Message(application_properties=[Entry("k", "list", inside)], body=BODY)
    done = convert(message, "amqp-0.9.1")
    assert [loss.field for loss in done.report.lost] == ['application_properties["k"][1]']
    assert done.report.summary == Summary(unchanged=1, changed=1)


def test_an_encoded_body_and_its_footer_are_changed() -> None:
    footer = [Entry("x-a", "int", 1), Entry("x-a", "int", 2)]
    message = amqp10.Message(body=amqp10.AmqpValue(TypedValue("int", 1)), footer=footer)
    assert convert(message, "amqp-0.9.1").report.summary == Summary(changed=3)


# ---- exact ways, policies, equal keys ---------------------------------------------------------------------------------


@pytest.mark.parametrize("target", ["nsq", "phpmq", "rocketmq", "pulsar"])
def test_nothing_is_lost_in_an_envelope(target: str) -> None:
    report = convert(FULL, target, environment=replace(CALLER, payload="envelope")).report
    assert (report.summary.arrive, report.summary.fields) == (11, 11)


def test_equal_keys_arrive_in_an_envelope() -> None:
    twice = [Entry("x-k", "int", 5), Entry("x-k", "int", 6)]
    message = amqp10.Message(message_annotations=twice, body=BODY)
    caller = replace(CALLER, payload="envelope")
    for profile in ("documented", "preserve"):
        report = convert(message, "rocketmq", environment=caller, profile=profile).report
        assert (report.summary.arrive, report.summary.fields) == (3, 3)


@pytest.mark.parametrize("times", [2, 3])
def test_each_value_with_an_equal_key_is_lost(times: int) -> None:
    message = pulsar.Message(payload=b"hi", producer_name="p", sequence_id=1, publish_time=1, properties=[("k", "v")] * times)
    missing = [line for line in _told(message, "amqp-1.0") if line.startswith("properties")]
    assert missing == ['properties["k"]: lost, a later value has its name'] * (times - 1)


def test_a_loss_of_a_map_leaves_its_other_values_unchanged() -> None:
    pairs = [("a", "1"), ("k", "v"), ("k", "w"), ("b", "2")]
    message = pulsar.Message(payload=b"hi", producer_name="p", sequence_id=1, publish_time=1, properties=pairs)
    assert _told(message, "amqp-1.0") == [
        "7 of 8 fields arrive (7 unchanged); 1 does not: 1 lost",
        'properties["k"]: lost, a later value has its name',
    ]


def test_equal_keys_have_the_reason_of_each_value() -> None:
    pairs = [("amqp-priority", "high")] * 2
    message = pulsar.Message(payload=b"hi", producer_name="p", sequence_id=1, publish_time=1, properties=pairs)
    assert _told(message, "amqp-1.0")[1:] == [
        'properties["amqp-priority"]: lost, a later value has its name',
        'properties["amqp-priority"]: lost, not a priority',
    ]


def test_the_policy_ignore_hides_no_lost_field_from_the_summary() -> None:
    report = convert(FULL, "nsq", environment=CALLER, on_loss="ignore").report
    assert report.lost == ()
    assert report.summary == Summary(unchanged=1, by_rule=9, lost=1)
    assert "properties.content_encoding: lost, not in the report" in str(report)


def _headers(*values: Entry) -> amqp091.Message:
    return amqp091.Message(basic=amqp091.BasicProperties(headers=list(values), expiration="60000"), payload=b"hi")


def test_messages_of_one_shape_are_compared_value_by_value() -> None:
    """What is shared is only which fields there are: equal notes, other values."""
    for text, unchanged in ((b"a", 2), (b"\xff", 1), (b"b", 2)):
        message = _headers(Entry("k", "longstr", text))
        report = convert(message, "mqtt-5.0", environment=CALLER).report
        assert (report.summary.unchanged, str(report.summary)) == (unchanged, str(report).partition("\n")[0]), text


def test_other_keys_and_other_drops_are_another_shape() -> None:
    counts = []
    number, text = Entry("a", "signedint", 1), Entry("b", "longstr", b"x")
    for headers in ([number], [number, Entry("b", "signedint", 1)], [Entry("b", "table", [])], [text]):
        report = convert(_headers(*headers), "mqtt-5.0", environment=CALLER).report
        assert str(report).partition("\n")[0] == str(report.summary)
        counts.append(report.summary.fields)
    assert counts == [3, 4, 3, 3]


def test_reports_with_equal_notes_share_their_entries() -> None:
    reports = [
        convert(_headers(Entry("k", "longstr", text)), "mqtt-5.0", environment=CALLER).report for text in (b"a", b"b", b"\xff")
    ]
    assert reports[0].entries is reports[1].entries is not reports[2].entries


def test_entries_are_shared_within_bounds() -> None:
    """A queue whose headers have names of their own, or long ones, does not fill the memory."""
    for number in range(MOST_ENTRIES + 10):
        message = _headers(Entry(f"k{number}", "longstr", b"a"))
        assert convert(message, "mqtt-5.0", environment=CALLER).report.summary.fields == 3
        assert len(_ENTRIES) <= MOST_ENTRIES
    _ENTRIES.clear()
    convert(_headers(Entry("k" * 200, "longstr", b"a")), "mqtt-5.0", environment=CALLER).report.summary  # noqa: B018
    assert len(_ENTRIES) == 1
    many = [Entry("k" * 240 + str(number), "longstr", b"a") for number in range(20)]
    assert convert(_headers(*many), "mqtt-5.0", environment=CALLER).report.summary.fields == 22
    assert len(_ENTRIES) == 1


def test_plans_for_equal_entries_are_bounded() -> None:
    """A whole message in a header has the same notes for each of its shapes."""
    for size in range(2 * MOST_PLANS):
        message = amqp10.Message(message_annotations=[Entry(f"x-opt-{at}", "null", None) for at in range(size)], body=BODY)
        report = convert(message, "amqp-1.0").report
        assert report.summary.fields == size + 1
        assert len(report.entries.plans) <= MOST_PLANS


def test_of_equal_keys_one_arrives() -> None:
    pairs = [("k", "a"), ("j", "b"), ("k", "a"), ("k", "c")]
    assert _told(mqtt5.Message(topic_name="t", payload=b"hi", user_properties=pairs), "amqp-0.9.1") == [
        "4 of 6 fields arrive (3 unchanged, 1 changed); 2 do not: 2 lost",
        'user_properties["k"]: lost, a second equal key',
        'user_properties["k"]: lost, a second equal key',
    ]


def test_equal_keys_that_all_arrive_are_compared_one_by_one() -> None:
    pairs = [Entry("k", "string", text) for text in ("a", "b", "a")] + [Entry("k", "int", 5)]
    message = amqp10.Message(application_properties=pairs, body=BODY)
    assert convert(message, "mqtt-5.0", environment=CALLER).report.summary == Summary(unchanged=4, changed=1)


MANY = 40_000


@pytest.mark.parametrize(
    ("target", "summary"),
    [
        ("amqp-1.0", Summary(2, 1, lost=MANY - 1)),
        ("amqp-0.9.1", Summary(2, 1, lost=MANY - 1)),
        ("mqtt-3.1.1", Summary(2, by_rule=MANY + 1)),
        ("pulsar", Summary(2, by_rule=1, lost=MANY - 1)),
    ],
)
def test_many_equal_keys_take_linear_time(target: str, summary: Summary) -> None:
    """Comparing each of the values with every other one would take half an hour."""
    pairs = [("k", str(number)) for number in range(MANY)]
    message = mqtt5.Message(topic_name="t", payload=b"hi", user_properties=pairs)
    assert convert(message, target, environment=CALLER).report.summary == summary


def test_many_equal_keys_that_arrive_take_linear_time() -> None:
    entries = [Entry("k", "string", str(number)) for number in range(MANY)]
    message = amqp10.Message(application_properties=entries, body=BODY)
    assert convert(message, "mqtt-5.0", environment=CALLER).report.summary == Summary(unchanged=MANY + 1)


def test_many_keys_that_become_equal_take_linear_time() -> None:
    row = 'before = "application-property", id = "a", from = "application_properties[x-*]", type = "string", '
    overlay = Overlay("mine.toml", f'["amqp-1.0 -> mqtt-5.0"]\nrules = [\n  {{ {row} to = "user_properties[k]" }},\n]\n')
    entries = [Entry(f"x-{number}", "string", str(number)) for number in range(MANY // 4)]
    message = amqp10.Message(application_properties=entries, body=BODY)
    report = convert(message, "mqtt-5.0", rules=overlay, environment=CALLER).report
    assert report.summary == Summary(unchanged=MANY // 4 + 1)


def test_a_value_lost_in_part_may_have_the_reason_of_a_lost_field() -> None:
    char = [TypedValue("char", 99), TypedValue("int", 1)]
    lost = [Entry("x-part", "list", char), Entry("x-whole", "char", 99)]
    report = convert(amqp10.Message(message_annotations=lost, body=amqp10.Data([b"hi"])), "amqp-0.9.1").report
    assert {loss.reason for loss in report.lost} == {"no row takes this char"}
    assert (report.summary.lost, len(report.lost)) == (1, 2)
    assert [loss.field for loss in report.lost_in_part] == ['message_annotations["x-part"][0]']

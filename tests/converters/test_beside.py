"""Report entries for values that set no field of the target.

`accounted` and `dropped` have the fields without which the target would be the same. Fields that control the reading of another
value, or that the target implies, are `applied`.
"""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest

from mqconvert import PROTOCOLS, ConversionError, Entry, Environment, TypedValue, convert, rule_tables
from mqconvert.converters.engine.report import Accounted, Dropped, Report
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.samples import message_with, samples
from mqconvert.converters.model.entries import key_of
from mqconvert.converters.model.places import ENTRIES, SECTION, TYPED, WHOLE, Place, places, types_at
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.nsq import message as nsq
from mqconvert.converters.protocols.pulsar import message as pulsar
from mqconvert.converters.protocols.rocketmq import message as rocketmq

TABLES = {table.name: table for table in rule_tables()}
CALLERS: list[dict[str, Any]] = [
    {}, {"address": "t"}, {"frame": "send"}, {"frame": "message"}, {"payload": "envelope"}, {"escape": True, "address": "a/b"},
]  # fmt: skip
CALLER = Environment(clock=1_234_567, sequence_id=2_345_678)


def _pair(properties: list[tuple[str, str]]) -> Any:
    return pulsar.Message(topic="t", payload=b"5", properties=properties)


TOGETHER: dict[str, list[Any]] = {
    "pulsar": [
        pulsar.Message(null_value=True),
        *(_pair([("amqp-body", "value-string"), (f"amqp-type.{name}", type_), (name, text)])
          for name, type_, text in (("k", "int", "5"), ("x-k", "ulong", "5"), ("amqp-ap.k", "boolean", "true"),
                                    ("amqp-ma.k", "uint", "1"), ("amqp-ft.k", "uuid", "x"), ("amqp-message-id", "ulong", "5"),
                                    ("amqp-correlation-id", "binary", "YQ=="))),
        pulsar.Message(topic="t", message_id="1:2:-1:-1", properties=[("amqp-message-id", "m")]),
        pulsar.Message(batch=pulsar.Batch(size=2, index=0, properties=[("a", "b")])),
    ],
    "rocketmq": [rocketmq.Message("t", b"5", [("amqp-body", "value-string"), ("amqp-type.k", "int"), ("k", "5")])],
    "mqtt-5.0": [
        mqtt5.Message(topic_name="t", payload=b"a", payload_format_indicator=1),
        mqtt5.Message(topic_name="t", payload=b"\xff", payload_format_indicator=1),
    ],
    "nsq": [nsq.Message(topic="t", body=b"a", timestamp=5)],
    "phpmq": [],
    "amqp-0.9.1": [],
    "mqtt-3.1.1": [],
    "amqp-1.0": [
        *(amqp10.Message(header=amqp10.Header(durable=durable), properties=amqp10.Properties(to=to), body=amqp10.Data([b"a"]))
          for durable in (True, False) for to in ("t", "t#ephemeral", "non-persistent://a/b/c")),
        *(amqp10.Message(
            header=amqp10.Header(durable=True, priority=4, first_acquirer=False, delivery_count=0),
            message_annotations=[Entry(f"x-opt-{protocol}-{key}", type_, value) for protocol, key, type_, value in keys],
            properties=amqp10.Properties(message_id=TypedValue("string", "1:2:-1:-1"), to="t", creation_time=5),
            body=amqp10.Data([b"a"]))
          for keys in (
            [("nsq", "type", "string", "message")],
            [("nsq", "timestamp", "long", 5_000_001)],
            [("pulsar", "message-id", "string", "1:2:-1:-1")],
            [("pulsar", "batch-sequence-id", "ulong", 7), ("pulsar", "batch-index", "uint", 0),
             ("pulsar", "batch-size", "uint", 2), ("pulsar", "sequence-id", "ulong", 7),
             ("pulsar", "batch-sequence-id-derived", "boolean", True)],
        )),
    ],
}  # fmt: skip
"""Messages in which one value describes another, by source."""


def _alone(table: RuleTable) -> Iterator[Any]:
    """Yield a message for each value that a place of the source may have; in maps, for each key that a row names."""
    protocol = PROTOCOLS[table.source]
    for place in places(protocol).values():
        if place.kind in (SECTION, WHOLE):
            continue
        keys: list[str | None] = [None]
        if place.kind == ENTRIES and place.types[0] != "varints":
            named = {str(rule.source_pattern).replace("*", "k") for rule in table.rules if rule.source == place.path}
            keys = [*sorted(named | {"k"})]
        for key in keys:
            for type_ in types_at(protocol, place):
                for _, value in samples(protocol, place, type_):
                    yield message_with(protocol, place, type_, key, value)


def _without(message: Any, place: Place, key: str | None) -> Any:
    """Return the message without a field, or without the entries of a key."""
    left = deepcopy(message)
    holder = left if place.section is None else getattr(left, place.section)
    name = place.path.rpartition(".")[2]
    if key is None:
        setattr(holder, name, place.unset)
    else:
        setattr(holder, name, [member for member in getattr(holder, name) if key_of(member) != key] or None)
    return left


def _unused(report: Report) -> Iterator[Accounted | Dropped]:
    """Yield the fields that a report says have no target, except late and replaced ones."""
    yield from report.accounted
    yield from (entry for entry in report.dropped if report.rule(entry.rule, 1).target is None)


def _same_target_without(message: Any, table: RuleTable, environment: Environment) -> None:
    try:
        done = convert(message, table.target, environment=environment)
    except ConversionError:
        return
    read = {path for rule in table.rules for path in rule.reads}
    for entry in _unused(done.report):
        rule = done.report.rule(entry.rule, 1)
        if rule.source.startswith("@") or rule.source in read:  # other rows look at it
            continue
        _, _, key = entry.field.partition("[")
        place = places(PROTOCOLS[table.source])[rule.source]
        if place.types[0] == "varints":  # the list has positions, not keys
            continue
        less = convert(_without(message, place, key[1:-2] or None), table.target, environment=environment)
        assert repr(less.message) == repr(done.message), entry


@pytest.mark.parametrize("name", TABLES)
def test_removing_accounted_and_dropped_fields_keeps_the_target(name: str) -> None:
    table = TABLES[name]
    for message in (*_alone(table), *TOGETHER[table.source]):
        for said in CALLERS:
            _same_target_without(message, table, Environment(clock=1_234_567, sequence_id=2_345_678, **said))


@pytest.mark.parametrize("name", TABLES)
def test_two_accounted_values_make_the_same_target(name: str) -> None:
    """Replacing an accounted value by another of the same place, type and row changes nothing."""
    table = TABLES[name]
    protocol = PROTOCOLS[table.source]
    for place in places(protocol).values():
        if place.kind in (SECTION, WHOLE, ENTRIES):
            continue
        made: dict[tuple[str, str], str] = {}
        for type_ in types_at(protocol, place):
            for _, value in samples(protocol, place, type_):
                try:
                    done = convert(message_with(protocol, place, type_, None, value), table.target, environment=CALLER)
                except ConversionError:
                    continue
                for entry in done.report.accounted:
                    if entry.field == place.path:
                        told = made.setdefault((entry.rule, type_ if place.kind == TYPED else ""), repr(done.message))
                        assert told == repr(done.message), entry


def _made(message: Any, target: str, address: str | None = None) -> tuple[Any, Report]:
    done = convert(message, target, environment=Environment(address=address, clock=1))
    return done.message, done.report


def _applied(message: Any, target: str, **environment: Any) -> set[tuple[str, str]]:
    report = convert(message, target, environment=Environment(clock=1, **environment)).report
    return {(entry.source, entry.target) for entry in report.applied}


def test_other_fields_stay_accounted_or_dropped() -> None:
    done = convert(mqtt5.Message(topic_name="t", packet_identifier=7, qos=1), "amqp-1.0")
    assert [entry.field for entry in done.report.accounted] == ["topic_name", "packet_identifier"]
    # No row read an indicator that contradicts the payload.
    done = convert(mqtt5.Message(topic_name="t", payload=b"\xff", payload_format_indicator=1), "amqp-1.0")
    assert [entry.rule for entry in done.report.dropped] == ["payload-format-indicator"]


def test_a_message_id_of_a_delivery_is_reported_once_in_each_place() -> None:
    message = pulsar.Message(topic="t", message_id="1:2:-1:-1", properties=[("amqp-message-id", "m")])
    report = convert(message, "amqp-1.0").report
    assert [entry.target for entry in report.applied if entry.source == "message_id"] == [
        'message_annotations["x-opt-pulsar-message-id"]'
    ]
    assert report.accounted == ()


@pytest.mark.parametrize(("target", "to"), [("nsq", "body"), ("phpmq", "content")])
def test_fields_in_an_envelope_are_applied(target: str, to: str) -> None:
    message = amqp10.Message(
        header=amqp10.Header(durable=True, priority=4, first_acquirer=False, delivery_count=0),
        message_annotations=[Entry("x-opt-delivery-delay", "long", 5), Entry("x-opt-delivery-time", "long", 5)],
        body=amqp10.Data([b"a"]),
    )
    report = convert(message, target, environment=Environment(address="t", payload="envelope")).report
    assert {(f"header.{name}", to) for name in ("durable", "priority", "first_acquirer", "delivery_count")} <= {
        (entry.source, entry.target) for entry in report.applied
    }
    assert (report.accounted, report.dropped, report.lost) == ((), (), ())

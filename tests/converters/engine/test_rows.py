"""A case of the corpus or of this file covers every row of every table, type rows and finish rows included."""

from collections.abc import Iterator
from typing import Any

import pytest

from mqconvert import Array, ConversionError, DecodeError, Entry, Environment, RuleTable, TypedValue, convert, rule_tables
from mqconvert.converters.protocols.amqp091 import message as amqp091
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from mqconvert.converters.protocols.mqtt311 import message as mqtt311
from tests.corpus import PAIRS, lines, read
from tests.entries import entry
from tests.interpreter import Interpreter

PROFILES = ("documented", "rabbitmq-4.0", "rabbitmq-4.3")
ADDRESS = Environment(address="a/b")
NO_TOPIC = Environment(address="#")
BINARY_KEY = TypedValue("map", [Entry(TypedValue("binary", b"k"), "int", 1)])
LEGACY = ("properties", "application-properties", "app-properties", "message-annotations", "footer")
JUNK = [Entry(f"x-amqp-1.0-{name}", "longstr", b"junk") for name in LEGACY]
NULLS = TypedValue("array", Array("null", []))
SECONDS = [Entry(f"x-basic-{name}", "timestamp", 2000) for name in ("delivery-mode", "priority")]
EXAMPLES: dict[str, list[tuple[Any, Environment]]] = {
    "amqp-0.9.1 -> amqp-1.0": [
        (amqp091.Message(exchange="x", routing_key="a.b"), Environment()),
        (amqp091.Message(amqp091.BasicProperties(headers=JUNK)), Environment()),
        (amqp091.Message(amqp091.BasicProperties(type="amqp-1.0")), Environment()),
    ],
    "amqp-0.9.1 -> mqtt-5.0": [
        (amqp091.Message(exchange="x", routing_key="a.b"), Environment()),
        (amqp091.Message(exchange="x", routing_key="a.b"), ADDRESS),
        (amqp091.Message(exchange="x", routing_key="a.b"), NO_TOPIC),
    ],
    "amqp-1.0 -> amqp-0.9.1": [
        (
            amqp10.Message(
                message_annotations=[entry("x-map", BINARY_KEY), entry("x-nulls", NULLS), *SECONDS], body=amqp10.Data([b""])
            ),
            Environment(),
        ),
    ],
    "amqp-1.0 -> mqtt-5.0": [
        (amqp10.Message(properties=amqp10.Properties(to="/exchanges/amq.topic/a"), body=amqp10.Data([b""])), Environment()),
        (amqp10.Message(body=amqp10.Data([b""])), NO_TOPIC),
    ],
    "mqtt-3.1.1 -> mqtt-5.0": [(mqtt311.Message(1, 1, 1, "t", 7, b"hi"), Environment()), (mqtt311.Message(), ADDRESS)],
    "mqtt-5.0 -> mqtt-3.1.1": [
        (mqtt5.Message(1, 1, 1, "t", 7, 1, 60, 2, "r", b"c", [("k", "v")], [3], "text/plain"), Environment()),
        (mqtt5.Message(), ADDRESS),
        (mqtt5.Message(topic_name="t", content_type="message/vnd.rabbitmq.amqp", payload=b"\0Sw@"), Environment()),
    ],
}
"""Cases that the corpus lacks: destinations, binary keys of maps, and MQTT 3.1.1."""
TABLES = {
    f"{table.name} {profile}": (profile, table)
    for profile in PROFILES
    for table in rule_tables(profile)
    if table.name in {*EXAMPLES} | {"amqp-1.0 -> amqp-0.9.1", "mqtt-5.0 -> amqp-1.0", "mqtt-5.0 -> amqp-0.9.1"}
}


def _cases(table: RuleTable) -> Iterator[tuple[Any, Environment]]:
    yield from EXAMPLES.get(table.name, [])
    for pair in PAIRS:
        for case in lines(pair):
            if (case["source"], case["target"]) != (table.source, table.target):
                break
            try:
                yield read(case["source"], case["input"]), ADDRESS if case["target"] == "mqtt-5.0" else Environment()
            except DecodeError:  # the decoder refuses the wire: no row fires
                continue


@pytest.mark.parametrize(("profile", "table"), TABLES.values(), ids=list(TABLES))
def test_every_row_is_covered_by_a_case(profile: str, table: RuleTable) -> None:
    missing = {rule.id for rule in (*table.rules, *table.types, *table.finish)}
    assert missing
    for message, environment in _cases(table):
        if environment is NO_TOPIC:
            with pytest.raises(ConversionError) as refused:
                convert(message, table.target, profile=profile, environment=environment)
            missing -= {refused.value.rule}
            continue
        fired = Interpreter(table, message, environment).fired & missing
        if not fired:
            continue
        # The report of the real conversion names the row, too. Rows for nested values have no line of their own.
        report = convert(message, table.target, profile=profile, environment=environment).report.as_dict()
        lines_ = [line for kind in ("applied", "dropped", "lost", "accounted") for line in report[kind]]
        named = {line.get(member) for line in lines_ for member in ("rule", "type_rule")}
        inner = {rule.id for rule in table.types} | {rule.id for rule in table.finish}
        assert fired - inner <= named | {rule.id for rule in table.rules if rule.absent and not rule.note}
        missing -= fired
        if not missing:
            break
    assert missing == set()

"""Paths of fields are written as in the dataclasses, and long keys are shortened."""

import json

from mqconvert import TypedValue, convert
from mqconvert.converters.model.paths import path
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.entries import entry


def test_paths_are_written_as_in_the_dataclasses() -> None:
    assert (path("footer", "k"), path("body", 0), path("payload", None)) == ('footer["k"]', "body[0]", "payload")


def test_losses_inside_a_long_key_do_not_repeat_it() -> None:
    """Otherwise a key of 1 MiB with 100 losses in its value would make a report of 100 MiB."""
    lost = TypedValue("list", [TypedValue("decimal32", bytes(4))] * 100)
    message = amqp10.Message(message_annotations=[entry("x-" + "k" * 2**20, lost)], body=amqp10.Data([b""]))
    report = convert(message, "amqp-0.9.1").report
    fields = [loss.field for loss in report.lost if loss.type == "decimal32"]
    assert len(set(fields)) == len(fields) == 100
    assert len(json.dumps(report.as_dict())) < 2**17
    # The same applies to a key inside a map.
    inner = TypedValue("map", [entry(TypedValue("string", "k" * 250), lost)])
    message.message_annotations = [entry("x-" + "k" * 200, inner)]
    fields = [loss.field for loss in convert(message, "amqp-0.9.1").report.lost]
    assert len(set(fields)) == len(fields) == 100
    assert all('"]["' in field and len(field) < 500 for field in fields)


def test_long_keys_are_distinguished_by_their_ends_and_length() -> None:
    keys = ["k" * 300, "k" * 301, "k" * 300 + "a", "a" + "k" * 300, "k" * 255, "k" * 256]
    message = mqtt5.Message(topic_name="t", user_properties=[(key, "v") for key in keys])
    applied = [entry for entry in convert(message, "amqp-1.0").report.applied if entry.rule == "user-property"]
    assert len({entry.source for entry in applied}) == len(keys)
    assert {entry.source for entry in applied} >= {f'user_properties["{"k" * length}"]' for length in (255, 256)}
    assert all(len(entry.source) < 280 and entry.source.endswith('"]') for entry in applied)
    assert f'user_properties["{"k" * 120}...(300 characters)...{"k" * 60}"]' in {entry.source for entry in applied}

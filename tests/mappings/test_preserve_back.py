"""Profile `preserve` (decisions.md 8.3): what comes back over MQTT and AMQP is the same, or the report names the field."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from mqconvert import Environment, Report, convert, message_from_json, message_to_json
from mqconvert.converters.engine.paths import path
from mqconvert.converters.model.values import Entry
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.mqtt5 import message as mqtt5
from tests.strategies import mqtt5_messages

CALLER = Environment(address="t")
MEANT = ("amqp-", "mqtt-", "x-opt-amqp-", "x-amqp-1.0-", "x-basic-", "x-reply-to-topic", "x-correlation-id", "x-message-id")
"""Beginnings of names that mean a field, so that they come back as this field."""


def _without_names(entries: Any, *more: str) -> Any:
    """Return the properties with other names, the first of each name."""
    found: dict[str, Any] = {}
    for one in entries or ():
        name = one.key if isinstance(one, Entry) else one[0]
        if not str(name).startswith((*MEANT, *more)):
            found.setdefault(str(name), one)
    return list(found.values()) or None


def _fields(message: Any, prefix: str = "") -> dict[str, str]:
    """Return the text of each set field and entry, by its path."""
    found: dict[str, str] = {}
    for field in fields(message):
        value = getattr(message, field.name)
        if hasattr(value, "__dataclass_fields__") and field.name in ("basic", "header", "properties"):
            found |= _fields(value, f"{field.name}.")
        elif isinstance(value, list) and field.name != "subscription_identifiers":
            for one in value:
                key, held = (one.key, (one.type, one.value)) if isinstance(one, Entry) else one
                found[path(prefix + field.name, key)] = repr(held)
        elif value is not None:
            found[prefix + field.name] = repr(value)
    return found


def _differing(message: Any, by: str) -> dict[str, tuple[str, str | None]]:
    """Return the fields that come back otherwise although no report says so."""
    there = convert(message, by, rules="preserve", environment=CALLER)
    back = convert(there.message, protocol_of(message).name, rules="preserve", environment=replace(CALLER, clock=1))
    told = _gone(there.report) | _origins(there.report, back.report)
    before, after = _fields(message), _fields(back.message)
    return {
        field: (value, after.get(field))
        for field, value in before.items()
        if after.get(field) != value and not any(field == one or one.startswith((f"{field}[", f"{field}.")) for one in told)
    }


def _gone(report: Report) -> set[str]:
    return {one.field for one in report.lost} | {one.field for one in report.dropped}


def _origins(there: Report, back: Report) -> set[str]:
    """Return the fields of the source that the way back lost or dropped."""
    gone = _gone(back)
    return {one.source for one in there.applied if one.target in gone}


@pytest.mark.parametrize("by", ["amqp-0.9.1", "amqp-1.0"])
@given(message=mqtt5_messages())
def test_messages_of_mqtt_come_back(message: mqtt5.Message, by: str) -> None:
    message.user_properties = _without_names(message.user_properties)
    message.packet_identifier = message.topic_alias = message.subscription_identifiers = None
    message.dup, message.topic_name = 0, "t"
    assert _differing(message, by) == {}


CASES = [json.loads(line) for line in (Path(__file__).parents[1] / "data" / "preserved.jsonl").read_text().splitlines()]


def _agreeing(form: Any, wanted: Any) -> Any:
    """Return the members of a JSON form that `wanted` names."""
    if isinstance(wanted, dict) and isinstance(form, dict) and "type" not in wanted:
        return {name: _agreeing(form.get(name), value) for name, value in wanted.items()}
    return form


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in CASES])
def test_messages_of_public_reports_come_back(case: dict[str, Any]) -> None:
    """Most are from public bug reports (`source`): `from` one protocol `by` another `to` the last, each way with `preserve`."""
    there = convert(message_from_json(case["message"]), case["by"], profile="preserve", environment=CALLER)
    end = convert(there.message, case["to"], profile="preserve", environment=CALLER)
    assert _agreeing(message_to_json(end.message), case["wanted"]) == case["wanted"]

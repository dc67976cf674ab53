"""The open cases of `tests/data/hub`: messages of the brokers with their AMQP 1.0 messages, and round trips.

They are an independent reading of the mapping, as data. This module reads the cases and compares messages: message annotations
as a set, application properties in order if the case requires it, fields after defaults.
"""

import json
import re
import struct
from dataclasses import fields
from pathlib import Path
from typing import Any

from mqconvert.converters.engine.paths import path
from mqconvert.converters.model.values import Array, Described, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from tests.entries import entry

_FOLDER = Path(__file__).parent / "data" / "hub"
_HEX = ("binary", "decimal32", "decimal64", "decimal128", "uuid")
HEADER = {"durable": False, "priority": 4, "first_acquirer": False, "delivery_count": 0}
"""The defaults of absent header fields (AMQP 1.0 part 3 section 3.2.1)."""


def cases(name: str) -> list[dict[str, Any]]:
    with (_FOLDER / f"{name}.open.jsonl").open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def typed(value: list[Any]) -> TypedValue:
    """Return the typed value of a case's JSON."""
    kind = value[0]
    if kind == "null":
        return TypedValue("null", None)
    if kind == "array":
        values = [typed([value[1], one] if not isinstance(one, list) else one).value for one in value[3]]
        return TypedValue("array", Array(value[1], values, tuple(map(typed, value[2]))))
    if kind == "described":
        return TypedValue("described", Described(typed(value[1]), typed(value[2])))
    content = value[1]
    if kind in ("string", "symbol"):
        return TypedValue(kind, bytes.fromhex(content).decode())
    if kind in ("float", "double"):
        return TypedValue(kind, struct.unpack(">f" if kind == "float" else ">d", bytes.fromhex(content))[0])
    if kind in _HEX:
        return TypedValue(kind, bytes.fromhex(content))
    if kind == "list":
        return TypedValue(kind, [typed(one) for one in content])
    if kind == "map":
        return TypedValue(kind, [entry(typed(key), typed(one)) for key, one in content])
    return TypedValue(kind, content)


def body(sections: list[list[Any]]) -> amqp10.Body:
    kind = sections[0][0]
    if kind == "data":
        return amqp10.Data([bytes.fromhex(content) for _, content in sections])
    if kind == "sequence":
        return amqp10.AmqpSequence([[typed(one) for one in content] for _, content in sections])
    return amqp10.AmqpValue(typed(sections[0][1]))


def seen(message: amqp10.Message) -> dict[str, Any]:
    """Return the fields of a message after defaults, without delivery annotations, which are not compared."""
    fields: dict[str, Any] = {"body": message.body, "footer": sorted(message.footer or [], key=repr)}
    for name, default in HEADER.items():
        value = None if message.header is None else getattr(message.header, name)
        fields[f"header.{name}"] = default if value is None else value
    fields["header.ttl"] = None if message.header is None else message.header.ttl
    for name in amqp10.Properties.__dataclass_fields__:
        fields[f"properties.{name}"] = None if message.properties is None else getattr(message.properties, name)
    fields["message_annotations"] = sorted(message.message_annotations or [], key=repr)
    fields["application_properties"] = list(message.application_properties or [])
    return fields


def expected(case: dict[str, Any]) -> dict[str, Any]:
    """Return the same fields for the message of a case."""
    made = amqp10.Message(body=body(case["body"]))
    fields = {name: typed(value) for name, value in case.get("header", {}).items()}
    made.header = amqp10.Header(**{name: value.value for name, value in fields.items()})
    named: dict[str, Any] = {name: typed(value) for name, value in case.get("properties", {}).items()}
    ids = ("message_id", "correlation_id")
    made.properties = amqp10.Properties()
    for name, value in named.items():
        setattr(made.properties, name, value if name in ids else value.value)
    for name in ("message_annotations", "footer", "application_properties"):
        pairs = [entry(typed(k).value, typed(v)) for k, v in case.get(name, [])]
        setattr(made, name, pairs or None)
    return seen(made)


def without_open(annotations: list[Any], patterns: list[str]) -> list[Any]:
    """Return the annotations whose keys a case compares."""
    return [one for one in annotations if not any(re.fullmatch(pattern, str(one.key)) for pattern in patterns)]


def _equal_lists(left: list[tuple[str, str]] | None, right: list[tuple[str, str]] | None) -> bool:
    return sorted(left or []) == sorted(right or [])


def _present(value: Any) -> Any:
    """Return the value, or None for a section without any field set."""
    names = getattr(value, "__dataclass_fields__", None)
    return value if names is None or any(getattr(value, name) is not None for name in names) else None


_ALWAYS = (0, "mqconvert", "0.0.0.0:0", "[::]:0")
"""The defaults of the fields that every request or stored record of RocketMQ has."""


def equal(protocol: str, left: Any, right: Any) -> bool:
    """Return whether messages are equal. RocketMQ's properties may differ in order: it comes from a Java hash table."""
    for field in fields(left):
        mine, theirs = _present(getattr(left, field.name)), _present(getattr(right, field.name))
        if field.metadata["types"] == ("utf8-pairs",) and _equal_lists(mine, theirs):
            continue
        filled = protocol == "rocketmq" and mine is None and theirs in _ALWAYS
        if mine != theirs and not filled:
            return False
    return True


MAPS = ("message_annotations", "application_properties", "footer")


def fields_of(message: amqp10.Message) -> dict[str, str]:
    """Return the text of every field that is not a default; each entry of a map has a line (of equal keys, the first)."""
    told: dict[str, str] = {}
    for name, value in seen(message).items():
        if name in MAPS:
            for member in value:
                told.setdefault(path(name, member.key), repr(member))
        elif value is not None and value != HEADER.get(name, ...):
            told[name] = repr(value)
    return told


CAME_INTO_BEING = ("properties.creation_time", "properties.to")
"""Fields that may be set after a round trip and unset before (decisions.md)."""


def differences(original: amqp10.Message, back: amqp10.Message, protocol: str) -> set[str]:
    """Return the fields that differ after a round trip, except those that it may set."""
    before, after = seen(original), seen(back)
    own = f"x-opt-{protocol}-"
    kept = {entry.key for entry in before["message_annotations"]}
    after["message_annotations"] = [
        one for one in after["message_annotations"] if one.key in kept or not str(one.key).startswith(own)
    ]
    names = {
        name for name, value in before.items()
        if repr(value) != repr(after[name]) and not (value is None and name in CAME_INTO_BEING)
    }  # fmt: skip
    if protocol in ("nsq", "phpmq") and (original.header is None or original.header.durable is None):
        names.discard("header.durable")  # the store's durability applies to a message without its own (R21)
    return names

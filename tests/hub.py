"""The cases of `tests/data/hub`: a second reading of the mapping between AMQP 1.0 and the four brokers, as data.

`tests/data/hub/README.md` explains their form. This module reads them, converts them, and compares the messages.
"""

import gzip
import ipaddress
import json
import struct
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

from mqconvert import Environment, Report, converter, decode, decode_all, encode
from mqconvert.converters.errors import MqConvertError
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import Array, Described, TypedValue
from mqconvert.converters.protocols.amqp10 import message as amqp10
from mqconvert.converters.protocols.rocketmq.message import is_system_name
from tests.entries import entry

FOLDER = Path(__file__).parent / "data" / "hub"
BROKERS = ("nsq", "phpmq", "rocketmq", "pulsar")
_HEX = ("binary", "decimal32", "decimal64", "decimal128", "uuid")
MAPS = ("delivery_annotations", "message_annotations", "application_properties", "footer")
_HOSTS = ("x-opt-rocketmq-born-host", "x-opt-rocketmq-store-host")


@cache
def cases(name: str) -> list[dict[str, Any]]:
    with gzip.open(FOLDER / f"{name}.open.jsonl.gz", "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


# ---- messages of the cases ------------------------------------------------------------------------------------------


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
    kind, content = sections[0]
    if kind == "encoded":  # one data section with the encoding of these sections
        return amqp10.Data([encode(amqp10.Message(body=body(content)))])
    if kind == "data":
        return amqp10.Data([bytes.fromhex(each) for _, each in sections])
    if kind == "sequence":
        return amqp10.AmqpSequence([[typed(one) for one in each] for _, each in sections])
    return amqp10.AmqpValue(typed(content))


def message_of(case: dict[str, Any]) -> amqp10.Message:
    """Return the AMQP 1.0 message of a case."""
    made = amqp10.Message(body=body(case["body"]) if case.get("body") else None)
    if "header" in case:
        made.header = amqp10.Header(**{name: typed(value).value for name, value in case["header"].items()})
    if "properties" in case:
        named: dict[str, Any] = {name: typed(value) for name, value in case["properties"].items()}
        ids = ("message_id", "correlation_id")
        made.properties = amqp10.Properties(**{name: each if name in ids else each.value for name, each in named.items()})
    for name in MAPS:
        setattr(made, name, [entry(typed(key).value, typed(value)) for key, value in case.get(name, [])] or None)
    return made


def seen(message: amqp10.Message) -> dict[str, str]:
    """Return the text of each set field and entry, by its path, without what the cases do not compare.

    They compare neither a delivery count of 0 with none, nor the text form of IPv6, nor NaNs.
    """
    found: dict[str, str] = {}
    for section in ("header", "properties"):
        part = getattr(message, section)
        for field in () if part is None else fields(part):
            value = getattr(part, field.name)
            if value is not None and (field.name, value) != ("delivery_count", 0):
                found[f"{section}.{field.name}"] = repr(value)
    for name in MAPS:
        for one in getattr(message, name) or ():
            host = _host(one.value) if one.key in _HOSTS else one.value
            found.setdefault(path(name, one.key), repr((one.type, host)))
    if message.body is not None:
        found["body"] = repr(message.body)
    return found


def _host(value: Any) -> Any:
    """Return a host with its IP address in one form; any other value as it is."""
    address, _, port = value.rpartition(":") if isinstance(value, str) else ("", "", "")
    try:
        return f"{ipaddress.ip_address(address.strip('[]'))}:{port}"
    except ValueError:
        return value


# ---- what we make of them -------------------------------------------------------------------------------------------


def _chosen(case: dict[str, Any], options: dict[str, Any]) -> tuple[Environment, list[str]]:
    rules = [options["rules"]] if "rules" in options else []
    mine = {name: value for name, value in options.items() if name != "rules"}
    return Environment(address=case.get("address"), **mine), rules


def to_hub(protocol: str, case: dict[str, Any]) -> str | list[dict[str, str]]:
    """Return what the messages of a case become, or the code of the error."""
    environment, rules = _chosen(case, case.get("options") or {})
    try:
        messages = decode_all(protocol, bytes.fromhex(case["input"]))
        made = [converter(protocol, "amqp-1.0", rules=rules).convert(each, environment).message for each in messages]
    except MqConvertError as error:
        return error.code
    return [seen(each) for each in made]


def expected(case: dict[str, Any]) -> str | list[dict[str, str]]:
    return case["error"] if "error" in case else [seen(message_of(each)) for each in case["expected"]]


def run(case: dict[str, Any], one: dict[str, Any]) -> str | tuple[list[str], dict[str, str]]:
    """Return the losses of one run to a broker with the message that comes back, or the code of the error."""
    options = {"clock": 1_750_000_000_000, "producer": "made", "sequence_id": 5} | (one.get("options") or {})
    there_environment, rules = _chosen(case, options)
    target = one["target"]
    try:
        source: Any = decode("amqp-1.0", bytes.fromhex(case["wire"]))
        there = converter("amqp-1.0", target, rules=rules).convert(source, there_environment)
        carried: Any = decode(target, encode(there.message))
        topic = getattr(there.message, "topic", None) or None
        back_options = {name: value for name, value in options.items() if name not in ("frame", "clock")}
        environment, _ = _chosen({"address": topic}, back_options)
        back: Any = converter(target, "amqp-1.0", rules=rules).convert(carried, environment).message
    except MqConvertError as error:
        return error.code
    told = {loss.field for loss in there.report.lost} | {drop.field for drop in there.report.dropped}
    return sorted(told), seen(back)


def wanted(one: dict[str, Any]) -> str | tuple[list[str], dict[str, str]]:
    return one["error"] if "error" in one else (sorted(one["losses"]), seen(message_of(one["message"])))


def differing() -> list[str]:
    """Return the names of all cases and runs with another answer than the expected one."""
    found = [f"{broker} {case['id']}" for broker in BROKERS for case in cases(broker) if to_hub(broker, case) != expected(case)]
    found += [name for name, case, one in runs() if run(case, one) != wanted(one)]
    return found


def runs() -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return every run of the messages of AMQP 1.0 with its name."""
    made = []
    for case in cases("amqp"):
        for one in case["runs"]:
            options = " ".join(f"{name}={value}" for name, value in (one.get("options") or {}).items())
            made.append((f"{one['target']} {case['id']} {options}".strip(), case, one))
    return made


# ---- any message, there and back ------------------------------------------------------------------------------------


def differences(before: amqp10.Message, after: amqp10.Message, report: Report) -> set[str]:
    """Return the fields that did not come back as they were, although the report on the way there is silent about them.

    Types may change to text (rules 7, 9 and 11), so texts and the numbers of fields are compared, and other values found.
    """
    told = {each.field for each in report.lost} | {each.field for each in report.dropped}
    told |= {path("application_properties", one.key) for one in before.application_properties or () if _reserved(one.key)}
    told |= {path("message_annotations", one.key) for one in before.application_properties or ()}
    told |= {path("message_annotations", one.key) for one in before.message_annotations or () if _other_place(one.key)}
    mine, theirs = seen(before), seen(after)
    return {
        field
        for field, value in mine.items()
        if field not in told and (field not in theirs or (_exact(field, value) and theirs[field] != value))
    }


def _reserved(key: str) -> bool:
    """Return whether the name of a property means something else on the way back."""
    return key.startswith(("x-", "amqp-")) or is_system_name(key)


def _other_place(key: int | str) -> bool:
    """Return whether an annotation fills a property that has a place of its own on the way back, such as KEYS."""
    return str(key).startswith("x-opt-rocketmq-prop-")


def _exact(field: str, value: str) -> bool:
    if "[" in field:
        return value.startswith("('string'")
    return field != "body" and "TypedValue" not in value


def equal(protocol: str, left: Any, right: Any) -> bool:
    """Return whether messages are equal. Properties may differ in order; RocketMQ fills fields that every frame has."""
    for field in fields(left):
        mine, theirs = _present(getattr(left, field.name)), _present(getattr(right, field.name))
        if field.metadata["types"] == ("utf8-pairs",) and sorted(mine or []) == sorted(theirs or []):
            continue
        filled = protocol == "rocketmq" and mine is None and theirs in _ALWAYS
        if mine != theirs and not filled:
            return False
    return True


_ALWAYS = (0, "mqconvert", "0.0.0.0:0", "[::]:0")
"""The defaults of the fields that every request or stored record of RocketMQ has."""


def _present(value: Any) -> Any:
    """Return the value, or None for a section without any field set."""
    names = getattr(value, "__dataclass_fields__", None)
    return value if names is None or any(getattr(value, name) is not None for name in names) else None

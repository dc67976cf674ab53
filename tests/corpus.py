"""Reading cases of the corpus, which has a real RabbitMQ's answers, and comparing messages.

RabbitMQ 4.0.5's own conversion code made the files in tests/data/corpus. `page` is the answer of the conversions page, `newest`
that of RabbitMQ's main branch of August 2026.
"""

import json
import math
import struct
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from mqconvert.converters.protocols.amqp091 import codec as amqp091
from mqconvert.converters.protocols.amqp091.message import Message as Message091
from mqconvert.converters.protocols.amqp10 import codec as amqp10
from mqconvert.converters.protocols.mqtt5 import codec as mqtt5

FOLDER = Path(__file__).parent / "data" / "corpus"
PAIRS = (
    "amqp10_to_amqp091",
    "amqp091_to_amqp10",
    "mqtt5_to_amqp10",
    "mqtt5_to_amqp091",
    "amqp10_to_mqtt5",
    "amqp091_to_mqtt5",
)


def lines(name: str) -> Iterator[dict[str, Any]]:
    with (FOLDER / f"{name}.open.jsonl").open(encoding="utf-8") as file:
        yield from map(json.loads, file)


def read(protocol: str, case: dict[str, str]) -> Any:
    """Return a message of a case."""
    if protocol == "amqp-0.9.1":
        return Message091(
            basic=amqp091.decode_properties(bytes.fromhex(case["properties"])), payload=bytes.fromhex(case["body"])
        )
    codec = amqp10 if protocol == "amqp-1.0" else mqtt5
    return codec.decode(bytes.fromhex(case["wire"]))


def same_form(value: Any) -> Any:
    """Return a message as nested tuples for the comparison: NaN equals NaN, empty fields and sections do not count."""
    if is_dataclass(value) and not isinstance(value, type):
        parts = {field.name: same_form(getattr(value, field.name)) for field in fields(value)}
        return type(value).__name__, tuple((name, part) for name, part in parts.items() if not _empty(part))
    if isinstance(value, list | tuple):
        return tuple(same_form(part) for part in value)
    if isinstance(value, float):
        return ("nan",) if math.isnan(value) else struct.pack(">d", value)
    if isinstance(value, bool):
        return ("true",) if value else ("false",)
    return value


def _empty(part: Any) -> bool:
    return (
        part is None
        or part == ()
        or (isinstance(part, tuple) and len(part) == 2 and part[1] == () and isinstance(part[0], str))
    )

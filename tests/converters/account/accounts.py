"""Messages and overlays for accounts, the `applied` of a report as a set, and lines with one space between words."""

from typing import Any

from mqconvert import Environment, convert
from mqconvert.converters.overlays import Overlay
from mqconvert.converters.protocols.amqp10 import message as amqp10

BODY = amqp10.Data([b"hi"])


def hub(**parts: Any) -> amqp10.Message:
    return amqp10.Message(body=BODY, **parts)


def applied(message: Any, target: str, *rules: Overlay, **environment: Any) -> set[tuple[str, str, str]]:
    report = convert(message, target, rules=rules, environment=Environment(**environment)).report
    return {(entry.rule, entry.source, entry.target) for entry in report.applied}


def one_row(table: str, kind: str, row: str) -> Overlay:
    return Overlay("mine.toml", f'["{table}"]\n{kind} = [\n  {{ {row} }},\n]\n')


def squeezed(text: str) -> list[str]:
    return [" ".join(line.split()) for line in text.splitlines()]

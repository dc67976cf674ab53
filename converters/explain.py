"""A conversion's account for a person: a printer over what the converter noted, with values and table lines."""

from collections.abc import Iterable, Iterator
from typing import Any

from mqconvert.converters.messages import Message, protocol_of
from mqconvert.converters.report import Report
from mqconvert.converters.routes import DEFAULT_ENVIRONMENT, DOCUMENTED, Conversion, Environment, convert, decode
from mqconvert.converters.values import TypedValue

_LONGEST = 60


def explain(
    message: Message | bytes,
    to: str,
    *,
    source: str | None = None,
    profile: str = DOCUMENTED,
    rules: Iterable[str] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    redact: bool = False,
) -> str:
    """Convert a message and say what became of every field: values, row and line of the table, drops and losses.

    `redact` leaves the values out and prints their types and sizes only. Raises what `convert` raises.

    >>> print(explain(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0"))
    mqtt-5.0 -> amqp-0.9.1
      qos         0           ->  basic.delivery_mode  1         mqtt5_to_amqp091.toml:8   qos
      payload     2 octets    ->  payload              2 octets  mqtt5_to_amqp091.toml:21  payload
      topic_name  't'         accounted: where it was published, not part of the message  topic
    """
    if isinstance(message, bytes) and source is not None:
        message = decode(source, message)
    conversion = convert(message, to, source=source, profile=profile, rules=rules, environment=environment)
    return explained(message, conversion, redact=redact)


def explained(message: Any, conversion: Conversion, *, redact: bool = False) -> str:
    """The account of a conversion that was made before, as `explain` gives it.

    >>> message = decode("mqtt-3.1.1", bytes.fromhex("3005000174") + b"hi")
    >>> print(explained(message, convert(message, "mqtt-3.1.1")))
    mqtt-3.1.1: the same protocol, nothing changes
    """
    report = conversion.report
    if not report.tables:
        return f"{protocol_of(message).name}: the same protocol, nothing changes"
    lines: list[str] = []
    last = len(report.tables)
    for leg, name in enumerate(report.tables, 1):
        lines.append(name)
        source = message if leg == 1 else None
        target = conversion.message if leg == last else None
        lines.extend(_columns(_rows(report, leg, source, target, redact=redact)))
    return "\n".join(lines)


def _rows(report: Report, leg: int, source: Any, target: Any, *, redact: bool) -> Iterator[tuple[str, ...]]:
    for entry in report.applied:
        if entry.leg == leg:
            row = report.rule(entry.rule, leg)
            by = entry.rule if entry.type_rule is None else f"{entry.rule}, {entry.type_rule}"
            value, made = show(source, entry.source, redact=redact), show(target, entry.target, redact=redact)
            yield entry.source, value, f"->  {entry.target}", made, row.where, by
    for field, word, text, rule in (
        *((d.field, "dropped", d.note, d.rule) for d in report.dropped if d.leg == leg),
        *((a.field, "accounted", a.note, a.rule) for a in report.accounted if a.leg == leg),
        *((lost.field, "LOST", lost.reason, lost.rule or "") for lost in report.lost if lost.leg == leg),
    ):
        yield field, show(source, field, redact=redact), f"{word}: {text}  {rule}".rstrip()


def _columns(rows: Iterable[tuple[str, ...]]) -> Iterator[str]:
    """Rows with their columns under one another; the text of a row without a target runs on."""
    listed = [tuple(map(_printable, row)) for row in rows]
    full = [row for row in listed if len(row) > 3]
    widths = [max((len(row[at]) for row in (listed if at < 2 else full)), default=0) for at in range(6)]
    widths[1] = max(widths[1], 10)
    for row in listed:
        cells = [f"{cell:{widths[at]}}" if len(row) > 3 or at < 2 else cell for at, cell in enumerate(row)]
        yield ("  " + "  ".join(cells)).rstrip()


def _printable(text: str) -> str:
    """Keys of a message may hold line ends and what terminals take for commands."""
    if text.isprintable():
        return text
    return "".join(character if character.isprintable() else repr(character)[1:-1] for character in text)


def show(message: Any, field: str, *, redact: bool = False) -> str:
    """The value at a field path, short enough for a line; nothing where the message is not at hand.

    >>> from mqconvert.converters.messages.amqp10 import Header, Message
    >>> show(Message(header=Header(ttl=5)), "header.ttl")
    '5'
    """
    if message is None:
        return ""
    place, bracket, key = field.partition("[")
    value: Any = message
    for name in place.split("."):
        value = getattr(value, name, None)
    if bracket and isinstance(value, list):
        wanted = key.rstrip("]").strip('"')
        value = next((pair[1] for pair in value if isinstance(pair, tuple) and str(pair[0]) == wanted), None)
    return _short(value, redact=redact)


def _short(value: Any, *, redact: bool) -> str:
    if isinstance(value, TypedValue):
        return f"{value.type} {_short(value.value, redact=redact)}".rstrip()
    if value is None:
        return ""
    if isinstance(value, bytes):
        return f"{len(value)} octets"
    if redact:
        return f"({len(value)} characters)" if isinstance(value, str) else "(redacted)"
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."

"""Explanations of a conversion: the entries of its report with the values that they are about, as text and as JSON.

shown.py has the text of values, aligned.py the lines of rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Iterator
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from mqconvert.converters.account.aligned import BEFORE, Row, Styled, aligned, wrapped
from mqconvert.converters.account.shown import LONGEST, Shown, short, shortened
from mqconvert.converters.converting import convert
from mqconvert.converters.engine.notes import SECOND_EQUAL_KEY
from mqconvert.converters.engine.report import Accounted, Applied, Dropped, Lost, Report
from mqconvert.converters.engine.values import Values
from mqconvert.converters.environment import DEFAULT_ENVIRONMENT, Environment, options_set
from mqconvert.converters.errors import ArgumentError, MessageError
from mqconvert.converters.json import message_to_json
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.overlays import DOCUMENTED, Rules
from mqconvert.converters.protocols import protocol_of
from mqconvert.converters.protocols.calls import BytesLike, decode, encode
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message


def explain(
    message: Message | BytesLike,
    to: str,
    *,
    source: str | None = None,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    environment: Environment = DEFAULT_ENVIRONMENT,
    redact: bool = False,
    width: int | None = None,
) -> str:
    """Convert a message and print its summary and the outcome of every field: values, row and line of the table.

    Fields that do not arrive come first, with the reason. `redact` prints types and sizes instead of values. `width` is the
    most characters of a line of fields (default: no limit): longer values are cut, and lines of tables are left out. If the
    result cannot be encoded, the second line says why. Raises the errors of `convert`, and EncodeError for an invalid field.

    >>> print(explain(bytes.fromhex("3006000174006869"), "amqp-0.9.1", source="mqtt-5.0"))
    all 2 fields arrive (1 unchanged, 1 changed)
    mqtt-5.0 -> amqp-0.9.1
      qos         0           ->  basic.delivery_mode  1     mqtt5_to_amqp091.toml:8   qos
      payload     'hi'        ->  payload              'hi'  mqtt5_to_amqp091.toml:21  payload
      topic_name  't'         elsewhere: where it was published, not part of the message  topic
    """
    # `convert` refuses bytes without a source.
    read: Any = decode(source, message) if isinstance(message, BytesLike) and source is not None else message
    conversion = convert(read, to, source=source, profile=profile, rules=rules, environment=environment)
    fault = ""
    try:
        encode(conversion.message)
    except MessageError as error:
        error.untried(options_set(environment))
        why = error.field if redact else error  # its text may have the value
        fault = f"the result cannot be encoded: {why} [{error.code}]"
    return "\n".join(_lines(read, conversion, environment, redact=redact, width=width, fault=fault))


def explained(
    message: Message,
    conversion: Conversion,
    *,
    redact: bool = False,
    environment: Environment = DEFAULT_ENVIRONMENT,
    width: int | None = None,
    styled: Styled | None = None,
) -> str:
    """Return the `explain` text of an earlier conversion; `environment` is the Environment of that conversion.

    `styled(outcome, text)` returns the text of an outcome with the codes of a terminal for its colour; it has no part in the
    `width`. The outcomes are lost, dropped, applied, implied and elsewhere.

    >>> message = decode("mqtt-3.1.1", bytes.fromhex("3005000174") + b"hi")
    >>> print(explained(message, convert(message, "mqtt-3.1.1")))
    all 3 fields arrive unchanged
    mqtt-3.1.1: the same protocol, nothing changes
    """
    return "\n".join(_lines(message, conversion, environment, redact=redact, width=width, styled=styled))


def _lines(
    message: Message,
    conversion: Conversion,
    environment: Environment,
    *,
    redact: bool,
    width: int | None,
    styled: Styled | None = None,
    fault: str = "",
) -> list[str]:
    if width is not None and type(width) is not int:
        raise ArgumentError("width", "a number of characters", type(width))
    report = conversion.report
    lines = wrapped(str(report.summary), width)
    if fault:
        lines += wrapped(fault, width)
    if not report.tables:
        return [*lines, *wrapped(f"{protocol_of(message).name}: the same protocol, nothing changes", width)]
    in_part = frozenset(map(id, report.lost_in_part))
    try:
        for leg, told in enumerate(_told(message, conversion, environment, _Values, redact=redact), 1):
            lines.extend(wrapped(report.tables[leg - 1], width))
            in_order = sorted(told, key=lambda one: _FIRST.index(type(one[0])))
            lines.extend(aligned((_row(report, in_part, *one) for one in in_order), width, styled))
    except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
        message_to_json(message)  # raises a more specific error for an invalid field
        raise
    return lines


def explained_json(
    message: Message, conversion: Conversion, *, redact: bool = False, environment: Environment = DEFAULT_ENVIRONMENT
) -> JsonObject:
    """Return the report of a conversion in JSON, each entry with its values as in the JSON form of messages.

    `value` is that of the source, `made` that of the target; `where` is the line of the table. With `redact`, values are texts
    with types and sizes only.

    >>> message = decode("mqtt-5.0", bytes.fromhex("3006000174006869"))
    >>> told = explained_json(message, convert(message, "amqp-0.9.1"))["applied"][0]
    >>> told["from"], told["value"], told["to"], told["made"], told["where"]
    ('qos', 0, 'basic.delivery_mode', 1, 'mqtt5_to_amqp091.toml:8')
    """
    report = conversion.report
    lists: dict[type[Noted], list[JsonObject]] = {Applied: [], Dropped: [], Lost: [], Accounted: []}
    for told in _told(message, conversion, environment, _JsonValues, redact=redact):
        for entry, value, made in told:
            known = entry.as_dict() | {"value": value}
            if isinstance(entry, Applied):
                known |= {"made": made, "where": report.rule(entry.rule, entry.leg).where}
            lists[type(entry)].append(known)
    return report.as_dict() | {kind.__name__.lower(): entries for kind, entries in lists.items()}


Noted = Applied | Dropped | Accounted | Lost
_FIRST: list[type[Noted]] = [Lost, Dropped, Applied, Accounted]
"""The order of outcomes in the text: what does not arrive comes first."""


def _told(
    message: Message, conversion: Conversion, environment: Environment, kind: type[_Values], *, redact: bool
) -> Iterator[list[tuple[Noted, Any, Any]]]:
    """Yield the entries of the report for each table, each with its value and the resulting value."""
    report = conversion.report
    said = {field.name: getattr(environment, field.name) for field in fields(environment)}
    at_hand = (message, *conversion.between, conversion.message)
    messages = [kind(one, redact=redact, caller=dict(said)) for one in at_hand]
    entries: list[Noted] = [*report.applied, *report.dropped, *report.accounted, *report.lost]
    address = environment.address
    for leg in range(1, len(report.tables) + 1):
        messages[leg - 1].caller["address"] = address
        here = [entry for entry in entries if entry.leg == leg]
        left_out = {row.id for row in report.start_rows(leg)}
        yield list(_with_values(here, messages[leg - 1], messages[leg], left_out))
        if environment.address is None and (place := report.address_place(leg)) is not None:
            address = getattr(messages[leg - 1].message, place)


def _with_values(
    entries: list[Noted], source: _Values, target: _Values, left_out: Container[str]
) -> Iterator[tuple[Noted, object, object]]:
    """Yield entries with their values; `left_out` are the start rows."""
    source.expect((_field(entry), entry.rule, _turn(entry, left_out)) for entry in entries)
    target.expect((entry.target, entry.rule, 0) for entry in entries if isinstance(entry, Applied) and entry.note is None)
    for entry in entries:
        value = source.next(_field(entry), entry.rule, _turn(entry, left_out))
        made = target.next(entry.target, entry.rule) if isinstance(entry, Applied) and entry.note is None else None
        yield entry, value, made


def _row(report: Report, in_part: Container[int], entry: Noted, value: str, made: Any) -> Row:
    """Return the row of an entry; `in_part` has those by identity that lose a part of a value."""
    field = _field(entry)
    if isinstance(entry, Applied) and entry.note is not None:
        return "implied", (field, value, f"implied by {shortened(entry.target)}: {entry.note}  {entry.rule}")
    if isinstance(entry, Applied):
        by = entry.rule if entry.type_rule is None else f"{entry.rule}, {entry.type_rule}"
        return "applied", (
            field,
            value,
            f"{BEFORE}{shortened(entry.target)}",
            made,
            report.rule(entry.rule, entry.leg).where,
            by,
        )
    if isinstance(entry, Lost):
        how = "LOST IN PART" if id(entry) in in_part else "LOST"
        return "lost", (field, value, f"{how}: {entry.reason}{report.wanted(entry)}  {entry.rule or ''}".rstrip())
    word = "dropped" if isinstance(entry, Dropped) else "elsewhere"
    return word, (field, value, f"{word}: {entry.note}  {entry.rule}")


def _field(entry: Noted) -> str:
    return entry.source if isinstance(entry, Applied) else entry.field


def _turn(entry: Noted, left_out: Container[str]) -> int:
    """Return whether an entry is of the first values of its key (-1) or the last (1): lost to a later, or an earlier one."""
    if not isinstance(entry, Lost):
        return 0
    return 1 if entry.reason == SECOND_EQUAL_KEY else -1 if entry.rule in left_out else 0


class _Values(Values):
    """The values of one message by field path.

    Duplicate keys have the same path in a report. The row has the first value, and values lost as duplicates come last; those
    that a start row left out come first. If several candidates remain, all are shown.
    """

    def __init__(self, message: Message, *, redact: bool, caller: dict[str, object] | None = None) -> None:
        super().__init__(message)
        self.caller = caller or {}
        self._redact = redact
        self._candidates: dict[str, list[object]] = {}
        self._expected: Counter[tuple[str, str | None, int]] = Counter()
        self._seen: Counter[tuple[str, str | None, int]] = Counter()

    def expect(self, entries: Iterable[tuple[str, str | None, int]]) -> None:
        """Register all entries that will be requested: field, row, and the turn among the values of the key (`_turn`)."""
        for field, rule, turn in entries:
            self._expected[field, None if turn else rule, turn] += 1

    def next(self, field: str, rule: str | None, turn: int = 0) -> object:
        """Return the value of the next entry of that field and row."""
        asked = (field, None if turn else rule, turn)
        values, firsts, lasts = self.at(field), self._expected[field, None, -1], self._expected[field, None, 1]
        at = self._seen[asked] + {-1: 0, 0: firsts, 1: len(values) - lasts}[turn]
        self._seen[asked] += 1
        if len(values) > 1 and not turn and firsts + self._expected[asked] + lasts != len(values):
            return self._any_of(field, values)
        return self._shown(field, values[min(max(at, 0), len(values) - 1)] if values else None)

    def _any_of(self, _field: str, values: list[object]) -> object:
        return Shown(shortened(" | ".join(short(value, redact=self._redact) for value in values[:LONGEST])))

    def _shown(self, _field: str, value: object) -> object:
        return short(value, redact=self._redact)

    def at(self, field: str) -> list[object]:
        """Return every value at a path; `@clock` and the like come from the Environment."""
        if field[:1] == "@":
            return [self.caller.get(field[1:])]
        return super().at(field)


class _JsonValues(_Values):
    """Formats values as in the JSON form of messages, or as redacted text."""

    _form: JsonObject | None = None

    def _any_of(self, field: str, values: list[object]) -> object:
        """Return all candidates: one list for all entries of a field, since equal keys may be many."""
        if field not in self._candidates:
            self._candidates[field] = [self._plain(value) for value in values]
        return self._candidates[field]

    def _shown(self, field: str, value: object) -> object:
        if field[:1] == "@" or "[" in field or self._redact:
            return self._plain(value)
        if self._form is None:
            self._form = message_to_json(self.message)
        at: object = self._form
        for name in field.split("."):
            at = at.get(name) if isinstance(at, dict) else None
        return at

    def _plain(self, value: object) -> object:
        if self._redact:
            return short(value, redact=True)
        form = self.plain_json(value)
        return short(value, redact=False) if form is None and value is not None else form

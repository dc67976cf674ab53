"""The forecast of values that survive, change, are dropped or lost between two protocols, without a message.

The forecast converts small messages, one for each place of the source and each type of its values, with only that place set. It
follows the reports of these conversions, leg by leg.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mqconvert.converters.account.forecast import ACCOUNTED, CHANGES, DROPPED, LOST, REFUSED, SURVIVES, Forecast, Outcome
from mqconvert.converters.engine.report import Accounted, Applied, Dropped, Lost
from mqconvert.converters.engine.rules import CONSTANT, RuleTable
from mqconvert.converters.engine.samples import empty_message, message_with, tried
from mqconvert.converters.engine.values import Values
from mqconvert.converters.environment import Environment, Payload
from mqconvert.converters.errors import ConversionError
from mqconvert.converters.model.bodies import BODY_TYPES, AmqpValue
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import BODY, ENTRIES, SECTION, WHOLE, Place, places, types_at
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.overlays import DOCUMENTED, Rules, listed
from mqconvert.converters.protocols import protocol_named, protocol_of
from mqconvert.converters.routes import RouteConverter, converter
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

CALLER = Environment(clock=1_234_567, sequence_id=2_345_678)
"""An Environment with distinctive numbers, so that values of the caller differ from those of the message."""


def fidelity(
    source: str,
    target: str,
    *,
    back: bool = False,
    profile: str = DOCUMENTED,
    rules: Rules | Iterable[Rules] = (),
    payload: Payload = "body",
) -> Forecast:
    """Return the forecast from one protocol to another, with `back` for the round trip; `payload` is that of Environment.

    Raises NoRouteError for an unknown protocol or profile, RuleTableError for overlays with a mistake, ConversionError
    `bad_option` for an unknown `payload`.

    >>> forecast = fidelity("mqtt-5.0", "amqp-1.0")
    >>> [(o.there, o.to, o.as_, o.rules) for o in forecast.outcomes if o.field == "message_expiry_interval" and not o.case]
    [('changes', 'header.ttl', 'uint', ('message-expiry-interval',))]
    """
    rules = listed(rules)
    there = converter(source, target, profile=profile, rules=rules)
    again = converter(target, source, profile=profile, rules=rules) if back else None
    trip = _Trip(protocol_named(there.route.source), there, again, replace(CALLER, payload=payload))
    outcomes = (trip.outcome(message, field, type_, case) for field, type_, case, message in trials_of(there, again))
    return Forecast(there.route.source, there.route.target, back, tuple(outcomes))


# ---- messages to try ------------------------------------------------------------------------------------------------


def trials_of(there: RouteConverter, again: RouteConverter | None = None) -> Iterator[tuple[str, str, str, Any]]:
    """Yield field, type, case and message for every value that a forecast tries: a small message with one field set."""
    protocol = protocol_named(there.route.source)
    for place in places(protocol).values():
        if place.kind not in (SECTION, WHOLE):
            yield from _trials(protocol, place, _keys(place, there, again), there.route.legs[:1])


def _trials(
    protocol: Protocol, place: Place, keys: Sequence[str | None], tables: Sequence[RuleTable]
) -> Iterator[tuple[str, str, str, object]]:
    """Yield field, type, case and message for every trial value of a place: ordinary values, and those that its rows need."""
    rules = [rule for table in tables for rule in table.rules if rule.source == place.path]
    for key in keys:
        here = [rule for rule in rules if rule.source_pattern == key]
        for type_ in types_at(protocol, place):
            for case, value in tried(protocol, place, type_, here).items():
                if place.unset is None or value != place.unset:
                    yield path(place.path, key), type_, case, message_with(protocol, place, type_, key, value)


def _keys(place: Place, there: RouteConverter, again: RouteConverter | None) -> Sequence[str | None]:
    """Return the keys of a map that rows distinguish.

    These are keys that rows of the way there name, for this map or one that may receive its entries. The patterns of both
    ways come last, for the keys that they match.
    """
    if place.kind != ENTRIES or place.types[0] == "varints":
        return [None]
    tables = there.route.legs + (again.route.legs if again is not None else ())
    patterns = {rule.source_pattern for table in tables for rule in table.rules if rule.source_pattern is not None}
    named = {
        rule.source_pattern
        for leg, table in enumerate(there.route.legs)
        for rule in table.rules
        if rule.source_pattern is not None and not rule.source_pattern.endswith("*") and (leg or rule.source == place.path)
    }
    return sorted(named | {"*"} | {pattern for pattern in patterns if pattern.endswith("*")})


# ---- values of messages ---------------------------------------------------------------------------------------------


class _Held(NamedTuple):
    """The content of a field: its wire type, the range of that type, and the value."""

    type: str = ""
    range: object = None
    value: object = None


def _held(message: Any, field: str) -> _Held:
    """Return the content at a field path of a message, empty where it is unset."""
    if message is None:
        return _Held()
    protocol = protocol_of(message)
    place = places(protocol).get(field.partition("[")[0])
    if place is None or place.kind in (SECTION, WHOLE):
        return _Held()
    value: Any = next(iter(Values(message).at(field)), None)
    if value is None:
        return _Held()
    type_ = place.types[0] if place.values is None else place.values.name
    if isinstance(value, TypedValue):
        type_, value = value.type, value.value
    elif place.kind == BODY:
        type_ = BODY_TYPES[type(value)]
    wire = protocol.types.get(type_)
    return _Held(type_, (wire.bounds, wire.size) if wire is not None else (None, None), value)


def _same(sent: _Held, made: _Held) -> bool:
    """Return whether the two values are equal, or the resulting list contains the original one."""
    value, found = _plain(sent.value), _plain(made.value)
    return (repr(value) == repr(found) or repr(value) in map(repr, _elements(found))) and sent.range == made.range


def _elements(value: object) -> Iterator[object]:
    for element in value if isinstance(value, list) else ():
        yield element
        yield from _elements(element)


def _plain(value: object) -> object:
    """Return a value in a form independent of its type: text as UTF-8 bytes, a body or list of one part as that part."""
    if isinstance(value, TypedValue | AmqpValue):
        return _plain(value.value)
    if isinstance(value, Entry):
        return [_plain(value.key), _plain(value.value)]
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    if is_dataclass(value):
        value = [getattr(value, field.name) for field in fields(value)]
    if isinstance(value, list | tuple):
        return _plain(value[0]) if len(value) == 1 else [_plain(part) for part in value]
    return value


# ---- their outcomes -------------------------------------------------------------------------------------------


class _Trail:
    """The trail of one field in a report, leg by leg: its last fields, the rows, and their notes."""

    def __init__(self, conversion: Conversion, tables: Sequence[RuleTable], starts: list[str]) -> None:
        self._entries = conversion.report.entries
        self.ends = starts
        self.constants: list[str] = []
        self.rules: list[str] = []
        self.type_rules: list[str] = []
        self.lost: list[str] = []
        self.dropped: list[str] = []
        self.accounted: list[str] = []
        self.said_by: list[str] = []
        for leg, table in enumerate(tables, 1):
            self._follow(leg, table, conversion.message if leg == len(tables) else None)

    def _follow(self, leg: int, table: RuleTable, last: object) -> None:
        """Follow one leg; `last` is the message after the last leg."""
        at = self.ends + self.constants
        self.ends, self.constants = [], []
        finish = {rule.id: rule for rule in table.finish if any(_any_within(field, _fields(rule.reads)) for field in at)}
        both: list[Applied | Dropped] = [*self._entries.applied, *self._entries.dropped]
        for noted in both:
            if noted.leg == leg and noted.rule in finish:
                self.ends.append(path(finish[noted.rule].source, finish[noted.rule].source_pattern))
                self.rules.append(noted.rule)
        for applied in self._entries.applied:
            if applied.leg == leg and _any_within(applied.source, at):
                rule = table.row(applied.rule)
                if applied.note is not None:
                    self.said_by.append(applied.target)
                    self.accounted.append(applied.note)
                    self.constants.append(CONSTANT)  # the way back restores a value implied here
                self.ends.append(applied.target)
                self.constants += rule.constants
                self.rules.append(rule.id)
                self.type_rules += [applied.type_rule] if applied.type_rule is not None else []
        others: list[Lost | Dropped | Accounted] = [*self._entries.lost, *self._entries.dropped, *self._entries.accounted]
        for entry in others:
            if entry.leg != leg or not _any_within(entry.field, at):
                continue
            self.rules += [entry.rule] if entry.rule is not None else []
            if isinstance(entry, Lost):
                self.lost.append(entry.reason)
            elif isinstance(entry, Dropped):
                self.dropped.append(entry.note)
            elif table.row(entry.rule).target == "@address" and last is None:
                self.constants.append("@address")  # the address of the next leg
            else:
                self.accounted.append(entry.note)


def _fields(reads: Iterable[str]) -> list[str]:
    """Return the `reads` of a row as field paths: `place[key]` becomes `place["key"]`."""
    return [path(name, key[:-1] or None) for name, _, key in (read.partition("[") for read in reads)]


def _any_within(field: str, fields: list[str]) -> bool:
    """Return whether a field path is one of `fields` or inside one; whole sections ("@sections") hold them all."""
    return any(field == other or field.startswith((f"{other}[", f"{other}.")) or other == "@sections" for other in fields)


class _Trip:
    """The way there, and back if requested; with the result of a message without any field."""

    def __init__(self, protocol: Protocol, there: RouteConverter, again: RouteConverter | None, caller: Environment) -> None:
        self.there, self.again, self.caller = there, again, caller
        self.nothing = self.nothing_back = None
        with suppress(ConversionError):  # rows of an overlay may refuse an empty message
            self.nothing = there.convert(empty_message(protocol), caller).message
            self.nothing_back = None if again is None else again.convert(self.nothing, caller).message

    def outcome(self, message: Message, field: str, type_: str, case: str) -> Outcome:
        try:
            conversion = self.there.convert(message, self.caller)
        except ConversionError as error:
            refusing = _refusing(error)
            return Outcome(field, type_, case, REFUSED, REFUSED, (), "", refusing, (), error.fault, remedy=error.remedy)
        trail = _Trail(conversion, self.there.route.legs, [field])
        sent = _held(message, field)
        ends = self._arrivals(conversion, trail)
        arrived = [_held(conversion.message, end) for end in ends]
        if not ends:
            verdict = LOST if trail.lost else DROPPED if trail.dropped else ACCOUNTED
        else:
            verdict = SURVIVES if not trail.lost and any(_same(sent, made) for made in arrived) else CHANGES
        outcome, reasons, remedy = verdict, trail.lost + trail.dropped + trail.accounted, None
        elsewhere: tuple[str, ...] = ()
        if self.again is not None:
            try:
                outcome, more, elsewhere = self._back(conversion, self.again, sent, field, ends + trail.constants, verdict)
            except ConversionError as error:
                _refusing(error)
                outcome, more, remedy = REFUSED, [error.fault], error.remedy
            reasons += [f"back: {reason}" for reason in more]
        rules, type_rules = tuple(dict.fromkeys(trail.rules)), tuple(dict.fromkeys(trail.type_rules))
        kinds = (made.type for end, made in zip(ends, arrived, strict=True) if made.type and end not in trail.said_by)
        as_ = _joined(kinds, ", ")
        why = _joined(reasons)
        return Outcome(field, type_, case, outcome, verdict, tuple(ends), as_, rules, type_rules, why, elsewhere, remedy)

    def _arrivals(self, conversion: Conversion, trail: _Trail) -> list[str]:
        """Return the fields where the value arrives; if possible only those with other content in its absence."""
        ends = list(dict.fromkeys(trail.ends))
        held = {end: _held(conversion.message, end) for end in ends}
        moved = [end for end in ends if held[end].value is None or repr(held[end]) != repr(_held(self.nothing, end))]
        return moved if moved or trail.lost or trail.dropped else ends

    def _back(
        self, conversion: Conversion, again: RouteConverter, sent: _Held, field: str, starts: list[str], verdict: str
    ) -> tuple[str, list[str], tuple[str, ...]]:
        """Return the outcome of the value after the way back, its details, and the other fields where it is then.

        Raises ConversionError if a row refuses the message.
        """
        returned = again.convert(conversion.message, self.caller)
        held = _held(returned.message, field)
        whole = repr(held) == repr(sent)
        if verdict in (LOST, DROPPED):
            return (SURVIVES if whole else verdict), [], ()
        if verdict == ACCOUNTED:  # the way back implies the value again
            unset = repr(held) == repr(_held(type(returned.message)(), field))
            return (SURVIVES if whole else ACCOUNTED if unset else CHANGES), [], ()
        trail = _Trail(returned, again.route.legs, starts)
        reasons = trail.lost + trail.dropped + trail.accounted
        ends = [end for end in trail.ends if repr(_held(returned.message, end)) != repr(_held(self.nothing_back, end))]
        elsewhere = () if field in ends else tuple(dict.fromkeys(ends))
        return (SURVIVES if whole else CHANGES if ends else LOST), reasons, elsewhere


def _refusing(error: ConversionError) -> tuple[str, ...]:
    """Return the row that refuses a message. Any other error means that the message is invalid, and is raised."""
    if error.rule is None:
        raise error
    return (error.rule,)


def _joined(words: Iterable[str], comma: str = "; ") -> str:
    return comma.join(dict.fromkeys(words))

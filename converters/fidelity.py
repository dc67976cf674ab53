"""The forecast: what survives, changes, is dropped or lost between two protocols, before there is any message.

The tables themselves answer: for each place of the source and each type that it may hold, small messages with only that
place set go through the very converter that real messages go through, and its report is followed, leg by leg.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from mqconvert.converters.errors import ConversionError
from mqconvert.converters.messages import Protocol, protocol_named, protocol_of
from mqconvert.converters.messages.amqp10 import AmqpValue, Data
from mqconvert.converters.places import BODY, ENTRIES, SECTION, WHOLE, Place, places
from mqconvert.converters.report import Report
from mqconvert.converters.routes import DOCUMENTED, Conversion, RouteConverter, converter
from mqconvert.converters.rules import path
from mqconvert.converters.runtime import BODY_TYPES
from mqconvert.converters.samples import PLAIN_ENTRIES, message_with, samples, types_at
from mqconvert.converters.values import TypedValue

SURVIVES, CHANGES, DROPPED, LOST = "survives", "changes", "dropped", "lost"
ACCOUNTED, REFUSED = "accounted", "refused"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one value: a wire type at a field, and in `case` what is special about the value.

    `there` is one of

    * survives: the same number, octets or text arrive, in a type `as_` of the same range
    * changes: something else arrives: another type, unit or text, or a part
    * dropped: a row leaves it out on purpose, or another one took its place
    * lost: no row takes it, or the target cannot hold it
    * accounted: used by the caller's side
    * refused: a row refuses the whole message, which does not arrive

    and `outcome` the same of the whole trip: there alone, or there and back again to the same field and the same type. `to`
    is where it arrives, `rules` are the rows that made, dropped, lost or refused it, leg by leg, and `type_rules` those of
    the type tables that made its value.
    """

    field: str
    type: str
    case: str
    there: str
    outcome: str
    to: str
    as_: str
    rules: tuple[str, ...]
    type_rules: tuple[str, ...]
    why: str

    def as_dict(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "type": self.type,
            "case": self.case,
            "outcome": self.outcome,
            "there": self.there,
            "to": self.to,
            "as": self.as_,
            "rules": list(self.rules),
            "type_rules": list(self.type_rules),
            "why": self.why,
        }


@dataclass(frozen=True, slots=True)
class Line:
    """Outcomes of a field that are alike, for a person: `values` names the types, and cases of types, that they hold for."""

    field: str
    values: str
    there: str
    outcome: str
    to: str
    rules: str
    why: str


@dataclass(frozen=True, slots=True)
class Forecast:
    """What becomes of every field from `source` to `target`, and back again where `back` is true.

    >>> print(str(fidelity("mqtt-3.1.1", "mqtt-5.0", back=True)).splitlines()[0])
    mqtt-3.1.1 -> mqtt-5.0 -> mqtt-3.1.1
    """

    source: str
    target: str
    back: bool
    outcomes: tuple[Outcome, ...]

    def as_dict(self) -> dict[str, Any]:
        outcomes = [outcome.as_dict() for outcome in self.outcomes]
        return {"from": self.source, "to": self.target, "back": self.back, "outcomes": outcomes}

    def lines(self) -> list[Line]:
        """The outcomes with those of one field that are alike in one line, and keys that make no difference as one.

        >>> [(line.values, line.there) for line in fidelity("mqtt-5.0", "amqp-1.0").lines() if line.field == "qos"]
        [('bits as boolean', 'changes')]
        """
        by_place: dict[str, dict[str, list[Outcome]]] = {}
        for outcome in self.outcomes:
            place, _, key = outcome.field.partition("[")
            by_place.setdefault(place, {}).setdefault(key[1:-2], []).append(outcome)
        return [line for place, keys in by_place.items() for line in _of_keys(place, keys)]

    def __str__(self) -> str:
        lines = [f"{self.source} -> {self.target}" + (f" -> {self.source}" if self.back else "")]
        for line in self.lines():
            words = f"{line.there:9} {'-> ' + line.to if line.to else '':43} "
            words += f"{'back: ' + line.outcome if line.to else '':15} " if self.back else ""
            lines.append(f"  {line.field:38} {words}{line.values}" + (f"  ({line.why})" if line.why else ""))
        return "\n".join(lines)


def fidelity(source: str, target: str, *, back: bool = False, profile: str = DOCUMENTED, rules: Iterable[str] = ()) -> Forecast:
    """The forecast from one protocol to another, with `back` for the round trip.

    >>> forecast = fidelity("mqtt-5.0", "amqp-1.0")
    >>> [(o.there, o.to, o.as_, o.rules) for o in forecast.outcomes if o.field == "message_expiry_interval" and not o.case]
    [('changes', 'header.ttl', 'uint', ('message-expiry-interval',))]
    """
    rules = tuple(rules)
    there = converter(source, target, profile=profile, rules=rules)
    again = converter(target, source, profile=profile, rules=rules) if back else None
    protocol = protocol_named(source)
    outcomes = (
        _outcome(message, field, type_, case, there, again)
        for place in places(protocol).values()
        if place.kind not in (SECTION, WHOLE)
        for field, type_, case, message in _trials(protocol, place, _keys(place, there, again))
    )
    return Forecast(source, target, back, tuple(outcomes))


# ---- messages to try ------------------------------------------------------------------------------------------------


def _trials(protocol: Protocol, place: Place, keys: Sequence[str | None]) -> Iterator[tuple[str, str, str, Any]]:
    """Field, type, case and message, for every value that is tried at a place."""
    for key in keys:
        for type_ in types_at(protocol, place):
            for case, value in samples(protocol, place, type_):
                if place.unset is None or value != place.unset:
                    yield path(place.path, key), type_, case, message_with(protocol, place, type_, key, value)


def _keys(place: Place, there: RouteConverter, again: RouteConverter | None) -> Sequence[str | None]:
    """Keys of a map that some row tells apart: those that rows name, and the patterns themselves for what they stand for."""
    if place.kind != ENTRIES or place.types[0] == "varints":
        return [None]
    tables = there.route.legs + (again.route.legs if again is not None else ())
    patterns = {rule.source_pattern for table in tables for rule in table.rules if rule.source_pattern is not None}
    own = {rule.source_pattern for table in tables[:1] for rule in table.rules if rule.source == place.path}
    named = {pattern for pattern in own if pattern is not None and not pattern.endswith("*")}
    return sorted(named | {"*"} | {pattern for pattern in patterns if pattern.endswith("*")})


# ---- what becomes of them -------------------------------------------------------------------------------------------


class _Trail:
    """What a report says of one field, followed leg by leg: the fields where it ends, the rows, and what else is said."""

    def __init__(self, report: Report, starts: list[str]) -> None:
        self.ends = starts
        self.constants: list[str] = []
        self.rules: list[str] = []
        self.type_rules: list[str] = []
        self.lost: list[str] = []
        self.dropped: list[str] = []
        self.accounted: list[str] = []
        for leg in range(1, len(report.tables) + 1):
            self._follow(report, leg)

    def _follow(self, report: Report, leg: int) -> None:
        at = self.ends + self.constants
        self.ends, self.constants = [], []
        for applied in report.applied:
            if applied.leg == leg and _any_within(applied.source, at):
                self.ends += applied.target.split(", ")
                self.constants += report.rule(applied.rule, leg).constants
                self.rules.append(applied.rule)
                self.type_rules += [applied.type_rule] if applied.type_rule is not None else []
        for lost in report.lost:
            if lost.leg == leg and _any_within(lost.field, at):
                self.lost.append(lost.reason)
                self.rules += [lost.rule] if lost.rule is not None else []
        for words, entries in ((self.dropped, report.dropped), (self.accounted, report.accounted)):
            for entry in entries:
                if entry.leg == leg and _any_within(entry.field, at):
                    words.append(entry.note)
                    self.rules.append(entry.rule)


def _any_within(field: str, fields: list[str]) -> bool:
    """Whether a field path is one of `fields` or inside one; whole sections ("@sections") hold them all."""
    return any(field == other or field.startswith((f"{other}[", f"{other}.")) or other == "@sections" for other in fields)


def _outcome(message: Any, field: str, type_: str, case: str, there: RouteConverter, again: RouteConverter | None) -> Outcome:
    try:
        conversion = _converted(message, field, there)
    except ConversionError as error:
        return Outcome(field, type_, case, REFUSED, REFUSED, "", "", _row_of(error), (), error.message)
    trail = _Trail(conversion.report, [field])
    reasons = trail.lost + trail.dropped + trail.accounted
    rules, type_rules = tuple(dict.fromkeys(trail.rules)), tuple(dict.fromkeys(trail.type_rules))
    if not trail.ends:
        verdict = LOST if trail.lost else DROPPED if trail.dropped else ACCOUNTED
        return Outcome(field, type_, case, verdict, verdict, "", "", rules, type_rules, _joined(reasons))
    sent = _held(message, field)
    ends = list(dict.fromkeys(trail.ends))
    arrived = [_held(conversion.message, end) for end in ends]
    verdict = outcome = SURVIVES if not trail.lost and any(_same(sent, made) for made in arrived) else CHANGES
    if again is not None:
        try:
            returned = again.convert(conversion.message)
        except ConversionError as error:
            reasons.append(f"back: {error.message}")
            as_ = _joined((made.type for made in arrived), ", ")
            return Outcome(field, type_, case, verdict, REFUSED, ", ".join(ends), as_, rules, type_rules, _joined(reasons))
        way_back = _Trail(returned.report, ends + trail.constants)
        reasons += [f"back: {reason}" for reason in way_back.lost + way_back.dropped + way_back.accounted]
        whole = repr(_held(returned.message, field)) == repr(sent)
        outcome = SURVIVES if whole else CHANGES if way_back.ends else LOST
        if way_back.ends and field not in way_back.ends:
            reasons.append(f"back: as {_joined(way_back.ends, ', ')}")
    as_ = _joined((made.type for made in arrived), ", ")
    return Outcome(field, type_, case, verdict, outcome, ", ".join(ends), as_, rules, type_rules, _joined(reasons))


def _converted(message: Any, field: str, there: RouteConverter) -> Conversion:
    """The conversion of a message with one field set; with a body beside it, where the target refuses messages without."""
    try:
        return there.convert(message)
    except ConversionError:
        for place in places(protocol_of(message)).values():
            if place.path != field and place.section is None and (place.kind == BODY or place.types == ("payload",)):
                setattr(message, place.path, Data([b"text"]) if place.kind == BODY else b"text")
        return there.convert(message)


def _row_of(error: ConversionError) -> tuple[str, ...]:
    return () if error.rule is None else (error.rule,)


def _joined(words: Iterable[str], comma: str = "; ") -> str:
    return comma.join(dict.fromkeys(words))


class _Held(NamedTuple):
    """What a message holds at a field: its wire type, the range of that type, and the value."""

    type: str = ""
    range: Any = None
    value: Any = None


def _held(message: Any, field: str) -> _Held:
    """What is at a field path of a message, empty where there is nothing."""
    protocol = protocol_of(message)
    name, _, key = field.partition("[")
    place = places(protocol).get(name)
    if place is None or place.kind in (SECTION, WHOLE):
        return _Held()
    section = message if place.section is None else getattr(message, place.section)
    value = None if section is None else getattr(section, name.rpartition(".")[2])
    if key:
        value = next((entry for other, entry in value or () if path("", other) == f"[{key}"), None)
    if value is None:
        return _Held()
    type_ = PLAIN_ENTRIES.get(place.types[0], place.types[0])
    if isinstance(value, TypedValue):
        type_, value = value.type, value.value
    elif place.kind == BODY:
        type_ = BODY_TYPES[value.__class__]
    wire = protocol.types.get(type_)
    return _Held(type_, (wire.bounds, wire.size) if wire is not None else (None, None), value)


def _same(sent: _Held, made: _Held) -> bool:
    return repr(_plain(sent.value)) == repr(_plain(made.value)) and sent.range == made.range


def _plain(value: Any) -> Any:
    """What a value says, whatever its type is called: text as its UTF-8 octets, a body of one part as what that holds."""
    if isinstance(value, TypedValue | AmqpValue):
        return _plain(value.value)
    if isinstance(value, Data):
        return value.sections[0] if len(value.sections) == 1 else value.sections
    if isinstance(value, str):
        return value.encode("utf-8", "surrogateescape")
    return [_plain(part) for part in value] if isinstance(value, list | tuple) else value


# ---- lines ----------------------------------------------------------------------------------------------------------


def _of_keys(place: str, keys: dict[str, list[Outcome]]) -> Iterator[Line]:
    """The lines of every key; a key that fares as those do that its pattern stands for needs none of its own."""
    made = {key: _of_key(place, key, outcomes) for key, outcomes in keys.items()}
    for key, lines in made.items():
        wider = [other for other in made if other.endswith("*") and other != key and key.startswith(other[:-1])]
        if not wider or lines != made[max(wider, key=len)]:
            field = f"{place}[{key}]" if key else place
            yield from (replace(line, field=field, to=line.to.replace("[*]", f"[{key}]")) for line in lines)


def _of_key(place: str, key: str, outcomes: list[Outcome]) -> list[Line]:
    """The outcomes of one key, those that are alike in one line; the key itself is written `*`."""
    alike: dict[tuple[str, ...], list[Outcome]] = {}
    for entry in outcomes:
        words = (entry.there, entry.outcome, entry.to, ", ".join(entry.rules), entry.why)
        said = tuple(word.replace(path("", key), "[*]") for word in words) if key else words
        alike.setdefault(said, []).append(entry)
    return [Line(place, _values(group, outcomes), *said) for said, group in alike.items()]


def _values(group: list[Outcome], every: list[Outcome]) -> str:
    """The types of a group and what they become; where only some cases of a type are in it, these or the others."""
    of_type: dict[str, list[str]] = {}
    for entry in every:
        of_type.setdefault(entry.type, []).append(entry.case)
    found: dict[tuple[str, str], list[str]] = {}
    for entry in group:
        found.setdefault((entry.type, entry.as_), []).append(entry.case)
    if len(group) == len(every) and len(found) > 1 and len({as_ for _, as_ in found}) == 1:
        return "any" + _as(*next(iter(found)))
    return ", ".join(type_ + _cases(cases, of_type[type_]) + _as(type_, as_) for (type_, as_), cases in found.items())


def _cases(cases: list[str], every: list[str]) -> str:
    others = [case for case in every if case not in cases]
    if not others:
        return ""
    named, words = (others, "all but ") if len(others) < len(cases) else (cases, "")
    return f" ({words}{', '.join(case or 'ordinary' for case in named)})"


def _as(type_: str, as_: str) -> str:
    return f" as {as_}" if as_ not in ("", type_) else ""

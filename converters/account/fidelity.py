"""The forecast of values that survive, change, are dropped or lost between two protocols, without a message.

The forecast converts small messages, one for each place of the source and each type of its values, with only that place set. It
follows the reports of these conversions, leg by leg.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from mqconvert.converters.account.folding import folded
from mqconvert.converters.engine.report import Accounted, Applied, Dropped, Lost, html_table
from mqconvert.converters.engine.rules import CONSTANT, RuleTable
from mqconvert.converters.engine.samples import empty_message, message_with, tried
from mqconvert.converters.engine.values import Values
from mqconvert.converters.environment import Environment, Payload
from mqconvert.converters.errors import ConversionError, Remedy
from mqconvert.converters.model.bodies import BODY_TYPES, AmqpValue
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import BODY, ENTRIES, SECTION, WHOLE, Place, places, types_at
from mqconvert.converters.model.plain import WITHIN
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.overlays import DOCUMENTED, Rules, listed
from mqconvert.converters.protocols import protocol_named, protocol_of
from mqconvert.converters.routes import RouteConverter, converter
from mqconvert.converters.running import Conversion

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

SURVIVES, CHANGES, DROPPED, LOST = "survives", "changes", "dropped", "lost"
ACCOUNTED, REFUSED = "accounted", "refused"

CALLER = Environment(clock=1_234_567, sequence_id=2_345_678)
"""An Environment with distinctive numbers, so that values of the caller differ from those of the message."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one value: a wire type at a field, and in `case` the value's special property.

    `there` is one of

    * survives: the same number, bytes or text arrive, in a type `as_` of the same range
    * changes: the value arrives in another type, unit, form or field, or only in part
    * dropped: a row leaves it out on purpose, or another value took its place
    * lost: no row takes the value, or the target cannot hold it
    * accounted: the caller's side uses it, or the target implies it
    * refused: a row refuses the whole message

    and `outcome` the same of the whole trip: one way, or there and back again. A value survives the round trip if its field
    then has the same value and type, by any row. `ends` are the fields where it arrives, `back` those after the way back if its
    own is not one of them; `to` and `back_to` are their text. `rules` are the rows that made, dropped, lost or refused it, leg
    by leg, and `type_rules` the rows of the type tables that made its value. `remedy` is the option that avoids a refusal.
    """

    field: str
    type: str
    case: str
    outcome: str
    there: str
    ends: tuple[str, ...]
    as_: str
    rules: tuple[str, ...]
    type_rules: tuple[str, ...]
    why: str
    back: tuple[str, ...] = ()
    remedy: Remedy | None = None

    @property
    def to(self) -> str:
        return ", ".join(self.ends)

    @property
    def back_to(self) -> str:
        return ", ".join(self.back)

    def as_dict(self) -> JsonObject:
        told = ("field", "type", "case", "outcome", "there", "to")
        more = {"as": self.as_, "rules": list(self.rules), "type_rules": list(self.type_rules)}
        return _members(self, told) | more | _members(self, _REASON)


@dataclass(frozen=True, slots=True)
class Line:
    """Equal outcomes of a field on one line; `values` names their types, and the special cases of types."""

    field: str
    values: str
    there: str
    outcome: str
    to: str
    rules: str
    why: str
    back_to: str = ""
    remedy: Remedy | None = None

    def as_dict(self) -> JsonObject:
        return _members(self, ("field", "values", "there", "outcome", "to", "rules", *_REASON))

    def reason(self, named: Callable[[Remedy], str] = str) -> str:
        """Return why, the other field where the value comes back, and what to try; `named` says the option in a caller's words.

        >>> Line("topic", "name", "refused", "refused", "", "to", "not a name", remedy=Remedy("escape", "true")).reason()
        'not a name; try the option escape=true'
        """
        back = f"back: as {self.back_to}" if self.back_to else ""
        remedy = "" if self.remedy is None else f"try {named(self.remedy)}"
        return "; ".join(filter(None, (self.why, back, remedy)))

    @property
    def comes_back(self) -> bool:
        """Return whether the way back has a separate outcome: a value without a target that does not return has none."""
        return bool(self.to) or self.outcome != self.there


_REASON = ("why", "back_to", "remedy")


def _members(told: Outcome | Line, names: Iterable[str]) -> JsonObject:
    """Return members for JSON, without a remedy that is None."""
    made: JsonObject = {name: getattr(told, name) for name in names if name != "remedy"}
    return made if told.remedy is None or "remedy" not in names else made | {"remedy": told.remedy.as_dict()}


@dataclass(frozen=True, slots=True)
class Forecast:
    """The outcome of every field from `source` to `target`, and back again if `back` is true.

    >>> print(str(fidelity("mqtt-3.1.1", "mqtt-5.0", back=True)).splitlines()[0])
    mqtt-3.1.1 -> mqtt-5.0 -> mqtt-3.1.1
    """

    source: str
    target: str
    back: bool
    outcomes: tuple[Outcome, ...]

    def as_dict(self) -> JsonObject:
        outcomes = [outcome.as_dict() for outcome in self.outcomes]
        lines = [line.as_dict() for line in self.lines()]
        return {"from": self.source, "to": self.target, "back": self.back, "outcomes": outcomes, "lines": lines}

    def lines(self) -> list[Line]:
        """Return the outcomes, with equal outcomes of one field in one line, and keys with equal outcomes as one.

        >>> [(line.values, line.there) for line in fidelity("mqtt-5.0", "amqp-1.0").lines() if line.field == "qos"]
        [('bits as boolean', 'changes')]
        """
        by_place: dict[str, dict[str, list[Outcome]]] = {}
        for outcome in self.outcomes:
            place, _, key = outcome.field.partition("[")
            by_place.setdefault(place, {}).setdefault(key[1:-2], []).append(outcome)
        return [line for place, keys in by_place.items() for line in _of_keys(place, keys)]

    def fields(self) -> dict[str, tuple[set[str], set[str]]]:
        """Return the outcome of an ordinary value of each field, there and after the whole trip; several where types differ.

        A map is one field; its entries have keys that rows do not name.

        >>> fields = fidelity("mqtt-5.0", "amqp-1.0", back=True).fields()
        >>> fields["retain"], fields["user_properties"]
        (({'dropped'}, {'dropped'}), ({'survives'}, {'survives'}))
        """
        found: dict[str, tuple[set[str], set[str]]] = {}
        for outcome in self.ordinary():
            there, whole = found.setdefault(outcome.field.partition("[")[0], (set(), set()))
            there.add(outcome.there)
            whole.add(outcome.outcome)
        return found

    def ordinary(self) -> list[Outcome]:
        """Return the outcome of an ordinary value of each type of each field. Keys of entries are unknown to the rows."""
        first = {(outcome.field, outcome.type): outcome for outcome in reversed(self.outcomes)}
        chosen = {id(outcome) for outcome in first.values()}
        return [one for one in self.outcomes if id(one) in chosen and one.field.partition("[")[2] in ("", '"*"]')]

    @property
    def title(self) -> str:
        """Return the names of the protocols, in the order of the trip."""
        return f"{self.source} -> {self.target}" + (f" -> {self.source}" if self.back else "")

    def __repr__(self) -> str:
        return f"<Forecast {self.title}: {len(self.outcomes)} outcomes>"

    def _repr_html_(self) -> str:
        """Return the lines as a table, for notebooks."""
        rows = [(each.field, each.there, each.to, each.outcome, each.values, each.reason()) for each in self.lines()]
        return html_table(self.title, ("field", "there", "to", "back" if self.back else "in all", "values", "why"), rows)

    def __str__(self) -> str:
        return self.text()

    def text(self, named: Callable[[Remedy], str] = str) -> str:
        """Return the text of the forecast, a line for each outcome; `named` says an option in a caller's words."""
        lines = [self.title]
        for field, there, to, back, values, why in self._cells(named):
            words = f"{there} {to:43} " + (f"{back:15} " if self.back else "")
            lines.append(f"  {field:38} {words}{values}" + (f"  {why}" if why else ""))
        return "\n".join(lines)

    def _cells(self, named: Callable[[Remedy], str]) -> Iterator[tuple[str, ...]]:
        """Yield the cells of each line, empty ones where there is nothing to say; only the outcome there has a width."""
        for line in self.lines():
            back = f"back: {line.outcome}" if self.back and line.comes_back else ""
            why = f"({why})" if (why := line.reason(named)) else ""
            yield line.field, f"{line.there:9}", f"-> {line.to}" if line.to else "", back, line.values, why

    def folded(self, width: int, named: Callable[[Remedy], str] = str) -> str:
        """Return the text of the forecast in lines of a width; longer ones go on below, indented. `named` is that of `text`.

        >>> print("\\n".join(fidelity("mqtt-5.0", "phpmq").folded(64).splitlines()[:3]))
        mqtt-5.0 -> phpmq
          dup                       dropped    bit  (first-acquirer
              would be wrong: DUP is between one sender and the server)
        """
        cells = list(self._cells(named))
        longest = max((len(field) for field, *_ in cells), default=0)
        return "\n".join([self.title, *(folded([f"{field:{longest}}", *others], width) for field, *others in cells)])


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


# ---- lines ----------------------------------------------------------------------------------------------------------


def _of_keys(place: str, keys: dict[str, list[Outcome]]) -> Iterator[Line]:
    """Yield the lines of every key, except keys with the same outcome as their pattern."""
    alike = {key: _lines(place, "*", outcomes) for key, outcomes in keys.items()}
    for key, outcomes in keys.items():
        wider = [other for other in keys if other.endswith("*") and other != key and key.startswith(other[:-1])]
        if not wider or alike[key] != alike[max(wider, key=len)]:
            yield from _lines(f"{place}[{key}]" if key else place, key, outcomes)


def _lines(field: str, key: str, outcomes: list[Outcome]) -> list[Line]:
    """Return the lines of one field, one for all equal outcomes; its key is written as `key` wherever the value arrives."""
    own = outcomes[0].field.partition("[")[2]

    def printed(ends: Iterable[str]) -> str:
        split = (end.partition("[") for end in ends)
        return ", ".join(f"{place}[{key}]" if held and rest == own else place + held + rest for place, held, rest in split)

    stated = _stated(outcomes)
    alike: dict[Line, list[Outcome]] = {}
    for one in stated:
        ends, back = printed(one.ends), printed(one.back)
        line = Line(field, "", one.there, one.outcome, ends, ", ".join(one.rules), one.why, back, one.remedy)
        alike.setdefault(line, []).append(one)
    return [replace(line, values=_values(group, stated)) for line, group in alike.items()]


def _stated(outcomes: list[Outcome]) -> list[Outcome]:
    """Return the outcomes without those of cases within another whose outcome is the same."""
    known = {(one.type, one.case): one for one in outcomes}
    return [
        one
        for one in outcomes
        if one.case not in WITHIN or known.get((one.type, WITHIN[one.case])) != replace(one, case=WITHIN[one.case])
    ]


def _values(group: list[Outcome], every: list[Outcome]) -> str:
    """Return the types of a group and their results; for types of which it has only some cases, these or the other cases."""
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

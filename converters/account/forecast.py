"""Forecasts as data, JSON and text: the outcome of each value that fidelity.py tried, and lines of equal outcomes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from mqconvert.converters.account.folding import folded
from mqconvert.converters.engine.report import html_table
from mqconvert.converters.errors import Remedy
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.plain import WITHIN

SURVIVES, CHANGES, DROPPED, LOST = "survives", "changes", "dropped", "lost"
ACCOUNTED, REFUSED = "accounted", "refused"


def worded(outcome: str) -> str:
    """Return an outcome as texts for people have it, like those of reports.

    >>> worded(ACCOUNTED), worded(LOST)
    ('elsewhere', 'lost')
    """
    return "elsewhere" if outcome == ACCOUNTED else outcome


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

    >>> from mqconvert import fidelity
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

        >>> from mqconvert import fidelity
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

        >>> from mqconvert import fidelity
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
        rows = (
            (each.field, worded(each.there), each.to, worded(each.outcome), each.values, each.reason()) for each in self.lines()
        )
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
            back = f"back: {worded(line.outcome)}" if self.back and line.comes_back else ""
            why = f"({why})" if (why := line.reason(named)) else ""
            yield line.field, f"{worded(line.there):9}", f"-> {line.to}" if line.to else "", back, line.values, why

    def folded(self, width: int, named: Callable[[Remedy], str] = str) -> str:
        """Return the text of the forecast in lines of a width; longer ones go on below, indented. `named` is that of `text`.

        >>> from mqconvert import fidelity
        >>> print("\\n".join(fidelity("mqtt-5.0", "phpmq").folded(64).splitlines()[:3]))
        mqtt-5.0 -> phpmq
          dup                       dropped    bit  (first-acquirer
              would be wrong: DUP is between one sender and the server)
        """
        cells = list(self._cells(named))
        longest = max((len(field) for field, *_ in cells), default=0)
        return "\n".join([self.title, *(folded([f"{field:{longest}}", *others], width) for field, *others in cells)])


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

"""The summary that every account begins with: the number of fields that arrive, and of those that do not.

A field is a place of the source that is set; each entry of a map is one, the body is one. Fields that only the caller's side
uses do not count. A field arrives if a place of the target is made from it, through all tables of the route.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from mqconvert.converters.engine.equality import Comparison, Form, same_content
from mqconvert.converters.engine.values import Values, bare, content
from mqconvert.converters.model.paths import LONGEST_KEY, printable

if TYPE_CHECKING:
    from mqconvert.converters.engine.notes import Notes
    from mqconvert.converters.engine.report import Entries, Lost
    from mqconvert.converters.engine.rules import RuleTable
    from mqconvert.converters.protocols import Message

T = TypeVar("T")

DROPPED, LOST = "dropped", "lost"

UNREPORTED = "not in the report"
"""The reason for a field without an entry in the report: the policy "ignore" empties the list of losses."""


@dataclass(frozen=True, slots=True)
class Summary:
    """The numbers of fields of one message or several: `a + b` adds up.

    `unchanged` and `changed` fields arrive; `by_rule` fields are dropped, `lost` ones are lost.

    >>> print(Summary(unchanged=21, changed=3, by_rule=8, lost=2))
    24 of 34 fields arrive (21 unchanged, 3 changed); 10 do not: 8 by rule, 2 lost
    >>> print(Summary(unchanged=12) + Summary(unchanged=1))
    all 13 fields arrive unchanged
    """

    unchanged: int = 0
    changed: int = 0
    by_rule: int = 0
    lost: int = 0

    @property
    def arrive(self) -> int:
        return self.unchanged + self.changed

    @property
    def fields(self) -> int:
        return self.arrive + self.by_rule + self.lost

    def __add__(self, other: Summary) -> Summary:
        return Summary(
            self.unchanged + other.unchanged,
            self.changed + other.changed,
            self.by_rule + other.by_rule,
            self.lost + other.lost,
        )

    def as_dict(self) -> dict[str, int]:
        """Return the JSON form.

        >>> Summary(unchanged=1, lost=1).as_dict()
        {'fields': 2, 'arrive': 1, 'unchanged': 1, 'changed': 0, 'by_rule': 0, 'lost': 1}
        """
        names = ("fields", "arrive", "unchanged", "changed", "by_rule", "lost")
        return {name: getattr(self, name) for name in names}

    def __str__(self) -> str:
        fields, arrive = self.fields, self.arrive
        how = f" ({_counts(unchanged=self.unchanged, changed=self.changed)})" if arrive else ""
        if arrive == fields:
            if fields == 0:
                return "no field is set"
            all_of = "the only field arrives" if fields == 1 else f"all {fields:,} fields arrive"
            return all_of + (" unchanged" if self.changed == 0 else how)
        verb = "arrives" if arrive == 1 else "arrive"
        others = fields - arrive
        missing = f"{others:,} {'does' if others == 1 else 'do'} not: {_counts(by_rule=self.by_rule, lost=self.lost)}"
        return f"{arrive:,} of {fields:,} field{'' if fields == 1 else 's'} {verb}{how}; {missing}"


def _counts(**numbers: int) -> str:
    return ", ".join(f"{number:,} {name.replace('_', ' ')}" for name, number in numbers.items() if number)


Losses = tuple["Lost", ...]
"""The entries of a report on the loss of one value; none for one that no row of the report names."""


class Missing(NamedTuple):
    """A field that does not arrive; `kind` is DROPPED or LOST, `notes` are the entries of its loss."""

    field: str
    kind: str
    reason: str
    notes: Losses = ()

    def __str__(self) -> str:
        return printable(f"{self.field}: {self.kind}, {self.reason}")


class Plan(NamedTuple):
    """What equal entries say about messages of one shape: the fields that do not arrive, and what to compare in the others."""

    summaries: list[Summary]
    """By the number of unchanged values."""
    missing: tuple[Missing, ...]
    pairs: list[tuple[int, str, list[tuple[int, str]]]]
    """Number and field of a value of the source, and of the value at each place of the target that it fills."""
    others: list[tuple[str, list[str], int]]
    """Fields with equal keys, there or here, or with places inside values: their places in the target, and how many values may
    be unchanged."""


def summarized(
    entries: Entries, legs: Sequence[tuple[RuleTable, Notes]], messages: Sequence[Message]
) -> tuple[Summary, tuple[Missing, ...]]:
    """Return the summary of a conversion, and the fields that do not arrive.

    `messages` are the source and the result of each leg. The outcome of each field follows from the entries and from which
    places and keys are set. Where these are equal, as in most messages of a queue, only values are left to compare.
    Takes linear time in the number of fields.
    """
    if not legs:
        return Summary(Values(messages[0]).count()), ()
    values = [Values(message) for message in messages]
    shapes = [each.shape() for each in values]
    parts: list[object] = []
    for shape in shapes:
        parts += shape[0]
        parts.append(None)
    plan: Plan | None = entries.plans.of(parts)
    if plan is None:
        plan = _plan(entries, legs, values)
        entries.plans.keep(parts, plan)
    return _counted(plan, values, shapes)


def _plan(entries: Entries, legs: Sequence[tuple[RuleTable, Notes]], values: Sequence[Values]) -> Plan:
    source, *results = values
    mine, theirs = source.numbers(), values[-1].numbers()
    fates, missing = _fates(entries, legs, source.fields(), results)
    arrive, lost = sum(fate.arrive for _, fate in fates), sum(one.kind == LOST for one in missing)
    plan = Plan([Summary(same, arrive - same, len(missing) - lost, lost) for same in range(arrive + 1)], missing, [], [])
    for field, fate in fates:
        if fate.arrive > fate.harmed:
            if fate.count == 1 and all(len(theirs.get(end, ())) == 1 for end in fate.ends):
                plan.pairs.append((mine[field][0], field, [(theirs[end][0], end) for end in fate.ends]))
            else:
                plan.others.append((field, fate.ends, fate.arrive - fate.harmed))
    return plan


def _counted(
    plan: Plan, values: Sequence[Values], shapes: Sequence[tuple[list[Any], list[Any]]]
) -> tuple[Summary, tuple[Missing, ...]]:
    """Compare the values of the source with those of the last result."""
    source, target = values[0], values[-1]
    mine, theirs = shapes[0][1], shapes[-1][1]
    unchanged = 0
    for number, field, ends in plan.pairs:
        value = bare(mine[number])
        plain, form = content(value), None
        for at, end in ends:
            other = bare(theirs[at])
            same = same_content(plain, content(other))
            if same is None:
                form = Form(source, field, value) if form is None else form
                same = form.json == Form(target, end, other).json
            if same:
                unchanged += 1
                break
    if plan.others:
        comparison = Comparison(source, target)
        for field, places, most in plan.others:
            unchanged += min(most, comparison.equal(field, source.at(field), places))
    return plan.summaries[unchanged], plan.missing


# ---- the outcome of each field ----------------------------------------------------------------------------------------


def _fates(
    entries: Entries, legs: Sequence[tuple[RuleTable, Notes]], fields: dict[str, list[object]], results: Sequence[Values]
) -> tuple[list[tuple[str, _Fate]], tuple[Missing, ...]]:
    """Return the outcome of each field through all tables, and the fields that do not arrive."""
    tables = [_Leg(table) for table, _ in legs]
    for went in entries.applied:
        tables[went.leg - 1].went.setdefault(went.source, []).append((went.rule, went.target))
    for drop in entries.dropped:
        tables[drop.leg - 1].dropped.setdefault(drop.field, []).append(drop.note)
    for used in entries.accounted:
        tables[used.leg - 1].accounted[used.field] += 1
    held = fields
    for at, leg in enumerate(tables):
        leg.hold(held, [loss for loss in entries.lost if loss.leg == at + 1])
        if at < len(tables) - 1:
            held = results[at].fields()
    fates = [(field, _followed(tables, field)) for field in fields]
    missing: list[Missing] = []
    for field, fate in fates:
        if fate.arrive < fate.count:
            missing += [Missing(field, DROPPED, why) for why in fate.dropped]
            missing += [Missing(field, LOST, why[0].reason if why else UNREPORTED, why) for why in fate.lost]
    return fates, tuple(missing)


class _Fate:
    """The outcome of the values at one path. Those in none of the numbers belong to the caller's side.

    `harmed` of those that arrive lose a part. `lost` has the losses of each of the others, `dropped` a reason; `ends` are the
    places of the last target.
    """

    __slots__ = ("arrive", "count", "dropped", "ends", "harmed", "lost")

    def __init__(self, count: int, arrive: int, harmed: int, ends: list[str], lost: list[Losses], dropped: list[str]) -> None:
        self.count, self.arrive, self.harmed = count, arrive, harmed
        self.ends, self.lost, self.dropped = ends, lost, dropped

    def arriving(self, asked: int) -> int:
        """Return how many of `asked` values arrive by this path. If not all of it do, these arrive no second time."""
        if self.arrive == self.count:
            return asked
        arrive = min(asked, self.arrive)
        self.arrive -= arrive
        return arrive

    def reasons(self, of: list[T], asked: int) -> list[T]:
        """Return reasons for up to `asked` values, from `lost` or `dropped`; those for a part of the path only once."""
        if len(of) == self.count:
            return of[:1] * asked
        first = max(len(of) - asked, 0)
        found = of[first:]
        del of[first:]
        return found


class _Leg:
    """The outcome of each field of one table, by its path."""

    __slots__ = ("_held", "_inside", "_lost", "_table", "accounted", "dropped", "followed", "went")

    def __init__(self, table: RuleTable) -> None:
        self._table = table
        self._held: dict[str, list[object]] = {}
        self._lost: dict[str, list[Lost]] = {}
        self._inside: dict[str, list[Lost]] = {}
        self.went: dict[str, list[tuple[str, str]]] = {}
        """The rows that took each field, and the places that they filled."""
        self.dropped: dict[str, list[str]] = {}
        self.accounted: Counter[str] = Counter()
        self.followed: dict[str, _Fate] = {}
        """The outcome through this table and those after it, by path."""

    def hold(self, fields: dict[str, list[object]], lost: Iterable[Lost]) -> None:
        """Take the fields of the leg's source, and its losses: of whole fields, or inside them."""
        self._held = fields
        for loss in lost:
            where = loss.field
            owner = where if where in fields else _owner(where, fields)
            if owner is None or owner == where:
                self._lost.setdefault(where, []).append(loss)
            else:
                self._inside.setdefault(owner, []).append(loss)

    def fate(self, field: str) -> _Fate:
        """Return the outcome of the values at a path in this table. Rows may also take a map as a whole."""
        count = len(self._held.get(field, (None,)))
        went = self.went.get(field)
        whole = field.partition("[")[0]
        arrive = 0
        if went is not None:
            arrive = min(count, 1 if count == 1 else self._takers(went))
        elif (went := self.went.get(whole)) is not None:
            arrive = count
        own, of_map = self._lost.get(field), self._lost.get(whole, [])
        lost = own or of_map
        dropped = self.dropped.get(field) or self.dropped.get(whole, [])
        rest = count - arrive
        gone: list[Losses] = [(loss,) for loss in lost[-rest:]] if rest else []
        if gone and own is not None and not arrive:  # several losses of one value
            gone[0] += tuple(lost[:-rest])
        if own is None:  # one loss of a map may be of several of its values
            gone = gone + gone[-1:] * (rest - len(gone))
        parts = 0 if own is None and field in self.went else len(lost) - len(gone)  # a loss of the map is of other values then
        harmed = min(arrive, max(parts, 1 if field in self._inside and count == 1 else 0))
        rest -= len(gone)
        left_out = dropped[-rest:] if rest else []
        rest -= len(left_out)
        rest -= min(rest, self.accounted[field] or self.accounted[whole] * count)
        gone = gone + [tuple(self._inside.get(field, of_map[:1]))] * rest
        return _Fate(count, arrive, harmed, _ends(went or ()), gone, left_out)

    def _takers(self, went: Iterable[tuple[str, str]]) -> int:
        """Return how many of several values with one path the rows took.

        One row may fill several places. Rows with `more`, and those of `finish`, take values of others once more, except a row
        that keeps the whole message: its notes are of values that no other row took.
        """
        of_row: dict[str, int] = {}
        for (rule, _), number in Counter(went).items():
            of_row[rule] = max(of_row.get(rule, 0), number)
        once = again = 0
        for rule, number in of_row.items():
            row = self._table.row(rule)
            if row.more or (row in self._table.finish and not row.whole):
                again = max(again, number)
            else:
                once += number
        return max(once, again)


def _ends(went: Iterable[tuple[str, str]]) -> list[str]:
    return list(dict.fromkeys(target for _, target in went))


def _owner(where: str, fields: dict[str, list[object]]) -> str | None:
    """Return the field that the path of a loss lies inside; keys may have brackets and quotes."""
    end = start = where.find("[")
    while 0 < end <= start + LONGEST_KEY:
        if where[:end] in fields:
            return where[:end]
        end = where.find("][", end) + 1
    return None


def _followed(legs: Sequence[_Leg], field: str, at: int = 0) -> _Fate:
    """Return the outcome of a field through all tables from number `at` on."""
    leg = legs[at]
    found = leg.followed.get(field)
    if found is None:
        found = leg.fate(field)
        if found.arrive and at < len(legs) - 1:
            found = _onward(found, [_followed(legs, end, at + 1) for end in found.ends])
        leg.followed[field] = found
    return found


def _onward(fate: _Fate, further: Sequence[_Fate]) -> _Fate:
    """Return the outcome of values whose results have the outcomes `further` in the next tables.

    A value that arrives anywhere arrives, and one that is lost anywhere else is lost.
    """
    ends = list(dict.fromkeys(end for each in further if each.arrive for end in each.ends))
    harmed = max([fate.harmed, *(each.harmed for each in further if each.count == 1)])
    rest, arrive = fate.arrive, 0
    for each in further:
        arrive += each.arriving(rest - arrive)
    rest -= arrive
    lost: list[Losses] = []
    dropped: list[str] = []
    for each in further:
        lost += each.reasons(each.lost, rest - len(lost))
    rest -= len(lost)
    for each in further:
        dropped += each.reasons(each.dropped, rest - len(dropped))
    return _Fate(fate.count, arrive, min(arrive, harmed), ends, fate.lost + lost, fate.dropped + dropped)

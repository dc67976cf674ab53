"""Checks that the words of a table fit its rows: each condition and transform is tried on small values on loading.

The nodes of the table's function are walked as the function would: every branch of a place is handed values of each type that
it may see, in order, until one takes them.
"""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain, product
from operator import attrgetter
from typing import Any

from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.nodes import ENVIRONMENT, Branch, Function, Group, matches
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.samples import asked_for, message_with, samples
from mqconvert.converters.model.bodies import BODY_TYPES
from mqconvert.converters.model.places import ENTRIES, Place, places, types_at
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.words import NOT_MINE, Loss, Partial, Transform, Word

_OPTIONAL = ("@address", "@frame", "@clock")
"""What the caller need not give."""

_FORMS: dict[str, type | tuple[type, ...]] = {
    "str": str, "bytes": bytes, "bool": bool, "int": int, "list": list, "typed": TypedValue, "body": tuple(BODY_TYPES)
}  # fmt: skip
"""Classes of the kinds that transforms give."""


def vouch_for(table: RuleTable) -> None:
    """Refuse a table with invalid rows, or words that do not fit them; RuleTableError with file and line."""
    function = build(table)
    for branch in function.start:
        _try(function, _held(function.source, branch.place), [branch])
    for group in function.groups.values():
        for type_, value, branches in _offered(function, group):
            _try(function, [(type_, value)], branches)
        for branch in group.absent:
            _try(function, [("absent", None)], [branch])
    for chains in function.types.values():
        for type_, branches in chains.items():
            _try(function, ((type_, value) for _, value in function.source.types[type_].samples), branches)
    for branch in function.finish:
        # The values that its place may hold by then; none, where the row is for that or makes an entry.
        nothing = [(branch.place.types[0], None)]
        if not branch.rule.absent and branch.rule.source_pattern is None:
            _try(function, _held(function.target, branch.place), [branch])
            nothing = nothing if branch.rule.columns.get("type") == "*" else []
        _try(function, nothing, [branch])


def _offered(function: Function, group: Group) -> Iterator[tuple[str, Any, list[Branch]]]:
    """Yield values of a place with their types, and the branches that may see them."""
    place = group.place
    if place.path in ENVIRONMENT:
        yield ENVIRONMENT[place.path].name, _of_the_caller(place.path), group.branches
        return
    for key in {branch.rule.source_pattern for branch in group.branches}:
        matching = [branch for branch in group.branches if matches(branch.rule.source_pattern, key)]
        for type_ in function.types_at(place):
            taking = [branch for branch in matching if type_ in branch.types]
            asked = (value for branch in taking for _, value in asked_for(type_, branch.rule))
            for value in chain(_values(function.source, place, type_.name), asked):
                yield type_.name, value, taking


def _values(protocol: Protocol, place: Place, type_: str) -> Iterator[Any]:
    """Yield the trial values of a wire type at a place: those of the forecast, any bytes, a long text."""
    yield from (value for _, value in samples(protocol, place, type_))
    wire = protocol.named[type_]
    more: tuple[Any, ...] = {"bytes": (b"", b"\xff"), "str": ("a" * 300,)}.get(wire.kind, ())
    yield from (value for value in more if wire.fault(value) is None)


def _held(protocol: Protocol, place: Place) -> Iterator[tuple[str, Any]]:
    """Yield values for a place, each with its type: for a map, one entry of each type under each kind of key."""
    # Keys of annotations are symbols, and ulong numbers (AMQP 1.0 part 3 section 3.2.10).
    keys: tuple[str | int, ...] = ("k", 7) if place.keys is not None and place.number_keys else ("k",)
    for type_, key in product(types_at(protocol, place), keys):
        for value in _values(protocol, place, type_):
            yield type_, attrgetter(place.path)(message_with(protocol, place, type_, key, value))


@cache
def _message(protocol: Protocol) -> Any:
    return protocol.message()


@lru_cache(maxsize=1024)
def _example(protocol: Protocol, path: str) -> Any:
    """Return a value for a place; None for an entry, which may be a text or a typed value."""
    place = places(protocol).get(path)
    return None if place is None else next(_held(protocol, place))[1]


def _of_the_caller(place: str) -> Any:
    """Return a value that the caller's Environment may have at a place."""
    return ENVIRONMENT[place].samples[0][1]


def _try(function: Function, values: Iterable[tuple[str, Any]], branches: list[Branch]) -> None:
    """Hand each value to the branches in order, until one takes it for good."""
    for type_, value in values:
        for branch in branches:
            # The row's `reads` may be set or unset, and the words have to accept both.
            either = (False, True) if branch.rule.reads or branch.rule.asks else (True,)
            if [_Trial(function, branch, type_, value, there=there).taken() for there in either][-1]:
                break


class _Trial:
    """One value that is handed to one branch, with the row's `reads` all set (`there`) or all unset."""

    def __init__(self, function: Function, branch: Branch, type_: str, value: Any, *, there: bool) -> None:
        self.function, self.branch, self.type, self.there = function, branch, type_, there
        self.last = "at" in branch.rule.columns
        """Whether the row sees a whole place, before or after the others."""
        self.makes_entry = self.last and branch.rule.source_pattern is not None
        self.value = [] if self.makes_entry else [value]

    def read(self, read: str) -> Any:
        """Return a value for one of the row's `reads`."""
        source, target = self.function.source, self.function.target
        if not read.startswith("@"):
            return _example(source, read) if self.there else None
        if read.startswith("@result."):
            return _example(target, read.removeprefix("@result.")) if self.there else None
        match read:
            case "@type":
                return self.type
            case "@key":
                return "k"
            case "@as":
                return self.branch.rule.as_
            case "@message" | "@result":
                return _message(source if read == "@message" else target)
            case "@way_back" | "@again":
                return lambda _: _message(source if read == "@way_back" else target)
        return None if read in _OPTIONAL and not self.there else _of_the_caller(read)

    def taken(self) -> bool:
        """Return whether the row takes the value for good."""
        rule, when, via = self.branch.rule, self.branch.when, self.branch.via
        if when is not None and not self.call("condition", when, rule.asks):
            return False
        if via is not None:
            made = self.call("transform", via, rule.reads)
            if made is NOT_MINE:
                return False
            value = made.value if made.__class__ is Partial else made
            if made.__class__ is not Loss and not (self.last and value is None):  # which leaves the place empty
                self.check(via, value)
        return not rule.more and not rule.first and rule.taken != "next"

    def call(self, kind: str, word: Word, reads: tuple[str, ...]) -> Any:
        try:
            return word.function(*[*self.value, *map(self.read, reads)][: word.takes])
        except Exception as error:  # noqa: BLE001 - a message would raise the same error
            wrong = f"{kind} {word.name} cannot take a value of type {self.type} ({error})"
            raise self.branch.rule.wrong(wrong) from None

    def check(self, via: Transform, value: Any) -> None:
        """Refuse an answer that lacks the form for which the row was checked, or that does not fit an unchecked place."""
        rule, place, type_ = self.branch.rule, self.branch.place, self.branch.type
        if not isinstance(value, _FORMS.get(via.gives, object)):
            raise rule.wrong(f"{rule.via} makes no {via.gives} of a value of type {self.type}")
        if self.last and place.kind == ENTRIES and not self.makes_entry:
            if not _are_entries(place, value):
                raise rule.wrong(f"{rule.via} does not give entries of {place.path}")
        elif (self.last or self.branch.fits) and type_ in self.function.target.types:
            fault = self.function.target.types[type_].fault(value)
            if fault is not None:
                held_by = rule.source if self.last else type_
                raise rule.wrong(f"{rule.via} makes of type {self.type} what {held_by} cannot hold: {fault}")


def _are_entries(place: Place, members: Any) -> bool:
    """Return whether the place may hold the list: entries, pairs of texts, or numbers."""
    if place.keys is None:
        return all(member.__class__ is int for member in members)
    if place.values is not None:
        return all(member.__class__ is tuple and [text.__class__ for text in member] == [str, str] for member in members)
    return all(member.__class__ is Entry and member.key.__class__ in (str, int) for member in members)

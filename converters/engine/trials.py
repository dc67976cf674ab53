"""Check that the words of a table fit its rows: run its compiled function on small messages on loading.

Each message has one value for a row: an ordinary or special one of a type, or one that the row's words ask for. It comes
alone, and again beside values of the caller and of the places that the row reads.
"""

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any

from mqconvert.converters.engine.building import build
from mqconvert.converters.engine.columns import SCOPES
from mqconvert.converters.engine.compiler import Compiled, compile_function, row_of
from mqconvert.converters.engine.nodes import ENVIRONMENT, Function, place_and_key
from mqconvert.converters.engine.notes import Notes, opened
from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.engine.runtime import FAILURES
from mqconvert.converters.engine.samples import empty_message, held_at, message_with, set_beside, tried, words_of
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.environment import Environment
from mqconvert.converters.errors import ConversionError, RuleTableError
from mqconvert.converters.model.bodies import BODY_TYPES
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import ENTRIES, TYPED, Place, types_at
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.words import kept


def vouch_for(table: RuleTable, before: RuleTable | None = None) -> Compiled:
    """Return a table's function; RuleTableError with file and line for invalid rows, or words that do not fit them.

    The rows of `before`, the table without an overlay, are known to be valid.
    """
    function = build(table)
    source, target = function.source, function.target
    compiled = convert, printed = compile_function(function)

    def called(words: str, call: Callable[..., Any], *given: object) -> Any:
        """Return the result of a call; None where a row refuses the message."""
        try:
            return call(*given)
        except Exception as error:  # a real message would raise the same
            if isinstance(error, ConversionError) and error.rule:
                return None
            found = row_of(error, table, printed)
            if found is None:
                raise RuleTableError(f"{table.name} fails for {words} ({error})", file=table.file) from error
            rule, columns = found
            why = _why(function, rule) if isinstance(error, (AttributeError, TypeError)) else f" ({error}){_unasked(rule)}"
            raise rule.wrong(f"{columns} fails for {words}{why}") from None

    for words, message, environment in _messages(function, before):
        _check_start(function, message, words)
        notes = Notes()
        made = called(words, convert, message, environment, notes)
        if made is not None:
            _check(function, made, notes, words)
    for scope in SCOPES:
        # A value of several types may add those that no row takes (runtime.TypeTable).
        for type_, of_type in list(convert.__globals__.get(f"types_{scope}", {}).items()):
            for _, value in source.types[type_].samples:
                row, as_, made = called(f"a value of type {type_}", of_type, value, [])
                if as_ and (fault := target.types[as_].fault(made)):
                    raise _unheld(table.row(row), as_, f"a value of type {type_}", fault)
    return compiled


def _why(function: Function, rule: Rule) -> str:
    """Say for which of the types at its place the words of a row are, if they are not for all."""
    place, words = function.from_places.get(rule.source), words_of(rule)
    if place is None or rule in function.table.finish or any(word.needs > 1 for word in words):
        return ": it is for values of other types"

    def takes(type_: str) -> bool:
        try:
            for word, (_, value) in product(words, function.source.named[type_].samples):
                word.function(value)
        except FAILURES:
            return False
        return True

    fitting = [name for name in types_at(function.source, place) if takes(name)]
    if not fitting:
        return ": it is for values of other types"
    return f': it is for values of type {", ".join(fitting)}; name those that you mean: type = "{"|".join(fitting[:2])}"'


def _unasked(rule: Rule) -> str:
    """Say which condition a transform wants, if the row lacks it."""
    via = rule.via and TRANSFORMS.get(rule.via)
    asked = CONDITIONS.known(rule.when) if rule.when else None
    named = {part.name for part in asked.parts or (asked,)} if asked else set()
    return f"; write {via.advised(rule.when)}" if via and via.where and via.where not in named else ""


# ---- the messages ---------------------------------------------------------------------------------------------------


def _messages(function: Function, before: RuleTable | None = None) -> Iterator[tuple[str, object, Environment]]:
    """Yield the messages of new rows, each with the words for its value, and with the values of the caller.

    Rows that see the whole source first, or the whole target last, need the messages of all rows.
    """
    source, table = function.source, function.table
    frame = next(iter((*source.frames, *function.target.frames)), None)
    addressed, caller = Environment(address="orders"), Environment(address="orders", frame=frame, clock=1_234_567)
    ways: dict[Any, list[Rule]] = {}
    alike = before is not None and (before.start, before.finish) == (table.start, table.finish)
    known = set(before.rules) if before is not None and alike else set()
    for rule in (*table.finish, *table.start, *table.rules):
        if rule in known:
            continue
        place = None if rule.absent or rule in table.finish else function.from_places.get(rule.source)
        said = [read for read in (rule.source, *rule.reads) if read in ENVIRONMENT]
        beside = tuple(read for read in rule.reads if place_and_key(read)[0] in function.from_places)
        for way in ((), addressed), *[((), Environment())] * bool(said), *[(beside, caller)] * bool(said or beside):
            ways.setdefault((place, rule.source_pattern, *way), []).append(rule)
    for (place, pattern, beside, environment), rules in ways.items():
        for words, message in _values(source, place, pattern, rules):
            for name, key in map(place_and_key, beside):
                set_beside(source, message, function.from_places[name], key)
            yield words or ", ".join(beside) or "an empty message", message, environment


def _values(protocol: Protocol, place: Place | None, pattern: str | None, rules: list[Rule]) -> Iterator[tuple[str, object]]:
    """Yield messages with the values of a place for rows of a key; one empty message without a place."""
    if place is None:
        yield "", empty_message(protocol)
        return
    # Keys of annotations are symbols, and ulong numbers (AMQP 1.0 part 3 section 3.2.10).
    keys: list[Any] = [pattern or "k", *[7] * (place.number_keys and pattern in (None, "*"))]
    for type_, key in product(types_at(protocol, place), keys if place.keys is not None else [None]):
        long = [text for text in ["a" * 300] if protocol.named[type_].fault(text) is None]
        for value in (*tried(protocol, place, type_, rules).values(), *long):
            yield f"{path(place.path, key)} of type {type_}", message_with(protocol, place, type_, key, value)


# ---- their results --------------------------------------------------------------------------------------------------


def _check_start(function: Function, message: object, words: str) -> None:
    """Refuse a row of start that gives no entries: the loop over them would fail in the name of another row."""
    for branch in function.start:
        held = held_at(message, branch.place)
        assert branch.via is not None
        try:
            _typed(branch.place, kept(branch.via.function(held)) if held else [])
        except (AttributeError, TypeError, ValueError) as error:
            raise branch.rule.wrong(f"via = {branch.rule.via!r} gives no entries for {words} ({error})") from None


def _check(function: Function, made: object, notes: Notes, words: str) -> None:
    """Refuse the row that put an invalid value into the result."""
    for rule in function.table.finish:  # a row of finish may put anything in the place of a map
        place = function.to_places[rule.source]
        if place.kind == ENTRIES and (fault := _faults(function.target, place, made).get(None)):
            raise _unheld(rule, rule.source, words, fault)
    notes.settle()
    found: dict[str, dict[object, str]] = {}
    for note in reversed(notes.taken):
        told, _, key, by = opened(note)
        filled = function.to_places.get(str(told.target))
        if filled is None:
            continue
        if filled.path not in found:
            found[filled.path] = _faults(function.target, filled, made)
        if fault := found[filled.path].get(key):
            raise _unheld(function.table.row(by or told.id), path(filled.path, key), words, fault)


def _faults(protocol: Protocol, place: Place, message: object) -> dict[object, str]:
    """Return the faults of a place's values by key; None is the key of a field, and of a list without entries."""
    held, known = held_at(message, place), types_at(protocol, place)
    try:
        values = [] if held is None else _typed(place, held)
    except (AttributeError, TypeError, ValueError):
        return {None: "not entries" if place.kind == ENTRIES else "not a typed value"}
    faults = {
        key: protocol.named[type_].fault(value) if type_ in known else f"its type {type_}" for key, type_, value in values
    }
    return {key: fault for key, fault in faults.items() if fault is not None}


def _typed(place: Place, held: Any) -> list[tuple[object, object, object]]:
    """Return the values of a place with their keys and types."""
    if place.kind == ENTRIES:
        if place.values is None:
            return [(entry.key, entry.type, entry.value) for entry in held or ()]
        pairs = held or () if place.keys is not None else [(None, value) for value in held]
        return [(key, place.values.name, value) for key, value in pairs]
    return [(None, held.type, held.value) if place.kind == TYPED else (None, BODY_TYPES.get(type(held), place.types[0]), held)]


def _unheld(rule: Rule, place: str, words: str, fault: str) -> RuleTableError:
    column = "via" if "via" in rule.columns else "to"
    return rule.wrong(f"{column} = {rule.columns[column]!r} gives for {words} a value that {place} cannot hold: {fault}")

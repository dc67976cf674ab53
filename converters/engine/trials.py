"""Whether the words of a table fit its rows: each condition and transform is tried on small values before any message is.

What a row says by itself is checked in rules.py, and its places, types and words in checks.py. Here every row is handed
values of each type that it may see, in the order of its place's rows, as the compiled function would hand them on.
"""

from collections.abc import Iterable, Iterator
from itertools import chain, product
from typing import Any

from mqconvert.converters.engine.checks import check_rows
from mqconvert.converters.engine.rules import CONSTANT, Rule, RuleTable
from mqconvert.converters.engine.samples import asked_for, message_with, samples, types_at, value_at, values_of
from mqconvert.converters.engine.signatures import ENVIRONMENT, RECURSIVE, Rows
from mqconvert.converters.engine.vocabulary import CONDITIONS, TRANSFORMS
from mqconvert.converters.model.bodies import BODY_TYPES
from mqconvert.converters.model.places import ENTRIES, ENTRY_KEYS, PLAIN_ENTRIES, SCALAR, SECTION, WHOLE, Place, places
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.words import NOT_MINE, Loss, Partial, Word


def vouch_for(table: RuleTable) -> None:
    """Refuse a table whose rows cannot be meant, or whose words cannot do what they ask; RuleTableError with file and line."""
    if not {table.source, table.target} <= PROTOCOLS.keys():
        return
    source, target = PROTOCOLS[table.source], PROTOCOLS[table.target]
    _ids_apart(table)
    for rule in table.rules:
        _keys(rule)
        _arguments(rule, 1)
        _target(rule, target)
    for rule in (*table.start, *table.types, *table.finish):
        _arguments(rule, int(rule.source_pattern is None))
    for rule in table.types:
        _inside(rule, target)
    for rule in table.finish:
        _finishing(rule, target)
    for rule in table.start:
        _try_starting(source, target, rule)
    for path, rules in _by_place(table.rules).items():
        _try_place(source, target, path, rules)
    for rule in table.rules:
        if rule.absent:
            _Trial(source, target, "absent", None).hand_on([rule])
    _try_types(table, source, target)
    for rule in table.finish:
        _try_finishing(source, target, rule)
    check_rows(Rows(table))


def _ids_apart(table: RuleTable) -> None:
    """Ids become names in generated code, where `-`, `.` and `+` are all `_`."""
    seen: dict[str, Rule] = {}
    for rule in table.all_rules:
        plain = rule.id.translate(str.maketrans("-.+", "___"))
        if plain in seen:
            raise rule.wrong(f"its id is too like {seen[plain].id!r}, {seen[plain].where}")
        seen[plain] = rule


def _keys(rule: Rule) -> None:
    pattern, template = rule.source_pattern or "", rule.target_template or ""
    if pattern and rule.source.startswith("@"):
        raise rule.wrong(f"{rule.source!r} is no map")
    if "*" in pattern[:-1]:
        raise rule.wrong(f"a * stands at the end of a key, not in {pattern!r}")
    if template.replace("**", "*").count("*") > 1 or ("*" in template and not pattern):
        raise rule.wrong(f"one * in {template!r} stands for the key of the source, if that has one")


def _arguments(rule: Rule, own: int) -> None:
    """A word gets the value and what the row reads: enough of it."""
    words: list[tuple[str, Word | None, int]] = [
        ("condition", CONDITIONS.get(rule.when or ""), len(rule.looks_at)),
        ("transform", TRANSFORMS.get(rule.via or ""), len(rule.reads)),
    ]
    for kind, word, read in words:
        if word is not None and word.needs > own + read:
            needed = word.needs - 1
            raise rule.wrong(f"{kind} {word.name} looks at {needed} more: it needs reads, and {read} are read")


def _target(rule: Rule, target: Protocol) -> None:
    known = places(target)
    if rule.via in RECURSIVE:
        raise rule.wrong(f"{rule.via} is a word of type rows")
    aims = known.get(rule.target or "")
    if aims is not None and aims.kind == ENTRIES and aims.types[0] not in ENTRY_KEYS:
        raise rule.wrong(f"no row can fill {rule.target}, a list without keys")
    if rule.taken == "next" and aims is not None and aims.kind == SECTION:
        raise rule.wrong("a section is never taken: taken = next says nothing")
    for closed in rule.closes:
        if closed not in known:
            raise rule.wrong(f"unknown place {closed!r} of {target.name} in closes")


def _inside(rule: Rule, target: Protocol) -> None:
    if rule.via in RECURSIVE and not set(rule.type.split("|")) <= set(RECURSIVE[rule.via]):
        raise rule.wrong(f"{rule.via} is for {' and '.join(RECURSIVE[rule.via])}, not for {rule.type}")
    if rule.scope == "key" and "table" in target.types and rule.as_ not in (None, "shortstr"):
        raise rule.wrong(f"the keys of a table are shortstr, not {rule.as_}")


def _finishing(rule: Rule, target: Protocol) -> None:
    place = places(target).get(rule.source)
    if rule.via in RECURSIVE:
        raise rule.wrong(f"{rule.via} is a word of type rows")
    transform = TRANSFORMS.get(rule.via or "")
    if transform is None or place is None:
        return
    if rule.source_pattern is not None:
        if transform.passes:
            raise rule.wrong(f"{rule.via} does not give a value for every one")
        return
    if transform.gives == "list" and place.kind != ENTRIES:
        raise rule.wrong(f"a row of finish sees a map or a list, and {rule.source} is none")
    if transform.passes or (place.kind == ENTRIES and (transform.gives != "list" or (transform.loses and not rule.reads))):
        raise rule.wrong(f"{rule.via} does not give a {'list' if place.kind == ENTRIES else 'value'} for every one")


# ---- trying the words -----------------------------------------------------------------------------------------------


def _by_place(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.absent and rule.source != CONSTANT:
            found.setdefault(rule.source, []).append(rule)
    return found


def _try_place(source: Protocol, target: Protocol, path: str, rules: list[Rule]) -> None:
    place = places(source).get(path)
    if path.startswith("@"):
        _Trial(source, target, "string", _of_the_caller(path)).hand_on(rules)
    elif place is not None and place.kind not in (SECTION, WHOLE):
        for key in {rule.source_pattern for rule in rules}:
            matching = [rule for rule in rules if _matches(rule.source_pattern, key)]
            for type_ in types_at(source, place):
                taking = [rule for rule in matching if rule.type == "*" or type_ in rule.type.split("|")]
                asked = (value for rule in taking for _, value in asked_for(source, type_, rule))
                for value in chain(_values(source, place, type_), asked):
                    _Trial(source, target, type_, value).hand_on(taking)


def _values(protocol: Protocol, place: Place, type_: str) -> Iterator[Any]:
    """What is tried with a wire type at a place: what the forecast tries, any octets as payload, a long topic."""
    yield from (value for _, value in samples(protocol, place, type_))
    yield from {"payload": (b"", b"\xff"), "topic": ("a" * 300,)}.get(type_, ())


def _of_the_caller(place: str) -> Any:
    """A value that the caller's Environment may have at a place."""
    return {"boolean": True, "timestamp": 1, "ulong": 1}.get(ENVIRONMENT.get(place, ""), "text")


def _matches(pattern: str | None, key: str | None) -> bool:
    """Whether a row for `pattern` sees the key; a pattern is tried as the key that it is."""
    if pattern is None or key is None:
        return pattern is key
    return pattern == key or (pattern.endswith("*") and key.startswith(pattern[:-1]))


def _try_types(table: RuleTable, source: Protocol, target: Protocol) -> None:
    for type_ in source.types:
        rules = [rule for rule in table.types if type_ in rule.type.split("|")]
        for _, value in values_of(source, type_):
            trial = _Trial(source, target, type_, value)
            trial.hand_on([rule for rule in rules if rule.scope != "key"])
            trial.hand_on([rule for rule in rules if rule.scope == "key"])


def _try_starting(source: Protocol, target: Protocol, rule: Rule) -> None:
    """A row that prepares a map or list of the source, on one of each type; the other rows see what it gives."""
    place, transform = places(source).get(rule.source), TRANSFORMS.get(rule.via or "")
    if place is None or place.kind != ENTRIES or (transform is None and rule.via not in RECURSIVE):
        return
    if transform is None or transform.passes or transform.gives != "list":
        raise rule.wrong(f"{rule.via} does not give a list for every one")
    for type_, value in _held(source, place):
        made = _Trial(source, target, type_, value).call(rule, "transform", transform, [])
        _refuse_no_entries(rule, place, made)


def _refuse_no_entries(rule: Rule, place: Place, made: Any) -> None:
    """What a word makes of a map is pairs of a key and what the map holds; of a list of numbers, numbers."""
    value = made.value if made.__class__ is Partial else made
    if made.__class__ is Loss or value is None:
        return
    keys, held = ((str, int), TypedValue) if place.types[0] not in PLAIN_ENTRIES else (str, str)
    for member in value:
        pair = member.__class__ is tuple and len(member) == 2 and isinstance(member[0], keys) and isinstance(member[1], held)
        if not (pair if place.types[0] in ENTRY_KEYS else member.__class__ is int):
            raise rule.wrong(f"{rule.via} does not give entries of {place.path}")


def _try_finishing(source: Protocol, target: Protocol, rule: Rule) -> None:
    """A row that sees the target last, on what its place may hold by then: nothing, where it is for that or makes an entry."""
    place = places(target).get(rule.source)
    if place is None or place.kind in (SECTION, WHOLE):
        return
    if rule.absent or rule.source_pattern is not None:
        _Finish(source, target, place.types[0], None).hand_on([rule])
        return
    for type_, value in _held(target, place):
        _Finish(source, target, type_, value).hand_on([rule])
    if rule.columns.get("type") == "*":
        _Finish(source, target, place.types[0], None).hand_on([rule])


def _held(protocol: Protocol, place: Place) -> Iterator[tuple[str, Any]]:
    """What a place may hold, with the type: a field its values, a map an entry of each type under each kind of key."""
    # Keys of annotations are symbols, and ulong numbers (AMQP 1.0 part 3 section 3.2.10).
    keys: tuple[str | int, ...] = ("k", 7) if place.types[0] == "annotations" else ("k",)
    for type_, key in product(types_at(protocol, place), keys):
        for value in _values(protocol, place, type_):
            yield type_, value_at(message_with(protocol, place, type_, key, value), place)


_OPTIONAL = ("@address", "@frame", "@clock")
"""What the caller need not give."""

_FORMS: dict[str, type | tuple[type, ...]] = {
    "str": str, "bytes": bytes, "bool": bool, "int": int, "list": list, "typed": TypedValue, "body": tuple(BODY_TYPES)
}  # fmt: skip
"""Classes of the kinds that transforms give."""


class _Trial:
    """One value that is handed to the rows of its place until one takes it."""

    def __init__(self, source: Protocol, target: Protocol, type_: str, value: Any) -> None:
        self.source, self.target, self.type, self.value = source, target, type_, value

    def hand_on(self, rules: list[Rule]) -> None:
        for rule in rules:
            # What a row reads is there or not, and the words have to take both.
            for reads in (self.nothing(rule), self.something(rule)):
                taken = self.tried(rule, reads)
            if taken:
                return

    def nothing(self, rule: Rule) -> list[Any]:
        return [None if self.optional(read) else self.given(read) for read in rule.looks_at]

    def optional(self, read: str) -> bool:
        """Whether what a row reads need not be there: places of the message, and what the caller need not give."""
        return not read.startswith("@") or read in _OPTIONAL

    def something(self, rule: Rule) -> list[Any]:
        return [self.given(read) if read.startswith("@") else self.example(self.source, read) for read in rule.looks_at]

    def given(self, read: str) -> Any:
        """What the caller, or the row itself, hands over."""
        own = {"@type": self.type, "@key": "k", "@message": self.source.message(), "@as": None}
        return own[read] if read in own else _of_the_caller(read)

    def example(self, protocol: Protocol, read: str) -> Any:
        place = places(protocol).get(read)
        if place is None or place.kind in (SECTION, WHOLE):
            return None  # of an entry, too: a text or a typed value, which both stand for nothing here
        type_ = types_at(protocol, place)[0]
        return value_at(message_with(protocol, place, type_, "k", next(samples(protocol, place, type_))[1]), place)

    def tried(self, rule: Rule, reads: list[Any]) -> bool:
        """Whether the row takes the value for good."""
        if rule.when in CONDITIONS and not self.call(rule, "condition", CONDITIONS[rule.when], reads):
            return False
        if rule.via in TRANSFORMS:
            made = self.call(rule, "transform", TRANSFORMS[rule.via], reads[: len(rule.reads)])
            if made is NOT_MINE:
                return False
            self.check_kind(rule, made)
            self.check_certain(rule, made)
        return not rule.more and not rule.first and rule.taken != "next"

    def call(self, rule: Rule, kind: str, word: Word, reads: list[Any]) -> Any:
        try:
            return word.function(*self.handed(rule, reads)[: word.takes])
        except Exception as error:  # noqa: BLE001 - whatever is raised here would be raised by a message
            raise rule.wrong(f"{kind} {word.name} cannot take a value of type {self.type} ({error})") from None

    def handed(self, _rule: Rule, reads: list[Any]) -> list[Any]:
        return [self.value, *reads]

    def check_kind(self, rule: Rule, made: Any) -> None:
        """What comes of the value has the form that the rest of the row was checked for."""
        gives, value = TRANSFORMS[str(rule.via)].gives, made.value if made.__class__ is Partial else made
        if made.__class__ is not Loss and not isinstance(value, _FORMS.get(gives, object)):
            raise rule.wrong(f"{rule.via} makes no {gives} of a value of type {self.type}")

    def check_certain(self, rule: Rule, made: Any) -> None:
        """Values of some transforms are not checked when messages are converted, so they must fit."""
        place = places(self.target).get(rule.target or "")
        type_ = rule.as_ or (place.types[0] if place is not None else None)
        if made.__class__ is Loss or rule.via not in TRANSFORMS or type_ not in TRANSFORMS[rule.via].fits:
            return
        fault = self.target.types[str(type_)].fault(made.value if made.__class__ is Partial else made)
        if fault is not None:
            raise rule.wrong(f"{rule.via} makes of type {self.type} what {type_} cannot hold: {fault}")


class _Finish(_Trial):
    """As above, for a row of finish, which gets no value of its own where it makes an entry, and whose value nothing checks."""

    def given(self, read: str) -> Any:
        source, target = self.source.message, self.target.message
        there = {"@result": target(), "@way_back": lambda _message: source(), "@again": lambda _message: target()}
        if read.startswith("@result."):
            return self.example(self.target, read.removeprefix("@result."))
        return there[read] if read in there else super().given(read)

    def optional(self, read: str) -> bool:
        return read.startswith("@result.") or super().optional(read)

    def handed(self, rule: Rule, reads: list[Any]) -> list[Any]:
        return reads if rule.source_pattern is not None else super().handed(rule, reads)

    def check_kind(self, rule: Rule, made: Any) -> None:
        if made is not None:  # which leaves the place empty
            super().check_kind(rule, made)

    def check_certain(self, rule: Rule, made: Any) -> None:
        place = places(self.target)[rule.source]
        if place.kind == ENTRIES and rule.source_pattern is None:
            _refuse_no_entries(rule, place, made)
        type_ = rule.as_ if rule.source_pattern is not None else place.types[0] if place.kind == SCALAR else None
        value = made.value if made.__class__ is Partial else made
        if type_ is None or value is None or made.__class__ is Loss:
            return
        fault = self.target.types[type_].fault(value)
        if fault is not None:
            raise rule.wrong(f"{rule.via} makes of type {self.type} what {rule.source} cannot hold: {fault}")

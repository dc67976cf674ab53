"""Whether the words of a table fit its rows: each condition and transform is tried on small values before any message is.

What a row says by itself is checked in rules.py, and places and types where the table is compiled. Here every row is handed
values of each type that it may see, in the order of its place's rows, as the compiled function would hand them on.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from mqconvert.converters.conditions import CONDITIONS
from mqconvert.converters.errors import RuleTableError
from mqconvert.converters.messages import PROTOCOLS, Protocol
from mqconvert.converters.places import ENTRIES, SECTION, WHOLE, Place, places
from mqconvert.converters.rules import Rule, RuleTable
from mqconvert.converters.samples import SAMPLES, samples, types_at
from mqconvert.converters.transforms import NOT_MINE, TRANSFORMS

INSIDE = {"items": ("list", "array"), "entries": ("map", "table"), "array-items": ("array",)}
"""Words of `via` in type rows that convert what lies inside a value, with the types that have something inside."""


def vouch_for(table: RuleTable) -> None:
    """Refuse a table whose words cannot do what its rows ask; RuleTableError with file and line.

    Names that nobody knows are left to the compiler, which refuses them.
    """
    if not {table.source, table.target} <= PROTOCOLS.keys():
        return
    source, target = PROTOCOLS[table.source], PROTOCOLS[table.target]
    _ids_apart(table)
    for rule in table.rules:
        _keys(rule)
        _arguments(rule, len(rule.reads))
        _target(rule, target)
    for rule in (*table.types, *table.finish):
        _arguments(rule, 0)
    for rule in table.types:
        _inside(rule, target)
    for rule in table.finish:
        _finishing(rule, target)
    for path, rules in _by_place(table.rules).items():
        _try_place(source, path, rules)
    _try_types(table, source)


def _wrong(rule: Rule, problem: str) -> RuleTableError:
    return RuleTableError(f"row {rule.id}: {problem}", file=rule.file, line=rule.line, rule=rule.id)


def _ids_apart(table: RuleTable) -> None:
    """Ids become names in generated code, where `-`, `.` and `+` are all `_`."""
    seen: dict[str, Rule] = {}
    for rule in (*table.rules, *table.types, *table.finish):
        plain = rule.id.translate(str.maketrans("-.+", "___"))
        if plain in seen:
            raise _wrong(rule, f"its id is too like {seen[plain].id!r}, {seen[plain].where}")
        seen[plain] = rule


def _keys(rule: Rule) -> None:
    pattern, template = rule.source_pattern or "", rule.target_template or ""
    if "*" in pattern[:-1]:
        raise _wrong(rule, f"a * stands at the end of a key, not in {pattern!r}")
    if template.count("*") > 1 or ("*" in template and not pattern):
        raise _wrong(rule, f"one * in {template!r} stands for the key of the source, if that has one")


def _arguments(rule: Rule, reads: int) -> None:
    """A word gets the value and what the row reads: enough of it."""
    words = {"condition": CONDITIONS.get(rule.when or ""), "transform": _function(rule.via)}
    for kind, function in words.items():
        if function is not None and _needs(function) > 1 + reads:
            name = rule.when if kind == "condition" else rule.via
            raise _wrong(rule, f"{kind} {name} looks at {_needs(function) - 1} more: it needs reads, and {reads} are read")


def _function(via: str | None) -> Callable[..., Any] | None:
    return TRANSFORMS[via].function if via in TRANSFORMS else None


def _needs(function: Callable[..., Any]) -> int:
    return function.__code__.co_argcount - len(function.__defaults__ or ())


def _target(rule: Rule, target: Protocol) -> None:
    known = places(target)
    if rule.via in INSIDE:
        raise _wrong(rule, f"{rule.via} is a word of type rows")
    aims = known.get(rule.target or "")
    if rule.taken == "next" and aims is not None and aims.kind in (SECTION, WHOLE):
        raise _wrong(rule, "a section is never taken: taken = next says nothing")
    for closed in rule.closes:
        if closed not in known:
            raise _wrong(rule, f"unknown place {closed!r} of {target.name} in closes")


def _inside(rule: Rule, target: Protocol) -> None:
    if rule.via in INSIDE and not set(rule.type.split("|")) <= set(INSIDE[rule.via]):
        raise _wrong(rule, f"{rule.via} is for {' and '.join(INSIDE[rule.via])}, not for {rule.type}")
    if rule.scope == "key" and "table" in target.types and rule.as_ not in (None, "shortstr"):
        raise _wrong(rule, f"the keys of a table are shortstr, not {rule.as_}")


def _finishing(rule: Rule, target: Protocol) -> None:
    place = places(target).get(rule.source)
    if rule.via in INSIDE:
        raise _wrong(rule, f"{rule.via} is a word of type rows")
    if place is None or rule.via not in TRANSFORMS:
        return
    gives = TRANSFORMS[rule.via].gives
    if (place.kind == ENTRIES) is not (gives in ("list", "entries")):
        raise _wrong(rule, f"{rule.via} gives {gives}, which {rule.source} does not hold")


# ---- trying the words -----------------------------------------------------------------------------------------------


def _by_place(rules: Iterable[Rule]) -> dict[str, list[Rule]]:
    found: dict[str, list[Rule]] = {}
    for rule in rules:
        if not rule.absent:
            found.setdefault(rule.source, []).append(rule)
    return found


def _try_place(source: Protocol, path: str, rules: list[Rule]) -> None:
    place = places(source).get(path)
    if path.startswith("@"):
        _hand_on(rules, "string", "text")
    elif place is not None and place.kind not in (SECTION, WHOLE):
        for key in {rule.source_pattern for rule in rules}:
            matching = [rule for rule in rules if _matches(rule.source_pattern, key)]
            for type_, value in _values(source, place):
                _hand_on([rule for rule in matching if _takes(rule, place, type_)], type_, value)


def _values(source: Protocol, place: Place) -> Iterator[tuple[str, Any]]:
    for type_ in types_at(source, place):
        for _, value in samples(source, place, type_):
            yield type_, value


def _matches(pattern: str | None, key: str | None) -> bool:
    """Whether a row for `pattern` sees the key; a pattern is tried as the key that it is."""
    if pattern is None or key is None:
        return pattern is key
    return pattern == key or (pattern.endswith("*") and key.startswith(pattern[:-1]))


def _takes(rule: Rule, place: Place, type_: str) -> bool:
    return rule.type == "*" or type_ in rule.type.split("|") or (len(place.types) == 1 and place.kind != ENTRIES)


def _try_types(table: RuleTable, source: Protocol) -> None:
    for type_ in source.types:
        rules = [rule for rule in table.types if type_ in rule.type.split("|")]
        for _, value in SAMPLES.get(type_, ()):
            if source.types[type_].fault(value) is None:
                _hand_on([rule for rule in rules if rule.scope != "key"], type_, value)
                _hand_on([rule for rule in rules if rule.scope == "key"], type_, value)


def _hand_on(rules: list[Rule], type_: str, value: Any) -> None:
    """One value through the rows of its place, until one takes it."""
    for rule in rules:
        if rule.when in CONDITIONS and not _tried(rule, f"condition {rule.when}", CONDITIONS[rule.when], type_, value):
            continue
        function = _function(rule.via)
        made = _tried(rule, f"transform {rule.via}", function, type_, value) if function is not None else None
        if made is not NOT_MINE and not rule.more and rule.taken != "next":
            return


def _tried(rule: Rule, word: str, function: Callable[..., Any], type_: str, value: Any) -> Any:
    reads = ["text" if read.startswith("@") else None for read in rule.reads]
    try:
        return function(*[value, *reads][: function.__code__.co_argcount])
    except Exception as error:  # noqa: BLE001 - whatever is raised here would be raised by a message
        raise _wrong(rule, f"{word} cannot take a value of type {type_} ({error})") from None

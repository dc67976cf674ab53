"""The rows of a table's function, each with the places, wire types and words that its columns name.

building.py creates them and refuses invalid rows, compiler.py and its modules make the function's statements of them.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from mqconvert.converters.engine.rules import CONSTANT, Rule, RuleTable
from mqconvert.converters.environment import Environment, options_of
from mqconvert.converters.model.compound import TableType
from mqconvert.converters.model.places import ENTRIES, SCALAR, WHOLE, Place, places, types_at
from mqconvert.converters.model.plain import TextType
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES
from mqconvert.converters.words import Condition, Transform

_OF_OPTIONS: dict[type, WireType] = {
    str: TextType("string", strict=False),  # an earlier table may have read an address from a short string, any bytes (PEP 383)
    bool: AMQP10_TYPES["boolean"],
    int: AMQP10_TYPES["ulong"],
}
"""The wire types of the caller's values by the kind of their option; the clock is a timestamp."""
_CALLER = {f"@{one.name}": _OF_OPTIONS[one.kind] for one in options_of(Environment)} | {"@clock": AMQP10_TYPES["timestamp"]}
ENVIRONMENT = {path: Place(path, (type_.name,), SCALAR) for path, type_ in _CALLER.items()}
"""Places of the caller's Environment that a row may name or read. They need no account, and no row has to take them."""

BY_TYPE_ROWS, TYPED_ANSWER = "*", "typed"
"""A `Branch.type` known only at run time, from type rows or a TypedValue."""

VALUE = Place("value", (), SCALAR)
"""The place of nested values, for type rows."""

RECURSIVE = {
    name: Transform(name=name, own=list, trees={"inline": inline}, gives="list", arity=(1, 1))
    for name, inline in (
        ("items", "inside.items({0}, lost)"),
        ("entries", "inside.entries({0}, lost)"),
        ("array-items", "inside.array_items({0}, lost)"),
    )
}
"""Words of `via` in type rows that convert nested values, named by their type (WireType.converted_by)."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branch:
    """A row with the places, types and words that it names.

    * `place`: the place of its values, in the source, the Environment or (`finish` rows) the target;
    * `types`: the possible wire types of its values;
    * `target`: the place that it fills, or None; `type`: the wire type of its result;
    * `fits`: whether every result fits that type without a check;
    * `contested`: whether another row may have filled its target before it;
    * `frames`: the frames of the target that the row is for, by its column or its target; empty for all.
    """

    rule: Rule
    place: Place
    types: tuple[WireType, ...]
    when: Condition | None = None
    via: Transform | None = None
    target: Place | None = None
    type: str = TYPED_ANSWER
    fits: bool = False
    contested: bool = False
    frames: tuple[str, ...] = ()

    @property
    def kind(self) -> str | None:
        """Return the Python form of all its possible values; None if there are several."""
        return kind_of(self.types)

    @property
    def gives(self) -> set[str]:
        """The Python forms of its results."""
        return {type_.kind for type_ in self.types} if self.via is None else {self.via.gives}

    @property
    def utf8(self) -> bool:
        """Return whether all its possible values are valid UTF-8 text."""
        return self.kind == "str" and all(type_.strict for type_ in self.types)

    @property
    def passes(self) -> bool:
        """Return whether its transform may pass the value to the next row."""
        return self.via is not None and self.via.passes

    @property
    def straight(self) -> bool:
        """Return whether the transform's result goes into its place without a test."""
        if self.via is None or self.via.passes or self.via.loses:
            return False
        # An entry uses the type and the value of a typed result, so the result needs a name.
        return self.fits if self.type != TYPED_ANSWER else self.target is None or self.target.kind != ENTRIES

    @property
    def always(self) -> bool:
        """Return whether it always takes every value of its key and types."""
        rule = self.rule
        return not (rule.when or rule.more or rule.first or rule.taken == "next" or self.passes)

    def covers(self, other: "Branch") -> bool:
        """Return whether the row takes every value that a later row of the same place could take."""
        wider = matches(self.rule.source_pattern, other.rule.source_pattern)
        return self.always and wider and set(other.types) <= set(self.types)


@dataclass(slots=True, kw_only=True)
class Group:
    """The rows of one place of the source, for its values and for an absent value."""

    place: Place
    branches: list[Branch] = field(default_factory=list)
    absent: list[Branch] = field(default_factory=list)


Chains = dict[str, list[Branch]]
"""By source type, the type rows for its values, in order."""


@dataclass(slots=True, kw_only=True)
class Function:
    """The nodes of a table in the order of their application, and the places of its two protocols."""

    table: RuleTable
    source: Protocol
    target: Protocol
    from_places: dict[str, Place] = field(init=False)
    to_places: dict[str, Place] = field(init=False)
    read_places: dict[str, Place] = field(init=False)
    """The places that rows may read: those of the source, and of the caller's Environment."""
    start: list[Branch] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    defaults: list[Rule] = field(default_factory=list)
    types: dict[str, Chains] = field(default_factory=dict)
    finish: list[Branch] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.from_places, self.to_places = places(self.source), places(self.target)
        self.read_places = self.from_places | ENVIRONMENT

    @property
    def branches(self) -> Iterator[Branch]:
        """Yield every row for a place of the source or of the target, but not those of types."""
        for group in self.groups.values():
            yield from (*group.branches, *group.absent)
        yield from self.finish

    @property
    def wholes(self) -> bool:
        """Whether a row fills sections as a whole."""
        places = self.to_places
        return any(rule.target in places and places[rule.target].kind == WHOLE for rule in self.table.rules)

    def filled_before(self, rule: Rule, path: str) -> bool:
        """Return whether another row, or the same one for another entry, may have filled a place before the row does."""
        others = (
            other.source != CONSTANT and (other.source != rule.source or other.more)
            for other in self.table.rules
            if other is not rule and (other.target == path or path in other.constants)
        )
        return rule.source_pattern is not None or any(others)

    def types_at(self, place: Place) -> tuple[WireType, ...]:
        """Return the wire types of the values at a place that rows may read."""
        if place.path in _CALLER:
            return (_CALLER[place.path],)
        return tuple(self.source.named[name] for name in types_at(self.source, place))


def kind_of(types: Iterable[WireType]) -> str | None:
    """Return the Python form of all values of these types; None if there are several."""
    kinds = {type_.kind for type_ in types}
    return kinds.pop() if len(kinds) == 1 else None


def typed_entries(place: Place) -> bool:
    """Return whether the place is a map or list with a type for each entry."""
    return place.kind == ENTRIES and place.values is None


def plain_keys(protocol: Protocol) -> str | None:
    """Return the common wire type of keys in nested maps of a protocol: that of field tables."""
    found = (type_.keys for type_ in protocol.types.values() if isinstance(type_, TableType) and type_.keys is not None)
    return next((keys.name for keys in found), None)


def matches(pattern: str | None, key: str | None) -> bool:
    """Return whether a row for `pattern` sees the key, or all keys of another pattern; None is the pattern of a field.

    >>> matches("x-*", "x-a"), matches("x-*", "x-a*"), matches("x-a", "x-*"), matches(None, None)
    (True, True, False, True)
    """
    if pattern is None or key is None:
        return pattern is key
    return pattern == key or (pattern.endswith("*") and key.startswith(pattern[:-1]))


def place_and_key(read: str) -> tuple[str, str | None]:
    """Return the place and the key of a path in `reads` or `set`.

    >>> place_and_key("properties[amqp-type.*]"), place_and_key("footer")
    (('properties', 'amqp-type.*'), ('footer', None))
    """
    place, bracket, key = read.partition("[")
    return place, key[:-1] if bracket else None

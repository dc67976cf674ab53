"""The nodes of a table's function: every row with the places, wire types and words that its columns name.

What a row can take, make, lose or never reach is read from them: building.py refuses by them, trials.py tries them on values,
compiler.py and the modules beside it print them.
"""

from dataclasses import dataclass, field
from typing import Any

from mqconvert.converters.engine.rules import Rule, RuleTable
from mqconvert.converters.model.places import ENTRIES, PLAIN_ENTRIES, SCALAR, Place
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import KIND_OF
from mqconvert.converters.words import Condition, Transform

ENVIRONMENT = {
    "@address": "string", "@mqtt_exchange": "string", "@frame": "string", "@payload": "string", "@escape": "boolean",
    "@clock": "timestamp", "@producer": "string", "@sequence_id": "ulong",
}  # fmt: skip
"""Places of the caller's Environment that a row may name or read, with the type of each."""

SAFE = {
    ("boolean", "bool"), ("bool", "boolean"), ("octet", "ubyte"), ("ubyte", "octet"), ("symbol", "string"),
    ("utf8", "string"), ("binary", "longstr"), ("longstr", "binary"), ("binary", "payload"), ("uint", "unsignedint"),
    ("void", "null"), ("null", "void"), ("ubyte", "unsignedbyte"), ("unsignedbyte", "ubyte"), ("ushort", "unsignedshort"),
    ("unsignedshort", "ushort"), ("unsignedint", "uint"), ("int", "signedint"), ("signedint", "int"), ("topic", "utf8"),
    ("longstr", "payload"), ("topic", "string"), ("name", "string"), ("int", "long"), ("ushort", "uint"), ("ubyte", "uint"),
    ("timestamp", "long"), ("compression", "string"), ("position", "string"), ("payload", "binary"), ("id_octets", "binary"),
}  # fmt: skip
"""Pairs of types whose values have one form and mean the same. What still may not fit is in Function.same: types of one name
have limits of their own in each protocol.
"""

BY_TYPE_ROWS, TYPED_ANSWER = "*", "typed"
"""For `Branch.type`: the type rows say it, or the transform answers a TypedValue."""

VALUE = Place("value", (), SCALAR)
"""The place of a value inside another one, for the type rows."""

SCOPES: dict[str, tuple[str | None, ...]] = {
    "top": (None, "top"),
    "nested": (None, "nested"),
    "entry": (None, "nested", "entry"),
    "key": ("key",),
}
"""Where type rows apply, by their `scope`: entries of the message itself, elements of lists, values of maps, their keys."""


def _inside(_value: Any) -> list[Any]:
    """For trials: what the type rows make of the values inside another one, which they try by themselves."""
    return []


RECURSIVE: dict[str, tuple[Transform, tuple[str, ...]]] = {
    name: (Transform(name=name, function=_inside, inline=inline, gives="list", fits=frozenset(KIND_OF)), types)
    for name, inline, types in (
        ("items", "items({0}, lost)", ("list", "array")),
        ("entries", "entries({0}, lost)", ("map", "table")),
        ("array-items", "array_items({0}, lost)", ("array",)),
    )
}
"""Words of `via` in type rows that convert what lies inside a value, with the types that have something inside."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Branch:
    """A row with what it names.

    * `place`: the place of its values: of the source, of the caller, in `finish` rows of the target;
    * `types`: the wire types of the values that it may see there;
    * `target`: the place that it fills, None where it makes nothing of its value; `type`: the wire type of what it makes;
    * `fits`: whether whatever it makes fits that type, so that no check is written out;
    * `contested`: whether another row may have filled its target before it.
    """

    rule: Rule
    place: Place
    types: tuple[str, ...]
    when: Condition | None = None
    via: Transform | None = None
    target: Place | None = None
    type: str = TYPED_ANSWER
    fits: bool = False
    contested: bool = False

    @property
    def kind(self) -> str | None:
        """The Python form of all values that it may see; None where it may see several."""
        kinds = {KIND_OF[type_] for type_ in self.types}
        return kinds.pop() if len(kinds) == 1 else None

    @property
    def utf8(self) -> bool:
        """Whether all that it may see is text that UTF-8 can write. A short string may hold other octets (PEP 383), and so may
        an address of the caller, which a table before this one may have taken from a short string.
        """
        return self.kind == "str" and "shortstr" not in self.types and self.place.path not in ENVIRONMENT

    @property
    def passes(self) -> bool:
        """Whether its transform may pass the value on to the next row."""
        return self.via is not None and self.via.passes

    @property
    def loses(self) -> bool:
        """Whether its transform may lose some of the value."""
        return self.via is not None and self.via.loses

    @property
    def straight(self) -> bool:
        """Whether what the transform makes goes into its place as it is, with nothing to ask before."""
        return self.via is not None and not self.passes and not self.loses and (self.type == TYPED_ANSWER or self.fits)

    @property
    def always(self) -> bool:
        """Whether it takes every value of its key and types for good."""
        rule = self.rule
        return not (rule.when or rule.more or rule.first or rule.taken == "next" or self.passes)

    def covers(self, other: "Branch") -> bool:
        """Whether nothing is left for a later row of the same place."""
        pattern, key = self.rule.source_pattern, other.rule.source_pattern
        wider = pattern in (None, "*", key) or (str(pattern)[-1] == "*" and str(key).startswith(str(pattern)[:-1]))
        return self.always and wider and set(other.types) <= set(self.types)


@dataclass(slots=True, kw_only=True)
class Group:
    """The rows of one place of the source: those for its values, and those for what is absent."""

    place: Place
    branches: list[Branch] = field(default_factory=list)
    absent: list[Branch] = field(default_factory=list)


Chains = dict[str, list[Branch]]
"""By source type, the type rows that may take its values, in their order."""


@dataclass(slots=True, kw_only=True)
class Function:
    """The nodes of a table in the order in which they act, and the places of its two protocols."""

    table: RuleTable
    source: Protocol
    target: Protocol
    from_places: dict[str, Place]
    to_places: dict[str, Place]
    start: list[Branch] = field(default_factory=list)
    groups: dict[str, Group] = field(default_factory=dict)
    defaults: list[Rule] = field(default_factory=list)
    types: dict[str, Chains] = field(default_factory=dict)
    finish: list[Branch] = field(default_factory=list)

    def place(self, path: str) -> Place:
        """A place of the source, or of the caller's Environment; KeyError for any other."""
        return Place(path, (ENVIRONMENT[path],), SCALAR) if path in ENVIRONMENT else self.from_places[path]

    def types_at(self, place: Place) -> tuple[str, ...]:
        """The wire types of the values at a place of the source."""
        if place.kind != ENTRIES:
            return place.types
        return tuple(self.source.types) if typed_entries(place) else (PLAIN_ENTRIES[place.types[0]],)

    def same(self, type_: str, as_: str) -> bool:
        """Whether every value of the first type, one of the source, is one of the second, of the target."""
        if type_ != as_ and (type_, as_) not in SAFE:
            return False
        known, wanted = self.source.types.get(type_), self.target.types.get(as_)
        if known is None or wanted is None or known is wanted:
            return type_ != "shortstr"  # text that may be no UTF-8 (PEP 383)
        if wanted.bounds is not None:
            return known.bounds is not None and wanted.bounds[0] <= known.bounds[0] and known.bounds[1] <= wanted.bounds[1]
        if KIND_OF[as_] == "bytes":
            return wanted.whole or (known.size is not None and known.size == wanted.size)
        return type_ != as_ or known.fault is wanted.fault or (wanted.whole and wanted.of_class is known.of_class)

    def whole(self, type_: str) -> bool:
        """Whether every value of the type's Python form fits the type of the target."""
        wire = self.target.types.get(type_)
        return KIND_OF[type_] == "body" or (wire is not None and wire.whole and KIND_OF[type_] in ("bytes", "bool"))


def typed_entries(place: Place) -> bool:
    """Whether the place is a map or list whose entries have a type each."""
    return place.kind == ENTRIES and place.types[0] not in PLAIN_ENTRIES


def place_and_key(read: str) -> tuple[str, str | None]:
    """The place and the key of what `reads` or `set` names.

    >>> place_and_key("properties[amqp-type.*]"), place_and_key("footer")
    (('properties', 'amqp-type.*'), ('footer', None))
    """
    place, bracket, key = read.partition("[")
    return place, key[:-1] if bracket else None

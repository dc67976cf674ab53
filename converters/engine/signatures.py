"""What the rows of a table take and give: their places, wire types, and the Python forms (kinds) of those.

Facts only: checks.py refuses by them, compiler.py and type_rows.py write by them.
"""

from mqconvert.converters.engine.rules import CONSTANT, Rule, RuleTable
from mqconvert.converters.engine.vocabulary import TRANSFORMS, learn
from mqconvert.converters.errors import RuleTableError
from mqconvert.converters.model.compound import TableType
from mqconvert.converters.model.places import BODY, ENTRIES, SCALAR, SECTION, WHOLE, Place, places, types_at
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.wiretypes import WireType
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES

ENVIRONMENT = {
    "@address": "string", "@mqtt_exchange": "string", "@frame": "string", "@payload": "string", "@escape": "boolean",
    "@clock": "timestamp", "@producer": "string", "@sequence_id": "ulong",
}  # fmt: skip
"""Places of the caller's Environment that a row may name or read, with the type of each: one of AMQP 1.0's."""

RECURSIVE = ("items", "entries", "array-items")
"""Words of `via` in type rows that convert what lies inside a value: WireType.converted_by."""


class Rows:
    """The rows of one table with the places of its two protocols."""

    def __init__(self, table: RuleTable) -> None:
        self.table = table
        for name in (table.source, table.target):
            if name not in PROTOCOLS:
                raise RuleTableError(f"unknown protocol {name!r}", file=table.file)
        self.source, self.target = PROTOCOLS[table.source], PROTOCOLS[table.target]
        learn(self.source)
        learn(self.target)
        self.from_places, self.to_places = places(self.source), places(self.target)

    def by_place(self) -> dict[str, list[Rule]]:
        """The rows by their place of the source, in the order of the first of each; then the places that have none."""
        found: dict[str, list[Rule]] = {}
        for rule in self.table.rules:
            if rule.source != CONSTANT:
                found.setdefault(rule.source, []).append(rule)
        for path, place in self.from_places.items():
            if place.kind not in (SECTION, WHOLE):
                found.setdefault(path, [])
        return found

    def defaults(self) -> list[Rule]:
        """The rows for what no other row filled, which come after all others."""
        return [rule for rule in self.table.rules if rule.source == CONSTANT]

    def typed(self, place: Place) -> bool:
        """Whether the place is a map or list whose entries have a type each."""
        return place.kind == ENTRIES and place.values is None

    def source_types(self, rule: Rule) -> tuple[str, ...] | None:
        """The wire types that a row may see, None for any type of an entry."""
        if rule.source in ENVIRONMENT:
            return (ENVIRONMENT[rule.source],)
        place = self.from_places[rule.source]
        if rule.type not in ("*", "absent"):
            return tuple(rule.type.split("|"))
        return None if self.typed(place) else types_at(self.source, place)

    def possible(self, rule: Rule) -> set[str] | None:
        """The types that a row takes, None for any type of an entry."""
        if rule.source in self.from_places or rule.source in ENVIRONMENT:
            types = self.source_types(rule)
            return None if types is None else set(types)
        return set(rule.type.split("|"))

    def target_type(self, rule: Rule, place: Place) -> str:
        """The wire type that the row gives; `*` by the type rows, `typed` where the transform answers a TypedValue."""
        if rule.via in TRANSFORMS and TRANSFORMS[rule.via].gives == "typed":
            return "typed"
        if rule.as_ is not None:
            return rule.as_
        if place.kind == ENTRIES and place.values is not None:
            return place.values.name
        if place.kind in (SCALAR, BODY):
            return place.types[0]
        if place.kind == ENTRIES and rule.via is None and self.source_types(rule) is None:
            return "*"
        raise rule.wrong(f"{rule.target} needs a type: as = ...")

    def given_kinds(self, rule: Rule) -> set[str]:
        if rule.via is not None:
            return {"list" if rule.via in RECURSIVE else TRANSFORMS[rule.via].gives}
        types = self.source_types(rule)
        if types is None:
            raise rule.wrong("a row for any type needs a transform, or the type table (no as)")
        return {self.source_type(type_).kind for type_ in types}

    def certain(self, rule: Rule, type_: str) -> bool:
        """Whether whatever the row gives fits the target's type, so that no check need be written out."""
        if rule.via is not None:
            wanted = self.target.named[type_]
            whole = wanted.whole and wanted.kind in ("bytes", "bool")
            return whole or (rule.via in TRANSFORMS and type_ in TRANSFORMS[rule.via].fits) or wanted.kind == "body"
        if rule.source in ENVIRONMENT:  # an address may have been a short string (PEP 383) before the table before this one
            return ENVIRONMENT[rule.source] == type_
        types = self.source_types(rule) or ()
        # The condition is what the type asks for. (There is a condition "utf8" too, which asks less than MQTT's type.)
        vouched = rule.when == type_ == "shortstr" and self.kind(rule) == "str"
        return vouched or all(self.same(known, type_) for known in types)

    def kind(self, rule: Rule) -> str | None:
        """The kind of all that the row may see; None where it may see several."""
        kinds = {self.source_type(type_).kind for type_ in self.source_types(rule) or ()}
        return kinds.pop() if len(kinds) == 1 else None

    def utf8(self, rule: Rule) -> bool:
        """Whether all that the row may see is text that UTF-8 can write. A short string may hold other octets (PEP 383), and so
        may an address of the caller, which a table before this one may have taken from a short string.
        """
        types = self.source_types(rule) or ()
        return rule.source in self.from_places and bool(types) and all(map(self.utf8_type, types))

    def utf8_type(self, type_: str) -> bool:
        known = self.source_type(type_)
        return known.kind == "str" and known.strict

    def always(self, rule: Rule) -> bool:
        passes = rule.via in TRANSFORMS and TRANSFORMS[rule.via].passes
        return rule.when is None and not rule.more and not rule.first and rule.taken != "next" and not passes

    def contested(self, rule: Rule, target: Place) -> bool:
        others = [
            other for other in self.table.rules
            if other is not rule and (other.target == target.path or target.path in other.constants)
            and other.source != CONSTANT and (other.source != rule.source or other.more)
        ]  # fmt: skip
        return rule.taken == "drop" and (bool(others) or rule.source_pattern is not None)

    def same(self, type_: str, as_: str) -> bool:
        """Every value of the first type, one of the source, is one of the second, so that no check need be written out."""
        return self.target.named[as_].takes_all_of(self.source_type(type_))

    def source_type(self, name: str) -> WireType:
        """A wire type of the source, or of the caller's Environment."""
        return self.source.named.get(name) or AMQP10_TYPES[name]

    def type_kinds(self, rule: Rule) -> set[str]:
        if rule.via in RECURSIVE:
            return {"list"}
        if rule.via is not None:
            return {TRANSFORMS[rule.via].gives}
        return {self.source.types[type_].kind for type_ in rule.type.split("|")}


def plain_keys(protocol: Protocol) -> str | None:
    """The wire type of the keys of maps among the protocol's values, where keys have no type each: of a field table."""
    found = (type_.keys for type_ in protocol.types.values() if isinstance(type_, TableType) and type_.keys is not None)
    return next((keys.name for keys in found), None)


def place_and_key(read: str) -> tuple[str, str | None]:
    """The place and the key of what `reads` or `set` names.

    >>> place_and_key("properties[amqp-type.*]"), place_and_key("footer")
    (('properties', 'amqp-type.*'), ('footer', None))
    """
    place, bracket, key = read.partition("[")
    return place, key[:-1] if bracket else None

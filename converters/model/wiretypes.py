"""Wire types: one object for each, from its bounds to its JSON form.

A protocol lists its own (`wire_types`). This module has their base class, plain.py the classes of plain values,
compound.py of compound values, bodies.py of bodies, sections.py of records.
"""

from collections.abc import Callable, Iterable, Mapping

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.jsonform import JsonObject, Schema, json_kind, object_of, ref, refuse_json
from mqconvert.converters.model.native import enter_recursion, leave_recursion, mypyc_attr
from mqconvert.converters.model.values import MAX_DEPTH, Entry, TypedValue

Fault = Callable[[object], str | None]
SampleValues = Iterable[tuple[str, object]]
"""Trial values, each with its special property (empty for an ordinary one)."""


@mypyc_attr(allow_interpreted_subclasses=True)
class WireType:
    """A wire type of a protocol.

    * `name`: its name in the specification; `kind`: its Python form, in the terms of a transform's `gives`;
    * `fault`: None for a valid value, else the reason in words. If `strict` is False, codecs also read invalid values (text of
    any bytes);
    * `whole`: whether every value of its Python class fits; `bounds`: the lowest and the highest value of an integer;
      `size`: its size in bytes, if fixed; `of_class`: the class of its values, if it is a dataclass;
    * `quick`: an expression of the value `{0}`, true for most valid values and no others: it saves a call of `fault`;
    * `samples`: trial values, each with its special property;
    * `in_entries`: whether entries of maps and elements of lists may have it;
    * `compound`: whether its values contain typed values; `converted_by`: the word of type rows that converts these (`items`,
    `entries`, `array-items`);
    * `empty_is_unset`: whether an empty value counts as unset;
    * `members`: what a typed value may have beside `"type"`;
    * `shorthand`: the kind of plain JSON that is read as this type (`wire_types` sets it), and its turn among those of a kind.

    `write`, `read` and `schema` handle the JSON of a field that fixes the type; `write_typed`, `read_typed` and `typed_schema`
    the members beside `"type"`.
    """

    __slots__ = (
        "bounds", "compound", "converted_by", "empty_is_unset", "fault", "in_entries", "kind", "members", "name", "of_class",
        "quick", "samples", "shorthand", "size", "strict", "whole",
    )  # fmt: skip

    def __init__(
        self, name: str, kind: str, fault: Fault, samples: SampleValues, *, quick: str | None = None, in_entries: bool = True
    ) -> None:
        """Raise LookupError if all samples are invalid."""
        self.name, self.kind, self.fault, self.quick, self.in_entries = name, kind, fault, quick, in_entries
        self.bounds: tuple[int, int] | None = None
        self.size: int | None = None
        self.of_class: type | None = None
        self.converted_by: str | None = None
        self.members: tuple[str, ...] = ("value",)
        self.shorthand: tuple[str, int] | None = None
        self.strict, self.whole, self.compound, self.empty_is_unset = True, False, False, False
        self.samples = tuple((case, value) for case, value in samples if fault(value) is None)
        if not self.samples:
            raise LookupError(f"no value is known of wire type {name!r}: name one in its samples")

    def takes_all_of(self, other: "WireType") -> bool:
        """Return whether every value of the other type fits this one, so that no check is needed.

        >>> from mqconvert.converters.model.plain import IntegerType
        >>> LONG, INT = IntegerType("long", -(2**63), 2**63 - 1), IntegerType("int", -(2**31), 2**31 - 1)
        >>> LONG.takes_all_of(INT), INT.takes_all_of(LONG)
        (True, False)
        """
        if not other.strict or other.kind != self.kind:
            return False
        if self.bounds is not None and other.bounds is not None:
            return self.bounds[0] <= other.bounds[0] and other.bounds[1] <= self.bounds[1]
        same_size = self.size is not None and self.size == other.size
        return self.fault is other.fault or self.whole or same_size

    def write(self, value: object, types: "WireTypes") -> object:
        """Return the JSON form of a value; TypeError, ValueError, AttributeError or LookupError for a value of another type."""
        raise NotImplementedError

    def read(self, value: object, at: str, _depth: int, _types: "WireTypes") -> object:
        """Return a value from its JSON form at the path `at`, inside of `_depth` others; DecodeError."""
        return self.held(value, at)

    def schema(self, types: "WireTypes") -> Schema:
        """Return the JSON Schema of `write`."""
        raise NotImplementedError

    def write_typed(self, value: object, types: "WireTypes") -> JsonObject:
        """Return the members beside `"type"`."""
        return {"value": self.write(value, types)}

    def read_typed(self, members: JsonObject, at: str, depth: int, types: "WireTypes") -> object:
        """Return a value from the members beside `"type"`; DecodeError."""
        if len(members) != 1 or "value" not in members:
            refuse_json("bad_json", 'a typed value is {"type": ..., "value": ...}', at)
        return self.read(members["value"], at, depth, types)

    def typed_schema(self) -> Schema:
        """Return the JSON Schema of a typed value."""
        return object_of(type={"const": self.name}, value=ref(self.name))

    def misfit(self, value: object) -> TypeError:
        """Return the error of `write` for a value of another Python class."""
        return TypeError(f"a {type(value).__name__} is no {self.name}")

    def check(self, value: object, field: str) -> None:
        """Raise EncodeError `bad_value` for an invalid value."""
        fault = self.fault(value)
        if fault is not None:
            raise EncodeError("bad_value", fault, field=field)

    def held(self, value: object, at: str) -> object:
        """Return a value from JSON after checking its bounds; DecodeError."""
        fault = self.fault(value)
        if fault is not None:
            refuse_json("bad_value", fault, at)
        return value


WireTypes = Mapping[str, WireType]


def wire_types(*types: WireType, shorthand: Mapping[str, tuple[str, ...]] | None = None) -> dict[str, WireType]:
    """Return wire types by their names.

    `shorthand` names the types of plain JSON where a typed value is due, by its kind in the words of JSON Schema; `integer` and
    `number` are apart. The first type that a value fits is taken. Kinds without a type are refused.

    >>> from mqconvert.converters.model.plain import IntegerType, TextType
    >>> list(wire_types(IntegerType("uint", 0, 2**32 - 1), TextType("string")))
    ['uint', 'string']
    """
    made = {type_.name: type_ for type_ in types}
    for kind, names in (shorthand or {}).items():
        for turn, name in enumerate(names):
            made[name].shorthand = kind, turn
    return made


def typed_to_json(typed: TypedValue | Entry, types: WireTypes) -> JsonObject:
    """Return a value with its wire type; text where JSON's own forms would lose some of it.

    >>> from mqconvert.converters.model.plain import IntegerType
    >>> typed_to_json(TypedValue("ulong", 2**64 - 1), wire_types(IntegerType("ulong", 0, 2**64 - 1)))
    {'type': 'ulong', 'value': '18446744073709551615'}
    """
    enter_recursion()
    try:
        name = typed.type
        return {"type": name, **types[name].write_typed(typed.value, types)}
    finally:
        leave_recursion()


def typed_from_json(value: object, at: str, depth: int, types: WireTypes, only: tuple[str, ...] = ()) -> TypedValue:
    """Return the typed value of its JSON form; DecodeError with the path `at`.

    An object of a known `type` and its members is a typed value. Any other JSON has the type that `wire_types` gives its kind;
    `only` are the types among which it is chosen, if not all.
    """
    not_deeper(depth, at)
    if isinstance(value, dict) and isinstance(value.get("type"), str):
        name = value["type"]
        members = {member: form for member, form in value.items() if member != "type"}
        if name in types and members and members.keys() <= set(types[name].members):
            return TypedValue(name, types[name].read_typed(members, at, depth, types))
        if name not in types and members.keys() == {"value"}:
            known = ", ".join(type_.name for type_ in types.values() if type_.in_entries)
            refuse_json("unknown_type", f"no type {name!r}; known: {known}", at)
    return _plain_from_json(value, at, depth, types, only)


def _plain_from_json(value: object, at: str, depth: int, types: WireTypes, only: tuple[str, ...]) -> TypedValue:
    """Return the typed value that plain JSON stands for."""
    kind = json_kind(value)
    may = [type_ for type_ in types.values() if not only or type_.name in only]
    found = sorted((type_ for type_ in may if type_.shorthand is not None and type_.shorthand[0] == kind), key=_turn)
    for type_ in found:
        if kind != "integer" or type_.fault(value) is None:
            return TypedValue(type_.name, type_.read_typed({"value": value}, at, depth, types))
    if found:
        negative = isinstance(value, int) and value < 0
        wide = [type_ for type_ in found if not negative or type_.fault(-1) is None] or found
        refuse_json("bad_value", f"{wide[-1].fault(value)}", at)
    words = f'{kind} is no value here: expected {{"type": {json_names(only or types)}, "value": ...}}'
    raise DecodeError("bad_json", words, field=at or None)


def _turn(type_: WireType) -> int:
    return 0 if type_.shorthand is None else type_.shorthand[1]


def json_names(names: Iterable[str]) -> str:
    """Return names as alternatives in the form of JSON.

    >>> json_names(["ulong", "string"])
    '"ulong"|"string"'
    """
    return "|".join(f'"{name}"' for name in names)


def instance(kind: type, words: str) -> Fault:
    """Return the fault of a type that takes every value of a Python class; `words` describe the others."""

    def fault(value: object) -> str | None:
        return None if type(value) is kind else f"not {words}"

    return fault


def not_deeper(depth: int, at: str) -> None:
    """Raise DecodeError if values nest too deep."""
    if depth > MAX_DEPTH:
        refuse_json("nesting", f"values nest deeper than {MAX_DEPTH}", at)

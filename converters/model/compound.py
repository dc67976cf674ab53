"""Wire types of compound values: lists, maps, arrays, described values, and the entries of a message's maps."""

from typing import Any

from mqconvert.converters.model.jsonform import (
    JsonObject,
    Schema,
    array_from_json,
    byte_text_to_json,
    integer_from_json,
    json_kind,
    keyed,
    listed,
    object_of,
    one_of,
    pair,
    ref,
    refuse_json,
)
from mqconvert.converters.model.native import enter_recursion, leave_recursion
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.values import Array, Decimal091, Described, Entry
from mqconvert.converters.model.wiretypes import (
    Fault,
    SampleValues,
    WireType,
    WireTypes,
    instance,
    not_deeper,
    typed_from_json,
    typed_to_json,
)


class CompoundType(WireType):
    """The base of types whose values contain typed values, one level deeper."""

    __slots__ = ()

    def __init__(self, name: str, kind: str, fault: Fault, samples: SampleValues) -> None:
        super().__init__(name, kind, fault, samples)
        self.whole = self.compound = True

    def read(self, value: object, at: str, depth: int, types: WireTypes) -> object:
        not_deeper(depth + 1, at)
        return self.inside(value, at, depth + 1, types)

    def inside(self, value: object, at: str, depth: int, types: WireTypes) -> object:
        """Return the value for `read`, at the depth of its inner values."""
        raise NotImplementedError


class ListType(CompoundType):
    """A list of typed values: `list` of TypedValue."""

    __slots__ = ()

    def __init__(self, name: str, samples: SampleValues) -> None:
        super().__init__(name, "list", instance(list, "a list"), samples)
        self.converted_by = "items"

    def write(self, value: Any, types: WireTypes) -> list[object]:
        return [typed_to_json(typed, types) for typed in value]

    def inside(self, value: object, at: str, depth: int, types: WireTypes) -> list[object]:
        parts = enumerate(array_from_json(value, at))
        return [typed_from_json(part, f"{at}[{index}]", depth, types) for index, part in parts]

    def schema(self, _types: WireTypes) -> Schema:
        return listed(ref("typed"))


class MapType(CompoundType):
    """A map of AMQP 1.0 with typed keys: `list` of Entry."""

    __slots__ = ()

    def __init__(self, name: str, samples: SampleValues) -> None:
        super().__init__(name, "list", instance(list, "a list"), samples)
        self.converted_by = "entries"

    def write(self, value: Any, types: WireTypes) -> list[object]:
        return [[typed_to_json(entry.key, types), typed_to_json(entry, types)] for entry in value]

    def inside(self, value: object, at: str, depth: int, types: WireTypes) -> list[object]:
        parts = [list(pair) for pair in value.items()] if isinstance(value, dict) else array_from_json(value, at)
        if not all(isinstance(part, list) and len(part) == 2 for part in parts):
            refuse_json("bad_json", 'a map is {"key": value} or [["key", value]]', at)
        pairs = [(typed_from_json(key, at, depth, types), typed_from_json(part, at, depth, types)) for key, part in parts]
        return [Entry(key, typed.type, typed.value) for key, typed in pairs]

    def schema(self, _types: WireTypes) -> Schema:
        return listed(pair(ref("typed"), ref("typed"))) | keyed(ref("typed"))


class ArrayType(CompoundType):
    """An array of AMQP 1.0: `Array`. Its elements, also nested arrays, share one type."""

    __slots__ = ()

    def __init__(self, name: str, samples: SampleValues) -> None:
        super().__init__(name, "array", instance(Array, "an array"), samples)
        self.of_class, self.converted_by = Array, "array-items"
        self.members = ("value", "of", "descriptors")

    def write(self, value: Any, types: WireTypes) -> JsonObject:
        of = types[value.of]
        enter_recursion()  # an array of arrays
        try:
            written: JsonObject = {"of": value.of, "value": [of.write(element, types) for element in value.values]}
        finally:
            leave_recursion()
        if value.descriptors:
            written["descriptors"] = [typed_to_json(typed, types) for typed in value.descriptors]
        return written

    def inside(self, value: object, at: str, depth: int, types: WireTypes) -> Array:
        if not isinstance(value, dict) or not value.keys() <= {"of", "value", "descriptors"}:
            refuse_json("bad_json", 'an array is {"of": "int", "value": [1, 2]}', at)
        of = value.get("of")
        if not isinstance(of, str) or of not in types or types[of].of_class is Described:
            refuse_json("unknown_type", f"no array of {of!r}", at)
        parts = enumerate(array_from_json(value.get("value"), at))
        elements = [types[of].read(part, f"{at}[{index}]", depth, types) for index, part in parts]
        descriptors = array_from_json(value.get("descriptors", []), at)
        return Array(of, elements, tuple(typed_from_json(descriptor, at, depth, types) for descriptor in descriptors))

    def schema(self, types: WireTypes) -> Schema:
        more = {"type": {"const": self.name}, "descriptors": listed(ref("typed"))}
        of = [name for name, type_ in types.items() if type_.of_class is not Described]
        return {"anyOf": [object_of(more, of={"const": name}, value=listed(ref(name))) for name in of]}

    def write_typed(self, value: object, types: WireTypes) -> JsonObject:
        return self.write(value, types)

    def read_typed(self, members: JsonObject, at: str, depth: int, types: WireTypes) -> object:
        return self.read(members, at, depth, types) if "of" in members else super().read_typed(members, at, depth, types)

    def typed_schema(self) -> Schema:
        return ref(self.name) | {"required": ["type"]}


class DescribedType(CompoundType):
    """A described value of AMQP 1.0: `Described`."""

    __slots__ = ()

    def __init__(self, name: str, samples: SampleValues) -> None:
        super().__init__(name, "described", instance(Described, "a described value"), samples)
        self.of_class, self.members = Described, ("value", "descriptor")

    def write(self, value: Any, types: WireTypes) -> JsonObject:
        return {"descriptor": typed_to_json(value.descriptor, types), "value": typed_to_json(value.value, types)}

    def inside(self, value: object, at: str, depth: int, types: WireTypes) -> Described:
        if not isinstance(value, dict) or value.keys() != {"descriptor", "value"}:
            refuse_json("bad_json", 'a described value is {"descriptor": ..., "value": ...}', at)
        descriptor = typed_from_json(value["descriptor"], at, depth, types)
        return Described(descriptor, typed_from_json(value["value"], at, depth, types))

    def schema(self, _types: WireTypes) -> Schema:
        return object_of(type={"const": self.name}, descriptor=ref("typed"), value=ref("typed"))

    def write_typed(self, value: object, types: WireTypes) -> JsonObject:
        return self.write(value, types)

    def read_typed(self, members: JsonObject, at: str, depth: int, types: WireTypes) -> object:
        return self.read(members, at, depth, types)

    def typed_schema(self) -> Schema:
        return ref(self.name) | {"required": ["type"]}


class DecimalType(WireType):
    """A decimal of AMQP 0.9.1: `Decimal091`."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, "decimal", _decimal_fault, [("", Decimal091(1, 15))])

    def write(self, value: Any, _types: WireTypes) -> JsonObject:
        return {"scale": value.scale, "value": value.value}

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        if not isinstance(value, dict) or set(value) != {"scale", "value"}:
            refuse_json("bad_json", 'a decimal is {"scale": 2, "value": 150}', at)
        return self.held(Decimal091(integer_from_json(value["scale"], at), integer_from_json(value["value"], at)), at)

    def schema(self, _types: WireTypes) -> Schema:
        number = {"type": "integer", "minimum": -(2**31), "maximum": 2**31 - 1}
        return object_of(scale={"type": "integer", "minimum": 0, "maximum": 255}, value=number)


def _decimal_fault(value: object) -> str | None:
    if type(value) is not Decimal091:
        return "not a decimal"
    return None if 0 <= value.scale <= 255 and -(2**31) <= value.value < 2**31 else "out of range"


class ListOfType(WireType):
    """A list of values of one plain type, which fills a field: `list` of values of `element`."""

    __slots__ = ("element",)

    def __init__(self, name: str, element: WireType, words: str, samples: SampleValues) -> None:
        def fault(value: object) -> str | None:
            return None if type(value) is list and not any(map(element.fault, value)) else f"not {words}"

        super().__init__(name, "list", fault, samples)
        self.element = element

    def write(self, value: Any, types: WireTypes) -> list[object]:
        return [self.element.write(one, types) for one in value]

    def read(self, value: object, at: str, depth: int, types: WireTypes) -> list[object]:
        parts = enumerate(array_from_json(value, at))
        return [self.element.read(part, f"{at}[{index}]", depth, types) for index, part in parts]

    def schema(self, _types: WireTypes) -> Schema:
        return listed(ref(self.element.name))


class EntriesType(WireType):
    """A map or list that rows see entry by entry: `list` of Entry, of pairs, or of values alone.

    * `keys`: the type of the keys, None for values alone; `number_keys`: the type of keys that are numbers;
    * `values`: the common type of the values of pairs;
    * `without`: the types that values cannot have;
    * `once`: pairs with names that rows fill only once, as in a map.
    """

    __slots__ = ("keys", "number_keys", "once", "values", "without")

    def __init__(
        self,
        name: str,
        keys: WireType | None,
        values: WireType | None = None,
        *,
        number_keys: WireType | None = None,
        without: tuple[str, ...] = (),
        once: bool = False,
        samples: SampleValues = (("", []),),
    ) -> None:
        super().__init__(name, "list", instance(list, "a list"), samples)
        self.whole = True
        self.keys, self.values, self.number_keys, self.without, self.once = keys, values, number_keys, without, once

    def key_fault(self, key: object) -> str | None:
        """Return the reason why an entry cannot have this key, None for a valid key.

        >>> from mqconvert.converters.protocols.amqp10.types import ANNOTATIONS
        >>> ANNOTATIONS.key_fault("x-é"), ANNOTATIONS.key_fault(7)
        ('not ASCII', None)
        """
        if self.keys is None or (self.number_keys is not None and type(key) is int):
            return None
        return self.keys.fault(key)

    def write(self, value: Any, types: WireTypes) -> list[object]:
        if self.values is None:
            return [[self._key_to_json(entry.key, types), typed_to_json(entry, types)] for entry in value]
        if self.keys is None:
            return [self.values.write(one, types) for one in value]
        return [[self.keys.write(key, types), self.values.write(one, types)] for key, one in value]

    def _key_to_json(self, key: object, types: WireTypes) -> object:
        if type(key) is str:
            return byte_text_to_json(key)
        if self.number_keys is None:
            raise TypeError(f"a {type(key).__name__} is not a key")
        return {"type": self.number_keys.name, **self.number_keys.write_typed(key, types)}

    def read(self, value: object, at: str, depth: int, types: WireTypes) -> list[object]:
        if self.keys is None:
            assert self.values is not None
            each = self.values
            return [each.read(part, f"{at}[{index}]", depth, types) for index, part in enumerate(array_from_json(value, at))]
        if isinstance(value, dict):
            return [self._entry(key, one, at, path(at, key), depth, types) for key, one in value.items()]
        if not isinstance(value, list):
            refuse_json("bad_json", f'{json_kind(value)} where {{"key": value}} or [["key", value]] is due', at)
        for index, part in enumerate(value):
            if not isinstance(part, list) or len(part) != 2:
                refuse_json("bad_json", 'not a pair ["key", value]', f"{at}[{index}]")
        pairs = enumerate(value)
        return [self._entry(key, one, f"{at}[{index}][0]", f"{at}[{index}][1]", depth, types) for index, (key, one) in pairs]

    def _entry(self, key: object, value: object, at_key: str, at: str, depth: int, types: WireTypes) -> object:
        assert self.keys is not None
        if self.values is not None:
            return self.keys.read(key, at_key, 0, types), self.values.read(value, at, 0, types)
        if isinstance(key, dict) and "type" in key:
            typed = typed_from_json(key, at_key, 0, types)
            if typed.type not in (self.keys.name, self.number_keys and self.number_keys.name):
                refuse_json("wrong_type", f"a key of type {typed.type}", at_key)
            key = typed.value
        else:
            key = self.keys.read(key, at_key, 0, types)
        typed = typed_from_json(value, at, depth, types)
        return Entry(key, typed.type, typed.value)

    def schema(self, _types: WireTypes) -> Schema:
        values = ref("typed" if self.values is None else self.values.name)
        if self.keys is None:
            return listed(values)
        keys = ref(self.keys.name)
        if self.number_keys is not None:
            keys = {"anyOf": [keys, one_of(self.keys.name, self.number_keys.name)]}
        return listed(pair(keys, values)) | keyed(values)


class TableType(EntriesType):
    """A field table of AMQP 0.9.1, as a field or a value: `list` of Entry, keys `str`."""

    __slots__ = ()

    def __init__(self, name: str, keys: WireType, samples: SampleValues) -> None:
        super().__init__(name, keys, samples=samples)
        self.compound, self.converted_by = True, "entries"

    def read_typed(self, members: JsonObject, at: str, depth: int, types: WireTypes) -> object:
        not_deeper(depth + 1, at)
        return super().read_typed(members, at, depth + 1, types)

"""Sections as JSON and back: messages, their parts and other frames, dataclasses whose fields are made by `wire`."""

from dataclasses import fields
from functools import cache
from typing import Any, TypeVar

from mqconvert.converters.model.jsonform import Schema, array_from_json, listed, one_of, ref, wrong
from mqconvert.converters.model.wiretypes import Samples, WireType, WireTypes, instance, typed_from_json, typed_to_json

S = TypeVar("S")


@cache
def wire_fields(class_: Any) -> tuple[tuple[str, tuple[str, ...], WireType | None, type[Any] | None], ...]:
    """Of each field its name, the names of its wire types, its wire type where it has the object, the class of a section."""
    return tuple(
        (field.name, field.metadata["types"], next(iter(field.metadata["objects"]), None), field.metadata["of"])
        for field in fields(class_)
    )


def section_to_json(section: Any, types: WireTypes) -> dict[str, Any]:
    """The JSON form of a section by the wire types of its protocol, without the fields that are not set."""
    written: dict[str, Any] = {}
    for name, names, object_, of in wire_fields(section.__class__):
        value = getattr(section, name)
        if value is None:
            continue
        if of is not None:
            written[name] = section_to_json(value, types)
        elif object_ is not None:
            written[name] = object_.write(value, types)
        elif len(names) > 1:
            written[name] = typed_to_json(value, types)
        else:
            type_ = types[names[0]]
            if value or not type_.empty_is_unset:
                written[name] = type_.write(value, types)
    return written


def section_from_json(class_: type[S], value: Any, types: WireTypes, path: str = "") -> S:
    """What `section_to_json` wrote, read back; DecodeError names kind and field path, which begins with `path`."""
    if not isinstance(value, dict):
        wrong("bad_json", "not an object", path)
    fields_of: Any = class_
    known = {name: (names, object_, of) for name, names, object_, of in wire_fields(fields_of)}
    members = {}
    for name, member in value.items():
        at = f"{path}.{name}" if path else str(name)
        if name not in known:
            wrong("unknown_field", f"no field {name!r} here", at)
        names, object_, of = known[name]
        if of is not None:
            members[name] = section_from_json(of, member, types, at)
        else:
            members[name] = _field(names, object_, member, at, types)
    return class_(**members)


def _field(names: tuple[str, ...], object_: WireType | None, value: Any, at: str, types: WireTypes) -> Any:
    if value is None:
        wrong("bad_json", "leave an unset field out", at)
    if len(names) > 1 and object_ is None:
        typed = typed_from_json(value, at, 0, types)
        if typed.type not in names:
            wrong("wrong_type", f"not one of {', '.join(names)}", at)
        return typed
    return (object_ or types[names[0]]).read(value, at, 0, types)


def section_schema(class_: Any, types: WireTypes) -> Schema:
    """The JSON Schema of a section: an object with a member for each field, each of which may be left out."""
    members: dict[str, Schema] = {}
    for name, names, object_, of in wire_fields(class_):
        if of is not None:
            members[name] = section_schema(of, types)
        elif object_ is not None:
            members[name] = object_.schema(types)
        else:
            members[name] = ref(names[0]) if len(names) == 1 else one_of(*names)
    return {"type": "object", "properties": members, "additionalProperties": False}


class RecordsType(WireType):
    """A list of records, which are sections of one class: `list` of that class."""

    __slots__ = ()

    def __init__(self, name: str, of_class: type[Any], words: str, samples: Samples) -> None:
        record = instance(of_class, words)

        def fault(value: Any) -> str | None:
            return None if value.__class__ is list and not any(map(record, value)) else f"not {words}"

        super().__init__(name, "list", fault, samples)
        self.of_class = of_class

    def write(self, value: Any, types: WireTypes) -> list[Any]:
        return [section_to_json(record, types) for record in value]

    def read(self, value: Any, at: str, _depth: int, types: WireTypes) -> list[Any]:
        assert self.of_class is not None
        parts = enumerate(array_from_json(value, at))
        return [section_from_json(self.of_class, part, types, f"{at}[{index}]") for index, part in parts]

    def schema(self, types: WireTypes) -> Schema:
        return listed(section_schema(self.of_class, types))

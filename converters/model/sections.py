"""Sections as JSON and back: dataclasses with fields from `wire`, such as messages, their parts and other frames."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from functools import cache
from itertools import chain
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from mqconvert.converters.errors import EncodeError, Remedy, did_you_mean
from mqconvert.converters.model.jsonform import JsonObject, Schema, array_from_json, json_kind, listed, one_of, ref, refuse_json
from mqconvert.converters.model.wiretypes import SampleValues, WireType, WireTypes, instance, typed_from_json, typed_to_json

S = TypeVar("S")


class Field(NamedTuple):
    """A field from `wire`: the `plain` wire type of its values by name, or one of the others."""

    name: str
    plain: str | None
    shape: WireType | None
    """A wire type of fields alone, such as the entries of a map."""
    section: type | None
    names: tuple[str, ...]
    """Wire types by name; a TypedValue has one of them."""


@cache
def wire_fields(class_: Any) -> tuple[Field, ...]:
    """Return the fields of a message class, section or frame that have a wire type."""
    found = []
    for field in fields(class_):
        if not field.metadata:
            continue
        names, section = field.metadata["types"], field.metadata["of"]
        shape = next(iter(field.metadata["shapes"]), None)
        plain = names[0] if section is shape is None and len(names) == 1 else None
        found.append(Field(field.name, plain, shape, section, names))
    return tuple(found)


def section_to_json(section: Any, types: WireTypes) -> JsonObject:
    """Return the JSON form of a section by the wire types of its protocol, without unset fields."""
    written: JsonObject = {}
    for name, plain, shape, of, _ in wire_fields(section.__class__):
        value = getattr(section, name)
        if value is None:
            continue
        if plain is not None:
            type_ = types[plain]
            made = type_.write(value, types)
            if made or not type_.empty_is_unset:
                written[name] = made
        elif shape is not None:
            written[name] = shape.write(value, types)
        else:
            written[name] = typed_to_json(value, types) if of is None else section_to_json(value, types)
    return written


def refuse_field(section: Any, types: WireTypes, path: str = "") -> None:
    """Raise EncodeError `bad_value` for the first field whose value `section_to_json` cannot write."""
    for name, plain, _, of, names in wire_fields(section.__class__):
        value = getattr(section, name)
        if of is not None and isinstance(value, of):
            refuse_field(value, types, f"{path}{name}.")
            continue
        alone = dict.fromkeys(field.name for field in fields(section)) | {name: value}
        try:
            section_to_json(section.__class__(**alone), types)
        except (AttributeError, LookupError, TypeError, ValueError):
            words = None if plain is None else types[plain].fault(value)
            raise EncodeError("bad_value", words or f"not a value of {' or '.join(names)}", field=f"{path}{name}") from None


def check_fields(
    section: Any, types: WireTypes, check_pairs: Callable[[object, str], None] | None = None, path: str = ""
) -> None:
    """Raise EncodeError `bad_value` for the first field of a message, section or frame whose value its wire type cannot hold.

    `check_pairs(value, field)` does so for the value of a field that is a list of pairs, by the name of the field. Fields that
    are sections, or have no wire type, are not checked. `path` goes before the names of fields.
    """
    for field in fields(section):
        if not field.metadata:
            continue
        value, type_ = getattr(section, field.name), field.metadata["types"][0]
        if field.metadata["of"] is not None or (value is None and field.default is None):
            continue
        if type_ in types:
            types[type_].check(value, path + field.name)
        elif check_pairs is not None:
            check_pairs(value, path + field.name)


def refuse_frame(
    message: Any, frames: Mapping[str, Sequence[str]], types: WireTypes, also: Sequence[str] = (), path: str = ""
) -> None:
    """Raise EncodeError `bad_value` for an unknown `frame` of a message, or a set field that only other `frames` have.

    `also` are fields that this message may have in addition; `path` goes before the names of fields.
    """
    types["frame"].check(message.frame, path + "frame")
    own = (*frames[message.frame], *also)
    for name in chain.from_iterable(frames.values()):
        if name not in own and getattr(message, name) is not None:
            raise EncodeError("bad_value", f"the frame {message.frame} has no field for it", field=path + name)


def bad_address(address: object, fault: str, field: str, code: str = "bad_topic") -> EncodeError:
    """Return the error of an address with a fault, or that is not set.

    >>> str(bad_address("", "empty", "queue"))
    'no topic in queue; try the option address'
    """
    problem = fault if address else f"no {code.removeprefix('bad_')} in {field}"
    return EncodeError(code, problem, field=field, remedy=Remedy("address"), names_field=not address)


def as_frame(given: object, class_: type[S]) -> S:
    """Return a frame of that class. Raises EncodeError for any other object."""
    if not isinstance(given, class_):
        raise EncodeError("bad_frame", f"{type(given).__name__} is not a frame", field="frame")
    return given


_NOTHING: Mapping[str, object] = MappingProxyType({})


def section_from_json(
    class_: type[S], value: object, types: WireTypes, path: str = "", others: Mapping[str, object] = _NOTHING
) -> S:
    """Return the section of its JSON form; DecodeError has kind and field path, which begins with `path`.

    `others` are the values of fields without a wire type, and defaults of fields that are not there.
    """
    if not isinstance(value, dict):
        refuse_json("bad_json", f"{json_kind(value)} where an object is due", path)
    any_class: Any = class_
    known = {field.name: field for field in wire_fields(any_class)}
    members = {}
    for name, member in value.items():
        at = f"{path}.{name}" if path else str(name)
        if name not in known:
            refuse_json(
                "unknown_field",
                f"no field {name!r} here{_hint(str(name), known, [*{**known, **others}])}",
                at,
                names_field=not path,
            )
        if member is None:
            refuse_json("bad_json", "leave an unset field out", at)
        members[name] = _member(known[name], member, at, types)
    return class_(**{**others, **members})


def _hint(name: str, known: Mapping[str, Field], names: Sequence[str]) -> str:
    """Return where a field of this name is: in a section of these, or under a longer or similar name; else all `names`."""
    inner = (f"{at}.{name}" for at, field in known.items() if field.section and name in _names(field.section))
    longer = (at for at in names if at.startswith(f"{name}_"))
    found = next(inner, None) or next(longer, None)
    nearest = f" (did you mean {found!r}?)" if found else did_you_mean(name, names)
    return nearest or f"; known: {', '.join(names)}"


def _names(section: Any) -> list[str]:
    return [field.name for field in wire_fields(section)]


def _member(field: Field, value: object, at: str, types: WireTypes) -> object:
    if field.plain is not None:
        return types[field.plain].read(value, at, 0, types)
    if field.shape is not None:
        return field.shape.read(value, at, 0, types)
    if field.section is not None:
        return section_from_json(field.section, value, types, at)
    typed = typed_from_json(value, at, 0, types, field.names)
    if typed.type not in field.names:
        refuse_json("wrong_type", f"not one of {', '.join(field.names)}", at)
    return typed


def section_schema(class_: object, types: WireTypes) -> Schema:
    """Return the JSON Schema of a section: an object with an optional member for each field."""
    members: dict[str, Schema] = {}
    for name, plain, shape, section, names in wire_fields(class_):
        if plain is not None:
            members[name] = ref(plain)
        elif shape is not None:
            members[name] = shape.schema(types)
        else:
            members[name] = _typed_schema(names, types) if section is None else section_schema(section, types)
    return {"type": "object", "properties": members, "additionalProperties": False}


def _typed_schema(names: tuple[str, ...], types: WireTypes) -> Schema:
    """Return the schema of a typed value of one of these types, or of the plain JSON that stands for one."""
    kinds = [kind for name in names if (kind := types[name].shorthand) is not None]
    return {"anyOf": [*one_of(*names)["anyOf"], *({"type": kind} for kind, _ in kinds)]}


class RecordsType(WireType):
    """A list of records, which are sections of one class: `list` of that class."""

    __slots__ = ()

    def __init__(self, name: str, of_class: type, words: str, samples: SampleValues) -> None:
        record = instance(of_class, words)

        def fault(value: object) -> str | None:
            return None if value.__class__ is list and not any(map(record, value)) else f"not {words}"

        super().__init__(name, "list", fault, samples)
        self.of_class = of_class

    def write(self, value: Any, types: WireTypes) -> list[object]:
        return [section_to_json(record, types) for record in value]

    def read(self, value: object, at: str, _depth: int, types: WireTypes) -> list[object]:
        assert self.of_class is not None
        parts = enumerate(array_from_json(value, at))
        return [section_from_json(self.of_class, part, types, f"{at}[{index}]") for index, part in parts]

    def schema(self, types: WireTypes) -> Schema:
        return listed(section_schema(self.of_class, types))

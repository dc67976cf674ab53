"""The values of a message by field path, as reports write the paths, and their JSON forms."""

from __future__ import annotations

from binascii import b2a_base64
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any, Final

from mqconvert.converters.model.bodies import BODY_TYPES, AmqpValue, Data
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.places import ENTRIES, SECTION, WHOLE, places
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.model.wiretypes import WireType, typed_to_json
from mqconvert.converters.protocols import protocol_of

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message


NO_FORM: Final = object()
"""What `Values.untyped_json` returns for an invalid value."""


@mypyc_attr(allow_interpreted_subclasses=True)
class Values:
    """The values of one message. Duplicate keys have the same path, so a path has a list of values.

    >>> from mqconvert.messages import mqtt5
    >>> values = Values(mqtt5.Message(topic_name="t", payload=b"hi", user_properties=[("k", "a"), ("k", "b")]))
    >>> values.at("qos"), values.at('user_properties["k"]'), values.at('user_properties["x"]')
    ([0], ['a', 'b'], [])
    """

    def __init__(self, message: Message) -> None:
        self.message = message
        self._maps: dict[str, dict[str, list[object]]] = {}

    def at(self, field: str) -> list[object]:
        """Return every value at a path: of an entry a TypedValue, unless its map fixes the type."""
        place, bracket, key = field.partition("[")
        if bracket and place in self._maps and (known := self._maps[place].get(bracket + key)) is not None:
            return known
        value: object = self.message
        for name in place.split("."):
            value = getattr(value, name, None)
        return self._inside(place, value, bracket + key)

    def fields(self) -> dict[str, list[object]]:
        """Return the values of each field that is set: of each entry of maps, and of other fields.

        >>> from mqconvert.messages import mqtt5
        >>> Values(mqtt5.Message(topic_name="t", payload=b"hi", user_properties=[("k", "a"), ("k", "b")])).fields()
        {'qos': [0], 'topic_name': ['t'], 'user_properties["k"]': ['a', 'b'], 'payload': [b'hi']}
        """
        known, held = _numbered(self.message), self._held()
        found: dict[str, list[object]] = {}
        for at in known.in_order:
            name, value = known.paths[at], held[at]
            if known.sections[at] or value is None or value == known.unset[at]:
                continue
            if known.maps[at]:
                for key, values in self._entries(name, value).items():
                    found[name + key] = values
            elif value != []:
                found[name] = [value]
        return found

    def _held(self) -> list[Any]:
        """Return the value of every place by its number."""
        values: list[Any] = []
        for section, attributes, missing in _numbered(self.message).holders:
            holder = self.message if section is None else values[section]
            values += missing if holder is None else attributes(holder)
        return values

    def shape(self) -> tuple[list[Any], list[Any]]:
        """Return what is set, and the values of every place with the entries of all maps behind them.

        Messages of one shape have the same fields(), each at the same number. A shape has how many places are set, and their
        numbers; then, for each map, its number, how many entries it has, and their keys.

        >>> from mqconvert.messages import mqtt5
        >>> shape, values = Values(mqtt5.Message(topic_name="t", user_properties=[("k", "a")])).shape()
        >>> shape, values[:4], values[-1]
        ([3, 1, 3, 13, 10, 1, 'k'], [0, 0, 0, 't'], ('k', 'a'))
        """
        known, values = _numbered(self.message), self._held()
        sections, maps_, unset_values = known.sections, known.maps, known.unset
        shape: list[Any] = [0]
        maps: list[Any] = []
        entries: list[Any] = []
        for at in range(len(values)):
            value = values[at]
            if value is None:
                continue
            unset = unset_values[at]
            if sections[at] or (unset is not None and value == unset) or (isinstance(value, list) and not value):
                continue
            if not maps_[at]:
                shape.append(at)
            elif isinstance(value, list):
                maps.append(at)
                maps.append(len(value))
                maps += _keys(value)
                entries += value
        shape[0] = len(shape) - 1
        return shape + maps, values + entries

    def count(self) -> int:
        """Return the number of values in fields().

        >>> from mqconvert.messages import mqtt5
        >>> Values(mqtt5.Message(topic_name="t", payload=b"hi", user_properties=[("k", "a"), ("k", "b")])).count()
        5
        """
        shape, values = self.shape()
        return int(shape[0]) + len(values) - len(_numbered(self.message).paths)

    def numbers(self) -> dict[str, list[int]]:
        """Return the number of each value of shape() by path, entries after places; equal keys have the same path."""
        known = _numbered(self.message)
        found = {name: [number] for number, name in enumerate(known.paths)}
        number = len(known.paths)
        for name, is_map in zip(known.paths, known.maps, strict=True):
            value = self.at(name)[0]
            for key in _keys(value) if is_map and isinstance(value, list) else ():
                found.setdefault(name + _bracket(key), []).append(number)
                number += 1
        return found

    def _inside(self, where: str, value: object, keys: str) -> list[object]:
        """Return every value at `keys`, such as `["k"][0]`, inside the value at `where`; keys may have brackets and quotes."""
        if not keys:
            return [value]
        entries = self._entries(where, value)
        if keys in entries:
            return entries[keys]
        found: list[object] = []
        end = keys.find("][") + 1
        while end and not found:
            for at, inner in enumerate(entries.get(keys[:end], ())):
                found += self._inside(f"{where}{keys[:end]}{at}", inner, keys[end:])
            end = keys.find("][", end) + 1
        return found

    def _entries(self, where: str, value: object) -> dict[str, list[object]]:
        """Return the values in a map, table, list or array by key, as field paths write it."""
        if where not in self._maps:
            self._maps[where] = _by_key(value)
        return self._maps[where]

    def plain_json(self, value: object) -> object:
        """Return the JSON form of a value of an entry: with its type, unless the map fixes it; None for other values."""
        if isinstance(value, TypedValue):
            return typed_to_json(value, protocol_of(self.message).types)
        if isinstance(value, bytes):
            return b2a_base64(value, newline=False).decode()
        return value if isinstance(value, bool | int | str) else None

    def untyped_json(self, field: str, value: object) -> object:
        """Return the JSON form of a value at a path, without names of types; NO_FORM for an invalid value.

        >>> from mqconvert.messages import amqp10, mqtt5
        >>> Values(mqtt5.Message()).untyped_json("payload", b"hi")
        'aGk='
        >>> Values(amqp10.Message()).untyped_json("body", amqp10.AmqpValue(TypedValue("list", [TypedValue("int", 1)])))
        [1]
        """
        known = _numbered(self.message)
        try:
            if isinstance(value, TypedValue):
                return _untyped(known.types[value.type].write_typed(value.value, known.types))
            body = BODY_TYPES.get(type(value))
            type_ = known.fixed[field.partition("[")[0]] if body is None else known.named[body]
            return _untyped(type_.write_typed(value, known.types))
        except (AttributeError, LookupError, RecursionError, TypeError, ValueError):
            return NO_FORM


def _keys(entries: list[Any]) -> list[Any]:
    """Return the keys of a map or a list of pairs, and the indices of another list."""
    keys: list[Any] = []
    for at, entry in enumerate(entries):
        if isinstance(entry, Entry):
            keys.append(entry.key)
        else:
            keys.append(entry[0] if type(entry) is tuple else at)
    return keys


def bare(value: Any) -> Any:
    """Return a value of `Values.shape` as `Values.fields` gives it: that of an entry, with its type."""
    if isinstance(value, Entry):
        return TypedValue(value.type, value.value)
    return value[1] if type(value) is tuple else value


Holder = tuple[int | None, Callable[[Any], tuple[Any, ...]], list[None]]
"""The number of a section, or None for the message, what reads its attributes, and None for each of them."""


class _Numbered:
    """The places of a protocol by number, those of its message before those of its sections.

    Of each, the path, whether it is a section or a map, what counts as unset, and the wire type of its values, if it is fixed.
    `in_order` has the numbers in the order of the specification, each section before its fields.
    """

    __slots__ = ("fixed", "holders", "in_order", "maps", "named", "paths", "sections", "types", "unset")

    def __init__(self, protocol: Protocol) -> None:
        self.types, self.named = protocol.types, protocol.named
        self.fixed: dict[str, WireType] = {}
        in_order = [place for place in places(protocol).values() if place.kind != WHOLE]
        known = sorted(in_order, key=lambda place: place.section is not None)
        self.paths = [place.path for place in known]
        self.sections = [place.kind == SECTION for place in known]
        self.maps = [place.kind == ENTRIES for place in known]
        self.unset = [place.unset for place in known]
        numbers: dict[str | None, int] = {path: number for number, path in enumerate(self.paths)}
        self.in_order = [numbers[place.path] for place in in_order]
        held: dict[str | None, list[str]] = {}
        for place in known:
            held.setdefault(place.section, []).append(place.attribute)
            if place.values is not None:
                self.fixed[place.path] = place.values
            elif place.types[0] in protocol.named:
                self.fixed[place.path] = protocol.named[place.types[0]]
        self.holders: list[Holder] = [
            (numbers.get(section), _reader(names), [None] * len(names)) for section, names in held.items()
        ]


_NUMBERED: dict[type, _Numbered] = {}


def _numbered(message: Message) -> _Numbered:
    """Return the places of a message's protocol."""
    found = _NUMBERED.get(type(message))
    if found is None:
        found = _NUMBERED[type(message)] = _Numbered(protocol_of(message))
    return found


def _reader(attributes: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(attributes) > 1:
        return attrgetter(*attributes)
    return lambda holder: (getattr(holder, attributes[0]),)


def content(value: object) -> object:
    """Return what a field contains: the value inside a TypedValue, or in a body of one section that has one value.

    >>> content(TypedValue("int", 5)), content(Data([b"a"])), content(Data([b"a", b"b"]))
    (5, b'a', Data(sections=[b'a', b'b']))
    """
    if isinstance(value, AmqpValue):
        value = value.value
    if isinstance(value, TypedValue):
        return value.value
    return value.sections[0] if isinstance(value, Data) and len(value.sections) == 1 else value


def _untyped(form: object) -> object:
    """Return a JSON form without the names of types in it."""
    if isinstance(form, list):
        return [_untyped(part) for part in form]
    if not isinstance(form, dict):
        return form
    members: JsonObject = {name: _untyped(part) for name, part in form.items() if name not in ("type", "of")}
    return members["value"] if len(members) == 1 and "value" in members else members


def _by_key(value: Any) -> dict[str, list[object]]:
    if isinstance(value, TypedValue):
        value = value.value
    if isinstance(value, Array):
        value = value.values
    found: dict[str, list[object]] = {}
    if isinstance(value, list):
        for key, entry in zip(_keys(value), value, strict=True):
            found.setdefault(_bracket(key), []).append(bare(entry))
    return found


def _bracket(key: Any) -> str:
    """Return a key as the paths of fields write it."""
    plain = key.value if isinstance(key, TypedValue) else key
    return path("", plain if type(plain) is int else str(plain))

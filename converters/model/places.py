"""Places: the parts of messages that rule tables may name, from the message classes.

`properties.to` is a field, `application_properties[k]` an entry, `properties` a section, `@address` a value of the caller's
Environment.
"""

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

from mqconvert.converters.model.bodies import BodyType
from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.plain import PAYLOAD
from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.wiretypes import WireType

SCALAR, TYPED, ENTRIES, BODY, SECTION, WHOLE = "scalar", "typed", "entries", "body", "section", "whole"


@dataclass(frozen=True, slots=True)
class Place:
    """One place: its `path`, its wire `types`, its kind, the value that means unset and the default.

    `entries` is the wire type of a map or list that rows see entry by entry. A section without `default` may be missing.
    A field of a section is None until a row fills it; `fallback` is its value if rows fill only other fields.
    """

    path: str
    types: tuple[str, ...]
    kind: str
    unset: object = dataclasses.field(default=None, hash=False)  # perhaps an empty list
    default: object = None
    section: str | None = None
    message_class: type | None = None
    fallback: object = None
    entries: EntriesType | None = None

    @property
    def name(self) -> str:
        return self.path.replace(".", "_")

    @property
    def attribute(self) -> str:
        """Return the name of its attribute, in the message, the section or the Environment that has it."""
        return self.path.rpartition(".")[2].removeprefix("@")

    @property
    def keys(self) -> WireType | None:
        """Return the wire type of the keys of a map or list of pairs."""
        return None if self.entries is None else self.entries.keys

    @property
    def values(self) -> WireType | None:
        """Return the common wire type of the values of pairs."""
        return None if self.entries is None else self.entries.values

    @property
    def repeats(self) -> bool:
        """Return whether this is a list of pairs that may repeat a name."""
        return self.entries is not None and self.entries.values is not None and not self.entries.once

    @property
    def number_keys(self) -> bool:
        """Return whether keys may be numbers: the keys of a list are its indices."""
        return self.entries is not None and (self.entries.keys is None or self.entries.number_keys is not None)

    @property
    def empty_is_unset(self) -> bool:
        """Return whether an empty value means the same as None, as a repeated field of protobuf without elements.

        >>> from mqconvert.converters.protocols import PROTOCOLS
        >>> known = places(PROTOCOLS["pulsar"])
        >>> known["replicate_to"].empty_is_unset, known["schema_id"].empty_is_unset, known["topic"].empty_is_unset
        (True, False, False)
        """
        return self.unset is not None and not self.unset and self.default is self.fallback is None

    @property
    def payload(self) -> bool:
        """Return whether this is the body of a message, which is never unset."""
        return self.types == (PAYLOAD.name,)

    @property
    def not_held(self) -> tuple[str, ...]:
        """Return the wire types that entries cannot have."""
        return () if self.entries is None else self.entries.without


@cache  # the checks of one table call this thousands of times
def places(protocol: Protocol) -> dict[str, Place]:
    """Return every place of a protocol's messages by path, in the order of the class. Do not change the shared result.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> places(PROTOCOLS["amqp-0.9.1"])["basic.expiration"].types
    ('shortstr',)
    """
    found = {"@sections": Place("@sections", ("sections",), WHOLE)}
    for field in dataclasses.fields(protocol.message):
        inner = field.metadata["of"]
        if inner is None:
            found[field.name] = _place(field.name, field, None)
            continue
        found[field.name] = Place(field.name, ("section",), SECTION, default=field.default, message_class=inner)
        for part in dataclasses.fields(inner):
            path = f"{field.name}.{part.name}"
            found[path] = _place(path, part, field.name)
    return found


def _place(path: str, field: Any, section: str | None) -> Place:
    types, shape = field.metadata["types"], next(iter(field.metadata["shapes"]), None)
    entries = shape if isinstance(shape, EntriesType) else None
    if entries is not None:
        kind = ENTRIES
    elif isinstance(shape, BodyType):
        kind = BODY
    else:
        kind = TYPED if len(types) > 1 else SCALAR
    default, fallback = (field.default, None) if section is None else (None, field.default)
    return Place(path, types, kind, field.metadata["unset"], default, section, fallback=fallback, entries=entries)


def types_at(protocol: Protocol, place: Place) -> tuple[str, ...]:
    """Return the names of the wire types of a place; for a map or list, those of its values."""
    if place.values is not None:
        return (place.values.name,)
    return place.types if place.kind != ENTRIES else _types_in_entries(protocol)


@cache
def _types_in_entries(protocol: Protocol) -> tuple[str, ...]:
    return tuple(name for name, type_ in protocol.types.items() if type_.in_entries)

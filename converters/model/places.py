"""Places: what a rule table may name in a message, read from the message classes.

`properties.to` is a field, `application_properties[k]` an entry, `properties` a section, `@address` a value of the caller's
Environment. Nothing here knows a protocol; the classes say it all.
"""

import dataclasses
from dataclasses import dataclass
from functools import cache
from typing import Any

from mqconvert.converters.model.protocol import Protocol
from mqconvert.converters.model.values import AMQP10_COMPOUND

SCALAR, TYPED, ENTRIES, BODY, SECTION, WHOLE = "scalar", "typed", "entries", "body", "section", "whole"

ENTRY_KEYS = {"annotations": "symbol", "application-properties": "string", "table": "shortstr", "utf8-pairs": "utf8"}
"""Wire types that are maps or lists of pairs, with the wire type of their keys."""

PLAIN_ENTRIES = {"utf8-pairs": "utf8", "varints": "varint"}
"""Those of entries that are values of one type, without a type each."""


@dataclass(frozen=True, slots=True)
class Place:
    """One place: where it is (`path`), what it may hold (`types`), of what kind, the value that means unset and the default.

    A field of a section is None until a row fills it; `fallback` is what it then holds where the others are filled.
    """

    path: str
    types: tuple[str, ...]
    kind: str
    unset: Any = None
    default: Any = None
    section: str | None = None
    message_class: type[Any] | None = None
    fallback: Any = None

    @property
    def name(self) -> str:
        return self.path.replace(".", "_")

    @property
    def not_held(self) -> tuple[str, ...]:
        """Wire types that no entry has: application properties are of simple types (AMQP 1.0 part 3 section 3.2.5)."""
        return AMQP10_COMPOUND if self.types[0] == "application-properties" else ()


@cache  # the checks of a table ask thousands of times
def places(protocol: Protocol) -> dict[str, Place]:
    """Every place of a protocol's messages, by path, in the order of the class; shared, and not to be changed.

    >>> from mqconvert.converters.protocols import PROTOCOLS
    >>> places(PROTOCOLS["amqp-0.9.1"])["basic.expiration"].types
    ('shortstr',)
    """
    found = {"@sections": Place("@sections", ("sections",), WHOLE)}
    for field in dataclasses.fields(protocol.message):
        inner = field.metadata["of"]
        if inner is None or field.metadata["types"] == ("records",):
            found[field.name] = _place(field.name, field, None)
            continue
        found[field.name] = Place(field.name, ("section",), SECTION, message_class=inner)
        for part in dataclasses.fields(inner):
            path = f"{field.name}.{part.name}"
            found[path] = _place(path, part, field.name)
    return found


def _place(path: str, field: Any, section: str | None) -> Place:
    types = field.metadata["types"]
    if types[0] in ENTRY_KEYS or types == ("varints",):
        kind = ENTRIES
    elif types[0] == "data":
        kind = BODY
    else:
        kind = TYPED if len(types) > 1 else SCALAR
    default, fallback = (field.default, None) if section is None else (None, field.default)
    return Place(path, types, kind, field.metadata["unset"], default, section, fallback=fallback)

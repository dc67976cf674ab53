"""The wire types of a message class's fields: `wire` sets them, `dataclasses.fields` reads them."""

from collections.abc import Callable
from dataclasses import field
from typing import Any

from mqconvert.converters.model.wiretypes import WireType


def wire(
    *types: str | WireType,
    of: type | None = None,
    default: object = None,
    default_factory: Callable[[], object] | None = None,
    unset: object = None,
) -> Any:
    """Return a dataclass field that holds one of the wire types `types`; `of` is the class of a section.

    A type of values is given by name. A type of fields alone, such as the entries of a map, is given as an object.
    `unset` is the value of an unset field.

    >>> from dataclasses import dataclass, fields
    >>> @dataclass
    ... class Example:
    ...     ttl: int | None = wire("uint")
    >>> fields(Example)[0].metadata["types"]
    ('uint',)
    """
    names = tuple(type_ if isinstance(type_, str) else type_.name for type_ in types)
    shapes = tuple(type_ for type_ in types if isinstance(type_, WireType))
    metadata = {"types": names, "shapes": shapes, "of": of, "unset": unset}
    if default_factory is not None:
        return field(default_factory=default_factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def names(class_: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in their order.

    >>> from mqconvert.converters.model.values import Entry
    >>> names(Entry)
    ('key', 'type', 'value')
    """
    return tuple(class_.__dataclass_fields__)


def empty(class_: Any) -> Any:
    """Return a section with every field unset, despite its defaults.

    >>> from mqconvert.converters.protocols.amqp10.message import Header
    >>> empty(Header).durable is None
    True
    """
    return class_(*(None for _ in names(class_)))

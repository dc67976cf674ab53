"""The wire types of a message class's fields: `wire` sets them, `dataclasses.fields` reads them."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, Field, field, fields
from functools import cache
from operator import attrgetter
from typing import Any

from mqconvert.converters.model.wiretypes import WireType


def wire(
    *types: str | WireType,
    of: type | None = None,
    default: object = None,
    default_factory: Callable[[], object] | None = None,
    unset: object = None,
    frame: str = "",
    tag: object = None,
) -> Any:
    """Return a dataclass field that holds one of the wire types `types`; `of` is the class of a section.

    A type of values is given by name. A type of fields alone, such as the entries of a map, is given as an object.
    `unset` is the value of an unset field; where the default is None, an empty value that is the same as None in bytes.
    `frame` is the only one of several frames that has the field (`frames`). `tag` is the number or the names of the field in
    bytes, where the protocol has them.

    >>> from dataclasses import dataclass, fields
    >>> @dataclass
    ... class Example:
    ...     ttl: int | None = wire("uint")
    >>> fields(Example)[0].metadata["types"]
    ('uint',)
    """
    names = tuple(type_ if isinstance(type_, str) else type_.name for type_ in types)
    shapes = tuple(type_ for type_ in types if isinstance(type_, WireType))
    metadata = {"types": names, "shapes": shapes, "of": of, "unset": unset, "frame": frame, "tag": tag}
    if default_factory is not None:
        return field(default_factory=default_factory, metadata=metadata)
    return field(default=default, metadata=metadata)


def tags(class_: Any) -> dict[str, Any]:
    """Return the tags of the fields that have one.

    >>> from mqconvert.converters.protocols.mqtt5.message import Message
    >>> tags(Message)["content_type"]
    3
    """
    return {each.name: each.metadata["tag"] for each in fields(class_) if each.metadata["tag"] is not None}


def names(class_: Any) -> tuple[str, ...]:
    """Return the names of a dataclass's fields, in their order.

    >>> from mqconvert.converters.model.values import Entry
    >>> names(Entry)
    ('key', 'type', 'value')
    """
    return tuple(class_.__dataclass_fields__)


def frames(class_: Any, given: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the paths of the fields that each of these frames of a message alone has.

    >>> from mqconvert.converters.protocols.phpmq.message import Message
    >>> frames(Message, ["send", "dispatch"])
    {'send': (), 'dispatch': ('message_id',)}
    """
    return {frame: tuple(_of_frame(class_, frame, "")) for frame in given}


def _of_frame(class_: Any, frame: str, path: str) -> Iterator[str]:
    for each in fields(class_):
        if each.metadata["frame"] == frame:
            yield f"{path}{each.name}"
        if each.metadata["of"] is not None:
            yield from _of_frame(each.metadata["of"], frame, f"{path}{each.name}.")


@cache
def reader(class_: Any) -> Callable[[Any], tuple[Any, ...]]:
    """Return a function that returns the values of a dataclass's fields, in their order; of two fields or more.

    >>> from mqconvert.converters.model.values import TypedValue
    >>> reader(TypedValue)(TypedValue("int", 1))
    ('int', 1)
    """
    return attrgetter(*names(class_))


def empty(class_: Any) -> Any:
    """Return a section with every field unset, despite its defaults.

    >>> from mqconvert.converters.protocols.amqp10.message import Header
    >>> empty(Header).durable is None
    True
    """
    return class_(*(None for _ in names(class_)))


def shown(value: Any) -> str:
    """Return the text of a message or section as Python that makes it: the fields that differ from their defaults.

    The class stands with the name of its protocol in `mqconvert.messages`.

    >>> from mqconvert.messages import mqtt5
    >>> mqtt5.Message(topic_name="t", payload=b"hi")
    mqtt5.Message(topic_name='t', payload=b'hi')
    """
    class_ = type(value)
    held = [(each, getattr(value, each.name)) for each in fields(class_)]
    parts = (f"{each.name}={one!r}" for each, one in held if not _is_default(each, one))
    protocol = class_.__module__.removesuffix(".message").rpartition(".")[2]
    return f"{protocol}.{class_.__name__}({', '.join(parts)})"


def _is_default(of: "Field[Any]", value: object) -> bool:
    default = of.default if of.default_factory is MISSING else of.default_factory()
    return type(value) is type(default) and value == default

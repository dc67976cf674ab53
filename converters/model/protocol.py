"""What the other rooms know of a protocol: one object, which the registry in `protocols/` holds."""

import dataclasses
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from mqconvert.converters.model.values import WireType

_COMPOSED = {"section", "annotations", "application-properties", "utf8-pairs", "varints", "data", "amqp-sequence", "amqp-value"}
"""What fields hold besides values of a protocol's wire types: sections, maps, lists and bodies."""


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """A protocol: its name everywhere, its title for people, its message class, its wire types, and the modules of its codec
    and of the words that its tables use.

    >>> from mqconvert import PROTOCOLS
    >>> PROTOCOLS["mqtt-5.0"].title, PROTOCOLS["mqtt-5.0"].message(topic_name="t").qos
    ('MQTT 5.0', 0)
    """

    name: str
    title: str
    message: type[Any]
    types: dict[str, WireType]
    codec: str
    words: str | None = None

    def __post_init__(self) -> None:
        """LookupError for a field of a wire type that the protocol does not have."""
        for class_ in (
            self.message,
            *(field.metadata["of"] for field in dataclasses.fields(self.message) if field.metadata["of"]),
        ):
            for field in dataclasses.fields(class_):
                unknown = set(field.metadata["types"]) - self.types.keys() - _COMPOSED
                if unknown:
                    raise LookupError(f"{self.name}: {class_.__name__}.{field.name} has unknown wire type {min(unknown)!r}")

    def codec_module(self) -> Any:
        """The codec, imported on first use: some codecs need packages of an extra."""
        return _imported(self.codec)


@cache
def _imported(module: str) -> Any:
    return import_module(module)

"""The description of a protocol for all other parts: one object in the registry in `protocols/`."""

import dataclasses
import typing
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any, ClassVar

from mqconvert.converters.errors import DecodeError, MqConvertError, NoRouteError
from mqconvert.converters.model.paths import Spans
from mqconvert.converters.model.sections import RecordsType
from mqconvert.converters.model.wiretypes import WireType


class OtherMessage(typing.Protocol):
    """Message of a plugin's protocol, for type checkers: a dataclass like ours."""

    __dataclass_fields__: ClassVar[dict[str, Any]]


class Codec(typing.Protocol):
    """The functions that every codec module has.

    Options are keyword arguments with a default of the option's type. Callers read them from the signature;
    `**options` stand for those of `decode_frames`. Messages are `Any`, since each codec has its own class.
    A codec may also have:

    * `decode_each(data, **options)`: the messages of `decode_all` one by one, where `data` may hold many. It may yield the
      DecodeError of an invalid member before valid ones, and None for a frame without a message, and raises an error that
      ends the data; `decode_all` is then `listed(decode_each)`;
    * `encode_batch(messages, **options)`: one frame of several messages;
    * `decode_frames`, `decode_each_frame`, `encode_frame`, `frame_to_json`, `frame_from_json`: frames other than messages.
    """

    def decode(self, data: bytes, **options: Any) -> Any:
        """Return the one message in `data`; DecodeError with kind and offset otherwise."""

    def decode_all(self, data: bytes, **options: Any) -> list[Any]:
        """Return every message in `data`, at least one; DecodeError otherwise."""

    def encode(self, message: Any, **options: Any) -> bytes:
        """Return the wire form of a message; EncodeError names the field that cannot be written."""


def not_alone() -> DecodeError:
    """Return the error for the bytes of places where other frames stand beside the message."""
    return DecodeError("no_spans", "other frames beside the message: give its own bytes", offset=0)


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Trial values for words of tables, forecasts and tests, in addition to those of the wire types.

    * `places`: the ordinary value of a place, by path, if its wire type is wider: a host in text, a flag in a number;
    * `company`: fields without a separate meaning, by the beginning of their paths, and the fields beside them in every
      message: those of a batch's member with its place in the batch.
    """

    places: Mapping[str, object] = dataclasses.field(default_factory=dict)
    company: Mapping[str, Mapping[str, object]] = dataclasses.field(default_factory=dict)


@dataclass(frozen=True, slots=True, eq=False)
class Protocol:
    """The description of a protocol.

    * `name`: its name everywhere, such as `mqtt-5.0`; `title`: its name for people;
    * `message`: the class of its messages, whose fields are made by `wire`; `types`: its wire types by name;
    * `codec`: the module that reads and writes its bytes (see Codec), `words`: the module with the conditions and transforms
      that its tables alone use, or None; each is imported when it is first needed;
    * `tables`: the package whose TOML files are its tables (mappings/README.md); None where they come with mqconvert;
    * `frames`: where it has several frames for one message, the values of `Environment.frame` with the fields that only
      such a frame has (every frame has all other fields); the first one is the default;
    * `spans`: the module whose function `spans(data, message)` returns the bytes of each place of the one message in `data`,
      after it was decoded without options, or None;
    * `ends`: the module with its brokers as ends of `mqconvert move` (converters/clients/ends), or None;
    * `reads_all_of`: protocols whose messages its codec reads, too, though they mean something else: where bytes are of unknown
      protocol, these are likelier;
    * `option_values`: the values of its codec's options that are text, by the name of the option;
    * `description`: what a message is, for its JSON Schema;
    * `samples`: see Samples.

    >>> from mqconvert import PROTOCOLS
    >>> PROTOCOLS["mqtt-5.0"].title, PROTOCOLS["mqtt-5.0"].message(topic_name="t").qos
    ('MQTT 5.0', 0)
    """

    name: str
    title: str
    message: type[Any]
    types: Mapping[str, WireType]
    codec: str
    words: str | None = None
    tables: str | None = None
    frames: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    spans: str | None = None
    ends: str | None = None
    reads_all_of: tuple[str, ...] = ()
    description: str = ""
    samples: Samples = Samples()
    option_values: Mapping[str, tuple[str, ...]] = dataclasses.field(default_factory=dict)
    named: Mapping[str, WireType] = dataclasses.field(init=False)
    """Every wire type that a row may name: types of values, and types of fields."""

    def __post_init__(self) -> None:
        """Raise LookupError for a field with a wire type that the protocol lacks."""
        named = dict(self.types)
        records = [type_.of_class for type_ in self.types.values() if isinstance(type_, RecordsType)]
        classes: list[Any] = [self.message, *records]
        for class_ in classes:
            for field in dataclasses.fields(class_):
                if field.metadata["of"] is not None:
                    classes.append(field.metadata["of"])
                    continue
                named |= {type_.name: type_ for type_ in field.metadata["shapes"]}
                unknown = set(field.metadata["types"]) - named.keys()
                if unknown:
                    raise LookupError(f"{self.name}: {class_.__name__}.{field.name} has unknown wire type {min(unknown)!r}")
        object.__setattr__(self, "named", named)

    def frames_with(self, path: str) -> tuple[str, ...]:
        """Return the frames that have a field, where not all have it; else an empty tuple.

        >>> from mqconvert import PROTOCOLS
        >>> PROTOCOLS["nsq"].frames_with("attempts"), PROTOCOLS["nsq"].frames_with("body")
        (('message',), ())
        """
        return tuple(frame for frame, own in self.frames.items() if path in own)

    def codec_module(self) -> Codec:
        """Return the codec, imported on first use: some codecs need packages of an extra.

        Raises NoRouteError `unknown_protocol` for a module that cannot be imported or lacks a function.
        """
        return _codec(self.name, self.codec)

    def spans_of(self, data: bytes, message: Any) -> Spans:
        """Return the bytes of each place of a message that was decoded from `data`; DecodeError `no_spans` without a module."""
        if self.spans is None:
            raise DecodeError("no_spans", f"the codec of {self.title} does not tell where fields are")
        module: Any = _imported(self.name, self.spans)
        found: Spans = module.spans(data, message)
        return found

    def ends_module(self) -> Any:
        """Return the module with the ends, imported on first use, or None; ClientLibraryError where its library is missing."""
        return None if self.ends is None else _imported(self.name, self.ends)

    def learn_words(self) -> None:
        """Import the module with the words, which adds them to the vocabulary. Raises NoRouteError `unknown_protocol`."""
        if self.words is not None:
            _imported(self.name, self.words)


@cache
def _codec(protocol: str, module: str) -> Codec:
    found: Any = _imported(protocol, module)
    missing = next((name for name in ("decode", "decode_all", "encode") if not callable(getattr(found, name, None))), None)
    if missing is not None:
        raise NoRouteError(f"protocol {protocol!r}: module {module} has no function {missing!r}", code="unknown_protocol")
    codec: Codec = found
    return codec


@cache
def _imported(protocol: str, module: str) -> object:
    """Return a module of a protocol; the import of another package's may raise anything."""
    try:
        return import_module(module)
    except MqConvertError:
        raise
    except Exception as error:
        words = f"protocol {protocol!r}: module {module}: {type(error).__name__}: {error}"
        raise NoRouteError(words, code="unknown_protocol") from error

"""Check options, and call codecs by the name of a protocol or the class of a message.

Frames are all units of a protocol on the wire, with or without messages. Some codecs support them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final, Generic

from mqconvert.converters.errors import (
    ArgumentError,
    DecodeError,
    EncodeError,
    MessageError,
    MqConvertError,
    NoRouteError,
    of_protocol,
)
from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.paths import Spans
from mqconvert.converters.model.sections import refuse_field
from mqconvert.converters.protocols import M_co, full_name, protocol_named, protocol_of, protocol_of_class
from mqconvert.converters.protocols.options import NOTHING, check

if TYPE_CHECKING:
    from mqconvert.converters.protocols import Message

BytesLike = bytes | bytearray | memoryview
"""The types that hold wire bytes."""

Frame = Any
"""A frame of any protocol. Type checkers know the classes of each protocol by its name (docs/stub.py)."""

Each = Callable[..., "Iterable[Message | DecodeError | None]"]
"""The function `decode_each` of a codec; see Codec."""


class _Decoders:
    """The functions of a codec that decode messages."""

    __slots__ = ("all", "each", "name", "one")

    def __init__(self, name: str, codec: Any) -> None:
        self.name = name
        self.one: Callable[..., Message] = codec.decode
        self.all: Callable[..., list[Message]] = codec.decode_all
        self.each: Each = getattr(codec, "decode_each", codec.decode_all)


_DECODERS: Final[dict[str, _Decoders]] = {}
_ENCODERS: Final[dict[type, Callable[..., bytes]]] = {}
"""The codecs' functions that were used before, for speed."""


def as_bytes(data: Any) -> bytes:
    """Return wire bytes as bytes. Raises ArgumentError for objects without them."""
    try:
        return bytes(memoryview(data))
    except TypeError:
        raise ArgumentError("data", "bytes, bytearray or memoryview", type(data)) from None


def _decoders(protocol: str) -> _Decoders:
    known = protocol_named(protocol)
    found = _DECODERS[protocol] = _Decoders(known.name, known.codec_module())
    return found


def _encoder(message_class: type) -> Callable[..., bytes]:
    encoder: Callable[..., bytes] = protocol_of_class(message_class).codec_module().encode
    _ENCODERS[message_class] = encoder
    return encoder


def _read(read: Callable[..., Any], decoders: _Decoders, data: BytesLike, options: Mapping[str, Any]) -> Any:
    """Return what a codec's function reads from `data`; its DecodeError gets the protocol."""
    raw = data if type(data) is bytes else as_bytes(data)  # codecs keep slices of the input
    try:
        if not options:
            return read(raw)
        check(decoders.all, options)
        return read(raw, **options)
    except DecodeError as error:
        error.protocol = decoders.name
        error.untried(options)
        raise


class Located(Generic[M_co]):
    """A message, and the bytes of each of its places: `decode(..., spans=True)`.

    `spans` has the offsets of a place's first byte and of the one behind its last, by its path as reports write it. A field has
    its size, tag or code with it. Equal keys are numbered from the second one on (`headers["k"]#2`). What is not in `data`
    itself, such as a field of a compressed batch, is not in `spans`.

    >>> located = decode("mqtt-5.0", bytes.fromhex("3006000174006869"), spans=True)
    >>> located.message.payload, located.spans["topic_name"]
    (b'hi', (2, 5))
    """

    __slots__ = ("message", "spans")

    def __init__(self, message: M_co, spans: Spans) -> None:
        self.message = message
        self.spans = spans

    def __repr__(self) -> str:
        return f"Located({self.message!r}, {self.spans!r})"


def decode(protocol: str, data: BytesLike, *, spans: bool = False, **options: str | int | bool) -> Message:
    """Return the one message in `data`. Raises DecodeError for other input, NoRouteError for an unknown protocol.

    `options` are those of the codec's `decode_all`, such as its limits; DecodeError `bad_option` lists the valid ones. With
    `spans` and no options but limits, it returns a Located; DecodeError `no_spans` where other frames stand beside the message.

    >>> decode("mqtt-5.0", bytes.fromhex("3006000174006869")).payload
    b'hi'
    >>> decode("mqtt-5.0", bytes.fromhex("3006000174006869"), spans=True).spans["payload"]
    (6, 8)
    """
    if spans:
        located: Any = _located(protocol, data, options)
        return located  # type: ignore[no-any-return]  # the stub has both results
    decoders = (_DECODERS.get(protocol) if type(protocol) is str else None) or _decoders(protocol)
    message: Message = _read(decoders.one, decoders, data, options)
    return message


def _located(protocol: str, data: BytesLike, options: Mapping[str, Any]) -> object:
    if any(type(value) is not int for value in options.values()):  # limits alone are numbers
        words = "spans are those of a message that was decoded without options but limits"
        raise DecodeError("bad_option", words, field="spans", names_field=True)
    raw = as_bytes(data)
    message = decode(protocol, raw, **options)
    known = protocol_named(protocol)
    try:
        return Located(message, known.spans_of(raw, message))
    except DecodeError as error:
        error.protocol = known.name
        raise


def decode_all(protocol: str, data: BytesLike, **options: str | int | bool) -> list[Message]:
    """Return every message in `data`, members of batches one by one, at least one; raise the first DecodeError otherwise.

    `options` as for `decode`.

    >>> [message.payload for message in decode_all("mqtt-5.0", bytes.fromhex("3006000174006869") * 2)]
    [b'hi', b'hi']
    >>> decode_all("mqtt-5.0", b"", prefetch=5)
    Traceback (most recent call last):
        ...
    mqconvert.converters.errors.DecodeError: mqtt-5.0: no option 'prefetch'; known: stream, max_frames
    """
    decoders = (_DECODERS.get(protocol) if type(protocol) is str else None) or _decoders(protocol)
    messages: list[Message] = _read(decoders.all, decoders, data, options)
    return messages


class Decoded(Generic[M_co]):
    """The iterator of `decode_each`. `skipped` counts the frames without a message so far, with the option `stream`."""

    __slots__ = ("_found", "_options", "_protocol", "skipped")

    def __init__(self, decode: Each, data: bytes, options: Mapping[str, Any], protocol: str) -> None:
        self._found: Iterator[M_co | DecodeError | None] = _found(decode, data, options)
        self._options = options
        self._protocol = protocol
        self.skipped = 0

    def __iter__(self) -> Iterator[M_co | DecodeError]:
        return self

    def __next__(self) -> M_co | DecodeError:
        for one in self._found:
            if one is not None:
                if isinstance(one, DecodeError):
                    one.protocol = self._protocol
                    one.untried(self._options)
                return one
            self.skipped += 1
        raise StopIteration


def _found(decode: Each, data: bytes, options: Mapping[str, Any]) -> Iterator[Any]:
    """Yield what a codec finds; an error that it raises is the last item."""
    ended: DecodeError | None = None
    try:
        yield from decode(data, **options)
    except DecodeError as error:
        ended = error
    if ended is not None:  # not while it is handled: see model/sequences.py
        yield ended


def decode_each(protocol: str, data: BytesLike, **options: str | int | bool) -> Decoded[Message]:
    """Return an iterator over the messages in `data`. An invalid member gives its DecodeError, and the others still follow.

    After an error that hides where the next message begins, or a limit, the iterator ends. A limit applies before the message
    beyond it is decoded. `options` as for `decode`; invalid ones raise at once.

    >>> list(decode_each("mqtt-5.0", bytes.fromhex("3006000174006869") + b"no packet"))
    [mqtt5.Message(topic_name='t', payload=b'hi'), DecodeError('packet type 6 is not a PUBLISH')]
    """
    decoders = (_DECODERS.get(protocol) if type(protocol) is str else None) or _decoders(protocol)
    raw = data if type(data) is bytes else as_bytes(data)
    check(decoders.all, options)
    return Decoded(decoders.each, raw, options, decoders.name)


def encode(message: Message, **options: str | int | bool) -> bytes:
    """Return the wire form of a message, canonical and minimal; EncodeError names the field that cannot be written.

    `options` as for `decode`.

    >>> encode(decode("mqtt-5.0", bytes.fromhex("3006000174006869"))).hex()
    '3006000174006869'
    """
    encoder = _ENCODERS.get(type(message)) or _encoder(type(message))
    try:
        if not options:
            return encoder(message)
        check(encoder, options)
        return encoder(message, **options)
    except MessageError as error:
        error.protocol = protocol_of(message).name
        error.untried(options)
        raise


def encode_batch(messages: Iterable[Message], **options: str | int | bool) -> bytes:
    """Return one frame with all the messages as one batch: a batch from `decode_all`, or a new one.

    EncodeError `bad_batch` names the field that prevents a batch, NoRouteError `no_batches` a protocol without batches (all but
    NSQ, RocketMQ and Pulsar). `options` as for `decode`.

    >>> batch = bytes.fromhex("4d50554220740a 00000010 00000002 00000002 6869 00000002 6f6b")
    >>> encode_batch(decode_all("nsq", batch)) == batch
    True
    """
    try:
        members = list(messages)
    except TypeError:
        raise ArgumentError("messages", "several messages", type(messages)) from None
    if not members:
        raise EncodeError("bad_batch", "empty batch: give at least one message", field="[0]")
    protocol = protocol_of(members[0])
    for index, member in enumerate(members):
        if protocol_of(member) is not protocol:
            words = f"a message of {protocol_of(member).name} in a batch of {protocol.name}"
            raise EncodeError("bad_batch", words, field=f"[{index}]")
    encoder: Callable[..., bytes] | None = getattr(protocol.codec_module(), "encode_batch", None)
    if encoder is None:
        raise NoRouteError(f"{protocol.title} has no batches: encode its messages one by one", code="no_batches")
    check(encoder, options)
    try:
        return encoder(members, **options)
    except MessageError as error:
        error.protocol = protocol.name
        error.untried(options)
        raise


# ---- frames -----------------------------------------------------------------------------------------------------------


def decode_frames(protocol: str, data: BytesLike, **options: str | int | bool) -> list[Frame]:
    """Return every frame in `data`, at least one: commands, responses and messages; DecodeError otherwise.

    `options` are those of the protocol's codec; DecodeError `bad_option` lists the valid ones.

    >>> decode_frames("nsq", b"SUB orders archive\\nRDY 100\\n")
    [Sub(topic='orders', channel='archive'), Rdy(count=100)]
    """
    decoder: Callable[..., list[Frame]] = _function(protocol, "decode_frames", options)
    with of_protocol(full_name(protocol)):
        return decoder(as_bytes(data), **options)


def decode_each_frame(protocol: str, data: BytesLike, **options: str | int | bool) -> Iterator[Frame]:
    """Yield the frames of `decode_frames` one by one. Errors are raised during the iteration.

    >>> next(decode_each_frame("nsq", b"NOP\\nno command\\n"))
    Nop()
    """
    decoder = _function(protocol, "decode_frames", options)
    each = getattr(protocol_named(protocol).codec_module(), "decode_each_frame", decoder)
    name: str = full_name(protocol)
    with of_protocol(name):
        frames: Iterable[Frame] = each(as_bytes(data), **options)
    return _named_frames(frames, name)


def _named_frames(frames: Iterable[Frame], name: str) -> Iterator[Frame]:
    with of_protocol(name):
        yield from frames


def has_frames(protocol: str) -> bool:
    """Return whether the protocol has frames besides messages; true if its package is not installed.

    >>> has_frames("nsq"), has_frames("mqtt-5.0")
    (True, False)
    """
    try:
        return hasattr(protocol_named(protocol).codec_module(), "decode_frames")
    except MqConvertError as error:
        if error.code != "missing_package":
            raise
        return True  # encode_frame raises the error


def encode_frame(protocol: str, frame: object, **options: str | int | bool) -> bytes:
    """Return the bytes of one frame; EncodeError names the field at fault. `options` as for `decode_frames`.

    >>> encode_frame("nsq", frame_from_json("nsq", {"frame": "RDY", "count": 100}))
    b'RDY 100\\n'
    """
    encoder: Callable[..., bytes] = _function(protocol, "encode_frame", options)
    with of_protocol(full_name(protocol)):
        return encoder(frame, **options)


def frame_to_json(protocol: str, frame: object) -> JsonObject:
    """Return a frame as JSON, with its codes by name, ready for `json.dumps(..., allow_nan=False)`.

    Raises EncodeError for an invalid field of a frame.

    >>> frame_to_json("nsq", decode_frames("nsq", b"FIN 0123456789abcdef\\n")[0])["frame"]
    'FIN'
    """
    writer: Callable[[object], JsonObject] = _function(protocol, "frame_to_json")
    with of_protocol(full_name(protocol)):
        try:
            return writer(frame)
        except (AttributeError, LookupError, TypeError, ValueError):
            encode_frame(protocol, frame)  # raises a more specific error, if the bytes have the field
            refuse_field(frame, protocol_named(protocol).types)
            raise


def frame_from_json(protocol: str, value: object) -> Frame:
    """Return the frame of its JSON form; DecodeError has kind and field for other JSON.

    >>> frame_from_json("nsq", {"frame": "FIN", "message_id": "0123456789abcdef"})
    Fin(message_id=b'0123456789abcdef')
    """
    reader = _function(protocol, "frame_from_json")
    if not isinstance(value, dict):
        raise DecodeError("bad_json", "expected a frame as a JSON object")
    with of_protocol(full_name(protocol)):
        return reader(value)


def _function(protocol: str, name: str, options: Mapping[str, object] = NOTHING) -> Any:
    """Return a codec's function for frames, which has all these options."""
    found = getattr(protocol_named(protocol).codec_module(), name, None)
    if found is None:
        raise NoRouteError(f"mqconvert reads only messages of {protocol}, no other frames", code="no_frames")
    check(found, options)
    return found

"""Frames: all that a protocol puts on the wire, messages or not. Each codec knows its own; this only asks it.

A codec that knows frames has `decode_frames(data, **options)`, `encode_frame(frame, **options)`, `frame_to_json(frame)` and
`frame_from_json(object)`. The options are the keyword arguments of the first two, which are text, numbers or booleans.
"""

from collections.abc import Callable, Iterator
from typing import Any

from mqconvert.converters.errors import MqConvertError, NoRouteError
from mqconvert.converters.protocols import protocol_named
from mqconvert.converters.protocols.options import check


def decode_frames(protocol: str, data: bytes, **options: str | int | bool) -> list[Any]:
    """Every frame in `data`, at least one: commands and answers as well as messages; DecodeError otherwise.

    `options` are those of the protocol's codec; DecodeError `bad_option` names those that there are.

    >>> decode_frames("nsq", b"SUB orders archive\\nRDY 100\\n")
    [Sub(topic='orders', channel='archive'), Rdy(count=100)]
    """
    decoder: Callable[..., list[Any]] = _function(protocol, "decode_frames")
    check(decoder, options)
    return decoder(data, **options)


def decode_each_frame(protocol: str, data: bytes, **options: str | int | bool) -> Iterator[Any]:
    """Give the frames of `decode_frames` one by one. Errors are raised where the iteration meets them.

    >>> next(decode_each_frame("nsq", b"NOP\\nno command\\n"))
    Nop()
    """
    decoder = _function(protocol, "decode_frames")
    check(decoder, options)
    return iter(getattr(protocol_named(protocol).codec_module(), "decode_each_frame", decoder)(data, **options))


def has_frames(protocol: str) -> bool:
    """Whether frames of the protocol are known that are no messages; true where its package is not installed.

    >>> has_frames("nsq"), has_frames("mqtt-5.0")
    (True, False)
    """
    try:
        return hasattr(protocol_named(protocol).codec_module(), "decode_frames")
    except MqConvertError as error:
        if error.code != "missing_package":
            raise
        return True  # whoever asks for frames is told


def encode_frame(protocol: str, frame: Any, **options: str | int | bool) -> bytes:
    """The octets of one frame; EncodeError names the field at fault. `options` as for `decode_frames`.

    >>> encode_frame("nsq", frame_from_json("nsq", {"frame": "RDY", "count": 100}))
    b'RDY 100\\n'
    """
    encoder: Callable[..., bytes] = _function(protocol, "encode_frame")
    check(encoder, options)
    return encoder(frame, **options)


def frame_to_json(protocol: str, frame: Any) -> dict[str, Any]:
    """A frame as JSON, with its codes by name, ready for `json.dumps(..., allow_nan=False)`.

    >>> frame_to_json("nsq", decode_frames("nsq", b"FIN 0123456789abcdef\\n")[0])["frame"]
    'FIN'
    """
    writer: Callable[[Any], dict[str, Any]] = _function(protocol, "frame_to_json")
    return writer(frame)


def frame_from_json(protocol: str, value: Any) -> Any:
    """What `frame_to_json` wrote, read back; DecodeError names kind and field of any JSON that is no frame.

    >>> frame_from_json("nsq", {"frame": "FIN", "message_id": "0123456789abcdef"})
    Fin(message_id=b'0123456789abcdef')
    """
    return _function(protocol, "frame_from_json")(value)


def _function(protocol: str, name: str) -> Any:
    found = getattr(protocol_named(protocol).codec_module(), name, None)
    if found is None:
        raise NoRouteError(f"of {protocol} only messages are known here, no frames", code="no_frames")
    return found

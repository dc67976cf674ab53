"""PHPMQ: the six messages of the protocol (the php-mq library's read-me and `Types`).

Defines dataclasses and the bounds of their wire types; each field has its wire type in `wire(...)`, and its packet type as tag.
Fields are in the order of the library's packets. `Message` carries a message: 001 (send) or 003 (dispatch).
"""

from dataclasses import dataclass
from typing import Final, get_args

from mqconvert.converters.model.fields import frames, shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.plain import PAYLOAD, ByteTextType, IntegerType, name_type
from mqconvert.converters.model.wiretypes import wire_types

_FRAMES: Final = ("send", "dispatch")
"""The frames that carry a message, 001 and 003."""

PHPMQ_TYPES = wire_types(
    name_type("frame", _FRAMES),
    IntegerType("number", -(2**63), 2**63 - 1),
    ByteTextType("longstr"),
    PAYLOAD,
)
"""`number` is a PHP integer in decimal text; `longstr` bytes that are usually text: names of queues, ids of messages."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """A message on its way to the server (frame `send`) or from it (`dispatch`, which has a `message_id`).

    `queue` is UTF-8 by convention and may be empty; None if it is not known yet. `ttl` in seconds, 0 for no expiry; a dispatch
    has the remaining time.
    """

    queue: bytes | None = wire("longstr", tag=1)
    content: bytes = wire("payload", default=b"", tag=2)
    message_id: bytes | None = wire("longstr", frame="dispatch", tag=3)
    ttl: int = wire("number", default=0, unset=0, tag=5)
    frame: str = wire("frame", default="send", unset="send")

    def __repr__(self) -> str:
        return shown(self)


FRAMES: Final = frames(Message, _FRAMES)
"""The frames, each with the fields that it alone has."""


@dataclass(slots=True)
class ConsumeRequest:
    """002: a client asks for `count` messages of a queue."""

    queue: bytes = wire("longstr", default=b"", tag=1)
    count: int = wire("number", default=0, tag=4)


@dataclass(slots=True)
class _Delivered:
    """A client's response to a delivered message, identified by queue and id."""

    queue: bytes = wire("longstr", default=b"", tag=1)
    message_id: bytes = wire("longstr", default=b"", tag=3)


@dataclass(slots=True)
class Acknowledgement(_Delivered):
    """004: a client acknowledges a message."""


@dataclass(slots=True)
class Requeue(_Delivered):
    """005: a client returns a message to the end of the queue; `ttl` in seconds, 0 for no expiry."""

    ttl: int = wire("number", default=0, tag=5)


@dataclass(slots=True)
class DeadLetter(_Delivered):
    """006: a client removes a message, regardless of its time to live."""


Frame = Message | ConsumeRequest | Acknowledgement | Requeue | DeadLetter


pickled_by_fields(*get_args(Frame))

"""NSQ: commands and frames of the TCP protocol V2, in the words of its specification, and the bounds of its wire types.

Defines dataclasses only; each field has its wire type in `wire(...)`. `Message` is a PUB, a DPUB, a member of an MPUB, or a
message frame. The other classes are commands (client to server) and frames (server to client) without a message.
"""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, get_args

from mqconvert.converters.model.compound import ListOfType
from mqconvert.converters.model.fields import frames, shown, wire
from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields
from mqconvert.converters.model.plain import PAYLOAD, ByteTextType, IntegerType, TextType, name_type
from mqconvert.converters.model.wiretypes import wire_types
from mqconvert.converters.protocols.limits import MAX_REQ_TIMEOUT

MESSAGE: Final = 2
"""The type of a message frame."""
_FRAMES: Final = ("send", "message")
"""The frames that carry a message."""

_NAME = re.compile(r"[.a-zA-Z0-9_-]+(?:#ephemeral)?\Z")


@lru_cache(1024)  # the same names repeat
def _is_name(text: str) -> bool:
    return len(text) <= 64 and _NAME.match(text) is not None


def name_fault(value: object) -> str | None:
    """Return the fault of a topic or channel name: 1 to 64 of .a-zA-Z0-9_-, where an #ephemeral at the end counts.

    >>> name_fault("orders#ephemeral"), name_fault("a/b")
    (None, 'not a topic or channel name: 1 to 64 of .a-zA-Z0-9_-, optionally #ephemeral at the end')
    """
    if type(value) is not str:
        return "not text"
    return None if _is_name(value) else "not a topic or channel name: 1 to 64 of .a-zA-Z0-9_-, optionally #ephemeral at the end"


NSQ_TYPES = wire_types(
    TextType("name", name_fault, [("", "text"), ("ephemeral", "text#ephemeral")]),
    IntegerType("long", -(2**63), 2**63 - 1),
    IntegerType("ushort", 0, 2**16 - 1),
    IntegerType("uint", 0, 2**32 - 1),
    IntegerType("number", 0, 2**63 - 1),
    IntegerType(
        "defer", -(2**63), 2**63 - 1, samples=[("", 1), ("the lowest", 0), ("the highest by default", MAX_REQ_TIMEOUT)]
    ),
    ByteTextType("id_octets", 16, [("", b"0123456789abcdef"), ("not ASCII", b"\xff" * 16)]),
    ByteTextType("longstr"),
    PAYLOAD,
    name_type("frame", _FRAMES),
    ListOfType("payloads", PAYLOAD, "a list of bytes", [("", [b"text"])]),
)
"""`number` is decimal text, `defer` a number of milliseconds that `encode` limits (no table loses a delay), `id_octets` 16
bytes that are usually hex digits, `longstr` bytes that are usually text, `payloads` a list of `payload`."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True)
class Message:
    """One message. Its `frame` is its form on the wire:

    * `send`: a PUB; with `defer_ms` (0 too) a DPUB; with `batch_index` and `batch_size` the member of an MPUB;
    * `message`: a message frame, with `timestamp` (nanoseconds since 1970), `attempts` (1 on first delivery) and `message_id`.
      It names no topic: `topic` and `channel` are those of the connection.
    """

    topic: str | None = wire("name")
    channel: str | None = wire("name")
    timestamp: int | None = wire("long", frame="message")
    attempts: int | None = wire("ushort", frame="message")
    message_id: bytes | None = wire("id_octets", frame="message")
    defer_ms: int | None = wire("defer", frame="send")
    batch_index: int | None = wire("uint", frame="send")
    batch_size: int | None = wire("uint", frame="send")
    body: bytes = wire("payload", default=b"")
    frame: str = wire("frame", default="send", unset="send")

    def __repr__(self) -> str:
        return shown(self)


FRAMES: Final = frames(Message, _FRAMES)
"""The frames that carry a message, each with the fields that it alone has."""


# ---- commands -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Magic:
    """The first four bytes of a client: two spaces and "V2"."""


@dataclass(slots=True)
class Identify:
    """IDENTIFY: a client's properties and requests; `body` is the text of a JSON object."""

    body: bytes = wire("longstr", default=b"{}")


@dataclass(slots=True)
class Auth:
    """AUTH: a client's secret."""

    secret: bytes = wire("longstr", default=b"")


@dataclass(slots=True)
class Sub:
    """SUB: a client subscribes to a channel of a topic."""

    topic: str = wire("name", default="")
    channel: str = wire("name", default="")


@dataclass(slots=True)
class Mpub:
    """MPUB: several messages for a topic, published together."""

    topic: str = wire("name", default="")
    bodies: list[bytes] = wire("payloads", default_factory=list)


@dataclass(slots=True)
class Rdy:
    """RDY: the number of messages that a client is ready to take; 0 pauses."""

    count: int = wire("number", default=1)


@dataclass(slots=True)
class _InFlight:
    """A command about a delivered, unfinished message, with its id."""

    message_id: bytes = wire("id_octets", default=b"")


@dataclass(slots=True)
class Fin(_InFlight):
    """FIN: a message was processed."""


@dataclass(slots=True)
class Req(_InFlight):
    """REQ: a message was not processed; queue it again after `timeout_ms`."""

    timeout_ms: int = wire("number", default=0)


@dataclass(slots=True)
class Touch(_InFlight):
    """TOUCH: restart the timeout of a message in flight."""


@dataclass(slots=True)
class Cls:
    """CLS: stop sending messages; the client is about to close the connection."""


@dataclass(slots=True)
class Nop:
    """NOP: the answer to a heartbeat."""


# ---- frames ---------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Response:
    """A frame of type 0: OK, CLOSE_WAIT, _heartbeat_, or the JSON that answers IDENTIFY and AUTH."""

    data: bytes = wire("longstr", default=b"OK")


@dataclass(slots=True)
class Error:
    """A frame of type 1: an error code, a blank, and a text for people."""

    data: bytes = wire("longstr", default=b"")


Command = Magic | Identify | Auth | Sub | Mpub | Rdy | Fin | Req | Touch | Cls | Nop
Frame = Message | Command | Response | Error


pickled_by_fields(*get_args(Frame))

"""How the commands and frames of NSQ stand in bytes: a row each, from which the codec reads and writes them.

A command is a line of its name and its parameters, which may be followed by a body. Its fields are those of its class, and each
stands in bytes in the form of its wire type. A new command is a class in `message.py`, and a row here.
wire.py has the forms of those that publish a message.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Final

from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.jsonobject import json_object
from mqconvert.converters.protocols.nsq import message as nsq

MAGIC: Final = b"  V2"


@dataclass(frozen=True)
class Kind:
    """A command or frame: its class, and its meaning for people. `document` is the field whose bytes may be a JSON object."""

    of: type[Any]
    meaning: str
    document: str = field(default="", kw_only=True)

    @cached_property
    def types(self) -> dict[str, str]:
        """The wire types of its fields.

        >>> COMMANDS["SUB"].types
        {'topic': 'name', 'channel': 'name'}
        """
        return {field.name: field.metadata["types"][0] for field in fields(self.of)}


@dataclass(frozen=True)
class Command(Kind):
    """A command of a client.

    * `body`: the field behind its line, each of its values behind its size;
    * `line`: the parameters in its line, in order; by default all fields of the class but `body`;
    * `optional`: whether a line may end before its parameters;
    * `more`: whether nsqd ignores further parameters, instead of refusing them;
    * `fault`: returns the fault of the body's bytes, and with true also of numbers that nsqd refuses by default.
    """

    body: str = ""
    line: tuple[str, ...] = ()
    optional: bool = False
    more: bool = True
    fault: Callable[[bytes, bool], str | None] | None = None

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Its parameters.

        >>> COMMANDS["REQ"].parameters
        ('message_id', 'timeout_ms')
        """
        return self.line or tuple(field for field in self.types if field != self.body)


@dataclass(frozen=True)
class Framed(Kind):
    """A frame of a server, with the number of its type."""

    type: int


# ---- IDENTIFY -------------------------------------------------------------------------------------------------------

IDENTIFY_MEMBERS: dict[str, type] = {
    **dict.fromkeys(("client_id", "hostname", "short_id", "long_id", "user_agent", "topology_region", "topology_zone"), str),
    **dict.fromkeys(("feature_negotiation", "tls_v1", "snappy", "deflate"), bool),
    **dict.fromkeys(("heartbeat_interval", "output_buffer_size", "output_buffer_timeout", "msg_timeout"), int),
    **dict.fromkeys(("deflate_level", "sample_rate"), int),
}
"""The known members of IDENTIFY's object; nsqd ignores others, and treats null as unset."""
IDENTIFY_RANGES: dict[str, tuple[int, int, tuple[int, ...]]] = {
    "heartbeat_interval": (1000, 60_000, (-1, 0)),
    "output_buffer_size": (64, 65_536, (-1, 0)),
    "output_buffer_timeout": (25, 30_000, (-1, 0)),
    "sample_rate": (0, 99, ()),
    "msg_timeout": (1000, 900_000, (0,)),
}
"""Lowest, highest and special values in nsqd's default configuration: -1 is off, 0 the default."""


def identify_fault(body: bytes, ranges: bool) -> str | None:
    """Return the fault of IDENTIFY's object, with `ranges` also of a number that nsqd refuses by default.

    >>> identify_fault(b'{"sample_rate": 100}', True)
    'sample_rate 100 is not between 0 and 99'
    """
    document = json_document(body)
    if document is None:
        return "not a JSON object"
    for name, kind in IDENTIFY_MEMBERS.items():
        value = document.get(name)
        if value is not None and type(value) is not kind:
            return f"{name} is not of its type"
    for name, (low, high, special) in IDENTIFY_RANGES.items() if ranges else ():
        value = document.get(name)
        if value is not None and not low <= value <= high and value not in special:
            return f"{name} {value} is not between {low} and {high}"
    return None


def json_document(text: bytes) -> JsonObject | None:
    """Return the JSON object in `text`, or None."""
    try:
        return json_object(text.decode())
    except ValueError:
        return None


# ---- rows -----------------------------------------------------------------------------------------------------------

COMMANDS: Final[dict[str, Command]] = {
    "IDENTIFY": Command(
        nsq.Identify, "the client says what it is and asks for features", "body", fault=identify_fault, document="body"
    ),
    "AUTH": Command(nsq.Auth, "the client shows its secret", "secret", more=False),
    "SUB": Command(nsq.Sub, "the client subscribes to a channel of a topic"),
    "PUB": Command(nsq.Message, "the client publishes a message", "body", ("topic",)),
    "MPUB": Command(nsq.Mpub, "the client publishes several messages together", "bodies"),
    "DPUB": Command(nsq.Message, "the client publishes a message to be delivered later", "body", ("topic", "defer_ms")),
    "RDY": Command(nsq.Rdy, "the client is ready for so many messages", optional=True),
    "FIN": Command(nsq.Fin, "the client has processed a message"),
    "REQ": Command(nsq.Req, "the client gives a message back to be queued again"),
    "TOUCH": Command(nsq.Touch, "the client needs more time for a message"),
    "CLS": Command(nsq.Cls, "the client wants no more messages"),
    "NOP": Command(nsq.Nop, "the client is alive"),
}
"""The commands by their names."""
LIMITS: Final = {"count": "max_rdy_count", "defer_ms": "max_req_timeout_ms"}
"""The option that limits a number, by its field; nsqd itself clamps `timeout_ms`."""
FRAMED: Final[dict[str, Framed]] = {
    "response": Framed(nsq.Response, "the server answers, or asks for a sign of life", 0, document="data"),
    "error": Framed(nsq.Error, "the server refuses", 1),
    "message": Framed(nsq.Message, "the server delivers a message", nsq.MESSAGE),
}
"""The frames by their names."""
_LETTERS: Final = {"long": "q", "ushort": "H", "id_octets": "16s"}
DELIVERED: Final = {field: _LETTERS[FRAMED["message"].types[field]] for field in nsq.FRAMES["message"]}
"""The fields of a message frame between its type and the body, each with its letter in a layout of `struct`."""
DELIVERY: Final = ">ii" + "".join(DELIVERED.values())
"""The layout of size, frame type and these fields."""
KINDS: Final[dict[str, Kind]] = {"magic": Kind(nsq.Magic, "the client speaks protocol V2"), **COMMANDS, **FRAMED}
"""Every command and frame by its name."""

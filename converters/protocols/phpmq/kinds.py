"""The message types of PHPMQ, a row each, and the packets by their types.

The content of a packet has the form of its field's wire type: a number in decimal text, or the bytes themselves.
wire.py has their forms.
"""

from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final

from mqconvert.converters.model.fields import tags
from mqconvert.converters.protocols.phpmq.message import Acknowledgement, ConsumeRequest, DeadLetter, Message, Requeue


@dataclass(frozen=True)
class Kind:
    """A message type: its number, its name, its meaning, and the class of its frame."""

    code: int
    name: str
    meaning: str
    of: type[Any]

    @cached_property
    def packets(self) -> tuple[int, ...]:
        """Its packets in the library's order, which is that of the fields.

        >>> KINDS["send"].packets, KINDS["dispatch"].packets
        ((1, 2, 5), (1, 2, 3, 5))
        """
        known = tags(self.of)
        own = (field.name for field in fields(self.of) if field.metadata["frame"] in ("", self.name))
        return tuple(known[name] for name in own if name in known)

    @property
    def header(self) -> bytes:
        """The header of 8 bytes.

        >>> KINDS["ack"].header
        b'H0100402'
        """
        return b"H01%03d%02d" % (self.code, len(self.packets))


KINDS: Final[dict[str, Kind]] = {
    kind.name: kind
    for kind in (
        Kind(1, "send", "message from a client to the server", Message),
        Kind(2, "consume", "a client wants to consume messages", ConsumeRequest),
        Kind(3, "dispatch", "message from the server to a client", Message),
        Kind(4, "ack", "a client acknowledges a message", Acknowledgement),
        Kind(5, "requeue", "a client gives a message back to the end of its queue", Requeue),
        Kind(6, "dead_letter", "a client has a message removed from its queue", DeadLetter),
    )
}
"""The message types by their names."""
PACKETS: Final[dict[int, str]] = {code: name for kind in KINDS.values() for name, code in tags(kind.of).items()}
"""The fields for the contents of packets, by the packet types."""
TYPES: Final[dict[str, str]] = {field.name: field.metadata["types"][0] for kind in KINDS.values() for field in fields(kind.of)}
"""The wire types of fields."""

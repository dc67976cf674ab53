"""How the messages of PHPMQ stand in bytes: the packets by their types, and a row for each message type.

The content of a packet has the form of its field's wire type: a number in decimal text, or the bytes themselves.
Printed from this (converters/wire/): the messages in the library's order. The codec reads any order, and names faults.
"""

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any, Final

from mqconvert.converters.protocols.phpmq.message import FRAMES, Acknowledgement, ConsumeRequest, DeadLetter, Message, Requeue
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Record

PACKETS: Final[dict[int, str]] = {1: "queue", 2: "content", 3: "message_id", 4: "count", 5: "ttl"}
"""The packet types, by the field for their content."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A message type: its number, its meaning, the class of its frame, and its packets in the library's order.

    The fields of the frame have the same order, except those of Message.
    """

    code: int
    name: str
    meaning: str
    of: type[Any]
    packets: tuple[int, ...]

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
        Kind(1, "send", "message from a client to the server", Message, (1, 2, 5)),
        Kind(2, "consume", "a client wants to consume messages", ConsumeRequest, (1, 4)),
        Kind(3, "dispatch", "message from the server to a client", Message, (1, 2, 3, 5)),
        Kind(4, "ack", "a client acknowledges a message", Acknowledgement, (1, 3)),
        Kind(5, "requeue", "a client gives a message back to the end of its queue", Requeue, (1, 3, 5)),
        Kind(6, "dead_letter", "a client has a message removed from its queue", DeadLetter, (1, 3)),
    )
}
"""The message types by their names."""
TYPES: Final[dict[str, str]] = {field.name: field.metadata["types"][0] for kind in KINDS.values() for field in fields(kind.of)}
"""The wire types of fields."""


# ---- forms ------------------------------------------------------------------------------------------------------------

_READ: Final = """
size = digits_at(data, FLAG, AT, AT + 32)
after = AT + 32 + size
if size < 0 or after > end: raise IndexError
"""
"""A packet: a flag of its type, and 29 digits for the size of its content."""
_WRITE: Final = """
size = len(raw)
pieces.append(codec.HEADS[NUMBER][size] if size < codec.USUAL else FLAG % size)
pieces.append(raw)
"""


def _packets(kind: Kind) -> Iterator[tuple[str, Form]]:
    """Yield the fields of a message type with the forms of their packets."""
    for code in kind.packets:
        flag = b"P%02d" % code
        read = _READ.replace("FLAG", repr(flag))
        write = _WRITE.replace("FLAG", repr(flag + b"%029d")).replace("NUMBER", str(code))
        if TYPES[PACKETS[code]] == "number":
            number = "number = digits_at(data, b'', AT + 32, after)\nif number < 0: raise IndexError"
            digits = f"if type(VALUE) is not int: raise ValueError\nwhole = VALUE\n{_IN_BOUNDS}\nraw = str(whole).encode()"
            yield PACKETS[code], Form(type="number", first=f"{read}{number}", read="number", write=f"{digits}\n{write}")
        else:
            octets = "if type(VALUE) is not bytes: raise ValueError\nraw = VALUE"
            yield PACKETS[code], Form(type="longstr", first=read, read="data[AT + 32 : after]", write=f"{octets}\n{write}")


_IN_BOUNDS: Final = f"if not {-(2**63)} <= whole < {2**63}: raise ValueError"

LAYOUT = Layout(
    package="mqconvert.converters.protocols.phpmq",
    types="PHPMQ_TYPES",
    uses=("mqconvert.converters.protocols.phpmq.message",),
    shapes=[
        Record(name=name, of=Message, parts=dict(_packets(KINDS[name])), apart=("frame",), into="pieces", spanned=False)
        for name in FRAMES
    ],
)

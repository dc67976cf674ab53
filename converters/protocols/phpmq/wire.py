"""How the messages of PHPMQ stand in bytes, in the library's order of their packets: printed from kinds.py.

The codec reads packets in any order, and names the faults of others.
"""

from collections.abc import Iterator
from typing import Final

from mqconvert.converters.protocols.phpmq.kinds import KINDS, PACKETS, TYPES, Kind
from mqconvert.converters.protocols.phpmq.message import FRAMES, Message
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Record

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

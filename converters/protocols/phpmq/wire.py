"""How the messages of PHPMQ stand in bytes, in the library's order of their packets: printed from kinds.py.

The codec reads packets in any order, and names the faults of others.
"""

from collections.abc import Iterator
from typing import Final

from mqconvert.converters.printed.nodes import Literal
from mqconvert.converters.printed.templates import lines
from mqconvert.converters.protocols.phpmq.kinds import KINDS, PACKETS, TYPES, Kind
from mqconvert.converters.protocols.phpmq.message import FRAMES, Message
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.groups import Record
from mqconvert.converters.wire.layouts import Layout

_READ: Final = """
size = digits_at(data, {flag}, {at}, {at} + 32)
after = {at} + 32 + size
if size < 0 or after > end: raise IndexError
"""
"""A packet: a flag of its type, and 29 digits for the size of its content."""
_READ_NUMBER: Final = """
{packet}
number = digits_at(data, b'', {at} + 32, after)
if number < 0: raise IndexError
"""
_WRITE: Final = """
{raw}
size = len(raw)
pieces.append(codec.HEADS[{number}][size] if size < codec.USUAL else {head} % size)
pieces.append(raw)
"""
_OF_BYTES: Final = """
if type(value) is not bytes: raise ValueError
raw = value
"""
_OF_NUMBER: Final = lines(
    """
    if type(value) is not int: raise ValueError
    whole = value
    if not {0} <= whole < {1}: raise ValueError
    raw = str(whole).encode()
    """,
    Literal(-(2**63)),
    Literal(2**63),
)


def _packets(kind: Kind) -> Iterator[tuple[str, Form]]:
    """Yield the fields of a message type with the forms of their packets."""
    for number in kind.packets:
        flag = b"P%02d" % number
        read = lines(_READ, flag=Literal(flag))
        is_number = TYPES[PACKETS[number]] == "number"
        raw = lines(_OF_NUMBER if is_number else _OF_BYTES)
        write = lines(_WRITE, raw=raw, number=Literal(number), head=Literal(flag + b"%029d"))
        if is_number:
            form = Form(type="number", first=lines(_READ_NUMBER, packet=read), read="number", write=write)
        else:
            form = Form(type="longstr", first=read, read="data[{at} + 32 : after]", write=write)
        yield PACKETS[number], form


LAYOUT = Layout(
    package="mqconvert.converters.protocols.phpmq",
    types="PHPMQ_TYPES",
    uses=("mqconvert.converters.protocols.phpmq.message",),
    shapes=[
        Record(name=name, of=Message, parts=dict(_packets(KINDS[name])), apart=("frame",), into="pieces", spanned=False)
        for name in FRAMES
    ],
)

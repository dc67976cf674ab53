"""How a PUB and a DPUB of NSQ stand in bytes behind their names, printed from commands.py, and a message frame before its body.

The codec reads every command and frame, and names the faults of these.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from typing import Final

from mqconvert.converters.protocols.nsq.commands import COMMANDS, Command
from mqconvert.converters.protocols.nsq.message import Message
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, Record

# END is the byte behind a parameter: a blank, or the line end behind the last one.
_NAME: Final = Form(
    type="name",
    first="""
    after = data.find(END, AT, AT + 100)
    if after < 0: raise IndexError
    text = data[AT:after].decode()
    after += 1
    if name_fault(text) is not None: raise IndexError
    """,
    read="text",
)
_DEFER: Final = Form(
    type="defer",
    first="""
    after = data.find(END, AT, AT + 32)
    number = digits_at(data, b'', AT, after)
    after += 1
    if number < 0: raise IndexError
    """,
    read="number",
)
_BODY: Final = Form(
    type="payload",
    first="""
    size = read_u32(data, AT)
    after = AT + 4 + size
    if not size or after > end: raise IndexError
    """,
    read="data[AT + 4 : after]",
)


def _published(command: Command) -> Iterator[tuple[str, Form]]:
    """Yield the fields of a command that publishes a message with the forms that read them."""
    for field in command.parameters:
        form = {each.type: each for each in (_NAME, _DEFER)}[command.types[field]]
        end = b"\n" if field == command.parameters[-1] else b" "
        yield field, replace(form, first=form.first.replace("END", repr(end)))
    yield command.body, _BODY


LAYOUT = Layout(
    package="mqconvert.converters.protocols.nsq",
    types="NSQ_TYPES",
    uses=("mqconvert.converters.protocols.nsq.message",),
    shapes=[
        Record(
            name=name.lower(),
            of=Message,
            parts=dict(_published(COMMANDS[name])),
            apart=[field.name for field in fields(Message)],
            spanned=False,
        )
        for name in ("PUB", "DPUB")
    ]
    + [Fixed(name="delivery", layout=">iiqH16s")],  # size, frame type, timestamp, attempts, message id
)

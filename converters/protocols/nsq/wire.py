"""How a PUB and a DPUB of NSQ stand in bytes behind their names, printed from commands.py, and a message frame before its body.

The codec reads every command and frame, and names the faults of these.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from struct import calcsize
from typing import Final

from mqconvert.converters.protocols.nsq.commands import COMMANDS, DELIVERED, DELIVERY, FRAMED, Command
from mqconvert.converters.protocols.nsq.message import FRAMES, MESSAGE, Message
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, Lines, Record

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


_NUMBER: Final = """
if type(VALUE) is not int: raise ValueError
{}(out, VALUE)
"""
_DELIVERED: Final = {
    form.type: form
    for form in (
        Form(type="long", write=_NUMBER.format("write_i64")),
        Form(type="ushort", write=_NUMBER.format("write_u16")),
        Form(
            type="id_octets",
            write="""
            if type(VALUE) is not bytes or len(VALUE) != 16: raise ValueError
            out.write(VALUE)
            """,
        ),
    )
}
"""How the fields of a message frame are written; `read_delivery` reads them at once."""
_MADE: Final = {field.name: field.name if field.name in DELIVERED else "None" for field in fields(Message)} | {
    "body": f"data[at + {calcsize(DELIVERY)} : end]",
    "frame": "'message'",
}
"""The arguments of the message that a message frame has."""


def _published(command: Command) -> Iterator[tuple[str, Form]]:
    """Yield the fields of a command that publishes a message with the forms that read them."""
    for field in command.parameters:
        form = {each.type: each for each in (_NAME, _DEFER)}[command.types[field]]
        end = b"\n" if field == command.parameters[-1] else b" "
        yield field, replace(form, first=form.first.replace("END", repr(end)))
    yield command.body, _BODY


def _apart_from(frame: str, *more: str) -> list[str]:
    """Return the fields of a message but those that this frame alone has, and `more`."""
    return [field.name for field in fields(Message) if field.name not in (*FRAMES.get(frame, ()), *more)]


LAYOUT = Layout(
    package="mqconvert.converters.protocols.nsq",
    types="NSQ_TYPES",
    uses=("mqconvert.converters.protocols.nsq.message",),
    shapes=[
        Record(
            name=name.lower(),
            of=Message,
            parts=dict(_published(COMMANDS[name])),
            apart=_apart_from("message" if name == "PUB" else ""),  # `has_more_than_pub` serves both
            spanned=False,
        )
        for name in ("PUB", "DPUB")
    ]
    + [
        Fixed(name="delivery", layout=DELIVERY),
        Lines(
            name="read_message",
            words="Return the message of a message frame from `at` to `end`; None for another frame.",
            parameters="data at end",
            answer="Message | None",
            text=f"""
            size, kind, {", ".join(DELIVERED)} = read_delivery(data, at)
            if kind != {MESSAGE} or size != end - at - 4:
                return None
            return Message({", ".join(_MADE.values())})
            """,
        ),
        Record(
            name="delivery",
            of=Message,
            parts={field: _DELIVERED[FRAMED["message"].types[field]] for field in DELIVERED},
            apart=_apart_from("send", "topic"),
            spanned=False,
        ),
    ],
)

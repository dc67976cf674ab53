"""How a PUB and a DPUB of NSQ stand in bytes behind their names, printed from commands.py, and a message frame before its body.

The codec reads every command and frame, and names the faults of these.
"""

from collections.abc import Iterator
from dataclasses import fields, replace
from struct import calcsize
from typing import Final

from mqconvert.converters.printed.nodes import Call, Display, Literal, Name
from mqconvert.converters.printed.templates import code, lines
from mqconvert.converters.protocols.nsq.commands import COMMANDS, DELIVERED, DELIVERY, FRAMED, Command
from mqconvert.converters.protocols.nsq.message import FRAMES, MESSAGE, Message
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.groups import Record
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, function

# {stop} is the byte behind a parameter: a blank, or the line end behind the last one.
_NAME: Final = Form(
    type="name",
    first="""
    after = data.find({stop}, {at}, {at} + 100)
    if after < 0: raise IndexError
    text = data[{at}:after].decode()
    after += 1
    if name_fault(text) is not None: raise IndexError
    """,
    read="text",
)
_DEFER: Final = Form(
    type="defer",
    first="""
    after = data.find({stop}, {at}, {at} + 32)
    number = digits_at(data, b'', {at}, after)
    after += 1
    if number < 0: raise IndexError
    """,
    read="number",
)
_BODY: Final = Form(
    type="payload",
    first="""
    size = read_u32(data, {at})
    after = {at} + 4 + size
    if not size or after > end: raise IndexError
    """,
    read="data[{at} + 4 : after]",
)


_NUMBER: Final = """
if type(value) is not int: raise ValueError
{0}(out, value)
"""
_DELIVERED: Final = {
    form.type: form
    for form in (
        Form(type="long", write=lines(_NUMBER, Name("write_i64"))),
        Form(type="ushort", write=lines(_NUMBER, Name("write_u16"))),
        Form(
            type="id_octets",
            write="""
            if type(value) is not bytes or len(value) != 16: raise ValueError
            out.write(value)
            """,
        ),
    )
}
"""How the fields of a message frame are written; `read_delivery` reads them at once."""
_MADE: Final = {
    **{field.name: Name(field.name) if field.name in DELIVERED else Literal(None) for field in fields(Message)},
    "body": code("data[at + {0} : end]", Literal(calcsize(DELIVERY))),
    "frame": Literal("message"),
}
"""The arguments of the message that a message frame has."""


def _published(command: Command) -> Iterator[tuple[str, Form]]:
    """Yield the fields of a command that publishes a message with the forms that read them."""
    for field in command.parameters:
        form = {each.type: each for each in (_NAME, _DEFER)}[command.types[field]]
        stop = Literal(b"\n" if field == command.parameters[-1] else b" ")
        yield field, replace(form, first=lines(form.first, stop=stop))
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
        function(
            "read_message",
            words="Return the message of a message frame from `at` to `end`; None for another frame.",
            parameters="data at end",
            answer="Message | None",
            body=lines(
                """
                {read} = read_delivery(data, at)
                if kind != {kind} or size != end - at - 4:
                    return None
                return {made}
                """,
                read=Display("()", tuple(map(Name, ("size", "kind", *DELIVERED)))),
                kind=Literal(MESSAGE),
                made=Call(Name("Message"), tuple(_MADE.values())),
            ),
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

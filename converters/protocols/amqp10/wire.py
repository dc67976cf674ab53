"""How AMQP 1.0 stands in bytes: the fields of header and properties (part 3 section 3.2) in their usual encodings."""

from mqconvert.converters.protocols.amqp10.message import Header, Properties
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Positional

CODES = {
    0xA1: Form(
        type="string",
        first="after = AT + 1 + data[AT]",
        read="data[AT + 1 : after].decode()",
        write="write_coded_text8(out, CODE, VALUE)",
    ),
    0xA3: Form(
        type="symbol",
        first="""
        after = AT + 1 + data[AT]
        text = data[AT + 1 : after].decode()
        if not text.isascii():
            raise UnicodeError
        """,
        read="text",
        write="""
        if not VALUE.isascii():
            raise ValueError
        write_coded_text8(out, CODE, VALUE)
        """,
    ),
    0x98: Form(type="uuid", read="data[AT : AT + 16]", size=16),
    0xA0: Form(
        type="binary",
        first="after = AT + 1 + data[AT]",
        read="data[AT + 1 : after]",
        write="codec.write_short_binary(out, VALUE, room)",
    ),
    0x41: Form(
        type="boolean",
        read="True",
        size=0,
        write="""
        if type(VALUE) is not bool:
            raise ValueError
        out.write(b'\\x41' if VALUE else b'\\x42')
        """,
    ),
    0x42: Form(type="boolean", read="False", size=0),
    0x50: Form(type="ubyte", read="data[AT]", size=1, write="write_coded_u8(out, CODE, VALUE if type(VALUE) is int else -1)"),
    0x52: Form(type="uint", read="data[AT]", size=1),
    0x70: Form(
        type="uint",
        read="read_u32(data, AT)",
        size=4,
        write="codec.write_uint(out, VALUE)",
    ),
    0x43: Form(type="uint", read="0", size=0),
    0x83: Form(
        type="timestamp",
        read="read_i64(data, AT)",
        size=8,
        write="""
        if type(VALUE) is not int:
            raise ValueError
        write_coded_i64(out, CODE, VALUE)
        """,
    ),
}
"""The encodings (part 1 section 1.6) that clients use for fields, by their codes; the codec reads and writes the others."""
ID = Form(type="id", write="codec.write_id(out, VALUE, room)")
"""A message id: a value of one of four types."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.amqp10",
    types="AMQP10_TYPES",
    uses=("mqconvert.converters.protocols.amqp10.message", "mqconvert.converters.model.values"),
    shapes=[
        Positional(name="header", of=Header, codes=CODES, several=ID, head=b"\x00\x53\x70"),
        Positional(name="properties", of=Properties, codes=CODES, several=ID, head=b"\x00\x53\x73"),
    ],
)

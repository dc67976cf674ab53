"""How AMQP 0.9.1 stands in bytes: the properties behind their flags, and the values of field tables behind their letters."""

from dataclasses import replace

from mqconvert.converters.protocols.amqp091.message import BasicProperties
from mqconvert.converters.wire.coded import Coded
from mqconvert.converters.wire.forms import FLOAT, Form, coded, number, sized
from mqconvert.converters.wire.groups import Flagged
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout

# ---- properties (section 4.2.6.1) -------------------------------------------------------------------------------------

SHORTSTR = sized(
    "shortstr",
    1,
    read="data[{at} + 1 : after].decode('utf-8', 'surrogateescape')",  # any bytes: PEP 383
    write="write_text8(out, value)",
    careful="codec.write_shortstr(out, value)",
)
OCTET = Form(
    type="octet",
    read="data[{at}]",
    size=1,
    write="out.write(SIZES[value if type(value) is int and value >= 0 else 256])",  # which is no byte
)
TABLE = Form(
    type="table",
    first="value, after = codec.read_table(data, {at}, end, {depth})",
    write="codec.write_table(out, value, {depth})",
    careful="codec.write_table(out, value, {depth})",
)
TIMESTAMP = number("timestamp", "u64", "value if type(value) is int else -1")

# ---- values of field tables and arrays (section 4.2.5.5) --------------------------------------------------------------

VALUES = {
    b"S": sized(
        "longstr",
        4,
        takes="bytes",
        write="""
        size = len(value)
        out.write(codec.LONGSTRS[size] if size < 256 else codec.long_head({code_byte}, size))
        out.write(value)
        """,
    ),
    b"I": coded("signedint", "i32"),
    b"t": Form(type="bool", takes="bool", read="data[{at}] != 0", size=1, write="out.write(b't\\x01' if value else b't\\x00')"),
    b"lL": coded("long", "i64"),
    b"d": coded("double", "f64"),
    b"T": coded("timestamp", "u64"),
    b"F": replace(TABLE, write="out.write({code_byte})\ncodec.write_table(out, value, {depth})"),
    b"A": Form(
        type="array",
        first="value, after = codec.read_array(data, {at}, end, {depth})",
        write="out.write({code_byte})\ncodec.write_array(out, value, {depth})",
    ),
    b"f": FLOAT,
    b"b": Form(
        type="byte",
        takes="int",
        first="value = data[{at}]",
        read="value if value < 128 else value - 256",
        size=1,
        write="out.write({code_byte})\nwrite_i8(out, value)",
    ),
    b"B": Form(
        type="unsignedbyte", takes="int", read="data[{at}]", size=1, write="out.write({code_byte})\nwrite_u8(out, value)"
    ),
    b"sU": coded("short", "i16"),
    b"u": coded("unsignedshort", "u16"),
    b"i": coded("unsignedint", "u32"),
    b"V": Form(type="void", takes="fitting", read="None", size=0, write="out.write({code_byte})"),
    b"x": sized("binary", 4, takes="fitting", write="out.write(codec.long_head({code_byte}, len(value)))\nout.write(value)"),
    b"D": Form(  # signed (4.2.5.5); the grammar's long-uint (4.2.1) contradicts it, and clients write int32
        type="decimal",
        takes="fitting",
        read="Decimal091(data[{at}], read_i32(data, {at} + 1))",
        size=5,
        write="out.write({code_byte})\nout.write(SIZES[value.scale])\nwrite_i32(out, value.value)",
    ),
}
"""The letters of types, frequent ones first. Clients also write `L` for a long, and the grammar's `U` (4.2.1) for a short."""

PROPERTIES = Flagged(
    name="properties",
    of=BasicProperties,
    path="basic.",
    first_flag=0x8000,
    forms={form.type: form for form in (SHORTSTR, OCTET, TABLE, TIMESTAMP)},
)

MESSAGE = MessageLayout(
    shapes={"basic": PROPERTIES},
    reading="""
    {exchange}, {routing_key}, at, end, size, channel = codec.opened(data, 0)
    flags = data[at - 2] << 8 | data[at - 1]
    if flags & 3:
        return None
    {read_basic}
    if at != end:
        return None
    {payload}, at = codec.read_body(data, end + 1, size, channel)
    if at != len(data):
        return None
    """,
    writing="""
    out = Writer()
    start = codec.begin(out, {exchange}, {routing_key}, {payload})
    {write_basic}
    return codec.finished(out, start, {payload})
    """,
    maps={
        "basic.headers": Entries(
            each="codec.write_entry({out}, {key}, {type}, {value}, 1)",
            whole="codec.write_entries(out, {value})",
            read="{place}, at = codec.read_table(data, at, end, 1)",
            find="""
            {place} = at
            at += 4 + read_u32(data, at)
            if at > end:
                return None
            """,
            first="""
            at = {place} + 4
            stop = at + read_u32(data, {place})
            """,
            more="at < stop",
            next="{key}, type_, value, at = codec.read_entry(data, at, stop, 1)",
            last="""
            if at != stop:
                return None
            """,
        )
    },
)
"""One content (section 2.3.5)."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.amqp091",
    types="AMQP091_TYPES",
    uses=("mqconvert.converters.protocols.amqp091.message", "mqconvert.converters.model.values"),
    shapes=[
        PROPERTIES,
        Coded(name="value", rows=VALUES, read_parameters="end depth", write_parameters="depth"),
    ],
    message=MESSAGE,
)

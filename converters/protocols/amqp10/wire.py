"""How AMQP 1.0 stands in bytes: the encodings of values (part 1 section 1.6), header and properties (part 3 section 3.2)."""

from dataclasses import replace

from mqconvert.converters.protocols.amqp10.message import Header, Properties
from mqconvert.converters.wire.forms import FLOAT, Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout
from mqconvert.converters.wire.shapes import Coded, Positional


def _text(type_: str, size: str, width: int, write: str = "") -> Form:
    """Return an encoding of text behind its size, an expression of `width` bytes."""
    decoded = f"""
        after = AT + {width} + {size}
        try:
            text = data[AT + {width} : after].decode()
        except UnicodeError:
            raise codec.bad_text({type_!r}, data, AT + {width}, after) from None
        """
    ascii_alone = f"""
        if not text.isascii():
            raise codec.bad_text('symbol', data, AT + {width}, after)
        """
    return Form(type=type_, first=decoded + ascii_alone * (type_ == "symbol"), read="text", write=write)


def _fixed(type_: str, size: int) -> Form:
    """Return the encoding of a value that is bytes of a fixed size."""
    return Form(
        type=type_,
        takes="bytes",
        first=f"""
        if AT + {size} > len(data):
            raise IndexError
        """,
        read=f"data[AT : AT + {size}]",
        size=size,
        write=f"""
        if len(VALUE) != {size}:
            raise ValueError
        out.write(TAG)
        out.write(VALUE)
        """,
    )


def _signed(type_: str, write: str, fits: str = "") -> Form:
    """Return the encoding of a number of one byte with a sign."""
    read = "number if number < 128 else number - 256"
    return Form(type=type_, takes="int", first="number = data[AT]", read=read, size=1, fits=fits, write=write)


def _small(type_: str) -> Form:
    """Return that of a type whose larger numbers have another encoding."""
    return _signed(type_, "write_coded_u8(out, CODE, whole & 0xff)", "-128 <= (whole := VALUE) < 128")


def _small_unsigned(type_: str) -> Form:
    """Return that of a type without a sign, whose 0 has another encoding, too."""
    write = "write_coded_u8(out, CODE, whole)"
    return Form(type=type_, takes="int", read="data[AT]", size=1, fits="0 < (whole := VALUE) < 256", write=write)


def _compound(type_: str, head: str, write: str = "") -> Form:
    """Return an encoding of several values behind their size and count, which the codec's function `head` reads."""
    read = f"number, value_at, after = codec.{head}(data, AT)\nvalue = codec.read_{type_}(number, data, value_at, after, room)"
    return Form(type=type_, first=read, write=write)


VALUES = {
    b"\xa1": _text("string", "data[AT]", 1, "write_varied_text(out, CODE, VALUE)"),  # or its large encoding
    b"\xa3": _text(
        "symbol",
        "data[AT]",
        1,
        """
        if not VALUE.isascii():
            raise ValueError
        write_varied_text(out, CODE, VALUE)
        """,
    ),
    b"\x54": _small("int"),
    b"\x71": Form(type="int", read="read_i32(data, AT)", size=4, write="write_coded_i32(out, CODE, whole)"),
    b"\x55": _small("long"),
    b"\x81": Form(type="long", read="read_i64(data, AT)", size=8, write="write_coded_i64(out, CODE, whole)"),
    b"\x41": Form(type="boolean", takes="bool", read="True", size=0, fits="VALUE", write="out.write(TAG)"),
    b"\x42": Form(type="boolean", read="False", size=0, write="out.write(TAG)"),
    b"\x56": Form(
        type="boolean",
        first="""
        if data[AT] > 1:
            raise codec.no_boolean(data[AT], AT)
        """,
        read="data[AT] == 1",
        size=1,
    ),
    b"\x82": Form(type="double", takes="float", read="read_f64(data, AT)", size=8, write="write_coded_f64(out, CODE, VALUE)"),
    b"\x98": _fixed("uuid", 16),
    b"\xa0": Form(
        type="binary",
        takes="bytes",
        first="after = AT + 1 + data[AT]",
        read="data[AT + 1 : after]",
        fits="(size := len(VALUE)) < 256",
        write="write_coded_u8(out, CODE, size)\nout.write(VALUE)",
    ),
    b"\xb0": Form(
        type="binary",
        first="after = AT + 4 + read_u32(data, AT)",
        read="data[AT + 4 : after]",
        write="write_coded_u32(out, CODE, size)\nout.write(VALUE)",
    ),
    b"\x50": Form(type="ubyte", takes="int", read="data[AT]", size=1, write="write_coded_u8(out, CODE, VALUE)"),
    b"\x52": _small_unsigned("uint"),
    b"\x43": Form(type="uint", read="0", size=0, fits="not whole", write="out.write(TAG)"),
    b"\x70": Form(type="uint", read="read_u32(data, AT)", size=4, write="write_coded_u32(out, CODE, whole)"),
    b"\x53": _small_unsigned("ulong"),
    b"\x44": Form(type="ulong", read="0", size=0, fits="not whole", write="out.write(TAG)"),
    b"\x80": Form(type="ulong", read="read_u64(data, AT)", size=8, write="write_coded_u64(out, CODE, whole)"),
    b"\x83": Form(type="timestamp", takes="int", read="read_i64(data, AT)", size=8, write="write_coded_i64(out, CODE, VALUE)"),
    b"\xc1": _compound("map", "head8", "codec.write_map(out, VALUE, room)"),
    b"\xd1": _compound("map", "head32"),
    b"\x45": Form(type="list", read="[]", size=0, fits="type(VALUE) is list and not VALUE", write="out.write(TAG)"),
    b"\xc0": _compound("list", "head8", "codec.write_list(out, VALUE, room)"),
    b"\xd0": _compound("list", "head32"),
    b"\x40": Form(
        type="null",
        read="None",
        size=0,
        write="""
        if VALUE is not None:
            raise ValueError
        out.write(TAG)
        """,
    ),
    b"\xe0": _compound("array", "head8", "codec.write_array(out, VALUE, room)"),
    b"\xf0": _compound("array", "head32"),
    b"\0": Form(
        type="described",
        first="value, after = codec.read_described(data, AT, room)",
        write="codec.write_described(out, VALUE, room)",
    ),
    b"\x60": Form(type="ushort", takes="int", read="read_u16(data, AT)", size=2, write="out.write(TAG)\nwrite_u16(out, VALUE)"),
    b"\x51": _signed("byte", "out.write(TAG)\nwrite_i8(out, VALUE)"),
    b"\x61": Form(type="short", takes="int", read="read_i16(data, AT)", size=2, write="out.write(TAG)\nwrite_i16(out, VALUE)"),
    b"\x72": replace(FLOAT, takes="float"),
    b"\x73": Form(
        type="char",
        takes="fitting",
        first="""
        number = read_u32(data, AT)
        if number > 0x10ffff:
            raise codec.no_char(number, AT)
        """,
        read="number",
        size=4,
        write="write_coded_u32(out, CODE, VALUE)",
    ),
    b"\x74": _fixed("decimal32", 4),
    b"\x84": _fixed("decimal64", 8),
    b"\x94": _fixed("decimal128", 16),
    b"\xb1": _text("string", "read_u32(data, AT)", 4),
    b"\xb3": _text("symbol", "read_u32(data, AT)", 4),
}
"""The encodings of values by their codes, frequent types first. Of a type, the first that fits is written."""

HEADER = Positional(name="header", of=Header, rows=VALUES, head=b"\x00\x53\x70", path=".")
PROPERTIES = Positional(name="properties", of=Properties, rows=VALUES, head=b"\x00\x53\x73", path=".")


_SECTIONS = {
    "delivery_annotations": (0x71, 0xA3),
    "message_annotations": (0x72, 0xA3),
    "application_properties": (0x74, 0xA1),
    "footer": (0x78, 0xA3),
}
"""The sections that are maps, with the codes of their descriptor and of their keys."""


def _section(name: str, descriptor: int, code: int) -> Entries:
    """Return the entries of a section; `code` is the usual one of their keys."""
    return Entries(
        each=f"codec.write_entry(OUT, {code:#04x}, KEY, TYPE, VALUE, room)",
        whole=f"codec.write_entries(out, {descriptor:#04x}, VALUE, COUNT)",
        read=f"PLACE, at = codec.read_entries({name!r}, {code:#04x}, data, at, room)",
        find="""
        PLACE = at
        at = codec.end_of(data, at)
        """,
        first=f"""
        count, at, stop = codec.entries_at({name!r}, data, PLACE, room)
        room.levels -= 1
        """,
        more="count",
        next=f"""
        count -= 2
        KEY, type_, value, at = codec.read_entry({name!r}, {code:#04x}, data, at, room)
        """,
        last="""
        if at != stop:
            return None
        room.levels += 1
        """,
    )


MESSAGE = MessageLayout(
    shapes={"header": HEADER, "properties": PROPERTIES},
    reading="""
    end = len(data)
    room = codec.Room()
    while at < end:
        if data[at] == 0 and data[at + 1] == 0x53 and 0x70 <= (kind := data[at + 2]) <= 0x78:
            at += 3
        else:
            kind, at = codec.descriptor(data, at, room)
        if kind <= last and (kind != last or kind != 0x75 and kind != 0x76):
            return None
        if kind == 0x70:
            count, at, stop = codec.count_of("header", data, at)
            READ_header
            if at != stop:
                return None
        elif kind == 0x71:
            READ_delivery_annotations
        elif kind == 0x72:
            READ_message_annotations
        elif kind == 0x73:
            count, at, stop = codec.count_of("properties", data, at)
            READ_properties
            if at != stop:
                return None
        elif kind == 0x74:
            READ_application_properties
        elif kind < 0x78:
            if BODY is not None and kind != last:
                return None
            BODY, at = codec.read_body(kind, BODY, data, at, room)
        else:
            READ_footer
        last = kind
    if at > end or not end:
        return None
    """,
    before="""
    room = codec.Room()
    room.levels -= 1
    """,
    writing="""
    out = Writer()
    room.levels += 1
    WRITE_header
    WRITE_delivery_annotations
    WRITE_message_annotations
    WRITE_properties
    WRITE_application_properties
    WRITE_body
    WRITE_footer
    return out.getvalue()
    """,
    maps={name: _section(name, *codes) for name, codes in _SECTIONS.items()},
    parts={
        "body": "codec.write_body(out, VALUE, room)",
        **{name: f"codec.write_section(out, {code:#04x}, VALUE, room)" for name, (code, _) in _SECTIONS.items()},
    },
)
"""The sections of a message in their order (part 3 section 3.2)."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.amqp10",
    types="AMQP10_TYPES",
    uses=("mqconvert.converters.protocols.amqp10.message", "mqconvert.converters.model.values"),
    shapes=[
        HEADER,
        PROPERTIES,
        Coded(name="value", rows=VALUES, reading="room", writing="room", named=True),
    ],
    message=MESSAGE,
)

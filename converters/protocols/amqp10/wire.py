"""How AMQP 1.0 stands in bytes: the encodings of values (part 1 section 1.6), and sections (part 3 section 3.2)."""

from collections.abc import Callable
from dataclasses import replace
from textwrap import dedent, indent

from mqconvert.converters.model.fields import names
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.sections import FIRST, LAST, SECTIONS, STRINGS, Section
from mqconvert.converters.wire.forms import FLOAT, SIZE_AT, Form, coded, sized
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout
from mqconvert.converters.wire.shapes import Coded, Lines, Positional


def _text(type_: str, width: int, write: str = "") -> Form:
    """Return an encoding of text behind its size of `width` bytes."""
    decoded = f"""
        after = AT + {width} + {SIZE_AT[width]}
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
    return _signed(type_, "out.write(TAG)\nwrite_u8(out, whole & 0xff)", "-128 <= (whole := VALUE) < 128")


def _small_unsigned(type_: str) -> Form:
    """Return that of a type without a sign, whose 0 has another encoding, too."""
    write = "out.write(TAG)\nwrite_u8(out, whole)"
    return Form(type=type_, takes="int", read="data[AT]", size=1, fits="0 < (whole := VALUE) < 256", write=write)


def _compound(type_: str, head: str, write: str = "") -> Form:
    """Return an encoding of several values behind their size and count, which the codec's function `head` reads."""
    read = f"number, value_at, after = codec.{head}(data, AT)\nvalue = codec.read_{type_}(number, data, value_at, after, room)"
    return Form(type=type_, first=read, write=write)


VALUES = {
    b"\xa1": _text("string", 1, "write_varied_text(out, CODE, VALUE)"),  # or its large encoding
    b"\xa3": _text(
        "symbol",
        1,
        """
        if not VALUE.isascii():
            raise ValueError
        write_varied_text(out, CODE, VALUE)
        """,
    ),
    b"\x54": _small("int"),
    b"\x71": coded("int", "i32", "whole"),
    b"\x55": _small("long"),
    b"\x81": coded("long", "i64", "whole"),
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
    b"\x82": coded("double", "f64"),
    b"\x98": _fixed("uuid", 16),
    b"\xa0": sized(
        "binary",
        1,
        takes="bytes",
        fits="(size := len(VALUE)) < 256",
        write="out.write(TAG)\nwrite_u8(out, size)\nout.write(VALUE)",
    ),
    b"\xb0": sized("binary", 4, write="out.write(TAG)\nwrite_u32(out, size)\nout.write(VALUE)"),
    b"\x50": Form(type="ubyte", takes="int", read="data[AT]", size=1, write="out.write(TAG)\nwrite_u8(out, VALUE)"),
    b"\x52": _small_unsigned("uint"),
    b"\x43": Form(type="uint", read="0", size=0, fits="not whole", write="out.write(TAG)"),
    b"\x70": coded("uint", "u32", "whole"),
    b"\x53": _small_unsigned("ulong"),
    b"\x44": Form(type="ulong", read="0", size=0, fits="not whole", write="out.write(TAG)"),
    b"\x80": coded("ulong", "u64", "whole"),
    b"\x83": coded("timestamp", "i64"),
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
    b"\x60": coded("ushort", "u16"),
    b"\x51": _signed("byte", "out.write(TAG)\nwrite_i8(out, VALUE)"),
    b"\x61": coded("short", "i16"),
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
        write="out.write(TAG)\nwrite_u32(out, VALUE)",
    ),
    b"\x74": _fixed("decimal32", 4),
    b"\x84": _fixed("decimal64", 8),
    b"\x94": _fixed("decimal128", 16),
    b"\xb1": _text("string", 4),
    b"\xb3": _text("symbol", 4),
}
"""The encodings of values by their codes, frequent types first. Of a type, the first that fits is written."""

_LISTS = {
    section.name: Positional(name=section.name, of=section.of, rows=VALUES, head=bytes((0x00, 0x53, section.code)), path=".")
    for section in SECTIONS
    if section.of is not None
}
"""The shapes of the sections that are lists of fields."""


def _entries(section: Section) -> Entries:
    """Return how the entries of a section that is a map stand in bytes."""
    return Entries(
        each=f"codec.write_entry(OUT, {section.keys:#04x}, KEY, TYPE, VALUE, room)",
        texts={
            "string": f"""
            codec.write_key(OUT, {section.keys:#04x}, KEY, room)
            write_varied_octets(OUT, {STRINGS:#04x}, data, BEGIN, END)
            """
        },
        whole=f"codec.write_entries(out, {section.code:#04x}, VALUE, COUNT)",
        read=f"PLACE, at = codec.read_entries({section.name!r}, {section.keys:#04x}, data, at, room)",
        find="""
        PLACE = at
        at = codec.end_of(data, at)
        """,
        first=f"""
        count, at, stop = codec.entries_at({section.name!r}, data, PLACE, room)
        room.levels -= 1
        """,
        more="count",
        next=f"""
        count -= 2
        KEY, type_, value, at = codec.read_entry({section.name!r}, {section.keys:#04x}, data, at, room)
        """,
        last="""
        if at != stop:
            return None
        room.levels += 1
        """,
    )


def _indented(text: str) -> str:
    return indent(dedent(text).strip("\n"), "    ")


def _branches(code: str, place: Callable[[Section], str], read: Callable[[Section], str]) -> str:
    """Return the statements that read the section with a descriptor; those of `read` read the fields or entries of one."""
    branches = {}
    for section in SECTIONS:
        if section.of is not None:
            count = f"count, at, stop = codec.count_of({section.name!r}, {len(names(section.of))}, data, at)"
            text = f"{count}\n{read(section)}\nif at != stop: raise codec.misfit(at, stop)"
        elif section.keys:
            text = read(section)
        else:
            text = f"{place(section)}, at = codec.read_body({code}, {place(section)}, data, at, room)"
        branches[section.name] = f"if {code} <= {section.code:#04x}:\n{_indented(text)}"
    return "\nel".join(branches.values())


def _made(section: Section) -> str:
    return f"made.{section.name}"


def _read(section: Section) -> str:
    """Return the statements that read the fields or entries of a section into a message."""
    if section.of is None:
        return _entries(section).read.replace("PLACE", _made(section))
    made = f"{_made(section)} = {section.of.__name__}()"
    return f"{made}\nat = read_{section.name}({_made(section)}, data, at, count, room)"


def _write(section: Section, value: str) -> str:
    """Return the statements that write a section."""
    if section.of is not None:
        return f"codec.check_class({value}, {section.of.__name__})\nwrite_{section.name}(out, {value}, room)"
    if section.keys:
        before = "out.write(octets)\noctets = b''\n" if section.code > _BODY else ""
        return f"{before}codec.write_section(out, {section.code:#04x}, {section.keys:#04x}, {value}, room)"
    return f"octets = codec.write_body(out, {value}, room)"


_FIELDS = {section.name: section for section in SECTIONS}
_BODY = next(section.code for section in SECTIONS if section.name == "body")
"""The descriptor of the first part of a body; sections before it stand in the order of their descriptors."""
_READING = f"""
end = len(data)
room = codec.Room()
while at < end:
    if data[at] == 0 and data[at + 1] == 0x53 and {FIRST:#04x} <= (kind := data[at + 2]) <= {LAST:#04x}:
        at += 3
    else:
        kind, at = codec.descriptor(data, at, room)
    if (kind <= last or last >= {_BODY:#04x}) and not codec.may_follow(kind, last):
        return None
{_indented(_branches("kind", lambda section: section.name.upper(), lambda section: f"READ_{section.name}"))}
    last = kind
if at > end or not end:
    return None
"""
_BEGIN = ("out = Writer()", "room.levels += 1", "octets = b''")
_WRITING = "\n".join(
    f"""
value = given.{name}
if value is not None:
    section = {name!r}
{_indented(_write(section, "value"))}
"""
    for name, section in _FIELDS.items()
)

MESSAGE = MessageLayout(
    shapes=_LISTS,
    reading=_READING,
    before="""
    room = codec.Room()
    room.levels -= 1
    """,
    writing="\n".join([*_BEGIN, *(f"WRITE_{name}" for name in _FIELDS), "return ended(out, octets, b'')"]),
    maps={name: _entries(section) for name, section in _FIELDS.items() if section.keys},
    parts={
        **{name: _write(section, "VALUE") for name, section in _FIELDS.items() if section.keys},
        "body": """
        if type(VALUE) is bytes:
            octets = codec.write_data(out, VALUE)
        else:
            octets = codec.write_body(out, VALUE, room)
        """,
    },
    alone={"body": "Data([{0}])"},
)
"""The sections of a message in their order (part 3 section 3.2)."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.amqp10",
    types="AMQP10_TYPES",
    uses=("mqconvert.converters.protocols.amqp10.message", "mqconvert.converters.model.values"),
    shapes=[
        *_LISTS.values(),
        Lines(
            name="read_section",
            words="Read the section with a descriptor into a message, and return the offset behind it.",
            parameters="code made data at room",
            answer="i64",
            of=Message,
            text=f"{_branches('code', _made, _read)}\nreturn at",
        ),
        Lines(
            name="write_sections",
            words="Write the sections of a message; return the octets of its last data. EncodeError names an invalid field.",
            parameters="out given room",
            answer="bytes",
            of=Message,
            text=f"""
section: str = ''
octets: bytes = b''
try:
{_indented(_WRITING)}
except (EncodeError, OverflowError, StructError) as error:
    raise codec.unwritable(error, section) from None
if not section:
    raise EncodeError('bad_count', 'a message without sections', field='body')
return octets
""",
        ),
        Coded(name="value", rows=VALUES, reading="room", writing="room", named=True),
    ],
    message=MESSAGE,
)

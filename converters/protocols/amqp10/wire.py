"""How AMQP 1.0 stands in bytes: the encodings of values (part 1 section 1.6), and sections (part 3 section 3.2)."""

from dataclasses import replace

from mqconvert.converters.model.fields import names
from mqconvert.converters.printed.nodes import Attribute, Do, Expression, Hole, Literal, Name, Statement, either, hexadecimal
from mqconvert.converters.printed.templates import code, line, lines
from mqconvert.converters.protocols.amqp10.message import Message
from mqconvert.converters.protocols.amqp10.sections import FIRST, LAST, SECTIONS, STRINGS, Section
from mqconvert.converters.wire.coded import Coded, Positional
from mqconvert.converters.wire.forms import FLOAT, SIZE_AT, Form, coded, sized
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout
from mqconvert.converters.wire.shapes import function


def _text(type_: str, width: int, write: str = "") -> Form:
    """Return an encoding of text behind its size of `width` bytes."""
    ascii_alone = """
        if not text.isascii():
            raise codec.bad_text('symbol', data, {start}, after)
        """
    first = """
        after = {start} + {size}
        try:
            text = data[{start} : after].decode()
        except UnicodeError:
            raise codec.bad_text({type}, data, {start}, after) from None
        {ascii_alone}
        """
    start = code("{at} + {0}", Literal(width))
    checked = lines(ascii_alone, start=start) if type_ == "symbol" else ()
    decoded = lines(first, type=Literal(type_), start=start, size=SIZE_AT[width], ascii_alone=checked)
    return Form(type=type_, first=decoded, read="text", write=write)


def _fixed(type_: str, size: int) -> Form:
    """Return the encoding of a value that is bytes of a fixed size."""
    first = """
        if {at} + {0} > len(data):
            raise IndexError
        """
    write = """
        if len(value) != {0}:
            raise ValueError
        out.write({code_byte})
        out.write(value)
        """
    return Form(
        type=type_,
        takes="bytes",
        first=lines(first, Literal(size)),
        read=code("data[{at} : {at} + {0}]", Literal(size)),
        size=size,
        write=lines(write, Literal(size)),
    )


def _signed(type_: str, write: str, fits: str = "") -> Form:
    """Return the encoding of a number of one byte with a sign."""
    read = "number if number < 128 else number - 256"
    return Form(type=type_, takes="int", first="number = data[{at}]", read=read, size=1, fits=fits, write=write)


def _small(type_: str) -> Form:
    """Return that of a type whose larger numbers have another encoding."""
    return _signed(type_, "out.write({code_byte})\nwrite_u8(out, whole & 0xff)", "-128 <= (whole := value) < 128")


def _small_unsigned(type_: str) -> Form:
    """Return that of a type without a sign, whose 0 has another encoding, too."""
    write = "out.write({code_byte})\nwrite_u8(out, whole)"
    return Form(type=type_, takes="int", read="data[{at}]", size=1, fits="0 < (whole := value) < 256", write=write)


def _compound(type_: str, head: str, write: str = "") -> Form:
    """Return an encoding of several values behind their size and count, which the codec's function `head` reads."""
    text = "number, value_at, after = {head}(data, {at})\nvalue = {read}(number, data, value_at, after, room)"
    read = lines(text, head=Attribute(_CODEC, head), read=Attribute(_CODEC, f"read_{type_}"))
    return Form(type=type_, first=read, write=write)


_CODEC = Name("codec")


VALUES = {
    b"\xa1": _text("string", 1, "write_varied_text(out, {code}, value)"),  # or its large encoding
    b"\xa3": _text(
        "symbol",
        1,
        """
        if not value.isascii():
            raise ValueError
        write_varied_text(out, {code}, value)
        """,
    ),
    b"\x54": _small("int"),
    b"\x71": coded("int", "i32", "whole"),
    b"\x55": _small("long"),
    b"\x81": coded("long", "i64", "whole"),
    b"\x41": Form(type="boolean", takes="bool", read="True", size=0, fits="value", write="out.write({code_byte})"),
    b"\x42": Form(type="boolean", read="False", size=0, write="out.write({code_byte})"),
    b"\x56": Form(
        type="boolean",
        first="""
        if data[{at}] > 1:
            raise codec.no_boolean(data[{at}], {at})
        """,
        read="data[{at}] == 1",
        size=1,
    ),
    b"\x82": coded("double", "f64"),
    b"\x98": _fixed("uuid", 16),
    b"\xa0": sized(
        "binary",
        1,
        takes="bytes",
        fits="(size := len(value)) < 256",
        write="out.write({code_byte})\nwrite_u8(out, size)\nout.write(value)",
    ),
    b"\xb0": sized("binary", 4, write="out.write({code_byte})\nwrite_u32(out, size)\nout.write(value)"),
    b"\x50": Form(type="ubyte", takes="int", read="data[{at}]", size=1, write="out.write({code_byte})\nwrite_u8(out, value)"),
    b"\x52": _small_unsigned("uint"),
    b"\x43": Form(type="uint", read="0", size=0, fits="not whole", write="out.write({code_byte})"),
    b"\x70": coded("uint", "u32", "whole"),
    b"\x53": _small_unsigned("ulong"),
    b"\x44": Form(type="ulong", read="0", size=0, fits="not whole", write="out.write({code_byte})"),
    b"\x80": coded("ulong", "u64", "whole"),
    b"\x83": coded("timestamp", "i64"),
    b"\xc1": _compound("map", "head8", "codec.write_map(out, value, room)"),
    b"\xd1": _compound("map", "head32"),
    b"\x45": Form(type="list", read="[]", size=0, fits="type(value) is list and not value", write="out.write({code_byte})"),
    b"\xc0": _compound("list", "head8", "codec.write_list(out, value, room)"),
    b"\xd0": _compound("list", "head32"),
    b"\x40": Form(
        type="null",
        read="None",
        size=0,
        write="""
        if value is not None:
            raise ValueError
        out.write({code_byte})
        """,
    ),
    b"\xe0": _compound("array", "head8", "codec.write_array(out, value, room)"),
    b"\xf0": _compound("array", "head32"),
    b"\0": Form(
        type="described",
        first="value, after = codec.read_described(data, {at}, room)",
        write="codec.write_described(out, value, room)",
    ),
    b"\x60": coded("ushort", "u16"),
    b"\x51": _signed("byte", "out.write({code_byte})\nwrite_i8(out, value)"),
    b"\x61": coded("short", "i16"),
    b"\x72": replace(FLOAT, takes="float"),
    b"\x73": Form(
        type="char",
        takes="fitting",
        first="""
        number = read_u32(data, {at})
        if number > 0x10ffff:
            raise codec.no_char(number, {at})
        """,
        read="number",
        size=4,
        write="out.write({code_byte})\nwrite_u32(out, value)",
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


def _facts(section: Section) -> dict[str, Expression]:
    """Return what fills holes of templates for a section."""
    return {"name": Literal(section.name), "code": hexadecimal(section.code), "keys": hexadecimal(section.keys)}


def _entries(section: Section) -> Entries:
    """Return how the entries of a section that is a map stand in bytes."""

    def own(text: str) -> tuple[Statement, ...]:
        return lines(text, strings=hexadecimal(STRINGS), **_facts(section))

    return Entries(
        each=own("codec.write_entry({out}, {keys}, {key}, {type}, {value}, room)"),
        texts={
            "string": own("""
            codec.write_key({out}, {keys}, {key}, room)
            write_varied_octets({out}, {strings}, data, {begin}, {end})
            """)
        },
        whole=own("codec.write_entries(out, {code}, {value}, {count})"),
        read=own("{place}, at = codec.read_entries({name}, {keys}, data, at, room)"),
        find="""
        {place} = at
        at = codec.end_of(data, at)
        """,
        first=own("""
        count, at, stop = codec.entries_at({name}, data, {place}, room)
        room.levels -= 1
        """),
        more="count",
        next=own("""
        count -= 2
        {key}, type_, value, at = codec.read_entry({name}, {keys}, data, at, room)
        """),
        last="""
        if at != stop:
            return None
        room.levels += 1
        """,
    )


_LIST = """
count, at, stop = codec.count_of({name}, {most}, data, at)
{read}
if at != stop: raise codec.misfit(at, stop)
"""


def _branch(section: Section) -> tuple[Statement, ...]:
    """Return the statements that read a section: {read_NAME} its fields or entries; a part of a body goes into {body}."""
    read = Do(Hole(f"read_{section.name}"))
    if section.of is not None:
        return lines(_LIST, most=Literal(len(names(section.of))), read=[read], **_facts(section))
    if section.keys:
        return (read,)
    return lines("{body}, at = codec.read_body({kind}, {body}, data, at, room)")


def _read(section: Section) -> tuple[Statement, ...]:
    """Return the statements that read the fields or entries of a section into a message."""
    place = Attribute(Name("made"), section.name)
    if section.of is None:
        return lines(_entries(section).read, place=place)
    text = "{place} = {of}()\nat = {read}({place}, data, at, count, room)"
    return lines(text, place=place, of=Name(section.of.__name__), read=Name(f"read_{section.name}"))


def _write(section: Section) -> tuple[Statement, ...]:
    """Return the statements that write {value}, a section."""
    if section.of is not None:
        text = "codec.check_class({value}, {of})\n{write}(out, {value}, room)"
        return lines(text, of=Name(section.of.__name__), write=Name(f"write_{section.name}"))
    if section.keys:
        before = lines("out.write(octets)\noctets = b''") if section.code > _BODY else ()
        return (*before, *lines("codec.write_section(out, {code}, {keys}, {value}, room)", **_facts(section)))
    return lines("octets = codec.write_body(out, {value}, room)")


_FIELDS = {section.name: section for section in SECTIONS}
"""The last section of each field: a body has one of several."""
_BODY = next(section.code for section in SECTIONS if section.name == "body")
"""The descriptor of the first part of a body; sections before it stand in the order of their descriptors."""
_BRANCHES = either((code("{kind} <= {0}", hexadecimal(section.code)), _branch(section)) for section in _FIELDS.values())
"""Read the section whose descriptor is {kind}."""
_READING = lines(
    """
    end = len(data)
    room = codec.Room()
    while at < end:
        if data[at] == 0 and data[at + 1] == 0x53 and {first} <= (kind := data[at + 2]) <= {final}:
            at += 3
        else:
            kind, at = codec.descriptor(data, at, room)
        if (kind <= last or last >= {first_of_body}) and not codec.may_follow(kind, last):
            return None
        {section}
        last = kind
    if at > end or not end:
        return None
    """,
    first=hexadecimal(FIRST),
    final=hexadecimal(LAST),
    first_of_body=hexadecimal(_BODY),
    section=lines(_BRANCHES, kind=Name("kind")),
)
_WRITE_IF_SET = """
value = {given}
if value is not None:
    section = {name}
    {write}
"""
_WRITING = [
    statement
    for name, section in _FIELDS.items()
    for statement in lines(
        _WRITE_IF_SET,
        given=Attribute(Name("given"), name),
        name=Literal(name),
        write=lines(_write(section), value=Name("value")),
    )
]

MESSAGE = MessageLayout(
    shapes=_LISTS,
    reading=_READING,
    before="""
    room = codec.Room()
    room.levels -= 1
    """,
    writing=lines(
        """
        out = Writer()
        room.levels += 1
        octets = b''
        {sections}
        return ended(out, octets, b'')
        """,
        sections=[Do(Hole(f"write_{name}")) for name in _FIELDS],
    ),
    maps={name: _entries(section) for name, section in _FIELDS.items() if section.keys},
    parts={
        **{name: _write(section) for name, section in _FIELDS.items() if section.keys},
        "body": """
        if type({value}) is bytes:
            octets = codec.write_data(out, {value})
        else:
            octets = codec.write_body(out, {value}, room)
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
        function(
            "read_section",
            words="Read the section with a descriptor into a message, and return the offset behind it.",
            parameters="code made data at room",
            answer="i64",
            of=Message.__name__,
            body=lines(
                (*_BRANCHES, line("return at")),
                kind=Name("code"),
                body=Attribute(Name("made"), "body"),
                **{f"read_{name}": _read(section) for name, section in _FIELDS.items() if name != "body"},
            ),
        ),
        function(
            "write_sections",
            words="Write the sections of a message; return the octets of its last data. EncodeError names an invalid field.",
            parameters="out given room",
            answer="bytes",
            of=Message.__name__,
            body=lines(
                """
                section: str = ''
                octets: bytes = b''
                try:
                    {sections}
                except (EncodeError, OverflowError, StructError) as error:
                    raise codec.unwritable(error, section) from None
                if not section:
                    raise EncodeError('bad_count', 'a message without sections', field='body')
                return octets
                """,
                sections=_WRITING,
            ),
        ),
        Coded(name="value", rows=VALUES, read_parameters="room", write_parameters="room", named=True),
    ],
    message=MESSAGE,
)

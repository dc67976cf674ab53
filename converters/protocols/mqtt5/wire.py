"""How MQTT 5.0 stands in bytes: the properties of a PUBLISH behind their identifiers (section 3.3.2.3)."""

from operator import itemgetter

from mqconvert.converters.model.fields import tags
from mqconvert.converters.printed.nodes import Name
from mqconvert.converters.printed.templates import code, lines
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.wire.forms import SIZE_AT, Form, sized
from mqconvert.converters.wire.groups import Tagged
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout

_TEXT = lines("after = {at} + 2 + {0}\ntext = data[{at} + 2 : after].decode()", SIZE_AT[2])
"""Two bytes have the size of a string or of binary data (sections 1.5.4 and 1.5.6)."""


_PAIR = """
value_at = {at} + 2 + (data[{at}] << 8 | data[{at} + 1])
after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
{key} = data[{at} + 2 : value_at].decode()
"""
"""Reads the key of a pair of strings (section 1.5.7); its text is from `value_at + 2` to `after`."""

BIT = Form(
    type="bit",
    first="number = data[{at}]",
    read="number",
    size=1,
    unsound="number > 1",
    refusal="codec.bad_number({field}, number, {at}, {field})",
    write="out.write({code_byte})\nwrite_u8(out, value if type(value) is int and value <= 1 else -1)",
)
UINT = Form(
    type="uint",
    read="read_u32(data, {at})",
    size=4,
    write="out.write({code_byte})\nwrite_u32(out, value if type(value) is int else -1)",
)
ALIAS = Form(
    type="ushort",
    first="number = data[{at}] << 8 | data[{at} + 1]",
    read="number",
    size=2,
    unsound="not number",
    refusal="codec.bad_number('topic alias', number, {at}, {field})",
    write="out.write({code_byte})\nwrite_u16(out, value if type(value) is int and value else -1)",
    careful="codec.check_alias(value)\nout.write({code_byte})\nwrite_u16(out, value)",
)
UTF8 = Form(
    type="utf8",
    first=_TEXT,
    read="text",
    unsound="'\\0' in text",
    careful_read="value, after = codec.read_text(data, {at}, end)",
    write="""
    if type(value) is not str:
        raise ValueError
    text = value
    if '\\0' in text:
        raise ValueError
    write_coded_text16(out, {code}, text)
    """,
)
TOPIC = Form(
    type="topic",
    first=_TEXT,
    read="text",
    unsound="not text or '\\0' in text or '+' in text or '#' in text",
    careful_read="value, after = codec.read_topic(data, {at}, end, {field})",
    write="""
    if topic_fault(value) is not None:
        raise ValueError
    write_coded_text16(out, {code}, value)
    """,
)
BINARY = sized(
    "binary",
    2,
    careful_read="after = codec.end_of_bytes(data, {at}, end)\nvalue = data[{at} + 2 : after]",
    write="""
    if type(value) is not bytes:
        raise ValueError
    raw = value
    out.write({code_byte})
    write_u16(out, len(raw))
    out.write(raw)
    """,
)
PAIR = Form(
    type="utf8-pairs",
    many=True,
    first=lines("{0}\ntext = data[value_at + 2 : after].decode()", lines(_PAIR, key=Name("key"))),
    read="(key, text)",
    unsound="'\\0' in key or '\\0' in text",
    careful_read="value, after = codec.read_pair(data, {at}, end)",
    write="codec.write_user_properties(out, value)",
    careful="codec.write_user_properties(out, value)",
)
SUBSCRIPTION = Form(
    type="varints",
    many=True,
    first="number, after = codec.read_varint(data, {at}, end)",
    read="number",
    unsound="not number",
    refusal="codec.bad_number('subscription identifier', number, at, None)",
    write="codec.write_subscription_identifiers(out, value)",
    careful="codec.write_subscription_identifiers(out, value)",
)

PROPERTIES = Tagged(
    name="properties",
    of=Message,
    tags=dict(sorted(tags(Message).items(), key=itemgetter(1), reverse=True)),  # user properties first: there may be many
    forms={form.type: form for form in (BIT, UINT, ALIAS, UTF8, TOPIC, BINARY, PAIR, SUBSCRIPTION)},
)

_NEXT_PAIR = lines(
    """
    {pair}
    if '\\0' in {key} or not is_text(data, value_at + 2, after):
        return None
    at = after
    """,
    pair=lines(_PAIR, at=code("at + 1")),
)

MESSAGE = MessageLayout(
    shapes={"properties": PROPERTIES},
    reading="""
    {dup}, {qos}, {retain}, {topic_name}, {packet_identifier}, at, end = codec.read_head(data, 0)
    if end != len(data):
        return None
    size, at = codec.read_varint(data, at, end)
    end = at + size
    if end > len(data):
        return None
    {payload} = data[end:]
    {read_properties}
    if at != end or not {topic_name} and {topic_alias} is None:
        return None
    """,
    writing="""
    identifier = codec.checked_identifier({qos}, {topic_name}, {packet_identifier}, {topic_alias} is not None)
    out = Writer()
    {write_properties}
    return codec.packet({dup}, {qos}, {retain}, {topic_name}, identifier, {payload}, out.getvalue())
    """,
    maps={
        "user_properties": Entries(
            each="codec.write_user_property({out}, {key}, {value})",
            whole="write_from(out, {value})",
            find="""
            if {place}:  # pairs with another property between them
                return None
            {place} = at
            while at < end and data[at] == 0x26:
                at += 3 + (data[at + 1] << 8 | data[at + 2])
                at += 2 + (data[at] << 8 | data[at + 1])
            """,
            first="at = {place}",
            more="at < end and data[at] == 0x26",
            next=_NEXT_PAIR,
            text=(code("value_at + 2"), code("after")),
        )
    },
)
"""One PUBLISH packet (section 3.3)."""

LAYOUT = Layout(
    package="mqconvert.converters.protocols.mqtt5",
    types="MQTT_TYPES",
    uses=("mqconvert.converters.protocols.mqtt5.message", "mqconvert.converters.model.plain"),
    shapes=[PROPERTIES],
    message=MESSAGE,
)

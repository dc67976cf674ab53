"""How MQTT 5.0 stands in bytes: the properties of a PUBLISH behind their identifiers (section 3.3.2.3)."""

from operator import itemgetter

from mqconvert.converters.model.fields import tags
from mqconvert.converters.printed.templates import template
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.wire.forms import SIZE_AT, Form, sized
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.messages import Entries, MessageLayout
from mqconvert.converters.wire.shapes import Tagged

_TEXT = f"after = AT + 2 + {SIZE_AT[2]}\ntext = data[AT + 2 : after].decode()"
"""Two bytes have the size of a string or of binary data (sections 1.5.4 and 1.5.6)."""


def _pair(at: str, key: str) -> str:
    """Return the lines that read the key of a pair of strings (section 1.5.7); its text is from `value_at + 2` to `after`."""
    return f"""
value_at = {at} + 2 + (data[{at}] << 8 | data[{at} + 1])
after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
{key} = data[{at} + 2 : value_at].decode()
"""


BIT = Form(
    type="bit",
    first="number = data[AT]",
    read="number",
    size=1,
    unsound="number > 1",
    refusal="codec.bad_number(FIELD, number, AT, FIELD)",
    write="out.write(TAG)\nwrite_u8(out, VALUE if type(VALUE) is int and VALUE <= 1 else -1)",
)
UINT = Form(
    type="uint",
    read="read_u32(data, AT)",
    size=4,
    write="out.write(TAG)\nwrite_u32(out, VALUE if type(VALUE) is int else -1)",
)
ALIAS = Form(
    type="ushort",
    first="number = data[AT] << 8 | data[AT + 1]",
    read="number",
    size=2,
    unsound="not number",
    refusal="codec.bad_number('topic alias', number, AT, FIELD)",
    write="out.write(TAG)\nwrite_u16(out, VALUE if type(VALUE) is int and VALUE else -1)",
    careful="codec.check_alias(VALUE)\nout.write(TAG)\nwrite_u16(out, VALUE)",
)
UTF8 = Form(
    type="utf8",
    first=_TEXT,
    read="text",
    unsound="'\\0' in text",
    careful_read="value, after = codec.read_text(data, AT, end)",
    write="""
    if type(VALUE) is not str:
        raise ValueError
    text = VALUE
    if '\\0' in text:
        raise ValueError
    write_coded_text16(out, CODE, text)
    """,
)
TOPIC = Form(
    type="topic",
    first=_TEXT,
    read="text",
    unsound="not text or '\\0' in text or '+' in text or '#' in text",
    careful_read="value, after = codec.read_topic(data, AT, end, FIELD)",
    write="""
    if topic_fault(VALUE) is not None:
        raise ValueError
    write_coded_text16(out, CODE, VALUE)
    """,
)
BINARY = sized(
    "binary",
    2,
    careful_read="after = codec.end_of_bytes(data, AT, end)\nvalue = data[AT + 2 : after]",
    write="""
    if type(VALUE) is not bytes:
        raise ValueError
    raw = VALUE
    out.write(TAG)
    write_u16(out, len(raw))
    out.write(raw)
    """,
)
PAIR = Form(
    type="utf8-pairs",
    many=True,
    first=f"{_pair('AT', 'key')}text = data[value_at + 2 : after].decode()",
    read="(key, text)",
    unsound="'\\0' in key or '\\0' in text",
    careful_read="value, after = codec.read_pair(data, AT, end)",
    write="codec.write_user_properties(out, VALUE)",
    careful="codec.write_user_properties(out, VALUE)",
)
SUBSCRIPTION = Form(
    type="varints",
    many=True,
    first="number, after = codec.read_varint(data, AT, end)",
    read="number",
    unsound="not number",
    refusal="codec.bad_number('subscription identifier', number, at, None)",
    write="codec.write_subscription_identifiers(out, VALUE)",
    careful="codec.write_subscription_identifiers(out, VALUE)",
)

PROPERTIES = Tagged(
    name="properties",
    of=Message,
    tags=dict(sorted(tags(Message).items(), key=itemgetter(1), reverse=True)),  # user properties first: there may be many
    forms={form.type: form for form in (BIT, UINT, ALIAS, UTF8, TOPIC, BINARY, PAIR, SUBSCRIPTION)},
)

_NEXT_PAIR = f"""{_pair("at + 1", "KEY")}
if '\\0' in KEY or not is_text(data, value_at + 2, after):
    return None
at = after
"""

MESSAGE = MessageLayout(
    shapes={"properties": PROPERTIES},
    reading="""
    DUP, QOS, RETAIN, TOPIC_NAME, PACKET_IDENTIFIER, at, end = codec.read_head(data, 0)
    if end != len(data):
        return None
    size, at = codec.read_varint(data, at, end)
    end = at + size
    if end > len(data):
        return None
    PAYLOAD = data[end:]
    READ_properties
    if at != end or not TOPIC_NAME and TOPIC_ALIAS is None:
        return None
    """,
    writing="""
    identifier = codec.checked_identifier(QOS, TOPIC_NAME, PACKET_IDENTIFIER, TOPIC_ALIAS is not None)
    out = Writer()
    WRITE_properties
    return codec.packet(DUP, QOS, RETAIN, TOPIC_NAME, identifier, PAYLOAD, out.getvalue())
    """,
    maps={
        "user_properties": Entries(
            each="codec.write_user_property(OUT, KEY, VALUE)",
            whole="write_from(out, VALUE)",
            find="""
            if PLACE:  # pairs with another property between them
                return None
            PLACE = at
            while at < end and data[at] == 0x26:
                at += 3 + (data[at + 1] << 8 | data[at + 2])
                at += 2 + (data[at] << 8 | data[at + 1])
            """,
            first="at = PLACE",
            more="at < end and data[at] == 0x26",
            next=_NEXT_PAIR,
            text=(template("value_at + 2"), template("after")),
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

"""How RocketMQ stands in bytes: the fixed parts of a stored record and a binary header, and the fields of a send request."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Final

from mqconvert.converters.printed.nodes import Literal, Name, hexadecimal
from mqconvert.converters.printed.templates import Block, code, lines
from mqconvert.converters.protocols.rocketmq.message import (
    DEFAULT_PRODUCER_GROUP,
    DEFAULT_TOPIC,
    DEFAULT_TOPIC_QUEUE_NUMS,
    FIXED,
    PUSHED,
    SENT,
    SYS_FLAG_BITS,
    Message,
)
from mqconvert.converters.wire.forms import Form, number
from mqconvert.converters.wire.groups import Record
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed

_TYPES: Final[dict[str, str]] = {field.name: field.metadata["types"][0] for field in fields(Message)}

# ---- stored records (section 7) ---------------------------------------------------------------------------------------

_OR_UNSET: Final = "value if type(value) is int else codec.UNSET[value]"
_INT: Final = number("int", "i32", _OR_UNSET)
_LONG: Final = number("long", "i64", _OR_UNSET)
_WIDE: Final = {"born_host": hexadecimal(0x10), "store_host": hexadecimal(0x20)}
"""The hosts, with the bits of sysFlag for an IPv6 address."""
_OWN_BITS: Final = lines("if type(value) is not int or value & {0}: raise ValueError", Literal(SYS_FLAG_BITS))
"""The bits of the encoding are those of the writer's parameter `bits`."""
_SYS_FLAG: Final = lines(
    """
    {own_bits}
    write_i32(out, value | bits | codec.width(given.born_host, {born_host}) | codec.width(given.store_host, {store_host}))
    """,
    own_bits=_OWN_BITS,
    **_WIDE,
)
_STORED: Final[dict[str, Form]] = {
    "int": _INT,
    "long": _LONG,
    "timestamp": _LONG,
    "flag": replace(_INT, write="if type(value) is not int: raise ValueError\nwrite_i32(out, value)"),
    "sys_flag": replace(_INT, write=_SYS_FLAG),
    "prepared_transaction_offset": replace(_LONG, read="read_i64(data, {at}) or None"),
} | {
    host: Form(
        type="host",
        first=lines("after = {at} + (20 if made.sys_flag & {0} else 8)", bit),
        read="codec.host_text(data[{at} : after])",
        write="codec.write_host(out, value)",
    )
    for host, bit in _WIDE.items()
}
"""The forms of a record's fields by their wire types, and those of fields that have one of their own."""
_IN_ORDER: Final = (
    *("queue_id", "flag", "queue_offset", "physical_offset", "sys_flag", "born_timestamp", "born_host", "store_timestamp"),
    *("store_host", "reconsume_times", "prepared_transaction_offset"),
)
"""The fields of a record between the checksum and the body."""

# ---- send requests (section 6.1) --------------------------------------------------------------------------------------

_INT_TEXT: Final = """
if type(value) is not int: raise ValueError
number = value
if not -2147483648 <= number < 2147483648: raise ValueError
texts.append(str({number}))
"""
_LONG_TEXT: Final = """
if type(value) is not int or not -9223372036854775808 <= value < 9223372036854775808: raise ValueError
texts.append(str(value))
"""
_OR_UNSET_TEXT: Final = """
if value is None:
    texts.append({unset})
else:
    {written}
"""
_INT_OR_UNSET: Final = lines(_OR_UNSET_TEXT, written=lines(_INT_TEXT, number=Name("number")))
_LONG_OR_UNSET: Final = lines(_OR_UNSET_TEXT, written=lines(_LONG_TEXT))
_TRUTH: Final = """
if value is not None and type(value) is not bool: raise ValueError
texts.append('true' if value else 'false')
"""
_READ_LONG: Final = "codec.number_at(texts[{at}], 64, {field})"
_TEXTS: Final[dict[str, tuple[str, Block]]] = {
    "int": ("codec.number_at(texts[{at}], 32, {field})", _INT_OR_UNSET),
    "timestamp": (_READ_LONG, _LONG_OR_UNSET),
    "long": (_READ_LONG, _LONG_OR_UNSET),
    "boolean": ("codec.truth_at(texts[{at}], {field}) or None", _TRUTH),
    "host": ("codec.read_host(texts[{at}], {field})", "texts.append(codec.java_host(value or {unset}, {field}))"),
}
"""How the fields of a header are read and written by their wire types; `unset` is the text of an unset one."""
_TEXT: Final = ("texts[{at}] or None", "texts.append({unset} if value is None else codec.sound_text(value, {unset}))")
"""How those of all other types are."""


def _of(field: str) -> Form:
    """Return the form of a field of a header by its wire type, with the text of an unset one by `_UNSET`."""
    read, write = _TEXTS.get(_TYPES[field], _TEXT)
    holes = {"field": Literal(field), "unset": Literal(_UNSET.get(field))}
    return Form(type=_TYPES[field], size=1, read=code(read, **holes), write=lines(write, **holes))


_UNSET: Final = {
    "producer_group": DEFAULT_PRODUCER_GROUP,
    "default_topic": DEFAULT_TOPIC,
    "default_topic_queue_nums": str(DEFAULT_TOPIC_QUEUE_NUMS),
    "queue_id": "0",
    "born_timestamp": "0",
    "store_timestamp": "0",
    **dict.fromkeys(("born_host", "store_host"), "0.0.0.0:0"),
}
"""The texts of unset fields. Of others, truth values are written as false, and the rest is not written."""
_OWN: Final[dict[str, Form]] = {
    "topic": Form(type="topic", size=1, read="texts[{at}] or ''", write="texts.append(codec.sound_text(value, None))"),
    "default_topic": replace(
        _of("default_topic"), read=code("None if texts[{at}] == {0} else texts[{at}] or None", Literal(DEFAULT_TOPIC))
    ),
    "default_topic_queue_nums": replace(
        _of("default_topic_queue_nums"),
        first="value = codec.number_at(texts[{at}], 32, 'default_topic_queue_nums')",
        read=code("None if value == {0} else value", Literal(DEFAULT_TOPIC_QUEUE_NUMS)),
    ),
    "sys_flag": Form(
        type="int",
        size=1,
        read="codec.number_at(texts[{at}], 32, 'sys_flag') or 0",
        write=(*_OWN_BITS, *lines(_INT_TEXT, number=code("number | bits"))),
    ),
    "flag": Form(
        type="int", size=1, read="codec.number_at(texts[{at}], 32, 'flag') or 0", write=lines(_INT_TEXT, number=Name("number"))
    ),
    "property_string": Form(type="utf8", size=1, write="texts.append(text or None)"),
    "batch": Form(type="boolean", size=1, write="texts.append('true' if batch else 'false')"),
}
"""The forms of fields that have one of their own."""


def _header(names: Iterable[str]) -> dict[str, Form]:
    """Return the fields of a request with their forms, which are texts, None where one is not there."""
    return {field: _OWN.get(field) or _of(field) for field in names}


_APART: Final = ("topic", "body", "properties", "frame")

LAYOUT = Layout(
    package="mqconvert.converters.protocols.rocketmq",
    types="ROCKETMQ_TYPES",
    uses=("mqconvert.converters.protocols.rocketmq.message",),
    shapes=[
        Fixed(name="header", layout=FIXED),
        Fixed(name="field", layout=">HBIx"),  # size of a name, its only letter, size of the value; one byte more
        Record(
            name="record",
            of=Message,
            parts={field: _STORED.get(field) or _STORED[_TYPES[field]] for field in _IN_ORDER},
            apart=_APART,
            write_parameters="bits",
        ),
        Record(
            name="request",
            of=Message,
            source="texts",
            into="texts",
            parts=_header(SENT),
            apart=_APART,
            write_parameters="text bits batch",
        ),
        Record(
            name="pushed",
            of=Message,
            source="texts",
            into="texts",
            parts=_header(PUSHED),
            apart=tuple(_TYPES),
        ),
    ],
)

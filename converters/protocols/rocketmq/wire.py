"""How RocketMQ stands in bytes: the fixed parts of a stored record and a binary header, and the fields of a send request."""

from collections.abc import Iterable
from dataclasses import fields, replace
from textwrap import indent
from typing import Final

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
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, Record

_TYPES: Final[dict[str, str]] = {field.name: field.metadata["types"][0] for field in fields(Message)}

# ---- stored records (section 7) ---------------------------------------------------------------------------------------

_OR_UNSET: Final = "VALUE if type(VALUE) is int else codec.UNSET[VALUE]"
_INT: Final = number("int", "i32", _OR_UNSET)
_LONG: Final = number("long", "i64", _OR_UNSET)
_WIDE: Final = {"born_host": 0x10, "store_host": 0x20}
"""The hosts, with the bits of sysFlag for an IPv6 address."""
_WIDTHS: Final = " | ".join(f"codec.width(given.{host}, {bit:#x})" for host, bit in _WIDE.items())
_OWN_BITS: Final = f"if type(VALUE) is not int or VALUE & {SYS_FLAG_BITS}: raise ValueError\n"
"""The bits of the encoding are those of the writer's parameter `bits`."""
_STORED: Final[dict[str, Form]] = {
    "int": _INT,
    "long": _LONG,
    "timestamp": _LONG,
    "flag": replace(_INT, write="if type(VALUE) is not int: raise ValueError\nwrite_i32(out, VALUE)"),
    "sys_flag": replace(_INT, write=f"{_OWN_BITS}write_i32(out, VALUE | bits | {_WIDTHS})"),
    "prepared_transaction_offset": replace(_LONG, read="read_i64(data, AT) or None"),
} | {
    host: Form(
        type="host",
        first=f"after = AT + (20 if made.sys_flag & {bit:#x} else 8)",
        read="codec.host_text(data[AT : after])",
        write="codec.write_host(out, VALUE)",
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

_INT_TEXT: Final = f"""
if type(VALUE) is not int: raise ValueError
number = VALUE
if not {-(2**31)} <= number < {2**31}: raise ValueError
texts.append(str(number))
"""
_LONG_TEXT: Final = f"""
if type(VALUE) is not int or not {-(2**63)} <= VALUE < {2**63}: raise ValueError
texts.append(str(VALUE))
"""


def _of(field: str) -> Form:
    """Return the form of a field of a header by its wire type, with the text of an unset one by `_UNSET`."""
    unset = _UNSET.get(field)
    match _TYPES[field]:
        case "int":
            form, text = Form(type="int", read=f"codec.number_at(texts[AT], 32, {field!r})"), _INT_TEXT
        case "timestamp" | "long":
            form, text = Form(type="long", read=f"codec.number_at(texts[AT], 64, {field!r})"), _LONG_TEXT
        case "boolean":
            test = "if VALUE is not None and type(VALUE) is not bool: raise ValueError"
            write = f"{test}\ntexts.append('true' if VALUE else 'false')"
            return Form(type="boolean", size=1, read=f"codec.truth_at(texts[AT], {field!r}) or None", write=write)
        case "host":
            write = f"texts.append(codec.java_host(VALUE or {unset!r}, {field!r}))"
            return Form(type="host", size=1, read=f"codec.read_host(texts[AT], {field!r})", write=write)
        case type_:
            write = f"texts.append({unset!r} if VALUE is None else codec.sound_text(VALUE, {unset!r}))"
            return Form(type=type_, size=1, read="texts[AT] or None", write=write)
    write = f"if VALUE is None:\n    texts.append({unset!r})\nelse:\n{indent(text.strip(), '    ')}"
    return replace(form, size=1, write=write)


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
    "topic": Form(type="topic", size=1, read="texts[AT] or ''", write="texts.append(codec.sound_text(VALUE, None))"),
    "default_topic": replace(_of("default_topic"), read=f"None if texts[AT] == {DEFAULT_TOPIC!r} else texts[AT] or None"),
    "default_topic_queue_nums": replace(
        _of("default_topic_queue_nums"),
        first="value = codec.number_at(texts[AT], 32, 'default_topic_queue_nums')",
        read=f"None if value == {DEFAULT_TOPIC_QUEUE_NUMS} else value",
    ),
    "sys_flag": Form(
        type="int",
        size=1,
        read="codec.number_at(texts[AT], 32, 'sys_flag') or 0",
        write=f"{_OWN_BITS}{_INT_TEXT}".replace("str(number)", "str(number | bits)"),
    ),
    "flag": Form(type="int", size=1, read="codec.number_at(texts[AT], 32, 'flag') or 0", write=_INT_TEXT),
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
            beside="bits",
        ),
        Record(
            name="request",
            of=Message,
            source="texts",
            into="texts",
            parts=_header(SENT),
            apart=_APART,
            beside="text bits batch",
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

"""How RocketMQ stands in bytes: the fixed parts of a stored record and a binary header, and the fields of a send request."""

from dataclasses import fields, replace
from textwrap import indent
from typing import Final

from mqconvert.converters.protocols.rocketmq.message import (
    DEFAULT_PRODUCER_GROUP,
    DEFAULT_TOPIC,
    DEFAULT_TOPIC_QUEUE_NUMS,
    PUSHED,
    SENT,
    SYS_FLAG_BITS,
    Message,
)
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.layouts import Layout
from mqconvert.converters.wire.shapes import Fixed, Record

# ---- stored records (section 7) ---------------------------------------------------------------------------------------

INT = Form(
    type="int",
    read="read_i32(data, AT)",
    size=4,
    write="write_i32(out, VALUE if type(VALUE) is int else codec.UNSET[VALUE])",
)
LONG = Form(
    type="long",
    read="read_i64(data, AT)",
    size=8,
    write="write_i64(out, VALUE if type(VALUE) is int else codec.UNSET[VALUE])",
)
FLAG = replace(INT, write="if type(VALUE) is not int: raise ValueError\nwrite_i32(out, VALUE)")
_OWN_BITS = f"if type(VALUE) is not int or VALUE & {SYS_FLAG_BITS}: raise ValueError\n"
"""The bits of the encoding are those of the writer's parameter `bits`."""
SYS_FLAG = replace(
    INT,
    write=f"{_OWN_BITS}write_i32(out, VALUE | bits | codec.width(given.born_host, 0x10) | codec.width(given.store_host, 0x20))",
)
BORN_HOST = Form(
    type="host",
    first="after = AT + (20 if made.sys_flag & 0x10 else 8)",
    read="codec.host_text(data[AT : after])",
    write="codec.write_host(out, VALUE)",
)
STORE_HOST = replace(BORN_HOST, first="after = AT + (20 if made.sys_flag & 0x20 else 8)")
"""Bits 0x10 and 0x20 of sysFlag say that a host has an IPv6 address."""

STORED: Final[dict[str, Form]] = {
    "queue_id": INT,
    "flag": FLAG,
    "queue_offset": LONG,
    "physical_offset": LONG,
    "sys_flag": SYS_FLAG,
    "born_timestamp": LONG,
    "born_host": BORN_HOST,
    "store_timestamp": LONG,
    "store_host": STORE_HOST,
    "reconsume_times": INT,
    "prepared_transaction_offset": replace(LONG, read="read_i64(data, AT) or None"),
}
"""The fields of a record between the checksum and the body."""

# ---- send requests (section 6.1) --------------------------------------------------------------------------------------

_INT_TEXT: Final = f"""
if type(VALUE) is not int: raise ValueError
number = VALUE
if not {-(2**31)} <= number < {2**31}: raise ValueError
texts.append(str(number))
"""
_TEXTS: Final = {
    "int": _INT_TEXT,
    "long": f"if type(VALUE) is not int or not {-(2**63)} <= VALUE < {2**63}: raise ValueError\ntexts.append(str(VALUE))",
}
"""The statements that write a number by its wire type."""


def _number(field: str, read: str = "{}", unset: object = None, type_: str = "int") -> Form:
    """Return the form of a number, of which `read` makes the field; `unset` is written for an unset one."""
    return Form(
        type=type_,
        size=1,
        read=read.format(f"codec.{type_}_at(texts[AT], {field!r})"),
        write=f"if VALUE is None:\n    texts.append({unset!r})\nelse:\n{indent(_TEXTS[type_].strip(), '    ')}",
    )


def _text(read: str = "texts[AT] or None", unset: object = None) -> Form:
    """Return the form of a text; `unset` is written for an unset one."""
    return Form(
        type="utf8",
        size=1,
        read=read,
        write=f"texts.append({unset!r} if VALUE is None else codec.sound_text(VALUE, {unset!r}))",
    )


REQUEST: Final[dict[str, Form]] = {
    "producer_group": _text(unset=DEFAULT_PRODUCER_GROUP),
    "topic": Form(type="topic", size=1, read="texts[AT] or ''", write="texts.append(codec.sound_text(VALUE, None))"),
    "default_topic": _text(f"None if texts[AT] == {DEFAULT_TOPIC!r} else texts[AT] or None", DEFAULT_TOPIC),
    "default_topic_queue_nums": replace(
        _number("default_topic_queue_nums", unset=str(DEFAULT_TOPIC_QUEUE_NUMS)),
        first="value = codec.int_at(texts[AT], 'default_topic_queue_nums')",
        read=f"None if value == {DEFAULT_TOPIC_QUEUE_NUMS} else value",
    ),
    "queue_id": _number("queue_id", unset="0"),
    "sys_flag": replace(
        _number("sys_flag", "{} or 0"), write=f"{_OWN_BITS}{_INT_TEXT}".replace("str(number)", "str(number | bits)")
    ),
    "born_timestamp": _number("born_timestamp", unset="0", type_="long"),
    "flag": replace(_number("flag", "{} or 0"), write=_INT_TEXT),
    "property_string": Form(type="utf8", size=1, write="texts.append(text or None)"),
    "reconsume_times": _number("reconsume_times"),
    "unit_mode": Form(
        type="boolean",
        size=1,
        read="codec.truth_at(texts[AT], 'unit_mode') or None",
        write="""
        if VALUE is not None and type(VALUE) is not bool: raise ValueError
        texts.append('true' if VALUE else 'false')
        """,
    ),
    "max_reconsume_times": _number("max_reconsume_times"),
    "batch": Form(type="boolean", size=1, write="texts.append('true' if batch else 'false')"),
    "broker_name": _text(),
}
"""The texts of the fields, None where one is not there."""


def _host(field: str) -> Form:
    return Form(
        type="host",
        size=1,
        read=f"codec.read_host(texts[AT], {field!r})",
        write=f"texts.append(codec.java_host(VALUE or '0.0.0.0:0', {field!r}))",
    )


PUSH: Final[dict[str, Form]] = {
    "born_host": _host("born_host"),
    "store_host": _host("store_host"),
    "store_timestamp": _number("store_timestamp", unset="0", type_="long"),
}

_APART: Final = ("topic", "body", "properties", "frame")

LAYOUT = Layout(
    package="mqconvert.converters.protocols.rocketmq",
    types="ROCKETMQ_TYPES",
    uses=("mqconvert.converters.protocols.rocketmq.message",),
    shapes=[
        Fixed(name="header", layout=">hBhiii"),  # code, language, version, opaque, flag, size of the remark
        Fixed(name="field", layout=">HBIx"),  # size of a name, its only letter, size of the value; one byte more
        Record(name="record", of=Message, parts=STORED, apart=_APART, beside="bits"),
        Record(
            name="request",
            of=Message,
            source="texts",
            into="texts",
            parts={field: REQUEST[field] for field in SENT},
            apart=_APART,
            beside="text bits batch",
        ),
        Record(
            name="pushed",
            of=Message,
            source="texts",
            into="texts",
            parts={field: PUSH[field] for field in PUSHED},
            apart=[field.name for field in fields(Message)],
        ),
    ],
)

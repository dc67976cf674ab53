"""The codec printed from mqconvert.converters.protocols.amqp10.wire: `make generate` writes it."""

from mqconvert.converters.model.entries import TypedValue
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import Writer, here, put_sizes, read_i64, read_u32, write_coded_i64, write_coded_text8, write_coded_u8
import mqconvert.converters.protocols.amqp10.codec as codec
from mqconvert.converters.protocols.amqp10.message import Header, Properties
from typing import Any


def read_header(made: Header, data: bytes, at: i64, count: i64, room: Any) -> i64:
    'Read the first fields of Header, and return the offset behind them.'
    value: Any
    code: i64
    if count == 0:
        return at
    code = data[at]
    if code == 0x41:
        made.durable = True
        at += 1
    elif code == 0x42:
        made.durable = False
        at += 1
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('header', 0, code, data, at, room)
        made.durable = value
    if count == 1:
        return at
    code = data[at]
    if code == 0x50:
        made.priority = data[at + 1]
        at += 2
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('header', 1, code, data, at, room)
        made.priority = value
    if count == 2:
        return at
    code = data[at]
    if code == 0x52:
        made.ttl = data[at + 1]
        at += 2
    elif code == 0x70:
        made.ttl = read_u32(data, at + 1)
        at += 5
    elif code == 0x43:
        made.ttl = 0
        at += 1
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('header', 2, code, data, at, room)
        made.ttl = value
    if count == 3:
        return at
    code = data[at]
    if code == 0x41:
        made.first_acquirer = True
        at += 1
    elif code == 0x42:
        made.first_acquirer = False
        at += 1
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('header', 3, code, data, at, room)
        made.first_acquirer = value
    if count == 4:
        return at
    code = data[at]
    if code == 0x52:
        made.delivery_count = data[at + 1]
        at += 2
    elif code == 0x70:
        made.delivery_count = read_u32(data, at + 1)
        at += 5
    elif code == 0x43:
        made.delivery_count = 0
        at += 1
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('header', 4, code, data, at, room)
        made.delivery_count = value
    return at

def write_header(out: Writer, given: Header, room: Any) -> None:
    'Write the fields of Header as a list, without checks.'
    value: Any
    count: i64 = 0
    out.write(b'\x00Sp')
    place: i64 = here(out)
    out.write(b'\xc0\x00\x00')
    if (value := given.durable) is not None:
        if type(value) is not bool:
            raise ValueError
        out.write(b'A' if value else b'B')
        count = 1
    if (value := given.priority) is not None:
        if count < 1:
            out.write(codec.NULLS[1 - count])
        write_coded_u8(out, 0x50, value if type(value) is int else -1)
        count = 2
    if (value := given.ttl) is not None:
        if count < 2:
            out.write(codec.NULLS[2 - count])
        codec.write_uint(out, value)
        count = 3
    if (value := given.first_acquirer) is not None:
        if count < 3:
            out.write(codec.NULLS[3 - count])
        if type(value) is not bool:
            raise ValueError
        out.write(b'A' if value else b'B')
        count = 4
    if (value := given.delivery_count) is not None:
        if count < 4:
            out.write(codec.NULLS[4 - count])
        codec.write_uint(out, value)
        count = 5
    if not count:
        raise ValueError
    put_sizes(out, place, codec.LIST_HEADS, 0xd0, count)

def read_properties(made: Properties, data: bytes, at: i64, count: i64, room: Any) -> i64:
    'Read the first fields of Properties, and return the offset behind them.'
    after: i64
    value: Any
    text: str
    code: i64
    if count == 0:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.message_id = TypedValue('string', data[at + 2:after].decode())
        at = after
    elif code == 0x98:
        made.message_id = TypedValue('uuid', data[at + 1:at + 17])
        at += 17
    elif code == 0xa0:
        after = at + 2 + data[at + 1]
        made.message_id = TypedValue('binary', data[at + 2:after])
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 0, code, data, at, room)
        made.message_id = value
    if count == 1:
        return at
    code = data[at]
    if code == 0xa0:
        after = at + 2 + data[at + 1]
        made.user_id = data[at + 2:after]
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 1, code, data, at, room)
        made.user_id = value
    if count == 2:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.to = data[at + 2:after].decode()
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 2, code, data, at, room)
        made.to = value
    if count == 3:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.subject = data[at + 2:after].decode()
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 3, code, data, at, room)
        made.subject = value
    if count == 4:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.reply_to = data[at + 2:after].decode()
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 4, code, data, at, room)
        made.reply_to = value
    if count == 5:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.correlation_id = TypedValue('string', data[at + 2:after].decode())
        at = after
    elif code == 0x98:
        made.correlation_id = TypedValue('uuid', data[at + 1:at + 17])
        at += 17
    elif code == 0xa0:
        after = at + 2 + data[at + 1]
        made.correlation_id = TypedValue('binary', data[at + 2:after])
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 5, code, data, at, room)
        made.correlation_id = value
    if count == 6:
        return at
    code = data[at]
    if code == 0xa3:
        after = at + 2 + data[at + 1]
        text = data[at + 2:after].decode()
        if not text.isascii():
            raise UnicodeError
        made.content_type = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 6, code, data, at, room)
        made.content_type = value
    if count == 7:
        return at
    code = data[at]
    if code == 0xa3:
        after = at + 2 + data[at + 1]
        text = data[at + 2:after].decode()
        if not text.isascii():
            raise UnicodeError
        made.content_encoding = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 7, code, data, at, room)
        made.content_encoding = value
    if count == 8:
        return at
    code = data[at]
    if code == 0x83:
        made.absolute_expiry_time = read_i64(data, at + 1)
        at += 9
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 8, code, data, at, room)
        made.absolute_expiry_time = value
    if count == 9:
        return at
    code = data[at]
    if code == 0x83:
        made.creation_time = read_i64(data, at + 1)
        at += 9
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 9, code, data, at, room)
        made.creation_time = value
    if count == 10:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.group_id = data[at + 2:after].decode()
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 10, code, data, at, room)
        made.group_id = value
    if count == 11:
        return at
    code = data[at]
    if code == 0x52:
        made.group_sequence = data[at + 1]
        at += 2
    elif code == 0x70:
        made.group_sequence = read_u32(data, at + 1)
        at += 5
    elif code == 0x43:
        made.group_sequence = 0
        at += 1
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 11, code, data, at, room)
        made.group_sequence = value
    if count == 12:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        made.reply_to_group_id = data[at + 2:after].decode()
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_field('properties', 12, code, data, at, room)
        made.reply_to_group_id = value
    return at

def write_properties(out: Writer, given: Properties, room: Any) -> None:
    'Write the fields of Properties as a list, without checks.'
    value: Any
    count: i64 = 0
    out.write(b'\x00Ss')
    place: i64 = here(out)
    out.write(b'\xc0\x00\x00')
    if (value := given.message_id) is not None:
        codec.write_id(out, value, room)
        count = 1
    if (value := given.user_id) is not None:
        if count < 1:
            out.write(codec.NULLS[1 - count])
        codec.write_short_binary(out, value, room)
        count = 2
    if (value := given.to) is not None:
        if count < 2:
            out.write(codec.NULLS[2 - count])
        write_coded_text8(out, 0xa1, value)
        count = 3
    if (value := given.subject) is not None:
        if count < 3:
            out.write(codec.NULLS[3 - count])
        write_coded_text8(out, 0xa1, value)
        count = 4
    if (value := given.reply_to) is not None:
        if count < 4:
            out.write(codec.NULLS[4 - count])
        write_coded_text8(out, 0xa1, value)
        count = 5
    if (value := given.correlation_id) is not None:
        if count < 5:
            out.write(codec.NULLS[5 - count])
        codec.write_id(out, value, room)
        count = 6
    if (value := given.content_type) is not None:
        if count < 6:
            out.write(codec.NULLS[6 - count])
        if not value.isascii():
            raise ValueError
        write_coded_text8(out, 0xa3, value)
        count = 7
    if (value := given.content_encoding) is not None:
        if count < 7:
            out.write(codec.NULLS[7 - count])
        if not value.isascii():
            raise ValueError
        write_coded_text8(out, 0xa3, value)
        count = 8
    if (value := given.absolute_expiry_time) is not None:
        if count < 8:
            out.write(codec.NULLS[8 - count])
        if type(value) is not int:
            raise ValueError
        write_coded_i64(out, 0x83, value)
        count = 9
    if (value := given.creation_time) is not None:
        if count < 9:
            out.write(codec.NULLS[9 - count])
        if type(value) is not int:
            raise ValueError
        write_coded_i64(out, 0x83, value)
        count = 10
    if (value := given.group_id) is not None:
        if count < 10:
            out.write(codec.NULLS[10 - count])
        write_coded_text8(out, 0xa1, value)
        count = 11
    if (value := given.group_sequence) is not None:
        if count < 11:
            out.write(codec.NULLS[11 - count])
        codec.write_uint(out, value)
        count = 12
    if (value := given.reply_to_group_id) is not None:
        if count < 12:
            out.write(codec.NULLS[12 - count])
        write_coded_text8(out, 0xa1, value)
        count = 13
    if not count:
        raise ValueError
    put_sizes(out, place, codec.LIST_HEADS, 0xd0, count)

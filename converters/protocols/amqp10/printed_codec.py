"""The codec printed from mqconvert.converters.protocols.amqp10.wire: `make generate` writes it."""

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.entries import FAILED, TypedValue, within
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import StructError, UNFIT, Writer, put_sizes, read_f32, read_f64, read_i16, read_i32, read_i64, read_u16, read_u32, read_u64, write_f64, write_i16, write_i32, write_i64, write_i8, write_u16, write_u32, write_u64, write_u8, write_varied_text
from mqconvert.converters.model.values import float_of_single, single_of_float
import mqconvert.converters.protocols.amqp10.codec as codec
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
from mqconvert.converters.protocols.amqp10.types import AMQP10_TYPES as types
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
    elif code == 0x56:
        if data[at + 1] > 1:
            raise codec.no_boolean(data[at + 1], at + 1)
        made.durable = data[at + 1] == 1
        at += 2
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('header', 0, code, data, at, room)
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
        value, at = codec.read_other('header', 1, code, data, at, room)
        made.priority = value
    if count == 2:
        return at
    code = data[at]
    if code == 0x52:
        made.ttl = data[at + 1]
        at += 2
    elif code == 0x43:
        made.ttl = 0
        at += 1
    elif code == 0x70:
        made.ttl = read_u32(data, at + 1)
        at += 5
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('header', 2, code, data, at, room)
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
    elif code == 0x56:
        if data[at + 1] > 1:
            raise codec.no_boolean(data[at + 1], at + 1)
        made.first_acquirer = data[at + 1] == 1
        at += 2
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('header', 3, code, data, at, room)
        made.first_acquirer = value
    if count == 4:
        return at
    code = data[at]
    if code == 0x52:
        made.delivery_count = data[at + 1]
        at += 2
    elif code == 0x43:
        made.delivery_count = 0
        at += 1
    elif code == 0x70:
        made.delivery_count = read_u32(data, at + 1)
        at += 5
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('header', 4, code, data, at, room)
        made.delivery_count = value
    return at

def write_header(out: Writer, given: Header, room: Any) -> None:
    'Write the fields of Header as a list.'
    value: Any
    whole: int
    start: i64 = len(out)
    try:
        count: i64 = 0
        out.write(b'\x00Sp')
        place: i64 = len(out)
        out.write(b'\xc0\x00\x00')
        if (value := given.durable) is not None:
            if type(value) is not bool:
                raise codec.bad_value('boolean', value)
            if value:
                out.write(b'A')
            else:
                out.write(b'B')
            count = 1
        if (value := given.priority) is not None:
            if count < 1:
                out.write(codec.NULLS[1 - count])
            if type(value) is not int:
                raise codec.bad_value('ubyte', value)
            out.write(b'P')
            write_u8(out, value)
            count = 2
        if (value := given.ttl) is not None:
            if count < 2:
                out.write(codec.NULLS[2 - count])
            if type(value) is not int:
                raise codec.bad_value('uint', value)
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 3
        if (value := given.first_acquirer) is not None:
            if count < 3:
                out.write(codec.NULLS[3 - count])
            if type(value) is not bool:
                raise codec.bad_value('boolean', value)
            if value:
                out.write(b'A')
            else:
                out.write(b'B')
            count = 4
        if (value := given.delivery_count) is not None:
            if count < 4:
                out.write(codec.NULLS[4 - count])
            if type(value) is not int:
                raise codec.bad_value('uint', value)
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 5
        if count:
            put_sizes(out, place, 0xd0, count)
        else:
            out.truncate(place)
            out.write(b'E')
    except FAILED:
        out.truncate(start)
        write_header_carefully(out, given, room)

def write_header_carefully(out: Writer, given: Header, room: Any) -> None:
    'Write the fields of Header as a list. EncodeError names an invalid field.'
    value: Any
    whole: int
    field = ''
    try:
        count: i64 = 0
        out.write(b'\x00Sp')
        place: i64 = len(out)
        out.write(b'\xc0\x00\x00')
        field = '.durable'
        if (value := given.durable) is not None:
            types['boolean'].check(value, '')
            if value:
                out.write(b'A')
            else:
                out.write(b'B')
            count = 1
        field = '.priority'
        if (value := given.priority) is not None:
            if count < 1:
                out.write(codec.NULLS[1 - count])
            types['ubyte'].check(value, '')
            out.write(b'P')
            write_u8(out, value)
            count = 2
        field = '.ttl'
        if (value := given.ttl) is not None:
            if count < 2:
                out.write(codec.NULLS[2 - count])
            types['uint'].check(value, '')
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 3
        field = '.first_acquirer'
        if (value := given.first_acquirer) is not None:
            if count < 3:
                out.write(codec.NULLS[3 - count])
            types['boolean'].check(value, '')
            if value:
                out.write(b'A')
            else:
                out.write(b'B')
            count = 4
        field = '.delivery_count'
        if (value := given.delivery_count) is not None:
            if count < 4:
                out.write(codec.NULLS[4 - count])
            types['uint'].check(value, '')
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 5
        if count:
            put_sizes(out, place, 0xd0, count)
        else:
            out.truncate(place)
            out.write(b'E')
    except EncodeError as error:
        raise within(error, field) from None

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
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.message_id = TypedValue('string', text)
        at = after
    elif code == 0x98:
        if at + 17 > len(data):
            raise IndexError
        made.message_id = TypedValue('uuid', data[at + 1:at + 17])
        at += 17
    elif code == 0xa0:
        after = at + 2 + data[at + 1]
        made.message_id = TypedValue('binary', data[at + 2:after])
        at = after
    elif code == 0xb0:
        after = at + 5 + read_u32(data, at + 1)
        made.message_id = TypedValue('binary', data[at + 5:after])
        at = after
    elif code == 0x53:
        made.message_id = TypedValue('ulong', data[at + 1])
        at += 2
    elif code == 0x44:
        made.message_id = TypedValue('ulong', 0)
        at += 1
    elif code == 0x80:
        made.message_id = TypedValue('ulong', read_u64(data, at + 1))
        at += 9
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.message_id = TypedValue('string', text)
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 0, code, data, at, room)
        made.message_id = value
    if count == 1:
        return at
    code = data[at]
    if code == 0xa0:
        after = at + 2 + data[at + 1]
        made.user_id = data[at + 2:after]
        at = after
    elif code == 0xb0:
        after = at + 5 + read_u32(data, at + 1)
        made.user_id = data[at + 5:after]
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 1, code, data, at, room)
        made.user_id = value
    if count == 2:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.to = text
        at = after
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.to = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 2, code, data, at, room)
        made.to = value
    if count == 3:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.subject = text
        at = after
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.subject = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 3, code, data, at, room)
        made.subject = value
    if count == 4:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.reply_to = text
        at = after
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.reply_to = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 4, code, data, at, room)
        made.reply_to = value
    if count == 5:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.correlation_id = TypedValue('string', text)
        at = after
    elif code == 0x98:
        if at + 17 > len(data):
            raise IndexError
        made.correlation_id = TypedValue('uuid', data[at + 1:at + 17])
        at += 17
    elif code == 0xa0:
        after = at + 2 + data[at + 1]
        made.correlation_id = TypedValue('binary', data[at + 2:after])
        at = after
    elif code == 0xb0:
        after = at + 5 + read_u32(data, at + 1)
        made.correlation_id = TypedValue('binary', data[at + 5:after])
        at = after
    elif code == 0x53:
        made.correlation_id = TypedValue('ulong', data[at + 1])
        at += 2
    elif code == 0x44:
        made.correlation_id = TypedValue('ulong', 0)
        at += 1
    elif code == 0x80:
        made.correlation_id = TypedValue('ulong', read_u64(data, at + 1))
        at += 9
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.correlation_id = TypedValue('string', text)
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 5, code, data, at, room)
        made.correlation_id = value
    if count == 6:
        return at
    code = data[at]
    if code == 0xa3:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('symbol', data, at + 2, after) from None
        if not text.isascii():
            raise codec.bad_text('symbol', data, at + 2, after)
        made.content_type = text
        at = after
    elif code == 0xb3:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('symbol', data, at + 5, after) from None
        if not text.isascii():
            raise codec.bad_text('symbol', data, at + 5, after)
        made.content_type = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 6, code, data, at, room)
        made.content_type = value
    if count == 7:
        return at
    code = data[at]
    if code == 0xa3:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('symbol', data, at + 2, after) from None
        if not text.isascii():
            raise codec.bad_text('symbol', data, at + 2, after)
        made.content_encoding = text
        at = after
    elif code == 0xb3:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('symbol', data, at + 5, after) from None
        if not text.isascii():
            raise codec.bad_text('symbol', data, at + 5, after)
        made.content_encoding = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 7, code, data, at, room)
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
        value, at = codec.read_other('properties', 8, code, data, at, room)
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
        value, at = codec.read_other('properties', 9, code, data, at, room)
        made.creation_time = value
    if count == 10:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.group_id = text
        at = after
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.group_id = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 10, code, data, at, room)
        made.group_id = value
    if count == 11:
        return at
    code = data[at]
    if code == 0x52:
        made.group_sequence = data[at + 1]
        at += 2
    elif code == 0x43:
        made.group_sequence = 0
        at += 1
    elif code == 0x70:
        made.group_sequence = read_u32(data, at + 1)
        at += 5
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 11, code, data, at, room)
        made.group_sequence = value
    if count == 12:
        return at
    code = data[at]
    if code == 0xa1:
        after = at + 2 + data[at + 1]
        try:
            text = data[at + 2:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 2, after) from None
        made.reply_to_group_id = text
        at = after
    elif code == 0xb1:
        after = at + 5 + read_u32(data, at + 1)
        try:
            text = data[at + 5:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 5, after) from None
        made.reply_to_group_id = text
        at = after
    elif code == 0x40:
        at += 1
    else:
        value, at = codec.read_other('properties', 12, code, data, at, room)
        made.reply_to_group_id = value
    return at

def write_properties(out: Writer, given: Properties, room: Any) -> None:
    'Write the fields of Properties as a list.'
    value: Any
    size: i64
    whole: int
    known: TypedValue
    type_: str
    start: i64 = len(out)
    try:
        count: i64 = 0
        out.write(b'\x00Ss')
        place: i64 = len(out)
        out.write(b'\xc0\x00\x00')
        if (value := given.message_id) is not None:
            known = value
            type_ = known.type
            value = known.value
            if type_ == 'ulong':
                if type(value) is not int:
                    raise codec.bad_value('ulong', value)
                if 0 < (whole := value) < 256:
                    out.write(b'S')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'D')
                else:
                    out.write(b'\x80')
                    write_u64(out, whole)
            elif type_ == 'uuid':
                if type(value) is not bytes:
                    raise codec.bad_value('uuid', value)
                if len(value) != 16:
                    raise ValueError
                out.write(b'\x98')
                out.write(value)
            elif type_ == 'binary':
                if type(value) is not bytes:
                    raise codec.bad_value('binary', value)
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
            elif type_ == 'string':
                write_varied_text(out, 0xa1, value)
            else:
                raise ValueError(type_)
            count = 1
        if (value := given.user_id) is not None:
            if count < 1:
                out.write(codec.NULLS[1 - count])
            if type(value) is not bytes:
                raise codec.bad_value('binary', value)
            if (size := len(value)) < 256:
                out.write(b'\xa0')
                write_u8(out, size)
                out.write(value)
            else:
                out.write(b'\xb0')
                write_u32(out, size)
                out.write(value)
            count = 2
        if (value := given.to) is not None:
            if count < 2:
                out.write(codec.NULLS[2 - count])
            write_varied_text(out, 0xa1, value)
            count = 3
        if (value := given.subject) is not None:
            if count < 3:
                out.write(codec.NULLS[3 - count])
            write_varied_text(out, 0xa1, value)
            count = 4
        if (value := given.reply_to) is not None:
            if count < 4:
                out.write(codec.NULLS[4 - count])
            write_varied_text(out, 0xa1, value)
            count = 5
        if (value := given.correlation_id) is not None:
            if count < 5:
                out.write(codec.NULLS[5 - count])
            known = value
            type_ = known.type
            value = known.value
            if type_ == 'ulong':
                if type(value) is not int:
                    raise codec.bad_value('ulong', value)
                if 0 < (whole := value) < 256:
                    out.write(b'S')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'D')
                else:
                    out.write(b'\x80')
                    write_u64(out, whole)
            elif type_ == 'uuid':
                if type(value) is not bytes:
                    raise codec.bad_value('uuid', value)
                if len(value) != 16:
                    raise ValueError
                out.write(b'\x98')
                out.write(value)
            elif type_ == 'binary':
                if type(value) is not bytes:
                    raise codec.bad_value('binary', value)
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
            elif type_ == 'string':
                write_varied_text(out, 0xa1, value)
            else:
                raise ValueError(type_)
            count = 6
        if (value := given.content_type) is not None:
            if count < 6:
                out.write(codec.NULLS[6 - count])
            if not value.isascii():
                raise ValueError
            write_varied_text(out, 0xa3, value)
            count = 7
        if (value := given.content_encoding) is not None:
            if count < 7:
                out.write(codec.NULLS[7 - count])
            if not value.isascii():
                raise ValueError
            write_varied_text(out, 0xa3, value)
            count = 8
        if (value := given.absolute_expiry_time) is not None:
            if count < 8:
                out.write(codec.NULLS[8 - count])
            if type(value) is not int:
                raise codec.bad_value('timestamp', value)
            out.write(b'\x83')
            write_i64(out, value)
            count = 9
        if (value := given.creation_time) is not None:
            if count < 9:
                out.write(codec.NULLS[9 - count])
            if type(value) is not int:
                raise codec.bad_value('timestamp', value)
            out.write(b'\x83')
            write_i64(out, value)
            count = 10
        if (value := given.group_id) is not None:
            if count < 10:
                out.write(codec.NULLS[10 - count])
            write_varied_text(out, 0xa1, value)
            count = 11
        if (value := given.group_sequence) is not None:
            if count < 11:
                out.write(codec.NULLS[11 - count])
            if type(value) is not int:
                raise codec.bad_value('uint', value)
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 12
        if (value := given.reply_to_group_id) is not None:
            if count < 12:
                out.write(codec.NULLS[12 - count])
            write_varied_text(out, 0xa1, value)
            count = 13
        if count:
            put_sizes(out, place, 0xd0, count)
        else:
            out.truncate(place)
            out.write(b'E')
    except FAILED:
        out.truncate(start)
        write_properties_carefully(out, given, room)

def write_properties_carefully(out: Writer, given: Properties, room: Any) -> None:
    'Write the fields of Properties as a list. EncodeError names an invalid field.'
    value: Any
    size: i64
    whole: int
    known: TypedValue
    type_: str
    field = ''
    try:
        count: i64 = 0
        out.write(b'\x00Ss')
        place: i64 = len(out)
        out.write(b'\xc0\x00\x00')
        field = '.message_id'
        if (value := given.message_id) is not None:
            codec.check_typed(value, ('ulong', 'uuid', 'binary', 'string'))
            known = value
            type_ = known.type
            value = known.value
            if type_ == 'ulong':
                types['ulong'].check(value, '')
                if 0 < (whole := value) < 256:
                    out.write(b'S')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'D')
                else:
                    out.write(b'\x80')
                    write_u64(out, whole)
            elif type_ == 'uuid':
                types['uuid'].check(value, '')
                if len(value) != 16:
                    raise ValueError
                out.write(b'\x98')
                out.write(value)
            elif type_ == 'binary':
                types['binary'].check(value, '')
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
            elif type_ == 'string':
                types['string'].check(value, '')
                write_varied_text(out, 0xa1, value)
            else:
                raise ValueError(type_)
            count = 1
        field = '.user_id'
        if (value := given.user_id) is not None:
            if count < 1:
                out.write(codec.NULLS[1 - count])
            types['binary'].check(value, '')
            if (size := len(value)) < 256:
                out.write(b'\xa0')
                write_u8(out, size)
                out.write(value)
            else:
                out.write(b'\xb0')
                write_u32(out, size)
                out.write(value)
            count = 2
        field = '.to'
        if (value := given.to) is not None:
            if count < 2:
                out.write(codec.NULLS[2 - count])
            types['string'].check(value, '')
            write_varied_text(out, 0xa1, value)
            count = 3
        field = '.subject'
        if (value := given.subject) is not None:
            if count < 3:
                out.write(codec.NULLS[3 - count])
            types['string'].check(value, '')
            write_varied_text(out, 0xa1, value)
            count = 4
        field = '.reply_to'
        if (value := given.reply_to) is not None:
            if count < 4:
                out.write(codec.NULLS[4 - count])
            types['string'].check(value, '')
            write_varied_text(out, 0xa1, value)
            count = 5
        field = '.correlation_id'
        if (value := given.correlation_id) is not None:
            if count < 5:
                out.write(codec.NULLS[5 - count])
            codec.check_typed(value, ('ulong', 'uuid', 'binary', 'string'))
            known = value
            type_ = known.type
            value = known.value
            if type_ == 'ulong':
                types['ulong'].check(value, '')
                if 0 < (whole := value) < 256:
                    out.write(b'S')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'D')
                else:
                    out.write(b'\x80')
                    write_u64(out, whole)
            elif type_ == 'uuid':
                types['uuid'].check(value, '')
                if len(value) != 16:
                    raise ValueError
                out.write(b'\x98')
                out.write(value)
            elif type_ == 'binary':
                types['binary'].check(value, '')
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
            elif type_ == 'string':
                types['string'].check(value, '')
                write_varied_text(out, 0xa1, value)
            else:
                raise ValueError(type_)
            count = 6
        field = '.content_type'
        if (value := given.content_type) is not None:
            if count < 6:
                out.write(codec.NULLS[6 - count])
            types['symbol'].check(value, '')
            if not value.isascii():
                raise ValueError
            write_varied_text(out, 0xa3, value)
            count = 7
        field = '.content_encoding'
        if (value := given.content_encoding) is not None:
            if count < 7:
                out.write(codec.NULLS[7 - count])
            types['symbol'].check(value, '')
            if not value.isascii():
                raise ValueError
            write_varied_text(out, 0xa3, value)
            count = 8
        field = '.absolute_expiry_time'
        if (value := given.absolute_expiry_time) is not None:
            if count < 8:
                out.write(codec.NULLS[8 - count])
            types['timestamp'].check(value, '')
            out.write(b'\x83')
            write_i64(out, value)
            count = 9
        field = '.creation_time'
        if (value := given.creation_time) is not None:
            if count < 9:
                out.write(codec.NULLS[9 - count])
            types['timestamp'].check(value, '')
            out.write(b'\x83')
            write_i64(out, value)
            count = 10
        field = '.group_id'
        if (value := given.group_id) is not None:
            if count < 10:
                out.write(codec.NULLS[10 - count])
            types['string'].check(value, '')
            write_varied_text(out, 0xa1, value)
            count = 11
        field = '.group_sequence'
        if (value := given.group_sequence) is not None:
            if count < 11:
                out.write(codec.NULLS[11 - count])
            types['uint'].check(value, '')
            if 0 < (whole := value) < 256:
                out.write(b'R')
                write_u8(out, whole)
            elif not whole:
                out.write(b'C')
            else:
                out.write(b'p')
                write_u32(out, whole)
            count = 12
        field = '.reply_to_group_id'
        if (value := given.reply_to_group_id) is not None:
            if count < 12:
                out.write(codec.NULLS[12 - count])
            types['string'].check(value, '')
            write_varied_text(out, 0xa1, value)
            count = 13
        if count:
            put_sizes(out, place, 0xd0, count)
        else:
            out.truncate(place)
            out.write(b'E')
    except EncodeError as error:
        raise within(error, field) from None

def read_section(code: i64, made: Message, data: bytes, at: i64, room: Any) -> i64:
    'Read the section with a descriptor into a message, and return the offset behind it.'
    if code <= 0x70:
        count, at, stop = codec.count_of('header', 5, data, at)
        made.header = Header()
        at = read_header(made.header, data, at, count, room)
        if at != stop:
            raise codec.misfit(at, stop)
    elif code <= 0x71:
        made.delivery_annotations, at = codec.read_entries('delivery_annotations', 0xa3, data, at, room)
    elif code <= 0x72:
        made.message_annotations, at = codec.read_entries('message_annotations', 0xa3, data, at, room)
    elif code <= 0x73:
        count, at, stop = codec.count_of('properties', 13, data, at)
        made.properties = Properties()
        at = read_properties(made.properties, data, at, count, room)
        if at != stop:
            raise codec.misfit(at, stop)
    elif code <= 0x74:
        made.application_properties, at = codec.read_entries('application_properties', 0xa1, data, at, room)
    elif code <= 0x77:
        made.body, at = codec.read_body(code, made.body, data, at, room)
    elif code <= 0x78:
        made.footer, at = codec.read_entries('footer', 0xa3, data, at, room)
    return at

def write_sections(out: Writer, given: Message, room: Any) -> bytes:
    'Write the sections of a message; return the octets of its last data. EncodeError names an invalid field.'
    value: Any
    section: str = ''
    octets: bytes = b''
    try:
        value = given.header
        if value is not None:
            section = 'header'
            codec.check_class(value, Header)
            write_header(out, value, room)
        value = given.delivery_annotations
        if value is not None:
            section = 'delivery_annotations'
            codec.write_section(out, 0x71, 0xa3, value, room)
        value = given.message_annotations
        if value is not None:
            section = 'message_annotations'
            codec.write_section(out, 0x72, 0xa3, value, room)
        value = given.properties
        if value is not None:
            section = 'properties'
            codec.check_class(value, Properties)
            write_properties(out, value, room)
        value = given.application_properties
        if value is not None:
            section = 'application_properties'
            codec.write_section(out, 0x74, 0xa1, value, room)
        value = given.body
        if value is not None:
            section = 'body'
            octets = codec.write_body(out, value, room)
        value = given.footer
        if value is not None:
            section = 'footer'
            out.write(octets)
            octets = b''
            codec.write_section(out, 0x78, 0xa3, value, room)
    except (EncodeError, OverflowError, StructError) as error:
        raise codec.unwritable(error, section) from None
    if not section:
        raise EncodeError('bad_count', 'a message without sections', field='body')
    return octets

def read_value(code: i64, data: bytes, at: i64, room: Any) -> tuple[str, object, i64]:
    'Return type and value behind a code, and the offset behind them.'
    after: i64
    value: Any
    value_at: i64
    number: i64
    text: str
    if code == 0xa1:
        after = at + 1 + data[at]
        try:
            text = data[at + 1:after].decode()
        except UnicodeError:
            raise codec.bad_text('string', data, at + 1, after) from None
        return 'string', text, after
    if code == 0xa3:
        after = at + 1 + data[at]
        try:
            text = data[at + 1:after].decode()
        except UnicodeError:
            raise codec.bad_text('symbol', data, at + 1, after) from None
        if not text.isascii():
            raise codec.bad_text('symbol', data, at + 1, after)
        return 'symbol', text, after
    if code == 0x54:
        number = data[at]
        return 'int', number if number < 128 else number - 256, at + 1
    if code == 0x71:
        return 'int', read_i32(data, at), at + 4
    if code == 0x55:
        number = data[at]
        return 'long', number if number < 128 else number - 256, at + 1
    if code == 0x81:
        return 'long', read_i64(data, at), at + 8
    if code == 0x41:
        return 'boolean', True, at
    if code == 0x42:
        return 'boolean', False, at
    if code < 0x80:
        if code < 0x53:
            if code < 0x45:
                if code < 0x43:
                    if code == 0x00:
                        value, after = codec.read_described(data, at, room)
                        return 'described', value, after
                    if code == 0x40:
                        return 'null', None, at
                else:
                    if code == 0x43:
                        return 'uint', 0, at
                    if code == 0x44:
                        return 'ulong', 0, at
            elif code < 0x51:
                if code == 0x45:
                    return 'list', [], at
                if code == 0x50:
                    return 'ubyte', data[at], at + 1
            else:
                if code == 0x51:
                    number = data[at]
                    return 'byte', number if number < 128 else number - 256, at + 1
                if code == 0x52:
                    return 'uint', data[at], at + 1
        elif code < 0x70:
            if code < 0x60:
                if code == 0x53:
                    return 'ulong', data[at], at + 1
                if code == 0x56:
                    if data[at] > 1:
                        raise codec.no_boolean(data[at], at)
                    return 'boolean', data[at] == 1, at + 1
            else:
                if code == 0x60:
                    return 'ushort', read_u16(data, at), at + 2
                if code == 0x61:
                    return 'short', read_i16(data, at), at + 2
        elif code < 0x73:
            if code == 0x70:
                return 'uint', read_u32(data, at), at + 4
            if code == 0x72:
                value = read_f32(data, at)
                return 'float', value if value == value else float_of_single(data[at:at + 4]), at + 4
        else:
            if code == 0x73:
                number = read_u32(data, at)
                if number > 0x10ffff:
                    raise codec.no_char(number, at)
                return 'char', number, at + 4
            if code == 0x74:
                if at + 4 > len(data):
                    raise IndexError
                return 'decimal32', data[at:at + 4], at + 4
    elif code < 0xb1:
        if code < 0x94:
            if code < 0x83:
                if code == 0x80:
                    return 'ulong', read_u64(data, at), at + 8
                if code == 0x82:
                    return 'double', read_f64(data, at), at + 8
            else:
                if code == 0x83:
                    return 'timestamp', read_i64(data, at), at + 8
                if code == 0x84:
                    if at + 8 > len(data):
                        raise IndexError
                    return 'decimal64', data[at:at + 8], at + 8
        elif code < 0xa0:
            if code == 0x94:
                if at + 16 > len(data):
                    raise IndexError
                return 'decimal128', data[at:at + 16], at + 16
            if code == 0x98:
                if at + 16 > len(data):
                    raise IndexError
                return 'uuid', data[at:at + 16], at + 16
        else:
            if code == 0xa0:
                after = at + 1 + data[at]
                return 'binary', data[at + 1:after], after
            if code == 0xb0:
                after = at + 4 + read_u32(data, at)
                return 'binary', data[at + 4:after], after
    elif code < 0xd0:
        if code < 0xc0:
            if code == 0xb1:
                after = at + 4 + read_u32(data, at)
                try:
                    text = data[at + 4:after].decode()
                except UnicodeError:
                    raise codec.bad_text('string', data, at + 4, after) from None
                return 'string', text, after
            if code == 0xb3:
                after = at + 4 + read_u32(data, at)
                try:
                    text = data[at + 4:after].decode()
                except UnicodeError:
                    raise codec.bad_text('symbol', data, at + 4, after) from None
                if not text.isascii():
                    raise codec.bad_text('symbol', data, at + 4, after)
                return 'symbol', text, after
        else:
            if code == 0xc0:
                number, value_at, after = codec.head8(data, at)
                value = codec.read_list(number, data, value_at, after, room)
                return 'list', value, after
            if code == 0xc1:
                number, value_at, after = codec.head8(data, at)
                value = codec.read_map(number, data, value_at, after, room)
                return 'map', value, after
    elif code < 0xe0:
        if code == 0xd0:
            number, value_at, after = codec.head32(data, at)
            value = codec.read_list(number, data, value_at, after, room)
            return 'list', value, after
        if code == 0xd1:
            number, value_at, after = codec.head32(data, at)
            value = codec.read_map(number, data, value_at, after, room)
            return 'map', value, after
    else:
        if code == 0xe0:
            number, value_at, after = codec.head8(data, at)
            value = codec.read_array(number, data, value_at, after, room)
            return 'array', value, after
        if code == 0xf0:
            number, value_at, after = codec.head32(data, at)
            value = codec.read_array(number, data, value_at, after, room)
            return 'array', value, after
    raise codec.unknown_code(code, at - 1)

def write_value(out: Writer, type_: str, value: Any, room: Any) -> None:
    'Write the code of a type and a value. KeyError for an unknown type, EncodeError for a value that it cannot hold.'
    size: i64
    whole: int
    try:
        if type_ == 'string':
            write_varied_text(out, 0xa1, value)
        elif type_ == 'symbol':
            if not value.isascii():
                raise ValueError
            write_varied_text(out, 0xa3, value)
        elif type_ == 'int':
            if type(value) is not int:
                raise codec.bad_value('int', value)
            if -128 <= (whole := value) < 128:
                out.write(b'T')
                write_u8(out, whole & 0xff)
            else:
                out.write(b'q')
                write_i32(out, whole)
        elif type_ == 'long':
            if type(value) is not int:
                raise codec.bad_value('long', value)
            if -128 <= (whole := value) < 128:
                out.write(b'U')
                write_u8(out, whole & 0xff)
            else:
                out.write(b'\x81')
                write_i64(out, whole)
        elif type_ == 'boolean':
            if type(value) is not bool:
                raise codec.bad_value('boolean', value)
            if value:
                out.write(b'A')
            else:
                out.write(b'B')
        elif type_ == 'double':
            if type(value) is not float:
                raise codec.bad_value('double', value)
            out.write(b'\x82')
            write_f64(out, value)
        elif type_ == 'uuid':
            if type(value) is not bytes:
                raise codec.bad_value('uuid', value)
            if len(value) != 16:
                raise ValueError
            out.write(b'\x98')
            out.write(value)
        elif type_ == 'binary':
            if type(value) is not bytes:
                raise codec.bad_value('binary', value)
            if (size := len(value)) < 256:
                out.write(b'\xa0')
                write_u8(out, size)
                out.write(value)
            else:
                out.write(b'\xb0')
                write_u32(out, size)
                out.write(value)
        elif len(type_) < 6:
            if len(type_) < 5:
                if type_ == 'map':
                    codec.write_map(out, value, room)
                elif type_ == 'uint':
                    if type(value) is not int:
                        raise codec.bad_value('uint', value)
                    if 0 < (whole := value) < 256:
                        out.write(b'R')
                        write_u8(out, whole)
                    elif not whole:
                        out.write(b'C')
                    else:
                        out.write(b'p')
                        write_u32(out, whole)
                elif type_ == 'list':
                    if type(value) is list and not value:
                        out.write(b'E')
                    else:
                        codec.write_list(out, value, room)
                elif type_ == 'null':
                    if value is not None:
                        raise ValueError
                    out.write(b'@')
                elif type_ == 'byte':
                    if type(value) is not int:
                        raise codec.bad_value('byte', value)
                    out.write(b'Q')
                    write_i8(out, value)
                elif type_ == 'char':
                    if types['char'].fault(value) is not None:
                        raise codec.bad_value('char', value)
                    out.write(b's')
                    write_u32(out, value)
                else:
                    raise KeyError(type_)
            elif type_ == 'ubyte':
                if type(value) is not int:
                    raise codec.bad_value('ubyte', value)
                out.write(b'P')
                write_u8(out, value)
            elif type_ == 'ulong':
                if type(value) is not int:
                    raise codec.bad_value('ulong', value)
                if 0 < (whole := value) < 256:
                    out.write(b'S')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'D')
                else:
                    out.write(b'\x80')
                    write_u64(out, whole)
            elif type_ == 'array':
                codec.write_array(out, value, room)
            elif type_ == 'short':
                if type(value) is not int:
                    raise codec.bad_value('short', value)
                out.write(b'a')
                write_i16(out, value)
            elif type_ == 'float':
                if type(value) is not float:
                    raise codec.bad_value('float', value)
                out.write(b'r')
                out.write(single_of_float(value))
            else:
                raise KeyError(type_)
        elif len(type_) < 10:
            if type_ == 'ushort':
                if type(value) is not int:
                    raise codec.bad_value('ushort', value)
                out.write(b'`')
                write_u16(out, value)
            elif type_ == 'timestamp':
                if type(value) is not int:
                    raise codec.bad_value('timestamp', value)
                out.write(b'\x83')
                write_i64(out, value)
            elif type_ == 'described':
                codec.write_described(out, value, room)
            elif type_ == 'decimal32':
                if type(value) is not bytes:
                    raise codec.bad_value('decimal32', value)
                if len(value) != 4:
                    raise ValueError
                out.write(b't')
                out.write(value)
            elif type_ == 'decimal64':
                if type(value) is not bytes:
                    raise codec.bad_value('decimal64', value)
                if len(value) != 8:
                    raise ValueError
                out.write(b'\x84')
                out.write(value)
            else:
                raise KeyError(type_)
        elif type_ == 'decimal128':
            if type(value) is not bytes:
                raise codec.bad_value('decimal128', value)
            if len(value) != 16:
                raise ValueError
            out.write(b'\x94')
            out.write(value)
        else:
            raise KeyError(type_)
    except UNFIT:
        raise codec.bad_value(type_, value) from None

def type_of_value(code: i64) -> str:
    'Return the type of a code, an empty text for an unknown one.'
    if code == 0xa1:
        return 'string'
    if code == 0xa3:
        return 'symbol'
    if code == 0x54:
        return 'int'
    if code == 0x71:
        return 'int'
    if code == 0x55:
        return 'long'
    if code == 0x81:
        return 'long'
    if code == 0x41:
        return 'boolean'
    if code == 0x42:
        return 'boolean'
    if code < 0x80:
        if code < 0x53:
            if code < 0x45:
                if code < 0x43:
                    if code == 0x00:
                        return 'described'
                    if code == 0x40:
                        return 'null'
                else:
                    if code == 0x43:
                        return 'uint'
                    if code == 0x44:
                        return 'ulong'
            elif code < 0x51:
                if code == 0x45:
                    return 'list'
                if code == 0x50:
                    return 'ubyte'
            else:
                if code == 0x51:
                    return 'byte'
                if code == 0x52:
                    return 'uint'
        elif code < 0x70:
            if code < 0x60:
                if code == 0x53:
                    return 'ulong'
                if code == 0x56:
                    return 'boolean'
            else:
                if code == 0x60:
                    return 'ushort'
                if code == 0x61:
                    return 'short'
        elif code < 0x73:
            if code == 0x70:
                return 'uint'
            if code == 0x72:
                return 'float'
        else:
            if code == 0x73:
                return 'char'
            if code == 0x74:
                return 'decimal32'
    elif code < 0xb1:
        if code < 0x94:
            if code < 0x83:
                if code == 0x80:
                    return 'ulong'
                if code == 0x82:
                    return 'double'
            else:
                if code == 0x83:
                    return 'timestamp'
                if code == 0x84:
                    return 'decimal64'
        elif code < 0xa0:
            if code == 0x94:
                return 'decimal128'
            if code == 0x98:
                return 'uuid'
        else:
            if code == 0xa0:
                return 'binary'
            if code == 0xb0:
                return 'binary'
    elif code < 0xd0:
        if code < 0xc0:
            if code == 0xb1:
                return 'string'
            if code == 0xb3:
                return 'symbol'
        else:
            if code == 0xc0:
                return 'list'
            if code == 0xc1:
                return 'map'
    elif code < 0xe0:
        if code == 0xd0:
            return 'list'
        if code == 0xd1:
            return 'map'
    else:
        if code == 0xe0:
            return 'array'
        if code == 0xf0:
            return 'array'
    return ''

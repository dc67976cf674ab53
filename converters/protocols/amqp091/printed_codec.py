"""The codec printed from mqconvert.converters.protocols.amqp091.wire: `make generate` writes it."""

from mqconvert.converters.errors import EncodeError
from mqconvert.converters.model.entries import FAILED, within
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import SIZES, UNFIT, Writer, put_u16, read_f32, read_f64, read_i16, read_i32, read_i64, read_u16, read_u32, read_u64, write_f64, write_i16, write_i32, write_i64, write_i8, write_text8, write_u16, write_u32, write_u64, write_u8
from mqconvert.converters.model.values import Decimal091, float_of_single, single_of_float
import mqconvert.converters.protocols.amqp091.codec as codec
from mqconvert.converters.protocols.amqp091.message import BasicProperties
from mqconvert.converters.protocols.amqp091.types import AMQP091_TYPES as types
from typing import Any


def read_properties(made: BasicProperties, data: bytes, at: i64, end: i64, flags: i64) -> i64:
    'Read the fields of BasicProperties that the flags name, in order, and return the offset behind them.'
    after: i64
    value: Any
    if flags & 0x8000:
        after = at + 1 + data[at]
        made.content_type = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x4000:
        after = at + 1 + data[at]
        made.content_encoding = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x2000:
        value, after = codec.read_table(data, at, end, 1)
        made.headers = value
        at = after
    if flags & 0x1000:
        made.delivery_mode = data[at]
        at += 1
    if flags & 0x0800:
        made.priority = data[at]
        at += 1
    if flags & 0x0400:
        after = at + 1 + data[at]
        made.correlation_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x0200:
        after = at + 1 + data[at]
        made.reply_to = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x0100:
        after = at + 1 + data[at]
        made.expiration = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x80:
        after = at + 1 + data[at]
        made.message_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x40:
        made.timestamp = read_u64(data, at)
        at += 8
    if flags & 0x20:
        after = at + 1 + data[at]
        made.type = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x10:
        after = at + 1 + data[at]
        made.user_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x08:
        after = at + 1 + data[at]
        made.app_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    if flags & 0x04:
        after = at + 1 + data[at]
        made.cluster_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
        at = after
    return at

def span_properties(found: dict[str, Any], data: bytes, at: i64, end: i64, flags: i64) -> i64:
    'Note the bytes of the fields of BasicProperties that the flags name, after they were read.'
    after: i64
    value: Any
    if flags & 0x8000:
        after = at + 1 + data[at]
        found['basic.content_type'] = at, after
        at = after
    if flags & 0x4000:
        after = at + 1 + data[at]
        found['basic.content_encoding'] = at, after
        at = after
    if flags & 0x2000:
        value, after = codec.read_table(data, at, end, 1)
        found['basic.headers'] = at, after
        at = after
    if flags & 0x1000:
        found['basic.delivery_mode'] = at, at + 1
        at += 1
    if flags & 0x0800:
        found['basic.priority'] = at, at + 1
        at += 1
    if flags & 0x0400:
        after = at + 1 + data[at]
        found['basic.correlation_id'] = at, after
        at = after
    if flags & 0x0200:
        after = at + 1 + data[at]
        found['basic.reply_to'] = at, after
        at = after
    if flags & 0x0100:
        after = at + 1 + data[at]
        found['basic.expiration'] = at, after
        at = after
    if flags & 0x80:
        after = at + 1 + data[at]
        found['basic.message_id'] = at, after
        at = after
    if flags & 0x40:
        found['basic.timestamp'] = at, at + 8
        at += 8
    if flags & 0x20:
        after = at + 1 + data[at]
        found['basic.type'] = at, after
        at = after
    if flags & 0x10:
        after = at + 1 + data[at]
        found['basic.user_id'] = at, after
        at = after
    if flags & 0x08:
        after = at + 1 + data[at]
        found['basic.app_id'] = at, after
        at = after
    if flags & 0x04:
        after = at + 1 + data[at]
        found['basic.cluster_id'] = at, after
        at = after
    return at

def write_properties(out: Writer, given: BasicProperties) -> None:
    'Write the flags of BasicProperties and the fields that are set.'
    value: Any
    start: i64 = len(out)
    try:
        flags: i64 = 0
        place: i64 = len(out)
        out.write(b'\x00\x00')
        if (value := given.content_type) is not None:
            flags |= 0x8000
            write_text8(out, value)
        if (value := given.content_encoding) is not None:
            flags |= 0x4000
            write_text8(out, value)
        if (value := given.headers) is not None:
            flags |= 0x2000
            codec.write_table(out, value, 1)
        if (value := given.delivery_mode) is not None:
            flags |= 0x1000
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := given.priority) is not None:
            flags |= 0x0800
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := given.correlation_id) is not None:
            flags |= 0x0400
            write_text8(out, value)
        if (value := given.reply_to) is not None:
            flags |= 0x0200
            write_text8(out, value)
        if (value := given.expiration) is not None:
            flags |= 0x0100
            write_text8(out, value)
        if (value := given.message_id) is not None:
            flags |= 0x80
            write_text8(out, value)
        if (value := given.timestamp) is not None:
            flags |= 0x40
            write_u64(out, value if type(value) is int else -1)
        if (value := given.type) is not None:
            flags |= 0x20
            write_text8(out, value)
        if (value := given.user_id) is not None:
            flags |= 0x10
            write_text8(out, value)
        if (value := given.app_id) is not None:
            flags |= 0x08
            write_text8(out, value)
        if (value := given.cluster_id) is not None:
            flags |= 0x04
            write_text8(out, value)
        put_u16(out, place, flags)
    except FAILED:
        out.truncate(start)
        write_properties_carefully(out, given)

def write_properties_carefully(out: Writer, given: BasicProperties) -> None:
    'Write the flags of BasicProperties and the fields that are set. EncodeError names an invalid field.'
    value: Any
    field = ''
    try:
        flags: i64 = 0
        place: i64 = len(out)
        out.write(b'\x00\x00')
        field = 'basic.content_type'
        if (value := given.content_type) is not None:
            flags |= 0x8000
            codec.write_shortstr(out, value)
        field = 'basic.content_encoding'
        if (value := given.content_encoding) is not None:
            flags |= 0x4000
            codec.write_shortstr(out, value)
        field = 'basic.headers'
        if (value := given.headers) is not None:
            flags |= 0x2000
            codec.write_table(out, value, 1)
        field = 'basic.delivery_mode'
        if (value := given.delivery_mode) is not None:
            flags |= 0x1000
            types['octet'].check(value, '')
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        field = 'basic.priority'
        if (value := given.priority) is not None:
            flags |= 0x0800
            types['octet'].check(value, '')
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        field = 'basic.correlation_id'
        if (value := given.correlation_id) is not None:
            flags |= 0x0400
            codec.write_shortstr(out, value)
        field = 'basic.reply_to'
        if (value := given.reply_to) is not None:
            flags |= 0x0200
            codec.write_shortstr(out, value)
        field = 'basic.expiration'
        if (value := given.expiration) is not None:
            flags |= 0x0100
            codec.write_shortstr(out, value)
        field = 'basic.message_id'
        if (value := given.message_id) is not None:
            flags |= 0x80
            codec.write_shortstr(out, value)
        field = 'basic.timestamp'
        if (value := given.timestamp) is not None:
            flags |= 0x40
            types['timestamp'].check(value, '')
            write_u64(out, value if type(value) is int else -1)
        field = 'basic.type'
        if (value := given.type) is not None:
            flags |= 0x20
            codec.write_shortstr(out, value)
        field = 'basic.user_id'
        if (value := given.user_id) is not None:
            flags |= 0x10
            codec.write_shortstr(out, value)
        field = 'basic.app_id'
        if (value := given.app_id) is not None:
            flags |= 0x08
            codec.write_shortstr(out, value)
        field = 'basic.cluster_id'
        if (value := given.cluster_id) is not None:
            flags |= 0x04
            codec.write_shortstr(out, value)
        put_u16(out, place, flags)
    except EncodeError as error:
        raise within(error, field) from None

def read_value(code: i64, data: bytes, at: i64, end: i64, depth: i64) -> tuple[str, object, i64]:
    'Return type and value behind a code, and the offset behind them.'
    after: i64
    value: Any
    if code == 0x53:
        after = at + 4 + read_u32(data, at)
        return 'longstr', data[at + 4:after], after
    if code == 0x49:
        return 'signedint', read_i32(data, at), at + 4
    if code == 0x74:
        return 'bool', data[at] != 0, at + 1
    if code == 0x6c or code == 0x4c:
        return 'long', read_i64(data, at), at + 8
    if code == 0x64:
        return 'double', read_f64(data, at), at + 8
    if code == 0x54:
        return 'timestamp', read_u64(data, at), at + 8
    if code == 0x46:
        value, after = codec.read_table(data, at, end, depth + 1)
        return 'table', value, after
    if code == 0x41:
        value, after = codec.read_array(data, at, end, depth + 1)
        return 'array', value, after
    if code < 0x66:
        if code < 0x55:
            if code == 0x42:
                return 'unsignedbyte', data[at], at + 1
            if code == 0x44:
                return 'decimal', Decimal091(data[at], read_i32(data, at + 1)), at + 5
        else:
            if code == 0x55:
                return 'short', read_i16(data, at), at + 2
            if code == 0x56:
                return 'void', None, at
            if code == 0x62:
                value = data[at]
                return 'byte', value if value < 128 else value - 256, at + 1
    elif code < 0x73:
        if code == 0x66:
            value = read_f32(data, at)
            return 'float', value if value == value else float_of_single(data[at:at + 4]), at + 4
        if code == 0x69:
            return 'unsignedint', read_u32(data, at), at + 4
    else:
        if code == 0x73:
            return 'short', read_i16(data, at), at + 2
        if code == 0x75:
            return 'unsignedshort', read_u16(data, at), at + 2
        if code == 0x78:
            after = at + 4 + read_u32(data, at)
            return 'binary', data[at + 4:after], after
    raise codec.unknown_code(code, at - 1)

def write_value(out: Writer, type_: str, value: Any, depth: i64) -> None:
    'Write the code of a type and a value. KeyError for an unknown type, EncodeError for a value that it cannot hold.'
    size: i64
    try:
        if type_ == 'longstr':
            if type(value) is not bytes:
                raise codec.bad_value('longstr', value)
            size = len(value)
            out.write(codec.LONGSTRS[size] if size < 256 else codec.long_head(b'S', size))
            out.write(value)
        elif type_ == 'signedint':
            if type(value) is not int:
                raise codec.bad_value('signedint', value)
            out.write(b'I')
            write_i32(out, value)
        elif type_ == 'bool':
            if type(value) is not bool:
                raise codec.bad_value('bool', value)
            out.write(b't\x01' if value else b't\x00')
        elif type_ == 'long':
            if type(value) is not int:
                raise codec.bad_value('long', value)
            out.write(b'l')
            write_i64(out, value)
        elif type_ == 'double':
            if type(value) is not float:
                raise codec.bad_value('double', value)
            out.write(b'd')
            write_f64(out, value)
        elif type_ == 'timestamp':
            if type(value) is not int:
                raise codec.bad_value('timestamp', value)
            out.write(b'T')
            write_u64(out, value)
        elif type_ == 'table':
            out.write(b'F')
            codec.write_table(out, value, depth + 1)
        elif type_ == 'array':
            out.write(b'A')
            codec.write_array(out, value, depth + 1)
        elif len(type_) < 6:
            if len(type_) < 5:
                if type_ == 'byte':
                    if type(value) is not int:
                        raise codec.bad_value('byte', value)
                    out.write(b'b')
                    write_i8(out, value)
                elif type_ == 'void':
                    if types['void'].fault(value) is not None:
                        raise codec.bad_value('void', value)
                    out.write(b'V')
                else:
                    raise KeyError(type_)
            elif type_ == 'float':
                if types['float'].fault(value) is not None:
                    raise codec.bad_value('float', value)
                out.write(b'f')
                out.write(single_of_float(value))
            elif type_ == 'short':
                if type(value) is not int:
                    raise codec.bad_value('short', value)
                out.write(b's')
                write_i16(out, value)
            else:
                raise KeyError(type_)
        elif len(type_) < 11:
            if type_ == 'binary':
                if types['binary'].fault(value) is not None:
                    raise codec.bad_value('binary', value)
                out.write(codec.long_head(b'x', len(value)))
                out.write(value)
            elif type_ == 'decimal':
                if types['decimal'].fault(value) is not None:
                    raise codec.bad_value('decimal', value)
                out.write(b'D')
                out.write(SIZES[value.scale])
                write_i32(out, value.value)
            else:
                raise KeyError(type_)
        elif type_ == 'unsignedint':
            if type(value) is not int:
                raise codec.bad_value('unsignedint', value)
            out.write(b'i')
            write_u32(out, value)
        elif type_ == 'unsignedbyte':
            if type(value) is not int:
                raise codec.bad_value('unsignedbyte', value)
            out.write(b'B')
            write_u8(out, value)
        elif type_ == 'unsignedshort':
            if type(value) is not int:
                raise codec.bad_value('unsignedshort', value)
            out.write(b'u')
            write_u16(out, value)
        else:
            raise KeyError(type_)
    except UNFIT:
        raise codec.bad_value(type_, value) from None

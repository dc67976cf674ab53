"""The codec printed from mqconvert.converters.protocols.nsq.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import digits_at, read_i32, read_i64, read_u16, read_u32, COMPILED
from mqconvert.converters.protocols.nsq.message import Message, name_fault
from struct import Struct


def read_pub(made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    after: i64
    size: i64
    text: str
    after = data.find(b'\n', at, at + 100)
    if after < 0:
        raise IndexError
    text = data[at:after].decode()
    after += 1
    if name_fault(text) is not None:
        raise IndexError
    made.topic = text
    at = after
    size = read_u32(data, at)
    after = at + 4 + size
    if not size or after > end:
        raise IndexError
    made.body = data[at + 4:after]
    at = after
    return at

def read_dpub(made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    after: i64
    size: i64
    number: i64
    text: str
    after = data.find(b' ', at, at + 100)
    if after < 0:
        raise IndexError
    text = data[at:after].decode()
    after += 1
    if name_fault(text) is not None:
        raise IndexError
    made.topic = text
    at = after
    after = data.find(b'\n', at, at + 32)
    number = digits_at(data, b'', at, after)
    after += 1
    if number < 0:
        raise IndexError
    made.defer_ms = number
    at = after
    size = read_u32(data, at)
    after = at + 4 + size
    if not size or after > end:
        raise IndexError
    made.body = data[at + 4:after]
    at = after
    return at

def read_delivery(data: bytes, at: i64) -> tuple[i64, i64, i64, i64, bytes]:
    'Return the values of the layout >iiqH16s at an offset.'
    if at + 34 > len(data):
        raise IndexError
    return (read_i32(data, at), read_i32(data, at + 4), read_i64(data, at + 8), read_u16(data, at + 16), data[at + 18:at + 34])

if not COMPILED:
    read_delivery = Struct('>iiqH16s').unpack_from

"""The codec printed from mqconvert.converters.protocols.nsq.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import digits_at, read_u32
from mqconvert.converters.protocols.nsq.message import Message, name_fault


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

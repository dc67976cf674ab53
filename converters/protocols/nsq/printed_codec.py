"""The codec printed from mqconvert.converters.protocols.nsq.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import Writer, digits_at, read_i32, read_i64, read_u16, read_u32, write_i64, write_u16, COMPILED
from mqconvert.converters.protocols.nsq.message import Message, name_fault
from struct import Struct
from typing import Any


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

def has_more_than_pub(given: Message) -> bool:
    'Return whether other fields of Message are set.'
    return given.timestamp is not None or given.attempts is not None or given.message_id is not None

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
    return (
        read_i32(data, at), read_i32(data, at + 4), read_i64(data, at + 8), read_u16(data, at + 16), data[at + 18:at + 34]
    )

def read_message(data: bytes, at: i64, end: i64) -> Message | None:
    'Return the message of a message frame from `at` to `end`; None for another frame.'
    size: i64
    size, kind, timestamp, attempts, message_id = read_delivery(data, at)
    if kind != 2 or size != end - at - 4:
        return None
    return Message(None, None, timestamp, attempts, message_id, None, None, None, data[at + 34:end], 'message')

def write_delivery(out: Writer, given: Message) -> None:
    'Write fields of Message, without checks.'
    value: Any
    value = given.timestamp
    if type(value) is not int:
        raise ValueError
    write_i64(out, value)
    value = given.attempts
    if type(value) is not int:
        raise ValueError
    write_u16(out, value)
    value = given.message_id
    if type(value) is not bytes or len(value) != 16:
        raise ValueError
    out.write(value)

def has_more_than_delivery(given: Message) -> bool:
    'Return whether other fields of Message are set.'
    return (
        given.topic is not None
        or given.defer_ms is not None
        or given.batch_index is not None
        or given.batch_size is not None
    )

if not COMPILED:
    read_delivery = Struct('>iiqH16s').unpack_from

"""The codec printed from mqconvert.converters.protocols.phpmq.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import digits_at
import mqconvert.converters.protocols.phpmq.codec as codec
from mqconvert.converters.protocols.phpmq.message import Message
from typing import Any


def read_send(made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    after: i64
    size: i64
    number: i64
    size = digits_at(data, b'P01', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    made.queue = data[at + 32:after]
    at = after
    size = digits_at(data, b'P02', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    made.content = data[at + 32:after]
    at = after
    size = digits_at(data, b'P05', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    number = digits_at(data, b'', at + 32, after)
    if number < 0:
        raise IndexError
    made.ttl = number
    at = after
    return at

def write_send(pieces: list[bytes], given: Message) -> None:
    'Write fields of Message, without checks.'
    value: Any
    size: i64
    raw: bytes
    whole: int
    value = given.queue
    if type(value) is not bytes:
        raise ValueError
    raw = value
    size = len(raw)
    pieces.append(codec.HEADS[1][size] if size < codec.USUAL else b'P01%029d' % size)
    pieces.append(raw)
    value = given.content
    if type(value) is not bytes:
        raise ValueError
    raw = value
    size = len(raw)
    pieces.append(codec.HEADS[2][size] if size < codec.USUAL else b'P02%029d' % size)
    pieces.append(raw)
    value = given.ttl
    if type(value) is not int:
        raise ValueError
    whole = value
    if not -9223372036854775808 <= whole < 9223372036854775808:
        raise ValueError
    raw = str(whole).encode()
    size = len(raw)
    pieces.append(codec.HEADS[5][size] if size < codec.USUAL else b'P05%029d' % size)
    pieces.append(raw)

def has_more_than_send(given: Message) -> bool:
    'Return whether other fields of Message are set.'
    return given.message_id is not None

def read_dispatch(made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    after: i64
    size: i64
    number: i64
    size = digits_at(data, b'P01', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    made.queue = data[at + 32:after]
    at = after
    size = digits_at(data, b'P02', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    made.content = data[at + 32:after]
    at = after
    size = digits_at(data, b'P03', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    made.message_id = data[at + 32:after]
    at = after
    size = digits_at(data, b'P05', at, at + 32)
    after = at + 32 + size
    if size < 0 or after > end:
        raise IndexError
    number = digits_at(data, b'', at + 32, after)
    if number < 0:
        raise IndexError
    made.ttl = number
    at = after
    return at

def write_dispatch(pieces: list[bytes], given: Message) -> None:
    'Write fields of Message, without checks.'
    value: Any
    size: i64
    raw: bytes
    whole: int
    value = given.queue
    if type(value) is not bytes:
        raise ValueError
    raw = value
    size = len(raw)
    pieces.append(codec.HEADS[1][size] if size < codec.USUAL else b'P01%029d' % size)
    pieces.append(raw)
    value = given.content
    if type(value) is not bytes:
        raise ValueError
    raw = value
    size = len(raw)
    pieces.append(codec.HEADS[2][size] if size < codec.USUAL else b'P02%029d' % size)
    pieces.append(raw)
    value = given.message_id
    if type(value) is not bytes:
        raise ValueError
    raw = value
    size = len(raw)
    pieces.append(codec.HEADS[3][size] if size < codec.USUAL else b'P03%029d' % size)
    pieces.append(raw)
    value = given.ttl
    if type(value) is not int:
        raise ValueError
    whole = value
    if not -9223372036854775808 <= whole < 9223372036854775808:
        raise ValueError
    raw = str(whole).encode()
    size = len(raw)
    pieces.append(codec.HEADS[5][size] if size < codec.USUAL else b'P05%029d' % size)
    pieces.append(raw)

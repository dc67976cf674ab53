"""The codec printed from mqconvert.converters.protocols.rocketmq.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.primitives import Writer, read_i16, read_i32, read_i64, write_i32, write_i64, COMPILED
import mqconvert.converters.protocols.rocketmq.codec as codec
from mqconvert.converters.protocols.rocketmq.message import Message
from struct import Struct
from typing import Any


def read_header(data: bytes, at: i64) -> tuple[i64, i64, i64, i64, i64, i64]:
    'Return the values of the layout >hBhiii at an offset.'
    if at + 17 > len(data):
        raise IndexError
    return (
        read_i16(data, at),
        data[at + 2],
        read_i16(data, at + 3),
        read_i32(data, at + 5),
        read_i32(data, at + 9),
        read_i32(data, at + 13),
    )

def read_field(data: bytes, at: i64) -> tuple[i64, i64, i64]:
    'Return the values of the layout >HBIx at an offset.'
    number: i64
    number = read_i64(data, at)
    return number >> 48 & 65535, number >> 40 & 255, number >> 8 & 4294967295

def read_record(made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    after: i64
    made.queue_id = read_i32(data, at)
    made.flag = read_i32(data, at + 4)
    made.queue_offset = read_i64(data, at + 8)
    made.physical_offset = read_i64(data, at + 16)
    made.sys_flag = read_i32(data, at + 24)
    made.born_timestamp = read_i64(data, at + 28)
    after = at + 36 + (20 if made.sys_flag & 0x10 else 8)
    made.born_host = codec.host_text(data[at + 36:after])
    at = after
    made.store_timestamp = read_i64(data, at)
    after = at + 8 + (20 if made.sys_flag & 0x20 else 8)
    made.store_host = codec.host_text(data[at + 8:after])
    at = after
    made.reconsume_times = read_i32(data, at)
    made.prepared_transaction_offset = read_i64(data, at + 4) or None
    return at + 12

def span_record(found: dict[str, Any], made: Message, data: bytes, at: i64, end: i64) -> i64:
    'Note the bytes of the fields of Message, after they were read.'
    after: i64
    found['queue_id'] = at, at + 4
    at += 4
    found['flag'] = at, at + 4
    at += 4
    found['queue_offset'] = at, at + 8
    at += 8
    found['physical_offset'] = at, at + 8
    at += 8
    found['sys_flag'] = at, at + 4
    at += 4
    found['born_timestamp'] = at, at + 8
    at += 8
    after = at + (20 if made.sys_flag & 0x10 else 8)
    found['born_host'] = at, after
    at = after
    found['store_timestamp'] = at, at + 8
    at += 8
    after = at + (20 if made.sys_flag & 0x20 else 8)
    found['store_host'] = at, after
    at = after
    found['reconsume_times'] = at, at + 4
    at += 4
    found['prepared_transaction_offset'] = at, at + 8
    at += 8
    return at

def write_record(out: Writer, given: Message, bits: i64) -> None:
    'Write fields of Message, without checks.'
    value: Any
    value = given.queue_id
    write_i32(out, value if type(value) is int else codec.UNSET[value])
    value = given.flag
    if type(value) is not int:
        raise ValueError
    write_i32(out, value)
    value = given.queue_offset
    write_i64(out, value if type(value) is int else codec.UNSET[value])
    value = given.physical_offset
    write_i64(out, value if type(value) is int else codec.UNSET[value])
    value = given.sys_flag
    if type(value) is not int or value & 2033:
        raise ValueError
    write_i32(out, value | bits | codec.width(given.born_host, 0x10) | codec.width(given.store_host, 0x20))
    value = given.born_timestamp
    write_i64(out, value if type(value) is int else codec.UNSET[value])
    value = given.born_host
    codec.write_host(out, value)
    value = given.store_timestamp
    write_i64(out, value if type(value) is int else codec.UNSET[value])
    value = given.store_host
    codec.write_host(out, value)
    value = given.reconsume_times
    write_i32(out, value if type(value) is int else codec.UNSET[value])
    value = given.prepared_transaction_offset
    write_i64(out, value if type(value) is int else codec.UNSET[value])

def has_more_than_record(given: Message) -> bool:
    'Return whether other fields of Message are set.'
    return (
        given.raw_properties is not None
        or given.producer_group is not None
        or given.default_topic is not None
        or given.default_topic_queue_nums is not None
        or given.unit_mode is not None
        or given.max_reconsume_times is not None
        or given.broker_name is not None
        or given.ext_fields is not None
        or given.batch_index is not None
        or given.batch_size is not None
        or given.batch_properties is not None
        or given.batch_flag is not None
        or given.magic is not None
        or given.request_code is not None
    )

def read_request(made: Message, texts: list[str | None], at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    value: Any
    made.producer_group = texts[at] or None
    made.topic = texts[at + 1] or ''
    made.default_topic = None if texts[at + 2] == 'TBW102' else texts[at + 2] or None
    value = codec.number_at(texts[at + 3], 32, 'default_topic_queue_nums')
    made.default_topic_queue_nums = None if value == 4 else value
    made.queue_id = codec.number_at(texts[at + 4], 32, 'queue_id')
    made.sys_flag = codec.number_at(texts[at + 5], 32, 'sys_flag') or 0
    made.born_timestamp = codec.number_at(texts[at + 6], 64, 'born_timestamp')
    made.flag = codec.number_at(texts[at + 7], 32, 'flag') or 0
    made.reconsume_times = codec.number_at(texts[at + 9], 32, 'reconsume_times')
    made.unit_mode = codec.truth_at(texts[at + 10], 'unit_mode') or None
    made.max_reconsume_times = codec.number_at(texts[at + 11], 32, 'max_reconsume_times')
    made.broker_name = texts[at + 13] or None
    return at + 14

def write_request(texts: list[str | None], given: Message, text: str, bits: i64, batch: bool) -> None:
    'Write fields of Message, without checks.'
    value: Any
    number: i64
    value = given.producer_group
    texts.append('DEFAULT_PRODUCER' if value is None else codec.sound_text(value, 'DEFAULT_PRODUCER'))
    value = given.topic
    texts.append(codec.sound_text(value, None))
    value = given.default_topic
    texts.append('TBW102' if value is None else codec.sound_text(value, 'TBW102'))
    value = given.default_topic_queue_nums
    if value is None:
        texts.append('4')
    else:
        if type(value) is not int:
            raise ValueError
        number = value
        if not -2147483648 <= number < 2147483648:
            raise ValueError
        texts.append(str(number))
    value = given.queue_id
    if value is None:
        texts.append('0')
    else:
        if type(value) is not int:
            raise ValueError
        number = value
        if not -2147483648 <= number < 2147483648:
            raise ValueError
        texts.append(str(number))
    value = given.sys_flag
    if type(value) is not int or value & 2033:
        raise ValueError
    if type(value) is not int:
        raise ValueError
    number = value
    if not -2147483648 <= number < 2147483648:
        raise ValueError
    texts.append(str(number | bits))
    value = given.born_timestamp
    if value is None:
        texts.append('0')
    else:
        if type(value) is not int or not -9223372036854775808 <= value < 9223372036854775808:
            raise ValueError
        texts.append(str(value))
    value = given.flag
    if type(value) is not int:
        raise ValueError
    number = value
    if not -2147483648 <= number < 2147483648:
        raise ValueError
    texts.append(str(number))
    texts.append(text or None)
    value = given.reconsume_times
    if value is None:
        texts.append(None)
    else:
        if type(value) is not int:
            raise ValueError
        number = value
        if not -2147483648 <= number < 2147483648:
            raise ValueError
        texts.append(str(number))
    value = given.unit_mode
    if value is not None and type(value) is not bool:
        raise ValueError
    texts.append('true' if value else 'false')
    value = given.max_reconsume_times
    if value is None:
        texts.append(None)
    else:
        if type(value) is not int:
            raise ValueError
        number = value
        if not -2147483648 <= number < 2147483648:
            raise ValueError
        texts.append(str(number))
    texts.append('true' if batch else 'false')
    value = given.broker_name
    texts.append(None if value is None else codec.sound_text(value, None))

def has_more_than_request(given: Message) -> bool:
    'Return whether other fields of Message are set.'
    return (
        given.raw_properties is not None
        or given.ext_fields is not None
        or given.batch_index is not None
        or given.batch_size is not None
        or given.batch_properties is not None
        or given.batch_flag is not None
        or given.queue_offset is not None
        or given.physical_offset is not None
        or given.store_timestamp is not None
        or given.born_host is not None
        or given.store_host is not None
        or given.prepared_transaction_offset is not None
        or given.magic is not None
        or given.request_code is not None
    )

def read_pushed(made: Message, texts: list[str | None], at: i64, end: i64) -> i64:
    'Read fields of Message, and return the offset behind them.'
    made.born_host = codec.read_host(texts[at], 'born_host')
    made.store_host = codec.read_host(texts[at + 1], 'store_host')
    made.store_timestamp = codec.number_at(texts[at + 2], 64, 'store_timestamp')
    return at + 3

def write_pushed(texts: list[str | None], given: Message) -> None:
    'Write fields of Message, without checks.'
    value: Any
    value = given.born_host
    texts.append(codec.java_host(value or '0.0.0.0:0', 'born_host'))
    value = given.store_host
    texts.append(codec.java_host(value or '0.0.0.0:0', 'store_host'))
    value = given.store_timestamp
    if value is None:
        texts.append('0')
    else:
        if type(value) is not int or not -9223372036854775808 <= value < 9223372036854775808:
            raise ValueError
        texts.append(str(value))

if not COMPILED:
    read_header = Struct('>hBhiii').unpack_from
    read_field = Struct('>HBIx').unpack_from

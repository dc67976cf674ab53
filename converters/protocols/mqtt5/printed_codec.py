"""The codec printed from mqconvert.converters.protocols.mqtt5.wire: `make generate` writes it."""

from mqconvert.converters.errors import DecodeError, EncodeError
from mqconvert.converters.model.entries import within
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import topic_fault
from mqconvert.converters.model.primitives import StructError, UNWRITABLE, Writer, read_u32, write_coded_text16, write_u16, write_u32, write_u8
import mqconvert.converters.protocols.mqtt5.codec as codec
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.protocols.mqtt5.types import MQTT_TYPES as types
from typing import Any


def read_properties(made: Message, data: bytes, at: i64, end: i64) -> None:
    'Read fields of Message.'
    after: i64
    value_at: i64
    number: i64
    text: str
    key: str
    start: i64 = at
    all_user_properties: list[Any] = []
    all_subscription_identifiers: list[Any] = []
    try:
        while at < end:
            tag: i64 = data[at]
            if tag == 0x26:
                value_at = at + 3 + (data[at + 1] << 8 | data[at + 2])
                after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
                key = data[at + 3:value_at].decode()
                text = data[value_at + 2:after].decode()
                if '\x00' in key or '\x00' in text:
                    break
                all_user_properties.append((key, text))
                at = after
            elif tag == 0x23 and made.topic_alias is None:
                number = data[at + 1] << 8 | data[at + 2]
                if not number:
                    break
                made.topic_alias = number
                at += 3
            elif tag == 0x0b:
                number, after = codec.read_varint(data, at + 1, end)
                if not number:
                    break
                all_subscription_identifiers.append(number)
                at = after
            elif tag == 0x09 and made.correlation_data is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                made.correlation_data = data[at + 3:after]
                at = after
            elif tag == 0x08 and made.response_topic is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if not text or '\x00' in text or '+' in text or '#' in text:
                    break
                made.response_topic = text
                at = after
            elif tag == 0x03 and made.content_type is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if '\x00' in text:
                    break
                made.content_type = text
                at = after
            elif tag == 0x02 and made.message_expiry_interval is None:
                made.message_expiry_interval = read_u32(data, at + 1)
                at += 5
            elif tag == 0x01 and made.payload_format_indicator is None:
                number = data[at + 1]
                if number > 1:
                    break
                made.payload_format_indicator = number
                at += 2
            else:
                break
    except (IndexError, StructError, UnicodeError, DecodeError):
        at = start
    if all_user_properties:
        made.user_properties = all_user_properties
    if all_subscription_identifiers:
        made.subscription_identifiers = all_subscription_identifiers
    if at != end:
        read_properties_carefully(made, data, start, end)

def read_properties_carefully(made: Message, data: bytes, at: i64, end: i64) -> None:
    'Read fields of Message again. DecodeError names the first that is invalid.'
    after: i64
    value: Any
    number: i64
    made.user_properties = None
    made.topic_alias = None
    made.subscription_identifiers = None
    made.correlation_data = None
    made.response_topic = None
    made.content_type = None
    made.message_expiry_interval = None
    made.payload_format_indicator = None
    all_user_properties: list[Any] = []
    all_subscription_identifiers: list[Any] = []
    try:
        while at < end:
            tag: i64 = data[at]
            if tag == 0x26:
                value, after = codec.read_pair(data, at + 1, end)
                all_user_properties.append(value)
            elif tag == 0x23:
                if made.topic_alias is not None:
                    raise codec.repeated('topic_alias', at)
                number = data[at + 1] << 8 | data[at + 2]
                after = at + 3
                if after <= end and not number:
                    raise codec.bad_number('topic alias', number, at + 1, 'topic_alias')
                made.topic_alias = number
            elif tag == 0x0b:
                number, after = codec.read_varint(data, at + 1, end)
                if after <= end and not number:
                    raise codec.bad_number('subscription identifier', number, at, None)
                all_subscription_identifiers.append(number)
            elif tag == 0x09:
                if made.correlation_data is not None:
                    raise codec.repeated('correlation_data', at)
                after = codec.end_of_bytes(data, at + 1, end)
                value = data[at + 3:after]
                made.correlation_data = value
            elif tag == 0x08:
                if made.response_topic is not None:
                    raise codec.repeated('response_topic', at)
                value, after = codec.read_topic(data, at + 1, end, 'response_topic')
                made.response_topic = value
            elif tag == 0x03:
                if made.content_type is not None:
                    raise codec.repeated('content_type', at)
                value, after = codec.read_text(data, at + 1, end)
                made.content_type = value
            elif tag == 0x02:
                if made.message_expiry_interval is not None:
                    raise codec.repeated('message_expiry_interval', at)
                after = at + 5
                made.message_expiry_interval = read_u32(data, at + 1)
            elif tag == 0x01:
                if made.payload_format_indicator is not None:
                    raise codec.repeated('payload_format_indicator', at)
                number = data[at + 1]
                after = at + 2
                if after <= end and number > 1:
                    raise codec.bad_number('payload_format_indicator', number, at + 1, 'payload_format_indicator')
                made.payload_format_indicator = number
            else:
                raise codec.unknown_tag(tag, at)
            if after > end:
                raise codec.ends_early(at + 1)
            at = after
    except (IndexError, StructError):
        raise codec.ends_early(at + 1) from None
    if all_user_properties:
        made.user_properties = all_user_properties
    if all_subscription_identifiers:
        made.subscription_identifiers = all_subscription_identifiers

def span_properties(found: dict[str, Any], data: bytes, at: i64, end: i64) -> None:
    'Note the bytes of the fields of Message, after they were read.'
    after: i64
    value_at: i64
    number: i64
    text: str
    key: str
    while at < end:
        tag: i64 = data[at]
        if tag == 0x26:
            value_at = at + 3 + (data[at + 1] << 8 | data[at + 2])
            after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
            key = data[at + 3:value_at].decode()
            text = data[value_at + 2:after].decode()
            found.setdefault('user_properties', []).append((at, after))
            at = after
        elif tag == 0x23:
            number = data[at + 1] << 8 | data[at + 2]
            found['topic_alias'] = at, at + 3
            at += 3
        elif tag == 0x0b:
            number, after = codec.read_varint(data, at + 1, end)
            found.setdefault('subscription_identifiers', []).append((at, after))
            at = after
        elif tag == 0x09:
            after = at + 3 + (data[at + 1] << 8 | data[at + 2])
            found['correlation_data'] = at, after
            at = after
        elif tag == 0x08:
            after = at + 3 + (data[at + 1] << 8 | data[at + 2])
            text = data[at + 3:after].decode()
            found['response_topic'] = at, after
            at = after
        elif tag == 0x03:
            after = at + 3 + (data[at + 1] << 8 | data[at + 2])
            text = data[at + 3:after].decode()
            found['content_type'] = at, after
            at = after
        elif tag == 0x02:
            found['message_expiry_interval'] = at, at + 5
            at += 5
        elif tag == 0x01:
            number = data[at + 1]
            found['payload_format_indicator'] = at, at + 2
            at += 2
        else:
            break

def write_properties(out: Writer, given: Message) -> None:
    'Write the fields of Message that are set.'
    value: Any
    text: str
    raw: bytes
    start: i64 = len(out)
    try:
        if (value := given.payload_format_indicator) is not None:
            out.write(b'\x01')
            write_u8(out, value if type(value) is int and value <= 1 else -1)
        if (value := given.message_expiry_interval) is not None:
            out.write(b'\x02')
            write_u32(out, value if type(value) is int else -1)
        if (value := given.content_type) is not None:
            if type(value) is not str:
                raise ValueError
            text = value
            if '\x00' in text:
                raise ValueError
            write_coded_text16(out, 0x03, text)
        if (value := given.response_topic) is not None:
            if topic_fault(value) is not None:
                raise ValueError
            write_coded_text16(out, 0x08, value)
        if (value := given.correlation_data) is not None:
            if type(value) is not bytes:
                raise ValueError
            raw = value
            out.write(b'\t')
            write_u16(out, len(raw))
            out.write(raw)
        if (value := given.subscription_identifiers) is not None:
            codec.write_subscription_identifiers(out, value)
        if (value := given.topic_alias) is not None:
            out.write(b'#')
            write_u16(out, value if type(value) is int and value else -1)
        if (value := given.user_properties) is not None:
            codec.write_user_properties(out, value)
    except UNWRITABLE:
        out.truncate(start)
        write_properties_carefully(out, given)

def write_properties_carefully(out: Writer, given: Message) -> None:
    'Write the fields of Message that are set. EncodeError names an invalid field.'
    value: Any
    text: str
    raw: bytes
    field = ''
    try:
        field = 'payload_format_indicator'
        if (value := given.payload_format_indicator) is not None:
            types['bit'].check(value, '')
            out.write(b'\x01')
            write_u8(out, value if type(value) is int and value <= 1 else -1)
        field = 'message_expiry_interval'
        if (value := given.message_expiry_interval) is not None:
            types['uint'].check(value, '')
            out.write(b'\x02')
            write_u32(out, value if type(value) is int else -1)
        field = 'content_type'
        if (value := given.content_type) is not None:
            types['utf8'].check(value, '')
            if type(value) is not str:
                raise ValueError
            text = value
            if '\x00' in text:
                raise ValueError
            write_coded_text16(out, 0x03, text)
        field = 'response_topic'
        if (value := given.response_topic) is not None:
            types['topic'].check(value, '')
            if topic_fault(value) is not None:
                raise ValueError
            write_coded_text16(out, 0x08, value)
        field = 'correlation_data'
        if (value := given.correlation_data) is not None:
            types['binary'].check(value, '')
            if type(value) is not bytes:
                raise ValueError
            raw = value
            out.write(b'\t')
            write_u16(out, len(raw))
            out.write(raw)
        field = 'subscription_identifiers'
        if (value := given.subscription_identifiers) is not None:
            codec.write_subscription_identifiers(out, value)
        field = 'topic_alias'
        if (value := given.topic_alias) is not None:
            codec.check_alias(value)
            out.write(b'#')
            write_u16(out, value)
        field = 'user_properties'
        if (value := given.user_properties) is not None:
            codec.write_user_properties(out, value)
    except EncodeError as error:
        raise within(error, field) from None

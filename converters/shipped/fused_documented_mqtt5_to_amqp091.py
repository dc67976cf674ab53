"""mqtt-5.0 -> amqp-0.9.1, from mqtt5_to_amqp091.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.entries import Keys
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.primitives import SIZES, Writer, is_text, put_u16, read_u32, write_text8
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as target_codec
import mqconvert.converters.protocols.mqtt5.codec as source_codec
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-0.9.1'].named
    via_topic_to_routing_key_then_octets: Any = TRANSFORMS['topic-to-routing-key then octets'].function
    when_shortstr: Any = CONDITIONS['shortstr'].function
    via_text: Any = TRANSFORMS['text'].function
    key_fault_shortstr: Any = types['table'].key_fault
    via_sorted_by_key: Any = TRANSFORMS['sorted-by-key'].function

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        dup: int = 0
        qos: Any = 0
        retain: int = 0
        topic_name: str = ''
        packet_identifier: Any = None
        payload_format_indicator: Any = None
        message_expiry_interval: int | None = None
        topic_alias: Any = None
        response_topic: str | None = None
        correlation_data: bytes | None = None
        user_properties: i64 = 0
        subscription_identifiers: list[Any] | None = None
        content_type: str | None = None
        payload: bytes = b''
        after: i64
        all_subscription_identifiers: list[Any]
        at: i64 = 0
        complete: bool = True
        end: i64
        fault: str | None
        filled_basic_headers: Keys
        flags: i64
        handed: str
        key: str
        last_basic_headers: Any
        made: Any
        number: int
        place: i64
        size: i64
        start: i64
        tag: i64
        text: str
        to_basic_content_type: Any
        to_basic_correlation_id: Any
        to_basic_delivery_mode: Any
        to_basic_expiration: Any
        to_basic_headers: list[Any]
        to_payload: Any
        value: Any
        value_at: i64
        dup, qos, retain, topic_name, packet_identifier, at, end = source_codec.read_head(data, 0)
        if end != len(data):
            return None
        size, at = source_codec.read_varint(data, at, end)
        end = at + size
        if end > len(data):
            return None
        payload = data[end:]
        all_subscription_identifiers = []
        while at < end:
            tag = data[at]
            if tag == 0x26:
                if user_properties:
                    return None
                user_properties = at
                while at < end and data[at] == 0x26:
                    at += 3 + (data[at + 1] << 8 | data[at + 2])
                    at += 2 + (data[at] << 8 | data[at + 1])
            elif tag == 0x23 and topic_alias is None:
                number = data[at + 1] << 8 | data[at + 2]
                if not number:
                    break
                topic_alias = number
                at += 3
            elif tag == 0x0b:
                number, after = source_codec.read_varint(data, at + 1, end)
                if not number:
                    break
                all_subscription_identifiers.append(number)
                at = after
            elif tag == 0x09 and correlation_data is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                correlation_data = data[at + 3:after]
                at = after
            elif tag == 0x08 and response_topic is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if not text or '\x00' in text or '+' in text or '#' in text:
                    break
                response_topic = text
                at = after
            elif tag == 0x03 and content_type is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if '\x00' in text:
                    break
                content_type = text
                at = after
            elif tag == 0x02 and message_expiry_interval is None:
                message_expiry_interval = read_u32(data, at + 1)
                at += 5
            elif tag == 0x01 and payload_format_indicator is None:
                number = data[at + 1]
                if number > 1:
                    break
                payload_format_indicator = number
                at += 2
            else:
                break
        if all_subscription_identifiers:
            subscription_identifiers = all_subscription_identifiers
        if at != end or not topic_name and topic_alias is None:
            return None
        to_basic_delivery_mode = None
        to_basic_expiration = None
        to_basic_headers = []
        filled_basic_headers = Keys()
        to_basic_correlation_id = None
        to_basic_content_type = None
        to_payload = b''
        if dup != 0:
            # dup, mqtt5_to_amqp091.toml
            complete = False
        if qos is not None:
            # qos, mqtt5_to_amqp091.toml
            to_basic_delivery_mode = 2 if qos else 1
        if retain != 0:
            # retain, mqtt5_to_amqp091.toml
            complete = False
        if payload_format_indicator is not None:
            # payload-format-indicator, mqtt5_to_amqp091.toml
            complete = False
        if message_expiry_interval is not None:
            # message-expiry-interval, mqtt5_to_amqp091.toml
            to_basic_expiration = str(message_expiry_interval * 1000)
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp091.toml
            complete = False
        if response_topic is not None:
            # response-topic, mqtt5_to_amqp091.toml
            made = (
                handed.encode()
                if (
                    '.' not in response_topic
                    and '*' not in response_topic
                    and (handed := response_topic.replace('/', '.').replace('+', '*')).isascii()
                )
                else via_topic_to_routing_key_then_octets(response_topic)
            )
            if type(made) is not bytes:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                if 'x-reply-to-topic' in filled_basic_headers:
                    complete = False
                else:
                    to_basic_headers.append(Entry('x-reply-to-topic', 'longstr', made))
                    filled_basic_headers.add('x-reply-to-topic')
        if correlation_data is not None:
            if (  # correlation-data-shortstr, mqtt5_to_amqp091.toml
                len(correlation_data) < 256 and correlation_data.isascii() and 0 not in correlation_data
                or when_shortstr(correlation_data)
            ):
                made = correlation_data.decode() if correlation_data.isascii() else via_text(correlation_data)
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        complete = False
                    else:
                        to_basic_correlation_id = made
            else:  # correlation-data, mqtt5_to_amqp091.toml
                if 'x-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'longstr', correlation_data))
                    filled_basic_headers.add('x-correlation-id')
        if user_properties:
            at = user_properties
            while at < end and data[at] == 0x26:
                value_at = at + 3 + (data[at + 1] << 8 | data[at + 2])
                after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
                key = data[at + 3:value_at].decode()
                if '\x00' in key or not is_text(data, value_at + 2, after):
                    return None
                at = after
                # user-property, mqtt5_to_amqp091.toml
                if (
                    (
                        not (len(key) < 256 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_shortstr(key)) is not None
                    )
                    or key in filled_basic_headers
                ):
                    complete = False
                else:
                    to_basic_headers.append(Entry(key, 'longstr', data[value_at + 2:after]))
                    filled_basic_headers.add(key)
        if subscription_identifiers:
            complete = False
        if content_type is not None:
            if (  # content-type, mqtt5_to_amqp091.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                to_basic_content_type = content_type
            else:
                complete = False
        # payload, mqtt5_to_amqp091.toml
        to_payload = payload
        last_basic_headers = to_basic_headers or None
        # sorted, mqtt5_to_amqp091.toml
        if last_basic_headers is not None:
            made = via_sorted_by_key(last_basic_headers) or None
            if made is not last_basic_headers:
                last_basic_headers = made
        out = Writer()
        start = target_codec.begin(out, None, None, to_payload)
        flags = 0
        place = len(out)
        out.write(b'\x00\x00')
        if (value := to_basic_content_type) is not None:
            flags |= 0x8000
            write_text8(out, value)
        if (value := last_basic_headers) is not None:
            flags |= 0x2000
            target_codec.write_table(out, value, 1)
        if (value := to_basic_delivery_mode) is not None:
            flags |= 0x1000
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := to_basic_correlation_id) is not None:
            flags |= 0x0400
            write_text8(out, value)
        if (value := to_basic_expiration) is not None:
            flags |= 0x0100
            write_text8(out, value)
        put_u16(out, place, flags)
        return target_codec.finished(out, start, to_payload), complete

    return transcode

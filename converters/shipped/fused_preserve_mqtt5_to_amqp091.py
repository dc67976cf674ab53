"""mqtt-5.0 -> amqp-0.9.1, from mqtt5_to_amqp091.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.entries import Keys
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.primitives import SIZES, Writer, put_u16, read_u32, write_text8, write_u64
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as target_codec
import mqconvert.converters.protocols.amqp091.words
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.mqtt5.codec as source_codec
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-0.9.1'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    via_octets: Any = TRANSFORMS['octets'].function
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    when_shortstr: Any = CONDITIONS['shortstr'].function
    via_text: Any = TRANSFORMS['text'].function
    when_property_is_binary: Any = CONDITIONS['property-is binary'].function
    via_read_binary: Any = TRANSFORMS['read binary'].function
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    via_read_binary_then_text: Any = TRANSFORMS['read binary then text'].function
    when_number_0: Any = CONDITIONS['number 0'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    via_read_then_scale: Any = TRANSFORMS['read timestamp then scale 1/1000'].function
    fault_timestamp: Any = types['timestamp'].fault
    via_read_then_milliseconds_to_unsigned_seconds: Any = TRANSFORMS[
        'read timestamp then milliseconds-to-unsigned-seconds'
    ].function
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    keys_user_properties: Any = frozenset(
        [
            'amqp-app-id',
            'amqp-cluster-id',
            'amqp-content-encoding',
            'amqp-creation-time',
            'amqp-group-id',
            'amqp-message-id',
            'amqp-priority',
            'amqp-reply-to',
            'amqp-ttl',
            'amqp-type',
            'amqp-type.amqp-message-id',
            'amqp-user-id',
        ],
    )
    when_fits_header_of_text: Any = CONDITIONS['fits header-of-text'].function
    via_header_of_text: Any = TRANSFORMS['header-of-text'].function
    key_fault_shortstr: Any = types['table'].key_fault

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        dup: int = 0
        qos: int | None = 0
        retain: int = 0
        topic_name: str = ''
        packet_identifier: Any = None
        payload_format_indicator: Any = None
        message_expiry_interval: int | None = None
        topic_alias: Any = None
        response_topic: str | None = None
        correlation_data: bytes | None = None
        user_properties: list[Any] | None = None
        subscription_identifiers: list[Any] | None = None
        content_type: str | None = None
        payload: bytes = b''
        after: i64
        all_subscription_identifiers: list[Any]
        all_user_properties: list[Any]
        at: i64 = 0
        complete: bool = True
        end: i64
        fault: str | None
        filled_basic_headers: Keys
        flags: i64
        index_user_properties: Any
        key: str
        made: Any
        number: int
        pair: tuple[str, str]
        place: i64
        size: i64
        start: i64
        tag: i64
        text: str
        to_basic_app_id: Any
        to_basic_cluster_id: Any
        to_basic_content_encoding: Any
        to_basic_content_type: Any
        to_basic_correlation_id: Any
        to_basic_delivery_mode: Any
        to_basic_expiration: Any
        to_basic_headers: Writer
        to_basic_message_id: Any
        to_basic_priority: Any
        to_basic_reply_to: Any
        to_basic_timestamp: Any
        to_basic_type: Any
        to_basic_user_id: Any
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
        all_user_properties = []
        all_subscription_identifiers = []
        while at < end:
            tag = data[at]
            if tag == 0x26:
                value_at = at + 3 + (data[at + 1] << 8 | data[at + 2])
                after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
                key = data[at + 3:value_at].decode()
                text = data[value_at + 2:after].decode()
                if '\x00' in key or '\x00' in text:
                    break
                all_user_properties.append((key, text))
                at = after
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
        if all_user_properties:
            user_properties = all_user_properties
        if all_subscription_identifiers:
            subscription_identifiers = all_subscription_identifiers
        if at != end or not topic_name and topic_alias is None:
            return None
        index_user_properties = dict(user_properties or ())
        to_basic_headers = Writer()
        filled_basic_headers = Keys()
        to_basic_delivery_mode = None
        to_basic_expiration = None
        to_basic_correlation_id = None
        to_basic_message_id = None
        to_basic_user_id = None
        to_basic_type = None
        to_basic_reply_to = None
        to_basic_app_id = None
        to_basic_content_encoding = None
        to_basic_timestamp = None
        to_basic_priority = None
        to_basic_cluster_id = None
        to_basic_content_type = None
        to_payload = b''
        if dup != 0:
            # dup, mqtt5_to_amqp091.toml
            complete = False
        if qos is not None:
            if qos == 2:  # qos-2, preserve.toml
                if 'mqtt-qos' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'mqtt-qos', 'longstr', via_octets(str(qos)), 1)
                    filled_basic_headers.add('mqtt-qos')
            # qos, mqtt5_to_amqp091.toml
            to_basic_delivery_mode = 2 if qos else 1
        if retain != 0:
            # retain, preserve.toml
            if 'mqtt-retain' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'mqtt-retain', 'longstr', via_octets(str(retain)), 1)
                filled_basic_headers.add('mqtt-retain')
        if payload_format_indicator is not None:
            # payload-format-indicator, preserve.toml
            if 'mqtt-payload-format-indicator' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(
                    to_basic_headers, 'mqtt-payload-format-indicator', 'longstr', via_octets(str(payload_format_indicator)), 1
                )
                filled_basic_headers.add('mqtt-payload-format-indicator')
        if message_expiry_interval is not None:
            if when_seconds_beside(message_expiry_interval, index_user_properties.get('amqp-ttl')):  # ttl-exact, preserve.toml
                pass
            else:  # message-expiry-interval, mqtt5_to_amqp091.toml
                if to_basic_expiration is not None:
                    complete = False
                else:
                    to_basic_expiration = str(message_expiry_interval * 1000)
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp091.toml
            complete = False
        if response_topic is not None:
            if '.' in response_topic:  # mqtt-response-topic, preserve.toml
                if 'mqtt-response-topic' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'mqtt-response-topic', 'longstr', response_topic.encode(), 1)
                    filled_basic_headers.add('mqtt-response-topic')
            if '*' in response_topic and '.' not in response_topic:  # mqtt-response-topic-star, preserve.toml
                if 'mqtt-response-topic' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'mqtt-response-topic', 'longstr', response_topic.encode(), 1)
                    filled_basic_headers.add('mqtt-response-topic')
            # response-topic, preserve.toml
            if 'x-reply-to-topic' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(
                    to_basic_headers,
                    'x-reply-to-topic',
                    'longstr',
                    response_topic.replace('/', '.').replace('+', '*').encode(),
                    1,
                )
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
                    target_codec.write_entry(to_basic_headers, 'x-correlation-id', 'longstr', correlation_data, 1)
                    filled_basic_headers.add('x-correlation-id')
        if user_properties is not None:
            for pair in user_properties:
                key, value = pair
                if 'amqp-' <= key < 'amqp.' and key in keys_user_properties:
                    if (  # kept-message-id-bytes, preserve.toml
                        key == 'amqp-message-id'
                        and when_property_is_binary(value, index_user_properties.get('amqp-type.amqp-message-id'))
                        and (made := via_read_binary(value)) is not NOT_MINE
                    ):
                        if 'x-message-id' in filled_basic_headers:
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, 'x-message-id', 'binary', made, 1)
                            filled_basic_headers.add('x-message-id')
                        continue
                    if (  # kept-message-id, preserve.toml
                        key == 'amqp-message-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_message_id is not None:
                            complete = False
                        else:
                            to_basic_message_id = value
                        continue
                    if key == 'amqp-message-id':  # kept-message-id-long, preserve.toml
                        if 'x-message-id' in filled_basic_headers:
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, 'x-message-id', 'longstr', value.encode(), 1)
                            filled_basic_headers.add('x-message-id')
                        continue
                    if (  # kept-message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and value == 'binary'
                        and when_fits_typed_id(value, index_user_properties.get('amqp-message-id'))
                    ):
                        continue
                    if (  # kept-user-id, preserve.toml
                        key == 'amqp-user-id'
                        and (made := via_read_binary_then_text(value)) is not NOT_MINE
                    ):
                        if type(made) is not str:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                (
                                    not (len(made) < 256 and made.isascii() and '\x00' not in made)
                                    and (fault := fault_shortstr(made)) is not None
                                )
                                or to_basic_user_id is not None
                            ):
                                complete = False
                            else:
                                to_basic_user_id = made
                        continue
                    if (  # kept-basic-type, preserve.toml
                        key == 'amqp-type'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_type is not None:
                            complete = False
                        else:
                            to_basic_type = value
                        continue
                    if (  # kept-reply-to, preserve.toml
                        key == 'amqp-reply-to'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_reply_to is not None:
                            complete = False
                        else:
                            to_basic_reply_to = value
                        continue
                    if (  # kept-app-id, preserve.toml
                        key == 'amqp-app-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_app_id is not None:
                            complete = False
                        else:
                            to_basic_app_id = value
                        continue
                    if (  # kept-group-id, preserve.toml
                        key == 'amqp-group-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                        and to_basic_app_id is None
                    ):
                        to_basic_app_id = value
                        continue
                    if (  # kept-content-encoding, preserve.toml
                        key == 'amqp-content-encoding'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_content_encoding is not None:
                            complete = False
                        else:
                            to_basic_content_encoding = value
                        continue
                    if (  # kept-creation-time-exact, preserve.toml
                        key == 'amqp-creation-time'
                        and when_number_0(value)
                        and not when_in_whole_seconds(value)
                    ):
                        if 'amqp-creation-time' in filled_basic_headers:
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, 'amqp-creation-time', 'longstr', value.encode(), 1)
                            filled_basic_headers.add('amqp-creation-time')
                    if (  # kept-creation-time-seconds, preserve.toml
                        key == 'amqp-creation-time'
                        and when_number_0(value)
                        and not when_in_whole_seconds(value)
                        and (made := via_read_then_scale(value)) is not NOT_MINE
                    ):
                        if (
                            not 0 <= made <= 18446744073709551615 and (fault := fault_timestamp(made)) is not None
                            or to_basic_timestamp is not None
                        ):
                            complete = False
                        else:
                            to_basic_timestamp = made
                        continue
                    if (  # kept-creation-time, preserve.toml
                        key == 'amqp-creation-time'
                        and (made := via_read_then_milliseconds_to_unsigned_seconds(value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_basic_timestamp is not None:
                                complete = False
                            else:
                                to_basic_timestamp = made
                        continue
                    if (  # kept-priority, preserve.toml
                        key == 'amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_basic_priority is not None:
                            complete = False
                        else:
                            to_basic_priority = made
                        continue
                    if (  # kept-cluster-id, preserve.toml
                        key == 'amqp-cluster-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_cluster_id is not None:
                            complete = False
                        else:
                            to_basic_cluster_id = value
                        continue
                    if (  # kept-ttl, preserve.toml
                        key == 'amqp-ttl'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_expiration is not None:
                            complete = False
                        else:
                            to_basic_expiration = value
                        continue
                if (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_header_of_text(value, index_user_properties.get(key[10:]))
                ):
                    pass
                elif (  # kept-header, preserve.toml
                    made := via_header_of_text(value, index_user_properties.get('amqp-type.' + key))
                ) is not NOT_MINE:
                    if (
                        (
                            not (len(key) < 256 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_shortstr(key)) is not None
                        )
                        or key in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, key, made.type, made.value, 1)
                        filled_basic_headers.add(key)
                else:  # user-property, mqtt5_to_amqp091.toml
                    if (
                        (
                            not (len(key) < 256 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_shortstr(key)) is not None
                        )
                        or key in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, key, 'longstr', value.encode(), 1)
                        filled_basic_headers.add(key)
        if subscription_identifiers:
            complete = False
        if content_type is not None:
            if (  # content-type, mqtt5_to_amqp091.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                to_basic_content_type = content_type
            else:  # content-type-other, preserve.toml
                if 'mqtt-content-type' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'mqtt-content-type', 'longstr', content_type.encode(), 1)
                    filled_basic_headers.add('mqtt-content-type')
        # payload, mqtt5_to_amqp091.toml
        to_payload = payload
        out = Writer()
        start = target_codec.begin(out, None, None, to_payload)
        flags = 0
        place = len(out)
        out.write(b'\x00\x00')
        if (value := to_basic_content_type) is not None:
            flags |= 0x8000
            write_text8(out, value)
        if (value := to_basic_content_encoding) is not None:
            flags |= 0x4000
            write_text8(out, value)
        if len(to_basic_headers):
            flags |= 0x2000
            target_codec.write_entries(out, to_basic_headers)
        if (value := to_basic_delivery_mode) is not None:
            flags |= 0x1000
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := to_basic_priority) is not None:
            flags |= 0x0800
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := to_basic_correlation_id) is not None:
            flags |= 0x0400
            write_text8(out, value)
        if (value := to_basic_reply_to) is not None:
            flags |= 0x0200
            write_text8(out, value)
        if (value := to_basic_expiration) is not None:
            flags |= 0x0100
            write_text8(out, value)
        if (value := to_basic_message_id) is not None:
            flags |= 0x80
            write_text8(out, value)
        if (value := to_basic_timestamp) is not None:
            flags |= 0x40
            write_u64(out, value if type(value) is int else -1)
        if (value := to_basic_type) is not None:
            flags |= 0x20
            write_text8(out, value)
        if (value := to_basic_user_id) is not None:
            flags |= 0x10
            write_text8(out, value)
        if (value := to_basic_app_id) is not None:
            flags |= 0x08
            write_text8(out, value)
        if (value := to_basic_cluster_id) is not None:
            flags |= 0x04
            write_text8(out, value)
        put_u16(out, place, flags)
        return target_codec.finished(out, start, to_payload), complete

    return transcode

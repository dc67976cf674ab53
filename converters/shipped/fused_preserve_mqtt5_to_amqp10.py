"""mqtt-5.0 -> amqp-1.0, from mqtt5_to_amqp10.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, place_sections
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.entries import Keys
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.primitives import (
    Writer,
    ended,
    put_sizes,
    read_u32,
    write_i64,
    write_u32,
    write_u64,
    write_u8,
    write_varied_text,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp10.codec as target_codec
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.mqtt5.codec as source_codec
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    when_text_beside: Any = CONDITIONS['text-beside'].function
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    fault_uint: Any = types['uint'].fault
    via_key_to_address: Any = TRANSFORMS['key-to-address'].function
    via_typed_id: Any = TRANSFORMS['typed-id'].function
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    via_read_uint: Any = TRANSFORMS['read uint'].function
    via_read_boolean: Any = TRANSFORMS['read boolean'].function
    via_read_binary: Any = TRANSFORMS['read binary'].function
    via_read_timestamp: Any = TRANSFORMS['read timestamp'].function
    keys_user_properties: Any = frozenset(
        [
            'amqp-absolute-expiry-time',
            'amqp-app-id',
            'amqp-content-encoding',
            'amqp-creation-time',
            'amqp-delivery-count',
            'amqp-first-acquirer',
            'amqp-group-id',
            'amqp-group-sequence',
            'amqp-message-id',
            'amqp-priority',
            'amqp-reply-to',
            'amqp-reply-to-group-id',
            'amqp-subject',
            'amqp-to',
            'amqp-ttl',
            'amqp-type',
            'amqp-type.amqp-correlation-id',
            'amqp-type.amqp-message-id',
            'amqp-user-id',
            'x-opt-amqp-absolute-expiry-time',
            'x-opt-amqp-content-encoding',
            'x-opt-amqp-correlation-id-type',
            'x-opt-amqp-creation-time',
            'x-opt-amqp-delivery-count',
            'x-opt-amqp-first-acquirer',
            'x-opt-amqp-group-id',
            'x-opt-amqp-group-sequence',
            'x-opt-amqp-message-id',
            'x-opt-amqp-message-id-type',
            'x-opt-amqp-priority',
            'x-opt-amqp-reply-to',
            'x-opt-amqp-reply-to-group-id',
            'x-opt-amqp-subject',
            'x-opt-amqp-to',
            'x-opt-amqp-ttl',
            'x-opt-amqp-user-id',
        ],
    )
    when_fits_typed_text: Any = CONDITIONS['fits typed-text'].function
    via_typed_text: Any = TRANSFORMS['typed-text'].function
    key_fault_symbol: Any = types['annotations'].key_fault
    key_fault_string: Any = types['application-properties'].key_fault
    when_fits_decoded_sections: Any = CONDITIONS['fits decoded-sections'].function
    via_body_as_value_string: Any = TRANSFORMS['body-as value-string'].function
    via_decoded_sections: Any = TRANSFORMS['decoded-sections'].function
    row_payload_encoded: Any = rows['payload-encoded']
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        dup: int = 0
        qos: int | None = 0
        retain: int = 0
        topic_name: str = ''
        packet_identifier: Any = None
        payload_format_indicator: int | None = None
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
        count: i64
        end: i64
        fault: str | None
        filled_application_properties: Keys
        filled_message_annotations: Keys
        index_user_properties: Any
        key: str
        known: TypedValue
        made: Any
        number: int
        octets: bytes
        pair: tuple[str, str]
        place: i64
        sections: dict[Any, Any]
        size: i64
        tag: i64
        target: Any
        text: str
        to_application_properties: Writer
        to_body: Any
        to_header_delivery_count: Any
        to_header_durable: Any
        to_header_first_acquirer: Any
        to_header_priority: Any
        to_header_ttl: Any
        to_message_annotations: Writer
        to_properties_absolute_expiry_time: Any
        to_properties_content_encoding: Any
        to_properties_content_type: Any
        to_properties_correlation_id: Any
        to_properties_creation_time: Any
        to_properties_group_id: Any
        to_properties_group_sequence: Any
        to_properties_message_id: Any
        to_properties_reply_to: Any
        to_properties_reply_to_group_id: Any
        to_properties_subject: Any
        to_properties_to: Any
        to_properties_user_id: Any
        type_: str
        value: Any
        value_at: i64
        whole: int
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
        room = target_codec.Room()
        room.levels -= 1
        index_user_properties = dict(user_properties or ())
        to_application_properties = Writer()
        filled_application_properties = Keys()
        to_header_durable = None
        to_header_ttl = None
        to_properties_reply_to = None
        to_properties_correlation_id = None
        to_properties_message_id = None
        to_header_priority = None
        to_header_first_acquirer = None
        to_header_delivery_count = None
        to_properties_user_id = None
        to_properties_to = None
        to_properties_subject = None
        to_properties_content_encoding = None
        to_properties_absolute_expiry_time = None
        to_properties_creation_time = None
        to_properties_group_id = None
        to_properties_group_sequence = None
        to_properties_reply_to_group_id = None
        to_message_annotations = Writer()
        filled_message_annotations = Keys()
        to_properties_content_type = None
        to_body = None
        sections = {}
        if dup != 0:
            # dup, mqtt5_to_amqp10.toml
            complete = False
        if qos is not None:
            if qos == 2:  # qos-2, preserve.toml
                if 'mqtt-qos' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(to_application_properties, 0xa1, 'mqtt-qos', 'string', str(qos), room)
                    filled_application_properties.add('mqtt-qos')
            # qos, mqtt5_to_amqp10.toml
            to_header_durable = qos >= 1
        if retain != 0:
            # retain, preserve.toml
            if 'mqtt-retain' in filled_application_properties:
                complete = False
            else:
                target_codec.write_entry(to_application_properties, 0xa1, 'mqtt-retain', 'string', str(retain), room)
                filled_application_properties.add('mqtt-retain')
        if payload_format_indicator is not None:
            if (  # payload-format-indicator-text, mqtt5_to_amqp10.toml
                payload_format_indicator == 1
                and when_text_beside(payload_format_indicator, payload)
            ):
                pass
            else:  # payload-format-indicator, preserve.toml
                if 'mqtt-payload-format-indicator' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(
                        to_application_properties,
                        0xa1,
                        'mqtt-payload-format-indicator',
                        'string',
                        str(payload_format_indicator),
                        room,
                    )
                    filled_application_properties.add('mqtt-payload-format-indicator')
        if message_expiry_interval is not None:
            if when_seconds_beside(message_expiry_interval, index_user_properties.get('amqp-ttl')):  # ttl-exact, preserve.toml
                pass
            elif message_expiry_interval <= 4294967:  # message-expiry-interval, preserve.toml
                number = message_expiry_interval * 1000
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None or to_header_ttl is not None:
                    complete = False
                else:
                    to_header_ttl = number
            else:  # message-expiry-interval-long, preserve.toml
                if 'mqtt-message-expiry-interval' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(
                        to_application_properties,
                        0xa1,
                        'mqtt-message-expiry-interval',
                        'string',
                        str(message_expiry_interval),
                        room,
                    )
                    filled_application_properties.add('mqtt-message-expiry-interval')
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp10.toml
            complete = False
        if response_topic is not None:
            if '.' in response_topic:  # mqtt-response-topic, preserve.toml
                if 'mqtt-response-topic' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(
                        to_application_properties, 0xa1, 'mqtt-response-topic', 'string', response_topic, room
                    )
                    filled_application_properties.add('mqtt-response-topic')
            if '*' in response_topic and '.' not in response_topic:  # mqtt-response-topic-star, preserve.toml
                if 'mqtt-response-topic' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(
                        to_application_properties, 0xa1, 'mqtt-response-topic', 'string', response_topic, room
                    )
                    filled_application_properties.add('mqtt-response-topic')
            # response-topic, preserve.toml
            text = via_key_to_address(response_topic.replace('/', '.').replace('+', '*'), environment.mqtt_exchange)
            if not text.isascii() and (fault := fault_string(text)) is not None or to_properties_reply_to is not None:
                complete = False
            else:
                to_properties_reply_to = text
        if correlation_data is not None:
            if (  # kept-correlation-id, preserve.toml
                made := via_typed_id(correlation_data, index_user_properties.get('amqp-type.amqp-correlation-id'))
            ) is not NOT_MINE:
                to_properties_correlation_id = made
            elif (  # former-correlation-id, preserve.toml
                made := via_typed_id(correlation_data, index_user_properties.get('x-opt-amqp-correlation-id-type'))
            ) is not NOT_MINE:
                to_properties_correlation_id = made
            elif (  # correlation-data-uuid, mqtt5_to_amqp10.toml
                len(correlation_data) == 45
                and (made := via_urn_to_uuid(correlation_data)) is not NOT_MINE
            ):
                to_properties_correlation_id = TypedValue('uuid', made)
            else:  # correlation-data, mqtt5_to_amqp10.toml
                to_properties_correlation_id = TypedValue('binary', correlation_data)
        if user_properties is not None:
            for pair in user_properties:
                key, value = pair
                if key in keys_user_properties:
                    if (  # kept-correlation-id-type, preserve.toml
                        key == 'amqp-type.amqp-correlation-id'
                        and when_fits_typed_id(value, correlation_data)
                    ):
                        continue
                    if (  # former-correlation-id-type, preserve.toml
                        key == 'x-opt-amqp-correlation-id-type'
                        and when_fits_typed_id(value, correlation_data)
                    ):
                        continue
                    if (  # kept-message-id, preserve.toml
                        key == 'amqp-message-id'
                        and (
                            made := via_typed_id(value, index_user_properties.get('amqp-type.amqp-message-id'))
                        ) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            complete = False
                        else:
                            to_properties_message_id = made
                        continue
                    if (  # kept-message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and when_fits_typed_id(value, index_user_properties.get('amqp-message-id'))
                    ):
                        continue
                    if (  # kept-message-id-uuid, preserve.toml
                        key == 'amqp-message-id'
                        and len(value) == 45
                        and (made := via_urn_to_uuid(value)) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            complete = False
                        else:
                            to_properties_message_id = TypedValue('uuid', made)
                        continue
                    if key == 'amqp-message-id':  # kept-message-id-text, preserve.toml
                        if to_properties_message_id is not None:
                            complete = False
                        else:
                            to_properties_message_id = TypedValue('string', value)
                        continue
                    if (  # former-message-id, preserve.toml
                        key == 'x-opt-amqp-message-id'
                        and (
                            made := via_typed_id(value, index_user_properties.get('x-opt-amqp-message-id-type'))
                        ) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            complete = False
                        else:
                            to_properties_message_id = made
                        continue
                    if (  # former-message-id-type, preserve.toml
                        key == 'x-opt-amqp-message-id-type'
                        and when_fits_typed_id(value, index_user_properties.get('x-opt-amqp-message-id'))
                    ):
                        continue
                    if (  # former-message-id-text, preserve.toml
                        key == 'x-opt-amqp-message-id'
                        and not (
                            index_user_properties.get('x-opt-amqp-message-id-type') is not None
                            and index_user_properties.get('x-opt-amqp-message-id-type') is not False
                        )
                    ):
                        if to_properties_message_id is not None:
                            complete = False
                        else:
                            to_properties_message_id = TypedValue('string', value)
                        continue
                    if (  # kept-priority, preserve.toml
                        key == 'amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_header_priority is not None:
                            complete = False
                        else:
                            to_header_priority = made
                        continue
                    if key == 'amqp-ttl' and (made := via_read_uint(value)) is not NOT_MINE:  # kept-ttl, preserve.toml
                        if to_header_ttl is not None:
                            complete = False
                        else:
                            to_header_ttl = made
                        continue
                    if (  # kept-first-acquirer, preserve.toml
                        key == 'amqp-first-acquirer'
                        and (made := via_read_boolean(value)) is not NOT_MINE
                    ):
                        if to_header_first_acquirer is not None:
                            complete = False
                        else:
                            to_header_first_acquirer = made
                        continue
                    if (  # kept-delivery-count, preserve.toml
                        key == 'amqp-delivery-count'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_header_delivery_count is not None:
                            complete = False
                        else:
                            to_header_delivery_count = made
                        continue
                    if (  # kept-user-id, preserve.toml
                        key == 'amqp-user-id'
                        and (made := via_read_binary(value)) is not NOT_MINE
                    ):
                        if to_properties_user_id is not None:
                            complete = False
                        else:
                            to_properties_user_id = made
                        continue
                    if key == 'amqp-to':  # kept-to, preserve.toml
                        if to_properties_to is not None:
                            complete = False
                        else:
                            to_properties_to = value
                        continue
                    if key == 'amqp-subject':  # kept-subject, preserve.toml
                        if to_properties_subject is not None:
                            complete = False
                        else:
                            to_properties_subject = value
                        continue
                    if key == 'amqp-reply-to' and to_properties_reply_to is None:  # kept-reply-to, preserve.toml
                        to_properties_reply_to = value
                        continue
                    if key == 'amqp-content-encoding' and value.isascii():  # kept-content-encoding, preserve.toml
                        if to_properties_content_encoding is not None:
                            complete = False
                        else:
                            to_properties_content_encoding = value
                        continue
                    if (  # kept-absolute-expiry-time, preserve.toml
                        key == 'amqp-absolute-expiry-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            complete = False
                        else:
                            to_properties_absolute_expiry_time = made
                        continue
                    if (  # kept-creation-time, preserve.toml
                        key == 'amqp-creation-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_creation_time is not None:
                            complete = False
                        else:
                            to_properties_creation_time = made
                        continue
                    if key == 'amqp-group-id':  # kept-group-id, preserve.toml
                        if to_properties_group_id is not None:
                            complete = False
                        else:
                            to_properties_group_id = value
                        continue
                    if (  # kept-group-sequence, preserve.toml
                        key == 'amqp-group-sequence'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_properties_group_sequence is not None:
                            complete = False
                        else:
                            to_properties_group_sequence = made
                        continue
                    if key == 'amqp-reply-to-group-id':  # kept-reply-to-group-id, preserve.toml
                        if to_properties_reply_to_group_id is not None:
                            complete = False
                        else:
                            to_properties_reply_to_group_id = value
                        continue
                    if key == 'amqp-app-id' and to_properties_group_id is None:  # kept-app-id, preserve.toml
                        to_properties_group_id = value
                        continue
                    if key == 'amqp-type':  # kept-basic-type, preserve.toml
                        if 'x-basic-type' in filled_message_annotations:
                            complete = False
                        else:
                            target_codec.write_entry(to_message_annotations, 0xa3, 'x-basic-type', 'string', value, room)
                            filled_message_annotations.add('x-basic-type')
                        continue
                    if (  # former-priority, preserve.toml
                        key == 'x-opt-amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_header_priority is not None:
                            complete = False
                        else:
                            to_header_priority = made
                        continue
                    if key == 'x-opt-amqp-ttl' and (made := via_read_uint(value)) is not NOT_MINE:  # former-ttl, preserve.toml
                        if to_header_ttl is not None:
                            complete = False
                        else:
                            to_header_ttl = made
                        continue
                    if (  # former-first-acquirer, preserve.toml
                        key == 'x-opt-amqp-first-acquirer'
                        and (made := via_read_boolean(value)) is not NOT_MINE
                    ):
                        if to_header_first_acquirer is not None:
                            complete = False
                        else:
                            to_header_first_acquirer = made
                        continue
                    if (  # former-delivery-count, preserve.toml
                        key == 'x-opt-amqp-delivery-count'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_header_delivery_count is not None:
                            complete = False
                        else:
                            to_header_delivery_count = made
                        continue
                    if (  # former-user-id, preserve.toml
                        key == 'x-opt-amqp-user-id'
                        and (made := via_read_binary(value)) is not NOT_MINE
                    ):
                        if to_properties_user_id is not None:
                            complete = False
                        else:
                            to_properties_user_id = made
                        continue
                    if key == 'x-opt-amqp-to':  # former-to, preserve.toml
                        if to_properties_to is not None:
                            complete = False
                        else:
                            to_properties_to = value
                        continue
                    if key == 'x-opt-amqp-subject':  # former-subject, preserve.toml
                        if to_properties_subject is not None:
                            complete = False
                        else:
                            to_properties_subject = value
                        continue
                    if key == 'x-opt-amqp-reply-to' and to_properties_reply_to is None:  # former-reply-to, preserve.toml
                        to_properties_reply_to = value
                        continue
                    if key == 'x-opt-amqp-content-encoding' and value.isascii():  # former-content-encoding, preserve.toml
                        if to_properties_content_encoding is not None:
                            complete = False
                        else:
                            to_properties_content_encoding = value
                        continue
                    if (  # former-absolute-expiry-time, preserve.toml
                        key == 'x-opt-amqp-absolute-expiry-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            complete = False
                        else:
                            to_properties_absolute_expiry_time = made
                        continue
                    if (  # former-creation-time, preserve.toml
                        key == 'x-opt-amqp-creation-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_creation_time is not None:
                            complete = False
                        else:
                            to_properties_creation_time = made
                        continue
                    if key == 'x-opt-amqp-group-id':  # former-group-id, preserve.toml
                        if to_properties_group_id is not None:
                            complete = False
                        else:
                            to_properties_group_id = value
                        continue
                    if (  # former-group-sequence, preserve.toml
                        key == 'x-opt-amqp-group-sequence'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_properties_group_sequence is not None:
                            complete = False
                        else:
                            to_properties_group_sequence = made
                        continue
                    if key == 'x-opt-amqp-reply-to-group-id':  # former-reply-to-group-id, preserve.toml
                        if to_properties_reply_to_group_id is not None:
                            complete = False
                        else:
                            to_properties_reply_to_group_id = value
                        continue
                if (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_typed_text(value, index_user_properties.get(key[10:]))
                ):
                    pass
                elif (  # former-type, preserve.toml
                    'x-opt-amqp-type.' <= key < 'x-opt-amqp-type/'
                    and when_fits_typed_text(value, index_user_properties.get(key[16:]))
                ):
                    pass
                elif (  # kept-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and (made := via_typed_text(value, index_user_properties.get('amqp-type.x-' + key[2:]))) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None or key in filled_message_annotations:
                        complete = False
                    else:
                        target_codec.write_entry(to_message_annotations, 0xa3, key, made.type, made.value, room)
                        filled_message_annotations.add(key)
                elif (  # former-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and (
                        made := via_typed_text(value, index_user_properties.get('x-opt-amqp-type.x-' + key[2:]))
                    ) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None or key in filled_message_annotations:
                        complete = False
                    else:
                        target_codec.write_entry(to_message_annotations, 0xa3, key, made.type, made.value, room)
                        filled_message_annotations.add(key)
                elif 'x-' <= key < 'x.':  # user-property-x, mqtt5_to_amqp10.toml
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None or key in filled_message_annotations:
                        complete = False
                    else:
                        target_codec.write_entry(to_message_annotations, 0xa3, key, 'string', value, room)
                        filled_message_annotations.add(key)
                elif (  # kept-application-property, preserve.toml
                    made := via_typed_text(value, index_user_properties.get('amqp-type.' + key))
                ) is not NOT_MINE:
                    if (
                        not key.isascii() and (fault := key_fault_string(key)) is not None
                        or key in filled_application_properties
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_application_properties, 0xa1, key, made.type, made.value, room)
                        filled_application_properties.add(key)
                elif (  # former-application-property, preserve.toml
                    made := via_typed_text(value, index_user_properties.get('x-opt-amqp-type.' + key))
                ) is not NOT_MINE:
                    if (
                        not key.isascii() and (fault := key_fault_string(key)) is not None
                        or key in filled_application_properties
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_application_properties, 0xa1, key, made.type, made.value, room)
                        filled_application_properties.add(key)
                else:  # user-property, mqtt5_to_amqp10.toml
                    if (
                        not key.isascii() and (fault := key_fault_string(key)) is not None
                        or key in filled_application_properties
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_application_properties, 0xa1, key, 'string', value, room)
                        filled_application_properties.add(key)
        if subscription_identifiers:
            complete = False
        if content_type is not None:
            if when_fits_decoded_sections(content_type, payload):  # content-type-encoded, preserve.toml
                pass
            elif content_type.isascii():  # content-type, mqtt5_to_amqp10.toml
                to_properties_content_type = content_type
            else:  # content-type-other, preserve.toml
                if 'mqtt-content-type' in filled_application_properties:
                    complete = False
                else:
                    target_codec.write_entry(to_application_properties, 0xa1, 'mqtt-content-type', 'string', content_type, room)
                    filled_application_properties.add('mqtt-content-type')
        if (  # payload-text, mqtt5_to_amqp10.toml
            payload_format_indicator == 1
            and (made := via_body_as_value_string(payload)) is not NOT_MINE
        ):
            to_body = made
        elif (made := via_decoded_sections(payload, content_type)) is not NOT_MINE:  # payload-encoded, preserve.toml
            if type(made) is Partial or type(made) is Loss:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_payload_encoded, None) in sections:
                    complete = False
                else:
                    sections[row_payload_encoded, None] = 'payload', made
        else:  # payload, mqtt5_to_amqp10.toml
            to_body = payload
        out = Writer()
        room.levels += 1
        octets = b''
        if (
            to_header_durable is not None
            or to_header_priority is not None
            or to_header_ttl is not None
            or to_header_first_acquirer is not None
            or to_header_delivery_count is not None
        ):
            count = 0
            out.write(b'\x00Sp')
            place = len(out)
            out.write(b'\xc0\x00\x00')
            if (value := to_header_durable) is not None:
                if type(value) is not bool:
                    raise target_codec.bad_value('boolean', value)
                if value:
                    out.write(b'A')
                else:
                    out.write(b'B')
                count = 1
            if (value := to_header_priority) is not None:
                if count < 1:
                    out.write(target_codec.NULLS[1 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('ubyte', value)
                out.write(b'P')
                write_u8(out, value)
                count = 2
            if (value := to_header_ttl) is not None:
                if count < 2:
                    out.write(target_codec.NULLS[2 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('uint', value)
                if 0 < (whole := value) < 256:
                    out.write(b'R')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'C')
                else:
                    out.write(b'p')
                    write_u32(out, whole)
                count = 3
            if (value := to_header_first_acquirer) is not None:
                if count < 3:
                    out.write(target_codec.NULLS[3 - count])
                if type(value) is not bool:
                    raise target_codec.bad_value('boolean', value)
                if value:
                    out.write(b'A')
                else:
                    out.write(b'B')
                count = 4
            if (value := to_header_delivery_count) is not None:
                if count < 4:
                    out.write(target_codec.NULLS[4 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('uint', value)
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
        if len(to_message_annotations):
            target_codec.write_entries(out, 0x72, to_message_annotations, len(filled_message_annotations))
        if (
            to_properties_message_id is not None
            or to_properties_user_id is not None
            or to_properties_to is not None
            or to_properties_subject is not None
            or to_properties_reply_to is not None
            or to_properties_correlation_id is not None
            or to_properties_content_type is not None
            or to_properties_content_encoding is not None
            or to_properties_absolute_expiry_time is not None
            or to_properties_creation_time is not None
            or to_properties_group_id is not None
            or to_properties_group_sequence is not None
            or to_properties_reply_to_group_id is not None
        ):
            count = 0
            out.write(b'\x00Ss')
            place = len(out)
            out.write(b'\xc0\x00\x00')
            if (value := to_properties_message_id) is not None:
                known = value
                type_ = known.type
                value = known.value
                if type_ == 'ulong':
                    if type(value) is not int:
                        raise target_codec.bad_value('ulong', value)
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
                        raise target_codec.bad_value('uuid', value)
                    if len(value) != 16:
                        raise ValueError
                    out.write(b'\x98')
                    out.write(value)
                elif type_ == 'binary':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('binary', value)
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
            if (value := to_properties_user_id) is not None:
                if count < 1:
                    out.write(target_codec.NULLS[1 - count])
                if type(value) is not bytes:
                    raise target_codec.bad_value('binary', value)
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
                count = 2
            if (value := to_properties_to) is not None:
                if count < 2:
                    out.write(target_codec.NULLS[2 - count])
                write_varied_text(out, 0xa1, value)
                count = 3
            if (value := to_properties_subject) is not None:
                if count < 3:
                    out.write(target_codec.NULLS[3 - count])
                write_varied_text(out, 0xa1, value)
                count = 4
            if (value := to_properties_reply_to) is not None:
                if count < 4:
                    out.write(target_codec.NULLS[4 - count])
                write_varied_text(out, 0xa1, value)
                count = 5
            if (value := to_properties_correlation_id) is not None:
                if count < 5:
                    out.write(target_codec.NULLS[5 - count])
                known = value
                type_ = known.type
                value = known.value
                if type_ == 'ulong':
                    if type(value) is not int:
                        raise target_codec.bad_value('ulong', value)
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
                        raise target_codec.bad_value('uuid', value)
                    if len(value) != 16:
                        raise ValueError
                    out.write(b'\x98')
                    out.write(value)
                elif type_ == 'binary':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('binary', value)
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
            if (value := to_properties_content_type) is not None:
                if count < 6:
                    out.write(target_codec.NULLS[6 - count])
                if not value.isascii():
                    raise ValueError
                write_varied_text(out, 0xa3, value)
                count = 7
            if (value := to_properties_content_encoding) is not None:
                if count < 7:
                    out.write(target_codec.NULLS[7 - count])
                if not value.isascii():
                    raise ValueError
                write_varied_text(out, 0xa3, value)
                count = 8
            if (value := to_properties_absolute_expiry_time) is not None:
                if count < 8:
                    out.write(target_codec.NULLS[8 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('timestamp', value)
                out.write(b'\x83')
                write_i64(out, value)
                count = 9
            if (value := to_properties_creation_time) is not None:
                if count < 9:
                    out.write(target_codec.NULLS[9 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('timestamp', value)
                out.write(b'\x83')
                write_i64(out, value)
                count = 10
            if (value := to_properties_group_id) is not None:
                if count < 10:
                    out.write(target_codec.NULLS[10 - count])
                write_varied_text(out, 0xa1, value)
                count = 11
            if (value := to_properties_group_sequence) is not None:
                if count < 11:
                    out.write(target_codec.NULLS[11 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('uint', value)
                if 0 < (whole := value) < 256:
                    out.write(b'R')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'C')
                else:
                    out.write(b'p')
                    write_u32(out, whole)
                count = 12
            if (value := to_properties_reply_to_group_id) is not None:
                if count < 12:
                    out.write(target_codec.NULLS[12 - count])
                write_varied_text(out, 0xa1, value)
                count = 13
            if count:
                put_sizes(out, place, 0xd0, count)
            else:
                out.truncate(place)
                out.write(b'E')
        if len(to_application_properties):
            target_codec.write_entries(out, 0x74, to_application_properties, len(filled_application_properties))
        if to_body is not None:
            if type(to_body) is bytes:
                octets = target_codec.write_data(out, to_body)
            else:
                octets = target_codec.write_body(out, to_body, room)
        if sections:
            target = target_codec.decode(ended(out, octets, b''))
            place_sections(target, sections, made_by_rows_sections, Notes())
            return target_codec.encode(target), False
        return ended(out, octets, b''), complete

    return transcode

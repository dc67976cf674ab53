"""mqtt-5.0 -> amqp-0.9.1, from mqtt5_to_amqp091.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
import mqconvert.converters.protocols.amqp091.words
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
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
    row_dup: Any = rows['dup']
    row_qos_2: Any = rows['qos-2']
    via_octets: Any = TRANSFORMS['octets'].function
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    row_payload_format_indicator: Any = rows['payload-format-indicator']
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    row_ttl_exact: Any = rows['ttl-exact']
    row_message_expiry_interval: Any = rows['message-expiry-interval']
    row_topic_alias: Any = rows['topic-alias']
    row_mqtt_response_topic: Any = rows['mqtt-response-topic']
    row_mqtt_response_topic_star: Any = rows['mqtt-response-topic-star']
    row_response_topic: Any = rows['response-topic']
    when_shortstr: Any = CONDITIONS['shortstr'].function
    row_correlation_data_shortstr: Any = rows['correlation-data-shortstr']
    via_text: Any = TRANSFORMS['text'].function
    row_correlation_data: Any = rows['correlation-data']
    when_property_is_binary: Any = CONDITIONS['property-is binary'].function
    via_read_binary: Any = TRANSFORMS['read binary'].function
    row_kept_message_id_bytes: Any = rows['kept-message-id-bytes']
    row_kept_message_id: Any = rows['kept-message-id']
    row_kept_message_id_long: Any = rows['kept-message-id-long']
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    row_kept_message_id_type: Any = rows['kept-message-id-type']
    via_read_binary_then_text: Any = TRANSFORMS['read binary then text'].function
    row_kept_user_id: Any = rows['kept-user-id']
    row_kept_basic_type: Any = rows['kept-basic-type']
    row_kept_reply_to: Any = rows['kept-reply-to']
    row_kept_app_id: Any = rows['kept-app-id']
    row_kept_group_id: Any = rows['kept-group-id']
    row_kept_content_encoding: Any = rows['kept-content-encoding']
    when_number_0: Any = CONDITIONS['number 0'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    row_kept_creation_time_exact: Any = rows['kept-creation-time-exact']
    via_read_then_scale: Any = TRANSFORMS['read timestamp then scale 1/1000'].function
    row_kept_creation_time_seconds: Any = rows['kept-creation-time-seconds']
    fault_timestamp: Any = types['timestamp'].fault
    via_read_then_milliseconds_to_unsigned_seconds: Any = TRANSFORMS[
        'read timestamp then milliseconds-to-unsigned-seconds'
    ].function
    row_kept_creation_time: Any = rows['kept-creation-time']
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    row_kept_priority: Any = rows['kept-priority']
    row_kept_cluster_id: Any = rows['kept-cluster-id']
    row_kept_ttl: Any = rows['kept-ttl']
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
    row_kept_type: Any = rows['kept-type']
    via_header_of_text: Any = TRANSFORMS['header-of-text'].function
    row_kept_header: Any = rows['kept-header']
    key_fault_shortstr: Any = types['table'].key_fault
    row_user_property: Any = rows['user-property']
    row_subscription_identifier: Any = rows['subscription-identifier']
    row_content_type: Any = rows['content-type']
    row_content_type_other: Any = rows['content-type-other']
    row_payload: Any = rows['payload']

    def mqtt_5_0_to_amqp_0_9_1(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; index: Any; item: Any; key: str; made: Any; pair: tuple[str, str]; value: str
        taken: list[Any] = notes.taken
        index_user_properties = dict(source.user_properties or ())
        to_basic_headers: list[Any] = []
        filled_basic_headers: set[Any] = set()
        to_basic_delivery_mode: Any = None
        to_basic_expiration: Any = None
        to_basic_correlation_id: Any = None
        to_basic_message_id: Any = None
        to_basic_user_id: Any = None
        to_basic_type: Any = None
        to_basic_reply_to: Any = None
        to_basic_app_id: Any = None
        to_basic_content_encoding: Any = None
        to_basic_timestamp: Any = None
        to_basic_priority: Any = None
        to_basic_cluster_id: Any = None
        to_basic_content_type: Any = None
        to_payload: Any = b''
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt5_to_amqp091.toml
            taken.append(row_dup)
        qos: Any = source.qos
        if qos is not None:
            if qos == 2:  # qos-2, preserve.toml
                if 'mqtt-qos' in filled_basic_headers:
                    too_late(notes, row_qos_2, 'qos', 'bits', 'basic.headers', 'mqtt-qos', None)
                else:
                    to_basic_headers.append(Entry('mqtt-qos', 'longstr', via_octets(str(qos))))
                    filled_basic_headers.add('mqtt-qos')
                    taken.append((row_qos_2, None, 'mqtt-qos', None))
            # qos, mqtt5_to_amqp091.toml
            to_basic_delivery_mode = 2 if qos else 1
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, preserve.toml
            if 'mqtt-retain' in filled_basic_headers:
                too_late(notes, row_retain, 'retain', 'bit', 'basic.headers', 'mqtt-retain', None)
            else:
                to_basic_headers.append(Entry('mqtt-retain', 'longstr', via_octets(str(retain))))
                filled_basic_headers.add('mqtt-retain')
                taken.append((row_retain, None, 'mqtt-retain', None))
        topic_name: Any = source.topic_name
        if topic_name != '':
            # topic, mqtt5_to_amqp091.toml
            taken.append(row_topic)
        packet_identifier: Any = source.packet_identifier
        if packet_identifier is not None:
            # packet-identifier, mqtt5_to_amqp091.toml
            taken.append(row_packet_identifier)
        payload_format_indicator: Any = source.payload_format_indicator
        if payload_format_indicator is not None:
            # payload-format-indicator, preserve.toml
            if 'mqtt-payload-format-indicator' in filled_basic_headers:
                too_late(
                    notes,
                    row_payload_format_indicator,
                    'payload_format_indicator',
                    'bit',
                    'basic.headers',
                    'mqtt-payload-format-indicator',
                    None,
                )
            else:
                to_basic_headers.append(
                    Entry('mqtt-payload-format-indicator', 'longstr', via_octets(str(payload_format_indicator)))
                )
                filled_basic_headers.add('mqtt-payload-format-indicator')
                taken.append((row_payload_format_indicator, None, 'mqtt-payload-format-indicator', None))
        message_expiry_interval: int | None = source.message_expiry_interval
        if message_expiry_interval is not None:
            if when_seconds_beside(message_expiry_interval, index_user_properties.get('amqp-ttl')):  # ttl-exact, preserve.toml
                taken.append(row_ttl_exact)
            else:  # message-expiry-interval, mqtt5_to_amqp091.toml
                if to_basic_expiration is not None:
                    too_late(
                        notes, row_message_expiry_interval, 'message_expiry_interval', 'uint', 'basic.expiration', None, None
                    )
                else:
                    to_basic_expiration = str(message_expiry_interval * 1000)
                    taken.append(row_message_expiry_interval)
        topic_alias: Any = source.topic_alias
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp091.toml
            taken.append(row_topic_alias)
        response_topic: str | None = source.response_topic
        if response_topic is not None:
            if '.' in response_topic:  # mqtt-response-topic, preserve.toml
                if 'mqtt-response-topic' in filled_basic_headers:
                    too_late(
                        notes, row_mqtt_response_topic, 'response_topic', 'topic', 'basic.headers', 'mqtt-response-topic', None
                    )
                else:
                    to_basic_headers.append(Entry('mqtt-response-topic', 'longstr', response_topic.encode()))
                    filled_basic_headers.add('mqtt-response-topic')
                    taken.append((row_mqtt_response_topic, None, 'mqtt-response-topic', None))
            if '*' in response_topic and '.' not in response_topic:  # mqtt-response-topic-star, preserve.toml
                if 'mqtt-response-topic' in filled_basic_headers:
                    too_late(
                        notes,
                        row_mqtt_response_topic_star,
                        'response_topic',
                        'topic',
                        'basic.headers',
                        'mqtt-response-topic',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('mqtt-response-topic', 'longstr', response_topic.encode()))
                    filled_basic_headers.add('mqtt-response-topic')
                    taken.append((row_mqtt_response_topic_star, None, 'mqtt-response-topic', None))
            # response-topic, preserve.toml
            if 'x-reply-to-topic' in filled_basic_headers:
                too_late(notes, row_response_topic, 'response_topic', 'topic', 'basic.headers', 'x-reply-to-topic', None)
            else:
                to_basic_headers.append(
                    Entry('x-reply-to-topic', 'longstr', response_topic.replace('/', '.').replace('+', '*').encode())
                )
                filled_basic_headers.add('x-reply-to-topic')
                taken.append((row_response_topic, None, 'x-reply-to-topic', None))
        correlation_data: bytes | None = source.correlation_data
        if correlation_data is not None:
            if (  # correlation-data-shortstr, mqtt5_to_amqp091.toml
                len(correlation_data) < 256 and correlation_data.isascii() and 0 not in correlation_data
                or when_shortstr(correlation_data)
            ):
                made = correlation_data.decode() if correlation_data.isascii() else via_text(correlation_data)
                if type(made) is not str:
                    notes.lost.append(('correlation_data', 'binary', made.reason, row_correlation_data_shortstr))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        notes.lost.append(('correlation_data', 'binary', fault, row_correlation_data_shortstr))
                    else:
                        to_basic_correlation_id = made
                        taken.append(row_correlation_data_shortstr)
            else:  # correlation-data, mqtt5_to_amqp091.toml
                if 'x-correlation-id' in filled_basic_headers:
                    too_late(
                        notes, row_correlation_data, 'correlation_data', 'binary', 'basic.headers', 'x-correlation-id', None
                    )
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'longstr', correlation_data))
                    filled_basic_headers.add('x-correlation-id')
                    taken.append((row_correlation_data, None, 'x-correlation-id', None))
        user_properties: list[Any] | None = source.user_properties
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
                            too_late(
                                notes,
                                row_kept_message_id_bytes,
                                path('user_properties', key),
                                'utf8',
                                'basic.headers',
                                'x-message-id',
                                key,
                            )
                        else:
                            to_basic_headers.append(Entry('x-message-id', 'binary', made))
                            filled_basic_headers.add('x-message-id')
                            taken.append((row_kept_message_id_bytes, key, 'x-message-id', None))
                        continue
                    if (  # kept-message-id, preserve.toml
                        key == 'amqp-message-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_message_id is not None:
                            too_late(
                                notes, row_kept_message_id, path('user_properties', key), 'utf8', 'basic.message_id', None, key
                            )
                        else:
                            to_basic_message_id = value
                            taken.append((row_kept_message_id, key, None, None))
                        continue
                    if key == 'amqp-message-id':  # kept-message-id-long, preserve.toml
                        if 'x-message-id' in filled_basic_headers:
                            too_late(
                                notes,
                                row_kept_message_id_long,
                                path('user_properties', key),
                                'utf8',
                                'basic.headers',
                                'x-message-id',
                                key,
                            )
                        else:
                            to_basic_headers.append(Entry('x-message-id', 'longstr', value.encode()))
                            filled_basic_headers.add('x-message-id')
                            taken.append((row_kept_message_id_long, key, 'x-message-id', None))
                        continue
                    if (  # kept-message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and value == 'binary'
                        and when_fits_typed_id(value, index_user_properties.get('amqp-message-id'))
                    ):
                        taken.append((row_kept_message_id_type, key, None, None))
                        continue
                    if (  # kept-user-id, preserve.toml
                        key == 'amqp-user-id'
                        and (made := via_read_binary_then_text(value)) is not NOT_MINE
                    ):
                        if type(made) is not str:
                            notes.lost.append((path('user_properties', key), 'utf8', made.reason, row_kept_user_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 256 and made.isascii() and '\x00' not in made)
                                and (fault := fault_shortstr(made)) is not None
                            ):
                                notes.lost.append((path('user_properties', key), 'utf8', fault, row_kept_user_id))
                            elif to_basic_user_id is not None:
                                too_late(
                                    notes, row_kept_user_id, path('user_properties', key), 'utf8', 'basic.user_id', None, key
                                )
                            else:
                                to_basic_user_id = made
                                taken.append((row_kept_user_id, key, None, None))
                        continue
                    if (  # kept-basic-type, preserve.toml
                        key == 'amqp-type'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_type is not None:
                            too_late(notes, row_kept_basic_type, path('user_properties', key), 'utf8', 'basic.type', None, key)
                        else:
                            to_basic_type = value
                            taken.append((row_kept_basic_type, key, None, None))
                        continue
                    if (  # kept-reply-to, preserve.toml
                        key == 'amqp-reply-to'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_reply_to is not None:
                            too_late(
                                notes, row_kept_reply_to, path('user_properties', key), 'utf8', 'basic.reply_to', None, key
                            )
                        else:
                            to_basic_reply_to = value
                            taken.append((row_kept_reply_to, key, None, None))
                        continue
                    if (  # kept-app-id, preserve.toml
                        key == 'amqp-app-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_app_id is not None:
                            too_late(notes, row_kept_app_id, path('user_properties', key), 'utf8', 'basic.app_id', None, key)
                        else:
                            to_basic_app_id = value
                            taken.append((row_kept_app_id, key, None, None))
                        continue
                    if (  # kept-group-id, preserve.toml
                        key == 'amqp-group-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                        and to_basic_app_id is None
                    ):
                        to_basic_app_id = value
                        taken.append((row_kept_group_id, key, None, None))
                        continue
                    if (  # kept-content-encoding, preserve.toml
                        key == 'amqp-content-encoding'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_content_encoding is not None:
                            too_late(
                                notes,
                                row_kept_content_encoding,
                                path('user_properties', key),
                                'utf8',
                                'basic.content_encoding',
                                None,
                                key,
                            )
                        else:
                            to_basic_content_encoding = value
                            taken.append((row_kept_content_encoding, key, None, None))
                        continue
                    if (  # kept-creation-time-exact, preserve.toml
                        key == 'amqp-creation-time'
                        and when_number_0(value)
                        and not when_in_whole_seconds(value)
                    ):
                        if 'amqp-creation-time' in filled_basic_headers:
                            too_late(
                                notes,
                                row_kept_creation_time_exact,
                                path('user_properties', key),
                                'utf8',
                                'basic.headers',
                                'amqp-creation-time',
                                key,
                            )
                        else:
                            to_basic_headers.append(Entry('amqp-creation-time', 'longstr', value.encode()))
                            filled_basic_headers.add('amqp-creation-time')
                            taken.append((row_kept_creation_time_exact, key, 'amqp-creation-time', None))
                    if (  # kept-creation-time-seconds, preserve.toml
                        key == 'amqp-creation-time'
                        and when_number_0(value)
                        and not when_in_whole_seconds(value)
                        and (made := via_read_then_scale(value)) is not NOT_MINE
                    ):
                        if not 0 <= made <= 18446744073709551615 and (fault := fault_timestamp(made)) is not None:
                            notes.lost.append(
                                (
                                    path('user_properties', key),
                                    'utf8',
                                    'after read timestamp then scale 1/1000: ' + fault,
                                    row_kept_creation_time_seconds,
                                ),
                            )
                        elif to_basic_timestamp is not None:
                            too_late(
                                notes,
                                row_kept_creation_time_seconds,
                                path('user_properties', key),
                                'utf8',
                                'basic.timestamp',
                                None,
                                key,
                            )
                        else:
                            to_basic_timestamp = made
                            taken.append((row_kept_creation_time_seconds, key, None, None))
                        continue
                    if (  # kept-creation-time, preserve.toml
                        key == 'amqp-creation-time'
                        and (made := via_read_then_milliseconds_to_unsigned_seconds(value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('user_properties', key), 'utf8', made.reason, row_kept_creation_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_basic_timestamp is not None:
                                too_late(
                                    notes,
                                    row_kept_creation_time,
                                    path('user_properties', key),
                                    'utf8',
                                    'basic.timestamp',
                                    None,
                                    key,
                                )
                            else:
                                to_basic_timestamp = made
                                taken.append((row_kept_creation_time, key, None, None))
                        continue
                    if (  # kept-priority, preserve.toml
                        key == 'amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_basic_priority is not None:
                            too_late(
                                notes, row_kept_priority, path('user_properties', key), 'utf8', 'basic.priority', None, key
                            )
                        else:
                            to_basic_priority = made
                            taken.append((row_kept_priority, key, None, None))
                        continue
                    if (  # kept-cluster-id, preserve.toml
                        key == 'amqp-cluster-id'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_cluster_id is not None:
                            too_late(
                                notes, row_kept_cluster_id, path('user_properties', key), 'utf8', 'basic.cluster_id', None, key
                            )
                        else:
                            to_basic_cluster_id = value
                            taken.append((row_kept_cluster_id, key, None, None))
                        continue
                    if (  # kept-ttl, preserve.toml
                        key == 'amqp-ttl'
                        and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
                    ):
                        if to_basic_expiration is not None:
                            too_late(notes, row_kept_ttl, path('user_properties', key), 'utf8', 'basic.expiration', None, key)
                        else:
                            to_basic_expiration = value
                            taken.append((row_kept_ttl, key, None, None))
                        continue
                if (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_header_of_text(value, index_user_properties.get(key[10:]))
                ):
                    taken.append((row_kept_type, key, None, None))
                elif (  # kept-header, preserve.toml
                    made := via_header_of_text(value, index_user_properties.get('amqp-type.' + key))
                ) is not NOT_MINE:
                    if (
                        not (len(key) < 256 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_shortstr(key)) is not None
                    ):
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_kept_header))
                    elif key in filled_basic_headers:
                        too_late(notes, row_kept_header, path('user_properties', key), 'utf8', 'basic.headers', key, key)
                    else:
                        to_basic_headers.append(Entry(key, made.type, made.value))
                        filled_basic_headers.add(key)
                        taken.append((row_kept_header, key, key, None))
                else:  # user-property, mqtt5_to_amqp091.toml
                    if (
                        not (len(key) < 256 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_shortstr(key)) is not None
                    ):
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_user_property))
                    elif key in filled_basic_headers:
                        too_late(notes, row_user_property, path('user_properties', key), 'utf8', 'basic.headers', key, key)
                    else:
                        to_basic_headers.append(Entry(key, 'longstr', value.encode()))
                        filled_basic_headers.add(key)
                        taken.append((row_user_property, key, key, None))
        subscription_identifiers: list[Any] | None = source.subscription_identifiers
        if subscription_identifiers is not None:
            for index, item in enumerate(subscription_identifiers):
                # subscription-identifier, mqtt5_to_amqp091.toml
                taken.append((row_subscription_identifier, index, None, None))
        content_type: str | None = source.content_type
        if content_type is not None:
            if (  # content-type, mqtt5_to_amqp091.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                to_basic_content_type = content_type
                taken.append(row_content_type)
            else:  # content-type-other, preserve.toml
                if 'mqtt-content-type' in filled_basic_headers:
                    too_late(notes, row_content_type_other, 'content_type', 'utf8', 'basic.headers', 'mqtt-content-type', None)
                else:
                    to_basic_headers.append(Entry('mqtt-content-type', 'longstr', content_type.encode()))
                    filled_basic_headers.add('mqtt-content-type')
                    taken.append((row_content_type_other, None, 'mqtt-content-type', None))
        payload: Any = source.payload
        # payload, mqtt5_to_amqp091.toml
        to_payload = payload
        taken.append(row_payload)
        to_basic = BasicProperties(
            to_basic_content_type,
            to_basic_content_encoding,
            to_basic_headers or None,
            to_basic_delivery_mode,
            to_basic_priority,
            to_basic_correlation_id,
            to_basic_reply_to,
            to_basic_expiration,
            to_basic_message_id,
            to_basic_timestamp,
            to_basic_type,
            to_basic_user_id,
            to_basic_app_id,
            to_basic_cluster_id,
        )
        return Message(to_basic, to_payload, None, None)

    return mqtt_5_0_to_amqp_0_9_1

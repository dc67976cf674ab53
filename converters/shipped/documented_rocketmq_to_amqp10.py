"""rocketmq -> amqp-1.0, from rocketmq.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, left_out, place_sections, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.rocketmq.message import Message as Source
import mqconvert.converters.protocols.rocketmq.words
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    via_read_binary: Any = TRANSFORMS['read binary'].function
    row_user_id: Any = rows['user-id']
    row_user_id_unreadable: Any = rows['user-id-unreadable']
    row_to: Any = rows['to']
    when_fits_decoded_body: Any = CONDITIONS['fits decoded-body'].function
    row_encoded: Any = rows['encoded']
    row_content_type: Any = rows['content-type']
    row_content_type_unreadable: Any = rows['content-type-unreadable']
    row_content_encoding: Any = rows['content-encoding']
    row_content_encoding_unreadable: Any = rows['content-encoding-unreadable']
    via_read_timestamp: Any = TRANSFORMS['read timestamp'].function
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    row_absolute_expiry_time_unreadable: Any = rows['absolute-expiry-time-unreadable']
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    row_priority: Any = rows['priority']
    row_priority_unreadable: Any = rows['priority-unreadable']
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_uniq_key_uuid: Any = rows['uniq-key-uuid']
    row_uniq_key: Any = rows['uniq-key']
    row_tags: Any = rows['tags']
    row_keys: Any = rows['keys']
    row_sharding_key: Any = rows['sharding-key']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    row_correlation_id: Any = rows['correlation-id']
    row_reply_to: Any = rows['reply-to']
    via_read_uint: Any = TRANSFORMS['read uint'].function
    row_ttl: Any = rows['ttl']
    row_ttl_unreadable: Any = rows['ttl-unreadable']
    via_read_long: Any = TRANSFORMS['read long'].function
    row_deliver_time: Any = rows['deliver-time']
    row_deliver_time_unreadable: Any = rows['deliver-time-unreadable']
    row_delay_time: Any = rows['delay-time']
    row_delay_time_unreadable: Any = rows['delay-time-unreadable']
    via_read_int: Any = TRANSFORMS['read int'].function
    row_delay_level: Any = rows['delay-level']
    row_delay_level_unreadable: Any = rows['delay-level-unreadable']
    keys_properties: Any = frozenset(
        [
            'CORRELATION_ID',
            'DELAY',
            'KEYS',
            'REPLY_TO_CLIENT',
            'TAGS',
            'TIMER_DELAY_MS',
            'TIMER_DELIVER_MS',
            'TTL',
            'UNIQ_KEY',
            '__SHARDINGKEY',
            'amqp-absolute-expiry-time',
            'amqp-content-encoding',
            'amqp-content-type',
            'amqp-priority',
            'amqp-to',
            'amqp-user-id',
        ],
    )
    when_system_key: Any = CONDITIONS['system-key'].function
    row_system: Any = rows['system']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_property_x_other: Any = rows['property-x-other']
    key_fault_string: Any = types['application-properties'].key_fault
    row_property_x: Any = rows['property-x']
    row_property: Any = rows['property']
    via_unescaped_name: Any = TRANSFORMS['unescaped-name'].function
    row_topic_escaped: Any = rows['topic-escaped']
    row_topic: Any = rows['topic']
    row_address: Any = rows['address']
    row_born_timestamp: Any = rows['born-timestamp']
    row_flag: Any = rows['flag']
    row_sys_flag: Any = rows['sys-flag']
    row_reconsume_times: Any = rows['reconsume-times']
    fault_uint: Any = types['uint'].fault
    row_reconsume_times_lost: Any = rows['reconsume-times-lost']
    row_max_reconsume_times: Any = rows['max-reconsume-times']
    row_queue_id: Any = rows['queue-id']
    row_producer_group: Any = rows['producer-group']
    row_queue_offset: Any = rows['queue-offset']
    row_commit_log_offset: Any = rows['commit-log-offset']
    row_store_timestamp: Any = rows['store-timestamp']
    row_born_host: Any = rows['born-host']
    row_store_host: Any = rows['store-host']
    row_prepared_transaction_offset: Any = rows['prepared-transaction-offset']
    row_default_topic: Any = rows['default-topic']
    row_default_topic_queue_nums: Any = rows['default-topic-queue-nums']
    row_unit_mode: Any = rows['unit-mode']
    row_frame: Any = rows['frame']
    row_broker_name: Any = rows['broker-name']
    row_ext_field: Any = rows['ext-field']
    row_batch_index: Any = rows['batch-index']
    row_batch_size: Any = rows['batch-size']
    row_batch_properties: Any = rows['batch-properties']
    row_batch_flag: Any = rows['batch-flag']
    row_magic: Any = rows['magic']
    row_request_code: Any = rows['request-code']
    row_raw: Any = rows['raw']
    via_enveloped_message: Any = TRANSFORMS['enveloped-message'].function
    row_envelope: Any = rows['envelope']
    via_decoded_body: Any = TRANSFORMS['decoded-body'].function
    row_body_encoded: Any = rows['body-encoded']
    row_body: Any = rows['body']
    row_durable_sets_header_durable: Any = replace(rows['durable'], target='header.durable', constants={})
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )
    row_equal_names: Any = rows['equal-names']
    via_last_of_equal_names: Any = TRANSFORMS['last-of-equal-names'].function

    def rocketmq_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; made: Any; pair: tuple[str, str]; target: Message; value: str
        taken: list[Any] = notes.taken
        # equal-names, rocketmq.toml
        made = source.properties and via_last_of_equal_names(source.properties)
        if made is not None and type(made) is not list:
            made = left_out(notes, row_equal_names, 'properties', 'utf8', source.properties, made)
        from_properties = made
        index_properties = dict(from_properties or ())
        to_properties_user_id: Any = None
        to_properties_to: Any = None
        to_properties_content_type: Any = None
        to_properties_content_encoding: Any = None
        to_properties_absolute_expiry_time: Any = None
        to_header_priority: Any = None
        to_properties_message_id: Any = None
        to_properties_subject: Any = None
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_properties_group_id: Any = None
        to_properties_correlation_id: Any = None
        to_properties_reply_to: Any = None
        to_header_ttl: Any = None
        to_application_properties: list[Any] = []
        filled_application_properties: set[Any] = set()
        to_properties_creation_time: Any = None
        to_header_delivery_count: Any = None
        to_body: Any = None
        to_header_durable: Any = None
        sections: dict[Any, Any] = {}
        properties = from_properties
        if properties is not None:
            for pair in properties:
                key, value = pair
                if key in keys_properties:
                    if key == 'amqp-user-id' and (made := via_read_binary(value)) is not NOT_MINE:  # user-id, hub.toml
                        if to_properties_user_id is not None:
                            too_late(notes, row_user_id, path('properties', key), 'utf8', 'properties.user_id', None, key)
                        else:
                            to_properties_user_id = made
                            taken.append((row_user_id, key, None, None))
                        continue
                    if key == 'amqp-user-id':  # user-id-unreadable, hub.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not base64', row_user_id_unreadable))
                        continue
                    if key == 'amqp-to':  # to, hub.toml
                        if to_properties_to is not None:
                            too_late(notes, row_to, path('properties', key), 'utf8', 'properties.to', None, key)
                        else:
                            to_properties_to = value
                            taken.append((row_to, key, None, None))
                        continue
                    if key == 'amqp-content-type' and when_fits_decoded_body(value, source.body):  # encoded, rocketmq.toml
                        taken.append((row_encoded, key, None, None))
                        continue
                    if key == 'amqp-content-type' and value.isascii():  # content-type, hub.toml
                        if to_properties_content_type is not None:
                            too_late(
                                notes, row_content_type, path('properties', key), 'utf8', 'properties.content_type', None, key
                            )
                        else:
                            to_properties_content_type = value
                            taken.append((row_content_type, key, None, None))
                        continue
                    if key == 'amqp-content-type':  # content-type-unreadable, hub.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not ASCII', row_content_type_unreadable))
                        continue
                    if key == 'amqp-content-encoding' and value.isascii():  # content-encoding, hub.toml
                        if to_properties_content_encoding is not None:
                            too_late(
                                notes,
                                row_content_encoding,
                                path('properties', key),
                                'utf8',
                                'properties.content_encoding',
                                None,
                                key,
                            )
                        else:
                            to_properties_content_encoding = value
                            taken.append((row_content_encoding, key, None, None))
                        continue
                    if key == 'amqp-content-encoding':  # content-encoding-unreadable, hub.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not ASCII', row_content_encoding_unreadable))
                        continue
                    if (  # absolute-expiry-time, hub.toml
                        key == 'amqp-absolute-expiry-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            too_late(
                                notes,
                                row_absolute_expiry_time,
                                path('properties', key),
                                'utf8',
                                'properties.absolute_expiry_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_absolute_expiry_time = made
                            taken.append((row_absolute_expiry_time, key, None, None))
                        continue
                    if key == 'amqp-absolute-expiry-time':  # absolute-expiry-time-unreadable, hub.toml
                        notes.lost.append(
                            (path('properties', key), 'utf8', 'not a decimal time', row_absolute_expiry_time_unreadable)
                        )
                        continue
                    if key == 'amqp-priority' and (made := via_read_ubyte(value)) is not NOT_MINE:  # priority, hub.toml
                        if to_header_priority is not None:
                            too_late(notes, row_priority, path('properties', key), 'utf8', 'header.priority', None, key)
                        else:
                            to_header_priority = made
                            taken.append((row_priority, key, None, None))
                        continue
                    if key == 'amqp-priority':  # priority-unreadable, hub.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not a priority', row_priority_unreadable))
                        continue
                    if (  # uniq-key-uuid, rocketmq.toml
                        key == 'UNIQ_KEY'
                        and len(value) == 45
                        and (made := via_urn_to_uuid(value)) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes, row_uniq_key_uuid, path('properties', key), 'utf8', 'properties.message_id', None, key
                            )
                        else:
                            to_properties_message_id = TypedValue('uuid', made)
                            taken.append((row_uniq_key_uuid, key, None, None))
                        continue
                    if key == 'UNIQ_KEY':  # uniq-key, rocketmq.toml
                        if to_properties_message_id is not None:
                            too_late(notes, row_uniq_key, path('properties', key), 'utf8', 'properties.message_id', None, key)
                        else:
                            to_properties_message_id = TypedValue('string', value)
                            taken.append((row_uniq_key, key, None, None))
                        continue
                    if key == 'TAGS':  # tags, rocketmq.toml
                        if to_properties_subject is not None:
                            too_late(notes, row_tags, path('properties', key), 'utf8', 'properties.subject', None, key)
                        else:
                            to_properties_subject = value
                            taken.append((row_tags, key, None, None))
                        continue
                    if key == 'KEYS':  # keys, rocketmq.toml
                        if 'x-opt-rocketmq-keys' in filled_message_annotations:
                            too_late(
                                notes,
                                row_keys,
                                path('properties', key),
                                'utf8',
                                'message_annotations',
                                'x-opt-rocketmq-keys',
                                key,
                            )
                        else:
                            to_message_annotations.append(Entry('x-opt-rocketmq-keys', 'string', value))
                            filled_message_annotations.add('x-opt-rocketmq-keys')
                            taken.append((row_keys, key, 'x-opt-rocketmq-keys', None))
                        continue
                    if key == '__SHARDINGKEY':  # sharding-key, rocketmq.toml
                        if to_properties_group_id is not None:
                            too_late(notes, row_sharding_key, path('properties', key), 'utf8', 'properties.group_id', None, key)
                        else:
                            to_properties_group_id = value
                            taken.append((row_sharding_key, key, None, None))
                        continue
                    if (  # correlation-id-uuid, rocketmq.toml
                        key == 'CORRELATION_ID'
                        and len(value) == 45
                        and (made := via_urn_to_uuid(value)) is not NOT_MINE
                    ):
                        if to_properties_correlation_id is not None:
                            too_late(
                                notes,
                                row_correlation_id_uuid,
                                path('properties', key),
                                'utf8',
                                'properties.correlation_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_correlation_id = TypedValue('uuid', made)
                            taken.append((row_correlation_id_uuid, key, None, None))
                        continue
                    if key == 'CORRELATION_ID':  # correlation-id, rocketmq.toml
                        if to_properties_correlation_id is not None:
                            too_late(
                                notes,
                                row_correlation_id,
                                path('properties', key),
                                'utf8',
                                'properties.correlation_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_correlation_id = TypedValue('string', value)
                            taken.append((row_correlation_id, key, None, None))
                        continue
                    if key == 'REPLY_TO_CLIENT':  # reply-to, rocketmq.toml
                        if to_properties_reply_to is not None:
                            too_late(notes, row_reply_to, path('properties', key), 'utf8', 'properties.reply_to', None, key)
                        else:
                            to_properties_reply_to = value
                            taken.append((row_reply_to, key, None, None))
                        continue
                    if key == 'TTL' and (made := via_read_uint(value)) is not NOT_MINE:  # ttl, rocketmq.toml
                        if to_header_ttl is not None:
                            too_late(notes, row_ttl, path('properties', key), 'utf8', 'header.ttl', None, key)
                        else:
                            to_header_ttl = made
                            taken.append((row_ttl, key, None, None))
                        continue
                    if key == 'TTL':  # ttl-unreadable, rocketmq.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not a number of milliseconds', row_ttl_unreadable))
                        continue
                    if (  # deliver-time, rocketmq.toml
                        key == 'TIMER_DELIVER_MS'
                        and (made := via_read_long(value)) is not NOT_MINE
                    ):
                        if 'x-opt-delivery-time' in filled_message_annotations:
                            too_late(
                                notes,
                                row_deliver_time,
                                path('properties', key),
                                'utf8',
                                'message_annotations',
                                'x-opt-delivery-time',
                                key,
                            )
                        else:
                            to_message_annotations.append(Entry('x-opt-delivery-time', 'long', made))
                            filled_message_annotations.add('x-opt-delivery-time')
                            taken.append((row_deliver_time, key, 'x-opt-delivery-time', None))
                        continue
                    if key == 'TIMER_DELIVER_MS':  # deliver-time-unreadable, rocketmq.toml
                        notes.lost.append(
                            (path('properties', key), 'utf8', 'not a number of milliseconds', row_deliver_time_unreadable)
                        )
                        continue
                    if key == 'TIMER_DELAY_MS' and (made := via_read_long(value)) is not NOT_MINE:  # delay-time, rocketmq.toml
                        if 'x-opt-delivery-delay' in filled_message_annotations:
                            too_late(
                                notes,
                                row_delay_time,
                                path('properties', key),
                                'utf8',
                                'message_annotations',
                                'x-opt-delivery-delay',
                                key,
                            )
                        else:
                            to_message_annotations.append(Entry('x-opt-delivery-delay', 'long', made))
                            filled_message_annotations.add('x-opt-delivery-delay')
                            taken.append((row_delay_time, key, 'x-opt-delivery-delay', None))
                        continue
                    if key == 'TIMER_DELAY_MS':  # delay-time-unreadable, rocketmq.toml
                        notes.lost.append(
                            (path('properties', key), 'utf8', 'not a number of milliseconds', row_delay_time_unreadable)
                        )
                        continue
                    if key == 'DELAY' and (made := via_read_int(value)) is not NOT_MINE:  # delay-level, rocketmq.toml
                        if 'x-opt-rocketmq-delay-level' in filled_message_annotations:
                            too_late(
                                notes,
                                row_delay_level,
                                path('properties', key),
                                'utf8',
                                'message_annotations',
                                'x-opt-rocketmq-delay-level',
                                key,
                            )
                        else:
                            to_message_annotations.append(Entry('x-opt-rocketmq-delay-level', 'int', made))
                            filled_message_annotations.add('x-opt-rocketmq-delay-level')
                            taken.append((row_delay_level, key, 'x-opt-rocketmq-delay-level', None))
                        continue
                    if key == 'DELAY':  # delay-level-unreadable, rocketmq.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not a number', row_delay_level_unreadable))
                        continue
                if when_system_key(value, key):  # system, rocketmq.toml
                    name = 'x-opt-rocketmq-prop-' + key
                    if not name.isascii() and (fault := key_fault_symbol(name)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_system))
                    elif name in filled_message_annotations:
                        too_late(notes, row_system, path('properties', key), 'utf8', 'message_annotations', name, key)
                    else:
                        to_message_annotations.append(Entry(name, 'string', value))
                        filled_message_annotations.add(name)
                        taken.append((row_system, key, name, None))
                elif 'x-' <= key < 'x.' and not (type(key) is str and key.isascii()):  # property-x-other, hub.toml
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_property_x_other))
                    elif key in filled_application_properties:
                        too_late(
                            notes, row_property_x_other, path('properties', key), 'utf8', 'application_properties', key, key
                        )
                    else:
                        to_application_properties.append(Entry(key, 'string', value))
                        filled_application_properties.add(key)
                        taken.append((row_property_x_other, key, key, None))
                elif 'x-' <= key < 'x.':  # property-x, hub.toml
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_property_x))
                    elif key in filled_message_annotations:
                        too_late(notes, row_property_x, path('properties', key), 'utf8', 'message_annotations', key, key)
                    else:
                        to_message_annotations.append(Entry(key, 'string', value))
                        filled_message_annotations.add(key)
                        taken.append((row_property_x, key, key, None))
                else:  # property, hub.toml
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_property))
                    elif key in filled_application_properties:
                        too_late(notes, row_property, path('properties', key), 'utf8', 'application_properties', key, key)
                    else:
                        to_application_properties.append(Entry(key, 'string', value))
                        filled_application_properties.add(key)
                        taken.append((row_property, key, key, None))
        topic: Any = source.topic
        if topic != '':
            if (  # topic-escaped, rocketmq.toml
                environment.escape is not None
                and environment.escape is not False
                and (made := via_unescaped_name(topic)) is not NOT_MINE
            ):
                if not made.isascii() and (fault := fault_string(made)) is not None:
                    notes.lost.append(('topic', 'topic', fault, row_topic_escaped))
                elif to_properties_to is not None:
                    too_late(notes, row_topic_escaped, 'topic', 'topic', 'properties.to', None, None)
                else:
                    to_properties_to = made
                    taken.append(row_topic_escaped)
            else:  # topic, rocketmq.toml
                if to_properties_to is not None:
                    too_late(notes, row_topic, 'topic', 'topic', 'properties.to', None, None)
                else:
                    to_properties_to = topic
                    taken.append(row_topic)
        address: Any = environment.address
        if address is not None:
            if to_properties_to is None:  # address, rocketmq.toml
                if not address.isascii() and (fault := fault_string(address)) is not None:
                    notes.lost.append(('@address', 'string', fault, row_address))
                else:
                    to_properties_to = address
                    taken.append(row_address)
        born_timestamp: Any = source.born_timestamp
        if born_timestamp is not None:
            # born-timestamp, rocketmq.toml
            to_properties_creation_time = born_timestamp
            taken.append(row_born_timestamp)
        flag: Any = source.flag
        if flag != 0:
            # flag, rocketmq.toml
            if 'x-opt-rocketmq-flag' in filled_message_annotations:
                too_late(notes, row_flag, 'flag', 'int', 'message_annotations', 'x-opt-rocketmq-flag', None)
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-flag', 'int', flag))
                filled_message_annotations.add('x-opt-rocketmq-flag')
                taken.append((row_flag, None, 'x-opt-rocketmq-flag', None))
        sys_flag: Any = source.sys_flag
        if sys_flag != 0:
            # sys-flag, rocketmq.toml
            if 'x-opt-rocketmq-sys-flag' in filled_message_annotations:
                too_late(notes, row_sys_flag, 'sys_flag', 'int', 'message_annotations', 'x-opt-rocketmq-sys-flag', None)
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-sys-flag', 'int', sys_flag))
                filled_message_annotations.add('x-opt-rocketmq-sys-flag')
                taken.append((row_sys_flag, None, 'x-opt-rocketmq-sys-flag', None))
        reconsume_times: int | None = source.reconsume_times
        if reconsume_times is not None:
            if reconsume_times >= 0:  # reconsume-times, rocketmq.toml
                if not 0 <= reconsume_times <= 4294967295 and (fault := fault_uint(reconsume_times)) is not None:
                    notes.lost.append(('reconsume_times', 'int', fault, row_reconsume_times))
                else:
                    to_header_delivery_count = reconsume_times
                    taken.append(row_reconsume_times)
            else:  # reconsume-times-lost, rocketmq.toml
                notes.lost.append(('reconsume_times', 'int', 'negative', row_reconsume_times_lost))
        max_reconsume_times: Any = source.max_reconsume_times
        if max_reconsume_times is not None:
            # max-reconsume-times, rocketmq.toml
            if 'x-opt-rocketmq-max-reconsume-times' in filled_message_annotations:
                too_late(
                    notes,
                    row_max_reconsume_times,
                    'max_reconsume_times',
                    'int',
                    'message_annotations',
                    'x-opt-rocketmq-max-reconsume-times',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-max-reconsume-times', 'int', max_reconsume_times))
                filled_message_annotations.add('x-opt-rocketmq-max-reconsume-times')
                taken.append((row_max_reconsume_times, None, 'x-opt-rocketmq-max-reconsume-times', None))
        queue_id: Any = source.queue_id
        if queue_id is not None:
            # queue-id, rocketmq.toml
            if 'x-opt-rocketmq-queue-id' in filled_message_annotations:
                too_late(notes, row_queue_id, 'queue_id', 'int', 'message_annotations', 'x-opt-rocketmq-queue-id', None)
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-queue-id', 'int', queue_id))
                filled_message_annotations.add('x-opt-rocketmq-queue-id')
                taken.append((row_queue_id, None, 'x-opt-rocketmq-queue-id', None))
        producer_group: Any = source.producer_group
        if producer_group is not None:
            # producer-group, rocketmq.toml
            if 'x-opt-rocketmq-producer-group' in filled_message_annotations:
                too_late(
                    notes,
                    row_producer_group,
                    'producer_group',
                    'utf8',
                    'message_annotations',
                    'x-opt-rocketmq-producer-group',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-producer-group', 'string', producer_group))
                filled_message_annotations.add('x-opt-rocketmq-producer-group')
                taken.append((row_producer_group, None, 'x-opt-rocketmq-producer-group', None))
        queue_offset: Any = source.queue_offset
        if queue_offset is not None:
            # queue-offset, rocketmq.toml
            if 'x-opt-rocketmq-queue-offset' in filled_message_annotations:
                too_late(
                    notes, row_queue_offset, 'queue_offset', 'long', 'message_annotations', 'x-opt-rocketmq-queue-offset', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-queue-offset', 'long', queue_offset))
                filled_message_annotations.add('x-opt-rocketmq-queue-offset')
                taken.append((row_queue_offset, None, 'x-opt-rocketmq-queue-offset', None))
        physical_offset: Any = source.physical_offset
        if physical_offset is not None:
            # commit-log-offset, rocketmq.toml
            if 'x-opt-rocketmq-commit-log-offset' in filled_message_annotations:
                too_late(
                    notes,
                    row_commit_log_offset,
                    'physical_offset',
                    'long',
                    'message_annotations',
                    'x-opt-rocketmq-commit-log-offset',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-commit-log-offset', 'long', physical_offset))
                filled_message_annotations.add('x-opt-rocketmq-commit-log-offset')
                taken.append((row_commit_log_offset, None, 'x-opt-rocketmq-commit-log-offset', None))
        store_timestamp: Any = source.store_timestamp
        if store_timestamp is not None:
            # store-timestamp, rocketmq.toml
            if 'x-opt-rocketmq-store-timestamp' in filled_message_annotations:
                too_late(
                    notes,
                    row_store_timestamp,
                    'store_timestamp',
                    'timestamp',
                    'message_annotations',
                    'x-opt-rocketmq-store-timestamp',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-store-timestamp', 'long', store_timestamp))
                filled_message_annotations.add('x-opt-rocketmq-store-timestamp')
                taken.append((row_store_timestamp, None, 'x-opt-rocketmq-store-timestamp', None))
        born_host: Any = source.born_host
        if born_host is not None:
            # born-host, rocketmq.toml
            if 'x-opt-rocketmq-born-host' in filled_message_annotations:
                too_late(notes, row_born_host, 'born_host', 'host', 'message_annotations', 'x-opt-rocketmq-born-host', None)
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-born-host', 'string', born_host))
                filled_message_annotations.add('x-opt-rocketmq-born-host')
                taken.append((row_born_host, None, 'x-opt-rocketmq-born-host', None))
        store_host: Any = source.store_host
        if store_host is not None:
            # store-host, rocketmq.toml
            if 'x-opt-rocketmq-store-host' in filled_message_annotations:
                too_late(notes, row_store_host, 'store_host', 'host', 'message_annotations', 'x-opt-rocketmq-store-host', None)
            else:
                to_message_annotations.append(Entry('x-opt-rocketmq-store-host', 'string', store_host))
                filled_message_annotations.add('x-opt-rocketmq-store-host')
                taken.append((row_store_host, None, 'x-opt-rocketmq-store-host', None))
        prepared_transaction_offset: Any = source.prepared_transaction_offset
        if prepared_transaction_offset:
            # prepared-transaction-offset, rocketmq.toml
            taken.append(row_prepared_transaction_offset)
        default_topic: Any = source.default_topic
        if default_topic:
            # default-topic, rocketmq.toml
            taken.append(row_default_topic)
        default_topic_queue_nums: Any = source.default_topic_queue_nums
        if default_topic_queue_nums is not None:
            # default-topic-queue-nums, rocketmq.toml
            taken.append(row_default_topic_queue_nums)
        unit_mode: Any = source.unit_mode
        if unit_mode:
            # unit-mode, rocketmq.toml
            taken.append(row_unit_mode)
        the_frame: Any = source.frame
        if the_frame != 'send':
            # frame, rocketmq.toml
            taken.append(row_frame)
        broker_name: Any = source.broker_name
        if broker_name:
            # broker-name, rocketmq.toml
            taken.append(row_broker_name)
        ext_fields: list[Any] | None = source.ext_fields
        if ext_fields is not None:
            for pair in ext_fields:
                key, value = pair
                # ext-field, rocketmq.toml
                taken.append((row_ext_field, key, None, None))
        batch_index: Any = source.batch_index
        if batch_index is not None:
            # batch-index, rocketmq.toml
            taken.append(row_batch_index)
        batch_size: Any = source.batch_size
        if batch_size is not None:
            # batch-size, rocketmq.toml
            taken.append(row_batch_size)
        batch_properties: Any = source.batch_properties
        if batch_properties:
            # batch-properties, rocketmq.toml
            taken.append(row_batch_properties)
        batch_flag: Any = source.batch_flag
        if batch_flag:
            # batch-flag, rocketmq.toml
            taken.append(row_batch_flag)
        magic: Any = source.magic
        if magic is not None:
            # magic, rocketmq.toml
            taken.append(row_magic)
        request_code: Any = source.request_code
        if request_code is not None:
            # request-code, rocketmq.toml
            taken.append(row_request_code)
        raw_properties: Any = source.raw_properties
        if raw_properties is not None:
            # raw, rocketmq.toml
            taken.append(row_raw)
        body: Any = source.body
        if (  # envelope, rocketmq.toml
            environment.payload == 'envelope'
            and (made := via_enveloped_message(body, environment.payload)) is not NOT_MINE
        ):
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('body', 'payload', made.reason, row_envelope))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_envelope, None) in sections:
                    notes.lost.append(('body', 'payload', 'a second equal key', row_envelope))
                else:
                    sections[row_envelope, None] = 'payload', made
        elif (  # body-encoded, rocketmq.toml
            made := via_decoded_body(body, index_properties.get('amqp-content-type'))
        ) is not NOT_MINE:
            to_body = made
            taken.append(row_body_encoded)
        else:  # body, rocketmq.toml
            to_body = Data([body])
            taken.append(row_body)
        # durable, rocketmq.toml
        if to_header_durable is None:
            to_header_durable = True
            taken.append(row_durable_sets_header_durable)
        to_header: Any = None
        if (
            to_header_durable is not None
            or to_header_priority is not None
            or to_header_ttl is not None
            or to_header_delivery_count is not None
        ):
            to_header = Header(to_header_durable, to_header_priority, to_header_ttl, None, to_header_delivery_count)
        to_properties: Any = None
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
        ):
            to_properties = Properties(
                to_properties_message_id,
                to_properties_user_id,
                to_properties_to,
                to_properties_subject,
                to_properties_reply_to,
                to_properties_correlation_id,
                to_properties_content_type,
                to_properties_content_encoding,
                to_properties_absolute_expiry_time,
                to_properties_creation_time,
                to_properties_group_id,
            )
        target = Message(
            to_header, None, to_message_annotations or None, to_properties, to_application_properties or None, to_body, None
        )
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        return target

    return rocketmq_to_amqp_1_0

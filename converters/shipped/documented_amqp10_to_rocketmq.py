"""amqp-1.0 -> rocketmq, from rocketmq.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, no_field, refused, too_late
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import unicode_fault as fault_utf8
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import (
    Header as Of_EMPTY_header,
    Message as Source,
    Properties as Of_EMPTY_properties,
)
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
from mqconvert.converters.protocols.rocketmq.message import Message
import mqconvert.converters.protocols.rocketmq.words
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.expressions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['rocketmq'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_application_property: Any = rows['application-property']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_property_entry: Any = TRANSFORMS['property-entry'].function
    when_needs_encoding: Any = CONDITIONS['needs-encoding'].function
    row_encoded: Any = rows['encoded']
    row_body: Any = rows['body']
    via_payload_bytes: Any = TRANSFORMS['payload-bytes'].function
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    via_rocketmq_topic: Any = TRANSFORMS['rocketmq-topic'].function
    row_address: Any = rows['address']
    row_address_unset: Any = replace(rows['address'], unset=True)
    row_address_refused: Any = rows['address-refused']
    row_frame_refused: Any = rows['frame-refused']
    row_frame: Any = rows['frame']
    row_frame_unset: Any = replace(rows['frame'], unset=True)
    fault_frame: Any = types['frame'].fault
    row_flag: Any = rows['flag']
    row_flag_unset: Any = replace(rows['flag'], unset=True)
    via_annotation_int: Any = TRANSFORMS['annotation int'].function
    row_sys_flag: Any = rows['sys-flag']
    row_sys_flag_unset: Any = replace(rows['sys-flag'], unset=True)
    fault_int: Any = types['int'].fault
    via_annotation_int_then_without_bits_0x7F1: Any = TRANSFORMS['annotation int then without-bits 0x7F1'].function
    row_max_reconsume_times: Any = rows['max-reconsume-times']
    row_queue_id: Any = rows['queue-id']
    row_producer_group: Any = rows['producer-group']
    via_annotation_string: Any = TRANSFORMS['annotation string'].function
    row_queue_offset: Any = rows['queue-offset']
    via_annotation_long: Any = TRANSFORMS['annotation long'].function
    row_commit_log_offset: Any = rows['commit-log-offset']
    row_store_timestamp: Any = rows['store-timestamp']
    row_born_host: Any = rows['born-host']
    fault_host: Any = types['host'].fault
    row_store_host: Any = rows['store-host']
    row_keys: Any = rows['keys']
    via_annotation_string_then_property_text: Any = TRANSFORMS['annotation string then property-text'].function
    row_delay_level: Any = rows['delay-level']
    via_annotation_int_then_to_decimal: Any = TRANSFORMS['annotation int then to-decimal'].function
    row_deliver_time: Any = rows['deliver-time']
    via_annotation_long_then_to_decimal: Any = TRANSFORMS['annotation long then to-decimal'].function
    when_outside_9223372036854775808_9223372036854775807: Any = CONDITIONS[
        'outside -9223372036854775808 9223372036854775807'
    ].function
    row_delay_refused: Any = rows['delay-refused']
    row_delay_time: Any = rows['delay-time']
    row_system_unnamed: Any = rows['system-unnamed']
    keys_message_annotations: Any = frozenset(
        [
            'x-opt-delivery-delay',
            'x-opt-delivery-time',
            'x-opt-rocketmq-born-host',
            'x-opt-rocketmq-commit-log-offset',
            'x-opt-rocketmq-delay-level',
            'x-opt-rocketmq-flag',
            'x-opt-rocketmq-keys',
            'x-opt-rocketmq-max-reconsume-times',
            'x-opt-rocketmq-producer-group',
            'x-opt-rocketmq-prop-',
            'x-opt-rocketmq-queue-id',
            'x-opt-rocketmq-queue-offset',
            'x-opt-rocketmq-store-host',
            'x-opt-rocketmq-store-timestamp',
            'x-opt-rocketmq-sys-flag',
        ],
    )
    when_unfit_property: Any = CONDITIONS['unfit-property'].function
    row_system_unfit: Any = rows['system-unfit']
    row_system: Any = rows['system']
    row_annotation_x: Any = rows['annotation-x']
    row_annotation_other: Any = rows['annotation-other']
    row_uniq_key: Any = rows['uniq-key']
    via_id_text_then_property_text: Any = TRANSFORMS['id-text then property-text'].function
    when_same_beside: Any = CONDITIONS['same-beside'].function
    row_to_given: Any = rows['to-given']
    row_to_other: Any = rows['to-other']
    via_property_text: Any = TRANSFORMS['property-text'].function
    row_to: Any = rows['to']
    row_to_unset: Any = replace(rows['to'], unset=True)
    row_to_refused: Any = rows['to-refused']
    row_user_id: Any = rows['user-id']
    via_to_base64_then_property_text: Any = TRANSFORMS['to-base64 then property-text'].function
    row_tags: Any = rows['tags']
    row_reply_to_client: Any = rows['reply-to-client']
    row_correlation_id: Any = rows['correlation-id']
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    row_priority: Any = rows['priority']
    row_sharding_key: Any = rows['sharding-key']
    row_ttl: Any = rows['ttl']
    row_creation_time: Any = rows['creation-time']
    row_record_clock: Any = rows['record-clock']
    row_clock: Any = rows['clock']
    row_group: Any = rows['group']
    row_delivery_count: Any = rows['delivery-count']
    row_delivery_count_over: Any = rows['delivery-count-over']
    row_durable: Any = rows['durable']
    row_first_acquirer: Any = rows['first-acquirer']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_delivery_annotation: Any = rows['delivery-annotation']
    row_footer: Any = rows['footer']
    row_envelope: Any = rows['envelope']
    via_amqp_envelope: Any = TRANSFORMS['amqp-envelope'].function
    row_empty: Any = rows['empty']
    row_time_refused: Any = rows['time-refused']
    row_record_time_refused: Any = rows['record-time-refused']
    row_properties_refused: Any = rows['properties-refused']
    when_properties_longer_than_32767: Any = CONDITIONS['properties-longer-than 32767'].function
    row_body_refused: Any = rows['body-refused']
    when_longer_than_4194304: Any = CONDITIONS['longer-than 4194304'].function
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

    def amqp_1_0_to_rocketmq(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; label: Any; made: Any; target: Message; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        frame = environment.frame or 'send'
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        to_properties: dict[Any, Any] = {}
        to_body: Any = b''
        to_topic: Any = None
        to_frame = 'send'
        to_flag: Any = None
        to_sys_flag: Any = None
        to_max_reconsume_times: Any = None
        to_queue_id: Any = None
        to_producer_group: Any = None
        to_queue_offset: Any = None
        to_physical_offset: Any = None
        to_store_timestamp: Any = None
        to_born_host: Any = None
        to_store_host: Any = None
        to_born_timestamp: Any = None
        to_reconsume_times: Any = None
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                # application-property, rocketmq.toml
                made = via_property_entry(typed.value, type_, key)
                if type(made) is not str:
                    notes.lost.append((path('application_properties', key), type_, made.reason, row_application_property))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not made.isascii() and (fault := fault_utf8(made)) is not None:
                        notes.lost.append((path('application_properties', key), type_, fault, row_application_property))
                    elif not key.isascii() and (fault := key_fault_utf8(key)) is not None:
                        notes.lost.append(
                            (path('application_properties', key), type_, 'its key is ' + fault, row_application_property)
                        )
                    elif key in to_properties:
                        too_late(
                            notes, row_application_property, path('application_properties', key), type_, 'properties', key, key
                        )
                    else:
                        to_properties[key] = made
                        taken.append((row_application_property, key, key, None))
        body: Any = source.body
        if body is not None:
            if when_needs_encoding(body) and environment.payload != 'envelope':  # encoded, hub.toml
                if 'amqp-content-type' in to_properties:
                    too_late(
                        notes, row_encoded, 'body', BODY_TYPES.get(type(body), 'body'), 'properties', 'amqp-content-type', None
                    )
                else:
                    to_properties['amqp-content-type'] = 'message/vnd.rabbitmq.amqp'
                    taken.append((row_encoded, None, 'amqp-content-type', None))
            # body, rocketmq.toml
            made = via_payload_bytes(body)
            if type(made) is not bytes:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), made.reason, row_body))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_body = made
                taken.append(row_body)
        else:  # no-body, rocketmq.toml
            to_body = b''
            taken.append(row_no_body_told)
        address: Any = environment.address
        if address is not None:
            if (made := via_rocketmq_topic(address, environment.escape)) is not NOT_MINE:  # address, rocketmq.toml
                if to_topic is not None:
                    too_late(notes, row_address, '@address', 'string', 'topic', None, None)
                else:
                    to_topic = made
                    taken.append(row_address if to_topic != '' else row_address_unset)
            else:  # address-refused, rocketmq.toml
                raise refused(row_address_refused, '@address', address)
        the_frame: Any = environment.frame
        if the_frame is not None:
            if the_frame not in ('record', 'send'):  # frame-refused, rocketmq.toml
                raise refused(row_frame_refused, '@frame', the_frame)
            else:  # frame, rocketmq.toml
                if (fault := fault_frame(the_frame)) is not None:
                    notes.lost.append(('@frame', 'string', fault, row_frame))
                else:
                    to_frame = the_frame
                    taken.append(row_frame if to_frame != 'send' else row_frame_unset)
        message_annotations: list[Any] | None = source.message_annotations
        if message_annotations is not None:
            for typed in message_annotations:
                label, type_ = typed.key, typed.type
                if label in keys_message_annotations:
                    if label == 'x-opt-rocketmq-flag':  # flag, rocketmq.toml
                        made = via_annotation_int(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_flag))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_flag is not None:
                                too_late(notes, row_flag, path('message_annotations', label), type_, 'flag', None, label)
                            else:
                                to_flag = made
                                taken.append((row_flag if to_flag != 0 else row_flag_unset, label, None, None))
                        continue
                    if label == 'x-opt-rocketmq-sys-flag':  # sys-flag, rocketmq.toml
                        made = via_annotation_int_then_without_bits_0x7F1(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_sys_flag))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not -2147483648 <= made <= 2147483647 and (fault := fault_int(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after annotation int then without-bits 0x7F1: ' + fault,
                                        row_sys_flag,
                                    ),
                                )
                            elif to_sys_flag is not None:
                                too_late(
                                    notes, row_sys_flag, path('message_annotations', label), type_, 'sys_flag', None, label
                                )
                            else:
                                to_sys_flag = made
                                taken.append((row_sys_flag if to_sys_flag != 0 else row_sys_flag_unset, label, None, None))
                        continue
                    if label == 'x-opt-rocketmq-max-reconsume-times':  # max-reconsume-times, rocketmq.toml
                        if frame == 'send':
                            made = via_annotation_int(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append(
                                    (path('message_annotations', label), type_, made.reason, row_max_reconsume_times)
                                )
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_max_reconsume_times is not None:
                                    too_late(
                                        notes,
                                        row_max_reconsume_times,
                                        path('message_annotations', label),
                                        type_,
                                        'max_reconsume_times',
                                        None,
                                        label,
                                    )
                                else:
                                    to_max_reconsume_times = made
                                    taken.append((row_max_reconsume_times, label, None, None))
                        else:
                            notes.lost.append(
                                (path('message_annotations', label), type_, no_field(frame), row_max_reconsume_times)
                            )
                        continue
                    if label == 'x-opt-rocketmq-queue-id':  # queue-id, rocketmq.toml
                        made = via_annotation_int(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_queue_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_queue_id is not None:
                                too_late(
                                    notes, row_queue_id, path('message_annotations', label), type_, 'queue_id', None, label
                                )
                            else:
                                to_queue_id = made
                                taken.append((row_queue_id, label, None, None))
                        continue
                    if label == 'x-opt-rocketmq-producer-group':  # producer-group, rocketmq.toml
                        if frame == 'send':
                            made = via_annotation_string(typed.value, type_)
                            if type(made) is not str:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_producer_group))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_producer_group is not None:
                                    too_late(
                                        notes,
                                        row_producer_group,
                                        path('message_annotations', label),
                                        type_,
                                        'producer_group',
                                        None,
                                        label,
                                    )
                                else:
                                    to_producer_group = made
                                    taken.append((row_producer_group, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_producer_group))
                        continue
                    if label == 'x-opt-rocketmq-queue-offset':  # queue-offset, rocketmq.toml
                        if frame == 'record':
                            made = via_annotation_long(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_queue_offset))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_queue_offset is not None:
                                    too_late(
                                        notes,
                                        row_queue_offset,
                                        path('message_annotations', label),
                                        type_,
                                        'queue_offset',
                                        None,
                                        label,
                                    )
                                else:
                                    to_queue_offset = made
                                    taken.append((row_queue_offset, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_queue_offset))
                        continue
                    if label == 'x-opt-rocketmq-commit-log-offset':  # commit-log-offset, rocketmq.toml
                        if frame == 'record':
                            made = via_annotation_long(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append(
                                    (path('message_annotations', label), type_, made.reason, row_commit_log_offset)
                                )
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_physical_offset is not None:
                                    too_late(
                                        notes,
                                        row_commit_log_offset,
                                        path('message_annotations', label),
                                        type_,
                                        'physical_offset',
                                        None,
                                        label,
                                    )
                                else:
                                    to_physical_offset = made
                                    taken.append((row_commit_log_offset, label, None, None))
                        else:
                            notes.lost.append(
                                (path('message_annotations', label), type_, no_field(frame), row_commit_log_offset)
                            )
                        continue
                    if label == 'x-opt-rocketmq-store-timestamp':  # store-timestamp, rocketmq.toml
                        if frame == 'record':
                            made = via_annotation_long(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_store_timestamp))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_store_timestamp is not None:
                                    too_late(
                                        notes,
                                        row_store_timestamp,
                                        path('message_annotations', label),
                                        type_,
                                        'store_timestamp',
                                        None,
                                        label,
                                    )
                                else:
                                    to_store_timestamp = made
                                    taken.append((row_store_timestamp, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_store_timestamp))
                        continue
                    if label == 'x-opt-rocketmq-born-host':  # born-host, rocketmq.toml
                        if frame == 'record':
                            made = via_annotation_string(typed.value, type_)
                            if type(made) is not str:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_born_host))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if (fault := fault_host(made)) is not None:
                                    notes.lost.append((path('message_annotations', label), type_, fault, row_born_host))
                                elif to_born_host is not None:
                                    too_late(
                                        notes,
                                        row_born_host,
                                        path('message_annotations', label),
                                        type_,
                                        'born_host',
                                        None,
                                        label,
                                    )
                                else:
                                    to_born_host = made
                                    taken.append((row_born_host, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_born_host))
                        continue
                    if label == 'x-opt-rocketmq-store-host':  # store-host, rocketmq.toml
                        if frame == 'record':
                            made = via_annotation_string(typed.value, type_)
                            if type(made) is not str:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_store_host))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if (fault := fault_host(made)) is not None:
                                    notes.lost.append((path('message_annotations', label), type_, fault, row_store_host))
                                elif to_store_host is not None:
                                    too_late(
                                        notes,
                                        row_store_host,
                                        path('message_annotations', label),
                                        type_,
                                        'store_host',
                                        None,
                                        label,
                                    )
                                else:
                                    to_store_host = made
                                    taken.append((row_store_host, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_store_host))
                        continue
                    if label == 'x-opt-rocketmq-keys':  # keys, rocketmq.toml
                        made = via_annotation_string_then_property_text(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_keys))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not made.isascii() and (fault := fault_utf8(made)) is not None:
                                notes.lost.append((path('message_annotations', label), type_, fault, row_keys))
                            elif 'KEYS' in to_properties:
                                too_late(
                                    notes, row_keys, path('message_annotations', label), type_, 'properties', 'KEYS', label
                                )
                            else:
                                to_properties['KEYS'] = made
                                taken.append((row_keys, label, 'KEYS', None))
                        continue
                    if label == 'x-opt-rocketmq-delay-level':  # delay-level, rocketmq.toml
                        made = via_annotation_int_then_to_decimal(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_delay_level))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if 'DELAY' in to_properties:
                                too_late(
                                    notes,
                                    row_delay_level,
                                    path('message_annotations', label),
                                    type_,
                                    'properties',
                                    'DELAY',
                                    label,
                                )
                            else:
                                to_properties['DELAY'] = made
                                taken.append((row_delay_level, label, 'DELAY', None))
                        continue
                    if label == 'x-opt-delivery-time':  # deliver-time, rocketmq.toml
                        made = via_annotation_long_then_to_decimal(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_deliver_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if 'TIMER_DELIVER_MS' in to_properties:
                                too_late(
                                    notes,
                                    row_deliver_time,
                                    path('message_annotations', label),
                                    type_,
                                    'properties',
                                    'TIMER_DELIVER_MS',
                                    label,
                                )
                            else:
                                to_properties['TIMER_DELIVER_MS'] = made
                                taken.append((row_deliver_time, label, 'TIMER_DELIVER_MS', None))
                        continue
                    if (  # delay-refused, rocketmq.toml
                        label == 'x-opt-delivery-delay'
                        and when_outside_9223372036854775808_9223372036854775807(typed.value)
                    ):
                        raise refused(row_delay_refused, path('message_annotations', label), typed.value)
                        continue
                    if label == 'x-opt-delivery-delay':  # delay-time, rocketmq.toml
                        made = via_annotation_long_then_to_decimal(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_delay_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if 'TIMER_DELAY_MS' in to_properties:
                                too_late(
                                    notes,
                                    row_delay_time,
                                    path('message_annotations', label),
                                    type_,
                                    'properties',
                                    'TIMER_DELAY_MS',
                                    label,
                                )
                            else:
                                to_properties['TIMER_DELAY_MS'] = made
                                taken.append((row_delay_time, label, 'TIMER_DELAY_MS', None))
                        continue
                    if label == 'x-opt-rocketmq-prop-':  # system-unnamed, rocketmq.toml
                        notes.lost.append(
                            (path('message_annotations', label), type_, 'a property string cannot hold it', row_system_unnamed)
                        )
                        continue
                if (  # system-unfit, rocketmq.toml
                    type(label) is str
                    and 'x-opt-rocketmq-prop-' <= label < 'x-opt-rocketmq-prop.'
                    and type_ in {'string', 'symbol'}
                    and when_unfit_property(typed.value, type_, label)
                ):
                    notes.lost.append(
                        (path('message_annotations', label), type_, 'a property string cannot hold it', row_system_unfit)
                    )
                elif type(label) is str and 'x-opt-rocketmq-prop-' <= label < 'x-opt-rocketmq-prop.':  # system, rocketmq.toml
                    made = via_annotation_string(typed.value, type_)
                    if type(made) is not str:
                        notes.lost.append((path('message_annotations', label), type_, made.reason, row_system))
                        made = made.value if type(made) is Partial else None
                    if made is not None:
                        name = label[20:]
                        if not name.isascii() and (fault := key_fault_utf8(name)) is not None:
                            notes.lost.append((path('message_annotations', label), type_, 'its key is ' + fault, row_system))
                        elif name in to_properties:
                            too_late(notes, row_system, path('message_annotations', label), type_, 'properties', name, label)
                        else:
                            to_properties[name] = made
                            taken.append((row_system, label, name, None))
                elif type(label) is str and 'x-' <= label < 'x.':  # annotation-x, rocketmq.toml
                    made = via_property_entry(typed.value, type_, label)
                    if type(made) is not str:
                        notes.lost.append((path('message_annotations', label), type_, made.reason, row_annotation_x))
                        made = made.value if type(made) is Partial else None
                    if made is not None:
                        if not made.isascii() and (fault := fault_utf8(made)) is not None:
                            notes.lost.append((path('message_annotations', label), type_, fault, row_annotation_x))
                        elif not label.isascii() and (fault := key_fault_utf8(label)) is not None:
                            notes.lost.append(
                                (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_x)
                            )
                        elif label in to_properties:
                            too_late(
                                notes, row_annotation_x, path('message_annotations', label), type_, 'properties', label, label
                            )
                        else:
                            to_properties[label] = made
                            taken.append((row_annotation_x, label, label, None))
                else:  # annotation-other, hub.toml
                    taken.append((row_annotation_other, label, None, None))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            # uniq-key, rocketmq.toml
            made = via_id_text_then_property_text(value, type_)
            if type(made) is not str:
                notes.lost.append(('properties.message_id', type_, made.reason, row_uniq_key))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.message_id', type_, fault, row_uniq_key))
                elif 'UNIQ_KEY' in to_properties:
                    too_late(notes, row_uniq_key, 'properties.message_id', type_, 'properties', 'UNIQ_KEY', None)
                else:
                    to_properties['UNIQ_KEY'] = made
                    taken.append((row_uniq_key, None, 'UNIQ_KEY', None))
        to: Any = properties.to
        if to is not None:
            if when_same_beside(to, environment.address):  # to-given, hub.toml
                taken.append(row_to_given)
            elif environment.address is not None and environment.address is not False:  # to-other, rocketmq.toml
                made = via_property_text(to)
                if type(made) is not str:
                    notes.lost.append(('properties.to', 'string', made.reason, row_to_other))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not made.isascii() and (fault := fault_utf8(made)) is not None:
                        notes.lost.append(('properties.to', 'string', fault, row_to_other))
                    elif 'amqp-to' in to_properties:
                        too_late(notes, row_to_other, 'properties.to', 'string', 'properties', 'amqp-to', None)
                    else:
                        to_properties['amqp-to'] = made
                        taken.append((row_to_other, None, 'amqp-to', None))
            elif (made := via_rocketmq_topic(to, environment.escape)) is not NOT_MINE:  # to, rocketmq.toml
                if to_topic is not None:
                    too_late(notes, row_to, 'properties.to', 'string', 'topic', None, None)
                else:
                    to_topic = made
                    taken.append(row_to if to_topic != '' else row_to_unset)
            else:  # to-refused, rocketmq.toml
                raise refused(row_to_refused, 'properties.to', to)
        user_id: Any = properties.user_id
        if user_id is not None:
            # user-id, rocketmq.toml
            made = via_to_base64_then_property_text(user_id)
            if type(made) is not str:
                notes.lost.append(('properties.user_id', 'binary', made.reason, row_user_id))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.user_id', 'binary', fault, row_user_id))
                elif 'amqp-user-id' in to_properties:
                    too_late(notes, row_user_id, 'properties.user_id', 'binary', 'properties', 'amqp-user-id', None)
                else:
                    to_properties['amqp-user-id'] = made
                    taken.append((row_user_id, None, 'amqp-user-id', None))
        subject: Any = properties.subject
        if subject is not None:
            # tags, rocketmq.toml
            made = via_property_text(subject)
            if type(made) is not str:
                notes.lost.append(('properties.subject', 'string', made.reason, row_tags))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.subject', 'string', fault, row_tags))
                elif 'TAGS' in to_properties:
                    too_late(notes, row_tags, 'properties.subject', 'string', 'properties', 'TAGS', None)
                else:
                    to_properties['TAGS'] = made
                    taken.append((row_tags, None, 'TAGS', None))
        reply_to: Any = properties.reply_to
        if reply_to is not None:
            # reply-to-client, rocketmq.toml
            made = via_property_text(reply_to)
            if type(made) is not str:
                notes.lost.append(('properties.reply_to', 'string', made.reason, row_reply_to_client))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.reply_to', 'string', fault, row_reply_to_client))
                elif 'REPLY_TO_CLIENT' in to_properties:
                    too_late(notes, row_reply_to_client, 'properties.reply_to', 'string', 'properties', 'REPLY_TO_CLIENT', None)
                else:
                    to_properties['REPLY_TO_CLIENT'] = made
                    taken.append((row_reply_to_client, None, 'REPLY_TO_CLIENT', None))
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            # correlation-id, rocketmq.toml
            made = via_id_text_then_property_text(value, type_)
            if type(made) is not str:
                notes.lost.append(('properties.correlation_id', type_, made.reason, row_correlation_id))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id))
                elif 'CORRELATION_ID' in to_properties:
                    too_late(
                        notes, row_correlation_id, 'properties.correlation_id', type_, 'properties', 'CORRELATION_ID', None
                    )
                else:
                    to_properties['CORRELATION_ID'] = made
                    taken.append((row_correlation_id, None, 'CORRELATION_ID', None))
        content_type: Any = properties.content_type
        if content_type is not None:
            # content-type, rocketmq.toml
            made = via_property_text(content_type)
            if type(made) is not str:
                notes.lost.append(('properties.content_type', 'symbol', made.reason, row_content_type))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.content_type', 'symbol', fault, row_content_type))
                elif 'amqp-content-type' in to_properties:
                    too_late(
                        notes, row_content_type, 'properties.content_type', 'symbol', 'properties', 'amqp-content-type', None
                    )
                else:
                    to_properties['amqp-content-type'] = made
                    taken.append((row_content_type, None, 'amqp-content-type', None))
        content_encoding: Any = properties.content_encoding
        if content_encoding is not None:
            # content-encoding, rocketmq.toml
            made = via_property_text(content_encoding)
            if type(made) is not str:
                notes.lost.append(('properties.content_encoding', 'symbol', made.reason, row_content_encoding))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.content_encoding', 'symbol', fault, row_content_encoding))
                elif 'amqp-content-encoding' in to_properties:
                    too_late(
                        notes,
                        row_content_encoding,
                        'properties.content_encoding',
                        'symbol',
                        'properties',
                        'amqp-content-encoding',
                        None,
                    )
                else:
                    to_properties['amqp-content-encoding'] = made
                    taken.append((row_content_encoding, None, 'amqp-content-encoding', None))
        absolute_expiry_time: Any = properties.absolute_expiry_time
        if absolute_expiry_time is not None:
            # absolute-expiry-time, hub.toml
            if 'amqp-absolute-expiry-time' in to_properties:
                too_late(
                    notes,
                    row_absolute_expiry_time,
                    'properties.absolute_expiry_time',
                    'timestamp',
                    'properties',
                    'amqp-absolute-expiry-time',
                    None,
                )
            else:
                to_properties['amqp-absolute-expiry-time'] = str(absolute_expiry_time)
                taken.append((row_absolute_expiry_time, None, 'amqp-absolute-expiry-time', None))
        priority: Any = header.priority
        if priority is not None:
            # priority, hub.toml
            if 'amqp-priority' in to_properties:
                too_late(notes, row_priority, 'header.priority', 'ubyte', 'properties', 'amqp-priority', None)
            else:
                to_properties['amqp-priority'] = str(priority)
                taken.append((row_priority, None, 'amqp-priority', None))
        group_id: Any = properties.group_id
        if group_id is not None:
            # sharding-key, rocketmq.toml
            made = via_property_text(group_id)
            if type(made) is not str:
                notes.lost.append(('properties.group_id', 'string', made.reason, row_sharding_key))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.group_id', 'string', fault, row_sharding_key))
                elif '__SHARDINGKEY' in to_properties:
                    too_late(notes, row_sharding_key, 'properties.group_id', 'string', 'properties', '__SHARDINGKEY', None)
                else:
                    to_properties['__SHARDINGKEY'] = made
                    taken.append((row_sharding_key, None, '__SHARDINGKEY', None))
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, rocketmq.toml
            if 'TTL' in to_properties:
                too_late(notes, row_ttl, 'header.ttl', 'uint', 'properties', 'TTL', None)
            else:
                to_properties['TTL'] = str(ttl)
                taken.append((row_ttl, None, 'TTL', None))
        creation_time: Any = properties.creation_time
        if creation_time is not None:
            # creation-time, rocketmq.toml
            if to_born_timestamp is not None:
                too_late(notes, row_creation_time, 'properties.creation_time', 'timestamp', 'born_timestamp', None, None)
            else:
                to_born_timestamp = creation_time
                taken.append(row_creation_time)
        clock: Any = environment.clock
        if clock is not None:
            took = False
            if to_store_timestamp is None:  # record-clock, rocketmq.toml
                took = True
                if frame == 'record':
                    to_store_timestamp = clock
                    taken.append(row_record_clock)
            if to_born_timestamp is None:  # clock, rocketmq.toml
                to_born_timestamp = clock
                taken.append(row_clock)
        producer: Any = environment.producer
        if producer is not None:
            if to_producer_group is None:  # group, rocketmq.toml
                if frame == 'send':
                    if not producer.isascii() and (fault := fault_utf8(producer)) is not None:
                        notes.lost.append(('@producer', 'string', fault, row_group))
                    else:
                        to_producer_group = producer
                        taken.append(row_group)
        delivery_count: int | None = header.delivery_count
        if delivery_count is not None:
            if delivery_count <= 2147483647:  # delivery-count, rocketmq.toml
                if not -2147483648 <= delivery_count <= 2147483647 and (fault := fault_int(delivery_count)) is not None:
                    notes.lost.append(('header.delivery_count', 'uint', fault, row_delivery_count))
                else:
                    to_reconsume_times = delivery_count
                    taken.append(row_delivery_count)
            else:  # delivery-count-over, rocketmq.toml
                notes.lost.append(('header.delivery_count', 'uint', 'above 2147483647', row_delivery_count_over))
        durable: Any = header.durable
        if durable is not None:
            # durable, hub.toml
            taken.append(row_durable)
        first_acquirer: Any = header.first_acquirer
        if first_acquirer is not None:
            # first-acquirer, hub.toml
            taken.append(row_first_acquirer)
        group_sequence: Any = properties.group_sequence
        if group_sequence is not None:
            # group-sequence, hub.toml
            taken.append(row_group_sequence)
        reply_to_group_id: Any = properties.reply_to_group_id
        if reply_to_group_id is not None:
            # reply-to-group-id, hub.toml
            taken.append(row_reply_to_group_id)
        delivery_annotations: list[Any] | None = source.delivery_annotations
        if delivery_annotations is not None:
            for typed in delivery_annotations:
                label = typed.key
                # delivery-annotation, hub.toml
                taken.append((row_delivery_annotation, label, None, None))
        footer: list[Any] | None = source.footer
        if footer is not None:
            for typed in footer:
                label = typed.key
                # footer, hub.toml
                taken.append((row_footer, label, None, None))
        target = Message(
            '' if to_topic is None else to_topic,
            to_body,
            list(to_properties.items()) if to_properties else None,
            None,
            0 if to_flag is None else to_flag,
            0 if to_sys_flag is None else to_sys_flag,
            to_queue_id,
            to_born_timestamp,
            to_reconsume_times,
            to_producer_group,
            None,
            None,
            None,
            to_max_reconsume_times,
            None,
            None,
            None,
            None,
            None,
            None,
            to_queue_offset,
            to_physical_offset,
            to_store_timestamp,
            to_born_host,
            to_store_host,
            None,
            None,
            None,
            to_frame,
        )
        # envelope, rocketmq.toml
        if target.body is not None and environment.payload == 'envelope':
            made = via_amqp_envelope(target.body, environment.payload, source)
            if made != target.body:
                notes.finished(row_envelope, 'body', target.body, made, '@payload')
                target.body = made
            notes.kept_whole(row_envelope, source)
        # empty, rocketmq.toml
        if frame == 'send' and target.body is not None and not target.body:
            raise refused(row_empty, 'body', target.body)
        # time-refused, rocketmq.toml
        if target.born_timestamp is None:
            raise refused(row_time_refused, 'born_timestamp', target.born_timestamp)
        # record-time-refused, rocketmq.toml
        if frame == 'record' and target.store_timestamp is None:
            raise refused(row_record_time_refused, 'store_timestamp', target.store_timestamp)
        # properties-refused, rocketmq.toml
        if target.properties is not None and when_properties_longer_than_32767(target.properties):
            raise refused(row_properties_refused, 'properties', target.properties)
        # body-refused, rocketmq.toml
        if target.body is not None and len(target.body) > 1048576 and when_longer_than_4194304(target.body):
            raise refused(row_body_refused, 'body', target.body)
        return target

    return amqp_1_0_to_rocketmq

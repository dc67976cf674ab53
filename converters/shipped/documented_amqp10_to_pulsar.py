"""amqp-1.0 -> pulsar, from pulsar.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, no_field, refused, too_late
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.bodies import AmqpValue
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import unicode_fault as fault_topic, unicode_fault as fault_utf8
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
from mqconvert.converters.protocols.pulsar.message import BrokerEntryMetadata, Message
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['pulsar'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_application_property: Any = rows['application-property']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_plain_text: Any = TRANSFORMS['plain-text'].function
    when_needs_encoding: Any = CONDITIONS['needs-encoding'].function
    row_encoded: Any = rows['encoded']
    when_value_of_null: Any = CONDITIONS['value-of null'].function
    row_body_null_sets_null_value: Any = replace(rows['body-null'], target='null_value', constants={})
    row_body: Any = rows['body']
    via_payload_bytes: Any = TRANSFORMS['payload-bytes'].function
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    row_address: Any = rows['address']
    row_address_unset: Any = replace(rows['address'], unset=True)
    row_frame_refused: Any = rows['frame-refused']
    row_frame: Any = rows['frame']
    row_frame_unset: Any = replace(rows['frame'], unset=True)
    fault_frame: Any = types['frame'].fault
    row_partition_key_b64: Any = rows['partition-key-b64']
    via_annotation_boolean: Any = TRANSFORMS['annotation boolean'].function
    row_null_partition_key: Any = rows['null-partition-key']
    row_ordering_key: Any = rows['ordering-key']
    via_annotation_binary: Any = TRANSFORMS['annotation binary'].function
    row_event_time: Any = rows['event-time']
    fault_ulong: Any = types['ulong'].fault
    via_annotation_long: Any = TRANSFORMS['annotation long'].function
    row_sequence_id: Any = rows['sequence-id']
    via_annotation_ulong: Any = TRANSFORMS['annotation ulong'].function
    row_producer_name: Any = rows['producer-name']
    via_annotation_string: Any = TRANSFORMS['annotation string'].function
    row_position: Any = rows['position']
    fault_position: Any = types['position'].fault
    row_delivery_time: Any = rows['delivery-time']
    when_annotation_beside_long: Any = CONDITIONS['annotation-beside long'].function
    row_delivery_delay_dropped: Any = rows['delivery-delay-dropped']
    when_outside_9223372036854775808_9223372036854775807: Any = CONDITIONS[
        'outside -9223372036854775808 9223372036854775807'
    ].function
    row_delivery_delay_over: Any = rows['delivery-delay-over']
    via_by_clock_time: Any = TRANSFORMS['by-clock time'].function
    row_delivery_delay: Any = rows['delivery-delay']
    fault_long: Any = types['long'].fault
    row_delivery_delay_refused: Any = rows['delivery-delay-refused']
    row_delivery_delay_clockless: Any = rows['delivery-delay-clockless']
    row_schema_version: Any = rows['schema-version']
    row_schema_id: Any = rows['schema-id']
    row_replicated_from: Any = rows['replicated-from']
    row_replicate_to: Any = rows['replicate-to']
    row_replicate_to_unset: Any = replace(rows['replicate-to'], unset=True)
    fault_texts: Any = types['texts'].fault
    via_annotation_then_split_by: Any = TRANSFORMS['annotation string then split-by ,'].function
    row_broker_timestamp: Any = rows['broker-timestamp']
    row_index: Any = rows['index']
    row_chunk_uuid: Any = rows['chunk-uuid']
    row_chunk_id: Any = rows['chunk-id']
    via_annotation_int: Any = TRANSFORMS['annotation int'].function
    row_chunk_count: Any = rows['chunk-count']
    row_chunk_total_size: Any = rows['chunk-total-size']
    when_annotation_beside_int: Any = CONDITIONS['annotation-beside int'].function
    row_compression_lost: Any = rows['compression-lost']
    row_compression: Any = rows['compression']
    fault_compression: Any = types['compression'].fault
    row_uncompressed_size_lost: Any = rows['uncompressed-size-lost']
    row_uncompressed_size: Any = rows['uncompressed-size']
    via_annotation_uint: Any = TRANSFORMS['annotation uint'].function
    keys_message_annotations: Any = frozenset(
        [
            'x-opt-delivery-delay',
            'x-opt-delivery-time',
            'x-opt-pulsar-broker-timestamp',
            'x-opt-pulsar-chunk-count',
            'x-opt-pulsar-chunk-id',
            'x-opt-pulsar-chunk-total-size',
            'x-opt-pulsar-chunk-uuid',
            'x-opt-pulsar-compression',
            'x-opt-pulsar-event-time',
            'x-opt-pulsar-index',
            'x-opt-pulsar-message-id',
            'x-opt-pulsar-null-partition-key',
            'x-opt-pulsar-ordering-key',
            'x-opt-pulsar-partition-key-b64',
            'x-opt-pulsar-producer-name',
            'x-opt-pulsar-replicate-to',
            'x-opt-pulsar-replicated-from',
            'x-opt-pulsar-schema-id',
            'x-opt-pulsar-schema-version',
            'x-opt-pulsar-sequence-id',
            'x-opt-pulsar-uncompressed-size',
        ],
    )
    row_annotation_x: Any = rows['annotation-x']
    row_annotation_other: Any = rows['annotation-other']
    row_message_id: Any = rows['message-id']
    via_id_text: Any = TRANSFORMS['id-text'].function
    when_same_beside: Any = CONDITIONS['same-beside'].function
    row_to_given: Any = rows['to-given']
    row_to_other: Any = rows['to-other']
    row_to: Any = rows['to']
    row_to_unset: Any = replace(rows['to'], unset=True)
    row_user_id: Any = rows['user-id']
    via_to_base64: Any = TRANSFORMS['to-base64'].function
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    row_priority: Any = rows['priority']
    row_subject: Any = rows['subject']
    row_reply_to: Any = rows['reply-to']
    row_correlation_id: Any = rows['correlation-id']
    row_ttl: Any = rows['ttl']
    row_creation_time: Any = rows['creation-time']
    row_creation_time_lost: Any = rows['creation-time-lost']
    row_clock: Any = rows['clock']
    row_producer: Any = rows['producer']
    row_sequence: Any = rows['sequence']
    row_group_id: Any = rows['group-id']
    row_delivery_count: Any = rows['delivery-count']
    row_durable: Any = rows['durable']
    row_first_acquirer: Any = rows['first-acquirer']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_delivery_annotation: Any = rows['delivery-annotation']
    row_footer: Any = rows['footer']
    row_envelope: Any = rows['envelope']
    via_amqp_envelope: Any = TRANSFORMS['amqp-envelope'].function
    row_time_refused: Any = rows['time-refused']
    row_frame_without_id: Any = rows['frame-without-id']
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

    def amqp_1_0_to_pulsar(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; label: Any; made: Any; target: Message; text: str; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        frame = environment.frame or 'send'
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        index_message_annotations = by_key(source.message_annotations)
        to_properties: dict[Any, Any] = {}
        to_null_value: Any = None
        to_payload: Any = b''
        to_topic: Any = None
        to_frame = 'send'
        to_partition_key_b64_encoded: Any = None
        to_null_partition_key: Any = None
        to_ordering_key: Any = None
        to_event_time: Any = None
        to_sequence_id: Any = None
        to_producer_name: Any = None
        to_message_id: Any = None
        to_deliver_at_time: Any = None
        to_schema_version: Any = None
        to_schema_id: Any = None
        to_replicated_from: Any = None
        to_replicate_to: Any = None
        to_broker_entry_metadata_broker_timestamp: Any = None
        to_broker_entry_metadata_index: Any = None
        to_uuid: Any = None
        to_chunk_id: Any = None
        to_num_chunks_from_msg: Any = None
        to_total_chunk_msg_size: Any = None
        to_compression: Any = None
        to_uncompressed_size: Any = None
        to_publish_time: Any = None
        to_partition_key: Any = None
        to_redelivery_count: Any = None
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                # application-property, pulsar.toml
                made = via_plain_text(typed.value, type_)
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
            if (  # body-null, pulsar.toml
                type(body) is AmqpValue
                and when_value_of_null(body)
                and environment.payload != 'envelope'
            ):
                to_null_value = True
                taken.append(row_body_null_sets_null_value)
            # body, pulsar.toml
            made = via_payload_bytes(body)
            if type(made) is not bytes:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), made.reason, row_body))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_payload = made
                taken.append(row_body)
        else:  # no-body, pulsar.toml
            to_payload = b''
            taken.append(row_no_body_told)
        address: Any = environment.address
        if address is not None:
            # address, pulsar.toml
            if not address.isascii() and (fault := fault_topic(address)) is not None:
                notes.lost.append(('@address', 'string', fault, row_address))
            elif to_topic is not None:
                too_late(notes, row_address, '@address', 'string', 'topic', None, None)
            else:
                to_topic = address
                taken.append(row_address if to_topic != '' else row_address_unset)
        the_frame: Any = environment.frame
        if the_frame is not None:
            if the_frame not in ('message', 'send'):  # frame-refused, pulsar.toml
                raise refused(row_frame_refused, '@frame', the_frame)
            else:  # frame, pulsar.toml
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
                    if label == 'x-opt-pulsar-partition-key-b64':  # partition-key-b64, pulsar.toml
                        made = via_annotation_boolean(typed.value, type_)
                        if type(made) is not bool:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_partition_key_b64))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_partition_key_b64_encoded is not None:
                                too_late(
                                    notes,
                                    row_partition_key_b64,
                                    path('message_annotations', label),
                                    type_,
                                    'partition_key_b64_encoded',
                                    None,
                                    label,
                                )
                            else:
                                to_partition_key_b64_encoded = made
                                taken.append((row_partition_key_b64, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-null-partition-key':  # null-partition-key, pulsar.toml
                        made = via_annotation_boolean(typed.value, type_)
                        if type(made) is not bool:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_null_partition_key))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_null_partition_key is not None:
                                too_late(
                                    notes,
                                    row_null_partition_key,
                                    path('message_annotations', label),
                                    type_,
                                    'null_partition_key',
                                    None,
                                    label,
                                )
                            else:
                                to_null_partition_key = made
                                taken.append((row_null_partition_key, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-ordering-key':  # ordering-key, pulsar.toml
                        made = via_annotation_binary(typed.value, type_)
                        if type(made) is not bytes:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_ordering_key))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_ordering_key is not None:
                                too_late(
                                    notes,
                                    row_ordering_key,
                                    path('message_annotations', label),
                                    type_,
                                    'ordering_key',
                                    None,
                                    label,
                                )
                            else:
                                to_ordering_key = made
                                taken.append((row_ordering_key, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-event-time':  # event-time, pulsar.toml
                        made = via_annotation_long(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_event_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 18446744073709551615 and (fault := fault_ulong(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after annotation long: ' + fault,
                                        row_event_time,
                                    ),
                                )
                            elif to_event_time is not None:
                                too_late(
                                    notes, row_event_time, path('message_annotations', label), type_, 'event_time', None, label
                                )
                            else:
                                to_event_time = made
                                taken.append((row_event_time, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-sequence-id':  # sequence-id, pulsar.toml
                        made = via_annotation_ulong(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_sequence_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_sequence_id is not None:
                                too_late(
                                    notes,
                                    row_sequence_id,
                                    path('message_annotations', label),
                                    type_,
                                    'sequence_id',
                                    None,
                                    label,
                                )
                            else:
                                to_sequence_id = made
                                taken.append((row_sequence_id, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-producer-name':  # producer-name, pulsar.toml
                        made = via_annotation_string(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_producer_name))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_producer_name is not None:
                                too_late(
                                    notes,
                                    row_producer_name,
                                    path('message_annotations', label),
                                    type_,
                                    'producer_name',
                                    None,
                                    label,
                                )
                            else:
                                to_producer_name = made
                                taken.append((row_producer_name, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-message-id':  # position, pulsar.toml
                        if frame == 'message':
                            made = via_annotation_string(typed.value, type_)
                            if type(made) is not str:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_position))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if (fault := fault_position(made)) is not None:
                                    notes.lost.append((path('message_annotations', label), type_, fault, row_position))
                                elif to_message_id is not None:
                                    too_late(
                                        notes,
                                        row_position,
                                        path('message_annotations', label),
                                        type_,
                                        'message_id',
                                        None,
                                        label,
                                    )
                                else:
                                    to_message_id = made
                                    taken.append((row_position, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_position))
                        continue
                    if label == 'x-opt-delivery-time':  # delivery-time, pulsar.toml
                        made = via_annotation_long(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_delivery_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_deliver_at_time is not None:
                                too_late(
                                    notes,
                                    row_delivery_time,
                                    path('message_annotations', label),
                                    type_,
                                    'deliver_at_time',
                                    None,
                                    label,
                                )
                            else:
                                to_deliver_at_time = made
                                taken.append((row_delivery_time, label, None, None))
                        continue
                    if (  # delivery-delay-dropped, pulsar.toml
                        label == 'x-opt-delivery-delay'
                        and when_annotation_beside_long(typed.value, index_message_annotations.get('x-opt-delivery-time'))
                    ):
                        taken.append((row_delivery_delay_dropped, label, None, None))
                        continue
                    if (  # delivery-delay-over, pulsar.toml
                        label == 'x-opt-delivery-delay'
                        and when_outside_9223372036854775808_9223372036854775807(typed.value)
                    ):
                        raise refused(row_delivery_delay_over, path('message_annotations', label), typed.value)
                        continue
                    if (  # delivery-delay, pulsar.toml
                        label == 'x-opt-delivery-delay'
                        and (made := via_by_clock_time(typed.value, type_, environment.clock)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_delivery_delay))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not -9223372036854775808 <= made <= 9223372036854775807
                                and (fault := fault_long(made)) is not None
                            ):
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after by-clock time: ' + fault,
                                        row_delivery_delay,
                                    ),
                                )
                            elif to_deliver_at_time is not None:
                                too_late(
                                    notes,
                                    row_delivery_delay,
                                    path('message_annotations', label),
                                    type_,
                                    'deliver_at_time',
                                    None,
                                    label,
                                )
                            else:
                                to_deliver_at_time = made
                                taken.append((row_delivery_delay, label, None, None))
                        continue
                    if (  # delivery-delay-refused, pulsar.toml
                        label == 'x-opt-delivery-delay'
                        and environment.clock is not None
                        and environment.clock is not False
                    ):
                        raise refused(row_delivery_delay_refused, path('message_annotations', label), typed.value)
                        continue
                    if label == 'x-opt-delivery-delay':  # delivery-delay-clockless, pulsar.toml
                        raise refused(row_delivery_delay_clockless, path('message_annotations', label), typed.value)
                        continue
                    if label == 'x-opt-pulsar-schema-version':  # schema-version, pulsar.toml
                        made = via_annotation_binary(typed.value, type_)
                        if type(made) is not bytes:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_schema_version))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_schema_version is not None:
                                too_late(
                                    notes,
                                    row_schema_version,
                                    path('message_annotations', label),
                                    type_,
                                    'schema_version',
                                    None,
                                    label,
                                )
                            else:
                                to_schema_version = made
                                taken.append((row_schema_version, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-schema-id':  # schema-id, pulsar.toml
                        made = via_annotation_binary(typed.value, type_)
                        if type(made) is not bytes:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_schema_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_schema_id is not None:
                                too_late(
                                    notes, row_schema_id, path('message_annotations', label), type_, 'schema_id', None, label
                                )
                            else:
                                to_schema_id = made
                                taken.append((row_schema_id, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-replicated-from':  # replicated-from, pulsar.toml
                        made = via_annotation_string(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_replicated_from))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_replicated_from is not None:
                                too_late(
                                    notes,
                                    row_replicated_from,
                                    path('message_annotations', label),
                                    type_,
                                    'replicated_from',
                                    None,
                                    label,
                                )
                            else:
                                to_replicated_from = made
                                taken.append((row_replicated_from, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-replicate-to':  # replicate-to, pulsar.toml
                        made = via_annotation_then_split_by(typed.value, type_)
                        if type(made) is not list:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_replicate_to))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_texts(made)) is not None:
                                notes.lost.append((path('message_annotations', label), type_, fault, row_replicate_to))
                            elif to_replicate_to is not None:
                                too_late(
                                    notes,
                                    row_replicate_to,
                                    path('message_annotations', label),
                                    type_,
                                    'replicate_to',
                                    None,
                                    label,
                                )
                            else:
                                to_replicate_to = made
                                taken.append(
                                    (row_replicate_to if to_replicate_to else row_replicate_to_unset, label, None, None)
                                )
                        continue
                    if label == 'x-opt-pulsar-broker-timestamp':  # broker-timestamp, pulsar.toml
                        if frame == 'message':
                            made = via_annotation_long(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append(
                                    (path('message_annotations', label), type_, made.reason, row_broker_timestamp)
                                )
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if not 0 <= made <= 18446744073709551615 and (fault := fault_ulong(made)) is not None:
                                    notes.lost.append(
                                        (
                                            path('message_annotations', label),
                                            type_,
                                            'after annotation long: ' + fault,
                                            row_broker_timestamp,
                                        ),
                                    )
                                elif to_broker_entry_metadata_broker_timestamp is not None:
                                    too_late(
                                        notes,
                                        row_broker_timestamp,
                                        path('message_annotations', label),
                                        type_,
                                        'broker_entry_metadata.broker_timestamp',
                                        None,
                                        label,
                                    )
                                else:
                                    to_broker_entry_metadata_broker_timestamp = made
                                    taken.append((row_broker_timestamp, label, None, None))
                        else:
                            notes.lost.append(
                                (path('message_annotations', label), type_, no_field(frame), row_broker_timestamp)
                            )
                        continue
                    if label == 'x-opt-pulsar-index':  # index, pulsar.toml
                        if frame == 'message':
                            made = via_annotation_ulong(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_index))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_broker_entry_metadata_index is not None:
                                    too_late(
                                        notes,
                                        row_index,
                                        path('message_annotations', label),
                                        type_,
                                        'broker_entry_metadata.index',
                                        None,
                                        label,
                                    )
                                else:
                                    to_broker_entry_metadata_index = made
                                    taken.append((row_index, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_index))
                        continue
                    if label == 'x-opt-pulsar-chunk-uuid':  # chunk-uuid, pulsar.toml
                        made = via_annotation_string(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_chunk_uuid))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_uuid is not None:
                                too_late(notes, row_chunk_uuid, path('message_annotations', label), type_, 'uuid', None, label)
                            else:
                                to_uuid = made
                                taken.append((row_chunk_uuid, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-chunk-id':  # chunk-id, pulsar.toml
                        made = via_annotation_int(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_chunk_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_chunk_id is not None:
                                too_late(
                                    notes, row_chunk_id, path('message_annotations', label), type_, 'chunk_id', None, label
                                )
                            else:
                                to_chunk_id = made
                                taken.append((row_chunk_id, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-chunk-count':  # chunk-count, pulsar.toml
                        made = via_annotation_int(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_chunk_count))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_num_chunks_from_msg is not None:
                                too_late(
                                    notes,
                                    row_chunk_count,
                                    path('message_annotations', label),
                                    type_,
                                    'num_chunks_from_msg',
                                    None,
                                    label,
                                )
                            else:
                                to_num_chunks_from_msg = made
                                taken.append((row_chunk_count, label, None, None))
                        continue
                    if label == 'x-opt-pulsar-chunk-total-size':  # chunk-total-size, pulsar.toml
                        made = via_annotation_int(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_chunk_total_size))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_total_chunk_msg_size is not None:
                                too_late(
                                    notes,
                                    row_chunk_total_size,
                                    path('message_annotations', label),
                                    type_,
                                    'total_chunk_msg_size',
                                    None,
                                    label,
                                )
                            else:
                                to_total_chunk_msg_size = made
                                taken.append((row_chunk_total_size, label, None, None))
                        continue
                    if (  # compression-lost, pulsar.toml
                        label == 'x-opt-pulsar-compression'
                        and not when_annotation_beside_int(typed.value, index_message_annotations.get('x-opt-pulsar-chunk-id'))
                    ):
                        notes.lost.append(
                            (path('message_annotations', label), type_, 'only a chunk has it', row_compression_lost)
                        )
                        continue
                    if label == 'x-opt-pulsar-compression':  # compression, pulsar.toml
                        made = via_annotation_string(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_compression))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_compression(made)) is not None:
                                notes.lost.append((path('message_annotations', label), type_, fault, row_compression))
                            elif to_compression is not None:
                                too_late(
                                    notes,
                                    row_compression,
                                    path('message_annotations', label),
                                    type_,
                                    'compression',
                                    None,
                                    label,
                                )
                            else:
                                to_compression = made
                                taken.append((row_compression, label, None, None))
                        continue
                    if (  # uncompressed-size-lost, pulsar.toml
                        label == 'x-opt-pulsar-uncompressed-size'
                        and not when_annotation_beside_int(typed.value, index_message_annotations.get('x-opt-pulsar-chunk-id'))
                    ):
                        notes.lost.append(
                            (path('message_annotations', label), type_, 'only a chunk has it', row_uncompressed_size_lost)
                        )
                        continue
                    if label == 'x-opt-pulsar-uncompressed-size':  # uncompressed-size, pulsar.toml
                        made = via_annotation_uint(typed.value, type_)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_uncompressed_size))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_uncompressed_size is not None:
                                too_late(
                                    notes,
                                    row_uncompressed_size,
                                    path('message_annotations', label),
                                    type_,
                                    'uncompressed_size',
                                    None,
                                    label,
                                )
                            else:
                                to_uncompressed_size = made
                                taken.append((row_uncompressed_size, label, None, None))
                        continue
                if type(label) is str and 'x-' <= label < 'x.':  # annotation-x, pulsar.toml
                    made = via_plain_text(typed.value, type_)
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
            # message-id, pulsar.toml
            made = via_id_text(value, type_)
            if type(made) is not str:
                notes.lost.append(('properties.message_id', type_, made.reason, row_message_id))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.message_id', type_, fault, row_message_id))
                elif 'amqp-message-id' in to_properties:
                    too_late(notes, row_message_id, 'properties.message_id', type_, 'properties', 'amqp-message-id', None)
                else:
                    to_properties['amqp-message-id'] = made
                    taken.append((row_message_id, None, 'amqp-message-id', None))
        to: Any = properties.to
        if to is not None:
            if when_same_beside(to, environment.address):  # to-given, hub.toml
                taken.append(row_to_given)
            elif environment.address is not None and environment.address is not False:  # to-other, pulsar.toml
                if 'amqp-to' in to_properties:
                    too_late(notes, row_to_other, 'properties.to', 'string', 'properties', 'amqp-to', None)
                else:
                    to_properties['amqp-to'] = to
                    taken.append((row_to_other, None, 'amqp-to', None))
            else:  # to, pulsar.toml
                if to_topic is not None:
                    too_late(notes, row_to, 'properties.to', 'string', 'topic', None, None)
                else:
                    to_topic = to
                    taken.append(row_to if to_topic != '' else row_to_unset)
        user_id: Any = properties.user_id
        if user_id is not None:
            # user-id, hub.toml
            text = via_to_base64(user_id)
            if not text.isascii() and (fault := fault_utf8(text)) is not None:
                notes.lost.append(('properties.user_id', 'binary', fault, row_user_id))
            elif 'amqp-user-id' in to_properties:
                too_late(notes, row_user_id, 'properties.user_id', 'binary', 'properties', 'amqp-user-id', None)
            else:
                to_properties['amqp-user-id'] = text
                taken.append((row_user_id, None, 'amqp-user-id', None))
        content_type: Any = properties.content_type
        if content_type is not None:
            # content-type, hub.toml
            if 'amqp-content-type' in to_properties:
                too_late(notes, row_content_type, 'properties.content_type', 'symbol', 'properties', 'amqp-content-type', None)
            else:
                to_properties['amqp-content-type'] = content_type
                taken.append((row_content_type, None, 'amqp-content-type', None))
        content_encoding: Any = properties.content_encoding
        if content_encoding is not None:
            # content-encoding, hub.toml
            if 'amqp-content-encoding' in to_properties:
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
                to_properties['amqp-content-encoding'] = content_encoding
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
        subject: Any = properties.subject
        if subject is not None:
            # subject, pulsar.toml
            if 'amqp-subject' in to_properties:
                too_late(notes, row_subject, 'properties.subject', 'string', 'properties', 'amqp-subject', None)
            else:
                to_properties['amqp-subject'] = subject
                taken.append((row_subject, None, 'amqp-subject', None))
        reply_to: Any = properties.reply_to
        if reply_to is not None:
            # reply-to, pulsar.toml
            if 'amqp-reply-to' in to_properties:
                too_late(notes, row_reply_to, 'properties.reply_to', 'string', 'properties', 'amqp-reply-to', None)
            else:
                to_properties['amqp-reply-to'] = reply_to
                taken.append((row_reply_to, None, 'amqp-reply-to', None))
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            # correlation-id, pulsar.toml
            made = via_id_text(value, type_)
            if type(made) is not str:
                notes.lost.append(('properties.correlation_id', type_, made.reason, row_correlation_id))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_utf8(made)) is not None:
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id))
                elif 'amqp-correlation-id' in to_properties:
                    too_late(
                        notes, row_correlation_id, 'properties.correlation_id', type_, 'properties', 'amqp-correlation-id', None
                    )
                else:
                    to_properties['amqp-correlation-id'] = made
                    taken.append((row_correlation_id, None, 'amqp-correlation-id', None))
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, pulsar.toml
            if 'amqp-ttl' in to_properties:
                too_late(notes, row_ttl, 'header.ttl', 'uint', 'properties', 'amqp-ttl', None)
            else:
                to_properties['amqp-ttl'] = str(ttl)
                taken.append((row_ttl, None, 'amqp-ttl', None))
        creation_time: int | None = properties.creation_time
        if creation_time is not None:
            if creation_time >= 0:  # creation-time, pulsar.toml
                if not 0 <= creation_time <= 18446744073709551615 and (fault := fault_ulong(creation_time)) is not None:
                    notes.lost.append(('properties.creation_time', 'timestamp', fault, row_creation_time))
                elif to_publish_time is not None:
                    too_late(notes, row_creation_time, 'properties.creation_time', 'timestamp', 'publish_time', None, None)
                else:
                    to_publish_time = creation_time
                    taken.append(row_creation_time)
            else:  # creation-time-lost, pulsar.toml
                notes.lost.append(('properties.creation_time', 'timestamp', 'before 1970', row_creation_time_lost))
        clock: Any = environment.clock
        if clock is not None:
            if to_publish_time is None:  # clock, pulsar.toml
                if not 0 <= clock <= 18446744073709551615 and (fault := fault_ulong(clock)) is not None:
                    notes.lost.append(('@clock', 'timestamp', fault, row_clock))
                else:
                    to_publish_time = clock
                    taken.append(row_clock)
        producer: Any = environment.producer
        if producer is not None:
            if to_producer_name is None:  # producer, pulsar.toml
                if not producer.isascii() and (fault := fault_utf8(producer)) is not None:
                    notes.lost.append(('@producer', 'string', fault, row_producer))
                else:
                    to_producer_name = producer
                    taken.append(row_producer)
        sequence_id: Any = environment.sequence_id
        if sequence_id is not None:
            if to_sequence_id is None:  # sequence, pulsar.toml
                to_sequence_id = sequence_id
                taken.append(row_sequence)
        group_id: Any = properties.group_id
        if group_id is not None:
            # group-id, pulsar.toml
            to_partition_key = group_id
            taken.append(row_group_id)
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, pulsar.toml
            if frame == 'message':
                to_redelivery_count = delivery_count
                taken.append(row_delivery_count)
            else:
                notes.dropped.append((row_delivery_count, 'header.delivery_count', no_field(frame)))
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
        to_broker_entry_metadata: Any = None
        if to_broker_entry_metadata_broker_timestamp is not None or to_broker_entry_metadata_index is not None:
            to_broker_entry_metadata = BrokerEntryMetadata(
                to_broker_entry_metadata_broker_timestamp, to_broker_entry_metadata_index
            )
        target = Message(
            '' if to_topic is None else to_topic,
            to_payload,
            to_producer_name,
            to_sequence_id,
            to_publish_time,
            list(to_properties.items()) if to_properties else None,
            to_replicated_from,
            to_partition_key,
            to_replicate_to,
            to_compression,
            to_uncompressed_size,
            to_event_time,
            None,
            None,
            None,
            to_schema_version,
            to_partition_key_b64_encoded,
            to_ordering_key,
            to_deliver_at_time,
            None,
            None,
            None,
            None,
            to_null_value,
            to_uuid,
            to_num_chunks_from_msg,
            to_total_chunk_msg_size,
            to_chunk_id,
            to_null_partition_key,
            None,
            to_schema_id,
            None,
            None,
            None,
            None,
            to_message_id,
            to_redelivery_count,
            to_broker_entry_metadata,
            to_frame,
        )
        # envelope, pulsar.toml
        if environment.payload == 'envelope':
            made = via_amqp_envelope(target.payload, environment.payload, source)
            if made != target.payload:
                notes.finished(row_envelope, 'payload', target.payload, made, '@payload')
                target.payload = made
            notes.kept_whole(row_envelope, source)
        # time-refused, pulsar.toml
        if target.publish_time is None:
            raise refused(row_time_refused, 'publish_time', target.publish_time)
        # frame-without-id, pulsar.toml
        if frame == 'message' and target.message_id is None:
            raise refused(row_frame_without_id, 'message_id', target.message_id)
        return target

    return amqp_1_0_to_pulsar

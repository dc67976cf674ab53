"""pulsar -> amqp-1.0, from pulsar.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, left_out, place_sections, refused, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import symbol_fault as fault_symbol, unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.pulsar.message import (
    Batch as Of_EMPTY_batch,
    BrokerEntryMetadata as Of_EMPTY_broker_entry_metadata,
    Message as Source,
)
import mqconvert.converters.protocols.pulsar.words
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.literals
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    via_read_binary: Any = TRANSFORMS['read binary'].function
    row_user_id: Any = rows['user-id']
    row_user_id_unreadable: Any = rows['user-id-unreadable']
    row_to: Any = rows['to']
    row_content_type_chunk: Any = rows['content-type-chunk']
    row_content_type_encrypted: Any = rows['content-type-encrypted']
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
    via_typed_id: Any = TRANSFORMS['typed-id'].function
    row_kept_message_id: Any = rows['kept-message-id']
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_message_id_uuid: Any = rows['message-id-uuid']
    row_message_id: Any = rows['message-id']
    row_kept_correlation_id: Any = rows['kept-correlation-id']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    row_correlation_id: Any = rows['correlation-id']
    row_subject: Any = rows['subject']
    row_reply_to: Any = rows['reply-to']
    via_read_uint: Any = TRANSFORMS['read uint'].function
    row_ttl: Any = rows['ttl']
    row_ttl_unreadable: Any = rows['ttl-unreadable']
    keys_properties: Any = frozenset(
        [
            'amqp-absolute-expiry-time',
            'amqp-content-encoding',
            'amqp-content-type',
            'amqp-correlation-id',
            'amqp-message-id',
            'amqp-priority',
            'amqp-reply-to',
            'amqp-subject',
            'amqp-to',
            'amqp-ttl',
            'amqp-user-id',
        ],
    )
    row_property_x_other: Any = rows['property-x-other']
    key_fault_string: Any = types['application-properties'].key_fault
    when_fits_typed_text: Any = CONDITIONS['fits typed-text'].function
    row_property_type: Any = rows['property-type']
    via_typed_text: Any = TRANSFORMS['typed-text'].function
    row_kept_annotation: Any = rows['kept-annotation']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_property_x: Any = rows['property-x']
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    row_kept_message_id_type: Any = rows['kept-message-id-type']
    row_kept_correlation_id_type: Any = rows['kept-correlation-id-type']
    row_kept_application_property: Any = rows['kept-application-property']
    row_property: Any = rows['property']
    row_topic_durable: Any = rows['topic-durable']
    row_topic: Any = rows['topic']
    row_address_durable: Any = rows['address-durable']
    row_address: Any = rows['address']
    row_partition_key: Any = rows['partition-key']
    row_partition_key_b64: Any = rows['partition-key-b64']
    row_partition_key_b64_false: Any = rows['partition-key-b64-false']
    row_null_partition_key: Any = rows['null-partition-key']
    row_null_partition_key_false: Any = rows['null-partition-key-false']
    row_ordering_key: Any = rows['ordering-key']
    row_publish_time: Any = rows['publish-time']
    fault_timestamp: Any = types['timestamp'].fault
    row_event_time: Any = rows['event-time']
    fault_long: Any = types['long'].fault
    row_sequence_id: Any = rows['sequence-id']
    via_add_beside: Any = TRANSFORMS['add-beside'].function
    row_member_sequence_id: Any = rows['member-sequence-id']
    fault_ulong: Any = types['ulong'].fault
    row_batch_sequence_id: Any = rows['batch-sequence-id']
    row_producer_name: Any = rows['producer-name']
    row_position: Any = rows['position']
    row_position_annotation: Any = rows['position-annotation']
    row_redelivery_count: Any = rows['redelivery-count']
    row_deliver_at_time: Any = rows['deliver-at-time']
    row_schema_version: Any = rows['schema-version']
    row_schema_id: Any = rows['schema-id']
    row_replicated_from: Any = rows['replicated-from']
    via_joined_by: Any = TRANSFORMS['joined-by ,'].function
    row_replicate_to: Any = rows['replicate-to']
    row_replicate_to_comma: Any = rows['replicate-to-comma']
    row_broker_timestamp: Any = rows['broker-timestamp']
    row_index: Any = rows['index']
    row_chunk_uuid: Any = rows['chunk-uuid']
    row_chunk_id: Any = rows['chunk-id']
    row_chunk_count: Any = rows['chunk-count']
    row_chunk_total_size: Any = rows['chunk-total-size']
    row_compression: Any = rows['compression']
    row_compression_dropped: Any = rows['compression-dropped']
    row_uncompressed_size: Any = rows['uncompressed-size']
    row_uncompressed_size_dropped: Any = rows['uncompressed-size-dropped']
    row_encryption_keys: Any = rows['encryption-keys']
    row_encryption_algo: Any = rows['encryption-algo']
    row_encryption_param: Any = rows['encryption-param']
    row_txn_least: Any = rows['txn-least']
    row_txn_most: Any = rows['txn-most']
    row_batch_size: Any = rows['batch-size']
    row_batch_index: Any = rows['batch-index']
    row_batch_property: Any = rows['batch-property']
    row_batch_partition_key: Any = rows['batch-partition-key']
    row_batch_partition_key_b64: Any = rows['batch-partition-key-b64']
    row_batch_null_partition_key: Any = rows['batch-null-partition-key']
    row_batch_ordering_key: Any = rows['batch-ordering-key']
    row_batch_event_time: Any = rows['batch-event-time']
    row_batch_null_value: Any = rows['batch-null-value']
    row_batch_unknown: Any = rows['batch-unknown']
    row_highest_sequence_id: Any = rows['highest-sequence-id']
    row_compacted_batch_indexes: Any = rows['compacted-batch-indexes']
    row_compacted_out: Any = rows['compacted-out']
    row_entry_hash_min: Any = rows['entry-hash-min']
    row_entry_hash_max: Any = rows['entry-hash-max']
    row_frame: Any = rows['frame']
    row_control_record: Any = rows['control-record']
    row_unknown: Any = rows['unknown']
    row_broker_unknown: Any = rows['broker-unknown']
    via_enveloped_message: Any = TRANSFORMS['enveloped-message'].function
    row_envelope: Any = rows['envelope']
    via_body_as_value_null: Any = TRANSFORMS['body-as value-null'].function
    row_null: Any = rows['null']
    row_null_uses_null_value: Any = replace(rows['null'], source='null_value')
    row_payload_chunk: Any = rows['payload-chunk']
    row_payload_encrypted: Any = rows['payload-encrypted']
    via_decoded_body: Any = TRANSFORMS['decoded-body'].function
    row_payload_encoded: Any = rows['payload-encoded']
    row_payload: Any = rows['payload']
    row_null_dropped: Any = rows['null-dropped']
    row_durable_sets_header_durable: Any = replace(rows['durable'], target='header.durable', constants={})
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )
    EMPTY_batch: Of_EMPTY_batch = empty(Of_EMPTY_batch)
    EMPTY_broker_entry_metadata: Of_EMPTY_broker_entry_metadata = empty(Of_EMPTY_broker_entry_metadata)
    row_equal_names: Any = rows['equal-names']
    via_last_of_equal_names: Any = TRANSFORMS['last-of-equal-names'].function

    def pulsar_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; made: Any; pair: tuple[str, str]; target: Message; value: str
        taken: list[Any] = notes.taken
        batch: Of_EMPTY_batch | None = source.batch
        if batch is None:
            batch = EMPTY_batch
        broker_entry_metadata: Of_EMPTY_broker_entry_metadata | None = source.broker_entry_metadata
        if broker_entry_metadata is None:
            broker_entry_metadata = EMPTY_broker_entry_metadata
        # equal-names, pulsar.toml
        made = source.properties and via_last_of_equal_names(source.properties)
        if made is not None and type(made) is not list:
            made = left_out(notes, row_equal_names, 'properties', 'utf8', source.properties, made)
        from_properties = made
        index_properties = dict(from_properties or ())
        used_null_value: Any = False
        to_properties_user_id: Any = None
        to_properties_to: Any = None
        to_properties_content_type: Any = None
        to_properties_content_encoding: Any = None
        to_properties_absolute_expiry_time: Any = None
        to_header_priority: Any = None
        to_properties_message_id: Any = None
        to_properties_correlation_id: Any = None
        to_properties_subject: Any = None
        to_properties_reply_to: Any = None
        to_header_ttl: Any = None
        to_application_properties: list[Any] = []
        filled_application_properties: set[Any] = set()
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_header_durable: Any = None
        to_properties_group_id: Any = None
        to_properties_creation_time: Any = None
        to_header_delivery_count: Any = None
        to_body: Any = None
        sections: dict[Any, Any] = {}
        properties = from_properties
        if properties is not None:
            for pair in properties:
                key, value = pair
                if 'amqp-' <= key < 'amqp.' and key in keys_properties:
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
                    if (  # content-type-chunk, pulsar.toml
                        key == 'amqp-content-type'
                        and value.isascii()
                        and source.chunk_id is not None
                        and source.chunk_id is not False
                    ):
                        if not value.isascii() and (fault := fault_symbol(value)) is not None:
                            notes.lost.append((path('properties', key), 'utf8', fault, row_content_type_chunk))
                        elif to_properties_content_type is not None:
                            too_late(
                                notes,
                                row_content_type_chunk,
                                path('properties', key),
                                'utf8',
                                'properties.content_type',
                                None,
                                key,
                            )
                        else:
                            to_properties_content_type = value
                            taken.append((row_content_type_chunk, key, None, None))
                        continue
                    if (  # content-type-encrypted, pulsar.toml
                        key == 'amqp-content-type'
                        and value.isascii()
                        and (source.encryption_keys or None) is not None
                        and (source.encryption_keys or None) is not False
                    ):
                        if not value.isascii() and (fault := fault_symbol(value)) is not None:
                            notes.lost.append((path('properties', key), 'utf8', fault, row_content_type_encrypted))
                        elif to_properties_content_type is not None:
                            too_late(
                                notes,
                                row_content_type_encrypted,
                                path('properties', key),
                                'utf8',
                                'properties.content_type',
                                None,
                                key,
                            )
                        else:
                            to_properties_content_type = value
                            taken.append((row_content_type_encrypted, key, None, None))
                        continue
                    if key == 'amqp-content-type' and when_fits_decoded_body(value, source.payload):  # encoded, pulsar.toml
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
                    if (  # kept-message-id, preserve.toml
                        key == 'amqp-message-id'
                        and (made := via_typed_id(value, index_properties.get('amqp-type.amqp-message-id'))) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes, row_kept_message_id, path('properties', key), 'utf8', 'properties.message_id', None, key
                            )
                        else:
                            to_properties_message_id = made
                            taken.append((row_kept_message_id, key, None, None))
                        continue
                    if (  # message-id-uuid, pulsar.toml
                        key == 'amqp-message-id'
                        and len(value) == 45
                        and (made := via_urn_to_uuid(value)) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes, row_message_id_uuid, path('properties', key), 'utf8', 'properties.message_id', None, key
                            )
                        else:
                            to_properties_message_id = TypedValue('uuid', made)
                            taken.append((row_message_id_uuid, key, None, None))
                        continue
                    if key == 'amqp-message-id':  # message-id, pulsar.toml
                        if to_properties_message_id is not None:
                            too_late(notes, row_message_id, path('properties', key), 'utf8', 'properties.message_id', None, key)
                        else:
                            to_properties_message_id = TypedValue('string', value)
                            taken.append((row_message_id, key, None, None))
                        continue
                    if (  # kept-correlation-id, preserve.toml
                        key == 'amqp-correlation-id'
                        and (made := via_typed_id(value, index_properties.get('amqp-type.amqp-correlation-id'))) is not NOT_MINE
                    ):
                        if to_properties_correlation_id is not None:
                            too_late(
                                notes,
                                row_kept_correlation_id,
                                path('properties', key),
                                'utf8',
                                'properties.correlation_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_correlation_id = made
                            taken.append((row_kept_correlation_id, key, None, None))
                        continue
                    if (  # correlation-id-uuid, pulsar.toml
                        key == 'amqp-correlation-id'
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
                    if key == 'amqp-correlation-id':  # correlation-id, pulsar.toml
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
                    if key == 'amqp-subject':  # subject, pulsar.toml
                        if to_properties_subject is not None:
                            too_late(notes, row_subject, path('properties', key), 'utf8', 'properties.subject', None, key)
                        else:
                            to_properties_subject = value
                            taken.append((row_subject, key, None, None))
                        continue
                    if key == 'amqp-reply-to':  # reply-to, pulsar.toml
                        if to_properties_reply_to is not None:
                            too_late(notes, row_reply_to, path('properties', key), 'utf8', 'properties.reply_to', None, key)
                        else:
                            to_properties_reply_to = value
                            taken.append((row_reply_to, key, None, None))
                        continue
                    if key == 'amqp-ttl' and (made := via_read_uint(value)) is not NOT_MINE:  # ttl, pulsar.toml
                        if to_header_ttl is not None:
                            too_late(notes, row_ttl, path('properties', key), 'utf8', 'header.ttl', None, key)
                        else:
                            to_header_ttl = made
                            taken.append((row_ttl, key, None, None))
                        continue
                    if key == 'amqp-ttl':  # ttl-unreadable, pulsar.toml
                        notes.lost.append((path('properties', key), 'utf8', 'not a number of milliseconds', row_ttl_unreadable))
                        continue
                if 'x-' <= key < 'x.' and not (type(key) is str and key.isascii()):  # property-x-other, hub.toml
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
                elif (  # property-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_typed_text(value, index_properties.get(key[10:]))
                ):
                    taken.append((row_property_type, key, None, None))
                elif (  # kept-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and (made := via_typed_text(value, index_properties.get('amqp-type.x-' + key[2:]))) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_kept_annotation))
                    elif key in filled_message_annotations:
                        too_late(notes, row_kept_annotation, path('properties', key), 'utf8', 'message_annotations', key, key)
                    else:
                        to_message_annotations.append(Entry(key, made.type, made.value))
                        filled_message_annotations.add(key)
                        taken.append((row_kept_annotation, key, key, None))
                elif 'x-' <= key < 'x.':  # property-x, hub.toml
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_property_x))
                    elif key in filled_message_annotations:
                        too_late(notes, row_property_x, path('properties', key), 'utf8', 'message_annotations', key, key)
                    else:
                        to_message_annotations.append(Entry(key, 'string', value))
                        filled_message_annotations.add(key)
                        taken.append((row_property_x, key, key, None))
                elif (  # kept-message-id-type, preserve.toml
                    key == 'amqp-type.amqp-message-id'
                    and when_fits_typed_id(value, index_properties.get('amqp-message-id'))
                ):
                    taken.append((row_kept_message_id_type, key, None, None))
                elif (  # kept-correlation-id-type, preserve.toml
                    key == 'amqp-type.amqp-correlation-id'
                    and when_fits_typed_id(value, index_properties.get('amqp-correlation-id'))
                ):
                    taken.append((row_kept_correlation_id_type, key, None, None))
                elif (  # kept-application-property, preserve.toml
                    made := via_typed_text(value, index_properties.get('amqp-type.' + key))
                ) is not NOT_MINE:
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append(
                            (path('properties', key), 'utf8', 'its key is ' + fault, row_kept_application_property)
                        )
                    elif key in filled_application_properties:
                        too_late(
                            notes,
                            row_kept_application_property,
                            path('properties', key),
                            'utf8',
                            'application_properties',
                            key,
                            key,
                        )
                    else:
                        to_application_properties.append(Entry(key, made.type, made.value))
                        filled_application_properties.add(key)
                        taken.append((row_kept_application_property, key, key, None))
                else:  # property, hub.toml
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append((path('properties', key), 'utf8', 'its key is ' + fault, row_property))
                    elif key in filled_application_properties:
                        too_late(notes, row_property, path('properties', key), 'utf8', 'application_properties', key, key)
                    else:
                        to_application_properties.append(Entry(key, 'string', value))
                        filled_application_properties.add(key)
                        taken.append((row_property, key, key, None))
        topic: str = source.topic
        if topic != '':
            # topic-durable, pulsar.toml
            if to_header_durable is not None:
                too_late(notes, row_topic_durable, 'topic', 'topic', 'header.durable', None, None)
            else:
                to_header_durable = not topic.startswith('non-persistent:')
                taken.append(row_topic_durable)
            # topic, pulsar.toml
            if to_properties_to is not None:
                too_late(notes, row_topic, 'topic', 'topic', 'properties.to', None, None)
            else:
                to_properties_to = topic
                taken.append(row_topic)
        address: Any = environment.address
        if address is not None:
            took = False
            if to_header_durable is None:  # address-durable, pulsar.toml
                took = True
                to_header_durable = not address.startswith('non-persistent:')
                taken.append(row_address_durable)
            if to_properties_to is None:  # address, pulsar.toml
                if not address.isascii() and (fault := fault_string(address)) is not None:
                    notes.lost.append(('@address', 'string', fault, row_address))
                else:
                    to_properties_to = address
                    taken.append(row_address)
        partition_key: Any = source.partition_key
        if partition_key is not None:
            # partition-key, pulsar.toml
            to_properties_group_id = partition_key
            taken.append(row_partition_key)
        partition_key_b64_encoded: Any = source.partition_key_b64_encoded
        if partition_key_b64_encoded is not None:
            if partition_key_b64_encoded:  # partition-key-b64, pulsar.toml
                if 'x-opt-pulsar-partition-key-b64' in filled_message_annotations:
                    too_late(
                        notes,
                        row_partition_key_b64,
                        'partition_key_b64_encoded',
                        'boolean',
                        'message_annotations',
                        'x-opt-pulsar-partition-key-b64',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-partition-key-b64', 'boolean', partition_key_b64_encoded))
                    filled_message_annotations.add('x-opt-pulsar-partition-key-b64')
                    taken.append((row_partition_key_b64, None, 'x-opt-pulsar-partition-key-b64', None))
            else:  # partition-key-b64-false, pulsar.toml
                taken.append(row_partition_key_b64_false)
        null_partition_key: Any = source.null_partition_key
        if null_partition_key is not None:
            if null_partition_key:  # null-partition-key, pulsar.toml
                if 'x-opt-pulsar-null-partition-key' in filled_message_annotations:
                    too_late(
                        notes,
                        row_null_partition_key,
                        'null_partition_key',
                        'boolean',
                        'message_annotations',
                        'x-opt-pulsar-null-partition-key',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-null-partition-key', 'boolean', null_partition_key))
                    filled_message_annotations.add('x-opt-pulsar-null-partition-key')
                    taken.append((row_null_partition_key, None, 'x-opt-pulsar-null-partition-key', None))
            else:  # null-partition-key-false, pulsar.toml
                taken.append(row_null_partition_key_false)
        ordering_key: Any = source.ordering_key
        if ordering_key is not None:
            # ordering-key, pulsar.toml
            if 'x-opt-pulsar-ordering-key' in filled_message_annotations:
                too_late(
                    notes, row_ordering_key, 'ordering_key', 'binary', 'message_annotations', 'x-opt-pulsar-ordering-key', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-ordering-key', 'binary', ordering_key))
                filled_message_annotations.add('x-opt-pulsar-ordering-key')
                taken.append((row_ordering_key, None, 'x-opt-pulsar-ordering-key', None))
        publish_time: int | None = source.publish_time
        if publish_time is not None:
            # publish-time, pulsar.toml
            if (
                not -9223372036854775808 <= publish_time <= 9223372036854775807
                and (fault := fault_timestamp(publish_time)) is not None
            ):
                notes.lost.append(('publish_time', 'ulong', fault, row_publish_time))
            else:
                to_properties_creation_time = publish_time
                taken.append(row_publish_time)
        event_time: int | None = source.event_time
        if event_time is not None:
            # event-time, pulsar.toml
            if not -9223372036854775808 <= event_time <= 9223372036854775807 and (fault := fault_long(event_time)) is not None:
                notes.lost.append(('event_time', 'ulong', fault, row_event_time))
            elif 'x-opt-pulsar-event-time' in filled_message_annotations:
                too_late(notes, row_event_time, 'event_time', 'ulong', 'message_annotations', 'x-opt-pulsar-event-time', None)
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-event-time', 'long', event_time))
                filled_message_annotations.add('x-opt-pulsar-event-time')
                taken.append((row_event_time, None, 'x-opt-pulsar-event-time', None))
        sequence_id: Any = source.sequence_id
        if sequence_id is not None:
            # sequence-id, pulsar.toml
            if 'x-opt-pulsar-sequence-id' in filled_message_annotations:
                too_late(
                    notes, row_sequence_id, 'sequence_id', 'ulong', 'message_annotations', 'x-opt-pulsar-sequence-id', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-sequence-id', 'ulong', sequence_id))
                filled_message_annotations.add('x-opt-pulsar-sequence-id')
                taken.append((row_sequence_id, None, 'x-opt-pulsar-sequence-id', None))
        batch_sequence_id: Any = batch.sequence_id
        if batch_sequence_id is not None:
            if (  # member-sequence-id, pulsar.toml
                batch.index is not None
                and batch.index is not False
                and 'x-opt-pulsar-sequence-id' not in filled_message_annotations
                and (made := via_add_beside(batch_sequence_id, batch.index)) is not NOT_MINE
            ):
                if not 0 <= made <= 18446744073709551615 and (fault := fault_ulong(made)) is not None:
                    notes.lost.append(('batch.sequence_id', 'ulong', 'after add-beside: ' + fault, row_member_sequence_id))
                elif 'x-opt-pulsar-sequence-id' in filled_message_annotations:
                    too_late(
                        notes,
                        row_member_sequence_id,
                        'batch.sequence_id',
                        'ulong',
                        'message_annotations',
                        'x-opt-pulsar-sequence-id',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-sequence-id', 'ulong', made))
                    filled_message_annotations.add('x-opt-pulsar-sequence-id')
                    taken.append((row_member_sequence_id, None, 'x-opt-pulsar-sequence-id', None))
            else:  # batch-sequence-id, pulsar.toml
                taken.append(row_batch_sequence_id)
        producer_name: Any = source.producer_name
        if producer_name is not None:
            # producer-name, pulsar.toml
            if 'x-opt-pulsar-producer-name' in filled_message_annotations:
                too_late(
                    notes, row_producer_name, 'producer_name', 'utf8', 'message_annotations', 'x-opt-pulsar-producer-name', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-producer-name', 'string', producer_name))
                filled_message_annotations.add('x-opt-pulsar-producer-name')
                taken.append((row_producer_name, None, 'x-opt-pulsar-producer-name', None))
        message_id: Any = source.message_id
        if message_id is not None:
            if to_properties_message_id is None:  # position, pulsar.toml
                to_properties_message_id = TypedValue('string', message_id)
                taken.append(row_position)
            # position-annotation, pulsar.toml
            if 'x-opt-pulsar-message-id' in filled_message_annotations:
                too_late(
                    notes,
                    row_position_annotation,
                    'message_id',
                    'position',
                    'message_annotations',
                    'x-opt-pulsar-message-id',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-message-id', 'string', message_id))
                filled_message_annotations.add('x-opt-pulsar-message-id')
                taken.append((row_position_annotation, None, 'x-opt-pulsar-message-id', None))
        redelivery_count: Any = source.redelivery_count
        if redelivery_count is not None:
            # redelivery-count, pulsar.toml
            to_header_delivery_count = redelivery_count
            taken.append(row_redelivery_count)
        deliver_at_time: Any = source.deliver_at_time
        if deliver_at_time is not None:
            # deliver-at-time, pulsar.toml
            if 'x-opt-delivery-time' in filled_message_annotations:
                too_late(
                    notes, row_deliver_at_time, 'deliver_at_time', 'long', 'message_annotations', 'x-opt-delivery-time', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-delivery-time', 'long', deliver_at_time))
                filled_message_annotations.add('x-opt-delivery-time')
                taken.append((row_deliver_at_time, None, 'x-opt-delivery-time', None))
        schema_version: Any = source.schema_version
        if schema_version is not None:
            # schema-version, pulsar.toml
            if 'x-opt-pulsar-schema-version' in filled_message_annotations:
                too_late(
                    notes,
                    row_schema_version,
                    'schema_version',
                    'binary',
                    'message_annotations',
                    'x-opt-pulsar-schema-version',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-schema-version', 'binary', schema_version))
                filled_message_annotations.add('x-opt-pulsar-schema-version')
                taken.append((row_schema_version, None, 'x-opt-pulsar-schema-version', None))
        schema_id: Any = source.schema_id
        if schema_id is not None:
            # schema-id, pulsar.toml
            if 'x-opt-pulsar-schema-id' in filled_message_annotations:
                too_late(notes, row_schema_id, 'schema_id', 'binary', 'message_annotations', 'x-opt-pulsar-schema-id', None)
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-schema-id', 'binary', schema_id))
                filled_message_annotations.add('x-opt-pulsar-schema-id')
                taken.append((row_schema_id, None, 'x-opt-pulsar-schema-id', None))
        replicated_from: Any = source.replicated_from
        if replicated_from is not None:
            # replicated-from, pulsar.toml
            if 'x-opt-pulsar-replicated-from' in filled_message_annotations:
                too_late(
                    notes,
                    row_replicated_from,
                    'replicated_from',
                    'utf8',
                    'message_annotations',
                    'x-opt-pulsar-replicated-from',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-replicated-from', 'string', replicated_from))
                filled_message_annotations.add('x-opt-pulsar-replicated-from')
                taken.append((row_replicated_from, None, 'x-opt-pulsar-replicated-from', None))
        replicate_to: Any = source.replicate_to
        if replicate_to:
            if (made := via_joined_by(replicate_to)) is not NOT_MINE:  # replicate-to, pulsar.toml
                if not made.isascii() and (fault := fault_string(made)) is not None:
                    notes.lost.append(('replicate_to', 'texts', fault, row_replicate_to))
                elif 'x-opt-pulsar-replicate-to' in filled_message_annotations:
                    too_late(
                        notes,
                        row_replicate_to,
                        'replicate_to',
                        'texts',
                        'message_annotations',
                        'x-opt-pulsar-replicate-to',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-replicate-to', 'string', made))
                    filled_message_annotations.add('x-opt-pulsar-replicate-to')
                    taken.append((row_replicate_to, None, 'x-opt-pulsar-replicate-to', None))
            else:  # replicate-to-comma, pulsar.toml
                notes.lost.append(('replicate_to', 'texts', 'a name contains a comma', row_replicate_to_comma))
        broker_timestamp: int | None = broker_entry_metadata.broker_timestamp
        if broker_timestamp is not None:
            # broker-timestamp, pulsar.toml
            if (
                not -9223372036854775808 <= broker_timestamp <= 9223372036854775807
                and (fault := fault_long(broker_timestamp)) is not None
            ):
                notes.lost.append(('broker_entry_metadata.broker_timestamp', 'ulong', fault, row_broker_timestamp))
            elif 'x-opt-pulsar-broker-timestamp' in filled_message_annotations:
                too_late(
                    notes,
                    row_broker_timestamp,
                    'broker_entry_metadata.broker_timestamp',
                    'ulong',
                    'message_annotations',
                    'x-opt-pulsar-broker-timestamp',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-broker-timestamp', 'long', broker_timestamp))
                filled_message_annotations.add('x-opt-pulsar-broker-timestamp')
                taken.append((row_broker_timestamp, None, 'x-opt-pulsar-broker-timestamp', None))
        broker_entry_metadata_index: Any = broker_entry_metadata.index
        if broker_entry_metadata_index is not None:
            # index, pulsar.toml
            if 'x-opt-pulsar-index' in filled_message_annotations:
                too_late(
                    notes, row_index, 'broker_entry_metadata.index', 'ulong', 'message_annotations', 'x-opt-pulsar-index', None
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-index', 'ulong', broker_entry_metadata_index))
                filled_message_annotations.add('x-opt-pulsar-index')
                taken.append((row_index, None, 'x-opt-pulsar-index', None))
        uuid: Any = source.uuid
        if uuid is not None:
            # chunk-uuid, pulsar.toml
            if 'x-opt-pulsar-chunk-uuid' in filled_message_annotations:
                too_late(notes, row_chunk_uuid, 'uuid', 'utf8', 'message_annotations', 'x-opt-pulsar-chunk-uuid', None)
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-chunk-uuid', 'string', uuid))
                filled_message_annotations.add('x-opt-pulsar-chunk-uuid')
                taken.append((row_chunk_uuid, None, 'x-opt-pulsar-chunk-uuid', None))
        chunk_id: Any = source.chunk_id
        if chunk_id is not None:
            # chunk-id, pulsar.toml
            if 'x-opt-pulsar-chunk-id' in filled_message_annotations:
                too_late(notes, row_chunk_id, 'chunk_id', 'int', 'message_annotations', 'x-opt-pulsar-chunk-id', None)
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-chunk-id', 'int', chunk_id))
                filled_message_annotations.add('x-opt-pulsar-chunk-id')
                taken.append((row_chunk_id, None, 'x-opt-pulsar-chunk-id', None))
        num_chunks_from_msg: Any = source.num_chunks_from_msg
        if num_chunks_from_msg is not None:
            # chunk-count, pulsar.toml
            if 'x-opt-pulsar-chunk-count' in filled_message_annotations:
                too_late(
                    notes,
                    row_chunk_count,
                    'num_chunks_from_msg',
                    'int',
                    'message_annotations',
                    'x-opt-pulsar-chunk-count',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-chunk-count', 'int', num_chunks_from_msg))
                filled_message_annotations.add('x-opt-pulsar-chunk-count')
                taken.append((row_chunk_count, None, 'x-opt-pulsar-chunk-count', None))
        total_chunk_msg_size: Any = source.total_chunk_msg_size
        if total_chunk_msg_size is not None:
            # chunk-total-size, pulsar.toml
            if 'x-opt-pulsar-chunk-total-size' in filled_message_annotations:
                too_late(
                    notes,
                    row_chunk_total_size,
                    'total_chunk_msg_size',
                    'int',
                    'message_annotations',
                    'x-opt-pulsar-chunk-total-size',
                    None,
                )
            else:
                to_message_annotations.append(Entry('x-opt-pulsar-chunk-total-size', 'int', total_chunk_msg_size))
                filled_message_annotations.add('x-opt-pulsar-chunk-total-size')
                taken.append((row_chunk_total_size, None, 'x-opt-pulsar-chunk-total-size', None))
        compression: Any = source.compression
        if compression is not None:
            if source.chunk_id is not None and source.chunk_id is not False:  # compression, pulsar.toml
                if 'x-opt-pulsar-compression' in filled_message_annotations:
                    too_late(
                        notes,
                        row_compression,
                        'compression',
                        'compression',
                        'message_annotations',
                        'x-opt-pulsar-compression',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-compression', 'string', compression))
                    filled_message_annotations.add('x-opt-pulsar-compression')
                    taken.append((row_compression, None, 'x-opt-pulsar-compression', None))
            else:  # compression-dropped, pulsar.toml
                taken.append(row_compression_dropped)
        uncompressed_size: Any = source.uncompressed_size
        if uncompressed_size is not None:
            if source.chunk_id is not None and source.chunk_id is not False:  # uncompressed-size, pulsar.toml
                if 'x-opt-pulsar-uncompressed-size' in filled_message_annotations:
                    too_late(
                        notes,
                        row_uncompressed_size,
                        'uncompressed_size',
                        'uint',
                        'message_annotations',
                        'x-opt-pulsar-uncompressed-size',
                        None,
                    )
                else:
                    to_message_annotations.append(Entry('x-opt-pulsar-uncompressed-size', 'uint', uncompressed_size))
                    filled_message_annotations.add('x-opt-pulsar-uncompressed-size')
                    taken.append((row_uncompressed_size, None, 'x-opt-pulsar-uncompressed-size', None))
            else:  # uncompressed-size-dropped, pulsar.toml
                taken.append(row_uncompressed_size_dropped)
        encryption_keys: Any = source.encryption_keys
        if encryption_keys:
            # encryption-keys, pulsar.toml
            notes.lost.append(('encryption_keys', 'records', 'the payload stays encrypted', row_encryption_keys))
        encryption_algo: Any = source.encryption_algo
        if encryption_algo is not None:
            # encryption-algo, pulsar.toml
            notes.lost.append(('encryption_algo', 'utf8', 'the payload stays encrypted', row_encryption_algo))
        encryption_param: Any = source.encryption_param
        if encryption_param is not None:
            # encryption-param, pulsar.toml
            notes.lost.append(('encryption_param', 'binary', 'the payload stays encrypted', row_encryption_param))
        txnid_least_bits: Any = source.txnid_least_bits
        if txnid_least_bits is not None:
            # txn-least, pulsar.toml
            taken.append(row_txn_least)
        txnid_most_bits: Any = source.txnid_most_bits
        if txnid_most_bits is not None:
            # txn-most, pulsar.toml
            taken.append(row_txn_most)
        size: Any = batch.size
        if size is not None:
            # batch-size, pulsar.toml
            taken.append(row_batch_size)
        batch_index: Any = batch.index
        if batch_index is not None:
            # batch-index, pulsar.toml
            taken.append(row_batch_index)
        batch_properties: list[Any] | None = batch.properties
        if batch_properties is not None:
            for pair in batch_properties:
                key, value = pair
                # batch-property, pulsar.toml
                taken.append((row_batch_property, key, None, None))
        batch_partition_key: Any = batch.partition_key
        if batch_partition_key is not None:
            # batch-partition-key, pulsar.toml
            taken.append(row_batch_partition_key)
        batch_partition_key_b64_encoded: Any = batch.partition_key_b64_encoded
        if batch_partition_key_b64_encoded is not None:
            # batch-partition-key-b64, pulsar.toml
            taken.append(row_batch_partition_key_b64)
        batch_null_partition_key: Any = batch.null_partition_key
        if batch_null_partition_key is not None:
            # batch-null-partition-key, pulsar.toml
            taken.append(row_batch_null_partition_key)
        batch_ordering_key: Any = batch.ordering_key
        if batch_ordering_key is not None:
            # batch-ordering-key, pulsar.toml
            taken.append(row_batch_ordering_key)
        batch_event_time: Any = batch.event_time
        if batch_event_time is not None:
            # batch-event-time, pulsar.toml
            taken.append(row_batch_event_time)
        null_value: Any = batch.null_value
        if null_value is not None:
            # batch-null-value, pulsar.toml
            taken.append(row_batch_null_value)
        unknown: Any = batch.unknown
        if unknown:
            # batch-unknown, pulsar.toml
            taken.append(row_batch_unknown)
        highest_sequence_id: Any = source.highest_sequence_id
        if highest_sequence_id is not None:
            # highest-sequence-id, pulsar.toml
            taken.append(row_highest_sequence_id)
        compacted_batch_indexes: Any = source.compacted_batch_indexes
        if compacted_batch_indexes:
            # compacted-batch-indexes, pulsar.toml
            taken.append(row_compacted_batch_indexes)
        compacted_out: Any = batch.compacted_out
        if compacted_out:
            # compacted-out, pulsar.toml
            notes.lost.append(
                ('batch.compacted_out', 'ints', 'the broker has compacted these members of the batch away', row_compacted_out)
            )
        entry_hash_min: Any = source.entry_hash_min
        if entry_hash_min is not None:
            # entry-hash-min, pulsar.toml
            taken.append(row_entry_hash_min)
        entry_hash_max: Any = source.entry_hash_max
        if entry_hash_max is not None:
            # entry-hash-max, pulsar.toml
            taken.append(row_entry_hash_max)
        the_frame: Any = source.frame
        if the_frame != 'send':
            # frame, pulsar.toml
            taken.append(row_frame)
        marker_type: Any = source.marker_type
        if marker_type is not None:
            # control-record, pulsar.toml
            raise refused(row_control_record, 'marker_type', marker_type)
        the_unknown: Any = source.unknown
        if the_unknown:
            # unknown, pulsar.toml
            taken.append(row_unknown)
        broker_entry_metadata_unknown: Any = broker_entry_metadata.unknown
        if broker_entry_metadata_unknown:
            # broker-unknown, pulsar.toml
            taken.append(row_broker_unknown)
        payload: Any = source.payload
        if (  # envelope, pulsar.toml
            environment.payload == 'envelope'
            and (made := via_enveloped_message(payload, environment.payload)) is not NOT_MINE
        ):
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('payload', 'payload', made.reason, row_envelope))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_envelope, None) in sections:
                    notes.lost.append(('payload', 'payload', 'a second equal key', row_envelope))
                else:
                    sections[row_envelope, None] = 'payload', made
        elif (  # null, pulsar.toml
            source.null_value is not None
            and source.null_value is not False
            and (made := via_body_as_value_null(payload)) is not NOT_MINE
        ):
            to_body = made
            taken.append(row_null)
            if source.null_value is not None:
                used_null_value = True
                taken.append(row_null_uses_null_value)
        elif source.chunk_id is not None and source.chunk_id is not False:  # payload-chunk, pulsar.toml
            to_body = Data([payload])
            taken.append(row_payload_chunk)
        elif (  # payload-encrypted, pulsar.toml
            (source.encryption_keys or None) is not None
            and (source.encryption_keys or None) is not False
        ):
            to_body = Data([payload])
            taken.append(row_payload_encrypted)
        elif (  # payload-encoded, pulsar.toml
            made := via_decoded_body(payload, index_properties.get('amqp-content-type'))
        ) is not NOT_MINE:
            to_body = made
            taken.append(row_payload_encoded)
        else:  # payload, pulsar.toml
            to_body = Data([payload])
            taken.append(row_payload)
        the_null_value: Any = source.null_value
        if the_null_value is not None and not used_null_value:
            # null-dropped, pulsar.toml
            taken.append(row_null_dropped)
        # durable, pulsar.toml
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

    return pulsar_to_amqp_1_0

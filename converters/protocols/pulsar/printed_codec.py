"""The codec printed from mqconvert.converters.protocols.pulsar.wire: `make generate` writes it."""

from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.model.primitives import read_i64, COMPILED
import mqconvert.converters.protocols.pulsar.codec as codec
from mqconvert.converters.protocols.pulsar.message import BrokerEntryMetadata, Message, PULSAR_TYPES
from struct import Struct
from typing import Any


def read_sizes(data: bytes, at: i64) -> tuple[i64, i64]:
    'Return the values of the layout >II at an offset.'
    number: i64
    number = read_i64(data, at)
    return number >> 32 & 4294967295, number >> 0 & 4294967295

def write_metadata(into: Any, given: Message) -> bool:
    'Write the set fields of Message into MessageMetadata; return whether that is all.'
    value: Any
    complete: bool = True
    value = given.topic
    if unicode_fault(value) is not None:
        raise ValueError
    value = given.payload
    if type(value) is not bytes:
        raise ValueError
    if (value := given.producer_name) is not None:
        if type(value) is not str:
            raise ValueError
        into.producer_name = value
    else:
        complete = False
    if (value := given.sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        into.sequence_id = value
    else:
        complete = False
    if (value := given.publish_time) is not None:
        if type(value) is not int:
            raise ValueError
        into.publish_time = value
    else:
        complete = False
    if (value := given.properties) is not None:
        if codec.pairs_fault(value) is not None:
            raise ValueError
        codec.write_pairs(into.properties, value)
    if (value := given.replicated_from) is not None:
        if type(value) is not str:
            raise ValueError
        into.replicated_from = value
    if (value := given.partition_key) is not None:
        if type(value) is not str:
            raise ValueError
        into.partition_key = value
    if (value := given.replicate_to) is not None:
        if PULSAR_TYPES['texts'].fault(value) is not None:
            raise ValueError
        into.replicate_to.extend(value)
    if (value := given.compression) is not None:
        if PULSAR_TYPES['compression'].fault(value) is not None:
            raise ValueError
        into.compression = value
    if (value := given.uncompressed_size) is not None:
        if type(value) is not int:
            raise ValueError
        into.uncompressed_size = value
    if (value := given.event_time) is not None:
        if type(value) is not int:
            raise ValueError
        into.event_time = value
    if (value := given.encryption_keys) is not None:
        if PULSAR_TYPES['records'].fault(value) is not None:
            raise ValueError
        codec.write_keys(into.encryption_keys, value)
    if (value := given.encryption_algo) is not None:
        if type(value) is not str:
            raise ValueError
        into.encryption_algo = value
    if (value := given.encryption_param) is not None:
        if type(value) is not bytes:
            raise ValueError
        into.encryption_param = value
    if (value := given.schema_version) is not None:
        if type(value) is not bytes:
            raise ValueError
        into.schema_version = value
    if (value := given.partition_key_b64_encoded) is not None:
        if type(value) is not bool:
            raise ValueError
        into.partition_key_b64_encoded = value
    if (value := given.ordering_key) is not None:
        if type(value) is not bytes:
            raise ValueError
        into.ordering_key = value
    if (value := given.deliver_at_time) is not None:
        if type(value) is not int:
            raise ValueError
        into.deliver_at_time = value
    if (value := given.marker_type) is not None:
        if type(value) is not int:
            raise ValueError
        into.marker_type = value
    if (value := given.txnid_least_bits) is not None:
        if type(value) is not int:
            raise ValueError
        into.txnid_least_bits = value
    if (value := given.txnid_most_bits) is not None:
        if type(value) is not int:
            raise ValueError
        into.txnid_most_bits = value
    if (value := given.highest_sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        into.highest_sequence_id = value
    if (value := given.null_value) is not None:
        if type(value) is not bool:
            raise ValueError
        into.null_value = value
    if (value := given.uuid) is not None:
        if type(value) is not str:
            raise ValueError
        into.uuid = value
    if (value := given.num_chunks_from_msg) is not None:
        if type(value) is not int:
            raise ValueError
        into.num_chunks_from_msg = value
    if (value := given.total_chunk_msg_size) is not None:
        if type(value) is not int:
            raise ValueError
        into.total_chunk_msg_size = value
    if (value := given.chunk_id) is not None:
        if type(value) is not int:
            raise ValueError
        into.chunk_id = value
    if (value := given.null_partition_key) is not None:
        if type(value) is not bool:
            raise ValueError
        into.null_partition_key = value
    if (value := given.compacted_batch_indexes) is not None:
        if PULSAR_TYPES['ints'].fault(value) is not None:
            raise ValueError
        into.compacted_batch_indexes.extend(value)
    if (value := given.schema_id) is not None:
        if type(value) is not bytes:
            raise ValueError
        into.schema_id = value
    if (value := given.entry_hash_min) is not None:
        if type(value) is not int:
            raise ValueError
        into.entry_hash_min = value
    if (value := given.entry_hash_max) is not None:
        if type(value) is not int:
            raise ValueError
        into.entry_hash_max = value
    if (value := given.unknown) is not None:
        if type(value) is not bytes:
            raise ValueError
        complete = False
    if (value := given.batch) is not None:
        complete = False
    if (value := given.message_id) is not None:
        if PULSAR_TYPES['position'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.redelivery_count) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.broker_entry_metadata) is not None:
        complete = False
    value = given.frame
    if value != 'send':
        if PULSAR_TYPES['frame'].fault(value) is not None:
            raise ValueError
        complete = False
    return complete

def write_member(into: Any, given: Message) -> bool:
    'Write the set fields of Message into SingleMessageMetadata; return whether that is all.'
    value: Any
    complete: bool = True
    value = given.topic
    if unicode_fault(value) is not None:
        raise ValueError
    value = given.payload
    if type(value) is not bytes:
        raise ValueError
    if (value := given.producer_name) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        into.sequence_id = value
    if (value := given.publish_time) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.properties) is not None:
        if codec.pairs_fault(value) is not None:
            raise ValueError
        codec.write_pairs(into.properties, value)
    if (value := given.replicated_from) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.partition_key) is not None:
        if type(value) is not str:
            raise ValueError
        into.partition_key = value
    if (value := given.replicate_to) is not None:
        if PULSAR_TYPES['texts'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.compression) is not None:
        if PULSAR_TYPES['compression'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.uncompressed_size) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.event_time) is not None:
        if type(value) is not int:
            raise ValueError
        into.event_time = value
    if (value := given.encryption_keys) is not None:
        if PULSAR_TYPES['records'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.encryption_algo) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.encryption_param) is not None:
        if type(value) is not bytes:
            raise ValueError
        complete = False
    if (value := given.schema_version) is not None:
        if type(value) is not bytes:
            raise ValueError
        complete = False
    if (value := given.partition_key_b64_encoded) is not None:
        if type(value) is not bool:
            raise ValueError
        into.partition_key_b64_encoded = value
    if (value := given.ordering_key) is not None:
        if type(value) is not bytes:
            raise ValueError
        into.ordering_key = value
    if (value := given.deliver_at_time) is not None:
        if PULSAR_TYPES['long'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.marker_type) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.txnid_least_bits) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.txnid_most_bits) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.highest_sequence_id) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.null_value) is not None:
        if type(value) is not bool:
            raise ValueError
        into.null_value = value
    if (value := given.uuid) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.num_chunks_from_msg) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.total_chunk_msg_size) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.chunk_id) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.null_partition_key) is not None:
        if type(value) is not bool:
            raise ValueError
        into.null_partition_key = value
    if (value := given.compacted_batch_indexes) is not None:
        if PULSAR_TYPES['ints'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.schema_id) is not None:
        if type(value) is not bytes:
            raise ValueError
        complete = False
    if (value := given.entry_hash_min) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.entry_hash_max) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.unknown) is not None:
        if type(value) is not bytes:
            raise ValueError
        complete = False
    if (value := given.batch) is not None:
        complete = False
    if (value := given.message_id) is not None:
        if PULSAR_TYPES['position'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.redelivery_count) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        complete = False
    if (value := given.broker_entry_metadata) is not None:
        complete = False
    value = given.frame
    if value != 'send':
        if PULSAR_TYPES['frame'].fault(value) is not None:
            raise ValueError
        complete = False
    return complete

def write_send(into: Any, given: Message) -> bool:
    'Write the set fields of Message into CommandSend; return whether that is all.'
    value: Any
    complete: bool = True
    if (value := given.sequence_id) is not None:
        into.sequence_id = value
    if (value := given.txnid_least_bits) is not None:
        into.txnid_least_bits = value
    if (value := given.txnid_most_bits) is not None:
        into.txnid_most_bits = value
    if (value := given.highest_sequence_id) is not None:
        into.highest_sequence_id = value
    if given.chunk_id is not None:
        into.is_chunk = True
    if given.marker_type is not None:
        into.marker = True
    return complete

def write_entry(into: Any, given: BrokerEntryMetadata) -> bool:
    'Write the set fields of BrokerEntryMetadata into BrokerEntryMetadata; return whether that is all.'
    value: Any
    complete: bool = True
    if (value := given.broker_timestamp) is not None:
        into.broker_timestamp = value
    if (value := given.index) is not None:
        into.index = value
    return complete

if not COMPILED:
    read_sizes = Struct('>II').unpack_from

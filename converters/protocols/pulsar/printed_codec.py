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

def write_metadata(made: Any, given: Message) -> bool:
    'Write the set fields of Message into MessageMetadata; return whether that is all.'
    value: Any
    whole: bool = True
    value = given.topic
    if unicode_fault(value) is not None:
        raise ValueError
    value = given.payload
    if type(value) is not bytes:
        raise ValueError
    if (value := given.producer_name) is not None:
        if type(value) is not str:
            raise ValueError
        made.producer_name = value
    else:
        whole = False
    if (value := given.sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        made.sequence_id = value
    else:
        whole = False
    if (value := given.publish_time) is not None:
        if type(value) is not int:
            raise ValueError
        made.publish_time = value
    else:
        whole = False
    if (value := given.properties) is not None:
        if codec.pairs_fault(value) is not None:
            raise ValueError
        codec.write_pairs(made.properties, value)
    if (value := given.replicated_from) is not None:
        if type(value) is not str:
            raise ValueError
        made.replicated_from = value
    if (value := given.partition_key) is not None:
        if type(value) is not str:
            raise ValueError
        made.partition_key = value
    if (value := given.replicate_to) is not None:
        if PULSAR_TYPES['texts'].fault(value) is not None:
            raise ValueError
        made.replicate_to.extend(value)
    if (value := given.compression) is not None:
        if PULSAR_TYPES['compression'].fault(value) is not None:
            raise ValueError
        made.compression = value
    if (value := given.uncompressed_size) is not None:
        if type(value) is not int:
            raise ValueError
        made.uncompressed_size = value
    if (value := given.event_time) is not None:
        if type(value) is not int:
            raise ValueError
        made.event_time = value
    if (value := given.encryption_keys) is not None:
        if PULSAR_TYPES['records'].fault(value) is not None:
            raise ValueError
        codec.write_keys(made.encryption_keys, value)
    if (value := given.encryption_algo) is not None:
        if type(value) is not str:
            raise ValueError
        made.encryption_algo = value
    if (value := given.encryption_param) is not None:
        if type(value) is not bytes:
            raise ValueError
        made.encryption_param = value
    if (value := given.schema_version) is not None:
        if type(value) is not bytes:
            raise ValueError
        made.schema_version = value
    if (value := given.partition_key_b64_encoded) is not None:
        if type(value) is not bool:
            raise ValueError
        made.partition_key_b64_encoded = value
    if (value := given.ordering_key) is not None:
        if type(value) is not bytes:
            raise ValueError
        made.ordering_key = value
    if (value := given.deliver_at_time) is not None:
        if type(value) is not int:
            raise ValueError
        made.deliver_at_time = value
    if (value := given.marker_type) is not None:
        if type(value) is not int:
            raise ValueError
        made.marker_type = value
    if (value := given.txnid_least_bits) is not None:
        if type(value) is not int:
            raise ValueError
        made.txnid_least_bits = value
    if (value := given.txnid_most_bits) is not None:
        if type(value) is not int:
            raise ValueError
        made.txnid_most_bits = value
    if (value := given.highest_sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        made.highest_sequence_id = value
    if (value := given.null_value) is not None:
        if type(value) is not bool:
            raise ValueError
        made.null_value = value
    if (value := given.uuid) is not None:
        if type(value) is not str:
            raise ValueError
        made.uuid = value
    if (value := given.num_chunks_from_msg) is not None:
        if type(value) is not int:
            raise ValueError
        made.num_chunks_from_msg = value
    if (value := given.total_chunk_msg_size) is not None:
        if type(value) is not int:
            raise ValueError
        made.total_chunk_msg_size = value
    if (value := given.chunk_id) is not None:
        if type(value) is not int:
            raise ValueError
        made.chunk_id = value
    if (value := given.null_partition_key) is not None:
        if type(value) is not bool:
            raise ValueError
        made.null_partition_key = value
    if (value := given.compacted_batch_indexes) is not None:
        if PULSAR_TYPES['ints'].fault(value) is not None:
            raise ValueError
        made.compacted_batch_indexes.extend(value)
    if (value := given.schema_id) is not None:
        if type(value) is not bytes:
            raise ValueError
        made.schema_id = value
    if (value := given.entry_hash_min) is not None:
        if type(value) is not int:
            raise ValueError
        made.entry_hash_min = value
    if (value := given.entry_hash_max) is not None:
        if type(value) is not int:
            raise ValueError
        made.entry_hash_max = value
    if (value := given.unknown) is not None:
        if type(value) is not bytes:
            raise ValueError
        whole = False
    if (value := given.batch) is not None:
        whole = False
    if (value := given.message_id) is not None:
        if PULSAR_TYPES['position'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.redelivery_count) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.broker_entry_metadata) is not None:
        whole = False
    value = given.frame
    if value != 'send':
        if PULSAR_TYPES['frame'].fault(value) is not None:
            raise ValueError
        whole = False
    return whole

def write_member(made: Any, given: Message) -> bool:
    'Write the set fields of Message into SingleMessageMetadata; return whether that is all.'
    value: Any
    whole: bool = True
    value = given.topic
    if unicode_fault(value) is not None:
        raise ValueError
    value = given.payload
    if type(value) is not bytes:
        raise ValueError
    if (value := given.producer_name) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.sequence_id) is not None:
        if type(value) is not int:
            raise ValueError
        made.sequence_id = value
    if (value := given.publish_time) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.properties) is not None:
        if codec.pairs_fault(value) is not None:
            raise ValueError
        codec.write_pairs(made.properties, value)
    if (value := given.replicated_from) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.partition_key) is not None:
        if type(value) is not str:
            raise ValueError
        made.partition_key = value
    if (value := given.replicate_to) is not None:
        if PULSAR_TYPES['texts'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.compression) is not None:
        if PULSAR_TYPES['compression'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.uncompressed_size) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.event_time) is not None:
        if type(value) is not int:
            raise ValueError
        made.event_time = value
    if (value := given.encryption_keys) is not None:
        if PULSAR_TYPES['records'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.encryption_algo) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.encryption_param) is not None:
        if type(value) is not bytes:
            raise ValueError
        whole = False
    if (value := given.schema_version) is not None:
        if type(value) is not bytes:
            raise ValueError
        whole = False
    if (value := given.partition_key_b64_encoded) is not None:
        if type(value) is not bool:
            raise ValueError
        made.partition_key_b64_encoded = value
    if (value := given.ordering_key) is not None:
        if type(value) is not bytes:
            raise ValueError
        made.ordering_key = value
    if (value := given.deliver_at_time) is not None:
        if PULSAR_TYPES['long'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.marker_type) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.txnid_least_bits) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.txnid_most_bits) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.highest_sequence_id) is not None:
        if PULSAR_TYPES['ulong'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.null_value) is not None:
        if type(value) is not bool:
            raise ValueError
        made.null_value = value
    if (value := given.uuid) is not None:
        if PULSAR_TYPES['utf8'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.num_chunks_from_msg) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.total_chunk_msg_size) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.chunk_id) is not None:
        if PULSAR_TYPES['int'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.null_partition_key) is not None:
        if type(value) is not bool:
            raise ValueError
        made.null_partition_key = value
    if (value := given.compacted_batch_indexes) is not None:
        if PULSAR_TYPES['ints'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.schema_id) is not None:
        if type(value) is not bytes:
            raise ValueError
        whole = False
    if (value := given.entry_hash_min) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.entry_hash_max) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.unknown) is not None:
        if type(value) is not bytes:
            raise ValueError
        whole = False
    if (value := given.batch) is not None:
        whole = False
    if (value := given.message_id) is not None:
        if PULSAR_TYPES['position'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.redelivery_count) is not None:
        if PULSAR_TYPES['uint'].fault(value) is not None:
            raise ValueError
        whole = False
    if (value := given.broker_entry_metadata) is not None:
        whole = False
    value = given.frame
    if value != 'send':
        if PULSAR_TYPES['frame'].fault(value) is not None:
            raise ValueError
        whole = False
    return whole

def write_send(made: Any, given: Message) -> bool:
    'Write the set fields of Message into CommandSend; return whether that is all.'
    value: Any
    whole: bool = True
    if (value := given.sequence_id) is not None:
        made.sequence_id = value
    if (value := given.txnid_least_bits) is not None:
        made.txnid_least_bits = value
    if (value := given.txnid_most_bits) is not None:
        made.txnid_most_bits = value
    if (value := given.highest_sequence_id) is not None:
        made.highest_sequence_id = value
    if given.chunk_id is not None:
        made.is_chunk = True
    if given.marker_type is not None:
        made.marker = True
    return whole

def write_entry(made: Any, given: BrokerEntryMetadata) -> bool:
    'Write the set fields of BrokerEntryMetadata into BrokerEntryMetadata; return whether that is all.'
    value: Any
    whole: bool = True
    if (value := given.broker_timestamp) is not None:
        made.broker_timestamp = value
    if (value := given.index) is not None:
        made.index = value
    return whole

if not COMPILED:
    read_sizes = Struct('>II').unpack_from

"""nsq -> amqp-1.0, from nsq.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, place_sections, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.nsq.message import Message as Source
from mqconvert.converters.words import TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_topic_durable: Any = rows['topic-durable']
    via_unescaped_name: Any = TRANSFORMS['unescaped-name'].function
    row_topic_escaped: Any = rows['topic-escaped']
    row_topic: Any = rows['topic']
    row_address_durable: Any = rows['address-durable']
    row_address: Any = rows['address']
    row_frame: Any = rows['frame']
    row_channel: Any = rows['channel']
    row_creation_time: Any = rows['creation-time']
    fault_timestamp: Any = types['timestamp'].fault
    row_attempts: Any = rows['attempts']
    fault_uint: Any = types['uint'].fault
    row_attempts_0: Any = rows['attempts-0']
    row_message_id: Any = rows['message-id']
    row_message_id_octets: Any = rows['message-id-octets']
    row_defer: Any = rows['defer']
    row_batch_index: Any = rows['batch-index']
    row_batch_size: Any = rows['batch-size']
    via_enveloped_message: Any = TRANSFORMS['enveloped-message'].function
    row_envelope: Any = rows['envelope']
    row_body: Any = rows['body']
    row_durable_sets_header_durable: Any = replace(rows['durable'], target='header.durable', constants={})
    made_by_rows_sections: Any = frozenset(['body', 'header', 'message_annotations', 'properties'])

    def nsq_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; made: Any; number: int; target: Message
        taken: list[Any] = notes.taken
        to_header_durable: Any = None
        to_properties_to: Any = None
        to_properties_creation_time: Any = None
        to_header_delivery_count: Any = None
        to_properties_message_id: Any = None
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_body: Any = None
        sections: dict[Any, Any] = {}
        topic: str | None = source.topic
        if topic is not None:
            # topic-durable, nsq.toml
            if to_header_durable is not None:
                too_late(notes, row_topic_durable, 'topic', 'name', 'header.durable', None, None)
            else:
                to_header_durable = not topic.endswith('#ephemeral')
                taken.append(row_topic_durable)
            if (  # topic-escaped, nsq.toml
                environment.escape is not None
                and environment.escape is not False
                and (made := via_unescaped_name(topic)) is not NOT_MINE
            ):
                if not made.isascii() and (fault := fault_string(made)) is not None:
                    notes.lost.append(('topic', 'name', fault, row_topic_escaped))
                elif to_properties_to is not None:
                    too_late(notes, row_topic_escaped, 'topic', 'name', 'properties.to', None, None)
                else:
                    to_properties_to = made
                    taken.append(row_topic_escaped)
            else:  # topic, nsq.toml
                if to_properties_to is not None:
                    too_late(notes, row_topic, 'topic', 'name', 'properties.to', None, None)
                else:
                    to_properties_to = topic
                    taken.append(row_topic)
        address: Any = environment.address
        if address is not None:
            took = False
            if to_header_durable is None:  # address-durable, nsq.toml
                took = True
                to_header_durable = not address.endswith('#ephemeral')
                taken.append(row_address_durable)
            if to_properties_to is None:  # address, nsq.toml
                if not address.isascii() and (fault := fault_string(address)) is not None:
                    notes.lost.append(('@address', 'string', fault, row_address))
                else:
                    to_properties_to = address
                    taken.append(row_address)
        the_frame: Any = source.frame
        if the_frame != 'send':
            # frame, nsq.toml
            taken.append(row_frame)
        channel: Any = source.channel
        if channel is not None:
            # channel, nsq.toml
            taken.append(row_channel)
        timestamp: int | None = source.timestamp
        if timestamp is not None:
            # creation-time, nsq.toml
            number = timestamp // 1000000
            if not -9223372036854775808 <= number <= 9223372036854775807 and (fault := fault_timestamp(number)) is not None:
                notes.lost.append(('timestamp', 'long', 'after scale 1/1000000: ' + fault, row_creation_time))
            else:
                to_properties_creation_time = number
                taken.append(row_creation_time)
        attempts: Any = source.attempts
        if attempts is not None:
            if attempts:  # attempts, nsq.toml
                number = attempts + -1
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    notes.lost.append(('attempts', 'ushort', 'after add -1: ' + fault, row_attempts))
                else:
                    to_header_delivery_count = number
                    taken.append(row_attempts)
            else:  # attempts-0, nsq.toml
                notes.lost.append(('attempts', 'ushort', 'no attempt was counted', row_attempts_0))
        message_id: bytes | None = source.message_id
        if message_id is not None:
            if message_id.isascii():  # message-id, nsq.toml
                made = message_id.decode()
                if type(made) is not str:
                    notes.lost.append(('message_id', 'id_octets', made.reason, row_message_id))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    to_properties_message_id = TypedValue('string', made)
                    taken.append(row_message_id)
            else:  # message-id-octets, nsq.toml
                to_properties_message_id = TypedValue('binary', message_id)
                taken.append(row_message_id_octets)
        defer_ms: Any = source.defer_ms
        if defer_ms is not None:
            # defer, nsq.toml
            if 'x-opt-delivery-delay' in filled_message_annotations:
                too_late(notes, row_defer, 'defer_ms', 'defer', 'message_annotations', 'x-opt-delivery-delay', None)
            else:
                to_message_annotations.append(Entry('x-opt-delivery-delay', 'long', defer_ms))
                filled_message_annotations.add('x-opt-delivery-delay')
                taken.append((row_defer, None, 'x-opt-delivery-delay', None))
        batch_index: Any = source.batch_index
        if batch_index is not None:
            # batch-index, nsq.toml
            taken.append(row_batch_index)
        batch_size: Any = source.batch_size
        if batch_size is not None:
            # batch-size, nsq.toml
            taken.append(row_batch_size)
        body: Any = source.body
        if (  # envelope, nsq.toml
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
        else:  # body, nsq.toml
            to_body = Data([body])
            taken.append(row_body)
        # durable, nsq.toml
        if to_header_durable is None:
            to_header_durable = True
            taken.append(row_durable_sets_header_durable)
        to_header: Any = None
        if to_header_durable is not None or to_header_delivery_count is not None:
            to_header = Header(to_header_durable, None, None, None, to_header_delivery_count)
        to_properties: Any = None
        if to_properties_message_id is not None or to_properties_to is not None or to_properties_creation_time is not None:
            to_properties = Properties(
                to_properties_message_id,
                None,
                to_properties_to,
                None,
                None,
                None,
                None,
                None,
                None,
                to_properties_creation_time,
            )
        target = Message(to_header, None, to_message_annotations or None, to_properties, None, to_body, None)
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        return target

    return nsq_to_amqp_1_0

"""phpmq -> amqp-1.0, from phpmq.toml: `make generate` writes it."""

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
from mqconvert.converters.protocols.phpmq.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_frame: Any = rows['frame']
    when_utf8: Any = CONDITIONS['utf8'].function
    row_queue: Any = rows['queue']
    via_text: Any = TRANSFORMS['text'].function
    row_queue_lost: Any = rows['queue-lost']
    row_address: Any = rows['address']
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_message_id_uuid: Any = rows['message-id-uuid']
    row_message_id: Any = rows['message-id']
    row_message_id_octets: Any = rows['message-id-octets']
    row_ttl: Any = rows['ttl']
    fault_uint: Any = types['uint'].fault
    row_ttl_lost: Any = rows['ttl-lost']
    via_enveloped_message: Any = TRANSFORMS['enveloped-message'].function
    row_envelope: Any = rows['envelope']
    row_content: Any = rows['content']
    row_durable_sets_header_durable: Any = replace(rows['durable'], target='header.durable', constants={})
    made_by_rows_sections: Any = frozenset(['body', 'header', 'properties'])

    def phpmq_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; made: Any; number: int; target: Message
        taken: list[Any] = notes.taken
        to_properties_to: Any = None
        to_properties_message_id: Any = None
        to_header_ttl: Any = None
        to_body: Any = None
        to_header_durable: Any = None
        sections: dict[Any, Any] = {}
        the_frame: Any = source.frame
        if the_frame != 'send':
            # frame, phpmq.toml
            taken.append(row_frame)
        queue: bytes | None = source.queue
        if queue is not None:
            if queue.isascii() or when_utf8(queue):  # queue, phpmq.toml
                made = queue.decode() if queue.isascii() else via_text(queue)
                if type(made) is not str:
                    notes.lost.append(('queue', 'longstr', made.reason, row_queue))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if to_properties_to is not None:
                        too_late(notes, row_queue, 'queue', 'longstr', 'properties.to', None, None)
                    else:
                        to_properties_to = made
                        taken.append(row_queue)
            else:  # queue-lost, phpmq.toml
                notes.lost.append(('queue', 'longstr', 'not UTF-8', row_queue_lost))
        address: Any = environment.address
        if address is not None:
            if to_properties_to is None:  # address, phpmq.toml
                if not address.isascii() and (fault := fault_string(address)) is not None:
                    notes.lost.append(('@address', 'string', fault, row_address))
                else:
                    to_properties_to = address
                    taken.append(row_address)
        message_id: bytes | None = source.message_id
        if message_id is not None:
            if len(message_id) == 45 and (made := via_urn_to_uuid(message_id)) is not NOT_MINE:  # message-id-uuid, phpmq.toml
                to_properties_message_id = TypedValue('uuid', made)
                taken.append(row_message_id_uuid)
            elif message_id.isascii() or when_utf8(message_id):  # message-id, phpmq.toml
                made = message_id.decode() if message_id.isascii() else via_text(message_id)
                if type(made) is not str:
                    notes.lost.append(('message_id', 'longstr', made.reason, row_message_id))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    to_properties_message_id = TypedValue('string', made)
                    taken.append(row_message_id)
            else:  # message-id-octets, phpmq.toml
                to_properties_message_id = TypedValue('binary', message_id)
                taken.append(row_message_id_octets)
        ttl: int = source.ttl
        if ttl != 0:
            if ttl >= 1 and ttl <= 4294967:  # ttl, phpmq.toml
                number = ttl * 1000
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    notes.lost.append(('ttl', 'number', 'after scale 1000: ' + fault, row_ttl))
                else:
                    to_header_ttl = number
                    taken.append(row_ttl)
            else:  # ttl-lost, phpmq.toml
                notes.lost.append(('ttl', 'number', 'negative, or more milliseconds than 32 bits', row_ttl_lost))
        content: Any = source.content
        if (  # envelope, phpmq.toml
            environment.payload == 'envelope'
            and (made := via_enveloped_message(content, environment.payload)) is not NOT_MINE
        ):
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('content', 'payload', made.reason, row_envelope))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_envelope, None) in sections:
                    notes.lost.append(('content', 'payload', 'a second equal key', row_envelope))
                else:
                    sections[row_envelope, None] = 'payload', made
        else:  # content, phpmq.toml
            to_body = Data([content])
            taken.append(row_content)
        # durable, phpmq.toml
        if to_header_durable is None:
            to_header_durable = True
            taken.append(row_durable_sets_header_durable)
        to_header: Any = None
        if to_header_durable is not None or to_header_ttl is not None:
            to_header = Header(to_header_durable, None, to_header_ttl)
        to_properties: Any = None
        if to_properties_message_id is not None or to_properties_to is not None:
            to_properties = Properties(to_properties_message_id, None, to_properties_to)
        target = Message(to_header, None, None, to_properties, None, to_body, None)
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        return target

    return phpmq_to_amqp_1_0

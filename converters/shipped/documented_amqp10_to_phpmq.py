"""amqp-1.0 -> phpmq, from phpmq.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, no_field, refused, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import (
    Header as Of_EMPTY_header,
    Message as Source,
    Properties as Of_EMPTY_properties,
)
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
from mqconvert.converters.protocols.phpmq.message import Message
import mqconvert.converters.protocols.phpmq.words
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['phpmq'].named
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_frame_refused: Any = rows['frame-refused']
    row_frame: Any = rows['frame']
    row_frame_unset: Any = replace(rows['frame'], unset=True)
    fault_frame: Any = types['frame'].fault
    row_address: Any = rows['address']
    via_octets: Any = TRANSFORMS['octets'].function
    when_same_beside: Any = CONDITIONS['same-beside'].function
    row_to_given: Any = rows['to-given']
    row_to_dropped: Any = rows['to-dropped']
    row_to: Any = rows['to']
    row_ttl: Any = rows['ttl']
    row_ttl_unset: Any = replace(rows['ttl'], unset=True)
    fault_number: Any = types['number'].fault
    via_ttl_to_seconds: Any = TRANSFORMS['ttl-to-seconds'].function
    row_message_id: Any = rows['message-id']
    via_id_octets: Any = TRANSFORMS['id-octets'].function
    row_creation_time: Any = rows['creation-time']
    row_delivery_count: Any = rows['delivery-count']
    row_durable: Any = rows['durable']
    row_first_acquirer: Any = rows['first-acquirer']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_delivery_annotation: Any = rows['delivery-annotation']
    row_footer: Any = rows['footer']
    row_priority_dropped: Any = rows['priority-dropped']
    row_user_id_dropped: Any = rows['user-id-dropped']
    row_subject_dropped: Any = rows['subject-dropped']
    row_reply_to_dropped: Any = rows['reply-to-dropped']
    row_correlation_id_dropped: Any = rows['correlation-id-dropped']
    row_content_type_dropped: Any = rows['content-type-dropped']
    row_content_encoding_lost: Any = rows['content-encoding-lost']
    row_absolute_expiry_time_dropped: Any = rows['absolute-expiry-time-dropped']
    row_group_id_dropped: Any = rows['group-id-dropped']
    row_application_property_dropped: Any = rows['application-property-dropped']
    row_annotation_dropped: Any = rows['annotation-dropped']
    row_body: Any = rows['body']
    via_plain_payload: Any = TRANSFORMS['plain-payload'].function
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    row_frame_without_id: Any = rows['frame-without-id']
    row_envelope: Any = rows['envelope']
    via_amqp_envelope: Any = TRANSFORMS['amqp-envelope'].function
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

    def amqp_1_0_to_phpmq(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; label: Any; made: Any; target: Message; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        frame = environment.frame or 'send'
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        to_frame = 'send'
        to_queue: Any = None
        to_ttl: Any = 0
        to_message_id: Any = None
        to_content: Any = b''
        the_frame: Any = environment.frame
        if the_frame is not None:
            if the_frame not in ('dispatch', 'send'):  # frame-refused, phpmq.toml
                raise refused(row_frame_refused, '@frame', the_frame)
            else:  # frame, phpmq.toml
                if (fault := fault_frame(the_frame)) is not None:
                    notes.lost.append(('@frame', 'string', fault, row_frame))
                else:
                    to_frame = the_frame
                    taken.append(row_frame if to_frame != 'send' else row_frame_unset)
        address: Any = environment.address
        if address is not None:
            # address, phpmq.toml
            if to_queue is not None:
                too_late(notes, row_address, '@address', 'string', 'queue', None, None)
            else:
                to_queue = address.encode() if address.isascii() else via_octets(address)
                taken.append(row_address)
        to: str | None = properties.to
        if to is not None:
            if when_same_beside(to, environment.address):  # to-given, hub.toml
                taken.append(row_to_given)
            elif environment.address is not None and environment.address is not False:  # to-dropped, hub.toml
                taken.append(row_to_dropped)
            else:  # to, phpmq.toml
                if to_queue is not None:
                    too_late(notes, row_to, 'properties.to', 'string', 'queue', None, None)
                else:
                    to_queue = to.encode()
                    taken.append(row_to)
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, phpmq.toml
            made = via_ttl_to_seconds(ttl)
            if type(made) is not int:
                notes.lost.append(('header.ttl', 'uint', made.reason, row_ttl))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not -9223372036854775808 <= made <= 9223372036854775807 and (fault := fault_number(made)) is not None:
                    notes.lost.append(('header.ttl', 'uint', 'after ttl-to-seconds: ' + fault, row_ttl))
                else:
                    to_ttl = made
                    taken.append(row_ttl if to_ttl != 0 else row_ttl_unset)
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            # message-id, phpmq.toml
            if frame == 'dispatch':
                to_message_id = via_id_octets(value, type_)
                taken.append(row_message_id)
            else:
                notes.dropped.append((row_message_id, 'properties.message_id', no_field(frame)))
        creation_time: Any = properties.creation_time
        if creation_time is not None:
            # creation-time, phpmq.toml
            taken.append(row_creation_time)
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, phpmq.toml
            taken.append(row_delivery_count)
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
        priority: Any = header.priority
        if priority is not None:
            # priority-dropped, hub.toml
            taken.append(row_priority_dropped)
        user_id: Any = properties.user_id
        if user_id is not None:
            # user-id-dropped, hub.toml
            taken.append(row_user_id_dropped)
        subject: Any = properties.subject
        if subject is not None:
            # subject-dropped, hub.toml
            taken.append(row_subject_dropped)
        reply_to: Any = properties.reply_to
        if reply_to is not None:
            # reply-to-dropped, hub.toml
            taken.append(row_reply_to_dropped)
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            value = correlation_id.value
            # correlation-id-dropped, hub.toml
            taken.append(row_correlation_id_dropped)
        content_type: Any = properties.content_type
        if content_type is not None:
            # content-type-dropped, hub.toml
            taken.append(row_content_type_dropped)
        content_encoding: Any = properties.content_encoding
        if content_encoding is not None:
            # content-encoding-lost, hub.toml
            notes.lost.append(
                (
                    'properties.content_encoding',
                    'symbol',
                    'the payload means something else without it',
                    row_content_encoding_lost,
                ),
            )
        absolute_expiry_time: Any = properties.absolute_expiry_time
        if absolute_expiry_time is not None:
            # absolute-expiry-time-dropped, hub.toml
            taken.append(row_absolute_expiry_time_dropped)
        group_id: Any = properties.group_id
        if group_id is not None:
            # group-id-dropped, hub.toml
            taken.append(row_group_id_dropped)
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key = typed.key
                # application-property-dropped, hub.toml
                taken.append((row_application_property_dropped, key, None, None))
        message_annotations: list[Any] | None = source.message_annotations
        if message_annotations is not None:
            for typed in message_annotations:
                label = typed.key
                # annotation-dropped, hub.toml
                taken.append((row_annotation_dropped, label, None, None))
        body: Any = source.body
        if body is not None:
            # body, phpmq.toml
            made = via_plain_payload(body)
            if type(made) is not bytes:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), made.reason, row_body))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_content = made
                taken.append(row_body)
        else:  # no-body, phpmq.toml
            to_content = b''
            taken.append(row_no_body_told)
        target = Message(to_queue, to_content, to_message_id, to_ttl, to_frame)
        # frame-without-id, phpmq.toml
        if frame == 'dispatch' and target.message_id is None:
            raise refused(row_frame_without_id, 'message_id', target.message_id)
        # envelope, phpmq.toml
        if target.content is not None and environment.payload == 'envelope':
            made = via_amqp_envelope(target.content, environment.payload, source)
            if made != target.content:
                notes.finished(row_envelope, 'content', target.content, made, '@payload')
                target.content = made
            notes.kept_whole(row_envelope, source)
        return target

    return amqp_1_0_to_phpmq

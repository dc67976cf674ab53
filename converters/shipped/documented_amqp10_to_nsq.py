"""amqp-1.0 -> nsq, from nsq.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, no_field, refused, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
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
from mqconvert.converters.protocols.nsq.message import Message
import mqconvert.converters.protocols.nsq.words
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.literals


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['nsq'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    via_nsq_topic: Any = TRANSFORMS['nsq-topic'].function
    row_address: Any = rows['address']
    row_address_refused: Any = rows['address-refused']
    row_frame_refused: Any = rows['frame-refused']
    row_frame: Any = rows['frame']
    row_frame_unset: Any = replace(rows['frame'], unset=True)
    fault_frame: Any = types['frame'].fault
    when_outside_0: Any = CONDITIONS['outside 0'].function
    row_delay_refused: Any = rows['delay-refused']
    row_delay: Any = rows['delay']
    via_annotation_long: Any = TRANSFORMS['annotation long'].function
    when_annotation_beside_long: Any = CONDITIONS['annotation-beside long'].function
    row_delivery_time_dropped: Any = rows['delivery-time-dropped']
    via_by_clock_delay: Any = TRANSFORMS['by-clock delay'].function
    row_delivery_time: Any = rows['delivery-time']
    fault_defer: Any = types['defer'].fault
    row_delivery_time_refused: Any = rows['delivery-time-refused']
    row_delivery_time_clockless: Any = rows['delivery-time-clockless']
    keys_message_annotations: Any = frozenset(['x-opt-delivery-delay', 'x-opt-delivery-time'])
    row_annotation_dropped: Any = rows['annotation-dropped']
    row_ttl: Any = rows['ttl']
    row_attempts: Any = rows['attempts']
    fault_ushort: Any = types['ushort'].fault
    row_attempts_over: Any = rows['attempts-over']
    row_message_id: Any = rows['message-id']
    fault_id_octets: Any = types['id_octets'].fault
    via_id_octets: Any = TRANSFORMS['id-octets'].function
    when_outside_9223372036854_9223372036854: Any = CONDITIONS['outside -9223372036854 9223372036854'].function
    row_creation_time_refused: Any = rows['creation-time-refused']
    row_creation_time: Any = rows['creation-time']
    fault_long: Any = types['long'].fault
    row_clock: Any = rows['clock']
    when_same_beside: Any = CONDITIONS['same-beside'].function
    row_to_given: Any = rows['to-given']
    row_to_dropped: Any = rows['to-dropped']
    row_to: Any = rows['to']
    row_to_refused: Any = rows['to-refused']
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
    row_body: Any = rows['body']
    via_plain_payload: Any = TRANSFORMS['plain-payload'].function
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    row_frame_time_refused: Any = rows['frame-time-refused']
    row_frame_attempts: Any = rows['frame-attempts']
    via_constant_1: Any = TRANSFORMS['constant 1'].function
    row_frame_id: Any = rows['frame-id']
    via_constant: Any = TRANSFORMS['constant b"0000000000000000"'].function
    row_envelope: Any = rows['envelope']
    via_amqp_envelope: Any = TRANSFORMS['amqp-envelope'].function
    row_empty: Any = rows['empty']
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

    def amqp_1_0_to_nsq(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; label: Any; made: Any; number: int; raw: bytes; target: Message; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        frame = environment.frame or 'send'
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        index_message_annotations = by_key(source.message_annotations)
        to_topic: Any = None
        to_frame = 'send'
        to_defer_ms: Any = None
        to_attempts: Any = None
        to_message_id: Any = None
        to_timestamp: Any = None
        to_body: Any = b''
        address: Any = environment.address
        if address is not None:
            if (made := via_nsq_topic(address, environment.escape)) is not NOT_MINE:  # address, nsq.toml
                if to_topic is not None:
                    too_late(notes, row_address, '@address', 'string', 'topic', None, None)
                else:
                    to_topic = made
                    taken.append(row_address)
            else:  # address-refused, nsq.toml
                raise refused(row_address_refused, '@address', address)
        the_frame: Any = environment.frame
        if the_frame is not None:
            if the_frame not in ('message', 'send'):  # frame-refused, nsq.toml
                raise refused(row_frame_refused, '@frame', the_frame)
            else:  # frame, nsq.toml
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
                    if (  # delay-refused, nsq.toml
                        label == 'x-opt-delivery-delay'
                        and when_outside_0(typed.value, environment.max_req_timeout_ms)
                    ):
                        if frame == 'send':
                            raise refused(row_delay_refused, path('message_annotations', label), typed.value)
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_delay_refused))
                        continue
                    if label == 'x-opt-delivery-delay':  # delay, nsq.toml
                        if frame == 'send':
                            made = via_annotation_long(typed.value, type_)
                            if type(made) is not int:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_delay))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if to_defer_ms is not None:
                                    too_late(
                                        notes, row_delay, path('message_annotations', label), type_, 'defer_ms', None, label
                                    )
                                else:
                                    to_defer_ms = made
                                    taken.append((row_delay, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_delay))
                        continue
                    if (  # delivery-time-dropped, nsq.toml
                        label == 'x-opt-delivery-time'
                        and when_annotation_beside_long(typed.value, index_message_annotations.get('x-opt-delivery-delay'))
                    ):
                        taken.append((row_delivery_time_dropped, label, None, None))
                        continue
                    if (  # delivery-time, nsq.toml
                        label == 'x-opt-delivery-time'
                        and (
                            made := via_by_clock_delay(typed.value, type_, environment.clock, environment.max_req_timeout_ms)
                        ) is not NOT_MINE
                    ):
                        if frame == 'send':
                            if type(made) is not int:
                                notes.lost.append((path('message_annotations', label), type_, made.reason, row_delivery_time))
                                made = made.value if type(made) is Partial else None
                            if made is not None:
                                if (
                                    not -9223372036854775808 <= made <= 9223372036854775807
                                    and (fault := fault_defer(made)) is not None
                                ):
                                    notes.lost.append(
                                        (
                                            path('message_annotations', label),
                                            type_,
                                            'after by-clock delay: ' + fault,
                                            row_delivery_time,
                                        ),
                                    )
                                elif to_defer_ms is not None:
                                    too_late(
                                        notes,
                                        row_delivery_time,
                                        path('message_annotations', label),
                                        type_,
                                        'defer_ms',
                                        None,
                                        label,
                                    )
                                else:
                                    to_defer_ms = made
                                    taken.append((row_delivery_time, label, None, None))
                        else:
                            notes.lost.append((path('message_annotations', label), type_, no_field(frame), row_delivery_time))
                        continue
                    if (  # delivery-time-refused, nsq.toml
                        label == 'x-opt-delivery-time'
                        and environment.clock is not None
                        and environment.clock is not False
                    ):
                        if frame == 'send':
                            raise refused(row_delivery_time_refused, path('message_annotations', label), typed.value)
                        else:
                            notes.lost.append(
                                (path('message_annotations', label), type_, no_field(frame), row_delivery_time_refused)
                            )
                        continue
                    if label == 'x-opt-delivery-time':  # delivery-time-clockless, nsq.toml
                        if frame == 'send':
                            raise refused(row_delivery_time_clockless, path('message_annotations', label), typed.value)
                        else:
                            notes.lost.append(
                                (path('message_annotations', label), type_, no_field(frame), row_delivery_time_clockless)
                            )
                        continue
                # annotation-dropped, hub.toml
                taken.append((row_annotation_dropped, label, None, None))
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, nsq.toml
            taken.append(row_ttl)
        delivery_count: int | None = header.delivery_count
        if delivery_count is not None:
            if delivery_count <= 65534:  # attempts, nsq.toml
                if frame == 'message':
                    number = delivery_count + 1
                    if not 0 <= number <= 65535 and (fault := fault_ushort(number)) is not None:
                        notes.lost.append(('header.delivery_count', 'uint', 'after add 1: ' + fault, row_attempts))
                    else:
                        to_attempts = number
                        taken.append(row_attempts)
                else:
                    notes.dropped.append((row_attempts, 'header.delivery_count', no_field(frame)))
            else:  # attempts-over, nsq.toml
                if frame == 'message':
                    notes.lost.append(('header.delivery_count', 'uint', 'more than 65534 earlier attempts', row_attempts_over))
                else:
                    notes.dropped.append((row_attempts_over, 'header.delivery_count', no_field(frame)))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            # message-id, nsq.toml
            if frame == 'message':
                raw = via_id_octets(value, type_)
                if (fault := fault_id_octets(raw)) is not None:
                    notes.lost.append(('properties.message_id', type_, fault, row_message_id))
                else:
                    to_message_id = raw
                    taken.append(row_message_id)
            else:
                notes.dropped.append((row_message_id, 'properties.message_id', no_field(frame)))
        creation_time: int | None = properties.creation_time
        if creation_time is not None:
            if when_outside_9223372036854_9223372036854(creation_time):  # creation-time-refused, nsq.toml
                if frame == 'message':
                    raise refused(row_creation_time_refused, 'properties.creation_time', creation_time)
                else:
                    notes.dropped.append((row_creation_time_refused, 'properties.creation_time', no_field(frame)))
            else:  # creation-time, nsq.toml
                if frame == 'message':
                    number = creation_time * 1000000
                    if not -9223372036854775808 <= number <= 9223372036854775807 and (fault := fault_long(number)) is not None:
                        notes.lost.append(
                            ('properties.creation_time', 'timestamp', 'after scale 1000000: ' + fault, row_creation_time)
                        )
                    elif to_timestamp is not None:
                        too_late(notes, row_creation_time, 'properties.creation_time', 'timestamp', 'timestamp', None, None)
                    else:
                        to_timestamp = number
                        taken.append(row_creation_time)
                else:
                    notes.dropped.append((row_creation_time, 'properties.creation_time', no_field(frame)))
        clock: Any = environment.clock
        if clock is not None:
            if to_timestamp is None:  # clock, nsq.toml
                if frame == 'message':
                    number = clock * 1000000
                    if not -9223372036854775808 <= number <= 9223372036854775807 and (fault := fault_long(number)) is not None:
                        notes.lost.append(('@clock', 'timestamp', 'after scale 1000000: ' + fault, row_clock))
                    else:
                        to_timestamp = number
                        taken.append(row_clock)
        to: Any = properties.to
        if to is not None:
            if when_same_beside(to, environment.address):  # to-given, hub.toml
                taken.append(row_to_given)
            elif environment.address is not None and environment.address is not False:  # to-dropped, hub.toml
                taken.append(row_to_dropped)
            elif (made := via_nsq_topic(to, environment.escape)) is not NOT_MINE:  # to, nsq.toml
                if to_topic is not None:
                    too_late(notes, row_to, 'properties.to', 'string', 'topic', None, None)
                else:
                    to_topic = made
                    taken.append(row_to)
            else:  # to-refused, nsq.toml
                raise refused(row_to_refused, 'properties.to', to)
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
        body: Any = source.body
        if body is not None:
            # body, nsq.toml
            made = via_plain_payload(body)
            if type(made) is not bytes:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), made.reason, row_body))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_body = made
                taken.append(row_body)
        else:  # no-body, nsq.toml
            to_body = b''
            taken.append(row_no_body_told)
        target = Message(to_topic, None, to_timestamp, to_attempts, to_message_id, to_defer_ms, None, None, to_body, to_frame)
        # frame-time-refused, nsq.toml
        if frame == 'message' and target.timestamp is None:
            raise refused(row_frame_time_refused, 'timestamp', target.timestamp)
        # frame-attempts, nsq.toml
        if frame == 'message' and target.attempts is None:
            made = via_constant_1(target.attempts)
            if made != target.attempts:
                notes.finished(row_frame_attempts, 'attempts', target.attempts, made, '@constant')
                target.attempts = made
        # frame-id, nsq.toml
        if frame == 'message' and target.message_id is None:
            made = via_constant(target.message_id)
            if made != target.message_id:
                notes.finished(row_frame_id, 'message_id', target.message_id, made, '@constant')
                target.message_id = made
        # envelope, nsq.toml
        if target.body is not None and environment.payload == 'envelope':
            made = via_amqp_envelope(target.body, environment.payload, source)
            if made != target.body:
                notes.finished(row_envelope, 'body', target.body, made, '@payload')
                target.body = made
            notes.kept_whole(row_envelope, source)
        # empty, nsq.toml
        if frame == 'send' and target.body is not None and not target.body:
            raise refused(row_empty, 'body', target.body)
        return target

    return amqp_1_0_to_nsq

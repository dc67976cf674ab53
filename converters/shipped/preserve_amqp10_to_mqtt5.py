"""amqp-1.0 -> mqtt-5.0, from amqp10_to_mqtt5.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, refused, too_late
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import (
    Header as Of_EMPTY_header,
    Message as Source,
    Properties as Of_EMPTY_properties,
)
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_address: Any = rows['address']
    row_address_refused: Any = rows['address-refused']
    when_property_is_2: Any = CONDITIONS['property-is 2'].function
    row_qos_kept: Any = rows['qos-kept']
    row_durable: Any = rows['durable']
    row_durable_absent_sets_qos: Any = replace(rows['durable-absent'], source='@constant', target='qos', constants={})
    row_priority: Any = rows['priority']
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    row_ttl_exact: Any = rows['ttl-exact']
    row_ttl: Any = rows['ttl']
    fault_uint: Any = types['uint'].fault
    row_first_acquirer: Any = rows['first-acquirer']
    row_delivery_count: Any = rows['delivery-count']
    row_delivery_annotations: Any = rows['delivery-annotations']
    row_basic_type: Any = rows['basic-type']
    via_type_beside: Any = TRANSFORMS['type-beside'].function
    row_annotation_type: Any = rows['annotation-type']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    row_annotation_x: Any = rows['annotation-x']
    via_text_form: Any = TRANSFORMS['text-form'].function
    row_message_id_urn: Any = rows['message-id-urn']
    row_message_id_type: Any = rows['message-id-type']
    row_message_id: Any = rows['message-id']
    via_id_text: Any = TRANSFORMS['id-text'].function
    row_user_id: Any = rows['user-id']
    via_to_base64: Any = TRANSFORMS['to-base64'].function
    via_address_to_topic: Any = TRANSFORMS['address-to-topic'].function
    row_to_topic: Any = rows['to-topic']
    row_to: Any = rows['to']
    row_subject: Any = rows['subject']
    row_response_topic_kept: Any = rows['response-topic-kept']
    via_exchange_address_to_topic: Any = TRANSFORMS['exchange-address-to-topic'].function
    row_reply_to: Any = rows['reply-to']
    row_reply_to_other: Any = rows['reply-to-other']
    row_correlation_id_text: Any = rows['correlation-id-text']
    row_correlation_id_urn: Any = rows['correlation-id-urn']
    row_correlation_id_type: Any = rows['correlation-id-type']
    row_correlation_id_string: Any = rows['correlation-id-string']
    fault_binary: Any = types['binary'].fault
    via_id_octets: Any = TRANSFORMS['id-octets'].function
    row_correlation_id_ulong: Any = rows['correlation-id-ulong']
    via_octets: Any = TRANSFORMS['octets'].function
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    via_uuid_to_urn_then_octets: Any = TRANSFORMS['uuid-to-urn then octets'].function
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    row_creation_time: Any = rows['creation-time']
    row_group_id: Any = rows['group-id']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_mqtt_qos: Any = rows['mqtt-qos']
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    row_mqtt_retain: Any = rows['mqtt-retain']
    row_mqtt_retain_unset: Any = replace(rows['mqtt-retain'], unset=True)
    fault_bit: Any = types['bit'].fault
    row_mqtt_payload_format: Any = rows['mqtt-payload-format']
    via_read_uint: Any = TRANSFORMS['read uint'].function
    row_mqtt_message_expiry_interval: Any = rows['mqtt-message-expiry-interval']
    row_mqtt_response_topic: Any = rows['mqtt-response-topic']
    row_mqtt_content_type: Any = rows['mqtt-content-type']
    keys_application_properties: Any = frozenset(
        [
            'mqtt-content-type',
            'mqtt-message-expiry-interval',
            'mqtt-payload-format-indicator',
            'mqtt-qos',
            'mqtt-response-topic',
            'mqtt-retain',
        ],
    )
    row_application_property_type: Any = rows['application-property-type']
    row_application_property: Any = rows['application-property']
    row_body_data: Any = rows['body-data']
    via_body_octets: Any = TRANSFORMS['body-octets'].function
    when_value_of_binary: Any = CONDITIONS['value-of binary'].function
    row_body_binary: Any = rows['body-binary']
    when_value_of_string: Any = CONDITIONS['value-of string'].function
    row_body_string: Any = rows['body-string']
    row_body_string_sets_payload_format_indicator: Any = replace(
        rows['body-string'], source='@constant', target='payload_format_indicator', constants={}
    )
    row_body_value: Any = rows['body-value']
    row_body_value_sets_content_type: Any = replace(
        rows['body-value'], source='@constant', target='content_type', constants={}
    )
    row_body_value_uses_footer: Any = replace(rows['body-value'], source='footer')
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function
    row_body_sequence: Any = rows['body-sequence']
    row_body_sequence_sets_content_type: Any = replace(
        rows['body-sequence'], source='@constant', target='content_type', constants={}
    )
    row_body_sequence_uses_footer: Any = replace(rows['body-sequence'], source='footer')
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    row_footer: Any = rows['footer']
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

    def amqp_1_0_to_mqtt_5_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; key: str; label: Any; made: Any; number: int; raw: bytes; text: str; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        index_application_properties = by_key(source.application_properties)
        used_footer: Any = False
        to_topic_name: Any = None
        to_qos: Any = None
        to_user_properties: list[Any] = []
        to_message_expiry_interval: Any = None
        to_response_topic: Any = None
        to_correlation_data: Any = None
        to_content_type: Any = None
        to_retain: Any = None
        to_payload_format_indicator: Any = None
        to_payload: Any = b''
        address: Any = environment.address
        if address is not None:
            if topic_fault(address) is None:  # address, amqp10_to_mqtt5.toml
                if to_topic_name is not None:
                    too_late(notes, row_address, '@address', 'string', 'topic_name', None, None)
                else:
                    to_topic_name = address
                    taken.append(row_address)
            else:  # address-refused, amqp10_to_mqtt5.toml
                raise refused(row_address_refused, '@address', address)
        durable: Any = header.durable
        if durable is not None:
            if when_property_is_2(durable, index_application_properties.get('mqtt-qos')):  # qos-kept, preserve.toml
                taken.append(row_qos_kept)
            else:  # durable, amqp10_to_mqtt5.toml
                if to_qos is not None:
                    too_late(notes, row_durable, 'header.durable', 'boolean', 'qos', None, None)
                else:
                    to_qos = 1 if durable else 0
                    taken.append(row_durable)
        else:  # durable-absent, amqp10_to_mqtt5.toml
            to_qos = 0
            taken.append(row_durable_absent_sets_qos)
        priority: Any = header.priority
        if priority is not None:
            # priority, preserve.toml
            to_user_properties.append(('amqp-priority', str(priority)))
            taken.append((row_priority, None, 'amqp-priority', None))
        ttl: int | None = header.ttl
        if ttl is not None:
            if not when_in_whole_seconds(ttl):  # ttl-exact, preserve.toml
                to_user_properties.append(('amqp-ttl', str(ttl)))
                taken.append((row_ttl_exact, None, 'amqp-ttl', None))
            # ttl, preserve.toml
            number = ttl // 1000
            if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                notes.lost.append(('header.ttl', 'uint', 'after scale 1/1000: ' + fault, row_ttl))
            elif to_message_expiry_interval is not None:
                too_late(notes, row_ttl, 'header.ttl', 'uint', 'message_expiry_interval', None, None)
            else:
                to_message_expiry_interval = number
                taken.append(row_ttl)
        first_acquirer: Any = header.first_acquirer
        if first_acquirer is not None:
            # first-acquirer, preserve.toml
            to_user_properties.append(('amqp-first-acquirer', 'true' if first_acquirer else 'false'))
            taken.append((row_first_acquirer, None, 'amqp-first-acquirer', None))
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, preserve.toml
            to_user_properties.append(('amqp-delivery-count', str(delivery_count)))
            taken.append((row_delivery_count, None, 'amqp-delivery-count', None))
        delivery_annotations: list[Any] | None = source.delivery_annotations
        if delivery_annotations is not None:
            for typed in delivery_annotations:
                label = typed.key
                # delivery-annotations, amqp10_to_mqtt5.toml
                taken.append((row_delivery_annotations, label, None, None))
        message_annotations: list[Any] | None = source.message_annotations
        if message_annotations is not None:
            for typed in message_annotations:
                label, type_ = typed.key, typed.type
                took = False
                if label == 'x-basic-type' and type_ == 'string':  # basic-type, preserve.toml
                    if (
                        not (len(typed.value) < 65536 and typed.value.isascii() and '\x00' not in typed.value)
                        and (fault := fault_utf8(typed.value)) is not None
                    ):
                        notes.lost.append((path('message_annotations', label), type_, fault, row_basic_type))
                    else:
                        to_user_properties.append(('amqp-type', typed.value))
                        taken.append((row_basic_type, label, 'amqp-type', None))
                else:
                    if (  # annotation-type, preserve.toml
                        type(label) is str
                        and 'x-' <= label < 'x.'
                        and (made := via_type_beside(typed.value, type_)) is not NOT_MINE
                    ):
                        took = True
                        if (
                            not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                            and (fault := fault_utf8(made)) is not None
                        ):
                            notes.lost.append((path('message_annotations', label), type_, fault, row_annotation_type))
                        else:
                            name = 'amqp-type.x-' + label[2:]
                            if (
                                not (len(name) < 65536 and name.isascii() and '\x00' not in name)
                                and (fault := key_fault_utf8(name)) is not None
                            ):
                                notes.lost.append(
                                    (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_type)
                                )
                            else:
                                to_user_properties.append((name, made))
                                taken.append((row_annotation_type, label, name, None))
                    if type(label) is str and 'x-' <= label < 'x.':  # annotation-x, preserve.toml
                        made = via_text_form(typed.value, type_)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_annotation_x))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                and (fault := fault_utf8(made)) is not None
                            ):
                                notes.lost.append((path('message_annotations', label), type_, fault, row_annotation_x))
                            elif (
                                not (len(label) < 65536 and label.isascii() and '\x00' not in label)
                                and (fault := key_fault_utf8(label)) is not None
                            ):
                                notes.lost.append(
                                    (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_x)
                                )
                            else:
                                to_user_properties.append((label, made))
                                taken.append((row_annotation_x, label, label, None))
                    elif not took:
                        notes.lost.append((path('message_annotations', label), type_, 'no row takes it', None))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            if type_ == 'string' and value.startswith('urn:uuid:'):  # message-id-urn, preserve.toml
                to_user_properties.append(('amqp-type.amqp-message-id', 'string'))
                taken.append((row_message_id_urn, None, 'amqp-type.amqp-message-id', None))
            if (made := via_type_beside(value, type_)) is not NOT_MINE:  # message-id-type, preserve.toml
                if (
                    not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                    and (fault := fault_utf8(made)) is not None
                ):
                    notes.lost.append(('properties.message_id', type_, fault, row_message_id_type))
                else:
                    to_user_properties.append(('amqp-type.amqp-message-id', made))
                    taken.append((row_message_id_type, None, 'amqp-type.amqp-message-id', None))
            # message-id, preserve.toml
            made = via_id_text(value, type_)
            if type(made) is not str:
                notes.lost.append(('properties.message_id', type_, made.reason, row_message_id))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (
                    not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                    and (fault := fault_utf8(made)) is not None
                ):
                    notes.lost.append(('properties.message_id', type_, fault, row_message_id))
                else:
                    to_user_properties.append(('amqp-message-id', made))
                    taken.append((row_message_id, None, 'amqp-message-id', None))
        user_id: Any = properties.user_id
        if user_id is not None:
            # user-id, preserve.toml
            text = via_to_base64(user_id)
            if not (len(text) < 65536 and text.isascii() and '\x00' not in text) and (fault := fault_utf8(text)) is not None:
                notes.lost.append(('properties.user_id', 'binary', fault, row_user_id))
            else:
                to_user_properties.append(('amqp-user-id', text))
                taken.append((row_user_id, None, 'amqp-user-id', None))
        to: str | None = properties.to
        if to is not None:
            if (  # to-topic, preserve.toml
                to_topic_name is None
                and (made := via_address_to_topic(to, environment.mqtt_exchange)) is not NOT_MINE
            ):
                if type(made) is not str:
                    notes.lost.append(('properties.to', 'string', made.reason, row_to_topic))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        notes.lost.append(('properties.to', 'string', fault, row_to_topic))
                    else:
                        to_topic_name = made
                        taken.append(row_to_topic)
            # to, preserve.toml
            if not (len(to) < 65536 and to.isascii() and '\x00' not in to) and (fault := fault_utf8(to)) is not None:
                notes.lost.append(('properties.to', 'string', fault, row_to))
            else:
                to_user_properties.append(('amqp-to', to))
                taken.append((row_to, None, 'amqp-to', None))
        subject: str | None = properties.subject
        if subject is not None:
            # subject, preserve.toml
            if (
                not (len(subject) < 65536 and subject.isascii() and '\x00' not in subject)
                and (fault := fault_utf8(subject)) is not None
            ):
                notes.lost.append(('properties.subject', 'string', fault, row_subject))
            else:
                to_user_properties.append(('amqp-subject', subject))
                taken.append((row_subject, None, 'amqp-subject', None))
        reply_to: str | None = properties.reply_to
        if reply_to is not None:
            if (  # response-topic-kept, preserve.toml
                index_application_properties.get('mqtt-response-topic') is not None
                and index_application_properties.get('mqtt-response-topic') is not False
            ):
                taken.append(row_response_topic_kept)
            elif (  # reply-to, amqp10_to_mqtt5.toml
                made := via_exchange_address_to_topic(reply_to, environment.mqtt_exchange)
            ) is not NOT_MINE:
                if type(made) is not str:
                    notes.lost.append(('properties.reply_to', 'string', made.reason, row_reply_to))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        notes.lost.append(('properties.reply_to', 'string', fault, row_reply_to))
                    elif to_response_topic is not None:
                        too_late(notes, row_reply_to, 'properties.reply_to', 'string', 'response_topic', None, None)
                    else:
                        to_response_topic = made
                        taken.append(row_reply_to)
            else:  # reply-to-other, preserve.toml
                if (
                    not (len(reply_to) < 65536 and reply_to.isascii() and '\x00' not in reply_to)
                    and (fault := fault_utf8(reply_to)) is not None
                ):
                    notes.lost.append(('properties.reply_to', 'string', fault, row_reply_to_other))
                else:
                    to_user_properties.append(('amqp-reply-to', reply_to))
                    taken.append((row_reply_to_other, None, 'amqp-reply-to', None))
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            took = False
            if type_ == 'string':  # correlation-id-text, preserve.toml
                took = True
                to_user_properties.append(('amqp-type.amqp-correlation-id', 'string'))
                taken.append((row_correlation_id_text, None, 'amqp-type.amqp-correlation-id', None))
            if type_ == 'binary' and value.startswith(b'urn:uuid:'):  # correlation-id-urn, preserve.toml
                took = True
                to_user_properties.append(('amqp-type.amqp-correlation-id', 'binary'))
                taken.append((row_correlation_id_urn, None, 'amqp-type.amqp-correlation-id', None))
            if type_ == 'ulong':  # correlation-id-type, preserve.toml
                took = True
                to_user_properties.append(('amqp-type.amqp-correlation-id', 'ulong'))
                taken.append((row_correlation_id_type, None, 'amqp-type.amqp-correlation-id', None))
            if type_ in {'string', 'binary'}:  # correlation-id-string, amqp10_to_mqtt5.toml
                raw = via_id_octets(value, type_)
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id_string))
                else:
                    to_correlation_data = raw
                    taken.append(row_correlation_id_string)
            elif type_ == 'ulong':  # correlation-id-ulong, amqp10_to_mqtt5.toml
                raw = via_octets(str(value))
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id_ulong))
                else:
                    to_correlation_data = raw
                    taken.append(row_correlation_id_ulong)
            elif type_ == 'uuid':  # correlation-id-uuid, amqp10_to_mqtt5.toml
                raw = via_uuid_to_urn_then_octets(value)
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id_uuid))
                else:
                    to_correlation_data = raw
                    taken.append(row_correlation_id_uuid)
            elif not took:
                notes.lost.append(('properties.correlation_id', type_, 'no row takes it', None))
        content_type: str | None = properties.content_type
        if content_type is not None:
            # content-type, amqp10_to_mqtt5.toml
            if (
                not (len(content_type) < 65536 and content_type.isascii() and '\x00' not in content_type)
                and (fault := fault_utf8(content_type)) is not None
            ):
                notes.lost.append(('properties.content_type', 'symbol', fault, row_content_type))
            elif to_content_type is not None:
                too_late(notes, row_content_type, 'properties.content_type', 'symbol', 'content_type', None, None)
            else:
                to_content_type = content_type
                taken.append(row_content_type)
        content_encoding: str | None = properties.content_encoding
        if content_encoding is not None:
            # content-encoding, preserve.toml
            if (
                not (len(content_encoding) < 65536 and content_encoding.isascii() and '\x00' not in content_encoding)
                and (fault := fault_utf8(content_encoding)) is not None
            ):
                notes.lost.append(('properties.content_encoding', 'symbol', fault, row_content_encoding))
            else:
                to_user_properties.append(('amqp-content-encoding', content_encoding))
                taken.append((row_content_encoding, None, 'amqp-content-encoding', None))
        absolute_expiry_time: Any = properties.absolute_expiry_time
        if absolute_expiry_time is not None:
            # absolute-expiry-time, preserve.toml
            to_user_properties.append(('amqp-absolute-expiry-time', str(absolute_expiry_time)))
            taken.append((row_absolute_expiry_time, None, 'amqp-absolute-expiry-time', None))
        creation_time: Any = properties.creation_time
        if creation_time is not None:
            # creation-time, preserve.toml
            to_user_properties.append(('amqp-creation-time', str(creation_time)))
            taken.append((row_creation_time, None, 'amqp-creation-time', None))
        group_id: str | None = properties.group_id
        if group_id is not None:
            # group-id, preserve.toml
            if (
                not (len(group_id) < 65536 and group_id.isascii() and '\x00' not in group_id)
                and (fault := fault_utf8(group_id)) is not None
            ):
                notes.lost.append(('properties.group_id', 'string', fault, row_group_id))
            else:
                to_user_properties.append(('amqp-group-id', group_id))
                taken.append((row_group_id, None, 'amqp-group-id', None))
        group_sequence: Any = properties.group_sequence
        if group_sequence is not None:
            # group-sequence, preserve.toml
            to_user_properties.append(('amqp-group-sequence', str(group_sequence)))
            taken.append((row_group_sequence, None, 'amqp-group-sequence', None))
        reply_to_group_id: str | None = properties.reply_to_group_id
        if reply_to_group_id is not None:
            # reply-to-group-id, preserve.toml
            if (
                not (len(reply_to_group_id) < 65536 and reply_to_group_id.isascii() and '\x00' not in reply_to_group_id)
                and (fault := fault_utf8(reply_to_group_id)) is not None
            ):
                notes.lost.append(('properties.reply_to_group_id', 'string', fault, row_reply_to_group_id))
            else:
                to_user_properties.append(('amqp-reply-to-group-id', reply_to_group_id))
                taken.append((row_reply_to_group_id, None, 'amqp-reply-to-group-id', None))
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                if 'mqtt-' <= key < 'mqtt.' and key in keys_application_properties:
                    if key == 'mqtt-qos' and type_ == 'string' and typed.value == '2':  # mqtt-qos, preserve.toml
                        if to_qos is not None:
                            too_late(notes, row_mqtt_qos, path('application_properties', key), type_, 'qos', None, key)
                        else:
                            to_qos = 2
                            taken.append((row_mqtt_qos, key, None, None))
                        continue
                    if (  # mqtt-retain, preserve.toml
                        key == 'mqtt-retain'
                        and type_ == 'string'
                        and (made := via_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None:
                            notes.lost.append(
                                (path('application_properties', key), type_, 'after read ubyte: ' + fault, row_mqtt_retain)
                            )
                        elif to_retain is not None:
                            too_late(notes, row_mqtt_retain, path('application_properties', key), type_, 'retain', None, key)
                        else:
                            to_retain = made
                            taken.append((row_mqtt_retain if to_retain != 0 else row_mqtt_retain_unset, key, None, None))
                        continue
                    if (  # mqtt-payload-format, preserve.toml
                        key == 'mqtt-payload-format-indicator'
                        and type_ == 'string'
                        and (made := via_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None:
                            notes.lost.append(
                                (
                                    path('application_properties', key),
                                    type_,
                                    'after read ubyte: ' + fault,
                                    row_mqtt_payload_format,
                                ),
                            )
                        elif to_payload_format_indicator is not None:
                            too_late(
                                notes,
                                row_mqtt_payload_format,
                                path('application_properties', key),
                                type_,
                                'payload_format_indicator',
                                None,
                                key,
                            )
                        else:
                            to_payload_format_indicator = made
                            taken.append((row_mqtt_payload_format, key, None, None))
                        continue
                    if (  # mqtt-message-expiry-interval, preserve.toml
                        key == 'mqtt-message-expiry-interval'
                        and type_ == 'string'
                        and (made := via_read_uint(typed.value)) is not NOT_MINE
                    ):
                        if to_message_expiry_interval is not None:
                            too_late(
                                notes,
                                row_mqtt_message_expiry_interval,
                                path('application_properties', key),
                                type_,
                                'message_expiry_interval',
                                None,
                                key,
                            )
                        else:
                            to_message_expiry_interval = made
                            taken.append((row_mqtt_message_expiry_interval, key, None, None))
                        continue
                    if key == 'mqtt-response-topic' and type_ == 'string':  # mqtt-response-topic, preserve.toml
                        if (fault := fault_topic(typed.value)) is not None:
                            notes.lost.append((path('application_properties', key), type_, fault, row_mqtt_response_topic))
                        elif to_response_topic is not None:
                            too_late(
                                notes,
                                row_mqtt_response_topic,
                                path('application_properties', key),
                                type_,
                                'response_topic',
                                None,
                                key,
                            )
                        else:
                            to_response_topic = typed.value
                            taken.append((row_mqtt_response_topic, key, None, None))
                        continue
                    if key == 'mqtt-content-type' and type_ == 'string':  # mqtt-content-type, preserve.toml
                        if (
                            not (len(typed.value) < 65536 and typed.value.isascii() and '\x00' not in typed.value)
                            and (fault := fault_utf8(typed.value)) is not None
                        ):
                            notes.lost.append((path('application_properties', key), type_, fault, row_mqtt_content_type))
                        elif to_content_type is not None:
                            too_late(
                                notes,
                                row_mqtt_content_type,
                                path('application_properties', key),
                                type_,
                                'content_type',
                                None,
                                key,
                            )
                        else:
                            to_content_type = typed.value
                            taken.append((row_mqtt_content_type, key, None, None))
                        continue
                if (made := via_type_beside(typed.value, type_)) is not NOT_MINE:  # application-property-type, preserve.toml
                    if (
                        not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                        and (fault := fault_utf8(made)) is not None
                    ):
                        notes.lost.append((path('application_properties', key), type_, fault, row_application_property_type))
                    else:
                        name = 'amqp-type.' + key
                        if (
                            not (len(name) < 65536 and name.isascii() and '\x00' not in name)
                            and (fault := key_fault_utf8(name)) is not None
                        ):
                            notes.lost.append(
                                (
                                    path('application_properties', key),
                                    type_,
                                    'its key is ' + fault,
                                    row_application_property_type,
                                ),
                            )
                        else:
                            to_user_properties.append((name, made))
                            taken.append((row_application_property_type, key, name, None))
                # application-property, preserve.toml
                made = via_text_form(typed.value, type_)
                if type(made) is not str:
                    notes.lost.append((path('application_properties', key), type_, made.reason, row_application_property))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                        and (fault := fault_utf8(made)) is not None
                    ):
                        notes.lost.append((path('application_properties', key), type_, fault, row_application_property))
                    elif (
                        not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_utf8(key)) is not None
                    ):
                        notes.lost.append(
                            (path('application_properties', key), type_, 'its key is ' + fault, row_application_property)
                        )
                    else:
                        to_user_properties.append((key, made))
                        taken.append((row_application_property, key, key, None))
        body: Any = source.body
        if body is not None:
            if type(body) is Data:  # body-data, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
                taken.append(row_body_data)
            elif type(body) is AmqpValue and when_value_of_binary(body):  # body-binary, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
                taken.append(row_body_binary)
            elif type(body) is AmqpValue and when_value_of_string(body):  # body-string, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
                taken.append(row_body_string)
                if to_payload_format_indicator is not None:
                    notes.replace({'payload_format_indicator': row_body_string})
                to_payload_format_indicator = 1
                taken.append(row_body_string_sets_payload_format_indicator)
            elif type(body) is AmqpValue:  # body-value, amqp10_to_mqtt5.toml
                to_payload = via_amqp_encoded_body(body, source.footer)
                taken.append(row_body_value)
                if to_content_type is not None:
                    notes.replace({'content_type': row_body_value})
                to_content_type = 'message/vnd.rabbitmq.amqp'
                taken.append(row_body_value_sets_content_type)
                if source.footer is not None:
                    used_footer = True
                    taken.append(row_body_value_uses_footer)
            elif type(body) is AmqpSequence:  # body-sequence, amqp10_to_mqtt5.toml
                to_payload = via_amqp_encoded_body(body, source.footer)
                taken.append(row_body_sequence)
                if to_content_type is not None:
                    notes.replace({'content_type': row_body_sequence})
                to_content_type = 'message/vnd.rabbitmq.amqp'
                taken.append(row_body_sequence_sets_content_type)
                if source.footer is not None:
                    used_footer = True
                    taken.append(row_body_sequence_uses_footer)
            else:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), 'no row takes it', None))
        else:  # no-body, amqp10_to_mqtt5.toml
            to_payload = b''
            taken.append(row_no_body_told)
        footer: list[Any] | None = source.footer
        if footer is not None and not used_footer:
            for typed in footer:
                label = typed.key
                # footer, amqp10_to_mqtt5.toml
                taken.append((row_footer, label, None, None))
        return Message(
            0,
            0 if to_qos is None else to_qos,
            0 if to_retain is None else to_retain,
            '' if to_topic_name is None else to_topic_name,
            None,
            to_payload_format_indicator,
            to_message_expiry_interval,
            None,
            to_response_topic,
            to_correlation_data,
            to_user_properties or None,
            None,
            to_content_type,
            to_payload,
        )

    return amqp_1_0_to_mqtt_5_0

"""amqp-1.0 -> mqtt-5.0, from amqp10_to_mqtt5.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, put_before, refused, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
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
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.expressions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_type_float: Any = rows['type-float']
    row_type_char: Any = rows['type-char']
    via_text_form: Any = TRANSFORMS['text-form'].function
    row_type_timestamp: Any = rows['type-timestamp']
    via_whole_seconds_then_to_decimal: Any = TRANSFORMS['whole-seconds then to-decimal'].function
    via_uuid_to_urn: Any = TRANSFORMS['uuid-to-urn'].function
    row_type_string: Any = rows['type-string']
    row_type_symbol: Any = rows['type-symbol']
    row_address: Any = rows['address']
    row_address_refused: Any = rows['address-refused']
    row_durable: Any = rows['durable']
    row_durable_absent_sets_qos: Any = replace(rows['durable-absent'], source='@constant', target='qos', constants={})
    row_priority: Any = rows['priority']
    row_ttl: Any = rows['ttl']
    row_first_acquirer: Any = rows['first-acquirer']
    row_delivery_count: Any = rows['delivery-count']
    row_delivery_annotations: Any = rows['delivery-annotations']
    row_annotation_x_compound: Any = rows['annotation-x-compound']
    row_annotation_x: Any = rows['annotation-x']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    row_message_id: Any = rows['message-id']
    row_user_id: Any = rows['user-id']
    via_address_to_topic: Any = TRANSFORMS['address-to-topic'].function
    row_to_topic: Any = rows['to-topic']
    row_to: Any = rows['to']
    row_subject: Any = rows['subject']
    via_exchange_address_to_topic: Any = TRANSFORMS['exchange-address-to-topic'].function
    row_reply_to: Any = rows['reply-to']
    row_reply_to_other: Any = rows['reply-to-other']
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
    row_application_property_compound: Any = rows['application-property-compound']
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

    def top_type_null(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-null, amqp10_to_mqtt5.toml
        return 'type-null', 'utf8', ''

    def top_type_boolean(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-boolean, amqp10_to_mqtt5.toml
        return 'type-boolean', 'utf8', 'true' if value else 'false'

    def top_type_integer(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-integer, amqp10_to_mqtt5.toml
        return 'type-integer', 'utf8', str(value)

    def top_type_float(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-float, amqp10_to_mqtt5.toml
        made = format(value, '.20e')
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'float', fault, row_type_float))
            return None, None, None
        return 'type-float', 'utf8', made

    def top_type_float_2(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-float, amqp10_to_mqtt5.toml
        made = format(value, '.20e')
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'double', fault, row_type_float))
            return None, None, None
        return 'type-float', 'utf8', made

    def top_type_char(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-char, amqp10_to_mqtt5.toml
        made = via_text_form(value, 'char')
        if type(made) is not str:
            made = part(made, 'char', row_type_char, lost)
            if made is None:
                return None, None, None
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'char', fault, row_type_char))
            return None, None, None
        return 'type-char', 'utf8', made

    def top_type_timestamp(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-timestamp, amqp10_to_mqtt5.toml
        made = str(value // 1000) if value >= 0 and value % 1000 == 0 else via_whole_seconds_then_to_decimal(value)
        if type(made) is not str:
            made = part(made, 'timestamp', row_type_timestamp, lost)
            if made is None:
                return None, None, None
        return 'type-timestamp', 'utf8', made

    def top_type_uuid(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-uuid, amqp10_to_mqtt5.toml
        return 'type-uuid', 'utf8', via_uuid_to_urn(value)

    def top_type_string(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-string, amqp10_to_mqtt5.toml
        if not (len(value) < 65536 and value.isascii() and '\x00' not in value) and (fault := fault_utf8(value)) is not None:
            lost.append(('', 'string', fault, row_type_string))
            return None, None, None
        return 'type-string', 'utf8', value

    def top_type_symbol(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-symbol, amqp10_to_mqtt5.toml
        if not (len(value) < 65536 and value.isascii() and '\x00' not in value) and (fault := fault_utf8(value)) is not None:
            lost.append(('', 'symbol', fault, row_type_symbol))
            return None, None, None
        return 'type-symbol', 'utf8', value

    types_top = TypeTable(
        {
            'null': top_type_null,
            'boolean': top_type_boolean,
            'ubyte': top_type_integer,
            'ushort': top_type_integer,
            'uint': top_type_integer,
            'ulong': top_type_integer,
            'byte': top_type_integer,
            'short': top_type_integer,
            'int': top_type_integer,
            'long': top_type_integer,
            'float': top_type_float,
            'double': top_type_float_2,
            'char': top_type_char,
            'timestamp': top_type_timestamp,
            'uuid': top_type_uuid,
            'string': top_type_string,
            'symbol': top_type_symbol,
        },
    )

    types_nested = types_top

    types_entry = types_top

    types_key = TypeTable({})

    inside = Inside(types_nested, types_entry, types_key, None, {})

    def amqp_1_0_to_mqtt_5_0(source: Source, environment: Environment, notes: Notes) -> Any:
        as_: str | None; before: int; by: str | None; fault: str | None; key: str; label: Any; lost: list[Any]; made: Any; number: int; raw: bytes; text: str; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        used_footer: Any = False
        to_topic_name: Any = None
        to_qos: Any = 0
        to_user_properties: list[Any] = []
        to_response_topic: Any = None
        to_correlation_data: Any = None
        to_content_type: Any = None
        to_payload: Any = b''
        to_payload_format_indicator: Any = None
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
            # durable, amqp10_to_mqtt5.toml
            to_qos = 1 if durable else 0
            taken.append(row_durable)
        else:  # durable-absent, amqp10_to_mqtt5.toml
            to_qos = 0
            taken.append(row_durable_absent_sets_qos)
        priority: Any = header.priority
        if priority is not None:
            # priority, amqp10_to_mqtt5.toml
            taken.append(row_priority)
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, amqp10_to_mqtt5.toml
            taken.append(row_ttl)
        first_acquirer: Any = header.first_acquirer
        if first_acquirer is not None:
            # first-acquirer, amqp10_to_mqtt5.toml
            taken.append(row_first_acquirer)
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, amqp10_to_mqtt5.toml
            taken.append(row_delivery_count)
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
                if (  # annotation-x-compound, amqp10_to_mqtt5.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ in {'array', 'list', 'map', 'binary'}
                ):
                    taken.append((row_annotation_x_compound, label, None, None))
                elif type(label) is str and 'x-' <= label < 'x.':  # annotation-x, amqp10_to_mqtt5.toml
                    if (  # type-string, amqp10_to_mqtt5.toml
                        type_ == 'string'
                        and len(text := typed.value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-string'
                        made = text
                    elif (  # type-symbol, amqp10_to_mqtt5.toml
                        type_ == 'symbol'
                        and len(text := typed.value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-symbol'
                        made = text
                    elif type_ == 'null':  # type-null, amqp10_to_mqtt5.toml
                        by = 'type-null'
                        made = ''
                    elif type_ == 'boolean':  # type-boolean, amqp10_to_mqtt5.toml
                        by = 'type-boolean'
                        made = 'true' if typed.value else 'false'
                    elif type_ in {  # type-integer, amqp10_to_mqtt5.toml
                        'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long'
                    }:
                        by = 'type-integer'
                        made = str(typed.value)
                    elif (  # type-timestamp, amqp10_to_mqtt5.toml
                        type_ == 'timestamp'
                        and (number := typed.value) >= 0
                        and number % 1000 == 0
                    ):
                        by = 'type-timestamp'
                        made = str(number // 1000)
                    else:
                        lost = notes.lost
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            put_before(path('message_annotations', label), lost, before)
                        if by is None:
                            continue
                    if (
                        not (len(label) < 65536 and label.isascii() and '\x00' not in label)
                        and (fault := key_fault_utf8(label)) is not None
                    ):
                        notes.lost.append((path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_x))
                    else:
                        to_user_properties.append((label, made))
                        taken.append((row_annotation_x, label, label, by))
                else:
                    notes.lost.append((path('message_annotations', label), type_, 'no row takes it', None))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            value = message_id.value
            # message-id, amqp10_to_mqtt5.toml
            taken.append(row_message_id)
        user_id: Any = properties.user_id
        if user_id is not None:
            # user-id, amqp10_to_mqtt5.toml
            taken.append(row_user_id)
        to: Any = properties.to
        if to is not None:
            if (  # to-topic, amqp10_to_mqtt5.toml
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
            else:  # to, amqp10_to_mqtt5.toml
                taken.append(row_to)
        subject: Any = properties.subject
        if subject is not None:
            # subject, amqp10_to_mqtt5.toml
            taken.append(row_subject)
        reply_to: Any = properties.reply_to
        if reply_to is not None:
            if (  # reply-to, amqp10_to_mqtt5.toml
                made := via_exchange_address_to_topic(reply_to, environment.mqtt_exchange)
            ) is not NOT_MINE:
                if type(made) is not str:
                    notes.lost.append(('properties.reply_to', 'string', made.reason, row_reply_to))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        notes.lost.append(('properties.reply_to', 'string', fault, row_reply_to))
                    else:
                        to_response_topic = made
                        taken.append(row_reply_to)
            else:  # reply-to-other, amqp10_to_mqtt5.toml
                taken.append(row_reply_to_other)
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
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
            else:
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
        content_encoding: Any = properties.content_encoding
        if content_encoding is not None:
            # content-encoding, amqp10_to_mqtt5.toml
            notes.lost.append(
                ('properties.content_encoding', 'symbol', 'the payload means something else without it', row_content_encoding)
            )
        absolute_expiry_time: Any = properties.absolute_expiry_time
        if absolute_expiry_time is not None:
            # absolute-expiry-time, amqp10_to_mqtt5.toml
            taken.append(row_absolute_expiry_time)
        creation_time: Any = properties.creation_time
        if creation_time is not None:
            # creation-time, amqp10_to_mqtt5.toml
            taken.append(row_creation_time)
        group_id: Any = properties.group_id
        if group_id is not None:
            # group-id, amqp10_to_mqtt5.toml
            taken.append(row_group_id)
        group_sequence: Any = properties.group_sequence
        if group_sequence is not None:
            # group-sequence, amqp10_to_mqtt5.toml
            taken.append(row_group_sequence)
        reply_to_group_id: Any = properties.reply_to_group_id
        if reply_to_group_id is not None:
            # reply-to-group-id, amqp10_to_mqtt5.toml
            taken.append(row_reply_to_group_id)
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                if type_ in {'array', 'list', 'map', 'binary'}:  # application-property-compound, amqp10_to_mqtt5.toml
                    taken.append((row_application_property_compound, key, None, None))
                else:  # application-property, amqp10_to_mqtt5.toml
                    if (  # type-string, amqp10_to_mqtt5.toml
                        type_ == 'string'
                        and len(text := typed.value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-string'
                        made = text
                    elif (  # type-symbol, amqp10_to_mqtt5.toml
                        type_ == 'symbol'
                        and len(text := typed.value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-symbol'
                        made = text
                    elif type_ == 'null':  # type-null, amqp10_to_mqtt5.toml
                        by = 'type-null'
                        made = ''
                    elif type_ == 'boolean':  # type-boolean, amqp10_to_mqtt5.toml
                        by = 'type-boolean'
                        made = 'true' if typed.value else 'false'
                    elif type_ in {  # type-integer, amqp10_to_mqtt5.toml
                        'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long'
                    }:
                        by = 'type-integer'
                        made = str(typed.value)
                    elif (  # type-timestamp, amqp10_to_mqtt5.toml
                        type_ == 'timestamp'
                        and (number := typed.value) >= 0
                        and number % 1000 == 0
                    ):
                        by = 'type-timestamp'
                        made = str(number // 1000)
                    else:
                        lost = notes.lost
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            put_before(path('application_properties', key), lost, before)
                        if by is None:
                            continue
                    if (
                        not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_utf8(key)) is not None
                    ):
                        notes.lost.append(
                            (path('application_properties', key), type_, 'its key is ' + fault, row_application_property)
                        )
                    else:
                        to_user_properties.append((key, made))
                        taken.append((row_application_property, key, key, by))
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
            to_qos,
            0,
            '' if to_topic_name is None else to_topic_name,
            None,
            to_payload_format_indicator,
            None,
            None,
            to_response_topic,
            to_correlation_data,
            to_user_properties or None,
            None,
            to_content_type,
            to_payload,
        )

    return amqp_1_0_to_mqtt_5_0

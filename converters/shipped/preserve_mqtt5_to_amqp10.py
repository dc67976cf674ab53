"""mqtt-5.0 -> amqp-1.0, from mqtt5_to_amqp10.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, place_sections, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_dup: Any = rows['dup']
    row_qos_2: Any = rows['qos-2']
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    when_text_beside: Any = CONDITIONS['text-beside'].function
    row_payload_format_indicator_text: Any = rows['payload-format-indicator-text']
    row_payload_format_indicator: Any = rows['payload-format-indicator']
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    row_ttl_exact: Any = rows['ttl-exact']
    row_message_expiry_interval: Any = rows['message-expiry-interval']
    fault_uint: Any = types['uint'].fault
    row_message_expiry_interval_long: Any = rows['message-expiry-interval-long']
    row_topic_alias: Any = rows['topic-alias']
    row_mqtt_response_topic: Any = rows['mqtt-response-topic']
    row_mqtt_response_topic_star: Any = rows['mqtt-response-topic-star']
    row_response_topic: Any = rows['response-topic']
    via_key_to_address: Any = TRANSFORMS['key-to-address'].function
    via_typed_id: Any = TRANSFORMS['typed-id'].function
    row_kept_correlation_id: Any = rows['kept-correlation-id']
    row_former_correlation_id: Any = rows['former-correlation-id']
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_correlation_data_uuid: Any = rows['correlation-data-uuid']
    row_correlation_data: Any = rows['correlation-data']
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    row_kept_correlation_id_type: Any = rows['kept-correlation-id-type']
    row_former_correlation_id_type: Any = rows['former-correlation-id-type']
    row_kept_message_id: Any = rows['kept-message-id']
    row_kept_message_id_type: Any = rows['kept-message-id-type']
    row_kept_message_id_uuid: Any = rows['kept-message-id-uuid']
    row_kept_message_id_text: Any = rows['kept-message-id-text']
    row_former_message_id: Any = rows['former-message-id']
    row_former_message_id_type: Any = rows['former-message-id-type']
    row_former_message_id_text: Any = rows['former-message-id-text']
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    row_kept_priority: Any = rows['kept-priority']
    via_read_uint: Any = TRANSFORMS['read uint'].function
    row_kept_ttl: Any = rows['kept-ttl']
    via_read_boolean: Any = TRANSFORMS['read boolean'].function
    row_kept_first_acquirer: Any = rows['kept-first-acquirer']
    row_kept_delivery_count: Any = rows['kept-delivery-count']
    via_read_binary: Any = TRANSFORMS['read binary'].function
    row_kept_user_id: Any = rows['kept-user-id']
    row_kept_to: Any = rows['kept-to']
    row_kept_subject: Any = rows['kept-subject']
    row_kept_reply_to: Any = rows['kept-reply-to']
    row_kept_content_encoding: Any = rows['kept-content-encoding']
    via_read_timestamp: Any = TRANSFORMS['read timestamp'].function
    row_kept_absolute_expiry_time: Any = rows['kept-absolute-expiry-time']
    row_kept_creation_time: Any = rows['kept-creation-time']
    row_kept_group_id: Any = rows['kept-group-id']
    row_kept_group_sequence: Any = rows['kept-group-sequence']
    row_kept_reply_to_group_id: Any = rows['kept-reply-to-group-id']
    row_kept_app_id: Any = rows['kept-app-id']
    row_kept_basic_type: Any = rows['kept-basic-type']
    row_former_priority: Any = rows['former-priority']
    row_former_ttl: Any = rows['former-ttl']
    row_former_first_acquirer: Any = rows['former-first-acquirer']
    row_former_delivery_count: Any = rows['former-delivery-count']
    row_former_user_id: Any = rows['former-user-id']
    row_former_to: Any = rows['former-to']
    row_former_subject: Any = rows['former-subject']
    row_former_reply_to: Any = rows['former-reply-to']
    row_former_content_encoding: Any = rows['former-content-encoding']
    row_former_absolute_expiry_time: Any = rows['former-absolute-expiry-time']
    row_former_creation_time: Any = rows['former-creation-time']
    row_former_group_id: Any = rows['former-group-id']
    row_former_group_sequence: Any = rows['former-group-sequence']
    row_former_reply_to_group_id: Any = rows['former-reply-to-group-id']
    keys_user_properties: Any = frozenset(
        [
            'amqp-absolute-expiry-time',
            'amqp-app-id',
            'amqp-content-encoding',
            'amqp-creation-time',
            'amqp-delivery-count',
            'amqp-first-acquirer',
            'amqp-group-id',
            'amqp-group-sequence',
            'amqp-message-id',
            'amqp-priority',
            'amqp-reply-to',
            'amqp-reply-to-group-id',
            'amqp-subject',
            'amqp-to',
            'amqp-ttl',
            'amqp-type',
            'amqp-type.amqp-correlation-id',
            'amqp-type.amqp-message-id',
            'amqp-user-id',
            'x-opt-amqp-absolute-expiry-time',
            'x-opt-amqp-content-encoding',
            'x-opt-amqp-correlation-id-type',
            'x-opt-amqp-creation-time',
            'x-opt-amqp-delivery-count',
            'x-opt-amqp-first-acquirer',
            'x-opt-amqp-group-id',
            'x-opt-amqp-group-sequence',
            'x-opt-amqp-message-id',
            'x-opt-amqp-message-id-type',
            'x-opt-amqp-priority',
            'x-opt-amqp-reply-to',
            'x-opt-amqp-reply-to-group-id',
            'x-opt-amqp-subject',
            'x-opt-amqp-to',
            'x-opt-amqp-ttl',
            'x-opt-amqp-user-id',
        ],
    )
    when_fits_typed_text: Any = CONDITIONS['fits typed-text'].function
    row_kept_type: Any = rows['kept-type']
    row_former_type: Any = rows['former-type']
    via_typed_text: Any = TRANSFORMS['typed-text'].function
    row_kept_annotation: Any = rows['kept-annotation']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_former_annotation: Any = rows['former-annotation']
    row_user_property_x: Any = rows['user-property-x']
    row_kept_application_property: Any = rows['kept-application-property']
    key_fault_string: Any = types['application-properties'].key_fault
    row_former_application_property: Any = rows['former-application-property']
    row_user_property: Any = rows['user-property']
    row_subscription_identifier: Any = rows['subscription-identifier']
    when_fits_decoded_sections: Any = CONDITIONS['fits decoded-sections'].function
    row_content_type_encoded: Any = rows['content-type-encoded']
    row_content_type: Any = rows['content-type']
    row_content_type_other: Any = rows['content-type-other']
    via_body_as_value_string: Any = TRANSFORMS['body-as value-string'].function
    row_payload_text: Any = rows['payload-text']
    via_decoded_sections: Any = TRANSFORMS['decoded-sections'].function
    row_payload_encoded: Any = rows['payload-encoded']
    row_payload: Any = rows['payload']
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )

    def mqtt_5_0_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; index: Any; item: Any; key: str; made: Any; number: int; pair: tuple[str, str]; target: Message; text: str; value: str
        taken: list[Any] = notes.taken
        index_user_properties = dict(source.user_properties or ())
        to_application_properties: list[Any] = []
        filled_application_properties: set[Any] = set()
        to_header_durable: Any = None
        to_header_ttl: Any = None
        to_properties_reply_to: Any = None
        to_properties_correlation_id: Any = None
        to_properties_message_id: Any = None
        to_header_priority: Any = None
        to_header_first_acquirer: Any = None
        to_header_delivery_count: Any = None
        to_properties_user_id: Any = None
        to_properties_to: Any = None
        to_properties_subject: Any = None
        to_properties_content_encoding: Any = None
        to_properties_absolute_expiry_time: Any = None
        to_properties_creation_time: Any = None
        to_properties_group_id: Any = None
        to_properties_group_sequence: Any = None
        to_properties_reply_to_group_id: Any = None
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_properties_content_type: Any = None
        to_body: Any = None
        sections: dict[Any, Any] = {}
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt5_to_amqp10.toml
            taken.append(row_dup)
        qos: int | None = source.qos
        if qos is not None:
            if qos == 2:  # qos-2, preserve.toml
                if 'mqtt-qos' in filled_application_properties:
                    too_late(notes, row_qos_2, 'qos', 'bits', 'application_properties', 'mqtt-qos', None)
                else:
                    to_application_properties.append(Entry('mqtt-qos', 'string', str(qos)))
                    filled_application_properties.add('mqtt-qos')
                    taken.append((row_qos_2, None, 'mqtt-qos', None))
            # qos, mqtt5_to_amqp10.toml
            to_header_durable = qos >= 1
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, preserve.toml
            if 'mqtt-retain' in filled_application_properties:
                too_late(notes, row_retain, 'retain', 'bit', 'application_properties', 'mqtt-retain', None)
            else:
                to_application_properties.append(Entry('mqtt-retain', 'string', str(retain)))
                filled_application_properties.add('mqtt-retain')
                taken.append((row_retain, None, 'mqtt-retain', None))
        topic_name: Any = source.topic_name
        if topic_name != '':
            # topic, mqtt5_to_amqp10.toml
            taken.append(row_topic)
        packet_identifier: Any = source.packet_identifier
        if packet_identifier is not None:
            # packet-identifier, mqtt5_to_amqp10.toml
            taken.append(row_packet_identifier)
        payload_format_indicator: Any = source.payload_format_indicator
        if payload_format_indicator is not None:
            if (  # payload-format-indicator-text, mqtt5_to_amqp10.toml
                payload_format_indicator == 1
                and when_text_beside(payload_format_indicator, source.payload)
            ):
                taken.append(row_payload_format_indicator_text)
            else:  # payload-format-indicator, preserve.toml
                if 'mqtt-payload-format-indicator' in filled_application_properties:
                    too_late(
                        notes,
                        row_payload_format_indicator,
                        'payload_format_indicator',
                        'bit',
                        'application_properties',
                        'mqtt-payload-format-indicator',
                        None,
                    )
                else:
                    to_application_properties.append(
                        Entry('mqtt-payload-format-indicator', 'string', str(payload_format_indicator))
                    )
                    filled_application_properties.add('mqtt-payload-format-indicator')
                    taken.append((row_payload_format_indicator, None, 'mqtt-payload-format-indicator', None))
        message_expiry_interval: int | None = source.message_expiry_interval
        if message_expiry_interval is not None:
            if when_seconds_beside(message_expiry_interval, index_user_properties.get('amqp-ttl')):  # ttl-exact, preserve.toml
                taken.append(row_ttl_exact)
            elif message_expiry_interval <= 4294967:  # message-expiry-interval, preserve.toml
                number = message_expiry_interval * 1000
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    notes.lost.append(
                        ('message_expiry_interval', 'uint', 'after scale 1000: ' + fault, row_message_expiry_interval)
                    )
                elif to_header_ttl is not None:
                    too_late(notes, row_message_expiry_interval, 'message_expiry_interval', 'uint', 'header.ttl', None, None)
                else:
                    to_header_ttl = number
                    taken.append(row_message_expiry_interval)
            else:  # message-expiry-interval-long, preserve.toml
                if 'mqtt-message-expiry-interval' in filled_application_properties:
                    too_late(
                        notes,
                        row_message_expiry_interval_long,
                        'message_expiry_interval',
                        'uint',
                        'application_properties',
                        'mqtt-message-expiry-interval',
                        None,
                    )
                else:
                    to_application_properties.append(
                        Entry('mqtt-message-expiry-interval', 'string', str(message_expiry_interval))
                    )
                    filled_application_properties.add('mqtt-message-expiry-interval')
                    taken.append((row_message_expiry_interval_long, None, 'mqtt-message-expiry-interval', None))
        topic_alias: Any = source.topic_alias
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp10.toml
            taken.append(row_topic_alias)
        response_topic: str | None = source.response_topic
        if response_topic is not None:
            if '.' in response_topic:  # mqtt-response-topic, preserve.toml
                if 'mqtt-response-topic' in filled_application_properties:
                    too_late(
                        notes,
                        row_mqtt_response_topic,
                        'response_topic',
                        'topic',
                        'application_properties',
                        'mqtt-response-topic',
                        None,
                    )
                else:
                    to_application_properties.append(Entry('mqtt-response-topic', 'string', response_topic))
                    filled_application_properties.add('mqtt-response-topic')
                    taken.append((row_mqtt_response_topic, None, 'mqtt-response-topic', None))
            if '*' in response_topic and '.' not in response_topic:  # mqtt-response-topic-star, preserve.toml
                if 'mqtt-response-topic' in filled_application_properties:
                    too_late(
                        notes,
                        row_mqtt_response_topic_star,
                        'response_topic',
                        'topic',
                        'application_properties',
                        'mqtt-response-topic',
                        None,
                    )
                else:
                    to_application_properties.append(Entry('mqtt-response-topic', 'string', response_topic))
                    filled_application_properties.add('mqtt-response-topic')
                    taken.append((row_mqtt_response_topic_star, None, 'mqtt-response-topic', None))
            # response-topic, preserve.toml
            text = via_key_to_address(response_topic.replace('/', '.').replace('+', '*'), environment.mqtt_exchange)
            if not text.isascii() and (fault := fault_string(text)) is not None:
                notes.lost.append(('response_topic', 'topic', fault, row_response_topic))
            elif to_properties_reply_to is not None:
                too_late(notes, row_response_topic, 'response_topic', 'topic', 'properties.reply_to', None, None)
            else:
                to_properties_reply_to = text
                taken.append(row_response_topic)
        correlation_data: bytes | None = source.correlation_data
        if correlation_data is not None:
            if (  # kept-correlation-id, preserve.toml
                made := via_typed_id(correlation_data, index_user_properties.get('amqp-type.amqp-correlation-id'))
            ) is not NOT_MINE:
                to_properties_correlation_id = made
                taken.append(row_kept_correlation_id)
            elif (  # former-correlation-id, preserve.toml
                made := via_typed_id(correlation_data, index_user_properties.get('x-opt-amqp-correlation-id-type'))
            ) is not NOT_MINE:
                to_properties_correlation_id = made
                taken.append(row_former_correlation_id)
            elif (  # correlation-data-uuid, mqtt5_to_amqp10.toml
                len(correlation_data) == 45
                and (made := via_urn_to_uuid(correlation_data)) is not NOT_MINE
            ):
                to_properties_correlation_id = TypedValue('uuid', made)
                taken.append(row_correlation_data_uuid)
            else:  # correlation-data, mqtt5_to_amqp10.toml
                to_properties_correlation_id = TypedValue('binary', correlation_data)
                taken.append(row_correlation_data)
        user_properties: list[Any] | None = source.user_properties
        if user_properties is not None:
            for pair in user_properties:
                key, value = pair
                if key in keys_user_properties:
                    if (  # kept-correlation-id-type, preserve.toml
                        key == 'amqp-type.amqp-correlation-id'
                        and when_fits_typed_id(value, source.correlation_data)
                    ):
                        taken.append((row_kept_correlation_id_type, key, None, None))
                        continue
                    if (  # former-correlation-id-type, preserve.toml
                        key == 'x-opt-amqp-correlation-id-type'
                        and when_fits_typed_id(value, source.correlation_data)
                    ):
                        taken.append((row_former_correlation_id_type, key, None, None))
                        continue
                    if (  # kept-message-id, preserve.toml
                        key == 'amqp-message-id'
                        and (
                            made := via_typed_id(value, index_user_properties.get('amqp-type.amqp-message-id'))
                        ) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes,
                                row_kept_message_id,
                                path('user_properties', key),
                                'utf8',
                                'properties.message_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_message_id = made
                            taken.append((row_kept_message_id, key, None, None))
                        continue
                    if (  # kept-message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and when_fits_typed_id(value, index_user_properties.get('amqp-message-id'))
                    ):
                        taken.append((row_kept_message_id_type, key, None, None))
                        continue
                    if (  # kept-message-id-uuid, preserve.toml
                        key == 'amqp-message-id'
                        and len(value) == 45
                        and (made := via_urn_to_uuid(value)) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes,
                                row_kept_message_id_uuid,
                                path('user_properties', key),
                                'utf8',
                                'properties.message_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_message_id = TypedValue('uuid', made)
                            taken.append((row_kept_message_id_uuid, key, None, None))
                        continue
                    if key == 'amqp-message-id':  # kept-message-id-text, preserve.toml
                        if to_properties_message_id is not None:
                            too_late(
                                notes,
                                row_kept_message_id_text,
                                path('user_properties', key),
                                'utf8',
                                'properties.message_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_message_id = TypedValue('string', value)
                            taken.append((row_kept_message_id_text, key, None, None))
                        continue
                    if (  # former-message-id, preserve.toml
                        key == 'x-opt-amqp-message-id'
                        and (
                            made := via_typed_id(value, index_user_properties.get('x-opt-amqp-message-id-type'))
                        ) is not NOT_MINE
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes,
                                row_former_message_id,
                                path('user_properties', key),
                                'utf8',
                                'properties.message_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_message_id = made
                            taken.append((row_former_message_id, key, None, None))
                        continue
                    if (  # former-message-id-type, preserve.toml
                        key == 'x-opt-amqp-message-id-type'
                        and when_fits_typed_id(value, index_user_properties.get('x-opt-amqp-message-id'))
                    ):
                        taken.append((row_former_message_id_type, key, None, None))
                        continue
                    if (  # former-message-id-text, preserve.toml
                        key == 'x-opt-amqp-message-id'
                        and not (
                            index_user_properties.get('x-opt-amqp-message-id-type') is not None
                            and index_user_properties.get('x-opt-amqp-message-id-type') is not False
                        )
                    ):
                        if to_properties_message_id is not None:
                            too_late(
                                notes,
                                row_former_message_id_text,
                                path('user_properties', key),
                                'utf8',
                                'properties.message_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_message_id = TypedValue('string', value)
                            taken.append((row_former_message_id_text, key, None, None))
                        continue
                    if (  # kept-priority, preserve.toml
                        key == 'amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_header_priority is not None:
                            too_late(
                                notes, row_kept_priority, path('user_properties', key), 'utf8', 'header.priority', None, key
                            )
                        else:
                            to_header_priority = made
                            taken.append((row_kept_priority, key, None, None))
                        continue
                    if key == 'amqp-ttl' and (made := via_read_uint(value)) is not NOT_MINE:  # kept-ttl, preserve.toml
                        if to_header_ttl is not None:
                            too_late(notes, row_kept_ttl, path('user_properties', key), 'utf8', 'header.ttl', None, key)
                        else:
                            to_header_ttl = made
                            taken.append((row_kept_ttl, key, None, None))
                        continue
                    if (  # kept-first-acquirer, preserve.toml
                        key == 'amqp-first-acquirer'
                        and (made := via_read_boolean(value)) is not NOT_MINE
                    ):
                        if to_header_first_acquirer is not None:
                            too_late(
                                notes,
                                row_kept_first_acquirer,
                                path('user_properties', key),
                                'utf8',
                                'header.first_acquirer',
                                None,
                                key,
                            )
                        else:
                            to_header_first_acquirer = made
                            taken.append((row_kept_first_acquirer, key, None, None))
                        continue
                    if (  # kept-delivery-count, preserve.toml
                        key == 'amqp-delivery-count'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_header_delivery_count is not None:
                            too_late(
                                notes,
                                row_kept_delivery_count,
                                path('user_properties', key),
                                'utf8',
                                'header.delivery_count',
                                None,
                                key,
                            )
                        else:
                            to_header_delivery_count = made
                            taken.append((row_kept_delivery_count, key, None, None))
                        continue
                    if (  # kept-user-id, preserve.toml
                        key == 'amqp-user-id'
                        and (made := via_read_binary(value)) is not NOT_MINE
                    ):
                        if to_properties_user_id is not None:
                            too_late(
                                notes, row_kept_user_id, path('user_properties', key), 'utf8', 'properties.user_id', None, key
                            )
                        else:
                            to_properties_user_id = made
                            taken.append((row_kept_user_id, key, None, None))
                        continue
                    if key == 'amqp-to':  # kept-to, preserve.toml
                        if to_properties_to is not None:
                            too_late(notes, row_kept_to, path('user_properties', key), 'utf8', 'properties.to', None, key)
                        else:
                            to_properties_to = value
                            taken.append((row_kept_to, key, None, None))
                        continue
                    if key == 'amqp-subject':  # kept-subject, preserve.toml
                        if to_properties_subject is not None:
                            too_late(
                                notes, row_kept_subject, path('user_properties', key), 'utf8', 'properties.subject', None, key
                            )
                        else:
                            to_properties_subject = value
                            taken.append((row_kept_subject, key, None, None))
                        continue
                    if key == 'amqp-reply-to' and to_properties_reply_to is None:  # kept-reply-to, preserve.toml
                        to_properties_reply_to = value
                        taken.append((row_kept_reply_to, key, None, None))
                        continue
                    if key == 'amqp-content-encoding' and value.isascii():  # kept-content-encoding, preserve.toml
                        if to_properties_content_encoding is not None:
                            too_late(
                                notes,
                                row_kept_content_encoding,
                                path('user_properties', key),
                                'utf8',
                                'properties.content_encoding',
                                None,
                                key,
                            )
                        else:
                            to_properties_content_encoding = value
                            taken.append((row_kept_content_encoding, key, None, None))
                        continue
                    if (  # kept-absolute-expiry-time, preserve.toml
                        key == 'amqp-absolute-expiry-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            too_late(
                                notes,
                                row_kept_absolute_expiry_time,
                                path('user_properties', key),
                                'utf8',
                                'properties.absolute_expiry_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_absolute_expiry_time = made
                            taken.append((row_kept_absolute_expiry_time, key, None, None))
                        continue
                    if (  # kept-creation-time, preserve.toml
                        key == 'amqp-creation-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_creation_time is not None:
                            too_late(
                                notes,
                                row_kept_creation_time,
                                path('user_properties', key),
                                'utf8',
                                'properties.creation_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_creation_time = made
                            taken.append((row_kept_creation_time, key, None, None))
                        continue
                    if key == 'amqp-group-id':  # kept-group-id, preserve.toml
                        if to_properties_group_id is not None:
                            too_late(
                                notes, row_kept_group_id, path('user_properties', key), 'utf8', 'properties.group_id', None, key
                            )
                        else:
                            to_properties_group_id = value
                            taken.append((row_kept_group_id, key, None, None))
                        continue
                    if (  # kept-group-sequence, preserve.toml
                        key == 'amqp-group-sequence'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_properties_group_sequence is not None:
                            too_late(
                                notes,
                                row_kept_group_sequence,
                                path('user_properties', key),
                                'utf8',
                                'properties.group_sequence',
                                None,
                                key,
                            )
                        else:
                            to_properties_group_sequence = made
                            taken.append((row_kept_group_sequence, key, None, None))
                        continue
                    if key == 'amqp-reply-to-group-id':  # kept-reply-to-group-id, preserve.toml
                        if to_properties_reply_to_group_id is not None:
                            too_late(
                                notes,
                                row_kept_reply_to_group_id,
                                path('user_properties', key),
                                'utf8',
                                'properties.reply_to_group_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_reply_to_group_id = value
                            taken.append((row_kept_reply_to_group_id, key, None, None))
                        continue
                    if key == 'amqp-app-id' and to_properties_group_id is None:  # kept-app-id, preserve.toml
                        to_properties_group_id = value
                        taken.append((row_kept_app_id, key, None, None))
                        continue
                    if key == 'amqp-type':  # kept-basic-type, preserve.toml
                        if 'x-basic-type' in filled_message_annotations:
                            too_late(
                                notes,
                                row_kept_basic_type,
                                path('user_properties', key),
                                'utf8',
                                'message_annotations',
                                'x-basic-type',
                                key,
                            )
                        else:
                            to_message_annotations.append(Entry('x-basic-type', 'string', value))
                            filled_message_annotations.add('x-basic-type')
                            taken.append((row_kept_basic_type, key, 'x-basic-type', None))
                        continue
                    if (  # former-priority, preserve.toml
                        key == 'x-opt-amqp-priority'
                        and (made := via_read_ubyte(value)) is not NOT_MINE
                    ):
                        if to_header_priority is not None:
                            too_late(
                                notes, row_former_priority, path('user_properties', key), 'utf8', 'header.priority', None, key
                            )
                        else:
                            to_header_priority = made
                            taken.append((row_former_priority, key, None, None))
                        continue
                    if key == 'x-opt-amqp-ttl' and (made := via_read_uint(value)) is not NOT_MINE:  # former-ttl, preserve.toml
                        if to_header_ttl is not None:
                            too_late(notes, row_former_ttl, path('user_properties', key), 'utf8', 'header.ttl', None, key)
                        else:
                            to_header_ttl = made
                            taken.append((row_former_ttl, key, None, None))
                        continue
                    if (  # former-first-acquirer, preserve.toml
                        key == 'x-opt-amqp-first-acquirer'
                        and (made := via_read_boolean(value)) is not NOT_MINE
                    ):
                        if to_header_first_acquirer is not None:
                            too_late(
                                notes,
                                row_former_first_acquirer,
                                path('user_properties', key),
                                'utf8',
                                'header.first_acquirer',
                                None,
                                key,
                            )
                        else:
                            to_header_first_acquirer = made
                            taken.append((row_former_first_acquirer, key, None, None))
                        continue
                    if (  # former-delivery-count, preserve.toml
                        key == 'x-opt-amqp-delivery-count'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_header_delivery_count is not None:
                            too_late(
                                notes,
                                row_former_delivery_count,
                                path('user_properties', key),
                                'utf8',
                                'header.delivery_count',
                                None,
                                key,
                            )
                        else:
                            to_header_delivery_count = made
                            taken.append((row_former_delivery_count, key, None, None))
                        continue
                    if (  # former-user-id, preserve.toml
                        key == 'x-opt-amqp-user-id'
                        and (made := via_read_binary(value)) is not NOT_MINE
                    ):
                        if to_properties_user_id is not None:
                            too_late(
                                notes, row_former_user_id, path('user_properties', key), 'utf8', 'properties.user_id', None, key
                            )
                        else:
                            to_properties_user_id = made
                            taken.append((row_former_user_id, key, None, None))
                        continue
                    if key == 'x-opt-amqp-to':  # former-to, preserve.toml
                        if to_properties_to is not None:
                            too_late(notes, row_former_to, path('user_properties', key), 'utf8', 'properties.to', None, key)
                        else:
                            to_properties_to = value
                            taken.append((row_former_to, key, None, None))
                        continue
                    if key == 'x-opt-amqp-subject':  # former-subject, preserve.toml
                        if to_properties_subject is not None:
                            too_late(
                                notes, row_former_subject, path('user_properties', key), 'utf8', 'properties.subject', None, key
                            )
                        else:
                            to_properties_subject = value
                            taken.append((row_former_subject, key, None, None))
                        continue
                    if key == 'x-opt-amqp-reply-to' and to_properties_reply_to is None:  # former-reply-to, preserve.toml
                        to_properties_reply_to = value
                        taken.append((row_former_reply_to, key, None, None))
                        continue
                    if key == 'x-opt-amqp-content-encoding' and value.isascii():  # former-content-encoding, preserve.toml
                        if to_properties_content_encoding is not None:
                            too_late(
                                notes,
                                row_former_content_encoding,
                                path('user_properties', key),
                                'utf8',
                                'properties.content_encoding',
                                None,
                                key,
                            )
                        else:
                            to_properties_content_encoding = value
                            taken.append((row_former_content_encoding, key, None, None))
                        continue
                    if (  # former-absolute-expiry-time, preserve.toml
                        key == 'x-opt-amqp-absolute-expiry-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            too_late(
                                notes,
                                row_former_absolute_expiry_time,
                                path('user_properties', key),
                                'utf8',
                                'properties.absolute_expiry_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_absolute_expiry_time = made
                            taken.append((row_former_absolute_expiry_time, key, None, None))
                        continue
                    if (  # former-creation-time, preserve.toml
                        key == 'x-opt-amqp-creation-time'
                        and (made := via_read_timestamp(value)) is not NOT_MINE
                    ):
                        if to_properties_creation_time is not None:
                            too_late(
                                notes,
                                row_former_creation_time,
                                path('user_properties', key),
                                'utf8',
                                'properties.creation_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_creation_time = made
                            taken.append((row_former_creation_time, key, None, None))
                        continue
                    if key == 'x-opt-amqp-group-id':  # former-group-id, preserve.toml
                        if to_properties_group_id is not None:
                            too_late(
                                notes,
                                row_former_group_id,
                                path('user_properties', key),
                                'utf8',
                                'properties.group_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_group_id = value
                            taken.append((row_former_group_id, key, None, None))
                        continue
                    if (  # former-group-sequence, preserve.toml
                        key == 'x-opt-amqp-group-sequence'
                        and (made := via_read_uint(value)) is not NOT_MINE
                    ):
                        if to_properties_group_sequence is not None:
                            too_late(
                                notes,
                                row_former_group_sequence,
                                path('user_properties', key),
                                'utf8',
                                'properties.group_sequence',
                                None,
                                key,
                            )
                        else:
                            to_properties_group_sequence = made
                            taken.append((row_former_group_sequence, key, None, None))
                        continue
                    if key == 'x-opt-amqp-reply-to-group-id':  # former-reply-to-group-id, preserve.toml
                        if to_properties_reply_to_group_id is not None:
                            too_late(
                                notes,
                                row_former_reply_to_group_id,
                                path('user_properties', key),
                                'utf8',
                                'properties.reply_to_group_id',
                                None,
                                key,
                            )
                        else:
                            to_properties_reply_to_group_id = value
                            taken.append((row_former_reply_to_group_id, key, None, None))
                        continue
                if (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_typed_text(value, index_user_properties.get(key[10:]))
                ):
                    taken.append((row_kept_type, key, None, None))
                elif (  # former-type, preserve.toml
                    'x-opt-amqp-type.' <= key < 'x-opt-amqp-type/'
                    and when_fits_typed_text(value, index_user_properties.get(key[16:]))
                ):
                    taken.append((row_former_type, key, None, None))
                elif (  # kept-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and (made := via_typed_text(value, index_user_properties.get('amqp-type.x-' + key[2:]))) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_kept_annotation))
                    elif key in filled_message_annotations:
                        too_late(
                            notes, row_kept_annotation, path('user_properties', key), 'utf8', 'message_annotations', key, key
                        )
                    else:
                        to_message_annotations.append(Entry(key, made.type, made.value))
                        filled_message_annotations.add(key)
                        taken.append((row_kept_annotation, key, key, None))
                elif (  # former-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and (
                        made := via_typed_text(value, index_user_properties.get('x-opt-amqp-type.x-' + key[2:]))
                    ) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_former_annotation))
                    elif key in filled_message_annotations:
                        too_late(
                            notes, row_former_annotation, path('user_properties', key), 'utf8', 'message_annotations', key, key
                        )
                    else:
                        to_message_annotations.append(Entry(key, made.type, made.value))
                        filled_message_annotations.add(key)
                        taken.append((row_former_annotation, key, key, None))
                elif 'x-' <= key < 'x.':  # user-property-x, mqtt5_to_amqp10.toml
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_user_property_x))
                    elif key in filled_message_annotations:
                        too_late(
                            notes, row_user_property_x, path('user_properties', key), 'utf8', 'message_annotations', key, key
                        )
                    else:
                        to_message_annotations.append(Entry(key, 'string', value))
                        filled_message_annotations.add(key)
                        taken.append((row_user_property_x, key, key, None))
                elif (  # kept-application-property, preserve.toml
                    made := via_typed_text(value, index_user_properties.get('amqp-type.' + key))
                ) is not NOT_MINE:
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append(
                            (path('user_properties', key), 'utf8', 'its key is ' + fault, row_kept_application_property)
                        )
                    elif key in filled_application_properties:
                        too_late(
                            notes,
                            row_kept_application_property,
                            path('user_properties', key),
                            'utf8',
                            'application_properties',
                            key,
                            key,
                        )
                    else:
                        to_application_properties.append(Entry(key, made.type, made.value))
                        filled_application_properties.add(key)
                        taken.append((row_kept_application_property, key, key, None))
                elif (  # former-application-property, preserve.toml
                    made := via_typed_text(value, index_user_properties.get('x-opt-amqp-type.' + key))
                ) is not NOT_MINE:
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append(
                            (path('user_properties', key), 'utf8', 'its key is ' + fault, row_former_application_property)
                        )
                    elif key in filled_application_properties:
                        too_late(
                            notes,
                            row_former_application_property,
                            path('user_properties', key),
                            'utf8',
                            'application_properties',
                            key,
                            key,
                        )
                    else:
                        to_application_properties.append(Entry(key, made.type, made.value))
                        filled_application_properties.add(key)
                        taken.append((row_former_application_property, key, key, None))
                else:  # user-property, mqtt5_to_amqp10.toml
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_user_property))
                    elif key in filled_application_properties:
                        too_late(
                            notes, row_user_property, path('user_properties', key), 'utf8', 'application_properties', key, key
                        )
                    else:
                        to_application_properties.append(Entry(key, 'string', value))
                        filled_application_properties.add(key)
                        taken.append((row_user_property, key, key, None))
        subscription_identifiers: list[Any] | None = source.subscription_identifiers
        if subscription_identifiers is not None:
            for index, item in enumerate(subscription_identifiers):
                # subscription-identifier, mqtt5_to_amqp10.toml
                taken.append((row_subscription_identifier, index, None, None))
        content_type: str | None = source.content_type
        if content_type is not None:
            if when_fits_decoded_sections(content_type, source.payload):  # content-type-encoded, preserve.toml
                taken.append(row_content_type_encoded)
            elif content_type.isascii():  # content-type, mqtt5_to_amqp10.toml
                to_properties_content_type = content_type
                taken.append(row_content_type)
            else:  # content-type-other, preserve.toml
                if 'mqtt-content-type' in filled_application_properties:
                    too_late(
                        notes,
                        row_content_type_other,
                        'content_type',
                        'utf8',
                        'application_properties',
                        'mqtt-content-type',
                        None,
                    )
                else:
                    to_application_properties.append(Entry('mqtt-content-type', 'string', content_type))
                    filled_application_properties.add('mqtt-content-type')
                    taken.append((row_content_type_other, None, 'mqtt-content-type', None))
        payload: Any = source.payload
        if (  # payload-text, mqtt5_to_amqp10.toml
            source.payload_format_indicator == 1
            and (made := via_body_as_value_string(payload)) is not NOT_MINE
        ):
            to_body = made
            taken.append(row_payload_text)
        elif (made := via_decoded_sections(payload, source.content_type)) is not NOT_MINE:  # payload-encoded, preserve.toml
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('payload', 'payload', made.reason, row_payload_encoded))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_payload_encoded, None) in sections:
                    notes.lost.append(('payload', 'payload', 'a second equal key', row_payload_encoded))
                else:
                    sections[row_payload_encoded, None] = 'payload', made
        else:  # payload, mqtt5_to_amqp10.toml
            to_body = Data([payload])
            taken.append(row_payload)
        to_header: Any = None
        if (
            to_header_durable is not None
            or to_header_priority is not None
            or to_header_ttl is not None
            or to_header_first_acquirer is not None
            or to_header_delivery_count is not None
        ):
            to_header = Header(
                to_header_durable, to_header_priority, to_header_ttl, to_header_first_acquirer, to_header_delivery_count
            )
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
            or to_properties_group_sequence is not None
            or to_properties_reply_to_group_id is not None
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
                to_properties_group_sequence,
                to_properties_reply_to_group_id,
            )
        target = Message(
            to_header, None, to_message_annotations or None, to_properties, to_application_properties or None, to_body, None
        )
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        return target

    return mqtt_5_0_to_amqp_1_0

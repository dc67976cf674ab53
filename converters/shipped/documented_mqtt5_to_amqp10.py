"""mqtt-5.0 -> amqp-1.0, from mqtt5_to_amqp10.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_dup: Any = rows['dup']
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    when_text_beside: Any = CONDITIONS['text-beside'].function
    row_payload_format_indicator_text: Any = rows['payload-format-indicator-text']
    row_payload_format_indicator: Any = rows['payload-format-indicator']
    row_message_expiry_interval: Any = rows['message-expiry-interval']
    fault_uint: Any = types['uint'].fault
    row_topic_alias: Any = rows['topic-alias']
    row_response_topic: Any = rows['response-topic']
    via_topic_to_routing_key_then_key_to_address: Any = TRANSFORMS['topic-to-routing-key then key-to-address'].function
    via_key_to_address: Any = TRANSFORMS['key-to-address'].function
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_correlation_data_uuid: Any = rows['correlation-data-uuid']
    row_correlation_data: Any = rows['correlation-data']
    row_user_property_x: Any = rows['user-property-x']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_user_property: Any = rows['user-property']
    key_fault_string: Any = types['application-properties'].key_fault
    row_subscription_identifier: Any = rows['subscription-identifier']
    row_content_type: Any = rows['content-type']
    via_body_as_value_string: Any = TRANSFORMS['body-as value-string'].function
    row_payload_text: Any = rows['payload-text']
    row_payload: Any = rows['payload']

    def mqtt_5_0_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; index: Any; item: Any; key: str; made: Any; number: int; pair: tuple[str, str]; value: str
        taken: list[Any] = notes.taken
        to_header_durable: Any = None
        to_header_ttl: Any = None
        to_properties_reply_to: Any = None
        to_properties_correlation_id: Any = None
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_application_properties: list[Any] = []
        filled_application_properties: set[Any] = set()
        to_properties_content_type: Any = None
        to_body: Any = None
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt5_to_amqp10.toml
            taken.append(row_dup)
        qos: int | None = source.qos
        if qos is not None:
            # qos, mqtt5_to_amqp10.toml
            to_header_durable = qos >= 1
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, mqtt5_to_amqp10.toml
            taken.append(row_retain)
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
            else:  # payload-format-indicator, mqtt5_to_amqp10.toml
                taken.append(row_payload_format_indicator)
        message_expiry_interval: int | None = source.message_expiry_interval
        if message_expiry_interval is not None:
            # message-expiry-interval, mqtt5_to_amqp10.toml
            number = message_expiry_interval * 1000
            if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                notes.lost.append(
                    ('message_expiry_interval', 'uint', 'after scale 1000: ' + fault, row_message_expiry_interval)
                )
            else:
                to_header_ttl = number
                taken.append(row_message_expiry_interval)
        topic_alias: Any = source.topic_alias
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp10.toml
            taken.append(row_topic_alias)
        response_topic: str | None = source.response_topic
        if response_topic is not None:
            # response-topic, mqtt5_to_amqp10.toml
            made = (
                via_key_to_address(response_topic.replace('/', '.').replace('+', '*'), environment.mqtt_exchange)
                if '.' not in response_topic and '*' not in response_topic
                else via_topic_to_routing_key_then_key_to_address(response_topic, environment.mqtt_exchange)
            )
            if type(made) is not str:
                notes.lost.append(('response_topic', 'topic', made.reason, row_response_topic))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_string(made)) is not None:
                    notes.lost.append(('response_topic', 'topic', fault, row_response_topic))
                else:
                    to_properties_reply_to = made
                    taken.append(row_response_topic)
        correlation_data: bytes | None = source.correlation_data
        if correlation_data is not None:
            if (  # correlation-data-uuid, mqtt5_to_amqp10.toml
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
                if 'x-' <= key < 'x.':  # user-property-x, mqtt5_to_amqp10.toml
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
            if content_type.isascii():  # content-type, mqtt5_to_amqp10.toml
                to_properties_content_type = content_type
                taken.append(row_content_type)
            else:
                notes.lost.append(('content_type', 'utf8', 'no row takes it', None))
        payload: Any = source.payload
        if (  # payload-text, mqtt5_to_amqp10.toml
            source.payload_format_indicator == 1
            and (made := via_body_as_value_string(payload)) is not NOT_MINE
        ):
            to_body = made
            taken.append(row_payload_text)
        else:  # payload, mqtt5_to_amqp10.toml
            to_body = Data([payload])
            taken.append(row_payload)
        to_header: Any = None
        if to_header_durable is not None or to_header_ttl is not None:
            to_header = Header(to_header_durable, None, to_header_ttl)
        to_properties: Any = None
        if (
            to_properties_reply_to is not None
            or to_properties_correlation_id is not None
            or to_properties_content_type is not None
        ):
            to_properties = Properties(
                None, None, None, None, to_properties_reply_to, to_properties_correlation_id, to_properties_content_type
            )
        return Message(
            to_header, None, to_message_annotations or None, to_properties, to_application_properties or None, to_body, None
        )

    return mqtt_5_0_to_amqp_1_0

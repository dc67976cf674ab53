"""mqtt-5.0 -> mqtt-3.1.1, from mqtt5_to_mqtt311.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.plain import topic_fault as fault_topic
from mqconvert.converters.model.values import Entry, TypedValue
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.mqtt311.message import Message
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    row_address: Any = rows['address']
    row_dup: Any = rows['dup']
    row_dup_unset: Any = replace(rows['dup'], unset=True)
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_retain_unset: Any = replace(rows['retain'], unset=True)
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    row_payload_format_indicator: Any = rows['payload-format-indicator']
    row_message_expiry_interval: Any = rows['message-expiry-interval']
    row_topic_alias: Any = rows['topic-alias']
    row_response_topic: Any = rows['response-topic']
    row_correlation_data: Any = rows['correlation-data']
    row_user_property: Any = rows['user-property']
    row_subscription_identifier: Any = rows['subscription-identifier']
    when_sections_beside: Any = CONDITIONS['sections-beside'].function
    row_content_type_sections: Any = rows['content-type-sections']
    row_content_type: Any = rows['content-type']
    row_payload: Any = rows['payload']

    def mqtt_5_0_to_mqtt_3_1_1(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; index: Any; item: Any; key: str; pair: tuple[str, str]; value: str
        taken: list[Any] = notes.taken
        to_topic_name: Any = None
        to_dup: Any = 0
        to_qos: Any = 0
        to_retain: Any = 0
        to_packet_identifier: Any = None
        to_payload: Any = b''
        address: Any = environment.address
        if address is not None:
            # address, mqtt5_to_mqtt311.toml
            if (fault := fault_topic(address)) is not None:
                notes.lost.append(('@address', 'string', fault, row_address))
            elif to_topic_name is not None:
                too_late(notes, row_address, '@address', 'string', 'topic_name', None, None)
            else:
                to_topic_name = address
                taken.append(row_address)
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt5_to_mqtt311.toml
            to_dup = dup
            taken.append(row_dup if to_dup != 0 else row_dup_unset)
        qos: Any = source.qos
        if qos is not None:
            # qos, mqtt5_to_mqtt311.toml
            to_qos = qos
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, mqtt5_to_mqtt311.toml
            to_retain = retain
            taken.append(row_retain if to_retain != 0 else row_retain_unset)
        topic_name: Any = source.topic_name
        if topic_name != '':
            # topic, mqtt5_to_mqtt311.toml
            if to_topic_name is not None:
                too_late(notes, row_topic, 'topic_name', 'topic', 'topic_name', None, None)
            else:
                to_topic_name = topic_name
                taken.append(row_topic)
        packet_identifier: Any = source.packet_identifier
        if packet_identifier is not None:
            # packet-identifier, mqtt5_to_mqtt311.toml
            to_packet_identifier = packet_identifier
            taken.append(row_packet_identifier)
        payload_format_indicator: Any = source.payload_format_indicator
        if payload_format_indicator is not None:
            # payload-format-indicator, mqtt5_to_mqtt311.toml
            taken.append(row_payload_format_indicator)
        message_expiry_interval: Any = source.message_expiry_interval
        if message_expiry_interval is not None:
            # message-expiry-interval, mqtt5_to_mqtt311.toml
            taken.append(row_message_expiry_interval)
        topic_alias: Any = source.topic_alias
        if topic_alias is not None:
            # topic-alias, mqtt5_to_mqtt311.toml
            taken.append(row_topic_alias)
        response_topic: Any = source.response_topic
        if response_topic is not None:
            # response-topic, mqtt5_to_mqtt311.toml
            taken.append(row_response_topic)
        correlation_data: Any = source.correlation_data
        if correlation_data is not None:
            # correlation-data, mqtt5_to_mqtt311.toml
            taken.append(row_correlation_data)
        user_properties: list[Any] | None = source.user_properties
        if user_properties is not None:
            for pair in user_properties:
                key, value = pair
                # user-property, mqtt5_to_mqtt311.toml
                taken.append((row_user_property, key, None, None))
        subscription_identifiers: list[Any] | None = source.subscription_identifiers
        if subscription_identifiers is not None:
            for index, item in enumerate(subscription_identifiers):
                # subscription-identifier, mqtt5_to_mqtt311.toml
                taken.append((row_subscription_identifier, index, None, None))
        content_type: Any = source.content_type
        if content_type is not None:
            if (  # content-type-sections, mqtt5_to_mqtt311.toml
                content_type == 'message/vnd.rabbitmq.amqp'
                and when_sections_beside(content_type, source.payload)
            ):
                notes.lost.append(('content_type', 'utf8', 'the body needs it', row_content_type_sections))
            else:  # content-type, mqtt5_to_mqtt311.toml
                taken.append(row_content_type)
        payload: Any = source.payload
        # payload, mqtt5_to_mqtt311.toml
        to_payload = payload
        taken.append(row_payload)
        return Message(
            to_dup, to_qos, to_retain, '' if to_topic_name is None else to_topic_name, to_packet_identifier, to_payload
        )

    return mqtt_5_0_to_mqtt_3_1_1

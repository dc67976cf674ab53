"""mqtt-5.0 -> amqp-0.9.1, from mqtt5_to_amqp091.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-0.9.1'].named
    row_dup: Any = rows['dup']
    row_qos: Any = rows['qos']
    row_retain: Any = rows['retain']
    row_topic: Any = rows['topic']
    row_packet_identifier: Any = rows['packet-identifier']
    row_payload_format_indicator: Any = rows['payload-format-indicator']
    row_message_expiry_interval: Any = rows['message-expiry-interval']
    row_topic_alias: Any = rows['topic-alias']
    row_response_topic: Any = rows['response-topic']
    via_topic_to_routing_key_then_octets: Any = TRANSFORMS['topic-to-routing-key then octets'].function
    when_shortstr: Any = CONDITIONS['shortstr'].function
    row_correlation_data_shortstr: Any = rows['correlation-data-shortstr']
    via_text: Any = TRANSFORMS['text'].function
    row_correlation_data: Any = rows['correlation-data']
    row_user_property: Any = rows['user-property']
    key_fault_shortstr: Any = types['table'].key_fault
    row_subscription_identifier: Any = rows['subscription-identifier']
    row_content_type: Any = rows['content-type']
    row_payload: Any = rows['payload']
    row_sorted: Any = rows['sorted']
    via_sorted_by_key: Any = TRANSFORMS['sorted-by-key'].function

    def mqtt_5_0_to_amqp_0_9_1(source: Source, environment: Environment, notes: Notes) -> Any:
        fault: str | None; handed: str; index: Any; item: Any; key: str; made: Any; pair: tuple[str, str]; target: Message; value: str
        taken: list[Any] = notes.taken
        to_basic_delivery_mode: Any = None
        to_basic_expiration: Any = None
        to_basic_headers: list[Any] = []
        filled_basic_headers: set[Any] = set()
        to_basic_correlation_id: Any = None
        to_basic_content_type: Any = None
        to_payload: Any = b''
        dup: Any = source.dup
        if dup != 0:
            # dup, mqtt5_to_amqp091.toml
            taken.append(row_dup)
        qos: Any = source.qos
        if qos is not None:
            # qos, mqtt5_to_amqp091.toml
            to_basic_delivery_mode = 2 if qos else 1
            taken.append(row_qos)
        retain: Any = source.retain
        if retain != 0:
            # retain, mqtt5_to_amqp091.toml
            taken.append(row_retain)
        topic_name: Any = source.topic_name
        if topic_name != '':
            # topic, mqtt5_to_amqp091.toml
            taken.append(row_topic)
        packet_identifier: Any = source.packet_identifier
        if packet_identifier is not None:
            # packet-identifier, mqtt5_to_amqp091.toml
            taken.append(row_packet_identifier)
        payload_format_indicator: Any = source.payload_format_indicator
        if payload_format_indicator is not None:
            # payload-format-indicator, mqtt5_to_amqp091.toml
            taken.append(row_payload_format_indicator)
        message_expiry_interval: int | None = source.message_expiry_interval
        if message_expiry_interval is not None:
            # message-expiry-interval, mqtt5_to_amqp091.toml
            to_basic_expiration = str(message_expiry_interval * 1000)
            taken.append(row_message_expiry_interval)
        topic_alias: Any = source.topic_alias
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp091.toml
            taken.append(row_topic_alias)
        response_topic: str | None = source.response_topic
        if response_topic is not None:
            # response-topic, mqtt5_to_amqp091.toml
            made = (
                handed.encode()
                if (
                    '.' not in response_topic
                    and '*' not in response_topic
                    and (handed := response_topic.replace('/', '.').replace('+', '*')).isascii()
                )
                else via_topic_to_routing_key_then_octets(response_topic)
            )
            if type(made) is not bytes:
                notes.lost.append(('response_topic', 'topic', made.reason, row_response_topic))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if 'x-reply-to-topic' in filled_basic_headers:
                    too_late(notes, row_response_topic, 'response_topic', 'topic', 'basic.headers', 'x-reply-to-topic', None)
                else:
                    to_basic_headers.append(Entry('x-reply-to-topic', 'longstr', made))
                    filled_basic_headers.add('x-reply-to-topic')
                    taken.append((row_response_topic, None, 'x-reply-to-topic', None))
        correlation_data: bytes | None = source.correlation_data
        if correlation_data is not None:
            if (  # correlation-data-shortstr, mqtt5_to_amqp091.toml
                len(correlation_data) < 256 and correlation_data.isascii() and 0 not in correlation_data
                or when_shortstr(correlation_data)
            ):
                made = correlation_data.decode() if correlation_data.isascii() else via_text(correlation_data)
                if type(made) is not str:
                    notes.lost.append(('correlation_data', 'binary', made.reason, row_correlation_data_shortstr))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        notes.lost.append(('correlation_data', 'binary', fault, row_correlation_data_shortstr))
                    else:
                        to_basic_correlation_id = made
                        taken.append(row_correlation_data_shortstr)
            else:  # correlation-data, mqtt5_to_amqp091.toml
                if 'x-correlation-id' in filled_basic_headers:
                    too_late(
                        notes, row_correlation_data, 'correlation_data', 'binary', 'basic.headers', 'x-correlation-id', None
                    )
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'longstr', correlation_data))
                    filled_basic_headers.add('x-correlation-id')
                    taken.append((row_correlation_data, None, 'x-correlation-id', None))
        user_properties: list[Any] | None = source.user_properties
        if user_properties is not None:
            for pair in user_properties:
                key, value = pair
                # user-property, mqtt5_to_amqp091.toml
                if (
                    not (len(key) < 256 and key.isascii() and '\x00' not in key)
                    and (fault := key_fault_shortstr(key)) is not None
                ):
                    notes.lost.append((path('user_properties', key), 'utf8', 'its key is ' + fault, row_user_property))
                elif key in filled_basic_headers:
                    too_late(notes, row_user_property, path('user_properties', key), 'utf8', 'basic.headers', key, key)
                else:
                    to_basic_headers.append(Entry(key, 'longstr', value.encode()))
                    filled_basic_headers.add(key)
                    taken.append((row_user_property, key, key, None))
        subscription_identifiers: list[Any] | None = source.subscription_identifiers
        if subscription_identifiers is not None:
            for index, item in enumerate(subscription_identifiers):
                # subscription-identifier, mqtt5_to_amqp091.toml
                taken.append((row_subscription_identifier, index, None, None))
        content_type: str | None = source.content_type
        if content_type is not None:
            if (  # content-type, mqtt5_to_amqp091.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                to_basic_content_type = content_type
                taken.append(row_content_type)
            else:
                notes.lost.append(('content_type', 'utf8', 'no row takes it', None))
        payload: Any = source.payload
        # payload, mqtt5_to_amqp091.toml
        to_payload = payload
        taken.append(row_payload)
        to_basic = BasicProperties(
            to_basic_content_type,
            None,
            to_basic_headers or None,
            to_basic_delivery_mode,
            None,
            to_basic_correlation_id,
            None,
            to_basic_expiration,
        )
        target = Message(to_basic, to_payload, None, None)
        # sorted, mqtt5_to_amqp091.toml
        if to_basic.headers is not None:
            made = via_sorted_by_key(to_basic.headers) or None
            if made is not to_basic.headers:
                notes.finished_map(row_sorted, 'basic.headers', to_basic.headers, made, '@constant')
                to_basic.headers = made
        return target

    return mqtt_5_0_to_amqp_0_9_1

"""amqp-0.9.1 -> mqtt-5.0, from amqp091_to_mqtt5.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, put_before, refused, too_late
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties as Of_EMPTY_basic, Message as Source
import mqconvert.converters.protocols.amqp091.words
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.expressions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_type_float: Any = rows['type-float']
    row_type_decimal: Any = rows['type-decimal']
    via_decimal_text: Any = TRANSFORMS['decimal-text'].function
    row_type_longstr: Any = rows['type-longstr']
    via_text: Any = TRANSFORMS['text'].function
    row_address: Any = rows['address']
    row_address_refused: Any = rows['address-refused']
    row_routing_key_topic: Any = rows['routing-key-topic']
    via_routing_key_to_topic: Any = TRANSFORMS['routing-key-to-topic'].function
    row_routing_key: Any = rows['routing-key']
    row_exchange: Any = rows['exchange']
    row_message_id: Any = rows['message-id']
    row_correlation_id: Any = rows['correlation-id']
    fault_binary: Any = types['binary'].fault
    via_octets: Any = TRANSFORMS['octets'].function
    row_user_id: Any = rows['user-id']
    via_octets_then_to_base64: Any = TRANSFORMS['octets then to-base64'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    row_expiration_exact: Any = rows['expiration-exact']
    when_number_0_4294967295999: Any = CONDITIONS['number 0 4294967295999'].function
    row_expiration: Any = rows['expiration']
    fault_uint: Any = types['uint'].fault
    row_expiration_other: Any = rows['expiration-other']
    row_type: Any = rows['type']
    row_reply_to: Any = rows['reply-to']
    row_app_id: Any = rows['app-id']
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    row_creation_time_exact: Any = rows['creation-time-exact']
    row_timestamp: Any = rows['timestamp']
    via_seconds_to_signed_milliseconds_then_to_decimal: Any = TRANSFORMS[
        'seconds-to-signed-milliseconds then to-decimal'
    ].function
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    when_property_is_2: Any = CONDITIONS['property-is 2'].function
    row_qos_kept: Any = rows['qos-kept']
    when_outside_1_2: Any = CONDITIONS['outside 1 2'].function
    row_delivery_mode_other: Any = rows['delivery-mode-other']
    row_delivery_mode: Any = rows['delivery-mode']
    row_delivery_mode_absent_sets_qos: Any = replace(
        rows['delivery-mode-absent'], source='@constant', target='qos', constants={}
    )
    row_priority: Any = rows['priority']
    row_cluster_id: Any = rows['cluster-id']
    row_response_topic_kept: Any = rows['response-topic-kept']
    row_header_reply_to_topic: Any = rows['header-reply-to-topic']
    via_text_then_routing_key_to_topic: Any = TRANSFORMS['text then routing-key-to-topic'].function
    row_header_correlation_id: Any = rows['header-correlation-id']
    row_header_correlation_id_taken: Any = rows['header-correlation-id-taken']
    when_utf8: Any = CONDITIONS['utf8'].function
    row_header_message_id: Any = rows['header-message-id']
    row_id_bytes: Any = rows['id-bytes']
    row_id_bytes_sets_user_properties: Any = replace(
        rows['id-bytes'], source='@constant', source_pattern=None, target_template=None, constants={}
    )
    via_to_base64: Any = TRANSFORMS['to-base64'].function
    row_mqtt_qos: Any = rows['mqtt-qos']
    via_text_then_read_ubyte: Any = TRANSFORMS['text then read ubyte'].function
    row_mqtt_retain: Any = rows['mqtt-retain']
    row_mqtt_retain_unset: Any = replace(rows['mqtt-retain'], unset=True)
    fault_bit: Any = types['bit'].fault
    row_mqtt_payload_format: Any = rows['mqtt-payload-format']
    row_mqtt_response_topic: Any = rows['mqtt-response-topic']
    row_mqtt_content_type: Any = rows['mqtt-content-type']
    keys_basic_headers: Any = frozenset(
        [
            'mqtt-content-type',
            'mqtt-payload-format-indicator',
            'mqtt-qos',
            'mqtt-response-topic',
            'mqtt-retain',
            'x-correlation-id',
            'x-message-id',
            'x-reply-to-topic',
        ],
    )
    via_header_type: Any = TRANSFORMS['header-type'].function
    row_header_type: Any = rows['header-type']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_header_text: Any = TRANSFORMS['header-text'].function
    row_header_text: Any = rows['header-text']
    row_header: Any = rows['header']
    row_payload: Any = rows['payload']
    EMPTY_basic: Of_EMPTY_basic = empty(Of_EMPTY_basic)

    def top_type_bool(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-bool, amqp091_to_mqtt5.toml
        return 'type-bool', 'utf8', 'true' if value else 'false'

    def top_type_integer(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-integer, amqp091_to_mqtt5.toml
        return 'type-integer', 'utf8', str(value)

    def top_type_float(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-float, amqp091_to_mqtt5.toml
        made = format(value, '.20e')
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'float', fault, row_type_float))
            return None, None, None
        return 'type-float', 'utf8', made

    def top_type_float_2(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-float, amqp091_to_mqtt5.toml
        made = format(value, '.20e')
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'double', fault, row_type_float))
            return None, None, None
        return 'type-float', 'utf8', made

    def top_type_decimal(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-decimal, amqp091_to_mqtt5.toml
        made = via_decimal_text(value)
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'decimal', fault, row_type_decimal))
            return None, None, None
        return 'type-decimal', 'utf8', made

    def top_type_longstr(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-longstr, amqp091_to_mqtt5.toml
        made = value.decode() if value.isascii() else via_text(value)
        if type(made) is not str:
            made = part(made, 'longstr', row_type_longstr, lost)
            if made is None:
                return None, None, None
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'longstr', fault, row_type_longstr))
            return None, None, None
        return 'type-longstr', 'utf8', made

    def top_type_longstr_2(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-longstr, amqp091_to_mqtt5.toml
        made = value.decode() if value.isascii() else via_text(value)
        if type(made) is not str:
            made = part(made, 'binary', row_type_longstr, lost)
            if made is None:
                return None, None, None
        if not (len(made) < 65536 and made.isascii() and '\x00' not in made) and (fault := fault_utf8(made)) is not None:
            lost.append(('', 'binary', fault, row_type_longstr))
            return None, None, None
        return 'type-longstr', 'utf8', made

    def top_type_void(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-void, amqp091_to_mqtt5.toml
        return 'type-void', 'utf8', ''

    types_top = TypeTable(
        {
            'bool': top_type_bool,
            'byte': top_type_integer,
            'unsignedbyte': top_type_integer,
            'short': top_type_integer,
            'unsignedshort': top_type_integer,
            'signedint': top_type_integer,
            'unsignedint': top_type_integer,
            'long': top_type_integer,
            'float': top_type_float,
            'double': top_type_float_2,
            'decimal': top_type_decimal,
            'longstr': top_type_longstr,
            'binary': top_type_longstr_2,
            'timestamp': top_type_integer,
            'void': top_type_void,
        },
    )

    types_nested = types_top

    types_entry = types_top

    types_key = TypeTable({})

    inside = Inside(types_nested, types_entry, types_key, 'shortstr', {})

    def amqp_0_9_1_to_mqtt_5_0(source: Source, environment: Environment, notes: Notes) -> Any:
        as_: str | None; before: int; by: str | None; fault: str | None; handed: str; key: str; lost: list[Any]; made: Any; number: int; raw: bytes; text: str; type_: str; typed: Entry
        taken: list[Any] = notes.taken
        basic: Of_EMPTY_basic | None = source.basic
        if basic is None:
            basic = EMPTY_basic
        index_basic_headers = by_key(basic.headers)
        to_topic_name: Any = None
        to_user_properties: list[Any] = []
        to_correlation_data: Any = None
        to_message_expiry_interval: Any = None
        to_content_type: Any = None
        to_qos: Any = None
        to_response_topic: Any = None
        to_retain: Any = None
        to_payload_format_indicator: Any = None
        to_payload: Any = b''
        address: Any = environment.address
        if address is not None:
            if topic_fault(address) is None:  # address, amqp091_to_mqtt5.toml
                if to_topic_name is not None:
                    too_late(notes, row_address, '@address', 'string', 'topic_name', None, None)
                else:
                    to_topic_name = address
                    taken.append(row_address)
            else:  # address-refused, amqp091_to_mqtt5.toml
                raise refused(row_address_refused, '@address', address)
        routing_key: str | None = source.routing_key
        if routing_key is not None:
            if to_topic_name is None:  # routing-key-topic, amqp091_to_mqtt5.toml
                made = (
                    routing_key.replace('.', '/').replace('*', '+')
                    if '/' not in routing_key and '+' not in routing_key
                    else via_routing_key_to_topic(routing_key)
                )
                if type(made) is not str:
                    notes.lost.append(('routing_key', 'shortstr', made.reason, row_routing_key_topic))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        notes.lost.append(('routing_key', 'shortstr', fault, row_routing_key_topic))
                    else:
                        to_topic_name = made
                        taken.append(row_routing_key_topic)
            else:  # routing-key, amqp091_to_mqtt5.toml
                taken.append(row_routing_key)
        exchange: Any = source.exchange
        if exchange is not None:
            # exchange, amqp091_to_mqtt5.toml
            taken.append(row_exchange)
        message_id: str | None = basic.message_id
        if message_id is not None:
            # message-id, preserve.toml
            if (
                not (len(message_id) < 65536 and message_id.isascii() and '\x00' not in message_id)
                and (fault := fault_utf8(message_id)) is not None
            ):
                notes.lost.append(('basic.message_id', 'shortstr', fault, row_message_id))
            else:
                to_user_properties.append(('amqp-message-id', message_id))
                taken.append((row_message_id, None, 'amqp-message-id', None))
        correlation_id: str | None = basic.correlation_id
        if correlation_id is not None:
            # correlation-id, amqp091_to_mqtt5.toml
            raw = correlation_id.encode() if correlation_id.isascii() else via_octets(correlation_id)
            if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                notes.lost.append(('basic.correlation_id', 'shortstr', fault, row_correlation_id))
            elif to_correlation_data is not None:
                too_late(notes, row_correlation_id, 'basic.correlation_id', 'shortstr', 'correlation_data', None, None)
            else:
                to_correlation_data = raw
                taken.append(row_correlation_id)
        user_id: Any = basic.user_id
        if user_id is not None:
            # user-id, preserve.toml
            text = via_octets_then_to_base64(user_id)
            if not (len(text) < 65536 and text.isascii() and '\x00' not in text) and (fault := fault_utf8(text)) is not None:
                notes.lost.append(('basic.user_id', 'shortstr', fault, row_user_id))
            else:
                to_user_properties.append(('amqp-user-id', text))
                taken.append((row_user_id, None, 'amqp-user-id', None))
        expiration: str | None = basic.expiration
        if expiration is not None:
            took = False
            if not when_in_whole_seconds(expiration):  # expiration-exact, preserve.toml
                took = True
                if (
                    not (len(expiration) < 65536 and expiration.isascii() and '\x00' not in expiration)
                    and (fault := fault_utf8(expiration)) is not None
                ):
                    notes.lost.append(('basic.expiration', 'shortstr', fault, row_expiration_exact))
                else:
                    to_user_properties.append(('amqp-ttl', expiration))
                    taken.append((row_expiration_exact, None, 'amqp-ttl', None))
            if (  # expiration, preserve.toml
                len(expiration) < 13 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_4294967295999(expiration)
            ):
                number = int(expiration) // 1000
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    notes.lost.append(
                        ('basic.expiration', 'shortstr', 'after from-decimal then scale 1/1000: ' + fault, row_expiration)
                    )
                else:
                    to_message_expiry_interval = number
                    taken.append(row_expiration)
            elif when_in_whole_seconds(expiration):  # expiration-other, preserve.toml
                if (
                    not (len(expiration) < 65536 and expiration.isascii() and '\x00' not in expiration)
                    and (fault := fault_utf8(expiration)) is not None
                ):
                    notes.lost.append(('basic.expiration', 'shortstr', fault, row_expiration_other))
                else:
                    to_user_properties.append(('amqp-ttl', expiration))
                    taken.append((row_expiration_other, None, 'amqp-ttl', None))
            elif not took:
                notes.lost.append(('basic.expiration', 'shortstr', 'no row takes it', None))
        basic_type: str | None = basic.type
        if basic_type is not None:
            # type, preserve.toml
            if (
                not (len(basic_type) < 65536 and basic_type.isascii() and '\x00' not in basic_type)
                and (fault := fault_utf8(basic_type)) is not None
            ):
                notes.lost.append(('basic.type', 'shortstr', fault, row_type))
            else:
                to_user_properties.append(('amqp-type', basic_type))
                taken.append((row_type, None, 'amqp-type', None))
        reply_to: str | None = basic.reply_to
        if reply_to is not None:
            # reply-to, preserve.toml
            if (
                not (len(reply_to) < 65536 and reply_to.isascii() and '\x00' not in reply_to)
                and (fault := fault_utf8(reply_to)) is not None
            ):
                notes.lost.append(('basic.reply_to', 'shortstr', fault, row_reply_to))
            else:
                to_user_properties.append(('amqp-reply-to', reply_to))
                taken.append((row_reply_to, None, 'amqp-reply-to', None))
        app_id: str | None = basic.app_id
        if app_id is not None:
            # app-id, preserve.toml
            if (
                not (len(app_id) < 65536 and app_id.isascii() and '\x00' not in app_id)
                and (fault := fault_utf8(app_id)) is not None
            ):
                notes.lost.append(('basic.app_id', 'shortstr', fault, row_app_id))
            else:
                to_user_properties.append(('amqp-app-id', app_id))
                taken.append((row_app_id, None, 'amqp-app-id', None))
        timestamp: int | None = basic.timestamp
        if timestamp is not None:
            if when_seconds_beside(  # creation-time-exact, preserve.toml
                timestamp, index_basic_headers.get('amqp-creation-time')
            ):
                taken.append(row_creation_time_exact)
            else:  # timestamp, preserve.toml
                made = (
                    str(timestamp * 1000)
                    if timestamp < 9223372036854775
                    else via_seconds_to_signed_milliseconds_then_to_decimal(timestamp)
                )
                if type(made) is not str:
                    notes.lost.append(('basic.timestamp', 'timestamp', made.reason, row_timestamp))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    to_user_properties.append(('amqp-creation-time', made))
                    taken.append((row_timestamp, None, 'amqp-creation-time', None))
        content_type: str | None = basic.content_type
        if content_type is not None:
            # content-type, amqp091_to_mqtt5.toml
            if (
                not (len(content_type) < 65536 and content_type.isascii() and '\x00' not in content_type)
                and (fault := fault_utf8(content_type)) is not None
            ):
                notes.lost.append(('basic.content_type', 'shortstr', fault, row_content_type))
            elif to_content_type is not None:
                too_late(notes, row_content_type, 'basic.content_type', 'shortstr', 'content_type', None, None)
            else:
                to_content_type = content_type
                taken.append(row_content_type)
        content_encoding: str | None = basic.content_encoding
        if content_encoding is not None:
            # content-encoding, preserve.toml
            if (
                not (len(content_encoding) < 65536 and content_encoding.isascii() and '\x00' not in content_encoding)
                and (fault := fault_utf8(content_encoding)) is not None
            ):
                notes.lost.append(('basic.content_encoding', 'shortstr', fault, row_content_encoding))
            else:
                to_user_properties.append(('amqp-content-encoding', content_encoding))
                taken.append((row_content_encoding, None, 'amqp-content-encoding', None))
        delivery_mode: Any = basic.delivery_mode
        if delivery_mode is not None:
            if when_property_is_2(delivery_mode, index_basic_headers.get('mqtt-qos')):  # qos-kept, preserve.toml
                taken.append(row_qos_kept)
            else:
                if when_outside_1_2(delivery_mode):  # delivery-mode-other, preserve.toml
                    notes.lost.append(('basic.delivery_mode', 'octet', 'not a delivery mode', row_delivery_mode_other))
                # delivery-mode, amqp091_to_mqtt5.toml
                if to_qos is not None:
                    too_late(notes, row_delivery_mode, 'basic.delivery_mode', 'octet', 'qos', None, None)
                else:
                    to_qos = 1 if delivery_mode == 2 else 0
                    taken.append(row_delivery_mode)
        else:  # delivery-mode-absent, amqp091_to_mqtt5.toml
            to_qos = 0
            taken.append(row_delivery_mode_absent_sets_qos)
        priority: Any = basic.priority
        if priority is not None:
            # priority, preserve.toml
            to_user_properties.append(('amqp-priority', str(priority)))
            taken.append((row_priority, None, 'amqp-priority', None))
        cluster_id: str | None = basic.cluster_id
        if cluster_id is not None:
            # cluster-id, preserve.toml
            if (
                not (len(cluster_id) < 65536 and cluster_id.isascii() and '\x00' not in cluster_id)
                and (fault := fault_utf8(cluster_id)) is not None
            ):
                notes.lost.append(('basic.cluster_id', 'shortstr', fault, row_cluster_id))
            else:
                to_user_properties.append(('amqp-cluster-id', cluster_id))
                taken.append((row_cluster_id, None, 'amqp-cluster-id', None))
        headers: list[Any] | None = basic.headers
        if headers is not None:
            for typed in headers:
                key, type_ = typed.key, typed.type
                if key in keys_basic_headers:
                    if (  # response-topic-kept, preserve.toml
                        key == 'x-reply-to-topic'
                        and type_ == 'longstr'
                        and index_basic_headers.get('mqtt-response-topic') is not None
                        and index_basic_headers.get('mqtt-response-topic') is not False
                    ):
                        taken.append((row_response_topic_kept, key, None, None))
                        continue
                    if (  # header-reply-to-topic, amqp091_to_mqtt5.toml
                        key == 'x-reply-to-topic'
                        and type_ == 'longstr'
                        and to_response_topic is None
                    ):
                        made = (
                            handed.replace('.', '/').replace('*', '+')
                            if typed.value.isascii() and '/' not in (handed := typed.value.decode()) and '+' not in handed
                            else via_text_then_routing_key_to_topic(typed.value)
                        )
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_header_reply_to_topic))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_topic(made)) is not None:
                                notes.lost.append((path('basic.headers', key), type_, fault, row_header_reply_to_topic))
                            else:
                                to_response_topic = made
                                taken.append((row_header_reply_to_topic, key, None, None))
                        continue
                    if (  # header-correlation-id, preserve.toml
                        key == 'x-correlation-id'
                        and type_ in {'longstr', 'binary'}
                        and to_correlation_data is None
                    ):
                        if not len(typed.value) < 65536 and (fault := fault_binary(typed.value)) is not None:
                            notes.lost.append((path('basic.headers', key), type_, fault, row_header_correlation_id))
                        else:
                            to_correlation_data = typed.value
                            taken.append((row_header_correlation_id, key, None, None))
                        continue
                    if (  # header-correlation-id-taken, amqp091_to_mqtt5.toml
                        key == 'x-correlation-id'
                        and type_ == 'longstr'
                        and basic.correlation_id is not None
                        and basic.correlation_id is not False
                    ):
                        taken.append((row_header_correlation_id_taken, key, None, None))
                        continue
                    if (  # header-message-id, preserve.toml
                        key == 'x-message-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and not (basic.message_id is not None and basic.message_id is not False)
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_header_message_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                and (fault := fault_utf8(made)) is not None
                            ):
                                notes.lost.append((path('basic.headers', key), type_, fault, row_header_message_id))
                            else:
                                to_user_properties.append(('amqp-message-id', made))
                                taken.append((row_header_message_id, key, 'amqp-message-id', None))
                        continue
                    if (  # id-bytes, preserve.toml
                        key == 'x-message-id'
                        and type_ in {'longstr', 'binary'}
                        and not (basic.message_id is not None and basic.message_id is not False)
                    ):
                        text = via_to_base64(typed.value)
                        if (
                            not (len(text) < 65536 and text.isascii() and '\x00' not in text)
                            and (fault := fault_utf8(text)) is not None
                        ):
                            notes.lost.append((path('basic.headers', key), type_, fault, row_id_bytes))
                        else:
                            to_user_properties.append(('amqp-message-id', text))
                            taken.append((row_id_bytes, key, 'amqp-message-id', None))
                            to_user_properties.append(('amqp-type.amqp-message-id', 'binary'))
                            taken.append((row_id_bytes_sets_user_properties, None, 'amqp-type.amqp-message-id', None))
                        continue
                    if key == 'mqtt-qos' and type_ == 'longstr' and typed.value == b'2':  # mqtt-qos, preserve.toml
                        if to_qos is not None:
                            too_late(notes, row_mqtt_qos, path('basic.headers', key), type_, 'qos', None, key)
                        else:
                            to_qos = 2
                            taken.append((row_mqtt_qos, key, None, None))
                        continue
                    if (  # mqtt-retain, preserve.toml
                        key == 'mqtt-retain'
                        and type_ == 'longstr'
                        and (made := via_text_then_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_mqtt_retain))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'after text then read ubyte: ' + fault, row_mqtt_retain)
                                )
                            elif to_retain is not None:
                                too_late(notes, row_mqtt_retain, path('basic.headers', key), type_, 'retain', None, key)
                            else:
                                to_retain = made
                                taken.append((row_mqtt_retain if to_retain != 0 else row_mqtt_retain_unset, key, None, None))
                        continue
                    if (  # mqtt-payload-format, preserve.toml
                        key == 'mqtt-payload-format-indicator'
                        and type_ == 'longstr'
                        and (made := via_text_then_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_mqtt_payload_format))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('basic.headers', key),
                                        type_,
                                        'after text then read ubyte: ' + fault,
                                        row_mqtt_payload_format,
                                    ),
                                )
                            elif to_payload_format_indicator is not None:
                                too_late(
                                    notes,
                                    row_mqtt_payload_format,
                                    path('basic.headers', key),
                                    type_,
                                    'payload_format_indicator',
                                    None,
                                    key,
                                )
                            else:
                                to_payload_format_indicator = made
                                taken.append((row_mqtt_payload_format, key, None, None))
                        continue
                    if key == 'mqtt-response-topic' and type_ == 'longstr':  # mqtt-response-topic, preserve.toml
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_mqtt_response_topic))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_topic(made)) is not None:
                                notes.lost.append((path('basic.headers', key), type_, fault, row_mqtt_response_topic))
                            elif to_response_topic is not None:
                                too_late(
                                    notes,
                                    row_mqtt_response_topic,
                                    path('basic.headers', key),
                                    type_,
                                    'response_topic',
                                    None,
                                    key,
                                )
                            else:
                                to_response_topic = made
                                taken.append((row_mqtt_response_topic, key, None, None))
                        continue
                    if key == 'mqtt-content-type' and type_ == 'longstr':  # mqtt-content-type, preserve.toml
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_mqtt_content_type))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                and (fault := fault_utf8(made)) is not None
                            ):
                                notes.lost.append((path('basic.headers', key), type_, fault, row_mqtt_content_type))
                            elif to_content_type is not None:
                                too_late(
                                    notes, row_mqtt_content_type, path('basic.headers', key), type_, 'content_type', None, key
                                )
                            else:
                                to_content_type = made
                                taken.append((row_mqtt_content_type, key, None, None))
                        continue
                if (made := via_header_type(typed.value, type_)) is not NOT_MINE:  # header-type, preserve.toml
                    if (
                        not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                        and (fault := fault_utf8(made)) is not None
                    ):
                        notes.lost.append((path('basic.headers', key), type_, fault, row_header_type))
                    else:
                        name = 'amqp-type.' + key
                        if (
                            not (len(name) < 65536 and name.isascii() and '\x00' not in name)
                            and (fault := key_fault_utf8(name)) is not None
                        ):
                            notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header_type))
                        else:
                            to_user_properties.append((name, made))
                            taken.append((row_header_type, key, name, None))
                if (made := via_header_text(typed.value, type_)) is not NOT_MINE:  # header-text, preserve.toml
                    if type(made) is not str:
                        notes.lost.append((path('basic.headers', key), type_, made.reason, row_header_text))
                        made = made.value if type(made) is Partial else None
                    if made is not None:
                        if (
                            not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                            and (fault := fault_utf8(made)) is not None
                        ):
                            notes.lost.append((path('basic.headers', key), type_, fault, row_header_text))
                        elif (
                            not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_utf8(key)) is not None
                        ):
                            notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header_text))
                        else:
                            to_user_properties.append((key, made))
                            taken.append((row_header_text, key, key, None))
                else:  # header, amqp091_to_mqtt5.toml
                    if (  # type-longstr, amqp091_to_mqtt5.toml
                        type_ in {'longstr', 'binary'}
                        and (raw := typed.value).isascii()
                        and len(text := raw.decode()) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-longstr'
                        made = text
                    elif type_ == 'bool':  # type-bool, amqp091_to_mqtt5.toml
                        by = 'type-bool'
                        made = 'true' if typed.value else 'false'
                    elif type_ in {  # type-integer, amqp091_to_mqtt5.toml
                        'byte', 'unsignedbyte', 'short', 'unsignedshort', 'signedint', 'unsignedint', 'long', 'timestamp'
                    }:
                        by = 'type-integer'
                        made = str(typed.value)
                    elif type_ == 'void':  # type-void, amqp091_to_mqtt5.toml
                        by = 'type-void'
                        made = ''
                    else:
                        lost = notes.lost
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            put_before(path('basic.headers', key), lost, before)
                        if by is None:
                            continue
                    if (
                        not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_utf8(key)) is not None
                    ):
                        notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header))
                    else:
                        to_user_properties.append((key, made))
                        taken.append((row_header, key, key, by))
        payload: Any = source.payload
        # payload, amqp091_to_mqtt5.toml
        to_payload = payload
        taken.append(row_payload)
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

    return amqp_0_9_1_to_mqtt_5_0

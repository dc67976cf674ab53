"""amqp-0.9.1 -> mqtt-5.0, from amqp091_to_mqtt5.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, TypeTable, part, put_before, refused, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties as Of_EMPTY_basic, Message as Source
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.protocols.mqtt5.message import Message
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
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
    when_number_0_315360000000: Any = CONDITIONS['number 0 315360000000'].function
    row_expiration: Any = rows['expiration']
    fault_uint: Any = types['uint'].fault
    via_whole_seconds: Any = TRANSFORMS['whole-seconds'].function
    when_sections_beside: Any = CONDITIONS['sections-beside'].function
    row_type_sections: Any = rows['type-sections']
    row_type: Any = rows['type']
    row_reply_to: Any = rows['reply-to']
    row_app_id: Any = rows['app-id']
    row_timestamp: Any = rows['timestamp']
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_delivery_mode: Any = rows['delivery-mode']
    row_delivery_mode_absent_sets_qos: Any = replace(
        rows['delivery-mode-absent'], source='@constant', target='qos', constants={}
    )
    row_priority: Any = rows['priority']
    row_cluster_id: Any = rows['cluster-id']
    row_header_bcc: Any = rows['header-bcc']
    row_header_reply_to_topic: Any = rows['header-reply-to-topic']
    via_text_then_routing_key_to_topic: Any = TRANSFORMS['text then routing-key-to-topic'].function
    row_header_correlation_id: Any = rows['header-correlation-id']
    keys_basic_headers: Any = frozenset(['BCC', 'x-correlation-id', 'x-reply-to-topic'])
    row_header_compound: Any = rows['header-compound']
    row_header_binary: Any = rows['header-binary']
    row_header: Any = rows['header']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
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
        as_: str | None; before: int; by: str | None; fault: str | None; handed: str; key: str; lost: list[Any]; made: Any; raw: bytes; text: str; type_: str; typed: Entry
        taken: list[Any] = notes.taken
        basic: Of_EMPTY_basic | None = source.basic
        if basic is None:
            basic = EMPTY_basic
        to_topic_name: Any = None
        to_correlation_data: Any = None
        to_message_expiry_interval: Any = None
        to_content_type: Any = None
        to_qos: Any = 0
        to_response_topic: Any = None
        to_user_properties: list[Any] = []
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
        message_id: Any = basic.message_id
        if message_id is not None:
            # message-id, amqp091_to_mqtt5.toml
            taken.append(row_message_id)
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
            # user-id, amqp091_to_mqtt5.toml
            taken.append(row_user_id)
        expiration: str | None = basic.expiration
        if expiration is not None:
            if (  # expiration, amqp091_to_mqtt5.toml
                len(expiration) < 12 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_315360000000(expiration)
            ):
                made = via_whole_seconds(int(expiration))
                if type(made) is not int:
                    notes.lost.append(('basic.expiration', 'shortstr', made.reason, row_expiration))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not 0 <= made <= 4294967295 and (fault := fault_uint(made)) is not None:
                        notes.lost.append(
                            ('basic.expiration', 'shortstr', 'after from-decimal then whole-seconds: ' + fault, row_expiration)
                        )
                    else:
                        to_message_expiry_interval = made
                        taken.append(row_expiration)
            else:
                notes.lost.append(('basic.expiration', 'shortstr', 'no row takes it', None))
        basic_type: Any = basic.type
        if basic_type is not None:
            if (  # type-sections, amqp091_to_mqtt5.toml
                basic_type == 'amqp-1.0'
                and when_sections_beside(basic_type, source.payload)
            ):
                notes.lost.append(('basic.type', 'shortstr', 'a payload of sections needs it', row_type_sections))
            else:  # type, amqp091_to_mqtt5.toml
                taken.append(row_type)
        reply_to: Any = basic.reply_to
        if reply_to is not None:
            # reply-to, amqp091_to_mqtt5.toml
            taken.append(row_reply_to)
        app_id: Any = basic.app_id
        if app_id is not None:
            # app-id, amqp091_to_mqtt5.toml
            taken.append(row_app_id)
        timestamp: Any = basic.timestamp
        if timestamp is not None:
            # timestamp, amqp091_to_mqtt5.toml
            taken.append(row_timestamp)
        content_type: str | None = basic.content_type
        if content_type is not None:
            # content-type, amqp091_to_mqtt5.toml
            if (
                not (len(content_type) < 65536 and content_type.isascii() and '\x00' not in content_type)
                and (fault := fault_utf8(content_type)) is not None
            ):
                notes.lost.append(('basic.content_type', 'shortstr', fault, row_content_type))
            else:
                to_content_type = content_type
                taken.append(row_content_type)
        content_encoding: Any = basic.content_encoding
        if content_encoding is not None:
            # content-encoding, amqp091_to_mqtt5.toml
            notes.lost.append(
                ('basic.content_encoding', 'shortstr', 'the payload means something else without it', row_content_encoding)
            )
        delivery_mode: Any = basic.delivery_mode
        if delivery_mode is not None:
            # delivery-mode, amqp091_to_mqtt5.toml
            to_qos = 1 if delivery_mode == 2 else 0
            taken.append(row_delivery_mode)
        else:  # delivery-mode-absent, amqp091_to_mqtt5.toml
            to_qos = 0
            taken.append(row_delivery_mode_absent_sets_qos)
        priority: Any = basic.priority
        if priority is not None:
            # priority, amqp091_to_mqtt5.toml
            taken.append(row_priority)
        cluster_id: Any = basic.cluster_id
        if cluster_id is not None:
            # cluster-id, amqp091_to_mqtt5.toml
            taken.append(row_cluster_id)
        headers: list[Any] | None = basic.headers
        if headers is not None:
            seen = set()
            for typed in headers:
                key, type_ = typed.key, typed.type
                if key in keys_basic_headers:
                    first = key not in seen
                    seen.add(key)
                    if key == 'BCC' and first:  # header-bcc, rabbitmq-4.0.toml
                        taken.append((row_header_bcc, key, None, None))
                        continue
                    if (  # header-reply-to-topic, rabbitmq-4.0.toml
                        key == 'x-reply-to-topic'
                        and first
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
                    if (  # header-correlation-id, rabbitmq-4.0.toml
                        key == 'x-correlation-id'
                        and first
                        and type_ == 'longstr'
                        and to_correlation_data is None
                    ):
                        if not len(typed.value) < 65536 and (fault := fault_binary(typed.value)) is not None:
                            notes.lost.append((path('basic.headers', key), type_, fault, row_header_correlation_id))
                        else:
                            to_correlation_data = typed.value
                            taken.append((row_header_correlation_id, key, None, None))
                        continue
                if type_ in {'array', 'table'}:  # header-compound, amqp091_to_mqtt5.toml
                    taken.append((row_header_compound, key, None, None))
                elif type_ == 'binary':  # header-binary, rabbitmq-4.0.toml
                    taken.append((row_header_binary, key, None, None))
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
            to_qos,
            0,
            '' if to_topic_name is None else to_topic_name,
            None,
            None,
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

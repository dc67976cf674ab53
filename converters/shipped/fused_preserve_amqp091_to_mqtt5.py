"""amqp-0.9.1 -> mqtt-5.0, from amqp091_to_mqtt5.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, refused
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.primitives import (
    Writer,
    read_u64,
    write_coded_text16,
    write_from,
    write_u16,
    write_u32,
    write_u8,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as source_codec
from mqconvert.converters.protocols.amqp091.message import Message as Source
import mqconvert.converters.protocols.amqp091.words
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.mqtt5.codec as target_codec
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
    row_address_refused: Any = rows['address-refused']
    via_routing_key_to_topic: Any = TRANSFORMS['routing-key-to-topic'].function
    fault_binary: Any = types['binary'].fault
    via_octets: Any = TRANSFORMS['octets'].function
    via_octets_then_to_base64: Any = TRANSFORMS['octets then to-base64'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    when_number_0_4294967295999: Any = CONDITIONS['number 0 4294967295999'].function
    fault_uint: Any = types['uint'].fault
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    via_seconds_to_signed_milliseconds_then_to_decimal: Any = TRANSFORMS[
        'seconds-to-signed-milliseconds then to-decimal'
    ].function
    when_property_is_2: Any = CONDITIONS['property-is 2'].function
    when_outside_1_2: Any = CONDITIONS['outside 1 2'].function
    via_text_then_routing_key_to_topic: Any = TRANSFORMS['text then routing-key-to-topic'].function
    when_utf8: Any = CONDITIONS['utf8'].function
    via_to_base64: Any = TRANSFORMS['to-base64'].function
    via_text_then_read_ubyte: Any = TRANSFORMS['text then read ubyte'].function
    fault_bit: Any = types['bit'].fault
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
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_header_text: Any = TRANSFORMS['header-text'].function

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

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        content_type: str | None = None
        content_encoding: str | None = None
        headers: list[Any] | None = None
        delivery_mode: int | None = None
        priority: Any = None
        correlation_id: str | None = None
        reply_to: str | None = None
        expiration: str | None = None
        message_id: str | None = None
        timestamp: int | None = None
        basic_type: str | None = None
        user_id: str | None = None
        app_id: str | None = None
        cluster_id: str | None = None
        payload: bytes = b''
        exchange: str | None = None
        routing_key: str | None = None
        address: Any
        after: i64
        as_: str | None
        at: i64 = 0
        before: int
        by: str | None
        channel: i64
        complete: bool = True
        end: i64
        fault: str | None
        flags: i64
        handed: str
        index_basic_headers: Any
        key: str
        lost: list[Any]
        made: Any
        name: Any
        number: int
        raw: bytes
        size: i64
        text: str
        to_content_type: Any
        to_correlation_data: Any
        to_message_expiry_interval: Any
        to_payload: Any
        to_payload_format_indicator: Any
        to_qos: Any
        to_response_topic: Any
        to_retain: Any
        to_topic_name: Any
        to_user_properties: Writer
        took: Any
        type_: str
        typed: Entry
        value: Any
        exchange, routing_key, at, end, size, channel = source_codec.opened(data, 0)
        flags = data[at - 2] << 8 | data[at - 1]
        if flags & 3:
            return None
        if flags & 0x8000:
            after = at + 1 + data[at]
            content_type = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x4000:
            after = at + 1 + data[at]
            content_encoding = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x2000:
            headers, at = source_codec.read_table(data, at, end, 1)
        if flags & 0x1000:
            delivery_mode = data[at]
            at += 1
        if flags & 0x0800:
            priority = data[at]
            at += 1
        if flags & 0x0400:
            after = at + 1 + data[at]
            correlation_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x0200:
            after = at + 1 + data[at]
            reply_to = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x0100:
            after = at + 1 + data[at]
            expiration = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x80:
            after = at + 1 + data[at]
            message_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x40:
            timestamp = read_u64(data, at)
            at += 8
        if flags & 0x20:
            after = at + 1 + data[at]
            basic_type = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x10:
            after = at + 1 + data[at]
            user_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x08:
            after = at + 1 + data[at]
            app_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if flags & 0x04:
            after = at + 1 + data[at]
            cluster_id = data[at + 1:after].decode('utf-8', 'surrogateescape')
            at = after
        if at != end:
            return None
        payload, at = source_codec.read_body(data, end + 1, size, channel)
        if at != len(data):
            return None
        index_basic_headers = by_key(headers)
        to_topic_name = None
        to_user_properties = Writer()
        to_correlation_data = None
        to_message_expiry_interval = None
        to_content_type = None
        to_qos = None
        to_response_topic = None
        to_retain = None
        to_payload_format_indicator = None
        to_payload = b''
        address = environment.address
        if address is not None:
            if topic_fault(address) is None:  # address, amqp091_to_mqtt5.toml
                if to_topic_name is not None:
                    complete = False
                else:
                    to_topic_name = address
            else:  # address-refused, amqp091_to_mqtt5.toml
                raise refused(row_address_refused, '@address', address)
        if routing_key is not None:
            if to_topic_name is None:  # routing-key-topic, amqp091_to_mqtt5.toml
                made = (
                    routing_key.replace('.', '/').replace('*', '+')
                    if '/' not in routing_key and '+' not in routing_key
                    else via_routing_key_to_topic(routing_key)
                )
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        complete = False
                    else:
                        to_topic_name = made
        if message_id is not None:
            # message-id, preserve.toml
            if (
                not (len(message_id) < 65536 and message_id.isascii() and '\x00' not in message_id)
                and (fault := fault_utf8(message_id)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-message-id', message_id)
        if correlation_id is not None:
            # correlation-id, amqp091_to_mqtt5.toml
            raw = correlation_id.encode() if correlation_id.isascii() else via_octets(correlation_id)
            if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None or to_correlation_data is not None:
                complete = False
            else:
                to_correlation_data = raw
        if user_id is not None:
            # user-id, preserve.toml
            text = via_octets_then_to_base64(user_id)
            if not (len(text) < 65536 and text.isascii() and '\x00' not in text) and (fault := fault_utf8(text)) is not None:
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-user-id', text)
        if expiration is not None:
            took = False
            if not when_in_whole_seconds(expiration):  # expiration-exact, preserve.toml
                took = True
                if (
                    not (len(expiration) < 65536 and expiration.isascii() and '\x00' not in expiration)
                    and (fault := fault_utf8(expiration)) is not None
                ):
                    complete = False
                else:
                    target_codec.write_user_property(to_user_properties, 'amqp-ttl', expiration)
            if (  # expiration, preserve.toml
                len(expiration) < 13 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_4294967295999(expiration)
            ):
                number = int(expiration) // 1000
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    complete = False
                else:
                    to_message_expiry_interval = number
            elif when_in_whole_seconds(expiration):  # expiration-other, preserve.toml
                if (
                    not (len(expiration) < 65536 and expiration.isascii() and '\x00' not in expiration)
                    and (fault := fault_utf8(expiration)) is not None
                ):
                    complete = False
                else:
                    target_codec.write_user_property(to_user_properties, 'amqp-ttl', expiration)
            elif not took:
                complete = False
        if basic_type is not None:
            # type, preserve.toml
            if (
                not (len(basic_type) < 65536 and basic_type.isascii() and '\x00' not in basic_type)
                and (fault := fault_utf8(basic_type)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-type', basic_type)
        if reply_to is not None:
            # reply-to, preserve.toml
            if (
                not (len(reply_to) < 65536 and reply_to.isascii() and '\x00' not in reply_to)
                and (fault := fault_utf8(reply_to)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-reply-to', reply_to)
        if app_id is not None:
            # app-id, preserve.toml
            if (
                not (len(app_id) < 65536 and app_id.isascii() and '\x00' not in app_id)
                and (fault := fault_utf8(app_id)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-app-id', app_id)
        if timestamp is not None:
            if when_seconds_beside(  # creation-time-exact, preserve.toml
                timestamp, index_basic_headers.get('amqp-creation-time')
            ):
                pass
            else:  # timestamp, preserve.toml
                made = (
                    str(timestamp * 1000)
                    if timestamp < 9223372036854775
                    else via_seconds_to_signed_milliseconds_then_to_decimal(timestamp)
                )
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    target_codec.write_user_property(to_user_properties, 'amqp-creation-time', made)
        if content_type is not None:
            # content-type, amqp091_to_mqtt5.toml
            if (
                (
                    not (len(content_type) < 65536 and content_type.isascii() and '\x00' not in content_type)
                    and (fault := fault_utf8(content_type)) is not None
                )
                or to_content_type is not None
            ):
                complete = False
            else:
                to_content_type = content_type
        if content_encoding is not None:
            # content-encoding, preserve.toml
            if (
                not (len(content_encoding) < 65536 and content_encoding.isascii() and '\x00' not in content_encoding)
                and (fault := fault_utf8(content_encoding)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-content-encoding', content_encoding)
        if delivery_mode is not None:
            if when_property_is_2(delivery_mode, index_basic_headers.get('mqtt-qos')):  # qos-kept, preserve.toml
                pass
            else:
                if when_outside_1_2(delivery_mode):  # delivery-mode-other, preserve.toml
                    complete = False
                # delivery-mode, amqp091_to_mqtt5.toml
                if to_qos is not None:
                    complete = False
                else:
                    to_qos = 1 if delivery_mode == 2 else 0
        else:  # delivery-mode-absent, amqp091_to_mqtt5.toml
            to_qos = 0
        if priority is not None:
            # priority, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-priority', str(priority))
        if cluster_id is not None:
            # cluster-id, preserve.toml
            if (
                not (len(cluster_id) < 65536 and cluster_id.isascii() and '\x00' not in cluster_id)
                and (fault := fault_utf8(cluster_id)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-cluster-id', cluster_id)
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
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_topic(made)) is not None:
                                complete = False
                            else:
                                to_response_topic = made
                        continue
                    if (  # header-correlation-id, preserve.toml
                        key == 'x-correlation-id'
                        and type_ in {'longstr', 'binary'}
                        and to_correlation_data is None
                    ):
                        if not len(typed.value) < 65536 and (fault := fault_binary(typed.value)) is not None:
                            complete = False
                        else:
                            to_correlation_data = typed.value
                        continue
                    if (  # header-correlation-id-taken, amqp091_to_mqtt5.toml
                        key == 'x-correlation-id'
                        and type_ == 'longstr'
                        and correlation_id is not None
                        and correlation_id is not False
                    ):
                        complete = False
                        continue
                    if (  # header-message-id, preserve.toml
                        key == 'x-message-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and not (message_id is not None and message_id is not False)
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                and (fault := fault_utf8(made)) is not None
                            ):
                                complete = False
                            else:
                                target_codec.write_user_property(to_user_properties, 'amqp-message-id', made)
                        continue
                    if (  # id-bytes, preserve.toml
                        key == 'x-message-id'
                        and type_ in {'longstr', 'binary'}
                        and not (message_id is not None and message_id is not False)
                    ):
                        text = via_to_base64(typed.value)
                        if (
                            not (len(text) < 65536 and text.isascii() and '\x00' not in text)
                            and (fault := fault_utf8(text)) is not None
                        ):
                            complete = False
                        else:
                            target_codec.write_user_property(to_user_properties, 'amqp-message-id', text)
                            target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-message-id', 'binary')
                        continue
                    if key == 'mqtt-qos' and type_ == 'longstr' and typed.value == b'2':  # mqtt-qos, preserve.toml
                        if to_qos is not None:
                            complete = False
                        else:
                            to_qos = 2
                        continue
                    if (  # mqtt-retain, preserve.toml
                        key == 'mqtt-retain'
                        and type_ == 'longstr'
                        and (made := via_text_then_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None or to_retain is not None:
                                complete = False
                            else:
                                to_retain = made
                        continue
                    if (  # mqtt-payload-format, preserve.toml
                        key == 'mqtt-payload-format-indicator'
                        and type_ == 'longstr'
                        and (made := via_text_then_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not 0 <= made <= 1 and (fault := fault_bit(made)) is not None
                                or to_payload_format_indicator is not None
                            ):
                                complete = False
                            else:
                                to_payload_format_indicator = made
                        continue
                    if key == 'mqtt-response-topic' and type_ == 'longstr':  # mqtt-response-topic, preserve.toml
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (fault := fault_topic(made)) is not None or to_response_topic is not None:
                                complete = False
                            else:
                                to_response_topic = made
                        continue
                    if key == 'mqtt-content-type' and type_ == 'longstr':  # mqtt-content-type, preserve.toml
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                (
                                    not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                    and (fault := fault_utf8(made)) is not None
                                )
                                or to_content_type is not None
                            ):
                                complete = False
                            else:
                                to_content_type = made
                        continue
                if (made := via_header_type(typed.value, type_)) is not NOT_MINE:  # header-type, preserve.toml
                    if (
                        not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                        and (fault := fault_utf8(made)) is not None
                    ):
                        complete = False
                    else:
                        name = 'amqp-type.' + key
                        if (
                            not (len(name) < 65536 and name.isascii() and '\x00' not in name)
                            and (fault := key_fault_utf8(name)) is not None
                        ):
                            complete = False
                        else:
                            target_codec.write_user_property(to_user_properties, name, made)
                if (made := via_header_text(typed.value, type_)) is not NOT_MINE:  # header-text, preserve.toml
                    if type(made) is not str:
                        complete = False
                        made = made.value if type(made) is Partial else None
                    if made is not None:
                        if (
                            (
                                not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                                and (fault := fault_utf8(made)) is not None
                            )
                            or (
                                not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                                and (fault := key_fault_utf8(key)) is not None
                            )
                        ):
                            complete = False
                        else:
                            target_codec.write_user_property(to_user_properties, key, made)
                else:  # header, amqp091_to_mqtt5.toml
                    if (  # type-longstr, amqp091_to_mqtt5.toml
                        type_ in {'longstr', 'binary'}
                        and (raw := typed.value).isascii()
                        and len(text := raw.decode()) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-longstr'
                        as_ = 'utf8'
                        made = text
                    elif type_ == 'bool':  # type-bool, amqp091_to_mqtt5.toml
                        by = 'type-bool'
                        as_ = 'utf8'
                        made = 'true' if typed.value else 'false'
                    elif type_ in {  # type-integer, amqp091_to_mqtt5.toml
                        'byte', 'unsignedbyte', 'short', 'unsignedshort', 'signedint', 'unsignedint', 'long', 'timestamp'
                    }:
                        by = 'type-integer'
                        as_ = 'utf8'
                        made = str(typed.value)
                    elif type_ == 'void':  # type-void, amqp091_to_mqtt5.toml
                        by = 'type-void'
                        as_ = 'utf8'
                        made = ''
                    else:
                        lost = []
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            complete = False
                        if by is None:
                            continue
                    if (
                        not (len(key) < 65536 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_utf8(key)) is not None
                    ):
                        complete = False
                    else:
                        target_codec.write_user_property(to_user_properties, key, made)
        # payload, amqp091_to_mqtt5.toml
        to_payload = payload
        identifier = target_codec.checked_identifier(
            0 if to_qos is None else to_qos, '' if to_topic_name is None else to_topic_name, None, False
        )
        out = Writer()
        if (value := to_payload_format_indicator) is not None:
            out.write(b'\x01')
            write_u8(out, value if type(value) is int and value <= 1 else -1)
        if (value := to_message_expiry_interval) is not None:
            out.write(b'\x02')
            write_u32(out, value if type(value) is int else -1)
        if (value := to_content_type) is not None:
            if type(value) is not str:
                raise ValueError
            text = value
            if '\x00' in text:
                raise ValueError
            write_coded_text16(out, 0x03, text)
        if (value := to_response_topic) is not None:
            if topic_fault(value) is not None:
                raise ValueError
            write_coded_text16(out, 0x08, value)
        if (value := to_correlation_data) is not None:
            if type(value) is not bytes:
                raise ValueError
            raw = value
            out.write(b'\t')
            write_u16(out, len(raw))
            out.write(raw)
        if len(to_user_properties):
            write_from(out, to_user_properties)
        return (
            target_codec.packet(
                0,
                0 if to_qos is None else to_qos,
                0 if to_retain is None else to_retain,
                '' if to_topic_name is None else to_topic_name,
                identifier,
                to_payload,
                out.getvalue(),
            ),
            complete,
        )

    return transcode

"""amqp-0.9.1 -> mqtt-5.0, from amqp091_to_mqtt5.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, TypeTable, part, refused
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.primitives import (
    Writer,
    read_u32,
    read_u64,
    write_coded_text16,
    write_from,
    write_u16,
    write_u32,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as source_codec
from mqconvert.converters.protocols.amqp091.message import Message as Source
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.mqtt5.codec as target_codec
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
    row_address_refused: Any = rows['address-refused']
    via_routing_key_to_topic: Any = TRANSFORMS['routing-key-to-topic'].function
    fault_binary: Any = types['binary'].fault
    via_octets: Any = TRANSFORMS['octets'].function
    when_number_0_315360000000: Any = CONDITIONS['number 0 315360000000'].function
    fault_uint: Any = types['uint'].fault
    via_whole_seconds: Any = TRANSFORMS['whole-seconds'].function
    when_sections_beside: Any = CONDITIONS['sections-beside'].function
    via_text_then_routing_key_to_topic: Any = TRANSFORMS['text then routing-key-to-topic'].function
    keys_basic_headers: Any = frozenset(['BCC', 'x-correlation-id', 'x-reply-to-topic'])
    key_fault_utf8: Any = types['utf8-pairs'].key_fault

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
        headers: i64 = 0
        delivery_mode: int | None = None
        priority: Any = None
        correlation_id: str | None = None
        reply_to: str | None = None
        expiration: str | None = None
        message_id: str | None = None
        timestamp: Any = None
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
        first: Any
        flags: i64
        handed: str
        key: str
        lost: list[Any]
        made: Any
        raw: bytes
        seen: set[Any]
        size: i64
        stop: i64
        text: str
        to_content_type: Any
        to_correlation_data: Any
        to_message_expiry_interval: Any
        to_payload: Any
        to_qos: Any
        to_response_topic: Any
        to_topic_name: Any
        to_user_properties: Writer
        type_: str
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
            headers = at
            at += 4 + read_u32(data, at)
            if at > end:
                return None
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
        to_topic_name = None
        to_correlation_data = None
        to_message_expiry_interval = None
        to_content_type = None
        to_qos = 0
        to_response_topic = None
        to_user_properties = Writer()
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
            # message-id, amqp091_to_mqtt5.toml
            complete = False
        if correlation_id is not None:
            # correlation-id, amqp091_to_mqtt5.toml
            raw = correlation_id.encode() if correlation_id.isascii() else via_octets(correlation_id)
            if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None or to_correlation_data is not None:
                complete = False
            else:
                to_correlation_data = raw
        if user_id is not None:
            # user-id, amqp091_to_mqtt5.toml
            complete = False
        if expiration is not None:
            if (  # expiration, amqp091_to_mqtt5.toml
                len(expiration) < 12 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_315360000000(expiration)
            ):
                made = via_whole_seconds(int(expiration))
                if type(made) is not int:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not 0 <= made <= 4294967295 and (fault := fault_uint(made)) is not None:
                        complete = False
                    else:
                        to_message_expiry_interval = made
            else:
                complete = False
        if basic_type is not None:
            if basic_type == 'amqp-1.0' and when_sections_beside(basic_type, payload):  # type-sections, amqp091_to_mqtt5.toml
                complete = False
            else:  # type, amqp091_to_mqtt5.toml
                complete = False
        if reply_to is not None:
            # reply-to, amqp091_to_mqtt5.toml
            complete = False
        if app_id is not None:
            # app-id, amqp091_to_mqtt5.toml
            complete = False
        if timestamp is not None:
            # timestamp, amqp091_to_mqtt5.toml
            complete = False
        if content_type is not None:
            # content-type, amqp091_to_mqtt5.toml
            if (
                not (len(content_type) < 65536 and content_type.isascii() and '\x00' not in content_type)
                and (fault := fault_utf8(content_type)) is not None
            ):
                complete = False
            else:
                to_content_type = content_type
        if content_encoding is not None:
            # content-encoding, amqp091_to_mqtt5.toml
            complete = False
        if delivery_mode is not None:
            # delivery-mode, amqp091_to_mqtt5.toml
            to_qos = 1 if delivery_mode == 2 else 0
        else:  # delivery-mode-absent, amqp091_to_mqtt5.toml
            to_qos = 0
        if priority is not None:
            # priority, amqp091_to_mqtt5.toml
            complete = False
        if cluster_id is not None:
            # cluster-id, amqp091_to_mqtt5.toml
            complete = False
        if headers:
            seen = set()
            at = headers + 4
            stop = at + read_u32(data, headers)
            while at < stop:
                key, type_, value, at = source_codec.read_entry(data, at, stop, 1)
                if key in keys_basic_headers:
                    first = key not in seen
                    seen.add(key)
                    if key == 'BCC' and first:  # header-bcc, rabbitmq-4.0.toml
                        complete = False
                        continue
                    if (  # header-reply-to-topic, rabbitmq-4.0.toml
                        key == 'x-reply-to-topic'
                        and first
                        and type_ == 'longstr'
                        and to_response_topic is None
                    ):
                        made = (
                            handed.replace('.', '/').replace('*', '+')
                            if value.isascii() and '/' not in (handed := value.decode()) and '+' not in handed
                            else via_text_then_routing_key_to_topic(value)
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
                    if (  # header-correlation-id, rabbitmq-4.0.toml
                        key == 'x-correlation-id'
                        and first
                        and type_ == 'longstr'
                        and to_correlation_data is None
                    ):
                        if not len(value) < 65536 and (fault := fault_binary(value)) is not None:
                            complete = False
                        else:
                            to_correlation_data = value
                        continue
                if type_ in {'array', 'table'} or type_ == 'binary':  # header-compound, amqp091_to_mqtt5.toml
                    complete = False
                else:  # header, amqp091_to_mqtt5.toml
                    if (  # type-longstr, amqp091_to_mqtt5.toml
                        type_ in {'longstr', 'binary'}
                        and (raw := value).isascii()
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
                        made = 'true' if value else 'false'
                    elif type_ in {  # type-integer, amqp091_to_mqtt5.toml
                        'byte', 'unsignedbyte', 'short', 'unsignedshort', 'signedint', 'unsignedint', 'long', 'timestamp'
                    }:
                        by = 'type-integer'
                        as_ = 'utf8'
                        made = str(value)
                    elif type_ == 'void':  # type-void, amqp091_to_mqtt5.toml
                        by = 'type-void'
                        as_ = 'utf8'
                        made = ''
                    else:
                        lost = []
                        before = len(lost)
                        by, as_, made = types_top[type_](value, lost)
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
            if at != stop:
                return None
        # payload, amqp091_to_mqtt5.toml
        to_payload = payload
        identifier = target_codec.checked_identifier(to_qos, '' if to_topic_name is None else to_topic_name, None, False)
        out = Writer()
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
                0, to_qos, 0, '' if to_topic_name is None else to_topic_name, identifier, to_payload, out.getvalue()
            ),
            complete,
        )

    return transcode

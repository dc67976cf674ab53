"""amqp-1.0 -> mqtt-5.0, from amqp10_to_mqtt5.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, refused
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import topic_fault as fault_topic, topic_fault, utf8_fault as fault_utf8
from mqconvert.converters.model.primitives import (
    Writer,
    read_i64,
    read_u32,
    read_u64,
    write_coded_text16,
    write_from,
    write_u16,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp10.codec as source_codec
from mqconvert.converters.protocols.amqp10.message import Message as Source
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
import mqconvert.converters.protocols.mqtt5.codec as target_codec
from mqconvert.converters.words import TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.expressions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_type_float: Any = rows['type-float']
    row_type_char: Any = rows['type-char']
    via_text_form: Any = TRANSFORMS['text-form'].function
    row_type_timestamp: Any = rows['type-timestamp']
    via_whole_seconds_then_to_decimal: Any = TRANSFORMS['whole-seconds then to-decimal'].function
    via_uuid_to_urn: Any = TRANSFORMS['uuid-to-urn'].function
    row_type_string: Any = rows['type-string']
    row_type_symbol: Any = rows['type-symbol']
    row_address_refused: Any = rows['address-refused']
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_address_to_topic: Any = TRANSFORMS['address-to-topic'].function
    via_exchange_address_to_topic: Any = TRANSFORMS['exchange-address-to-topic'].function
    fault_binary: Any = types['binary'].fault
    via_id_octets: Any = TRANSFORMS['id-octets'].function
    via_octets: Any = TRANSFORMS['octets'].function
    via_uuid_to_urn_then_octets: Any = TRANSFORMS['uuid-to-urn then octets'].function
    via_body_octets: Any = TRANSFORMS['body-octets'].function
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function

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

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        durable: Any = None
        priority: Any = None
        ttl: Any = None
        first_acquirer: Any = None
        delivery_count: Any = None
        delivery_annotations: i64 = 0
        message_annotations: i64 = 0
        message_id: TypedValue | None = None
        user_id: bytes | None = None
        to: str | None = None
        subject: str | None = None
        reply_to: str | None = None
        correlation_id: TypedValue | None = None
        content_type: str | None = None
        content_encoding: str | None = None
        absolute_expiry_time: Any = None
        creation_time: Any = None
        group_id: str | None = None
        group_sequence: Any = None
        reply_to_group_id: str | None = None
        application_properties: i64 = 0
        body: Any = None
        footer: list[Any] | None = None
        address: Any
        after: i64
        as_: str | None
        at: i64 = 0
        before: int
        by: str | None
        code: i64
        complete: bool = True
        count: i64
        end: i64
        fault: str | None
        key: str
        kind: i64
        label: Any
        last: i64 = 0
        lost: list[Any]
        made: Any
        number: int
        raw: bytes
        stop: i64
        text: str
        to_content_type: Any
        to_correlation_data: Any
        to_payload: Any
        to_qos: Any
        to_response_topic: Any
        to_topic_name: Any
        to_user_properties: Writer
        type_: str
        used_footer: Any
        value: Any
        end = len(data)
        room = source_codec.Room()
        while at < end:
            if data[at] == 0 and data[at + 1] == 0x53 and 0x70 <= (kind := data[at + 2]) <= 0x78:
                at += 3
            else:
                kind, at = source_codec.descriptor(data, at, room)
            if (kind <= last or last >= 0x75) and not source_codec.may_follow(kind, last):
                return None
            if kind <= 0x70:
                count, at, stop = source_codec.count_of('header', 5, data, at)
                if count > 0:
                    code = data[at]
                    if code == 0x41:
                        durable = True
                        at += 1
                    elif code == 0x42:
                        durable = False
                        at += 1
                    elif code == 0x56:
                        if data[at + 1] > 1:
                            raise source_codec.no_boolean(data[at + 1], at + 1)
                        durable = data[at + 1] == 1
                        at += 2
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('header', 0, code, data, at, room)
                        durable = value
                if count > 1:
                    code = data[at]
                    if code == 0x50:
                        priority = data[at + 1]
                        at += 2
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('header', 1, code, data, at, room)
                        priority = value
                if count > 2:
                    code = data[at]
                    if code == 0x52:
                        ttl = data[at + 1]
                        at += 2
                    elif code == 0x43:
                        ttl = 0
                        at += 1
                    elif code == 0x70:
                        ttl = read_u32(data, at + 1)
                        at += 5
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('header', 2, code, data, at, room)
                        ttl = value
                if count > 3:
                    code = data[at]
                    if code == 0x41:
                        first_acquirer = True
                        at += 1
                    elif code == 0x42:
                        first_acquirer = False
                        at += 1
                    elif code == 0x56:
                        if data[at + 1] > 1:
                            raise source_codec.no_boolean(data[at + 1], at + 1)
                        first_acquirer = data[at + 1] == 1
                        at += 2
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('header', 3, code, data, at, room)
                        first_acquirer = value
                if count > 4:
                    code = data[at]
                    if code == 0x52:
                        delivery_count = data[at + 1]
                        at += 2
                    elif code == 0x43:
                        delivery_count = 0
                        at += 1
                    elif code == 0x70:
                        delivery_count = read_u32(data, at + 1)
                        at += 5
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('header', 4, code, data, at, room)
                        delivery_count = value
                if at != stop:
                    raise source_codec.misfit(at, stop)
            elif kind <= 0x71:
                delivery_annotations = at
                at = source_codec.end_of(data, at)
            elif kind <= 0x72:
                message_annotations = at
                at = source_codec.end_of(data, at)
            elif kind <= 0x73:
                count, at, stop = source_codec.count_of('properties', 13, data, at)
                if count > 0:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        message_id = TypedValue('string', text)
                        at = after
                    elif code == 0x98:
                        if at + 17 > len(data):
                            raise IndexError
                        message_id = TypedValue('uuid', data[at + 1:at + 17])
                        at += 17
                    elif code == 0xa0:
                        after = at + 2 + data[at + 1]
                        message_id = TypedValue('binary', data[at + 2:after])
                        at = after
                    elif code == 0xb0:
                        after = at + 5 + read_u32(data, at + 1)
                        message_id = TypedValue('binary', data[at + 5:after])
                        at = after
                    elif code == 0x53:
                        message_id = TypedValue('ulong', data[at + 1])
                        at += 2
                    elif code == 0x44:
                        message_id = TypedValue('ulong', 0)
                        at += 1
                    elif code == 0x80:
                        message_id = TypedValue('ulong', read_u64(data, at + 1))
                        at += 9
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        message_id = TypedValue('string', text)
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 0, code, data, at, room)
                        message_id = value
                if count > 1:
                    code = data[at]
                    if code == 0xa0:
                        after = at + 2 + data[at + 1]
                        user_id = data[at + 2:after]
                        at = after
                    elif code == 0xb0:
                        after = at + 5 + read_u32(data, at + 1)
                        user_id = data[at + 5:after]
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 1, code, data, at, room)
                        user_id = value
                if count > 2:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        to = text
                        at = after
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        to = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 2, code, data, at, room)
                        to = value
                if count > 3:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        subject = text
                        at = after
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        subject = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 3, code, data, at, room)
                        subject = value
                if count > 4:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        reply_to = text
                        at = after
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        reply_to = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 4, code, data, at, room)
                        reply_to = value
                if count > 5:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        correlation_id = TypedValue('string', text)
                        at = after
                    elif code == 0x98:
                        if at + 17 > len(data):
                            raise IndexError
                        correlation_id = TypedValue('uuid', data[at + 1:at + 17])
                        at += 17
                    elif code == 0xa0:
                        after = at + 2 + data[at + 1]
                        correlation_id = TypedValue('binary', data[at + 2:after])
                        at = after
                    elif code == 0xb0:
                        after = at + 5 + read_u32(data, at + 1)
                        correlation_id = TypedValue('binary', data[at + 5:after])
                        at = after
                    elif code == 0x53:
                        correlation_id = TypedValue('ulong', data[at + 1])
                        at += 2
                    elif code == 0x44:
                        correlation_id = TypedValue('ulong', 0)
                        at += 1
                    elif code == 0x80:
                        correlation_id = TypedValue('ulong', read_u64(data, at + 1))
                        at += 9
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        correlation_id = TypedValue('string', text)
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 5, code, data, at, room)
                        correlation_id = value
                if count > 6:
                    code = data[at]
                    if code == 0xa3:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('symbol', data, at + 2, after) from None
                        if not text.isascii():
                            raise source_codec.bad_text('symbol', data, at + 2, after)
                        content_type = text
                        at = after
                    elif code == 0xb3:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('symbol', data, at + 5, after) from None
                        if not text.isascii():
                            raise source_codec.bad_text('symbol', data, at + 5, after)
                        content_type = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 6, code, data, at, room)
                        content_type = value
                if count > 7:
                    code = data[at]
                    if code == 0xa3:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('symbol', data, at + 2, after) from None
                        if not text.isascii():
                            raise source_codec.bad_text('symbol', data, at + 2, after)
                        content_encoding = text
                        at = after
                    elif code == 0xb3:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('symbol', data, at + 5, after) from None
                        if not text.isascii():
                            raise source_codec.bad_text('symbol', data, at + 5, after)
                        content_encoding = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 7, code, data, at, room)
                        content_encoding = value
                if count > 8:
                    code = data[at]
                    if code == 0x83:
                        absolute_expiry_time = read_i64(data, at + 1)
                        at += 9
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 8, code, data, at, room)
                        absolute_expiry_time = value
                if count > 9:
                    code = data[at]
                    if code == 0x83:
                        creation_time = read_i64(data, at + 1)
                        at += 9
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 9, code, data, at, room)
                        creation_time = value
                if count > 10:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        group_id = text
                        at = after
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        group_id = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 10, code, data, at, room)
                        group_id = value
                if count > 11:
                    code = data[at]
                    if code == 0x52:
                        group_sequence = data[at + 1]
                        at += 2
                    elif code == 0x43:
                        group_sequence = 0
                        at += 1
                    elif code == 0x70:
                        group_sequence = read_u32(data, at + 1)
                        at += 5
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 11, code, data, at, room)
                        group_sequence = value
                if count > 12:
                    code = data[at]
                    if code == 0xa1:
                        after = at + 2 + data[at + 1]
                        try:
                            text = data[at + 2:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 2, after) from None
                        reply_to_group_id = text
                        at = after
                    elif code == 0xb1:
                        after = at + 5 + read_u32(data, at + 1)
                        try:
                            text = data[at + 5:after].decode()
                        except UnicodeError:
                            raise source_codec.bad_text('string', data, at + 5, after) from None
                        reply_to_group_id = text
                        at = after
                    elif code == 0x40:
                        at += 1
                    else:
                        value, at = source_codec.read_other('properties', 12, code, data, at, room)
                        reply_to_group_id = value
                if at != stop:
                    raise source_codec.misfit(at, stop)
            elif kind <= 0x74:
                application_properties = at
                at = source_codec.end_of(data, at)
            elif kind <= 0x77:
                body, at = source_codec.read_body(kind, body, data, at, room)
            elif kind <= 0x78:
                footer, at = source_codec.read_entries('footer', 0xa3, data, at, room)
            last = kind
        if at > end or not end:
            return None
        used_footer = False
        to_topic_name = None
        to_qos = 0
        to_user_properties = Writer()
        to_response_topic = None
        to_correlation_data = None
        to_content_type = None
        to_payload = b''
        address = environment.address
        if address is not None:
            if topic_fault(address) is None:  # address, amqp10_to_mqtt5.toml
                if to_topic_name is not None:
                    complete = False
                else:
                    to_topic_name = address
            else:  # address-refused, amqp10_to_mqtt5.toml
                raise refused(row_address_refused, '@address', address)
        if durable is not None:
            # durable, amqp10_to_mqtt5.toml
            to_qos = 1 if durable else 0
        else:  # durable-absent, rabbitmq-4.0.toml
            to_qos = 1
        if priority is not None:
            # priority, amqp10_to_mqtt5.toml
            complete = False
        if ttl is not None:
            # ttl, amqp10_to_mqtt5.toml
            complete = False
        if first_acquirer is not None:
            # first-acquirer, amqp10_to_mqtt5.toml
            complete = False
        if delivery_count is not None:
            # delivery-count, amqp10_to_mqtt5.toml
            complete = False
        if delivery_annotations:
            count, at, stop = source_codec.entries_at('delivery_annotations', data, delivery_annotations, room)
            room.levels -= 1
            while count:
                count -= 2
                label, type_, value, at = source_codec.read_entry('delivery_annotations', 0xa3, data, at, room)
                # delivery-annotations, amqp10_to_mqtt5.toml
                complete = False
            if at != stop:
                return None
            room.levels += 1
        if message_annotations:
            count, at, stop = source_codec.entries_at('message_annotations', data, message_annotations, room)
            room.levels -= 1
            while count:
                count -= 2
                label, type_, value, at = source_codec.read_entry('message_annotations', 0xa3, data, at, room)
                if (  # annotation-x-compound, amqp10_to_mqtt5.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ in {'array', 'list', 'map', 'binary'}
                ):
                    complete = False
                elif type(label) is str and 'x-' <= label < 'x.':  # annotation-x, amqp10_to_mqtt5.toml
                    if (  # type-string, amqp10_to_mqtt5.toml
                        type_ == 'string'
                        and len(text := value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-string'
                        as_ = 'utf8'
                        made = text
                    elif (  # type-symbol, amqp10_to_mqtt5.toml
                        type_ == 'symbol'
                        and len(text := value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-symbol'
                        as_ = 'utf8'
                        made = text
                    elif type_ == 'null':  # type-null, amqp10_to_mqtt5.toml
                        by = 'type-null'
                        as_ = 'utf8'
                        made = ''
                    elif type_ == 'boolean':  # type-boolean, amqp10_to_mqtt5.toml
                        by = 'type-boolean'
                        as_ = 'utf8'
                        made = 'true' if value else 'false'
                    elif type_ in {  # type-integer, amqp10_to_mqtt5.toml
                        'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long'
                    }:
                        by = 'type-integer'
                        as_ = 'utf8'
                        made = str(value)
                    elif (  # type-timestamp, amqp10_to_mqtt5.toml
                        type_ == 'timestamp'
                        and (number := value) >= 0
                        and number % 1000 == 0
                    ):
                        by = 'type-timestamp'
                        as_ = 'utf8'
                        made = str(number // 1000)
                    else:
                        lost = []
                        before = len(lost)
                        by, as_, made = types_top[type_](value, lost)
                        if len(lost) > before:
                            complete = False
                        if by is None:
                            continue
                    if (
                        not (len(label) < 65536 and label.isascii() and '\x00' not in label)
                        and (fault := key_fault_utf8(label)) is not None
                    ):
                        complete = False
                    else:
                        target_codec.write_user_property(to_user_properties, label, made)
                else:
                    complete = False
            if at != stop:
                return None
            room.levels += 1
        if message_id is not None:
            value = message_id.value
            # message-id, amqp10_to_mqtt5.toml
            complete = False
        if user_id is not None:
            # user-id, amqp10_to_mqtt5.toml
            complete = False
        if to is not None:
            if (  # to-topic, amqp10_to_mqtt5.toml
                to_topic_name is None
                and (made := via_address_to_topic(to, environment.mqtt_exchange)) is not NOT_MINE
            ):
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        complete = False
                    else:
                        to_topic_name = made
            else:  # to, amqp10_to_mqtt5.toml
                complete = False
        if subject is not None:
            # subject, amqp10_to_mqtt5.toml
            complete = False
        if reply_to is not None:
            if (  # reply-to, amqp10_to_mqtt5.toml
                made := via_exchange_address_to_topic(reply_to, environment.mqtt_exchange)
            ) is not NOT_MINE:
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None:
                        complete = False
                    else:
                        to_response_topic = made
            else:  # reply-to-other, amqp10_to_mqtt5.toml
                complete = False
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            if type_ in {'string', 'binary'}:  # correlation-id-string, amqp10_to_mqtt5.toml
                raw = via_id_octets(value, type_)
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    complete = False
                else:
                    to_correlation_data = raw
            elif type_ == 'ulong':  # correlation-id-ulong, amqp10_to_mqtt5.toml
                raw = via_octets(str(value))
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    complete = False
                else:
                    to_correlation_data = raw
            elif type_ == 'uuid':  # correlation-id-uuid, amqp10_to_mqtt5.toml
                raw = via_uuid_to_urn_then_octets(value)
                if not len(raw) < 65536 and (fault := fault_binary(raw)) is not None:
                    complete = False
                else:
                    to_correlation_data = raw
            else:
                complete = False
        if content_type is not None:
            # content-type, amqp10_to_mqtt5.toml
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
            # content-encoding, amqp10_to_mqtt5.toml
            complete = False
        if absolute_expiry_time is not None:
            # absolute-expiry-time, amqp10_to_mqtt5.toml
            complete = False
        if creation_time is not None:
            # creation-time, amqp10_to_mqtt5.toml
            complete = False
        if group_id is not None:
            # group-id, amqp10_to_mqtt5.toml
            complete = False
        if group_sequence is not None:
            # group-sequence, amqp10_to_mqtt5.toml
            complete = False
        if reply_to_group_id is not None:
            # reply-to-group-id, amqp10_to_mqtt5.toml
            complete = False
        if application_properties:
            count, at, stop = source_codec.entries_at('application_properties', data, application_properties, room)
            room.levels -= 1
            while count:
                count -= 2
                key, type_, value, at = source_codec.read_entry('application_properties', 0xa1, data, at, room)
                if type_ in {'array', 'list', 'map', 'binary'}:  # application-property-compound, amqp10_to_mqtt5.toml
                    complete = False
                else:  # application-property, amqp10_to_mqtt5.toml
                    if (  # type-string, amqp10_to_mqtt5.toml
                        type_ == 'string'
                        and len(text := value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-string'
                        as_ = 'utf8'
                        made = text
                    elif (  # type-symbol, amqp10_to_mqtt5.toml
                        type_ == 'symbol'
                        and len(text := value) < 65536
                        and text.isascii()
                        and '\x00' not in text
                    ):
                        by = 'type-symbol'
                        as_ = 'utf8'
                        made = text
                    elif type_ == 'null':  # type-null, amqp10_to_mqtt5.toml
                        by = 'type-null'
                        as_ = 'utf8'
                        made = ''
                    elif type_ == 'boolean':  # type-boolean, amqp10_to_mqtt5.toml
                        by = 'type-boolean'
                        as_ = 'utf8'
                        made = 'true' if value else 'false'
                    elif type_ in {  # type-integer, amqp10_to_mqtt5.toml
                        'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long'
                    }:
                        by = 'type-integer'
                        as_ = 'utf8'
                        made = str(value)
                    elif (  # type-timestamp, amqp10_to_mqtt5.toml
                        type_ == 'timestamp'
                        and (number := value) >= 0
                        and number % 1000 == 0
                    ):
                        by = 'type-timestamp'
                        as_ = 'utf8'
                        made = str(number // 1000)
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
            room.levels += 1
        if body is not None:
            if type(body) is Data:  # body-data, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
            elif type(body) is AmqpValue:  # body-value, amqp10_to_mqtt5.toml
                to_payload = via_amqp_encoded_body(body, footer)
                if to_content_type is not None:
                    complete = False
                to_content_type = 'message/vnd.rabbitmq.amqp'
                if footer is not None:
                    used_footer = True
            elif type(body) is AmqpSequence:  # body-sequence, amqp10_to_mqtt5.toml
                to_payload = via_amqp_encoded_body(body, footer)
                if to_content_type is not None:
                    complete = False
                to_content_type = 'message/vnd.rabbitmq.amqp'
                if footer is not None:
                    used_footer = True
            else:
                complete = False
        else:  # no-body, amqp10_to_mqtt5.toml
            to_payload = b''
        if footer is not None and not used_footer:
            if footer:
                complete = False
        identifier = target_codec.checked_identifier(to_qos, '' if to_topic_name is None else to_topic_name, None, False)
        out = Writer()
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

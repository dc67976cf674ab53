"""amqp-1.0 -> amqp-0.9.1, from amqp10_to_amqp091.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import Keys, by_key
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.primitives import (
    SIZES,
    Writer,
    put_u16,
    read_i64,
    read_u32,
    read_u64,
    write_text8,
    write_u64,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as target_codec
import mqconvert.converters.protocols.amqp091.words
import mqconvert.converters.protocols.amqp10.codec as source_codec
from mqconvert.converters.protocols.amqp10.message import Message as Source
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-0.9.1'].named
    isfinite: Any = NAMES['isfinite']
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_type_ulong: Any = rows['type-ulong']
    via_wrapped_to_long: Any = TRANSFORMS['wrapped-to-long'].function
    fault_long: Any = types['long'].fault
    row_type_decimal: Any = rows['type-decimal']
    row_type_timestamp: Any = rows['type-timestamp']
    via_milliseconds_to_unsigned_seconds: Any = TRANSFORMS['milliseconds-to-unsigned-seconds'].function
    row_key_binary: Any = rows['key-binary']
    via_text: Any = TRANSFORMS['text'].function
    row_key_text: Any = rows['key-text']
    via_octets: Any = TRANSFORMS['octets'].function
    when_shortstr: Any = CONDITIONS['shortstr'].function
    keys_message_annotations: Any = frozenset(['x-basic-type', 'x-cc'])
    when_property_is_longstr: Any = CONDITIONS['property-is longstr'].function
    key_fault_shortstr: Any = types['table'].key_fault
    via_header_of_text: Any = TRANSFORMS['header-of-text'].function
    via_type_beside_then_octets: Any = TRANSFORMS['type-beside then octets'].function
    via_text_form_then_octets: Any = TRANSFORMS['text-form then octets'].function
    when_longer_than_256: Any = CONDITIONS['longer-than 256'].function
    via_uuid_to_urn: Any = TRANSFORMS['uuid-to-urn'].function
    via_to_base64_then_octets: Any = TRANSFORMS['to-base64 then octets'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    fault_timestamp: Any = types['timestamp'].fault
    when_fits_header_of_text: Any = CONDITIONS['fits header-of-text'].function
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function

    renamed_top: dict[str, tuple[str, str]] = {
        'null': ('type-null', 'void'),
        'boolean': ('type-boolean', 'bool'),
        'ubyte': ('type-ubyte', 'unsignedbyte'),
        'ushort': ('type-ushort', 'unsignedshort'),
        'uint': ('type-uint', 'unsignedint'),
        'byte': ('type-byte', 'byte'),
        'short': ('type-short', 'short'),
        'int': ('type-int', 'signedint'),
        'long': ('type-long', 'long'),
        'binary': ('type-binary', 'binary'),
    }

    def top_type_null(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-null, amqp10_to_amqp091.toml
        return 'type-null', 'void', value

    def top_type_boolean(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-boolean, amqp10_to_amqp091.toml
        return 'type-boolean', 'bool', value

    def top_type_ubyte(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-ubyte, amqp10_to_amqp091.toml
        return 'type-ubyte', 'unsignedbyte', value

    def top_type_ushort(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-ushort, amqp10_to_amqp091.toml
        return 'type-ushort', 'unsignedshort', value

    def top_type_uint(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-uint, amqp10_to_amqp091.toml
        return 'type-uint', 'unsignedint', value

    def top_type_ulong(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-ulong, amqp10_to_amqp091.toml
        made = via_wrapped_to_long(value)
        if type(made) is not int:
            made = part(made, 'ulong', row_type_ulong, lost)
            if made is None:
                return None, None, None
        if not -9223372036854775808 <= made <= 9223372036854775807 and (fault := fault_long(made)) is not None:
            lost.append(('', 'ulong', 'after wrapped-to-long: ' + fault, row_type_ulong))
            return None, None, None
        return 'type-ulong', 'long', made

    def top_type_byte(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-byte, amqp10_to_amqp091.toml
        return 'type-byte', 'byte', value

    def top_type_short(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-short, amqp10_to_amqp091.toml
        return 'type-short', 'short', value

    def top_type_int(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-int, amqp10_to_amqp091.toml
        return 'type-int', 'signedint', value

    def top_type_long(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-long, amqp10_to_amqp091.toml
        return 'type-long', 'long', value

    def top_type_float(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        if isfinite(value):  # type-float, amqp10_to_amqp091.toml
            return 'type-float', 'float', value
        lost.append(('', 'float', 'no row takes this float', None))
        return None, None, None

    def top_type_double(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        if isfinite(value):  # type-double, amqp10_to_amqp091.toml
            return 'type-double', 'double', value
        lost.append(('', 'double', 'no row takes this double', None))
        return None, None, None

    def top_type_decimal(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-decimal, amqp10_to_amqp091.toml
        lost.append(('', 'decimal32', 'decimals are not converted', row_type_decimal))
        return None, None, None

    def top_type_decimal_2(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-decimal, amqp10_to_amqp091.toml
        lost.append(('', 'decimal64', 'decimals are not converted', row_type_decimal))
        return None, None, None

    def top_type_decimal_3(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-decimal, amqp10_to_amqp091.toml
        lost.append(('', 'decimal128', 'decimals are not converted', row_type_decimal))
        return None, None, None

    def top_type_timestamp(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-timestamp, amqp10_to_amqp091.toml
        made = value // 1000 if value >= 0 and value % 1000 == 0 else via_milliseconds_to_unsigned_seconds(value)
        if type(made) is not int:
            made = part(made, 'timestamp', row_type_timestamp, lost)
            if made is None:
                return None, None, None
        return 'type-timestamp', 'timestamp', made

    def top_type_binary(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-binary, amqp10_to_amqp091.toml
        return 'type-binary', 'binary', value

    def top_type_string(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-string, amqp10_to_amqp091.toml
        return 'type-string', 'longstr', value.encode()

    def top_type_symbol(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-symbol, amqp10_to_amqp091.toml
        return 'type-symbol', 'longstr', value.encode()

    def top_type_list(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-list, amqp10_to_amqp091.toml
        return 'type-list', 'array', inside.items(value, lost)

    def top_type_map(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-map, amqp10_to_amqp091.toml
        return 'type-map', 'table', inside.entries(value, lost)

    types_top = TypeTable(
        {
            'null': top_type_null,
            'boolean': top_type_boolean,
            'ubyte': top_type_ubyte,
            'ushort': top_type_ushort,
            'uint': top_type_uint,
            'ulong': top_type_ulong,
            'byte': top_type_byte,
            'short': top_type_short,
            'int': top_type_int,
            'long': top_type_long,
            'float': top_type_float,
            'double': top_type_double,
            'decimal32': top_type_decimal,
            'decimal64': top_type_decimal_2,
            'decimal128': top_type_decimal_3,
            'timestamp': top_type_timestamp,
            'binary': top_type_binary,
            'string': top_type_string,
            'symbol': top_type_symbol,
            'list': top_type_list,
            'map': top_type_map,
        },
    )

    types_nested = types_top

    types_entry = types_top

    def key_key_binary(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # key-binary, amqp10_to_amqp091.toml
        made = value.decode() if value.isascii() else via_text(value)
        if type(made) is not str:
            made = part(made, 'binary', row_key_binary, lost)
            if made is None:
                return None, None, None
        if not (len(made) < 256 and made.isascii() and '\x00' not in made) and (fault := fault_shortstr(made)) is not None:
            lost.append(('', 'binary', fault, row_key_binary))
            return None, None, None
        return 'key-binary', 'shortstr', made

    def key_key_text(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # key-text, amqp10_to_amqp091.toml
        if not (len(value) < 256 and value.isascii() and '\x00' not in value) and (fault := fault_shortstr(value)) is not None:
            lost.append(('', 'string', fault, row_key_text))
            return None, None, None
        return 'key-text', 'shortstr', value

    def key_key_text_2(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # key-text, amqp10_to_amqp091.toml
        if not (len(value) < 256 and value.isascii() and '\x00' not in value) and (fault := fault_shortstr(value)) is not None:
            lost.append(('', 'symbol', fault, row_key_text))
            return None, None, None
        return 'key-text', 'shortstr', value

    types_key = TypeTable({'binary': key_key_binary, 'string': key_key_text, 'symbol': key_key_text_2})

    inside = Inside(types_nested, types_entry, types_key, None, renamed_top)

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        durable: Any = None
        priority: Any = None
        ttl: Any = None
        first_acquirer: Any = None
        delivery_count: Any = None
        delivery_annotations: i64 = 0
        message_annotations: list[Any] | None = None
        message_id: TypedValue | None = None
        user_id: bytes | None = None
        to: str | None = None
        subject: str | None = None
        reply_to: str | None = None
        correlation_id: TypedValue | None = None
        content_type: str | None = None
        content_encoding: str | None = None
        absolute_expiry_time: Any = None
        creation_time: int | None = None
        group_id: str | None = None
        group_sequence: Any = None
        reply_to_group_id: str | None = None
        application_properties: list[Any] | None = None
        body: Any = None
        footer: list[Any] | None = None
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
        filled_basic_headers: Keys
        flags: i64
        index_application_properties: Any
        index_message_annotations: Any
        key: str
        kind: i64
        label: Any
        last: i64 = 0
        lost: list[Any]
        made: Any
        name: Any
        number: int
        place: i64
        renamed: tuple[str, str] | None
        start: i64
        stop: i64
        text: str
        to_basic_app_id: Any
        to_basic_cluster_id: Any
        to_basic_content_encoding: Any
        to_basic_content_type: Any
        to_basic_correlation_id: Any
        to_basic_delivery_mode: Any
        to_basic_expiration: Any
        to_basic_headers: Writer
        to_basic_message_id: Any
        to_basic_priority: Any
        to_basic_reply_to: Any
        to_basic_timestamp: Any
        to_basic_type: Any
        to_basic_user_id: Any
        to_payload: Any
        took: Any
        type_: str
        typed: Entry
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
                message_annotations, at = source_codec.read_entries('message_annotations', 0xa3, data, at, room)
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
                application_properties, at = source_codec.read_entries('application_properties', 0xa1, data, at, room)
            elif kind <= 0x77:
                body, at = source_codec.read_body(kind, body, data, at, room)
            elif kind <= 0x78:
                footer, at = source_codec.read_entries('footer', 0xa3, data, at, room)
            last = kind
        if at > end or not end:
            return None
        index_application_properties = by_key(application_properties)
        index_message_annotations = by_key(message_annotations)
        used_footer = False
        to_basic_delivery_mode = None
        to_basic_priority = None
        to_basic_expiration = None
        to_basic_headers = Writer()
        filled_basic_headers = Keys()
        to_basic_type = None
        to_basic_correlation_id = None
        to_basic_message_id = None
        to_basic_user_id = None
        to_basic_reply_to = None
        to_basic_content_type = None
        to_basic_content_encoding = None
        to_basic_timestamp = None
        to_basic_app_id = None
        to_basic_cluster_id = None
        to_payload = b''
        if durable is not None:
            # durable, amqp10_to_amqp091.toml
            to_basic_delivery_mode = 2 if durable else 1
        if priority is not None:
            # priority, amqp10_to_amqp091.toml
            to_basic_priority = priority
        if ttl is not None:
            # ttl, amqp10_to_amqp091.toml
            to_basic_expiration = str(ttl)
        if first_acquirer is not None:
            # first-acquirer, preserve.toml
            if 'amqp-first-acquirer' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(
                    to_basic_headers, 'amqp-first-acquirer', 'longstr', b'true' if first_acquirer else b'false', 1
                )
                filled_basic_headers.add('amqp-first-acquirer')
        if delivery_count is not None:
            # delivery-count, preserve.toml
            if 'amqp-delivery-count' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'amqp-delivery-count', 'longstr', via_octets(str(delivery_count)), 1)
                filled_basic_headers.add('amqp-delivery-count')
        if delivery_annotations:
            count, at, stop = source_codec.entries_at('delivery_annotations', data, delivery_annotations, room)
            room.levels -= 1
            while count:
                count -= 2
                label, type_, value, at = source_codec.read_entry('delivery_annotations', 0xa3, data, at, room)
                # delivery-annotations, amqp10_to_amqp091.toml
                complete = False
            if at != stop:
                return None
            room.levels += 1
        if message_annotations is not None:
            for typed in message_annotations:
                label, type_ = typed.key, typed.type
                took = False
                if label in keys_message_annotations:
                    if (  # kept-basic-type, preserve.toml
                        label == 'x-basic-type'
                        and type_ == 'string'
                        and (
                            len(typed.value) < 256 and typed.value.isascii() and '\x00' not in typed.value
                            or when_shortstr(typed.value)
                        )
                    ):
                        if to_basic_type is not None:
                            complete = False
                        else:
                            to_basic_type = typed.value
                        continue
                    if label == 'x-cc' and type_ in {'string', 'symbol'}:  # annotation-x-cc, amqp10_to_amqp091.toml
                        if 'CC' in filled_basic_headers:
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, 'CC', 'longstr', typed.value.encode(), 1)
                            filled_basic_headers.add('CC')
                        continue
                    if label == 'x-cc':  # annotation-x-cc-other, amqp10_to_amqp091.toml
                        complete = False
                        continue
                if (  # kept-annotation-bytes, preserve.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ == 'binary'
                    and when_property_is_longstr(typed.value, index_application_properties.get('amqp-type.x-' + label[2:]))
                ):
                    if (
                        (
                            not (len(label) < 256 and label.isascii() and '\x00' not in label)
                            and (fault := key_fault_shortstr(label)) is not None
                        )
                        or label in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, label, 'longstr', typed.value, 1)
                        filled_basic_headers.add(label)
                elif (  # kept-annotation, preserve.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ == 'string'
                    and (
                        made := via_header_of_text(typed.value, index_application_properties.get('amqp-type.x-' + label[2:]))
                    ) is not NOT_MINE
                ):
                    if (
                        (
                            not (len(label) < 256 and label.isascii() and '\x00' not in label)
                            and (fault := key_fault_shortstr(label)) is not None
                        )
                        or label in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, label, made.type, made.value, 1)
                        filled_basic_headers.add(label)
                else:
                    if (  # annotation-type, preserve.toml
                        type(label) is str
                        and 'x-' <= label < 'x.'
                        and type_ in {
                            'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128', 'array', 'described'
                        }
                        and (made := via_type_beside_then_octets(typed.value, type_)) is not NOT_MINE
                    ):
                        took = True
                        name = 'amqp-type.x-' + label[2:]
                        if (
                            (
                                not (len(name) < 256 and name.isascii() and '\x00' not in name)
                                and (fault := key_fault_shortstr(name)) is not None
                            )
                            or name in filled_basic_headers
                        ):
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, name, 'longstr', made, 1)
                            filled_basic_headers.add(name)
                    if (  # annotation-text, preserve.toml
                        type(label) is str
                        and 'x-' <= label < 'x.'
                        and type_ in {
                            'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128', 'array', 'described'
                        }
                    ):
                        made = via_text_form_then_octets(typed.value, type_)
                        if type(made) is not bytes:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                (
                                    not (len(label) < 256 and label.isascii() and '\x00' not in label)
                                    and (fault := key_fault_shortstr(label)) is not None
                                )
                                or label in filled_basic_headers
                            ):
                                complete = False
                            else:
                                target_codec.write_entry(to_basic_headers, label, 'longstr', made, 1)
                                filled_basic_headers.add(label)
                    elif type(label) is str and 'x-' <= label < 'x.':  # annotation-x, amqp10_to_amqp091.toml
                        if type_ == 'string':  # type-string, amqp10_to_amqp091.toml
                            by = 'type-string'
                            text = typed.value
                            as_ = 'longstr'
                            made = text.encode()
                        elif type_ == 'symbol':  # type-symbol, amqp10_to_amqp091.toml
                            by = 'type-symbol'
                            text = typed.value
                            as_ = 'longstr'
                            made = text.encode()
                        elif type_ == 'float' and isfinite(typed.value):  # type-float, amqp10_to_amqp091.toml
                            by = 'type-float'
                            as_ = 'float'
                            made = typed.value
                        elif type_ == 'double' and isfinite(typed.value):  # type-double, amqp10_to_amqp091.toml
                            by = 'type-double'
                            as_ = 'double'
                            made = typed.value
                        elif (  # type-timestamp, amqp10_to_amqp091.toml
                            type_ == 'timestamp'
                            and (number := typed.value) >= 0
                            and number % 1000 == 0
                        ):
                            by = 'type-timestamp'
                            as_ = 'timestamp'
                            made = number // 1000
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = typed.value
                        else:
                            lost = []
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                complete = False
                            if by is None:
                                continue
                        if (
                            (
                                not (len(label) < 256 and label.isascii() and '\x00' not in label)
                                and (fault := key_fault_shortstr(label)) is not None
                            )
                            or label in filled_basic_headers
                        ):
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, label, as_, made, 1)
                            filled_basic_headers.add(label)
                    elif not took:
                        complete = False
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            took = False
            if type_ == 'string' and value.startswith('urn:uuid:'):  # correlation-id-urn, preserve.toml
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-correlation-id', 'longstr', b'string', 1)
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
            if (  # correlation-id-long-type, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-correlation-id', 'longstr', b'string', 1)
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
            if type_ == 'ulong':  # correlation-id-number, preserve.toml
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-correlation-id', 'longstr', b'ulong', 1)
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
            if (  # correlation-id-shortstr, amqp10_to_amqp091.toml
                type_ == 'string'
                and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                to_basic_correlation_id = value
            elif (  # correlation-id-other, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                if 'x-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-correlation-id', 'longstr', value.encode(), 1)
                    filled_basic_headers.add('x-correlation-id')
            elif (  # correlation-id-long, amqp10_to_amqp091.toml
                type_ == 'string'
                and len(value) > 64
                and when_longer_than_256(value)
            ):
                if 'x-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-correlation-id', 'longstr', value.encode(), 1)
                    filled_basic_headers.add('x-correlation-id')
            elif type_ == 'uuid':  # correlation-id-uuid, amqp10_to_amqp091.toml
                to_basic_correlation_id = via_uuid_to_urn(value)
            elif type_ == 'ulong':  # correlation-id-ulong, amqp10_to_amqp091.toml
                to_basic_correlation_id = str(value)
            elif type_ == 'binary':  # correlation-id-binary, amqp10_to_amqp091.toml
                if 'x-correlation-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-correlation-id', 'binary', value, 1)
                    filled_basic_headers.add('x-correlation-id')
            elif not took:
                complete = False
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            took = False
            if type_ == 'string' and value.startswith('urn:uuid:'):  # message-id-urn, preserve.toml
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-message-id', 'longstr', b'string', 1)
                    filled_basic_headers.add('amqp-type.amqp-message-id')
            if (  # message-id-long-type, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-message-id', 'longstr', b'string', 1)
                    filled_basic_headers.add('amqp-type.amqp-message-id')
            if type_ == 'ulong':  # message-id-number, preserve.toml
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-type.amqp-message-id', 'longstr', b'ulong', 1)
                    filled_basic_headers.add('amqp-type.amqp-message-id')
            if (  # message-id-shortstr, amqp10_to_amqp091.toml
                type_ == 'string'
                and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                to_basic_message_id = value
            elif (  # message-id-other, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                if 'x-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-message-id', 'longstr', value.encode(), 1)
                    filled_basic_headers.add('x-message-id')
            elif (  # message-id-long, amqp10_to_amqp091.toml
                type_ == 'string'
                and len(value) > 64
                and when_longer_than_256(value)
            ):
                if 'x-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-message-id', 'longstr', value.encode(), 1)
                    filled_basic_headers.add('x-message-id')
            elif type_ == 'uuid':  # message-id-uuid, amqp10_to_amqp091.toml
                to_basic_message_id = via_uuid_to_urn(value)
            elif type_ == 'ulong':  # message-id-ulong, amqp10_to_amqp091.toml
                to_basic_message_id = str(value)
            elif type_ == 'binary':  # message-id-binary, amqp10_to_amqp091.toml
                if 'x-message-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'x-message-id', 'binary', value, 1)
                    filled_basic_headers.add('x-message-id')
            elif not took:
                complete = False
        if user_id is not None:
            if (  # user-id, amqp10_to_amqp091.toml
                len(user_id) < 256 and user_id.isascii() and 0 not in user_id
                or when_shortstr(user_id)
            ):
                made = user_id.decode() if user_id.isascii() else via_text(user_id)
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        complete = False
                    else:
                        to_basic_user_id = made
            else:  # user-id-other, preserve.toml
                if 'amqp-user-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-user-id', 'longstr', via_to_base64_then_octets(user_id), 1)
                    filled_basic_headers.add('amqp-user-id')
        if to is not None:
            # to, preserve.toml
            if 'amqp-to' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'amqp-to', 'longstr', to.encode(), 1)
                filled_basic_headers.add('amqp-to')
        if subject is not None:
            # subject, preserve.toml
            if 'amqp-subject' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'amqp-subject', 'longstr', subject.encode(), 1)
                filled_basic_headers.add('amqp-subject')
        if reply_to is not None:
            if not (  # reply-to-other, preserve.toml
                len(reply_to) < 256 and reply_to.isascii() and '\x00' not in reply_to
                or when_shortstr(reply_to)
            ):
                if 'amqp-reply-to' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-reply-to', 'longstr', reply_to.encode(), 1)
                    filled_basic_headers.add('amqp-reply-to')
            elif (  # reply-to, amqp10_to_amqp091.toml
                len(reply_to) < 256 and reply_to.isascii() and '\x00' not in reply_to
                or when_shortstr(reply_to)
            ):
                to_basic_reply_to = reply_to
            else:
                complete = False
        if content_type is not None:
            if not (  # content-type-other, preserve.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                if 'amqp-content-type' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-content-type', 'longstr', content_type.encode(), 1)
                    filled_basic_headers.add('amqp-content-type')
            else:  # content-type, amqp10_to_amqp091.toml
                if (
                    not (len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type)
                    and (fault := fault_shortstr(content_type)) is not None
                ):
                    complete = False
                else:
                    to_basic_content_type = content_type
        if content_encoding is not None:
            if not (  # encoding-other, preserve.toml
                len(content_encoding) < 256 and content_encoding.isascii() and '\x00' not in content_encoding
                or when_shortstr(content_encoding)
            ):
                if 'amqp-content-encoding' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-content-encoding', 'longstr', content_encoding.encode(), 1)
                    filled_basic_headers.add('amqp-content-encoding')
            else:  # content-encoding, amqp10_to_amqp091.toml
                if (
                    not (len(content_encoding) < 256 and content_encoding.isascii() and '\x00' not in content_encoding)
                    and (fault := fault_shortstr(content_encoding)) is not None
                ):
                    complete = False
                else:
                    to_basic_content_encoding = content_encoding
        if absolute_expiry_time is not None:
            # absolute-expiry-time, preserve.toml
            if 'amqp-absolute-expiry-time' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(
                    to_basic_headers, 'amqp-absolute-expiry-time', 'longstr', via_octets(str(absolute_expiry_time)), 1
                )
                filled_basic_headers.add('amqp-absolute-expiry-time')
        if creation_time is not None:
            if creation_time >= 0 and not when_in_whole_seconds(creation_time):  # creation-time-exact, preserve.toml
                if 'amqp-creation-time' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(
                        to_basic_headers, 'amqp-creation-time', 'longstr', via_octets(str(creation_time)), 1
                    )
                    filled_basic_headers.add('amqp-creation-time')
            if creation_time >= 0 and not when_in_whole_seconds(creation_time):  # creation-time-seconds, preserve.toml
                number = creation_time // 1000
                if not 0 <= number <= 18446744073709551615 and (fault := fault_timestamp(number)) is not None:
                    complete = False
                else:
                    to_basic_timestamp = number
            else:  # creation-time, amqp10_to_amqp091.toml
                made = (
                    creation_time // 1000
                    if creation_time >= 0 and creation_time % 1000 == 0
                    else via_milliseconds_to_unsigned_seconds(creation_time)
                )
                if type(made) is not int:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    to_basic_timestamp = made
        if group_id is not None:
            if not (  # group-id-other, preserve.toml
                len(group_id) < 256 and group_id.isascii() and '\x00' not in group_id
                or when_shortstr(group_id)
            ):
                if 'amqp-group-id' in filled_basic_headers:
                    complete = False
                else:
                    target_codec.write_entry(to_basic_headers, 'amqp-group-id', 'longstr', group_id.encode(), 1)
                    filled_basic_headers.add('amqp-group-id')
            elif (  # group-id, amqp10_to_amqp091.toml
                len(group_id) < 256 and group_id.isascii() and '\x00' not in group_id
                or when_shortstr(group_id)
            ):
                to_basic_app_id = group_id
            else:
                complete = False
        if group_sequence is not None:
            # group-sequence, preserve.toml
            if 'amqp-group-sequence' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'amqp-group-sequence', 'longstr', via_octets(str(group_sequence)), 1)
                filled_basic_headers.add('amqp-group-sequence')
        if reply_to_group_id is not None:
            # reply-to-group-id, preserve.toml
            if 'amqp-reply-to-group-id' in filled_basic_headers:
                complete = False
            else:
                target_codec.write_entry(to_basic_headers, 'amqp-reply-to-group-id', 'longstr', reply_to_group_id.encode(), 1)
                filled_basic_headers.add('amqp-reply-to-group-id')
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                if (  # kept-cluster-id, preserve.toml
                    key == 'amqp-cluster-id'
                    and type_ == 'string'
                    and (
                        len(typed.value) < 256 and typed.value.isascii() and '\x00' not in typed.value
                        or when_shortstr(typed.value)
                    )
                ):
                    if to_basic_cluster_id is not None:
                        complete = False
                    else:
                        to_basic_cluster_id = typed.value
                elif (  # kept-annotation-bytes-type, preserve.toml
                    'amqp-type.x-' <= key < 'amqp-type.x.'
                    and type_ == 'string'
                    and typed.value == 'longstr'
                    and index_message_annotations.get('x-' + key[12:]) is not None
                    and index_message_annotations.get('x-' + key[12:]) is not False
                ):
                    pass
                elif (  # kept-annotation-type, preserve.toml
                    'amqp-type.x-' <= key < 'amqp-type.x.'
                    and when_fits_header_of_text(typed.value, index_message_annotations.get('x-' + key[12:]))
                ):
                    pass
                elif (  # kept-bytes-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and type_ == 'string'
                    and typed.value == 'longstr'
                    and index_application_properties.get(key[10:]) is not None
                    and index_application_properties.get(key[10:]) is not False
                ):
                    pass
                elif (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_header_of_text(typed.value, index_application_properties.get(key[10:]))
                ):
                    pass
                elif (  # kept-bytes, preserve.toml
                    type_ == 'binary'
                    and when_property_is_longstr(typed.value, index_application_properties.get('amqp-type.' + key))
                ):
                    if (
                        (
                            not (len(key) < 256 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_shortstr(key)) is not None
                        )
                        or key in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, key, 'longstr', typed.value, 1)
                        filled_basic_headers.add(key)
                elif (  # kept-header, preserve.toml
                    type_ == 'string'
                    and (
                        made := via_header_of_text(typed.value, index_application_properties.get('amqp-type.' + key))
                    ) is not NOT_MINE
                ):
                    if (
                        (
                            not (len(key) < 256 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_shortstr(key)) is not None
                        )
                        or key in filled_basic_headers
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_basic_headers, key, made.type, made.value, 1)
                        filled_basic_headers.add(key)
                else:
                    if (  # property-type, preserve.toml
                        type_ in {'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128'}
                        and (made := via_type_beside_then_octets(typed.value, type_)) is not NOT_MINE
                    ):
                        name = 'amqp-type.' + key
                        if (
                            (
                                not (len(name) < 256 and name.isascii() and '\x00' not in name)
                                and (fault := key_fault_shortstr(name)) is not None
                            )
                            or name in filled_basic_headers
                        ):
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, name, 'longstr', made, 1)
                            filled_basic_headers.add(name)
                    if type_ in {  # property-text, preserve.toml
                        'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128'
                    }:
                        made = via_text_form_then_octets(typed.value, type_)
                        if type(made) is not bytes:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                (
                                    not (len(key) < 256 and key.isascii() and '\x00' not in key)
                                    and (fault := key_fault_shortstr(key)) is not None
                                )
                                or key in filled_basic_headers
                            ):
                                complete = False
                            else:
                                target_codec.write_entry(to_basic_headers, key, 'longstr', made, 1)
                                filled_basic_headers.add(key)
                    else:  # application-property, amqp10_to_amqp091.toml
                        if type_ == 'string':  # type-string, amqp10_to_amqp091.toml
                            by = 'type-string'
                            text = typed.value
                            as_ = 'longstr'
                            made = text.encode()
                        elif type_ == 'symbol':  # type-symbol, amqp10_to_amqp091.toml
                            by = 'type-symbol'
                            text = typed.value
                            as_ = 'longstr'
                            made = text.encode()
                        elif type_ == 'float' and isfinite(typed.value):  # type-float, amqp10_to_amqp091.toml
                            by = 'type-float'
                            as_ = 'float'
                            made = typed.value
                        elif type_ == 'double' and isfinite(typed.value):  # type-double, amqp10_to_amqp091.toml
                            by = 'type-double'
                            as_ = 'double'
                            made = typed.value
                        elif (  # type-timestamp, amqp10_to_amqp091.toml
                            type_ == 'timestamp'
                            and (number := typed.value) >= 0
                            and number % 1000 == 0
                        ):
                            by = 'type-timestamp'
                            as_ = 'timestamp'
                            made = number // 1000
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = typed.value
                        else:
                            lost = []
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                complete = False
                            if by is None:
                                continue
                        if (
                            (
                                not (len(key) < 256 and key.isascii() and '\x00' not in key)
                                and (fault := key_fault_shortstr(key)) is not None
                            )
                            or key in filled_basic_headers
                        ):
                            complete = False
                        else:
                            target_codec.write_entry(to_basic_headers, key, as_, made, 1)
                            filled_basic_headers.add(key)
        if body is not None:
            if type(body) is Data and len(body.sections) == 1:  # body-one, amqp10_to_amqp091.toml
                to_payload = body.sections[0]
            elif type(body) is Data:  # body-data, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, footer)
                if to_basic_type is not None:
                    complete = False
                to_basic_type = 'amqp-1.0'
                if footer is not None:
                    used_footer = True
            elif type(body) is AmqpValue:  # body-value, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, footer)
                if to_basic_type is not None:
                    complete = False
                to_basic_type = 'amqp-1.0'
                if footer is not None:
                    used_footer = True
            elif type(body) is AmqpSequence:  # body-sequence, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, footer)
                if to_basic_type is not None:
                    complete = False
                to_basic_type = 'amqp-1.0'
                if footer is not None:
                    used_footer = True
            else:
                complete = False
        else:  # no-body, amqp10_to_amqp091.toml
            to_payload = b''
        if footer is not None and not used_footer:
            if footer:
                complete = False
        out = Writer()
        start = target_codec.begin(out, None, None, to_payload)
        flags = 0
        place = len(out)
        out.write(b'\x00\x00')
        if (value := to_basic_content_type) is not None:
            flags |= 0x8000
            write_text8(out, value)
        if (value := to_basic_content_encoding) is not None:
            flags |= 0x4000
            write_text8(out, value)
        if len(to_basic_headers):
            flags |= 0x2000
            target_codec.write_entries(out, to_basic_headers)
        if (value := to_basic_delivery_mode) is not None:
            flags |= 0x1000
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := to_basic_priority) is not None:
            flags |= 0x0800
            out.write(SIZES[value if type(value) is int and value >= 0 else 256])
        if (value := to_basic_correlation_id) is not None:
            flags |= 0x0400
            write_text8(out, value)
        if (value := to_basic_reply_to) is not None:
            flags |= 0x0200
            write_text8(out, value)
        if (value := to_basic_expiration) is not None:
            flags |= 0x0100
            write_text8(out, value)
        if (value := to_basic_message_id) is not None:
            flags |= 0x80
            write_text8(out, value)
        if (value := to_basic_timestamp) is not None:
            flags |= 0x40
            write_u64(out, value if type(value) is int else -1)
        if (value := to_basic_type) is not None:
            flags |= 0x20
            write_text8(out, value)
        if (value := to_basic_user_id) is not None:
            flags |= 0x10
            write_text8(out, value)
        if (value := to_basic_app_id) is not None:
            flags |= 0x08
            write_text8(out, value)
        if (value := to_basic_cluster_id) is not None:
            flags |= 0x04
            write_text8(out, value)
        put_u16(out, place, flags)
        return target_codec.finished(out, start, to_payload), complete

    return transcode

"""amqp-0.9.1 -> amqp-1.0, from amqp091_to_amqp10.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, place_sections
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.entries import Keys
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import symbol_fault as fault_symbol, unicode_fault as fault_string
from mqconvert.converters.model.primitives import (
    Writer,
    ended,
    put_sizes,
    read_u32,
    read_u64,
    write_i64,
    write_u32,
    write_u64,
    write_u8,
    write_varied_text,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp091.codec as source_codec
from mqconvert.converters.protocols.amqp091.message import Message as Source
import mqconvert.converters.protocols.amqp10.codec as target_codec
import mqconvert.converters.protocols.amqp10.words.sections
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Loss, Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.literals
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    when_longer_than_4096: Any = CONDITIONS['longer-than 4096'].function
    when_utf8: Any = CONDITIONS['utf8'].function
    row_type_longstr_text: Any = rows['type-longstr-text']
    via_text: Any = TRANSFORMS['text'].function
    row_type_timestamp: Any = rows['type-timestamp']
    via_seconds_to_signed_milliseconds: Any = TRANSFORMS['seconds-to-signed-milliseconds'].function
    row_key_x: Any = rows['key-x']
    via_loose_urn_to_uuid: Any = TRANSFORMS['loose-urn-to-uuid'].function
    fault_uuid: Any = types['uuid'].fault
    via_octets: Any = TRANSFORMS['octets'].function
    when_number_0_315360000000: Any = CONDITIONS['number 0 315360000000'].function
    fault_uint: Any = types['uint'].fault
    via_low_bits_32: Any = TRANSFORMS['low-bits 32'].function
    via_queue_address: Any = TRANSFORMS['queue-address'].function
    via_no_section_before_payload: Any = TRANSFORMS['no-section-before-payload'].function
    row_legacy_properties_refused: Any = rows['legacy-properties-refused']
    row_legacy_properties: Any = rows['legacy-properties']
    via_one_amqp_section: Any = TRANSFORMS['one-amqp-section'].function
    row_legacy_application_properties_refused: Any = rows['legacy-application-properties-refused']
    row_legacy_application_properties: Any = rows['legacy-application-properties']
    row_legacy_message_annotations_refused: Any = rows['legacy-message-annotations-refused']
    row_legacy_message_annotations: Any = rows['legacy-message-annotations']
    via_no_amqp_section: Any = TRANSFORMS['no-amqp-section'].function
    row_legacy_footer_refused: Any = rows['legacy-footer-refused']
    row_legacy_footer: Any = rows['legacy-footer']
    keys_basic_headers: Any = frozenset(
        [
            'BCC',
            'CC',
            'x-amqp-1.0-app-properties',
            'x-amqp-1.0-footer',
            'x-amqp-1.0-message-annotations',
            'x-amqp-1.0-properties',
        ],
    )
    key_fault_symbol: Any = types['annotations'].key_fault
    key_fault_string: Any = types['application-properties'].key_fault
    via_amqp_sections: Any = TRANSFORMS['amqp-sections'].function
    row_payload_sections: Any = rows['payload-sections']
    via_unread_sections: Any = TRANSFORMS['unread-sections'].function
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )
    via_constant_then_body_as: Any = TRANSFORMS['constant b"" then body-as data'].function

    renamed_top: dict[str, tuple[str, str]] = {
        'bool': ('type-bool', 'boolean'),
        'byte': ('type-byte', 'byte'),
        'unsignedbyte': ('type-unsignedbyte', 'ubyte'),
        'short': ('type-short', 'short'),
        'unsignedshort': ('type-unsignedshort', 'ushort'),
        'signedint': ('type-signedint', 'int'),
        'unsignedint': ('type-unsignedint', 'uint'),
        'long': ('type-long', 'long'),
        'float': ('type-float', 'float'),
        'double': ('type-double', 'double'),
        'binary': ('type-binary', 'binary'),
        'void': ('type-void', 'null'),
    }

    def top_type_bool(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-bool, amqp091_to_amqp10.toml
        return 'type-bool', 'boolean', value

    def top_type_byte(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-byte, amqp091_to_amqp10.toml
        return 'type-byte', 'byte', value

    def top_type_unsignedbyte(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-unsignedbyte, amqp091_to_amqp10.toml
        return 'type-unsignedbyte', 'ubyte', value

    def top_type_short(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-short, amqp091_to_amqp10.toml
        return 'type-short', 'short', value

    def top_type_unsignedshort(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-unsignedshort, amqp091_to_amqp10.toml
        return 'type-unsignedshort', 'ushort', value

    def top_type_signedint(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-signedint, amqp091_to_amqp10.toml
        return 'type-signedint', 'int', value

    def top_type_unsignedint(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-unsignedint, amqp091_to_amqp10.toml
        return 'type-unsignedint', 'uint', value

    def top_type_long(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-long, amqp091_to_amqp10.toml
        return 'type-long', 'long', value

    def top_type_float(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-float, amqp091_to_amqp10.toml
        return 'type-float', 'float', value

    def top_type_double(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-double, amqp091_to_amqp10.toml
        return 'type-double', 'double', value

    def top_type_longstr_text(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        if (  # type-longstr-text, rabbitmq-4.0.toml
            not (len(value) > 1024 and when_longer_than_4096(value))
            and (value.isascii() or when_utf8(value))
            and b'\x00' not in value
        ):
            made = value.decode() if value.isascii() else via_text(value)
            if type(made) is not str:
                made = part(made, 'longstr', row_type_longstr_text, lost)
                if made is None:
                    return None, None, None
            return 'type-longstr-text', 'string', made
        # type-longstr, amqp091_to_amqp10.toml
        return 'type-longstr', 'binary', value

    def top_type_binary(value: bytes, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-binary, amqp091_to_amqp10.toml
        return 'type-binary', 'binary', value

    def top_type_array(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-array, amqp091_to_amqp10.toml
        return 'type-array', 'list', inside.items(value, lost)

    def top_type_timestamp(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-timestamp, amqp091_to_amqp10.toml
        made = value * 1000 if value < 9223372036854775 else via_seconds_to_signed_milliseconds(value)
        if type(made) is not int:
            made = part(made, 'timestamp', row_type_timestamp, lost)
            if made is None:
                return None, None, None
        return 'type-timestamp', 'timestamp', made

    def top_type_table(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-table, amqp091_to_amqp10.toml
        return 'type-table', 'map', inside.entries(value, lost)

    def top_type_void(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        # type-void, amqp091_to_amqp10.toml
        return 'type-void', 'null', value

    types_top = TypeTable(
        {
            'bool': top_type_bool,
            'byte': top_type_byte,
            'unsignedbyte': top_type_unsignedbyte,
            'short': top_type_short,
            'unsignedshort': top_type_unsignedshort,
            'signedint': top_type_signedint,
            'unsignedint': top_type_unsignedint,
            'long': top_type_long,
            'float': top_type_float,
            'double': top_type_double,
            'longstr': top_type_longstr_text,
            'binary': top_type_binary,
            'array': top_type_array,
            'timestamp': top_type_timestamp,
            'table': top_type_table,
            'void': top_type_void,
        },
    )

    types_nested = types_top

    types_entry = types_top

    def key_key_x(value: str, lost: list[Any]) -> tuple[Any, Any, Any]:
        # key-x, rabbitmq-4.0.toml
        if not value.isascii() and (fault := fault_symbol(value)) is not None:
            lost.append(('', 'shortstr', fault, row_key_x))
            return None, None, None
        return 'key-x', 'symbol', value

    types_key = TypeTable({'shortstr': key_key_x})

    inside = Inside(types_nested, types_entry, types_key, 'shortstr', renamed_top)

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
        timestamp: int | None = None
        basic_type: str | None = None
        user_id: str | None = None
        app_id: str | None = None
        cluster_id: str | None = None
        payload: bytes = b''
        exchange: str | None = None
        routing_key: str | None = None
        after: i64
        as_: str | None
        at: i64 = 0
        before: int
        by: str | None
        channel: i64
        complete: bool = True
        count: i64
        end: i64
        fault: str | None
        filled_application_properties: Keys
        filled_message_annotations: Keys
        first: Any
        flags: i64
        key: str
        known: TypedValue
        last_body: Any
        lost: list[Any]
        made: Any
        number: int
        octets: bytes
        place: i64
        renamed: tuple[str, str] | None
        sections: dict[Any, Any]
        seen: set[Any]
        size: i64
        stop: i64
        target: Any
        text: str
        to_application_properties: Writer
        to_body: Any
        to_header_durable: Any
        to_header_priority: Any
        to_header_ttl: Any
        to_message_annotations: Writer
        to_properties_content_encoding: Any
        to_properties_content_type: Any
        to_properties_correlation_id: Any
        to_properties_creation_time: Any
        to_properties_group_id: Any
        to_properties_message_id: Any
        to_properties_reply_to: Any
        to_properties_user_id: Any
        type_: str
        value: Any
        whole: int
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
        room = target_codec.Room()
        room.levels -= 1
        to_header_durable = None
        to_properties_message_id = None
        to_properties_correlation_id = None
        to_properties_user_id = None
        to_header_ttl = None
        to_message_annotations = Writer()
        filled_message_annotations = Keys()
        to_properties_reply_to = None
        to_properties_group_id = None
        to_properties_creation_time = None
        to_properties_content_type = None
        to_properties_content_encoding = None
        to_header_priority = None
        to_application_properties = Writer()
        filled_application_properties = Keys()
        to_body = None
        sections = {}
        if delivery_mode is not None:
            # delivery-mode, amqp091_to_amqp10.toml
            to_header_durable = delivery_mode == 2
        else:  # delivery-mode-absent, amqp091_to_amqp10.toml
            to_header_durable = False
        if message_id is not None:
            if (made := via_loose_urn_to_uuid(message_id)) is not NOT_MINE:  # message-id-uuid, rabbitmq-4.0.toml
                if (fault := fault_uuid(made)) is not None:
                    complete = False
                else:
                    to_properties_message_id = TypedValue('uuid', made)
            else:  # message-id, amqp091_to_amqp10.toml
                if not message_id.isascii() and (fault := fault_string(message_id)) is not None:
                    complete = False
                else:
                    to_properties_message_id = TypedValue('string', message_id)
        if correlation_id is not None:
            if (made := via_loose_urn_to_uuid(correlation_id)) is not NOT_MINE:  # correlation-id-uuid, rabbitmq-4.0.toml
                if (fault := fault_uuid(made)) is not None:
                    complete = False
                else:
                    to_properties_correlation_id = TypedValue('uuid', made)
            else:  # correlation-id, amqp091_to_amqp10.toml
                if not correlation_id.isascii() and (fault := fault_string(correlation_id)) is not None:
                    complete = False
                else:
                    to_properties_correlation_id = TypedValue('string', correlation_id)
        if user_id is not None:
            # user-id, amqp091_to_amqp10.toml
            to_properties_user_id = user_id.encode() if user_id.isascii() else via_octets(user_id)
        if expiration is not None:
            if (  # expiration, rabbitmq-4.0.toml
                len(expiration) < 12 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_315360000000(expiration)
            ):
                made = via_low_bits_32(int(expiration))
                if type(made) is not int:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not 0 <= made <= 4294967295 and (fault := fault_uint(made)) is not None:
                        complete = False
                    else:
                        to_header_ttl = made
            else:
                complete = False
        if basic_type is not None:
            # type, amqp091_to_amqp10.toml
            if (
                not basic_type.isascii() and (fault := fault_string(basic_type)) is not None
                or 'x-basic-type' in filled_message_annotations
            ):
                complete = False
            else:
                target_codec.write_entry(to_message_annotations, 0xa3, 'x-basic-type', 'string', basic_type, room)
                filled_message_annotations.add('x-basic-type')
        if reply_to is not None:
            if reply_to.isascii() or when_utf8(reply_to):  # reply-to, rabbitmq-4.3.toml
                text = via_queue_address(reply_to)
                if not text.isascii() and (fault := fault_string(text)) is not None:
                    complete = False
                else:
                    to_properties_reply_to = text
            else:
                complete = False
        if app_id is not None:
            # app-id, amqp091_to_amqp10.toml
            if not app_id.isascii() and (fault := fault_string(app_id)) is not None:
                complete = False
            else:
                to_properties_group_id = app_id
        if timestamp is not None:
            # timestamp, amqp091_to_amqp10.toml
            made = timestamp * 1000 if timestamp < 9223372036854775 else via_seconds_to_signed_milliseconds(timestamp)
            if type(made) is not int:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_properties_creation_time = made
        if content_type is not None:
            # content-type, amqp091_to_amqp10.toml
            if not content_type.isascii() and (fault := fault_symbol(content_type)) is not None:
                complete = False
            else:
                to_properties_content_type = content_type
        if content_encoding is not None:
            # content-encoding, amqp091_to_amqp10.toml
            if not content_encoding.isascii() and (fault := fault_symbol(content_encoding)) is not None:
                complete = False
            else:
                to_properties_content_encoding = content_encoding
        if priority is not None:
            # priority, amqp091_to_amqp10.toml
            to_header_priority = priority
        if cluster_id is not None:
            # cluster-id, amqp091_to_amqp10.toml
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
                    if (  # legacy-properties-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(value, payload, basic_type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_properties_refused, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_properties_refused, key] = type_, made
                        continue
                    if (  # legacy-properties, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_properties, key) not in sections
                        and (made := via_one_amqp_section(value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_properties, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_properties, key] = type_, made
                    if (  # legacy-application-properties-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-app-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(value, payload, basic_type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_application_properties_refused, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_application_properties_refused, key] = type_, made
                        continue
                    if (  # legacy-application-properties, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-app-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_application_properties, key) not in sections
                        and (made := via_one_amqp_section(value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_application_properties, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_application_properties, key] = type_, made
                    if (  # legacy-message-annotations-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(value, payload, basic_type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_message_annotations_refused, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_message_annotations_refused, key] = type_, made
                        continue
                    if (  # legacy-message-annotations, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_message_annotations, key) not in sections
                        and (made := via_one_amqp_section(value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_message_annotations, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_message_annotations, key] = type_, made
                    if (  # legacy-footer-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-footer'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_amqp_section(value, 'footer')) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_footer_refused, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_footer_refused, key] = type_, made
                        continue
                    if (  # legacy-footer, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-footer'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_footer, key) not in sections
                        and (made := via_one_amqp_section(value, 'footer')) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            complete = False
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_footer, key) in sections:
                                complete = False
                            else:
                                sections[row_legacy_footer, key] = type_, made
                    if key == 'BCC' and first:  # header-bcc, rabbitmq-4.0.toml
                        complete = False
                        continue
                    if key == 'CC' and type_ == 'array':  # header-cc, rabbitmq-4.0.toml
                        if (  # type-timestamp, amqp091_to_amqp10.toml
                            type_ == 'timestamp'
                            and (number := value) < 9223372036854775
                        ):
                            by = 'type-timestamp'
                            as_ = 'timestamp'
                            made = number * 1000
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = value
                        else:
                            lost = []
                            before = len(lost)
                            by, as_, made = types_top[type_](value, lost)
                            if len(lost) > before:
                                complete = False
                            if by is None:
                                continue
                        if 'x-cc' in filled_message_annotations:
                            complete = False
                        else:
                            target_codec.write_entry(to_message_annotations, 0xa3, 'x-cc', as_, made, room)
                            filled_message_annotations.add('x-cc')
                        continue
                if 'x-' <= key < 'x.':  # header-x, amqp091_to_amqp10.toml
                    if type_ == 'timestamp' and (number := value) < 9223372036854775:  # type-timestamp, amqp091_to_amqp10.toml
                        by = 'type-timestamp'
                        as_ = 'timestamp'
                        made = number * 1000
                    elif (renamed := renamed_top.get(type_)) is not None:
                        by, as_ = renamed
                        made = value
                    else:
                        lost = []
                        before = len(lost)
                        by, as_, made = types_top[type_](value, lost)
                        if len(lost) > before:
                            complete = False
                        if by is None:
                            continue
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None or key in filled_message_annotations:
                        complete = False
                    else:
                        target_codec.write_entry(to_message_annotations, 0xa3, key, as_, made, room)
                        filled_message_annotations.add(key)
                elif type_ in {'array', 'table'}:  # header-compound, amqp091_to_amqp10.toml
                    complete = False
                else:  # header, amqp091_to_amqp10.toml
                    if type_ == 'timestamp' and (number := value) < 9223372036854775:  # type-timestamp, amqp091_to_amqp10.toml
                        by = 'type-timestamp'
                        as_ = 'timestamp'
                        made = number * 1000
                    elif (renamed := renamed_top.get(type_)) is not None:
                        by, as_ = renamed
                        made = value
                    else:
                        lost = []
                        before = len(lost)
                        by, as_, made = types_top[type_](value, lost)
                        if len(lost) > before:
                            complete = False
                        if as_ in ('list', 'map', 'array', 'described'):
                            complete = False
                            by = None
                        if by is None:
                            continue
                    if (
                        not key.isascii() and (fault := key_fault_string(key)) is not None
                        or key in filled_application_properties
                    ):
                        complete = False
                    else:
                        target_codec.write_entry(to_application_properties, 0xa1, key, as_, made, room)
                        filled_application_properties.add(key)
            if at != stop:
                return None
        if (  # payload-sections, rabbitmq-4.0.toml
            basic_type == 'amqp-1.0'
            and (made := via_amqp_sections(payload)) is not NOT_MINE
        ):
            if type(made) is Partial or type(made) is Loss:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_payload_sections, None) in sections:
                    complete = False
                else:
                    sections[row_payload_sections, None] = 'payload', made
        elif basic_type == 'amqp-1.0':  # payload-unread, rabbitmq-4.0.toml
            made = via_unread_sections(payload)
            if type(made) is Partial or type(made) is Loss:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_body = made
        else:  # payload, amqp091_to_amqp10.toml
            to_body = Data([payload])
        last_body = to_body
        if not sections:
            # body-absent, rabbitmq-4.0.toml
            if last_body is None:
                made = via_constant_then_body_as(last_body)
                if made != last_body:
                    complete = False
                    last_body = made
        out = Writer()
        room.levels += 1
        octets = b''
        if to_header_durable is not None or to_header_priority is not None or to_header_ttl is not None:
            count = 0
            out.write(b'\x00Sp')
            place = len(out)
            out.write(b'\xc0\x00\x00')
            if (value := to_header_durable) is not None:
                if type(value) is not bool:
                    raise target_codec.bad_value('boolean', value)
                if value:
                    out.write(b'A')
                else:
                    out.write(b'B')
                count = 1
            if (value := to_header_priority) is not None:
                if count < 1:
                    out.write(target_codec.NULLS[1 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('ubyte', value)
                out.write(b'P')
                write_u8(out, value)
                count = 2
            if (value := to_header_ttl) is not None:
                if count < 2:
                    out.write(target_codec.NULLS[2 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('uint', value)
                if 0 < (whole := value) < 256:
                    out.write(b'R')
                    write_u8(out, whole)
                elif not whole:
                    out.write(b'C')
                else:
                    out.write(b'p')
                    write_u32(out, whole)
                count = 3
            if count:
                put_sizes(out, place, 0xd0, count)
            else:
                out.truncate(place)
                out.write(b'E')
        if len(to_message_annotations):
            target_codec.write_entries(out, 0x72, to_message_annotations, len(filled_message_annotations))
        if (
            to_properties_message_id is not None
            or to_properties_user_id is not None
            or to_properties_reply_to is not None
            or to_properties_correlation_id is not None
            or to_properties_content_type is not None
            or to_properties_content_encoding is not None
            or to_properties_creation_time is not None
            or to_properties_group_id is not None
        ):
            count = 0
            out.write(b'\x00Ss')
            place = len(out)
            out.write(b'\xc0\x00\x00')
            if (value := to_properties_message_id) is not None:
                known = value
                type_ = known.type
                value = known.value
                if type_ == 'ulong':
                    if type(value) is not int:
                        raise target_codec.bad_value('ulong', value)
                    if 0 < (whole := value) < 256:
                        out.write(b'S')
                        write_u8(out, whole)
                    elif not whole:
                        out.write(b'D')
                    else:
                        out.write(b'\x80')
                        write_u64(out, whole)
                elif type_ == 'uuid':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('uuid', value)
                    if len(value) != 16:
                        raise ValueError
                    out.write(b'\x98')
                    out.write(value)
                elif type_ == 'binary':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('binary', value)
                    if (size := len(value)) < 256:
                        out.write(b'\xa0')
                        write_u8(out, size)
                        out.write(value)
                    else:
                        out.write(b'\xb0')
                        write_u32(out, size)
                        out.write(value)
                elif type_ == 'string':
                    write_varied_text(out, 0xa1, value)
                else:
                    raise ValueError(type_)
                count = 1
            if (value := to_properties_user_id) is not None:
                if count < 1:
                    out.write(target_codec.NULLS[1 - count])
                if type(value) is not bytes:
                    raise target_codec.bad_value('binary', value)
                if (size := len(value)) < 256:
                    out.write(b'\xa0')
                    write_u8(out, size)
                    out.write(value)
                else:
                    out.write(b'\xb0')
                    write_u32(out, size)
                    out.write(value)
                count = 2
            if (value := to_properties_reply_to) is not None:
                if count < 4:
                    out.write(target_codec.NULLS[4 - count])
                write_varied_text(out, 0xa1, value)
                count = 5
            if (value := to_properties_correlation_id) is not None:
                if count < 5:
                    out.write(target_codec.NULLS[5 - count])
                known = value
                type_ = known.type
                value = known.value
                if type_ == 'ulong':
                    if type(value) is not int:
                        raise target_codec.bad_value('ulong', value)
                    if 0 < (whole := value) < 256:
                        out.write(b'S')
                        write_u8(out, whole)
                    elif not whole:
                        out.write(b'D')
                    else:
                        out.write(b'\x80')
                        write_u64(out, whole)
                elif type_ == 'uuid':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('uuid', value)
                    if len(value) != 16:
                        raise ValueError
                    out.write(b'\x98')
                    out.write(value)
                elif type_ == 'binary':
                    if type(value) is not bytes:
                        raise target_codec.bad_value('binary', value)
                    if (size := len(value)) < 256:
                        out.write(b'\xa0')
                        write_u8(out, size)
                        out.write(value)
                    else:
                        out.write(b'\xb0')
                        write_u32(out, size)
                        out.write(value)
                elif type_ == 'string':
                    write_varied_text(out, 0xa1, value)
                else:
                    raise ValueError(type_)
                count = 6
            if (value := to_properties_content_type) is not None:
                if count < 6:
                    out.write(target_codec.NULLS[6 - count])
                if not value.isascii():
                    raise ValueError
                write_varied_text(out, 0xa3, value)
                count = 7
            if (value := to_properties_content_encoding) is not None:
                if count < 7:
                    out.write(target_codec.NULLS[7 - count])
                if not value.isascii():
                    raise ValueError
                write_varied_text(out, 0xa3, value)
                count = 8
            if (value := to_properties_creation_time) is not None:
                if count < 9:
                    out.write(target_codec.NULLS[9 - count])
                if type(value) is not int:
                    raise target_codec.bad_value('timestamp', value)
                out.write(b'\x83')
                write_i64(out, value)
                count = 10
            if (value := to_properties_group_id) is not None:
                if count < 10:
                    out.write(target_codec.NULLS[10 - count])
                write_varied_text(out, 0xa1, value)
                count = 11
            if count:
                put_sizes(out, place, 0xd0, count)
            else:
                out.truncate(place)
                out.write(b'E')
        if len(to_application_properties):
            target_codec.write_entries(out, 0x74, to_application_properties, len(filled_application_properties))
        if last_body is not None:
            if type(last_body) is bytes:
                octets = target_codec.write_data(out, last_body)
            else:
                octets = target_codec.write_body(out, last_body, room)
        if sections:
            target = target_codec.decode(ended(out, octets, b''))
            place_sections(target, sections, made_by_rows_sections, Notes())
            # body-absent, rabbitmq-4.0.toml
            if target.body is None:
                made = via_constant_then_body_as(target.body)
                if made != target.body:
                    complete = False
                    target.body = made
            return target_codec.encode(target), False
        return ended(out, octets, b''), complete

    return transcode

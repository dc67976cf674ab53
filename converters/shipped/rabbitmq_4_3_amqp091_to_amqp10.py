"""amqp-0.9.1 -> amqp-1.0, from amqp091_to_amqp10.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, place_sections, put_before, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import symbol_fault as fault_symbol, unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties as Of_EMPTY_basic, Message as Source
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
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
    row_delivery_mode: Any = rows['delivery-mode']
    row_delivery_mode_absent_sets_header_durable: Any = replace(
        rows['delivery-mode-absent'], source='@constant', target='header.durable', constants={}
    )
    via_loose_urn_to_uuid: Any = TRANSFORMS['loose-urn-to-uuid'].function
    row_message_id_uuid: Any = rows['message-id-uuid']
    fault_uuid: Any = types['uuid'].fault
    row_message_id: Any = rows['message-id']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    row_correlation_id: Any = rows['correlation-id']
    row_user_id: Any = rows['user-id']
    via_octets: Any = TRANSFORMS['octets'].function
    when_number_0_315360000000: Any = CONDITIONS['number 0 315360000000'].function
    row_expiration: Any = rows['expiration']
    fault_uint: Any = types['uint'].fault
    via_low_bits_32: Any = TRANSFORMS['low-bits 32'].function
    row_type: Any = rows['type']
    row_reply_to: Any = rows['reply-to']
    via_queue_address: Any = TRANSFORMS['queue-address'].function
    row_app_id: Any = rows['app-id']
    row_timestamp: Any = rows['timestamp']
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_priority: Any = rows['priority']
    row_cluster_id: Any = rows['cluster-id']
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
    row_header_bcc: Any = rows['header-bcc']
    row_header_cc: Any = rows['header-cc']
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
    row_header_x: Any = rows['header-x']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_header_compound: Any = rows['header-compound']
    row_header: Any = rows['header']
    key_fault_string: Any = types['application-properties'].key_fault
    via_amqp_sections: Any = TRANSFORMS['amqp-sections'].function
    row_payload_sections: Any = rows['payload-sections']
    row_payload_unread: Any = rows['payload-unread']
    via_unread_sections: Any = TRANSFORMS['unread-sections'].function
    row_payload: Any = rows['payload']
    row_exchange: Any = rows['exchange']
    row_routing_key: Any = rows['routing-key']
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )
    row_body_absent: Any = rows['body-absent']
    via_constant_then_body_as: Any = TRANSFORMS['constant b"" then body-as data'].function
    EMPTY_basic: Of_EMPTY_basic = empty(Of_EMPTY_basic)

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

    def amqp_0_9_1_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        as_: str | None; before: int; by: str | None; fault: str | None; key: str; lost: list[Any]; made: Any; number: int; renamed: tuple[str, str] | None; target: Message; text: str; type_: str; typed: Entry
        taken: list[Any] = notes.taken
        basic: Of_EMPTY_basic | None = source.basic
        if basic is None:
            basic = EMPTY_basic
        to_header_durable: Any = None
        to_properties_message_id: Any = None
        to_properties_correlation_id: Any = None
        to_properties_user_id: Any = None
        to_header_ttl: Any = None
        to_message_annotations: list[Any] = []
        filled_message_annotations: set[Any] = set()
        to_properties_reply_to: Any = None
        to_properties_group_id: Any = None
        to_properties_creation_time: Any = None
        to_properties_content_type: Any = None
        to_properties_content_encoding: Any = None
        to_header_priority: Any = None
        to_application_properties: list[Any] = []
        filled_application_properties: set[Any] = set()
        to_body: Any = None
        sections: dict[Any, Any] = {}
        delivery_mode: Any = basic.delivery_mode
        if delivery_mode is not None:
            # delivery-mode, amqp091_to_amqp10.toml
            to_header_durable = delivery_mode == 2
            taken.append(row_delivery_mode)
        else:  # delivery-mode-absent, amqp091_to_amqp10.toml
            to_header_durable = False
            taken.append(row_delivery_mode_absent_sets_header_durable)
        message_id: str | None = basic.message_id
        if message_id is not None:
            if (made := via_loose_urn_to_uuid(message_id)) is not NOT_MINE:  # message-id-uuid, rabbitmq-4.0.toml
                if (fault := fault_uuid(made)) is not None:
                    notes.lost.append(('basic.message_id', 'shortstr', fault, row_message_id_uuid))
                else:
                    to_properties_message_id = TypedValue('uuid', made)
                    taken.append(row_message_id_uuid)
            else:  # message-id, amqp091_to_amqp10.toml
                if not message_id.isascii() and (fault := fault_string(message_id)) is not None:
                    notes.lost.append(('basic.message_id', 'shortstr', fault, row_message_id))
                else:
                    to_properties_message_id = TypedValue('string', message_id)
                    taken.append(row_message_id)
        correlation_id: str | None = basic.correlation_id
        if correlation_id is not None:
            if (made := via_loose_urn_to_uuid(correlation_id)) is not NOT_MINE:  # correlation-id-uuid, rabbitmq-4.0.toml
                if (fault := fault_uuid(made)) is not None:
                    notes.lost.append(('basic.correlation_id', 'shortstr', fault, row_correlation_id_uuid))
                else:
                    to_properties_correlation_id = TypedValue('uuid', made)
                    taken.append(row_correlation_id_uuid)
            else:  # correlation-id, amqp091_to_amqp10.toml
                if not correlation_id.isascii() and (fault := fault_string(correlation_id)) is not None:
                    notes.lost.append(('basic.correlation_id', 'shortstr', fault, row_correlation_id))
                else:
                    to_properties_correlation_id = TypedValue('string', correlation_id)
                    taken.append(row_correlation_id)
        user_id: str | None = basic.user_id
        if user_id is not None:
            # user-id, amqp091_to_amqp10.toml
            to_properties_user_id = user_id.encode() if user_id.isascii() else via_octets(user_id)
            taken.append(row_user_id)
        expiration: str | None = basic.expiration
        if expiration is not None:
            if (  # expiration, rabbitmq-4.0.toml
                len(expiration) < 12 and expiration.isascii() and expiration.isdecimal()
                or when_number_0_315360000000(expiration)
            ):
                made = via_low_bits_32(int(expiration))
                if type(made) is not int:
                    notes.lost.append(('basic.expiration', 'shortstr', made.reason, row_expiration))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if not 0 <= made <= 4294967295 and (fault := fault_uint(made)) is not None:
                        notes.lost.append(
                            ('basic.expiration', 'shortstr', 'after from-decimal then low-bits 32: ' + fault, row_expiration)
                        )
                    else:
                        to_header_ttl = made
                        taken.append(row_expiration)
            else:
                notes.lost.append(('basic.expiration', 'shortstr', 'no row takes it', None))
        basic_type: str | None = basic.type
        if basic_type is not None:
            # type, amqp091_to_amqp10.toml
            if not basic_type.isascii() and (fault := fault_string(basic_type)) is not None:
                notes.lost.append(('basic.type', 'shortstr', fault, row_type))
            elif 'x-basic-type' in filled_message_annotations:
                too_late(notes, row_type, 'basic.type', 'shortstr', 'message_annotations', 'x-basic-type', None)
            else:
                to_message_annotations.append(Entry('x-basic-type', 'string', basic_type))
                filled_message_annotations.add('x-basic-type')
                taken.append((row_type, None, 'x-basic-type', None))
        reply_to: str | None = basic.reply_to
        if reply_to is not None:
            if reply_to.isascii() or when_utf8(reply_to):  # reply-to, rabbitmq-4.3.toml
                text = via_queue_address(reply_to)
                if not text.isascii() and (fault := fault_string(text)) is not None:
                    notes.lost.append(('basic.reply_to', 'shortstr', fault, row_reply_to))
                else:
                    to_properties_reply_to = text
                    taken.append(row_reply_to)
            else:
                notes.lost.append(('basic.reply_to', 'shortstr', 'no row takes it', None))
        app_id: str | None = basic.app_id
        if app_id is not None:
            # app-id, amqp091_to_amqp10.toml
            if not app_id.isascii() and (fault := fault_string(app_id)) is not None:
                notes.lost.append(('basic.app_id', 'shortstr', fault, row_app_id))
            else:
                to_properties_group_id = app_id
                taken.append(row_app_id)
        timestamp: int | None = basic.timestamp
        if timestamp is not None:
            # timestamp, amqp091_to_amqp10.toml
            made = timestamp * 1000 if timestamp < 9223372036854775 else via_seconds_to_signed_milliseconds(timestamp)
            if type(made) is not int:
                notes.lost.append(('basic.timestamp', 'timestamp', made.reason, row_timestamp))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_properties_creation_time = made
                taken.append(row_timestamp)
        content_type: str | None = basic.content_type
        if content_type is not None:
            # content-type, amqp091_to_amqp10.toml
            if not content_type.isascii() and (fault := fault_symbol(content_type)) is not None:
                notes.lost.append(('basic.content_type', 'shortstr', fault, row_content_type))
            else:
                to_properties_content_type = content_type
                taken.append(row_content_type)
        content_encoding: str | None = basic.content_encoding
        if content_encoding is not None:
            # content-encoding, amqp091_to_amqp10.toml
            if not content_encoding.isascii() and (fault := fault_symbol(content_encoding)) is not None:
                notes.lost.append(('basic.content_encoding', 'shortstr', fault, row_content_encoding))
            else:
                to_properties_content_encoding = content_encoding
                taken.append(row_content_encoding)
        priority: Any = basic.priority
        if priority is not None:
            # priority, amqp091_to_amqp10.toml
            to_header_priority = priority
            taken.append(row_priority)
        cluster_id: Any = basic.cluster_id
        if cluster_id is not None:
            # cluster-id, amqp091_to_amqp10.toml
            taken.append(row_cluster_id)
        headers: list[Any] | None = basic.headers
        if headers is not None:
            seen = set()
            for typed in headers:
                key, type_ = typed.key, typed.type
                if key in keys_basic_headers:
                    first = key not in seen
                    seen.add(key)
                    if (  # legacy-properties-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(typed.value, source.payload, basic.type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_legacy_properties_refused))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_properties_refused, key) in sections:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'a second equal key', row_legacy_properties_refused)
                                )
                            else:
                                sections[row_legacy_properties_refused, key] = type_, made
                        continue
                    if (  # legacy-properties, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_properties, key) not in sections
                        and (made := via_one_amqp_section(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_legacy_properties))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_properties, key) in sections:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'a second equal key', row_legacy_properties)
                                )
                            else:
                                sections[row_legacy_properties, key] = type_, made
                    if (  # legacy-application-properties-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-app-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(typed.value, source.payload, basic.type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append(
                                (path('basic.headers', key), type_, made.reason, row_legacy_application_properties_refused)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_application_properties_refused, key) in sections:
                                notes.lost.append(
                                    (
                                        path('basic.headers', key),
                                        type_,
                                        'a second equal key',
                                        row_legacy_application_properties_refused,
                                    ),
                                )
                            else:
                                sections[row_legacy_application_properties_refused, key] = type_, made
                        continue
                    if (  # legacy-application-properties, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-app-properties'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_application_properties, key) not in sections
                        and (made := via_one_amqp_section(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append(
                                (path('basic.headers', key), type_, made.reason, row_legacy_application_properties)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_application_properties, key) in sections:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'a second equal key', row_legacy_application_properties)
                                )
                            else:
                                sections[row_legacy_application_properties, key] = type_, made
                    if (  # legacy-message-annotations-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_section_before_payload(typed.value, source.payload, basic.type)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append(
                                (path('basic.headers', key), type_, made.reason, row_legacy_message_annotations_refused)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_message_annotations_refused, key) in sections:
                                notes.lost.append(
                                    (
                                        path('basic.headers', key),
                                        type_,
                                        'a second equal key',
                                        row_legacy_message_annotations_refused,
                                    ),
                                )
                            else:
                                sections[row_legacy_message_annotations_refused, key] = type_, made
                        continue
                    if (  # legacy-message-annotations, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_message_annotations, key) not in sections
                        and (made := via_one_amqp_section(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_legacy_message_annotations))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_message_annotations, key) in sections:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'a second equal key', row_legacy_message_annotations)
                                )
                            else:
                                sections[row_legacy_message_annotations, key] = type_, made
                    if (  # legacy-footer-refused, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-footer'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_amqp_section(typed.value, 'footer')) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_legacy_footer_refused))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_footer_refused, key) in sections:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'a second equal key', row_legacy_footer_refused)
                                )
                            else:
                                sections[row_legacy_footer_refused, key] = type_, made
                        continue
                    if (  # legacy-footer, rabbitmq-4.0.toml
                        key == 'x-amqp-1.0-footer'
                        and first
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_footer, key) not in sections
                        and (made := via_one_amqp_section(typed.value, 'footer')) is not NOT_MINE
                    ):
                        if type(made) is Partial or type(made) is Loss:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_legacy_footer))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (row_legacy_footer, key) in sections:
                                notes.lost.append((path('basic.headers', key), type_, 'a second equal key', row_legacy_footer))
                            else:
                                sections[row_legacy_footer, key] = type_, made
                    if key == 'BCC' and first:  # header-bcc, rabbitmq-4.0.toml
                        taken.append((row_header_bcc, key, None, None))
                        continue
                    if key == 'CC' and type_ == 'array':  # header-cc, rabbitmq-4.0.toml
                        if (  # type-timestamp, amqp091_to_amqp10.toml
                            type_ == 'timestamp'
                            and (number := typed.value) < 9223372036854775
                        ):
                            by = 'type-timestamp'
                            made = Entry('x-cc', 'timestamp', number * 1000)
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = Entry('x-cc', as_, typed.value)
                        else:
                            lost = notes.lost
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                put_before(path('basic.headers', key), lost, before)
                            if by is None:
                                continue
                            made = Entry('x-cc', as_, made)
                        if 'x-cc' in filled_message_annotations:
                            too_late(
                                notes, row_header_cc, path('basic.headers', key), type_, 'message_annotations', 'x-cc', key
                            )
                        else:
                            to_message_annotations.append(made)
                            filled_message_annotations.add('x-cc')
                            taken.append((row_header_cc, key, 'x-cc', by))
                        continue
                if 'x-' <= key < 'x.':  # header-x, amqp091_to_amqp10.toml
                    if (  # type-timestamp, amqp091_to_amqp10.toml
                        type_ == 'timestamp'
                        and (number := typed.value) < 9223372036854775
                    ):
                        by = 'type-timestamp'
                        made = Entry(key, 'timestamp', number * 1000)
                    elif (renamed := renamed_top.get(type_)) is not None:
                        by, as_ = renamed
                        made = typed if as_ == type_ else Entry(key, as_, typed.value)
                    else:
                        lost = notes.lost
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            put_before(path('basic.headers', key), lost, before)
                        if by is None:
                            continue
                        made = Entry(key, as_, made)
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header_x))
                    elif key in filled_message_annotations:
                        too_late(notes, row_header_x, path('basic.headers', key), type_, 'message_annotations', key, key)
                    else:
                        to_message_annotations.append(made)
                        filled_message_annotations.add(key)
                        taken.append((row_header_x, key, key, by))
                elif type_ in {'array', 'table'}:  # header-compound, amqp091_to_amqp10.toml
                    taken.append((row_header_compound, key, None, None))
                else:  # header, amqp091_to_amqp10.toml
                    if (  # type-timestamp, amqp091_to_amqp10.toml
                        type_ == 'timestamp'
                        and (number := typed.value) < 9223372036854775
                    ):
                        by = 'type-timestamp'
                        made = Entry(key, 'timestamp', number * 1000)
                    elif (renamed := renamed_top.get(type_)) is not None:
                        by, as_ = renamed
                        made = typed if as_ == type_ else Entry(key, as_, typed.value)
                    else:
                        lost = notes.lost
                        before = len(lost)
                        by, as_, made = types_top[type_](typed.value, lost)
                        if len(lost) > before:
                            put_before(path('basic.headers', key), lost, before)
                        if as_ in ('list', 'map', 'array', 'described'):
                            notes.lost.append(
                                (
                                    path('basic.headers', key),
                                    type_,
                                    'application properties hold simple types alone',
                                    row_header,
                                ),
                            )
                            by = None
                        if by is None:
                            continue
                        made = Entry(key, as_, made)
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header))
                    elif key in filled_application_properties:
                        too_late(notes, row_header, path('basic.headers', key), type_, 'application_properties', key, key)
                    else:
                        to_application_properties.append(made)
                        filled_application_properties.add(key)
                        taken.append((row_header, key, key, by))
        payload: Any = source.payload
        if (  # payload-sections, rabbitmq-4.0.toml
            basic.type == 'amqp-1.0'
            and (made := via_amqp_sections(payload)) is not NOT_MINE
        ):
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('payload', 'payload', made.reason, row_payload_sections))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_payload_sections, None) in sections:
                    notes.lost.append(('payload', 'payload', 'a second equal key', row_payload_sections))
                else:
                    sections[row_payload_sections, None] = 'payload', made
        elif basic.type == 'amqp-1.0':  # payload-unread, rabbitmq-4.0.toml
            made = via_unread_sections(payload)
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('payload', 'payload', made.reason, row_payload_unread))
                made = made.value if type(made) is Partial else None
            if made is not None:
                to_body = made
                taken.append(row_payload_unread)
        else:  # payload, amqp091_to_amqp10.toml
            to_body = Data([payload])
            taken.append(row_payload)
        exchange: Any = source.exchange
        if exchange is not None:
            # exchange, amqp091_to_amqp10.toml
            taken.append(row_exchange)
        routing_key: Any = source.routing_key
        if routing_key is not None:
            # routing-key, amqp091_to_amqp10.toml
            taken.append(row_routing_key)
        to_header: Any = None
        if to_header_durable is not None or to_header_priority is not None or to_header_ttl is not None:
            to_header = Header(to_header_durable, to_header_priority, to_header_ttl)
        to_properties: Any = None
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
            to_properties = Properties(
                to_properties_message_id,
                to_properties_user_id,
                None,
                None,
                to_properties_reply_to,
                to_properties_correlation_id,
                to_properties_content_type,
                to_properties_content_encoding,
                None,
                to_properties_creation_time,
                to_properties_group_id,
            )
        target = Message(
            to_header, None, to_message_annotations or None, to_properties, to_application_properties or None, to_body, None
        )
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        # body-absent, rabbitmq-4.0.toml
        if target.body is None:
            made = via_constant_then_body_as(target.body)
            if made != target.body:
                notes.finished(row_body_absent, 'body', target.body, made, '@constant')
                target.body = made
        return target

    return amqp_0_9_1_to_amqp_1_0

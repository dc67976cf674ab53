"""amqp-0.9.1 -> amqp-1.0, from amqp091_to_amqp10.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, place_sections, put_before, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import Data
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import symbol_fault as fault_symbol, unicode_fault as fault_string
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties as Of_EMPTY_basic, Message as Source
import mqconvert.converters.protocols.amqp091.words
from mqconvert.converters.protocols.amqp10.message import Header, Message, Properties
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
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
    when_utf8: Any = CONDITIONS['utf8'].function
    row_type_longstr_text: Any = rows['type-longstr-text']
    via_text: Any = TRANSFORMS['text'].function
    row_type_timestamp: Any = rows['type-timestamp']
    via_seconds_to_signed_milliseconds: Any = TRANSFORMS['seconds-to-signed-milliseconds'].function
    row_key_x: Any = rows['key-x']
    row_key: Any = rows['key']
    when_outside_1_2: Any = CONDITIONS['outside 1 2'].function
    row_delivery_mode_other: Any = rows['delivery-mode-other']
    row_delivery_mode: Any = rows['delivery-mode']
    row_delivery_mode_absent_sets_header_durable: Any = replace(
        rows['delivery-mode-absent'], source='@constant', target='header.durable', constants={}
    )
    via_typed_id: Any = TRANSFORMS['typed-id'].function
    row_kept_message_id: Any = rows['kept-message-id']
    via_urn_to_uuid: Any = TRANSFORMS['urn-to-uuid'].function
    row_message_id_uuid: Any = rows['message-id-uuid']
    row_message_id: Any = rows['message-id']
    row_kept_correlation_id: Any = rows['kept-correlation-id']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    row_correlation_id: Any = rows['correlation-id']
    row_user_id: Any = rows['user-id']
    via_octets: Any = TRANSFORMS['octets'].function
    when_number: Any = CONDITIONS['number'].function
    row_expiration: Any = rows['expiration']
    fault_uint: Any = types['uint'].fault
    when_fits_decoded_sections: Any = CONDITIONS['fits decoded-sections'].function
    row_type_encoded: Any = rows['type-encoded']
    row_type: Any = rows['type']
    row_reply_to: Any = rows['reply-to']
    row_app_id: Any = rows['app-id']
    when_seconds_beside: Any = CONDITIONS['seconds-beside'].function
    row_creation_time_exact: Any = rows['creation-time-exact']
    row_timestamp: Any = rows['timestamp']
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_priority: Any = rows['priority']
    row_cluster_id: Any = rows['cluster-id']
    via_no_amqp_section: Any = TRANSFORMS['no-amqp-section'].function
    row_legacy_properties_refused: Any = rows['legacy-properties-refused']
    row_legacy_properties: Any = rows['legacy-properties']
    via_one_amqp_section: Any = TRANSFORMS['one-amqp-section'].function
    row_legacy_application_properties_refused: Any = rows['legacy-application-properties-refused']
    row_legacy_application_properties: Any = rows['legacy-application-properties']
    row_legacy_message_annotations_refused: Any = rows['legacy-message-annotations-refused']
    row_legacy_message_annotations: Any = rows['legacy-message-annotations']
    row_legacy_footer_refused: Any = rows['legacy-footer-refused']
    row_legacy_footer: Any = rows['legacy-footer']
    row_header_cc_text: Any = rows['header-cc-text']
    row_header_message_id_typed: Any = rows['header-message-id-typed']
    row_header_message_id: Any = rows['header-message-id']
    when_fits_typed_id: Any = CONDITIONS['fits typed-id'].function
    row_message_id_type: Any = rows['message-id-type']
    row_header_message_id_type: Any = rows['header-message-id-type']
    row_header_correlation_id_typed: Any = rows['header-correlation-id-typed']
    row_header_correlation_id: Any = rows['header-correlation-id']
    row_correlation_id_type: Any = rows['correlation-id-type']
    row_header_correlation_id_type: Any = rows['header-correlation-id-type']
    via_text_then_read_boolean: Any = TRANSFORMS['text then read boolean'].function
    row_kept_first_acquirer: Any = rows['kept-first-acquirer']
    via_text_then_read_uint: Any = TRANSFORMS['text then read uint'].function
    row_kept_delivery_count: Any = rows['kept-delivery-count']
    via_text_then_read_binary: Any = TRANSFORMS['text then read binary'].function
    row_kept_user_id: Any = rows['kept-user-id']
    row_kept_to: Any = rows['kept-to']
    row_kept_subject: Any = rows['kept-subject']
    row_kept_reply_to: Any = rows['kept-reply-to']
    row_kept_content_type: Any = rows['kept-content-type']
    row_kept_content_encoding: Any = rows['kept-content-encoding']
    via_text_then_read_timestamp: Any = TRANSFORMS['text then read timestamp'].function
    row_kept_absolute_expiry_time: Any = rows['kept-absolute-expiry-time']
    row_kept_creation_time: Any = rows['kept-creation-time']
    row_kept_group_id: Any = rows['kept-group-id']
    row_kept_group_sequence: Any = rows['kept-group-sequence']
    row_kept_reply_to_group_id: Any = rows['kept-reply-to-group-id']
    row_former_first_acquirer: Any = rows['former-first-acquirer']
    row_former_delivery_count: Any = rows['former-delivery-count']
    row_former_to: Any = rows['former-to']
    row_former_subject: Any = rows['former-subject']
    row_former_absolute_expiry_time: Any = rows['former-absolute-expiry-time']
    row_former_group_sequence: Any = rows['former-group-sequence']
    row_former_reply_to_group_id: Any = rows['former-reply-to-group-id']
    keys_basic_headers: Any = frozenset(
        [
            'CC',
            'amqp-absolute-expiry-time',
            'amqp-content-encoding',
            'amqp-content-type',
            'amqp-creation-time',
            'amqp-delivery-count',
            'amqp-first-acquirer',
            'amqp-group-id',
            'amqp-group-sequence',
            'amqp-reply-to',
            'amqp-reply-to-group-id',
            'amqp-subject',
            'amqp-to',
            'amqp-type.amqp-correlation-id',
            'amqp-type.amqp-message-id',
            'amqp-user-id',
            'x-amqp-1.0-application-properties',
            'x-amqp-1.0-footer',
            'x-amqp-1.0-message-annotations',
            'x-amqp-1.0-properties',
            'x-correlation-id',
            'x-message-id',
            'x-opt-amqp-absolute-expiry-time',
            'x-opt-amqp-delivery-count',
            'x-opt-amqp-first-acquirer',
            'x-opt-amqp-group-sequence',
            'x-opt-amqp-reply-to-group-id',
            'x-opt-amqp-subject',
            'x-opt-amqp-to',
        ],
    )
    row_header_bytes: Any = rows['header-bytes']
    key_fault_string: Any = types['application-properties'].key_fault
    when_fits_typed_text: Any = CONDITIONS['fits typed-text'].function
    row_kept_type: Any = rows['kept-type']
    via_typed_text: Any = TRANSFORMS['typed-text'].function
    row_kept_annotation: Any = rows['kept-annotation']
    key_fault_symbol: Any = types['annotations'].key_fault
    row_header_x: Any = rows['header-x']
    row_kept_application_property: Any = rows['kept-application-property']
    row_header_type: Any = rows['header-type']
    via_header_text: Any = TRANSFORMS['header-text'].function
    row_header_compound: Any = rows['header-compound']
    row_header: Any = rows['header']
    via_decoded_sections: Any = TRANSFORMS['decoded-sections'].function
    row_payload_encoded: Any = rows['payload-encoded']
    row_payload: Any = rows['payload']
    row_exchange: Any = rows['exchange']
    row_routing_key: Any = rows['routing-key']
    made_by_rows_sections: Any = frozenset(
        ['application_properties', 'body', 'header', 'message_annotations', 'properties']
    )
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
        if value.isascii() or when_utf8(value):  # type-longstr-text, preserve.toml
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
        if value.startswith('x-'):  # key-x, amqp091_to_amqp10.toml
            if not value.isascii() and (fault := fault_symbol(value)) is not None:
                lost.append(('', 'shortstr', fault, row_key_x))
                return None, None, None
            return 'key-x', 'symbol', value
        # key, amqp091_to_amqp10.toml
        if not value.isascii() and (fault := fault_string(value)) is not None:
            lost.append(('', 'shortstr', fault, row_key))
            return None, None, None
        return 'key', 'string', value

    types_key = TypeTable({'shortstr': key_key_x})

    inside = Inside(types_nested, types_entry, types_key, 'shortstr', renamed_top)

    def amqp_0_9_1_to_amqp_1_0(source: Source, environment: Environment, notes: Notes) -> Any:
        as_: str | None; before: int; by: str | None; fault: str | None; key: str; lost: list[Any]; made: Any; number: int; raw: bytes; renamed: tuple[str, str] | None; target: Message; type_: str; typed: Entry
        taken: list[Any] = notes.taken
        basic: Of_EMPTY_basic | None = source.basic
        if basic is None:
            basic = EMPTY_basic
        index_basic_headers = by_key(basic.headers)
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
        to_header_first_acquirer: Any = None
        to_header_delivery_count: Any = None
        to_properties_to: Any = None
        to_properties_subject: Any = None
        to_properties_absolute_expiry_time: Any = None
        to_properties_group_sequence: Any = None
        to_properties_reply_to_group_id: Any = None
        to_body: Any = None
        sections: dict[Any, Any] = {}
        delivery_mode: Any = basic.delivery_mode
        if delivery_mode is not None:
            if when_outside_1_2(delivery_mode):  # delivery-mode-other, preserve.toml
                notes.lost.append(('basic.delivery_mode', 'octet', 'not a delivery mode', row_delivery_mode_other))
            # delivery-mode, amqp091_to_amqp10.toml
            to_header_durable = delivery_mode == 2
            taken.append(row_delivery_mode)
        else:  # delivery-mode-absent, amqp091_to_amqp10.toml
            to_header_durable = False
            taken.append(row_delivery_mode_absent_sets_header_durable)
        message_id: str | None = basic.message_id
        if message_id is not None:
            if (  # kept-message-id, preserve.toml
                made := via_typed_id(message_id, index_basic_headers.get('amqp-type.amqp-message-id'))
            ) is not NOT_MINE:
                if to_properties_message_id is not None:
                    too_late(notes, row_kept_message_id, 'basic.message_id', 'shortstr', 'properties.message_id', None, None)
                else:
                    to_properties_message_id = made
                    taken.append(row_kept_message_id)
            elif (  # message-id-uuid, amqp091_to_amqp10.toml
                len(message_id) == 45
                and (made := via_urn_to_uuid(message_id)) is not NOT_MINE
            ):
                if to_properties_message_id is not None:
                    too_late(notes, row_message_id_uuid, 'basic.message_id', 'shortstr', 'properties.message_id', None, None)
                else:
                    to_properties_message_id = TypedValue('uuid', made)
                    taken.append(row_message_id_uuid)
            else:  # message-id, amqp091_to_amqp10.toml
                if not message_id.isascii() and (fault := fault_string(message_id)) is not None:
                    notes.lost.append(('basic.message_id', 'shortstr', fault, row_message_id))
                elif to_properties_message_id is not None:
                    too_late(notes, row_message_id, 'basic.message_id', 'shortstr', 'properties.message_id', None, None)
                else:
                    to_properties_message_id = TypedValue('string', message_id)
                    taken.append(row_message_id)
        correlation_id: str | None = basic.correlation_id
        if correlation_id is not None:
            if (  # kept-correlation-id, preserve.toml
                made := via_typed_id(correlation_id, index_basic_headers.get('amqp-type.amqp-correlation-id'))
            ) is not NOT_MINE:
                if to_properties_correlation_id is not None:
                    too_late(
                        notes,
                        row_kept_correlation_id,
                        'basic.correlation_id',
                        'shortstr',
                        'properties.correlation_id',
                        None,
                        None,
                    )
                else:
                    to_properties_correlation_id = made
                    taken.append(row_kept_correlation_id)
            elif (  # correlation-id-uuid, amqp091_to_amqp10.toml
                len(correlation_id) == 45
                and (made := via_urn_to_uuid(correlation_id)) is not NOT_MINE
            ):
                if to_properties_correlation_id is not None:
                    too_late(
                        notes,
                        row_correlation_id_uuid,
                        'basic.correlation_id',
                        'shortstr',
                        'properties.correlation_id',
                        None,
                        None,
                    )
                else:
                    to_properties_correlation_id = TypedValue('uuid', made)
                    taken.append(row_correlation_id_uuid)
            else:  # correlation-id, amqp091_to_amqp10.toml
                if not correlation_id.isascii() and (fault := fault_string(correlation_id)) is not None:
                    notes.lost.append(('basic.correlation_id', 'shortstr', fault, row_correlation_id))
                elif to_properties_correlation_id is not None:
                    too_late(
                        notes, row_correlation_id, 'basic.correlation_id', 'shortstr', 'properties.correlation_id', None, None
                    )
                else:
                    to_properties_correlation_id = TypedValue('string', correlation_id)
                    taken.append(row_correlation_id)
        user_id: str | None = basic.user_id
        if user_id is not None:
            # user-id, amqp091_to_amqp10.toml
            if to_properties_user_id is not None:
                too_late(notes, row_user_id, 'basic.user_id', 'shortstr', 'properties.user_id', None, None)
            else:
                to_properties_user_id = user_id.encode() if user_id.isascii() else via_octets(user_id)
                taken.append(row_user_id)
        expiration: str | None = basic.expiration
        if expiration is not None:
            if (  # expiration, amqp091_to_amqp10.toml
                len(expiration) < 256 and expiration.isascii() and expiration.isdecimal()
                or when_number(expiration)
            ):
                number = int(expiration)
                if not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None:
                    notes.lost.append(('basic.expiration', 'shortstr', 'after from-decimal: ' + fault, row_expiration))
                else:
                    to_header_ttl = number
                    taken.append(row_expiration)
            else:
                notes.lost.append(('basic.expiration', 'shortstr', 'no row takes it', None))
        basic_type: str | None = basic.type
        if basic_type is not None:
            if when_fits_decoded_sections(basic_type, source.payload):  # type-encoded, preserve.toml
                taken.append(row_type_encoded)
            else:  # type, amqp091_to_amqp10.toml
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
            # reply-to, amqp091_to_amqp10.toml
            if not reply_to.isascii() and (fault := fault_string(reply_to)) is not None:
                notes.lost.append(('basic.reply_to', 'shortstr', fault, row_reply_to))
            elif to_properties_reply_to is not None:
                too_late(notes, row_reply_to, 'basic.reply_to', 'shortstr', 'properties.reply_to', None, None)
            else:
                to_properties_reply_to = reply_to
                taken.append(row_reply_to)
        app_id: str | None = basic.app_id
        if app_id is not None:
            # app-id, amqp091_to_amqp10.toml
            if not app_id.isascii() and (fault := fault_string(app_id)) is not None:
                notes.lost.append(('basic.app_id', 'shortstr', fault, row_app_id))
            elif to_properties_group_id is not None:
                too_late(notes, row_app_id, 'basic.app_id', 'shortstr', 'properties.group_id', None, None)
            else:
                to_properties_group_id = app_id
                taken.append(row_app_id)
        timestamp: int | None = basic.timestamp
        if timestamp is not None:
            if when_seconds_beside(  # creation-time-exact, preserve.toml
                timestamp, index_basic_headers.get('amqp-creation-time')
            ):
                taken.append(row_creation_time_exact)
            else:  # timestamp, amqp091_to_amqp10.toml
                made = timestamp * 1000 if timestamp < 9223372036854775 else via_seconds_to_signed_milliseconds(timestamp)
                if type(made) is not int:
                    notes.lost.append(('basic.timestamp', 'timestamp', made.reason, row_timestamp))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if to_properties_creation_time is not None:
                        too_late(notes, row_timestamp, 'basic.timestamp', 'timestamp', 'properties.creation_time', None, None)
                    else:
                        to_properties_creation_time = made
                        taken.append(row_timestamp)
        content_type: str | None = basic.content_type
        if content_type is not None:
            # content-type, amqp091_to_amqp10.toml
            if not content_type.isascii() and (fault := fault_symbol(content_type)) is not None:
                notes.lost.append(('basic.content_type', 'shortstr', fault, row_content_type))
            elif to_properties_content_type is not None:
                too_late(notes, row_content_type, 'basic.content_type', 'shortstr', 'properties.content_type', None, None)
            else:
                to_properties_content_type = content_type
                taken.append(row_content_type)
        content_encoding: str | None = basic.content_encoding
        if content_encoding is not None:
            # content-encoding, amqp091_to_amqp10.toml
            if not content_encoding.isascii() and (fault := fault_symbol(content_encoding)) is not None:
                notes.lost.append(('basic.content_encoding', 'shortstr', fault, row_content_encoding))
            elif to_properties_content_encoding is not None:
                too_late(
                    notes, row_content_encoding, 'basic.content_encoding', 'shortstr', 'properties.content_encoding', None, None
                )
            else:
                to_properties_content_encoding = content_encoding
                taken.append(row_content_encoding)
        priority: Any = basic.priority
        if priority is not None:
            # priority, amqp091_to_amqp10.toml
            to_header_priority = priority
            taken.append(row_priority)
        cluster_id: str | None = basic.cluster_id
        if cluster_id is not None:
            # cluster-id, preserve.toml
            if not cluster_id.isascii() and (fault := fault_string(cluster_id)) is not None:
                notes.lost.append(('basic.cluster_id', 'shortstr', fault, row_cluster_id))
            elif 'amqp-cluster-id' in filled_application_properties:
                too_late(
                    notes, row_cluster_id, 'basic.cluster_id', 'shortstr', 'application_properties', 'amqp-cluster-id', None
                )
            else:
                to_application_properties.append(Entry('amqp-cluster-id', 'string', cluster_id))
                filled_application_properties.add('amqp-cluster-id')
                taken.append((row_cluster_id, None, 'amqp-cluster-id', None))
        headers: list[Any] | None = basic.headers
        if headers is not None:
            for typed in headers:
                key, type_ = typed.key, typed.type
                if key in keys_basic_headers:
                    if (  # legacy-properties-refused, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-properties'
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_amqp_section(typed.value, 'properties')) is not NOT_MINE
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
                    if (  # legacy-properties, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-properties'
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_properties, key) not in sections
                        and (made := via_one_amqp_section(typed.value, 'properties')) is not NOT_MINE
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
                    if (  # legacy-application-properties-refused, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-application-properties'
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_amqp_section(typed.value, 'application_properties')) is not NOT_MINE
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
                    if (  # legacy-application-properties, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-application-properties'
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_application_properties, key) not in sections
                        and (made := via_one_amqp_section(typed.value, 'application_properties')) is not NOT_MINE
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
                    if (  # legacy-message-annotations-refused, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and type_ in {'longstr', 'binary'}
                        and (made := via_no_amqp_section(typed.value, 'message_annotations')) is not NOT_MINE
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
                    if (  # legacy-message-annotations, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-message-annotations'
                        and type_ in {'longstr', 'binary'}
                        and (row_legacy_message_annotations, key) not in sections
                        and (made := via_one_amqp_section(typed.value, 'message_annotations')) is not NOT_MINE
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
                    if (  # legacy-footer-refused, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-footer'
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
                    if (  # legacy-footer, amqp091_to_amqp10.toml
                        key == 'x-amqp-1.0-footer'
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
                    if (  # header-cc-text, preserve.toml
                        key == 'CC'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_header_cc_text))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if 'x-cc' in filled_message_annotations:
                                too_late(
                                    notes,
                                    row_header_cc_text,
                                    path('basic.headers', key),
                                    type_,
                                    'message_annotations',
                                    'x-cc',
                                    key,
                                )
                            else:
                                to_message_annotations.append(Entry('x-cc', 'string', made))
                                filled_message_annotations.add('x-cc')
                                taken.append((row_header_cc_text, key, 'x-cc', None))
                        continue
                    if (  # header-message-id-typed, preserve.toml
                        key == 'x-message-id'
                        and type_ == 'longstr'
                        and to_properties_message_id is None
                        and (
                            made := via_typed_id(typed.value, index_basic_headers.get('amqp-type.amqp-message-id'))
                        ) is not NOT_MINE
                    ):
                        to_properties_message_id = made
                        taken.append((row_header_message_id_typed, key, None, None))
                        continue
                    if (  # header-message-id, preserve.toml
                        key == 'x-message-id'
                        and type_ in {'longstr', 'binary'}
                        and to_properties_message_id is None
                    ):
                        to_properties_message_id = TypedValue('binary', typed.value)
                        taken.append((row_header_message_id, key, None, None))
                        continue
                    if (  # message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and type_ == 'longstr'
                        and when_fits_typed_id(typed.value, basic.message_id)
                    ):
                        taken.append((row_message_id_type, key, None, None))
                        continue
                    if (  # header-message-id-type, preserve.toml
                        key == 'amqp-type.amqp-message-id'
                        and type_ == 'longstr'
                        and when_fits_typed_id(typed.value, index_basic_headers.get('x-message-id'))
                    ):
                        taken.append((row_header_message_id_type, key, None, None))
                        continue
                    if (  # header-correlation-id-typed, preserve.toml
                        key == 'x-correlation-id'
                        and type_ == 'longstr'
                        and to_properties_correlation_id is None
                        and (
                            made := via_typed_id(typed.value, index_basic_headers.get('amqp-type.amqp-correlation-id'))
                        ) is not NOT_MINE
                    ):
                        to_properties_correlation_id = made
                        taken.append((row_header_correlation_id_typed, key, None, None))
                        continue
                    if (  # header-correlation-id, preserve.toml
                        key == 'x-correlation-id'
                        and type_ in {'longstr', 'binary'}
                        and to_properties_correlation_id is None
                    ):
                        to_properties_correlation_id = TypedValue('binary', typed.value)
                        taken.append((row_header_correlation_id, key, None, None))
                        continue
                    if (  # correlation-id-type, preserve.toml
                        key == 'amqp-type.amqp-correlation-id'
                        and type_ == 'longstr'
                        and when_fits_typed_id(typed.value, basic.correlation_id)
                    ):
                        taken.append((row_correlation_id_type, key, None, None))
                        continue
                    if (  # header-correlation-id-type, preserve.toml
                        key == 'amqp-type.amqp-correlation-id'
                        and type_ == 'longstr'
                        and when_fits_typed_id(typed.value, index_basic_headers.get('x-correlation-id'))
                    ):
                        taken.append((row_header_correlation_id_type, key, None, None))
                        continue
                    if (  # kept-first-acquirer, preserve.toml
                        key == 'amqp-first-acquirer'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_boolean(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not bool:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_first_acquirer))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_header_first_acquirer is not None:
                                too_late(
                                    notes,
                                    row_kept_first_acquirer,
                                    path('basic.headers', key),
                                    type_,
                                    'header.first_acquirer',
                                    None,
                                    key,
                                )
                            else:
                                to_header_first_acquirer = made
                                taken.append((row_kept_first_acquirer, key, None, None))
                        continue
                    if (  # kept-delivery-count, preserve.toml
                        key == 'amqp-delivery-count'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_uint(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_delivery_count))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_header_delivery_count is not None:
                                too_late(
                                    notes,
                                    row_kept_delivery_count,
                                    path('basic.headers', key),
                                    type_,
                                    'header.delivery_count',
                                    None,
                                    key,
                                )
                            else:
                                to_header_delivery_count = made
                                taken.append((row_kept_delivery_count, key, None, None))
                        continue
                    if (  # kept-user-id, preserve.toml
                        key == 'amqp-user-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_binary(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not bytes:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_user_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_user_id is not None:
                                too_late(
                                    notes, row_kept_user_id, path('basic.headers', key), type_, 'properties.user_id', None, key
                                )
                            else:
                                to_properties_user_id = made
                                taken.append((row_kept_user_id, key, None, None))
                        continue
                    if (  # kept-to, preserve.toml
                        key == 'amqp-to'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_to))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_to is not None:
                                too_late(notes, row_kept_to, path('basic.headers', key), type_, 'properties.to', None, key)
                            else:
                                to_properties_to = made
                                taken.append((row_kept_to, key, None, None))
                        continue
                    if (  # kept-subject, preserve.toml
                        key == 'amqp-subject'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_subject))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_subject is not None:
                                too_late(
                                    notes, row_kept_subject, path('basic.headers', key), type_, 'properties.subject', None, key
                                )
                            else:
                                to_properties_subject = made
                                taken.append((row_kept_subject, key, None, None))
                        continue
                    if (  # kept-reply-to, preserve.toml
                        key == 'amqp-reply-to'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_reply_to))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_reply_to is not None:
                                too_late(
                                    notes,
                                    row_kept_reply_to,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.reply_to',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_reply_to = made
                                taken.append((row_kept_reply_to, key, None, None))
                        continue
                    if (  # kept-content-type, preserve.toml
                        key == 'amqp-content-type'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_content_type))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not made.isascii() and (fault := fault_symbol(made)) is not None:
                                notes.lost.append((path('basic.headers', key), type_, fault, row_kept_content_type))
                            elif to_properties_content_type is not None:
                                too_late(
                                    notes,
                                    row_kept_content_type,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.content_type',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_content_type = made
                                taken.append((row_kept_content_type, key, None, None))
                        continue
                    if (  # kept-content-encoding, preserve.toml
                        key == 'amqp-content-encoding'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_content_encoding))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not made.isascii() and (fault := fault_symbol(made)) is not None:
                                notes.lost.append((path('basic.headers', key), type_, fault, row_kept_content_encoding))
                            elif to_properties_content_encoding is not None:
                                too_late(
                                    notes,
                                    row_kept_content_encoding,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.content_encoding',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_content_encoding = made
                                taken.append((row_kept_content_encoding, key, None, None))
                        continue
                    if (  # kept-absolute-expiry-time, preserve.toml
                        key == 'amqp-absolute-expiry-time'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_timestamp(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_absolute_expiry_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_absolute_expiry_time is not None:
                                too_late(
                                    notes,
                                    row_kept_absolute_expiry_time,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.absolute_expiry_time',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_absolute_expiry_time = made
                                taken.append((row_kept_absolute_expiry_time, key, None, None))
                        continue
                    if (  # kept-creation-time, preserve.toml
                        key == 'amqp-creation-time'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_timestamp(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_creation_time))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_creation_time is not None:
                                too_late(
                                    notes,
                                    row_kept_creation_time,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.creation_time',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_creation_time = made
                                taken.append((row_kept_creation_time, key, None, None))
                        continue
                    if (  # kept-group-id, preserve.toml
                        key == 'amqp-group-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_group_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_group_id is not None:
                                too_late(
                                    notes,
                                    row_kept_group_id,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.group_id',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_group_id = made
                                taken.append((row_kept_group_id, key, None, None))
                        continue
                    if (  # kept-group-sequence, preserve.toml
                        key == 'amqp-group-sequence'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                        and (made := via_text_then_read_uint(typed.value)) is not NOT_MINE
                    ):
                        if type(made) is not int:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_group_sequence))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_group_sequence is not None:
                                too_late(
                                    notes,
                                    row_kept_group_sequence,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.group_sequence',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_group_sequence = made
                                taken.append((row_kept_group_sequence, key, None, None))
                        continue
                    if (  # kept-reply-to-group-id, preserve.toml
                        key == 'amqp-reply-to-group-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_kept_reply_to_group_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_reply_to_group_id is not None:
                                too_late(
                                    notes,
                                    row_kept_reply_to_group_id,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.reply_to_group_id',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_reply_to_group_id = made
                                taken.append((row_kept_reply_to_group_id, key, None, None))
                        continue
                    if key == 'x-opt-amqp-first-acquirer' and type_ == 'bool':  # former-first-acquirer, preserve.toml
                        if to_header_first_acquirer is not None:
                            too_late(
                                notes,
                                row_former_first_acquirer,
                                path('basic.headers', key),
                                type_,
                                'header.first_acquirer',
                                None,
                                key,
                            )
                        else:
                            to_header_first_acquirer = typed.value
                            taken.append((row_former_first_acquirer, key, None, None))
                        continue
                    if key == 'x-opt-amqp-delivery-count' and type_ == 'unsignedint':  # former-delivery-count, preserve.toml
                        if to_header_delivery_count is not None:
                            too_late(
                                notes,
                                row_former_delivery_count,
                                path('basic.headers', key),
                                type_,
                                'header.delivery_count',
                                None,
                                key,
                            )
                        else:
                            to_header_delivery_count = typed.value
                            taken.append((row_former_delivery_count, key, None, None))
                        continue
                    if (  # former-to, preserve.toml
                        key == 'x-opt-amqp-to'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_former_to))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_to is not None:
                                too_late(notes, row_former_to, path('basic.headers', key), type_, 'properties.to', None, key)
                            else:
                                to_properties_to = made
                                taken.append((row_former_to, key, None, None))
                        continue
                    if (  # former-subject, preserve.toml
                        key == 'x-opt-amqp-subject'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_former_subject))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_subject is not None:
                                too_late(
                                    notes,
                                    row_former_subject,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.subject',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_subject = made
                                taken.append((row_former_subject, key, None, None))
                        continue
                    if (  # former-absolute-expiry-time, preserve.toml
                        key == 'x-opt-amqp-absolute-expiry-time'
                        and type_ == 'long'
                    ):
                        if to_properties_absolute_expiry_time is not None:
                            too_late(
                                notes,
                                row_former_absolute_expiry_time,
                                path('basic.headers', key),
                                type_,
                                'properties.absolute_expiry_time',
                                None,
                                key,
                            )
                        else:
                            to_properties_absolute_expiry_time = typed.value
                            taken.append((row_former_absolute_expiry_time, key, None, None))
                        continue
                    if key == 'x-opt-amqp-group-sequence' and type_ == 'unsignedint':  # former-group-sequence, preserve.toml
                        if to_properties_group_sequence is not None:
                            too_late(
                                notes,
                                row_former_group_sequence,
                                path('basic.headers', key),
                                type_,
                                'properties.group_sequence',
                                None,
                                key,
                            )
                        else:
                            to_properties_group_sequence = typed.value
                            taken.append((row_former_group_sequence, key, None, None))
                        continue
                    if (  # former-reply-to-group-id, preserve.toml
                        key == 'x-opt-amqp-reply-to-group-id'
                        and type_ == 'longstr'
                        and (typed.value.isascii() or when_utf8(typed.value))
                    ):
                        made = typed.value.decode() if typed.value.isascii() else via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_former_reply_to_group_id))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if to_properties_reply_to_group_id is not None:
                                too_late(
                                    notes,
                                    row_former_reply_to_group_id,
                                    path('basic.headers', key),
                                    type_,
                                    'properties.reply_to_group_id',
                                    None,
                                    key,
                                )
                            else:
                                to_properties_reply_to_group_id = made
                                taken.append((row_former_reply_to_group_id, key, None, None))
                        continue
                if type_ == 'longstr' and not (typed.value.isascii() or when_utf8(typed.value)):  # header-bytes, preserve.toml
                    name = 'amqp-type.' + key
                    if not name.isascii() and (fault := key_fault_string(name)) is not None:
                        notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header_bytes))
                    elif name in filled_application_properties:
                        too_late(
                            notes, row_header_bytes, path('basic.headers', key), type_, 'application_properties', name, key
                        )
                    else:
                        to_application_properties.append(Entry(name, 'string', 'longstr'))
                        filled_application_properties.add(name)
                        taken.append((row_header_bytes, key, name, None))
                if (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and type_ == 'longstr'
                    and when_fits_typed_text(typed.value, index_basic_headers.get(key[10:]))
                ):
                    taken.append((row_kept_type, key, None, None))
                elif (  # kept-annotation, preserve.toml
                    'x-' <= key < 'x.'
                    and type_ == 'longstr'
                    and (made := via_typed_text(typed.value, index_basic_headers.get('amqp-type.x-' + key[2:]))) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None:
                        notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_kept_annotation))
                    elif key in filled_message_annotations:
                        too_late(notes, row_kept_annotation, path('basic.headers', key), type_, 'message_annotations', key, key)
                    else:
                        to_message_annotations.append(Entry(key, made.type, made.value))
                        filled_message_annotations.add(key)
                        taken.append((row_kept_annotation, key, key, None))
                elif 'x-' <= key < 'x.':  # header-x, amqp091_to_amqp10.toml
                    if type_ == 'longstr' and (raw := typed.value).isascii():  # type-longstr-text, preserve.toml
                        by = 'type-longstr-text'
                        made = Entry(key, 'string', raw.decode())
                    elif (  # type-timestamp, amqp091_to_amqp10.toml
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
                elif (  # kept-application-property, preserve.toml
                    type_ == 'longstr'
                    and (made := via_typed_text(typed.value, index_basic_headers.get('amqp-type.' + key))) is not NOT_MINE
                ):
                    if not key.isascii() and (fault := key_fault_string(key)) is not None:
                        notes.lost.append(
                            (path('basic.headers', key), type_, 'its key is ' + fault, row_kept_application_property)
                        )
                    elif key in filled_application_properties:
                        too_late(
                            notes,
                            row_kept_application_property,
                            path('basic.headers', key),
                            type_,
                            'application_properties',
                            key,
                            key,
                        )
                    else:
                        to_application_properties.append(Entry(key, made.type, made.value))
                        filled_application_properties.add(key)
                        taken.append((row_kept_application_property, key, key, None))
                else:
                    if type_ in {'array', 'table', 'decimal'}:  # header-type, preserve.toml
                        name = 'amqp-type.' + key
                        if not name.isascii() and (fault := key_fault_string(name)) is not None:
                            notes.lost.append((path('basic.headers', key), type_, 'its key is ' + fault, row_header_type))
                        elif name in filled_application_properties:
                            too_late(
                                notes, row_header_type, path('basic.headers', key), type_, 'application_properties', name, key
                            )
                        else:
                            to_application_properties.append(Entry(name, 'string', 'amqp091'))
                            filled_application_properties.add(name)
                            taken.append((row_header_type, key, name, None))
                    if (  # header-compound, preserve.toml
                        type_ in {'array', 'table', 'decimal'}
                        and (made := via_header_text(typed.value, type_)) is not NOT_MINE
                    ):
                        if type(made) is not str:
                            notes.lost.append((path('basic.headers', key), type_, made.reason, row_header_compound))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not made.isascii() and (fault := fault_string(made)) is not None:
                                notes.lost.append((path('basic.headers', key), type_, fault, row_header_compound))
                            elif not key.isascii() and (fault := key_fault_string(key)) is not None:
                                notes.lost.append(
                                    (path('basic.headers', key), type_, 'its key is ' + fault, row_header_compound)
                                )
                            elif key in filled_application_properties:
                                too_late(
                                    notes,
                                    row_header_compound,
                                    path('basic.headers', key),
                                    type_,
                                    'application_properties',
                                    key,
                                    key,
                                )
                            else:
                                to_application_properties.append(Entry(key, 'string', made))
                                filled_application_properties.add(key)
                                taken.append((row_header_compound, key, key, None))
                    else:  # header, amqp091_to_amqp10.toml
                        if type_ == 'longstr' and (raw := typed.value).isascii():  # type-longstr-text, preserve.toml
                            by = 'type-longstr-text'
                            made = Entry(key, 'string', raw.decode())
                        elif (  # type-timestamp, amqp091_to_amqp10.toml
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
        if (made := via_decoded_sections(payload, basic.type)) is not NOT_MINE:  # payload-encoded, preserve.toml
            if type(made) is Partial or type(made) is Loss:
                notes.lost.append(('payload', 'payload', made.reason, row_payload_encoded))
                made = made.value if type(made) is Partial else None
            if made is not None:
                if (row_payload_encoded, None) in sections:
                    notes.lost.append(('payload', 'payload', 'a second equal key', row_payload_encoded))
                else:
                    sections[row_payload_encoded, None] = 'payload', made
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
        if (
            to_header_durable is not None
            or to_header_priority is not None
            or to_header_ttl is not None
            or to_header_first_acquirer is not None
            or to_header_delivery_count is not None
        ):
            to_header = Header(
                to_header_durable, to_header_priority, to_header_ttl, to_header_first_acquirer, to_header_delivery_count
            )
        to_properties: Any = None
        if (
            to_properties_message_id is not None
            or to_properties_user_id is not None
            or to_properties_to is not None
            or to_properties_subject is not None
            or to_properties_reply_to is not None
            or to_properties_correlation_id is not None
            or to_properties_content_type is not None
            or to_properties_content_encoding is not None
            or to_properties_absolute_expiry_time is not None
            or to_properties_creation_time is not None
            or to_properties_group_id is not None
            or to_properties_group_sequence is not None
            or to_properties_reply_to_group_id is not None
        ):
            to_properties = Properties(
                to_properties_message_id,
                to_properties_user_id,
                to_properties_to,
                to_properties_subject,
                to_properties_reply_to,
                to_properties_correlation_id,
                to_properties_content_type,
                to_properties_content_encoding,
                to_properties_absolute_expiry_time,
                to_properties_creation_time,
                to_properties_group_id,
                to_properties_group_sequence,
                to_properties_reply_to_group_id,
            )
        target = Message(
            to_header, None, to_message_annotations or None, to_properties, to_application_properties or None, to_body, None
        )
        if sections:
            place_sections(target, sections, made_by_rows_sections, notes)
        return target

    return amqp_0_9_1_to_amqp_1_0

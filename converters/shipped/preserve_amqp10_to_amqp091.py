"""amqp-1.0 -> amqp-0.9.1, from amqp10_to_amqp091.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, put_before, too_late
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import by_key
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
import mqconvert.converters.protocols.amqp091.words
from mqconvert.converters.protocols.amqp10.message import (
    Header as Of_EMPTY_header,
    Message as Source,
    Properties as Of_EMPTY_properties,
)
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
    BODY_TYPES: Any = NAMES['BODY_TYPES']
    row_type_ulong: Any = rows['type-ulong']
    via_wrapped_to_long: Any = TRANSFORMS['wrapped-to-long'].function
    fault_long: Any = types['long'].fault
    row_type_decimal: Any = rows['type-decimal']
    row_type_timestamp: Any = rows['type-timestamp']
    via_milliseconds_to_unsigned_seconds: Any = TRANSFORMS['milliseconds-to-unsigned-seconds'].function
    row_key_binary: Any = rows['key-binary']
    via_text: Any = TRANSFORMS['text'].function
    row_key_text: Any = rows['key-text']
    row_durable: Any = rows['durable']
    row_priority: Any = rows['priority']
    row_ttl: Any = rows['ttl']
    row_first_acquirer: Any = rows['first-acquirer']
    row_delivery_count: Any = rows['delivery-count']
    via_octets: Any = TRANSFORMS['octets'].function
    row_delivery_annotations: Any = rows['delivery-annotations']
    when_shortstr: Any = CONDITIONS['shortstr'].function
    row_kept_basic_type: Any = rows['kept-basic-type']
    row_annotation_x_cc: Any = rows['annotation-x-cc']
    row_annotation_x_cc_other: Any = rows['annotation-x-cc-other']
    keys_message_annotations: Any = frozenset(['x-basic-type', 'x-cc'])
    when_property_is_longstr: Any = CONDITIONS['property-is longstr'].function
    row_kept_annotation_bytes: Any = rows['kept-annotation-bytes']
    key_fault_shortstr: Any = types['table'].key_fault
    via_header_of_text: Any = TRANSFORMS['header-of-text'].function
    row_kept_annotation: Any = rows['kept-annotation']
    via_type_beside_then_octets: Any = TRANSFORMS['type-beside then octets'].function
    row_annotation_type: Any = rows['annotation-type']
    row_annotation_text: Any = rows['annotation-text']
    via_text_form_then_octets: Any = TRANSFORMS['text-form then octets'].function
    row_annotation_x: Any = rows['annotation-x']
    row_correlation_id_urn: Any = rows['correlation-id-urn']
    row_correlation_id_long_type: Any = rows['correlation-id-long-type']
    row_correlation_id_number: Any = rows['correlation-id-number']
    row_correlation_id_shortstr: Any = rows['correlation-id-shortstr']
    row_correlation_id_other: Any = rows['correlation-id-other']
    when_longer_than_256: Any = CONDITIONS['longer-than 256'].function
    row_correlation_id_long: Any = rows['correlation-id-long']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    via_uuid_to_urn: Any = TRANSFORMS['uuid-to-urn'].function
    row_correlation_id_ulong: Any = rows['correlation-id-ulong']
    row_correlation_id_binary: Any = rows['correlation-id-binary']
    row_message_id_urn: Any = rows['message-id-urn']
    row_message_id_long_type: Any = rows['message-id-long-type']
    row_message_id_number: Any = rows['message-id-number']
    row_message_id_shortstr: Any = rows['message-id-shortstr']
    row_message_id_other: Any = rows['message-id-other']
    row_message_id_long: Any = rows['message-id-long']
    row_message_id_uuid: Any = rows['message-id-uuid']
    row_message_id_ulong: Any = rows['message-id-ulong']
    row_message_id_binary: Any = rows['message-id-binary']
    row_user_id: Any = rows['user-id']
    row_user_id_other: Any = rows['user-id-other']
    via_to_base64_then_octets: Any = TRANSFORMS['to-base64 then octets'].function
    row_to: Any = rows['to']
    row_subject: Any = rows['subject']
    row_reply_to_other: Any = rows['reply-to-other']
    row_reply_to: Any = rows['reply-to']
    row_content_type_other: Any = rows['content-type-other']
    row_content_type: Any = rows['content-type']
    row_encoding_other: Any = rows['encoding-other']
    row_content_encoding: Any = rows['content-encoding']
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    row_creation_time_exact: Any = rows['creation-time-exact']
    row_creation_time_seconds: Any = rows['creation-time-seconds']
    fault_timestamp: Any = types['timestamp'].fault
    row_creation_time: Any = rows['creation-time']
    row_group_id_other: Any = rows['group-id-other']
    row_group_id: Any = rows['group-id']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_kept_cluster_id: Any = rows['kept-cluster-id']
    row_kept_annotation_bytes_type: Any = rows['kept-annotation-bytes-type']
    when_fits_header_of_text: Any = CONDITIONS['fits header-of-text'].function
    row_kept_annotation_type: Any = rows['kept-annotation-type']
    row_kept_bytes_type: Any = rows['kept-bytes-type']
    row_kept_type: Any = rows['kept-type']
    row_kept_bytes: Any = rows['kept-bytes']
    row_kept_header: Any = rows['kept-header']
    row_property_type: Any = rows['property-type']
    row_property_text: Any = rows['property-text']
    row_application_property: Any = rows['application-property']
    row_body_one: Any = rows['body-one']
    row_body_data: Any = rows['body-data']
    row_body_data_sets_basic_type: Any = replace(rows['body-data'], source='@constant', target='basic.type', constants={})
    row_body_data_uses_footer: Any = replace(rows['body-data'], source='footer')
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function
    row_body_value: Any = rows['body-value']
    row_body_value_sets_basic_type: Any = replace(rows['body-value'], source='@constant', target='basic.type', constants={})
    row_body_value_uses_footer: Any = replace(rows['body-value'], source='footer')
    row_body_sequence: Any = rows['body-sequence']
    row_body_sequence_sets_basic_type: Any = replace(
        rows['body-sequence'], source='@constant', target='basic.type', constants={}
    )
    row_body_sequence_uses_footer: Any = replace(rows['body-sequence'], source='footer')
    row_no_body_told: Any = replace(rows['no-body'], source='@constant')
    row_footer: Any = rows['footer']
    EMPTY_header: Of_EMPTY_header = empty(Of_EMPTY_header)
    EMPTY_properties: Of_EMPTY_properties = empty(Of_EMPTY_properties)

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

    def amqp_1_0_to_amqp_0_9_1(source: Source, environment: Environment, notes: Notes) -> Any:
        as_: str | None; before: int; by: str | None; fault: str | None; key: str; label: Any; lost: list[Any]; made: Any; number: int; renamed: tuple[str, str] | None; text: str; type_: str; typed: Entry; value: Any
        taken: list[Any] = notes.taken
        header: Of_EMPTY_header | None = source.header
        if header is None:
            header = EMPTY_header
        properties: Of_EMPTY_properties | None = source.properties
        if properties is None:
            properties = EMPTY_properties
        index_application_properties = by_key(source.application_properties)
        index_message_annotations = by_key(source.message_annotations)
        used_footer: Any = False
        to_basic_delivery_mode: Any = None
        to_basic_priority: Any = None
        to_basic_expiration: Any = None
        to_basic_headers: list[Any] = []
        filled_basic_headers: set[Any] = set()
        to_basic_type: Any = None
        to_basic_correlation_id: Any = None
        to_basic_message_id: Any = None
        to_basic_user_id: Any = None
        to_basic_reply_to: Any = None
        to_basic_content_type: Any = None
        to_basic_content_encoding: Any = None
        to_basic_timestamp: Any = None
        to_basic_app_id: Any = None
        to_basic_cluster_id: Any = None
        to_payload: Any = b''
        durable: Any = header.durable
        if durable is not None:
            # durable, amqp10_to_amqp091.toml
            to_basic_delivery_mode = 2 if durable else 1
            taken.append(row_durable)
        priority: Any = header.priority
        if priority is not None:
            # priority, amqp10_to_amqp091.toml
            to_basic_priority = priority
            taken.append(row_priority)
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, amqp10_to_amqp091.toml
            to_basic_expiration = str(ttl)
            taken.append(row_ttl)
        first_acquirer: Any = header.first_acquirer
        if first_acquirer is not None:
            # first-acquirer, preserve.toml
            if 'amqp-first-acquirer' in filled_basic_headers:
                too_late(
                    notes, row_first_acquirer, 'header.first_acquirer', 'boolean', 'basic.headers', 'amqp-first-acquirer', None
                )
            else:
                to_basic_headers.append(Entry('amqp-first-acquirer', 'longstr', b'true' if first_acquirer else b'false'))
                filled_basic_headers.add('amqp-first-acquirer')
                taken.append((row_first_acquirer, None, 'amqp-first-acquirer', None))
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, preserve.toml
            if 'amqp-delivery-count' in filled_basic_headers:
                too_late(
                    notes, row_delivery_count, 'header.delivery_count', 'uint', 'basic.headers', 'amqp-delivery-count', None
                )
            else:
                to_basic_headers.append(Entry('amqp-delivery-count', 'longstr', via_octets(str(delivery_count))))
                filled_basic_headers.add('amqp-delivery-count')
                taken.append((row_delivery_count, None, 'amqp-delivery-count', None))
        delivery_annotations: list[Any] | None = source.delivery_annotations
        if delivery_annotations is not None:
            for typed in delivery_annotations:
                label = typed.key
                # delivery-annotations, amqp10_to_amqp091.toml
                taken.append((row_delivery_annotations, label, None, None))
        message_annotations: list[Any] | None = source.message_annotations
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
                            too_late(
                                notes, row_kept_basic_type, path('message_annotations', label), type_, 'basic.type', None, label
                            )
                        else:
                            to_basic_type = typed.value
                            taken.append((row_kept_basic_type, label, None, None))
                        continue
                    if label == 'x-cc' and type_ in {'string', 'symbol'}:  # annotation-x-cc, amqp10_to_amqp091.toml
                        if 'CC' in filled_basic_headers:
                            too_late(
                                notes,
                                row_annotation_x_cc,
                                path('message_annotations', label),
                                type_,
                                'basic.headers',
                                'CC',
                                label,
                            )
                        else:
                            to_basic_headers.append(Entry('CC', 'longstr', typed.value.encode()))
                            filled_basic_headers.add('CC')
                            taken.append((row_annotation_x_cc, label, 'CC', None))
                        continue
                    if label == 'x-cc':  # annotation-x-cc-other, amqp10_to_amqp091.toml
                        taken.append((row_annotation_x_cc_other, label, None, None))
                        continue
                if (  # kept-annotation-bytes, preserve.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ == 'binary'
                    and when_property_is_longstr(typed.value, index_application_properties.get('amqp-type.x-' + label[2:]))
                ):
                    if (
                        not (len(label) < 256 and label.isascii() and '\x00' not in label)
                        and (fault := key_fault_shortstr(label)) is not None
                    ):
                        notes.lost.append(
                            (path('message_annotations', label), type_, 'its key is ' + fault, row_kept_annotation_bytes)
                        )
                    elif label in filled_basic_headers:
                        too_late(
                            notes,
                            row_kept_annotation_bytes,
                            path('message_annotations', label),
                            type_,
                            'basic.headers',
                            label,
                            label,
                        )
                    else:
                        to_basic_headers.append(Entry(label, 'longstr', typed.value))
                        filled_basic_headers.add(label)
                        taken.append((row_kept_annotation_bytes, label, label, None))
                elif (  # kept-annotation, preserve.toml
                    type(label) is str
                    and 'x-' <= label < 'x.'
                    and type_ == 'string'
                    and (
                        made := via_header_of_text(typed.value, index_application_properties.get('amqp-type.x-' + label[2:]))
                    ) is not NOT_MINE
                ):
                    if (
                        not (len(label) < 256 and label.isascii() and '\x00' not in label)
                        and (fault := key_fault_shortstr(label)) is not None
                    ):
                        notes.lost.append(
                            (path('message_annotations', label), type_, 'its key is ' + fault, row_kept_annotation)
                        )
                    elif label in filled_basic_headers:
                        too_late(
                            notes, row_kept_annotation, path('message_annotations', label), type_, 'basic.headers', label, label
                        )
                    else:
                        to_basic_headers.append(Entry(label, made.type, made.value))
                        filled_basic_headers.add(label)
                        taken.append((row_kept_annotation, label, label, None))
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
                            not (len(name) < 256 and name.isascii() and '\x00' not in name)
                            and (fault := key_fault_shortstr(name)) is not None
                        ):
                            notes.lost.append(
                                (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_type)
                            )
                        elif name in filled_basic_headers:
                            too_late(
                                notes,
                                row_annotation_type,
                                path('message_annotations', label),
                                type_,
                                'basic.headers',
                                name,
                                label,
                            )
                        else:
                            to_basic_headers.append(Entry(name, 'longstr', made))
                            filled_basic_headers.add(name)
                            taken.append((row_annotation_type, label, name, None))
                    if (  # annotation-text, preserve.toml
                        type(label) is str
                        and 'x-' <= label < 'x.'
                        and type_ in {
                            'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128', 'array', 'described'
                        }
                    ):
                        made = via_text_form_then_octets(typed.value, type_)
                        if type(made) is not bytes:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_annotation_text))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(label) < 256 and label.isascii() and '\x00' not in label)
                                and (fault := key_fault_shortstr(label)) is not None
                            ):
                                notes.lost.append(
                                    (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_text)
                                )
                            elif label in filled_basic_headers:
                                too_late(
                                    notes,
                                    row_annotation_text,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.headers',
                                    label,
                                    label,
                                )
                            else:
                                to_basic_headers.append(Entry(label, 'longstr', made))
                                filled_basic_headers.add(label)
                                taken.append((row_annotation_text, label, label, None))
                    elif type(label) is str and 'x-' <= label < 'x.':  # annotation-x, amqp10_to_amqp091.toml
                        if type_ == 'string':  # type-string, amqp10_to_amqp091.toml
                            by = 'type-string'
                            text = typed.value
                            made = Entry(label, 'longstr', text.encode())
                        elif type_ == 'symbol':  # type-symbol, amqp10_to_amqp091.toml
                            by = 'type-symbol'
                            text = typed.value
                            made = Entry(label, 'longstr', text.encode())
                        elif type_ == 'float' and isfinite(typed.value):  # type-float, amqp10_to_amqp091.toml
                            by = 'type-float'
                            made = Entry(label, 'float', typed.value)
                        elif type_ == 'double' and isfinite(typed.value):  # type-double, amqp10_to_amqp091.toml
                            by = 'type-double'
                            made = Entry(label, 'double', typed.value)
                        elif (  # type-timestamp, amqp10_to_amqp091.toml
                            type_ == 'timestamp'
                            and (number := typed.value) >= 0
                            and number % 1000 == 0
                        ):
                            by = 'type-timestamp'
                            made = Entry(label, 'timestamp', number // 1000)
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = typed if as_ == type_ else Entry(label, as_, typed.value)
                        else:
                            lost = notes.lost
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                put_before(path('message_annotations', label), lost, before)
                            if by is None:
                                continue
                            made = Entry(label, as_, made)
                        if (
                            not (len(label) < 256 and label.isascii() and '\x00' not in label)
                            and (fault := key_fault_shortstr(label)) is not None
                        ):
                            notes.lost.append(
                                (path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_x)
                            )
                        elif label in filled_basic_headers:
                            too_late(
                                notes,
                                row_annotation_x,
                                path('message_annotations', label),
                                type_,
                                'basic.headers',
                                label,
                                label,
                            )
                        else:
                            to_basic_headers.append(made)
                            filled_basic_headers.add(label)
                            taken.append((row_annotation_x, label, label, by))
                    elif not took:
                        notes.lost.append((path('message_annotations', label), type_, 'no row takes it', None))
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            took = False
            if type_ == 'string' and value.startswith('urn:uuid:'):  # correlation-id-urn, preserve.toml
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_urn,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-correlation-id', 'longstr', b'string'))
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
                    taken.append((row_correlation_id_urn, None, 'amqp-type.amqp-correlation-id', None))
            if (  # correlation-id-long-type, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_long_type,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-correlation-id', 'longstr', b'string'))
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
                    taken.append((row_correlation_id_long_type, None, 'amqp-type.amqp-correlation-id', None))
            if type_ == 'ulong':  # correlation-id-number, preserve.toml
                took = True
                if 'amqp-type.amqp-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_number,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-correlation-id', 'longstr', b'ulong'))
                    filled_basic_headers.add('amqp-type.amqp-correlation-id')
                    taken.append((row_correlation_id_number, None, 'amqp-type.amqp-correlation-id', None))
            if (  # correlation-id-shortstr, amqp10_to_amqp091.toml
                type_ == 'string'
                and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                to_basic_correlation_id = value
                taken.append(row_correlation_id_shortstr)
            elif (  # correlation-id-other, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                if 'x-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_other,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'x-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'longstr', value.encode()))
                    filled_basic_headers.add('x-correlation-id')
                    taken.append((row_correlation_id_other, None, 'x-correlation-id', None))
            elif (  # correlation-id-long, amqp10_to_amqp091.toml
                type_ == 'string'
                and len(value) > 64
                and when_longer_than_256(value)
            ):
                if 'x-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_long,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'x-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'longstr', value.encode()))
                    filled_basic_headers.add('x-correlation-id')
                    taken.append((row_correlation_id_long, None, 'x-correlation-id', None))
            elif type_ == 'uuid':  # correlation-id-uuid, amqp10_to_amqp091.toml
                to_basic_correlation_id = via_uuid_to_urn(value)
                taken.append(row_correlation_id_uuid)
            elif type_ == 'ulong':  # correlation-id-ulong, amqp10_to_amqp091.toml
                to_basic_correlation_id = str(value)
                taken.append(row_correlation_id_ulong)
            elif type_ == 'binary':  # correlation-id-binary, amqp10_to_amqp091.toml
                if 'x-correlation-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_correlation_id_binary,
                        'properties.correlation_id',
                        type_,
                        'basic.headers',
                        'x-correlation-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('x-correlation-id', 'binary', value))
                    filled_basic_headers.add('x-correlation-id')
                    taken.append((row_correlation_id_binary, None, 'x-correlation-id', None))
            elif not took:
                notes.lost.append(('properties.correlation_id', type_, 'no row takes it', None))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            took = False
            if type_ == 'string' and value.startswith('urn:uuid:'):  # message-id-urn, preserve.toml
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_message_id_urn,
                        'properties.message_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-message-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-message-id', 'longstr', b'string'))
                    filled_basic_headers.add('amqp-type.amqp-message-id')
                    taken.append((row_message_id_urn, None, 'amqp-type.amqp-message-id', None))
            if (  # message-id-long-type, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_message_id_long_type,
                        'properties.message_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-message-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-message-id', 'longstr', b'string'))
                    filled_basic_headers.add('amqp-type.amqp-message-id')
                    taken.append((row_message_id_long_type, None, 'amqp-type.amqp-message-id', None))
            if type_ == 'ulong':  # message-id-number, preserve.toml
                took = True
                if 'amqp-type.amqp-message-id' in filled_basic_headers:
                    too_late(
                        notes,
                        row_message_id_number,
                        'properties.message_id',
                        type_,
                        'basic.headers',
                        'amqp-type.amqp-message-id',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-type.amqp-message-id', 'longstr', b'ulong'))
                    filled_basic_headers.add('amqp-type.amqp-message-id')
                    taken.append((row_message_id_number, None, 'amqp-type.amqp-message-id', None))
            if (  # message-id-shortstr, amqp10_to_amqp091.toml
                type_ == 'string'
                and (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                to_basic_message_id = value
                taken.append(row_message_id_shortstr)
            elif (  # message-id-other, preserve.toml
                type_ == 'string'
                and not (len(value) < 256 and value.isascii() and '\x00' not in value or when_shortstr(value))
            ):
                if 'x-message-id' in filled_basic_headers:
                    too_late(notes, row_message_id_other, 'properties.message_id', type_, 'basic.headers', 'x-message-id', None)
                else:
                    to_basic_headers.append(Entry('x-message-id', 'longstr', value.encode()))
                    filled_basic_headers.add('x-message-id')
                    taken.append((row_message_id_other, None, 'x-message-id', None))
            elif (  # message-id-long, amqp10_to_amqp091.toml
                type_ == 'string'
                and len(value) > 64
                and when_longer_than_256(value)
            ):
                if 'x-message-id' in filled_basic_headers:
                    too_late(notes, row_message_id_long, 'properties.message_id', type_, 'basic.headers', 'x-message-id', None)
                else:
                    to_basic_headers.append(Entry('x-message-id', 'longstr', value.encode()))
                    filled_basic_headers.add('x-message-id')
                    taken.append((row_message_id_long, None, 'x-message-id', None))
            elif type_ == 'uuid':  # message-id-uuid, amqp10_to_amqp091.toml
                to_basic_message_id = via_uuid_to_urn(value)
                taken.append(row_message_id_uuid)
            elif type_ == 'ulong':  # message-id-ulong, amqp10_to_amqp091.toml
                to_basic_message_id = str(value)
                taken.append(row_message_id_ulong)
            elif type_ == 'binary':  # message-id-binary, amqp10_to_amqp091.toml
                if 'x-message-id' in filled_basic_headers:
                    too_late(
                        notes, row_message_id_binary, 'properties.message_id', type_, 'basic.headers', 'x-message-id', None
                    )
                else:
                    to_basic_headers.append(Entry('x-message-id', 'binary', value))
                    filled_basic_headers.add('x-message-id')
                    taken.append((row_message_id_binary, None, 'x-message-id', None))
            elif not took:
                notes.lost.append(('properties.message_id', type_, 'no row takes it', None))
        user_id: bytes | None = properties.user_id
        if user_id is not None:
            if (  # user-id, amqp10_to_amqp091.toml
                len(user_id) < 256 and user_id.isascii() and 0 not in user_id
                or when_shortstr(user_id)
            ):
                made = user_id.decode() if user_id.isascii() else via_text(user_id)
                if type(made) is not str:
                    notes.lost.append(('properties.user_id', 'binary', made.reason, row_user_id))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        notes.lost.append(('properties.user_id', 'binary', fault, row_user_id))
                    else:
                        to_basic_user_id = made
                        taken.append(row_user_id)
            else:  # user-id-other, preserve.toml
                if 'amqp-user-id' in filled_basic_headers:
                    too_late(notes, row_user_id_other, 'properties.user_id', 'binary', 'basic.headers', 'amqp-user-id', None)
                else:
                    to_basic_headers.append(Entry('amqp-user-id', 'longstr', via_to_base64_then_octets(user_id)))
                    filled_basic_headers.add('amqp-user-id')
                    taken.append((row_user_id_other, None, 'amqp-user-id', None))
        to: str | None = properties.to
        if to is not None:
            # to, preserve.toml
            if 'amqp-to' in filled_basic_headers:
                too_late(notes, row_to, 'properties.to', 'string', 'basic.headers', 'amqp-to', None)
            else:
                to_basic_headers.append(Entry('amqp-to', 'longstr', to.encode()))
                filled_basic_headers.add('amqp-to')
                taken.append((row_to, None, 'amqp-to', None))
        subject: str | None = properties.subject
        if subject is not None:
            # subject, preserve.toml
            if 'amqp-subject' in filled_basic_headers:
                too_late(notes, row_subject, 'properties.subject', 'string', 'basic.headers', 'amqp-subject', None)
            else:
                to_basic_headers.append(Entry('amqp-subject', 'longstr', subject.encode()))
                filled_basic_headers.add('amqp-subject')
                taken.append((row_subject, None, 'amqp-subject', None))
        reply_to: str | None = properties.reply_to
        if reply_to is not None:
            if not (  # reply-to-other, preserve.toml
                len(reply_to) < 256 and reply_to.isascii() and '\x00' not in reply_to
                or when_shortstr(reply_to)
            ):
                if 'amqp-reply-to' in filled_basic_headers:
                    too_late(notes, row_reply_to_other, 'properties.reply_to', 'string', 'basic.headers', 'amqp-reply-to', None)
                else:
                    to_basic_headers.append(Entry('amqp-reply-to', 'longstr', reply_to.encode()))
                    filled_basic_headers.add('amqp-reply-to')
                    taken.append((row_reply_to_other, None, 'amqp-reply-to', None))
            elif (  # reply-to, amqp10_to_amqp091.toml
                len(reply_to) < 256 and reply_to.isascii() and '\x00' not in reply_to
                or when_shortstr(reply_to)
            ):
                to_basic_reply_to = reply_to
                taken.append(row_reply_to)
            else:
                notes.lost.append(('properties.reply_to', 'string', 'no row takes it', None))
        content_type: str | None = properties.content_type
        if content_type is not None:
            if not (  # content-type-other, preserve.toml
                len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type
                or when_shortstr(content_type)
            ):
                if 'amqp-content-type' in filled_basic_headers:
                    too_late(
                        notes,
                        row_content_type_other,
                        'properties.content_type',
                        'symbol',
                        'basic.headers',
                        'amqp-content-type',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-content-type', 'longstr', content_type.encode()))
                    filled_basic_headers.add('amqp-content-type')
                    taken.append((row_content_type_other, None, 'amqp-content-type', None))
            else:  # content-type, amqp10_to_amqp091.toml
                if (
                    not (len(content_type) < 256 and content_type.isascii() and '\x00' not in content_type)
                    and (fault := fault_shortstr(content_type)) is not None
                ):
                    notes.lost.append(('properties.content_type', 'symbol', fault, row_content_type))
                else:
                    to_basic_content_type = content_type
                    taken.append(row_content_type)
        content_encoding: str | None = properties.content_encoding
        if content_encoding is not None:
            if not (  # encoding-other, preserve.toml
                len(content_encoding) < 256 and content_encoding.isascii() and '\x00' not in content_encoding
                or when_shortstr(content_encoding)
            ):
                if 'amqp-content-encoding' in filled_basic_headers:
                    too_late(
                        notes,
                        row_encoding_other,
                        'properties.content_encoding',
                        'symbol',
                        'basic.headers',
                        'amqp-content-encoding',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-content-encoding', 'longstr', content_encoding.encode()))
                    filled_basic_headers.add('amqp-content-encoding')
                    taken.append((row_encoding_other, None, 'amqp-content-encoding', None))
            else:  # content-encoding, amqp10_to_amqp091.toml
                if (
                    not (len(content_encoding) < 256 and content_encoding.isascii() and '\x00' not in content_encoding)
                    and (fault := fault_shortstr(content_encoding)) is not None
                ):
                    notes.lost.append(('properties.content_encoding', 'symbol', fault, row_content_encoding))
                else:
                    to_basic_content_encoding = content_encoding
                    taken.append(row_content_encoding)
        absolute_expiry_time: Any = properties.absolute_expiry_time
        if absolute_expiry_time is not None:
            # absolute-expiry-time, preserve.toml
            if 'amqp-absolute-expiry-time' in filled_basic_headers:
                too_late(
                    notes,
                    row_absolute_expiry_time,
                    'properties.absolute_expiry_time',
                    'timestamp',
                    'basic.headers',
                    'amqp-absolute-expiry-time',
                    None,
                )
            else:
                to_basic_headers.append(Entry('amqp-absolute-expiry-time', 'longstr', via_octets(str(absolute_expiry_time))))
                filled_basic_headers.add('amqp-absolute-expiry-time')
                taken.append((row_absolute_expiry_time, None, 'amqp-absolute-expiry-time', None))
        creation_time: int | None = properties.creation_time
        if creation_time is not None:
            if creation_time >= 0 and not when_in_whole_seconds(creation_time):  # creation-time-exact, preserve.toml
                if 'amqp-creation-time' in filled_basic_headers:
                    too_late(
                        notes,
                        row_creation_time_exact,
                        'properties.creation_time',
                        'timestamp',
                        'basic.headers',
                        'amqp-creation-time',
                        None,
                    )
                else:
                    to_basic_headers.append(Entry('amqp-creation-time', 'longstr', via_octets(str(creation_time))))
                    filled_basic_headers.add('amqp-creation-time')
                    taken.append((row_creation_time_exact, None, 'amqp-creation-time', None))
            if creation_time >= 0 and not when_in_whole_seconds(creation_time):  # creation-time-seconds, preserve.toml
                number = creation_time // 1000
                if not 0 <= number <= 18446744073709551615 and (fault := fault_timestamp(number)) is not None:
                    notes.lost.append(
                        ('properties.creation_time', 'timestamp', 'after scale 1/1000: ' + fault, row_creation_time_seconds)
                    )
                else:
                    to_basic_timestamp = number
                    taken.append(row_creation_time_seconds)
            else:  # creation-time, amqp10_to_amqp091.toml
                made = (
                    creation_time // 1000
                    if creation_time >= 0 and creation_time % 1000 == 0
                    else via_milliseconds_to_unsigned_seconds(creation_time)
                )
                if type(made) is not int:
                    notes.lost.append(('properties.creation_time', 'timestamp', made.reason, row_creation_time))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    to_basic_timestamp = made
                    taken.append(row_creation_time)
        group_id: str | None = properties.group_id
        if group_id is not None:
            if not (  # group-id-other, preserve.toml
                len(group_id) < 256 and group_id.isascii() and '\x00' not in group_id
                or when_shortstr(group_id)
            ):
                if 'amqp-group-id' in filled_basic_headers:
                    too_late(notes, row_group_id_other, 'properties.group_id', 'string', 'basic.headers', 'amqp-group-id', None)
                else:
                    to_basic_headers.append(Entry('amqp-group-id', 'longstr', group_id.encode()))
                    filled_basic_headers.add('amqp-group-id')
                    taken.append((row_group_id_other, None, 'amqp-group-id', None))
            elif (  # group-id, amqp10_to_amqp091.toml
                len(group_id) < 256 and group_id.isascii() and '\x00' not in group_id
                or when_shortstr(group_id)
            ):
                to_basic_app_id = group_id
                taken.append(row_group_id)
            else:
                notes.lost.append(('properties.group_id', 'string', 'no row takes it', None))
        group_sequence: Any = properties.group_sequence
        if group_sequence is not None:
            # group-sequence, preserve.toml
            if 'amqp-group-sequence' in filled_basic_headers:
                too_late(
                    notes, row_group_sequence, 'properties.group_sequence', 'uint', 'basic.headers', 'amqp-group-sequence', None
                )
            else:
                to_basic_headers.append(Entry('amqp-group-sequence', 'longstr', via_octets(str(group_sequence))))
                filled_basic_headers.add('amqp-group-sequence')
                taken.append((row_group_sequence, None, 'amqp-group-sequence', None))
        reply_to_group_id: str | None = properties.reply_to_group_id
        if reply_to_group_id is not None:
            # reply-to-group-id, preserve.toml
            if 'amqp-reply-to-group-id' in filled_basic_headers:
                too_late(
                    notes,
                    row_reply_to_group_id,
                    'properties.reply_to_group_id',
                    'string',
                    'basic.headers',
                    'amqp-reply-to-group-id',
                    None,
                )
            else:
                to_basic_headers.append(Entry('amqp-reply-to-group-id', 'longstr', reply_to_group_id.encode()))
                filled_basic_headers.add('amqp-reply-to-group-id')
                taken.append((row_reply_to_group_id, None, 'amqp-reply-to-group-id', None))
        application_properties: list[Any] | None = source.application_properties
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
                        too_late(
                            notes,
                            row_kept_cluster_id,
                            path('application_properties', key),
                            type_,
                            'basic.cluster_id',
                            None,
                            key,
                        )
                    else:
                        to_basic_cluster_id = typed.value
                        taken.append((row_kept_cluster_id, key, None, None))
                elif (  # kept-annotation-bytes-type, preserve.toml
                    'amqp-type.x-' <= key < 'amqp-type.x.'
                    and type_ == 'string'
                    and typed.value == 'longstr'
                    and index_message_annotations.get('x-' + key[12:]) is not None
                    and index_message_annotations.get('x-' + key[12:]) is not False
                ):
                    taken.append((row_kept_annotation_bytes_type, key, None, None))
                elif (  # kept-annotation-type, preserve.toml
                    'amqp-type.x-' <= key < 'amqp-type.x.'
                    and when_fits_header_of_text(typed.value, index_message_annotations.get('x-' + key[12:]))
                ):
                    taken.append((row_kept_annotation_type, key, None, None))
                elif (  # kept-bytes-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and type_ == 'string'
                    and typed.value == 'longstr'
                    and index_application_properties.get(key[10:]) is not None
                    and index_application_properties.get(key[10:]) is not False
                ):
                    taken.append((row_kept_bytes_type, key, None, None))
                elif (  # kept-type, preserve.toml
                    'amqp-type.' <= key < 'amqp-type/'
                    and when_fits_header_of_text(typed.value, index_application_properties.get(key[10:]))
                ):
                    taken.append((row_kept_type, key, None, None))
                elif (  # kept-bytes, preserve.toml
                    type_ == 'binary'
                    and when_property_is_longstr(typed.value, index_application_properties.get('amqp-type.' + key))
                ):
                    if (
                        not (len(key) < 256 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_shortstr(key)) is not None
                    ):
                        notes.lost.append((path('application_properties', key), type_, 'its key is ' + fault, row_kept_bytes))
                    elif key in filled_basic_headers:
                        too_late(notes, row_kept_bytes, path('application_properties', key), type_, 'basic.headers', key, key)
                    else:
                        to_basic_headers.append(Entry(key, 'longstr', typed.value))
                        filled_basic_headers.add(key)
                        taken.append((row_kept_bytes, key, key, None))
                elif (  # kept-header, preserve.toml
                    type_ == 'string'
                    and (
                        made := via_header_of_text(typed.value, index_application_properties.get('amqp-type.' + key))
                    ) is not NOT_MINE
                ):
                    if (
                        not (len(key) < 256 and key.isascii() and '\x00' not in key)
                        and (fault := key_fault_shortstr(key)) is not None
                    ):
                        notes.lost.append((path('application_properties', key), type_, 'its key is ' + fault, row_kept_header))
                    elif key in filled_basic_headers:
                        too_late(notes, row_kept_header, path('application_properties', key), type_, 'basic.headers', key, key)
                    else:
                        to_basic_headers.append(Entry(key, made.type, made.value))
                        filled_basic_headers.add(key)
                        taken.append((row_kept_header, key, key, None))
                else:
                    if (  # property-type, preserve.toml
                        type_ in {'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128'}
                        and (made := via_type_beside_then_octets(typed.value, type_)) is not NOT_MINE
                    ):
                        name = 'amqp-type.' + key
                        if (
                            not (len(name) < 256 and name.isascii() and '\x00' not in name)
                            and (fault := key_fault_shortstr(name)) is not None
                        ):
                            notes.lost.append(
                                (path('application_properties', key), type_, 'its key is ' + fault, row_property_type)
                            )
                        elif name in filled_basic_headers:
                            too_late(
                                notes, row_property_type, path('application_properties', key), type_, 'basic.headers', name, key
                            )
                        else:
                            to_basic_headers.append(Entry(name, 'longstr', made))
                            filled_basic_headers.add(name)
                            taken.append((row_property_type, key, name, None))
                    if type_ in {  # property-text, preserve.toml
                        'symbol', 'ulong', 'uuid', 'char', 'decimal32', 'decimal64', 'decimal128'
                    }:
                        made = via_text_form_then_octets(typed.value, type_)
                        if type(made) is not bytes:
                            notes.lost.append((path('application_properties', key), type_, made.reason, row_property_text))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(key) < 256 and key.isascii() and '\x00' not in key)
                                and (fault := key_fault_shortstr(key)) is not None
                            ):
                                notes.lost.append(
                                    (path('application_properties', key), type_, 'its key is ' + fault, row_property_text)
                                )
                            elif key in filled_basic_headers:
                                too_late(
                                    notes,
                                    row_property_text,
                                    path('application_properties', key),
                                    type_,
                                    'basic.headers',
                                    key,
                                    key,
                                )
                            else:
                                to_basic_headers.append(Entry(key, 'longstr', made))
                                filled_basic_headers.add(key)
                                taken.append((row_property_text, key, key, None))
                    else:  # application-property, amqp10_to_amqp091.toml
                        if type_ == 'string':  # type-string, amqp10_to_amqp091.toml
                            by = 'type-string'
                            text = typed.value
                            made = Entry(key, 'longstr', text.encode())
                        elif type_ == 'symbol':  # type-symbol, amqp10_to_amqp091.toml
                            by = 'type-symbol'
                            text = typed.value
                            made = Entry(key, 'longstr', text.encode())
                        elif type_ == 'float' and isfinite(typed.value):  # type-float, amqp10_to_amqp091.toml
                            by = 'type-float'
                            made = Entry(key, 'float', typed.value)
                        elif type_ == 'double' and isfinite(typed.value):  # type-double, amqp10_to_amqp091.toml
                            by = 'type-double'
                            made = Entry(key, 'double', typed.value)
                        elif (  # type-timestamp, amqp10_to_amqp091.toml
                            type_ == 'timestamp'
                            and (number := typed.value) >= 0
                            and number % 1000 == 0
                        ):
                            by = 'type-timestamp'
                            made = Entry(key, 'timestamp', number // 1000)
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = typed if as_ == type_ else Entry(key, as_, typed.value)
                        else:
                            lost = notes.lost
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                put_before(path('application_properties', key), lost, before)
                            if by is None:
                                continue
                            made = Entry(key, as_, made)
                        if (
                            not (len(key) < 256 and key.isascii() and '\x00' not in key)
                            and (fault := key_fault_shortstr(key)) is not None
                        ):
                            notes.lost.append(
                                (path('application_properties', key), type_, 'its key is ' + fault, row_application_property)
                            )
                        elif key in filled_basic_headers:
                            too_late(
                                notes,
                                row_application_property,
                                path('application_properties', key),
                                type_,
                                'basic.headers',
                                key,
                                key,
                            )
                        else:
                            to_basic_headers.append(made)
                            filled_basic_headers.add(key)
                            taken.append((row_application_property, key, key, by))
        body: Any = source.body
        if body is not None:
            if type(body) is Data and len(body.sections) == 1:  # body-one, amqp10_to_amqp091.toml
                to_payload = body.sections[0]
                taken.append(row_body_one)
            elif type(body) is Data:  # body-data, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, source.footer)
                taken.append(row_body_data)
                if to_basic_type is not None:
                    notes.replace({'basic.type': row_body_data})
                to_basic_type = 'amqp-1.0'
                taken.append(row_body_data_sets_basic_type)
                if source.footer is not None:
                    used_footer = True
                    taken.append(row_body_data_uses_footer)
            elif type(body) is AmqpValue:  # body-value, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, source.footer)
                taken.append(row_body_value)
                if to_basic_type is not None:
                    notes.replace({'basic.type': row_body_value})
                to_basic_type = 'amqp-1.0'
                taken.append(row_body_value_sets_basic_type)
                if source.footer is not None:
                    used_footer = True
                    taken.append(row_body_value_uses_footer)
            elif type(body) is AmqpSequence:  # body-sequence, amqp10_to_amqp091.toml
                to_payload = via_amqp_encoded_body(body, source.footer)
                taken.append(row_body_sequence)
                if to_basic_type is not None:
                    notes.replace({'basic.type': row_body_sequence})
                to_basic_type = 'amqp-1.0'
                taken.append(row_body_sequence_sets_basic_type)
                if source.footer is not None:
                    used_footer = True
                    taken.append(row_body_sequence_uses_footer)
            else:
                notes.lost.append(('body', BODY_TYPES.get(type(body), 'body'), 'no row takes it', None))
        else:  # no-body, amqp10_to_amqp091.toml
            to_payload = b''
            taken.append(row_no_body_told)
        footer: list[Any] | None = source.footer
        if footer is not None and not used_footer:
            for typed in footer:
                label = typed.key
                # footer, amqp10_to_amqp091.toml
                taken.append((row_footer, label, None, None))
        to_basic = BasicProperties(
            to_basic_content_type,
            to_basic_content_encoding,
            to_basic_headers or None,
            to_basic_delivery_mode,
            to_basic_priority,
            to_basic_correlation_id,
            to_basic_reply_to,
            to_basic_expiration,
            to_basic_message_id,
            to_basic_timestamp,
            to_basic_type,
            to_basic_user_id,
            to_basic_app_id,
            to_basic_cluster_id,
        )
        return Message(to_basic, to_payload, None, None)

    return amqp_1_0_to_amqp_0_9_1

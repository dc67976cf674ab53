"""amqp-1.0 -> amqp-0.9.1, from amqp10_to_amqp091.toml: `make generate` writes it."""

from dataclasses import replace
from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import Inside, NAMES, TypeTable, part, put_before, too_late
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.fields import empty
from mqconvert.converters.model.paths import path
from mqconvert.converters.model.plain import shortstr_fault as fault_shortstr
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
from mqconvert.converters.protocols.amqp091.message import BasicProperties, Message
from mqconvert.converters.protocols.amqp10.message import (
    Header as Of_EMPTY_header,
    Message as Source,
    Properties as Of_EMPTY_properties,
)
import mqconvert.converters.protocols.amqp10.words.sections
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
    when_value_of_null: Any = CONDITIONS['value-of null'].function
    row_type_array_null: Any = rows['type-array-null']
    when_array_of_plain: Any = CONDITIONS['array-of-plain'].function
    row_key_binary: Any = rows['key-binary']
    via_text: Any = TRANSFORMS['text'].function
    row_key_text: Any = rows['key-text']
    row_durable: Any = rows['durable']
    row_priority: Any = rows['priority']
    row_ttl: Any = rows['ttl']
    row_first_acquirer: Any = rows['first-acquirer']
    row_delivery_count: Any = rows['delivery-count']
    row_delivery_annotations: Any = rows['delivery-annotations']
    row_annotation_x_cc: Any = rows['annotation-x-cc']
    row_x_basic_type: Any = rows['x-basic-type']
    row_x_basic_delivery_mode: Any = rows['x-basic-delivery-mode']
    fault_octet: Any = types['octet'].fault
    via_low_bits_8_then_known_delivery_mode: Any = TRANSFORMS['low-bits 8 then known-delivery-mode'].function
    row_x_basic_delivery_mode_time: Any = rows['x-basic-delivery-mode-time']
    via_whole_seconds_then_known_delivery_mode: Any = TRANSFORMS[
        'whole-seconds then low-bits 8 then known-delivery-mode'
    ].function
    row_x_basic_priority: Any = rows['x-basic-priority']
    via_low_bits_8: Any = TRANSFORMS['low-bits 8'].function
    row_x_basic_priority_time: Any = rows['x-basic-priority-time']
    via_whole_seconds_then_low_bits_8: Any = TRANSFORMS['whole-seconds then low-bits 8'].function
    when_number_0_315360000000: Any = CONDITIONS['number 0 315360000000'].function
    row_x_basic_expiration: Any = rows['x-basic-expiration']
    when_number_0: Any = CONDITIONS['number 0'].function
    row_x_basic_expiration_other: Any = rows['x-basic-expiration-other']
    row_x_routing_key: Any = rows['x-routing-key']
    row_x_exchange: Any = rows['x-exchange']
    row_x_death: Any = rows['x-death']
    keys_message_annotations: Any = frozenset(
        [
            'x-basic-delivery-mode',
            'x-basic-expiration',
            'x-basic-priority',
            'x-basic-type',
            'x-cc',
            'x-death',
            'x-exchange',
            'x-routing-key',
        ],
    )
    row_x_basic_other: Any = rows['x-basic-other']
    via_deaths: Any = TRANSFORMS['deaths'].function
    row_deaths: Any = rows['deaths']
    fault_array: Any = types['array'].fault
    row_deaths_other: Any = rows['deaths-other']
    row_received_time: Any = rows['received-time']
    row_annotation_x: Any = rows['annotation-x']
    key_fault_shortstr: Any = types['table'].key_fault
    when_longer_than_255: Any = CONDITIONS['longer-than 255'].function
    row_correlation_id_shortstr: Any = rows['correlation-id-shortstr']
    row_correlation_id_long: Any = rows['correlation-id-long']
    row_correlation_id_uuid: Any = rows['correlation-id-uuid']
    via_uuid_to_urn: Any = TRANSFORMS['uuid-to-urn'].function
    row_correlation_id_ulong: Any = rows['correlation-id-ulong']
    row_correlation_id_binary: Any = rows['correlation-id-binary']
    row_message_id_shortstr: Any = rows['message-id-shortstr']
    row_message_id_long: Any = rows['message-id-long']
    row_message_id_uuid: Any = rows['message-id-uuid']
    row_message_id_ulong: Any = rows['message-id-ulong']
    row_message_id_binary: Any = rows['message-id-binary']
    when_shortstr: Any = CONDITIONS['shortstr'].function
    row_user_id: Any = rows['user-id']
    row_to: Any = rows['to']
    row_subject: Any = rows['subject']
    row_reply_to: Any = rows['reply-to']
    via_queue_of_address: Any = TRANSFORMS['queue-of-address'].function
    row_content_type: Any = rows['content-type']
    row_content_encoding: Any = rows['content-encoding']
    row_absolute_expiry_time: Any = rows['absolute-expiry-time']
    row_creation_time: Any = rows['creation-time']
    row_group_id: Any = rows['group-id']
    row_group_sequence: Any = rows['group-sequence']
    row_reply_to_group_id: Any = rows['reply-to-group-id']
    row_application_property: Any = rows['application-property']
    row_body_one: Any = rows['body-one']
    via_body_octets: Any = TRANSFORMS['body-octets'].function
    row_body_data: Any = rows['body-data']
    row_body_value: Any = rows['body-value']
    row_body_value_sets_basic_type: Any = replace(rows['body-value'], source='@constant', target='basic.type', constants={})
    row_body_value_uses_footer: Any = replace(rows['body-value'], source='footer')
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function
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
        'binary': ('type-binary', 'longstr'),
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
        # type-binary, rabbitmq-4.0.toml
        return 'type-binary', 'longstr', value

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

    def top_type_array_null(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        if when_value_of_null(value):  # type-array-null, rabbitmq-4.3.toml
            lost.append(('', 'array', 'RabbitMQ drops an array of null', row_type_array_null))
            return None, None, None
        if when_array_of_plain(value):  # type-array, rabbitmq-4.0.toml
            return 'type-array', 'array', inside.array_items(value, lost)
        lost.append(('', 'array', 'no row takes this array', None))
        return None, None, None

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
            'array': top_type_array_null,
        },
    )

    def nested_type_array_null(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        if when_value_of_null(value):  # type-array-null, rabbitmq-4.3.toml
            lost.append(('', 'array', 'RabbitMQ drops an array of null', row_type_array_null))
            return None, None, None
        lost.append(('', 'array', 'no row takes this array', None))
        return None, None, None

    types_nested = TypeTable({**types_top, 'array': nested_type_array_null})

    def entry_type_array_null(value: Any, lost: list[Any]) -> tuple[Any, Any, Any]:
        if when_value_of_null(value):  # type-array-null, rabbitmq-4.3.toml
            lost.append(('', 'array', 'RabbitMQ drops an array of null', row_type_array_null))
            return None, None, None
        if when_array_of_plain(value):  # type-array-entry, rabbitmq-4.0.toml
            return 'type-array-entry', 'array', inside.array_items(value, lost)
        lost.append(('', 'array', 'no row takes this array', None))
        return None, None, None

    types_entry = TypeTable({**types_top, 'array': entry_type_array_null})

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
        to_payload: Any = b''
        durable: Any = header.durable
        if durable is not None:
            # durable, amqp10_to_amqp091.toml
            if to_basic_delivery_mode is not None:
                too_late(notes, row_durable, 'header.durable', 'boolean', 'basic.delivery_mode', None, None)
            else:
                to_basic_delivery_mode = 2 if durable else 1
                taken.append(row_durable)
        priority: Any = header.priority
        if priority is not None:
            # priority, amqp10_to_amqp091.toml
            if to_basic_priority is not None:
                too_late(notes, row_priority, 'header.priority', 'ubyte', 'basic.priority', None, None)
            else:
                to_basic_priority = priority
                taken.append(row_priority)
        ttl: Any = header.ttl
        if ttl is not None:
            # ttl, amqp10_to_amqp091.toml
            if to_basic_expiration is not None:
                too_late(notes, row_ttl, 'header.ttl', 'uint', 'basic.expiration', None, None)
            else:
                to_basic_expiration = str(ttl)
                taken.append(row_ttl)
        first_acquirer: Any = header.first_acquirer
        if first_acquirer is not None:
            # first-acquirer, amqp10_to_amqp091.toml
            taken.append(row_first_acquirer)
        delivery_count: Any = header.delivery_count
        if delivery_count is not None:
            # delivery-count, amqp10_to_amqp091.toml
            taken.append(row_delivery_count)
        delivery_annotations: list[Any] | None = source.delivery_annotations
        if delivery_annotations is not None:
            for typed in delivery_annotations:
                label = typed.key
                # delivery-annotations, amqp10_to_amqp091.toml
                taken.append((row_delivery_annotations, label, None, None))
        message_annotations: list[Any] | None = source.message_annotations
        if message_annotations is not None:
            seen = set()
            for typed in message_annotations:
                label, type_ = typed.key, typed.type
                if label in keys_message_annotations:
                    first = label not in seen
                    seen.add(label)
                    if label == 'x-cc':  # annotation-x-cc, rabbitmq-4.0.toml
                        if type_ == 'string':  # type-string, amqp10_to_amqp091.toml
                            by = 'type-string'
                            text = typed.value
                            made = Entry('CC', 'longstr', text.encode())
                        elif type_ == 'symbol':  # type-symbol, amqp10_to_amqp091.toml
                            by = 'type-symbol'
                            text = typed.value
                            made = Entry('CC', 'longstr', text.encode())
                        elif type_ == 'float' and isfinite(typed.value):  # type-float, amqp10_to_amqp091.toml
                            by = 'type-float'
                            made = Entry('CC', 'float', typed.value)
                        elif type_ == 'double' and isfinite(typed.value):  # type-double, amqp10_to_amqp091.toml
                            by = 'type-double'
                            made = Entry('CC', 'double', typed.value)
                        elif (  # type-timestamp, amqp10_to_amqp091.toml
                            type_ == 'timestamp'
                            and (number := typed.value) >= 0
                            and number % 1000 == 0
                        ):
                            by = 'type-timestamp'
                            made = Entry('CC', 'timestamp', number // 1000)
                        elif (renamed := renamed_top.get(type_)) is not None:
                            by, as_ = renamed
                            made = Entry('CC', as_, typed.value)
                        else:
                            lost = notes.lost
                            before = len(lost)
                            by, as_, made = types_top[type_](typed.value, lost)
                            if len(lost) > before:
                                put_before(path('message_annotations', label), lost, before)
                            if by is None:
                                continue
                            made = Entry('CC', as_, made)
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
                            to_basic_headers.append(made)
                            filled_basic_headers.add('CC')
                            taken.append((row_annotation_x_cc, label, 'CC', by))
                        continue
                    if (  # x-basic-type, rabbitmq-4.0.toml
                        label == 'x-basic-type'
                        and first
                        and type_ in {'string', 'symbol', 'binary', 'uuid'}
                    ):
                        made = via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_x_basic_type))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 256 and made.isascii() and '\x00' not in made)
                                and (fault := fault_shortstr(made)) is not None
                            ):
                                notes.lost.append((path('message_annotations', label), type_, fault, row_x_basic_type))
                            elif to_basic_type is not None:
                                too_late(
                                    notes,
                                    row_x_basic_type,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.type',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_type = made
                                taken.append((row_x_basic_type, label, None, None))
                        continue
                    if (  # x-basic-delivery-mode, rabbitmq-4.0.toml
                        label == 'x-basic-delivery-mode'
                        and first
                        and type_ in {'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long', 'char'}
                    ):
                        made = via_low_bits_8_then_known_delivery_mode(typed.value)
                        if type(made) is not int:
                            notes.lost.append(
                                (path('message_annotations', label), type_, made.reason, row_x_basic_delivery_mode)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 255 and (fault := fault_octet(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after low-bits 8 then known-delivery-mode: ' + fault,
                                        row_x_basic_delivery_mode,
                                    ),
                                )
                            elif to_basic_delivery_mode is not None:
                                too_late(
                                    notes,
                                    row_x_basic_delivery_mode,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.delivery_mode',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_delivery_mode = made
                                taken.append((row_x_basic_delivery_mode, label, None, None))
                        continue
                    if (  # x-basic-delivery-mode-time, rabbitmq-4.0.toml
                        label == 'x-basic-delivery-mode'
                        and first
                        and type_ == 'timestamp'
                    ):
                        made = via_whole_seconds_then_known_delivery_mode(typed.value)
                        if type(made) is not int:
                            notes.lost.append(
                                (path('message_annotations', label), type_, made.reason, row_x_basic_delivery_mode_time)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 255 and (fault := fault_octet(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after whole-seconds then low-bits 8 then known-delivery-mode: ' + fault,
                                        row_x_basic_delivery_mode_time,
                                    ),
                                )
                            elif to_basic_delivery_mode is not None:
                                too_late(
                                    notes,
                                    row_x_basic_delivery_mode_time,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.delivery_mode',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_delivery_mode = made
                                taken.append((row_x_basic_delivery_mode_time, label, None, None))
                        continue
                    if (  # x-basic-priority, rabbitmq-4.0.toml
                        label == 'x-basic-priority'
                        and first
                        and type_ in {'ubyte', 'ushort', 'uint', 'ulong', 'byte', 'short', 'int', 'long', 'char'}
                    ):
                        made = via_low_bits_8(typed.value)
                        if type(made) is not int:
                            notes.lost.append((path('message_annotations', label), type_, made.reason, row_x_basic_priority))
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 255 and (fault := fault_octet(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after low-bits 8: ' + fault,
                                        row_x_basic_priority,
                                    ),
                                )
                            elif to_basic_priority is not None:
                                too_late(
                                    notes,
                                    row_x_basic_priority,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.priority',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_priority = made
                                taken.append((row_x_basic_priority, label, None, None))
                        continue
                    if (  # x-basic-priority-time, rabbitmq-4.0.toml
                        label == 'x-basic-priority'
                        and first
                        and type_ == 'timestamp'
                    ):
                        made = via_whole_seconds_then_low_bits_8(typed.value)
                        if type(made) is not int:
                            notes.lost.append(
                                (path('message_annotations', label), type_, made.reason, row_x_basic_priority_time)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if not 0 <= made <= 255 and (fault := fault_octet(made)) is not None:
                                notes.lost.append(
                                    (
                                        path('message_annotations', label),
                                        type_,
                                        'after whole-seconds then low-bits 8: ' + fault,
                                        row_x_basic_priority_time,
                                    ),
                                )
                            elif to_basic_priority is not None:
                                too_late(
                                    notes,
                                    row_x_basic_priority_time,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.priority',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_priority = made
                                taken.append((row_x_basic_priority_time, label, None, None))
                        continue
                    if (  # x-basic-expiration, rabbitmq-4.0.toml
                        label == 'x-basic-expiration'
                        and first
                        and type_ == 'string'
                        and (
                            len(typed.value) < 12 and typed.value.isascii() and typed.value.isdecimal()
                            or when_number_0_315360000000(typed.value)
                        )
                    ):
                        if (
                            not (len(typed.value) < 256 and typed.value.isascii() and '\x00' not in typed.value)
                            and (fault := fault_shortstr(typed.value)) is not None
                        ):
                            notes.lost.append((path('message_annotations', label), type_, fault, row_x_basic_expiration))
                        elif to_basic_expiration is not None:
                            too_late(
                                notes,
                                row_x_basic_expiration,
                                path('message_annotations', label),
                                type_,
                                'basic.expiration',
                                None,
                                label,
                            )
                        else:
                            to_basic_expiration = typed.value
                            taken.append((row_x_basic_expiration, label, None, None))
                        continue
                    if (  # x-basic-expiration-other, rabbitmq-4.0.toml
                        label == 'x-basic-expiration'
                        and first
                        and type_ in {'symbol', 'binary', 'uuid'}
                        and when_number_0(typed.value)
                    ):
                        made = via_text(typed.value)
                        if type(made) is not str:
                            notes.lost.append(
                                (path('message_annotations', label), type_, made.reason, row_x_basic_expiration_other)
                            )
                            made = made.value if type(made) is Partial else None
                        if made is not None:
                            if (
                                not (len(made) < 256 and made.isascii() and '\x00' not in made)
                                and (fault := fault_shortstr(made)) is not None
                            ):
                                notes.lost.append(
                                    (path('message_annotations', label), type_, fault, row_x_basic_expiration_other)
                                )
                            elif to_basic_expiration is not None:
                                too_late(
                                    notes,
                                    row_x_basic_expiration_other,
                                    path('message_annotations', label),
                                    type_,
                                    'basic.expiration',
                                    None,
                                    label,
                                )
                            else:
                                to_basic_expiration = made
                                taken.append((row_x_basic_expiration_other, label, None, None))
                        continue
                    if label == 'x-routing-key':  # x-routing-key, rabbitmq-4.0.toml
                        taken.append((row_x_routing_key, label, None, None))
                        continue
                    if label == 'x-exchange':  # x-exchange, rabbitmq-4.0.toml
                        taken.append((row_x_exchange, label, None, None))
                        continue
                    if label == 'x-death':  # x-death, rabbitmq-4.0.toml
                        taken.append((row_x_death, label, None, None))
                        continue
                if type(label) is str and 'x-basic-' <= label < 'x-basic.':  # x-basic-other, rabbitmq-4.0.toml
                    taken.append((row_x_basic_other, label, None, None))
                elif (  # deaths, rabbitmq-4.0.toml
                    label == 'x-opt-deaths'
                    and type_ == 'array'
                    and (made := via_deaths(typed.value)) is not NOT_MINE
                ):
                    if (fault := fault_array(made)) is not None:
                        notes.lost.append((path('message_annotations', label), type_, fault, row_deaths))
                    elif 'x-death' in filled_basic_headers:
                        too_late(
                            notes, row_deaths, path('message_annotations', label), type_, 'basic.headers', 'x-death', label
                        )
                    else:
                        to_basic_headers.append(Entry('x-death', 'array', made))
                        filled_basic_headers.add('x-death')
                        taken.append((row_deaths, label, 'x-death', None))
                elif label == 'x-opt-deaths':  # deaths-other, rabbitmq-4.0.toml
                    taken.append((row_deaths_other, label, None, None))
                elif label == 'x-opt-rabbitmq-received-time' and type_ == 'timestamp':  # received-time, rabbitmq-4.0.toml
                    if 'timestamp_in_ms' in filled_basic_headers:
                        too_late(
                            notes,
                            row_received_time,
                            path('message_annotations', label),
                            type_,
                            'basic.headers',
                            'timestamp_in_ms',
                            label,
                        )
                    else:
                        to_basic_headers.append(Entry('timestamp_in_ms', 'long', typed.value))
                        filled_basic_headers.add('timestamp_in_ms')
                        taken.append((row_received_time, label, 'timestamp_in_ms', None))
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
                        notes.lost.append((path('message_annotations', label), type_, 'its key is ' + fault, row_annotation_x))
                    elif label in filled_basic_headers:
                        too_late(
                            notes, row_annotation_x, path('message_annotations', label), type_, 'basic.headers', label, label
                        )
                    else:
                        to_basic_headers.append(made)
                        filled_basic_headers.add(label)
                        taken.append((row_annotation_x, label, label, by))
                else:
                    notes.lost.append((path('message_annotations', label), type_, 'no row takes it', None))
        correlation_id: TypedValue | None = properties.correlation_id
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            if (  # correlation-id-shortstr, rabbitmq-4.0.toml
                type_ == 'string'
                and not (len(value) > 63 and when_longer_than_255(value))
            ):
                if (
                    not (len(value) < 256 and value.isascii() and '\x00' not in value)
                    and (fault := fault_shortstr(value)) is not None
                ):
                    notes.lost.append(('properties.correlation_id', type_, fault, row_correlation_id_shortstr))
                else:
                    to_basic_correlation_id = value
                    taken.append(row_correlation_id_shortstr)
            elif type_ == 'string':  # correlation-id-long, rabbitmq-4.0.toml
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
            else:
                notes.lost.append(('properties.correlation_id', type_, 'no row takes it', None))
        message_id: TypedValue | None = properties.message_id
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            if (  # message-id-shortstr, rabbitmq-4.0.toml
                type_ == 'string'
                and not (len(value) > 63 and when_longer_than_255(value))
            ):
                if (
                    not (len(value) < 256 and value.isascii() and '\x00' not in value)
                    and (fault := fault_shortstr(value)) is not None
                ):
                    notes.lost.append(('properties.message_id', type_, fault, row_message_id_shortstr))
                else:
                    to_basic_message_id = value
                    taken.append(row_message_id_shortstr)
            elif type_ == 'string':  # message-id-long, rabbitmq-4.0.toml
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
            else:
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
            else:
                notes.lost.append(('properties.user_id', 'binary', 'no row takes it', None))
        to: Any = properties.to
        if to is not None:
            # to, amqp10_to_amqp091.toml
            taken.append(row_to)
        subject: Any = properties.subject
        if subject is not None:
            # subject, amqp10_to_amqp091.toml
            taken.append(row_subject)
        reply_to: str | None = properties.reply_to
        if reply_to is not None:
            if not (len(reply_to) > 63 and when_longer_than_255(reply_to)):  # reply-to, rabbitmq-4.3.toml
                made = via_queue_of_address(reply_to)
                if type(made) is not str:
                    notes.lost.append(('properties.reply_to', 'string', made.reason, row_reply_to))
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (
                        not (len(made) < 256 and made.isascii() and '\x00' not in made)
                        and (fault := fault_shortstr(made)) is not None
                    ):
                        notes.lost.append(('properties.reply_to', 'string', fault, row_reply_to))
                    else:
                        to_basic_reply_to = made
                        taken.append(row_reply_to)
            else:
                notes.lost.append(('properties.reply_to', 'string', 'no row takes it', None))
        content_type: str | None = properties.content_type
        if content_type is not None:
            # content-type, amqp10_to_amqp091.toml
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
            # content-encoding, amqp10_to_amqp091.toml
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
            # absolute-expiry-time, amqp10_to_amqp091.toml
            taken.append(row_absolute_expiry_time)
        creation_time: int | None = properties.creation_time
        if creation_time is not None:
            # creation-time, amqp10_to_amqp091.toml
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
            if not (len(group_id) > 63 and when_longer_than_255(group_id)):  # group-id, rabbitmq-4.0.toml
                if (
                    not (len(group_id) < 256 and group_id.isascii() and '\x00' not in group_id)
                    and (fault := fault_shortstr(group_id)) is not None
                ):
                    notes.lost.append(('properties.group_id', 'string', fault, row_group_id))
                else:
                    to_basic_app_id = group_id
                    taken.append(row_group_id)
            else:
                notes.lost.append(('properties.group_id', 'string', 'no row takes it', None))
        group_sequence: Any = properties.group_sequence
        if group_sequence is not None:
            # group-sequence, amqp10_to_amqp091.toml
            taken.append(row_group_sequence)
        reply_to_group_id: Any = properties.reply_to_group_id
        if reply_to_group_id is not None:
            # reply-to-group-id, amqp10_to_amqp091.toml
            taken.append(row_reply_to_group_id)
        application_properties: list[Any] | None = source.application_properties
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                # application-property, amqp10_to_amqp091.toml
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
                        notes, row_application_property, path('application_properties', key), type_, 'basic.headers', key, key
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
            elif type(body) is Data:  # body-data, rabbitmq-4.0.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
                taken.append(row_body_data)
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
        )
        return Message(to_basic, to_payload, None, None)

    return amqp_1_0_to_amqp_0_9_1

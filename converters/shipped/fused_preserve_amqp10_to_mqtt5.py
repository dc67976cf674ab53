"""amqp-1.0 -> mqtt-5.0, from amqp10_to_mqtt5.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES, refused
from mqconvert.converters.environment import Environment
import mqconvert.converters.model.base64text
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.entries import by_key
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
    write_u32,
    write_u8,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp10.codec as source_codec
from mqconvert.converters.protocols.amqp10.message import Message as Source
import mqconvert.converters.protocols.amqp10.words.annotations
import mqconvert.converters.protocols.amqp10.words.properties
import mqconvert.converters.protocols.amqp10.words.sections
import mqconvert.converters.protocols.amqp10.words.textforms
import mqconvert.converters.protocols.mqtt5.codec as target_codec
from mqconvert.converters.words import CONDITIONS, TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.conditions
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['mqtt-5.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    row_address_refused: Any = rows['address-refused']
    when_property_is_2: Any = CONDITIONS['property-is 2'].function
    when_in_whole_seconds: Any = CONDITIONS['in-whole-seconds'].function
    fault_uint: Any = types['uint'].fault
    via_type_beside: Any = TRANSFORMS['type-beside'].function
    key_fault_utf8: Any = types['utf8-pairs'].key_fault
    via_text_form: Any = TRANSFORMS['text-form'].function
    via_id_text: Any = TRANSFORMS['id-text'].function
    via_to_base64: Any = TRANSFORMS['to-base64'].function
    via_address_to_topic: Any = TRANSFORMS['address-to-topic'].function
    via_exchange_address_to_topic: Any = TRANSFORMS['exchange-address-to-topic'].function
    fault_binary: Any = types['binary'].fault
    via_id_octets: Any = TRANSFORMS['id-octets'].function
    via_octets: Any = TRANSFORMS['octets'].function
    via_uuid_to_urn_then_octets: Any = TRANSFORMS['uuid-to-urn then octets'].function
    via_read_ubyte: Any = TRANSFORMS['read ubyte'].function
    fault_bit: Any = types['bit'].fault
    via_read_uint: Any = TRANSFORMS['read uint'].function
    keys_application_properties: Any = frozenset(
        [
            'mqtt-content-type',
            'mqtt-message-expiry-interval',
            'mqtt-payload-format-indicator',
            'mqtt-qos',
            'mqtt-response-topic',
            'mqtt-retain',
        ],
    )
    via_body_octets: Any = TRANSFORMS['body-octets'].function
    when_value_of_binary: Any = CONDITIONS['value-of binary'].function
    when_value_of_string: Any = CONDITIONS['value-of string'].function
    via_amqp_encoded_body: Any = TRANSFORMS['amqp-encoded-body'].function

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        durable: Any = None
        priority: Any = None
        ttl: int | None = None
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
        application_properties: list[Any] | None = None
        body: Any = None
        footer: list[Any] | None = None
        address: Any
        after: i64
        at: i64 = 0
        code: i64
        complete: bool = True
        count: i64
        end: i64
        fault: str | None
        index_application_properties: Any
        key: str
        kind: i64
        label: Any
        last: i64 = 0
        made: Any
        name: Any
        number: int
        raw: bytes
        stop: i64
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
                application_properties, at = source_codec.read_entries('application_properties', 0xa1, data, at, room)
            elif kind <= 0x77:
                body, at = source_codec.read_body(kind, body, data, at, room)
            elif kind <= 0x78:
                footer, at = source_codec.read_entries('footer', 0xa3, data, at, room)
            last = kind
        if at > end or not end:
            return None
        index_application_properties = by_key(application_properties)
        used_footer = False
        to_topic_name = None
        to_qos = None
        to_user_properties = Writer()
        to_message_expiry_interval = None
        to_response_topic = None
        to_correlation_data = None
        to_content_type = None
        to_retain = None
        to_payload_format_indicator = None
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
            if when_property_is_2(durable, index_application_properties.get('mqtt-qos')):  # qos-kept, preserve.toml
                pass
            else:  # durable, amqp10_to_mqtt5.toml
                if to_qos is not None:
                    complete = False
                else:
                    to_qos = 1 if durable else 0
        else:  # durable-absent, amqp10_to_mqtt5.toml
            to_qos = 0
        if priority is not None:
            # priority, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-priority', str(priority))
        if ttl is not None:
            if not when_in_whole_seconds(ttl):  # ttl-exact, preserve.toml
                target_codec.write_user_property(to_user_properties, 'amqp-ttl', str(ttl))
            # ttl, preserve.toml
            number = ttl // 1000
            if (
                not 0 <= number <= 4294967295 and (fault := fault_uint(number)) is not None
                or to_message_expiry_interval is not None
            ):
                complete = False
            else:
                to_message_expiry_interval = number
        if first_acquirer is not None:
            # first-acquirer, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-first-acquirer', 'true' if first_acquirer else 'false')
        if delivery_count is not None:
            # delivery-count, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-delivery-count', str(delivery_count))
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
                took = False
                if label == 'x-basic-type' and type_ == 'string':  # basic-type, preserve.toml
                    if (
                        not (len(value) < 65536 and value.isascii() and '\x00' not in value)
                        and (fault := fault_utf8(value)) is not None
                    ):
                        complete = False
                    else:
                        target_codec.write_user_property(to_user_properties, 'amqp-type', value)
                else:
                    if (  # annotation-type, preserve.toml
                        type(label) is str
                        and 'x-' <= label < 'x.'
                        and (made := via_type_beside(value, type_)) is not NOT_MINE
                    ):
                        took = True
                        if (
                            not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                            and (fault := fault_utf8(made)) is not None
                        ):
                            complete = False
                        else:
                            name = 'amqp-type.x-' + label[2:]
                            if (
                                not (len(name) < 65536 and name.isascii() and '\x00' not in name)
                                and (fault := key_fault_utf8(name)) is not None
                            ):
                                complete = False
                            else:
                                target_codec.write_user_property(to_user_properties, name, made)
                    if type(label) is str and 'x-' <= label < 'x.':  # annotation-x, preserve.toml
                        made = via_text_form(value, type_)
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
                                    not (len(label) < 65536 and label.isascii() and '\x00' not in label)
                                    and (fault := key_fault_utf8(label)) is not None
                                )
                            ):
                                complete = False
                            else:
                                target_codec.write_user_property(to_user_properties, label, made)
                    elif not took:
                        complete = False
            if at != stop:
                return None
            room.levels += 1
        if message_id is not None:
            type_, value = message_id.type, message_id.value
            if type_ == 'string' and value.startswith('urn:uuid:'):  # message-id-urn, preserve.toml
                target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-message-id', 'string')
            if (made := via_type_beside(value, type_)) is not NOT_MINE:  # message-id-type, preserve.toml
                if (
                    not (len(made) < 65536 and made.isascii() and '\x00' not in made)
                    and (fault := fault_utf8(made)) is not None
                ):
                    complete = False
                else:
                    target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-message-id', made)
            # message-id, preserve.toml
            made = via_id_text(value, type_)
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
        if user_id is not None:
            # user-id, preserve.toml
            text = via_to_base64(user_id)
            if not (len(text) < 65536 and text.isascii() and '\x00' not in text) and (fault := fault_utf8(text)) is not None:
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-user-id', text)
        if to is not None:
            if (  # to-topic, preserve.toml
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
            # to, preserve.toml
            if not (len(to) < 65536 and to.isascii() and '\x00' not in to) and (fault := fault_utf8(to)) is not None:
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-to', to)
        if subject is not None:
            # subject, preserve.toml
            if (
                not (len(subject) < 65536 and subject.isascii() and '\x00' not in subject)
                and (fault := fault_utf8(subject)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-subject', subject)
        if reply_to is not None:
            if (  # response-topic-kept, preserve.toml
                index_application_properties.get('mqtt-response-topic') is not None
                and index_application_properties.get('mqtt-response-topic') is not False
            ):
                pass
            elif (  # reply-to, amqp10_to_mqtt5.toml
                made := via_exchange_address_to_topic(reply_to, environment.mqtt_exchange)
            ) is not NOT_MINE:
                if type(made) is not str:
                    complete = False
                    made = made.value if type(made) is Partial else None
                if made is not None:
                    if (fault := fault_topic(made)) is not None or to_response_topic is not None:
                        complete = False
                    else:
                        to_response_topic = made
            else:  # reply-to-other, preserve.toml
                if (
                    not (len(reply_to) < 65536 and reply_to.isascii() and '\x00' not in reply_to)
                    and (fault := fault_utf8(reply_to)) is not None
                ):
                    complete = False
                else:
                    target_codec.write_user_property(to_user_properties, 'amqp-reply-to', reply_to)
        if correlation_id is not None:
            type_, value = correlation_id.type, correlation_id.value
            took = False
            if type_ == 'string':  # correlation-id-text, preserve.toml
                took = True
                target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-correlation-id', 'string')
            if type_ == 'binary' and value.startswith(b'urn:uuid:'):  # correlation-id-urn, preserve.toml
                took = True
                target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-correlation-id', 'binary')
            if type_ == 'ulong':  # correlation-id-type, preserve.toml
                took = True
                target_codec.write_user_property(to_user_properties, 'amqp-type.amqp-correlation-id', 'ulong')
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
            elif not took:
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
            # content-encoding, preserve.toml
            if (
                not (len(content_encoding) < 65536 and content_encoding.isascii() and '\x00' not in content_encoding)
                and (fault := fault_utf8(content_encoding)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-content-encoding', content_encoding)
        if absolute_expiry_time is not None:
            # absolute-expiry-time, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-absolute-expiry-time', str(absolute_expiry_time))
        if creation_time is not None:
            # creation-time, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-creation-time', str(creation_time))
        if group_id is not None:
            # group-id, preserve.toml
            if (
                not (len(group_id) < 65536 and group_id.isascii() and '\x00' not in group_id)
                and (fault := fault_utf8(group_id)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-group-id', group_id)
        if group_sequence is not None:
            # group-sequence, preserve.toml
            target_codec.write_user_property(to_user_properties, 'amqp-group-sequence', str(group_sequence))
        if reply_to_group_id is not None:
            # reply-to-group-id, preserve.toml
            if (
                not (len(reply_to_group_id) < 65536 and reply_to_group_id.isascii() and '\x00' not in reply_to_group_id)
                and (fault := fault_utf8(reply_to_group_id)) is not None
            ):
                complete = False
            else:
                target_codec.write_user_property(to_user_properties, 'amqp-reply-to-group-id', reply_to_group_id)
        if application_properties is not None:
            for typed in application_properties:
                key, type_ = typed.key, typed.type
                if 'mqtt-' <= key < 'mqtt.' and key in keys_application_properties:
                    if key == 'mqtt-qos' and type_ == 'string' and typed.value == '2':  # mqtt-qos, preserve.toml
                        if to_qos is not None:
                            complete = False
                        else:
                            to_qos = 2
                        continue
                    if (  # mqtt-retain, preserve.toml
                        key == 'mqtt-retain'
                        and type_ == 'string'
                        and (made := via_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if not 0 <= made <= 1 and (fault := fault_bit(made)) is not None or to_retain is not None:
                            complete = False
                        else:
                            to_retain = made
                        continue
                    if (  # mqtt-payload-format, preserve.toml
                        key == 'mqtt-payload-format-indicator'
                        and type_ == 'string'
                        and (made := via_read_ubyte(typed.value)) is not NOT_MINE
                    ):
                        if (
                            not 0 <= made <= 1 and (fault := fault_bit(made)) is not None
                            or to_payload_format_indicator is not None
                        ):
                            complete = False
                        else:
                            to_payload_format_indicator = made
                        continue
                    if (  # mqtt-message-expiry-interval, preserve.toml
                        key == 'mqtt-message-expiry-interval'
                        and type_ == 'string'
                        and (made := via_read_uint(typed.value)) is not NOT_MINE
                    ):
                        if to_message_expiry_interval is not None:
                            complete = False
                        else:
                            to_message_expiry_interval = made
                        continue
                    if key == 'mqtt-response-topic' and type_ == 'string':  # mqtt-response-topic, preserve.toml
                        if (fault := fault_topic(typed.value)) is not None or to_response_topic is not None:
                            complete = False
                        else:
                            to_response_topic = typed.value
                        continue
                    if key == 'mqtt-content-type' and type_ == 'string':  # mqtt-content-type, preserve.toml
                        if (
                            (
                                not (len(typed.value) < 65536 and typed.value.isascii() and '\x00' not in typed.value)
                                and (fault := fault_utf8(typed.value)) is not None
                            )
                            or to_content_type is not None
                        ):
                            complete = False
                        else:
                            to_content_type = typed.value
                        continue
                if (made := via_type_beside(typed.value, type_)) is not NOT_MINE:  # application-property-type, preserve.toml
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
                # application-property, preserve.toml
                made = via_text_form(typed.value, type_)
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
        if body is not None:
            if type(body) is Data:  # body-data, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
            elif type(body) is AmqpValue and when_value_of_binary(body):  # body-binary, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
            elif type(body) is AmqpValue and when_value_of_string(body):  # body-string, amqp10_to_mqtt5.toml
                to_payload = body.sections[0] if type(body) is Data and len(body.sections) == 1 else via_body_octets(body)
                if to_payload_format_indicator is not None:
                    complete = False
                to_payload_format_indicator = 1
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

"""mqtt-5.0 -> amqp-1.0, from mqtt5_to_amqp10.toml: `make generate` writes it."""

from typing import Any
from mqconvert.converters.engine.notes import Notes
from mqconvert.converters.engine.rules import RuleTable
from mqconvert.converters.engine.runtime import NAMES
from mqconvert.converters.environment import Environment
from mqconvert.converters.model.entries import Keys
from mqconvert.converters.model.native import i64
from mqconvert.converters.model.plain import unicode_fault as fault_string
from mqconvert.converters.model.primitives import (
    Writer,
    ended,
    is_text,
    put_sizes,
    read_u32,
    write_u32,
    write_u64,
    write_u8,
    write_varied_octets,
    write_varied_text,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.protocols import PROTOCOLS
import mqconvert.converters.protocols.amqp10.codec as target_codec
import mqconvert.converters.protocols.mqtt5.codec as source_codec
from mqconvert.converters.protocols.mqtt5.message import Message as Source
from mqconvert.converters.words import TRANSFORMS
from mqconvert.converters.words.answers import Partial
import mqconvert.converters.words.phrases
import mqconvert.converters.words.transforms


def bind(table: RuleTable) -> Any:
    rows: Any = table.by_id
    types: Any = PROTOCOLS['amqp-1.0'].named
    NOT_MINE: Any = NAMES['NOT_MINE']
    via_topic_to_routing_key_then_key_to_address: Any = TRANSFORMS['topic-to-routing-key then key-to-address'].function
    via_key_to_address: Any = TRANSFORMS['key-to-address'].function
    via_loose_urn_to_uuid: Any = TRANSFORMS['loose-urn-to-uuid'].function
    fault_uuid: Any = types['uuid'].fault
    key_fault_symbol: Any = types['annotations'].key_fault
    key_fault_string: Any = types['application-properties'].key_fault

    def transcode(data: bytes, environment: Environment) -> tuple[bytes, bool] | None:
        dup: int = 0
        qos: int | None = 0
        retain: int = 0
        topic_name: str = ''
        packet_identifier: Any = None
        payload_format_indicator: Any = None
        message_expiry_interval: Any = None
        topic_alias: Any = None
        response_topic: str | None = None
        correlation_data: bytes | None = None
        user_properties: i64 = 0
        subscription_identifiers: list[Any] | None = None
        content_type: str | None = None
        payload: bytes = b''
        after: i64
        all_subscription_identifiers: list[Any]
        at: i64 = 0
        complete: bool = True
        count: i64
        end: i64
        fault: str | None
        filled_application_properties: Keys
        filled_message_annotations: Keys
        key: str
        known: TypedValue
        made: Any
        number: int
        octets: bytes
        place: i64
        size: i64
        tag: i64
        text: str
        to_application_properties: Writer
        to_body: Any
        to_header_durable: Any
        to_message_annotations: Writer
        to_properties_content_type: Any
        to_properties_correlation_id: Any
        to_properties_reply_to: Any
        type_: str
        value: Any
        value_at: i64
        whole: int
        dup, qos, retain, topic_name, packet_identifier, at, end = source_codec.read_head(data, 0)
        if end != len(data):
            return None
        size, at = source_codec.read_varint(data, at, end)
        end = at + size
        if end > len(data):
            return None
        payload = data[end:]
        all_subscription_identifiers = []
        while at < end:
            tag = data[at]
            if tag == 0x26:
                if user_properties:
                    return None
                user_properties = at
                while at < end and data[at] == 0x26:
                    at += 3 + (data[at + 1] << 8 | data[at + 2])
                    at += 2 + (data[at] << 8 | data[at + 1])
            elif tag == 0x23 and topic_alias is None:
                number = data[at + 1] << 8 | data[at + 2]
                if not number:
                    break
                topic_alias = number
                at += 3
            elif tag == 0x0b:
                number, after = source_codec.read_varint(data, at + 1, end)
                if not number:
                    break
                all_subscription_identifiers.append(number)
                at = after
            elif tag == 0x09 and correlation_data is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                correlation_data = data[at + 3:after]
                at = after
            elif tag == 0x08 and response_topic is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if not text or '\x00' in text or '+' in text or '#' in text:
                    break
                response_topic = text
                at = after
            elif tag == 0x03 and content_type is None:
                after = at + 3 + (data[at + 1] << 8 | data[at + 2])
                text = data[at + 3:after].decode()
                if '\x00' in text:
                    break
                content_type = text
                at = after
            elif tag == 0x02 and message_expiry_interval is None:
                message_expiry_interval = read_u32(data, at + 1)
                at += 5
            elif tag == 0x01 and payload_format_indicator is None:
                number = data[at + 1]
                if number > 1:
                    break
                payload_format_indicator = number
                at += 2
            else:
                break
        if all_subscription_identifiers:
            subscription_identifiers = all_subscription_identifiers
        if at != end or not topic_name and topic_alias is None:
            return None
        room = target_codec.Room()
        room.levels -= 1
        to_header_durable = None
        to_properties_reply_to = None
        to_properties_correlation_id = None
        to_message_annotations = Writer()
        filled_message_annotations = Keys()
        to_application_properties = Writer()
        filled_application_properties = Keys()
        to_properties_content_type = None
        to_body = None
        if dup != 0:
            # dup, mqtt5_to_amqp10.toml
            complete = False
        if qos is not None:
            # qos, mqtt5_to_amqp10.toml
            to_header_durable = qos >= 1
        if retain != 0:
            # retain, mqtt5_to_amqp10.toml
            complete = False
        if payload_format_indicator is not None:
            # payload-format-indicator, mqtt5_to_amqp10.toml
            complete = False
        if message_expiry_interval is not None:
            # message-expiry-interval, rabbitmq-4.0.toml
            complete = False
        if topic_alias is not None:
            # topic-alias, mqtt5_to_amqp10.toml
            complete = False
        if response_topic is not None:
            # response-topic, mqtt5_to_amqp10.toml
            made = (
                via_key_to_address(response_topic.replace('/', '.').replace('+', '*'), environment.mqtt_exchange)
                if '.' not in response_topic and '*' not in response_topic
                else via_topic_to_routing_key_then_key_to_address(response_topic, environment.mqtt_exchange)
            )
            if type(made) is not str:
                complete = False
                made = made.value if type(made) is Partial else None
            if made is not None:
                if not made.isascii() and (fault := fault_string(made)) is not None:
                    complete = False
                else:
                    to_properties_reply_to = made
        if correlation_data is not None:
            if (made := via_loose_urn_to_uuid(correlation_data)) is not NOT_MINE:  # correlation-data-uuid, rabbitmq-4.0.toml
                if (fault := fault_uuid(made)) is not None:
                    complete = False
                else:
                    to_properties_correlation_id = TypedValue('uuid', made)
            else:  # correlation-data, mqtt5_to_amqp10.toml
                to_properties_correlation_id = TypedValue('binary', correlation_data)
        if user_properties:
            at = user_properties
            while at < end and data[at] == 0x26:
                value_at = at + 3 + (data[at + 1] << 8 | data[at + 2])
                after = value_at + 2 + (data[value_at] << 8 | data[value_at + 1])
                key = data[at + 3:value_at].decode()
                if '\x00' in key or not is_text(data, value_at + 2, after):
                    return None
                at = after
                if 'x-' <= key < 'x.':  # user-property-x, mqtt5_to_amqp10.toml
                    if not key.isascii() and (fault := key_fault_symbol(key)) is not None or key in filled_message_annotations:
                        complete = False
                    else:
                        target_codec.write_key(to_message_annotations, 0xa3, key, room)
                        write_varied_octets(to_message_annotations, 0xa1, data, value_at + 2, after)
                        filled_message_annotations.add(key)
                else:  # user-property, mqtt5_to_amqp10.toml
                    if (
                        not key.isascii() and (fault := key_fault_string(key)) is not None
                        or key in filled_application_properties
                    ):
                        complete = False
                    else:
                        target_codec.write_key(to_application_properties, 0xa1, key, room)
                        write_varied_octets(to_application_properties, 0xa1, data, value_at + 2, after)
                        filled_application_properties.add(key)
        if subscription_identifiers:
            complete = False
        if content_type is not None:
            if content_type.isascii():  # content-type, mqtt5_to_amqp10.toml
                to_properties_content_type = content_type
            else:
                complete = False
        # payload, mqtt5_to_amqp10.toml
        to_body = payload
        out = Writer()
        room.levels += 1
        octets = b''
        if to_header_durable is not None:
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
            if count:
                put_sizes(out, place, 0xd0, count)
            else:
                out.truncate(place)
                out.write(b'E')
        if len(to_message_annotations):
            target_codec.write_entries(out, 0x72, to_message_annotations, len(filled_message_annotations))
        if (
            to_properties_reply_to is not None
            or to_properties_correlation_id is not None
            or to_properties_content_type is not None
        ):
            count = 0
            out.write(b'\x00Ss')
            place = len(out)
            out.write(b'\xc0\x00\x00')
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
            if count:
                put_sizes(out, place, 0xd0, count)
            else:
                out.truncate(place)
                out.write(b'E')
        if len(to_application_properties):
            target_codec.write_entries(out, 0x74, to_application_properties, len(filled_application_properties))
        if to_body is not None:
            if type(to_body) is bytes:
                octets = target_codec.write_data(out, to_body)
            else:
                octets = target_codec.write_body(out, to_body, room)
        return ended(out, octets, b''), complete

    return transcode

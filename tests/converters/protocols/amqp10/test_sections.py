"""The sections on the wire, which codec and layout take from the fields of a message, are those of the specification."""

from mqconvert.converters.protocols.amqp10.sections import SECTIONS
from mqconvert.messages import amqp10


def test_sections_have_the_descriptors_of_the_specification() -> None:
    assert [(section.code, section.symbol) for section in SECTIONS] == [
        (0x70, "amqp:header:list"),
        (0x71, "amqp:delivery-annotations:map"),
        (0x72, "amqp:message-annotations:map"),
        (0x73, "amqp:properties:list"),
        (0x74, "amqp:application-properties:map"),
        (0x75, "amqp:data:binary"),
        (0x76, "amqp:amqp-sequence:list"),
        (0x77, "amqp:amqp-value:*"),
        (0x78, "amqp:footer:map"),
    ]


def test_a_section_is_a_list_of_fields_or_a_map_or_a_part_of_the_body() -> None:
    lists = {section.name: section.of for section in SECTIONS if section.of is not None}
    keys = {section.name: section.keys for section in SECTIONS if section.keys}
    assert lists == {"header": amqp10.Header, "properties": amqp10.Properties}
    assert keys == {
        "delivery_annotations": 0xA3,
        "message_annotations": 0xA3,
        "application_properties": 0xA1,
        "footer": 0xA3,
    }
    assert {section.name for section in SECTIONS} - lists.keys() - keys.keys() == {"body"}

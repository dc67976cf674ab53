"""The wire types of MQTT (5.0 section 1.5), of both its versions."""

from mqconvert.converters.model.compound import EntriesType
from mqconvert.converters.model.plain import PAYLOAD, TOPICS, BytesType, IntegerType, TextType, topic_fault, utf8_fault
from mqconvert.converters.model.wiretypes import wire_types

UTF8 = TextType(
    "utf8",
    utf8_fault,
    quick="len({0}) < 65536 and {0}.isascii() and '\\0' not in {0}",
    limits={"maxLength": 65535, "pattern": "^[^\\u0000]*$"},
)
TOPIC = TextType("topic", topic_fault, TOPICS, limits={"maxLength": 65535, "pattern": "^[^\\u0000+#]+$"}, empty_is_unset=True)
VARINT = IntegerType("varint", 0, 268_435_455)

MQTT_TYPES = wire_types(
    IntegerType("bit", 0, 1, samples=[("0", 0), ("1", 1)]),
    IntegerType("bits", 0, 2, samples=[("0", 0), ("1", 1), ("2", 2)]),
    IntegerType("byte", 0, 2**8 - 1),
    IntegerType("ushort", 0, 2**16 - 1),
    IntegerType("uint", 0, 2**32 - 1),
    VARINT,
    UTF8,
    TOPIC,
    BytesType("binary", most=65535),
    PAYLOAD,
)
"""`bit` is a flag of the fixed header, or the Payload Format Indicator, a byte of 0 or 1 (3.3.2.3.2); `bits` is the QoS, which
must not be 3 [MQTT-3.3.1-4]; `topic` is a UTF-8 string that is a topic name.
"""

USER_PROPERTIES = EntriesType("utf8-pairs", UTF8, UTF8)
SUBSCRIPTION_IDENTIFIERS = EntriesType("varints", None, VARINT)

"""The wire types of AMQP 0.9.1: those of field-table values, by RabbitMQ's names, and those of the Basic class's properties."""

from mqconvert.converters.model.compound import DecimalType, ListType, TableType
from mqconvert.converters.model.plain import (
    PAYLOAD,
    TIMES,
    BooleanType,
    BytesType,
    ByteTextType,
    FloatType,
    IntegerType,
    NullType,
    ShortTextType,
)
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.model.wiretypes import wire_types

_TRUE = TypedValue("bool", True)
_BYTES = (("1", 1), ("2", 2), ("0", 0), ("over 2", 255))

SHORTSTR = ShortTextType("shortstr")
TABLE = TableType("table", SHORTSTR, [("", [Entry("k", "bool", True)])])

AMQP091_TYPES = wire_types(
    BooleanType("bool"),
    IntegerType("byte", -(2**7), 2**7 - 1),
    IntegerType("unsignedbyte", 0, 2**8 - 1),
    IntegerType("short", -(2**15), 2**15 - 1),
    IntegerType("unsignedshort", 0, 2**16 - 1),
    IntegerType("signedint", -(2**31), 2**31 - 1),
    IntegerType("unsignedint", 0, 2**32 - 1),
    IntegerType("long", -(2**63), 2**63 - 1),
    FloatType("float"),
    FloatType("double"),
    DecimalType("decimal"),
    ByteTextType("longstr"),
    BytesType("binary"),
    ListType("array", [("", [_TRUE])]),
    IntegerType("timestamp", 0, 2**64 - 1, samples=TIMES),
    TABLE,
    NullType("void"),
    IntegerType("octet", 0, 2**8 - 1, samples=_BYTES, in_entries=False),
    SHORTSTR,
    PAYLOAD,
    shorthand={
        "null": ("void",),
        "boolean": ("bool",),
        "integer": ("signedint", "long"),
        "number": ("double",),
        "string": ("longstr",),
        "array": ("array",),
        "object": ("table",),
    },
)
"""Types of field-table values (letters t b B s u I i l f d D S x A T F V), then the domains that only properties have.
Plain JSON is read in the types that pika sends.
"""

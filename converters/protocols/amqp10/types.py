"""The wire types of AMQP 1.0 (part 1 section 1.6), and those of its maps; RabbitMQ's page writes `utf8` for string."""

from mqconvert.converters.model.compound import ArrayType, DescribedType, EntriesType, ListType, MapType
from mqconvert.converters.model.plain import (
    ASCII,
    TIMES,
    BooleanType,
    BytesType,
    FloatType,
    IntegerType,
    NullType,
    TextType,
    UuidType,
    symbol_fault,
)
from mqconvert.converters.model.values import Array, Described, Entry, TypedValue
from mqconvert.converters.model.wiretypes import wire_types

_TRUE = TypedValue("boolean", True)

ULONG = IntegerType("ulong", 0, 2**64 - 1)
STRING = TextType("string")
SYMBOL = TextType("symbol", symbol_fault, quick=ASCII, limits={"pattern": "^[\\u0000-\\u007f]*$"})

AMQP10_TYPES = wire_types(
    NullType("null"),
    BooleanType("boolean"),
    IntegerType("ubyte", 0, 2**8 - 1),
    IntegerType("ushort", 0, 2**16 - 1),
    IntegerType("uint", 0, 2**32 - 1),
    ULONG,
    IntegerType("byte", -(2**7), 2**7 - 1),
    IntegerType("short", -(2**15), 2**15 - 1),
    IntegerType("int", -(2**31), 2**31 - 1),
    IntegerType("long", -(2**63), 2**63 - 1),
    FloatType("float"),
    FloatType("double"),
    BytesType("decimal32", size=4),
    BytesType("decimal64", size=8),
    BytesType("decimal128", size=16),
    IntegerType("char", 0, 0x10FFFF, samples=[("", ord("t")), ("the lowest", 0), ("the highest", 0x10FFFF)]),
    IntegerType("timestamp", -(2**63), 2**63 - 1, samples=TIMES),
    UuidType("uuid"),
    BytesType("binary"),
    STRING,
    SYMBOL,
    ListType("list", [("", [_TRUE])]),
    MapType("map", [("", [Entry(TypedValue("string", "k"), "boolean", True)])]),
    ArrayType("array", [("", Array("uint", [7]))]),
    DescribedType("described", [("", Described(TypedValue("symbol", "d"), _TRUE))]),
    shorthand={
        "null": ("null",),
        "boolean": ("boolean",),
        "integer": ("long", "ulong"),
        "number": ("double",),
        "string": ("string",),
        "array": ("list",),
        "object": ("map",),
    },
)

AMQP10_COMPOUND = tuple(name for name, type_ in AMQP10_TYPES.items() if type_.compound)
"""The compound types; all others are simple (part 3 section 3.2.5)."""

ANNOTATIONS = EntriesType("annotations", SYMBOL, number_keys=ULONG)
"""Part 3 section 3.2.10: keys are symbols, and ulong numbers, which are reserved."""

APPLICATION_PROPERTIES = EntriesType("application-properties", STRING, without=AMQP10_COMPOUND)
"""Part 3 section 3.2.5: values are of simple types."""

"""Values that carry their wire type, and what each wire type of each protocol may hold.

Only values live here: no message, no codec, no rule. The types are spelt as the specifications spell them: AMQP 1.0 part 1
section 1.6, RabbitMQ's names of the AMQP 0.9.1 field-table types, MQTT 5.0 section 1.5.

What a wire type is in Python:

* integers, timestamps: `int` (AMQP 1.0 timestamp: milliseconds since 1970, AMQP 0.9.1 timestamp: seconds)
* char: `int`, the UTF-32 code; float, double: `float`, of which a NaN keeps its bits (`float_of_single`)
* boolean, bool: `bool`; null, void: `None`
* decimal32/64/128: the `bytes` as encoded; decimal (0.9.1): `Decimal091`; uuid: 16 `bytes`
* binary, longstr: `bytes`; string, symbol, utf8: `str`
* shortstr and field-table keys: `str` in which octets that are not UTF-8 stand as surrogate escapes (PEP 383)
* list, array (0.9.1): `list` of `TypedValue`; map, table: `list` of `Entry`, in wire order
* array (1.0): `Array`; described: `Described`

Values and messages are dataclasses that write out their own `__init__`: mypyc compiles it to a tenth of the call that
`dataclass` makes, and interpreted it is the same code.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from struct import Struct
from typing import Any, NamedTuple

_SINGLE, _DOUBLE, _BITS = Struct(">f"), Struct(">d"), Struct(">Q")


def float_of_single(octets: bytes) -> float:
    """The float of 4 bytes (IEEE 754 binary32), widened to a Python float.

    A NaN keeps every bit: the processor's own widening makes a signalling NaN a quiet one.

    >>> float_of_single(bytes.fromhex("3fc00000")), single_of_float(float_of_single(bytes.fromhex("7f800001"))).hex()
    (1.5, '7f800001')
    """
    value: float = _SINGLE.unpack(octets)[0]
    if value != value:  # noqa: PLR0124 - NaN is the value that is not itself
        bits = int.from_bytes(octets)
        value = _DOUBLE.unpack(_BITS.pack((bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29))[0]
    return value


def single_of_float(value: float) -> bytes:
    """The 4 bytes of a float, rounded to binary32; of a NaN every bit that they have room for.

    OverflowError for a number that rounds to more than binary32 holds.

    >>> single_of_float(1.5).hex(), single_of_float(float("nan")).hex()
    ('3fc00000', '7fc00000')
    """
    if value == value:  # noqa: PLR0124 - as above
        return _SINGLE.pack(value)
    bits: int = _BITS.unpack(_DOUBLE.pack(value))[0]
    # A NaN whose payload lies in the low bits alone would be an infinity: it becomes the default NaN.
    payload = (bits >> 29) & 0x7F_FFFF or 0x40_0000
    return (bits >> 63 << 31 | 0xFF << 23 | payload).to_bytes(4)


def nan_bits(type_: str, value: float) -> str | None:
    """The bits of a NaN of type float or double in hex, None of the default NaN (quiet, no sign, no payload).

    >>> nan_bits("float", float("nan")), nan_bits("double", -float("nan"))
    (None, 'fff8000000000000')
    """
    bits = (single_of_float(value) if type_ == "float" else _DOUBLE.pack(value)).hex()
    return None if bits in ("7fc00000", "7ff8000000000000") else bits


def float_of_bits(type_: str, bits: str) -> float | None:
    """The NaN of type float or double whose bits these are, None where they are not 8 or 16 hex digits of a NaN.

    >>> float_of_bits("float", "3fc00000"), nan_bits("float", float_of_bits("float", "ff800001"))
    (None, 'ff800001')
    """
    if len(bits) != (8 if type_ == "float" else 16) or not _HEX.issuperset(bits):
        return None
    octets = bytes.fromhex(bits)
    value: float = float_of_single(octets) if type_ == "float" else _DOUBLE.unpack(octets)[0]
    return value if value != value else None  # noqa: PLR0124 - as above


_HEX = frozenset("0123456789abcdefABCDEF")

MAX_DEPTH = 100
"""How deep values may nest (lists, maps, tables, arrays, described values) in a message, in any protocol."""


@dataclass(init=False, slots=True, unsafe_hash=True)
class TypedValue:
    """A value whose wire type its field does not fix: ids, elements of lists, keys of maps. Treat it as immutable.

    >>> TypedValue("ubyte", 3)
    TypedValue(type='ubyte', value=3)
    """

    type: str
    value: Any

    def __init__(self, type: str, value: Any) -> None:
        self.type = type
        self.value = value


@dataclass(init=False, slots=True, unsafe_hash=True)
class Entry:
    """An entry of a map, a table, annotations or application properties. Treat it as immutable.

    `key` is text where the protocol says so (0.9.1 tables, application properties); in annotations it is text (a symbol) or a
    number (a ulong); in an AMQP 1.0 map, whose keys may be of any type, it is a `TypedValue`.

    >>> Entry("x-priority", "ubyte", 3)
    Entry(key='x-priority', type='ubyte', value=3)
    """

    key: Any
    type: str
    value: Any

    def __init__(self, key: Any, type: str, value: Any) -> None:
        self.key = key
        self.type = type
        self.value = value


@dataclass(init=False, slots=True, unsafe_hash=True)
class Described:
    """The value of a `TypedValue("described", ...)`: AMQP 1.0 part 1 section 1.5.

    >>> Described(TypedValue("symbol", "url"), TypedValue("string", "http://a")).value.value
    'http://a'
    """

    descriptor: TypedValue
    value: TypedValue

    def __init__(self, descriptor: TypedValue, value: TypedValue) -> None:
        self.descriptor = descriptor
        self.value = value


@dataclass(init=False, slots=True, unsafe_hash=True)
class Array:
    """The value of an AMQP 1.0 `TypedValue("array", ...)`: elements of one type, and descriptors that all of them share.

    >>> Array("uint", [1, 2])
    Array(of='uint', values=[1, 2], descriptors=())
    """

    of: str
    values: list[Any]
    descriptors: tuple[TypedValue, ...] = ()

    def __init__(self, of: str, values: list[Any], descriptors: tuple[TypedValue, ...] = ()) -> None:
        self.of = of
        self.values = values
        self.descriptors = descriptors


class Decimal091(NamedTuple):
    """An AMQP 0.9.1 decimal (D): `value` (0 to 2^32-1) divided by 10^`scale` (0 to 255).

    >>> Decimal091(scale=2, value=314)
    Decimal091(scale=2, value=314)
    """

    scale: int
    value: int


Table = list[Entry]


class WireType(NamedTuple):
    """What a wire type may hold. `fault(value)` is None for a value that it can hold, else the reason in words."""

    name: str
    fault: Callable[[Any], str | None]

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The lowest and the highest value of an integer type; None for any other.

        >>> AMQP10_TYPES["ubyte"].bounds, AMQP10_TYPES["string"].bounds
        ((0, 255), None)
        """
        return self.fault.args if isinstance(self.fault, partial) and self.fault.func is _integer_fault else None

    @property
    def whole(self) -> bool:
        """Whether every value of the type's Python class fits.

        >>> AMQP10_TYPES["binary"].whole, AMQP10_TYPES["symbol"].whole
        (True, False)
        """
        return self.of_class is not None

    @property
    def of_class(self) -> type | None:
        """The Python class of whose values all fit; None for a type that looks at the value, too.

        >>> AMQP10_TYPES["boolean"].of_class, AMQP10_TYPES["symbol"].of_class
        (<class 'bool'>, None)
        """
        return self.fault.args[0] if isinstance(self.fault, partial) and self.fault.func is _instance_fault else None

    @property
    def size(self) -> int | None:
        """How many octets a type of fixed size has; None for any other.

        >>> AMQP10_TYPES["uuid"].size
        16
        """
        return self.fault.args[0] if isinstance(self.fault, partial) and self.fault.func is _octets_fault else None


def _integer_fault(low: int, high: int, value: Any) -> str | None:
    if value.__class__ is not int:
        return "not an integer"
    return None if low <= value <= high else f"not between {low} and {high}"


def integer(low: int, high: int) -> Callable[[Any], str | None]:
    # A partial and no closure: schemas and the forecast read the bounds back (WireType.bounds).
    return partial(_integer_fault, low, high)


def _instance_fault(kind: type, words: str, value: Any) -> str | None:
    return None if value.__class__ is kind else f"not {words}"


def instance(kind: type, words: str) -> Callable[[Any], str | None]:
    return partial(_instance_fault, kind, words)


def _octets_fault(size: int, value: Any) -> str | None:
    return None if value.__class__ is bytes and len(value) == size else f"not {size} octets"


def octets(size: int) -> Callable[[Any], str | None]:
    return partial(_octets_fault, size)


def unicode_fault(value: Any) -> str | None:
    """Text that UTF-8 can carry.

    >>> unicode_fault("a\\udcff")
    'not valid UTF-8'
    """
    if value.__class__ is not str:
        return "not text"
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            return "not valid UTF-8"
    return None


def symbol_fault(value: Any) -> str | None:
    """AMQP 1.0 symbols are ASCII (part 1 section 1.6.21)."""
    if value.__class__ is not str:
        return "not text"
    return None if value.isascii() else "not ASCII"


def shortstr_fault(value: Any) -> str | None:
    """AMQP 0.9.1 short strings: up to 255 octets of UTF-8 without NUL (section 4.2.5.3).

    >>> shortstr_fault("é" * 128)
    'longer than 255 octets'
    """
    return _bounded_text_fault(value, 255)


def utf8_fault(value: Any) -> str | None:
    """MQTT strings: up to 65535 octets of UTF-8 without U+0000 (MQTT 5.0 section 1.5.4)."""
    return _bounded_text_fault(value, 65535)


def _bounded_text_fault(value: Any, most: int) -> str | None:
    if value.__class__ is not str:
        return "not text"
    if value.isascii():
        length = len(value)
    else:
        try:
            length = len(value.encode())
        except UnicodeEncodeError:
            return "not valid UTF-8"
    if length > most:
        return f"longer than {most} octets"
    return "contains NUL" if "\0" in value else None


def _mqtt_binary_fault(value: Any) -> str | None:
    if value.__class__ is not bytes:
        return "not octets"
    return None if len(value) <= 65535 else "longer than 65535 octets"


def topic_fault(value: Any) -> str | None:
    """MQTT topic names: a UTF-8 string of at least one character, without wildcards (MQTT 5.0 section 4.7).

    >>> topic_fault("a/+")
    'contains a wildcard'
    """
    fault = utf8_fault(value)
    if fault is not None:
        return fault
    if not value:
        return "empty topic"
    return "contains a wildcard" if "+" in value or "#" in value else None


def _decimal091_fault(value: Any) -> str | None:
    if value.__class__ is not Decimal091:
        return "not a decimal"
    return None if 0 <= value.scale <= 255 and 0 <= value.value <= 2**32 - 1 else "out of range"


KINDS = {
    "str": ("string", "symbol", "shortstr", "utf8", "topic", "name", "compression", "position"),
    "bytes": ("binary", "longstr", "payload", "uuid", "decimal32", "decimal64", "decimal128", "id_octets"),
    "int": ("ubyte", "ushort", "uint", "ulong", "byte", "short", "int", "long", "char", "timestamp", "unsignedbyte",
            "unsignedshort", "unsignedint", "signedint", "octet", "bit", "bits", "varint", "number", "defer", "message_type"),
    "bool": ("boolean", "bool"),
    "float": ("float", "double"),
    "none": ("null", "void"),
    "list": ("list", "array", "map", "table", "varints", "payloads", "texts", "ints", "records"),
    "body": ("data", "amqp-sequence", "amqp-value"),
    "decimal": ("decimal",),
    "described": ("described",),
}  # fmt: skip
KIND_OF = {type_: kind for kind, types in KINDS.items() for type_ in types}
"""The Python form (kind) of each wire type, by its name. There is none for other names: a new type stands here first."""


def wire_types(**faults: Callable[[Any], str | None]) -> dict[str, WireType]:
    """The wire types of a protocol by their names; LookupError for a name that has no kind.

    >>> wire_types(u24=integer(0, 2**24 - 1))
    Traceback (most recent call last):
        ...
    LookupError: wire type 'u24' has no Python form: name it in KINDS (converters/model/values.py)
    """
    for name in faults:
        if name not in KIND_OF:
            raise LookupError(f"wire type {name!r} has no Python form: name it in KINDS (converters/model/values.py)")
    return {name: WireType(name, fault) for name, fault in faults.items()}


_LIST = instance(list, "a list")
_BYTES = instance(bytes, "octets")

AMQP10_TYPES = wire_types(
    null=lambda value: None if value is None else "not null",
    boolean=instance(bool, "a boolean"),
    ubyte=integer(0, 2**8 - 1),
    ushort=integer(0, 2**16 - 1),
    uint=integer(0, 2**32 - 1),
    ulong=integer(0, 2**64 - 1),
    byte=integer(-(2**7), 2**7 - 1),
    short=integer(-(2**15), 2**15 - 1),
    int=integer(-(2**31), 2**31 - 1),
    long=integer(-(2**63), 2**63 - 1),
    float=instance(float, "a number"),
    double=instance(float, "a number"),
    decimal32=octets(4),
    decimal64=octets(8),
    decimal128=octets(16),
    char=integer(0, 0x10FFFF),
    timestamp=integer(-(2**63), 2**63 - 1),
    uuid=octets(16),
    binary=_BYTES,
    string=unicode_fault,
    symbol=symbol_fault,
    list=_LIST,
    map=_LIST,
    array=instance(Array, "an array"),
    described=instance(Described, "a described value"),
)
"""AMQP 1.0 part 1 section 1.6; RabbitMQ's page writes `utf8` for string."""

AMQP10_COMPOUND = ("list", "map", "array", "described")
"""Those that hold other values; the others are simple (AMQP 1.0 part 3 section 3.2.5)."""

AMQP091_FIELD_TYPES = wire_types(
    bool=instance(bool, "a boolean"),
    byte=integer(-(2**7), 2**7 - 1),
    unsignedbyte=integer(0, 2**8 - 1),
    short=integer(-(2**15), 2**15 - 1),
    unsignedshort=integer(0, 2**16 - 1),
    signedint=integer(-(2**31), 2**31 - 1),
    unsignedint=integer(0, 2**32 - 1),
    long=integer(-(2**63), 2**63 - 1),
    float=instance(float, "a number"),
    double=instance(float, "a number"),
    decimal=_decimal091_fault,
    longstr=_BYTES,
    binary=_BYTES,
    array=_LIST,
    timestamp=integer(0, 2**64 - 1),
    table=_LIST,
    void=lambda value: None if value is None else "not void",
)
"""Types of field-table values (letters t b B s u I i l f d D S x A T F V), by RabbitMQ's names."""

AMQP091_TYPES = AMQP091_FIELD_TYPES | wire_types(
    octet=integer(0, 2**8 - 1),
    shortstr=shortstr_fault,
    payload=_BYTES,
)
"""The field types, and the domains of the Basic class's properties."""

MQTT_TYPES = wire_types(
    bit=integer(0, 1),
    bits=integer(0, 2),
    byte=integer(0, 2**8 - 1),
    ushort=integer(0, 2**16 - 1),
    uint=integer(0, 2**32 - 1),
    varint=integer(0, 268_435_455),
    utf8=utf8_fault,
    topic=topic_fault,
    binary=_mqtt_binary_fault,
    payload=_BYTES,
)
"""MQTT 5.0 section 1.5; `bit` is a flag of the fixed header, or the Payload Format Indicator, a byte of 0 or 1 (3.3.2.3.2);
`bits` is the QoS, which must not be 3 [MQTT-3.3.1-4]; `topic` is a UTF-8 string that is a topic name.
"""

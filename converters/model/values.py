"""Values with their wire type, and classes for values without a form in Python. Types have the names of the specifications:
AMQP 1.0 part 1 section 1.6, RabbitMQ's names of the AMQP 0.9.1 field-table types, MQTT 5.0 section 1.5. Their bounds are in
wiretypes.py and compound.py. The Python forms:

* integers, timestamps: `int` (AMQP 1.0 timestamp: milliseconds since 1970, AMQP 0.9.1 timestamp: seconds)
* char: `int`, the UTF-32 code; float, double: `float`; a NaN keeps its bits (`float_of_single`)
* boolean, bool: `bool`; null, void: `None`
* decimal32/64/128: the `bytes` as encoded; decimal (0.9.1): `Decimal091`; uuid: 16 `bytes`
* binary, longstr: `bytes`; string, symbol, utf8: `str`
* shortstr and field-table keys: `str` with surrogate escapes for bytes that are not UTF-8 (PEP 383)
* list, array (0.9.1): `list` of `TypedValue`; map, table: `list` of `Entry`, in wire order
* array (1.0): `Array`; described: `Described`

Two classes write out their own `__eq__` and `__hash__`: compiled by mypyc, these
take a tenth of the time of the generated ones.
"""

from dataclasses import dataclass
from struct import Struct
from typing import Any, Final, NamedTuple

from mqconvert.converters.model.native import mypyc_attr
from mqconvert.converters.model.pickled import pickled_by_fields

_SINGLE: Final = Struct(">f")
_DOUBLE: Final = Struct(">d")
_BITS: Final = Struct(">Q")


def float_of_single(raw: bytes) -> float:
    """Return the float of 4 bytes (IEEE 754 binary32), widened to a Python float.

    A NaN keeps every bit: the processor's own widening makes a signalling NaN a quiet one.

    >>> float_of_single(bytes.fromhex("3fc00000")), single_of_float(float_of_single(bytes.fromhex("7f800001"))).hex()
    (1.5, '7f800001')
    """
    value: float = _SINGLE.unpack(raw)[0]
    if value != value:  # noqa: PLR0124 - NaN differs from itself
        bits = int.from_bytes(raw)
        value = _DOUBLE.unpack(_BITS.pack((bits >> 31) << 63 | 0x7FF << 52 | (bits & 0x7F_FFFF) << 29))[0]
    return value


def single_of_float(value: float) -> bytes:
    """Return the 4 bytes of a float, rounded to binary32; a NaN keeps the bits that fit.

    OverflowError for a number that rounds to more than binary32 holds.

    >>> single_of_float(1.5).hex(), single_of_float(float("nan")).hex()
    ('3fc00000', '7fc00000')
    """
    if value == value:  # noqa: PLR0124 - as above
        return _SINGLE.pack(value)
    bits: int = _BITS.unpack(_DOUBLE.pack(value))[0]
    # A NaN with payload in the low bits alone would be an infinity: it becomes the default NaN.
    payload = (bits >> 29) & 0x7F_FFFF or 0x40_0000
    return (bits >> 63 << 31 | 0xFF << 23 | payload).to_bytes(4)


_LARGEST_SINGLE: Final = 3.4028235677973366e38
"""Smaller numbers round to a finite binary32."""


def shortest_of_single(value: float) -> float:
    """Return the number with the fewest digits that rounds to the same binary32.

    >>> shortest_of_single(float_of_single(single_of_float(0.1)))
    0.1
    """
    numbers = [float(f"{value:.{digits}g}") for digits in range(1, 10)]
    near = (number for number in numbers if abs(number) <= _LARGEST_SINGLE)
    return next((number for number in near if float_of_single(single_of_float(number)) == value), value)


def nan_bits(type_: str, value: float) -> str | None:
    """Return the bits of a NaN of type float or double in hex, None for the default NaN (quiet, no sign, no payload).

    >>> nan_bits("float", float("nan")), nan_bits("double", -float("nan"))
    (None, 'fff8000000000000')
    """
    bits = (single_of_float(value) if type_ == "float" else _DOUBLE.pack(value)).hex()
    return None if bits in ("7fc00000", "7ff8000000000000") else bits


def float_of_bits(type_: str, bits: str) -> float | None:
    """Return the NaN of type float or double with these bits in hex (8 or 16 digits), None for other text.

    >>> float_of_bits("float", "3fc00000"), nan_bits("float", float_of_bits("float", "ff800001"))
    (None, 'ff800001')
    """
    if len(bits) != (8 if type_ == "float" else 16) or not _HEX.issuperset(bits):
        return None
    raw = bytes.fromhex(bits)
    value: float = float_of_single(raw) if type_ == "float" else _DOUBLE.unpack(raw)[0]
    return value if value != value else None  # noqa: PLR0124 - as above


_HEX = frozenset("0123456789abcdefABCDEF")

MAX_DEPTH: Final = 100
"""Maximum nesting of values (lists, maps, tables, arrays, described values) in a message of any protocol."""


@mypyc_attr(acyclic=True)
@dataclass(slots=True, eq=False)
class TypedValue:
    """A value with its wire type, for fields that do not fix it: ids, elements of lists, keys of maps. Treat it as immutable.

    >>> TypedValue("ubyte", 3)
    TypedValue(type='ubyte', value=3)
    """

    type: str
    value: Any

    def __eq__(self, other: object) -> bool:
        if type(other) is not TypedValue:
            return NotImplemented
        return self.type == other.type and (self.value is other.value or bool(self.value == other.value))

    def __hash__(self) -> int:
        return hash((self.type, self.value))


@mypyc_attr(acyclic=True)
@dataclass(slots=True, eq=False)
class Entry:
    """An entry of a map, a table, annotations or application properties. Treat it as immutable.

    `key` is text in 0.9.1 tables and application properties; in annotations it is text (a symbol) or a number (a ulong); in an
    AMQP 1.0 map, which allows keys of any type, a `TypedValue`.

    >>> Entry("x-priority", "ubyte", 3)
    Entry(key='x-priority', type='ubyte', value=3)
    """

    key: Any
    type: str
    value: Any

    def __eq__(self, other: object) -> bool:
        if type(other) is not Entry:
            return NotImplemented
        same = bool(self.key == other.key) and self.type == other.type
        return same and (self.value is other.value or bool(self.value == other.value))

    def __hash__(self) -> int:
        return hash((self.key, self.type, self.value))


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Described:
    """The value of a `TypedValue("described", ...)`: AMQP 1.0 part 1 section 1.5.

    >>> Described(TypedValue("symbol", "url"), TypedValue("string", "http://a")).value.value
    'http://a'
    """

    descriptor: TypedValue
    value: TypedValue


@mypyc_attr(acyclic=True)
@dataclass(slots=True, unsafe_hash=True)
class Array:
    """The value of an AMQP 1.0 `TypedValue("array", ...)`: elements of one type, and descriptors that all of them share.

    >>> Array("uint", [1, 2])
    Array(of='uint', values=[1, 2], descriptors=())
    """

    of: str
    values: list[Any]
    descriptors: tuple[TypedValue, ...] = ()


class Decimal091(NamedTuple):
    """An AMQP 0.9.1 decimal (D): `value` (-2^31 to 2^31-1) divided by 10^`scale` (0 to 255); section 4.2.5.5.

    >>> Decimal091(scale=2, value=314)
    Decimal091(scale=2, value=314)
    """

    scale: int
    value: int


Table = list[Entry]


pickled_by_fields(TypedValue, Entry, Described, Array)

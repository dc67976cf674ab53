"""Values and sections as JSON and back (DESIGN, "JSON form"), by the wire types of the fields that hold them."""

import binascii
import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from functools import cache, partial
from typing import Any, NoReturn, TypeVar

from mqconvert.converters.errors import DecodeError
from mqconvert.converters.model.bodies import AmqpSequence, AmqpValue, Data
from mqconvert.converters.model.places import ENTRY_KEYS
from mqconvert.converters.model.values import (
    KINDS,
    MAX_DEPTH,
    Array,
    Decimal091,
    Described,
    Entry,
    TypedValue,
    WireType,
    float_of_bits,
    nan_bits,
)

S = TypeVar("S")

_EXACT = 2**53 - 1
# How the wire types are written, by their kinds; json/schemas.py says the same as JSON Schema, and reads it from here.
OCTET_TEXT = frozenset({"longstr", "id_octets"})
TEXT = frozenset(KINDS["str"]) - {"shortstr"}
OCTETS = frozenset(KINDS["bytes"]) - OCTET_TEXT - {"uuid"}
INTEGERS = frozenset(KINDS["int"])
FLOATS = frozenset(KINDS["float"])
NOT_FINITE = ("NaN", "Infinity", "-Infinity")
LITERALS = frozenset(KINDS["bool"] + KINDS["none"])
_NESTED = frozenset({"list", "map", "table", "array", "described"})
LISTS = {"varints": "varint", "payloads": "payload", "ints": "int", "texts": "utf8"}
"""Wire types that are lists of values of one plain type."""

# ---- writing --------------------------------------------------------------------------------------------------------


def section_to_json(section: Any) -> dict[str, Any]:
    """The JSON form of any dataclass whose fields are made by `wire`: a section, or a frame that is no message."""
    written: dict[str, Any] = {}
    for name, write, may_be_empty in _field_writers(section.__class__):
        value = getattr(section, name)
        if value is not None and (value or may_be_empty):
            written[name] = write(value)
    return written


@cache
def wire_fields(class_: Any) -> tuple[tuple[str, tuple[str, ...], type[Any] | None], ...]:
    """Name, wire types and (for a section) class of each field of a message class or section."""
    return tuple((field.name, field.metadata["types"], field.metadata["of"]) for field in fields(class_))


@cache
def _field_writers(class_: Any) -> tuple[tuple[str, Callable[[Any], Any], bool], ...]:
    """Name and writer of each field of a message class or section, and whether it is set when empty, as a topic is not."""
    return tuple((name, _field_writer(types, of), types != ("topic",)) for name, types, of in wire_fields(class_))


def _field_writer(types: tuple[str, ...], of: type[Any] | None) -> Callable[[Any], Any]:
    kind = types[0]
    if of is not None:
        return _records_to_json if kind == "records" else section_to_json
    if kind in ENTRY_KEYS:
        return _text_pairs_to_json if kind == "utf8-pairs" else _entries_to_json
    if kind in LISTS:
        return partial(_list_to_json, LISTS[kind])
    if kind == "data":
        return _body_to_json
    return typed_to_json if len(types) > 1 else partial(_plain_to_json, kind)


def _records_to_json(records: list[Any]) -> list[Any]:
    return [section_to_json(record) for record in records]


def _text_pairs_to_json(pairs: list[tuple[str, str]]) -> list[list[str]]:
    return [list(pair) for pair in pairs]


def _entries_to_json(entries: list[Entry]) -> list[list[Any]]:
    return [[_key_to_json(entry.key), typed_to_json(entry)] for entry in entries]


def _list_to_json(type_: str, values: list[Any]) -> list[Any]:
    return [_plain_to_json(type_, value) for value in values]


def _key_to_json(key: str | int) -> Any:
    return {"type": "ulong", "value": number_to_json(key)} if isinstance(key, int) else _octet_text(key)


def _body_to_json(body: Any) -> dict[str, Any]:
    if isinstance(body, Data):
        return {"data": [octets_to_json(section) for section in body.sections]}
    if isinstance(body, AmqpSequence):
        return {"sequence": [[typed_to_json(typed) for typed in section] for section in body.sections]}
    return {"value": typed_to_json(body.value)}


def octets_to_json(octets: bytes) -> str:
    """Octets as base64 (RFC 4648 section 4, with padding)."""
    return binascii.b2a_base64(octets, newline=False).decode()


def number_to_json(value: int) -> int | str:
    """An integer; as decimal text where a reader that has doubles alone would change it."""
    return value if -_EXACT <= value <= _EXACT else str(value)


def float_to_json(value: float, type_: str = "double") -> float | str | dict[str, str]:
    """A float; one of NOT_FINITE where JSON has no number for it, the bits of any NaN but the default one.

    >>> float_to_json(1.5), float_to_json(float("nan")), float_to_json(-float("nan"), "float")
    (1.5, 'NaN', {'bits': 'ffc00000'})
    """
    if math.isfinite(value):
        return value
    if math.isnan(value):
        bits = nan_bits(type_, value)
        return "NaN" if bits is None else {"bits": bits}
    return "Infinity" if value > 0 else "-Infinity"


def _octet_text(value: str) -> str | dict[str, str]:
    """Text that is octets underneath: as it is when UTF-8, else base64."""
    if value.isascii():
        return value
    try:
        value.encode()
    except UnicodeEncodeError:
        return {"base64": octets_to_json(value.encode("utf-8", "surrogateescape"))}
    return value


def typed_to_json(typed: TypedValue | Entry) -> dict[str, Any]:
    """A value with its wire type; text where JSON's own forms would lose some of it.

    >>> typed_to_json(TypedValue("longstr", b"hi")), typed_to_json(TypedValue("ulong", 2**64 - 1))
    ({'type': 'longstr', 'value': 'hi'}, {'type': 'ulong', 'value': '18446744073709551615'})
    """
    type_, value = typed.type, typed.value
    if type_ == "longstr":
        try:
            return {"type": type_, "value": value.decode()}
        except UnicodeDecodeError:
            return {"type": type_, "base64": octets_to_json(value)}
    if type_ == "described":
        return {"type": type_, "descriptor": typed_to_json(value.descriptor), "value": typed_to_json(value.value)}
    if isinstance(value, Array):
        return {"type": type_} | _array_to_json(value)
    if value.__class__ is float and value != value:  # noqa: PLR0124 - NaN is the value that is not itself
        plain = _plain_to_json(type_, value)
        return {"type": type_} | (plain if isinstance(plain, dict) else {"value": plain})
    return {"type": type_, "value": _plain_to_json(type_, value)}


def _array_to_json(array: Array) -> dict[str, Any]:
    written: dict[str, Any] = {"of": array.of, "value": [_plain_to_json(array.of, value) for value in array.values]}
    if array.descriptors:
        written["descriptors"] = [typed_to_json(typed) for typed in array.descriptors]
    return written


def _plain_to_json(type_: str, value: Any) -> Any:
    if (value.__class__ is str and type_ in TEXT) or value is True or value is False:
        return value
    if isinstance(value, int):
        return number_to_json(value)
    if type_ == "shortstr":
        return _octet_text(value)
    if type_ in OCTET_TEXT:
        return _octet_text(value.decode("utf-8", "surrogateescape"))
    if type_ == "uuid":
        text = value.hex()
        return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
    if isinstance(value, bytes):
        return octets_to_json(value)
    if isinstance(value, float):
        return float_to_json(value, type_)
    if isinstance(value, Decimal091):
        return {"scale": value.scale, "value": value.value}
    if isinstance(value, Array):
        return _array_to_json(value)
    if type_ == "table":
        return [[_octet_text(entry.key), typed_to_json(entry)] for entry in value]
    if type_ == "map":
        return [[typed_to_json(entry.key), typed_to_json(entry)] for entry in value]
    if isinstance(value, list):
        return [typed_to_json(typed) for typed in value]
    if value is not None:
        raise TypeError(f"a {type(value).__name__} is no {type_}")
    return None


# ---- reading --------------------------------------------------------------------------------------------------------


def section_from_json(class_: type[S], value: Any, types: Mapping[str, WireType]) -> S:
    """What `section_to_json` wrote, read back: a `class_` with the wire types of its protocol; DecodeError as above."""
    section: S = Reader(types).section(class_, value, "")
    return section


def wrong(kind: str, problem: str, field: str) -> NoReturn:
    raise DecodeError(kind, problem, field=field or None)


class Reader:
    """Reads the JSON forms of one protocol's wire types."""

    def __init__(self, types: Mapping[str, WireType]) -> None:
        self.types = types

    def section(self, class_: Any, value: Any, path: str) -> Any:
        if not isinstance(value, dict):
            wrong("bad_json", "not an object", path)
        known = {name: (types, of) for name, types, of in wire_fields(class_)}
        members = {}
        for name, member in value.items():
            at = f"{path}.{name}" if path else str(name)
            if name not in known:
                wrong("unknown_field", f"no field {name!r} here", at)
            types, of = known[name]
            if of is None:
                members[name] = self.field(types, member, at)
            elif types == ("records",):
                members[name] = [self.section(of, one, f"{at}[{index}]") for index, one in enumerate(_array(member, at))]
            else:
                members[name] = self.section(of, member, at)
        return class_(**members)

    def field(self, types: tuple[str, ...], value: Any, at: str) -> Any:
        kind = types[0]
        if value is None:
            wrong("bad_json", "leave an unset field out", at)
        if kind in ENTRY_KEYS:
            return [self.entry(kind, pair, f"{at}[{index}]") for index, pair in enumerate(_array(value, at))]
        if kind in LISTS:
            return [self.plain(LISTS[kind], one, f"{at}[{index}]", 0) for index, one in enumerate(_array(value, at))]
        if kind == "data":
            return self.body(value, at)
        if len(types) == 1:
            return self.plain(kind, value, at, 0)
        typed = self.typed(value, at, 0)
        if typed.type not in types:
            wrong("wrong_type", f"not one of {', '.join(types)}", at)
        return typed

    def entry(self, kind: str, pair: Any, at: str, depth: int = 0) -> Any:
        if not isinstance(pair, list) or len(pair) != 2:
            wrong("bad_json", "not a pair of key and value", at)
        if kind == "utf8-pairs":
            return self.plain("utf8", pair[0], f"{at}[0]", 0), self.plain("utf8", pair[1], f"{at}[1]", 0)
        key = pair[0]
        if isinstance(key, dict) and "type" in key:
            typed = self.typed(key, f"{at}[0]", 0)
            if typed.type not in (ENTRY_KEYS[kind], "ulong" if kind == "annotations" else ENTRY_KEYS[kind]):
                wrong("wrong_type", f"a key of type {typed.type}", f"{at}[0]")
            key = typed.value
        else:
            key = self.plain(ENTRY_KEYS[kind], key, f"{at}[0]", 0)
        typed = self.typed(pair[1], f"{at}[1]", depth)
        return Entry(key, typed.type, typed.value)

    def body(self, value: Any, at: str) -> Any:
        if not isinstance(value, dict) or len(value) != 1:
            wrong("bad_json", "a body has one of data, sequence, value", at)
        kind, content = next(iter(value.items()))
        if kind == "data":
            return Data([self.plain("binary", part, f"{at}[{index}]", 0) for index, part in enumerate(_array(content, at))])
        if kind == "sequence":
            sections = enumerate(_array(content, at))
            return AmqpSequence([self.plain("list", section, f"{at}[{index}]", 0) for index, section in sections])
        if kind == "value":
            return AmqpValue(self.typed(content, at, 0))
        wrong("bad_json", "a body has one of data, sequence, value", at)

    def typed(self, value: Any, at: str, depth: int) -> TypedValue:
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            wrong("bad_json", 'not a typed value {"type", "value"}', at)
        type_ = value["type"]
        if type_ not in self.types:
            wrong("unknown_type", f"no type {type_!r}", at)
        if depth > MAX_DEPTH:
            wrong("nesting", f"values nest deeper than {MAX_DEPTH}", at)
        members = set(value) - {"type"}
        if type_ == "described" and members == {"descriptor", "value"}:
            descriptor = self.typed(value["descriptor"], at, depth + 1)
            return TypedValue(type_, Described(descriptor, self.typed(value["value"], at, depth + 1)))
        if type_ == "array" and "of" in members and members <= {"of", "value", "descriptors"}:
            return TypedValue(type_, self.held(type_, self.array(value, at, depth + 1), at))
        if type_ == "longstr" and members == {"base64"}:
            return TypedValue(type_, octets_from_json(value["base64"], at))
        if type_ in FLOATS and members == {"bits"}:
            return TypedValue(type_, _float({"bits": value["bits"]}, type_, at))
        if members != {"value"}:
            wrong("bad_json", "not the members of a typed value", at)
        if type_ == "longstr":
            return TypedValue(type_, self.plain("utf8-text", value["value"], at, depth).encode())
        return TypedValue(type_, self.plain(type_, value["value"], at, depth))

    def array(self, value: Any, at: str, depth: int) -> Array:
        of = value.get("of")
        if not isinstance(of, str) or of not in self.types or of == "described":
            wrong("unknown_type", f"no array of {of!r}", at)
        if depth > MAX_DEPTH:
            wrong("nesting", f"values nest deeper than {MAX_DEPTH}", at)
        elements = [self.plain(of, part, f"{at}[{i}]", depth) for i, part in enumerate(_array(value.get("value"), at))]
        descriptors = _array(value.get("descriptors", []), at)
        return Array(of, elements, tuple(self.typed(descriptor, at, depth) for descriptor in descriptors))

    def plain(self, type_: str, value: Any, at: str, depth: int) -> Any:
        """The Python form of a value of one type; the type's own bounds have the last word."""
        if type_ == "utf8-text":
            if not isinstance(value, str):
                wrong("bad_json", "not text", at)
            if any("\ud800" <= character <= "\udfff" for character in value):
                wrong("bad_value", "not valid UTF-8", at)
            return value
        if type_ in _NESTED:
            made = self.nested(type_, value, at, depth + 1)
        elif type_ in OCTETS:
            made = octets_from_json(value, at)
        elif type_ == "uuid":
            made = _uuid(value, at)
        elif type_ == "shortstr":
            return self.shortstr(value, at)
        elif type_ in OCTET_TEXT:
            made = self.text_octets(value, at)
        elif type_ == "decimal":
            made = _decimal(value, at)
        elif type_ in FLOATS:
            made = _float(value, type_, at)
        elif type_ in TEXT or type_ in LITERALS:
            made = value
        elif type_ in INTEGERS:
            made = _integer(value, at)
        else:
            raise LookupError(f"wire type {type_!r} has no JSON form")
        return self.held(type_, made, at)

    def held(self, type_: str, made: Any, at: str) -> Any:
        fault = self.types[type_].fault(made)
        if fault is not None:
            wrong("bad_value", fault, at)
        return made

    def text_octets(self, value: Any, at: str) -> bytes:
        """Octets that are usually text: text, or {"base64": ...} where they are not."""
        if isinstance(value, dict) and set(value) == {"base64"}:
            return octets_from_json(value["base64"], at)
        text: str = self.plain("utf8-text", value, at, 0)
        return text.encode()

    def shortstr(self, value: Any, at: str) -> str:
        made = self.text_octets(value, at).decode("utf-8", "surrogateescape")
        if len(made.encode("utf-8", "surrogateescape")) > 255:
            wrong("bad_value", "longer than 255 octets", at)
        return made

    def nested(self, type_: str, value: Any, at: str, depth: int) -> Any:
        if depth > MAX_DEPTH:
            wrong("nesting", f"values nest deeper than {MAX_DEPTH}", at)
        if type_ == "array" and isinstance(value, dict):
            return self.array(value, at, depth)
        parts = _array(value, at)
        if type_ in ("list", "array"):
            return [self.typed(part, f"{at}[{index}]", depth) for index, part in enumerate(parts)]
        if type_ == "table":
            return [self.entry("table", pair, f"{at}[{index}]", depth) for index, pair in enumerate(parts)]
        if not all(isinstance(pair, list) and len(pair) == 2 for pair in parts):
            wrong("bad_json", "not pairs of key and value", at)
        pairs = [(self.typed(key, at, depth), self.typed(part, at, depth)) for key, part in parts]
        return [Entry(key, typed.type, typed.value) for key, typed in pairs]


def _array(value: Any, at: str) -> list[Any]:
    if not isinstance(value, list):
        wrong("bad_json", "not an array", at)
    return value


def octets_from_json(value: Any, at: str) -> bytes:
    """Octets from base64; DecodeError `bad_value` names the place `at`."""
    try:
        return binascii.a2b_base64(value.encode("ascii"), strict_mode=True)
    except (AttributeError, ValueError):
        wrong("bad_value", "not base64", at)


def _uuid(value: Any, at: str) -> bytes:
    try:
        octets = bytes.fromhex(value.replace("-", ""))
    except (AttributeError, ValueError):
        octets = b""
    if len(octets) != 16:
        wrong("bad_value", "not a uuid", at)
    return octets


def _decimal(value: Any, at: str) -> Decimal091:
    if not isinstance(value, dict) or set(value) != {"scale", "value"}:
        wrong("bad_json", "not {scale, value}", at)
    return Decimal091(_integer(value["scale"], at), _integer(value["value"], at))


def _float(value: Any, type_: str, at: str) -> float:
    if isinstance(value, dict) and set(value) == {"bits"}:
        bits = value["bits"]
        nan = float_of_bits(type_, bits) if isinstance(bits, str) else None
        if nan is None:
            wrong("bad_value", f"not the bits of a NaN in {8 if type_ == 'float' else 16} hex digits", at)
        return nan
    if isinstance(value, str) and value in NOT_FINITE:
        return float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        wrong("bad_json", "not a number", at)
    try:
        number = float(value)
    except OverflowError:
        number = math.inf
    if not math.isfinite(number):  # 1e999 or NaN, which `json` reads though JSON has no such number
        wrong("bad_value", f"beyond a double; those that are no numbers are text: {', '.join(NOT_FINITE)}", at)
    return number


def _integer(value: Any, at: str) -> int:
    if isinstance(value, str) and len(value) <= 20 and value.lstrip("-").isascii() and value.lstrip("-").isdigit():
        try:
            return int(value)
        except ValueError:
            wrong("bad_json", "not an integer", at)
    if isinstance(value, bool) or not isinstance(value, int):
        wrong("bad_json", "not an integer", at)
    return value

"""Wire types of plain values: numbers, text, bytes. A protocol adds an object for each of its types.

>>> u24 = IntegerType("u24", 0, 2**24 - 1)
>>> u24.fault(2**24), u24.bounds, dict(u24.samples)["the highest"]
('not between 0 and 16777215', (0, 16777215), 16777215)
"""

from functools import partial
from typing import Any

from mqconvert.converters.model.jsonform import (
    BASE64,
    BYTE_TEXT,
    BYTES,
    DECIMAL_TEXT,
    NOT_FINITE,
    SHORT_BYTE_TEXT,
    JsonObject,
    Schema,
    byte_text_from_json,
    byte_text_to_json,
    bytes_from_json,
    bytes_to_json,
    float_from_json,
    float_to_json,
    integer_from_json,
    json_kind,
    number_to_json,
    object_of,
    refuse_json,
    text_from_json,
)
from mqconvert.converters.model.primitives import text_or_none, utf8_size, uuid_text
from mqconvert.converters.model.wiretypes import Fault, SampleValues, WireType, WireTypes, instance

# ---- faults of values -----------------------------------------------------------------------------------------------


def _integer_fault(low: int, high: int, value: object) -> str | None:
    if type(value) is not int:
        return "not an integer"
    return None if low <= value <= high else f"not between {low} and {high}"


def _size_fault(size: int, value: object) -> str | None:
    return None if type(value) is bytes and len(value) == size else f"not {size} bytes"


def _length_fault(most: int, value: object) -> str | None:
    if type(value) is not bytes:
        return "not bytes"
    return None if len(value) <= most else f"longer than {most} bytes"


def text_of(value: object) -> str | None:
    """Return the text of a str or of UTF-8 bytes; None for other values.

    >>> text_of("a"), text_of(b"a"), text_of(b"\\xff"), text_of(5)
    ('a', 'a', None, None)
    """
    if isinstance(value, bytes):
        return text_or_none(value)
    return value if isinstance(value, str) else None


def unicode_fault(value: object) -> str | None:
    """Return the fault of text that UTF-8 cannot encode.

    >>> unicode_fault("a\\udcff")
    'not valid UTF-8'
    """
    if type(value) is not str:
        return "not text"
    return "not valid UTF-8" if not value.isascii() and utf8_size(value) < 0 else None


def symbol_fault(value: object) -> str | None:
    """Return the fault of an AMQP 1.0 symbol: symbols are ASCII (part 1 section 1.6.21)."""
    if type(value) is not str:
        return "not text"
    return None if value.isascii() else "not ASCII"


def shortstr_fault(value: object) -> str | None:
    """Return the fault of an AMQP 0.9.1 short string: up to 255 bytes of UTF-8 without NUL (section 4.2.5.3).

    >>> shortstr_fault("é" * 128)
    'longer than 255 bytes'
    """
    return _bounded_text_fault(value, 255)


def utf8_fault(value: object) -> str | None:
    """Return the fault of an MQTT string: up to 65535 bytes of UTF-8 without U+0000 (MQTT 5.0 section 1.5.4)."""
    return _bounded_text_fault(value, 65535)


def _bounded_text_fault(value: object, most: int) -> str | None:
    if type(value) is not str:
        return "not text"
    text: str = value
    length = len(text) if text.isascii() else utf8_size(text)
    if length < 0:
        return "not valid UTF-8"
    if length > most:
        return f"longer than {most} bytes"
    return "contains NUL" if "\0" in text else None


def topic_fault(value: Any) -> str | None:
    """Return the fault of an MQTT topic name: a UTF-8 string, not empty, without wildcards (MQTT 5.0 section 4.7).

    >>> topic_fault("a/+")
    'contains a wildcard'
    """
    text: str
    if type(value) is str:
        text = value
        if text.isascii() and 0 < len(text) < 65536 and "\0" not in text and "+" not in text and "#" not in text:
            return None
    fault = utf8_fault(value)
    if fault is not None:
        return fault
    text = value
    if not text:
        return "empty topic"
    return "contains a wildcard" if "+" in text or "#" in text else None


# ---- the types --------------------------------------------------------------------------------------------------------


class NullType(WireType):
    """A type of one value, None."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, "none", lambda value: None if value is None else f"not {name}", [("", None)])
        self.whole = True

    def write(self, value: object, _types: WireTypes) -> None:
        if value is not None:
            raise self.misfit(value)

    def schema(self, _types: WireTypes) -> Schema:
        return {"type": "null"}


class BooleanType(WireType):
    """A truth value, `bool`."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, "bool", instance(bool, "a boolean"), [("", True), ("false", False)])
        self.whole = True

    def write(self, value: object, _types: WireTypes) -> object:
        if type(value) is not bool:
            raise self.misfit(value)
        return value

    def schema(self, _types: WireTypes) -> Schema:
        return {"type": "boolean"}


class IntegerType(WireType):
    """A whole number, `int`, from `low` to `high`; without bounds, `fault` checks it."""

    __slots__ = ()

    def __init__(
        self,
        name: str,
        low: int | None = None,
        high: int | None = None,
        *,
        fault: Fault | None = None,
        samples: SampleValues = (),
        in_entries: bool = True,
    ) -> None:
        quick = None
        if low is not None and high is not None:
            fault, quick = partial(_integer_fault, low, high), f"{low} <= {{0}} <= {high}"
            samples = samples or (("", 1), ("the lowest", low), ("the highest", high))
        super().__init__(
            name, "int", fault or instance(int, "an integer"), samples or [("", 1)], quick=quick, in_entries=in_entries
        )
        self.bounds = None if low is None or high is None else (low, high)

    def write(self, value: object, _types: WireTypes) -> int | str:
        if type(value) is not int:
            raise self.misfit(value)
        return number_to_json(value)

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        return self.held(integer_from_json(value, at), at)

    def schema(self, _types: WireTypes) -> Schema:
        bounds = {} if self.bounds is None else {"minimum": self.bounds[0], "maximum": self.bounds[1]}
        return {"anyOf": [{"type": "integer"} | bounds, DECIMAL_TEXT]}


class MemberType(WireType):
    """The base of types with a second JSON form: an object of one `member`, which a typed value has instead of `"value"`."""

    __slots__ = ("member",)
    member: str

    def write_typed(self, value: object, types: WireTypes) -> JsonObject:
        written = self.write(value, types)
        return written if isinstance(written, dict) else {"value": written}

    def read_typed(self, members: JsonObject, at: str, depth: int, types: WireTypes) -> object:
        if members.keys() == {self.member}:
            return self.read(members, at, depth, types)
        return super().read_typed(members, at, depth, types)


class FloatType(MemberType):
    """A `float` of 4 or 8 bytes, type `float` or `double`. A NaN keeps its bits."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        samples = [("", 1.5), ("NaN", float("nan")), ("infinite", float("inf"))]
        super().__init__(name, "float", instance(float, "a number"), samples)
        self.whole, self.member, self.members = True, "bits", ("value", "bits")

    def write(self, value: object, _types: WireTypes) -> float | str | dict[str, str]:
        if type(value) is not float:
            raise self.misfit(value)
        return float_to_json(value, self.name)

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        return self.held(float_from_json(value, self.name, at), at)

    def schema(self, _types: WireTypes) -> Schema:
        return {"anyOf": [{"type": "number"}, {"enum": list(NOT_FINITE)}, object_of(bits=self._bits())]}

    def typed_schema(self) -> Schema:
        return {"anyOf": [super().typed_schema(), object_of(type={"const": self.name}, bits=self._bits())]}

    def _bits(self) -> Schema:
        """Return the schema for the bits of a NaN."""
        exponent, digits = ("[7fF][fF][89a-fA-F]", 5) if self.name == "float" else ("[7fF][fF][fF]", 13)
        return {"type": "string", "pattern": f"^{exponent}[0-9a-fA-F]{{{digits}}}$"}


WITHIN = {"over 65535 bytes": "over 255 bytes"}
"""Special properties that imply another one: a forecast's lines name them only where their outcome differs from that one's."""
TEXTS = (
    ("", "text"),
    ("not ASCII", "é"),
    ("over 255 bytes", "a" * 300),
    ("over 65535 bytes", "a" * 65536),
    ("with NUL", "a\0b"),
    ("empty", ""),
    ("with a dot", "a.b"),
    ("with an asterisk", "a*"),
)
TOPICS = (
    ("", "a/b"),
    ("of one level", "a"),
    ("with a dot", "a.b"),
    ("with a dot and levels", "a/b.c"),
    ("with an asterisk", "a*"),
    ("not ASCII", "é/b"),
)
TIMES = (("", 1_700_000_000_000), ("before 1970 and with a fraction", -1_500), ("over 2^62", 2**63 - 1))
"""In milliseconds."""
ASCII = "{0}.isascii()"
"""The quick test for text without a length limit."""


class TextType(WireType):
    """Text that UTF-8 can encode, `str`; `fault` has further rules, `limits` the same rules as JSON Schema."""

    __slots__ = ("limits",)

    def __init__(
        self,
        name: str,
        fault: Fault = unicode_fault,
        samples: SampleValues = TEXTS,
        *,
        quick: str | None = None,
        limits: Schema | None = None,
        empty_is_unset: bool = False,
        strict: bool = True,
    ) -> None:
        super().__init__(name, "str", fault, samples, quick=ASCII if fault is unicode_fault else quick)
        self.limits, self.empty_is_unset, self.strict = limits or {}, empty_is_unset, strict

    def takes_all_of(self, other: WireType) -> bool:
        """Return whether every value of the other type fits this one; plain text takes any strict text."""
        return other.strict and other.kind == "str" and (self.fault is unicode_fault or self.fault is other.fault)

    def write(self, value: object, _types: WireTypes) -> str:
        if type(value) is not str:
            raise self.misfit(value)
        text: str = value
        return text

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        if not isinstance(value, str) and "enum" not in self.limits:
            refuse_json("bad_value", f"{json_kind(value)} where a string is due", at)
        return self.held(value, at)

    def schema(self, _types: WireTypes) -> Schema:
        return {"type": "string"} | self.limits


def _name_fault(names: tuple[str, ...], value: object) -> str | None:
    return None if type(value) is str and value in names else f"not one of {', '.join(names)}"


def name_type(name: str, names: tuple[str, ...]) -> TextType:
    """Return a wire type of text that is one of these names, the usual one first, such as the frames of a message.

    >>> name_type("frame", ("send", "message")).fault("letter")
    'not one of send, message'
    """
    return TextType(name, partial(_name_fault, names), [("", names[1])], limits={"enum": list(names)})


class ByteTextType(MemberType):
    """Bytes that are usually text, `bytes`; `size` is their fixed size, if any."""

    __slots__ = ()

    def __init__(self, name: str, size: int | None = None, samples: SampleValues = ()) -> None:
        fault = instance(bytes, "bytes") if size is None else partial(_size_fault, size)
        super().__init__(name, "bytes", fault, samples or _BYTES)
        self.size, self.whole, self.member, self.members = size, size is None, "base64", ("value", "base64")

    def write(self, value: object, _types: WireTypes) -> str | dict[str, str]:
        if type(value) is not bytes:
            raise self.misfit(value)
        return byte_text_to_json(value.decode("utf-8", "surrogateescape"))

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        return self.held(byte_text_from_json(value, at), at)

    def schema(self, _types: WireTypes) -> Schema:
        return BYTE_TEXT if self.size is None else SHORT_BYTE_TEXT

    def read_typed(self, members: JsonObject, at: str, depth: int, types: WireTypes) -> object:
        if members.keys() == {"value"}:
            return text_from_json(members["value"], at).encode()
        return super().read_typed(members, at, depth, types)

    def typed_schema(self) -> Schema:
        const = {"const": self.name}
        return {"anyOf": [object_of(type=const, value={"type": "string"}), object_of(type=const, base64=BASE64)]}


class ShortTextType(WireType):
    """Text of up to 255 bytes, `str`; invalid UTF-8 is in surrogate escapes (PEP 383).

    Its fault refuses these, since no target accepts them. The codec reads and writes them.
    """

    __slots__ = ()

    def __init__(self, name: str) -> None:
        quick = "len({0}) < 256 and {0}.isascii() and '\\0' not in {0}"
        numbers = (("a number", "60000"), ("a number that is no multiple of 1000", "1500"))
        super().__init__(name, "str", shortstr_fault, (*TEXTS, *numbers), quick=quick, in_entries=False)
        self.strict, self.samples = False, (*self.samples, ("not UTF-8", chr(0xDCFF)))

    def write(self, value: object, _types: WireTypes) -> str | dict[str, str]:
        if type(value) is not str:
            raise self.misfit(value)
        return byte_text_to_json(value)

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> str:
        raw = byte_text_from_json(value, at)
        if len(raw) > 255:
            refuse_json("bad_value", "longer than 255 bytes", at)
        return raw.decode("utf-8", "surrogateescape")

    def schema(self, _types: WireTypes) -> Schema:
        return SHORT_BYTE_TEXT


_BYTES = (
    ("", b"text"),
    ("not ASCII", "é".encode()),
    ("not UTF-8", b"\xff"),
    ("over 255 bytes", b"a" * 300),
    ("over 65535 bytes", b"a" * 65536),
    ("with NUL", b"a\0b"),
    ("empty", b""),
    ("with a dot", b"a.b"),
    ("with an asterisk", b"a*"),
)


class BytesType(WireType):
    """Bytes, `bytes`: a fixed `size`, up to `most`, or any length."""

    __slots__ = ()

    def __init__(
        self,
        name: str,
        *,
        size: int | None = None,
        most: int | None = None,
        samples: SampleValues = (),
        in_entries: bool = True,
    ) -> None:
        fault: Fault = instance(bytes, "bytes")
        quick = None
        if size is not None:
            fault, samples = partial(_size_fault, size), samples or [("", bytes(size))]
        elif most is not None:
            fault, quick = partial(_length_fault, most), f"len({{0}}) < {most + 1}"
        super().__init__(name, "bytes", fault, samples or _BYTES, quick=quick, in_entries=in_entries)
        self.size, self.whole = size, size is None and most is None

    def write(self, value: object, _types: WireTypes) -> str:
        if type(value) is not bytes:
            raise self.misfit(value)
        return bytes_to_json(value)

    def read(self, value: object, at: str, _depth: int, _types: WireTypes) -> object:
        return self.held(bytes_from_json(value, at), at)

    def schema(self, _types: WireTypes) -> Schema:
        if self.size is None:
            return BYTES
        length = -(-self.size // 3) * 4
        return BASE64 | {"minLength": length, "maxLength": length}


PAYLOAD = BytesType("payload", samples=[("", b"text")], in_entries=False)
"""The body of a message in protocols with a body of bytes."""


class UuidType(BytesType):
    """A uuid, 16 `bytes`; its usual text in JSON."""

    __slots__ = ()

    def __init__(self, name: str) -> None:
        super().__init__(name, size=16, samples=[("", bytes(range(16)))])

    def write(self, value: object, _types: WireTypes) -> str:
        if type(value) is not bytes:
            raise self.misfit(value)
        return uuid_text(value)

    def read(self, value: Any, at: str, _depth: int, _types: WireTypes) -> bytes:
        try:
            raw = bytes.fromhex(value.replace("-", ""))
        except (AttributeError, ValueError):
            raw = b""
        if len(raw) != 16:
            refuse_json("bad_value", "a uuid is 32 hex digits, in the groups of 8-4-4-4-12 or without", at)
        return raw

    def schema(self, _types: WireTypes) -> Schema:
        return {"type": "string", "format": "uuid", "pattern": "^[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$"}

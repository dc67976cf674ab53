"""Conditions: the words that a row's `when` may use. One total, pure function each, with an example.

A condition gets the value (of any type that the row admits) and then what the row `reads`; it answers True or False.
"""

import re
from math import isfinite
from typing import Any

from mqconvert.converters.model.bodies import AmqpSequence, Data
from mqconvert.converters.model.plain import shortstr_fault, topic_fault
from mqconvert.converters.words import condition


def _octets(value: Any) -> bytes | None:
    if value.__class__ is bytes:
        return bytes(value)
    return value.encode("utf-8", "surrogateescape") if value.__class__ is str else None


def text_of(value: Any) -> str | None:
    """The text of a str or of UTF-8 octets; None where there is none."""
    if value.__class__ is bytes:
        try:
            return bytes.decode(value)
        except UnicodeDecodeError:
            return None
    return value if isinstance(value, str) else None


@condition(
    "shortstr",
    quick={
        "str": "len({0}) < 256 and {0}.isascii() and '\\0' not in {0}",
        "bytes": "len({0}) < 256 and {0}.isascii() and 0 not in {0}",
    },
)
def shortstr(value: Any) -> bool:
    """The page's own condition: fewer than 256 octets, valid UTF-8, no NUL.

    >>> shortstr("é"), shortstr(b"\\xff"), shortstr("a\\0")
    (True, False, False)
    """
    if value.__class__ is bytes:
        if len(value) > 255 or 0 in value:
            return False
        return value.isascii() or text_of(value) is not None
    return shortstr_fault(value) is None


@condition("over-256-octets")
def over_256_octets(value: Any) -> bool:
    """The page's "> 256 bytes", to the letter: exactly 256 is not over.

    >>> over_256_octets("a" * 256), over_256_octets("a" * 257)
    (False, True)
    """
    octets = _octets(value)
    return octets is not None and len(octets) > 256


@condition("under-256-octets")
def under_256_octets(value: Any) -> bool:
    """The length alone (what RabbitMQ's code mostly checks where the page says shortstr).

    >>> under_256_octets(b"a\\0")
    True
    """
    octets = _octets(value)
    return octets is not None and len(octets) < 256


@condition("utf8-up-to-4096")
def utf8_up_to_4096(value: Any) -> bool:
    """Up to 4096 octets of valid UTF-8 without NUL (rabbit_mc: longstr that becomes text).

    >>> utf8_up_to_4096(b"a" * 4096), utf8_up_to_4096(b"a" * 4097)
    (True, False)
    """
    return len(value) <= 4096 and 0 not in value and text_of(value) is not None


@condition("utf8-without-nul")
def utf8_without_nul(value: Any) -> bool:
    """Valid UTF-8 without NUL.

    >>> utf8_without_nul(b"a"), utf8_without_nul(b"\\0")
    (True, False)
    """
    text = text_of(value)
    return text is not None and "\0" not in text


@condition("utf8")
def utf8(value: Any) -> bool:
    """Valid UTF-8.

    >>> utf8(b"\\xff")
    False
    """
    text = text_of(value)
    return text is not None and (text.isascii() or not any("\ud800" <= c <= "\udfff" for c in text))


@condition("ascii", inline="{0}.isascii()")
def ascii_only(value: Any) -> bool:
    """Octets 0 to 127 only.

    >>> ascii_only("é")
    False
    """
    return value.isascii()  # type: ignore[no-any-return]  # of text and octets a bool


@condition("ascii-under-256")
def ascii_under_256(value: Any) -> bool:
    """ASCII of fewer than 256 octets.

    >>> ascii_under_256("text/plain")
    True
    """
    return bool(value.isascii()) and len(value) < 256


@condition("finite", inline="isfinite({0})")
def finite(value: Any) -> bool:
    """Neither NaN nor an infinity.

    >>> finite(float("nan"))
    False
    """
    return isfinite(value)


@condition("one-section", quick={"body": "{0}.__class__ is Data and len({0}.sections) == 1"})
def one_section(value: Any) -> bool:
    """A body of a single data section.

    >>> one_section(Data([b"a"])), one_section(Data([b"a", b"b"]))
    (True, False)
    """
    return value.__class__ in (Data, AmqpSequence) and len(value.sections) == 1


@condition("binary-value")
def binary_value(value: Any) -> bool:
    """An amqp-value body that holds a binary."""
    return bool(value.value.type == "binary")


@condition("string-value")
def string_value(value: Any) -> bool:
    """An amqp-value body that holds a string."""
    return bool(value.value.type == "string")


_URN_UUID = re.compile(r"urn:uuid:[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\Z")


@condition("urn-uuid", rare="len({0}) == 45", samples={"a uuid URN": "urn:uuid:550e8400-e29b-41d4-a716-446655440000"})
def urn_uuid(value: Any) -> bool:
    """A valid uuid URN: `urn:uuid:` in lower case, then 8-4-4-4-12 hex digits (RFC 9562 section 4).

    >>> urn_uuid("urn:uuid:550e8400-e29b-41d4-a716-446655440000"), urn_uuid(b"urn:uuid:1")
    (True, False)
    """
    if len(value) != 45:
        return False
    text = value if value.__class__ is str else text_of(value)
    return text is not None and _URN_UUID.match(text) is not None


_DIGITS = re.compile(r"[+-]?[0-9]+\Z")


@condition("number", quick={"str": "len({0}) < 256 and {0}.isascii() and {0}.isdecimal()"})
def number(value: Any) -> bool:
    """Decimal text with an optional sign, in what a short string can hold.

    >>> number("+5"), number(b"007"), number("5.0")
    (True, True, False)
    """
    if len(value) > 255:
        return False
    text = value if value.__class__ is str else text_of(value)
    return text is not None and _DIGITS.match(text) is not None


@condition("unsigned-number", samples={"a number": "60000"})
def unsigned_number(value: Any) -> bool:
    """Decimal text of a number that is not negative.

    >>> unsigned_number("5"), unsigned_number("-1")
    (True, False)
    """
    return number(value) and int(value) >= 0


@condition("array-of-plain")
def array_of_plain(value: Any) -> bool:
    """An array that RabbitMQ converts to AMQP 0.9.1: an empty one, or of elements on which its code does not fail, which it
    does on ulong, char, uuid, decimals, arrays and described values (DIFFERENCES A22 to A25).

    >>> from mqconvert.converters.model.values import Array
    >>> array_of_plain(Array("int", [1])), array_of_plain(Array("ulong", [1])), array_of_plain(Array("ulong", []))
    (True, False, True)
    """
    return not value.values or (value.of not in _NOT_PLAIN and not value.descriptors)


_NOT_PLAIN = frozenset(("ulong", "char", "uuid", "array", "described", "decimal32", "decimal64", "decimal128"))


@condition("set")
def is_set(value: Any) -> bool:
    """A flag that is given: neither 0 nor false.

    >>> is_set(1), is_set(0)
    (True, False)
    """
    return bool(value)


@condition("is-zero")
def is_zero(value: Any) -> bool:
    """0 or false.

    >>> is_zero(0)
    True
    """
    return not value


@condition("octet-number")
def octet_number(value: Any) -> bool:
    """An integer of one octet.

    >>> octet_number(255), octet_number(-1), octet_number(True)
    (True, False, False)
    """
    return value.__class__ is int and 0 <= value <= 255


@condition("legal-topic")
def legal_topic(value: Any) -> bool:
    """A topic name without wildcards.

    >>> legal_topic("a/b"), legal_topic("#")
    (True, False)
    """
    return topic_fault(value) is None


@condition("format-set")
def format_set(value: Any, indicator: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The Payload Format Indicator that is read beside the payload is 1 (MQTT 5.0 section 3.3.2.3.2)."""
    return bool(indicator == 1)


@condition("format-set-utf8", rare="{1} == 1")
def format_set_utf8(value: Any, indicator: Any) -> bool:
    """The Payload Format Indicator is 1 and the payload is UTF-8, as it says.

    >>> format_set_utf8(b"a", 1), format_set_utf8(b"\\xff", 1), format_set_utf8(b"a", None)
    (True, False, False)
    """
    return indicator == 1 and utf8(value)


@condition("says-text", rare="{0} == 1")
def says_text(value: Any, payload: Any) -> bool:
    """A Payload Format Indicator that is 1, beside a payload that is UTF-8.

    >>> says_text(1, b"a"), says_text(1, b"\\xff"), says_text(0, b"a")
    (True, False, False)
    """
    return format_set_utf8(payload, value)


@condition("set-beside")
def set_beside(value: Any, beside: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The place that is read beside the value is set.

    >>> set_beside(1, None), set_beside(1, "c")
    (False, True)
    """
    return beside is not None


@condition("up-to-ten-years", samples={"a number": "60000"})
def up_to_ten_years(value: Any) -> bool:
    """Decimal text of at most ten years in milliseconds, which is what RabbitMQ takes as an expiration.

    >>> up_to_ten_years("315360000000"), up_to_ten_years("315360000001"), up_to_ten_years("-1")
    (True, False, False)
    """
    return number(value) and 0 <= int(value) <= 315_360_000_000


@condition("amqp-1.0-type")
def amqp10_type(value: Any, type_: Any) -> bool:  # noqa: ARG001 - conditions get the value first
    """The `type` that is read beside the payload says that it holds AMQP 1.0 sections."""
    return bool(type_ == "amqp-1.0")


@condition("begins-x")
def begins_x(value: Any) -> bool:
    """A key that begins with `x-`.

    >>> begins_x("x-a"), begins_x("X-a")
    (True, False)
    """
    return bool(value.startswith("x-"))

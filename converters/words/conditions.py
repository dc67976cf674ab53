"""Conditions: the words for a row's `when`, each a total and pure function with an example.

A condition gets the value (of any type that the row admits) and the values of the row's `reads`; it returns True or False.
"""

import re
from typing import Any, Final

from mqconvert.converters.model.bodies import AmqpValue
from mqconvert.converters.model.plain import shortstr_fault, text_of
from mqconvert.converters.model.values import Array, Entry, TypedValue
from mqconvert.converters.words import condition
from mqconvert.converters.words.literals import some_text


@condition(
    "shortstr",
    quick={
        "str": "len({0}) < 256 and {0}.isascii() and '\\0' not in {0}",
        "bytes": "len({0}) < 256 and {0}.isascii() and 0 not in {0}",
    },
)
def shortstr(value: object) -> bool:
    """Match the condition of RabbitMQ's page: fewer than 256 bytes, valid UTF-8, no NUL.

    >>> shortstr("é"), shortstr(b"\\xff"), shortstr("a\\0")
    (True, False, False)
    """
    if value.__class__ is bytes:
        if len(value) > 255 or 0 in value:
            return False
        return value.isascii() or text_of(value) is not None
    return shortstr_fault(value) is None


@condition("utf8", quick={"bytes": "{0}.isascii()", "str": "{0}.isascii()"})
def utf8(value: object) -> bool:
    """Match valid UTF-8.

    >>> utf8(b"\\xff")
    False
    """
    text = text_of(value)
    return text is not None and (text.isascii() or not any(0xD800 <= ord(c) <= 0xDFFF for c in text))


@condition("array-of-plain")
def array_of_plain(value: Any) -> bool:
    """Match an array that RabbitMQ converts to AMQP 0.9.1.

    Its code fails on elements of type ulong, char, uuid, decimal, array and described (decisions.md A22 to A25).

    >>> from mqconvert.converters.model.values import Array
    >>> array_of_plain(Array("int", [1])), array_of_plain(Array("ulong", [1])), array_of_plain(Array("ulong", []))
    (True, False, True)
    """
    return not value.values or (value.of not in _NOT_PLAIN and not value.descriptors)


_NOT_PLAIN: Final = frozenset(("ulong", "char", "uuid", "array", "described", "decimal32", "decimal64", "decimal128"))


@condition("text-beside")
def text_beside(_value: object, beside: bytes) -> bool:
    """Match if the bytes that the row reads are text in UTF-8.

    >>> text_beside(1, b"a"), text_beside(1, b"\\xff")
    (True, False)
    """
    return utf8(beside)


@condition("value-of", some_text)
def value_of(type_: str, value: object) -> bool:
    """Match an amqp-value body whose value, or an array whose values, have that type.

    >>> value_of("null", Array("null", [])), value_of("null", Array("int", [1]))
    (True, False)
    """
    if isinstance(value, AmqpValue):
        return value.value.type == type_
    return isinstance(value, Array) and value.of == type_


@condition("same-beside")
def same_beside(value: object, beside: object) -> bool:
    """Match if the place that the row reads, such as the caller's address or an annotation, has the same value, or text.

    >>> same_beside("a", "a"), same_beside("a", None), same_beside("a", TypedValue("string", "a")), same_beside("a", b"a")
    (True, False, True, True)
    """
    held = beside.value if beside.__class__ in (Entry, TypedValue) else beside
    return bool(value == held or ({value.__class__, held.__class__} == {bytes, str} and text_of(value) == text_of(held)))


_WHOLE_SECONDS: Final = re.compile("0|[1-9][0-9]*000")


@condition("in-whole-seconds")
def in_whole_seconds(value: object) -> bool:
    """Match milliseconds, a number or its decimal text, without a fraction of a second.

    >>> in_whole_seconds(7000), in_whole_seconds("7001"), in_whole_seconds("+7000")
    (True, False, False)
    """
    return _WHOLE_SECONDS.fullmatch(str(value)) is not None

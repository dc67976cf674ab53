"""Words for the tables of all four brokers: addresses and their escapes, constants, comparisons with other places.

Words for the tables of one broker are in that broker's folder.
"""

import re
from typing import Any

from mqconvert.converters.model.plain import unicode_fault
from mqconvert.converters.model.values import Entry, TypedValue
from mqconvert.converters.words import NOT_MINE, NotMine, Partial, condition, transform
from mqconvert.converters.words.conditions import text_of


@transform("first-of-equal-keys", gives="list", loses=True)
def first_of_equal_keys(value: list[Entry]) -> list[Entry] | Partial:
    """Remove duplicate keys but the first. AMQP 1.0 forbids them (part 1 section 1.6.23); its decoder accepts them.

    >>> first_of_equal_keys([Entry("k", "int", 1), Entry("k", "int", 2)])
    Partial(value=[Entry(key='k', type='int', value=1)], reason='second equal keys: k')
    """
    if len({entry.key for entry in value}) == len(value):
        return value
    first: dict[Any, Entry] = {}
    second: dict[str, None] = {}
    for entry in value:
        if entry.key in first:
            second[str(entry.key)] = None
        else:
            first[entry.key] = entry
    return Partial(list(first.values()), f"second equal keys: {', '.join(second)}")


@condition("same-beside")
def same_beside(value: Any, beside: Any) -> bool:
    """Match if the place that the row reads, such as the caller's address or an annotation, has the same value.

    >>> same_beside("a", "a"), same_beside("a", None), same_beside("a", TypedValue("string", "a"))
    (True, False, True)
    """
    return bool(value == (beside.value if beside.__class__ in (Entry, TypedValue) else beside))


_PLAIN = frozenset(b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-")
_ESCAPED = re.compile(r"(?:[.a-zA-Z0-9-]|_[0-9A-F]{2})*\Z")


@transform("escaped-name", gives="str", passes=True)
def escaped_name(value: str) -> str | NotMine:
    """Escape bytes outside .a-zA-Z0-9- as `_` and two hex digits; a final #ephemeral stays. Invalid text passes on.

    >>> escaped_name("a/b_c#ephemeral")
    'a_2Fb_5Fc#ephemeral'
    """
    if unicode_fault(value) is not None:
        return NOT_MINE
    stem, suffix, rest = value.partition("#ephemeral")
    plain = (value, "") if rest else (stem, suffix)
    return "".join(chr(byte) if byte in _PLAIN else f"_{byte:02X}" for byte in plain[0].encode()) + plain[1]


@transform("unescaped-name", gives="str", passes=True)
def unescaped_name(value: str) -> str | NotMine:
    """Return the original of an escaped name; other names pass to the next row.

    >>> unescaped_name("a_2Fb"), unescaped_name("a_b") is NOT_MINE
    ('a/b', True)
    """
    stem, suffix, rest = value.partition("#ephemeral")
    if rest or not _ESCAPED.match(stem):
        return NOT_MINE
    first, *parts = stem.split("_")
    raw = first.encode() + b"".join(bytes.fromhex(part[:2]) + part[2:].encode() for part in parts)
    text = text_of(raw)
    return NOT_MINE if text is None else text + suffix


@condition("name-stays")
def name_stays(value: Any, asked: Any) -> bool:
    """Match a legal name that stays: escapes are off, or it does not look like an escaped name.

    >>> name_stays("a_b", True), name_stays("a_2Fb", True), name_stays("a_2Fb", False)
    (True, False, True)
    """
    return not asked or unescaped_name(value) in (NOT_MINE, value)

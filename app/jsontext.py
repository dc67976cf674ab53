"""Strict JSON in and compact ASCII JSON out. msgspec does both if it is installed (extra `fast`), else the standard library.

Both give the same values, the same bytes and the same errors. msgspec reads numbers exactly. The standard library reads text
that msgspec refuses (lone surrogates, UTF-16), or raises the error. msgspec writes UTF-8 and another form of floats, so the
standard library writes values beyond ASCII and values that may have floats.
"""

import json
import re
from collections.abc import Callable
from functools import cache
from typing import Any

from mqconvert.converters.model.jsonobject import STRICT


@cache
def fast() -> tuple[Callable[[bytes], object], Callable[[object], bytes]] | None:
    """Return msgspec's functions for reading and writing; None if the extra is not installed."""
    try:
        import msgspec  # noqa: PLC0415 - takes 20 ms
    except ImportError:
        return None
    return msgspec.json.Decoder().decode, msgspec.json.Encoder().encode


_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def read_json(data: bytes) -> Any:
    """Return the value of JSON.

    Raises ValueError for invalid JSON, also for numbers such as NaN and for a key twice in an object, and RecursionError.

    >>> read_json(b'{"id": 18446744073709551616}')
    {'id': 18446744073709551616}
    >>> read_json(b'{"id": NaN}')
    Traceback (most recent call last):
    ValueError: NaN is not a JSON number
    """
    if (functions := fast()) is not None:
        try:
            found = functions[0](data)
        except (ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
            found = None
        # msgspec takes the last of equal keys. Text has as many members as the value, or more: then the other reader decides.
        if found is not None and _members(found) == len(_MEMBER.findall(data)):
            return found
    return STRICT.decode(data.decode(json.detect_encoding(data), "surrogatepass"))  # like json.loads


_MEMBER = re.compile(rb'"[ \t\n\r]*:')
"""The end of a key. Quotes in strings follow a backslash, so that strings may add matches and hide none."""


def _members(value: object) -> int:
    """Return the number of members of all objects in a value."""
    count, left = 0, [value]
    while left:
        one = left.pop()
        if one.__class__ is dict:
            count += len(one)
            left.extend(one.values())
        elif one.__class__ is list:
            left.extend(one)
    return count


def write_json(value: object, *, floats: bool = True) -> bytes:
    """Return a value as JSON in ASCII without blanks. `floats` says whether the value may have floats.

    Raises ValueError for a float that JSON cannot write, and RecursionError.

    >>> write_json({"id": "\\u00e9", "wire": "MAYAAXQAaGk="}, floats=False)
    b'{"id":"\\\\u00e9","wire":"MAYAAXQAaGk="}'
    """
    if not floats and (functions := fast()) is not None:
        try:
            made = functions[1](value)
        except (TypeError, ValueError):  # a subclass of str, or a lone surrogate
            made = b"\x7f"
        if made.isascii() and b"\x7f" not in made:  # `json` escapes DEL, msgspec does not
            return made
    return _encode(value).encode()

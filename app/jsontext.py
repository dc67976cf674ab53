"""Strict JSON in and compact ASCII JSON out. msgspec does it where it is installed (extra `fast`), else the standard library.

Both give the same values, the same bytes and the same errors. msgspec reads numbers exactly; text that it refuses goes to
the standard library, which reads more (half a surrogate pair, UTF-16) or raises the error. msgspec writes UTF-8 and another
spelling of floats, so the standard library writes values beyond ASCII, and those that may hold floats.
"""

import json
import math
from collections.abc import Callable
from functools import cache
from typing import Any


@cache
def _fast() -> tuple[Callable[[bytes], Any], Callable[[Any], bytes]] | None:
    """Return msgspec's functions that read and write; None where the extra is not installed."""
    try:
        import msgspec  # noqa: PLC0415 - takes 20 ms
    except ImportError:
        return None
    return msgspec.json.Decoder().decode, msgspec.json.Encoder().encode


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is no number of JSON")


def _finite(text: str) -> float:
    number = float(text)
    if math.isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number


DECODER = json.JSONDecoder(parse_constant=_no_number, parse_float=_finite)
"""The standard library's reader, which here refuses numbers that JSON cannot write (NaN, Infinity, 1e999)."""
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode


def read_json(data: bytes) -> Any:
    """Return the value of JSON.

    Raises ValueError for anything else, including numbers that JSON cannot write, and RecursionError.

    >>> read_json(b'{"id": 18446744073709551616}')
    {'id': 18446744073709551616}
    >>> read_json(b'{"id": NaN}')
    Traceback (most recent call last):
    ValueError: NaN is no number of JSON
    """
    if (fast := _fast()) is not None:
        try:
            return fast[0](data)
        except (ValueError, RecursionError):  # msgspec.DecodeError is a ValueError
            pass
    return DECODER.decode(data.decode(json.detect_encoding(data), "surrogatepass"))  # like json.loads


def write_json(value: Any, *, floats: bool = True) -> bytes:
    """Return a value as JSON without blanks, in ASCII. `floats` tells whether the value may hold floats.

    Raises ValueError for a float that JSON cannot write, and RecursionError.

    >>> write_json({"id": "\\u00e9", "wire": "MAYAAXQAaGk="}, floats=False)
    b'{"id":"\\\\u00e9","wire":"MAYAAXQAaGk="}'
    """
    if not floats and (fast := _fast()) is not None:
        try:
            made = fast[1](value)
        except (TypeError, ValueError):  # a subclass of str, or a lone surrogate
            made = b"\x7f"
        if made.isascii() and b"\x7f" not in made:  # `json` escapes DEL, msgspec does not
            return made
    return _encode(value).encode()

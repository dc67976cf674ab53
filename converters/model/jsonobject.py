"""Strict JSON, and JSON objects in wire bytes, which are bounded in depth. jsonform.py has the JSON form of our own values."""

import json
import re
import sys
from collections.abc import Iterator
from math import isinf
from typing import Any

from mqconvert.converters.model.jsonform import JsonObject
from mqconvert.converters.model.values import MAX_DEPTH


def _no_number(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")


def _finite(text: str) -> float:
    number = float(text)
    if isinf(number):
        raise ValueError(f"{text} is too large a number")
    return number


class _Decoder(json.JSONDecoder):
    def raw_decode(self, s: str, idx: int = 0) -> tuple[Any, int]:
        if idx >= len(s):
            raise json.JSONDecodeError("the text is empty", s, idx)
        try:
            return super().raw_decode(s, idx)
        except RecursionError:
            raise RecursionError("nested too deep") from None
        except ValueError as error:
            if "set_int_max_str_digits" not in str(error):
                raise
            raise ValueError(f"a number of more than {sys.get_int_max_str_digits()} digits") from None


DECODER = _Decoder(parse_constant=_no_number, parse_float=_finite)
"""The standard library's reader, set to refuse numbers outside JSON (NaN, Infinity, 1e999)."""


def _once(pairs: list[tuple[str, Any]]) -> JsonObject:
    """Return the members of an object; ValueError for a key that it has twice."""
    members = dict(pairs)
    if len(members) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise ValueError(f"the key {key!r:.80} twice in one object")
            seen.add(key)
    return members


STRICT = _Decoder(parse_constant=_no_number, parse_float=_finite, object_pairs_hook=_once)
"""The same reader, which also refuses an object that has a key twice: for JSON that becomes messages."""


_TOLERANT = _Decoder(parse_constant=_no_number, parse_float=_finite, strict=False)
"""The same reader, which also accepts control characters in strings."""


def json_object(text: str, *, controls: bool = False) -> JsonObject:
    """Return the object of JSON text; ValueError with the fault of any other text. Strings may have lone surrogates, and with
    `controls` unescaped control characters.

    >>> json_object('{"a": [1]}')
    {'a': [1]}
    >>> json_object('{"a": 1e999}')
    Traceback (most recent call last):
    ValueError: not JSON
    """
    try:
        found = (_TOLERANT if controls else DECODER).decode(text)
    except (ValueError, RecursionError):
        raise ValueError("not JSON") from None
    if not isinstance(found, dict):
        raise ValueError("not a JSON object")  # noqa: TRY004 - a fault of the text, like the others
    if text.count("{") + text.count("[") > MAX_DEPTH and not is_shallow(found):
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    return found


_SPACE = re.compile(r"[ \t\n\r]*")


def members_at(data: bytes, at: int) -> Iterator[tuple[str, int, int, int]]:
    """Yield the members of an object in valid JSON: the name, and the offsets of the member, of its value and behind both.

    >>> list(members_at(b' {"a": [1], "b":2}', 1))
    [('a', 2, 7, 10), ('b', 12, 16, 17)]
    """
    text = data.decode("latin-1")  # a character for each byte
    at = _behind_space(text, at + 1)
    while text[at] != "}":
        _, after = _TOLERANT.raw_decode(text, at)
        name = json_text(data[at + 1 : after - 1])
        value = _behind_space(text, _behind_space(text, after) + 1)
        _, end = _TOLERANT.raw_decode(text, value)
        yield name, at, value, end
        at = _behind_space(text, end)
        if text[at] == ",":
            at = _behind_space(text, at + 1)


def json_text(raw: bytes) -> str:
    r"""Return the text of a string in valid JSON, without its quotes.

    >>> json_text(rb"a\u00e9")
    'aé'
    """
    text: str = _TOLERANT.decode(f'"{raw.decode()}"')
    return text


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found is not None else at


def is_shallow(value: Any) -> bool:
    """Return whether objects and arrays nest up to MAX_DEPTH.

    >>> is_shallow({"a": [1]}), is_shallow(json.loads("[" * 200 + "]" * 200))
    (True, False)
    """
    level = [value]
    for _ in range(MAX_DEPTH):
        inner = [part for outer in level for part in (outer.values() if isinstance(outer, dict) else outer)]
        level = [part for part in inner if isinstance(part, dict | list)]
        if not level:
            return True
    return False


def has_lone_surrogate(value: object) -> bool:
    """Return whether a string in a JSON value cannot be encoded as UTF-8.

    >>> has_lone_surrogate({"a": "\\ud800"}), has_lone_surrogate({"a": "é"})
    (True, False)
    """
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return True
    return False

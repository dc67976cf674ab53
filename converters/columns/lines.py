"""JSON lines whose members stay as they are: a worker finds the wire value in the text, and never writes the others anew."""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from mqconvert.converters.columns.loop import Columns
from mqconvert.converters.errors import DecodeError

CORRUPT = "_corrupt_record"
"""The member for a line that is not a JSON object, as Spark names it."""

_READER = json.JSONDecoder(parse_float=str, parse_int=str)  # numbers of any length
_SPACE = re.compile(r"[ \t\r\n]*")


def read_object(line: str) -> dict[str, Any] | None:
    """Return the members of a line, numbers as text; None if it is not a JSON object.

    >>> read_object(' {"a": 0.10}'), read_object("[1]"), read_object('{"a": 1} 2')
    ({'a': '0.10'}, None, None)
    """
    try:
        found = _READER.decode(line)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


@dataclass(frozen=True, slots=True)
class Line:
    """The wire value in a JSON line: the names that lead to it, and the function that returns the bytes of its text."""

    path: tuple[str, ...]
    raw: Callable[[object], bytes]

    def wire(self, line: Any) -> bytes:
        """Return the wire value. Raises DecodeError, `no_wire` for a line without it."""
        found: Any = read_object(line or "")
        for name in self.path:
            found = found.get(name) if isinstance(found, dict) else None
        if found is not None and not isinstance(found, str):
            raise DecodeError("wrong_column_type", f"the wire value is a JSON {type(found).__name__}, not text")
        return self.raw(found)

    def rest(self, line: str) -> str:
        """Return a line with null as its wire value.

        >>> Line(("m", "w"), bytes).rest('{"w": 1, "m": {"w": "aGk=", "n": 1.50}}')
        '{"w": 1, "m": {"w": null, "n": 1.50}}'
        """
        start = end = 0
        for name in self.path:
            start, end = _value(line, start, name)
        return f"{line[:start]}null{line[end:]}"

    def kept(self, lines: pa.Array, made: Columns) -> pa.Array:
        """Return the line for each new row: always an object, and without the wire where the row does not keep it."""
        row = made.before()
        texts: list[str | None] = []
        rest: tuple[int, str | None] = (-1, None)
        for index, error, keeps in zip(made.index, made.error, made.wire, strict=True):
            row += not index
            if keeps:
                text = lines[row].as_py()
                texts.append(text if error is None else _object(text))
                continue
            if rest[0] != row:
                rest = row, self.rest(lines[row].as_py())
            texts.append(rest[1])
        return pa.array(texts, lines.type)


def _object(line: str | None) -> str:
    text = line or ""
    return text if read_object(text) is not None else json.dumps({CORRUPT: text})


def _value(text: str, at: int, name: str) -> tuple[int, int]:
    """Return start and end of the value of a member in the object at a place, the last one of that name."""
    found, at = (at, at), _skip(text, at) + 1
    while text[_skip(text, at)] != "}":
        key, at = _READER.raw_decode(text, _skip(text, at))
        start = _skip(text, _skip(text, at) + 1)
        _, at = _READER.raw_decode(text, start)
        if key == name:
            found = start, at
        at = _skip(text, at)
        at += text[at] == ","
    return found


def _skip(text: str, at: int) -> int:
    space = _SPACE.match(text, at)
    return at if space is None else space.end()

"""Terms of Erlang as `term_to_binary` writes them (External Term Format, erl_ext_dist), as far as brokers store them.

Atoms are Atom, binaries bytes, tuples tuples, lists lists, maps dicts.
"""

from collections.abc import Callable
from struct import error as StructError  # noqa: N812 - a class with a lower-case name
from struct import unpack_from
from typing import Any, Final

from mqconvert.converters.errors import DecodeError

DEEPEST: Final = 200
"""The most levels of a term."""


class Atom(str):
    """An atom."""

    __slots__ = ()


def term(data: bytes) -> Any:
    """Return the term in `data`, from the version byte to the end. Raises DecodeError.

    >>> term(bytes.fromhex("836802 7702 6f6b 6107"))
    ('ok', 7)
    """
    if data[:1] != b"\x83":
        raise DecodeError("bad_magic", "no term of Erlang", offset=0)
    try:
        value, end = _term(data, 1, DEEPEST)
    except (IndexError, StructError, UnicodeDecodeError, TypeError):  # TypeError: a key of a map that is no key
        raise DecodeError("truncated", "a term of Erlang that ends early", offset=len(data)) from None
    if end != len(data):
        raise DecodeError("bad_length", "a term of Erlang that ends elsewhere", offset=end)
    return value


Found = tuple[Any, int]


def _term(data: bytes, at: int, levels: int) -> Found:
    """Return the term whose tag is at an offset, and the offset behind it."""
    tag = data[at]
    if not levels:
        raise DecodeError("nesting", f"terms nest deeper than {DEEPEST}", offset=at)
    if tag in _PLAIN:
        return _PLAIN[tag](data, at + 1)
    if tag in _MEMBERS:
        return _compound(tag, data, at + 1, levels - 1)
    raise DecodeError("unknown_type", f"a term of Erlang with the tag {tag}", offset=at)


def _packed(layout: str, size: int) -> Callable[[bytes, int], Found]:
    return lambda data, at: (unpack_from(layout, data, at)[0], at + size)


def _sized(layout: str, size: int, made: Callable[[bytes], Any]) -> Callable[[bytes, int], Found]:
    """Return what reads bytes behind their size."""

    def read(data: bytes, at: int) -> Found:
        end = at + size + unpack_from(layout, data, at)[0]
        if end > len(data):
            raise IndexError
        return made(data[at + size : end]), end

    return read


def _big(data: bytes, at: int) -> Found:
    size, sign = data[at], data[at + 1]
    end = at + 2 + size
    if end > len(data):
        raise IndexError
    number = int.from_bytes(data[at + 2 : end], "little")
    return -number if sign else number, end


def _atom(raw: bytes) -> Atom:
    return Atom(raw.decode())


_PLAIN: Final[dict[int, Callable[[bytes, int], Found]]] = {
    70: _packed(">d", 8),
    97: _packed(">B", 1),
    98: _packed(">i", 4),
    100: _sized(">H", 2, _atom),
    106: lambda _data, at: ([], at),
    107: _sized(">H", 2, list),  # a list of bytes
    109: _sized(">I", 4, bytes),
    110: _big,
    115: _sized(">B", 1, _atom),
    118: _sized(">H", 2, _atom),
    119: _sized(">B", 1, _atom),
}
"""What reads a term without others in it, by its tag."""
_TUPLE, _LARGE_TUPLE, _LIST, _MAP = 104, 105, 108, 116
_MEMBERS: Final = frozenset((_TUPLE, _LARGE_TUPLE, _LIST, _MAP))


def _compound(tag: int, data: bytes, at: int, levels: int) -> Found:
    count, at = (data[at], at + 1) if tag == _TUPLE else (unpack_from(">I", data, at)[0], at + 4)
    members: list[Any] = []
    for _ in range(2 * count if tag == _MAP else count):
        member, at = _term(data, at, levels)
        members.append(member)
    if tag == _LIST:
        _, at = _term(data, at, levels)  # the tail, an empty list
        return members, at
    if tag == _MAP:
        return dict(zip(members[::2], members[1::2], strict=True)), at
    return tuple(members), at

"""Shapes: how the fields of a group, or the values of a union, stand in bytes. Each prints its readers and writers.

| shape | bytes | users |
|---|---|---|
| of fields (groups.py) | | |
| `Flagged` | flags that say which fields are there, then these fields in their order | AMQP 0.9.1: properties |
| `Tagged` | fields in any order, each behind its tag of one byte | MQTT 5: properties |
| `Record` | fields one after the other, each always there | RocketMQ: records, requests; PHPMQ: packets; NSQ: PUB, DPUB |
| of values behind the codes of their types (coded.py) | | |
| `Coded` | one value behind the code of its type | AMQP 0.9.1: values of field tables; AMQP 1.0: all values |
| `Positional` | a list of fields in their order, each a value behind its code, with nulls | AMQP 1.0: header, properties |
| others (here) | | |
| `Fixed` | values of fixed sizes one after the other | NSQ, RocketMQ, Pulsar: the first bytes of frames |

A shape is a description, and `functions()` gives the nodes of its functions; converters/wire/layouts.py prints them. The names
of fields and their wire types are those of the message class, so that a new field is one line there, and a form at most.
A layout may derive a further `function` from the fields of its messages, which calls those of its shapes.
A group that fits no shape stays a function of the protocol's codec: no shape without two users.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from struct import calcsize
from typing import Any, Protocol

from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Augment,
    Call,
    Declare,
    Display,
    Do,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Operation,
    Return,
    Statement,
    Statements,
    nodes_in,
)
from mqconvert.converters.printed.templates import code, line, lines, template
from mqconvert.converters.wire.forms import Form

AT = Name("at")
_TYPES = {
    "data": "bytes", "at": "i64", "end": "i64", "flags": "i64", "depth": "i64", "out": "Writer", "type_": "str", "value": "Any",
    "count": "i64", "code": "i64", "room": "Any", "bits": "i64", "text": "str",
    "texts": "list[str | None]", "pieces": "list[bytes]", "batch": "bool", "found": "dict[str, Any]", "into": "Any",
}  # fmt: skip
"""The types of parameters, for the compiler."""
_LOCALS = {
    "after": "i64", "value": "Any", "value_at": "i64", "size": "i64", "number": "i64", "text": "str", "key": "str",
    "raw": "bytes", "code": "i64", "whole": "int", "known": "TypedValue", "type_": "str",
}  # fmt: skip
"""The types of local variables."""


def function(name: str, words: str, parameters: str, answer: str, body: Sequence[Statement], of: str = "") -> Function:
    """Return a function with a docstring and the types of its names. `made` and `given` are messages of the class `of`."""
    names = tuple(parameters.split())
    types = tuple(template(_TYPES.get(each, of)) for each in names)
    used = {node.id for node in nodes_in(*body) if isinstance(node, Name)}.difference(names)
    declared = [Declare(local, template(type_)) for local, type_ in _LOCALS.items() if local in used]
    return Function(name, names, (Do(Literal(words)), *declared, *body), (*types, template(answer)))


def moved(after: Expression) -> Statement:
    """Return the statement that goes on at an offset."""
    match after:
        case Operation(Name("at"), "+", more):
            return Augment(AT, "+", more)
    return Assign(AT, after)


def read(form: Form, at: Expression, place: Expression) -> tuple[Statement, ...]:
    """Return the statements that read the value at an offset into its place, and go on behind it."""
    first, value, after = form.reading(at)
    return (*first, Assign(place, value), moved(after))


def spanned(field: str, form: Form, at: Expression = AT) -> tuple[Statement, ...]:
    """Return the statements that note the bytes of a field, whose value is at an offset, in `found`, and go on behind them."""
    first, _, after = form.reading(at)
    note = "found.setdefault({0}, []).append((at, {1}))" if form.many else "found[{0}] = at, {1}"
    return (*first, line(note, Literal(field), after), moved(after))


Places = Mapping[str, Expression]
"""Where the values of fields are, by the names of the fields."""
Blocks = Mapping[str, tuple[Statement, ...]]
"""The statements of fields that are read in another way than their forms', and go on behind the field."""
Given = Mapping[str, Expression | If | None]
"""The places of fields that are written; None for a field that is not.

A field that is written in another way than its form's has a test whether it is set, with the statements.
"""


def attributes(message: str, of: type[Any]) -> dict[str, Expression]:
    """Return the fields of a message in a variable."""
    return {field.name: Attribute(Name(message), field.name) for field in fields(of)}


def if_set(
    given: Expression | If | None, written: Sequence[Statement], path: str, before: Sequence[Statement] = ()
) -> Statements:
    """Return the statements that write a field that is set; `value` is its value. With a path, they set `field` for errors."""
    if given is None:
        return []
    if isinstance(given, If):
        return [If(given.test, (*before, *given.body))]
    named = [Assign(Name("field"), Literal(path))] if path else []
    return [*named, If(code("(value := {0}) is not None", given), (*before, *written))]


class Written(Protocol):
    """A shape whose fields are written one by one."""

    @property
    def name(self) -> str: ...
    @property
    def of(self) -> type[Any]: ...
    def writing(self, given: Given, *, careful: bool = False) -> Sequence[Statement]: ...


def writers(shape: Written, words: str, parameters: str, failed: str = "FAILED") -> Iterator[Function]:
    """Yield `write_NAME`, which writes without checks, and where that has `failed` once more: `write_NAME_carefully`.

    The EncodeError of the second names the field.
    """
    name, of, given = shape.name, shape.of.__name__, attributes("given", shape.of)
    carefully = f"write_{name}_carefully"
    fast = lines(
        """
        start: i64 = len(out)
        try:
            {body}
        except {failed}:
            out.truncate(start)
            {again}
        """,
        body=shape.writing(given), failed=Name(failed), again=[Do(call(carefully, parameters))],
    )  # fmt: skip
    yield function(f"write_{name}", words, parameters, "None", fast, of)
    careful = lines(
        """
        field = ''
        try:
            {body}
        except EncodeError as error:
            raise within(error, field) from None
        """,
        body=shape.writing(given, careful=True),
    )
    yield function(carefully, f"{words} EncodeError names an invalid field.", parameters, "None", careful, of)


def call(name: str, parameters: str) -> Call:
    """Return the call of a function with the parameters of this one."""
    return Call(Name(name), tuple(map(Name, parameters.split())))


# ---- values of fixed sizes --------------------------------------------------------------------------------------------


_NUMBERS: Mapping[str, str] = {
    "B": "data[{0}]", "H": "read_u16(data, {0})", "I": "read_u32(data, {0})",
    "h": "read_i16(data, {0})", "i": "read_i32(data, {0})", "q": "read_i64(data, {0})",
}  # fmt: skip
"""How a number is read by its letter in a layout."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fixed:
    """Values of fixed sizes one after the other, read at once: `layout` is one of Python's `struct`, big-endian.

    It prints `read_NAME(data, at)`, which returns a tuple of the values: numbers, and bytes for letters like `16s`. Bytes that
    are missing raise IndexError or struct.error. Unsigned numbers of 8 bytes together, with padding (`x`), are read as one.
    Sources call `struct` itself, which is faster there (layouts.py).
    """

    name: str
    layout: str

    def functions(self) -> Iterator[Function]:
        """Yield the reader."""
        parts = [*self._parts()]
        size = calcsize(self.layout)
        if size == 8 and {letter for letter, _, _ in parts} <= set("BHI"):
            first = line("number = read_i64(data, at)")
            values = [
                code("number >> {0} & {1}", Literal(64 - 8 * end), Literal(2 ** (8 * (end - at)) - 1)) for _, at, end in parts
            ]
        else:
            first = line("if at + {0} > len(data): raise IndexError", Literal(size))
            values = [self._value(*part) for part in parts]
        types = ["bytes" if letter == "s" else "i64" for letter, _, _ in parts]
        words = f"Return the values of the layout {self.layout} at an offset."
        body = (first, Return(Display("()", tuple(values))))
        yield function(f"read_{self.name}", words, "data at", f"tuple[{', '.join(types)}]", body)

    def _parts(self) -> Iterator[tuple[str, int, int]]:
        """Yield the letter of each value with its offset and the one behind it."""
        end = 0
        for count, letter in re.findall(r"(\d*)([a-zA-Z])", self.layout):
            at, end = end, end + calcsize(f">{count}{letter}")
            if letter != "x":
                yield letter, at, end

    @staticmethod
    def _value(letter: str, at: int, end: int) -> Expression:
        first = code("at + {0}", Literal(at)) if at else AT
        if letter == "s":
            return code("data[{0} : at + {1}]", first, Literal(end))
        return code(_NUMBERS[letter], first)


class Shape(Protocol):
    """What a layout asks of its shapes."""

    def functions(self) -> Iterator[Function]:
        """Yield the nodes of the functions."""

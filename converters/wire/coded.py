"""Shapes of values behind the codes of their types: one value, or a list of fields."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from mqconvert.converters.printed.nodes import (
    Assign,
    Expression,
    Function,
    If,
    Literal,
    Name,
    Return,
    Statement,
    Statements,
    any_of,
    either,
    hexadecimal,
    literal,
)
from mqconvert.converters.printed.templates import code, line, lines
from mqconvert.converters.wire.forms import TOP, Form
from mqconvert.converters.wire.shapes import AT, Blocks, Given, Places, attributes, function, if_set, moved, writers

# ---- a value behind the code of its type ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A value of one of several types behind a code of one byte: `rows` has codes and form of each encoding.

    Rows stand in the order in which they are tried: frequent ones first. All codes of a row are read, the first is written; of
    a type with several encodings, the first that fits. The forms use the further `read_parameters` and `write_parameters`. It
    prints `read_NAME(code, data, at, ...)`, which returns type, value and the offset behind it, and `write_NAME(out, type_,
    value, ...)`; with `named` also `type_of_NAME(code)`, "" for no code. KeyError for a type without a row.
    `codec.unknown_code(code, at)` and `codec.bad_value(type_, value)` are the errors of a code without one, and of a value that
    its type cannot hold.
    """

    name: str
    rows: Mapping[bytes, Form]
    read_parameters: str
    write_parameters: str
    named: bool = False

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this union."""
        words = "Return type and value behind a code, and the offset behind them."
        parameters = f"code data at {self.read_parameters}"
        yield function(f"read_{self.name}", words, parameters, "tuple[str, object, i64]", self._reader())
        words = (
            "Write the code of a type and a value. KeyError for an unknown type, EncodeError for a value that it cannot hold."
        )
        yield function(f"write_{self.name}", words, f"out type_ value {self.write_parameters}", "None", self._writer())
        if self.named:
            words = "Return the type of a code, an empty text for an unknown one."
            yield function(f"type_of_{self.name}", words, "code", "str", self._names())

    def _reader(self) -> Statements:
        answers = {}
        for codes, form in self.rows.items():
            first, value, after = form.reading(AT, code("depth + 1"))
            answers[codes] = (*first, line("return {0}, {1}, {2}", Literal(form.type), value, after))
        return [*_by_code(answers), line("raise codec.unknown_code(code, at - 1)")]

    def _names(self) -> Statements:
        answers = {codes: (Return(Literal(form.type)),) for codes, form in self.rows.items()}
        return [*_by_code(answers), Return(Literal(""))]

    def _writer(self) -> tuple[Statement, ...]:
        types = dict.fromkeys(form.type for form in self.rows.values())
        by_type = {type_: _written(self.rows, type_, code("depth + 1")) for type_ in types}
        text = "try: {0}\nexcept UNFIT: raise codec.bad_value(type_, value) from None"
        return lines(text, _by_type(by_type, "KeyError"))


_FIRST = 8
"""The codes and types that are tried in their order."""


def _by_code(rows: Mapping[bytes, tuple[Statement, ...]]) -> Statements:
    """Return the statements of each code, which leave the function: of the first codes one by one, of the others by halves."""
    ways = list(rows.items())
    first = [If(_is_code(codes), body) for codes, body in ways[:_FIRST]]
    return [*first, *_by_halves(sorted((each, body) for codes, body in ways[_FIRST:] for each in codes))]


def _by_halves(rows: Sequence[tuple[int, tuple[Statement, ...]]]) -> Statements:
    """Return the statements of each code, found by binary search."""
    if len(rows) <= 3:
        return [If(_is_code(bytes((each,))), body) for each, body in rows]
    half = len(rows) // 2
    test = code("code < {0}", hexadecimal(rows[half][0]))
    return [If(test, tuple(_by_halves(rows[:half])), tuple(_by_halves(rows[half:])))]


def _is_code(codes: bytes) -> Expression:
    return any_of(code("code == {0}", hexadecimal(each)) for each in codes)


def _by_type(rows: Mapping[str, tuple[Statement, ...]], error: str) -> tuple[Statement, ...]:
    """Return the statements of each type, with an error for another type: of the first ones in order, then by their length."""
    ways = list(rows.items())
    by_length = sorted(ways[_FIRST:], key=lambda way: len(way[0]))
    return _tried(ways[:_FIRST], _by_length(by_length, lines("raise {0}(type_)", Name(error))))


def _by_length(rows: Sequence[tuple[str, tuple[Statement, ...]]], other: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the statements of types, which stand by length, found by binary search; `other` are those of another type."""
    lengths = [len(type_) for type_, _ in rows]
    half = next((at for at in range(len(rows) // 2, len(rows)) if lengths[at] != lengths[at - 1]), 0) if len(rows) > 3 else 0
    if not half:
        return _tried(rows, other)
    test = code("len(type_) < {0}", Literal(lengths[half]))
    return (If(test, _by_length(rows[:half], other), _by_length(rows[half:], other)),)


def _tried(rows: Sequence[tuple[str, tuple[Statement, ...]]], other: tuple[Statement, ...]) -> tuple[Statement, ...]:
    return either(((code("type_ == {0}", Literal(type_)), body) for type_, body in rows), other)


def _written(
    rows: Mapping[bytes, Form], type_: str, depth: Expression = TOP, *, careful: bool = False
) -> tuple[Statement, ...]:
    """Return the statements that write a value in the first of its type's encodings that fits."""
    encodings = {codes[0]: form for codes, form in rows.items() if form.type == type_ and form.write}
    written = either((form.fitting(), form.writing(depth, code=each)) for each, form in encodings.items())
    first = next(iter(encodings.values()))
    if careful and not first.careful:
        return (*lines("types[{0}].check(value, '')", Literal(type_)), *written)
    return (*_checked(first), *written)


def _checked(form: Form) -> tuple[Statement, ...]:
    """Return the test of a value's class, or of its fault."""
    type_ = Literal(form.type)
    refused = lines("raise codec.bad_value({0}, value)", type_)
    match form.takes:
        case "":
            return ()
        case "fitting":
            return (If(code("types[{0}].fault(value) is not None", type_), refused),)
    return (If(code("type(value) is not {0}", Name(form.takes)), refused),)


# ---- a list of fields -------------------------------------------------------------------------------------------------

_NULL, _EMPTY, _LARGE = hexadecimal(0x40), Literal(b"\x45"), hexadecimal(0xD0)
"""The codes of null, of an empty list, and of one with sizes of four bytes (AMQP 1.0 part 1 section 1.6)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Positional:
    """The fields of a class in their order, as a list of values behind their codes; null for an unset one before the last.

    `rows` has the encodings of values, as for `Coded`. The value of a field of several types is a TypedValue, which
    `codec.check_typed(value, types)` refuses if it is another. It prints `read_NAME(made, data, at, count, room)`, which
    returns the offset behind `count` fields; `codec.read_other(NAME, place, code, data, at, room)` reads a value of another
    type, or refuses it. `write_NAME(out, given, room)` writes `head` and the list; EncodeError names an invalid field.
    """

    name: str
    of: type[Any]
    rows: Mapping[bytes, Form]
    head: bytes
    path: str

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name = self.of.__name__
        words = f"Read the first fields of {name}, and return the offset behind them."
        yield function(f"read_{self.name}", words, "made data at count room", "i64", self._reader(), name)
        yield from writers(self, f"Write the fields of {name} as a list.", "out given room")

    def _reader(self) -> Statements:
        body: Statements = []
        for place, chain in enumerate(self._fields(attributes("made", self.of), {})):
            body += [*lines("if count == {0}: return at\ncode = data[at]", Literal(place)), *chain]
        return [*body, Return(AT)]

    def reading(self, into: Places, own: Blocks) -> Statements:
        """Return the statements that read `count` fields at `at`."""
        body: Statements = []
        for place, chain in enumerate(self._fields(into, own)):
            body += lines("if count > {0}:\n    code = data[at]\n    {1}", Literal(place), chain)
        return body

    def _fields(self, into: Places, own: Blocks) -> Iterator[tuple[Statement, ...]]:
        """Yield the statements that read each field behind its code."""
        null_or_other = """
            if code == {null}:
                at += 1
            else:
                value, at = codec.read_other({section}, {place}, code, data, at, room)
                {field} = value
            """
        for place, field in enumerate(fields(self.of)):
            types, ways = field.metadata["types"], []
            for codes, form in self.rows.items():
                if form.type in types:
                    first, value, after = form.reading(code("at + 1"))
                    value = value if len(types) == 1 else code("TypedValue({0}, {1})", Literal(form.type), value)
                    ways.append((_is_code(codes), (*first, Assign(into[field.name], value), moved(after))))
            holes = {"null": _NULL, "section": Literal(self.name), "place": Literal(place), "field": into[field.name]}
            yield own.get(field.name) or either(ways, lines(null_or_other, **holes))

    def writing(self, given: Given, *, careful: bool = False) -> tuple[Statement, ...]:
        """Return the statements that write the section with the fields that are set."""
        body: Statements = []
        for place, field in enumerate(fields(self.of)):
            nulls = lines("if count < {0}: out.write(codec.NULLS[{0} - count])", Literal(place)) if place else ()
            value = self._value(field.metadata["types"], careful=careful)
            written = (*nulls, *value, Assign(Name("count"), Literal(place + 1)))
            body += if_set(given[field.name], written, f"{self.path}{field.name}" if careful else "")
        text = """
            count: i64 = 0
            out.write({head})
            place: i64 = len(out)
            out.write(b'\\xc0\\0\\0')
            {body}
            if count:
                put_sizes(out, place, {large}, count)
            else:
                out.truncate(place)
                out.write({empty})
            """
        return lines(text, head=Literal(self.head), large=_LARGE, empty=_EMPTY, body=body)

    def _value(self, types: tuple[str, ...], *, careful: bool) -> tuple[Statement, ...]:
        if len(types) == 1:
            return _written(self.rows, types[0], careful=careful)
        checked = lines("codec.check_typed(value, {0})", literal(types)) if careful else ()
        by_type = _by_type({type_: _written(self.rows, type_, careful=careful) for type_ in types}, "ValueError")
        return (*checked, *lines("known = value\ntype_ = known.type\nvalue = known.value"), *by_type)

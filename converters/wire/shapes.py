"""Shapes: how the fields of a group, or the values of a union, stand in bytes. Each prints its readers and writers.

| shape | bytes | users |
|---|---|---|
| `Flagged` | flags that say which fields are there, then these fields in their order | AMQP 0.9.1: properties |
| `Tagged` | fields in any order, each behind its tag of one byte | MQTT 5: properties |
| `Positional` | a list of fields in their order, each a value behind its code, with nulls | AMQP 1.0: header, properties |
| `Coded` | one value behind the code of its type | AMQP 0.9.1: values of field tables; AMQP 1.0: all values |
| `Record` | fields one after the other, each always there | RocketMQ: records, requests; PHPMQ: packets; NSQ: PUB, DPUB |
| `Fixed` | values of fixed sizes one after the other | NSQ, RocketMQ, Pulsar: the first bytes of frames |
| `Lines` | those of other shapes, as the layout calls them | AMQP 1.0: sections; NSQ: message frames |

A shape is a description, and `functions()` gives the nodes of its functions; converters/wire/layouts.py prints them. The names
of fields and their wire types are those of the message class, so that a new field is one line there, and a form at most.
A group that fits no shape stays a function of the protocol's codec: no shape without two users.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from struct import calcsize
from typing import Any, Protocol

from mqconvert.converters.printed.nodes import (
    Assign,
    Attribute,
    Augment,
    Break,
    Call,
    Compare,
    Declare,
    Display,
    Do,
    Expression,
    Function,
    If,
    Junction,
    Literal,
    Name,
    Operation,
    Return,
    Statement,
    Statements,
    hexadecimal,
    literal,
    nodes_in,
)
from mqconvert.converters.printed.templates import code, line, lines, template
from mqconvert.converters.wire.forms import TOP, Form, Reading

AT, VALUE = Name("at"), Name("value")
_TYPES = {
    "data": "bytes", "at": "i64", "end": "i64", "flags": "i64", "depth": "i64", "out": "Writer", "type_": "str", "value": "Any",
    "count": "i64", "code": "i64", "room": "Any", "bits": "i64", "text": "str",
    "texts": "list[str | None]", "pieces": "list[bytes]", "batch": "bool", "found": "dict[str, Any]",
}  # fmt: skip
"""The types of parameters, for the compiler."""
_LOCALS = {
    "after": "i64", "value": "Any", "value_at": "i64", "size": "i64", "number": "i64", "text": "str", "key": "str",
    "raw": "bytes", "code": "i64", "whole": "int", "known": "TypedValue", "type_": "str",
}  # fmt: skip
"""The types of local variables."""


def _function(name: str, words: str, parameters: str, answer: str, body: Sequence[Statement], of: str = "") -> Function:
    """Return a function with a docstring and the types of its names. `made` and `given` are messages of the class `of`."""
    names = tuple(parameters.split())
    types = tuple(template(_TYPES.get(each, of)) for each in names)
    used = {node.id for node in nodes_in(*body) if isinstance(node, Name)}.difference(names)
    declared = [Declare(local, template(type_)) for local, type_ in _LOCALS.items() if local in used]
    return Function(name, names, (Do(Literal(words)), *declared, *body), (*types, template(answer)))


def _moved(after: Expression) -> Statement:
    """Return the statement that goes on at an offset."""
    match after:
        case Operation(Name("at"), "+", more):
            return Augment(AT, "+", more)
    return Assign(AT, after)


def _spanned(field: str, first: Sequence[Statement], after: Expression, *, many: bool = False) -> tuple[Statement, ...]:
    """Return the statements that note the bytes of a field at `at` in `found`, and go on behind them."""
    note = "found.setdefault({0}, []).append((at, {1}))" if many else "found[{0}] = at, {1}"
    return (*first, line(note, Literal(field), after), _moved(after))


Held = Callable[[str], Expression | tuple[Statement, ...] | None]
"""Returns the expression of a field that is read into it; None for a field that is not kept.

A field that is read in another way than its form's has the statements, which go on behind it.
"""
Given = Callable[[str], Expression | If | None]
"""Returns the expression of a field that is written; None for a field that is not.

A field that is written in another way than its form's has a test whether it is set, with the statements.
"""


def _made(field: str) -> Expression:
    return Attribute(Name("made"), field)


def _given(field: str) -> Expression:
    return Attribute(Name("given"), field)


def _noted(forms: Mapping[str, Form], at: Expression, path: str = "") -> Held:
    """Return what notes the bytes of each field in place of its value, which is at an offset."""

    def held(field: str) -> tuple[Statement, ...]:
        first, _, after = forms[field].reading(at)
        return _spanned(f"{path}{field}", first, after, many=forms[field].many)

    return held


def _into(held: Held, field: str) -> Expression:
    """Return the expression of a field that is read as its form does."""
    found = held(field)
    assert not isinstance(found, tuple)
    return found or Literal(None)


def _if_set(
    given: Expression | If | None, written: Sequence[Statement], path: str, before: Sequence[Statement] = ()
) -> Statements:
    """Return the statements that write a field that is set; `value` is its value. With a path, they set `field` for errors."""
    if given is None:
        return []
    if isinstance(given, If):
        return [If(given.test, (*before, *given.body))]
    named = [Assign(Name("field"), Literal(path))] if path else []
    return [*named, If(code("(value := {0}) is not None", given), (*before, *written))]


# ---- fields behind flags ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """The fields of a class in their order, each there if its flag is set: `first` is that of the first, then come lower bits.

    It prints `read_NAME(made, data, at, end, flags)`, which sets the fields and returns the offset behind them,
    `span_NAME(found, data, at, end, flags)`, which notes the bytes of each field by its path, and `write_NAME(out, given)`,
    which writes the flags in two bytes and the fields; EncodeError names an invalid field. `path` is that of the fields.
    """

    name: str
    of: type[Any]
    forms: Mapping[str, Form]
    first: int
    path: str = ""

    @property
    def fields(self) -> Iterator[tuple[str, Literal, Form]]:
        """Yield each field with its flag and form."""
        for at, field in enumerate(fields(self.of)):
            yield field.name, hexadecimal(self.first >> at), self.forms[field.metadata["types"][0]]

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name = self.of.__name__
        words = f"Read the fields of {name} that the flags name, in order, and return the offset behind them."
        yield _function(f"read_{self.name}", words, "made data at end flags", "i64", self._reader(), name)
        words = f"Note the bytes of the fields of {name} that the flags name, after they were read."
        yield _function(f"span_{self.name}", words, "found data at end flags", "i64", self._spans())
        words = f"Write the flags of {name} and the fields that are set."
        yield from _writers(self.name, words, "out given", self.writing, name)

    def _reader(self) -> Statements:
        return [*self.reading(_made), Return(AT)]

    def reading(self, held: Held) -> Statements:
        """Return the statements that read the fields at `at` that `flags` name."""
        body: Statements = []
        for name, flag, form in self.fields:
            own = held(name)
            if not isinstance(own, tuple):
                first, value, after = form.reading(AT)
                own = (*first, Assign(_into(held, name), value), _moved(after))
            body.append(If(code("flags & {0}", flag), own))
        return body

    def _spans(self) -> Statements:
        return [*self.reading(_noted({name: form for name, _, form in self.fields}, AT, self.path)), Return(AT)]

    def writing(self, given: Given, *, careful: bool = False) -> Statements:
        """Return the statements that write the flags, and the fields that are set."""
        body: Statements = [*lines("flags: i64 = 0\nplace: i64 = len(out)\nout.write(b'\\0\\0')")]
        for name, flag, form in self.fields:
            written, flagged = form.writing(careful=careful), [Augment(Name("flags"), "|", flag)]
            body += _if_set(given(name), written, f"{self.path}{name}" if careful else "", flagged)
        return [*body, *lines("put_u16(out, place, flags)")]


def _writers(
    name: str, words: str, parameters: str, writer: Callable[..., Sequence[Statement]], of: str, failed: str = "FAILED"
) -> Iterator[Function]:
    """Yield `write_NAME`, which writes without checks, and where that has `failed` once more: `write_NAME_carefully`.

    The EncodeError of the second names the field.
    """
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
        body=writer(_given, careful=False), failed=Name(failed), again=[Do(_call(carefully, parameters))],
    )  # fmt: skip
    yield _function(f"write_{name}", words, parameters, "None", fast, of)
    careful = lines(
        """
        field = ''
        try:
            {body}
        except EncodeError as error:
            raise within(error, field) from None
        """,
        body=writer(_given, careful=True),
    )
    yield _function(carefully, f"{words} EncodeError names an invalid field.", parameters, "None", careful, of)


def _call(name: str, parameters: str) -> Call:
    """Return the call of a function with the parameters of this one."""
    return Call(Name(name), tuple(map(Name, parameters.split())))


# ---- fields behind tags -----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Tagged:
    """Fields of a class in any order, each behind its tag: `tags`, frequent ones first, and `forms` by their wire types.

    A field stands once at most, or it is a list (`Form.many`). It prints `read_NAME(made, data, at, end)`; where that fails,
    `read_NAME_carefully` reads the fields again and raises the exact DecodeError, with `codec.repeated(field, at)`,
    `codec.unknown_tag(tag, at)`, `codec.ends_early(at)`. `span_NAME(found, data, at, end)` notes the bytes of each field, of a
    list those of each element. `write_NAME(out, given)` writes the fields in the order of their tags; EncodeError names an
    invalid field, and the forms of lists do so themselves.
    """

    name: str
    of: type[Any]
    tags: Mapping[str, int]
    forms: Mapping[str, Form]

    @property
    def fields(self) -> dict[str, tuple[int, Form]]:
        """The tag and the form of each field."""
        types = {field.name: field.metadata["types"][0] for field in fields(self.of)}
        return {field: (tag, self.forms[types[field]]) for field, tag in self.tags.items()}

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name = self.of.__name__
        words = f"Read fields of {name}."
        yield _function(f"read_{self.name}", words, "made data at end", "None", self._reader(), name)
        words = f"Read fields of {name} again. DecodeError names the first that is invalid."
        yield _function(f"read_{self.name}_carefully", words, "made data at end", "None", self._careful_reader(), name)
        words = f"Note the bytes of the fields of {name}, after they were read."
        yield _function(f"span_{self.name}", words, "found data at end", "None", self._spans())
        words = f"Write the fields of {name} that are set."
        yield from _writers(self.name, words, "out given", self.writing, name, "UNWRITABLE")

    def _reader(self) -> tuple[Statement, ...]:
        text = """
            start: i64 = at
            {lists}
            try:
                {read}
            except (IndexError, StructError, UnicodeError, DecodeError):
                at = start
            {filled}
            if at != end:
                {again}
            """
        again = [Do(_call(f"read_{self.name}_carefully", "made data start end"))]
        return lines(text, lists=self._lists(_made), read=self._loop(_made), filled=self._filled(_made), again=again)

    def reading(self, held: Held) -> Statements:
        """Return the statements that read fields from `at` to `end`, and stop before one that is invalid."""
        return [*self._lists(held), *self._loop(held), *self._filled(held)]

    def _loop(self, held: Held) -> tuple[Statement, ...]:
        chain: tuple[Statement, ...] = (Break(),)
        for field, (tag, form) in reversed(list(self.fields.items())):
            own, test = held(field), code("tag == {0}", hexadecimal(tag))
            if not isinstance(own, tuple):
                first, value, after = form.reading(code("at + 1"))
                fault = form.fault()
                checked = () if fault is None else (If(fault, (Break(),)),)
                own = (*first, *checked, _kept(field, form, value, held), _moved(after))
                test = test if form.many else code("{0} and {1} is None", test, _into(held, field))
            chain = (If(test, own, chain),)
        return lines("while at < end:\n    tag: i64 = data[at]\n    {0}", chain)

    def _careful_reader(self) -> Statements:
        chain: tuple[Statement, ...] = lines("raise codec.unknown_tag(tag, at)")
        for field, (tag, form) in reversed(list(self.fields.items())):
            first, value, after = form.careful_reading(code("at + 1"), field)
            place = Attribute(Name("made"), field)
            once = lines("if {0} is not None: raise codec.repeated({1}, at)", place, Literal(field))
            moved = () if after == Name("after") else (Assign(Name("after"), after),)
            body = (*(() if form.many else once), *first, *moved, _kept(field, form, value, _made))
            chain = (If(code("tag == {0}", hexadecimal(tag)), body, chain),)
        unset = [Assign(Attribute(Name("made"), field), Literal(None)) for field in self.fields]
        text = """
            try:
                while at < end:
                    tag: i64 = data[at]
                    {0}
                    if after > end:
                        raise codec.ends_early(at + 1)
                    at = after
            except (IndexError, StructError):
                raise codec.ends_early(at + 1) from None
            """
        return [*unset, *self._lists(_made), *lines(text, chain), *self._filled(_made)]

    def _spans(self) -> tuple[Statement, ...]:
        return self._loop(_noted({field: form for field, (_, form) in self.fields.items()}, code("at + 1")))

    def _many(self, held: Held) -> list[str]:
        """Return the fields that are read into lists."""
        return [field for field, (_, form) in self.fields.items() if form.many and not isinstance(held(field), tuple)]

    def _lists(self, held: Held) -> Statements:
        """Return the statements that begin the lists."""
        return [Declare(_list(field).id, template("list[Any]"), Display("[]")) for field in self._many(held)]

    def _filled(self, held: Held) -> Statements:
        """Return the statements that set the fields of lists with elements."""
        return [If(_list(field), (Assign(_into(held, field), _list(field)),)) for field in self._many(held)]

    def writing(self, given: Given, *, careful: bool = False) -> Statements:
        """Return the statements that write the fields that are set, in the order of their tags."""
        body: Statements = []
        for field, (tag, form) in sorted(self.fields.items(), key=lambda each: each[1][0]):
            body += _if_set(given(field), form.writing(code=tag, careful=careful), field if careful else "")
        return body


def _list(field: str) -> Name:
    """Return the variable of a list that is being read."""
    return Name(f"all_{field}")


def _kept(field: str, form: Form, value: Expression, held: Held) -> Statement:
    """Return the statement that keeps the value of a field, or an element of a list."""
    return line("{0}.append({1})", _list(field), value) if form.many else Assign(_into(held, field), value)


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
        yield _function(f"read_{self.name}", words, "made data at count room", "i64", self._reader(), name)
        yield from _writers(self.name, f"Write the fields of {name} as a list.", "out given room", self.writing, name)

    def _reader(self) -> Statements:
        body: Statements = []
        for place, chain in enumerate(self._chains(_made)):
            body += [*lines("if count == {0}: return at\ncode = data[at]", Literal(place)), *chain]
        return [*body, Return(AT)]

    def reading(self, held: Held) -> Statements:
        """Return the statements that read `count` fields at `at`."""
        body: Statements = []
        for place, chain in enumerate(self._chains(held)):
            body += lines("if count > {0}:\n    code = data[at]\n    {1}", Literal(place), chain)
        return body

    def _chains(self, held: Held) -> Iterator[tuple[Statement, ...]]:
        """Yield the statements that read each field behind its code."""
        for place, field in enumerate(fields(self.of)):
            types, target = field.metadata["types"], _into(held, field.name)
            chain: tuple[Statement, ...] = lines(
                """
                if code == {null}:
                    at += 1
                else:
                    value, at = codec.read_other({section}, {place}, code, data, at, room)
                    {target} = value
                """,
                null=_NULL, section=Literal(self.name), place=Literal(place), target=target,
            )  # fmt: skip
            for codes, form in reversed([each for each in self.rows.items() if each[1].type in types]):
                first, value, after = form.reading(code("at + 1"))
                value = value if len(types) == 1 else code("TypedValue({0}, {1})", Literal(form.type), value)
                chain = (If(_is_code(codes), (*first, Assign(target, value), _moved(after)), chain),)
            yield chain

    def writing(self, given: Given, *, careful: bool = False) -> tuple[Statement, ...]:
        """Return the statements that write the section with the fields that are set."""
        body: Statements = []
        for place, field in enumerate(fields(self.of)):
            nulls = lines("if count < {0}: out.write(codec.NULLS[{0} - count])", Literal(place)) if place else ()
            value = self._value(field.metadata["types"], careful=careful)
            written = (*nulls, *value, Assign(Name("count"), Literal(place + 1)))
            body += _if_set(given(field.name), written, f"{self.path}{field.name}" if careful else "")
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
            return _written(_encodings(self.rows, types[0]), careful=careful)
        checked = lines("codec.check_typed(value, {0})", literal(types)) if careful else ()
        by_type = _by_type({type_: _written(_encodings(self.rows, type_), careful=careful) for type_ in types}, "ValueError")
        return (*checked, *lines("known = value\ntype_ = known.type\nvalue = known.value"), *by_type)


# ---- a value behind the code of its type ------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Coded:
    """A value of one of several types behind a code of one byte: `rows` has codes and form of each encoding.

    Rows stand in the order in which they are tried: frequent ones first. All codes of a row are read, the first is written; of
    a type with several encodings, the first that fits. `reading` and `writing` name further parameters that the forms use.
    It prints `read_NAME(code, data, at, ...)`, which returns type, value and the offset behind it, and `write_NAME(out, type_,
    value, ...)`; with `named` also `type_of_NAME(code)`, "" for no code. KeyError for a type without a row.
    `codec.unknown_code(code, at)` and `codec.bad_value(type_, value)` are the errors of a code without one, and of a value that
    its type cannot hold.
    """

    name: str
    rows: Mapping[bytes, Form]
    reading: str
    writing: str
    named: bool = False

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this union."""
        words = "Return type and value behind a code, and the offset behind them."
        parameters = f"code data at {self.reading}"
        yield _function(f"read_{self.name}", words, parameters, "tuple[str, object, i64]", self._reader())
        words = (
            "Write the code of a type and a value. KeyError for an unknown type, EncodeError for a value that it cannot hold."
        )
        yield _function(f"write_{self.name}", words, f"out type_ value {self.writing}", "None", self._writer())
        if self.named:
            words = "Return the type of a code, an empty text for an unknown one."
            yield _function(f"type_of_{self.name}", words, "code", "str", self._names())

    def _reader(self) -> Statements:
        rows = {}
        for codes, form in self.rows.items():
            reading = form.reading(AT, code("depth + 1"))
            rows[codes] = (*reading.first, _answer(form, reading))
        return [*_branches(rows), *lines("raise codec.unknown_code(code, at - 1)")]

    def _names(self) -> Statements:
        answers = {codes: (Return(Literal(form.type)),) for codes, form in self.rows.items()}
        return [*_branches(answers), Return(Literal(""))]

    def _writer(self) -> tuple[Statement, ...]:
        types = dict.fromkeys(form.type for form in self.rows.values())
        by_type = {type_: _written(_encodings(self.rows, type_), code("depth + 1")) for type_ in types}
        text = "try: {0}\nexcept UNFIT: raise codec.bad_value(type_, value) from None"
        return lines(text, _by_type(by_type, "KeyError"))


def _by_type(rows: Mapping[str, tuple[Statement, ...]], error: str) -> tuple[Statement, ...]:
    """Return the statements of each type, with an error for another type: of the first ones in order, then by their length."""
    first, rest = list(rows.items())[:_FIRST], list(rows.items())[_FIRST:]
    chain = _by_length(sorted(rest, key=lambda row: len(row[0])), lines("raise {0}(type_)", Name(error)))
    for type_, body in reversed(first):
        chain = (If(Compare(Name("type_"), (("==", Literal(type_)),)), body, chain),)
    return chain


def _by_length(rows: Sequence[tuple[str, tuple[Statement, ...]]], other: tuple[Statement, ...]) -> tuple[Statement, ...]:
    """Return the statements of types, which stand by length; `other` are those of another type."""
    lengths = [len(type_) for type_, _ in rows]
    half = next((at for at in range(len(rows) // 2, len(rows)) if lengths[at] != lengths[at - 1]), 0) if len(rows) > 3 else 0
    if half:
        test = code("len(type_) < {0}", Literal(lengths[half]))
        return (If(test, _by_length(rows[:half], other), _by_length(rows[half:], other)),)
    for type_, body in reversed(rows):
        other = (If(Compare(Name("type_"), (("==", Literal(type_)),)), body, other),)
    return other


_FIRST = 8
"""The codes and types that are tried in their order."""


def _branches(rows: Mapping[bytes, tuple[Statement, ...]]) -> Statements:
    """Return the statements of each code, which leave the function: of the first codes one by one, of the others by halves."""
    first, rest = dict(list(rows.items())[:_FIRST]), list(rows.items())[_FIRST:]
    tests: Statements = [If(_is_code(codes), body) for codes, body in first.items()]
    return [*tests, *_by_halves(sorted((each, body) for codes, body in rest for each in codes))]


def _by_halves(rows: Sequence[tuple[int, tuple[Statement, ...]]]) -> Statements:
    if len(rows) <= 3:
        return [If(_is_code(bytes((each,))), body) for each, body in rows]
    half = len(rows) // 2
    test = code("code < {0}", hexadecimal(rows[half][0]))
    return [If(test, tuple(_by_halves(rows[:half])), tuple(_by_halves(rows[half:])))]


def _is_code(codes: bytes) -> Expression:
    tests = [Compare(Name("code"), (("==", hexadecimal(each)),)) for each in codes]
    return tests[0] if len(tests) == 1 else Junction("or", tuple(tests))


def _encodings(rows: Mapping[bytes, Form], type_: str) -> dict[bytes, Form]:
    """Return the encodings of a type that are written."""
    return {codes: form for codes, form in rows.items() if form.type == type_ and form.write}


def _written(encodings: Mapping[bytes, Form], depth: Expression = TOP, *, careful: bool = False) -> tuple[Statement, ...]:
    """Return the statements that write a value in the first of its type's encodings that fits."""
    chain: tuple[Statement, ...] = ()
    for codes, form in reversed(list(encodings.items())):
        test = form.fitting()
        written = form.writing(depth, code=codes[0])
        chain = written if test is None else (If(test, written, chain),)
    first = next(iter(encodings.values()))
    if careful and not first.careful:
        return (*lines("types[{0}].check(value, '')", Literal(first.type)), *chain)
    return (*_taken(first), *chain)


def _answer(form: Form, reading: Reading) -> Statement:
    return line("return {0}, {1}, {2}", Literal(form.type), reading.value, reading.after)


def _taken(form: Form) -> tuple[Statement, ...]:
    """Return the test of a value's class, or of its fault."""
    if not form.takes:
        return ()
    type_ = Literal(form.type)
    other = code("types[{0}].fault(value) is not None", type_)
    if form.takes != "fitting":
        other = code("type(value) is not {0}", Name(form.takes))
    return (If(other, lines("raise codec.bad_value({0}, value)", type_)),)


# ---- fields one after the other ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Fields of a class one after the other, each always there: `parts` has the form of each.

    A part that is no field of the class is a constant, or its form names one of the writer's further parameters `beside`.
    It prints `read_NAME(made, data, at, end)`, which returns the offset behind the fields: bytes that are missing raise
    IndexError or struct.error, or put it behind `end`. `span_NAME(found, made, data, at, end)` notes the bytes of each field of
    the message `made`, which was read. `write_NAME(out, given, ...)` writes them; invalid values raise one of
    UNWRITABLE, and the codec then names the fault. Without forms that read, or that write, it prints the other function alone.
    `has_more_than_NAME(given)` says whether a field is set that neither `parts` nor the codec writes, the fields `apart`.
    They read `source` and write `into` another object than the Writer: "texts", a list with an element for each field, or
    "pieces", those of bytes. Only bytes have spans, if `spanned`.
    """

    name: str
    of: type[Any]
    parts: Mapping[str, Form]
    apart: Sequence[str] = ()
    beside: str = ""
    source: str = "data"
    into: str = "out"
    spanned: bool = True

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name, forms = self.of.__name__, self.parts.values()
        if all(form.size is not None or form.first for form in forms):
            words = f"Read fields of {name}, and return the offset behind them."
            yield _function(f"read_{self.name}", words, f"made {self.source} at end", "i64", self._reader(), name)
        if self.source == "data" and self.spanned:
            words = f"Note the bytes of the fields of {name}, after they were read."
            yield _function(f"span_{self.name}", words, "found made data at end", "i64", self._spans(), name)
        if all(form.write for form in forms):
            words = f"Write fields of {name}, without checks."
            yield _function(f"write_{self.name}", words, f"{self.into} given {self.beside}", "None", self._writer(), name)
        others = [field for field in self._own if field not in (*self.parts, *self.apart)]
        if others:
            words = f"Return whether other fields of {name} are set."
            tests = [code("{0} is not None", Attribute(Name("given"), field)) for field in others]
            test = tests[0] if len(tests) == 1 else Junction("or", tuple(tests))
            yield _function(f"has_more_than_{self.name}", words, "given", "bool", [Return(test)], name)

    @property
    def _own(self) -> list[str]:
        return [field.name for field in fields(self.of)]

    def _reader(self) -> Statements:
        body: Statements = []
        place: Expression = AT
        for field, form in self.parts.items():
            first, value, after = form.reading(place)
            body += first
            if field in self._own:
                body.append(Assign(Attribute(Name("made"), field), value))
            place = after
            if form.size is None:
                body.append(_moved(after))
                place = AT
        return [*body, Return(place)]

    def _spans(self) -> Statements:
        body: Statements = []
        for field, form in self.parts.items():
            first, _, after = form.reading(AT)
            body += _spanned(field, first, after)
        return [*body, Return(AT)]

    def _writer(self) -> Statements:
        body: Statements = []
        for field, form in self.parts.items():
            if field in self._own:
                body.append(Assign(VALUE, Attribute(Name("given"), field)))
            body += form.writing()
        return body


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
        yield _function(f"read_{self.name}", words, "data at", f"tuple[{', '.join(types)}]", body)

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


# ---- statements of a layout's own -------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Lines:
    """A function whose statements a layout derives from the fields of its messages: it calls the functions of other shapes."""

    name: str
    words: str
    parameters: str
    answer: str
    body: tuple[Statement, ...]
    of: type[Any] = object

    def functions(self) -> Iterator[Function]:
        """Yield the function."""
        yield _function(self.name, self.words, self.parameters, self.answer, self.body, self.of.__name__)


class Shape(Protocol):
    """What a layout asks of its shapes."""

    def functions(self) -> Iterator[Function]:
        """Yield the nodes of the functions."""

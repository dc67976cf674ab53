"""Shapes of the fields of a class: behind flags, behind tags, or one after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any

from mqconvert.converters.printed.nodes import (
    Assign,
    Augment,
    Break,
    Declare,
    Display,
    Do,
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
)
from mqconvert.converters.printed.templates import code, line, lines, template
from mqconvert.converters.wire.forms import Form
from mqconvert.converters.wire.shapes import (
    AT,
    Blocks,
    Given,
    Places,
    attributes,
    call,
    function,
    if_set,
    moved,
    read,
    spanned,
    writers,
)

# ---- fields behind flags ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Flagged:
    """The fields of a class in their order, each there if its flag is set: the first by `first_flag`, the others by lower bits.

    It prints `read_NAME(made, data, at, end, flags)`, which sets the fields and returns the offset behind them,
    `span_NAME(found, data, at, end, flags)`, which notes the bytes of each field by its path, and `write_NAME(out, given)`,
    which writes the flags in two bytes and the fields; EncodeError names an invalid field. `path` is that of the fields.
    """

    name: str
    of: type[Any]
    forms: Mapping[str, Form]
    first_flag: int
    path: str = ""

    @property
    def fields(self) -> Iterator[tuple[str, Literal, Form]]:
        """Yield each field with its flag and form."""
        for at, field in enumerate(fields(self.of)):
            yield field.name, hexadecimal(self.first_flag >> at), self.forms[field.metadata["types"][0]]

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name = self.of.__name__
        words = f"Read the fields of {name} that the flags name, in order, and return the offset behind them."
        yield function(f"read_{self.name}", words, "made data at end flags", "i64", self._reader(), name)
        words = f"Note the bytes of the fields of {name} that the flags name, after they were read."
        yield function(f"span_{self.name}", words, "found data at end flags", "i64", self._spans())
        words = f"Write the flags of {name} and the fields that are set."
        yield from writers(self, words, "out given")

    def _reader(self) -> Statements:
        return [*self.reading(attributes("made", self.of), {}), Return(AT)]

    def reading(self, into: Places, own: Blocks) -> Statements:
        """Return the statements that read the fields at `at` that `flags` name."""
        return [If(code("flags & {0}", flag), own.get(name) or read(form, AT, into[name])) for name, flag, form in self.fields]

    def _spans(self) -> Statements:
        return [*self.reading({}, {name: spanned(f"{self.path}{name}", form) for name, _, form in self.fields}), Return(AT)]

    def writing(self, given: Given, *, careful: bool = False) -> Statements:
        """Return the statements that write the flags, and the fields that are set."""
        body: Statements = [*lines("flags: i64 = 0\nplace: i64 = len(out)\nout.write(b'\\0\\0')")]
        for name, flag, form in self.fields:
            written, flagged = form.writing(careful=careful), [Augment(Name("flags"), "|", flag)]
            body += if_set(given[name], written, f"{self.path}{name}" if careful else "", flagged)
        return [*body, *lines("put_u16(out, place, flags)")]


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
        yield function(f"read_{self.name}", words, "made data at end", "None", self._reader(), name)
        words = f"Read fields of {name} again. DecodeError names the first that is invalid."
        yield function(f"read_{self.name}_carefully", words, "made data at end", "None", self._careful_reader(), name)
        words = f"Note the bytes of the fields of {name}, after they were read."
        yield function(f"span_{self.name}", words, "found data at end", "None", self._spans())
        words = f"Write the fields of {name} that are set."
        yield from writers(self, words, "out given", "UNWRITABLE")

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
        again = [Do(call(f"read_{self.name}_carefully", "made data start end"))]
        made = attributes("made", self.of)
        return lines(text, lists=self._lists({}), read=self._loop(made, {}), filled=self._filled(made, {}), again=again)

    def reading(self, into: Places, own: Blocks) -> Statements:
        """Return the statements that read fields from `at` to `end`, and stop before one that is invalid."""
        return [*self._lists(own), *self._loop(into, own), *self._filled(into, own)]

    def _loop(self, into: Places, own: Blocks) -> tuple[Statement, ...]:
        ways = []
        for field, (tag, form) in self.fields.items():
            test = code("tag == {0}", hexadecimal(tag))
            if field in own:
                ways.append((test, own[field]))
                continue
            first, value, after = form.reading(code("at + 1"))
            fault = form.fault()
            checked = () if fault is None else (If(fault, (Break(),)),)
            once = test if form.many else code("{0} and {1} is None", test, into[field])
            ways.append((once, (*first, *checked, _kept(field, form, value, into[field]), moved(after))))
        return lines("while at < end:\n    tag: i64 = data[at]\n    {0}", either(ways, (Break(),)))

    def _careful_reader(self) -> Statements:
        made = attributes("made", self.of)
        ways = []
        for field, (tag, form) in self.fields.items():
            first, value, after = form.careful_reading(code("at + 1"), field)
            once = lines("if {0} is not None: raise codec.repeated({1}, at)", made[field], Literal(field))
            moved = () if after == Name("after") else (Assign(Name("after"), after),)
            body = (*(() if form.many else once), *first, *moved, _kept(field, form, value, made[field]))
            ways.append((code("tag == {0}", hexadecimal(tag)), body))
        unset = [Assign(made[field], Literal(None)) for field in self.fields]
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
        tags = either(ways, lines("raise codec.unknown_tag(tag, at)"))
        return [*unset, *self._lists({}), *lines(text, tags), *self._filled(made, {})]

    def _spans(self) -> tuple[Statement, ...]:
        return self._loop({}, {field: spanned(field, form, code("at + 1")) for field, (_, form) in self.fields.items()})

    def _many(self, own: Blocks) -> list[str]:
        """Return the fields that are read into lists."""
        return [field for field, (_, form) in self.fields.items() if form.many and field not in own]

    def _lists(self, own: Blocks) -> Statements:
        """Return the statements that begin the lists."""
        return [Declare(_list(field).id, template("list[Any]"), Display("[]")) for field in self._many(own)]

    def _filled(self, into: Places, own: Blocks) -> Statements:
        """Return the statements that set the fields of lists with elements."""
        return [If(_list(field), (Assign(into[field], _list(field)),)) for field in self._many(own)]

    def writing(self, given: Given, *, careful: bool = False) -> Statements:
        """Return the statements that write the fields that are set, in the order of their tags."""
        body: Statements = []
        for field, (tag, form) in sorted(self.fields.items(), key=lambda each: each[1][0]):
            body += if_set(given[field], form.writing(code=tag, careful=careful), field if careful else "")
        return body


def _list(field: str) -> Name:
    """Return the variable of a list that is being read."""
    return Name(f"all_{field}")


def _kept(field: str, form: Form, value: Expression, place: Expression) -> Statement:
    """Return the statement that keeps the value of a field, or an element of a list."""
    return line("{0}.append({1})", _list(field), value) if form.many else Assign(place, value)


# ---- fields one after the other ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """Fields of a class one after the other, each always there: `parts` has the form of each.

    A part that is no field of the class is a constant, or its form names one of the further `write_parameters`. It prints
    `read_NAME(made, data, at, end)`, which returns the offset behind the fields: bytes that are missing raise IndexError or
    struct.error, or put it behind `end`. `span_NAME(found, made, data, at, end)` notes the bytes of each field of the message
    `made`, which was read. `write_NAME(out, given, ...)` writes them; invalid values raise one of UNWRITABLE, and the codec
    then names the fault. Without forms that read, or that write, it prints the other function alone.
    `has_more_than_NAME(given)` says whether a field is set that neither `parts` nor the codec writes, the fields `apart`.
    They read `source` and write `into` another object than the Writer: "texts", a list with an element for each field, or
    "pieces", those of bytes. Only bytes have spans, if `spanned`.
    """

    name: str
    of: type[Any]
    parts: Mapping[str, Form]
    apart: Sequence[str] = ()
    write_parameters: str = ""
    source: str = "data"
    into: str = "out"
    spanned: bool = True

    def functions(self) -> Iterator[Function]:
        """Yield the functions of this group."""
        name, forms = self.of.__name__, self.parts.values()
        if all(form.size is not None or form.first for form in forms):
            words = f"Read fields of {name}, and return the offset behind them."
            yield function(f"read_{self.name}", words, f"made {self.source} at end", "i64", self._reader(), name)
        if self.source == "data" and self.spanned:
            words = f"Note the bytes of the fields of {name}, after they were read."
            yield function(f"span_{self.name}", words, "found made data at end", "i64", self._spans(), name)
        if all(form.write for form in forms):
            words = f"Write fields of {name}, without checks."
            yield function(
                f"write_{self.name}", words, f"{self.into} given {self.write_parameters}", "None", self._writer(), name
            )
        others = [given for field, given in attributes("given", self.of).items() if field not in (*self.parts, *self.apart)]
        if others:
            words = f"Return whether other fields of {name} are set."
            test = any_of(code("{0} is not None", given) for given in others)
            yield function(f"has_more_than_{self.name}", words, "given", "bool", [Return(test)], name)

    def _reader(self) -> Statements:
        made, body = attributes("made", self.of), list[Statement]()
        place: Expression = AT
        for field, form in self.parts.items():
            first, value, after = form.reading(place)
            body += first
            if field in made:
                body.append(Assign(made[field], value))
            place = after
            if form.size is None:
                body.append(moved(after))
                place = AT
        return [*body, Return(place)]

    def _spans(self) -> Statements:
        return [*(each for field, form in self.parts.items() for each in spanned(field, form)), Return(AT)]

    def _writer(self) -> Statements:
        given, body = attributes("given", self.of), list[Statement]()
        for field, form in self.parts.items():
            if field in given:
                body.append(Assign(Name("value"), given[field]))
            body += form.writing()
        return body
